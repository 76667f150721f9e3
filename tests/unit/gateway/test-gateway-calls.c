/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-call-limiter-private.h"
#include "gmcp-limits.h"
#include "gmcp-managed-server-private.h"
#include "manager-fixture.h"
#include "server-fixture.h"
#include "unit-test.h"

/* What passes through a gateway, seen from two clients of it. */

#define META                                                                                       \
  "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                               \
  "'io.modelcontextprotocol/clientCapabilities':{'elicitation':{}}"
#define FORM "{'name':'Ann','color':'#f00','many':['x']}"

typedef struct
{
  ManagerFixture manager;
  GmcpGateway *gateway;
  ServerFixture clients[2];
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  manager_fixture_set_up (&fixture->manager, data);
}

/* Once the file is written. */
static void
open_clients (Fixture *fixture)
{
  fixture->gateway = gmcp_gateway_new (fixture->manager.manager);
  for (guint i = 0; i < G_N_ELEMENTS (fixture->clients); i++)
    server_fixture_set_up_with (&fixture->clients[i], GMCP_TOOL_PROVIDER (fixture->gateway));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (fixture->clients); i++)
    server_fixture_tear_down (&fixture->clients[i], data);
  g_assert_finalize_object (fixture->gateway);
  manager_fixture_tear_down (&fixture->manager, data);
}

/* A server of the file that does not log. Members, such as ,"timeout":1, are of its configuration. */
static char *
make_entry (const char *id, const char *script, const char *members)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "servers", script, NULL);

  return g_strdup_printf ("\"%s\":{\"command\":\"/usr/bin/python3\",\"args\":[\"-S\",\"%s\"]%s}",
                          id, path, members);
}

static void
configure (Fixture *fixture, const char *words)
{
  g_autoptr (GError) error = NULL;

  manager_fixture_write (&fixture->manager, make_entry ("asking", "asking-server.py", ""),
                         manager_fixture_entry (&fixture->manager, "other", words), NULL);
  open_clients (fixture);
  error = manager_fixture_load (&fixture->manager, NULL);
  g_assert_no_error (error);
}

static void
call_tool (ServerFixture *client, guint id, const char *name, const char *more)
{
  server_fixture_send (client,
                       "{'jsonrpc':'2.0','id':%u,'method':'tools/call','params':{'name':'%s',"
                       "'arguments':{}%s," META "}}}",
                       id, name, more);
}

static GmcpJsonValue
get_path (GmcpJsonDoc *doc, const char *first, const char *second)
{
  GmcpJsonValue value = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), first);

  return second != NULL ? gmcp_json_value_get_member (value, second) : value;
}

/* What comes next that is about a request or is a notification of that method. */
static GmcpJsonDoc *
take_about (ServerFixture *client, const char *method)
{
  for (;;)
    {
      g_autoptr (GmcpJsonDoc) doc = server_fixture_take (client);
      g_autofree char *found = gmcp_json_value_dup_string (get_path (doc, "method", NULL));

      if (g_strcmp0 (found, method) == 0)
        return g_steal_pointer (&doc);
    }
}

static char *
take_text (ServerFixture *client)
{
  g_autoptr (GmcpJsonDoc) doc = take_about (client, NULL);

  return gmcp_json_value_dup_raw (get_path (doc, "result", "content"));
}

/* The state that goes back with the answer of a client that was asked. */
static char *
take_question (ServerFixture *client)
{
  g_autoptr (GmcpJsonDoc) doc = take_about (client, NULL);
  g_autofree char *type = gmcp_json_value_dup_string (get_path (doc, "result", "resultType"));

  g_assert_cmpstr (type, ==, "input_required");
  return gmcp_json_value_dup_string (get_path (doc, "result", "requestState"));
}

static void
answer_question (ServerFixture *client, guint id, const char *state)
{
  g_autofree char *more = g_strdup_printf (
    ",'requestState':'%s','inputResponses':{'gateway-1':{'action':'accept','content':" FORM "}}",
    state);

  call_tool (client, id, "asking__form", more);
}

