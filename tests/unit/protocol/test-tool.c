/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-tool-private.h"
#include "unit-test.h"

static GmcpTool *
make (const char *json)
{
  g_autoptr (GError) error = NULL;
  GmcpTool *tool = gmcp_tool_new_from_json (json, &error);

  g_assert_no_error (error);
  g_assert_nonnull (tool);
  return tool;
}

#define FULL                                                                                       \
  "{\"name\":\"get_weather\",\"title\":\"Weather \\u2600\",\"description\":\"Now\\nand then\","    \
  "\"inputSchema\": {\"type\":\"object\", \"properties\":{\"n\":{\"maximum\":1.50}}},"             \
  "\"outputSchema\":{\"type\":\"array\"},"                                                         \
  "\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":true,"      \
  "\"openWorldHint\":false,\"title\":\"Other\"},\"_meta\":{\"x\":1},\"x-unknown\":[1]}"

static void
test_full (void)
{
  GmcpTool *tool = make (FULL);
  g_autofree char *input = gmcp_tool_dup_input_schema_json (tool);
  g_autofree char *output = gmcp_tool_dup_output_schema_json (tool);
  g_autofree char *qualified = gmcp_tool_dup_qualified_name (tool);
  g_autofree char *json = gmcp_definition_dup_json (GMCP_DEFINITION (tool));
  g_autofree char *annotations = gmcp_definition_dup_annotations_json (GMCP_DEFINITION (tool));
  JsonNode *schema;

  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (tool)), ==, "get_weather");
  g_assert_cmpstr (gmcp_tool_get_server_tool_name (tool), ==, "get_weather");
  g_assert_null (gmcp_tool_get_server_id (tool));
  g_assert_cmpstr (qualified, ==, "get_weather");
  g_assert_cmpstr (gmcp_definition_get_title (GMCP_DEFINITION (tool)), ==, "Weather \u2600");
  g_assert_cmpstr (gmcp_definition_get_description (GMCP_DEFINITION (tool)), ==, "Now\nand then");
  g_assert_true (gmcp_definition_get_title (GMCP_DEFINITION (tool))
                 == gmcp_definition_get_title (GMCP_DEFINITION (tool)));
  g_assert_cmpstr (input, ==, "{\"type\":\"object\", \"properties\":{\"n\":{\"maximum\":1.50}}}");
  g_assert_cmpstr (output, ==, "{\"type\":\"array\"}");
  g_assert_cmpstr (json, ==, FULL);
  g_assert_true (g_str_has_prefix (annotations, "{\"readOnlyHint\":true"));
  g_assert_true (gmcp_tool_is_read_only (tool));
  g_assert_false (gmcp_tool_is_destructive (tool));
  g_assert_true (gmcp_tool_is_idempotent (tool));
  g_assert_false (gmcp_tool_is_open_world (tool));

  schema = gmcp_tool_get_input_schema (tool);
  g_assert_true (json_node_is_immutable (schema));
  g_assert_cmpstr (json_object_get_string_member (json_node_get_object (schema), "type"), ==,
                   "object");
  g_assert_true (gmcp_tool_get_input_schema (tool) == schema);
  g_assert_cmpstr (json_object_get_string_member (
                     json_node_get_object (gmcp_tool_get_output_schema (tool)), "type"),
                   ==, "array");
  g_assert_finalize_object (tool);
}

