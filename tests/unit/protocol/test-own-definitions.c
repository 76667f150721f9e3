/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/protocol/gmcp-completion-result.h>
#include <gmcp/protocol/gmcp-icon.h>
#include <gmcp/protocol/gmcp-prompt-builder.h>
#include <gmcp/protocol/gmcp-prompt-result.h>
#include <gmcp/protocol/gmcp-prompt.h>
#include <gmcp/protocol/gmcp-resource-result.h>
#include <gmcp/protocol/gmcp-resource-template.h>
#include <gmcp/protocol/gmcp-resource.h>
#include <gmcp/protocol/gmcp-tool-builder.h>

#include "unit-test.h"

/* What a program that provides tools, resources and prompts of its own makes without writing JSON. */

static void
test_tool (void)
{
  static const char *const wrong[] = { "{", "[]", "7", "" };
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) bare = gmcp_tool_new ("count", NULL, NULL, &error);
  g_autoptr (GmcpTool) tool
    = gmcp_tool_new ("count", "Counts \"words\"", "{\"type\":\"object\"}", &error);
  g_autofree char *bare_json = gmcp_definition_dup_json (GMCP_DEFINITION (bare));
  g_autofree char *json = gmcp_definition_dup_json (GMCP_DEFINITION (tool));

  g_assert_no_error (error);
  g_assert_cmpstr (bare_json, ==, "{\"name\":\"count\"}");
  g_assert_cmpstr (json, ==,
                   "{\"name\":\"count\",\"description\":\"Counts \\\"words\\\"\","
                   "\"inputSchema\":{\"type\":\"object\"}}");

  g_assert_null (gmcp_tool_new ("", NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_clear_error (&error);
      g_assert_null (gmcp_tool_new ("count", NULL, wrong[i], &error));
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, "inputSchema of the tool “count”"));
    }
}

