/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-exchange-struct-private.h"

#include <string.h>

GmcpSession *
gmcp_exchange_get_session (GmcpExchange *exchange)
{
  return exchange->session;
}

const char *
gmcp_exchange_get_method (const GmcpExchange *exchange)
{
  return exchange->method;
}

const char *
gmcp_exchange_get_subject (const GmcpExchange *exchange)
{
  return exchange->subject;
}

void
gmcp_exchange_set_subject (GmcpExchange *exchange, const char *subject)
{
  gmcp_exchange_drop_text (exchange, exchange->subject);
  exchange->subject
    = subject != NULL ? gmcp_exchange_keep_text (exchange, subject, strlen (subject)) : NULL;
}

gint64
gmcp_exchange_get_id (GmcpExchange *exchange)
{
  return exchange->pending.id;
}

gboolean
gmcp_exchange_is_pending (GmcpExchange *exchange)
{
  return exchange->pending.in_table;
}

gint64
gmcp_exchange_get_deadline_us (GmcpExchange *exchange)
{
  return exchange->pending.deadline.at_us;
}

gint64
gmcp_exchange_get_cap_us (GmcpExchange *exchange)
{
  return exchange->cap_us;
}

gint64
gmcp_exchange_make_deadline_us (GmcpExchange *exchange)
{
  gint64 deadline_us = G_MAXINT64;

  if (exchange->timeout_ms != 0)
    deadline_us = g_get_monotonic_time () + exchange->timeout_ms * (gint64) 1000;
  if (exchange->cap_us != 0)
    deadline_us = MIN (deadline_us, exchange->cap_us);
  return deadline_us;
}

void
gmcp_exchange_set_timeout_ms (GmcpExchange *exchange, guint timeout_ms)
{
  exchange->timeout_ms = timeout_ms;
}

GTask *
gmcp_exchange_get_task (GmcpExchange *exchange)
{
  return exchange->task;
}

GmcpCallOptions *
gmcp_exchange_get_options (GmcpExchange *exchange)
{
  return exchange->options;
}

gpointer
gmcp_exchange_get_data (GmcpExchange *exchange)
{
  return exchange->call_data;
}

void
gmcp_exchange_set_data (GmcpExchange *exchange, gpointer data)
{
  exchange->call_data = data;
}

gboolean
gmcp_exchange_ends_by (const GmcpExchange *exchange, GmcpExchangeFunc func)
{
  return exchange->done == func;
}

gboolean
gmcp_exchange_is_direct_call (GmcpExchange *exchange)
{
  return exchange->call_done != NULL;
}

void
gmcp_exchange_end_call (GmcpExchange *exchange, GmcpToolResult *result, GError *error)
{
  exchange->call_done (result, error, exchange->call_data);
}

const char *
gmcp_exchange_get_own_meta (GmcpExchange *exchange)
{
  return exchange->own_meta;
}

void
gmcp_exchange_take_own_meta (GmcpExchange *exchange, char *own_meta)
{
  g_free (exchange->own_meta);
  exchange->own_meta = own_meta;
}

void
gmcp_exchange_set_silent (GmcpExchange *exchange)
{
  exchange->silent = TRUE;
}

void
gmcp_exchange_set_lasting (GmcpExchange *exchange)
{
  exchange->lasting = TRUE;
}

void
gmcp_exchange_set_asks_anew (GmcpExchange *exchange)
{
  exchange->asks_anew = TRUE;
}

gboolean
gmcp_exchange_asks_anew (GmcpExchange *exchange)
{
  return exchange->asks_anew;
}

void
gmcp_exchange_set_cached (GmcpExchange *exchange, guint left_ms)
{
  exchange->cached = TRUE;
  exchange->cached_left_ms = left_ms;
}

gboolean
gmcp_exchange_is_cached (GmcpExchange *exchange)
{
  return exchange->cached;
}

gboolean
gmcp_exchange_is_stale (GmcpExchange *exchange)
{
  return exchange->cached && exchange->cached_left_ms == 0;
}

guint
gmcp_exchange_get_cached_left_ms (GmcpExchange *exchange)
{
  return exchange->cached_left_ms;
}

guint
gmcp_exchange_get_http_status (GmcpExchange *exchange)
{
  return exchange->http_status;
}

void
gmcp_exchange_set_http_status (GmcpExchange *exchange, guint http_status)
{
  exchange->http_status = http_status;
}

guint
gmcp_exchange_get_n_rounds (GmcpExchange *exchange)
{
  return exchange->n_rounds;
}

void
gmcp_exchange_count_round (GmcpExchange *exchange)
{
  exchange->n_rounds++;
}

gsize
gmcp_exchange_get_n_kept (GmcpExchange *exchange)
{
  return exchange->n_kept;
}

void
gmcp_exchange_set_n_kept (GmcpExchange *exchange, GmcpByteBudget *budget, gsize n_kept)
{
  exchange->n_kept = n_kept;
  if (exchange->budget == NULL)
    exchange->budget = gmcp_byte_budget_ref (budget);
}

gboolean
gmcp_exchange_can_resend (const GmcpExchange *exchange)
{
  return exchange->params != NULL;
}

const char *
gmcp_exchange_get_more (GmcpExchange *exchange)
{
  return exchange->more;
}

gboolean
gmcp_exchange_note_resent (GmcpExchange *exchange, guint reason)
{
  if ((exchange->resent & reason) != 0)
    return FALSE;

  exchange->resent |= reason;
  return TRUE;
}

guint
gmcp_exchange_get_session_number (GmcpExchange *exchange)
{
  return exchange->session_number;
}

gboolean
gmcp_exchange_is_held (GmcpExchange *exchange)
{
  return exchange->wait != NULL;
}

gboolean
gmcp_exchange_is_held_for (GmcpExchange *exchange, const GmcpExchangeWait *wait)
{
  return exchange->wait == wait;
}

gpointer
gmcp_exchange_get_filter_data (GmcpExchange *exchange, const GmcpExchangeFilter *filter)
{
  return exchange->filter == filter ? exchange->filter_data : NULL;
}

void
gmcp_exchange_tell_owner (GmcpSession *self,
                          GmcpExchange *exchange,
                          const GmcpRpcMessage *reply,
                          GError *error)
{
  exchange->done (self, exchange, reply, error);
}
