/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-task-error.h"
#include "gmcp-task-limits.h"
#include "gmcp-task-store.h"

typedef struct
{
  char *folder;
  char *filename;
  GmcpTaskStore *store;
} Fixture;

/* --- Waiting --- */

static void
on_result (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **out = user_data;

  g_assert_null (*out);
  *out = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);

  return *result;
}

static GmcpTaskPage *
list (GmcpTaskStore *store, GmcpTaskStatus status, guint limit, guint offset, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_task_store_list_async (store, status, limit, offset, NULL, on_result, &result);
  return gmcp_task_store_list_finish (store, wait_for (&result), error);
}

static GmcpTaskRecord *
create (GmcpTaskStore *store,
        const char *title,
        const char *description,
        const char *due_date,
        GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_task_store_create_async (store, title, description, due_date, NULL, on_result, &result);
  return gmcp_task_store_create_finish (store, wait_for (&result), error);
}

static GmcpTaskRecord *
update (GmcpTaskStore *store,
        const char *id,
        const char *title,
        const char *description,
        GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_task_store_update_async (store, id, title, description, NULL, on_result, &result);
  return gmcp_task_store_update_finish (store, wait_for (&result), error);
}

static GmcpTaskRecord *
complete (GmcpTaskStore *store, const char *id, gboolean completed, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_task_store_complete_async (store, id, completed, NULL, on_result, &result);
  return gmcp_task_store_complete_finish (store, wait_for (&result), error);
}

static char *delete (GmcpTaskStore *store, const char *id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_task_store_delete_async (store, id, NULL, on_result, &result);
  return gmcp_task_store_delete_finish (store, wait_for (&result), error);
}

static GmcpTaskRecord *
create_titled (GmcpTaskStore *store, const char *title)
{
  g_autoptr (GError) error = NULL;
  GmcpTaskRecord *record = create (store, title, NULL, NULL, &error);

  g_assert_no_error (error);
  return record;
}

static void
add_task (GmcpTaskStore *store, const char *title)
{
  gmcp_task_record_free (create_titled (store, title));
}

static void
assert_total (GmcpTaskStore *store, gint64 total)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskPage) page = list (store, GMCP_TASK_STATUS_ALL, 1, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpint (page->total, ==, total);
}

/* --- The database from outside --- */

static sqlite3 *
open_beside (Fixture *fixture)
{
  sqlite3 *handle = NULL;

  g_assert_cmpint (sqlite3_open (fixture->filename, &handle), ==, SQLITE_OK);
  return handle;
}

static void
execute (sqlite3 *handle, const char *sql)
{
  char *message = NULL;

  if (sqlite3_exec (handle, sql, NULL, NULL, &message) != SQLITE_OK)
    g_error ("%s: %s", sql, message);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  guint timeout_ms = GPOINTER_TO_UINT (data);

  fixture->folder = g_dir_make_tmp ("gmcp-task-store-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->filename = g_build_filename (fixture->folder, "tasks.db", NULL);
  fixture->store = gmcp_task_store_new (fixture->filename, "alice",
                                        timeout_ms > 0 ? timeout_ms : GMCP_TASK_DEFAULT_TIMEOUT_MS);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  static const char *const suffixes[] = { "", "-wal", "-shm", "-journal" };

  g_assert_finalize_object (fixture->store);
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *name = g_strconcat (fixture->filename, suffixes[i], NULL);

      g_remove (name);
    }
  g_assert_no_errno (g_rmdir (fixture->folder));
  g_free (fixture->filename);
  g_free (fixture->folder);
}

/* --- What it does --- */

