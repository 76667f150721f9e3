/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/protocol/questions/gmcp-elicitation.h>
#include <gmcp/transport/gmcp-memory-transport.h>

#include "notes-provider.h"
#include "server-fixture.h"
#include "unit-test.h"

/* Who calls, as the transport verified it. */

#define META_ASKING                                                                                \
  "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                               \
  "'io.modelcontextprotocol/clientCapabilities':{'elicitation':{}}}"

typedef struct
{
  ServerFixture server;
  NotesProvider *provider;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->provider = notes_provider_new ();
  server_fixture_set_up_for_user (&fixture->server, GMCP_TOOL_PROVIDER (fixture->provider), data);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_ptr_array_set_size (notes_provider_get_calls (fixture->provider), 0);
  server_fixture_tear_down (&fixture->server, data);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (fixture->provider);
}

static GmcpToolCall *
wait_for_call (Fixture *fixture)
{
  GPtrArray *calls = notes_provider_get_calls (fixture->provider);

  while (calls->len == 0)
    g_main_context_iteration (NULL, TRUE);
  return g_ptr_array_steal_index (calls, 0);
}

static void
end_call (Fixture *fixture, GmcpToolCall *call)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("x");

  gmcp_tool_call_return_result (call, result);
  gmcp_json_doc_unref (server_fixture_take (&fixture->server));
}

static const struct
{
  const char *method;
  const char *params;
} requests[] = {
  { "resources/read", "'uri':'note:1'" },
  { "prompts/get", "'name':'greet','arguments':{'name':'Ann'}" },
  { "completion/complete",
    "'ref':{'type':'ref/prompt','name':'greet'},'argument':{'name':'name','value':''}" },
  { "completion/complete",
    "'ref':{'type':'ref/resource','uri':'note:{n}'},'argument':{'name':'n','value':''}" },
};

static void
check_all (Fixture *fixture, const char *meta, const char *expected)
{
  GPtrArray *users = notes_provider_get_users (fixture->provider);
  g_autoptr (GmcpToolCall) call = NULL;
  g_autofree char *from_property = NULL;
  GmcpCaller *caller;

  server_fixture_send (&fixture->server,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'ask'%s}}",
                       meta);
  call = wait_for_call (fixture);
  caller = gmcp_tool_call_get_caller (call);
  g_assert_cmpstr (gmcp_caller_get_user (caller), ==, expected);
  g_object_get (caller, "user", &from_property, NULL);
  g_assert_cmpstr (from_property, ==, expected);
  end_call (fixture, call);
  g_assert_cmpstr (gmcp_caller_get_user (caller), ==, expected);

  g_ptr_array_set_size (users, 0);
  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      server_fixture_send (&fixture->server,
                           "{'jsonrpc':'2.0','id':1,'method':'%s','params':{%s%s}}",
                           requests[i].method, requests[i].params, meta);
      gmcp_json_doc_unref (server_fixture_take (&fixture->server));
      g_assert_cmpuint (users->len, ==, i + 1);
      g_assert_cmpstr (users->pdata[i], ==, expected != NULL ? expected : "nobody");
    }
}

static void
test_requests (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("each kind of request says who sends it, in both eras, and nobody else can");
  check_all (fixture, "," MODERN_META, data);
  check_all (fixture,
             ",'user':'eve','_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
             "'io.modelcontextprotocol/clientCapabilities':{},'user':'eve',"
             "'io.modelcontextprotocol/clientInfo':{'name':'eve','version':'1'}}",
             data);
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{"
                                         "'protocolVersion':'2025-11-25','capabilities':{},"
                                         "'clientInfo':{'name':'hand','version':'2'}}}");
  gmcp_json_doc_unref (server_fixture_take (&fixture->server));
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
  check_all (fixture, "", data);
}

/* A second client of a server */

typedef struct
{
  GmcpTransport *client;
  GmcpTransport *server_transport;
  char *answer;
  gboolean closed;
} Other;

static void
on_message (gpointer data, const char *text, gsize length, GBytes *owner)
{
  Other *other = data;

  g_assert_null (other->answer);
  other->answer = g_strndup (text, length);
}

static void
on_violation (gpointer data, const GError *error)
{
  g_assert_not_reached ();
}

static void
on_closed (gpointer data, const GError *error)
{
  ((Other *) data)->closed = TRUE;
}

static const GmcpTransportTaker taker = { on_message, on_violation, on_closed, NULL };

/* What a client of that user is answered, which says one thing. */
static char *
ask_as (GmcpServer *server, const char *user, const char *request)
{
  Other other = { 0 };
  GmcpOutgoing message = { .text = request, .length = strlen (request) };
  g_autoptr (GError) error = NULL;

  gmcp_memory_transport_new_pair (&other.client, &other.server_transport);
  gmcp_server_attach_for_user (server, other.server_transport, user);
  gmcp_transport_set_taker (other.client, &taker, &other);
  gmcp_transport_open_async (other.client, NULL, NULL, NULL);
  while (!gmcp_transport_is_open (other.client))
    g_main_context_iteration (NULL, TRUE);
  gmcp_transport_send (other.client, &message, &error);
  g_assert_no_error (error);
  while (other.answer == NULL)
    g_main_context_iteration (NULL, TRUE);
  gmcp_transport_close_async (other.client, NULL, NULL, NULL);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  gmcp_transport_set_taker (other.client, NULL, NULL);
  g_object_unref (other.client);
  g_object_unref (other.server_transport);
  return other.answer;
}

