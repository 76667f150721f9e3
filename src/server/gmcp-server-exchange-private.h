/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-implementation.h>

#include "gmcp-rpc-message-private.h"

G_BEGIN_DECLS

typedef struct _GmcpServerBatch GmcpServerBatch;
typedef struct _GmcpServerConnection GmcpServerConnection;
typedef struct _GmcpServerEra GmcpServerEra;
typedef struct _GmcpServerExchange GmcpServerExchange;

/* One request and all that answers it. While its method is looked up and run it stands on the
 * stack and borrows what it points to. A method that answers later keeps it, which puts it into the
 * connection's table of running requests; a kept one is answered or freed by its keeper. */
struct _GmcpServerExchange
{
  GmcpServerConnection *connection;
  const GmcpServerEra *era;
  GmcpServerBatch *batch; /* nullable: the answer goes into it */
  GmcpJsonDoc *doc;       /* the message, which all values are views of */
  GmcpJsonValue id;
  GmcpJsonValue method;
  GmcpJsonValue params;

  /* Said by the era. */
  const char *protocol_version;
  GmcpJsonValue client_info;  /* of this request, or none */
  GmcpImplementation *client; /* nullable: of the connection */

  /* Of kept ones only. */
  gboolean closed; /* answered, cancelled, or nobody there any more; nothing is sent now */
  gsize message_bytes;
  /* The client cancelled it or is gone. The keeper may free the exchange in here. */
  void (*ended) (GmcpServerExchange *exchange, gpointer data);
  gpointer ended_data;
};

/* NULL, with an error sent to the client, where as many run as may. */
GmcpServerExchange *
gmcp_server_exchange_keep (const GmcpServerExchange *exchange,
                           void (*ended) (GmcpServerExchange *exchange, gpointer data),
                           gpointer ended_data);
void gmcp_server_exchange_free (GmcpServerExchange *exchange);

/* Answers. Each closes the exchange; after it is closed they do nothing. */
void gmcp_server_exchange_reply_error (GmcpServerExchange *exchange,
                                       int code,
                                       const char *message,
                                       const char *data_json);
/* A result's members are written between these two. */
GmcpJsonWriter gmcp_server_exchange_begin_result (GmcpServerExchange *exchange, GmcpJsonValue meta);
void gmcp_server_exchange_end_result (GmcpServerExchange *exchange, GmcpJsonWriter *writer);

/* The message's own part of params._meta; none where it has none. */
GmcpJsonValue gmcp_server_exchange_get_meta (const GmcpServerExchange *exchange);

/* A peer's text as it can stand in an error message: not endless, valid UTF-8. */
char *gmcp_server_quote (GmcpJsonValue string);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerExchange, gmcp_server_exchange_free)

G_END_DECLS
