/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOL_REGISTRY (gmcp_tool_registry_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpToolRegistry, gmcp_tool_registry, GMCP, TOOL_REGISTRY, GObject)

/**
 * GmcpToolFunc:
 * @call: the call; complete it with [method@Gmcp.ToolCall.return_result], now or later
 * @user_data: data given to [method@Gmcp.ToolRegistry.add_tool]
 *
 * Handles the calls of one tool. The arguments have been checked against the tool's input schema,
 * where it has one.
 *
 * A function that asks by [method@Gmcp.Caller.ask_async] or [method@Gmcp.Caller.list_roots_async] may be called several
 * times for one call of a client: anew, from its beginning, each time that the client has answered.
 *
 * Since: 0.1
 */
typedef void (*GmcpToolFunc) (GmcpToolCall *call, gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpToolRegistry *gmcp_tool_registry_new (void);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_registry_add_provider (GmcpToolRegistry *self,
                                          const char *id,
                                          GmcpToolProvider *provider,
                                          GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_registry_remove_provider (GmcpToolRegistry *self, const char *id);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_registry_add_tool (GmcpToolRegistry *self,
                                      GmcpTool *tool,
                                      GmcpToolFunc func,
                                      gpointer user_data,
                                      GDestroyNotify destroy,
                                      GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_registry_add_function (GmcpToolRegistry *self,
                                          const char *name,
                                          const char *description,
                                          const char *input_schema_json,
                                          GmcpToolFunc func,
                                          gpointer user_data,
                                          GDestroyNotify destroy,
                                          GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_registry_remove_tool (GmcpToolRegistry *self, const char *name);

G_END_DECLS
