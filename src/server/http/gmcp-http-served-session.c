/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-served-session-private.h"

#include <string.h>

#include "gmcp-http-standalone-streams-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-random-private.h"

#define ID_BYTES 24

struct _GmcpHttpServedSession
{
  GmcpTransport parent_instance;

  char *id;
  char *user; /* nullable */
  guint quiet_ms;
  guint max_streams;
  gint64 used_us;
  guint last_number;
  GmcpByteBudget *kept;   /* for events that are kept for it and others */
  GPtrArray *streams;     /* of GmcpHttpEventStream, in the order in which they began */
  GHashTable *by_request; /* id as JSON -> GmcpHttpEventStream, while it has no answer */
  GmcpHttpStandaloneStreams *standalone;
  GmcpHttpResponse *current; /* of the request that is being delivered */
  gboolean ended;
};

G_DEFINE_FINAL_TYPE (GmcpHttpServedSession, gmcp_http_served_session, GMCP_TYPE_TRANSPORT)

static GmcpHttpEventStream *
add_stream (GmcpHttpServedSession *self, gboolean primes)
{
  GmcpHttpEventStream *stream
    = gmcp_http_event_stream_new (self->kept, ++self->last_number, primes);

  g_ptr_array_add (self->streams, stream);
  return stream;
}

static GmcpHttpEventStream *
find_stream (GmcpHttpServedSession *self, guint number)
{
  for (guint i = 0; i < self->streams->len; i++)
    {
      GmcpHttpEventStream *stream = g_ptr_array_index (self->streams, i);

      if (gmcp_http_event_stream_get_number (stream) == number)
        return stream;
    }
  return NULL;
}

/* What is over and nobody can come back for, and the oldest of the rest where they are too many. */
static void
drop_streams (GmcpHttpServedSession *self)
{
  gsize n_bytes = 0;
  guint n_ended = 0;

  for (guint i = self->streams->len; i > 0; i--)
    {
      GmcpHttpEventStream *stream = g_ptr_array_index (self->streams, i - 1);

      if (!gmcp_http_event_stream_has_ended (stream))
        continue;
      n_bytes += gmcp_http_event_stream_get_bytes (stream);
      if (!gmcp_http_event_stream_is_wanted (stream) || ++n_ended > GMCP_LIMIT_SERVER_ENDED_STREAMS
          || n_bytes > GMCP_LIMIT_SERVER_STREAM_BYTES)
        g_ptr_array_remove_index (self->streams, i - 1);
    }
}

/* Responses */

static GmcpHttpEventStream *
find_by_response (GmcpHttpServedSession *self, GmcpHttpResponse *response)
{
  for (guint i = 0; i < self->streams->len; i++)
    {
      GmcpHttpEventStream *stream = g_ptr_array_index (self->streams, i);

      if (gmcp_http_event_stream_get_response (stream) == response)
        return stream;
    }
  return NULL;
}

/* A client that goes away has not cancelled anything, and may come back. */
static void
on_gone (GmcpHttpResponse *response, gpointer data)
{
  GmcpHttpServedSession *self = data;
  GmcpHttpEventStream *stream = find_by_response (self, response);

  self->used_us = g_get_monotonic_time ();
  if (stream != NULL)
    gmcp_http_event_stream_detach (stream);
}

static void
on_quiet (GmcpHttpResponse *response, gpointer data)
{
  GmcpHttpEventStream *stream = find_by_response (data, response);

  if (stream == NULL)
    return;
  gmcp_http_event_stream_begin (stream);
  gmcp_http_response_send_comment (response);
}

static const GmcpHttpResponseFuncs response_funcs = {
  .gone = on_gone,
  .quiet = on_quiet,
};

static char *
dup_key (GmcpJsonValue id)
{
  gsize length;
  const char *text = gmcp_json_value_peek_raw (id, &length);

  return g_strndup (text, length);
}

