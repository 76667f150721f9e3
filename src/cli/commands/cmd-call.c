/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "cli-arguments.h"
#include "cli-commands.h"
#include "cli-json.h"
#include "cli-progress.h"
#include "cli-questions.h"
#include "cli-requirements.h"
#include "cli-server.h"
#include "cli-text.h"

typedef struct
{
  char *role;
} Options;

static void
print_result (GmcpToolResult *result, gboolean json)
{
  g_autofree char *text
    = json ? gmcp_tool_result_dup_json (result) : gmcp_tool_result_dup_text (result);

  if (json)
    {
      cli_json_print (text);
      return;
    }
  if (gmcp_tool_result_is_error (result))
    g_printerr ("%s\n", text);
  else if (*text != '\0')
    cli_text_print (text);
}

/* The server that a name speaks of for certain, or NULL. */
static char *
dup_server (const char *tool)
{
  gsize length;

  if (g_str_has_prefix (tool, "mcp__"))
    tool += strlen ("mcp__");
  length = strcspn (tool, "._");
  if (length == 0 || (tool[length] != '.' && !g_str_has_prefix (tool + length, "__")))
    return NULL;
  return g_strndup (tool, length);
}

/* A tool may be unknown only because its server is, or because that did not start. */
static CliExit
report_failure (CliHost *host, const char *tool, const GError *error)
{
  GmcpManager *manager = cli_host_get_manager (host);
  g_autofree char *server = dup_server (tool);
  CliExit status = cli_host_report (host, error);
  CliExit failed;

  if (!g_error_matches (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL) || manager == NULL
      || g_list_model_get_n_items (G_LIST_MODEL (manager)) == 0)
    return status;

  if (server != NULL && gmcp_manager_get_server (manager, server) != NULL)
    return status;
  if (server != NULL)
    cli_server_report_unknown (manager, server);
  failed = cli_server_report_failures (host);
  return failed != CLI_EXIT_OK ? failed : status;
}

/* Which of several providers has the tool. Where there is one, it looks itself, and starts no more
 * servers than it needs for that. */
static GmcpToolProvider *
find_provider (CliHost *host, const char *tool, CliExit *status)
{
  g_autoptr (GError) error = NULL;

  if (host->providers->len == 1)
    return g_ptr_array_index (host->providers, 0);

  for (guint i = 0; i < host->providers->len; i++)
    {
      GmcpToolProvider *provider = g_ptr_array_index (host->providers, i);
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GmcpTool) found = NULL;

      g_clear_error (&error);
      gmcp_tool_provider_load_async (provider, host->cancellable, cli_store_result, &result);
      if (!gmcp_tool_provider_load_finish (provider, cli_wait (&result), &error))
        break;
      found = gmcp_tool_provider_find_tool (provider, tool, &error);
      if (found != NULL)
        return provider;
      if (!g_error_matches (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL))
        break;
    }

  *status = report_failure (host, tool, error);
  return NULL;
}

static CliExit
call_tool (CliHost *host, const char *tool, const char *arguments, const char *role, gboolean json)
{
  g_autoptr (GmcpCallOptions) options = cli_host_new_options (host);
  g_autoptr (CliProgress) progress = cli_progress_new (tool, options, json);
  /* Before a server is started, which is told by that what it may ask. */
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new (host->providers);
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status = CLI_EXIT_OK;
  GmcpToolProvider *provider = find_provider (host, tool, &status);

  if (provider == NULL)
    return status;

  gmcp_call_options_set_role (options, role);
  gmcp_tool_provider_call_tool_json_async (provider, tool, arguments, options, host->cancellable,
                                           cli_store_result, &pending);
  result = gmcp_tool_provider_call_tool_finish (provider, cli_wait (&pending), &error);
  g_clear_pointer (&progress, cli_progress_free);
  if (result == NULL)
    return report_failure (host, tool, error);

  print_result (result, json);
  return gmcp_tool_result_is_error (result) ? CLI_EXIT_TOOL_ERROR : CLI_EXIT_OK;
}

static CliExit
run_call (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  g_autofree char *arguments = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status;

  if (argc < 2)
    return cli_usage_error (_ ("call: which tool? “gmcp tools” lists them"));

  arguments = cli_arguments_parse (argv + 2, (guint) argc - 2, &error);
  if (arguments == NULL)
    return cli_usage_error ("call: %s", error->message);

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  cli_requirements_warn (host);
  return call_tool (host, argv[1], arguments, options->role, host->json);
}

static const GOptionEntry call_entries[] = {
  { "role", 'r', 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, role), N_ ("Call it under this role"),
    N_ ("ROLE") },
  { NULL },
};

const CliCommand cli_call_command = {
  .name = "call",
  .group = CLI_COMMAND_GROUP_FIRST,
  .summary = N_ ("Call a tool and print its result"),
  .synopsis = N_ ("TOOL [ARGUMENT…]"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = call_entries,
  .options_size = sizeof (Options),
  .run = run_call,
};