static void
initialize (ServerFixture *client)
{
  server_fixture_send (
    client,
    "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
    "'capabilities':{},'clientInfo':{'name':'c','version':'1'}}}");
  gmcp_json_doc_unref (take_about (client, NULL));
  server_fixture_send (client, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
}

static guint
count_running (Fixture *fixture, const char *id)
{
  return gmcp_call_limiter_get_n_running (
    gmcp_managed_server_get_call_limiter (gmcp_manager_get_server (fixture->manager.manager, id)));
}

static void
test_two_clients (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];
  ServerFixture *second = &fixture->clients[1];
  g_autofree char *state = NULL;
  g_autofree char *text = NULL;
  g_autofree char *cancelled = NULL;

  g_test_summary ("a legacy server's question is for the one client that has calls of that server");
  configure (fixture, "--tools wait,release");
  call_tool (second, 1, "other__wait", "");
  manager_fixture_wait_until (count_running (fixture, "other") == 1);
  call_tool (first, 1, "asking__form", "");
  state = take_question (first);

  g_test_message ("while the first client is away, a call of the second makes unclear whose it is");
  call_tool (second, 2, "asking__form", "");
  cancelled = take_text (second);
  g_assert_nonnull (strstr (cancelled, "cancel"));
  g_assert_null (strstr (cancelled, "Ann"));

  answer_question (first, 2, state);
  text = take_text (first);
  g_assert_nonnull (strstr (text, "Ann"));
  call_tool (second, 3, "other__release", "");
  gmcp_json_doc_unref (take_about (second, NULL));
  gmcp_json_doc_unref (take_about (second, NULL));
}

static void
test_meta (Fixture *fixture, gconstpointer data)
{
  ServerFixture *client = &fixture->clients[0];
  g_autofree char *text = NULL;

  g_test_summary (
    "a client's _meta and trace context reach the server behind, but nothing that the protocol "
    "puts there");
  configure (fixture, "--tools echo");
  server_fixture_send (client,
                       "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{"
                       "'name':'asking__meta','arguments':{}," META
                       ",'io.modelcontextprotocol/clientInfo':{'name':'c','version':'1'},"
                       "'io.modelcontextprotocol/related-task':{'taskId':'x'},"
                       "'io.modelcontextprotocol/subscriptionId':1,'a/b':[1],'tracestate':'a=1',"
                       "'traceparent':'not one','baggage':'b=2'}}}");
  text = take_text (client);
  g_test_message ("the server got %s", text);
  g_assert_nonnull (strstr (text, "\\\"a/b\\\": [1]"));
  g_assert_nonnull (strstr (text, "\\\"tracestate\\\": \\\"a=1\\\""));
  g_assert_nonnull (strstr (text, "\\\"baggage\\\": \\\"b=2\\\""));
  g_assert_null (strstr (text, "traceparent"));
  g_assert_null (strstr (text, "io.modelcontextprotocol"));
}

static void
test_call_of_others (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];
  ManagerCall call = { FALSE };
  g_autofree char *text = NULL;

  g_test_summary ("where the program itself has a call of the server, no client is asked for it");
  configure (fixture, "--tools echo");
  manager_call_begin (&call, &fixture->manager, "asking.form", "{}", NULL, NULL);
  manager_call_wait (&call);
  g_assert_nonnull (strstr (call.text, "cancel"));
  manager_call_clear (&call);

  manager_call_begin (&call, &fixture->manager, "asking.form", "{}", NULL, NULL);
  call_tool (first, 1, "asking__form", "");
  text = take_text (first);
  g_assert_nonnull (strstr (text, "cancel"));
  manager_call_wait (&call);
  g_assert_nonnull (strstr (call.text, "cancel"));
  manager_call_clear (&call);
}