static void
test_bare (void)
{
  GmcpTool *tool = make ("{\"name\":\"x\"}");
  g_autofree char *input = gmcp_tool_dup_input_schema_json (tool);

  g_test_summary ("what a server leaves out has the defaults that the protocol names");
  g_assert_null (gmcp_definition_get_title (GMCP_DEFINITION (tool)));
  g_assert_null (gmcp_definition_get_description (GMCP_DEFINITION (tool)));
  g_assert_null (gmcp_tool_get_output_schema (tool));
  g_assert_null (gmcp_tool_dup_output_schema_json (tool));
  g_assert_null (gmcp_definition_dup_annotations_json (GMCP_DEFINITION (tool)));
  g_assert_cmpstr (input, ==, "{\"type\":\"object\"}");
  g_assert_true (JSON_NODE_HOLDS_OBJECT (gmcp_tool_get_input_schema (tool)));
  g_assert_false (gmcp_tool_is_read_only (tool));
  g_assert_true (gmcp_tool_is_destructive (tool));
  g_assert_false (gmcp_tool_is_idempotent (tool));
  g_assert_true (gmcp_tool_is_open_world (tool));
  g_assert_finalize_object (tool);
}

static void
test_odd (void)
{
  g_autoptr (GmcpTool) title = make ("{\"name\":\"x\",\"annotations\":{\"title\":\"T\"}}");
  g_autoptr (GmcpTool) wrong
    = make ("{\"name\":\"a\",\"name\":\"b\",\"title\":7,\"description\":[\"d\"],"
            "\"annotations\":{\"readOnlyHint\":\"true\",\"destructiveHint\":0},"
            "\"outputSchema\":true}");
  g_autoptr (GmcpTool) list = make ("{\"name\":\"x\",\"annotations\":[true]}");
  g_autoptr (GmcpTool) surrogate = make ("{\"name\":\"x\\ud800\\u0000y\"}");

  g_test_summary ("members of the wrong type are as good as absent, doubled ones the last");
  g_assert_cmpstr (gmcp_definition_get_title (GMCP_DEFINITION (title)), ==, "T");
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (wrong)), ==, "b");
  g_assert_null (gmcp_definition_get_title (GMCP_DEFINITION (wrong)));
  g_assert_null (gmcp_definition_get_description (GMCP_DEFINITION (wrong)));
  g_assert_null (gmcp_tool_get_output_schema (wrong));
  g_assert_false (gmcp_tool_is_read_only (wrong));
  g_assert_true (gmcp_tool_is_destructive (wrong));
  g_assert_true (gmcp_tool_is_destructive (list));
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (surrogate)), ==, "x\uFFFD\uFFFDy");
}

