/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <signal.h>
#include <string.h>

#include "manager-fixture.h"
#include "property-watch.h"
#include "unit-test.h"

/* Whoever shows a manager and its servers hears of each value that changes: after each step, every property
 * has the value that was told of last. */

/* The first time that the log is asked for makes it; the uptime grows with the clock. */
static const char *const untold[] = { "audit-log", "uptime-seconds", NULL };
/* The end of a process is known to whoever asks before it is told of. */
static const char *const untold_at_once[] = { "pid", "uptime-seconds", NULL };

typedef struct
{
  ManagerFixture manager;
  GPtrArray *watches; /* of PropertyWatch */
  PropertyWatch *process;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  manager_fixture_set_up (&fixture->manager, data);
  fixture->watches = g_ptr_array_new_with_free_func ((GDestroyNotify) property_watch_free);
  g_ptr_array_add (fixture->watches, property_watch_new (fixture->manager.manager, untold));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_ptr_array_unref (fixture->watches);
  g_clear_pointer (&fixture->process, property_watch_free);
  manager_fixture_tear_down (&fixture->manager, data);
}

static void
assert_told (Fixture *fixture)
{
  for (guint i = 0; i < fixture->watches->len; i++)
    property_watch_assert_told (g_ptr_array_index (fixture->watches, i));
}

