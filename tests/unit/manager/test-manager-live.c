/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <signal.h>
#include <string.h>

#include "manager-fixture.h"
#include "set-file.h"
#include "unit-test.h"

#define SERVERS_PATH "/org/gmcp/servers/"

/* The manager follows the settings. */
typedef struct
{
  ManagerFixture manager;
  GSettingsBackend *backend;
  GSettings *settings;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpConfigSource) source = NULL;

  manager_fixture_set_up (&fixture->manager, data);
  set_file (fixture->manager.manager, "config-file", NULL);
  fixture->backend = g_memory_settings_backend_new ();
  fixture->settings = g_settings_new_with_backend ("org.gmcp.Manager", fixture->backend);
  source = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", fixture->backend, "delay-ms",
                         1, NULL);
  gmcp_manager_add_source (fixture->manager.manager, source);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  manager_fixture_tear_down (&fixture->manager, data);
  g_object_unref (fixture->settings);
  g_assert_finalize_object (fixture->backend);
}

static GSettings *
open_server (Fixture *fixture, const char *id)
{
  g_autofree char *path = g_strconcat (SERVERS_PATH, id, "/", NULL);

  return g_settings_new_with_backend_and_path ("org.gmcp.Server", fixture->backend, path);
}

static void
set_tools (Fixture *fixture, const char *id, const char *tools)
{
  g_autoptr (GSettings) server = open_server (fixture, id);
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
  const char *const argv[] = {
    "/usr/bin/python3", "-S", script, "--log", fixture->manager.log, "--tools", tools, NULL,
  };

  g_settings_set_strv (server, "command", argv);
  g_settings_set_boolean (server, "enabled", TRUE);
}

static void
set_servers (Fixture *fixture, const char *first, const char *second)
{
  const char *const ids[] = { first, second, NULL };

  g_settings_set_strv (fixture->settings, "servers", ids);
}

static gboolean
lists (Fixture *fixture, const char *names)
{
  g_autofree char *listed = manager_fixture_list (&fixture->manager);

  return g_str_equal (listed, names);
}

static int
get_pid (Fixture *fixture, const char *id)
{
  return gmcp_managed_server_get_pid (gmcp_manager_get_server (fixture->manager.manager, id));
}

static void
test_add_and_remove (Fixture *fixture, gconstpointer data)
{
  int pid;

  g_test_summary ("once the tools are loaded, servers come and go with the settings");
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  manager_fixture_assert_tools (&fixture->manager, "");

  set_tools (fixture, "one", "pid");
  set_servers (fixture, "one", NULL);
  manager_fixture_wait_until (lists (fixture, "one__pid"));

  set_tools (fixture, "two", "echo");
  set_servers (fixture, "two", "one");
  manager_fixture_wait_until (lists (fixture, "two__echo one__pid"));
  g_assert_cmpuint (manager_fixture_count_log (&fixture->manager, "start"), ==, 2);

  pid = get_pid (fixture, "one");
  fixture->manager.n_tool_changes = 0;
  set_servers (fixture, "two", NULL);
  manager_fixture_wait_until (lists (fixture, "two__echo"));
  g_assert_cmpuint (fixture->manager.n_tool_changes, ==, 1);
  g_assert_null (gmcp_manager_get_server (fixture->manager.manager, "one"));
  manager_fixture_wait_until (kill (pid, 0) != 0);
  g_assert_cmpuint (manager_fixture_count_log (&fixture->manager, "end"), ==, 1);
}

static void
test_not_before_load (Fixture *fixture, gconstpointer data)
{
  set_tools (fixture, "one", "pid");
  set_servers (fixture, "one", NULL);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->manager.manager)), ==, 0);
  g_assert_null (gmcp_manager_get_server (fixture->manager.manager, "one"));
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_assert_true (gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, NULL));
  *(gboolean *) data = TRUE;
}

static void
test_config_only (Fixture *fixture, gconstpointer data)
{
  gboolean done = FALSE;

  g_test_summary ("the list of servers can be had, and followed, without starting any");
  set_tools (fixture, "one", "pid");
  set_servers (fixture, "one", NULL);
  gmcp_manager_load_config_async (fixture->manager.manager, NULL, on_config_loaded, &done);
  manager_fixture_wait_until (done);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->manager.manager)), ==, 1);
  set_tools (fixture, "two", "pid");
  set_servers (fixture, "one", "two");
  manager_fixture_wait_until (g_list_model_get_n_items (G_LIST_MODEL (fixture->manager.manager))
                              == 2);
  g_assert_cmpint (manager_fixture_get_state (&fixture->manager, "two"), ==,
                   GMCP_SERVER_STATE_STOPPED);
  g_assert_cmpuint (manager_fixture_count_log (&fixture->manager, "start"), ==, 0);
}

