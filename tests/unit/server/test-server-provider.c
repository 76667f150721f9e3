/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/provider/registry/gmcp-tool-registry.h>

#include "gmcp-limits.h"
#include "notes-provider.h"
#include "server-fixture.h"
#include "unit-test.h"

/* A server of a provider that has tools, resources and prompts. */

typedef struct
{
  ServerFixture server;
  NotesProvider *provider;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->provider = notes_provider_new ();
  server_fixture_set_up_with (&fixture->server, GMCP_TOOL_PROVIDER (fixture->provider));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_ptr_array_set_size (notes_provider_get_calls (fixture->provider), 0);
  g_ptr_array_set_size (notes_provider_get_kept (fixture->provider), 0);
  server_fixture_tear_down (&fixture->server, data);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (fixture->provider);
}

#define CAPABILITIES                                                                               \
  "{'tools':{'listChanged':true},'logging':{},'resources':{'subscribe':true,'listChanged':true},"  \
  "'prompts':{'listChanged':true},'completions':{}}"

static void
initialize (Fixture *fixture, const char *capabilities)
{
  server_fixture_send (&fixture->server,
                       "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{"
                       "'protocolVersion':'2025-11-25','capabilities':%s,"
                       "'clientInfo':{'name':'hand','version':'2'}}}",
                       capabilities);
  server_fixture_expect (&fixture->server,
                         "{'jsonrpc':'2.0','id':0,'result':{'protocolVersion':'2025-11-25',"
                         "'capabilities':" CAPABILITIES
                         ",'serverInfo':{'name':'test','title':'Test','version':'1.0'}}}");
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
}

static void
ask_modern (Fixture *fixture, const char *method, const char *params)
{
  server_fixture_send (&fixture->server,
                       "{'jsonrpc':'2.0','id':1,'method':'%s','params':{%s" MODERN_META "}}",
                       method, params);
}

static void
expect_modern (Fixture *fixture, const char *members)
{
  server_fixture_expect (&fixture->server,
                         "{'jsonrpc':'2.0','id':1,'result':{" MODERN_RESULT ",%s}}", members);
}

static void
ask_legacy (Fixture *fixture, const char *method, const char *params)
{
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','id':1,'method':'%s','params':{%s}}",
                       method, params);
}

static void
expect_legacy (Fixture *fixture, const char *result)
{
  server_fixture_expect (&fixture->server, "{'jsonrpc':'2.0','id':1,'result':%s}", result);
}

static GmcpToolCall *
call_ask (Fixture *fixture, const char *meta)
{
  GPtrArray *calls = notes_provider_get_calls (fixture->provider);
  guint n = calls->len;

  server_fixture_send (&fixture->server,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'ask'%s}}",
                       meta);
  while (calls->len == n)
    g_main_context_iteration (NULL, TRUE);
  return g_ptr_array_index (calls, n);
}

#define CACHE ",'ttlMs':60000,'cacheScope':'private'"

static void
test_lists (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->server.server, "page-size", 1, NULL);
  ask_modern (fixture, "tools/list", "");
  expect_modern (fixture, "'tools':[{'name':'ask','description':'Asks',"
                          "'inputSchema':{'type':'object'}}]" CACHE);
  ask_modern (fixture, "resources/list", "");
  expect_modern (fixture, "'resources':[{'uri':'note:1','name':'One','mimeType':'text/plain'}],"
                          "'nextCursor':'r1'" CACHE);
  ask_modern (fixture, "resources/list", "'cursor':'r1',");
  expect_modern (fixture, "'resources':[{'uri':'note:2','name':'Two'}]" CACHE);
  ask_modern (fixture, "resources/list", "'cursor':'p1',");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
  ask_modern (fixture, "resources/templates/list", "");
  expect_modern (fixture, "'resourceTemplates':[{'uriTemplate':'note:{n}','name':'Notes'}]" CACHE);
  ask_modern (fixture, "prompts/list", "");
  expect_modern (fixture, "'prompts':[{'name':'greet','description':'Greets','arguments':["
                          "{'name':'name','required':true}]}]" CACHE);
}

static GListModel *
get_files (gpointer provider)
{
  static GListStore *files;

  if (files == NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path ("/");

      files = g_list_store_new (G_TYPE_FILE);
      g_list_store_append (files, file);
    }
  return G_LIST_MODEL (files);
}

static void
test_unusable_lists (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *method;
    const char *member;
  } cases[] = {
    { "resources/list", "resources" },
    { "resources/templates/list", "resourceTemplates" },
    { "prompts/list", "prompts" },
  };

  g_test_summary ("a client of a provider whose lists have other things gets empty ones");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *members = g_strdup_printf ("'%s':[]" CACHE, cases[i].member);

      ask_modern (fixture, cases[i].method, "");
      expect_modern (fixture, members);
    }
}

static void
set_up_with_files (Fixture *fixture, gconstpointer data)
{
  NotesProvider *provider = notes_provider_new ();
  GmcpResourceProviderInterface *resources = GMCP_RESOURCE_PROVIDER_GET_IFACE (provider);
  GmcpPromptProviderInterface *prompts = GMCP_PROMPT_PROVIDER_GET_IFACE (provider);
  GmcpResourceProviderInterface resources_before = *resources;
  GmcpPromptProviderInterface prompts_before = *prompts;

  resources->get_resources = (gpointer) get_files;
  resources->get_templates = (gpointer) get_files;
  prompts->get_prompts = (gpointer) get_files;
  fixture->provider = provider;
  for (guint i = 0; i < 3; i++)
    g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_MESSAGE,
                           "NotesProvider gives a list of GFile*");
  server_fixture_set_up_with (&fixture->server, GMCP_TOOL_PROVIDER (provider));
  g_test_assert_expected_messages ();
  *resources = resources_before;
  *prompts = prompts_before;
}

