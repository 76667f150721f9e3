/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <sys/stat.h>

#include "gmcp-task-error.h"
#include "gmcp-task-limits.h"
#include "task-store-fixture.h"

static void
test_create (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) record = NULL;
  g_autoptr (GmcpTaskPage) page = NULL;
  g_autoptr (GmcpTaskStore) second = NULL;
  g_autoptr (GDateTime) created = NULL;
  const GmcpTaskRecord *listed;
  GStatBuf info;

  record = task_store_create (fixture->store, "  Milch kaufen – 牛乳 🥛 ", "two\nlines\t…",
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

  if (task_store_fixture_has_file (fixture))
    {
      g_assert_no_errno (g_stat (fixture->filename, &info));
      g_assert_cmphex (info.st_mode & 0777, ==, 0600);
    }

  /* It is in the database, not in the object. */
  second = gmcp_task_store_new (fixture->location, 5000);
  page = task_store_list (second, GMCP_TASK_SELECTION_ALL, 10, 0, &error);
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
test_create_refused (TaskStoreFixture *fixture, gconstpointer data)
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
      g_autoptr (GmcpTaskRecord) record = task_store_create (
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
  longest = task_store_create (fixture->store, longest_title->str, "   ", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (longest->title, ==, longest_title->str);
  g_assert_null (longest->description);
}

static void
test_update (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) task
    = task_store_create (fixture->store, "Old", "Text", "2026-08-01", &error);
  g_autoptr (GmcpTaskRecord) renamed = NULL;
  g_autoptr (GmcpTaskRecord) cleared = NULL;
  g_autoptr (GmcpTaskRecord) refused = NULL;
  g_autoptr (GmcpTaskRecord) missing = NULL;

  g_assert_no_error (error);
  renamed = task_store_update (fixture->store, task->id, "New", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (renamed->title, ==, "New");
  g_assert_cmpstr (renamed->description, ==, "Text");
  g_assert_cmpstr (renamed->due_date, ==, "2026-08-01");

  cleared = task_store_update (fixture->store, task->id, NULL, "", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (cleared->title, ==, "New");
  g_assert_null (cleared->description);

  refused = task_store_update (fixture->store, task->id, NULL, NULL, &error);
  g_assert_null (refused);
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_VALIDATION);
  g_clear_error (&error);

  refused = task_store_update (fixture->store, task->id, " ", "still there", &error);
  g_assert_null (refused);
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_VALIDATION);
  g_clear_error (&error);

  missing = task_store_update (fixture->store, "no-such-task", "x", NULL, &error);
  g_assert_null (missing);
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);
  g_assert_cmpstr (gmcp_task_error_get_word (error), ==, "TASK_NOT_FOUND");
}

static void
test_complete (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) task = task_store_create_titled (fixture->store, "Task");
  g_autoptr (GmcpTaskRecord) done = NULL;
  g_autoptr (GmcpTaskRecord) again = NULL;
  g_autoptr (GmcpTaskRecord) reopened = NULL;
  g_autoptr (GmcpTaskRecord) missing = NULL;
  g_autoptr (GmcpTaskPage) pending = NULL;
  g_autoptr (GmcpTaskPage) completed = NULL;

  done = task_store_complete (fixture->store, task->id, TRUE, &error);
  g_assert_no_error (error);
  g_assert_nonnull (done->completed_at);

  /* The second time changes nothing, which a time in the past would show. */
  task_store_fixture_execute_beside (fixture,
                                     "UPDATE tasks SET completed_at = '2001-01-01T00:00:00Z',"
                                     " updated_at = '2001-01-01T00:00:00Z'");
  again = task_store_complete (fixture->store, task->id, TRUE, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again->completed_at, ==, "2001-01-01T00:00:00Z");
  g_assert_cmpstr (again->updated_at, ==, "2001-01-01T00:00:00Z");

  pending = task_store_list (fixture->store, GMCP_TASK_SELECTION_PENDING, 10, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (pending->total, ==, 0);
  completed = task_store_list (fixture->store, GMCP_TASK_SELECTION_COMPLETED, 10, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (completed->total, ==, 1);
  g_assert_cmpuint (completed->tasks->len, ==, 1);

  reopened = task_store_complete (fixture->store, task->id, FALSE, &error);
  g_assert_no_error (error);
  g_assert_null (reopened->completed_at);
  g_assert_cmpstr (reopened->updated_at, !=, "2001-01-01T00:00:00Z");

  missing = task_store_complete (fixture->store, "", TRUE, &error);
  g_assert_null (missing);
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);
}

static void
test_delete (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) task = task_store_create_titled (fixture->store, "Task");
  g_autofree char *deleted = NULL;
  g_autofree char *again = NULL;

  task_store_add (fixture->store, "Other");
  deleted = task_store_delete (fixture->store, task->id, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (deleted, ==, task->id);
  task_store_assert_total (fixture->store, 1);

  again = task_store_delete (fixture->store, task->id, &error);
  g_assert_null (again);
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);
}

