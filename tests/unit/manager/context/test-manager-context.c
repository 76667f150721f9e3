/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "manager-fixture.h"
#include "gmcp-project-private.h"
#include "unit-test.h"

static void
on_done (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static GmcpProjectContext *
get_context (ManagerFixture *fixture, const char *project, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_manager_get_context_async (fixture->manager, project, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  return gmcp_manager_get_context_finish (fixture->manager, result, error);
}

static GPtrArray *
list_prompts (ManagerFixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *prompts;

  gmcp_manager_list_prompts_async (fixture->manager, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  prompts = gmcp_manager_list_prompts_finish (fixture->manager, result, &error);
  g_assert_no_error (error);
  return prompts;
}

static char *
get_prompt (ManagerFixture *fixture, const char *name, const char *topic, GError **error)
{
  g_autoptr (GHashTable) arguments = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpPromptResult) prompt = NULL;

  g_hash_table_insert (arguments, (char *) "topic", (char *) topic);
  gmcp_prompt_provider_get_prompt_async (GMCP_PROMPT_PROVIDER (fixture->manager), name,
                                         topic != NULL ? arguments : NULL, NULL, NULL, on_done,
                                         &result);
  manager_fixture_wait_until (result != NULL);
  prompt = gmcp_prompt_provider_get_prompt_finish (GMCP_PROMPT_PROVIDER (fixture->manager), result,
                                                   error);
  return prompt != NULL ? gmcp_prompt_result_dup_json (prompt) : NULL;
}

static void
add_project (ManagerFixture *fixture, const char *id, const char *servers, const char *resources)
{
  g_auto (GStrv) server_list = g_strsplit (servers, ",", -1);
  g_auto (GStrv) resource_list = g_strsplit (resources, ",", -1);
  g_autoptr (GmcpProject) project
    = gmcp_project_new (id, (const char *const *) server_list, (const char *const *) resource_list);

  gmcp_manager_add_project (fixture->manager, project);
}

/* Servers notes and tasks, and what each is started with. */
static void
write_two (ManagerFixture *fixture, const char *notes, const char *tasks)
{
  manager_fixture_write (
    fixture, manager_fixture_entry_of (fixture, "notes", "context-server.py", notes),
    manager_fixture_entry_of (fixture, "tasks", "context-server.py", tasks), NULL);
}

/* "SERVER URI TEXT" with a mark behind it, a line each. */
static char *
describe (GmcpProjectContext *context)
{
  g_autoptr (GPtrArray) resources = gmcp_project_context_list_resources (context);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < resources->len; i++)
    {
      GmcpContextResource *resource = g_ptr_array_index (resources, i);

      g_string_append_printf (
        text, "%s %s %s%s%s\n", gmcp_context_resource_get_server_id (resource),
        gmcp_context_resource_get_uri (resource), gmcp_context_resource_get_text (resource),
        gmcp_context_resource_is_missing (resource) ? " missing" : "",
        gmcp_context_resource_is_stale (resource) ? " stale" : "");
    }
  return g_string_free (text, FALSE);
}

static void
assert_context (GmcpProjectContext *context, const char *resources, guint n_notes, const char *note)
{
  g_autofree char *found = describe (context);
  g_autofree char *notes = g_strjoinv ("\n", (char **) gmcp_project_context_get_notes (context));

  g_test_message ("%s", notes);
  g_assert_cmpstr (found, ==, resources);
  g_assert_cmpuint (g_strv_length ((char **) gmcp_project_context_get_notes (context)), ==,
                    n_notes);
  g_assert_cmpint (gmcp_project_context_is_complete (context), ==, n_notes == 0);
  if (note != NULL)
    g_assert_nonnull (strstr (notes, note));
}

static void
test_gather (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpProjectContext) context = NULL;
  g_autoptr (GmcpProjectContext) again = NULL;
  g_autofree char *text = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;

  write_two (fixture, "--resource notes://a=alpha --resource notes://b=beta --instructions Brief!",
             "--resource todo://x=buy");
  g_object_set (fixture->manager, "resource-timeout-ms", 60000, NULL);
  add_project (fixture, "p", "notes,tasks", "notes://b,notes notes://a,tasks todo://x");
  context = get_context (fixture, "p", &error);
  g_assert_no_error (error);
  assert_context (
    context, "notes notes://b beta 1\nnotes notes://a alpha 1\ntasks todo://x buy 1\n", 0, NULL);
  g_assert_cmpstr (gmcp_project_context_get_instructions (context), ==, "# notes\n\nBrief!\n");
  text = gmcp_project_context_dup_text (context);
  g_assert_cmpstr (text, ==,
                   "# notes\n\nBrief!\n\n# notes://b\n\nbeta 1\n\n# notes://a\n\nalpha 1\n\n"
                   "# todo://x\n\nbuy 1\n");
  json = gmcp_project_context_dup_json (context);
  g_assert_true (g_str_has_prefix (json, "{\"project\":\"p\",\"title\":\"p\","));
  g_assert_nonnull (strstr (json, "{\"server\":\"tasks\",\"uri\":\"todo://x\",\"text\":\"buy 1\","
                                  "\"missing\":false,\"stale\":false}"));

  again = get_context (fixture, "p", &error);
  g_assert_no_error (error);
  assert_context (again, "notes notes://b beta 1\nnotes notes://a alpha 1\ntasks todo://x buy 1\n",
                  0, NULL);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "read"), ==, 3);
}

