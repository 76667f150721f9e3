/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-source.h"

#include <glib/gi18n.h>
#include <string.h>
#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/config/settings/gmcp-settings-config-source.h>

gboolean
cli_source_has_server (GmcpConfigSource *source, const char *server_id)
{
  g_autoptr (GmcpServerConfig) config = gmcp_config_source_find_server (source, server_id);

  return config != NULL;
}

GmcpConfigSource *
cli_source_find (GmcpManager *manager, const char *server_id)
{
  g_autoptr (GPtrArray) sources = gmcp_manager_list_sources (manager);

  for (guint i = 0; i < sources->len; i++)
    {
      if (cli_source_has_server (g_ptr_array_index (sources, i), server_id))
        return g_ptr_array_index (sources, i);
    }
  return NULL;
}

char *
cli_source_describe (GmcpConfigSource *source)
{
  GFile *file = NULL;

  if (GMCP_IS_FILE_CONFIG_SOURCE (source))
    file = gmcp_file_config_source_get_file (GMCP_FILE_CONFIG_SOURCE (source));
  if (file != NULL)
    return g_file_get_parse_name (file);
  return g_strdup (GMCP_IS_SETTINGS_CONFIG_SOURCE (source) ? _ ("the settings") : _ ("a program"));
}

gboolean
cli_source_is_project (GmcpConfigSource *source)
{
  gboolean project = FALSE;

  if (GMCP_IS_FILE_CONFIG_SOURCE (source))
    g_object_get (source, "project", &project, NULL);
  return project;
}

static CliExit
report_foreign (const char *server_id)
{
  return cli_usage_error (_ ("%s does not come from the settings or a file, and cannot be changed "
                             "here"),
                          server_id);
}

CliExit
cli_source_remove (CliHost *host, GmcpConfigSource *source, const char *server_id)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (GMCP_IS_SETTINGS_CONFIG_SOURCE (source))
    {
      if (!gmcp_settings_config_source_remove_server (GMCP_SETTINGS_CONFIG_SOURCE (source),
                                                      server_id, &error))
        return cli_host_report (host, error);
      g_settings_sync ();
      return CLI_EXIT_OK;
    }
  if (!GMCP_IS_FILE_CONFIG_SOURCE (source))
    return report_foreign (server_id);

  gmcp_file_config_source_remove_server_async (GMCP_FILE_CONFIG_SOURCE (source), server_id,
                                               host->cancellable, cli_store_result, &result);
  if (!gmcp_file_config_source_remove_server_finish (GMCP_FILE_CONFIG_SOURCE (source),
                                                     cli_wait (&result), &error))
    return cli_host_report (host, error);
  return CLI_EXIT_OK;
}

CliExit
cli_source_set_enabled (CliHost *host,
                        GmcpConfigSource *source,
                        const char *server_id,
                        gboolean enabled)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (GMCP_IS_SETTINGS_CONFIG_SOURCE (source))
    {
      if (!gmcp_settings_config_source_set_server_enabled (GMCP_SETTINGS_CONFIG_SOURCE (source),
                                                           server_id, enabled, &error))
        return cli_host_report (host, error);
      g_settings_sync ();
      return CLI_EXIT_OK;
    }
  if (!GMCP_IS_FILE_CONFIG_SOURCE (source))
    return report_foreign (server_id);

  gmcp_file_config_source_set_server_enabled_async (GMCP_FILE_CONFIG_SOURCE (source), server_id,
                                                    enabled, host->cancellable, cli_store_result,
                                                    &result);
  if (!gmcp_file_config_source_set_server_enabled_finish (GMCP_FILE_CONFIG_SOURCE (source),
                                                          cli_wait (&result), &error))
    return cli_host_report (host, error);
  return CLI_EXIT_OK;
}

char *
cli_source_shorten_place (const char *place)
{
  const char *home = g_get_home_dir ();
  gsize length = strlen (home);

  if (place == NULL || length < 2 || !g_str_has_prefix (place, home) || place[length] != '/')
    return g_strdup (place);
  return g_strconcat ("~", place + length, NULL);
}
