/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/gmcp.h>

#include "gmcp-server-private.h"
#include "server-fixture.h"
#include "steered-transport.h"
#include "unit-test.h"

#define TASKS_META                                                                                 \
  "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                               \
  "'io.modelcontextprotocol/clientCapabilities':{'elicitation':{},'extensions':{"                  \
  "'io.modelcontextprotocol/tasks':{}}}}"
#define MISSING "{\"requiredCapabilities\":{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}"
#define FORM                                                                                       \
  "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}"

static void
on_quick (GmcpToolCall *call, gpointer user_data)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("quick");

  gmcp_tool_call_return_result (call, result);
}

static void
add_tools (ServerFixture *fixture)
{
  g_autoptr (GmcpToolBuilder) builder = gmcp_tool_builder_new ("quick");
  g_autoptr (GmcpTool) quick = NULL;

  gmcp_tool_builder_set_task_support (builder, GMCP_TASK_SUPPORT_OPTIONAL);
  quick = gmcp_tool_builder_build (builder, NULL);
  g_assert_cmpint (gmcp_tool_get_task_support (quick), ==, GMCP_TASK_SUPPORT_OPTIONAL);
  g_assert_true (gmcp_server_add_tool (fixture->server, quick, on_quick, NULL, NULL, NULL));
  server_fixture_add_hold (fixture, "slow", ",'execution':{'taskSupport':'optional'}");
  server_fixture_add_hold (fixture, "must", ",'execution':{'taskSupport':'required'}");
}

static void
set_up (ServerFixture *fixture, gconstpointer data)
{
  server_fixture_set_up (fixture, data);
  add_tools (fixture);
}

static GmcpJsonValue
get_result (GmcpJsonDoc *doc)
{
  GmcpJsonValue result = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "result");

  g_assert_true (gmcp_json_value_is_object (result));
  return result;
}

static void
assert_member (GmcpJsonValue object, const char *pointer, const char *expected)
{
  GmcpJsonValue value = gmcp_json_value_get_pointer (object, pointer);
  g_autofree char *raw
    = gmcp_json_value_is_present (value) ? gmcp_json_value_dup_raw (value) : NULL;
  g_autofree char *quoted = g_strdup (expected);

  if (quoted != NULL)
    g_strdelimit (quoted, "'", '"');
  g_assert_cmpstr (raw, ==, quoted);
}

static void
ask (ServerFixture *fixture, const char *method, const char *members)
{
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':2,'method':'%s','params':{%s}}", method,
                       members);
}

/* The id of the task that a call has become. */
static char *
take_created (ServerFixture *fixture)
{
  g_autoptr (GmcpJsonDoc) doc = server_fixture_take (fixture);
  GmcpJsonValue result = get_result (doc);
  char *id = gmcp_json_value_dup_string (gmcp_json_value_get_member (result, "taskId"));

  assert_member (result, "/resultType", "'task'");
  assert_member (result, "/status", "'working'");
  assert_member (result, "/ttlMs", "3600000");
  assert_member (result, "/pollIntervalMs", "500");
  assert_member (result, "/result", NULL);
  assert_member (result, "/requestState", NULL);
  g_assert_nonnull (id);
  g_assert_cmpuint (strlen (id), ==, 40);
  return id;
}

static char *
call_slow (ServerFixture *fixture, guint n_held)
{
  ask (fixture, "tools/call", "'name':'slow'," TASKS_META);
  server_fixture_wait_held (fixture, n_held);
  return take_created (fixture);
}

static GmcpJsonDoc *
get_task (ServerFixture *fixture, const char *id)
{
  g_autofree char *members = g_strdup_printf ("'taskId':'%s'," TASKS_META, id);
  GmcpJsonDoc *doc;

  ask (fixture, "tasks/get", members);
  doc = server_fixture_take (fixture);
  assert_member (get_result (doc), "/resultType", "'complete'");
  return doc;
}

static void
assert_task (ServerFixture *fixture, const char *id, const char *pointer, const char *expected)
{
  g_autoptr (GmcpJsonDoc) doc = get_task (fixture, id);

  assert_member (get_result (doc), pointer, expected);
}

static void
return_text (ServerFixture *fixture, guint position, const char *text)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  gmcp_tool_call_return_result (g_ptr_array_index (fixture->held, position), result);
}

