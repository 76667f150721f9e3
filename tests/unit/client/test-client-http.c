/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A client over a transport on which each request has a stream and headers of its own: what the
 * messages say in headers, how the era is found, and what becomes of requests that fail by
 * themselves. */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include <gmcp/client/gmcp-client.h>
#include <gmcp/core/gmcp-error.h>

#include "gmcp-era-cache-private.h"
#include "steered-transport.h"
#include "unit-test.h"

#define RESULT(members)  "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{" members "}}"
#define FAILURE(members) "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{" members "}}"
#define TEXT             RESULT ("\"content\":[{\"type\":\"text\",\"text\":\"done\"}]")
#define MISMATCH         FAILURE ("\"code\":-32020,\"message\":\"Header mismatch\"")
#define REGION                                                                                     \
  "{\"type\":\"object\",\"properties\":{\"r\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}}}"

typedef struct
{
  SteeredTransport *transport;
  GmcpClient *client;
  GAsyncResult *result;
  guint n_closed;
} Fixture;

/* What the server lists; changed by tests. */
static const char *tools;

static gboolean
is_of (const char *text, const char *method)
{
  g_autofree char *member = g_strdup_printf ("\"method\":\"%s\"", method);

  return strstr (text, member) != NULL;
}

static void
answer_tools (SteeredTransport *transport)
{
  g_autofree char *text
    = g_strdup_printf (RESULT ("\"ttlMs\":60000,\"cacheScope\":\"public\",\"tools\":[%s]"), tools);

  steered_transport_say (transport, text);
}

static void
answer_modern (SteeredTransport *transport, const char *text)
{
  if (is_of (text, "server/discover"))
    steered_transport_say (transport, RESULT ("\"supportedVersions\":[\"2026-07-28\"],"
                                              "\"capabilities\":{\"tools\":{}}"));
  else if (is_of (text, "tools/list"))
    answer_tools (transport);
}

static const char *legacy_version;

static void
answer_legacy (SteeredTransport *transport, const char *text)
{
  g_autofree char *initialized = NULL;

  if (is_of (text, "server/discover"))
    steered_transport_say (transport, FAILURE ("\"code\":-32601,\"message\":\"No\""));
  else if (is_of (text, "initialize"))
    {
      initialized = g_strdup_printf (RESULT ("\"protocolVersion\":\"%s\",\"capabilities\":"
                                             "{\"tools\":{}}"),
                                     legacy_version);
      steered_transport_say (transport, initialized);
    }
  else if (is_of (text, "tools/list"))
    answer_tools (transport);
}

static void
on_closed (GmcpClient *client, const GError *error, gpointer user_data)
{
  ((Fixture *) user_data)->n_closed++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  tools = "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}";
  legacy_version = "2025-11-25";
  fixture->transport = steered_transport_new ();
  fixture->transport->request_streams = TRUE;
  fixture->transport->answer = answer_modern;
  fixture->client = gmcp_client_new (GMCP_TRANSPORT (fixture->transport));
  gmcp_client_set_name (fixture->client, "srv");
  g_signal_connect (fixture->client, "closed", G_CALLBACK (on_closed), fixture);
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->result);
  settle ();
  g_assert_finalize_object (fixture->client);
  settle ();
  g_assert_finalize_object (fixture->transport);
}

static void
store (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_null (fixture->result);
  fixture->result = g_object_ref (result);
}

static void
wait_result (Fixture *fixture)
{
  while (fixture->result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_sent (Fixture *fixture, const char *method, guint n)
{
  while (steered_transport_count (fixture->transport, method) < n)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (steered_transport_count (fixture->transport, method), ==, n);
}

static void
begin_open (Fixture *fixture)
{
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
}

static void
end_open (Fixture *fixture, GError **error)
{
  wait_result (fixture);
  gmcp_client_open_finish (fixture->client, fixture->result, error);
  g_clear_object (&fixture->result);
}

static void
open_client (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  begin_open (fixture);
  end_open (fixture, &error);
  g_assert_no_error (error);
}

static void
open_legacy (Fixture *fixture)
{
  fixture->transport->answer = answer_legacy;
  open_client (fixture);
  g_assert_cmpint (gmcp_client_get_era (fixture->client), ==, GMCP_ERA_LEGACY);
}

static GListModel *
list_tools (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  GListModel *model;

  gmcp_client_list_tools_async (fixture->client, NULL, store, fixture);
  wait_result (fixture);
  model = gmcp_client_list_tools_finish (fixture->client, fixture->result, &error);
  g_clear_object (&fixture->result);
  g_assert_no_error (error);
  return model;
}

static void
begin_call (Fixture *fixture, const char *name, const char *arguments, GmcpCallOptions *options)
{
  gmcp_client_call_tool_json_async (fixture->client, name, arguments, options, NULL, store,
                                    fixture);
}

static void
end_call (Fixture *fixture, GError **error)
{
  g_autoptr (GmcpToolResult) result = NULL;

  wait_result (fixture);
  result = gmcp_client_call_tool_finish (fixture->client, fixture->result, error);
  g_clear_object (&fixture->result);
}

static void
assert_call_done (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  end_call (fixture, &error);
  g_assert_no_error (error);
}

static void
fail_with (Fixture *fixture,
           const char *method,
           guint http_status,
           gboolean unprocessed,
           gint64 retry_after_ms)
{
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "it broke");
  GmcpTransportFailure failure = {
    .error = error,
    .http_status = http_status,
    .unprocessed = unprocessed,
    .retry_after_ms = retry_after_ms,
  };

  steered_transport_fail (fixture->transport, method, &failure);
}

static void
lose_session (Fixture *fixture, const char *method)
{
  g_autoptr (GError) error = g_error_new_literal (GMCP_RPC_ERROR, -32001, "Session not found");
  GmcpTransportFailure failure = {
    .error = error,
    .http_status = 404,
    .unprocessed = TRUE,
    .session_lost = TRUE,
    .retry_after_ms = -1,
  };

  steered_transport_fail (fixture->transport, method, &failure);
}

static char *
join_notes (Fixture *fixture)
{
  g_ptr_array_add (fixture->transport->notes, NULL);
  return g_strjoinv ("; ", (char **) fixture->transport->notes->pdata);
}

/* Headers */

static void
test_headers_modern (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GListModel) model = NULL;
  g_autofree char *notes = NULL;

  tools = "{\"name\":\"täg\",\"inputSchema\":" REGION "}";
  open_client (fixture);
  g_assert_cmpstr (steered_transport_get_headers (fixture->transport, "server/discover"), ==,
                   "MCP-Protocol-Version: 2026-07-28\nMcp-Method: server/discover\n");

  model = list_tools (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 1);
  g_assert_cmpstr (steered_transport_get_headers (fixture->transport, "tools/list"), ==,
                   "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/list\n");

  begin_call (fixture, "täg", "{\"r\":\"us-west1\",\"x\":1}", NULL);
  g_assert_cmpstr (steered_transport_get_headers (fixture->transport, "tools/call"), ==,
                   "MCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\n"
                   "Mcp-Name: =?base64?dMOkZw==?=\nMcp-Param-Region: us-west1\n");
  steered_transport_say (fixture->transport, TEXT);
  assert_call_done (fixture);

  notes = join_notes (fixture);
  g_assert_cmpstr (notes, ==, "");
}

