/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/server/socket/gmcp-socket-endpoint.h>

#include "gmcp-i18n-private.h"
#include "gmcp-server-closing-private.h"
#include "gmcp-server-private.h"
#include "gmcp-socket-listener-private.h"
#include "gmcp-socket-settings-private.h"
#include "gmcp-socket-users-private.h"

/**
 * GmcpSocketEndpoint:
 *
 * Serves a [class@Gmcp.Server] to programs of this machine that connect to a socket: messages go over it
 * one a line, as [class@Gmcp.StreamTransport] carries them at the other end.
 *
 * On a Unix socket the system says which user's program has connected. Programs of the user that the
 * server runs as are let in, and those of [property@Gmcp.SocketEndpoint:allowed-users]; nobody else is,
 * root included, who can become that user. Handlers read in [property@Gmcp.Caller:user] whose program
 * calls.
 *
 * TCP knows no users. Whoever has an account on the machine can connect to its port, and
 * [property@Gmcp.Caller:user] is %NULL: prefer a Unix socket, or a [class@Gmcp.HttpEndpoint] with tokens.
 *
 * What the system has opened for the program, as systemd does where a service has a socket unit, comes by
 * [func@Gmcp.take_activated_sockets] and goes to [method@Gmcp.SocketEndpoint.listen_socket].
 *
 * A client is sent away that says nothing at first for
 * [property@Gmcp.SocketEndpoint:first-message-timeout-ms], whose first line is no message, as that of a
 * browser is not, or that does not read what it is sent.
 *
 * An endpoint lives in the thread-default main context it was made in, and can listen at several addresses.
 *
 * Spec: MCP 2026-07-28, basic/transports, "Custom Transports".
 *
 * Since: 0.1
 */
struct _GmcpSocketEndpoint
{
  GObject parent_instance;

  GmcpServer *server;
  GmcpSocketSettings settings;

  GPtrArray *unix_listeners; /* of GmcpSocketListener: who connects is known */
  GPtrArray *tcp_listeners;  /* of GmcpSocketListener */
  GmcpSocketUsers *users;    /* NULL until it listens */
  GmcpSocketClients *clients;
  GmcpServerClosing closing;
};

G_DEFINE_FINAL_TYPE (GmcpSocketEndpoint, gmcp_socket_endpoint, G_TYPE_OBJECT)

typedef enum
{
  PROP_SERVER = 1,
  PROP_SETTINGS, /* the first of them */
} GmcpSocketEndpointProperty;

static void
gmcp_socket_endpoint_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpSocketEndpoint *self = GMCP_SOCKET_ENDPOINT (object);

  if (prop_id == PROP_SERVER)
    g_value_set_object (value, self->server);
  else if (!gmcp_socket_settings_get (&self->settings, prop_id - PROP_SETTINGS, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
gmcp_socket_endpoint_set_property (GObject *object,
                                   guint prop_id,
                                   const GValue *value,
                                   GParamSpec *pspec)
{
  GmcpSocketEndpoint *self = GMCP_SOCKET_ENDPOINT (object);

  if (prop_id == PROP_SERVER)
    self->server = g_value_dup_object (value);
  else if (gmcp_socket_settings_set (&self->settings, prop_id - PROP_SETTINGS, value))
    g_object_notify_by_pspec (object, pspec);
}

static void
gmcp_socket_endpoint_dispose (GObject *object)
{
  gmcp_socket_endpoint_close (GMCP_SOCKET_ENDPOINT (object));

  G_OBJECT_CLASS (gmcp_socket_endpoint_parent_class)->dispose (object);
}

static void
gmcp_socket_endpoint_finalize (GObject *object)
{
  GmcpSocketEndpoint *self = GMCP_SOCKET_ENDPOINT (object);

  g_ptr_array_unref (self->unix_listeners);
  g_ptr_array_unref (self->tcp_listeners);
  g_clear_object (&self->server);
  gmcp_socket_settings_clear (&self->settings);

  G_OBJECT_CLASS (gmcp_socket_endpoint_parent_class)->finalize (object);
}

static void
gmcp_socket_endpoint_class_init (GmcpSocketEndpointClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = gmcp_socket_endpoint_get_property;
  object_class->set_property = gmcp_socket_endpoint_set_property;
  object_class->dispose = gmcp_socket_endpoint_dispose;
  object_class->finalize = gmcp_socket_endpoint_finalize;

  /**
   * GmcpSocketEndpoint:server:
   *
   * What is served.
   *
   * Since: 0.1
   */
  g_object_class_install_property (
    object_class, PROP_SERVER,
    g_param_spec_object ("server", NULL, NULL, GMCP_TYPE_SERVER,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS));
  gmcp_socket_settings_install (object_class, PROP_SETTINGS);
}

static void
gmcp_socket_endpoint_init (GmcpSocketEndpoint *self)
{
  gmcp_socket_settings_init (&self->settings);
  self->unix_listeners
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_socket_listener_free);
  self->tcp_listeners = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_socket_listener_free);
}

