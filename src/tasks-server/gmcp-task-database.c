/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-connect.h"
#include "gmcp-task-database.h"
#include "gmcp-task-error.h"
#include "gmcp-task-sql.h"

struct _GmcpTaskDatabase
{
  char *filename;
  GMutex handle_lock; /* held to change the handle, and by interrupt() to use it */
  sqlite3 *handle;    /* NULL: not open */
  gboolean broken;    /* open it afresh next time: what was wrong may be mended by then */
  sqlite3_stmt *statements[GMCP_TASK_N_SQL];
  GmcpTaskStopFunc stop_func;
  gpointer stop_data;
};

/* Opens nothing yet, so it cannot fail: a server with a bad file still starts. */
GmcpTaskDatabase *
gmcp_task_database_new (const char *filename, GmcpTaskStopFunc stop_func, gpointer stop_data)
{
  GmcpTaskDatabase *self = g_new0 (GmcpTaskDatabase, 1);

  self->filename = g_strdup (filename);
  self->stop_func = stop_func;
  self->stop_data = stop_data;
  g_mutex_init (&self->handle_lock);
  return self;
}

static void
set_handle (GmcpTaskDatabase *self, sqlite3 *handle)
{
  g_mutex_lock (&self->handle_lock);
  self->handle = handle;
  g_mutex_unlock (&self->handle_lock);
}

static void
database_close (GmcpTaskDatabase *self)
{
  sqlite3 *handle = self->handle;

  for (guint i = 0; i < GMCP_TASK_N_SQL; i++)
    g_clear_pointer (&self->statements[i], sqlite3_finalize);

  set_handle (self, NULL);
  sqlite3_close (handle);
}

void
gmcp_task_database_free (GmcpTaskDatabase *self)
{
  database_close (self);
  g_mutex_clear (&self->handle_lock);
  g_free (self->filename);
  g_free (self);
}

static gboolean
should_stop (GmcpTaskDatabase *self)
{
  return self->stop_func != NULL && self->stop_func (self->stop_data);
}

static int
on_progress (gpointer user_data)
{
  return should_stop (user_data);
}

/* Ends the statement that runs, if any. May be called from any thread. */
void
gmcp_task_database_interrupt (GmcpTaskDatabase *self)
{
  g_mutex_lock (&self->handle_lock);
  if (self->handle != NULL)
    sqlite3_interrupt (self->handle);
  g_mutex_unlock (&self->handle_lock);
}

static gboolean
fail_with_code (GmcpTaskDatabase *self, int code, GError **error)
{
  g_autoptr (GError) reason = NULL;

  gmcp_task_set_sqlite_error (self->filename, code, sqlite3_errmsg (self->handle), &reason);
  if (g_error_matches (reason, GMCP_TASK_ERROR, GMCP_TASK_ERROR_DATABASE))
    self->broken = TRUE;

  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}

/* Gives a prepared statement, ready for its values. */
sqlite3_stmt *
gmcp_task_database_get_statement (GmcpTaskDatabase *self, GmcpTaskSql sql, GError **error)
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

/* Goes to the next row; @has_row tells whether there is one. */
gboolean
gmcp_task_database_step (GmcpTaskDatabase *self,
                         sqlite3_stmt *statement,
                         gboolean *has_row,
                         GError **error)
{
  /* An interrupt that came between two statements is lost to SQLite. */
  int code = should_stop (self) ? SQLITE_INTERRUPT : sqlite3_step (statement);

  *has_row = code == SQLITE_ROW;
  return code == SQLITE_ROW || code == SQLITE_DONE || fail_with_code (self, code, error);
}

/* Runs a statement that gives no rows. */
gboolean
gmcp_task_database_run (GmcpTaskDatabase *self, sqlite3_stmt *statement, GError **error)
{
  gboolean has_row;
  gboolean done = gmcp_task_database_step (self, statement, &has_row, error);

  sqlite3_reset (statement);
  return done;
}

static gboolean
run_sql (GmcpTaskDatabase *self, GmcpTaskSql sql, GError **error)
{
  sqlite3_stmt *statement = gmcp_task_database_get_statement (self, sql, error);

  return statement != NULL && gmcp_task_database_run (self, statement, error);
}

int
gmcp_task_database_count_changes (GmcpTaskDatabase *self)
{
  return sqlite3_changes (self->handle);
}

static gboolean
file_was_replaced (GmcpTaskDatabase *self)
{
  int moved = 0;

  sqlite3_file_control (self->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

/* Begins a transaction, and opens the database where it is not open. */
gboolean
gmcp_task_database_begin (GmcpTaskDatabase *self, gboolean writes, GError **error)
{
  if (self->handle != NULL && (self->broken || file_was_replaced (self)))
    database_close (self);

  if (self->handle == NULL)
    {
      sqlite3 *handle = gmcp_task_connect (self->filename, on_progress, self, error);

      if (handle == NULL)
        return FALSE;

      self->broken = FALSE;
      set_handle (self, handle);
    }

  return run_sql (self, writes ? GMCP_TASK_SQL_BEGIN_WRITE : GMCP_TASK_SQL_BEGIN_READ, error);
}

static void
reset_statements (GmcpTaskDatabase *self)
{
  for (guint i = 0; i < GMCP_TASK_N_SQL; i++)
    if (self->statements[i] != NULL)
      sqlite3_reset (self->statements[i]);
}

gboolean
gmcp_task_database_commit (GmcpTaskDatabase *self, GError **error)
{
  reset_statements (self);
  return run_sql (self, GMCP_TASK_SQL_COMMIT, error);
}

void
gmcp_task_database_rollback (GmcpTaskDatabase *self)
{
  if (self->handle == NULL)
    return;

  reset_statements (self);

  /* Straight to SQLite: this has to work for a call that is being stopped too. */
  if (!sqlite3_get_autocommit (self->handle))
    sqlite3_exec (self->handle, "ROLLBACK", NULL, NULL, NULL);

  /* A late interrupt can hit the ROLLBACK itself; closing does its work. */
  if (!sqlite3_get_autocommit (self->handle))
    database_close (self);
}
