/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <unistd.h>

#include "gmcp-task-error.h"
#include "gmcp-task-limits.h"
#include "task-store-fixture.h"

/* Of what hosts give a call, gmcp's among them. */
#define HOST_TIMEOUT_MS 30000

G_STATIC_ASSERT (GMCP_TASK_DEFAULT_TIMEOUT_MS + GMCP_TASK_INTERRUPT_GRACE_MS < HOST_TIMEOUT_MS);

static void
test_locked (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) task = task_store_create_titled (fixture->store, "Task");
  g_autoptr (GAsyncResult) write = NULL;
  g_autoptr (GAsyncResult) second_write = NULL;
  g_autoptr (GmcpTaskRecord) later = NULL;
  sqlite3 *beside = task_store_fixture_open_beside (fixture);

  g_test_summary ("While another program holds the lock reads are answered, writes time out, and "
                  "nothing of them happens afterwards");

  task_store_execute (beside, "BEGIN EXCLUSIVE");
  gmcp_task_store_create_async (fixture->store, task_store_user, "Blocked", NULL, NULL, NULL,
                                task_store_on_result, &write);
  gmcp_task_store_complete_async (fixture->store, task_store_user, task->id, TRUE, NULL,
                                  task_store_on_result, &second_write);

  for (guint i = 0; i < 20; i++)
    {
      task_store_assert_total (fixture->store, 1);
      g_assert_null (write);
    }

  g_assert_null (
    gmcp_task_store_create_finish (fixture->store, task_store_wait_for (&write), &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_TIMED_OUT);
  g_assert_cmpstr (gmcp_task_error_get_word (error), ==, "TIMEOUT");
  g_assert_nonnull (strstr (error->message, "locked"));
  g_clear_error (&error);
  g_assert_null (
    gmcp_task_store_complete_finish (fixture->store, task_store_wait_for (&second_write), &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "locked"));
  g_clear_error (&error);

  task_store_execute (beside, "COMMIT");
  sqlite3_close (beside);
  later = task_store_create_titled (fixture->store, "Later");
  task_store_assert_total (fixture->store, 2);
}

static void
test_lock_released (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) write = NULL;
  g_autoptr (GmcpTaskRecord) record = NULL;
  sqlite3 *beside;

  task_store_add (fixture->store, "Task");
  beside = task_store_fixture_open_beside (fixture);
  task_store_execute (beside, "BEGIN IMMEDIATE");
  gmcp_task_store_create_async (fixture->store, task_store_user, "Waits", NULL, NULL, NULL,
                                task_store_on_result, &write);
  task_store_assert_total (fixture->store, 1);
  g_assert_null (write);

  task_store_execute (beside, "COMMIT");
  sqlite3_close (beside);
  record = gmcp_task_store_create_finish (fixture->store, task_store_wait_for (&write), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (record->title, ==, "Waits");
}

