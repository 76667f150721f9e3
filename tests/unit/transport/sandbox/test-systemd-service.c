/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gio/gunixfdlist.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "manager-fixture.h"
#include "unit-test.h"

/* Limits of memory and processes, which systemd sets: one that stands in for it, on a bus of its own. */

typedef struct
{
  ManagerFixture base;
  GDBusConnection *connection;
  GDBusNodeInfo *info;
  GVariant *unit;     /* what was asked for last */
  int stdin_fd;       /* and what the main process is to have as standard input; -1 for none */
  GSubprocess *guard; /* the main process */
  guint n_units;
  const char *outcome; /* told of the job; NULL for nothing yet */
  const char *refusal; /* in place of a job */
} Fixture;

static GTestDBus *bus;

static const char systemd_xml[]
  = "<node><interface name='org.freedesktop.systemd1.Manager'>"
    "<method name='Subscribe'/>"
    "<method name='StartTransientUnit'><arg type='s' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='a(sv)' direction='in'/><arg type='a(sa(sv))' direction='in'/>"
    "<arg type='o' direction='out'/></method>"
    "<signal name='JobRemoved'><arg type='u'/><arg type='o'/><arg type='s'/><arg type='s'/></signal>"
    "</interface></node>";

#define JOB "/org/freedesktop/systemd1/job/7"

static GVariant *
find_property (GVariant *properties, const char *name)
{
  GVariantIter iter;
  const char *key;
  GVariant *value;

  g_variant_iter_init (&iter, properties);
  while (g_variant_iter_next (&iter, "(&sv)", &key, &value))
    {
      if (g_str_equal (key, name))
        return value;
      g_variant_unref (value);
    }
  g_assert_not_reached ();
}

/* What systemd does where it starts a service. */
static void
run_unit (Fixture *fixture)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GVariant) properties = g_variant_get_child_value (fixture->unit, 2);
  g_autoptr (GVariant) commands = find_property (properties, "ExecStart");
  g_autofree const char **argv = NULL;
  g_autoptr (GError) error = NULL;

  g_variant_get_child (commands, 0, "(&s^a&sb)", NULL, &argv, NULL);
  g_subprocess_launcher_take_stdin_fd (launcher, g_steal_fd (&fixture->stdin_fd));
  g_clear_object (&fixture->guard);
  fixture->guard = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv, &error);
  g_assert_no_error (error);
}

static void
tell_of_job (Fixture *fixture, const char *job, const char *outcome)
{
  g_autoptr (GError) error = NULL;

  g_dbus_connection_emit_signal (fixture->connection, NULL, "/org/freedesktop/systemd1",
                                 "org.freedesktop.systemd1.Manager", "JobRemoved",
                                 g_variant_new ("(uoss)", 7, job, "gmcp.service", outcome), &error);
  g_assert_no_error (error);
}

static void
on_method (GDBusConnection *connection,
           const char *sender,
           const char *path,
           const char *interface,
           const char *method,
           GVariant *parameters,
           GDBusMethodInvocation *invocation,
           gpointer data)
{
  Fixture *fixture = data;

  if (g_str_equal (method, "Subscribe"))
    {
      g_dbus_method_invocation_return_value (invocation, NULL);
      return;
    }

  g_clear_pointer (&fixture->unit, g_variant_unref);
  fixture->unit = g_variant_ref (parameters);
  fixture->n_units++;
  fixture->stdin_fd = g_unix_fd_list_get (
    g_dbus_message_get_unix_fd_list (g_dbus_method_invocation_get_message (invocation)), 0, NULL);
  g_assert_cmpint (fixture->stdin_fd, >=, 0);
  if (fixture->refusal != NULL)
    {
      g_dbus_method_invocation_return_dbus_error (invocation, "org.freedesktop.systemd1.No",
                                                  fixture->refusal);
      return;
    }

  /* Those of others come as well, and ours may come before the answer. */
  tell_of_job (fixture, "/org/freedesktop/systemd1/job/6", "failed");
  if (g_strcmp0 (fixture->outcome, "done") == 0)
    run_unit (fixture);
  if (fixture->outcome != NULL)
    tell_of_job (fixture, JOB, fixture->outcome);
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(o)", JOB));
}

static const GDBusInterfaceVTable vtable = { .method_call = on_method };

