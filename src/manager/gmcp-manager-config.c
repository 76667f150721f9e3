/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-default-sources-private.h"
#include "gmcp-file-config-source-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-manager-making-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-servers-private.h"

#include <gmcp/config/settings/gmcp-settings-config-source.h>

/* The manager's stack of places, and what it is told by it. */

static void
on_changed (gpointer data)
{
  gmcp_manager_apply_config (data);
}

static void
on_problem_found (const char *server_id, GmcpNoticeLevel level, const char *message, gpointer data)
{
  gmcp_manager_notice (data, server_id, level, message);
}

static void
on_state_loaded (gpointer owner, gpointer data)
{
  gmcp_config_stack_end_reading (gmcp_manager_get_config_stack (owner), GPOINTER_TO_UINT (data));
}

/* What is kept in files belongs to what is configured. */
static void
on_reading (guint ticket, gpointer data)
{
  gmcp_state_store_load (gmcp_manager_get_state_store (data), on_state_loaded,
                         GUINT_TO_POINTER (ticket));
}

GmcpConfigStack *
gmcp_manager_make_stack (GmcpManager *self)
{
  const GmcpConfigStackHooks hooks = {
    .changed = on_changed,
    .problem_found = on_problem_found,
    .reading = on_reading,
  };

  return gmcp_config_stack_new (&hooks, self);
}

void
gmcp_manager_drop_config (GmcpManager *self)
{
  g_autoptr (GError) error = gmcp_manager_closed_error ();

  gmcp_effective_settings_close (gmcp_manager_get_settings (self));
  gmcp_config_stack_close (gmcp_manager_get_config_stack (self), error);
}

/**
 * gmcp_manager_add_source:
 * @self: a manager
 * @source: where configurations come from
 *
 * Adds a place that configurations of servers come from. Where two have a server of the same id, the
 * one that was added first holds.
 *
 * While [property@Gmcp.Manager:config-file] is set, that file comes before all sources. It takes
 * the place of those of a desktop ([method@Gmcp.Manager.add_default_sources]) and of settings, of
 * which only what an administrator has locked counts then; that settings do not count is told of by a
 * [signal@Gmcp.ToolProvider::notice].
 *
 * Since: 0.1
 */
void
gmcp_manager_add_source (GmcpManager *self, GmcpConfigSource *source)
{
  GmcpConfigStack *stack;
  gboolean is_own;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_CONFIG_SOURCE (source));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  is_own = !GMCP_IS_SETTINGS_CONFIG_SOURCE (source);
  stack = gmcp_manager_get_config_stack (self);
  gmcp_config_stack_add (stack, source, is_own);
  if (!is_own && gmcp_config_stack_peek_file (stack) != NULL)
    gmcp_manager_notice (self, NULL, GMCP_NOTICE_LEVEL_INFO,
                         _ ("Beside the configuration file that is set, only what is locked in "
                            "the settings counts"));
}

/**
 * gmcp_manager_add_default_sources:
 * @self: a manager
 *
 * Adds the places that a desktop has: the user's files below `$XDG_CONFIG_HOME` (`mcp/mcp.json`, which
 * other programs read too, and `gmcp/mcp-servers.json`, `gmcp/mcp_servers.yaml`,
 * `gmcp/mcp_servers.toml`, `gmcp/config.toml` and `gmcp/tools.yaml`), then the settings, and the files
 * `.mcp.json` and `mcp_config.json` of the project where [property@Gmcp.Manager:workspace] is set. None
 * of them has to be there; one that is wrong is told of and left out. A server that stands in two of
 * them is taken from the first. Those of a project run only once the user trusts its file.
 *
 * Since: 0.1
 */
void
gmcp_manager_add_default_sources (GmcpManager *self)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_default_sources_add (gmcp_manager_get_default_sources (self));
}

/**
 * gmcp_manager_remove_source:
 * @self: a manager
 * @source: a place that was added
 *
 * Takes away a place that configurations come from, such as the file of a plugin that is unloaded. Its
 * servers are stopped and go; one of the same id that stands in another place counts from now on. A
 * source that is not there is let pass.
 *
 * Since: 0.1
 */
void
gmcp_manager_remove_source (GmcpManager *self, GmcpConfigSource *source)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_CONFIG_SOURCE (source));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_config_stack_remove (gmcp_manager_get_config_stack (self), source);
}

