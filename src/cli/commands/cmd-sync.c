/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <stdio.h>

#include "cli-commands.h"
#include "cli-daemon.h"
#include "cli-json.h"
#include "cli-questions.h"
#include "cli-server.h"
#include "cli-style.h"
#include "cli-text.h"

/* gmcp sync: the lists of tools that are kept are read anew. */

typedef struct
{
  GmcpManagedServer *server;
  gboolean is_shared; /* the session daemon runs it */
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
begin_all (CliHost *host, CliDaemon *daemon, GmcpManagedServer *only)
{
  g_autoptr (JsonArray) shared = daemon != NULL ? cli_daemon_list_servers (daemon) : NULL;
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
      sync->is_shared
        = cli_daemon_find_running (shared, gmcp_managed_server_get_id (server)) != NULL;
      g_ptr_array_add (syncs, sync);
      if (!sync->is_shared)
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

/* What has become of a server's tools, wherever it runs. */
typedef struct
{
  const char *id;
  guint n_tools;
  const char *const *added;
  const char *const *removed;
  const char *const *changed;
} Changes;

static void
print_changes (const Changes *changes)
{
  guint n = changes->n_tools;

  if (changes->added[0] == NULL && changes->removed[0] == NULL && changes->changed[0] == NULL)
    /* Translators: a server, and how many tools it has */
    g_print (g_dngettext (NULL, "%s: %u tool, nothing has changed\n",
                          "%s: %u tools, nothing has changed\n", n),
             changes->id, n);
  else
    g_print (g_dngettext (NULL, "%s: %u tool\n", "%s: %u tools\n", n), changes->id, n);
  print_names ("+", CLI_STYLE_GOOD, changes->added);
  print_names ("−", CLI_STYLE_BAD, changes->removed);
  print_names ("~", CLI_STYLE_WARNING, changes->changed);
}

static JsonObject *
describe_changes (const Changes *changes)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "server", changes->id);
  json_object_set_int_member (object, "tools", changes->n_tools);
  json_object_set_member (object, "added", cli_json_new_strings (changes->added));
  json_object_set_member (object, "removed", cli_json_new_strings (changes->removed));
  json_object_set_member (object, "changed", cli_json_new_strings (changes->changed));
  return object;
}

static void
report_changes (CliHost *host, JsonArray *array, const Changes *changes)
{
  if (host->json)
    json_array_add_object_element (array, describe_changes (changes));
  else
    print_changes (changes);
}

/* One that the session daemon runs, which asks it. */
static CliExit
sync_shared (CliHost *host, CliDaemon *daemon, const char *id, JsonArray *array)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = cli_daemon_find_server (daemon, id, &error);
  g_autoptr (GVariant) reply = NULL;
  g_autofree const char **added = NULL;
  g_autofree const char **removed = NULL;
  g_autofree const char **changed = NULL;
  Changes changes = { .id = id };

  if (path != NULL)
    reply
      = cli_daemon_call (daemon, path, CLI_DAEMON_SERVER, "SyncTools", NULL, "(uasasas)", &error);
  if (reply == NULL)
    return cli_host_report (host, error);

  g_variant_get (reply, "(u^a&s^a&s^a&s)", &changes.n_tools, &added, &removed, &changed);
  changes.added = added;
  changes.removed = removed;
  changes.changed = changed;
  report_changes (host, array, &changes);
  return CLI_EXIT_OK;
}

static CliExit
finish_one (CliHost *host, Sync *sync, JsonArray *array)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolChanges) changes
    = gmcp_managed_server_sync_tools_finish (sync->server, cli_wait (&sync->result), &error);

  if (changes == NULL)
    return cli_host_report (host, error);
  report_changes (
    host, array,
    &(Changes){ gmcp_managed_server_get_id (sync->server), gmcp_tool_changes_get_n_tools (changes),
                gmcp_tool_changes_get_added (changes), gmcp_tool_changes_get_removed (changes),
                gmcp_tool_changes_get_changed (changes) });
  return CLI_EXIT_OK;
}

/* A server that failed is no failure where others have answered. */
static CliExit
finish_all (CliHost *host, CliDaemon *daemon, GPtrArray *syncs)
{
  CliExit status = CLI_EXIT_OK;
  JsonArray *array = json_array_new ();
  guint n_done = 0;

  for (guint i = 0; i < syncs->len; i++)
    {
      Sync *sync = g_ptr_array_index (syncs, i);
      const char *id = gmcp_managed_server_get_id (sync->server);
      CliExit own
        = sync->is_shared ? sync_shared (host, daemon, id, array) : finish_one (host, sync, array);

      if (own == CLI_EXIT_OK)
        n_done++;
      else
        status = own;
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
  g_autoptr (CliDaemon) daemon = NULL;
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
  daemon = cli_daemon_bring_up (host);
  syncs = begin_all (host, daemon, server);
  if (syncs->len == 0)
    cli_host_explain_no_servers (host);
  return finish_all (host, daemon, syncs);
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
