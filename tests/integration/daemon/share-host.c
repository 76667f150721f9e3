/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A host that does what it is told: share-host NAME CONFIG, with lines on standard input. “call TOOL [ARGUMENTS]”
 * calls a tool, and says “result TEXT” or “error TEXT” when it ends; “status” says “status JSON”; “level LEVEL” sets
 * the log level of the first server, “roots URI” its roots, and “watch URI” subscribes to a resource. Each notice is a
 * line “notice TEXT”, each log message “log TEXT”, each change of a resource “updated URI”, each question “question”,
 * which is answered with the host's name; each permission that is asked for is “permission”, and given. CONFIG is a file,
 * or “-” for those of the user. Behind it, --needs-input says that the host has to be asked, and --no-activation that it
 * does not have gmcpd started. */

#include <gio/gunixinputstream.h>
#include <gmcp/gmcp.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  const char *name;
  GmcpManager *manager;
  GMainLoop *loop;
  GDataInputStream *commands;
} Host;

static void
say (const char *word, const char *text)
{
  g_autofree char *flat = g_strdelimit (g_strdup (text), "\n", ' ');

  printf ("%s %s\n", word, flat);
  fflush (stdout);
}

static void
on_called (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result
    = gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (source), async_result, &error);
  g_autofree char *text = result != NULL ? gmcp_tool_result_dup_text (result) : NULL;

  say (result != NULL ? "result" : "error", result != NULL ? text : error->message);
}

static void
on_notice (GmcpManager *manager,
           const char *server_id,
           GmcpNoticeLevel level,
           const char *message,
           gpointer data)
{
  say ("notice", message);
}

static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, Host *host)
{
  g_autofree char *content = g_strdup_printf ("{\"name\":\"%s\"}", host->name);

  say ("question", host->name);
  gmcp_elicitation_accept_json (GMCP_ELICITATION (request), content, NULL);
}

static void
on_call_requested (GmcpToolProvider *provider, GmcpCallPermission *permission, Host *host)
{
  say ("permission", host->name);
  gmcp_call_permission_allow_once (permission);
}

static void
on_log_message (GmcpClient *client, GmcpLogMessage *message, gpointer data)
{
  g_autofree char *json = gmcp_log_message_dup_data_json (message);

  say ("log", json);
}

static void
on_updated (GmcpManager *manager, const char *uri, gpointer data)
{
  say ("updated", uri);
}

/* Each start of a server is a client of its own. */
static void
on_client_changed (GmcpManagedServer *server, GParamSpec *pspec, gpointer data)
{
  GmcpClient *client = gmcp_managed_server_get_client (server);

  if (client == NULL)
    return;
  g_signal_handlers_disconnect_by_func (client, on_log_message, data);
  g_signal_connect (client, "log-message", G_CALLBACK (on_log_message), data);
}

static void
on_servers_changed (GListModel *servers, guint position, guint n_removed, guint n_added, Host *host)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (GmcpManagedServer) server = g_list_model_get_item (servers, i);

      g_signal_connect (server, "notify::client", G_CALLBACK (on_client_changed), host);
    }
}

static GmcpClient *
get_first_client (Host *host)
{
  g_autoptr (GmcpManagedServer) server = g_list_model_get_item (G_LIST_MODEL (host->manager), 0);

  return gmcp_managed_server_get_client (server);
}

static void
set_level (Host *host, const char *name)
{
  g_autoptr (GEnumClass) levels = g_type_class_ref (GMCP_TYPE_LOG_LEVEL);
  const GEnumValue *level = g_enum_get_value_by_nick (levels, name);

  gmcp_client_set_log_level_async (get_first_client (host), (GmcpLogLevel) level->value, NULL, NULL,
                                   NULL, NULL);
}

static void
set_roots (Host *host, const char *uri)
{
  g_autoptr (GListStore) roots = g_list_store_new (GMCP_TYPE_ROOT);
  g_autoptr (GmcpRoot) root = gmcp_root_new (uri, NULL);

  g_list_store_append (roots, root);
  gmcp_client_set_roots (get_first_client (host), G_LIST_MODEL (roots));
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer data)
{
  Host *host = data;

  gmcp_tool_provider_close_finish (GMCP_TOOL_PROVIDER (source), result, NULL);
  g_main_loop_quit (host->loop);
}

static void read_command (Host *host);

static void
run_command (Host *host, const char *command)
{
  g_autofree char *status = NULL;

  if (g_str_has_prefix (command, "call "))
    {
      g_auto (GStrv) words = g_strsplit (command, " ", 3);

      gmcp_tool_provider_call_tool_json_async (GMCP_TOOL_PROVIDER (host->manager), words[1],
                                               words[2], NULL, NULL, on_called, host);
      return;
    }

  if (g_str_has_prefix (command, "level "))
    {
      set_level (host, command + strlen ("level "));
      return;
    }
  if (g_str_has_prefix (command, "roots "))
    {
      set_roots (host, command + strlen ("roots "));
      return;
    }
  if (g_str_has_prefix (command, "watch "))
    {
      gmcp_resource_provider_subscribe (GMCP_RESOURCE_PROVIDER (host->manager),
                                        command + strlen ("watch "));
      return;
    }

  g_assert_cmpstr (command, ==, "status");
  status = gmcp_manager_dup_status_json (host->manager);
  say ("status", status);
}

static void
on_command (GObject *source, GAsyncResult *result, gpointer data)
{
  Host *host = data;
  g_autofree char *command
    = g_data_input_stream_read_line_finish (host->commands, result, NULL, NULL);

  if (command == NULL)
    {
      gmcp_tool_provider_close_async (GMCP_TOOL_PROVIDER (host->manager), NULL, on_closed, host);
      return;
    }
  run_command (host, command);
  read_command (host);
}

static void
read_command (Host *host)
{
  g_data_input_stream_read_line_async (host->commands, G_PRIORITY_DEFAULT, NULL, on_command, host);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GInputStream) input = g_unix_input_stream_new (0, FALSE);
  g_autoptr (GDataInputStream) commands = g_data_input_stream_new (input);
  g_autoptr (GFile) config = g_file_new_for_path (argv[2]);
  Host host = { argv[1], manager, loop, commands };

  gmcp_manager_set_host (manager, host.name);
  gmcp_manager_set_needs_input (manager, g_strcmp0 (argv[3], "--needs-input") == 0);
  gmcp_manager_set_activates_daemon (manager, g_strcmp0 (argv[3], "--no-activation") != 0);
  if (g_str_equal (argv[2], "-"))
    gmcp_manager_add_default_sources (manager);
  else
    gmcp_manager_set_config_file (manager, config);
  g_signal_connect (manager, "notice", G_CALLBACK (on_notice), NULL);
  g_signal_connect (manager, "input-requested", G_CALLBACK (on_input_requested), &host);
  g_signal_connect (manager, "call-requested", G_CALLBACK (on_call_requested), &host);
  g_signal_connect (manager, "resource-updated", G_CALLBACK (on_updated), NULL);
  g_signal_connect (manager, "items-changed", G_CALLBACK (on_servers_changed), &host);
  read_command (&host);
  g_main_loop_run (loop);
  return 0;
}
