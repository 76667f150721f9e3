/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-affirm.h"
#include "cli-commands.h"
#include "cli-editor.h"
#include "cli-questions.h"
#include "cli-server.h"
#include "cli-source.h"
#include "cli-text.h"

#include <gmcp/config/file/gmcp-file-config-source.h>
#include <gmcp/config/settings/gmcp-settings-config-source.h>

/* gmcp edit: one server in the user's editor. */

static char *
read_text (CliHost *host, GmcpConfigSource *source, const char *id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpServerConfig) config = NULL;
  g_autofree char *json = NULL;

  if (GMCP_IS_SETTINGS_CONFIG_SOURCE (source))
    {
      config = gmcp_config_source_find_server (source, id);
      json = gmcp_server_config_dup_json (config);
      return g_strconcat (json, "\n", NULL);
    }
  gmcp_file_config_source_read_server_text_async (GMCP_FILE_CONFIG_SOURCE (source), id,
                                                  host->cancellable, cli_store_result, &result);
  return gmcp_file_config_source_read_server_text_finish (GMCP_FILE_CONFIG_SOURCE (source),
                                                          cli_wait (&result), error);
}

static gboolean
write_text (CliHost *host,
            GmcpConfigSource *source,
            const char *id,
            const char *before,
            const char *text,
            GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpServerConfig) config = NULL;

  if (!GMCP_IS_SETTINGS_CONFIG_SOURCE (source))
    {
      gmcp_file_config_source_write_server_text_async (GMCP_FILE_CONFIG_SOURCE (source), id, before,
                                                       text, host->cancellable, cli_store_result,
                                                       &result);
      return gmcp_file_config_source_write_server_text_finish (GMCP_FILE_CONFIG_SOURCE (source),
                                                               cli_wait (&result), error);
    }

  config = gmcp_server_config_new_from_json (id, text, error);
  if (config == NULL
      || !gmcp_settings_config_source_set_server (GMCP_SETTINGS_CONFIG_SOURCE (source), config,
                                                  error))
    return FALSE;
  g_settings_sync ();
  return TRUE;
}

static const char *
find_ending (GmcpConfigSource *source)
{
  GFile *file = GMCP_IS_FILE_CONFIG_SOURCE (source)
                  ? gmcp_file_config_source_get_file (GMCP_FILE_CONFIG_SOURCE (source))
                  : NULL;
  const char *path = file != NULL ? g_file_peek_path (file) : NULL;

  return path != NULL && (g_str_has_suffix (path, ".yaml") || g_str_has_suffix (path, ".yml"))
           ? ".yaml"
           : ".json";
}

/* What is wrong is told, and may be mended in another round. */
static gboolean
is_tried_again (CliHost *host, const GError *error)
{
  g_autofree char *told = g_strconcat (error->message, "\n", NULL);

  return cli_may_ask () && cli_affirm (host, told, _ ("Edit it again? [y/N]"));
}

static CliExit
edit_server (CliHost *host, GmcpConfigSource *source, const char *id)
{
  g_autofree char *place = cli_source_describe (source);
  g_autofree char *before = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  before = read_text (host, source, id, &error);
  if (before == NULL)
    return cli_host_report (host, error);

  text = g_strdup (before);
  for (;;)
    {
      g_autofree char *edited = cli_editor_edit (text, find_ending (source), &error);
      g_autoptr (GError) wrong = NULL;

      if (edited == NULL)
        return cli_usage_error ("edit: %s", error->message);
      if (g_str_equal (edited, before))
        {
          g_print ("%s\n", _ ("Nothing was changed."));
          return CLI_EXIT_OK;
        }
      if (write_text (host, source, id, before, edited, &wrong))
        break;
      if (!is_tried_again (host, wrong))
        {
          CliExit status = cli_host_report (host, wrong);

          g_printerr ("%s\n", _ ("Nothing was stored."));
          return status;
        }
      g_free (text);
      text = g_steal_pointer (&edited);
    }

  /* Translators: the id of a server, and a file or “the settings” */
  g_print (_ ("Changed %s in %s.\n"), id, place);
  if (cli_source_is_project (source))
    g_printerr (
      _ ("The file belongs to a project; it counts again after “gmcp config trust %s”.\n"), place);
  return CLI_EXIT_OK;
}

static CliExit
run_edit (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  GmcpManager *manager;
  GmcpConfigSource *source;
  CliExit status;

  if (argc != 2)
    return cli_server_report_missing (host, argv[0]);
  status = cli_host_open (host);
  manager = cli_host_get_manager (host);
  if (status == CLI_EXIT_OK && manager == NULL)
    status = cli_usage_error (_ ("there is no manager of servers"));
  if (status == CLI_EXIT_OK)
    status = cli_server_load_config (host, manager);
  if (status != CLI_EXIT_OK)
    return status;

  source = cli_source_find (manager, argv[1]);
  if (source == NULL)
    return cli_server_report_unknown (host, argv[1]);
  if (!GMCP_IS_SETTINGS_CONFIG_SOURCE (source) && !GMCP_IS_FILE_CONFIG_SOURCE (source))
    return cli_usage_error (
      _ ("%s does not come from the settings or a file, and cannot be changed here"), argv[1]);
  return edit_server (host, source, argv[1]);
}

const CliCommand cli_edit_command = {
  .name = "edit",
  .group = CLI_COMMAND_GROUP_RULES,
  .summary = N_ ("Change a server in your editor"),
  .synopsis = N_ ("SERVER"),
  .description
  = N_ ("What is configured for the server alone is opened in $VISUAL or $EDITOR: as it stands in "
        "its file, with\ncomments, or as JSON for one of the settings. It is checked when the "
        "editor ends, and stored where it was.\nSecrets of the keyring are written as "
        "${secret:NAME}."),
  .takes = CLI_TAKES_CONFIG,
  .run = run_edit,
};
