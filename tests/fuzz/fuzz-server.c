/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gmcp/server/gmcp-server.h>
#include <gmcp/transport/gmcp-memory-transport.h>

#include "gmcp-json-private.h"
#include "gmcp-transport-private.h"

/* Each line is a message to a server. Whatever they are: each message of the server is JSON, and the
 * server answers a good request after them. */

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static const char good_request[]
  = "{\"jsonrpc\":\"2.0\",\"id\":\"good request\",\"method\":\"tools/call\",\"params\":{"
    "\"name\":\"echo\",\"arguments\":{\"text\":\"t\"},\"_meta\":{"
    "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
    "\"io.modelcontextprotocol/clientCapabilities\":{}}}}";

static const char *const tools[] = {
  "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
  "\"text\":{\"type\":\"string\"}},\"required\":[\"text\"]}}",
  "{\"name\":\"later\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"array\"}}",
};

static GmcpServer *server;
static GPtrArray *later;

static void
fail (const char *what)
{
  g_printerr ("%s\n", what);
  abort ();
}

static void
on_call (GmcpToolCall *call, gpointer user_data)
{
  g_autoptr (GmcpToolResult) result = NULL;

  if (strcmp (gmcp_tool_call_get_name (call), "later") == 0)
    {
      g_ptr_array_add (later, g_object_ref (call));
      return;
    }

  gmcp_tool_call_get_arguments (call);
  gmcp_caller_get_client_info (gmcp_tool_call_get_caller (call));
  result = gmcp_tool_result_new_text (gmcp_tool_call_get_arguments_json (call));
  gmcp_tool_call_return_result (call, result);
}

static void
return_later (gpointer data, gpointer user_data)
{
  GmcpToolCall *call = data;
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_structured ("[1]", FALSE, NULL);

  gmcp_tool_call_report_progress (call, 1, 2, "m");
  gmcp_tool_call_return_result (call, result);
}

static void
make_server (void)
{
  server = gmcp_server_new ("fuzz", "1", NULL);
  later = g_ptr_array_new_with_free_func (g_object_unref);
  g_object_set (server, "page-size", 1, "max-requests", 3, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autoptr (GmcpTool) tool = gmcp_tool_new_from_json (tools[i], NULL);

      if (!gmcp_server_add_tool (server, tool, on_call, NULL, NULL, NULL))
        fail ("the tool was not added");
    }
}

static void
on_message (gpointer taker, const char *text, gsize length, GBytes *owner)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, length, NULL, 0, NULL);
  GmcpJsonValue root;

  if (doc == NULL || memchr (text, '\n', length) != NULL)
    fail ("the server sent what is not one line of JSON");

  root = gmcp_json_doc_get_root (doc);
  if (gmcp_json_value_equals_string (gmcp_json_value_get_member (root, "id"), "good request")
      && gmcp_json_value_is_present (gmcp_json_value_get_member (root, "result")))
    *(gboolean *) taker = TRUE;
}

static void
on_violation (gpointer taker, const GError *error)
{
}

static void
on_closed (gpointer taker, const GError *error)
{
}

static const GmcpTransportTaker taker_funcs = { on_message, on_violation, on_closed, NULL };

static void
run (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
send_text (GmcpTransport *client, const char *text, gsize length)
{
  GmcpOutgoing message = { .text = text, .length = length };

  if (!gmcp_transport_send (client, &message, NULL))
    fail ("the server closed the connection");
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GmcpTransport) transport = NULL;
  g_autoptr (GmcpTransport) client = NULL;
  const char *text = (const char *) data;
  const char *end = text + size;
  gboolean answered = FALSE;

  if (server == NULL)
    make_server ();

  gmcp_memory_transport_new_pair (&client, &transport);
  gmcp_server_attach (server, transport);
  gmcp_transport_set_taker (client, &taker_funcs, &answered);
  gmcp_transport_open_async (client, NULL, NULL, NULL);
  run ();

  while (text < end)
    {
      const char *line_end = memchr (text, '\n', end - text);
      gsize length = (line_end != NULL ? line_end : end) - text;

      if (length > 0)
        send_text (client, text, length);
      text += length + 1;
    }
  run ();

  g_ptr_array_foreach (later, return_later, NULL);
  g_ptr_array_set_size (later, 0);
  send_text (client, good_request, strlen (good_request));
  run ();
  /* Subscriptions can use up what may run at once; then there is an error instead. */
  if (!answered && size < 500)
    fail ("the server did not answer");

  gmcp_transport_close_async (client, NULL, NULL, NULL);
  run ();
  return 0;
}
