/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/server/http/gmcp-http-endpoint.h>

#include <gmcp/server/tokens/gmcp-token-request.h>

#include "gmcp-http-service-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-closing-private.h"

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
 * [property@Gmcp.HttpEndpoint:allowed-origins] let more in.
 *
 * Who the client is, is asked where [signal@Gmcp.HttpEndpoint::verify-token] has a handler, and where
 * [property@Gmcp.HttpEndpoint:authorization-servers] or [property@Gmcp.HttpEndpoint:required-scopes] is set: then
 * each request has to bring a token, and [method@Gmcp.Caller.get_user] says whose it is. Where not, whoever reaches
 * the port can call what is served.
 *
 * An endpoint lives in the thread-default main context it was made in.
 *
 * Spec: MCP 2026-07-28, basic/transports/streamable-http and basic/authorization; MCP 2025-11-25, basic/transports
 * and basic/authorization.
 *
 * Since: 0.1
 */
struct _GmcpHttpEndpoint
{
  GObject parent_instance;

  GmcpServer *server;
  GmcpHttpSettings settings;
  const GmcpSoupServer *soup;
  SoupServer *http;         /* NULL until it listens */
  GmcpHttpService *service; /* the same */
  GmcpServerClosing closing;
};

G_DEFINE_FINAL_TYPE (GmcpHttpEndpoint, gmcp_http_endpoint, G_TYPE_OBJECT)

/* Those behind are the rows of the settings. */
typedef enum
{
  PROP_SERVER = 1,
  PROP_FIRST_SETTING,
} GmcpHttpEndpointProperty;

typedef enum
{
  SIGNAL_VERIFY_TOKEN,
} GmcpHttpEndpointSignal;

static guint signals[SIGNAL_VERIFY_TOKEN + 1];

static void
gmcp_http_endpoint_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpHttpEndpoint *self = GMCP_HTTP_ENDPOINT (object);

  if (prop_id == PROP_SERVER)
    g_value_set_object (value, self->server);
  else
    gmcp_http_settings_get (&self->settings, prop_id - PROP_FIRST_SETTING, value);
}

static void
gmcp_http_endpoint_set_property (GObject *object,
                                 guint prop_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  GmcpHttpEndpoint *self = GMCP_HTTP_ENDPOINT (object);

  if (prop_id == PROP_SERVER)
    self->server = g_value_dup_object (value);
  else if (gmcp_http_settings_set (&self->settings, prop_id - PROP_FIRST_SETTING, value))
    {
      if (self->service != NULL)
        gmcp_http_service_apply_budgets (self->service);
      g_object_notify_by_pspec (object, pspec);
    }
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
  gmcp_http_settings_clear (&self->settings);

  G_OBJECT_CLASS (gmcp_http_endpoint_parent_class)->finalize (object);
}

static void
gmcp_http_endpoint_class_init (GmcpHttpEndpointClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_http_endpoint_get_property;
  object_class->set_property = gmcp_http_endpoint_set_property;
  object_class->dispose = gmcp_http_endpoint_dispose;
  object_class->finalize = gmcp_http_endpoint_finalize;

  /**
   * GmcpHttpEndpoint:server:
   *
   * What is served.
   *
   * Since: 0.1
   */
  g_object_class_install_property (
    object_class, PROP_SERVER,
    g_param_spec_object ("server", NULL, NULL, GMCP_TYPE_SERVER,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS));
  gmcp_http_settings_install (object_class, PROP_FIRST_SETTING);

  /**
   * GmcpHttpEndpoint::verify-token:
   * @self: an endpoint
   * @request: asks whose a token is
   *
   * A client has sent a token. A handler calls [method@Gmcp.TokenRequest.accept] or
   * [method@Gmcp.TokenRequest.refuse], now or later; where nobody does, the token is refused. From when the signal
   * has a handler on, a request without a token is answered with the status 401.
   *
   * A [class@Gmcp.TokenFile] is a handler that is there already.
   *
   * Since: 0.1
   */
  signals[SIGNAL_VERIFY_TOKEN]
    = g_signal_new ("verify-token", GMCP_TYPE_HTTP_ENDPOINT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, GMCP_TYPE_TOKEN_REQUEST);
}

static void
gmcp_http_endpoint_init (GmcpHttpEndpoint *self)
{
  gmcp_http_settings_init (&self->settings);
}

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
                           _ ("The endpoint was made without a server"));
      return FALSE;
    }
  self->soup = gmcp_soup_server_load (error);
  return self->soup != NULL;
}

typedef enum
{
  LISTENS_NOT_AT_ALL = 0, /* the program does, and serves other things there, too */
  LISTENS = 1 << 0,
  LISTENS_FOR_OTHERS = 1 << 1, /* who has opened the socket goes on with it */
} Listening;

/* Takes http. */
static gboolean
begin_to_serve (GmcpHttpEndpoint *self, SoupServer *http, Listening listening, GError **error)
{
  const GmcpHttpServiceParts parts = {
    .owner = G_OBJECT (self),
    .server = self->server,
    .settings = &self->settings,
    .soup = self->soup,
    .http = http,
    .owns_http = (listening & LISTENS) != 0,
    .keeps_sockets = (listening & LISTENS_FOR_OTHERS) != 0,
  };

  self->http = http;
  self->service = gmcp_http_service_new (&parts, error);
  if (self->service == NULL)
    g_clear_object (&self->http);
  return self->service != NULL;
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
  SoupServer *http;

  g_return_val_if_fail (GMCP_IS_HTTP_ENDPOINT (self), FALSE);

  if (!prepare_to_serve (self, error))
    return FALSE;

  http = g_object_new (self->soup->server_get_type (), NULL);
  if (!self->soup->server_listen_local (http, port, 0, error))
    {
      g_object_unref (http);
      return FALSE;
    }
  return begin_to_serve (self, http, LISTENS, error);
}

