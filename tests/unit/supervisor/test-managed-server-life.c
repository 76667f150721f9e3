/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "gmcp-manager-private.h"
#include "http-fixture.h"
#include "manager-fixture.h"
#include "unit-test.h"

/* How the manager looks after a server: when it starts, how it is watched, and when it starts again. */

/* An entry with more members, as JSON text. */
static char *
entry_with (ManagerFixture *fixture, const char *words, const char *members)
{
  g_autofree char *plain = manager_fixture_entry (fixture, "one", words);

  plain[strlen (plain) - 1] = '\0';
  return g_strdup_printf ("%s,%s}", plain, members);
}

/* From a program, which may set shorter times than a file. */
static GmcpManagedServer *
load (ManagerFixture *fixture, const char *words, const char *members)
{
  g_autofree char *entry = entry_with (fixture, words, members);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) config
    = gmcp_server_config_new_from_json ("one", strchr (entry, '{'), &error);

  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (fixture->config, "{\"mcpServers\":{}}", -1, NULL));
  gmcp_config_stack_add_server (gmcp_manager_get_config_stack (fixture->manager), config);
  g_assert_null (manager_fixture_load (fixture, NULL));
  return gmcp_manager_get_server (fixture->manager, "one");
}

/* The command finds the server where the manager does. */
static void
assert_tells_start (ManagerFixture *fixture, const char *message)
{
  g_autofree char *command
    = g_strdup_printf ("gmcp start --foreground one --config %s", fixture->config);

  g_assert_nonnull (strstr (message, command));
}

static gboolean
is (GmcpManagedServer *server, GmcpServerState state)
{
  return gmcp_managed_server_get_state (server) == state;
}

typedef struct
{
  gboolean done;
  gboolean succeeded;
  GError *error;
} Outcome;

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  outcome->succeeded
    = gmcp_managed_server_start_finish (GMCP_MANAGED_SERVER (object), result, &outcome->error);
  outcome->done = TRUE;
}

static GError *
start (GmcpManagedServer *server)
{
  Outcome outcome = { FALSE, FALSE, NULL };

  gmcp_managed_server_start_async (server, NULL, on_started, &outcome);
  manager_fixture_wait_until (outcome.done);
  g_assert_true (outcome.succeeded == (outcome.error == NULL));
  return outcome.error;
}

static void
on_stopped (GObject *object, GAsyncResult *result, gpointer data)
{
  g_assert_true (gmcp_managed_server_stop_finish (GMCP_MANAGED_SERVER (object), result, NULL));
  *(gboolean *) data = TRUE;
}

static void
stop (GmcpManagedServer *server)
{
  gboolean stopped = FALSE;

  gmcp_managed_server_stop_async (server, NULL, on_stopped, &stopped);
  manager_fixture_wait_until (stopped);
}

static void
on_state (GmcpManagedServer *server, GParamSpec *pspec, gpointer data)
{
  g_autoptr (GEnumClass) states = g_type_class_ref (GMCP_TYPE_SERVER_STATE);
  int state = (int) gmcp_managed_server_get_state (server);

  g_string_append_printf (data, " %s", g_enum_get_value (states, state)->value_nick);
}

/* What the server goes through, as a text of " state state". */
static GString *
watch (GmcpManagedServer *server)
{
  GString *states = g_string_new (NULL);

  g_signal_connect (server, "notify::state", G_CALLBACK (on_state), states);
  return states;
}

static void
unwatch (GmcpManagedServer *server, GString *states)
{
  g_signal_handlers_disconnect_by_data (server, states);
  g_string_free (states, TRUE);
}

static void
test_restart (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools pid", "\"maxRestartAttempts\":7");
  GString *states = watch (server);
  int pid = gmcp_managed_server_get_pid (server);
  g_autoptr (GDateTime) started_at = gmcp_managed_server_dup_started_at (server);

  g_test_summary ("a server that is killed is there again, without being asked");
  g_assert_nonnull (started_at);
  g_assert_cmpstr (gmcp_server_state_get_health (gmcp_managed_server_get_state (server)), ==,
                   "healthy");
  g_assert_cmpstr (gmcp_server_state_get_connection (gmcp_managed_server_get_state (server)), ==,
                   "connected");
  fixture->n_tool_changes = 0;
  g_assert_no_errno (kill (pid, SIGKILL));
  manager_fixture_wait_until (strstr (states->str, " starting ready") != NULL);
  g_assert_cmpstr (states->str, ==, " backing-off starting ready");
  g_assert_cmpint (gmcp_managed_server_get_pid (server), !=, pid);
  g_assert_cmpuint (gmcp_managed_server_get_restarts (server), ==, 1);
  g_assert_cmpuint (fixture->n_tool_changes, ==, 0);
  g_assert_null (gmcp_managed_server_get_last_error (server));
  g_assert_true (manager_fixture_has_notice (fixture, "error one Server “one” ended unexpectedly"));
  unwatch (server, states);
}

