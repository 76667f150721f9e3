/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-call.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* Tools that are made of what a program has already. */

/* The tool of a definition in JSON, with whatever the given one says in place of that. given may be NULL. */
GmcpTool *gmcp_derived_tool_new (const char *derived_json, GmcpTool *given, GError **error);

/* The only property of a tool's input schema: what its argument is called. NULL where there are several or none. */
char *gmcp_derived_tool_dup_argument (GmcpTool *tool);

/* Members of a tool's annotations, of what an author says of a method there: org.gmcp.Tool.ReadOnly and so on, “true”
 * or “false”. Another value gives no hint: a method whose author wrote “False” is not taken for a harmless one. find
 * gives NULL for what is not said. */
void gmcp_derived_tool_write_hints (GmcpJsonWriter *writer,
                                    const char *(*find) (gconstpointer data, const char *name),
                                    gconstpointer data,
                                    gboolean with_read_only);

/* Ends a call with a result that is an error, for the model to read. */
void gmcp_derived_tool_return_failure (GmcpToolCall *call, const char *message);
/* Ends a call with structured content: an object as JSON. */
void gmcp_derived_tool_return_object (GmcpToolCall *call, const char *json);

G_END_DECLS
