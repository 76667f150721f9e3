/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/protocol/gmcp-tool-result-builder.h>

#include "gmcp-tool-result-private.h"
#include "unit-test.h"

static GmcpJsonDoc *
parse (const char *json)
{
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc = gmcp_json_doc_parse (json, strlen (json), NULL, 0, &error);

  g_assert_no_error (error);
  return doc;
}

static GmcpToolResult *
make (const char *json)
{
  g_autoptr (GError) error = NULL;
  GmcpToolResult *result = gmcp_tool_result_new_from_json (json, &error);

  g_assert_no_error (error);
  g_assert_nonnull (result);
  return result;
}

static void
assert_json (GmcpToolResult *result, const char *expected)
{
  g_autofree char *json = gmcp_tool_result_dup_json (result);
  g_autoptr (GString) written = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (written);

  g_assert_cmpstr (json, ==, expected);
  gmcp_tool_result_write (result, &writer);
  g_assert_cmpstr (written->str, ==, expected);
}

static void
test_made (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) text = gmcp_tool_result_new_text ("a\nb");
  g_autoptr (GmcpToolResult) failure = gmcp_tool_result_new_error ("no \"x\"");
  g_autoptr (GmcpToolResult) structured
    = gmcp_tool_result_new_structured ("{ \"n\" :1,\n\"s\":\"q\"}", FALSE, &error);
  g_autofree char *failure_text = gmcp_tool_result_dup_text (failure);
  g_autofree char *structured_json = NULL;

  g_assert_no_error (error);
  assert_json (text, "{\"content\":[{\"type\":\"text\",\"text\":\"a\\nb\"}]}");
  g_assert_cmpstr (gmcp_tool_result_get_text (text), ==, "a\nb");
  g_assert_true (gmcp_tool_result_get_text (text) == gmcp_tool_result_get_text (text));
  g_assert_false (gmcp_tool_result_is_error (text));
  g_assert_cmpuint (gmcp_tool_result_get_n_contents (text), ==, 1);
  g_assert_null (gmcp_tool_result_get_structured_content (text));
  g_assert_null (gmcp_tool_result_dup_structured_content_json (text));
  g_assert_null (gmcp_tool_result_dup_meta_json (text));

  assert_json (failure,
               "{\"content\":[{\"type\":\"text\",\"text\":\"no \\\"x\\\"\"}],\"isError\":true}");
  g_assert_true (gmcp_tool_result_is_error (failure));
  g_assert_cmpstr (failure_text, ==, "MCP error: no \"x\"");

  structured_json = gmcp_tool_result_dup_structured_content_json (structured);
  g_assert_null (strchr (structured_json, '\n'));
  g_assert_cmpstr (gmcp_tool_result_get_text (structured), ==, structured_json);
  g_assert_cmpint (
    json_object_get_int_member (
      json_node_get_object (gmcp_tool_result_get_structured_content (structured)), "n"),
    ==, 1);
}

static void
test_made_contents (void)
{
  g_autoptr (GPtrArray) contents
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_content_unref);
  g_autoptr (GPtrArray) nothing = g_ptr_array_new ();
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\0\1\2", 3);
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GmcpToolResult) empty = gmcp_tool_result_new_contents (nothing, FALSE);
  g_autofree char *text = NULL;

  g_ptr_array_add (contents, gmcp_content_new_text ("t"));
  g_ptr_array_add (contents, gmcp_content_new_image (bytes, "image/png"));
  result = gmcp_tool_result_new_contents (contents, TRUE);
  assert_json (result, "{\"content\":[{\"type\":\"text\",\"text\":\"t\"},"
                       "{\"type\":\"image\",\"data\":\"AAEC\",\"mimeType\":\"image/png\"}],"
                       "\"isError\":true}");
  g_assert_cmpuint (gmcp_tool_result_get_n_contents (result), ==, 2);
  g_assert_null (gmcp_tool_result_get_text (result));
  text = gmcp_tool_result_dup_text (result);
  g_assert_cmpstr (text, ==, "MCP error: t\n[image: image/png, 3 bytes]");
  assert_json (empty, "{\"content\":[]}");
}

static void
test_null_contents (void)
{
  g_autoptr (GPtrArray) contents = g_ptr_array_new ();
  g_autoptr (GmcpContent) text = gmcp_content_new_text ("t");

  g_test_summary ("an array with a place that holds no block is refused");
  g_ptr_array_add (contents, text);
  g_ptr_array_add (contents, NULL);
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*has_null (contents)*");
  g_assert_null (gmcp_tool_result_new_contents (contents, FALSE));
  g_test_assert_expected_messages ();
}