static void
test_headers_legacy (Fixture *fixture, gconstpointer data)
{
  const char *expected = data;
  g_autofree char *notes = NULL;
  g_autofree char *expected_notes = NULL;
  g_autoptr (GListModel) model = NULL;

  if (*expected == '\0')
    legacy_version = "2025-03-26";
  /* What marks parameters is no more than an unknown keyword in this era. */
  tools = "{\"name\":\"t\",\"inputSchema\":{\"x-mcp-header\":\"\"}}";
  open_legacy (fixture);
  g_assert_cmpstr (steered_transport_get_headers (fixture->transport, "initialize"), ==, "");
  g_assert_cmpstr (steered_transport_get_headers (fixture->transport, "notifications/initialized"),
                   ==, expected);

  model = list_tools (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 1);
  begin_call (fixture, "t", "{}", NULL);
  g_assert_cmpstr (steered_transport_get_headers (fixture->transport, "tools/call"), ==, expected);
  steered_transport_say (fixture->transport, TEXT);
  assert_call_done (fixture);

  notes = join_notes (fixture);
  expected_notes = g_strconcat ("new session; before others; session ", expected, NULL);
  g_strdelimit (expected_notes, "\n", '\0');
  g_assert_cmpstr (notes, ==, expected_notes);
}

/* Over a byte stream there are none, and the marks of tools are not looked at. */
static void
test_headers_none (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GListModel) model = NULL;

  tools = "{\"name\":\"t\",\"inputSchema\":{\"x-mcp-header\":\"\"}}";
  fixture->transport->request_streams = FALSE;
  open_client (fixture);
  model = list_tools (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 1);
  begin_call (fixture, "t", "{}", NULL);
  g_assert_cmpstr (steered_transport_get_headers (fixture->transport, "tools/call"), ==, "");
  steered_transport_say (fixture->transport, MISMATCH);
  {
    g_autoptr (GError) error = NULL;

    end_call (fixture, &error);
    g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_HEADER_MISMATCH);
  }
  wait_sent (fixture, "tools/call", 1);
}

static void
test_invalid_tool (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GListModel) model = NULL;
  g_autoptr (GmcpTool) tool = NULL;

  tools = "{\"name\":\"bad\",\"inputSchema\":{\"properties\":{\"a\":{\"type\":\"number\","
          "\"x-mcp-header\":\"A\"}}}},{\"name\":\"good\",\"inputSchema\":" REGION "}";
  open_client (fixture);
  model = list_tools (fixture);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 1);
  tool = g_list_model_get_item (model, 0);
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (tool)), ==, "good");
}

static void
test_mismatch (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpResponseCache) cache = gmcp_response_cache_new ();
  gint64 first;

  if (data != NULL)
    gmcp_client_set_response_cache (fixture->client, cache);
  open_client (fixture);
  g_object_unref (list_tools (fixture));
  tools = "{\"name\":\"echo\",\"inputSchema\":" REGION "}";
  begin_call (fixture, "echo", "{\"r\":\"a\"}", options);
  first = steered_transport_get_id (fixture->transport, "tools/call");
  steered_transport_say (fixture->transport, MISMATCH);

  wait_sent (fixture, "tools/call", 2);
  g_assert_cmpuint (steered_transport_count (fixture->transport, "tools/list"), ==, 2);
  g_assert_cmpint (steered_transport_get_id (fixture->transport, "tools/call"), >, first);
  g_assert_nonnull (strstr (steered_transport_get_headers (fixture->transport, "tools/call"),
                            "Mcp-Param-Region: a\n"));
  steered_transport_say (fixture->transport, TEXT);
  assert_call_done (fixture);
}

/* While the call waits for the list, the peer answers a request that it was not sent. */
static void
test_mismatch_guessed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *guess = NULL;

  open_client (fixture);
  fixture->transport->answer = NULL;
  begin_call (fixture, "echo", "{}", NULL);
  steered_transport_say (fixture->transport, MISMATCH);
  wait_sent (fixture, "tools/list", 1);
  guess = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%" G_GINT64_FORMAT
                           ",\"result\":{\"content\":[]}}",
                           steered_transport_get_id (fixture->transport, "tools/list") - 1);
  steered_transport_say (fixture->transport, guess);
  g_assert_null (fixture->result);

  answer_tools (fixture->transport);
  wait_sent (fixture, "tools/call", 2);
  steered_transport_say (fixture->transport, TEXT);
  assert_call_done (fixture);
}

