/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The statements that are prepared once a connection; the texts are in gmcp-task-sql.c. */
typedef enum
{
  GMCP_TASK_SQL_COUNT_ALL,
  GMCP_TASK_SQL_COUNT_BY_STATE,
  GMCP_TASK_SQL_LIST_ALL,
  GMCP_TASK_SQL_LIST_BY_STATE,
  GMCP_TASK_SQL_GET,
  GMCP_TASK_SQL_ADD_USER,
  GMCP_TASK_SQL_LOCK_USER,
  GMCP_TASK_SQL_ADD_TASK,
  GMCP_TASK_SQL_CHANGE_TASK,
  GMCP_TASK_SQL_DELETE_TASK,
  GMCP_TASK_SQL_FIND_IDS,
  GMCP_TASK_SQL_COUNT_AGENDA,
  GMCP_TASK_SQL_LIST_AGENDA,
  GMCP_TASK_SQL_NOTIFY,
  GMCP_TASK_SQL_GET_VERSION,
  GMCP_TASK_N_SQL,
} GmcpTaskSql;

#define GMCP_TASK_MAX_VALUES  6
#define GMCP_TASK_MAX_COLUMNS 7

/* Called for each row; NULL is SQL's NULL. */
typedef void (*GmcpTaskRowFunc) (const char *const *columns, gpointer user_data);

/* One statement with its values, which are texts in every database. */
typedef struct
{
  GmcpTaskSql sql;
  const char *values[GMCP_TASK_MAX_VALUES]; /* NULL is SQL's NULL */
  GmcpTaskRowFunc row_func;                 /* NULL: rows are dropped */
  gpointer row_data;
  gint64 n_changes; /* out: how many rows were changed */
} GmcpTaskStatement;

/* Asked often while a statement runs; TRUE ends the statement. */
typedef gboolean (*GmcpTaskStopFunc) (gpointer user_data);

/* One connection to a database, used by one thread. Only interrupt() may be called from another. */
typedef struct _GmcpTaskDatabase GmcpTaskDatabase;

typedef struct
{
  gboolean (*begin) (GmcpTaskDatabase *self, gboolean writes, GError **error);
  gboolean (*run) (GmcpTaskDatabase *self, GmcpTaskStatement *statement, GError **error);
  gboolean (*commit) (GmcpTaskDatabase *self, GError **error);
  void (*rollback) (GmcpTaskDatabase *self);
  void (*interrupt) (GmcpTaskDatabase *self);
  void (*free) (GmcpTaskDatabase *self);
} GmcpTaskDatabaseClass;

/* What every kind of database begins with. */
struct _GmcpTaskDatabase
{
  const GmcpTaskDatabaseClass *klass;
  GmcpTaskStopFunc stop_func;
  gpointer stop_data;
};

GmcpTaskDatabase *gmcp_task_database_new (const char *location,
                                          guint timeout_ms,
                                          GmcpTaskStopFunc stop_func,
                                          gpointer stop_data);

void gmcp_task_database_free (GmcpTaskDatabase *self);

gboolean gmcp_task_database_should_stop (GmcpTaskDatabase *self);

gboolean gmcp_task_database_begin (GmcpTaskDatabase *self, gboolean writes, GError **error);

gboolean
gmcp_task_database_run (GmcpTaskDatabase *self, GmcpTaskStatement *statement, GError **error);

gboolean gmcp_task_database_commit (GmcpTaskDatabase *self, GError **error);

void gmcp_task_database_rollback (GmcpTaskDatabase *self);

void gmcp_task_database_interrupt (GmcpTaskDatabase *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskDatabase, gmcp_task_database_free)

G_END_DECLS
