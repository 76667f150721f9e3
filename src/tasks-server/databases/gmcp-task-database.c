/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-task-database.h"
#include "gmcp-task-location.h"
#include "gmcp-task-postgres.h"
#include "gmcp-task-sqlite.h"

/* Opens nothing yet, so it cannot fail: a server with a bad database still starts. @timeout_ms is
 * how long a call may take, for a database that ends statements by itself. */
GmcpTaskDatabase *
gmcp_task_database_new (const char *location,
                        guint timeout_ms,
                        GmcpTaskStopFunc stop_func,
                        gpointer stop_data)
{
  GmcpTaskDatabase *self;

#ifdef HAVE_POSTGRESQL
  self = gmcp_task_location_is_url (location) ? gmcp_task_postgres_new (location, timeout_ms)
                                              : gmcp_task_sqlite_new (location);
#else
  self = gmcp_task_sqlite_new (location);
#endif

  self->stop_func = stop_func;
  self->stop_data = stop_data;
  return self;
}

void
gmcp_task_database_free (GmcpTaskDatabase *self)
{
  self->klass->free (self);
}

gboolean
gmcp_task_database_should_stop (GmcpTaskDatabase *self)
{
  return self->stop_func != NULL && self->stop_func (self->stop_data);
}

/* Begins a transaction, and opens the database where it is not open. */
gboolean
gmcp_task_database_begin (GmcpTaskDatabase *self, gboolean writes, GError **error)
{
  return self->klass->begin (self, writes, error);
}

/* Runs a statement to its end. One that this kind of database does not need does nothing. */
gboolean
gmcp_task_database_run (GmcpTaskDatabase *self, GmcpTaskStatement *statement, GError **error)
{
  return self->klass->run (self, statement, error);
}

/* Fails with GMCP_TASK_ERROR_UNCERTAIN where nobody can tell whether it was done. */
gboolean
gmcp_task_database_commit (GmcpTaskDatabase *self, GError **error)
{
  return self->klass->commit (self, error);
}

/* Undoes the transaction, if there is one. */
void
gmcp_task_database_rollback (GmcpTaskDatabase *self)
{
  self->klass->rollback (self);
}

/* Ends the statement that runs, if any. May be called from any thread. */
void
gmcp_task_database_interrupt (GmcpTaskDatabase *self)
{
  self->klass->interrupt (self);
}