/* A server that is never content gets the call twice, not for ever. */
static void
test_mismatch_stays (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_client (fixture);
  begin_call (fixture, "echo", "{}", NULL);
  steered_transport_say (fixture->transport, MISMATCH);
  wait_sent (fixture, "tools/call", 2);
  steered_transport_say (fixture->transport, MISMATCH);
  end_call (fixture, &error);
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_HEADER_MISMATCH);
  wait_sent (fixture, "tools/call", 2);
}

/* Where the list cannot be read, the first error is told. */
static void
test_mismatch_no_list (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_client (fixture);
  fixture->transport->answer = NULL;
  begin_call (fixture, "echo", "{}", NULL);
  steered_transport_say (fixture->transport, MISMATCH);
  wait_sent (fixture, "tools/list", 1);
  steered_transport_say (fixture->transport, FAILURE ("\"code\":-32603,\"message\":\"Oops\""));
  end_call (fixture, &error);
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_HEADER_MISMATCH);
  wait_sent (fixture, "tools/call", 1);
}

static void
test_mismatch_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  open_client (fixture);
  fixture->transport->answer = NULL;
  gmcp_client_call_tool_json_async (fixture->client, "echo", "{}", NULL, cancellable, store,
                                    fixture);
  steered_transport_say (fixture->transport, MISMATCH);
  wait_sent (fixture, "tools/list", 1);
  g_cancellable_cancel (cancellable);
  end_call (fixture, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  answer_tools (fixture->transport);
  settle ();
  wait_sent (fixture, "tools/call", 1);
}

/* A server that was replaced by one with other revisions, or only says so. */
static void
test_version_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_client (fixture);
  for (guint i = 0; i < 2; i++)
    {
      begin_call (fixture, "echo", "{}", NULL);
      steered_transport_say (fixture->transport,
                             FAILURE ("\"code\":-32022,\"message\":\"V\",\"data\":"
                                      "{\"supported\":[\"2025-11-25\",\"2026-07-28\"]}"));
      wait_sent (fixture, "tools/call", 2 * i + 2);
      if (i == 0)
        {
          steered_transport_say (fixture->transport, TEXT);
          assert_call_done (fixture);
        }
    }
  steered_transport_say (fixture->transport, FAILURE ("\"code\":-32022,\"message\":\"V\",\"data\":"
                                                      "{\"supported\":[\"2026-07-28\"]}"));
  end_call (fixture, &error);
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION);
  wait_sent (fixture, "tools/call", 4);
}

static void
test_version_none_shared (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_client (fixture);
  begin_call (fixture, "echo", "{}", NULL);
  steered_transport_say (fixture->transport, data);
  end_call (fixture, &error);
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION);
  wait_sent (fixture, "tools/call", 1);
}

/* Single requests that fail */

typedef struct
{
  const char *name;
  const char *method; /* that fails: a tool's call, or the list */
  const char *tool;   /* its annotations */
  guint http_status;
  gboolean unprocessed;
  gint64 retry_after_ms;
  gboolean again;
} FailureCase;

#define READ_ONLY  "\"readOnlyHint\":true"
#define IDEMPOTENT "\"idempotentHint\":true"

static const FailureCase failure_cases[] = {
  { "never-written", "tools/call", "", 0, TRUE, -1, TRUE },
  { "stream-broke", "tools/call", "", 200, FALSE, -1, FALSE },
  { "connection-broke", "tools/call", "", 0, FALSE, -1, FALSE },
  { "stream-broke-read-only", "tools/call", READ_ONLY, 200, FALSE, -1, TRUE },
  { "stream-broke-idempotent", "tools/call", IDEMPOTENT, 200, FALSE, -1, TRUE },
  { "connection-broke-read-only", "tools/call", READ_ONLY, 0, FALSE, -1, TRUE },
  { "stream-broke-list", "tools/list", "", 200, FALSE, -1, TRUE },
  { "bad-gateway", "tools/call", "", 502, FALSE, -1, FALSE },
  { "bad-gateway-list", "tools/list", "", 502, FALSE, -1, TRUE },
  { "busy", "tools/call", "", 429, TRUE, 5, TRUE },
  { "unavailable", "tools/call", "", 503, TRUE, 5, TRUE },
  { "busy-does-not-say", "tools/call", "", 429, FALSE, -1, FALSE },
  { "unavailable-does-not-say", "tools/call", "", 503, FALSE, -1, FALSE },
  { "busy-too-long", "tools/call", "", 429, TRUE, 3600000, FALSE },
  { "busy-absurdly-long", "tools/call", "", 503, TRUE, G_MAXINT64, FALSE },
  { "retry-after-elsewhere", "tools/call", "", 500, FALSE, 5, FALSE },
  { "not-found", "tools/call", READ_ONLY, 404, FALSE, -1, FALSE },
  { "too-large", "tools/list", "", 413, FALSE, -1, FALSE },
};

static void
begin_failing (Fixture *fixture, const FailureCase *one)
{
  if (g_str_equal (one->method, "tools/call"))
    begin_call (fixture, "echo", "{\"a\":[1.50]}", NULL);
  else
    gmcp_client_list_tools_async (fixture->client, NULL, store, fixture);
}

static void
end_failing (Fixture *fixture, const FailureCase *one, GError **error)
{
  g_autoptr (GListModel) model = NULL;

  if (g_str_equal (one->method, "tools/call"))
    {
      end_call (fixture, error);
      return;
    }
  wait_result (fixture);
  model = gmcp_client_list_tools_finish (fixture->client, fixture->result, error);
  g_clear_object (&fixture->result);
}

