/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* The command as it is configured, for people; what is known to be a secret is replaced. */
char *gmcp_server_config_dup_argv_text (GmcpServerConfig *self);

/* What somebody reads who is to agree to it: whole, not redacted, with variables as they are written, and
 * visible. A line is KEY: VALUE, each with the indent before it.
 *
 * folder is where the server runs without a cwd; with it a few things are told also where they are as by default,
 * since another than the user has written the file. NULL to say nothing of that. Without values, those of the
 * environment and of headers are left out. */
void gmcp_server_config_append_details (GString *text,
                                        GmcpServerConfig *self,
                                        const char *indent,
                                        const char *folder,
                                        gboolean with_values);

G_END_DECLS
