/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-sse-private.h"

#include <gmcp/core/gmcp-error.h>

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

static void
sse_clear (GmcpHttpSse *self)
{
  g_clear_pointer (&self->events, gmcp_sse_parser_free);
  g_clear_error (&self->end);
}

GmcpHttpSse *
gmcp_http_sse_ref (GmcpHttpSse *self)
{
  return g_rc_box_acquire (self);
}

void
gmcp_http_sse_unref (GmcpHttpSse *self)
{
  g_rc_box_release_full (self, (GDestroyNotify) sse_clear);
}

static GmcpTransport *
get_transport (GmcpHttpSse *self)
{
  return self->parent.link->transport;
}

void
gmcp_http_sse_start_clock (GmcpHttpSse *self, gint64 ring_us)
{
  if (ring_us >= self->clock_us)
    return;

  self->clock_us = ring_us;
  g_source_set_ready_time (self->clock, ring_us);
}

void
gmcp_http_sse_set_patience (GmcpHttpSse *self)
{
  gboolean waits = self->end == NULL && (self->endpoint == NULL || self->barrier != NULL);

  self->patience_us = G_MAXINT64;
  if (waits)
    self->patience_us = g_get_monotonic_time () + self->parent.link->times->connect_ms * 1000;
  gmcp_http_sse_start_clock (self, self->patience_us);
}

/* No stream, or none any more. What was not sent has not been done; what was sent gets no answer. */
static void
end_stream (GmcpHttpSse *self, GmcpTransportFailure *failure)
{
  g_autoptr (GError) owned = failure->error;
  gboolean had_endpoint = self->endpoint != NULL;

  if (self->end != NULL)
    return;

  self->end = g_error_copy (owned);
  g_clear_pointer (&self->stream, gmcp_http_request_free);
  g_hash_table_remove_all (self->posts);
  self->barrier = NULL;
  gmcp_http_sse_set_patience (self);

  failure->unprocessed = TRUE;
  while (!self->is_free && !g_queue_is_empty (&self->held))
    {
      GmcpHttpSsePost *post = g_queue_pop_head (&self->held);
      gint64 id = post->id;

      self->held_bytes -= g_bytes_get_size (post->text);
      gmcp_http_sse_post_free (post);
      gmcp_http_sse_report (self, id, failure);
    }
  if (self->draining)
    gmcp_http_transport_drained (get_transport (self));
  else if (!self->is_free && had_endpoint)
    gmcp_transport_closed (get_transport (self), owned);
}

static void
end_stream_with (GmcpHttpSse *self, GError *error)
{
  GmcpTransportFailure failure = { .error = error, .retry_after_ms = -1 };

  if (self->stream != NULL)
    failure.http_status = gmcp_http_request_get_status (self->stream);
  end_stream (self, &failure);
}

static void
take_endpoint (GmcpHttpSse *self, const GmcpSseEvent *event)
{
  GmcpHttpLink *link = self->parent.link;
  g_autofree char *text = NULL;
  g_autoptr (GUri) uri = NULL;

  if (self->endpoint != NULL)
    {
      g_debug ("%s named an endpoint once more", link->url->display);
      return;
    }

  if (event->length <= GMCP_LIMIT_HTTP_HEADER_BYTES)
    {
      text = g_strndup (event->data, event->length);
      uri = gmcp_http_uri_resolve (link->url->uri, g_strstrip (text));
    }
  /* Another place would get what is meant for this server, sign-in included. */
  if (uri == NULL || !gmcp_http_uri_is_same_origin (uri, link->url->uri))
    {
      end_stream_with (self,
                       g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                                    _ ("“%s” wants its messages sent to another place, which is "
                                       "not done; check the server's URL"),
                                    link->url->display));
      return;
    }

  self->endpoint = g_steal_pointer (&uri);
  gmcp_http_sse_send_held (self);
}

static void
take_events (GmcpHttpSse *self, const char *bytes, gsize length)
{
  GmcpTransport *transport = get_transport (self);

  gmcp_sse_parser_set_max_event_bytes (self->events,
                                       gmcp_transport_get_max_message_bytes (transport));
  gmcp_sse_parser_push (self->events, bytes, length);
  while (!self->is_free && self->end == NULL)
    {
      g_autoptr (GError) error = NULL;
      GmcpSseEvent event;

      if (gmcp_sse_parser_next (self->events, &event, &error))
        {
          if (strcmp (event.type, "endpoint") == 0)
            take_endpoint (self, &event);
          else if (event.length > 0 && strcmp (event.type, "message") == 0)
            gmcp_transport_deliver (transport, event.data, event.length, NULL);
        }
      else if (error != NULL)
        gmcp_transport_report_violation (transport, error);
      else
        break;
    }

  /* Requests whose answers these were need their connections no longer. */
  if (!self->is_free && g_hash_table_size (self->posts) > 0)
    gmcp_http_sse_start_clock (self, g_get_monotonic_time ()
                                       + self->parent.link->times->linger_ms * 1000);
}

