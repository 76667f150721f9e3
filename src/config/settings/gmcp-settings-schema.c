/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"
#include "install-paths.h"

#include <sys/auxv.h>

#include "gmcp-i18n-private.h"
#include "gmcp-manager-limits-private.h"
#include "gmcp-settings-schema-private.h"

#include <gmcp/core/gmcp-error.h>

#define MANAGER_SCHEMA_ID      "org.gmcp.Manager"
#define SERVER_SCHEMA_ID       "org.gmcp.Server"
#define ROLE_SCHEMA_ID         "org.gmcp.Role"
#define REQUIREMENTS_SCHEMA_ID "org.gmcp.Requirements"
#define PROJECT_SCHEMA_ID      "org.gmcp.Project"

typedef struct
{
  const char *name;
  const char *type;
} Key;

static const Key manager_keys[] = {
  { "ask-destructive", "b" },
  { "ask-first", "as" },
  { "audit", "b" },
  { "audit-hash-arguments", "b" },
  { "auto-start-default", "b" },
  { "log-directory", "s" },
  { "pin-policy", "s" },
  { "projects", "as" },
  { "requirements", "as" },
  { "roles", "as" },
  { "servers", "as" },
  { "share", "s" },
  { "tool-name-style", "s" },
};

static const Key role_keys[] = {
  { "allowed-tools", "as" }, { "ask-first", "as" }, { "denied-tools", "as" },
  { "host", "s" },           { "read-only", "b" },
};

static const Key requirements_keys[] = {
  { "binary", "s" },    { "command-template", "s" }, { "models", "as" },
  { "optional", "as" }, { "recommended", "as" },     { "required", "as" },
};

static const Key project_keys[] = {
  { "instructions", "s" },
  { "resources", "as" },
  { "servers", "as" },
  { "title", "s" },
};

static gboolean
has_key (GSettingsSchema *schema, const char *name, const char *type)
{
  g_autoptr (GSettingsSchemaKey) key = NULL;

  if (!g_settings_schema_has_key (schema, name))
    return FALSE;

  key = g_settings_schema_get_key (schema, name);
  return g_variant_type_equal (g_settings_schema_key_get_value_type (key), G_VARIANT_TYPE (type));
}

/* Asking GSettings for a key that is not there, or for another path than the schema's, ends the
 * process, and the installed schema may be of another version. */
