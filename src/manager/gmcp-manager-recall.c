/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-private.h"
#include "gmcp-manager-roles-private.h"
#include "gmcp-manager-servers-private.h"

/* What servers listed the last time that they ran. */

typedef struct
{
  GTask *task; /* (owned) */
  guint n_recalling;
} Recall;

static void
end_recall (Recall *recall)
{
  g_autoptr (GTask) task = NULL;

  if (--recall->n_recalling > 0)
    return;

  task = g_steal_pointer (&recall->task);
  g_free (recall);
  gmcp_tool_catalog_release (gmcp_manager_get_catalog (g_task_get_source_object (task)));
  if (!g_task_return_error_if_cancelled (task))
    g_task_return_boolean (task, TRUE);
}

static void
on_recalled (GObject *object, GAsyncResult *result, gpointer data)
{
  end_recall (data);
}

static void
recall_servers (GTask *task)
{
  GmcpManager *self = g_task_get_source_object (task);
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (gmcp_manager_get_server_table (self));
  Recall *recall = g_new0 (Recall, 1);

  recall->task = g_object_ref (task);
  recall->n_recalling = 1;
  /* The list changes once. */
  gmcp_tool_catalog_hold (gmcp_manager_get_catalog (self));
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (!gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server))
          || !gmcp_manager_includes_server (self, server))
        continue;
      recall->n_recalling++;
      gmcp_managed_server_recall_tools_async (server, NULL, on_recalled, recall);
    }
  end_recall (recall);
}

/**
 * gmcp_manager_recall_tools_async:
 * @self: a manager
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Lists the tools that servers had the last time that they ran, and starts none of them: what a program
 * offers while somebody types.
 *
 * A server whose tools nobody has seen yet, or whose configuration is another one now, has none in
 * [method@Gmcp.ToolProvider.get_tools] afterwards. Fails as [method@Gmcp.Manager.load_config_async] does,
 * which comes first where it was not called before.
 *
 * Since: 0.1
 */
void
gmcp_manager_recall_tools_async (GmcpManager *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_recall_tools_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  gmcp_manager_when_configured (g_steal_pointer (&task), recall_servers);
}

/**
 * gmcp_manager_recall_tools_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.recall_tools_async].
 *
 * Returns: whether the configuration could be read
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_recall_tools_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_recall_tools_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
