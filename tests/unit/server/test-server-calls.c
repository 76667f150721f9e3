/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <math.h>

#include <gmcp/json-rpc/gmcp-rpc-error.h>

#include "server-fixture.h"
#include "unit-test.h"

static void
call_hold (ServerFixture *fixture, const char *id, const char *meta)
{
  guint n_held = fixture->held->len;

  server_fixture_send (
    fixture,
    "{'jsonrpc':'2.0','id':%s,'method':'tools/call','params':{'name':'hold','_meta':{"
    "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
    "'io.modelcontextprotocol/clientCapabilities':{}%s}}}",
    id, meta);
  server_fixture_wait_held (fixture, n_held + 1);
}

static void
return_text (GmcpToolCall *call, const char *text)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  gmcp_tool_call_return_result (call, result);
}

static void
expect_text (ServerFixture *fixture, const char *id, const char *text)
{
  server_fixture_expect (fixture,
                         "{'jsonrpc':'2.0','id':%s,'result':{" MODERN_RESULT ","
                         "'content':[{'type':'text','text':'%s'}]}}",
                         id, text);
}

static void
test_ids (ServerFixture *fixture, gconstpointer data)
{
  static const char *const ids[] = {
    "1",         "'1'", "''", "0", "-5", "18446744073709551615", "123456789012345678901234567890",
    "'\\u00e9'",
  };

  g_test_summary ("ids come back byte for byte, and differ by their type");
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    call_hold (fixture, ids[i], "");

  for (guint i = G_N_ELEMENTS (ids); i > 0; i--)
    {
      g_autoptr (GmcpJsonDoc) doc = NULL;
      g_autofree char *expected = g_strdelimit (g_strdup (ids[i - 1]), "'", '"');
      g_autofree char *id = NULL;

      return_text (g_ptr_array_index (fixture->held, i - 1), "x");
      doc = server_fixture_take (fixture);
      id
        = gmcp_json_value_dup_raw (gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "id"));
      g_assert_cmpstr (id, ==, expected);
    }
}

static void
test_doubled_id (ServerFixture *fixture, gconstpointer data)
{
  g_test_summary ("an id that runs is refused, and may be used again when it was answered");
  call_hold (fixture, "'\\u0061'", "");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':'a','method':'tools/call',"
                                "'params':{'name':'hold'," MODERN_META "}}");
  gmcp_json_doc_unref (
    server_fixture_expect_error (fixture, "\"a\"", GMCP_RPC_ERROR_INVALID_REQUEST));

  return_text (g_ptr_array_index (fixture->held, 0), "one");
  expect_text (fixture, "'a'", "one");
  call_hold (fixture, "'a'", "");
  return_text (g_ptr_array_index (fixture->held, 1), "two");
  expect_text (fixture, "'a'", "two");
}

static void
test_errors (ServerFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *params;
    int code;
  } cases[] = {
    { "'name':'nope'", -32602 },
    { "'name':7", -32602 },
    { "'name':null", -32602 },
    { "'arguments':{}", -32602 },
    { "'name':'echo','arguments':[]", -32602 },
    { "'name':'echo','arguments':'x'", -32602 },
    { "'name':'fail','arguments':{'code':-32602}", -32602 },
    { "'name':'fail','arguments':{'code':-7}", -7 },
    { "'name':'drop'", -32603 },
    { "'name':'add','arguments':{'a':13,'b':1}", -32603 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      server_fixture_send (
        fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{%s," MODERN_META "}}",
        cases[i].params);
      gmcp_json_doc_unref (server_fixture_expect_error (fixture, "1", cases[i].code));
    }
}

static void
test_error_data (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = gmcp_rpc_error_new (12, "No \"room\"", "{\"left\":0}");

  call_hold (fixture, "1", "");
  gmcp_tool_call_return_error (g_ptr_array_index (fixture->held, 0), error);
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':1,'error':{'code':12,"
                                  "'message':'No \\'room\\'','data':{'left':0}}}");

  call_hold (fixture, "2", "");
  gmcp_tool_call_return_rpc_error (g_ptr_array_index (fixture->held, 1), -32050, "Full",
                                   "{\n\"left\":1\n}");
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':2,'error':{'code':-32050,"
                                  "'message':'Full','data':{'left':1}}}");

  call_hold (fixture, "3", "");
  gmcp_tool_call_return_rpc_error (g_ptr_array_index (fixture->held, 2), -32050, "Full", NULL);
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':3,'error':{'code':-32050,"
                                  "'message':'Full'}}");
}

