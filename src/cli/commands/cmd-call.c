/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-affirm.h"
#include "cli-arguments.h"
#include "cli-commands.h"
#include "cli-json.h"
#include "cli-progress.h"
#include "cli-questions.h"
#include "cli-requirements.h"
#include "cli-server.h"
#include "cli-tool-ask.h"
#include "cli-tool-example.h"
#include "cli-tool-find.h"
#include "cli-tool-name.h"
#include "cli-tool-page.h"
#include "cli-tool-result.h"
#include "cli-tool-shared.h"

typedef struct
{
  char *role;
  char *output;
  gboolean force;
  gboolean no_input;
} Options;

/* What the command line says. */
typedef struct
{
  const Options *options;
  const char *name;
  GPtrArray *typed; /* words for arguments; NULL where they came in one piece */
  char *whole;      /* then all arguments, in JSON */
} Call;

static void
call_clear (Call *self)
{
  g_clear_pointer (&self->typed, g_ptr_array_unref);
  g_free (self->whole);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Call, call_clear)

/* The arguments in JSON, as the tool wants them. What has to be given and is not, the person at the terminal is
 * asked for. */
static char *
make_arguments (CliHost *host, Call *self, GmcpTool *tool, GError **error)
{
  g_autoptr (GPtrArray) given = NULL;
  g_autofree char *json = NULL;

  if (self->typed == NULL)
    {
      json = g_strdup (self->whole);
    }
  else
    {
      given = cli_tool_words_make (self->typed, tool, error);
      if (given == NULL)
        return NULL;
      if (tool != NULL && !self->options->no_input && cli_may_ask ())
        cli_tool_ask_missing (host, tool, given);
      json = cli_tool_words_join (given);
    }
  if (tool != NULL && !gmcp_tool_check_arguments_json (tool, json, error))
    return NULL;
  return g_steal_pointer (&json);
}

static CliExit
report_arguments (CliHost *host, Call *self, GmcpTool *tool, const GError *error)
{
  g_autoptr (GPtrArray) right = NULL;
  g_autofree char *name = NULL;
  g_autofree char *command = NULL;

  if (g_cancellable_is_cancelled (host->cancellable))
    {
      g_autoptr (GError) cancelled = NULL;

      g_cancellable_set_error_if_cancelled (host->cancellable, &cancelled);
      return cli_host_report (host, cancelled);
    }
  if (tool == NULL || error->code == GMCP_ERROR_INVALID_JSON)
    return cli_usage_error ("call: %s", error->message);

  right = self->typed != NULL ? cli_tool_words_make_right (self->typed, tool) : NULL;
  name = cli_tool_dup_name (tool);
  command = cli_tool_dup_corrected (tool, right);
  /* Translators: a tool, what is wrong with its arguments, and a command */
  return cli_usage_error (_ ("%s: %s – for example: %s"), name, error->message, command);
}

/* The list that the tool was found in may be of an earlier run: what it refuses its server may take by now. */
static char *
make_arguments_again (CliHost *host, Call *self, GmcpTool **tool, GError **error)
{
  g_autoptr (GError) first = NULL;
  g_autoptr (GmcpTool) fresh = NULL;
  char *arguments = make_arguments (host, self, *tool, &first);

  if (arguments != NULL)
    return arguments;
  if (*tool != NULL && first->code == GMCP_ERROR_INVALID_ARGUMENT)
    fresh = cli_tool_find_fresh (host, *tool);
  if (fresh == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&first));
      return NULL;
    }
  g_set_object (tool, fresh);
  return make_arguments (host, self, *tool, error);
}

static CliExit
print_result (CliHost *host, Call *self, GmcpToolResult *result)
{
  g_autofree char *text = NULL;

  if (!host->json)
    return cli_tool_result_print (host, result, self->options->output, self->options->force);

  text = gmcp_tool_result_dup_json (result);
  cli_json_print (text);
  return gmcp_tool_result_is_error (result) ? CLI_EXIT_TOOL_ERROR : CLI_EXIT_OK;
}

