/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-settings-reader-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"

#define PATH                  "mcp_settings"
#define DEFAULT_LOG_DIRECTORY "logs/mcp_servers"

static const GmcpConfigSettingsKey other_keys[] = {
  { "ask_destructive", "false", N_ ("Whether to ask before a tool may destroy something") },
  { "auto_start_default", "false", N_ ("Whether servers of files start when they are needed") },
  { "log_directory", "\"" DEFAULT_LOG_DIRECTORY "\"", N_ ("Folder of the servers' logs") },
  { "pin_policy", "\"notice\"", N_ ("What is done about tools that change") },
  { "share", "\"auto\"", N_ ("Whether programs share one process of a server") },
};

const GmcpConfigSettingsKey *
gmcp_config_settings_get_key (gsize i)
{
  return i < G_N_ELEMENTS (other_keys) ? &other_keys[i] : NULL;
}

static gboolean
is_time (const GmcpManagerLimitInfo *info)
{
  return g_str_has_suffix (info->name, "-ms");
}

static char *
describe_range (const GmcpManagerLimitInfo *info)
{
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;

  if (!is_time (info))
    return g_strdup_printf (_ ("a whole number from %u to %u"), info->low, info->high);

  low = g_strdup_printf ("%.10g", info->low / 1000.);
  high = g_strdup_printf ("%.10g", info->high / 1000.);
  return g_strdup_printf (_ ("a number of seconds from %s to %s"), low, high);
}

static gboolean
read_number (const GmcpManagerLimitInfo *info, GmcpJsonValue value, guint *number)
{
  double read = 0;

  if (!gmcp_json_value_get_double (value, &read))
    return FALSE;
  if (is_time (info))
    read = read * 1000 + 0.5;
  else if (read != (double) (gint64) CLAMP (read, 0, G_MAXUINT))
    return FALSE;
  if (!(read >= info->low && read < info->high + 1.))
    return FALSE;

  *number = (guint) read;
  return TRUE;
}

static void
read_limits (GmcpConfigSettings *settings, GmcpJsonValue object, GmcpConfigReport *report)
{
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    {
      const GmcpManagerLimitInfo *info = gmcp_manager_limit_get_info (i);
      GmcpJsonValue value = gmcp_json_value_get_member (object, info->file_key);
      g_autofree char *path = NULL;
      g_autofree char *expected = NULL;

      if (!gmcp_json_value_is_present (value))
        continue;
      settings->has_limit[i] = read_number (info, value, &settings->limits[i]);
      if (settings->has_limit[i])
        continue;

      path = gmcp_config_path_join (PATH, info->file_key);
      expected = describe_range (info);
      gmcp_config_report_expected (report, value, path, expected);
    }
}

/* The log directory is used before any server starts, and so filled in at once. */
static void
read_log_directory (GmcpConfigSettings *settings,
                    GmcpJsonValue value,
                    const char *base_dir,
                    GmcpConfigReport *report)
{
  g_autofree char *text = gmcp_json_value_dup_string (value);
  g_autofree char *filled = NULL;
  g_autoptr (GError) error = NULL;

  if (!gmcp_json_value_is_present (value))
    return;
  if (text == NULL || *text == '\0')
    {
      gmcp_config_report_expected (report, value, PATH ".log_directory", _ ("a string"));
      return;
    }

  filled = gmcp_config_variables_fill_plain (text, NULL, &error);
  if (filled == NULL)
    gmcp_config_report_add (report, GMCP_NOTICE_LEVEL_ERROR, value, PATH ".log_directory", "%s",
                            error->message);
  else if (base_dir != NULL)
    settings->log_directory = g_canonicalize_filename (filled, base_dir);
}

/* FALSE where it is not there, or none. */
static gboolean
read_flag (GmcpJsonValue object, const char *key, GmcpConfigReport *report, gboolean *flag)
{
  GmcpJsonValue value = gmcp_json_value_get_member (object, key);
  g_autofree char *path = gmcp_config_path_join (PATH, key);

  if (!gmcp_json_value_is_present (value))
    return FALSE;
  if (gmcp_json_value_get_boolean (value, flag))
    return TRUE;

  gmcp_config_report_expected (report, value, path, _ ("true or false"));
  return FALSE;
}