static void
test_foreign_codes (ServerFixture *fixture, gconstpointer data)
{
  static const int codes[] = { -32700, -32020, -32021, -32022, -32042 };

  g_test_summary ("a code that is about a connection of the provider's own is not the server's");
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      call_hold (fixture, "1", "");
      gmcp_tool_call_return_rpc_error (g_ptr_array_index (fixture->held, i), codes[i], "No",
                                       "{\"supported\":[\"2026-07-28\"]}");
      server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':1,'error':{'code':-32603,"
                                      "'message':'No'}}");
    }
}

static void
test_missing_structured (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpToolResult) failure = gmcp_tool_result_new_error ("no");

  g_test_summary ("an output schema asks for structured content, but not of a tool that failed");
  gmcp_server_remove_tool (fixture->server, "hold");
  server_fixture_add_hold (fixture, "hold", ",'outputSchema':{'type':'object'}");

  call_hold (fixture, "1", "");
  return_text (g_ptr_array_index (fixture->held, 0), "text only");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "1", GMCP_RPC_ERROR_INTERNAL));
  call_hold (fixture, "2", "");
  gmcp_tool_call_return_result (g_ptr_array_index (fixture->held, 1), failure);
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':2,'result':{" MODERN_RESULT ","
                                  "'content':[{'type':'text','text':'no'}],'isError':true}}");
}

static void
test_wrong_structured (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpToolResult) wrong
    = gmcp_tool_result_new_structured ("{\"n\":\"three\"}", FALSE, NULL);
  g_autoptr (GmcpToolResult) right = gmcp_tool_result_new_structured ("{\"n\":3}", FALSE, NULL);
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autofree char *n = NULL;

  g_test_summary ("a client gets no structured content that is not as the tool has said");
  gmcp_server_remove_tool (fixture->server, "hold");
  server_fixture_add_hold (fixture, "hold",
                           ",'outputSchema':{'type':'object','properties':{'n':{'type':'integer'}},"
                           "'required':['n']}");

  call_hold (fixture, "1", "");
  gmcp_tool_call_return_result (g_ptr_array_index (fixture->held, 0), wrong);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "1", GMCP_RPC_ERROR_INTERNAL));
  call_hold (fixture, "2", "");
  gmcp_tool_call_return_result (g_ptr_array_index (fixture->held, 1), right);
  doc = server_fixture_take (fixture);
  n = gmcp_json_value_dup_raw (
    gmcp_json_value_get_pointer (gmcp_json_doc_get_root (doc), "/result/structuredContent/n"));
  g_assert_cmpstr (n, ==, "3");
}

static void
on_cancelled (GCancellable *cancellable, gpointer data)
{
  ++*(guint *) data;
}

static void
test_cancel (ServerFixture *fixture, gconstpointer data)
{
  GmcpToolCall *call;
  GCancellable *cancellable;
  guint n_cancelled = 0;

  g_test_summary (
    "a cancelled call has no answer, whatever its handler does; a wrong id is nothing");
  call_hold (fixture, "7", "");
  call = g_ptr_array_index (fixture->held, 0);
  cancellable = gmcp_tool_call_get_cancellable (call);
  g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), &n_cancelled, NULL);

  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/cancelled'}");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{"
                                "'requestId':'7'}}");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{"
                                "'requestId':[7]}}");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{"
                                "'requestId':8}}");
  server_fixture_expect_nothing (fixture);
  g_assert_cmpuint (n_cancelled, ==, 0);

  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{"
                                "'requestId':7,'reason':'no more'}}");
  server_fixture_expect_nothing (fixture);
  g_assert_cmpuint (n_cancelled, ==, 1);

  call_hold (fixture, "7", "");
  gmcp_tool_call_report_progress (call, 1, 2, NULL);
  return_text (call, "late");
  server_fixture_expect_nothing (fixture);
  return_text (g_ptr_array_index (fixture->held, 1), "mine");
  expect_text (fixture, "7", "mine");

  g_test_message ("asked for after the fact, the cancellable is cancelled");
  call_hold (fixture, "8", "");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{"
                                "'requestId':8}}");
  server_fixture_expect_nothing (fixture);
  g_assert_true (g_cancellable_is_cancelled (
    gmcp_tool_call_get_cancellable (g_ptr_array_index (fixture->held, 2))));
  g_ptr_array_set_size (fixture->held, 0);
  server_fixture_expect_nothing (fixture);
}