static CliExit
send_call (CliHost *host, Call *self, GmcpToolProvider *provider, const char *arguments)
{
  g_autoptr (GmcpCallOptions) options = cli_host_new_options (host);
  g_autoptr (CliProgress) progress = cli_progress_new (self->name, options, host->json);
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_call_options_set_role (options, self->options->role);
  gmcp_tool_provider_call_tool_json_async (provider, self->name, arguments, options,
                                           host->cancellable, cli_store_result, &pending);
  result = gmcp_tool_provider_call_tool_finish (provider, cli_wait (&pending), &error);
  g_clear_pointer (&progress, cli_progress_free);
  if (result == NULL)
    return cli_tool_report (host, self->name, error);
  return print_result (host, self, result);
}

static CliExit
send_shared_call (CliHost *host,
                  Call *self,
                  CliDaemon *daemon,
                  GmcpTool *tool,
                  const char *arguments)
{
  g_autofree char *server_id = cli_tool_dup_server_id (tool, self->name);
  g_autoptr (GmcpCallOptions) options = cli_host_new_options (host);
  g_autoptr (CliProgress) progress = cli_progress_new (self->name, options, host->json);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;

  gmcp_call_options_set_role (options, self->options->role);
  result = cli_tool_call_shared (host, daemon, server_id, self->name, arguments, options, &error);
  g_clear_pointer (&progress, cli_progress_free);
  if (result == NULL)
    return cli_host_report (host, error);
  return print_result (host, self, result);
}

/* Whether the call is to be tried all the same: the way of a call knows better who has a tool of that name and who
 * may call it, and its record has what was refused. */
static gboolean
is_for_the_call (const GError *error)
{
  return g_error_matches (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL)
         || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL)
         || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_TOOL_CHANGED)
         || g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
}

/* SERVER.TOOL of which neither the configuration nor the session daemon has the server: to look for the tool would start all
 * others. A name as programs give it to tools may begin in any way. */
static CliExit
check_server (CliHost *host, const char *name)
{
  GmcpManager *manager = cli_host_get_manager (host);
  g_autoptr (CliDaemon) daemon = NULL;
  g_autofree char *id = NULL;
  gsize length;
  const char *separator = cli_server_find_separator (name, &length);
  CliExit status;

  if (manager == NULL || host->providers->len > 1 || separator == NULL || *separator != '.')
    return CLI_EXIT_OK;
  status = cli_server_load_config (host, manager);
  if (status != CLI_EXIT_OK || g_list_model_get_n_items (G_LIST_MODEL (manager)) == 0)
    return status;

  id = cli_tool_dup_server_id (NULL, name);
  if (gmcp_manager_get_server (manager, id) != NULL)
    return CLI_EXIT_OK;
  daemon = cli_tool_find_daemon (host, NULL, name);
  return daemon != NULL ? CLI_EXIT_OK : cli_server_report_unknown (host, id);
}

static CliExit
call_tool (CliHost *host, Call *self)
{
  /* Before a server is started, which is told by that what it may ask. */
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new (host->providers);
  g_autoptr (CliProgress) progress = cli_progress_new (self->name, NULL, host->json);
  g_autoptr (GError) error = NULL;
  GmcpToolProvider *provider = NULL;
  g_autoptr (GmcpTool) tool = cli_tool_find (host, self->name, &provider, &error);
  g_autoptr (CliDaemon) daemon = NULL;
  g_autofree char *arguments = NULL;

  daemon = cli_tool_find_daemon (host, tool, self->name);
  if (tool == NULL && daemon != NULL)
    tool = cli_tool_find_shared (daemon, self->name, NULL);
  if (tool == NULL && daemon == NULL && !is_for_the_call (error))
    return cli_tool_report (host, self->name, error);

  g_clear_error (&error);
  arguments = make_arguments_again (host, self, &tool, &error);
  g_clear_pointer (&progress, cli_progress_free);
  if (arguments == NULL)
    return report_arguments (host, self, tool, error);
  if (daemon != NULL)
    return send_shared_call (host, self, daemon, tool, arguments);
  return send_call (host, self, provider, arguments);
}

static gboolean
read_words (Call *self, char *const *words, guint n_words, GError **error)
{
  self->name = words[0];
  if (cli_tool_words_are_whole (words + 1, n_words - 1))
    self->whole = cli_arguments_read_whole (words[1], error);
  else
    self->typed = cli_tool_words_read (words + 1, n_words - 1, error);
  return self->whole != NULL || self->typed != NULL;
}

