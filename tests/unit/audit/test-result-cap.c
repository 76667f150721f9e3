/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-result-cap-private.h"
#include "gmcp-result-spool-private.h"
#include "manager-fixture.h"
#include "unit-test.h"

static char *runtime_dir;

static guint
count_folders (void)
{
  g_autofree char *base = g_build_filename (runtime_dir, "gmcp", NULL);
  g_autoptr (GDir) dir = g_dir_open (base, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR))
        remove_tree (child);
      else
        g_unlink (child);
    }
  g_rmdir (path);
}

static char *
call_echo (ManagerFixture *fixture, gsize length)
{
  g_autofree char *text = g_strnfill (length, 'x');
  g_autofree char *arguments = g_strdup_printf ("{\"a\": \"%s\"}", text);
  g_autoptr (GError) error = NULL;
  char *answer = manager_fixture_call (fixture, "one__echo", arguments, NULL, &error);

  g_assert_no_error (error);
  return answer;
}

static void
test_cut (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *small = NULL;
  g_autofree char *large = NULL;
  g_autofree char *path = NULL;
  g_autofree char *content = NULL;
  g_autoptr (GmcpToolResult) whole = NULL;
  g_autofree char *whole_text = NULL;
  const char *from;
  struct stat info;

  g_test_summary ("the host gets what fits, and the whole of it is in a file");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"), NULL);
  g_object_set (fixture->manager, "max-result-bytes", G_GUINT64_CONSTANT (1000), NULL);
  small = call_echo (fixture, 500);
  g_assert_cmpuint (strlen (small), ==, 500 + strlen ("{\"a\": \"\"}"));
  g_assert_cmpuint (count_folders (), ==, 0);

  large = call_echo (fixture, 5000);
  g_assert_cmpuint (strlen (large), <, 1000 + 400);
  g_assert_true (g_str_has_prefix (large, "{\"a\": \"xxxx"));
  from = strstr (large, runtime_dir);
  g_assert_nonnull (from);
  path = g_strndup (from, strcspn (from, " "));
  g_assert_cmpint (g_stat (path, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0777, ==, 0600);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  whole = gmcp_tool_result_new_from_json (content, NULL);
  g_assert_nonnull (whole);
  whole_text = gmcp_tool_result_dup_text (whole);
  g_assert_cmpuint (strlen (whole_text), ==, 5000 + strlen ("{\"a\": \"\"}"));

  gmcp_result_spool_remove_own ();
  g_assert_cmpuint (count_folders (), ==, 0);
}

static void
test_no_place (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *base = g_build_filename (runtime_dir, "gmcp", NULL);
  g_autofree char *large = NULL;

  g_test_summary ("where nothing can be written, the result is cut all the same, and says so");
  g_rmdir (base);
  g_assert_true (g_file_set_contents (base, "", 0, NULL));
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"), NULL);
  g_object_set (fixture->manager, "max-result-bytes", G_GUINT64_CONSTANT (1000), NULL);
  large = call_echo (fixture, 5000);
  g_assert_nonnull (strstr (large, "The rest could not be kept"));
  g_unlink (base);
}

static void
test_cleaned (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *base = g_build_filename (runtime_dir, "gmcp", NULL);
  g_autofree char *aside = g_strconcat (base, ".aside", NULL);

  g_test_summary ("the place for what was cut off is made again where something else removed it");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"), NULL);
  g_object_set (fixture->manager, "max-result-bytes", G_GUINT64_CONSTANT (1000), NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *large = call_echo (fixture, 5000);
      const char *from = strstr (large, runtime_dir);
      g_autofree char *path = NULL;

      g_assert_nonnull (from);
      path = g_strndup (from, strcspn (from, " "));
      g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
      if (i == 0)
        g_assert_no_errno (g_rename (base, aside));
    }

  gmcp_result_spool_remove_own ();
  g_assert_cmpuint (count_folders (), ==, 0);
  remove_tree (aside);
}

static void
check_cut (const char *json, gsize max_bytes, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_from_json (json, &error);
  g_autoptr (GmcpToolResult) part = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  part = gmcp_result_cap_cut (result, max_bytes, "N");
  text = gmcp_tool_result_dup_json (part);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_parts (void)
{
#define TEXT(text) "{\"type\":\"text\",\"text\":\"" text "\"}"
  g_test_summary ("whole blocks, half a text, no half character, nothing of what cannot be cut");
  check_cut ("{\"content\":[" TEXT ("a") "," TEXT ("\303\244\303\244") "," TEXT ("b") "]}", 29,
             "{\"content\":[" TEXT ("a") "," TEXT ("\303\244") "," TEXT ("N") "]}");
  check_cut (
    "{\"content\":[{\"type\":\"image\",\"data\":\"AAAAAAAA\",\"mimeType\":\"image/png\"}," TEXT (
      "b") "],\"isError\":true}",
    26, "{\"content\":[" TEXT ("b") "," TEXT ("N") "],\"isError\":true}");
  check_cut ("{\"content\":[],\"structuredContent\":{\"a\":1}}", 7,
             "{\"content\":[" TEXT ("N") "],\"structuredContent\":{\"a\":1}}");
  check_cut ("{\"content\":[],\"structuredContent\":{\"a\":12}}", 7,
             "{\"content\":[" TEXT ("N") "]}");
#undef TEXT
}

static void
on_written (GObject *object, GAsyncResult *result, gpointer slot)
{
  *(char **) slot = gmcp_result_spool_write_finish (result, NULL);
}

static void
test_killed (void)
{
  g_test_summary ("what a process that was killed has left is removed by the next, and no more");
  if (g_test_subprocess ())
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static ("{}", 2);
      char *path = NULL;

      gmcp_result_spool_write_async (bytes, NULL, on_written, &path);
      while (path == NULL)
        g_main_context_iteration (NULL, TRUE);
      gmcp_result_spool_sweep ();
      g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
      raise (SIGKILL);
    }

  g_assert_cmpuint (count_folders (), ==, 0);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
  g_assert_cmpuint (count_folders (), ==, 1);
  gmcp_result_spool_sweep ();
  while (count_folders () > 0)
    g_main_context_iteration (NULL, FALSE);
}

#define ADD(path, test)                                                                            \
  g_test_add (path, ManagerFixture, NULL, manager_fixture_set_up, test, manager_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_autofree char *base = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  /* Before GLib has looked; what runs as a process of its own has the same. */
  if (!g_test_subprocess ())
    {
      runtime_dir = g_dir_make_tmp ("gmcp-test-run-XXXXXX", NULL);
      g_setenv ("XDG_RUNTIME_DIR", runtime_dir, TRUE);
    }

  /* The first of all, since the others sweep too, and that is done once. */
  g_test_add_func ("/result-cap/killed", test_killed);
  ADD ("/result-cap/cut", test_cut);
  ADD ("/result-cap/cleaned", test_cleaned);
  ADD ("/result-cap/no-place", test_no_place);
  g_test_add_func ("/result-cap/parts", test_parts);

  status = g_test_run ();
  if (runtime_dir != NULL)
    {
      base = g_build_filename (runtime_dir, "gmcp", NULL);
      g_rmdir (base);
      g_rmdir (runtime_dir);
      g_free (runtime_dir);
    }
  return status;
}
