/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <fcntl.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <stdio.h>
#include <unistd.h>

#include "cli-commands.h"
#include "cli-suggest.h"

#include <gmcp/core/gmcp-visible-text.h>

static const struct
{
  const char *name;
  const char *arguments;
  const char *summary;
  CliCommandFunc func;
} commands[] = {
  { "servers", N_ ("[--check] [--json]"), N_ ("List the servers and how they are"),
    cli_command_servers },
  { "start", N_ ("SERVER --foreground"), N_ ("Run a server and look after it"), cli_command_start },
  { "tools", N_ ("[SERVER] [--json] [--timeout SECONDS]"),
    N_ ("List the tools of all servers, or of one"), cli_command_tools },
  { "search", N_ ("QUERY… [--limit N] [--json] [--timeout SECONDS]"),
    N_ ("Find tools by what they are called and what is said of them"), cli_command_search },
  { "call", N_ ("TOOL [ARGUMENTS…] [--role ROLE] [--json] [--timeout SECONDS]"),
    N_ ("Call a tool and print its result"), cli_command_call },
  { "resources", N_ ("[SERVER] [--templates] [--json] [--timeout SECONDS]"),
    N_ ("List the resources of all servers, or of one"), cli_command_resources },
  { "read", N_ ("SERVER URI [--output FILE] [--json] [--timeout SECONDS]"),
    N_ ("Print what is in a resource, or save it"), cli_command_read },
  { "prompts", N_ ("[SERVER] [--json] [--timeout SECONDS]"),
    N_ ("List the prompts of all servers, or of one"), cli_command_prompts },
  { "prompt", N_ ("SERVER.NAME [KEY=VALUE…] [--json] [--timeout SECONDS]"),
    N_ ("Print the messages of a prompt"), cli_command_prompt },
  { "complete", N_ ("SERVER.PROMPT ARGUMENT [VALUE [KEY=VALUE…]] [--template TEMPLATE] [--json]"),
    N_ ("Ask what an argument can be"), cli_command_complete },
  { "context", N_ ("PROJECT [--wait MS] [--json] [--timeout SECONDS]"),
    N_ ("Print what belongs in a prompt for a project"), cli_command_context },
  { "subscribe",
    N_ ("SERVER [URI…] [--tools] [--prompts] [--resources] [--json] [--timeout SECONDS]"),
    N_ ("Print changes as they come, until Ctrl-C"), cli_command_subscribe },
  { "audit", N_ ("[SERVER] [--limit NUMBER] [--json]"),
    N_ ("List the calls that were written down"), cli_command_audit },
  { "replay", N_ ("ID [--json]"), N_ ("Make a call again that was written down"),
    cli_command_replay },
  { "logs", N_ ("SERVER [--lines NUMBER]"),
    N_ ("Print what a server wrote to its standard error, and what became of it"),
    cli_command_logs },
  { "pins", N_ ("[--all]"), N_ ("Show the tools that are new or have changed"), cli_command_pins },
  { "approve", N_ ("SERVER[.TOOL]… | --all"), N_ ("Approve tools as they are now"),
    cli_command_approve },
  { "config",
    N_ (
      "check [FILE…] | show [FILE…] [--json] | trust FILE [SERVER…] [--yes] | distrust FILE [SERVER…] | "
      "trust FOLDER [--yes] | distrust FOLDER"),
    N_ (
      "Say what is wrong in the configuration and what it comes to, or trust a project's file or a folder"),
    cli_command_config },
  { "import", N_ ("[PROGRAM | FILE | PROGRAM FILE] [SERVER…] [--to FILE] [--yes] [--json]"),
    N_ ("Take over the servers of another program"), cli_command_import },
  { "secret", N_ ("set NAME | remove NAME | list [--server SERVER] [--file FILE] [--input]"),
    N_ ("Look after the values that configurations take from the keyring"), cli_command_secret },
};

