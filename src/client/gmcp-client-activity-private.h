/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>

G_BEGIN_DECLS

/* Whether a request is under way, or somebody wants to be told of changes; but for the client's own
 * wish to hear of its lists. */
gboolean gmcp_client_is_in_use (GmcpClient *self);
/* How many messages have come from the server, whatever they were; it tells a server that works from
 * one that hangs. */
guint64 gmcp_client_get_n_heard (GmcpClient *self);

/* How many requests were ever sent, for whatever reason. */
gint64 gmcp_client_get_n_requests (GmcpClient *self);

G_END_DECLS
