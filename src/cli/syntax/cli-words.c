/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-words.h"

#include <glib/gi18n.h>
#include <string.h>

#include <gmcp/config/import/gmcp-config-import.h>
#include <gmcp/json/gmcp-json.h>
#include <gmcp/provider/arguments/gmcp-tool-argument.h>

#include "cli-text.h"

/* More are no help to whoever chooses among them. */
#define CANDIDATES_MAX 2000
#define RECENT_CALLS   20

/* A name of others that would do things to a terminal is not offered. */
static gboolean
is_plain (const char *value)
{
  for (const char *p = value; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar character = g_utf8_get_char (p);

      if (!g_unichar_isprint (character) || (g_unichar_isspace (character) && character != ' '))
        return FALSE;
    }
  return TRUE;
}

/* The first line of a text, visibly. */
static char *
dup_line (const char *text)
{
  g_autofree char *line = text != NULL ? g_strndup (text, strcspn (text, "\r\n")) : NULL;

  return line != NULL ? cli_text_plain (line, 200) : NULL;
}

void
cli_words_add (CliTyping *typing, const char *value, const char *text, gboolean is_partial)
{
  CliCompletion *completion = typing->completion;
  g_autofree char *whole = g_strconcat (typing->prefix, value, NULL);
  CliCandidate *candidate;

  if (!g_str_has_prefix (value, typing->typed) || !is_plain (value)
      || completion->candidates->len >= CANDIDATES_MAX
      || g_hash_table_contains (completion->values, whole))
    return;

  candidate = g_new0 (CliCandidate, 1);
  candidate->value = g_steal_pointer (&whole);
  candidate->text = dup_line (text);
  candidate->is_partial = is_partial;
  g_ptr_array_add (completion->candidates, candidate);
  g_hash_table_add (completion->values, candidate->value);
}

static gboolean
is_given (const CliTyping *typing, const char *word)
{
  return g_ptr_array_find_with_equal_func (typing->before, word, g_str_equal, NULL);
}

/* The manager with its configuration, or NULL. */
static GmcpManager *
open_manager (CliTyping *typing)
{
  CliHost *host = typing->host;
  g_autoptr (GAsyncResult) result = NULL;
  GmcpManager *manager;

  if (host->providers == NULL && cli_host_open (host) != CLI_EXIT_OK)
    return NULL;
  manager = cli_host_get_manager (host);
  if (manager == NULL)
    return NULL;

  gmcp_manager_load_config_async (manager, host->cancellable, cli_store_result, &result);
  gmcp_manager_load_config_finish (manager, cli_wait (&result), NULL);
  return manager;
}

static void
add_servers (CliTyping *typing, const char *behind)
{
  GmcpManager *manager = open_manager (typing);
  guint n = manager != NULL ? g_list_model_get_n_items (G_LIST_MODEL (manager)) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);
      const char *id = gmcp_managed_server_get_id (server);
      const char *title = gmcp_managed_server_get_title (server);
      g_autofree char *value = g_strconcat (id, behind, NULL);

      if (!is_given (typing, id))
        cli_words_add (typing, value, g_strcmp0 (title, id) != 0 ? title : NULL, *behind != '\0');
    }
}

static void
offer_servers (CliTyping *typing)
{
  add_servers (typing, "");
}

/* Prompts are known to servers alone. */
static void
offer_prompts (CliTyping *typing)
{
  add_servers (typing, ".");
}

static gboolean
recall_lists (CliTyping *typing, GmcpManager *manager)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_manager_recall_tools_async (manager, typing->host->cancellable, cli_store_result, &result);
  return gmcp_manager_recall_tools_finish (manager, cli_wait (&result), NULL);
}

static void
ignore_question (GmcpManager *manager, GmcpInputRequest *request, gpointer data)
{
}

/* What a server lists may hang on whether anybody can be asked, as on a terminal; so that is looked for first, and what
 * other runs have kept is taken for the rest. */
static GListModel *
recall_tools (CliTyping *typing)
{
  GmcpManager *manager = open_manager (typing);
  gulong asks;
  gboolean is_known;

  if (manager == NULL)
    return NULL;

  asks = g_signal_connect (manager, "input-requested", G_CALLBACK (ignore_question), NULL);
  is_known = recall_lists (typing, manager);
  g_signal_handler_disconnect (manager, asks);
  if (!is_known || !recall_lists (typing, manager))
    return NULL;
  return gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (manager));
}

static char *
dup_dotted_name (GmcpTool *tool)
{
  return g_strconcat (gmcp_tool_get_server_id (tool), ".", gmcp_tool_get_server_tool_name (tool),
                      NULL);
}

static char *
dup_listed_name (GmcpTool *tool)
{
  return g_strdup (gmcp_definition_get_name (GMCP_DEFINITION (tool)));
}

