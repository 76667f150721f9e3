/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-config.h"

#include <gmcp/config/file/gmcp-file-config-source.h>

/* The configuration that the verbs of gmcp config are about. */

void
cli_config_load (CliHost *host, GmcpManager *manager, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_manager_load_config_async (manager, host->cancellable, cli_store_result, &result);
  gmcp_manager_load_config_finish (manager, cli_wait (&result), error);
}

static void
add_files (GmcpManager *manager, char *paths[], int n_paths)
{
  for (int i = 0; i < n_paths; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_commandline_arg (paths[i]);
      g_autoptr (GmcpConfigSource) source = GMCP_CONFIG_SOURCE (gmcp_file_config_source_new (file));

      gmcp_manager_add_source (manager, source);
    }
}

GmcpManager *
cli_config_read (CliHost *host, char *paths[], int n_paths, GError **error)
{
  GmcpManager *manager = gmcp_manager_new ();
  g_autoptr (GFile) folder = g_file_new_for_path (".");

  gmcp_manager_set_workspace (manager, folder);
  if (n_paths > 0)
    add_files (manager, paths, n_paths);
  else if (host->config_file != NULL)
    {
      g_autoptr (GFile) file = cli_host_make_config_file (host);

      gmcp_manager_set_config_file (manager, file);
    }
  else
    gmcp_manager_add_default_sources (manager);

  cli_config_load (host, manager, error);
  return manager;
}
