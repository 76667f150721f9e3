/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-callers.h"
#include "gmcpd-calls.h"
#include "gmcpd-dashboard.h"

G_BEGIN_DECLS

/* The manager as org.gmcp.Manager1; the manager and the calls live longer. */
GDBusInterfaceSkeleton *gmcpd_manager_object_new (GmcpManager *manager,
                                                  GmcpdDashboard dashboard,
                                                  GmcpdCalls *calls,
                                                  GmcpdCallers *callers);

G_END_DECLS
