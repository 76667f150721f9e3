/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-config-entry-keys-private.h"
#include "gmcp-file-config-source-private.h"
#include "gmcp-manager-fill-private.h"
#include "gmcp-manager-places-private.h"
#include "gmcp-redactor-config-private.h"

#include <gmcp/config/settings/gmcp-settings-config-source.h>

/* Below $XDG_CONFIG_HOME, in order of precedence. */
static const char *const user_files[] = {
  "mcp/mcp.json",          "gmcp/mcp-servers.json", "gmcp/mcp_servers.yaml",
  "gmcp/mcp_servers.toml", "gmcp/config.toml",      "gmcp/tools.yaml",
};

/* In the folder of a project. */
static const char *const project_files[] = { ".mcp.json", "mcp_config.json" };

GmcpFileConfigSource *
gmcp_manager_source_get_file_source (GmcpManagerSource *source)
{
  return GMCP_IS_FILE_CONFIG_SOURCE (source->source) ? GMCP_FILE_CONFIG_SOURCE (source->source)
                                                     : NULL;
}

gboolean
gmcp_manager_source_is_optional (GmcpConfigSource *source)
{
  gboolean optional = FALSE;

  if (GMCP_IS_FILE_CONFIG_SOURCE (source))
    g_object_get (source, "optional", &optional, NULL);
  return optional;
}

static gboolean
ask (GObject *target, GmcpConfigInput *input)
{
  return gmcp_manager_request_config_input (GMCP_MANAGER (target), input);
}

static void
learn (GObject *target, GmcpServerConfig *filled, GPtrArray *variables, GPtrArray *secrets)
{
  GmcpRedactor *redactor = gmcp_manager_get_private (GMCP_MANAGER (target))->book->redactor;

  gmcp_redactor_add_config (redactor, filled);
  for (guint i = 0; i < variables->len; i++)
    {
      const char *variable = g_ptr_array_index (variables, i);
      gsize length = strcspn (variable, "=");

      /* A shell's name for the folder that it is in, and no password. */
      if (!g_str_has_prefix (variable, "PWD=") && !gmcp_config_is_pattern (variable + length + 1))
        gmcp_redactor_add_named (redactor, variable, length, variable + length + 1);
    }
  for (guint i = 0; i < secrets->len; i++)
    gmcp_redactor_add_secret (redactor, g_ptr_array_index (secrets, i));
}

static char *
recall (GObject *target, const char *key)
{
  GHashTable *answers = gmcp_manager_get_private (GMCP_MANAGER (target))->answers;

  return answers != NULL ? g_strdup (g_hash_table_lookup (answers, key)) : NULL;
}

/* In memory, and nowhere else: it may be a password. */
static void
remember (GObject *target, const char *key, const char *value)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (GMCP_MANAGER (target));

  if (priv->answers == NULL)
    priv->answers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (value != NULL)
    g_hash_table_replace (priv->answers, g_strdup (key), g_strdup (value));
  else
    g_hash_table_remove (priv->answers, key);
}

/**
 * gmcp_manager_forget_inputs:
 * @self: a manager
 *
 * Forgets what was answered to [signal@Gmcp.Manager::config-input-requested], which is kept in memory as
 * long as the manager lives, so that a server is asked about once. From now on the values are asked for
 * again when a server that needs them is started.
 *
 * Since: 0.1
 */
void
gmcp_manager_forget_inputs (GmcpManager *self)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));

  g_clear_pointer (&gmcp_manager_get_private (self)->answers, g_hash_table_unref);
}

GStrv
gmcp_manager_fill_expand_context (GmcpManager *self, GmcpConfigExpandContext *context)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (guint i = 0; i < priv->sections->len; i++)
    {
      GmcpManagerSection *section = g_ptr_array_index (priv->sections, i);

      g_ptr_array_add (ids, g_strdup (gmcp_managed_server_get_id (section->server)));
    }
  g_ptr_array_add (ids, NULL);

  context->ids = (const char *const *) ids->pdata;
  context->workspace = priv->workspace;
  context->ask = ask;
  context->learn = learn;
  context->recall = recall;
  context->remember = remember;
  context->target = G_OBJECT (self);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&ids), FALSE);
}