static void
test_locked_for_readers (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskStore) owner = gmcp_task_store_new (fixture->filename, 5000);
  sqlite3 *beside;

  task_store_add (owner, "Task");
  g_clear_object (&owner);
  beside = task_store_fixture_open_beside (fixture);
  task_store_execute (beside, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");

  g_assert_null (task_store_list (fixture->store, GMCP_TASK_SELECTION_ALL, 10, 0, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_TIMED_OUT);

  sqlite3_close (beside);
  task_store_assert_total (fixture->store, 1);
}

static void
test_cancel_waiting (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) task = task_store_create_titled (fixture->store, "Task");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) write = NULL;
  g_autoptr (GAsyncResult) after = NULL;
  g_autoptr (GmcpTaskRecord) record = NULL;
  sqlite3 *beside = task_store_fixture_open_beside (fixture);

  task_store_execute (beside, "BEGIN IMMEDIATE");
  gmcp_task_store_delete_async (fixture->store, task_store_user, task->id, cancellable,
                                task_store_on_result, &write);
  task_store_assert_total (fixture->store, 1);
  gmcp_task_store_create_async (fixture->store, task_store_user, "After", NULL, NULL, NULL,
                                task_store_on_result, &after);

  g_cancellable_cancel (cancellable);
  g_assert_null (write);
  g_assert_null (
    gmcp_task_store_delete_finish (fixture->store, task_store_wait_for (&write), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  /* The one behind it is not touched. */
  task_store_execute (beside, "COMMIT");
  sqlite3_close (beside);
  record = gmcp_task_store_create_finish (fixture->store, task_store_wait_for (&after), &error);
  g_assert_no_error (error);
  task_store_assert_total (fixture->store, 2);
}

static void
test_cancelled_before (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;

  g_cancellable_cancel (cancellable);
  gmcp_task_store_create_async (fixture->store, task_store_user, "Never", NULL, NULL, cancellable,
                                task_store_on_result, &result);
  g_assert_null (
    gmcp_task_store_create_finish (fixture->store, task_store_wait_for (&result), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  task_store_assert_total (fixture->store, 0);
}

/* A count() that lasts for a minute, of which SQLite can be called back after each row. */
static int slow_count_entered;

static void
slow_count_step (sqlite3_context *context, int n_values, sqlite3_value **values)
{
  g_atomic_int_set (&slow_count_entered, TRUE);
  g_usleep (1000);
}

static void
slow_count_final (sqlite3_context *context)
{
  sqlite3_result_int (context, 0);
}

static int
make_count_slow (sqlite3 *handle, char **message, const void *api)
{
  return sqlite3_create_function (handle, "count", 0, SQLITE_UTF8, NULL, NULL, slow_count_step,
                                  slow_count_final);
}

static void
fill_for_slow_count (TaskStoreFixture *fixture)
{
  g_autoptr (GmcpTaskStore) other = gmcp_task_store_new (fixture->filename, 5000);
  sqlite3 *beside;

  task_store_add (other, "Task");
  beside = task_store_fixture_open_beside (fixture);
  task_store_execute (
    beside, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)"
            " INSERT INTO tasks (id, user_id, title, created_at, updated_at)"
            " SELECT 'id-' || i, 1, i, '', '' FROM n");
  sqlite3_close (beside);

  g_atomic_int_set (&slow_count_entered, FALSE);
  sqlite3_auto_extension ((void (*) (void)) make_count_slow);
}

static void
test_interrupt_at_limit (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gint64 start_us = g_get_monotonic_time ();

  fill_for_slow_count (fixture);
  g_assert_null (task_store_list (fixture->store, GMCP_TASK_SELECTION_ALL, 10, 0, &error));
  sqlite3_reset_auto_extension ();

  g_assert_true (g_atomic_int_get (&slow_count_entered));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_TIMED_OUT);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, 30 * G_TIME_SPAN_SECOND);
}

