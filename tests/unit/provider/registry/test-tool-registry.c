/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/provider/registry/gmcp-meta-tools.h>
#include <gmcp/provider/registry/gmcp-tool-registry.h>

#include "gmcp-tool-private.h"
#include "gmcp-tool-provider-private.h"
#include "list-provider.h"
#include "unit-test.h"

#define COUNT_SCHEMA                                                                               \
  "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}},\"required\":[\"text\"]}"

/* The listed names. */
static void
assert_lists (gpointer provider, const char *expected)
{
  GListModel *tools = gmcp_tool_provider_get_tools (provider);
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (tools); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      g_string_append_printf (names, "%s%s", i > 0 ? " " : "",
                              gmcp_definition_get_name (GMCP_DEFINITION (tool)));
    }
  g_assert_cmpstr (names->str, ==, expected);
}

static GmcpToolResult *
call (gpointer provider,
      const char *name,
      const char *arguments,
      GmcpCallOptions *options,
      GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_tool_provider_call_tool_json_async (provider, name, arguments, options, NULL,
                                           list_provider_store_result, &result);
  return gmcp_tool_provider_call_tool_finish (provider, list_provider_wait (&result), error);
}

static void
assert_gives (gpointer provider, const char *name, const char *arguments, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = call (provider, name, arguments, NULL, &error);

  g_assert_no_error (error);
  g_assert_false (gmcp_tool_result_is_error (result));
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, expected);
}

