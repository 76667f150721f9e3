/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool.h>
#include <gmcp/server/gmcp-server-request.h>
#include <gmcp/transport/gmcp-transport.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SERVER (gmcp_server_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpServer, gmcp_server, GMCP, SERVER, GObject)

/**
 * GmcpServerToolFunc:
 * @server: the server
 * @request: the call; complete it with [method@Gmcp.ServerRequest.return_result], now or later
 * @user_data: data given to [method@Gmcp.Server.add_tool]
 *
 * Handles the calls of one tool. The arguments have been checked against the tool's input schema.
 *
 * Since: 0.1
 */
typedef void (*GmcpServerToolFunc) (GmcpServer *server,
                                    GmcpServerRequest *request,
                                    gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpServer *gmcp_server_new (const char *name, const char *version);

GMCP_AVAILABLE_IN_0_1
void gmcp_server_set_title (GmcpServer *self, const char *title);

GMCP_AVAILABLE_IN_0_1
void gmcp_server_set_instructions (GmcpServer *self, const char *instructions);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_add_tool (GmcpServer *self,
                               GmcpTool *tool,
                               GmcpServerToolFunc func,
                               gpointer user_data,
                               GDestroyNotify destroy,
                               GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_remove_tool (GmcpServer *self, const char *name);

GMCP_AVAILABLE_IN_0_1
void gmcp_server_attach (GmcpServer *self, GmcpTransport *transport);

GMCP_AVAILABLE_IN_0_1
void gmcp_server_run_stdio_async (GmcpServer *self,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_run_stdio_finish (GmcpServer *self, GAsyncResult *result, GError **error);

G_END_DECLS
