/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "client-fixture.h"

#include "gmcp-client-private.h"
#include "unit-test.h"

#define ASK(requests, more)                                                                        \
  "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"input_required\","                 \
  "\"inputRequests\":{" requests "}" more "}}"
#define FORM                                                                                       \
  "\"method\":\"elicitation/create\",\"params\":{\"message\":\"Who?\",\"requestedSchema\":{"       \
  "\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"default\":\"Ann\"}}}}"
#define SAMPLING                                                                                   \
  "\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":9}"
#define VISIT                                                                                      \
  "{\"mode\":\"url\",\"message\":\"Go\",\"elicitationId\":\"e1\",\"url\":\"https://example.org/\"}"

/* What the application got, and keeps. */
static GPtrArray *asked;

static void
on_input_keep (GmcpClient *client, GmcpInputRequest *request, gpointer data)
{
  g_ptr_array_add (asked, g_object_ref (request));
}

static void
on_input_drop (GmcpClient *client, GmcpInputRequest *request, gpointer data)
{
}

static void
on_input_accept (GmcpClient *client, GmcpInputRequest *request, gpointer data)
{
  if (GMCP_IS_ELICITATION (request))
    g_assert_true (gmcp_elicitation_accept (GMCP_ELICITATION (request), NULL, NULL));
  else
    gmcp_sampling_accept_text (GMCP_SAMPLING (request), "Paris", "m", NULL);
}

static void
answer_newest (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "initialize"))
    scripted_server_send (server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"protocolVersion\":"
                                  "\"2025-11-25\",\"capabilities\":{\"tools\":{}}}}");
  else
    scripted_server_legacy (server, method, message);
}

typedef struct
{
  ScriptedServerFunc answer;
  GCallback handler; /* NULL for none */
  gboolean sampling;
} Setup;

static void
set_up (ClientFixture *fixture, gconstpointer data)
{
  const Setup *setup = data;

  asked = g_ptr_array_new_with_free_func (g_object_unref);
  client_fixture_make (fixture, setup->answer);
  if (setup->handler != NULL)
    g_signal_connect (fixture->client, "input-requested", setup->handler, fixture);
  gmcp_client_set_allow_sampling (fixture->client, setup->sampling);
  client_fixture_open (fixture);
  settle ();
}

static void
tear_down (ClientFixture *fixture, gconstpointer data)
{
  client_fixture_tear_down (fixture, data);
  g_ptr_array_unref (asked);
}

static const char *
last_call (ClientFixture *fixture)
{
  return scripted_server_find (fixture->server, "tools/call");
}

/* The server answers the call, and the client sends it again. */
static void
ask_and_wait (ClientFixture *fixture, const char *answer)
{
  guint before = scripted_server_count (fixture->server, "tools/call");

  scripted_server_send (fixture->server, answer);
  wait_for_messages (fixture, "tools/call", before + 1);
}

static void
wait_asked (guint n)
{
  while (asked->len < n)
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_call_works (ClientFixture *fixture, Waiter *waiter)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;

  client_fixture_answer_text (fixture, "done");
  result = client_fixture_finish (fixture, waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "done");
}

static void
assert_call_fails (ClientFixture *fixture, Waiter *waiter, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (client_fixture_finish (fixture, waiter, &error));
  g_assert_error (error, GMCP_ERROR, code);
  g_assert_nonnull (strstr (error->message, "srv"));
}

static const Setup modern_keep = { scripted_server_modern, G_CALLBACK (on_input_keep), TRUE };
static const Setup modern_accept = { scripted_server_modern, G_CALLBACK (on_input_accept), TRUE };
static const Setup modern_drop = { scripted_server_modern, G_CALLBACK (on_input_drop), TRUE };
static const Setup modern_deaf = { scripted_server_modern, NULL, TRUE };
static const Setup modern_no_sampling
  = { scripted_server_modern, G_CALLBACK (on_input_keep), FALSE };
static const Setup legacy_keep = { answer_newest, G_CALLBACK (on_input_keep), TRUE };
static const Setup legacy_deaf = { answer_newest, NULL, FALSE };

/* Modern. */

static void
test_round (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };
  GmcpElicitation *form;
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *first_id = NULL;

  client_fixture_call (fixture, options, NULL, &waiter);
  first_id = g_strdup (fixture->server->last_id);
  scripted_server_send (fixture->server, ASK ("\"a\\u0062\":{" FORM "},\"s\":{" SAMPLING "}",
                                              ",\"requestState\":\"x\\u0041\\/{}\""));
  wait_asked (2);
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, 1);
  form = g_ptr_array_index (asked, 0);
  g_assert_cmpstr (gmcp_elicitation_get_message (form), ==, "Who?");
  g_assert_cmpstr (gmcp_input_request_get_server_name (GMCP_INPUT_REQUEST (form)), ==, "srv");
  g_assert_cmpstr (gmcp_input_request_get_subject (GMCP_INPUT_REQUEST (form)), ==, "echo");
  g_assert_true (gmcp_input_request_get_options (GMCP_INPUT_REQUEST (form)) == options);
  g_assert_true (gmcp_input_request_get_options (g_ptr_array_index (asked, 1)) == options);

  gmcp_sampling_accept_text (g_ptr_array_index (asked, 1), "Paris", "m", NULL);
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, 1);
  g_assert_true (gmcp_elicitation_accept_json (form, "{\"name\":\"Bob\"}", &error));
  g_assert_no_error (error);
  wait_for_messages (fixture, "tools/call", 2);
  g_assert_cmpstr (first_id, !=, fixture->server->last_id);
  g_assert_nonnull (strstr (last_call (fixture), "\"arguments\":{\"a\":[1.50,\"\\u0041\"]},"
                                                 "\"inputResponses\":{\"a\\u0062\":{\"action\":"
                                                 "\"accept\",\"content\":{\"name\":\"Bob\"}},"
                                                 "\"s\":{\"role\":\"assistant\""));
  g_assert_nonnull (strstr (last_call (fixture), ",\"requestState\":\"x\\u0041\\/{}\",\"_meta\""));
  assert_call_works (fixture, &waiter);

  /* Nothing of it clings to the next call. */
  client_fixture_call (fixture, NULL, NULL, &waiter);
  g_assert_null (strstr (last_call (fixture), "inputResponses"));
  g_assert_null (strstr (last_call (fixture), "requestState"));
  assert_call_works (fixture, &waiter);
}