static void
test_failure (Fixture *fixture, gconstpointer data)
{
  const FailureCase *one = data;
  g_autofree char *listed = g_strdup_printf (
    "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{%s}}", one->tool);
  g_autoptr (GError) error = NULL;
  guint n;

  tools = listed;
  open_client (fixture);
  g_object_unref (list_tools (fixture));
  fixture->transport->answer = NULL;

  n = steered_transport_count (fixture->transport, one->method);
  begin_failing (fixture, one);
  wait_sent (fixture, one->method, n + 1);
  fail_with (fixture, one->method, one->http_status, one->unprocessed, one->retry_after_ms);
  if (one->again)
    {
      wait_sent (fixture, one->method, n + 2);
      g_assert_null (fixture->result);
      if (g_str_equal (one->method, "tools/call"))
        g_assert_nonnull (
          strstr (g_ptr_array_index (fixture->transport->sent, fixture->transport->sent->len - 1),
                  "\"arguments\":{\"a\":[1.50]}"));
      /* Once for the same reason. */
      fail_with (fixture, one->method, one->http_status, one->unprocessed, one->retry_after_ms);
    }
  end_failing (fixture, one, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "srv: it broke"));
  settle ();
  wait_sent (fixture, one->method, n + (one->again ? 2 : 1));
  g_assert_true (gmcp_client_is_open (fixture->client));
  g_assert_cmpuint (fixture->n_closed, ==, 0);
}

static void
test_failure_then_answer (Fixture *fixture, gconstpointer data)
{
  open_client (fixture);
  begin_call (fixture, "echo", "{}", NULL);
  fail_with (fixture, "tools/call", 0, TRUE, -1);
  wait_sent (fixture, "tools/call", 2);
  fail_with (fixture, "tools/call", 503, TRUE, 1);
  wait_sent (fixture, "tools/call", 3);
  steered_transport_say (fixture->transport, TEXT);
  assert_call_done (fixture);
}

/* An error in the body of a response, without the request's id. */
static void
test_failure_rpc (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) cause = g_error_new_literal (GMCP_RPC_ERROR, -32602, "Bad");
  g_autoptr (GError) error = NULL;
  GmcpTransportFailure failure = { .error = cause, .http_status = 400, .retry_after_ms = -1 };

  open_client (fixture);
  begin_call (fixture, "echo", "{}", NULL);
  steered_transport_fail (fixture->transport, "tools/call", &failure);
  end_call (fixture, &error);
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INVALID_PARAMS);
}

static void
test_failure_mismatch (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) cause
    = g_error_new_literal (GMCP_RPC_ERROR, GMCP_RPC_ERROR_HEADER_MISMATCH, "Bad");
  GmcpTransportFailure failure = { .error = cause, .http_status = 400, .retry_after_ms = -1 };

  open_client (fixture);
  begin_call (fixture, "echo", "{}", NULL);
  steered_transport_fail (fixture->transport, "tools/call", &failure);
  wait_sent (fixture, "tools/call", 2);
  steered_transport_say (fixture->transport, TEXT);
  assert_call_done (fixture);
}

static void
test_failure_sign_in (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) cause
    = g_error_new_literal (GMCP_AUTH_ERROR, GMCP_AUTH_ERROR_SIGN_IN_REQUIRED, "Sign in");
  g_autoptr (GError) error = NULL;
  GmcpTransportFailure failure
    = { .error = cause, .http_status = 401, .unprocessed = TRUE, .retry_after_ms = -1 };

  tools = "{\"name\":\"echo\",\"inputSchema\":{},\"annotations\":{" READ_ONLY "}}";
  open_client (fixture);
  g_object_unref (list_tools (fixture));
  begin_call (fixture, "echo", "{}", NULL);
  steered_transport_fail (fixture->transport, "tools/call", &failure);
  end_call (fixture, &error);
  g_assert_error (error, GMCP_AUTH_ERROR, GMCP_AUTH_ERROR_SIGN_IN_REQUIRED);
  settle ();
  wait_sent (fixture, "tools/call", 1);
}

/* Of a request that nobody waits for. */
static void
test_failure_unknown (Fixture *fixture, gconstpointer data)
{
  open_client (fixture);
  fail_with (fixture, "server/discover", 500, FALSE, -1);
  g_assert_true (gmcp_client_is_open (fixture->client));
}

/* Cancelling */

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  gboolean legacy = data != NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;

  if (legacy)
    open_legacy (fixture);
  else
    open_client (fixture);
  gmcp_client_call_tool_json_async (fixture->client, "echo", "{}", NULL, cancellable, store,
                                    fixture);
  note = g_strdup_printf ("cancel %" G_GINT64_FORMAT,
                          steered_transport_get_id (fixture->transport, "tools/call"));
  g_cancellable_cancel (cancellable);
  end_call (fixture, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (steered_transport_count (fixture->transport, "notifications/cancelled"), ==,
                    legacy ? 1 : 0);
  g_assert_true (
    g_ptr_array_find_with_equal_func (fixture->transport->notes, note, g_str_equal, NULL));
}

/* Sessions */

static void
test_session_lost (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notes = NULL;

  open_legacy (fixture);
  g_object_unref (list_tools (fixture));
  begin_call (fixture, "echo", "{\"n\":1}", NULL);
  lose_session (fixture, "tools/call");
  wait_sent (fixture, "initialize", 2);
  wait_sent (fixture, "tools/call", 2);
  g_assert_nonnull (
    strstr (steered_transport_get_headers (fixture->transport, "tools/call"), "2025-11-25"));
  g_assert_cmpstr (steered_transport_get_headers (fixture->transport, "initialize"), ==, "");
  steered_transport_say (fixture->transport, TEXT);
  assert_call_done (fixture);
  /* What changed between the sessions was not told. */
  wait_sent (fixture, "tools/list", 2);
  g_assert_cmpuint (fixture->n_closed, ==, 0);

  notes = join_notes (fixture);
  g_assert_cmpstr (notes, ==,
                   "new session; before others; session MCP-Protocol-Version: 2025-11-25; "
                   "new session; before others; session MCP-Protocol-Version: 2025-11-25");
}

