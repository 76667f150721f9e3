/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-source-policy-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-fill-private.h"
#include "gmcp-manager-places-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-settings-config-source-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/config/settings/gmcp-settings-config-source.h>

/* One source that is being read. */
typedef struct
{
  GmcpManager *manager;
  guint generation;
} Reading;

static void
on_locks_changed (gpointer data)
{
  GmcpManagerSource *source = data;

  gmcp_manager_apply_config (source->manager);
}

static void
on_source_changed (GListModel *list, guint position, guint removed, guint added, gpointer data)
{
  GmcpManagerSource *source = data;

  if (gmcp_manager_source_is_active (source))
    gmcp_manager_apply_config (source->manager);
}

static void
on_policy_changed (GmcpConfigSource *config_source, gpointer data)
{
  GmcpManagerSource *source = data;

  if (gmcp_manager_source_is_active (source) || GMCP_IS_SETTINGS_CONFIG_SOURCE (config_source))
    {
      gmcp_manager_apply_config_policy (source->manager);
      if (gmcp_manager_get_private (source->manager)->config_loaded)
        gmcp_manager_apply_file_settings (source->manager);
    }
}

static GmcpNoticeLevel
find_level (GmcpConfigSource *source, const GError *error)
{
  GListModel *findings = gmcp_config_source_get_findings (source);
  guint n_findings = g_list_model_get_n_items (findings);

  for (guint i = 0; i < n_findings; i++)
    {
      g_autoptr (GmcpConfigFinding) finding = g_list_model_get_item (findings, i);
      g_autofree char *text = gmcp_config_finding_dup_text (finding);

      if (g_str_equal (text, error->message))
        return gmcp_config_finding_get_severity (finding);
    }
  /* Of a file as a whole. */
  return GMCP_IS_FILE_CONFIG_SOURCE (source) ? GMCP_NOTICE_LEVEL_ERROR : GMCP_NOTICE_LEVEL_WARNING;
}

static void
on_problem_found (GmcpConfigSource *config_source,
                  const char *server_id,
                  const GError *error,
                  gpointer data)
{
  GmcpManagerSource *source = data;

  /* Settings that cannot be read lock nothing. */
  if (gmcp_manager_source_is_active (source))
    gmcp_manager_notice (source->manager, server_id, find_level (config_source, error),
                         error->message);
}

static GmcpManagerSource *
source_new (GmcpManager *self, GmcpConfigSource *config_source)
{
  GmcpManagerSource *source = g_new0 (GmcpManagerSource, 1);

  source->manager = self;
  source->source = g_object_ref (config_source);
  g_signal_connect (gmcp_config_source_get_servers (config_source), "items-changed",
                    G_CALLBACK (on_source_changed), source);
  g_signal_connect (config_source, "problem-found", G_CALLBACK (on_problem_found), source);
  g_signal_connect (config_source, "policy-changed", G_CALLBACK (on_policy_changed), source);
  if (GMCP_IS_SETTINGS_CONFIG_SOURCE (config_source))
    gmcp_settings_config_source_watch_locks (GMCP_SETTINGS_CONFIG_SOURCE (config_source),
                                             on_locks_changed, source);
  return source;
}

void
gmcp_manager_source_free (GmcpManagerSource *source)
{
  g_signal_handlers_disconnect_by_data (gmcp_config_source_get_servers (source->source), source);
  g_signal_handlers_disconnect_by_data (source->source, source);
  if (GMCP_IS_SETTINGS_CONFIG_SOURCE (source->source))
    gmcp_settings_config_source_watch_locks (GMCP_SETTINGS_CONFIG_SOURCE (source->source), NULL,
                                             NULL);
  g_object_unref (source->source);
  g_free (source);
}