static void
test_rounds (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };

  g_test_summary (
    "answers within the signal; the state of one round does not last to the next; ten "
    "rounds, and no more");
  client_fixture_call (fixture, NULL, NULL, &waiter);
  ask_and_wait (fixture, ASK ("\"a\":{" FORM "}", ",\"requestState\":\"one\""));
  g_assert_nonnull (strstr (last_call (fixture), "\"requestState\":\"one\""));
  ask_and_wait (fixture, ASK ("\"b\":{" FORM "}", ""));
  g_assert_null (strstr (last_call (fixture), "requestState"));
  g_assert_nonnull (strstr (last_call (fixture), "\"inputResponses\":{\"b\":"));
  for (guint i = 2; i < 10; i++)
    ask_and_wait (fixture, ASK ("\"b\":{" FORM "}", ""));
  scripted_server_send (fixture->server, ASK ("\"b\":{" FORM "}", ""));
  assert_call_fails (fixture, &waiter, GMCP_ERROR_LIMIT_EXCEEDED);
}

static void
test_state_only (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };

  client_fixture_call (fixture, NULL, NULL, &waiter);
  ask_and_wait (fixture, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":"
                         "\"input_required\",\"requestState\":\"later\"}}");
  g_assert_nonnull (strstr (last_call (fixture), "\"requestState\":\"later\""));
  g_assert_null (strstr (last_call (fixture), "inputResponses"));
  ask_and_wait (fixture, ASK ("", ",\"requestState\":\"later still\""));
  g_assert_nonnull (strstr (last_call (fixture), "\"requestState\":\"later still\""));
  assert_call_works (fixture, &waiter);
}

static void
test_bad_requests (ClientFixture *fixture, gconstpointer data)
{
  static const char *const answers[] = {
    ASK ("", ""),
    ASK ("\"a\":{\"method\":\"dance\"}", ""),
    ASK ("\"a\":7", ""),
    ASK ("\"a\":{\"method\":\"elicitation/create\",\"params\":{}}", ""),
    ASK (
      "\"a\":{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"url\":\"file:///\"}}",
      ""),
    ASK ("\"a\":{\"method\":\"sampling/createMessage\"}", ""),
    ASK ("\"a\":{" FORM "},\"b\":{\"method\":\"dance\"}", ""),
    ASK ("\"a\":{" FORM "}", ",\"requestState\":7"),
    ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"input_required\","
     "\"inputRequests\":[]}}"),
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"strange\"}}",
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":7}}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      Waiter waiter = { NULL };

      g_test_message ("%s", answers[i]);
      client_fixture_call (fixture, NULL, NULL, &waiter);
      scripted_server_send (fixture->server, answers[i]);
      assert_call_fails (fixture, &waiter, GMCP_ERROR_PROTOCOL);
    }
  g_assert_cmpuint (asked->len, ==, 0);
}

static void
test_too_many (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) answer
    = g_string_new ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{"
                    "\"resultType\":\"input_required\",\"inputRequests\":{");
  Waiter waiter = { NULL };

  for (guint i = 0; i <= 100; i++)
    g_string_append_printf (answer, "%s\"%u\":{" FORM "}", i > 0 ? "," : "", i);
  g_string_append (answer, "}}}");
  client_fixture_call (fixture, NULL, NULL, &waiter);
  scripted_server_send (fixture->server, answer->str);
  assert_call_fails (fixture, &waiter, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_cmpuint (asked->len, ==, 0);
}

static void
test_wrong_method (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };
  g_autoptr (GError) error = NULL;

  g_test_summary ("what is no call, prompt or resource needs no input");
  fixture->server->answer = NULL;
  gmcp_client_ping_async (fixture->client, NULL, NULL, waiter_done, &waiter);
  wait_for_messages (fixture, "server/discover", 2);
  scripted_server_send (fixture->server, ASK ("\"a\":{" FORM "}", ""));
  waiter_wait (&waiter);
  g_assert_false (gmcp_client_ping_finish (fixture->client, waiter.result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  g_object_unref (waiter.result);
}

static void
test_declined (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };

  g_test_summary ("where nobody listens, questions to the user are declined and the call goes on");
  g_assert_null (strstr (scripted_server_find (fixture->server, "server/discover"), "elicitation"));
  client_fixture_call (fixture, NULL, NULL, &waiter);
  ask_and_wait (fixture, ASK ("\"a\":{" FORM "}", ""));
  g_assert_nonnull (
    strstr (last_call (fixture), "\"inputResponses\":{\"a\":{\"action\":\"decline\"}}"));
  assert_call_works (fixture, &waiter);
}

static void
test_let_go (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };

  g_test_summary ("a question that nobody keeps is cancelled");
  client_fixture_call (fixture, NULL, NULL, &waiter);
  ask_and_wait (fixture, ASK ("\"a\":{" FORM "}", ""));
  g_assert_nonnull (
    strstr (last_call (fixture), "\"inputResponses\":{\"a\":{\"action\":\"cancel\"}}"));
  scripted_server_send (fixture->server, ASK ("\"a\":{" SAMPLING "}", ""));
  assert_call_fails (fixture, &waiter, GMCP_ERROR_INPUT_REFUSED);
}

