/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-arguments.h"
#include "cli-commands.h"
#include "cli-json.h"
#include "cli-server.h"
#include "cli-text.h"

typedef struct
{
  char *uri_template;
} Options;

typedef struct
{
  char *server;
  GmcpCompletionKind kind;
  char *reference;
  const char *argument;
  const char *value;
  GHashTable *context;
} Request;

static void
request_clear (Request *request)
{
  g_free (request->server);
  g_free (request->reference);
  g_clear_pointer (&request->context, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Request, request_clear)

static void
print_values (GmcpCompletionResult *result)
{
  const char *const *values = gmcp_completion_result_get_values (result);
  gint64 total = gmcp_completion_result_get_total (result);
  guint n = g_strv_length ((char **) values);

  for (guint i = 0; i < n; i++)
    cli_text_print (values[i]);
  if (total > n)
    {
      g_autofree char *all = g_strdup_printf ("%" G_GINT64_FORMAT, total);

      /* Translators: two numbers */
      g_printerr (_ ("%u of %s\n"), n, all);
    }
  else if (gmcp_completion_result_has_more (result))
    g_printerr ("%s\n", _ ("there are more"));
}

static CliExit
complete_argument (CliHost *host, const Request *request, gboolean json)
{
  g_autoptr (GmcpCallOptions) options = cli_host_new_options (host);
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GmcpCompletionResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GmcpClient *client = NULL;
  CliExit status = cli_server_connect (host, request->server, &client);

  if (status != CLI_EXIT_OK)
    return status;

  gmcp_client_complete_async (client, request->kind, request->reference, request->argument,
                              request->value, request->context, options, host->cancellable,
                              cli_store_result, &pending);
  result = gmcp_client_complete_finish (client, cli_wait (&pending), &error);
  if (result == NULL)
    return cli_host_report (host, error);

  if (!json)
    {
      print_values (result);
      return CLI_EXIT_OK;
    }
  text = gmcp_completion_result_dup_json (result);
  cli_json_print (text);
  return CLI_EXIT_OK;
}

static gboolean
read_request (Request *request, int argc, char *argv[], const char *uri_template)
{
  g_autoptr (GError) error = NULL;

  if (argc < 3)
    {
      cli_usage_error (
        _ ("complete: SERVER.PROMPT and an argument, or SERVER, --template and a variable"));
      return FALSE;
    }
  if (uri_template != NULL)
    {
      request->kind = GMCP_COMPLETION_KIND_RESOURCE;
      request->server = g_strdup (argv[1]);
      request->reference = g_strdup (uri_template);
    }
  else if (!cli_server_split_name ("complete", argv[1], &request->server, &request->reference))
    return FALSE;

  for (int i = 2; i < MIN (argc, 4); i++)
    if (!g_utf8_validate (argv[i], -1, NULL))
      {
        cli_usage_error (_ ("complete: “%s” is not UTF-8"), argv[i]);
        return FALSE;
      }
  request->argument = argv[2];
  request->value = argc > 3 ? argv[3] : "";
  request->context
    = cli_arguments_parse_strings (argv + 4, argc > 4 ? (guint) argc - 4 : 0, &error);
  if (request->context == NULL)
    cli_usage_error ("complete: %s", error->message);
  return request->context != NULL;
}

static CliExit
run_complete (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  g_auto (Request) request = { 0 };
  CliExit status;

  if (!read_request (&request, argc, argv, options->uri_template))
    return CLI_EXIT_USAGE;

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  return complete_argument (host, &request, host->json);
}

static const GOptionEntry complete_entries[] = {
  { "template", 0, 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, uri_template),
    N_ ("Complete a variable of this URI template"), N_ ("TEMPLATE") },
  { NULL },
};

const CliCommand cli_complete_command = {
  .name = "complete",
  .group = CLI_COMMAND_GROUP_USE,
  .summary = N_ ("Ask what an argument can be"),
  .synopsis = N_ (
    "SERVER.PROMPT ARGUMENT [VALUE] [KEY=VALUE…] | SERVER --template=TEMPLATE VARIABLE [VALUE] [KEY=VALUE…]"),
  .description
  = N_ ("VALUE is what was typed so far; KEY=VALUE are arguments that are known already.\n"
        "With --template the first word is the server alone."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = complete_entries,
  .options_size = sizeof (Options),
  .run = run_complete,
};
