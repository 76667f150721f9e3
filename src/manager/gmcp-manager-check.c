/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-lint-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-tool-list-cache-private.h"

/* What is to be said about the configuration, with what earlier runs kept of servers that do not run. */

typedef struct
{
  GHashTable *kept; /* id → GPtrArray of GmcpTool */
  guint n_reading;
} Check;

/* The manifests of one server, while they are being read. */
typedef struct
{
  GTask *task;
  char *id;
} Reading;

static GPtrArray *
find_problems (GmcpManager *self, GHashTable *kept)
{
  const GmcpConfigLintSubject subject = {
    .servers = gmcp_manager_get_server_table (self),
    .stack = gmcp_manager_get_config_stack (self),
    .rules = gmcp_manager_get_policy (self),
    .requirements = gmcp_manager_get_requirement_set (self),
    .display = gmcp_manager_get_display_context (self),
    .workspace = gmcp_manager_peek_workspace_path (self),
  };

  return gmcp_config_lint_find_problems (&subject, kept);
}

/**
 * gmcp_manager_list_findings:
 * @self: a manager
 *
 * Gives all that is to be said about the configuration as it was last read: what was found in each
 * source, servers that do not count because one of the same id comes first, and what refers to a
 * server that is not there. That is an error where a rule of a role for
 * one host names a server that no tier declares, or a role for all hosts one that is not configured
 * either; and a warning for a required server, or one of a project, that nothing configures, for a tool
 * that a server does not have, where it has been asked for its tools
 * ([method@Gmcp.Manager.check_config_async] knows more of them), for a rule that denies, or wants a
 * question, and means no server that there is, for a server whose sandbox or
 * limits take what is not there, and for one that runs in a folder of its own and has a relative path as
 * an argument.
 *
 * Returns: (transfer container) (element-type GmcpConfigFinding): the findings
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_findings (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return NULL;

  return find_problems (self, NULL);
}

static void
check_free (gpointer data)
{
  Check *check = data;

  g_hash_table_unref (check->kept);
  g_free (check);
}

static void
end_one (GTask *task)
{
  GmcpManager *self = g_task_get_source_object (task);
  Check *check = g_task_get_task_data (task);

  if (--check->n_reading > 0 || g_task_return_error_if_cancelled (task))
    return;

  g_task_return_pointer (task, find_problems (self, check->kept),
                         (GDestroyNotify) g_ptr_array_unref);
}

static void
on_manifest (GObject *object, GAsyncResult *result, gpointer data)
{
  Reading *reading = data;
  g_autoptr (GTask) task = reading->task;
  g_autofree char *id = reading->id;
  Check *check = g_task_get_task_data (task);
  GPtrArray *tools = gmcp_tool_list_cache_load_all_finish (result);

  g_free (reading);
  if (tools != NULL)
    g_hash_table_replace (check->kept, g_steal_pointer (&id), tools);
  end_one (task);
}

/**
 * gmcp_manager_check_config_async:
 * @self: a manager
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Finds all that [method@Gmcp.Manager.list_findings] does, and looks for tools that are named and not
 * there also in what was kept of servers' lists when they ran last. No server is started, and of one that
 * never ran nothing is said. The configuration has to be read before.
 *
 * Since: 0.1
 */
void
gmcp_manager_check_config_async (GmcpManager *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  GmcpServerTable *table;
  g_autoptr (GTask) task = NULL;
  Check *check;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  table = gmcp_manager_get_server_table (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_check_config_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  check = g_new0 (Check, 1);
  check->kept
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  check->n_reading = gmcp_server_table_get_length (table) + 1;
  g_task_set_task_data (task, check, check_free);
  for (guint i = 0; i < gmcp_server_table_get_length (table); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (table, i);
      Reading *reading = g_new (Reading, 1);

      reading->task = g_object_ref (task);
      reading->id = g_strdup (gmcp_managed_server_get_id (server));
      gmcp_tool_list_cache_load_all_async (gmcp_managed_server_get_config (server), on_manifest,
                                           reading);
    }
  end_one (task);
}

/**
 * gmcp_manager_check_config_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.check_config_async].
 *
 * Returns: (transfer container) (element-type GmcpConfigFinding): the findings
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_check_config_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_check_config_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