static void
test_sampling_refused (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };
  guint n_messages;

  g_test_summary ("refused sampling ends the call, and nothing more is sent");
  client_fixture_call (fixture, NULL, NULL, &waiter);
  n_messages = fixture->server->received->len;
  scripted_server_send (fixture->server, ASK ("\"a\":{" FORM "},\"s\":{" SAMPLING "}", ""));
  if (data == &modern_keep)
    {
      wait_asked (2);
      gmcp_input_request_decline (GMCP_INPUT_REQUEST (g_ptr_array_index (asked, 1)));
      g_assert_false (gmcp_input_request_is_open (g_ptr_array_index (asked, 0)));
    }
  else
    g_assert_cmpuint (asked->len, ==, 0);
  assert_call_fails (fixture, &waiter, GMCP_ERROR_INPUT_REFUSED);
  settle ();
  g_assert_cmpuint (fixture->server->received->len, ==, n_messages);
}

static void
on_closed (GmcpInputRequest *request, gpointer data)
{
  g_assert_false (gmcp_input_request_is_open (request));
  ++*(guint *) data;
}

static void
test_cancel (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  guint n_closed = 0;

  client_fixture_call (fixture, NULL, cancellable, &waiter);
  scripted_server_send (fixture->server, ASK ("\"a\":{" FORM "}", ""));
  wait_asked (1);
  g_signal_connect (g_ptr_array_index (asked, 0), "closed", G_CALLBACK (on_closed), &n_closed);
  g_cancellable_cancel (cancellable);
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (n_closed, ==, 1);
  /* Too late. */
  g_assert_true (gmcp_elicitation_accept (g_ptr_array_index (asked, 0), NULL, NULL));
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, 1);
  g_assert_cmpuint (scripted_server_count (fixture->server, "notifications/cancelled"), ==, 0);
}

static void
on_input_cancel_call (GmcpClient *client, GmcpInputRequest *request, gpointer data)
{
  g_cancellable_cancel (g_object_get_data (G_OBJECT (client), "cancellable"));
  settle ();
}

static void
test_cancel_in_signal (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  g_test_summary ("a call may end while its questions are being put");
  g_object_set_data (G_OBJECT (fixture->client), "cancellable", cancellable);
  g_signal_connect (fixture->client, "input-requested", G_CALLBACK (on_input_cancel_call), NULL);
  client_fixture_call (fixture, NULL, cancellable, &waiter);
  scripted_server_send (fixture->server, ASK ("\"a\":{" FORM "},\"b\":{" FORM "}", ""));
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (asked->len, ==, 1);
}

static void
test_timeout (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };
  guint n_closed = 0;

  gmcp_client_set_input_timeout_ms (fixture->client, 20);
  client_fixture_call (fixture, NULL, NULL, &waiter);
  scripted_server_send (fixture->server, ASK ("\"a\":{" FORM "}", ""));
  wait_asked (1);
  g_signal_connect (g_ptr_array_index (asked, 0), "closed", G_CALLBACK (on_closed), &n_closed);
  assert_call_fails (fixture, &waiter, GMCP_ERROR_TIMED_OUT);
  g_assert_cmpuint (n_closed, ==, 1);
}

static void
test_outlives_call_timeout (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  Waiter waiter = { NULL };
  gint64 until;

  g_test_summary ("time in which the user thinks is not the call's");
  gmcp_call_options_set_timeout_ms (options, 150);
  gmcp_call_options_set_max_timeout_ms (options, 150);
  client_fixture_call (fixture, options, NULL, &waiter);
  if (data == &legacy_keep)
    scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":\"q\"," FORM "}");
  else
    scripted_server_send (fixture->server, ASK ("\"a\":{" FORM "}", ""));
  wait_asked (1);
  until = g_get_monotonic_time () + 300000;
  while (g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, FALSE);
  g_assert_null (waiter.result);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (g_ptr_array_index (asked, 0)));
  if (data != &legacy_keep)
    wait_for_messages (fixture, "tools/call", 2);
  assert_call_works (fixture, &waiter);

  /* And its own time goes on. */
  client_fixture_call (fixture, options, NULL, &waiter);
  assert_call_fails (fixture, &waiter, GMCP_ERROR_TIMED_OUT);
}

static void
run_for (guint ms)
{
  gint64 until = g_get_monotonic_time () + ms * (gint64) 1000;

  while (g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, FALSE);
}

static void
test_overlap (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  Waiter waiter = { NULL };
  gint64 since;

  g_test_summary ("a call that begins while a question is open is not timed either, nor while the "
                  "next question is");
  gmcp_call_options_set_timeout_ms (options, 300);
  gmcp_call_options_set_max_timeout_ms (options, 300);
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":\"q1\"," FORM "}");
  wait_asked (1);
  run_for (100);
  client_fixture_call (fixture, options, NULL, &waiter);
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":\"q2\"," FORM "}");
  wait_asked (2);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (asked->pdata[0]));
  run_for (500);
  g_assert_null (waiter.result);
  since = g_get_monotonic_time ();
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (asked->pdata[1]));

  /* Then it has its own time, and no more. */
  assert_call_fails (fixture, &waiter, GMCP_ERROR_TIMED_OUT);
  g_assert_cmpint (g_get_monotonic_time () - since, >, 200 * 1000);
}

static void
test_close (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };
  guint n_closed = 0;

  client_fixture_call (fixture, NULL, NULL, &waiter);
  if (data == &legacy_keep)
    scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":\"q\"," FORM "}");
  else
    scripted_server_send (fixture->server, ASK ("\"a\":{" FORM "}", ""));
  wait_asked (1);
  g_signal_connect (g_ptr_array_index (asked, 0), "closed", G_CALLBACK (on_closed), &n_closed);
  gmcp_client_close_async (fixture->client, NULL, NULL, NULL);
  assert_call_fails (fixture, &waiter, GMCP_ERROR_CLOSED);
  g_assert_cmpuint (n_closed, ==, 1);
}

static void
on_closed_decline (GmcpInputRequest *request, gpointer data)
{
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (data));
}