static void
test_change_command (Fixture *fixture, gconstpointer data)
{
  ManagerCall call;
  ManagerCall later;
  int first_pid, other_pid;

  g_test_summary (
    "another command restarts that one server; calls under way finish on the old one");
  set_tools (fixture, "one", "wait,release,pid");
  set_tools (fixture, "two", "pid");
  set_servers (fixture, "one", "two");
  g_assert_true (g_settings_set_uint (fixture->settings, "shutdown-timeout-ms", 1000));
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  first_pid = get_pid (fixture, "one");
  other_pid = get_pid (fixture, "two");

  manager_call_begin (&call, &fixture->manager, "one__wait", NULL, NULL, NULL);
  set_tools (fixture, "one", "pid,echo");
  manager_fixture_wait_until (manager_fixture_get_state (&fixture->manager, "one")
                              == GMCP_SERVER_STATE_STOPPING);
  manager_call_begin (&later, &fixture->manager, "one__pid", NULL, NULL, NULL);
  g_assert_false (call.done);
  g_assert_no_errno (kill (first_pid, 0));

  /* It is not given what it waits for, so it fails when the time to finish is over. */
  manager_call_wait (&call);
  g_assert_error (call.error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  manager_call_wait (&later);
  g_assert_no_error (later.error);
  g_assert_cmpint (atoi (later.text), !=, first_pid);
  g_assert_cmpint (get_pid (fixture, "two"), ==, other_pid);
  manager_fixture_wait_until (lists (fixture, "one__pid one__echo two__pid"));
  manager_call_clear (&call);
  manager_call_clear (&later);
}

static void
test_calls_finish (Fixture *fixture, gconstpointer data)
{
  ManagerCall calls[2];

  set_tools (fixture, "one", "wait,release");
  set_servers (fixture, "one", NULL);
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  manager_call_begin (&calls[0], &fixture->manager, "one__wait", NULL, NULL, NULL);
  manager_call_begin (&calls[1], &fixture->manager, "one__release", NULL, NULL, NULL);
  g_settings_reset (fixture->settings, "servers");
  manager_fixture_wait_until (lists (fixture, ""));
  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      manager_call_wait (&calls[i]);
      g_assert_no_error (calls[i].error);
      manager_call_clear (&calls[i]);
    }
}

static void
test_small_changes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSettings) server = open_server (fixture, "one");
  g_autoptr (GError) error = NULL;
  GmcpManagedServer *managed;
  int pid;

  g_test_summary ("what does not concern the process does not restart it");
  set_tools (fixture, "one", "wait");
  set_servers (fixture, "one", NULL);
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  managed = gmcp_manager_get_server (fixture->manager.manager, "one");
  pid = gmcp_managed_server_get_pid (managed);
  g_settings_set_string (server, "title", "The One");
  g_settings_set_uint (server, "call-timeout-ms", 40);
  manager_fixture_wait_until (g_str_equal (gmcp_managed_server_get_title (managed), "The One"));
  g_assert_cmpint (gmcp_managed_server_get_pid (managed), ==, pid);
  g_assert_null (manager_fixture_call (&fixture->manager, "one__wait", NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "40 ms"));
  g_assert_nonnull (strstr (error->message, "The One"));
  g_assert_cmpuint (manager_fixture_count_log (&fixture->manager, "start"), ==, 1);
}

static void
test_disable (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSettings) server = open_server (fixture, "one");
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  int pid;

  set_tools (fixture, "one", "echo");
  set_servers (fixture, "one", NULL);
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  pid = get_pid (fixture, "one");
  g_settings_set_boolean (server, "enabled", FALSE);
  manager_fixture_wait_until (lists (fixture, ""));
  g_assert_cmpint (manager_fixture_get_state (&fixture->manager, "one"), ==,
                   GMCP_SERVER_STATE_DISABLED);
  g_assert_null (manager_fixture_call (&fixture->manager, "one__echo", NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  manager_fixture_wait_until (kill (pid, 0) != 0);

  g_settings_set_boolean (server, "enabled", TRUE);
  manager_fixture_wait_until (lists (fixture, "one__echo"));
  text = manager_fixture_call (&fixture->manager, "one__echo", NULL, NULL, NULL);
  g_assert_cmpstr (text, ==, "{}");
}

static void
test_mend (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSettings) server = open_server (fixture, "one");
  g_autoptr (GSettings) empty = open_server (fixture, "empty");
  const char *const bad[] = { "gmcp-no-such-program", NULL };

  g_test_summary ("a server that failed is tried again when its settings change");
  g_settings_set_strv (server, "command", bad);
  g_settings_set_boolean (server, "enabled", TRUE);
  g_settings_set_boolean (empty, "enabled", FALSE);
  set_servers (fixture, "one", "empty");
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  g_assert_cmpint (manager_fixture_get_state (&fixture->manager, "one"), ==,
                   GMCP_SERVER_STATE_FAILED);
  g_assert_cmpint (manager_fixture_get_state (&fixture->manager, "empty"), ==,
                   GMCP_SERVER_STATE_DISABLED);
  set_tools (fixture, "one", "echo");
  manager_fixture_wait_until (lists (fixture, "one__echo"));
  g_assert_null (
    gmcp_managed_server_get_last_error (gmcp_manager_get_server (fixture->manager.manager, "one")));
}

