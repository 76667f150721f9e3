/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-shell-complete.h"

#include <gmcp/core/gmcp-visible-text.h>
#include <gmcp/provider/arguments/gmcp-tool-argument.h>
#include <string.h>

#include "cli-commands.h"
#include "cli-session-commands.h"
#include "cli-shell-words.h"

static const char *const shell_words[] = { "/mcp", "exit", "help", "quit" };

/* Names that servers chose are offered as far as what they are is what is seen of them. */
static void
add_word (GPtrArray *found, const char *word, const char *beginning)
{
  g_autofree char *visible = gmcp_dup_visible_line (word, 0);

  if (g_str_has_prefix (word, beginning) && g_str_equal (word, visible))
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

static void
add_tools (GPtrArray *found, CliHost *session, const char *beginning)
{
  for (guint i = 0; i < session->providers->len; i++)
    {
      GListModel *tools = gmcp_tool_provider_get_tools (g_ptr_array_index (session->providers, i));
      guint n = g_list_model_get_n_items (tools);

      for (guint k = 0; k < n; k++)
        {
          g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, k);
          const char *server = gmcp_tool_get_server_id (tool);
          g_autofree char *name
            = server != NULL
                ? g_strdup_printf ("%s.%s", server, gmcp_tool_get_server_tool_name (tool))
                : g_strdup (gmcp_definition_get_name (GMCP_DEFINITION (tool)));

          add_word (found, name, beginning);
        }
    }
}

static GmcpTool *
find_tool (CliHost *session, const char *name)
{
  GmcpTool *tool = NULL;

  for (guint i = 0; i < session->providers->len && tool == NULL; i++)
    tool = gmcp_tool_provider_find_tool (g_ptr_array_index (session->providers, i), name, NULL);
  return tool;
}

/* “key=”, and behind that the choices that there are. */
static void
add_arguments (GPtrArray *found, CliHost *session, const char *tool_name, const char *beginning)
{
  g_autoptr (GmcpTool) tool = find_tool (session, tool_name);
  g_autoptr (GPtrArray) arguments = tool != NULL ? gmcp_tool_list_arguments (tool) : NULL;

  for (guint i = 0; arguments != NULL && i < arguments->len; i++)
    {
      GmcpToolArgument *argument = g_ptr_array_index (arguments, i);
      const char *const *choices = gmcp_tool_argument_get_choices (argument);
      g_autofree char *key = g_strconcat (gmcp_tool_argument_get_name (argument), "=", NULL);

      if (!g_str_has_prefix (beginning, key))
        add_word (found, key, beginning);
      for (guint k = 0; g_str_has_prefix (beginning, key) && choices != NULL && choices[k] != NULL;
           k++)
        {
          g_autofree char *word = g_strconcat (key, choices[k], NULL);

          add_word (found, word, beginning);
        }
    }
}

static void
add_options (GPtrArray *found, const CliCommand *command, const char *beginning)
{
  g_autoptr (GArray) entries = cli_command_list_entries (command);

  for (guint i = 0; i < entries->len; i++)
    {
      const GOptionEntry *entry = &g_array_index (entries, GOptionEntry, i);
      g_autofree char *option
        = g_strconcat ("--", entry->long_name, entry->arg != G_OPTION_ARG_NONE ? "=" : "", NULL);

      if ((entry->flags & G_OPTION_FLAG_HIDDEN) == 0)
        add_word (found, option, beginning);
    }
  add_word (found, "--help", beginning);
}

static void
add_verbs (GPtrArray *found, const CliCommand *command, const char *beginning)
{
  for (const CliVerb *verb = command->verbs; verb->name != NULL; verb++)
    add_word (found, verb->name, beginning);
}

/* What stands at this place of “SERVER [NAME…]”; the last word for all places behind a “…”, NULL for none. */
static const char *
get_place (char **words, guint place)
{
  guint n = g_strv_length (words);

  if (place < n)
    return words[place];
  return n > 0 && strstr (words[n - 1], "…") != NULL ? words[n - 1] : NULL;
}

/* In each of the ways in which the command is used. */
static void
add_for_place (GPtrArray *found,
               CliHost *session,
               const char *synopsis,
               GPtrArray *arguments,
               const char *last)
{
  g_auto (GStrv) ways = g_strsplit (synopsis, " | ", -1);

  for (guint i = 0; ways[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (ways[i], " ", -1);
      const char *place = get_place (words, arguments->len);

      if (place == NULL)
        continue;
      if (strstr (place, "SERVER") != NULL && strstr (place, "SERVER.") == NULL)
        add_servers (found, session, last);
      if (strstr (place, "TOOL") != NULL)
        add_tools (found, session, last);
      if (strstr (place, "ARGUMENT") != NULL && arguments->len > 0)
        add_arguments (found, session, g_ptr_array_index (arguments, 0), last);
    }
}

/* The words begin with the command. */
static void
add_for_command (GPtrArray *found, CliHost *session, GPtrArray *words, const char *last)
{
  const CliCommand *command = cli_commands_find (g_ptr_array_index (words, 0));
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();

  if (command == NULL)
    return;
  for (guint i = 1; i < words->len; i++)
    if (*(const char *) g_ptr_array_index (words, i) != '-')
      g_ptr_array_add (arguments, g_ptr_array_index (words, i));

  if (*last == '-')
    add_options (found, command, last);
  else if (command->verbs != NULL && arguments->len == 0)
    add_verbs (found, command, last);
  else if (command->synopsis != NULL)
    add_for_place (found, session, command->synopsis, arguments, last);
}

/* The words begin with “/mcp”. */
static void
add_for_session (GPtrArray *found, CliHost *session, GPtrArray *words, const char *last)
{
  const char *alias;

  if (words->len == 1)
    {
      add_session_words (found, last);
      return;
    }
  alias = cli_session_commands_find_alias (g_ptr_array_index (words, 1));
  if (alias == NULL)
    {
      add_servers (found, session, last);
      return;
    }
  g_ptr_array_remove_index (words, 0);
  g_free (g_ptr_array_index (words, 0));
  g_ptr_array_index (words, 0) = g_strdup (alias);
  add_for_command (found, session, words, last);
}

GStrv
cli_shell_complete (const char *text, gsize *start, gpointer session)
{
  g_autofree char *last = NULL;
  g_autoptr (GPtrArray) words = cli_shell_words_split_unfinished (text, start, &last);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);

  if (words->len > 0 && g_str_equal (g_ptr_array_index (words, 0), "gmcp"))
    g_ptr_array_remove_index (words, 0);
  if (words->len == 0)
    {
      for (gsize i = 0; i < G_N_ELEMENTS (shell_words); i++)
        add_word (found, shell_words[i], last);
      add_commands (found, last);
    }
  else if (g_str_equal (g_ptr_array_index (words, 0), "/mcp"))
    add_for_session (found, session, words, last);
  else if (!g_str_equal (g_ptr_array_index (words, 0), "help"))
    add_for_command (found, session, words, last);
  else if (words->len == 1)
    add_commands (found, last);

  g_ptr_array_sort (found, compare_words);
  for (guint i = found->len; i > 1; i--)
    if (g_str_equal (g_ptr_array_index (found, i - 1), g_ptr_array_index (found, i - 2)))
      g_ptr_array_remove_index (found, i - 1);
  g_ptr_array_add (found, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}
