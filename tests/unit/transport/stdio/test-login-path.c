/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/stdio/gmcp-stdio-transport.h>

#include "gmcp-login-path-private.h"
#include "unit-test.h"

/* A home with a shell in it, which each test writes. */
typedef struct
{
  char *dir;
  char *shell;
  char *path; /* of this process, for afterwards */
  char *home; /* likewise */
} Fixture;

static void
write_program (const char *file, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents_full (file, text, -1, G_FILE_SET_CONTENTS_NONE, 0755, &error);
  g_assert_no_error (error);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->dir = g_dir_make_tmp ("gmcp-login-path-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->shell = g_build_filename (fixture->dir, "shell", NULL);
  fixture->path = g_strdup (g_getenv ("PATH"));
  fixture->home = g_strdup (g_getenv ("HOME"));
  g_setenv ("SHELL", fixture->shell, TRUE);
  g_unsetenv ("SHLVL");
  gmcp_login_path_reset (60000);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *program = g_build_filename (fixture->dir, "gmcp-test-program", NULL);
  g_autofree char *count = g_build_filename (fixture->dir, "count", NULL);

  g_setenv ("PATH", fixture->path, TRUE);
  if (fixture->home != NULL)
    g_setenv ("HOME", fixture->home, TRUE);
  else
    g_unsetenv ("HOME");
  g_remove (program);
  g_remove (count);
  g_remove (fixture->shell);
  g_assert_no_errno (g_rmdir (fixture->dir));
  g_free (fixture->dir);
  g_free (fixture->shell);
  g_free (fixture->path);
  g_free (fixture->home);
}

static void
store_result (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static char *
ask (void)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();
  g_autoptr (GError) error = NULL;
  char *path = NULL;

  gmcp_login_path_get_async (context, NULL, store_result, &result);
  wait_for (&result);
  g_assert_true (gmcp_login_path_get_finish (result, &path, &error));
  g_assert_no_error (error);
  return path;
}

/* What the shell gets as its arguments, and what it does with them. */
#define RUN_QUESTION "export PATH=\"/opt/a b:/opt/c:$PATH\"\neval \"$4\"\n"

static void
test_answers (Fixture *fixture, gconstpointer data)
{
  g_autofree char *expected = g_strconcat ("/opt/a b:/opt/c:", fixture->path, NULL);
  g_autofree char *path = NULL;

  g_test_summary ("what the shell's start-up files print does not matter");

  write_program (fixture->shell,
                 "#!/bin/sh\n[ \"$1 $2 $3\" = '-i -l -c' ] || exit 1\n"
                 "echo 'Welcome!'; echo PATH=/wrong; printf '\\377\\n'; echo oops >&2\n"
                 "[ \"$TERM\" = dumb ] || exit 1\n" RUN_QUESTION);
  path = ask ();
  g_assert_cmpstr (path, ==, expected);
}

/* With no start files but those of the system: what a person has in theirs may wait for a lock. */
static void
test_real_shell (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;

  g_setenv ("HOME", fixture->dir, TRUE);
  if (!g_file_test (data, G_FILE_TEST_IS_EXECUTABLE))
    {
      g_test_skip ("there is no such shell");
      return;
    }

  g_setenv ("SHELL", data, TRUE);
  path = ask ();
  g_assert_nonnull (path);
  g_assert_nonnull (strstr (path, "/bin"));
}

static void
test_no_answer (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  gint64 start_us = g_get_monotonic_time ();

  g_test_summary ("no shell, one that fails, says too much or hangs: the PATH is not known");

  if (data != NULL)
    write_program (fixture->shell, data);
  gmcp_login_path_reset (300);
  path = ask ();
  g_assert_null (path);
  /* Far from the sleep of the one that hangs. */
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, 100 * G_USEC_PER_SEC);
}

