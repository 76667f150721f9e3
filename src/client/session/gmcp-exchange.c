/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-call-options-private.h"
#include "gmcp-era-private.h"
#include "gmcp-client-logging-private.h"
#include "gmcp-session-progress-private.h"
#include "gmcp-session-headers-private.h"
#include "gmcp-session-retry-private.h"
#include "gmcp-client-task-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-append-private.h"
#include "gmcp-limits.h"

/* What the buffer for outgoing messages may keep between messages. */
#define OUT_KEPT_BYTES (256 * 1024)

static void
exchange_free (GmcpExchange *exchange)
{
  g_clear_object (&exchange->task);
  g_clear_object (&exchange->options);
  g_free (exchange->subject);
  g_free (exchange->params);
  g_free (exchange->more);
  g_clear_pointer (&exchange->query, gmcp_cache_query_free);
  g_free (exchange->own_meta);
  g_clear_pointer (&exchange->progress, gmcp_progress_gate_free);
  if (exchange->budget != NULL)
    gmcp_byte_budget_release (exchange->budget, exchange->n_kept);
  g_clear_pointer (&exchange->budget, gmcp_byte_budget_unref);
  g_free (exchange);
}

static void
exchange_forget_cancellable (GmcpExchange *exchange)
{
  if (exchange->cancel_source != NULL)
    {
      g_source_destroy (exchange->cancel_source);
      g_clear_pointer (&exchange->cancel_source, g_source_unref);
    }
}

const char *
gmcp_client_describe (GmcpClient *self)
{
  if (self->name == NULL)
    self->name = gmcp_transport_dup_description (self->transport);
  return self->name;
}

/* The exchange must have been taken out of the table. */
void
gmcp_client_answer_exchange (GmcpClient *self,
                             GmcpExchange *exchange,
                             const GmcpRpcMessage *reply,
                             GError *error)
{
  if (error != NULL)
    {
      if (!self->era->check_error (self, exchange, error))
        {
          g_error_free (error);
          return;
        }
    }
  else if (!self->era->check_result (self, exchange, reply->result, &error))
    {
      if (error == NULL)
        return;
      reply = NULL;
    }
  gmcp_client_finish_exchange (self, exchange, reply, error);
}

/* The same. */
void
gmcp_client_finish_exchange (GmcpClient *self,
                             GmcpExchange *exchange,
                             const GmcpRpcMessage *reply,
                             GError *error)
{
  if (error != NULL)
    error = gmcp_client_filter_error (self, error);
  exchange_forget_cancellable (exchange);
  if (exchange->wait != NULL)
    gmcp_exchange_end_wait (self, exchange);
  if (exchange->progress != NULL && reply != NULL)
    gmcp_client_flush_progress (exchange);
  if (exchange->query != NULL)
    gmcp_client_finish_query (self, exchange, reply, error);
  else
    exchange->done (self, exchange, reply, error);
  exchange_free (exchange);
}

void
gmcp_client_drop_exchange (GmcpClient *self, GmcpExchange *exchange)
{
  /* Where it was taken with all others, it ends there. */
  if (!gmcp_pending_calls_take_call (self->pending, &exchange->pending))
    return;

  exchange_forget_cancellable (exchange);
  if (exchange->wait != NULL)
    gmcp_exchange_end_wait (self, exchange);
  else
    gmcp_transport_cancel_request (self->transport, exchange->pending.id);
  exchange_free (exchange);
}

static void
give_up (GmcpClient *self, GmcpExchange *exchange, const char *reason, GError *error)
{
  if (!exchange->silent && exchange->wait == NULL && self->era != NULL)
    self->era->cancel (self, exchange->pending.id, reason);
  gmcp_client_finish_exchange (self, exchange, NULL, error);
}

