/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/gmcp.h>

#include "gmcp-limits.h"
#include "server-fixture.h"
#include "unit-test.h"

#define ASKED                                                                                      \
  "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                               \
  "'io.modelcontextprotocol/clientCapabilities':{'elicitation':{}}}"
#define FORM                                                                                       \
  "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}"
#define ANSWER "'inputResponses':{'question-1':{'action':'accept','content':{'n':3}}}"

static GmcpCaller *
call_hold (ServerFixture *fixture, const char *members, guint n_held)
{
  server_fixture_send (
    fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'hold'%s}}", members);
  return gmcp_tool_call_get_caller (server_fixture_wait_held (fixture, n_held));
}

static void
on_ready (GObject *source, GAsyncResult *result, gpointer data)
{
  g_assert_null (*(GAsyncResult **) data);
  *(GAsyncResult **) data = g_object_ref (result);
}

static char *
ask_number (GmcpCaller *caller, GError **error)
{
  g_autoptr (GmcpElicitation) form = gmcp_elicitation_new ("How many?", FORM, NULL);
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (form), NULL, on_ready, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return gmcp_caller_ask_finish (caller, result, error);
}

/* The state that a client gets with the question of a call. */
static char *
take_state (ServerFixture *fixture, GmcpCaller *caller)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonDoc) asked = NULL;

  g_assert_null (ask_number (caller, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CALLED_ANEW);
  asked = server_fixture_take (fixture);
  return gmcp_json_value_dup_string (gmcp_json_value_get_member (
    gmcp_json_value_get_member (gmcp_json_doc_get_root (asked), "result"), "requestState"));
}

static void
keep (GmcpCaller *caller, const char *json)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (gmcp_caller_set_state_json (caller, json, &error));
  g_assert_no_error (error);
}

static void
assert_kept (GmcpCaller *caller, const char *expected)
{
  g_autofree char *kept = gmcp_caller_dup_state_json (caller);

  g_assert_cmpstr (kept, ==, expected);
}

static void
return_text (ServerFixture *fixture, guint n_held)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("x");

  gmcp_tool_call_return_result (g_ptr_array_index (fixture->held, n_held - 1), result);
}

static void
test_kept (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *state = NULL;
  g_autofree char *later = NULL;
  g_autofree char *members = NULL;
  g_autofree char *more = NULL;
  g_autofree char *answer = NULL;
  GmcpCaller *caller = call_hold (fixture, "," ASKED, 1);

  g_test_summary ("what a handler keeps comes with the answer, and with each round after it");
  assert_kept (caller, NULL);
  keep (caller, " {\"found\": [1, 2]} ");
  assert_kept (caller, "{\"found\": [1, 2]}");
  state = take_state (fixture, caller);
  g_test_message ("what is kept after the end goes nowhere");
  keep (caller, "7");

  members = g_strdup_printf ("," ANSWER ",'requestState':'%s'," ASKED, state);
  caller = call_hold (fixture, members, 2);
  assert_kept (caller, "{\"found\": [1, 2]}");
  answer = ask_number (caller, NULL);
  g_assert_cmpstr (answer, ==, "{\"action\":\"accept\",\"content\":{\"n\":3}}");
  keep (caller, NULL);
  assert_kept (caller, NULL);
  keep (caller, "\"second\"");
  later = take_state (fixture, caller);

  g_test_message ("a client cannot go back to what is not its request's");
  more = g_strdup_printf (",'requestState':'%s'," ASKED, later);
  assert_kept (call_hold (fixture, more, 3), "\"second\"");
  return_text (fixture, 3);
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':1,'result':{" MODERN_RESULT
                                  ",'content':[{'type':'text','text':'x'}]}}");
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'hold',"
                       "'arguments':{},'requestState':'%s'," ASKED "}}",
                       later);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
}

