/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SOCKET_ENDPOINT (gmcp_socket_endpoint_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpSocketEndpoint, gmcp_socket_endpoint, GMCP, SOCKET_ENDPOINT, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpSocketEndpoint *gmcp_socket_endpoint_new (GmcpServer *server);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_socket_endpoint_listen (GmcpSocketEndpoint *self, const char *path, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_socket_endpoint_listen_tcp (GmcpSocketEndpoint *self, guint16 port, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_socket_endpoint_listen_socket (GmcpSocketEndpoint *self, GSocket *socket, GError **error);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_socket_endpoint_list_addresses (GmcpSocketEndpoint *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_socket_endpoint_get_n_clients (GmcpSocketEndpoint *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_socket_endpoint_close (GmcpSocketEndpoint *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_socket_endpoint_close_async (GmcpSocketEndpoint *self,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_socket_endpoint_close_finish (GmcpSocketEndpoint *self, GAsyncResult *result, GError **error);

G_END_DECLS
