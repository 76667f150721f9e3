/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-limits.h"
#include "gmcp-log-file-private.h"
#include "unit-test.h"

typedef struct
{
  char *dir;
  char *path;
  GmcpLogFile *file;
  guint n_failed;
  guint n_recovered;
} Fixture;

static const GmcpLogFileLimits generous = { 1024 * 1024, 1024 * 1024, 3 };

static void
tell_gap (GString *lines, guint64 n_dropped)
{
  g_string_append_printf (lines, "%" G_GUINT64_FORMAT " lines are missing\n", n_dropped);
}

static void
on_state (const GError *error, gpointer data)
{
  Fixture *fixture = data;

  if (error != NULL)
    fixture->n_failed++;
  else
    fixture->n_recovered++;
}

static void
open_log (Fixture *fixture, const GmcpLogFileLimits *limits)
{
  fixture->file = gmcp_log_file_new (fixture->path, limits, tell_gap);
  gmcp_log_file_set_state_func (fixture->file, on_state, fixture);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->dir = g_dir_make_tmp ("gmcp-test-log-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->dir, "sub", "x.log", NULL);
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_remove (path);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->file, gmcp_log_file_free);
  remove_tree (fixture->dir);
  g_free (fixture->dir);
  g_free (fixture->path);
}

static void
append (Fixture *fixture, const char *line)
{
  gmcp_log_file_append (fixture->file, line, strlen (line));
}

typedef struct
{
  gboolean done;
  GError *error;
} Outcome;

static void
on_flushed (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  gmcp_log_file_flush_finish (NULL, result, &outcome->error);
  outcome->done = TRUE;
}

static GError *
flush (Fixture *fixture)
{
  Outcome outcome = { FALSE, NULL };

  gmcp_log_file_flush_async (fixture->file, NULL, on_flushed, &outcome);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  return outcome.error;
}

static void
assert_flushes (Fixture *fixture)
{
  g_autoptr (GError) error = flush (fixture);

  g_assert_no_error (error);
}

static void
assert_content (const char *path, const char *expected)
{
  g_autofree char *content = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &content, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (content, ==, expected);
}

static void
test_write (Fixture *fixture, gconstpointer data)
{
  struct stat info;
  g_autofree char *content = NULL;

  g_test_summary ("lines are there after a flush, and by themselves after a moment");
  open_log (fixture, &generous);
  assert_flushes (fixture);
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));

  append (fixture, "one\n");
  append (fixture, "two\n");
  assert_flushes (fixture);
  assert_content (fixture->path, "one\ntwo\n");
  g_assert_cmpint (g_stat (fixture->path, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0777, ==, 0600);

  append (fixture, "three\n");
  while (content == NULL || !g_str_has_suffix (content, "three\n"))
    {
      g_clear_pointer (&content, g_free);
      g_main_context_iteration (NULL, TRUE);
      g_assert_true (g_file_get_contents (fixture->path, &content, NULL, NULL));
    }
  g_assert_cmpuint (fixture->n_failed, ==, 0);
}

static gboolean
has_source (Fixture *fixture)
{
  return g_main_context_find_source_by_user_data (NULL, fixture->file) != NULL;
}

static void
test_start_write (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what is there is written without a main loop, and what comes later waits again");
  open_log (fixture, &generous);
  gmcp_log_file_start_write (fixture->file);
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));

  append (fixture, "one\n");
  gmcp_log_file_start_write (fixture->file);
  while (!g_file_test (fixture->path, G_FILE_TEST_EXISTS))
    g_thread_yield ();
  assert_flushes (fixture);
  assert_content (fixture->path, "one\n");

  append (fixture, "two\n");
  assert_content (fixture->path, "one\n");
  assert_flushes (fixture);
  assert_content (fixture->path, "one\ntwo\n");
}

