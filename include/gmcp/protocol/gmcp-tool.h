/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include <gmcp/protocol/gmcp-definition.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TASK_SUPPORT (gmcp_task_support_get_type ())

/**
 * GmcpTaskSupport:
 * @GMCP_TASK_SUPPORT_FORBIDDEN: no call is a task
 * @GMCP_TASK_SUPPORT_OPTIONAL: a call may be a task, where both sides can
 * @GMCP_TASK_SUPPORT_REQUIRED: each call is a task; a client that cannot have tasks cannot call the tool
 *
 * Whether calls of a tool may become tasks, which go on while nobody waits for them.
 *
 * Spec: MCP 2025-11-25, basic/utilities/tasks, "Tool-Level Negotiation".
 *
 * Since: 0.1
 */
typedef enum
{
  GMCP_TASK_SUPPORT_FORBIDDEN,
  GMCP_TASK_SUPPORT_OPTIONAL,
  GMCP_TASK_SUPPORT_REQUIRED,
} GmcpTaskSupport;

GMCP_AVAILABLE_IN_0_1
GType gmcp_task_support_get_type (void) G_GNUC_CONST;

#define GMCP_TYPE_TOOL (gmcp_tool_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpTool, gmcp_tool, GMCP, TOOL, GmcpDefinition)

GMCP_AVAILABLE_IN_0_1
GmcpTool *gmcp_tool_new (const char *name,
                         const char *description,
                         const char *input_schema_json,
                         GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpTool *gmcp_tool_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_get_server_id (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_get_server_tool_name (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_dup_qualified_name (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
JsonNode *gmcp_tool_get_input_schema (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_dup_input_schema_json (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
JsonNode *gmcp_tool_get_output_schema (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_dup_output_schema_json (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_is_read_only (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_is_destructive (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_is_idempotent (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_is_open_world (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
GmcpTaskSupport gmcp_tool_get_task_support (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_dup_digest (GmcpTool *self);

G_END_DECLS