static GCancellable *
get_cancellable (ServerFixture *fixture, guint position)
{
  return gmcp_tool_call_get_cancellable (g_ptr_array_index (fixture->held, position));
}

static void
wait_cancelled (ServerFixture *fixture, guint position)
{
  while (!g_cancellable_is_cancelled (get_cancellable (fixture, position)))
    g_main_context_iteration (NULL, TRUE);
}

static void
expect_empty (ServerFixture *fixture)
{
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':2,'result':{" MODERN_RESULT "}}");
}

static void
test_modern (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *id = call_slow (fixture, 1);
  g_autoptr (GError) error = g_error_new_literal (GMCP_RPC_ERROR, -32050, "It broke");
  g_autofree char *failed = NULL;
  g_autofree char *wrong = NULL;

  assert_task (fixture, id, "/status", "'working'");
  assert_task (fixture, id, "/statusMessage", NULL);
  gmcp_tool_call_report_progress (g_ptr_array_index (fixture->held, 0), 1, 4, NULL);
  assert_task (fixture, id, "/statusMessage", "'25 %'");
  gmcp_tool_call_report_progress (g_ptr_array_index (fixture->held, 0), 2, 4, "half");
  assert_task (fixture, id, "/statusMessage", "'half'");
  return_text (fixture, 0, "x");
  server_fixture_expect_nothing (fixture);
  assert_task (fixture, id, "/status", "'completed'");
  assert_task (fixture, id, "/result/content/0/text", "'x'");
  assert_task (fixture, id, "/result/resultType", "'complete'");
  assert_task (fixture, id, "/result/_meta", NULL);

  failed = call_slow (fixture, 2);
  gmcp_tool_call_return_error (g_ptr_array_index (fixture->held, 1), error);
  server_fixture_expect_nothing (fixture);
  assert_task (fixture, failed, "/status", "'failed'");
  assert_task (fixture, failed, "/error", "{'code':-32050,'message':'It broke'}");
  assert_task (fixture, failed, "/result", NULL);

  g_test_message ("what is reported before there is a task is the first that is said of it");
  ask (fixture, "tools/call", "'name':'slow'," TASKS_META);
  gmcp_tool_call_report_progress (server_fixture_wait_held (fixture, 3), 1, 2, "begun");
  {
    g_autoptr (GmcpJsonDoc) doc = server_fixture_take (fixture);

    assert_member (get_result (doc), "/statusMessage", "'begun'");
  }
  g_ptr_array_remove_index (fixture->held, 2);

  g_test_message ("a tool that could not do it has completed its task");
  wrong = call_slow (fixture, 3);
  g_clear_error (&error);
  error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "No");
  gmcp_tool_call_return_error (g_ptr_array_index (fixture->held, 2), error);
  server_fixture_expect_nothing (fixture);
  assert_task (fixture, wrong, "/status", "'completed'");
  assert_task (fixture, wrong, "/result/isError", "true");
}

static void
test_wrong_structured (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpToolResult) wrong
    = gmcp_tool_result_new_structured ("{\"n\":\"three\"}", FALSE, NULL);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autofree char *id = NULL;

  g_test_summary (
    "a task whose result is not as the tool has said has failed, as the call would have");
  gmcp_server_remove_tool (fixture->server, "slow");
  server_fixture_add_hold (
    fixture, "slow",
    ",'execution':{'taskSupport':'optional'},'outputSchema':{'type':'object',"
    "'properties':{'n':{'type':'integer'}},'required':['n']}");
  id = call_slow (fixture, 1);
  gmcp_tool_call_return_result (g_ptr_array_index (fixture->held, 0), wrong);
  server_fixture_expect_nothing (fixture);
  doc = get_task (fixture, id);
  assert_member (get_result (doc), "/status", "'failed'");
  assert_member (get_result (doc), "/error/code", "-32603");
  assert_member (get_result (doc), "/result", NULL);
}

static void
test_quick (ServerFixture *fixture, gconstpointer data)
{
  g_test_summary ("an answer that is there at once needs no task");
  ask (fixture, "tools/call", "'name':'quick'," TASKS_META);
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':2,'result':{" MODERN_RESULT
                                  ",'content':[{'type':'text','text':'quick'}]}}");
}

