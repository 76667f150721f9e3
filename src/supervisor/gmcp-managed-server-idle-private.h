/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-private.h"

G_BEGIN_DECLS

/* The end of a server that nobody uses. */

void gmcp_managed_server_watch_idle (GmcpManagedServer *self);
/* The server was not used for its idle time; data is the server. */
void gmcp_managed_server_stop_idle (gpointer data);

G_END_DECLS
