/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "manager-fixture.h"
#include "set-file.h"
#include "unit-test.h"

static void
test_nothing (void)
{
  ManagerFixture fixture = { .manager = gmcp_manager_new () };
  g_autoptr (GError) unknown = NULL;

  g_test_summary ("a manager without a source loads an empty list");
  fixture.provider = GMCP_TOOL_PROVIDER (fixture.manager);
  fixture.tools = gmcp_tool_provider_get_tools (fixture.provider);
  g_assert_null (manager_fixture_load (&fixture, NULL));
  g_assert_cmpuint (g_list_model_get_n_items (fixture.tools), ==, 0);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.manager)), ==, 0);
  g_assert_null (gmcp_manager_get_instructions (fixture.manager));
  g_assert_null (manager_fixture_call (&fixture, "web__search", NULL, NULL, &unknown));
  g_assert_error (unknown, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_null (strstr (unknown->message, "No server is configured"));
  manager_fixture_close (&fixture);
  g_assert_finalize_object (fixture.manager);
}

static void
count (guint *n)
{
  (*n)++;
}

static void
test_remote_folder (void)
{
  static const char *const names[]
    = { "config-file", "log-directory", "state-directory", "workspace" };
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GFile) remote = g_file_new_for_uri ("mailto:x");

  g_test_summary ("each property that is a file takes local ones only, and says so");
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) now = NULL;

      g_test_expect_message ("Gmcp", G_LOG_LEVEL_CRITICAL, "*gmcp_file_is_local_or_null*");
      g_object_set (manager, names[i], remote, NULL);
      g_test_assert_expected_messages ();
      g_object_get (manager, names[i], &now, NULL);
      g_assert_false (now != NULL && g_file_equal (now, remote));
    }
}

static void
test_empty_file (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *place
    = g_strdup_printf ("No server is configured; write one into %s", fixture->config);
  g_autoptr (GError) none = NULL;
  g_autoptr (GError) other = NULL;

  g_test_summary ("a call says that no server is configured, and where one would be");
  g_assert_true (g_file_set_contents (fixture->config, "{\"mcpServers\":{}}", -1, NULL));
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_null (manager_fixture_call (fixture, "web__search", NULL, NULL, &none));
  g_assert_error (none, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_nonnull (strstr (none->message, place));

  g_test_message ("not where there is one");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_null (manager_fixture_call (fixture, "web__search", NULL, NULL, &other));
  g_assert_error (other, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_null (strstr (other->message, "No server is configured"));
}

static void
test_dropped (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GListModel) tools = g_object_ref (fixture->tools);
  guint n_server_changes = 0;
  guint n_notices;

  g_test_summary (
    "a manager that nobody holds goes without a signal, as a garbage collector wants");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo,pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__echo one__pid");

  g_signal_connect_swapped (fixture->manager, "items-changed", G_CALLBACK (count),
                            &n_server_changes);
  fixture->n_tool_changes = 0;
  n_notices = fixture->notices->len;
  g_assert_finalize_object (g_steal_pointer (&fixture->manager));
  g_assert_cmpuint (fixture->n_tool_changes, ==, 0);
  g_assert_cmpuint (n_server_changes, ==, 0);
  g_assert_cmpuint (fixture->notices->len, ==, n_notices);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 2);
}

static void
test_list_and_call (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "one__echo", "one.echo", "mcp__one__echo", "one_echo" };
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) tool = NULL;
  GmcpManagedServer *server;

  manager_fixture_write (
    fixture, manager_fixture_entry (fixture, "one", "--tools echo,pid --instructions Ask_twice"),
    manager_fixture_entry (fixture, "Two", "--tools pid,echo"), NULL);
  gmcp_manager_set_host (fixture->manager, "org.example.Host");
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__echo one__pid two__pid two__echo");

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text
        = manager_fixture_call (fixture, names[i], "{\"a\": [1.50]}", NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (text, ==, "{\"a\": [1.5]}");
    }

  g_assert_cmpuint (manager_fixture_count_log (fixture, "client org.example.Host"), ==, 2);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 2);
  g_assert_cmpstr (gmcp_manager_get_instructions (fixture->manager), ==, "# one\n\nAsk_twice\n");

  tool = gmcp_tool_provider_find_tool (fixture->provider, "two.pid", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (tool)), ==, "two__pid");
  g_assert_cmpstr (gmcp_tool_get_server_id (tool), ==, "two");

  server = gmcp_manager_get_server (fixture->manager, "two");
  g_assert_cmpstr (gmcp_managed_server_get_title (server), ==, "Two");
  g_assert_cmpint (gmcp_managed_server_get_state (server), ==, GMCP_SERVER_STATE_READY);
  g_assert_cmpint (gmcp_managed_server_get_pid (server), >, 0);
  g_assert_cmpuint (gmcp_managed_server_get_tools_count (server), ==, 2);
  g_assert_cmpstr (gmcp_managed_server_get_protocol_version (server), ==, "2025-11-25");
  g_assert_cmpstr (gmcp_implementation_get_name (gmcp_managed_server_get_server_info (server)), ==,
                   "managed");
  g_assert_null (gmcp_managed_server_get_last_error (server));
  g_assert_true (manager_fixture_has_notice (fixture, "info two Server “Two” is ready"));
}

