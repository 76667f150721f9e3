/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/provider/desktop/gmcp-object-tools.h>

#include "hinted-box.h"
#include "list-provider.h"

/* What the authors of a library say of its methods, in data that g-ir-scanner and g-ir-compiler made of its sources. */

static char *
dup_annotations (GmcpObjectTools *tools)
{
  g_autoptr (GmcpTool) tool
    = g_list_model_get_item (gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (tools)), 0);
  g_autofree char *json = gmcp_definition_dup_json (GMCP_DEFINITION (tool));
  const char *start = strstr (json, "\"annotations\":");

  g_assert_nonnull (start);
  start += strlen ("\"annotations\":");
  return g_strndup (start, strcspn (start, "}") + 1);
}

static void
assert_annotations (const char *method, const char *said_json, const char *expected)
{
  g_autoptr (HintedBox) box = hinted_box_new ();
  g_autoptr (GmcpObjectTools) tools = gmcp_object_tools_new (G_OBJECT (box));
  g_autoptr (GmcpTool) said = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *annotations = NULL;

  if (said_json != NULL)
    said = gmcp_tool_new_from_json (said_json, &error);
  g_assert_no_error (error);
  gmcp_object_tools_add_method (tools, method, said, &error);
  g_assert_no_error (error);
  annotations = dup_annotations (tools);
  g_assert_cmpstr (annotations, ==, expected);
}

static void
test_values (void)
{
  g_test_summary ("each attribute is a hint, whether true or false");
  assert_annotations ("count", NULL, "{\"readOnlyHint\":true}");
  assert_annotations ("empty", NULL,
                      "{\"destructiveHint\":true,\"idempotentHint\":true,\"openWorldHint\":true}");
  assert_annotations ("add", NULL,
                      "{\"readOnlyHint\":false,\"destructiveHint\":false,"
                      "\"idempotentHint\":false,\"openWorldHint\":false}");
}

static void
test_wrong (void)
{
  g_test_summary ("another value, or another name, is no hint");
  assert_annotations ("shake", NULL, "{}");
  assert_annotations ("turn", NULL, "{}");
}

static void
test_given (void)
{
  g_test_summary ("what the program says stands in place of what the library says");
  assert_annotations ("empty",
                      "{\"name\":\"clear\",\"annotations\":{\"idempotentHint\":false,"
                      "\"title\":\"Clear\"}}",
                      "{\"destructiveHint\":true,\"idempotentHint\":false,\"openWorldHint\":true,"
                      "\"title\":\"Clear\"}");
}

static void
test_call (void)
{
  g_autoptr (HintedBox) box = hinted_box_new ();
  g_autoptr (GmcpObjectTools) tools = gmcp_object_tools_new (G_OBJECT (box));
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpToolResult) given = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a method is found in the library that the data name");
  gmcp_object_tools_add_method (tools, "add", NULL, &error);
  g_assert_no_error (error);
  gmcp_tool_provider_call_tool_json_async (GMCP_TOOL_PROVIDER (tools), "add", "{\"n\":3}", NULL,
                                           NULL, list_provider_store_result, &result);
  given = gmcp_tool_provider_call_tool_json_finish (GMCP_TOOL_PROVIDER (tools),
                                                    list_provider_wait (&result), &error);
  g_assert_no_error (error);
  g_assert_false (gmcp_tool_result_is_error (given));
  g_assert_cmpuint (hinted_box_count (box), ==, 3);
}

int
main (int argc, char *argv[])
{
  g_autofree char *data = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  g_test_init (&argc, &argv, NULL);
  data = g_test_build_filename (G_TEST_BUILT, "unit", "provider", "desktop", NULL);
  path = g_strjoin (":", data, g_getenv ("GI_TYPELIB_PATH"), NULL);
  g_setenv ("GI_TYPELIB_PATH", path, TRUE);
  gmcp_object_tools_require ("Hinted", "1", &error);
  g_assert_no_error (error);

  g_test_add_func ("/object-hints/values", test_values);
  g_test_add_func ("/object-hints/wrong", test_wrong);
  g_test_add_func ("/object-hints/given", test_given);
  g_test_add_func ("/object-hints/call", test_call);
  return g_test_run ();
}