static void
test_give_up (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools pid --once", "\"maxRestartAttempts\":2");
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) again = NULL;
  guint n_errors = 0;

  g_test_summary ("after its attempts a server is given up: no tools, one notice, no more starts");
  g_assert_no_errno (kill (gmcp_managed_server_get_pid (server), SIGKILL));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_FAILED));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 3);
  manager_fixture_assert_tools (fixture, "");
  for (guint i = 0; i < fixture->notices->len; i++)
    n_errors += strstr (g_ptr_array_index (fixture->notices, i), "without its tools") != NULL;
  g_assert_cmpuint (n_errors, ==, 1);

  for (guint i = 0; i < 20; i++)
    {
      g_clear_error (&error);
      g_assert_null (manager_fixture_call (fixture, "one__pid", NULL, NULL, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
      g_assert_nonnull (strstr (error->message, "is not started for a call"));
      assert_tells_start (fixture, error->message);
    }
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 3);

  g_test_message ("whoever starts it by name gets a start of its own, and an answer");
  again = start (server);
  g_assert_error (again, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_assert_cmpint (gmcp_managed_server_get_pid (server), ==, 0);
  g_assert_no_errno (g_unlink (fixture->log));
  g_assert_null (start (server));
  manager_fixture_assert_tools (fixture, "one__pid");
}

static void
test_crash_loop (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools pid", "\"maxRestartAttempts\":3");
  GString *states = watch (server);

  g_test_summary ("a server that starts well and ends each time is given up as well");
  while (!is (server, GMCP_SERVER_STATE_FAILED))
    {
      int pid = is (server, GMCP_SERVER_STATE_READY) ? gmcp_managed_server_get_pid (server) : 0;

      if (pid > 0)
        kill (pid, SIGKILL);
      g_main_context_iteration (NULL, TRUE);
    }
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 4);
  manager_fixture_assert_tools (fixture, "");
  g_assert_true (g_str_has_suffix (states->str, " ready failed"));
  unwatch (server, states);
}

static void
test_no_restart (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools pid", "\"restartOnFailure\":false");
  g_autofree char *text = NULL;

  g_assert_no_errno (kill (gmcp_managed_server_get_pid (server), SIGKILL));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_STOPPED));
  g_assert_nonnull (gmcp_managed_server_get_last_error (server));
  manager_fixture_assert_tools (fixture, "one__pid");
  text = manager_fixture_call (fixture, "one__pid", NULL, NULL, NULL);
  g_assert_nonnull (text);
  g_assert_cmpuint (gmcp_managed_server_get_restarts (server), ==, 0);
}

static void
test_no_restart_loop (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server
    = load (fixture, "--tools exit,pid", "\"restartOnFailure\":false,\"maxRestartAttempts\":2");
  g_autoptr (GError) refused = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("calls start a server that ends in each of them as often as there are attempts");
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (manager_fixture_call (fixture, "one__exit", NULL, NULL, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
      manager_fixture_wait_until (
        is (server, i < 2 ? GMCP_SERVER_STATE_STOPPED : GMCP_SERVER_STATE_FAILED));
    }

  manager_fixture_assert_tools (fixture, "");
  g_assert_true (manager_fixture_has_notice (fixture, "error one Server “one” keeps failing"));
  g_assert_null (manager_fixture_call (fixture, "one__exit", NULL, NULL, &refused));
  g_assert_error (refused, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  assert_tells_start (fixture, refused->message);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call exit"), ==, 3);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 3);

  g_test_message ("the count begins anew where somebody starts it by name");
  g_assert_no_error (start (server));
  g_assert_null (manager_fixture_call (fixture, "one__exit", NULL, NULL, NULL));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_STOPPED));
  text = manager_fixture_call (fixture, "one__pid", NULL, NULL, NULL);
  g_assert_nonnull (text);
}

