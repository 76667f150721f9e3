/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "gmcp-manager-private.h"
#include "http-fixture.h"
#include "manager-fixture.h"
#include "unit-test.h"

/* What a server is taken for while it works on a call, hangs, or wants a sign-in. */

/* From a program, which may set shorter times than a file. */
static GmcpManagedServer *
load (ManagerFixture *fixture, const char *words, const char *members)
{
  g_autofree char *entry = manager_fixture_entry (fixture, "one", words);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) config = NULL;

  entry[strlen (entry) - 1] = '\0';
  text = g_strdup_printf ("%s,%s}", strchr (entry, '{'), members);
  config = gmcp_server_config_new_from_json ("one", text, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (fixture->config, "{\"mcpServers\":{}}", -1, NULL));
  gmcp_config_stack_add_server (gmcp_manager_get_config_stack (fixture->manager), config);
  g_assert_null (manager_fixture_load (fixture, NULL));
  return gmcp_manager_get_server (fixture->manager, "one");
}

static gboolean
is (GmcpManagedServer *server, GmcpServerState state)
{
  return gmcp_managed_server_get_state (server) == state;
}

static void
on_state (GmcpManagedServer *server, GParamSpec *pspec, gpointer data)
{
  g_autoptr (GEnumClass) states = g_type_class_ref (GMCP_TYPE_SERVER_STATE);
  int state = (int) gmcp_managed_server_get_state (server);

  g_string_append_printf (data, " %s", g_enum_get_value (states, state)->value_nick);
}

/* What a server goes through, as a text of " state state". */
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

typedef struct
{
  gboolean done;
  gboolean is_well;
} Checked;

static void
on_checked (GObject *object, GAsyncResult *result, gpointer data)
{
  Checked *checked = data;

  checked->is_well
    = gmcp_managed_server_health_check_finish (GMCP_MANAGED_SERVER (object), result, NULL);
  checked->done = TRUE;
}

static gboolean
check (GmcpManagedServer *server)
{
  Checked checked = { FALSE, FALSE };

  gmcp_managed_server_health_check_async (server, NULL, on_checked, &checked);
  manager_fixture_wait_until (checked.done);
  return checked.is_well;
}

static guint
count_notices (ManagerFixture *fixture, const char *part)
{
  guint n = 0;

  for (guint i = 0; i < fixture->notices->len; i++)
    n += strstr (g_ptr_array_index (fixture->notices, i), part) != NULL;
  return n;
}

/* A call that may take as long as it likes. */
static void
begin_long (ManagerCall *call, ManagerFixture *fixture, const char *tool, GCancellable *cancellable)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autofree char *name = g_strconcat ("one__", tool, NULL);
  g_autofree char *line = g_strconcat ("call ", tool, NULL);

  gmcp_call_options_set_timeout_ms (options, 600000);
  manager_call_begin (call, fixture, name, NULL, options, cancellable);
  manager_fixture_wait_until (manager_fixture_count_log (fixture, line) == 1);
}

/* No check but those that a test makes; a server that is to fail them need not be waited for. */
#define SELDOM "\"healthIntervalMs\":600000,\"shutdownTimeoutMs\":50"

static void
hang (ManagerFixture *fixture, GmcpManagedServer *server)
{
  g_assert_no_errno (kill (gmcp_managed_server_get_pid (server), SIGSTOP));
  g_object_set (fixture->manager, "health-timeout-ms", 20, NULL);
}

static void
test_hung (ManagerFixture *fixture, gconstpointer data)
{
  static const GmcpServerState after[] = {
    GMCP_SERVER_STATE_DEGRADED,  GMCP_SERVER_STATE_DEGRADED,  GMCP_SERVER_STATE_UNHEALTHY,
    GMCP_SERVER_STATE_UNHEALTHY, GMCP_SERVER_STATE_UNHEALTHY, GMCP_SERVER_STATE_BACKING_OFF,
  };
  GmcpManagedServer *server = load (fixture, "--tools wait,pid", SELDOM);
  GString *states = watch (server);
  g_autoptr (GError) refused = NULL;
  ManagerCall call;

  g_test_summary ("a server that hangs with a call is unhealthy at the third failed check, gets "
                  "nothing more, and is restarted at the sixth");
  begin_long (&call, fixture, "wait", NULL);
  hang (fixture, server);
  for (gsize i = 0; i < G_N_ELEMENTS (after); i++)
    {
      g_assert_false (call.done);
      g_assert_false (check (server));
      g_assert_cmpint (gmcp_managed_server_get_state (server), ==, after[i]);
      if (after[i] != GMCP_SERVER_STATE_UNHEALTHY)
        continue;

      g_assert_cmpstr (gmcp_server_state_get_health (gmcp_managed_server_get_state (server)), ==,
                       "unhealthy");
      g_assert_null (manager_fixture_call (fixture, "one__pid", NULL, NULL, &refused));
      g_assert_nonnull (strstr (refused->message, "failed a health check"));
      g_clear_error (&refused);
      manager_fixture_assert_tools (fixture, "one__wait one__pid");
    }
  manager_call_wait (&call);
  g_assert_nonnull (call.error);
  manager_call_clear (&call);
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_READY));
  g_assert_cmpstr (states->str, ==, " degraded unhealthy backing-off starting ready");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call pid"), ==, 0);

  g_assert_cmpuint (count_notices (fixture, "failed a health check"), ==, 3);
  g_assert_cmpuint (count_notices (fixture, "error one Server “one” failed a health check"), ==, 1);
  g_assert_cmpuint (count_notices (fixture, "is unhealthy. It works on 1 call"), ==, 1);
  g_assert_cmpuint (count_notices (fixture, "is unhealthy and is being restarted"), ==, 1);
  unwatch (server, states);
}

