/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "scripted-server.h"

#include <gmcp/transport/gmcp-memory-transport.h>

#include "gmcp-tool-private.h"
#include "gmcp-transport-private.h"
#include "unit-test.h"

typedef struct
{
  GmcpTransport *client_end;
  GmcpTransport *server_end;
  GmcpClient *client;
  ScriptedServer *server;
  guint n_closed;
} Fixture;

typedef struct
{
  GAsyncResult *result;
} Waiter;

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Waiter *waiter = user_data;

  g_assert_null (waiter->result);
  waiter->result = g_object_ref (result);
}

static void
wait_for (Waiter *waiter)
{
  while (waiter->result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
on_closed (GmcpClient *client, const GError *error, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_nonnull (error);
  g_assert_false (gmcp_client_is_open (client));
  fixture->n_closed++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };
  g_autoptr (GError) error = NULL;

  gmcp_memory_transport_new_pair (&fixture->client_end, &fixture->server_end);
  fixture->client = gmcp_client_new (fixture->client_end);
  gmcp_client_set_name (fixture->client, "srv");
  g_signal_connect (fixture->client, "closed", G_CALLBACK (on_closed), fixture);
  fixture->server = scripted_server_new (
    fixture->server_end, data != NULL ? (ScriptedServerFunc) data : scripted_server_modern);
  gmcp_client_open_async (fixture->client, NULL, on_result, &waiter);
  wait_for (&waiter);
  gmcp_client_open_finish (fixture->client, waiter.result, &error);
  g_assert_no_error (error);
  g_object_unref (waiter.result);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  settle ();
  g_assert_finalize_object (fixture->client);
  scripted_server_free (fixture->server);
  g_object_unref (fixture->client_end);
  g_object_unref (fixture->server_end);
  settle ();
}

static void
call (Fixture *fixture, const char *arguments, GmcpCallOptions *options, Waiter *waiter)
{
  guint before = scripted_server_count (fixture->server, "tools/call");

  gmcp_client_call_tool_json_async (fixture->client, "echo", arguments, options, NULL, on_result,
                                    waiter);
  while (scripted_server_count (fixture->server, "tools/call") == before && waiter->result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static GmcpToolResult *
finish (Fixture *fixture, Waiter *waiter, GError **error)
{
  GmcpToolResult *result;

  wait_for (waiter);
  result = gmcp_client_call_tool_finish (fixture->client, waiter->result, error);
  g_clear_object (&waiter->result);
  return result;
}

static void
assert_echo_works (Fixture *fixture)
{
  Waiter waiter = { NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;

  call (fixture, NULL, NULL, &waiter);
  scripted_server_send (
    fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[{\"type\":\"text\","
                     "\"text\":\"still here\"}]}}");
  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "still here");
}

static void
test_request (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  Waiter waiter = { NULL };
  const char *sent;

  gmcp_call_options_set_meta_json (options,
                                   "{\"traceparent\": \"00-1\", \"progressToken\": 99,"
                                   " \"io.modelcontextprotocol/protocolVersion\": \"x\"}",
                                   &error);
  g_assert_no_error (error);
  call (fixture, "{\"text\" :\n \"a\\u0041\",\n\"n\": 123456789012345678901234567890.50}", options,
        &waiter);

  sent = scripted_server_find (fixture->server, "tools/call");
  g_assert_null (strchr (sent, '\n'));
  g_assert_nonnull (strstr (sent, "\"name\":\"echo\""));
  g_assert_nonnull (strstr (sent, "123456789012345678901234567890.50"));
  g_assert_nonnull (strstr (sent, "a\\u0041"));
  g_assert_nonnull (strstr (sent, "\"traceparent\":\"00-1\""));
  g_assert_null (strstr (sent, "99,"));
  g_assert_null (strstr (sent, "\"x\""));
  g_assert_nonnull (strstr (sent, "\"progressToken\":"));

  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"complete\","
                        "\"content\":[{\"type\":\"text\",\"text\":\"hi\"}],\"isError\":true}}");
  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);
  g_assert_true (gmcp_tool_result_is_error (result));
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "hi");
}

static void
test_node_arguments (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonNode) node = json_from_string ("{\"b\":[1,2.5,null,true,\"x\\n\"]}", NULL);
  g_autoptr (JsonNode) array = json_from_string ("[1]", NULL);
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  g_autoptr (GmcpToolResult) result = NULL;

  gmcp_client_call_tool_async (fixture->client, "echo", node, NULL, NULL, on_result, &waiter);
  while (scripted_server_find (fixture->server, "tools/call") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (strstr (scripted_server_find (fixture->server, "tools/call"),
                            "\"arguments\":{\"b\":[1,2.5,null,true,\"x\\n\"]}"));
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[]}}");
  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);

  gmcp_client_call_tool_async (fixture->client, "echo", array, NULL, NULL, on_result, &waiter);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

