/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-task-pq.h"

G_BEGIN_DECLS

void gmcp_task_postgres_cancel (const GmcpTaskPq *pq, PGconn *connection);

G_END_DECLS
