/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "manager-fixture.h"
#include "set-file.h"
#include "unit-test.h"

/* What a host may ask of a manager and its servers, and what is known of those that do not run. */

#define wait_result(slot) manager_fixture_wait_until ((slot) != NULL)

static void
store (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static GmcpManagedServer *
get (ManagerFixture *fixture, const char *id)
{
  return gmcp_manager_get_server (fixture->manager, id);
}

static void
test_restart (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) restarted = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *statistics = NULL;
  ManagerCall calls[3];
  int pid;

  g_test_summary ("a restart lets the calls under way finish, and those that come wait");
  manager_fixture_write (fixture,
                         manager_fixture_entry (fixture, "one", "--tools wait,release,pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  pid = gmcp_managed_server_get_pid (get (fixture, "one"));
  manager_call_begin (&calls[0], fixture, "one__wait", NULL, NULL, NULL);
  manager_call_begin (&calls[1], fixture, "one__release", NULL, NULL, NULL);
  gmcp_managed_server_restart_async (get (fixture, "one"), NULL, store, &restarted);
  manager_call_begin (&calls[2], fixture, "one__pid", NULL, NULL, NULL);
  wait_result (restarted);
  g_assert_true (gmcp_managed_server_restart_finish (get (fixture, "one"), restarted, &error));
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      manager_call_wait (&calls[i]);
      g_assert_no_error (calls[i].error);
    }
  g_assert_cmpint (atoi (calls[2].text), !=, pid);
  g_assert_cmpint (kill (pid, 0), ==, -1);
  g_assert_cmpuint (gmcp_managed_server_get_restarts (get (fixture, "one")), ==, 1);
  statistics = gmcp_managed_server_dup_statistics_json (get (fixture, "one"));
  g_assert_nonnull (strstr (statistics, "\"restarts\":1,"));
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    manager_call_clear (&calls[i]);
}

static gboolean
check (GmcpManagedServer *server)
{
  g_autoptr (GAsyncResult) checked = NULL;
  g_autoptr (GError) error = NULL;
  gboolean is_well;

  gmcp_managed_server_health_check_async (server, NULL, store, &checked);
  wait_result (checked);
  is_well = gmcp_managed_server_health_check_finish (server, checked, &error);
  g_assert_no_error (error);
  return is_well;
}

static void
stop (GmcpManagedServer *server)
{
  g_autoptr (GAsyncResult) stopped = NULL;

  gmcp_managed_server_stop_async (server, NULL, store, &stopped);
  wait_result (stopped);
  g_assert_true (gmcp_managed_server_stop_finish (server, stopped, NULL));
}

static void
test_health_check (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;
  int pid;

  g_test_summary ("a check that is asked for counts, and starts nothing");
  g_object_set (fixture->manager, "health-timeout-ms", 100, NULL);
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  server = get (fixture, "one");
  pid = gmcp_managed_server_get_pid (server);
  g_assert_true (check (server));
  g_assert_no_errno (kill (pid, SIGSTOP));
  g_assert_false (check (server));
  g_assert_cmpint (gmcp_managed_server_get_state (server), ==, GMCP_SERVER_STATE_DEGRADED);
  g_assert_nonnull (gmcp_managed_server_get_last_error (server));
  g_assert_no_errno (kill (pid, SIGCONT));
  g_assert_true (check (server));
  g_assert_cmpint (gmcp_managed_server_get_state (server), ==, GMCP_SERVER_STATE_READY);

  stop (server);
  g_assert_false (check (server));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 1);
}

