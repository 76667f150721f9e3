/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-file-config-source-private.h"
#include "gmcp-manager-fill-private.h"
#include "gmcp-manager-config-private.h"

#include <gmcp/config/settings/gmcp-settings-config-source.h>

/* Below $XDG_CONFIG_HOME, in order of precedence. */
static const char *const user_files[] = {
  "mcp/mcp.json",          "gmcp/mcp-servers.json", "gmcp/mcp_servers.yaml",
  "gmcp/mcp_servers.toml", "gmcp/config.toml",      "gmcp/tools.yaml",
};

/* In the folder of a project. */
static const char *const project_files[] = { ".mcp.json", "mcp_config.json" };

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
  gmcp_config_stack_add (priv->stack, source, FALSE);
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
  settings = GMCP_CONFIG_SOURCE (gmcp_settings_config_source_new ());
  g_main_context_pop_thread_default (priv->context);
  gmcp_config_stack_add (priv->stack, settings, FALSE);
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

  if (priv->reads_projects)
    gmcp_config_stack_remove_projects (priv->stack);
  g_free (priv->workspace);
  priv->workspace = g_strdup (workspace);
  gmcp_effective_settings_set_workspace (priv->settings, workspace);
  if (priv->reads_projects && workspace != NULL)
    for (gsize i = 0; i < G_N_ELEMENTS (project_files); i++)
      add_file (self, workspace, project_files[i], TRUE);
  gmcp_manager_forget_filled_rules (self);
  if (gmcp_config_stack_is_loaded (priv->stack))
    gmcp_config_stack_tell (priv->stack);
  g_object_notify (G_OBJECT (self), "workspace");
}