/* FALSE where it is not there, or none of the type's. */
static gboolean
read_word (GmcpJsonValue object,
           const char *key,
           GType type,
           const char *expected,
           GmcpConfigReport *report,
           int *word)
{
  g_autoptr (GEnumClass) words = g_type_class_ref (type);
  GmcpJsonValue value = gmcp_json_value_get_member (object, key);
  g_autofree char *text = gmcp_json_value_dup_string (value);
  g_autofree char *path = gmcp_config_path_join (PATH, key);
  const GEnumValue *found = text != NULL ? g_enum_get_value_by_nick (words, text) : NULL;

  if (found != NULL)
    *word = found->value;
  else if (gmcp_json_value_is_present (value))
    gmcp_config_report_expected (report, value, path, expected);
  return found != NULL;
}

const char **
gmcp_config_settings_list_keys (void)
{
  const char **keys = g_new0 (const char *, GMCP_N_MANAGER_LIMITS + G_N_ELEMENTS (other_keys) + 1);

  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    keys[i] = gmcp_manager_limit_get_info (i)->file_key;
  for (gsize i = 0; i < G_N_ELEMENTS (other_keys); i++)
    keys[GMCP_N_MANAGER_LIMITS + i] = other_keys[i].name;
  return keys;
}

void
gmcp_config_settings_default (GmcpConfigSettings *settings, const char *base_dir)
{
  if (base_dir != NULL)
    settings->default_log_directory = g_canonicalize_filename (DEFAULT_LOG_DIRECTORY, base_dir);
}

void
gmcp_config_settings_read (GmcpConfigSettings *settings,
                           GmcpJsonValue value,
                           const char *base_dir,
                           GmcpConfigReport *report)
{
  g_autofree const char **known = gmcp_config_settings_list_keys ();
  GmcpJsonIter iter;
  GmcpJsonValue key;

  if (!gmcp_json_value_is_present (value))
    return;
  if (!gmcp_json_value_is_object (value))
    {
      gmcp_config_report_expected (report, value, PATH, _ ("an object"));
      return;
    }

  gmcp_config_report_doubled_keys (report, value, PATH);
  read_limits (settings, value, report);
  read_log_directory (settings, gmcp_json_value_get_member (value, "log_directory"), base_dir,
                      report);
  settings->has_ask_destructive
    = read_flag (value, "ask_destructive", report, &settings->ask_destructive);
  settings->has_auto_start = read_flag (value, "auto_start_default", report, &settings->auto_start);
  settings->has_pin_policy
    = read_word (value, "pin_policy", GMCP_TYPE_PIN_POLICY, _ ("“off”, “notice” or “withhold”"),
                 report, &settings->pin_policy);
  settings->has_share = read_word (value, "share", GMCP_TYPE_SHARE, _ ("“auto”, “yes” or “no”"),
                                   report, &settings->share);

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &key, NULL))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *path = gmcp_config_path_join (PATH, name);

      if (!g_strv_contains (known, name))
        gmcp_config_report_unknown_key (report, GMCP_NOTICE_LEVEL_WARNING, key, path, name, known);
    }
}

gboolean
gmcp_config_settings_equal (const GmcpConfigSettings *a, const GmcpConfigSettings *b)
{
  for (guint i = 0; i < GMCP_N_MANAGER_LIMITS; i++)
    {
      if (a->has_limit[i] != b->has_limit[i] || (a->has_limit[i] && a->limits[i] != b->limits[i]))
        return FALSE;
    }
  return a->has_ask_destructive == b->has_ask_destructive
         && (!a->has_ask_destructive || a->ask_destructive == b->ask_destructive)
         && a->has_pin_policy == b->has_pin_policy
         && (!a->has_pin_policy || a->pin_policy == b->pin_policy) && a->has_share == b->has_share
         && (!a->has_share || a->share == b->share)
         && g_strcmp0 (a->log_directory, b->log_directory) == 0
         && g_strcmp0 (a->default_log_directory, b->default_log_directory) == 0;
}