static void
test_manager_keys (Fixture *fixture, gconstpointer data)
{
  GmcpManager *manager = fixture->manager.manager;

  set_tools (fixture, "one", "echo");
  set_servers (fixture, "one", NULL);
  g_settings_set_string (fixture->settings, "tool-name-style", "mcp-server-tool");
  g_settings_set_uint (fixture->settings, "call-timeout-ms", 1234);
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  manager_fixture_assert_tools (&fixture->manager, "mcp__one__echo");
  g_assert_cmpuint (manager_fixture_get_limit (manager, "call-timeout-ms"), ==, 1234);
  g_assert_cmpuint (manager_fixture_get_limit (manager, "max-call-timeout-ms"), ==, 600000);
  g_assert_cmpuint (manager_fixture_get_limit (manager, "startup-timeout-ms"), ==, 10000);

  g_settings_set_string (fixture->settings, "tool-name-style", "bare");
  g_settings_set_uint (fixture->settings, "startup-timeout-ms", 4321);
  manager_fixture_wait_until (lists (fixture, "echo")
                              && manager_fixture_get_limit (manager, "startup-timeout-ms") == 4321);
  g_assert_cmpint (gmcp_manager_get_tool_name_style (manager), ==, GMCP_TOOL_NAME_STYLE_BARE);
}

static void
test_file_in_place (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a configuration file takes the place of the settings, and they come back");
  set_tools (fixture, "one", "echo");
  set_servers (fixture, "one", NULL);
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  manager_fixture_write (&fixture->manager,
                         manager_fixture_entry (&fixture->manager, "file", "--tools pid"), NULL);
  set_file (fixture->manager.manager, "config-file", fixture->manager.config);
  manager_fixture_wait_until (lists (fixture, "file__pid"));
  set_servers (fixture, "one", "two");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_null (gmcp_manager_get_server (fixture->manager.manager, "two"));
  set_file (fixture->manager.manager, "config-file", NULL);
  manager_fixture_wait_until (lists (fixture, "one__echo"));
}

static void
test_close (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) load_error = NULL;
  g_autoptr (GError) error = NULL;
  ManagerCall call;
  int pid;

  g_test_summary ("close ends all processes, calls and whatever is asked later");
  set_tools (fixture, "one", "wait");
  set_tools (fixture, "two", "pid");
  set_servers (fixture, "one", "two");
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  pid = get_pid (fixture, "one");
  manager_call_begin (&call, &fixture->manager, "one__wait", NULL, NULL, NULL);
  manager_fixture_close (&fixture->manager);
  g_assert_true (call.done);
  g_assert_error (call.error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  manager_call_clear (&call);
  g_assert_cmpint (kill (pid, 0), ==, -1);
  manager_fixture_assert_tools (&fixture->manager, "");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->manager.manager)), ==, 0);

  load_error = manager_fixture_load (&fixture->manager, NULL);
  g_assert_error (load_error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_assert_null (manager_fixture_call (&fixture->manager, "one__wait", NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  manager_fixture_close (&fixture->manager);
}

static void
test_close_while_starting (Fixture *fixture, gconstpointer data)
{
  ManagerCall call;

  set_tools (fixture, "one", "pid");
  set_servers (fixture, "one", NULL);
  manager_call_begin (&call, &fixture->manager, "one__pid", NULL, NULL, NULL);
  manager_fixture_wait_until (gmcp_manager_get_server (fixture->manager.manager, "one") != NULL
                              && manager_fixture_get_state (&fixture->manager, "one")
                                   == GMCP_SERVER_STATE_STARTING);
  manager_fixture_close (&fixture->manager);
  manager_call_wait (&call);
  g_assert_error (call.error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  manager_call_clear (&call);
}

static void
test_dispose (Fixture *fixture, gconstpointer data)
{
  int pid;

  g_test_summary ("a manager that is just dropped leaves no process behind");
  set_tools (fixture, "one", "pid");
  set_servers (fixture, "one", NULL);
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  pid = get_pid (fixture, "one");
  g_assert_finalize_object (fixture->manager.manager);
  fixture->manager.manager = NULL;
  manager_fixture_wait_until (kill (pid, 0) != 0);
}

static void
on_servers_changed (GListModel *list, guint position, guint removed, guint added, gpointer data)
{
  Fixture *fixture = data;

  if (g_list_model_get_n_items (list) != 2)
    return;

  /* The older change has two servers, the newer one. */
  set_servers (fixture, "two", NULL);
}

static void
test_change_in_change (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("whoever is told of a change may make another");
  set_tools (fixture, "one", "echo");
  set_tools (fixture, "two", "echo");
  set_servers (fixture, "one", NULL);
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  g_signal_connect (fixture->manager.manager, "items-changed", G_CALLBACK (on_servers_changed),
                    fixture);
  set_tools (fixture, "one", "pid");
  set_servers (fixture, "one", "two");
  manager_fixture_wait_until (lists (fixture, "two__echo"));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->manager.manager)), ==, 1);
}