static void
test_discover (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) discovered = NULL;
  g_autoptr (GAsyncResult) asked = NULL;
  g_autoptr (GAsyncResult) asked_again = NULL;
  g_autoptr (GAsyncResult) late = NULL;
  g_autoptr (GAsyncResult) later = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GmcpTool) echo = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;
  GmcpManagedServer *server;

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid,echo"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  server = get (fixture, "one");
  gmcp_managed_server_discover_tools_async (server, NULL, store, &discovered);
  gmcp_managed_server_read_overview_json_async (server, NULL, store, &asked);
  wait_result (discovered);
  wait_result (asked);
  tools = gmcp_managed_server_discover_tools_finish (server, discovered, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 2);
  echo = g_list_model_get_item (tools, 1);
  g_assert_cmpstr (gmcp_tool_get_server_id (echo), ==, "one");
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (echo)), ==, "one__echo");
  g_assert_cmpstr (gmcp_tool_get_server_tool_name (echo), ==, "echo");
  json = gmcp_managed_server_read_overview_json_finish (server, asked, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (json, "{\"tools\":[{\"name\": \"pid\""));
  g_assert_nonnull (strstr (json, "],\"resources\":[],\"prompts\":[],\"capabilities\":{\"tools\""));
  gmcp_managed_server_read_overview_async (server, NULL, store, &asked_again);
  wait_result (asked_again);
  node = gmcp_managed_server_read_overview_finish (server, asked_again, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (
    json_array_get_length (json_object_get_array_member (json_node_get_object (node), "tools")), ==,
    2);

  stop (server);
  gmcp_managed_server_discover_tools_async (server, NULL, store, &late);
  gmcp_managed_server_read_overview_async (server, NULL, store, &later);
  wait_result (late);
  wait_result (later);
  g_assert_null (gmcp_managed_server_discover_tools_finish (server, late, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  g_clear_error (&error);
  g_assert_null (gmcp_managed_server_read_overview_finish (server, later, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 1);
}

static void
assert_started (GmcpServerReport *report, const char *server)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (gmcp_server_report_get_server_id (report), ==, server);
  g_assert_null (gmcp_server_report_get_error (report));
  g_assert_true (gmcp_server_report_succeeded (report, &error));
  g_assert_no_error (error);
}

static void
test_start_all (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *manual = manager_fixture_entry (fixture, "manual", "--tools pid");
  g_autoptr (GAsyncResult) started = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) reports = NULL;
  g_autoptr (GError) same = NULL;
  g_autofree char *id = NULL;
  GmcpServerReport *gone;

  g_test_summary ("one that fails fails no other, and is named");
  manual[strlen (manual) - 1] = '\0';
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"),
                         g_strdup ("\"gone\":{\"command\":\"gmcp-no-such-program\"}"),
                         g_strconcat (manual, ",\"start\":\"manual\"}", NULL),
                         manager_fixture_entry (fixture, "two", "--tools pid"), NULL);
  gmcp_manager_start_all_async (fixture->manager, NULL, store, &started);
  wait_result (started);
  reports = gmcp_manager_start_all_finish (fixture->manager, started, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (reports->len, ==, 3);
  assert_started (reports->pdata[0], "one");
  assert_started (reports->pdata[2], "two");
  gone = reports->pdata[1];
  g_assert_cmpstr (gmcp_server_report_get_server_id (gone), ==, "gone");
  g_assert_false (gmcp_server_report_succeeded (gone, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_assert_nonnull (strstr (error->message, "gmcp-no-such-program"));
  g_assert_error (gmcp_server_report_get_error (gone), GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_object_get (gone, "server-id", &id, "error", &same, NULL);
  g_assert_cmpstr (id, ==, "gone");
  g_assert_cmpstr (same->message, ==, error->message);
  g_assert_cmpint (manager_fixture_get_state (fixture, "one"), ==, GMCP_SERVER_STATE_READY);
  g_assert_cmpint (manager_fixture_get_state (fixture, "two"), ==, GMCP_SERVER_STATE_READY);
  g_assert_cmpint (manager_fixture_get_state (fixture, "manual"), ==, GMCP_SERVER_STATE_STOPPED);
}

static GmcpServerConfig *
make_config (ManagerFixture *fixture, const char *id, const char *tools)
{
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
  const char *const command[] = {
    "/usr/bin/python3", "-S", script, "--log", fixture->log, "--tools", tools, NULL,
  };

  return gmcp_server_config_new (id, command);
}

static GmcpManagedServer *
add (ManagerFixture *fixture, const char *id, const char *tools, GError **error)
{
  g_autoptr (GmcpServerConfig) config = make_config (fixture, id, tools);
  g_autoptr (GAsyncResult) added = NULL;

  gmcp_manager_add_server_async (fixture->manager, config, NULL, store, &added);
  wait_result (added);
  return gmcp_manager_add_server_finish (fixture->manager, added, error);
}

static gboolean
remove_server (ManagerFixture *fixture, const char *id, GError **error)
{
  g_autoptr (GAsyncResult) removed = NULL;

  gmcp_manager_remove_server_async (fixture->manager, id, NULL, store, &removed);
  wait_result (removed);
  return gmcp_manager_remove_server_finish (fixture->manager, removed, error);
}

static void
test_removed_and_rewritten (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("a server that is withdrawn is shown again once it is written anew");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"),
                         manager_fixture_entry (fixture, "two", "--tools pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_true (remove_server (fixture, "one", NULL));
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "two__pid");

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "two", "--tools pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__pid");
}

static gboolean
has_outcome_of (ManagerFixture *fixture, const char *id)
{
  g_autofree char *path = g_build_filename (fixture->state, "server-outcomes.json", NULL);
  g_autofree char *key = g_strdup_printf ("\"%s ", id);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, key) != NULL;
}

static void
test_add_failure_not_kept (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const command[] = { "/bin/false", NULL };
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_new ("bad", command);
  g_autoptr (GAsyncResult) added = NULL;
  g_autoptr (GmcpManagedServer) good = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("of a server that does not stay nothing is kept");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  gmcp_manager_add_server_async (fixture->manager, config, NULL, store, &added);
  wait_result (added);
  g_assert_null (gmcp_manager_add_server_finish (fixture->manager, added, &error));
  g_assert_nonnull (error);
  g_assert_null (get (fixture, "bad"));
  g_clear_error (&error);

  good = add (fixture, "good", "pid", &error);
  g_assert_no_error (error);
  manager_fixture_wait_until (has_outcome_of (fixture, "good"));
  g_assert_false (has_outcome_of (fixture, "bad"));
}

static void
test_add_and_remove (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpManagedServer) two = NULL;
  g_autoptr (GmcpManagedServer) one = NULL;
  int pid;

  g_test_summary ("servers that a host adds and removes itself");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  two = add (fixture, "two", "echo,pid", &error);
  g_assert_no_error (error);
  g_assert_true (two == get (fixture, "two"));
  g_assert_cmpint (gmcp_managed_server_get_state (two), ==, GMCP_SERVER_STATE_READY);
  manager_fixture_assert_tools (fixture, "two__echo two__pid one__pid");

  g_assert_null (add (fixture, "one", "echo", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  pid = gmcp_managed_server_get_pid (get (fixture, "two"));
  g_assert_true (remove_server (fixture, "two", &error));
  g_assert_no_error (error);
  g_assert_cmpint (kill (pid, 0), ==, -1);
  manager_fixture_assert_tools (fixture, "one__pid");
  g_assert_false (remove_server (fixture, "two", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED);
  g_clear_error (&error);

  g_test_message ("one of the file stays away until it is added by that id");
  g_assert_true (remove_server (fixture, "one", NULL));
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "");
  one = add (fixture, "one", "echo", &error);
  g_assert_no_error (error);
  manager_fixture_assert_tools (fixture, "one__echo");
}

static void
test_add_failing (ManagerFixture *fixture, gconstpointer data)
{
  const char *const command[] = { "gmcp-no-such-program", NULL };
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_new ("gone", command);
  g_autoptr (GAsyncResult) added = NULL;
  g_autoptr (GError) error = NULL;

  manager_fixture_write (fixture, NULL, NULL);
  gmcp_manager_add_server_async (fixture->manager, config, NULL, store, &added);
  wait_result (added);
  g_assert_null (gmcp_manager_add_server_finish (fixture->manager, added, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_assert_null (get (fixture, "gone"));
}

static void
test_disabled (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) discovered = NULL;
  g_autoptr (GError) error = NULL;
  GmcpManagedServer *server;

  g_test_summary ("of a disabled server it is not said that it could be started");
  manager_fixture_write (fixture, g_strdup ("\"off\":{\"command\":\"false\",\"disabled\":true}"),
                         NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  server = get (fixture, "off");
  gmcp_managed_server_discover_tools_async (server, NULL, store, &discovered);
  wait_result (discovered);
  g_assert_null (gmcp_managed_server_discover_tools_finish (server, discovered, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  g_assert_null (strstr (error->message, "gmcp start"));
  g_assert_nonnull (strstr (error->message, "is disabled"));
}

static void
test_status (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *text = NULL;
  g_autofree char *pid = NULL;
  g_autofree char *now = NULL;
  g_autoptr (GDateTime) time = g_date_time_new_now_utc ();

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid,echo"),
                         g_strdup ("\"gone\":{\"command\":\"gmcp-no-such-program\"}"),
                         g_strdup ("\"off\":{\"command\":\"false\",\"disabled\":true}"), NULL);
  before = gmcp_manager_dup_status_json (fixture->manager);
  g_assert_cmpstr (before, ==, "{\"servers\":[],\"total_running\":0,\"total_healthy\":0}");
  g_assert_null (manager_fixture_load (fixture, NULL));
  text = gmcp_manager_dup_status_json (fixture->manager);
  g_test_message ("%s", text);
  pid = g_strdup_printf ("\"pid\":%d,\"started_at\":\"",
                         gmcp_managed_server_get_pid (get (fixture, "one")));
  now = g_date_time_format (time, "%Y-");
  g_assert_true (g_str_has_prefix (
    text, "{\"servers\":[{\"name\":\"one\",\"title\":\"one\",\"state\":\"running\","
          "\"fine_state\":\"ready\",\"connection\":\"connected\",\"health\":\"healthy\","));
  g_assert_nonnull (strstr (text, pid));
  g_assert_nonnull (strstr (text, now));
  g_assert_nonnull (strstr (
    text,
    "\"last_error\":null,\"last_failure\":null,\"last_failure_at\":null,\"tools_count\":2,\"auto_start\":true,"
    "\"start\":\"on-demand\",\"restarts\":0,\"sandbox\":\"none\",\"last_state\":\"ready\",\"last_ready_at\":\"2"));
  g_assert_nonnull (strstr (text, "\"fine_state\":\"failed\",\"connection\":\"error\","
                                  "\"health\":\"n/a\",\"pid\":null,\"started_at\":null,"
                                  "\"uptime_seconds\":0"));
  g_assert_nonnull (strstr (text, "\"fine_state\":\"disabled\""));
  g_assert_true (g_str_has_suffix (text, "],\"total_running\":1,\"total_healthy\":1}"));
}

static void
test_close_some (ManagerFixture *fixture, gconstpointer data)
{
  int pid;

  g_test_summary ("a manager is closed when all its processes are gone, whichever came first");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "idle", "--tools pid"),
                         manager_fixture_entry (fixture, "one", "--tools pid"),
                         manager_fixture_entry (fixture, "last", "--tools pid"), NULL);
  g_free (manager_fixture_call (fixture, "one__pid", NULL, NULL, NULL));
  pid = gmcp_managed_server_get_pid (get (fixture, "one"));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 1);
  manager_fixture_close (fixture);
  g_assert_cmpint (kill (pid, 0), ==, -1);
}

static guint
count_lines (const char *dir, const char *name, const char *part)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;

  lines = g_strsplit (text, "\n", -1);
  for (gsize i = 0; lines[i] != NULL; i++)
    n += strstr (lines[i], part) != NULL;
  return n;
}

static void
test_close_writes_logs (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->dir, "audit.jsonl", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GmcpAuditLog) log = gmcp_audit_log_new (file);
  g_autoptr (GString) large = g_string_new ("{\"text\":\"");
  g_autoptr (GmcpManagedServer) held = NULL;
  ManagerCall call;

  g_test_summary (
    "what is to be written of calls and servers is, as soon as the manager is closed");
  set_file (fixture->manager, "log-directory", fixture->dir);
  gmcp_manager_set_audit_log (fixture->manager, log);
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo,exit"),
                         manager_fixture_entry (fixture, "two", "--tools echo,wait"), NULL);
  g_free (manager_fixture_call (fixture, "one__echo", "{\"text\":\"a\"}", NULL, NULL));
  while (large->len < 1024 * 1024)
    g_string_append_c (large, 'b');
  g_string_append (large, "\"}");
  g_free (manager_fixture_call (fixture, "one__echo", large->str, NULL, NULL));
  g_free (manager_fixture_call (fixture, "one__exit", NULL, NULL, NULL));
  held = g_object_ref (get (fixture, "one"));
  g_free (manager_fixture_call (fixture, "two__echo", NULL, NULL, NULL));
  manager_call_begin (&call, fixture, "two__wait", NULL, NULL, NULL);

  manager_fixture_close (fixture);
  g_assert_cmpuint (count_lines (fixture->dir, "audit.jsonl", "\"server\":\"one\""), ==, 3);
  g_assert_cmpuint (count_lines (fixture->dir, "audit.jsonl", "\"arguments_sha256\""), ==, 1);
  g_assert_cmpuint (count_lines (fixture->dir, "audit.jsonl", "\"server\":\"two\""), ==, 2);
  g_assert_cmpuint (count_lines (fixture->dir, "one.log", "[info] Starting"), >=, 1);
  g_assert_cmpuint (count_lines (fixture->dir, "two.log", "[info] Starting"), ==, 1);
  g_assert_true (call.done);
  manager_call_clear (&call);
}

