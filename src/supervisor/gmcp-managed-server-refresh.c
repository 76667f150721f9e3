/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-managed-server-parts-private.h"

/* The tools of a server are asked for: from itself, where it runs; else from what is known of it. */

static void
on_listed_again (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GListModel) tools = NULL;
  GError *error = NULL;

  tools = gmcp_client_list_tools_finish (GMCP_CLIENT (object), result, &error);
  if (tools == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
on_demanded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Notices tell the outcome. */
static void
on_begun (GObject *object, GAsyncResult *result, gpointer data)
{
  gmcp_managed_server_demand_finish (GMCP_MANAGED_SERVER (object), result, NULL);
}

/* What is known of a server that does not run has to do; listing starts nothing. One that failed the
 * last time holds nobody up. */
static void
refresh_stopped (GmcpManagedServer *self, GTask *task)
{
  GmcpServerStart start = gmcp_server_config_get_start (gmcp_managed_server_get_config (self));
  gboolean is_known = gmcp_tool_snapshot_is_listed (gmcp_managed_server_get_snapshot (self))
                      && gmcp_server_state_lists_tools (gmcp_managed_server_get_state (self));

  if (gmcp_managed_server_needs_user (self) || (is_known && start != GMCP_SERVER_START_AT_LOAD))
    g_task_return_boolean (task, TRUE);
  else if (is_known || gmcp_managed_server_get_last_failure (self) != NULL)
    {
      /* The start goes on; the refresh does not wait for it. */
      gmcp_managed_server_demand_async (self, NULL, on_begun, NULL);
      g_task_return_boolean (task, TRUE);
    }
  else
    gmcp_managed_server_demand_async (self, g_task_get_cancellable (task), on_demanded,
                                      g_object_ref (task));
}

static void
on_recalled (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManagedServer *self = GMCP_MANAGED_SERVER (object);

  if (!g_task_return_error_if_cancelled (task))
    refresh_stopped (self, task);
}

static void
refresh_ready (GmcpManagedServer *self, GTask *task)
{
  GmcpClient *client = gmcp_server_instance_get_client (gmcp_managed_server_get_instance (self));

  if (gmcp_capabilities_has (gmcp_client_get_server_capabilities (client), "tools/listChanged"))
    g_task_return_boolean (task, TRUE);
  else
    gmcp_client_list_tools_async (client, g_task_get_cancellable (task), on_listed_again,
                                  g_object_ref (task));
}

void
gmcp_managed_server_refresh_async (GmcpManagedServer *self,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_managed_server_refresh_async);
  if (gmcp_managed_server_is_ready (self))
    refresh_ready (self, task);
  else
    gmcp_managed_server_recall_tools_async (self, NULL, on_recalled, g_steal_pointer (&task));
}

void
gmcp_managed_server_refresh_recalled_async (GmcpManagedServer *self,
                                            GCancellable *cancellable,
                                            GAsyncReadyCallback callback,
                                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_managed_server_refresh_recalled_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  if (gmcp_managed_server_is_ready (self))
    refresh_ready (self, task);
  else
    refresh_stopped (self, task);
}

gboolean
gmcp_managed_server_refresh_finish (GmcpManagedServer *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
