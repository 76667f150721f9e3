/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-default-sources-private.h"
#include "gmcp-local-file-private.h"
#include "gmcp-display-context-private.h"
#include "gmcp-manager-struct-private.h"
#include "gmcp-thread-check-private.h"

GMainContext *
gmcp_manager_get_main_context (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->context;
}

gboolean
gmcp_manager_check_thread (GmcpManager *self, const char *function)
{
  return gmcp_check_thread (self, gmcp_manager_get_main_context (self), function);
}

gboolean
gmcp_manager_is_disposing (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->disposing;
}

gboolean
gmcp_manager_wants_tools (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->wanted;
}

gboolean
gmcp_manager_want_tools (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (priv->wanted)
    return FALSE;

  priv->wanted = TRUE;
  return TRUE;
}

GmcpManagerClosing *
gmcp_manager_get_closing (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->closing;
}

GmcpConfigStack *
gmcp_manager_get_config_stack (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->stack;
}

GmcpEffectiveSettings *
gmcp_manager_get_settings (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->settings;
}

GmcpDefaultSources *
gmcp_manager_get_default_sources (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->default_sources;
}

GmcpConfigAnswers *
gmcp_manager_get_config_answers (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->answers;
}

GmcpDisplayContext *
gmcp_manager_get_display_context (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->display;
}

GmcpFolderGate *
gmcp_manager_get_folder_gate (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->folder_gate;
}

GmcpRequirementSet *
gmcp_manager_get_requirement_set (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->requirements;
}

GmcpServerTable *
gmcp_manager_get_server_table (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->servers;
}

GmcpUnlistedServers *
gmcp_manager_get_unlisted_servers (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->unlisted;
}

GmcpNodeFinder *
gmcp_manager_get_node_finder (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->node_finder;
}

GmcpToolCatalog *
gmcp_manager_get_catalog (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->catalog;
}

GmcpCallRouter *
gmcp_manager_get_call_router (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->router;
}

GmcpProjectSet *
gmcp_manager_get_project_set (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->projects;
}

GmcpPromptCatalog *
gmcp_manager_get_prompt_catalog (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->prompts;
}

GmcpGatheredLists *
gmcp_manager_get_gathered_lists (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (priv->lists == NULL)
    priv->lists = gmcp_manager_make_gathered_lists (self);
  return priv->lists;
}

GmcpResourceWatches *
gmcp_manager_get_resource_watches (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (priv->watches == NULL)
    priv->watches = gmcp_manager_make_resource_watches (self);
  return priv->watches;
}

GmcpGatheredLists *
gmcp_manager_peek_gathered_lists (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->lists;
}

GmcpPolicy *
gmcp_manager_get_policy (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->rules;
}

GmcpApprovals *
gmcp_manager_get_approvals (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->approvals;
}

GmcpPinStore *
gmcp_manager_get_pin_store (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->pins;
}

GmcpToolAccess *
gmcp_manager_get_tool_access (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->access;
}

GmcpStartedCommands *
gmcp_manager_get_started_commands (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->started;
}

GmcpStateStore *
gmcp_manager_get_state_store (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->state;
}

GmcpAuditor *
gmcp_manager_get_auditor (GmcpManager *self)
{
  return gmcp_manager_get_private (self)->auditor;
}

/**
 * gmcp_manager_get_workspace:
 * @self: a manager
 *
 * Gives the folder that is worked in.
 *
 * Returns: (transfer none) (nullable): the folder, or %NULL
 *
 * Since: 0.1
 */
GFile *
gmcp_manager_get_workspace (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return gmcp_default_sources_get_workspace (gmcp_manager_get_default_sources (self));
}

const char *
gmcp_manager_peek_workspace_path (GmcpManager *self)
{
  return gmcp_file_peek_path_or_null (gmcp_manager_get_workspace (self));
}

/**
 * gmcp_manager_set_workspace:
 * @self: a manager
 * @workspace: (nullable): a local folder, or %NULL
 *
 * Sets the folder that is worked in: what `{workspace}` and `${workspaceFolder}` stand for in
 * configurations from now on, and where the files of a project are looked for where
 * [method@Gmcp.Manager.add_default_sources] was called.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_workspace (GmcpManager *self, GFile *workspace)
{
  GmcpManagerPrivate *priv;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (gmcp_file_is_local_or_null (workspace));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  priv = gmcp_manager_get_private (self);
  if (gmcp_manager_is_closed (self)
      || !gmcp_default_sources_set_workspace (priv->default_sources, workspace))
    return;

  gmcp_effective_settings_set_workspace (priv->settings, gmcp_file_peek_path_or_null (workspace));
  gmcp_display_context_forget_objects (priv->display);
  if (gmcp_config_stack_is_loaded (priv->stack))
    gmcp_config_stack_tell (priv->stack);
  g_object_notify (G_OBJECT (self), "workspace");
}

/**
 * gmcp_manager_get_config_file: (get-property config-file)
 * @self: a manager
 *
 * Gives the configuration file that is read in place of every other source.
 *
 * Returns: (transfer none) (nullable): the file, or %NULL
 *
 * Since: 0.1
 */
GFile *
gmcp_manager_get_config_file (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return gmcp_manager_get_private (self)->config_file;
}

