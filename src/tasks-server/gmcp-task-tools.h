/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server.h>

#include "gmcp-task-store.h"

G_BEGIN_DECLS

gboolean gmcp_task_tools_add (GmcpServer *server, GmcpTaskStore *store, GError **error);

G_END_DECLS