static void
test_other_user (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) task = task_store_create_titled (fixture->store, "Alice's");
  g_autoptr (GmcpTaskRecord) bobs = NULL;
  g_autoptr (GmcpTaskPage) page = NULL;

  task_store_user = "bob";
  bobs = task_store_create_titled (fixture->store, "Bob's");
  page = task_store_list (fixture->store, GMCP_TASK_SELECTION_ALL, 10, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (page->total, ==, 1);
  g_assert_cmpstr (((GmcpTaskRecord *) g_ptr_array_index (page->tasks, 0))->id, ==, bobs->id);

  g_assert_null (task_store_update (fixture->store, task->id, "Mine", NULL, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (task_store_complete (fixture->store, task->id, TRUE, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (task_store_delete (fixture->store, task->id, &error));
  g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);

  task_store_user = "alice";
  task_store_assert_total (fixture->store, 1);
}

/* What would end a statement or leave a text, were it pasted into one. */
static const char *const tricks[] = {
  "'; DROP TABLE tasks; --",
  "\"; DELETE FROM users; --",
  "' OR '1'='1",
  "?1 $1 :id @id %s %n",
  "\\'; SELECT pg_sleep (60); --",
  "$$; DROP SCHEMA gmcp_tasks CASCADE; $$",
  "../../../../etc/passwd",
  "file:///etc/passwd?mode=rwc",
  "/* */ UNION SELECT name FROM users",
};

static void
test_tricks (TaskStoreFixture *fixture, gconstpointer data)
{
  task_store_add (fixture->store, "Kept");
  for (gsize i = 0; i < G_N_ELEMENTS (tricks); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpTaskRecord) record
        = task_store_create (fixture->store, tricks[i], tricks[i], NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (record->title, ==, tricks[i]);
      g_assert_cmpstr (record->description, ==, tricks[i]);

      g_assert_null (task_store_update (fixture->store, tricks[i], tricks[i], NULL, &error));
      g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);
      g_clear_error (&error);
      g_assert_null (task_store_delete (fixture->store, tricks[i], &error));
      g_assert_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_NOT_FOUND);
      g_clear_error (&error);

      /* As a name it is a user of its own, who has nothing. */
      task_store_user = tricks[i];
      task_store_assert_total (fixture->store, 0);
      task_store_add (fixture->store, "Theirs");
      task_store_assert_total (fixture->store, 1);
      task_store_user = "alice";
      task_store_assert_total (fixture->store, 2 + (gint64) i);
    }
}

#define N_MANY 10000

static void
test_paging (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskRecord) first = task_store_create_titled (fixture->store, "0");
  g_autoptr (GmcpTaskRecord) done = NULL;
  g_autoptr (GmcpTaskPage) beyond = NULL;
  g_autofree char *sql = NULL;
  guint n_seen = 0;

  sql = g_strdup_printf (
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
    " WHERE i < %d)"
    " INSERT INTO tasks (id, user_id, title, created_at, updated_at)"
    " SELECT 'id-' || i, 1, CAST (i AS TEXT), '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'"
    " FROM n",
    N_MANY - 1);
  task_store_fixture_execute_beside (fixture, sql);

  while (n_seen < N_MANY)
    {
      g_autoptr (GmcpTaskPage) page
        = task_store_list (fixture->store, GMCP_TASK_SELECTION_ALL, 999, n_seen, &error);

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
          done = task_store_complete (fixture->store, first->id, TRUE, &error);
          g_assert_no_error (error);
        }
    }

  beyond = task_store_list (fixture->store, GMCP_TASK_SELECTION_PENDING, 10, N_MANY + 5, &error);
  g_assert_no_error (error);
  g_assert_cmpint (beyond->total, ==, N_MANY - 1);
  g_assert_cmpuint (beyond->tasks->len, ==, 0);
}

static void
test_many_in_flight (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTaskStore) second = gmcp_task_store_new (fixture->location, 30000);
  GAsyncResult *results[60] = { NULL };

  /* Two connections at once, from an empty file on: both have to make the tables. */
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    gmcp_task_store_create_async (i % 2 == 0 ? fixture->store : second, task_store_user, "Task",
                                  NULL, NULL, NULL, task_store_on_result, &results[i]);

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GAsyncResult) result = task_store_wait_for (&results[i]);
      g_autoptr (GmcpTaskRecord) record
        = gmcp_task_store_create_finish (i % 2 == 0 ? fixture->store : second, result, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (record->title, ==, "Task");
    }

  task_store_assert_total (fixture->store, G_N_ELEMENTS (results));
}

static void
test_not_utf8 (TaskStoreFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskPage) page = NULL;

  if (!task_store_fixture_has_file (fixture))
    {
      g_test_skip ("PostgreSQL has no text that is not UTF-8");
      return;
    }

  task_store_add (fixture->store, "Task");
  task_store_fixture_execute_beside (fixture, "UPDATE tasks SET title = CAST (x'41ff42' AS TEXT)");

  page = task_store_list (fixture->store, GMCP_TASK_SELECTION_ALL, 10, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (((GmcpTaskRecord *) g_ptr_array_index (page->tasks, 0))->title, ==,
                   "A\357\277\275B");
}

static const TaskStoreTest tests[] = {
  { "/task-store/create", 0, test_create },
  { "/task-store/create/refused", 0, test_create_refused },
  { "/task-store/update", 0, test_update },
  { "/task-store/complete", 0, test_complete },
  { "/task-store/delete", 0, test_delete },
  { "/task-store/other-user", 0, test_other_user },
  { "/task-store/tricks", 0, test_tricks },
  { "/task-store/paging", 0, test_paging },
  { "/task-store/many-in-flight", 0, test_many_in_flight },
  { "/task-store/not-utf8", 0, test_not_utf8 },
};

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  task_store_add_tests (tests, G_N_ELEMENTS (tests));
  return g_test_run ();
}
