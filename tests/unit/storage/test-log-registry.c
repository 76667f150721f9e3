/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>

#include "gmcp-limits.h"
#include "gmcp-log-registry-private.h"
#include "remove-folder.h"
#include "unit-test.h"

static const GmcpLogFileLimits limits = { 1024 * 1024, 1024 * 1024, 3 };
static int group;
static int other_group;

static void
tell_gap (GString *lines, guint64 n_dropped)
{
  g_assert_not_reached ();
}

static GmcpLogFile *
open_log (const char *dir, const char *name, gconstpointer of)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  GmcpLogFile *file = gmcp_log_file_new (path, &limits, tell_gap);

  gmcp_log_file_set_group (file, of);
  return file;
}

static void
on_written (GObject *object, GAsyncResult *result, gpointer data)
{
  *(int *) data = gmcp_log_registry_write_group_finish (result);
}

static gboolean
write_group (void)
{
  int outcome = -1;

  gmcp_log_registry_write_group_async (&group, on_written, &outcome);
  while (outcome < 0)
    g_main_context_iteration (NULL, TRUE);
  return outcome != 0;
}

static void
assert_text (const char *dir, const char *name, const char *expected)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  g_autofree char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_group (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gmcp-test-logs-XXXXXX", NULL);
  g_autoptr (GmcpLogFile) kept = open_log (dir, "kept", &group);
  g_autoptr (GmcpLogFile) empty G_GNUC_UNUSED = open_log (dir, "empty", &group);
  g_autoptr (GmcpLogFile) other = open_log (dir, "other", &other_group);
  GmcpLogFile *freed = open_log (dir, "freed", &group);
  g_autoptr (GString) large = g_string_new (NULL);
  g_autofree char *other_path = g_build_filename (dir, "other", NULL);
  gboolean other_is_there;
  gint64 start_us;

  g_test_summary (
    "all files of a group are written, also one that was freed meanwhile; others wait");
  g_assert_true (write_group ());

  while (large->len < 512 * 1024)
    g_string_append (large, "a line\n");
  start_us = g_get_monotonic_time ();
  gmcp_log_file_append (kept, "one\n", 4);
  gmcp_log_file_append (other, "no\n", 3);
  gmcp_log_file_append (freed, large->str, large->len);
  gmcp_log_file_free (freed);
  g_assert_true (write_group ());
  /* By then it is written all the same. */
  other_is_there = g_file_test (other_path, G_FILE_TEST_EXISTS);
  if (g_get_monotonic_time () - start_us < GMCP_DEFAULT_LOG_FLUSH_MS * 1000)
    g_assert_false (other_is_there);
  assert_text (dir, "kept", "one\n");
  assert_text (dir, "freed", large->str);
  assert_text (dir, "empty", NULL);

  gmcp_log_file_append (kept, "two\n", 4);
  g_assert_true (write_group ());
  assert_text (dir, "kept", "one\ntwo\n");
  remove_folder (dir);
}

static void
test_fails (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gmcp-test-logs-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (dir, "taken", NULL);
  g_autoptr (GmcpLogFile) file = NULL;

  g_test_summary ("a file that cannot be written keeps nobody waiting");
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  file = open_log (dir, "taken", &group);
  gmcp_log_file_append (file, "one\n", 4);
  g_assert_true (write_group ());
  remove_folder (dir);
}

static gpointer
write_in_thread (gpointer data)
{
  GmcpLogFile *file = data;

  gmcp_log_file_append (file, "two\n", 4);
  return NULL;
}

static void
test_thread (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gmcp-test-logs-XXXXXX", NULL);
  g_autoptr (GmcpLogFile) file = open_log (dir, "log", &group);
  GThread *thread;

  g_test_summary ("lines of another thread are written with those of this one");
  gmcp_log_file_append (file, "one\n", 4);
  thread = g_thread_new ("writer", write_in_thread, file);
  g_thread_join (thread);
  g_assert_true (write_group ());
  assert_text (dir, "log", "one\ntwo\n");
  remove_folder (dir);
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/log-registry/group", test_group);
  g_test_add_func ("/log-registry/fails", test_fails);
  g_test_add_func ("/log-registry/thread", test_thread);

  return g_test_run ();
}