static void
test_read (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpJsonDoc) modern = NULL;
  g_autoptr (GmcpJsonDoc) legacy = NULL;
  g_autofree char *uri = NULL;

  ask_modern (fixture, "resources/read", "'uri':'note:1',");
  expect_modern (fixture,
                 "'contents':[{'uri':'note:1','mimeType':'text/plain','text':'one'}]" CACHE);
  ask_modern (fixture, "resources/read", "'uri':'note:nine',");
  modern = server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INVALID_PARAMS);
  uri = gmcp_json_value_dup_string (
    gmcp_json_value_get_pointer (gmcp_json_doc_get_root (modern), "/error/data/uri"));
  g_assert_cmpstr (uri, ==, "note:nine");
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_MESSAGE, "*are no JSON*");
  ask_modern (fixture, "resources/read", "'uri':'note:full',");
  server_fixture_expect (&fixture->server, "{'jsonrpc':'2.0','id':1,'error':{'code':-32050,"
                                           "'message':'Full','data':{'left': 0}}}");
  g_test_assert_expected_messages ();
  ask_modern (fixture, "resources/read", "'uri':'note:drop',");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INTERNAL));
  ask_modern (fixture, "resources/read", "'uri':7,");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INVALID_PARAMS));

  initialize (fixture, "{}");
  ask_legacy (fixture, "resources/read", "'uri':'note:1'");
  expect_legacy (fixture, "{'contents':[{'uri':'note:1','mimeType':'text/plain','text':'one'}]}");
  ask_legacy (fixture, "resources/read", "'uri':'note:nine'");
  legacy = server_fixture_expect_error (&fixture->server, "1", -32002);
}

#define OTHER_META "'a/b':1,'baggage':'c=2','progressToken':3"

static void
assert_meta (GmcpCallOptions *options)
{
  g_assert_cmpstr (gmcp_call_options_get_meta_json (options), ==, "{\"a/b\":1}");
  g_assert_cmpstr (gmcp_call_options_get_baggage (options), ==, "c=2");
}

static void
assert_request_meta (Fixture *fixture)
{
  GPtrArray *kept = notes_provider_get_kept (fixture->provider);

  while (kept->len == 0)
    g_main_context_iteration (NULL, TRUE);
  assert_meta (gmcp_provider_request_get_options (g_ptr_array_index (kept, 0)));
  g_ptr_array_set_size (kept, 0);
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INTERNAL));
}

static void
test_meta (Fixture *fixture, gconstpointer data)
{
  static const char *const metas[]
    = { "'_meta':{" OTHER_META ",'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
        "'io.modelcontextprotocol/clientCapabilities':{}}",
        "'_meta':{" OTHER_META "}" };

  g_test_summary ("what a client says in _meta reaches functions of all kinds, in both eras");
  for (guint i = 0; i < G_N_ELEMENTS (metas); i++)
    {
      g_autofree char *more = g_strconcat (",", metas[i], NULL);

      if (i == 1)
        initialize (fixture, "{}");
      assert_meta (gmcp_tool_call_get_options (call_ask (fixture, more)));
      g_ptr_array_set_size (notes_provider_get_calls (fixture->provider), 0);
      gmcp_json_doc_unref (
        server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INTERNAL));

      server_fixture_send (&fixture->server,
                           "{'jsonrpc':'2.0','id':1,'method':'resources/read',"
                           "'params':{'uri':'note:later',%s}}",
                           metas[i]);
      assert_request_meta (fixture);
      server_fixture_send (&fixture->server,
                           "{'jsonrpc':'2.0','id':1,'method':'completion/complete',"
                           "'params':{'ref':{'type':'ref/prompt','name':'greet'},"
                           "'argument':{'name':'name','value':'later'},%s}}",
                           metas[i]);
      assert_request_meta (fixture);
    }
}

static void
test_cache_hints (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *uri;
    const char *contents;
    const char *hints;
  } cases[] = {
    { "note:fresh", "", "'ttlMs':7,'cacheScope':'public'" },
    { "note:kept", "", "'ttlMs':0,'cacheScope':'private'" },
    { "note:changing", "{'uri':'note:changing','text':''}", "'ttlMs':0,'cacheScope':'public'" },
    { "note:1", "{'uri':'note:1','mimeType':'text/plain','text':'one'}",
      "'ttlMs':60000,'cacheScope':'private'" },
  };

  g_test_summary (
    "what the provider says about caching is told to clients of the revision that has it");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *params = g_strdup_printf ("'uri':'%s',", cases[i].uri);
      g_autofree char *members
        = g_strdup_printf ("'contents':[%s],%s", cases[i].contents, cases[i].hints);

      ask_modern (fixture, "resources/read", params);
      expect_modern (fixture, members);
    }

  g_object_set (fixture->server.server, "list-cache-scope", GMCP_CACHE_SCOPE_PUBLIC, "list-ttl-ms",
                5u, NULL);
  ask_modern (fixture, "resources/templates/list", "");
  expect_modern (fixture, "'resourceTemplates':[{'uriTemplate':'note:{n}','name':'Notes'}],"
                          "'ttlMs':5,'cacheScope':'public'");
  ask_modern (fixture, "resources/read", "'uri':'note:1',");
  expect_modern (fixture, "'contents':[{'uri':'note:1','mimeType':'text/plain','text':'one'}],"
                          "'ttlMs':5,'cacheScope':'private'");

  initialize (fixture, "{}");
  ask_legacy (fixture, "resources/read", "'uri':'note:fresh'");
  expect_legacy (fixture, "{'contents':[]}");
  ask_legacy (fixture, "resources/read", "'uri':'note:changing'");
  expect_legacy (fixture, "{'contents':[{'uri':'note:changing','text':''}]}");
}

