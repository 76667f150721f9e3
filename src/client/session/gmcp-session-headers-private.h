/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-client-private.h"
#include "gmcp-tool-headers-private.h"

G_BEGIN_DECLS

/* For an era: the value is encoded where a header cannot hold it. */
void gmcp_client_add_header (GPtrArray *headers, const char *name, const char *value);

/* Gives a message on its way out the headers of its era, which live as long as the array. */
GPtrArray *gmcp_client_dress (GmcpClient *self, GmcpOutgoing *outgoing);

/* The handshake is over. */
void gmcp_client_begin_session (GmcpClient *self);

/* FALSE where a tool must not be used over this connection because of what it wants in headers. */
gboolean gmcp_client_accept_tool (GmcpClient *self, gpointer tool, GError **error);

/* NULL for one that the server is not known to have. */
GmcpTool *gmcp_client_peek_tool (GmcpClient *self, const char *name);

/* Which arguments the tool marks to stand in headers; NULL for none. */
const GmcpToolHeaders *gmcp_client_peek_tool_headers (GmcpClient *self, const char *name);

G_END_DECLS
