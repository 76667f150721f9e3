/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-limits.h"
#include "gmcp-server-batch-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-exchange-struct-private.h"
#include "gmcp-server-dispatch-private.h"
#include "gmcp-server-private.h"
#include "gmcp-transport-private.h"

struct _GmcpServerConnection
{
  GmcpServer *server; /* not owned; NULL once closed */
  GmcpTransport *transport;
  guint64 number;
  char *user;    /* nullable */
  char *program; /* nullable */
  gpointer era_states[GMCP_SERVER_N_ERAS];

  GHashTable *running; /* set of GmcpServerExchange, by id; not owned */
  gsize running_bytes;
  guint n_held_open; /* however little runs */
  GmcpServerQuestions *questions;
  GmcpServerOutbox *outbox;

  GSource *drain_deadline;
  gboolean strict;   /* a client whose first line is no message is sent away */
  gboolean heard;    /* a message has come */
  gboolean passing;  /* of a single request */
  gboolean draining; /* nothing more comes in */
  gboolean ending;

  GmcpServerConnectionFinishedFunc finished;
  gpointer finished_data;
};

/* Nearly all clients count, and write each number in one way only. */
static guint
exchange_hash (gconstpointer key)
{
  const GmcpServerExchange *exchange = key;
  gint64 number;

  return gmcp_json_value_get_int64 (exchange->id, &number) ? g_int64_hash (&number)
                                                           : gmcp_json_value_hash (exchange->id);
}

static gboolean
exchange_equal (gconstpointer a, gconstpointer b)
{
  GmcpJsonValue id_a = ((const GmcpServerExchange *) a)->id;
  GmcpJsonValue id_b = ((const GmcpServerExchange *) b)->id;
  gsize length_a;
  gsize length_b;
  const char *text_a = gmcp_json_value_peek_raw (id_a, &length_a);
  const char *text_b = gmcp_json_value_peek_raw (id_b, &length_b);

  return (length_a == length_b && memcmp (text_a, text_b, length_a) == 0)
         || gmcp_json_value_equal (id_a, id_b);
}

static gboolean
is_taking (GmcpServerConnection *self)
{
  return !self->draining && !gmcp_server_outbox_is_closed (self->outbox);
}

/* What comes in */

void
gmcp_server_connection_send_error (GmcpServerConnection *self,
                                   GmcpServerBatch *batch,
                                   GmcpJsonValue id,
                                   int code,
                                   const char *message)
{
  GString *out = gmcp_server_outbox_begin (self->outbox);

  gmcp_rpc_write_error (out, id, code, message, NULL);
  if (batch != NULL)
    gmcp_server_batch_add (batch, out->str, out->len);
  else if (!gmcp_server_outbox_send_answer (self->outbox, id, code, TRUE))
    gmcp_server_connection_finish (self);
}

void
gmcp_server_connection_handle (GmcpServerConnection *self,
                               GmcpJsonDoc *doc,
                               const GmcpRpcMessage *message,
                               GmcpServerBatch *batch)
{
  switch (gmcp_server_dispatch_get_kind (message))
    {
    case GMCP_RPC_REQUEST:
      gmcp_server_dispatch_request (self, doc, message, batch, NULL);
      return;

    case GMCP_RPC_NOTIFICATION:
      gmcp_server_dispatch_notification (self, message);
      return;

    case GMCP_RPC_RESULT:
    case GMCP_RPC_FAILURE:
      gmcp_server_questions_answer (self, message);
      return;

    case GMCP_RPC_BATCH:
      if (batch == NULL)
        {
          gmcp_server_batch_handle (self, doc, message->value);
          return;
        }
      break;

    case GMCP_RPC_INVALID:
    default:
      break;
    }

  gmcp_server_connection_send_error (self, batch, gmcp_server_dispatch_usable_id (message->id),
                                     GMCP_RPC_ERROR_INVALID_REQUEST,
                                     "Invalid request: not a JSON-RPC 2.0 message");
}

/* What begins with anything else, such as a request of HTTP that a page has made a browser send, may have messages
 * further on which nobody meant to send. */
static void
check_first (GmcpServerConnection *self)
{
  if (self->strict && !self->heard)
    gmcp_server_connection_finish (self);
}