static void
test_ambiguous (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) unknown = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a bare name is looked for in all servers, also before any was started");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo,only"),
                         manager_fixture_entry (fixture, "two", "--tools echo"), NULL);
  g_assert_null (manager_fixture_call (fixture, "echo", "{}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL);
  g_assert_nonnull (strstr (error->message, "one.echo"));
  g_assert_nonnull (strstr (error->message, "two.echo"));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call"), ==, 0);

  text = manager_fixture_call (fixture, "only", NULL, NULL, NULL);
  g_assert_cmpstr (text, ==, "only");
  g_assert_null (manager_fixture_call (fixture, "nowhere", "{}", NULL, &unknown));
  g_assert_error (unknown, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 2);
}

static void
test_bare_waits_for_all (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a bare name that is known is not taken while another server was never asked");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"),
                         manager_fixture_entry (fixture, "two", "--tools echo"), NULL);
  text = manager_fixture_call (fixture, "one.echo", "{}", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 1);

  g_assert_null (manager_fixture_call (fixture, "echo", "{}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL);
}

static void
test_on_demand (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a call starts its server, and no other");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"),
                         manager_fixture_entry (fixture, "two", "--tools echo"), NULL);
  text = manager_fixture_call (fixture, "mcp__two__echo", "{\"x\": 1}", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "{\"x\": 1}");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 1);
  g_assert_cmpint (manager_fixture_get_state (fixture, "one"), ==, GMCP_SERVER_STATE_STOPPED);
  g_assert_cmpint (manager_fixture_get_state (fixture, "two"), ==, GMCP_SERVER_STATE_READY);
}

static void
test_named_only (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "gone__echo", "gone.echo", "mcp__gone__echo" };

  g_test_summary ("where the server that a name speaks of does not start, no other is started");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"),
                         g_strdup ("\"gone\":{\"command\":\"gmcp-no-such-program\"}"), NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (manager_fixture_call (fixture, names[i], "{}", NULL, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
      g_assert_nonnull (strstr (error->message, "gmcp-no-such-program"));
      g_assert_cmpint (manager_fixture_get_state (fixture, "one"), ==, GMCP_SERVER_STATE_STOPPED);
    }
}

static void
test_one_start_for_all (ManagerFixture *fixture, gconstpointer data)
{
  ManagerCall calls[8];

  g_test_summary ("calls that come while a server starts wait for that start");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    manager_call_begin (&calls[i], fixture, "one__pid", NULL, NULL, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      manager_call_wait (&calls[i]);
      g_assert_no_error (calls[i].error);
      g_assert_cmpstr (calls[i].text, ==, calls[0].text);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    manager_call_clear (&calls[i]);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 1);
}

