/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/transport/gmcp-stream-transport.h>

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-line-link-private.h"
#include "gmcp-stream-transport-private.h"

/* Out of the way of descriptors that a program expects to be the standard ones. */
#define LOWEST_FD 10

/**
 * GmcpStreamTransport:
 *
 * Messages over a stream, one a line, in both directions: a Unix socket, a TCP connection, or any
 * other `GIOStream`.
 *
 * One made for an address connects when it is opened, and can be opened again after it was closed.
 * One made for a stream that is open already takes that stream over: it opens once, and closes the
 * stream in the end.
 *
 * The end of the input closes the transport, without an error, once all that was queued has been
 * written; a [class@Gmcp.Server] first answers what it can.
 *
 * Nothing is encrypted and nobody is asked who they are; what the operating system says about the
 * access to a Unix socket is all there is.
 *
 * Spec: MCP 2026-07-28, basic/transports, "Custom Transports".
 *
 * Since: 0.1
 */
struct _GmcpStreamTransport
{
  GmcpTransport parent_instance;

  GIOStream *stream;           /* as given, until it is closed */
  GSocketConnectable *address; /* or where to connect to */
  GIOStream *connected;        /* between the end of the connecting and that of the opening */
  GCancellable *connecting;
  gboolean opened;
  gboolean own_user_only;
  GmcpLineLink link;
};

G_DEFINE_FINAL_TYPE (GmcpStreamTransport, gmcp_stream_transport, GMCP_TYPE_TRANSPORT)

typedef enum
{
  PROP_STREAM = 1,
  PROP_ADDRESS,
} GmcpStreamTransportProperty;

static GParamSpec *properties[PROP_ADDRESS + 1];

/* An opening for which a connection is being made. */
typedef struct
{
  GCancellable *connecting;
  GSource *cancelled; /* nullable */
} Connecting;

static void
connecting_free (Connecting *data)
{
  g_clear_pointer (&data->cancelled, g_source_unref);
  g_object_unref (data->connecting);
  g_free (data);
}

/* Says what cannot be reached. Where nobody listens it is the server that has to be started, whatever
 * the system calls that. */
static GError *
dress_connect_error (GmcpStreamTransport *self, GError *cause)
{
  g_autofree char *address = g_socket_connectable_to_string (self->address);

  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return cause;

  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED)
      || g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      g_error_free (cause);
      return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                          _ ("Nobody listens at “%s”: start the server, or correct its address"),
                          address);
    }

  /* Translators: an address, and what the system says. */
  g_prefix_error (&cause, _ ("Connecting to “%s” failed: "), address);
  return cause;
}

static gboolean
check_peer (GmcpStreamTransport *self, GSocketConnection *connection, GError **error)
{
  g_autoptr (GCredentials) credentials = NULL;

  if (!self->own_user_only)
    return TRUE;

  credentials = g_socket_get_credentials (g_socket_connection_get_socket (connection), NULL);
  if (credentials != NULL && g_credentials_get_unix_user (credentials, NULL) == geteuid ())
    return TRUE;

  g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
                       _ ("The program that listens on the socket is another user's"));
  return FALSE;
}

static void
on_connected (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpStreamTransport *self = g_task_get_source_object (task);
  Connecting *data = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GSocketConnection) connection
    = g_socket_client_connect_finish (G_SOCKET_CLIENT (object), result, &error);
  gboolean counts = self->connecting == data->connecting;

  if (counts)
    g_clear_object (&self->connecting);
  /* The cancellable's source holds the task. */
  if (data->cancelled != NULL)
    g_source_destroy (data->cancelled);

  if (connection == NULL)
    {
      g_task_return_error (task, dress_connect_error (self, error));
      return;
    }
  if (!check_peer (self, connection, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  if (counts)
    self->connected = G_IO_STREAM (g_steal_pointer (&connection));
  g_task_return_boolean (task, TRUE);
}

static gboolean
open_cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  Connecting *data = g_task_get_task_data (user_data);

  g_cancellable_cancel (data->connecting);
  return G_SOURCE_REMOVE;
}

