/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-batch-private.h"
#include "gmcp-server-deferred-private.h"
#include "gmcp-server-dispatch-private.h"

struct _GmcpServerDeferred
{
  GmcpServerExchange *exchange; /* kept */
  void (*ended) (GmcpServerDeferred *self, gpointer data);
  gpointer data;
};

void
gmcp_server_deferred_free (GmcpServerDeferred *self)
{
  gmcp_server_exchange_free (self->exchange);
  g_free (self);
}

static void
on_ended (GmcpServerExchange *exchange, gpointer data)
{
  GmcpServerDeferred *self = data;

  self->ended (self, self->data);
  gmcp_server_deferred_free (self);
}

GmcpServerDeferred *
gmcp_server_deferred_new (GmcpServerExchange *exchange,
                          void (*ended) (GmcpServerDeferred *self, gpointer data),
                          gpointer data)
{
  GmcpServerDeferred *self = g_new0 (GmcpServerDeferred, 1);

  self->ended = ended;
  self->data = data;
  self->exchange = gmcp_server_exchange_keep (exchange, on_ended, self);
  if (self->exchange == NULL)
    g_clear_pointer (&self, g_free);
  return self;
}

void
gmcp_server_deferred_resume (GmcpServerDeferred *self, const GmcpServerNameSearch *search)
{
  GmcpServerExchange *exchange = self->exchange;
  g_autoptr (GmcpServerConnection) connection
    = gmcp_server_connection_ref (gmcp_server_exchange_get_connection (exchange));
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_ref (gmcp_server_exchange_get_doc (exchange));
  GmcpServerBatch *batch = gmcp_server_exchange_get_batch (exchange);
  const GmcpRpcMessage message = {
    .kind = GMCP_RPC_REQUEST,
    .id = gmcp_server_exchange_get_id (exchange),
    .method = gmcp_server_exchange_get_method (exchange),
    .params = gmcp_server_exchange_get_params (exchange),
  };

  /* Between the two the connection has no request, and must not end for that. */
  gmcp_server_connection_hold_open (connection);
  if (batch != NULL)
    gmcp_server_batch_hold (batch);
  gmcp_server_deferred_free (self);
  gmcp_server_dispatch_request (connection, doc, &message, batch, search);
  if (batch != NULL)
    gmcp_server_batch_release (batch);
  gmcp_server_connection_release_open (connection);
}