static void
test_create (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) record = NULL;
  g_autoptr (GmcpTaskPage) page = NULL;
  g_autoptr (GmcpTaskStore) second = NULL;
  g_autoptr (GDateTime) created = NULL;
  const GmcpTaskRecord *listed;
  GStatBuf info;

  record = create (fixture->store, "  Milch kaufen – 牛乳 🥛 ", "two\nlines\t…",
                   "2026-08-01t09:30z", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (record->title, ==, "Milch kaufen – 牛乳 🥛");
  g_assert_cmpstr (record->description, ==, "two\nlines\t…");
  g_assert_cmpstr (record->due_date, ==, "2026-08-01T09:30Z");
  g_assert_null (record->completed_at);
  g_assert_true (g_uuid_string_is_valid (record->id));
  g_assert_cmpstr (record->updated_at, ==, record->created_at);
  created = g_date_time_new_from_iso8601 (record->created_at, NULL);
  g_assert_nonnull (created);

  g_assert_no_errno (g_stat (fixture->filename, &info));
  g_assert_cmphex (info.st_mode & 0777, ==, 0600);

  /* It is in the file, not in the object. */
  second = gmcp_task_store_new (fixture->filename, "alice", 5000);
  page = list (second, GMCP_TASK_STATUS_ALL, 10, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (page->total, ==, 1);
  g_assert_cmpuint (page->tasks->len, ==, 1);
  listed = g_ptr_array_index (page->tasks, 0);
  g_assert_cmpstr (listed->id, ==, record->id);
  g_assert_cmpstr (listed->title, ==, record->title);
  g_assert_cmpstr (listed->description, ==, record->description);
  g_assert_cmpstr (listed->due_date, ==, record->due_date);
  g_assert_cmpstr (listed->created_at, ==, record->created_at);
}

static void
test_create_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *long_title = g_strnfill (GMCP_TASK_LIMIT_TITLE_LENGTH + 1, 'x');
  g_autofree char *long_text = g_strnfill (GMCP_TASK_LIMIT_DESCRIPTION_LENGTH + 1, 'x');
  g_autoptr (GString) longest_title = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) longest = NULL;
  const struct
  {
    const char *title;
    const char *description;
    const char *due_date;
    const char *word;
  } cases[] = {
    { "", NULL, NULL, "title" },
    { " \t\n", NULL, NULL, "title" },
    { "\342\200\213\302\240", NULL, NULL, "title" }, /* zero width space, no-break space */
    { "two\nlines", NULL, NULL, "title" },
    { "\033[2Jclear", NULL, NULL, "title" },
    { "\302\233C1", NULL, NULL, "title" },
    { "\377", NULL, NULL, "title" },
    { long_title, NULL, NULL, "title" },
    { "fine", long_text, NULL, "description" },
    { "fine", "bell \a", NULL, "description" },
    { "fine", NULL, "tomorrow", "due_date" },
    { "fine", NULL, "", "due_date" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) refusal = NULL;
      g_autoptr (GmcpTaskRecord) record = create (
        fixture->store, cases[i].title, cases[i].description, cases[i].due_date, &refusal);

      g_assert_null (record);
      g_assert_error (refusal, GMCP_TASK_ERROR, GMCP_TASK_ERROR_VALIDATION);
      g_assert_cmpstr (gmcp_task_error_get_word (refusal), ==, "VALIDATION_ERROR");
      g_assert_nonnull (strstr (refusal->message, cases[i].word));
    }

  /* A refusal does not even make the file. */
  g_assert_false (g_file_test (fixture->filename, G_FILE_TEST_EXISTS));

  /* The limit counts characters, not bytes. */
  for (guint i = 0; i < GMCP_TASK_LIMIT_TITLE_LENGTH; i++)
    g_string_append (longest_title, "牛");
  longest = create (fixture->store, longest_title->str, "   ", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (longest->title, ==, longest_title->str);
  g_assert_null (longest->description);
}

static void
test_update (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) task = create (fixture->store, "Old", "Text", "2026-08-01", &error);
  g_autoptr (GmcpTaskRecord) renamed = NULL;
  g_autoptr (GmcpTaskRecord) cleared = NULL;
  g_autoptr (GmcpTaskRecord) refused = NULL;
  g_autoptr (GmcpTaskRecord) missing = NULL;

  g_assert_no_error (error);
  renamed = update (fixture->store, task->id, "New", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (renamed->title, ==, "New");
  g_assert_cmpstr (renamed->description, ==, "Text");
  g_assert_cmpstr (renamed->due_date, ==, "2026-08-01");

  cleared = update (fixture->store, task->id, NULL, "", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (cleared->title, ==, "New");
  g_assert_null (cleared->description);

  refused = update (fixture->store, task->id, NULL, NULL, &error);
  g_assert_null (refused);
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_VALIDATION);
  g_clear_error (&error);

  refused = update (fixture->store, task->id, " ", "still there", &error);
  g_assert_null (refused);
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_VALIDATION);
  g_clear_error (&error);

  missing = update (fixture->store, "no-such-task", "x", NULL, &error);
  g_assert_null (missing);
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);
  g_assert_cmpstr (gmcp_task_error_get_word (error), ==, "TASK_NOT_FOUND");
}

