/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <string.h>

#include "gmcp-config-source-policy-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-settings-policy-private.h"
#include "gmcp-settings-schema-private.h"
#include "gmcp-settings-value-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/config/source/gmcp-project.h>
#include <gmcp/config/source/gmcp-requirements.h>
#include <gmcp/config/source/gmcp-role.h>

/* One of the lists of names, and what is made of each. */
typedef struct
{
  const char *key; /* of org.gmcp.Manager, and the folder that the settings are in */
  GSettingsSchema *(*lookup_schema) (GError **error);
  GObject *(*read) (GSettings *settings, const char *name);
  GObject *(*make_closed) (const char *name); /* NULL where one that cannot be read is left out */
} Kind;

typedef struct
{
  GmcpSettingsPolicy *policy;
  GSettings *settings;
  GObject *object;     /* NULL before it was read, and where it is left out */
  GPtrArray *findings; /* of GmcpConfigFinding: about it */
  gboolean changed;    /* since it was read */
} Child;

typedef struct
{
  const Kind *kind;
  GSettingsSchema *schema; /* NULL where it is not installed */
  GStrv names;             /* what they were when they could be read last; NULL at first */
  GHashTable *children;    /* name → Child */
  gulong handler;
} List;

enum
{
  ROLES,
  REQUIREMENTS,
  PROJECTS,
  N_LISTS
};

struct _GmcpSettingsPolicy
{
  GmcpConfigSource *source; /* not owned */
  GSettings *manager;
  GSettingsBackend *backend; /* NULL for the default */
  List lists[N_LISTS];
  GPtrArray *findings; /* of GmcpConfigFinding */
  void (*changed) (gpointer);
  gpointer data;
};

static GObject *
read_role (GSettings *settings, const char *name)
{
  g_autofree char *host = g_settings_get_string (settings, "host");
  g_auto (GStrv) allowed = g_settings_get_strv (settings, "allowed-tools");
  g_auto (GStrv) denied = g_settings_get_strv (settings, "denied-tools");
  g_auto (GStrv) ask_first = g_settings_get_strv (settings, "ask-first");

  return g_object_new (GMCP_TYPE_ROLE, "name", name, "host", host, "allowed-tools", allowed,
                       "denied-tools", denied, "ask-first", ask_first, "read-only",
                       g_settings_get_boolean (settings, "read-only"), NULL);
}

/* Nobody knows what it was to deny. */
static GObject *
make_closed_role (const char *name)
{
  static const char *const all[] = { "*", NULL };

  return g_object_new (GMCP_TYPE_ROLE, "name", name, "denied-tools", all, NULL);
}

static GObject *
read_requirements (GSettings *settings, const char *name)
{
  g_auto (GStrv) required = g_settings_get_strv (settings, "required");
  g_auto (GStrv) recommended = g_settings_get_strv (settings, "recommended");
  g_auto (GStrv) optional = g_settings_get_strv (settings, "optional");
  g_autofree char *binary = g_settings_get_string (settings, "binary");
  g_autofree char *command_template = g_settings_get_string (settings, "command-template");
  g_auto (GStrv) models = g_settings_get_strv (settings, "models");

  return g_object_new (GMCP_TYPE_REQUIREMENTS, "name", name, "required", required, "recommended",
                       recommended, "optional", optional, "binary", binary, "command-template",
                       command_template, "models", models, NULL);
}

static GObject *
read_project (GSettings *settings, const char *name)
{
  g_autofree char *title = g_settings_get_string (settings, "title");
  g_autofree char *instructions = g_settings_get_string (settings, "instructions");
  g_auto (GStrv) servers = g_settings_get_strv (settings, "servers");
  g_auto (GStrv) resources = g_settings_get_strv (settings, "resources");

  return g_object_new (GMCP_TYPE_PROJECT, "id", name, "title", title, "servers", servers,
                       "resources", resources, "instructions", instructions, NULL);
}