static void
test_idle (Fixture *fixture, gconstpointer data)
{
  g_test_summary (
    "a log with nothing to write has no source, which would make each turn of the main "
    "loop longer");

  open_log (fixture, &generous);
  g_assert_false (has_source (fixture));
  for (guint i = 0; i < 3; i++)
    {
      append (fixture, "x\n");
      g_assert_true (has_source (fixture));
      assert_flushes (fixture);
      while (has_source (fixture))
        g_main_context_iteration (NULL, TRUE);
    }
  assert_content (fixture->path, "x\nx\nx\n");

  append (fixture, "y\n");
  g_assert_true (has_source (fixture));
  g_clear_pointer (&fixture->file, gmcp_log_file_free);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

static void
test_mode (Fixture *fixture, gconstpointer data)
{
  struct stat info;
  g_autofree char *dir = g_path_get_dirname (fixture->path);

  g_test_summary (
    "a file that others may read is theirs no longer, half a line of it gets its end");
  g_mkdir (dir, 0755);
  g_assert_true (g_file_set_contents (fixture->path, "half", -1, NULL));
  g_assert_cmpint (g_chmod (fixture->path, 0644), ==, 0);
  open_log (fixture, &generous);
  append (fixture, "whole\n");
  assert_flushes (fixture);
  assert_content (fixture->path, "half\nwhole\n");
  g_assert_cmpint (g_stat (fixture->path, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0777, ==, 0600);
}

static void
test_rotate (Fixture *fixture, gconstpointer data)
{
  const GmcpLogFileLimits limits = { 1024 * 1024, 10, 3 };
  g_autofree char *first = g_strconcat (fixture->path, ".1", NULL);
  g_autofree char *second = g_strconcat (fixture->path, ".2", NULL);
  g_autofree char *third = g_strconcat (fixture->path, ".3", NULL);

  g_test_summary ("a full file makes room for the next, and no line is cut in two");
  open_log (fixture, &limits);
  append (fixture, "aaaa\nbbbb\ncccc\ndddd\n");
  assert_flushes (fixture);
  assert_content (fixture->path, "cccc\ndddd\n");
  assert_content (first, "aaaa\nbbbb\n");

  append (fixture, "longer than a file may be\ne\n");
  assert_flushes (fixture);
  assert_content (fixture->path, "e\n");
  assert_content (first, "longer than a file may be\n");
  assert_content (second, "cccc\ndddd\n");
  g_assert_false (g_file_test (third, G_FILE_TEST_EXISTS));
}

static void
test_rotate_fails (Fixture *fixture, gconstpointer data)
{
  const GmcpLogFileLimits limits = { 64, 10, 2 };
  g_autofree char *first = g_strconcat (fixture->path, ".1", NULL);
  g_autofree char *inside = g_build_filename (first, "x", NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a file that cannot be rotated does not grow");
  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
  open_log (fixture, &limits);
  append (fixture, "aaaa\nbbbb\ncccc\n");
  error = flush (fixture);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, fixture->path));
  assert_content (fixture->path, "aaaa\nbbbb\n");
  g_assert_cmpuint (fixture->n_failed, ==, 1);

  g_rmdir (inside);
  g_rmdir (first);
  assert_flushes (fixture);
  assert_content (fixture->path, "cccc\n");
  g_assert_cmpuint (fixture->n_recovered, ==, 1);
}

static void
test_two_writers (Fixture *fixture, gconstpointer data)
{
  const GmcpLogFileLimits limits = { 1024 * 1024, 100, 50 };
  Fixture other = { .path = fixture->path };
  guint n_lines = 0;

  g_test_summary ("what two hosts write into one log, with its rotations, is all there once");
  open_log (fixture, &limits);
  open_log (&other, &limits);
  for (guint i = 0; i < 40; i++)
    {
      append (fixture, "from the one\n");
      append (&other, "from the other\n");
      assert_flushes (i % 2 ? fixture : &other);
    }
  assert_flushes (fixture);
  assert_flushes (&other);
  gmcp_log_file_free (other.file);

  for (guint i = 0; i < 50; i++)
    {
      g_autofree char *path
        = i == 0 ? g_strdup (fixture->path) : g_strdup_printf ("%s.%u", fixture->path, i);
      g_autofree char *content = NULL;

      if (!g_file_get_contents (path, &content, NULL, NULL))
        break;
      g_assert_cmpuint (strlen (content), <=, 100);
      for (const char *p = content; (p = strchr (p, '\n')) != NULL; p++)
        n_lines++;
    }
  g_assert_cmpuint (n_lines, ==, 80);
}

static void
test_removed (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a log that somebody removed is made anew");
  open_log (fixture, &generous);
  append (fixture, "one\n");
  assert_flushes (fixture);
  g_unlink (fixture->path);
  append (fixture, "two\n");
  assert_flushes (fixture);
  assert_content (fixture->path, "two\n");
}

static void
fill (Fixture *fixture, guint n_lines)
{
  for (guint i = 0; i < n_lines; i++)
    append (fixture, "0123456789abcde\n");
}

static void
test_fifo (Fixture *fixture, gconstpointer data)
{
  const GmcpLogFileLimits limits = { 160, 1024, 3 };
  g_autofree char *dir = g_path_get_dirname (fixture->path);
  g_autofree char *rotated = g_strconcat (fixture->path, ".1", NULL);
  g_autoptr (GError) error = NULL;
  char buffer[4096];
  gsize length;
  gssize n;
  int fd;

  g_test_summary ("a FIFO that nobody reads holds nobody up, and takes no memory without bound");
  g_mkdir (dir, 0700);
  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  open_log (fixture, &limits);
  fill (fixture, 1000);
  error = flush (fixture);
  g_assert_nonnull (error);
  g_assert_cmpuint (fixture->n_failed, ==, 1);
  fill (fixture, 1000);
  g_assert_cmpuint (gmcp_log_file_get_n_dropped (fixture->file), >=, 2000 - 2 * 10);

  fd = open (fixture->path, O_RDONLY | O_NONBLOCK);
  g_assert_cmpint (fd, >=, 0);
  assert_flushes (fixture);
  n = read (fd, buffer, sizeof buffer - 1);
  g_assert_cmpint (n, >=, 160);
  buffer[n] = '\0';
  g_assert_true (g_str_has_prefix (buffer, "0123456789abcde\n"));

  append (fixture, "last\n");
  assert_flushes (fixture);
  length = (gsize) n;
  n = read (fd, buffer + length, sizeof buffer - 1 - length);
  g_assert_cmpint (n, >, 0);
  buffer[length + (gsize) n] = '\0';
  g_assert_nonnull (strstr (buffer, "lines are missing\nlast\n"));
  g_assert_cmpuint (fixture->n_recovered, ==, 1);

  /* The reader goes away: no SIGPIPE. */
  close (fd);
  append (fixture, "nobody\n");
  g_clear_error (&error);
  error = flush (fixture);
  g_assert_nonnull (error);
  g_assert_false (g_file_test (rotated, G_FILE_TEST_EXISTS));
}

static void
test_full_pipe (Fixture *fixture, gconstpointer data)
{
  const GmcpLogFileLimits limits = { 1024 * 1024, 1024, 3 };
  g_autofree char *dir = g_path_get_dirname (fixture->path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) got = g_string_new (NULL);
  char buffer[4096];
  gssize n;
  int fd;

  g_test_summary ("a reader that stopped reading gets the rest, whole, when it reads on");
  g_mkdir (dir, 0700);
  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  fd = open (fixture->path, O_RDONLY | O_NONBLOCK);
  open_log (fixture, &limits);
  fill (fixture, 10000);
  error = flush (fixture);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);

  while (got->len < 10000 * 16)
    {
      g_autoptr (GError) again = NULL;

      while ((n = read (fd, buffer, sizeof buffer)) > 0)
        g_string_append_len (got, buffer, n);
      again = flush (fixture);
    }
  g_assert_cmpuint (got->len, ==, 10000 * 16);
  g_assert_cmpuint (gmcp_log_file_get_n_dropped (fixture->file), ==, 0);
  close (fd);
}

