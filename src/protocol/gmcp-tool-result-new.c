/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-content-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-tool-result-private.h"
#include "gmcp-value-private.h"

/* Results that are made here: for tools that this program has itself. */

static void
write_text_block (GmcpJsonWriter *writer, const char *text, gsize length)
{
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "type", "text");
  gmcp_json_writer_key (writer, "text");
  gmcp_json_writer_string_len (writer, text, length);
  gmcp_json_writer_end_object (writer);
}

/* For models and hosts that read text only. */
static void
write_structured_block (GmcpJsonWriter *writer, GmcpJsonValue structured)
{
  g_autoptr (GString) line = g_string_new (NULL);
  GmcpJsonWriter line_writer = gmcp_json_writer_init (line);

  gmcp_json_writer_value (&line_writer, structured);
  write_text_block (writer, line->str, line->len);
}

static GmcpToolResult *
new_parsed (GString *written, GError **error)
{
  g_autoptr (GBytes) bytes = gmcp_json_text_to_bytes (written);
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (g_bytes_get_data (bytes, NULL),
                                                     g_bytes_get_size (bytes), bytes, 0, error);

  return doc != NULL ? gmcp_tool_result_new_from_value (gmcp_json_doc_get_root (doc), error) : NULL;
}

GmcpToolResult *
gmcp_tool_result_new_of_parts (const GmcpToolResultParts *parts, GError **error)
{
  gboolean has_contents = parts->contents != NULL && parts->contents->len > 0;
  gboolean has_structured = gmcp_json_value_is_present (parts->structured);
  gsize length = parts->text != NULL ? strlen (parts->text) : 0;
  GString *written = g_string_sized_new (length + 64);
  GmcpJsonWriter writer = gmcp_json_writer_init (written);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "content");
  gmcp_json_writer_begin_array (&writer);
  if (parts->text != NULL)
    write_text_block (&writer, parts->text, length);
  else if (has_structured && !has_contents)
    write_structured_block (&writer, parts->structured);
  for (guint i = 0; has_contents && i < parts->contents->len; i++)
    gmcp_json_writer_value (&writer,
                            gmcp_content_get_value (g_ptr_array_index (parts->contents, i)));
  gmcp_json_writer_end_array (&writer);
  if (has_structured)
    gmcp_json_writer_member_value (&writer, "structuredContent", parts->structured);
  if (parts->is_error)
    gmcp_json_writer_member_boolean (&writer, "isError", TRUE);
  if (gmcp_json_value_is_present (parts->meta))
    gmcp_json_writer_member_value (&writer, GMCP_MEMBER_META, parts->meta);
  gmcp_json_writer_end_object (&writer);

  /* Servers add to _meta, so it has to be found. */
  if (gmcp_json_value_is_present (parts->meta))
    return new_parsed (written, error);
  return gmcp_tool_result_new_written (written, gmcp_json_value_get_kind (parts->structured));
}

static GmcpToolResult *
new_of_text (const char *text, gboolean is_error)
{
  return gmcp_tool_result_new_of_parts (
    &(GmcpToolResultParts){
      .text = text,
      .is_error = is_error,
    },
    NULL);
}

/**
 * gmcp_tool_result_new_text:
 * @text: what the tool gives back
 *
 * Makes the result of a tool that gives back one text.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_tool_result_new_text (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  return new_of_text (text, FALSE);
}

/**
 * gmcp_tool_result_new_error:
 * @message: what went wrong and how to do better, in words for the model
 *
 * Makes the result of a tool that failed.
 *
 * Spec: MCP 2026-07-28, server/tools, "Error Handling".
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_tool_result_new_error (const char *message)
{
  g_return_val_if_fail (message != NULL, NULL);

  return new_of_text (message, TRUE);
}

/**
 * gmcp_tool_result_new_contents:
 * @contents: (element-type Gmcp.Content): the blocks
 * @is_error: whether the tool failed
 *
 * Makes the result of a tool that gives back blocks of any kind. GJS has no arrays of them:
 * [class@Gmcp.ToolResultBuilder] takes them one by one.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_tool_result_new_contents (GPtrArray *contents, gboolean is_error)
{
  g_return_val_if_fail (contents != NULL, NULL);
  g_return_val_if_fail (!gmcp_value_array_has_null (contents), NULL);

  return gmcp_tool_result_new_of_parts (
    &(GmcpToolResultParts){
      .contents = contents,
      .is_error = is_error,
    },
    NULL);
}

/**
 * gmcp_tool_result_new_structured:
 * @structured_json: any JSON value as text; it has to match the tool's output schema, where the
 *   tool has one
 * @is_error: whether the tool failed
 * @error: return location for an error
 *
 * Makes the result of a tool that gives back data. For models and hosts that read text only, the
 * same JSON is in it as a text block too.
 *
 * Fails with [error@Gmcp.Error] `INVALID_JSON` where @structured_json is no JSON.
 *
 * Spec: MCP 2026-07-28, server/tools, "Structured Content".
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_tool_result_new_structured (const char *structured_json, gboolean is_error, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_return_val_if_fail (structured_json != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  doc = gmcp_json_doc_parse (structured_json, strlen (structured_json), NULL, 0, error);
  if (doc == NULL)
    return NULL;

  return gmcp_tool_result_new_of_parts (
    &(GmcpToolResultParts){
      .structured = gmcp_json_doc_get_root (doc),
      .is_error = is_error,
    },
    NULL);
}
