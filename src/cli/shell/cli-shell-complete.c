/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-shell-complete.h"

#include "cli-commands.h"
#include "cli-session-commands.h"
#include "cli-quoting.h"

static const char *const shell_words[] = { "/mcp", "exit", "quit" };

static void
add_word (GPtrArray *found, const char *word, const char *beginning)
{
  if (g_str_has_prefix (word, beginning))
    g_ptr_array_add (found, g_strdup (word));
}

static int
compare_words (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static void
add_session_words (GPtrArray *found, const char *beginning)
{
  g_auto (GStrv) words = cli_session_commands_list ();

  for (guint i = 0; words[i] != NULL; i++)
    add_word (found, words[i], beginning);
}

/* As other shells complete “gmcp …”, but that a session is in none. */
static void
add_program_words (GPtrArray *found, CliHost *session, GPtrArray *words, const char *last)
{
  g_autoptr (GPtrArray) typed = g_ptr_array_new ();
  g_autoptr (CliCompletion) completion = NULL;

  g_ptr_array_extend (typed, words, NULL, NULL);
  g_ptr_array_add (typed, (gpointer) last);
  g_ptr_array_add (typed, NULL);
  completion = cli_completion_new (session, cli_commands_get_program (), (char **) typed->pdata);
  for (guint i = 0; i < completion->candidates->len; i++)
    {
      const CliCandidate *candidate = g_ptr_array_index (completion->candidates, i);

      if (words->len > 0 || !g_str_equal (candidate->value, "shell"))
        g_ptr_array_add (found, g_strdup (candidate->value));
    }
}

/* The words begin with “/mcp”. Those that are no command of the program take a server. */
static void
add_for_session (GPtrArray *found, CliHost *session, GPtrArray *words, const char *last)
{
  const char *command;

  if (words->len == 1)
    {
      add_session_words (found, last);
      return;
    }
  command = cli_session_commands_find_alias (g_ptr_array_index (words, 1));
  g_ptr_array_remove_index (words, 0);
  g_free (g_ptr_array_index (words, 0));
  g_ptr_array_index (words, 0) = g_strdup (command != NULL ? command : "show");
  add_program_words (found, session, words, last);
}

GStrv
cli_shell_complete (const char *text, gsize *start, gpointer session)
{
  g_autofree char *last = NULL;
  g_autoptr (GPtrArray) words = cli_quoting_split_unfinished (text, start, &last);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);

  if (words->len > 0 && g_str_equal (g_ptr_array_index (words, 0), "gmcp"))
    g_ptr_array_remove_index (words, 0);
  for (gsize i = 0; words->len == 0 && i < G_N_ELEMENTS (shell_words); i++)
    add_word (found, shell_words[i], last);
  if (words->len > 0 && g_str_equal (g_ptr_array_index (words, 0), "/mcp"))
    add_for_session (found, session, words, last);
  else
    add_program_words (found, session, words, last);

  g_ptr_array_sort (found, compare_words);
  g_ptr_array_add (found, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}
