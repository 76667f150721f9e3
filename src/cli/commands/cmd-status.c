/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <gmcp/json/gmcp-json.h>
#include <stdio.h>
#include <string.h>

#include "cli-commands.h"
#include "cli-daemon.h"
#include "cli-json.h"
#include "cli-questions.h"
#include "cli-server.h"
#include "cli-source.h"
#include "cli-state.h"
#include "cli-style.h"
#include "cli-table.h"
#include "cli-text.h"

typedef struct
{
  gboolean check;
} Options;

/* gmcp status: how all servers are, from what is known without asking them, from the session daemon, or after asking all
 * at once. */

/* How long an answer may take until the others are shown without it. */
#define PATIENCE_MS 5000

static const char *
get_transport (GmcpManagedServer *server)
{
  GmcpServerConfig *config = gmcp_managed_server_get_config (server);

  switch (gmcp_server_config_get_transport (config))
    {
    case GMCP_SERVER_TRANSPORT_STDIO:
      return "stdio";
    case GMCP_SERVER_TRANSPORT_HTTP:
      return "http";
    case GMCP_SERVER_TRANSPORT_SSE:
      return "sse";
    case GMCP_SERVER_TRANSPORT_AUTO:
    default:
      return gmcp_server_config_get_url (config) != NULL ? "http" : "stdio";
    }
}

static char *
dup_source (GmcpManager *manager, GmcpManagedServer *server)
{
  GmcpConfigSource *source = cli_source_find (manager, gmcp_managed_server_get_id (server));

  return source != NULL ? cli_source_describe (source) : NULL;
}

static GmcpServerState
read_state (JsonObject *server)
{
  g_autoptr (GEnumClass) states = g_type_class_ref (GMCP_TYPE_SERVER_STATE);
  GEnumValue *value
    = g_enum_get_value_by_nick (states, json_object_get_string_member (server, "fine_state"));

  return value != NULL ? (GmcpServerState) value->value : GMCP_SERVER_STATE_STOPPED;
}

/* One that the session daemon runs; where it comes from is known of those that are configured here, too. */
static void
add_shared_row (CliTable *table, JsonObject *server, const char *transport, const char *place)
{
  GmcpServerState state = read_state (server);
  gboolean is_manual = g_strcmp0 (json_object_get_string_member (server, "start"), "manual") == 0;
  g_autofree char *tools
    = g_strdup_printf ("%" G_GINT64_FORMAT, json_object_get_int_member (server, "tools_count"));
  const char *cells[] = {
    json_object_get_string_member (server, "name"),
    cli_state_get_word_of (state, is_manual),
    cli_state_get_health_of (state),
    tools,
    transport,
    place,
  };

  cli_table_add_cells (table, cells);
  cli_table_set_style (table, 1, cli_state_get_style_of (state));
}

static char *
dup_way (GmcpManagedServer *server)
{
  const char *transport = get_transport (server);

  return gmcp_managed_server_is_shared (server)
           /* Translators: how a server is reached whose process other programs use, too */
           ? g_strdup_printf (_ ("%s, shared"), transport)
           : g_strdup (transport);
}

static void
add_row (CliTable *table, GmcpManager *manager, GmcpManagedServer *server)
{
  g_autofree char *health = cli_state_describe_health (server);
  g_autofree char *tools = cli_state_dup_tools (server);
  g_autofree char *source = dup_source (manager, server);
  g_autofree char *place = cli_source_shorten_place (source);
  g_autofree char *way = dup_way (server);
  const char *cells[] = {
    gmcp_managed_server_get_id (server),
    cli_state_get_word (server),
    health,
    tools != NULL ? tools : "–",
    way,
    place,
  };

  cli_table_add_cells (table, cells);
  cli_table_set_style (table, 1, cli_state_get_style (server));
}

/* How a server is that is configured here: as the daemon says, where that runs it. */
static void
add_configured_row (CliTable *table,
                    GmcpManager *manager,
                    GmcpManagedServer *server,
                    JsonArray *shared)
{
  JsonObject *running = cli_daemon_find_up (shared, gmcp_managed_server_get_id (server));
  g_autofree char *source = NULL;
  g_autofree char *place = NULL;

  if (running == NULL)
    {
      add_row (table, manager, server);
      return;
    }
  source = dup_source (manager, server);
  place = cli_source_shorten_place (source);
  add_shared_row (table, running, get_transport (server), place);
}