static void
test_asked_once (Fixture *fixture, gconstpointer data)
{
  g_autofree char *script = NULL;
  g_autofree char *count = g_build_filename (fixture->dir, "count", NULL);
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();
  GAsyncResult *results[3] = { NULL };

  g_test_summary ("several who ask at a time, and later ones, share one shell");

  script = g_strdup_printf ("#!/bin/sh\necho x >> '%s'\n" RUN_QUESTION, count);
  write_program (fixture->shell, script);
  for (gsize i = 0; i < G_N_ELEMENTS (results); i++)
    gmcp_login_path_get_async (context, NULL, store_result, &results[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autofree char *path = NULL;

      wait_for (&results[i]);
      g_assert_true (gmcp_login_path_get_finish (results[i], &path, NULL));
      g_assert_true (g_str_has_prefix (path, "/opt/a b:"));
      g_object_unref (results[i]);
    }

  again = ask ();
  g_assert_true (g_str_has_prefix (again, "/opt/a b:"));
  g_file_get_contents (count, &text, NULL, NULL);
  g_assert_cmpstr (text, ==, "x\n");
}

static void
test_merge (void)
{
  static const struct
  {
    const char *host;
    const char *login;
    const char *merged;
  } cases[] = {
    { "/usr/bin:/bin", "/home/u/.nvm/bin:/usr/bin:/bin", "/home/u/.nvm/bin:/usr/bin:/bin" },
    { "/venv/bin:/usr/bin", "/home/u/bin:/usr/bin", "/venv/bin:/home/u/bin:/usr/bin" },
    { "", "/a", "/a" },
    { NULL, "/a::/a", "/a" },
    { ".:/a:bin", "node_modules/.bin:/b:..", "/a:/b" },
    { "/a:/b", "", "/a:/b" },
    { "/a:/b", NULL, "/a:/b" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *merged = gmcp_login_path_merge (cases[i].host, cases[i].login);

      g_assert_cmpstr (merged, ==, cases[i].merged);
    }
}

static void
test_is_wanted (Fixture *fixture, gconstpointer data)
{
  g_autofree char *program = g_build_filename (fixture->dir, "gmcp-test-program", NULL);

  write_program (program, "#!/bin/sh\n");
  g_assert_false (gmcp_login_path_is_wanted (program, "/bin"));
  g_assert_true (gmcp_login_path_is_wanted ("gmcp-test-program", fixture->dir));

  g_setenv ("SHLVL", "1", TRUE);
  g_assert_false (gmcp_login_path_is_wanted ("gmcp-test-program", fixture->dir));
  g_assert_true (gmcp_login_path_is_wanted ("gmcp-test-program", "/nowhere::/bin"));
  g_assert_true (gmcp_login_path_is_wanted ("gmcp-test-program", NULL));
  g_assert_no_errno (g_chdir (fixture->dir));
  g_assert_true (gmcp_login_path_is_wanted ("gmcp-test-program", ".:/bin"));
  g_assert_no_errno (g_chdir ("/"));
  g_unsetenv ("SHLVL");
}

static GError *
open_program (GmcpStdioTransport *transport, GCancellable *cancellable)
{
  g_autoptr (GAsyncResult) result = NULL;
  GError *error = NULL;

  gmcp_transport_open_async (GMCP_TRANSPORT (transport), cancellable, store_result, &result);
  wait_for (&result);
  gmcp_transport_open_finish (GMCP_TRANSPORT (transport), result, &error);
  return error;
}

static void
close_program (GmcpStdioTransport *transport)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_transport_close_async (GMCP_TRANSPORT (transport), NULL, store_result, &result);
  wait_for (&result);
}

static void
test_transport (Fixture *fixture, gconstpointer data)
{
  static const char *const argv[] = { "gmcp-test-program", NULL };
  g_autofree char *program = g_build_filename (fixture->dir, "gmcp-test-program", NULL);
  g_autofree char *script
    = g_strdup_printf ("#!/bin/sh\nPATH=\"%s:$PATH\"; export PATH\neval \"$4\"\n", fixture->dir);
  const char *const no_path[] = { "PATH=/nowhere", NULL };
  GmcpStdioTransport *transport = gmcp_stdio_transport_new (argv);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a program that only the login shell finds is started with that PATH, unless the "
                  "server has a PATH of its own");

  write_program (program, "#!/bin/sh\nread line\n");
  write_program (fixture->shell, script);

  error = open_program (transport, NULL);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_clear_error (&error);

  gmcp_stdio_transport_set_use_login_path (transport, TRUE);
  error = open_program (transport, NULL);
  g_assert_no_error (error);
  close_program (transport);

  gmcp_stdio_transport_set_environment (transport, no_path);
  error = open_program (transport, NULL);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  g_assert_nonnull (strstr (error->message, "/nowhere"));
  g_assert_finalize_object (transport);
}

static gboolean
cancel_cb (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

static void
test_transport_cancelled (Fixture *fixture, gconstpointer data)
{
  static const char *const argv[] = { "gmcp-test-program", NULL };
  GmcpStdioTransport *transport = gmcp_stdio_transport_new (argv);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  g_test_summary ("a shell that hangs holds up neither a cancelled start nor a close");

  write_program (fixture->shell, "#!/bin/sh\nexec sleep 1000\n");
  gmcp_login_path_reset (2000);
  gmcp_stdio_transport_set_use_login_path (transport, TRUE);

  g_idle_add (cancel_cb, cancellable);
  error = open_program (transport, cancellable);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  gmcp_transport_open_async (GMCP_TRANSPORT (transport), NULL, store_result, &result);
  gmcp_transport_close_async (GMCP_TRANSPORT (transport), NULL, store_result, &again);
  wait_for (&result);
  wait_for (&again);
  gmcp_transport_open_finish (GMCP_TRANSPORT (transport), result, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);

  /* Whoever waited for the shell is told when its time is over. */
  g_clear_object (&result);
  g_clear_object (&again);
  path = ask ();
  g_assert_null (path);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (transport);
}

#define ADD(path, data, function) g_test_add (path, Fixture, data, set_up, function, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/transport/login-path/answers", NULL, test_answers);
  ADD ("/transport/login-path/real/sh", "/bin/sh", test_real_shell);
  ADD ("/transport/login-path/real/bash", "/bin/bash", test_real_shell);
  ADD ("/transport/login-path/none/no-shell", NULL, test_no_answer);
  ADD ("/transport/login-path/none/fails", "#!/bin/sh\nexit 3\n", test_no_answer);
  ADD ("/transport/login-path/none/nothing-after-mark", "#!/bin/sh\necho 'gmcp: PATH follows'\n",
       test_no_answer);
  ADD ("/transport/login-path/none/hangs", "#!/bin/sh\nexec sleep 1000\n", test_no_answer);
  ADD ("/transport/login-path/none/floods", "#!/bin/sh\nexec yes 'gmcp: PATH'\n", test_no_answer);
  ADD ("/transport/login-path/none/long-line", "#!/bin/sh\nexec tr '\\0' x < /dev/zero\n",
       test_no_answer);
  ADD ("/transport/login-path/asked-once", NULL, test_asked_once);
  g_test_add_func ("/transport/login-path/merge", test_merge);
  ADD ("/transport/login-path/is-wanted", NULL, test_is_wanted);
  ADD ("/transport/login-path/transport", NULL, test_transport);
  ADD ("/transport/login-path/transport/cancelled", NULL, test_transport_cancelled);

  return g_test_run ();
}
