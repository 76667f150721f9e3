/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A server of 2026-07-28 whose process others may share: share-server LOG. It writes its id to the log when it
 * starts, and each call as a line; the log also marks its command line. */

#include <fcntl.h>
#include <gmcp/gmcp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *log_path;

static void
write_line (const char *line)
{
  int fd = open (log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (dprintf (fd, "%s\n", line), >, 0);
  close (fd);
}

static void
return_text (GmcpToolCall *call, const char *text)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  gmcp_tool_call_return_result (call, result);
}

static void
on_pid (GmcpToolCall *call, gpointer data)
{
  g_autofree char *text = g_strdup_printf ("%d %s", (int) getpid (), g_getenv ("MARK"));

  write_line ("pid");
  return_text (call, text);
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpToolCall) call = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = gmcp_caller_ask_finish (GMCP_CALLER (source), result, &error);

  if (answer != NULL)
    return_text (call, answer);
  else
    gmcp_tool_call_return_error (call, error);
}

static void
on_ask (GmcpToolCall *call, gpointer data)
{
  g_autoptr (GmcpElicitation) question = gmcp_elicitation_new (
    "Who are you?", "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}", NULL);

  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), GMCP_INPUT_REQUEST (question), NULL,
                         on_answer, g_object_ref (call));
}

/* Never answered; ends with the process, or is cancelled. */
static void
on_wait (GmcpToolCall *call, gpointer data)
{
  write_line ("wait");
  g_ptr_array_add (data, g_object_ref (call));
}

static void
on_finished (GObject *source, GAsyncResult *result, gpointer loop)
{
  gmcp_server_run_stdio_finish (GMCP_SERVER (source), result, NULL);
  g_main_loop_quit (loop);
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *name;
    GmcpToolFunc func;
  } tools[] = { { "pid", on_pid }, { "ask", on_ask }, { "wait", on_wait } };
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GmcpServer) server = gmcp_server_new ("share-server", "1.0", NULL);
  g_autoptr (GPtrArray) waiting = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *line = g_strdup_printf ("started %d", (int) getpid ());

  log_path = argv[1];
  write_line (line);
  for (gsize i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autoptr (GmcpTool) tool
        = gmcp_tool_new (tools[i].name, tools[i].name, "{\"type\":\"object\"}", NULL);

      g_assert_true (gmcp_server_add_tool (server, tool, tools[i].func, waiting, NULL, NULL));
    }
  gmcp_server_run_stdio_async (server, NULL, on_finished, loop);
  g_main_loop_run (loop);
  return 0;
}