static void
test_backing_off (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;
  g_autoptr (GError) far = NULL;
  ManagerCall call;
  gint64 began_us;

  g_test_summary ("calls wait for a start that is near, fail where it is far, and start none");
  manager_fixture_set_restart_delay (fixture, 300);
  server = load (fixture, "--tools pid", "\"maxRestartAttempts\":7");
  began_us = g_get_monotonic_time ();
  g_assert_no_errno (kill (gmcp_managed_server_get_pid (server), SIGKILL));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_BACKING_OFF));
  manager_call_begin (&call, fixture, "one__pid", NULL, NULL, NULL);
  g_assert_cmpint (gmcp_managed_server_get_state (server), ==, GMCP_SERVER_STATE_BACKING_OFF);
  manager_call_wait (&call);
  g_assert_no_error (call.error);
  g_assert_cmpint (g_get_monotonic_time () - began_us, >=, 240000);
  manager_call_clear (&call);

  manager_fixture_set_restart_delay (fixture, 60000);
  g_assert_no_errno (kill (gmcp_managed_server_get_pid (server), SIGKILL));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_BACKING_OFF));
  g_assert_null (manager_fixture_call (fixture, "one__pid", NULL, NULL, &far));
  g_assert_error (far, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  assert_tells_start (fixture, far->message);
  manager_fixture_assert_tools (fixture, "one__pid");

  g_test_message ("whoever starts it by name does not wait");
  g_assert_null (start (server));
  g_test_message ("and a stop ends the waiting");
  g_assert_no_errno (kill (gmcp_managed_server_get_pid (server), SIGKILL));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_BACKING_OFF));
  stop (server);
  g_assert_true (is (server, GMCP_SERVER_STATE_STOPPED));
}

static void
test_manual (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools pid", "\"start\":\"manual\"");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("nothing starts a manual server but its user");
  g_assert_false (gmcp_managed_server_get_auto_start (server));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 0);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_null (manager_fixture_call (fixture, "one__pid", NULL, NULL, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
      g_assert_nonnull (strstr (error->message, "set its “start” to “on-demand”"));
      g_clear_error (&error);
      if (i == 1)
        break;

      g_assert_null (start (server));
      text = manager_fixture_call (fixture, "one__pid", NULL, NULL, NULL);
      g_assert_nonnull (text);
      stop (server);
      manager_fixture_assert_tools (fixture, "one__pid");
    }
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 1);

  g_test_message ("one that was started is kept up");
  g_assert_null (start (server));
  g_assert_no_errno (kill (gmcp_managed_server_get_pid (server), SIGKILL));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_STARTING));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_READY));
}

static void
test_at_load (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;

  g_test_summary ("a server that is to run from the beginning is tried again where it does not");
  server
    = load (fixture, "--tools pid --fail list", "\"start\":\"at-load\",\"maxRestartAttempts\":2");
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_FAILED));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 3);
  g_assert_error (gmcp_managed_server_get_last_error (server), GMCP_ERROR, GMCP_ERROR_START_FAILED);
}

#define QUICK "\"healthIntervalMs\":30,\"healthTimeoutMs\":200,\"shutdownTimeoutMs\":50"

static void
test_unhealthy (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools pid", QUICK);
  GString *states = watch (server);
  int pid = gmcp_managed_server_get_pid (server);

  g_test_summary ("a server that is suspended is found out, ended and started again");
  g_assert_no_errno (kill (pid, SIGSTOP));
  manager_fixture_wait_until (strstr (states->str, " starting ready") != NULL);
  g_assert_cmpstr (states->str, ==, " degraded unhealthy backing-off starting ready");
  g_assert_cmpint (kill (pid, 0), ==, -1);
  g_assert_true (manager_fixture_has_notice (fixture, "warning one Server “one” is unhealthy"));
  g_assert_true (manager_fixture_has_notice (fixture, "did not stop within 50 ms and was killed"));
  manager_fixture_assert_tools (fixture, "one__pid");
  unwatch (server, states);
}