static void
on_named (GDBusConnection *connection, const char *name, gpointer data)
{
  *(gboolean *) data = TRUE;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  manager_fixture_set_up (&fixture->base, data);
  fixture->stdin_fd = -1;
  fixture->connection = g_dbus_connection_new_for_address_sync (
    g_test_dbus_get_bus_address (bus),
    G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
    NULL, NULL, &error);
  g_assert_no_error (error);
  fixture->info = g_dbus_node_info_new_for_xml (systemd_xml, &error);
  g_assert_no_error (error);
  g_dbus_connection_register_object (fixture->connection, "/org/freedesktop/systemd1",
                                     fixture->info->interfaces[0], &vtable, fixture, NULL, &error);
  g_assert_no_error (error);
}

static guint
own_name (Fixture *fixture)
{
  gboolean is_owned = FALSE;
  guint id
    = g_bus_own_name_on_connection (fixture->connection, "org.freedesktop.systemd1",
                                    G_BUS_NAME_OWNER_FLAGS_NONE, on_named, NULL, &is_owned, NULL);

  manager_fixture_wait_until (is_owned);
  return id;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->unit, g_variant_unref);
  g_clear_object (&fixture->guard);
  if (fixture->stdin_fd >= 0)
    close (fixture->stdin_fd);
  g_dbus_node_info_unref (fixture->info);
  manager_fixture_tear_down (&fixture->base, data);
  g_assert_true (g_dbus_connection_close_sync (fixture->connection, NULL, NULL));
  g_object_unref (fixture->connection);
}

static void
configure (Fixture *fixture, const char *settings)
{
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "confined-server.py", NULL);

  manager_fixture_write (
    &fixture->base,
    g_strdup_printf ("\"one\":{\"command\":\"/usr/bin/python3\",\"args\":[\"-S\","
                     "\"%s\",\"--log\",\"%s\"]%s}",
                     script, fixture->base.log, settings),
    NULL);
}

#define LIMITS ",\"maxMemoryMib\":200,\"maxProcesses\":30"

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, NULL);
  *(gboolean *) data = TRUE;
}

static guint64
get_number (GVariant *properties, const char *name)
{
  g_autoptr (GVariant) value = find_property (properties, name);

  return g_variant_get_uint64 (value);
}

/* The main process of the service is the server's parent. */
static void
assert_parent (Fixture *fixture, int server)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", server);
  g_autofree char *stat = NULL;

  g_assert_true (g_file_get_contents (path, &stat, NULL, NULL));
  g_assert_cmpint (atoi (strrchr (stat, ')') + 4), ==,
                   atoi (g_subprocess_get_identifier (fixture->guard)));
}

