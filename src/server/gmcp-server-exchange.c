/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-limits.h"
#include "gmcp-server-batch-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-exchange-struct-private.h"
#include "gmcp-server-private.h"

#define QUOTED_BYTES 128

static void
finish_message (GmcpServerExchange *exchange, int error_code)
{
  GmcpServerOutbox *outbox = gmcp_server_exchange_get_outbox (exchange);
  GString *out = gmcp_server_outbox_peek_message (outbox);

  if (exchange->batch != NULL)
    {
      gmcp_server_batch_add (exchange->batch, out->str, out->len);
      return;
    }

  if (gmcp_server_outbox_send_answer (outbox, exchange->id, error_code, !exchange->accepted)
      || gmcp_server_outbox_is_closed (outbox))
    return;

  /* Perhaps it was this answer that was too large to be queued; then an error still fits. */
  gmcp_server_connection_send_error (exchange->connection, NULL, exchange->id,
                                     GMCP_RPC_ERROR_INTERNAL,
                                     "Internal error: the result could not be sent");
}

/* Sends what has been written. Where that fails, the connection ends, and with it all that runs there: what is answered
 * does not run any more by then. Stack exchanges have no place in the table; nothing tells them apart but who ends
 * them. */
static void
send_answer (GmcpServerExchange *exchange, int error_code)
{
  gboolean is_kept = exchange->ended != NULL;

  if (is_kept)
    gmcp_server_connection_take_out (exchange->connection, exchange);
  exchange->closed = TRUE;
  finish_message (exchange, error_code);
  if (is_kept)
    gmcp_server_connection_settle (exchange->connection, exchange);
}

void
gmcp_server_exchange_reply_error (GmcpServerExchange *exchange,
                                  int code,
                                  const char *message,
                                  const char *data_json)
{
  GString *out;

  if (exchange->closed)
    return;

  out = gmcp_server_outbox_begin (gmcp_server_exchange_get_outbox (exchange));
  gmcp_rpc_write_error (out, exchange->id, code, message, data_json);
  send_answer (exchange, code);
}

GmcpJsonWriter
gmcp_server_exchange_begin_bare_result (GmcpServerExchange *exchange)
{
  GmcpServerOutbox *outbox = gmcp_server_exchange_get_outbox (exchange);
  GString *out = gmcp_server_outbox_begin (outbox);
  GmcpJsonWriter writer;

  gmcp_rpc_write_result_start (out, exchange->id);
  writer = gmcp_json_writer_init (out);
  /* A batch is one text. */
  if (exchange->batch == NULL)
    writer.parts = gmcp_server_outbox_peek_parts (outbox);
  gmcp_json_writer_begin_object (&writer);
  return writer;
}

GmcpJsonWriter
gmcp_server_exchange_begin_result (GmcpServerExchange *exchange, GmcpJsonValue meta)
{
  GmcpJsonWriter writer = gmcp_server_exchange_begin_bare_result (exchange);

  exchange->era->write_result_members (exchange, &writer, meta);
  return writer;
}

void
gmcp_server_exchange_end_result (GmcpServerExchange *exchange, GmcpJsonWriter *writer)
{
  gmcp_json_writer_end_object (writer);
  g_string_append_c (writer->out, '}');

  if (exchange->closed)
    {
      gmcp_server_outbox_drop_parts (gmcp_server_exchange_get_outbox (exchange));
      return;
    }

  send_answer (exchange, 0);
}

GmcpServerConnection *
gmcp_server_exchange_get_connection (const GmcpServerExchange *exchange)
{
  return exchange->connection;
}

GmcpServerOutbox *
gmcp_server_exchange_get_outbox (const GmcpServerExchange *exchange)
{
  return gmcp_server_connection_get_outbox (exchange->connection);
}

const GmcpServerEra *
gmcp_server_exchange_get_era (const GmcpServerExchange *exchange)
{
  return exchange->era;
}

GmcpServerBatch *
gmcp_server_exchange_get_batch (const GmcpServerExchange *exchange)
{
  return exchange->batch;
}

GmcpJsonDoc *
gmcp_server_exchange_get_doc (const GmcpServerExchange *exchange)
{
  return exchange->doc;
}

GmcpJsonValue
gmcp_server_exchange_get_id (const GmcpServerExchange *exchange)
{
  return exchange->id;
}

GmcpJsonValue
gmcp_server_exchange_get_method (const GmcpServerExchange *exchange)
{
  return exchange->method;
}

GmcpJsonValue
gmcp_server_exchange_get_params (const GmcpServerExchange *exchange)
{
  return exchange->params;
}

const char *
gmcp_server_exchange_get_protocol_version (const GmcpServerExchange *exchange)
{
  return exchange->protocol_version;
}

GmcpJsonValue
gmcp_server_exchange_get_client_info (const GmcpServerExchange *exchange)
{
  return exchange->client_info;
}

