/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/desktop/gmcp-action-tools.h>
#include <gmcp/provider/registry/gmcp-tool-registry.h>

#include "list-provider.h"
#include "unit-test.h"

typedef struct
{
  GSimpleActionGroup *group;
  GmcpActionTools *tools;
  GString *log; /* what was activated */
  GString *changes;
} Fixture;

static void
on_activate (GSimpleAction *action, GVariant *parameter, Fixture *fixture)
{
  g_autofree char *text = parameter != NULL ? g_variant_print (parameter, TRUE) : g_strdup ("");

  g_string_append_printf (fixture->log, "%s(%s)", g_action_get_name (G_ACTION (action)), text);
}

static void
on_items_changed (GListModel *list, guint position, guint removed, guint added, Fixture *fixture)
{
  g_string_append_printf (fixture->changes, "%u-%u+%u ", position, removed, added);
}

static void
assert_changes (Fixture *fixture, const char *expected)
{
  g_assert_cmpstr (fixture->changes->str, ==, expected);
  g_string_truncate (fixture->changes, 0);
}

static GSimpleAction *
add_action (Fixture *fixture, const char *name, const char *type, const char *state)
{
  g_autoptr (GSimpleAction) action
    = state != NULL ? g_simple_action_new_stateful (
        name, type != NULL ? G_VARIANT_TYPE (type) : NULL, g_variant_new_parsed (state))
                    : g_simple_action_new (name, type != NULL ? G_VARIANT_TYPE (type) : NULL);

  if (state == NULL)
    g_signal_connect (action, "activate", G_CALLBACK (on_activate), fixture);
  g_action_map_add_action (G_ACTION_MAP (fixture->group), G_ACTION (action));
  return action;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->group = g_simple_action_group_new ();
  fixture->tools = gmcp_action_tools_new (G_ACTION_GROUP (fixture->group));
  fixture->log = g_string_new (NULL);
  fixture->changes = g_string_new (NULL);
  g_signal_connect (gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (fixture->tools)),
                    "items-changed", G_CALLBACK (on_items_changed), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->tools);
  g_assert_finalize_object (fixture->group);
  g_string_free (fixture->log, TRUE);
  g_string_free (fixture->changes, TRUE);
}

static void
assert_lists (Fixture *fixture, const char *expected)
{
  GListModel *tools = gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (fixture->tools));
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (tools); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      g_string_append_printf (names, "%s%s", i > 0 ? " " : "",
                              gmcp_definition_get_name (GMCP_DEFINITION (tool)));
    }
  g_assert_cmpstr (names->str, ==, expected);
}

static GmcpTool *
find_tool (Fixture *fixture, const char *name)
{
  g_autoptr (GError) error = NULL;
  GmcpTool *tool = gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (fixture->tools), name, &error);

  g_assert_no_error (error);
  return tool;
}

static void
assert_input (Fixture *fixture, const char *name, const char *expected)
{
  g_autoptr (GmcpTool) tool = find_tool (fixture, name);
  g_autofree char *schema = gmcp_tool_dup_input_schema_json (tool);

  g_assert_cmpstr (schema, ==, expected);
}

static void
assert_output (Fixture *fixture, const char *name, const char *expected)
{
  g_autoptr (GmcpTool) tool = find_tool (fixture, name);
  g_autofree char *schema = gmcp_tool_dup_output_schema_json (tool);

  g_assert_cmpstr (schema, ==, expected);
}

/* What a call answers with: its structured content or its text, after an ! where it is an error. */
static void
assert_answers (Fixture *fixture, const char *name, const char *arguments, const char *expected)
{
  g_autoptr (GAsyncResult) async = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autofree char *structured = NULL;
  g_autofree char *answer = NULL;

  gmcp_tool_provider_call_tool_json_async (GMCP_TOOL_PROVIDER (fixture->tools), name, arguments,
                                           NULL, NULL, list_provider_store_result, &async);
  result = gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (fixture->tools),
                                                list_provider_wait (&async), &error);
  g_assert_no_error (error);
  structured = gmcp_tool_result_dup_structured_content_json (result);
  answer = g_strconcat (gmcp_tool_result_is_error (result) ? "!" : "",
                        structured != NULL ? structured : gmcp_tool_result_get_text (result), NULL);
  g_test_message ("%s %s: %s", name, arguments, answer);
  if (expected[0] == '!')
    {
      g_assert_cmpint (answer[0], ==, '!');
      g_assert_nonnull (strstr (answer, expected + 1));
    }
  else
    {
      g_assert_cmpstr (answer, ==, expected);
    }
}

static void
assert_logged (Fixture *fixture, const char *expected)
{
  g_assert_cmpstr (fixture->log->str, ==, expected);
  g_string_truncate (fixture->log, 0);
}

