/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* What is told apart by the place that a configuration comes from. */
typedef struct
{
  gatomicrefcount ref_count;
  char *file;      /* NULL where it is in none */
  char *workspace; /* NULL for the manager's */
  char *
    folder; /* its servers run in, unless their cwd says otherwise; NULL for folders of their own */
  gboolean
    confined; /* a project's: sees only the secrets that are stored for this file and server */
  GPtrArray *inputs; /* of JSON objects as text, each with an id; NULL for none */
} GmcpConfigOrigin;

GmcpConfigOrigin *gmcp_config_origin_new (const char *file,
                                          const char *workspace,
                                          const char *folder,
                                          gboolean confined);
GmcpConfigOrigin *gmcp_config_origin_ref (GmcpConfigOrigin *origin);
void gmcp_config_origin_unref (GmcpConfigOrigin *origin);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpConfigOrigin, gmcp_config_origin_unref)

/* Before anybody else has the configuration. */
void gmcp_server_config_set_origin (GmcpServerConfig *config, GmcpConfigOrigin *origin);
/* NULL for none. */
GmcpConfigOrigin *gmcp_server_config_get_origin (GmcpServerConfig *config);

G_END_DECLS
