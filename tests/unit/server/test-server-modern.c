/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "server-fixture.h"
#include "unit-test.h"

#define VERSIONS "['2026-07-28','2025-11-25','2025-06-18','2025-03-26','2024-11-05']"

static void
test_discover (ServerFixture *fixture, gconstpointer data)
{
  gmcp_server_set_instructions (fixture->server, "Be brief");
  g_object_set (fixture->server, "list-ttl-ms", 5, NULL);
  server_fixture_send (
    fixture, "{'jsonrpc':'2.0','id':'d','method':'server/discover','params':{" MODERN_META "}}");
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':'d','result':{" MODERN_RESULT
                                  ",'supportedVersions':" VERSIONS
                                  ",'capabilities':{'tools':{'listChanged':true},'logging':{}},"
                                  "'instructions':'Be brief','ttlMs':5,'cacheScope':'private'}}");
}

static void
test_meta (ServerFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *meta;
    int code;
  } cases[] = {
    { "{}", -32602 },
    { "7", -32602 },
    { "{'io.modelcontextprotocol/clientCapabilities':{}}", -32602 },
    { "{'io.modelcontextprotocol/protocolVersion':'2026-07-28'}", -32602 },
    { "{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
      "'io.modelcontextprotocol/clientCapabilities':[]}",
      -32602 },
    { "{'io.modelcontextprotocol/protocolVersion':20260728,"
      "'io.modelcontextprotocol/clientCapabilities':{}}",
      -32602 },
    { "{'io.modelcontextprotocol/protocolVersion':'1900-01-01',"
      "'io.modelcontextprotocol/clientCapabilities':{}}",
      -32022 },
    { "{'io.modelcontextprotocol/protocolVersion':'2099-01-01'}", -32022 },
    { "{'io.modelcontextprotocol/protocolVersion':''}", -32022 },
  };
  static const char *const methods[] = { "server/discover", "tools/list", "subscriptions/listen" };

  g_test_summary (
    "each request needs its fields in _meta, also on a connection that has seen them");
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{" MODERN_META "}}");
  gmcp_json_doc_unref (server_fixture_take (fixture));

  for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        server_fixture_send (fixture,
                             "{'jsonrpc':'2.0','id':1,'method':'%s','params':{'_meta':%s}}",
                             methods[m], cases[i].meta);
        gmcp_json_doc_unref (server_fixture_expect_error (fixture, "1", cases[i].code));
      }
}

static void
test_version_data (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpJsonDoc) unknown = NULL;
  g_autoptr (GmcpJsonDoc) legacy = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("the error names what is spoken; a legacy version in _meta is not offered again");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"
                                "'io.modelcontextprotocol/protocolVersion':'2099-01-01'}}}");
  unknown = server_fixture_expect_error (fixture, "1", -32022);
  text = gmcp_json_value_dup_raw (
    gmcp_json_value_get_pointer (gmcp_json_doc_get_root (unknown), "/error/data"));
  g_assert_cmpstr (text, ==,
                   "{\"supported\":[\"2026-07-28\",\"2025-11-25\",\"2025-06-18\",\"2025-03-26\","
                   "\"2024-11-05\"],\"requested\":\"2099-01-01\"}");

  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"
                                "'io.modelcontextprotocol/protocolVersion':'2025-11-25'}}}");
  legacy = server_fixture_expect_error (fixture, "1", -32022);
  g_free (text);
  text = gmcp_json_value_dup_raw (
    gmcp_json_value_get_pointer (gmcp_json_doc_get_root (legacy), "/error/data"));
  g_assert_cmpstr (text, ==, "{\"supported\":[\"2026-07-28\"],\"requested\":\"2025-11-25\"}");
}

static void
test_methods (ServerFixture *fixture, gconstpointer data)
{
  static const char *const gone[] = { "ping", "initialize", "logging/setLevel", "no/such" };

  g_test_summary ("methods of the other era are not found");
  for (guint i = 0; i < G_N_ELEMENTS (gone); i++)
    {
      server_fixture_send (
        fixture, "{'jsonrpc':'2.0','id':1,'method':'%s','params':{" MODERN_META "}}", gone[i]);
      gmcp_json_doc_unref (
        server_fixture_expect_error (fixture, "1", GMCP_RPC_ERROR_METHOD_NOT_FOUND));
    }
}

