/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-connection-private.h"

G_BEGIN_DECLS

/* Finds whose a request is and what is to be done with it. search is NULL unless its name was looked for. */

void gmcp_server_dispatch_request (GmcpServerConnection *connection,
                                   GmcpJsonDoc *doc,
                                   const GmcpRpcMessage *message,
                                   GmcpServerBatch *batch,
                                   const GmcpServerNameSearch *search);
void
gmcp_server_dispatch_notification (GmcpServerConnection *connection, const GmcpRpcMessage *message);
/* What a message is to a server, which takes it for none where it lacks what MCP wants of a request or notification. */
GmcpRpcKind gmcp_server_dispatch_get_kind (const GmcpRpcMessage *message);
/* The id where it is one that a request may have, else none. */
GmcpJsonValue gmcp_server_dispatch_usable_id (GmcpJsonValue id);

G_END_DECLS
