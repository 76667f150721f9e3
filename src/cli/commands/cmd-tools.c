/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-questions.h"
#include "cli-requirements.h"
#include "cli-server.h"
#include "cli-status-line.h"
#include "cli-style.h"
#include "cli-suggest.h"
#include "cli-tool-lines.h"
#include "cli-tool-list.h"
#include "cli-tool-name.h"
#include "cli-tool-page.h"
#include "cli-unlisted.h"

/* A list that is printed as it comes: on a terminal each server's as soon as it is there, elsewhere all at once and in
 * the order of the configuration. */
typedef struct
{
  CliHost *host;
  const char *server;  /* NULL for all */
  GHashTable *printed; /* servers that were; NULL where nothing is printed before the end */
  guint n_printed;     /* tools */
  CliSharedTools shared;
} Listing;

static const char *
get_key (GmcpTool *tool)
{
  const char *id = cli_tool_get_server (tool);

  return id != NULL ? id : "";
}

static void
print_group (Listing *self, GPtrArray *tools, const char *key)
{
  g_autoptr (GPtrArray) group = g_ptr_array_new ();

  for (guint i = 0; i < tools->len; i++)
    if (g_str_equal (get_key (tools->pdata[i]), key))
      g_ptr_array_add (group, tools->pdata[i]);
  cli_status_line_clear ();
  if (self->n_printed > 0)
    fputc ('\n', stdout);
  cli_tool_lines_print_group (*key != '\0' ? key : NULL, group);
  fflush (stdout);
  self->n_printed += group->len;
}

/* Those of servers that have not been printed yet. */
static void
print_groups (Listing *self)
{
  g_autoptr (GPtrArray) tools = cli_tools_collect (self->host, &self->shared, self->server);

  for (guint i = 0; i < tools->len; i++)
    {
      const char *key = get_key (tools->pdata[i]);

      if (g_hash_table_add (self->printed, g_strdup (key)))
        print_group (self, tools, key);
    }
}

static void
on_items_changed (GListModel *model, guint position, guint removed, guint added, gpointer data)
{
  /* Behind a question nobody would look for them; they are printed with the rest. */
  if (added > 0 && !cli_status_line_is_held ())
    print_groups (data);
}

static void
listing_clear (Listing *self)
{
  for (guint i = 0; self->printed != NULL && i < self->host->providers->len; i++)
    g_signal_handlers_disconnect_by_data (
      gmcp_tool_provider_get_tools (g_ptr_array_index (self->host->providers, i)), self);
  g_clear_pointer (&self->printed, g_hash_table_unref);
  cli_shared_tools_clear (&self->shared);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Listing, listing_clear)

static void
listing_init (Listing *self, CliHost *host, const char *server)
{
  self->host = host;
  self->server = server;
  if (host->json || !isatty (STDOUT_FILENO))
    return;

  self->printed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < host->providers->len; i++)
    g_signal_connect (gmcp_tool_provider_get_tools (g_ptr_array_index (host->providers, i)),
                      "items-changed", G_CALLBACK (on_items_changed), self);
}

static void
print_json (GPtrArray *tools)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < tools->len; i++)
    json_array_add_element (array, cli_tool_describe (tools->pdata[i]));
  cli_json_print_array (array);
}

/* Gives how many there are. */
static guint
print_rest (Listing *self)
{
  g_autoptr (GPtrArray) tools = cli_tools_collect (self->host, &self->shared, self->server);

  if (self->host->json)
    print_json (tools);
  else if (self->printed == NULL)
    cli_tool_lines_print_plain (tools);
  else
    {
      print_groups (self);
      if (self->n_printed > 0)
        {
          fputc ('\n', stdout);
          cli_style_print (CLI_STYLE_DIM, _ ("“gmcp tools SERVER.TOOL” says what a tool takes."));
          fputc ('\n', stdout);
        }
    }
  return tools->len;
}