static void
assert_refused (gpointer provider, const char *name, const char *arguments, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = call (provider, name, arguments, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (gmcp_tool_result_is_error (result));
  g_assert_nonnull (strstr (gmcp_tool_result_get_text (result), part));
}

static void
assert_fails (gpointer provider, const char *name, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (call (provider, name, NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, code);
}

static void
load (gpointer provider, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_tool_provider_load_async (provider, NULL, list_provider_store_result, &result);
  gmcp_tool_provider_load_finish (provider, list_provider_wait (&result), error);
}

static void
add_provider (GmcpToolRegistry *registry, const char *id, ListProvider *provider)
{
  g_autoptr (GError) error = NULL;

  gmcp_tool_registry_add_provider (registry, id, GMCP_TOOL_PROVIDER (provider), &error);
  g_assert_no_error (error);
}

static void
count_text (GmcpToolCall *own_call, gpointer data)
{
  guint *n_calls = data;
  g_autofree char *text
    = g_strdup_printf ("%s %u", gmcp_tool_call_get_arguments_json (own_call), ++*n_calls);
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  gmcp_tool_call_return_result (own_call, result);
}

static void
forget_call (GmcpToolCall *own_call, gpointer data)
{
}

static void
count_down (gpointer data)
{
  --*(int *) data;
}

static void
test_own (void)
{
  GmcpToolRegistry *registry = gmcp_tool_registry_new ();
  g_autoptr (GError) error = NULL;
  guint n_calls = 0;
  int n_alive = 3;

  g_assert_true (gmcp_tool_registry_add_function (registry, "count", "Counts", COUNT_SCHEMA,
                                                  count_text, &n_calls, NULL, &error));
  g_assert_no_error (error);
  assert_lists (registry, "count");
  assert_gives (registry, "count", "{\"text\":\"a\"}", "{\"text\":\"a\"} 1");

  g_test_message ("arguments that do not fit never reach the function");
  assert_refused (registry, "count", "{}", "text");
  assert_refused (registry, "count", NULL, "text");
  assert_refused (registry, "count", "{\"text\":1}", "count");
  g_assert_cmpuint (n_calls, ==, 1);

  g_assert_false (gmcp_tool_registry_add_function (registry, "count", NULL, NULL, forget_call,
                                                   &n_alive, count_down, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_cmpint (n_alive, ==, 2);
  g_clear_error (&error);
  g_assert_false (gmcp_tool_registry_add_function (registry, "bad", NULL, "{\"type\":7}",
                                                   forget_call, &n_alive, count_down, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_cmpint (n_alive, ==, 1);
  g_clear_error (&error);
  g_assert_false (
    gmcp_tool_registry_add_function (registry, "bad", NULL, "{", forget_call, NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
  g_clear_error (&error);

  g_assert_true (gmcp_tool_registry_add_function (registry, "forget", NULL, NULL, forget_call,
                                                  &n_alive, count_down, &error));
  assert_fails (registry, "forget", GMCP_ERROR_FAILED);
  g_assert_true (gmcp_tool_registry_remove_tool (registry, "forget"));
  g_assert_false (gmcp_tool_registry_remove_tool (registry, "forget"));
  g_assert_cmpint (n_alive, ==, 0);
  assert_fails (registry, "forget", GMCP_ERROR_UNKNOWN_TOOL);
  assert_lists (registry, "count");
  g_assert_finalize_object (registry);
}

static void
test_names (void)
{
  GmcpToolRegistry *registry = gmcp_tool_registry_new ();
  ListProvider *first = list_provider_new ();
  ListProvider *second = list_provider_new ();
  g_autoptr (GmcpTool) listed = NULL;
  g_autoptr (GmcpTool) qualified = NULL;
  g_autoptr (GmcpTool) found = NULL;
  g_autoptr (GError) error = NULL;
  guint n_calls = 0;

  list_provider_add (first, "read", NULL, NULL, NULL);
  list_provider_add (first, "read", NULL, "the same name again", NULL);
  list_provider_add (second, "read", NULL, NULL, NULL);
  listed = list_provider_make_tool ("list.all", NULL, NULL, NULL);
  qualified = gmcp_tool_new_listed (listed, "tasks", "tasks__list_all");
  g_list_store_append (second->tools, qualified);

  add_provider (registry, "one", first);
  add_provider (registry, "two", second);
  g_assert_false (
    gmcp_tool_registry_add_provider (registry, "one", GMCP_TOOL_PROVIDER (second), &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (
    gmcp_tool_registry_add_provider (registry, "host", GMCP_TOOL_PROVIDER (second), &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  assert_lists (registry, "read two__read tasks__list_all");

  gmcp_tool_registry_add_function (registry, "read", NULL, NULL, count_text, &n_calls, NULL, NULL);
  assert_lists (registry, "host__read read two__read tasks__list_all");
  assert_gives (registry, "read", "{\"a\":1}", "read {\"a\":1}");
  g_assert_cmpuint (first->n_calls, ==, 1);
  assert_gives (registry, "two__read", NULL, "read {}");
  g_assert_cmpuint (second->n_calls, ==, 1);
  assert_gives (registry, "host__read", NULL, "{} 1");

  g_test_message ("names that only the provider knows");
  assert_gives (registry, "tasks__list_all", NULL, "tasks__list_all {}");
  assert_gives (registry, "tasks.list.all", NULL, "tasks__list_all {}");
  found = gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (registry), "tasks.list.all", NULL);
  g_assert_cmpstr (gmcp_tool_get_server_id (found), ==, "tasks");
  assert_fails (registry, "nothing", GMCP_ERROR_UNKNOWN_TOOL);

  g_test_message ("changes; a name stays with its tool");
  list_provider_add (first, "write", NULL, NULL, NULL);
  assert_lists (registry, "host__read read write two__read tasks__list_all");
  g_list_store_remove_all (first->tools);
  assert_lists (registry, "host__read two__read tasks__list_all");
  assert_fails (registry, "read", GMCP_ERROR_UNKNOWN_TOOL);
  list_provider_add (first, "read", NULL, NULL, NULL);
  assert_lists (registry, "host__read read two__read tasks__list_all");
  g_assert_true (gmcp_tool_registry_remove_provider (registry, "one"));
  g_assert_false (gmcp_tool_registry_remove_provider (registry, "one"));
  g_assert_false (gmcp_tool_registry_remove_provider (registry, "host"));
  assert_lists (registry, "host__read two__read tasks__list_all");
  list_provider_add (first, "later", NULL, NULL, NULL);
  assert_lists (registry, "host__read two__read tasks__list_all");

  g_assert_finalize_object (registry);
  g_assert_finalize_object (first);
  g_assert_finalize_object (second);
}

static void
test_load (void)
{
  GmcpToolRegistry *registry = gmcp_tool_registry_new ();
  ListProvider *good = list_provider_new ();
  ListProvider *bad = list_provider_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *instructions = NULL;

  load (registry, &error);
  g_assert_no_error (error);

  bad->load_error = g_strdup ("No file");
  bad->instructions = g_strdup ("Be careful");
  good->instructions = g_strdup ("Be quick");
  add_provider (registry, "bad", bad);
  load (registry, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_clear_error (&error);

  g_test_message ("one of several that fails is left out");
  add_provider (registry, "good", good);
  load (registry, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (good->n_loads, ==, 1);
  g_assert_cmpuint (bad->n_loads, ==, 2);
  instructions = gmcp_tool_provider_dup_instructions (GMCP_TOOL_PROVIDER (registry));
  g_assert_cmpstr (instructions, ==, "Be careful\nBe quick");

  g_test_message ("a name that is not known yet may be that of a tool to be loaded");
  assert_fails (registry, "unknown", GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_cmpuint (good->n_loads, ==, 2);

  g_assert_finalize_object (registry);
  g_assert_finalize_object (good);
  g_assert_finalize_object (bad);
}

static void
on_instructions_changed (GmcpToolProvider *provider, guint *n)
{
  ++*n;
}

static void
test_instructions (void)
{
  GmcpToolRegistry *registry = gmcp_tool_registry_new ();
  GmcpMetaTools *meta = gmcp_meta_tools_new (GMCP_TOOL_PROVIDER (registry));
  ListProvider *provider = list_provider_new ();
  g_autofree char *told = NULL;
  guint n = 0;

  g_signal_connect (meta, "instructions-changed", G_CALLBACK (on_instructions_changed), &n);
  g_assert_null (gmcp_tool_provider_dup_instructions (GMCP_TOOL_PROVIDER (meta)));
  add_provider (registry, "one", provider);
  g_assert_cmpuint (n, ==, 0);

  provider->instructions = g_strdup ("Be quick");
  g_signal_emit_by_name (provider, "instructions-changed");
  told = gmcp_tool_provider_dup_instructions (GMCP_TOOL_PROVIDER (meta));
  g_assert_cmpstr (told, ==, "Be quick");
  g_assert_cmpuint (n, ==, 1);

  g_test_message ("the same text is no change");
  g_signal_emit_by_name (provider, "instructions-changed");
  g_assert_cmpuint (n, ==, 1);

  gmcp_tool_registry_remove_provider (registry, "one");
  g_assert_null (gmcp_tool_provider_dup_instructions (GMCP_TOOL_PROVIDER (meta)));
  g_assert_cmpuint (n, ==, 2);
  g_assert_finalize_object (provider);
  g_assert_finalize_object (meta);
  g_assert_finalize_object (registry);
}

static gboolean
close_provider (gpointer provider, GError **error)
{
  g_autoptr (GAsyncResult) done = NULL;

  gmcp_tool_provider_close_async (provider, NULL, list_provider_store_result, &done);
  return gmcp_tool_provider_close_finish (provider, list_provider_wait (&done), error);
}

static void
test_close (void)
{
  GmcpToolRegistry *registry = gmcp_tool_registry_new ();
  GmcpMetaTools *meta = gmcp_meta_tools_new (GMCP_TOOL_PROVIDER (registry));
  ListProvider *good = list_provider_new ();
  ListProvider *bad = list_provider_new ();
  g_autoptr (GError) error = NULL;

  g_test_message ("nothing to close");
  g_assert_true (close_provider (meta, &error));
  g_assert_no_error (error);

  g_test_message ("all are closed, whatever one of them says");
  bad->close_error = g_strdup ("It does not end");
  add_provider (registry, "bad", bad);
  add_provider (registry, "good", good);
  g_assert_false (close_provider (meta, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
  g_assert_cmpstr (error->message, ==, "It does not end");
  g_assert_cmpuint (good->n_closes, ==, 1);
  g_assert_cmpuint (bad->n_closes, ==, 1);

  g_assert_finalize_object (meta);
  g_assert_finalize_object (registry);
  g_assert_finalize_object (good);
  g_assert_finalize_object (bad);
}

static void
on_question (GmcpToolProvider *provider, GObject *request, guint *n)
{
  ++*n;
}

static void
test_questions (void)
{
  GmcpToolRegistry *registry = gmcp_tool_registry_new ();
  ListProvider *provider = list_provider_new ();
  GmcpMetaTools *meta = gmcp_meta_tools_new (GMCP_TOOL_PROVIDER (registry));
  guint n = 0;

  add_provider (registry, "one", provider);
  load (meta, NULL);
  g_assert_false (gmcp_tool_provider_has_input_handler (GMCP_TOOL_PROVIDER (provider)));
  g_assert_false (gmcp_tool_provider_has_call_handler (GMCP_TOOL_PROVIDER (provider)));

  g_test_message ("a provider has a listener where the host listens");
  g_signal_connect (meta, "input-requested", G_CALLBACK (on_question), &n);
  g_signal_connect (meta, "call-requested", G_CALLBACK (on_question), &n);
  load (meta, NULL);
  load (meta, NULL);
  g_assert_true (gmcp_tool_provider_has_input_handler (GMCP_TOOL_PROVIDER (provider)));
  g_assert_true (gmcp_tool_provider_has_call_handler (GMCP_TOOL_PROVIDER (provider)));
  gmcp_tool_provider_emit_input_requested (GMCP_TOOL_PROVIDER (provider), NULL);
  g_assert_cmpuint (n, ==, 1);
  gmcp_tool_provider_emit_call_requested (GMCP_TOOL_PROVIDER (provider), NULL);
  g_assert_cmpuint (n, ==, 2);

  g_assert_finalize_object (meta);
  g_assert_finalize_object (registry);
  g_assert_finalize_object (provider);
}

static void
on_notice (GmcpToolProvider *provider,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           GString *told)
{
  g_string_append_printf (told, "%s %d %s;", server_id != NULL ? server_id : "-", (int) level,
                          message);
}

static void
test_notices (void)
{
  GmcpToolRegistry *registry = gmcp_tool_registry_new ();
  ListProvider *provider = list_provider_new ();
  GmcpMetaTools *meta = gmcp_meta_tools_new (GMCP_TOOL_PROVIDER (registry));
  g_autoptr (GString) told = g_string_new (NULL);

  add_provider (registry, "one", provider);
  g_signal_connect (meta, "notice", G_CALLBACK (on_notice), told);
  g_signal_connect (registry, "notice", G_CALLBACK (on_notice), told);
  g_signal_emit_by_name (provider, "notice", "s", GMCP_NOTICE_LEVEL_WARNING, "It ended");
  g_assert_cmpstr (told->str, ==, "s 1 It ended;s 1 It ended;");
  g_string_truncate (told, 0);
  g_signal_emit_by_name (provider, "notice", NULL, GMCP_NOTICE_LEVEL_ERROR, "None");
  g_assert_cmpstr (told->str, ==, "- 2 None;- 2 None;");

  g_string_truncate (told, 0);
  g_assert_true (gmcp_tool_registry_remove_provider (registry, "one"));
  g_signal_emit_by_name (provider, "notice", "s", GMCP_NOTICE_LEVEL_INFO, "It started");
  g_assert_cmpstr (told->str, ==, "");

  g_assert_finalize_object (meta);
  g_assert_finalize_object (registry);
  g_assert_finalize_object (provider);
}

static void
on_progress (GmcpCallOptions *options, double progress, double total, const char *message, guint *n)
{
  ++*n;
}

static void
test_meta (void)
{
  GmcpToolRegistry *registry = gmcp_tool_registry_new ();
  ListProvider *provider = list_provider_new ();
  GmcpMetaTools *meta = gmcp_meta_tools_new (GMCP_TOOL_PROVIDER (registry));
  GmcpCallOptions *options = gmcp_call_options_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint n_reports = 0;

  list_provider_add (provider, "send_mail", NULL, "Sends a message", "to text");
  list_provider_add (provider, "other", NULL, NULL, NULL);
  add_provider (registry, "one", provider);
  g_assert_true (gmcp_meta_tools_get_provider (meta) == GMCP_TOOL_PROVIDER (registry));
  assert_lists (meta, "search_tools get_tool_details call_tool");

#ifdef HAVE_SQLITE
  assert_gives (meta, "search_tools", "{\"query\":\"mails\"}",
                "{\"tools\":[{\"name\":\"send_mail\",\"description\":\"Sends a message\","
                "\"arguments\":[\"to\",\"text\"]}]}");
  assert_gives (meta, "search_tools", "{\"query\":\"\",\"limit\":1,\"detail\":\"name\"}",
                "{\"tools\":[{\"name\":\"send_mail\"}]}");
#endif
  assert_refused (meta, "search_tools", "{}", "query");
  assert_refused (meta, "search_tools", "{\"query\":\"x\",\"limit\":0}", "limit");
  assert_refused (meta, "search_tools", "{\"query\":\"x\",\"detail\":\"all\"}", "detail");
  assert_gives (meta, "get_tool_details", "{\"name\":\"other\"}",
                "{\"name\":\"other\",\"inputSchema\":{\"type\":\"object\",\"properties\":{}}}");
  g_assert_null (call (meta, "get_tool_details", "{\"name\":\"none\"}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_clear_error (&error);

  assert_gives (meta, "call_tool", "{\"name\":\"other\"}", "other {}");
  assert_refused (meta, "call_tool", "{\"name\":\"other\",\"arguments\":[]}", "arguments");
  g_assert_null (call (meta, "call_tool", "{\"name\":\"none\"}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_clear_error (&error);
  assert_fails (meta, "send_mail", GMCP_ERROR_UNKNOWN_TOOL);

  g_signal_connect (options, "progress", G_CALLBACK (on_progress), &n_reports);
  result = call (meta, "call_tool", "{\"name\":\"send_mail\",\"arguments\":{\"to\":[1,\"x\"]}}",
                 options, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "send_mail {\"to\":[1,\"x\"]}");
  g_assert_cmpuint (n_reports, ==, 1);

  g_assert_finalize_object (options);
  g_assert_finalize_object (meta);
  g_assert_finalize_object (registry);
  g_assert_finalize_object (provider);
}

#ifdef HAVE_SQLITE
static void
test_search (void)
{
  GmcpToolRegistry *registry = gmcp_tool_registry_new ();
  ListProvider *provider = list_provider_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) matches = NULL;
  g_autoptr (GError) error = NULL;
  guint n_calls = 0;

  list_provider_add (provider, "count", NULL, "Counts sheep", NULL);
  add_provider (registry, "farm", provider);
  gmcp_tool_registry_add_function (registry, "count", "Counts words", NULL, count_text, &n_calls,
                                   NULL, NULL);
  gmcp_tool_provider_search_async (GMCP_TOOL_PROVIDER (registry), "count words", 0,
                                   GMCP_TOOL_DETAIL_NAME, NULL, list_provider_store_result,
                                   &result);
  matches = gmcp_tool_provider_search_finish (GMCP_TOOL_PROVIDER (registry),
                                              list_provider_wait (&result), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (matches->len, ==, 2);
  g_assert_cmpstr (
    gmcp_definition_get_name (GMCP_DEFINITION (gmcp_tool_match_get_tool (matches->pdata[0]))), ==,
    "host__count");
  g_assert_cmpstr (
    gmcp_definition_get_name (GMCP_DEFINITION (gmcp_tool_match_get_tool (matches->pdata[1]))), ==,
    "count");

  g_clear_object (&result);
  g_assert_finalize_object (registry);
  g_assert_finalize_object (provider);
}
#endif

static void
assert_not_added (GmcpToolRegistry *registry, gpointer provider)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (gmcp_tool_registry_add_provider (registry, "round", provider, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

/* What is asked of a registry would never end where it came back to it. */
static void
test_round (void)
{
  g_autoptr (GmcpToolRegistry) inner = gmcp_tool_registry_new ();
  g_autoptr (GmcpToolRegistry) middle = gmcp_tool_registry_new ();
  g_autoptr (GmcpToolRegistry) outer = gmcp_tool_registry_new ();
  g_autoptr (GmcpMetaTools) meta = gmcp_meta_tools_new (GMCP_TOOL_PROVIDER (outer));
  g_autoptr (GError) error = NULL;

  gmcp_tool_registry_add_provider (middle, "inner", GMCP_TOOL_PROVIDER (inner), &error);
  g_assert_no_error (error);
  gmcp_tool_registry_add_provider (outer, "middle", GMCP_TOOL_PROVIDER (middle), &error);
  g_assert_no_error (error);

  assert_not_added (inner, inner);
  assert_not_added (inner, middle);
  assert_not_added (inner, outer);
  assert_not_added (inner, meta);
  assert_lists (inner, "");

  /* Two ways to one are no way back. */
  gmcp_tool_registry_add_provider (outer, "inner", GMCP_TOOL_PROVIDER (inner), &error);
  g_assert_no_error (error);
  gmcp_tool_registry_remove_provider (middle, "inner");
  gmcp_tool_registry_remove_provider (outer, "inner");
  gmcp_tool_registry_add_provider (inner, "outer", GMCP_TOOL_PROVIDER (outer), &error);
  g_assert_no_error (error);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tool-registry/own", test_own);
  g_test_add_func ("/tool-registry/names", test_names);
  g_test_add_func ("/tool-registry/round", test_round);
  g_test_add_func ("/tool-registry/load", test_load);
  g_test_add_func ("/tool-registry/instructions", test_instructions);
  g_test_add_func ("/tool-registry/close", test_close);
  g_test_add_func ("/tool-registry/questions", test_questions);
  g_test_add_func ("/tool-registry/notices", test_notices);
  g_test_add_func ("/tool-registry/meta", test_meta);
#ifdef HAVE_SQLITE
  g_test_add_func ("/tool-registry/search", test_search);
#endif
  return g_test_run ();
}
