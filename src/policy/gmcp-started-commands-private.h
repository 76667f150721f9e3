/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

#include "gmcp-state-store-private.h"

G_BEGIN_DECLS

/* Which commands were started with all of the user's privileges, and told of: a file over all runs. It maps
 * each server, told apart by the project's file that it comes from, to a hash of its command. */

#define GMCP_STARTED_COMMANDS_FILE "started-commands.json"

typedef struct _GmcpStartedCommands GmcpStartedCommands;

GmcpStartedCommands *gmcp_started_commands_new (GmcpStateStore *state);
void gmcp_started_commands_free (GmcpStartedCommands *self);

/* What the file holds; bytes is NULL where it is not there. */
gboolean gmcp_started_commands_take (GmcpStartedCommands *self, GBytes *bytes, GError **error);
/* Keeps the server's command. TRUE where another one, or none, was known of the server. */
gboolean gmcp_started_commands_note (GmcpStartedCommands *self, GmcpServerConfig *config);

G_END_DECLS
