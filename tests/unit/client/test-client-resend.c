/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "client-fixture.h"

#include "gmcp-eras-private.h"
#include "gmcp-exchange-struct-private.h"
#include "gmcp-client-private.h"
#include "unit-test.h"

/* An era of which one result and one error are not the last word: the request is sent again, or
 * held. What becomes of the hold is counted. */

static guint n_ended;
static GmcpExchange *held;

static void
on_hold_end (GmcpSession *session, gpointer data)
{
  g_assert_true (data == (gpointer) &n_ended);
  n_ended++;
  held = NULL;
}

static GError *
on_hold_timed_out (GmcpSession *session, GmcpExchange *exchange, gpointer data)
{
  return g_error_new_literal (GMCP_ERROR, GMCP_ERROR_TIMED_OUT, "nobody answered");
}

static const GmcpExchangeWait hold_wait = {
  .end = on_hold_end,
  .timed_out = on_hold_timed_out,
  .stops_clock = TRUE,
};

static gboolean
check_result (GmcpSession *session, GmcpExchange *exchange, GmcpJsonValue result, GError **error)
{
  gint64 hold_ms;
  g_autofree char *more = NULL;

  if (gmcp_json_value_get_int64 (gmcp_json_value_get_member (result, "hold"), &hold_ms))
    {
      held = exchange;
      gmcp_exchange_hold (session, exchange, &hold_wait, &n_ended,
                          g_get_monotonic_time () + hold_ms * 1000);
      return FALSE;
    }
  if (gmcp_json_value_is_present (gmcp_json_value_get_member (result, "bad")))
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL, "bad");
      return FALSE;
    }
  if (gmcp_json_value_is_present (gmcp_json_value_get_member (result, "again")))
    {
      more = gmcp_json_value_dup_raw (gmcp_json_value_get_member (result, "again"));
      /* The members without their braces. */
      more[strlen (more) - 1] = '\0';
      memmove (more, more + 1, strlen (more));
      gmcp_exchange_resend (session, exchange, more);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_error (GmcpSession *session, GmcpExchange *exchange, const GError *error)
{
  if (error->code != -7)
    return TRUE;
  gmcp_exchange_resend_after (session, exchange, NULL, 1);
  return FALSE;
}

static GmcpEraFuncs era;

static void
set_up (ClientFixture *fixture, gconstpointer data)
{
  client_fixture_set_up (fixture, data);
  n_ended = 0;
  era = gmcp_era_modern;
  era.check_result = check_result;
  era.check_error = check_error;
  gmcp_session_set_tried_era (gmcp_client_get_session (fixture->client), &era);
}

static void
answer_again (ClientFixture *fixture)
{
  g_autofree char *old_id = g_strdup (fixture->server->last_id);

  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"again\":"
                                         "{\"more\":\"\\u0041\"}}}");
  while (g_strcmp0 (fixture->server->last_id, old_id) == 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer data)
{
  *(double *) data = progress;
}

static void
test_again (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autofree char *first = NULL, *first_id = NULL, *members = NULL, *late = NULL;
  double progress = 0;
  const char *second;
  Waiter waiter = { NULL };

  g_test_summary ("what is sent again has a new id and progress token, and else the same members");
  g_signal_connect (options, "progress", G_CALLBACK (on_progress), &progress);
  gmcp_call_options_set_meta_json (options, "{\"x/y\":[7]}", NULL);
  client_fixture_call (fixture, options, NULL, &waiter);
  first = g_strdup (scripted_server_find (fixture->server, "tools/call"));
  first_id = g_strdup (fixture->server->last_id);
  answer_again (fixture);
  second = scripted_server_find (fixture->server, "tools/call");
  g_assert_cmpstr (first_id, !=, fixture->server->last_id);

  members = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\",\"params\":"
                             "{\"name\":\"echo\",\"arguments\":{\"a\":[1.50,\"\\u0041\"]},"
                             "\"more\":\"\\u0041\",\"_meta\":{\"progressToken\":%s,",
                             fixture->server->last_id, fixture->server->last_id);
  g_assert_true (g_str_has_prefix (second, members));
  g_assert_nonnull (strstr (second, "\"x/y\":[7]"));
  g_assert_nonnull (strstr (second, "io.modelcontextprotocol/protocolVersion"));

  late = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                          "{\"progressToken\":%s,\"progress\":1}}",
                          first_id);
  scripted_server_send (fixture->server, late);
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
                        "{\"progressToken\":$ID,\"progress\":2}}");
  settle ();
  g_assert_cmpfloat (progress, ==, 2);
  client_fixture_answer_text (fixture, "done");
  result = client_fixture_finish (fixture, &waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "done");
}

static void
test_cancel (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *told = NULL;
  Waiter waiter = { NULL };

  g_test_summary ("cancelling reaches the request that is under way, and no other");
  client_fixture_call (fixture, NULL, cancellable, &waiter);
  answer_again (fixture);
  g_cancellable_cancel (cancellable);
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wait_for_messages (fixture, "notifications/cancelled", 1);
  told = g_strdup_printf ("{\"requestId\":%s,", fixture->server->last_id);
  g_assert_nonnull (
    strstr (scripted_server_find (fixture->server, "notifications/cancelled"), told));
  g_assert_cmpuint (scripted_server_count (fixture->server, "notifications/cancelled"), ==, 1);
}

