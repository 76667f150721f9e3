/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-commands.h"
#include "cli-suggest.h"

#include <glib/gi18n.h>

static const CliCommand commands[] = {
  { "add", CLI_COMMAND_GROUP_FIRST, N_ ("Add a server, and see whether it works"),
    cli_command_add },
  { "import", CLI_COMMAND_GROUP_FIRST, N_ ("Take over the servers of another program"),
    cli_command_import },
  { "status", CLI_COMMAND_GROUP_FIRST, N_ ("Show how the servers are"), cli_command_status },
  { "tools", CLI_COMMAND_GROUP_FIRST, N_ ("List the tools of all servers, or of one"),
    cli_command_tools },
  { "call", CLI_COMMAND_GROUP_FIRST, N_ ("Call a tool and print its result"), cli_command_call },
  { "search", CLI_COMMAND_GROUP_FIRST,
    N_ ("Find tools by what they are called and what is said of them"), cli_command_search },
  { "resources", CLI_COMMAND_GROUP_USE, N_ ("List the resources of all servers, or of one"),
    cli_command_resources },
  { "read", CLI_COMMAND_GROUP_USE, N_ ("Print what is in a resource, or save it"),
    cli_command_read },
  { "prompts", CLI_COMMAND_GROUP_USE, N_ ("List the prompts of all servers, or of one"),
    cli_command_prompts },
  { "prompt", CLI_COMMAND_GROUP_USE, N_ ("Print the messages of a prompt"), cli_command_prompt },
  { "complete", CLI_COMMAND_GROUP_USE, N_ ("Ask what an argument can be"), cli_command_complete },
  { "context", CLI_COMMAND_GROUP_USE, N_ ("Print what belongs in a prompt for a project"),
    cli_command_context },
  { "subscribe", CLI_COMMAND_GROUP_USE, N_ ("Print changes as they come, until Ctrl-C"),
    cli_command_subscribe },
  { "test", CLI_COMMAND_GROUP_RUN, N_ ("See whether a server works"), cli_command_test },
  { "discover", CLI_COMMAND_GROUP_RUN, N_ ("List the tools of a server that runs"),
    cli_command_discover },
  { "start", CLI_COMMAND_GROUP_RUN, N_ ("Run a server and look after it"), cli_command_start },
  { "stop", CLI_COMMAND_GROUP_RUN, N_ ("Stop a server"), cli_command_stop },
  { "restart", CLI_COMMAND_GROUP_RUN, N_ ("Start a server anew"), cli_command_restart },
  { "logs", CLI_COMMAND_GROUP_RUN,
    N_ ("Print what a server wrote to its standard error, and what became of it"),
    cli_command_logs },
  { "audit", CLI_COMMAND_GROUP_RUN, N_ ("List the calls that were written down"),
    cli_command_audit },
  { "replay", CLI_COMMAND_GROUP_RUN, N_ ("Make a call again that was written down"),
    cli_command_replay },
  { "show", CLI_COMMAND_GROUP_RULES, N_ ("Show what is configured for a server, and where"),
    cli_command_show },
  { "enable", CLI_COMMAND_GROUP_RULES, N_ ("Switch servers on"), cli_command_enable },
  { "disable", CLI_COMMAND_GROUP_RULES, N_ ("Switch servers off, and keep what is configured"),
    cli_command_disable },
  { "remove", CLI_COMMAND_GROUP_RULES, N_ ("Take servers out of the configuration"),
    cli_command_remove },
  { "config", CLI_COMMAND_GROUP_RULES,
    N_ ("Say what is wrong in the configuration and what it comes to, or trust a file or a folder"),
    cli_command_config },
  { "secret", CLI_COMMAND_GROUP_RULES,
    N_ ("Look after the values that configurations take from the keyring"), cli_command_secret },
  { "pins", CLI_COMMAND_GROUP_RULES, N_ ("Show the tools that are new or have changed"),
    cli_command_pins },
  { "approve", CLI_COMMAND_GROUP_RULES, N_ ("Approve tools as they are now"), cli_command_approve },
};

/* Former names, which scripts may have. */
static const char *const aliases[][2] = {
  { "servers", "status" },
};

static const char *const group_titles[] = {
  [CLI_COMMAND_GROUP_FIRST] = N_ ("To begin with:"),
  [CLI_COMMAND_GROUP_USE] = N_ ("What else servers have:"),
  [CLI_COMMAND_GROUP_RUN] = N_ ("How servers are, and what happened:"),
  [CLI_COMMAND_GROUP_RULES] = N_ ("What is configured, and what is allowed:"),
};

#define NAME_COLUMNS 12

const CliCommand *
cli_commands_get_all (guint *n_commands)
{
  *n_commands = G_N_ELEMENTS (commands);
  return commands;
}

const CliCommand *
cli_commands_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (aliases); i++)
    {
      if (g_str_equal (aliases[i][0], name))
        name = aliases[i][1];
    }
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      if (g_str_equal (commands[i].name, name))
        return &commands[i];
    }
  return NULL;
}

CliExit
cli_commands_report_unknown (const char *word)
{
  const char *names[G_N_ELEMENTS (commands) + 1] = { NULL };
  g_autofree char *suggestion = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    names[i] = commands[i].name;
  suggestion = cli_suggest_near (word, names);
  return cli_usage_error (_ ("there is no command “%s”; see gmcp --help%s"), word, suggestion);
}

char *
cli_commands_describe (void)
{
  GString *text
    = g_string_new (_ ("Find and use what MCP servers have: tools, resources and prompts."));

  for (guint group = 0; group < G_N_ELEMENTS (group_titles); group++)
    {
      g_string_append_printf (text, "\n\n%s", _ (group_titles[group]));
      for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
        {
          if (commands[i].group == group)
            g_string_append_printf (text, "\n  %-*s%s", NAME_COLUMNS, commands[i].name,
                                    _ (commands[i].summary));
        }
    }
  return g_string_free (text, FALSE);
}