static void
count_call (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) tool_result G_GNUC_UNUSED
    = gmcp_client_call_tool_finish (GMCP_CLIENT (source), result, &error);

  g_assert_no_error (error);
  (*(guint *) user_data)++;
}

static void
answer_calls (SteeredTransport *transport, const char *text)
{
  if (is_of (text, "tools/call"))
    {
      const char *id = strstr (text, "\"id\":");
      g_autofree char *answer
        = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"content\":[]}}",
                           atoi (id + strlen ("\"id\":")));

      steered_transport_say (transport, answer);
    }
  else
    answer_legacy (transport, text);
}

/* All that is under way, or made meanwhile, waits for the one new session. */
static void
test_session_lost_by_several (Fixture *fixture, gconstpointer data)
{
  gint64 ids[3];
  guint n_done = 0;
  g_autoptr (GError) error = g_error_new_literal (GMCP_RPC_ERROR, -32001, "Session not found");
  GmcpTransportFailure failure
    = { .error = error, .http_status = 404, .unprocessed = TRUE, .session_lost = TRUE };

  open_legacy (fixture);
  fixture->transport->answer = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      gmcp_client_call_tool_json_async (fixture->client, "echo", "{}", NULL, NULL, count_call,
                                        &n_done);
      ids[i] = steered_transport_get_id (fixture->transport, "tools/call");
    }
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    gmcp_transport_report_request_failed (GMCP_TRANSPORT (fixture->transport), ids[i], &failure);
  gmcp_client_call_tool_json_async (fixture->client, "echo", "{}", NULL, NULL, count_call, &n_done);
  settle ();
  wait_sent (fixture, "initialize", 2);
  wait_sent (fixture, "tools/call", 3);

  fixture->transport->answer = answer_calls;
  steered_transport_say (fixture->transport,
                         RESULT ("\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}"));
  while (n_done < 4)
    g_main_context_iteration (NULL, TRUE);
  wait_sent (fixture, "initialize", 2);
  wait_sent (fixture, "tools/call", 7);
  g_assert_cmpstr (gmcp_client_get_protocol_version (fixture->client), ==, "2025-06-18");
}

/* One call learns that the session is gone when there is another already. */
static void
test_session_lost_late (Fixture *fixture, gconstpointer data)
{
  gint64 late;
  guint n_done = 0;
  g_autoptr (GError) error = g_error_new_literal (GMCP_RPC_ERROR, -32001, "Session not found");
  GmcpTransportFailure failure
    = { .error = error, .http_status = 404, .unprocessed = TRUE, .session_lost = TRUE };

  open_legacy (fixture);
  gmcp_client_call_tool_json_async (fixture->client, "echo", "{}", NULL, NULL, count_call, &n_done);
  late = steered_transport_get_id (fixture->transport, "tools/call");
  gmcp_client_call_tool_json_async (fixture->client, "echo", "{}", NULL, NULL, count_call, &n_done);
  settle ();
  fixture->transport->answer = answer_calls;
  lose_session (fixture, "tools/call");
  while (n_done < 1)
    g_main_context_iteration (NULL, TRUE);
  gmcp_transport_report_request_failed (GMCP_TRANSPORT (fixture->transport), late, &failure);
  while (n_done < 2)
    g_main_context_iteration (NULL, TRUE);
  wait_sent (fixture, "initialize", 2);
  wait_sent (fixture, "tools/call", 4);
}

/* A server that forgets each session at once. */
static void
test_session_lost_again (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_legacy (fixture);
  begin_call (fixture, "echo", "{}", NULL);
  lose_session (fixture, "tools/call");
  wait_sent (fixture, "tools/call", 2);
  lose_session (fixture, "tools/call");
  end_call (fixture, &error);
  g_assert_error (error, GMCP_RPC_ERROR, -32001);
  wait_sent (fixture, "initialize", 2);
  wait_sent (fixture, "tools/call", 2);
  g_assert_true (gmcp_client_is_open (fixture->client));
}

/* The transport learns it by itself, when nothing is under way. */
static void
test_session_lost_unasked (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_FAILED, "Gone");

  open_legacy (fixture);
  g_object_unref (list_tools (fixture));
  gmcp_transport_report_session_lost (GMCP_TRANSPORT (fixture->transport), error);
  gmcp_transport_report_session_lost (GMCP_TRANSPORT (fixture->transport), error);
  begin_call (fixture, "echo", "{}", NULL);
  wait_sent (fixture, "initialize", 2);
  wait_sent (fixture, "tools/call", 1);
  steered_transport_say (fixture->transport, TEXT);
  assert_call_done (fixture);
  wait_sent (fixture, "tools/list", 2);
  wait_sent (fixture, "initialize", 2);
  g_assert_cmpuint (fixture->n_closed, ==, 0);
}

static void
test_session_not_renewed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_legacy (fixture);
  fixture->transport->answer = NULL;
  begin_call (fixture, "echo", "{}", NULL);
  lose_session (fixture, "tools/call");
  wait_sent (fixture, "initialize", 2);
  steered_transport_say (fixture->transport, FAILURE ("\"code\":-32603,\"message\":\"Full\""));
  end_call (fixture, &error);
  g_assert_error (error, GMCP_RPC_ERROR, GMCP_RPC_ERROR_INTERNAL);
  g_assert_nonnull (strstr (error->message, "no new one could be made: Full"));
  g_assert_cmpuint (fixture->n_closed, ==, 1);
  g_assert_false (gmcp_client_is_open (fixture->client));
  settle ();
  g_assert_cmpuint (fixture->transport->n_closed, ==, 1);

  /* It can be opened anew. */
  fixture->transport->answer = answer_legacy;
  open_client (fixture);
}