static void
test_read_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpResourceResult) late = gmcp_resource_result_new_text ("note:later", NULL, "x");
  GPtrArray *kept = notes_provider_get_kept (fixture->provider);
  GmcpProviderRequest *request;

  g_test_summary ("a client that gives up a request cancels it, and a late answer is dropped");
  ask_modern (fixture, "resources/read", "'uri':'note:later',");
  while (kept->len == 0)
    g_main_context_iteration (NULL, TRUE);
  request = g_ptr_array_index (kept, 0);
  g_assert_cmpstr (gmcp_caller_get_protocol_version (gmcp_provider_request_get_caller (request)),
                   ==, "2026-07-28");
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','method':'notifications/cancelled',"
                                         "'params':{'requestId':1}}");
  server_fixture_expect_nothing (&fixture->server);
  g_assert_true (g_cancellable_is_cancelled (gmcp_provider_request_get_cancellable (request)));
  gmcp_resource_request_return_result (GMCP_RESOURCE_REQUEST (request), late);
  server_fixture_expect_nothing (&fixture->server);
}

static void
test_prompts (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = {
    "",
    "'name':7,",
    "'name':'nope',",
    "'name':'greet',",
    "'name':'greet','arguments':{},",
    "'name':'greet','arguments':[],",
    "'name':'greet','arguments':{'name':1},",
  };

  ask_modern (fixture, "prompts/get", "'name':'greet','arguments':{'name':'Ann'},");
  expect_modern (fixture, "'description':'A greeting','messages':[{'role':'user','content':"
                          "{'type':'text','text':'Greet Ann'}}]");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      ask_modern (fixture, "prompts/get", wrong[i]);
      gmcp_json_doc_unref (
        server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
    }
}

static void
test_completion (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = {
    "",
    "'ref':{'type':'ref/prompt','name':'greet'},",
    "'ref':{'type':'ref/prompt','name':'nope'},'argument':{'name':'n','value':''},",
    "'ref':{'type':'ref/odd','name':'greet'},'argument':{'name':'n','value':''},",
    "'ref':{'type':'ref/resource','uri':'note:x'},'argument':{'name':'n','value':''},",
    "'ref':{'type':'ref/prompt','name':'greet'},'argument':{'name':'n','value':7},",
    ("'ref':{'type':'ref/prompt','name':'greet'},'argument':{'name':'n','value':''},"
     "'context':{'arguments':7},"),
  };

  ask_modern (fixture, "completion/complete",
              "'ref':{'type':'ref/prompt','name':'greet'},'argument':{'name':'name',"
              "'value':'ant'},");
  expect_modern (fixture, "'completion':{'values':['anton'],'total':1,'hasMore':false}");
  ask_modern (fixture, "completion/complete",
              "'ref':{'type':'ref/resource','uri':'note:{n}'},'argument':{'name':'n',"
              "'value':''},'context':{'arguments':{'m':'1'}},");
  expect_modern (fixture, "'completion':{'values':['1','2'],'total':2,'hasMore':false}");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      ask_modern (fixture, "completion/complete", wrong[i]);
      gmcp_json_doc_unref (
        server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
    }
}

static void
expect_notification (Fixture *fixture, const char *method, const char *params)
{
  server_fixture_expect (&fixture->server, "{'jsonrpc':'2.0','method':'%s','params':{%s}}", method,
                         params);
}

static void
test_subscribe_legacy (Fixture *fixture, gconstpointer data)
{
  GmcpResourceProvider *resources = GMCP_RESOURCE_PROVIDER (fixture->provider);
  g_autoptr (GmcpResource) three = gmcp_resource_new ("note:3", "Three", NULL);
  GPtrArray *subscribed = notes_provider_get_subscribed (fixture->provider);

  initialize (fixture, "{}");
  for (guint i = 0; i < 2; i++)
    {
      ask_legacy (fixture, "resources/subscribe", "'uri':'note:1'");
      expect_legacy (fixture, "{}");
    }
  g_assert_cmpuint (subscribed->len, ==, 1);
  ask_legacy (fixture, "resources/subscribe", "");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INVALID_PARAMS));

  gmcp_resource_provider_emit_resource_updated (resources, "note:2");
  gmcp_resource_provider_emit_resource_updated (resources, "note:1");
  gmcp_resource_provider_emit_resource_updated (resources, "note:1");
  expect_notification (fixture, "notifications/resources/updated", "'uri':'note:1'");
  g_list_store_append (notes_provider_get_resource_store (fixture->provider), three);
  expect_notification (fixture, "notifications/resources/list_changed", "");
  g_list_store_remove_all (notes_provider_get_prompt_store (fixture->provider));
  expect_notification (fixture, "notifications/prompts/list_changed", "");

  ask_legacy (fixture, "resources/unsubscribe", "'uri':'note:1'");
  expect_legacy (fixture, "{}");
  g_assert_cmpuint (subscribed->len, ==, 0);
  ask_legacy (fixture, "resources/unsubscribe", "'uri':'note:1'");
  expect_legacy (fixture, "{}");
  gmcp_resource_provider_emit_resource_updated (resources, "note:1");
  server_fixture_expect_nothing (&fixture->server);

  g_test_message ("what a client that goes had subscribed to is taken back");
  ask_legacy (fixture, "resources/subscribe", "'uri':'note:2'");
  expect_legacy (fixture, "{}");
  g_clear_object (&fixture->server.server);
  g_assert_cmpuint (subscribed->len, ==, 0);
}

