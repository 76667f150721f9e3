/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The client against servers of other makers, as npm has them. */

#include <gmcp/gmcp.h>

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  GmcpStdioTransport *transport;
  GmcpClient *client;
  char *folder;
} Fixture;

static void
store_result (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **slot)
{
  while (*slot == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *slot;
}

static const char *
get_node (void)
{
  const char *node = g_getenv ("GMCP_TEST_NODE");

  return node != NULL && *node != '\0' ? node : NULL;
}

static gboolean
skip_without_npm (void)
{
  const char *modules = g_getenv ("GMCP_TEST_NODE_MODULES");

  if (get_node () != NULL && modules != NULL && *modules != '\0')
    return FALSE;
  g_test_skip ("the npm packages of tests/package.json are not installed");
  return TRUE;
}

/* argv: the path below node_modules (or of a file of the tests), then arguments. */
static void
open_server (Fixture *fixture, const char *script, const char *argument)
{
  g_autofree char *path = strchr (script, '/') == NULL
                            ? g_test_build_filename (G_TEST_DIST, "servers", script, NULL)
                            : g_build_filename (g_getenv ("GMCP_TEST_NODE_MODULES"), script, NULL);
  g_autofree char *modules
    = g_strdup_printf ("GMCP_TEST_NODE_MODULES=%s", g_getenv ("GMCP_TEST_NODE_MODULES"));
  const char *argv[] = { get_node (), path, argument, NULL };
  const char *environment[] = { modules, NULL };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fixture->transport = gmcp_stdio_transport_new (argv);
  gmcp_stdio_transport_set_environment (fixture->transport, environment);
  fixture->client = gmcp_client_new (GMCP_TRANSPORT (fixture->transport));
  gmcp_client_open_async (fixture->client, NULL, store_result, &result);
  gmcp_client_open_finish (fixture->client, wait_for (&result), &error);
  g_assert_no_error (error);
}

static void
close_server (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_client_close_async (fixture->client, NULL, store_result, &result);
  gmcp_client_close_finish (fixture->client, wait_for (&result), &error);
  g_assert_no_error (error);
  g_assert_cmpint (gmcp_transport_get_pid (GMCP_TRANSPORT (fixture->transport)), ==, 0);
  g_clear_object (&result);
  g_assert_finalize_object (fixture->client);
  g_assert_finalize_object (fixture->transport);
}

static GmcpToolResult *
try_call (Fixture *fixture,
          const char *tool,
          const char *arguments,
          GmcpCallOptions *options,
          GCancellable *cancellable,
          GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_client_call_tool_json_async (fixture->client, tool, arguments, options, cancellable,
                                    store_result, &result);
  return gmcp_client_call_tool_finish (fixture->client, wait_for (&result), error);
}

static GmcpToolResult *
call (Fixture *fixture, const char *tool, const char *arguments)
{
  g_autoptr (GError) error = NULL;
  GmcpToolResult *result = try_call (fixture, tool, arguments, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}

static void
assert_text (Fixture *fixture, const char *tool, const char *arguments, const char *expected)
{
  g_autoptr (GmcpToolResult) result = call (fixture, tool, arguments);

  g_assert_false (gmcp_tool_result_is_error (result));
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, expected);
}

static void
call_and_drop (Fixture *fixture, const char *tool, const char *arguments)
{
  g_autoptr (GmcpToolResult) result = call (fixture, tool, arguments);

  g_assert_false (gmcp_tool_result_is_error (result));
}

static gboolean
was_asked (Fixture *fixture, const char *text)
{
  g_autoptr (GmcpToolResult) result = call (fixture, "asked", NULL);

  return strstr (gmcp_tool_result_get_text (result), text) != NULL;
}

static GListModel *
list (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GListModel *tools;

  gmcp_client_list_tools_async (fixture->client, NULL, store_result, &result);
  tools = gmcp_client_list_tools_finish (fixture->client, wait_for (&result), &error);
  g_assert_no_error (error);
  return tools;
}

static gboolean
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

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer user_data)
{
  guint *n = user_data;

  g_assert_cmpfloat (progress, ==, *n + 1);
  g_assert_cmpfloat (total, ==, 3);
  (*n)++;
}

