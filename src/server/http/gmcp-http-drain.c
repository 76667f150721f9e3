/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-drain-private.h"

#include "gmcp-limits.h"

struct _GmcpHttpDrain
{
  GmcpHttpConnections *connections; /* nullable */
  GSource *deadline;
  void (*done) (gpointer data);
  gpointer data;
};

/* From here on it is as if time were over, in the next turn: whoever tells is in the middle of something. */
static void
on_written (gpointer data)
{
  g_source_set_ready_time (((GmcpHttpDrain *) data)->deadline, 0);
}

static void
on_answered (gpointer data)
{
  GmcpHttpDrain *self = data;

  if (self->connections != NULL)
    gmcp_http_connections_wait_until_written (self->connections, on_written, self);
  else
    on_written (self);
}

static gboolean
on_deadline (gpointer data)
{
  GmcpHttpDrain *self = data;

  self->done (self->data);
  return G_SOURCE_REMOVE;
}

GmcpHttpDrain *
gmcp_http_drain_new (GmcpHttpClients *clients,
                     GmcpHttpConnections *connections,
                     guint timeout_ms,
                     void (*done) (gpointer data),
                     gpointer data)
{
  GmcpHttpDrain *self = g_new0 (GmcpHttpDrain, 1);

  self->connections = connections;
  self->done = done;
  self->data = data;
  self->deadline = g_timeout_source_new (timeout_ms + GMCP_DEFAULT_HTTP_LAST_WRITE_MS);
  g_source_set_static_name (self->deadline, "[gmcp] HTTP drain");
  g_source_set_callback (self->deadline, on_deadline, self, NULL);
  g_source_attach (self->deadline, g_main_context_get_thread_default ());
  gmcp_http_clients_drain (clients, timeout_ms, on_answered, self);
  return self;
}

void
gmcp_http_drain_free (GmcpHttpDrain *self)
{
  if (self->connections != NULL)
    gmcp_http_connections_wait_until_written (self->connections, NULL, NULL);
  g_source_destroy (self->deadline);
  g_source_unref (self->deadline);
  g_free (self);
}
