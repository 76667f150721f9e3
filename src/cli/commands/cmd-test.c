/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-questions.h"
#include "cli-server.h"

/* gmcp test: one server is started or connected to, asked what it has, and left again. */

typedef struct
{
  guint n_tools;
  guint n_prompts;
  guint n_resources;
  gint64 duration_ms;
} Found;

typedef void (*ListFunc) (GmcpClient *client,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer data);
typedef GListModel *(*ListFinishFunc) (GmcpClient *client, GAsyncResult *result, GError **error);

/* What a server does not have is none. */
static gboolean
count_items (CliHost *host,
             GmcpClient *client,
             const char *capability,
             ListFunc list,
             ListFinishFunc finish,
             guint *n_items,
             GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GListModel) items = NULL;

  *n_items = 0;
  if (!gmcp_capabilities_has (gmcp_client_get_server_capabilities (client), capability))
    return TRUE;

  list (client, host->cancellable, cli_store_result, &result);
  items = finish (client, cli_wait (&result), error);
  if (items == NULL)
    return FALSE;
  *n_items = g_list_model_get_n_items (items);
  return TRUE;
}

static gboolean
ask_server (CliHost *host, GmcpManagedServer *server, Found *found, GError **error)
{
  GmcpClient *client = gmcp_managed_server_get_client (server);

  if (client == NULL)
    {
      const GError *last = gmcp_managed_server_get_last_error (server);

      if (last != NULL)
        g_propagate_error (error, g_error_copy (last));
      else
        g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                     _ ("it ended as soon as it was started"));
      return FALSE;
    }
  return count_items (host, client, "tools", gmcp_client_list_tools_async,
                      gmcp_client_list_tools_finish, &found->n_tools, error)
         && count_items (host, client, "prompts", gmcp_client_list_prompts_async,
                         gmcp_client_list_prompts_finish, &found->n_prompts, error)
         && count_items (host, client, "resources", gmcp_client_list_resources_async,
                         gmcp_client_list_resources_finish, &found->n_resources, error);
}

static gboolean
try_server (CliHost *host, GmcpManagedServer *server, Found *found, GError **error)
{
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new_for_start (host->providers);
  g_autoptr (GAsyncResult) started = NULL;
  gint64 since_us = g_get_monotonic_time ();

  gmcp_managed_server_start_async (server, host->cancellable, cli_store_result, &started);
  if (!gmcp_managed_server_start_finish (server, cli_wait (&started), error)
      || !ask_server (host, server, found, error))
    return FALSE;

  found->duration_ms = (g_get_monotonic_time () - since_us) / 1000;
  return TRUE;
}

static void
print_found (const char *id, const Found *found)
{
  g_autoptr (GString) line = g_string_new (NULL);

  g_string_append_printf (
    line, g_dngettext (NULL, "%s works: %u tool", "%s works: %u tools", found->n_tools), id,
    found->n_tools);
  if (found->n_prompts > 0)
    g_string_append_printf (
      line, g_dngettext (NULL, ", %u prompt", ", %u prompts", found->n_prompts), found->n_prompts);
  if (found->n_resources > 0)
    g_string_append_printf (
      line, g_dngettext (NULL, ", %u resource", ", %u resources", found->n_resources),
      found->n_resources);
  g_print ("%s (%" G_GINT64_FORMAT " ms)\n", line->str, found->duration_ms);
}

static void
print_json (const char *id, const Found *found, const GError *error)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = NULL;

  json_object_set_string_member (object, "server", id);
  json_object_set_boolean_member (object, "works", error == NULL);
  if (error != NULL)
    json_object_set_string_member (object, "error", error->message);
  else
    {
      json_object_set_int_member (object, "tools", found->n_tools);
      json_object_set_int_member (object, "prompts", found->n_prompts);
      json_object_set_int_member (object, "resources", found->n_resources);
      json_object_set_int_member (object, "durationMs", found->duration_ms);
    }
  node = json_node_init_object (json_node_alloc (), object);
  cli_json_print_node (node);
}

/* Whatever keeps a server from working, it cannot be reached; but for a sign-in and the end of the time. */
static CliExit
get_status (CliExit reported)
{
  return reported == CLI_EXIT_TIMED_OUT || reported == CLI_EXIT_NOT_PERMITTED
           ? reported
           : CLI_EXIT_UNREACHABLE;
}

static CliExit
report_failure (CliHost *host, const char *id, const GError *error)
{
  CliExit status = get_status (cli_host_report (host, error));

  if (!g_cancellable_is_cancelled (host->cancellable))
    {
      g_autofree char *words = cli_server_dup_words (host, id);

      /* Translators: the id of a server, and what follows “gmcp doctor” */
      g_printerr (_ ("%s does not work; “gmcp doctor %s” shows where it fails.\n"), id, words);
    }
  return status;
}

static CliExit
run_test (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  GmcpManagedServer *found_server = NULL;
  g_autoptr (GmcpManagedServer) server = NULL;
  g_autoptr (GError) error = NULL;
  Found found = { 0 };
  CliExit status;

  if (argc != 2)
    return cli_server_report_missing (host, argv[0]);

  status = cli_host_open (host);
  if (status == CLI_EXIT_OK)
    status = cli_server_find (host, argv[1], &found_server);
  if (status != CLI_EXIT_OK)
    return status;

  /* The configuration may change while it runs. */
  server = g_object_ref (found_server);
  if (!try_server (host, server, &found, &error))
    status = report_failure (host, argv[1], error);
  if (host->json)
    print_json (argv[1], &found, error);
  else if (error == NULL)
    print_found (argv[1], &found);
  return status;
}

const CliCommand cli_test_command = {
  .name = "test",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("See whether a server works"),
  .synopsis = N_ ("SERVER"),
  .description = N_ ("The server is started or connected to, asked what it has, and left again."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .run = run_test,
};