#define wait_until(fixture, condition)                                                             \
  G_STMT_START                                                                                     \
  {                                                                                                \
    while (!(condition))                                                                           \
      {                                                                                            \
        g_main_context_iteration (NULL, TRUE);                                                     \
        assert_told (fixture);                                                                     \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

static void
write_server (Fixture *fixture, const char *members, const char *settings)
{
  g_autofree char *entry
    = manager_fixture_entry (&fixture->manager, "one", "--tools echo,pid,exit --instructions Kind");
  g_autofree char *text = NULL;

  entry[strlen (entry) - 1] = '\0';
  text
    = g_strdup_printf ("{\"mcpServers\":{%s%s}},\"mcp_settings\":{%s}}", entry, members, settings);
  g_assert_true (g_file_set_contents (fixture->manager.config, text, -1, NULL));
}

static GmcpManagedServer *
watch_server (Fixture *fixture)
{
  GmcpManagedServer *server = gmcp_manager_get_server (fixture->manager.manager, "one");

  g_ptr_array_add (fixture->watches, property_watch_new (server, untold_at_once));
  fixture->process = property_watch_new (server, untold);
  return server;
}

static gboolean
is_ready (GmcpManagedServer *server)
{
  return gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_READY;
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_assert_true (gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, NULL));
  *(gboolean *) data = TRUE;
}

static void
load_config (Fixture *fixture)
{
  gboolean is_loaded = FALSE;

  gmcp_manager_load_config_async (fixture->manager.manager, NULL, on_config_loaded, &is_loaded);
  wait_until (fixture, is_loaded);
}

/* One that has ended is none before the server is told of as ended. */
static gboolean
is_another_process (GmcpManagedServer *server, int pid)
{
  int now = gmcp_managed_server_get_pid (server);

  return now != 0 && now != pid;
}

static void
test_life (Fixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;
  ManagerCall call;
  int pid;

  g_test_summary ("a server starts, ends by itself, is killed and is stopped");
  write_server (fixture, "", "");
  load_config (fixture);
  server = watch_server (fixture);
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  wait_until (fixture, is_ready (server));
  property_watch_assert_told (fixture->process);
  pid = gmcp_managed_server_get_pid (server);

  manager_call_begin (&call, &fixture->manager, "one__exit", NULL, NULL, NULL);
  wait_until (fixture, call.done);
  manager_call_clear (&call);
  wait_until (fixture, is_ready (server) && is_another_process (server, pid));
  property_watch_assert_told (fixture->process);
  pid = gmcp_managed_server_get_pid (server);

  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  wait_until (fixture, is_ready (server) && is_another_process (server, pid));
  property_watch_assert_told (fixture->process);

  gmcp_managed_server_stop_async (server, NULL, NULL, NULL);
  wait_until (fixture, gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_STOPPED
                         && gmcp_managed_server_get_pid (server) == 0);
  manager_fixture_close (&fixture->manager);
  assert_told (fixture);
  property_watch_assert_told (fixture->process);
}

static void
test_config (Fixture *fixture, gconstpointer data)
{
  GmcpManagedServer *server;

  g_test_summary (
    "the configuration gives a server another title, fewer tools, another way to start, "
    "and takes it away");
  write_server (fixture, "", "");
  load_config (fixture);
  server = watch_server (fixture);
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  wait_until (fixture, is_ready (server));

  write_server (fixture, ",\"title\":\"Another\",\"allowed_tools\":[\"echo\"]", "");
  wait_until (fixture, g_str_equal (gmcp_managed_server_get_title (server), "Another"));
  write_server (fixture, ",\"start\":\"manual\"", "");
  wait_until (fixture, gmcp_managed_server_get_start (server) == GMCP_SERVER_START_MANUAL);
  write_server (fixture, ",\"enabled\":false", "");
  wait_until (fixture, gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_DISABLED);
  g_assert_true (g_file_set_contents (fixture->manager.config, "{\"mcpServers\":{}}", -1, NULL));
  wait_until (fixture, gmcp_manager_get_server (fixture->manager.manager, "one") == NULL);
  assert_told (fixture);
}

static guint
count_told (Fixture *fixture, const char *name)
{
  return property_watch_count (g_ptr_array_index (fixture->watches, 0), name);
}

static void
on_notify (GmcpManager *manager, GParamSpec *pspec, gpointer data)
{
  (*(guint *) data)++;
}

static void
test_settings (Fixture *fixture, gconstpointer data)
{
  GmcpManager *manager = fixture->manager.manager;
  guint n_log_changes = 0;

  g_test_summary ("settings of the file, and those that the host sets above them");
  write_server (fixture, "", "\"call_timeout_seconds\":7");
  load_config (fixture);
  assert_told (fixture);
  g_assert_cmpuint (count_told (fixture, "call-timeout-ms"), ==, 1);

  g_object_set (manager, "call-timeout-ms", 9000, NULL);
  assert_told (fixture);
  g_assert_cmpuint (count_told (fixture, "call-timeout-ms"), ==, 2);

  g_assert_nonnull (gmcp_manager_get_audit_log (manager));
  g_signal_connect (manager, "notify::audit-log", G_CALLBACK (on_notify), &n_log_changes);
  gmcp_manager_set_audit (manager, FALSE);
  g_assert_null (gmcp_manager_get_audit_log (manager));
  g_assert_cmpuint (n_log_changes, ==, 1);
  gmcp_manager_set_audit (manager, TRUE);
  g_assert_nonnull (gmcp_manager_get_audit_log (manager));
  g_assert_cmpuint (n_log_changes, ==, 2);
  assert_told (fixture);
}

static void
test_context (Fixture *fixture, gconstpointer data)
{
  GmcpManager *manager = fixture->manager.manager;
  g_autoptr (GFile) folder = g_file_new_for_path (fixture->manager.dir);
  g_autoptr (GmcpRole) role
    = gmcp_role_new ("careful", (const char *const[]){ "one.echo", NULL }, NULL);

  g_test_summary ("role, workspace and host");
  write_server (fixture, "", "");
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  watch_server (fixture);
  assert_told (fixture);
  g_assert_cmpstr (gmcp_manager_get_instructions (manager), !=, NULL);

  gmcp_manager_add_role (manager, role);
  gmcp_manager_set_role (manager, "careful");
  assert_told (fixture);
  gmcp_manager_set_workspace (manager, folder);
  assert_told (fixture);
  gmcp_manager_set_host (manager, "org.example.Host");
  assert_told (fixture);
  manager_fixture_close (&fixture->manager);
  assert_told (fixture);
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/manager/properties/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("life", test_life);
  ADD ("config", test_config);
  ADD ("settings", test_settings);
  ADD ("context", test_context);
#undef ADD

  return g_test_run ();
}
