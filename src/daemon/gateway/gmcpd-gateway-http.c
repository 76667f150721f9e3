/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <gmcp/server/http/gmcp-http-endpoint.h>
#include <gmcp/server/tokens/gmcp-token-request.h>

#include "gmcpd-gateway-http.h"
#include "gmcpd-token-keeper.h"
#include "gmcpd-token.h"

#define TOKEN_NAME "gateway-token"

struct _GmcpdGatewayHttp
{
  GObject parent_instance;

  GmcpdGateways *gateways;
  int port;
  char *role;
  char *address_path;
  gboolean has_keyring;
  char *token;                /* NULL before it is opened */
  GmcpHttpEndpoint *endpoint; /* the same */
};

static void gmcpd_gateway_http_door_init (GmcpdDoorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (GmcpdGatewayHttp,
                               gmcpd_gateway_http,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GMCPD_TYPE_DOOR,
                                                      gmcpd_gateway_http_door_init))

static void
gmcpd_gateway_http_finalize (GObject *object)
{
  GmcpdGatewayHttp *self = GMCPD_GATEWAY_HTTP (object);

  g_clear_object (&self->endpoint);
  g_free (self->token);
  g_free (self->address_path);
  g_free (self->role);
  gmcpd_gateways_unref (self->gateways);

  G_OBJECT_CLASS (gmcpd_gateway_http_parent_class)->finalize (object);
}

static void
gmcpd_gateway_http_class_init (GmcpdGatewayHttpClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_gateway_http_finalize;
}

static void
gmcpd_gateway_http_init (GmcpdGatewayHttp *self)
{
}

GmcpdDoor *
gmcpd_gateway_http_new (GmcpdGateways *gateways,
                        int port,
                        const char *role,
                        const char *address_path,
                        gboolean has_keyring)
{
  GmcpdGatewayHttp *self = g_object_new (GMCPD_TYPE_GATEWAY_HTTP, NULL);

  self->gateways = gmcpd_gateways_ref (gateways);
  self->port = port;
  self->role = g_strdup (role);
  self->address_path = g_strdup (address_path);
  self->has_keyring = has_keyring;
  return GMCPD_DOOR (self);
}

/* The token was made for this address and no other. */
static void
on_verify_token (GmcpHttpEndpoint *endpoint, GmcpTokenRequest *request, GmcpdGatewayHttp *self)
{
  const char *const audience[] = { gmcp_token_request_get_resource (request), NULL };

  if (gmcpd_token_equals (self->token, gmcp_token_request_get_token (request)))
    gmcp_token_request_accept (request, g_get_user_name (), NULL, audience, 0);
  else
    gmcp_token_request_refuse (request);
}

static gboolean
open_endpoint (GmcpdGatewayHttp *self, GError **error)
{
  g_autoptr (GmcpHttpEndpoint) endpoint
    = gmcp_http_endpoint_new (gmcpd_gateways_get_server (self->gateways, self->role, FALSE));
  g_autofree char *address = NULL;

  g_signal_connect_object (endpoint, "verify-token", G_CALLBACK (on_verify_token), self, 0);
  if (!gmcp_http_endpoint_listen (endpoint, (guint16) self->port, error))
    return FALSE;

  address = gmcp_http_endpoint_dup_uri (endpoint);
  if (!g_file_set_contents_full (self->address_path, address, -1, G_FILE_SET_CONTENTS_CONSISTENT,
                                 0600, error))
    return FALSE;
  self->endpoint = g_steal_pointer (&endpoint);
  g_printerr (_ ("gmcpd: the gateway is at %s\n"), address);
  return TRUE;
}

static void
on_token (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GmcpdGatewayHttp *self = g_task_get_source_object (task);
  GError *error = NULL;

  self->token = gmcpd_token_keeper_ensure_finish (result, &error);
  if (self->token != NULL && open_endpoint (self, &error))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  g_prefix_error (&error, "%s: ", _ ("The gateway cannot be opened over HTTP"));
  g_task_return_error (task, error);
}

static void
gmcpd_gateway_http_open_async (GmcpdDoor *door,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task = g_task_new (door, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcpd_gateway_http_open_async);
  if (GMCPD_GATEWAY_HTTP (door)->port < 0)
    {
      g_task_return_boolean (task, TRUE);
      g_object_unref (task);
      return;
    }
  gmcpd_token_keeper_ensure_async (TOKEN_NAME, GMCPD_GATEWAY_HTTP (door)->has_keyring, cancellable,
                                   on_token, task);
}

static gboolean
gmcpd_gateway_http_open_finish (GmcpdDoor *door, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  gmcp_http_endpoint_close_finish (GMCP_HTTP_ENDPOINT (object), result, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
gmcpd_gateway_http_close_async (GmcpdDoor *door,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  GmcpdGatewayHttp *self = GMCPD_GATEWAY_HTTP (door);
  g_autoptr (GTask) task = g_task_new (door, NULL, callback, user_data);

  g_task_set_source_tag (task, gmcpd_gateway_http_close_async);
  if (self->endpoint == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  g_unlink (self->address_path);
  gmcp_http_endpoint_close_async (self->endpoint, cancellable, on_closed, g_steal_pointer (&task));
}

static gboolean
gmcpd_gateway_http_close_finish (GmcpdDoor *door, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
gmcpd_gateway_http_door_init (GmcpdDoorInterface *iface)
{
  iface->open_async = gmcpd_gateway_http_open_async;
  iface->open_finish = gmcpd_gateway_http_open_finish;
  iface->close_async = gmcpd_gateway_http_close_async;
  iface->close_finish = gmcpd_gateway_http_close_finish;
}