static void
connect_to_address (GmcpStreamTransport *self, GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  Connecting *data = g_new0 (Connecting, 1);

  self->connecting = g_cancellable_new ();
  data->connecting = g_object_ref (self->connecting);
  g_task_set_task_data (task, data, (GDestroyNotify) connecting_free);

  if (cancellable != NULL)
    {
      data->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_static_name (data->cancelled, "[gmcp] connecting cancelled");
      g_task_attach_source (task, data->cancelled, G_SOURCE_FUNC (open_cancelled_cb));
    }

  g_socket_client_connect_async (client, self->address, self->connecting, on_connected,
                                 g_object_ref (task));
}

static void
gmcp_stream_transport_open_async (GmcpTransport *transport,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GmcpStreamTransport *self = GMCP_STREAM_TRANSPORT (transport);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_stream_transport_open_async);

  if (self->address != NULL)
    {
      /* What holds is whether there is a connection. */
      g_task_set_check_cancellable (task, FALSE);
      connect_to_address (self, task);
      return;
    }

  if (self->stream == NULL || self->opened || g_io_stream_is_closed (self->stream))
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_CLOSED,
                               _ ("The stream of this connection is closed; it opens only once"));
      return;
    }

  self->connected = g_object_ref (self->stream);
  g_task_return_boolean (task, TRUE);
}

/* A socket is served by its descriptor, without the layers above it. A subclass may do more than its
 * socket shows. */
static GSocket *
get_plain_socket (GIOStream *stream)
{
  GType type = G_OBJECT_TYPE (stream);

  if (type != G_TYPE_TCP_CONNECTION && type != G_TYPE_UNIX_CONNECTION
      && type != G_TYPE_SOCKET_CONNECTION)
    return NULL;

  return g_socket_connection_get_socket (G_SOCKET_CONNECTION (stream));
}

static void
set_up_tcp (GSocket *socket)
{
  GSocketFamily family = g_socket_get_family (socket);

  if (family != G_SOCKET_FAMILY_IPV4 && family != G_SOCKET_FAMILY_IPV6)
    return;

  /* A message is written whole: nothing comes after it that it could wait for. */
  g_socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, TRUE, NULL);
  /* A peer whose machine is gone says nothing. */
  g_socket_set_keepalive (socket, TRUE);
}

/* Where there are limits to what waits, they hold for descriptors. */
static gboolean
open_link (GmcpStreamTransport *self, GIOStream *stream, GError **error)
{
  GSocket *socket = get_plain_socket (stream);
  int fd = -1;

  if (socket != NULL)
    {
      set_up_tcp (socket);
      fd = fcntl (g_socket_get_fd (socket), F_DUPFD_CLOEXEC, LOWEST_FD);
    }

  if (fd >= 0)
    {
      gmcp_line_link_open_fds (&self->link, fd, fd, stream);
      return TRUE;
    }
  if (socket != NULL && self->link.output.budget != NULL)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s", g_strerror (errno));
      return FALSE;
    }

  gmcp_line_link_open_stream (&self->link, stream);
  return TRUE;
}

static gboolean
gmcp_stream_transport_open_finish (GmcpTransport *transport, GAsyncResult *result, GError **error)
{
  GmcpStreamTransport *self = GMCP_STREAM_TRANSPORT (transport);
  g_autoptr (GIOStream) connected = g_steal_pointer (&self->connected);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;

  /* Not before: nothing may come in while the opening is under way. NULL where it was closed since. */
  if (connected == NULL)
    return TRUE;

  if (!open_link (self, connected, error))
    return FALSE;
  self->opened = TRUE;
  return TRUE;
}

static gboolean
gmcp_stream_transport_send (GmcpTransport *transport, const GmcpOutgoing *message, GError **error)
{
  return gmcp_line_link_send (&GMCP_STREAM_TRANSPORT (transport)->link, message, error);
}

static void
stop_connecting (GmcpStreamTransport *self)
{
  if (self->connecting != NULL)
    g_cancellable_cancel (self->connecting);
  g_clear_object (&self->connecting);
  g_clear_object (&self->connected);
}