static void
on_notice_close (GmcpManager *manager,
                 const char *server_id,
                 GmcpNoticeLevel level,
                 const char *message,
                 gpointer data)
{
  if (strstr (message, data) != NULL)
    gmcp_tool_provider_close_async (GMCP_TOOL_PROVIDER (manager), NULL, NULL, NULL);
}

static void
test_close_in_first_notice (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("whoever is told that a server is being started may close the manager");
  set_tools (fixture, "one", "echo");
  set_servers (fixture, "one", "two");
  g_signal_connect (fixture->manager.manager, "notice", G_CALLBACK (on_notice_close),
                    (gpointer) "Starting");
  error = manager_fixture_load (&fixture->manager, NULL);
  if (error != NULL)
    g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  manager_fixture_assert_tools (&fixture->manager, "");
}

static void
test_close_in_notice (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("whoever is told that a server is ready, or not, may close the manager");
  set_tools (fixture, "one", "echo");
  set_servers (fixture, "one", "two");
  g_signal_connect (fixture->manager.manager, "notice", G_CALLBACK (on_notice_close),
                    (gpointer) "is ready");
  error = manager_fixture_load (&fixture->manager, NULL);
  if (error != NULL)
    g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  manager_fixture_assert_tools (&fixture->manager, "");
}

static void
on_tools_changed_drop (GListModel *tools, guint position, guint removed, guint added, gpointer data)
{
  Fixture *fixture = data;

  g_clear_object (&fixture->manager.manager);
}

static void
test_drop_in_change (Fixture *fixture, gconstpointer data)
{
  GmcpManager *weak = fixture->manager.manager;

  g_test_summary ("whoever is told of the tools may drop the manager");
  set_tools (fixture, "one", "echo");
  set_servers (fixture, "one", NULL);
  g_object_add_weak_pointer (G_OBJECT (weak), (gpointer *) &weak);
  g_signal_connect (fixture->manager.tools, "items-changed", G_CALLBACK (on_tools_changed_drop),
                    fixture);
  gmcp_tool_provider_load_async (fixture->manager.provider, NULL, NULL, NULL);
  manager_fixture_wait_until (weak == NULL);
  manager_fixture_wait_until (manager_fixture_count_log (&fixture->manager, "end") == 1);
}

#define ADD(path, func) g_test_add ("/manager/live/" path, Fixture, NULL, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("add-and-remove", test_add_and_remove);
  ADD ("not-before-load", test_not_before_load);
  ADD ("config-only", test_config_only);
  ADD ("change-command", test_change_command);
  ADD ("calls-finish", test_calls_finish);
  ADD ("small-changes", test_small_changes);
  ADD ("disable", test_disable);
  ADD ("mend", test_mend);
  ADD ("manager-keys", test_manager_keys);
  ADD ("file-in-place", test_file_in_place);
  ADD ("close", test_close);
  ADD ("close-while-starting", test_close_while_starting);
  ADD ("dispose", test_dispose);
  ADD ("change-in-change", test_change_in_change);
  ADD ("close-in-notice", test_close_in_notice);
  ADD ("close-in-first-notice", test_close_in_first_notice);
  ADD ("drop-in-change", test_drop_in_change);
  return g_test_run ();
}
