/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "gmcp-manager-private.h"
#include "manager-fixture.h"
#include "unit-test.h"

/* What a host is told of servers that are not started here, and of calls that end badly. */

static guint
count_notices (ManagerFixture *fixture, const char *prefix)
{
  guint n = 0;

  for (guint i = 0; i < fixture->notices->len; i++)
    n += g_str_has_prefix (g_ptr_array_index (fixture->notices, i), prefix);
  return n;
}

/* Connections to a socket; there is nobody who answers. */
static gboolean
on_incoming (GSocketService *service, GSocketConnection *connection, GObject *source, gpointer data)
{
  g_ptr_array_add (data, g_object_ref (connection));
  return TRUE;
}

static void
test_connecting (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->dir, "socket", NULL);
  g_autoptr (GSocketService) service = g_socket_service_new ();
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GPtrArray) connections = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a server with an address is connected to, not started");
  g_socket_listener_add_address (G_SOCKET_LISTENER (service), address, G_SOCKET_TYPE_STREAM,
                                 G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, &error);
  g_assert_no_error (error);
  g_signal_connect (service, "incoming", G_CALLBACK (on_incoming), connections);
  g_object_set (fixture->manager, "startup-timeout-ms", 300, NULL);
  manager_fixture_write (fixture, g_strdup_printf ("\"far\":{\"url\":\"unix://%s\"}", path), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));

  g_assert_cmpuint (connections->len, >, 0);
  g_assert_cmpuint (count_notices (fixture, "info far Connecting to server “far”"), ==, 1);
  g_assert_cmpuint (count_notices (fixture, "info far Starting"), ==, 0);
  g_assert_cmpuint (count_notices (fixture, "info far Server “far” started"), ==, 0);
  g_test_message ("one that does not answer in time is a warning");
  g_assert_cmpuint (count_notices (fixture, "warning far "), ==, 1);
  g_assert_true (manager_fixture_has_notice (fixture, "within 300 ms"));
  g_assert_false (manager_fixture_has_notice (fixture, "privileges"));
  g_socket_service_stop (service);
  g_socket_listener_close (G_SOCKET_LISTENER (service));
  g_unlink (path);
}

static void
test_calls (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a time-out of a call is a warning, an error that the server gives is an error");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools wait,echo"),
                         NULL);
  text = manager_fixture_call (fixture, "one__echo", "{}", NULL, &error);
  g_assert_no_error (error);
  g_ptr_array_set_size (fixture->notices, 0);

  gmcp_call_options_set_timeout_ms (options, 20);
  g_assert_null (manager_fixture_call (fixture, "one__wait", "{}", options, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_cmpuint (count_notices (fixture, "warning one "), ==, 1);
  g_assert_true (manager_fixture_has_notice (fixture, error->message));
  g_clear_error (&error);

  g_assert_null (manager_fixture_call (fixture, "one__refuse", "{}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_cmpuint (fixture->notices->len, ==, 1);
  g_clear_error (&error);
}

static void
test_error (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("an error that a server answers with is told of as one, and ends nothing");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools refuse"), NULL);
  g_assert_null (manager_fixture_call (fixture, "one__refuse", "{}", NULL, &error));
  g_assert_cmpuint (error->domain, ==, GMCP_RPC_ERROR);
  g_assert_cmpint (error->code, ==, -32010);
  g_assert_cmpuint (count_notices (fixture, "error one Server “one” answered with an error: "), ==,
                    1);
  g_assert_true (manager_fixture_has_notice (fixture, "Not today"));
  g_assert_cmpint (manager_fixture_get_state (fixture, "one"), ==, GMCP_SERVER_STATE_READY);
}

/* From a program, which may set shorter times than a file. */
static GmcpManagedServer *
add (ManagerFixture *fixture, const char *words, const char *members)
{
  g_autofree char *entry = manager_fixture_entry (fixture, "one", words);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) config = NULL;

  entry[strlen (entry) - 1] = '\0';
  text = g_strdup_printf ("%s,%s}", strchr (entry, '{'), members);
  config = gmcp_server_config_new_from_json ("one", text, &error);
  g_assert_no_error (error);
  manager_fixture_write (fixture, NULL, NULL);
  gmcp_config_stack_add_server (gmcp_manager_get_config_stack (fixture->manager), config);
  g_assert_null (manager_fixture_load (fixture, NULL));
  return gmcp_manager_get_server (fixture->manager, "one");
}

static gboolean
is (GmcpManagedServer *server, GmcpServerState state)
{
  return gmcp_managed_server_get_state (server) == state;
}

/* Every notice has to begin as the texts say, in their order; NULL after the last. What is said of a
 * server that is new to this computer is left out. */
static void
assert_order (ManagerFixture *fixture, const char *first, ...)
{
  const char *expected = first;
  va_list more;
  guint i = 0;

  for (guint j = fixture->notices->len; j > 0; j--)
    if (strstr (g_ptr_array_index (fixture->notices, j - 1), "runs with all your privileges"))
      g_ptr_array_remove_index (fixture->notices, j - 1);

  va_start (more, first);
  for (; expected != NULL; expected = va_arg (more, const char *))
    {
      const char *notice
        = i < fixture->notices->len ? g_ptr_array_index (fixture->notices, i) : "(none)";

      if (!g_str_has_prefix (notice, expected))
        g_error ("notice %u is “%s”, not “%s…”", i, notice, expected);
      i++;
    }
  va_end (more);
  g_assert_cmpuint (fixture->notices->len, ==, i);
}

static void
test_order_of_start (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;

  g_test_summary ("a start that fails is told of before what is made of it");
  g_object_set (fixture->manager, "restart-jitter-percent", 0, NULL);
  server
    = add (fixture, "--tools pid --fail list", "\"start\":\"at-load\",\"maxRestartAttempts\":1");
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_FAILED)
                              && manager_fixture_has_notice (fixture, "keeps failing"));
  assert_order (
    fixture, "info one Starting server “one”", "info one Server “one” started (PID ",
    "warning one Server “one” did not start: ", "info one Server “one” is restarted in ",
    "info one Starting server “one”", "info one Server “one” started (PID ",
    "error one Server “one” keeps failing and is not restarted any more; going on "
    "without its tools.",
    NULL);
}