static void
test_progress (ServerFixture *fixture, gconstpointer data)
{
  GmcpToolCall *call;

  call_hold (fixture, "1", ",'progressToken':'p'");
  call = g_ptr_array_index (fixture->held, 0);
  gmcp_tool_call_report_progress (call, 0, 0, NULL);
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','method':'notifications/progress','params':{"
                                  "'progressToken':'p','progress':0}}");
  gmcp_tool_call_report_progress (call, 0, 0, "the same");
  gmcp_tool_call_report_progress (call, -1, 0, NULL);
  gmcp_tool_call_report_progress (call, (double) NAN, 0, NULL);
  gmcp_tool_call_report_progress (call, (double) INFINITY, 0, NULL);
  gmcp_tool_call_report_progress (call, 0.5, 2, "half");
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','method':'notifications/progress','params':{"
                                  "'progressToken':'p','progress':0.5,'total':2,"
                                  "'message':'half'}}");
  return_text (call, "done");
  expect_text (fixture, "1", "done");
  gmcp_tool_call_report_progress (call, 2, 2, NULL);
  server_fixture_expect_nothing (fixture);
}

static void
test_progress_tokens (ServerFixture *fixture, gconstpointer data)
{
  static const char *const tokens[] = { "null", "{}", "[1]", "true" };

  g_test_summary ("a token is a string or a number; without one there is no progress");
  call_hold (fixture, "1", "");
  gmcp_tool_call_report_progress (g_ptr_array_index (fixture->held, 0), 1, 0, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tokens); i++)
    {
      g_autofree char *meta = g_strdup_printf (",'progressToken':%s", tokens[i]);
      g_autofree char *id = g_strdup_printf ("%u", i + 2);

      call_hold (fixture, id, meta);
      gmcp_tool_call_report_progress (g_ptr_array_index (fixture->held, i + 1), 1, 0, NULL);
    }
  server_fixture_expect_nothing (fixture);

  call_hold (fixture, "'n'", ",'progressToken':0");
  gmcp_tool_call_report_progress (g_ptr_array_index (fixture->held, G_N_ELEMENTS (tokens) + 1), 1,
                                  0, NULL);
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','method':'notifications/progress','params':{"
                                  "'progressToken':0,'progress':1}}");
}

static void
test_progress_flood (ServerFixture *fixture, gconstpointer data)
{
  GmcpToolCall *call;
  guint n_received = 0;
  gboolean saw_end = FALSE;
  double last = 0;

  g_test_summary ("a flood of progress is thinned out, but for its end");
  call_hold (fixture, "1", ",'progressToken':1");
  call = g_ptr_array_index (fixture->held, 0);
  for (guint i = 1; i <= 50000; i++)
    gmcp_tool_call_report_progress (call, i, 25000, NULL);
  return_text (call, "done");

  while (TRUE)
    {
      g_autoptr (GmcpJsonDoc) doc = server_fixture_take (fixture);
      GmcpJsonValue root = gmcp_json_doc_get_root (doc);
      double progress;

      if (!gmcp_json_value_get_double (gmcp_json_value_get_pointer (root, "/params/progress"),
                                       &progress))
        break;
      g_assert_cmpfloat (progress, >, last);
      last = progress;
      saw_end |= progress == 25000;
      n_received++;
    }

  g_assert_true (saw_end);
  g_assert_cmpuint (n_received, >, 50);
  g_assert_cmpuint (n_received, <, 25000);
}

static void
test_limit (ServerFixture *fixture, gconstpointer data)
{
  g_object_set (fixture->server, "max-requests", 2, NULL);
  call_hold (fixture, "1", "");
  call_hold (fixture, "2", "");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':3,'method':'tools/call','params':{"
                                "'name':'hold'," MODERN_META "}}");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "3", GMCP_RPC_ERROR_INTERNAL));

  g_test_message ("what is answered at once is not refused");
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':4,'method':'tools/list','params':{" MODERN_META "}}");
  gmcp_json_doc_unref (server_fixture_take (fixture));

  return_text (g_ptr_array_index (fixture->held, 0), "x");
  expect_text (fixture, "1", "x");
  call_hold (fixture, "3", "");
}

static void
test_tool_goes (ServerFixture *fixture, gconstpointer data)
{
  g_test_summary ("a tool may be removed while it runs");
  call_hold (fixture, "1", "");
  gmcp_server_remove_tool (fixture->server, "hold");
  return_text (g_ptr_array_index (fixture->held, 0), "x");
  expect_text (fixture, "1", "x");
}