static char *
dup_bare_name (GmcpTool *tool)
{
  return g_strdup (gmcp_tool_get_server_tool_name (tool));
}

/* FALSE where none begins as what was typed. */
static gboolean
add_tools (CliTyping *typing, GListModel *tools, char *(*dup_name) (GmcpTool *tool))
{
  guint n_before = typing->completion->candidates->len;
  guint n = g_list_model_get_n_items (tools);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);
      g_autofree char *name = dup_name (tool);
      GmcpDefinition *definition = GMCP_DEFINITION (tool);
      const char *text = gmcp_definition_get_description (definition);

      cli_words_add (typing, name, text != NULL ? text : gmcp_definition_get_title (definition),
                     FALSE);
    }
  return typing->completion->candidates->len > n_before;
}

/* By the names that hosts see, or without the server, only where somebody began one. */
static void
offer_tools (CliTyping *typing)
{
  GListModel *tools = recall_tools (typing);

  if (tools == NULL || add_tools (typing, tools, dup_dotted_name)
      || add_tools (typing, tools, dup_listed_name))
    return;
  add_tools (typing, tools, dup_bare_name);
}

static void
offer_servers_and_tools (CliTyping *typing)
{
  add_servers (typing, "");
  offer_tools (typing);
}

static GmcpTool *
find_tool (CliTyping *typing, const char *name)
{
  GListModel *tools = recall_tools (typing);

  return tools != NULL ? gmcp_tool_provider_find_tool (
           GMCP_TOOL_PROVIDER (cli_host_get_manager (typing->host)), name, NULL)
                       : NULL;
}

static gboolean
is_argument_given (const CliTyping *typing, const char *name)
{
  gsize length = strlen (name);

  for (guint i = 1; i < typing->before->len; i++)
    {
      const char *word = g_ptr_array_index (typing->before, i);

      if (strncmp (word, name, length) == 0
          && (word[length] == '=' || g_str_has_prefix (word + length, ":=")))
        return TRUE;
    }
  return FALSE;
}

static void
add_choices (CliTyping *typing, const char *name, const char *const *choices)
{
  for (gsize i = 0; choices[i] != NULL; i++)
    {
      g_autofree char *value = g_strconcat (name, "=", choices[i], NULL);

      cli_words_add (typing, value, NULL, FALSE);
    }
}

static void
offer_argument_value (CliTyping *typing, GmcpToolArgument *argument)
{
  static const char *const truth[] = { "true", "false", NULL };
  const char *const *choices = gmcp_tool_argument_get_choices (argument);
  const char *name = gmcp_tool_argument_get_name (argument);

  if (choices != NULL && choices[0] != NULL)
    add_choices (typing, name, choices);
  else if (g_strcmp0 (gmcp_tool_argument_get_type_text (argument), "boolean") == 0)
    add_choices (typing, name, truth);
}

/* Arguments of the tool that is named before, and behind “=” what the one that is typed can be. */
static void
offer_tool_arguments (CliTyping *typing)
{
  const char *equals = strchr (typing->typed, '=');
  g_autoptr (GmcpTool) tool = NULL;
  g_autoptr (GPtrArray) arguments = NULL;

  if (typing->before->len == 0)
    return;
  tool = find_tool (typing, g_ptr_array_index (typing->before, 0));
  if (tool == NULL)
    return;

  typing->completion->files = equals != NULL && equals[1] == '@';
  arguments = gmcp_tool_list_arguments (tool);
  for (guint i = 0; i < arguments->len; i++)
    {
      GmcpToolArgument *argument = g_ptr_array_index (arguments, i);
      const char *name = gmcp_tool_argument_get_name (argument);
      g_autofree char *value = g_strconcat (name, "=", NULL);

      if (equals == NULL && !is_argument_given (typing, name))
        cli_words_add (typing, value, gmcp_tool_argument_get_description (argument), TRUE);
      else if (equals != NULL && g_str_has_prefix (typing->typed, value))
        offer_argument_value (typing, argument);
    }
}

static void
offer_roles (CliTyping *typing)
{
  GmcpManager *manager = open_manager (typing);
  g_autoptr (GPtrArray) roles = manager != NULL ? gmcp_manager_list_roles (manager) : NULL;

  for (guint i = 0; roles != NULL && i < roles->len; i++)
    cli_words_add (typing, gmcp_role_get_name (g_ptr_array_index (roles, i)), NULL, FALSE);
}

static void
offer_projects (CliTyping *typing)
{
  GmcpManager *manager = open_manager (typing);
  g_autoptr (GPtrArray) projects = manager != NULL ? gmcp_manager_list_projects (manager) : NULL;

  for (guint i = 0; projects != NULL && i < projects->len; i++)
    {
      GmcpProject *project = g_ptr_array_index (projects, i);

      cli_words_add (typing, gmcp_project_get_id (project), gmcp_project_get_title (project),
                     FALSE);
    }
}

