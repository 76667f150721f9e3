/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"

G_BEGIN_DECLS

/* The tools of a server, kept for when it does not run. */

/* Keeps what is listed for the next time. */
void gmcp_managed_server_keep_tools (GmcpManagedServer *self);
void gmcp_managed_server_withdraw_tools (GmcpManagedServer *self);
void gmcp_managed_server_watch_tools (GmcpManagedServer *self, GmcpClient *client);
void gmcp_managed_server_unwatch_tools (GmcpManagedServer *self, GmcpClient *client);

G_END_DECLS