static void
test_complete (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) task = create_titled (fixture->store, "Task");
  g_autoptr (GmcpTaskRecord) done = NULL;
  g_autoptr (GmcpTaskRecord) again = NULL;
  g_autoptr (GmcpTaskRecord) reopened = NULL;
  g_autoptr (GmcpTaskRecord) missing = NULL;
  g_autoptr (GmcpTaskPage) pending = NULL;
  g_autoptr (GmcpTaskPage) completed = NULL;
  sqlite3 *beside;

  done = complete (fixture->store, task->id, TRUE, &error);
  g_assert_no_error (error);
  g_assert_nonnull (done->completed_at);

  /* The second time changes nothing, which a time in the past would show. */
  beside = open_beside (fixture);
  execute (beside, "UPDATE tasks SET completed_at = '2001-01-01T00:00:00Z',"
                   " updated_at = '2001-01-01T00:00:00Z'");
  sqlite3_close (beside);
  again = complete (fixture->store, task->id, TRUE, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again->completed_at, ==, "2001-01-01T00:00:00Z");
  g_assert_cmpstr (again->updated_at, ==, "2001-01-01T00:00:00Z");

  pending = list (fixture->store, GMCP_TASK_STATUS_PENDING, 10, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (pending->total, ==, 0);
  completed = list (fixture->store, GMCP_TASK_STATUS_COMPLETED, 10, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (completed->total, ==, 1);
  g_assert_cmpuint (completed->tasks->len, ==, 1);

  reopened = complete (fixture->store, task->id, FALSE, &error);
  g_assert_no_error (error);
  g_assert_null (reopened->completed_at);
  g_assert_cmpstr (reopened->updated_at, !=, "2001-01-01T00:00:00Z");

  missing = complete (fixture->store, "", TRUE, &error);
  g_assert_null (missing);
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);
}

static void
test_delete (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) task = create_titled (fixture->store, "Task");
  g_autofree char *deleted = NULL;
  g_autofree char *again = NULL;

  add_task (fixture->store, "Other");
  deleted = delete (fixture->store, task->id, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (deleted, ==, task->id);
  assert_total (fixture->store, 1);

  again = delete (fixture->store, task->id, &error);
  g_assert_null (again);
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);
}

