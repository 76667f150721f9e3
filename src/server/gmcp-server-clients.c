/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-clients-private.h"

struct _GmcpServerClients
{
  GmcpServer *server; /* not owned */
  GMainContext *context;
  GPtrArray *connections; /* (element-type GmcpServerConnection) (owned) */
  GSource *tools_changed;
};

GmcpServerClients *
gmcp_server_clients_new (GmcpServer *server)
{
  GmcpServerClients *self = g_new0 (GmcpServerClients, 1);

  self->server = server;
  self->context = g_main_context_ref_thread_default ();
  self->connections
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_server_connection_unref);
  return self;
}

void
gmcp_server_clients_close (GmcpServerClients *self)
{
  if (self->tools_changed != NULL)
    {
      g_source_destroy (self->tools_changed);
      g_clear_pointer (&self->tools_changed, g_source_unref);
    }

  while (self->connections->len > 0)
    gmcp_server_clients_remove (self, g_ptr_array_index (self->connections, 0));
}

void
gmcp_server_clients_free (GmcpServerClients *self)
{
  gmcp_server_clients_close (self);
  g_ptr_array_unref (self->connections);
  g_main_context_unref (self->context);
  g_free (self);
}

GmcpServerConnection *
gmcp_server_clients_add (GmcpServerClients *self,
                         GmcpTransport *transport,
                         GmcpServerConnectionFinishedFunc finished,
                         gpointer finished_data)
{
  GmcpServerConnection *connection
    = gmcp_server_connection_new (self->server, transport, finished, finished_data);

  g_ptr_array_add (self->connections, connection);
  return connection;
}

void
gmcp_server_clients_remove (GmcpServerClients *self, GmcpServerConnection *connection)
{
  guint position;

  if (!g_ptr_array_find (self->connections, connection, &position))
    return;

  g_ptr_array_steal_index (self->connections, position);
  gmcp_server_connection_close (connection);
  gmcp_server_connection_unref (connection);
}

static gboolean
tell_tools_changed (gpointer user_data)
{
  GmcpServerClients *self = user_data;
  g_autoptr (GPtrArray) connections = NULL;

  g_clear_pointer (&self->tools_changed, g_source_unref);

  /* Whoever cannot be told is dropped from the list meanwhile. */
  connections = g_ptr_array_copy (self->connections, (GCopyFunc) gmcp_server_connection_ref, NULL);
  for (guint i = 0; i < connections->len; i++)
    gmcp_server_connection_tools_changed (g_ptr_array_index (connections, i));

  return G_SOURCE_REMOVE;
}

void
gmcp_server_clients_tools_changed (GmcpServerClients *self)
{
  if (self->tools_changed != NULL || self->connections->len == 0)
    return;

  self->tools_changed = g_idle_source_new ();
  g_source_set_priority (self->tools_changed, G_PRIORITY_DEFAULT);
  g_source_set_static_name (self->tools_changed, "[gmcp] server tools changed");
  g_source_set_callback (self->tools_changed, tell_tools_changed, self, NULL);
  g_source_attach (self->tools_changed, self->context);
}