static GmcpToolResult *
build (GmcpToolResultBuilder *builder)
{
  g_autoptr (GError) error = NULL;
  GmcpToolResult *result = gmcp_tool_result_builder_build (builder, &error);

  g_assert_no_error (error);
  return result;
}

static void
assert_not_built (GmcpToolResultBuilder *builder, GmcpError code, const char *member)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gmcp_tool_result_builder_build (builder, &error));
  g_assert_error (error, GMCP_ERROR, (int) code);
  g_assert_true (g_str_has_prefix (error->message, member));
}

static void
test_builder (void)
{
  GmcpToolResultBuilder *builder = gmcp_tool_result_builder_new ();
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\0\1\2", 3);
  g_autoptr (GmcpContent) image = gmcp_content_new_image (bytes, "image/png");
  g_autoptr (GmcpToolResult) empty = build (builder);
  g_autoptr (GmcpToolResult) data = NULL;
  g_autoptr (GmcpToolResult) whole = NULL;
  g_autofree char *meta = NULL;

  assert_json (empty, "{\"content\":[]}");

  g_test_message ("data alone is a text, too");
  gmcp_tool_result_builder_set_structured_json (builder, "{\n\"n\":1}");
  data = build (builder);
  assert_json (data, "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"n\\\":1}\"}],"
                     "\"structuredContent\":{\"n\":1}}");
  g_assert_cmpint (gmcp_tool_result_get_structured_kind (data), ==, GMCP_JSON_OBJECT);

  g_test_message ("blocks stand in the order that they were added in");
  gmcp_tool_result_builder_add_text (builder, "t");
  gmcp_tool_result_builder_add_content (builder, image);
  gmcp_tool_result_builder_set_is_error (builder, TRUE);
  gmcp_tool_result_builder_set_meta_json (builder, "{\"a/b\":2}");
  whole = build (builder);
  assert_json (whole, "{\"content\":[{\"type\":\"text\",\"text\":\"t\"},"
                      "{\"type\":\"image\",\"data\":\"AAEC\",\"mimeType\":\"image/png\"}],"
                      "\"structuredContent\":{\"n\":1},\"isError\":true,\"_meta\":{\"a/b\":2}}");
  meta = gmcp_tool_result_dup_meta_json (whole);
  g_assert_cmpstr (meta, ==, "{\"a/b\":2}");
  g_assert_true (gmcp_tool_result_is_error (whole));

  gmcp_tool_result_builder_set_meta_json (builder, "[]");
  assert_not_built (builder, GMCP_ERROR_INVALID_ARGUMENT, "_meta: ");
  gmcp_tool_result_builder_set_meta_json (builder, NULL);
  gmcp_tool_result_builder_set_structured_json (builder, "{");
  assert_not_built (builder, GMCP_ERROR_INVALID_JSON, "structuredContent: ");

  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*content != NULL*");
  gmcp_tool_result_builder_add_content (builder, NULL);
  g_test_assert_expected_messages ();
  g_assert_finalize_object (builder);
}