static void
test_other_user (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskStore) bob = gmcp_task_store_new (fixture->filename, "bob", 5000);
  g_autoptr (GmcpTaskRecord) task = create_titled (fixture->store, "Alice's");
  g_autoptr (GmcpTaskRecord) bobs = create_titled (bob, "Bob's");
  g_autoptr (GmcpTaskPage) page = NULL;

  page = list (bob, GMCP_TASK_STATUS_ALL, 10, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (page->total, ==, 1);
  g_assert_cmpstr (((GmcpTaskRecord *) g_ptr_array_index (page->tasks, 0))->id, ==, bobs->id);

  g_assert_null (update (bob, task->id, "Mine", NULL, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (complete (bob, task->id, TRUE, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (delete (bob, task->id, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);

  assert_total (fixture->store, 1);
}

#define N_MANY 10000

static void
test_paging (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) first = create_titled (fixture->store, "0");
  g_autoptr (GmcpTaskRecord) done = NULL;
  g_autoptr (GmcpTaskPage) beyond = NULL;
  sqlite3 *beside = open_beside (fixture);
  g_autofree char *sql = NULL;
  guint n_seen = 0;

  sql = g_strdup_printf ("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                         " WHERE i < %d)"
                         " INSERT INTO tasks (id, user_id, title, created_at, updated_at)"
                         " SELECT 'id-' || i, 1, i, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'"
                         " FROM n",
                         N_MANY - 1);
  execute (beside, sql);
  sqlite3_close (beside);

  while (n_seen < N_MANY)
    {
      g_autoptr (GmcpTaskPage) page
        = list (fixture->store, GMCP_TASK_STATUS_ALL, 999, n_seen, &error);

      g_assert_no_error (error);
      g_assert_cmpint (page->total, ==, N_MANY);
      g_assert_cmpuint (page->tasks->len, ==, MIN (999, N_MANY - n_seen));
      for (guint i = 0; i < page->tasks->len; i++, n_seen++)
        {
          const GmcpTaskRecord *record = g_ptr_array_index (page->tasks, i);
          g_autofree char *title = g_strdup_printf ("%u", n_seen);

          g_assert_cmpstr (record->title, ==, title);
        }

      /* What was seen changes between two pages, and the next page begins where it should. */
      if (n_seen == 999)
        {
          done = complete (fixture->store, first->id, TRUE, &error);
          g_assert_no_error (error);
        }
    }

  beyond = list (fixture->store, GMCP_TASK_STATUS_PENDING, 10, N_MANY + 5, &error);
  g_assert_no_error (error);
  g_assert_cmpint (beyond->total, ==, N_MANY - 1);
  g_assert_cmpuint (beyond->tasks->len, ==, 0);
}

static void
test_many_in_flight (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTaskStore) second = gmcp_task_store_new (fixture->filename, "alice", 30000);
  GAsyncResult *results[60] = { NULL };

  /* Two connections at once, from an empty file on: both have to make the tables. */
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    gmcp_task_store_create_async (i % 2 == 0 ? fixture->store : second, "Task", NULL, NULL, NULL,
                                  on_result, &results[i]);

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GAsyncResult) result = wait_for (&results[i]);
      g_autoptr (GmcpTaskRecord) record
        = gmcp_task_store_create_finish (i % 2 == 0 ? fixture->store : second, result, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (record->title, ==, "Task");
    }

  assert_total (fixture->store, G_N_ELEMENTS (results));
}

static void
test_not_utf8 (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskPage) page = NULL;
  sqlite3 *beside;

  add_task (fixture->store, "Task");
  beside = open_beside (fixture);
  execute (beside, "UPDATE tasks SET title = CAST (x'41ff42' AS TEXT)");
  sqlite3_close (beside);

  page = list (fixture->store, GMCP_TASK_STATUS_ALL, 10, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (((GmcpTaskRecord *) g_ptr_array_index (page->tasks, 0))->title, ==,
                   "A\357\277\275B");
}

/* --- Locks, limits, cancelling --- */

static void
test_locked (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) task = create_titled (fixture->store, "Task");
  g_autoptr (GAsyncResult) write = NULL;
  g_autoptr (GAsyncResult) second_write = NULL;
  g_autoptr (GmcpTaskRecord) later = NULL;
  sqlite3 *beside = open_beside (fixture);

  g_test_summary ("While another program holds the lock reads are answered, writes time out, and "
                  "nothing of them happens afterwards");

  execute (beside, "BEGIN EXCLUSIVE");
  gmcp_task_store_create_async (fixture->store, "Blocked", NULL, NULL, NULL, on_result, &write);
  gmcp_task_store_complete_async (fixture->store, task->id, TRUE, NULL, on_result, &second_write);

  for (guint i = 0; i < 20; i++)
    {
      assert_total (fixture->store, 1);
      g_assert_null (write);
    }

  g_assert_null (gmcp_task_store_create_finish (fixture->store, wait_for (&write), &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_TIMED_OUT);
  g_assert_cmpstr (gmcp_task_error_get_word (error), ==, "TIMEOUT");
  g_assert_nonnull (strstr (error->message, "locked"));
  g_clear_error (&error);
  g_assert_null (
    gmcp_task_store_complete_finish (fixture->store, wait_for (&second_write), &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "locked"));
  g_clear_error (&error);

  execute (beside, "COMMIT");
  sqlite3_close (beside);
  later = create_titled (fixture->store, "Later");
  assert_total (fixture->store, 2);
}

static void
test_lock_released (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) write = NULL;
  g_autoptr (GmcpTaskRecord) record = NULL;
  sqlite3 *beside;

  add_task (fixture->store, "Task");
  beside = open_beside (fixture);
  execute (beside, "BEGIN IMMEDIATE");
  gmcp_task_store_create_async (fixture->store, "Waits", NULL, NULL, NULL, on_result, &write);
  assert_total (fixture->store, 1);
  g_assert_null (write);

  execute (beside, "COMMIT");
  sqlite3_close (beside);
  record = gmcp_task_store_create_finish (fixture->store, wait_for (&write), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (record->title, ==, "Waits");
}

static void
test_locked_for_readers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskStore) owner = gmcp_task_store_new (fixture->filename, "alice", 5000);
  sqlite3 *beside;

  add_task (owner, "Task");
  g_clear_object (&owner);
  beside = open_beside (fixture);
  execute (beside, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");

  g_assert_null (list (fixture->store, GMCP_TASK_STATUS_ALL, 10, 0, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_TIMED_OUT);

  sqlite3_close (beside);
  assert_total (fixture->store, 1);
}

static void
test_cancel_waiting (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) task = create_titled (fixture->store, "Task");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) write = NULL;
  g_autoptr (GAsyncResult) after = NULL;
  g_autoptr (GmcpTaskRecord) record = NULL;
  sqlite3 *beside = open_beside (fixture);

  execute (beside, "BEGIN IMMEDIATE");
  gmcp_task_store_delete_async (fixture->store, task->id, cancellable, on_result, &write);
  assert_total (fixture->store, 1);
  gmcp_task_store_create_async (fixture->store, "After", NULL, NULL, NULL, on_result, &after);

  g_cancellable_cancel (cancellable);
  g_assert_null (write);
  g_assert_null (gmcp_task_store_delete_finish (fixture->store, wait_for (&write), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpstr (gmcp_task_error_get_word (error), ==, "CANCELLED");
  g_clear_error (&error);

  /* The one behind it is not touched. */
  execute (beside, "COMMIT");
  sqlite3_close (beside);
  record = gmcp_task_store_create_finish (fixture->store, wait_for (&after), &error);
  g_assert_no_error (error);
  assert_total (fixture->store, 2);
}

static void
test_cancelled_before (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;

  g_cancellable_cancel (cancellable);
  gmcp_task_store_create_async (fixture->store, "Never", NULL, NULL, cancellable, on_result,
                                &result);
  g_assert_null (gmcp_task_store_create_finish (fixture->store, wait_for (&result), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_total (fixture->store, 0);
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
fill_for_slow_count (Fixture *fixture)
{
  g_autoptr (GmcpTaskStore) other = gmcp_task_store_new (fixture->filename, "alice", 5000);
  sqlite3 *beside;

  add_task (other, "Task");
  beside = open_beside (fixture);
  execute (beside,
           "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)"
           " INSERT INTO tasks (id, user_id, title, created_at, updated_at)"
           " SELECT 'id-' || i, 1, i, '', '' FROM n");
  sqlite3_close (beside);

  g_atomic_int_set (&slow_count_entered, FALSE);
  sqlite3_auto_extension ((void (*) (void)) make_count_slow);
}

static void
test_interrupt_at_limit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gint64 start_us = g_get_monotonic_time ();

  fill_for_slow_count (fixture);
  g_assert_null (list (fixture->store, GMCP_TASK_STATUS_ALL, 10, 0, &error));
  sqlite3_reset_auto_extension ();

  g_assert_true (g_atomic_int_get (&slow_count_entered));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_TIMED_OUT);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, 30 * G_TIME_SPAN_SECOND);
}

static void
test_interrupt_by_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) behind = NULL;
  g_autoptr (GmcpTaskRecord) record = NULL;

  fill_for_slow_count (fixture);
  gmcp_task_store_list_async (fixture->store, GMCP_TASK_STATUS_ALL, 10, 0, cancellable, on_result,
                              &result);
  gmcp_task_store_create_async (fixture->store, "Behind", NULL, NULL, NULL, on_result, &behind);
  while (!g_atomic_int_get (&slow_count_entered))
    g_main_context_iteration (NULL, FALSE);

  g_cancellable_cancel (cancellable);
  g_assert_null (gmcp_task_store_list_finish (fixture->store, wait_for (&result), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  /* The interrupt was for the one call only. */
  record = gmcp_task_store_create_finish (fixture->store, wait_for (&behind), &error);
  g_assert_no_error (error);
  sqlite3_reset_auto_extension ();
}

static void
test_dispose_while_running (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) late = NULL;

  fill_for_slow_count (fixture);
  gmcp_task_store_list_async (fixture->store, GMCP_TASK_STATUS_ALL, 10, 0, NULL, on_result,
                              &result);
  while (!g_atomic_int_get (&slow_count_entered))
    g_main_context_iteration (NULL, FALSE);

  g_object_run_dispose (G_OBJECT (fixture->store));
  sqlite3_reset_auto_extension ();
  g_assert_null (gmcp_task_store_list_finish (fixture->store, wait_for (&result), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  gmcp_task_store_delete_async (fixture->store, "x", NULL, on_result, &late);
  g_assert_null (gmcp_task_store_delete_finish (fixture->store, wait_for (&late), &error));
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
test_disk_hangs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) after = NULL;

  g_test_summary (
    "A write that cannot be interrupted is answered all the same, and the answer does "
    "not say that nothing happened");

  add_task (fixture->store, "Task");
  g_atomic_int_set (&disk_was_asked, FALSE);
  set_disk_hangs (TRUE);
  replace_pwrite (hanging_pwrite);

  g_assert_null (create (fixture->store, "Hangs", NULL, NULL, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "not known"));
  g_assert_true (g_atomic_int_get (&disk_was_asked));

  set_disk_hangs (FALSE);
  after = create_titled (fixture->store, "After");
  replace_pwrite (NULL);
}

static void
test_disk_full (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) after = NULL;

  add_task (fixture->store, "Task");
  replace_pwrite (full_pwrite);
  g_assert_null (create (fixture->store, "No room", NULL, NULL, &error));
  replace_pwrite (NULL);

  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
  g_assert_cmpstr (gmcp_task_error_get_word (error), ==, "DATABASE_ERROR");
  g_assert_nonnull (strstr (error->message, "Free some space"));

  after = create_titled (fixture->store, "Room again");
  assert_total (fixture->store, 2);
}

