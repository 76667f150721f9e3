/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"
#include "install-paths.h"

#include "gmcpd-settings.h"

#define SCHEMA_ID   "org.gmcp.Daemon"
#define SCHEMA_PATH "/org/gmcp/daemon/"

struct _GmcpdSettings
{
  GObject parent_instance;

  GHashTable *given;   /* key -> GVariant, of the command line */
  GSettings *settings; /* or NULL */
  GHashTable *stored;  /* key -> GVariant, of the settings, as it was told of at the last */
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (GmcpdSettings, gmcpd_settings, G_TYPE_OBJECT)

static void
gmcpd_settings_finalize (GObject *object)
{
  GmcpdSettings *self = GMCPD_SETTINGS (object);

  g_clear_object (&self->settings);
  g_hash_table_unref (self->given);
  g_hash_table_unref (self->stored);

  G_OBJECT_CLASS (gmcpd_settings_parent_class)->finalize (object);
}

static void
gmcpd_settings_class_init (GmcpdSettingsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcpd_settings_finalize;

  changed_signal = g_signal_new ("changed", GMCPD_TYPE_SETTINGS,
                                 G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED | G_SIGNAL_NO_RECURSE, 0,
                                 NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
gmcpd_settings_init (GmcpdSettings *self)
{
  self->given
    = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_variant_unref);
  self->stored
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_variant_unref);
}

static gboolean
has_key (GSettingsSchema *schema, const char *name, const char *type)
{
  g_autoptr (GSettingsSchemaKey) key = NULL;

  if (!g_settings_schema_has_key (schema, name))
    return FALSE;

  key = g_settings_schema_get_key (schema, name);
  return g_variant_type_equal (g_settings_schema_key_get_value_type (key), G_VARIANT_TYPE (type));
}

/* One of another version may lack a key, and to read that would end the process. */
static GSettingsSchema *
lookup_schema_in (GSettingsSchemaSource *source)
{
  g_autoptr (GSettingsSchema) schema
    = source != NULL ? g_settings_schema_source_lookup (source, SCHEMA_ID, TRUE) : NULL;

  if (schema == NULL || g_strcmp0 (g_settings_schema_get_path (schema), SCHEMA_PATH) != 0
      || !has_key (schema, GMCPD_SETTING_CONTROL_PORT, "i")
      || !has_key (schema, GMCPD_SETTING_GATEWAY_PORT, "i")
      || !has_key (schema, GMCPD_SETTING_GATEWAY_ROLE, "s")
      || !has_key (schema, GMCPD_SETTING_TOOLS_ROLE, "s"))
    return NULL;
  return g_steal_pointer (&schema);
}

/* The installed one, or that of the copy that comes with the library. */
static GSettingsSchema *
lookup_schema (void)
{
  GSettingsSchema *schema = lookup_schema_in (g_settings_schema_source_get_default ());
  const char *directory = g_getenv ("GMCP_SCHEMA_DIR");
  g_autoptr (GSettingsSchemaSource) own = NULL;

  if (schema != NULL)
    return schema;

  own = g_settings_schema_source_new_from_directory (
    directory != NULL && *directory != '\0' ? directory : GMCP_SCHEMA_DIR, NULL, FALSE, NULL);
  return lookup_schema_in (own);
}

/* Gives whether it is another value than before: who resets all settings says of each that it has changed. */
static gboolean
read_key (GmcpdSettings *self, const char *key)
{
  g_autoptr (GVariant) value = g_settings_get_value (self->settings, key);
  GVariant *before = g_hash_table_lookup (self->stored, key);

  if (before != NULL && g_variant_equal (value, before))
    return FALSE;
  g_hash_table_insert (self->stored, g_strdup (key), g_steal_pointer (&value));
  return TRUE;
}

static void
on_key_changed (GSettings *settings, const char *key, GmcpdSettings *self)
{
  if (read_key (self, key) && !gmcpd_settings_is_given (self, key))
    g_signal_emit (self, changed_signal, g_quark_from_string (key));
}

static void
use_gsettings (GmcpdSettings *self)
{
  g_autoptr (GSettingsSchema) schema = lookup_schema ();
  g_auto (GStrv) keys = NULL;

  if (schema == NULL)
    return;
  self->settings = g_settings_new_full (schema, NULL, NULL);
  keys = g_settings_schema_list_keys (schema);
  for (gsize i = 0; keys[i] != NULL; i++)
    read_key (self, keys[i]);
  g_signal_connect_object (self->settings, "changed", G_CALLBACK (on_key_changed), self, 0);
}

static void
give_port (GmcpdSettings *self, const char *key, int port)
{
  if (port != GMCPD_PORT_NOT_GIVEN)
    g_hash_table_insert (self->given, (gpointer) key,
                         g_variant_ref_sink (g_variant_new_int32 (port)));
}

static void
give_role (GmcpdSettings *self, const char *key, const char *role)
{
  if (role != NULL)
    g_hash_table_insert (self->given, (gpointer) key,
                         g_variant_ref_sink (g_variant_new_string (role)));
}

GmcpdSettings *
gmcpd_settings_new (const GmcpdOptions *options)
{
  GmcpdSettings *self = g_object_new (GMCPD_TYPE_SETTINGS, NULL);

  give_port (self, GMCPD_SETTING_CONTROL_PORT, options->control_port);
  give_port (self, GMCPD_SETTING_GATEWAY_PORT, options->gateway_port);
  give_role (self, GMCPD_SETTING_GATEWAY_ROLE, options->gateway_role);
  give_role (self, GMCPD_SETTING_TOOLS_ROLE, options->tools_role);
  if (options->config_file == NULL)
    use_gsettings (self);
  return self;
}

gboolean
gmcpd_settings_is_given (GmcpdSettings *self, const char *key)
{
  return g_hash_table_contains (self->given, key);
}

/* NULL where nothing says it. Borrowed. */
static GVariant *
get_value (GmcpdSettings *self, const char *key)
{
  GVariant *given = g_hash_table_lookup (self->given, key);

  return given != NULL ? given : g_hash_table_lookup (self->stored, key);
}

int
gmcpd_settings_get_port (GmcpdSettings *self, const char *key)
{
  GVariant *value = get_value (self, key);
  int port = value != NULL ? g_variant_get_int32 (value) : -1;

  /* The schema of another version may have another range. */
  return port <= G_MAXUINT16 ? MAX (port, -1) : -1;
}

char *
gmcpd_settings_dup_role (GmcpdSettings *self, const char *key)
{
  GVariant *value = get_value (self, key);
  const char *role = value != NULL ? g_variant_get_string (value, NULL) : "";

  return *role != '\0' ? g_strdup (role) : NULL;
}