static void
test_everything (void)
{
  Fixture fixture = { NULL };
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GmcpToolResult) image = NULL;
  g_autoptr (GmcpToolResult) structured = NULL;
  g_autoptr (GmcpToolResult) links = NULL;
  g_autoptr (GBytes) png = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  open_server (&fixture, "@modelcontextprotocol/server-everything/dist/index.js", "stdio");
  g_assert_cmpint (gmcp_client_get_era (fixture.client), ==, GMCP_ERA_LEGACY);
  g_assert_cmpstr (gmcp_client_get_protocol_version (fixture.client), ==, "2025-11-25");
  g_assert_nonnull (gmcp_client_get_server_info (fixture.client));
  g_assert_nonnull (gmcp_client_get_instructions (fixture.client));

  tools = list (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (tools), >=, 10);
  g_assert_true (has_tool (tools, "get-tiny-image"));

  assert_text (&fixture, "echo", "{\"message\":\"grüß dich, 世界\"}", "Echo: grüß dich, 世界");

  image = call (&fixture, "get-tiny-image", NULL);
  g_assert_cmpuint (gmcp_tool_result_get_n_contents (image), ==, 3);
  g_assert_cmpint (gmcp_content_get_kind (gmcp_tool_result_get_content (image, 1)), ==,
                   GMCP_CONTENT_KIND_IMAGE);
  g_assert_cmpstr (gmcp_content_get_mime_type (gmcp_tool_result_get_content (image, 1)), ==,
                   "image/png");
  png = gmcp_content_dup_data (gmcp_tool_result_get_content (image, 1), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (png), >, 8);
  g_assert_cmpmem (g_bytes_get_data (png, NULL), 4, "\x89PNG", 4);

  structured = call (&fixture, "get-structured-content", "{\"location\":\"Chicago\"}");
  json = gmcp_tool_result_dup_structured_content_json (structured);
  g_assert_nonnull (json);
  g_assert_nonnull (strstr (json, "temperature"));

  links = call (&fixture, "get-resource-links", "{\"count\":2}");
  g_assert_cmpint (gmcp_content_get_kind (gmcp_tool_result_get_content (links, 1)), ==,
                   GMCP_CONTENT_KIND_RESOURCE_LINK);
  g_assert_nonnull (gmcp_content_get_uri (gmcp_tool_result_get_content (links, 1)));

  g_clear_object (&tools);
  close_server (&fixture);
}

static void
test_everything_progress (void)
{
  Fixture fixture = { NULL };
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  if (skip_without_npm ())
    return;

  open_server (&fixture, "@modelcontextprotocol/server-everything/dist/index.js", "stdio");
  g_signal_connect (options, "progress", G_CALLBACK (on_progress), &n);
  result = try_call (&fixture, "trigger-long-running-operation", "{\"duration\":0.3,\"steps\":3}",
                     options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 3);

  /* An unknown tool is the tool's error here, not the protocol's. */
  g_clear_pointer (&result, gmcp_tool_result_unref);
  result = try_call (&fixture, "no-such-tool", "{}", NULL, NULL, &error);
  g_assert_true (result == NULL ? error->domain == GMCP_RPC_ERROR
                                : gmcp_tool_result_is_error (result));
  g_clear_error (&error);

  g_clear_pointer (&result, gmcp_tool_result_unref);
  gmcp_call_options_set_timeout_ms (options, 100);
  gmcp_call_options_set_max_timeout_ms (options, 100);
  result = try_call (&fixture, "trigger-long-running-operation", "{\"duration\":20,\"steps\":1}",
                     options, NULL, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  assert_text (&fixture, "echo", "{\"message\":\"on\"}", "Echo: on");
  close_server (&fixture);
}

static void
test_filesystem (void)
{
  Fixture fixture = { NULL };
  g_autofree char *folder = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  g_autofree char *real = g_canonicalize_filename (folder, NULL);
  g_autofree char *file = g_build_filename (real, "hello.txt", NULL);
  g_autofree char *arguments = g_strdup_printf ("{\"path\":\"%s\"}", file);
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GmcpToolResult) outside = NULL;

  if (skip_without_npm ())
    return;

  g_assert_true (g_file_set_contents (file, "Hello from a file.", -1, NULL));
  open_server (&fixture, "@modelcontextprotocol/server-filesystem/dist/index.js", real);
  tools = list (&fixture);
  g_assert_true (has_tool (tools, "read_text_file"));
  assert_text (&fixture, "read_text_file", arguments, "Hello from a file.");
  outside = call (&fixture, "read_text_file", "{\"path\":\"/etc/passwd\"}");
  g_assert_true (gmcp_tool_result_is_error (outside));

  g_clear_object (&tools);
  close_server (&fixture);
  g_unlink (file);
  g_rmdir (real);
}

