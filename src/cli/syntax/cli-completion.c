/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-completion.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-synopsis.h"
#include "cli-words.h"

typedef struct
{
  CliTyping typing;
  const CliProgram *program;
  const CliCommand *command; /* NULL before it is named */
  GArray *entries;           /* of GOptionEntry: those that can stand here */
  const GOptionEntry *open;  /* an option whose value comes next, or NULL */
  gboolean ended;            /* the options, by “--” */
  gboolean helps;            /* the first word is “help” */
} Line;

static void
free_candidate (gpointer data)
{
  CliCandidate *candidate = data;

  g_free (candidate->value);
  g_free (candidate->text);
  g_free (candidate);
}

void
cli_completion_free (CliCompletion *self)
{
  g_hash_table_unref (self->values);
  g_ptr_array_unref (self->candidates);
  g_free (self);
}

static const CliCommand *
find_command (const CliProgram *program, const char *name)
{
  for (gsize i = 0; program->commands[i] != NULL; i++)
    {
      if (g_str_equal (program->commands[i]->name, name))
        return program->commands[i];
    }
  return NULL;
}

static const GOptionEntry *
find_entry (const Line *line, const char *word, gsize length)
{
  for (guint i = 0; i < line->entries->len; i++)
    {
      const GOptionEntry *entry = &g_array_index (line->entries, GOptionEntry, i);
      gboolean is_long = length > 2 && word[1] == '-';

      if (is_long ? strlen (entry->long_name) == length - 2
                      && strncmp (entry->long_name, word + 2, length - 2) == 0
                  : length == 2 && entry->short_name == word[1])
        return entry;
    }
  return NULL;
}

static gboolean
takes_value (const GOptionEntry *entry)
{
  return entry->arg != G_OPTION_ARG_NONE;
}

/* What is listed is that of the file that is named, unless the host has its servers already. */
static void
use_value (Line *line, const GOptionEntry *entry, const char *value)
{
  if (line->typing.host->providers != NULL)
    return;
  if (g_str_equal (entry->long_name, "config") || g_str_equal (entry->long_name, "file"))
    cli_host_set_config_file (line->typing.host, value);
}

static void
read_option (Line *line, const char *word)
{
  gsize length = strcspn (word, "=");
  const GOptionEntry *entry = find_entry (line, word, length);

  if (entry == NULL || !takes_value (entry))
    return;
  if (word[length] == '=')
    use_value (line, entry, word + length + 1);
  else
    line->open = entry;
}

/* A word before the one that is typed. */
static void
read_word (Line *line, const char *word)
{
  if (line->open != NULL)
    {
      use_value (line, line->open, word);
      line->open = NULL;
    }
  else if (!line->ended && g_str_equal (word, "--"))
    line->ended = TRUE;
  else if (!line->ended && word[0] == '-' && word[1] != '\0')
    read_option (line, word);
  else if (line->command == NULL && !line->helps)
    {
      line->helps = g_str_equal (word, "help");
      line->command = find_command (line->program, word);
      g_array_unref (line->entries);
      line->entries = line->command != NULL ? cli_command_list_entries (line->command)
                                            : g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
      if (line->command == NULL && !line->helps)
        line->ended = TRUE;
    }
  else
    g_ptr_array_add (line->typing.before, (gpointer) word);
}

static void
offer_commands (Line *line)
{
  for (gsize i = 0; line->program->commands[i] != NULL; i++)
    {
      const CliCommand *command = line->program->commands[i];

      if (command->group != CLI_COMMAND_GROUP_HIDDEN)
        cli_words_add (&line->typing, command->name, _ (command->summary), FALSE);
    }
}

static void
offer_options (Line *line)
{
  for (guint i = 0; i < line->entries->len; i++)
    {
      const GOptionEntry *entry = &g_array_index (line->entries, GOptionEntry, i);
      g_autofree char *name
        = g_strconcat ("--", entry->long_name, takes_value (entry) ? "=" : "", NULL);

      cli_words_add (&line->typing, name, _ (entry->description), takes_value (entry));
    }
  cli_words_add (&line->typing, "--help", _ ("Show help"), FALSE);
}

static void
offer_arguments (Line *line)
{
  const CliCommand *command = line->command;
  GPtrArray *before = line->typing.before;
  const char *synopsis = command->synopsis;
  g_autoptr (GPtrArray) words = NULL;

  if (command->verbs != NULL && before->len == 0)
    {
      for (const CliVerb *verb = command->verbs; verb->name != NULL; verb++)
        cli_words_add (&line->typing, verb->name, _ (verb->summary), FALSE);
      return;
    }
  if (command->verbs != NULL)
    {
      const char *name = g_ptr_array_steal_index (before, 0);

      for (const CliVerb *verb = command->verbs; verb->name != NULL; verb++)
        {
          if (g_str_equal (verb->name, name))
            synopsis = verb->synopsis;
        }
    }
  words = synopsis != NULL ? cli_synopsis_list_words (synopsis, before->len) : g_ptr_array_new ();
  for (guint i = 0; i < words->len; i++)
    cli_words_offer (g_ptr_array_index (words, i), &line->typing);
}

/* The value of “--name=value”, or of an option that stands before it. */
static void
offer_value (Line *line, const GOptionEntry *entry)
{
  if (entry->arg_description != NULL)
    cli_words_offer (entry->arg_description, &line->typing);
}

static void
offer_words (Line *line)
{
  const char *typed = line->typing.typed;
  gsize length = strcspn (typed, "=");
  const GOptionEntry *entry = NULL;
  g_autofree char *prefix = NULL;

  if (line->open != NULL)
    offer_value (line, line->open);
  else if (!line->ended && *typed == '-' && typed[length] == '=')
    {
      entry = find_entry (line, typed, length);
      prefix = g_strndup (typed, length + 1);
      line->typing.prefix = prefix;
      line->typing.typed += length + 1;
      if (entry != NULL)
        offer_value (line, entry);
    }
  else if (!line->ended && *typed == '-')
    offer_options (line);
  else if (line->command != NULL)
    offer_arguments (line);
  else if (!line->ended)
    {
      offer_commands (line);
      if (!line->helps)
        cli_words_add (&line->typing, "help", _ ("Show help"), FALSE);
    }
}

CliCompletion *
cli_completion_new (CliHost *host, const CliProgram *program, char *const *words)
{
  CliCompletion *self = g_new0 (CliCompletion, 1);
  g_autoptr (GPtrArray) before = g_ptr_array_new ();
  Line line = { .program = program };

  self->candidates = g_ptr_array_new_with_free_func (free_candidate);
  self->values = g_hash_table_new (g_str_hash, g_str_equal);
  line.typing.host = host;
  line.typing.completion = self;
  line.typing.before = before;
  line.typing.prefix = "";
  line.entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  cli_command_append_entries (line.entries, program->entries, NULL);
  for (; words[0] != NULL && words[1] != NULL; words++)
    read_word (&line, words[0]);
  line.typing.typed = words[0] != NULL ? words[0] : "";
  offer_words (&line);
  g_array_unref (line.entries);
  return self;
}
