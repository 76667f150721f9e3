/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-answer-cache-private.h"
#include "gmcp-client-wishes-private.h"
#include "gmcp-health-monitor-private.h"
#include "gmcp-idle-monitor-private.h"
#include "gmcp-managed-server-install-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-restart-policy-private.h"
#include "gmcp-server-outcomes-private.h"
#include "gmcp-server-life-private.h"
#include "gmcp-tool-snapshot-private.h"

G_BEGIN_DECLS

/* The objects that a managed server is made of, for its other files. */

GmcpServerLife *gmcp_managed_server_get_life (GmcpManagedServer *self);
GMainContext *gmcp_managed_server_get_context (GmcpManagedServer *self);
/* A critical warning that names the function, and FALSE, where another thread runs the context. */
gboolean gmcp_managed_server_check_thread (GmcpManagedServer *self, const char *function);
/* NULL for the name that the library has by itself. */
const char *gmcp_managed_server_get_client_name (GmcpManagedServer *self);
const GmcpServerLimits *gmcp_managed_server_get_limits (GmcpManagedServer *self);
const GmcpServerHost *gmcp_managed_server_get_host (GmcpManagedServer *self);
/* NULL where nothing is written down. */
GmcpServerLog *gmcp_managed_server_get_log (GmcpManagedServer *self);
/* The instance that starts or is up; NULL for none. */
GmcpServerInstance *gmcp_managed_server_get_instance (GmcpManagedServer *self);
GmcpRestartPolicy *gmcp_managed_server_get_restart_policy (GmcpManagedServer *self);
GmcpHealthMonitor *gmcp_managed_server_get_health_monitor (GmcpManagedServer *self);
GmcpIdleMonitor *gmcp_managed_server_get_idle_monitor (GmcpManagedServer *self);
GmcpToolSnapshot *gmcp_managed_server_get_snapshot (GmcpManagedServer *self);
GmcpAnswerCache *gmcp_managed_server_get_answers (GmcpManagedServer *self);
GmcpServerFetch *gmcp_managed_server_get_fetch (GmcpManagedServer *self);
GmcpClientWishes *gmcp_managed_server_get_wishes (GmcpManagedServer *self);

G_END_DECLS
