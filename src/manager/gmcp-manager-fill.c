/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-policy-data-private.h"
#include "gmcp-display-expand-private.h"
#include "gmcp-file-config-source-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-manager-fill-private.h"
#include "gmcp-manager-config-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-settings-schema-private.h"

#include <gmcp/config/settings/gmcp-settings-config-source.h>

/* Variables in what counts without any server being started: what is shown of servers, roles, tiers,
 * projects and settings. What a server is started with is filled in by its start. */

struct _GmcpManagerFilling
{
  GPtrArray *findings; /* of GmcpConfigFinding: about servers, since the places were put together */
  GPtrArray *subjects; /* the id that each of them is about */
  GHashTable *told;    /* set of texts of findings */
  GHashTable *rules;   /* object of a place → the one that counts */
};

static GHashTable *
new_rules (void)
{
  return g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
}

GmcpManagerFilling *
gmcp_manager_filling_new (void)
{
  GmcpManagerFilling *filling = g_new0 (GmcpManagerFilling, 1);

  filling->findings = g_ptr_array_new_with_free_func (g_object_unref);
  filling->subjects = g_ptr_array_new_with_free_func (g_free);
  filling->told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  filling->rules = new_rules ();
  return filling;
}

void
gmcp_manager_filling_free (GmcpManagerFilling *filling)
{
  g_ptr_array_unref (filling->findings);
  g_ptr_array_unref (filling->subjects);
  g_hash_table_unref (filling->told);
  g_hash_table_unref (filling->rules);
  g_free (filling);
}

void
gmcp_manager_begin_filling (GmcpManager *self)
{
  GmcpManagerFilling *filling = gmcp_manager_get_filling (self);

  g_ptr_array_set_size (filling->findings, 0);
  g_ptr_array_set_size (filling->subjects, 0);
}

static GmcpConfigFinding *
make_finding (GmcpConfigSource *source,
              GmcpServerConfig *config,
              const char *property,
              GmcpNoticeLevel severity,
              const char *message)
{
  const char *id = gmcp_server_config_get_id (config);
  g_autoptr (GmcpConfigPlace) place
    = config->places != NULL ? gmcp_config_places_find (config->places, property) : NULL;
  g_autofree char *path = NULL;

  if (place != NULL)
    return gmcp_config_finding_new (severity, place->file, place->line, place->key_path, message);

  if (GMCP_IS_SETTINGS_CONFIG_SOURCE (source))
    path = g_strconcat (GMCP_SETTINGS_SERVERS_PATH, id, "/", property, NULL);
  else
    path = g_strconcat (id, ".", property, NULL);
  return gmcp_config_finding_new (severity, NULL, 0, path, message);
}

GmcpServerConfig *
gmcp_manager_fill_config (GmcpManager *self, GmcpConfigSource *source, GmcpServerConfig *config)
{
  GmcpManagerFilling *filling = gmcp_manager_get_filling (self);
  const char *id = gmcp_server_config_get_id (config);
  GmcpManagedServer *managed = gmcp_manager_get_server (self, id);
  gboolean enabled = gmcp_server_config_is_enabled (config);
  const char *property = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;
  GmcpServerConfig *filled
    = gmcp_display_expand_config (config, gmcp_manager_get_workspace (self), &property, &error);

  if (filled != NULL)
    return filled;

  if (!enabled)
    message = g_strdup (error->message);
  else if (managed != NULL)
    message = g_strdup_printf (_ ("%s. Until then what held before for this server holds"),
                               error->message);
  else
    message = g_strdup_printf (_ ("%s. Until then this server is left out"), error->message);
  g_ptr_array_add (filling->findings,
                   make_finding (source, config, property,
                                 enabled ? GMCP_NOTICE_LEVEL_ERROR : GMCP_NOTICE_LEVEL_WARNING,
                                 message));
  g_ptr_array_add (filling->subjects, g_strdup (id));

  /* What is not enabled may be half done. */
  if (!enabled)
    return g_object_ref (config);
  return managed != NULL ? g_object_ref (gmcp_managed_server_get_config (managed)) : NULL;
}

void
gmcp_manager_tell_unfilled (GmcpManager *self)
{
  GmcpManagerFilling *filling = gmcp_manager_get_filling (self);
  g_autoptr (GHashTable) before = g_steal_pointer (&filling->told);
  g_autoptr (GPtrArray) findings
    = g_ptr_array_copy (filling->findings, (GCopyFunc) g_object_ref, NULL);
  g_autoptr (GPtrArray) subjects = g_ptr_array_copy (filling->subjects, (GCopyFunc) g_strdup, NULL);

  g_ptr_array_set_free_func (findings, g_object_unref);
  g_ptr_array_set_free_func (subjects, g_free);
  filling->told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < findings->len; i++)
    g_hash_table_add (filling->told,
                      gmcp_config_finding_dup_text (g_ptr_array_index (findings, i)));

  /* Whoever is told may change the configuration. */
  for (guint i = 0; i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);
      g_autofree char *text = gmcp_config_finding_dup_text (finding);

      if (!g_hash_table_contains (before, text))
        gmcp_manager_notice (self, g_ptr_array_index (subjects, i),
                             gmcp_config_finding_get_severity (finding), text);
    }
}

void
gmcp_manager_add_unfilled (GmcpManager *self, GPtrArray *findings)
{
  GPtrArray *unfilled = gmcp_manager_get_filling (self)->findings;

  for (guint i = 0; i < unfilled->len; i++)
    g_ptr_array_add (findings, g_object_ref (g_ptr_array_index (unfilled, i)));
}

char *
gmcp_manager_dup_workspace_of (GmcpManager *self, GmcpConfigSource *source)
{
  char *workspace = GMCP_IS_FILE_CONFIG_SOURCE (source)
                      ? gmcp_file_config_source_dup_workspace (GMCP_FILE_CONFIG_SOURCE (source))
                      : NULL;

  return workspace != NULL ? workspace : g_strdup (gmcp_manager_get_workspace (self));
}

GHashTable *
gmcp_manager_begin_filling_rules (GmcpManager *self)
{
  GmcpManagerFilling *filling = gmcp_manager_get_filling (self);
  GHashTable *before = filling->rules;

  filling->rules = new_rules ();
  return before;
}

GObject *
gmcp_manager_fill_rule (GmcpManager *self,
                        GHashTable *before,
                        GObject *object,
                        const char *workspace)
{
  GHashTable *rules = gmcp_manager_get_filling (self)->rules;
  GObject *filled = g_hash_table_lookup (before, object);

  filled = filled != NULL ? g_object_ref (filled) : gmcp_display_expand_object (object, workspace);
  if (filled == NULL)
    return object;

  g_hash_table_insert (rules, g_object_ref (object), filled);
  return filled;
}

void
gmcp_manager_forget_filled_rules (GmcpManager *self)
{
  g_hash_table_remove_all (gmcp_manager_get_filling (self)->rules);
}
