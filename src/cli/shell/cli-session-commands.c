/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-session-commands.h"

#include <glib/gi18n.h>

#include "cli-commands.h"
#include "cli-server.h"
#include "cli-suggest.h"
#include "cli-text.h"

#define NAME_COLUMNS 30

/* What is done to the one server. */
typedef CliExit (*ServerFunc) (CliHost *host, GmcpManagedServer *server);

static CliExit
report_running (CliHost *host, GmcpManagedServer *server)
{
  guint n_tools = gmcp_managed_server_get_tools_count (server);
  CliExit status = CLI_EXIT_OK;

  /* It may have ended as soon as it was started. */
  if (cli_server_get_client (host, server, &status) == NULL)
    return status;
  /* Translators: a server, and how many tools it has */
  g_print (g_dngettext (NULL, "%s runs: %u tool\n", "%s runs: %u tools\n", n_tools),
           gmcp_managed_server_get_id (server), n_tools);
  return CLI_EXIT_OK;
}

static CliExit
start_server (CliHost *host, GmcpManagedServer *server)
{
  GmcpClient *client = NULL;
  CliExit status = cli_server_connect (host, gmcp_managed_server_get_id (server), &client);

  return status == CLI_EXIT_OK ? report_running (host, server) : status;
}

static CliExit
stop_server (CliHost *host, GmcpManagedServer *server)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_STOPPED
      || gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_DISABLED)
    {
      g_print (_ ("%s does not run\n"), gmcp_managed_server_get_id (server));
      return CLI_EXIT_OK;
    }
  gmcp_managed_server_stop_async (server, host->cancellable, cli_store_result, &result);
  if (!gmcp_managed_server_stop_finish (server, cli_wait (&result), &error))
    return cli_host_report (host, error);
  g_print (_ ("%s is stopped\n"), gmcp_managed_server_get_id (server));
  return CLI_EXIT_OK;
}

static CliExit
restart_server (CliHost *host, GmcpManagedServer *server)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_managed_server_restart_async (server, host->cancellable, cli_store_result, &result);
  if (!gmcp_managed_server_restart_finish (server, cli_wait (&result), &error))
    return cli_host_report (host, error);
  return report_running (host, server);
}

static CliExit
sync_server (CliHost *host, GmcpManagedServer *server)
{
  GmcpManager *manager = cli_host_get_manager (host);
  const char *id = gmcp_managed_server_get_id (server);
  guint n_tools;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (gmcp_managed_server_get_client (server) == NULL)
    {
      g_print (_ ("%s does not run; its tools are asked for when it starts\n"), id);
      return CLI_EXIT_OK;
    }
  gmcp_manager_sync_async (manager, id, host->cancellable, cli_store_result, &result);
  if (!gmcp_manager_sync_finish (manager, cli_wait (&result), &error))
    return cli_host_report (host, error);

  n_tools = gmcp_managed_server_get_tools_count (server);
  /* Translators: a server, and how many tools it has */
  g_print (g_dngettext (NULL, "%s has %u tool\n", "%s has %u tools\n", n_tools), id, n_tools);
  return CLI_EXIT_OK;
}

static const struct
{
  const char *name;
  const char *synopsis;
  const char *summary;
  const char *alias; /* the command of the program that it is */
  ServerFunc func;
  gboolean takes_none; /* which stands for all servers */
} session_commands[] = {
  { "status", "", N_ ("Show how the servers are"), "status", NULL, FALSE },
  { "list", "", N_ ("List the servers"), "status", NULL, FALSE },
  { "tools", N_ ("[SERVER]"), N_ ("List tools"), "tools", NULL, FALSE },
  { "read", N_ ("SERVER URI"), N_ ("Print a resource"), "read", NULL, FALSE },
  { "call", N_ ("TOOL [ARGUMENT…]"), N_ ("Call a tool"), "call", NULL, FALSE },
  { "start", N_ ("SERVER…"), N_ ("Start servers, which run until the session ends"), NULL,
    start_server, FALSE },
  { "stop", N_ ("SERVER…"), N_ ("Stop servers; the next call starts them again"), NULL, stop_server,
    FALSE },
  { "restart", N_ ("SERVER…"), N_ ("Stop servers and start them again"), NULL, restart_server,
    FALSE },
  { "sync", N_ ("[SERVER…]"), N_ ("Ask running servers for their tools again"), NULL, sync_server,
    TRUE },
};