static void
test_failing (ManagerFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *id;
    const char *words;
  } bad[] = {
    { "at-start", "--fail start" },
    { "at-initialize", "--fail initialize" },
    { "at-list", "--fail list" },
  };
  g_autoptr (GError) error = NULL;
  const GError *last;

  g_test_summary ("servers that fail are told of and left out, and the others are there");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, bad[0].id, bad[0].words),
                         manager_fixture_entry (fixture, "good", "--tools echo"),
                         manager_fixture_entry (fixture, bad[1].id, bad[1].words),
                         manager_fixture_entry (fixture, bad[2].id, bad[2].words),
                         g_strdup ("\"gone\":{\"command\":\"gmcp-no-such-program\"}"),
                         g_strdup ("\"far\":{\"url\":\"unix:///no/such/socket\"}"),
                         g_strdup ("\"off\":{\"command\":\"false\",\"disabled\":true}"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "good__echo");

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      last = gmcp_managed_server_get_last_error (
        gmcp_manager_get_server (fixture->manager, bad[i].id));
      g_assert_nonnull (last);
      g_test_message ("%s", last->message);
      g_assert_nonnull (strstr (last->message, bad[i].id));
      g_assert_cmpint (manager_fixture_get_state (fixture, bad[i].id), ==,
                       GMCP_SERVER_STATE_FAILED);
      g_assert_cmpint (
        gmcp_managed_server_get_pid (gmcp_manager_get_server (fixture->manager, bad[i].id)), ==, 0);
    }

  last = gmcp_managed_server_get_last_error (gmcp_manager_get_server (fixture->manager, "gone"));
  g_assert_nonnull (strstr (last->message, "gmcp-no-such-program"));
  last = gmcp_managed_server_get_last_error (gmcp_manager_get_server (fixture->manager, "far"));
  g_assert_error (last, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_assert_nonnull (strstr (last->message, "/no/such/socket"));
  g_assert_true (manager_fixture_has_notice (fixture, "warning gone "));
  g_assert_cmpint (manager_fixture_get_state (fixture, "off"), ==, GMCP_SERVER_STATE_DISABLED);

  g_test_message ("a call of one of them says why, one of a disabled server too");
  g_assert_null (manager_fixture_call (fixture, "gone.tool", "{}", NULL, &error));
  g_assert_nonnull (strstr (error->message, "gmcp-no-such-program"));
  g_clear_error (&error);
  g_assert_null (manager_fixture_call (fixture, "off__tool", "{}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
}

static void
test_hanging (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *entry = manager_fixture_entry (fixture, "good", "--tools echo");
  const GError *last;

  g_test_summary ("the start-up time limit holds for the handshake and the list together");
  g_object_set (fixture->manager, "startup-timeout-ms", 2000, NULL);
  /* However slow the machine is. */
  entry[strlen (entry) - 1] = '\0';
  manager_fixture_write (fixture, g_strconcat (entry, ",\"startupTimeoutMs\":60000}", NULL),
                         manager_fixture_entry (fixture, "at-initialize", "--hang initialize"),
                         manager_fixture_entry (fixture, "at-list", "--hang list"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "good__echo");
  last = gmcp_managed_server_get_last_error (
    gmcp_manager_get_server (fixture->manager, "at-initialize"));
  g_assert_error (last, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  last = gmcp_managed_server_get_last_error (gmcp_manager_get_server (fixture->manager, "at-list"));
  g_assert_error (last, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_assert_nonnull (strstr (last->message, "2000 ms"));
}

static void
test_exit (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  GmcpManagedServer *server;
  int pid;

  g_test_summary ("a server that ends is started again, and no call is sent twice");
  manager_fixture_set_restart_delay (fixture, 60);
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid,exit"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  server = gmcp_manager_get_server (fixture->manager, "one");
  fixture->n_tool_changes = 0;
  first = manager_fixture_call (fixture, "one__pid", NULL, NULL, NULL);

  g_assert_null (manager_fixture_call (fixture, "one__exit", NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  g_assert_nonnull (strstr (error->message, "told to exit"));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call exit"), ==, 1);
  manager_fixture_wait_until (manager_fixture_get_state (fixture, "one")
                              == GMCP_SERVER_STATE_BACKING_OFF);
  g_assert_nonnull (gmcp_managed_server_get_last_error (server));
  g_assert_true (manager_fixture_has_notice (fixture, "error one "));

  g_test_message ("its tools stay, and nothing changes when it is back");
  manager_fixture_assert_tools (fixture, "one__pid one__exit");
  second = manager_fixture_call (fixture, "one__pid", NULL, NULL, NULL);
  g_assert_nonnull (second);
  g_assert_cmpstr (first, !=, second);
  g_assert_cmpuint (fixture->n_tool_changes, ==, 0);
  g_assert_null (gmcp_managed_server_get_last_error (server));

  g_test_message ("killed while it idles");
  pid = gmcp_managed_server_get_pid (server);
  g_assert_no_errno (kill (pid, SIGKILL));
  manager_fixture_wait_until (manager_fixture_get_state (fixture, "one")
                              == GMCP_SERVER_STATE_BACKING_OFF);
  third = manager_fixture_call (fixture, "one__pid", NULL, NULL, NULL);
  g_assert_cmpstr (second, !=, third);
}

static void
test_list_changed (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autofree char *added = NULL;

  g_test_summary ("what a server adds comes into the list, in one change");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools add,echo"),
                         manager_fixture_entry (fixture, "two", "--tools echo"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  fixture->n_tool_changes = 0;
  text = manager_fixture_call (fixture, "one__add", "{\"name\": \"new\"}", NULL, NULL);
  g_assert_cmpstr (text, ==, "add");
  manager_fixture_wait_until (fixture->n_tool_changes > 0);
  manager_fixture_assert_tools (fixture, "one__add one__echo one__new two__echo");
  g_assert_cmpuint (fixture->n_tool_changes, ==, 1);
  added = manager_fixture_call (fixture, "one__new", NULL, NULL, NULL);
  g_assert_cmpstr (added, ==, "new");
}

static void
on_synced (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
test_load_again (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  g_autoptr (GAsyncResult) synced = NULL;

  g_test_summary ("a server that does not tell of changes is asked again once its list is old, or "
                  "when that is wanted");
  manager_fixture_write (fixture,
                         manager_fixture_entry (fixture, "one", "--tools add --no-list-changed"),
                         manager_fixture_entry (fixture, "two", "--tools echo"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  text = manager_fixture_call (fixture, "one__add", "{\"name\": \"new\"}", NULL, NULL);
  manager_fixture_assert_tools (fixture, "one__add two__echo");
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__add two__echo");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "list"), ==, 2);

  gmcp_manager_sync_async (fixture->manager, "one", NULL, on_synced, &synced);
  manager_fixture_wait_until (synced != NULL);
  g_assert_true (gmcp_manager_sync_finish (fixture->manager, synced, NULL));
  manager_fixture_assert_tools (fixture, "one__add one__new two__echo");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "list"), ==, 3);
}

static void
test_expected_tool (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpTool) tool = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a tool that is no longer what was expected is not called");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools describe"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  tool = gmcp_tool_provider_find_tool (fixture->provider, "describe", NULL);
  gmcp_call_options_set_expected_tool (options, tool);
  text = manager_fixture_call (fixture, "one__describe", NULL, options, &error);
  g_assert_no_error (error);
  g_assert_null (manager_fixture_call (fixture, "one__describe", NULL, options, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TOOL_CHANGED);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call"), ==, 1);
}

static void
test_time_limits (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autofree char *limited = manager_fixture_entry (fixture, "limited", "--tools wait,echo");
  g_autoptr (GString) entry = g_string_new (limited);
  g_autoptr (GError) own = NULL;
  g_autoptr (GError) server = NULL;
  g_autoptr (GError) manager = NULL;

  /* In the longer ones a server has to list its tools, too. */
  g_test_summary ("the limit of the call, else of the server, else of the manager");
  g_string_insert (entry, entry->len - 1, ",\"callTimeoutMs\":3000");
  g_object_set (fixture->manager, "call-timeout-ms", 3100, NULL);
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "plain", "--tools wait"),
                         g_strdup (entry->str), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));

  gmcp_call_options_set_timeout_ms (options, 50);
  g_assert_null (manager_fixture_call (fixture, "limited__wait", NULL, options, &own));
  g_assert_null (manager_fixture_call (fixture, "limited__wait", NULL, NULL, &server));
  g_assert_null (manager_fixture_call (fixture, "plain__wait", NULL, NULL, &manager));
  g_assert_error (own, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (own->message, "50 ms"));
  g_assert_nonnull (strstr (own->message, "wait"));
  g_assert_nonnull (strstr (own->message, "limited"));
  g_assert_error (server, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (server->message, "3000 ms"));
  g_assert_error (manager, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (manager->message, "3100 ms"));
}

static void
test_cancel (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GCancellable) before = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) load_error = NULL;
  g_autofree char *text = NULL;
  ManagerCall call;

  g_test_summary ("a cancelled call ends while its server starts, and the start goes on");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo,wait"),
                         NULL);
  manager_call_begin (&call, fixture, "one__echo", NULL, NULL, cancellable);
  manager_fixture_wait_until (gmcp_manager_get_server (fixture->manager, "one") != NULL
                              && manager_fixture_get_state (fixture, "one")
                                   == GMCP_SERVER_STATE_STARTING);
  g_cancellable_cancel (cancellable);
  manager_call_wait (&call);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  manager_call_clear (&call);
  manager_fixture_wait_until (manager_fixture_get_state (fixture, "one")
                              == GMCP_SERVER_STATE_READY);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call"), ==, 0);

  g_test_message ("a call that was sent");
  g_cancellable_reset (cancellable);
  manager_call_begin (&call, fixture, "one__wait", NULL, NULL, cancellable);
  g_cancellable_cancel (cancellable);
  manager_call_wait (&call);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  manager_call_clear (&call);

  g_cancellable_cancel (before);
  load_error = manager_fixture_load (fixture, before);
  g_assert_error (load_error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  text = manager_fixture_call (fixture, "one__echo", NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
test_bad_file (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) missing = manager_fixture_load (fixture, NULL);
  g_autoptr (GError) wrong = NULL;
  g_autoptr (GError) call = NULL;
  g_autofree char *text = NULL;

  g_assert_error (missing, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_nonnull (strstr (missing->message, fixture->config));
  g_assert_null (manager_fixture_call (fixture, "one__echo", NULL, NULL, &call));
  g_assert_error (call, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);

  g_test_message (
    "a file that is mended is taken at the next try; one that breaks leaves all as it was");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_write (fixture, g_strdup ("\"one\":{\"command\":7}"), NULL);
  wrong = manager_fixture_load (fixture, NULL);
  g_assert_error (wrong, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_nonnull (strstr (wrong->message, "mcpServers.one.command"));
  manager_fixture_assert_tools (fixture, "one__echo");
  text = manager_fixture_call (fixture, "one__echo", NULL, NULL, NULL);
  g_assert_cmpstr (text, ==, "{}");
}

static void
test_other_file (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->dir, "other.json", NULL);
  g_autofree char *first = g_strdup (fixture->config);

  g_test_summary ("another file takes the place of the first while the manager lives");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"),
                         manager_fixture_entry (fixture, "two", "--tools echo"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_free (fixture->config);
  fixture->config = g_steal_pointer (&other);
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "three", "--tools pid"), NULL);
  set_file (fixture->manager, "config-file", fixture->config);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "three__pid");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->manager)), ==, 1);
  g_assert_cmpint (g_unlink (first), ==, 0);
}

static void
test_names (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  g_test_summary ("another style names the list anew, and the former names still work");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid,echo"),
                         manager_fixture_entry (fixture, "two", "--tools echo"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  fixture->n_tool_changes = 0;
  gmcp_manager_set_tool_name_style (fixture->manager, GMCP_TOOL_NAME_STYLE_BARE);
  g_assert_cmpuint (fixture->n_tool_changes, ==, 1);
  manager_fixture_assert_tools (fixture, "pid one__echo two__echo");
  gmcp_manager_set_tool_name_style (fixture->manager, GMCP_TOOL_NAME_STYLE_MCP_SERVER_TOOL);
  manager_fixture_assert_tools (fixture, "mcp__one__pid mcp__one__echo mcp__two__echo");
  text = manager_fixture_call (fixture, "one__echo", "{\"a\": 1}", NULL, NULL);
  g_assert_cmpstr (text, ==, "{\"a\": 1}");
}

static void
test_colliding_names (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *long_name = g_strnfill (80, 'x');
  g_autofree char *words = g_strdup_printf ("--tools %sa,%sb", long_name, long_name);

  g_test_summary ("tools whose names are the same once shortened stay apart");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", words), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_cmpuint (g_list_model_get_n_items (fixture->tools), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (fixture->tools, i);
      g_autofree char *text = manager_fixture_call (
        fixture, gmcp_definition_get_name (GMCP_DEFINITION (tool)), NULL, NULL, NULL);

      g_assert_cmpuint (strlen (gmcp_definition_get_name (GMCP_DEFINITION (tool))), <=, 64);
      g_assert_cmpstr (text, ==, gmcp_tool_get_server_tool_name (tool));
    }
}

/* Where nothing happens any more, what stands is worth more than that it stands. */
static gboolean
on_standstill (gpointer data)
{
  GListModel *servers = data;

  for (guint i = 0; i < g_list_model_get_n_items (servers); i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (servers, i);

      g_printerr ("%s: state %d, process %d\n", gmcp_managed_server_get_id (server),
                  gmcp_managed_server_get_state (server), gmcp_managed_server_get_pid (server));
    }
  g_error ("%u servers, and nothing happens any more", g_list_model_get_n_items (servers));
  return G_SOURCE_REMOVE;
}

static void
test_many (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("{\"mcpServers\":{");
  guint n_servers = 20;
  guint most_starting = 0;
  gboolean all_ready = FALSE;
  g_autoptr (GSource) standstill = g_timeout_source_new_seconds (100);

  g_test_summary ("twenty servers start side by side");
  for (guint i = 0; i < n_servers; i++)
    {
      g_autofree char *id = g_strdup_printf ("s%u", i);
      g_autofree char *entry = manager_fixture_entry (fixture, id, "--tools echo,pid");

      g_string_append_printf (text, "%s%s", i > 0 ? "," : "", entry);
    }
  g_string_append (text, "}}");
  g_assert_true (g_file_set_contents (fixture->config, text->str, -1, NULL));

  g_source_set_callback (standstill, on_standstill, fixture->manager, NULL);
  g_source_attach (standstill, NULL);
  g_object_set (fixture->manager, "startup-timeout-ms", 50000, NULL);
  gmcp_tool_provider_load_async (fixture->provider, NULL, NULL, NULL);
  while (!all_ready)
    {
      guint n_starting = 0;
      guint n_ready = 0;

      g_main_context_iteration (NULL, TRUE);
      for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (fixture->manager)); i++)
        {
          g_autoptr (GmcpManagedServer) server
            = g_list_model_get_item (G_LIST_MODEL (fixture->manager), i);
          GmcpServerState state = gmcp_managed_server_get_state (server);

          /* Whoever waits for one that failed waits for ever. */
          if (state != GMCP_SERVER_STATE_STOPPED && state != GMCP_SERVER_STATE_STARTING)
            g_assert_no_error (gmcp_managed_server_get_last_error (server));
          n_starting += state == GMCP_SERVER_STATE_STARTING;
          n_ready += state == GMCP_SERVER_STATE_READY;
        }
      most_starting = MAX (most_starting, n_starting);
      all_ready = n_ready == n_servers;
    }

  g_source_destroy (standstill);
  g_assert_cmpuint (most_starting, ==, n_servers);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->tools), ==, 2 * n_servers);
}