static void
ignore_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree char *answer = gmcp_caller_ask_finish (GMCP_CALLER (source), result, NULL);

  g_assert_null (answer);
}

static char *
take_state (Fixture *fixture)
{
  g_autoptr (GmcpElicitation) form
    = gmcp_elicitation_new ("Sure?", "{\"type\":\"object\",\"properties\":{}}", NULL);
  g_autoptr (GmcpJsonDoc) asked = NULL;
  g_autoptr (GmcpToolCall) call = NULL;

  server_fixture_send (
    &fixture->server,
    "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'ask'," META_ASKING "}}");
  call = wait_for_call (fixture);
  gmcp_caller_ask_async (gmcp_tool_call_get_caller (call), GMCP_INPUT_REQUEST (form), NULL,
                         ignore_answer, NULL);
  asked = server_fixture_take (&fixture->server);
  return gmcp_json_value_dup_string (gmcp_json_value_get_member (
    gmcp_json_value_get_member (gmcp_json_doc_get_root (asked), "result"), "requestState"));
}

static void
test_state (Fixture *fixture, gconstpointer data)
{
  static const char *const others[] = { "eve", "", "ann ", NULL };
  g_autofree char *state = take_state (fixture);
  g_autoptr (GString) request = g_string_new (NULL);
  g_autoptr (GmcpToolCall) call = NULL;

  g_test_summary ("the state of a request that asked is of no use to another user");
  g_assert_nonnull (state);
  g_string_printf (request,
                   "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'ask',"
                   "'requestState':'%s'," META_ASKING "}}",
                   state);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *text = g_strdelimit (g_strdup (request->str), "'", '"');
      g_autofree char *answer = ask_as (fixture->server.server, others[i], text);

      g_assert_nonnull (strstr (answer, "-32602"));
      g_assert_cmpuint (notes_provider_get_calls (fixture->provider)->len, ==, 0);
    }

  server_fixture_send (&fixture->server, "%s", request->str);
  call = wait_for_call (fixture);
  end_call (fixture, call);
}

static void
test_updates (Fixture *fixture, gconstpointer data)
{
  static const char *const others[] = { "eve", "ann ", "Ann", "nobody" };
  GmcpResourceProvider *resources = GMCP_RESOURCE_PROVIDER (fixture->provider);
  const char *user = data;

  g_test_summary ("only the user's own clients are told of what changed for a user");
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{"
                                         "'protocolVersion':'2025-11-25','capabilities':{},"
                                         "'clientInfo':{'name':'hand','version':'2'}}}");
  gmcp_json_doc_unref (server_fixture_take (&fixture->server));
  server_fixture_send (&fixture->server, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
  for (guint i = 1; i <= 2; i++)
    {
      server_fixture_send (
        &fixture->server,
        "{'jsonrpc':'2.0','id':1,'method':'resources/subscribe','params':{'uri':'note:%u'}}", i);
      server_fixture_expect (&fixture->server, "{'jsonrpc':'2.0','id':1,'result':{}}");
    }

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_strcmp0 (others[i], user) != 0)
      gmcp_resource_provider_emit_resource_updated_for_user (resources, "note:1", others[i]);
  gmcp_resource_provider_emit_resource_updated_for_user (resources, "note:2", "eve");
  gmcp_resource_provider_emit_resource_updated_for_user (resources, "note:2", user);
  gmcp_resource_provider_emit_resource_updated_for_user (resources, "note:2", user);
  server_fixture_expect (&fixture->server,
                         "{'jsonrpc':'2.0','method':'notifications/resources/updated','params':{"
                         "'uri':'note:2'}}");
  server_fixture_expect_nothing (&fixture->server);

  /* What changed for all changed for each. */
  gmcp_resource_provider_emit_resource_updated_for_user (resources, "note:1", "eve");
  gmcp_resource_provider_emit_resource_updated (resources, "note:1");
  gmcp_resource_provider_emit_resource_updated_for_user (resources, "note:1", "eve");
  server_fixture_expect (&fixture->server,
                         "{'jsonrpc':'2.0','method':'notifications/resources/updated','params':{"
                         "'uri':'note:1'}}");
  server_fixture_expect_nothing (&fixture->server);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/server/user/requests", Fixture, "ann", set_up, test_requests, tear_down);
  g_test_add ("/server/user/nobody", Fixture, NULL, set_up, test_requests, tear_down);
  g_test_add ("/server/user/state", Fixture, "ann", set_up, test_state, tear_down);
  g_test_add ("/server/user/updates", Fixture, "ann", set_up, test_updates, tear_down);
  g_test_add ("/server/user/updates/nobody", Fixture, NULL, set_up, test_updates, tear_down);
  return g_test_run ();
}