static void
test_late (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *gate = g_build_filename (fixture->dir, "gate", NULL);
  g_autofree char *words = g_strconcat (
    "--resource notes://a=alpha --resource notes://b=beta --slow notes://a --gate ", gate, NULL);
  GmcpResponseCache *cache = gmcp_manager_get_response_cache (fixture->manager);
  g_autoptr (GmcpProjectContext) context = NULL;
  g_autoptr (GmcpProjectContext) again = NULL;
  g_autoptr (GError) error = NULL;
  guint n_responses;
  gint64 begin_us;

  g_test_summary ("what comes too late is empty, holds up nothing, and is there the next time");
  write_two (fixture, words, "");
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_cmpuint (manager_fixture_get_limit (fixture->manager, "resource-timeout-ms"), ==, 500);
  add_project (fixture, "p", "notes", "notes://a,notes://b");
  begin_us = g_get_monotonic_time ();
  context = get_context (fixture, "p", &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_get_monotonic_time () - begin_us, >=, 500 * 1000);
  assert_context (context, "notes notes://a  missing\nnotes notes://b beta 1\n", 1, "notes://a");
  g_assert_true (manager_fixture_has_notice (
    fixture, "warning notes notes://a of server “notes” was not read within 500 ms"));

  n_responses = gmcp_response_cache_get_n_responses (cache);
  g_assert_true (g_file_set_contents (gate, "", 0, NULL));
  manager_fixture_wait_until (gmcp_response_cache_get_n_responses (cache) > n_responses);
  again = get_context (fixture, "p", &error);
  g_assert_no_error (error);
  assert_context (again, "notes notes://a alpha 1\nnotes notes://b beta 1\n", 0, NULL);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "read"), ==, 2);
  g_unlink (gate);
}

static void
test_left_out (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpProjectContext) context = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("an error leaves out its resource and nothing else");
  write_two (fixture, "--resource notes://a=alpha", "--need /nonexistent");
  g_object_set (fixture->manager, "resource-timeout-ms", 60000, NULL);
  add_project (fixture, "p", "notes,tasks",
               "notes://none,notes://a,tasks todo://x,third third://x,fourth://x");
  context = get_context (fixture, "p", &error);
  g_assert_no_error (error);
  assert_context (context, "notes notes://a alpha 1\n", 4, "Resource not found: notes://none");
  g_assert_true (
    manager_fixture_has_notice (fixture, "error notes Server “notes” answered with an error: "));
}

static void
test_away (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *gate = g_build_filename (fixture->dir, "gate", NULL);
  g_autofree char *words = g_strconcat ("--resource notes://a=alpha --ttl 0 --need ", gate, NULL);
  GmcpManagedServer *server;
  g_autoptr (GAsyncResult) stopped = NULL;
  g_autoptr (GmcpProjectContext) context = NULL;
  g_autoptr (GmcpProjectContext) again = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (gate, "", 0, NULL));
  write_two (fixture, words, "");
  g_object_set (fixture->manager, "resource-timeout-ms", 60000, NULL);
  add_project (fixture, "p", "notes", "notes://a");
  context = get_context (fixture, "p", &error);
  g_assert_no_error (error);
  assert_context (context, "notes notes://a alpha 1\n", 0, NULL);

  server = gmcp_manager_get_server (fixture->manager, "notes");
  gmcp_managed_server_stop_async (server, NULL, on_done, &stopped);
  manager_fixture_wait_until (stopped != NULL);
  g_unlink (gate);
  again = get_context (fixture, "p", &error);
  g_assert_no_error (error);
  assert_context (again, "notes notes://a alpha 1 stale\n", 1, "out of date");
}

