/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-tool-shared.h"

#include "cli-server.h"
#include "cli-terminal.h"

/* By which this program knows its call, the only one on its connection. */
#define PROGRESS "call"

static char *
dup_server_id (GmcpTool *tool, const char *name)
{
  gsize length;
  const char *separator;

  if (tool != NULL)
    return g_strdup (gmcp_tool_get_server_id (tool));
  separator = cli_server_find_separator (name, &length);
  return separator != NULL ? g_strndup (name, (gsize) (separator - name)) : NULL;
}

/* This program starts the others itself, and connects to those that have an address. What the daemon of a file runs
 * is used as it is where nobody could be asked anything, as in CI. */
static gboolean
may_be_shared (CliHost *host, const char *server_id)
{
  GmcpManager *manager = cli_host_get_manager (host);
  GmcpManagedServer *server = manager != NULL ? gmcp_manager_get_server (manager, server_id) : NULL;

  return server == NULL
         || (gmcp_server_config_get_url (gmcp_managed_server_get_config (server)) == NULL
             && (gmcp_managed_server_get_start (server) == GMCP_SERVER_START_MANUAL
                 || (host->config_file != NULL && !cli_may_ask ())));
}

CliDaemon *
cli_tool_find_daemon (CliHost *host, GmcpTool *tool, const char *name)
{
  g_autofree char *server_id = dup_server_id (tool, name);
  g_autoptr (CliDaemon) daemon = NULL;
  g_autoptr (JsonArray) servers = NULL;

  if (server_id == NULL || !may_be_shared (host, server_id))
    return NULL;

  daemon = cli_daemon_look_for (host);
  if (daemon != NULL)
    servers = cli_daemon_list_servers (daemon);
  return cli_daemon_find_running (servers, server_id) != NULL ? g_steal_pointer (&daemon) : NULL;
}

static void
on_progress (GDBusConnection *connection,
             const char *sender,
             const char *path,
             const char *interface,
             const char *signal,
             GVariant *parameters,
             gpointer options)
{
  const char *call;
  const char *message;
  double progress;
  double total;

  if (!g_str_equal (signal, "Progress")
      || !g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(sdds)")))
    return;
  g_variant_get (parameters, "(&sdd&s)", &call, &progress, &total, &message);
  if (g_str_equal (call, PROGRESS))
    g_signal_emit_by_name (options, "progress", progress, total, *message != '\0' ? message : NULL);
}

GmcpToolResult *
cli_tool_call_shared (CliDaemon *daemon,
                      const char *name,
                      const char *arguments_json,
                      GmcpCallOptions *call_options,
                      GError **error)
{
  g_autoptr (GVariant) reply = NULL;
  const char *role = gmcp_call_options_get_role (call_options);
  GVariantBuilder options;
  const char *text;
  guint following
    = cli_daemon_subscribe (daemon, CLI_DAEMON_PATH, CLI_DAEMON_MANAGER, on_progress, call_options);

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  if (role != NULL)
    g_variant_builder_add (&options, "{sv}", "role", g_variant_new_string (role));
  g_variant_builder_add (&options, "{sv}", "progress", g_variant_new_string (PROGRESS));
  reply
    = cli_daemon_call (daemon, CLI_DAEMON_PATH, CLI_DAEMON_MANAGER, "CallTool",
                       g_variant_new ("(ssa{sv})", name, arguments_json, &options), "(s)", error);
  g_dbus_connection_signal_unsubscribe (cli_daemon_get_connection (daemon), following);
  if (reply == NULL)
    return NULL;

  g_variant_get (reply, "(&s)", &text);
  return gmcp_tool_result_new_from_json (text, error);
}