static void
test_calls (ServerFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *params;
    const char *result;
  } cases[] = {
    { "'name':'echo','arguments':{'text':'hi'}", "'content':[{'type':'text','text':'hi'}]" },
    { "'name':'list'", "'content':[{'type':'text','text':'[1,2]'}],'structuredContent':[1,2]" },
    { "'name':'fail'", "'content':[{'type':'text','text':'It is not there'}],'isError':true" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      server_fixture_send (
        fixture, "{'jsonrpc':'2.0','id':%u,'method':'tools/call','params':{%s," MODERN_META "}}", i,
        cases[i].params);
      server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':%u,'result':{" MODERN_RESULT ",%s}}",
                             i, cases[i].result);
    }
}

static void
test_result_meta (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_from_json (
    "{\"resultType\":\"odd\",\"_meta\":{\"org.example/a\":[1],"
    "\"io.modelcontextprotocol/serverInfo\":0},\"content\":[],\"extra\":true}",
    NULL);

  g_test_summary ("a handler's own _meta is kept beside what the server says of itself");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                                "'params':{'name':'hold'," MODERN_META "}}");
  gmcp_tool_call_return_result (server_fixture_wait_held (fixture, 1), result);
  server_fixture_expect (fixture,
                         "{'jsonrpc':'2.0','id':1,'result':{'resultType':'complete','_meta':{"
                         "'org.example/a':[1]," MODERN_SERVER_INFO "},'content':[],'extra':true}}");
}

static void
test_bad_arguments (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;

  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                                "'params':{'name':'echo','arguments':{}," MODERN_META "}}");
  doc = server_fixture_take (fixture);
  g_assert_cmpint (gmcp_json_value_get_kind (
                     gmcp_json_value_get_pointer (gmcp_json_doc_get_root (doc), "/result/isError")),
                   ==, GMCP_JSON_TRUE);
}

static void
test_both_eras (ServerFixture *fixture, gconstpointer data)
{
  g_test_summary ("both eras are served on one connection, each request in its own");
  server_fixture_initialize (fixture, "2025-11-25");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                                "'params':{'name':'list'," MODERN_META "}}");
  server_fixture_expect (fixture,
                         "{'jsonrpc':'2.0','id':1,'result':{" MODERN_RESULT ","
                         "'content':[{'type':'text','text':'[1,2]'}],'structuredContent':[1,2]}}");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                                "'params':{'name':'list'}}");
  server_fixture_expect (
    fixture, "{'jsonrpc':'2.0','id':1,'result':{'content':[{'type':'text','text':'[1,2]'}]}}");
}

static void
listen (ServerFixture *fixture, const char *id, const char *filter, const char *acknowledged)
{
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':%s,'method':'subscriptions/listen',"
                       "'params':{'notifications':%s," MODERN_META "}}",
                       id, filter);
  server_fixture_expect (
    fixture,
    "{'jsonrpc':'2.0','method':'notifications/subscriptions/acknowledged','params':{"
    "'_meta':{'io.modelcontextprotocol/subscriptionId':%s},'notifications':%s}}",
    id, acknowledged);
}

static void
expect_changed (ServerFixture *fixture, const char *id)
{
  server_fixture_expect (fixture,
                         "{'jsonrpc':'2.0','method':'notifications/tools/list_changed','params':{"
                         "'_meta':{'io.modelcontextprotocol/subscriptionId':%s}}}",
                         id);
}

static void
expect_end (ServerFixture *fixture, const char *id)
{
  server_fixture_expect (fixture,
                         "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'_meta':{"
                         "'io.modelcontextprotocol/subscriptionId':%s},'requestId':%s}}",
                         id, id);
  server_fixture_expect (fixture,
                         "{'jsonrpc':'2.0','id':%s,'result':{'resultType':'complete','_meta':{"
                         "'io.modelcontextprotocol/subscriptionId':%s," MODERN_SERVER_INFO "}}}",
                         id, id);
}