static void
hold (ClientFixture *fixture, guint ms)
{
  g_autofree char *answer
    = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"hold\":%u}}", ms);

  scripted_server_send (fixture->server, answer);
  while (held == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_hold_cancel (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  g_test_summary ("a call that is held can be cancelled, and the server is not told of a request "
                  "that it never got");
  client_fixture_call (fixture, NULL, cancellable, &waiter);
  hold (fixture, 60000);
  g_cancellable_cancel (cancellable);
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  settle ();
  g_assert_cmpuint (n_ended, ==, 1);
  g_assert_cmpuint (scripted_server_count (fixture->server, "notifications/cancelled"), ==, 0);
}

static void
test_hold_timeout (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  client_fixture_call (fixture, NULL, NULL, &waiter);
  hold (fixture, 1);
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_cmpstr (error->message, ==, "nobody answered");
  g_assert_cmpuint (n_ended, ==, 1);
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "notifications/cancelled"), ==, 0);
}

static void
test_hold_and_go (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autofree char *guess = NULL, *broken = NULL;
  gint64 cap_us;
  Waiter waiter = { NULL };

  g_test_summary (
    "what is held outlives guesses of its next id, unreadable messages and the call's "
    "own time");
  gmcp_call_options_set_timeout_ms (options, 5000);
  gmcp_call_options_set_max_timeout_ms (options, 6000);
  client_fixture_call (fixture, options, NULL, &waiter);
  hold (fixture, 60000);
  cap_us = held->cap_us;
  guess = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%" G_GINT64_FORMAT
                           ",\"result\":{\"content\":[]}}",
                           held->pending.id);
  scripted_server_send (fixture->server, guess);
  settle ();
  g_assert_nonnull (held);
  broken = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%" G_GINT64_FORMAT ",}", held->pending.id);
  scripted_server_send (fixture->server, broken);
  settle ();
  g_assert_nonnull (held);

  /* As if it had been held for an hour. */
  held->wait_since_us -= 3600 * (gint64) 1000000;
  gmcp_exchange_resend (gmcp_client_get_session (fixture->client), held, NULL);
  wait_for_messages (fixture, "tools/call", 2);
  g_assert_cmpuint (n_ended, ==, 1);
  {
    gint64 id = g_ascii_strtoll (fixture->server->last_id, NULL, 10);
    GmcpExchange *exchange
      = gmcp_session_find_exchange (gmcp_client_get_session (fixture->client), id);

    g_assert_cmpint (gmcp_exchange_get_cap_us (exchange), >=, cap_us + 3600 * (gint64) 1000000);
    g_assert_cmpint (gmcp_exchange_get_deadline_us (exchange), >, g_get_monotonic_time ());
    g_assert_cmpint (gmcp_exchange_get_deadline_us (exchange), <=,
                     g_get_monotonic_time () + 5000000);
  }
  client_fixture_answer_text (fixture, "done");
  result = client_fixture_finish (fixture, &waiter, &error);
  g_assert_no_error (error);
}

static void
test_cap (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  g_test_summary ("the limit for the whole call holds for all its requests together");
  gmcp_call_options_set_timeout_ms (options, 200);
  gmcp_call_options_set_max_timeout_ms (options, 300);
  client_fixture_call (fixture, options, NULL, &waiter);
  while (waiter.result == NULL)
    {
      g_autofree char *id = g_strdup (fixture->server->last_id);

      scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{"
                                             "\"code\":-7,\"message\":\"later\"}}");
      while (waiter.result == NULL && g_str_equal (id, fixture->server->last_id))
        g_main_context_iteration (NULL, TRUE);
    }
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), >, 1);
}

static void
test_closed_while_held (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  client_fixture_call (fixture, NULL, NULL, &waiter);
  hold (fixture, 60000);
  gmcp_client_close_async (fixture->client, NULL, NULL, NULL);
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_assert_cmpuint (n_ended, ==, 1);
}

static void
test_bad_result (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  client_fixture_call (fixture, NULL, NULL, &waiter);
  scripted_server_send (fixture->server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"bad\":1}}");
  g_assert_null (client_fixture_finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
}

static void
test_legacy_keeps_nothing (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  GmcpExchange *exchange;
  Waiter waiter = { NULL };

  client_fixture_call (fixture, NULL, NULL, &waiter);
  exchange = gmcp_session_find_exchange (gmcp_client_get_session (fixture->client),
                                         g_ascii_strtoll (fixture->server->last_id, NULL, 10));
  g_assert_false (gmcp_exchange_can_resend (exchange));
  client_fixture_answer_text (fixture, "done");
  result = client_fixture_finish (fixture, &waiter, &error);
  g_assert_no_error (error);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/client/resend/" path, ClientFixture, NULL, set_up, func, client_fixture_tear_down)
  ADD ("again", test_again);
  ADD ("cancel", test_cancel);
  ADD ("hold/cancel", test_hold_cancel);
  ADD ("hold/timeout", test_hold_timeout);
  ADD ("hold/and-go", test_hold_and_go);
  ADD ("hold/closed", test_closed_while_held);
  ADD ("cap", test_cap);
  ADD ("bad-result", test_bad_result);
  g_test_add ("/client/resend/legacy-keeps-nothing", ClientFixture, scripted_server_legacy,
              client_fixture_set_up, test_legacy_keeps_nothing, client_fixture_tear_down);

  return g_test_run ();
}
