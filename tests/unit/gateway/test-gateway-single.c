/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "manager-fixture.h"
#include "unit-test.h"

/* A gateway to one server of a manager, under the server's own names. */

typedef struct
{
  ManagerFixture manager;
  GmcpGateway *gateway;
  GPtrArray *updated; /* URIs */
} Fixture;

static void
on_done (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
on_updated (GmcpResourceProvider *provider, const char *uri, Fixture *fixture)
{
  g_ptr_array_add (fixture->updated, g_strdup (uri));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  manager_fixture_set_up (&fixture->manager, data);
  fixture->updated = g_ptr_array_new_with_free_func (g_free);
  fixture->gateway = g_object_new (GMCP_TYPE_GATEWAY, "manager", fixture->manager.manager,
                                   "server-id", "notes", NULL);
  g_signal_connect (fixture->gateway, "resource-updated", G_CALLBACK (on_updated), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_signal_handlers_disconnect_by_data (fixture->gateway, fixture);
  g_assert_finalize_object (fixture->gateway);
  g_ptr_array_unref (fixture->updated);
  manager_fixture_tear_down (&fixture->manager, data);
}

/* Servers notes and tasks, which have things of the same names. */
static void
write_servers (Fixture *fixture)
{
  ManagerFixture *files = &fixture->manager;

  manager_fixture_write (files,
                         manager_fixture_entry_of (files, "tasks", "context-server.py",
                                                   "--resource x:a=others --template x:{n} "
                                                   "--prompt sum --changes --instructions T"),
                         manager_fixture_entry_of (files, "notes", "context-server.py",
                                                   "--resource x:a=alpha --resource x:b=beta "
                                                   "--template x:{n} --prompt sum --changes "
                                                   "--instructions N"),
                         NULL);
}

static char *
join_names (GListModel *list)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (GmcpDefinition) item = g_list_model_get_item (list, i);

      g_string_append_printf (names, "%s%s", i > 0 ? " " : "", gmcp_definition_get_name (item));
    }
  return g_string_free (names, FALSE);
}

static void
assert_names (GListModel *list, const char *expected)
{
  g_autofree char *names = join_names (list);

  g_assert_cmpstr (names, ==, expected);
}

static GListModel *
get_tools (Fixture *fixture)
{
  return gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (fixture->gateway));
}

static GListModel *
get_resources (Fixture *fixture)
{
  return gmcp_resource_provider_get_resources (GMCP_RESOURCE_PROVIDER (fixture->gateway));
}