static void
test_interrupt_by_cancel (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) behind = NULL;
  g_autoptr (GmcpTaskRecord) record = NULL;

  fill_for_slow_count (fixture);
  gmcp_task_store_list_async (fixture->store, task_store_user, GMCP_TASK_SELECTION_ALL, 10, 0,
                              cancellable, task_store_on_result, &result);
  gmcp_task_store_create_async (fixture->store, task_store_user, "Behind", NULL, NULL, NULL,
                                task_store_on_result, &behind);
  while (!g_atomic_int_get (&slow_count_entered))
    g_main_context_iteration (NULL, FALSE);

  g_cancellable_cancel (cancellable);
  g_assert_null (
    gmcp_task_store_list_finish (fixture->store, task_store_wait_for (&result), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  /* The interrupt was for the one call only. */
  record = gmcp_task_store_create_finish (fixture->store, task_store_wait_for (&behind), &error);
  g_assert_no_error (error);
  sqlite3_reset_auto_extension ();
}

static void
test_dispose_while_running (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) late = NULL;

  fill_for_slow_count (fixture);
  gmcp_task_store_list_async (fixture->store, task_store_user, GMCP_TASK_SELECTION_ALL, 10, 0, NULL,
                              task_store_on_result, &result);
  while (!g_atomic_int_get (&slow_count_entered))
    g_main_context_iteration (NULL, FALSE);

  g_object_run_dispose (G_OBJECT (fixture->store));
  sqlite3_reset_auto_extension ();
  g_assert_null (
    gmcp_task_store_list_finish (fixture->store, task_store_wait_for (&result), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  gmcp_task_store_delete_async (fixture->store, task_store_user, "x", NULL, task_store_on_result,
                                &late);
  g_assert_null (
    gmcp_task_store_delete_finish (fixture->store, task_store_wait_for (&late), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CLOSED);
}

/* --- A disk that hangs or is full: SQLite's system calls, replaced --- */

static GMutex disk_lock;
static GCond disk_wake;
static gboolean disk_hangs;
static int disk_was_asked; /* atomic */

static ssize_t
hanging_pwrite (int fd, const void *data, size_t size, off_t offset)
{
  g_mutex_lock (&disk_lock);
  g_atomic_int_set (&disk_was_asked, TRUE);
  while (disk_hangs)
    g_cond_wait (&disk_wake, &disk_lock);
  g_mutex_unlock (&disk_lock);
  return pwrite (fd, data, size, offset);
}

static ssize_t
full_pwrite (int fd, const void *data, size_t size, off_t offset)
{
  errno = ENOSPC;
  return -1;
}

typedef ssize_t (*PwriteFunc) (int fd, const void *data, size_t size, off_t offset);

/* NULL: the system's own. SQLite uses one of the two, as it was built. */
static void
replace_pwrite (PwriteFunc func)
{
  sqlite3_vfs *vfs = sqlite3_vfs_find ("unix");
  sqlite3_syscall_ptr call = (sqlite3_syscall_ptr) func;

  g_assert_cmpint (vfs->xSetSystemCall (vfs, "pwrite", call), ==, SQLITE_OK);
  g_assert_cmpint (vfs->xSetSystemCall (vfs, "pwrite64", call), ==, SQLITE_OK);
}

static void
set_disk_hangs (gboolean hangs)
{
  g_mutex_lock (&disk_lock);
  disk_hangs = hangs;
  g_cond_broadcast (&disk_wake);
  g_mutex_unlock (&disk_lock);
}

static void
test_disk_hangs (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) after = NULL;

  g_test_summary (
    "A write that cannot be interrupted is answered all the same, and the answer does "
    "not say that nothing happened");

  task_store_add (fixture->store, "Task");
  g_atomic_int_set (&disk_was_asked, FALSE);
  set_disk_hangs (TRUE);
  replace_pwrite (hanging_pwrite);

  g_assert_null (task_store_create (fixture->store, "Hangs", NULL, NULL, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "not known"));
  g_assert_true (g_atomic_int_get (&disk_was_asked));

  set_disk_hangs (FALSE);
  after = task_store_create_titled (fixture->store, "After");
  replace_pwrite (NULL);
}

static void
test_disk_full (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) after = NULL;

  task_store_add (fixture->store, "Task");
  replace_pwrite (full_pwrite);
  g_assert_null (task_store_create (fixture->store, "No room", NULL, NULL, &error));
  replace_pwrite (NULL);

  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
  g_assert_cmpstr (gmcp_task_error_get_word (error), ==, "DATABASE_ERROR");
  g_assert_nonnull (strstr (error->message, "Free some space"));

  after = task_store_create_titled (fixture->store, "Room again");
  task_store_assert_total (fixture->store, 2);
}

static const TaskStoreTest tests[] = {
  { "/task-store/locked", 1000, test_locked },
  { "/task-store/locked/released", 0, test_lock_released },
  { "/task-store/locked/for-readers", 1000, test_locked_for_readers },
  { "/task-store/cancel/waiting", 0, test_cancel_waiting },
  { "/task-store/cancel/before", 0, test_cancelled_before },
  { "/task-store/interrupt/limit", 1000, test_interrupt_at_limit },
  { "/task-store/interrupt/cancel", 0, test_interrupt_by_cancel },
  { "/task-store/interrupt/dispose", 0, test_dispose_while_running },
  { "/task-store/disk/hangs", 1000, test_disk_hangs },
  { "/task-store/disk/full", 0, test_disk_full },
};

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  task_store_add_tests (tests, G_N_ELEMENTS (tests));
  return g_test_run ();
}
