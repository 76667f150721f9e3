/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-streamable-private.h"

#include <gmcp/core/gmcp-error.h>

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-line-framer-private.h"
#include "gmcp-rpc-message-private.h"

#define HEADER_SESSION "Mcp-Session-Id"

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
  exchange->replies = gmcp_byte_budget_ref (owner->parent.link->replies);
  exchange->reply_bytes = gmcp_http_link_charge_reply (owner->parent.link, message);
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

gsize
gmcp_http_exchange_measure_part (gsize length)
{
  gsize size = 1;

  while (size < length && size <= G_MAXSIZE / 2)
    size *= 2;
  return MAX (size, length);
}

/* Many answers at once, each as large as one may be and none complete, are more than all that is kept
 * of one server otherwise. FALSE, and the exchange has failed, where it is too much. */
static gboolean
charge_part (GmcpHttpExchange *exchange, gsize length)
{
  GmcpHttpLink *link = exchange->owner->parent.link;
  gsize n_bytes;

  if (exchange->parts == NULL)
    exchange->parts = gmcp_byte_budget_ref (link->parts);
  /* A message that comes alone has room; how large it may be is not said here. */
  n_bytes
    = MIN (gmcp_http_exchange_measure_part (length), gmcp_byte_budget_get_max (exchange->parts));
  if (n_bytes <= exchange->n_charged)
    gmcp_byte_budget_release (exchange->parts, exchange->n_charged - n_bytes);
  else if (!gmcp_byte_budget_charge (exchange->parts, n_bytes - exchange->n_charged))
    {
      g_autofree char *limit
        = g_format_size_full (gmcp_byte_budget_get_max (exchange->parts), G_FORMAT_SIZE_IEC_UNITS);

      gmcp_http_exchange_fail_with (
        exchange,
        g_error_new (GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                     _ ("“%s” sends answers that are together larger than %s, and none is "
                        "complete; make fewer calls at once"),
                     link->url->display, limit));
      return FALSE;
    }
  exchange->n_charged = n_bytes;
  return TRUE;
}

static void
release_parts (GmcpHttpExchange *exchange)
{
  if (exchange->parts == NULL)
    return;

  gmcp_byte_budget_release (exchange->parts, exchange->n_charged);
  exchange->n_charged = 0;
  g_clear_pointer (&exchange->parts, gmcp_byte_budget_unref);
}

void
gmcp_http_exchange_clear_stream (GmcpHttpExchange *exchange)
{
  release_parts (exchange);
  g_clear_pointer (&exchange->request, gmcp_http_request_free);
  g_clear_pointer (&exchange->events, gmcp_sse_parser_free);
  g_clear_pointer (&exchange->body, g_byte_array_unref);
}