static void
close_unused_stream (GmcpStreamTransport *self)
{
  GMainContext *context = gmcp_transport_get_context (GMCP_TRANSPORT (self));

  if (self->stream == NULL || self->opened)
    return;

  self->opened = TRUE;
  g_main_context_push_thread_default (context);
  g_io_stream_close_async (self->stream, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  g_main_context_pop_thread_default (context);
}

static void
gmcp_stream_transport_close_async (GmcpTransport *transport,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  GmcpStreamTransport *self = GMCP_STREAM_TRANSPORT (transport);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_stream_transport_close_async);
  stop_connecting (self);
  close_unused_stream (self);
  gmcp_line_link_close (&self->link, task);
}

static gboolean
gmcp_stream_transport_close_finish (GmcpTransport *transport, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static char *
gmcp_stream_transport_dup_description (GmcpTransport *transport)
{
  GmcpStreamTransport *self = GMCP_STREAM_TRANSPORT (transport);

  return self->address != NULL ? g_socket_connectable_to_string (self->address)
                               : g_strdup (_ ("the peer"));
}

static void
gmcp_stream_transport_get_property (GObject *object,
                                    guint prop_id,
                                    GValue *value,
                                    GParamSpec *pspec)
{
  GmcpStreamTransport *self = GMCP_STREAM_TRANSPORT (object);

  switch ((GmcpStreamTransportProperty) prop_id)
    {
    case PROP_STREAM:
      g_value_set_object (value, self->stream);
      break;

    case PROP_ADDRESS:
      g_value_set_object (value, self->address);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_stream_transport_set_property (GObject *object,
                                    guint prop_id,
                                    const GValue *value,
                                    GParamSpec *pspec)
{
  GmcpStreamTransport *self = GMCP_STREAM_TRANSPORT (object);

  switch ((GmcpStreamTransportProperty) prop_id)
    {
    case PROP_STREAM:
      self->stream = g_value_dup_object (value);
      break;

    case PROP_ADDRESS:
      self->address = g_value_dup_object (value);
      break;

    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
gmcp_stream_transport_finalize (GObject *object)
{
  GmcpStreamTransport *self = GMCP_STREAM_TRANSPORT (object);

  stop_connecting (self);
  gmcp_line_link_clear (&self->link);
  g_clear_pointer (&self->link.output.budget, gmcp_byte_budget_unref);
  g_clear_pointer (&self->link.unfinished, gmcp_byte_budget_unref);
  close_unused_stream (self);
  g_clear_object (&self->stream);
  g_clear_object (&self->address);

  G_OBJECT_CLASS (gmcp_stream_transport_parent_class)->finalize (object);
}

static const GmcpTransportFuncs transport_funcs = {
  .open_async = gmcp_stream_transport_open_async,
  .open_finish = gmcp_stream_transport_open_finish,
  .send = gmcp_stream_transport_send,
  .close_async = gmcp_stream_transport_close_async,
  .close_finish = gmcp_stream_transport_close_finish,
  .dup_description = gmcp_stream_transport_dup_description,
  .takes_parts = TRUE,
};

static void
gmcp_stream_transport_class_init (GmcpStreamTransportClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GmcpTransportClass *transport_class = GMCP_TRANSPORT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = gmcp_stream_transport_get_property;
  object_class->set_property = gmcp_stream_transport_set_property;
  object_class->finalize = gmcp_stream_transport_finalize;

  transport_class->funcs = &transport_funcs;

  /**
   * GmcpStreamTransport:stream: (getter get_stream)
   *
   * The open stream that the transport was made for.
   *
   * Since: 0.1
   */
  properties[PROP_STREAM] = g_param_spec_object ("stream", NULL, NULL, G_TYPE_IO_STREAM, flags);

  /**
   * GmcpStreamTransport:address: (getter get_address)
   *
   * What is connected to at each opening.
   *
   * Since: 0.1
   */
  properties[PROP_ADDRESS]
    = g_param_spec_object ("address", NULL, NULL, G_TYPE_SOCKET_CONNECTABLE, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_stream_transport_init (GmcpStreamTransport *self)
{
  gmcp_line_link_init (&self->link, GMCP_TRANSPORT (self));
}

/**
 * gmcp_stream_transport_new:
 * @stream: an open stream, which the transport closes in the end
 *
 * Makes a transport over a stream that is open already.
 *
 * Returns: (transfer full): a transport
 *
 * Since: 0.1
 */
GmcpStreamTransport *
gmcp_stream_transport_new (GIOStream *stream)
{
  g_return_val_if_fail (G_IS_IO_STREAM (stream), NULL);

  return g_object_new (GMCP_TYPE_STREAM_TRANSPORT, "stream", stream, NULL);
}

/**
 * gmcp_stream_transport_new_for_address:
 * @address: where a server listens, such as a `GUnixSocketAddress` or a `GNetworkAddress`
 *
 * Makes a transport that connects to an address when it is opened. The opening fails with
 * %GMCP_ERROR_NOT_RUNNING where nobody listens there.
 *
 * Returns: (transfer full): a transport
 *
 * Since: 0.1
 */
GmcpStreamTransport *
gmcp_stream_transport_new_for_address (GSocketConnectable *address)
{
  g_return_val_if_fail (G_IS_SOCKET_CONNECTABLE (address), NULL);

  return g_object_new (GMCP_TYPE_STREAM_TRANSPORT, "address", address, NULL);
}

/**
 * gmcp_stream_transport_new_for_path:
 * @path: (type filename): the full path of a Unix socket
 *
 * Makes a transport that connects to a Unix socket when it is opened, as
 * [ctor@Gmcp.StreamTransport.new_for_address] does.
 *
 * Returns: (transfer full): a transport
 *
 * Since: 0.1
 */
GmcpStreamTransport *
gmcp_stream_transport_new_for_path (const char *path)
{
  g_autoptr (GSocketAddress) address = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  address = g_unix_socket_address_new (path);
  return gmcp_stream_transport_new_for_address (G_SOCKET_CONNECTABLE (address));
}

void
gmcp_stream_transport_set_own_user_only (GmcpStreamTransport *self)
{
  self->own_user_only = TRUE;
}

void
gmcp_stream_transport_set_output_limits (GmcpStreamTransport *self, const GmcpOutputLimits *limits)
{
  g_autoptr (GmcpByteBudget) before G_GNUC_UNUSED = self->link.output.budget;

  self->link.output = *limits;
  if (limits->budget != NULL)
    gmcp_byte_budget_ref (limits->budget);
}

void
gmcp_stream_transport_set_input_budget (GmcpStreamTransport *self, GmcpByteBudget *budget)
{
  g_autoptr (GmcpByteBudget) before G_GNUC_UNUSED = self->link.unfinished;

  self->link.unfinished = gmcp_byte_budget_ref (budget);
}

void
gmcp_stream_transport_set_path (GmcpStreamTransport *self, const char *path)
{
  g_clear_object (&self->address);
  self->address = G_SOCKET_CONNECTABLE (g_unix_socket_address_new (path));
}

/**
 * gmcp_stream_transport_get_stream: (attributes org.gtk.Method.get_property=stream)
 * @self: a stream transport
 *
 * Gives the stream that the transport was made for.
 *
 * Returns: (transfer none) (nullable): a stream, or %NULL for a transport that connects to an address
 *
 * Since: 0.1
 */
GIOStream *
gmcp_stream_transport_get_stream (GmcpStreamTransport *self)
{
  g_return_val_if_fail (GMCP_IS_STREAM_TRANSPORT (self), NULL);

  return self->stream;
}

/**
 * gmcp_stream_transport_get_address: (attributes org.gtk.Method.get_property=address)
 * @self: a stream transport
 *
 * Gives what the transport connects to.
 *
 * Returns: (transfer none) (nullable): an address, or %NULL for a transport over a given stream
 *
 * Since: 0.1
 */
GSocketConnectable *
gmcp_stream_transport_get_address (GmcpStreamTransport *self)
{
  g_return_val_if_fail (GMCP_IS_STREAM_TRANSPORT (self), NULL);

  return self->address;
}
