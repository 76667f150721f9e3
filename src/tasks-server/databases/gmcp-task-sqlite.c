/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-error.h"
#include "gmcp-task-sql.h"
#include "gmcp-task-sqlite-connect.h"
#include "gmcp-task-sqlite.h"

/* A database in one file. */

typedef struct
{
  GmcpTaskDatabase parent;

  char *filename;
  GMutex handle_lock; /* held to change the handle, and by interrupt() to use it */
  sqlite3 *handle;    /* NULL: not open */
  gboolean broken;    /* open it afresh next time: what was wrong may be mended by then */
  sqlite3_stmt *statements[GMCP_TASK_N_SQL];
} GmcpTaskSqlite;

static void
set_handle (GmcpTaskSqlite *self, sqlite3 *handle)
{
  g_mutex_lock (&self->handle_lock);
  self->handle = handle;
  g_mutex_unlock (&self->handle_lock);
}

static void
close_file (GmcpTaskSqlite *self)
{
  sqlite3 *handle = self->handle;

  for (guint i = 0; i < GMCP_TASK_N_SQL; i++)
    g_clear_pointer (&self->statements[i], sqlite3_finalize);

  set_handle (self, NULL);
  sqlite3_close (handle);
}

static void
sqlite_free (GmcpTaskDatabase *database)
{
  GmcpTaskSqlite *self = (GmcpTaskSqlite *) database;

  close_file (self);
  g_mutex_clear (&self->handle_lock);
  g_free (self->filename);
  g_free (self);
}

static int
on_progress (gpointer user_data)
{
  return gmcp_task_database_should_stop (user_data);
}

static void
sqlite_interrupt (GmcpTaskDatabase *database)
{
  GmcpTaskSqlite *self = (GmcpTaskSqlite *) database;

  g_mutex_lock (&self->handle_lock);
  if (self->handle != NULL)
    sqlite3_interrupt (self->handle);
  g_mutex_unlock (&self->handle_lock);
}

static gboolean
fail_with_code (GmcpTaskSqlite *self, int code, GError **error)
{
  g_autoptr (GError) reason = NULL;

  gmcp_task_sqlite_set_error (self->filename, code, sqlite3_errmsg (self->handle), &reason);
  if (g_error_matches (reason, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE))
    self->broken = TRUE;

  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}

/* Gives a prepared statement, ready for its values. */
static sqlite3_stmt *
prepare_statement (GmcpTaskSqlite *self, GmcpTaskSql sql, GError **error)
{
  sqlite3_stmt **statement = &self->statements[sql];

  if (*statement == NULL)
    {
      int code = sqlite3_prepare_v3 (self->handle, gmcp_task_sql_texts[sql], -1,
                                     SQLITE_PREPARE_PERSISTENT, statement, NULL);

      if (code != SQLITE_OK)
        {
          fail_with_code (self, code, error);
          return NULL;
        }
    }

  sqlite3_reset (*statement);
  sqlite3_clear_bindings (*statement);
  return *statement;
}

static void
give_row (sqlite3_stmt *statement, const GmcpTaskStatement *request)
{
  const char *columns[GMCP_TASK_MAX_COLUMNS] = { NULL };

  if (request->row_func == NULL)
    return;

  for (int i = 0; i < MIN (sqlite3_column_count (statement), GMCP_TASK_MAX_COLUMNS); i++)
    columns[i] = (const char *) sqlite3_column_text (statement, i);
  request->row_func (columns, request->row_data);
}

static gboolean
sqlite_run (GmcpTaskDatabase *database, GmcpTaskStatement *request, GError **error)
{
  GmcpTaskSqlite *self = (GmcpTaskSqlite *) database;
  sqlite3_stmt *statement;
  int code;

  if (gmcp_task_sql_texts[request->sql] == NULL)
    return TRUE;

  statement = prepare_statement (self, request->sql, error);
  if (statement == NULL)
    return FALSE;

  for (int i = 0; i < sqlite3_bind_parameter_count (statement); i++)
    sqlite3_bind_text (statement, i + 1, request->values[i], -1, SQLITE_STATIC);

  do
    {
      /* An interrupt that came between two statements is lost to SQLite. */
      code
        = gmcp_task_database_should_stop (database) ? SQLITE_INTERRUPT : sqlite3_step (statement);
      if (code == SQLITE_ROW)
        give_row (statement, request);
    }
  while (code == SQLITE_ROW);

  if (code != SQLITE_DONE)
    fail_with_code (self, code, error);
  request->n_changes = sqlite3_changes (self->handle);
  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
  return code == SQLITE_DONE;
}

static gboolean
execute_text (GmcpTaskSqlite *self, const char *sql, GError **error)
{
  int code = gmcp_task_database_should_stop (&self->parent)
               ? SQLITE_INTERRUPT
               : sqlite3_exec (self->handle, sql, NULL, NULL, NULL);

  return code == SQLITE_OK || fail_with_code (self, code, error);
}

static gboolean
file_was_replaced (GmcpTaskSqlite *self)
{
  int moved = 0;

  sqlite3_file_control (self->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

static gboolean
sqlite_begin (GmcpTaskDatabase *database, gboolean writes, GError **error)
{
  GmcpTaskSqlite *self = (GmcpTaskSqlite *) database;

  if (self->handle != NULL && (self->broken || file_was_replaced (self)))
    close_file (self);

  if (self->handle == NULL)
    {
      sqlite3 *handle = gmcp_task_sqlite_connect (self->filename, on_progress, self, error);

      if (handle == NULL)
        return FALSE;

      self->broken = FALSE;
      set_handle (self, handle);
    }

  return execute_text (self, writes ? "BEGIN IMMEDIATE" : "BEGIN", error);
}

static gboolean
sqlite_commit (GmcpTaskDatabase *database, GError **error)
{
  return execute_text ((GmcpTaskSqlite *) database, "COMMIT", error);
}

static void
sqlite_rollback (GmcpTaskDatabase *database)
{
  GmcpTaskSqlite *self = (GmcpTaskSqlite *) database;

  if (self->handle == NULL)
    return;

  /* Straight to SQLite: this has to work for a call that is being stopped too. */
  if (!sqlite3_get_autocommit (self->handle))
    sqlite3_exec (self->handle, "ROLLBACK", NULL, NULL, NULL);

  /* A late interrupt can hit the ROLLBACK itself; closing does its work. */
  if (!sqlite3_get_autocommit (self->handle))
    close_file (self);
}

static const GmcpTaskDatabaseClass sqlite_class = {
  .begin = sqlite_begin,
  .run = sqlite_run,
  .commit = sqlite_commit,
  .rollback = sqlite_rollback,
  .interrupt = sqlite_interrupt,
  .free = sqlite_free,
};

GmcpTaskDatabase *
gmcp_task_sqlite_new (const char *filename)
{
  GmcpTaskSqlite *self = g_new0 (GmcpTaskSqlite, 1);

  self->parent.klass = &sqlite_class;
  self->filename = g_strdup (filename);
  g_mutex_init (&self->handle_lock);
  return &self->parent;
}