void
gmcp_http_exchange_unref (GmcpHttpExchange *exchange)
{
  if (!g_ref_count_dec (&exchange->ref_count))
    return;

  gmcp_http_exchange_clear_stream (exchange);
  g_clear_pointer (&exchange->session_id, g_ref_string_release);
  g_free (exchange->last_event_id);
  if (exchange->replies != NULL)
    gmcp_byte_budget_release (exchange->replies, exchange->reply_bytes);
  g_clear_pointer (&exchange->replies, gmcp_byte_budget_unref);
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

void
gmcp_http_exchange_fail_with (GmcpHttpExchange *exchange, GError *error)
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

gboolean
gmcp_http_exchange_is_waited_for (GmcpHttpExchange *exchange)
{
  return exchange->id != 0
         && gmcp_transport_is_waited_for (exchange->owner->parent.link->transport, exchange->id);
}

static gsize
get_max_bytes (GmcpHttpExchange *exchange)
{
  return gmcp_transport_get_max_message_bytes (exchange->owner->parent.link->transport);
}

void
gmcp_http_exchange_begin_sending (GmcpHttpExchange *exchange, gint64 limit_ms)
{
  GmcpHttpStreamable *owner = exchange->owner;

  g_clear_pointer (&exchange->session_id, g_ref_string_release);
  exchange->lacks_session = owner->session_lost && !exchange->begins_session;
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
  const GmcpHttpTimes *times = exchange->owner->parent.link->times;

  gmcp_http_exchange_begin_sending (
    exchange, exchange->owner->barrier == exchange ? times->barrier_ms : times->connect_ms);
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
set_limit (GmcpHttpExchange *exchange, gint64 limit_ms)
{
  gmcp_http_streamable_set_deadline (exchange->owner, exchange,
                                     g_get_monotonic_time () + limit_ms * 1000);
}

static void
fail_too_large (GmcpHttpExchange *exchange)
{
  gmcp_http_exchange_fail_with (exchange, gmcp_line_framer_limit_error (get_max_bytes (exchange)));
}

/* No stream to listen to, or none any more: where there was one, there may be one again. */
static void
end_listener (GmcpHttpExchange *exchange, const GError *error, gint64 asked_ms)
{
  if (exchange->owner->listened)
    gmcp_http_exchange_reopen_later (exchange, error, asked_ms);
  else
    {
      g_debug ("There is no stream to listen to: %s", error->message);
      gmcp_http_exchange_drop (exchange);
    }
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
      if (exchange->listens)
        {
          exchange->stood = TRUE;
          exchange->deadline_us = G_MAXINT64;
          gmcp_http_streamable_set_deaf (exchange->owner, NULL);
        }
    }
  else if (exchange->listens)
    {
      g_autoptr (GError) error
        = gmcp_http_error_of_content (exchange->owner->parent.link, exchange->request);

      end_listener (exchange, error, -1);
    }
  else if (exchange->id == 0 || status == 202 || status == 204)
    {
      exchange->state = GMCP_HTTP_EXCHANGE_NOTHING;
      exchange->body = g_byte_array_new ();
      set_limit (exchange, exchange->owner->parent.link->times->body_ms);
    }
  else if (exchange->reopened || !is_message_type (type))
    gmcp_http_exchange_fail_with (
      exchange, gmcp_http_error_of_content (exchange->owner->parent.link, exchange->request));
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

  if (owner->draining)
    {
      gmcp_http_exchange_drop (exchange);
      return;
    }
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
  set_limit (exchange, owner->parent.link->times->body_ms);
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

  if (exchange->listens)
    exchange->owner->listened = TRUE;
  gmcp_sse_parser_set_max_event_bytes (exchange->events, get_max_bytes (exchange));
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
      else if (gmcp_http_exchange_is_waited_for (exchange))
        gmcp_http_exchange_fail_with (exchange, g_steal_pointer (&error));
      else
        gmcp_transport_report_violation (transport, error);
    }
  if (exchange->owner == NULL
      || !charge_part (exchange, gmcp_sse_parser_get_pending_bytes (exchange->events)))
    return;

  note_stream (exchange);
  /* Some servers leave the stream open after the answer. */
  if (exchange->id != 0 && !exchange->lingers && !gmcp_http_exchange_is_waited_for (exchange))
    {
      exchange->lingers = TRUE;
      set_limit (exchange, exchange->owner->parent.link->times->linger_ms);
    }
  gmcp_http_streamable_make_room (exchange->owner);
}

static gboolean
is_answer (GmcpHttpExchange *exchange, const char *text, gsize length)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, length, NULL, 0, NULL);
  GmcpRpcMessage message;
  gint64 id;

  if (doc == NULL)
    return FALSE;
  gmcp_rpc_message_read (&message, gmcp_json_doc_get_root (doc));
  return (message.kind == GMCP_RPC_RESULT || message.kind == GMCP_RPC_FAILURE)
         && gmcp_rpc_id_get_int64 (message.id, &id) && id == exchange->id;
}

static gboolean
speaks_of_session (const char *text, gsize length)
{
  g_autofree char *words = g_ascii_strdown (text, length);

  return strstr (words, "session") != NULL;
}

/* 404 says so. Many servers say it with 400, as for anything else that they do not like, and mean
 * also that they want a session at all. */
static gboolean
is_session_lost (GmcpHttpExchange *exchange, const GError *error)
{
  guint status = gmcp_http_request_get_status (exchange->request);
  const char *text = (const char *) exchange->body->data;
  gsize length = exchange->body->len;

  if (exchange->session_id == NULL && !exchange->lacks_session)
    return FALSE;
  if (exchange->listens)
    return exchange->stood && (status == 404 || status == 400);
  if (status == 404)
    return !g_error_matches (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_METHOD_NOT_FOUND);
  return status == 400 && length > 0 && speaks_of_session (text, length)
         && !is_answer (exchange, text, length);
}

static gboolean
is_passing (guint status)
{
  return status == 408 || status == 429 || status >= 500;
}

/* A session is everybody's: where no request waits that can say that it is lost, it is said so. */
static void
lose_session (GmcpHttpExchange *exchange, GmcpTransportFailure *failure)
{
  GmcpHttpStreamable *owner = exchange->owner;
  gboolean is_request = exchange->id != 0;
  gboolean is_current = g_strcmp0 (exchange->session_id, owner->session_id) == 0;

  failure->session_lost = TRUE;
  failure->unprocessed = !exchange->reopened;
  gmcp_http_streamable_lose_session (owner, exchange->session_id);
  if (exchange->owner != NULL)
    gmcp_http_exchange_fail (exchange, failure);
  if (!is_request && is_current)
    gmcp_transport_report_session_lost (owner->parent.link->transport, failure->error);
}

