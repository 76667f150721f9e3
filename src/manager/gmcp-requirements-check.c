/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-preflight-private.h"
#include "gmcp-program-check-private.h"
#include "gmcp-requirement-private.h"
#include "gmcp-requirements-private.h"
#include "gmcp-requirements-report-private.h"

/* Whether a server is there is known when it runs: those that may be started are started, side by
 * side, each within its time limit. */

typedef struct
{
  GmcpManager *manager;
  GPtrArray *probes; /* of Probe, in the order of the report */
  guint n_probing;
  gboolean starts; /* what may be started */
} Check;

typedef struct
{
  GTask *task; /* of the check; while the server is started */
  char *server;
  GmcpTier tier;
  char *reason;
  char *hint;
} Probe;

static void
probe_free (Probe *probe)
{
  g_free (probe->server);
  g_free (probe->reason);
  g_free (probe->hint);
  g_free (probe);
}

static void
check_free (Check *check)
{
  g_object_unref (check->manager);
  g_ptr_array_unref (check->probes);
  g_free (check);
}

static void
return_report (GTask *task)
{
  Check *check = g_task_get_task_data (task);
  GmcpRequirementsReport *report;

  if (g_task_return_error_if_cancelled (task))
    return;

  report = gmcp_requirements_report_new ();
  for (guint i = 0; i < check->probes->len; i++)
    {
      Probe *probe = g_ptr_array_index (check->probes, i);

      gmcp_requirements_report_add (
        report, gmcp_requirement_new (probe->server, probe->tier, probe->reason, probe->hint));
      if (check->starts && probe->tier == GMCP_TIER_RECOMMENDED && probe->reason != NULL)
        {
          g_autofree char *message = g_strdup_printf (_ ("Recommended server missing: %s: %s"),
                                                      probe->server, probe->reason);

          gmcp_manager_notice (check->manager, probe->server, GMCP_NOTICE_LEVEL_WARNING, message);
        }
    }

  g_task_return_pointer (task, report, g_object_unref);
}

static void
set_failed (Probe *probe, GmcpServerConfig *config, const char *reason)
{
  probe->reason = g_strdup (reason);
  probe->hint = gmcp_preflight_dup_hint (config);
  if (probe->hint == NULL)
    probe->hint = g_strdup_printf (_ ("See its log with: gmcp logs %s"), probe->server);
}

static void
end_probe (GTask *task)
{
  Check *check = g_task_get_task_data (task);

  if (--check->n_probing == 0)
    return_report (task);
}

static void
on_program_found (GObject *object, GAsyncResult *result, gpointer data)
{
  Probe *probe = data;
  GmcpServerConfig *config = GMCP_SERVER_CONFIG (object);
  g_autoptr (GTask) task = g_steal_pointer (&probe->task);
  g_autoptr (GError) error = NULL;

  if (!gmcp_program_check_finish (result, &error))
    {
      /* What was not started has no log. */
      probe->reason = g_strdup (error->message);
      probe->hint = gmcp_preflight_dup_hint (config);
    }
  end_probe (task);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  Probe *probe = data;
  GmcpManagedServer *server = GMCP_MANAGED_SERVER (object);
  g_autoptr (GTask) task = g_steal_pointer (&probe->task);
  g_autoptr (GError) error = NULL;

  if (!gmcp_managed_server_start_finish (server, result, &error))
    set_failed (probe, gmcp_managed_server_get_config (server), error->message);
  end_probe (task);
}

/* Whether the server is there as far as that can be told without a start. */
static void
look_for_program (GTask *task, Probe *probe, GmcpServerConfig *config)
{
  Check *check = g_task_get_task_data (task);

  probe->task = g_object_ref (task);
  check->n_probing++;
  gmcp_program_check_async (config, gmcp_manager_get_main_context (check->manager),
                            g_task_get_cancellable (task), on_program_found, probe);
}