static void
test_as_text (void)
{
  static const struct
  {
    const char *json;
    const char *text;
    const char *only_text;
  } cases[] = {
    { "{\"content\":[{\"type\":\"text\",\"text\":\"one\"}]}", "one", "one" },
    { "{\"content\":[{\"type\":\"text\",\"text\":\"\"}]}", "", "" },
    { "{\"content\":[{\"type\":\"text\",\"text\":\"one\"},{\"type\":\"text\",\"text\":"
      "\"t\\u0077o\"}]}",
      "one\ntwo", NULL },
    { "{\"content\":[{\"type\":\"image\",\"data\":\"AAEC\",\"mimeType\":\"image/png\"}]}",
      "[image: image/png, 3 bytes]", NULL },
    { "{\"content\":[{\"type\":\"audio\",\"data\":\"AAE=\",\"mimeType\":\"audio/wav\"}]}",
      "[audio: audio/wav, 2 bytes]", NULL },
    { "{\"content\":[{\"type\":\"image\",\"data\":\"\\u0041A==\",\"mimeType\":\"image\\/png\"}]}",
      "[image: image/png, 1 bytes]", NULL },
    { "{\"content\":[{\"type\":\"image\"}]}", "[image]", NULL },
    { "{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"file:///a\",\"text\":\"in\"}}]}",
      "in", NULL },
    { "{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"file:///a\",\"mimeType\":"
      "\"x/y\",\"blob\":\"AAEC\"}}]}",
      "[resource: file:///a, x/y, 3 bytes]", NULL },
    { "{\"content\":[{\"type\":\"resource\",\"resource\":null}]}", "[resource]", NULL },
    { "{\"content\":[{\"type\":\"resource_link\",\"uri\":\"file:///a\",\"name\":\"n\",\"title\":"
      "\"T\"}]}",
      "[T](file:///a)", NULL },
    { "{\"content\":[{\"type\":\"resource_link\",\"uri\":\"file:///a\",\"name\":\"n\"}]}",
      "[n](file:///a)", NULL },
    { "{\"content\":[{\"type\":\"hologram\"},7,{\"type\":\"text\",\"text\":8}]}",
      "[content of an unknown kind: hologram]\n[content of an unknown kind]\n", NULL },
    { "{\"structuredContent\":{\"a\":[1, 2]}}", "{\"a\":[1, 2]}", NULL },
    { "{\"content\":[],\"structuredContent\":null}", "null", NULL },
    { "{\"content\":[{\"type\":\"text\",\"text\":\"x\"}],\"structuredContent\":{}}", "x", "x" },
    { "{\"content\":[{\"type\":\"text\",\"text\":\"x\"}],\"isError\":true}", "MCP error: x", "x" },
    { "{\"structuredContent\":{\"e\":1},\"isError\":true}", "MCP error: {\"e\":1}", NULL },
    { "{\"isError\":true}", "MCP error: the tool failed and did not say why", NULL },
    { "{\"content\":[{\"type\":\"text\",\"text\":\"x\"}],\"isError\":\"yes\"}", "x", "x" },
    { "{\"content\":[{\"type\":\"text\",\"text\":\"x\"}],\"isError\":null}", "x", "x" },
    { "{}", "", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpToolResult) result = make (cases[i].json);
      g_autofree char *text = gmcp_tool_result_dup_text (result);

      g_assert_cmpstr (text, ==, cases[i].text);
      g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, cases[i].only_text);
      assert_json (result, cases[i].json);
    }
}

static void
test_contents (void)
{
  g_autoptr (GmcpToolResult) result
    = make ("{\"content\":[{\"type\":\"text\",\"text\":\"a\"},null,{\"type\":\"new\",\"x\":1}],"
            "\"structuredContent\":[1],\"_meta\":{\"k\":2}}");
  g_autoptr (GmcpContent) kept = NULL;
  g_autofree char *meta = gmcp_tool_result_dup_meta_json (result);
  g_autofree char *unknown = NULL;

  g_assert_cmpuint (gmcp_tool_result_get_n_contents (result), ==, 3);
  kept = gmcp_content_ref (gmcp_tool_result_get_content (result, 0));
  g_assert_true (kept == gmcp_tool_result_get_content (result, 0));
  g_assert_cmpint (gmcp_content_get_kind (gmcp_tool_result_get_content (result, 1)), ==,
                   GMCP_CONTENT_KIND_UNKNOWN);
  unknown = gmcp_content_dup_json (gmcp_tool_result_get_content (result, 2));
  g_assert_cmpstr (unknown, ==, "{\"type\":\"new\",\"x\":1}");
  g_assert_null (gmcp_tool_result_get_content (result, 3));
  g_assert_null (gmcp_tool_result_get_content (result, G_MAXUINT));
  g_assert_cmpstr (meta, ==, "{\"k\":2}");
  g_assert_true (JSON_NODE_HOLDS_ARRAY (gmcp_tool_result_get_structured_content (result)));
  g_assert_true (json_node_is_immutable (gmcp_tool_result_get_structured_content (result)));

  g_clear_pointer (&result, gmcp_tool_result_unref);
  g_assert_cmpstr (gmcp_content_get_text (kept), ==, "a");
}

static void
test_null_structured (void)
{
  g_autoptr (GmcpToolResult) result = make ("{\"structuredContent\":null}");
  g_autofree char *json = gmcp_tool_result_dup_structured_content_json (result);

  g_test_summary ("structured content that is null is there, unlike one that is absent");
  g_assert_cmpstr (json, ==, "null");
  g_assert_true (JSON_NODE_HOLDS_NULL (gmcp_tool_result_get_structured_content (result)));
}

