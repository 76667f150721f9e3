/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-server-config-write-private.h"
#include "gmcp-settings-schema-private.h"
#include "gmcp-settings-server-private.h"
#include "gmcp-settings-value-private.h"

#include <gmcp/core/gmcp-error.h>

/* Reads a map as NAME=VALUE each, or as names and values in turn. */
static GStrv
dup_map (GSettings *settings, const char *key, gboolean joined)
{
  g_autoptr (GVariant) map = g_settings_get_value (settings, key);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  GVariantIter iter;
  const char *name;
  const char *value;

  g_variant_iter_init (&iter, map);
  while (g_variant_iter_next (&iter, "{&s&s}", &name, &value))
    {
      g_ptr_array_add (words, joined ? g_strdup_printf ("%s=%s", name, value) : g_strdup (name));
      if (!joined)
        g_ptr_array_add (words, g_strdup (value));
    }

  g_ptr_array_add (words, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&words), FALSE);
}

static void
read_value (GSettings *settings, const char *key, const GmcpConfigField *field, GValue *value)
{
  guint number;

  switch (field->kind)
    {
    case GMCP_CONFIG_FIELD_STRING:
      g_value_take_string (value, g_settings_get_string (settings, key));
      break;
    case GMCP_CONFIG_FIELD_FLAG:
      g_value_set_boolean (value, g_settings_get_boolean (settings, key));
      break;
    case GMCP_CONFIG_FIELD_NUMBER:
      /* The schema's default stands for what holds for all servers. */
      number = g_settings_get_uint (settings, key);
      g_value_set_uint (value, gmcp_settings_is_set (settings, key) ? number : 0);
      break;
    case GMCP_CONFIG_FIELD_ENUM:
      g_value_set_enum (value, g_settings_get_enum (settings, key));
      break;
    case GMCP_CONFIG_FIELD_WORDS:
      g_value_take_boxed (value, g_settings_get_strv (settings, key));
      break;
    case GMCP_CONFIG_FIELD_ENVIRONMENT:
      g_value_take_boxed (value, dup_map (settings, key, TRUE));
      break;
    case GMCP_CONFIG_FIELD_HEADERS:
      g_value_take_boxed (value, dup_map (settings, key, FALSE));
      break;
    }
}

GmcpServerConfig *
gmcp_settings_read_server (GSettings *settings, const char *id)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);
  g_autoptr (GTypeClass) klass = g_type_class_ref (GMCP_TYPE_SERVER_CONFIG);
  g_autofree const char **names = g_new (const char *, n_fields);
  g_autofree GValue *values = g_new0 (GValue, n_fields);
  GmcpServerConfig *config;

  for (gsize i = 0; i < n_fields; i++)
    {
      const char *key = gmcp_settings_get_key (&fields[i]);

      names[i] = fields[i].name;
      g_value_init (&values[i],
                    g_object_class_find_property (G_OBJECT_CLASS (klass), names[i])->value_type);
      if (key != NULL)
        read_value (settings, key, &fields[i], &values[i]);
      else if (g_str_equal (names[i], "id"))
        g_value_set_string (&values[i], id);
      else
        g_param_value_set_default (g_object_class_find_property (G_OBJECT_CLASS (klass), names[i]),
                                   &values[i]);
    }

  config = GMCP_SERVER_CONFIG (
    g_object_new_with_properties (GMCP_TYPE_SERVER_CONFIG, n_fields, names, values));
  for (gsize i = 0; i < n_fields; i++)
    g_value_unset (&values[i]);
  gmcp_server_config_take_places (config, gmcp_config_places_new_of_settings (id));
  return config;
}

/* NAME=VALUE each, or names and values in turn. */
static GVariant *
make_map (const char *const *words, gboolean joined)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  for (gsize i = 0; words != NULL && words[i] != NULL; i += joined ? 1 : 2)
    {
      gsize length = joined ? strcspn (words[i], "=") : strlen (words[i]);
      g_autofree char *name = g_strndup (words[i], length);

      g_variant_builder_add (&builder, "{ss}", name, joined ? words[i] + length + 1 : words[i + 1]);
    }
  return g_variant_builder_end (&builder);
}