static void
cancel (GmcpClient *client, GmcpExchange *exchange)
{
  g_autoptr (GmcpClient) self = g_object_ref (client);

  gmcp_pending_calls_take (self->pending, exchange->pending.id);
  give_up (self, exchange, "The caller no longer needs the answer",
           g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Operation was cancelled")));
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  GTask *task = user_data;

  cancel (g_task_get_source_object (task), g_task_get_task_data (task));
  return G_SOURCE_REMOVE;
}

static gboolean
on_direct_cancelled (GCancellable *cancellable, gpointer user_data)
{
  GmcpExchange *exchange = user_data;

  cancel (exchange->client, exchange);
  return G_SOURCE_REMOVE;
}

void
gmcp_client_exchange_timed_out (GmcpPendingCall *call, gpointer client)
{
  g_autoptr (GmcpClient) self = g_object_ref (client);
  GmcpExchange *exchange = (GmcpExchange *) call;
  const char *subject = exchange->subject != NULL ? exchange->subject : _ ("a request");
  const char *problem = self->last_problem->len > 0 ? self->last_problem->str : NULL;
  GError *error;

  if (exchange->wait != NULL && exchange->wait->timed_out != NULL)
    {
      error = exchange->wait->timed_out (self, exchange, exchange->wait_data);
      gmcp_client_finish_exchange (self, exchange, NULL, error);
      return;
    }

  if (exchange->pending.deadline_us >= exchange->cap_us
      && exchange->max_timeout_ms > exchange->timeout_ms)
    error
      = g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                     /* Translators: a tool's name, a server's name, a number */
                     _ ("“%s” on %s did not finish within %u ms, the limit for calls that report "
                        "progress; the limit can be raised in the call or the server's settings"),
                     subject, gmcp_client_describe (self), exchange->max_timeout_ms);
  else
    error
      = g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                     /* Translators: a tool's name, a server's name, a number */
                     _ ("“%s” on %s did not answer within %u ms; the limit can be raised in the "
                        "call or the server's settings"),
                     subject, gmcp_client_describe (self), exchange->timeout_ms);
  if (problem != NULL)
    {
      g_autofree char *plain = g_steal_pointer (&error->message);

      /* Translators: an error message, and what the server did wrong shortly before */
      error->message
        = g_strdup_printf (_ ("%s (what came from it last could not be read: %s)"), plain, problem);
    }

  give_up (self, exchange, "The time limit for the answer has passed", error);
}

GmcpExchange *
gmcp_client_begin_request (GmcpClient *self,
                           const char *method,
                           GmcpExchangeFunc done,
                           guint timeout_ms,
                           GmcpJsonWriter *params)
{
  GmcpExchange *exchange = g_new (GmcpExchange, 1);

  /* Not g_new0(): calloc() takes the long way round through the C library's allocator. */
  *exchange = (GmcpExchange){ .done = done, .method = method };
  exchange->timeout_ms = timeout_ms;
  gmcp_pending_calls_add (self->pending, &exchange->pending, G_MAXINT64);

  g_string_truncate (self->out, 0);
  gmcp_rpc_write_request_start (self->out, exchange->pending.id, method);
  *params = gmcp_json_writer_init (self->out);
  gmcp_json_writer_begin_object (params);
  exchange->params_at = self->out->len;

  return exchange;
}

static void
take_options (GmcpExchange *exchange, GmcpCallOptions *options, const char *subject)
{
  exchange->subject = g_strdup (subject);
  if (options == NULL)
    return;

  exchange->options = g_object_ref (options);
  if (gmcp_call_options_get_timeout_ms (options) != 0)
    exchange->timeout_ms = gmcp_call_options_get_timeout_ms (options);
  exchange->max_timeout_ms = gmcp_call_options_get_max_timeout_ms (options);
  /* Who says how long the call may take in all means that. */
  if (exchange->max_timeout_ms != 0)
    exchange->timeout_ms = MIN (exchange->timeout_ms, exchange->max_timeout_ms);
}

void
gmcp_exchange_bind_direct (GmcpExchange *exchange,
                           GmcpClient *client,
                           GmcpClientCallFunc func,
                           gpointer data,
                           GCancellable *cancellable,
                           GmcpCallOptions *options,
                           const char *subject)
{
  exchange->call_done = func;
  exchange->call_data = data;
  take_options (exchange, options, subject);
  if (cancellable == NULL)
    return;

  exchange->client = client;
  exchange->cancel_source = g_cancellable_source_new (cancellable);
  g_source_set_static_name (exchange->cancel_source, "[gmcp] request cancelled");
  g_source_set_callback (exchange->cancel_source, (GSourceFunc) G_CALLBACK (on_direct_cancelled),
                         exchange, NULL);
  g_source_attach (exchange->cancel_source, client->context);
}