static void
test_going_on (ManagerFixture *fixture, gconstpointer data)
{
  const char *const ids[] = { "one", NULL };
  gboolean is_required = GPOINTER_TO_INT (data);
  g_autoptr (GmcpRequirements) requirements
    = gmcp_requirements_new (NULL, is_required ? ids : NULL, is_required ? NULL : ids, NULL);
  GmcpManagedServer *server;

  g_test_summary ("where a server that is not required fails, it is told that it is done without");
  gmcp_manager_add_requirements (fixture->manager, requirements);
  server = add (fixture, "--tools pid --fail list", "\"shutdownTimeoutMs\":5000");
  g_assert_true (is (server, GMCP_SERVER_STATE_FAILED));
  if (is_required)
    assert_order (fixture, "info one Starting", "info one Server “one” started (PID ",
                  "warning one Server “one” did not start: ", NULL);
  else
    assert_order (fixture, "info one Starting", "info one Server “one” started (PID ",
                  "warning one Server “one” did not start: ",
                  "info one Going on without the tools of server “one”", NULL);
}

static void
test_recovered (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = add (fixture, "--tools pid", "\"shutdownTimeoutMs\":5000");

  g_test_summary ("after a restart that helped it is told that the server recovered");
  assert_order (fixture, "info one Starting", "info one Server “one” started (PID ",
                "info one Server “one” is ready: MCP 2025-11-25, 1 tool", NULL);
  g_assert_true (
    g_str_has_suffix (g_ptr_array_index (fixture->notices, fixture->notices->len - 1), "1 tool"));
  g_ptr_array_set_size (fixture->notices, 0);
  g_assert_no_errno (kill (gmcp_managed_server_get_pid (server), SIGKILL));
  manager_fixture_wait_until (manager_fixture_has_notice (fixture, "recovered"));
  assert_order (fixture, "error one Server “one” ended unexpectedly: ",
                "info one Server “one” is restarted in ", "info one Starting",
                "info one Server “one” started (PID ",
                "info one Server “one” is ready: ", "info one Server “one” recovered", NULL);
}

typedef struct
{
  gboolean done;
} Outcome;

static void
on_stopped (GObject *object, GAsyncResult *result, gpointer data)
{
  gmcp_managed_server_stop_finish (GMCP_MANAGED_SERVER (object), result, NULL);
  ((Outcome *) data)->done = TRUE;
}

static void
test_kill (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server
    = add (fixture, "--tools pid --linger", "\"shutdownTimeoutMs\":50,\"start\":\"manual\"");
  Outcome outcome = { FALSE };

  g_test_summary ("that a server was killed is told before that it stopped");
  gmcp_managed_server_start_async (server, NULL, NULL, NULL);
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_READY));
  g_ptr_array_set_size (fixture->notices, 0);
  gmcp_managed_server_stop_async (server, NULL, on_stopped, &outcome);
  manager_fixture_wait_until (outcome.done);
  assert_order (fixture, "info one Stopping server “one” (PID ",
                "warning one Server “one” did not stop within 50 ms and was killed",
                "info one Server “one” stopped", NULL);
}

