/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"
#include "gmcp-input-request-private.h"
#include "gmcp-managed-server-input-private.h"
#include "gmcp-managed-server-parts-private.h"

/* Questions of a server go to who listens on the managed server, and to the host. Whether anybody listens
 * is looked at when the server is started. */

static gboolean
listens_for_input (gpointer data)
{
  GmcpManagedServer *self = data;

  return gmcp_managed_server_has_input_handler (self)
         || gmcp_server_host_has_input_handler (gmcp_managed_server_get_host (self));
}

/* Says what gmcp-server-instance.c sets up in the client, which asks listens_for_input(). */
GmcpClientAbilities
gmcp_managed_server_get_abilities (GmcpManagedServer *self)
{
  GmcpClientAbilities abilities = GMCP_CLIENT_ABILITY_NONE;

  if (listens_for_input (self))
    {
      abilities |= GMCP_CLIENT_ABILITY_ELICITATION;
      if (gmcp_server_config_get_allow_sampling (gmcp_managed_server_get_config (self)))
        abilities |= GMCP_CLIENT_ABILITY_SAMPLING;
    }
  return abilities;
}

static void
on_input_requested (GmcpClient *client, GmcpInputRequest *request, gpointer data)
{
  g_autoptr (GmcpManagedServer) self = g_object_ref (data);

  gmcp_input_request_set_server_id (request, gmcp_managed_server_get_id (self));
  gmcp_managed_server_emit_input_requested (self, request);
  gmcp_server_host_request_input (gmcp_managed_server_get_host (self), request);
}

void
gmcp_managed_server_watch_input (GmcpManagedServer *self, GmcpClient *client)
{
  gmcp_client_set_listens_func (client, listens_for_input, self);
  g_signal_connect (client, "input-requested", G_CALLBACK (on_input_requested), self);
}

void
gmcp_managed_server_unwatch_input (GmcpManagedServer *self, GmcpClient *client)
{
  gmcp_client_set_listens_func (client, NULL, NULL);
  g_signal_handlers_disconnect_by_func (client, on_input_requested, self);
}
