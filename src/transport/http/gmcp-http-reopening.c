/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-streamable-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

/* Streams that are opened by a request of their own: the one of what the server says unasked, and
 * those that broke before the answer came. */

#define HEADER_LAST_EVENT "Last-Event-ID"

void
gmcp_http_exchange_reopen (GmcpHttpExchange *exchange)
{
  GmcpHttpStreamable *owner = exchange->owner;
  GmcpHttpLink *link = owner->parent.link;

  gmcp_http_exchange_clear_stream (exchange);
  exchange->reopened = TRUE;
  exchange->opened_us = g_get_monotonic_time ();
  exchange->request = gmcp_http_link_new_request (link, "GET", link->url->uri,
                                                  (const char *const *) owner->session_headers);
  gmcp_http_request_set_header (exchange->request, "Accept", "text/event-stream",
                                GMCP_HTTP_HEADER_PUBLIC);
  if (exchange->last_event_id != NULL)
    gmcp_http_request_set_header (exchange->request, HEADER_LAST_EVENT, exchange->last_event_id,
                                  GMCP_HTTP_HEADER_PRIVATE);
  gmcp_http_exchange_begin_sending (exchange, link->times->connect_ms);
}

static GError *
broken_stream_error (GmcpHttpExchange *exchange, const GError *error)
{
  const char *display = exchange->owner->parent.link->url->display;

  if (error != NULL && (error->domain == GMCP_ERROR || error->domain == G_TLS_ERROR))
    return g_error_copy (error);
  if (error != NULL)
    return g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED,
                        /* Translators: a URL, an error message */
                        _ ("The connection to “%s” broke before the answer came: %s; what was "
                           "asked for may have been done"),
                        display, error->message);
  return g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED,
                      _ ("“%s” ended the connection before the answer came; what was asked for may "
                         "have been done"),
                      display);
}

static GError *
deaf_error (GmcpHttpExchange *exchange, const GError *error)
{
  const char *display = exchange->owner->parent.link->url->display;

  if (error != NULL)
    return g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED,
                        /* Translators: a URL, an error message */
                        _ ("The stream by which “%s” tells of changes broke: %s"), display,
                        error->message);
  return g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED,
                      _ ("“%s” ended the stream by which it tells of changes"), display);
}

gboolean
gmcp_http_exchange_is_of_other_session (GmcpHttpExchange *exchange)
{
  return exchange->session_id != NULL
         && g_strcmp0 (exchange->session_id, exchange->owner->session_id) != 0;
}

void
gmcp_http_exchange_fail_other_session (GmcpHttpExchange *exchange)
{
  g_autoptr (GError) error = broken_stream_error (exchange, NULL);
  GmcpTransportFailure failure = { .error = error, .session_lost = TRUE, .retry_after_ms = -1 };

  gmcp_http_exchange_fail (exchange, &failure);
}

static gint64
get_delay_ms (GmcpHttpExchange *exchange, gint64 asked_ms)
{
  const GmcpHttpTimes *times = exchange->owner->parent.link->times;
  guint n = exchange->listens ? exchange->owner->n_short : exchange->n_reopenings;
  gint64 base = exchange->retry_ms >= 0 ? exchange->retry_ms : times->retry_ms;

  base = MAX (MAX (base, asked_ms), times->min_retry_ms);
  return MIN (base << MIN (n, 8), MAX (base, times->max_retry_ms));
}

static gboolean
is_of_use (GmcpHttpExchange *exchange)
{
  GmcpHttpStreamable *owner = exchange->owner;

  if (owner->session_headers == NULL)
    return FALSE;
  /* Proxies cut streams that are idle, and servers are started again: what has stood will stand. */
  if (exchange->listens && owner->listened)
    return TRUE;
  return (exchange->listens || exchange->last_event_id != NULL)
         && exchange->n_reopenings < GMCP_LIMIT_HTTP_REOPENINGS;
}

void
gmcp_http_exchange_reopen_later (GmcpHttpExchange *exchange, const GError *error, gint64 asked_ms)
{
  GmcpHttpStreamable *owner = exchange->owner;
  gint64 now = g_get_monotonic_time ();
  gboolean stood = exchange->state == GMCP_HTTP_EXCHANGE_EVENTS;
  gint64 delay_ms;

  if (!exchange->listens && !gmcp_http_exchange_is_waited_for (exchange))
    {
      gmcp_http_exchange_drop (exchange);
      return;
    }
  if (gmcp_http_exchange_is_of_other_session (exchange))
    {
      gmcp_http_exchange_fail_other_session (exchange);
      return;
    }
  if (exchange->listens && stood
      && now - exchange->opened_us >= owner->parent.link->times->short_life_ms * 1000)
    {
      owner->listened = TRUE;
      owner->n_short = 0;
    }
  if (!is_of_use (exchange))
    {
      gmcp_http_exchange_fail_with (exchange, broken_stream_error (exchange, error));
      return;
    }

  delay_ms = get_delay_ms (exchange, asked_ms);
  if (exchange->listens)
    owner->n_short++;
  exchange->n_reopenings++;
  gmcp_http_exchange_clear_stream (exchange);
  exchange->state = GMCP_HTTP_EXCHANGE_BETWEEN;
  gmcp_http_streamable_set_deadline (owner, exchange, now + delay_ms * 1000);

  /* Where the server can say later what it said meanwhile, a stream that broke is no loss yet. */
  if (exchange->listens && owner->listened && (!stood || exchange->last_event_id == NULL))
    {
      g_autoptr (GError) told = deaf_error (exchange, error);

      gmcp_http_streamable_set_deaf (owner, told);
    }
}
