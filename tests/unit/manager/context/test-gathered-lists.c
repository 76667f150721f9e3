/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "manager-fixture.h"
#include "unit-test.h"

/* The manager as a provider of the resources, templates and prompts of its servers. */

static void
on_done (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

/* Servers notes and tasks, and what each is started with. */
static void
write_two (ManagerFixture *fixture, const char *notes, const char *tasks)
{
  manager_fixture_write (
    fixture, manager_fixture_entry_of (fixture, "notes", "context-server.py", notes),
    manager_fixture_entry_of (fixture, "tasks", "context-server.py", tasks), NULL);
}

static GListModel *
get_resources (ManagerFixture *fixture)
{
  return gmcp_resource_provider_get_resources (GMCP_RESOURCE_PROVIDER (fixture->manager));
}

static GListModel *
get_templates (ManagerFixture *fixture)
{
  return gmcp_resource_provider_get_templates (GMCP_RESOURCE_PROVIDER (fixture->manager));
}

static GListModel *
get_prompts (ManagerFixture *fixture)
{
  return gmcp_prompt_provider_get_prompts (GMCP_PROMPT_PROVIDER (fixture->manager));
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

static void
load (ManagerFixture *fixture)
{
  g_autoptr (GError) error = NULL;

  /* Wanted from now on. */
  g_assert_nonnull (get_resources (fixture));
  error = manager_fixture_load (fixture, NULL);
  g_assert_no_error (error);
}

static char *
read_uri (ManagerFixture *fixture, const char *uri, GError **error)
{
  GmcpResourceProvider *provider = GMCP_RESOURCE_PROVIDER (fixture->manager);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpResourceResult) read = NULL;

  gmcp_resource_provider_read_async (provider, uri, NULL, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  read = gmcp_resource_provider_read_finish (provider, result, error);
  return read != NULL ? gmcp_resource_result_dup_text (read) : NULL;
}

static void
assert_read (ManagerFixture *fixture, const char *uri, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = read_uri (fixture, uri, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

static void
stop (ManagerFixture *fixture, const char *id)
{
  g_autoptr (GAsyncResult) stopped = NULL;

  gmcp_managed_server_stop_async (gmcp_manager_get_server (fixture->manager, id), NULL, on_done,
                                  &stopped);
  manager_fixture_wait_until (stopped != NULL);
}

static void
test_lists (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("what all servers list is one list, in the order of the servers");
  write_two (fixture,
             "--resource notes://a=alpha --resource notes://b=beta --template note:{n} "
             "--prompt sum",
             "--resource notes://b=other --resource todo://x=buy --template note:{n} "
             "--template todo:{n}/text --prompt sum --prompt list");
  assert_names (get_resources (fixture), "");
  load (fixture);
  assert_names (get_resources (fixture), "notes://a notes://b todo://x");
  assert_names (get_templates (fixture), "note:{n} todo:{n}/text");
  assert_names (get_prompts (fixture), "notes__sum tasks__sum tasks__list");
}

static void
test_not_wanted (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("servers are not asked for what nobody wants");
  write_two (fixture, "--prompt sum", "");
  error = manager_fixture_load (fixture, NULL);
  g_assert_no_error (error);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "prompts"), ==, 0);

  g_assert_nonnull (get_prompts (fixture));
  manager_fixture_wait_until (g_list_model_get_n_items (get_prompts (fixture)) == 1);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "prompts"), >, 0);
}

