/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-sessions-private.h"

#include "gmcp-limits.h"
#include "gmcp-user-places-private.h"

#define SWEEP_MS 1000u

struct _GmcpHttpSessions
{
  GmcpServerClients *clients; /* not owned */
  GHashTable *sessions;       /* id -> GmcpHttpServedSession */
  GmcpUserPlaces *places;     /* of these */
  GHashTable
    *connections; /* set of GmcpServerConnection, of sessions that have ended too; not owned */
  void (*emptied) (gpointer data); /* nullable */
  gpointer emptied_data;
  GmcpByteBudget *kept; /* for events that are kept for clients which come back */
  GSource *sweep;       /* while there are sessions */
  guint idle_ms;
};

GmcpHttpSessions *
gmcp_http_sessions_new (GmcpServerClients *clients)
{
  GmcpHttpSessions *self = g_new0 (GmcpHttpSessions, 1);

  self->clients = clients;
  self->sessions = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  self->places = gmcp_user_places_new ();
  self->connections = g_hash_table_new (NULL, NULL);
  self->kept = gmcp_byte_budget_new (GMCP_LIMIT_HTTP_KEPT_BYTES, NULL);
  return self;
}

GmcpByteBudget *
gmcp_http_sessions_get_kept (GmcpHttpSessions *self)
{
  return self->kept;
}

static void
stop_sweeping (GmcpHttpSessions *self)
{
  if (self->sweep == NULL)
    return;

  g_source_destroy (self->sweep);
  g_clear_pointer (&self->sweep, g_source_unref);
}

void
gmcp_http_sessions_free (GmcpHttpSessions *self)
{
  GHashTableIter iter;
  gpointer session;
  gpointer connection;

  self->emptied = NULL;
  while (g_hash_table_iter_init (&iter, self->sessions),
         g_hash_table_iter_next (&iter, NULL, &session))
    gmcp_http_sessions_end (self, session);
  while (g_hash_table_iter_init (&iter, self->connections),
         g_hash_table_iter_next (&iter, &connection, NULL))
    {
      g_hash_table_iter_remove (&iter);
      gmcp_server_clients_remove (self->clients, connection);
    }
  stop_sweeping (self);
  g_hash_table_unref (self->sessions);
  gmcp_user_places_free (self->places);
  g_hash_table_unref (self->connections);
  gmcp_byte_budget_unref (self->kept);
  g_free (self);
}

GmcpHttpServedSession *
gmcp_http_sessions_find (GmcpHttpSessions *self, const char *id, const char *user)
{
  GmcpHttpServedSession *session = g_hash_table_lookup (self->sessions, id);

  /* The id of a session proves nothing of who uses it. */
  if (session != NULL && g_strcmp0 (gmcp_http_served_session_get_user (session), user) != 0)
    return NULL;
  return session;
}

void
gmcp_http_sessions_end (GmcpHttpSessions *self, GmcpHttpServedSession *session)
{
  g_autoptr (GmcpHttpServedSession) alive = g_object_ref (session);

  if (g_hash_table_remove (self->sessions, gmcp_http_served_session_get_id (session)))
    gmcp_user_places_leave (self->places, gmcp_http_served_session_get_user (session));
  gmcp_http_served_session_end (alive);
  if (g_hash_table_size (self->sessions) == 0)
    stop_sweeping (self);
}

static gboolean
sweep_sessions (gpointer data)
{
  GmcpHttpSessions *self = data;
  g_autoptr (GPtrArray) idle = g_ptr_array_new ();
  gint64 limit_us = g_get_monotonic_time () - self->idle_ms * (gint64) 1000;
  GHashTableIter iter;
  gpointer session;

  g_hash_table_iter_init (&iter, self->sessions);
  while (g_hash_table_iter_next (&iter, NULL, &session))
    if (gmcp_http_served_session_get_used_us (session) < limit_us)
      g_ptr_array_add (idle, session);
  for (guint i = 0; i < idle->len; i++)
    gmcp_http_sessions_end (self, g_ptr_array_index (idle, i));
  return G_SOURCE_CONTINUE;
}

