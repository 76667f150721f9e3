/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-socket-listener-private.h"

#include <sys/socket.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

struct _GmcpSocketListener
{
  GSocket *socket;
  GmcpSocketPath *path; /* nullable */
  GMainContext *context;
  GSource *source; /* that connections come, or that it is tried again */
  GmcpSocketAcceptedFunc accepted;
  gpointer data;
};

static void watch_socket (GmcpSocketListener *self);

static void
set_source (GmcpSocketListener *self, GSource *source, GSourceFunc func)
{
  if (self->source != NULL)
    {
      g_source_destroy (self->source);
      g_source_unref (self->source);
    }
  self->source = source;
  if (source == NULL)
    return;

  g_source_set_static_name (source, "[gmcp] socket listener");
  g_source_set_callback (source, func, self, NULL);
  g_source_attach (source, self->context);
}

static gboolean
on_pause_over (gpointer user_data)
{
  watch_socket (user_data);
  return G_SOURCE_REMOVE;
}

/* FALSE: there is nobody left, or no descriptor. The callback may free the listener. */
static gboolean
accept_one (GmcpSocketListener *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocket) connection = g_socket_accept (self->socket, NULL, &error);

  if (connection != NULL)
    {
      self->accepted (connection, self->data);
      return TRUE;
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
    return FALSE;

  /* A client that has gone meanwhile, or want of descriptors or memory: neither ends the server, and the latter
   * is not tried again and again. */
  g_debug ("A connection was not accepted: %s", error->message);
  set_source (self, g_timeout_source_new (GMCP_DEFAULT_ACCEPT_PAUSE_MS), on_pause_over);
  return FALSE;
}

static gboolean
on_ready (GSocket *socket, GIOCondition condition, gpointer user_data)
{
  GmcpSocketListener *self = user_data;
  g_autoptr (GSource) source = g_source_ref (self->source);

  for (guint i = 0; i < GMCP_LIMIT_ACCEPTED_CONNECTIONS && !g_source_is_destroyed (source); i++)
    if (!accept_one (self))
      break;
  return G_SOURCE_CONTINUE;
}

static void
watch_socket (GmcpSocketListener *self)
{
  set_source (self, g_socket_create_source (self->socket, G_IO_IN, NULL), G_SOURCE_FUNC (on_ready));
}

gboolean
gmcp_socket_listener_check (GSocket *socket, GError **error)
{
  g_autoptr (GSocketAddress) address = g_socket_get_local_address (socket, error);
  int listens = 0;

  if (address == NULL)
    return FALSE;
  if (g_socket_get_socket_type (socket) != G_SOCKET_TYPE_STREAM
      || !g_socket_get_option (socket, SOL_SOCKET, SO_ACCEPTCONN, &listens, NULL) || !listens)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           _ ("The socket is none that waits for connections"));
      return FALSE;
    }
  if (G_IS_INET_SOCKET_ADDRESS (address)
      && !g_inet_address_get_is_loopback (
        g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address))))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                           _ ("Other machines can reach the socket, and TCP does not say who "
                              "connects; let it listen at 127.0.0.1, or serve HTTP with tokens"));
      return FALSE;
    }
  return TRUE;
}

GmcpSocketListener *
gmcp_socket_listener_new (GSocket *socket,
                          GmcpSocketPath *path,
                          GmcpSocketAcceptedFunc accepted,
                          gpointer data)
{
  GmcpSocketListener *self = g_new0 (GmcpSocketListener, 1);

  self->socket = g_object_ref (socket);
  self->path = path;
  self->context = g_main_context_ref_thread_default ();
  self->accepted = accepted;
  self->data = data;
  g_socket_set_blocking (socket, FALSE);
  watch_socket (self);
  return self;
}

void
gmcp_socket_listener_free (GmcpSocketListener *self)
{
  set_source (self, NULL, NULL);
  /* Before the socket is closed: nobody is to find a file that nobody listens at. */
  g_clear_pointer (&self->path, gmcp_socket_path_free);
  g_socket_close (self->socket, NULL);
  g_object_unref (self->socket);
  g_main_context_unref (self->context);
  g_free (self);
}

GSocket *
gmcp_socket_listener_get_socket (GmcpSocketListener *self)
{
  return self->socket;
}
