/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>

#include "gmcp-task-limits.h"
#include "task-store-fixture.h"

void
task_store_on_result (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **out = user_data;

  g_assert_null (*out);
  *out = g_object_ref (result);
}

GAsyncResult *
task_store_wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);

  return *result;
}

GmcpTaskPage *
task_store_list (GmcpTaskStore *store,
                 GmcpTaskStatus status,
                 guint limit,
                 guint offset,
                 GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_task_store_list_async (store, status, limit, offset, NULL, task_store_on_result, &result);
  return gmcp_task_store_list_finish (store, task_store_wait_for (&result), error);
}

GmcpTaskRecord *
task_store_create (GmcpTaskStore *store,
                   const char *title,
                   const char *description,
                   const char *due_date,
                   GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_task_store_create_async (store, title, description, due_date, NULL, task_store_on_result,
                                &result);
  return gmcp_task_store_create_finish (store, task_store_wait_for (&result), error);
}

GmcpTaskRecord *
task_store_update (GmcpTaskStore *store,
                   const char *id,
                   const char *title,
                   const char *description,
                   GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_task_store_update_async (store, id, title, description, NULL, task_store_on_result, &result);
  return gmcp_task_store_update_finish (store, task_store_wait_for (&result), error);
}

GmcpTaskRecord *
task_store_complete (GmcpTaskStore *store, const char *id, gboolean completed, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_task_store_complete_async (store, id, completed, NULL, task_store_on_result, &result);
  return gmcp_task_store_complete_finish (store, task_store_wait_for (&result), error);
}

char *
task_store_delete (GmcpTaskStore *store, const char *id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_task_store_delete_async (store, id, NULL, task_store_on_result, &result);
  return gmcp_task_store_delete_finish (store, task_store_wait_for (&result), error);
}

GmcpTaskRecord *
task_store_create_titled (GmcpTaskStore *store, const char *title)
{
  g_autoptr (GError) error = NULL;
  GmcpTaskRecord *record = task_store_create (store, title, NULL, NULL, &error);

  g_assert_no_error (error);
  return record;
}

void
task_store_add (GmcpTaskStore *store, const char *title)
{
  gmcp_task_record_free (task_store_create_titled (store, title));
}

void
task_store_assert_total (GmcpTaskStore *store, gint64 total)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTaskPage) page = task_store_list (store, GMCP_TASK_STATUS_ALL, 1, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpint (page->total, ==, total);
}

sqlite3 *
task_store_fixture_open_beside (TaskStoreFixture *fixture)
{
  sqlite3 *handle = NULL;

  g_assert_cmpint (sqlite3_open (fixture->filename, &handle), ==, SQLITE_OK);
  return handle;
}

void
task_store_execute (sqlite3 *handle, const char *sql)
{
  char *message = NULL;

  if (sqlite3_exec (handle, sql, NULL, NULL, &message) != SQLITE_OK)
    g_error ("%s: %s", sql, message);
}

static void
set_up (TaskStoreFixture *fixture, gconstpointer data)
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
tear_down (TaskStoreFixture *fixture, gconstpointer data)
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

void
task_store_add_tests (const TaskStoreTest *tests, gsize n_tests)
{
  for (gsize i = 0; i < n_tests; i++)
    g_test_add (tests[i].path, TaskStoreFixture, GUINT_TO_POINTER (tests[i].timeout_ms), set_up,
                tests[i].func, tear_down);
}