GmcpImplementation *
gmcp_server_exchange_get_client (const GmcpServerExchange *exchange)
{
  return exchange->client;
}

GmcpServer *
gmcp_server_exchange_get_server (const GmcpServerExchange *exchange)
{
  return gmcp_server_connection_get_server (exchange->connection);
}

const char *
gmcp_server_exchange_get_owner (const GmcpServerExchange *exchange)
{
  const char *user = gmcp_server_connection_get_user (exchange->connection);

  return user != NULL ? user : "";
}

gboolean
gmcp_server_exchange_is_closed (const GmcpServerExchange *exchange)
{
  return exchange->closed;
}

void
gmcp_server_exchange_set_protocol_version (GmcpServerExchange *exchange, const char *version)
{
  exchange->protocol_version = version;
}

void
gmcp_server_exchange_set_client_info (GmcpServerExchange *exchange, GmcpJsonValue info)
{
  exchange->client_info = info;
}

void
gmcp_server_exchange_set_client (GmcpServerExchange *exchange, GmcpImplementation *client)
{
  exchange->client = client;
}

gboolean
gmcp_server_exchange_ends_by (const GmcpServerExchange *exchange, GmcpServerExchangeFunc ended)
{
  return exchange->ended == ended;
}

GmcpJsonValue
gmcp_server_exchange_get_meta (const GmcpServerExchange *exchange)
{
  return gmcp_json_value_get_member (exchange->params, "_meta");
}

gsize
gmcp_server_exchange_get_message_bytes (const GmcpServerExchange *exchange)
{
  return exchange->message_bytes;
}

/* The parts of the message that can be large, as they are in memory; a batch holds many messages. */
static gsize
measure_message (const GmcpServerExchange *exchange)
{
  return gmcp_json_value_get_copy_bytes (exchange->id)
         + gmcp_json_value_get_copy_bytes (exchange->params);
}

/* Large messages leave room for small ones. */
static gboolean
charge_message (GmcpByteBudget *held, gsize message_bytes)
{
  gsize max = gmcp_byte_budget_get_max (held);

  return (message_bytes <= GMCP_LIMIT_HTTP_SMALL_BYTES
          || (message_bytes <= max / 2
              && gmcp_byte_budget_get_used (held) <= max / 2 - message_bytes))
         && gmcp_byte_budget_charge (held, message_bytes + GMCP_LIMIT_SERVER_REQUEST_BYTES);
}

GmcpServerExchange *
gmcp_server_exchange_keep (const GmcpServerExchange *exchange,
                           GmcpServerExchangeFunc ended,
                           gpointer ended_data)
{
  GmcpServerConnection *connection = exchange->connection;
  GmcpServerExchange *kept;
  gsize message_bytes = measure_message (exchange);
  GmcpByteBudget *held = gmcp_server_clients_get_held (
    gmcp_server_get_clients (gmcp_server_exchange_get_server (exchange)));

  if (!gmcp_server_connection_has_room (connection, message_bytes)
      || !charge_message (held, message_bytes))
    {
      GmcpServerExchange refused = *exchange;

      gmcp_server_exchange_reply_error (&refused, GMCP_RPC_ERROR_INTERNAL,
                                        "Internal error: too many requests run at once; try again "
                                        "when one of them has been answered",
                                        NULL);
      return NULL;
    }

  kept = g_new (GmcpServerExchange, 1);
  *kept = *exchange;
  kept->search = NULL;
  gmcp_server_connection_ref (kept->connection);
  gmcp_json_doc_ref (kept->doc);
  if (kept->batch != NULL)
    gmcp_server_batch_hold (kept->batch);
  if (kept->client != NULL)
    gmcp_implementation_ref (kept->client);
  kept->message_bytes = message_bytes;
  kept->held = gmcp_byte_budget_ref (held);
  kept->ended = ended;
  kept->ended_data = ended_data;

  gmcp_server_connection_add (connection, kept);
  return kept;
}

void
gmcp_server_exchange_free (GmcpServerExchange *exchange)
{
  g_autoptr (GmcpServerConnection) connection = exchange->connection;

  gmcp_server_connection_forget (connection, exchange);
  if (exchange->client != NULL)
    gmcp_implementation_unref (exchange->client);
  gmcp_json_doc_unref (exchange->doc);
  gmcp_byte_budget_release (exchange->held,
                            exchange->message_bytes + GMCP_LIMIT_SERVER_REQUEST_BYTES);
  gmcp_byte_budget_unref (exchange->held);
  g_free (exchange);
}

char *
gmcp_server_quote (GmcpJsonValue string)
{
  g_autofree char *text = NULL;
  gsize length;

  /* What is long enough to be cut is long enough to be no name. */
  if (gmcp_json_value_peek_raw (string, &length) == NULL || length > QUOTED_BYTES)
    return g_strdup ("(a long name)");

  text = gmcp_json_value_dup_string (string);
  return text != NULL ? g_steal_pointer (&text) : g_strdup ("");
}