/* The manager is another one, as after the program was started again. */
static void
begin_anew (ManagerFixture *fixture)
{
  manager_fixture_close (fixture);
  g_assert_finalize_object (fixture->manager);
  fixture->manager = gmcp_manager_new ();
  fixture->provider = GMCP_TOOL_PROVIDER (fixture->manager);
  fixture->tools = gmcp_tool_provider_get_tools (fixture->provider);
  set_file (fixture->manager, "config-file", fixture->config);
}

/* No file that is being written. */
static gboolean
is_whole (const char *name)
{
  return strchr (name, '.') == NULL;
}

/* They are written in the background. */
static guint
count_manifests (ManagerFixture *fixture)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "gmcp", "tools", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *text = NULL;

      n += is_whole (name) && g_file_get_contents (path, &text, NULL, NULL)
           && strstr (text, fixture->dir) != NULL;
    }
  g_main_context_iteration (NULL, FALSE);
  return n;
}

static gboolean
has_manifest (ManagerFixture *fixture)
{
  return count_manifests (fixture) > 0;
}

static char *
break_manifest (ManagerFixture *fixture, const char *text)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "gmcp", "tools", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *former = NULL;

      if (is_whole (name) && g_file_get_contents (path, &former, NULL, NULL)
          && strstr (former, fixture->dir) != NULL)
        {
          g_assert_true (g_file_set_contents (path, text, -1, NULL));
          return g_steal_pointer (&path);
        }
    }
  g_assert_not_reached ();
}

