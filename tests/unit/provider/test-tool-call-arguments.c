/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* Arguments by their name, in whatever form the caller gave them. */

#define ARGUMENTS                                                                                  \
  "{\"text\":\"a \\\"b\\\" \\u00e4\",\"zero\":\"\\u0000\",\"empty\":\"\",\"whole\":2.0,"           \
  "\"large\":9223372036854775807,\"larger\":9223372036854775808,\"half\":-0.5,\"yes\":true,"       \
  "\"no\":false,\"nothing\":null,\"inner\":{\"text\":\"of another\"}}"

static void
assert_string (GmcpToolCall *call, const char *name, const char *expected)
{
  g_autofree char *text = gmcp_tool_call_dup_string_argument (call, name);

  g_assert_cmpstr (text, ==, expected);
}

static void
check_arguments (GmcpToolCall *call, gpointer data)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("checked");

  assert_string (call, "text", "a \"b\" ä");
  assert_string (call, "zero", "\357\277\275");
  assert_string (call, "empty", "");
  assert_string (call, "half", NULL);
  assert_string (call, "nothing", NULL);
  assert_string (call, "none", NULL);

  g_assert_cmpint (gmcp_tool_call_get_int64_argument (call, "whole", 7), ==, 2);
  g_assert_cmpint (gmcp_tool_call_get_int64_argument (call, "large", 7), ==, G_MAXINT64);
  g_assert_cmpint (gmcp_tool_call_get_int64_argument (call, "larger", 7), ==, 7);
  g_assert_cmpint (gmcp_tool_call_get_int64_argument (call, "half", 7), ==, 7);
  g_assert_cmpint (gmcp_tool_call_get_int64_argument (call, "text", -7), ==, -7);
  g_assert_cmpint (gmcp_tool_call_get_int64_argument (call, "none", 7), ==, 7);

  g_assert_cmpfloat (gmcp_tool_call_get_double_argument (call, "half", 7), ==, -0.5);
  g_assert_cmpfloat (gmcp_tool_call_get_double_argument (call, "whole", 7), ==, 2);
  g_assert_cmpfloat (gmcp_tool_call_get_double_argument (call, "yes", 7), ==, 7);
  g_assert_cmpfloat (gmcp_tool_call_get_double_argument (call, "none", 7), ==, 7);

  g_assert_true (gmcp_tool_call_get_boolean_argument (call, "yes", FALSE));
  g_assert_false (gmcp_tool_call_get_boolean_argument (call, "no", TRUE));
  g_assert_true (gmcp_tool_call_get_boolean_argument (call, "nothing", TRUE));
  g_assert_false (gmcp_tool_call_get_boolean_argument (call, "whole", FALSE));
  g_assert_true (gmcp_tool_call_get_boolean_argument (call, "none", TRUE));

  g_assert_true (gmcp_tool_call_has_argument (call, "nothing"));
  g_assert_true (gmcp_tool_call_has_argument (call, "inner"));
  g_assert_false (gmcp_tool_call_has_argument (call, "none"));
  g_assert_false (gmcp_tool_call_has_argument (call, ""));
  gmcp_tool_call_return_result (call, result);
}

static void
check_none (GmcpToolCall *call, gpointer data)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("checked");

  g_assert_false (gmcp_tool_call_has_argument (call, "text"));
  assert_string (call, "text", NULL);
  g_assert_cmpint (gmcp_tool_call_get_int64_argument (call, "text", 7), ==, 7);
  gmcp_tool_call_return_result (call, result);
}

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
assert_checked (GmcpToolProvider *provider, GAsyncResult **result)
{
  g_autoptr (GmcpToolResult) answer = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  answer = gmcp_tool_provider_call_tool_finish (provider, *result, &error);
  g_assert_no_error (error);
  text = gmcp_tool_result_dup_text (answer);
  g_assert_cmpstr (text, ==, "checked");
}

static GmcpToolProvider *
make_provider (GmcpToolFunc func)
{
  GmcpToolRegistry *registry = gmcp_tool_registry_new ();
  g_autoptr (GmcpTool) tool = gmcp_tool_new ("tool", NULL, NULL, NULL);

  gmcp_tool_registry_add_tool (registry, tool, func, NULL, NULL, NULL);
  return GMCP_TOOL_PROVIDER (registry);
}

static void
test_json (void)
{
  g_autoptr (GmcpToolProvider) provider = make_provider (check_arguments);
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_tool_provider_call_tool_json_async (provider, "tool", ARGUMENTS, NULL, NULL, on_result,
                                           &result);
  assert_checked (provider, &result);
}

static void
test_node (void)
{
  g_autoptr (GmcpToolProvider) provider = make_provider (check_arguments);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) arguments = json_from_string (ARGUMENTS, &error);

  g_assert_no_error (error);
  /* What a tree has no number for is none that can be given by one. */
  json_object_set_int_member (json_node_get_object (arguments), "large", G_MAXINT64);
  json_object_set_double_member (json_node_get_object (arguments), "larger", 9223372036854775808.0);
  json_object_set_string_member (json_node_get_object (arguments), "zero", "\357\277\275");
  gmcp_tool_provider_call_tool_async (provider, "tool", arguments, NULL, NULL, on_result, &result);
  assert_checked (provider, &result);
}

static void
test_none (void)
{
  g_autoptr (GmcpToolProvider) provider = make_provider (check_none);
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_tool_provider_call_tool_json_async (provider, "tool", NULL, NULL, NULL, on_result, &result);
  assert_checked (provider, &result);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/provider/tool-call-arguments/json", test_json);
  g_test_add_func ("/provider/tool-call-arguments/node", test_node);
  g_test_add_func ("/provider/tool-call-arguments/none", test_none);

  return g_test_run ();
}
