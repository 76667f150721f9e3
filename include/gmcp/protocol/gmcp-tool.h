/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include <gmcp/protocol/gmcp-definition.h>

G_BEGIN_DECLS

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
char *gmcp_tool_dup_digest (GmcpTool *self);

G_END_DECLS
