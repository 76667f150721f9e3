/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-socket-clients-private.h"

#include "gmcp-byte-budget-private.h"
#include "gmcp-later-private.h"
#include "gmcp-protocol-private.h"
#include "gmcp-limits.h"
#include "gmcp-server-private.h"
#include "gmcp-socket-users-private.h"
#include "gmcp-stream-transport-private.h"
#include "gmcp-user-places-private.h"

typedef struct
{
  GmcpServerConnection *connection; /* owned by the server */
  gint64 due_us;                    /* when it has to have said something */
  GList link;                       /* in silent */
  guint64 number;                   /* in the order of their coming */
} Client;

/* Of all clients together, a part of it for those of each user. */
typedef struct
{
  GmcpByteBudget *of_all;
  GHashTable *of_users; /* name -> GmcpByteBudget */
} SharedBudget;

struct _GmcpSocketClients
{
  GmcpServer *server;
  const GmcpSocketLimits *limits;
  GMainContext *context;
  GHashTable *clients; /* GmcpServerConnection -> Client (owned) */
  GmcpUserPlaces *places;
  SharedBudget unread;     /* what clients have not read */
  SharedBudget unfinished; /* what has come of messages that are not complete */
  guint64 n_added;
  GQueue silent;     /* of Client, in the order in which they are due */
  GSource *deadline; /* of the first of them; NULL where there is none */
  void (*emptied) (gpointer data);
  gpointer emptied_data;
};

static void
drop_deadline (GmcpSocketClients *self)
{
  if (self->deadline == NULL)
    return;

  g_source_destroy (self->deadline);
  g_clear_pointer (&self->deadline, g_source_unref);
}

/* A client that has been heard is in no list. */
static void
forget_silence (GmcpSocketClients *self, Client *client)
{
  if (client->link.data == NULL)
    return;

  g_queue_unlink (&self->silent, &client->link);
  client->link.data = NULL;
}

static void
tell_emptied (GmcpSocketClients *self)
{
  void (*emptied) (gpointer) = self->emptied;

  self->emptied = NULL;
  if (emptied != NULL)
    emptied (self->emptied_data);
}

static void
remove_client (GmcpSocketClients *self, GmcpServerConnection *connection)
{
  Client *client = g_hash_table_lookup (self->clients, connection);

  forget_silence (self, client);
  gmcp_user_places_leave (self->places, gmcp_server_connection_get_user (connection));
  g_hash_table_remove (self->clients, connection);
  gmcp_server_clients_remove (gmcp_server_get_clients (self->server), connection);
}

static void
on_finished (GmcpServerConnection *connection, gpointer data)
{
  GmcpSocketClients *self = data;

  remove_client (self, connection);
  if (g_hash_table_size (self->clients) == 0)
    tell_emptied (self);
}

static void set_deadline (GmcpSocketClients *self);

static gboolean
on_deadline (gpointer user_data)
{
  GmcpSocketClients *self = user_data;
  gint64 now_us = g_get_monotonic_time ();
  Client *client;

  while ((client = g_queue_peek_head (&self->silent)) != NULL
         && (client->due_us <= now_us || gmcp_server_connection_was_heard (client->connection)))
    {
      forget_silence (self, client);
      if (!gmcp_server_connection_was_heard (client->connection))
        gmcp_server_connection_finish (client->connection);
    }

  drop_deadline (self);
  set_deadline (self);
  return G_SOURCE_REMOVE;
}

static void
set_deadline (GmcpSocketClients *self)
{
  Client *first = g_queue_peek_head (&self->silent);

  if (first == NULL)
    return;
  if (self->deadline == NULL)
    {
      self->deadline = g_timeout_source_new (0);
      g_source_set_static_name (self->deadline, "[gmcp] silent client");
      g_source_set_callback (self->deadline, on_deadline, self, NULL);
      g_source_attach (self->deadline, self->context);
    }
  g_source_set_ready_time (self->deadline, first->due_us);
}

/* Each comes behind those that are due before it: the last, unless the limit was changed meanwhile. */
static void
expect_message (GmcpSocketClients *self, Client *client)
{
  GList *before = self->silent.tail;

  client->due_us = g_get_monotonic_time () + self->limits->silence_ms * G_TIME_SPAN_MILLISECOND;
  while (before != NULL && ((const Client *) before->data)->due_us > client->due_us)
    before = before->prev;
  client->link.data = client;
  g_queue_insert_after_link (&self->silent, before, &client->link);
  set_deadline (self);
}

void
gmcp_socket_clients_refuse (GSocket *connection, const char *reason)
{
  GString *out = g_string_new (NULL);

  /* What does not fit into the buffers of the system is not waited for. */
  gmcp_rpc_write_error (out, GMCP_JSON_NONE, GMCP_RPC_ERROR_INTERNAL, reason, NULL);
  g_string_append_c (out, '\n');
  g_socket_set_blocking (connection, FALSE);
  g_socket_send (connection, out->str, out->len, NULL, NULL);
  g_string_free (out, TRUE);
  g_socket_close (connection, NULL);
}

static void
shared_budget_init (SharedBudget *self, gsize max_bytes)
{
  self->of_all = gmcp_byte_budget_new (max_bytes, NULL);
  self->of_users = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) gmcp_byte_budget_unref);
}

static void
shared_budget_clear (SharedBudget *self)
{
  g_hash_table_unref (self->of_users);
  gmcp_byte_budget_unref (self->of_all);
}

