/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-exchange-struct-private.h"

#include <string.h>

#include "gmcp-session-engine-private.h"

#include "gmcp-call-options-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-json-append-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"

char *
gmcp_exchange_keep_text (GmcpExchange *exchange, const char *text, gsize length)
{
  char *kept;

  if (length < GMCP_EXCHANGE_ROOM - exchange->room_used)
    {
      kept = exchange->room + exchange->room_used;
      exchange->room_used += (guint) length + 1;
    }
  else
    {
      kept = g_malloc (length + 1);
    }
  memcpy (kept, text, length);
  kept[length] = '\0';
  return kept;
}

void
gmcp_exchange_drop_text (GmcpExchange *exchange, char *text)
{
  /* What lies in the room goes with the exchange. */
  if (text != NULL && (text < exchange->room || text >= exchange->room + GMCP_EXCHANGE_ROOM))
    g_free (text);
}

static void
exchange_free (GmcpExchange *exchange)
{
  g_clear_object (&exchange->task);
  g_clear_object (&exchange->options);
  gmcp_exchange_drop_text (exchange, exchange->subject);
  gmcp_exchange_drop_text (exchange, exchange->params);
  g_clear_pointer (&exchange->more, g_free);
  if (exchange->filter != NULL)
    gmcp_exchange_set_filter (exchange, NULL, NULL);
  g_clear_pointer (&exchange->own_meta, g_free);
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

void
gmcp_session_answer_exchange (GmcpSession *self,
                              GmcpExchange *exchange,
                              const GmcpRpcMessage *reply,
                              GError *error)
{
  if (error != NULL)
    {
      if (!gmcp_session_get_era (self)->check_error (self, exchange, error))
        {
          g_error_free (error);
          return;
        }
    }
  else if (!gmcp_session_get_era (self)->check_result (self, exchange, reply->result, &error))
    {
      if (error == NULL)
        return;
      reply = NULL;
    }
  gmcp_session_finish_exchange (self, exchange, reply, error);
}

void
gmcp_session_finish_exchange (GmcpSession *self,
                              GmcpExchange *exchange,
                              const GmcpRpcMessage *reply,
                              GError *error)
{
  if (error != NULL)
    error = gmcp_session_filter_error (self, error);
  if (exchange->options != NULL)
    gmcp_call_options_take_outcome (exchange->options, error);
  exchange_forget_cancellable (exchange);
  if (exchange->wait != NULL)
    gmcp_exchange_end_wait (self, exchange);
  if (exchange->progress != NULL && reply != NULL)
    gmcp_exchange_flush_progress (exchange);
  if (exchange->filter != NULL)
    exchange->filter->finish (self, exchange, reply, error);
  else
    exchange->done (self, exchange, reply, error);
  exchange_free (exchange);
}

void
gmcp_session_drop_exchange (GmcpSession *self, GmcpExchange *exchange)
{
  /* An exchange that was taken with all others ends there. */
  if (!gmcp_pending_calls_take_call (gmcp_session_get_calls (self), &exchange->pending))
    return;

  exchange_forget_cancellable (exchange);
  if (exchange->wait != NULL)
    gmcp_exchange_end_wait (self, exchange);
  else
    gmcp_transport_cancel_request (gmcp_session_get_transport (self), exchange->pending.id);
  exchange_free (exchange);
}

/* No server asks anything in the course of a list, a completion or a ping. */
static gboolean
may_ask (GmcpExchange *exchange)
{
  const GmcpEraFuncs *era = gmcp_session_get_era (exchange->session);

  return (exchange->task != NULL || exchange->call_done != NULL)
         && !g_str_has_suffix (exchange->method, "/list")
         && !g_str_equal (exchange->method, GMCP_METHOD_COMPLETE)
         && (era == NULL || !g_strv_contains (era->reads, exchange->method));
}

void
gmcp_exchange_note_given_up (GmcpExchange *exchange)
{
  if (may_ask (exchange))
    gmcp_given_up_calls_add (gmcp_session_get_given_up (exchange->session), exchange->pending.id,
                             exchange->options);
}

static void
give_up_exchange (GmcpSession *self, GmcpExchange *exchange, const char *reason, GError *error)
{
  gmcp_exchange_note_given_up (exchange);
  if (!exchange->silent && exchange->wait == NULL && gmcp_session_get_era (self) != NULL)
    gmcp_session_get_era (self)->cancel (self, exchange->pending.id, reason);
  gmcp_session_finish_exchange (self, exchange, NULL, error);
}

static void
cancel_exchange (GmcpExchange *exchange)
{
  g_autoptr (GmcpSession) self = gmcp_session_ref (exchange->session);

  gmcp_pending_calls_take (gmcp_session_get_calls (self), exchange->pending.id);
  give_up_exchange (
    self, exchange, "The caller no longer needs the answer",
    g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Operation was cancelled")));
}

static gboolean
on_task_cancelled (GCancellable *cancellable, gpointer user_data)
{
  cancel_exchange (g_task_get_task_data (user_data));
  return G_SOURCE_REMOVE;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  cancel_exchange (user_data);
  return G_SOURCE_REMOVE;
}

void
gmcp_session_exchange_timed_out (GmcpPendingCall *call, gpointer session)
{
  g_autoptr (GmcpSession) self = gmcp_session_ref (session);
  GmcpExchange *exchange = (GmcpExchange *) call;
  const char *subject = exchange->subject != NULL ? exchange->subject : _ ("a request");
  const char *problem = gmcp_session_get_last_problem (self);
  GError *error;

  if (exchange->wait != NULL && exchange->wait->timed_out != NULL)
    {
      error = exchange->wait->timed_out (self, exchange, exchange->wait_data);
      gmcp_session_finish_exchange (self, exchange, NULL, error);
      return;
    }

  if (exchange->pending.deadline.at_us >= exchange->cap_us
      && exchange->max_timeout_ms > exchange->timeout_ms)
    error
      = g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                     /* Translators: a tool's name, a server's name, a number */
                     _ ("“%s” on %s did not finish within %u ms, the limit for calls that report "
                        "progress; the limit can be raised in the call or the server's settings"),
                     subject, gmcp_session_describe (self), exchange->max_timeout_ms);
  else
    error
      = g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                     /* Translators: a tool's name, a server's name, a number */
                     _ ("“%s” on %s did not answer within %u ms; the limit can be raised in the "
                        "call or the server's settings"),
                     subject, gmcp_session_describe (self), exchange->timeout_ms);
  if (problem != NULL)
    {
      g_autofree char *plain = g_steal_pointer (&error->message);

      /* Translators: an error message, and what the server did wrong shortly before */
      error->message
        = g_strdup_printf (_ ("%s (what came from it last could not be read: %s)"), plain, problem);
    }

  give_up_exchange (self, exchange, "The time limit for the answer has passed", error);
}

