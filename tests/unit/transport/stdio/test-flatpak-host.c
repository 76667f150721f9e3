/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "gmcp-flatpak-host-private.h"
#include "gmcp-login-path-private.h"
#include "host-helper.h"
#include "manager-fixture.h"
#include "unit-test.h"

/* Servers on the host of a sandbox of Flatpak's: something that stands in for Flatpak's session helper, on a
 * bus of its own. */

typedef struct
{
  ManagerFixture base;
  HostHelper helper;
  char *home;
  char *profile;
  char **environment; /* of the host */
  GString *messages;
  guint log_handler;
} Fixture;

static void
on_log (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  g_string_append_printf (data, "%s\n", message);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  host_helper_set_up (&fixture->helper);
  manager_fixture_set_up (&fixture->base, data);
  fixture->home = g_build_filename (fixture->base.dir, "home", NULL);
  fixture->profile = g_build_filename (fixture->home, ".profile", NULL);
  g_assert_no_errno (g_mkdir (fixture->home, 0700));
  g_file_set_contents (fixture->profile, "PATH=/login/dir:/usr/bin:/bin\nexport PATH\n", -1,
                       &error);
  g_assert_no_error (error);

  fixture->environment = g_environ_setenv (NULL, "HOME", fixture->home, TRUE);
  fixture->environment = g_environ_setenv (fixture->environment, "SHELL", "/bin/sh", TRUE);
  fixture->environment = g_environ_setenv (fixture->environment, "PATH", "/host/dir:/bin", TRUE);
  fixture->environment = g_environ_setenv (fixture->environment, "LANG", "C", TRUE);
  fixture->environment = g_environ_setenv (fixture->environment, "XDG_DATA_HOME", "/host", TRUE);
  fixture->environment = g_environ_setenv (fixture->environment, "OTHERS_TOKEN", "secret", TRUE);
  fixture->helper.environment = fixture->environment;

  g_setenv ("GMCP_FLATPAK_INFO", fixture->base.dir, TRUE);
  gmcp_flatpak_host_forget ();
  fixture->messages = g_string_new (NULL);
  fixture->log_handler = g_log_set_handler ("Gmcp", G_LOG_LEVEL_MESSAGE, on_log, fixture->messages);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->base.manager != NULL)
    manager_fixture_close (&fixture->base);
  g_log_remove_handler ("Gmcp", fixture->log_handler);
  g_string_free (fixture->messages, TRUE);
  g_unsetenv ("GMCP_FLATPAK_INFO");
  g_unlink (fixture->profile);
  g_rmdir (fixture->home);
  host_helper_tear_down (&fixture->helper);
  manager_fixture_tear_down (&fixture->base, data);
  g_strfreev (fixture->environment);
  g_free (fixture->profile);
  g_free (fixture->home);
}

/* words are more arguments of the server, each with a comma before it. */
static void
configure_as (Fixture *fixture, const char *command, const char *words, const char *settings)
{
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "confined-server.py", NULL);

  manager_fixture_write (
    &fixture->base,
    g_strdup_printf ("\"one\":{\"command\":\"%s\",\"args\":[\"-S\",\"%s\",\"--log\",\"%s\"%s]%s}",
                     command, script, fixture->base.log, words, settings),
    NULL);
}

static void
configure (Fixture *fixture, const char *words, const char *settings)
{
  configure_as (fixture, "/usr/bin/python3", words, settings);
}

static void
load (Fixture *fixture)
{
  g_autoptr (GError) error = manager_fixture_load (&fixture->base, NULL);

  g_assert_no_error (error);
}

static GmcpManagedServer *
get_server (Fixture *fixture)
{
  return gmcp_manager_get_server (fixture->base.manager, "one");
}

static void
assert_ready (Fixture *fixture)
{
  g_assert_no_error (gmcp_managed_server_get_last_error (get_server (fixture)));
  g_assert_cmpint (manager_fixture_get_state (&fixture->base, "one"), ==, GMCP_SERVER_STATE_READY);
}

