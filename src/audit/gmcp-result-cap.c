/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-result-cap-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-result-spool-private.h"
#include "gmcp-tool-result-private.h"

typedef struct
{
  GmcpToolCall *call;
  GmcpToolResult *result;
  gsize max_bytes;
} Cut;

static const char *
peek_json (GmcpToolResult *result, gsize *length)
{
  *length = 0;
  return gmcp_json_value_peek_raw (gmcp_tool_result_get_value (result), length);
}

gboolean
gmcp_result_cap_concerns (GmcpToolResult *result, gsize max_bytes)
{
  gsize length;

  peek_json (result, &length);
  return length > max_bytes;
}

static void
write_text (GmcpJsonWriter *writer, const char *text, gsize length)
{
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "type", "text");
  gmcp_json_writer_key (writer, "text");
  gmcp_json_writer_string_len (writer, text, (gssize) length);
  gmcp_json_writer_end_object (writer);
}

/* Writes as much of the text as fits; a character is not cut in two. */
static void
write_part (GmcpJsonWriter *writer, GmcpJsonValue text, gsize room)
{
  g_autofree char *decoded = gmcp_json_value_dup_string (text);
  gsize length = strlen (decoded);

  if (length > room)
    {
      length = room;
      while (length > 0 && (decoded[length] & 0xc0) == 0x80)
        length--;
    }
  if (length > 0)
    write_text (writer, decoded, length);
}

static void
write_content (GmcpJsonWriter *writer, GmcpJsonValue content, gsize *room)
{
  GmcpJsonValue block;
  GmcpJsonIter iter;

  gmcp_json_iter_init (&iter, content);
  while (gmcp_json_iter_next (&iter, NULL, &block))
    {
      GmcpJsonValue text = gmcp_json_value_get_member (block, "text");
      gsize length;

      gmcp_json_value_peek_raw (block, &length);
      if (length <= *room)
        {
          gmcp_json_writer_value (writer, block);
          *room -= length;
        }
      else if (gmcp_json_value_is_string (text))
        {
          write_part (writer, text, *room);
          *room = 0;
        }
    }
}

GmcpToolResult *
gmcp_result_cap_cut (GmcpToolResult *result, gsize max_bytes, const char *notice)
{
  GmcpJsonValue value = gmcp_tool_result_get_value (result);
  GmcpJsonValue structured = gmcp_json_value_get_member (value, "structuredContent");
  GmcpJsonKind kind = GMCP_JSON_ABSENT;
  GString *out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);
  gsize room = max_bytes;
  gsize length = 0;

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, "content");
  gmcp_json_writer_begin_array (&writer);
  write_content (&writer, gmcp_json_value_get_member (value, "content"), &room);
  write_text (&writer, notice, strlen (notice));
  gmcp_json_writer_end_array (&writer);

  if (gmcp_json_value_is_present (structured))
    gmcp_json_value_peek_raw (structured, &length);
  if (length > 0 && length <= room)
    {
      kind = gmcp_json_value_get_kind (structured);
      gmcp_json_writer_member_value (&writer, "structuredContent", structured);
    }
  if (gmcp_tool_result_is_error (result))
    gmcp_json_writer_member_boolean (&writer, "isError", TRUE);
  gmcp_json_writer_end_object (&writer);
  return gmcp_tool_result_new_written (out, kind);
}

static void
on_written (GObject *object, GAsyncResult *result, gpointer data)
{
  Cut *cut = data;
  g_autoptr (GmcpToolCall) call = cut->call;
  g_autoptr (GmcpToolResult) whole = cut->result;
  g_autoptr (GmcpToolResult) part = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = gmcp_result_spool_write_finish (result, &error);
  g_autofree char *notice = NULL;
  gsize length;

  peek_json (whole, &length);
  if (path != NULL)
    notice = g_strdup_printf (
      _ ("[The result was cut: it has %zu bytes, and %zu are handed out at most. The whole of it, "
         "as JSON, is in %s until this program ends.]"),
      length, cut->max_bytes, path);
  else
    notice = g_strdup_printf (_ ("[The result was cut: it has %zu bytes, and %zu are handed out at "
                                 "most. The rest could not be kept: %s]"),
                              length, cut->max_bytes, error->message);

  part = gmcp_result_cap_cut (whole, cut->max_bytes, notice);
  g_free (cut);
  gmcp_tool_call_complete (call, part);
}

void
gmcp_result_cap_answer (GmcpToolCall *call, GmcpToolResult *result, gsize max_bytes)
{
  Cut *cut = g_new (Cut, 1);
  g_autoptr (GBytes) bytes = NULL;
  const char *raw;
  gsize length;

  *cut = (Cut){ g_object_ref (call), gmcp_tool_result_ref (result), max_bytes };
  raw = peek_json (result, &length);
  bytes = g_bytes_new_with_free_func (raw, length, (GDestroyNotify) gmcp_tool_result_unref,
                                      gmcp_tool_result_ref (result));
  gmcp_result_spool_write_async (bytes, NULL, on_written, cut);
}