static void
test_answered_at_the_end (ClientFixture *fixture, gconstpointer data)
{
  Waiter first = { NULL }, second = { NULL };

  g_test_summary ("while one call ends, the question of the other that is to end is answered");
  client_fixture_call (fixture, NULL, NULL, &first);
  scripted_server_send (fixture->server, ASK ("\"a\":{" FORM "}", ""));
  wait_asked (1);
  client_fixture_call (fixture, NULL, NULL, &second);
  scripted_server_send (fixture->server, ASK ("\"a\":{" FORM "}", ""));
  wait_asked (2);
  g_signal_connect (asked->pdata[0], "closed", G_CALLBACK (on_closed_decline), asked->pdata[1]);
  gmcp_transport_close_async (fixture->server_end, NULL, NULL, NULL);
  assert_call_fails (fixture, &first, GMCP_ERROR_CLOSED);
  assert_call_fails (fixture, &second, GMCP_ERROR_CLOSED);
  settle ();
}

static void
on_closed_reject (GmcpInputRequest *request, gpointer data)
{
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (data));
}

static void
test_refused_at_the_end (ClientFixture *fixture, gconstpointer data)
{
  Waiter first = { NULL }, second = { NULL };

  client_fixture_call (fixture, NULL, NULL, &first);
  scripted_server_send (fixture->server, ASK ("\"a\":{" FORM "}", ""));
  wait_asked (1);
  client_fixture_call (fixture, NULL, NULL, &second);
  scripted_server_send (fixture->server, ASK ("\"a\":{" SAMPLING "}", ""));
  wait_asked (2);
  g_signal_connect (asked->pdata[0], "closed", G_CALLBACK (on_closed_reject), asked->pdata[1]);
  gmcp_transport_close_async (fixture->server_end, NULL, NULL, NULL);
  assert_call_fails (fixture, &first, GMCP_ERROR_CLOSED);
  assert_call_fails (fixture, &second, GMCP_ERROR_CLOSED);
  settle ();
}

static void
test_capabilities (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) roots = g_list_store_new (GMCP_TYPE_ROOT);
  const char *request = scripted_server_find (
    fixture->server, data == &legacy_keep ? "initialize" : "server/discover");
  Waiter waiter = { NULL };

  g_assert_nonnull (strstr (request, "\"elicitation\":{\"form\":{},\"url\":{}},"
                                     "\"sampling\":{\"tools\":{}}"));
  if (data == &legacy_keep)
    return;

  /* A modern server sees changes with the next request. */
  gmcp_client_set_roots (fixture->client, G_LIST_MODEL (roots));
  gmcp_client_set_allow_sampling (fixture->client, FALSE);
  client_fixture_call (fixture, NULL, NULL, &waiter);
  g_assert_nonnull (strstr (last_call (fixture), "\"roots\":{}"));
  g_assert_null (strstr (last_call (fixture), "sampling"));
  assert_call_works (fixture, &waiter);
}

static void
test_roots (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) roots = g_list_store_new (GMCP_TYPE_ROOT);
  g_autoptr (GmcpRoot) root = gmcp_root_new ("file:///home/a", "A \"b\"");
  g_autoptr (GmcpRoot) other = gmcp_root_new ("file:///home/b", NULL);
  Waiter waiter = { NULL };

  client_fixture_call (fixture, NULL, NULL, &waiter);
  scripted_server_send (fixture->server, ASK ("\"r\":{\"method\":\"roots/list\"}", ""));
  assert_call_fails (fixture, &waiter, GMCP_ERROR_NOT_SUPPORTED);

  gmcp_client_set_roots (fixture->client, G_LIST_MODEL (roots));
  g_list_store_append (roots, root);
  g_list_store_append (roots, other);
  client_fixture_call (fixture, NULL, NULL, &waiter);
  ask_and_wait (fixture, ASK ("\"r\":{\"method\":\"roots/list\"}", ""));
  g_assert_nonnull (strstr (last_call (fixture),
                            "\"inputResponses\":{\"r\":{\"roots\":[{\"uri\":\"file:///home/a\","
                            "\"name\":\"A \\\"b\\\"\"},{\"uri\":\"file:///home/b\"}]}}"));
  assert_call_works (fixture, &waiter);
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "notifications/roots/list_changed"), ==,
                    0);
}

static void
read_resource (ClientFixture *fixture, Waiter *waiter)
{
  guint before = scripted_server_count (fixture->server, "resources/read");

  gmcp_client_read_resource_async (fixture->client, "x:y", NULL, NULL, waiter_done, waiter);
  wait_for_messages (fixture, "resources/read", before + 1);
}

static void
test_not_cached (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpResponseCache) cache = gmcp_response_cache_new ();

  g_test_summary ("what a user was asked for is kept for nobody");
  gmcp_client_set_response_cache (fixture->client, cache);
  gmcp_client_set_cache_key (fixture->client, "key");
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GmcpResourceResult) result = NULL;
      g_autoptr (GError) error = NULL;
      Waiter waiter = { NULL };

      read_resource (fixture, &waiter);
      scripted_server_send (fixture->server, ASK ("\"a\":{" FORM "}", ""));
      wait_for_messages (fixture, "resources/read", 2 * i + 2);
      g_assert_nonnull (
        strstr (scripted_server_find (fixture->server, "resources/read"), "\"inputResponses\""));
      scripted_server_send (fixture->server,
                            "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"ttlMs\":60000,"
                            "\"cacheScope\":\"public\",\"contents\":[{\"uri\":\"x:y\","
                            "\"text\":\"t\"}]}}");
      waiter_wait (&waiter);
      result = gmcp_client_read_resource_finish (fixture->client, waiter.result, &error);
      g_assert_no_error (error);
      g_object_unref (waiter.result);
    }
  g_assert_cmpuint (gmcp_response_cache_get_n_responses (cache), ==, 0);
}

/* Legacy. */

/* The answer to the request of that id, which the test sends. */
static const char *
exchange (ClientFixture *fixture, const char *request, const char *id)
{
  g_autofree char *prefix = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%s,", id);
  guint before = fixture->server->received->len;

  scripted_server_send (fixture->server, request);
  for (guint i = before;; i++)
    {
      while (i >= fixture->server->received->len)
        g_main_context_iteration (NULL, TRUE);
      if (g_str_has_prefix (g_ptr_array_index (fixture->server->received, i), prefix))
        return g_ptr_array_index (fixture->server->received, i);
    }
}