/* Hosts whose requirements are configured. */
static void
offer_hosts (CliTyping *typing)
{
  GmcpManager *manager = open_manager (typing);
  g_autoptr (GPtrArray) hosts = manager != NULL ? gmcp_manager_list_requirements (manager) : NULL;

  for (guint i = 0; hosts != NULL && i < hosts->len; i++)
    cli_words_add (typing, gmcp_requirements_get_name (g_ptr_array_index (hosts, i)), NULL, FALSE);
}

static void
offer_programs (CliTyping *typing)
{
  g_auto (GStrv) programs = gmcp_config_import_list_programs ();

  for (gsize i = 0; programs[i] != NULL; i++)
    cli_words_add (typing, programs[i], NULL, FALSE);
}

/* The last calls that were written down, with what was called. */
static void
offer_calls (CliTyping *typing)
{
  GmcpManager *manager = open_manager (typing);
  GmcpAuditLog *log = manager != NULL ? gmcp_manager_get_audit_log (manager) : NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_auto (GStrv) lines = NULL;

  if (log == NULL)
    return;

  gmcp_audit_log_read_async (log, NULL, NULL, RECENT_CALLS, typing->host->cancellable,
                             cli_store_result, &result);
  lines = gmcp_audit_log_read_finish (log, cli_wait (&result), NULL);
  for (gsize i = 0; lines != NULL && lines[i] != NULL; i++)
    {
      g_autoptr (JsonNode) node = gmcp_json_parse (lines[i], -1, NULL);
      JsonObject *call
        = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      const char *id
        = call != NULL ? json_object_get_string_member_with_default (call, "id", NULL) : NULL;

      if (id != NULL)
        cli_words_add (typing, id, json_object_get_string_member_with_default (call, "tool", NULL),
                       FALSE);
    }
}

static void
offer_files (CliTyping *typing)
{
  typing->completion->files = TRUE;
}

static void
offer_folders (CliTyping *typing)
{
  typing->completion->folders = TRUE;
}

static const struct
{
  const char *word;
  void (*offer) (CliTyping *typing); /* NULL where it can be anything */
  const char *choices;               /* these, with spaces between */
} words[] = {
  { "ARGUMENT", offer_tool_arguments, NULL },
  { "COMMAND", offer_files, NULL },
  { "DIGEST", NULL, NULL },
  { "FILE", offer_files, NULL },
  { "FOLDER", offer_folders, NULL },
  { "FORMAT", offer_programs, NULL },
  { "HOST", offer_hosts, NULL },
  { "ID", offer_calls, NULL },
  { "JSON", NULL, NULL },
  { "KEY=VALUE", NULL, NULL },
  { "LEVEL", NULL, "error info warning" },
  { "MS", NULL, NULL },
  { "N", NULL, NULL },
  { "NAME", NULL, NULL },
  { "NAME: VALUE", NULL, NULL },
  { "NAME=VALUE", NULL, NULL },
  { "NUMBER", NULL, NULL },
  { "PROGRAM", offer_programs, NULL },
  { "PROJECT", offer_projects, NULL },
  { "QUERY", NULL, NULL },
  { "ROLE", offer_roles, NULL },
  { "SECONDS", NULL, NULL },
  { "SECRET", NULL, NULL },
  { "SERVER", offer_servers, NULL },
  { "SERVER.PROMPT", offer_prompts, NULL },
  { "SERVER.TOOL", offer_servers_and_tools, NULL },
  { "SHELL", NULL, "bash fish zsh" },
  { "TEMPLATE", NULL, NULL },
  { "TIME", NULL, NULL },
  { "TOOL", offer_tools, NULL },
  { "TRANSPORT", NULL, "http sse stdio" },
  { "URI", NULL, NULL },
  { "URL", NULL, NULL },
  { "VALUE", NULL, NULL },
  { "VARIABLE", NULL, NULL },
  { "WHEN", NULL, "auto lazy manual" },
};

static void
offer_choices (CliTyping *typing, const char *choices)
{
  g_auto (GStrv) values = g_strsplit (choices, " ", -1);

  for (gsize i = 0; values[i] != NULL; i++)
    cli_words_add (typing, values[i], NULL, FALSE);
}

void
cli_words_offer (const char *word, CliTyping *typing)
{
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (!g_str_equal (words[i].word, word))
        continue;
      if (words[i].choices != NULL)
        offer_choices (typing, words[i].choices);
      else if (words[i].offer != NULL)
        words[i].offer (typing);
    }
}

gboolean
cli_words_has (const char *word)
{
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (g_str_equal (words[i].word, word))
        return TRUE;
    }
  return FALSE;
}
