/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/protocol/gmcp-resource-template.h>
#include <string.h>

#include "gmcp-resource-private.h"
#include "gmcp-resource-result-private.h"
#include "unit-test.h"

static GmcpJsonDoc *
parse (const char *json)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, &error);

  g_assert_no_error (error);
  return doc;
}

static void
test_invalid (void)
{
  static const char *const invalid[] = { "5",
                                         "[]",
                                         "{}",
                                         "{\"uri\":5,\"uriTemplate\":null}",
                                         "{\"uri\":\"\",\"uriTemplate\":\"\"}",
                                         "{\"name\":\"n\"}" };

  for (guint i = 0; i < G_N_ELEMENTS (invalid); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpJsonDoc) doc = parse (invalid[i]);

      g_assert_null (gmcp_resource_new_from_json (invalid[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      g_clear_error (&error);
      g_assert_null (gmcp_resource_template_new_from_json (invalid[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      g_clear_error (&error);
      g_assert_null (gmcp_resource_new_from_value (gmcp_json_doc_get_root (doc), &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
    }

  g_assert_null (gmcp_resource_new_from_json ("{", NULL));
}

static void
test_wrong_members (void)
{
  g_autoptr (GmcpResource) resource = gmcp_resource_new_from_json (
    "{\"uri\":\"x:y\",\"name\":7,\"title\":[],\"description\":{},\"mimeType\":null,\"size\":\"9\","
    "\"icons\":{\"src\":\"a\"},\"annotations\":[1]}",
    NULL);
  g_autoptr (GmcpResource) negative = gmcp_resource_new_from_json (
    "{\"uri\":\"x:y\",\"size\":-7,\"icons\":[5,{},{\"src\":5}]}", NULL);
  g_autoptr (GPtrArray) icons = NULL;
  g_autoptr (GPtrArray) no_icons = NULL;

  g_test_summary ("a member of a wrong type counts as not there");

  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (resource)), ==, "x:y");
  g_assert_null (gmcp_definition_get_title (GMCP_DEFINITION (resource)));
  g_assert_null (gmcp_definition_get_description (GMCP_DEFINITION (resource)));
  g_assert_null (gmcp_resource_get_mime_type (resource));
  g_assert_cmpint (gmcp_resource_get_size (resource), ==, -1);
  g_assert_null (gmcp_resource_dup_annotations (resource));
  g_assert_null (gmcp_definition_dup_meta_json (GMCP_DEFINITION (resource)));
  icons = gmcp_definition_list_icons (GMCP_DEFINITION (resource));
  g_assert_cmpuint (icons->len, ==, 0);
  g_assert_cmpint (gmcp_resource_get_size (negative), ==, -1);
  no_icons = gmcp_definition_list_icons (GMCP_DEFINITION (negative));
  g_assert_cmpuint (no_icons->len, ==, 0);
}

static const char whole[]
  = "{\"uri\":\"file:///a\",\"name\":\"a\",\"title\":\"A\",\"description\":\"an a\",\"mimeType\":"
    "\"text/plain\",\"size\":12345678901,\"extra\":1.50,\"_meta\":{\"m\":[1 ]},"
    "\"icons\":[{\"src\":\"https://e.org/i.png\",\"mimeType\":\"image/png\",\"sizes\":[\"48x48\",5,"
    "\"any\"],\"theme\":\"dark\"},{\"src\":\"data:,\"}],\"annotations\":{\"audience\":[\"user\"],"
    "\"priority\":0.8,\"lastModified\":\"2025-01-12T15:00:58Z\"}}";

static void
test_resource (void)
{
  g_autoptr (GmcpResource) resource = gmcp_resource_new_from_json (whole, NULL);
  g_autoptr (GmcpAnnotations) annotations = gmcp_resource_dup_annotations (resource);
  g_autoptr (GPtrArray) icons = gmcp_definition_list_icons (GMCP_DEFINITION (resource));
  g_autoptr (GDateTime) modified = gmcp_annotations_dup_last_modified (annotations);
  g_autofree char *json = gmcp_definition_dup_json (GMCP_DEFINITION (resource));
  g_autofree char *meta = gmcp_definition_dup_meta_json (GMCP_DEFINITION (resource));
  g_autofree char *uri = NULL;
  g_autofree char *time = g_date_time_format_iso8601 (modified);
  const char *const sizes[] = { "48x48", "any", NULL };
  gint64 size;

  g_assert_cmpstr (json, ==, whole);
  g_assert_cmpstr (meta, ==, "{\"m\":[1 ]}");
  g_object_get (resource, "uri", &uri, "size", &size, NULL);
  g_assert_cmpstr (uri, ==, "file:///a");
  g_assert_cmpint (size, ==, G_GINT64_CONSTANT (12345678901));
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (resource)), ==, "a");
  g_assert_cmpstr (gmcp_definition_get_title (GMCP_DEFINITION (resource)), ==, "A");
  g_assert_cmpstr (gmcp_definition_get_description (GMCP_DEFINITION (resource)), ==, "an a");
  g_assert_cmpstr (gmcp_resource_get_mime_type (resource), ==, "text/plain");

  g_assert_cmpuint (icons->len, ==, 2);
  g_assert_cmpstr (gmcp_icon_get_src (icons->pdata[0]), ==, "https://e.org/i.png");
  g_assert_cmpstr (gmcp_icon_get_mime_type (icons->pdata[0]), ==, "image/png");
  g_assert_cmpstr (gmcp_icon_get_theme (icons->pdata[0]), ==, "dark");
  g_assert_true (g_strv_equal (gmcp_icon_get_sizes (icons->pdata[0]), sizes));
  g_assert_null (gmcp_icon_get_theme (icons->pdata[1]));
  g_assert_null (gmcp_icon_get_sizes (icons->pdata[1])[0]);

  g_assert_true (gmcp_annotations_is_for (annotations, GMCP_MESSAGE_ROLE_USER));
  g_assert_false (gmcp_annotations_is_for (annotations, GMCP_MESSAGE_ROLE_ASSISTANT));
  g_assert_cmpfloat (gmcp_annotations_get_priority (annotations), ==, 0.8);
  g_assert_cmpstr (time, ==, "2025-01-12T15:00:58Z");
}

static void
test_annotations (void)
{
  g_autoptr (GmcpResource) resource = gmcp_resource_new_from_json (
    "{\"uri\":\"x:y\",\"annotations\":{\"priority\":7,\"lastModified\":\"yesterday\"}}", NULL);
  g_autoptr (GmcpAnnotations) annotations = gmcp_resource_dup_annotations (resource);
  g_autoptr (GmcpAnnotations) other = gmcp_annotations_ref (annotations);

  g_assert_cmpfloat (gmcp_annotations_get_priority (other), ==, 1);
  g_assert_cmpstr (gmcp_annotations_get_last_modified (other), ==, "yesterday");
  g_assert_null (gmcp_annotations_dup_last_modified (other));
  g_assert_true (gmcp_annotations_is_for (other, GMCP_MESSAGE_ROLE_ASSISTANT));
  g_assert_null (gmcp_annotations_get_audience (other)[0]);
}

static void
test_template (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpResourceTemplate) template = gmcp_resource_template_new_from_json (
    "{\"uriTemplate\":\"file:///{path}{?q*}\",\"name\":\"files\"}", &error);
  g_autoptr (GmcpResourceTemplate) bad
    = gmcp_resource_template_new_from_json ("{\"uriTemplate\":\"x:{\"}", &error);
  g_autoptr (JsonNode) node = json_from_string ("{\"path\":\"a b\",\"q\":[1,2]}", NULL);
  g_auto (GStrv) names = gmcp_resource_template_list_variables (template, &error);
  g_autofree char *uri = NULL;
  g_autofree char *none = NULL;
  g_autofree char *from_text = NULL;
  const char *const expected[] = { "path", "q", NULL };

  g_assert_no_error (error);
  g_assert_true (g_strv_equal ((const char *const *) names, expected));
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (template)), ==, "files");
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (bad)), ==, "x:{");
  uri = gmcp_resource_template_expand (template, node, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (uri, ==, "file:///a%20b?q=1&q=2");
  none = gmcp_resource_template_expand (template, NULL, &error);
  g_assert_cmpstr (none, ==, "file:///");
  from_text = gmcp_resource_template_expand_json (template, "{\"path\":1.0}", &error);
  g_assert_cmpstr (from_text, ==, "file:///1.0");

  g_assert_null (gmcp_resource_template_expand_json (template, "[1]", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (gmcp_resource_template_expand_json (template, "{", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
  g_clear_error (&error);
  g_assert_null (gmcp_resource_template_expand_json (bad, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

static void
test_template_match (void)
{
  g_autoptr (GmcpResourceTemplate) template
    = gmcp_resource_template_new ("note://{folder}/{id}", "notes", NULL);
  g_autoptr (GHashTable) values = gmcp_resource_template_match (template, "note://my%20own/7");

  g_assert_nonnull (values);
  g_assert_cmpuint (g_hash_table_size (values), ==, 2);
  g_assert_cmpstr (g_hash_table_lookup (values, "folder"), ==, "my own");
  g_assert_cmpstr (g_hash_table_lookup (values, "id"), ==, "7");
  g_assert_null (gmcp_resource_template_match (template, "note://7"));
}

static GmcpResourceResult *
result_new (const char *json, GError **error)
{
  g_autoptr (GmcpJsonDoc) doc = parse (json);

  return gmcp_resource_result_new_from_value (gmcp_json_doc_get_root (doc), error);
}

static void
test_result (void)
{
  static const char *const invalid[] = { "5", "{}", "{\"contents\":{}}" };
  g_autoptr (GmcpResourceResult) result
    = result_new ("{\"contents\":[{\"uri\":\"x:1\",\"mimeType\":\"text/x\",\"text\":\"a\\u0000"
                  "\\u00e4\",\"_meta\":{}},7,{\"uri\":\"x:2\",\"blob\":\"AAH_\"},"
                  "{\"uri\":\"x:3\",\"blob\":\"***\"},{\"uri\":\"x:4\"}],\"ttlMs\":5}",
                  NULL);
  g_autoptr (GmcpResourceContents) first = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GmcpResourceContents *second;
  GBytes *bytes;

  for (guint i = 0; i < G_N_ELEMENTS (invalid); i++)
    {
      g_assert_null (result_new (invalid[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
      g_clear_error (&error);
    }

  g_assert_cmpuint (gmcp_resource_result_get_n_contents (result), ==, 4);
  g_assert_null (gmcp_resource_result_get_contents (result, 4));
  first = gmcp_resource_contents_ref (gmcp_resource_result_get_contents (result, 0));
  second = gmcp_resource_result_get_contents (result, 1);

  g_assert_true (gmcp_resource_contents_is_text (first));
  g_assert_cmpstr (gmcp_resource_contents_get_uri (first), ==, "x:1");
  g_assert_cmpstr (gmcp_resource_contents_get_mime_type (first), ==, "text/x");
  g_assert_cmpstr (gmcp_resource_contents_get_text (first), ==, "a\xef\xbf\xbd\xc3\xa4");

  g_assert_false (gmcp_resource_contents_is_text (second));
  g_assert_null (gmcp_resource_contents_get_text (second));
  bytes = gmcp_resource_contents_get_bytes (second, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "\x00\x01\xff", 3);
  g_assert_true (gmcp_resource_contents_get_bytes (second, NULL) == bytes);

  g_assert_null (
    gmcp_resource_contents_get_bytes (gmcp_resource_result_get_contents (result, 2), &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
  g_clear_error (&error);
  g_assert_null (
    gmcp_resource_contents_get_bytes (gmcp_resource_result_get_contents (result, 3), &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);

  text = gmcp_resource_result_dup_text (result);
  g_assert_true (g_str_has_prefix (text, "a\xef\xbf\xbd\xc3\xa4\n[resource: x:2, 3 bytes]\n"));
  g_clear_pointer (&result, gmcp_resource_result_unref);
  bytes = gmcp_resource_contents_get_bytes (first, NULL);
  g_assert_cmpstr (g_bytes_get_data (bytes, NULL), ==, "a\xef\xbf\xbd\xc3\xa4");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/protocol/resource/invalid", test_invalid);
  g_test_add_func ("/protocol/resource/wrong-members", test_wrong_members);
  g_test_add_func ("/protocol/resource/all", test_resource);
  g_test_add_func ("/protocol/resource/annotations", test_annotations);
  g_test_add_func ("/protocol/resource/template", test_template);
  g_test_add_func ("/protocol/resource/template-match", test_template_match);
  g_test_add_func ("/protocol/resource/result", test_result);

  return g_test_run ();
}
