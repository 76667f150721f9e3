/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-service-private.h"

#include <string.h>
#include <sys/socket.h>

#include "gmcp-byte-budget-private.h"
#include "gmcp-http-connections-private.h"
#include "gmcp-http-post-private.h"
#include "gmcp-http-served-request-private.h"
#include "gmcp-http-sessions-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-private.h"

#define MAX_LENGTH_DIGITS 18
#define HEADER_SESSION    "Mcp-Session-Id"
#define TOO_LARGE         "Invalid request: the message is larger than this server takes"

struct _GmcpHttpService
{
  GmcpHttpServiceParts parts;
  const GmcpHttpSettings *settings; /* of the owner, as long as that is alive */
  const GmcpSoupServer *soup;
  GmcpHttpWatch *watch;
  GmcpByteBudget *bodies;           /* of requests that have no answer yet */
  GmcpHttpConnections *connections; /* NULL for a SoupServer of the program's, and once closed */
  GmcpHttpSessions *sessions;       /* NULL once closed */
  GHashTable *alone; /* set of GmcpServerConnection that serve one request; not owned */
};

static GmcpHttpService *
gmcp_http_service_ref (GmcpHttpService *self)
{
  return g_rc_box_acquire (self);
}

/* Requests */

static void
on_answered (GmcpServerConnection *connection, gpointer data)
{
  GmcpHttpService *self = data;

  g_hash_table_remove (self->alone, connection);
  gmcp_server_clients_remove (gmcp_server_get_clients (self->parts.server), connection);
}

static void
end_alone (GmcpHttpService *self)
{
  GHashTableIter iter;
  gpointer connection;

  while (g_hash_table_iter_init (&iter, self->alone),
         g_hash_table_iter_next (&iter, &connection, NULL))
    {
      g_hash_table_iter_remove (&iter);
      gmcp_server_clients_remove (gmcp_server_get_clients (self->parts.server), connection);
    }
}

/* A request that stands alone is a client of its own. */
static void
serve_alone (GmcpHttpService *self, GmcpHttpPost *post, GmcpHttpResponse *response)
{
  GmcpServerClients *clients = gmcp_server_get_clients (self->parts.server);
  g_autoptr (GmcpTransport) transport = NULL;
  GmcpServerConnection *connection;

  /* No notification of a client is about anything but its connection. */
  if (post->ids->len == 0)
    {
      gmcp_http_response_send_status (response, SOUP_STATUS_ACCEPTED);
      return;
    }

  transport
    = gmcp_http_served_request_new (response, post->is_modern, self->settings->keep_alive_ms);
  connection = gmcp_server_clients_add (clients, transport, on_answered, self);
  g_hash_table_add (self->alone, connection);
  if (!post->is_modern && !post->is_initialize)
    gmcp_server_era_legacy_assume (connection, post->version);
  gmcp_http_served_request_deliver (GMCP_HTTP_SERVED_REQUEST (transport), post->body);
}

static void
serve_initialize (GmcpHttpService *self, GmcpHttpPost *post, GmcpHttpResponse *response)
{
  GmcpHttpServedSession *session
    = gmcp_http_sessions_begin (self->sessions, self->settings->max_sessions,
                                self->settings->session_idle_ms, self->settings->keep_alive_ms);

  if (session == NULL)
    {
      gmcp_http_response_refuse (response, SOUP_STATUS_SERVICE_UNAVAILABLE, GMCP_RPC_ERROR_INTERNAL,
                                 "Too many sessions are in use; try again later");
      return;
    }

  gmcp_http_response_set_header (response, HEADER_SESSION,
                                 gmcp_http_served_session_get_id (session));
  gmcp_http_served_session_post (session, post->body, post->ids, response);
}

/* NULL: the request has been refused. */
static GmcpHttpServedSession *
find_session (GmcpHttpService *self, SoupServerMessage *message, GmcpHttpResponse *response)
{
  const char *id = gmcp_soup_server_get_header (self->soup, message, HEADER_SESSION);
  GmcpHttpServedSession *session = NULL;

  if (id != NULL)
    session = gmcp_http_sessions_find (self->sessions, id);
  if (id == NULL)
    gmcp_http_response_refuse (response, SOUP_STATUS_BAD_REQUEST, GMCP_RPC_ERROR_INVALID_REQUEST,
                               "Invalid request: it names no session, and none was begun by it");
  else if (session == NULL)
    gmcp_http_response_refuse (response, SOUP_STATUS_NOT_FOUND, GMCP_RPC_ERROR_INVALID_REQUEST,
                               "There is no such session any more; initialize a new one");
  return session;
}