static char *
describe_commands (void)
{
  GString *text = g_string_new (_ ("Commands:\n"));

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_append_printf (text, "  gmcp %s %s\n      %s\n", commands[i].name,
                            _ (commands[i].arguments), _ (commands[i].summary));
  g_string_append (
    text, _ ("\nARGUMENTS is a JSON object, @FILE, - for standard input, or words of the form "
             "key=text\nand key:=JSON. “gmcp COMMAND --help” says more.\n\n"
             "Exit status: 0 fine, 1 the tool reported an error, 2 usage, 3 a server cannot "
             "be reached,\n4 timed out or cancelled, 5 not permitted, 6 an error of the "
             "protocol,\n7 the output could not be written."));
  return g_string_free (text, FALSE);
}

static CliExit
report_unknown (const char *word)
{
  const char *names[G_N_ELEMENTS (commands) + 1] = { NULL };
  g_autofree char *suggestion = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    names[i] = commands[i].name;
  suggestion = cli_suggest_near (word, names);
  return cli_usage_error (_ ("there is no command “%s”; see gmcp --help%s"), word, suggestion);
}

static CliExit
run_command (const char *config_file, const char *host_name, int argc, char *argv[])
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      if (g_str_equal (argv[0], commands[i].name))
        {
          g_autoptr (CliHost) host = cli_host_new (config_file, host_name);
          g_autofree char *name = g_strconcat ("gmcp ", argv[0], NULL);

          /* As the command's own help has it. */
          g_set_prgname (name);
          return commands[i].func (host, argc, argv);
        }
    }

  return report_unknown (argv[0]);
}

/* “help COMMAND” is what “COMMAND --help” is. */
static CliExit
print_help (const char *config_file, const char *host_name, char *command)
{
  char option[] = "--help";
  char *words[] = { command, option, NULL };

  return run_command (config_file, host_name, 2, words);
}

/* Much of what is printed comes from a server, and could make a terminal do things. JSON is UTF-8
 * whatever the locale, and so is what a tool gives. */
static void
print_utf8 (const char *text)
{
  g_autofree char *visible = isatty (STDOUT_FILENO) ? gmcp_dup_visible_text (text) : NULL;

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

static CliExit
finish_output (CliExit status)
{
  gboolean failed = ferror (stdout) != 0;

  if (fflush (stdout) == 0 && !failed)
    return status;

  g_printerr ("gmcp: %s\n", _ ("not all output could be written"));
  return status == CLI_EXIT_OK ? CLI_EXIT_OUTPUT : status;
}

int
main (int argc, char *argv[])
{
  g_autofree char *config_file = NULL;
  g_autofree char *host_name = g_strdup ("gmcp");
  g_autofree char *description = NULL;
  g_autoptr (GOptionContext) context = NULL;
  g_autoptr (GError) error = NULL;
  gboolean version = FALSE;
  const GOptionEntry entries[] = {
    CLI_CONFIG_ENTRY (&config_file),
    { "host", 0, 0, G_OPTION_ARG_STRING, &host_name,
      N_ ("Act as the host NAME, whose roles hold then (gmcp)"), N_ ("NAME") },
    { "version", 0, 0, G_OPTION_ARG_NONE, &version, N_ ("Show the version"), NULL },
    { NULL },
  };

  fill_standard_descriptors ();
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, GMCP_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  set_up_output ();

  description = describe_commands ();
  context = g_option_context_new (_ ("COMMAND …"));
  g_option_context_set_summary (
    context, _ ("Find and use what MCP servers have: tools, resources and prompts."));
  g_option_context_set_description (context, description);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  /* What comes after the command is the command's. */
  g_option_context_set_strict_posix (context, TRUE);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return (int) cli_usage_error ("%s", error->message);

  if (version)
    {
      g_print ("gmcp %s\n", GMCP_VERSION);
      return (int) finish_output (CLI_EXIT_OK);
    }
  if (argc > 2 && g_str_equal (argv[1], "help"))
    return (int) finish_output (print_help (config_file, host_name, argv[2]));
  if (argc < 2 || g_str_equal (argv[1], "help"))
    {
      g_autofree char *help = g_option_context_get_help (context, TRUE, NULL);

      if (argc < 2)
        {
          g_printerr ("%s", help);
          return CLI_EXIT_USAGE;
        }
      g_print ("%s", help);
      return (int) finish_output (CLI_EXIT_OK);
    }

  return (int) finish_output (run_command (config_file, host_name, argc - 1, argv + 1));
}
