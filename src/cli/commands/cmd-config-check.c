/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-config.h"
#include "cli-requirements.h"

#include <gmcp/core/gmcp-visible-text.h>

/* What is wrong in the configuration: gmcp config validate. */

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

CliExit
cli_config_check (CliHost *host, char *paths[], int n_paths, gboolean requirements)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpManager) manager = cli_config_read (host, paths, n_paths, &error);
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
  return requirements ? cli_requirements_print (host, manager) : CLI_EXIT_OK;
}
