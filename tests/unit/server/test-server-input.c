/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "server-fixture.h"
#include "unit-test.h"

static const struct
{
  const char *text;
  const char *id;
  int code; /* 0: no answer */
} garbage[] = {
  { "x", "null", -32700 },
  { "{", "null", -32700 },
  { "{}}", "null", -32700 },
  { "{\"id\":1,}", "null", -32700 },
  { "'single'", "null", -32700 },
  { "\xff\xfe", "null", -32700 },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\"}", "null", -32700 },
  { "\"\\ud800", "null", -32700 },
  { "1e", "null", -32700 },
  { "{}", "null", -32600 },
  { "null", "null", -32600 },
  { "17", "null", -32600 },
  { "\"text\"", "null", -32600 },
  { "[]", "null", -32600 },
  { "[1]", "null", -32600 },
  { "{\"jsonrpc\":\"2.0\",\"id\":1}", "1", -32600 },
  { "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", "null", -32600 },
  { "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", "null", -32600 },
  { "{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}", "null", -32600 },
  { "{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}", "null", -32600 },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}", "1", -32600 },
  { "{\"jsonrpc\":\"2.0\",\"method\":7}", "null", -32600 },
  { "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", "1", -32600 },
  { "{\"id\":\"a\",\"method\":\"ping\"}", "\"a\"", -32600 },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}", "1", -32602 },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":null}", "1", -32602 },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\"}", "1", -32601 },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\\u0000b\"}", "1", -32601 },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", NULL, 0 },
  { "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"m\"}}", NULL, 0 },
  { "{\"jsonrpc\":\"2.0\",\"result\":null}", NULL, 0 },
  { "{\"jsonrpc\":\"2.0\",\"method\":\"no/such\"}", NULL, 0 },
  { "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":7}", NULL, 0 },
  { "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", NULL, 0 },
  { "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"hold\"}}", NULL, 0 },
};

static void
test_garbage (ServerFixture *fixture, gconstpointer data)
{
  g_test_summary (
    "nothing that a client sends does more than get an error, and the connection goes "
    "on");
  for (guint round = 0; round < 2; round++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (garbage); i++)
        {
          g_autofree char *printable = g_strescape (garbage[i].text, NULL);

          g_test_message ("%s", printable);
          server_fixture_send_raw (fixture, garbage[i].text, strlen (garbage[i].text));
          if (garbage[i].code != 0)
            gmcp_json_doc_unref (
              server_fixture_expect_error (fixture, garbage[i].id, garbage[i].code));
          else
            server_fixture_expect_nothing (fixture);
        }

      server_fixture_initialize (fixture, "2025-06-18");
    }

  g_assert_cmpuint (fixture->held->len, ==, 0);
}

static void
test_deep (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *deep = g_strnfill (200 * 1024, '[');

  server_fixture_send_raw (fixture, deep, strlen (deep));
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "null", GMCP_RPC_ERROR_PARSE));
}

static void
test_large (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *long_name = g_strnfill (100 * 1024, 'n');
  g_autoptr (GmcpJsonDoc) doc = NULL;

  g_test_summary ("errors do not send a large text back");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'%s'}", long_name);
  doc = server_fixture_expect_error (fixture, "1", GMCP_RPC_ERROR_METHOD_NOT_FOUND);
  {
    gsize length;

    gmcp_json_value_peek_raw (gmcp_json_doc_get_root (doc), &length);
    g_assert_cmpuint (length, <, 1024);
  }

  server_fixture_send (
    fixture,
    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'%s'," MODERN_META "}}",
    long_name);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"
                       "'io.modelcontextprotocol/protocolVersion':'%s'}}}",
                       long_name);
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "1", -32022));
}

static void
test_too_large (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *text = g_strnfill (2000, ' ');

  g_test_summary ("a message above the transport's limit is an invalid request without an id");
  g_object_set (fixture->server_transport, "max-message-bytes", (guint64) 1000, NULL);
  server_fixture_send_raw (fixture, text, strlen (text));
  gmcp_json_doc_unref (
    server_fixture_expect_error (fixture, "null", GMCP_RPC_ERROR_INVALID_REQUEST));
}