static void
test_bad_arguments (Fixture *fixture, gconstpointer data)
{
  static const char *const bad[] = { "",     "[]",           "{",
                                     "null", "{\"a\":1}x",   "{'a':1}",
                                     "7",    "[\"s3cret\"]", "{\"a\":\"s3cret\"}x" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      Waiter waiter = { NULL };
      g_autoptr (GError) error = NULL;

      gmcp_client_call_tool_json_async (fixture->client, "echo", bad[i], NULL, NULL, on_result,
                                        &waiter);
      g_assert_null (finish (fixture, &waiter, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
      /* Arguments may be secret. */
      g_assert_null (strstr (error->message, "s3cret"));
    }
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, 0);
}

/* One answer to a call each, and the error that comes of it. */
typedef struct
{
  const char *name;
  const char *answer;
  GQuark (*domain) (void);
  int code;
} AnswerCase;

static const AnswerCase answer_cases[] = {
  { "rpc-error",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32602,\"message\":\"Unknown\"}}",
    gmcp_rpc_error_quark, -32602 },
  { "rpc-error-empty", "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{}}", gmcp_rpc_error_quark,
    -32603 },
  { "null-result", "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":null}", gmcp_error_quark,
    GMCP_ERROR_PROTOCOL },
  { "unknown-kind", "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"dance\"}}",
    gmcp_error_quark, GMCP_ERROR_PROTOCOL },
  { "input-required-of-nothing",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"input_required\"}}",
    gmcp_error_quark, GMCP_ERROR_PROTOCOL },
  { "invalid-utf8", "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[\"\xff\"]}}",
    gmcp_error_quark, GMCP_ERROR_PROTOCOL },
  { "cut", "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[", gmcp_error_quark,
    GMCP_ERROR_PROTOCOL },
};

static void
test_answer (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (answer_cases); i++)
    {
      g_autoptr (GError) error = NULL;
      Waiter waiter = { NULL };

      g_test_message ("%s", answer_cases[i].name);
      call (fixture, "{}", NULL, &waiter);
      scripted_server_send (fixture->server, answer_cases[i].answer);
      g_assert_null (finish (fixture, &waiter, &error));
      g_assert_error (error, answer_cases[i].domain (), answer_cases[i].code);
      g_assert_nonnull (strstr (error->message, "srv"));
    }
  assert_echo_works (fixture);
}

