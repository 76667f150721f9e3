/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-limits.h"
#include "server-fixture.h"
#include "unit-test.h"

#define EVERYTHING                                                                                 \
  "{'name':'test','title':'Test','version':'1.0','description':'Tests things',"                    \
  "'websiteUrl':'https://example.org/','icons':[{'src':'https://example.org/a.svg',"               \
  "'mimeType':'image/svg+xml','theme':'dark'},{'src':'data:image/png;base64,AA=='}]}"
#define EXTENSIONS "'extensions':{'com.example/notes':{'depth':3},'a/b':{}}"

/* What a client would not fetch, or should not. */
static void
refuse_icons (ServerFixture *fixture)
{
  const char *const addresses[] = { "",
                                    "icon.svg",
                                    "file:///etc/passwd",
                                    "javascript:alert(1)",
                                    "data:,x",
                                    "data:text/html,<script>",
                                    "ftp://example.org/a.png",
                                    "//example.org/a.png" };

  for (gsize i = 0; i < G_N_ELEMENTS (addresses); i++)
    {
      g_test_expect_message ("Gmcp", G_LOG_LEVEL_WARNING, "An icon is not added: *");
      gmcp_server_add_icon (fixture->server, addresses[i], NULL, NULL);
      g_test_assert_expected_messages ();
    }
}

static void
say_everything (ServerFixture *fixture)
{
  g_autoptr (GError) error = NULL;

  g_object_set (fixture->server, "description", "Tests things", "website-url",
                "https://example.org/", NULL);
  gmcp_server_add_icon (fixture->server, "https://example.org/a.svg", "image/svg+xml", "dark");
  refuse_icons (fixture);
  gmcp_server_add_icon (fixture->server, "data:image/png;base64,AA==", NULL, NULL);
  g_assert_true (
    gmcp_server_add_extension (fixture->server, "com.example/notes", " {\n\"depth\":3}\n", &error));
  g_assert_no_error (error);
  g_assert_true (gmcp_server_add_extension (fixture->server, "a/b", NULL, &error));
  g_assert_no_error (error);
}

static char *
dup_pointer (GmcpJsonDoc *doc, const char *pointer)
{
  char *text
    = gmcp_json_value_dup_raw (gmcp_json_value_get_pointer (gmcp_json_doc_get_root (doc), pointer));

  g_assert_nonnull (text);
  return g_strdelimit (text, "\"", '\'');
}

static void
test_discover (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpJsonDoc) discovered = NULL;
  g_autoptr (GmcpJsonDoc) listed = NULL;
  g_autofree char *info = NULL;
  g_autofree char *extensions = NULL;
  g_autofree char *brief = NULL;

  g_test_summary ("server/discover has all that there is to say; other results do not repeat it");
  say_everything (fixture);
  server_fixture_send (
    fixture, "{'jsonrpc':'2.0','id':1,'method':'server/discover','params':{" MODERN_META "}}");
  discovered = server_fixture_take (fixture);
  info = dup_pointer (discovered, "/result/_meta/io.modelcontextprotocol~1serverInfo");
  g_assert_cmpstr (info, ==, EVERYTHING);
  extensions = dup_pointer (discovered, "/result/capabilities/extensions");
  g_assert_cmpstr (extensions, ==, "{'com.example/notes':{'depth':3},'a/b':{}}");

  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':2,'method':'tools/list','params':{" MODERN_META "}}");
  listed = server_fixture_take (fixture);
  brief = dup_pointer (listed, "/result/_meta/io.modelcontextprotocol~1serverInfo");
  g_assert_cmpstr (brief, ==, "{'name':'test','title':'Test','version':'1.0'}");

  g_object_set (fixture->server, "description", NULL, NULL);
  server_fixture_send (
    fixture, "{'jsonrpc':'2.0','id':3,'method':'server/discover','params':{" MODERN_META "}}");
  gmcp_json_doc_unref (discovered);
  discovered = server_fixture_take (fixture);
  g_free (info);
  info = dup_pointer (discovered, "/result/_meta/io.modelcontextprotocol~1serverInfo");
  g_assert_null (strstr (info, "Tests things"));
}

static void
test_initialize (ServerFixture *fixture, gconstpointer data)
{
  say_everything (fixture);
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{"
                                "'protocolVersion':'2025-11-25','capabilities':{},"
                                "'clientInfo':{'name':'c','version':'1'}}}");
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':1,'result':{"
                                  "'protocolVersion':'2025-11-25','capabilities':{"
                                  "'tools':{'listChanged':true},'logging':{}," EXTENSIONS
                                  "},'serverInfo':" EVERYTHING "}}");
}

static void
test_with_tasks (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpJsonDoc) discovered = NULL;
  g_autofree char *extensions = NULL;

  g_test_summary ("what the server declares itself stands beside what the program has added");
  say_everything (fixture);
  server_fixture_add_hold (fixture, "slow", ",'execution':{'taskSupport':'optional'}");
  server_fixture_send (
    fixture, "{'jsonrpc':'2.0','id':1,'method':'server/discover','params':{" MODERN_META "}}");
  discovered = server_fixture_take (fixture);
  extensions = dup_pointer (discovered, "/result/capabilities/extensions");
  g_assert_cmpstr (extensions, ==,
                   "{'io.modelcontextprotocol/tasks':{},'com.example/notes':{'depth':3},'a/b':{}}");
}