static void
test_listen (ServerFixture *fixture, gconstpointer data)
{
  listen (fixture, "1",
          "{'toolsListChanged':true,'promptsListChanged':true,"
          "'resourceSubscriptions':['file:///a']}",
          "{'toolsListChanged':true}");
  listen (fixture, "'1'", "{'toolsListChanged':true}", "{'toolsListChanged':true}");
  listen (fixture, "2", "{'toolsListChanged':false}", "{}");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':2,'method':'tools/list',"
                                "'params':{" MODERN_META "}}");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_REQUEST));

  server_fixture_add_hold (fixture, "second", "");
  expect_changed (fixture, "1");
  expect_changed (fixture, "'1'");

  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/cancelled',"
                                "'params':{'requestId':'1','reason':'bored'}}");
  server_fixture_expect_nothing (fixture);
  gmcp_server_remove_tool (fixture->server, "second");
  expect_changed (fixture, "1");
  server_fixture_expect_nothing (fixture);
  listen (fixture, "'1'", "{}", "{}");

  g_test_message ("the server goes");
  g_clear_object (&fixture->server);
  expect_end (fixture, "1");
  expect_end (fixture, "2");
  expect_end (fixture, "'1'");
}

static void
test_listen_refused (ServerFixture *fixture, gconstpointer data)
{
  static const char *const filters[]
    = { "null", "[]", "{'toolsListChanged':1}", "{'toolsListChanged':null}" };

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      server_fixture_send (fixture,
                           "{'jsonrpc':'2.0','id':1,'method':'subscriptions/listen',"
                           "'params':{'notifications':%s," MODERN_META "}}",
                           filters[i]);
      gmcp_json_doc_unref (
        server_fixture_expect_error (fixture, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
    }

  g_object_set (fixture->server, "max-requests", 1, NULL);
  listen (fixture, "1", "{}", "{}");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':2,'method':'subscriptions/listen',"
                                "'params':{'notifications':{}," MODERN_META "}}");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INTERNAL));
}

static void
test_client_info (ServerFixture *fixture, gconstpointer data)
{
  GmcpToolCall *held;

  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{"
                                "'name':'hold'," MODERN_META "}}");
  held = server_fixture_wait_held (fixture, 1);
  g_assert_null (gmcp_caller_get_client_info (gmcp_tool_call_get_caller (held)));
  g_assert_cmpstr (gmcp_caller_get_protocol_version (gmcp_tool_call_get_caller (held)), ==,
                   "2026-07-28");
  g_assert_cmpstr (gmcp_tool_call_get_arguments_json (held), ==, "{}");

  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'hold',"
                       "'arguments':{'n':1.50},'_meta':{"
                       "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                       "'io.modelcontextprotocol/clientCapabilities':{},"
                       "'io.modelcontextprotocol/clientInfo':{'name':'me','version':'3'}}}}");
  held = server_fixture_wait_held (fixture, 2);
  g_assert_cmpstr (
    gmcp_implementation_get_name (gmcp_caller_get_client_info (gmcp_tool_call_get_caller (held))),
    ==, "me");
  g_assert_cmpstr (gmcp_tool_call_get_arguments_json (held), ==, "{\"n\":1.50}");
}

#define ADD(name, func)                                                                            \
  g_test_add ("/server/modern/" name, ServerFixture, NULL, server_fixture_set_up, func,            \
              server_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("discover", test_discover);
  ADD ("meta", test_meta);
  ADD ("version-data", test_version_data);
  ADD ("methods", test_methods);
  ADD ("calls", test_calls);
  ADD ("result-meta", test_result_meta);
  ADD ("bad-arguments", test_bad_arguments);
  ADD ("both-eras", test_both_eras);
  ADD ("listen", test_listen);
  ADD ("listen-refused", test_listen_refused);
  ADD ("client-info", test_client_info);
  return g_test_run ();
}
