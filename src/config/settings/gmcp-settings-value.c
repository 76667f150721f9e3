/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <stdlib.h>
#include <string.h>

#include "gmcp-config-report-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-settings-value-private.h"

#include <gmcp/config/gmcp-config-finding.h>

char *
gmcp_settings_dup_place (GSettings *settings, const char *key)
{
  g_autofree char *path = NULL;

  g_object_get (settings, "path", &path, NULL);
  return g_strconcat (path, key, NULL);
}

/* What is stored, whether it is of that type or not; NULL for nothing. */
static GVariant *
read_stored (GSettings *settings, const char *key, const GVariantType *type)
{
  g_autofree char *place = gmcp_settings_dup_place (settings, key);
  g_autoptr (GSettingsBackend) backend = NULL;
  GSettingsBackendClass *klass;

  g_object_get (settings, "backend", &backend, NULL);
  klass = G_SETTINGS_BACKEND_GET_CLASS (backend);
  return klass->read != NULL ? klass->read (backend, place, type, FALSE) : NULL;
}

static char *
dup_expected_of_type (const GVariantType *type)
{
  if (g_variant_type_equal (type, G_VARIANT_TYPE_BOOLEAN))
    return g_strdup (_ ("true or false"));
  if (g_variant_type_equal (type, G_VARIANT_TYPE_STRING_ARRAY))
    return g_strdup (_ ("an array of strings"));
  if (g_variant_type_equal (type, G_VARIANT_TYPE ("a{ss}")))
    return g_strdup (_ ("an object of strings"));
  return g_strdup (_ ("a string"));
}

/* All numbers of the schemas have a range. */
static char *
dup_expected_of_range (GVariant *limits, const char *key)
{
  guint low, high;

  g_variant_get (limits, "(uu)", &low, &high);
  /* A whole number, or a time in milliseconds, as its key has it. */
  return g_strdup_printf (g_str_has_suffix (key, "-ms")
                            ? _ ("a whole number of milliseconds from %u to %u")
                            : _ ("a whole number from %u to %u"),
                          low, high);
}

static char *
dup_expected (GSettingsSchemaKey *described, const char *key)
{
  g_autoptr (GVariant) range = g_settings_schema_key_get_range (described);
  g_autoptr (GVariant) limits = NULL;
  const char *kind = NULL;

  g_variant_get (range, "(&sv)", &kind, &limits);
  if (g_str_equal (kind, "enum"))
    {
      g_autofree const char **words = g_variant_get_strv (limits, NULL);

      return gmcp_config_list_words (words);
    }
  if (g_str_equal (kind, "range") && g_variant_is_of_type (limits, G_VARIANT_TYPE ("(uu)")))
    return dup_expected_of_range (limits, key);
  return dup_expected_of_type (g_settings_schema_key_get_value_type (described));
}

static GSettingsSchemaKey *
describe_key (GSettings *settings, const char *key)
{
  g_autoptr (GSettingsSchema) schema = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  return g_settings_schema_get_key (schema, key);
}

GmcpSettingsValue
gmcp_settings_check_value (GSettings *settings, const char *key, char **expected)
{
  g_autoptr (GSettingsSchemaKey) described = describe_key (settings, key);
  g_autoptr (GVariant) value = NULL;
  g_autoptr (GVariant) anything = NULL;
  const GVariantType *type;
  gboolean right_type;

  type = g_settings_schema_key_get_value_type (described);
  value = read_stored (settings, key, type);
  /* A key file gives only what can be read as that type, and nearly all can be read as text. */
  if (value == NULL)
    anything = read_stored (settings, key, G_VARIANT_TYPE_STRING);
  right_type = value != NULL && g_variant_is_of_type (value, type);
  if ((value == NULL && anything == NULL)
      || (right_type && g_settings_schema_key_range_check (described, value)))
    return GMCP_SETTINGS_VALUE_FINE;

  if (expected != NULL)
    *expected = dup_expected (described, key);
  return right_type && g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32)
           ? GMCP_SETTINGS_VALUE_OUT_OF_RANGE
           : GMCP_SETTINGS_VALUE_UNREADABLE;
}

gboolean
gmcp_settings_is_set (GSettings *settings, const char *key)
{
  g_autoptr (GSettingsSchemaKey) described = describe_key (settings, key);
  g_autoptr (GVariant) value
    = read_stored (settings, key, g_settings_schema_key_get_value_type (described));

  return value != NULL
         && gmcp_settings_check_value (settings, key, NULL) == GMCP_SETTINGS_VALUE_FINE;
}

gboolean
gmcp_settings_takes (GSettings *settings, const char *key, GVariant *value, char **expected)
{
  g_autoptr (GSettingsSchemaKey) described = describe_key (settings, key);

  if (g_settings_schema_key_range_check (described, value))
    return TRUE;

  *expected = dup_expected (described, key);
  return FALSE;
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Whether anything is, which a key file and all other backends say without knowing the type of the key. */
static gboolean
is_stored (GSettingsBackend *backend, const char *path, const char *key)
{
  GSettingsBackendClass *klass = G_SETTINGS_BACKEND_GET_CLASS (backend);
  g_autofree char *place = g_strconcat (path, key, NULL);
  g_autoptr (GVariant) anything
    = klass->read != NULL ? klass->read (backend, place, G_VARIANT_TYPE_STRING, FALSE) : NULL;

  return anything != NULL;
}

GmcpSettingsValue
gmcp_settings_check_values (GSettings *settings, gboolean default_holds, GPtrArray *findings)
{
  g_autoptr (GSettingsSchema) schema = NULL;
  g_autoptr (GSettingsBackend) backend = NULL;
  g_autofree char *path = NULL;
  g_auto (GStrv) keys = NULL;
  GmcpSettingsValue worst = GMCP_SETTINGS_VALUE_FINE;

  g_object_get (settings, "settings-schema", &schema, "backend", &backend, "path", &path, NULL);
  keys = g_settings_schema_list_keys (schema);
  qsort (keys, g_strv_length (keys), sizeof *keys, compare_keys);
  for (gsize i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *expected = NULL;
      g_autofree char *place = NULL;
      g_autofree char *message = NULL;
      GmcpSettingsValue found;

      /* Most are not, and to look up what is expected takes ten times as long. */
      if (!is_stored (backend, path, keys[i]))
        continue;
      found = gmcp_settings_check_value (settings, keys[i], &expected);
      if (found == GMCP_SETTINGS_VALUE_FINE)
        continue;
      place = gmcp_settings_dup_place (settings, keys[i]);
      message = g_strdup_printf (default_holds && found == GMCP_SETTINGS_VALUE_OUT_OF_RANGE
                                   ? _ ("expected %s; the default holds instead")
                                   : _ ("expected %s"),
                                 expected);
      g_ptr_array_add (findings,
                       gmcp_config_finding_new (GMCP_NOTICE_LEVEL_ERROR, NULL, 0, place, message));
      worst = MAX (worst, found);
    }
  return worst;
}
