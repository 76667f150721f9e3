/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-source-policy-private.h"
#include "gmcp-display-context-private.h"
#include "gmcp-file-config-source-private.h"
#include "gmcp-lockdown-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-manager-private.h"
#include "gmcp-manager-roles-private.h"
#include "gmcp-manager-servers-private.h"
#include "gmcp-requirement-set-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/config/settings/gmcp-settings-config-source.h>

/* What the places say, put together: which server, role, tier, project and setting counts. */

static GmcpServerConfig *
expand_config (GmcpManager *self, GmcpConfigSource *source, GmcpServerConfig *config)
{
  GmcpManagedServer *present = gmcp_manager_get_server (self, gmcp_server_config_get_id (config));

  return gmcp_display_context_expand_config (
    gmcp_manager_get_display_context (self), source, config,
    present != NULL ? gmcp_managed_server_get_config (present) : NULL,
    gmcp_manager_peek_workspace_path (self));
}

static void
add_config (GmcpManager *self,
            GmcpConfigSource *source,
            GmcpServerConfig *config,
            GPtrArray *configs,
            GHashTable *seen)
{
  const char *id = gmcp_server_config_get_id (config);
  GmcpSettingsConfigSource *locks
    = gmcp_config_stack_peek_settings (gmcp_manager_get_config_stack (self));
  g_autoptr (GmcpServerConfig) started = NULL;
  g_autoptr (GmcpServerConfig) locked = NULL;
  GmcpServerConfig *filled;

  if (g_hash_table_contains (seen, id))
    {
      g_debug ("Server “%s” is configured twice; the first one holds", id);
      return;
    }
  if (!gmcp_lockdown_permits_id (locks, id))
    {
      g_debug ("Server “%s” is not in the list that the administrator has locked", id);
      return;
    }

  /* A server that is left out is not replaced by another of its id. */
  g_hash_table_add (seen, (gpointer) id);
  if (gmcp_server_config_has_default_start (config) && gmcp_manager_get_auto_start_default (self))
    {
      started = gmcp_server_config_copy (config);
      gmcp_server_config_set_start (started, GMCP_SERVER_START_ON_DEMAND);
    }
  locked = gmcp_lockdown_apply (locks, started != NULL ? started : config);
  filled = expand_config (self, source, locked);
  if (filled != NULL)
    g_ptr_array_add (configs, filled);
}

/* only_approved: those that stand in for others. */
static void
add_configs (GmcpManager *self,
             GmcpConfigSource *source,
             gboolean only_approved,
             GPtrArray *configs,
             GHashTable *seen)
{
  GListModel *list = gmcp_config_source_get_servers (source);
  guint length = g_list_model_get_n_items (list);

  for (guint i = 0; i < length; i++)
    {
      g_autoptr (GmcpServerConfig) config = g_list_model_get_item (list, i);

      if (!only_approved || gmcp_server_config_stands_in (config))
        add_config (self, source, config, configs, seen);
    }
}

/* What the host has added, and what it has withdrawn of all others. */
static void
add_own (GmcpManager *self, GPtrArray *configs, GHashTable *seen)
{
  GmcpConfigStack *stack = gmcp_manager_get_config_stack (self);
  GPtrArray *added = gmcp_config_stack_peek_added (stack);
  GHashTableIter iter;
  gpointer id;

  for (guint i = 0; i < added->len; i++)
    {
      GmcpServerConfig *config = g_ptr_array_index (added, i);

      GmcpServerConfig *filled = expand_config (self, NULL, config);

      /* A program's own is taken as it is. */
      g_ptr_array_add (configs, filled != NULL ? filled : g_object_ref (config));
      g_hash_table_add (seen, (gpointer) gmcp_server_config_get_id (config));
    }

  g_hash_table_iter_init (&iter, gmcp_config_stack_peek_withdrawn (stack));
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_hash_table_add (seen, id);
}

/* What roles, tiers and projects there are. */
typedef struct
{
  GmcpManager *manager;
  GPtrArray *roles;
  GPtrArray *requirements;
  GPtrArray *projects;
} Rules;

static void
add_objects (Rules *rules, GmcpConfigSource *source, GPtrArray *array, GPtrArray *objects)
{
  GmcpDisplayContext *display = gmcp_manager_get_display_context (rules->manager);
  g_autofree char *workspace
    = gmcp_config_source_dup_workspace (source, gmcp_manager_peek_workspace_path (rules->manager));

  for (guint i = 0; objects != NULL && i < objects->len; i++)
    g_ptr_array_add (array, g_object_ref (gmcp_display_context_expand_object (
                              display, g_ptr_array_index (objects, i), workspace)));
}

