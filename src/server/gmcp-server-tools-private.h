/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool.h>

#include "gmcp-json-schema-private.h"
#include "gmcp-server-caller-private.h"

#include "gmcp-tool-headers-private.h"

G_BEGIN_DECLS

/* Tools, as clients see them: by the name that the provider lists them under. */

extern const GmcpServerListKind gmcp_server_tool_kind;

/* What an item of the list of tools has as its detail. */
typedef struct
{
  GmcpJsonSchema *input;    /* NULL for one that is not known: the arguments are not checked then */
  GmcpJsonSchema *output;   /* nullable */
  GmcpToolHeaders *headers; /* nullable: the arguments that stand in headers too */
  GmcpTaskSupport task_support;
} GmcpServerToolSchemas;

/* Whether the tool can be served as it is: GMCP_ERROR_INVALID_ARGUMENT for a name that the
 * specification does not allow and a schema that is none, GMCP_ERROR_NOT_SUPPORTED for a dialect that
 * is not known. */
gboolean gmcp_server_tool_check (GmcpTool *tool, GError **error);

void gmcp_server_tools_handle_list (GmcpServerExchange *exchange);
void gmcp_server_tools_handle_call (GmcpServerExchange *exchange);
/* The members of a result, but for _meta, as the era of the exchange has them. */
void gmcp_server_tools_write_result (GmcpServerExchange *exchange,
                                     GmcpJsonWriter *writer,
                                     GmcpToolResult *result);

G_END_DECLS
