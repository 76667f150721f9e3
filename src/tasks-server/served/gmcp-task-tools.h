/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server.h>

#include "gmcp-task-provider.h"

G_BEGIN_DECLS

gboolean gmcp_task_tools_load (GListStore *tools, GError **error);

void gmcp_task_tools_call (GmcpTaskProvider *provider, GmcpToolCall *call);

void gmcp_task_tools_answer_refusals (GmcpServer *server);

G_END_DECLS
