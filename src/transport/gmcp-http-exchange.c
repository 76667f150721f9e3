/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-streamable-private.h"

#include <gmcp/core/gmcp-error.h>

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-line-framer-private.h"
#include "gmcp-rpc-message-private.h"

#define HEADER_SESSION    "Mcp-Session-Id"
#define HEADER_LAST_EVENT "Last-Event-ID"

/* A stream that lives shorter than this is opened again more slowly each time. */
#define SHORT_LIFE_US (5 * G_USEC_PER_SEC)

static const GmcpHttpRequestFuncs request_funcs;

static GmcpHttpExchange *
exchange_new (GmcpHttpStreamable *owner)
{
  GmcpHttpExchange *exchange = g_new0 (GmcpHttpExchange, 1);

  g_ref_count_init (&exchange->ref_count);
  exchange->owner = owner;
  exchange->deadline_us = G_MAXINT64;
  exchange->retry_ms = -1;
  return exchange;
}

GmcpHttpExchange *
gmcp_http_exchange_new (GmcpHttpStreamable *owner, const GmcpOutgoing *message)
{
  GmcpHttpExchange *exchange = exchange_new (owner);
  g_autoptr (GBytes) body = g_bytes_new (message->text, message->length);

  exchange->id = message->request_id;
  exchange->begins_session = message->begins_session;
  exchange->before_others = message->before_others;
  exchange->length = message->length;
  exchange->request = gmcp_http_link_new_request (owner->parent.link, "POST",
                                                  owner->parent.link->url->uri, message->headers);
  gmcp_http_request_set_header (exchange->request, "Accept", "application/json, text/event-stream",
                                GMCP_HTTP_HEADER_PUBLIC);
  gmcp_http_request_set_body (exchange->request, body, "application/json");
  return exchange;
}

GmcpHttpExchange *
gmcp_http_exchange_new_listener (GmcpHttpStreamable *owner)
{
  GmcpHttpExchange *exchange = exchange_new (owner);

  exchange->listens = TRUE;
  return exchange;
}

GmcpHttpExchange *
gmcp_http_exchange_ref (GmcpHttpExchange *exchange)
{
  g_ref_count_inc (&exchange->ref_count);
  return exchange;
}

static void
clear_stream (GmcpHttpExchange *exchange)
{
  g_clear_pointer (&exchange->request, gmcp_http_request_free);
  g_clear_pointer (&exchange->events, gmcp_sse_parser_free);
  g_clear_pointer (&exchange->body, g_byte_array_unref);
}

void
gmcp_http_exchange_unref (GmcpHttpExchange *exchange)
{
  if (!g_ref_count_dec (&exchange->ref_count))
    return;

  clear_stream (exchange);
  g_clear_pointer (&exchange->session_id, g_ref_string_release);
  g_free (exchange->last_event_id);
  g_free (exchange);
}

void
gmcp_http_exchange_drop (GmcpHttpExchange *exchange)
{
  GmcpHttpStreamable *owner = g_steal_pointer (&exchange->owner);

  if (owner == NULL)
    return;
  if (exchange->request != NULL)
    gmcp_http_request_abort (exchange->request);
  gmcp_http_streamable_remove (owner, exchange);
}

void
gmcp_http_exchange_fail (GmcpHttpExchange *exchange, const GmcpTransportFailure *failure)
{
  GmcpTransport *transport = exchange->owner->parent.link->transport;
  gint64 id = exchange->id;

  gmcp_http_exchange_drop (exchange);
  if (id != 0)
    gmcp_transport_report_request_failed (transport, id, failure);
  else
    g_debug ("A message got no answer: %s", failure->error->message);
}

static void
fail_with (GmcpHttpExchange *exchange, GError *error)
{
  g_autoptr (GError) owned = error;
  GmcpTransportFailure failure = { .error = owned, .retry_after_ms = -1 };

  if (exchange->request != NULL)
    failure.http_status = gmcp_http_request_get_status (exchange->request);
  gmcp_http_exchange_fail (exchange, &failure);
}

static void
fail_and_free (GmcpHttpExchange *exchange, GmcpTransportFailure *failure)
{
  g_autoptr (GError) owned G_GNUC_UNUSED = failure->error;

  gmcp_http_exchange_fail (exchange, failure);
}

static gboolean
is_waited_for (GmcpHttpExchange *exchange)
{
  return exchange->id != 0
         && gmcp_transport_is_waited_for (exchange->owner->parent.link->transport, exchange->id);
}