static void
test_read (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("a resource is read of the server that lists it, or has the template");
  write_two (fixture, "--resource notes://a=alpha --resource todo://b=beta --template note:{n}",
             "--resource notes://a=other --template todo:{n} --template todo:{n}/text");
  load (fixture);
  assert_read (fixture, "notes://a", "alpha 1");
  assert_read (fixture, "note:7", "note:7 1");
  assert_read (fixture, "todo://b", "beta 1");
  assert_read (fixture, "todo:7/text", "todo:7/text 1");

  g_assert_null (read_uri (fixture, "file:///etc/passwd", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  g_test_message ("a server that was stopped is started for it");
  stop (fixture, "notes");
  assert_names (get_resources (fixture), "notes://a todo://b");
  assert_read (fixture, "note:8", "note:8 1");
}

static void
test_prompt (ManagerFixture *fixture, gconstpointer data)
{
  GmcpPromptProvider *provider = GMCP_PROMPT_PROVIDER (fixture->manager);
  g_autoptr (GHashTable) arguments = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GmcpPrompt) prompt = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) unknown = NULL;
  g_autoptr (GmcpPromptResult) got = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;

  write_two (fixture, "--prompt sum", "--prompt sum");
  load (fixture);
  prompt = g_list_model_get_item (get_prompts (fixture), 1);
  g_assert_cmpuint (gmcp_prompt_get_n_arguments (prompt), ==, 1);

  g_hash_table_insert (arguments, (char *) "topic", (char *) "cats");
  gmcp_prompt_provider_get_prompt_async (provider, "tasks__sum", arguments, NULL, NULL, on_done,
                                         &result);
  manager_fixture_wait_until (result != NULL);
  got = gmcp_prompt_provider_get_prompt_finish (provider, result, &error);
  g_assert_no_error (error);
  json = gmcp_prompt_result_dup_json (got);
  g_assert_nonnull (strstr (json, "sum about cats"));

  gmcp_prompt_provider_get_prompt_async (provider, "tasks__none", NULL, NULL, NULL, on_done,
                                         &unknown);
  manager_fixture_wait_until (unknown != NULL);
  g_assert_null (gmcp_prompt_provider_get_prompt_finish (provider, unknown, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

/* Of one server, whatever the lists and the cache say. */
static void
assert_read_of (ManagerFixture *fixture, const char *id, const char *uri, const char *expected)
{
  GmcpManagedServer *server = gmcp_manager_get_server (fixture->manager, id);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpResourceResult) read = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  gmcp_call_options_set_cache_mode (options, GMCP_CACHE_MODE_BYPASS);
  gmcp_client_read_resource_async (gmcp_managed_server_get_client (server), uri, options, NULL,
                                   on_done, &result);
  manager_fixture_wait_until (result != NULL);
  read = gmcp_client_read_resource_finish (gmcp_managed_server_get_client (server), result, &error);
  g_assert_no_error (error);
  text = gmcp_resource_result_dup_text (read);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_longer_template (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("no server gets the reads of one before it by a template that says more");
  write_two (fixture, "--resource notes://a=alpha --template file:///{p}",
             "--resource file:///listed=own --resource notes://a=other "
             "--template file:///home/me/{p}");
  load (fixture);
  assert_read (fixture, "file:///home/me/notes", "file:///home/me/notes 1");
  g_test_message ("it was the first one that counted");
  assert_read_of (fixture, "notes", "file:///home/me/notes", "file:///home/me/notes 2");
  assert_read (fixture, "notes://a", "alpha 1");
  g_test_message ("what a server lists is its own");
  assert_read (fixture, "file:///listed", "own 1");
}

static char *
complete_argument (ManagerFixture *fixture, const char *name)
{
  GmcpPromptProvider *provider = GMCP_PROMPT_PROVIDER (fixture->manager);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpCompletionResult) values = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_prompt_provider_complete_argument_async (provider, name, "topic", "c", NULL, NULL, NULL,
                                                on_done, &result);
  manager_fixture_wait_until (result != NULL);
  values = gmcp_prompt_provider_complete_argument_finish (provider, result, &error);
  g_assert_no_error (error);
  return g_strjoinv (" ", (char **) gmcp_completion_result_get_values (values));
}

static char *
complete_variable (ManagerFixture *fixture, const char *uri_template)
{
  GmcpResourceProvider *provider = GMCP_RESOURCE_PROVIDER (fixture->manager);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpCompletionResult) values = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_resource_provider_complete_variable_async (provider, uri_template, "n", "7", NULL, NULL,
                                                  NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  values = gmcp_resource_provider_complete_variable_finish (provider, result, &error);
  g_assert_no_error (error);
  return g_strjoinv (" ", (char **) gmcp_completion_result_get_values (values));
}

static void
test_complete (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *argument = NULL;
  g_autofree char *variable = NULL;
  g_autofree char *none = NULL;
  g_autofree char *unknown = NULL;
  g_autofree char *no_template = NULL;

  g_test_summary ("the server that has it completes a value; one that cannot has no values");
  write_two (fixture, "--prompt sum", "--template todo:{n} --prompt sum");
  load (fixture);
  argument = complete_argument (fixture, "tasks__sum");
  g_assert_cmpstr (argument, ==, "c of sum");
  variable = complete_variable (fixture, "todo:{n}");
  g_assert_cmpstr (variable, ==, "7 of todo:{n}");
  none = complete_argument (fixture, "notes__sum");
  g_assert_cmpstr (none, ==, "");
  unknown = complete_argument (fixture, "tasks__none");
  g_assert_cmpstr (unknown, ==, "");
  no_template = complete_variable (fixture, "none:{n}");
  g_assert_cmpstr (no_template, ==, "");
}

static void
on_items_changed (GListModel *list, guint position, guint n_removals, guint n_additions, guint *n)
{
  ++*n;
}

static void
assert_got (ManagerFixture *fixture, const char *name)
{
  GmcpPromptProvider *provider = GMCP_PROMPT_PROVIDER (fixture->manager);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpPromptResult) got = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_prompt_provider_get_prompt_async (provider, name, NULL, NULL, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  got = gmcp_prompt_provider_get_prompt_finish (provider, result, &error);
  g_assert_no_error (error);
}

static void
test_changes (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpResource) before = NULL;
  g_autoptr (GmcpResource) after = NULL;
  g_autoptr (GmcpProject) project = NULL;
  static const char *const only_tasks[] = { "tasks", NULL };
  static const char *const nothing[] = { NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *added = NULL;
  g_autofree char *called = NULL;
  guint n_changes = 0;

  g_test_summary ("the lists follow the servers, and the project; what is read again is no change");
  write_two (fixture, "--resource notes://a=alpha --prompt sum --changes",
             "--resource todo://x=buy");
  load (fixture);
  added = manager_fixture_call (fixture, "notes__add", "{\"uri\":\"notes://c\"}", NULL, &error);
  g_assert_no_error (error);
  manager_fixture_wait_until (g_list_model_get_n_items (get_resources (fixture)) == 3);
  assert_names (get_resources (fixture), "notes://a notes://c todo://x");

  g_test_message ("a server that comes back has the same list");
  before = g_list_model_get_item (get_resources (fixture), 2);
  g_signal_connect (get_resources (fixture), "items-changed", G_CALLBACK (on_items_changed),
                    &n_changes);
  stop (fixture, "tasks");
  assert_read (fixture, "todo://x", "buy 1");
  load (fixture);
  after = g_list_model_get_item (get_resources (fixture), 2);
  g_assert_true (before == after);
  g_assert_cmpuint (n_changes, ==, 0);

  project = gmcp_project_new ("p", only_tasks, nothing);
  gmcp_manager_add_project (fixture->manager, project);
  gmcp_manager_set_project (fixture->manager, "p");
  assert_names (get_resources (fixture), "todo://x");
  g_test_message ("a project is no permission: what it does not list can be read, got and called");
  assert_read (fixture, "notes://a", "alpha 1");
  assert_read (fixture, "todo://x", "buy 1");
  assert_got (fixture, "notes__sum");
  called = manager_fixture_call (fixture, "notes__add", "{\"uri\":\"notes://c\"}", NULL, &error);
  g_assert_no_error (error);
  gmcp_manager_set_project (fixture->manager, NULL);
  assert_names (get_resources (fixture), "notes://a notes://c todo://x");
  g_signal_handlers_disconnect_by_data (get_resources (fixture), &n_changes);
}

static void
on_updated (GmcpResourceProvider *provider, const char *uri, guint *n)
{
  g_assert_cmpstr (uri, ==, "notes://a");
  ++*n;
}

static void
change (ManagerFixture *fixture, const char *uri)
{
  g_autofree char *arguments = g_strdup_printf ("{\"uri\":\"%s\"}", uri);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = manager_fixture_call (fixture, "notes__add", arguments, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (text);
}

static void
test_subscribe (ManagerFixture *fixture, gconstpointer data)
{
  GmcpResourceProvider *provider = GMCP_RESOURCE_PROVIDER (fixture->manager);
  guint n_updated = 0;

  g_test_summary ("who subscribes hears of changes, also of a server that was started again");
  write_two (fixture, "--resource notes://a=alpha --changes", "--resource todo://x=buy");
  g_signal_connect (provider, "resource-updated", G_CALLBACK (on_updated), &n_updated);
  gmcp_resource_provider_subscribe (provider, "notes://a");
  gmcp_resource_provider_subscribe (provider, "notes://a");
  gmcp_resource_provider_subscribe (provider, "todo://x");
  gmcp_resource_provider_subscribe (provider, "none://x");
  load (fixture);
  manager_fixture_wait_until (manager_fixture_count_log (fixture, "subscribe") == 1);
  change (fixture, "notes://b");
  change (fixture, "notes://a");
  manager_fixture_wait_until (n_updated == 1);

  g_test_message ("what changed while the server was away was not told");
  stop (fixture, "notes");
  g_assert_cmpuint (n_updated, ==, 1);
  assert_read (fixture, "notes://a", "alpha 1");
  manager_fixture_wait_until (manager_fixture_count_log (fixture, "subscribe") == 2);
  manager_fixture_wait_until (n_updated == 2);
  change (fixture, "notes://a");
  manager_fixture_wait_until (n_updated == 3);

  gmcp_resource_provider_unsubscribe (provider, "notes://a");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "unsubscribe"), ==, 0);
  gmcp_resource_provider_unsubscribe (provider, "notes://a");
  gmcp_resource_provider_unsubscribe (provider, "none://x");
  gmcp_resource_provider_unsubscribe (provider, "none://y");
  manager_fixture_wait_until (manager_fixture_count_log (fixture, "unsubscribe") == 1);
  change (fixture, "notes://a");
  g_assert_cmpuint (n_updated, ==, 3);
}

static gboolean
is_gone (GWeakRef *ref)
{
  g_autoptr (GObject) object = g_weak_ref_get (ref);

  return object == NULL;
}

typedef struct
{
  GmcpManager *manager; /* its last reference */
  gboolean disposes;
  guint n_updated;
} Leaving;

static void
let_go (GmcpResourceProvider *provider, const char *uri, Leaving *leaving)
{
  if (leaving->n_updated++ > 0)
    return;

  if (leaving->disposes)
    g_object_run_dispose (G_OBJECT (provider));
  else
    g_clear_object (&leaving->manager);
}

static void
assert_can_leave (ManagerFixture *fixture, gboolean disposes)
{
  static const char *const uris[] = { "notes://a", "notes://b", "notes://c" };
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GmcpManagedServer) server = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (fixture->config);
  g_autoptr (GFile) state = g_file_new_for_path (fixture->state);
  g_autoptr (GAsyncResult) loaded = NULL, restarted = NULL;
  Leaving leaving = { NULL, disposes, 0 };
  guint n_subscribed = manager_fixture_count_log (fixture, "subscribe");
  GWeakRef ref;

  gmcp_manager_set_config_file (manager, file);
  gmcp_manager_set_state_directory (manager, state);
  g_assert_nonnull (gmcp_resource_provider_get_resources (GMCP_RESOURCE_PROVIDER (manager)));
  for (guint i = 0; i < G_N_ELEMENTS (uris); i++)
    gmcp_resource_provider_subscribe (GMCP_RESOURCE_PROVIDER (manager), uris[i]);
  gmcp_tool_provider_load_async (GMCP_TOOL_PROVIDER (manager), NULL, on_done, &loaded);
  /* A server of the manager before may still have written to the log meanwhile. */
  manager_fixture_wait_until (
    loaded != NULL && manager_fixture_count_log (fixture, "subscribe") >= n_subscribed + 3);
  g_clear_object (&loaded);

  g_weak_ref_init (&ref, manager);
  server = g_object_ref (gmcp_manager_get_server (manager, "notes"));
  g_signal_connect (manager, "resource-updated", G_CALLBACK (let_go), &leaving);
  leaving.manager = g_steal_pointer (&manager);
  gmcp_managed_server_restart_async (server, NULL, on_done, &restarted);
  manager_fixture_wait_until (restarted != NULL && leaving.n_updated > 0);
  /* A manager that is only held by what is told goes on to the end. */
  g_assert_cmpuint (leaving.n_updated, ==, disposes ? 1 : 3);

  g_clear_object (&leaving.manager);
  g_clear_object (&restarted);
  g_clear_object (&server);
  manager_fixture_wait_until (is_gone (&ref));
  g_weak_ref_clear (&ref);
}