/* Connections */

static void
on_unix_accepted (GSocket *connection, gpointer data)
{
  g_autoptr (GmcpSocketEndpoint) self = g_object_ref (data);
  const char *user = gmcp_socket_users_identify (self->users, connection);

  if (user != NULL)
    gmcp_socket_clients_add (self->clients, connection, user);
  else
    gmcp_socket_clients_refuse (connection, "This server is for other users of this machine");
}

static void
on_tcp_accepted (GSocket *connection, gpointer data)
{
  g_autoptr (GmcpSocketEndpoint) self = g_object_ref (data);

  gmcp_socket_clients_add (self->clients, connection, NULL);
}

static gboolean
prepare_to_listen (GmcpSocketEndpoint *self, GError **error)
{
  if (self->server == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_INITIALIZED,
                           _ ("The endpoint was made without a server"));
      return FALSE;
    }
  if (self->closing.task != NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED,
                           _ ("The endpoint is being closed"));
      return FALSE;
    }
  if (self->users == NULL)
    self->users = gmcp_socket_users_new ((const char *const *) self->settings.allowed_users, error);
  return self->users != NULL;
}

/* Takes the path, which may be NULL. */
static void
begin_to_listen (GmcpSocketEndpoint *self, GSocket *socket, GmcpSocketPath *path)
{
  gboolean is_unix = g_socket_get_family (socket) == G_SOCKET_FAMILY_UNIX;

  if (self->clients == NULL)
    self->clients = gmcp_socket_clients_new (self->server, &self->settings.limits);
  g_ptr_array_add (
    is_unix ? self->unix_listeners : self->tcp_listeners,
    gmcp_socket_listener_new (socket, path, is_unix ? on_unix_accepted : on_tcp_accepted, self));
}

/* Public */

/**
 * gmcp_socket_endpoint_new:
 * @server: what to serve
 *
 * Makes an endpoint, which serves when it listens.
 *
 * Returns: (transfer full): a new endpoint
 *
 * Since: 0.1
 */
GmcpSocketEndpoint *
gmcp_socket_endpoint_new (GmcpServer *server)
{
  g_return_val_if_fail (GMCP_IS_SERVER (server), NULL);

  return g_object_new (GMCP_TYPE_SOCKET_ENDPOINT, "server", server, NULL);
}