/* --- Files that are no task database --- */

static void
assert_fails_and_keeps_file (Fixture *fixture, const char *part_of_message)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize before_length, after_length;
  g_autoptr (GError) list_error = NULL;
  g_autoptr (GError) create_error = NULL;

  g_assert_true (g_file_get_contents (fixture->filename, &before, &before_length, NULL));
  g_assert_null (list (fixture->store, GMCP_TASK_STATUS_ALL, 10, 0, &list_error));
  g_assert_error (list_error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
  g_assert_nonnull (strstr (list_error->message, part_of_message));
  g_assert_null (create (fixture->store, "Task", NULL, NULL, &create_error));
  g_assert_error (create_error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);

  g_assert_true (g_file_get_contents (fixture->filename, &after, &after_length, NULL));
  g_assert_cmpmem (before, before_length, after, after_length);
}

static void
test_not_a_database (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTaskRecord) record = NULL;
  g_autofree char *zeros = g_malloc0 (8192);

  g_assert_true (g_file_set_contents (fixture->filename, "Dear diary,\n", -1, NULL));
  assert_fails_and_keeps_file (fixture, "not a database");

  g_assert_true (g_file_set_contents (fixture->filename, zeros, 8192, NULL));
  assert_fails_and_keeps_file (fixture, "cannot be used");

  /* Once the file is out of the way, the next call works. */
  g_assert_no_errno (g_remove (fixture->filename));
  record = create_titled (fixture->store, "Task");
}

