/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOL_BUILDER (gmcp_tool_builder_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpToolBuilder, gmcp_tool_builder, GMCP, TOOL_BUILDER, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpToolBuilder *gmcp_tool_builder_new (const char *name);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_builder_set_title (GmcpToolBuilder *self, const char *title);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_builder_set_description (GmcpToolBuilder *self, const char *description);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_builder_set_input_schema_json (GmcpToolBuilder *self, const char *input_schema_json);

GMCP_AVAILABLE_IN_0_1
void
gmcp_tool_builder_set_output_schema_json (GmcpToolBuilder *self, const char *output_schema_json);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_builder_set_meta_json (GmcpToolBuilder *self, const char *meta_json);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_builder_set_read_only (GmcpToolBuilder *self, gboolean read_only);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_builder_set_destructive (GmcpToolBuilder *self, gboolean destructive);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_builder_set_idempotent (GmcpToolBuilder *self, gboolean idempotent);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_builder_set_open_world (GmcpToolBuilder *self, gboolean open_world);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_builder_add_icon (GmcpToolBuilder *self,
                                 const char *src,
                                 const char *mime_type,
                                 const char *theme);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_builder_set_task_support (GmcpToolBuilder *self, GmcpTaskSupport task_support);

GMCP_AVAILABLE_IN_0_1
GmcpTool *gmcp_tool_builder_build (GmcpToolBuilder *self, GError **error);

G_END_DECLS
