/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-resource-provider.h>

#include "gmcp-task-provider.h"

G_BEGIN_DECLS

void gmcp_task_resources_list (GListStore *resources, GListStore *templates);

void gmcp_task_resources_read (GmcpTaskProvider *provider, GmcpResourceRequest *request);

void gmcp_task_resources_complete (GmcpTaskProvider *provider, GmcpCompletionRequest *request);

G_END_DECLS
