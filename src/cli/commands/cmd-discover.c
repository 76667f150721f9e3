/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli-commands.h"
#include "cli-daemon.h"
#include "cli-failure.h"
#include "cli-json.h"
#include "cli-questions.h"
#include "cli-server.h"
#include "cli-text.h"

/* gmcp discover: the tools that a server has now, as itself says. One that the session daemon runs is asked there. A
 * program is not started for that; what has an
 * address runs elsewhere, and to connect to it starts nothing. */

static gboolean
reach_server (CliHost *host, GmcpManagedServer *server, GError **error)
{
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = NULL;
  g_autoptr (GAsyncResult) started = NULL;

  if (gmcp_managed_server_get_client (server) != NULL)
    return TRUE;
  if (gmcp_server_config_get_url (gmcp_managed_server_get_config (server)) == NULL)
    return FALSE;

  questions = cli_questions_new_for_start (host->providers);
  gmcp_managed_server_start_async (server, host->cancellable, cli_store_result, &started);
  return gmcp_managed_server_start_finish (server, cli_wait (&started), error);
}

/* A line that needs no name of the program before it; for a program it belongs to the error. */
static void G_GNUC_PRINTF (2, 3) tell_line (CliHost *host, const char *format, ...)
{
  g_autofree char *line = NULL;
  va_list args;

  va_start (args, format);
  line = g_strdup_vprintf (format, args);
  va_end (args);
  if (host->json)
    cli_failure_tell (g_strchomp (line));
  else
    g_printerr ("%s", line);
}

/* What starts it depends on where it runs and on who may start it. */
static CliExit
report_not_running (CliHost *host, GmcpManagedServer *server, const GError *error)
{
  const char *id = gmcp_managed_server_get_id (server);
  const char *url = gmcp_server_config_get_url (gmcp_managed_server_get_config (server));
  g_autofree char *words = cli_server_dup_words (host, id);
  CliExit status = error != NULL ? cli_host_report (host, error) : CLI_EXIT_UNREACHABLE;

  if (status == CLI_EXIT_TIMED_OUT || status == CLI_EXIT_NOT_PERMITTED)
    return status;

  tell_line (host, _ ("Server %s not running\n"), id);
  if (!gmcp_server_config_is_enabled (gmcp_managed_server_get_config (server)))
    tell_line (host, _ ("It is disabled; “gmcp enable %s” switches it on.\n"), words);
  else if (url != NULL)
    tell_line (host, _ ("It runs elsewhere, and has to be started there: %s\n"), url);
  else if (gmcp_managed_server_get_start (server) == GMCP_SERVER_START_MANUAL)
    tell_line (host, _ ("It is started by hand: gmcp start --foreground %s\n"), words);
  else
    tell_line (
      host,
      _ ("A program that calls one of its tools starts it; “gmcp tools %s” starts it and lists "
         "them.\n"),
      words);
  return CLI_EXIT_UNREACHABLE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list_names (GListModel *tools)
{
  guint n = g_list_model_get_n_items (tools);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      g_ptr_array_add (names, g_strdup (gmcp_tool_get_server_tool_name (tool)));
    }
  g_ptr_array_sort (names, compare_names);
  return names;
}

static void
print_names (const char *id, GPtrArray *names)
{
  /* Translators: a number, and the id of a server */
  g_print (
    g_dngettext (NULL, "%u tool discovered from %s\n", "%u tools discovered from %s\n", names->len),
    names->len, id);
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *name = cli_text_plain (g_ptr_array_index (names, i), G_MAXUINT / 2);

      g_print ("%s\n", name);
    }
}

static void
print_json (const char *id, GPtrArray *names)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = NULL;
  JsonArray *tools = json_array_new ();

  for (guint i = 0; i < names->len; i++)
    json_array_add_string_element (tools, g_ptr_array_index (names, i));
  json_object_set_string_member (object, "server", id);
  json_object_set_array_member (object, "tools", tools);
  node = json_node_init_object (json_node_alloc (), object);
  cli_json_print_node (node);
}

/* The names of its tools as the session daemon gives them, where that runs the server, or is about to; else NULL. */
static GPtrArray *
discover_shared (CliHost *host, const char *id, GError **error)
{
  g_autoptr (CliDaemon) daemon = cli_daemon_bring_up (host);
  g_autoptr (JsonArray) servers = daemon != NULL ? cli_daemon_list_servers (daemon) : NULL;
  g_autofree char *path = NULL;
  g_autoptr (GVariant) started = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autofree const char **found = NULL;
  GPtrArray *names;
  gboolean is_ready;

  if (cli_daemon_find_up (servers, id) == NULL)
    return NULL;

  path = cli_daemon_find_server (daemon, id, error);
  if (path == NULL)
    return NULL;
  /* What starts already is waited for. */
  is_ready = cli_daemon_find_running (servers, id) != NULL;
  if (!is_ready)
    started = cli_daemon_call (daemon, path, CLI_DAEMON_SERVER, "Start", NULL, "(u)", error);
  if (is_ready || started != NULL)
    reply = cli_daemon_call (daemon, path, CLI_DAEMON_SERVER, "DiscoverTools", NULL, "(as)", error);
  if (reply == NULL)
    return NULL;

  g_variant_get (reply, "(^a&s)", &found);
  names = g_ptr_array_new_with_free_func (g_free);
  for (gsize i = 0; found[i] != NULL; i++)
    g_ptr_array_add (names, g_strdup (found[i]));
  g_ptr_array_sort (names, compare_names);
  return names;
}

static void
print_discovered (CliHost *host, const char *id, GPtrArray *names)
{
  if (host->json)
    print_json (id, names);
  else
    print_names (id, names);
}

static CliExit
discover_tools (CliHost *host, GmcpManagedServer *server)
{
  const char *id = gmcp_managed_server_get_id (server);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GPtrArray) names = NULL;
  g_autoptr (GError) error = NULL;

  if (!reach_server (host, server, &error))
    return report_not_running (host, server, error);

  gmcp_managed_server_discover_tools_async (server, host->cancellable, cli_store_result, &result);
  tools = gmcp_managed_server_discover_tools_finish (server, cli_wait (&result), &error);
  if (tools == NULL)
    return cli_host_report (host, error);

  names = list_names (tools);
  print_discovered (host, id, names);
  return CLI_EXIT_OK;
}

static CliExit
run_discover (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  g_autoptr (GmcpManagedServer) server = NULL;
  GmcpManagedServer *found = NULL;
  g_autoptr (GPtrArray) shared = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status;

  if (argc != 2)
    return cli_server_report_missing (host, argv[0]);

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  shared = discover_shared (host, argv[1], &error);
  if (error != NULL)
    return cli_host_report (host, error);
  if (shared != NULL)
    {
      print_discovered (host, argv[1], shared);
      return CLI_EXIT_OK;
    }

  status = cli_server_find (host, argv[1], &found);
  if (status != CLI_EXIT_OK)
    return status;

  /* The configuration may change while it is asked. */
  server = g_object_ref (found);
  return discover_tools (host, server);
}

const CliCommand cli_discover_command = {
  .name = "discover",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("List the tools of a server that runs"),
  .synopsis = N_ ("SERVER"),
  .description
  = N_ ("The server is asked anew. It is not started for that: a program that does not run is said "
        "to be\nso, and how it is started; one that has an address is connected to. The session "
        "daemon gmcpd is\nstarted where a session bus can do that, and starts what is to run from "
        "the beginning."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .run = run_discover,
};
