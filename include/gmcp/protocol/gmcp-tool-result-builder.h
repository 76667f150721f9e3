/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool-result.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOL_RESULT_BUILDER (gmcp_tool_result_builder_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpToolResultBuilder,
                      gmcp_tool_result_builder,
                      GMCP,
                      TOOL_RESULT_BUILDER,
                      GObject)

GMCP_AVAILABLE_IN_0_1
GmcpToolResultBuilder *gmcp_tool_result_builder_new (void);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_result_builder_add_content (GmcpToolResultBuilder *self, GmcpContent *content);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_result_builder_add_text (GmcpToolResultBuilder *self, const char *text);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_result_builder_set_structured_json (GmcpToolResultBuilder *self,
                                                   const char *structured_json);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_result_builder_set_is_error (GmcpToolResultBuilder *self, gboolean is_error);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_result_builder_set_meta_json (GmcpToolResultBuilder *self, const char *meta_json);

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *gmcp_tool_result_builder_build (GmcpToolResultBuilder *self, GError **error);

G_END_DECLS
