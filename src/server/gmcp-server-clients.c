/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-server-catalog-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-clients-private.h"

struct _GmcpServerClients
{
  GmcpServer *server; /* not owned */
  GMainContext *context;
  GHashTable *connections; /* set of GmcpServerConnection (owned) */
  GmcpByteBudget *held;    /* of requests that run */
  GSource *telling;        /* NULL while there is nothing to be told */
  gboolean changed[GMCP_SERVER_N_SUBJECTS];
  GHashTable *updated; /* address -> set of the users whom it concerns, NULL for all */
};

static void
users_free (gpointer users)
{
  if (users != NULL)
    g_hash_table_unref (users);
}

static GHashTable *
new_updated (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, users_free);
}

/* Clients of whom nobody verified who they are have no name, which no user has. */
static const char *
get_user_key (const char *user)
{
  return user != NULL ? user : "";
}

GmcpServerClients *
gmcp_server_clients_new (GmcpServer *server)
{
  GmcpServerClients *self = g_new0 (GmcpServerClients, 1);

  self->server = server;
  self->context = g_main_context_ref_thread_default ();
  self->connections
    = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) gmcp_server_connection_unref, NULL);
  self->updated = new_updated ();
  self->held = gmcp_byte_budget_new (GMCP_LIMIT_SERVER_HELD_BYTES, NULL);
  return self;
}

void
gmcp_server_clients_close (GmcpServerClients *self)
{
  GHashTableIter iter;
  gpointer connection;

  if (self->telling != NULL)
    {
      g_source_destroy (self->telling);
      g_clear_pointer (&self->telling, g_source_unref);
    }

  while (g_hash_table_iter_init (&iter, self->connections),
         g_hash_table_iter_next (&iter, &connection, NULL))
    gmcp_server_clients_remove (self, connection);
}

void
gmcp_server_clients_free (GmcpServerClients *self)
{
  gmcp_server_clients_close (self);
  g_hash_table_unref (self->connections);
  g_hash_table_unref (self->updated);
  gmcp_byte_budget_unref (self->held);
  g_main_context_unref (self->context);
  g_free (self);
}

GmcpByteBudget *
gmcp_server_clients_get_held (GmcpServerClients *self)
{
  return self->held;
}

GmcpServerConnection *
gmcp_server_clients_add (GmcpServerClients *self,
                         GmcpTransport *transport,
                         GmcpServerConnectionFinishedFunc finished,
                         gpointer finished_data)
{
  GmcpServerConnection *connection;

  /* Not before: a provider may have to start servers for what it lists. */
  gmcp_server_catalog_load (gmcp_server_get_catalog (self->server));
  connection = gmcp_server_connection_new (self->server, transport, finished, finished_data);
  g_hash_table_add (self->connections, connection);
  return connection;
}

void
gmcp_server_clients_remove (GmcpServerClients *self, GmcpServerConnection *connection)
{
  if (!g_hash_table_steal (self->connections, connection))
    return;

  gmcp_server_connection_close (connection);
  gmcp_server_connection_unref (connection);
}

static void
tell_one (GmcpServerConnection *connection, const gboolean *changed, GHashTable *updated)
{
  GHashTableIter iter;
  gpointer uri, users;
  const char *user = get_user_key (gmcp_server_connection_get_user (connection));

  for (guint i = 0; i < GMCP_SERVER_N_SUBJECTS; i++)
    if (changed[i])
      gmcp_server_connection_list_changed (connection, i);

  g_hash_table_iter_init (&iter, updated);
  while (g_hash_table_iter_next (&iter, &uri, &users))
    if (users == NULL || g_hash_table_contains (users, user))
      gmcp_server_connection_resource_updated (connection, uri);
}

static gboolean
tell_all (gpointer user_data)
{
  GmcpServerClients *self = user_data;
  g_autoptr (GHashTable) updated = g_steal_pointer (&self->updated);
  g_autoptr (GPtrArray) connections = NULL;
  gboolean changed[GMCP_SERVER_N_SUBJECTS];
  GHashTableIter iter;
  gpointer connection;

  g_clear_pointer (&self->telling, g_source_unref);
  self->updated = new_updated ();
  memcpy (changed, self->changed, sizeof changed);
  memset (self->changed, 0, sizeof self->changed);

  /* A connection that cannot be told leaves the list meanwhile. */
  connections = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_server_connection_unref);
  g_hash_table_iter_init (&iter, self->connections);
  while (g_hash_table_iter_next (&iter, &connection, NULL))
    g_ptr_array_add (connections, gmcp_server_connection_ref (connection));
  for (guint i = 0; i < connections->len; i++)
    tell_one (g_ptr_array_index (connections, i), changed, updated);

  return G_SOURCE_REMOVE;
}

static void
tell_later (GmcpServerClients *self)
{
  if (self->telling != NULL)
    return;

  self->telling = g_idle_source_new ();
  g_source_set_priority (self->telling, G_PRIORITY_DEFAULT);
  g_source_set_static_name (self->telling, "[gmcp] server changed");
  g_source_set_callback (self->telling, tell_all, self, NULL);
  g_source_attach (self->telling, self->context);
}

void
gmcp_server_clients_list_changed (GmcpServerClients *self, GmcpServerSubject subject)
{
  if (g_hash_table_size (self->connections) == 0)
    return;

  self->changed[subject] = TRUE;
  tell_later (self);
}

void
gmcp_server_clients_resource_updated (GmcpServerClients *self, const char *uri)
{
  if (g_hash_table_size (self->connections) == 0)
    return;

  g_hash_table_insert (self->updated, g_strdup (uri), NULL);
  tell_later (self);
}

void
gmcp_server_clients_resource_updated_for_user (GmcpServerClients *self,
                                               const char *uri,
                                               const char *user)
{
  gpointer users;

  if (g_hash_table_size (self->connections) == 0)
    return;

  if (!g_hash_table_lookup_extended (self->updated, uri, NULL, &users))
    {
      users = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_hash_table_insert (self->updated, g_strdup (uri), users);
    }
  if (users != NULL)
    g_hash_table_add (users, g_strdup (get_user_key (user)));
  tell_later (self);
}
