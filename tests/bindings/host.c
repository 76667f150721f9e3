/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <gmcp/gmcp.h>

static void
on_called (GObject *object, GAsyncResult *result, gpointer loop)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) answer
    = gmcp_tool_provider_call_tool_finish (GMCP_TOOL_PROVIDER (object), result, &error);
  g_autofree char *text = answer != NULL ? gmcp_tool_result_dup_text (answer) : NULL;

  g_print ("%s\n", answer != NULL ? text : error->message);
  g_main_loop_quit (loop);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer loop)
{
  GmcpToolProvider *provider = GMCP_TOOL_PROVIDER (object);
  GListModel *tools = gmcp_tool_provider_get_tools (provider);
  g_autoptr (GError) error = NULL;

  if (!gmcp_tool_provider_load_finish (provider, result, &error))
    g_error ("%s", error->message);

  for (guint i = 0; i < g_list_model_get_n_items (tools); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      g_print ("%s\n", gmcp_tool_get_name (tool));
    }

  gmcp_tool_provider_call_tool_json_async (provider, "tasks__create_task",
                                           "{\"title\": \"Water the plants\"}", NULL, NULL,
                                           on_called, loop);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GPtrArray) providers = gmcp_tool_providers_load (argv[1], &error);

  if (providers == NULL)
    g_error ("%s", error->message);

  gmcp_tool_provider_load_async (g_ptr_array_index (providers, 0), NULL, on_loaded, loop);
  g_main_loop_run (loop);
  return 0;
}
