/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <sys/auxv.h>

#include "gmcp-i18n-private.h"
#include "gmcp-settings-schema-private.h"

#include <gmcp/core/gmcp-error.h>

#define MANAGER_SCHEMA_ID "org.gmcp.Manager"
#define SERVER_SCHEMA_ID  "org.gmcp.Server"

typedef struct
{
  const char *name;
  const char *type;
} Key;

static const Key manager_keys[] = {
  { "call-timeout-ms", "u" },    { "max-call-timeout-ms", "u" }, { "servers", "as" },
  { "startup-timeout-ms", "u" }, { "tool-name-style", "s" },     { NULL, NULL },
};

static const Key server_keys[] = {
  { "allow-sampling", "b" },
  { "call-timeout-ms", "u" },
  { "command", "as" },
  { "cwd", "s" },
  { "enabled", "b" },
  { "environment", "a{ss}" },
  { "era", "s" },
  { "inherit-environment", "b" },
  { "startup-timeout-ms", "u" },
  { "title", "s" },
  { "transport", "s" },
  { "url", "s" },
  { NULL, NULL },
};

/* Asking GSettings for a key that is not there, or for another path than the schema's, ends the
 * process, and the installed schema may be of another version. */
static gboolean
is_usable (GSettingsSchema *schema, const char *path, const Key *keys)
{
  if (g_strcmp0 (g_settings_schema_get_path (schema), path) != 0)
    return FALSE;

  for (; keys->name != NULL; keys++)
    {
      g_autoptr (GSettingsSchemaKey) key = NULL;

      if (!g_settings_schema_has_key (schema, keys->name))
        return FALSE;

      key = g_settings_schema_get_key (schema, keys->name);
      if (!g_variant_type_equal (g_settings_schema_key_get_value_type (key),
                                 G_VARIANT_TYPE (keys->type)))
        return FALSE;
    }

  return TRUE;
}

static GSettingsSchema *
lookup_in (GSettingsSchemaSource *source, const char *id, const char *path, const Key *keys)
{
  g_autoptr (GSettingsSchema) schema = NULL;

  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, id, TRUE);
  if (schema != NULL && !is_usable (schema, path, keys))
    g_clear_pointer (&schema, g_settings_schema_unref);

  return g_steal_pointer (&schema);
}

static GSettingsSchema *
lookup (const char *id, const char *path, const Key *keys, GError **error)
{
  g_autoptr (GSettingsSchema) schema
    = lookup_in (g_settings_schema_source_get_default (), id, path, keys);
  g_autoptr (GSettingsSchemaSource) own = NULL;
  g_autoptr (GError) reason = NULL;
  const char *dir = getauxval (AT_SECURE) == 0 ? g_getenv ("GMCP_SCHEMA_DIR") : NULL;

  if (schema != NULL)
    return g_steal_pointer (&schema);

  if (dir == NULL || *dir == '\0')
    dir = GMCP_SCHEMA_DIR;
  /* No parent: an installed schema that was no good just now would be found first again. */
  own = g_settings_schema_source_new_from_directory (dir, NULL, FALSE, &reason);
  schema = lookup_in (own, id, path, keys);
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
  return lookup (MANAGER_SCHEMA_ID, GMCP_SETTINGS_PATH, manager_keys, error);
}

GSettingsSchema *
gmcp_settings_lookup_server_schema (GError **error)
{
  return lookup (SERVER_SCHEMA_ID, NULL, server_keys, error);
}