static void
test_bad (void)
{
  static const struct
  {
    const char *json;
    GmcpError code;
  } cases[] = {
    { "", GMCP_ERROR_INVALID_JSON },
    { "{\"name\":\"x\"", GMCP_ERROR_INVALID_JSON },
    { "[]", GMCP_ERROR_INVALID_ARGUMENT },
    { "\"x\"", GMCP_ERROR_INVALID_ARGUMENT },
    { "null", GMCP_ERROR_INVALID_ARGUMENT },
    { "{}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{\"name\":\"\"}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{\"name\":null}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{\"name\":1}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{\"name\":\"x\",\"inputSchema\":[]}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{\"name\":\"x\",\"inputSchema\":null}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{\"name\":\"x\",\"inputSchema\":\"{}\"}", GMCP_ERROR_INVALID_ARGUMENT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) wire_error = NULL;
      g_autoptr (GmcpJsonDoc) doc
        = gmcp_json_doc_parse (cases[i].json, strlen (cases[i].json), NULL, 0, NULL);

      g_assert_null (gmcp_tool_new_from_json (cases[i].json, &error));
      g_assert_error (error, GMCP_ERROR, (int) cases[i].code);

      if (doc == NULL)
        continue;
      g_assert_null (gmcp_tool_new_from_value (gmcp_json_doc_get_root (doc), &wire_error));
      g_assert_error (wire_error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
    }
  g_assert_null (gmcp_tool_new_from_value (GMCP_JSON_NONE, NULL));
}

static void
test_bad_long_name (void)
{
  g_autoptr (GString) json = g_string_new ("{\"inputSchema\":1,\"name\":\"x");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append (json, "\u00e9");
  g_string_append (json, "\"}");

  g_test_summary ("a message stays short and whole UTF-8 whatever name a server makes up");
  g_assert_null (gmcp_tool_new_from_json (json->str, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_cmpuint (strlen (error->message), <, 500);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

static void
test_listed (void)
{
  g_autoptr (GmcpTool) original = make (FULL);
  g_autoptr (GmcpTool) listed = gmcp_tool_new_listed (original, "web", "web__get_weather");
  GmcpTool *again = gmcp_tool_new_listed (listed, "other", "other__w");
  g_autofree char *qualified = gmcp_tool_dup_qualified_name (again);
  g_autofree char *json = gmcp_definition_dup_json (GMCP_DEFINITION (again));
  g_autofree char *name = NULL;
  g_autofree char *title = NULL;
  g_autofree char *description = NULL;
  g_autofree char *server = NULL;

  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (listed)), ==, "web__get_weather");
  g_assert_cmpstr (gmcp_tool_get_server_id (listed), ==, "web");
  g_assert_cmpstr (gmcp_tool_get_server_tool_name (listed), ==, "get_weather");
  g_assert_cmpstr (qualified, ==, "other.get_weather");
  g_assert_cmpstr (gmcp_tool_get_server_tool_name (again), ==, "get_weather");
  g_assert_cmpstr (json, ==, FULL);
  g_assert_true (gmcp_tool_get_input_schema (again) == gmcp_tool_get_input_schema (original));
  g_assert_true (gmcp_tool_is_read_only (again));
  g_assert_true (gmcp_tool_same_definition (again, original));

  g_object_get (again, "name", &name, "title", &title, "description", &description, "server-id",
                &server, NULL);
  g_assert_cmpstr (name, ==, "other__w");
  g_assert_cmpstr (title, ==, "Weather \u2600");
  g_assert_cmpstr (description, ==, "Now\nand then");
  g_assert_cmpstr (server, ==, "other");
  g_assert_finalize_object (again);
}

static void
test_same (void)
{
  static const char base[]
    = "{\"name\":\"x\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\",\"maximum\":1},"
      "\"_meta\":{\"at\":1}}";
  static const struct
  {
    const char *json;
    gboolean same;
  } cases[] = {
    { base, TRUE },
    { "{ \"inputSchema\":{\"maximum\":1.0,\"type\":\"o\\u0062ject\"},\"description\":\"d\","
      "\"name\":\"x\",\"_meta\":{\"at\":2}}",
      TRUE },
    { "{\"name\":\"x\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\",\"maximum\":1}}",
      TRUE },
    { "{\"name\":\"x\",\"description\":\"e\",\"inputSchema\":{\"type\":\"object\",\"maximum\":1}}",
      FALSE },
    { "{\"name\":\"x\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\",\"maximum\":2}}",
      FALSE },
    { "{\"name\":\"y\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\",\"maximum\":1}}",
      FALSE },
    { "{\"name\":\"x\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\",\"maximum\":1},"
      "\"outputSchema\":{}}",
      FALSE },
    { "{\"name\":\"x\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\",\"maximum\":1},"
      "\"annotations\":{\"readOnlyHint\":true}}",
      FALSE },
    { "{\"name\":\"x\"}", FALSE },
  };
  g_autoptr (GmcpTool) tool = make (base);
  g_autofree char *digest = gmcp_tool_dup_digest (tool);

  g_assert_cmpuint (strlen (digest), ==, 64);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpTool) other = make (cases[i].json);
      g_autofree char *other_digest = gmcp_tool_dup_digest (other);

      g_test_message ("%s", cases[i].json);
      g_assert_cmpint (gmcp_tool_same_definition (tool, other), ==, cases[i].same);
      g_assert_cmpint (gmcp_tool_same_definition (other, tool), ==, cases[i].same);
      g_assert_cmpint (g_str_equal (digest, other_digest), ==, cases[i].same);
    }
}

