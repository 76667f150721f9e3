/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/stdio/gmcp-stdio-transport.h>

#include "gmcp-child-private.h"
#include "gmcp-stdio-transport-private.h"
#include "transport-log.h"
#include "unit-test.h"

static const char *test_program;

typedef struct
{
  GmcpStdioTransport *stdio;
  GmcpTransport *transport; /* the same */
  TransportLog *log;
} Server;

static char *
get_server_path (void)
{
  return g_test_build_filename (G_TEST_BUILT, "servers", "test-server", NULL);
}

static Server
server_new_argv (const char *const *argv)
{
  GmcpStdioTransport *stdio = gmcp_stdio_transport_new (argv);

  return (Server){ stdio, GMCP_TRANSPORT (stdio), transport_log_new (GMCP_TRANSPORT (stdio)) };
}

static Server
server_new (const char *mode, const char *value)
{
  g_autofree char *path = get_server_path ();
  const char *argv[] = { path, mode, value, NULL };

  return server_new_argv (argv);
}

static Server
server_open (const char *mode, const char *value)
{
  Server server = server_new (mode, value);

  transport_log_open (server.log);
  return server;
}

static void
server_free (Server *server)
{
  transport_log_free (server->log);
  g_assert_finalize_object (server->transport);
}

/* Without the process, or with no more than its entry in the table left. */
static gboolean
is_gone (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  const char *name_end;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return TRUE;

  name_end = strrchr (text, ')');
  return name_end != NULL && (name_end[2] == 'Z' || name_end[2] == 'X');
}

