/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-manager-private.h"

G_BEGIN_DECLS

/* What a manager is made of, each part where its callbacks are. */

void gmcp_manager_install_properties (GObjectClass *object_class);
void gmcp_manager_provider_init (GmcpToolProviderInterface *iface);
GmcpConfigStack *gmcp_manager_make_stack (GmcpManager *self);
GmcpServerTable *gmcp_manager_make_server_table (GmcpManager *self);
GmcpUnlistedServers *gmcp_manager_make_unlisted_servers (GmcpManager *self);
GmcpToolAccess *gmcp_manager_make_tool_access (GmcpManager *self);
GmcpToolCatalog *gmcp_manager_make_catalog (GmcpManager *self);
GmcpStateStore *gmcp_manager_make_state_store (GmcpManager *self);
GmcpResponseCache *gmcp_manager_make_cache (const GmcpManagerLimits *limits);
GmcpCallRouter *gmcp_manager_make_call_router (GmcpManager *self);

G_END_DECLS