static const char *
last_message (ClientFixture *fixture, guint n_before)
{
  while (fixture->server->received->len <= n_before)
    g_main_context_iteration (NULL, TRUE);
  return g_ptr_array_index (fixture->server->received, fixture->server->received->len - 1);
}

static void
test_legacy_questions (ClientFixture *fixture, gconstpointer data)
{
  guint n = fixture->server->received->len;

  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":\"q1\"," FORM "}");
  wait_asked (1);
  g_assert_null (gmcp_input_request_get_subject (g_ptr_array_index (asked, 0)));
  g_assert_null (gmcp_input_request_get_options (g_ptr_array_index (asked, 0)));
  g_assert_true (gmcp_elicitation_accept (g_ptr_array_index (asked, 0), NULL, NULL));
  g_assert_cmpstr (last_message (fixture, n), ==,
                   "{\"jsonrpc\":\"2.0\",\"id\":\"q1\",\"result\":{\"action\":\"accept\","
                   "\"content\":{\"name\":\"Ann\"}}}");

  n = fixture->server->received->len;
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":7," SAMPLING "}");
  wait_asked (2);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (g_ptr_array_index (asked, 1)));
  g_assert_true (
    g_str_has_prefix (last_message (fixture, n),
                      "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-1,\"message\":"));

  n = fixture->server->received->len;
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":8," SAMPLING "}");
  wait_asked (3);
  gmcp_sampling_accept_text (g_ptr_array_index (asked, 2), "Paris", "m", NULL);
  g_assert_nonnull (strstr (last_message (fixture, n), "\"result\":{\"role\":\"assistant\""));
}

/* What is asked next. */
static GmcpInputRequest *
ask_next (ClientFixture *fixture)
{
  guint n = asked->len;

  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":\"next\"," FORM "}");
  wait_asked (n + 1);
  gmcp_input_request_decline (g_ptr_array_index (asked, n));
  return g_ptr_array_index (asked, n);
}

static void
test_legacy_whose (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpCallOptions) other = gmcp_call_options_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Waiter first = { NULL };
  Waiter second = { NULL };
  g_autoptr (GError) error = NULL;

  g_test_summary ("a question is of the call that is under way, where it can be of no other");
  client_fixture_call (fixture, options, NULL, &first);
  g_assert_true (gmcp_input_request_get_options (ask_next (fixture)) == options);

  /* Nobody is asked in the course of a ping. */
  gmcp_client_ping_async (fixture->client, NULL, NULL, NULL, NULL);
  wait_for_messages (fixture, "ping", 1);
  g_assert_true (gmcp_input_request_get_options (ask_next (fixture)) == options);

  client_fixture_call (fixture, other, cancellable, &second);
  g_assert_null (gmcp_input_request_get_options (ask_next (fixture)));

  /* The server may still be at what was given up. */
  g_cancellable_cancel (cancellable);
  g_assert_null (client_fixture_finish (fixture, &second, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (gmcp_input_request_get_options (ask_next (fixture)));
  g_clear_error (&error);
  gmcp_client_close_async (fixture->client, NULL, NULL, NULL);
  g_assert_null (client_fixture_finish (fixture, &first, &error));
}

static void
test_legacy_whose_given_up (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autofree char *garbage = g_strnfill (2000, '{');
  Waiter lost = { NULL };
  Waiter next = { NULL };
  g_autoptr (GError) error = NULL;

  g_test_summary ("nor is it of a call that comes after one whose answer could not be read");
  gmcp_transport_set_max_message_bytes (gmcp_client_get_transport (fixture->client), 1000);
  client_fixture_call (fixture, options, NULL, &lost);
  scripted_server_send (fixture->server, garbage);
  g_assert_null (client_fixture_finish (fixture, &lost, &error));
  g_clear_error (&error);
  client_fixture_call (fixture, options, NULL, &next);
  g_assert_null (gmcp_input_request_get_options (ask_next (fixture)));
  gmcp_client_close_async (fixture->client, NULL, NULL, NULL);
  g_assert_null (client_fixture_finish (fixture, &next, &error));
}

static void
test_legacy_refused (ClientFixture *fixture, gconstpointer data)
{
  g_assert_nonnull (
    strstr (scripted_server_find (fixture->server, "initialize"), "\"capabilities\":{}"));
  g_assert_cmpstr (exchange (fixture, "{\"jsonrpc\":\"2.0\",\"id\":1," FORM "}", "1"), ==,
                   "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"decline\"}}");
  g_assert_nonnull (strstr (exchange (fixture, "{\"jsonrpc\":\"2.0\",\"id\":2," SAMPLING "}", "2"),
                            "\"code\":-1,"));
  g_assert_nonnull (
    strstr (exchange (fixture, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"roots/list\"}", "3"),
            "\"code\":-32601,"));
  g_assert_nonnull (strstr (
    exchange (fixture,
              "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"elicitation/create\",\"params\":{}}",
              "4"),
    "\"code\":-32602,"));
}

static void
test_legacy_taken_back (ClientFixture *fixture, gconstpointer data)
{
  guint n_closed = 0;
  guint n;

  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":\"q1\"," FORM "}");
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":\"q2\"," FORM "}");
  wait_asked (2);
  n = fixture->server->received->len;
  g_signal_connect (g_ptr_array_index (asked, 0), "closed", G_CALLBACK (on_closed), &n_closed);
  g_signal_connect (g_ptr_array_index (asked, 1), "closed", G_CALLBACK (on_closed), &n_closed);
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
                        "\"requestId\":\"q1\"}}");
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{"
                        "\"requestId\":5}}");
  settle ();
  g_assert_cmpuint (n_closed, ==, 1);
  g_assert_true (gmcp_input_request_is_open (g_ptr_array_index (asked, 1)));
  g_assert_cmpuint (fixture->server->received->len, ==, n);
  g_signal_handlers_disconnect_by_data (g_ptr_array_index (asked, 1), &n_closed);
}

