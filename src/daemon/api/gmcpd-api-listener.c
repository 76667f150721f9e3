/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib-unix.h>
#include <string.h>
#include <sys/socket.h>

#include "gmcpd-api-listener.h"
#include "gmcpd-api-problem.h"

/* Those of all programs together; the token's holder needs a few. */
#define MAX_CONNECTIONS 64

/* For how long a client may send nothing of a request, and take nothing of an answer. */
#define IDLE_SECONDS 60

struct _GmcpdApiListener
{
  const GmcpdSoup *soup;
  SoupServer *http; /* not owned: it outlives this */
  GSocketService *service;
  guint16 port;
  GQueue connections; /* of Connection; those first that have been there for longest */
};

/* It hangs on the address by which libsoup knows the connection. */
typedef struct
{
  GmcpdApiListener *listener;
  GSocketConnection *stream; /* not owned */
  gboolean is_trusted;
  GList link;
} Connection;

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("gmcpd-api-connection");
}

/* libsoup has dropped it. */
static void
on_stream_gone (gpointer data, GObject *stream)
{
  Connection *self = data;

  g_queue_unlink (&self->listener->connections, &self->link);
  g_free (self);
}

static Connection *
find_connection (const GmcpdSoup *soup, SoupServerMessage *message)
{
  GSocketAddress *address = soup->server_message_get_remote_address (message);
  GWeakRef *stream = address != NULL ? g_object_get_qdata (G_OBJECT (address), get_quark ()) : NULL;
  g_autoptr (GObject) object = stream != NULL ? g_weak_ref_get (stream) : NULL;

  return object != NULL ? g_object_get_qdata (object, get_quark ()) : NULL;
}

/* libsoup sees the end of the stream, and closes it. A client that is about to send more hears of that by a reset. */
static void
shut_connection (Connection *self)
{
  const struct linger reset = { .l_onoff = 1 };
  GSocket *socket = g_socket_connection_get_socket (self->stream);

  setsockopt (g_socket_get_fd (socket), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  g_socket_shutdown (socket, TRUE, TRUE, NULL);
}

/* Whoever has not shown a token gives way, the oldest first. */
static gboolean
make_room (GmcpdApiListener *self)
{
  for (GList *l = self->connections.head; l != NULL; l = l->next)
    {
      Connection *connection = l->data;

      if (connection->is_trusted)
        continue;
      shut_connection (connection);
      g_queue_unlink (&self->connections, &connection->link);
      g_queue_push_tail_link (&self->connections, &connection->link);
      return TRUE;
    }
  return FALSE;
}

static void
free_weak_ref (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

static gboolean
on_incoming (GSocketService *service,
             GSocketConnection *stream,
             GObject *source,
             GmcpdApiListener *self)
{
  g_autoptr (GSocketAddress) local = g_socket_connection_get_local_address (stream, NULL);
  g_autoptr (GSocketAddress) remote = g_socket_connection_get_remote_address (stream, NULL);
  Connection *connection;
  GWeakRef *weak;

  /* What is shut goes in a later turn, so that there are a few more for a moment, and never twice as many. */
  if (local == NULL || remote == NULL || self->connections.length >= 2 * MAX_CONNECTIONS
      || (self->connections.length >= MAX_CONNECTIONS && !make_room (self)))
    return TRUE;

  connection = g_new0 (Connection, 1);
  connection->listener = self;
  connection->stream = stream;
  connection->link.data = connection;
  g_queue_push_tail_link (&self->connections, &connection->link);
  g_object_set_qdata (G_OBJECT (stream), get_quark (), connection);
  g_object_weak_ref (G_OBJECT (stream), on_stream_gone, connection);

  weak = g_new0 (GWeakRef, 1);
  g_weak_ref_init (weak, stream);
  g_object_set_qdata_full (G_OBJECT (remote), get_quark (), weak, free_weak_ref);

  g_socket_set_timeout (g_socket_connection_get_socket (stream), IDLE_SECONDS);
  self->soup->server_accept_iostream (self->http, G_IO_STREAM (stream), local, remote, NULL);
  return TRUE;
}

GmcpdApiListener *
gmcpd_api_listener_new (const GmcpdSoup *soup, SoupServer *http, guint16 port, GError **error)
{
  g_autoptr (GmcpdApiListener) self = g_new0 (GmcpdApiListener, 1);
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, port);
  g_autoptr (GSocketAddress) effective = NULL;

  self->soup = soup;
  self->http = http;
  self->service = g_socket_service_new ();
  g_queue_init (&self->connections);
  g_socket_listener_set_backlog (G_SOCKET_LISTENER (self->service), MAX_CONNECTIONS);
  g_signal_connect (self->service, "incoming", G_CALLBACK (on_incoming), self);
  if (!g_socket_listener_add_address (G_SOCKET_LISTENER (self->service), address,
                                      G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, NULL, &effective,
                                      error))
    {
      g_prefix_error (error, "127.0.0.1:%u: ", port);
      return NULL;
    }
  self->port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (effective));
  return g_steal_pointer (&self);
}

