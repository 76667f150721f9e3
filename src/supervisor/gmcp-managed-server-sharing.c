/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-later-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-managed-server-parts-private.h"
#include "gmcp-managed-server-sharing-private.h"

/* A process that programs share and that speaks a revision before 2026-07-28 has one log level and one set of roots for
 * all of them, and asks nobody. A program that needs one of these gets a process of its own. */

/* NULL where the process may be any. */
static const char *
find_need (GmcpManagedServer *self)
{
  if (gmcp_server_host_needs_input (gmcp_managed_server_get_host (self)))
    /* Translators: why a program does not share a process with others */
    return _ ("this program has to be asked what the server wants to know, and a server of a "
              "revision before 2026-07-28 that programs share asks nobody");
  return gmcp_client_wishes_get_need (gmcp_managed_server_get_wishes (self));
}

static gboolean
has_wrong_process (GmcpManagedServer *self)
{
  GmcpServerInstance *instance = gmcp_managed_server_get_instance (self);

  return instance != NULL
         && !gmcp_server_sharing_is_enough (gmcp_server_instance_get_sharing (instance))
         && find_need (self) != NULL;
}

/* Calls that are under way in the shared process end there. */
static void
leave_shared_process (gpointer data)
{
  g_autoptr (GmcpManagedServer) self = data;

  if (!has_wrong_process (self) || !gmcp_server_state_is_up (gmcp_managed_server_get_state (self)))
    return;

  gmcp_managed_server_set_apart (self, gmcp_managed_server_get_limits (self)->max_call_timeout_ms);
  gmcp_managed_server_want_start (self);
}

/* In a turn to come: the host is in the middle of a call of its client. */
static void
on_wish (GmcpClient *client, GParamSpec *pspec, gpointer data)
{
  GmcpManagedServer *self = data;

  gmcp_client_wishes_note (gmcp_managed_server_get_wishes (self), client);
  if (has_wrong_process (self))
    gmcp_call_later (gmcp_managed_server_get_context (self), "[gmcp] process of its own",
                     leave_shared_process, g_object_ref (self));
}

void
gmcp_managed_server_prepare_sharing (GmcpManagedServer *self, GmcpServerInstance *instance)
{
  GmcpClient *client = gmcp_server_instance_get_client (instance);
  GmcpServerSharing *sharing = gmcp_server_instance_get_sharing (instance);

  gmcp_server_sharing_keep_own (
    sharing, gmcp_server_life_get_shared_failure (gmcp_managed_server_get_life (self)));
  gmcp_server_sharing_set_need (sharing, find_need (self));
  gmcp_client_wishes_apply (gmcp_managed_server_get_wishes (self), client);
  g_signal_connect (client, "notify::log-level", G_CALLBACK (on_wish), self);
  g_signal_connect (client, "notify::roots", G_CALLBACK (on_wish), self);
}
