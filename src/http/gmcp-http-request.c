/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-request-private.h"

#include <gmcp/core/gmcp-error.h>

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#define READ_BYTES (32 * 1024)

/* Bytes that are handed on at once. In the smallest of events these are as many as one turn of the
 * main loop should deal with, and a taker cannot stop in the middle. */
#define PIECE_BYTES 2048

typedef struct
{
  char *name;
  char *value;
  GmcpHttpHeaderKind kind;
} Header;

struct _GmcpHttpRequest
{
  grefcount ref_count; /* of the owner and of the operation under way */
  GmcpHttpSession *session;
  const GmcpSoup *soup; /* of the session's */
  const char *method;
  GUri *uri;
  GArray *headers; /* of Header */
  GBytes *body;
  const char *content_type;
  guint n_redirects;
  gboolean away; /* it was redirected to another origin than the configured one */

  const GmcpHttpRequestFuncs *funcs; /* NULL once it has ended */
  gpointer data;

  SoupMessage *message;
  GCancellable *cancellable;
  GInputStream *stream;
  GSource *source; /* while it waits for more of the body */
  char *buffer;
  gsize n_read;   /* bytes in the buffer */
  gsize n_passed; /* those of them that were handed on */
  guint n_interim;
  gboolean written;
  gboolean address_known; /* that it goes to, and it may go there */
  gboolean head_only;     /* the response's body is not waited for */
  GError *stop;           /* why it was cancelled from in here */
};

static void send_message (GmcpHttpRequest *request);
static gboolean read_body (gpointer user_data);

static void
header_clear (gpointer data)
{
  Header *header = data;

  g_free (header->name);
  g_free (header->value);
}

static GmcpHttpRequest *
request_ref (GmcpHttpRequest *request)
{
  g_ref_count_inc (&request->ref_count);
  return request;
}

static void
request_unref (GmcpHttpRequest *request)
{
  if (!g_ref_count_dec (&request->ref_count))
    return;

  if (request->message != NULL)
    g_signal_handlers_disconnect_by_data (request->message, request);
  g_clear_object (&request->message);
  g_clear_object (&request->cancellable);
  g_uri_unref (request->uri);
  g_array_unref (request->headers);
  g_clear_pointer (&request->body, g_bytes_unref);
  g_clear_error (&request->stop);
  g_free (request->buffer);
  gmcp_http_session_unref (request->session);
  g_free (request);
}

GmcpHttpRequest *
gmcp_http_request_new (GmcpHttpSession *session, const char *method, GUri *uri)
{
  GmcpHttpRequest *request = g_new0 (GmcpHttpRequest, 1);

  g_ref_count_init (&request->ref_count);
  request->session = gmcp_http_session_ref (session);
  request->soup = session->soup;
  request->method = method;
  request->uri = g_uri_ref (uri);
  request->headers = g_array_new (FALSE, FALSE, sizeof (Header));
  g_array_set_clear_func (request->headers, header_clear);

  return request;
}

void
gmcp_http_request_free (GmcpHttpRequest *request)
{
  gmcp_http_request_abort (request);
  request_unref (request);
}

gboolean
gmcp_http_header_is_valid (const char *name, const char *value)
{
  if (*name == '\0')
    return FALSE;
  for (; *name != '\0'; name++)
    {
      if (!g_ascii_isalnum (*name) && strchr ("!#$%&'*+-.^_`|~", *name) == NULL)
        return FALSE;
    }
  for (; *value != '\0'; value++)
    {
      if ((guchar) *value < 0x20 ? *value != '\t' : *value == 0x7f)
        return FALSE;
    }
  return TRUE;
}

gboolean
gmcp_http_request_set_header (GmcpHttpRequest *request,
                              const char *name,
                              const char *value,
                              GmcpHttpHeaderKind kind)
{
  Header header = { NULL, NULL, kind };

  if (!gmcp_http_header_is_valid (name, value))
    return FALSE;

  for (guint i = 0; i < request->headers->len; i++)
    {
      if (g_ascii_strcasecmp (g_array_index (request->headers, Header, i).name, name) == 0)
        {
          g_array_remove_index (request->headers, i);
          break;
        }
    }
  header.name = g_strdup (name);
  header.value = g_strdup (value);
  g_array_append_val (request->headers, header);
  return TRUE;
}

void
gmcp_http_request_set_body (GmcpHttpRequest *request, GBytes *body, const char *content_type)
{
  request->body = g_bytes_ref (body);
  request->content_type = content_type;
}

guint
gmcp_http_request_get_status (GmcpHttpRequest *request)
{
  return request->message != NULL ? request->soup->message_get_status (request->message) : 0;
}

