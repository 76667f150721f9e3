/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-questions.h"
#include "cli-text.h"

typedef struct
{
  int wait_ms;
} Options;

static CliExit
print_context (CliHost *host, GmcpManager *manager, const char *project, gboolean json)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpProjectContext) context = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autoptr (CliQuestions) questions = NULL;
  const char *const *notes;

  questions = cli_questions_new_for_start (host->providers);
  gmcp_manager_get_context_async (manager, project, host->cancellable, cli_store_result, &result);
  context = gmcp_manager_get_context_finish (manager, cli_wait (&result), &error);
  if (context == NULL)
    return cli_host_report (host, error);

  text = json ? gmcp_project_context_dup_json (context) : gmcp_project_context_dup_text (context);
  if (json)
    cli_json_print (text);
  else
    cli_text_print (text);
  notes = gmcp_project_context_get_notes (context);
  for (gsize i = 0; !json && notes[i] != NULL; i++)
    cli_host_tell (host, notes[i]);
  return CLI_EXIT_OK;
}

static CliExit
run_context (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  GmcpManager *manager;
  CliExit status;

  if (argc != 2)
    return cli_usage_error (_ ("context: name one project"));
  if (options->wait_ms <= 0)
    return cli_usage_error (_ ("context: --wait has to be at least 1"));

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;

  manager = cli_host_get_manager (host);
  if (manager == NULL)
    return cli_usage_error (_ ("context: there is no manager of servers"));
  g_object_set (manager, "resource-timeout-ms", (guint) options->wait_ms, NULL);
  return print_context (host, manager, argv[1], host->json);
}

static const GOptionEntry context_entries[] = {
  { "wait", 0, 0, G_OPTION_ARG_INT, CLI_OFFSET (Options, wait_ms),
    N_ ("How long to wait for servers, in milliseconds (10000)"), N_ ("MS") },
  { NULL },
};

static const Options context_defaults = { .wait_ms = 10000 };

const CliCommand cli_context_command = {
  .name = "context",
  .group = CLI_COMMAND_GROUP_USE,
  .summary = N_ ("Print what belongs in a prompt for a project"),
  .synopsis = N_ ("PROJECT"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = context_entries,
  .options_size = sizeof (Options),
  .defaults = &context_defaults,
  .run = run_context,
};