static void
test_bad (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *large = g_strnfill (GMCP_LIMIT_HANDLER_STATE_BYTES - 1, '1');
  g_autoptr (GError) error = NULL;
  GmcpCaller *caller = call_hold (fixture, "," ASKED, 1);

  keep (caller, "1");
  g_assert_false (gmcp_caller_set_state_json (caller, "{", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
  g_clear_error (&error);
  g_assert_false (gmcp_caller_set_state_json (caller, "", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
  g_clear_error (&error);
  large[0] = '"';
  large[GMCP_LIMIT_HANDLER_STATE_BYTES - 2] = '"';
  keep (caller, large);
  {
    g_autofree char *too_large = g_strconcat (large, "  ", NULL);

    g_assert_false (gmcp_caller_set_state_json (caller, too_large, &error));
    g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  }
  assert_kept (caller, large);
}

static GmcpCaller *
answer_with (ServerFixture *fixture, const char *state, const char *answer, guint n_held)
{
  g_autofree char *members = g_strdup_printf (
    ",'requestState':'%s','inputResponses':{'question-1':%s}," ASKED, state, answer);

  return call_hold (fixture, members, n_held);
}

static void
test_unfit_answers (ServerFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *answer;
    const char *reason;
  } cases[] = {
    { "{'action':'accept','content':{'n':'many'}}", "“n”" },
    { "{'action':'accept','content':{'extra':1}}", "“n”" },
    { "{'action':'accept'}", "“n”" },
    { "{'action':'accept','content':[3]}", "JSON object" },
    { "{'content':{'n':3}}", "a part of it is missing" },
  };
  g_autofree char *state = take_state (fixture, call_hold (fixture, "," ASKED, 1));

  g_test_summary ("what does not fit is told to the function, and the client is not asked again");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      GmcpCaller *caller = answer_with (fixture, state, cases[i].answer, i + 2);

      g_assert_null (ask_number (caller, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
      g_assert_nonnull (strstr (error->message, cases[i].reason));
      return_text (fixture, i + 2);
      server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':1,'result':{" MODERN_RESULT
                                      ",'content':[{'type':'text','text':'x'}]}}");
    }
}

static void
test_unfit_kept (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *state = take_state (fixture, call_hold (fixture, "," ASKED, 1));
  g_autofree char *later = NULL;
  g_autofree char *members = NULL;
  g_autofree char *answer = NULL;
  g_autofree char *mended = NULL;
  g_autoptr (GError) error = NULL;
  GmcpCaller *caller
    = answer_with (fixture, state, "{'action':'accept','content':{'n':'many'}}", 2);

  g_test_summary ("a function that asks something else then takes the same way in the next round");
  g_assert_null (ask_number (caller, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  g_clear_error (&error);
  later = take_state (fixture, caller);

  members = g_strdup_printf (",'requestState':'%s','inputResponses':{'question-2':"
                             "{'action':'accept','content':{'n':4}}}," ASKED,
                             later);
  caller = call_hold (fixture, members, 3);
  g_assert_null (ask_number (caller, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  answer = ask_number (caller, NULL);
  g_assert_cmpstr (answer, ==, "{\"action\":\"accept\",\"content\":{\"n\":4}}");
  return_text (fixture, 3);
  gmcp_json_doc_unref (server_fixture_take (fixture));

  g_test_message ("an answer that is sent anew takes the place of the one before");
  caller = answer_with (fixture, later, "{'action':'accept','content':{'n':5}}", 4);
  mended = ask_number (caller, NULL);
  g_assert_cmpstr (mended, ==, "{\"action\":\"accept\",\"content\":{\"n\":5}}");
}

static void
test_more_members (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *state = take_state (fixture, call_hold (fixture, "," ASKED, 1));
  g_autofree char *answer = NULL;
  g_autoptr (GError) error = NULL;
  GmcpCaller *caller = answer_with (
    fixture, state, "{'_meta':{'a/b':1},'action':'accept','content':{'extra':1,'n':3}}", 2);

  g_test_summary ("what the form does not ask for is dropped, the rest of the answer stays");
  answer = ask_number (caller, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (answer, ==,
                   "{\"_meta\":{\"a/b\":1},\"action\":\"accept\",\"content\":{\"n\":3}}");
}

static void
test_no_answer (ServerFixture *fixture, gconstpointer data)
{
  static const char *const answers[] = { "null", "7", "[]", "'accept'" };
  g_autofree char *state = take_state (fixture, call_hold (fixture, "," ASKED, 1));

  g_test_summary ("a client that sends nothing which could be an answer is asked again");
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *again
        = take_state (fixture, answer_with (fixture, state, answers[i], i + 2));

      g_assert_nonnull (again);
    }
}

static void
test_bad_responses (ServerFixture *fixture, gconstpointer data)
{
  static const char *const responses[] = { "[]", "null", "'x'", "7" };

  g_test_summary ("answers that are no object are refused, and reach no handler");
  for (guint i = 0; i < G_N_ELEMENTS (responses); i++)
    {
      server_fixture_send (fixture,
                           "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'hold',"
                           "'inputResponses':%s," ASKED "}}",
                           responses[i]);
      gmcp_json_doc_unref (
        server_fixture_expect_error (fixture, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
    }
  g_assert_cmpuint (fixture->held->len, ==, 0);
}

static void
test_legacy (ServerFixture *fixture, gconstpointer data)
{
  GmcpCaller *caller;

  g_test_summary ("in the legacy era the state stays with the call");
  server_fixture_initialize (fixture, "2025-11-25");
  caller = call_hold (fixture, "", 1);
  keep (caller, "[1]");
  assert_kept (caller, "[1]");
  return_text (fixture, 1);
  server_fixture_expect (
    fixture, "{'jsonrpc':'2.0','id':1,'result':{'content':[{'type':'text','text':'x'}]}}");
  assert_kept (call_hold (fixture, "", 2), NULL);
}

static void
test_host (void)
{
  GmcpCaller *caller;

  g_test_summary ("without anybody behind it a caller keeps nothing");
  caller = g_object_new (GMCP_TYPE_CALLER, NULL);
  keep (caller, "1");
  assert_kept (caller, NULL);
  g_assert_finalize_object (caller);
}

static void
set_key (ServerFixture *fixture, char first)
{
  char bytes[32] = { first };
  g_autoptr (GBytes) key = g_bytes_new (bytes, sizeof bytes);
  g_autoptr (GError) error = NULL;

  g_assert_true (gmcp_server_set_state_key (fixture->server, key, &error));
  g_assert_no_error (error);
}

static void
test_key (ServerFixture *fixture, gconstpointer data)
{
  ServerFixture other = { 0 };
  g_autoptr (GBytes) little = g_bytes_new ("0123456789012345678901234567890", 31);
  g_autoptr (GError) error = NULL;
  g_autofree char *state = NULL;
  g_autofree char *members = NULL;
  g_autofree char *refused = NULL;

  g_test_summary ("servers with one key continue each other's calls, others do not");
  g_assert_false (gmcp_server_set_state_key (fixture->server, little, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "31"));

  server_fixture_set_up (&other, NULL);
  set_key (fixture, 'k');
  set_key (&other, 'x');
  keep (call_hold (fixture, "," ASKED, 1), "7");
  state = take_state (fixture, gmcp_tool_call_get_caller (g_ptr_array_index (fixture->held, 0)));
  members = g_strdup_printf ("," ANSWER ",'requestState':'%s'," ASKED, state);
  refused = g_strdup_printf (
    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'hold'%s}}", members);

  server_fixture_send (&other, "%s", refused);
  gmcp_json_doc_unref (server_fixture_expect_error (&other, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
  set_key (&other, 'k');
  assert_kept (call_hold (&other, members, 1), "7");
  server_fixture_tear_down (&other, NULL);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/server/rounds/" path, ServerFixture, NULL, server_fixture_set_up, func,            \
              server_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  ADD ("kept", test_kept);
  ADD ("bad", test_bad);
  ADD ("bad-responses", test_bad_responses);
  ADD ("unfit-answers", test_unfit_answers);
  ADD ("unfit-kept", test_unfit_kept);
  ADD ("more-members", test_more_members);
  ADD ("no-answer", test_no_answer);
  ADD ("legacy", test_legacy);
  ADD ("key", test_key);
  g_test_add_func ("/server/rounds/host", test_host);

  return g_test_run ();
}
