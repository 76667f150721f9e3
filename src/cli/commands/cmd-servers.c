/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-json.h"
#include "cli-questions.h"
#include "cli-server.h"
#include "cli-table.h"
#include "cli-text.h"

static const char *
get_nick (GType type, int value)
{
  g_autoptr (GEnumClass) values = g_type_class_ref (type);

  return g_enum_get_value (values, value)->value_nick;
}

static gboolean
is_up (GmcpManagedServer *server)
{
  GmcpServerState state = gmcp_managed_server_get_state (server);

  return state == GMCP_SERVER_STATE_READY || state == GMCP_SERVER_STATE_DEGRADED;
}

/* The failure of an earlier run, or of another program. */
static void
append_failure (GString *text, GmcpManagedServer *server, const char *failure)
{
  g_autoptr (GDateTime) at = gmcp_managed_server_dup_last_failure_at (server);
  g_autoptr (GDateTime) local = at != NULL ? g_date_time_to_local (at) : NULL;
  g_autofree char *when = local != NULL ? g_date_time_format (local, "%F %H:%M") : NULL;

  /* Translators: a date and a time, and an error message */
  g_string_append_printf (text, _ (": failed at %s: %s"), when != NULL ? when : "?", failure);
}

static char *
describe_server (GmcpManagedServer *server)
{
  const GError *error = gmcp_managed_server_get_last_error (server);
  const char *failure = gmcp_managed_server_get_last_failure (server);
  guint n_tools = gmcp_managed_server_get_tools_count (server);
  GString *text = g_string_new (NULL);

  if (gmcp_managed_server_get_start (server) == GMCP_SERVER_START_MANUAL && is_up (server))
    /* Translators: a server that somebody has started by hand and that runs */
    g_string_append (text, _ ("Manual"));
  else
    g_string_append_printf (
      text, "%s, %s",
      get_nick (GMCP_TYPE_SERVER_STATE, (int) gmcp_managed_server_get_state (server)),
      get_nick (GMCP_TYPE_SERVER_START, (int) gmcp_managed_server_get_start (server)));
  if (gmcp_server_config_get_sandbox (gmcp_managed_server_get_config (server)) != GMCP_SANDBOX_NONE)
    g_string_append (text, _ (", in a sandbox"));
  if (n_tools > 0)
    g_string_append_printf (text, g_dngettext (NULL, ", %u tool", ", %u tools", n_tools), n_tools);
  if (error != NULL)
    g_string_append_printf (text, ": %s", error->message);
  else if (failure != NULL)
    append_failure (text, server, failure);
  return g_string_free (text, FALSE);
}

static void
print_table (GmcpManager *manager)
{
  g_autoptr (CliTable) table = cli_table_new ();
  guint n = g_list_model_get_n_items (G_LIST_MODEL (manager));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);
      g_autofree char *text = describe_server (server);

      cli_table_add (table, gmcp_managed_server_get_id (server), text);
    }
  if (n > 0)
    cli_table_print (table);
}

/* Servers with a URL that are started by hand may run already; connecting to them starts
 * nothing. */
static void
attach_manual (CliHost *host, GmcpManager *manager)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (manager));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (manager), i);
      GmcpServerConfig *config = gmcp_managed_server_get_config (server);
      g_autoptr (GAsyncResult) started = NULL;

      if (gmcp_managed_server_get_start (server) != GMCP_SERVER_START_MANUAL
          || gmcp_server_config_get_url (config) == NULL || !gmcp_server_config_is_enabled (config))
        continue;
      /* The table says why a server cannot be reached. */
      gmcp_managed_server_start_async (server, host->cancellable, cli_store_result, &started);
      gmcp_managed_server_start_finish (server, cli_wait (&started), NULL);
    }
}

/* Starts what may be started, and gives 3 where that is not all well. */
static CliExit
check_servers (CliHost *host, GmcpManager *manager)
{
  g_autoptr (CliQuestions) questions G_GNUC_UNUSED = cli_questions_new_for_start (host->providers);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) reports = NULL;

  gmcp_manager_start_all_async (manager, host->cancellable, cli_store_result, &result);
  reports = gmcp_manager_start_all_finish (manager, cli_wait (&result), &error);
  if (reports == NULL)
    return cli_host_report (host, error);

  attach_manual (host, manager);
  for (guint i = 0; i < reports->len; i++)
    {
      if (gmcp_server_report_get_error (g_ptr_array_index (reports, i)) != NULL)
        return CLI_EXIT_UNREACHABLE;
    }
  return CLI_EXIT_OK;
}

CliExit
cli_command_servers (CliHost *host, int argc, char *argv[])
{
  gboolean json = FALSE;
  gboolean start = FALSE;
  const GOptionEntry entries[] = {
    { "check", 0, 0, G_OPTION_ARG_NONE, &start,
      N_ ("Start those that are not manual, and connect to those that have an address, first"),
      NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print a JSON object"), NULL },
    CLI_TIMEOUT_ENTRY (host),
    CLI_CONFIG_ENTRY (&host->config_file),
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (_ ("– list the servers"));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GmcpManager *manager;
  CliExit status;

  g_option_context_set_description (
    context,
    _ ("It starts nothing, unless it is asked to check. Tools are counted of servers that run."));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    return cli_usage_error ("servers: %s", error->message);
  if (argc > 1)
    return cli_usage_error (_ ("servers: too many arguments"));

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  manager = cli_host_get_manager (host);
  if (manager == NULL)
    return cli_usage_error (_ ("servers: the manager of another maker is in use"));

  status = start ? check_servers (host, manager) : cli_server_load_config (host, manager);
  if (status != CLI_EXIT_OK && status != CLI_EXIT_UNREACHABLE)
    return status;

  if (json)
    {
      text = gmcp_manager_dup_status_json (manager);
      cli_json_print (text);
    }
  else
    {
      print_table (manager);
      cli_host_explain_no_servers (host);
    }
  return status == CLI_EXIT_OK && host->config_is_broken ? CLI_EXIT_USAGE : status;
}