static char *
make_long_params (char letter)
{
  g_autofree char *filling = g_strnfill (GMCP_LIMIT_SERVER_SUBSCRIBED_BYTES / 3, letter);

  return g_strdup_printf ("'uri':'note:%s'", filling);
}

static void
test_subscribe_bytes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = make_long_params ('a');
  g_autofree char *second = make_long_params ('b');
  g_autofree char *third = make_long_params ('c');

  g_test_summary ("addresses that are subscribed to are bounded in bytes, too");
  initialize (fixture, "{}");
  ask_legacy (fixture, "resources/subscribe", first);
  expect_legacy (fixture, "{}");
  ask_legacy (fixture, "resources/subscribe", second);
  expect_legacy (fixture, "{}");
  ask_legacy (fixture, "resources/subscribe", third);
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INTERNAL));
  ask_legacy (fixture, "resources/subscribe", second);
  expect_legacy (fixture, "{}");
  ask_legacy (fixture, "resources/unsubscribe", first);
  expect_legacy (fixture, "{}");
  ask_legacy (fixture, "resources/subscribe", third);
  expect_legacy (fixture, "{}");
}

static void
test_subscribe_modern (Fixture *fixture, gconstpointer data)
{
  GmcpResourceProvider *resources = GMCP_RESOURCE_PROVIDER (fixture->provider);
  GPtrArray *subscribed = notes_provider_get_subscribed (fixture->provider);
  static const char *const wrong[]
    = { "'resourceSubscriptions':7", "'resourceSubscriptions':[7]", "'promptsListChanged':1" };

  ask_modern (fixture, "subscriptions/listen",
              "'notifications':{'promptsListChanged':true,'resourcesListChanged':true,"
              "'resourceSubscriptions':['note:1','note:2']},");
  expect_notification (fixture, "notifications/subscriptions/acknowledged",
                       "'_meta':{'io.modelcontextprotocol/subscriptionId':1},'notifications':{"
                       "'resourcesListChanged':true,'promptsListChanged':true,"
                       "'resourceSubscriptions':['note:1','note:2']}");
  g_assert_cmpuint (subscribed->len, ==, 2);
  gmcp_resource_provider_emit_resource_updated (resources, "note:2");
  expect_notification (fixture, "notifications/resources/updated",
                       "'_meta':{'io.modelcontextprotocol/subscriptionId':1},'uri':'note:2'");
  g_list_store_remove_all (notes_provider_get_prompt_store (fixture->provider));
  expect_notification (fixture, "notifications/prompts/list_changed",
                       "'_meta':{'io.modelcontextprotocol/subscriptionId':1}");
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','method':'notifications/cancelled',"
                                         "'params':{'requestId':1}}");
  server_fixture_expect_nothing (&fixture->server);
  g_assert_cmpuint (subscribed->len, ==, 0);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *params = g_strdup_printf ("'notifications':{%s},", wrong[i]);

      ask_modern (fixture, "subscriptions/listen", params);
      gmcp_json_doc_unref (
        server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
    }
  g_assert_cmpuint (subscribed->len, ==, 0);
}

static void
log_all (GmcpToolCall *call)
{
  GmcpCaller *caller = gmcp_tool_call_get_caller (call);
  g_autoptr (GError) error = NULL;

  gmcp_caller_log (caller, GMCP_LOG_LEVEL_DEBUG, NULL, "a detail");
  gmcp_caller_log (caller, GMCP_LOG_LEVEL_INFO, "disk", "it is full");
  gmcp_caller_log_json (caller, GMCP_LOG_LEVEL_ERROR, NULL, "{\"left\":0}", &error);
  g_assert_no_error (error);
}

static void
return_text (GmcpToolCall *call, const char *text)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  gmcp_tool_call_return_result (call, result);
}

static void
test_log (Fixture *fixture, gconstpointer data)
{
  GmcpToolCall *call;

  g_test_summary (
    "a modern client says with each request what it wants to hear; others say it once");
  call = call_ask (fixture, "," MODERN_META);
  log_all (call);
  return_text (call, "x");
  expect_modern (fixture, "'content':[{'type':'text','text':'x'}]");

  call = call_ask (fixture, ",'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                            "'io.modelcontextprotocol/clientCapabilities':{},"
                            "'io.modelcontextprotocol/logLevel':'warning'}");
  log_all (call);
  expect_notification (fixture, "notifications/message", "'level':'error','data':{'left':0}");
  return_text (call, "x");
  expect_modern (fixture, "'content':[{'type':'text','text':'x'}]");
  log_all (call);

  server_fixture_send (&fixture->server,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"
                       "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                       "'io.modelcontextprotocol/clientCapabilities':{},"
                       "'io.modelcontextprotocol/logLevel':'loud'}}}");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INVALID_PARAMS));

  initialize (fixture, "{}");
  call = call_ask (fixture, "");
  log_all (call);
  expect_notification (fixture, "notifications/message",
                       "'level':'info','logger':'disk','data':'it is full'");
  expect_notification (fixture, "notifications/message", "'level':'error','data':{'left':0}");
  return_text (call, "x");
  expect_legacy (fixture, "{'content':[{'type':'text','text':'x'}]}");

  ask_legacy (fixture, "logging/setLevel", "'level':'loud'");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
  ask_legacy (fixture, "logging/setLevel", "'level':'critical'");
  expect_legacy (fixture, "{}");
  call = call_ask (fixture, "");
  log_all (call);
  return_text (call, "x");
  expect_legacy (fixture, "{'content':[{'type':'text','text':'x'}]}");
}