static void
on_stream_response (GmcpHttpRequest *request, gpointer data)
{
  g_autoptr (GmcpHttpSse) self = gmcp_http_sse_ref (data);
  g_autoptr (GmcpTransport) held G_GNUC_UNUSED = g_object_ref (get_transport (self));
  const char *type = gmcp_http_request_get_content_type (request);

  if (gmcp_http_request_get_status (request) / 100 != 2)
    self->body = g_byte_array_new ();
  else if (g_strcmp0 (type, "text/event-stream") == 0)
    self->events
      = gmcp_sse_parser_new (gmcp_transport_get_max_message_bytes (get_transport (self)));
  else
    end_stream_with (self, gmcp_http_error_of_content (self->parent.link, request));
}

static void
on_stream_body (GmcpHttpRequest *request, const char *bytes, gsize length, gpointer data)
{
  g_autoptr (GmcpHttpSse) self = gmcp_http_sse_ref (data);
  g_autoptr (GmcpTransport) held G_GNUC_UNUSED = g_object_ref (get_transport (self));

  if (self->draining)
    return;
  if (self->events != NULL)
    take_events (self, bytes, length);
  else
    g_byte_array_append (self->body, (const guint8 *) bytes,
                         MIN (length, GMCP_LIMIT_HTTP_HEADER_BYTES - self->body->len));
}

static void
on_stream_ended (GmcpHttpRequest *request, const GError *error, gpointer data)
{
  g_autoptr (GmcpHttpSse) self = gmcp_http_sse_ref (data);
  g_autoptr (GmcpTransport) held G_GNUC_UNUSED = g_object_ref (get_transport (self));
  GmcpHttpLink *link = self->parent.link;
  GmcpTransportFailure failure;

  if (self->body != NULL)
    gmcp_http_failure_of_status (&failure, link, request, (const char *) self->body->data,
                                 self->body->len);
  else if (error != NULL)
    gmcp_http_failure_of_connection (&failure, link, request, error);
  else
    failure = (GmcpTransportFailure){
      .error = g_error_new (GMCP_ERROR, GMCP_ERROR_CLOSED, _ ("“%s” ended the connection"),
                            link->url->display),
      .retry_after_ms = -1,
    };
  end_stream (self, &failure);
}

static const GmcpHttpRequestFuncs stream_funcs = {
  .response = on_stream_response,
  .body = on_stream_body,
  .ended = on_stream_ended,
};

typedef struct
{
  GSource parent;
  GmcpHttpSse *sse; /* not owned */
} Clock;

static void
lose_patience (GmcpHttpSse *self)
{
  if (self->endpoint != NULL)
    {
      /* Some answer a message only when it has been dealt with. */
      self->barrier = NULL;
      gmcp_http_sse_send_held (self);
      return;
    }

  end_stream_with (
    self,
    g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                 _ ("“%s” did not say within %u s where messages are sent to; see whether the "
                    "server runs and its URL is right"),
                 self->parent.link->url->display,
                 (guint) (self->parent.link->times->connect_ms / 1000)));
}

