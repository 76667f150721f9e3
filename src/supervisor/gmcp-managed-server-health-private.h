/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-health-monitor-private.h"
#include "gmcp-managed-server-private.h"

G_BEGIN_DECLS

/* The health of a server. */

void gmcp_managed_server_watch_health (GmcpManagedServer *self);
extern const GmcpHealthFuncs gmcp_managed_server_health_funcs;

G_END_DECLS