void
gmcp_exchange_bind (GmcpExchange *exchange,
                    GTask *task,
                    GmcpCallOptions *options,
                    const char *subject)
{
  GCancellable *cancellable = g_task_get_cancellable (task);

  exchange->task = g_object_ref (task);
  take_options (exchange, options, subject);
  if (cancellable != NULL)
    {
      g_task_set_task_data (task, exchange, NULL);
      exchange->cancel_source = g_cancellable_source_new (cancellable);
      g_source_set_static_name (exchange->cancel_source, "[gmcp] request cancelled");
      g_task_attach_source (task, exchange->cancel_source, (GSourceFunc) G_CALLBACK (on_cancelled));
    }
}

static void
write_meta (GmcpClient *self, GmcpExchange *exchange, GmcpJsonWriter *params)
{
  gboolean wants_progress = exchange->task != NULL || exchange->call_done != NULL;

  if (!wants_progress && self->meta_members == NULL)
    return;

  gmcp_json_writer_plain_key (params, "_meta");
  gmcp_json_writer_begin_object (params);
  if (wants_progress)
    {
      gmcp_json_writer_plain_key (params, "progressToken");
      gmcp_json_writer_int64 (params, exchange->pending.id);
    }
  if (self->meta_members != NULL)
    {
      if (wants_progress)
        gmcp_json_append_literal (params->out, ",");
      gmcp_json_append (params->out, self->meta_members, strlen (self->meta_members));
      params->comma = TRUE;
    }
  if (self->log_level != GMCP_LOG_LEVEL_UNSET || exchange->options != NULL)
    gmcp_client_write_log_level (self, exchange, params);
  if (exchange->options != NULL)
    gmcp_call_options_write_meta (exchange->options, params);
  if (exchange->own_meta != NULL)
    gmcp_json_writer_raw (params, exchange->own_meta, -1);
  gmcp_json_writer_end_object (params);
}

gboolean
gmcp_client_send_message (GmcpClient *self, GmcpOutgoing *outgoing, GError **error)
{
  g_autoptr (GPtrArray) headers = NULL;
  gboolean sent;

  outgoing->text = self->out->str;
  outgoing->length = self->out->len;
  headers = self->has_headers ? gmcp_client_dress (self, outgoing) : NULL;
  sent = gmcp_transport_send (self->transport, outgoing, error);

  if (self->out->allocated_len > OUT_KEPT_BYTES)
    {
      g_string_free (self->out, TRUE);
      self->out = g_string_sized_new (1024);
    }
  return sent;
}

gboolean
gmcp_client_send_out (GmcpClient *self, gint64 request_id, const char *method, GError **error)
{
  GmcpOutgoing outgoing = { .request_id = request_id, .method = method };

  return gmcp_client_send_message (self, &outgoing, error);
}

static void
start_clock (GmcpClient *self, GmcpExchange *exchange)
{
  gint64 now;

  if (exchange->timeout_ms == 0)
    return;

  now = g_get_monotonic_time ();
  /* One for all requests of an exchange. */
  if (exchange->cap_us == 0)
    {
      if (exchange->max_timeout_ms == 0)
        exchange->max_timeout_ms = self->max_call_timeout_ms;
      exchange->max_timeout_ms = MAX (exchange->max_timeout_ms, exchange->timeout_ms);
      exchange->cap_us = now + exchange->max_timeout_ms * (gint64) 1000;
    }
  gmcp_pending_calls_set_deadline (
    self->pending, &exchange->pending,
    MIN (now + exchange->timeout_ms * (gint64) 1000, exchange->cap_us));
  if (self->input.questions.length > 0)
    gmcp_client_stop_clock (self, exchange);
}

/* Where it cannot be sent, the exchange has ended when this returns. */
void
gmcp_client_end_request (GmcpClient *self, GmcpExchange *exchange, GmcpJsonWriter *params)
{
  if (self->keeps_requests)
    exchange->params
      = g_memdup2 (self->out->str + exchange->params_at, self->out->len - exchange->params_at + 1);
  /* What a tool gives is never kept. */
  if (self->response_cache != NULL && exchange->call_done == NULL
      && gmcp_client_ask_cache (self, exchange))
    return;
  gmcp_client_send_request (self, exchange, params);
}

