/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-task-database.h"

G_BEGIN_DECLS

GmcpTaskDatabase *gmcp_task_sqlite_new (const char *filename);

G_END_DECLS