static void
test_undeclared (ServerFixture *fixture, gconstpointer data)
{
  static const char *const methods[] = { "tasks/get", "tasks/update", "tasks/cancel" };
  g_autofree char *id = call_slow (fixture, 1);
  g_autofree char *members = g_strdup_printf ("'taskId':'%s','inputResponses':{}," MODERN_META, id);

  g_test_summary ("a client that has not said that it has tasks gets none");
  ask (fixture, "tools/call", "'name':'slow'," MODERN_META);
  server_fixture_wait_held (fixture, 2);
  server_fixture_expect_nothing (fixture);
  return_text (fixture, 1, "x");
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':2,'result':{" MODERN_RESULT
                                  ",'content':[{'type':'text','text':'x'}]}}");

  ask (fixture, "tools/call", "'name':'must'," MODERN_META);
  {
    g_autoptr (GmcpJsonDoc) refused = server_fixture_expect_error (fixture, "2", -32021);

    assert_member (gmcp_json_doc_get_root (refused), "/error/data", MISSING);
  }
  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      ask (fixture, methods[i], members);
      gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", -32021));
    }
  ask (fixture, "subscriptions/listen", "'notifications':{'taskIds':[]}," MODERN_META);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", -32021));
  g_assert_cmpuint (fixture->held->len, ==, 2);
}

static void
test_wrong (ServerFixture *fixture, gconstpointer data)
{
  static const char *const members[] = {
    TASKS_META,
    "'taskId':7," TASKS_META,
    "'taskId':'nope'," TASKS_META,
    "'taskId':''," TASKS_META,
    "'taskId':null,'inputResponses':{}," TASKS_META,
    "'taskId':'../x','inputResponses':{}," TASKS_META,
  };
  static const char *const methods[] = { "tasks/get", "tasks/update", "tasks/cancel" };
  g_autofree char *id = call_slow (fixture, 1);
  g_autofree char *no_answers = g_strdup_printf ("'taskId':'%s'," TASKS_META, id);

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    for (guint j = 0; j < G_N_ELEMENTS (members); j++)
      {
        ask (fixture, methods[i], members[j]);
        gmcp_json_doc_unref (
          server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
      }
  ask (fixture, "tasks/update", no_answers);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
  ask (fixture, "tasks/result", no_answers);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_METHOD_NOT_FOUND));
  ask (fixture, "tasks/list", TASKS_META);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_METHOD_NOT_FOUND));
  ask (fixture, "subscriptions/listen", "'notifications':{'taskIds':'x'}," TASKS_META);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
  ask (fixture, "subscriptions/listen", "'notifications':{'taskIds':[7]}," TASKS_META);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
  assert_task (fixture, id, "/status", "'working'");
}

static void
test_cancel (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *id = call_slow (fixture, 1);
  g_autofree char *members = g_strdup_printf ("'taskId':'%s'," TASKS_META, id);

  ask (fixture, "tasks/cancel", members);
  expect_empty (fixture);
  wait_cancelled (fixture, 0);
  assert_task (fixture, id, "/status", "'cancelled'");
  ask (fixture, "tasks/cancel", members);
  expect_empty (fixture);
  return_text (fixture, 0, "late");
  server_fixture_expect_nothing (fixture);
  assert_task (fixture, id, "/status", "'cancelled'");
  assert_task (fixture, id, "/result", NULL);
}

typedef struct
{
  char *answer;
  GError *error;
  gboolean done;
} Answer;

static void
on_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  Answer *answer = data;

  answer->answer = gmcp_caller_ask_finish (GMCP_CALLER (source), result, &answer->error);
  answer->done = TRUE;
}

static void
ask_number (ServerFixture *fixture, guint position, const char *key, Answer *answer)
{
  g_autoptr (GmcpElicitation) form = gmcp_elicitation_new ("How many?", FORM, NULL);
  GmcpCaller *caller = gmcp_tool_call_get_caller (g_ptr_array_index (fixture->held, position));

  if (key != NULL)
    gmcp_input_request_set_key (GMCP_INPUT_REQUEST (form), key);
  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (form), NULL, on_answer, answer);
}

static void
wait_answer (Answer *answer)
{
  while (!answer->done)
    g_main_context_iteration (NULL, TRUE);
}

static void
answer_clear (Answer *answer)
{
  g_clear_pointer (&answer->answer, g_free);
  g_clear_error (&answer->error);
  answer->done = FALSE;
}

static void
update (ServerFixture *fixture, const char *id, const char *answers)
{
  g_autofree char *members
    = g_strdup_printf ("'taskId':'%s','inputResponses':%s," TASKS_META, id, answers);

  ask (fixture, "tasks/update", members);
}

