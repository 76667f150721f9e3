/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-exchange-struct-private.h"
#include "gmcp-session-engine-private.h"

/* An exchange that takes more than one request. Between two of them it is held in the table of
 * calls, under the id that its next request would have. */

typedef struct
{
  GmcpSession *session;
  GmcpExchange *exchange;
  GSource *timer;
  char *more;
} Delay;

static void
delay_end (GmcpSession *self, gpointer data)
{
  Delay *delay = data;

  g_source_destroy (delay->timer);
  g_source_unref (delay->timer);
  g_free (delay->more);
  g_free (delay);
}

static const GmcpExchangeWait delay_wait = { .end = delay_end };

void
gmcp_exchange_hold (GmcpSession *self,
                    GmcpExchange *exchange,
                    const GmcpExchangeWait *wait,
                    gpointer data,
                    gint64 deadline_us)
{
  g_return_if_fail (exchange->wait == NULL);

  exchange->wait = wait;
  exchange->wait_data = data;
  exchange->wait_since_us = g_get_monotonic_time ();
  gmcp_pending_calls_add (gmcp_session_get_calls (self), &exchange->pending, deadline_us);
}

void
gmcp_exchange_end_wait (GmcpSession *self, GmcpExchange *exchange)
{
  const GmcpExchangeWait *wait = g_steal_pointer (&exchange->wait);

  if (wait->stops_clock && exchange->cap_us != 0)
    exchange->cap_us += g_get_monotonic_time () - exchange->wait_since_us;
  wait->end (self, g_steal_pointer (&exchange->wait_data));
}

void
gmcp_exchange_resend (GmcpSession *self, GmcpExchange *exchange, const char *more)
{
  GmcpJsonWriter params;
  GString *out;

  g_return_if_fail (exchange->params != NULL);

  if (exchange->wait != NULL
      && !gmcp_pending_calls_take_call (gmcp_session_get_calls (self), &exchange->pending))
    return;

  if (more != exchange->more)
    {
      g_free (exchange->more);
      exchange->more = g_strdup (more);
    }
  if (exchange->wait != NULL)
    gmcp_exchange_end_wait (self, exchange);

  gmcp_pending_calls_add (gmcp_session_get_calls (self), &exchange->pending, G_MAXINT64);
  out = gmcp_session_begin_message (self);
  gmcp_rpc_write_request_start (out, exchange->pending.id, exchange->method);
  params = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_object (&params);
  g_string_append (out, exchange->params);
  params.comma = *exchange->params != '\0';
  if (exchange->more != NULL)
    {
      /* The answer depends on more than the request that it is to. */
      gmcp_exchange_set_filter (exchange, NULL, NULL);
      gmcp_json_writer_raw (&params, exchange->more, -1);
    }
  gmcp_session_send_request (self, exchange, &params);
}

static gboolean
on_delay_over (gpointer user_data)
{
  Delay *delay = user_data;
  g_autoptr (GmcpSession) self = gmcp_session_ref (delay->session);
  g_autofree char *more = g_steal_pointer (&delay->more);

  gmcp_exchange_resend (self, delay->exchange, more);
  return G_SOURCE_REMOVE;
}

void
gmcp_exchange_resend_after (GmcpSession *self,
                            GmcpExchange *exchange,
                            const char *more,
                            guint delay_ms)
{
  Delay *delay = g_new0 (Delay, 1);

  delay->session = self;
  delay->exchange = exchange;
  delay->more = g_strdup (more);
  delay->timer = g_timeout_source_new (delay_ms);
  g_source_set_static_name (delay->timer, "[gmcp] request is sent again");
  g_source_set_callback (delay->timer, on_delay_over, delay, NULL);
  g_source_attach (delay->timer, gmcp_session_get_context (self));
  gmcp_exchange_hold (self, exchange, &delay_wait, delay,
                      exchange->cap_us != 0 ? exchange->cap_us : G_MAXINT64);
}

void
gmcp_exchange_fail (GmcpSession *self, GmcpExchange *exchange, GError *error)
{
  if (gmcp_pending_calls_take_call (gmcp_session_get_calls (self), &exchange->pending))
    gmcp_session_finish_exchange (self, exchange, NULL, error);
  else
    g_error_free (error);
}
