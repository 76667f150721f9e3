/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/protocol/questions/gmcp-elicitation.h>
#include <gmcp/protocol/questions/gmcp-sampling.h>
#include <gmcp/provider/gmcp-call-permission.h>
#include <gmcp/provider/gmcp-provider-close.h>
#include <gmcp/provider/gmcp-tool-call.h>
#include <gmcp/provider/gmcp-tool-load.h>
#include <gmcp/provider/gmcp-tool-search.h>

G_BEGIN_DECLS

/**
 * GMCP_TOOL_PROVIDER_EXTENSION_POINT_NAME:
 *
 * The name of the GIO extension point for tool providers.
 *
 * Since: 0.1
 */
#define GMCP_TOOL_PROVIDER_EXTENSION_POINT_NAME "gmcp-tool-provider"

#define GMCP_TYPE_TOOL_PROVIDER                 (gmcp_tool_provider_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (GmcpToolProvider, gmcp_tool_provider, GMCP, TOOL_PROVIDER, GObject)

/**
 * GmcpToolProviderInterface:
 * @parent_iface: the parent interface
 * @get_tools: gives the live list of [class@Gmcp.Tool]; always the same object
 * @load: brings the list up to date, then calls [method@Gmcp.ToolLoad.return_success]; where it is not
 *   implemented, the list is always up to date
 * @call_tool: calls a tool, then completes the call with [method@Gmcp.ToolCall.return_result]
 * @find_tool: finds a tool by any of the names it is known by, and gives a reference to it; where it
 *   is not implemented, the list is searched
 * @search: finds tools by their words, then completes the search with
 *   [method@Gmcp.ToolSearch.return_matches]; where it is not implemented, the list is searched
 * @dup_instructions: gives what the model is to be told beside the list of tools, or %NULL; where it
 *   is not implemented, there is nothing. A change is told by
 *   [signal@Gmcp.ToolProvider::instructions-changed]
 * @close: ends what the provider keeps running, then calls [method@Gmcp.ProviderClose.return_success];
 *   where it is not implemented, there is nothing to end
 *
 * What a tool provider implements: @get_tools and @call_tool, and what it needs of the others.
 *
 * Since: 0.1
 */
struct _GmcpToolProviderInterface
{
  GTypeInterface parent_iface;

  GListModel *(*get_tools) (GmcpToolProvider *self);
  void (*load) (GmcpToolProvider *self, GmcpToolLoad *load);
  void (*call_tool) (GmcpToolProvider *self, GmcpToolCall *call);
  GmcpTool *(*find_tool) (GmcpToolProvider *self, const char *name, GError **error);
  void (*search) (GmcpToolProvider *self, GmcpToolSearch *search);
  char *(*dup_instructions) (GmcpToolProvider *self);
  void (*close) (GmcpToolProvider *self, GmcpProviderClose *close);

  /*< private >*/
  gboolean keeps_time;
  GCallback look_for;
  gpointer _reserved[7];
};

GMCP_AVAILABLE_IN_0_1
GListModel *gmcp_tool_provider_get_tools (GmcpToolProvider *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_provider_dup_instructions (GmcpToolProvider *self);

GMCP_AVAILABLE_IN_0_1
GmcpTool *gmcp_tool_provider_find_tool (GmcpToolProvider *self, const char *name, GError **error);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_provider_dup_tools_json (GmcpToolProvider *self, GmcpToolsFormat format);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_provider_load_async (GmcpToolProvider *self,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_tool_provider_load_finish (GmcpToolProvider *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_provider_call_tool_async (GmcpToolProvider *self,
                                         const char *name,
                                         JsonNode *arguments,
                                         GmcpCallOptions *options,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_provider_call_tool_json_async (GmcpToolProvider *self,
                                              const char *name,
                                              const char *arguments_json,
                                              GmcpCallOptions *options,
                                              GCancellable *cancellable,
                                              GAsyncReadyCallback callback,
                                              gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *
gmcp_tool_provider_call_tool_finish (GmcpToolProvider *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *gmcp_tool_provider_call_tool_json_finish (GmcpToolProvider *self,
                                                          GAsyncResult *result,
                                                          GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_provider_search_async (GmcpToolProvider *self,
                                      const char *query,
                                      guint limit,
                                      GmcpToolDetail detail,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

GMCP_AVAILABLE_IN_0_1
GPtrArray *
gmcp_tool_provider_search_finish (GmcpToolProvider *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_provider_close_async (GmcpToolProvider *self,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_tool_provider_close_finish (GmcpToolProvider *self, GAsyncResult *result, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_provider_register_extension_point (void);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_load_tool_providers (const char *host, GFile *config_file, GError **error);

G_END_DECLS
