/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server.h>

G_BEGIN_DECLS

#define GMCP_TYPE_HTTP_ENDPOINT (gmcp_http_endpoint_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpHttpEndpoint, gmcp_http_endpoint, GMCP, HTTP_ENDPOINT, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpHttpEndpoint *gmcp_http_endpoint_new (GmcpServer *server);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_http_endpoint_listen (GmcpHttpEndpoint *self, guint16 port, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_http_endpoint_listen_address (GmcpHttpEndpoint *self, GSocketAddress *address, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_http_endpoint_listen_socket (GmcpHttpEndpoint *self, GSocket *socket, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_http_endpoint_add_to (GmcpHttpEndpoint *self, GObject *soup_server, GError **error);

GMCP_AVAILABLE_IN_0_1
char *gmcp_http_endpoint_dup_uri (GmcpHttpEndpoint *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_http_endpoint_close (GmcpHttpEndpoint *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_http_endpoint_close_async (GmcpHttpEndpoint *self,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_http_endpoint_close_finish (GmcpHttpEndpoint *self, GAsyncResult *result, GError **error);

G_END_DECLS
