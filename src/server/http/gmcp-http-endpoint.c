/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/server/http/gmcp-http-endpoint.h>

#include <sys/socket.h>

#include "gmcp-http-gate-private.h"
#include "gmcp-http-post-private.h"
#include "gmcp-http-served-request-private.h"
#include "gmcp-http-sessions-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-private.h"

#define HEADER_SESSION "Mcp-Session-Id"
#define TOO_LARGE      "Invalid request: the message is larger than this server takes"

/**
 * GmcpHttpEndpoint:
 *
 * Serves a [class@Gmcp.Server] over Streamable HTTP, to clients of every revision that has it: each request
 * of 2026-07-28 stands alone, and clients of 2025-03-26 to 2025-11-25 get a session, with a stream to listen
 * to and streams that go on where a connection broke.
 *
 * [method@Gmcp.HttpEndpoint.listen] opens a port of this machine that only programs on it can reach. A program
 * that has a `SoupServer` already serves on it with [method@Gmcp.HttpEndpoint.add_to].
 *
 * Requests are refused that name another host than this machine, or come from a page of another origin: such
 * a page could have its own name point here. [property@Gmcp.HttpEndpoint:allowed-hosts] and
 * [property@Gmcp.HttpEndpoint:allowed-origins] let more in. Who the client is, is not asked: whoever reaches
 * the port can call what is served.
 *
 * An endpoint lives in the thread-default main context it was made in.
 *
 * Spec: MCP 2026-07-28, basic/transports/streamable-http; MCP 2025-11-25, basic/transports.
 *
 * Since: 0.1
 */
struct _GmcpHttpEndpoint
{
  GObject parent_instance;

  GmcpServer *server;
  char *path;
  GmcpHttpGate gate;
  guint64 max_message_bytes;
  guint max_sessions;
  guint session_idle_ms;
  guint keep_alive_ms;

  const GmcpSoupServer *soup;
  SoupServer *http; /* NULL until it listens */
  gboolean owns_http;
  GmcpHttpSessions *sessions;
  GHashTable *alone; /* set of GmcpServerConnection that serve one request; not owned */
};

G_DEFINE_FINAL_TYPE (GmcpHttpEndpoint, gmcp_http_endpoint, G_TYPE_OBJECT)

typedef enum
{
  PROP_SERVER = 1,
  PROP_PATH,
  PROP_ALLOWED_HOSTS,
  PROP_ALLOWED_ORIGINS,
  PROP_MAX_MESSAGE_BYTES,
  PROP_MAX_SESSIONS,
  PROP_SESSION_IDLE_MS,
  PROP_KEEP_ALIVE_MS,
} GmcpHttpEndpointProperty;

static GParamSpec *properties[PROP_KEEP_ALIVE_MS + 1];

