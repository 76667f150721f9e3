/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "gmcp-task-error.h"
#include "task-store-fixture.h"

static void
assert_fails_and_keeps_file (TaskStoreFixture *fixture, const char *part_of_message)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize before_length, after_length;
  g_autoptr (GError) list_error = NULL;
  g_autoptr (GError) create_error = NULL;

  g_assert_true (g_file_get_contents (fixture->filename, &before, &before_length, NULL));
  g_assert_null (task_store_list (fixture->store, GMCP_TASK_SELECTION_ALL, 10, 0, &list_error));
  g_assert_error (list_error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
  g_assert_nonnull (strstr (list_error->message, part_of_message));
  g_assert_null (task_store_create (fixture->store, "Task", NULL, NULL, &create_error));
  g_assert_error (create_error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);

  g_assert_true (g_file_get_contents (fixture->filename, &after, &after_length, NULL));
  g_assert_cmpmem (before, before_length, after, after_length);
}

static void
test_not_a_database (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTaskRecord) record = NULL;
  g_autofree char *zeros = g_malloc0 (8192);

  g_assert_true (g_file_set_contents (fixture->filename, "Dear diary,\n", -1, NULL));
  assert_fails_and_keeps_file (fixture, "not a database");

  g_assert_true (g_file_set_contents (fixture->filename, zeros, 8192, NULL));
  assert_fails_and_keeps_file (fixture, "cannot be used");

  /* Once the file is out of the way, the next call works. */
  g_assert_no_errno (g_remove (fixture->filename));
  record = task_store_create_titled (fixture->store, "Task");
}

static void
test_corrupt (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTaskStore) writer = gmcp_task_store_new (fixture->filename, 5000);
  g_autofree char *contents = NULL;
  gsize length;

  for (guint i = 0; i < 50; i++)
    task_store_add (writer, "Task");
  g_clear_object (&writer);

  /* The first page, with the schema, stays; all else is noise. */
  g_assert_true (g_file_get_contents (fixture->filename, &contents, &length, NULL));
  g_assert_cmpuint (length, >, 8192);
  memset (contents + 4096, 0xa5, length - 4096);
  g_assert_true (g_file_set_contents (fixture->filename, contents, (gssize) length, NULL));
  assert_fails_and_keeps_file (fixture, "malformed");

  /* Cut in the middle. */
  g_assert_true (g_file_set_contents (fixture->filename, contents, 5000, NULL));
  assert_fails_and_keeps_file (fixture, "cannot be used");
}

static void
test_other_program (TaskStoreFixture *fixture, gconstpointer data)
{
  sqlite3 *beside = task_store_fixture_open_beside (fixture);

  task_store_execute (beside, "CREATE TABLE bookmarks (url TEXT)");
  sqlite3_close (beside);
  assert_fails_and_keeps_file (fixture, "another program");
}

static void
test_newer_version (TaskStoreFixture *fixture, gconstpointer data)
{
  sqlite3 *beside = task_store_fixture_open_beside (fixture);

  task_store_execute (beside, "PRAGMA application_id = 0x676d6370; PRAGMA user_version = 1000;"
                              " CREATE TABLE future (x)");
  sqlite3_close (beside);
  assert_fails_and_keeps_file (fixture, "newer");
}

static void
test_no_file (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autofree char *in_missing_folder = g_build_filename (fixture->folder, "no", "tasks.db", NULL);
  g_autoptr (GmcpTaskStore) missing = gmcp_task_store_new (in_missing_folder, 5000);
  g_autoptr (GmcpTaskStore) folder = gmcp_task_store_new (fixture->folder, 5000);
  g_autoptr (GmcpTaskStore) device = gmcp_task_store_new ("/dev/null", 5000);
  g_autoptr (GError) error = NULL;

  g_assert_null (task_store_list (missing, GMCP_TASK_SELECTION_ALL, 10, 0, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
  g_assert_nonnull (strstr (error->message, "folder does not exist"));
  g_clear_error (&error);

  g_assert_null (task_store_list (folder, GMCP_TASK_SELECTION_ALL, 10, 0, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
  g_clear_error (&error);

  g_assert_null (task_store_list (device, GMCP_TASK_SELECTION_ALL, 10, 0, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
}

#define NOBODY 65534

static void
test_read_only (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskStore) writer = gmcp_task_store_new (fixture->filename, 5000);
  gboolean is_root = geteuid () == 0;

  task_store_add (writer, "Task");
  g_clear_object (&writer);
  g_assert_no_errno (g_chmod (fixture->filename, 0444));
  if (is_root)
    {
      /* The mode of a file does not stop root. */
      g_assert_no_errno (chown (fixture->folder, NOBODY, NOBODY));
      g_assert_no_errno (seteuid (NOBODY));
    }

  /* A read-only file in a folder that is not: reading is fine. */
  task_store_assert_total (fixture->store, 1);
  g_assert_null (task_store_create (fixture->store, "Not here", NULL, NULL, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
  g_assert_nonnull (strstr (error->message, "writable"));
  g_clear_error (&error);
  g_clear_object (&fixture->store);

  /* Nor is the folder writable: an error, not a hang. */
  g_assert_no_errno (g_chmod (fixture->folder, 0500));
  fixture->store = gmcp_task_store_new (fixture->filename, 5000);
  g_assert_null (task_store_create (fixture->store, "Not here", NULL, NULL, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
  g_assert_no_errno (g_chmod (fixture->folder, 0700));

  if (is_root)
    g_assert_no_errno (seteuid (0));
}

static void
test_file_replaced (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTaskRecord) second = NULL;
  g_autofree char *wal = g_strconcat (fixture->filename, "-wal", NULL);
  g_autofree char *shm = g_strconcat (fixture->filename, "-shm", NULL);

  task_store_add (fixture->store, "First");
  g_assert_no_errno (g_remove (fixture->filename));
  g_remove (wal);
  g_remove (shm);

  task_store_assert_total (fixture->store, 0);
  second = task_store_create_titled (fixture->store, "Second");
  g_assert_true (g_file_test (fixture->filename, G_FILE_TEST_IS_REGULAR));
  task_store_assert_total (fixture->store, 1);
}

static const TaskStoreTest tests[] = {
  { "/task-store/file/not-a-database", 0, test_not_a_database },
  { "/task-store/file/corrupt", 0, test_corrupt },
  { "/task-store/file/other-program", 0, test_other_program },
  { "/task-store/file/newer-version", 0, test_newer_version },
  { "/task-store/file/none", 0, test_no_file },
  { "/task-store/file/read-only", 0, test_read_only },
  { "/task-store/file/replaced", 0, test_file_replaced },
};

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  task_store_add_tests (tests, G_N_ELEMENTS (tests));
  return g_test_run ();
}