static void
test_let_go (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("who hears of a change may let go of the manager, while there is more to tell");
  manager_fixture_write (
    fixture,
    manager_fixture_entry_of (
      fixture, "notes", "context-server.py",
      "--resource notes://a=A --resource notes://b=B --resource notes://c=C --changes"),
    NULL);
  assert_can_leave (fixture, FALSE);
  assert_can_leave (fixture, TRUE);
}

static void
add_role (ManagerFixture *fixture, const char *name, const char *allowed)
{
  const char *const allowed_tools[] = { allowed, NULL };
  g_autoptr (GmcpRole) role
    = g_object_new (GMCP_TYPE_ROLE, "name", name, "allowed-tools", allowed_tools, NULL);

  gmcp_manager_add_role (fixture->manager, role);
}

/* Takes the error. */
static void
assert_refused (GError *error)
{
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_nonnull (strstr (error->message, "role review: not in allowed-tools"));
  g_error_free (error);
}

static GError *
get_prompt_fails (ManagerFixture *fixture, const char *name, GmcpCallOptions *options)
{
  GmcpPromptProvider *provider = GMCP_PROMPT_PROVIDER (fixture->manager);
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  gmcp_prompt_provider_get_prompt_async (provider, name, NULL, options, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  g_assert_null (gmcp_prompt_provider_get_prompt_finish (provider, result, &error));
  return error;
}

static GError *
read_fails (ManagerFixture *fixture, const char *uri, GmcpCallOptions *options)
{
  GmcpResourceProvider *provider = GMCP_RESOURCE_PROVIDER (fixture->manager);
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  gmcp_resource_provider_read_async (provider, uri, options, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  g_assert_null (gmcp_resource_provider_read_finish (provider, result, &error));
  return error;
}

static GError *
complete_fails (ManagerFixture *fixture, gboolean is_prompt, GmcpCallOptions *options)
{
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  if (is_prompt)
    gmcp_prompt_provider_complete_argument_async (GMCP_PROMPT_PROVIDER (fixture->manager),
                                                  "tasks__list", "topic", "c", NULL, options, NULL,
                                                  on_done, &result);
  else
    gmcp_resource_provider_complete_variable_async (GMCP_RESOURCE_PROVIDER (fixture->manager),
                                                    "todo:{n}", "n", "7", NULL, options, NULL,
                                                    on_done, &result);
  manager_fixture_wait_until (result != NULL);
  if (is_prompt)
    g_assert_null (gmcp_prompt_provider_complete_argument_finish (
      GMCP_PROMPT_PROVIDER (fixture->manager), result, &error));
  else
    g_assert_null (gmcp_resource_provider_complete_variable_finish (
      GMCP_RESOURCE_PROVIDER (fixture->manager), result, &error));
  return error;
}

static void
test_role (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) missing = NULL;

  g_test_summary (
    "a role that allows nothing of a server allows none of its resources and prompts");
  write_two (fixture, "--resource notes://a=alpha --prompt sum",
             "--resource todo://x=buy --template todo:{n} --prompt list --changes");
  add_role (fixture, "review", "notes.*");
  gmcp_manager_set_role (fixture->manager, "review");
  load (fixture);
  assert_names (get_resources (fixture), "notes://a");
  assert_names (get_templates (fixture), "");
  assert_names (get_prompts (fixture), "notes__sum");
  assert_refused (get_prompt_fails (fixture, "tasks__list", NULL));
  assert_refused (get_prompt_fails (fixture, "tasks.list", NULL));
  missing = read_fails (fixture, "todo://x", NULL);
  g_assert_error (missing, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  assert_read (fixture, "notes://a", "alpha 1");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "prompts"), ==, 1);

  g_test_message ("the lists follow the role");
  gmcp_manager_set_role (fixture->manager, NULL);
  manager_fixture_wait_until (g_list_model_get_n_items (get_resources (fixture)) == 2
                              && g_list_model_get_n_items (get_prompts (fixture)) == 2
                              && g_list_model_get_n_items (get_templates (fixture)) == 1);
  gmcp_resource_provider_subscribe (GMCP_RESOURCE_PROVIDER (fixture->manager), "todo://x");
  manager_fixture_wait_until (manager_fixture_count_log (fixture, "subscribe") == 1);

  g_test_message ("that of one request holds as well");
  gmcp_call_options_set_role (options, "review");
  assert_refused (read_fails (fixture, "todo://x", options));
  assert_refused (read_fails (fixture, "todo:7", options));
  assert_refused (get_prompt_fails (fixture, "tasks__list", options));
  assert_refused (complete_fails (fixture, TRUE, options));
  assert_refused (complete_fails (fixture, FALSE, options));

  g_test_message ("what may not be used is not listened to");
  gmcp_manager_set_role (fixture->manager, "review");
  assert_names (get_resources (fixture), "notes://a");
  assert_names (get_prompts (fixture), "notes__sum");
  manager_fixture_wait_until (manager_fixture_count_log (fixture, "unsubscribe") == 1);
  assert_refused (read_fails (fixture, "todo://x", NULL));
  assert_refused (read_fails (fixture, "todo:7", NULL));
  assert_refused (complete_fails (fixture, FALSE, NULL));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "read todo://x"), ==, 0);
}