static void
test_client_goes (ServerFixture *fixture, gconstpointer data)
{
  GmcpToolCall *call;

  g_test_summary ("a client that goes away cancels its calls");
  call_hold (fixture, "1", "");
  call = g_ptr_array_index (fixture->held, 0);
  gmcp_transport_close_async (fixture->client, NULL, NULL, NULL);
  while (!g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (call)))
    g_main_context_iteration (NULL, TRUE);
  return_text (call, "nobody there");
}

static void
test_server_goes (ServerFixture *fixture, gconstpointer data)
{
  GmcpToolCall *call;

  g_test_summary ("a server that is finalized cancels its calls, and the requests may live on");
  call_hold (fixture, "1", ",'progressToken':1");
  call = g_ptr_array_index (fixture->held, 0);
  g_assert_finalize_object (g_steal_pointer (&fixture->server));
  g_assert_true (g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (call)));
  gmcp_tool_call_report_progress (call, 1, 0, NULL);
  g_assert_cmpstr (gmcp_tool_call_get_name (call), ==, "hold");
  return_text (call, "nobody there");
  server_fixture_wait_closed (fixture);
  g_assert_true (g_queue_is_empty (&fixture->received));
}

static void
on_suicide (GmcpToolCall *call, gpointer user_data)
{
  ServerFixture *fixture = user_data;

  g_clear_object (&fixture->server);
  return_text (call, "x");
}

static void
test_server_goes_in_handler (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTool) tool
    = server_fixture_tool ("{'name':'suicide','inputSchema':{'type':'object'}}");

  gmcp_server_add_tool (fixture->server, tool, on_suicide, fixture, NULL, NULL);
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{"
                                "'name':'suicide'," MODERN_META "}}");
  server_fixture_wait_closed (fixture);
}

static GmcpToolResult *
refuse_in_one_form (GmcpServer *server, GmcpTool *tool, const GError *error, gpointer data)
{
  g_autofree char *text
    = g_strdup_printf ("%s: %s", gmcp_tool_get_server_tool_name (tool), error->message);

  ++*(guint *) data;
  return gmcp_tool_result_new_error (text);
}

static GmcpToolResult *
refuse_nothing (GmcpServer *server, GmcpTool *tool, const GError *error, gpointer data)
{
  ++*(guint *) data;
  return NULL;
}

static void
expect_refusal (ServerFixture *fixture, const char *arguments, const char *meta, const char *part)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpJsonValue result;
  GmcpJsonValue block;
  g_autofree char *text = NULL;

  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'echo',"
                       "'arguments':%s%s}}",
                       arguments, meta);
  doc = server_fixture_take (fixture);
  result = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "result");
  g_assert_cmpint (gmcp_json_value_get_kind (gmcp_json_value_get_member (result, "isError")), ==,
                   GMCP_JSON_TRUE);
  block = gmcp_json_value_get_element (gmcp_json_value_get_member (result, "content"), 0);
  text = gmcp_json_value_dup_string (gmcp_json_value_get_member (block, "text"));
  g_assert_true (g_str_has_prefix (text, "echo: "));
  g_assert_nonnull (strstr (text, part));
}

static void
test_refused_arguments (ServerFixture *fixture, gconstpointer data)
{
  guint n_asked = 0;
  guint n_passed = 0;

  g_test_summary ("what does not match the schema is answered by the application, in both eras");
  g_signal_connect (fixture->server, "arguments-refused", G_CALLBACK (refuse_nothing), &n_passed);
  g_signal_connect (fixture->server, "arguments-refused", G_CALLBACK (refuse_in_one_form),
                    &n_asked);
  expect_refusal (fixture, "{'text':7}", "," MODERN_META, "text");
  expect_refusal (fixture, "[]", "," MODERN_META, "object");
  server_fixture_initialize (fixture, "2024-11-05");
  expect_refusal (fixture, "{'text':7}", "", "text");
  expect_refusal (fixture, "'x'", "", "object");
  g_assert_cmpuint (n_asked, ==, 4);
  g_assert_cmpuint (n_passed, ==, 4);

  g_signal_handlers_disconnect_by_data (fixture->server, &n_asked);
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{"
                                "'name':'echo','arguments':{'text':7}}}");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
}

static GmcpToolResult *
refuse_and_go (GmcpServer *server, GmcpTool *tool, const GError *error, gpointer data)
{
  ServerFixture *fixture = data;

  g_clear_object (&fixture->server);
  return gmcp_tool_result_new_error ("x");
}

