/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-caller.h>
#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-task-store.h"

G_BEGIN_DECLS

#define GMCP_TYPE_TASK_PROVIDER (gmcp_task_provider_get_type ())

G_DECLARE_FINAL_TYPE (GmcpTaskProvider, gmcp_task_provider, GMCP, TASK_PROVIDER, GObject)

GmcpTaskProvider *gmcp_task_provider_new (GmcpTaskStore *store, const char *user, GError **error);

GmcpTaskStore *gmcp_task_provider_get_store (GmcpTaskProvider *self);

const char *gmcp_task_provider_get_user (GmcpTaskProvider *self, GmcpCaller *caller);

G_END_DECLS
