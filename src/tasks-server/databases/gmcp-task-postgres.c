/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcp-task-error.h"
#include "gmcp-task-limits.h"
#include "gmcp-task-postgres-link.h"
#include "gmcp-task-postgres.h"
#include "gmcp-task-sql.h"

/* A database of PostgreSQL, which several programs on several machines use at once. */

/* How long a statement waits for a lock of others before its job goes back into the queue. */
#define LOCK_TIMEOUT_MS 50

typedef struct
{
  GmcpTaskDatabase parent;

  GmcpTaskLink *link;
  guint timeout_ms;
  int n_values[GMCP_TASK_N_SQL];
  gboolean is_prepared[GMCP_TASK_N_SQL];
  gboolean writes; /* of the transaction that runs */
} GmcpTaskPostgres;

static gboolean
postgres_should_stop (gpointer user_data)
{
  return gmcp_task_database_should_stop (user_data);
}

static void
postgres_free (GmcpTaskDatabase *database)
{
  GmcpTaskPostgres *self = (GmcpTaskPostgres *) database;

  gmcp_task_link_free (self->link);
  g_free (self);
}

static void
postgres_interrupt (GmcpTaskDatabase *database)
{
  gmcp_task_link_wake (((GmcpTaskPostgres *) database)->link);
}

static gboolean
run_text (GmcpTaskPostgres *self, const char *sql, GError **error)
{
  PGresult *result = gmcp_task_link_execute (self->link, sql, error);

  if (result != NULL)
    gmcp_task_link_get_pq (self->link)->clear (result);
  return result != NULL;
}

/* The server ends by itself what nobody could tell it to end: a statement when the call's time is
 * over, or a little after its connection is closed. A server that has no such setting goes without. */
static gboolean
set_limits (GmcpTaskPostgres *self, GError **error)
{
  static const char sql[]
    = "SELECT set_config (name, CASE name WHEN 'lock_timeout' THEN $1 WHEN"
      " 'client_connection_check_interval' THEN '1000' ELSE $2 END, false) FROM pg_settings WHERE"
      " name IN ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout',"
      " 'client_connection_check_interval')";
  g_autofree char *lock_ms = g_strdup_printf ("%d", LOCK_TIMEOUT_MS);
  g_autofree char *call_ms
    = g_strdup_printf ("%u", self->timeout_ms + GMCP_TASK_INTERRUPT_GRACE_MS);
  const char *const values[] = { lock_ms, call_ms };
  PGresult *result = gmcp_task_link_execute_with (self->link, sql, 2, values, error);

  if (result != NULL)
    gmcp_task_link_get_pq (self->link)->clear (result);
  return result != NULL;
}

static gboolean
open_link (GmcpTaskPostgres *self, GError **error)
{
  for (guint i = 0; i < GMCP_TASK_N_SQL; i++)
    self->is_prepared[i] = FALSE;

  if (!gmcp_task_link_open (self->link, error))
    return FALSE;

  if (set_limits (self, error) && gmcp_task_postgres_prepare_schema (self->link, error))
    return TRUE;

  gmcp_task_link_close (self->link);
  return FALSE;
}

static gboolean
postgres_begin (GmcpTaskDatabase *database, gboolean writes, GError **error)
{
  GmcpTaskPostgres *self = (GmcpTaskPostgres *) database;

  self->writes = writes;
  if (!gmcp_task_link_is_open (self->link) && !open_link (self, error))
    return FALSE;

  /* Of a list and of how many there are, both are of one moment. */
  return run_text (self,
                   writes ? "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
                          : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                   error);
}

static gboolean
prepare_statement (GmcpTaskPostgres *self, GmcpTaskSql sql, const char *name, GError **error)
{
  g_autofree char *text = NULL;

  if (self->is_prepared[sql])
    return TRUE;

  text = gmcp_task_sql_dup_postgres_text (sql, &self->n_values[sql]);
  self->is_prepared[sql] = gmcp_task_link_prepare (self->link, name, text, error);
  return self->is_prepared[sql];
}

static void
give_rows (const GmcpTaskPq *pq, const PGresult *result, const GmcpTaskStatement *request)
{
  int n_columns = MIN (pq->nfields (result), GMCP_TASK_MAX_COLUMNS);

  for (int row = 0; request->row_func != NULL && row < pq->ntuples (result); row++)
    {
      const char *columns[GMCP_TASK_MAX_COLUMNS] = { NULL };

      for (int i = 0; i < n_columns; i++)
        if (!pq->getisnull (result, row, i))
          columns[i] = pq->getvalue (result, row, i);
      request->row_func (columns, request->row_data);
    }
}

static gboolean
postgres_run (GmcpTaskDatabase *database, GmcpTaskStatement *request, GError **error)
{
  GmcpTaskPostgres *self = (GmcpTaskPostgres *) database;
  g_autofree char *name = g_strdup_printf ("gmcp_%d", request->sql);
  const GmcpTaskPq *pq;
  PGresult *result;

  if (!prepare_statement (self, request->sql, name, error))
    return FALSE;

  result = gmcp_task_link_execute_prepared (self->link, name, self->n_values[request->sql],
                                            request->values, error);
  if (result == NULL)
    return FALSE;

  pq = gmcp_task_link_get_pq (self->link);
  give_rows (pq, result, request);
  request->n_changes = g_ascii_strtoll (pq->cmdTuples (result), NULL, 10);
  pq->clear (result);
  return TRUE;
}

/* A commit whose answer did not come may have been done; that of a transaction that changed nothing
 * does not matter. */
static gboolean
postgres_commit (GmcpTaskDatabase *database, GError **error)
{
  GmcpTaskPostgres *self = (GmcpTaskPostgres *) database;
  g_autoptr (GError) reason = NULL;
  gboolean was_stopped = gmcp_task_database_should_stop (database);

  if (run_text (self, "COMMIT", &reason))
    return TRUE;

  if (!self->writes || was_stopped || gmcp_task_link_is_open (self->link))
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }

  g_set_error (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_UNCERTAIN,
               /* Translators: the address of a database */
               _ ("The connection to the task database “%s” was lost while a change was made. "
                  "Whether it was made is not known: look with list_tasks before you try again."),
               gmcp_task_link_get_name (self->link));
  return FALSE;
}

static void
postgres_rollback (GmcpTaskDatabase *database)
{
  GmcpTaskPostgres *self = (GmcpTaskPostgres *) database;

  if (!gmcp_task_link_in_transaction (self->link))
    return;

  /* What is to be stopped sends nothing more; to close the connection undoes the transaction, too. */
  if (gmcp_task_database_should_stop (database) || !run_text (self, "ROLLBACK", NULL))
    gmcp_task_link_close (self->link);
}

static const GmcpTaskDatabaseClass postgres_class = {
  .begin = postgres_begin,
  .run = postgres_run,
  .commit = postgres_commit,
  .rollback = postgres_rollback,
  .interrupt = postgres_interrupt,
  .free = postgres_free,
};

GmcpTaskDatabase *
gmcp_task_postgres_new (const char *url, guint timeout_ms)
{
  GmcpTaskPostgres *self = g_new0 (GmcpTaskPostgres, 1);

  self->parent.klass = &postgres_class;
  self->timeout_ms = timeout_ms;
  self->link = gmcp_task_link_new (url, postgres_should_stop, self);
  return &self->parent;
}