static void
test_questions (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *id = call_slow (fixture, 1);
  Answer first = { 0 };
  Answer second = { 0 };
  g_autofree char *cancelled = g_strdup_printf ("'taskId':'%s'," TASKS_META, id);

  ask_number (fixture, 0, "n", &first);
  ask_number (fixture, 0, "n", &second);
  assert_task (fixture, id, "/status", "'input_required'");
  assert_task (fixture, id, "/inputRequests/n/method", "'elicitation/create'");
  assert_task (fixture, id, "/inputRequests/n/params/message", "'How many?'");
  assert_task (fixture, id, "/inputRequests/n-2/method", "'elicitation/create'");

  g_test_message ("what was not asked is ignored, and what is no answer is told of");
  update (fixture, id, "{'other':{'action':'accept'}}");
  expect_empty (fixture);
  update (fixture, id, "{'n':{'action':'accept','content':{'n':'x'}}}");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
  update (fixture, id, "[]");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
  g_assert_false (first.done);

  update (fixture, id, "{'n':{'action':'accept','content':{'n':3}}}");
  expect_empty (fixture);
  wait_answer (&first);
  g_assert_cmpstr (first.answer, ==, "{\"action\":\"accept\",\"content\":{\"n\":3}}");
  assert_task (fixture, id, "/status", "'input_required'");
  assert_task (fixture, id, "/inputRequests/n", NULL);
  update (fixture, id, "{'n-2':{'action':'decline'}}");
  expect_empty (fixture);
  wait_answer (&second);
  g_assert_cmpstr (second.answer, ==, "{\"action\":\"decline\"}");
  assert_task (fixture, id, "/status", "'working'");

  g_test_message ("a task that ends takes its questions back");
  answer_clear (&first);
  ask_number (fixture, 0, NULL, &first);
  ask (fixture, "tasks/cancel", cancelled);
  expect_empty (fixture);
  wait_answer (&first);
  g_assert_error (first.error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  answer_clear (&first);
  ask_number (fixture, 0, NULL, &first);
  wait_answer (&first);
  g_assert_error (first.error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  answer_clear (&first);
  answer_clear (&second);
}

static void
expect_told (ServerFixture *fixture, const char *status)
{
  g_autoptr (GmcpJsonDoc) doc = server_fixture_take (fixture);
  g_autofree char *expected = g_strdup_printf ("'%s'", status);

  assert_member (gmcp_json_doc_get_root (doc), "/method", "'notifications/tasks'");
  assert_member (gmcp_json_doc_get_root (doc), "/params/status", expected);
  assert_member (gmcp_json_doc_get_root (doc),
                 "/params/_meta/io.modelcontextprotocol~1subscriptionId", "9");
}

static void
test_subscription (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *id = call_slow (fixture, 1);
  g_autofree char *other G_GNUC_UNUSED = call_slow (fixture, 2);
  Answer answer = { 0 };

  g_test_summary ("who listens to a task is told of each of its states, and of no other task");
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':9,'method':'subscriptions/listen','params':{"
                       "'notifications':{'taskIds':['nope','%s','%s']}," TASKS_META "}}",
                       id, id);
  server_fixture_expect (
    fixture,
    "{'jsonrpc':'2.0','method':'notifications/subscriptions/acknowledged','params':{'_meta':{"
    "'io.modelcontextprotocol/subscriptionId':9},'notifications':{'taskIds':['%s']}}}",
    id);
  gmcp_tool_call_report_progress (g_ptr_array_index (fixture->held, 0), 1, 2, "half");
  expect_told (fixture, "working");
  ask_number (fixture, 0, NULL, &answer);
  expect_told (fixture, "input_required");
  update (fixture, id, "{'question-1':{'action':'cancel'}}");
  expect_told (fixture, "working");
  expect_empty (fixture);
  wait_answer (&answer);
  answer_clear (&answer);
  return_text (fixture, 1, "other");
  return_text (fixture, 0, "x");
  expect_told (fixture, "completed");
  server_fixture_expect_nothing (fixture);
}

static void
test_held (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *id = NULL;
  GmcpCaller *caller;

  g_test_summary ("a handler can decide by itself when its call becomes a task");
  ask (fixture, "tools/call", "'name':'slow'," TASKS_META);
  caller = gmcp_tool_call_get_caller (server_fixture_wait_held (fixture, 1));
  g_assert_true (gmcp_caller_hold_task (caller));
  server_fixture_expect_nothing (fixture);
  g_assert_true (gmcp_caller_begin_task (caller));
  id = take_created (fixture);
  g_assert_false (gmcp_caller_hold_task (caller));
  g_assert_true (gmcp_caller_begin_task (caller));
  assert_task (fixture, id, "/status", "'working'");

  g_test_message ("a call that never becomes one is answered");
  ask (fixture, "tools/call", "'name':'slow'," TASKS_META);
  caller = gmcp_tool_call_get_caller (server_fixture_wait_held (fixture, 2));
  g_assert_true (gmcp_caller_hold_task (caller));
  return_text (fixture, 1, "x");
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':2,'result':{" MODERN_RESULT
                                  ",'content':[{'type':'text','text':'x'}]}}");
  g_assert_false (gmcp_caller_begin_task (caller));

  g_test_message ("without tasks there is nothing to hold");
  ask (fixture, "tools/call", "'name':'slow'," MODERN_META);
  caller = gmcp_tool_call_get_caller (server_fixture_wait_held (fixture, 3));
  g_assert_false (gmcp_caller_hold_task (caller));
  g_assert_false (gmcp_caller_begin_task (caller));
}

