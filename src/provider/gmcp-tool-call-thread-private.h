/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-call.h>

G_BEGIN_DECLS

/* The thread and the context that a call came in, where it is answered. */
typedef struct
{
  GThread *thread; /* not owned; only compared */
  GMainContext *context;
} GmcpToolCallHome;

void gmcp_tool_call_home_init (GmcpToolCallHome *home, GMainContext *context);
void gmcp_tool_call_home_clear (GmcpToolCallHome *home);

/* TRUE: another thread has called, and what it says is said again in the context of the call. */
gboolean gmcp_tool_call_home_send_result (const GmcpToolCallHome *home,
                                          GmcpToolCall *call,
                                          GmcpToolResult *result);
gboolean gmcp_tool_call_home_send_error (const GmcpToolCallHome *home,
                                         GmcpToolCall *call,
                                         const GError *error);
gboolean gmcp_tool_call_home_send_progress (const GmcpToolCallHome *home,
                                            GmcpToolCall *call,
                                            double progress,
                                            double total,
                                            const char *message);

G_END_DECLS
