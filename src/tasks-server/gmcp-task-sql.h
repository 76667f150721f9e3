/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* “gmcp” in ASCII; tells a task database from any other. */
#define GMCP_TASK_APPLICATION_ID 0x676d6370

#define GMCP_TASK_SCHEMA_VERSION 1

extern const char *const gmcp_task_sql_texts[];

extern const char *const gmcp_task_sql_migrations[GMCP_TASK_SCHEMA_VERSION];

G_END_DECLS
