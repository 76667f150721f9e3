/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The client against servers of other makers, as npm has them. */

#include <glib/gstdio.h>
#include <string.h>

#include "npm-fixture.h"

typedef struct
{
  GmcpTransport *transport;
  GmcpClient *client;
} Fixture;

static void
open_server (Fixture *fixture, const char *script, const char *argument)
{
  fixture->transport = new_script_transport (script, argument);
  fixture->client = gmcp_client_new (fixture->transport);
  open_client (fixture->client);
}

static gboolean
was_asked (Fixture *fixture, const char *text)
{
  g_autoptr (GmcpToolResult) result = call_tool (fixture->client, "asked", NULL);

  return strstr (gmcp_tool_result_get_text (result), text) != NULL;
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

  open_server (&fixture, EVERYTHING, "stdio");
  g_assert_cmpint (gmcp_client_get_era (fixture.client), ==, GMCP_ERA_LEGACY);
  g_assert_cmpstr (gmcp_client_get_protocol_version (fixture.client), ==, "2025-11-25");
  g_assert_nonnull (gmcp_client_get_server_info (fixture.client));
  g_assert_nonnull (gmcp_client_get_instructions (fixture.client));

  tools = list_tools (fixture.client);
  g_assert_cmpuint (g_list_model_get_n_items (tools), >=, 10);
  g_assert_true (has_tool (tools, "get-tiny-image"));

  assert_text (fixture.client, "echo", "{\"message\":\"grüß dich, 世界\"}",
               "Echo: grüß dich, 世界");

  image = call_tool (fixture.client, "get-tiny-image", NULL);
  g_assert_cmpuint (gmcp_tool_result_get_n_contents (image), ==, 3);
  g_assert_cmpint (gmcp_content_get_kind (gmcp_tool_result_get_content (image, 1)), ==,
                   GMCP_CONTENT_KIND_IMAGE);
  g_assert_cmpstr (gmcp_content_get_mime_type (gmcp_tool_result_get_content (image, 1)), ==,
                   "image/png");
  png = gmcp_content_dup_data (gmcp_tool_result_get_content (image, 1), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (png), >, 8);
  g_assert_cmpmem (g_bytes_get_data (png, NULL), 4, "\x89PNG", 4);

  structured = call_tool (fixture.client, "get-structured-content", "{\"location\":\"Chicago\"}");
  json = gmcp_tool_result_dup_structured_content_json (structured);
  g_assert_nonnull (json);
  g_assert_nonnull (strstr (json, "temperature"));

  links = call_tool (fixture.client, "get-resource-links", "{\"count\":2}");
  g_assert_cmpint (gmcp_content_get_kind (gmcp_tool_result_get_content (links, 1)), ==,
                   GMCP_CONTENT_KIND_RESOURCE_LINK);
  g_assert_nonnull (gmcp_content_get_uri (gmcp_tool_result_get_content (links, 1)));

  g_clear_object (&tools);
  drop_client (fixture.client, fixture.transport);
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

  open_server (&fixture, EVERYTHING, "stdio");
  g_signal_connect (options, "progress", G_CALLBACK (on_step_of_three), &n);
  result = try_call (fixture.client, "trigger-long-running-operation",
                     "{\"duration\":0.3,\"steps\":3}", options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 3);

  /* An unknown tool is the tool's error here, not the protocol's. */
  g_clear_pointer (&result, gmcp_tool_result_unref);
  result = try_call (fixture.client, "no-such-tool", "{}", NULL, NULL, &error);
  g_assert_true (result == NULL ? error->domain == GMCP_RPC_ERROR
                                : gmcp_tool_result_is_error (result));
  g_clear_error (&error);

  g_clear_pointer (&result, gmcp_tool_result_unref);
  gmcp_call_options_set_timeout_ms (options, 100);
  gmcp_call_options_set_max_timeout_ms (options, 100);
  result = try_call (fixture.client, "trigger-long-running-operation",
                     "{\"duration\":20,\"steps\":1}", options, NULL, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  assert_text (fixture.client, "echo", "{\"message\":\"on\"}", "Echo: on");
  drop_client (fixture.client, fixture.transport);
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
  tools = list_tools (fixture.client);
  g_assert_true (has_tool (tools, "read_text_file"));
  assert_text (fixture.client, "read_text_file", arguments, "Hello from a file.");
  outside = call_tool (fixture.client, "read_text_file", "{\"path\":\"/etc/passwd\"}");
  g_assert_true (gmcp_tool_result_is_error (outside));

  g_clear_object (&tools);
  drop_client (fixture.client, fixture.transport);
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

  tools = list_tools (fixture.client);
  g_assert_true (has_tool (tools, "add"));
  assert_text (fixture.client, "echo", "{\"text\":\"grüß dich, 世界\"}", "grüß dich, 世界");

  sum = call_tool (fixture.client, "add", "{\"a\":40,\"b\":2}");
  json = gmcp_tool_result_dup_structured_content_json (sum);
  g_assert_cmpstr (json, ==, "{\"sum\":42}");

  failed = call_tool (fixture.client, "fail", NULL);
  g_assert_true (gmcp_tool_result_is_error (failed));

  g_signal_connect (options, "progress", G_CALLBACK (on_step_of_three), &n);
  counted = try_call (fixture.client, "count", "{\"steps\":3}", options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 3);

  /* The list follows the server's changes. */
  assert_text (fixture.client, "grow", "{\"name\":\"later\"}", "grown");
  while (!has_tool (tools, "later"))
    g_main_context_iteration (NULL, TRUE);
  assert_text (fixture.client, "later", NULL, "I am later");

  g_clear_object (&tools);
  drop_client (fixture.client, fixture.transport);
}

static void
test_modern_cancel (void)
{
  Fixture fixture = { NULL };
  CancelWhenItWaits cancel = { NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  open_server (&fixture, "modern-server.mjs", NULL);
  cancel.transport = fixture.transport;
  cancel.cancellable = cancellable;
  g_timeout_add (5, cancel_when_it_waits, &cancel);
  result = try_call (fixture.client, "wait", "{}", NULL, cancellable, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  for (;;)
    {
      g_autofree char *tail = gmcp_transport_dup_diagnostics (fixture.transport);

      if (tail != NULL && strstr (tail, "was cancelled") != NULL)
        break;
      g_main_context_iteration (NULL, TRUE);
    }
  assert_text (fixture.client, "echo", "{\"text\":\"on\"}", "on");
  drop_client (fixture.client, fixture.transport);
}

static void
assert_asked (Fixture *fixture, const char *expected)
{
  assert_text (fixture->client, "asked", NULL, expected);
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
  tools = list_tools (fixture.client);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 5);
  assert_asked (&fixture, "{\"first\":1,\"second\":1,\"third-1\":1}");
  g_clear_object (&tools);
  tools = list_tools (fixture.client);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 5);
  assert_asked (&fixture, "{\"first\":1,\"second\":1,\"third-1\":2}");

  /* The server turns its cursors round: what is kept leads nowhere, and the list is read anew. */
  assert_call (fixture.client, "turn", NULL, NULL);
  g_clear_object (&tools);
  tools = list_tools (fixture.client);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 5);
  assert_asked (&fixture, "{\"first\":2,\"second\":2,\"third-1\":3,\"third-2\":1}");

  g_clear_object (&tools);
  drop_client (fixture.client, fixture.transport);
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (cache), ==, 2);

  /* Another connection of the same server finds what the first had. */
  open_server (&fixture, "paged-server.mjs", NULL);
  gmcp_client_set_response_cache (fixture.client, cache);
  gmcp_client_set_cache_key (fixture.client, "paged");
  assert_call (fixture.client, "turn", NULL, NULL);
  tools = list_tools (fixture.client);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 5);
  assert_asked (&fixture, "{\"third-2\":1}");

  /* And what the server says has changed is asked for. */
  assert_call (fixture.client, "turn", "{\"tell\":true}", NULL);
  while (!was_asked (&fixture, "\"third-3\":1"))
    g_main_context_iteration (NULL, FALSE);

  g_clear_object (&tools);
  drop_client (fixture.client, fixture.transport);
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
  tools = list_tools (fixture.client);
  result = call_tool (fixture.client, "broken", NULL);
  g_assert_error (gmcp_tool_result_get_schema_error (result), GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  gmcp_client_set_strict_output (fixture.client, TRUE);
  strict = try_call (fixture.client, "broken", NULL, NULL, NULL, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  g_clear_object (&tools);
  drop_client (fixture.client, fixture.transport);
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
