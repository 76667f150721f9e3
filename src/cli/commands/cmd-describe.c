/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>

#include "cli-commands.h"
#include "cli-json.h"

/* gmcp __describe: the program and its commands as JSON, for what makes manual pages and for tests. */

static void
add_member (JsonBuilder *builder, const char *name, const char *value)
{
  if (value == NULL)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  add_member (builder, name, text != NULL ? _ (text) : NULL);
}

static void
add_options (JsonBuilder *builder, const GArray *entries)
{
  json_builder_set_member_name (builder, "options");
  json_builder_begin_array (builder);
  for (guint i = 0; i < entries->len; i++)
    {
      const GOptionEntry *entry = &g_array_index (entries, GOptionEntry, i);
      char letter[] = { entry->short_name, '\0' };

      json_builder_begin_object (builder);
      add_member (builder, "name", entry->long_name);
      add_member (builder, "letter", *letter != '\0' ? letter : NULL);
      add_member (builder, "word", entry->arg_description);
      add_text (builder, "value", entry->arg_description);
      add_text (builder, "summary", entry->description);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_verbs (JsonBuilder *builder, const CliVerb *verb)
{
  if (verb == NULL)
    return;

  json_builder_set_member_name (builder, "verbs");
  json_builder_begin_array (builder);
  for (; verb->name != NULL; verb++)
    {
      json_builder_begin_object (builder);
      add_member (builder, "name", verb->name);
      add_text (builder, "summary", verb->summary);
      add_member (builder, "words", verb->synopsis);
      add_text (builder, "synopsis", verb->synopsis);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_command (JsonBuilder *builder, const CliCommand *command)
{
  g_autoptr (GArray) entries = cli_command_list_entries (command);
  g_autofree char *description = cli_command_dup_description (command);

  json_builder_begin_object (builder);
  add_member (builder, "name", command->name);
  add_text (builder, "group", cli_commands_get_group_title (command->group));
  add_text (builder, "summary", command->summary);
  add_member (builder, "words", command->synopsis);
  add_text (builder, "synopsis", command->synopsis);
  add_member (builder, "description", description);
  add_verbs (builder, command->verbs);
  add_options (builder, entries);
  json_builder_end_object (builder);
}

static void
add_exits (JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "exits");
  json_builder_begin_array (builder);
  for (guint i = 0; i < CLI_N_EXITS; i++)
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "status");
      json_builder_add_int_value (builder, i);
      add_member (builder, "code", cli_exit_get_code (i));
      add_text (builder, "summary", cli_exit_get_summary (i));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static CliExit
run_describe (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const CliProgram *program = cli_commands_get_program ();
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  g_autoptr (JsonNode) root = NULL;

  cli_command_append_entries (entries, program->entries, NULL);
  json_builder_begin_object (builder);
  add_member (builder, "name", "gmcp");
  add_member (builder, "version", GMCP_VERSION);
  add_text (builder, "summary", cli_commands_get_summary ());
  add_options (builder, entries);
  json_builder_set_member_name (builder, "commands");
  json_builder_begin_array (builder);
  for (gsize i = 0; program->commands[i] != NULL; i++)
    {
      if (program->commands[i]->group != CLI_COMMAND_GROUP_HIDDEN)
        add_command (builder, program->commands[i]);
    }
  json_builder_end_array (builder);
  add_exits (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  cli_json_print_node (root);
  return CLI_EXIT_OK;
}

const CliCommand cli_describe_command = {
  .name = "__describe",
  .group = CLI_COMMAND_GROUP_HIDDEN,
  .run = run_describe,
};