/* Before the call, which may not be possible a second time. */
static CliExit
check_output (CliHost *host, const Options *options)
{
  g_autofree char *folder = NULL;

  if (options->output == NULL)
    return CLI_EXIT_OK;
  if (host->json)
    return cli_usage_error (_ ("call: either --json or --output"));
  if (!options->force && g_file_test (options->output, G_FILE_TEST_IS_REGULAR))
    {
      g_autofree char *shown = g_filename_display_name (options->output);

      return cli_usage_error (_ ("call: “%s” is there already; --force replaces it"), shown);
    }
  folder = g_path_get_dirname (options->output);
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      g_autofree char *shown = g_filename_display_name (folder);

      cli_usage_error (_ ("call: there is no folder “%s” to write into"), shown);
      return CLI_EXIT_OUTPUT;
    }
  return CLI_EXIT_OK;
}

/* Where the second word is no argument, it may be a tool that was written apart from its server. */
static CliExit
report_words (CliHost *host, char *const *words, guint n_words, const GError *error)
{
  gboolean may_be_tool
    = n_words > 1 && strchr (words[1], '=') == NULL && !cli_tool_words_are_whole (words + 1, 1);
  g_autofree char *joined = NULL;
  gsize length;

  if (error->code != GMCP_ERROR_INVALID_ARGUMENT)
    return cli_usage_error ("call: %s", error->message);

  if (may_be_tool && cli_host_open (host) == CLI_EXIT_OK)
    joined = cli_server_dup_joined (host, words[0], words[1]);
  if (joined != NULL)
    return cli_usage_error (_ ("call: a server and its tool are one word: gmcp call %s"), joined);
  if (cli_server_find_separator (words[0], &length) == NULL)
    return cli_usage_error ("call: %s", error->message);
  /* Translators: what is wrong with the arguments, and the name of a tool */
  return cli_usage_error (_ ("call: %s; “gmcp call %s --help” says what it takes"), error->message,
                          words[0]);
}

static CliExit
run_call (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  g_auto (Call) self = { .options = options };
  g_autoptr (GError) error = NULL;
  CliExit status;

  if (argc < 2)
    return cli_usage_error (_ ("call: which tool? “gmcp tools” lists them"));
  if (!read_words (&self, argv + 1, (guint) argc - 1, &error))
    return report_words (host, argv + 1, (guint) argc - 1, error);
  status = check_output (host, options);
  if (status == CLI_EXIT_OK)
    status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  status = check_server (host, self.name);
  if (status != CLI_EXIT_OK)
    return status;
  cli_requirements_warn (host);
  return call_tool (host, &self);
}

static CliExit
explain_tool (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  CliExit status = cli_host_open (host);

  return status == CLI_EXIT_OK ? cli_tool_show (host, argv[1]) : status;
}

static const GOptionEntry call_entries[] = {
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, CLI_OFFSET (Options, output),
    N_ ("Write images and other bytes, or else the text, into FILE"), N_ ("FILE") },
  { "force", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, force),
    N_ ("Replace a FILE that is there"), NULL },
  { "no-input", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, no_input),
    N_ ("Do not ask for arguments that are missing"), NULL },
  { "role", 'r', 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, role), N_ ("Call it under this role"),
    N_ ("ROLE") },
  { NULL },
};

const CliCommand cli_call_command = {
  .name = "call",
  .group = CLI_COMMAND_GROUP_FIRST,
  .summary = N_ ("Call a tool and print its result"),
  .synopsis = N_ ("TOOL [ARGUMENT…]"),
  .description = N_ (
    "TOOL is SERVER.TOOL, as “gmcp tools” lists it; “gmcp call TOOL --help” says what it takes.\n"
    "Arguments: key=text, which becomes what the tool wants (a number, a list by repetition);\n"
    "key=@FILE for what a file holds (key=@@… for “@…”); key:=JSON; or all of them as one\n"
    "JSON object, @FILE, or - for standard input."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = call_entries,
  .unknown_option
  = N_ ("; an argument of the tool has no dashes before it, and “=” behind it: key=text"),
  .options_size = sizeof (Options),
  .run = run_call,
  .help = explain_tool,
};
