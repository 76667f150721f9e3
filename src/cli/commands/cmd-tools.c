/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-questions.h"
#include "cli-requirements.h"
#include "cli-server.h"
#include "cli-table.h"
#include "cli-unlisted.h"

static CliExit
load_all (CliHost *host)
{
  g_autoptr (GError) cancelled = NULL;

  for (guint i = 0; i < host->providers->len; i++)
    {
      GmcpToolProvider *provider = g_ptr_array_index (host->providers, i);
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;

      gmcp_tool_provider_load_async (provider, host->cancellable, cli_store_result, &result);
      if (!gmcp_tool_provider_load_finish (provider, cli_wait (&result), &error))
        return cli_host_report (host, error);
    }

  /* This program ends, and nobody sees what comes later. */
  cli_unlisted_wait (host);
  if (g_cancellable_set_error_if_cancelled (host->cancellable, &cancelled))
    return cli_host_report (host, cancelled);
  return CLI_EXIT_OK;
}

static GPtrArray *
collect_tools (CliHost *host, const char *server)
{
  GPtrArray *tools = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < host->providers->len; i++)
    {
      GListModel *model = gmcp_tool_provider_get_tools (g_ptr_array_index (host->providers, i));
      guint n = g_list_model_get_n_items (model);

      for (guint k = 0; k < n; k++)
        {
          GmcpTool *tool = g_list_model_get_item (model, k);

          if (server == NULL || g_strcmp0 (gmcp_tool_get_server_id (tool), server) == 0)
            g_ptr_array_add (tools, tool);
          else
            g_object_unref (tool);
        }
    }
  return tools;
}

static void
print_table (GPtrArray *tools)
{
  g_autoptr (CliTable) table = cli_table_new ();

  for (guint i = 0; i < tools->len; i++)
    {
      GmcpTool *tool = g_ptr_array_index (tools, i);
      const char *text = gmcp_definition_get_description (GMCP_DEFINITION (tool));

      cli_table_add (table, gmcp_definition_get_name (GMCP_DEFINITION (tool)),
                     text != NULL ? text : gmcp_definition_get_title (GMCP_DEFINITION (tool)));
    }
  cli_table_print (table);
}

static void
print_json (GPtrArray *tools)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < tools->len; i++)
    {
      GmcpTool *tool = g_ptr_array_index (tools, i);
      g_autofree char *text = gmcp_definition_dup_json (GMCP_DEFINITION (tool));

      /* As its server sent it, but under the name that it is called by here. */
      json_array_add_element (
        array, cli_json_describe (text, "name", gmcp_definition_get_name (GMCP_DEFINITION (tool)),
                                  "server", gmcp_tool_get_server_id (tool), "tool",
                                  gmcp_tool_get_server_tool_name (tool), NULL));
    }
  cli_json_print_array (array);
}

static CliExit
run_tools (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = NULL;
  g_autoptr (GPtrArray) tools = NULL;
  const char *server;
  guint n_unlisted, n_listed;
  CliExit status;

  if (argc > 2)
    return cli_usage_error (_ ("tools: too many arguments; one server, or none for all"));

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  cli_requirements_warn (host);
  /* Servers offer what they offer to “gmcp call”. */
  questions = cli_questions_new (host->providers);

  server = argc == 2 ? argv[1] : NULL;
  if (server != NULL)
    g_ptr_array_unref (cli_server_start (host, server, &status));
  else
    status = load_all (host);
  /* What is known when the time is over is listed all the same. */
  if (status != CLI_EXIT_OK && (server != NULL || !host->timed_out))
    return status;

  tools = collect_tools (host, server);
  if (host->json)
    print_json (tools);
  else if (tools->len > 0)
    print_table (tools);

  if (server != NULL)
    return CLI_EXIT_OK;
  if (tools->len == 0 && !host->json)
    cli_host_explain_no_servers (host);
  /* A server that failed is no failure where others have answered. */
  n_unlisted = cli_unlisted_report (host, &n_listed);
  if (status != CLI_EXIT_OK)
    return status;
  if (tools->len > 0 || n_listed > 0)
    return CLI_EXIT_OK;
  if (n_unlisted > 0)
    return CLI_EXIT_UNREACHABLE;
  return host->config_is_broken ? CLI_EXIT_USAGE : CLI_EXIT_OK;
}

const CliCommand cli_tools_command = {
  .name = "tools",
  .group = CLI_COMMAND_GROUP_FIRST,
  .summary = N_ ("List the tools of all servers, or of one"),
  .synopsis = N_ ("[SERVER]"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .run = run_tools,
};
