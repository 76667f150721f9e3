/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-questions.h"
#include "cli-server.h"
#include "cli-style.h"
#include "cli-text.h"

/* gmcp sync: the lists of tools that are kept are read anew. */

typedef struct
{
  GmcpManagedServer *server;
  GAsyncResult *result;
} Sync;

static void
sync_free (gpointer data)
{
  Sync *sync = data;

  g_clear_object (&sync->result);
  g_object_unref (sync->server);
  g_free (sync);
}

/* Side by side: one that does not answer does not keep the others waiting. */
static GPtrArray *
begin_all (CliHost *host, GmcpManagedServer *only)
{
  GListModel *servers = G_LIST_MODEL (cli_host_get_manager (host));
  GPtrArray *syncs = g_ptr_array_new_with_free_func (sync_free);
  guint n = g_list_model_get_n_items (servers);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (servers, i);
      Sync *sync;

      if (only != NULL ? server != only
                       : !gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
        continue;
      sync = g_new0 (Sync, 1);
      sync->server = g_object_ref (server);
      g_ptr_array_add (syncs, sync);
      gmcp_managed_server_sync_tools_async (server, host->cancellable, cli_store_result,
                                            &sync->result);
    }
  return syncs;
}

static void
print_names (const char *mark, CliStyle style, const char *const *names)
{
  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_autofree char *line = g_strdup_printf ("%s %s", mark, names[i]);
      g_autofree char *plain = cli_text_plain (line, G_MAXUINT16);

      printf ("  ");
      cli_style_print (style, plain);
      fputc ('\n', stdout);
    }
}

static void
print_changes (const char *id, GmcpToolChanges *changes)
{
  guint n = gmcp_tool_changes_get_n_tools (changes);
  const char *const *added = gmcp_tool_changes_get_added (changes);
  const char *const *removed = gmcp_tool_changes_get_removed (changes);
  const char *const *changed = gmcp_tool_changes_get_changed (changes);
  gboolean same = added[0] == NULL && removed[0] == NULL && changed[0] == NULL;

  if (same)
    /* Translators: a server, and how many tools it has */
    g_print (g_dngettext (NULL, "%s: %u tool, nothing has changed\n",
                          "%s: %u tools, nothing has changed\n", n),
             id, n);
  else
    g_print (g_dngettext (NULL, "%s: %u tool\n", "%s: %u tools\n", n), id, n);
  print_names ("+", CLI_STYLE_GOOD, added);
  print_names ("−", CLI_STYLE_BAD, removed);
  print_names ("~", CLI_STYLE_WARNING, changed);
}

static JsonObject *
describe_changes (const char *id, GmcpToolChanges *changes)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "server", id);
  json_object_set_int_member (object, "tools", gmcp_tool_changes_get_n_tools (changes));
  json_object_set_member (object, "added",
                          cli_json_new_strings (gmcp_tool_changes_get_added (changes)));
  json_object_set_member (object, "removed",
                          cli_json_new_strings (gmcp_tool_changes_get_removed (changes)));
  json_object_set_member (object, "changed",
                          cli_json_new_strings (gmcp_tool_changes_get_changed (changes)));
  return object;
}

/* A server that failed is no failure where others have answered. */
static CliExit
finish_all (CliHost *host, GPtrArray *syncs)
{
  CliExit status = CLI_EXIT_OK;
  JsonArray *array = json_array_new ();
  guint n_done = 0;

  for (guint i = 0; i < syncs->len; i++)
    {
      Sync *sync = g_ptr_array_index (syncs, i);
      const char *id = gmcp_managed_server_get_id (sync->server);
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpToolChanges) changes
        = gmcp_managed_server_sync_tools_finish (sync->server, cli_wait (&sync->result), &error);

      if (changes == NULL)
        {
          status = cli_host_report (host, error);
          continue;
        }
      n_done++;
      if (host->json)
        json_array_add_object_element (array, describe_changes (id, changes));
      else
        print_changes (id, changes);
    }
  if (host->json)
    cli_json_print_array (array);
  else
    json_array_unref (array);
  return n_done > 0 ? CLI_EXIT_OK : status;
}

static CliExit
run_sync (CliHost *host, gconstpointer options, int argc, char *argv[])
{
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = NULL;
  g_autoptr (GPtrArray) syncs = NULL;
  GmcpManagedServer *server = NULL;
  CliExit status;

  if (argc > 2)
    return cli_usage_error (_ ("sync: one server at a time, or none for all"));

  status = cli_host_open (host);
  if (status == CLI_EXIT_OK && cli_host_get_manager (host) == NULL)
    status = cli_usage_error (_ ("there is no manager of servers"));
  if (status == CLI_EXIT_OK)
    status = argc == 2 ? cli_server_find (host, argv[1], &server)
                       : cli_server_load_config (host, cli_host_get_manager (host));
  if (status != CLI_EXIT_OK)
    return status;

  questions = cli_questions_new_for_start (host->providers);
  syncs = begin_all (host, server);
  if (syncs->len == 0)
    cli_host_explain_no_servers (host);
  return finish_all (host, syncs);
}

const CliCommand cli_sync_command = {
  .name = "sync",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("Read the lists of tools anew, and say what has changed"),
  .synopsis = N_ ("[SERVER]"),
  .description = N_ ("It starts the servers for that. + stands before tools that are new, − before "
                     "those that are gone, and ~\nbefore those that are described in another way."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .run = run_sync,
};