static gboolean
has_keys (GSettingsSchema *schema, const char *path, const Key *keys, gsize n_keys)
{
  if (g_strcmp0 (g_settings_schema_get_path (schema), path) != 0)
    return FALSE;

  for (gsize i = 0; i < n_keys; i++)
    {
      if (!has_key (schema, keys[i].name, keys[i].type))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_manager_schema (GSettingsSchema *schema)
{
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    {
      const GmcpManagerLimitInfo *info = gmcp_manager_limit_get_info (i);

      if (info->in_settings && !has_key (schema, info->name, "u"))
        return FALSE;
    }
  return has_keys (schema, GMCP_SETTINGS_PATH, manager_keys, G_N_ELEMENTS (manager_keys));
}

static gboolean
is_role_schema (GSettingsSchema *schema)
{
  return has_keys (schema, NULL, role_keys, G_N_ELEMENTS (role_keys));
}

static gboolean
is_requirements_schema (GSettingsSchema *schema)
{
  return has_keys (schema, NULL, requirements_keys, G_N_ELEMENTS (requirements_keys));
}

static gboolean
is_project_schema (GSettingsSchema *schema)
{
  return has_keys (schema, NULL, project_keys, G_N_ELEMENTS (project_keys));
}

const char *
gmcp_settings_get_key (const GmcpConfigField *field)
{
  if (!field->in_settings)
    return NULL;

  return g_str_equal (field->name, "argv") ? "command" : field->name;
}

static gboolean
is_server_schema (GSettingsSchema *schema)
{
  static const char *const types[] = {
    [GMCP_CONFIG_FIELD_STRING] = "s",      [GMCP_CONFIG_FIELD_FLAG] = "b",
    [GMCP_CONFIG_FIELD_NUMBER] = "u",      [GMCP_CONFIG_FIELD_ENUM] = "s",
    [GMCP_CONFIG_FIELD_WORDS] = "as",      [GMCP_CONFIG_FIELD_ENVIRONMENT] = "a{ss}",
    [GMCP_CONFIG_FIELD_HEADERS] = "a{ss}",
  };
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  if (g_settings_schema_get_path (schema) != NULL)
    return FALSE;

  for (gsize i = 0; i < n_fields; i++)
    {
      const char *key = gmcp_settings_get_key (&fields[i]);

      if (key != NULL && !has_key (schema, key, types[fields[i].kind]))
        return FALSE;
    }
  return TRUE;
}

static GSettingsSchema *
lookup_in (GSettingsSchemaSource *source,
           const char *id,
           gboolean (*is_usable) (GSettingsSchema *schema))
{
  g_autoptr (GSettingsSchema) schema = NULL;

  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, id, TRUE);
  if (schema != NULL && !is_usable (schema))
    g_clear_pointer (&schema, g_settings_schema_unref);

  return g_steal_pointer (&schema);
}

/* Schemas of the session, which stay what they are while the process lives, and have been looked through. */
static GSettingsSchema *
lookup_installed (const char *id, gboolean (*is_usable) (GSettingsSchema *schema))
{
  static GMutex mutex;
  static GHashTable *usable; /* id → GSettingsSchema */
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&mutex);
  GSettingsSchema *schema;

  if (usable == NULL)
    usable = g_hash_table_new (g_str_hash, g_str_equal);
  schema = g_hash_table_lookup (usable, id);
  if (schema == NULL)
    {
      schema = lookup_in (g_settings_schema_source_get_default (), id, is_usable);
      if (schema != NULL)
        g_hash_table_insert (usable, (gpointer) id, schema);
    }
  return schema != NULL ? g_settings_schema_ref (schema) : NULL;
}

static GSettingsSchema *
lookup_schema (const char *id, gboolean (*is_usable) (GSettingsSchema *schema), GError **error)
{
  g_autoptr (GSettingsSchema) schema = lookup_installed (id, is_usable);
  g_autoptr (GSettingsSchemaSource) own = NULL;
  g_autoptr (GError) reason = NULL;
  const char *dir = getauxval (AT_SECURE) == 0 ? g_getenv ("GMCP_SCHEMA_DIR") : NULL;

  if (schema != NULL)
    return g_steal_pointer (&schema);

  if (dir == NULL || *dir == '\0')
    dir = GMCP_SCHEMA_DIR;
  /* No parent: an installed schema that was no good just now would be found first again. */
  own = g_settings_schema_source_new_from_directory (dir, NULL, FALSE, &reason);
  schema = lookup_in (own, id, is_usable);
  if (schema == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED,
                 _ ("The settings schema %s is not installed, and there is no usable copy of it in "
                    "%s: install gmcp again, or give a configuration file"),
                 id, dir);

  return g_steal_pointer (&schema);
}

GSettingsSchema *
gmcp_settings_lookup_manager_schema (GError **error)
{
  return lookup_schema (MANAGER_SCHEMA_ID, is_manager_schema, error);
}

GSettingsSchema *
gmcp_settings_lookup_server_schema (GError **error)
{
  return lookup_schema (SERVER_SCHEMA_ID, is_server_schema, error);
}

GSettingsSchema *
gmcp_settings_lookup_role_schema (GError **error)
{
  return lookup_schema (ROLE_SCHEMA_ID, is_role_schema, error);
}

GSettingsSchema *
gmcp_settings_lookup_requirements_schema (GError **error)
{
  return lookup_schema (REQUIREMENTS_SCHEMA_ID, is_requirements_schema, error);
}

GSettingsSchema *
gmcp_settings_lookup_project_schema (GError **error)
{
  return lookup_schema (PROJECT_SCHEMA_ID, is_project_schema, error);
}
