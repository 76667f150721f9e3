/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A server of 2026-07-28 that asks and logs: chaos-server. Its tools take a mark, which is in all that they say. */

#include <gmcp/gmcp.h>

static const char *
get_mark (GmcpToolCall *call)
{
  return json_object_get_string_member (json_node_get_object (gmcp_tool_call_get_arguments (call)),
                                        "mark");
}

static void
return_text (GmcpToolCall *call, const char *text)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  gmcp_tool_call_return_result (call, result);
}

static void
on_say (GmcpToolCall *call, gpointer data)
{
  gmcp_caller_log (gmcp_tool_call_get_caller (call), GMCP_LOG_LEVEL_WARNING, "say",
                   get_mark (call));
  return_text (call, get_mark (call));
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpToolCall) call = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = gmcp_caller_ask_finish (GMCP_CALLER (source), result, &error);
  g_autofree char *text = NULL;

  if (answer == NULL)
    {
      gmcp_tool_call_return_error (call, error);
      return;
    }
  text = g_strdup_printf ("%s was told %s", get_mark (call), answer);
  return_text (call, text);
}

static void
on_ask (GmcpToolCall *call, gpointer data)
{
  g_autoptr (GmcpElicitation) question = gmcp_elicitation_new (
    get_mark (call), "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}", NULL);

  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), GMCP_INPUT_REQUEST (question), NULL,
                         on_answer, g_object_ref (call));
}

static void
on_finished (GObject *source, GAsyncResult *result, gpointer loop)
{
  gmcp_server_run_stdio_finish (GMCP_SERVER (source), result, NULL);
  g_main_loop_quit (loop);
}

int
main (void)
{
  static const struct
  {
    const char *name;
    GmcpToolFunc func;
  } tools[] = { { "say", on_say }, { "ask", on_ask } };
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GmcpServer) server = gmcp_server_new ("chaos-server", "1.0", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autoptr (GmcpTool) tool
        = gmcp_tool_new (tools[i].name, tools[i].name,
                         "{\"type\":\"object\",\"properties\":{\"mark\":{\"type\":\"string\"}},"
                         "\"required\":[\"mark\"]}",
                         NULL);

      g_assert_true (gmcp_server_add_tool (server, tool, tools[i].func, NULL, NULL, NULL));
    }
  gmcp_server_run_stdio_async (server, NULL, on_finished, loop);
  g_main_loop_run (loop);
  return 0;
}
