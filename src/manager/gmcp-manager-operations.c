/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-server-report-private.h"
#include "gmcp-unlisted-servers-private.h"

#include <gmcp/core/gmcp-error.h>

/* What a host may ask of all servers, and servers that it adds itself. */

/* The start of many servers, side by side. */
typedef struct
{
  GPtrArray *reports; /* of GmcpServerReport, in the order of the configuration */
  guint n_starting;
} Starting;

typedef struct
{
  GTask *task;
  guint index;
} OneStart;

static void
starting_free (gpointer data)
{
  Starting *starting = data;

  g_ptr_array_unref (starting->reports);
  g_free (starting);
}

static void
one_done (GTask *task)
{
  Starting *starting = g_task_get_task_data (task);

  if (--starting->n_starting == 0 && !g_task_return_error_if_cancelled (task))
    g_task_return_pointer (task, g_ptr_array_ref (starting->reports),
                           (GDestroyNotify) g_ptr_array_unref);
}

static void
on_one_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree OneStart *one = data;
  g_autoptr (GTask) task = one->task;
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  Starting *starting = g_task_get_task_data (task);
  GError *error = NULL;

  gmcp_managed_server_start_finish (server, result, &error);
  starting->reports->pdata[one->index]
    = gmcp_server_report_new (gmcp_managed_server_get_id (server), error);
  one_done (task);
}

static void
start_one (GTask *task, GmcpManagedServer *server)
{
  Starting *starting = g_task_get_task_data (task);
  OneStart *one = g_new (OneStart, 1);

  *one = (OneStart){ .task = g_object_ref (task), .index = starting->reports->len };
  g_ptr_array_add (starting->reports, NULL);
  starting->n_starting++;
  gmcp_managed_server_start_async (server, g_task_get_cancellable (task), on_one_started, one);
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManager *self = GMCP_MANAGER (object);
  Starting *starting = g_task_get_task_data (task);
  g_autoptr (GPtrArray) servers = NULL;
  GError *error = NULL;

  if (!gmcp_manager_load_config_finish (self, result, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  servers = gmcp_server_table_list (gmcp_manager_get_server_table (self));
  starting->n_starting = 1;
  for (guint i = 0; i < servers->len; i++)
    {
      GmcpManagedServer *server = g_ptr_array_index (servers, i);

      if (gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server))
          && gmcp_managed_server_get_auto_start (server))
        start_one (task, server);
    }
  one_done (task);
}

/**
 * gmcp_manager_start_all_async:
 * @self: a manager
 * @cancellable: (nullable): a cancellable; it ends the waiting, not the starts
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Starts all servers that are enabled and not manual, side by side, and waits until each is ready or
 * has failed. The configuration is read first; only that can make it fail.
 *
 * Since: 0.1
 */
void
gmcp_manager_start_all_async (GmcpManager *self,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Starting *starting;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_start_all_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  starting = g_new0 (Starting, 1);
  starting->reports = g_ptr_array_new_with_free_func (g_object_unref);
  g_task_set_task_data (task, starting, starting_free);
  gmcp_manager_load_config_async (self, cancellable, on_config_loaded, g_steal_pointer (&task));
}

/**
 * gmcp_manager_start_all_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.start_all_async]. One server that failed fails no other: what became of
 * each is in its report.
 *
 * Returns: (transfer container) (element-type GmcpServerReport): a report of each server that was to be
 *   started, in the order of the configuration
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_start_all_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_start_all_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
on_added_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManager *self = g_task_get_source_object (task);
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  g_autofree char *id = g_strdup (gmcp_managed_server_get_id (server));
  GError *error = NULL;

  if (gmcp_managed_server_start_finish (server, result, &error))
    {
      gmcp_unlisted_servers_end_trial (gmcp_manager_get_unlisted_servers (self), server);
      g_task_return_pointer (task, g_object_ref (server), g_object_unref);
      return;
    }

  /* A server whose task was cancelled goes on starting. */
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      && gmcp_manager_get_server (self, id) == server)
    gmcp_config_stack_drop_server (gmcp_manager_get_config_stack (self), id);
  else
    gmcp_unlisted_servers_end_trial (gmcp_manager_get_unlisted_servers (self), server);
  g_task_return_error (task, error);
}

