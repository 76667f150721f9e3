/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

G_BEGIN_DECLS

/* Has the manager list the tools of one server as they are now, whatever the door, and starts no other one: the server is
 * asked where it runs, waited for where it starts, and started where it does not run. What a person has to start has the tools
 * that it had the last time. Fails where the server did not start: that is not tried again for its tools. */
void gmcpd_server_tools_refresh_async (GmcpManager *manager,
                                       GmcpManagedServer *server,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean
gmcpd_server_tools_refresh_finish (GmcpManager *manager, GAsyncResult *result, GError **error);

G_END_DECLS
