/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-policy-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-server-failures-private.h"

/* Servers that are not listed: those that are awaited, and why others failed, over all runs. */

static GStrv
list_awaited (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GPtrArray *ids = g_ptr_array_new ();

  for (guint i = 0; i < gmcp_server_table_get_length (priv->servers); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (priv->servers, i);

      if (gmcp_managed_server_is_awaited (server) && gmcp_manager_includes_server (self, server))
        g_ptr_array_add (ids, g_strdup (gmcp_managed_server_get_id (server)));
    }

  g_ptr_array_add (ids, NULL);
  return (GStrv) g_ptr_array_free (ids, FALSE);
}

void
gmcp_manager_refresh_awaited (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_auto (GStrv) awaited = list_awaited (self);

  if (priv->disposing
      || g_strv_equal ((const char *const *) awaited, (const char *const *) priv->awaited))
    return;

  g_strfreev (priv->awaited);
  priv->awaited = g_steal_pointer (&awaited);
  g_object_notify (G_OBJECT (self), "awaited-servers");
}

/**
 * gmcp_manager_dup_awaited_servers: (get-property awaited-servers)
 * @self: a manager
 *
 * Says which servers the list of tools may still grow by: those that start, or are started again, and
 * whose tools were never listed with their present configuration.
 *
 * Returns: (transfer full): ids of servers, in the order of the configuration
 *
 * Since: 0.1
 */
GStrv
gmcp_manager_dup_awaited_servers (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return g_strdupv (gmcp_manager_get_private (self)->awaited);
}

/* What an earlier run left is known already, and is not kept once more. */
static void
on_failure_changed (GmcpManagedServer *server, GParamSpec *pspec, gpointer data)
{
  GmcpManager *self = data;
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpFailureChange *change
    = gmcp_server_failures_change (priv->failures, gmcp_managed_server_get_config (server),
                                   gmcp_managed_server_peek_failure (server));

  if (change != NULL)
    gmcp_state_store_keep (gmcp_manager_get_state_store (self), GMCP_SERVER_FAILURES_FILE,
                           gmcp_server_failures_write, change, gmcp_failure_change_free);
}

void
gmcp_manager_watch_server (GmcpManager *self, GmcpManagedServer *server)
{
  g_signal_connect (server, "notify::last-failure", G_CALLBACK (on_failure_changed), self);
  g_signal_connect_swapped (server, "notify::awaited", G_CALLBACK (gmcp_manager_refresh_awaited),
                            self);
}

void
gmcp_manager_recall_failures (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (priv->servers);

  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      gmcp_managed_server_recall_failure (
        server,
        gmcp_server_failures_find (priv->failures, gmcp_managed_server_get_config (server)));
    }
}

void
gmcp_manager_take_failures (GmcpManager *self, GBytes *bytes)
{
  gmcp_server_failures_take (gmcp_manager_get_private (self)->failures, bytes);
  gmcp_manager_recall_failures (self);
}
