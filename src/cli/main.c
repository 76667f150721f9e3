/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "cli-host.h"

static const struct
{
  const char *name;
  const char *arguments;
  const char *summary;
  CliCommandFunc func;
} commands[] = {
  { "tools", N_ ("[SERVER] [--json]"), N_ ("List the tools of all servers, or of one"),
    cli_command_tools },
  { "call", N_ ("TOOL [ARGUMENTS…] [--json] [--timeout SECONDS]"),
    N_ ("Call a tool and print its result"), cli_command_call },
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
             "protocol."));
  return g_string_free (text, FALSE);
}

static CliExit
run (const char *config_file, int argc, char *argv[])
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      if (g_str_equal (argv[0], commands[i].name))
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (CliHost) host = cli_host_new (config_file, &error);

          if (host == NULL)
            {
              g_printerr ("gmcp: %s\n", error->message);
              return CLI_EXIT_UNREACHABLE;
            }
          return commands[i].func (host, argc, argv);
        }
    }

  return cli_usage_error (_ ("there is no command “%s”; see gmcp --help"), argv[0]);
}

int
main (int argc, char *argv[])
{
  g_autofree char *config_file = NULL;
  g_autofree char *description = NULL;
  g_autoptr (GOptionContext) context = NULL;
  g_autoptr (GError) error = NULL;
  gboolean version = FALSE;
  const GOptionEntry entries[] = {
    { "config", 'c', 0, G_OPTION_ARG_FILENAME, &config_file,
      N_ ("Take the servers from FILE ({\"mcpServers\": …}) and from nowhere else"), N_ ("FILE") },
    { "version", 0, 0, G_OPTION_ARG_NONE, &version, N_ ("Show the version"), NULL },
    { NULL },
  };

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, GMCP_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  description = describe_commands ();
  context = g_option_context_new (_ ("COMMAND …"));
  g_option_context_set_summary (context, _ ("Find and call the tools of MCP servers."));
  g_option_context_set_description (context, description);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  /* What comes after the command is the command's. */
  g_option_context_set_strict_posix (context, TRUE);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return (int) cli_usage_error ("%s", error->message);

  if (version)
    {
      g_print ("gmcp %s\n", GMCP_VERSION);
      return CLI_EXIT_OK;
    }
  if (argc < 2)
    {
      g_autofree char *help = g_option_context_get_help (context, TRUE, NULL);

      g_printerr ("%s\n", help);
      return CLI_EXIT_USAGE;
    }

  return (int) run (config_file, argc - 1, argv + 1);
}