/* Its answer would be taken for the other's. */
static gboolean
runs_already (GmcpHttpServedSession *self, GArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    {
      g_autofree char *key = dup_key (g_array_index (ids, GmcpJsonValue, i));

      if (g_hash_table_contains (self->by_request, key))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_of_stream (gpointer key, gpointer value, gpointer stream)
{
  return value == stream;
}

static void
end_unanswered (GmcpHttpServedSession *self, GmcpHttpEventStream *stream)
{
  GmcpHttpResponse *response = gmcp_http_event_stream_get_response (stream);

  g_hash_table_foreach_remove (self->by_request, is_of_stream, stream);
  if (response != NULL)
    gmcp_http_response_end_unanswered (response);
  gmcp_http_event_stream_end (stream);
}

/* Clients of older revisions take an event without data for a message. */
static gboolean
takes_empty_events (GmcpHttpResponse *response)
{
  const char *version = gmcp_http_response_get_request_header (response, "MCP-Protocol-Version");

  return g_strcmp0 (version, GMCP_PROTOCOL_VERSION_2025_11_25) >= 0;
}

/* A batch that is refused as a whole is answered without an id. The session may have ended with it. A stream that is
 * to be gone on with has let go of the response. */
static void
forget_refused (GmcpHttpServedSession *self, GmcpHttpEventStream *stream)
{
  if (g_ptr_array_find (self->streams, stream, NULL) && !gmcp_http_event_stream_has_ended (stream)
      && gmcp_http_event_stream_get_response (stream) != NULL)
    end_unanswered (self, stream);
}

void
gmcp_http_served_session_post (GmcpHttpServedSession *self,
                               GmcpJsonDoc *message,
                               GArray *ids,
                               GmcpHttpResponse *response)
{
  g_autoptr (GmcpHttpServedSession) alive G_GNUC_UNUSED = g_object_ref (self);
  GmcpHttpEventStream *stream = NULL;

  self->used_us = g_get_monotonic_time ();
  drop_streams (self);
  if (runs_already (self, ids))
    {
      gmcp_http_response_refuse (response, SOUP_STATUS_BAD_REQUEST, GMCP_RPC_ERROR_INVALID_REQUEST,
                                 "Invalid request: a request with this id is running");
      return;
    }
  if (ids->len > 0)
    {
      if (g_hash_table_size (self->by_request) >= self->max_streams)
        {
          gmcp_http_response_refuse (response, SOUP_STATUS_SERVICE_UNAVAILABLE,
                                     GMCP_RPC_ERROR_INTERNAL,
                                     "Too many requests of this session wait for their answers");
          return;
        }
      stream = add_stream (self, takes_empty_events (response));
      gmcp_http_event_stream_attach (stream, response, -1);
    }
  for (guint i = 0; i < ids->len; i++)
    g_hash_table_replace (self->by_request, dup_key (g_array_index (ids, GmcpJsonValue, i)),
                          stream);

  self->current = response;
  gmcp_transport_deliver_document (GMCP_TRANSPORT (self), message);
  self->current = NULL;
  if (stream == NULL)
    gmcp_http_response_send_status (response, SOUP_STATUS_ACCEPTED);
  else if (!gmcp_http_response_is_open (response))
    forget_refused (self, stream);
  else
    gmcp_http_response_hold (response, &response_funcs, self, self->quiet_ms);
}

/* A stream for what belongs to no request, which is the one for that from now on. */
static void
use_standalone (GmcpHttpServedSession *self, GmcpHttpEventStream *stream)
{
  GmcpHttpEventStream *dispensable = gmcp_http_standalone_streams_add (self->standalone, stream);

  if (dispensable == NULL)
    return;
  gmcp_http_event_stream_take_unsent (stream, dispensable);
  gmcp_http_event_stream_end (dispensable);
  g_ptr_array_remove (self->streams, dispensable);
}

void
gmcp_http_served_session_listen (GmcpHttpServedSession *self,
                                 const char *last_event_id,
                                 GmcpHttpResponse *response)
{
  GmcpHttpEventStream *stream = NULL;
  guint number;
  gint64 event = -1;
  gboolean is_standalone;

  self->used_us = g_get_monotonic_time ();
  if (last_event_id != NULL)
    {
      if (gmcp_http_event_stream_parse_id (last_event_id, &number, &event))
        stream = find_stream (self, number);
      if (stream == NULL)
        {
          gmcp_http_response_refuse (response, SOUP_STATUS_BAD_REQUEST,
                                     GMCP_RPC_ERROR_INVALID_REQUEST,
                                     "Last-Event-ID names no stream that is still known");
          return;
        }
    }
  else
    {
      stream = gmcp_http_standalone_streams_find_unknown (self->standalone);
      if (stream == NULL)
        stream = add_stream (self, FALSE);
    }

  is_standalone
    = last_event_id == NULL || gmcp_http_standalone_streams_has (self->standalone, stream);
  if (is_standalone)
    use_standalone (self, stream);
  gmcp_http_event_stream_attach (stream, response, event);
  gmcp_http_event_stream_begin (stream);
  gmcp_http_response_hold (response, &response_funcs, self, self->quiet_ms);
  if (is_standalone)
    gmcp_http_standalone_streams_gather (self->standalone, stream);
}

/* Sending */

/* What belongs to no request waits for somebody who listens. */
static GmcpHttpEventStream *
choose_stream (GmcpHttpServedSession *self, const GmcpOutgoing *message)
{
  g_autofree char *id = NULL;
  GmcpHttpEventStream *stream = NULL;

  if (message->peer_id != NULL)
    {
      id = g_strndup (message->peer_id, message->peer_id_length);
      stream = g_hash_table_lookup (self->by_request, id);
    }
  if (stream == NULL && message->ends_request)
    return NULL;
  if (stream == NULL)
    stream = gmcp_http_standalone_streams_choose (self->standalone);
  if (stream == NULL)
    {
      stream = add_stream (self, FALSE);
      use_standalone (self, stream);
    }
  return stream;
}

/* What a batch asks for comes in one answer. */
static void
answer_request (GmcpHttpServedSession *self,
                GmcpHttpEventStream *stream,
                const GmcpOutgoing *message)
{
  GmcpHttpResponse *response = gmcp_http_event_stream_get_response (stream);

  g_hash_table_foreach_remove (self->by_request, is_of_stream, stream);
  if (response != NULL && gmcp_http_response_is_open (response)
      && !gmcp_http_response_has_events (response))
    {
      gmcp_http_response_send_message (response, SOUP_STATUS_OK, message);
      gmcp_http_event_stream_end (stream);
      return;
    }
  /* What a client does not read is there when it comes back, unless it is too large to be kept. */
  if (!gmcp_http_event_stream_send (stream, message->text, message->length))
    {
      g_autofree char *refusal
        = gmcp_http_response_dup_refusal (message->peer_id, message->peer_id_length);

      /* There is no room for that either: it is sent beyond it, and not kept. */
      if (!gmcp_http_event_stream_send (stream, refusal, strlen (refusal)))
        gmcp_http_response_send_last_event (response, refusal, strlen (refusal));
    }
  gmcp_http_event_stream_end (stream);
}

static gboolean
gmcp_http_served_session_send (GmcpTransport *transport,
                               const GmcpOutgoing *message,
                               GError **error)
{
  GmcpHttpServedSession *self = GMCP_HTTP_SERVED_SESSION (transport);
  GmcpHttpEventStream *stream = choose_stream (self, message);

  if (message->ends_request)
    {
      if (stream != NULL)
        answer_request (self, stream, message);
      else if (self->current != NULL)
        gmcp_http_response_send_message (self->current, SOUP_STATUS_BAD_REQUEST, message);
      return TRUE;
    }

  if (gmcp_http_event_stream_send (stream, message->text, message->length))
    return TRUE;
  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                       _ ("The client does not read what it is sent"));
  return FALSE;
}

static void
gmcp_http_served_session_leave_unanswered (GmcpTransport *transport,
                                           const char *peer_id,
                                           gsize peer_id_length)
{
  GmcpHttpServedSession *self = GMCP_HTTP_SERVED_SESSION (transport);
  g_autofree char *id = g_strndup (peer_id, peer_id_length);
  GmcpHttpEventStream *stream = g_hash_table_lookup (self->by_request, id);

  if (stream != NULL)
    end_unanswered (self, stream);
}

static gboolean
gmcp_http_served_session_suspend_request (GmcpTransport *transport,
                                          const char *peer_id,
                                          gsize peer_id_length,
                                          guint retry_ms)
{
  GmcpHttpServedSession *self = GMCP_HTTP_SERVED_SESSION (transport);
  g_autofree char *id = g_strndup (peer_id, peer_id_length);
  GmcpHttpEventStream *stream = g_hash_table_lookup (self->by_request, id);

  self->used_us = g_get_monotonic_time ();
  return stream != NULL && gmcp_http_event_stream_suspend (stream, retry_ms);
}

/* The end */

static void
end_streams (GmcpHttpServedSession *self)
{
  g_hash_table_remove_all (self->by_request);
  gmcp_http_standalone_streams_clear (self->standalone);
  g_ptr_array_set_size (self->streams, 0);
}

void
gmcp_http_served_session_end (GmcpHttpServedSession *self)
{
  if (self->ended)
    return;

  self->ended = TRUE;
  gmcp_transport_closed (GMCP_TRANSPORT (self), NULL);
}

static void
gmcp_http_served_session_close_async (GmcpTransport *transport,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  GmcpHttpServedSession *self = GMCP_HTTP_SERVED_SESSION (transport);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  self->ended = TRUE;
  end_streams (self);
  g_task_return_boolean (task, TRUE);
}

static gboolean
gmcp_http_served_session_close_finish (GmcpTransport *transport,
                                       GAsyncResult *result,
                                       GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static gboolean
gmcp_http_served_session_has_request_streams (GmcpTransport *transport)
{
  return TRUE;
}

static const char *
gmcp_http_served_session_get_header (GmcpTransport *transport, const char *name)
{
  GmcpHttpServedSession *self = GMCP_HTTP_SERVED_SESSION (transport);

  return self->current != NULL ? gmcp_http_response_get_request_header (self->current, name) : NULL;
}

static const GmcpTransportFuncs funcs = {
  .send = gmcp_http_served_session_send,
  .leave_unanswered = gmcp_http_served_session_leave_unanswered,
  .suspend_request = gmcp_http_served_session_suspend_request,
  .close_async = gmcp_http_served_session_close_async,
  .close_finish = gmcp_http_served_session_close_finish,
  .has_request_streams = gmcp_http_served_session_has_request_streams,
  .get_header = gmcp_http_served_session_get_header,
};

static void
gmcp_http_served_session_finalize (GObject *object)
{
  GmcpHttpServedSession *self = GMCP_HTTP_SERVED_SESSION (object);

  end_streams (self);
  gmcp_http_standalone_streams_free (self->standalone);
  g_ptr_array_unref (self->streams);
  g_hash_table_unref (self->by_request);
  g_clear_pointer (&self->kept, gmcp_byte_budget_unref);
  g_free (self->id);
  g_free (self->user);

  G_OBJECT_CLASS (gmcp_http_served_session_parent_class)->finalize (object);
}

static void
gmcp_http_served_session_class_init (GmcpHttpServedSessionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_http_served_session_finalize;
  GMCP_TRANSPORT_CLASS (klass)->funcs = &funcs;
}

static void
gmcp_http_served_session_init (GmcpHttpServedSession *self)
{
  self->streams = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_http_event_stream_free);
  self->by_request = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->standalone = gmcp_http_standalone_streams_new ();
  self->used_us = g_get_monotonic_time ();
}

GmcpHttpServedSession *
gmcp_http_served_session_new (GmcpByteBudget *kept,
                              guint quiet_ms,
                              guint max_streams,
                              const char *user)
{
  GmcpHttpServedSession *self = g_object_new (GMCP_TYPE_HTTP_SERVED_SESSION, NULL);
  g_autoptr (GBytes) id = gmcp_random_new_bytes (ID_BYTES);

  self->id = g_base64_encode (g_bytes_get_data (id, NULL), ID_BYTES);
  self->user = g_strdup (user);
  self->kept = gmcp_byte_budget_ref (kept);
  self->quiet_ms = quiet_ms;
  self->max_streams = max_streams;
  gmcp_transport_set_open (GMCP_TRANSPORT (self));
  return self;
}

const char *
gmcp_http_served_session_get_user (GmcpHttpServedSession *self)
{
  return self->user;
}

const char *
gmcp_http_served_session_get_id (GmcpHttpServedSession *self)
{
  return self->id;
}

/* A call that runs keeps no session whose client has gone. */
gint64
gmcp_http_served_session_get_used_us (GmcpHttpServedSession *self)
{
  for (guint i = 0; i < self->streams->len; i++)
    {
      GmcpHttpResponse *response
        = gmcp_http_event_stream_get_response (g_ptr_array_index (self->streams, i));

      if (response != NULL && gmcp_http_response_is_open (response))
        return g_get_monotonic_time ();
    }
  return self->used_us;
}
