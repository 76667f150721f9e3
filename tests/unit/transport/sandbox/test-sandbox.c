/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "gmcp-sandbox-command-private.h"
#include "manager-fixture.h"
#include "unit-test.h"

/* What a program may do, and how much it may have. Where the system lets bubblewrap make no sandboxes, what
 * it would be told is checked, and what is said about it. */

typedef struct
{
  ManagerFixture base;
  char *path; /* of this process, for afterwards */
  char *bin;
  char *writable;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  manager_fixture_set_up (&fixture->base, data);
  fixture->path = g_strdup (g_getenv ("PATH"));
  fixture->bin = g_build_filename (fixture->base.dir, "bin", NULL);
  fixture->writable = g_build_filename (fixture->base.dir, "writable", NULL);
  g_assert_no_errno (g_mkdir (fixture->bin, 0700));
  g_assert_no_errno (g_mkdir (fixture->writable, 0700));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bwrap = g_build_filename (fixture->bin, "bwrap", NULL);
  g_autofree char *file = g_build_filename (fixture->writable, "file", NULL);

  g_setenv ("PATH", fixture->path, TRUE);
  g_unlink (bwrap);
  g_unlink (file);
  g_rmdir (fixture->bin);
  g_rmdir (fixture->writable);
  manager_fixture_tear_down (&fixture->base, data);
  g_free (fixture->bin);
  g_free (fixture->writable);
  g_free (fixture->path);
}