static const Kind kinds[N_LISTS] = {
  [ROLES] = { "roles", gmcp_settings_lookup_role_schema, read_role, make_closed_role },
  [REQUIREMENTS] = { "requirements", gmcp_settings_lookup_requirements_schema, read_requirements },
  [PROJECTS] = { "projects", gmcp_settings_lookup_project_schema, read_project },
};

static void read_again (GmcpSettingsPolicy *self);

static void
child_free (Child *child)
{
  g_signal_handlers_disconnect_by_data (child->settings, child);
  g_object_unref (child->settings);
  g_clear_object (&child->object);
  g_ptr_array_unref (child->findings);
  g_free (child);
}

static gboolean
on_child_changed (GSettings *settings, const GQuark *keys, int n_keys, gpointer data)
{
  Child *child = data;

  child->changed = TRUE;
  read_again (child->policy);
  return FALSE;
}

/* A name is a part of a path, in which GSettings takes anything but a slash. */
static gboolean
is_valid_name (const char *name)
{
  return *name != '\0' && strchr (name, '/') == NULL
         && strlen (name) <= GMCP_LIMIT_POLICY_NAME_BYTES;
}

static void
add_warning (Child *child, const char *message)
{
  g_autofree char *place = gmcp_settings_dup_place (child->settings, "");

  g_ptr_array_add (child->findings,
                   gmcp_config_finding_new (GMCP_NOTICE_LEVEL_WARNING, NULL, 0, place, message));
}

/* What it was holds on while it cannot be read. */
static void
read_child (Child *child, List *list, const char *name)
{
  GmcpSettingsValue worst;

  child->changed = FALSE;
  g_ptr_array_set_size (child->findings, 0);
  worst = gmcp_settings_check_values (child->settings, FALSE, child->findings);
  if (worst == GMCP_SETTINGS_VALUE_FINE)
    {
      g_clear_object (&child->object);
      child->object = list->kind->read (child->settings, name);
      return;
    }

  if (child->object != NULL)
    add_warning (child, _ ("what was set before holds on until this is mended"));
  else if (list->kind->make_closed != NULL)
    add_warning (child, _ ("the role allows nothing until this is mended"));
  else
    add_warning (child, _ ("it is left out until this is mended"));
  if (child->object == NULL && list->kind->make_closed != NULL)
    child->object = list->kind->make_closed (name);
}

static Child *
ensure_child (GmcpSettingsPolicy *self, List *list, const char *name)
{
  Child *child = g_hash_table_lookup (list->children, name);

  if (child == NULL)
    {
      g_autofree char *path
        = g_strconcat (GMCP_SETTINGS_PATH, list->kind->key, "/", name, "/", NULL);

      child = g_new0 (Child, 1);
      child->policy = self;
      child->changed = TRUE;
      child->findings = g_ptr_array_new_with_free_func (g_object_unref);
      child->settings = g_settings_new_full (list->schema, self->backend, path);
      g_signal_connect (child->settings, "change-event", G_CALLBACK (on_child_changed), child);
      g_hash_table_insert (list->children, g_strdup (name), child);
    }

  /* GSettings tells of changes only to those who have read a key before. */
  if (child->changed)
    read_child (child, list, name);
  return child;
}

static gboolean
is_gone (gpointer name, gpointer child, gpointer seen)
{
  return !g_hash_table_contains (seen, name);
}

static void
add_finding (GmcpSettingsPolicy *self, List *list, const char *message)
{
  g_autofree char *path = g_strconcat (GMCP_SETTINGS_PATH, list->kind->key, NULL);

  g_ptr_array_add (self->findings,
                   gmcp_config_finding_new (GMCP_NOTICE_LEVEL_ERROR, NULL, 0, path, message));
}

static void
read_names (GmcpSettingsPolicy *self, List *list)
{
  const char *key = list->kind->key;

  if (list->names != NULL
      && gmcp_settings_check_value (self->manager, key, NULL) != GMCP_SETTINGS_VALUE_FINE)
    return;

  g_strfreev (list->names);
  list->names = g_settings_get_strv (self->manager, key);
}