static void
test_errors (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpProjectContext) empty = NULL;
  g_autoptr (GError) error = NULL;

  write_two (fixture, "--resource notes://a=alpha --silent", "");
  g_assert_null (get_context (fixture, "none", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED);
  g_clear_error (&error);
  g_assert_null (get_context (fixture, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  add_project (fixture, "p", "notes", "notes://a");
  add_project (fixture, "q", "", "");
  g_assert_null (get_context (fixture, "none", &error));
  g_assert_nonnull (strstr (error->message, "(configured: p, q)"));
  g_clear_error (&error);
  gmcp_manager_set_project (fixture->manager, "q");
  empty = get_context (fixture, NULL, &error);
  g_assert_no_error (error);
  assert_context (empty, "", 0, NULL);
  g_assert_null (gmcp_project_context_get_instructions (empty));

  g_object_set (fixture->manager, "resource-timeout-ms", 60000, NULL);
  gmcp_manager_get_context_async (fixture->manager, "p", cancellable, on_done, &result);
  g_cancellable_cancel (cancellable);
  manager_fixture_wait_until (result != NULL);
  g_assert_null (gmcp_manager_get_context_finish (fixture->manager, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_listing (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a project lists its servers only, starts no other, and forbids none");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"),
                         manager_fixture_entry (fixture, "two", "--tools pid"), NULL);
  add_project (fixture, "p", "one", "");
  add_project (fixture, "q", "", "");
  gmcp_manager_set_project (fixture->manager, "p");
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__echo");
  g_assert_cmpint (manager_fixture_get_state (fixture, "two"), ==, GMCP_SERVER_STATE_STOPPED);

  text = manager_fixture_call (fixture, "two__pid", NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (text);
  manager_fixture_assert_tools (fixture, "one__echo");

  gmcp_manager_set_project (fixture->manager, "q");
  manager_fixture_assert_tools (fixture, "");
  gmcp_manager_set_project (fixture->manager, "unknown");
  manager_fixture_assert_tools (fixture, "");
  gmcp_manager_set_project (fixture->manager, NULL);
  manager_fixture_assert_tools (fixture, "one__echo two__pid");

  gmcp_manager_set_project (fixture->manager, "q");
  add_project (fixture, "q", "two", "");
  manager_fixture_assert_tools (fixture, "two__pid");
}

static void
test_file (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *entry = manager_fixture_entry_of (fixture, "notes", "context-server.py",
                                                     "--resource notes://recent=news");
  g_autofree char *text
    = g_strdup_printf ("{\"mcpServers\":{%s},\"projects\":{\"DAAS\":{\"servers\":[\"notes\"],"
                       "\"resources\":[\"notes://recent\"]},\"THN\":{\"servers\":[]}}}",
                       entry);
  g_autoptr (GPtrArray) projects = NULL;
  g_autoptr (GmcpProjectContext) context = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("projects of a file");
  g_assert_true (g_file_set_contents (fixture->config, text, -1, NULL));
  g_object_set (fixture->manager, "resource-timeout-ms", 60000, NULL);
  context = get_context (fixture, "DAAS", &error);
  g_assert_no_error (error);
  assert_context (context, "notes notes://recent news 1\n", 0, NULL);

  projects = gmcp_manager_list_projects (fixture->manager);
  g_assert_cmpuint (projects->len, ==, 2);
  g_assert_cmpstr (gmcp_project_get_id (g_ptr_array_index (projects, 1)), ==, "THN");
  g_assert_null (manager_fixture_load (fixture, NULL));
  gmcp_manager_set_project (fixture->manager, "THN");
  manager_fixture_assert_tools (fixture, "");
}

static void
test_file_names (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *entry = manager_fixture_entry_of (fixture, "My Notes_1", "context-server.py",
                                                     "--resource notes://recent=news");
  g_autofree char *text
    = g_strdup_printf ("{\"mcpServers\":{%s},\"projects\":{\"p\":{\"servers\":[\"My Notes_1\"],"
                       "\"resources\":[\"My Notes_1 notes://recent\"]}}}",
                       entry);
  g_autoptr (GmcpProjectContext) context = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a resource names its server as the entry of the file is called");
  g_assert_true (g_file_set_contents (fixture->config, text, -1, NULL));
  g_object_set (fixture->manager, "resource-timeout-ms", 60000, NULL);
  context = get_context (fixture, "p", &error);
  g_assert_no_error (error);
  assert_context (context, "my-notes-1 notes://recent news 1\n", 0, NULL);
}

static void
test_prompts (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "notes__sum", "notes__plan", "tasks__sum" };
  g_autoptr (GPtrArray) prompts = NULL;
  g_autoptr (GPtrArray) fewer = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *dotted = NULL;

  write_two (fixture, "--prompt sum --prompt plan", "--prompt sum");
  /* Before any list. */
  text = get_prompt (fixture, "tasks__sum", "rain", &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (text, "sum about rain"));

  prompts = list_prompts (fixture);
  g_assert_cmpuint (prompts->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < prompts->len; i++)
    {
      GmcpPromptCommand *command = g_ptr_array_index (prompts, i);

      g_assert_cmpstr (gmcp_prompt_command_get_name (command), ==, names[i]);
      g_assert_true (g_str_has_prefix (names[i], gmcp_prompt_command_get_server_id (command)));
      g_assert_cmpuint (gmcp_prompt_get_n_arguments (gmcp_prompt_command_get_prompt (command)), ==,
                        1);
    }

  dotted = get_prompt (fixture, "notes.plan", NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (dotted, "plan about nothing"));
  g_assert_null (get_prompt (fixture, "sum", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (get_prompt (fixture, "none__at-all", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  add_project (fixture, "p", "tasks", "");
  gmcp_manager_set_project (fixture->manager, "p");
  fewer = list_prompts (fixture);
  g_assert_cmpuint (fewer->len, ==, 1);
}

static void
test_values (void)
{
  static const char *const servers[] = { "notes", "tasks", NULL };
  static const char *const resources[]
    = { "notes://a", "tasks file:///x", "file:///y", "no uri", NULL };
  g_autoptr (GmcpProject) project = gmcp_project_new ("p", servers, resources);
  g_autoptr (GmcpProject) single = gmcp_project_new ("q", (const char *[]){ "one", NULL },
                                                     (const char *[]){ "file:///y", NULL });
  g_autoptr (GmcpProject) empty = g_object_new (GMCP_TYPE_PROJECT, NULL);
  g_autofree char *first = gmcp_project_dup_resource_server_id (project, 0);
  g_autofree char *second = gmcp_project_dup_resource_server_id (project, 1);
  g_autofree char *only = gmcp_project_dup_resource_server_id (single, 0);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (gmcp_project_get_n_resources (project), ==, 4);
  g_assert_cmpstr (first, ==, "notes");
  g_assert_cmpstr (second, ==, "tasks");
  g_assert_cmpstr (gmcp_project_get_resource_uri (project, 1), ==, "file:///x");
  g_assert_null (gmcp_project_dup_resource_server_id (project, 2));
  g_assert_null (gmcp_project_dup_resource_server_id (project, 4));
  g_assert_null (gmcp_project_get_resource_uri (project, 4));
  g_assert_cmpstr (only, ==, "one");
  g_assert_true (gmcp_project_validate (single, &error));
  g_assert_false (gmcp_project_validate (project, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_nonnull (strstr (error->message, "file:///y"));
  g_clear_error (&error);
  g_assert_false (gmcp_project_validate (empty, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_cmpstr (gmcp_project_get_server_ids (empty)[0], ==, NULL);
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, test)                                                                            \
  g_test_add (path, ManagerFixture, NULL, manager_fixture_set_up, test, manager_fixture_tear_down)

  ADD ("/manager/context/gather", test_gather);
  ADD ("/manager/context/late", test_late);
  ADD ("/manager/context/left-out", test_left_out);
  ADD ("/manager/context/away", test_away);
  ADD ("/manager/context/errors", test_errors);
  ADD ("/manager/project/listing", test_listing);
  ADD ("/manager/project/file", test_file);
  ADD ("/manager/project/file-names", test_file_names);
  g_test_add_func ("/manager/project/values", test_values);
  ADD ("/manager/prompts", test_prompts);

  return g_test_run ();
}
