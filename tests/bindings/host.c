/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <gmcp/gmcp.h>

typedef struct
{
  GMainLoop *loop;
  int status;
} Host;

static void
end (Host *host, const GError *error)
{
  if (error != NULL)
    g_printerr ("%s\n", error->message);
  host->status = error != NULL;
  g_main_loop_quit (host->loop);
}

static void
on_called (GObject *object, GAsyncResult *result, gpointer host)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) answer
    = gmcp_tool_provider_call_tool_json_finish (GMCP_TOOL_PROVIDER (object), result, &error);
  g_autofree char *text = answer != NULL ? gmcp_tool_result_dup_text (answer) : NULL;

  if (text != NULL)
    g_print ("%s\n", text);
  end (host, error);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer host)
{
  GmcpToolProvider *provider = GMCP_TOOL_PROVIDER (object);
  GListModel *tools = gmcp_tool_provider_get_tools (provider);
  g_autoptr (GError) error = NULL;

  if (!gmcp_tool_provider_load_finish (provider, result, &error))
    {
      end (host, error);
      return;
    }

  for (guint i = 0; i < g_list_model_get_n_items (tools); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      g_print ("%s\n", gmcp_definition_get_name (GMCP_DEFINITION (tool)));
    }

  gmcp_tool_provider_call_tool_json_async (provider, "tasks__create_task",
                                           "{\"title\": \"Water the plants\"}", NULL, NULL,
                                           on_called, host);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GFile) config = argc > 1 ? g_file_new_for_commandline_arg (argv[1]) : NULL;
  g_autoptr (GPtrArray) providers = gmcp_load_tool_providers ("org.example.Host", config, &error);
  Host host = { loop, 0 };

  if (providers == NULL)
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }

  gmcp_tool_provider_load_async (g_ptr_array_index (providers, 0), NULL, on_loaded, &host);
  g_main_loop_run (loop);
  return host.status;
}