static void
test_limit (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];
  g_autofree char *state = NULL;
  g_autofree char *text = NULL;
  g_autofree char *refused = NULL;
  g_autofree char *more = g_strdup_printf (",\"maxCalls\":%u", GMCP_LIMIT_GATEWAY_CLIENT_ASKED + 2);

  g_test_summary ("so many calls wait for a client to come back; the next question is declined");
  manager_fixture_write (&fixture->manager, make_entry ("asking", "asking-server.py", more), NULL);
  open_clients (fixture);
  for (guint i = 0; i < GMCP_LIMIT_GATEWAY_CLIENT_ASKED; i++)
    {
      call_tool (first, i, "asking__form", "");
      g_free (state);
      state = take_question (first);
    }
  call_tool (first, 1000, "asking__form", "");
  refused = take_text (first);
  g_assert_nonnull (strstr (refused, "decline"));

  answer_question (first, 1001, state);
  text = take_text (first);
  g_assert_nonnull (strstr (text, "Ann"));
  call_tool (first, 1002, "asking__form", "");
  g_free (take_question (first));
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];

  g_test_summary ("what a client cancels is cancelled at the server");
  configure (fixture, "--tools wait,echo");
  call_tool (first, 7, "other__wait", "");
  manager_fixture_wait_until (count_running (fixture, "other") == 1);
  server_fixture_send (first, "{'jsonrpc':'2.0','method':'notifications/cancelled',"
                              "'params':{'requestId':7,'reason':'enough'," META "}}}");
  manager_fixture_wait_until (count_running (fixture, "other") == 0);
  call_tool (first, 8, "other__echo", "");
  gmcp_json_doc_unref (take_about (first, NULL));
}

/* Calls what the server never answers, and cancels that. */
static void
give_up_call (Fixture *fixture, guint id)
{
  ServerFixture *first = &fixture->clients[0];

  call_tool (first, id, "asking__late", "");
  manager_fixture_wait_until (count_running (fixture, "asking") == 1);
  server_fixture_send (first,
                       "{'jsonrpc':'2.0','method':'notifications/cancelled',"
                       "'params':{'requestId':%u," META "}}}",
                       id);
  manager_fixture_wait_until (count_running (fixture, "asking") == 0);
}

static void
test_late_question (Fixture *fixture, gconstpointer data)
{
  ServerFixture *second = &fixture->clients[1];
  g_autofree char *text = NULL;

  g_test_summary (
    "a legacy server may still be at what one client cancelled: another is not asked");
  configure (fixture, "--tools echo");
  give_up_call (fixture, 1);
  call_tool (second, 1, "asking__form", "");
  text = take_text (second);
  g_assert_nonnull (strstr (text, "cancel"));

  g_test_message ("it is once the server has answered that, too");
  call_tool (second, 2, "asking__form", "");
  g_free (take_question (second));
}

static void
test_own_late_question (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];

  g_test_summary ("the client that cancelled is asked all the same");
  configure (fixture, "--tools echo");
  give_up_call (fixture, 1);
  call_tool (first, 2, "asking__form", "");
  g_free (take_question (first));
}

/* The client's capabilities are those of one that can visit addresses. */
static void
call_as_visitor (ServerFixture *client, guint id, const char *more)
{
  server_fixture_send (
    client,
    "{'jsonrpc':'2.0','id':%u,'method':'tools/call','params':{'name':'asking__pay','arguments':{}%s,"
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
    "'io.modelcontextprotocol/clientCapabilities':{'elicitation':{'form':{},'url':{}}}}}}",
    id, more);
}

/* Answers what is asked. */
static void
answer_visitor (ServerFixture *client, guint id, const char *key, const char *answer)
{
  g_autofree char *state = take_question (client);
  g_autofree char *more = g_strdup_printf (
    ",'requestState':'%s','inputResponses':{'%s':{'action':'%s'}}", state, key, answer);

  call_as_visitor (client, id, more);
}