static void
test_corrupt (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTaskStore) writer = gmcp_task_store_new (fixture->filename, "alice", 5000);
  g_autofree char *contents = NULL;
  gsize length;

  for (guint i = 0; i < 50; i++)
    add_task (writer, "Task");
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
test_other_program (Fixture *fixture, gconstpointer data)
{
  sqlite3 *beside = open_beside (fixture);

  execute (beside, "CREATE TABLE bookmarks (url TEXT)");
  sqlite3_close (beside);
  assert_fails_and_keeps_file (fixture, "another program");
}

static void
test_newer_version (Fixture *fixture, gconstpointer data)
{
  sqlite3 *beside = open_beside (fixture);

  execute (beside, "PRAGMA application_id = 0x676d6370; PRAGMA user_version = 1000;"
                   " CREATE TABLE future (x)");
  sqlite3_close (beside);
  assert_fails_and_keeps_file (fixture, "newer");
}

static void
test_no_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *in_missing_folder = g_build_filename (fixture->folder, "no", "tasks.db", NULL);
  g_autoptr (GmcpTaskStore) missing = gmcp_task_store_new (in_missing_folder, "alice", 5000);
  g_autoptr (GmcpTaskStore) folder = gmcp_task_store_new (fixture->folder, "alice", 5000);
  g_autoptr (GmcpTaskStore) device = gmcp_task_store_new ("/dev/null", "alice", 5000);
  g_autoptr (GError) error = NULL;

  g_assert_null (list (missing, GMCP_TASK_STATUS_ALL, 10, 0, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
  g_assert_nonnull (strstr (error->message, "folder does not exist"));
  g_clear_error (&error);

  g_assert_null (list (folder, GMCP_TASK_STATUS_ALL, 10, 0, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
  g_clear_error (&error);

  g_assert_null (list (device, GMCP_TASK_STATUS_ALL, 10, 0, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
}

#define NOBODY 65534

static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskStore) writer = gmcp_task_store_new (fixture->filename, "alice", 5000);
  gboolean is_root = geteuid () == 0;

  add_task (writer, "Task");
  g_clear_object (&writer);
  g_assert_no_errno (g_chmod (fixture->filename, 0444));
  if (is_root)
    {
      /* The mode of a file does not stop root. */
      g_assert_no_errno (chown (fixture->folder, NOBODY, NOBODY));
      g_assert_no_errno (seteuid (NOBODY));
    }

  /* A read-only file in a folder that is not: reading is fine. */
  assert_total (fixture->store, 1);
  g_assert_null (create (fixture->store, "Not here", NULL, NULL, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
  g_assert_nonnull (strstr (error->message, "writable"));
  g_clear_error (&error);
  g_clear_object (&fixture->store);

  /* Nor is the folder writable: an error, not a hang. */
  g_assert_no_errno (g_chmod (fixture->folder, 0500));
  fixture->store = gmcp_task_store_new (fixture->filename, "alice", 5000);
  g_assert_null (create (fixture->store, "Not here", NULL, NULL, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE);
  g_assert_no_errno (g_chmod (fixture->folder, 0700));

  if (is_root)
    g_assert_no_errno (seteuid (0));
}

static void
test_file_replaced (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTaskRecord) second = NULL;
  g_autofree char *wal = g_strconcat (fixture->filename, "-wal", NULL);
  g_autofree char *shm = g_strconcat (fixture->filename, "-shm", NULL);

  add_task (fixture->store, "First");
  g_assert_no_errno (g_remove (fixture->filename));
  g_remove (wal);
  g_remove (shm);

  assert_total (fixture->store, 0);
  second = create_titled (fixture->store, "Second");
  g_assert_true (g_file_test (fixture->filename, G_FILE_TEST_IS_REGULAR));
  assert_total (fixture->store, 1);
}

#define LIMIT(ms) GUINT_TO_POINTER (ms)

static const struct
{
  const char *path;
  guint timeout_ms;
  void (*func) (Fixture *fixture, gconstpointer data);
} tests[] = {
  { "/task-store/create", 0, test_create },
  { "/task-store/create/refused", 0, test_create_refused },
  { "/task-store/update", 0, test_update },
  { "/task-store/complete", 0, test_complete },
  { "/task-store/delete", 0, test_delete },
  { "/task-store/other-user", 0, test_other_user },
  { "/task-store/paging", 0, test_paging },
  { "/task-store/many-in-flight", 0, test_many_in_flight },
  { "/task-store/not-utf8", 0, test_not_utf8 },
  { "/task-store/locked", 1000, test_locked },
  { "/task-store/locked/released", 0, test_lock_released },
  { "/task-store/locked/for-readers", 1000, test_locked_for_readers },
  { "/task-store/cancel/waiting", 0, test_cancel_waiting },
  { "/task-store/cancel/before", 0, test_cancelled_before },
  { "/task-store/interrupt/limit", 200, test_interrupt_at_limit },
  { "/task-store/interrupt/cancel", 0, test_interrupt_by_cancel },
  { "/task-store/interrupt/dispose", 0, test_dispose_while_running },
  { "/task-store/disk/hangs", 1000, test_disk_hangs },
  { "/task-store/disk/full", 0, test_disk_full },
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

  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, LIMIT (tests[i].timeout_ms), set_up, tests[i].func,
                tear_down);

  return g_test_run ();
}
