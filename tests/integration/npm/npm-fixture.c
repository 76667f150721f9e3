/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "npm-fixture.h"

#include <stdlib.h>
#include <string.h>

void
store_result (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

GAsyncResult *
wait_for (GAsyncResult **slot)
{
  while (*slot == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *slot;
}

static gboolean
is_set (const char *variable)
{
  const char *value = g_getenv (variable);

  return value != NULL && *value != '\0';
}

gboolean
skip_without_npm (void)
{
  if (is_set ("GMCP_TEST_NODE") && is_set ("GMCP_TEST_NODE_MODULES"))
    return FALSE;
  g_test_skip ("the npm packages of tests/package.json are not installed");
  return TRUE;
}

char *
find_script (const char *script)
{
  return g_str_has_prefix (script, "@")
           ? g_build_filename (g_getenv ("GMCP_TEST_NODE_MODULES"), script, NULL)
           : g_test_build_filename (G_TEST_DIST, "servers", script, NULL);
}

GmcpTransport *
new_script_transport (const char *script, const char *argument)
{
  g_autofree char *path = find_script (script);
  g_autofree char *modules
    = g_strdup_printf ("GMCP_TEST_NODE_MODULES=%s", g_getenv ("GMCP_TEST_NODE_MODULES"));
  const char *argv[] = { g_getenv ("GMCP_TEST_NODE"), path, argument, NULL };
  const char *environment[] = { modules, NULL };
  GmcpStdioTransport *transport = gmcp_stdio_transport_new (argv);

  gmcp_stdio_transport_set_environment (transport, environment);
  return GMCP_TRANSPORT (transport);
}

struct _WebServer
{
  GSubprocess *process;
  GDataInputStream *output;
  GString *log;
  char *uri;
  gboolean output_ended;
};

static void
on_line (GObject *source, GAsyncResult *result, gpointer user_data)
{
  WebServer *server = user_data;
  g_autofree char *line
    = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, NULL);

  if (line == NULL)
    {
      server->output_ended = TRUE;
      return;
    }
  g_string_append_printf (server->log, "%s\n", line);
  g_data_input_stream_read_line_async (server->output, G_PRIORITY_DEFAULT, NULL, on_line, server);
}

const char *
web_server_wait_for_line (WebServer *server, const char *text)
{
  const char *found;

  while ((found = strstr (server->log->str, text)) == NULL)
    {
      if (server->output_ended)
        g_error ("the server ended: %s", server->log->str);
      g_main_context_iteration (NULL, TRUE);
    }
  return found + strlen (text);
}

const char *
web_server_get_log (WebServer *server)
{
  return server->log->str;
}

const char *
web_server_get_uri (WebServer *server)
{
  return server->uri;
}

static guint16
find_free_port (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new (loopback, 0);
  g_autoptr (GSocketAddress) bound = NULL;
  g_autoptr (GSocket) socket
    = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, &error);

  g_assert_no_error (error);
  g_socket_bind (socket, any, TRUE, &error);
  g_assert_no_error (error);
  bound = g_socket_get_local_address (socket, &error);
  g_assert_no_error (error);
  return g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (bound));
}

WebServer *
web_server_start (const char *script, const char *const *arguments)
{
  WebServer *server = g_new0 (WebServer, 1);
  g_autoptr (GSubprocessLauncher) launcher
    = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
  g_autofree char *path = find_script (script);
  g_autofree char *port = g_strdup_printf ("%u", find_free_port ());
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (argv, (gpointer) g_getenv ("GMCP_TEST_NODE"));
  g_ptr_array_add (argv, path);
  for (; arguments != NULL && *arguments != NULL; arguments++)
    g_ptr_array_add (argv, (gpointer) *arguments);
  g_ptr_array_add (argv, NULL);

  g_subprocess_launcher_setenv (launcher, "PORT", port, TRUE);
  server->process
    = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  server->log = g_string_new (NULL);
  server->output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (server->process));
  g_data_input_stream_read_line_async (server->output, G_PRIORITY_DEFAULT, NULL, on_line, server);

  server->uri = g_strdup_printf ("http://127.0.0.1:%d/mcp",
                                 atoi (web_server_wait_for_line (server, "listening on port ")));
  return server;
}