static void
test_limits (Fixture *fixture, gconstpointer data)
{
  guint id = own_name (fixture);
  gboolean loaded = FALSE;
  g_autoptr (GVariant) properties = NULL;
  const char *unit, *mode;
  GmcpManagedServer *server;

  g_test_summary ("the server is not started before systemd has set its limits");
  configure (fixture, LIMITS);
  gmcp_tool_provider_load_async (fixture->base.provider, NULL, on_loaded, &loaded);
  manager_fixture_wait_until (fixture->n_units == 1);
  run_unit (fixture);
  for (guint i = 0; i < 20; i++)
    {
      g_usleep (5000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_assert_cmpuint (manager_fixture_count_log (&fixture->base, "start"), ==, 0);

  tell_of_job (fixture, JOB, "done");
  manager_fixture_wait_until (loaded);
  server = gmcp_manager_get_server (fixture->base.manager, "one");
  g_assert_no_error (gmcp_managed_server_get_last_error (server));
  g_assert_cmpint (gmcp_managed_server_get_state (server), ==, GMCP_SERVER_STATE_READY);
  g_variant_get (fixture->unit, "(&s&s@a(sv)a(sa(sv)))", &unit, &mode, &properties, NULL);
  g_assert_true (g_str_has_prefix (unit, "gmcp-one-"));
  g_assert_true (g_str_has_suffix (unit, ".service"));
  g_assert_cmpstr (mode, ==, "fail");
  g_assert_cmpuint (get_number (properties, "MemoryMax"), ==, 200u << 20);
  g_assert_cmpuint (get_number (properties, "TasksMax"), ==, 31);
  assert_parent (fixture, gmcp_managed_server_get_pid (server));
  manager_fixture_close (&fixture->base);
  g_assert_true (g_subprocess_wait (fixture->guard, NULL, NULL));
  g_bus_unown_name (id);
}

static void
assert_fails (Fixture *fixture, const char *part)
{
  g_autoptr (GError) error = manager_fixture_load (&fixture->base, NULL);
  const GError *last;

  g_assert_no_error (error);
  last
    = gmcp_managed_server_get_last_error (gmcp_manager_get_server (fixture->base.manager, "one"));
  g_assert_error (last, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING);
  g_assert_nonnull (strstr (last->message, part));
  g_assert_nonnull (strstr (last->message, "max-memory-mib"));
  g_assert_cmpuint (manager_fixture_count_log (&fixture->base, "start"), ==, 0);
  /* What did not run with its limits is not told of as if it had run without. */
  g_assert_false (manager_fixture_has_notice (&fixture->base, "privileges"));
  g_assert_cmpint (manager_fixture_get_state (&fixture->base, "one"), ==, GMCP_SERVER_STATE_FAILED);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_managed_server_start_finish (GMCP_MANAGED_SERVER (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
start_again (Fixture *fixture)
{
  gboolean started = FALSE;

  gmcp_managed_server_start_async (gmcp_manager_get_server (fixture->base.manager, "one"), NULL,
                                   on_started, &started);
  manager_fixture_wait_until (started);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  guint id = own_name (fixture);

  fixture->refusal = "Not today";
  configure (fixture, LIMITS);
  assert_fails (fixture, "Not today");

  g_test_message ("it is told of when it runs with them");
  fixture->refusal = NULL;
  fixture->outcome = "done";
  start_again (fixture);
  g_assert_true (manager_fixture_has_notice (&fixture->base, "runs with all your privileges"));
  g_bus_unown_name (id);
}

static void
test_job_fails (Fixture *fixture, gconstpointer data)
{
  guint id = own_name (fixture);

  g_test_summary ("the job ends before the call that made it is answered");
  fixture->outcome = "timeout";
  configure (fixture, ",\"maxProcesses\":30");
  assert_fails (fixture, ": timeout.");
  g_bus_unown_name (id);
}

static void
test_no_systemd (Fixture *fixture, gconstpointer data)
{
  configure (fixture, LIMITS);
  assert_fails (fixture, "org.freedesktop.systemd1");
}

static void
test_no_bus (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = g_strdup (g_getenv ("DBUS_SESSION_BUS_ADDRESS"));
  g_autofree char *runtime_dir = g_strdup (g_get_user_runtime_dir ());

  g_setenv ("XDG_RUNTIME_DIR", fixture->base.dir, TRUE);
  if (data != NULL)
    g_setenv ("DBUS_SESSION_BUS_ADDRESS", data, TRUE);
  else
    g_unsetenv ("DBUS_SESSION_BUS_ADDRESS");
  configure (fixture, LIMITS);
  assert_fails (fixture, "systemd of a user’s session");
  if (data == NULL)
    {
      GmcpManagedServer *server = gmcp_manager_get_server (fixture->base.manager, "one");

      g_assert_true (
        manager_fixture_warns_of (&fixture->base, gmcp_managed_server_get_last_error (server)));
    }
  g_setenv ("XDG_RUNTIME_DIR", runtime_dir, TRUE);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", address, TRUE);
}

static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  guint id = own_name (fixture);
  gboolean loaded = FALSE;

  g_test_summary ("a start that waits for systemd can be given up");
  configure (fixture, LIMITS);
  gmcp_tool_provider_load_async (fixture->base.provider, NULL, on_loaded, &loaded);
  manager_fixture_wait_until (fixture->n_units == 1);
  manager_fixture_close (&fixture->base);
  manager_fixture_wait_until (loaded);
  /* The guard comes too late, and finds that nobody wants the server. */
  run_unit (fixture);
  tell_of_job (fixture, JOB, "done");
  g_assert_true (g_subprocess_wait (fixture->guard, NULL, NULL));
  g_assert_cmpuint (manager_fixture_count_log (&fixture->base, "start"), ==, 0);
  g_bus_unown_name (id);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);

#define ADD(name, data, func)                                                                      \
  g_test_add ("/systemd-service/" name, Fixture, data, set_up, func, tear_down)

  ADD ("limits", NULL, test_limits);
  ADD ("refused", NULL, test_refused);
  ADD ("job-fails", NULL, test_job_fails);
  ADD ("no-systemd", NULL, test_no_systemd);
  ADD ("no-bus", NULL, test_no_bus);
  ADD ("no-bus/bad-address", "nonsense", test_no_bus);
  ADD ("no-bus/nobody-there", "unix:path=/nonexistent/gmcp/bus", test_no_bus);
  ADD ("stopped", NULL, test_stopped);

  status = g_test_run ();
  g_test_dbus_down (bus);
  g_object_unref (bus);
  return status;
}
