/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-closing-private.h"
#include "gmcp-manager-host-private.h"
#include "gmcp-manager-making-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-roles-private.h"
#include "gmcp-manager-servers-private.h"
#include "gmcp-manager-settings-private.h"
#include "gmcp-manager-preflight-private.h"
#include "gmcp-unlisted-servers-private.h"

static void
on_notice (GmcpManagedServer *server, GmcpNoticeLevel level, const char *message, gpointer data)
{
  GmcpManager *self = data;

  if (!gmcp_manager_is_disposing (self))
    gmcp_manager_forward_notice (self, gmcp_managed_server_get_id (server), level, message);
}

static GmcpManagedServer *
make_server (GmcpServerConfig *config, gpointer data)
{
  GmcpManager *self = data;
  GMainContext *context = gmcp_manager_get_main_context (self);
  GmcpManagedServer *server;

  g_main_context_push_thread_default (context);
  server = gmcp_managed_server_new (
    config, &gmcp_effective_settings_peek_limits (gmcp_manager_get_settings (self))->servers);
  g_main_context_pop_thread_default (context);
  gmcp_manager_host_server (self, server);
  gmcp_managed_server_take_log (
    server, gmcp_server_log_new (gmcp_server_config_get_id (config),
                                 gmcp_auditor_get_book (gmcp_manager_get_auditor (self))));
  gmcp_managed_server_set_cache (server, gmcp_manager_get_response_cache (self));
  gmcp_managed_server_set_client_name (server, gmcp_manager_get_host (self));
  gmcp_tool_catalog_add_server (gmcp_manager_get_catalog (self), server);
  gmcp_unlisted_servers_watch (gmcp_manager_get_unlisted_servers (self), server);
  return server;
}

static void
on_server_left (GmcpManagedServer *server, gpointer data)
{
  gmcp_unlisted_servers_unwatch (gmcp_manager_get_unlisted_servers (data), server);
  gmcp_tool_catalog_remove_server (gmcp_manager_get_catalog (data), server);
}

static void
on_items_changed (guint position, guint n_removed, guint n_added, gpointer data)
{
  if (!gmcp_manager_is_disposing (data))
    g_list_model_items_changed (data, position, n_removed, n_added);
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
  if (!gmcp_manager_is_disposing (data))
    g_object_notify (data, "awaited-server-ids");
}

GmcpUnlistedServers *
gmcp_manager_make_unlisted_servers (GmcpManager *self)
{
  static const GmcpUnlistedServersHooks hooks = { is_included, on_awaited_changed };

  return gmcp_unlisted_servers_new (gmcp_manager_get_server_table (self),
                                    gmcp_manager_get_state_store (self), &hooks, self);
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

  unlisted = gmcp_manager_get_unlisted_servers (self);
  return g_strdupv ((char **) gmcp_unlisted_servers_get_awaited (unlisted));
}

void
gmcp_manager_start_wanted (GmcpManager *self)
{
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (gmcp_manager_get_server_table (self));

  for (guint i = 0; gmcp_manager_wants_tools (self) && i < servers->len; i++)
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
  GmcpToolCatalog *catalog = gmcp_manager_get_catalog (self);
  GmcpUnlistedServers *unlisted = gmcp_manager_get_unlisted_servers (self);

  gmcp_manager_learn_secrets (self, configs);
  gmcp_tool_catalog_hold (catalog);
  gmcp_server_table_set_configs (gmcp_manager_get_server_table (self), configs);
  gmcp_unlisted_servers_recall_outcomes (unlisted);
  gmcp_unlisted_servers_refresh (unlisted);
  /* A server may be trusted now, or not any more, and its configuration leave other ones of its tools. */
  gmcp_tool_catalog_refresh_rules (catalog);
  gmcp_tool_catalog_refresh_instructions (catalog);
  gmcp_tool_catalog_release (catalog);
  gmcp_manager_start_wanted (self);
  gmcp_manager_look_for_node (self, NULL, NULL);
}

void
gmcp_manager_drop_servers (GmcpManager *self, const GError *reason)
{
  GmcpToolCatalog *catalog = gmcp_manager_get_catalog (self);

  gmcp_approvals_drop_questions (gmcp_manager_get_approvals (self), reason);
  gmcp_tool_catalog_hold (catalog);
  gmcp_server_table_clear (gmcp_manager_get_server_table (self), reason);
  gmcp_unlisted_servers_refresh (gmcp_manager_get_unlisted_servers (self));
  gmcp_tool_catalog_release (catalog);
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

  return gmcp_server_table_find (gmcp_manager_get_server_table (self), server_id);
}
