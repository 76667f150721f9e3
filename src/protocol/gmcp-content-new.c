/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-content-private.h"
#include "gmcp-definition-private.h"

/* Takes the string, which holds JSON that was written here. */
static GmcpContent *
new_take_written (GString *json)
{
  g_autoptr (GBytes) bytes = g_string_free_to_bytes (json);
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, length, bytes, 0, NULL);

  /* Larger than a document can be. */
  if (doc == NULL)
    return gmcp_content_new_from_value (GMCP_JSON_NONE);

  return gmcp_content_new_from_value (gmcp_json_doc_get_root (doc));
}

/**
 * gmcp_content_new_text:
 * @text: the text
 *
 * Makes a text block. Bytes of @text that are not UTF-8 become U+FFFD.
 *
 * Returns: (transfer full): a new content block
 *
 * Since: 0.1
 */
GmcpContent *
gmcp_content_new_text (const char *text)
{
  GString *json = NULL;
  GmcpJsonWriter writer;

  g_return_val_if_fail (text != NULL, NULL);

  json = g_string_new (NULL);
  writer = gmcp_json_writer_init (json);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "type", "text");
  gmcp_json_writer_member_string (&writer, "text", text);
  gmcp_json_writer_end_object (&writer);
  return new_take_written (json);
}

static GmcpContent *
new_data (const char *type, GBytes *data, const char *mime_type)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (data, &length);
  GString *json = g_string_sized_new (length / 3 * 4 + 128);
  GmcpJsonWriter writer = gmcp_json_writer_init (json);

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "type", type);
  gmcp_json_writer_key (&writer, "data");
  gmcp_json_writer_base64 (&writer, bytes, length);
  gmcp_json_writer_member_string (&writer, "mimeType", mime_type);
  gmcp_json_writer_end_object (&writer);
  return new_take_written (json);
}

/**
 * gmcp_content_new_image:
 * @data: the image file's bytes
 * @mime_type: its media type, such as `image/png`
 *
 * Makes an image block.
 *
 * Returns: (transfer full): a new content block
 *
 * Since: 0.1
 */
GmcpContent *
gmcp_content_new_image (GBytes *data, const char *mime_type)
{
  g_return_val_if_fail (data != NULL, NULL);
  g_return_val_if_fail (mime_type != NULL, NULL);

  return new_data ("image", data, mime_type);
}

/**
 * gmcp_content_new_audio:
 * @data: the sound file's bytes
 * @mime_type: its media type, such as `audio/wav`
 *
 * Makes an audio block.
 *
 * Returns: (transfer full): a new content block
 *
 * Since: 0.1
 */
GmcpContent *
gmcp_content_new_audio (GBytes *data, const char *mime_type)
{
  g_return_val_if_fail (data != NULL, NULL);
  g_return_val_if_fail (mime_type != NULL, NULL);

  return new_data ("audio", data, mime_type);
}

/**
 * gmcp_content_new_resource_link:
 * @resource: a resource that can be read from the same server, whether it is listed or not
 *
 * Makes a link to a resource, which whoever gets it may read.
 *
 * Spec: MCP 2026-07-28, server/tools, "Resource Links".
 *
 * Returns: (transfer full): a new content block
 *
 * Since: 0.1
 */
GmcpContent *
gmcp_content_new_resource_link (GmcpResource *resource)
{
  GString *json = NULL;
  GmcpJsonWriter writer;
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  g_return_val_if_fail (GMCP_IS_RESOURCE (resource), NULL);

  json = g_string_new (NULL);
  writer = gmcp_json_writer_init (json);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "type", "resource_link");
  gmcp_json_iter_init (&iter, gmcp_definition_get_value (resource));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!g_str_equal (name, "type"))
        gmcp_json_writer_member_value (&writer, name, value);
    }
  gmcp_json_writer_end_object (&writer);
  return new_take_written (json);
}