static void
on_config_loaded_for_add (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManager *self = GMCP_MANAGER (object);
  GmcpServerConfig *config = g_task_get_task_data (task);
  const char *id = gmcp_server_config_get_id (config);
  GmcpManagedServer *server;
  GError *error = NULL;

  if (!gmcp_manager_load_config_finish (self, result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (gmcp_manager_get_server (self, id) != NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                               _ ("Server “%s” is configured already"), id);
      return;
    }

  gmcp_config_stack_add_server (gmcp_manager_get_config_stack (self), config);
  server = gmcp_manager_get_server (self, id);
  if (server == NULL)
    {
      g_task_return_error (task, gmcp_manager_closed_error ());
      return;
    }

  gmcp_unlisted_servers_begin_trial (gmcp_manager_get_unlisted_servers (self), server);
  gmcp_managed_server_start_async (server, g_task_get_cancellable (task), on_added_started,
                                   g_object_ref (task));
}

/**
 * gmcp_manager_add_server_async:
 * @self: a manager
 * @config: what the server is
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Adds a server to those that are configured, for as long as the manager lives, and starts it. Nothing
 * is stored.
 *
 * Fails with %GMCP_ERROR_INVALID_CONFIG where the configuration cannot work,
 * %GMCP_ERROR_INVALID_ARGUMENT where a server of that id is configured, and as
 * [method@Gmcp.ManagedServer.start_async] does; then the server is not added.
 *
 * Since: 0.1
 */
void
gmcp_manager_add_server_async (GmcpManager *self,
                               GmcpServerConfig *config,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  GError *error = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_SERVER_CONFIG (config));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_add_server_async);
  g_task_set_task_data (task, g_object_ref (config), g_object_unref);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (!gmcp_server_config_validate (config, &error))
    g_task_return_error (task, error);
  else
    gmcp_manager_load_config_async (self, cancellable, on_config_loaded_for_add,
                                    g_steal_pointer (&task));
}

/**
 * gmcp_manager_add_server_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.add_server_async].
 *
 * Returns: (transfer full): the server, which runs; its tools are those of the manager's list
 *   ([method@Gmcp.ToolProvider.get_tools]) that have its id ([property@Gmcp.Tool:server-id])
 *
 * Since: 0.1
 */
GmcpManagedServer *
gmcp_manager_add_server_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_add_server_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
on_removed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (gmcp_managed_server_stop_finish (GMCP_MANAGED_SERVER (object), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * gmcp_manager_remove_server_async:
 * @self: a manager
 * @server_id: a server's id
 * @cancellable: (nullable): a cancellable; it ends the waiting, not the removal
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Withdraws a server and its tools, and waits until its process is gone. Nothing is stored: one that is
 * configured in a file or in the settings is there again with the next manager, or when it is added by
 * [method@Gmcp.Manager.add_server_async].
 *
 * Fails with %GMCP_ERROR_NOT_CONFIGURED where there is no such server.
 *
 * Since: 0.1
 */
void
gmcp_manager_remove_server_async (GmcpManager *self,
                                  const char *server_id,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GmcpManagedServer) server = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (server_id != NULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_remove_server_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  server = gmcp_manager_get_server (self, server_id);
  if (server == NULL)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                               _ ("No server “%s” is configured"), server_id);
      return;
    }

  g_object_ref (server);
  gmcp_config_stack_drop_server (gmcp_manager_get_config_stack (self), server_id);
  /* The server is being stopped; this waits for its end. */
  gmcp_managed_server_stop_async (server, cancellable, on_removed, g_steal_pointer (&task));
}

/**
 * gmcp_manager_remove_server_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.remove_server_async].
 *
 * Returns: whether the server is gone
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_remove_server_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_remove_server_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