static void
test_limits (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *id = NULL;
  g_autofree char *members = NULL;

  g_object_set (fixture->server, "max-tasks", 1, NULL);
  id = call_slow (fixture, 1);
  ask (fixture, "tools/call", "'name':'slow'," TASKS_META);
  server_fixture_wait_held (fixture, 2);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INTERNAL));
  wait_cancelled (fixture, 1);
  assert_task (fixture, id, "/status", "'working'");

  g_test_message ("a task whose time is over is gone, and its work is cancelled");
  g_object_set (fixture->server, "max-tasks", 2, "task-ttl-ms", 1, NULL);
  ask (fixture, "tools/call", "'name':'slow'," TASKS_META);
  server_fixture_wait_held (fixture, 3);
  {
    g_autoptr (GmcpJsonDoc) doc = server_fixture_take (fixture);
    g_autofree char *short_lived
      = gmcp_json_value_dup_string (gmcp_json_value_get_member (get_result (doc), "taskId"));

    members = g_strdup_printf ("'taskId':'%s'," TASKS_META, short_lived);
  }
  wait_cancelled (fixture, 2);
  ask (fixture, "tasks/get", members);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
  assert_task (fixture, id, "/status", "'working'");
}

static void
test_gone (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *id G_GNUC_UNUSED = call_slow (fixture, 1);

  g_test_summary (
    "a task outlives the connection it was called on, and does not outlive the server");
  gmcp_transport_close_async (fixture->client, NULL, NULL, NULL);
  server_fixture_wait_closed (fixture);
  g_assert_false (g_cancellable_is_cancelled (get_cancellable (fixture, 0)));
  g_clear_object (&fixture->server);
  wait_cancelled (fixture, 0);
  return_text (fixture, 0, "late");
}

/* The legacy era */

static void
initialize (ServerFixture *fixture, const char *version)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  gboolean has_tasks = g_str_equal (version, "2025-11-25");

  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':2,'method':'initialize','params':{'protocolVersion':"
                       "'%s','capabilities':{'elicitation':{}},'clientInfo':{'name':'c',"
                       "'version':'1'}}}",
                       version);
  doc = server_fixture_take (fixture);
  assert_member (get_result (doc), "/capabilities/tasks",
                 has_tasks ? "{'list':{},'cancel':{},'requests':{'tools':{'call':{}}}}" : NULL);
  assert_member (get_result (doc), "/capabilities/extensions", NULL);
  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
}

static char *
call_legacy (ServerFixture *fixture, const char *tool, const char *task, const char *ttl)
{
  g_autofree char *members = g_strdup_printf ("'name':'%s','task':%s", tool, task);
  g_autoptr (GmcpJsonDoc) doc = NULL;

  ask (fixture, "tools/call", members);
  doc = server_fixture_take (fixture);
  assert_member (get_result (doc), "/task/status", "'working'");
  assert_member (get_result (doc), "/task/ttl", ttl);
  assert_member (get_result (doc), "/task/pollInterval", "500");
  assert_member (get_result (doc), "/resultType", NULL);
  return gmcp_json_value_dup_string (
    gmcp_json_value_get_pointer (get_result (doc), "/task/taskId"));
}