GmcpExchange *
gmcp_session_begin_request (GmcpSession *self,
                            const char *method,
                            GmcpExchangeFunc done,
                            guint timeout_ms,
                            GmcpJsonWriter *params)
{
  GmcpExchange *exchange = g_malloc (sizeof *exchange + GMCP_EXCHANGE_ROOM);
  GString *out = gmcp_session_begin_message (self);

  /* Not g_new0(): calloc() takes the long way round through the C library's allocator. */
  *exchange = (GmcpExchange){ .done = done, .session = self, .method = method };
  exchange->timeout_ms = timeout_ms;
  gmcp_pending_calls_add (gmcp_session_get_calls (self), &exchange->pending, G_MAXINT64);

  gmcp_rpc_write_request_start (out, exchange->pending.id, method);
  *params = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_object (params);
  exchange->params_at = out->len;

  return exchange;
}

static void
take_options (GmcpExchange *exchange, GmcpCallOptions *options, const char *subject)
{
  if (subject != NULL)
    exchange->subject = gmcp_exchange_keep_text (exchange, subject, strlen (subject));
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

  exchange->cancel_source = g_cancellable_source_new (cancellable);
  g_source_set_static_name (exchange->cancel_source, "[gmcp] request cancelled");
  g_source_set_callback (exchange->cancel_source, (GSourceFunc) G_CALLBACK (on_cancelled), exchange,
                         NULL);
  g_source_attach (exchange->cancel_source, gmcp_session_get_context (exchange->session));
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
      g_task_attach_source (task, exchange->cancel_source,
                            (GSourceFunc) G_CALLBACK (on_task_cancelled));
    }
}

static void
write_meta (GmcpSession *self, GmcpExchange *exchange, GmcpJsonWriter *params)
{
  gboolean wants_progress = exchange->task != NULL || exchange->call_done != NULL;

  if (!wants_progress && gmcp_session_get_meta_members (self) == NULL)
    return;

  gmcp_json_writer_plain_key (params, "_meta");
  gmcp_json_writer_begin_object (params);
  if (wants_progress)
    {
      gmcp_json_writer_plain_key (params, "progressToken");
      gmcp_json_writer_int64 (params, exchange->pending.id);
    }
  gmcp_session_write_meta_members (self, params);
  gmcp_session_get_hooks (self)->write_meta (self, exchange, params);
  if (exchange->options != NULL)
    gmcp_call_options_write_meta (exchange->options, params);
  if (exchange->own_meta != NULL)
    gmcp_json_writer_raw (params, exchange->own_meta, -1);
  gmcp_json_writer_end_object (params);
}