static void
begin_probe (GTask *task, Probe *probe)
{
  Check *check = g_task_get_task_data (task);
  GmcpManagedServer *server = gmcp_manager_get_server (check->manager, probe->server);
  GmcpServerConfig *config;
  const GError *last_error;

  if (server == NULL)
    {
      probe->reason = g_strdup (_ ("not configured"));
      /* Commands of a shell, which are not translated. */
      probe->hint = g_strdup_printf ("add: gmcp add %s -- COMMAND", probe->server);
      return;
    }

  config = gmcp_managed_server_get_config (server);
  if (!gmcp_server_config_is_enabled (config))
    {
      probe->reason = g_strdup (_ ("configured, but not enabled"));
      probe->hint = g_strdup_printf ("enable: gmcp enable %s", probe->server);
      return;
    }
  if (gmcp_managed_server_is_ready (server))
    return;

  if (!check->starts)
    {
      look_for_program (task, probe, config);
      return;
    }
  if (gmcp_managed_server_needs_user (server))
    {
      probe->reason = g_strdup (_ ("not running"));
      probe->hint = g_strdup (_ ("Set its “start” to “on-demand” (“auto_start: true” in YAML)"));
      return;
    }
  if (probe->tier == GMCP_TIER_OPTIONAL)
    {
      last_error = gmcp_managed_server_get_last_error (server);
      if (last_error != NULL)
        set_failed (probe, config, last_error->message);
      return;
    }

  probe->task = g_object_ref (task);
  check->n_probing++;
  gmcp_managed_server_start_async (server, g_task_get_cancellable (task), on_started, probe);
}

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  Check *check = g_task_get_task_data (task);
  GError *error = NULL;

  if (!gmcp_manager_load_config_finish (check->manager, result, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  check->n_probing = 1;
  for (guint i = 0; i < check->probes->len; i++)
    begin_probe (task, g_ptr_array_index (check->probes, i));
  end_probe (task);
}

static Check *
check_new (GmcpRequirements *self, GmcpManager *manager, gboolean starts)
{
  Check *check = g_new0 (Check, 1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  check->manager = g_object_ref (manager);
  check->starts = starts;
  check->probes = g_ptr_array_new_with_free_func ((GDestroyNotify) probe_free);
  for (int tier = GMCP_TIER_REQUIRED; tier <= GMCP_TIER_OPTIONAL; tier++)
    {
      const char *const *ids = gmcp_requirements_get_tier (self, tier);

      for (gsize i = 0; ids[i] != NULL; i++)
        {
          Probe *probe;

          if (!g_hash_table_add (seen, (gpointer) ids[i]))
            continue;
          probe = g_new0 (Probe, 1);
          probe->server = g_strdup (ids[i]);
          probe->tier = tier;
          g_ptr_array_add (check->probes, probe);
        }
    }

  return check;
}

static void
begin_check (GmcpManager *self,
             GmcpRequirements *requirements,
             gboolean starts,
             gpointer tag,
             GCancellable *cancellable,
             GAsyncReadyCallback callback,
             gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  if (g_task_return_error_if_cancelled (task))
    return;

  g_task_set_task_data (task, check_new (requirements, self, starts), (GDestroyNotify) check_free);
  gmcp_manager_load_config_async (self, cancellable, on_config_loaded, g_steal_pointer (&task));
}

/**
 * gmcp_manager_check_requirements_async:
 * @self: a manager
 * @requirements: what is needed
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Finds out which of the servers are there. Required and recommended ones are started for that, side
 * by side, but for those that only the user starts; of optional ones it is only looked what is known.
 * For each recommended one that is missing the manager emits a
 * [signal@Gmcp.ToolProvider::notice].
 *
 * That a server is missing is no error here: see
 * [method@Gmcp.RequirementsReport.may_work]. Fails where the configuration cannot be read.
 *
 * Since: 0.1
 */
void
gmcp_manager_check_requirements_async (GmcpManager *self,
                                       GmcpRequirements *requirements,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_REQUIREMENTS (requirements));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  begin_check (self, requirements, TRUE, gmcp_manager_check_requirements_async, cancellable,
               callback, user_data);
}

/**
 * gmcp_manager_check_requirements_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.check_requirements_async].
 *
 * Returns: (transfer full): what was found out
 *
 * Since: 0.1
 */
GmcpRequirementsReport *
gmcp_manager_check_requirements_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_check_requirements_async),
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * gmcp_manager_look_up_requirements_async:
 * @self: a manager
 * @requirements: what is needed
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Finds out which of the servers are there as far as that can be told without a start: those that
 * run, and those that are configured, enabled, and whose program is found. What has an address is taken to be
 * there. [method@Gmcp.Manager.check_requirements_async] starts them, and is certain.
 *
 * Fails where the configuration cannot be read.
 *
 * Since: 0.1
 */
void
gmcp_manager_look_up_requirements_async (GmcpManager *self,
                                         GmcpRequirements *requirements,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_REQUIREMENTS (requirements));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  begin_check (self, requirements, FALSE, gmcp_manager_look_up_requirements_async, cancellable,
               callback, user_data);
}

/**
 * gmcp_manager_look_up_requirements_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.look_up_requirements_async].
 *
 * Returns: (transfer full): what was found out
 *
 * Since: 0.1
 */
GmcpRequirementsReport *
gmcp_manager_look_up_requirements_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_look_up_requirements_async),
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