static void
ask_legacy (ServerFixture *fixture, const char *method, const char *id)
{
  g_autofree char *members = g_strdup_printf ("'taskId':'%s'", id);

  ask (fixture, method, members);
}

static void
expect_status (ServerFixture *fixture, const char *id, const char *status, gboolean told)
{
  g_autoptr (GmcpJsonDoc) doc = server_fixture_take (fixture);
  GmcpJsonValue root = gmcp_json_doc_get_root (doc);
  g_autofree char *named = g_strdup_printf ("'%s'", id);
  g_autofree char *expected = g_strdup_printf ("'%s'", status);

  assert_member (root, "/method", told ? "'notifications/tasks/status'" : NULL);
  assert_member (root, told ? "/params/taskId" : "/result/taskId", named);
  assert_member (root, told ? "/params/status" : "/result/status", expected);
}

static void
test_legacy (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *id = NULL;
  g_autofree char *quick = NULL;

  initialize (fixture, "2025-11-25");
  id = call_legacy (fixture, "slow", "{'ttl':60000}", "60000");
  ask_legacy (fixture, "tasks/get", id);
  expect_status (fixture, id, "working", FALSE);
  gmcp_tool_call_report_progress (server_fixture_wait_held (fixture, 1), 1, 2, "half");
  expect_status (fixture, id, "working", TRUE);

  g_test_message ("who asks for the result waits for it");
  ask_legacy (fixture, "tasks/result", id);
  server_fixture_expect_nothing (fixture);
  return_text (fixture, 0, "x");
  expect_status (fixture, id, "completed", TRUE);
  server_fixture_expect (fixture,
                         "{'jsonrpc':'2.0','id':2,'result':{'_meta':{"
                         "'io.modelcontextprotocol/related-task':{'taskId':'%s'}},"
                         "'content':[{'type':'text','text':'x'}]}}",
                         id);
  ask_legacy (fixture, "tasks/cancel", id);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_PARAMS));

  g_test_message (
    "a task is made however soon its result is there, and with the server's time at most");
  quick = call_legacy (fixture, "quick", "{'ttl':99999999999}", "3600000");
  expect_status (fixture, quick, "completed", TRUE);
  ask_legacy (fixture, "tasks/get", quick);
  expect_status (fixture, quick, "completed", FALSE);
  ask (fixture, "tasks/list", "");
  {
    g_autoptr (GmcpJsonDoc) doc = server_fixture_take (fixture);

    g_assert_cmpuint (
      gmcp_json_value_get_length (gmcp_json_value_get_member (get_result (doc), "tasks")), ==, 2);
    assert_member (get_result (doc), "/nextCursor", NULL);
  }
  g_object_set (fixture->server, "lists-tasks", FALSE, NULL);
  ask (fixture, "tasks/list", "");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_METHOD_NOT_FOUND));
  g_object_set (fixture->server, "lists-tasks", TRUE, NULL);
  ask (fixture, "tasks/list", "'cursor':'x'");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
  ask (fixture, "tasks/update", "'taskId':'x'");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_METHOD_NOT_FOUND));
}

static void
expect_progress (ServerFixture *fixture, const char *id, const char *members)
{
  server_fixture_expect (fixture,
                         "{'jsonrpc':'2.0','method':'notifications/progress','params':{'_meta':{"
                         "'io.modelcontextprotocol/related-task':{'taskId':'%s'}},"
                         "'progressToken':'p',%s}}",
                         id, members);
}

static void
test_legacy_progress (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpJsonDoc) created = NULL;
  g_autofree char *id = NULL;
  GmcpToolCall *call;

  g_test_summary ("the token of the call is good as long as the task is at work, and no longer");
  initialize (fixture, "2025-11-25");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{"
                                "'name':'slow','task':{},'_meta':{'progressToken':'p'}}}");
  created = server_fixture_take (fixture);
  id = gmcp_json_value_dup_string (
    gmcp_json_value_get_pointer (get_result (created), "/task/taskId"));
  call = server_fixture_wait_held (fixture, 1);
  gmcp_tool_call_report_progress (call, 1, 2, "half");
  expect_status (fixture, id, "working", TRUE);
  expect_progress (fixture, id, "'progress':1.0,'total':2.0,'message':'half'");
  gmcp_tool_call_report_progress (call, 1.5, 2, "half");
  expect_progress (fixture, id, "'progress':1.5,'total':2.0,'message':'half'");

  ask_legacy (fixture, "tasks/cancel", id);
  expect_status (fixture, id, "cancelled", TRUE);
  expect_status (fixture, id, "cancelled", FALSE);
  gmcp_tool_call_report_progress (call, 2, 2, "done");
  server_fixture_expect_nothing (fixture);
}

