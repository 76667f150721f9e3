/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-content-private.h"
#include "unit-test.h"

static GmcpContent *
make (const char *json)
{
  g_autoptr (GError) error = NULL;
  GmcpContent *content = gmcp_content_new_from_json (json, &error);

  g_assert_no_error (error);
  g_assert_nonnull (content);
  return content;
}

static void
test_text (void)
{
  g_autoptr (GmcpContent) made = gmcp_content_new_text ("a \"b\"\n\xff");
  g_autoptr (GmcpContent) read
    = make ("{\"type\":\"text\",\"text\":\"x\",\"annotations\":{\"audience\":[\"user\"]}}");
  g_autofree char *json = gmcp_content_dup_json (made);
  g_autofree char *annotations = gmcp_content_dup_annotations_json (read);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (gmcp_content_get_kind (made), ==, GMCP_CONTENT_KIND_TEXT);
  g_assert_cmpstr (gmcp_content_get_text (made), ==, "a \"b\"\n\uFFFD");
  g_assert_cmpstr (json, ==, "{\"type\":\"text\",\"text\":\"a \\\"b\\\"\\n\uFFFD\"}");
  g_assert_null (gmcp_content_dup_annotations_json (made));
  g_assert_cmpstr (annotations, ==, "{\"audience\":[\"user\"]}");
  g_assert_null (gmcp_content_get_mime_type (read));
  g_assert_null (gmcp_content_dup_data (read, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
}

static void
test_data (void)
{
  static const guint8 raw[] = { 0x89, 'P', 'N', 'G', 0, 0xff, 0xfe };
  g_autoptr (GBytes) bytes = g_bytes_new_static (raw, sizeof raw);
  g_autoptr (GBytes) none = g_bytes_new (NULL, 0);
  g_autoptr (GmcpContent) image = gmcp_content_new_image (bytes, "image/png");
  g_autoptr (GmcpContent) sound = gmcp_content_new_audio (none, "audio/wav");
  g_autofree char *json = gmcp_content_dup_json (image);
  g_autoptr (GBytes) image_data = NULL;
  g_autoptr (GBytes) sound_data = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (json, ==,
                   "{\"type\":\"image\",\"data\":\"iVBORwD//g==\",\"mimeType\":\"image/png\"}");
  g_assert_cmpint (gmcp_content_get_kind (image), ==, GMCP_CONTENT_KIND_IMAGE);
  g_assert_cmpstr (gmcp_content_get_mime_type (image), ==, "image/png");
  g_assert_null (gmcp_content_get_text (image));
  image_data = gmcp_content_dup_data (image, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (image_data, bytes));

  g_assert_cmpint (gmcp_content_get_kind (sound), ==, GMCP_CONTENT_KIND_AUDIO);
  sound_data = gmcp_content_dup_data (sound, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (sound_data), ==, 0);
}

static void
test_resources (void)
{
  g_autoptr (GmcpContent) text
    = make ("{\"type\":\"resource\",\"resource\":{\"uri\":\"file:///a\",\"mimeType\":\"text/x\","
            "\"text\":\"inside\"},\"text\":\"outside\"}");
  g_autoptr (GmcpContent) blob
    = make ("{\"type\":\"resource\",\"resource\":{\"uri\":\"file:///b\",\"blob\":\"AAEC\"}}");
  g_autoptr (GmcpContent) link
    = make ("{\"type\":\"resource_link\",\"uri\":\"file:///c\",\"name\":\"c\",\"title\":\"C\","
            "\"description\":\"d\",\"mimeType\":\"text/y\"}");
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) data = gmcp_content_dup_data (blob, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (data, NULL), g_bytes_get_size (data), "\0\1\2", 3);
  g_assert_cmpint (gmcp_content_get_kind (text), ==, GMCP_CONTENT_KIND_RESOURCE);
  g_assert_cmpstr (gmcp_content_get_text (text), ==, "inside");
  g_assert_cmpstr (gmcp_content_get_uri (text), ==, "file:///a");
  g_assert_cmpstr (gmcp_content_get_mime_type (text), ==, "text/x");
  g_assert_null (gmcp_content_get_text (blob));
  g_assert_null (gmcp_content_dup_data (text, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);

  g_assert_cmpint (gmcp_content_get_kind (link), ==, GMCP_CONTENT_KIND_RESOURCE_LINK);
  g_assert_cmpstr (gmcp_content_get_uri (link), ==, "file:///c");
  g_assert_cmpstr (gmcp_content_get_name (link), ==, "c");
  g_assert_cmpstr (gmcp_content_get_title (link), ==, "C");
  g_assert_cmpstr (gmcp_content_get_description (link), ==, "d");
  g_assert_cmpstr (gmcp_content_get_mime_type (link), ==, "text/y");
}

static void
test_unknown (void)
{
  static const char json[] = "{\"type\":\"hologram\", \"data\":\"AAEC\", \"mimeType\":\"x/y\"}";
  g_autoptr (GmcpContent) content = make (json);
  g_autofree char *kept = gmcp_content_dup_json (content);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) data = gmcp_content_dup_data (content, &error);

  g_assert_no_error (error);
  g_assert_cmpint (gmcp_content_get_kind (content), ==, GMCP_CONTENT_KIND_UNKNOWN);
  g_assert_cmpstr (kept, ==, json);
  g_assert_cmpuint (g_bytes_get_size (data), ==, 3);
}

static void
test_bad (void)
{
  static const struct
  {
    const char *json;
    GmcpError code;
  } texts[] = {
    { "{", GMCP_ERROR_INVALID_JSON },
    { "[]", GMCP_ERROR_INVALID_ARGUMENT },
    { "{}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{\"type\":1}", GMCP_ERROR_INVALID_ARGUMENT },
  };
  static const struct
  {
    const char *json;
    GmcpError code;
  } blocks[] = {
    { "{\"type\":\"image\"}", GMCP_ERROR_PROTOCOL },
    { "{\"type\":\"image\",\"data\":7}", GMCP_ERROR_PROTOCOL },
    { "{\"type\":\"audio\",\"data\":\"?\"}", GMCP_ERROR_INVALID_JSON },
    { "{\"type\":\"resource\",\"resource\":{\"blob\":null}}", GMCP_ERROR_PROTOCOL },
    { "{\"type\":\"resource\",\"resource\":[]}", GMCP_ERROR_NOT_SUPPORTED },
    { "{\"type\":\"resource\"}", GMCP_ERROR_NOT_SUPPORTED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (gmcp_content_new_from_json (texts[i].json, &error));
      g_assert_error (error, GMCP_ERROR, (int) texts[i].code);
    }

  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
    {
      g_autoptr (GmcpContent) content = make (blocks[i].json);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", blocks[i].json);
      g_assert_null (gmcp_content_dup_data (content, &error));
      g_assert_error (error, GMCP_ERROR, (int) blocks[i].code);
      g_assert_null (gmcp_content_get_text (content));
      g_assert_null (gmcp_content_get_uri (content));
    }
}

static void
test_no_block (void)
{
  static const char json[] = "[\"text\",null,[],{\"type\":[\"text\"]}]";
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, NULL);
  GmcpJsonIter iter;
  GmcpJsonValue value;

  g_test_summary ("what a server lists as content may be anything");
  gmcp_json_iter_init (&iter, gmcp_json_doc_get_root (doc));
  while (gmcp_json_iter_next (&iter, NULL, &value))
    {
      g_autoptr (GmcpContent) content = gmcp_content_new_from_value (value);

      g_assert_cmpint (gmcp_content_get_kind (content), ==, GMCP_CONTENT_KIND_UNKNOWN);
      g_assert_null (gmcp_content_get_text (content));
      g_assert_null (gmcp_content_dup_annotations_json (content));
    }
}

static void
test_new_resource_link (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpResource) resource = gmcp_resource_new ("note://1", "first", "text/plain");
  g_autoptr (GmcpResource) typed = gmcp_resource_new_from_json (
    "{\"uri\":\"note://2\",\"name\":\"second\",\"type\":\"x\",\"size\":5}", &error);
  g_autoptr (GmcpContent) link = gmcp_content_new_resource_link (resource);
  g_autoptr (GmcpContent) other = gmcp_content_new_resource_link (typed);
  g_autofree char *json = gmcp_content_dup_json (other);

  g_assert_no_error (error);
  g_assert_cmpint (gmcp_content_get_kind (link), ==, GMCP_CONTENT_KIND_RESOURCE_LINK);
  g_assert_cmpstr (gmcp_content_get_uri (link), ==, "note://1");
  g_assert_cmpstr (gmcp_content_get_name (link), ==, "first");
  g_assert_cmpstr (gmcp_content_get_mime_type (link), ==, "text/plain");
  g_assert_cmpstr (
    json, ==, "{\"type\":\"resource_link\",\"uri\":\"note://2\",\"name\":\"second\",\"size\":5}");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/protocol/content/text", test_text);
  g_test_add_func ("/protocol/content/data", test_data);
  g_test_add_func ("/protocol/content/resources", test_resources);
  g_test_add_func ("/protocol/content/unknown", test_unknown);
  g_test_add_func ("/protocol/content/bad", test_bad);
  g_test_add_func ("/protocol/content/no-block", test_no_block);
  g_test_add_func ("/protocol/content/new-resource-link", test_new_resource_link);
  return g_test_run ();
}