static void
test_noise (Fixture *fixture, gconstpointer data)
{
  static const char *const noise[] = {
    "{}",
    "7",
    "null",
    "{\"jsonrpc\":\"2.0\",\"result\":null}",
    "{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":\"$ID\",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"s\"}]}}",
    "{\"jsonrpc\":\"2.0\",\"id\":-1,\"result\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1,\"message\":\"m\"}}",
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"m\"}}",
    "[{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"b\"}]}}]",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"$ID\"}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unheard\",\"params\":[1]}",
    "{\"jsonrpc\":\"2.0\",\"method\":5,\"id\":1}",
    "[INFO] listening on stdio",
    "[2026-01-01] {\"id\":$ID}",
    "{ \"level\": 30, \"id\":$ID, broken",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autofree char *deep = g_strnfill (200 * 1024, '[');
  Waiter waiter = { NULL };

  g_test_summary ("nothing that is no answer to the call ends it, nor a later one");
  call (fixture, "{}", NULL, &waiter);
  for (guint i = 0; i < G_N_ELEMENTS (noise); i++)
    scripted_server_send (fixture->server, noise[i]);
  scripted_server_send (fixture->server, deep);
  settle ();
  g_assert_null (waiter.result);

  scripted_server_send (
    fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[{\"type\":\"text\","
                     "\"text\":\"real\"}]}}");
  scripted_server_send (
    fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[{\"type\":\"text\","
                     "\"text\":\"twice\"}]}}");
  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "real");
  assert_echo_works (fixture);
}

static void
test_broken_answer (Fixture *fixture, gconstpointer data)
{
  Waiter first = { NULL }, second = { NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autofree char *first_id = NULL;
  g_autofree char *broken = NULL;

  g_test_summary ("an answer that cannot be read ends the call that it is for, whatever ids it has "
                  "inside");
  call (fixture, "{}", NULL, &first);
  first_id = g_strdup (fixture->server->last_id);
  call (fixture, "{}", NULL, &second);
  broken = g_strdup_printf (
    "{\"jsonrpc\":\"2.0\",\"result\":{\"content\":[\"\\\"id\\\":%s\",{\"id\":%s}],"
    "\"x\":\"\xff\"}, \"id\" : $ID }",
    first_id, first_id);
  scripted_server_send (fixture->server, broken);
  g_assert_null (finish (fixture, &second, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  g_assert_null (first.result);

  g_clear_error (&error);
  g_free (fixture->server->last_id);
  fixture->server->last_id = g_steal_pointer (&first_id);
  scripted_server_send (
    fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":null,\"result\":{\"content\":[]}}");
  result = finish (fixture, &first, &error);
  g_assert_no_error (error);
}

static void
test_problem_in_timeout (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();

  g_test_summary ("a time-out tells of what could not be read, unless something else came since");
  gmcp_call_options_set_timeout_ms (options, 30000);
  gmcp_call_options_set_max_timeout_ms (options, 20);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      Waiter waiter = { NULL };

      call (fixture, "{}", options, &waiter);
      scripted_server_send (fixture->server, "{\"no\": json");
      if (i == 1)
        scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}");
      g_assert_null (finish (fixture, &waiter, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
      g_assert_nonnull (strstr (error->message, "20 ms"));
      g_assert_cmpint (strstr (error->message, "could not be read") != NULL, ==, i == 0);
    }
}

static void
test_timeout (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  g_autofree char *cancelled = NULL;

  gmcp_call_options_set_timeout_ms (options, 20);
  call (fixture, "{}", options, &waiter);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "srv"));
  g_assert_nonnull (strstr (error->message, "echo"));
  g_assert_nonnull (strstr (error->message, "20 ms"));

  while (scripted_server_find (fixture->server, "notifications/cancelled") == NULL)
    g_main_context_iteration (NULL, TRUE);
  cancelled = g_strdup_printf ("\"requestId\":%s,", fixture->server->last_id);
  g_assert_nonnull (
    strstr (scripted_server_find (fixture->server, "notifications/cancelled"), cancelled));

  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[]}}");
  assert_echo_works (fixture);
}

/* Sends progress until the call has ended, and says whether it was often enough to put off a limit of TIMEOUT_MS:
 * where the machine let this process wait, the limit was right to end the call. */
static gboolean
send_progress (Fixture *fixture, Waiter *waiter, guint timeout_ms)
{
  gint64 last_us = g_get_monotonic_time ();
  gint64 longest_us = 0;

  while (waiter->result == NULL)
    {
      gint64 now_us = g_get_monotonic_time ();

      longest_us = MAX (longest_us, now_us - last_us);
      last_us = now_us;
      scripted_server_send (fixture->server,
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                            "{\"progressToken\":$ID,\"progress\":1}}");
      while (g_main_context_iteration (NULL, FALSE))
        ;
      /* What sleeps is not kept waiting for long by what is busy. */
      g_usleep (timeout_ms * 1000 / 50);
    }
  longest_us = MAX (longest_us, g_get_monotonic_time () - last_us);
  return longest_us < timeout_ms * 1000 / 4;
}

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer user_data)
{
  g_string_append_printf (user_data, "%g/%g %s;", progress, total, message != NULL ? message : "-");
}

static void
test_progress (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  gboolean in_time;
  gint64 start;

  g_test_summary ("progress puts the time limit off, but not past the absolute one");
  gmcp_call_options_set_timeout_ms (options, 250);
  gmcp_call_options_set_max_timeout_ms (options, 600);
  g_signal_connect (options, "progress", G_CALLBACK (on_progress), seen);
  do
    {
      g_clear_error (&error);
      g_string_truncate (seen, 0);
      start = g_get_monotonic_time ();
      call (fixture, "{}", options, &waiter);
      scripted_server_send (
        fixture->server,
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
        "{\"progressToken\":$ID,\"progress\":0.5,\"total\":2,\"message\":\"half\"}}");
      in_time = send_progress (fixture, &waiter, 250);
      g_assert_null (finish (fixture, &waiter, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
    }
  while (!in_time);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 600 * 1000);
  g_assert_nonnull (strstr (error->message, "600 ms"));
  g_assert_true (g_str_has_prefix (seen->str, "0.5/2 half;1/-1 -;"));
}

static void
test_limits (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpCallOptions) patient = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  Waiter patient_waiter = { NULL };
  gboolean in_time;
  gint64 start;

  g_test_summary (
    "the client's limits hold where the call has none of its own, for each call apart");
  gmcp_client_set_call_timeout_ms (fixture->client, 250);
  gmcp_client_set_max_call_timeout_ms (fixture->client, 600);
  gmcp_client_set_startup_timeout_ms (fixture->client, 1);
  gmcp_client_set_probe_timeout_ms (fixture->client, 1);

  /* Longer than the client's absolute limit: who asks for that means it. Longer than this test, too, however often
   * the loop below has to begin anew. */
  gmcp_call_options_set_timeout_ms (patient, 3600 * 1000);
  call (fixture, "{}", patient, &patient_waiter);
  start = g_get_monotonic_time ();
  call (fixture, "{}", NULL, &waiter);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "250 ms"));
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 250 * 1000);
  g_clear_error (&error);

  do
    {
      g_clear_error (&error);
      start = g_get_monotonic_time ();
      call (fixture, "{}", options, &waiter);
      in_time = send_progress (fixture, &waiter, 250);
      g_assert_null (finish (fixture, &waiter, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
    }
  while (!in_time);
  g_assert_nonnull (strstr (error->message, "600 ms"));
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 600 * 1000);
  g_clear_error (&error);

  g_assert_null (patient_waiter.result);
  gmcp_client_close_async (fixture->client, NULL, NULL, NULL);
  g_assert_null (finish (fixture, &patient_waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  gmcp_client_call_tool_async (fixture->client, "echo", NULL, NULL, cancellable, on_result,
                               &waiter);
  while (scripted_server_find (fixture->server, "tools/call") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_cancellable_cancel (cancellable);
  g_assert_null (waiter.result);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  while (scripted_server_find (fixture->server, "notifications/cancelled") == NULL)
    g_main_context_iteration (NULL, TRUE);
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[]}}");
  settle ();

  g_clear_error (&error);
  gmcp_client_call_tool_async (fixture->client, "echo", NULL, NULL, cancellable, on_result,
                               &waiter);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, 1);
  assert_echo_works (fixture);
}

