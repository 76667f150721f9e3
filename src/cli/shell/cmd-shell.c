/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli-affirm.h"
#include "cli-announcer.h"
#include "cli-commands.h"
#include "cli-output.h"
#include "cli-prompt.h"
#include "cli-requirements.h"
#include "cli-session-commands.h"
#include "cli-shell-complete.h"
#include "cli-waiting.h"

#define PROMPT "gmcp> "

typedef struct
{
  CliHost *session;
  CliInput *input;
  CliHistory *history; /* NULL where nobody types */
  CliPrompt *prompt;
  CliAnnouncer *announcer;
  CliWaiting *waiting;
  gboolean ends_at_failure;
  gboolean is_over;
  CliExit status; /* of the last line */
} Shell;

static void
shell_clear (Shell *self)
{
  g_clear_pointer (&self->waiting, cli_waiting_free);
  g_clear_pointer (&self->announcer, cli_announcer_free);
  g_clear_pointer (&self->prompt, cli_prompt_free);
  g_clear_pointer (&self->history, cli_history_free);
  g_clear_pointer (&self->input, cli_input_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Shell, shell_clear)

static void
print_help (void)
{
  g_autofree char *commands = cli_commands_describe ();
  g_autofree char *session = cli_session_commands_describe ();

  g_print ("%s\n\n%s\n%s\n", commands, _ ("The servers of this session:"), session);
  g_print ("%s\n", _ ("“help COMMAND” says more about each; “quit” or Ctrl-D leaves. Words are "
                      "quoted as in other shells."));
}

static CliExit
run_program_command (Shell *self, CliHost *host, int argc, char *argv[])
{
  const CliCommand *command = cli_commands_find (argv[0]);

  if (command == NULL)
    return cli_commands_report_unknown (argv[0], TRUE);
  if (g_str_equal (argv[0], "shell"))
    return cli_usage_error (_ ("shell: this is one; “quit” leaves it"));
  return cli_command_run (command, host, argc, argv);
}

/* The program's “start” has options for what a shell does anyway. */
static gboolean
is_for_session (int argc, char *argv[])
{
  static const char *const words[] = { "start", "stop", "restart", NULL };

  for (int i = 1; i < argc; i++)
    if (*argv[i] == '-')
      return FALSE;
  return g_strv_contains (words, argv[0]);
}

/* The words of a line, with what they stand for; behind them is a NULL, and before them room for one. */
static CliExit
run_words (Shell *self, CliHost *host, int argc, char *argv[])
{
  char *alias;

  if (is_for_session (argc, argv))
    return cli_session_commands_run (host, argc + 1, argv - 1);
  if (g_str_equal (argv[0], "quit") || g_str_equal (argv[0], "exit"))
    {
      self->is_over = TRUE;
      return self->status;
    }
  if (g_str_equal (argv[0], "help") && argc == 1)
    {
      print_help ();
      return CLI_EXIT_OK;
    }
  if (g_str_equal (argv[0], "help"))
    return run_program_command (self, host, 2, (char *[]){ argv[1], (char *) "--help", NULL });
  if (!g_str_equal (argv[0], "/mcp"))
    return run_program_command (self, host, argc, argv);

  alias = (char *) (argc > 1 ? cli_session_commands_find_alias (argv[1]) : NULL);
  if (alias == NULL)
    return cli_session_commands_run (host, argc, argv);
  argv[1] = alias;
  return run_program_command (self, host, argc - 1, argv + 1);
}

/* Where nobody reads any more, more lines are of no use. */
static void
finish_output (Shell *self)
{
  if (cli_output_flush ())
    return;
  if (self->status == CLI_EXIT_OK)
    self->status = CLI_EXIT_OUTPUT;
  self->is_over |= cli_output_has_lost_reader ();
}

static void
run_line (Shell *self, const char *line)
{
  g_autoptr (CliHost) host = NULL;
  g_auto (GStrv) words = NULL;
  g_autofree char **argv = NULL;
  g_autoptr (GError) error = NULL;
  int argc = 0;
  int first;

  if (!g_shell_parse_argv (line, &argc, &words, &error))
    {
      /* Nothing, or a comment. */
      if (g_error_matches (error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
        return;
      self->status = cli_usage_error ("%s", error->message);
      return;
    }
  /* What guides and other people's shells have is pasted as it is. */
  first = argc > 1 && g_str_equal (words[0], "gmcp") ? 1 : 0;

  /* Commands take words out of the array. */
  argv = g_new0 (char *, (gsize) argc + 2);
  memcpy (argv + 1, words, sizeof (char *) * (gsize) argc);
  host = cli_host_new_for_command (self->session);
  self->status = run_words (self, host, argc - first, argv + 1 + first);
  finish_output (self);
  /* Whoever interrupts a script means the script. */
  if (self->history == NULL && host->n_interrupts > 0)
    self->is_over = TRUE;
}

/* What happens while a line is typed. */

static void
start_telling (Shell *self)
{
  cli_announcer_begin (self->announcer);
  cli_waiting_begin (self->waiting);
}

static void
stop_telling (Shell *self)
{
  cli_waiting_end (self->waiting);
  cli_announcer_end (self->announcer);
}

static void
take_line (Shell *self, const char *line)
{
  if (self->history != NULL)
    cli_history_add (self->history, line);
  stop_telling (self);
  run_line (self, line);
  start_telling (self);
  if (self->ends_at_failure && self->status != CLI_EXIT_OK)
    self->is_over = TRUE;
}

static void
read_and_run (Shell *self)
{
  g_autofree char *line = NULL;

  switch (cli_prompt_read (self->prompt, PROMPT, &line))
    {
    case CLI_PROMPT_LINE:
      take_line (self, line);
      break;

    case CLI_PROMPT_INTERRUPTED:
      if (line == NULL || *line == '\0')
        g_printerr ("%s\n", _ ("“quit” or Ctrl-D leaves the shell."));
      self->is_over = self->history == NULL;
      break;

    case CLI_PROMPT_TOO_LONG:
      self->status = cli_usage_error (_ ("the line is too long"));
      self->is_over = self->ends_at_failure;
      break;

    case CLI_PROMPT_END:
      self->is_over = TRUE;
      break;
    }
}

static void
print_greeting (Shell *self)
{
  guint n = 0;
  GmcpManager *manager = cli_host_get_manager (self->session);

  if (manager != NULL)
    n = g_list_model_get_n_items (G_LIST_MODEL (manager));
  if (n == 0)
    cli_host_explain_no_servers (self->session);
  else
    g_printerr (g_dngettext (NULL, "%u server is configured. ", "%u servers are configured. ", n),
                n);
  g_printerr ("%s\n", _ ("“help” lists the commands, Tab completes, “quit” or Ctrl-D leaves."));
}

/* What is wrong with the configuration is told before the first line; what is kept of the servers is there for
 * completion. */
static CliExit
open_session (Shell *self)
{
  g_autoptr (CliHost) host = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status = cli_host_open (self->session);
  GmcpManager *manager = cli_host_get_manager (self->session);

  if (status != CLI_EXIT_OK)
    return status;
  /* What a server lists may hang on whether anybody can be asked. */
  self->announcer = cli_announcer_new (self->session);
  self->waiting = cli_waiting_new (self->session);
  if (manager == NULL)
    return CLI_EXIT_OK;
  host = cli_host_new_for_command (self->session);
  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;

  gmcp_manager_recall_tools_async (manager, host->cancellable, cli_store_result, &result);
  /* It may be mended while the session lasts. */
  if (!gmcp_manager_recall_tools_finish (manager, cli_wait (&result), &error))
    cli_host_report (host, error);
  else
    cli_requirements_warn (host);
  return CLI_EXIT_OK;
}

static CliExit
run_shell (Shell *self)
{
  CliExit status = open_session (self);
  gboolean is_interactive;

  if (status != CLI_EXIT_OK)
    return status;

  self->input = cli_input_new (self->session->cancellable);
  is_interactive = cli_may_ask ();
  self->history = is_interactive ? cli_history_new (NULL) : NULL;
  self->prompt = cli_prompt_new (self->input, self->history, cli_shell_complete, self->session);
  if (is_interactive)
    print_greeting (self);

  start_telling (self);
  while (!self->is_over && !g_cancellable_is_cancelled (self->session->cancellable))
    read_and_run (self);
  stop_telling (self);
  return g_cancellable_is_cancelled (self->session->cancellable) ? CLI_EXIT_TIMED_OUT
                                                                 : self->status;
}

typedef struct
{
  gboolean exit_on_error;
} Options;

static const GOptionEntry entries[] = {
  { "exit-on-error", 'e', 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, exit_on_error),
    N_ ("End at the first command that fails, with its exit status"), NULL },
  { NULL },
};

static CliExit
run_session (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  g_auto (Shell) self = { 0 };

  if (argc > 1)
    return cli_usage_error (_ ("shell: it takes no arguments; commands come from standard input"));

  cli_host_begin_session (host);
  self.session = host;
  self.ends_at_failure = options->exit_on_error;
  return run_shell (&self);
}

const CliCommand cli_shell_command = {
  .name = "shell",
  .group = CLI_COMMAND_GROUP_FIRST,
  .summary = N_ ("Run commands one after the other, with servers that stay up"),
  .description
  = N_ ("On a terminal it asks for lines, with a history and completion; from elsewhere "
        "it reads them, and its\nexit status is that of the last command."),
  .takes = CLI_TAKES_CONFIG,
  .entries = entries,
  .options_size = sizeof (Options),
  .run = run_session,
};
