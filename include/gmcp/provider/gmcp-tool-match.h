/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/protocol/gmcp-tool.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOL_MATCH (gmcp_tool_match_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpToolMatch, gmcp_tool_match, GMCP, TOOL_MATCH, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpToolMatch *gmcp_tool_match_new (GmcpTool *tool, double score, GmcpToolDetail detail);

GMCP_AVAILABLE_IN_0_1
GmcpTool *gmcp_tool_match_get_tool (GmcpToolMatch *self);

GMCP_AVAILABLE_IN_0_1
double gmcp_tool_match_get_score (GmcpToolMatch *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_match_dup_json (GmcpToolMatch *self);

G_END_DECLS
