/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Requests and notifications that the library knows nothing of, the metadata of all requests, and
 * what becomes of a server that reports progress all the time. */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <json-glib/json-glib.h>

#include "client-fixture.h"
#include "gmcp-limits.h"
#include "unit-test.h"

#define PARENT "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

static const char *
wait_for (ClientFixture *fixture, const char *method)
{
  wait_for_messages (fixture, method, 1);
  return scripted_server_find (fixture->server, method);
}

static void
send_json (ClientFixture *fixture, const char *params, GmcpCallOptions *options, Waiter *waiter)
{
  gmcp_client_send_request_json_async (fixture->client, "x/ask", params, options, NULL, waiter_done,
                                       waiter);
}

static void
test_json (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  Waiter waiter = { NULL };

  send_json (fixture, "{\"n\": 18446744073709551616.50, \"deep\": {\"a\": [1,\n2]}}", NULL,
             &waiter);
  g_assert_nonnull (strstr (wait_for (fixture, "x/ask"),
                            "\"params\":{\"n\":18446744073709551616.50,\"deep\":{\"a\": [1,2]},"
                            "\"_meta\":{\"progressToken\":"));
  g_assert_nonnull (strstr (wait_for (fixture, "x/ask"),
                            "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\""));
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"m\": 1e400 }}");
  waiter_wait (&waiter);
  text = gmcp_client_send_request_json_finish (fixture->client, waiter.result, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "{\"m\": 1e400 }");
  g_clear_object (&waiter.result);
}

static void
test_node (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (JsonNode) params = json_from_string ("{\"a\":[true]}", NULL);
  g_autoptr (JsonNode) result = NULL;
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  gmcp_client_send_request_async (fixture->client, "x/ask", params, NULL, NULL, waiter_done,
                                  &waiter);
  g_assert_nonnull (strstr (wait_for (fixture, "x/ask"), "\"params\":{\"a\":[true],\"_meta\":{"));
  /* Not every result is an object. */
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":[7]}");
  waiter_wait (&waiter);
  result = gmcp_client_send_request_finish (fixture->client, waiter.result, &error);
  g_assert_no_error (error);
  g_assert_true (json_node_is_immutable (result));
  g_assert_cmpint (json_array_get_int_element (json_node_get_array (result), 0), ==, 7);
  g_clear_object (&waiter.result);
}

static void
test_meta (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (JsonNode) sent = NULL;
  g_autofree char *names = NULL;
  JsonObject *meta;
  g_autoptr (GList) members = NULL;
  GString *joined = g_string_new (NULL);
  Waiter waiter = { NULL };

  g_test_summary ("each member of _meta stands there once; the caller's own stay");
  gmcp_call_options_set_traceparent (options, PARENT, NULL);
  gmcp_call_options_set_meta_json (options, "{\"org.x/b\":1}", NULL);
  send_json (fixture,
             "{\"_meta\":{\"org.x/a\":1,\"org.x/b\":2,\"traceparent\":\"bad\",\"progressToken\":9,"
             "\"io.modelcontextprotocol/protocolVersion\":\"1\",\"baggage\":\"a=b\"},\"c\":3}",
             options, &waiter);
  sent = json_from_string (wait_for (fixture, "x/ask"), NULL);
  meta = json_object_get_object_member (
    json_object_get_object_member (json_node_get_object (sent), "params"), "_meta");
  members = json_object_get_members (meta);
  for (GList *l = members; l != NULL; l = l->next)
    g_string_append_printf (joined, "%s ", (const char *) l->data);
  names = g_string_free (joined, FALSE);
  g_assert_cmpstr (names, ==,
                   "progressToken io.modelcontextprotocol/protocolVersion "
                   "io.modelcontextprotocol/clientInfo io.modelcontextprotocol/clientCapabilities "
                   "traceparent org.x/b org.x/a baggage ");
  g_assert_cmpstr (json_object_get_string_member (meta, "traceparent"), ==, PARENT);
  g_assert_cmpint (json_object_get_int_member (meta, "org.x/b"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (meta, "progressToken"), !=, 9);
  g_assert_null (strstr (scripted_server_find (fixture->server, "x/ask"), "\"bad\""));

  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{}}");
  waiter_wait (&waiter);
  g_clear_object (&waiter.result);
}