static void
on_ready (GObject *source, GAsyncResult *result, gpointer data)
{
  GAsyncResult **out = data;

  g_assert_null (*out);
  *out = g_object_ref (result);
}

static char *
finish (GmcpToolCall *call, GAsyncResult **result, GError **error)
{
  char *answer;

  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  answer = gmcp_caller_ask_finish (gmcp_tool_call_get_caller (call), *result, error);
  g_clear_object (result);
  return answer;
}

#define FORM                                                                                       \
  "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}"

static void
test_questions (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpElicitation) form = gmcp_elicitation_new ("How many?", FORM, &error);
  g_autoptr (GmcpElicitation) url
    = gmcp_elicitation_new_for_url ("Sign in", "https://example.org/", &error);
  g_autoptr (GmcpSampling) sampling = gmcp_sampling_new_from_json (
    "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Hi\"}}],"
    "\"maxTokens\":5}",
    &error);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) roots = NULL;
  g_autofree char *answer = NULL;
  GmcpToolCall *call;
  GmcpCaller *caller;

  g_test_summary ("a call asks its own client, and what is no answer is an error");
  g_assert_no_error (error);
  initialize (fixture, "{'elicitation':{},'sampling':{},'roots':{}}");
  call = call_ask (fixture, "");
  caller = gmcp_tool_call_get_caller (call);
  g_assert_cmpstr (gmcp_implementation_get_name (gmcp_caller_get_client_info (caller)), ==, "hand");

  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (form), NULL, on_ready, &result);
  server_fixture_expect (&fixture->server,
                         "{'jsonrpc':'2.0','id':1,'method':'elicitation/create','params':{"
                         "'message':'How many?','requestedSchema':{'type':'object','properties':{"
                         "'n':{'type':'integer'}},'required':['n']}}}");
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','id':1,'result':{'action':'accept',"
                                         "'content':{'n':3}}}");
  answer = finish (call, &result, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (answer, ==, "{\"action\":\"accept\",\"content\":{\"n\":3}}");
  g_clear_pointer (&answer, g_free);

  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (form), NULL, on_ready, &result);
  gmcp_json_doc_unref (server_fixture_take (&fixture->server));
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','id':2,'result':{'action':'accept',"
                                         "'content':{'n':'many'}}}");
  g_assert_null (finish (call, &result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
  g_clear_error (&error);

  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (url), NULL, on_ready, &result);
  g_assert_null (finish (call, &result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
  g_clear_error (&error);

  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (sampling), NULL, on_ready, &result);
  gmcp_json_doc_unref (server_fixture_take (&fixture->server));
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','id':3,'error':{'code':-1,"
                                         "'message':'No'}}");
  g_assert_null (finish (call, &result, &error));
  g_assert_error (error, GMCP_RPC_ERROR, -1);
  g_clear_error (&error);

  gmcp_caller_list_roots_async (caller, NULL, on_ready, &result);
  server_fixture_expect (&fixture->server,
                         "{'jsonrpc':'2.0','id':4,'method':'roots/list','params':{}}");
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','id':4,'result':{'roots':["
                                         "{'uri':'file:///a','name':'A'},{'name':'none'}]}}");
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  roots = gmcp_caller_list_roots_finish (caller, result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (roots->len, ==, 1);
  g_assert_cmpstr (gmcp_root_get_uri (g_ptr_array_index (roots, 0)), ==, "file:///a");
  g_clear_object (&result);

  g_test_message ("a call that ends takes its questions back");
  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (form), NULL, on_ready, &result);
  gmcp_json_doc_unref (server_fixture_take (&fixture->server));
  return_text (call, "x");
  g_assert_null (finish (call, &result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_clear_error (&error);
  expect_notification (fixture, "notifications/cancelled", "'requestId':5");
  expect_legacy (fixture, "{'content':[{'type':'text','text':'x'}]}");
  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (form), NULL, on_ready, &result);
  g_assert_null (finish (call, &result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
}

static void
test_more_members (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpElicitation) form = gmcp_elicitation_new ("How many?", FORM, &error);
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *answer = NULL;
  GmcpToolCall *call;

  g_test_summary ("what the form does not ask for is dropped");
  initialize (fixture, "{'elicitation':{}}");
  call = call_ask (fixture, "");
  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), GMCP_INPUT_REQUEST (form), NULL,
                         on_ready, &result);
  gmcp_json_doc_unref (server_fixture_take (&fixture->server));
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','id':1,'result':{'action':'accept',"
                                         "'content':{'extra':1,'n':3}}}");
  answer = finish (call, &result, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (answer, ==, "{\"action\":\"accept\",\"content\":{\"n\":3}}");
}