static void
test_closed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) cut = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_SERVER_EXITED, "it ended");
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL }, second = { NULL };

  g_test_summary ("a call that waits when the connection breaks fails, and so does the next");
  call (fixture, "{}", NULL, &waiter);
  gmcp_transport_closed (fixture->client_end, cut);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  g_assert_cmpuint (fixture->n_closed, ==, 1);

  g_clear_error (&error);
  gmcp_client_call_tool_async (fixture->client, "echo", NULL, NULL, NULL, on_result, &second);
  g_assert_null (finish (fixture, &second, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
}

static void
test_close (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL }, closing = { NULL };

  call (fixture, "{}", NULL, &waiter);
  gmcp_client_close_async (fixture->client, NULL, on_result, &closing);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  wait_for (&closing);
  g_clear_error (&error);
  g_assert_true (gmcp_client_close_finish (fixture->client, closing.result, &error));
  g_clear_object (&closing.result);
  g_assert_cmpuint (fixture->n_closed, ==, 0);

  gmcp_client_close_async (fixture->client, NULL, on_result, &closing);
  wait_for (&closing);
  g_assert_true (gmcp_client_close_finish (fixture->client, closing.result, &error));
  g_clear_object (&closing.result);
}

static void
test_ping (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  gmcp_client_ping_async (fixture->client, NULL, NULL, on_result, &waiter);
  wait_for (&waiter);
  g_assert_true (gmcp_client_ping_finish (fixture->client, waiter.result, &error));
  g_clear_object (&waiter.result);
}