/* How often a line is in the log before another one is. */
static guint
count_before (ManagerFixture *fixture, const char *line, const char *end)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (fixture->log, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (gsize i = 0; lines[i] != NULL && !g_str_equal (lines[i], end); i++)
    n += g_str_equal (lines[i], line);
  return n;
}

static void
test_held_up (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server
    = load (fixture, "--tools pid,echo",
            "\"healthIntervalMs\":1000,\"healthMethod\":\"tool-call\",\"healthTool\":\"pid\"");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  guint n_checks = manager_fixture_count_log (fixture, "call pid");

  g_test_summary ("where the host was busy for longer than the time between two checks, the first "
                  "call is sent after one");
  g_assert_true (is (server, GMCP_SERVER_STATE_READY));
  g_usleep (1100 * 1000);
  text = manager_fixture_call (fixture, "one__echo", "{}", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_before (fixture, "call pid", "call echo"), >, n_checks);
}

static void
test_no_excuse (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools wait", SELDOM);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  ManagerCall call;

  g_test_summary (
    "a server that hangs is restarted when the last call that it may be busy with is over");
  begin_long (&call, fixture, "wait", cancellable);
  hang (fixture, server);
  for (guint i = 0; i < 3; i++)
    g_assert_false (check (server));
  g_assert_true (is (server, GMCP_SERVER_STATE_UNHEALTHY));
  g_cancellable_cancel (cancellable);
  manager_call_wait (&call);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  manager_call_clear (&call);
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_BACKING_OFF));
}

static void
test_call_of_hung (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools pid", SELDOM);
  GString *states = watch (server);
  int pid = gmcp_managed_server_get_pid (server);
  g_autofree char *text = NULL;

  g_test_summary ("a call of a server that failed its last check is sent only when one has passed");
  hang (fixture, server);
  g_assert_false (check (server));
  text = manager_fixture_call (fixture, "one__pid", NULL, NULL, NULL);
  g_assert_nonnull (text);
  g_assert_cmpint (atoi (text), !=, pid);
  g_assert_cmpint (atoi (text), ==, gmcp_managed_server_get_pid (server));
  g_assert_cmpstr (states->str, ==, " degraded unhealthy backing-off starting ready");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call pid"), ==, 1);
  unwatch (server, states);
}

static void
finish_work (ManagerFixture *fixture, ManagerCall *call)
{
  g_autofree char *done = g_strconcat (fixture->log, ".done", NULL);

  g_assert_true (g_file_set_contents (done, "", 0, NULL));
  manager_call_wait (call);
  g_assert_no_error (call->error);
  manager_call_clear (call);
  g_assert_no_errno (g_unlink (done));
}

static void
test_silent (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server = load (fixture, "--tools work,pid", SELDOM);
  GString *states = watch (server);
  int pid = gmcp_managed_server_get_pid (server);
  g_autofree char *text = NULL;
  ManagerCall call;

  g_test_summary ("a server that answers nothing while it works is left alone for a while, however "
                  "many want to call it");
  begin_long (&call, fixture, "work", NULL);
  g_object_set (fixture->manager, "health-timeout-ms", 20, NULL);
  g_assert_false (check (server));
  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (GError) refused = NULL;

      g_assert_null (manager_fixture_call (fixture, "one__pid", NULL, NULL, &refused));
      g_assert_error (refused, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
      g_assert_nonnull (strstr (refused->message, "works on 1 call"));
      g_assert_nonnull (strstr (refused->message, "nothing was sent"));
    }
  g_assert_cmpstr (states->str, ==, " degraded");
  g_assert_false (call.done);

  g_object_set (fixture->manager, "health-timeout-ms", 30000, NULL);
  finish_work (fixture, &call);
  manager_fixture_wait_until (is (server, GMCP_SERVER_STATE_READY));
  text = manager_fixture_call (fixture, "one__pid", NULL, NULL, NULL);
  g_assert_cmpint (atoi (text), ==, pid);
  g_assert_cmpstr (states->str, ==, " degraded ready");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call pid"), ==, 1);
  g_assert_cmpuint (count_notices (fixture, "failed a health check"), ==, 1);
  unwatch (server, states);
}