static void
test_legacy_timeout (ClientFixture *fixture, gconstpointer data)
{
  gmcp_client_set_input_timeout_ms (fixture->client, 10);
  g_assert_cmpstr (exchange (fixture, "{\"jsonrpc\":\"2.0\",\"id\":1," FORM "}", "1"), ==,
                   "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"cancel\"}}");
  g_assert_nonnull (strstr (exchange (fixture, "{\"jsonrpc\":\"2.0\",\"id\":2," SAMPLING "}", "2"),
                            "\"code\":-1,"));
  g_assert_false (gmcp_input_request_is_open (g_ptr_array_index (asked, 0)));
}

static void
test_legacy_too_many (ClientFixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 100; i++)
    scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":1," FORM "}");
  wait_asked (100);
  g_assert_nonnull (
    strstr (exchange (fixture, "{\"jsonrpc\":\"2.0\",\"id\":2," FORM "}", "2"), "\"code\":-1,"));
  g_assert_cmpuint (asked->len, ==, 100);
}

static void
test_legacy_roots (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) roots = g_list_store_new (GMCP_TYPE_ROOT);
  g_autoptr (GmcpRoot) root = gmcp_root_new ("file:///home/a", NULL);
  ClientFixture other = { NULL };

  client_fixture_make (&other, answer_newest);
  gmcp_client_set_roots (other.client, G_LIST_MODEL (roots));
  client_fixture_open (&other);
  g_assert_nonnull (strstr (scripted_server_find (other.server, "initialize"),
                            "\"capabilities\":{\"roots\":{\"listChanged\":true}}"));
  g_list_store_append (roots, root);
  g_list_store_append (roots, root);
  wait_for_messages (&other, "notifications/roots/list_changed", 1);
  g_assert_nonnull (
    strstr (exchange (&other, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"roots/list\"}", "3"),
            "\"result\":{\"roots\":[{\"uri\":\"file:///home/a\"},{\"uri\":\"file:///home/a\"}]}"));
  g_assert_cmpuint (scripted_server_count (other.server, "notifications/roots/list_changed"), ==,
                    1);
  g_list_store_remove_all (roots);
  client_fixture_tear_down (&other, NULL);
}

static void
test_legacy_roots_late (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) roots = g_list_store_new (GMCP_TYPE_ROOT);
  ClientFixture other = { NULL };

  g_test_summary ("what the server was not told at the start it is not told later");
  gmcp_client_set_roots (fixture->client, G_LIST_MODEL (roots));
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "notifications/roots/list_changed"), ==,
                    0);
  g_assert_nonnull (
    strstr (exchange (fixture, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"roots/list\"}", "3"),
            "\"code\":-32601,"));

  /* And what it was told stays true. */
  client_fixture_make (&other, answer_newest);
  gmcp_client_set_roots (other.client, G_LIST_MODEL (roots));
  client_fixture_open (&other);
  gmcp_client_set_roots (other.client, NULL);
  wait_for_messages (&other, "notifications/roots/list_changed", 1);
  g_assert_nonnull (
    strstr (exchange (&other, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"roots/list\"}", "3"),
            "\"result\":{\"roots\":[]}"));
  client_fixture_tear_down (&other, NULL);
}

static void
ask_with_pattern (ClientFixture *fixture, const char *pattern)
{
  guint n = asked->len;
  g_autofree char *text = g_strdup_printf (
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"m\","
    "\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\","
    "\"pattern\":\"%s\",\"default\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1!\"}}}}}",
    pattern);

  scripted_server_send (fixture->server, text);
  wait_asked (n + 1);
}

static void
test_pattern (ClientFixture *fixture, gconstpointer data)
{
  g_autofree char *long_pattern = g_strnfill (5000, 'b');
  const char *const of_no_use[] = { "(", "^(a+)+$", long_pattern };
  g_autoptr (GError) error = NULL;
  g_autofree char *value = NULL;
  GmcpElicitationField *field;

  ask_with_pattern (fixture, "^[0-9\\\\u00e9]+$");
  field = gmcp_elicitation_get_field (asked->pdata[0], "a");
  g_assert_cmpstr (gmcp_elicitation_field_get_pattern (field), ==, "^[0-9\\u00e9]+$");
  value = gmcp_elicitation_field_dup_default_json (field);
  g_assert_null (value);
  g_assert_false (gmcp_elicitation_accept_json (asked->pdata[0], "{\"a\":\"abc\"}", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "^[0-9"));
  g_assert_true (gmcp_elicitation_accept_json (asked->pdata[0], "{\"a\":\"4é2\"}", NULL));

  /* What makes no sense, or would take too long, is for the server to check. */
  for (guint i = 0; i < G_N_ELEMENTS (of_no_use); i++)
    {
      ask_with_pattern (fixture, of_no_use[i]);
      g_assert_true (gmcp_elicitation_accept (asked->pdata[i + 1], NULL, NULL));
    }
}

#define VISIT_REQUIRED                                                                             \
  "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32042,\"message\":\"Sign in first\","      \
  "\"data\":{\"elicitations\":[" VISIT "]}}}"
#define VISITS_REQUIRED                                                                            \
  "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32042,\"message\":\"Sign in first\","      \
  "\"data\":{\"elicitations\":[" VISIT "," VISIT "]}}}"
#define VISIT_COMPLETE                                                                             \
  "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/elicitation/complete\",\"params\":{"            \
  "\"elicitationId\":\"e1\"}}"

static void
count_change (GObject *visit, GParamSpec *pspec, guint *n_changes)
{
  ++*n_changes;
}