static void
test_requests_of_the_server (Fixture *fixture, gconstpointer data)
{
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}");
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"roots/list\"}");
  settle ();
  g_assert_cmpstr (
    g_ptr_array_index (fixture->server->received, fixture->server->received->len - 2), ==,
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
  g_assert_nonnull (
    strstr (g_ptr_array_index (fixture->server->received, fixture->server->received->len - 1),
            "\"id\":\"a\",\"error\":{\"code\":-32601"));
}

static void
list_tools (Fixture *fixture, GError **error)
{
  Waiter waiter = { NULL };
  g_autoptr (GListModel) tools = NULL;

  gmcp_client_list_tools_async (fixture->client, NULL, on_result, &waiter);
  wait_for (&waiter);
  tools = gmcp_client_list_tools_finish (fixture->client, waiter.result, error);
  g_assert_true (tools == NULL || tools == gmcp_client_get_tools (fixture->client));
  g_object_unref (waiter.result);
}

static void
test_list (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) tool = NULL;

  list_tools (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (gmcp_client_get_tools (fixture->client)), ==, 2);
  tool = g_list_model_get_item (gmcp_client_get_tools (fixture->client), 1);
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (tool)), ==, "add");
}

static void
answer_changed (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "tools/list"))
    scripted_server_send (
      server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[{\"name\":\"new\"}]}}");
  else
    scripted_server_modern (server, method, message);
}

static void
test_list_changed (Fixture *fixture, gconstpointer data)
{
  GListModel *tools = gmcp_client_get_tools (fixture->client);

  list_tools (fixture, NULL);
  g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 2);
  fixture->server->answer = answer_changed;
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
  while (g_list_model_get_n_items (tools) != 1)
    g_main_context_iteration (NULL, TRUE);
}

static void
answer_pages (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  GmcpJsonValue cursor = gmcp_json_value_get_member (message->params, "cursor");

  if (!g_str_equal (method, "tools/list"))
    {
      scripted_server_modern (server, method, message);
      return;
    }
  if (!gmcp_json_value_is_present (cursor))
    scripted_server_send (
      server,
      "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[{\"name\":\"a\"},{\"title\":\"no name\"},"
      "{\"name\":\"b\",\"inputSchema\":7},{\"name\":\"a\"},5],\"nextCursor\":\"p\\u00e4ge \\\"2\\\"\"}}");
  else if (gmcp_json_value_equals_string (cursor, "päge \"2\""))
    scripted_server_send (
      server,
      server->data != NULL
        ? server->data
        : "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[{\"name\":\"c\"}],\"nextCursor\":\"\"}}");
  else
    scripted_server_send (
      server,
      "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[{\"name\":\"d\"}],\"nextCursor\":\"\"}}");
}

