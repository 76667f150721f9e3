/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <gmcp/json/gmcp-json.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-questions.h"
#include "cli-server.h"
#include "cli-table.h"
#include "cli-text.h"
#include "cli-time.h"

typedef struct
{
  int limit;
  char *since;
  char *server;
} Options;

#define DEFAULT_LIMIT  20
#define TIME_COLUMN    1
#define OUTCOME_COLUMN 4
/* Of arguments, where no terminal says how many there are. */
#define SHOWN_COLUMNS 200

static const char *
get_text (JsonObject *line, const char *name)
{
  return json_object_get_string_member_with_default (line, name, "");
}

/* Who called, and under which role. */
static char *
describe_caller (JsonObject *line)
{
  const char *host = get_text (line, "host");
  const char *role = get_text (line, "role");

  return *role != '\0' ? g_strdup_printf ("%s (%s)", host, role) : g_strdup (host);
}

static char *
describe_arguments (JsonObject *line)
{
  JsonNode *node = json_object_get_member (line, "arguments");
  g_autofree char *text = NULL;

  if (node == NULL)
    return g_strdup (get_text (line, "arguments_sha256"));
  text = gmcp_json_print (node, NULL);
  return cli_text_plain (text, SHOWN_COLUMNS);
}

static void
add_row (CliTable *table, JsonObject *line)
{
  const char *server = get_text (line, "server");
  const char *outcome = get_text (line, "outcome");
  gint64 us = json_object_get_int_member_with_default (line, "duration_us", 0);
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (get_text (line, "time"), NULL);
  g_autofree char *local = cli_time_format (time);
  g_autofree char *name
    = g_strdup_printf ("%s%s%s", server, *server != '\0' ? "." : "", get_text (line, "tool"));
  g_autofree char *plain = cli_text_plain (name, G_MAXUINT16);
  g_autofree char *caller = describe_caller (line);
  g_autofree char *who = cli_text_plain (caller, G_MAXUINT16);
  g_autofree char *ms = g_strdup_printf (us < 10000 ? "%.1f" : "%.0f", (double) us / 1000);
  g_autofree char *arguments = describe_arguments (line);
  const char *cells[] = { get_text (line, "id"), local, plain, who, outcome, ms, arguments };

  cli_table_add_cells (table, cells);
  if (!g_str_equal (outcome, "ok"))
    cli_table_set_style (table, OUTCOME_COLUMN,
                         g_str_equal (outcome, "tool-error") ? CLI_STYLE_WARNING : CLI_STYLE_BAD);
}

static void
print_table (JsonArray *array)
{
  g_autoptr (CliTable) table = cli_table_new_with_titles (
    _ ("Id"), _ ("Time"), _ ("Tool"), _ ("Who"), _ ("Outcome"), _ ("ms"), _ ("Arguments"), NULL);

  cli_table_keep_column (table, TIME_COLUMN);
  for (guint i = 0; i < json_array_get_length (array); i++)
    add_row (table, json_array_get_object_element (array, i));
  cli_table_print (table);
}

static void
print_lines (CliHost *host, GStrv lines)
{
  JsonArray *array = json_array_new ();

  for (gsize i = 0; lines[i] != NULL; i++)
    {
      JsonNode *node = gmcp_json_parse (lines[i], -1, NULL);

      if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
        json_array_add_element (array,
                                host->json ? cli_json_rename_members (node) : json_node_ref (node));
      g_clear_pointer (&node, json_node_unref);
    }

  if (host->json)
    {
      cli_json_print_array (array);
      return;
    }
  if (json_array_get_length (array) > 0)
    print_table (array);
  else
    {
      g_printerr ("%s\n", _ ("No such call has been written down."));
      cli_host_explain_no_servers (host);
    }
  json_array_unref (array);
}

static CliExit
open_manager (CliHost *host, GmcpManager **manager)
{
  g_autoptr (GAsyncResult) configured = NULL;
  g_autoptr (GError) error = NULL;
  CliExit status = cli_host_open (host);

  if (status != CLI_EXIT_OK)
    return status;

  *manager = cli_host_get_manager (host);
  if (*manager == NULL)
    return cli_usage_error (_ ("there is no manager of servers whose calls are written down"));

  /* Whether calls are written down is a setting. */
  gmcp_manager_load_config_async (*manager, host->cancellable, cli_store_result, &configured);
  if (!gmcp_manager_load_config_finish (*manager, cli_wait (&configured), &error))
    return cli_host_report (host, error);
  return CLI_EXIT_OK;
}

static CliExit
read_audit (CliHost *host,
            const Options *options,
            const char *server,
            GDateTime *since,
            char ***lines)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GmcpManager *manager = NULL;
  GmcpAuditLog *log;
  CliExit status = open_manager (host, &manager);

  if (status != CLI_EXIT_OK)
    return status;
  log = gmcp_manager_get_audit_log (manager);
  if (log == NULL)
    return cli_usage_error (_ ("audit: calls are not written down; the setting “audit” says so"));

  gmcp_audit_log_read_async (log, server, since, (guint) options->limit, host->cancellable,
                             cli_store_result, &result);
  *lines = gmcp_audit_log_read_finish (log, cli_wait (&result), &error);
  if (*lines == NULL)
    return cli_host_report (host, error);
  /* What a server did that is gone is still written down. */
  if (server != NULL && (*lines)[0] == NULL && gmcp_manager_get_server (manager, server) == NULL)
    return cli_server_report_unknown (host, server);
  return CLI_EXIT_OK;
}

