/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "server-fixture.h"
#include "unit-test.h"

static void
test_versions (ServerFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *asked;
    const char *answered;
  } cases[] = {
    { "2024-11-05", "2024-11-05" }, { "2025-03-26", "2025-03-26" }, { "2025-06-18", "2025-06-18" },
    { "2025-11-25", "2025-11-25" }, { "2026-07-28", "2025-11-25" }, { "1999-01-01", "2025-11-25" },
    { "", "2025-11-25" },
  };

  g_test_summary (
    "a known revision is taken, for any other the newest with a handshake is offered");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpJsonDoc) doc = NULL;
      GmcpJsonValue result;

      server_fixture_send (
        fixture,
        "{'jsonrpc':'2.0','id':%u,'method':'initialize','params':{'protocolVersion':'%s',"
        "'capabilities':{},'clientInfo':{'name':'c','version':'1'}}}",
        i, cases[i].asked);
      doc = server_fixture_take (fixture);
      result = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "result");
      g_assert_true (gmcp_json_value_equals_string (
        gmcp_json_value_get_member (result, "protocolVersion"), cases[i].answered));
    }
}

static void
test_handshake (ServerFixture *fixture, gconstpointer data)
{
  gmcp_server_set_instructions (fixture->server, "Ask \"nicely\"");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':'x','method':'initialize','params':{"
                                "'protocolVersion':'2025-06-18','capabilities':{},"
                                "'clientInfo':{'name':'c','version':'1'}}}");
  server_fixture_expect (fixture,
                         "{'jsonrpc':'2.0','id':'x','result':{'protocolVersion':'2025-06-18',"
                         "'capabilities':{'tools':{'listChanged':true},'logging':{}},"
                         "'serverInfo':{'name':'test','title':'Test','version':'1.0'},"
                         "'instructions':'Ask \\'nicely\\''}}");

  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'ping'}");
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':1,'result':{}}");
}

static void
test_before_initialize (ServerFixture *fixture, gconstpointer data)
{
  g_test_summary ("before initialize a ping is answered, and what is of no era is refused");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'ping','params':{}}");
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':1,'result':{}}");

  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':2,'method':'tools/list'}");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':3,'method':'logging/setLevel'}");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "3", GMCP_RPC_ERROR_INVALID_PARAMS));
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':3,'method':'no/such'}");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "3", GMCP_RPC_ERROR_METHOD_NOT_FOUND));

  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':4,'method':'initialize','params':{}}");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "4", GMCP_RPC_ERROR_INVALID_PARAMS));
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':5,'method':'initialize',"
                                "'params':{'protocolVersion':2025}}");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "5", GMCP_RPC_ERROR_INVALID_PARAMS));
}

static void
test_list (ServerFixture *fixture, gconstpointer data)
{
  g_test_summary ("the list is in the order of adding; an output schema that is no object's is not "
                  "shown to revisions that know no other");
  server_fixture_initialize (fixture, "2024-11-05");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{}}");
  server_fixture_expect (
    fixture,
    "{'jsonrpc':'2.0','id':1,'result':{'tools':["
    "{'name':'echo','inputSchema':{'type':'object','properties':{'text':{'type':'string'}},"
    "'required':['text']}},"
    "{'name':'add','inputSchema':{'type':'object','properties':{'a':{'type':'integer'},"
    "'b':{'type':'integer'}},'required':['a','b']},'outputSchema':{'type':'object',"
    "'properties':{'sum':{'type':'integer'}},'required':['sum']}},"
    "{'name':'list','inputSchema':{'type':'object'}},"
    "{'name':'hold','inputSchema':{'type':'object'}},"
    "{'name':'drop','inputSchema':{'type':'object'}},"
    "{'name':'fail','inputSchema':{'type':'object'}}]}}");
}

static void
test_calls (ServerFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *params;
    const char *result;
  } cases[] = {
    { "{'name':'echo','arguments':{'text':'a\\nb'}}",
      "{'content':[{'type':'text','text':'a\\nb'}]}" },
    { "{'name':'add','arguments':{'a':1,'b':2}}",
      "{'content':[{'type':'text','text':'{\\'sum\\': 3}'}],'structuredContent':{'sum':3}}" },
    { "{'name':'list'}", "{'content':[{'type':'text','text':'[1,2]'}]}" },
    { "{'name':'list','arguments':null}", "{'content':[{'type':'text','text':'[1,2]'}]}" },
    { "{'name':'fail','arguments':{}}",
      "{'content':[{'type':'text','text':'It is not there'}],'isError':true}" },
  };

  server_fixture_initialize (fixture, "2025-11-25");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      server_fixture_send (fixture, "{'jsonrpc':'2.0','id':'%u','method':'tools/call','params':%s}",
                           i, cases[i].params);
      server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':'%u','result':%s}", i,
                             cases[i].result);
    }
}