static void
write_bwrap (Fixture *fixture, const char *text)
{
  g_autofree char *file = g_build_filename (fixture->bin, "bwrap", NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents_full (file, text, -1, G_FILE_SET_CONTENTS_NONE, 0755, &error);
  g_assert_no_error (error);
  g_setenv ("PATH", fixture->bin, TRUE);
}

/* words are more arguments of the server, each with a comma before it. */
static void
configure (Fixture *fixture, const char *words, const char *settings)
{
  g_autofree char *dir = g_test_build_filename (G_TEST_DIST, "servers", NULL);

  manager_fixture_write (
    &fixture->base,
    g_strdup_printf ("\"one\":{\"command\":\"/usr/bin/python3\",\"args\":[\"-S\",\"%s/"
                     "confined-server.py\"%s],\"cwd\":\"%s\"%s}",
                     dir, words, dir, settings),
    NULL);
}

static char *
look (Fixture *fixture, const char *code, GError **error)
{
  g_autofree char *arguments = g_strdup_printf ("{\"code\":\"%s\"}", code);

  return manager_fixture_call (&fixture->base, "one__look", arguments, NULL, error);
}

static void
assert_sees (Fixture *fixture, const char *code, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = look (fixture, code, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

static void
assert_start_fails (Fixture *fixture, int code, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  const GError *last;

  error = manager_fixture_load (&fixture->base, NULL);
  g_assert_no_error (error);
  last
    = gmcp_managed_server_get_last_error (gmcp_manager_get_server (fixture->base.manager, "one"));
  g_assert_error (last, GMCP_ERROR, code);
  g_test_message ("%s", last->message);
  g_assert_nonnull (strstr (last->message, part));
  g_assert_cmpint (manager_fixture_get_state (&fixture->base, "one"), ==, GMCP_SERVER_STATE_FAILED);
  text = look (fixture, "1", &error);
  g_assert_null (text);
  g_assert_nonnull (error);
}

#define SANDBOX ",\"sandbox\":\"read-only-home\""

static void
test_arguments (Fixture *fixture, gconstpointer data)
{
  const char *const argv[] = { "server", "--root", "/x y", NULL };
  char *paths[] = { fixture->writable, NULL };
  const GmcpConfinement confinement
    = { .read_only_home = TRUE, .writable_paths = paths, .no_network = TRUE };
  g_autoptr (GmcpSandboxCommand) command = NULL;
  g_autofree char *line = NULL;
  g_autofree char *tail = NULL;
  g_autoptr (GError) error = NULL;

  write_bwrap (fixture, "#!/bin/sh\n");
  command
    = gmcp_sandbox_command_new (&confinement, "/usr/bin/env", argv, "/usr", fixture->bin, &error);
  g_assert_no_error (error);
  line = g_strjoinv (" ", command->argv);
  tail = g_strdup_printf (" --bind %s %s --chdir /usr -- /usr/bin/env --root /x y",
                          fixture->writable, fixture->writable);
  g_assert_true (g_str_has_prefix (line, fixture->bin));
  g_assert_true (g_str_has_suffix (line, tail));
  g_assert_nonnull (strstr (line, " --die-with-parent "));
  g_assert_nonnull (strstr (line, " --unshare-pid "));
  g_assert_nonnull (strstr (line, " --unshare-net "));
  g_assert_nonnull (strstr (line, " --ro-bind / / --dev /dev --proc /proc "));
  g_assert_nonnull (strstr (line, " --tmpfs /tmp "));
  /* Else SIGTERM would not reach it. */
  g_assert_null (strstr (line, "--new-session"));
}

static const GError *
get_last_error (Fixture *fixture)
{
  GmcpManagedServer *server = gmcp_manager_get_server (fixture->base.manager, "one");

  return gmcp_managed_server_get_last_error (server);
}

static void
test_no_bwrap (Fixture *fixture, gconstpointer data)
{
  configure (fixture, "", SANDBOX);
  g_setenv ("PATH", fixture->bin, TRUE);
  assert_start_fails (fixture, GMCP_ERROR_REQUIREMENT_MISSING, "Install the package “bubblewrap”");
  g_assert_true (manager_fixture_warns_of (&fixture->base, get_last_error (fixture)));
  write_bwrap (fixture, "");
  g_assert_false (manager_fixture_warns_of (&fixture->base, get_last_error (fixture)));
  g_assert_false (manager_fixture_has_notice (&fixture->base, "is restarted in"));
}

static void
test_bwrap_fails (Fixture *fixture, gconstpointer data)
{
  configure (fixture, "", SANDBOX);
  write_bwrap (fixture,
               "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n");
  assert_start_fails (fixture, GMCP_ERROR_REQUIREMENT_MISSING,
                      "No permissions to create new namespace");
}

static void
test_no_such_path (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->base.dir, "gone", NULL);
  g_autofree char *settings = g_strdup_printf (SANDBOX ",\"writablePaths\":[\"%s\"]", path);

  configure (fixture, "", settings);
  write_bwrap (fixture, "#!/bin/sh\nexit 1\n");
  assert_start_fails (fixture, GMCP_ERROR_START_FAILED, path);
}

static void
test_no_such_command (Fixture *fixture, gconstpointer data)
{
  manager_fixture_write (
    &fixture->base,
    g_strdup ("\"one\":{\"command\":\"gmcp-no-such-program\",\"package\":\"x\"" SANDBOX "}"), NULL);
  write_bwrap (fixture, "#!/bin/sh\nexit 1\n");
  g_setenv ("SHELL", "/bin/false", TRUE);
  assert_start_fails (fixture, GMCP_ERROR_START_FAILED, "(install: npm install -g x)");
}

static void
test_bad_settings (void)
{
  static const struct
  {
    const char *entry;
    const char *part;
  } cases[] = {
    { "\"command\":\"x\",\"noNetwork\":true", "“no-network” without a sandbox" },
    { "\"command\":\"x\",\"writablePaths\":[\"/tmp\"]", "“writable-paths” without a sandbox" },
    { "\"command\":\"x\",\"sandbox\":\"read-only-home\",\"writablePaths\":[\"tmp\"]",
      "which is no full path" },
    { "\"url\":\"https://localhost\",\"sandbox\":\"read-only-home\"", "cannot be had" },
    { "\"url\":\"https://localhost\",\"maxProcesses\":3", "cannot be had" },
    { "\"command\":\"x\",\"sandbox\":\"tight\"", "sandbox" },
    { "\"command\":\"x\",\"sandbox\":true", "sandbox" },
    { "\"command\":\"x\",\"maxMemoryMib\":-1", "maxMemoryMib" },
    { "\"command\":\"x\",\"maxCpuMs\":\"long\"", "maxCpuMs" },
    { "\"command\":\"x\",\"writablePaths\":[1]", "writablePaths" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("{%s}", cases[i].entry);
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpServerConfig) config = gmcp_server_config_new_from_json ("one", text, &error);

      if (config != NULL)
        g_assert_false (gmcp_server_config_validate (config, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_assert_nonnull (strstr (error->message, cases[i].part));
    }
}

static void
test_confined (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autofree char *settings
    = g_strdup_printf (SANDBOX ",\"noNetwork\":%s,\"writablePaths\":[\"%s\"]",
                       data != NULL ? "true" : "false", fixture->writable);
  g_autofree char *here = g_strdup_printf ("write('%s/file')", fixture->writable);
  g_autofree char *beside = g_strdup_printf ("os.path.exists('%s')", fixture->base.config);
  g_autofree char *file = g_build_filename (fixture->writable, "file", NULL);
  g_autofree char *connect = NULL;
  g_autofree char *status = NULL;

  connect
    = g_strdup_printf ("connect(%u)", g_socket_listener_add_any_inet_port (listener, NULL, NULL));
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/gmcp", TRUE);
  configure (fixture, "", settings);
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  assert_sees (fixture, "os.getpid() < 10", "true");
  assert_sees (fixture, "write('gmcp-test')", "\"OSError\"");
  assert_sees (fixture, "write('/var/lib/gmcp-test')", "\"OSError\"");
  assert_sees (fixture, here, "\"written\"");
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
  /* Its own /tmp. */
  assert_sees (fixture, "write('/tmp/gmcp-test-private')", "\"written\"");
  g_assert_false (g_file_test ("/tmp/gmcp-test-private", G_FILE_TEST_EXISTS));
  assert_sees (fixture, beside, "false");
  assert_sees (fixture, "'DBUS_SESSION_BUS_ADDRESS' in os.environ", "false");
  assert_sees (fixture, "len([p for p in os.listdir('/proc') if p.isdigit()]) < 5", "true");
  assert_sees (fixture, connect, data != NULL ? "\"ConnectionRefusedError\"" : "\"connected\"");
  g_assert_false (manager_fixture_has_notice (&fixture->base, "runs with all your privileges"));
  status = gmcp_manager_dup_status_json (fixture->base.manager);
  g_assert_nonnull (strstr (status, "\"sandbox\":\"read-only-home\""));
}

static void
test_stops_gently (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->writable, "file", NULL);
  g_autofree char *words = g_strdup_printf (",\"--on-term\",\"%s\"", file);
  g_autofree char *settings = g_strdup_printf (
    SANDBOX ",\"shutdownTimeoutMs\":1000,\"writablePaths\":[\"%s\"]", fixture->writable);

  g_test_summary ("SIGTERM reaches the server, which has time to save what it has");
  configure (fixture, words, settings);
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  manager_fixture_close (&fixture->base);
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
}

static void
test_leaves_nothing (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->writable, "file", NULL);
  g_autofree char *words = g_strdup_printf (",\"--on-term\",\"%s\"", file);
  g_autofree char *settings
    = g_strdup_printf (SANDBOX ",\"writablePaths\":[\"%s\"]", fixture->writable);
  int pid;

  g_test_summary ("whatever kills it, nothing that it started is left");
  configure (fixture, words, settings);
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  assert_sees (fixture, "daemonize() > 0", "true");
  /* Bubblewrap twice, the server, and that one. */
  manager_fixture_wait_until (manager_fixture_count_processes (fixture->writable) == 4);

  pid = gmcp_managed_server_get_pid (gmcp_manager_get_server (fixture->base.manager, "one"));
  g_assert_cmpint (pid, >, 0);
  if (data != NULL)
    kill (pid, SIGKILL);
  else
    {
      /* The end of the connection to the guard is what it sees of a host that is killed. */
      g_assert_finalize_object (g_steal_pointer (&fixture->base.manager));
      fixture->base.manager = NULL;
    }
  while (manager_fixture_count_processes (fixture->writable) > 0)
    g_main_context_iteration (NULL, FALSE);
}

static void
test_cpu_time (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *settings = g_strdup_printf ("%s,\"maxCpuMs\":500", (const char *) data);
  g_autofree char *text = NULL;

  configure (fixture, "", settings);
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  text = look (fixture, "burn()", &error);
  g_assert_null (text);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  g_assert_nonnull (strstr (error->message, "signal 24"));
}

static void
test_private (Fixture *fixture, gconstpointer data)
{
  const char *state = g_get_user_state_dir ();
  g_autofree char *folder = g_build_filename (state, "gmcp", NULL);
  g_autofree char *token = g_build_filename (folder, "control-token", NULL);
  g_autofree char *beside = g_build_filename (state, "beside", NULL);
  g_autofree char *settings = g_strdup_printf (SANDBOX ",\"writablePaths\":[\"%s\"]", state);
  g_autofree char *is_there = g_strdup_printf ("os.path.exists('%s')", token);
  g_autofree char *write = g_strdup_printf ("write('%s')", beside);
  g_autofree char *forge = g_strdup_printf ("write('%s.json')", token);
  g_autofree char *forged = g_strdup_printf ("%s.json", token);
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "tokens and what was trusted are not seen, nor written, in a folder that is writable");
  g_assert_no_errno (g_mkdir_with_parents (folder, 0700));
  g_file_set_contents (token, "secret", -1, &error);
  g_assert_no_error (error);
  configure (fixture, "", settings);
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  assert_sees (fixture, is_there, "false");
  assert_sees (fixture, write, "\"written\"");
  g_assert_true (g_file_test (beside, G_FILE_TEST_EXISTS));
  assert_sees (fixture, forge, "\"OSError\"");
  g_assert_false (g_file_test (forged, G_FILE_TEST_EXISTS));
}

static void
test_private_itself (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "gmcp", NULL);
  g_autofree char *settings = g_strdup_printf (SANDBOX ",\"writablePaths\":[\"%s\"]", folder);

  g_assert_no_errno (g_mkdir_with_parents (folder, 0700));
  configure (fixture, "", settings);
  write_bwrap (fixture, "#!/bin/sh\nexit 1\n");
  assert_start_fails (fixture, GMCP_ERROR_START_FAILED, "a folder that its sandbox hides");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(name, data, func) g_test_add ("/sandbox/" name, Fixture, data, set_up, func, tear_down)

  ADD ("arguments", NULL, test_arguments);
  ADD ("no-bwrap", NULL, test_no_bwrap);
  ADD ("bwrap-fails", NULL, test_bwrap_fails);
  ADD ("no-such-path", NULL, test_no_such_path);
  ADD ("private-itself", NULL, test_private_itself);
  ADD ("no-such-command", NULL, test_no_such_command);
  g_test_add_func ("/sandbox/bad-settings", test_bad_settings);
  ADD ("cpu-time", "", test_cpu_time);
  if (manager_fixture_can_confine ())
    {
      ADD ("confined", NULL, test_confined);
      ADD ("confined/no-network", "", test_confined);
      ADD ("private", NULL, test_private);
      ADD ("stops-gently", NULL, test_stops_gently);
      ADD ("leaves-nothing/host-gone", NULL, test_leaves_nothing);
      ADD ("leaves-nothing/killed", "", test_leaves_nothing);
      ADD ("cpu-time/confined", SANDBOX, test_cpu_time);
    }

  return g_test_run ();
}
