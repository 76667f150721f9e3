/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-content.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOL_RESULT (gmcp_tool_result_get_type ())

typedef struct _GmcpToolResult GmcpToolResult;

GMCP_AVAILABLE_IN_0_1
GType gmcp_tool_result_get_type (void) G_GNUC_CONST;

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *gmcp_tool_result_new_text (const char *text);

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *gmcp_tool_result_new_error (const char *message);

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *gmcp_tool_result_new_contents (GPtrArray *contents, gboolean is_error);

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *gmcp_tool_result_new_from_json (const char *json, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *
gmcp_tool_result_new_structured (const char *structured_json, gboolean is_error, GError **error);

GMCP_AVAILABLE_IN_0_1
GmcpToolResult *gmcp_tool_result_ref (GmcpToolResult *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_result_unref (GmcpToolResult *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_tool_result_is_error (GmcpToolResult *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_tool_result_get_n_contents (GmcpToolResult *self);

GMCP_AVAILABLE_IN_0_1
GmcpContent *gmcp_tool_result_get_content (GmcpToolResult *self, guint position);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_result_get_text (GmcpToolResult *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_result_dup_text (GmcpToolResult *self);

GMCP_AVAILABLE_IN_0_1
JsonNode *gmcp_tool_result_get_structured_content (GmcpToolResult *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_result_dup_structured_content_json (GmcpToolResult *self);

GMCP_AVAILABLE_IN_0_1
const GError *gmcp_tool_result_get_schema_error (GmcpToolResult *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_result_dup_meta_json (GmcpToolResult *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_result_dup_json (GmcpToolResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpToolResult, gmcp_tool_result_unref)

G_END_DECLS
