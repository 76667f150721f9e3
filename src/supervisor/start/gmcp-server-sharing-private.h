/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>

G_BEGIN_DECLS

/* Whether a start of a server uses the process that the session's daemon has, or one of the server's own; and the
 * way to the latter while the other is in use. */
typedef struct _GmcpServerSharing GmcpServerSharing;

/* The client's transport is the way to a process of the server's own. The client has to outlive this. */
GmcpServerSharing *gmcp_server_sharing_new (GmcpClient *client);
void gmcp_server_sharing_free (GmcpServerSharing *self);

/* With a reason the daemon's process is not used, be it there or not; without one it may be. */
void gmcp_server_sharing_keep_own (GmcpServerSharing *self, const char *reason);
gboolean gmcp_server_sharing_keeps_own (GmcpServerSharing *self);

/* Why a process of a revision before 2026-07-28, which cannot tell its clients apart, is not enough; NULL where it
 * is. */
void gmcp_server_sharing_set_need (GmcpServerSharing *self, const char *need);
const char *gmcp_server_sharing_get_need (GmcpServerSharing *self);

/* The client, which is not open, goes by that transport from now on. is_modern: its server is known to tell its clients
 * apart. */
void gmcp_server_sharing_begin (GmcpServerSharing *self, GmcpTransport *shared, gboolean is_modern);
/* The daemon has answered. */
void gmcp_server_sharing_confirm (GmcpServerSharing *self);
/* The process that is offered is not enough; the need is the reason. */
void gmcp_server_sharing_decline (GmcpServerSharing *self);
/* The client, which is not open, goes to a process of its own. Keeps the reason, to be told. */
void gmcp_server_sharing_give_up (GmcpServerSharing *self, const GError *reason);

gboolean gmcp_server_sharing_is_shared (GmcpServerSharing *self);
/* Whether the process, shared or not, can give the program all that it may come to need. */
gboolean gmcp_server_sharing_is_enough (GmcpServerSharing *self);
/* Why the process of the daemon could not be used; NULL for nothing. */
const char *gmcp_server_sharing_get_reason (GmcpServerSharing *self);

G_END_DECLS
