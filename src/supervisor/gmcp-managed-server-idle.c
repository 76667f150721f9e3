/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-idle-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-parts-private.h"

/* A server that nobody has used for its idle time is stopped. */

void
gmcp_managed_server_stop_idle (gpointer data)
{
  g_autoptr (GmcpManagedServer) self = g_object_ref (GMCP_MANAGED_SERVER (data));

  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                              _ ("Stopping server “%s”: nobody has used it for a while"),
                              gmcp_managed_server_get_title (self));
  gmcp_managed_server_stop_async (self, NULL, NULL, NULL);
}

void
gmcp_managed_server_watch_idle (GmcpManagedServer *self)
{
  gmcp_idle_monitor_start (
    gmcp_managed_server_get_idle_monitor (self), gmcp_managed_server_get_instance (self),
    gmcp_server_config_get_idle_timeout_ms (gmcp_managed_server_get_config (self)));
}

/**
 * gmcp_managed_server_hold:
 * @self: a server
 *
 * Keeps the server from being stopped for being idle, such as for a session of the host's in which it
 * will be needed again. It starts nothing. Each hold is ended by [method@Gmcp.ManagedServer.release].
 *
 * Since: 0.1
 */
void
gmcp_managed_server_hold (GmcpManagedServer *self)
{
  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  if (!gmcp_managed_server_check_thread (self, G_STRFUNC))
    return;

  gmcp_idle_monitor_hold (gmcp_managed_server_get_idle_monitor (self));
}

/**
 * gmcp_managed_server_release:
 * @self: a server
 *
 * Ends what [method@Gmcp.ManagedServer.hold] began.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_release (GmcpManagedServer *self)
{
  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  if (!gmcp_managed_server_check_thread (self, G_STRFUNC))
    return;

  if (!gmcp_idle_monitor_release (gmcp_managed_server_get_idle_monitor (self)))
    g_critical ("%s: released more often than it was held", gmcp_managed_server_get_id (self));
}