static void
test_modern_progress (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpJsonDoc) created = NULL;

  g_test_summary ("the extension has no progress of tasks");
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'slow',"
                       "'_meta':{'progressToken':'p','io.modelcontextprotocol/protocolVersion':"
                       "'2026-07-28','io.modelcontextprotocol/clientCapabilities':{'extensions':{"
                       "'io.modelcontextprotocol/tasks':{}}}}}}");
  created = server_fixture_take (fixture);
  assert_member (get_result (created), "/resultType", "'task'");
  gmcp_tool_call_report_progress (server_fixture_wait_held (fixture, 1), 1, 2, "half");
  server_fixture_expect_nothing (fixture);
}

static void
test_legacy_negotiation (ServerFixture *fixture, gconstpointer data)
{
  static const char *const refused[] = { "'name':'hold','task':{}", "'name':'must'" };

  initialize (fixture, "2025-11-25");
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      ask (fixture, "tools/call", refused[i]);
      gmcp_json_doc_unref (
        server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_METHOD_NOT_FOUND));
    }
  g_assert_cmpuint (fixture->held->len, ==, 0);
  g_free (call_legacy (fixture, "must", "{}", "3600000"));

  g_test_message ("a revision that has no tasks ignores what is said of them");
  initialize (fixture, "2025-06-18");
  ask (fixture, "tools/call", "'name':'must','task':{}");
  server_fixture_wait_held (fixture, 2);
  return_text (fixture, 1, "x");
  server_fixture_expect (
    fixture, "{'jsonrpc':'2.0','id':2,'result':{'content':[{'type':'text','text':'x'}]}}");
}

static void
test_legacy_ended (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *cancelled = NULL;
  g_autofree char *failed = NULL;
  g_autoptr (GmcpToolResult) wrong = gmcp_tool_result_new_error ("No");

  initialize (fixture, "2025-11-25");
  cancelled = call_legacy (fixture, "slow", "{}", "3600000");
  ask_legacy (fixture, "tasks/cancel", cancelled);
  expect_status (fixture, cancelled, "cancelled", TRUE);
  expect_status (fixture, cancelled, "cancelled", FALSE);
  wait_cancelled (fixture, 0);
  ask_legacy (fixture, "tasks/result", cancelled);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INTERNAL));

  g_test_message ("a result that says that the tool failed is a task that failed");
  failed = call_legacy (fixture, "slow", "{}", "3600000");
  gmcp_tool_call_return_result (server_fixture_wait_held (fixture, 2), wrong);
  expect_status (fixture, failed, "failed", TRUE);
  ask_legacy (fixture, "tasks/result", failed);
  {
    g_autoptr (GmcpJsonDoc) doc = server_fixture_take (fixture);

    assert_member (get_result (doc), "/isError", "true");
  }
}