static void
test_no_place (Fixture *fixture, gconstpointer data)
{
  static const char *const paths[]
    = { "/dev/full", "/proc/no/such/place.log", "/dev/null/x.log", "/" };

  g_test_summary ("a full disk, and places where nothing can be written");
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      Fixture bad = { .path = (char *) paths[i] };
      g_autoptr (GError) error = NULL;
      g_autoptr (GError) again = NULL;

      open_log (&bad, &generous);
      append (&bad, "line\n");
      error = flush (&bad);
      g_assert_nonnull (error);
      append (&bad, "line\n");
      again = flush (&bad);
      g_assert_nonnull (again);
      g_assert_cmpuint (bad.n_failed, ==, 1);
      gmcp_log_file_free (bad.file);
    }
}

static void
test_disk_fills (Fixture *fixture, gconstpointer data)
{
  struct rlimit before, small;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a line of which half was written gets its other half once there is room");
  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  small = before;
  small.rlim_cur = 8;
  open_log (fixture, &generous);
  append (fixture, "one\ntwo\nthree\n");
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  error = flush (fixture);
  g_assert_nonnull (error);
  append (fixture, "four\n");
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  assert_content (fixture->path, "one\ntwo\n");
  assert_flushes (fixture);
  assert_content (fixture->path, "one\ntwo\nthree\nfour\n");
}