void
gmcpd_api_listener_stop (GmcpdApiListener *self)
{
  g_socket_service_stop (self->service);
  g_socket_listener_close (G_SOCKET_LISTENER (self->service));
}

void
gmcpd_api_listener_free (GmcpdApiListener *self)
{
  GList *link;

  g_signal_handlers_disconnect_by_data (self->service, self);
  gmcpd_api_listener_stop (self);
  g_object_unref (self->service);
  while ((link = g_queue_pop_head_link (&self->connections)) != NULL)
    {
      Connection *connection = link->data;

      g_object_set_qdata (G_OBJECT (connection->stream), get_quark (), NULL);
      g_object_weak_unref (G_OBJECT (connection->stream), on_stream_gone, connection);
      g_free (connection);
    }
  g_free (self);
}

guint16
gmcpd_api_listener_get_port (GmcpdApiListener *self)
{
  return self->port;
}

void
gmcpd_api_listener_trust (const GmcpdSoup *soup, SoupServerMessage *message)
{
  Connection *connection = find_connection (soup, message);

  if (connection != NULL)
    connection->is_trusted = TRUE;
}

void
gmcpd_api_listener_cut_off (const GmcpdSoup *soup, SoupServerMessage *message)
{
  Connection *connection = find_connection (soup, message);

  if (connection != NULL)
    shut_connection (connection);
}

void
gmcpd_api_listener_reject (const GmcpdSoup *soup, SoupServerMessage *message, const char *detail)
{
  g_autofree char *problem
    = gmcpd_api_problem_dup_json (soup, SOUP_STATUS_BAD_REQUEST, NULL, detail);
  g_autofree char *answer = g_strdup_printf ("HTTP/1.1 400 Bad Request\r\n"
                                             "Connection: close\r\n"
                                             "Content-Type: " GMCPD_API_PROBLEM_TYPE "\r\n"
                                             "Cache-Control: no-store\r\n"
                                             "X-Content-Type-Options: nosniff\r\n"
                                             "Content-Length: %" G_GSIZE_FORMAT "\r\n\r\n%s",
                                             strlen (problem), problem);
  Connection *connection = find_connection (soup, message);
  g_autoptr (GIOStream) stream = NULL;

  if (connection == NULL)
    return;
  send (g_socket_get_fd (g_socket_connection_get_socket (connection->stream)), answer,
        strlen (answer), MSG_NOSIGNAL | MSG_DONTWAIT);
  stream = soup->server_message_steal_connection (message);
}

/* Hanging up */

typedef struct
{
  GSourceOnceFunc func;
  gpointer data;
} Watch;

/* Where the client has sent its next request already, it is not looked at until this one is answered. The source is
 * not one of GSocket's, which would take the time limit of the connection for its own. */
static gboolean
on_readable (int fd, GIOCondition condition, gpointer user_data)
{
  Watch *watch = user_data;
  char byte;
  gssize n = recv (fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

  if (n == 0 || (n < 0 && (condition & (G_IO_HUP | G_IO_ERR)) != 0))
    watch->func (watch->data);
  return G_SOURCE_REMOVE;
}

GSource *
gmcpd_api_listener_watch (const GmcpdSoup *soup,
                          SoupServerMessage *message,
                          GSourceOnceFunc func,
                          gpointer data)
{
  Connection *connection = find_connection (soup, message);
  Watch *watch;
  GSource *source;

  if (connection == NULL)
    return NULL;

  watch = g_new (Watch, 1);
  *watch = (Watch){ func, data };
  source = g_unix_fd_source_new (
    g_socket_get_fd (g_socket_connection_get_socket (connection->stream)), G_IO_IN);
  g_source_set_static_name (source, "[gmcpd] client of the control API");
  g_source_set_callback (source, G_SOURCE_FUNC (on_readable), watch, g_free);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}
