/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-commands.h"
#include "cli-suggest.h"

#include <glib/gi18n.h>

#include <gmcp/config/import/gmcp-config-import.h>

/* In the order in which help lists those of a group, one a line. */
/* clang-format off */
static const CliCommand *const commands[] = {
  &cli_add_command,
  &cli_import_command,
  &cli_connect_command,
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
  &cli_doctor_command,
  &cli_test_command,
  &cli_discover_command,
  &cli_start_command,
  &cli_stop_command,
  &cli_restart_command,
  &cli_dashboard_command,
  &cli_questions_command,
  &cli_gateway_command,
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
  &cli_disconnect_command,
  &cli_config_command,
  &cli_secret_command,
  &cli_role_command,
  &cli_pins_command,
  &cli_approve_command,
  &cli_completion_command,
  &cli_complete_words_command,
  &cli_describe_command,
  NULL,
};
/* clang-format on */

/* Former names, which scripts may have. */
static const char *const aliases[][2] = {
  { "servers", "status" },
};

/* What other programs call it, or somebody who has not read the help. */
static const char *const synonyms[][2] = {
  { "list", "tools, status" },
  { "ls", "tools, status" },
  { "ps", "status" },
  { "get", "show" },
  { "info", "show, tools" },
  { "inspect", "show, tools" },
  { "rm", "remove" },
  { "delete", "remove" },
  { "uninstall", "remove" },
  { "install", "add" },
  { "new", "add" },
  { "create", "add" },
  { "add-json", "add" },
  { "run", "call, start" },
  { "exec", "call" },
  { "invoke", "call" },
  { "use", "call" },
  { "find", "search" },
  { "ping", "test" },
  { "check", "doctor, test" },
  { "diagnose", "doctor" },
  { "debug", "doctor, logs" },
  { "validate", "config" },
  { "init", "config" },
  { "settings", "config" },
  { "history", "audit" },
  { "repl", "shell" },
  { "ui", "dashboard" },
  { "web", "dashboard" },
  { "browser", "dashboard" },
  { "open", "dashboard" },
  { "answer", "questions" },
  { "serve", "gateway" },
  { "proxy", "gateway" },
  { "watch", "subscribe, logs" },
  { "reload", "sync" },
  { "refresh", "sync" },
  { "update", "sync" },
  { "permissions", "role" },
  { "rules", "role" },
  { "trust", "config" },
};

static const char *const group_titles[] = {
  [CLI_COMMAND_GROUP_FIRST] = N_ ("To begin with:"),
  [CLI_COMMAND_GROUP_USE] = N_ ("What else servers have:"),
  [CLI_COMMAND_GROUP_RUN] = N_ ("How servers are, and what happened:"),
  [CLI_COMMAND_GROUP_RULES] = N_ ("What is configured, and what is allowed:"),
};

#define NAME_COLUMNS 12

static const GOptionEntry entries[] = {
  { "config", 'c', 0, G_OPTION_ARG_FILENAME, CLI_OFFSET (CliCommandsOptions, config_file),
    CLI_CONFIG_SUMMARY, N_ ("FILE") },
  { "host", 0, 0, G_OPTION_ARG_STRING, CLI_OFFSET (CliCommandsOptions, host_name),
    N_ ("Act as this host, whose roles hold then (gmcp)"), N_ ("HOST") },
  { "version", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (CliCommandsOptions, version),
    N_ ("Show the version"), NULL },
  { NULL },
};

const CliProgram *
cli_commands_get_program (void)
{
  static const CliProgram program = { commands, entries };

  return &program;
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

/* As cli_suggest_near() has it. */
static char *
suggest_command (const char *word, const char *const *names)
{
  for (guint i = 0; i < G_N_ELEMENTS (synonyms); i++)
    {
      if (g_str_equal (synonyms[i][0], word))
        return g_strdup_printf (_ (". Near to it: %s."), synonyms[i][1]);
    }
  return cli_suggest_near (word, names);
}

CliExit
cli_commands_report_unknown (const char *word, gboolean in_session)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();
  const char *const *known = (const char *const *) programs;
  const char *names[G_N_ELEMENTS (commands)] = { NULL };
  g_autofree char *suggestion = NULL;
  const char *program;
  gsize n = 0;

  for (gsize i = 0; commands[i] != NULL; i++)
    {
      if (commands[i]->group != CLI_COMMAND_GROUP_HIDDEN)
        names[n++] = commands[i]->name;
    }
  suggestion = suggest_command (word, names);
  program = cli_suggest_find (word, known);
  /* Somebody may take the name of another program for a command. */
  if (program != NULL && (*suggestion == '\0' || g_strv_contains (known, word)))
    return cli_usage_error (
      /* Translators: a word, and the name of a program */
      _ ("there is no command “%s”; “gmcp import %s” takes over the servers of that program"), word,
      program);
  if (in_session)
    return cli_usage_error (_ ("there is no command “%s”; see help%s"), word, suggestion);
  return cli_usage_error (_ ("there is no command “%s”; see gmcp --help%s"), word, suggestion);
}

const char *
cli_commands_get_summary (void)
{
  return N_ ("Find and use what MCP servers have: tools, resources and prompts.");
}

const char *
cli_commands_get_group_title (CliCommandGroup group)
{
  return group_titles[group];
}

char *
cli_commands_describe (void)
{
  GString *text = g_string_new (_ (cli_commands_get_summary ()));

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