static gsize
get_max_bytes (GmcpHttpExchange *exchange)
{
  return gmcp_transport_get_max_message_bytes (exchange->owner->parent.link->transport);
}

static void
begin_sending (GmcpHttpExchange *exchange, gint64 limit_ms)
{
  GmcpHttpStreamable *owner = exchange->owner;

  g_clear_pointer (&exchange->session_id, g_ref_string_release);
  if (owner->session_id != NULL && !exchange->begins_session)
    {
      exchange->session_id = g_ref_string_acquire (owner->session_id);
      gmcp_http_request_set_header (exchange->request, HEADER_SESSION, owner->session_id,
                                    GMCP_HTTP_HEADER_PRIVATE);
    }

  exchange->state = GMCP_HTTP_EXCHANGE_SENDING;
  gmcp_http_streamable_set_deadline (owner, exchange, g_get_monotonic_time () + limit_ms * 1000);
  gmcp_http_request_start (exchange->request, &request_funcs, exchange);
}

void
gmcp_http_exchange_start (GmcpHttpExchange *exchange)
{
  begin_sending (exchange, exchange->owner->barrier == exchange ? GMCP_DEFAULT_HTTP_BARRIER_MS
                                                                : GMCP_DEFAULT_HTTP_CONNECT_MS);
}

void
gmcp_http_exchange_reopen (GmcpHttpExchange *exchange)
{
  GmcpHttpStreamable *owner = exchange->owner;

  clear_stream (exchange);
  exchange->reopened = TRUE;
  exchange->opened_us = g_get_monotonic_time ();
  exchange->request
    = gmcp_http_link_new_request (owner->parent.link, "GET", owner->parent.link->url->uri,
                                  (const char *const *) owner->session_headers);
  gmcp_http_request_set_header (exchange->request, "Accept", "text/event-stream",
                                GMCP_HTTP_HEADER_PUBLIC);
  if (exchange->last_event_id != NULL)
    gmcp_http_request_set_header (exchange->request, HEADER_LAST_EVENT, exchange->last_event_id,
                                  GMCP_HTTP_HEADER_PRIVATE);
  begin_sending (exchange, GMCP_DEFAULT_HTTP_CONNECT_MS);
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

static gint64
get_delay_ms (GmcpHttpExchange *exchange, gint64 asked_ms)
{
  guint n = exchange->listens ? exchange->n_short : exchange->n_reopenings;
  gint64 base = exchange->retry_ms >= 0 ? exchange->retry_ms : GMCP_DEFAULT_HTTP_RETRY_MS;

  base = MAX (MAX (base, asked_ms), GMCP_DEFAULT_HTTP_MIN_RETRY_MS);
  return MIN (base << MIN (n, 8), MAX (base, GMCP_DEFAULT_HTTP_MAX_RETRY_MS));
}

/* What it waits for belongs to a session that is over. */
static void
fail_other_session (GmcpHttpExchange *exchange)
{
  GmcpTransportFailure failure = { .session_lost = TRUE, .retry_after_ms = -1 };

  failure.error = broken_stream_error (exchange, NULL);
  fail_and_free (exchange, &failure);
}

static gboolean
is_session_over (GmcpHttpExchange *exchange)
{
  return exchange->session_id != NULL
         && g_strcmp0 (exchange->session_id, exchange->owner->session_id) != 0;
}

/* asked_ms: what the server wants beyond its retry field; -1 for nothing. */
static void
reopen_later (GmcpHttpExchange *exchange, const GError *error, gint64 asked_ms)
{
  GmcpHttpStreamable *owner = exchange->owner;
  gint64 now = g_get_monotonic_time ();
  gint64 delay_ms;

  if (!exchange->listens && !is_waited_for (exchange))
    {
      gmcp_http_exchange_drop (exchange);
      return;
    }
  if (is_session_over (exchange))
    {
      fail_other_session (exchange);
      return;
    }
  if (owner->session_headers == NULL || (!exchange->listens && exchange->last_event_id == NULL)
      || exchange->n_reopenings >= GMCP_LIMIT_HTTP_REOPENINGS)
    {
      fail_with (exchange, broken_stream_error (exchange, error));
      return;
    }

  if (now - exchange->opened_us >= SHORT_LIFE_US)
    exchange->n_short = 0;
  delay_ms = get_delay_ms (exchange, asked_ms);
  exchange->n_reopenings++;
  exchange->n_short++;

  clear_stream (exchange);
  exchange->state = GMCP_HTTP_EXCHANGE_BETWEEN;
  gmcp_http_streamable_set_deadline (owner, exchange, now + delay_ms * 1000);
}

void
gmcp_http_exchange_expire (GmcpHttpExchange *exchange)
{
  GmcpHttpStreamable *owner = exchange->owner;
  gboolean written;
  GmcpTransportFailure failure = { .retry_after_ms = -1 };

  exchange->deadline_us = G_MAXINT64;
  if (exchange->state == GMCP_HTTP_EXCHANGE_BETWEEN)
    {
      if (is_session_over (exchange))
        fail_other_session (exchange);
      else
        gmcp_http_exchange_reopen (exchange);
      return;
    }
  if (exchange->state != GMCP_HTTP_EXCHANGE_SENDING)
    {
      gmcp_http_exchange_drop (exchange);
      return;
    }
  if (owner->barrier == exchange)
    {
      gmcp_http_streamable_taken_in (owner, exchange);
      gmcp_http_streamable_set_deadline (
        owner, exchange, g_get_monotonic_time () + GMCP_DEFAULT_HTTP_CONNECT_MS * (gint64) 1000);
      return;
    }

  /* How long the answer to a request may take is for others to say. */
  written = gmcp_http_request_was_written (exchange->request);
  if (written && exchange->id != 0 && !exchange->reopened)
    return;

  failure.unprocessed = !written;
  failure.error
    = g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                   _ ("“%s” could not be reached within %u s; see whether the server "
                      "runs and its URL is right"),
                   owner->parent.link->url->display, GMCP_DEFAULT_HTTP_CONNECT_MS / 1000);
  if (exchange->reopened)
    {
      g_autoptr (GError) owned = failure.error;

      reopen_later (exchange, owned, -1);
    }
  else
    fail_and_free (exchange, &failure);
}

