/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-config-edit-private.h"

G_BEGIN_DECLS

/* Changes to the servers of a YAML file that a person wrote, line by line; whether it then reads as it should is for
 * the caller to see. */

char *gmcp_config_yaml_edit (const char *text,
                             gsize length,
                             const GmcpConfigEdit *edits,
                             gsize n_edits,
                             GError **error);
char *gmcp_config_yaml_remove (const char *text, gsize length, const char *id, GError **error);
char *gmcp_config_yaml_set_enabled (const char *text,
                                    gsize length,
                                    const char *id,
                                    gboolean enabled,
                                    GError **error);

/* What stands behind a server's name, as a text of its own; and another in its place. */
char *gmcp_config_yaml_dup_entry (const char *text, gsize length, const char *id, GError **error);
char *gmcp_config_yaml_set_entry (const char *text,
                                  gsize length,
                                  const char *id,
                                  const char *entry,
                                  GError **error);

G_END_DECLS