static void
on_checked (GObject *object, GAsyncResult *result, gpointer data)
{
  gmcp_managed_server_health_check_finish (GMCP_MANAGED_SERVER (object), result, NULL);
  ((Outcome *) data)->done = TRUE;
}

static void
test_one_check (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server
    = add (fixture, "--tools pid",
           "\"healthIntervalMs\":600000,\"shutdownTimeoutMs\":50,\"restartOnFailure\":false");
  Outcome outcome = { FALSE };
  int pid = gmcp_managed_server_get_pid (server);

  g_test_summary ("a failed health check is told of, also where the first one is one too many");
  g_object_set (fixture->manager, "max-health-failures", 1, NULL);
  g_object_set (fixture->manager, "health-timeout-ms", 20, NULL);
  g_ptr_array_set_size (fixture->notices, 0);
  g_assert_no_errno (kill (pid, SIGSTOP));
  gmcp_managed_server_health_check_async (server, NULL, on_checked, &outcome);
  manager_fixture_wait_until (outcome.done);
  g_assert_no_errno (kill (pid, SIGCONT));
  assert_order (fixture, "error one Server “one” failed a health check: ",
                "error one Server “one” is unhealthy and is not to be restarted; going on without "
                "its tools: ",
                NULL);
}

static void
test_start_check (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;

  g_test_summary ("where the health check of a start fails, the text says that it was one");
  server
    = add (fixture, "--tools refuse", "\"healthMethod\":\"tool-call\",\"healthTool\":\"refuse\"");
  g_assert_true (is (server, GMCP_SERVER_STATE_FAILED));
  g_assert_nonnull (strstr (gmcp_managed_server_get_last_error (server)->message,
                            "Server “one” failed the health check of its start: "));
  g_assert_true (manager_fixture_has_notice (
    fixture, "warning one Server “one” failed the health check of its start: "));
}

static void
on_pid (GmcpManagedServer *server, GParamSpec *pspec, gpointer data)
{
  *(int *) data = gmcp_managed_server_get_pid (server);
}

static void
test_pid (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = add (fixture, "--tools pid --linger", "\"shutdownTimeoutMs\":50");
  int pid = gmcp_managed_server_get_pid (server);
  int shown = pid;

  g_test_summary ("a process that is gone is shown in no state");
  manager_fixture_set_restart_delay (fixture, 600000);
  g_object_set (fixture->manager, "max-health-failures", 1, NULL);
  g_object_set (fixture->manager, "health-timeout-ms", 20, NULL);
  g_signal_connect (server, "notify::pid", G_CALLBACK (on_pid), &shown);
  g_assert_no_errno (kill (pid, SIGSTOP));
  gmcp_managed_server_health_check_async (server, NULL, NULL, NULL);
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_BACKING_OFF));
  g_test_message ("as it leaves it is still there; whoever shows it learns of its end");
  manager_fixture_wait_until (shown == 0);
  g_assert_cmpint (gmcp_managed_server_get_pid (server), ==, 0);
  g_assert_cmpint (kill (pid, 0), ==, -1);
  g_assert_true (is (server, GMCP_SERVER_STATE_BACKING_OFF));
  g_signal_handlers_disconnect_by_data (server, &shown);
}

static void
test_pid_held_up (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = add (fixture, "--tools pid", "\"shutdownTimeoutMs\":50");
  int pid = gmcp_managed_server_get_pid (server);

  g_test_summary ("nor is one whose end the main loop has not come to yet");
  g_assert_no_errno (kill (pid, SIGKILL));
  while (kill (pid, 0) == 0)
    g_usleep (1000);
  g_assert_true (is (server, GMCP_SERVER_STATE_READY));
  g_assert_cmpint (gmcp_managed_server_get_pid (server), ==, 0);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/manager/notices/" name, ManagerFixture, NULL, manager_fixture_set_up, func,        \
              manager_fixture_tear_down)

  ADD ("connecting", test_connecting);
  ADD ("calls", test_calls);
  ADD ("error", test_error);
  ADD ("order-of-start", test_order_of_start);
  ADD ("going-on", test_going_on);
  g_test_add ("/manager/notices/going-on-required", ManagerFixture, GINT_TO_POINTER (TRUE),
              manager_fixture_set_up, test_going_on, manager_fixture_tear_down);
  ADD ("recovered", test_recovered);
  ADD ("kill", test_kill);
  ADD ("one-check", test_one_check);
  ADD ("start-check", test_start_check);
  ADD ("pid", test_pid);
  ADD ("pid-held-up", test_pid_held_up);

  return g_test_run ();
}
