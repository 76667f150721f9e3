/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-display-context-private.h"
#include "gmcp-config-finding-private.h"
#include "gmcp-display-expand-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-settings-schema-private.h"

#include <gmcp/config/settings/gmcp-settings-config-source.h>

struct _GmcpDisplayContext
{
  GPtrArray *findings; /* of GmcpConfigFinding: about servers, since the places were put together */
  GPtrArray *subjects; /* the id that each of them is about */
  GHashTable *told;    /* set of texts of findings */
  GHashTable *objects; /* object of a place → the one that counts */
  GHashTable *former;  /* the objects of before, while the places are put together; else NULL */
};

static GHashTable *
new_objects (void)
{
  return g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
}

static GHashTable *
new_texts (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

GmcpDisplayContext *
gmcp_display_context_new (void)
{
  GmcpDisplayContext *self = g_new0 (GmcpDisplayContext, 1);

  self->findings = g_ptr_array_new_with_free_func (g_object_unref);
  self->subjects = g_ptr_array_new_with_free_func (g_free);
  self->told = new_texts ();
  self->objects = new_objects ();
  return self;
}

void
gmcp_display_context_free (GmcpDisplayContext *self)
{
  g_ptr_array_unref (self->findings);
  g_ptr_array_unref (self->subjects);
  g_hash_table_unref (self->told);
  g_hash_table_unref (self->objects);
  g_clear_pointer (&self->former, g_hash_table_unref);
  g_free (self);
}

void
gmcp_display_context_begin (GmcpDisplayContext *self)
{
  g_ptr_array_set_size (self->findings, 0);
  g_ptr_array_set_size (self->subjects, 0);
  g_clear_pointer (&self->former, g_hash_table_unref);
  self->former = g_steal_pointer (&self->objects);
  self->objects = new_objects ();
}

static GmcpConfigFinding *
make_finding (GmcpConfigSource *source,
              GmcpServerConfig *config,
              const char *property,
              GmcpNoticeLevel severity,
              const char *message)
{
  const char *id = gmcp_server_config_get_id (config);
  g_autoptr (GmcpConfigPlace) place = gmcp_server_config_find_place (config, property);
  g_autofree char *path = NULL;

  if (place != NULL)
    return gmcp_config_finding_new_for_name (severity, place->file, place->line, place->key_path,
                                             message);

  if (GMCP_IS_SETTINGS_CONFIG_SOURCE (source))
    path = g_strconcat (GMCP_SETTINGS_SERVERS_PATH, id, "/", property, NULL);
  else
    path = g_strconcat (id, ".", property, NULL);
  return gmcp_config_finding_new (severity, NULL, 0, path, message);
}

GmcpServerConfig *
gmcp_display_context_expand_config (GmcpDisplayContext *self,
                                    GmcpConfigSource *source,
                                    GmcpServerConfig *config,
                                    GmcpServerConfig *present,
                                    const char *workspace)
{
  gboolean enabled = gmcp_server_config_is_enabled (config);
  const char *property = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;
  GmcpServerConfig *filled = gmcp_display_expand_config (config, workspace, &property, &error);

  if (filled != NULL)
    return filled;

  if (!enabled)
    message = g_strdup (error->message);
  else if (present != NULL)
    message = g_strdup_printf (_ ("%s. Until then what held before for this server holds"),
                               error->message);
  else
    message = g_strdup_printf (_ ("%s. Until then this server is left out"), error->message);
  g_ptr_array_add (self->findings,
                   make_finding (source, config, property,
                                 enabled ? GMCP_NOTICE_LEVEL_ERROR : GMCP_NOTICE_LEVEL_WARNING,
                                 message));
  g_ptr_array_add (self->subjects, g_strdup (gmcp_server_config_get_id (config)));

  /* What is not enabled may be half done. */
  if (!enabled)
    return g_object_ref (config);
  return present != NULL ? g_object_ref (present) : NULL;
}

GObject *
gmcp_display_context_expand_object (GmcpDisplayContext *self,
                                    GObject *object,
                                    const char *workspace)
{
  GObject *filled = self->former != NULL ? g_hash_table_lookup (self->former, object) : NULL;

  filled = filled != NULL ? g_object_ref (filled) : gmcp_display_expand_object (object, workspace);
  if (filled == NULL)
    return object;

  g_hash_table_insert (self->objects, g_object_ref (object), filled);
  return filled;
}

void
gmcp_display_context_forget_objects (GmcpDisplayContext *self)
{
  g_hash_table_remove_all (self->objects);
}

void
gmcp_display_context_end (GmcpDisplayContext *self, GmcpDisplayProblemFunc tell, gpointer data)
{
  g_autoptr (GHashTable) before = g_steal_pointer (&self->told);
  g_autoptr (GPtrArray) findings
    = g_ptr_array_copy (self->findings, (GCopyFunc) g_object_ref, NULL);
  g_autoptr (GPtrArray) subjects = g_ptr_array_copy (self->subjects, (GCopyFunc) g_strdup, NULL);

  g_ptr_array_set_free_func (findings, g_object_unref);
  g_ptr_array_set_free_func (subjects, g_free);
  g_clear_pointer (&self->former, g_hash_table_unref);
  self->told = new_texts ();
  for (guint i = 0; i < findings->len; i++)
    g_hash_table_add (self->told, gmcp_config_finding_dup_text (g_ptr_array_index (findings, i)));

  for (guint i = 0; i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);
      g_autofree char *text = gmcp_config_finding_dup_text (finding);

      if (!g_hash_table_contains (before, text))
        tell (g_ptr_array_index (subjects, i), gmcp_config_finding_get_severity (finding), text,
              data);
    }
}

void
gmcp_display_context_add_findings (GmcpDisplayContext *self, GPtrArray *findings)
{
  for (guint i = 0; i < self->findings->len; i++)
    g_ptr_array_add (findings, g_object_ref (g_ptr_array_index (self->findings, i)));
}