static void
test_manifest (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const bad[] = { "",
                                     "{",
                                     "[]",
                                     "{\"format\":2,\"tools\":[]}",
                                     "{\"format\":1,\"tools\":7}",
                                     "{\"format\":1,\"tools\":[{\"name\":7}]}" };
  g_autofree char *words = g_strdup_printf ("--tools echo,pid --instructions In_%s", fixture->dir);
  g_autofree char *text = NULL;

  g_test_summary ("what a server listed is listed the next time without starting it");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", words), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_close (fixture);
  g_assert_true (has_manifest (fixture));

  begin_anew (fixture);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__echo one__pid");
  g_assert_nonnull (strstr (gmcp_manager_get_instructions (fixture->manager), fixture->dir));
  g_assert_cmpint (manager_fixture_get_state (fixture, "one"), ==, GMCP_SERVER_STATE_STOPPED);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 1);
  text = manager_fixture_call (fixture, "one__echo", NULL, NULL, NULL);
  g_assert_cmpstr (text, ==, "{}");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 2);

  g_test_message ("another configuration is another server");
  begin_anew (fixture);
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__pid");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 3);

  g_test_message ("a manifest that is none is as if there were none");
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path G_GNUC_UNUSED = break_manifest (fixture, bad[i]);

      begin_anew (fixture);
      manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", words), NULL);
      g_assert_null (manager_fixture_load (fixture, NULL));
      manager_fixture_assert_tools (fixture, "one__echo one__pid");
      g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 4 + i);
      while (!has_manifest (fixture))
        g_usleep (1000);
    }
}

