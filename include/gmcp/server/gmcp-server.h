/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/registry/gmcp-tool-registry.h>
#include <gmcp/transport/gmcp-transport.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SERVER (gmcp_server_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpServer, gmcp_server, GMCP, SERVER, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpServer *gmcp_server_new (const char *name, const char *version, GmcpToolProvider *provider);

GMCP_AVAILABLE_IN_0_1
GmcpToolProvider *gmcp_server_get_provider (GmcpServer *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_server_set_title (GmcpServer *self, const char *title);

GMCP_AVAILABLE_IN_0_1
void gmcp_server_set_instructions (GmcpServer *self, const char *instructions);

GMCP_AVAILABLE_IN_0_1
void
gmcp_server_add_icon (GmcpServer *self, const char *src, const char *mime_type, const char *theme);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_add_extension (GmcpServer *self,
                                    const char *name,
                                    const char *settings_json,
                                    GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_set_state_key (GmcpServer *self, GBytes *key, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_add_tool (GmcpServer *self,
                               GmcpTool *tool,
                               GmcpToolFunc func,
                               gpointer user_data,
                               GDestroyNotify destroy,
                               GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_remove_tool (GmcpServer *self, const char *name);

GMCP_AVAILABLE_IN_0_1
void gmcp_server_attach (GmcpServer *self, GmcpTransport *transport);

GMCP_AVAILABLE_IN_0_1
void gmcp_server_attach_for_user (GmcpServer *self, GmcpTransport *transport, const char *user);

GMCP_AVAILABLE_IN_0_1
void gmcp_server_run_stdio_async (GmcpServer *self,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_server_run_stdio_finish (GmcpServer *self, GAsyncResult *result, GError **error);

G_END_DECLS
