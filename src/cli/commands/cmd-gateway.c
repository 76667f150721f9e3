/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include <gmcp/gateway/gmcp-gateway.h>
#include <gmcp/server/gmcp-server.h>

#include "cli-commands.h"
#include "cli-failure.h"
#include "cli-gateway-guard.h"
#include "cli-relay.h"
#include "cli-server.h"
#include "cli-token.h"

/* gmcp gateway: all servers as one, for a program that knows only a command. */

typedef struct
{
  gboolean stdio;
  gboolean search;
  gboolean no_daemon;
  gboolean http;
  char *role;
} Options;

static const GOptionEntry entries[] = {
  { "stdio", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, stdio),
    N_ ("Serve standard input and output; this is what it does without an option, too"), NULL },
  { "search", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, search),
    N_ ("Offer three tools that find and call all others, for models that cannot read hundreds"),
    NULL },
  { "http", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, http),
    N_ ("Print the address at which gmcpd serves over HTTP, and the header that lets a program in"),
    NULL },
  { "no-daemon", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, no_daemon),
    N_ ("Start servers of its own, also where gmcpd looks after those of the session"), NULL },
  { "role", 0, 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, role),
    N_ ("List and call only what the role may call"), N_ ("ROLE") },
  { NULL },
};

/* Files of servers that belong to the folder in which the command was started. */
static gboolean
has_project_file (void)
{
  static const char *const names[] = { ".mcp.json", "mcp_config.json" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_file_test (names[i], G_FILE_TEST_EXISTS))
      return TRUE;
  return FALSE;
}

/* The daemon has the servers of the session, and a socket for each role. -1: there is none,
 * or others are meant, or this is a server of the daemon's. */
static int
connect_to_daemon (CliHost *host, const Options *options)
{
  g_autofree char *name = NULL;

  if (options->no_daemon || host->config_file != NULL || cli_host_is_another (host)
      || has_project_file () || cli_gateway_guard_is_below_daemon ())
    return -1;
  /* No role with an address of its own is called so. */
  if (options->role != NULL && (*options->role == '\0' || strpbrk (options->role, "/.") != NULL))
    return -1;

  name = g_strconcat ("gateway", options->role != NULL ? "-" : "",
                      options->role != NULL ? options->role : "", options->search ? ".search" : "",
                      NULL);
  return cli_relay_connect (name);
}

static CliExit
print_http (CliHost *host)
{
  g_autofree char *path
    = g_build_filename (g_get_user_runtime_dir (), "gmcp", "gateway.http", NULL);
  g_autofree char *address = NULL;
  g_autofree char *token = NULL;
  g_autoptr (GError) error = NULL;

  if (g_file_get_contents (path, &address, NULL, NULL))
    token = cli_token_dup (host, CLI_TOKEN_GATEWAY, &error);
  if (error != NULL)
    return cli_host_report (host, error);
  if (token == NULL)
    {
      cli_failure_tell (_ (
        "gmcpd does not serve over HTTP: switch that on with “gsettings set org.gmcp.Daemon gateway-port 0”, or start gmcpd with --gateway-http PORT"));
      return CLI_EXIT_UNREACHABLE;
    }
  g_print ("%s\nAuthorization: Bearer %s\n", g_strstrip (address), token);
  return CLI_EXIT_OK;
}

static void
warn_person (void)
{
  if (isatty (STDIN_FILENO))
    g_printerr ("gmcp: %s\n", _ ("A program is to start this command and to speak MCP with it; "
                                 "“gmcp shell” is for people. Ctrl-D ends it."));
}

static CliExit
serve_servers (CliHost *host, GmcpManager *manager, const Options *options)
{
  g_autoptr (GmcpGateway) gateway
    = g_object_new (GMCP_TYPE_GATEWAY, "manager", manager, "search", options->search, NULL);
  /* A list that was asked for while servers start is not all of it, and must not be kept. */
  g_autoptr (GmcpServer) server
    = g_object_new (GMCP_TYPE_SERVER, "name", "gmcp", "version", GMCP_VERSION, "provider", gateway,
                    "list-ttl-ms", 0u, NULL);
  g_autoptr (GAsyncResult) ended = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_gateway_set_role (gateway, options->role);
  warn_person ();
  gmcp_server_run_stdio_async (server, host->cancellable, cli_store_result, &ended);
  if (gmcp_server_run_stdio_finish (server, cli_wait (&ended), &error)
      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return CLI_EXIT_OK;
  return cli_host_report (host, error);
}

static CliExit
run_gateway (CliHost *host, gconstpointer data, int argc, char *argv[])
{
  const Options *options = data;
  GmcpManager *manager;
  CliExit status;
  int socket;

  if (argc > 1)
    return cli_usage_error (_ ("gateway: takes no arguments: %s"), argv[1]);

  if (options->http)
    return print_http (host);

  status = cli_gateway_guard_enter (host);
  if (status != CLI_EXIT_OK)
    return status;

  socket = connect_to_daemon (host, options);
  if (socket >= 0)
    {
      warn_person ();
      return cli_relay_run (socket);
    }

  status = cli_host_open (host);
  if (status != CLI_EXIT_OK)
    return status;

  manager = cli_host_get_manager (host);
  if (manager == NULL)
    return cli_usage_error (_ ("there is no manager of servers"));

  status = cli_server_load_config (host, manager);
  if (status == CLI_EXIT_OK && options->role != NULL)
    status = cli_server_check_role (manager, options->role);
  if (status != CLI_EXIT_OK)
    return status;

  cli_host_explain_no_servers (host);
  return serve_servers (host, manager, options);
}

const CliCommand cli_gateway_command = {
  .name = "gateway",
  .group = CLI_COMMAND_GROUP_RUN,
  .summary = N_ ("Be one MCP server that has the tools of all, for other programs"),
  .description = N_ (
    "Another program starts it and speaks MCP of any revision with it. Tools, resources and "
    "prompts have the names\nthat “gmcp tools” shows; rules, roles and limits hold as they do "
    "here. Servers start when they are needed,\nand end with it; where gmcpd looks after the servers "
    "of the session, they are those.\n\n"
    "What a server asks, whether a tool may be called, also one that has changed, and values that a "
    "server needs to\nstart, that program is asked, where it can be (elicitation). Secrets are given "
    "in the dashboard. What it cannot\nbe asked is asked in “gmcp dashboard” or “gmcp shell”, where "
    "gmcpd runs and one of them is open; else the call\nfails, and says what helps."),
  .takes = CLI_TAKES_CONFIG,
  .entries = entries,
  .options_size = sizeof (Options),
  .run = run_gateway,
};