static void
test_pages (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gboolean legacy = data == scripted_server_legacy;

  g_test_summary (
    "all pages are read; a malformed tool, or one that is there twice, is left out; an "
    "empty cursor is the end in the legacy era only, and one page more in the other");
  fixture->server->answer = answer_pages;
  list_tools (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/list"), ==, legacy ? 2 : 3);
  g_assert_cmpuint (g_list_model_get_n_items (gmcp_client_get_tools (fixture->client)), ==,
                    legacy ? 2 : 3);
}

static void
on_warning (GmcpClient *client, const char *message, gpointer user_data)
{
  guint *n_warnings = user_data;

  g_assert_nonnull (strstr (message, "srv"));
  g_assert_nonnull (strstr (message, "tools/list"));
  (*n_warnings)++;
}

static void
test_endless_pages (Fixture *fixture, gconstpointer data)
{
  GListModel *tools = gmcp_client_get_tools (fixture->client);
  g_autoptr (GError) error = NULL;
  guint n_warnings = 0;

  g_test_summary ("a cursor that comes twice ends the list, which keeps what was read, with one "
                  "warning a connection");
  g_signal_connect (fixture->client, "warning", G_CALLBACK (on_warning), &n_warnings);
  fixture->server->answer = answer_pages;
  fixture->server->data = (gpointer) "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[],"
                                     "\"nextCursor\":\"p\\u00e4ge \\\"2\\\"\"}}";
  for (guint i = 0; i < 2; i++)
    {
      list_tools (fixture, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (g_list_model_get_n_items (tools), ==, 1);
      g_assert_cmpuint (n_warnings, ==, 1);
    }
}

static void
test_empty_answers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  Waiter waiter = { NULL };

  g_test_summary ("an answer with neither a result nor an error ends its call at once; a line that "
                  "is no message does not");
  call (fixture, "{}", NULL, &waiter);
  scripted_server_send (fixture->server, "{\"id\":$ID,\"msg\":\"a log line\"}");
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":123456}");
  settle ();
  g_assert_null (waiter.result);
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":$ID}");
  result = finish (fixture, &waiter, &error);
  if (data == scripted_server_legacy)
    {
      g_autofree char *json = NULL;

      g_assert_no_error (error);
      json = gmcp_tool_result_dup_json (result);
      g_assert_cmpstr (json, ==, "{}");
    }
  else
    {
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
      g_assert_nonnull (strstr (error->message, "srv"));
    }
}

static void
test_bad_lists (Fixture *fixture, gconstpointer data)
{
  static const char *const answers[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":{}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":null}",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{}}",
  };

  list_tools (fixture, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr (GError) error = NULL;
      Waiter waiter = { NULL };
      guint before = scripted_server_count (fixture->server, "tools/list");

      fixture->server->answer = NULL;
      gmcp_client_list_tools_async (fixture->client, NULL, on_result, &waiter);
      while (scripted_server_count (fixture->server, "tools/list") == before)
        g_main_context_iteration (NULL, TRUE);
      scripted_server_send (fixture->server, answers[i]);
      wait_for (&waiter);
      g_assert_null (gmcp_client_list_tools_finish (fixture->client, waiter.result, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
      g_clear_object (&waiter.result);
      g_assert_cmpuint (g_list_model_get_n_items (gmcp_client_get_tools (fixture->client)), ==, 2);
    }
}

static void
test_expected (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTool) same
    = gmcp_tool_new_from_json ("{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}", NULL);
  g_autoptr (GmcpTool) other = gmcp_tool_new_from_json (
    "{\"name\":\"echo\",\"description\":\"New\",\"inputSchema\":{\"type\":\"object\"}}", NULL);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  Waiter waiter = { NULL };

  g_test_summary ("a tool that is not the one expected is not called; the list is read first");
  gmcp_call_options_set_expected_tool (options, other);
  call (fixture, "{}", options, &waiter);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TOOL_CHANGED);
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, 0);

  g_clear_error (&error);
  gmcp_call_options_set_expected_tool (options, same);
  call (fixture, "{}", options, &waiter);
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[]}}");
  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);
}

