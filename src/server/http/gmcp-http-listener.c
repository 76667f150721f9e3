/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-listener-private.h"

#include <sys/socket.h>

#include "gmcp-limits.h"

#define ACCEPTED_AT_ONCE 64
#define BACKLOG          1024

struct _GmcpHttpListener
{
  GPtrArray *sockets; /* of GSocket */
  GPtrArray *sources; /* of GSource, while it listens */
  GmcpHttpWatch *watch;
  GmcpHttpTimer pause;
  const GmcpHttpListenerFuncs *funcs;
  gpointer data;
};

static void begin_to_listen (GmcpHttpListener *self);

static void
on_paused (gpointer data)
{
  begin_to_listen (data);
}

static void
stop_listening (GmcpHttpListener *self)
{
  for (guint i = 0; i < self->sources->len; i++)
    g_source_destroy (g_ptr_array_index (self->sources, i));
  g_ptr_array_set_size (self->sources, 0);
}

/* Where there are no descriptors left, clients wait while others go. */
static gboolean
on_incoming (GSocket *listener, GIOCondition condition, gpointer data)
{
  GmcpHttpListener *self = data;

  for (guint i = 0; i < ACCEPTED_AT_ONCE; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GSocket) socket = g_socket_accept (listener, NULL, &error);

      if (socket != NULL)
        {
          self->funcs->take (socket, self->data);
          continue;
        }
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
        return G_SOURCE_CONTINUE;

      g_debug ("A client could not be taken: %s", error->message);
      if (self->funcs->make_room (self->data))
        continue;
      stop_listening (self);
      gmcp_http_watch_set_timer (self->watch, &self->pause, GMCP_DEFAULT_HTTP_ACCEPT_PAUSE_MS,
                                 on_paused, self);
      return G_SOURCE_REMOVE;
    }
  return G_SOURCE_CONTINUE;
}

static void
begin_to_listen (GmcpHttpListener *self)
{
  for (guint i = 0; i < self->sockets->len; i++)
    {
      GSource *source
        = g_socket_create_source (g_ptr_array_index (self->sockets, i), G_IO_IN, NULL);

      g_source_set_priority (source, G_PRIORITY_HIGH);
      g_source_set_static_name (source, "[gmcp] HTTP clients");
      g_source_set_callback (source, G_SOURCE_FUNC (on_incoming), self, NULL);
      g_source_attach (source, g_main_context_get_thread_default ());
      g_ptr_array_add (self->sources, source);
    }
}

GmcpHttpListener *
gmcp_http_listener_new (const GmcpSoupServer *soup,
                        SoupServer *http,
                        GmcpHttpWatch *watch,
                        const GmcpHttpListenerFuncs *funcs,
                        gpointer data)
{
  GmcpHttpListener *self = g_new0 (GmcpHttpListener, 1);
  GSList *sockets = soup->server_get_listeners (http);

  self->sockets = g_ptr_array_new_with_free_func (g_object_unref);
  self->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) g_source_unref);
  self->watch = gmcp_http_watch_ref (watch);
  self->funcs = funcs;
  self->data = data;
  for (GSList *link = sockets; link != NULL; link = link->next)
    {
      g_socket_set_blocking (link->data, FALSE);
      listen (g_socket_get_fd (link->data), BACKLOG);
      g_ptr_array_add (self->sockets, g_object_ref (link->data));
    }
  g_slist_free (sockets);
  begin_to_listen (self);
  return self;
}

void
gmcp_http_listener_shut (GmcpHttpListener *self)
{
  stop_listening (self);
  /* They stay open: libsoup has them too. */
  for (guint i = 0; i < self->sockets->len; i++)
    shutdown (g_socket_get_fd (g_ptr_array_index (self->sockets, i)), SHUT_RD);
}

void
gmcp_http_listener_free (GmcpHttpListener *self)
{
  stop_listening (self);
  gmcp_http_watch_clear_timer (self->watch, &self->pause);
  gmcp_http_watch_unref (self->watch);
  g_ptr_array_unref (self->sources);
  g_ptr_array_unref (self->sockets);
  g_free (self);
}