static void
serve_post (GmcpHttpService *self, SoupServerMessage *message, GmcpHttpResponse *response)
{
  g_auto (GmcpHttpPost) post = { 0 };
  GmcpHttpServedSession *session;

  if (!gmcp_http_post_read (&post, self->soup, message, response))
    return;

  if (post.is_modern || self->settings->max_sessions == 0)
    {
      serve_alone (self, &post, response);
      return;
    }
  if (post.is_initialize
      && gmcp_soup_server_get_header (self->soup, message, HEADER_SESSION) == NULL)
    {
      serve_initialize (self, &post, response);
      return;
    }
  session = find_session (self, message, response);
  if (session != NULL)
    gmcp_http_served_session_post (session, post.body, post.ids, response);
}

static void
refuse_method (GmcpHttpResponse *response, const char *allowed)
{
  gmcp_http_response_set_header (response, "Allow", allowed);
  gmcp_http_response_send_status (response, SOUP_STATUS_METHOD_NOT_ALLOWED);
}

static void
serve_get (GmcpHttpService *self, SoupServerMessage *message, GmcpHttpResponse *response)
{
  GmcpHttpServedSession *session;

  /* A client of the older way to speak HTTP, or a person with a browser: both understand this. */
  if (self->settings->max_sessions == 0
      || gmcp_soup_server_get_header (self->soup, message, HEADER_SESSION) == NULL)
    {
      refuse_method (response, "POST");
      return;
    }
  if (!gmcp_http_accepts (gmcp_soup_server_get_header (self->soup, message, "Accept"),
                          "text/event-stream"))
    {
      gmcp_http_response_refuse (response, SOUP_STATUS_NOT_ACCEPTABLE,
                                 GMCP_RPC_ERROR_INVALID_REQUEST,
                                 "Invalid request: Accept has to allow text/event-stream");
      return;
    }
  session = find_session (self, message, response);
  if (session != NULL)
    gmcp_http_served_session_listen (
      session, gmcp_soup_server_get_header (self->soup, message, "Last-Event-ID"), response);
}

static void
serve_delete (GmcpHttpService *self, SoupServerMessage *message, GmcpHttpResponse *response)
{
  GmcpHttpServedSession *session;

  if (self->settings->max_sessions == 0)
    {
      refuse_method (response, "POST");
      return;
    }
  session = find_session (self, message, response);
  if (session == NULL)
    return;
  gmcp_http_sessions_end (self->sessions, session);
  gmcp_http_response_send_status (response, SOUP_STATUS_NO_CONTENT);
}

static const struct
{
  const char *method;
  void (*serve) (GmcpHttpService *self, SoupServerMessage *message, GmcpHttpResponse *response);
} methods[] = {
  { "POST", serve_post },
  { "GET", serve_get },
  { "DELETE", serve_delete },
};

static void
begin_answer (GmcpHttpService *self, SoupServerMessage *message)
{
  GmcpHttpConnection *connection = gmcp_http_connection_find (self->soup, message);

  if (connection != NULL)
    gmcp_http_connection_begin_answer (connection);
}

