/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/server/socket/gmcp-socket-endpoint.h>

#include "gmcpd-gateway-door.h"

#define SEARCH_SUFFIX ".search"

struct _GmcpdGatewayDoor
{
  GObject parent_instance;

  GmcpdGateways *gateways;
  char *path;
  GSocket *socket;       /* nullable */
  GHashTable *endpoints; /* path -> GmcpSocketEndpoint: those that listen */
  gboolean is_open;
};

static void gmcpd_gateway_door_door_init (GmcpdDoorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpdGatewayDoor,
                               gmcpd_gateway_door,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCPD_TYPE_DOOR,
                                                      gmcpd_gateway_door_door_init))

static void
stop_following (GmcpdGatewayDoor *self)
{
  g_signal_handlers_disconnect_by_data (gmcpd_gateways_get_manager (self->gateways), self);
  self->is_open = FALSE;
}

static void
gmcpd_gateway_door_finalize (GObject *object)
{
  GmcpdGatewayDoor *self = GMCPD_GATEWAY_DOOR (object);

  stop_following (self);
  g_hash_table_unref (self->endpoints);
  g_clear_object (&self->socket);
  g_free (self->path);
  gmcpd_gateways_unref (self->gateways);

  G_OBJECT_CLASS (gmcpd_gateway_door_parent_class)->finalize (object);
}

static void
gmcpd_gateway_door_class_init (GmcpdGatewayDoorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_gateway_door_finalize;
}

static void
close_endpoint (gpointer endpoint)
{
  gmcp_socket_endpoint_close (endpoint);
  g_object_unref (endpoint);
}

static void
gmcpd_gateway_door_init (GmcpdGatewayDoor *self)
{
  self->endpoints = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, close_endpoint);
}

GmcpdDoor *
gmcpd_gateway_door_new (GmcpdGateways *gateways, const char *path, GSocket *socket)
{
  GmcpdGatewayDoor *self = g_object_new (GMCPD_TYPE_GATEWAY_DOOR, NULL);

  self->gateways = gmcpd_gateways_ref (gateways);
  self->path = g_strdup (path);
  self->socket = socket != NULL ? g_object_ref (socket) : NULL;
  return GMCPD_DOOR (self);
}

/* The sockets */

static gboolean
open_endpoint (GmcpdGatewayDoor *self,
               const char *path,
               const char *role,
               gboolean search,
               GSocket *socket,
               GError **error)
{
  GmcpServer *server = gmcpd_gateways_get_server (self->gateways, role, search);
  g_autoptr (GmcpSocketEndpoint) endpoint = gmcp_socket_endpoint_new (server);

  if (socket != NULL ? !gmcp_socket_endpoint_listen_socket (endpoint, socket, error)
                     : !gmcp_socket_endpoint_listen (endpoint, path, error))
    return FALSE;

  g_hash_table_insert (self->endpoints, g_strdup (path), g_steal_pointer (&endpoint));
  return TRUE;
}

static char *
make_path (GmcpdGatewayDoor *self, const char *role, gboolean search)
{
  return g_strconcat (self->path, role != NULL ? "-" : "", role != NULL ? role : "",
                      search ? SEARCH_SUFFIX : "", NULL);
}

/* A role's sockets are no reason to end where they cannot be made. */
static void
open_missing (GmcpdGatewayDoor *self, const char *role, gboolean search, GHashTable *wanted)
{
  g_autofree char *path = make_path (self, role, search);
  g_autoptr (GError) error = NULL;

  if (!g_hash_table_contains (self->endpoints, path)
      && !open_endpoint (self, path, role, search, NULL, &error))
    g_printerr ("gmcpd: %s\n", error->message);
  g_hash_table_add (wanted, g_steal_pointer (&path));
}

static gboolean
is_unwanted (gpointer path, gpointer endpoint, gpointer wanted)
{
  return !g_hash_table_contains (wanted, path);
}

/* There may be other roles than before. A role that is gone allows nothing, so that its clients lose nothing. */
static void
follow_roles (GmcpdGatewayDoor *self)
{
  g_auto (GStrv) roles = gmcpd_gateways_list_roles (self->gateways);
  g_autoptr (GHashTable) wanted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; roles[i] != NULL; i++)
    {
      open_missing (self, roles[i], FALSE, wanted);
      open_missing (self, roles[i], TRUE, wanted);
    }
  g_hash_table_add (wanted, make_path (self, NULL, FALSE));
  g_hash_table_add (wanted, make_path (self, NULL, TRUE));
  g_hash_table_foreach_remove (self->endpoints, is_unwanted, wanted);
}

static void
gmcpd_gateway_door_open_async (GmcpdDoor *door,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GmcpdGatewayDoor *self = GMCPD_GATEWAY_DOOR (door);
  g_autoptr (GTask) task = g_task_new (door, cancellable, callback, user_data);
  g_autofree char *search_path = make_path (self, NULL, TRUE);
  GError *error = NULL;

  g_task_set_source_tag (task, gmcpd_gateway_door_open_async);
  if (!open_endpoint (self, self->path, NULL, FALSE, self->socket, &error)
      || !open_endpoint (self, search_path, NULL, TRUE, NULL, &error))
    {
      g_hash_table_remove_all (self->endpoints);
      g_task_return_error (task, error);
      return;
    }

  self->is_open = TRUE;
  g_signal_connect_swapped (gmcpd_gateways_get_manager (self->gateways), "rules-changed",
                            G_CALLBACK (follow_roles), self);
  follow_roles (self);
  g_task_return_boolean (task, TRUE);
}

static gboolean
gmcpd_gateway_door_open_finish (GmcpdDoor *door, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Closing. The task's data is the number of those that are still open. */

static void
count_closed (GTask *task)
{
  guint n_open = GPOINTER_TO_UINT (g_task_get_task_data (task)) - 1;

  g_task_set_task_data (task, GUINT_TO_POINTER (n_open), NULL);
  if (n_open == 0)
    g_task_return_boolean (task, TRUE);
}

static void
on_endpoint_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  gmcp_socket_endpoint_close_finish (GMCP_SOCKET_ENDPOINT (object), result, NULL);
  count_closed (task);
}

static void
gmcpd_gateway_door_close_async (GmcpdDoor *door,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  GmcpdGatewayDoor *self = GMCPD_GATEWAY_DOOR (door);
  g_autoptr (GTask) task = g_task_new (door, NULL, callback, user_data);
  GHashTableIter iter;
  gpointer endpoint;

  g_task_set_source_tag (task, gmcpd_gateway_door_close_async);
  stop_following (self);
  g_task_set_task_data (task, GUINT_TO_POINTER (g_hash_table_size (self->endpoints) + 1), NULL);
  g_hash_table_iter_init (&iter, self->endpoints);
  while (g_hash_table_iter_next (&iter, NULL, &endpoint))
    gmcp_socket_endpoint_close_async (endpoint, cancellable, on_endpoint_closed,
                                      g_object_ref (task));
  count_closed (task);
}

static gboolean
gmcpd_gateway_door_close_finish (GmcpdDoor *door, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
gmcpd_gateway_door_door_init (GmcpdDoorInterface *iface)
{
  iface->open_async = gmcpd_gateway_door_open_async;
  iface->open_finish = gmcpd_gateway_door_open_finish;
  iface->close_async = gmcpd_gateway_door_close_async;
  iface->close_finish = gmcpd_gateway_door_close_finish;
}