/**
 * gmcp_manager_list_sources:
 * @self: a manager
 *
 * Lists the places that the configuration comes from, in order of precedence.
 *
 * Returns: (transfer container) (element-type GmcpConfigSource): the places
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_manager_list_sources (GmcpManager *self)
{
  GPtrArray *sources;

  g_return_val_if_fail (GMCP_IS_MANAGER (self), g_ptr_array_new ());
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return g_ptr_array_new ();

  sources = gmcp_config_stack_list_active (gmcp_manager_get_config_stack (self));
  g_ptr_array_foreach (sources, (GFunc) g_object_ref, NULL);
  g_ptr_array_set_free_func (sources, g_object_unref);
  return sources;
}

char *
gmcp_manager_dup_untrusted_file (GmcpManager *self)
{
  GmcpConfigStack *stack = gmcp_manager_get_config_stack (self);
  g_autoptr (GPtrArray) active = gmcp_config_stack_list_active (stack);

  for (guint i = 0; gmcp_config_stack_peek_file (stack) == NULL && i < active->len; i++)
    {
      GmcpFileConfigSource *file = gmcp_config_source_peek_file (g_ptr_array_index (active, i));

      if (file != NULL && !gmcp_file_config_source_is_trusted (file)
          && g_list_model_get_n_items (gmcp_config_source_get_findings (GMCP_CONFIG_SOURCE (file)))
               > 0)
        return gmcp_file_config_source_dup_name (file);
    }
  return NULL;
}

static gboolean
has_error (GmcpConfigSource *source)
{
  GListModel *findings = gmcp_config_source_get_findings (source);

  for (guint i = 0; i < g_list_model_get_n_items (findings); i++)
    {
      g_autoptr (GmcpConfigFinding) finding = g_list_model_get_item (findings, i);

      if (gmcp_config_finding_get_severity (finding) == GMCP_NOTICE_LEVEL_ERROR)
        return TRUE;
    }
  return FALSE;
}

char *
gmcp_manager_dup_file_for_servers (GmcpManager *self)
{
  g_autoptr (GPtrArray) active
    = gmcp_config_stack_list_active (gmcp_manager_get_config_stack (self));
  char *first = NULL;

  if (gmcp_server_table_get_length (gmcp_manager_get_server_table (self)) > 0)
    return NULL;

  for (guint i = 0; i < active->len; i++)
    {
      GmcpConfigSource *source = g_ptr_array_index (active, i);
      GmcpFileConfigSource *file = gmcp_config_source_peek_file (source);

      if (has_error (source))
        {
          g_free (first);
          return NULL;
        }
      if (first == NULL && file != NULL && gmcp_file_config_source_is_trusted (file))
        first = gmcp_file_config_source_dup_name (file);
    }
  return first;
}

/**
 * gmcp_manager_load_config_async:
 * @self: a manager
 * @cancellable: (nullable): a cancellable
 * @callback: (scope async): called in the caller's thread-default context
 * @user_data: data for @callback
 *
 * Reads the configuration, so that the list of servers is there. No server is started by it.
 *
 * Fails with %GMCP_ERROR_INVALID_CONFIG where a file cannot be read or holds something wrong; what
 * was read before stays.
 *
 * Since: 0.1
 */
void
gmcp_manager_load_config_async (GmcpManager *self,
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
  g_task_set_source_tag (task, gmcp_manager_load_config_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (gmcp_manager_is_closed (self))
    {
      g_task_return_error (task, gmcp_manager_closed_error ());
      return;
    }

  gmcp_config_stack_load (gmcp_manager_get_config_stack (self), task);
}

/**
 * gmcp_manager_load_config_finish:
 * @self: a manager
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Gmcp.Manager.load_config_async].
 *
 * Returns: whether the configuration was read
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_load_config_finish (GmcpManager *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_manager_load_config_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

typedef struct
{
  GTask *task; /* (owned) */
  GmcpManagerTaskFunc func;
} ConfiguredTask;

static void
on_config_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree ConfiguredTask *waiting = data;
  g_autoptr (GTask) task = waiting->task;
  GError *error = NULL;

  if (gmcp_manager_load_config_finish (GMCP_MANAGER (object), result, &error))
    waiting->func (task);
  else
    g_task_return_error (task, error);
}

void
gmcp_manager_when_configured (GTask *task, GmcpManagerTaskFunc func)
{
  g_autoptr (GTask) owned = task;
  GmcpManager *self = g_task_get_source_object (task);
  ConfiguredTask *waiting;

  if (gmcp_config_stack_is_loaded (gmcp_manager_get_config_stack (self))
      && !gmcp_manager_is_closed (self))
    {
      func (task);
      return;
    }

  waiting = g_new0 (ConfiguredTask, 1);
  waiting->task = g_steal_pointer (&owned);
  waiting->func = func;
  gmcp_manager_load_config_async (self, g_task_get_cancellable (task), on_config_loaded, waiting);
}
