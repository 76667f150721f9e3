/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-expand-private.h"
#include "gmcp-manager-places-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-server-run-private.h"

/* Before the client is opened, variables in the configuration get their values. Those who have none are
 * started without a detour. */

static void
on_opened (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;

  if (gmcp_client_open_finish (GMCP_CLIENT (object), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
on_expanded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpClient *client = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) expanded
    = gmcp_config_expand_finish (GMCP_SERVER_CONFIG (object), result, &error);

  if (expanded == NULL
      || !gmcp_server_config_aim_transport (expanded, gmcp_client_get_transport (client), &error))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    gmcp_client_open_async (client, g_task_get_cancellable (task), on_opened, g_object_ref (task));
}

void
gmcp_server_run_open_async (GmcpServerRun *run,
                            GmcpServerConfig *config,
                            GmcpToolProvider *provider,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GmcpClient *client = gmcp_server_run_get_client (run);
  g_autoptr (GTask) task = g_task_new (client, cancellable, callback, user_data);
  GmcpConfigExpandContext context = { NULL };
  g_auto (GStrv) ids = NULL;

  g_task_set_source_tag (task, gmcp_server_run_open_async);
  if (provider != NULL && GMCP_IS_MANAGER (provider))
    ids = gmcp_manager_fill_expand_context (GMCP_MANAGER (provider), &context);
  if (gmcp_config_needs_expansion (config, &context))
    gmcp_config_expand_async (config, &context, cancellable, on_expanded, g_steal_pointer (&task));
  else
    gmcp_client_open_async (client, cancellable, on_opened, g_steal_pointer (&task));
}

gboolean
gmcp_server_run_open_finish (GmcpClient *client, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, client), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_server_run_open_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