static void
test_digest_stable (void)
{
  g_autoptr (GmcpTool) tool
    = make ("{\"name\":\"x\",\"inputSchema\":{\"b\":[1e2,0.5,1e999,18446744073709551615,null,true],"
            "\"a\":\"\\u00e9\\/\",\"a\":\"\\u00e9\"}}");
  g_autofree char *digest = gmcp_tool_dup_digest (tool);
  g_autofree char *told_digest = gmcp_tool_digest_told_value (gmcp_definition_get_value (tool));
#define SCHEMA "{\"a\":\"\u00e9\",\"b\":[100,0.5,1e999,18446744073709551615,null,true]}"
  static const char canonical[] = "{\"inputSchema\":" SCHEMA ",\"name\":\"x\"}";
  static const char told[] = "[\"x\",null," SCHEMA ",null]";
  g_autofree char *expected
    = g_compute_checksum_for_string (G_CHECKSUM_SHA256, canonical, strlen (canonical));
  g_autofree char *expected_told
    = g_compute_checksum_for_string (G_CHECKSUM_SHA256, told, strlen (told));

  g_test_summary ("pins that users keep must hold in later releases");
  g_assert_cmpstr (digest, ==, expected);
  g_assert_cmpstr (told_digest, ==, expected_told);
}

static GmcpJsonDoc *
make_list (guint n)
{
  g_autoptr (GString) json = g_string_new ("{\"tools\":[");
  g_autofree char *filler = g_strnfill (400, 'x');

  for (guint i = 0; i < n; i++)
    g_string_append_printf (
      json,
      "%s{\"name\":\"tool_%u\",\"description\":\"Does %u\",\"inputSchema\":{\"type\":\"object\","
      "\"properties\":{\"text\":{\"type\":\"string\",\"description\":\"%s\"}},"
      "\"required\":[\"text\"]}}",
      i > 0 ? "," : "", i, i, filler);
  g_string_append (json, "]}");
  return gmcp_json_doc_parse (json->str, json->len, NULL, 0, NULL);
}

static void
test_many (void)
{
  const guint n = g_test_perf () ? 10000 : 100;
  const guint n_runs = g_test_perf () ? 50 : 2;
  g_autoptr (GmcpJsonDoc) doc = make_list (n);
  g_autoptr (GPtrArray) tools = g_ptr_array_new_with_free_func (g_object_unref);
  GmcpJsonIter iter;
  GmcpJsonValue value;
  double best = G_MAXDOUBLE;

  for (guint run = 0; run < n_runs; run++)
    {
      g_ptr_array_set_size (tools, 0);
      g_test_timer_start ();
      gmcp_json_iter_init (&iter,
                           gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "tools"));
      while (gmcp_json_iter_next (&iter, NULL, &value))
        g_ptr_array_add (tools, gmcp_tool_new_from_value (value, NULL));
      best = MIN (best, g_test_timer_elapsed ());
    }

  g_assert_cmpuint (tools->len, ==, n);
  g_assert_cmpstr (
    gmcp_definition_get_description (GMCP_DEFINITION (g_ptr_array_index (tools, 99))), ==,
    "Does 99");
  g_test_minimized_result (best * 1000, "%u tools to objects: %.2f ms", n, best * 1000);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/protocol/tool/full", test_full);
  g_test_add_func ("/protocol/tool/bare", test_bare);
  g_test_add_func ("/protocol/tool/odd", test_odd);
  g_test_add_func ("/protocol/tool/bad", test_bad);
  g_test_add_func ("/protocol/tool/bad-long-name", test_bad_long_name);
  g_test_add_func ("/protocol/tool/listed", test_listed);
  g_test_add_func ("/protocol/tool/same", test_same);
  g_test_add_func ("/protocol/tool/digest-stable", test_digest_stable);
  g_test_add_func ("/protocol/tool/many", test_many);
  return g_test_run ();
}
