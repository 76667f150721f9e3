/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "npm-fixture.h"

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

      if (g_str_equal (gmcp_tool_get_name (tool), name))
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
on_time_to_cancel (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}