static void
test_bad_arguments (ServerFixture *fixture, gconstpointer data)
{
  g_test_summary ("arguments that do not match: an error of the protocol until 2025-06-18, then a "
                  "result for the model");
  server_fixture_initialize (fixture, "2025-06-18");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                                "'params':{'name':'echo','arguments':{'text':1}}}");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "1", GMCP_RPC_ERROR_INVALID_PARAMS));

  server_fixture_initialize (fixture, "2025-11-25");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                                "'params':{'name':'echo'}}");
  {
    g_autoptr (GmcpJsonDoc) doc = server_fixture_take (fixture);
    GmcpJsonValue root = gmcp_json_doc_get_root (doc);
    g_autofree char *text
      = gmcp_json_value_dup_string (gmcp_json_value_get_pointer (root, "/result/content/0/text"));

    g_assert_cmpint (
      gmcp_json_value_get_kind (gmcp_json_value_get_pointer (root, "/result/isError")), ==,
      GMCP_JSON_TRUE);
    g_assert_nonnull (strstr (text, "echo"));
    g_assert_nonnull (strstr (text, "text"));
  }
}

static void
test_list_changed (ServerFixture *fixture, gconstpointer data)
{
  g_test_summary ("several changes of one turn are one notification, and none comes before the "
                  "client is ready");
  server_fixture_add_hold (fixture, "before", "");
  server_fixture_initialize (fixture, "2025-03-26");
  server_fixture_expect_nothing (fixture);

  server_fixture_add_hold (fixture, "one", "");
  server_fixture_add_hold (fixture, "two", "");
  g_assert_true (gmcp_server_remove_tool (fixture->server, "one"));
  g_assert_false (gmcp_server_remove_tool (fixture->server, "one"));
  server_fixture_expect (
    fixture, "{'jsonrpc':'2.0','method':'notifications/tools/list_changed','params':{}}");
  server_fixture_expect_nothing (fixture);
}

static void
test_batch (ServerFixture *fixture, gconstpointer data)
{
  GmcpToolCall *held;
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("late");

  g_test_summary ("2025-03-26 has batches: one answer, when the last is there, without those of "
                  "notifications and cancelled requests");
  server_fixture_initialize (fixture, "2025-03-26");
  server_fixture_send (fixture,
                       "[{'jsonrpc':'2.0','id':1,'method':'ping'},"
                       "{'jsonrpc':'2.0','method':'notifications/unknown'},"
                       "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'hold'}},"
                       "{'jsonrpc':'2.0','id':3,'method':'tools/call','params':{'name':'hold'}},"
                       "7,[],"
                       "{'jsonrpc':'2.0','id':2,'method':'ping'},"
                       "{'jsonrpc':'2.0','id':5,'method':'initialize','params':"
                       "{'protocolVersion':'2025-03-26'}}]");
  held = server_fixture_wait_held (fixture, 2);
  g_assert_true (g_queue_is_empty (&fixture->received));
  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/cancelled',"
                                "'params':{'requestId':3}}");
  while (!g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (held)))
    g_main_context_iteration (NULL, TRUE);
  gmcp_tool_call_return_result (g_ptr_array_index (fixture->held, 0), result);

  {
    g_autoptr (GmcpJsonDoc) doc = server_fixture_take (fixture);
    GmcpJsonValue root = gmcp_json_doc_get_root (doc);
    static const struct
    {
      const char *id;
      const char *code;
    } expected[] = {
      { "1", NULL },     { "null", "-32600" }, { "null", "-32600" },
      { "2", "-32600" }, { "5", "-32600" },    { "2", NULL },
    };

    g_assert_cmpuint (gmcp_json_value_get_length (root), ==, G_N_ELEMENTS (expected));
    for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
      {
        GmcpJsonValue answer = gmcp_json_value_get_element (root, i);
        g_autofree char *id = gmcp_json_value_dup_raw (gmcp_json_value_get_member (answer, "id"));
        g_autofree char *code
          = gmcp_json_value_dup_raw (gmcp_json_value_get_pointer (answer, "/error/code"));

        g_assert_cmpstr (id, ==, expected[i].id);
        g_assert_cmpstr (code, ==, expected[i].code);
      }
  }

  server_fixture_send (fixture, "[{'jsonrpc':'2.0','method':'notifications/unknown'}]");
  server_fixture_send (fixture, "[{'jsonrpc':'2.0','id':9,'method':'ping'}]");
  server_fixture_expect (fixture, "[{'jsonrpc':'2.0','id':9,'result':{}}]");
  server_fixture_send (fixture, "[]");
  gmcp_json_doc_unref (
    server_fixture_expect_error (fixture, "null", GMCP_RPC_ERROR_INVALID_REQUEST));
}