static void
test_session_closed_meanwhile (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  open_legacy (fixture);
  fixture->transport->answer = NULL;
  begin_call (fixture, "echo", "{}", NULL);
  lose_session (fixture, "tools/call");
  gmcp_client_close_async (fixture->client, NULL, NULL, NULL);
  end_call (fixture, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  settle ();
  fixture->transport->answer = answer_legacy;
  open_client (fixture);
  begin_call (fixture, "echo", "{}", NULL);
  steered_transport_say (fixture->transport, TEXT);
  assert_call_done (fixture);
}

static void
test_session_cancelled_meanwhile (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  open_legacy (fixture);
  fixture->transport->answer = NULL;
  gmcp_client_call_tool_json_async (fixture->client, "echo", "{}", NULL, cancellable, store,
                                    fixture);
  lose_session (fixture, "tools/call");
  g_cancellable_cancel (cancellable);
  end_call (fixture, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  fixture->transport->answer = answer_legacy;
  answer_legacy (fixture->transport, "\"method\":\"initialize\"");
  settle ();
  wait_sent (fixture, "tools/call", 1);
}

/* Finding the era */

typedef struct
{
  const char *name;
  guint http_status; /* of the probe's response */
  gboolean modern_error;
  gboolean protocol_error;
  GmcpEra era; /* AUTO where opening fails */
} ProbeCase;

static const ProbeCase probe_cases[] = {
  { "bad-request", 400, FALSE, FALSE, GMCP_ERA_LEGACY },
  { "bad-request-modern", 400, TRUE, FALSE, GMCP_ERA_MODERN },
  { "not-found", 404, FALSE, FALSE, GMCP_ERA_LEGACY },
  { "method-not-allowed", 405, FALSE, FALSE, GMCP_ERA_LEGACY },
  { "not-acceptable", 406, FALSE, FALSE, GMCP_ERA_LEGACY },
  { "length-required", 411, FALSE, FALSE, GMCP_ERA_LEGACY },
  { "html", 200, FALSE, TRUE, GMCP_ERA_LEGACY },
  { "sign-in", 401, FALSE, FALSE, GMCP_ERA_AUTO },
  { "forbidden", 403, FALSE, FALSE, GMCP_ERA_AUTO },
  { "request-time-out", 408, FALSE, FALSE, GMCP_ERA_AUTO },
  { "busy", 429, FALSE, FALSE, GMCP_ERA_AUTO },
  { "internal", 500, FALSE, FALSE, GMCP_ERA_AUTO },
  { "unavailable", 503, FALSE, FALSE, GMCP_ERA_AUTO },
  { "no-connection", 0, FALSE, FALSE, GMCP_ERA_AUTO },
};

static void
test_probe (Fixture *fixture, gconstpointer data)
{
  const ProbeCase *one = data;
  g_autoptr (GError) cause = NULL;
  g_autoptr (GError) error = NULL;
  GmcpTransportFailure failure
    = { .http_status = one->http_status, .retry_after_ms = -1, .unprocessed = TRUE };

  if (one->modern_error)
    cause = g_error_new_literal (GMCP_RPC_ERROR, GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY, "it");
  else if (one->protocol_error)
    cause = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_PROTOCOL, "it is HTML");
  else
    cause = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "it broke");
  failure.error = cause;

  fixture->transport->answer = NULL;
  begin_open (fixture);
  wait_sent (fixture, "server/discover", 1);
  fixture->transport->answer = answer_legacy;
  steered_transport_fail (fixture->transport, "server/discover", &failure);
  end_open (fixture, &error);

  if (one->era == GMCP_ERA_AUTO)
    {
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
      g_assert_cmpstr (error->message, ==, "srv: it broke");
      g_assert_cmpuint (steered_transport_count (fixture->transport, "initialize"), ==, 0);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpint (gmcp_client_get_era (fixture->client), ==, one->era);
}

/* What POST of initialize may be answered with, and whether another way is tried then. */
typedef struct
{
  const char *name;
  guint http_status;
  int rpc_code; /* 0 for none */
  gboolean falls_back;
} FallBackCase;

static const FallBackCase fall_back_cases[] = {
  { "bad-request", 400, 0, TRUE },
  { "not-found", 404, 0, TRUE },
  { "method-not-allowed", 405, 0, TRUE },
  { "not-acceptable", 406, 0, TRUE },
  { "length-required", 411, 0, TRUE },
  { "bad-request-rpc", 400, -32000, TRUE },
  { "bad-request-modern", 400, GMCP_RPC_ERROR_UNSUPPORTED_PROTOCOL_VERSION, FALSE },
  { "bad-request-mismatch", 400, GMCP_RPC_ERROR_HEADER_MISMATCH, FALSE },
  { "sign-in", 401, 0, FALSE },
  { "forbidden", 403, 0, FALSE },
  { "gone", 410, 0, FALSE },
  { "internal", 500, 0, FALSE },
  { "no-connection", 0, 0, FALSE },
};

static void
answer_not_found (SteeredTransport *transport, const char *text)
{
  if (is_of (text, "server/discover"))
    steered_transport_say (transport, FAILURE ("\"code\":-32601,\"message\":\"No\""));
}

static void
refuse_initialize (Fixture *fixture, const FallBackCase *one, const char *message)
{
  g_autoptr (GError) cause = one->rpc_code != 0
                               ? g_error_new_literal (GMCP_RPC_ERROR, one->rpc_code, message)
                               : g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, message);
  GmcpTransportFailure failure
    = { .error = cause, .http_status = one->http_status, .retry_after_ms = -1 };

  steered_transport_fail (fixture->transport, "initialize", &failure);
}