static void
test_unhealthy_stays (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools pid", QUICK ",\"restartOnFailure\":false");
  int pid = gmcp_managed_server_get_pid (server);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("without restarts its tools go, and come back when it answers again");
  g_assert_no_errno (kill (pid, SIGSTOP));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_UNHEALTHY));
  manager_fixture_assert_tools (fixture, "");
  g_assert_cmpstr (gmcp_server_state_get_health (gmcp_managed_server_get_state (server)), ==,
                   "unhealthy");
  g_assert_null (manager_fixture_call (fixture, "one__pid", NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "health check"));

  g_assert_no_errno (kill (pid, SIGCONT));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_READY));
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->tools) == 1);
  text = manager_fixture_call (fixture, "one__pid", NULL, NULL, NULL);
  g_assert_cmpint (atoi (text), ==, pid);
  g_assert_true (manager_fixture_has_notice (fixture, "info one Server “one” recovered"));
  g_assert_null (gmcp_managed_server_get_last_error (server));
}

static void
test_tool_call (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server
    = load (fixture, "--tools sick",
            QUICK ",\"restartOnFailure\":false,\"healthMethod\":\"tool-call\","
                  "\"healthTool\":\"One.sick\",\"healthArguments\":{\"a\":1}");
  g_autofree char *sick = g_strconcat (fixture->log, ".sick", NULL);

  g_test_summary (
    "a check by a call passes on a result that is no error; the server may go by its name");
  g_assert_true (is (server, GMCP_SERVER_STATE_READY));
  manager_fixture_wait_until (manager_fixture_count_log (fixture, "call sick") >= 3);
  g_assert_true (is (server, GMCP_SERVER_STATE_READY));
  g_assert_true (g_file_set_contents (sick, "", 0, NULL));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_UNHEALTHY));
  g_assert_no_errno (g_unlink (sick));
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_READY));
}

static void
test_process (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server
    = load (fixture, "--tools pid --hang ping", QUICK ",\"healthMethod\":\"process\"");
  g_autoptr (GDateTime) first = gmcp_managed_server_dup_last_health_check (server);
  guint n_checks = 0;

  g_test_summary ("where the process is all that is looked at, nothing is asked");
  g_assert_nonnull (first);
  g_signal_connect_swapped (server, "notify::last-health-check", G_CALLBACK (g_atomic_int_inc),
                            &n_checks);
  manager_fixture_wait_until (n_checks >= 3);
  g_assert_true (is (server, GMCP_SERVER_STATE_READY));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "ping"), ==, 0);
  g_signal_handlers_disconnect_by_data (server, &n_checks);
}

static void
test_start_check (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;
  const GError *error;

  g_test_summary (
    "a start is done only when a health check has passed, and leaves no process else");
  g_object_set (fixture->manager, "startup-timeout-ms", 2500, NULL);
  server = load (fixture, "--tools pid --hang ping --linger", "\"shutdownTimeoutMs\":20000");
  g_assert_true (is (server, GMCP_SERVER_STATE_FAILED));
  error = gmcp_managed_server_get_last_error (server);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_assert_nonnull (strstr (error->message, "health check within 2500 ms"));
  g_assert_cmpint (gmcp_managed_server_get_pid (server), ==, 0);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "ping"), ==, 1);
  manager_fixture_assert_tools (fixture, "");
}

static void
test_idle (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools wait,release,pid", "\"idleTimeoutMs\":60");
  ManagerCall call;
  g_autofree char *text = NULL;
  gint64 until_us;

  g_test_summary ("an idle server is stopped, but never while a call or a hold is open");
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_STOPPED));
  manager_fixture_assert_tools (fixture, "one__wait one__release one__pid");

  manager_call_begin (&call, fixture, "one__wait", NULL, NULL, NULL);
  manager_fixture_wait_until (manager_fixture_count_log (fixture, "call wait") == 1);
  until_us = g_get_monotonic_time () + 300000;
  while (g_get_monotonic_time () < until_us)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (is (server, GMCP_SERVER_STATE_READY));
  gmcp_managed_server_hold (server);
  text = manager_fixture_call (fixture, "one__release", NULL, NULL, NULL);
  manager_call_wait (&call);
  g_assert_no_error (call.error);
  manager_call_clear (&call);
  until_us = g_get_monotonic_time () + 300000;
  while (g_get_monotonic_time () < until_us)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (is (server, GMCP_SERVER_STATE_READY));
  gmcp_managed_server_release (server);
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_STOPPED));
  g_assert_cmpuint (gmcp_managed_server_get_restarts (server), ==, 0);
}

static void
on_pinged (GObject *object, GAsyncResult *result, gpointer data)
{
  g_assert_true (gmcp_client_ping_finish (GMCP_CLIENT (object), result, NULL));
  *(gboolean *) data = TRUE;
}