static void
test_bad (void)
{
  static const char *const malformed[] = {
    "null",
    "[]",
    "\"text\"",
    "{\"content\":null}",
    "{\"content\":\"text\"}",
    "{\"content\":{\"type\":\"text\",\"text\":\"x\"}}",
    "{\"content\":[],\"content\":1}",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) structured_error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (malformed); i++)
    {
      g_autoptr (GError) wrong = NULL;
      g_autoptr (GError) wire_error = NULL;
      g_autoptr (GmcpJsonDoc) doc = parse (malformed[i]);

      g_assert_null (gmcp_tool_result_new_from_value (gmcp_json_doc_get_root (doc), &wire_error));
      g_assert_error (wire_error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
      g_assert_null (gmcp_tool_result_new_from_json (malformed[i], &wrong));
      g_assert_error (wrong, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }

  g_assert_null (gmcp_tool_result_new_from_value (GMCP_JSON_NONE, NULL));
  g_assert_null (gmcp_tool_result_new_from_json ("{\"content\":[}", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
  g_assert_null (gmcp_tool_result_new_structured ("{'a':1}", TRUE, &structured_error));
  g_assert_error (structured_error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
}

static void
test_write_members (void)
{
  g_autoptr (GmcpToolResult) passed_on
    = make ("{\"resultType\":\"complete\",\"content\":[],\n\"x\":{ },\"_meta\":{\"k\":1}}");
  g_autoptr (GmcpToolResult) made = gmcp_tool_result_new_error ("e");
  g_autoptr (GString) out = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (out);
  GmcpJsonValue meta = gmcp_tool_result_get_meta (passed_on);

  g_test_summary ("a server adds resultType and _meta of its own");
  g_assert_true (gmcp_json_value_is_object (meta));
  g_assert_false (gmcp_json_value_is_present (gmcp_tool_result_get_meta (made)));

  gmcp_json_writer_begin_array (&writer);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, "resultType", "complete");
  gmcp_tool_result_write_members (passed_on, &writer);
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_begin_object (&writer);
  gmcp_tool_result_write_members (made, &writer);
  gmcp_json_writer_member_string (&writer, "z", "");
  gmcp_json_writer_end_object (&writer);
  gmcp_json_writer_end_array (&writer);

  g_assert_cmpstr (out->str, ==,
                   "[{\"resultType\":\"complete\",\"content\":[],\"x\":{ }},"
                   "{\"content\":[{\"type\":\"text\",\"text\":\"e\"}],\"isError\":true,"
                   "\"z\":\"\"}]");
}

static gpointer
read_all (gpointer data)
{
  GmcpToolResult *result = data;

  for (guint i = 0; i < 100; i++)
    {
      g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "shared");
      g_assert_nonnull (gmcp_tool_result_get_content (result, 0));
      g_assert_cmpstr (gmcp_content_get_text (gmcp_tool_result_get_content (result, 0)), ==,
                       "shared");
    }
  gmcp_tool_result_unref (result);
  return NULL;
}

static void
test_threads (void)
{
  for (guint round = 0; round < 50; round++)
    {
      g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("shared");
      GThread *threads[4];

      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        threads[i] = g_thread_new ("reader", read_all, gmcp_tool_result_ref (result));
      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        g_thread_join (threads[i]);
    }
}

static void
test_speed (void)
{
  const guint n = g_test_perf () ? 2000000 : 1000;
  g_autofree char *filler = g_strnfill (318 - 73, 'x');
  g_autofree char *json = g_strdup_printf (
    "{\"jsonrpc\":\"2.0\",\"id\":12345,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}}",
    filler);
  g_autoptr (GmcpJsonDoc) doc = parse (json);
  GmcpJsonValue value = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "result");
  double elapsed;

  g_test_timer_start ();
  for (guint i = 0; i < n; i++)
    {
      GmcpToolResult *result = gmcp_tool_result_new_from_value (value, NULL);

      g_assert_cmpint (gmcp_tool_result_get_text (result)[0], ==, 'x');
      gmcp_tool_result_unref (result);
    }
  elapsed = g_test_timer_elapsed ();
  g_test_minimized_result (elapsed, "result to text: %.3f us a call", elapsed * 1e6 / n);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/protocol/tool-result/made", test_made);
  g_test_add_func ("/protocol/tool-result/made-contents", test_made_contents);
  g_test_add_func ("/protocol/tool-result/null-contents", test_null_contents);
  g_test_add_func ("/protocol/tool-result/builder", test_builder);
  g_test_add_func ("/protocol/tool-result/as-text", test_as_text);
  g_test_add_func ("/protocol/tool-result/contents", test_contents);
  g_test_add_func ("/protocol/tool-result/null-structured", test_null_structured);
  g_test_add_func ("/protocol/tool-result/bad", test_bad);
  g_test_add_func ("/protocol/tool-result/write-members", test_write_members);
  g_test_add_func ("/protocol/tool-result/threads", test_threads);
  g_test_add_func ("/protocol/tool-result/speed", test_speed);
  return g_test_run ();
}