static GError *
load (Fixture *fixture)
{
  GmcpToolProvider *provider = GMCP_TOOL_PROVIDER (fixture->gateway);
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  gmcp_tool_provider_load_async (provider, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  gmcp_tool_provider_load_finish (provider, result, &error);
  return error;
}

static GmcpToolResult *
call (Fixture *fixture, const char *name, const char *arguments, GError **error)
{
  GmcpToolProvider *provider = GMCP_TOOL_PROVIDER (fixture->gateway);
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_tool_provider_call_tool_json_async (provider, name, arguments, NULL, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  return gmcp_tool_provider_call_tool_json_finish (provider, result, error);
}

static GmcpResourceResult *
read_resource (Fixture *fixture, const char *uri, GError **error)
{
  GmcpResourceProvider *provider = GMCP_RESOURCE_PROVIDER (fixture->gateway);
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_resource_provider_read_async (provider, uri, NULL, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  return gmcp_resource_provider_read_finish (provider, result, error);
}

static char *
read_uri (Fixture *fixture, const char *uri, GError **error)
{
  g_autoptr (GmcpResourceResult) read = read_resource (fixture, uri, error);

  return read != NULL ? gmcp_resource_result_dup_text (read) : NULL;
}

static void
test_lists (Fixture *fixture, gconstpointer data)
{
  GmcpResourceProvider *resources = GMCP_RESOURCE_PROVIDER (fixture->gateway);
  GmcpPromptProvider *prompts = GMCP_PROMPT_PROVIDER (fixture->gateway);
  g_autoptr (GmcpTool) tool = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *instructions = NULL;

  g_test_summary ("one server is listed under its own names, and no other one is started");
  write_servers (fixture);
  assert_names (get_resources (fixture), "");
  assert_names (gmcp_resource_provider_get_templates (resources), "");
  assert_names (gmcp_prompt_provider_get_prompts (prompts), "");
  g_assert_no_error (load (fixture));
  assert_names (get_tools (fixture), "exit add");
  assert_names (get_resources (fixture), "x:a x:b");
  assert_names (gmcp_resource_provider_get_templates (resources), "x:{n}");
  assert_names (gmcp_prompt_provider_get_prompts (prompts), "sum");
  instructions = gmcp_tool_provider_dup_instructions (GMCP_TOOL_PROVIDER (fixture->gateway));
  g_assert_nonnull (strstr (instructions, "\nN\n"));
  g_assert_null (strstr (instructions, "\nT\n"));
  g_assert_cmpint (manager_fixture_get_state (&fixture->manager, "notes"), ==,
                   GMCP_SERVER_STATE_READY);
  g_assert_cmpint (manager_fixture_get_state (&fixture->manager, "tasks"), !=,
                   GMCP_SERVER_STATE_READY);

  tool = gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (fixture->gateway), "add", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (tool)), ==, "add");
}

static void
test_requests (Fixture *fixture, gconstpointer data)
{
  GmcpPromptProvider *prompts = GMCP_PROMPT_PROVIDER (fixture->gateway);
  g_autoptr (GHashTable) arguments = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) completed = NULL;
  g_autoptr (GmcpToolResult) called = NULL;
  g_autoptr (GmcpPromptResult) prompt = NULL;
  g_autoptr (GmcpCompletionResult) values = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = read_uri (fixture, "x:a", &error);
  g_autofree char *json = NULL;

  g_test_summary ("requests go to the server, though another one has the same names");
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED);
  g_clear_error (&error);
  write_servers (fixture);
  g_assert_no_error (load (fixture));
  text = read_uri (fixture, "x:a", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "alpha 1");

  g_hash_table_insert (arguments, (gpointer) "topic", (gpointer) "tea");
  gmcp_prompt_provider_get_prompt_async (prompts, "sum", arguments, NULL, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  prompt = gmcp_prompt_provider_get_prompt_finish (prompts, result, &error);
  g_assert_no_error (error);
  json = gmcp_prompt_result_dup_json (prompt);
  g_assert_nonnull (strstr (json, "sum about tea"));

  gmcp_prompt_provider_complete_argument_async (prompts, "sum", "topic", "te", NULL, NULL, NULL,
                                                on_done, &completed);
  manager_fixture_wait_until (completed != NULL);
  values = gmcp_prompt_provider_complete_argument_finish (prompts, completed, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_completion_result_get_values (values)[0], ==, "te of sum");

  gmcp_resource_provider_subscribe (GMCP_RESOURCE_PROVIDER (fixture->gateway), "x:c");
  manager_fixture_wait_until (manager_fixture_count_log (&fixture->manager, "subscribe") == 1);
  called = call (fixture, "add", "{\"uri\":\"x:c\"}", &error);
  g_assert_no_error (error);
  g_assert_nonnull (called);
  manager_fixture_wait_until (fixture->updated->len == 1);
  manager_fixture_wait_until (g_list_model_get_n_items (get_resources (fixture)) == 3);
  g_assert_cmpstr (g_ptr_array_index (fixture->updated, 0), ==, "x:c");
  gmcp_resource_provider_unsubscribe (GMCP_RESOURCE_PROVIDER (fixture->gateway), "x:c");
}

