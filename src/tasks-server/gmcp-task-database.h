/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* The statements that are prepared once a connection; the texts are in gmcp-task-sql.c. */
typedef enum
{
  GMCP_TASK_SQL_BEGIN_READ,
  GMCP_TASK_SQL_BEGIN_WRITE,
  GMCP_TASK_SQL_COMMIT,
  GMCP_TASK_SQL_COUNT_ALL,
  GMCP_TASK_SQL_COUNT_BY_STATE,
  GMCP_TASK_SQL_LIST_ALL,
  GMCP_TASK_SQL_LIST_BY_STATE,
  GMCP_TASK_SQL_GET,
  GMCP_TASK_SQL_ADD_USER,
  GMCP_TASK_SQL_ADD_TASK,
  GMCP_TASK_SQL_CHANGE_TASK,
  GMCP_TASK_SQL_DELETE_TASK,
  GMCP_TASK_N_SQL,
} GmcpTaskSql;

/* Asked often while a statement runs; TRUE ends the statement. */
typedef gboolean (*GmcpTaskStopFunc) (gpointer user_data);

/* One SQLite connection, used by one thread. Only interrupt() may be called from another. */
typedef struct _GmcpTaskDatabase GmcpTaskDatabase;

GmcpTaskDatabase *
gmcp_task_database_new (const char *filename, GmcpTaskStopFunc stop_func, gpointer stop_data);

void gmcp_task_database_free (GmcpTaskDatabase *self);

gboolean gmcp_task_database_begin (GmcpTaskDatabase *self, gboolean writes, GError **error);

gboolean gmcp_task_database_commit (GmcpTaskDatabase *self, GError **error);

void gmcp_task_database_rollback (GmcpTaskDatabase *self);

void gmcp_task_database_interrupt (GmcpTaskDatabase *self);

sqlite3_stmt *
gmcp_task_database_get_statement (GmcpTaskDatabase *self, GmcpTaskSql sql, GError **error);

gboolean gmcp_task_database_step (GmcpTaskDatabase *self,
                                  sqlite3_stmt *statement,
                                  gboolean *has_row,
                                  GError **error);

gboolean gmcp_task_database_run (GmcpTaskDatabase *self, sqlite3_stmt *statement, GError **error);

int gmcp_task_database_count_changes (GmcpTaskDatabase *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskDatabase, gmcp_task_database_free)

G_END_DECLS
