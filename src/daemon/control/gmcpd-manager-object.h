/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-callers.h"
#include "gmcpd-calls.h"
#include "gmcpd-dashboard.h"
#include "gmcpd-watchers.h"

G_BEGIN_DECLS

/* The manager as org.gmcp.Manager1; all that is given lives longer. */
GDBusInterfaceSkeleton *gmcpd_manager_object_new (GmcpManager *manager,
                                                  GmcpdDashboard dashboard,
                                                  GmcpdWatchers *watchers,
                                                  GmcpdCalls *calls,
                                                  GmcpdCallers *callers);

G_END_DECLS
