/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-entry-reader-private.h"
#include "gmcp-config-settings-reader-private.h"
#include "gmcp-manager-limits-private.h"

#include <gmcp/manager/gmcp-manager.h>

/* Prints what the code knows of keys in files: where one stands, its name, the property that it sets (“-” for
 * one that has more to it), and then the kind, default, and least and largest value of that property, and what is said of the key. Words are
 * separated by tabs, and those of an enumeration by “|”. */

static void
print_words (GParamSpec *pspec)
{
  GEnumClass *klass = G_PARAM_SPEC_ENUM (pspec)->enum_class;

  for (guint i = 0; i < klass->n_values; i++)
    g_print ("%s%s", i > 0 ? "|" : "", klass->values[i].value_nick);
}

static void
print_default (GParamSpec *pspec)
{
  const GValue *value = g_param_spec_get_default_value (pspec);

  if (G_IS_PARAM_SPEC_ENUM (pspec))
    g_print ("%s",
             g_enum_get_value (G_PARAM_SPEC_ENUM (pspec)->enum_class, g_value_get_enum (value))
               ->value_nick);
  else if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    g_print ("%s", g_value_get_boolean (value) ? "true" : "false");
  else if (G_IS_PARAM_SPEC_UINT (pspec))
    g_print ("%u", g_value_get_uint (value));
  else if (G_IS_PARAM_SPEC_UINT64 (pspec))
    g_print ("%" G_GUINT64_FORMAT, g_value_get_uint64 (value));
}

static void
print_key (const char *place,
           const char *name,
           GTypeClass *klass,
           const char *property,
           guint low,
           guint high,
           const char *summary)
{
  GParamSpec *pspec
    = property != NULL ? g_object_class_find_property (G_OBJECT_CLASS (klass), property) : NULL;

  g_print ("%s\t%s\t%s\t", place, name, pspec != NULL ? pspec->name : "-");
  if (pspec != NULL && G_IS_PARAM_SPEC_ENUM (pspec))
    print_words (pspec);
  else
    g_print ("%s", pspec == NULL                    ? "-"
                   : G_IS_PARAM_SPEC_UINT64 (pspec) ? "guint"
                                                    : g_type_name (pspec->value_type));
  g_print ("\t");
  if (pspec != NULL)
    print_default (pspec);
  g_print ("\t%u\t%u\t%s\n", low, high, summary);
}

static const GmcpManagerLimitInfo *
look_up_limit (const char *file_key)
{
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    {
      const GmcpManagerLimitInfo *info = gmcp_manager_limit_get_info (i);

      if (g_str_equal (info->file_key, file_key))
        return info;
    }
  return NULL;
}

static const char *
look_up_summary (const char *name)
{
  const GmcpConfigSettingsKey *key = NULL;

  for (gsize i = 0; (key = gmcp_config_settings_get_key (i)) != NULL; i++)
    {
      if (g_str_equal (key->name, name))
        return key->summary;
    }
  return "";
}

int
main (void)
{
  g_autoptr (GTypeClass) server = g_type_class_ref (GMCP_TYPE_SERVER_CONFIG);
  g_autoptr (GTypeClass) manager = g_type_class_ref (GMCP_TYPE_MANAGER);
  g_autofree const char **settings = gmcp_config_settings_list_keys ();
  const GmcpConfigEntryKey *key;

  for (gsize i = 0; (key = gmcp_config_entry_get_key (i)) != NULL; i++)
    {
      guint low = 0;
      guint high = key->max;

      if (key->property != NULL)
        gmcp_config_entry_get_range (key->property, &low, &high);
      print_key ("server", key->name, server, key->property, low, high, key->summary);
    }

  for (gsize i = 0; settings[i] != NULL; i++)
    {
      const GmcpManagerLimitInfo *info = look_up_limit (settings[i]);
      g_autofree char *property = g_strdelimit (g_strdup (settings[i]), "_", '-');

      print_key ("settings", settings[i], manager, info != NULL ? info->name : property,
                 info != NULL ? info->low : 0, info != NULL ? info->high : 0,
                 info != NULL ? info->summary : look_up_summary (settings[i]));
    }
  return 0;
}