const char *
gmcp_http_request_get_response_header (GmcpHttpRequest *request, const char *name)
{
  return request->soup->message_headers_get_list (
    request->soup->message_get_response_headers (request->message), name);
}

const char *
gmcp_http_request_get_content_type (GmcpHttpRequest *request)
{
  return request->soup->message_headers_get_content_type (
    request->soup->message_get_response_headers (request->message), NULL);
}

gint64
gmcp_http_request_get_content_length (GmcpHttpRequest *request)
{
  SoupMessageHeaders *headers = request->soup->message_get_response_headers (request->message);

  if (request->soup->message_headers_get_encoding (headers) != SOUP_ENCODING_CONTENT_LENGTH)
    return -1;
  return request->soup->message_headers_get_content_length (headers);
}

gint64
gmcp_http_request_get_retry_after_ms (GmcpHttpRequest *request)
{
  const char *text = gmcp_http_request_get_response_header (request, "Retry-After");
  g_autoptr (GDateTime) time = NULL;
  g_autoptr (GDateTime) now = NULL;
  gint64 seconds;

  if (text == NULL)
    return -1;
  if (g_ascii_isdigit (*text))
    seconds = g_ascii_strtoll (text, NULL, 10);
  else
    {
      time = request->soup->date_time_new_from_http_string (text);
      if (time == NULL)
        return -1;
      now = g_date_time_new_now_utc ();
      seconds = g_date_time_difference (time, now) / G_TIME_SPAN_SECOND;
    }
  return CLAMP (seconds, 0, GMCP_LIMIT_RETRY_AFTER_S) * 1000;
}

gboolean
gmcp_http_request_was_written (GmcpHttpRequest *request)
{
  return request->written;
}

static void
drop_stream (GmcpHttpRequest *request)
{
  if (request->source != NULL)
    {
      g_source_destroy (request->source);
      g_clear_pointer (&request->source, g_source_unref);
    }
  if (request->stream == NULL)
    return;

  /* Closed here: dropping the reference would close the stream with a blocking call. */
  g_main_context_push_thread_default (request->session->context);
  g_input_stream_close_async (request->stream, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  g_main_context_pop_thread_default (request->session->context);
  g_clear_object (&request->stream);
}

void
gmcp_http_request_abort (GmcpHttpRequest *request)
{
  if (request->funcs == NULL)
    return;

  request->funcs = NULL;
  drop_stream (request);
  g_cancellable_cancel (request->cancellable);
}

static void
end_request (GmcpHttpRequest *request, const GError *error)
{
  const GmcpHttpRequestFuncs *funcs = g_steal_pointer (&request->funcs);

  drop_stream (request);
  funcs->ended (request, error, request->data);
}

static gboolean
on_readable (GObject *stream, gpointer user_data)
{
  return read_body (user_data);
}

static void
wait_for_body (GmcpHttpRequest *request, gboolean has_more)
{
  if (has_more)
    {
      request->source = g_idle_source_new ();
      g_source_set_priority (request->source, G_PRIORITY_DEFAULT);
      g_source_set_callback (request->source, read_body, request, NULL);
    }
  else
    {
      request->source
        = g_pollable_input_stream_create_source (G_POLLABLE_INPUT_STREAM (request->stream), NULL);
      g_source_set_callback (request->source, G_SOURCE_FUNC (on_readable), request, NULL);
    }

  g_source_set_static_name (request->source, "[gmcp] http body");
  g_source_attach (request->source, request->session->context);
}

static void
pass_piece (GmcpHttpRequest *request)
{
  const char *piece = request->buffer + request->n_passed;
  gsize length = MIN (request->n_read - request->n_passed, PIECE_BYTES);

  request->n_passed += length;
  request->funcs->body (request, piece, length, request->data);
}

static void
read_more (GmcpHttpRequest *request)
{
  gint64 yield_us = g_get_monotonic_time () + GMCP_LIMIT_DISPATCH_US;

  do
    {
      g_autoptr (GError) error = NULL;
      gssize n_read;

      if (request->n_passed < request->n_read)
        {
          pass_piece (request);
          continue;
        }

      n_read = g_pollable_input_stream_read_nonblocking (G_POLLABLE_INPUT_STREAM (request->stream),
                                                         request->buffer, READ_BYTES, NULL, &error);
      request->n_read = MAX (n_read, 0);
      request->n_passed = 0;
      if (n_read > 0)
        pass_piece (request);
      else if (n_read == 0)
        end_request (request, NULL);
      else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
        {
          wait_for_body (request, FALSE);
          return;
        }
      else
        end_request (request, error);
    }
  while (request->funcs != NULL && g_get_monotonic_time () < yield_us);

  if (request->funcs != NULL)
    wait_for_body (request, TRUE);
}

static gboolean
read_body (gpointer user_data)
{
  GmcpHttpRequest *request = request_ref (user_data);

  g_clear_pointer (&request->source, g_source_unref);
  g_main_context_push_thread_default (request->session->context);
  read_more (request);
  g_main_context_pop_thread_default (request->session->context);
  request_unref (request);
  return G_SOURCE_REMOVE;
}

static gboolean
is_redirection (guint status)
{
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static void
follow_redirect (GmcpHttpRequest *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GUri) to = NULL;
  SoupMessageHeaders *headers = request->soup->message_get_response_headers (request->message);

  if (request->n_redirects == GMCP_LIMIT_HTTP_REDIRECTS)
    {
      g_autofree char *display = gmcp_http_uri_dup_display (request->uri);

      g_set_error (
        &error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
        _ ("More than %u redirections, the last of them by “%s”; check the server's URL"),
        GMCP_LIMIT_HTTP_REDIRECTS, display);
    }
  else
    to = gmcp_http_redirect_rule_follow (
      request->session->redirects, GMCP_HTTP_REDIRECT_MESSAGE, request->uri, request->method,
      gmcp_http_request_get_status (request),
      request->soup->message_headers_get_one (headers, "Location"), &error);
  /* Everything goes to the socket, so it would get what is meant for others. */
  if (to != NULL && request->session->fixed_peer
      && !gmcp_http_uri_is_same_origin (request->uri, to))
    {
      g_clear_pointer (&to, g_uri_unref);
      g_set_error_literal (&error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                           _ ("A server behind a socket redirects to another address"));
    }
  if (to == NULL)
    {
      end_request (request, error);
      return;
    }

  request->n_redirects++;
  request->away
    = request->away || !gmcp_http_redirect_rule_is_home (request->session->redirects, to);
  g_uri_unref (request->uri);
  request->uri = g_steal_pointer (&to);
  drop_stream (request);
  send_message (request);
}

static void
on_response (GmcpHttpRequest *request)
{
  if (is_redirection (gmcp_http_request_get_status (request)))
    {
      follow_redirect (request);
      return;
    }

  if (!G_IS_POLLABLE_INPUT_STREAM (request->stream)
      || !g_pollable_input_stream_can_poll (G_POLLABLE_INPUT_STREAM (request->stream)))
    {
      g_autoptr (GError) error
        = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                               _ ("This kind of connection cannot be read without blocking"));

      end_request (request, error);
      return;
    }

  if (request->buffer == NULL)
    request->buffer = g_malloc (READ_BYTES);
  request->funcs->response (request, request->data);
  if (request->funcs != NULL)
    read_more (request);
}