static void
test_freed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *content = NULL;

  g_test_summary ("what was appended before the log was let go of is written all the same");
  open_log (fixture, &generous);
  append (fixture, "last words\n");
  g_clear_pointer (&fixture->file, gmcp_log_file_free);
  while (content == NULL || *content == '\0')
    {
      g_clear_pointer (&content, g_free);
      g_file_get_contents (fixture->path, &content, NULL, NULL);
    }
  g_assert_cmpstr (content, ==, "last words\n");
}

static void
test_freed_while_writing (Fixture *fixture, gconstpointer data)
{
  g_test_summary (
    "what was appended while a batch was written is written too, though nobody is left");
  for (guint round = 0; round < 20; round++)
    {
      g_autoptr (GString) wanted = g_string_new (NULL);
      g_autofree char *content = NULL;

      open_log (fixture, &generous);
      for (char letter = 'a'; letter <= 'f'; letter++)
        {
          g_autofree char *text = g_strnfill (20000, letter);
          g_autofree char *line = g_strconcat (text, "\n", NULL);

          append (fixture, line);
          g_string_append (wanted, line);
          /* The thread is given what is a batch by now. */
          g_main_context_iteration (NULL, FALSE);
        }
      g_clear_pointer (&fixture->file, gmcp_log_file_free);
      while (content == NULL || strlen (content) < wanted->len)
        {
          g_clear_pointer (&content, g_free);
          g_file_get_contents (fixture->path, &content, NULL, NULL);
        }
      g_assert_cmpstr (content, ==, wanted->str);
      g_assert_cmpint (g_unlink (fixture->path), ==, 0);
    }
}

static void
test_freed_while_flushing (Fixture *fixture, gconstpointer data)
{
  Outcome outcome = { FALSE, NULL };

  open_log (fixture, &generous);
  append (fixture, "line\n");
  gmcp_log_file_flush_async (fixture->file, NULL, on_flushed, &outcome);
  g_clear_pointer (&fixture->file, gmcp_log_file_free);
  while (!outcome.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_CLOSED);
  g_clear_error (&outcome.error);
}

static void
test_exit (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_getenv ("GMCP_TEST_DIR"), "exit.log", NULL);

  g_test_summary ("a program that just exits has written everything");
  if (g_test_subprocess ())
    {
      GmcpLogFile *file = gmcp_log_file_new (path, &generous, tell_gap);

      gmcp_log_file_append (file, "before the exit\n", 16);
      exit (0);
    }

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
  assert_content (path, "before the exit\n");
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_autofree char *dir = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  /* Before there are threads; what runs as a process of its own looks here too. */
  if (!g_test_subprocess ())
    {
      dir = g_dir_make_tmp ("gmcp-test-log-XXXXXX", NULL);
      g_setenv ("GMCP_TEST_DIR", dir, TRUE);
    }

  ADD ("/log-file/write", test_write);
  ADD ("/log-file/idle", test_idle);
  ADD ("/log-file/start-write", test_start_write);
  ADD ("/log-file/mode", test_mode);
  ADD ("/log-file/rotate", test_rotate);
  ADD ("/log-file/rotate-fails", test_rotate_fails);
  ADD ("/log-file/two-writers", test_two_writers);
  ADD ("/log-file/removed", test_removed);
  ADD ("/log-file/fifo", test_fifo);
  ADD ("/log-file/full-pipe", test_full_pipe);
  ADD ("/log-file/no-place", test_no_place);
  ADD ("/log-file/disk-fills", test_disk_fills);
  ADD ("/log-file/freed", test_freed);
  ADD ("/log-file/freed-while-writing", test_freed_while_writing);
  ADD ("/log-file/freed-while-flushing", test_freed_while_flushing);
  ADD ("/log-file/exit", test_exit);

  status = g_test_run ();
  if (dir != NULL)
    remove_tree (dir);
  return status;
}