static gboolean
is_message_type (const char *type)
{
  static const char *const types[]
    = { "application/json", "text/json", "text/plain", "application/octet-stream" };

  /* Who says nothing, or next to nothing, may still mean it. */
  if (type == NULL || g_str_has_suffix (type, "+json"))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      if (strcmp (type, types[i]) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
fail_too_large (GmcpHttpExchange *exchange)
{
  fail_with (exchange, gmcp_line_framer_limit_error (get_max_bytes (exchange)));
}

static void
begin_success (GmcpHttpExchange *exchange, guint status)
{
  const char *type = gmcp_http_request_get_content_type (exchange->request);
  gint64 length = gmcp_http_request_get_content_length (exchange->request);

  if (type != NULL && strcmp (type, "text/event-stream") == 0)
    {
      exchange->state = GMCP_HTTP_EXCHANGE_EVENTS;
      exchange->events = gmcp_sse_parser_new (get_max_bytes (exchange));
    }
  else if (exchange->listens)
    gmcp_http_exchange_drop (exchange);
  else if (exchange->id == 0 || status == 202 || status == 204)
    {
      exchange->state = GMCP_HTTP_EXCHANGE_NOTHING;
      exchange->body = g_byte_array_new ();
      exchange->deadline_us
        = g_get_monotonic_time () + GMCP_DEFAULT_HTTP_CONNECT_MS * (gint64) 1000;
      gmcp_http_streamable_set_deadline (exchange->owner, exchange, exchange->deadline_us);
    }
  else if (exchange->reopened || !is_message_type (type))
    fail_with (exchange,
               gmcp_http_error_of_content (exchange->owner->parent.link, exchange->request));
  else if (length > (gint64) get_max_bytes (exchange))
    fail_too_large (exchange);
  else
    {
      exchange->state = GMCP_HTTP_EXCHANGE_MESSAGE;
      exchange->body = g_byte_array_sized_new (CLAMP (length, 512, 1024 * 1024));
    }
}

static void
on_response (GmcpHttpRequest *request, gpointer data)
{
  g_autoptr (GmcpHttpExchange) exchange = gmcp_http_exchange_ref (data);
  GmcpHttpStreamable *owner = exchange->owner;
  g_autoptr (GmcpTransport) held G_GNUC_UNUSED = g_object_ref (owner->parent.link->transport);
  guint status = gmcp_http_request_get_status (request);
  const char *session_id = gmcp_http_request_get_response_header (request, HEADER_SESSION);

  exchange->deadline_us = G_MAXINT64;
  if (exchange->begins_session && status / 100 == 2 && session_id != NULL)
    gmcp_http_streamable_take_session_id (owner, session_id);
  gmcp_http_streamable_taken_in (owner, exchange);

  if (status / 100 == 2)
    {
      begin_success (exchange, status);
      return;
    }
  exchange->state = GMCP_HTTP_EXCHANGE_FAILURE;
  exchange->body = g_byte_array_new ();
  gmcp_http_streamable_set_deadline (
    owner, exchange, g_get_monotonic_time () + GMCP_DEFAULT_HTTP_CONNECT_MS * (gint64) 1000);
}

static void
note_stream (GmcpHttpExchange *exchange)
{
  const char *id = gmcp_sse_parser_get_last_id (exchange->events);
  gint64 retry_ms = gmcp_sse_parser_get_retry_ms (exchange->events);

  if (id != NULL && g_strcmp0 (id, exchange->last_event_id) != 0)
    {
      g_free (exchange->last_event_id);
      exchange->last_event_id = *id != '\0' ? g_strdup (id) : NULL;
      exchange->n_reopenings = 0;
    }
  if (retry_ms >= 0)
    exchange->retry_ms = retry_ms;
}

static void
take_events (GmcpHttpExchange *exchange, const char *bytes, gsize length)
{
  GmcpTransport *transport = exchange->owner->parent.link->transport;

  gmcp_sse_parser_push (exchange->events, bytes, length);
  while (exchange->owner != NULL)
    {
      g_autoptr (GError) error = NULL;
      GmcpSseEvent event;

      if (gmcp_sse_parser_next (exchange->events, &event, &error))
        {
          exchange->n_reopenings = 0;
          if (event.length > 0 && strcmp (event.type, "message") == 0)
            gmcp_transport_deliver (transport, event.data, event.length, NULL);
        }
      else if (error == NULL)
        break;
      else if (is_waited_for (exchange))
        fail_with (exchange, g_steal_pointer (&error));
      else
        gmcp_transport_report_violation (transport, error);
    }
  if (exchange->owner == NULL)
    return;

  note_stream (exchange);
  /* Some servers leave the stream open after the answer. */
  if (exchange->id != 0 && exchange->deadline_us == G_MAXINT64 && !is_waited_for (exchange))
    gmcp_http_streamable_set_deadline (exchange->owner, exchange,
                                       g_get_monotonic_time ()
                                         + GMCP_DEFAULT_HTTP_LINGER_MS * (gint64) 1000);
}

/* An error that answers this very request is a message like any other. */
static gboolean
deliver_answer (GmcpHttpExchange *exchange, const char *text, gsize length)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, length, NULL, 0, NULL);
  GmcpRpcMessage message;
  gint64 id;

  if (doc == NULL)
    return FALSE;
  gmcp_rpc_message_read (&message, gmcp_json_doc_get_root (doc));
  if ((message.kind != GMCP_RPC_RESULT && message.kind != GMCP_RPC_FAILURE)
      || !gmcp_rpc_id_get_int64 (message.id, &id) || id != exchange->id)
    return FALSE;

  gmcp_transport_deliver (exchange->owner->parent.link->transport, text, length, NULL);
  return TRUE;
}