static void
test_visit (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };
  GmcpElicitation *visit;
  guint n_changes = 0;

  g_test_summary ("a call that needs a visit first is sent again when the server says that it was "
                  "made, or the user does");
  client_fixture_call (fixture, NULL, NULL, &waiter);
  scripted_server_send (fixture->server, VISIT_REQUIRED);
  wait_asked (1);
  visit = g_ptr_array_index (asked, 0);
  g_assert_cmpstr (gmcp_elicitation_get_url (visit), ==, "https://example.org/");
  scripted_server_send (fixture->server, VISIT_COMPLETE);
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, 1);
  g_signal_connect (visit, "notify::awaited", G_CALLBACK (count_change), &n_changes);
  g_assert_false (gmcp_elicitation_is_awaited (visit));
  g_assert_true (gmcp_elicitation_accept (visit, NULL, NULL));
  g_assert_true (gmcp_elicitation_is_awaited (visit));
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, 1);
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/elicitation/complete\","
                        "\"params\":{\"elicitationId\":\"e2\"}}");
  scripted_server_send (fixture->server, VISIT_COMPLETE);
  wait_for_messages (fixture, "tools/call", 2);
  g_assert_true (gmcp_elicitation_is_completed (visit));
  g_assert_false (gmcp_elicitation_is_awaited (visit));
  g_assert_cmpuint (n_changes, ==, 2);

  scripted_server_send (fixture->server, VISIT_REQUIRED);
  wait_asked (2);
  visit = g_ptr_array_index (asked, 1);
  g_assert_true (gmcp_elicitation_accept (visit, NULL, NULL));
  gmcp_elicitation_complete (visit);
  wait_for_messages (fixture, "tools/call", 3);
  assert_call_works (fixture, &waiter);
}

static void
test_visit_overlap (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  Waiter waiter = { NULL };

  g_test_summary ("a call that waits for a visit is not timed when another question is answered");
  gmcp_call_options_set_timeout_ms (options, 300);
  gmcp_call_options_set_max_timeout_ms (options, 300);
  client_fixture_call (fixture, options, NULL, &waiter);
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":\"q1\"," FORM "}");
  wait_asked (1);
  scripted_server_send (fixture->server, VISIT_REQUIRED);
  wait_asked (2);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (asked->pdata[0]));
  run_for (500);
  g_assert_null (waiter.result);

  g_assert_true (gmcp_elicitation_accept (asked->pdata[1], NULL, NULL));
  gmcp_elicitation_complete (asked->pdata[1]);
  wait_for_messages (fixture, "tools/call", 2);
  run_for (100);
  assert_call_works (fixture, &waiter);
}

static void
test_visit_declined (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };
  g_autoptr (GError) error = NULL;

  client_fixture_call (fixture, NULL, NULL, &waiter);
  scripted_server_send (fixture->server, VISIT_REQUIRED);
  wait_asked (1);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (g_ptr_array_index (asked, 0)));
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_RPC_ERROR, -32042);
}

static void
test_visit_abandoned (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };
  g_autoptr (GError) error = NULL;
  GmcpElicitation *visit;
  guint n_changes = 0;

  client_fixture_call (fixture, NULL, NULL, &waiter);
  scripted_server_send (fixture->server, VISIT_REQUIRED);
  wait_asked (1);
  visit = g_ptr_array_index (asked, 0);
  gmcp_elicitation_abandon (visit);
  g_assert_true (gmcp_elicitation_accept (visit, NULL, NULL));
  g_signal_connect (visit, "notify::awaited", G_CALLBACK (count_change), &n_changes);
  gmcp_elicitation_abandon (visit);
  gmcp_elicitation_abandon (visit);
  g_assert_false (gmcp_elicitation_is_awaited (visit));
  g_assert_cmpuint (n_changes, ==, 1);
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_RPC_ERROR, -32042);
}

static void
end_visit (GmcpElicitation *visit, GParamSpec *pspec, void (*end) (GmcpElicitation *other))
{
  end (visit);
}

static void
test_visit_ended_when_told (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };
  g_autoptr (GError) error = NULL;

  g_test_summary ("whoever hears that a visit is awaited may end it there and then");
  client_fixture_call (fixture, NULL, NULL, &waiter);
  scripted_server_send (fixture->server, VISIT_REQUIRED);
  wait_asked (1);
  g_signal_connect (asked->pdata[0], "notify::awaited", G_CALLBACK (end_visit),
                    gmcp_elicitation_complete);
  g_assert_true (gmcp_elicitation_accept (asked->pdata[0], NULL, NULL));
  wait_for_messages (fixture, "tools/call", 2);

  scripted_server_send (fixture->server, VISIT_REQUIRED);
  wait_asked (2);
  g_signal_connect (asked->pdata[1], "notify::awaited", G_CALLBACK (end_visit),
                    gmcp_elicitation_abandon);
  g_assert_true (gmcp_elicitation_accept (asked->pdata[1], NULL, NULL));
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_RPC_ERROR, -32042);
}

static void
end_other_visit (GmcpElicitation *visit, GParamSpec *pspec, void (*end) (GmcpElicitation *other))
{
  for (guint i = 0; i < asked->len; i++)
    if (asked->pdata[i] != visit && !gmcp_elicitation_is_awaited (visit))
      end (asked->pdata[i]);
}

static void
test_visits_cancelled (ClientFixture *fixture, gconstpointer end)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  g_test_summary ("whoever hears that one visit is not awaited any more may end the other");
  client_fixture_call (fixture, NULL, cancellable, &waiter);
  scripted_server_send (fixture->server, VISITS_REQUIRED);
  wait_asked (2);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (gmcp_elicitation_accept (asked->pdata[i], NULL, NULL));
      g_signal_connect (asked->pdata[i], "notify::awaited", G_CALLBACK (end_other_visit),
                        i == 0 ? gmcp_elicitation_abandon : gmcp_elicitation_complete);
    }
  g_cancellable_cancel (cancellable);
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, 1);
}

static void
test_visits (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };

  g_test_summary ("what is done once is done for all that wait for it");
  client_fixture_call (fixture, NULL, NULL, &waiter);
  scripted_server_send (fixture->server, VISITS_REQUIRED);
  wait_asked (2);
  for (guint i = 0; i < 2; i++)
    g_assert_true (gmcp_elicitation_accept (asked->pdata[i], NULL, NULL));
  scripted_server_send (fixture->server, VISIT_COMPLETE);
  wait_for_messages (fixture, "tools/call", 2);
  assert_call_works (fixture, &waiter);
}

