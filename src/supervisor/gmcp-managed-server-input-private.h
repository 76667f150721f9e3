/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"

G_BEGIN_DECLS

/* Questions of a server. */

void gmcp_managed_server_watch_input (GmcpManagedServer *self, GmcpClient *client);
void gmcp_managed_server_unwatch_input (GmcpManagedServer *self, GmcpClient *client);
gboolean gmcp_managed_server_has_input_handler (GmcpManagedServer *self);
/* What a client would tell the server of if it were started now. */
GmcpClientAbilities gmcp_managed_server_get_abilities (GmcpManagedServer *self);
void gmcp_managed_server_emit_input_requested (GmcpManagedServer *self, GmcpInputRequest *request);

/* Tells of a call, or a read, that its server did not answer well: a GmcpCallFailedFunc, for the server. */
void gmcp_managed_server_call_failed (const GError *error, gpointer data);

G_END_DECLS
