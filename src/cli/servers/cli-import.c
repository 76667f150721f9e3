/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-import.h"

#include <glib/gi18n.h>

char *
cli_import_describe_target (GmcpConfigImport *import)
{
  GFile *file = gmcp_config_import_get_target_file (import);

  return file != NULL ? g_file_get_parse_name (file) : g_strdup (_ ("the settings"));
}

gboolean
cli_import_is_chosen (GmcpConfigImportItem *item, const char *const *servers)
{
  return servers == NULL || g_strv_contains (servers, gmcp_config_import_item_get_name (item))
         || g_strv_contains (servers, gmcp_config_import_item_get_id (item));
}

gboolean
cli_import_load (CliHost *host, GmcpConfigImport *import, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_config_import_load_async (import, host->cancellable, cli_store_result, &result);
  return gmcp_config_import_load_finish (import, cli_wait (&result), error);
}

/* Not where the servers themselves, or what they are written to, are at fault. */
static gboolean
may_lack_keyring (GmcpConfigImport *import, const GError *error)
{
  return gmcp_config_import_get_store_secrets (import) && error->domain != G_FILE_ERROR
         && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT)
         && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
}

CliExit
cli_import_apply (CliHost *host, GmcpConfigImport *import, const char *const *ids)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_config_import_apply_async (import, ids, host->cancellable, cli_store_result, &result);
  if (!gmcp_config_import_apply_finish (import, cli_wait (&result), &error))
    {
      CliExit status = cli_host_report (host, error);

      if (may_lack_keyring (import, error))
        g_printerr ("%s\n", _ ("Nothing was stored. Where there is no keyring, --plain-secrets "
                               "writes secrets as they are."));
      return status;
    }

  /* What the settings still hold back would be lost with this process. */
  if (gmcp_config_import_get_target_file (import) == NULL)
    g_settings_sync ();
  return CLI_EXIT_OK;
}
