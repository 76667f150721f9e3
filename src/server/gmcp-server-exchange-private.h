/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-implementation.h>
#include <gmcp/server/gmcp-server.h>

#include "gmcp-rpc-message-private.h"
#include "gmcp-server-outbox-private.h"

G_BEGIN_DECLS

typedef struct _GmcpServerBatch GmcpServerBatch;
typedef struct _GmcpServerConnection GmcpServerConnection;
typedef struct _GmcpServerEra GmcpServerEra;
typedef struct _GmcpServerExchange GmcpServerExchange;

/* What came of looking for a name that was not listed. */
typedef struct
{
  const GError
    *error; /* why whatever is called so cannot be reached; NULL: it can, or there is nothing */
  GmcpTool *unlisted; /* that is called so and may be called all the same; nullable */
} GmcpServerNameSearch;

/* One request and all that answers it. While its method is looked up and run it stands on the
 * stack and borrows what it points to. A method that answers later keeps it, which puts it into the
 * connection's table of running requests; a kept one is answered or freed by its keeper. */

GmcpServerConnection *gmcp_server_exchange_get_connection (const GmcpServerExchange *exchange);
/* The connection's. */
GmcpServerOutbox *gmcp_server_exchange_get_outbox (const GmcpServerExchange *exchange);
/* NULL once the connection is closed. */
GmcpServer *gmcp_server_exchange_get_server (const GmcpServerExchange *exchange);
/* Whose request it is, as far as that is proved; "" for nobody knows. */
const char *gmcp_server_exchange_get_owner (const GmcpServerExchange *exchange);
const GmcpServerEra *gmcp_server_exchange_get_era (const GmcpServerExchange *exchange);
/* Where the answer goes into; NULL for none. */
GmcpServerBatch *gmcp_server_exchange_get_batch (const GmcpServerExchange *exchange);
/* The message, which all values are views of. */
GmcpJsonDoc *gmcp_server_exchange_get_doc (const GmcpServerExchange *exchange);
GmcpJsonValue gmcp_server_exchange_get_id (const GmcpServerExchange *exchange);
GmcpJsonValue gmcp_server_exchange_get_method (const GmcpServerExchange *exchange);
GmcpJsonValue gmcp_server_exchange_get_params (const GmcpServerExchange *exchange);
/* Answered, cancelled, or nobody is there any more; nothing is sent now. */
/* What a kept one has in memory of its message. */
gsize gmcp_server_exchange_get_message_bytes (const GmcpServerExchange *exchange);
gboolean gmcp_server_exchange_is_closed (const GmcpServerExchange *exchange);
/* Said by the era; a static string. */
const char *gmcp_server_exchange_get_protocol_version (const GmcpServerExchange *exchange);
void gmcp_server_exchange_set_protocol_version (GmcpServerExchange *exchange, const char *version);
/* Said by the era: the client of this request, or none, and that of the connection; nullable. */
GmcpJsonValue gmcp_server_exchange_get_client_info (const GmcpServerExchange *exchange);
void gmcp_server_exchange_set_client_info (GmcpServerExchange *exchange, GmcpJsonValue info);
GmcpImplementation *gmcp_server_exchange_get_client (const GmcpServerExchange *exchange);
void gmcp_server_exchange_set_client (GmcpServerExchange *exchange, GmcpImplementation *client);

typedef void (*GmcpServerExchangeFunc) (GmcpServerExchange *exchange, gpointer data);

/* NULL, with an error sent to the client, where as many run as may. ended is called when the client has
 * cancelled the request or is gone; the keeper may free the exchange in it. */
GmcpServerExchange *gmcp_server_exchange_keep (const GmcpServerExchange *exchange,
                                               GmcpServerExchangeFunc ended,
                                               gpointer ended_data);
void gmcp_server_exchange_free (GmcpServerExchange *exchange);
/* Whether it is kept with that function. */
gboolean
gmcp_server_exchange_ends_by (const GmcpServerExchange *exchange, GmcpServerExchangeFunc ended);

/* Answers. Each closes the exchange; after it is closed they do nothing. */
void gmcp_server_exchange_reply_error (GmcpServerExchange *exchange,
                                       int code,
                                       const char *message,
                                       const char *data_json);
/* A result's members are written between these two. */
GmcpJsonWriter gmcp_server_exchange_begin_result (GmcpServerExchange *exchange, GmcpJsonValue meta);
/* Without what the era puts into every result. */
GmcpJsonWriter gmcp_server_exchange_begin_bare_result (GmcpServerExchange *exchange);
void gmcp_server_exchange_end_result (GmcpServerExchange *exchange, GmcpJsonWriter *writer);

/* The message's own part of params._meta; none where it has none. */
GmcpJsonValue gmcp_server_exchange_get_meta (const GmcpServerExchange *exchange);

/* A peer's text as it can stand in an error message: not endless, valid UTF-8. */
char *gmcp_server_quote (GmcpJsonValue string);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerExchange, gmcp_server_exchange_free)

G_END_DECLS