static void
assert_closed (GError *error)
{
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_error_free (error);
}

static void
test_closed (ManagerFixture *fixture, gconstpointer data)
{
  GmcpResourceProvider *provider = GMCP_RESOURCE_PROVIDER (fixture->manager);

  g_test_summary ("a manager that has been closed says so, and not that it knows no such resource");
  write_two (fixture, "--resource notes://a=alpha", "--template todo:{n} --prompt list");
  load (fixture);
  manager_fixture_close (fixture);
  assert_closed (read_fails (fixture, "notes://a", NULL));
  assert_closed (read_fails (fixture, "none://a", NULL));
  assert_closed (get_prompt_fails (fixture, "tasks__list", NULL));
  assert_closed (complete_fails (fixture, TRUE, NULL));
  assert_closed (complete_fails (fixture, FALSE, NULL));
  gmcp_resource_provider_subscribe (provider, "notes://a");
  gmcp_resource_provider_unsubscribe (provider, "notes://a");
}

static void
test_failing (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("a server that cannot be started keeps nobody from the lists of the others");
  write_two (fixture, "--need /nonexistent", "--resource todo://x=buy --prompt list");
  load (fixture);
  assert_names (get_resources (fixture), "todo://x");
  assert_names (get_prompts (fixture), "tasks__list");
  manager_fixture_close (fixture);
  assert_names (get_prompts (fixture), "");
}