static void
on_request (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer data)
{
  g_autoptr (GmcpHttpService) self = gmcp_http_service_ref (data);
  g_autoptr (GObject) owner G_GNUC_UNUSED = g_object_ref (self->parts.owner);
  g_autoptr (GmcpHttpResponse) response = NULL;
  const char *method = self->soup->server_message_get_method (message);

  if (self->soup->server_message_get_status (message) != 0)
    return;

  begin_answer (self, message);
  response = gmcp_http_response_new (self->soup, message, self->watch);
  if (!self->soup->message_body_get_accumulate (
        self->soup->server_message_get_request_body (message)))
    {
      gmcp_http_response_refuse (response, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE,
                                 GMCP_RPC_ERROR_INVALID_REQUEST, TOO_LARGE);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    if (g_str_equal (methods[i].method, method))
      {
        methods[i].serve (self, message, response);
        return;
      }
  refuse_method (response, "POST, GET, DELETE");
}

/* Before the body is read. */

typedef struct
{
  guint64 n_bytes;
  guint64 max_bytes;
  gsize charged_bytes;
  GmcpByteBudget *budget;
  const GmcpSoupServer *soup;
} BodyCount;

/* A body that does not say how long it is may never end; nobody waits for that. */
static void
on_chunk (SoupServerMessage *message, GBytes *chunk, gpointer data)
{
  const struct linger reset = { .l_onoff = 1 };
  BodyCount *count = data;
  GSocket *socket;

  gsize n_bytes = g_bytes_get_size (chunk);

  count->n_bytes += n_bytes;
  if (!count->soup->message_body_get_accumulate (
        count->soup->server_message_get_request_body (message)))
    n_bytes = 0;
  if (count->n_bytes <= count->max_bytes && gmcp_byte_budget_charge (count->budget, n_bytes))
    {
      count->charged_bytes += n_bytes;
      return;
    }

  count->soup->message_body_set_accumulate (count->soup->server_message_get_request_body (message),
                                            FALSE);
  socket = gmcp_http_connection_get_socket (count->soup, message);
  if (socket == NULL)
    return;

  /* Else a client that is about to send more may never hear of it. */
  setsockopt (g_socket_get_fd (socket), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  g_socket_shutdown (socket, TRUE, TRUE, NULL);
}

static void
free_count (gpointer data, GClosure *closure)
{
  BodyCount *count = data;

  gmcp_byte_budget_release (count->budget, count->charged_bytes);
  gmcp_byte_budget_unref (count->budget);
  g_free (count);
}

/* The count lasts as long as the message does. */
static void
limit_body (GmcpHttpService *self, SoupServerMessage *message, guint64 max_bytes)
{
  BodyCount *count = g_new0 (BodyCount, 1);

  count->max_bytes = max_bytes;
  count->budget = gmcp_byte_budget_ref (self->bodies);
  count->soup = self->soup;
  g_signal_connect_data (message, "got-chunk", G_CALLBACK (on_chunk), count, free_count, 0);
}

/* The answer comes when the body is there, of which nothing is kept. */
static void
refuse_early (GmcpHttpService *self, SoupServerMessage *message, guint status, const char *reason)
{
  g_autoptr (GmcpHttpResponse) response = gmcp_http_response_new (self->soup, message, self->watch);

  if (reason != NULL)
    gmcp_http_response_refuse (response, status, GMCP_RPC_ERROR_INVALID_REQUEST, reason);
  else
    gmcp_http_response_send_status (response, status);
  self->soup->message_body_set_accumulate (self->soup->server_message_get_request_body (message),
                                           FALSE);
}

/* How long a body is said to be is one number, and not said twice: what stands behind it may be read as another
 * request by others on the way. Spec: RFC 9112, 6.3. */
static gboolean
is_length_sound (const GmcpSoupServer *soup, SoupServerMessage *message)
{
  const char *length = gmcp_soup_server_get_header (soup, message, "Content-Length");
  const char *encoding = gmcp_soup_server_get_header (soup, message, "Transfer-Encoding");
  gsize n_digits = length != NULL ? strspn (length, "0123456789") : 0;

  if (length == NULL)
    return TRUE;
  return encoding == NULL && n_digits > 0 && n_digits < MAX_LENGTH_DIGITS
         && length[n_digits] == '\0';
}

/* Nobody knows where the next request begins. libsoup would go on. */
static void
refuse_for_good (GmcpHttpService *self, SoupServerMessage *message)
{
  static const char answer[]
    = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  GSocket *socket = gmcp_http_connection_get_socket (self->soup, message);
  g_autoptr (GIOStream) stream = NULL;

  if (socket != NULL)
    send (g_socket_get_fd (socket), answer, sizeof answer - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
  stream = self->soup->server_message_steal_connection (message);
}

static guint64
get_room (GmcpHttpService *self)
{
  return MAX (GMCP_LIMIT_HTTP_SMALL_BYTES,
              gmcp_byte_budget_get_max (self->bodies) - gmcp_byte_budget_get_used (self->bodies));
}

static void
on_headers (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer data)
{
  GmcpHttpService *self = data;
  SoupMessageHeaders *headers = self->soup->server_message_get_request_headers (message);
  GmcpHttpConnection *connection = gmcp_http_connection_find (self->soup, message);
  const char *refusal = gmcp_http_gate_check (&self->settings->gate, self->soup, message);
  gboolean says_length
    = self->soup->message_headers_get_encoding (headers) == SOUP_ENCODING_CONTENT_LENGTH;
  guint64 length = 0;

  if (!is_length_sound (self->soup, message))
    {
      refuse_for_good (self, message);
      return;
    }
  if (connection != NULL)
    gmcp_http_connection_begin_body (connection);
  if (says_length)
    length = (guint64) self->soup->message_headers_get_content_length (headers);
  if (!says_length || length > GMCP_LIMIT_HTTP_SMALL_BYTES)
    limit_body (self, message, says_length ? G_MAXUINT64 : self->settings->max_message_bytes);

  if (refusal != NULL)
    refuse_early (self, message, SOUP_STATUS_FORBIDDEN, refusal);
  else if (!g_str_equal (path, self->settings->path))
    refuse_early (self, message, SOUP_STATUS_NOT_FOUND, NULL);
  else if (length > self->settings->max_message_bytes)
    refuse_early (self, message, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE, TOO_LARGE);
  else if (length > get_room (self))
    refuse_early (self, message, SOUP_STATUS_SERVICE_UNAVAILABLE,
                  "Too much of other requests is being received; try again later");
}

/* Birth and death */

GmcpHttpService *
gmcp_http_service_new (const GmcpHttpServiceParts *parts, GError **error)
{
  g_autoptr (GmcpHttpWatch) watch = gmcp_http_watch_new (error);
  const char *path = parts->settings->path;
  GmcpHttpService *self;

  if (watch == NULL)
    return NULL;
  self = g_rc_box_new0 (GmcpHttpService);
  self->watch = g_steal_pointer (&watch);

  self->parts = *parts;
  g_object_ref (parts->server);
  g_object_ref ((GObject *) parts->http);
  self->settings = parts->settings;
  self->soup = parts->soup;
  self->bodies = gmcp_byte_budget_new (GMCP_LIMIT_HTTP_BODIES_BYTES, NULL);
  self->alone = g_hash_table_new (NULL, NULL);
  self->sessions = gmcp_http_sessions_new (gmcp_server_get_clients (parts->server));
  gmcp_server_catalog_load (gmcp_server_get_catalog (parts->server));
  if (parts->owns_http)
    {
      self->connections = gmcp_http_connections_new (parts->soup, parts->http, self->watch);
      self->soup->server_add_early_handler (parts->http, NULL, on_headers, self, NULL);
      self->soup->server_add_handler (parts->http, NULL, on_request, self, NULL);
    }
  self->soup->server_add_early_handler (parts->http, path, on_headers, self, NULL);
  self->soup->server_add_handler (parts->http, path, on_request, self, NULL);
  return self;
}

void
gmcp_http_service_close (GmcpHttpService *self)
{
  SoupServer *http = self->parts.http;

  self->soup->server_remove_handler (http, self->settings->path);
  if (self->parts.owns_http)
    self->soup->server_remove_handler (http, NULL);
  g_clear_pointer (&self->sessions, gmcp_http_sessions_free);
  end_alone (self);
  if (self->parts.owns_http)
    self->soup->server_disconnect (http);
  g_clear_pointer (&self->connections, gmcp_http_connections_free);
}

static void
service_clear (gpointer data)
{
  GmcpHttpService *self = data;

  gmcp_http_watch_unref (self->watch);
  gmcp_byte_budget_unref (self->bodies);
  g_hash_table_unref (self->alone);
  g_object_unref (self->parts.server);
  g_object_unref ((GObject *) self->parts.http);
}

void
gmcp_http_service_unref (GmcpHttpService *self)
{
  g_rc_box_release_full (self, service_clear);
}