static gboolean
is_passing (guint status)
{
  return status == 408 || status == 429 || status >= 500;
}

static void
end_listening (GmcpHttpExchange *exchange, GmcpTransportFailure *failure)
{
  g_autoptr (GError) owned G_GNUC_UNUSED = failure->error;

  if (is_passing (failure->http_status))
    reopen_later (exchange, failure->error, failure->retry_after_ms);
  else if (exchange->listens)
    {
      g_debug ("There is no stream to listen to: %s", failure->error->message);
      gmcp_http_exchange_drop (exchange);
    }
  else
    gmcp_http_exchange_fail (exchange, failure);
}

static void
end_failure (GmcpHttpExchange *exchange)
{
  GmcpHttpStreamable *owner = exchange->owner;
  guint status = gmcp_http_request_get_status (exchange->request);
  const char *text = (const char *) exchange->body->data;
  gsize length = exchange->body->len;
  GmcpTransportFailure failure;

  gmcp_http_failure_of_status (&failure, owner->parent.link, exchange->request, text, length);
  if (status == 404 && exchange->session_id != NULL && !exchange->listens
      && !g_error_matches (failure.error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_METHOD_NOT_FOUND))
    {
      failure.session_lost = TRUE;
      failure.unprocessed = !exchange->reopened;
      gmcp_http_streamable_lose_session (owner, exchange->session_id);
    }

  if (exchange->reopened && !failure.session_lost)
    {
      end_listening (exchange, &failure);
      return;
    }
  if (exchange->id != 0 && failure.error->domain == GMCP_RPC_ERROR && !failure.session_lost
      && failure.retry_after_ms < 0 && deliver_answer (exchange, text, length))
    {
      g_error_free (failure.error);
      if (exchange->owner != NULL)
        gmcp_http_exchange_drop (exchange);
      return;
    }
  fail_and_free (exchange, &failure);
}

