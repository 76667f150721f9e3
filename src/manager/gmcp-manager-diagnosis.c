/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-managed-server-diagnosis-private.h"

#include <gmcp/core/gmcp-error.h>

/* Finding out where a server fails. */

static void
return_report (GTask *task, GmcpManagedServer *server, const GError *error)
{
  g_task_return_pointer (task, gmcp_managed_server_report_start (server, error), g_object_unref);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  g_autoptr (GError) error = NULL;

  gmcp_managed_server_start_finish (server, result, &error);
  if (!g_task_return_error_if_cancelled (task))
    return_report (task, server, error);
}

static void
on_checked (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  GError *error = NULL;
  gboolean passed = gmcp_managed_server_health_check_finish (server, result, &error);

  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  gmcp_managed_server_end_check_step (server, passed);
  return_report (task, server, passed ? NULL : gmcp_managed_server_get_last_error (server));
}

/* What was found when the configuration was read; NULL for nothing that keeps the server from running. */
static GError *
find_error (GmcpManager *self, GmcpManagedServer *server)
{
  g_autoptr (GPtrArray) findings = gmcp_manager_list_findings (self);
  const char *id = gmcp_managed_server_get_id (server);

  if (!gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
    return gmcp_managed_server_disabled_error (server);

  for (guint i = 0; i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);
      g_autofree char *text = NULL;

      if (gmcp_config_finding_get_severity (finding) != GMCP_NOTICE_LEVEL_ERROR
          || g_strcmp0 (gmcp_config_finding_get_server_id (finding), id) != 0)
        continue;
      text = gmcp_config_finding_dup_text (finding);
      return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, text);
    }
  return NULL;
}

static void
diagnose_server (GTask *task, GmcpManagedServer *server)
{
  GmcpManager *self = g_task_get_source_object (task);
  g_autoptr (GError) error = find_error (self, server);

  if (error != NULL)
    return_report (task, server, error);
  else if (gmcp_managed_server_get_client (server) != NULL)
    {
      gmcp_managed_server_begin_check_step (server);
      gmcp_managed_server_health_check_async (server, g_task_get_cancellable (task), on_checked,
                                              g_object_ref (task));
    }
  else
    gmcp_managed_server_start_async (server, g_task_get_cancellable (task), on_started,
                                     g_object_ref (task));
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GmcpManager *self = GMCP_MANAGER (object);
  const char *server_id = g_task_get_task_data (task);
  GmcpManagedServer *server;
  GError *error = NULL;

  if (!gmcp_manager_load_config_finish (self, result, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  server = gmcp_manager_get_server (self, server_id);
  if (server != NULL)
    diagnose_server (task, server);
  else
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                             _ ("No server “%s” is configured"), server_id);
}

/**
 * gmcp_manager_diagnose_server_async:
 * @self: a manager
 * @server_id: a server's id
 * @cancellable: (nullable): a cancellable; it ends the waiting, not a start
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Finds out whether a server works, and where it fails otherwise: its configuration is looked at, and it is
 * started, which takes it through all steps of [enum@Gmcp.ServerStepKind]. A server that is manual is started,
 * too, since somebody asks for it. One that runs already is checked, and its steps are those of its start. The
 * server runs on afterwards.
 *
 * That the server does not work is no error here: it is in the report. Fails with
 * %GMCP_ERROR_NOT_CONFIGURED where there is no such server, and where the configuration cannot be read.
 *
 * Since: 0.1
 */
void
gmcp_manager_diagnose_server_async (GmcpManager *self,
                                    const char *server_id,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (server_id != NULL);
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_diagnose_server_async);
  g_task_set_task_data (task, g_strdup (server_id), g_free);
  if (g_task_return_error_if_cancelled (task))
    return;

  gmcp_manager_load_config_async (self, cancellable, on_config_loaded, g_steal_pointer (&task));
}

/**
 * gmcp_manager_diagnose_server_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.diagnose_server_async].
 *
 * Returns: (transfer full): what was found, with the steps
 *   ([method@Gmcp.ServerReport.get_steps]) and what may help ([method@Gmcp.ServerReport.get_advice])
 *
 * Since: 0.1
 */
GmcpServerReport *
gmcp_manager_diagnose_server_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_diagnose_server_async),
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