static void
on_stopped (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_managed_server_stop_finish (GMCP_MANAGED_SERVER (object), result, &error);
  g_assert_no_error (error);
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
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  GError **error = data;

  if (gmcp_managed_server_start_finish (GMCP_MANAGED_SERVER (object), result, error))
    *error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "It started");
}

static void
test_stop (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;
  gboolean stopped = FALSE;
  g_autofree char *text = NULL;
  ManagerCall calls[2];
  int pid;

  g_test_summary ("a stop lets the calls under way finish, and the next call starts anew");
  manager_fixture_write (fixture,
                         manager_fixture_entry (fixture, "one", "--tools wait,release,echo"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  server = gmcp_manager_get_server (fixture->manager, "one");
  pid = gmcp_managed_server_get_pid (server);

  manager_call_begin (&calls[0], fixture, "one__wait", NULL, NULL, NULL);
  manager_call_begin (&calls[1], fixture, "one__release", NULL, NULL, NULL);
  gmcp_managed_server_stop_async (server, NULL, on_stopped, &stopped);
  g_assert_cmpint (gmcp_managed_server_get_state (server), ==, GMCP_SERVER_STATE_STOPPING);
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      manager_call_wait (&calls[i]);
      g_assert_no_error (calls[i].error);
      manager_call_clear (&calls[i]);
    }
  manager_fixture_wait_until (stopped);
  g_assert_cmpint (gmcp_managed_server_get_state (server), ==, GMCP_SERVER_STATE_STOPPED);
  g_assert_cmpint (kill (pid, 0), ==, -1);
  manager_fixture_assert_tools (fixture, "one__wait one__release one__echo");

  g_test_message ("one that does not run can be stopped too");
  stop (server);
  text = manager_fixture_call (fixture, "one__echo", NULL, NULL, NULL);
  g_assert_cmpstr (text, ==, "{}");
}

static void
test_stop_while_starting (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  server = gmcp_manager_get_server (fixture->manager, "one");
  stop (server);

  gmcp_managed_server_start_async (server, NULL, on_started, &error);
  g_assert_cmpint (gmcp_managed_server_get_state (server), ==, GMCP_SERVER_STATE_STARTING);
  stop (server);
  manager_fixture_wait_until (error != NULL);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  g_assert_cmpint (gmcp_managed_server_get_state (server), ==, GMCP_SERVER_STATE_STOPPED);
  text = manager_fixture_call (fixture, "one__echo", NULL, NULL, NULL);
  g_assert_cmpstr (text, ==, "{}");
}

static void
test_stop_again (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;
  g_autoptr (GError) error = NULL;
  gboolean stopped[2] = { FALSE, FALSE };
  ManagerCall call;

  g_test_summary ("a stop ends the start that waits for the process before it to be gone");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  server = gmcp_manager_get_server (fixture->manager, "one");

  gmcp_managed_server_stop_async (server, NULL, on_stopped, &stopped[0]);
  gmcp_managed_server_start_async (server, NULL, on_started, &error);
  manager_call_begin (&call, fixture, "one__echo", NULL, NULL, NULL);
  gmcp_managed_server_stop_async (server, NULL, on_stopped, &stopped[1]);
  manager_call_wait (&call);
  g_assert_error (call.error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  manager_fixture_wait_until (stopped[0] && stopped[1]);
  g_assert_cmpint (gmcp_managed_server_get_state (server), ==, GMCP_SERVER_STATE_STOPPED);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 1);
  manager_call_clear (&call);
}

typedef struct
{
  gboolean seen;
  gboolean started;
  GmcpServerState state;
} AtReady;

static void
on_started_again (GObject *object, GAsyncResult *result, gpointer data)
{
  AtReady *at_ready = data;

  at_ready->started = gmcp_managed_server_start_finish (GMCP_MANAGED_SERVER (object), result, NULL);
  at_ready->state = gmcp_managed_server_get_state (GMCP_MANAGED_SERVER (object));
}

static void
on_ready_restart (GmcpManagedServer *server, GParamSpec *pspec, gpointer data)
{
  AtReady *at_ready = data;

  if (at_ready->seen || gmcp_managed_server_get_state (server) != GMCP_SERVER_STATE_READY)
    return;

  at_ready->seen = TRUE;
  gmcp_managed_server_stop_async (server, NULL, NULL, NULL);
  gmcp_managed_server_start_async (server, NULL, on_started_again, at_ready);
}

static void
test_stop_at_ready (ManagerFixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;
  g_autoptr (GError) error = NULL;
  AtReady at_ready = { FALSE, FALSE, GMCP_SERVER_STATE_STOPPED };

  g_test_summary ("no start succeeds where somebody who is told that the server is ready stops it");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  server = gmcp_manager_get_server (fixture->manager, "one");
  stop (server);
  g_signal_connect (server, "notify::state", G_CALLBACK (on_ready_restart), &at_ready);
  gmcp_managed_server_start_async (server, NULL, on_started, &error);
  manager_fixture_wait_until (at_ready.started);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  g_assert_cmpint (at_ready.state, ==, GMCP_SERVER_STATE_READY);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 3);
  g_signal_handlers_disconnect_by_data (server, &at_ready);
}