static GVariant *
make_nick (const GValue *value)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (G_VALUE_TYPE (value));
  GEnumValue *found = g_enum_get_value (klass, g_value_get_enum (value));

  return g_variant_new_string (found != NULL ? found->value_nick : "");
}

/* Whether the transport follows from the command or the address. */
static gboolean
is_plain_transport (GmcpServerConfig *config)
{
  const char *const *argv = gmcp_server_config_get_argv (config);
  gboolean has_command = argv != NULL && argv[0] != NULL;
  gboolean has_url = gmcp_server_config_get_url (config) != NULL;

  switch (gmcp_server_config_get_transport (config))
    {
    case GMCP_SERVER_TRANSPORT_STDIO:
      return has_command && !has_url;
    case GMCP_SERVER_TRANSPORT_HTTP:
      return has_url && !has_command;
    case GMCP_SERVER_TRANSPORT_AUTO:
    case GMCP_SERVER_TRANSPORT_SSE:
    default:
      return FALSE;
    }
}

/* NULL for what is as by default, and not to be set. */
static GVariant *
make_variant (const GmcpConfigField *field, GmcpServerConfig *config)
{
  static const char *const none[] = { NULL };
  g_autoptr (GTypeClass) klass = g_type_class_ref (GMCP_TYPE_SERVER_CONFIG);
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_CLASS (klass), field->name);
  g_auto (GValue) value = G_VALUE_INIT;
  const char *const *words = NULL;
  const char *text = NULL;

  g_value_init (&value, pspec->value_type);
  gmcp_config_field_get_value (field, config, &value);
  if (G_VALUE_HOLDS_BOXED (&value))
    words = g_value_get_boxed (&value);
  else if (G_VALUE_HOLDS_STRING (&value))
    text = g_value_get_string (&value);

  switch (field->kind)
    {
    case GMCP_CONFIG_FIELD_FLAG:
      return g_variant_new_boolean (g_value_get_boolean (&value));
    case GMCP_CONFIG_FIELD_NUMBER:
      return g_value_get_uint (&value) > 0 ? g_variant_new_uint32 (g_value_get_uint (&value))
                                           : NULL;
    case GMCP_CONFIG_FIELD_ENUM:
      if (g_str_equal (field->name, "transport") && is_plain_transport (config))
        g_value_set_enum (&value, GMCP_SERVER_TRANSPORT_AUTO);
      return make_nick (&value);
    case GMCP_CONFIG_FIELD_WORDS:
      return g_variant_new_strv (words != NULL ? words : none, -1);
    case GMCP_CONFIG_FIELD_ENVIRONMENT:
      return make_map (words, TRUE);
    case GMCP_CONFIG_FIELD_HEADERS:
      return make_map (words, FALSE);
    case GMCP_CONFIG_FIELD_STRING:
    default:
      return g_variant_new_string (text != NULL ? text : "");
    }
}

typedef gboolean (*ForField) (GSettings *settings,
                              const GmcpConfigField *field,
                              const char *key,
                              GVariant *value,
                              GError **error);

static gboolean
for_each_field (GSettings *settings,
                GmcpServerConfig *config,
                const char *const *names,
                ForField func,
                GError **error)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    {
      const char *key = gmcp_settings_get_key (&fields[i]);
      g_autoptr (GVariant) value = NULL;

      if (key == NULL || !g_strv_contains (names, fields[i].name))
        continue;
      value = make_variant (&fields[i], config);
      if (value != NULL)
        g_variant_ref_sink (value);
      if (!func (settings, &fields[i], key, value, error))
        return FALSE;
    }
  return TRUE;
}

/* Whether a key has that value already; NULL for that of the schema. A number counts only where it is set. */
static gboolean
has_value (GSettings *settings, const GmcpConfigField *field, const char *key, GVariant *value)
{
  g_autoptr (GVariant) present = g_settings_get_value (settings, key);

  if (field->kind == GMCP_CONFIG_FIELD_NUMBER
      && gmcp_settings_is_set (settings, key) != (value != NULL))
    return FALSE;
  return value == NULL || g_variant_equal (present, value);
}