void
gmcp_exchange_set_filter (GmcpExchange *exchange, const GmcpExchangeFilter *filter, gpointer data)
{
  if (exchange->filter != NULL)
    exchange->filter->free (exchange->filter_data);
  exchange->filter = filter;
  exchange->filter_data = data;
}

const char *
gmcp_exchange_peek_params (GmcpExchange *exchange)
{
  return gmcp_session_get_out (exchange->session)->str + exchange->params_at;
}

GmcpExchange *
gmcp_session_find_exchange (GmcpSession *self, gint64 id)
{
  return (GmcpExchange *) gmcp_pending_calls_find (gmcp_session_get_calls (self), id);
}

gboolean
gmcp_exchange_take (GmcpExchange *exchange)
{
  return gmcp_pending_calls_take_call (gmcp_session_get_calls (exchange->session),
                                       &exchange->pending);
}

void
gmcp_exchange_set_deadline (GmcpExchange *exchange, gint64 deadline_us)
{
  gmcp_pending_calls_set_deadline (gmcp_session_get_calls (exchange->session), &exchange->pending,
                                   deadline_us);
}

static void
stop_clock (GmcpExchange *exchange)
{
  GmcpPendingCall *call = &exchange->pending;

  /* Held, or without a clock, or it stands still already. */
  if (exchange->wait != NULL || call->deadline.at_us == G_MAXINT64)
    return;
  exchange->stopped_us = g_get_monotonic_time ();
  exchange->left_us = MAX (call->deadline.at_us - exchange->stopped_us, 1);
  gmcp_exchange_set_deadline (exchange, G_MAXINT64);
}

/* The deadline that the exchange has from now on. */
static gint64
end_standstill (GmcpExchange *exchange)
{
  gint64 now = g_get_monotonic_time ();
  gint64 left_us = exchange->left_us;

  exchange->cap_us += now - exchange->stopped_us;
  exchange->left_us = 0;
  return MIN (now + left_us, exchange->cap_us);
}

static void
stop_call_clock (GmcpPendingCall *call, gpointer session)
{
  stop_clock ((GmcpExchange *) call);
}

static void
start_call_clock (GmcpPendingCall *call, gpointer session)
{
  GmcpExchange *exchange = (GmcpExchange *) call;

  if (exchange->left_us != 0)
    gmcp_exchange_set_deadline (exchange, end_standstill (exchange));
}

typedef struct
{
  GmcpExchange *found;
  gboolean is_only;
  GmcpCallOrigins origins;
} Search;

static void
consider_call (GmcpPendingCall *call, gpointer data)
{
  GmcpExchange *exchange = (GmcpExchange *) call;
  Search *search = data;

  if (!may_ask (exchange))
    return;
  search->is_only = search->found == NULL;
  search->found = exchange;
  gmcp_call_origins_add (&search->origins, gmcp_call_options_get_origin (exchange->options));
}

GmcpCallOptions *
gmcp_session_find_only_options (GmcpSession *self)
{
  Search search = { NULL };

  if (gmcp_given_up_calls_get_origins (gmcp_session_get_given_up (self)).any)
    return NULL;
  gmcp_pending_calls_foreach (gmcp_session_get_calls (self), consider_call, &search);
  return search.is_only ? search.found->options : NULL;
}

guint64
gmcp_session_find_only_origin (GmcpSession *self)
{
  Search search = { .origins = gmcp_given_up_calls_get_origins (gmcp_session_get_given_up (self)) };

  gmcp_pending_calls_foreach (gmcp_session_get_calls (self), consider_call, &search);
  return search.origins.only;
}

void
gmcp_session_stop_clocks (GmcpSession *self)
{
  gmcp_session_set_clocks_stopped (self, TRUE);
  gmcp_pending_calls_foreach (gmcp_session_get_calls (self), stop_call_clock, self);
}

void
gmcp_session_start_clocks (GmcpSession *self)
{
  gmcp_session_set_clocks_stopped (self, FALSE);
  gmcp_pending_calls_foreach (gmcp_session_get_calls (self), start_call_clock, self);
}

static void
start_clock (GmcpSession *self, GmcpExchange *exchange)
{
  gint64 now;

  if (exchange->timeout_ms == 0)
    return;

  now = g_get_monotonic_time ();
  /* One for all requests of an exchange. */
  if (exchange->cap_us == 0)
    {
      if (exchange->max_timeout_ms == 0)
        exchange->max_timeout_ms
          = gmcp_session_get_timeout_ms (self, GMCP_SESSION_MAX_CALL_TIMEOUT);
      exchange->max_timeout_ms = MAX (exchange->max_timeout_ms, exchange->timeout_ms);
      exchange->cap_us = now + exchange->max_timeout_ms * (gint64) 1000;
    }
  gmcp_pending_calls_set_deadline (
    gmcp_session_get_calls (self), &exchange->pending,
    MIN (now + exchange->timeout_ms * (gint64) 1000, exchange->cap_us));
  if (gmcp_session_clocks_stand_still (self))
    stop_clock (exchange);
}