static void
test_modern (gconstpointer argument)
{
  Fixture fixture = { NULL };
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GmcpToolResult) sum = NULL;
  g_autoptr (GmcpToolResult) failed = NULL;
  g_autoptr (GmcpToolResult) counted = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  if (skip_without_npm ())
    return;

  open_server (&fixture, "modern-server.mjs", argument);
  g_assert_cmpint (gmcp_client_get_era (fixture.client), ==, GMCP_ERA_MODERN);
  g_assert_cmpstr (gmcp_client_get_protocol_version (fixture.client), ==, "2026-07-28");
  g_assert_cmpstr (gmcp_implementation_get_name (gmcp_client_get_server_info (fixture.client)), ==,
                   "modern-server");
  g_assert_cmpstr (gmcp_client_get_instructions (fixture.client), ==, "Call echo.");

  tools = list (&fixture);
  g_assert_true (has_tool (tools, "add"));
  assert_text (&fixture, "echo", "{\"text\":\"grüß dich, 世界\"}", "grüß dich, 世界");

  sum = call (&fixture, "add", "{\"a\":40,\"b\":2}");
  json = gmcp_tool_result_dup_structured_content_json (sum);
  g_assert_cmpstr (json, ==, "{\"sum\":42}");

  failed = call (&fixture, "fail", NULL);
  g_assert_true (gmcp_tool_result_is_error (failed));

  g_signal_connect (options, "progress", G_CALLBACK (on_progress), &n);
  counted = try_call (&fixture, "count", "{\"steps\":3}", options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 3);

  /* The list follows the server's changes. */
  assert_text (&fixture, "grow", "{\"name\":\"later\"}", "grown");
  while (!has_tool (tools, "later"))
    g_main_context_iteration (NULL, TRUE);
  assert_text (&fixture, "later", NULL, "I am later");

  g_clear_object (&tools);
  close_server (&fixture);
}

static gboolean
on_time_to_cancel (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static void
test_modern_cancel (void)
{
  Fixture fixture = { NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  open_server (&fixture, "modern-server.mjs", NULL);
  g_timeout_add (50, on_time_to_cancel, cancellable);
  result = try_call (&fixture, "wait", "{}", NULL, cancellable, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  for (;;)
    {
      g_autofree char *tail = gmcp_stdio_transport_dup_stderr_tail (fixture.transport);

      if (tail != NULL && strstr (tail, "was cancelled") != NULL)
        break;
      g_main_context_iteration (NULL, TRUE);
    }
  assert_text (&fixture, "echo", "{\"text\":\"on\"}", "on");
  close_server (&fixture);
}

static void
assert_asked (Fixture *fixture, const char *expected)
{
  assert_text (fixture, "asked", NULL, expected);
}

static void
test_cache (void)
{
  Fixture fixture = { NULL };
  g_autoptr (GmcpResponseCache) cache = gmcp_response_cache_new ();
  g_autoptr (GListModel) tools = NULL;

  g_test_summary (
    "Pages come from the cache as long as the server said, and from the server then.");
  if (skip_without_npm ())
    return;

  open_server (&fixture, "paged-server.mjs", NULL);
  gmcp_client_set_response_cache (fixture.client, cache);
  gmcp_client_set_cache_key (fixture.client, "paged");
  tools = list (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 5);
  assert_asked (&fixture, "{\"first\":1,\"second\":1,\"third-1\":1}");
  g_clear_object (&tools);
  tools = list (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 5);
  assert_asked (&fixture, "{\"first\":1,\"second\":1,\"third-1\":2}");

  /* The server turns its cursors round: what is kept leads nowhere, and the list is read anew. */
  call_and_drop (&fixture, "turn", NULL);
  g_clear_object (&tools);
  tools = list (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 5);
  assert_asked (&fixture, "{\"first\":2,\"second\":2,\"third-1\":3,\"third-2\":1}");

  g_clear_object (&tools);
  close_server (&fixture);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (cache), ==, 2);

  /* Another connection of the same server finds what the first had. */
  open_server (&fixture, "paged-server.mjs", NULL);
  gmcp_client_set_response_cache (fixture.client, cache);
  gmcp_client_set_cache_key (fixture.client, "paged");
  call_and_drop (&fixture, "turn", NULL);
  tools = list (&fixture);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 5);
  assert_asked (&fixture, "{\"third-2\":1}");

  /* And what the server says has changed is asked for. */
  call_and_drop (&fixture, "turn", "{\"tell\":true}");
  while (!was_asked (&fixture, "\"third-3\":1"))
    g_main_context_iteration (NULL, FALSE);

  g_clear_object (&tools);
  close_server (&fixture);
}

static void
test_output_schema (void)
{
  Fixture fixture = { NULL };
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GmcpToolResult) strict = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  open_server (&fixture, "paged-server.mjs", NULL);
  tools = list (&fixture);
  result = call (&fixture, "broken", NULL);
  g_assert_error (gmcp_tool_result_get_schema_error (result), GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  gmcp_client_set_strict_output (fixture.client, TRUE);
  strict = try_call (&fixture, "broken", NULL, NULL, NULL, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  g_clear_object (&tools);
  close_server (&fixture);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/npm/everything/tools", test_everything);
  g_test_add_func ("/npm/everything/progress", test_everything_progress);
  g_test_add_func ("/npm/filesystem", test_filesystem);
  g_test_add_data_func ("/npm/modern/both-eras", NULL, test_modern);
  g_test_add_data_func ("/npm/modern/only", "--legacy-refused", test_modern);
  g_test_add_func ("/npm/modern/cancel", test_modern_cancel);
  g_test_add_func ("/npm/modern/cache", test_cache);
  g_test_add_func ("/npm/modern/output-schema", test_output_schema);

  return g_test_run ();
}