static void
test_visit_cancelled (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  client_fixture_call (fixture, NULL, cancellable, &waiter);
  scripted_server_send (fixture->server, VISIT_REQUIRED);
  wait_asked (1);
  g_assert_true (gmcp_elicitation_accept (g_ptr_array_index (asked, 0), NULL, NULL));
  g_cancellable_cancel (cancellable);
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (gmcp_elicitation_is_awaited (g_ptr_array_index (asked, 0)));
  scripted_server_send (fixture->server, VISIT_COMPLETE);
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, 1);
}

static void
test_bad_visits (ClientFixture *fixture, gconstpointer data)
{
  static const char *const datas[] = {
    "null",
    "{}",
    "{\"elicitations\":[]}",
    "{\"elicitations\":[7]}",
    "{\"elicitations\":[" VISIT ",{\"message\":\"m\",\"requestedSchema\":{}}]}",
    "{\"elicitations\":[{\"mode\":\"url\",\"message\":\"m\",\"url\":\"file:///etc\"}]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (datas); i++)
    {
      Waiter waiter = { NULL };
      g_autoptr (GError) error = NULL;
      g_autofree char *answer = g_strdup_printf (
        "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32042,\"message\":\"m\",\"data\":%s}}",
        datas[i]);

      client_fixture_call (fixture, NULL, NULL, &waiter);
      scripted_server_send (fixture->server, answer);
      g_assert_null (client_fixture_finish (fixture, &waiter, &error));
      g_assert_error (error, GMCP_RPC_ERROR, -32042);
    }
  g_assert_cmpuint (asked->len, ==, 0);
}

static void
test_legacy_visit_completed (ClientFixture *fixture, gconstpointer data)
{
  GmcpElicitation *visit;

  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\","
                        "\"params\":" VISIT "}");
  wait_asked (1);
  visit = g_ptr_array_index (asked, 0);
  g_assert_true (gmcp_elicitation_accept (visit, NULL, NULL));
  scripted_server_send (fixture->server, VISIT_COMPLETE);
  while (!gmcp_elicitation_is_completed (visit))
    g_main_context_iteration (NULL, TRUE);
  scripted_server_send (fixture->server, VISIT_COMPLETE);
  settle ();
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, setup, func)                                                                     \
  g_test_add ("/client/input/" path, ClientFixture, &setup, set_up, func, tear_down)
  ADD ("modern/round", modern_keep, test_round);
  ADD ("modern/rounds", modern_accept, test_rounds);
  ADD ("modern/state-only", modern_keep, test_state_only);
  ADD ("modern/bad-requests", modern_keep, test_bad_requests);
  ADD ("modern/too-many", modern_keep, test_too_many);
  ADD ("modern/wrong-method", modern_keep, test_wrong_method);
  ADD ("modern/declined", modern_deaf, test_declined);
  ADD ("modern/let-go", modern_drop, test_let_go);
  ADD ("modern/sampling-refused", modern_keep, test_sampling_refused);
  ADD ("modern/sampling-forbidden", modern_no_sampling, test_sampling_refused);
  ADD ("modern/cancel", modern_keep, test_cancel);
  ADD ("modern/cancel-in-signal", modern_keep, test_cancel_in_signal);
  ADD ("modern/timeout", modern_keep, test_timeout);
  ADD ("modern/outlives-call-timeout", modern_keep, test_outlives_call_timeout);
  ADD ("modern/close", modern_keep, test_close);
  ADD ("modern/answered-at-the-end", modern_keep, test_answered_at_the_end);
  ADD ("modern/refused-at-the-end", modern_keep, test_refused_at_the_end);
  ADD ("modern/capabilities", modern_keep, test_capabilities);
  ADD ("modern/roots", modern_keep, test_roots);
  ADD ("modern/not-cached", modern_accept, test_not_cached);
  ADD ("legacy/questions", legacy_keep, test_legacy_questions);
  ADD ("legacy/whose", legacy_keep, test_legacy_whose);
  ADD ("legacy/whose-given-up", legacy_keep, test_legacy_whose_given_up);
  ADD ("legacy/refused", legacy_deaf, test_legacy_refused);
  ADD ("legacy/taken-back", legacy_keep, test_legacy_taken_back);
  ADD ("legacy/timeout", legacy_keep, test_legacy_timeout);
  ADD ("legacy/too-many", legacy_keep, test_legacy_too_many);
  ADD ("legacy/outlives-call-timeout", legacy_keep, test_outlives_call_timeout);
  ADD ("legacy/overlap", legacy_keep, test_overlap);
  ADD ("legacy/close", legacy_keep, test_close);
  ADD ("legacy/capabilities", legacy_keep, test_capabilities);
  ADD ("legacy/roots", legacy_keep, test_legacy_roots);
  ADD ("legacy/roots-late", legacy_keep, test_legacy_roots_late);
  ADD ("legacy/pattern", legacy_keep, test_pattern);
  ADD ("legacy/visit-overlap", legacy_keep, test_visit_overlap);
  ADD ("legacy/visit", legacy_keep, test_visit);
  ADD ("legacy/visit-declined", legacy_keep, test_visit_declined);
  ADD ("legacy/visit-abandoned", legacy_keep, test_visit_abandoned);
  ADD ("legacy/visit-ended-when-told", legacy_keep, test_visit_ended_when_told);
  ADD ("legacy/visits", legacy_keep, test_visits);
  ADD ("legacy/visits-cancelled", legacy_keep, test_visits_cancelled);
  ADD ("legacy/visit-cancelled", legacy_keep, test_visit_cancelled);
  ADD ("legacy/bad-visits", legacy_keep, test_bad_visits);
  ADD ("legacy/visit-completed", legacy_keep, test_legacy_visit_completed);

  return g_test_run ();
}