/* A server that only the daemon has: another program has added it, or it is of the daemon's own file. */
static gboolean
is_foreign (GmcpManager *manager, JsonObject *server)
{
  return gmcp_manager_get_server (manager, json_object_get_string_member (server, "name")) == NULL
         && cli_daemon_is_up (server);
}

static void
print_table (GmcpManager *manager, JsonArray *shared)
{
  g_autoptr (CliTable) table = cli_table_new_with_titles (
    _ ("Server"), _ ("State"), _ ("Health"), _ ("Tools"), _ ("Transport"), _ ("Source"), NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (manager));
  guint n_rows = n;

  cli_table_cut_last_first (table);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);

      add_configured_row (table, manager, server, shared);
    }
  for (guint i = 0; shared != NULL && i < json_array_get_length (shared); i++)
    {
      JsonObject *server = json_array_get_object_element (shared, i);

      if (!is_foreign (manager, server))
        continue;
      add_shared_row (table, server, "–", "gmcpd");
      n_rows++;
    }
  if (n_rows == 0)
    return;
  cli_style_print (CLI_STYLE_BOLD, _ ("MCP Server Status"));
  fputs ("\n\n", stdout);
  cli_table_print (table);
}

/* A message that does not name its server follows the name. */
static char *
dup_problem_line (GmcpManagedServer *server)
{
  const char *id = gmcp_managed_server_get_id (server);
  g_autofree char *problem = cli_state_dup_problem (server);
  g_autofree char *prefix = g_strconcat (id, ":", NULL);
  g_autofree char *quoted = g_strdup_printf ("“%s”", gmcp_managed_server_get_title (server));
  g_autofree char *line = NULL;

  if (problem == NULL)
    return NULL;

  line = cli_text_plain (problem, G_MAXUINT / 2);
  return g_str_has_prefix (line, prefix) || strstr (line, quoted) != NULL
           ? g_steal_pointer (&line)
           : g_strconcat (prefix, " ", line, NULL);
}

/* What is wrong with each that is not well, and the command that would help. */
static void
print_help (CliHost *host, GmcpManager *manager, JsonArray *shared)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (manager));
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);
      g_autofree char *problem = dup_problem_line (server);
      g_autofree char *help = cli_state_dup_help (host, server);

      if ((help == NULL && problem == NULL)
          || cli_daemon_find_up (shared, gmcp_managed_server_get_id (server)) != NULL)
        continue;
      if (!any)
        fputs ("\n", stdout);
      any = TRUE;
      if (problem != NULL)
        g_print ("%s\n", problem);
      if (help != NULL && problem != NULL)
        /* Translators: a command for a shell */
        g_print (_ ("  What helps: %s\n"), help);
      else if (help != NULL)
        /* Translators: a server, its state, and a command for a shell */
        g_print (_ ("%s: %s. What helps: %s\n"), gmcp_managed_server_get_id (server),
                 cli_state_get_word (server), help);
    }
}

static gboolean
is_shared_by_wish (GmcpManager *manager, GmcpManagedServer *server)
{
  GmcpShare share = gmcp_server_config_get_share (gmcp_managed_server_get_config (server));

  return (share == GMCP_SHARE_AUTO ? gmcp_manager_get_share (manager) : share) == GMCP_SHARE_YES;
}

/* What a server of a revision before 2026-07-28 cannot do whose process others use, too: this command, or whoever
 * connects to the daemon. That alone knows what the server speaks. */
static void
print_legacy (const char *id, JsonObject *running)
{
  const char *version
    = json_object_get_string_member_with_default (running, "protocol_version", NULL);

  if (version != NULL && strcmp (version, "2026-07-28") >= 0)
    return;
  if (version != NULL)
    /* Translators: a server, and the revision of the protocol that it speaks, as in “2025-11-25” */
    g_print (_ ("\n%s is shared with other programs, and speaks %s: it is told of no elicitation, "
                "sampling or roots. A program that needs them gets a process of its own\n"),
             id, version);
  else
    /* Translators: a server */
    g_print (_ ("\n%s is shared with other programs: if it speaks a revision before 2026-07-28, "
                "it is told of no elicitation, sampling or roots\n"),
             id);
}