static void
on_sent (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GmcpHttpRequest *request = user_data;
  g_autoptr (GError) error = NULL;

  request->stream = request->soup->session_send_finish ((SoupSession *) object, result, &error);
  if (request->funcs == NULL)
    drop_stream (request);
  else if (request->head_only)
    {
      request->funcs->response (request, request->data);
      if (request->funcs != NULL)
        end_request (request, NULL);
    }
  else if (request->stream == NULL)
    {
      if (request->stop != NULL)
        {
          g_clear_error (&error);
          error = g_steal_pointer (&request->stop);
        }
      end_request (request, error);
    }
  else
    on_response (request);

  request_unref (request);
}

static void
on_wrote_headers (SoupMessage *message, gpointer user_data)
{
  GmcpHttpRequest *request = user_data;

  request->written = TRUE;
}

/* Ends the request with the error, which is taken over. */
static void
stop_request (GmcpHttpRequest *request, GError *error)
{
  if (request->stop == NULL)
    request->stop = error;
  else
    g_error_free (error);
  g_cancellable_cancel (request->cancellable);
}

static void
check_address (GmcpHttpRequest *request, GSocketAddress *address)
{
  g_autoptr (GError) error = NULL;

  request->address_known = gmcp_http_redirect_rule_check_address (request->session->redirects,
                                                                  request->uri, address, &error);
  if (!request->address_known)
    stop_request (request, g_steal_pointer (&error));
}

/* A redirected message has a connection of its own: here its name is resolved, and nothing has been
 * sent to the address. */
static void
on_network_event (SoupMessage *message,
                  GSocketClientEvent event,
                  GIOStream *connection,
                  gpointer user_data)
{
  g_autoptr (GSocketAddress) address = NULL;

  if (event != G_SOCKET_CLIENT_CONNECTING || !G_IS_SOCKET_CONNECTION (connection))
    return;

  address = g_socket_connection_get_remote_address (G_SOCKET_CONNECTION (connection), NULL);
  if (address != NULL)
    check_address (user_data, address);
}