static void
assert_added (Fixture *fixture, const char *action)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (gmcp_action_tools_add_action (fixture->tools, action, NULL, &error));
  g_assert_no_error (error);
}

static void
test_activate (Fixture *fixture, gconstpointer data)
{
  add_action (fixture, "quit", NULL, NULL);
  add_action (fixture, "other", NULL, NULL);
  add_action (fixture, "open", "s", NULL);
  add_action (fixture, "add", "(sa{sv})", NULL);
  add_action (fixture, "maybe", "mi", NULL);
  assert_lists (fixture, "");

  assert_added (fixture, "quit");
  assert_changes (fixture, "0-0+1 ");
  assert_input (fixture, "quit", "{\"type\":\"object\",\"additionalProperties\":false}");
  assert_output (fixture, "quit", NULL);
  assert_answers (fixture, "quit", NULL, "“quit” was activated.");
  assert_logged (fixture, "quit()");
  assert_answers (fixture, "quit", "{\"x\":1}", "!x");
  assert_logged (fixture, "");

  assert_added (fixture, "open");
  assert_input (fixture, "open",
                "{\"type\":\"object\",\"properties\":{\"parameter\":{\"type\":\"string\"}},"
                "\"required\":[\"parameter\"],\"additionalProperties\":false}");
  assert_answers (fixture, "open", "{\"parameter\":\"a\"}", "“open” was activated.");
  assert_logged (fixture, "open('a')");
  assert_answers (fixture, "open", "{}", "!parameter");
  assert_answers (fixture, "open", "{\"parameter\":1}", "!parameter");
  assert_answers (fixture, "open", "{\"parameter\":\"a\\u0000\"}", "!“parameter” has a character");
  assert_logged (fixture, "");

  assert_added (fixture, "add");
  assert_answers (fixture, "add", "{\"parameter\":[\"a\",{\"n\":1,\"t\":{\"@u\":5}}]}",
                  "“add” was activated.");
  assert_logged (fixture, "add(('a', {'n': <int64 1>, 't': <uint32 5>}))");
  assert_answers (fixture, "add", "{\"parameter\":[\"a\",{\"n\":null}]}",
                  "!“parameter[1].n” cannot be null");
  assert_added (fixture, "maybe");
  assert_answers (fixture, "maybe", "{}", "“maybe” was activated.");
  assert_logged (fixture, "maybe(@mi nothing)");
  assert_answers (fixture, "maybe", "{\"parameter\":5}", "“maybe” was activated.");
  assert_logged (fixture, "maybe(@mi 5)");
  assert_lists (fixture, "quit open add maybe");
}

static void
test_state (Fixture *fixture, gconstpointer data)
{
  GSimpleAction *zoom = add_action (fixture, "zoom", NULL, "50");
  g_autoptr (GVariant) hint = NULL;
  g_autoptr (GError) error = NULL;

  add_action (fixture, "dark", NULL, "false");
  add_action (fixture, "view", "s", "'list'");
  add_action (fixture, "plain", NULL, NULL);
  add_action (fixture, "strange", NULL, "1.0");
  /* GLib 2.74 does not sink it. */
  hint = g_variant_ref_sink (g_variant_new_parsed ("(10,200)"));
  g_simple_action_set_state_hint (zoom, hint);

  assert_added (fixture, "dark");
  assert_answers (fixture, "dark", NULL, "{\"state\":true}");
  assert_answers (fixture, "dark", "{}", "{\"state\":false}");
  assert_added (fixture, "view");
  assert_answers (fixture, "view", "{\"parameter\":\"grid\"}", "{\"state\":\"grid\"}");

  g_assert_true (gmcp_action_tools_add_state_reader (fixture->tools, "zoom", NULL, &error));
  g_assert_no_error (error);
  assert_output (fixture, "get-zoom",
                 "{\"type\":\"object\",\"properties\":{\"state\":{\"type\":\"integer\","
                 "\"minimum\":-2147483648,\"maximum\":2147483647}},\"required\":[\"state\"],"
                 "\"additionalProperties\":false}");
  assert_answers (fixture, "get-zoom", NULL, "{\"state\":50}");
  g_assert_true (gmcp_action_tools_add_state_setter (fixture->tools, "zoom", NULL, &error));
  g_assert_no_error (error);
  assert_input (fixture, "set-zoom",
                "{\"type\":\"object\",\"properties\":{\"state\":{\"type\":\"integer\",\"minimum\":"
                "10,\"maximum\":200}},\"required\":[\"state\"],\"additionalProperties\":false}");
  assert_answers (fixture, "set-zoom", "{\"state\":80}", "{\"state\":80}");
  assert_answers (fixture, "get-zoom", NULL, "{\"state\":80}");
  assert_answers (fixture, "set-zoom", "{\"state\":5}", "!state");
  assert_answers (fixture, "set-zoom", "{\"state\":500}", "!state");
  assert_answers (fixture, "get-zoom", NULL, "{\"state\":80}");

  g_assert_false (gmcp_action_tools_add_state_reader (fixture->tools, "plain", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);

  g_test_message ("a state that JSON does not have");
  g_clear_error (&error);
  gmcp_action_tools_add_state_reader (fixture->tools, "strange", NULL, &error);
  g_assert_no_error (error);
  g_action_group_change_action_state (G_ACTION_GROUP (fixture->group), "strange",
                                      g_variant_new_parsed ("inf"));
  assert_answers (fixture, "get-strange", NULL, "!infinite");
}

static void
test_hints (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTool) reader = NULL;
  g_autoptr (GmcpTool) setter = NULL;

  add_action (fixture, "zoom", NULL, "50");
  gmcp_action_tools_add_state_reader (fixture->tools, "zoom", NULL, NULL);
  gmcp_action_tools_add_state_setter (fixture->tools, "zoom", NULL, NULL);
  reader = find_tool (fixture, "get-zoom");
  setter = find_tool (fixture, "set-zoom");
  g_assert_true (gmcp_tool_is_read_only (reader));
  g_assert_false (gmcp_tool_is_read_only (setter));
  g_assert_true (gmcp_tool_is_idempotent (setter));
}

