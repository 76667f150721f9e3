/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server.h>

G_BEGIN_DECLS

/* The clients of one endpoint, from being accepted until they are gone. */
typedef struct _GmcpSocketClients GmcpSocketClients;

typedef struct
{
  guint max_clients;
  guint silence_ms;
  guint64 max_message_bytes;
  guint64 max_queued_bytes;
  guint64 max_unread_bytes;
  guint unread_ms;
  guint close_ms;
} GmcpSocketLimits;

/* The limits are those of its owner, which may change them. */
GmcpSocketClients *gmcp_socket_clients_new (GmcpServer *server, const GmcpSocketLimits *limits);
/* Closes all at once. */
void gmcp_socket_clients_free (GmcpSocketClients *self);

/* user is NULL where nobody knows who it is. */
void gmcp_socket_clients_add (GmcpSocketClients *self, GSocket *connection, const char *user);
/* Tells a client why it is not served. */
void gmcp_socket_clients_refuse (GSocket *connection, const char *reason);

guint gmcp_socket_clients_get_n (GmcpSocketClients *self);
/* Answers what runs, for as long as the limits say, and closes each; emptied is called once, when the last one has gone, which may
 * be at once. */
void
gmcp_socket_clients_drain (GmcpSocketClients *self, void (*emptied) (gpointer data), gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpSocketClients, gmcp_socket_clients_free)

G_END_DECLS