/* What has been without use for longest makes room, of whoever has the most. FALSE where all of it is in use, and the user
 * would have more than they. */
static gboolean
make_room (GmcpHttpSessions *self, const char *user)
{
  GmcpPlaceGiver giver = gmcp_user_places_find_giver (self->places, user);
  gint64 now_us = g_get_monotonic_time ();
  GmcpHttpServedSession *oldest = NULL;
  gint64 oldest_us = G_MAXINT64;
  GHashTableIter iter;
  gpointer session;

  g_hash_table_iter_init (&iter, self->sessions);
  while (g_hash_table_iter_next (&iter, NULL, &session))
    {
      gint64 used_us = gmcp_http_served_session_get_used_us (session);

      if (used_us < oldest_us && (used_us < now_us || giver.gives_used)
          && gmcp_user_places_is_giver (self->places, &giver,
                                        gmcp_http_served_session_get_user (session), user))
        {
          oldest = session;
          oldest_us = used_us;
        }
    }
  if (oldest == NULL)
    return FALSE;

  gmcp_http_sessions_end (self, oldest);
  return TRUE;
}

static void
check_emptied (GmcpHttpSessions *self)
{
  void (*emptied) (gpointer data) = self->emptied;

  if (emptied == NULL || g_hash_table_size (self->connections) > 0)
    return;

  self->emptied = NULL;
  emptied (self->emptied_data);
}

static void
on_finished (GmcpServerConnection *connection, gpointer data)
{
  GmcpHttpSessions *self = data;

  g_hash_table_remove (self->connections, connection);
  gmcp_server_clients_remove (self->clients, connection);
  check_emptied (self);
}

void
gmcp_http_sessions_drain (GmcpHttpSessions *self,
                          guint timeout_ms,
                          void (*emptied) (gpointer data),
                          gpointer data)
{
  g_autoptr (GList) connections = g_hash_table_get_keys (self->connections);

  self->emptied = emptied;
  self->emptied_data = data;
  for (GList *each = connections; each != NULL; each = each->next)
    gmcp_server_connection_drain (each->data, timeout_ms);
  check_emptied (self);
}

guint
gmcp_http_sessions_get_n_open (GmcpHttpSessions *self)
{
  return g_hash_table_size (self->connections);
}

GmcpHttpServedSession *
gmcp_http_sessions_begin (GmcpHttpSessions *self,
                          const GmcpHttpSettings *settings,
                          const char *user,
                          const char *name)
{
  GmcpHttpServedSession *session;
  GmcpServerConnection *connection;

  if (g_hash_table_size (self->sessions) >= settings->max_sessions && !make_room (self, user))
    return NULL;

  session = gmcp_http_served_session_new (self->kept, settings->keep_alive_ms,
                                          settings->max_session_streams, user);
  g_hash_table_insert (self->sessions, (gpointer) gmcp_http_served_session_get_id (session),
                       session);
  gmcp_user_places_take (self->places, user);
  connection = gmcp_server_clients_add (self->clients, GMCP_TRANSPORT (session), on_finished, self);
  gmcp_server_connection_set_user (connection, user);
  gmcp_server_connection_set_program (connection, name);
  g_hash_table_add (self->connections, connection);
  self->idle_ms = settings->session_idle_ms;
  if (self->sweep == NULL)
    {
      self->sweep = g_timeout_source_new (SWEEP_MS);
      g_source_set_static_name (self->sweep, "[gmcp] idle sessions");
      g_source_set_callback (self->sweep, sweep_sessions, self, NULL);
      g_source_attach (self->sweep, gmcp_transport_get_context (GMCP_TRANSPORT (session)));
    }
  return session;
}