static CliExit
list_tools (CliHost *host, const char *server)
{
  /* Servers offer what they offer to “gmcp call”. */
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new (host->providers);
  g_auto (Listing) listing = { 0 };
  guint n_unlisted, n_listed = 0, n_tools;
  CliExit status = CLI_EXIT_OK;

  listing_init (&listing, host, server);
  cli_shared_tools_load (&listing.shared, host, server);
  /* Where the session daemon runs the server, it is not started once more. */
  if (server == NULL)
    status = cli_tools_load (host);
  else if (!cli_shared_tools_has_server (&listing.shared, server))
    g_ptr_array_unref (cli_server_start (host, server, &status));
  /* What is known when the time is over is listed all the same. */
  if (status != CLI_EXIT_OK && (server != NULL || !host->timed_out))
    return status;

  n_tools = print_rest (&listing);
  if (server != NULL && n_tools == 0 && !host->json)
    /* Translators: the name of a server */
    g_printerr (_ ("gmcp: %s has no tools that may be called\n"), server);
  if (server != NULL)
    return CLI_EXIT_OK;
  if (n_tools == 0 && !host->json)
    cli_host_explain_no_servers (host);
  /* A server that failed is no failure where others have answered. */
  n_unlisted = cli_unlisted_report (host, listing.shared.servers, &n_listed);
  if (status != CLI_EXIT_OK)
    return status;
  if (n_tools > 0 || n_listed > 0)
    return CLI_EXIT_OK;
  if (n_unlisted > 0)
    return CLI_EXIT_UNREACHABLE;
  return host->config_is_broken ? CLI_EXIT_USAGE : CLI_EXIT_OK;
}

/* SERVER.TOOL, or SERVER__TOOL as hosts see it; a server's id has neither. */
static gboolean
names_tool (const char *word)
{
  return strchr (word, '.') != NULL || strstr (word, "__") != NULL;
}

/* An id that has a dot is a server's all the same. */
static gboolean
is_server (CliHost *host, const char *word)
{
  GmcpManager *manager = cli_host_get_manager (host);

  return manager != NULL && cli_server_load_config (host, manager) == CLI_EXIT_OK
         && gmcp_manager_get_server (manager, word) != NULL;
}

static gboolean
is_near_server (GmcpManager *manager, const char *word)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_with_free_func (g_free);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (manager));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);

      g_ptr_array_add (ids, g_strdup (gmcp_managed_server_get_id (server)));
    }
  g_ptr_array_add (ids, NULL);
  return cli_suggest_find (word, (const char *const *) ids->pdata) != NULL;
}

/* A tool may be named without its server, as for a call; it is looked for in the lists that are kept. A word that is
 * nearly a server is none. */
static gboolean
is_tool (CliHost *host, const char *word)
{
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new (host->providers);
  GmcpManager *manager = cli_host_get_manager (host);
  g_autoptr (GAsyncResult) recalled = NULL;
  g_autoptr (GmcpTool) tool = NULL;

  if (manager == NULL || is_near_server (manager, word))
    return FALSE;

  gmcp_manager_recall_tools_async (manager, host->cancellable, cli_store_result, &recalled);
  if (gmcp_manager_recall_tools_finish (manager, cli_wait (&recalled), NULL))
    tool = gmcp_tool_provider_find_tool (GMCP_TOOL_PROVIDER (manager), word, NULL);
  return tool != NULL;
}

static CliExit
report_words (CliHost *host, int argc, char *argv[])
{
  g_autofree char *joined = NULL;

  if (argc == 3 && cli_host_open (host) == CLI_EXIT_OK)
    joined = cli_server_dup_joined (host, argv[1], argv[2]);
  if (joined != NULL)
    return cli_usage_error (_ ("tools: a server and its tool are one word: gmcp tools %s"), joined);
  return cli_usage_error (_ ("tools: too many arguments; one server or tool, or none for all"));
}

static CliExit
run_tools (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  const char *word = argc == 2 ? argv[1] : NULL;
  CliExit status;

  if (argc > 2)
    return report_words (host, argc, argv);

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  cli_requirements_warn (host);
  if (word != NULL && !is_server (host, word) && (names_tool (word) || is_tool (host, word)))
    return cli_tool_show (host, word);
  return list_tools (host, word);
}

const CliCommand cli_tools_command = {
  .name = "tools",
  .group = CLI_COMMAND_GROUP_FIRST,
  .summary = N_ ("List the tools of all servers, or of one; say all about a tool"),
  .synopsis = N_ ("[SERVER.TOOL] | [SERVER]"),
  .description
  = N_ ("Where no terminal is, each tool is one line: SERVER.TOOL, what it takes, whether it\n"
        "changes things, and what it is for, with tabs between."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .run = run_tools,
};