/**
 * gmcp_http_endpoint_listen_address:
 * @self: an endpoint
 * @address: an address of this machine and a port, 0 for one that is free
 * @error: (nullable): return location for an error
 *
 * Serves at an address of the program's choice. Where it is one that other machines can reach, clients name
 * this machine as they know it: [property@Gmcp.HttpEndpoint:allowed-hosts].
 *
 * Fails as [method@Gmcp.HttpEndpoint.listen] does.
 *
 * Returns: whether it listens
 *
 * Since: 0.1
 */
gboolean
gmcp_http_endpoint_listen_address (GmcpHttpEndpoint *self, GSocketAddress *address, GError **error)
{
  SoupServer *http;

  g_return_val_if_fail (GMCP_IS_HTTP_ENDPOINT (self), FALSE);
  g_return_val_if_fail (G_IS_SOCKET_ADDRESS (address), FALSE);

  if (!prepare_to_serve (self, error))
    return FALSE;

  http = g_object_new (self->soup->server_get_type (), NULL);
  if (!self->soup->server_listen (http, address, 0, error))
    {
      g_object_unref (http);
      return FALSE;
    }
  return begin_to_serve (self, http, LISTENS, error);
}

/**
 * gmcp_http_endpoint_listen_socket:
 * @self: an endpoint
 * @socket: a TCP socket that listens already
 * @error: (nullable): return location for an error
 *
 * Serves on a socket that somebody else has opened, as systemd does
 * ([func@Gmcp.take_activated_sockets]), or that the program has bound to an address of its choice. Where that
 * is one that other machines can reach, clients name the machine as they know it:
 * [property@Gmcp.HttpEndpoint:allowed-hosts].
 *
 * Fails with %G_IO_ERROR_INVALID_ARGUMENT where @socket is none of TCP, and otherwise as
 * [method@Gmcp.HttpEndpoint.listen] does.
 *
 * Returns: whether it listens
 *
 * Since: 0.1
 */
gboolean
gmcp_http_endpoint_listen_socket (GmcpHttpEndpoint *self, GSocket *socket, GError **error)
{
  SoupServer *http;

  g_return_val_if_fail (GMCP_IS_HTTP_ENDPOINT (self), FALSE);
  g_return_val_if_fail (G_IS_SOCKET (socket), FALSE);

  if (g_socket_get_protocol (socket) != G_SOCKET_PROTOCOL_TCP)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           _ ("HTTP is served on TCP sockets only"));
      return FALSE;
    }
  if (!prepare_to_serve (self, error))
    return FALSE;

  http = g_object_new (self->soup->server_get_type (), NULL);
  if (!self->soup->server_listen_socket (http, socket, 0, error))
    {
      g_object_unref (http);
      return FALSE;
    }
  return begin_to_serve (self, http, LISTENS | LISTENS_FOR_OTHERS, error);
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

  return begin_to_serve (self, (SoupServer *) g_object_ref (soup_server), LISTENS_NOT_AT_ALL,
                         error);
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
                           g_uri_get_port (uri), self->settings.path, NULL, NULL);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);
  return g_uri_to_string (with_path);
}

/**
 * gmcp_http_endpoint_close:
 * @self: an endpoint
 *
 * Serves no more, at once: sessions and open streams are ended, and what runs is cancelled. The endpoint can
 * listen again.
 *
 * Since: 0.1
 */
void
gmcp_http_endpoint_close (GmcpHttpEndpoint *self)
{
  g_return_if_fail (GMCP_IS_HTTP_ENDPOINT (self));

  if (self->http == NULL)
    return;

  gmcp_http_service_close (self->service);
  g_clear_pointer (&self->service, gmcp_http_service_unref);
  g_clear_object (&self->http);
  gmcp_server_closing_end (&self->closing);
}

static void
close_endpoint (gpointer data)
{
  g_autoptr (GmcpHttpEndpoint) self = g_object_ref (data);

  gmcp_http_endpoint_close (self);
}

/**
 * gmcp_http_endpoint_close_async:
 * @self: an endpoint
 * @cancellable: (nullable): a cancellable, which ends the waiting: the rest is closed at once then
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Serves no more, in order: nobody can connect any more; subscriptions, sessions and the streams on which
 * nothing is to be answered are ended; requests that run have [property@Gmcp.HttpEndpoint:close-timeout-ms]
 * to be answered before they are cancelled; and clients have two seconds more to read what they are answered.
 * Requests that come meanwhile on connections that are open get the status 503.
 *
 * A socket that was given to [method@Gmcp.HttpEndpoint.listen_socket] goes on to listen, for whoever opened it.
 *
 * Fails with %G_IO_ERROR_PENDING where it is being closed already.
 *
 * Spec: MCP 2026-07-28, basic/patterns/subscriptions, "Graceful Closure".
 *
 * Since: 0.1
 */
void
gmcp_http_endpoint_close_async (GmcpHttpEndpoint *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_return_if_fail (GMCP_IS_HTTP_ENDPOINT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_server_closing_begin (&self->closing, self, close_endpoint,
                                  gmcp_http_endpoint_close_async, cancellable, callback, user_data))
    return;

  if (self->http != NULL)
    gmcp_http_service_drain (self->service, close_endpoint, self);
  else
    gmcp_server_closing_end (&self->closing);
}

/**
 * gmcp_http_endpoint_close_finish:
 * @self: an endpoint
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.HttpEndpoint.close_async].
 *
 * Returns: %TRUE when all is closed
 *
 * Since: 0.1
 */
gboolean
gmcp_http_endpoint_close_finish (GmcpHttpEndpoint *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_HTTP_ENDPOINT (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_http_endpoint_close_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