static void
assert_sees (Fixture *fixture, const char *code, const char *expected)
{
  g_autofree char *arguments = g_strdup_printf ("{\"code\":\"%s\"}", code);
  g_autoptr (GError) error = NULL;
  g_autofree char *text
    = manager_fixture_call (&fixture->base, "one__look", arguments, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

static void
assert_fails (Fixture *fixture, int code, const char *part)
{
  const GError *last;

  load (fixture);
  last = gmcp_managed_server_get_last_error (get_server (fixture));
  g_assert_error (last, GMCP_ERROR, code);
  g_test_message ("%s", last->message);
  g_assert_nonnull (strstr (last->message, part));
  g_assert_cmpuint (manager_fixture_count_log (&fixture->base, "start"), ==, 0);
}

/* Of those that a server started, or it itself: who has ended and was not waited for does not count. */
static gboolean
is_in_group (const char *name, int group)
{
  g_autofree char *path = g_build_filename ("/proc", name, "stat", NULL);
  g_autofree char *stat = NULL;
  const char *rest;
  char state;
  int its_group;

  if (!g_ascii_isdigit (*name) || !g_file_get_contents (path, &stat, NULL, NULL))
    return FALSE;
  rest = strrchr (stat, ')');
  return rest != NULL && sscanf (rest + 1, " %c %*d %d", &state, &its_group) == 2
         && its_group == group && state != 'Z' && state != 'X';
}

static gboolean
is_group_there (int group)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      if (is_in_group (name, group))
        return TRUE;
    }
  return FALSE;
}

