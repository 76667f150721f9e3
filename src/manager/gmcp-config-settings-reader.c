/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-settings-reader-private.h"
#include "gmcp-config-variables-private.h"
#include "gmcp-i18n-private.h"

#define PATH                  "mcp_settings"
#define DEFAULT_LOG_DIRECTORY "logs/mcp_servers"

/* The times, in seconds there. */
static const struct
{
  const char *key;
  guint low;
  guint high;
  gsize offset;
} times[] = {
  { "health_check_interval_seconds", 10, 300,
    G_STRUCT_OFFSET (GmcpConfigSettings, health_interval_ms) },
  { "startup_timeout_seconds", 1, 60, G_STRUCT_OFFSET (GmcpConfigSettings, startup_timeout_ms) },
  { "shutdown_timeout_seconds", 1, 30, G_STRUCT_OFFSET (GmcpConfigSettings, shutdown_timeout_ms) },
};

static void
read_times (GmcpConfigSettings *settings, GmcpJsonValue object, GmcpConfigReport *report)
{
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    {
      GmcpJsonValue value = gmcp_json_value_get_member (object, times[i].key);
      g_autofree char *path = gmcp_config_path_join (PATH, times[i].key);
      g_autofree char *expected = NULL;
      double seconds = 0;

      if (!gmcp_json_value_is_present (value))
        continue;
      if (gmcp_json_value_get_double (value, &seconds) && seconds >= times[i].low
          && seconds <= times[i].high)
        {
          G_STRUCT_MEMBER (guint, settings, times[i].offset) = (guint) (seconds * 1000 + 0.5);
          continue;
        }
      expected
        = g_strdup_printf (_ ("a number of seconds from %u to %u"), times[i].low, times[i].high);
      gmcp_config_report_expected (report, value, path, expected);
    }
}

/* It is used before any server starts, and so filled in at once. */
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

static gboolean
is_known (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    {
      if (g_str_equal (name, times[i].key))
        return TRUE;
    }
  return g_str_equal (name, "auto_start_default") || g_str_equal (name, "log_directory");
}

void
gmcp_config_settings_default (GmcpConfigSettings *settings, const char *base_dir)
{
  if (base_dir != NULL)
    settings->default_log_directory = g_canonicalize_filename (DEFAULT_LOG_DIRECTORY, base_dir);
}

gboolean
gmcp_config_settings_read (GmcpConfigSettings *settings,
                           GmcpJsonValue value,
                           const char *base_dir,
                           GmcpConfigReport *report)
{
  GmcpJsonValue auto_start = gmcp_json_value_get_member (value, "auto_start_default");
  gboolean start = FALSE;
  GmcpJsonIter iter;
  GmcpJsonValue key;

  if (!gmcp_json_value_is_present (value))
    return FALSE;
  if (!gmcp_json_value_is_object (value))
    {
      gmcp_config_report_expected (report, value, PATH, _ ("an object"));
      return FALSE;
    }

  read_times (settings, value, report);
  read_log_directory (settings, gmcp_json_value_get_member (value, "log_directory"), base_dir,
                      report);
  if (gmcp_json_value_is_present (auto_start) && !gmcp_json_value_get_boolean (auto_start, &start))
    gmcp_config_report_expected (report, auto_start, PATH ".auto_start_default",
                                 _ ("true or false"));

  gmcp_json_iter_init (&iter, value);
  while (gmcp_json_iter_next (&iter, &key, NULL))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *path = gmcp_config_path_join (PATH, name);

      if (!is_known (name))
        gmcp_config_report_add (report, GMCP_NOTICE_LEVEL_WARNING, key, path, "%s",
                                _ ("this key is not known"));
    }
  return start;
}