/* Should libsoup have found a connection all the same, the other end of that one counts. */
static void
on_starting (SoupMessage *message, gpointer user_data)
{
  GmcpHttpRequest *request = user_data;
  GSocketAddress *address = request->soup->message_get_remote_address (message);

  if (request->address_known)
    return;

  if (address != NULL)
    check_address (request, address);
  else
    stop_request (request,
                  g_error_new_literal (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                                       _ ("The address that a redirection leads to is not known, "
                                          "so it is not followed")));
}

/* The message was written once and is about to be written again, for whatever reason. */
static void
on_restarted (SoupMessage *message, gpointer user_data)
{
  GmcpHttpRequest *request = user_data;

  if (request->written && request->body != NULL)
    stop_request (request, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED,
                                                _ ("The connection was closed before the answer")));
}

/* libsoup reads on as long as there is one after another, and the main loop does nothing else. */
static void
on_got_informational (SoupMessage *message, gpointer user_data)
{
  GmcpHttpRequest *request = user_data;
  g_autofree char *display = NULL;

  if (++request->n_interim <= GMCP_LIMIT_HTTP_INTERIM)
    return;

  display = gmcp_http_uri_dup_display (request->uri);
  stop_request (request,
                g_error_new (GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                             _ ("“%s” announced its answer more than %u times and did not give "
                                "it; see the server's own log"),
                             display, GMCP_LIMIT_HTTP_INTERIM));
}

/* libsoup would read the whole body into memory first, however long it is or takes, in case it has to
 * send the message again with credentials. That is not done here, and nothing in there matters. */
static void
on_got_headers (SoupMessage *message, gpointer user_data)
{
  GmcpHttpRequest *request = user_data;
  guint status = request->soup->message_get_status (message);

  if (status != SOUP_STATUS_UNAUTHORIZED && status != SOUP_STATUS_PROXY_UNAUTHORIZED)
    return;
  request->head_only = TRUE;
  g_cancellable_cancel (request->cancellable);
}

static void
send_message (GmcpHttpRequest *request)
{
  SoupMessageHeaders *headers;

  g_clear_object (&request->cancellable);
  request->cancellable = g_cancellable_new ();
  request->written = FALSE;
  request->address_known = FALSE;
  request->head_only = FALSE;
  request->n_interim = 0;
  request->n_read = 0;
  request->n_passed = 0;
  if (request->message != NULL)
    g_signal_handlers_disconnect_by_data (request->message, request);
  g_clear_object (&request->message);
  request->message = request->soup->message_new_from_uri (request->method, request->uri);

  /* Only what counts as idempotent gets a connection that is kept. Whether a message is sent again
   * does not depend on that: libsoup goes by the method there; and should that ever change,
   * on_restarted() stops it. */
  request->soup->message_add_flags (request->message,
                                    SOUP_MESSAGE_IDEMPOTENT | SOUP_MESSAGE_NO_REDIRECT);
  g_signal_connect (request->message, "wrote-headers", G_CALLBACK (on_wrote_headers), request);
  g_signal_connect (request->message, "restarted", G_CALLBACK (on_restarted), request);
  g_signal_connect (request->message, "got-headers", G_CALLBACK (on_got_headers), request);
  g_signal_connect (request->message, "got-informational", G_CALLBACK (on_got_informational),
                    request);

  if (request->away)
    {
      request->soup->message_add_flags (request->message, SOUP_MESSAGE_NEW_CONNECTION);
      g_signal_connect (request->message, "network-event", G_CALLBACK (on_network_event), request);
      g_signal_connect (request->message, "starting", G_CALLBACK (on_starting), request);
    }

  if (request->body != NULL)
    request->soup->message_set_request_body_from_bytes (request->message, request->content_type,
                                                        request->body);
  headers = request->soup->message_get_request_headers (request->message);
  for (guint i = 0; i < request->headers->len; i++)
    {
      const Header *header = &g_array_index (request->headers, Header, i);

      if (header->kind == GMCP_HTTP_HEADER_PUBLIC || !request->away)
        request->soup->message_headers_replace (headers, header->name, header->value);
    }

  g_main_context_push_thread_default (request->session->context);
  request->soup->session_send_async (request->session->connections, request->message,
                                     G_PRIORITY_DEFAULT, request->cancellable, on_sent,
                                     request_ref (request));
  g_main_context_pop_thread_default (request->session->context);
}

void
gmcp_http_request_start (GmcpHttpRequest *request, const GmcpHttpRequestFuncs *funcs, gpointer data)
{
  request->funcs = funcs;
  request->data = data;
  send_message (request);
}
