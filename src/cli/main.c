/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <fcntl.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli-commands.h"
#include "cli-output.h"
#include "cli-status-line.h"
#include "cli-text.h"

#include <gmcp/core/gmcp-visible-text.h>

/* What is left when the command has ended goes with the process. */
static CliHost *host;

static CliExit
finish_output (CliExit status)
{
  return cli_output_flush () || status != CLI_EXIT_OK ? status : CLI_EXIT_OUTPUT;
}

static CliExit
run_command (const CliCommandsOptions *options, int argc, char *argv[])
{
  const CliCommand *command = cli_commands_find (argv[0]);
  CliExit status;

  if (command == NULL)
    return cli_commands_report_unknown (argv[0], FALSE);

  host = cli_host_new (options->config_file, options->host_name);
  status = cli_command_run (command, host, argc, argv);
  /* Who reads it does not wait for servers that take their time to end. */
  status = finish_output (status);
  cli_host_close (host);
  return host->lost_reader ? CLI_EXIT_OUTPUT : status;
}

/* “help COMMAND” is what “COMMAND --help” is. */
static CliExit
print_help (const CliCommandsOptions *options, char *command)
{
  char option[] = "--help";
  char *words[] = { command, option, NULL };

  return run_command (options, 2, words);
}

/* Much of what is printed comes from a server, and could make a terminal do things. JSON is UTF-8
 * whatever the locale, and so is what a tool gives. */
static void
print_utf8 (const char *text)
{
  g_autofree char *visible = isatty (STDOUT_FILENO) ? gmcp_dup_visible_text (text) : NULL;

  cli_status_line_clear ();
  fputs (visible != NULL ? visible : text, stdout);
}

/* For people, wherever it goes. */
static void
print_error (const char *text)
{
  g_autofree char *visible = gmcp_dup_visible_text (text);
  g_autofree char *converted = NULL;
  const char *charset;

  /* The C locale is where no locale was chosen, not where there is no UTF-8. */
  if (!g_get_charset (&charset) && !g_str_has_prefix (charset, "ANSI_X3.4"))
    converted = g_convert_with_fallback (visible, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
  cli_status_line_clear ();
  /* Where both go to one file, what was printed before stands before. */
  fflush (stdout);
  fputs (converted != NULL ? converted : visible, stderr);
  fflush (stderr);
}

static void
set_up_output (void)
{
  g_set_print_handler (print_utf8);
  g_set_printerr_handler (print_error);
}

/* A descriptor that was closed would go to the next file that is opened. Standard output is opened
 * for reading, so that writing fails as it would have. */
static void
fill_standard_descriptors (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    {
      if (fcntl (fd, F_GETFD) == -1
          && open ("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY) != fd)
        _exit (CLI_EXIT_OUTPUT);
    }
}

static char *
describe_exits (void)
{
  GString *text = g_string_new (_ ("“gmcp COMMAND --help” says more about each."));

  g_string_append_printf (text, "\n\n%s", _ ("Exit status:"));
  for (guint i = 0; i < CLI_N_EXITS; i++)
    g_string_append_printf (text, "\n  %u  %s", i, _ (cli_exit_get_summary (i)));
  return g_string_free (text, FALSE);
}

/* A command begins sooner without the texts of all commands. */
static GOptionContext *
make_context (const GArray *entries, gboolean with_help)
{
  g_autofree char *summary = with_help ? cli_commands_describe () : NULL;
  g_autofree char *description = with_help ? describe_exits () : NULL;
  GOptionContext *context = g_option_context_new (_ ("COMMAND …"));

  g_option_context_set_summary (context, summary);
  g_option_context_set_description (context, description);
  g_option_context_add_main_entries (context, &g_array_index (entries, GOptionEntry, 0),
                                     GETTEXT_PACKAGE);
  /* What comes after the command is the command's. */
  g_option_context_set_strict_posix (context, TRUE);
  return context;
}

/* GOption's own option prints lines as long as they are. */
static void
take_help_option (GOptionContext *context, gboolean *help)
{
  const GOptionEntry entries_of_help[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, help, NULL, NULL },
    { "help-all", '?', G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, help, NULL, NULL },
    { NULL },
  };

  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries_of_help, NULL);
}

/* Of all commands. That none was named is a mistake. */
static CliExit
print_program_help (const GArray *entries, gboolean is_mistake)
{
  g_autoptr (GOptionContext) context = make_context (entries, TRUE);
  g_autofree char *help = g_option_context_get_help (context, TRUE, NULL);

  if (!is_mistake)
    cli_text_print_filled (help);
  else
    cli_text_tell_filled (help);
  return is_mistake ? CLI_EXIT_USAGE : CLI_EXIT_OK;
}

static CliExit
run_words (const GArray *entries, const CliCommandsOptions *options, int argc, char *argv[])
{
  if (options->version)
    {
      g_print ("gmcp %s\n", GMCP_VERSION);
      return CLI_EXIT_OK;
    }
  if (argc > 2 && g_str_equal (argv[1], "help"))
    return print_help (options, argv[2]);
  if (argc > 1 && !g_str_equal (argv[1], "help"))
    return run_command (options, argc - 1, argv + 1);

  return print_program_help (entries, argc < 2);
}

static CliExit
parse_and_run (int argc, char *argv[])
{
  CliCommandsOptions options = { .host_name = g_strdup (CLI_HOST_NAME) };
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  g_autoptr (GOptionContext) context = NULL;
  g_autofree char **words = g_memdup2 (argv, sizeof (char *) * ((gsize) argc + 1));
  gboolean help = FALSE;
  int n_words = argc;
  g_autoptr (GError) error = NULL;
  CliExit status;

  cli_command_append_entries (entries, cli_commands_get_program ()->entries, &options);
  context = make_context (entries, FALSE);
  take_help_option (context, &help);
  if (!g_option_context_parse (context, &n_words, &words, &error))
    status = cli_command_report_options (NULL, entries, error, argv);
  else if (help)
    status = print_program_help (entries, FALSE);
  else
    status = run_words (entries, &options, n_words, words);
  g_free (options.config_file);
  g_free (options.host_name);
  return status;
}

int
main (int argc, char *argv[])
{
  fill_standard_descriptors ();
  /* All files here are local ones. GVfs, where it is installed, would be loaded for the first of them and
   * connect to the session bus, which takes longer than all the rest. */
  g_setenv ("GIO_USE_VFS", "local", FALSE);
  /* A reader that has had enough is seen by what cannot be written. */
  signal (SIGPIPE, SIG_IGN);
#ifdef M_ARENA_MAX
  /* A thread reads a file and is done, which is no reason for a heap of its own. */
  mallopt (M_ARENA_MAX, 1);
#endif
  setlocale (LC_ALL, "");
  textdomain (GETTEXT_PACKAGE);
  set_up_output ();

  return (int) finish_output (parse_and_run (argc, argv));
}