static void
assert_text (GmcpJsonValue answer, const char *text)
{
  g_autofree char *answered
    = gmcp_json_value_dup_string (gmcp_json_value_get_pointer (answer, "/result/content/0/text"));

  g_assert_cmpstr (answered, ==, text);
}

static void
test_large_results (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *large = g_strnfill (4 * GMCP_JSON_PART_BYTES, 'x');
  g_autofree char *json
    = g_strdup_printf ("{\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}", large);
  g_autoptr (GmcpToolResult) written = gmcp_tool_result_new_text (large);
  g_autoptr (GmcpToolResult) read = gmcp_tool_result_new_from_json (json, NULL);
  GmcpToolResult *results[] = { written, read };

  g_test_summary ("a large result is the same alone and in a batch, whatever it was made from");
  server_fixture_initialize (fixture, "2025-03-26");
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autoptr (GmcpJsonDoc) alone = NULL;
      g_autoptr (GmcpJsonDoc) batch = NULL;
      GmcpToolCall *held;

      server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                                    "'params':{'name':'hold'}}");
      held = server_fixture_wait_held (fixture, 2 * i + 1);
      gmcp_tool_call_return_result (held, results[i]);
      alone = server_fixture_take (fixture);
      assert_text (gmcp_json_doc_get_root (alone), large);

      server_fixture_send (fixture, "[{'jsonrpc':'2.0','id':2,'method':'tools/call',"
                                    "'params':{'name':'hold'}},"
                                    "{'jsonrpc':'2.0','id':3,'method':'ping'}]");
      held = server_fixture_wait_held (fixture, 2 * i + 2);
      gmcp_tool_call_return_result (held, results[i]);
      batch = server_fixture_take (fixture);
      g_assert_cmpuint (gmcp_json_value_get_length (gmcp_json_doc_get_root (batch)), ==, 2);
      assert_text (gmcp_json_value_get_element (gmcp_json_doc_get_root (batch), 1), large);
    }
}

static void
test_batch_limits (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GString) many = g_string_new ("[1");

  g_test_summary ("a batch of too many messages, or under a revision without batches, is refused");
  server_fixture_send (fixture, "[{'jsonrpc':'2.0','id':1,'method':'ping'}]");
  gmcp_json_doc_unref (
    server_fixture_expect_error (fixture, "null", GMCP_RPC_ERROR_INVALID_REQUEST));

  server_fixture_initialize (fixture, "2025-06-18");
  server_fixture_send (fixture, "[{'jsonrpc':'2.0','id':1,'method':'ping'}]");
  gmcp_json_doc_unref (
    server_fixture_expect_error (fixture, "null", GMCP_RPC_ERROR_INVALID_REQUEST));

  server_fixture_initialize (fixture, "2025-03-26");
  for (guint i = 0; i < 1000; i++)
    g_string_append (many, ",1");
  g_string_append (many, "]");
  server_fixture_send_raw (fixture, many->str, many->len);
  gmcp_json_doc_unref (
    server_fixture_expect_error (fixture, "null", GMCP_RPC_ERROR_INVALID_REQUEST));
}

static void
test_client_info (ServerFixture *fixture, gconstpointer data)
{
  GmcpToolCall *held;

  server_fixture_initialize (fixture, "2025-06-18");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                                "'params':{'name':'hold'}}");
  held = server_fixture_wait_held (fixture, 1);

  server_fixture_initialize (fixture, "2024-11-05");
  g_assert_cmpstr (gmcp_caller_get_protocol_version (gmcp_tool_call_get_caller (held)), ==,
                   "2025-06-18");
  g_assert_cmpstr (
    gmcp_implementation_get_name (gmcp_caller_get_client_info (gmcp_tool_call_get_caller (held))),
    ==, "hand");
}

#define ADD(name, func)                                                                            \
  g_test_add ("/server/legacy/" name, ServerFixture, NULL, server_fixture_set_up, func,            \
              server_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("versions", test_versions);
  ADD ("handshake", test_handshake);
  ADD ("before-initialize", test_before_initialize);
  ADD ("list", test_list);
  ADD ("calls", test_calls);
  ADD ("bad-arguments", test_bad_arguments);
  ADD ("list-changed", test_list_changed);
  ADD ("batch", test_batch);
  ADD ("large-results", test_large_results);
  ADD ("batch-limits", test_batch_limits);
  ADD ("client-info", test_client_info);
  return g_test_run ();
}
