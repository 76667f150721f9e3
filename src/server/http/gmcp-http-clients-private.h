/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/server/gmcp-server.h>

#include "gmcp-http-response-private.h"
#include "gmcp-http-settings-private.h"
#include "gmcp-http-verifier-private.h"

G_BEGIN_DECLS

/* The clients at an endpoint: those with a session, and those that each request is by itself. */
typedef struct _GmcpHttpClients GmcpHttpClients;

/* The verifier is there for as long as requests come. */
GmcpHttpClients *gmcp_http_clients_new (GmcpServer *server,
                                        const GmcpHttpSettings *settings,
                                        const GmcpSoupServer *soup,
                                        GmcpHttpVerifier *verifier);
/* Sessions and open streams are ended, and what runs is cancelled. Once. */
void gmcp_http_clients_close (GmcpHttpClients *self);
/* Of events for clients that come back. */
GmcpByteBudget *gmcp_http_clients_get_kept (GmcpHttpClients *self);
/* Each has its requests answered, as gmcp_server_connection_drain() does; tells when all have, perhaps at once. */
void gmcp_http_clients_drain (GmcpHttpClients *self,
                              guint timeout_ms,
                              void (*emptied) (gpointer data),
                              gpointer data);
void gmcp_http_clients_unref (GmcpHttpClients *self);

/* A request whose body is there, of a user, or of NULL where nobody asks who it is. */
void gmcp_http_clients_serve (GmcpHttpClients *self,
                              SoupServerMessage *message,
                              const char *user,
                              GmcpHttpResponse *response);

G_END_DECLS