void
gmcp_client_send_request (GmcpClient *self, GmcpExchange *exchange, GmcpJsonWriter *params)
{
  gint64 id = exchange->pending.id;
  GError *error = NULL;

  if (self->renewal != NULL && self->renewal != exchange && exchange->params != NULL)
    {
      gmcp_pending_calls_take (self->pending, id);
      gmcp_client_renew_session (self, exchange);
      return;
    }

  exchange->session = self->session;
  write_meta (self, exchange, params);
  gmcp_json_writer_end_object (params);
  gmcp_json_append_literal (self->out, "}");

  if (gmcp_pending_calls_get_length (self->pending) > GMCP_LIMIT_PENDING_CALLS)
    g_set_error (&error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                 _ ("%s has %u calls under way, and takes no more until some have ended"),
                 gmcp_client_describe (self), GMCP_LIMIT_PENDING_CALLS);
  else
    {
      start_clock (self, exchange);
      if (gmcp_client_send_out (self, id, exchange->method, &error))
        return;
    }

  /* A transport that ends while it sends has ended the exchange too. */
  if (gmcp_pending_calls_take (self->pending, id) == NULL)
    {
      g_clear_error (&error);
      return;
    }
  g_prefix_error (&error, "%s: ", gmcp_client_describe (self));
  gmcp_client_finish_exchange (self, exchange, NULL, error);
}

void
gmcp_client_tell (GmcpClient *self, const char *method, const char *params_json)
{
  g_autoptr (GError) error = NULL;

  g_string_truncate (self->out, 0);
  gmcp_rpc_write_notification_start (self->out, method);
  g_string_append (self->out, params_json);
  g_string_append_c (self->out, '}');
  if (!gmcp_client_send_out (self, 0, method, &error))
    g_debug ("%s: %s was not sent: %s", gmcp_client_describe (self), method, error->message);
}

GPtrArray *
gmcp_client_take_exchanges (GmcpClient *self)
{
  GPtrArray *exchanges = gmcp_pending_calls_take_all (self->pending, NULL);

  for (guint i = 0; i < exchanges->len; i++)
    exchange_forget_cancellable (g_ptr_array_index (exchanges, i));
  return exchanges;
}

void
gmcp_client_fail_exchanges (GmcpClient *self, GPtrArray *exchanges, const GError *error)
{
  for (guint i = 0; i < exchanges->len; i++)
    gmcp_client_finish_exchange (self, g_ptr_array_index (exchanges, i), NULL,
                                 g_error_copy (error));
  g_ptr_array_unref (exchanges);
}

/* One that is held waits for no answer. */
static gboolean
outlives_violation (const GmcpPendingCall *call)
{
  const GmcpExchange *exchange = (const GmcpExchange *) call;

  return exchange->wait != NULL || exchange->lasting;
}

/* What comes next may be the answer of any of them, and then nobody waits for it. */
void
gmcp_client_give_up_all (GmcpClient *self, const GError *error)
{
  GPtrArray *exchanges = gmcp_pending_calls_take_all (self->pending, outlives_violation);

  for (guint i = 0; i < exchanges->len; i++)
    {
      GmcpExchange *exchange = g_ptr_array_index (exchanges, i);

      exchange_forget_cancellable (exchange);
      if (!exchange->silent && self->era != NULL)
        self->era->cancel (self, exchange->pending.id, "An answer could not be read");
    }
  gmcp_client_fail_exchanges (self, exchanges, error);
}

GmcpExchange *
gmcp_client_take_answered (GmcpClient *self, gint64 id)
{
  GmcpExchange *exchange = (GmcpExchange *) gmcp_pending_calls_find (self->pending, id);

  /* While one is held, the peer guessed an id that it was not sent. */
  if (exchange == NULL || exchange->wait != NULL)
    return NULL;

  gmcp_pending_calls_take_call (self->pending, &exchange->pending);
  if (exchange->left_us != 0)
    exchange->pending.deadline_us = gmcp_exchange_end_standstill (exchange);
  return exchange;
}
