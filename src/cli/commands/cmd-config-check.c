/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-config.h"
#include "cli-json.h"
#include "cli-requirements.h"

#include <gmcp/core/gmcp-visible-text.h>

/* What is wrong in the configuration: gmcp config validate. */

static void
set_text (JsonObject *object, const char *member, const char *text)
{
  if (text != NULL)
    json_object_set_string_member (object, member, text);
}

/* Gives the number of errors. */
static guint
print_json (GPtrArray *findings)
{
  g_autoptr (GEnumClass) severities = g_type_class_ref (GMCP_TYPE_NOTICE_LEVEL);
  JsonArray *array = json_array_new ();
  guint n_errors = 0;

  for (guint i = 0; i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);
      GmcpNoticeLevel severity = gmcp_config_finding_get_severity (finding);
      GFile *file = gmcp_config_finding_get_file (finding);
      g_autofree char *name = file != NULL ? g_file_get_parse_name (file) : NULL;
      guint line = gmcp_config_finding_get_line (finding);
      JsonObject *object = json_object_new ();

      n_errors += severity == GMCP_NOTICE_LEVEL_ERROR;
      set_text (object, "severity", g_enum_get_value (severities, (int) severity)->value_nick);
      set_text (object, "message", gmcp_config_finding_get_message (finding));
      set_text (object, "file", name);
      if (line > 0)
        json_object_set_int_member (object, "line", line);
      set_text (object, "key", gmcp_config_finding_get_key_path (finding));
      set_text (object, "server", gmcp_config_finding_get_server_id (finding));
      json_array_add_object_element (array, object);
    }
  cli_json_print_array (array);
  return n_errors;
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

CliExit
cli_config_check (CliHost *host, char *paths[], int n_paths, gboolean requirements)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpManager) manager = cli_config_read (host, paths, n_paths, &error);
  g_autoptr (GPtrArray) findings = NULL;
  guint n_servers;

  findings = list_findings (host, manager, error == NULL ? &error : NULL);
  if ((host->json ? print_json (findings) : print_findings (findings)) > 0)
    return CLI_EXIT_USAGE;
  /* What is no finding of a file, such as an interruption. */
  if (error != NULL)
    return cli_host_report (host, error);
  if (host->json)
    return CLI_EXIT_OK;

  n_servers = g_list_model_get_n_items (G_LIST_MODEL (manager));
  g_print (
    g_dngettext (NULL, "%u server is configured.\n", "%u servers are configured.\n", n_servers),
    n_servers);
  if (n_servers == 0 && n_paths == 0 && cli_host_open (host) == CLI_EXIT_OK)
    cli_host_explain_no_servers (host);
  return requirements ? cli_requirements_print (host, manager) : CLI_EXIT_OK;
}
