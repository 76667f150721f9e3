/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-prompt-arguments.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-affirm.h"
#include "cli-suggest.h"
#include "cli-text.h"

#define LABEL_COLUMNS 60u

static GListModel *
list_prompts (CliHost *host, GmcpClient *client)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_client_list_prompts_async (client, host->cancellable, cli_store_result, &result);
  return gmcp_client_list_prompts_finish (client, cli_wait (&result), NULL);
}

static GmcpPrompt *
find_prompt (GListModel *prompts, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items (prompts); i++)
    {
      g_autoptr (GmcpPrompt) prompt = g_list_model_get_item (prompts, i);

      if (g_str_equal (gmcp_definition_get_name (GMCP_DEFINITION (prompt)), name))
        return g_steal_pointer (&prompt);
    }
  return NULL;
}

static CliExit
report_unknown_prompt (GListModel *prompts, const char *server, const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *shown = cli_text_plain (name, LABEL_COLUMNS);
  g_autofree char *near = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (prompts); i++)
    {
      g_autoptr (GmcpDefinition) prompt = g_list_model_get_item (prompts, i);

      g_ptr_array_add (names, g_strdup (gmcp_definition_get_name (prompt)));
    }
  g_ptr_array_add (names, NULL);
  near = cli_suggest_near (name, (const char *const *) names->pdata);
  /* Translators: a server, the name of a prompt, and “. Near to it: hello.” or nothing */
  return cli_usage_error (_ ("prompt: the server %s has no prompt “%s”%s"), server, shown, near);
}

static GmcpPromptArgument *
find_argument (GmcpPrompt *prompt, const char *name)
{
  for (guint i = 0; i < gmcp_prompt_get_n_arguments (prompt); i++)
    {
      GmcpPromptArgument *argument = gmcp_prompt_get_argument (prompt, i);

      if (g_str_equal (gmcp_prompt_argument_get_name (argument), name))
        return argument;
    }
  return NULL;
}

/* The command with what was given rightly and what has to be given. */
static char *
make_command (GmcpPrompt *prompt, const char *server, GHashTable *arguments)
{
  const char *name = gmcp_definition_get_name (GMCP_DEFINITION (prompt));
  GString *command = g_string_new ("gmcp prompt ");

  g_string_append_printf (command, "%s.%s", server, name);
  for (guint i = 0; i < gmcp_prompt_get_n_arguments (prompt); i++)
    {
      GmcpPromptArgument *argument = gmcp_prompt_get_argument (prompt, i);
      const char *key = gmcp_prompt_argument_get_name (argument);
      const char *value = g_hash_table_lookup (arguments, key);
      g_autofree char *word = g_strconcat (key, "=", value != NULL ? value : "…", NULL);
      g_autofree char *quoted = value != NULL && strpbrk (value, " '\"$`\\;&|<>(){}*?!#~") != NULL
                                  ? g_shell_quote (word)
                                  : g_strdup (word);

      if (value != NULL || gmcp_prompt_argument_is_required (argument))
        g_string_append_printf (command, " %s", quoted);
    }
  return g_string_free (command, FALSE);
}

static char *
dup_unknown (GmcpPrompt *prompt, GHashTable *arguments)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, arguments);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      if (find_argument (prompt, key) == NULL)
        return g_strdup (key);
    }
  return NULL;
}

static char *
describe_unknown (GmcpPrompt *prompt, const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *shown = cli_text_plain (name, LABEL_COLUMNS);
  g_autofree char *near = NULL;

  for (guint i = 0; i < gmcp_prompt_get_n_arguments (prompt); i++)
    g_ptr_array_add (
      names, (gpointer) gmcp_prompt_argument_get_name (gmcp_prompt_get_argument (prompt, i)));
  g_ptr_array_add (names, NULL);
  near = cli_suggest_near (name, (const char *const *) names->pdata);
  /* Translators: the name of an argument, and “. Near to it: city.” or nothing */
  return g_strdup_printf (_ ("There is no argument “%s”%s"), shown, near);
}

/* Asks for what has to be given and is not; says what is still missing, or NULL. */
static char *
complete_arguments (CliHost *host, GmcpPrompt *prompt, GHashTable *arguments, gboolean may_ask)
{
  g_autoptr (GString) missing = g_string_new (NULL);

  for (guint i = 0; i < gmcp_prompt_get_n_arguments (prompt); i++)
    {
      GmcpPromptArgument *argument = gmcp_prompt_get_argument (prompt, i);
      const char *name = gmcp_prompt_argument_get_name (argument);
      const char *description = gmcp_prompt_argument_get_description (argument);
      g_autofree char *label = cli_text_plain (name, LABEL_COLUMNS);
      g_autofree char *prompt_text = g_strconcat (label, ":", NULL);
      g_autofree char *shown
        = description != NULL ? cli_text_plain (description, cli_text_width (2) * 4) : NULL;
      char *line = NULL;

      if (!gmcp_prompt_argument_is_required (argument) || g_hash_table_contains (arguments, name))
        continue;
      if (may_ask && shown != NULL && *shown != '\0')
        g_printerr ("%s\n", shown);
      if (may_ask)
        line = cli_read_line (host, prompt_text, FALSE);
      if (line != NULL)
        g_hash_table_insert (arguments, g_strdup (name), line);
      else
        g_string_append_printf (missing, "%s%s", missing->len > 0 ? ", " : "", label);
    }
  return missing->len > 0 ? g_strdup_printf (_ ("What is missing: %s"), missing->str) : NULL;
}

CliExit
cli_prompt_check_arguments (CliHost *host,
                            GmcpClient *client,
                            const char *server,
                            const char *name,
                            GHashTable *arguments,
                            gboolean may_ask)
{
  g_autoptr (GListModel) prompts = list_prompts (host, client);
  g_autoptr (GmcpPrompt) prompt = prompts != NULL ? find_prompt (prompts, name) : NULL;
  g_autofree char *unknown = NULL;
  g_autofree char *problem = NULL;
  g_autofree char *command = NULL;
  g_autofree char *full_name = g_strconcat (server, ".", name, NULL);
  g_autoptr (GError) cancelled = NULL;

  if (prompts == NULL || g_list_model_get_n_items (prompts) == 0)
    return CLI_EXIT_OK;
  if (prompt == NULL)
    return report_unknown_prompt (prompts, server, name);

  unknown = dup_unknown (prompt, arguments);
  problem = unknown != NULL ? describe_unknown (prompt, unknown)
                            : complete_arguments (host, prompt, arguments, may_ask);
  if (g_cancellable_set_error_if_cancelled (host->cancellable, &cancelled))
    return cli_host_report (host, cancelled);
  if (problem == NULL)
    return CLI_EXIT_OK;

  command = make_command (prompt, server, arguments);
  /* Translators: a tool, what is wrong with its arguments, and a command */
  return cli_usage_error (_ ("%s: %s – for example: %s"), full_name, problem, command);
}