static void
test_pages (ServerFixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = { "'x'",   "''",    "'t'",   "'t0'",
                                       "'t-1'", "'t99'", "'t1 '", "'t99999999999999999999'",
                                       "7",     "{}" };

  g_object_set (fixture->server, "page-size", 4, NULL);
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{" MODERN_META "}}");
  {
    g_autoptr (GmcpJsonDoc) first = server_fixture_take (fixture);
    GmcpJsonValue result = gmcp_json_value_get_member (gmcp_json_doc_get_root (first), "result");
    g_autofree char *cursor
      = gmcp_json_value_dup_string (gmcp_json_value_get_member (result, "nextCursor"));

    g_assert_nonnull (cursor);
    g_assert_cmpuint (gmcp_json_value_get_length (gmcp_json_value_get_member (result, "tools")), ==,
                      4);

    g_test_message ("the cursor stays good when the tool that it stands on goes");
    g_assert_true (gmcp_server_remove_tool (fixture->server, "hold"));
    server_fixture_send (
      fixture,
      "{'jsonrpc':'2.0','id':2,'method':'tools/list','params':{'cursor':'%s'," MODERN_META "}}",
      cursor);
  }
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':2,'result':{" MODERN_RESULT ",'tools':["
                                  "{'name':'drop','inputSchema':{'type':'object'}},"
                                  "{'name':'fail','inputSchema':{'type':'object'}}],"
                                  "'ttlMs':60000,'cacheScope':'private'}}");

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      server_fixture_send (
        fixture,
        "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'cursor':%s," MODERN_META "}}",
        wrong[i]);
      gmcp_json_doc_unref (
        server_fixture_expect_error (fixture, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
    }
}

static void
test_large_page (ServerFixture *fixture, gconstpointer data)
{
  g_autofree char *description = g_strnfill (1024 * 1024, 'd');
  g_autofree char *members = g_strdup_printf (",'description':'%s'", description);
  g_autofree char *cursor = NULL;
  guint n_tools = 0;
  guint n_pages = 0;

  g_test_summary ("a page ends when it is large, too");
  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *name = g_strdup_printf ("large%u", i);

      server_fixture_add_hold (fixture, name, members);
    }

  do
    {
      g_autofree char *param
        = cursor != NULL ? g_strdup_printf ("'cursor':'%s',", cursor) : g_strdup ("");
      g_autoptr (GmcpJsonDoc) doc = NULL;
      GmcpJsonValue result;

      server_fixture_send (
        fixture, "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{%s" MODERN_META "}}",
        param);
      doc = server_fixture_take (fixture);
      result = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "result");
      n_tools += gmcp_json_value_get_length (gmcp_json_value_get_member (result, "tools"));
      n_pages++;
      g_free (cursor);
      cursor = gmcp_json_value_dup_string (gmcp_json_value_get_member (result, "nextCursor"));
    }
  while (cursor != NULL);

  g_assert_cmpuint (n_tools, ==, 16);
  g_assert_cmpuint (n_pages, ==, 3);
}

static void
on_call (GmcpToolCall *request, gpointer user_data)
{
  g_assert_not_reached ();
}

static void
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
}

static void
test_add_tool (ServerFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *json;
    int code;
  } cases[] = {
    { "{'name':'echo','inputSchema':{'type':'object'}}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{'name':'with space','inputSchema':{'type':'object'}}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{'name':'a/b','inputSchema':{'type':'object'}}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{'name':'a','inputSchema':{}}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{'name':'a','inputSchema':{'type':'array'}}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{'name':'a','inputSchema':{'type':'object','properties':7}}", GMCP_ERROR_INVALID_ARGUMENT },
    { "{'name':'a','inputSchema':{'type':'object','$ref':'https://example.org/s'}}",
      GMCP_ERROR_INVALID_ARGUMENT },
    { "{'name':'a','inputSchema':{'type':'object','$schema':'https://example.org/dialect'}}",
      GMCP_ERROR_NOT_SUPPORTED },
    { "{'name':'a','inputSchema':{'type':'object'},'outputSchema':{'type':'nonsense'}}",
      GMCP_ERROR_INVALID_ARGUMENT },
    { "{'name':'a','inputSchema':{'type':'object','properties':{'a':{'type':'array',"
      "'x-mcp-header':'Of-A'}}}}",
      GMCP_ERROR_INVALID_ARGUMENT },
  };
  gboolean destroyed = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpTool) tool = server_fixture_tool ("%s", cases[i].json);
      g_autoptr (GError) error = NULL;

      g_assert_false (
        gmcp_server_add_tool (fixture->server, tool, on_call, &destroyed, set_true, &error));
      g_assert_error (error, GMCP_ERROR, cases[i].code);
      g_test_message ("%s", error->message);
    }
  g_assert_false (destroyed);

  {
    g_autoptr (GmcpTool) tool
      = server_fixture_tool ("{'name':'A.b-c_9','inputSchema':{'type':'object'}}");

    g_assert_true (
      gmcp_server_add_tool (fixture->server, tool, on_call, &destroyed, set_true, NULL));
  }
  g_assert_true (gmcp_server_remove_tool (fixture->server, "A.b-c_9"));
  g_assert_true (destroyed);
}

#define ADD(name, func)                                                                            \
  g_test_add ("/server/input/" name, ServerFixture, NULL, server_fixture_set_up, func,             \
              server_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("garbage", test_garbage);
  ADD ("deep", test_deep);
  ADD ("large", test_large);
  ADD ("too-large", test_too_large);
  ADD ("pages", test_pages);
  ADD ("large-page", test_large_page);
  ADD ("add-tool", test_add_tool);
  return g_test_run ();
}