static void
test_extension_names (void)
{
  static const char *const good[] = { "a/b", "com.example/notes", "com.ex-ample.x2/a.b_c-d",
                                      "io.modelcontextprotocol/ui", "a/1" };
  static const char *const bad[]
    = { "",           "notes", "/",      "a/",    "/b",   "1a/b",
        "a-/b",       "-a/b",  "a..b/c", ".a/b",  "a./b", "a/b/c",
        "a/-b",       "a/b-",  "a/b c",  "a b/c", "a/\"", "\"/a",
        "a/\xc3\xa4", "ä/b",   "a_b/c",  "a/b\n", "a//b", "io.modelcontextprotocol/tasks" };
  g_autoptr (GmcpServer) server = gmcp_server_new ("test", "1.0", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (gmcp_server_add_extension (server, good[i], "{}", &error));
      g_assert_no_error (error);
      g_assert_false (gmcp_server_add_extension (server, good[i], "{}", &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (gmcp_server_add_extension (server, bad[i], "{}", &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
    }
}

static void
test_extension_settings (void)
{
  g_autoptr (GmcpServer) server = gmcp_server_new ("test", "1.0", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (gmcp_server_add_extension (server, "a/b", "[]", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (gmcp_server_add_extension (server, "a/b", "{", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_JSON);
  g_clear_error (&error);
  g_assert_true (gmcp_server_add_extension (server, "a/b", "{}", &error));
  g_assert_no_error (error);
}

static GmcpCapabilities *
get_capabilities (GmcpToolCall *call)
{
  return gmcp_caller_get_client_capabilities (gmcp_tool_call_get_caller (call));
}

static void
test_client_modern (ServerFixture *fixture, gconstpointer data)
{
  GmcpCapabilities *capabilities;

  g_test_summary ("each request says what its client can do");
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'hold',"
                       "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                       "'io.modelcontextprotocol/clientCapabilities':{'roots':{},'extensions':{"
                       "'com.example/notes':{'depth':[1,2]}}}}}}");
  capabilities = get_capabilities (server_fixture_wait_held (fixture, 1));
  g_assert_true (gmcp_capabilities_has (capabilities, "roots"));
  g_assert_true (gmcp_capabilities_has (capabilities, "extensions/com.example~1notes/depth"));
  g_assert_false (gmcp_capabilities_has (capabilities, "sampling"));

  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{"
                                "'name':'hold'," MODERN_META "}}");
  capabilities = get_capabilities (server_fixture_wait_held (fixture, 2));
  g_assert_nonnull (capabilities);
  g_assert_false (gmcp_capabilities_has (capabilities, "roots"));
}

static void
test_client_legacy (ServerFixture *fixture, gconstpointer data)
{
  GmcpToolCall *held;

  g_test_summary ("what was said at the beginning holds, for a call that has ended too");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{"
                                "'protocolVersion':'2025-06-18','clientInfo':{'name':'c',"
                                "'version':'1'},'capabilities':{'extensions':{'a/b':{}}}}}");
  gmcp_json_doc_unref (server_fixture_take (fixture));
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':2,'method':'tools/call','params':{'name':'hold'}}");
  held = server_fixture_wait_held (fixture, 1);
  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{"
                                "'requestId':2}}");
  server_fixture_send (fixture, "{'jsonrpc':'2.0','id':3,'method':'ping'}");
  gmcp_json_doc_unref (server_fixture_take (fixture));
  g_assert_true (gmcp_capabilities_has (get_capabilities (held), "extensions/a~1b"));
}

static void
test_client_limit (ServerFixture *fixture, gconstpointer data)
{
  static const char *const members[] = { "capabilities", "clientInfo" };
  g_autofree char *filling = g_strnfill (GMCP_LIMIT_CLIENT_BYTES, 'x');

  g_test_summary ("a session keeps so much of what its client says of itself, and no more");
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      server_fixture_send (fixture,
                           "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{"
                           "'protocolVersion':'2025-11-25','%s':{'name':'%s','version':''}}}",
                           members[i], filling);
      gmcp_json_doc_unref (
        server_fixture_expect_error (fixture, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
      server_fixture_send (fixture, "{'jsonrpc':'2.0','id':2,'method':'tools/list'}");
      gmcp_json_doc_unref (
        server_fixture_expect_error (fixture, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
    }

  filling[GMCP_LIMIT_CLIENT_BYTES - 100] = '\0';
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':3,'method':'initialize','params':{"
                       "'protocolVersion':'2025-11-25','capabilities':{'x':'%s'},"
                       "'clientInfo':{'name':'%s','version':''}}}",
                       filling, filling);
  {
    g_autoptr (GmcpJsonDoc) opened = server_fixture_take (fixture);

    g_assert_true (gmcp_json_value_is_object (
      gmcp_json_value_get_member (gmcp_json_doc_get_root (opened), "result")));
  }
}

#define ADD(name, func)                                                                            \
  g_test_add ("/server/identity/" name, ServerFixture, NULL, server_fixture_set_up, func,          \
              server_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("discover", test_discover);
  ADD ("initialize", test_initialize);
  ADD ("with-tasks", test_with_tasks);
  ADD ("client-modern", test_client_modern);
  ADD ("client-legacy", test_client_legacy);
  ADD ("client-limit", test_client_limit);
  g_test_add_func ("/server/identity/extension-names", test_extension_names);
  g_test_add_func ("/server/identity/extension-settings", test_extension_settings);
  return g_test_run ();
}
