/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

#include "gmcpd-callers.h"
#include "gmcpd-calls.h"

G_BEGIN_DECLS

/* A managed server as org.gmcp.Manager1.Server. The object lives as long as the skeleton. */
GDBusInterfaceSkeleton *gmcpd_server_object_new (GmcpManager *manager,
                                                 GmcpManagedServer *server,
                                                 GmcpdCalls *calls,
                                                 GmcpdCallers *callers);

G_END_DECLS