static gboolean
has_contents (GmcpConfigSource *source)
{
  GPtrArray *policies[]
    = { gmcp_config_source_peek_roles (source), gmcp_config_source_peek_requirements (source),
        gmcp_config_source_peek_projects (source) };

  for (gsize i = 0; i < G_N_ELEMENTS (policies); i++)
    if (policies[i] != NULL && policies[i]->len > 0)
      return TRUE;

  return g_list_model_get_n_items (gmcp_config_source_get_servers (source)) > 0;
}

/* Those that hold for all servers, from the first source that has some; beside a file of the host's only
 * what is locked in them. */
static void
follow_settings (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpSettingsConfigSource *source = gmcp_manager_get_settings_source (self);

  gmcp_effective_settings_follow (
    priv->settings, source != NULL ? gmcp_settings_config_source_get_settings (source) : NULL,
    priv->file != NULL);
}

static void
loading_done (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GError) error = g_steal_pointer (&priv->load_error);

  if (error == NULL)
    {
      priv->config_loaded = TRUE;
      follow_settings (self);
      /* Settings that list no server may lock something for those of other places, and what a place
       * had before it was added was no change. */
      if (gmcp_manager_get_settings_source (self) != NULL || priv->has_unapplied)
        gmcp_manager_apply_config (self);
      else
        gmcp_manager_apply_file_settings (self);
    }
  else
    {
      gmcp_manager_notice (self, NULL, GMCP_NOTICE_LEVEL_ERROR, error->message);
    }

  gmcp_pending_tasks_settle (&priv->config_waiters, error);
}

static void
on_source_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  Reading *reading = data;
  g_autoptr (GmcpManager) self = reading->manager;
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  guint generation = reading->generation;
  g_autoptr (GError) error = NULL;

  g_free (reading);
  gmcp_config_source_load_finish (GMCP_CONFIG_SOURCE (object), result, &error);
  if (generation != priv->load_generation)
    return;

  if (error != NULL && gmcp_manager_source_is_optional (GMCP_CONFIG_SOURCE (object)))
    gmcp_manager_notice (self, NULL, GMCP_NOTICE_LEVEL_ERROR, error->message);
  else if (priv->load_error == NULL)
    priv->load_error = g_steal_pointer (&error);
  if (--priv->n_loading == 0)
    loading_done (self);
}

static void
load_source (GmcpManager *self, GmcpConfigSource *source)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  Reading *reading = g_new (Reading, 1);

  reading->manager = g_object_ref (self);
  reading->generation = priv->load_generation;
  gmcp_config_source_load_async (source, NULL, on_source_loaded, reading);
}

static void
on_state_loaded (gpointer owner, gpointer data)
{
  GmcpManager *self = owner;
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (GPOINTER_TO_UINT (data) == priv->load_generation && --priv->n_loading == 0)
    loading_done (self);
}

static void
begin_loading (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) active = gmcp_manager_list_active_sources (self);
  guint generation = ++priv->load_generation;

  /* A source may answer, and its user may change the sources, while the others are asked. */
  if (priv->file != NULL && gmcp_manager_get_settings_source (self) != NULL)
    g_ptr_array_add (sources, g_object_ref (gmcp_manager_get_settings_source (self)));
  for (guint i = 0; i < active->len; i++)
    {
      GmcpManagerSource *source = g_ptr_array_index (active, i);

      g_ptr_array_add (sources, g_object_ref (source->source));
    }

  /* Two more, for this function and for what is kept in files. */
  priv->n_loading = sources->len + 2;
  g_main_context_push_thread_default (priv->context);
  gmcp_state_store_load (priv->state, on_state_loaded, GUINT_TO_POINTER (generation));
  for (guint i = 0; i < sources->len; i++)
    load_source (self, g_ptr_array_index (sources, i));
  g_main_context_pop_thread_default (priv->context);

  if (generation == priv->load_generation && --priv->n_loading == 0)
    loading_done (self);
}

