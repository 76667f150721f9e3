/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-connection-private.h"

#include "gmcp-byte-budget-private.h"

G_BEGIN_DECLS

/* The connections of a server, and what is to be told to all of them. */

typedef struct _GmcpServerClients GmcpServerClients;

GmcpServerClients *gmcp_server_clients_new (GmcpServer *server);
void gmcp_server_clients_close (GmcpServerClients *self);
void gmcp_server_clients_free (GmcpServerClients *self);

/* Serves one client. Ends with gmcp_server_clients_remove(), which finished has to call. The
 * connection belongs to the list. */
GmcpServerConnection *gmcp_server_clients_add (GmcpServerClients *self,
                                               GmcpTransport *transport,
                                               GmcpServerConnectionFinishedFunc finished,
                                               gpointer finished_data);
void gmcp_server_clients_remove (GmcpServerClients *self, GmcpServerConnection *connection);

/* Tells the clients, once for all changes of one turn of the main loop. */
void gmcp_server_clients_list_changed (GmcpServerClients *self, GmcpServerSubject subject);
void gmcp_server_clients_resource_updated (GmcpServerClients *self, const char *uri);
/* user: NULL for clients of whom nobody verified who they are. */
void gmcp_server_clients_resource_updated_for_user (GmcpServerClients *self,
                                                    const char *uri,
                                                    const char *user);

/* How much the messages take of all requests that run, of the clients together. Borrowed. */
GmcpByteBudget *gmcp_server_clients_get_held (GmcpServerClients *self);

G_END_DECLS
