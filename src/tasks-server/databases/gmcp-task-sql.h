/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-task-database.h"

G_BEGIN_DECLS

/* “gmcp” in ASCII; tells a task database from any other. */
#define GMCP_TASK_APPLICATION_ID 0x676d6370

#define GMCP_TASK_SCHEMA_VERSION 1

/* Where programs that share a PostgreSQL database tell each other of changes. */
#define GMCP_TASK_CHANNEL "gmcp_tasks"

/* NULL: nothing is to be done. */
extern const char *const gmcp_task_sql_texts[GMCP_TASK_N_SQL];

char *gmcp_task_sql_dup_postgres_text (GmcpTaskSql sql, int *n_values);

extern const char *const gmcp_task_sqlite_migrations[GMCP_TASK_SCHEMA_VERSION];

extern const char *const gmcp_task_postgres_migrations[GMCP_TASK_SCHEMA_VERSION];

G_END_DECLS