/* What follows for each server from being shared, or why it is not. */
static void
print_sharing (GmcpManager *manager, JsonArray *shared)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (manager));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);
      const char *id = gmcp_managed_server_get_id (server);
      const char *reason = gmcp_managed_server_get_unshared_reason (server);
      JsonObject *running = cli_daemon_find_up (shared, id);

      if (running != NULL && is_shared_by_wish (manager, server))
        print_legacy (id, running);
      if (reason != NULL)
        {
          fputs ("\n", stdout);
          /* Translators: a server, and why another process cannot be used */
          g_print (_ ("Server “%s” has a process of its own, as that of gmcpd cannot be used: %s"),
                   id, reason);
          fputs ("\n", stdout);
        }
    }
}

/* With what only the configuration says, where it is configured here. */
static JsonNode *
describe_server (CliHost *host, GmcpManager *manager, JsonObject *server, gboolean is_shared)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), server);
  g_autoptr (JsonNode) described = cli_json_rename_members (node);
  JsonObject *object = json_node_get_object (described);
  GmcpManagedServer *configured
    = gmcp_manager_get_server (manager, json_object_get_string_member (object, "name"));
  g_autofree char *source = configured != NULL ? dup_source (manager, configured) : NULL;
  g_autofree char *help
    = configured != NULL && !is_shared ? cli_state_dup_help (host, configured) : NULL;

  if (configured != NULL)
    json_object_set_string_member (object, "transport", get_transport (configured));
  json_object_set_string_member (object, "source", source);
  json_object_set_string_member (object, "help", help);
  json_object_set_boolean_member (object, "inDaemon", is_shared);
  return g_steal_pointer (&described);
}

/* Those that are configured here, then those that only the daemon has. */
static JsonArray *
describe_servers (CliHost *host, GmcpManager *manager, JsonArray *servers, JsonArray *shared)
{
  JsonArray *described = json_array_new ();

  for (guint i = 0; i < json_array_get_length (servers); i++)
    {
      JsonObject *server = json_array_get_object_element (servers, i);
      JsonObject *running
        = cli_daemon_find_up (shared, json_object_get_string_member (server, "name"));

      json_array_add_element (
        described,
        describe_server (host, manager, running != NULL ? running : server, running != NULL));
    }
  for (guint i = 0; shared != NULL && i < json_array_get_length (shared); i++)
    {
      JsonObject *server = json_array_get_object_element (shared, i);

      if (is_foreign (manager, server))
        json_array_add_element (described, describe_server (host, manager, server, TRUE));
    }
  return described;
}

static gint64
count_servers (JsonArray *servers, const char *member, const char *value)
{
  gint64 n = 0;

  for (guint i = 0; i < json_array_get_length (servers); i++)
    n += g_strcmp0 (
           json_object_get_string_member (json_array_get_object_element (servers, i), member),
           value)
         == 0;
  return n;
}

/* The members are named as in MCP. */
static void
print_json (CliHost *host, GmcpManager *manager, JsonArray *shared)
{
  g_autofree char *text = gmcp_manager_dup_status_json (manager);
  g_autoptr (JsonNode) status = gmcp_json_parse (text, -1, NULL);
  g_autoptr (JsonNode) renamed = cli_json_rename_members (status);
  JsonObject *object = json_node_get_object (renamed);
  JsonArray *described = describe_servers (
    host, manager, json_object_get_array_member (json_node_get_object (status), "servers"), shared);

  json_object_set_int_member (object, "totalRunning",
                              count_servers (described, "state", "running"));
  json_object_set_int_member (object, "totalHealthy",
                              count_servers (described, "health", "healthy"));
  json_object_set_array_member (object, "servers", described);
  cli_json_print_node (renamed);
}

/* As the library has it, for scripts that know the command by its former name. */
static void
print_former_json (GmcpManager *manager)
{
  g_autofree char *text = gmcp_manager_dup_status_json (manager);

  cli_json_print (text);
}

