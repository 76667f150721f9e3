/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-commands.h"
#include "cli-suggest.h"

#include <glib/gi18n.h>

/* In the order in which help lists those of a group, one a line. */
/* clang-format off */
static const CliCommand *const commands[] = {
  &cli_add_command,
  &cli_import_command,
  &cli_status_command,
  &cli_tools_command,
  &cli_call_command,
  &cli_search_command,
  &cli_shell_command,
  &cli_resources_command,
  &cli_read_command,
  &cli_prompts_command,
  &cli_prompt_command,
  &cli_complete_command,
  &cli_context_command,
  &cli_subscribe_command,
  &cli_test_command,
  &cli_discover_command,
  &cli_start_command,
  &cli_stop_command,
  &cli_restart_command,
  &cli_sync_command,
  &cli_logs_command,
  &cli_audit_command,
  &cli_replay_command,
  &cli_show_command,
  &cli_edit_command,
  &cli_enable_command,
  &cli_disable_command,
  &cli_remove_command,
  &cli_export_command,
  &cli_config_command,
  &cli_secret_command,
  &cli_role_command,
  &cli_pins_command,
  &cli_approve_command,
  NULL,
};
/* clang-format on */

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

const CliCommand *const *
cli_commands_get_all (void)
{
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
  for (gsize i = 0; commands[i] != NULL; i++)
    {
      if (g_str_equal (commands[i]->name, name))
        return commands[i];
    }
  return NULL;
}

CliExit
cli_commands_report_unknown (const char *word)
{
  const char *names[G_N_ELEMENTS (commands)] = { NULL };
  g_autofree char *suggestion = NULL;

  for (gsize i = 0; commands[i] != NULL; i++)
    names[i] = commands[i]->name;
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
      for (gsize i = 0; commands[i] != NULL; i++)
        {
          if (commands[i]->group == group)
            g_string_append_printf (text, "\n  %-*s%s", NAME_COLUMNS, commands[i]->name,
                                    _ (commands[i]->summary));
        }
    }
  return g_string_free (text, FALSE);
}
