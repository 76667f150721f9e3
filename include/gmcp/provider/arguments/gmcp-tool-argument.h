/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOL_ARGUMENT (gmcp_tool_argument_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpToolArgument, gmcp_tool_argument, GMCP, TOOL_ARGUMENT, GObject)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_argument_get_name (GmcpToolArgument *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_argument_get_title (GmcpToolArgument *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_argument_get_description (GmcpToolArgument *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_argument_get_type_text (GmcpToolArgument *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_argument_is_required (GmcpToolArgument *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_argument_is_list (GmcpToolArgument *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_tool_argument_get_choices (GmcpToolArgument *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_argument_dup_default_json (GmcpToolArgument *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_argument_dup_example_json (GmcpToolArgument *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_argument_dup_schema_json (GmcpToolArgument *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_argument_parse_text (GmcpToolArgument *self, const char *text, GError **error);

GMCP_AVAILABLE_IN_0_1
char *
gmcp_tool_argument_parse_texts (GmcpToolArgument *self, const char *const *texts, GError **error);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_tool_list_arguments (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_takes_argument (GmcpTool *self, const char *name);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_dup_signature (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_dup_example_json (GmcpTool *self);

GMCP_AVAILABLE_IN_0_1
gboolean
gmcp_tool_check_arguments_json (GmcpTool *self, const char *arguments_json, GError **error);

G_END_DECLS