static gboolean
check_range (GSettings *settings,
             const GmcpConfigField *field,
             const char *key,
             GVariant *value,
             GError **error)
{
  g_autofree char *name = gmcp_server_config_name_field (field);
  g_autofree char *expected = NULL;

  if (value == NULL || gmcp_settings_takes (settings, key, value, &expected))
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG, _ ("%s: expected %s"), name, expected);
  return FALSE;
}

static gboolean
check_field (GSettings *settings,
             const GmcpConfigField *field,
             const char *key,
             GVariant *value,
             GError **error)
{
  g_autofree char *name = gmcp_server_config_name_field (field);

  if (!check_range (settings, field, key, value, error))
    return FALSE;
  if (has_value (settings, field, key, value) || g_settings_is_writable (settings, key))
    return TRUE;

  g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
               _ ("%s is locked by the administrator of this computer"), name);
  return FALSE;
}

static gboolean
write_field (GSettings *settings,
             const GmcpConfigField *field,
             const char *key,
             GVariant *value,
             GError **error)
{
  if (has_value (settings, field, key, value))
    return TRUE;
  if (value != NULL)
    g_settings_set_value (settings, key, value);
  else
    g_settings_reset (settings, key);
  return TRUE;
}

char *
gmcp_settings_list_unkept (GmcpServerConfig *config)
{
  g_autoptr (GmcpServerConfig) plain = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    {
      if (!fields[i].in_settings && !g_str_equal (fields[i].name, "id")
          && !gmcp_config_field_equal (&fields[i], config, plain))
        g_ptr_array_add (names, gmcp_server_config_name_field (&fields[i]));
    }
  g_ptr_array_add (names, NULL);
  return names->len > 1 ? g_strjoinv (", ", (char **) names->pdata) : NULL;
}

GmcpServerConfig *
gmcp_settings_dup_kept (GmcpServerConfig *config)
{
  GmcpServerConfig *kept = gmcp_server_config_copy (config);
  g_autoptr (GmcpServerConfig) plain = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    {
      if (!fields[i].in_settings && !g_str_equal (fields[i].name, "id"))
        gmcp_config_field_copy (&fields[i], plain, kept);
    }
  return kept;
}

/* A value that is not kept is not lost unnoticed. */
static gboolean
check_kept (GmcpServerConfig *config, GError **error)
{
  g_autofree char *names = gmcp_settings_list_unkept (config);

  if (names == NULL)
    return TRUE;

  g_set_error (
    error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG,
    /* Translators: a server, and names of keys */
    _ (
      "The settings cannot keep these keys of the server “%s”, which are for files only: %s. Put the "
      "server into a file such as mcp.json, or take them out"),
    gmcp_server_config_get_id (config), names);
  return FALSE;
}

gboolean
gmcp_settings_check_server (GSettings *settings,
                            GmcpServerConfig *config,
                            const char *const *fields,
                            GError **error)
{
  return for_each_field (settings, config, fields, check_field, error);
}

void
gmcp_settings_write_server (GSettings *settings,
                            GmcpServerConfig *config,
                            const char *const *fields)
{
  g_settings_delay (settings);
  for_each_field (settings, config, fields, write_field, NULL);
  g_settings_apply (settings);
}

static void
reset_fields (GSettings *settings)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    {
      const char *key = gmcp_settings_get_key (&fields[i]);

      if (key != NULL && g_settings_is_writable (settings, key))
        g_settings_reset (settings, key);
    }
}

void
gmcp_settings_reset_server (GSettings *settings)
{
  g_settings_delay (settings);
  reset_fields (settings);
  g_settings_apply (settings);
}

gboolean
gmcp_settings_replace_server (GSettings *settings, GmcpServerConfig *config, GError **error)
{
  gsize n_fields;
  const GmcpConfigField *fields = gmcp_config_fields_get (&n_fields);
  g_autofree const char **names = g_new0 (const char *, n_fields + 1);

  for (gsize i = 0; i < n_fields; i++)
    names[i] = fields[i].name;
  if (!check_kept (config, error) || !for_each_field (settings, config, names, check_field, error))
    return FALSE;

  g_settings_delay (settings);
  reset_fields (settings);
  for_each_field (settings, config, names, write_field, NULL);
  g_settings_apply (settings);
  return TRUE;
}