static gboolean
on_clock (GSource *source, GSourceFunc callback, gpointer user_data)
{
  g_autoptr (GmcpHttpSse) self = gmcp_http_sse_ref (((Clock *) source)->sse);
  g_autoptr (GmcpTransport) held G_GNUC_UNUSED = g_object_ref (get_transport (self));

  g_source_set_ready_time (source, -1);
  self->clock_us = G_MAXINT64;
  gmcp_http_sse_drop_stale_posts (self);
  if (self->patience_us <= g_get_monotonic_time ())
    lose_patience (self);
  else
    gmcp_http_sse_start_clock (self, self->patience_us);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs clock_funcs = {
  .dispatch = on_clock,
};

static gboolean
gmcp_http_sse_send (GmcpHttpVariant *variant, const GmcpOutgoing *message, GError **error)
{
  GmcpHttpSse *self = (GmcpHttpSse *) variant;
  GmcpHttpSsePost *post;

  if (self->end != NULL)
    {
      g_propagate_error (error, g_error_copy (self->end));
      return FALSE;
    }
  if (!gmcp_http_link_may_send (variant->link, message, error))
    return FALSE;
  if (g_queue_get_length (&self->held) + g_hash_table_size (self->posts) >= GMCP_LIMIT_PENDING_CALLS
      || message->length > GMCP_LIMIT_WRITE_QUEUE_BYTES - self->held_bytes)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("Too many messages wait for “%s” to take them"), variant->link->url->display);
      return FALSE;
    }

  post = gmcp_http_sse_post_new (self, message);
  if (self->endpoint != NULL && self->barrier == NULL)
    {
      gmcp_http_sse_post_start (post);
      if (post->before_others)
        gmcp_http_sse_set_patience (self);
      return TRUE;
    }

  self->held_bytes += message->length;
  g_queue_push_tail (&self->held, post);
  return TRUE;
}

static void
gmcp_http_sse_cancel_request (GmcpHttpVariant *variant, gint64 request_id)
{
  /* The stream is everybody's; the era tells a server that knows of the request. */
  gmcp_http_sse_take_back ((GmcpHttpSse *) variant, request_id);
}

static void
gmcp_http_sse_begin_session (GmcpHttpVariant *variant, const char *const *headers)
{
}

static void
drop_all (GmcpHttpSse *self)
{
  g_clear_pointer (&self->stream, gmcp_http_request_free);
  g_hash_table_remove_all (self->posts);
  g_queue_clear_full (&self->held, (GDestroyNotify) gmcp_http_sse_post_free);
  self->held_bytes = 0;
  self->barrier = NULL;
  self->draining = FALSE;
}

static gboolean
gmcp_http_sse_drain (GmcpHttpVariant *variant)
{
  GmcpHttpSse *self = (GmcpHttpSse *) variant;

  gmcp_http_sse_drop_requests (self);
  if (self->end != NULL || self->endpoint == NULL)
    return FALSE;

  gmcp_http_sse_send_held (self);
  self->draining = g_hash_table_size (self->posts) > 0;
  return self->draining;
}

static GmcpHttpRequest *
gmcp_http_sse_say_goodbye (GmcpHttpVariant *variant)
{
  drop_all ((GmcpHttpSse *) variant);
  return NULL;
}

static void
gmcp_http_sse_free (GmcpHttpVariant *variant)
{
  GmcpHttpSse *self = (GmcpHttpSse *) variant;

  self->is_free = TRUE;
  drop_all (self);
  g_source_destroy (self->clock);
  g_source_unref (self->clock);
  g_hash_table_unref (self->posts);
  g_clear_pointer (&self->body, g_byte_array_unref);
  g_clear_pointer (&self->endpoint, g_uri_unref);
  /* The parser may be at work. */
  gmcp_http_sse_unref (self);
}

static const GmcpHttpVariantClass sse_class = {
  .free = gmcp_http_sse_free,
  .has_request_streams = FALSE,
  .send = gmcp_http_sse_send,
  .cancel_request = gmcp_http_sse_cancel_request,
  .begin_session = gmcp_http_sse_begin_session,
  .drain = gmcp_http_sse_drain,
  .say_goodbye = gmcp_http_sse_say_goodbye,
};

GmcpHttpVariant *
gmcp_http_sse_new (GmcpHttpLink *link)
{
  GmcpHttpSse *self = g_rc_box_new0 (GmcpHttpSse);

  self->parent.klass = &sse_class;
  self->parent.link = link;
  self->posts = g_hash_table_new_full (g_direct_hash, g_direct_equal,
                                       (GDestroyNotify) gmcp_http_sse_post_free, NULL);
  g_queue_init (&self->held);
  self->clock_us = G_MAXINT64;
  self->clock = g_source_new (&clock_funcs, sizeof (Clock));
  ((Clock *) self->clock)->sse = self;
  g_source_set_static_name (self->clock, "[gmcp] http+sse clock");
  g_source_attach (self->clock, gmcp_transport_get_context (link->transport));
  gmcp_http_sse_set_patience (self);

  self->stream = gmcp_http_link_new_request (link, "GET", link->url->uri, NULL);
  gmcp_http_request_set_header (self->stream, "Accept", "text/event-stream",
                                GMCP_HTTP_HEADER_PUBLIC);
  gmcp_http_request_start (self->stream, &stream_funcs, self);
  return &self->parent;
}
