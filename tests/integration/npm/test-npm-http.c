/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The client over HTTP against servers of other makers, as npm has them. */

#include <stdlib.h>
#include <string.h>

#include "npm-fixture.h"

#define MODERN   "modern-server.mjs"
#define SESSIONS "session-server.mjs"

typedef struct
{
  WebServer *server;
  GmcpTransport *transport;
  GmcpClient *client;
  guint n_closed;
} Fixture;

static void
on_closed (GmcpClient *client, const GError *error, gpointer user_data)
{
  ((Fixture *) user_data)->n_closed++;
}

/* Starts a server, and a client for it that is not open yet. */
static void
start_server (Fixture *fixture, const char *script, const char *const *arguments)
{
  fixture->server = web_server_start (script, arguments);
  fixture->transport
    = GMCP_TRANSPORT (gmcp_http_transport_new (web_server_get_uri (fixture->server)));
  fixture->client = gmcp_client_new (fixture->transport);
  g_signal_connect (fixture->client, "closed", G_CALLBACK (on_closed), fixture);
}

/* Closes the client, which must have been open all the time, and ends the server. */
static void
stop_server (Fixture *fixture)
{
  drop_client (fixture->client, fixture->transport);
  g_assert_cmpuint (fixture->n_closed, ==, 0);
  web_server_stop (fixture->server);
}

static void
assert_progress (Fixture *fixture, const char *tool, const char *arguments)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  g_signal_connect (options, "progress", G_CALLBACK (on_step_of_three), &n);
  result = try_call (fixture->client, tool, arguments, options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 3);
}

static void
test_modern (gconstpointer arguments)
{
  Fixture fixture = { NULL };
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GmcpToolResult) sum = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  start_server (&fixture, MODERN, arguments);
  open_client (fixture.client);
  g_assert_cmpint (gmcp_client_get_era (fixture.client), ==, GMCP_ERA_MODERN);
  g_assert_cmpstr (gmcp_client_get_instructions (fixture.client), ==, "Call echo.");

  tools = list_tools (fixture.client);
  g_assert_true (has_tool (tools, "add"));
  assert_text (fixture.client, "echo", "{\"text\":\"grüß dich, 世界\"}", "grüß dich, 世界");
  sum = try_call (fixture.client, "add", "{\"a\":40,\"b\":2}", NULL, NULL, &error);
  g_assert_no_error (error);
  json = gmcp_tool_result_dup_structured_content_json (sum);
  g_assert_cmpstr (json, ==, "{\"sum\":42}");
  assert_progress (&fixture, "count", "{\"steps\":3}");
  assert_text (fixture.client, "route", "{\"region\":\"Zürich \"}", "routed to Zürich ");

  /* The list follows the server's changes. */
  assert_text (fixture.client, "grow", "{\"name\":\"später\"}", "grown");
  while (!has_tool (tools, "später"))
    g_main_context_iteration (NULL, TRUE);
  assert_text (fixture.client, "später", NULL, "I am später");

  g_clear_object (&tools);
  stop_server (&fixture);
}

/* A call whose headers lack what the tool wants, since its definition was never read. */
static void
test_modern_mismatch (gconstpointer arguments)
{
  Fixture fixture = { NULL };

  if (skip_without_npm ())
    return;

  start_server (&fixture, MODERN, arguments);
  open_client (fixture.client);
  assert_text (fixture.client, "route", "{\"region\":\"us-west1\"}", "routed to us-west1");
  stop_server (&fixture);
}

