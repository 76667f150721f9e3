/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-shell-complete.h"

#include "cli-commands.h"
#include "cli-session-commands.h"
#include "cli-shell-words.h"

static const char *const shell_words[] = { "/mcp", "exit", "help", "quit" };

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
add_commands (GPtrArray *found, const char *beginning)
{
  for (const CliCommand *const *command = cli_commands_get_all (); *command != NULL; command++)
    if (!g_str_equal ((*command)->name, "shell"))
      add_word (found, (*command)->name, beginning);
}

static void
add_session_words (GPtrArray *found, const char *beginning)
{
  g_auto (GStrv) words = cli_session_commands_list ();

  for (guint i = 0; words[i] != NULL; i++)
    add_word (found, words[i], beginning);
}

static void
add_servers (GPtrArray *found, CliHost *session, const char *beginning)
{
  GmcpManager *manager = cli_host_get_manager (session);
  guint n = manager != NULL ? g_list_model_get_n_items (G_LIST_MODEL (manager)) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);

      add_word (found, gmcp_managed_server_get_id (server), beginning);
    }
}

GStrv
cli_shell_complete (const char *text, gsize *start, gpointer data)
{
  g_autofree char *last = NULL;
  g_autoptr (GPtrArray) words = cli_shell_words_split_unfinished (text, start, &last);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  const char *first = words->len > 0 ? g_ptr_array_index (words, 0) : NULL;

  if (first == NULL)
    for (gsize i = 0; i < G_N_ELEMENTS (shell_words); i++)
      add_word (found, shell_words[i], last);
  if (first == NULL || (words->len == 1 && g_str_equal (first, "help")))
    add_commands (found, last);
  else if (words->len == 1 && g_str_equal (first, "/mcp"))
    add_session_words (found, last);
  else
    add_servers (found, data, last);

  g_ptr_array_sort (found, compare_words);
  g_ptr_array_add (found, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}