/* No user takes so much that nothing is left for others. There are no more users than the endpoint lets in. */
static GmcpByteBudget *
find_budget (SharedBudget *self, const char *user, gsize max_bytes)
{
  const char *name = user != NULL ? user : "";
  GmcpByteBudget *found = g_hash_table_lookup (self->of_users, name);

  if (found == NULL)
    {
      found = gmcp_byte_budget_new (max_bytes, self->of_all);
      g_hash_table_insert (self->of_users, g_strdup (name), found);
    }
  gmcp_byte_budget_set_max (self->of_all, max_bytes);
  gmcp_byte_budget_set_max (found, max_bytes - max_bytes / GMCP_SHARE_OF_OTHERS);
  return found;
}

static GmcpTransport *
make_transport (GmcpSocketClients *self, GSocket *connection, const char *user)
{
  g_autoptr (GSocketConnection) stream = g_socket_connection_factory_create_connection (connection);
  GmcpStreamTransport *transport = gmcp_stream_transport_new (G_IO_STREAM (stream));
  gsize max_bytes = self->limits->max_unread_bytes;
  GmcpOutputLimits output = {
    .max_bytes = (gsize) self->limits->max_queued_bytes,
    .budget = find_budget (&self->unread, user, max_bytes),
    .patience_ms = self->limits->unread_ms,
  };

  gmcp_stream_transport_set_output_limits (transport, &output);
  gmcp_stream_transport_set_input_budget (transport,
                                          find_budget (&self->unfinished, user, max_bytes));
  gmcp_transport_set_max_message_bytes (GMCP_TRANSPORT (transport),
                                        self->limits->max_message_bytes);
  return GMCP_TRANSPORT (transport);
}

/* Whoever has the most loses the connection that came last; one that is being closed makes room for nobody else. */
static gboolean
make_room (GmcpSocketClients *self, const char *user)
{
  GmcpPlaceGiver giver = gmcp_user_places_find_giver (self->places, user);
  Client *last = NULL;
  GHashTableIter iter;
  gpointer value;

  if (!giver.gives_used)
    return FALSE;

  g_hash_table_iter_init (&iter, self->clients);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Client *client = value;

      if ((last == NULL || client->number > last->number)
          && !gmcp_server_connection_is_closed (client->connection)
          && gmcp_user_places_is_giver (self->places, &giver,
                                        gmcp_server_connection_get_user (client->connection), user))
        last = client;
    }
  if (last == NULL)
    return FALSE;

  gmcp_server_connection_finish (last->connection);
  return TRUE;
}

void
gmcp_socket_clients_add (GmcpSocketClients *self, GSocket *connection, const char *user)
{
  g_autoptr (GmcpTransport) transport = NULL;
  g_autofree char *program = NULL;
  Client *client;

  if (g_hash_table_size (self->clients) >= self->limits->max_clients && !make_room (self, user))
    {
      gmcp_socket_clients_refuse (connection,
                                  "Too many clients are connected to this server; try again later");
      return;
    }

  transport = make_transport (self, connection, user);
  client = g_new0 (Client, 1);
  client->number = self->n_added++;
  client->connection = gmcp_server_clients_add (gmcp_server_get_clients (self->server), transport,
                                                on_finished, self);
  program = gmcp_socket_dup_program (connection);
  gmcp_server_connection_set_user (client->connection, user);
  gmcp_user_places_take (self->places, user);
  gmcp_server_connection_set_program (client->connection, program);
  gmcp_server_connection_set_strict (client->connection);
  g_hash_table_insert (self->clients, client->connection, client);
  expect_message (self, client);
}

guint
gmcp_socket_clients_get_n (GmcpSocketClients *self)
{
  return g_hash_table_size (self->clients);
}

void
gmcp_socket_clients_drain (GmcpSocketClients *self, void (*emptied) (gpointer data), gpointer data)
{
  g_autoptr (GList) connections = g_hash_table_get_keys (self->clients);

  self->emptied = emptied;
  self->emptied_data = data;
  for (GList *each = connections; each != NULL; each = each->next)
    gmcp_server_connection_drain (each->data, self->limits->close_ms);
  if (g_hash_table_size (self->clients) == 0)
    tell_emptied (self);
}

GmcpSocketClients *
gmcp_socket_clients_new (GmcpServer *server, const GmcpSocketLimits *limits)
{
  GmcpSocketClients *self = g_new0 (GmcpSocketClients, 1);

  self->server = g_object_ref (server);
  self->limits = limits;
  self->context = g_main_context_ref_thread_default ();
  self->clients = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->places = gmcp_user_places_new ();
  shared_budget_init (&self->unread, limits->max_unread_bytes);
  shared_budget_init (&self->unfinished, limits->max_unread_bytes);
  return self;
}

void
gmcp_socket_clients_free (GmcpSocketClients *self)
{
  GHashTableIter iter;
  gpointer connection;

  drop_deadline (self);
  while (g_hash_table_iter_init (&iter, self->clients),
         g_hash_table_iter_next (&iter, &connection, NULL))
    remove_client (self, connection);
  tell_emptied (self);
  g_hash_table_unref (self->clients);
  gmcp_user_places_free (self->places);
  shared_budget_clear (&self->unread);
  shared_budget_clear (&self->unfinished);
  g_main_context_unref (self->context);
  g_object_unref (self->server);
  g_free (self);
}