static void
on_document (gpointer taker, GmcpJsonDoc *doc)
{
  g_autoptr (GmcpServerConnection) self = gmcp_server_connection_ref (taker);
  GmcpRpcMessage message;

  if (!is_taking (self))
    return;

  self->heard = TRUE;
  gmcp_rpc_message_read (&message, gmcp_json_doc_get_root (doc));
  gmcp_server_connection_handle (self, doc, &message, NULL);
}

static void
on_message (gpointer taker, const char *text, gsize length, GBytes *owner)
{
  g_autoptr (GmcpServerConnection) self = gmcp_server_connection_ref (taker);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GError) error = NULL;

  if (!is_taking (self))
    return;

  doc = gmcp_json_doc_parse (text, length, owner, 0, &error);
  if (doc == NULL)
    {
      g_autofree char *reason = g_strconcat ("Parse error: ", error->message, NULL);

      gmcp_server_connection_send_error (self, NULL, GMCP_JSON_NONE, GMCP_RPC_ERROR_PARSE, reason);
      check_first (self);
      return;
    }
  on_document (self, doc);
}

static void
on_violation (gpointer taker, const GError *error)
{
  g_autoptr (GmcpServerConnection) self = gmcp_server_connection_ref (taker);
  int code = g_error_matches (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED)
               ? GMCP_RPC_ERROR_INVALID_REQUEST
               : GMCP_RPC_ERROR_PARSE;

  if (gmcp_server_outbox_is_closed (self->outbox))
    return;

  gmcp_server_connection_send_error (self, NULL, GMCP_JSON_NONE, code, error->message);
  check_first (self);
}

/* The end */

static void
stop_eras (GmcpServerConnection *self)
{
  for (guint i = 0; i < GMCP_SERVER_N_ERAS; i++)
    {
      if (gmcp_server_eras[i]->stop != NULL)
        gmcp_server_eras[i]->stop (self->era_states[i]);
    }
}

static void
report_finished (GmcpServerConnection *self)
{
  GmcpServerConnectionFinishedFunc finished = self->finished;

  self->finished = NULL;
  if (finished != NULL)
    finished (self, self->finished_data);
}

static void
on_transport_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpServerConnection) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!gmcp_transport_close_finish (GMCP_TRANSPORT (source), result, &error))
    g_debug ("A connection was not closed in order: %s", error->message);
  report_finished (self);
}

static void
end_running (GmcpServerConnection *self)
{
  GHashTableIter iter;
  gpointer exchange;

  /* Whatever a callback does, each turn takes one out and none comes in. */
  while (g_hash_table_iter_init (&iter, self->running),
         g_hash_table_iter_next (&iter, &exchange, NULL))
    {
      GmcpServerExchange *ending = exchange;

      gmcp_server_connection_forget (self, ending);
      ending->ended (ending, ending->ended_data);
    }
}

void
gmcp_server_connection_finish (GmcpServerConnection *self)
{
  g_autoptr (GmcpServerConnection) alive = gmcp_server_connection_ref (self);

  if (self->ending)
    return;

  self->ending = TRUE;
  if (self->drain_deadline != NULL)
    {
      g_source_destroy (self->drain_deadline);
      g_clear_pointer (&self->drain_deadline, g_source_unref);
    }

  stop_eras (self);
  gmcp_server_outbox_close (self->outbox);
  end_running (self);
  gmcp_server_questions_close (self, NULL);
  self->server = NULL;
  gmcp_transport_set_taker (self->transport, NULL, NULL);
  if (gmcp_transport_close_at_once (self->transport))
    report_finished (self);
  else
    gmcp_transport_close_async (self->transport, NULL, on_transport_closed,
                                g_steal_pointer (&alive));
}

void
gmcp_server_connection_close (GmcpServerConnection *self)
{
  self->finished = NULL;
  gmcp_server_connection_finish (self);
}

static gboolean
on_drain_deadline (gpointer user_data)
{
  gmcp_server_connection_finish (user_data);
  return G_SOURCE_REMOVE;
}

/* One that drains already, as its client says nothing more. */
static void
hasten_drain (GmcpServerConnection *self, guint timeout_ms)
{
  gint64 due_us = g_get_monotonic_time () + timeout_ms * (gint64) G_TIME_SPAN_MILLISECOND;

  if (due_us < g_source_get_ready_time (self->drain_deadline))
    g_source_set_ready_time (self->drain_deadline, due_us);
}