static gboolean
has_fallen_back (Fixture *fixture)
{
  return g_ptr_array_find_with_equal_func (fixture->transport->notes, "fall back", g_str_equal,
                                           NULL);
}

static void
test_fall_back (Fixture *fixture, gconstpointer data)
{
  const FallBackCase *one = data;
  g_autoptr (GError) error = NULL;

  fixture->transport->can_fall_back = TRUE;
  fixture->transport->answer = answer_not_found;
  begin_open (fixture);
  wait_sent (fixture, "initialize", 1);
  if (one->falls_back)
    fixture->transport->answer = answer_legacy;
  refuse_initialize (fixture, one, "first");
  end_open (fixture, &error);

  g_assert_cmpint (has_fallen_back (fixture), ==, one->falls_back);
  if (one->falls_back)
    {
      g_assert_no_error (error);
      wait_sent (fixture, "initialize", 2);
    }
  else
    g_assert_nonnull (strstr (error->message, "first"));
}

/* Of two errors, the first is told; also where the connection ends at the second. */
static void
test_fall_back_fails (Fixture *fixture, gconstpointer data)
{
  gboolean closes = data != NULL;
  g_autoptr (GError) error = NULL;

  fixture->transport->can_fall_back = TRUE;
  fixture->transport->answer = answer_not_found;
  begin_open (fixture);
  wait_sent (fixture, "initialize", 1);
  refuse_initialize (fixture, &fall_back_cases[1], "first");
  wait_sent (fixture, "initialize", 2);
  if (closes)
    gmcp_transport_closed (GMCP_TRANSPORT (fixture->transport), NULL);
  else
    refuse_initialize (fixture, &fall_back_cases[0], "second");
  end_open (fixture, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_assert_cmpstr (error->message, ==, "srv refused to start a session: first");
  wait_sent (fixture, "initialize", 2);
}

static void
test_fall_back_not_there (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->transport->answer = answer_not_found;
  begin_open (fixture);
  wait_sent (fixture, "initialize", 1);
  refuse_initialize (fixture, &fall_back_cases[2], "first");
  end_open (fixture, &error);
  g_assert_cmpstr (error->message, ==, "srv refused to start a session: first");
}

/* The probe is not answered at all, and then neither is asked for what the way is. */
static void
test_fall_back_silent_probe (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;

  gmcp_client_set_probe_timeout_ms (fixture->client, 20);
  fixture->transport->can_fall_back = TRUE;
  fixture->transport->answer = NULL;
  begin_open (fixture);
  wait_sent (fixture, "initialize", 1);
  refuse_initialize (fixture, &fall_back_cases[2], "first");
  fixture->transport->answer = answer_legacy;
  end_open (fixture, &error);
  g_assert_no_error (error);
  g_assert_true (has_fallen_back (fixture));
  note = g_strdup_printf ("cancel %" G_GINT64_FORMAT,
                          steered_transport_get_id (fixture->transport, "server/discover"));
  g_assert_true (
    g_ptr_array_find_with_equal_func (fixture->transport->notes, note, g_str_equal, NULL));
}

/* A verdict that is remembered */

/* A file may be there before what is in it. */
static gboolean
is_written (const char *path)
{
  g_autofree char *contents = NULL;

  return g_file_get_contents (path, &contents, NULL, NULL) && *contents != '\0';
}

static char *
remember_legacy (Fixture *fixture)
{
  g_autofree char *key = g_strdup_printf ("http %u", g_random_int ());
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);
  char *path = g_build_filename (g_get_user_cache_dir (), "gmcp", "eras", digest, NULL);

  gmcp_era_cache_save (key, GMCP_ERA_LEGACY);
  while (!is_written (path))
    g_main_context_iteration (NULL, FALSE);
  gmcp_client_set_cache_key (fixture->client, key);
  return path;
}

static void
forget (char *path)
{
  settle ();
  g_unlink (path);
  g_free (path);
}

/* The server is asked for its era again, and then in the older way. */
static void
test_cached_refused (Fixture *fixture, gconstpointer data)
{
  char *path = remember_legacy (fixture);
  g_autoptr (GError) error = NULL;

  fixture->transport->can_fall_back = TRUE;
  fixture->transport->answer = NULL;
  begin_open (fixture);
  wait_sent (fixture, "initialize", 1);
  g_assert_cmpuint (steered_transport_count (fixture->transport, "server/discover"), ==, 0);
  fixture->transport->answer = answer_legacy;
  refuse_initialize (fixture, &fall_back_cases[1], "first");
  end_open (fixture, &error);
  g_assert_no_error (error);
  wait_sent (fixture, "server/discover", 1);
  wait_sent (fixture, "initialize", 2);
  g_assert_true (has_fallen_back (fixture));
  forget (path);
}

