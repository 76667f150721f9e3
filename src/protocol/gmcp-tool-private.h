/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool.h>

#include "gmcp-definition-private.h"
#include "gmcp-tool-headers-private.h"

G_BEGIN_DECLS

/* A tool as its server lists it; keeps the value's document. GMCP_ERROR_PROTOCOL for what is no
 * tool. A missing inputSchema stands for {"type":"object"}. */
GmcpTool *gmcp_tool_new_from_value (GmcpJsonValue value, GError **error);

/* The tool as a host sees it; shares what the original has decoded. */
GmcpTool *gmcp_tool_new_listed (GmcpTool *original, const char *server, const char *listed_name);

/* Whether two are the same but for _meta and the names that they are listed under. */
gboolean gmcp_tool_same_definition (GmcpTool *a, GmcpTool *b);

/* The tool's schemas; GMCP_JSON_NONE where there is none. */
GmcpJsonValue gmcp_tool_get_input_schema_value (GmcpTool *self);
GmcpJsonValue gmcp_tool_get_output_schema_value (GmcpTool *self);

/* Which of its arguments stand in headers, read once: as gmcp_tool_headers_new() gives them. */
const GmcpToolHeaders *gmcp_tool_peek_headers (GmcpTool *self, GError **error);

/* SHA-256 in hexadecimal over all that a server says of a tool, but for _meta. */
char *gmcp_tool_digest_value (GmcpJsonValue tool);
/* SHA-256 over name, description and schemas only, as earlier versions of files of pins have it. */
char *gmcp_tool_digest_told_value (GmcpJsonValue tool);

G_END_DECLS