static void
add_rules (Rules *rules, GmcpConfigSource *source)
{
  add_objects (rules, source, rules->roles, gmcp_config_source_peek_roles (source));
  add_objects (rules, source, rules->requirements, gmcp_config_source_peek_requirements (source));
  add_objects (rules, source, rules->projects, gmcp_config_source_peek_projects (source));
}

/* Of a place that does not count, only what is locked does. */
static void
add_locked_rules (Rules *rules, GmcpConfigSource *source)
{
  GmcpSettingsConfigSource *locks
    = GMCP_IS_SETTINGS_CONFIG_SOURCE (source)
        ? gmcp_config_stack_peek_settings (gmcp_manager_get_config_stack (rules->manager))
        : NULL;

  if (gmcp_lockdown_has_key (locks, "roles"))
    add_objects (rules, source, rules->roles, gmcp_config_source_peek_roles (source));
  if (gmcp_lockdown_has_key (locks, "requirements"))
    add_objects (rules, source, rules->requirements, gmcp_config_source_peek_requirements (source));
  if (gmcp_lockdown_has_key (locks, "projects"))
    add_objects (rules, source, rules->projects, gmcp_config_source_peek_projects (source));
}

static void
apply_rules (GmcpManager *self, GPtrArray *active)
{
  GmcpConfigStack *stack = gmcp_manager_get_config_stack (self);
  g_autoptr (GPtrArray) roles = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) requirements = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) projects = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) inactive = gmcp_config_stack_list_inactive (stack);
  Rules rules = { self, roles, requirements, projects };

  /* What is locked comes before all others. */
  for (guint i = 0; i < inactive->len; i++)
    add_locked_rules (&rules, g_ptr_array_index (inactive, i));
  for (guint i = 0; i < active->len; i++)
    add_rules (&rules, g_ptr_array_index (active, i));

  gmcp_requirement_set_configure (gmcp_manager_get_requirement_set (self), requirements);
  gmcp_manager_set_config_roles (self, roles);
  gmcp_manager_set_config_projects (self, projects);
}

/* The settings that hold for all servers: those of GSettings are followed once all places were read, and
 * beside a file of the host's only what is locked in them. */
static void
apply_settings (GmcpManager *self, GPtrArray *active)
{
  GmcpConfigStack *stack = gmcp_manager_get_config_stack (self);
  GmcpEffectiveSettings *settings = gmcp_manager_get_settings (self);
  GmcpSettingsConfigSource *source = gmcp_config_stack_peek_settings (stack);
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autoptr (GPtrArray) projects = g_ptr_array_new ();

  if (source == NULL)
    gmcp_effective_settings_follow (settings, NULL, FALSE);
  else if (gmcp_config_stack_was_loaded (stack))
    gmcp_effective_settings_follow (settings, gmcp_settings_config_source_get_settings (source),
                                    gmcp_config_stack_peek_file (stack) != NULL);

  for (guint i = 0; i < active->len; i++)
    {
      GmcpFileConfigSource *file = gmcp_config_source_peek_file (g_ptr_array_index (active, i));
      GmcpConfigContents *contents = file != NULL && gmcp_file_config_source_is_trusted (file)
                                       ? gmcp_file_config_source_peek_contents (file)
                                       : NULL;

      if (contents != NULL)
        g_ptr_array_add (file->project ? projects : files, &contents->settings);
    }
  gmcp_effective_settings_take_files (settings, files, projects);
}

static void
tell_of_problem (const char *server_id, GmcpNoticeLevel level, const char *message, gpointer data)
{
  gmcp_manager_notice (data, server_id, level, message);
}

void
gmcp_manager_apply_config (GmcpManager *self)
{
  g_autoptr (GmcpManager) alive G_GNUC_UNUSED = g_object_ref (self);
  GmcpDisplayContext *display = gmcp_manager_get_display_context (self);
  GmcpToolCatalog *catalog = gmcp_manager_get_catalog (self);
  g_autoptr (GPtrArray) configs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) active
    = gmcp_config_stack_list_active (gmcp_manager_get_config_stack (self));
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  if (gmcp_manager_is_closed (self))
    return;

  g_ptr_array_set_free_func (active, g_object_unref);
  g_ptr_array_foreach (active, (GFunc) g_object_ref, NULL);
  gmcp_tool_catalog_hold_rules (catalog);
  apply_settings (self, active);
  gmcp_display_context_begin (display);
  apply_rules (self, active);
  gmcp_config_stack_forget_withdrawn (gmcp_manager_get_config_stack (self));
  add_own (self, configs, seen);
  for (guint i = 0; i < 2 * active->len; i++)
    add_configs (self, g_ptr_array_index (active, i % active->len), i < active->len, configs, seen);

  gmcp_manager_set_configs (self, configs);
  gmcp_tool_catalog_release_rules (catalog);
  gmcp_display_context_end (display, tell_of_problem, self);
}