static void
end_message (GmcpHttpExchange *exchange)
{
  GmcpTransport *transport = exchange->owner->parent.link->transport;
  g_autoptr (GBytes) body = g_byte_array_free_to_bytes (g_steal_pointer (&exchange->body));
  GmcpTransportFailure failure;
  gsize length;
  const char *text = g_bytes_get_data (body, &length);

  if (length > 0)
    gmcp_transport_deliver (transport, text, length, body);
  if (exchange->owner == NULL)
    return;
  if (!is_waited_for (exchange))
    {
      gmcp_http_exchange_drop (exchange);
      return;
    }

  gmcp_http_failure_of_body (&failure, exchange->owner->parent.link, exchange->request, text,
                             length);
  fail_and_free (exchange, &failure);
}

/* Accepted, and no more said. The answer may come by the stream of what is said unasked. */
static void
end_nothing (GmcpHttpExchange *exchange)
{
  if (is_waited_for (exchange) && exchange->owner->listener == NULL)
    fail_with (exchange, g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                                      _ ("“%s” took the request, but does not answer it; see the "
                                         "server's own log"),
                                      exchange->owner->parent.link->url->display));
  else
    gmcp_http_exchange_drop (exchange);
}

static void
on_body (GmcpHttpRequest *request, const char *bytes, gsize length, gpointer data)
{
  g_autoptr (GmcpHttpExchange) exchange = gmcp_http_exchange_ref (data);
  g_autoptr (GmcpTransport) held G_GNUC_UNUSED
    = g_object_ref (exchange->owner->parent.link->transport);

  switch (exchange->state)
    {
    case GMCP_HTTP_EXCHANGE_EVENTS:
      take_events (exchange, bytes, length);
      break;

    case GMCP_HTTP_EXCHANGE_MESSAGE:
      if (length > get_max_bytes (exchange) - exchange->body->len)
        fail_too_large (exchange);
      else
        g_byte_array_append (exchange->body, (const guint8 *) bytes, length);
      break;

    case GMCP_HTTP_EXCHANGE_FAILURE:
    case GMCP_HTTP_EXCHANGE_NOTHING:
      g_byte_array_append (exchange->body, (const guint8 *) bytes, length);
      if (exchange->body->len <= GMCP_LIMIT_HTTP_ERROR_BYTES)
        break;
      if (exchange->state == GMCP_HTTP_EXCHANGE_FAILURE)
        end_failure (exchange);
      else
        end_nothing (exchange);
      break;

    case GMCP_HTTP_EXCHANGE_HELD:
    case GMCP_HTTP_EXCHANGE_SENDING:
    case GMCP_HTTP_EXCHANGE_BETWEEN:
    default:
      g_assert_not_reached ();
    }
}

static void
end_broken (GmcpHttpExchange *exchange, const GError *error)
{
  GmcpTransportFailure failure;

  if (exchange->state == GMCP_HTTP_EXCHANGE_EVENTS || exchange->reopened)
    {
      reopen_later (exchange, error, -1);
      return;
    }

  gmcp_http_failure_of_connection (&failure, exchange->owner->parent.link, exchange->request,
                                   error);
  fail_and_free (exchange, &failure);
}

static void
on_ended (GmcpHttpRequest *request, const GError *error, gpointer data)
{
  g_autoptr (GmcpHttpExchange) exchange = gmcp_http_exchange_ref (data);
  g_autoptr (GmcpTransport) held G_GNUC_UNUSED
    = g_object_ref (exchange->owner->parent.link->transport);

  /* What a failure's body began to say is better than that it broke off. */
  if (exchange->state == GMCP_HTTP_EXCHANGE_FAILURE)
    end_failure (exchange);
  else if (error != NULL || exchange->state == GMCP_HTTP_EXCHANGE_EVENTS)
    end_broken (exchange, error);
  else if (exchange->state == GMCP_HTTP_EXCHANGE_MESSAGE)
    end_message (exchange);
  else
    end_nothing (exchange);
}

static const GmcpHttpRequestFuncs request_funcs = {
  .response = on_response,
  .body = on_body,
  .ended = on_ended,
};