static CliExit
run_audit (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  const char *server = argc == 2 ? argv[1] : options->server;
  g_autoptr (GDateTime) since = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;
  CliExit status;

  if (argc > 2 || (argc == 2 && options->server != NULL) || options->limit < 0)
    return cli_usage_error (_ ("audit: one server at most, and a number that is not negative"));
  if (options->since != NULL)
    {
      since = cli_time_parse_since (options->since, &error);
      if (since == NULL)
        return cli_usage_error ("audit: --since: %s", error->message);
    }

  status = read_audit (host, options, server, since, &lines);
  if (status != CLI_EXIT_OK)
    return status;

  print_lines (host, lines);
  return CLI_EXIT_OK;
}

static const GOptionEntry audit_entries[] = {
  { "limit", 'n', 0, G_OPTION_ARG_INT, CLI_OFFSET (Options, limit),
    N_ ("How many calls; 0 for all"), N_ ("NUMBER") },
  { "since", 0, 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, since),
    N_ ("From this time on: 10m, 2h, 09:00, 2026-11-23"), N_ ("TIME") },
  { "server", 0, 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, server),
    N_ ("Only calls of this server"), N_ ("SERVER") },
  { NULL },
};

static const Options audit_defaults = { .limit = DEFAULT_LIMIT };

const CliCommand cli_audit_command = {
  .name = "audit",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("List the calls that were written down"),
  .synopsis = N_ ("[SERVER]"),
  .takes = CLI_TAKES_JSON | CLI_TAKES_CONFIG,
  .entries = audit_entries,
  .options_size = sizeof (Options),
  .defaults = &audit_defaults,
  .run = run_audit,
};

#define DEFAULT_HOST "gmcp"

/* Acts as who made the call: the host, the project and the role that held for all of its calls. The manager
 * sees to the rest. */
static CliExit
act_as_recorded (CliHost *host, GmcpManager *manager, const char *id)
{
  GmcpAuditLog *log = gmcp_manager_get_audit_log (manager);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL;
  g_autoptr (JsonNode) node = NULL;
  JsonObject *recorded;
  const char *name;

  if (log == NULL)
    return CLI_EXIT_OK;

  gmcp_audit_log_find_async (log, id, host->cancellable, cli_store_result, &result);
  line = gmcp_audit_log_find_finish (log, cli_wait (&result), &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return cli_usage_error ("replay: %s", error->message);
  if (line == NULL)
    return cli_host_report (host, error);

  node = gmcp_json_parse (line, -1, NULL);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return CLI_EXIT_OK;

  recorded = json_node_get_object (node);
  name = json_object_get_string_member_with_default (recorded, "host", NULL);
  if (name != NULL && g_str_equal (host->name, DEFAULT_HOST))
    gmcp_manager_set_host (manager, name);
  gmcp_manager_set_project (manager,
                            json_object_get_string_member_with_default (recorded, "project", NULL));
  name = json_object_get_string_member_with_default (recorded, "standing_role", NULL);
  if (name != NULL)
    gmcp_manager_set_role (manager, name);
  return CLI_EXIT_OK;
}

static CliExit
run_replay (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  g_autoptr (GmcpCallOptions) options = NULL;
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = NULL;
  g_autoptr (GmcpToolResult) tool_result = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GmcpManager *manager = NULL;
  CliExit status;

  if (argc != 2)
    return cli_usage_error (_ ("replay: which call? “gmcp audit” lists them with their ids"));

  status = open_manager (host, &manager);
  if (status != CLI_EXIT_OK)
    return status;

  status = act_as_recorded (host, manager, argv[1]);
  if (status != CLI_EXIT_OK)
    return status;

  options = cli_host_new_options (host);
  questions = cli_questions_new (host->providers);
  gmcp_manager_replay_call_async (manager, argv[1], options, host->cancellable, cli_store_result,
                                  &result);
  tool_result = gmcp_manager_replay_call_finish (manager, cli_wait (&result), &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    return cli_usage_error ("replay: %s", error->message);
  if (tool_result == NULL)
    return cli_host_report (host, error);

  text = host->json ? gmcp_tool_result_dup_json (tool_result)
                    : gmcp_tool_result_dup_text (tool_result);
  if (host->json)
    cli_json_print (text);
  else
    cli_text_print (text);
  return gmcp_tool_result_is_error (tool_result) ? CLI_EXIT_TOOL_ERROR : CLI_EXIT_OK;
}

const CliCommand cli_replay_command = {
  .name = "replay",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("Make a call again that was written down"),
  .synopsis = N_ ("ID"),
  .description = N_ ("“gmcp audit” lists the ids of calls."),
  .takes = CLI_TAKES_JSON | CLI_TAKES_CONFIG,
  .run = run_replay,
};