static void
on_items_changed (GListModel *tools, guint position, guint n_removed, guint n_added, gpointer data)
{
  ++*(guint *) data;
}

static void
test_manifests (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const tools[] = { "echo", "pid", "echo,pid" };
  char *entries[G_N_ELEMENTS (tools)];
  guint n_changes = 0;

  g_test_summary ("what many servers listed is listed at once");
  for (gsize i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autofree char *id = g_strdup_printf ("s%" G_GSIZE_FORMAT, i);
      g_autofree char *words
        = g_strdup_printf ("--tools %s --instructions In_%s", tools[i], fixture->dir);

      entries[i] = manager_fixture_entry (fixture, id, words);
    }
  manager_fixture_write (fixture, entries[0], entries[1], entries[2], NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  while (count_manifests (fixture) < G_N_ELEMENTS (tools))
    g_usleep (1000);

  begin_anew (fixture);
  g_signal_connect (gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (fixture->manager)),
                    "items-changed", G_CALLBACK (on_items_changed), &n_changes);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "s0__echo s1__pid s2__echo s2__pid");
  g_assert_cmpuint (n_changes, ==, 1);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 3);
  g_signal_handlers_disconnect_by_data (
    gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (fixture->manager)), &n_changes);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/operations/" path, ManagerFixture, NULL, manager_fixture_set_up, func,     \
              manager_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("restart", test_restart);
  ADD ("health-check", test_health_check);
  ADD ("discover", test_discover);
  ADD ("disabled", test_disabled);
  ADD ("start-all", test_start_all);
  ADD ("add-and-remove", test_add_and_remove);
  ADD ("removed-and-rewritten", test_removed_and_rewritten);
  ADD ("add-failing", test_add_failing);
  ADD ("add-failure-not-kept", test_add_failure_not_kept);
  ADD ("status", test_status);
  ADD ("close-some", test_close_some);
  ADD ("close-writes-logs", test_close_writes_logs);
  ADD ("manifest", test_manifest);
  ADD ("manifests", test_manifests);
  return g_test_run ();
}
