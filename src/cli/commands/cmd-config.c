/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-config.h"

#include <gmcp/core/gmcp-visible-text.h>

#include <gmcp/config/file/gmcp-file-config-source.h>

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

static guint
print_findings (GPtrArray *findings)
{
  guint n_errors = 0;

  for (guint i = 0; i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);
      g_autofree char *plain = gmcp_config_finding_dup_text (finding);
      g_autofree char *text = gmcp_dup_visible_text (plain);

      switch (gmcp_config_finding_get_severity (finding))
        {
        case GMCP_NOTICE_LEVEL_ERROR:
          n_errors++;
          g_print (_ ("error: %s\n"), text);
          break;
        case GMCP_NOTICE_LEVEL_WARNING:
          g_print (_ ("warning: %s\n"), text);
          break;
        case GMCP_NOTICE_LEVEL_INFO:
        default:
          g_print (_ ("note: %s\n"), text);
        }
    }
  return n_errors;
}

/* Findings of the files, and of rules that match none of the tools that are kept. */
static GPtrArray *
list_findings (CliHost *host, GmcpManager *manager, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  GPtrArray *findings;

  gmcp_manager_check_config_async (manager, host->cancellable, cli_store_result, &result);
  findings = gmcp_manager_check_config_finish (manager, cli_wait (&result), error);
  return findings != NULL ? findings : gmcp_manager_list_findings (manager);
}

static GmcpManager *
read_config (CliHost *host, char *paths[], int n_paths, GError **error)
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

static CliExit
show_config (CliHost *host, char *paths[], int n_paths, gboolean json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpManager) manager = read_config (host, paths, n_paths, &error);

  if (error != NULL)
    return cli_host_report (host, error);
  cli_config_show (manager, json);
  return CLI_EXIT_OK;
}

static CliExit
check_config (CliHost *host, char *paths[], int n_paths)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpManager) manager = read_config (host, paths, n_paths, &error);
  g_autoptr (GPtrArray) findings = NULL;
  guint n_servers;

  findings = list_findings (host, manager, error == NULL ? &error : NULL);
  if (print_findings (findings) > 0)
    return CLI_EXIT_USAGE;
  /* What is no finding of a file, such as an interruption. */
  if (error != NULL)
    return cli_host_report (host, error);

  n_servers = g_list_model_get_n_items (G_LIST_MODEL (manager));
  g_print (
    g_dngettext (NULL, "%u server is configured.\n", "%u servers are configured.\n", n_servers),
    n_servers);
  return CLI_EXIT_OK;
}

CliExit
cli_command_config (CliHost *host, int argc, char *argv[])
{
  gboolean json = FALSE;
  gboolean yes = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print a JSON object"), NULL },
    { "yes", 'y', 0, G_OPTION_ARG_NONE, &yes, N_ ("Trust what is shown without asking"), NULL },
    CLI_CONFIG_ENTRY (&host->config_file),
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (_ (
    "check [FILE…] | show [FILE…] [--json] | trust FILE [SERVER…] [--yes] | distrust FILE [SERVER…] | "
    "trust FOLDER [--yes] | distrust FOLDER – look after the configuration"));
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_set_description (
    context, _ ("“check” says what is wrong in the files, or in all places that servers are "
                "configured in.\n“show” says what holds for all servers, and what hosts and tools "
                "need.\n“trust” shows all of a project's file, asks, and lets its servers run "
                "until the file changes. A SERVER of\nit whose id stands elsewhere, too, is taken "
                "in the place of that one only where it is named.\n“trust FOLDER” lets "
                "servers of your own run in that folder, where it is the one worked in."));
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return cli_usage_error ("config: %s", error->message);

  cli_drop_mark (&argc, argv);
  if (argc >= 2 && g_str_equal (argv[1], "check"))
    return check_config (host, argv + 2, argc - 2);
  if (argc >= 2 && g_str_equal (argv[1], "show"))
    return show_config (host, argv + 2, argc - 2, json);
  if (argc == 3 && (g_str_equal (argv[1], "trust") || g_str_equal (argv[1], "distrust"))
      && cli_config_is_folder (argv[2]))
    return cli_config_set_folder_trusted (host, argv[2], g_str_equal (argv[1], "trust"), yes);
  if (argc >= 3 && (g_str_equal (argv[1], "trust") || g_str_equal (argv[1], "distrust")))
    return cli_config_set_trusted (host, argv[2], argv + 3, g_str_equal (argv[1], "trust"), yes);
  return cli_usage_error (
    _ ("config: say “check”, “show”, or “trust” or “distrust” with a FILE or FOLDER"));
}