static void
test_bare_while_starting (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *gate = g_build_filename (fixture->dir, "gate", NULL);
  g_autofree char *words = g_strdup_printf ("--tools echo,other --late %s", gate);
  static const char *const names[] = { "pid", "other", "echo" };
  ManagerCall calls[G_N_ELEMENTS (names)];

  g_test_summary ("bare names wait for the servers that start for another call");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo,pid"),
                         manager_fixture_entry (fixture, "two", words), NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    manager_call_begin (&calls[i], fixture, names[i], NULL, NULL, NULL);
  manager_fixture_wait_until (gmcp_manager_get_server (fixture->manager, "one") != NULL
                              && manager_fixture_get_state (fixture, "one")
                                   == GMCP_SERVER_STATE_READY);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_false (calls[i].done);

  g_assert_true (g_file_set_contents (gate, "", 0, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    manager_call_wait (&calls[i]);
  g_assert_no_error (calls[0].error);
  g_assert_no_error (calls[1].error);
  g_assert_cmpstr (calls[1].text, ==, "other");
  g_assert_error (calls[2].error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    manager_call_clear (&calls[i]);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 2);
  g_unlink (gate);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/" path, ManagerFixture, NULL, manager_fixture_set_up, func,                \
              manager_fixture_tear_down)

/* What a program might call in another thread, and how a warning names that. */

static void
load_tools (gpointer object)
{
  gmcp_tool_provider_load_async (object, NULL, NULL, NULL);
}

static void
close_provider (gpointer object)
{
  gmcp_tool_provider_close_async (object, NULL, NULL, NULL);
}

static void
find_tool (gpointer object)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gmcp_tool_provider_find_tool (object, "any", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_FAILED);
}

static void
call_tool (gpointer object)
{
  gmcp_tool_provider_call_tool_json_async (object, "any", NULL, NULL, NULL, NULL, NULL);
}

static void
load_config (gpointer object)
{
  gmcp_manager_load_config_async (object, NULL, NULL, NULL);
}

static void
add_source (gpointer object)
{
  g_autoptr (GmcpConfigSource) source = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, NULL);

  gmcp_manager_add_source (object, source);
}

static void
add_role (gpointer object)
{
  g_autoptr (GmcpRole) role = g_object_new (GMCP_TYPE_ROLE, "name", "x", NULL);

  gmcp_manager_add_role (object, role);
}

static void
set_role (gpointer object)
{
  g_object_set (object, "role", "x", NULL);
}

static void
list_pins (gpointer object)
{
  g_assert_null (gmcp_manager_list_pins (object));
}

static void
add_function (gpointer object)
{
  g_assert_false (gmcp_tool_registry_add_function (object, "x", NULL, NULL, (GmcpToolFunc) abort,
                                                   NULL, NULL, NULL));
}

static void
remove_tool (gpointer object)
{
  g_assert_false (gmcp_tool_registry_remove_tool (object, "x"));
}

static void
start_server (gpointer object)
{
  gmcp_managed_server_start_async (object, NULL, NULL, NULL);
}

static void
hold_server (gpointer object)
{
  gmcp_managed_server_hold (object);
}

static void
set_client_name (gpointer object)
{
  g_object_set (object, "name", "x", NULL);
}

typedef struct
{
  GType (*get_type) (void);
  const char *name;
  void (*use) (gpointer object);
  gpointer object;
} OtherThread;

static gpointer
use_in_thread (gpointer data)
{
  OtherThread *other = data;
  g_autoptr (GMainContext) context = g_main_context_new ();

  g_main_context_push_thread_default (context);
  other->use (other->object);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_main_context_pop_thread_default (context);
  return NULL;
}

static void
test_other_thread (void)
{
  static OtherThread uses[] = {
    { gmcp_manager_get_type, "gmcp_tool_provider_load_async", load_tools },
    { gmcp_manager_get_type, "gmcp_tool_provider_close_async", close_provider },
    { gmcp_manager_get_type, "gmcp_tool_provider_find_tool", find_tool },
    { gmcp_manager_get_type, "gmcp_tool_provider_call_tool_async", call_tool },
    { gmcp_manager_get_type, "gmcp_manager_load_config_async", load_config },
    { gmcp_manager_get_type, "gmcp_manager_add_source", add_source },
    { gmcp_manager_get_type, "gmcp_manager_add_role", add_role },
    { gmcp_manager_get_type, "gmcp_manager_set_role", set_role },
    { gmcp_manager_get_type, "gmcp_manager_list_pins", list_pins },
    { gmcp_tool_registry_get_type, "gmcp_tool_provider_load_async", load_tools },
    { gmcp_tool_registry_get_type, "gmcp_tool_provider_close_async", close_provider },
    { gmcp_tool_registry_get_type, "gmcp_tool_provider_find_tool", find_tool },
    { gmcp_tool_registry_get_type, "gmcp_tool_provider_call_tool_async", call_tool },
    { gmcp_tool_registry_get_type, "gmcp_tool_registry_add_function", add_function },
    { gmcp_tool_registry_get_type, "gmcp_tool_registry_remove_tool", remove_tool },
    { gmcp_managed_server_get_type, "gmcp_managed_server_start_async", start_server },
    { gmcp_managed_server_get_type, "gmcp_managed_server_hold", hold_server },
    { gmcp_client_get_type, "gmcp_client_set_name", set_client_name },
  };

  g_test_summary ("a use in a thread that is not the object's is named and has no effect");
  g_assert_true (g_main_context_acquire (NULL));
  for (guint i = 0; i < G_N_ELEMENTS (uses); i++)
    {
      g_autoptr (GObject) object = g_object_new (uses[i].get_type (), NULL);
      g_autofree char *message
        = g_strdup_printf ("%s: this %s belongs to the main context of another thread",
                           uses[i].name, G_OBJECT_TYPE_NAME (object));

      uses[i].object = object;
      g_test_expect_message ("Gmcp", G_LOG_LEVEL_CRITICAL, message);
      g_thread_join (g_thread_new ("other", use_in_thread, &uses[i]));
      g_test_assert_expected_messages ();
    }
  g_main_context_release (NULL);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/manager/nothing", test_nothing);
  g_test_add_func ("/manager/remote-folder", test_remote_folder);
  ADD ("empty-file", test_empty_file);
  ADD ("list-and-call", test_list_and_call);
  ADD ("names/ambiguous", test_ambiguous);
  ADD ("names/bare-waits-for-all", test_bare_waits_for_all);
  ADD ("names/bare-while-starting", test_bare_while_starting);
  ADD ("names/style", test_names);
  ADD ("names/colliding", test_colliding_names);
  ADD ("start/on-demand", test_on_demand);
  ADD ("start/named-only", test_named_only);
  ADD ("start/one-for-all", test_one_start_for_all);
  ADD ("start/failing", test_failing);
  ADD ("start/hanging", test_hanging);
  ADD ("start/many", test_many);
  ADD ("dropped", test_dropped);
  ADD ("exit", test_exit);
  ADD ("list/changed", test_list_changed);
  ADD ("list/load-again", test_load_again);
  ADD ("call/expected-tool", test_expected_tool);
  ADD ("call/time-limits", test_time_limits);
  ADD ("call/cancel", test_cancel);
  ADD ("config/bad-file", test_bad_file);
  ADD ("config/other-file", test_other_file);
  ADD ("stop", test_stop);
  ADD ("stop/while-starting", test_stop_while_starting);
  ADD ("stop/again", test_stop_again);
  ADD ("stop/at-ready", test_stop_at_ready);
  g_test_add_func ("/manager/other-thread", test_other_thread);

  return g_test_run ();
}
