/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcpd-server-tools.h"

/* Takes the error. */
static void
end_refresh (GTask *task, gboolean done, GError *error)
{
  if (done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_discovered (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (GListModel) tools
    = gmcp_managed_server_discover_tools_finish (GMCP_MANAGED_SERVER (object), result, &error);

  end_refresh (task, tools != NULL, error);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  gboolean started
    = gmcp_managed_server_start_finish (GMCP_MANAGED_SERVER (object), result, &error);

  end_refresh (task, started, error);
}

static void
on_recalled (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  gboolean recalled = gmcp_manager_recall_tools_finish (GMCP_MANAGER (object), result, &error);

  end_refresh (task, recalled, error);
}

/* At an address there is nothing to be started, only a connection to be made. */
static gboolean
is_started_by_hand (GmcpServerConfig *config)
{
  return !gmcp_server_config_is_enabled (config)
         || (gmcp_server_config_get_start (config) == GMCP_SERVER_START_MANUAL
             && gmcp_server_config_get_url (config) == NULL);
}

static void
start_or_recall (GTask *task, GmcpManagedServer *server)
{
  GCancellable *cancellable = g_task_get_cancellable (task);

  if (is_started_by_hand (gmcp_managed_server_get_config (server)))
    gmcp_manager_recall_tools_async (g_task_get_source_object (task), cancellable, on_recalled,
                                     g_object_ref (task));
  else
    gmcp_managed_server_start_async (server, cancellable, on_started, g_object_ref (task));
}

void
gmcpd_server_tools_refresh_async (GmcpManager *manager,
                                  GmcpManagedServer *server,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (manager, cancellable, callback, user_data);
  const GError *failure = gmcp_managed_server_get_last_error (server);

  g_task_set_source_tag (task, gmcpd_server_tools_refresh_async);
  switch (gmcp_managed_server_get_state (server))
    {
    case GMCP_SERVER_STATE_READY:
    case GMCP_SERVER_STATE_DEGRADED:
    case GMCP_SERVER_STATE_UNHEALTHY:
      gmcp_managed_server_discover_tools_async (server, cancellable, on_discovered,
                                                g_object_ref (task));
      break;

    case GMCP_SERVER_STATE_STARTING:
    case GMCP_SERVER_STATE_INSTALLING:
      gmcp_managed_server_start_async (server, cancellable, on_started, g_object_ref (task));
      break;

    case GMCP_SERVER_STATE_FAILED:
    case GMCP_SERVER_STATE_BACKING_OFF:
      if (failure != NULL)
        g_task_return_error (task, g_error_copy (failure));
      else
        start_or_recall (task, server);
      break;

    case GMCP_SERVER_STATE_STOPPED:
    case GMCP_SERVER_STATE_STOPPING:
    case GMCP_SERVER_STATE_DISABLED:
    case GMCP_SERVER_STATE_NEEDS_SIGN_IN:
    default:
      start_or_recall (task, server);
      break;
    }
}

gboolean
gmcpd_server_tools_refresh_finish (GmcpManager *manager, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, manager), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