static void
test_visit (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];
  g_autofree char *text = NULL;

  g_test_summary (
    "a legacy server that makes no call before a visit: the client says when all is done");
  configure (fixture, "--tools echo");
  call_as_visitor (first, 1, "");
  answer_visitor (first, 2, "gateway-1", "accept");
  answer_visitor (first, 3, "gateway-2", "accept");
  text = take_text (first);
  g_assert_nonnull (strstr (text, "paid"));
}

static void
test_visit_not_made (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];
  g_autoptr (GmcpJsonDoc) refused = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("who does not say that all is done ends the call");
  configure (fixture, "--tools echo");
  call_as_visitor (first, 1, "");
  answer_visitor (first, 2, "gateway-1", "accept");
  answer_visitor (first, 3, "gateway-2", "decline");
  refused = take_about (first, NULL);
  text = gmcp_json_value_dup_string (get_path (refused, "error", "message"));
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, "Pay first"));
}

static void
call_as_legacy (ServerFixture *client, guint id, const char *name)
{
  server_fixture_send (
    client, "{'jsonrpc':'2.0','id':%u,'method':'tools/call','params':{'name':'%s','arguments':{}}}",
    id, name);
}

static void
test_log_lines (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];
  ServerFixture *second = &fixture->clients[1];
  g_autoptr (GmcpJsonDoc) message = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("what a legacy server logs goes with the one call that is under way");
  configure (fixture, "--tools echo");
  initialize (first);
  call_as_legacy (first, 1, "asking__log");
  message = take_about (first, "notifications/message");
  text = gmcp_json_value_dup_string (get_path (message, "params", "data"));
  g_assert_cmpstr (text, ==, "at work");
  gmcp_json_doc_unref (take_about (first, NULL));

  g_test_message ("and with none where another is");
  call_tool (second, 1, "asking__late", "");
  manager_fixture_wait_until (count_running (fixture, "asking") == 1);
  call_as_legacy (first, 2, "asking__log");
  for (;;)
    {
      g_autoptr (GmcpJsonDoc) next = server_fixture_take (first);

      if (!gmcp_json_value_is_present (get_path (next, "method", NULL)))
        break;
      g_assert_false (
        gmcp_json_value_equals_string (get_path (next, "method", NULL), "notifications/message"));
    }
}

static void
test_gone_client (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];

  g_test_summary ("what a client has under way ends with the client");
  configure (fixture, "--tools wait");
  initialize (first);
  server_fixture_send (
    first, "{'jsonrpc':'2.0','id':5,'method':'tools/call','params':{'name':'other__wait'}}");
  manager_fixture_wait_until (count_running (fixture, "other") == 1);
  gmcp_transport_close_async (first->client, NULL, NULL, NULL);
  manager_fixture_wait_until (count_running (fixture, "other") == 0);
}

static void
test_updates (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];
  ServerFixture *second = &fixture->clients[1];
  g_autoptr (GmcpJsonDoc) update = NULL;
  g_autofree char *uri = NULL;

  g_test_summary ("changes of a resource come to the client that has subscribed to it");
  manager_fixture_write (&fixture->manager,
                         manager_fixture_entry_of (&fixture->manager, "notes", "context-server.py",
                                                   "--changes --resource x:a=alpha"),
                         NULL);
  open_clients (fixture);
  initialize (first);
  initialize (second);
  server_fixture_send (
    first, "{'jsonrpc':'2.0','id':5,'method':'resources/subscribe','params':{'uri':'x:a'}}");
  gmcp_json_doc_unref (take_about (first, NULL));
  manager_fixture_wait_until (manager_fixture_count_log (&fixture->manager, "subscribe") == 1);
  server_fixture_send (second, "{'jsonrpc':'2.0','id':6,'method':'tools/call','params':{"
                               "'name':'notes__add','arguments':{'uri':'x:a'}}}");
  update = take_about (first, "notifications/resources/updated");
  uri = gmcp_json_value_dup_string (get_path (update, "params", "uri"));
  g_assert_cmpstr (uri, ==, "x:a");
  gmcp_json_doc_unref (take_about (second, NULL));
}