void
web_server_stop (WebServer *server)
{
  g_autoptr (GAsyncResult) result = NULL;

  g_subprocess_force_exit (server->process);
  g_subprocess_wait_async (server->process, NULL, store_result, &result);
  wait_for (&result);
  while (!server->output_ended)
    g_main_context_iteration (NULL, TRUE);
  g_object_unref (server->output);
  g_object_unref (server->process);
  g_string_free (server->log, TRUE);
  g_free (server->uri);
  g_free (server);
}

void
open_client (GmcpClient *client)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_client_open_async (client, NULL, store_result, &result);
  gmcp_client_open_finish (client, wait_for (&result), &error);
  g_assert_no_error (error);
}

void
close_client (GmcpClient *client)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_client_close_async (client, NULL, store_result, &result);
  gmcp_client_close_finish (client, wait_for (&result), &error);
  g_assert_no_error (error);
}

void
drop_client (GmcpClient *client, GmcpTransport *transport)
{
  close_client (client);
  g_assert_cmpint (gmcp_transport_get_pid (transport), ==, 0);
  g_assert_finalize_object (client);
  g_assert_finalize_object (transport);
}

GmcpToolResult *
try_call (GmcpClient *client,
          const char *tool,
          const char *arguments,
          GmcpCallOptions *options,
          GCancellable *cancellable,
          GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_client_call_tool_json_async (client, tool, arguments, options, cancellable, store_result,
                                    &result);
  return gmcp_client_call_tool_finish (client, wait_for (&result), error);
}

GmcpToolResult *
call_tool (GmcpClient *client, const char *tool, const char *arguments)
{
  g_autoptr (GError) error = NULL;
  GmcpToolResult *result = try_call (client, tool, arguments, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}

void
assert_call (GmcpClient *client, const char *tool, const char *arguments, GmcpCallOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = try_call (client, tool, arguments, options, NULL, &error);

  g_assert_no_error (error);
  g_assert_false (gmcp_tool_result_is_error (result));
}

void
assert_text (GmcpClient *client, const char *tool, const char *arguments, const char *expected)
{
  g_autoptr (GmcpToolResult) result = call_tool (client, tool, arguments);

  g_assert_false (gmcp_tool_result_is_error (result));
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, expected);
}

GListModel *
list_tools (GmcpClient *client)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GListModel *tools;

  gmcp_client_list_tools_async (client, NULL, store_result, &result);
  tools = gmcp_client_list_tools_finish (client, wait_for (&result), &error);
  g_assert_no_error (error);
  return tools;
}

gboolean
has_tool (GListModel *tools, const char *name)
{
  guint n = g_list_model_get_n_items (tools);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      if (g_str_equal (gmcp_definition_get_name (GMCP_DEFINITION (tool)), name))
        return TRUE;
    }
  return FALSE;
}

void
on_step_of_three (GmcpCallOptions *options,
                  double progress,
                  double total,
                  const char *message,
                  gpointer n_steps)
{
  guint *n = n_steps;

  g_assert_cmpfloat (progress, ==, *n + 1);
  g_assert_cmpfloat (total, ==, 3);
  (*n)++;
}

gboolean
cancel_when_it_waits (gpointer data)
{
  CancelWhenItWaits *cancel = data;
  g_autofree char *said = cancel->transport != NULL
                            ? gmcp_transport_dup_diagnostics (cancel->transport)
                            : g_strdup (web_server_get_log (cancel->server));

  if (said == NULL || strstr (said, "waits to be cancelled") == NULL)
    return G_SOURCE_CONTINUE;
  g_cancellable_cancel (cancel->cancellable);
  return G_SOURCE_REMOVE;
}

gboolean
on_time_to_cancel (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}