static void
wait_for_end (int group)
{
  g_assert_cmpint (group, >, 1);
  while (is_group_there (group))
    {
      g_usleep (2000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
}

static void
test_start (Fixture *fixture, gconstpointer data)
{
  guint32 clear_and_watch = 3;
  int pid;

  g_test_summary ("it gets the environment of the host, without what is others' business");
  host_helper_appear (&fixture->helper);
  configure (fixture, "", ",\"env\":{\"OWN\":\"a b'c\\\"$d\"},\"cwd\":\"/usr\"");
  load (fixture);
  assert_ready (fixture);
  pid = gmcp_managed_server_get_pid (get_server (fixture));
  g_assert_true (g_hash_table_contains (fixture->helper.pids, GINT_TO_POINTER (pid)));
  g_assert_cmpuint (g_array_index (fixture->helper.flags, guint32, 1), ==, clear_and_watch);

  assert_sees (fixture, "os.environ['OWN']", "\"a b'c\\\"$d\"");
  assert_sees (fixture, "os.environ['PATH']", "\"/host/dir:/login/dir:/usr/bin:/bin\"");
  assert_sees (fixture, "os.environ['XDG_DATA_HOME']", "\"/host\"");
  assert_sees (fixture, "[v for v in os.environ if v.startswith(('GMCP', 'OTHERS', 'G_'))]", "[]");
  assert_sees (fixture, "os.getcwd()", "\"/usr\"");
  assert_sees (fixture, "os.getsid(0) == os.getpid()", "true");
  /* Those of the shell beside it are not its own. */
  assert_sees (fixture, "[os.path.exists('/proc/self/fd/%d' % f) for f in (3, 4)]",
               "[false, false]");
  g_assert_null (strstr (fixture->messages->str, "talk-name"));

  manager_fixture_close (&fixture->base);
  g_assert_cmpuint (fixture->helper.signals->len, ==, 0);
}

static void
test_inherit (Fixture *fixture, gconstpointer data)
{
  host_helper_appear (&fixture->helper);
  configure (fixture, "", ",\"inheritEnvironment\":true,\"env\":{\"OWN\":\"mine\"}");
  load (fixture);
  assert_ready (fixture);
  assert_sees (fixture, "os.environ['OTHERS_TOKEN']+os.environ['OWN']", "\"secretmine\"");
  assert_sees (fixture, "os.environ['PATH']", "\"/host/dir:/login/dir:/usr/bin:/bin\"");
}

static void
test_once (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("the host is asked for its environment once, also by servers side by side");
  host_helper_appear (&fixture->helper);
  manager_fixture_write (
    &fixture->base, manager_fixture_entry_of (&fixture->base, "one", "confined-server.py", ""),
    manager_fixture_entry_of (&fixture->base, "two", "confined-server.py", ""), NULL);
  load (fixture);
  assert_ready (fixture);
  g_assert_cmpuint (host_helper_count (&fixture->helper, "confined-server"), ==, 2);
  g_assert_cmpuint (fixture->helper.commands->len, ==, 3);
}

static void
test_exit (Fixture *fixture, gconstpointer data)
{
  ManagerCall call;
  int pid;

  g_test_summary ("how it ended is known");
  host_helper_appear (&fixture->helper);
  configure (fixture, "", ",\"restartOnFailure\":false");
  load (fixture);
  assert_ready (fixture);
  pid = gmcp_managed_server_get_pid (get_server (fixture));
  manager_call_begin (&call, &fixture->base, "one__look", "{\"code\":\"burn()\"}", NULL, NULL);
  kill (pid, SIGKILL);
  manager_call_wait (&call);
  g_assert_nonnull (call.error);
  g_assert_nonnull (strstr (call.error->message, "signal 9"));
  manager_call_clear (&call);
}

static void
test_terminate (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sign = g_build_filename (fixture->base.dir, "sign", NULL);
  g_autofree char *words = g_strdup_printf (",\"--on-term\",\"%s\"", sign);

  g_test_summary ("one that does not end with its input gets SIGTERM from the helper");
  host_helper_appear (&fixture->helper);
  configure (fixture, words, ",\"shutdownTimeoutMs\":1000");
  load (fixture);
  assert_ready (fixture);
  manager_fixture_close (&fixture->base);
  g_assert_true (host_helper_was_sent (&fixture->helper, SIGTERM));
  g_assert_false (host_helper_was_sent (&fixture->helper, SIGKILL));
  g_assert_no_errno (g_unlink (sign));
}

typedef struct
{
  GmcpTransport *transport;
  GError *error;
  gboolean opened;
  gboolean done;
} Opening;

static void
on_opened (GObject *object, GAsyncResult *result, gpointer data)
{
  Opening *opening = data;

  opening->opened = gmcp_transport_open_finish (GMCP_TRANSPORT (object), result, &opening->error);
  opening->done = TRUE;
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_assert_true (gmcp_transport_close_finish (GMCP_TRANSPORT (object), result, NULL));
  *(gboolean *) data = TRUE;
}

/* The line makes the file "sign" in the home folder once it is prepared for what comes. */
static void
open_shell (Fixture *fixture, Opening *opening, const char *line)
{
  g_autofree char *sign = g_build_filename (fixture->home, "sign", NULL);
  const char *const argv[] = { "sh", "-c", line, NULL };

  memset (opening, 0, sizeof *opening);
  opening->transport = GMCP_TRANSPORT (gmcp_stdio_transport_new (argv));
  g_object_set (opening->transport, "stop-stdin-timeout-ms", 1, "stop-term-timeout-ms", 1, NULL);
  gmcp_transport_open_async (opening->transport, NULL, on_opened, opening);
  manager_fixture_wait_until (opening->done);
  g_assert_no_error (opening->error);
  while (g_unlink (sign) != 0)
    g_usleep (1000);
}

static void
close_transport (Opening *opening)
{
  gboolean closed = FALSE;

  gmcp_transport_close_async (opening->transport, NULL, on_closed, &closed);
  manager_fixture_wait_until (closed);
  g_assert_finalize_object (opening->transport);
}

static void
test_kill (Fixture *fixture, gconstpointer data)
{
  Opening opening;
  int pid;

  g_test_summary ("one that takes no notice of anything is killed, and what it started with it");
  host_helper_appear (&fixture->helper);
  open_shell (fixture, &opening,
              "trap '' TERM; sleep 1000 & >~/sign; while :; do sleep 1000; done");
  pid = gmcp_transport_get_pid (opening.transport);
  close_transport (&opening);
  wait_for_end (pid);
}

static void
test_left_behind (Fixture *fixture, gconstpointer data)
{
  Opening opening;
  int pid;

  g_test_summary ("what a server leaves behind that has ended is ended too");
  host_helper_appear (&fixture->helper);
  open_shell (fixture, &opening,
              "sleep 1000 & sleep 1000 >/dev/null 2>&1 & >~/sign; "
              "while [ -e ~/sign ]; do sleep 0.01; done; exit 3");
  pid = gmcp_transport_get_pid (opening.transport);
  wait_for_end (pid);
  close_transport (&opening);
}

static void
test_released (Fixture *fixture, gconstpointer data)
{
  Opening opening;
  int pid;

  g_test_summary ("one that is let go without being stopped ends with all it started");
  host_helper_appear (&fixture->helper);
  open_shell (fixture, &opening, "trap '' TERM INT; >~/sign; while :; do sleep 1000; done");
  pid = gmcp_transport_get_pid (opening.transport);
  g_assert_finalize_object (opening.transport);
  wait_for_end (pid);
}

static void
test_helper_ends (Fixture *fixture, gconstpointer data)
{
  int pid;

  g_test_summary ("a server goes on without the helper that started it, and can be stopped");
  host_helper_appear (&fixture->helper);
  configure (fixture, "", ",\"healthMethod\":\"process\"");
  load (fixture);
  assert_ready (fixture);
  pid = gmcp_managed_server_get_pid (get_server (fixture));
  host_helper_vanish (&fixture->helper);
  assert_sees (fixture, "1+1", "2");
  manager_fixture_close (&fixture->base);
  wait_for_end (pid);
}

static void
test_killed_without_helper (Fixture *fixture, gconstpointer data)
{
  Opening opening;
  int pid;

  g_test_summary ("and be killed, where it takes no notice");
  host_helper_appear (&fixture->helper);
  open_shell (fixture, &opening, "trap '' TERM INT; >~/sign; while :; do sleep 1000; done");
  pid = gmcp_transport_get_pid (opening.transport);
  host_helper_vanish (&fixture->helper);
  close_transport (&opening);
  wait_for_end (pid);
  g_assert_cmpuint (fixture->helper.signals->len, ==, 0);
}

static void
test_bus_ends (Fixture *fixture, gconstpointer data)
{
  int pid;

  g_test_summary ("a server goes on without the bus as well");
  host_helper_appear (&fixture->helper);
  configure (fixture, "", "");
  load (fixture);
  assert_ready (fixture);
  pid = gmcp_managed_server_get_pid (get_server (fixture));
  g_hash_table_remove_all (fixture->helper.pids);
  g_test_dbus_stop (fixture->helper.bus);
  assert_sees (fixture, "1+1", "2");
  manager_fixture_close (&fixture->base);
  wait_for_end (pid);
}

static void
test_denied (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("where the sandbox does not let it, servers are started inside, with one notice");
  host_helper_appear (&fixture->helper);
  fixture->helper.refusal = data;
  configure (fixture, "", "");
  load (fixture);
  assert_ready (fixture);
  assert_sees (fixture, "'GMCP_FLATPAK_INFO' in os.environ", "false");
  g_assert_nonnull (strstr (fixture->messages->str, "Not for you"));
  g_assert_nonnull (
    strstr (fixture->messages->str, "flatpak override --user --talk-name=org.freedesktop.Flatpak"));
  g_string_truncate (fixture->messages, 0);

  gmcp_managed_server_restart_async (get_server (fixture), NULL, NULL, NULL);
  manager_fixture_wait_until (manager_fixture_count_log (&fixture->base, "start") == 2);
  g_assert_null (strstr (fixture->messages->str, "talk-name"));
  g_assert_cmpuint (fixture->helper.commands->len, ==, 0);
}

static void
test_nobody (Fixture *fixture, gconstpointer data)
{
  g_autofree char *address = g_strdup (g_getenv ("DBUS_SESSION_BUS_ADDRESS"));

  g_test_summary ("neither a helper nor, with data, a bus");
  if (data != NULL)
    g_setenv ("DBUS_SESSION_BUS_ADDRESS", data, TRUE);
  configure (fixture, "", "");
  load (fixture);
  assert_ready (fixture);
  g_assert_nonnull (strstr (fixture->messages->str, "--talk-name=org.freedesktop.Flatpak"));
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", address, TRUE);
}

static void
test_missing (Fixture *fixture, gconstpointer data)
{
  host_helper_appear (&fixture->helper);
  configure_as (fixture, "no-such-program", "", "");
  assert_fails (
    fixture, GMCP_ERROR_START_FAILED,
    "“no-such-program” was not found on the host, out of Flatpak’s sandbox. Install it there, or "
    "give its full path.\n\nDirectories searched (PATH): /host/dir:/login/dir:/usr/bin:/bin");
}

static void
test_missing_node (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autofree char *shell = g_strdup (g_getenv ("SHELL"));

  g_test_summary ("whether Node.js is in the sandbox does not matter");
  g_setenv ("PATH", "/nonexistent/gmcp", TRUE);
  g_setenv ("SHELL", "/nonexistent/gmcp/sh", TRUE);
  gmcp_login_path_forget ();
  host_helper_appear (&fixture->helper);
  configure_as (fixture, "no-such-program", "", ",\"package\":\"@some/package\"");
  assert_fails (fixture, GMCP_ERROR_START_FAILED, "install: npm install -g @some/package");
  assert_fails (fixture, GMCP_ERROR_START_FAILED, "“no-such-program” was not found on the host");
  g_setenv ("PATH", path, TRUE);
  if (shell != NULL)
    g_setenv ("SHELL", shell, TRUE);
  else
    g_unsetenv ("SHELL");
  gmcp_login_path_forget ();
}

static void
test_missing_file (Fixture *fixture, gconstpointer data)
{
  host_helper_appear (&fixture->helper);
  configure_as (fixture, data, "", "");
  assert_fails (fixture, GMCP_ERROR_START_FAILED, data);
  assert_fails (fixture, GMCP_ERROR_START_FAILED, "on the host");
}

static void
test_missing_inside (Fixture *fixture, gconstpointer data)
{
  configure_as (fixture, "no-such-program", "", "");
  assert_fails (fixture, GMCP_ERROR_START_FAILED, "--talk-name=org.freedesktop.Flatpak");
}

static void
test_missing_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (fixture->base.dir, "none", NULL);
  g_autofree char *setting = g_strdup_printf (",\"cwd\":\"%s\"", folder);

  host_helper_appear (&fixture->helper);
  configure (fixture, "", setting);
  assert_fails (fixture, GMCP_ERROR_START_FAILED, folder);
}

static void
test_own_program (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what the application brings is run where it is");
  host_helper_appear (&fixture->helper);
  configure_as (fixture, "/app/bin/no-such-program", "", "");
  assert_fails (fixture, GMCP_ERROR_START_FAILED, "“/app/bin/no-such-program”");
  g_assert_cmpuint (fixture->helper.commands->len, ==, 0);
}

static void
test_variable (Fixture *fixture, gconstpointer data)
{
  host_helper_appear (&fixture->helper);
  configure (fixture, "", ",\"env\":{\"A-B\":\"x\"}");
  assert_fails (fixture, GMCP_ERROR_START_FAILED, "cannot be passed to the host");
}

static void
test_confined (Fixture *fixture, gconstpointer data)
{
  g_autofree char *setting = g_strdup_printf (",%s", (const char *) data);

  g_test_summary ("what cannot be had there keeps it from being started");
  host_helper_appear (&fixture->helper);
  configure (fixture, "", setting);
  assert_fails (fixture, GMCP_ERROR_REQUIREMENT_MISSING, "on the host, out of Flatpak’s sandbox");
  g_assert_cmpuint (host_helper_count (&fixture->helper, "confined-server"), ==, 0);
}

static void
test_processor_time (Fixture *fixture, gconstpointer data)
{
  host_helper_appear (&fixture->helper);
  configure (fixture, "", ",\"maxCpuMs\":12000");
  load (fixture);
  assert_ready (fixture);
  assert_sees (fixture, "__import__('resource').getrlimit(0)", "[12, 13]");
}

static void
test_given_up (Fixture *fixture, gconstpointer data)
{
  gboolean closed = FALSE;
  Opening opening = { NULL, NULL, FALSE, FALSE };
  const char *const argv[] = { "sh", NULL };

  g_test_summary ("a start that waits for a helper that does not answer can be given up");
  host_helper_appear (&fixture->helper);
  fixture->helper.mute = TRUE;
  opening.transport = GMCP_TRANSPORT (gmcp_stdio_transport_new (argv));
  gmcp_transport_open_async (opening.transport, NULL, on_opened, &opening);
  manager_fixture_wait_until (fixture->helper.invocations->len == 1);
  gmcp_transport_close_async (opening.transport, NULL, on_closed, &closed);
  manager_fixture_wait_until (closed && opening.done);
  g_assert_error (opening.error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_clear_error (&opening.error);
  g_object_unref (opening.transport);
  g_dbus_method_invocation_return_dbus_error (g_ptr_array_index (fixture->helper.invocations, 0),
                                              "org.freedesktop.DBus.Error.AccessDenied", "No");
  g_ptr_array_set_size (fixture->helper.invocations, 0);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(name, data, func)                                                                      \
  g_test_add ("/flatpak-host/" name, Fixture, data, set_up, func, tear_down)

  ADD ("start", NULL, test_start);
  ADD ("start/inherit", NULL, test_inherit);
  ADD ("start/once", NULL, test_once);
  ADD ("start/given-up", NULL, test_given_up);
  ADD ("exit", NULL, test_exit);
  ADD ("stop/terminate", NULL, test_terminate);
  ADD ("stop/kill", NULL, test_kill);
  ADD ("stop/left-behind", NULL, test_left_behind);
  ADD ("stop/released", NULL, test_released);
  ADD ("helper-ends", NULL, test_helper_ends);
  ADD ("helper-ends/kill", NULL, test_killed_without_helper);
  ADD ("bus-ends", NULL, test_bus_ends);
  ADD ("denied/access", "org.freedesktop.DBus.Error.AccessDenied", test_denied);
  ADD ("denied/unknown", "org.freedesktop.DBus.Error.ServiceUnknown", test_denied);
  ADD ("denied/nobody", NULL, test_nobody);
  ADD ("denied/no-bus", "unix:path=/nonexistent/gmcp/bus", test_nobody);
  ADD ("missing/command", NULL, test_missing);
  ADD ("missing/node", NULL, test_missing_node);
  ADD ("missing/file", "/nonexistent/program", test_missing_file);
  ADD ("missing/not-to-be-run", "/etc/passwd", test_missing_file);
  ADD ("missing/inside", NULL, test_missing_inside);
  ADD ("missing/folder", NULL, test_missing_folder);
  ADD ("own-program", NULL, test_own_program);
  ADD ("variable", NULL, test_variable);
  ADD ("confined/sandbox", "\"sandbox\":\"read-only-home\"", test_confined);
  ADD ("confined/memory", "\"maxMemoryMib\":100", test_confined);
  ADD ("confined/processor-time", NULL, test_processor_time);

  return g_test_run ();
}