static void
add_note (ServerFixture *client, guint id, const char *uri)
{
  server_fixture_send (client,
                       "{'jsonrpc':'2.0','id':%u,'method':'tools/call','params':{"
                       "'name':'notes__add','arguments':{'uri':'%s'}}}",
                       id, uri);
}

static void
test_modern_updates (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];
  ServerFixture *second = &fixture->clients[1];
  g_autoptr (GmcpJsonDoc) update = NULL;
  g_autofree char *uri = NULL;

  g_test_summary (
    "a client of 2026-07-28 listens to a legacy server: to a resource, and to the list");
  manager_fixture_write (&fixture->manager,
                         manager_fixture_entry_of (&fixture->manager, "notes", "context-server.py",
                                                   "--changes --resource x:a=alpha"),
                         NULL);
  open_clients (fixture);
  server_fixture_send (
    first,
    "{'jsonrpc':'2.0','id':5,'method':'subscriptions/listen','params':{"
    "'notifications':{'resourcesListChanged':true,'resourceSubscriptions':['x:a']}," META "}}}");
  gmcp_json_doc_unref (take_about (first, "notifications/subscriptions/acknowledged"));
  manager_fixture_wait_until (manager_fixture_count_log (&fixture->manager, "subscribe") == 1);
  initialize (second);
  add_note (second, 6, "x:a");
  update = take_about (first, "notifications/resources/updated");
  uri = gmcp_json_value_dup_string (get_path (update, "params", "uri"));
  g_assert_cmpstr (uri, ==, "x:a");
  add_note (second, 7, "x:b");
  gmcp_json_doc_unref (take_about (first, "notifications/resources/list_changed"));
}

/* The first question of an answer that asks something. */
static char *
take_message (ServerFixture *client, char **state)
{
  g_autoptr (GmcpJsonDoc) doc = take_about (client, NULL);
  GmcpJsonValue questions = get_path (doc, "result", "inputRequests");
  GmcpJsonValue question = GMCP_JSON_NONE;
  GmcpJsonIter iter;

  g_assert_true (gmcp_json_value_is_object (questions));
  gmcp_json_iter_init (&iter, questions);
  gmcp_json_iter_next (&iter, NULL, &question);
  if (state != NULL)
    *state = gmcp_json_value_dup_string (get_path (doc, "result", "requestState"));
  return gmcp_json_value_dup_string (
    gmcp_json_value_get_member (gmcp_json_value_get_member (question, "params"), "message"));
}

/* One server, whose title hides something. */
static void
configure_titled (Fixture *fixture, const char *server_id)
{
  g_autoptr (GError) error = NULL;

  manager_fixture_write (&fixture->manager,
                         make_entry ("asking", "asking-server.py", ",\"title\":\"As\u202eker\""),
                         NULL);
  fixture->gateway = g_object_new (GMCP_TYPE_GATEWAY, "manager", fixture->manager.manager,
                                   "server-id", server_id, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (fixture->clients); i++)
    server_fixture_set_up_with (&fixture->clients[i], GMCP_TOOL_PROVIDER (fixture->gateway));
  error = manager_fixture_load (&fixture->manager, NULL);
  g_assert_no_error (error);
}

static void
test_named (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];
  g_autofree char *state = NULL;
  g_autofree char *message = NULL;
  g_autofree char *visit = NULL;
  g_autofree char *confirmation = NULL;
  g_autofree char *more = NULL;

  g_test_summary (
    "a client is told which server asks, and what the gateway itself asks is told apart");
  configure_titled (fixture, NULL);
  call_tool (first, 1, "asking__form", "");
  message = take_message (first, NULL);
  g_assert_cmpstr (message, ==, "As<U+202E>ker asks: Who\033[31m are\nyou?");

  call_as_visitor (first, 2, "");
  visit = take_message (first, &state);
  g_assert_cmpstr (visit, ==, "As<U+202E>ker asks: Please sign in");
  more = g_strdup_printf (",'requestState':'%s','inputResponses':{'gateway-1':{'action':'accept'}}",
                          state);
  call_as_visitor (first, 3, more);
  confirmation = take_message (first, NULL);
  g_assert_cmpstr (confirmation, ==, "Go on once all is done at shop.example");
}