static void
end_failure (GmcpHttpExchange *exchange)
{
  const char *text = (const char *) exchange->body->data;
  gsize length = exchange->body->len;
  GmcpTransportFailure failure;
  g_autoptr (GError) error = NULL;

  gmcp_http_failure_of_status (&failure, exchange->owner->parent.link, exchange->request, text,
                               length);
  error = failure.error;
  if (is_session_lost (exchange, error))
    lose_session (exchange, &failure);
  else if (exchange->reopened && is_passing (failure.http_status))
    gmcp_http_exchange_reopen_later (exchange, error, failure.retry_after_ms);
  else if (exchange->listens)
    end_listener (exchange, error, failure.retry_after_ms);
  else if (exchange->id != 0 && !exchange->reopened && error->domain == GMCP_RPC_ERROR
           && failure.retry_after_ms < 0 && is_answer (exchange, text, length))
    {
      /* An error that answers this very request is a message like any other. */
      gmcp_transport_deliver (exchange->owner->parent.link->transport, text, length, NULL);
      if (exchange->owner != NULL)
        gmcp_http_exchange_drop (exchange);
    }
  else
    gmcp_http_exchange_fail (exchange, &failure);
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
  if (!gmcp_http_exchange_is_waited_for (exchange))
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
  if (gmcp_http_exchange_is_waited_for (exchange) && exchange->owner->listener == NULL)
    gmcp_http_exchange_fail_with (
      exchange, g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                             _ ("“%s” took the request, but does not answer it; see the "
                                "server's own log"),
                             exchange->owner->parent.link->url->display));
  else
    gmcp_http_exchange_drop (exchange);
}

static void
wait_on (GmcpHttpExchange *exchange)
{
  if (gmcp_http_exchange_is_waited_for (exchange))
    set_limit (exchange, exchange->owner->parent.link->times->connect_ms);
  else
    gmcp_http_exchange_drop (exchange);
}

static void
expire_sending (GmcpHttpExchange *exchange)
{
  GmcpHttpStreamable *owner = exchange->owner;
  const GmcpHttpTimes *times = owner->parent.link->times;
  gboolean written = gmcp_http_request_was_written (exchange->request);
  GmcpTransportFailure failure = { .retry_after_ms = -1, .unprocessed = !written };
  g_autoptr (GError) error = NULL;

  if (owner->barrier == exchange)
    {
      gmcp_http_streamable_taken_in (owner, exchange);
      set_limit (exchange, times->connect_ms);
      return;
    }
  /* How long the answer to a request may take is for others to say. */
  if (written && exchange->id != 0 && !exchange->reopened)
    {
      wait_on (exchange);
      return;
    }

  error = g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                       _ ("“%s” could not be reached within %u s; see whether the server runs and "
                          "its URL is right"),
                       owner->parent.link->url->display, (guint) (times->connect_ms / 1000));
  failure.error = error;
  if (exchange->reopened)
    gmcp_http_exchange_reopen_later (exchange, error, -1);
  else
    gmcp_http_exchange_fail (exchange, &failure);
}

void
gmcp_http_exchange_expire (GmcpHttpExchange *exchange)
{
  exchange->deadline_us = G_MAXINT64;
  switch (exchange->state)
    {
    case GMCP_HTTP_EXCHANGE_SENDING:
      expire_sending (exchange);
      break;

    /* The answer may have come in another way. */
    case GMCP_HTTP_EXCHANGE_EVENTS:
    case GMCP_HTTP_EXCHANGE_MESSAGE:
      wait_on (exchange);
      break;

    case GMCP_HTTP_EXCHANGE_FAILURE:
      end_failure (exchange);
      break;

    case GMCP_HTTP_EXCHANGE_NOTHING:
      end_nothing (exchange);
      break;

    case GMCP_HTTP_EXCHANGE_BETWEEN:
      if (gmcp_http_exchange_is_of_other_session (exchange))
        gmcp_http_exchange_fail_other_session (exchange);
      else
        gmcp_http_exchange_reopen (exchange);
      break;

    case GMCP_HTTP_EXCHANGE_HELD:
    default:
      g_assert_not_reached ();
    }
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
      else if (charge_part (exchange, exchange->body->len + length))
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
      gmcp_http_exchange_reopen_later (exchange, error, -1);
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
