/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-content-private.h"
#include "gmcp-tool-result-private.h"

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

/* Either of text and contents; structured may be GMCP_JSON_NONE. */
static GmcpToolResult *
new_written (const char *text,
             gsize length,
             GPtrArray *contents,
             GmcpJsonValue structured,
             gboolean is_error)
{
  GString *written = g_string_sized_new (length + 64);
  GmcpJsonWriter writer = gmcp_json_writer_init (written);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "content");
  gmcp_json_writer_begin_array (&writer);
  if (text != NULL)
    write_text_block (&writer, text, length);
  for (guint i = 0; contents != NULL && i < contents->len; i++)
    gmcp_json_writer_value (&writer, gmcp_content_get_value (g_ptr_array_index (contents, i)));
  gmcp_json_writer_end_array (&writer);
  if (gmcp_json_value_is_present (structured))
    gmcp_json_writer_member_value (&writer, "structuredContent", structured);
  if (is_error)
    gmcp_json_writer_member_boolean (&writer, "isError", TRUE);
  gmcp_json_writer_end_object (&writer);
  return gmcp_tool_result_new_written (written, gmcp_json_value_get_kind (structured));
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

  return new_written (text, strlen (text), NULL, GMCP_JSON_NONE, FALSE);
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

  return new_written (message, strlen (message), NULL, GMCP_JSON_NONE, TRUE);
}

/**
 * gmcp_tool_result_new_contents:
 * @contents: (element-type Gmcp.Content): the blocks
 * @is_error: whether the tool failed
 *
 * Makes the result of a tool that gives back blocks of any kind.
 *
 * Returns: (transfer full): a new result
 *
 * Since: 0.1
 */
GmcpToolResult *
gmcp_tool_result_new_contents (GPtrArray *contents, gboolean is_error)
{
  g_return_val_if_fail (contents != NULL, NULL);

  return new_written (NULL, 0, contents, GMCP_JSON_NONE, is_error);
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
  g_autoptr (GString) line = NULL;
  GmcpJsonWriter writer;

  g_return_val_if_fail (structured_json != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  doc = gmcp_json_doc_parse (structured_json, strlen (structured_json), NULL, 0, error);
  if (doc == NULL)
    return NULL;

  line = g_string_new (NULL);
  writer = gmcp_json_writer_init (line);
  gmcp_json_writer_value (&writer, gmcp_json_doc_get_root (doc));
  return new_written (line->str, line->len, NULL, gmcp_json_doc_get_root (doc), is_error);
}