static void
test_legacy_question (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *id = NULL;
  g_autofree char *related = NULL;
  Answer answer = { 0 };

  g_test_summary (
    "the client is asked while it waits for the result; one that does not is asked later");
  initialize (fixture, "2025-11-25");
  id = call_legacy (fixture, "slow", "{}", "3600000");
  related = g_strdup_printf ("{'io.modelcontextprotocol/related-task':{'taskId':'%s'}}", id);
  server_fixture_wait_held (fixture, 1);
  ask_number (fixture, 0, NULL, &answer);
  expect_status (fixture, id, "input_required", TRUE);
  server_fixture_expect_nothing (fixture);

  for (guint i = 1; i <= 2; i++)
    {
      g_autoptr (GmcpJsonDoc) asked = NULL;
      g_autofree char *number = g_strdup_printf ("%u", i);
      GmcpJsonValue root;

      ask_legacy (fixture, "tasks/result", id);
      asked = server_fixture_take (fixture);
      root = gmcp_json_doc_get_root (asked);
      assert_member (root, "/method", "'elicitation/create'");
      assert_member (root, "/id", number);
      assert_member (root, "/params/message", "'How many?'");
      assert_member (root, "/params/_meta", related);
      if (i == 2)
        break;
      g_test_message ("a client that does not wait any more is asked by its next request");
      server_fixture_send (
        fixture, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':2}}");
      server_fixture_expect (
        fixture, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
      server_fixture_expect_nothing (fixture);
    }

  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':2,'result':{'action':'accept','content':{'n':3}}}");
  wait_answer (&answer);
  g_assert_cmpstr (answer.answer, ==, "{\"action\":\"accept\",\"content\":{\"n\":3}}");
  answer_clear (&answer);
  expect_status (fixture, id, "working", TRUE);
  return_text (fixture, 0, "x");
  expect_status (fixture, id, "completed", TRUE);
  {
    g_autoptr (GmcpJsonDoc) doc = server_fixture_take (fixture);

    assert_member (get_result (doc), "/content/0/text", "'x'");
  }
}

/* A client of its own says it, and the server answers. */
static GmcpJsonDoc *say (SteeredTransport *client, const char *format, ...) G_GNUC_PRINTF (2, 3);

static GmcpJsonDoc *
say (SteeredTransport *client, const char *format, ...)
{
  guint n_sent = client->sent->len;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GmcpJsonDoc *doc;
  const char *answer;
  va_list args;

  va_start (args, format);
  text = g_strdelimit (g_strdup_vprintf (format, args), "'", '"');
  va_end (args);
  steered_transport_say (client, text);
  while (client->sent->len == n_sent)
    g_main_context_iteration (NULL, TRUE);
  answer = g_ptr_array_index (client->sent, client->sent->len - 1);
  doc = gmcp_json_doc_parse (answer, strlen (answer), NULL, 0, &error);
  g_assert_no_error (error);
  return doc;
}

static void
test_legacy_gone (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (SteeredTransport) client = steered_transport_new ();

  g_test_summary ("a result that cannot be sent ends the connection, with all that waits there");
  gmcp_server_attach_for_user (fixture->server, GMCP_TRANSPORT (client), NULL);
  while (!gmcp_transport_is_open (GMCP_TRANSPORT (client)))
    g_main_context_iteration (NULL, TRUE);
  gmcp_json_doc_unref (say (client, "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{"
                                    "'protocolVersion':'2025-11-25','capabilities':{},"
                                    "'clientInfo':{'name':'c','version':'1'}}}"));
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GmcpJsonDoc) made
        = say (client, "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'slow',"
                       "'task':{}}}");
      g_autofree char *id = gmcp_json_value_dup_string (
        gmcp_json_value_get_pointer (get_result (made), "/task/taskId"));
      g_autofree char *wait
        = g_strdup_printf ("{'jsonrpc':'2.0','id':%u,'method':'tasks/result','params':{'taskId':"
                           "'%s'}}",
                           i + 10, id);

      g_strdelimit (wait, "'", '"');
      steered_transport_say (client, wait);
    }
  server_fixture_wait_held (fixture, 3);
  gmcp_json_doc_unref (say (client, "{'jsonrpc':'2.0','id':3,'method':'ping'}"));

  client->refuse = TRUE;
  for (guint i = 0; i < 3; i++)
    return_text (fixture, i, "x");
  while (client->n_closed == 0)
    g_main_context_iteration (NULL, TRUE);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/server/tasks/" path, ServerFixture, NULL, set_up, func, server_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  ADD ("modern", test_modern);
  ADD ("quick", test_quick);
  ADD ("wrong-structured", test_wrong_structured);
  ADD ("undeclared", test_undeclared);
  ADD ("wrong", test_wrong);
  ADD ("cancel", test_cancel);
  ADD ("questions", test_questions);
  ADD ("subscription", test_subscription);
  ADD ("held", test_held);
  ADD ("limits", test_limits);
  ADD ("gone", test_gone);
  ADD ("legacy", test_legacy);
  ADD ("legacy-progress", test_legacy_progress);
  ADD ("modern-progress", test_modern_progress);
  ADD ("legacy-negotiation", test_legacy_negotiation);
  ADD ("legacy-ended", test_legacy_ended);
  ADD ("legacy-question", test_legacy_question);
  ADD ("legacy-gone", test_legacy_gone);

  return g_test_run ();
}