/* In any order. */
static void
assert_has (GListModel *list, const char *first, const char *second)
{
  g_autofree char *names = join_names (list);
  g_auto (GStrv) words = g_strsplit (names, " ", -1);

  g_assert_cmpuint (g_strv_length (words), ==, 2);
  g_assert_true (g_strv_contains ((const char *const *) words, first));
  g_assert_true (g_strv_contains ((const char *const *) words, second));
}

static void
test_served (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTransport) ours = NULL;
  g_autoptr (GmcpTransport) theirs = NULL;
  g_autoptr (GmcpServer) server = NULL;
  g_autoptr (GmcpClient) client = NULL;
  g_autoptr (GmcpResourceResult) read = NULL;
  g_autoptr (GmcpPromptResult) got = NULL;
  g_autoptr (GListModel) resources = NULL;
  g_autoptr (GListModel) prompts = NULL;
  g_autoptr (GAsyncResult) opened = NULL, listed = NULL, asked = NULL, answered = NULL,
                           gotten = NULL, refused = NULL, closed = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a server of the manager has all that its servers have");
  write_two (fixture, "--resource notes://a=alpha --prompt sum", "--resource todo://x=buy");
  server = gmcp_server_new ("all", "1", fixture->provider);
  gmcp_memory_transport_new_pair (&ours, &theirs);
  gmcp_server_attach (server, theirs);
  client = gmcp_client_new (ours);
  gmcp_client_open_async (client, NULL, on_done, &opened);
  manager_fixture_wait_until (opened != NULL);
  g_assert_true (gmcp_client_open_finish (client, opened, &error));

  gmcp_client_list_resources_async (client, NULL, on_done, &listed);
  manager_fixture_wait_until (listed != NULL);
  resources = gmcp_client_list_resources_finish (client, listed, &error);
  g_assert_no_error (error);
  /* A server lists what came first before what came later. */
  assert_has (resources, "notes://a", "todo://x");
  gmcp_client_list_prompts_async (client, NULL, on_done, &asked);
  manager_fixture_wait_until (asked != NULL);
  prompts = gmcp_client_list_prompts_finish (client, asked, &error);
  g_assert_no_error (error);
  assert_names (prompts, "notes__sum");

  gmcp_client_read_resource_async (client, "todo://x", NULL, NULL, on_done, &answered);
  manager_fixture_wait_until (answered != NULL);
  read = gmcp_client_read_resource_finish (client, answered, &error);
  g_assert_no_error (error);
  text = gmcp_resource_result_dup_text (read);
  g_assert_cmpstr (text, ==, "buy 1");
  gmcp_client_get_prompt_async (client, "notes__sum", NULL, NULL, NULL, on_done, &gotten);
  manager_fixture_wait_until (gotten != NULL);
  got = gmcp_client_get_prompt_finish (client, gotten, &error);
  g_assert_no_error (error);
  gmcp_client_read_resource_async (client, "none://x", NULL, NULL, on_done, &refused);
  manager_fixture_wait_until (refused != NULL);
  g_assert_null (gmcp_client_read_resource_finish (client, refused, &error));
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS);

  gmcp_client_close_async (client, NULL, on_done, &closed);
  manager_fixture_wait_until (closed != NULL);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/gathered-lists/" path, ManagerFixture, NULL, manager_fixture_set_up, func, \
              manager_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("lists", test_lists);
  ADD ("not-wanted", test_not_wanted);
  ADD ("read", test_read);
  ADD ("longer-template", test_longer_template);
  ADD ("prompt", test_prompt);
  ADD ("complete", test_complete);
  ADD ("changes", test_changes);
  ADD ("subscribe", test_subscribe);
  ADD ("let-go", test_let_go);
  ADD ("role", test_role);
  ADD ("closed", test_closed);
  ADD ("failing", test_failing);
  ADD ("served", test_served);
  return g_test_run ();
}
