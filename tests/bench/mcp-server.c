/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The server of the benchmarks of the server side, on the public API: the tool echo, as one would write it.
 *
 * mcp-server stdio | mcp-server socket PATH | mcp-server http [--no-sessions]
 *
 * Over HTTP it prints its address. What does not serve its standard input ends when that does. */

#include <gio/gunixinputstream.h>
#include <gio/gunixsocketaddress.h>
#include <gmcp/gmcp.h>

#define SCHEMA                                                                                     \
  "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"}},\"required\":[\"text\"]}"

static void
echo_text (GmcpToolCall *call, gpointer data)
{
  g_autofree char *text = gmcp_tool_call_dup_string_argument (call, "text");
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  gmcp_tool_call_return_result (call, result);
}

static void
on_stdio_ended (GObject *source, GAsyncResult *result, gpointer loop)
{
  gmcp_server_run_stdio_finish (GMCP_SERVER (source), result, NULL);
  g_main_loop_quit (loop);
}

static gboolean
on_input_ended (GObject *stream, gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

static void
run_until_input_ends (GMainLoop *loop)
{
  g_autoptr (GInputStream) input = g_unix_input_stream_new (0, FALSE);
  g_autoptr (GSource) source
    = g_pollable_input_stream_create_source (G_POLLABLE_INPUT_STREAM (input), NULL);

  g_source_set_callback (source, G_SOURCE_FUNC (on_input_ended), loop, NULL);
  g_source_attach (source, NULL);
  g_main_loop_run (loop);
}

static gboolean
on_incoming (GSocketService *service,
             GSocketConnection *connection,
             GObject *source,
             gpointer server)
{
  g_autoptr (GmcpStreamTransport) transport = gmcp_stream_transport_new (G_IO_STREAM (connection));

  gmcp_server_attach (server, GMCP_TRANSPORT (transport));
  return TRUE;
}

static void
serve_socket (GmcpServer *server, const char *path, GMainLoop *loop)
{
  g_autoptr (GSocketService) service = g_socket_service_new ();
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);

  if (!g_socket_listener_add_address (G_SOCKET_LISTENER (service), address, G_SOCKET_TYPE_STREAM,
                                      G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, NULL))
    g_error ("the socket cannot be made");
  g_signal_connect (service, "incoming", G_CALLBACK (on_incoming), server);
  run_until_input_ends (loop);
}

static void
serve_http (GmcpServer *server, gboolean has_sessions, GMainLoop *loop)
{
  g_autoptr (GmcpHttpEndpoint) endpoint = gmcp_http_endpoint_new (server);
  g_autofree char *uri = NULL;

  if (!has_sessions)
    g_object_set (endpoint, "max-sessions", 0, NULL);
  if (!gmcp_http_endpoint_listen (endpoint, 0, NULL))
    g_error ("the server cannot listen");
  uri = gmcp_http_endpoint_dup_uri (endpoint);
  g_print ("%s\n", uri);
  run_until_input_ends (loop);
  gmcp_http_endpoint_close (endpoint);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GmcpServer) server = gmcp_server_new ("echo", "1", NULL);
  g_autoptr (GmcpTool) tool = gmcp_tool_new ("echo", "Gives the text back", SCHEMA, NULL);

  if (argc < 2)
    return 2;
  gmcp_server_add_tool (server, tool, echo_text, NULL, NULL, NULL);
  if (g_str_equal (argv[1], "http"))
    {
      serve_http (server, argc < 3, loop);
    }
  else if (g_str_equal (argv[1], "socket") && argc > 2)
    {
      serve_socket (server, argv[2], loop);
    }
  else
    {
      gmcp_server_run_stdio_async (server, NULL, on_stdio_ended, loop);
      g_main_loop_run (loop);
    }
  return 0;
}
