/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server.h>

#include "gmcp-server-catalog-private.h"
#include "gmcp-server-clients-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-identity-private.h"
#include "gmcp-server-tasks-private.h"

G_BEGIN_DECLS

/* What the server says of itself. */
GmcpServerIdentity *gmcp_server_get_identity (GmcpServer *self);
/* The server's own, or those of its provider. */
char *gmcp_server_dup_instructions (GmcpServer *self);
GmcpServerCatalog *gmcp_server_get_catalog (GmcpServer *self);
GmcpServerClients *gmcp_server_get_clients (GmcpServer *self);
GmcpServerTasks *gmcp_server_get_tasks (GmcpServer *self);
guint gmcp_server_get_page_size (GmcpServer *self);
guint gmcp_server_get_max_requests (GmcpServer *self);
/* What states that travel with clients are signed with. */
GBytes *gmcp_server_get_state_key (GmcpServer *self);
guint gmcp_server_get_list_ttl_ms (GmcpServer *self);
GmcpCacheScope gmcp_server_get_list_cache_scope (GmcpServer *self);
gboolean gmcp_server_get_lists_tasks (GmcpServer *self);
/* 0 where the provider's own time-outs hold. */
guint gmcp_server_get_call_timeout_ms (GmcpServer *self);

/* What the application answers arguments with that do not match; NULL leaves it to the era. */
GmcpToolResult *gmcp_server_request_refusal (GmcpServer *self, GmcpTool *tool, const GError *error);

G_END_DECLS