/* data is a tool that says something now and then. */
static void
test_alive (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *words = g_strdup_printf ("--tools %s", (const char *) data);
  GmcpManagedServer *server = load (fixture, words, SELDOM);
  GString *states = watch (server);
  ManagerCall call;

  g_test_summary ("a server that answers nothing while it works, but says something, is well");
  begin_long (&call, fixture, data, NULL);
  g_object_set (fixture->manager, "health-timeout-ms", 400, NULL);
  g_assert_true (check (server));
  g_assert_true (check (server));
  g_assert_false (call.done);
  finish_work (fixture, &call);
  g_assert_cmpstr (states->str, ==, "");
  g_assert_cmpuint (count_notices (fixture, "health check"), ==, 0);
  unwatch (server, states);
}

static GmcpManagedServer *
load_expiring (ManagerFixture *fixture, HttpServer *http)
{
  g_autofree char *url = http_server_dup_url (http, "/expire");
  g_autofree char *text = g_strdup_printf ("{\"url\":\"%s\",\"healthIntervalMs\":600000}", url);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_new_from_json ("one", text, &error);
  GmcpManagedServer *server;

  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (fixture->config, "{\"mcpServers\":{}}", -1, NULL));
  gmcp_config_stack_add_server (gmcp_manager_get_config_stack (fixture->manager), config);
  g_assert_null (manager_fixture_load (fixture, NULL));
  server = gmcp_manager_get_server (fixture->manager, "one");
  g_assert_true (is (server, GMCP_SERVER_STATE_READY));
  return server;
}

static void
test_expired_call (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (HttpServer) http = http_server_start ();
  GmcpManagedServer *server = load_expiring (fixture, http);
  g_autofree char *text = manager_fixture_call (fixture, "one__expire", NULL, NULL, NULL);
  GString *states = watch (server);
  guint n_asked = 0;

  g_test_summary ("a call that the server refuses since nobody is signed in says so of the server");
  g_assert_nonnull (text);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (manager_fixture_call (fixture, "one__expire", NULL, NULL, &error));
      g_assert_error (error, GMCP_AUTH_ERROR, GMCP_AUTH_ERROR_SIGN_IN_REQUIRED);
      g_assert_cmpstr (states->str, ==, " needs-sign-in");
      g_assert_cmpuint (count_notices (fixture, error->message), ==, 1);
      if (i == 0)
        n_asked = http_server_count (http, "POST /expire");
    }
  g_assert_cmpuint (http_server_count (http, "POST /expire"), ==, n_asked);
  g_assert_cmpstr (gmcp_server_state_get_connection (gmcp_managed_server_get_state (server)), ==,
                   "error");
  g_assert_error (gmcp_managed_server_get_last_error (server), GMCP_AUTH_ERROR,
                  GMCP_AUTH_ERROR_SIGN_IN_REQUIRED);
  manager_fixture_assert_tools (fixture, "one__expire one__forbid");
  unwatch (server, states);
}

static void
test_expired_check (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (HttpServer) http = http_server_start ();
  GmcpManagedServer *server = load_expiring (fixture, http);
  g_autofree char *text = manager_fixture_call (fixture, "one__expire", NULL, NULL, NULL);
  GString *states = watch (server);

  g_test_summary ("so does a check");
  g_assert_nonnull (text);
  g_assert_false (check (server));
  g_assert_cmpstr (states->str, ==, " needs-sign-in");
  g_assert_error (gmcp_managed_server_get_last_error (server), GMCP_AUTH_ERROR,
                  GMCP_AUTH_ERROR_SIGN_IN_REQUIRED);
  g_assert_cmpuint (count_notices (fixture, "health check"), ==, 0);
  unwatch (server, states);
}

static void
test_forbidden (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (HttpServer) http = http_server_start ();
  GmcpManagedServer *server = load_expiring (fixture, http);
  GString *states = watch (server);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a call that needs more rights says nothing of the server's other tools");
  g_assert_null (manager_fixture_call (fixture, "one__forbid", NULL, NULL, &error));
  g_assert_error (error, GMCP_AUTH_ERROR, GMCP_AUTH_ERROR_SIGN_IN_REQUIRED);
  g_assert_true (check (server));
  g_assert_cmpstr (states->str, ==, "");
  unwatch (server, states);
}

#define ADD_FOR(path, func, data)                                                                  \
  g_test_add ("/managed-server/health/" path, ManagerFixture, data, manager_fixture_set_up, func,  \
              manager_fixture_tear_down)
#define ADD(path, func) ADD_FOR (path, func, NULL)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  ADD ("hung", test_hung);
  ADD ("held-up", test_held_up);
  ADD ("no-excuse", test_no_excuse);
  ADD ("call-of-hung", test_call_of_hung);
  ADD ("silent", test_silent);
  ADD_FOR ("alive/message", test_alive, "tell");
  ADD_FOR ("alive/output", test_alive, "print");
  ADD ("expired/call", test_expired_call);
  ADD ("expired/check", test_expired_check);
  ADD ("forbidden", test_forbidden);
  return g_test_run ();
}
