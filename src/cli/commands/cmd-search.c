/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-questions.h"
#include "cli-server.h"
#include "cli-table.h"
#include "cli-tool-list.h"
#include "cli-tool-name.h"
#include "cli-unlisted.h"

typedef struct
{
  int limit;
} Options;

static GPtrArray *
find_tools (CliHost *host,
            const CliSharedTools *shared,
            const char *query,
            int limit,
            CliExit *status)
{
  g_autoptr (GPtrArray) tools = NULL;
  g_autoptr (GmcpToolProvider) all = NULL;
  g_autoptr (GAsyncResult) found = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *matches;

  *status = cli_tools_load (host);
  if (*status != CLI_EXIT_OK)
    return NULL;

  tools = cli_tools_collect (host, shared, NULL);
  all = cli_tool_list_new (tools);
  gmcp_tool_provider_search_async (all, query, (guint) limit, GMCP_TOOL_DETAIL_FULL,
                                   host->cancellable, cli_store_result, &found);
  matches = gmcp_tool_provider_search_finish (all, cli_wait (&found), &error);
  if (matches == NULL)
    *status = cli_host_report (host, error);
  return matches;
}

static void
print_table (GPtrArray *matches)
{
  g_autoptr (CliTable) table = cli_table_new ();

  for (guint i = 0; i < matches->len; i++)
    {
      GmcpTool *tool = gmcp_tool_match_get_tool (g_ptr_array_index (matches, i));
      g_autofree char *name = cli_tool_dup_name (tool);
      const char *text = gmcp_definition_get_description (GMCP_DEFINITION (tool));

      cli_table_add (table, name,
                     text != NULL ? text : gmcp_definition_get_title (GMCP_DEFINITION (tool)));
    }
  cli_table_print (table);
}

static void
print_json (GPtrArray *matches)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < matches->len; i++)
    {
      GmcpToolMatch *match = g_ptr_array_index (matches, i);
      GmcpTool *tool = gmcp_tool_match_get_tool (match);
      g_autofree char *text = gmcp_tool_match_dup_json (match);
      JsonNode *node = cli_json_describe (
        text, "name", gmcp_definition_get_name (GMCP_DEFINITION (tool)), "server",
        cli_tool_get_server (tool), "tool", cli_tool_get_own_name (tool), NULL);

      json_object_set_double_member (json_node_get_object (node), "score",
                                     gmcp_tool_match_get_score (match));
      json_array_add_element (array, node);
    }
  cli_json_print_array (array);
}

static CliExit
run_search (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = NULL;
  g_auto (CliSharedTools) shared = { 0 };
  g_autoptr (GPtrArray) matches = NULL;
  g_autofree char *query = NULL;
  guint n_listed;
  CliExit status;

  if (argc < 2)
    return cli_usage_error (_ ("search: what to search for is missing"));
  if (options->limit < 0)
    return cli_usage_error (_ ("search: --limit has to be a number of tools"));

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  /* Servers offer what they offer to “gmcp call”. */
  questions = cli_questions_new (host->providers);

  query = g_strjoinv (" ", argv + 1);
  cli_shared_tools_load (&shared, host, NULL);
  matches = find_tools (host, &shared, query, options->limit, &status);
  if (matches == NULL)
    return status;

  if (host->json)
    print_json (matches);
  else if (matches->len > 0)
    print_table (matches);
  else if (!cli_host_has_servers (host))
    cli_host_explain_no_servers (host);
  else
    g_printerr ("gmcp: %s\n", _ ("no tool fits"));
  /* A server that failed is told of, and is no failure of the search. */
  cli_unlisted_report (host, shared.servers, &n_listed);
  return CLI_EXIT_OK;
}

static const GOptionEntry search_entries[] = {
  { "limit", 'n', 0, G_OPTION_ARG_INT, CLI_OFFSET (Options, limit),
    N_ ("Print at most N tools; 10 by default"), N_ ("N") },
  { NULL },
};

const CliCommand cli_search_command = {
  .name = "search",
  .group = CLI_COMMAND_GROUP_FIRST,
  .summary = N_ ("Find tools by what they are called and what is said of them"),
  .synopsis = N_ ("QUERY…"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = search_entries,
  .options_size = sizeof (Options),
  .run = run_search,
};
