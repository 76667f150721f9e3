/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool-result.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* The result of a tools/call as it came; keeps the value's document and decodes nothing yet.
 * GMCP_ERROR_PROTOCOL where it is no object, or its content no array. */
GmcpToolResult *gmcp_tool_result_new_from_value (GmcpJsonValue result, GError **error);

/* A result that is made here: its whole object as text, which it takes. */
GmcpToolResult *gmcp_tool_result_new_written (GString *written, GmcpJsonKind structured_kind);

/* What a result that is made here has; either of text and contents. Without them the structured content
 * is its text, too. */
typedef struct
{
  const char *text;         /* nullable: the only block */
  GPtrArray *contents;      /* nullable, of GmcpContent */
  GmcpJsonValue structured; /* GMCP_JSON_NONE for none, as meta */
  GmcpJsonValue meta;
  gboolean is_error;
} GmcpToolResultParts;

/* Fails with metadata only, where there is more than can be parsed. */
GmcpToolResult *gmcp_tool_result_new_of_parts (const GmcpToolResultParts *parts, GError **error);

/* The result's object. */
GmcpJsonValue gmcp_tool_result_get_value (GmcpToolResult *self);
/* What it takes to keep it. */
gsize gmcp_tool_result_get_kept_bytes (GmcpToolResult *self);

/* The structured content does not match the tool's output schema. Before the result is handed out. */
void gmcp_tool_result_take_schema_error (GmcpToolResult *self, GError *error);

/* The text of the only block, where that is a text block; else GMCP_JSON_NONE. */
GmcpJsonValue gmcp_tool_result_get_only_text (GmcpToolResult *self);
/* Writes the whole result as one value. */
void gmcp_tool_result_write (GmcpToolResult *self, GmcpJsonWriter *writer);
/* Writes the members of the result into an object that was begun, but for resultType and _meta,
 * which are the server's to add: the result's own _meta is to be had by gmcp_tool_result_get_meta(). */
void gmcp_tool_result_write_members (GmcpToolResult *self, GmcpJsonWriter *writer);
/* Known without a look into the text. */
GmcpJsonKind gmcp_tool_result_get_structured_kind (GmcpToolResult *self);
/* GMCP_JSON_NONE where there is none. */
GmcpJsonValue gmcp_tool_result_get_meta (GmcpToolResult *self);

G_END_DECLS