/**
 * gmcp_socket_endpoint_listen:
 * @self: an endpoint
 * @path: (type filename): where to make the socket, such as `$XDG_RUNTIME_DIR/notes/mcp.sock`
 * @error: (nullable): return location for an error
 *
 * Serves on a Unix socket, which is made here and removed in the end. Its folder has to be there already,
 * and to be writable by the user of this process only, so that nobody can put another socket in its place.
 * Only that user can open the socket, unless there are [property@Gmcp.SocketEndpoint:allowed-users].
 *
 * A socket that a server has left behind is replaced. Fails with %G_IO_ERROR_ADDRESS_IN_USE where another
 * server listens on it, with %G_IO_ERROR_EXISTS where the file is anything else, with
 * %G_IO_ERROR_PERMISSION_DENIED where others can write to the folder, with %G_IO_ERROR_NOT_FOUND where one
 * of the allowed users is not known, and with another [error@Gio.IOErrorEnum] where the socket cannot be
 * made.
 *
 * Returns: whether it listens
 *
 * Since: 0.1
 */
gboolean
gmcp_socket_endpoint_listen (GmcpSocketEndpoint *self, const char *path, GError **error)
{
  g_autoptr (GSocket) socket = NULL;
  GmcpSocketPath *file;

  g_return_val_if_fail (GMCP_IS_SOCKET_ENDPOINT (self), FALSE);
  g_return_val_if_fail (path != NULL && *path != '\0', FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!prepare_to_listen (self, error))
    return FALSE;
  file = gmcp_socket_path_new (path, gmcp_socket_users_has_others (self->users), &socket, error);
  if (file == NULL)
    return FALSE;

  begin_to_listen (self, socket, file);
  return TRUE;
}

/**
 * gmcp_socket_endpoint_listen_tcp:
 * @self: an endpoint
 * @port: a port, or 0 for one that is free
 * @error: (nullable): return location for an error
 *
 * Serves on a TCP port of this machine, at 127.0.0.1. Every program on it, whoever runs it, can connect, and
 * nobody knows whose it is. Fails with a [error@Gio.IOErrorEnum] where the port cannot be had.
 *
 * Returns: whether it listens
 *
 * Since: 0.1
 */
gboolean
gmcp_socket_endpoint_listen_tcp (GmcpSocketEndpoint *self, guint16 port, GError **error)
{
  g_autoptr (GInetAddress) loopback = NULL;
  g_autoptr (GSocketAddress) address = NULL;
  g_autoptr (GSocket) socket = NULL;

  g_return_val_if_fail (GMCP_IS_SOCKET_ENDPOINT (self), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!prepare_to_listen (self, error))
    return FALSE;

  loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  address = g_inet_socket_address_new (loopback, port);
  socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, error);
  if (socket == NULL || !g_socket_bind (socket, address, TRUE, error)
      || !g_socket_listen (socket, error))
    return FALSE;

  begin_to_listen (self, socket, NULL);
  return TRUE;
}

/**
 * gmcp_socket_endpoint_listen_socket:
 * @self: an endpoint
 * @socket: a socket that listens already
 * @error: (nullable): return location for an error
 *
 * Serves on a Unix or TCP socket that somebody else has opened, as systemd does. Its file stays when the
 * endpoint is closed. Fails with %G_IO_ERROR_INVALID_ARGUMENT where the socket does not listen, and with
 * %G_IO_ERROR_PERMISSION_DENIED for a TCP socket that other machines can reach.
 *
 * Returns: whether it listens
 *
 * Since: 0.1
 */