static void
test_named_legacy (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];
  g_autoptr (GmcpJsonDoc) question = NULL;
  g_autoptr (GmcpJsonDoc) told = NULL;
  g_autofree char *message = NULL;
  g_autofree char *visit_id = NULL;
  g_autofree char *id = NULL;

  g_test_summary ("so is one of an earlier revision, which learns that all is done at an address");
  configure_titled (fixture, NULL);
  server_fixture_send (
    first, "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
           "'capabilities':{'elicitation':{'form':{},'url':{}}},"
           "'clientInfo':{'name':'c','version':'1'}}}");
  gmcp_json_doc_unref (take_about (first, NULL));
  server_fixture_send (first, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
  call_as_legacy (first, 1, "asking__visit");
  question = take_about (first, "elicitation/create");
  message = gmcp_json_value_dup_string (get_path (question, "params", "message"));
  g_assert_cmpstr (message, ==, "As<U+202E>ker asks: Please sign in");
  id = gmcp_json_value_dup_raw (get_path (question, "id", NULL));
  server_fixture_send (first, "{'jsonrpc':'2.0','id':%s,'result':{'action':'accept'}}", id);
  gmcp_json_doc_unref (take_about (first, NULL));

  call_as_legacy (first, 2, "asking__visited");
  told = take_about (first, "notifications/elicitation/complete");
  visit_id = gmcp_json_value_dup_string (get_path (told, "params", "elicitationId"));
  g_assert_cmpstr (visit_id, ==, "v1");
}

static void
test_single (Fixture *fixture, gconstpointer data)
{
  ServerFixture *first = &fixture->clients[0];
  g_autofree char *message = NULL;

  g_test_summary ("what the one server behind a gateway asks is passed on as it is");
  configure_titled (fixture, "asking");
  call_tool (first, 1, "form", "");
  message = take_message (first, NULL);
  g_assert_cmpstr (message, ==, "Who\033[31m are\nyou?");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/gateway/calls/two-clients", Fixture, NULL, set_up, test_two_clients, tear_down);
  g_test_add ("/gateway/calls/meta", Fixture, NULL, set_up, test_meta, tear_down);
  g_test_add ("/gateway/calls/of-others", Fixture, NULL, set_up, test_call_of_others, tear_down);
  g_test_add ("/gateway/calls/limit", Fixture, NULL, set_up, test_limit, tear_down);
  g_test_add ("/gateway/calls/cancel", Fixture, NULL, set_up, test_cancel, tear_down);
  g_test_add ("/gateway/calls/gone-client", Fixture, NULL, set_up, test_gone_client, tear_down);
  g_test_add ("/gateway/calls/own-late-question", Fixture, NULL, set_up, test_own_late_question,
              tear_down);
  g_test_add ("/gateway/calls/visit", Fixture, NULL, set_up, test_visit, tear_down);
  g_test_add ("/gateway/calls/visit-not-made", Fixture, NULL, set_up, test_visit_not_made,
              tear_down);
  g_test_add ("/gateway/calls/named/modern", Fixture, NULL, set_up, test_named, tear_down);
  g_test_add ("/gateway/calls/named/legacy", Fixture, NULL, set_up, test_named_legacy, tear_down);
  g_test_add ("/gateway/calls/named/single", Fixture, NULL, set_up, test_single, tear_down);
  g_test_add ("/gateway/calls/log-lines", Fixture, NULL, set_up, test_log_lines, tear_down);
  g_test_add ("/gateway/calls/late-question", Fixture, NULL, set_up, test_late_question, tear_down);
  g_test_add ("/gateway/calls/updates", Fixture, NULL, set_up, test_updates, tear_down);
  g_test_add ("/gateway/calls/modern-updates", Fixture, NULL, set_up, test_modern_updates,
              tear_down);
  return g_test_run ();
}
