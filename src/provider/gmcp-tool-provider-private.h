/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-json-private.h"
#include "gmcp-tool-call-private.h"

G_BEGIN_DECLS

/* What find_tool does where the provider does not implement it: searches the list by listed name, by
 * SERVER.TOOL and by the server's own name. */
GmcpTool *gmcp_tool_provider_search_list (GListModel *tools, const char *name, GError **error);

/* The error of a name that is no tool's, with the tool that may be meant. */
void gmcp_tool_provider_set_unknown (GListModel *tools, const char *name, GError **error);

/* Hands a call on, which is completed in any case. */
void gmcp_tool_provider_take_call (GmcpToolProvider *self, GmcpToolCall *call);

/* Makes a call that is waited for in another way than by a GTask. Takes the waiter's data. */
void gmcp_tool_provider_call_waited (GmcpToolProvider *self,
                                     const char *name,
                                     GmcpJsonValue arguments,
                                     GmcpTool *checked_for,
                                     const GmcpToolCallWaiter *waiter);

/* Makes the same call once more, at this provider, under another name or NULL for its own, with options and a
 * cancellable of its own; finished as any other. */
void gmcp_tool_provider_repeat_call_async (GmcpToolProvider *self,
                                           GmcpToolCall *call,
                                           const char *name,
                                           GmcpCallOptions *options,
                                           GCancellable *cancellable,
                                           GAsyncReadyCallback callback,
                                           gpointer user_data);

/* Takes a call in place of the provider's call_tool. */
typedef struct
{
  void (*take) (GmcpToolProvider *provider, GmcpToolCall *call, gpointer data);
  gpointer data;
} GmcpToolCarrier;

/* Makes a call that the carrier takes; finished as any other. */
void gmcp_tool_provider_carry_call_async (GmcpToolProvider *self,
                                          const char *name,
                                          const char *arguments_json,
                                          GmcpCallOptions *options,
                                          const GmcpToolCarrier *carrier,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);

/* Where modules are: the folders that the environment names, then the library's own. */
GStrv gmcp_tool_providers_list_folders (void);

/* A tool in the form of GMCP_TOOLS_FORMAT_MCP. */
void gmcp_tool_write_mcp (GmcpJsonWriter *writer, GmcpTool *tool);

/* A server's question, for the listeners. */
gboolean gmcp_tool_provider_has_input_handler (GmcpToolProvider *self);
void gmcp_tool_provider_emit_input_requested (GmcpToolProvider *self, GmcpInputRequest *request);

/* The text of dup_instructions is another one now. */
void gmcp_tool_provider_emit_instructions_changed (GmcpToolProvider *self);

/* A call that a listener has to allow. */
gboolean gmcp_tool_provider_has_call_handler (GmcpToolProvider *self);
void gmcp_tool_provider_emit_call_requested (GmcpToolProvider *self, GmcpCallPermission *request);

void gmcp_tool_provider_emit_notice (GmcpToolProvider *self,
                                     const char *server_id,
                                     GmcpNoticeLevel level,
                                     const char *message);

G_END_DECLS
