/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>
#include <json-glib/json-glib.h>

#include "gmcpd-api-request.h"

G_BEGIN_DECLS

/* How a server is: its record in the status of all, with what it is configured to be, its memory and its tools as far as
 * they are known. */
JsonObject *gmcpd_api_servers_describe (GmcpManager *manager, GmcpManagedServer *server);

/* The same of each server whose id is in the set. */
JsonArray *gmcpd_api_servers_describe_some (GmcpManager *manager, GHashTable *ids);

/* What its calls have come to: its name, statistics and memory. */
JsonObject *gmcpd_api_servers_describe_calls (GmcpManagedServer *server);

/* The status of all, with the same for each as of one. */
JsonObject *gmcpd_api_servers_describe_all (GmcpManager *manager);

/* Answers with how the server is, and the ETag of what is configured of it. */
void gmcpd_api_servers_return (GmcpdApiRequest *request, GmcpManagedServer *server);

/* Those tools of the list of all that are of the server, as MCP has them; “tool” is the server's own name for one. */
JsonArray *gmcpd_api_servers_list_tools (GmcpManager *manager, GmcpManagedServer *server);

G_END_DECLS
