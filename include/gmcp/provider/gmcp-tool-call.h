/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/calls/gmcp-call-options.h>
#include <gmcp/protocol/gmcp-tool-result.h>
#include <gmcp/provider/gmcp-caller.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOL_CALL (gmcp_tool_call_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpToolCall, gmcp_tool_call, GMCP, TOOL_CALL, GObject)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_call_get_name (GmcpToolCall *self);

GMCP_AVAILABLE_IN_0_1
JsonNode *gmcp_tool_call_get_arguments (GmcpToolCall *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_call_get_arguments_json (GmcpToolCall *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_call_has_argument (GmcpToolCall *self, const char *name);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_call_dup_string_argument (GmcpToolCall *self, const char *name);

GMCP_AVAILABLE_IN_0_1
gint64 gmcp_tool_call_get_int64_argument (GmcpToolCall *self, const char *name, gint64 fallback);

GMCP_AVAILABLE_IN_0_1
double gmcp_tool_call_get_double_argument (GmcpToolCall *self, const char *name, double fallback);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_tool_call_get_boolean_argument (GmcpToolCall *self, const char *name, gboolean fallback);

GMCP_AVAILABLE_IN_0_1
GmcpCallOptions *gmcp_tool_call_get_options (GmcpToolCall *self);

GMCP_AVAILABLE_IN_0_1
GmcpCaller *gmcp_tool_call_get_caller (GmcpToolCall *self);

GMCP_AVAILABLE_IN_0_1
GCancellable *gmcp_tool_call_get_cancellable (GmcpToolCall *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_call_report_progress (GmcpToolCall *self,
                                     double progress,
                                     double total,
                                     const char *message);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_call_pause_timeout (GmcpToolCall *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_call_resume_timeout (GmcpToolCall *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_call_return_result (GmcpToolCall *self, GmcpToolResult *result);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_call_return_error (GmcpToolCall *self, const GError *error);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_call_return_rpc_error (GmcpToolCall *self,
                                      int code,
                                      const char *message,
                                      const char *data_json);

G_END_DECLS
