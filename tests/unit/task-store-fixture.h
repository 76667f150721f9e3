/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <sqlite3.h>

#include "gmcp-task-store.h"

G_BEGIN_DECLS

/* A store over a file of its own, and calls of it that wait for their answer. */
typedef struct
{
  char *folder;
  char *filename;
  GmcpTaskStore *store;
} TaskStoreFixture;

typedef struct
{
  const char *path;
  guint timeout_ms; /* 0: the default */
  void (*func) (TaskStoreFixture *fixture, gconstpointer data);
} TaskStoreTest;

void task_store_add_tests (const TaskStoreTest *tests, gsize n_tests);

void task_store_on_result (GObject *object, GAsyncResult *result, gpointer user_data);

GAsyncResult *task_store_wait_for (GAsyncResult **result);

GmcpTaskPage *task_store_list (GmcpTaskStore *store,
                               GmcpTaskStatus status,
                               guint limit,
                               guint offset,
                               GError **error);

GmcpTaskRecord *task_store_create (GmcpTaskStore *store,
                                   const char *title,
                                   const char *description,
                                   const char *due_date,
                                   GError **error);

GmcpTaskRecord *task_store_update (GmcpTaskStore *store,
                                   const char *id,
                                   const char *title,
                                   const char *description,
                                   GError **error);

GmcpTaskRecord *
task_store_complete (GmcpTaskStore *store, const char *id, gboolean completed, GError **error);

char *task_store_delete (GmcpTaskStore *store, const char *id, GError **error);

GmcpTaskRecord *task_store_create_titled (GmcpTaskStore *store, const char *title);

void task_store_add (GmcpTaskStore *store, const char *title);

void task_store_assert_total (GmcpTaskStore *store, gint64 total);

sqlite3 *task_store_fixture_open_beside (TaskStoreFixture *fixture);

void task_store_execute (sqlite3 *handle, const char *sql);

G_END_DECLS
