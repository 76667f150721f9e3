/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-manager-making-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-servers-private.h"

#include <gmcp/core/gmcp-error.h>

/* One look at the servers that are up; the error is that of the one server that was asked for. */
typedef struct
{
  char *server_id; /* NULL for all */
  guint n_listing;
  GError *error;
} Sync;

static void
sync_free (gpointer data)
{
  Sync *sync = data;

  g_free (sync->server_id);
  g_clear_error (&sync->error);
  g_free (sync);
}

GmcpResponseCache *
gmcp_manager_make_cache (const GmcpManagerLimits *limits)
{
  GmcpResponseCache *cache = gmcp_response_cache_new ();

  gmcp_response_cache_set_max_bytes (cache, limits->max_cache_bytes);
  gmcp_response_cache_set_list_ttl_ms (cache, limits->list_ttl_ms);
  gmcp_response_cache_set_resource_ttl_ms (cache, limits->resource_ttl_ms);
  return cache;
}

static void
one_listed (GTask *task)
{
  Sync *sync = g_task_get_task_data (task);

  if (--sync->n_listing > 0)
    return;
  if (sync->error != NULL)
    g_task_return_error (task, g_steal_pointer (&sync->error));
  else
    g_task_return_boolean (task, TRUE);
}

static void
on_listed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Sync *sync = g_task_get_task_data (task);
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GError) error = NULL;

  tools = gmcp_client_list_tools_finish (GMCP_CLIENT (object), result, &error);
  if (tools == NULL && sync->server_id != NULL)
    sync->error = g_steal_pointer (&error);
  else if (tools == NULL)
    g_debug ("%s", error->message);
  one_listed (task);
}

static void
sync_server (GTask *task, GmcpManagedServer *server)
{
  Sync *sync = g_task_get_task_data (task);

  gmcp_managed_server_forget_answers (server);
  if (!gmcp_managed_server_is_ready (server))
    return;

  sync->n_listing++;
  gmcp_client_list_tools_async (gmcp_managed_server_get_client (server),
                                g_task_get_cancellable (task), on_listed, g_object_ref (task));
}

static void
sync_servers (GTask *task)
{
  GmcpManager *self = g_task_get_source_object (task);
  Sync *sync = g_task_get_task_data (task);
  g_autoptr (GPtrArray) servers = gmcp_server_table_list (gmcp_manager_get_server_table (self));
  gboolean found = FALSE;

  sync->n_listing = 1;
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (sync->server_id != NULL
          && !g_str_equal (gmcp_managed_server_get_id (server), sync->server_id))
        continue;
      found = TRUE;
      sync_server (task, server);
    }

  if (!found && sync->server_id != NULL)
    sync->error = gmcp_manager_not_configured_error (sync->server_id);
  one_listed (task);
}

/**
 * gmcp_manager_sync_async:
 * @self: a manager
 * @server_id: (nullable): the id of a server; %NULL for all
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Drops what the server answered before from [property@Gmcp.Manager:response-cache], and where the
 * server runs, reads its list of tools again. No server is started by it.
 *
 * Fails with %GMCP_ERROR_NOT_CONFIGURED where there is no such server, and where the list of the one
 * server could not be read; of all servers, one that fails does not matter to the others.
 *
 * Since: 0.1
 */
void
gmcp_manager_sync_async (GmcpManager *self,
                         const char *server_id,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Sync *sync;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_sync_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (server_id == NULL)
    gmcp_response_cache_clear (gmcp_manager_get_response_cache (self));
  sync = g_new0 (Sync, 1);
  sync->server_id = g_strdup (server_id);
  g_task_set_task_data (task, sync, sync_free);
  gmcp_manager_when_configured (g_steal_pointer (&task), sync_servers);
}

/**
 * gmcp_manager_sync_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.sync_async].
 *
 * Returns: whether nothing from before is left
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_sync_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_sync_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
