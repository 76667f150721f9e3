/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-offer-private.h"

#include <gmcp/server/socket/gmcp-socket-endpoint.h>

#include "gmcp-gateway-struct-private.h"
#include "gmcp-socket-path-private.h"

struct _GmcpServerOffer
{
  GmcpManager *manager; /* not owned: it is kept by the share point */
  char *id;
  char *key;
  GmcpSocketPath *path; /* NULL once it is closed */
  GSocket *socket;
  GSource *first;               /* until somebody connects */
  GmcpSocketEndpoint *endpoint; /* from then on */
};

static void
stop_waiting (GmcpServerOffer *self)
{
  if (self->first != NULL)
    g_source_destroy (self->first);
  g_clear_pointer (&self->first, g_source_unref);
}

/* Who calls has a manager of its own, which asks before it calls. */
static void
serve_clients (GmcpServerOffer *self)
{
  g_autoptr (GmcpGateway) gateway
    = g_object_new (GMCP_TYPE_GATEWAY, "manager", self->manager, "server-id", self->id, NULL);
  g_autoptr (GmcpServer) server = NULL;
  g_autoptr (GError) error = NULL;

  gateway->clients_ask = TRUE;
  server = gmcp_server_new (self->id, GMCP_VERSION, GMCP_TOOL_PROVIDER (gateway));
  g_object_set (server, "list-ttl-ms", 0u, "lists-tasks", FALSE, NULL);
  self->endpoint = gmcp_socket_endpoint_new (server);
  if (!gmcp_socket_endpoint_listen_socket (self->endpoint, self->socket, &error))
    g_info ("%s: %s", self->id, error->message);
}

static void
on_connecting (gpointer data)
{
  GmcpServerOffer *self = data;

  stop_waiting (self);
  serve_clients (self);
}

GmcpServerOffer *
gmcp_server_offer_new (GmcpManager *manager,
                       const char *server_id,
                       const char *folder,
                       const char *key,
                       GError **error)
{
  g_autofree char *path = g_build_filename (folder, key, NULL);
  g_autoptr (GSocket) socket = NULL;
  GmcpSocketPath *file = gmcp_socket_path_new (path, FALSE, &socket, error);
  GmcpServerOffer *self;

  if (file == NULL)
    return NULL;

  self = g_new0 (GmcpServerOffer, 1);
  self->manager = manager;
  self->id = g_strdup (server_id);
  self->key = g_strdup (key);
  self->path = file;
  self->socket = g_steal_pointer (&socket);
  self->first = gmcp_socket_watch_first (self->socket, on_connecting, self);
  return self;
}

void
gmcp_server_offer_free (GmcpServerOffer *self)
{
  stop_waiting (self);
  if (self->endpoint != NULL)
    gmcp_socket_endpoint_close (self->endpoint);
  g_clear_object (&self->endpoint);
  g_clear_pointer (&self->path, gmcp_socket_path_free);
  g_object_unref (self->socket);
  g_free (self->id);
  g_free (self->key);
  g_free (self);
}

const char *
gmcp_server_offer_get_key (GmcpServerOffer *self)
{
  return self->key;
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;

  gmcp_socket_endpoint_close_finish (GMCP_SOCKET_ENDPOINT (object), result, NULL);
  g_task_return_boolean (task, TRUE);
}

void
gmcp_server_offer_close_async (GmcpServerOffer *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, gmcp_server_offer_close_async);
  stop_waiting (self);
  g_clear_pointer (&self->path, gmcp_socket_path_free);
  if (self->endpoint != NULL)
    gmcp_socket_endpoint_close_async (self->endpoint, cancellable, on_closed, g_object_ref (task));
  else
    g_task_return_boolean (task, TRUE);
}