static int
find_word (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (session_commands); i++)
    {
      if (g_str_equal (session_commands[i].name, word))
        return (int) i;
    }
  return -1;
}

const char *
cli_session_commands_find_alias (const char *word)
{
  int i = find_word (word);

  return i >= 0 ? session_commands[i].alias : NULL;
}

GStrv
cli_session_commands_list (void)
{
  GStrv words = g_new0 (char *, G_N_ELEMENTS (session_commands) + 1);

  for (guint i = 0; i < G_N_ELEMENTS (session_commands); i++)
    words[i] = g_strdup (session_commands[i].name);
  return words;
}

char *
cli_session_commands_describe (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (session_commands); i++)
    {
      g_autofree char *usage = g_strdup_printf (
        "/mcp %s %s", session_commands[i].name,
        *session_commands[i].synopsis != '\0' ? _ (session_commands[i].synopsis) : "");
      g_autofree char *padded = cli_text_pad (usage, NAME_COLUMNS);

      g_string_append_printf (text, "  %s  %s\n", padded, _ (session_commands[i].summary));
    }
  return g_string_free (text, FALSE);
}

static CliExit
report_unknown (const char *word)
{
  g_auto (GStrv) words = cli_session_commands_list ();
  g_autofree char *listed = g_strjoinv (", ", words);
  g_autofree char *suggestion
    = word != NULL ? cli_suggest_near (word, (const char *const *) words) : NULL;

  if (word == NULL)
    return cli_usage_error (_ ("/mcp: say what to do: %s"), listed);
  /* Translators: a word, the words that can stand there, and “. Near to it: …” or nothing */
  return cli_usage_error (_ ("/mcp: “%s” is none of %s%s"), word, listed, suggestion);
}

/* Each as long as the user does not end it; the status is that of the last that failed. */
static CliExit
run_for_all (CliHost *host, ServerFunc func)
{
  GListModel *servers = G_LIST_MODEL (cli_host_get_manager (host));
  guint n = g_list_model_get_n_items (servers);
  CliExit status = CLI_EXIT_OK;

  if (n == 0)
    cli_host_explain_no_servers (host);
  for (guint i = 0; i < n && !g_cancellable_is_cancelled (host->cancellable); i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (servers, i);
      CliExit own = func (host, server);

      status = own != CLI_EXIT_OK ? own : status;
    }
  return status;
}

static CliExit
run_for_named (CliHost *host, ServerFunc func, int n, char *ids[])
{
  CliExit status = CLI_EXIT_OK;

  for (int i = 0; i < n && !g_cancellable_is_cancelled (host->cancellable); i++)
    {
      GmcpManagedServer *found = NULL;
      CliExit own = cli_server_find (host, ids[i], &found);

      if (own == CLI_EXIT_OK)
        {
          /* The configuration may change meanwhile. */
          g_autoptr (GmcpManagedServer) server = g_object_ref (found);

          own = func (host, server);
        }
      status = own != CLI_EXIT_OK ? own : status;
    }
  return status;
}

CliExit
cli_session_commands_run (CliHost *host, int argc, char *argv[])
{
  int i = argc > 1 ? find_word (argv[1]) : -1;
  CliExit status;

  if (i < 0 || session_commands[i].func == NULL)
    return report_unknown (argc > 1 ? argv[1] : NULL);
  if (argc < 3 && !session_commands[i].takes_none)
    return cli_usage_error (_ ("/mcp %s: which server? “/mcp list” lists them"), argv[1]);

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;
  if (cli_host_get_manager (host) == NULL)
    return cli_usage_error (_ ("/mcp: the servers are not this program's, and it cannot run them"));
  if (argc < 3)
    return run_for_all (host, session_commands[i].func);
  return run_for_named (host, session_commands[i].func, argc - 2, argv + 2);
}
