/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-exchange-struct-private.h"
#include "gmcp-session-engine-private.h"

#include "gmcp-call-options-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"

/* What a server reports of one call reaches the caller so often and no more often: after that only
 * the latest report counts, and comes when its time has come. */
struct _GmcpProgressGate
{
  double tokens; /* how many may go through at once */
  gint64 filled_us;

  GSource *timer; /* while a report is held back, which is the next */
  double progress;
  double total;
  char *message;
};

void
gmcp_progress_gate_free (GmcpProgressGate *gate)
{
  if (gate->timer != NULL)
    {
      g_source_destroy (gate->timer);
      g_source_unref (gate->timer);
    }
  g_free (gate->message);
  g_free (gate);
}

static gboolean
gate_lets_pass (GmcpProgressGate *gate)
{
  gint64 now = g_get_monotonic_time ();

  gate->tokens
    += (double) (now - gate->filled_us) * GMCP_LIMIT_PROGRESS_PER_SECOND / G_USEC_PER_SEC;
  gate->tokens = MIN (gate->tokens, GMCP_LIMIT_PROGRESS_BURST);
  gate->filled_us = now;
  if (gate->tokens < 1)
    return FALSE;

  gate->tokens -= 1;
  return TRUE;
}

/* Handlers of the progress may end the exchange. */
static void
tell_held (GmcpExchange *exchange)
{
  GmcpProgressGate *gate = exchange->progress;
  g_autoptr (GmcpCallOptions) options = g_object_ref (exchange->options);
  g_autofree char *message = g_steal_pointer (&gate->message);

  g_source_destroy (gate->timer);
  g_clear_pointer (&gate->timer, g_source_unref);
  gmcp_call_options_emit_progress (options, gate->progress, gate->total, message);
}

static gboolean
on_next_due (gpointer user_data)
{
  GmcpExchange *exchange = user_data;

  /* The timer says that a token is due. */
  gate_lets_pass (exchange->progress);
  tell_held (exchange);
  return G_SOURCE_REMOVE;
}

void
gmcp_exchange_flush_progress (GmcpExchange *exchange)
{
  if (exchange->progress->timer != NULL)
    tell_held (exchange);
}

/* Takes the message. */
static void
hold_back (GmcpSession *self, GmcpExchange *exchange, double progress, double total, char *message)
{
  GmcpProgressGate *gate = exchange->progress;

  gate->progress = progress;
  gate->total = total;
  g_free (gate->message);
  gate->message = message;
  if (gate->timer != NULL)
    return;

  gate->timer = g_timeout_source_new (1000 / GMCP_LIMIT_PROGRESS_PER_SECOND);
  g_source_set_static_name (gate->timer, "[gmcp] progress held back");
  g_source_set_callback (gate->timer, on_next_due, exchange, NULL);
  g_source_attach (gate->timer, gmcp_session_get_context (self));
}

static void
report_progress (GmcpSession *self, GmcpExchange *exchange, double progress, GmcpJsonValue params)
{
  g_autofree char *message
    = gmcp_json_value_dup_string (gmcp_json_value_get_member (params, "message"));
  double total = -1;

  message = gmcp_protocol_cut_text (g_steal_pointer (&message), GMCP_LIMIT_STATUS_BYTES);
  gmcp_json_value_get_double (gmcp_json_value_get_member (params, "total"), &total);
  if (exchange->progress == NULL)
    {
      exchange->progress = g_new0 (GmcpProgressGate, 1);
      exchange->progress->tokens = GMCP_LIMIT_PROGRESS_BURST;
      exchange->progress->filled_us = g_get_monotonic_time ();
    }

  if (exchange->progress->timer != NULL || !gate_lets_pass (exchange->progress))
    hold_back (self, exchange, progress, total, g_steal_pointer (&message));
  else
    gmcp_call_options_emit_progress (exchange->options, progress, total, message);
}

void
gmcp_session_note_progress (GmcpSession *self, GmcpJsonValue params)
{
  GmcpExchange *exchange;
  double progress;
  gint64 token;

  if (!gmcp_rpc_id_get_int64 (gmcp_json_value_get_member (params, "progressToken"), &token))
    return;
  exchange = (GmcpExchange *) gmcp_pending_calls_find (gmcp_session_get_calls (self), token);
  if (exchange == NULL || exchange->wait != NULL)
    exchange = gmcp_session_get_hooks (self)->find_call (self, token);
  if (exchange == NULL)
    {
      g_debug ("%s: progress of a call that has ended", gmcp_session_describe (self));
      return;
    }

  if (exchange->left_us != 0)
    exchange->left_us = exchange->timeout_ms * (gint64) 1000;
  else if (exchange->timeout_ms != 0 && exchange->wait == NULL)
    {
      gint64 deadline = g_get_monotonic_time () + exchange->timeout_ms * (gint64) 1000;

      gmcp_pending_calls_set_deadline (gmcp_session_get_calls (self), &exchange->pending,
                                       MIN (deadline, exchange->cap_us));
    }
  if (exchange->options != NULL
      && gmcp_json_value_get_double (gmcp_json_value_get_member (params, "progress"), &progress))
    report_progress (self, exchange, progress, params);
}