void
gmcp_server_connection_drain (GmcpServerConnection *connection, guint timeout_ms)
{
  g_autoptr (GmcpServerConnection) self = gmcp_server_connection_ref (connection);

  if (self->draining && self->drain_deadline != NULL)
    hasten_drain (self, timeout_ms);
  if (self->draining || self->ending)
    return;

  stop_eras (self);
  self->draining = TRUE;
  /* Nobody will answer these any more. */
  gmcp_server_questions_close (self, NULL);
  gmcp_server_connection_check_drained (self);
  if (self->ending)
    return;

  self->drain_deadline = g_timeout_source_new (timeout_ms);
  g_source_set_static_name (self->drain_deadline, "[gmcp] server drain");
  g_source_set_callback (self->drain_deadline, on_drain_deadline, self, NULL);
  g_source_attach (self->drain_deadline, gmcp_transport_get_context (self->transport));
}

/* Who starts a server, closes its input, and waits, does not wait for long. */
static gboolean
on_input_ended (gpointer taker)
{
  GmcpServerConnection *self = taker;

  gmcp_server_connection_drain (self, self->strict ? GMCP_DEFAULT_SERVER_LAST_MS
                                                   : GMCP_DEFAULT_SERVER_DRAIN_MS);
  return TRUE;
}

static void
on_closed (gpointer taker, const GError *error)
{
  g_autoptr (GmcpServerConnection) self = gmcp_server_connection_ref (taker);

  gmcp_server_connection_finish (self);
}

static const GmcpTransportTaker taker_funcs = {
  .message = on_message,
  .document = on_document,
  .violation = on_violation,
  .closed = on_closed,
  .input_ended = on_input_ended,
};

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GmcpServerConnection) self = user_data;
  g_autoptr (GError) error = NULL;

  if (gmcp_transport_open_finish (GMCP_TRANSPORT (source), result, &error))
    return;

  g_debug ("A connection to a client could not be opened: %s", error->message);
  gmcp_server_connection_finish (self);
}

/* Running requests */

GmcpServerExchange *
gmcp_server_connection_find (GmcpServerConnection *self, GmcpJsonValue id)
{
  GmcpServerExchange key = { .id = id };

  return g_hash_table_lookup (self->running, &key);
}

GmcpServer *
gmcp_server_connection_get_server (GmcpServerConnection *self)
{
  return self->server;
}

GmcpTransport *
gmcp_server_connection_get_transport (GmcpServerConnection *self)
{
  return self->transport;
}

GmcpServerOutbox *
gmcp_server_connection_get_outbox (GmcpServerConnection *self)
{
  return self->outbox;
}

GmcpServerQuestions *
gmcp_server_connection_get_questions (GmcpServerConnection *self)
{
  return self->questions;
}

void
gmcp_server_connection_set_passing (GmcpServerConnection *self)
{
  self->passing = TRUE;
}

gboolean
gmcp_server_connection_is_passing (GmcpServerConnection *self)
{
  return self->passing;
}

void
gmcp_server_connection_set_user (GmcpServerConnection *self, const char *user)
{
  g_free (self->user);
  self->user = g_strdup (user);
}

guint64
gmcp_server_connection_get_number (GmcpServerConnection *self)
{
  return self->number;
}

const char *
gmcp_server_connection_get_user (GmcpServerConnection *self)
{
  return self->user;
}

void
gmcp_server_connection_set_program (GmcpServerConnection *self, const char *program)
{
  g_free (self->program);
  self->program = g_strdup (program);
}

const char *
gmcp_server_connection_get_program (GmcpServerConnection *self)
{
  return self->program;
}

void
gmcp_server_connection_set_strict (GmcpServerConnection *self)
{
  self->strict = TRUE;
}

gboolean
gmcp_server_connection_was_heard (GmcpServerConnection *self)
{
  return self->heard;
}

gboolean
gmcp_server_connection_is_closed (GmcpServerConnection *self)
{
  return gmcp_server_outbox_is_closed (self->outbox);
}

void
gmcp_server_connection_hold_open (GmcpServerConnection *self)
{
  self->n_held_open++;
}

void
gmcp_server_connection_release_open (GmcpServerConnection *self)
{
  self->n_held_open--;
  gmcp_server_connection_check_drained (self);
}