static void
test_question_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpElicitation) form = gmcp_elicitation_new ("How many?", FORM, &error);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  GmcpToolCall *call;

  initialize (fixture, "{'elicitation':{'form':{}}}");
  call = call_ask (fixture, "");
  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), GMCP_INPUT_REQUEST (form), cancellable,
                         on_ready, &result);
  gmcp_json_doc_unref (server_fixture_take (&fixture->server));
  g_cancellable_cancel (cancellable);
  g_assert_null (finish (call, &result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  expect_notification (fixture, "notifications/cancelled", "'requestId':1");
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','id':1,'result':{'action':'cancel'}}");
  server_fixture_expect_nothing (&fixture->server);

  g_test_message ("a client that goes answers nothing");
  g_clear_error (&error);
  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), GMCP_INPUT_REQUEST (form), NULL,
                         on_ready, &result);
  gmcp_json_doc_unref (server_fixture_take (&fixture->server));
  gmcp_transport_close_async (fixture->server.client, NULL, NULL, NULL);
  g_assert_null (finish (call, &result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
}

static void
test_question_modern (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpElicitation) form = gmcp_elicitation_new ("How many?", FORM, &error);
  g_autoptr (GAsyncResult) result = NULL;
  GmcpToolCall *call = call_ask (fixture, "," MODERN_META);

  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), GMCP_INPUT_REQUEST (form), NULL,
                         on_ready, &result);
  g_assert_null (finish (call, &result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
}

static char *
ask_question (GmcpToolCall *call, gpointer question, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), question, NULL, on_ready, &result);
  return finish (call, &result, error);
}

#define SAMPLING_START                                                                             \
  "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"Hi\"}}],"           \
  "\"maxTokens\":5,"
#define OF_MODERN(capabilities)                                                                    \
  ",'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                              \
  "'io.modelcontextprotocol/clientCapabilities':" capabilities "}"

static void
test_sampling_tools (Fixture *fixture, gconstpointer data)
{
  static const char *const params[] = {
    SAMPLING_START "\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]}",
    SAMPLING_START "\"toolChoice\":{\"mode\":\"none\"}}",
  };

  g_test_summary ("only a client whose model takes tools is asked with them");
  for (guint i = 0; i < G_N_ELEMENTS (params); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpSampling) sampling = gmcp_sampling_new_from_json (params[i], &error);
      GmcpToolCall *call;

      g_assert_no_error (error);
      call = call_ask (fixture, OF_MODERN ("{'sampling':{}}"));
      g_assert_null (ask_question (call, sampling, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
      gmcp_tool_call_return_error (call, error);
      g_clear_error (&error);
      {
        g_autoptr (GmcpJsonDoc) refused = server_fixture_expect_error (
          &fixture->server, "1", GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY);

        g_assert_true (gmcp_json_value_is_object (gmcp_json_value_get_pointer (
          gmcp_json_doc_get_root (refused), "/error/data/requiredCapabilities/sampling/tools")));
      }

      call = call_ask (fixture, OF_MODERN ("{'sampling':{'tools':{}}}"));
      g_assert_null (ask_question (call, sampling, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CALLED_ANEW);
      gmcp_json_doc_unref (server_fixture_take (&fixture->server));
    }
}

static void
test_sampling_tools_legacy (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpSampling) sampling
    = gmcp_sampling_new_from_json (SAMPLING_START "\"tools\":[]}", &error);

  g_assert_no_error (error);
  initialize (fixture, "{'sampling':{}}");
  g_assert_null (ask_question (call_ask (fixture, ""), sampling, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
  server_fixture_expect_nothing (&fixture->server);
}

static void
test_completion_asks (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpElicitation) form = gmcp_elicitation_new ("How many?", FORM, &error);
  GPtrArray *kept = notes_provider_get_kept (fixture->provider);
  g_autoptr (GAsyncResult) result = NULL;
  GmcpCompletionRequest *request;
  GmcpCaller *caller;

  g_test_summary (
    "in the course of a completion a client of the present revision is asked nothing");
  server_fixture_send (&fixture->server,
                       "{'jsonrpc':'2.0','id':1,'method':'completion/complete','params':{"
                       "'ref':{'type':'ref/prompt','name':'greet'},'argument':{'name':'name',"
                       "'value':'later'}" OF_MODERN ("{'elicitation':{}}") "}}");
  while (kept->len == 0)
    g_main_context_iteration (NULL, TRUE);
  request = g_ptr_array_index (kept, 0);
  caller = gmcp_provider_request_get_caller (GMCP_PROVIDER_REQUEST (request));
  gmcp_caller_ask_async (caller, GMCP_INPUT_REQUEST (form), NULL, on_ready, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (gmcp_caller_ask_finish (caller, result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
  gmcp_completion_request_return_values (request, (const char *const[]){ "ann", NULL });
  expect_modern (fixture, "'completion':{'values':['ann'],'total':1,'hasMore':false}");
}

static void
test_visit_modern (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpElicitation) url
    = gmcp_elicitation_new_for_url ("Sign in", "https://example.org/", &error);
  g_autoptr (GmcpJsonDoc) asked = NULL;
  GmcpJsonValue params;

  g_test_summary ("the id of a visit belongs to 2025-11-25 alone");
  g_assert_null (
    ask_question (call_ask (fixture, OF_MODERN ("{'elicitation':{'url':{}}}")), url, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CALLED_ANEW);
  asked = server_fixture_take (&fixture->server);
  params = gmcp_json_value_get_pointer (gmcp_json_doc_get_root (asked),
                                        "/result/inputRequests/question-1/params");
  g_assert_true (gmcp_json_value_equals_string (gmcp_json_value_get_member (params, "url"),
                                                "https://example.org/"));
  g_assert_false (
    gmcp_json_value_is_present (gmcp_json_value_get_member (params, "elicitationId")));
}

static void
test_question_of_ended_call (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpElicitation) form = gmcp_elicitation_new ("How many?", FORM, &error);
  g_autoptr (GAsyncResult) result = NULL;
  GmcpToolCall *call = call_ask (fixture, OF_MODERN ("{'elicitation':{}}"));

  g_test_summary ("a question of a call that has ended is not asked, and no call is made for it");
  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), GMCP_INPUT_REQUEST (form), NULL,
                         on_ready, &result);
  return_text (call, "x");
  g_assert_null (finish (call, &result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  expect_modern (fixture, "'content':[{'type':'text','text':'x'}]");
}

static void
test_question_rounds (Fixture *fixture, gconstpointer data)
{
  static const char meta[] = "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
                             "'io.modelcontextprotocol/clientCapabilities':{'elicitation':{}}}";
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpElicitation) form = gmcp_elicitation_new ("How many?", FORM, &error);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpJsonDoc) asked = NULL;
  g_autofree char *first = g_strconcat (",", meta, NULL);
  g_autofree char *state = NULL;
  g_autofree char *second = NULL;
  g_autofree char *answer = NULL;
  GmcpToolCall *call = call_ask (fixture, first);
  GmcpJsonValue outcome;

  g_test_summary ("a call that asks ends with its question, and is made again with the answer");
  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), GMCP_INPUT_REQUEST (form), NULL,
                         on_ready, &result);
  g_assert_null (finish (call, &result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CALLED_ANEW);
  g_assert_true (g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (call)));
  g_clear_error (&error);
  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), GMCP_INPUT_REQUEST (form), NULL,
                         on_ready, &result);
  g_assert_null (finish (call, &result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CALLED_ANEW);
  return_text (call, "nobody hears this");

  asked = server_fixture_take (&fixture->server);
  outcome = gmcp_json_value_get_member (gmcp_json_doc_get_root (asked), "result");
  g_assert_true (gmcp_json_value_equals_string (gmcp_json_value_get_member (outcome, "resultType"),
                                                "input_required"));
  state = gmcp_json_value_dup_string (gmcp_json_value_get_member (outcome, "requestState"));
  g_assert_nonnull (state);

  second = g_strdup_printf (",'requestState':'%s','inputResponses':{'question-1':{'action':"
                            "'accept','content':{'n':3}}},%s",
                            state, meta);
  call = call_ask (fixture, second);
  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), GMCP_INPUT_REQUEST (form), NULL,
                         on_ready, &result);
  answer = finish (call, &result, NULL);
  g_assert_cmpstr (answer, ==, "{\"action\":\"accept\",\"content\":{\"n\":3}}");
  return_text (call, "x");
  expect_modern (fixture, "'content':[{'type':'text','text':'x'}]");

  g_test_message ("a state that somebody has changed is refused");
  state[0] = state[0] == 'a' ? 'b' : 'a';
  server_fixture_send (
    &fixture->server,
    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'ask','requestState':'%s',%s}}",
    state, meta);
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
}