static void
gmcp_http_endpoint_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpHttpEndpoint *self = GMCP_HTTP_ENDPOINT (object);

  switch ((GmcpHttpEndpointProperty) prop_id)
    {
    case PROP_SERVER:
      g_value_set_object (value, self->server);
      break;

    case PROP_PATH:
      g_value_set_string (value, self->path);
      break;

    case PROP_ALLOWED_HOSTS:
      g_value_set_boxed (value, self->gate.hosts);
      break;

    case PROP_ALLOWED_ORIGINS:
      g_value_set_boxed (value, self->gate.origins);
      break;

    case PROP_MAX_MESSAGE_BYTES:
      g_value_set_uint64 (value, self->max_message_bytes);
      break;

    case PROP_MAX_SESSIONS:
      g_value_set_uint (value, self->max_sessions);
      break;

    case PROP_SESSION_IDLE_MS:
      g_value_set_uint (value, self->session_idle_ms);
      break;

    case PROP_KEEP_ALIVE_MS:
      g_value_set_uint (value, self->keep_alive_ms);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static gboolean
set_list (GStrv *list, const GValue *value)
{
  char **given = g_value_get_boxed (value);

  if (*list == given
      || (*list != NULL && given != NULL
          && g_strv_equal ((const char *const *) *list, (const char *const *) given)))
    return FALSE;

  g_strfreev (*list);
  *list = g_strdupv (given);
  return TRUE;
}

static gboolean
set_uint (guint *field, guint value)
{
  if (*field == value)
    return FALSE;

  *field = value;
  return TRUE;
}

static char *
dup_path (const char *path)
{
  if (path == NULL)
    return g_strdup ("/mcp");
  return path[0] == '/' ? g_strdup (path) : g_strconcat ("/", path, NULL);
}

static void
gmcp_http_endpoint_set_property (GObject *object,
                                 guint prop_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  GmcpHttpEndpoint *self = GMCP_HTTP_ENDPOINT (object);
  gboolean changed = FALSE;

  switch ((GmcpHttpEndpointProperty) prop_id)
    {
    case PROP_SERVER:
      self->server = g_value_dup_object (value);
      break;

    case PROP_PATH:
      self->path = dup_path (g_value_get_string (value));
      break;

    case PROP_ALLOWED_HOSTS:
      changed = set_list (&self->gate.hosts, value);
      break;

    case PROP_ALLOWED_ORIGINS:
      changed = set_list (&self->gate.origins, value);
      break;

    case PROP_MAX_MESSAGE_BYTES:
      changed = self->max_message_bytes != g_value_get_uint64 (value);
      self->max_message_bytes = g_value_get_uint64 (value);
      break;

    case PROP_MAX_SESSIONS:
      changed = set_uint (&self->max_sessions, g_value_get_uint (value));
      break;

    case PROP_SESSION_IDLE_MS:
      changed = set_uint (&self->session_idle_ms, g_value_get_uint (value));
      break;

    case PROP_KEEP_ALIVE_MS:
      changed = set_uint (&self->keep_alive_ms, g_value_get_uint (value));
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }

  if (changed)
    g_object_notify_by_pspec (object, pspec);
}

static void
gmcp_http_endpoint_dispose (GObject *object)
{
  gmcp_http_endpoint_close (GMCP_HTTP_ENDPOINT (object));

  G_OBJECT_CLASS (gmcp_http_endpoint_parent_class)->dispose (object);
}

static void
gmcp_http_endpoint_finalize (GObject *object)
{
  GmcpHttpEndpoint *self = GMCP_HTTP_ENDPOINT (object);

  g_clear_object (&self->server);
  g_hash_table_unref (self->alone);
  g_free (self->path);
  gmcp_http_gate_clear (&self->gate);

  G_OBJECT_CLASS (gmcp_http_endpoint_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass *object_class)
{
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GParamFlags once = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  /**
   * GmcpHttpEndpoint:server:
   *
   * What is served.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER] = g_param_spec_object ("server", NULL, NULL, GMCP_TYPE_SERVER, once);

  /**
   * GmcpHttpEndpoint:path:
   *
   * The path of the address at which it is served. One that does not begin with `/` gets it.
   *
   * Since: 0.1
   */
  properties[PROP_PATH] = g_param_spec_string ("path", NULL, NULL, "/mcp", once);

  /**
   * GmcpHttpEndpoint:allowed-hosts:
   *
   * Hosts, with or without a port, that a request may name beside `localhost`, `127.0.0.1` and `[::1]`:
   * those under which a proxy is known, for example. `*` allows any.
   *
   * Since: 0.1
   */
  properties[PROP_ALLOWED_HOSTS]
    = g_param_spec_boxed ("allowed-hosts", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * GmcpHttpEndpoint:allowed-origins:
   *
   * Origins such as `https://example.org` whose pages may send requests, beside those of this machine. `*`
   * allows any.
   *
   * Since: 0.1
   */
  properties[PROP_ALLOWED_ORIGINS]
    = g_param_spec_boxed ("allowed-origins", NULL, NULL, G_TYPE_STRV, flags);

  /**
   * GmcpHttpEndpoint:max-message-bytes:
   *
   * The largest message that is taken from a client, in bytes. A larger one is refused with the status 413.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_MESSAGE_BYTES] = g_param_spec_uint64 (
    "max-message-bytes", NULL, NULL, 1, G_MAXSSIZE / 4, GMCP_LIMIT_MESSAGE_BYTES, flags);

  /**
   * GmcpHttpEndpoint:max-sessions:
   *
   * How many clients of revisions before 2026-07-28 can have a session at once. For one more the session ends
   * that was without use for longest; where all are in use, it is refused with the status 503. With 0 no
   * client gets a session: each request stands alone then, nothing is sent unasked, and several processes can
   * serve one address.
   *
   * Since: 0.1
   */
  properties[PROP_MAX_SESSIONS] = g_param_spec_uint ("max-sessions", NULL, NULL, 0, G_MAXUINT,
                                                     GMCP_DEFAULT_HTTP_SESSIONS, flags);

  /**
   * GmcpHttpEndpoint:session-idle-ms:
   *
   * How long a session is kept that nobody uses, in milliseconds.
   *
   * Since: 0.1
   */
  properties[PROP_SESSION_IDLE_MS] = g_param_spec_uint ("session-idle-ms", NULL, NULL, 1, G_MAXINT,
                                                        GMCP_DEFAULT_HTTP_SESSION_IDLE_MS, flags);

  /**
   * GmcpHttpEndpoint:keep-alive-ms:
   *
   * After how long, in milliseconds, a client that waits is sent a comment, so that nothing on the way takes
   * the connection for dead. 0 for never.
   *
   * Since: 0.1
   */
  properties[PROP_KEEP_ALIVE_MS] = g_param_spec_uint ("keep-alive-ms", NULL, NULL, 0, G_MAXINT,
                                                      GMCP_DEFAULT_HTTP_KEEP_ALIVE_MS, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_http_endpoint_class_init (GmcpHttpEndpointClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_http_endpoint_get_property;
  object_class->set_property = gmcp_http_endpoint_set_property;
  object_class->dispose = gmcp_http_endpoint_dispose;
  object_class->finalize = gmcp_http_endpoint_finalize;
  install_properties (object_class);
}

static void
gmcp_http_endpoint_init (GmcpHttpEndpoint *self)
{
  self->max_message_bytes = GMCP_LIMIT_MESSAGE_BYTES;
  self->max_sessions = GMCP_DEFAULT_HTTP_SESSIONS;
  self->session_idle_ms = GMCP_DEFAULT_HTTP_SESSION_IDLE_MS;
  self->keep_alive_ms = GMCP_DEFAULT_HTTP_KEEP_ALIVE_MS;
  self->alone = g_hash_table_new (NULL, NULL);
}

/* Requests */

static void
on_answered (GmcpServerConnection *connection, gpointer data)
{
  GmcpHttpEndpoint *self = data;

  g_hash_table_remove (self->alone, connection);
  gmcp_server_clients_remove (gmcp_server_get_clients (self->server), connection);
}

static void
end_alone (GmcpHttpEndpoint *self)
{
  GHashTableIter iter;
  gpointer connection;

  while (g_hash_table_iter_init (&iter, self->alone),
         g_hash_table_iter_next (&iter, &connection, NULL))
    {
      g_hash_table_iter_remove (&iter);
      gmcp_server_clients_remove (gmcp_server_get_clients (self->server), connection);
    }
}

/* A request that stands alone is a client of its own. */
static void
serve_alone (GmcpHttpEndpoint *self, GmcpHttpPost *post, GmcpHttpResponse *response)
{
  GmcpServerClients *clients = gmcp_server_get_clients (self->server);
  g_autoptr (GmcpTransport) transport = NULL;
  GmcpServerConnection *connection;

  /* No notification of a client is about anything but its connection. */
  if (post->ids->len == 0)
    {
      gmcp_http_response_send_status (response, SOUP_STATUS_ACCEPTED);
      return;
    }

  transport = gmcp_http_served_request_new (response, post->is_modern, self->keep_alive_ms);
  connection = gmcp_server_clients_add (clients, transport, on_answered, self);
  g_hash_table_add (self->alone, connection);
  if (!post->is_modern && !post->is_initialize)
    gmcp_server_era_legacy_assume (connection, post->version);
  gmcp_http_served_request_deliver (GMCP_HTTP_SERVED_REQUEST (transport), post->body);
}

static void
serve_initialize (GmcpHttpEndpoint *self, GmcpHttpPost *post, GmcpHttpResponse *response)
{
  GmcpHttpServedSession *session = gmcp_http_sessions_begin (
    self->sessions, self->max_sessions, self->session_idle_ms, self->keep_alive_ms);

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
find_session (GmcpHttpEndpoint *self, SoupServerMessage *message, GmcpHttpResponse *response)
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
serve_post (GmcpHttpEndpoint *self, SoupServerMessage *message, GmcpHttpResponse *response)
{
  g_auto (GmcpHttpPost) post = { 0 };
  GmcpHttpServedSession *session;

  if (!gmcp_http_post_read (&post, self->soup, message, response))
    return;

  if (post.is_modern || self->max_sessions == 0)
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
serve_get (GmcpHttpEndpoint *self, SoupServerMessage *message, GmcpHttpResponse *response)
{
  GmcpHttpServedSession *session;

  /* A client of the older way to speak HTTP, or a person with a browser: both understand this. */
  if (self->max_sessions == 0
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
serve_delete (GmcpHttpEndpoint *self, SoupServerMessage *message, GmcpHttpResponse *response)
{
  GmcpHttpServedSession *session;

  if (self->max_sessions == 0)
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
  void (*serve) (GmcpHttpEndpoint *self, SoupServerMessage *message, GmcpHttpResponse *response);
} methods[] = {
  { "POST", serve_post },
  { "GET", serve_get },
  { "DELETE", serve_delete },
};

static void
on_request (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer data)
{
  g_autoptr (GmcpHttpEndpoint) self = g_object_ref (data);
  g_autoptr (GmcpHttpResponse) response = NULL;
  const char *method = self->soup->server_message_get_method (message);

  if (self->soup->server_message_get_status (message) != 0)
    return;

  response = gmcp_http_response_new (self->soup, message);
  if (!self->soup->message_body_get_accumulate (
        self->soup->server_message_get_request_body (message)))
    {
      gmcp_http_response_refuse (response, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE,
                                 GMCP_RPC_ERROR_INVALID_REQUEST, TOO_LARGE);
      return;
    }
  if (!g_str_equal (path, self->path))
    {
      gmcp_http_response_send_status (response, SOUP_STATUS_NOT_FOUND);
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
  const GmcpSoupServer *soup;
} BodyCount;

static void
refuse_early (const GmcpSoupServer *soup,
              SoupServerMessage *message,
              guint status,
              const char *reason)
{
  g_autoptr (GmcpHttpResponse) response = gmcp_http_response_new (soup, message);

  gmcp_http_response_refuse (response, status, GMCP_RPC_ERROR_INVALID_REQUEST, reason);
}

/* A body that does not say how long it is may never end; nobody waits for that. */
static void
on_chunk (SoupServerMessage *message, GBytes *chunk, gpointer data)
{
  const struct linger reset = { .l_onoff = 1 };
  BodyCount *count = data;
  GSocket *socket;

  count->n_bytes += g_bytes_get_size (chunk);
  if (count->n_bytes <= count->max_bytes)
    return;

  count->soup->message_body_set_accumulate (count->soup->server_message_get_request_body (message),
                                            FALSE);
  socket = count->soup->server_message_get_socket (message);
  if (socket == NULL)
    return;

  /* Else a client that is about to send more may never hear of it. */
  setsockopt (g_socket_get_fd (socket), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  g_socket_shutdown (socket, TRUE, TRUE, NULL);
}

static void
free_count (gpointer data, GClosure *closure)
{
  g_free (data);
}

static void
limit_body (GmcpHttpEndpoint *self, SoupServerMessage *message)
{
  BodyCount *count = g_new0 (BodyCount, 1);

  count->max_bytes = self->max_message_bytes;
  count->soup = self->soup;
  g_signal_connect_data (message, "got-chunk", G_CALLBACK (on_chunk), count, free_count, 0);
}

static void
on_headers (SoupServer *server,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer data)
{
  GmcpHttpEndpoint *self = data;
  SoupMessageHeaders *headers = self->soup->server_message_get_request_headers (message);
  const char *refusal = gmcp_http_gate_check (&self->gate, self->soup, message);

  if (refusal != NULL)
    refuse_early (self->soup, message, SOUP_STATUS_FORBIDDEN, refusal);
  else if (self->soup->message_headers_get_encoding (headers) != SOUP_ENCODING_CONTENT_LENGTH)
    limit_body (self, message);
  else if ((guint64) self->soup->message_headers_get_content_length (headers)
           > self->max_message_bytes)
    refuse_early (self->soup, message, SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE, TOO_LARGE);
}

/* Public */

/**
 * gmcp_http_endpoint_new:
 * @server: what to serve
 *
 * Makes an endpoint, which serves when it listens or is added to a `SoupServer`.
 *
 * Returns: (transfer full): a new endpoint
 *
 * Since: 0.1
 */
GmcpHttpEndpoint *
gmcp_http_endpoint_new (GmcpServer *server)
{
  g_return_val_if_fail (GMCP_IS_SERVER (server), NULL);

  return g_object_new (GMCP_TYPE_HTTP_ENDPOINT, "server", server, NULL);
}

static gboolean
prepare_to_serve (GmcpHttpEndpoint *self, GError **error)
{
  if (self->http != NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_EXISTS, _ ("The endpoint serves already"));
      return FALSE;
    }
  if (self->server == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED,
                           "The endpoint was made without a server");
      return FALSE;
    }
  self->soup = gmcp_soup_server_load (error);
  return self->soup != NULL;
}

static void
begin_to_serve (GmcpHttpEndpoint *self)
{
  gmcp_server_catalog_load (gmcp_server_get_catalog (self->server));
  self->sessions = gmcp_http_sessions_new (gmcp_server_get_clients (self->server));
  self->soup->server_add_early_handler (self->http, self->path, on_headers, self, NULL);
  self->soup->server_add_handler (self->http, self->path, on_request, self, NULL);
}

/**
 * gmcp_http_endpoint_listen:
 * @self: an endpoint
 * @port: a port, or 0 for one that is free
 * @error: (nullable): return location for an error
 *
 * Serves on a port of this machine, which only programs on it can reach. Fails with a [error@Gio.IOErrorEnum]
 * where the port cannot be had, and with [error@Gmcp.Error] `NOT_SUPPORTED` where libsoup is not there.
 *
 * Returns: whether it listens
 *
 * Since: 0.1
 */
gboolean
gmcp_http_endpoint_listen (GmcpHttpEndpoint *self, guint16 port, GError **error)
{
  g_return_val_if_fail (GMCP_IS_HTTP_ENDPOINT (self), FALSE);

  if (!prepare_to_serve (self, error))
    return FALSE;

  self->http = g_object_new (self->soup->server_get_type (), NULL);
  if (!self->soup->server_listen_local (self->http, port, 0, error))
    {
      g_clear_object (&self->http);
      return FALSE;
    }
  self->owns_http = TRUE;
  self->soup->server_add_handler (self->http, NULL, on_request, self, NULL);
  begin_to_serve (self);
  return TRUE;
}

/**
 * gmcp_http_endpoint_add_to:
 * @self: an endpoint
 * @soup_server: (type GObject.Object): a `SoupServer` of the program's
 * @error: (nullable): return location for an error
 *
 * Serves at [property@Gmcp.HttpEndpoint:path] of a server that the program has already, and that runs in this
 * main context. Fails with [error@Gmcp.Error] `INVALID_ARGUMENT` where @soup_server is none.
 *
 * Returns: whether it serves
 *
 * Since: 0.1
 */
gboolean
gmcp_http_endpoint_add_to (GmcpHttpEndpoint *self, GObject *soup_server, GError **error)
{
  g_return_val_if_fail (GMCP_IS_HTTP_ENDPOINT (self), FALSE);
  g_return_val_if_fail (G_IS_OBJECT (soup_server), FALSE);

  if (!prepare_to_serve (self, error))
    return FALSE;
  if (!g_type_is_a (G_OBJECT_TYPE (soup_server), self->soup->server_get_type ()))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                   /* Translators: the name of a class */
                   _ ("An endpoint is added to a SoupServer, not to a %s"),
                   G_OBJECT_TYPE_NAME (soup_server));
      return FALSE;
    }

  self->http = (SoupServer *) g_object_ref (soup_server);
  begin_to_serve (self);
  return TRUE;
}

/**
 * gmcp_http_endpoint_dup_uri:
 * @self: an endpoint
 *
 * Gives the address that clients are to be told.
 *
 * Returns: (transfer full) (nullable): the address, or %NULL where it does not listen
 *
 * Since: 0.1
 */
char *
gmcp_http_endpoint_dup_uri (GmcpHttpEndpoint *self)
{
  g_autoptr (GUri) with_path = NULL;
  GSList *uris;
  GUri *uri;

  g_return_val_if_fail (GMCP_IS_HTTP_ENDPOINT (self), NULL);

  if (self->http == NULL)
    return NULL;
  uris = self->soup->server_get_uris (self->http);
  if (uris == NULL)
    return NULL;

  uri = uris->data;
  with_path = g_uri_build (G_URI_FLAGS_NONE, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                           g_uri_get_port (uri), self->path, NULL, NULL);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  return g_uri_to_string (with_path);
}

/**
 * gmcp_http_endpoint_close:
 * @self: an endpoint
 *
 * Serves no more: sessions and open streams are ended. What runs is cancelled.
 *
 * Since: 0.1
 */
void
gmcp_http_endpoint_close (GmcpHttpEndpoint *self)
{
  g_return_if_fail (GMCP_IS_HTTP_ENDPOINT (self));

  if (self->http == NULL)
    return;

  self->soup->server_remove_handler (self->http, self->path);
  g_clear_pointer (&self->sessions, gmcp_http_sessions_free);
  end_alone (self);
  if (self->owns_http)
    self->soup->server_disconnect (self->http);
  g_clear_object (&self->http);
  self->owns_http = FALSE;
}
