/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include "gmcp-i18n-private.h"
#include "gmcp-settings-list-private.h"
#include "gmcp-settings-path-private.h"
#include "gmcp-settings-value-private.h"

#include <gmcp/config/gmcp-config-finding.h>

/* What is set for one name. */
typedef struct
{
  GmcpSettingsList *list;
  GSettings *settings;
  GObject *object;     /* NULL before it was read, and where it is left out */
  GObject *good;       /* what counted last and was well; NULL for none */
  GPtrArray *findings; /* of GmcpConfigFinding */
  gboolean changed;    /* since it was read */
} Child;

struct _GmcpSettingsList
{
  const GmcpSettingsListKind *kind;
  GMainContext *context;
  GSettings *manager;
  GSettingsBackend *backend; /* NULL for the default */
  GSettingsSchema
    *schema;            /* NULL before the first name, and where there is none that can be used */
  GStrv names;          /* what they were when they could be read last; NULL at first */
  GHashTable *children; /* name → Child */
  GPtrArray *findings;  /* of GmcpConfigFinding: about the names, and of the children */
  GPtrArray *subjects;  /* the name that each of them is about */
  gulong handler;
  void (*changed) (GmcpSettingsListChange change, gpointer data);
  gpointer data;
};

static void
child_free (Child *child)
{
  g_signal_handlers_disconnect_by_data (child->settings, child);
  g_object_unref (child->settings);
  g_clear_object (&child->object);
  g_clear_object (&child->good);
  g_ptr_array_unref (child->findings);
  g_free (child);
}

static gboolean
on_child_changed (GSettings *settings, const GQuark *keys, int n_keys, gpointer data)
{
  Child *child = data;

  child->changed = TRUE;
  child->list->changed (GMCP_SETTINGS_LIST_SETTINGS, child->list->data);
  return FALSE;
}

static void
on_names_changed (GSettings *manager, const char *key, gpointer data)
{
  GmcpSettingsList *self = data;

  self->changed (GMCP_SETTINGS_LIST_NAMES, self->data);
}

GmcpSettingsList *
gmcp_settings_list_new (const GmcpSettingsListKind *kind,
                        GSettings *manager,
                        GSettingsBackend *backend,
                        void (*changed) (GmcpSettingsListChange change, gpointer data),
                        gpointer data)
{
  g_autofree char *signal = g_strconcat ("changed::", kind->key, NULL);
  GmcpSettingsList *self = g_new0 (GmcpSettingsList, 1);

  self->kind = kind;
  self->context = g_main_context_ref_thread_default ();
  self->manager = g_object_ref (manager);
  g_set_object (&self->backend, backend);
  self->children
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) child_free);
  self->findings = g_ptr_array_new_with_free_func (g_object_unref);
  self->subjects = g_ptr_array_new_with_free_func (g_free);
  self->handler = g_signal_connect (manager, signal, G_CALLBACK (on_names_changed), self);
  self->changed = changed;
  self->data = data;
  return self;
}

void
gmcp_settings_list_free (GmcpSettingsList *self)
{
  g_signal_handler_disconnect (self->manager, self->handler);
  g_hash_table_unref (self->children);
  g_strfreev (self->names);
  g_ptr_array_unref (self->findings);
  g_ptr_array_unref (self->subjects);
  g_clear_pointer (&self->schema, g_settings_schema_unref);
  g_clear_object (&self->backend);
  g_object_unref (self->manager);
  g_main_context_unref (self->context);
  g_free (self);
}

