/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include <gmcp/gateway/gmcp-gateway.h>
#include <gmcp/server/gmcp-server.h>

#include "cli-commands.h"
#include "cli-gateway-guard.h"
#include "cli-server.h"

/* gmcp gateway: all servers as one, for a program that knows only a command. */

typedef struct
{
  gboolean stdio;
  gboolean search;
  char *role;
} Options;

static const GOptionEntry entries[] = {
  { "stdio", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, stdio),
    N_ ("Serve standard input and output; this is what it does without an option, too"), NULL },
  { "search", 0, 0, G_OPTION_ARG_NONE, CLI_OFFSET (Options, search),
    N_ ("Offer three tools that find and call all others, for models that cannot read hundreds"),
    NULL },
  { "role", 0, 0, G_OPTION_ARG_STRING, CLI_OFFSET (Options, role),
    N_ ("List and call only what the role may call"), N_ ("ROLE") },
  { NULL },
};

static CliExit
serve_servers (CliHost *host, GmcpManager *manager, const Options *options)
{
  g_autoptr (GmcpGateway) gateway
    = g_object_new (GMCP_TYPE_GATEWAY, "manager", manager, "search", options->search, NULL);
  g_autoptr (GmcpServer) server
    = gmcp_server_new ("gmcp", GMCP_VERSION, GMCP_TOOL_PROVIDER (gateway));
  g_autoptr (GAsyncResult) ended = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_gateway_set_role (gateway, options->role);
  if (isatty (STDIN_FILENO))
    g_printerr ("gmcp: %s\n", _ ("A program is to start this command and to speak MCP with it; "
                                 "“gmcp shell” is for people. Ctrl-D ends it."));
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

  if (argc > 1)
    return cli_usage_error (_ ("gateway: takes no arguments: %s"), argv[1]);

  status = cli_gateway_guard_enter (host);
  if (status == CLI_EXIT_OK)
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
    "here. What a server asks, and whether a tool\nmay be called, that program is asked. Servers "
    "start when they are needed, and end with it."),
  .takes = CLI_TAKES_CONFIG,
  .entries = entries,
  .options_size = sizeof (Options),
  .run = run_gateway,
};
