/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-database.h"
#include "gmcp-task-sql.h"

/* Entry N takes a database of version N to version N + 1. A released entry never changes. */
const char *const gmcp_task_sql_migrations[GMCP_TASK_SCHEMA_VERSION] = {
  "CREATE TABLE users ("
  "  id INTEGER PRIMARY KEY,"
  "  name TEXT NOT NULL UNIQUE"
  ");"
  "CREATE TABLE tasks ("
  "  sequence INTEGER PRIMARY KEY AUTOINCREMENT,"
  "  id TEXT NOT NULL UNIQUE,"
  "  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,"
  "  title TEXT NOT NULL CHECK (title <> ''),"
  "  description TEXT,"
  "  due_date TEXT,"
  "  created_at TEXT NOT NULL,"
  "  updated_at TEXT NOT NULL,"
  "  completed_at TEXT"
  ");"
  "CREATE INDEX tasks_by_user ON tasks (user_id);"
  "CREATE INDEX tasks_by_user_and_state ON tasks (user_id, (completed_at IS NOT NULL));",
};

#define COLUMNS  "id, title, description, due_date, created_at, updated_at, completed_at"
#define OF_USER  "user_id = (SELECT id FROM users WHERE name = ?1)"
#define OF_STATE "(completed_at IS NOT NULL) = ?2"

/* The order of a list is that of creation: it does not move when a task is changed or completed,
 * so a page begins where the one before it ended. */
const char *const gmcp_task_sql_texts[] = {
  [GMCP_TASK_SQL_BEGIN_READ] = "BEGIN",
  [GMCP_TASK_SQL_BEGIN_WRITE] = "BEGIN IMMEDIATE",
  [GMCP_TASK_SQL_COMMIT] = "COMMIT",
  [GMCP_TASK_SQL_COUNT_ALL] = "SELECT count(*) FROM tasks WHERE " OF_USER,
  [GMCP_TASK_SQL_COUNT_BY_STATE] = "SELECT count(*) FROM tasks WHERE " OF_USER " AND " OF_STATE,
  [GMCP_TASK_SQL_LIST_ALL]
  = "SELECT " COLUMNS " FROM tasks WHERE " OF_USER " ORDER BY sequence LIMIT ?3 OFFSET ?4",
  [GMCP_TASK_SQL_LIST_BY_STATE] = "SELECT " COLUMNS " FROM tasks WHERE " OF_USER " AND " OF_STATE
                                  " ORDER BY sequence LIMIT ?3 OFFSET ?4",
  [GMCP_TASK_SQL_GET] = "SELECT " COLUMNS " FROM tasks WHERE id = ?2 AND " OF_USER,
  [GMCP_TASK_SQL_ADD_USER] = "INSERT INTO users (name) VALUES (?1) ON CONFLICT DO NOTHING",
  [GMCP_TASK_SQL_ADD_TASK]
  = "INSERT INTO tasks (id, user_id, title, description, due_date, created_at, updated_at)"
    " SELECT ?2, id, ?3, ?4, ?5, ?6, ?6 FROM users WHERE name = ?1",
  [GMCP_TASK_SQL_CHANGE_TASK]
  = "UPDATE tasks SET title = ?3, description = ?4, updated_at = ?5, completed_at = ?6"
    " WHERE id = ?2 AND " OF_USER,
  [GMCP_TASK_SQL_DELETE_TASK] = "DELETE FROM tasks WHERE id = ?2 AND " OF_USER,
};

G_STATIC_ASSERT (G_N_ELEMENTS (gmcp_task_sql_texts) == GMCP_TASK_N_SQL);
