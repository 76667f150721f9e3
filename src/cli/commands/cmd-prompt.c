/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-affirm.h"
#include "cli-arguments.h"
#include "cli-commands.h"
#include "cli-json.h"
#include "cli-prompt-arguments.h"
#include "cli-questions.h"
#include "cli-server.h"
#include "cli-text.h"

typedef struct
{
  gboolean no_input;
} Options;

static void
print_messages (GmcpPromptResult *result)
{
  guint n = gmcp_prompt_result_get_n_messages (result);

  for (guint i = 0; i < n; i++)
    {
      GmcpPromptMessage *message = gmcp_prompt_result_get_message (result, i);
      g_autofree char *text = gmcp_prompt_message_dup_text (message);
      gboolean user = gmcp_prompt_message_get_role (message) == GMCP_MESSAGE_ROLE_USER;

      g_print ("%s[%s]\n", i > 0 ? "\n" : "", user ? "user" : "assistant");
      cli_text_print (text);
    }
}

static CliExit
get_prompt (CliHost *host,
            const char *server,
            const char *name,
            GHashTable *arguments,
            gboolean no_input)
{
  g_autoptr (GmcpCallOptions) options = cli_host_new_options (host);
  /* Before the server is started, which is told by that what it may ask. */
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new (host->providers);
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GmcpPromptResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GmcpClient *client = NULL;
  CliExit status = cli_server_connect (host, server, &client);

  if (status == CLI_EXIT_OK)
    status = cli_prompt_check_arguments (host, client, server, name, arguments,
                                         !no_input && cli_may_ask ());
  if (status != CLI_EXIT_OK)
    return status;

  gmcp_client_get_prompt_async (client, name, arguments, options, host->cancellable,
                                cli_store_result, &pending);
  result = gmcp_client_get_prompt_finish (client, cli_wait (&pending), &error);
  if (result == NULL)
    return cli_host_report (host, error);

  if (!host->json)
    {
      print_messages (result);
      return CLI_EXIT_OK;
    }
  text = gmcp_prompt_result_dup_json (result);
  cli_json_print (text);
  return CLI_EXIT_OK;
}

static CliExit
run_prompt (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  g_autoptr (GHashTable) arguments = NULL;
  g_autofree char *server = NULL;
  g_autofree char *name = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status;

  if (argc < 2)
    return cli_usage_error (_ ("prompt: which prompt? “gmcp prompts” lists them"));
  if (!cli_server_split_name ("prompt", argv[1], &server, &name))
    return CLI_EXIT_USAGE;
  arguments = cli_arguments_parse_strings (argv + 2, (guint) argc - 2, &error);
  if (arguments == NULL)
    return cli_usage_error ("prompt: %s", error->message);

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  return get_prompt (host, server, name, arguments, options->no_input);
}

static const GOptionEntry prompt_entries[] = {
  { "no-input", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, no_input),
    N_ ("Do not ask for arguments that are missing"), NULL },
  { NULL },
};

const CliCommand cli_prompt_command = {
  .name = "prompt",
  .group = CLI_COMMAND_GROUP_USE,
  .summary = N_ ("Print the messages of a prompt"),
  .synopsis = N_ ("SERVER.PROMPT [KEY=VALUE…]"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = prompt_entries,
  .options_size = sizeof (Options),
  .run = run_prompt,
};