static void
test_modern_cancel (gconstpointer arguments)
{
  Fixture fixture = { NULL };
  CancelWhenItWaits cancel = { NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  start_server (&fixture, MODERN, arguments);
  open_client (fixture.client);
  cancel.server = fixture.server;
  cancel.cancellable = cancellable;
  g_timeout_add (5, cancel_when_it_waits, &cancel);
  result = try_call (fixture.client, "wait", "{}", NULL, cancellable, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  web_server_wait_for_line (fixture.server, "was cancelled");
  assert_text (fixture.client, "echo", "{\"text\":\"on\"}", "on");
  stop_server (&fixture);
}

static void
test_everything (gconstpointer arguments)
{
  Fixture fixture = { NULL };
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GmcpToolResult) image = NULL;
  g_autoptr (GBytes) png = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  start_server (&fixture, EVERYTHING, arguments);
  open_client (fixture.client);
  g_assert_cmpint (gmcp_client_get_era (fixture.client), ==, GMCP_ERA_LEGACY);
  g_assert_cmpstr (gmcp_client_get_protocol_version (fixture.client), ==, "2025-11-25");

  tools = list_tools (fixture.client);
  g_assert_true (has_tool (tools, "get-tiny-image"));
  assert_text (fixture.client, "echo", "{\"message\":\"grüß dich, 世界\"}",
               "Echo: grüß dich, 世界");
  image = try_call (fixture.client, "get-tiny-image", NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  png = gmcp_content_dup_data (gmcp_tool_result_get_content (image, 1), &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (png, NULL), 4, "\x89PNG", 4);
  assert_progress (&fixture, "trigger-long-running-operation", "{\"duration\":0.3,\"steps\":3}");

  g_clear_object (&tools);
  close_client (fixture.client);
  /* The session was ended in order. */
  web_server_wait_for_line (fixture.server, "Received session termination request");
  stop_server (&fixture);
}

static void
test_everything_cancel (gconstpointer arguments)
{
  Fixture fixture = { NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  start_server (&fixture, EVERYTHING, arguments);
  open_client (fixture.client);
  g_timeout_add (200, on_time_to_cancel, cancellable);
  result = try_call (fixture.client, "trigger-long-running-operation",
                     "{\"duration\":30,\"steps\":3}", NULL, cancellable, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_text (fixture.client, "echo", "{\"message\":\"on\"}", "Echo: on");
  stop_server (&fixture);
}

/* The server forgets the session, and two calls are made in the next one. */
static void
test_session_forgotten (gconstpointer arguments)
{
  Fixture fixture = { NULL };
  g_autoptr (GAsyncResult) first = NULL;
  g_autoptr (GAsyncResult) second = NULL;
  g_autoptr (GmcpToolResult) first_result = NULL;
  g_autoptr (GmcpToolResult) second_result = NULL;
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  start_server (&fixture, SESSIONS, arguments);
  open_client (fixture.client);
  tools = list_tools (fixture.client);
  assert_text (fixture.client, "sessions", NULL, "1");
  assert_text (fixture.client, "forget", NULL, "forgotten");

  gmcp_client_call_tool_json_async (fixture.client, "echo", NULL, NULL, NULL, store_result, &first);
  gmcp_client_call_tool_json_async (fixture.client, "echo", NULL, NULL, NULL, store_result,
                                    &second);
  first_result = gmcp_client_call_tool_finish (fixture.client, wait_for (&first), &error);
  g_assert_no_error (error);
  second_result = gmcp_client_call_tool_finish (fixture.client, wait_for (&second), &error);
  g_assert_no_error (error);
  assert_text (fixture.client, "sessions", NULL, "2");

  g_clear_object (&first);
  g_clear_object (&second);
  g_clear_object (&tools);
  stop_server (&fixture);
}

/* The connection breaks in the middle of a call, whose answer is lost then. */
static void
test_hang_up (gconstpointer arguments)
{
  Fixture fixture = { NULL };
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  start_server (&fixture, SESSIONS, arguments);
  open_client (fixture.client);
  tools = list_tools (fixture.client);
  assert_text (fixture.client, "hang-up-reading", NULL, "asked 2 times");
  result = try_call (fixture.client, "hang-up", NULL, NULL, NULL, &error);
  g_assert_nonnull (error);
  g_assert_null (result);
  assert_text (fixture.client, "count-hang-up", NULL, "1");

  g_clear_object (&tools);
  stop_server (&fixture);
}

int
main (int argc, char *argv[])
{
  static const char *const modern[] = { "--http", NULL };
  static const char *const modern_streams[] = { "--http", "--sse", NULL };
  static const char *const modern_only[] = { "--http", "--legacy-refused", NULL };
  static const char *const none[] = { NULL };
  static const char *const streamable[] = { "streamableHttp", NULL };

  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/npm/http/modern/both-eras", modern, test_modern);
  g_test_add_data_func ("/npm/http/modern/streams", modern_streams, test_modern);
  g_test_add_data_func ("/npm/http/modern/only", modern_only, test_modern);
  g_test_add_data_func ("/npm/http/modern/mismatch", modern_only, test_modern_mismatch);
  g_test_add_data_func ("/npm/http/modern/cancel", modern, test_modern_cancel);
  g_test_add_data_func ("/npm/http/modern/cancel-streams", modern_streams, test_modern_cancel);
  g_test_add_data_func ("/npm/http/sessions/forgotten", none, test_session_forgotten);
  g_test_add_data_func ("/npm/http/sessions/hang-up", none, test_hang_up);
  g_test_add_data_func ("/npm/http/everything/tools", streamable, test_everything);
  g_test_add_data_func ("/npm/http/everything/cancel", streamable, test_everything_cancel);

  return g_test_run ();
}