static void
test_edited (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) named = gmcp_tool_new ("open_file", "Opens a file", NULL, NULL);
  g_autoptr (GmcpTool) schema = gmcp_tool_new (
    "show", NULL,
    "{\"type\":\"object\",\"properties\":{\"page\":{\"enum\":[\"a\",\"b\"]}},\"required\":[\"page\"]}",
    NULL);
  g_autoptr (GmcpTool) hinted = gmcp_tool_new_from_json (
    "{\"name\":\"ask\",\"annotations\":{\"destructiveHint\":false}}", NULL);
  g_autoptr (GmcpTool) empty = g_object_new (GMCP_TYPE_TOOL, NULL);
  g_autoptr (GmcpTool) wrong = gmcp_tool_new (
    "wrong", NULL, "{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{}}}", NULL);
  g_autoptr (GmcpTool) found = NULL;
  g_autoptr (GmcpTool) asked = NULL;

  add_action (fixture, "open", "s", NULL);
  add_action (fixture, "zoom", NULL, "50");
  g_assert_true (gmcp_action_tools_add_action (fixture->tools, "open", named, &error));
  g_assert_true (gmcp_action_tools_add_action (fixture->tools, "open", schema, &error));
  g_assert_true (gmcp_action_tools_add_state_reader (fixture->tools, "zoom", hinted, &error));
  g_assert_no_error (error);
  assert_lists (fixture, "open_file show ask");
  found = find_tool (fixture, "open_file");
  g_assert_cmpstr (gmcp_definition_get_description (GMCP_DEFINITION (found)), ==, "Opens a file");
  assert_answers (fixture, "open_file", "{\"parameter\":\"x\"}", "“open” was activated.");
  assert_answers (fixture, "show", "{\"page\":\"a\"}", "“open” was activated.");
  assert_answers (fixture, "show", "{\"page\":\"c\"}", "!page");
  assert_logged (fixture, "open('x')open('a')");
  asked = find_tool (fixture, "ask");
  g_assert_true (gmcp_tool_is_read_only (asked));
  g_assert_false (gmcp_tool_is_destructive (asked));

  g_test_message ("names that are taken or none, and schemas that do not fit");
  g_assert_false (gmcp_action_tools_add_action (fixture->tools, "open", named, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (gmcp_action_tools_add_action (fixture->tools, "open", empty, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (gmcp_action_tools_add_action (fixture->tools, "a/b", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (gmcp_action_tools_add_action (fixture->tools, "open", wrong, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_true (gmcp_action_tools_remove_tool (fixture->tools, "show"));
  g_assert_false (gmcp_action_tools_remove_tool (fixture->tools, "show"));
  g_assert_false (gmcp_action_tools_remove_tool (fixture->tools, "wrong"));
  assert_lists (fixture, "open_file ask");
}

static void
count_notice (GmcpToolProvider *provider,
              const char *server,
              GmcpNoticeLevel level,
              const char *message,
              guint *n_notices)
{
  ++*n_notices;
}

static void
test_live (Fixture *fixture, gconstpointer data)
{
  GSimpleAction *action;
  guint n_notices = 0;

  g_signal_connect (fixture->tools, "notice", G_CALLBACK (count_notice), &n_notices);
  assert_added (fixture, "late");
  assert_lists (fixture, "");
  action = add_action (fixture, "late", "s", NULL);
  assert_lists (fixture, "late");
  assert_changes (fixture, "0-0+1 ");

  g_simple_action_set_enabled (action, FALSE);
  assert_changes (fixture, "");
  assert_answers (fixture, "late", "{\"parameter\":\"a\"}", "!disabled");
  gmcp_action_tools_set_hides_disabled (fixture->tools, TRUE);
  assert_changes (fixture, "0-1+0 ");
  g_simple_action_set_enabled (action, TRUE);
  assert_changes (fixture, "0-0+1 ");
  g_simple_action_set_enabled (action, FALSE);
  assert_changes (fixture, "0-1+0 ");
  gmcp_action_tools_set_hides_disabled (fixture->tools, FALSE);
  assert_changes (fixture, "0-0+1 ");

  g_action_map_remove_action (G_ACTION_MAP (fixture->group), "late");
  assert_changes (fixture, "0-1+0 ");
  g_test_message ("another action of that name, which JSON cannot give its parameter");
  g_assert_cmpuint (n_notices, ==, 0);
  add_action (fixture, "late", "h", NULL);
  g_assert_cmpuint (n_notices, ==, 1);
  assert_lists (fixture, "");
  g_test_message ("and one that takes another one's place");
  add_action (fixture, "late", "i", NULL);
  assert_lists (fixture, "late");
  assert_answers (fixture, "late", "{\"parameter\":7}", "“late” was activated.");
  assert_logged (fixture, "late(7)");
  g_assert_true (gmcp_action_tools_remove_tool (fixture->tools, "late"));
  add_action (fixture, "late", "i", NULL);
  assert_lists (fixture, "");
}

static void
remove_all (GSimpleAction *action, GVariant *parameter, Fixture *fixture)
{
  gmcp_action_tools_remove_tool (fixture->tools, "suicide");
  g_action_map_remove_action (G_ACTION_MAP (fixture->group), "suicide");
}

static void
test_removed_by_itself (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new ("suicide", NULL);

  g_signal_connect (action, "activate", G_CALLBACK (remove_all), fixture);
  g_action_map_add_action (G_ACTION_MAP (fixture->group), G_ACTION (action));
  assert_added (fixture, "suicide");
  assert_answers (fixture, "suicide", NULL, "“suicide” was activated.");
  assert_lists (fixture, "");
}

static void
test_registry (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpToolRegistry) registry = gmcp_tool_registry_new ();
  g_autoptr (GmcpTool) tool = NULL;
  g_autoptr (GError) error = NULL;

  add_action (fixture, "win.zoom-in", NULL, NULL);
  assert_added (fixture, "win.zoom-in");
  g_assert_true (gmcp_tool_registry_add_provider (registry, "window",
                                                  GMCP_TOOL_PROVIDER (fixture->tools), &error));
  g_assert_no_error (error);
  tool = gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (registry), "win.zoom-in", &error);
  g_assert_no_error (error);
  gmcp_tool_registry_remove_provider (registry, "window");
}

/* Before an application is registered GLib does not let it be asked. */
static void
test_application (void)
{
  g_autoptr (GApplication) application
    = g_application_new ("org.example.Tools", G_APPLICATION_NON_UNIQUE);
  g_autoptr (GSimpleAction) action = g_simple_action_new ("quit", NULL);
  g_autoptr (GmcpActionTools) tools = gmcp_action_tools_new (G_ACTION_GROUP (application));
  GListModel *list = gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (tools));
  g_autoptr (GError) error = NULL;

  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (action));
  g_assert_true (gmcp_action_tools_add_action (tools, "quit", NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 0);
  g_application_register (application, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 1);
}

static void
test_empty (void)
{
  g_autoptr (GmcpActionTools) tools = g_object_new (GMCP_TYPE_ACTION_TOOLS, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (gmcp_action_tools_get_action_group (tools));
  gmcp_action_tools_set_hides_disabled (tools, TRUE);
  g_assert_false (gmcp_action_tools_add_action (tools, "a", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_false (gmcp_action_tools_remove_tool (tools, ""));
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define add(path, func)                                                                            \
  g_test_add ("/provider/desktop/action-tools/" path, Fixture, NULL, set_up, func, tear_down)
  add ("activate", test_activate);
  add ("state", test_state);
  add ("hints", test_hints);
  add ("edited", test_edited);
  add ("live", test_live);
  add ("removed-by-itself", test_removed_by_itself);
  add ("registry", test_registry);
  g_test_add_func ("/provider/desktop/action-tools/application", test_application);
  g_test_add_func ("/provider/desktop/action-tools/empty", test_empty);

  return g_test_run ();
}
