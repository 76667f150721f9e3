/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* Which commands were started with all of the user's privileges, and told of: a file over all runs. */

#define GMCP_STARTED_COMMANDS_FILE "started-commands.json"

/* From the server, told apart by the project's file that it comes from, to a hash of its command. bytes
 * is NULL where there is no file. */
GHashTable *gmcp_started_commands_parse (GBytes *bytes, GError **error);
/* What the file is to hold; NULL without an error where it holds that already. */
GBytes *
gmcp_started_commands_add (GBytes *bytes, const char *key, const char *digest, GError **error);

char *gmcp_started_commands_dup_key (GmcpServerConfig *config);
char *gmcp_started_commands_dup_digest (GmcpServerConfig *config);

G_END_DECLS