static void
test_idle_client (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools pid", "\"idleTimeoutMs\":800");
  gint64 until_us = g_get_monotonic_time () + 100000;
  gboolean pinged = FALSE;

  g_test_summary ("what a host asks through the client counts as use");
  while (g_get_monotonic_time () < until_us)
    g_main_context_iteration (NULL, FALSE);
  gmcp_client_ping_async (gmcp_managed_server_get_client (server), NULL, NULL, on_pinged, &pinged);
  manager_fixture_wait_until (pinged);
  until_us = g_get_monotonic_time () + 800000;
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_STOPPED));
  g_assert_cmpint (g_get_monotonic_time (), >=, until_us);
}

static void
on_forced (GObject *object, GAsyncResult *result, gpointer data)
{
  g_assert_true (
    gmcp_managed_server_force_stop_finish (GMCP_MANAGED_SERVER (object), result, NULL));
  *(gboolean *) data = TRUE;
}

static void
test_force (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server
    = load (fixture, "--tools wait --linger", "\"shutdownTimeoutMs\":1000000");
  int pid = gmcp_managed_server_get_pid (server);
  gboolean stopped = FALSE;
  gboolean forced = FALSE;
  ManagerCall call;

  g_test_summary ("a stop by force waits for nobody, also where another stop waits already");
  manager_call_begin (&call, fixture, "one__wait", NULL, NULL, NULL);
  gmcp_managed_server_stop_async (server, NULL, on_stopped, &stopped);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_false (call.done);
  gmcp_managed_server_force_stop_async (server, NULL, on_forced, &forced);
  manager_fixture_wait_until (forced && stopped);
  g_assert_cmpint (kill (pid, 0), ==, -1);
  manager_call_wait (&call);
  g_assert_error (call.error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  manager_call_clear (&call);

  g_assert_null (start (server));
  forced = FALSE;
  gmcp_managed_server_force_stop_async (server, NULL, on_forced, &forced);
  manager_fixture_wait_until (forced);
  g_assert_true (is (server, GMCP_SERVER_STATE_STOPPED));
}

static void
test_sign_in (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (HttpServer) http = http_server_start ();
  g_autofree char *url = http_server_dup_url (http, "/refuse");
  GmcpManagedServer *server;
  g_autoptr (GError) error = NULL;
  GString *states;
  guint n_asked;

  g_test_summary ("a server that wants a sign-in is not asked again and again");
  manager_fixture_write (
    fixture, g_strdup_printf ("\"one\":{\"url\":\"%s\",\"start\":\"at-load\"}", url), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  server = gmcp_manager_get_server (fixture->manager, "one");
  g_assert_true (is (server, GMCP_SERVER_STATE_NEEDS_SIGN_IN));
  g_assert_cmpstr (gmcp_server_state_get_connection (gmcp_managed_server_get_state (server)), ==,
                   "error");
  n_asked = http_server_count (http, "POST /refuse");
  states = watch (server);
  g_assert_null (manager_fixture_call (fixture, "one__pid", NULL, NULL, &error));
  g_assert_error (error, GMCP_AUTH_ERROR, GMCP_AUTH_ERROR_SIGN_IN_REQUIRED);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_cmpstr (states->str, ==, "");
  g_assert_cmpuint (http_server_count (http, "POST /refuse"), ==, n_asked);
  unwatch (server, states);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/managed-server/life/" path, ManagerFixture, NULL, manager_fixture_set_up, func,    \
              manager_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  ADD ("restart", test_restart);
  ADD ("give-up", test_give_up);
  ADD ("crash-loop", test_crash_loop);
  ADD ("no-restart", test_no_restart);
  ADD ("no-restart-loop", test_no_restart_loop);
  ADD ("backing-off", test_backing_off);
  ADD ("manual", test_manual);
  ADD ("at-load", test_at_load);
  ADD ("health/unhealthy", test_unhealthy);
  ADD ("health/unhealthy-stays", test_unhealthy_stays);
  ADD ("health/tool-call", test_tool_call);
  ADD ("health/process", test_process);
  ADD ("health/start", test_start_check);
  ADD ("idle", test_idle);
  ADD ("idle/client", test_idle_client);
  ADD ("force", test_force);
  ADD ("sign-in", test_sign_in);
  return g_test_run ();
}
