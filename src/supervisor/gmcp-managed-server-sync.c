/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-managed-server-input-private.h"
#include "gmcp-managed-server-parts-private.h"
#include "gmcp-tool-changes-private.h"
#include "gmcp-tool-list-cache-private.h"
#include "gmcp-tool-snapshot-private.h"

/* What has changed in the list of a server's tools since it was kept. */

static void
set_tools_before (GTask *task, GPtrArray *tools)
{
  GPtrArray *copy = g_ptr_array_copy (tools, (GCopyFunc) g_object_ref, NULL);

  g_ptr_array_set_free_func (copy, g_object_unref);
  g_task_set_task_data (task, copy, (GDestroyNotify) g_ptr_array_unref);
}

static void
on_discovered (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autoptr (GListModel) tools
    = gmcp_managed_server_discover_tools_finish (GMCP_MANAGED_SERVER (object), result, &error);

  if (tools == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, gmcp_tool_changes_new (g_task_get_task_data (task), tools),
                           g_object_unref);
}

/* What a server that runs has answered may be fresh by its own word, and is not asked for again then. */
static void
forget_answers (GmcpManagedServer *self)
{
  GmcpClient *client = gmcp_managed_server_get_client (self);
  GmcpResponseCache *cache = client != NULL ? gmcp_client_get_response_cache (client) : NULL;
  const char *key = client != NULL ? gmcp_client_get_cache_key (client) : NULL;

  if (cache != NULL && key != NULL)
    gmcp_response_cache_forget_server (cache, key);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManagedServer *self = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;

  if (!gmcp_managed_server_start_finish (self, result, &error))
    g_task_return_error (task, error);
  else
    gmcp_managed_server_discover_tools_async (self, g_task_get_cancellable (task), on_discovered,
                                              g_object_ref (task));
}

static void
start_server (GTask *task)
{
  GmcpManagedServer *self = g_task_get_source_object (task);

  gmcp_managed_server_start_async (self, g_task_get_cancellable (task), on_started,
                                   g_object_ref (task));
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GmcpToolListCache) kept = gmcp_tool_list_cache_load_finish (result, NULL);

  /* A list that cannot be read is as good as none, and will be written anew. */
  if (kept != NULL)
    set_tools_before (task, kept->tools);
  start_server (task);
}

/**
 * gmcp_managed_server_sync_tools_async:
 * @self: a server
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the server's list of tools anew, and says what is different from the one that was known: the one that is
 * listed, or that is kept from the last time. A server that does not run is started. The new list is kept; no
 * answer of the server from before is used again, however long the server said that it stays fresh.
 *
 * Fails as [method@Gmcp.ManagedServer.start_async] and
 * [method@Gmcp.ManagedServer.discover_tools_async] do.
 *
 * Since: 0.1
 */
void
gmcp_managed_server_sync_tools_async (GmcpManagedServer *self,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GmcpToolSnapshot *snapshot;

  g_return_if_fail (GMCP_IS_MANAGED_SERVER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_managed_server_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_managed_server_sync_tools_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  forget_answers (self);
  snapshot = gmcp_managed_server_get_snapshot (self);
  if (gmcp_tool_snapshot_is_listed (snapshot))
    {
      set_tools_before (task, gmcp_tool_snapshot_peek_tools (snapshot));
      start_server (task);
      return;
    }
  gmcp_tool_list_cache_load_async (gmcp_managed_server_get_config (self),
                                   gmcp_managed_server_get_abilities (self), on_loaded,
                                   g_steal_pointer (&task));
}

/**
 * gmcp_managed_server_sync_tools_finish:
 * @self: a server
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.ManagedServer.sync_tools_async].
 *
 * Returns: (transfer full): what is different; where no list was kept, every tool is new
 *
 * Since: 0.1
 */
GmcpToolChanges *
gmcp_managed_server_sync_tools_finish (GmcpManagedServer *self,
                                       GAsyncResult *result,
                                       GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_managed_server_sync_tools_async),
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
