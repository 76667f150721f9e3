/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-source-policy-private.h"
#include "gmcp-manager-fill-private.h"
#include "gmcp-manager-places-private.h"
#include "gmcp-manager-policy-private.h"
#include "gmcp-manager-projects-private.h"
#include "gmcp-server-config-private.h"

#include <gmcp/config/settings/gmcp-settings-config-source.h>

/* What the places say, put together: which server, role, tier and project counts. */

gboolean
gmcp_manager_source_is_active (GmcpManagerSource *source)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (source->manager);

  return priv->file == NULL || priv->file == source || source->is_own;
}

GPtrArray *
gmcp_manager_list_active_sources (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GPtrArray *active = g_ptr_array_new ();

  if (priv->file != NULL)
    g_ptr_array_add (active, priv->file);
  for (guint i = 0; i < priv->sources->len; i++)
    if (gmcp_manager_source_is_active (g_ptr_array_index (priv->sources, i)))
      g_ptr_array_add (active, g_ptr_array_index (priv->sources, i));

  return active;
}

static void
add_config (GmcpManager *self,
            GmcpConfigSource *source,
            GmcpServerConfig *config,
            GPtrArray *configs,
            GHashTable *seen)
{
  const char *id = gmcp_server_config_get_id (config);
  g_autoptr (GmcpServerConfig) started = NULL;
  g_autoptr (GmcpServerConfig) locked = NULL;
  GmcpServerConfig *filled;

  if (g_hash_table_contains (seen, id))
    {
      g_debug ("Server “%s” is configured twice; the first one holds", id);
      return;
    }
  if (!gmcp_manager_permits_id (self, id))
    {
      g_debug ("Server “%s” is not in the list that the administrator has locked", id);
      return;
    }

  /* One that is left out is not stood in for by another of its id. */
  g_hash_table_add (seen, (gpointer) id);
  if (config->start_is_default && gmcp_manager_get_auto_start_default (self))
    {
      started = gmcp_server_config_copy (config);
      started->start = GMCP_SERVER_START_ON_DEMAND;
    }
  locked = gmcp_manager_lock_config (self, started != NULL ? started : config);
  filled = gmcp_manager_fill_config (self, source, locked);
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

      if (!only_approved || config->stands_in)
        add_config (self, source, config, configs, seen);
    }
}

/* What the host has added, and what it has withdrawn of all others. */
static void
add_own (GmcpManager *self, GPtrArray *configs, GHashTable *seen)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  GHashTableIter iter;
  gpointer id;

  for (guint i = 0; i < priv->added->len; i++)
    {
      GmcpServerConfig *config = g_ptr_array_index (priv->added, i);

      GmcpServerConfig *filled = gmcp_manager_fill_config (self, NULL, config);

      /* A program's own is taken as it is. */
      g_ptr_array_add (configs, filled != NULL ? filled : g_object_ref (config));
      g_hash_table_add (seen, (gpointer) gmcp_server_config_get_id (config));
    }

  g_hash_table_iter_init (&iter, priv->withdrawn);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_hash_table_add (seen, id);
}

/* What roles, tiers and projects there are. */
typedef struct
{
  GmcpManager *manager;
  GHashTable *before; /* objects that counted before */
  GPtrArray *roles;
  GPtrArray *requirements;
  GPtrArray *projects;
} Rules;

static void
add_objects (Rules *rules, GmcpConfigSource *source, GPtrArray *array, GPtrArray *objects)
{
  g_autofree char *workspace = gmcp_manager_dup_workspace_of (rules->manager, source);

  for (guint i = 0; objects != NULL && i < objects->len; i++)
    g_ptr_array_add (
      array, g_object_ref (gmcp_manager_fill_rule (rules->manager, rules->before,
                                                   g_ptr_array_index (objects, i), workspace)));
}

/* Whether what a place says under a key of org.gmcp.Manager counts. */
static gboolean
holds (GmcpManager *self, GmcpManagerSource *source, const char *key)
{
  return gmcp_manager_source_is_active (source)
         || (GMCP_IS_SETTINGS_CONFIG_SOURCE (source->source) && gmcp_manager_is_locked (self, key));
}

static void
add_rules (Rules *rules, GmcpManagerSource *source)
{
  GmcpManager *self = rules->manager;
  GmcpConfigSource *from = source->source;

  if (holds (self, source, "roles"))
    add_objects (rules, from, rules->roles, gmcp_config_source_peek_roles (from));
  if (holds (self, source, "requirements"))
    add_objects (rules, from, rules->requirements, gmcp_config_source_peek_requirements (from));
  if (holds (self, source, "projects"))
    add_objects (rules, from, rules->projects, gmcp_config_source_peek_projects (from));
}

void
gmcp_manager_apply_config_policy (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GPtrArray) roles = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) requirements = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) projects = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) active = gmcp_manager_list_active_sources (self);
  g_autoptr (GHashTable) before = NULL;
  Rules rules;

  if (priv->closed)
    return;

  before = gmcp_manager_begin_filling_rules (self);
  rules = (Rules){ self, before, roles, requirements, projects };
  /* Of a place that does not count, what is locked does, before all others. */
  for (guint i = 0; i < priv->sources->len; i++)
    if (!gmcp_manager_source_is_active (g_ptr_array_index (priv->sources, i)))
      add_rules (&rules, g_ptr_array_index (priv->sources, i));
  for (guint i = 0; i < active->len; i++)
    add_rules (&rules, g_ptr_array_index (active, i));

  gmcp_manager_set_config_policy (self, roles, requirements);
  gmcp_manager_set_config_projects (self, projects);
}

void
gmcp_manager_apply_config (GmcpManager *self)
{
  g_autoptr (GmcpManager) alive G_GNUC_UNUSED = g_object_ref (self);
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  g_autoptr (GPtrArray) configs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) active = gmcp_manager_list_active_sources (self);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  if (priv->closed)
    return;

  priv->has_unapplied = FALSE;
  gmcp_manager_hold_policy (self);
  gmcp_manager_begin_filling (self);
  gmcp_manager_apply_config_policy (self);
  add_own (self, configs, seen);
  for (guint i = 0; i < 2 * active->len; i++)
    {
      GmcpManagerSource *source = g_ptr_array_index (active, i % active->len);

      add_configs (self, source->source, i < active->len, configs, seen);
    }

  gmcp_manager_apply_file_settings (self);
  gmcp_manager_set_configs (self, configs);
  gmcp_manager_release_policy (self);
  gmcp_manager_tell_unfilled (self);
}

void
gmcp_manager_add_config (GmcpManager *self, GmcpServerConfig *config)
{
  g_ptr_array_add (gmcp_manager_get_private (self)->added, g_object_ref (config));
  gmcp_manager_apply_config (self);
}

void
gmcp_manager_drop_added (GmcpManager *self, const char *id)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  gboolean was_added = FALSE;

  for (guint i = 0; i < priv->added->len && !was_added; i++)
    if (g_str_equal (gmcp_server_config_get_id (g_ptr_array_index (priv->added, i)), id))
      {
        g_ptr_array_remove_index (priv->added, i);
        was_added = TRUE;
      }

  if (!was_added)
    g_hash_table_add (priv->withdrawn, g_strdup (id));
  gmcp_manager_apply_config (self);
}