static void
add_child (GmcpSettingsPolicy *self, List *list, const char *name, GPtrArray *objects)
{
  Child *child = ensure_child (self, list, name);

  for (guint i = 0; i < child->findings->len; i++)
    g_ptr_array_add (self->findings, g_object_ref (g_ptr_array_index (child->findings, i)));
  if (child->object != NULL)
    g_ptr_array_add (objects, child->object);
}

static GPtrArray *
read_list (GmcpSettingsPolicy *self, List *list)
{
  GPtrArray *objects = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  if (list->schema == NULL)
    return objects;

  read_names (self, list);
  for (gsize i = 0; list->names[i] != NULL; i++)
    {
      const char *name = list->names[i];
      g_autofree char *problem = NULL;

      if (!is_valid_name (name) || g_hash_table_size (seen) == GMCP_LIMIT_POLICY_NAMES)
        problem = g_strdup_printf (_ ("“%s” is left out: a name has at most %u bytes and no slash, "
                                      "and there are at most %u"),
                                   name, GMCP_LIMIT_POLICY_NAME_BYTES, GMCP_LIMIT_POLICY_NAMES);
      else if (!g_hash_table_add (seen, (gpointer) name))
        problem = g_strdup_printf (_ ("“%s” stands there twice"), name);

      if (problem != NULL)
        add_finding (self, list, problem);
      else
        add_child (self, list, name, objects);
    }

  g_hash_table_foreach_remove (list->children, is_gone, seen);
  return objects;
}

static void
read_all (GmcpSettingsPolicy *self)
{
  g_autoptr (GPtrArray) roles = NULL;
  g_autoptr (GPtrArray) projects = NULL;
  g_autoptr (GPtrArray) requirements = NULL;

  g_ptr_array_set_size (self->findings, 0);
  roles = read_list (self, &self->lists[ROLES]);
  projects = read_list (self, &self->lists[PROJECTS]);
  requirements = read_list (self, &self->lists[REQUIREMENTS]);
  gmcp_config_source_set_policy (self->source, roles, requirements, projects);
}

static void
read_again (GmcpSettingsPolicy *self)
{
  g_autoptr (GmcpConfigSource) source G_GNUC_UNUSED = g_object_ref (self->source);

  read_all (self);
  self->changed (self->data);
}

static void
on_names_changed (GSettings *settings, const char *key, gpointer data)
{
  read_again (data);
}

GmcpSettingsPolicy *
gmcp_settings_policy_new (GmcpConfigSource *source,
                          GSettings *manager,
                          GSettingsBackend *backend,
                          void (*changed) (gpointer),
                          gpointer data)
{
  GmcpSettingsPolicy *self = g_new0 (GmcpSettingsPolicy, 1);

  self->source = source;
  self->manager = g_object_ref (manager);
  g_set_object (&self->backend, backend);
  self->findings = g_ptr_array_new_with_free_func (g_object_unref);
  self->changed = changed;
  self->data = data;
  for (guint i = 0; i < N_LISTS; i++)
    {
      List *list = &self->lists[i];
      g_autofree char *signal = g_strconcat ("changed::", kinds[i].key, NULL);
      g_autoptr (GError) error = NULL;

      list->kind = &kinds[i];
      list->children
        = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) child_free);
      list->handler = g_signal_connect (manager, signal, G_CALLBACK (on_names_changed), self);
      list->schema = list->kind->lookup_schema (&error);
      if (list->schema == NULL)
        gmcp_config_source_report (source, NULL, error);
    }

  read_all (self);
  return self;
}

GPtrArray *
gmcp_settings_policy_peek_findings (GmcpSettingsPolicy *self)
{
  return self->findings;
}

void
gmcp_settings_policy_free (GmcpSettingsPolicy *self)
{
  for (guint i = 0; i < N_LISTS; i++)
    {
      List *list = &self->lists[i];

      g_signal_handler_disconnect (self->manager, list->handler);
      g_hash_table_unref (list->children);
      g_strfreev (list->names);
      g_clear_pointer (&list->schema, g_settings_schema_unref);
    }

  g_object_unref (self->manager);
  g_clear_object (&self->backend);
  g_ptr_array_unref (self->findings);
  g_free (self);
}