void
gmcp_manager_apply_file_settings (GmcpManager *self)
{
  g_autoptr (GPtrArray) active = gmcp_manager_list_active_sources (self);
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autoptr (GPtrArray) projects = g_ptr_array_new ();

  for (guint i = 0; i < active->len; i++)
    {
      GmcpFileConfigSource *file
        = gmcp_manager_source_get_file_source (g_ptr_array_index (active, i));
      GmcpConfigContents *contents = file != NULL && gmcp_file_config_source_is_trusted (file)
                                       ? gmcp_file_config_source_peek_contents (file)
                                       : NULL;

      if (contents != NULL)
        g_ptr_array_add (file->project ? projects : files, &contents->settings);
    }
  gmcp_effective_settings_take_files (gmcp_manager_get_private (self)->settings, files, projects);
}

static void
add_file (GmcpManager *self, const char *folder, const char *name, gboolean project)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GmcpConfigSource) source = NULL;

#ifndef HAVE_YAML
  if (g_str_has_suffix (name, ".yaml"))
    return;
#endif

  g_main_context_push_thread_default (priv->context);
  source = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file, "optional", TRUE, "project",
                         project, NULL);
  g_main_context_pop_thread_default (priv->context);
  gmcp_manager_add_place (self, source);
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
  GmcpManagerPrivate *priv;
  g_autoptr (GmcpConfigSource) settings = NULL;

  g_return_if_fail (GMCP_IS_MANAGER (self));

  priv = gmcp_manager_get_private (self);
  for (gsize i = 0; i < G_N_ELEMENTS (user_files); i++)
    add_file (self, g_get_user_config_dir (), user_files[i], FALSE);

  g_main_context_push_thread_default (priv->context);
  settings = gmcp_settings_config_source_new ();
  g_main_context_pop_thread_default (priv->context);
  gmcp_manager_add_place (self, settings);
  priv->reads_projects = TRUE;
  if (priv->workspace != NULL)
    for (gsize i = 0; i < G_N_ELEMENTS (project_files); i++)
      add_file (self, priv->workspace, project_files[i], TRUE);
}

/**
 * gmcp_manager_get_workspace:
 * @self: a manager
 *
 * Gives the folder that is worked in.
 *
 * Returns: (nullable) (type filename): a full path, or %NULL
 *
 * Since: 0.1
 */
const char *
gmcp_manager_get_workspace (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return gmcp_manager_get_private (self)->workspace;
}

/**
 * gmcp_manager_set_workspace:
 * @self: a manager
 * @workspace: (nullable) (type filename): a full path, or %NULL
 *
 * Sets the folder that is worked in: what `{workspace}` and `${workspaceFolder}` stand for in
 * configurations from now on, and where the files of a project are looked for where
 * [method@Gmcp.Manager.add_default_sources] was called.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_workspace (GmcpManager *self, const char *workspace)
{
  GmcpManagerPrivate *priv;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (workspace == NULL || g_path_is_absolute (workspace));

  priv = gmcp_manager_get_private (self);
  if (priv->closed || g_strcmp0 (priv->workspace, workspace) == 0)
    return;

  gmcp_manager_drop_project_sources (self);
  g_free (priv->workspace);
  priv->workspace = g_strdup (workspace);
  gmcp_effective_settings_set_workspace (priv->settings, workspace);
  if (priv->reads_projects && workspace != NULL)
    for (gsize i = 0; i < G_N_ELEMENTS (project_files); i++)
      add_file (self, workspace, project_files[i], TRUE);
  gmcp_manager_forget_filled_rules (self);
  if (priv->config_loaded)
    gmcp_manager_apply_config (self);
  g_object_notify (G_OBJECT (self), "workspace");
}