/**
 * gmcp_manager_set_config_file: (set-property config-file)
 * @self: a manager
 * @config_file: (nullable): a local file, or %NULL
 *
 * Sets the configuration file that is read in place of every other source. Where the configuration
 * has been read already, it is read anew from there.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_config_file (GmcpManager *self, GFile *config_file)
{
  GmcpManagerPrivate *priv;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (gmcp_file_is_local_or_null (config_file));

  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  priv = gmcp_manager_get_private (self);
  if (gmcp_manager_is_closed (self) || gmcp_file_equal_or_null (priv->config_file, config_file))
    return;

  g_set_object (&priv->config_file, config_file);
  gmcp_config_stack_use_file (priv->stack, priv->config_file);
  g_object_notify (G_OBJECT (self), "config-file");
}

/**
 * gmcp_manager_get_host: (get-property host)
 * @self: a manager
 *
 * Gives the id of the program that uses the manager.
 *
 * Returns: (nullable): the id
 *
 * Since: 0.1
 */
const char *
gmcp_manager_get_host (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return gmcp_manager_get_private (self)->host;
}

/**
 * gmcp_manager_set_host: (set-property host)
 * @self: a manager
 * @host: (nullable): the id of the program that uses the manager, such as `org.example.Notes`
 *
 * Says which program uses the manager. Servers that are started from now on are told it as the name
 * of their client. Roles that are for one host hold from then on if it is this one.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_host (GmcpManager *self, const char *host)
{
  GmcpManagerPrivate *priv;

  g_return_if_fail (GMCP_IS_MANAGER (self));

  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  priv = gmcp_manager_get_private (self);
  if (g_strcmp0 (priv->host, host) == 0)
    return;

  g_free (priv->host);
  priv->host = g_strdup (host);
  gmcp_auditor_set_host (priv->auditor, host);
  for (guint i = 0; i < gmcp_server_table_get_length (priv->servers); i++)
    {
      GmcpManagedServer *server = gmcp_server_table_get_server (priv->servers, i);

      gmcp_managed_server_set_client_name (server, priv->host);
    }
  gmcp_tool_access_set_host (priv->access, host);
  gmcp_tool_catalog_refresh_rules (priv->catalog);
  g_object_notify (G_OBJECT (self), "host");
}

/**
 * gmcp_manager_get_response_cache:
 * @self: a manager
 *
 * Gives the cache that all servers share. It is in memory only; how much it holds is
 * [property@Gmcp.Manager:max-cache-bytes].
 *
 * Returns: (transfer none): the cache
 *
 * Since: 0.1
 */
GmcpResponseCache *
gmcp_manager_get_response_cache (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return gmcp_manager_get_private (self)->cache;
}

/**
 * gmcp_manager_get_instructions: (get-property instructions)
 * @self: a manager
 *
 * Gives what the servers say about their use, for a model: a section for each server that says
 * something, with its title.
 *
 * Returns: (nullable): the text, in Markdown; %NULL where no server says anything
 *
 * Since: 0.1
 */
const char *
gmcp_manager_get_instructions (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), NULL);

  return gmcp_tool_catalog_get_instructions (gmcp_manager_get_catalog (self));
}

/**
 * gmcp_manager_get_tool_name_style:
 * @self: a manager
 *
 * Says how tools are named to the host.
 *
 * Returns: the style
 *
 * Since: 0.1
 */
GmcpToolNameStyle
gmcp_manager_get_tool_name_style (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), GMCP_TOOL_NAME_STYLE_SERVER_TOOL);

  return gmcp_effective_settings_get_enum (gmcp_manager_get_settings (self),
                                           GMCP_SETTING_TOOL_NAME_STYLE);
}

/**
 * gmcp_manager_set_tool_name_style:
 * @self: a manager
 * @tool_name_style: a style
 *
 * Sets how tools are named to the host. The list is named anew; the former names are still found.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_tool_name_style (GmcpManager *self, GmcpToolNameStyle tool_name_style)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_effective_settings_set_enum (gmcp_manager_get_settings (self), GMCP_SETTING_TOOL_NAME_STYLE,
                                    (int) tool_name_style);
}

/**
 * gmcp_manager_get_auto_start_default:
 * @self: a manager
 *
 * Says whether servers of files start when they are needed where neither they nor the file say it.
 *
 * Returns: whether they do
 *
 * Since: 0.1
 */
gboolean
gmcp_manager_get_auto_start_default (GmcpManager *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), FALSE);

  return gmcp_effective_settings_get_boolean (gmcp_manager_get_settings (self),
                                              GMCP_SETTING_AUTO_START_DEFAULT);
}

/**
 * gmcp_manager_set_auto_start_default:
 * @self: a manager
 * @auto_start_default: whether they do
 *
 * Sets whether servers that stand below `mcp_servers` in a file start when they are needed where neither
 * they nor the file (`auto_start_default`) say it. Otherwise they are for the user to start.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_auto_start_default (GmcpManager *self, gboolean auto_start_default)
{
  g_return_if_fail (GMCP_IS_MANAGER (self));
  if (!gmcp_manager_check_thread (self, G_STRFUNC))
    return;

  gmcp_effective_settings_set_boolean (
    gmcp_manager_get_settings (self), GMCP_SETTING_AUTO_START_DEFAULT, auto_start_default != FALSE);
}