static void
on_never (GmcpToolCall *call, gpointer user_data)
{
  g_assert_not_reached ();
}

static void
test_other_provider (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTool) tool = gmcp_tool_new ("more", NULL, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("a tool is added where the provider is a registry");
  g_assert_true (gmcp_server_get_provider (fixture->server.server)
                 == GMCP_TOOL_PROVIDER (fixture->provider));
  g_assert_false (
    gmcp_server_add_tool (fixture->server.server, tool, on_never, NULL, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
  g_assert_false (gmcp_server_remove_tool (fixture->server.server, "ask"));
}

static void
test_timeout (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a request that the provider does not answer ends in time");
  g_object_set (fixture->server.server, "call-timeout-ms", 1, NULL);
  ask_modern (fixture, "resources/read", "'uri':'note:later',");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->server, "1", GMCP_RPC_ERROR_INTERNAL));
}

static void
test_registry (ServerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpToolRegistry) registry = gmcp_tool_registry_new ();
  g_autoptr (NotesProvider) provider = notes_provider_new ();
  g_autoptr (GError) error = NULL;

  g_test_summary ("a registry is served with all that its providers list");
  gmcp_tool_registry_add_provider (registry, "notes", GMCP_TOOL_PROVIDER (provider), &error);
  g_assert_no_error (error);
  server_fixture_set_up_with (fixture, GMCP_TOOL_PROVIDER (registry));
  server_fixture_add_hold (fixture, "hold", "");
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{" MODERN_META "}}");
  server_fixture_expect (fixture,
                         "{'jsonrpc':'2.0','id':1,'result':{" MODERN_RESULT ",'tools':["
                         "{'name':'ask','description':'Asks','inputSchema':{'type':'object'}},"
                         "{'name':'hold','inputSchema':{'type':'object'}}]" CACHE "}}");
  server_fixture_send (
    fixture, "{'jsonrpc':'2.0','id':1,'method':'prompts/list','params':{" MODERN_META "}}");
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':1,'result':{" MODERN_RESULT ",'prompts':["
                                  "{'name':'greet','description':'Greets','arguments':["
                                  "{'name':'name','required':true}]}]" CACHE "}}");
  server_fixture_tear_down (fixture, data);
}

static void
on_log (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  g_ptr_array_add (data, g_strdup (message));
}