/* An exchange that cannot be sent has ended when this returns. */
void
gmcp_session_end_request (GmcpSession *self, GmcpExchange *exchange, GmcpJsonWriter *params)
{
  if (gmcp_session_keeps_requests (self))
    exchange->params = gmcp_exchange_keep_text (exchange, params->out->str + exchange->params_at,
                                                params->out->len - exchange->params_at);
  if (gmcp_session_get_hooks (self)->before_send (self, exchange))
    return;
  gmcp_session_send_request (self, exchange, params);
}

void
gmcp_session_send_request (GmcpSession *self, GmcpExchange *exchange, GmcpJsonWriter *params)
{
  gint64 id = exchange->pending.id;
  GError *error = NULL;

  if (gmcp_session_awaits_renewal (self, exchange))
    {
      gmcp_pending_calls_take (gmcp_session_get_calls (self), id);
      gmcp_session_renew (self, exchange);
      return;
    }

  exchange->session_number = gmcp_session_get_number (self);
  write_meta (self, exchange, params);
  gmcp_json_writer_end_object (params);
  gmcp_json_append_literal (params->out, "}");

  if (gmcp_pending_calls_get_length (gmcp_session_get_calls (self)) > GMCP_LIMIT_PENDING_CALLS)
    g_set_error (&error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                 _ ("%s has %u calls under way, and takes no more until some have ended"),
                 gmcp_session_describe (self), GMCP_LIMIT_PENDING_CALLS);
  else
    {
      start_clock (self, exchange);
      if (gmcp_session_send_out (self, id, exchange->method, &error))
        return;
    }

  /* A transport that ends while it sends has ended the exchange too. */
  if (gmcp_pending_calls_take (gmcp_session_get_calls (self), id) == NULL)
    {
      g_clear_error (&error);
      return;
    }
  g_prefix_error (&error, "%s: ", gmcp_session_describe (self));
  gmcp_session_finish_exchange (self, exchange, NULL, error);
}

GPtrArray *
gmcp_session_take_exchanges (GmcpSession *self)
{
  GPtrArray *exchanges = gmcp_pending_calls_take_all (gmcp_session_get_calls (self), NULL);

  for (guint i = 0; i < exchanges->len; i++)
    exchange_forget_cancellable (g_ptr_array_index (exchanges, i));
  return exchanges;
}

void
gmcp_session_fail_exchanges (GmcpSession *self, GPtrArray *exchanges, const GError *error)
{
  for (guint i = 0; i < exchanges->len; i++)
    gmcp_session_finish_exchange (self, g_ptr_array_index (exchanges, i), NULL,
                                  g_error_copy (error));
  g_ptr_array_unref (exchanges);
}

/* An exchange that is held waits for no answer. */
static gboolean
outlives_violation (const GmcpPendingCall *call)
{
  const GmcpExchange *exchange = (const GmcpExchange *) call;

  return exchange->wait != NULL || exchange->lasting;
}

/* What comes next may be the answer of any of them, and then nobody waits for it. */
void
gmcp_session_give_up_all (GmcpSession *self, const GError *error)
{
  GPtrArray *exchanges
    = gmcp_pending_calls_take_all (gmcp_session_get_calls (self), outlives_violation);

  for (guint i = 0; i < exchanges->len; i++)
    {
      GmcpExchange *exchange = g_ptr_array_index (exchanges, i);

      exchange_forget_cancellable (exchange);
      gmcp_exchange_note_given_up (exchange);
      if (!exchange->silent && gmcp_session_get_era (self) != NULL)
        gmcp_session_get_era (self)->cancel (self, exchange->pending.id,
                                             "An answer could not be read");
    }
  gmcp_session_fail_exchanges (self, exchanges, error);
}

GmcpExchange *
gmcp_session_take_answered (GmcpSession *self, gint64 id)
{
  GmcpExchange *exchange
    = (GmcpExchange *) gmcp_pending_calls_find (gmcp_session_get_calls (self), id);

  /* An id of an exchange that is held was never sent: the peer guessed it. */
  if (exchange == NULL || exchange->wait != NULL)
    return NULL;

  gmcp_pending_calls_take_call (gmcp_session_get_calls (self), &exchange->pending);
  if (exchange->left_us != 0)
    exchange->pending.deadline.at_us = end_standstill (exchange);
  return exchange;
}