static gboolean
on_patience_over (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

static gboolean
is_any_missing (GPtrArray *results)
{
  for (guint i = 0; i < results->len; i++)
    {
      if (results->pdata[i] == NULL)
        return TRUE;
    }
  return FALSE;
}

/* Until all have answered, or the time is over, which ends the waiting and not the starts. */
static void
wait_for_answers (CliHost *host, GPtrArray *results, GCancellable *waiting)
{
  g_autoptr (GSource) patience
    = host->timeout_seconds == 0 ? g_timeout_source_new (PATIENCE_MS) : NULL;

  if (patience != NULL)
    {
      g_source_set_callback (patience, on_patience_over, waiting, NULL);
      g_source_attach (patience, NULL);
    }
  while (is_any_missing (results) && !g_cancellable_is_cancelled (host->cancellable)
         && !g_cancellable_is_cancelled (waiting))
    g_main_context_iteration (NULL, TRUE);

  g_cancellable_cancel (waiting);
  for (guint i = 0; i < results->len; i++)
    cli_wait ((GAsyncResult **) &results->pdata[i]);
  if (patience != NULL)
    g_source_destroy (patience);
}

/* Connects to all side by side, and gives what became of the worst. */
static CliExit
check_servers (CliHost *host, GmcpManager *manager)
{
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new_for_start (host->providers);
  g_autoptr (GPtrArray) servers = cli_server_list_unattended (manager);
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GCancellable) waiting = g_cancellable_new ();
  CliExit status = CLI_EXIT_OK;

  g_ptr_array_set_size (results, (int) servers->len);
  for (guint i = 0; i < servers->len; i++)
    gmcp_managed_server_start_async (servers->pdata[i], waiting, cli_store_result,
                                     &results->pdata[i]);
  wait_for_answers (host, results, waiting);

  for (guint i = 0; i < servers->len; i++)
    {
      GmcpServerState state = gmcp_managed_server_get_state (servers->pdata[i]);

      gmcp_managed_server_start_finish (servers->pdata[i], results->pdata[i], NULL);
      if (state == GMCP_SERVER_STATE_STARTING || state == GMCP_SERVER_STATE_INSTALLING)
        status = status == CLI_EXIT_OK ? CLI_EXIT_TIMED_OUT : status;
      else if (gmcp_managed_server_get_client (servers->pdata[i]) == NULL)
        status = CLI_EXIT_UNREACHABLE;
    }
  return status;
}

static CliExit
print_status (CliHost *host, gboolean check, gboolean is_former)
{
  GmcpManager *manager = cli_host_get_manager (host);
  g_autoptr (CliDaemon) daemon = NULL;
  g_autoptr (JsonArray) shared = NULL;
  g_autoptr (GError) cancelled = NULL;
  CliExit status;

  if (manager == NULL)
    return cli_usage_error (_ ("status: the manager of another maker is in use"));

  status = cli_server_load_config (host, manager);
  if (status != CLI_EXIT_OK)
    return status;
  daemon = cli_daemon_bring_up (host);
  if (check)
    status = check_servers (host, manager);
  /* What is known when the time is over is shown all the same. */
  if (!host->timed_out && g_cancellable_set_error_if_cancelled (host->cancellable, &cancelled))
    return cli_host_report (host, cancelled);

  if (daemon != NULL)
    shared = cli_daemon_list_servers (daemon);
  if (host->json && is_former)
    print_former_json (manager);
  else if (host->json)
    print_json (host, manager, shared);
  else
    {
      print_table (manager, shared);
      print_sharing (manager, shared);
      print_help (host, manager, shared);
      cli_host_explain_no_servers (host);
    }
  return status == CLI_EXIT_OK && host->config_is_broken ? CLI_EXIT_USAGE : status;
}

static CliExit
run_status (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  CliExit status;

  if (argc > 1)
    return cli_usage_error (_ ("status: it shows all servers; “gmcp doctor %s” looks into one"),
                            argv[1]);

  status = cli_host_open (host);
  return status == CLI_EXIT_OK
           ? print_status (host, options->check, g_str_equal (argv[0], "servers"))
           : status;
}

static const GOptionEntry status_entries[] = {
  { "check", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, check),
    N_ ("Start those that are not manual, and connect to those that have an address, first"),
    NULL },
  { NULL },
};

const CliCommand cli_status_command = {
  .name = "status",
  .group = CLI_COMMAND_GROUP_FIRST,
  .summary = N_ ("Show how the servers are"),
  .description = N_ (
    "It starts no server, unless it is asked to check: of one that does not run it says what "
    "became of it\nthe last time, in whatever program. --check waits 5 seconds, or as long as "
    "--timeout says; what has not\nanswered by then is shown as starting. The session daemon gmcpd "
    "is started where a session bus can do that,\nand starts what is to run from the beginning."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_TIMEOUT | CLI_TAKES_CONFIG,
  .entries = status_entries,
  .options_size = sizeof (Options),
  .run = run_status,
};
