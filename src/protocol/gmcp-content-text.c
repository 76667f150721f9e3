/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-content-private.h"

static void
append_string (GString *out, GmcpJsonValue value)
{
  gsize length;
  const char *plain = gmcp_json_value_peek_plain (value, &length);
  g_autofree char *decoded = NULL;

  if (plain != NULL)
    {
      g_string_append_len (out, plain, length);
      return;
    }

  decoded = gmcp_json_value_dup_string (value);
  if (decoded != NULL)
    g_string_append (out, decoded);
}

/* How many bytes base64 stands for; without decoding it where it is written plainly. */
static gboolean
measure_base64 (GmcpJsonValue value, gsize *out)
{
  g_autoptr (GBytes) bytes = NULL;
  gsize length;
  const char *plain = gmcp_json_value_peek_plain (value, &length);

  if (plain == NULL)
    {
      bytes = gmcp_json_value_decode_base64 (value, NULL);
      if (bytes == NULL)
        return FALSE;
      *out = g_bytes_get_size (bytes);
      return TRUE;
    }

  while (length > 0 && plain[length - 1] == '=')
    length--;
  *out = length / 4 * 3 + length % 4 * 3 / 4;
  return TRUE;
}

/* "[WHAT: type, N bytes]" with what is known of it. */
static void
append_data (GString *out, const char *what, GmcpJsonValue holder, const char *data_member)
{
  static const char *const named[] = { "uri", "mimeType" };
  const char *separator = ": ";
  gsize size;

  g_string_append_c (out, '[');
  g_string_append (out, what);
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    {
      GmcpJsonValue value = gmcp_json_value_get_member (holder, named[i]);

      if (!gmcp_json_value_is_string (value))
        continue;
      g_string_append (out, separator);
      append_string (out, value);
      separator = ", ";
    }
  if (measure_base64 (gmcp_json_value_get_member (holder, data_member), &size))
    g_string_append_printf (out, "%s%" G_GSIZE_FORMAT " bytes", separator, size);
  g_string_append_c (out, ']');
}

void
gmcp_content_resource_append_text (GmcpJsonValue resource, GString *out)
{
  GmcpJsonValue text = gmcp_json_value_get_member (resource, "text");

  if (gmcp_json_value_is_string (text))
    append_string (out, text);
  else
    append_data (out, "resource", resource, "blob");
}

static void
append_link (GString *out, GmcpJsonValue block)
{
  static const char *const names[] = { "title", "name", "uri" };

  g_string_append_c (out, '[');
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GmcpJsonValue value = gmcp_json_value_get_member (block, names[i]);

      if (gmcp_json_value_is_string (value))
        {
          append_string (out, value);
          break;
        }
    }
  g_string_append (out, "](");
  append_string (out, gmcp_json_value_get_member (block, "uri"));
  g_string_append_c (out, ')');
}

static void
append_unknown (GString *out, GmcpJsonValue block)
{
  GmcpJsonValue type = gmcp_json_value_get_member (block, "type");

  g_string_append (out, "[content of an unknown kind");
  if (gmcp_json_value_is_string (type))
    {
      g_string_append (out, ": ");
      append_string (out, type);
    }
  g_string_append_c (out, ']');
}

void
gmcp_content_value_append_text (GmcpJsonValue block, GString *out)
{
  switch (gmcp_content_value_get_kind (block))
    {
    case GMCP_CONTENT_KIND_TEXT:
      append_string (out, gmcp_json_value_get_member (block, "text"));
      break;
    case GMCP_CONTENT_KIND_IMAGE:
      append_data (out, "image", block, "data");
      break;
    case GMCP_CONTENT_KIND_AUDIO:
      append_data (out, "audio", block, "data");
      break;
    case GMCP_CONTENT_KIND_RESOURCE:
      gmcp_content_resource_append_text (gmcp_json_value_get_member (block, "resource"), out);
      break;
    case GMCP_CONTENT_KIND_RESOURCE_LINK:
      append_link (out, block);
      break;
    case GMCP_CONTENT_KIND_UNKNOWN:
    default:
      append_unknown (out, block);
      break;
    }
}