static void
test_meta_of_call (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  Waiter waiter = { NULL };

  gmcp_call_options_set_traceparent (options, PARENT, NULL);
  gmcp_call_options_set_tracestate (options, "a=1", NULL);
  gmcp_call_options_set_baggage (options, "k=v", NULL);
  client_fixture_call (fixture, options, NULL, &waiter);
  g_assert_nonnull (strstr (scripted_server_find (fixture->server, "tools/call"),
                            ",\"traceparent\":\"" PARENT
                            "\",\"tracestate\":\"a=1\",\"baggage\":\"k=v\"}"));
  client_fixture_answer_text (fixture, "hi");
  gmcp_tool_result_unref (client_fixture_finish (fixture, &waiter, NULL));
}

static void
test_refused (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  gmcp_client_set_name (fixture->client, "srv");
  send_json (fixture, NULL, NULL, &waiter);
  g_assert_nonnull (strstr (wait_for (fixture, "x/ask"), "\"params\":{\"_meta\":{"));
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32601,"
                        "\"message\":\"What?\"}}");
  waiter_wait (&waiter);
  g_assert_null (gmcp_client_send_request_finish (fixture->client, waiter.result, &error));
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_METHOD_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "srv: What?");
  g_clear_object (&waiter.result);
}

static void
assert_json_fails (ClientFixture *fixture, const char *params, int code)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  Waiter waiter = { NULL };

  send_json (fixture, params, NULL, &waiter);
  waiter_wait (&waiter);
  text = gmcp_client_send_request_json_finish (fixture->client, waiter.result, &error);
  g_assert_null (text);
  g_assert_error (error, GMCP_ERROR, code);
  g_clear_object (&waiter.result);
}