static void
test_wrong_schema (ServerFixture *fixture, gconstpointer data)
{
  static const char *const tools[] = {
    "{\"name\":\"wrong\",\"inputSchema\":{\"type\":\"object\",\"properties\":7}}",
    "{\"name\":\"right\",\"inputSchema\":{\"type\":\"object\"}}",
  };
  g_autoptr (NotesProvider) provider = notes_provider_new ();
  g_autoptr (GPtrArray) messages = g_ptr_array_new_with_free_func (g_free);
  guint handler = g_log_set_handler ("Gmcp", G_LOG_LEVEL_MESSAGE, on_log, messages);
  GListStore *store = G_LIST_STORE (gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (provider)));

  g_test_summary ("a tool with a wrong schema is left out of the list, which is logged once");
  g_list_store_remove_all (store);
  server_fixture_set_up_with (fixture, GMCP_TOOL_PROVIDER (provider));
  for (guint i = 0; i < G_N_ELEMENTS (tools); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GmcpTool) tool = gmcp_tool_new_from_json (tools[i], &error);

      g_assert_no_error (error);
      g_list_store_append (store, tool);
    }
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{" MODERN_META "}}");
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':1,'result':{" MODERN_RESULT ",'tools':["
                                  "{'name':'right','inputSchema':{'type':'object'}}]" CACHE "}}");
  g_assert_cmpuint (messages->len, ==, 1);
  g_assert_nonnull (strstr (g_ptr_array_index (messages, 0), "wrong"));
  g_log_remove_handler ("Gmcp", handler);
  server_fixture_tear_down (fixture, data);
}

/* A provider whose list is not up to date before somebody says so. */

static GmcpToolLoad *pending_load;

static void
keep_load (GmcpToolProvider *provider, GmcpToolLoad *load)
{
  g_assert_null (pending_load);
  pending_load = g_object_ref (load);
}

static void
test_loading (ServerFixture *fixture, gconstpointer data)
{
  GmcpToolProviderInterface *iface;
  g_autoptr (NotesProvider) provider = notes_provider_new ();

  g_test_summary ("what a client asks before the provider has loaded waits, and may be given up");
  iface = GMCP_TOOL_PROVIDER_GET_IFACE (provider);
  iface->load = keep_load;
  server_fixture_set_up_with (fixture, GMCP_TOOL_PROVIDER (provider));
  g_object_set (fixture->server, "max-requests", 2, NULL);
  for (guint i = 1; i <= 2; i++)
    server_fixture_send (
      fixture, "{'jsonrpc':'2.0','id':%u,'method':'prompts/list','params':{" MODERN_META "}}", i);
  server_fixture_expect_nothing (fixture);
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':3,'method':'tools/list','params':{" MODERN_META "}}");
  gmcp_json_doc_unref (server_fixture_expect_error (fixture, "3", GMCP_RPC_ERROR_INTERNAL));
  server_fixture_send (fixture, "{'jsonrpc':'2.0','method':'notifications/cancelled',"
                                "'params':{'requestId':1}}");
  server_fixture_expect_nothing (fixture);

  g_list_store_remove_all (notes_provider_get_prompt_store (provider));
  gmcp_tool_load_return_success (pending_load);
  g_clear_object (&pending_load);
  server_fixture_expect (fixture, "{'jsonrpc':'2.0','id':2,'result':{" MODERN_RESULT
                                  ",'prompts':[]" CACHE "}}");

  g_test_message ("a server that goes meanwhile is not missed");
  server_fixture_tear_down (fixture, data);
  fixture->closed = FALSE;
  server_fixture_set_up_with (fixture, GMCP_TOOL_PROVIDER (provider));
  server_fixture_send (fixture,
                       "{'jsonrpc':'2.0','id':3,'method':'tools/list','params':{" MODERN_META "}}");
  server_fixture_expect_nothing (fixture);
  g_clear_object (&fixture->server);
  gmcp_tool_load_return_success (pending_load);
  g_clear_object (&pending_load);
  server_fixture_tear_down (fixture, data);
  iface->load = NULL;
}

#define ADD(name, func)                                                                            \
  g_test_add ("/server/provider/" name, Fixture, NULL, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("lists", test_lists);
  ADD ("meta", test_meta);
  g_test_add ("/server/provider/unusable-lists", Fixture, NULL, set_up_with_files,
              test_unusable_lists, tear_down);
  ADD ("read", test_read);
  ADD ("cache-hints", test_cache_hints);
  ADD ("read-cancelled", test_read_cancelled);
  ADD ("prompts", test_prompts);
  ADD ("completion", test_completion);
  ADD ("subscribe-legacy", test_subscribe_legacy);
  ADD ("subscribe-bytes", test_subscribe_bytes);
  ADD ("subscribe-modern", test_subscribe_modern);
  ADD ("log", test_log);
  ADD ("questions", test_questions);
  ADD ("more-members", test_more_members);
  ADD ("question-cancelled", test_question_cancelled);
  ADD ("question-modern", test_question_modern);
  ADD ("question-of-ended-call", test_question_of_ended_call);
  ADD ("question-rounds", test_question_rounds);
  ADD ("sampling-tools", test_sampling_tools);
  ADD ("sampling-tools/legacy", test_sampling_tools_legacy);
  ADD ("completion/asks", test_completion_asks);
  ADD ("visit-modern", test_visit_modern);
  ADD ("other-provider", test_other_provider);
  ADD ("timeout", test_timeout);
  g_test_add ("/server/provider/registry", ServerFixture, NULL, NULL, test_registry, NULL);
  g_test_add ("/server/provider/wrong-schema", ServerFixture, NULL, NULL, test_wrong_schema, NULL);
  g_test_add ("/server/provider/loading", ServerFixture, NULL, NULL, test_loading, NULL);
  return g_test_run ();
}