static void
wait_gone (int pid)
{
  while (!is_gone (pid))
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

static guint
count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static gboolean
has_children (void)
{
  g_autofree char *children = NULL;

  g_assert_true (g_file_get_contents ("/proc/thread-self/children", &children, NULL, NULL));
  return children[0] != '\0';
}

static void
wait_no_children (void)
{
  while (has_children ())
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

static void
assert_contains (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("“%s” does not contain “%s”", text, part);
}

static void
test_echo (void)
{
  Server server = server_open ("echo", NULL);
  int pid = gmcp_transport_get_pid (server.transport);

  g_assert_cmpint (pid, >, 0);
  g_assert_false (is_gone (pid));
  transport_log_send (server.log, "{\"a\":1}");
  transport_log_wait_messages (server.log, 1);
  g_assert_cmpstr (server.log->messages->pdata[0], ==, "{\"a\":1}");

  transport_log_close (server.log);
  g_assert_cmpuint (server.log->n_closed, ==, 1);
  g_assert_no_error (server.log->closed_error);
  g_assert_true (is_gone (pid));
  g_assert_cmpint (gmcp_transport_get_pid (server.transport), ==, 0);
  g_assert_false (has_children ());
  server_free (&server);
}

static void
test_large_message (void)
{
  const gsize size = 10 * 1024 * 1024;
  g_autoptr (GString) text = g_string_new ("[\"");
  Server server = server_open ("echo", NULL);

  g_string_set_size (text, size);
  memset (text->str + 2, 'x', size - 4);
  memcpy (text->str + size - 2, "\"]", 2);
  transport_log_send (server.log, text->str);
  transport_log_send (server.log, "[2]");
  transport_log_wait_messages (server.log, 2);
  g_assert_cmpuint (strlen (server.log->messages->pdata[0]), ==, size);
  g_assert_cmpuint (server.log->n_owned, ==, 1);
  g_assert_cmpstr (server.log->messages->pdata[1], ==, "[2]");
  transport_log_close (server.log);
  server_free (&server);
}

static void
test_reopen (void)
{
  Server server = server_open ("exit", "3");

  g_test_summary ("after an exit and after a close it can be opened again, with a new process");

  transport_log_wait_closed (server.log);
  g_assert_error (server.log->closed_error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  transport_log_open (server.log);
  while (server.log->n_closed < 2)
    transport_log_iterate (server.log);
  transport_log_close (server.log);
  transport_log_open (server.log);
  while (server.log->n_closed < 3)
    transport_log_iterate (server.log);
  server_free (&server);
  wait_no_children ();
}

static void
test_exit (void)
{
  Server server = server_open ("exit", "3");
  g_autofree char *tail = NULL;

  transport_log_wait_closed (server.log);
  g_assert_error (server.log->closed_error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  assert_contains (server.log->closed_error->message, "test-server");
  assert_contains (server.log->closed_error->message, "status 3");
  assert_contains (server.log->closed_error->message, "no such file: config.json");
  tail = gmcp_stdio_transport_dup_stderr_tail (server.stdio);
  g_assert_cmpstr (tail, ==, "first line\nno such file: config.json\n");
  g_assert_false (gmcp_transport_is_open (server.transport));
  g_assert_cmpint (gmcp_transport_get_pid (server.transport), ==, 0);

  transport_log_close (server.log);
  g_assert_cmpuint (server.log->n_closed, ==, 1);
  g_assert_false (has_children ());
  server_free (&server);
}

static void
test_exit_unheard (void)
{
  const char *argv[] = { "sh", "-c", "exec >&-; cat >/dev/null; exit 3", NULL };
  Server server = server_new_argv (argv);

  g_test_summary (
    "what is sent to a server that says nothing any more, and never did, is no error: "
    "its end is told when it is known");
  transport_log_open (server.log);
  while (server.log->n_closed == 0)
    {
      transport_log_send (server.log, "{}");
      g_main_context_iteration (NULL, FALSE);
    }
  g_assert_error (server.log->closed_error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  assert_contains (server.log->closed_error->message, "status 3");
  transport_log_close (server.log);
  server_free (&server);
  wait_no_children ();
}

static void
test_exit_in_call (void)
{
  Server server = server_open ("exit-in-call", NULL);

  g_test_summary ("what a server said before it exited comes first, then the status; that its last "
                  "message was cut is no news of its own");

  transport_log_send (server.log, "{}");
  transport_log_wait_closed (server.log);
  g_assert_cmpuint (server.log->n_messages, ==, 1);
  g_assert_cmpstr (server.log->messages->pdata[0], ==, "{\"last\": 1}");
  g_assert_no_error (server.log->violation);
  g_assert_error (server.log->closed_error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  assert_contains (server.log->closed_error->message, "status 7");
  assert_contains (server.log->closed_error->message, "out of luck");
  server_free (&server);
  wait_no_children ();
}

static void
test_signal (void)
{
  Server server = server_open ("die", NULL);

  transport_log_wait_closed (server.log);
  g_assert_error (server.log->closed_error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  assert_contains (server.log->closed_error->message, "signal 11");
  assert_contains (server.log->closed_error->message, "nothing to standard error");
  server_free (&server);
  wait_no_children ();
}

static void
assert_start_fails (Server *server, const char *first, const char *second)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (transport_log_try_open (server->log, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  assert_contains (error->message, first);
  assert_contains (error->message, second);
  g_assert_false (gmcp_transport_is_open (server->transport));
  g_assert_cmpuint (server->log->n_closed, ==, 0);
  server_free (server);
  wait_no_children ();
}

static void
test_command_missing (void)
{
  const char *argv[] = { "no-such-command-of-ours", "--secret", NULL };
  const char *environment[] = { "PATH=/nowhere/bin:/usr/bin", NULL };
  Server server = server_new_argv (argv);

  g_test_summary ("the error says what was looked for, and in which directories");

  gmcp_stdio_transport_set_environment (server.stdio, environment);
  assert_start_fails (&server, "“no-such-command-of-ours”", "/nowhere/bin:/usr/bin");
}

static void
open_again (GObject *object, GAsyncResult *result, gpointer user_data)
{
  guint *n_left = user_data;
  g_autoptr (GError) error = NULL;

  g_assert_false (gmcp_transport_open_finish (GMCP_TRANSPORT (object), result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  if (--(*n_left) > 0)
    gmcp_transport_open_async (GMCP_TRANSPORT (object), NULL, open_again, n_left);
}

static void
test_reopen_in_callback (void)
{
  const char *argv[] = { "no-such-command-of-ours", NULL };
  Server server = server_new_argv (argv);
  guint n_left = 5;

  g_test_summary ("the callback of a failed opening may open it again");

  gmcp_transport_open_async (server.transport, NULL, open_again, &n_left);
  while (n_left > 0)
    transport_log_iterate (server.log);
  server_free (&server);
  wait_no_children ();
}

static void
test_file_missing (void)
{
  const char *argv[] = { "/no/such/file", NULL };
  Server server = server_new_argv (argv);

  assert_start_fails (&server, "/no/such/file", g_strerror (ENOENT));
}

static char *
make_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("gmcp-stdio-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

static void
test_not_executable (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *path = g_build_filename (folder, "tool", NULL);
  g_autofree char *variable = g_strdup_printf ("PATH=%s", folder);
  const char *environment[] = { variable, NULL };
  const char *argv[] = { path, NULL };
  const char *argv_bare[] = { "tool", NULL };
  Server server;

  g_assert_true (g_file_set_contents_full (path, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  server = server_new_argv (argv);
  assert_start_fails (&server, path, g_strerror (EACCES));

  server = server_new_argv (argv_bare);
  gmcp_stdio_transport_set_environment (server.stdio, environment);
  assert_start_fails (&server, folder, g_strerror (EACCES));

  g_assert_true (g_file_set_contents_full (path, "#!/no/interpreter\n", -1,
                                           G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  g_assert_no_errno (g_chmod (path, 0700));
  server = server_new_argv (argv);
  assert_start_fails (&server, path, "interpreter");

  g_assert_no_errno (g_unlink (path));
  g_assert_no_errno (g_rmdir (folder));
}

static void
test_shell_script (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *path = g_build_filename (folder, "tool", NULL);
  g_autofree char *variable = g_strdup_printf ("PATH=/nowhere::%s:/usr/bin:/bin", folder);
  const char *environment[] = { variable, NULL };
  const char *argv[] = { "tool", "a b", "$HOME;", NULL };
  Server server = server_new_argv (argv);

  g_test_summary ("found in the server's own PATH; a script without #! runs; arguments stay whole");

  g_assert_true (g_file_set_contents_full (path,
                                           "printf '[\"%s\", \"%s\"]\\n' \"$1\" \"$2\"\ncat\n", -1,
                                           G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  gmcp_stdio_transport_set_environment (server.stdio, environment);
  transport_log_open (server.log);
  transport_log_wait_messages (server.log, 1);
  g_assert_cmpstr (server.log->messages->pdata[0], ==, "[\"a b\", \"$HOME;\"]");
  transport_log_close (server.log);
  server_free (&server);
  g_assert_no_errno (g_unlink (path));
  g_assert_no_errno (g_rmdir (folder));
}

static void
test_relative_path (void)
{
  static const struct
  {
    const char *path;
    const char *seen;
  } cases[] = {
    { "PATH=.:bin::/nowhere:../bin:/usr/bin:/bin:", "[\"/nowhere:/usr/bin:/bin\"]" },
    { "PATH=.", "[\"/usr/local/bin:/usr/bin:/bin\"]" },
    { "PATH=", "[\"/usr/local/bin:/usr/bin:/bin\"]" },
  };
  const char *tool[] = { "tool-of-ours", NULL };
  const char *shell[] = { "sh", "-c", "printf '[\"%s\"]\\n' \"$PATH\"; cat", NULL };
  g_autofree char *folder = make_folder ();
  g_autofree char *path = g_build_filename (folder, tool[0], NULL);

  g_test_summary ("directories of PATH that go by the folder of the server are not searched, by "
                  "neither us nor what it starts");

  g_assert_true (
    g_file_set_contents_full (path, "#!/bin/sh\ncat\n", -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *environment[] = { cases[i].path, NULL };
      Server server = server_new_argv (tool);

      gmcp_stdio_transport_set_cwd (server.stdio, folder);
      gmcp_stdio_transport_set_environment (server.stdio, environment);
      assert_start_fails (&server, tool[0], "/usr/bin:/bin");

      server = server_new_argv (shell);
      gmcp_stdio_transport_set_cwd (server.stdio, folder);
      gmcp_stdio_transport_set_environment (server.stdio, environment);
      transport_log_open (server.log);
      transport_log_wait_messages (server.log, 1);
      g_assert_cmpstr (server.log->messages->pdata[0], ==, cases[i].seen);
      transport_log_close (server.log);
      server_free (&server);
    }

  g_assert_no_errno (g_unlink (path));
  g_assert_no_errno (g_rmdir (folder));
}

static void
test_cwd (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *expected = g_strdup_printf ("[\"%s\"]", folder);
  Server server = server_new ("cwd", NULL);

  gmcp_stdio_transport_set_cwd (server.stdio, folder);
  transport_log_open (server.log);
  transport_log_wait_messages (server.log, 1);
  g_assert_cmpstr (server.log->messages->pdata[0], ==, expected);
  transport_log_close (server.log);
  server_free (&server);

  g_assert_no_errno (g_rmdir (folder));
  server = server_new ("cwd", NULL);
  gmcp_stdio_transport_set_cwd (server.stdio, folder);
  assert_start_fails (&server, folder, g_strerror (ENOENT));
}

static void
test_bad_arguments (void)
{
  const char *none[] = { NULL };
  const char *environment[] = { "GOOD=1", "secret-without-a-name", NULL };
  Server server = server_new_argv (none);
  g_autoptr (GError) error = NULL;

  g_assert_false (transport_log_try_open (server.log, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  server_free (&server);

  server = server_new ("echo", NULL);
  gmcp_stdio_transport_set_environment (server.stdio, environment);
  g_assert_false (transport_log_try_open (server.log, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_null (strstr (error->message, "secret"));
  server_free (&server);
}

static gboolean
is_under_valgrind (void)
{
  const char *preload = g_getenv ("LD_PRELOAD");

  return preload != NULL && strstr (preload, "vgpreload") != NULL;
}

static void
test_guard_missing (void)
{
  g_autofree char *before = g_strdup (g_getenv ("GMCP_LIBEXEC_DIR"));
  Server server = server_new ("echo", NULL);

  if (is_under_valgrind ())
    {
      /* It makes a fork of the spawning, which then cannot tell. */
      g_assert_true (g_setenv ("GMCP_LIBEXEC_DIR", "/no/such/folder", TRUE));
      assert_start_fails (&server, "test-server", "ended at once");
      g_assert_true (g_setenv ("GMCP_LIBEXEC_DIR", before, TRUE));
      return;
    }

  g_assert_true (g_setenv ("GMCP_LIBEXEC_DIR", "/no/such/folder", TRUE));
  assert_start_fails (&server, "/no/such/folder/gmcp-guard", g_strerror (ENOENT));
  g_assert_true (g_setenv ("GMCP_LIBEXEC_DIR", before, TRUE));
}

static gboolean
has_message (TransportLog *log, const char *message)
{
  for (guint i = 0; i < log->messages->len; i++)
    if (g_str_equal (log->messages->pdata[i], message))
      return TRUE;

  return FALSE;
}

static void
read_environment (Server *server)
{
  transport_log_open (server->log);
  transport_log_send (server->log, "{\"end\":0}");
  while (!has_message (server->log, "{\"end\":0}"))
    transport_log_iterate (server->log);
  transport_log_close (server->log);
}

static void
test_environment (void)
{
  const char *environment[] = { "OWN=1", "LANG=xx", "EMPTY=", "OWN=2", "WITH=a=b", NULL };
  Server server = server_new ("environment", NULL);

  g_test_summary ("a server gets the listed variables and its own, which come after");

  g_assert_true (g_setenv ("GMCP_TEST_SECRET", "s3cret", TRUE));
  g_assert_true (g_setenv ("LANG", "yy", TRUE));
  g_assert_true (g_setenv ("LC_TIME", "C", TRUE));
  g_assert_true (g_setenv ("XDG_DATA_HOME", "/xdg", TRUE));
  g_assert_true (g_setenv ("https_proxy", "http://proxy:1", TRUE));
  g_assert_true (g_setenv ("SSL_CERT_FILE", "/ca", TRUE));
  g_assert_true (g_setenv ("PATHS", "no", TRUE));
  gmcp_stdio_transport_set_environment (server.stdio, environment);
  read_environment (&server);

  g_assert_true (has_message (server.log, "[\"OWN=2\"]"));
  g_assert_false (has_message (server.log, "[\"OWN=1\"]"));
  g_assert_true (has_message (server.log, "[\"LANG=xx\"]"));
  g_assert_false (has_message (server.log, "[\"LANG=yy\"]"));
  g_assert_true (has_message (server.log, "[\"EMPTY=\"]"));
  g_assert_true (has_message (server.log, "[\"WITH=a=b\"]"));
  g_assert_true (has_message (server.log, "[\"LC_TIME=C\"]"));
  g_assert_true (has_message (server.log, "[\"XDG_DATA_HOME=/xdg\"]"));
  g_assert_true (has_message (server.log, "[\"https_proxy=http://proxy:1\"]"));
  g_assert_true (has_message (server.log, "[\"SSL_CERT_FILE=/ca\"]"));
  g_assert_false (has_message (server.log, "[\"PATHS=no\"]"));
  g_assert_false (has_message (server.log, "[\"GMCP_TEST_SECRET=s3cret\"]"));

  g_ptr_array_set_size (server.log->messages, 0);
  gmcp_stdio_transport_set_inherit_environment (server.stdio, TRUE);
  read_environment (&server);
  g_assert_true (has_message (server.log, "[\"GMCP_TEST_SECRET=s3cret\"]"));
  g_assert_true (has_message (server.log, "[\"OWN=2\"]"));
  server_free (&server);
  g_unsetenv ("GMCP_TEST_SECRET");
}

typedef struct
{
  int pid;
  int ppid;
  int pgrp;
  int session;
  int n_blocked;
  int n_ignored;
  int n_fds;
  long core_limit;
} ProcessInfo;

static ProcessInfo
read_process_info (Server *server)
{
  ProcessInfo info;
  int n;

  transport_log_wait_messages (server->log, 1);
  n = sscanf (server->log->messages->pdata[0], "[%d, %d, %d, %d, %d, %d, %d, %ld]", &info.pid,
              &info.ppid, &info.pgrp, &info.session, &info.n_blocked, &info.n_ignored, &info.n_fds,
              &info.core_limit);
  g_assert_cmpint (n, ==, 8);
  return info;
}

static void
test_process (void)
{
  sigset_t blocked;
  sigset_t before;
  Server server;
  ProcessInfo info;
  int leaked = open ("/dev/null", O_RDONLY);

  g_test_summary ("a session of its own, default signals, and three descriptors only");

  sigemptyset (&blocked);
  sigaddset (&blocked, SIGUSR1);
  pthread_sigmask (SIG_BLOCK, &blocked, &before);
  g_assert_true (signal (SIGUSR2, SIG_IGN) != SIG_ERR);

  server = server_open ("process", NULL);
  info = read_process_info (&server);
  g_assert_cmpint (info.pid, ==, gmcp_transport_get_pid (server.transport));
  g_assert_cmpint (info.pgrp, ==, info.pid);
  g_assert_cmpint (info.session, ==, info.pid);
  g_assert_cmpint (info.ppid, !=, getpid ());
  g_assert_cmpint (getsid (info.ppid), ==, info.ppid);
  g_assert_cmpint (info.n_blocked, ==, 0);
  g_assert_cmpint (info.n_ignored, ==, 0);
  g_assert_cmpint (info.n_fds, ==, 3);
  transport_log_close (server.log);
  server_free (&server);

  g_assert_true (signal (SIGUSR2, SIG_DFL) != SIG_ERR);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  g_assert_no_errno (close (leaked));
}

static void
test_secrets_not_visible (void)
{
  g_autofree char *path = get_server_path ();
  const char *argv[] = { path, "process", "--token=s3cret-argument", NULL };
  const char *environment[] = { "TOKEN=s3cret-variable", NULL };
  const char *const files[] = { "cmdline", "environ", "comm" };
  Server server = server_new_argv (argv);
  ProcessInfo info;

  g_test_summary ("the process of ours shows neither the server's arguments nor its environment");

  gmcp_stdio_transport_set_environment (server.stdio, environment);
  transport_log_open (server.log);
  info = read_process_info (&server);

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *file = g_strdup_printf ("/proc/%d/%s", info.ppid, files[i]);
      g_autofree char *text = NULL;
      gsize length = 0;

      g_assert_true (g_file_get_contents (file, &text, &length, NULL));
      g_assert_null (memmem (text, length, "s3cret", 6));
    }

  transport_log_close (server.log);
  server_free (&server);
}

static void
test_banner (void)
{
  Server server = server_open ("banner", NULL);

  g_test_summary ("lines on standard output that are no JSON object or array are skipped");

  transport_log_wait_messages (server.log, 1);
  transport_log_send (server.log, "[2]");
  transport_log_wait_messages (server.log, 2);
  g_assert_cmpstr (server.log->messages->pdata[0], ==, "  {\"a\": 1}");
  g_assert_cmpstr (server.log->messages->pdata[1], ==, "[2]");
  g_assert_cmpuint (gmcp_stdio_transport_get_n_skipped_lines (server.stdio), ==, 4);
  g_assert_cmpuint (server.log->n_violations, ==, 0);
  transport_log_close (server.log);
  server_free (&server);
}

static void
test_stderr_flood (void)
{
  Server server = server_open ("flood", "100000000");
  g_autofree char *tail = NULL;
  guint64 n_calls = 0;

  g_test_summary ("100 MB on standard error while messages flow: neither is held up");

  while (!has_message (server.log, "{\"flooded\": true}"))
    {
      guint64 before = server.log->n_messages;

      transport_log_send (server.log, "{}");
      transport_log_wait_messages (server.log, before + 1);
      n_calls++;
    }
  g_assert_cmpuint (n_calls, >, 1);

  transport_log_close (server.log);
  tail = gmcp_stdio_transport_dup_stderr_tail (server.stdio);
  g_assert_cmpuint (strlen (tail), ==, 65536);
  g_assert_true (g_str_has_suffix (tail, "eee\nflooded\n"));
  server_free (&server);
}

static void
test_stderr_after_many (void)
{
  Server server = server_open ("busy", "300");
  g_autofree char *tail = NULL;

  g_test_summary (
    "a server that has sent hundreds of messages in a row is heard on standard error, "
    "and its end is");

  for (guint i = 1; i <= 300; i++)
    {
      transport_log_send (server.log, "{}");
      transport_log_wait_messages (server.log, i);
    }
  transport_log_wait_closed (server.log);
  g_assert_error (server.log->closed_error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  assert_contains (server.log->closed_error->message, "status 5");
  tail = gmcp_stdio_transport_dup_stderr_tail (server.stdio);
  g_assert_cmpuint (strlen (tail), ==, 65536);
  g_assert_true (g_str_has_suffix (tail, "\nenough is enough\n"));
  server_free (&server);
  wait_no_children ();
}

static void
test_stderr_utf8 (void)
{
  const char *argv[] = { "sh", "-c", "printf '\\303\\244 \\377 \\0 x\\n' >&2; exit 1", NULL };
  Server server = server_new_argv (argv);
  g_autofree char *tail = NULL;

  transport_log_open (server.log);
  transport_log_wait_closed (server.log);
  tail = gmcp_stdio_transport_dup_stderr_tail (server.stdio);
  g_assert_cmpstr (tail, ==, "ä \357\277\275 \357\277\275 x\n");
  g_assert_true (g_utf8_validate (server.log->closed_error->message, -1, NULL));
  server_free (&server);
}

static char *
take_out (const char *text, gpointer data)
{
  GString *out = g_string_new (text);

  g_string_replace (out, "TOP-SECRET-WORD", "[x]", 0);
  return g_string_free (out, FALSE);
}

static void
test_stderr_filter (void)
{
  /* In the second, what is shown begins within the word; in the third, what is kept does. */
  static const char *const lines[]
    = { "printf 'a TOP-SECRET-WORD\\n' >&2; exit 1",
        "printf 'ä%.0s' $(seq 99) >&2; printf 'TOP-SECRET-WORD%2040s' b >&2; exit 1",
        "printf 'TOP-SECRET-WORD%65528s\\nend' b >&2; exit 1" };

  g_test_summary ("what goes into the error is filtered before it is cut");
  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      const char *argv[] = { "sh", "-c", lines[i], NULL };
      Server server = server_new_argv (argv);
      const char *message;

      gmcp_stdio_transport_set_stderr_func (server.stdio, NULL, take_out, NULL, NULL);
      transport_log_open (server.log);
      transport_log_wait_closed (server.log);
      g_assert_error (server.log->closed_error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
      message = server.log->closed_error->message;
      g_assert_null (strstr (message, "WORD"));
      g_assert_true (g_utf8_validate (message, -1, NULL));
      if (i == 0)
        assert_contains (message, "a [x]");
      if (i == 2)
        g_assert_true (g_str_has_suffix (message, ":\nend"));
      server_free (&server);
    }
}

static void
set_short_stop (Server *server)
{
  g_object_set (server->stdio, "stop-stdin-timeout-ms", 50, "stop-term-timeout-ms", 50, NULL);
}

static void
test_stubborn (void)
{
  Server server = server_open ("stubborn", NULL);
  int pid = 0;
  int grandchild = 0;

  g_test_summary ("a server that ignores SIGTERM, and a grandchild in a session of its own");

  set_short_stop (&server);
  transport_log_wait_messages (server.log, 1);
  g_assert_cmpint (sscanf (server.log->messages->pdata[0], "[%d, %d]", &pid, &grandchild), ==, 2);
  g_assert_false (is_gone (pid));
  g_assert_false (is_gone (grandchild));
  transport_log_close (server.log);
  g_assert_true (is_gone (pid));
  g_assert_true (is_gone (grandchild));
  g_assert_no_error (server.log->closed_error);
  server_free (&server);
}

static void
test_left_behind (void)
{
  Server server = server_open ("leave-behind", NULL);
  int child = 0;

  g_test_summary ("what a server that ended by itself left behind is ended");

  transport_log_wait_messages (server.log, 1);
  g_assert_cmpint (sscanf (server.log->messages->pdata[0], "[%d]", &child), ==, 1);
  g_assert_no_errno (kill (gmcp_transport_get_pid (server.transport), SIGINT));
  transport_log_wait_closed (server.log);
  assert_contains (server.log->closed_error->message, "signal 2");
  wait_gone (child);
  transport_log_close (server.log);
  server_free (&server);
  g_assert_false (has_children ());
}

static void
test_dispose (void)
{
  Server server = server_open ("stubborn", NULL);
  int pid = 0;
  int grandchild = 0;

  g_test_summary ("an object that goes without being closed takes its processes along");

  transport_log_wait_messages (server.log, 1);
  g_assert_cmpint (sscanf (server.log->messages->pdata[0], "[%d, %d]", &pid, &grandchild), ==, 2);
  server_free (&server);
  wait_gone (pid);
  wait_gone (grandchild);
  wait_no_children ();
}

static void
test_guard_killed (void)
{
  Server server = server_open ("process", NULL);
  ProcessInfo info = read_process_info (&server);

  g_test_summary ("the server does not outlive its guard");

  g_assert_no_errno (kill (info.ppid, SIGKILL));
  transport_log_wait_closed (server.log);
  g_assert_error (server.log->closed_error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  wait_gone (info.pid);
  transport_log_close (server.log);
  server_free (&server);
  wait_no_children ();
}

static void
test_closed_stream (gconstpointer data)
{
  Server server = server_open (data, NULL);

  g_test_summary ("a server that closes a stream and runs on is stopped");

  set_short_stop (&server);
  if (g_str_equal (data, "close-stdin"))
    {
      g_autoptr (GError) error = NULL;
      GmcpOutgoing message = { .text = "{}", .length = 2 };

      while (gmcp_transport_send (server.transport, &message, &error) && server.log->n_closed == 0)
        g_main_context_iteration (NULL, FALSE);
    }
  transport_log_wait_closed (server.log);
  g_assert_error (server.log->closed_error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  assert_contains (server.log->closed_error->message, "closing");
  transport_log_close (server.log);
  g_assert_false (has_children ());
  server_free (&server);
}

static void
store_error (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GError **error = user_data;

  g_assert_false (gmcp_transport_open_finish (GMCP_TRANSPORT (object), result, error));
}

static void
test_cancel_open (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Server server = server_new ("echo", NULL);

  gmcp_transport_open_async (server.transport, cancellable, store_error, &error);
  g_cancellable_cancel (cancellable);
  while (error == NULL)
    transport_log_iterate (server.log);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wait_no_children ();

  transport_log_open (server.log);
  transport_log_close (server.log);
  server_free (&server);
}

static void
test_close_while_opening (void)
{
  g_autoptr (GError) error = NULL;
  Server server = server_new ("echo", NULL);

  gmcp_transport_open_async (server.transport, NULL, store_error, &error);
  transport_log_close (server.log);
  while (error == NULL)
    transport_log_iterate (server.log);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_assert_cmpuint (server.log->n_closed, ==, 0);
  g_assert_false (has_children ());
  server_free (&server);
}

static void
count_close (GObject *object, GAsyncResult *result, gpointer user_data)
{
  guint *n = user_data;
  g_autoptr (GError) error = NULL;

  gmcp_transport_close_finish (GMCP_TRANSPORT (object), result, &error);
  g_assert_no_error (error);
  (*n)++;
}

static void
test_close_twice (void)
{
  Server server = server_open ("echo", NULL);
  guint n = 0;

  gmcp_transport_close_async (server.transport, NULL, count_close, &n);
  gmcp_transport_close_async (server.transport, NULL, count_close, &n);
  while (n < 2)
    transport_log_iterate (server.log);
  g_assert_cmpuint (server.log->n_closed, ==, 1);
  server_free (&server);
}

static void
test_last_messages_before_close (void)
{
  Server server = server_open ("echo", NULL);

  g_test_summary ("what is queued when the closing begins is still written, and answered");

  for (guint i = 0; i < 1000; i++)
    transport_log_send (server.log,
                        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\"}");
  transport_log_close (server.log);
  g_assert_cmpuint (server.log->n_messages, ==, 1000);
  server_free (&server);
}

static void
test_other_context (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  Server server;

  g_main_context_push_thread_default (context);
  server = server_open ("echo", NULL);
  g_main_context_pop_thread_default (context);

  transport_log_send (server.log, "{}");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (server.log->n_messages, ==, 0);
  transport_log_wait_messages (server.log, 1);

  g_main_context_push_thread_default (context);
  transport_log_close (server.log);
  g_main_context_pop_thread_default (context);
  server_free (&server);
  g_assert_false (has_children ());
}

static guint
get_n_rounds (void)
{
#if defined(__SANITIZE_ADDRESS__)
  return 50;
#else
  return is_under_valgrind () ? 50 : 1000;
#endif
}

static void
test_many (void)
{
  guint n_fds;

  g_test_summary ("starts and stops leave no process and no descriptor");

  for (guint i = 0; i <= get_n_rounds (); i++)
    {
      Server server = server_open ("echo", NULL);

      transport_log_send (server.log, "{}");
      transport_log_wait_messages (server.log, 1);
      transport_log_close (server.log);
      server_free (&server);
      g_assert_false (has_children ());
      if (i == 0)
        n_fds = count_entries ("/proc/self/fd");
    }

  g_assert_cmpuint (count_entries ("/proc/self/fd"), ==, n_fds);
}

static void
on_child_told (gpointer owner, int pid)
{
  int *told = owner;

  *told = pid;
}

static void
on_child_failed (gpointer owner, const GmcpChildFailure *failure)
{
  g_assert_not_reached ();
}

static void
on_child_exited (gpointer owner, int wait_status)
{
}

static void
on_child_gone (gpointer owner)
{
  int *told = owner;

  *told = -1;
}

typedef struct
{
  int pid;
  int wait_status;
  gboolean is_gone;
} Told;

static void
on_told_started (gpointer owner, int pid)
{
  ((Told *) owner)->pid = pid;
}

static void
on_told_exited (gpointer owner, int wait_status)
{
  ((Told *) owner)->wait_status = wait_status;
}

static void
on_told_gone (gpointer owner)
{
  ((Told *) owner)->is_gone = TRUE;
}

static void
test_unread_command (void)
{
  static const GmcpChildFuncs funcs = {
    .started = on_told_started,
    .failed = on_child_failed,
    .exited = on_told_exited,
    .gone = on_told_gone,
  };
  const char *argv[] = { "/bin/sleep", "1000", NULL };
  GmcpSpawnOptions options = { .argv = argv };
  GmcpStderrTail tail = { NULL, 0 };
  Told told = { 0, -2, FALSE };
  g_autoptr (GError) error = NULL;
  GmcpChild *child;
  int in = -1;
  int out = -1;

  g_test_summary (
    "how a server ended is known, also where its guard ended before it read a command");
  child = gmcp_child_spawn (&options, &funcs, &told, &tail, g_main_context_default (), &in, &out,
                            &error);
  g_assert_no_error (error);
  while (told.pid == 0)
    g_main_context_iteration (NULL, TRUE);

  /* It takes one command, then sees that the server has ended, and goes. */
  g_assert_cmpint (kill (gmcp_child_get_guard_pid (child), SIGSTOP), ==, 0);
  g_assert_cmpint (kill (told.pid, SIGKILL), ==, 0);
  gmcp_child_terminate (child);
  gmcp_child_terminate (child);
  g_assert_cmpint (kill (gmcp_child_get_guard_pid (child), SIGCONT), ==, 0);
  while (!told.is_gone)
    g_main_context_iteration (NULL, TRUE);

  g_assert_cmpint (told.wait_status, ==, SIGKILL);
  gmcp_child_release (child);
  gmcp_stderr_tail_clear (&tail);
  close (in);
  close (out);
}

static void
test_limits (void)
{
  static const GmcpChildFuncs funcs = {
    .started = on_child_told,
    .failed = on_child_failed,
    .exited = on_child_exited,
    .gone = on_child_gone,
  };
  const GmcpGuardLimit limit = { RLIMIT_CORE, 4096, 4096 };
  g_autofree char *path = get_server_path ();
  const char *argv[] = { path, "process", NULL };
  GmcpSpawnOptions options = { .argv = argv, .limits = &limit, .n_limits = 1 };
  GmcpStderrTail tail = { NULL, 0 };
  g_autoptr (GError) error = NULL;
  GmcpChild *child;
  char buffer[200] = "";
  int told = 0;
  int in = -1;
  int out = -1;

  child = gmcp_child_spawn (&options, &funcs, &told, &tail, g_main_context_default (), &in, &out,
                            &error);
  g_assert_no_error (error);
  while (told == 0)
    g_main_context_iteration (NULL, TRUE);
  while (read (out, buffer, sizeof buffer - 1) < 0)
    g_assert_cmpint (errno, ==, EAGAIN);
  g_assert_true (g_str_has_suffix (buffer, ", 4096]\n"));
  g_assert_no_errno (close (in));
  g_assert_no_errno (close (out));
  while (told != -1)
    g_main_context_iteration (NULL, TRUE);
  gmcp_child_release (child);
  gmcp_stderr_tail_clear (&tail);
}

/* This program as a host that will be killed: three servers, and the pids of all that belongs to
 * them in one line. */
static int
run_host (void)
{
  g_autoptr (GString) pids = g_string_new (NULL);
  Server servers[3] = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (servers); i++)
    {
      ProcessInfo info;
      Server probe = server_open ("process", NULL);

      info = read_process_info (&probe);
      servers[i] = server_open ("stubborn", NULL);
      transport_log_wait_messages (servers[i].log, 1);
      g_string_append_printf (pids, "%d %d %s ", info.pid, info.ppid,
                              (char *) servers[i].log->messages->pdata[0]);
    }

  g_strdelimit (pids->str, "[],", ' ');
  printf ("%s\n", pids->str);
  fflush (stdout);
  for (;;)
    g_main_context_iteration (NULL, TRUE);
  return 0;
}

static void
test_host_killed (void)
{
  g_autoptr (GSubprocess) host = NULL;
  g_autoptr (GDataInputStream) stream = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL;
  g_auto (GStrv) words = NULL;
  guint n_pids = 0;

  g_test_summary ("kill -9 of the host leaves none of what its servers started");

  host = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, test_program, "--host", NULL);
  g_assert_no_error (error);
  stream = g_data_input_stream_new (g_subprocess_get_stdout_pipe (host));
  do
    {
      g_free (line);
      line = g_data_input_stream_read_line (stream, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (line);
    }
  while (!g_ascii_isdigit (line[0]));
  words = g_strsplit (line, " ", -1);
  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] != '\0')
      {
        g_assert_false (is_gone (atoi (words[i])));
        n_pids++;
      }
  g_assert_cmpuint (n_pids, ==, 12);

  g_subprocess_force_exit (host);
  g_subprocess_wait (host, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] != '\0')
      wait_gone (atoi (words[i]));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  if (argc == 2 && g_str_equal (argv[1], "--host"))
    {
      g_test_init (&argc, &argv, NULL);
      return run_host ();
    }

  test_program = argv[0];
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/transport/stdio/echo", test_echo);
  g_test_add_func ("/transport/stdio/large-message", test_large_message);
  g_test_add_func ("/transport/stdio/reopen", test_reopen);
  g_test_add_func ("/transport/stdio/exit/at-once", test_exit);
  g_test_add_func ("/transport/stdio/exit/unheard", test_exit_unheard);
  g_test_add_func ("/transport/stdio/exit/in-call", test_exit_in_call);
  g_test_add_func ("/transport/stdio/exit/signal", test_signal);
  g_test_add_func ("/transport/stdio/start/command-missing", test_command_missing);
  g_test_add_func ("/transport/stdio/start/reopen-in-callback", test_reopen_in_callback);
  g_test_add_func ("/transport/stdio/start/file-missing", test_file_missing);
  g_test_add_func ("/transport/stdio/start/not-executable", test_not_executable);
  g_test_add_func ("/transport/stdio/start/shell-script", test_shell_script);
  g_test_add_func ("/transport/stdio/start/relative-path", test_relative_path);
  g_test_add_func ("/transport/stdio/start/cwd", test_cwd);
  g_test_add_func ("/transport/stdio/start/bad-arguments", test_bad_arguments);
  g_test_add_func ("/transport/stdio/start/guard-missing", test_guard_missing);
  g_test_add_func ("/transport/stdio/start/environment", test_environment);
  g_test_add_func ("/transport/stdio/start/process", test_process);
  g_test_add_func ("/transport/stdio/start/secrets", test_secrets_not_visible);
  g_test_add_func ("/transport/stdio/start/limits", test_limits);
  g_test_add_func ("/transport/stdio/start/unread-command", test_unread_command);
  g_test_add_func ("/transport/stdio/start/cancelled", test_cancel_open);
  g_test_add_func ("/transport/stdio/banner", test_banner);
  g_test_add_func ("/transport/stdio/stderr/flood", test_stderr_flood);
  g_test_add_func ("/transport/stdio/stderr/after-many", test_stderr_after_many);
  g_test_add_func ("/transport/stdio/stderr/utf8", test_stderr_utf8);
  g_test_add_func ("/transport/stdio/stderr/filter", test_stderr_filter);
  g_test_add_func ("/transport/stdio/stop/stubborn", test_stubborn);
  g_test_add_func ("/transport/stdio/stop/left-behind", test_left_behind);
  g_test_add_func ("/transport/stdio/stop/dispose", test_dispose);
  g_test_add_func ("/transport/stdio/stop/guard-killed", test_guard_killed);
  g_test_add_data_func ("/transport/stdio/stop/closed-stdin", "close-stdin", test_closed_stream);
  g_test_add_data_func ("/transport/stdio/stop/closed-stdout", "close-stdout", test_closed_stream);
  g_test_add_func ("/transport/stdio/stop/host-killed", test_host_killed);
  g_test_add_func ("/transport/stdio/close/while-opening", test_close_while_opening);
  g_test_add_func ("/transport/stdio/close/twice", test_close_twice);
  g_test_add_func ("/transport/stdio/close/last-messages", test_last_messages_before_close);
  g_test_add_func ("/transport/stdio/other-context", test_other_context);
  g_test_add_func ("/transport/stdio/many", test_many);

  return g_test_run ();
}