static void
test_bad_params (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (JsonNode) list = json_from_string ("[1]", NULL);
  g_autoptr (JsonNode) nan = json_from_string ("{}", NULL);
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  Waiter second = { NULL };

  assert_json_fails (fixture, "[]", GMCP_ERROR_INVALID_ARGUMENT);
  assert_json_fails (fixture, "{\"a\":}", GMCP_ERROR_INVALID_ARGUMENT);
  assert_json_fails (fixture, "", GMCP_ERROR_INVALID_ARGUMENT);

  gmcp_client_send_request_async (fixture->client, "x/ask", list, NULL, NULL, waiter_done, &waiter);
  waiter_wait (&waiter);
  g_assert_null (gmcp_client_send_request_finish (fixture->client, waiter.result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_clear_object (&waiter.result);

  json_object_set_double_member (json_node_get_object (nan), "n", 0.0 / 0.0);
  gmcp_client_send_request_async (fixture->client, "x/ask", nan, NULL, NULL, waiter_done, &second);
  waiter_wait (&second);
  g_assert_null (gmcp_client_send_request_finish (fixture->client, second.result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_object (&second.result);

  /* What is no object there is left out. */
  send_json (fixture, "{\"_meta\":5,\"b\":1}", NULL, &waiter);
  g_assert_nonnull (strstr (wait_for (fixture, "x/ask"), "\"params\":{\"b\":1,\"_meta\":{"));
  g_assert_cmpuint (scripted_server_count (fixture->server, "x/ask"), ==, 1);
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{}}");
  waiter_wait (&waiter);
  g_clear_object (&waiter.result);
}

static void
test_notifications (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (JsonNode) params = json_from_string ("{\"a\":1}", NULL);
  g_autoptr (JsonNode) list = json_from_string ("[1]", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (
    gmcp_client_send_notification (fixture->client, "notifications/x/1", params, &error));
  g_assert_true (
    gmcp_client_send_notification (fixture->client, "notifications/x/2", NULL, &error));
  g_assert_true (gmcp_client_send_notification_json (fixture->client, "notifications/x/3",
                                                     "{\"big\": 1e999}", &error));
  g_assert_no_error (error);
  g_assert_cmpstr (wait_for (fixture, "notifications/x/1"), ==,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x/1\",\"params\":{\"a\":1}}");
  g_assert_cmpstr (wait_for (fixture, "notifications/x/2"), ==,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x/2\",\"params\":{}}");
  g_assert_nonnull (strstr (wait_for (fixture, "notifications/x/3"), "1e999"));

  g_assert_false (
    gmcp_client_send_notification (fixture->client, "notifications/x/4", list, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (
    gmcp_client_send_notification_json (fixture->client, "notifications/x/4", "{", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
  g_clear_error (&error);

  gmcp_client_close_async (fixture->client, NULL, NULL, NULL);
  g_assert_false (
    gmcp_client_send_notification (fixture->client, "notifications/x/4", params, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  settle ();
  assert_json_fails (fixture, NULL, GMCP_ERROR_CLOSED);
}

typedef struct
{
  guint n;
  double last;
  char *message;
} Progress;

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer user_data)
{
  Progress *seen = user_data;

  g_assert_cmpfloat (progress, >, seen->last);
  seen->n++;
  seen->last = progress;
  g_free (seen->message);
  seen->message = g_strdup (message);
}

static void
report (ClientFixture *fixture, guint n)
{
  for (guint i = 1; i <= n; i++)
    {
      g_autofree char *text
        = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
                           "\"progressToken\":$ID,\"progress\":%u,\"message\":\"Step %u\"}}",
                           i, i);

      scripted_server_send (fixture->server, text);
    }
}

static void
test_progress_flood (ClientFixture *fixture, gconstpointer data)
{
  enum
  {
    N = 20000
  };
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  Progress seen = { 0 };
  Waiter waiter = { NULL };
  gint64 started_us, took_ms;

  g_test_summary ("of many reports some reach the caller, the last among them, before the result");
  g_signal_connect (options, "progress", G_CALLBACK (on_progress), &seen);
  client_fixture_call (fixture, options, NULL, &waiter);
  started_us = g_get_monotonic_time ();
  report (fixture, N);
  client_fixture_answer_text (fixture, "done");
  gmcp_tool_result_unref (client_fixture_finish (fixture, &waiter, NULL));
  took_ms = (g_get_monotonic_time () - started_us) / 1000 + 1;

  g_assert_cmpfloat (seen.last, ==, N);
  g_assert_cmpstr (seen.message, ==, "Step 20000");
  g_assert_cmpint (seen.n, >=, GMCP_LIMIT_PROGRESS_BURST);
  g_assert_cmpint (seen.n, <=,
                   GMCP_LIMIT_PROGRESS_BURST + took_ms * GMCP_LIMIT_PROGRESS_PER_SECOND / 1000 + 2);
  g_free (seen.message);
}

static void
test_progress_held (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  Progress seen = { 0 };
  Waiter waiter = { NULL };

  g_test_summary ("the last report comes in time although the call goes on");
  g_signal_connect (options, "progress", G_CALLBACK (on_progress), &seen);
  client_fixture_call (fixture, options, NULL, &waiter);
  report (fixture, 3 * GMCP_LIMIT_PROGRESS_BURST);
  while (seen.last < 3 * GMCP_LIMIT_PROGRESS_BURST)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (seen.n, <, 3 * GMCP_LIMIT_PROGRESS_BURST);
  client_fixture_answer_text (fixture, "done");
  gmcp_tool_result_unref (client_fixture_finish (fixture, &waiter, NULL));
  g_free (seen.message);
}

static void
close_client (GmcpClient *client)
{
  gmcp_client_close_async (client, NULL, NULL, NULL);
}

static void
test_progress_held_at_end (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  Progress seen = { 0 };
  Waiter waiter = { NULL };

  g_test_summary ("a call ends while a report is held back; or a handler closes the client");
  g_signal_connect (options, "progress", G_CALLBACK (on_progress), &seen);
  client_fixture_call (fixture, options, NULL, &waiter);
  report (fixture, 2 * GMCP_LIMIT_PROGRESS_BURST);
  while (seen.n < GMCP_LIMIT_PROGRESS_BURST)
    g_main_context_iteration (NULL, TRUE);
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-1,"
                                         "\"message\":\"No\"}}");
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_RPC_ERROR, -1);

  g_clear_error (&error);
  seen.last = 0;
  g_signal_connect_swapped (options, "progress", G_CALLBACK (close_client), fixture->client);
  client_fixture_call (fixture, options, NULL, &waiter);
  report (fixture, 2 * GMCP_LIMIT_PROGRESS_BURST);
  result = client_fixture_finish (fixture, &waiter, &error);
  g_assert_null (result);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_free (seen.message);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/client/generic-request/" path, ClientFixture, NULL, client_fixture_set_up, func,   \
              client_fixture_tear_down)
  ADD ("json", test_json);
  ADD ("node", test_node);
  ADD ("meta", test_meta);
  ADD ("meta-of-call", test_meta_of_call);
  ADD ("refused", test_refused);
  ADD ("bad-params", test_bad_params);
  ADD ("notifications", test_notifications);
  ADD ("progress/flood", test_progress_flood);
  ADD ("progress/held", test_progress_held);
  ADD ("progress/held-at-end", test_progress_held_at_end);
#undef ADD

  return g_test_run ();
}
