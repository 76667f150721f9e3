/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-call.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* Takes the task, which the call completes with a GmcpToolResult, and the document, whose root is an
 * object; NULL stands for no arguments. */
GmcpToolCall *gmcp_tool_call_new_take (GTask *task,
                                       const char *name,
                                       GmcpJsonDoc *arguments,
                                       GmcpCallOptions *options);

/* Checks and reads arguments; TRUE with NULL in *out for none. */
gboolean gmcp_tool_call_read_arguments_json (const char *json, GmcpJsonDoc **out, GError **error);
gboolean gmcp_tool_call_read_arguments_node (JsonNode *node, GmcpJsonDoc **out, GError **error);

/* NULL where the caller gave none. Borrowed. */
GmcpJsonDoc *gmcp_tool_call_peek_arguments (GmcpToolCall *self);
/* GMCP_JSON_NONE where the caller gave none. */
GmcpJsonValue gmcp_tool_call_get_arguments_value (GmcpToolCall *self);

G_END_DECLS