void
gmcp_manager_use_file (GmcpManager *self, const char *path)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  g_clear_pointer (&priv->file, gmcp_manager_source_free);
  if (path != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (GmcpConfigSource) source = NULL;

      g_main_context_push_thread_default (priv->context);
      source = gmcp_file_config_source_new (file);
      g_main_context_pop_thread_default (priv->context);
      priv->file = source_new (self, source);
    }

  if (priv->n_loading == 0 && !priv->config_loaded)
    return;

  if (priv->config_loaded)
    follow_settings (self);
  /* What is being read from elsewhere does not count any more. */
  priv->config_loaded = FALSE;
  priv->load_generation++;
  priv->n_loading = 0;
  g_clear_error (&priv->load_error);
  gmcp_manager_apply_config (self);
  begin_loading (self);
}

void
gmcp_manager_drop_project_sources (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  gboolean dropped = FALSE;

  for (guint i = priv->sources->len; priv->reads_projects && i > 0; i--)
    {
      GmcpManagerSource *source = g_ptr_array_index (priv->sources, i - 1);
      GmcpFileConfigSource *file = gmcp_manager_source_get_file_source (source);
      gboolean project = FALSE;

      if (file != NULL)
        g_object_get (file, "project", &project, NULL);
      if (!project)
        continue;
      g_ptr_array_remove_index (priv->sources, i - 1);
      dropped = TRUE;
    }
  if (dropped && priv->config_loaded)
    gmcp_manager_apply_config (self);
}

void
gmcp_manager_drop_config (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GError) error = gmcp_manager_closed_error ();

  priv->load_generation++;
  priv->n_loading = 0;
  g_clear_error (&priv->load_error);
  gmcp_effective_settings_close (priv->settings);
  g_ptr_array_set_size (priv->sources, 0);
  g_clear_pointer (&priv->file, gmcp_manager_source_free);
  gmcp_pending_tasks_settle (&priv->config_waiters, error);
}

static void
add_source (GmcpManager *self, GmcpConfigSource *config_source, gboolean is_own)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GmcpManagerSource *source;

  if (priv->closed)
    return;

  source = source_new (self, config_source);
  source->is_own = is_own;
  g_ptr_array_add (priv->sources, source);
  priv->has_unapplied |= has_contents (config_source);
  if (!gmcp_manager_source_is_active (source) || (priv->n_loading == 0 && !priv->config_loaded))
    return;

  gmcp_manager_apply_config (self);
  begin_loading (self);
}

void
gmcp_manager_add_place (GmcpManager *self, GmcpConfigSource *source)
{
  add_source (self, source, FALSE);
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
  gboolean is_own;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_CONFIG_SOURCE (source));

  is_own = !GMCP_IS_SETTINGS_CONFIG_SOURCE (source);
  add_source (self, source, is_own);
  if (!is_own && gmcp_manager_get_private (self)->file != NULL)
    gmcp_manager_notice (self, NULL, GMCP_NOTICE_LEVEL_INFO,
                         _ ("Beside the configuration file that is set, only what is locked in "
                            "the settings counts"));
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
  GmcpManagerPrivate *priv;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (GMCP_IS_CONFIG_SOURCE (source));

  priv = gmcp_manager_get_private (self);
  for (guint i = 0; i < priv->sources->len; i++)
    {
      GmcpManagerSource *one = g_ptr_array_index (priv->sources, i);

      if (one->source != source)
        continue;
      g_ptr_array_remove_index (priv->sources, i);
      if (priv->config_loaded)
        follow_settings (self);
      gmcp_manager_apply_config (self);
      return;
    }
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
  GmcpManagerPrivate *priv;
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  priv = gmcp_manager_get_private (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, gmcp_manager_load_config_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (priv->closed)
    {
      g_task_return_error (task, gmcp_manager_closed_error ());
      return;
    }

  gmcp_pending_tasks_add (&priv->config_waiters, task);
  if (priv->n_loading == 0)
    begin_loading (self);
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