/* An answer that is no verdict is no reason to ask for the era again. */
static void
test_cached_no_verdict (Fixture *fixture, gconstpointer data)
{
  char *path = remember_legacy (fixture);
  const FallBackCase one = { .http_status = GPOINTER_TO_UINT (data) };
  g_autoptr (GError) error = NULL;

  fixture->transport->can_fall_back = TRUE;
  fixture->transport->answer = NULL;
  begin_open (fixture);
  wait_sent (fixture, "initialize", 1);
  refuse_initialize (fixture, &one, "first");
  end_open (fixture, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
  wait_sent (fixture, "initialize", 1);
  g_assert_cmpuint (steered_transport_count (fixture->transport, "server/discover"), ==, 0);
  g_assert_false (has_fallen_back (fixture));
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
  forget (path);
}

/* Over a byte stream */

static void
test_stdio_version_refused (Fixture *fixture, gconstpointer data)
{
  fixture->transport->request_streams = FALSE;
  test_version_refused (fixture, NULL);
}

/* The server dies in the middle of calls: each ends once, and none is sent again by itself, whatever
 * the tool says of itself, since there is nobody left to send it to. */
static void
test_stdio_dies (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *listed = g_strdup_printf (
    "{\"name\":\"echo\",\"inputSchema\":{},\"annotations\":{%s}}", (const char *) data);

  tools = listed;
  fixture->transport->request_streams = FALSE;
  open_client (fixture);
  g_object_unref (list_tools (fixture));
  begin_call (fixture, "echo", "{}", NULL);
  gmcp_transport_closed (GMCP_TRANSPORT (fixture->transport), NULL);
  end_call (fixture, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_assert_cmpuint (fixture->n_closed, ==, 1);

  open_client (fixture);
  settle ();
  wait_sent (fixture, "tools/call", 1);
}

static void
test_stdio_not_written (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->transport->request_streams = FALSE;
  open_client (fixture);
  fixture->transport->refuse = TRUE;
  begin_call (fixture, "echo", "{}", NULL);
  end_call (fixture, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
}

#define ADD(path, func, data) g_test_add (path, Fixture, data, set_up, func, tear_down)

static void
add_tables (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (failure_cases); i++)
    {
      g_autofree char *path = g_strconcat ("/client/http/failure/", failure_cases[i].name, NULL);

      ADD (path, test_failure, &failure_cases[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (probe_cases); i++)
    {
      g_autofree char *path = g_strconcat ("/client/http/probe/", probe_cases[i].name, NULL);

      ADD (path, test_probe, &probe_cases[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (fall_back_cases); i++)
    {
      g_autofree char *path
        = g_strconcat ("/client/http/fall-back/", fall_back_cases[i].name, NULL);

      ADD (path, test_fall_back, &fall_back_cases[i]);
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/client/http/headers/modern", test_headers_modern, NULL);
  ADD ("/client/http/headers/legacy", test_headers_legacy, "MCP-Protocol-Version: 2025-11-25\n");
  ADD ("/client/http/headers/legacy-old", test_headers_legacy, "");
  ADD ("/client/http/headers/none", test_headers_none, NULL);
  ADD ("/client/http/headers/invalid-tool", test_invalid_tool, NULL);
  ADD ("/client/http/headers/mismatch", test_mismatch, NULL);
  ADD ("/client/http/headers/mismatch-with-cache", test_mismatch, "cache");
  ADD ("/client/http/headers/mismatch-guessed", test_mismatch_guessed, NULL);
  ADD ("/client/http/headers/mismatch-stays", test_mismatch_stays, NULL);
  ADD ("/client/http/headers/mismatch-no-list", test_mismatch_no_list, NULL);
  ADD ("/client/http/headers/mismatch-cancelled", test_mismatch_cancelled, NULL);
  ADD ("/client/http/version/refused", test_version_refused, NULL);
  ADD ("/client/http/version/none-shared", test_version_none_shared,
       FAILURE ("\"code\":-32022,\"message\":\"V\",\"data\":{\"supported\":[\"2025-11-25\"]}"));
  ADD ("/client/http/version/none-named", test_version_none_shared,
       FAILURE ("\"code\":-32022,\"message\":\"V\""));
  add_tables ();
  ADD ("/client/http/failure/then-answer", test_failure_then_answer, NULL);
  ADD ("/client/http/failure/rpc", test_failure_rpc, NULL);
  ADD ("/client/http/failure/mismatch", test_failure_mismatch, NULL);
  ADD ("/client/http/failure/sign-in", test_failure_sign_in, NULL);
  ADD ("/client/http/failure/unknown", test_failure_unknown, NULL);
  ADD ("/client/http/cancel/modern", test_cancel, NULL);
  ADD ("/client/http/cancel/legacy", test_cancel, "legacy");
  ADD ("/client/http/session/lost", test_session_lost, NULL);
  ADD ("/client/http/session/lost-by-several", test_session_lost_by_several, NULL);
  ADD ("/client/http/session/lost-late", test_session_lost_late, NULL);
  ADD ("/client/http/session/lost-again", test_session_lost_again, NULL);
  ADD ("/client/http/session/lost-unasked", test_session_lost_unasked, NULL);
  ADD ("/client/http/session/not-renewed", test_session_not_renewed, NULL);
  ADD ("/client/http/session/closed-meanwhile", test_session_closed_meanwhile, NULL);
  ADD ("/client/http/session/cancelled-meanwhile", test_session_cancelled_meanwhile, NULL);
  ADD ("/client/http/fall-back/fails", test_fall_back_fails, NULL);
  ADD ("/client/http/fall-back/fails-closed", test_fall_back_fails, "closed");
  ADD ("/client/http/fall-back/not-there", test_fall_back_not_there, NULL);
  ADD ("/client/http/fall-back/silent-probe", test_fall_back_silent_probe, NULL);
  ADD ("/client/http/cached/refused", test_cached_refused, NULL);
  ADD ("/client/http/cached/sign-in", test_cached_no_verdict, GUINT_TO_POINTER (401));
  ADD ("/client/http/cached/unavailable", test_cached_no_verdict, GUINT_TO_POINTER (503));
  ADD ("/client/http/byte-stream/version-refused", test_stdio_version_refused, NULL);
  ADD ("/client/http/byte-stream/dies", test_stdio_dies, "");
  ADD ("/client/http/byte-stream/dies-read-only", test_stdio_dies, READ_ONLY);
  ADD ("/client/http/byte-stream/not-written", test_stdio_not_written, NULL);

  return g_test_run ();
}