static void
test_server_goes_in_refusal (ServerFixture *fixture, gconstpointer data)
{
  g_signal_connect (fixture->server, "arguments-refused", G_CALLBACK (refuse_and_go), fixture);
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{"
                                "'name':'echo','arguments':{'text':7}," MODERN_META "}}");
  server_fixture_wait_closed (fixture);
}

static void
test_returns_twice (ServerFixture *fixture, gconstpointer data)
{
  GmcpToolCall *call;

  g_test_summary ("a second answer is dropped");
  call_hold (fixture, "1", "");
  call = g_ptr_array_index (fixture->held, 0);
  return_text (call, "one");
  return_text (call, "two");
  expect_text (fixture, "1", "one");
  server_fixture_expect_nothing (fixture);
}

#define ADD(name, func)                                                                            \
  g_test_add ("/server/calls/" name, ServerFixture, NULL, server_fixture_set_up, func,             \
              server_fixture_tear_down)

typedef struct
{
  GmcpToolCall *call;
  GmcpCaller *caller;
  GError *error; /* of a question */
} Work;

static void
on_asked (GObject *object, GAsyncResult *result, gpointer data)
{
  Work *work = data;

  g_free (gmcp_caller_ask_finish (GMCP_CALLER (object), result, &work->error));
}

static gpointer
work_in_context (gpointer data)
{
  Work *work = data;
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GmcpElicitation) question
    = gmcp_elicitation_new ("Who?", "{\"type\":\"object\",\"properties\":{}}", NULL);

  g_main_context_push_thread_default (context);
  gmcp_caller_log (work->caller, GMCP_LOG_LEVEL_INFO, "worker", "begun");
  gmcp_caller_log (work->caller, GMCP_LOG_LEVEL_DEBUG, "worker", "not wanted");
  gmcp_tool_call_report_progress (work->call, 1, 2, "half");
  g_assert_true (
    gmcp_caller_log_json (work->caller, GMCP_LOG_LEVEL_ERROR, NULL, "{\"n\":1}", NULL));
  gmcp_caller_ask_async (work->caller, GMCP_INPUT_REQUEST (question), NULL, on_asked, work);
  while (work->error == NULL)
    g_main_context_iteration (context, TRUE);
  g_assert_error (work->error, GMCP_ERROR, GMCP_ERROR_FAILED);
  return_text (work->call, "done");
  g_main_context_pop_thread_default (context);
  return NULL;
}

static void
test_thread (ServerFixture *fixture, gconstpointer data)
{
  Work work = { NULL };
  GThread *thread;

  g_test_summary (
    "a handler in another main context: progress, log lines and its answer come in order");
  call_hold (fixture, "1", ",'progressToken':'p','io.modelcontextprotocol/logLevel':'info'");
  work.call = g_object_ref (g_ptr_array_index (fixture->held, 0));
  work.caller = gmcp_tool_call_get_caller (work.call);
  thread = g_thread_new ("worker", work_in_context, &work);
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','method':'notifications/message','params':{"
                                  "'level':'info','logger':'worker','data':'begun'}}");
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','method':'notifications/progress','params':{"
                                  "'progressToken':'p','progress':1,'total':2,'message':'half'}}");
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','method':'notifications/message','params':{"
                                  "'level':'error','data':{'n':1}}}");
  expect_text (fixture, "1", "done");
  g_thread_join (thread);
  g_clear_error (&work.error);
  g_object_unref (work.call);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("ids", test_ids);
  ADD ("doubled-id", test_doubled_id);
  ADD ("errors", test_errors);
  ADD ("error-data", test_error_data);
  ADD ("foreign-codes", test_foreign_codes);
  ADD ("missing-structured", test_missing_structured);
  ADD ("wrong-structured", test_wrong_structured);
  ADD ("cancel", test_cancel);
  ADD ("progress", test_progress);
  ADD ("progress-tokens", test_progress_tokens);
  ADD ("progress-flood", test_progress_flood);
  ADD ("limit", test_limit);
  ADD ("tool-goes", test_tool_goes);
  ADD ("client-goes", test_client_goes);
  ADD ("server-goes", test_server_goes);
  ADD ("server-goes-in-handler", test_server_goes_in_handler);
  ADD ("refused-arguments", test_refused_arguments);
  ADD ("server-goes-in-refusal", test_server_goes_in_refusal);
  ADD ("returns-twice", test_returns_twice);
  ADD ("thread", test_thread);
  return g_test_run ();
}
