/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-host-private.h"
#include "gmcp-manager-parts-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-manager-preflight-private.h"
#include "gmcp-pending-tasks-private.h"
#include "gmcp-unlisted-servers-private.h"

static void
on_notice (GmcpManagedServer *server, GmcpNoticeLevel level, const char *message, gpointer data)
{
  GmcpManager *self = data;

  if (!gmcp_manager_get_private (self)->disposing)
    gmcp_manager_forward_notice (self, gmcp_managed_server_get_id (server), level, message);
}

static GmcpManagedServer *
make_server (GmcpServerConfig *config, gpointer data)
{
  GmcpManager *self = data;
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpManagedServer *server;

  g_main_context_push_thread_default (priv->context);
  server = gmcp_managed_server_new (config,
                                    &gmcp_effective_settings_peek_limits (priv->settings)->servers);
  g_main_context_pop_thread_default (priv->context);
  gmcp_manager_host_server (self, server);
  gmcp_managed_server_take_log (server,
                                gmcp_server_log_new (gmcp_server_config_get_id (config),
                                                     gmcp_auditor_get_book (priv->auditor)));
  gmcp_managed_server_set_cache (server, priv->cache);
  gmcp_managed_server_set_client_name (server, priv->host);
  gmcp_tool_catalog_add_server (priv->catalog, server);
  gmcp_unlisted_servers_watch (priv->unlisted, server);
  return server;
}

static void
on_server_left (GmcpManagedServer *server, gpointer data)
{
  gmcp_unlisted_servers_unwatch (gmcp_manager_get_private (data)->unlisted, server);
  gmcp_tool_catalog_remove_server (gmcp_manager_get_catalog (data), server);
}

static void
on_items_changed (guint position, guint n_removed, guint n_added, gpointer data)
{
  if (!gmcp_manager_get_private (data)->disposing)
    g_list_model_items_changed (data, position, n_removed, n_added);
}

void
gmcp_manager_settle_closers (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (priv->closed && !gmcp_server_table_has_leaving (priv->servers)
      && !gmcp_state_store_is_keeping (priv->state))
    gmcp_pending_tasks_settle (&priv->closers, NULL);
}

static void
on_all_gone (gpointer data)
{
  gmcp_manager_settle_closers (data);
}

GmcpServerTable *
gmcp_manager_make_server_table (GmcpManager *self)
{
  static const GmcpServerTableHooks hooks = {
    .make_server = make_server,
    .server_left = on_server_left,
    .items_changed = on_items_changed,
    .notice = on_notice,
    .all_gone = on_all_gone,
  };

  return gmcp_server_table_new (&hooks, self);
}

static gboolean
is_included (GmcpManagedServer *server, gpointer data)
{
  return gmcp_manager_includes_server (data, server);
}

static void
on_awaited_changed (gpointer data)
{
  if (!gmcp_manager_get_private (data)->disposing)
    g_object_notify (data, "awaited-server-ids");
}

GmcpUnlistedServers *
gmcp_manager_make_unlisted_servers (GmcpManager *self)
{
  static const GmcpUnlistedServersHooks hooks = { is_included, on_awaited_changed };
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  return gmcp_unlisted_servers_new (priv->servers, priv->state, &hooks, self);
}

/**
 * gmcp_manager_dup_awaited_server_ids: (get-property awaited-server-ids)
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
gmcp_manager_dup_awaited_server_ids (GmcpManager *self)
{
  GmcpUnlistedServers *unlisted;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  unlisted = gmcp_manager_get_private (self)->unlisted;
  return g_strdupv ((char **) gmcp_unlisted_servers_get_awaited (unlisted));
}

gboolean
gmcp_manager_want_tools (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (priv->wanted)
    return FALSE;

  priv->wanted = TRUE;
  return TRUE;
}

void
gmcp_manager_start_wanted (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (priv->servers);

  for (guint i = 0; priv->wanted && i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (gmcp_manager_includes_server (self, server) && gmcp_managed_server_is_due (server))
        gmcp_managed_server_refresh_async (server, NULL, NULL, NULL);
    }
}

void
gmcp_manager_set_configs (GmcpManager *self, GPtrArray *configs)
{
  g_autoptr (GmcpManager) alive G_GNUC_UNUSED = g_object_ref (self);
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  gmcp_manager_learn_secrets (self, configs);
  gmcp_tool_catalog_hold (priv->catalog);
  gmcp_server_table_set_configs (priv->servers, configs);
  gmcp_unlisted_servers_recall_failures (priv->unlisted);
  gmcp_unlisted_servers_refresh (priv->unlisted);
  /* A server may be trusted now, or not any more, and its configuration leave other ones of its tools. */
  gmcp_tool_catalog_refresh_rules (priv->catalog);
  gmcp_tool_catalog_refresh_instructions (priv->catalog);
  gmcp_tool_catalog_release (priv->catalog);
  gmcp_manager_start_wanted (self);
  gmcp_manager_look_for_node (self, NULL, NULL);
}

void
gmcp_manager_drop_servers (GmcpManager *self, const GError *reason)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  gmcp_approvals_drop_questions (priv->approvals, reason);
  gmcp_tool_catalog_hold (priv->catalog);
  gmcp_server_table_clear (priv->servers, reason);
  gmcp_unlisted_servers_refresh (priv->unlisted);
  gmcp_tool_catalog_release (priv->catalog);
}

/**
 * gmcp_manager_get_server:
 * @self: a manager
 * @server_id: a server's id
 *
 * Finds a configured server.
 *
 * Returns: (transfer none) (nullable): the server, or %NULL where none of that id is configured
 *
 * Since: 0.1
 */
GmcpManagedServer *
gmcp_manager_get_server (GmcpManager *self, const char *server_id)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (server_id != NULL, NULL);

  return gmcp_server_table_find (gmcp_manager_get_private (self)->servers, server_id);
}

/**
 * gmcp_manager_close_async:
 * @self: a manager
 * @cancellable: (nullable): a cancellable; it ends the waiting, not the closing
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Stops all servers side by side and waits until their processes are gone, which takes a few seconds
 * at most. Calls under way fail with %GMCP_ERROR_CLOSED, and so does what is asked of the manager
 * from now on.
 *
 * A manager that is dropped without it stops its servers too, but nobody can wait for that.
 *
 * Since: 0.1
 */
void
gmcp_manager_close_async (GmcpManager *self,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GmcpManagerPrivate *priv;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) reason = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  priv = gmcp_manager_get_private (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_close_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (!priv->closed)
    {
      priv->closed = TRUE;
      gmcp_state_store_close (priv->state);
      reason = gmcp_manager_closed_error ();
      gmcp_manager_drop_config (self);
      gmcp_manager_drop_servers (self, reason);
    }

  /* Last: a server that does not run is gone before the next one begins to leave. */
  gmcp_pending_tasks_add (&priv->closers, task);
  gmcp_manager_settle_closers (self);
}

/**
 * gmcp_manager_close_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.close_async].
 *
 * Returns: whether all servers are gone
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_close_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_close_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
