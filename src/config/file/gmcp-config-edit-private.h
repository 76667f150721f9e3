/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

#include "gmcp-config-document-private.h"

G_BEGIN_DECLS

/* Servers are put into a file of `mcpServers`, or the YAML layout, that a person wrote: all that is not about them
 * stays as it is, byte for byte. TOML is not changed: GMCP_ERROR_NOT_SUPPORTED. */

typedef struct
{
  const char *name;          /* of a new entry */
  GmcpServerConfig *config;  /* as it is to be */
  const char *const *fields; /* properties that are to change; NULL for a new entry */
} GmcpConfigEdit;

/* Gives the text of the file as it is to be. text is NULL where there is no file, base_dir is what
 * relative paths in it are relative to (nullable). Fails with GMCP_ERROR_INVALID_CONFIG where something
 * would get lost, or where it cannot be read. */
char *gmcp_config_edit (GmcpConfigFormat format,
                        const char *text,
                        gsize length,
                        const char *base_dir,
                        const GmcpConfigEdit *edits,
                        gsize n_edits,
                        GError **error);

/* Takes one server out of the text. Fails with GMCP_ERROR_INVALID_CONFIG where that would lose something else,
 * or where it is not there. */
char *gmcp_config_edit_remove (GmcpConfigFormat format,
                               const char *text,
                               gsize length,
                               const char *base_dir,
                               const char *id,
                               GError **error);
/* Says of one server whether it is enabled, and leaves all else. */
char *gmcp_config_edit_set_enabled (GmcpConfigFormat format,
                                    const char *text,
                                    gsize length,
                                    const char *base_dir,
                                    const char *id,
                                    gboolean enabled,
                                    GError **error);

/* One server as it stands in the text, without the indent; and another text in its place. */
char *gmcp_config_edit_dup_entry (GmcpConfigFormat format,
                                  const char *text,
                                  gsize length,
                                  const char *id,
                                  GError **error);
char *gmcp_config_edit_set_entry (GmcpConfigFormat format,
                                  const char *text,
                                  gsize length,
                                  const char *base_dir,
                                  const char *id,
                                  const char *entry,
                                  GError **error);

/* One server another way than it is at present, where the text still says that. */
char *gmcp_config_edit_set_server (GmcpConfigFormat format,
                                   const char *text,
                                   gsize length,
                                   const char *base_dir,
                                   GmcpServerConfig *present,
                                   GmcpServerConfig *wanted,
                                   GError **error);
/* A new server; text is NULL where there is no file. Fails with GMCP_ERROR_INVALID_ARGUMENT where one of its id is there. */
char *gmcp_config_edit_add_server (GmcpConfigFormat format,
                                   const char *text,
                                   gsize length,
                                   const char *base_dir,
                                   GmcpServerConfig *config,
                                   GError **error);
/* The error of who was to change what it is not any more. */
void gmcp_config_edit_set_changed (const char *id, GError **error);

/* FALSE with an error for a format that is not changed. */
gboolean gmcp_config_edit_check_format (GmcpConfigFormat format, GError **error);

G_END_DECLS
