/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-content-private.h"
#include "gmcp-tool-result-private.h"

/* Results as text for a model. */

static GmcpJsonValue
get_member (GmcpToolResult *self, const char *name)
{
  return gmcp_json_value_get_member (gmcp_tool_result_get_value (self), name);
}

GmcpJsonValue
gmcp_tool_result_get_only_text (GmcpToolResult *self)
{
  GmcpJsonValue content = get_member (self, "content");
  GmcpJsonValue block;

  if (gmcp_json_value_get_length (content) != 1)
    return GMCP_JSON_NONE;

  block = gmcp_json_value_get_element (content, 0);
  if (!gmcp_json_value_equals_string (gmcp_json_value_get_member (block, "type"), "text"))
    return GMCP_JSON_NONE;

  return gmcp_json_value_get_member (block, "text");
}

static void
append_contents (GString *out, GmcpJsonValue content)
{
  gboolean first = TRUE;
  GmcpJsonIter iter;
  GmcpJsonValue block;

  gmcp_json_iter_init (&iter, content);
  while (gmcp_json_iter_next (&iter, NULL, &block))
    {
      if (!first)
        g_string_append_c (out, '\n');
      first = FALSE;
      gmcp_content_value_append_text (block, out);
    }
}

/**
 * gmcp_tool_result_dup_text:
 * @self: a result
 *
 * Gives the whole result as text for a model: the texts, one a line; in place of what is no text a
 * mark such as `[image: image/png, 12345 bytes]` or `[title](uri)`; the structured content where
 * there is no other. The text of a tool that failed begins with `MCP error: `.
 *
 * Returns: (transfer full): the text
 *
 * Since: 0.1
 */
char *
gmcp_tool_result_dup_text (GmcpToolResult *self)
{
  GmcpJsonValue text;
  GmcpJsonValue content;
  GString *out;
  gboolean is_error;

  g_return_val_if_fail (self != NULL, NULL);

  is_error = gmcp_tool_result_is_error (self);
  text = gmcp_tool_result_get_only_text (self);
  if (!is_error && gmcp_json_value_is_string (text))
    return gmcp_json_value_dup_string (text);

  out = g_string_new (is_error ? "MCP error: " : NULL);
  content = get_member (self, "content");
  if (gmcp_json_value_get_length (content) > 0)
    {
      append_contents (out, content);
    }
  else
    {
      GmcpJsonValue structured = get_member (self, "structuredContent");
      GmcpJsonWriter writer = gmcp_json_writer_init (out);

      if (gmcp_json_value_is_present (structured))
        gmcp_json_writer_value (&writer, structured);
      else if (is_error)
        g_string_append (out, "the tool failed and did not say why");
    }

  return g_string_free (out, FALSE);
}