gboolean
gmcp_socket_endpoint_listen_socket (GmcpSocketEndpoint *self, GSocket *socket, GError **error)
{
  g_return_val_if_fail (GMCP_IS_SOCKET_ENDPOINT (self), FALSE);
  g_return_val_if_fail (G_IS_SOCKET (socket), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (!prepare_to_listen (self, error) || !gmcp_socket_listener_check (socket, error))
    return FALSE;

  begin_to_listen (self, socket, NULL);
  return TRUE;
}

static void
add_addresses (GPtrArray *addresses, GPtrArray *listeners)
{
  for (guint i = 0; i < listeners->len; i++)
    {
      GSocketAddress *address
        = g_socket_get_local_address (gmcp_socket_listener_get_socket (listeners->pdata[i]), NULL);

      if (address != NULL)
        g_ptr_array_add (addresses, address);
    }
}

/**
 * gmcp_socket_endpoint_list_addresses:
 * @self: an endpoint
 *
 * Gives the addresses at which it listens, such as [ctor@Gmcp.StreamTransport.new_for_address] takes.
 *
 * Returns: (transfer container) (element-type Gio.SocketAddress): the addresses
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_socket_endpoint_list_addresses (GmcpSocketEndpoint *self)
{
  GPtrArray *addresses = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (GMCP_IS_SOCKET_ENDPOINT (self), addresses);

  add_addresses (addresses, self->unix_listeners);
  add_addresses (addresses, self->tcp_listeners);
  return addresses;
}

/**
 * gmcp_socket_endpoint_get_n_clients:
 * @self: an endpoint
 *
 * Gives how many clients are connected.
 *
 * Returns: the number of clients
 *
 * Since: 0.1
 */
guint
gmcp_socket_endpoint_get_n_clients (GmcpSocketEndpoint *self)
{
  g_return_val_if_fail (GMCP_IS_SOCKET_ENDPOINT (self), 0);

  return self->clients != NULL ? gmcp_socket_clients_get_n (self->clients) : 0;
}

static void
stop_listening (GmcpSocketEndpoint *self)
{
  g_ptr_array_set_size (self->unix_listeners, 0);
  g_ptr_array_set_size (self->tcp_listeners, 0);
  g_clear_pointer (&self->users, gmcp_socket_users_free);
}

/**
 * gmcp_socket_endpoint_close:
 * @self: an endpoint
 *
 * Serves no more, at once: what runs is cancelled, and connections are closed. A socket that was made here
 * is removed. The endpoint can listen again.
 *
 * Since: 0.1
 */
void
gmcp_socket_endpoint_close (GmcpSocketEndpoint *self)
{
  g_return_if_fail (GMCP_IS_SOCKET_ENDPOINT (self));

  stop_listening (self);
  g_clear_pointer (&self->clients, gmcp_socket_clients_free);
}

static void
on_emptied (gpointer data)
{
  gmcp_server_closing_end (&((GmcpSocketEndpoint *) data)->closing);
}

static void
close_endpoint (gpointer data)
{
  gmcp_socket_endpoint_close (data);
}

/**
 * gmcp_socket_endpoint_close_async:
 * @self: an endpoint
 * @cancellable: (nullable): a cancellable, which ends the waiting: the rest is closed at once then
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Serves no more, in order: nobody can connect any more, subscriptions are ended, requests that run have
 * [property@Gmcp.SocketEndpoint:close-timeout-ms] to be answered before they are cancelled, and what is to be sent
 * is sent. A socket that was made here is removed at once.
 *
 * Fails with %G_IO_ERROR_PENDING where it is being closed already.
 *
 * Since: 0.1
 */
void
gmcp_socket_endpoint_close_async (GmcpSocketEndpoint *self,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_return_if_fail (GMCP_IS_SOCKET_ENDPOINT (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (!gmcp_server_closing_begin (&self->closing, self, close_endpoint,
                                  gmcp_socket_endpoint_close_async, cancellable, callback,
                                  user_data))
    return;

  stop_listening (self);
  if (self->clients != NULL)
    gmcp_socket_clients_drain (self->clients, on_emptied, self);
  else
    gmcp_server_closing_end (&self->closing);
}

/**
 * gmcp_socket_endpoint_close_finish:
 * @self: an endpoint
 * @result: the result that the callback got
 * @error: return location for an error
 *
 * Ends [method@Gmcp.SocketEndpoint.close_async].
 *
 * Returns: %TRUE when all connections are closed
 *
 * Since: 0.1
 */
gboolean
gmcp_socket_endpoint_close_finish (GmcpSocketEndpoint *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_SOCKET_ENDPOINT (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_socket_endpoint_close_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