static void
test_builder (void)
{
  g_autoptr (GmcpToolBuilder) builder = gmcp_tool_builder_new ("erase");
  g_autoptr (GmcpTool) tool = NULL;
  g_autoptr (GmcpTool) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) icons = NULL;
  g_autofree char *json = NULL;

  gmcp_tool_builder_set_title (builder, "Erase");
  gmcp_tool_builder_set_description (builder, "Erases a disk");
  gmcp_tool_builder_set_input_schema_json (builder, "{\"type\": \"object\"}");
  gmcp_tool_builder_set_output_schema_json (builder, "{\"type\":\"array\"}");
  gmcp_tool_builder_set_meta_json (builder, "{\"org.example/a\":1}");
  gmcp_tool_builder_set_read_only (builder, FALSE);
  gmcp_tool_builder_set_destructive (builder, TRUE);
  gmcp_tool_builder_set_idempotent (builder, TRUE);
  gmcp_tool_builder_set_open_world (builder, FALSE);
  gmcp_tool_builder_set_task_support (builder, GMCP_TASK_SUPPORT_REQUIRED);
  gmcp_tool_builder_add_icon (builder, "https://example.org/\"a\".png", "image/png", "dark");
  gmcp_tool_builder_add_icon (builder, "data:image/png;base64,AA==", NULL, NULL);
  tool = gmcp_tool_builder_build (builder, &error);
  g_assert_no_error (error);
  json = gmcp_definition_dup_json (GMCP_DEFINITION (tool));
  g_assert_cmpstr (
    json, ==,
    "{\"name\":\"erase\",\"title\":\"Erase\",\"description\":\"Erases a disk\","
    "\"annotations\":{\"readOnlyHint\":false,\"destructiveHint\":true,"
    "\"idempotentHint\":true,\"openWorldHint\":false},"
    "\"execution\":{\"taskSupport\":\"required\"},"
    "\"icons\":[{\"src\":\"https://example.org/\\\"a\\\".png\","
    "\"mimeType\":\"image/png\",\"theme\":\"dark\"},{\"src\":\"data:image/png;base64,AA==\"}],"
    "\"inputSchema\":{\"type\": \"object\"},\"outputSchema\":{\"type\":\"array\"},"
    "\"_meta\":{\"org.example/a\":1}}");
  g_assert_false (gmcp_tool_is_read_only (tool));
  g_assert_true (gmcp_tool_is_idempotent (tool));
  g_assert_false (gmcp_tool_is_open_world (tool));
  g_assert_cmpint (gmcp_tool_get_task_support (tool), ==, GMCP_TASK_SUPPORT_REQUIRED);
  icons = gmcp_definition_list_icons (GMCP_DEFINITION (tool));
  g_assert_cmpuint (icons->len, ==, 2);
  g_assert_cmpstr (gmcp_icon_get_src (g_ptr_array_index (icons, 0)), ==,
                   "https://example.org/\"a\".png");

  gmcp_tool_builder_set_task_support (builder, GMCP_TASK_SUPPORT_FORBIDDEN);

  gmcp_tool_builder_set_title (builder, NULL);
  again = gmcp_tool_builder_build (builder, &error);
  g_assert_no_error (error);
  g_assert_null (gmcp_definition_get_title (GMCP_DEFINITION (again)));
  g_assert_cmpstr (gmcp_definition_get_title (GMCP_DEFINITION (tool)), ==, "Erase");

  gmcp_tool_builder_set_meta_json (builder, "[]");
  g_assert_null (gmcp_tool_builder_build (builder, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

static void
test_resource (void)
{
  g_autoptr (GmcpResource) resource = gmcp_resource_new ("note:1", "One", "text/plain");
  g_autoptr (GmcpResourceTemplate) templ = gmcp_resource_template_new ("note:{n}", "Notes", NULL);
  g_autofree char *resource_json = gmcp_definition_dup_json (GMCP_DEFINITION (resource));
  g_autofree char *template_json = gmcp_definition_dup_json (GMCP_DEFINITION (templ));

  g_assert_cmpstr (resource_json, ==,
                   "{\"uri\":\"note:1\",\"name\":\"One\",\"mimeType\":\"text/plain\"}");
  g_assert_cmpstr (template_json, ==, "{\"uriTemplate\":\"note:{n}\",\"name\":\"Notes\"}");
}

static void
test_resource_result (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("\0\1\2", 3);
  g_autoptr (GmcpResourceResult) text
    = gmcp_resource_result_new_text ("note:1", "text/plain", "to\nbe");
  g_autoptr (GmcpResourceResult) binary = gmcp_resource_result_new_bytes ("note:2", NULL, bytes);
  g_autoptr (GError) error = NULL;
  GBytes *read;

  g_assert_cmpuint (gmcp_resource_result_get_n_contents (text), ==, 1);
  g_assert_cmpstr (gmcp_resource_contents_get_text (gmcp_resource_result_get_contents (text, 0)),
                   ==, "to\nbe");
  read = gmcp_resource_contents_get_bytes (gmcp_resource_result_get_contents (binary, 0), &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (read, bytes));

  g_assert_null (gmcp_resource_result_new_from_json ("{\"contents\":1}", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (gmcp_resource_result_new_from_json ("contents", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
}

static void
test_prompt (void)
{
  g_autoptr (GPtrArray) arguments
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_prompt_argument_unref);
  g_autoptr (GmcpPrompt) bare = gmcp_prompt_new ("greet", NULL, NULL);
  g_autoptr (GmcpPrompt) prompt = NULL;
  g_autoptr (GmcpPromptResult) result = gmcp_prompt_result_new_text ("Greets", "Say hello");
  g_autoptr (GmcpPromptResult) from_json = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *bare_json = gmcp_definition_dup_json (GMCP_DEFINITION (bare));
  g_autofree char *json = NULL;
  g_autofree char *result_json = gmcp_prompt_result_dup_json (result);

  g_ptr_array_add (arguments, gmcp_prompt_argument_new ("name", "Whom", TRUE));
  g_ptr_array_add (arguments, gmcp_prompt_argument_new ("style", NULL, FALSE));
  prompt = gmcp_prompt_new ("greet", "Greets", arguments);
  json = gmcp_definition_dup_json (GMCP_DEFINITION (prompt));
  g_assert_cmpstr (bare_json, ==, "{\"name\":\"greet\"}");
  g_assert_cmpstr (json, ==,
                   "{\"name\":\"greet\",\"description\":\"Greets\",\"arguments\":["
                   "{\"name\":\"name\",\"description\":\"Whom\",\"required\":true},"
                   "{\"name\":\"style\",\"required\":false}]}");
  g_assert_cmpstr (result_json, ==,
                   "{\"description\":\"Greets\",\"messages\":[{\"role\":\"user\",\"content\":"
                   "{\"type\":\"text\",\"text\":\"Say hello\"}}]}");

  from_json = gmcp_prompt_result_new_from_json (result_json, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (gmcp_prompt_result_get_n_messages (from_json), ==, 1);
  g_assert_null (gmcp_prompt_result_new_from_json ("{}", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

static void
test_prompt_builder (void)
{
  GmcpPromptBuilder *builder = gmcp_prompt_builder_new ("greet");
  g_autoptr (GmcpPromptBuilder) unnamed = gmcp_prompt_builder_new ("");
  g_autoptr (GmcpPromptArgument) name = gmcp_prompt_argument_new ("name", "Whom", TRUE);
  g_autoptr (GmcpPromptArgument) style = gmcp_prompt_argument_new ("style", NULL, FALSE);
  g_autoptr (GmcpPrompt) bare = NULL;
  g_autoptr (GmcpPrompt) prompt = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *bare_json = NULL;
  g_autofree char *json = NULL;

  bare = gmcp_prompt_builder_build (builder, &error);
  g_assert_no_error (error);
  bare_json = gmcp_definition_dup_json (GMCP_DEFINITION (bare));
  g_assert_cmpstr (bare_json, ==, "{\"name\":\"greet\"}");

  gmcp_prompt_builder_set_title (builder, "Greeting");
  gmcp_prompt_builder_set_description (builder, "Greets");
  gmcp_prompt_builder_add_argument (builder, name);
  gmcp_prompt_builder_add_argument (builder, style);
  prompt = gmcp_prompt_builder_build (builder, &error);
  g_assert_no_error (error);
  json = gmcp_definition_dup_json (GMCP_DEFINITION (prompt));
  g_assert_cmpstr (json, ==,
                   "{\"name\":\"greet\",\"title\":\"Greeting\",\"description\":\"Greets\","
                   "\"arguments\":[{\"name\":\"name\",\"description\":\"Whom\",\"required\":true},"
                   "{\"name\":\"style\",\"required\":false}]}");

  g_assert_null (gmcp_prompt_builder_build (unnamed, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_finalize_object (builder);
}

static void
test_null_arguments (void)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();

  g_test_summary ("an array with a place that holds no argument is refused");
  g_ptr_array_add (arguments, NULL);
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*has_null (arguments)*");
  g_assert_null (gmcp_prompt_new ("greet", NULL, arguments));
  g_test_assert_expected_messages ();
}

static void
test_completion (void)
{
  const char *const values[] = { "python", "pytorch", NULL };
  g_autoptr (GmcpCompletionResult) few = gmcp_completion_result_new (values, -1, FALSE);
  g_autoptr (GmcpCompletionResult) many = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (g_strv_equal (gmcp_completion_result_get_values (few), values));
  g_assert_cmpint (gmcp_completion_result_get_total (few), ==, -1);
  g_assert_false (gmcp_completion_result_has_more (few));

  for (guint i = 0; i < 101; i++)
    g_ptr_array_add (names, (gpointer) "x");
  g_ptr_array_add (names, NULL);
  many = gmcp_completion_result_new ((const char *const *) names->pdata, 101, FALSE);
  g_assert_cmpuint (g_strv_length ((char **) gmcp_completion_result_get_values (many)), ==, 100);
  g_assert_cmpint (gmcp_completion_result_get_total (many), ==, 101);
  g_assert_true (gmcp_completion_result_has_more (many));

  g_assert_null (gmcp_completion_result_new_from_json ("{\"completion\":[]}", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/protocol/own-definitions/tool", test_tool);
  g_test_add_func ("/protocol/own-definitions/builder", test_builder);
  g_test_add_func ("/protocol/own-definitions/resource", test_resource);
  g_test_add_func ("/protocol/own-definitions/resource-result", test_resource_result);
  g_test_add_func ("/protocol/own-definitions/prompt", test_prompt);
  g_test_add_func ("/protocol/own-definitions/prompt-builder", test_prompt_builder);
  g_test_add_func ("/protocol/own-definitions/prompt-null-arguments", test_null_arguments);
  g_test_add_func ("/protocol/own-definitions/completion", test_completion);
  return g_test_run ();
}