gboolean
gmcp_server_connection_has_room (GmcpServerConnection *self, gsize message_bytes)
{
  return g_hash_table_size (self->running) < gmcp_server_get_max_requests (self->server)
         && message_bytes <= GMCP_LIMIT_SERVER_RUNNING_BYTES - self->running_bytes;
}

void
gmcp_server_connection_add (GmcpServerConnection *self, GmcpServerExchange *exchange)
{
  self->running_bytes += exchange->message_bytes;
  g_hash_table_add (self->running, exchange);
}

void
gmcp_server_connection_take_out (GmcpServerConnection *self, GmcpServerExchange *exchange)
{
  if (exchange->closed)
    return;

  exchange->closed = TRUE;
  g_hash_table_remove (self->running, exchange);
  self->running_bytes -= exchange->message_bytes;
}

void
gmcp_server_connection_settle (GmcpServerConnection *self, GmcpServerExchange *exchange)
{
  if (exchange->batch != NULL)
    gmcp_server_batch_release (g_steal_pointer (&exchange->batch));

  gmcp_server_connection_check_drained (self);
}

void
gmcp_server_connection_forget (GmcpServerConnection *self, GmcpServerExchange *exchange)
{
  if (exchange->closed)
    return;

  gmcp_server_connection_take_out (self, exchange);
  gmcp_server_connection_settle (self, exchange);
}

void
gmcp_server_connection_check_drained (GmcpServerConnection *self)
{
  if (self->draining && g_hash_table_size (self->running) == 0 && self->n_held_open == 0)
    gmcp_server_connection_finish (self);
}

gpointer
gmcp_server_connection_get_state (GmcpServerConnection *self, const GmcpServerEra *era)
{
  for (guint i = 0; i < GMCP_SERVER_N_ERAS; i++)
    {
      if (gmcp_server_eras[i] == era)
        return self->era_states[i];
    }

  g_return_val_if_reached (NULL);
}

void
gmcp_server_connection_list_changed (GmcpServerConnection *self, GmcpServerSubject subject)
{
  for (guint i = 0; i < GMCP_SERVER_N_ERAS && is_taking (self); i++)
    gmcp_server_eras[i]->list_changed (self->era_states[i], self, subject);
}

void
gmcp_server_connection_resource_updated (GmcpServerConnection *self, const char *uri)
{
  for (guint i = 0; i < GMCP_SERVER_N_ERAS && is_taking (self); i++)
    gmcp_server_eras[i]->resource_updated (self->era_states[i], self, uri);
}

/* Birth and death */

GmcpServerConnection *
gmcp_server_connection_new (GmcpServer *server,
                            GmcpTransport *transport,
                            GmcpServerConnectionFinishedFunc finished,
                            gpointer finished_data)
{
  static gsize last_number = 0; /* atomic: servers may be in several threads */
  GmcpServerConnection *self = g_rc_box_new0 (GmcpServerConnection);

  self->number = (guint64) g_atomic_pointer_add (&last_number, 1) + 1;
  self->server = server;
  self->transport = g_object_ref (transport);
  self->running = g_hash_table_new (exchange_hash, exchange_equal);
  self->questions = gmcp_server_questions_new ();
  self->outbox = gmcp_server_outbox_new (transport);
  self->finished = finished;
  self->finished_data = finished_data;
  for (guint i = 0; i < GMCP_SERVER_N_ERAS; i++)
    self->era_states[i] = gmcp_server_eras[i]->state_new (self);

  gmcp_transport_set_taker (transport, &taker_funcs, self);
  if (!gmcp_transport_is_open (transport))
    gmcp_transport_open_async (transport, NULL, on_opened, gmcp_server_connection_ref (self));
  return self;
}

GmcpServerConnection *
gmcp_server_connection_ref (GmcpServerConnection *self)
{
  return g_rc_box_acquire (self);
}

static void
connection_clear (gpointer data)
{
  GmcpServerConnection *self = data;

  for (guint i = 0; i < GMCP_SERVER_N_ERAS; i++)
    gmcp_server_eras[i]->state_free (self->era_states[i]);
  g_clear_object (&self->transport);
  g_free (self->user);
  g_free (self->program);
  g_hash_table_unref (self->running);
  gmcp_server_questions_free (self->questions);
  gmcp_server_outbox_free (self->outbox);
}

void
gmcp_server_connection_unref (GmcpServerConnection *self)
{
  g_rc_box_release_full (self, connection_clear);
}