static void
test_cache_hints (Fixture *fixture, gconstpointer data)
{
  ManagerFixture *files = &fixture->manager;
  gint64 ttl_ms = G_MAXUINT;

  g_test_summary (
    "a resource is fresh for what is left of its time, and private whatever the server says");
  manager_fixture_write (files,
                         manager_fixture_entry_of (files, "notes", "context-server.py",
                                                   "--resource x:a=alpha --ttl 3600000"),
                         NULL);
  g_assert_no_error (load (fixture));
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpResourceResult) read = read_resource (fixture, "x:a", &error);

      g_assert_no_error (error);
      g_assert_cmpint (gmcp_resource_result_is_cached (read), ==, i > 0);
      g_assert_cmpint (gmcp_resource_result_get_cache_scope (read), ==, GMCP_CACHE_SCOPE_PRIVATE);
      g_assert_cmpint (gmcp_resource_result_get_ttl_ms (read), >, 0);
      g_assert_cmpint (gmcp_resource_result_get_ttl_ms (read), <=, i == 0 ? 3600000 : ttl_ms);
      ttl_ms = gmcp_resource_result_get_ttl_ms (read);
    }
}

static void
test_other (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a tool of another server that is called NOTES.READ is not the server's read");
  manager_fixture_write (
    &fixture->manager, manager_fixture_entry (&fixture->manager, "notes", "--tools echo"),
    manager_fixture_entry (&fixture->manager, "other", "--tools notes.read,notes.echo"), NULL);
  error = manager_fixture_load (&fixture->manager, NULL);
  g_assert_no_error (error);
  result = call (fixture, "read", "{}", &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_clear_error (&error);
  g_assert_null (
    gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (fixture->gateway), "read", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_clear_error (&error);
  result = call (fixture, "other__notes_read", "{}", &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_clear_error (&error);
  assert_names (get_tools (fixture), "echo");
}

static void
test_role (Fixture *fixture, gconstpointer data)
{
  const char *const allowed[] = { "notes.add", NULL };
  const char *const others[] = { "tasks.*", NULL };
  g_autoptr (GmcpRole) adds
    = g_object_new (GMCP_TYPE_ROLE, "name", "adds", "allowed-tools", allowed, NULL);
  g_autoptr (GmcpRole) away
    = g_object_new (GMCP_TYPE_ROLE, "name", "away", "allowed-tools", others, NULL);
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("the role of a gateway holds for one server, too");
  write_servers (fixture);
  gmcp_manager_add_role (fixture->manager.manager, adds);
  gmcp_manager_add_role (fixture->manager.manager, away);
  gmcp_gateway_set_role (fixture->gateway, "adds");
  assert_names (get_resources (fixture), "");
  g_assert_no_error (load (fixture));
  assert_names (get_tools (fixture), "add");
  assert_names (get_resources (fixture), "x:a x:b");
  result = call (fixture, "exit", "{}", &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_clear_error (&error);

  gmcp_gateway_set_role (fixture->gateway, "away");
  assert_names (get_tools (fixture), "");
  assert_names (get_resources (fixture), "");
  g_assert_null (read_uri (fixture, "x:a", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  gmcp_gateway_set_role (fixture->gateway, NULL);
  assert_names (get_tools (fixture), "exit add");
  assert_names (get_resources (fixture), "x:a x:b");
}

static void
test_failing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("the error of a server that does not start is that of its list");
  manager_fixture_write (
    &fixture->manager,
    manager_fixture_entry (&fixture->manager, "notes", "--tools echo --fail start"), NULL);
  error = load (fixture);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/gateway/single/lists", Fixture, NULL, set_up, test_lists, tear_down);
  g_test_add ("/gateway/single/requests", Fixture, NULL, set_up, test_requests, tear_down);
  g_test_add ("/gateway/single/cache-hints", Fixture, NULL, set_up, test_cache_hints, tear_down);
  g_test_add ("/gateway/single/other", Fixture, NULL, set_up, test_other, tear_down);
  g_test_add ("/gateway/single/role", Fixture, NULL, set_up, test_role, tear_down);
  g_test_add ("/gateway/single/failing", Fixture, NULL, set_up, test_failing, tear_down);
  return g_test_run ();
}