/* NULL without a schema. */
static Child *
ensure_child (GmcpSettingsList *self, const char *name, GError **error)
{
  Child *child = g_hash_table_lookup (self->children, name);
  g_autofree char *path = NULL;

  if (child != NULL)
    return child;
  if (self->schema == NULL)
    self->schema = self->kind->lookup_schema (error);
  if (self->schema == NULL)
    return NULL;

  path = g_strconcat (GMCP_SETTINGS_PATH, self->kind->key, "/", name, "/", NULL);
  child = g_new0 (Child, 1);
  child->list = self;
  child->changed = TRUE;
  child->findings = g_ptr_array_new_with_free_func (g_object_unref);
  /* A GSettings object signals in the context that is the thread's default when it is made. */
  g_main_context_push_thread_default (self->context);
  child->settings = g_settings_new_full (self->schema, self->backend, path);
  g_main_context_pop_thread_default (self->context);
  g_signal_connect (child->settings, "change-event", G_CALLBACK (on_child_changed), child);
  g_hash_table_insert (self->children, g_strdup (name), child);
  return child;
}

static void
add_finding (GmcpSettingsList *self, GmcpConfigFinding *finding, const char *name)
{
  g_ptr_array_add (self->findings, finding);
  g_ptr_array_add (self->subjects, g_strdup (name));
}

static void
read_child (GmcpSettingsList *self, const char *name, const char *place, GPtrArray *objects)
{
  g_autoptr (GError) error = NULL;
  Child *child = ensure_child (self, name, &error);

  if (child == NULL)
    {
      add_finding (
        self, gmcp_config_finding_new (GMCP_NOTICE_LEVEL_ERROR, NULL, 0, place, error->message),
        name);
      return;
    }

  /* GSettings tells of changes only to those who have read a key before. */
  if (child->changed)
    {
      child->changed = FALSE;
      g_ptr_array_set_size (child->findings, 0);
      g_clear_object (&child->object);
      child->object = self->kind->judge (child->settings, name, &child->good, child->findings);
    }

  if (child->object != NULL)
    g_ptr_array_add (objects, g_object_ref (child->object));
  for (guint i = 0; i < child->findings->len; i++)
    add_finding (self, g_object_ref (g_ptr_array_index (child->findings, i)), name);
}

static void
read_names (GmcpSettingsList *self)
{
  const char *key = self->kind->key;

  if (self->names != NULL
      && gmcp_settings_check_value (self->manager, key, NULL) != GMCP_SETTINGS_VALUE_FINE)
    return;

  g_strfreev (self->names);
  self->names = g_settings_get_strv (self->manager, key);
}

/* NULL for one that can be taken. */
static char *
check_name (GmcpSettingsList *self, const char *name, GHashTable *taken)
{
  if (g_hash_table_contains (taken, name))
    return g_strdup_printf (_ ("“%s” stands there twice"), name);
  return self->kind->check_name (name, g_hash_table_size (taken));
}

static gboolean
is_gone (gpointer name, gpointer child, gpointer taken)
{
  return !g_hash_table_contains (taken, name);
}

GPtrArray *
gmcp_settings_list_read (GmcpSettingsList *self)
{
  GPtrArray *objects = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *place = g_strconcat (GMCP_SETTINGS_PATH, self->kind->key, NULL);

  g_ptr_array_set_size (self->findings, 0);
  g_ptr_array_set_size (self->subjects, 0);
  read_names (self);
  for (gsize i = 0; self->names[i] != NULL; i++)
    {
      char *name = self->names[i];
      g_autofree char *problem = check_name (self, name, taken);

      if (problem != NULL)
        {
          add_finding (
            self, gmcp_config_finding_new (GMCP_NOTICE_LEVEL_ERROR, NULL, 0, place, problem), name);
          continue;
        }
      g_hash_table_add (taken, name);
      read_child (self, name, place, objects);
    }

  g_hash_table_foreach_remove (self->children, is_gone, taken);
  return objects;
}

void
gmcp_settings_list_add_findings (GmcpSettingsList *self, GPtrArray *findings, GPtrArray *subjects)
{
  for (guint i = 0; i < self->findings->len; i++)
    {
      g_ptr_array_add (findings, g_object_ref (g_ptr_array_index (self->findings, i)));
      if (subjects != NULL)
        g_ptr_array_add (subjects, g_strdup (g_ptr_array_index (self->subjects, i)));
    }
}