static void
answer_batch_revision (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "initialize"))
    scripted_server_send (server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"protocolVersion\":"
                                  "\"2025-03-26\",\"capabilities\":{}}}");
  else
    scripted_server_legacy (server, method, message);
}

static void
test_batch (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  Waiter waiter = { NULL };

  call (fixture, "{}", NULL, &waiter);
  scripted_server_send (
    fixture->server,
    "[[],7,{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":$ID}},"
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"b\"}]}}]");
  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "b");
}

static void
test_drop_with_calls (Fixture *fixture, gconstpointer data)
{
  Waiter waiters[20] = { { NULL } };
  guint n = G_N_ELEMENTS (waiters);

  g_test_summary ("many calls in one turn, each answered in the reverse order");
  for (guint i = 0; i < n; i++)
    gmcp_client_call_tool_json_async (fixture->client, "echo", "{}", NULL, NULL, on_result,
                                      &waiters[i]);
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, n);
  for (guint i = n; i > 0; i--)
    {
      g_autofree char *answer = g_strdup_printf (
        "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"%u\"}]}}",
        (guint) g_ascii_strtoull (fixture->server->last_id, NULL, 10) - (n - i), i - 1);

      scripted_server_send (fixture->server, answer);
    }
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpToolResult) result = finish (fixture, &waiters[i], &error);

      g_assert_no_error (error);
      g_assert_cmpuint (g_ascii_strtoull (gmcp_tool_result_get_text (result), NULL, 10), ==, i);
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func) g_test_add ("/client/modern/" path, Fixture, NULL, set_up, func, tear_down)
#define ADD_LEGACY(path, func)                                                                     \
  g_test_add ("/client/legacy/" path, Fixture, scripted_server_legacy, set_up, func, tear_down)
  ADD ("request", test_request);
  ADD ("node-arguments", test_node_arguments);
  ADD ("bad-arguments", test_bad_arguments);
  ADD ("answers", test_answer);
  ADD ("noise", test_noise);
  ADD ("broken-answer", test_broken_answer);
  ADD ("problem-in-timeout", test_problem_in_timeout);
  ADD ("timeout", test_timeout);
  ADD ("progress", test_progress);
  ADD ("limits", test_limits);
  ADD ("cancel", test_cancel);
  ADD ("closed", test_closed);
  ADD ("close", test_close);
  ADD ("ping", test_ping);
  ADD ("list", test_list);
  ADD ("list-changed", test_list_changed);
  ADD ("pages", test_pages);
  ADD ("endless-pages", test_endless_pages);
  ADD ("empty-answers", test_empty_answers);
  ADD ("bad-lists", test_bad_lists);
  ADD ("expected-tool", test_expected);
  ADD ("many", test_drop_with_calls);
  ADD_LEGACY ("noise", test_noise);
  ADD_LEGACY ("empty-answers", test_empty_answers);
  ADD_LEGACY ("timeout", test_timeout);
  ADD_LEGACY ("cancel", test_cancel);
  ADD_LEGACY ("ping", test_ping);
  ADD_LEGACY ("list", test_list);
  ADD_LEGACY ("pages", test_pages);
  ADD_LEGACY ("list-changed", test_list_changed);
  ADD_LEGACY ("requests-of-the-server", test_requests_of_the_server);
  g_test_add ("/client/legacy/batch", Fixture, answer_batch_revision, set_up, test_batch,
              tear_down);
#undef ADD
#undef ADD_LEGACY

  return g_test_run ();
}
