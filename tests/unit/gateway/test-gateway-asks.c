/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "manager-fixture.h"
#include "server-fixture.h"
#include "unit-test.h"

/* What a call through a gateway needs to be told by a person besides what its server asks: about a tool that has changed,
 * and a value of the configuration. */

#define META                                                                                       \
  "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                               \
  "'io.modelcontextprotocol/clientCapabilities':{%s}}"
#define CAN_ASK "'elicitation':{'form':{}}"

typedef struct
{
  ManagerFixture manager;
  GmcpGateway *gateway;
  ServerFixture clients[2];
  guint last_id;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  manager_fixture_set_up (&fixture->manager, data);
}

static void
open_clients (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  fixture->gateway = gmcp_gateway_new (fixture->manager.manager);
  for (guint i = 0; i < G_N_ELEMENTS (fixture->clients); i++)
    server_fixture_set_up_with (&fixture->clients[i], GMCP_TOOL_PROVIDER (fixture->gateway));
  error = manager_fixture_load (&fixture->manager, NULL);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (fixture->clients); i++)
    server_fixture_tear_down (&fixture->clients[i], data);
  g_assert_finalize_object (fixture->gateway);
  manager_fixture_tear_down (&fixture->manager, data);
}

/* more: members of the parameters besides, each with a comma before it. */
static guint
call_as (Fixture *fixture, guint client, const char *name, const char *abilities, const char *more)
{
  g_autofree char *meta = g_strdup_printf (META, abilities);

  server_fixture_send (&fixture->clients[client],
                       "{'jsonrpc':'2.0','id':%u,'method':'tools/call','params':{'name':'%s',"
                       "'arguments':{'name':'name'}%s,%s}}",
                       ++fixture->last_id, name, more, meta);
  return fixture->last_id;
}

static guint
call_tool (Fixture *fixture, guint client, const char *name)
{
  return call_as (fixture, client, name, CAN_ASK, "");
}

static GmcpJsonValue
get_path (GmcpJsonDoc *doc, const char *first, const char *second)
{
  GmcpJsonValue value = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), first);

  return second != NULL ? gmcp_json_value_get_member (value, second) : value;
}

/* The next answer, whatever is told beside it. */
static GmcpJsonDoc *
take_answer (Fixture *fixture, guint client)
{
  for (;;)
    {
      g_autoptr (GmcpJsonDoc) doc = server_fixture_take (&fixture->clients[client]);

      if (!gmcp_json_value_is_present (get_path (doc, "method", NULL)))
        return g_steal_pointer (&doc);
    }
}

static void
expect_text (Fixture *fixture, guint client, const char *part)
{
  g_autoptr (GmcpJsonDoc) doc = take_answer (fixture, client);
  g_autofree char *text = gmcp_json_value_dup_raw (gmcp_json_doc_get_root (doc));

  if (strstr (text, part) == NULL)
    g_error ("%s is not in %s", part, text);
}

/* The only question of an answer, as JSON, and the state that goes back with what is said to it. */
static char *
take_question (Fixture *fixture, guint client, char **state)
{
  g_autoptr (GmcpJsonDoc) doc = take_answer (fixture, client);
  GmcpJsonValue questions = get_path (doc, "result", "inputRequests");
  char *text;

  if (!gmcp_json_value_is_present (questions))
    {
      g_autofree char *whole = gmcp_json_value_dup_raw (gmcp_json_doc_get_root (doc));

      g_error ("no question: %s", whole);
    }
  text = gmcp_json_value_dup_raw (questions);
  *state = gmcp_json_value_dup_string (get_path (doc, "result", "requestState"));
  return text;
}

/* Both clients call the tool, and are asked. */
static void
ask_both (Fixture *fixture, const char *name, char **first_state, char **second_state)
{
  call_tool (fixture, 0, name);
  g_free (take_question (fixture, 0, first_state));
  call_tool (fixture, 1, name);
  g_free (take_question (fixture, 1, second_state));
}

/* answer: such as accept','content':{'answer':'once'} without the last brace and quote. */
static void
answer_question (Fixture *fixture,
                 guint client,
                 const char *name,
                 const char *state,
                 const char *answer)
{
  g_autofree char *more = g_strdup_printf (
    ",'requestState':'%s','inputResponses':{'gateway-1':{'action':%s}}", state, answer);

  call_as (fixture, client, name, CAN_ASK, more);
}

/* A tool that changes itself when it is called. */
static void
change_tool (Fixture *fixture)
{
  g_autofree char *listed = NULL;

  manager_fixture_write (&fixture->manager,
                         manager_fixture_entry (&fixture->manager, "one", "--tools describe,echo"),
                         NULL);
  gmcp_manager_set_pin_policy (fixture->manager.manager, GMCP_PIN_POLICY_WITHHOLD);
  open_clients (fixture);
  call_tool (fixture, 0, "one__describe");
  gmcp_json_doc_unref (take_answer (fixture, 0));
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->manager.tools) == 1);
  listed = manager_fixture_list (&fixture->manager);
  g_assert_cmpstr (listed, ==, "one__echo");
}

static guint
count_calls (Fixture *fixture)
{
  return manager_fixture_count_log (&fixture->manager, "call describe");
}

static void
test_changed_once (Fixture *fixture, gconstpointer data)
{
  g_autofree char *state = NULL;
  g_autofree char *question = NULL;
  g_autofree char *again = NULL;
  g_autofree char *next = NULL;

  g_test_summary ("a call of a tool that has changed asks its client, who sees what has changed");
  change_tool (fixture);
  call_tool (fixture, 0, "one__describe");
  question = take_question (fixture, 0, &state);
  g_assert_nonnull (strstr (question, "- description: \\\"Does describe\\\""));
  g_assert_nonnull (strstr (question, "+ description: \\\"Another description\\\""));
  g_assert_cmpuint (count_calls (fixture), ==, 1);

  answer_question (fixture, 0, "one__describe", state, "'accept','content':{'answer':'once'}");
  expect_text (fixture, 0, "\"isError\":false");
  g_assert_cmpuint (count_calls (fixture), ==, 2);

  g_test_message ("once is once");
  call_tool (fixture, 0, "one__describe");
  again = take_question (fixture, 0, &next);
  server_fixture_expect_nothing (&fixture->clients[1]);
}

static void
test_changed_always (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first_state = NULL;
  g_autofree char *second_state = NULL;

  g_test_summary ("two clients are asked; what one approves goes on for both, and is listed again");
  change_tool (fixture);
  ask_both (fixture, "one__describe", &first_state, &second_state);

  answer_question (fixture, 0, "one__describe", first_state,
                   "'accept','content':{'answer':'always'}");
  expect_text (fixture, 0, "\"isError\":false");
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->manager.tools) == 2);
  manager_fixture_wait_until (count_calls (fixture) == 3);
  g_test_message ("whatever the other says, it needs no answer any more");
  answer_question (fixture, 1, "one__describe", second_state, "'decline'");
  expect_text (fixture, 1, "\"isError\":false");
  call_tool (fixture, 1, "one__describe");
  expect_text (fixture, 1, "\"isError\":false");
}

static void
test_changed_apart (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first_state = NULL;
  g_autofree char *second_state = NULL;

  g_test_summary ("what one client allows once, or declines, is no answer of the other's");
  change_tool (fixture);
  ask_both (fixture, "one__describe", &first_state, &second_state);

  answer_question (fixture, 0, "one__describe", first_state,
                   "'accept','content':{'answer':'once'}");
  expect_text (fixture, 0, "\"isError\":false");
  g_assert_cmpuint (count_calls (fixture), ==, 2);
  answer_question (fixture, 1, "one__describe", second_state, "'decline'");
  expect_text (fixture, 1, "gmcp approve one.describe");
  g_assert_cmpuint (count_calls (fixture), ==, 2);
}

static void
test_changed_unasked (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("where the client cannot be asked, the error says where it can be answered");
  change_tool (fixture);
  call_as (fixture, 0, "one__describe", "", "");
  expect_text (fixture, 0, "gmcp shell");
  call_as (fixture, 0, "one__describe", "", "");
  expect_text (fixture, 0, "gmcp approve one.describe");
  call_as (fixture, 0, "one__nothing", "", "");
  expect_text (fixture, 0, "Unknown tool");
  g_assert_cmpuint (count_calls (fixture), ==, 1);
}

static void
allow_anything (GmcpToolProvider *provider, GmcpCallPermission *request, gpointer n)
{
  (*(guint *) n)++;
  gmcp_call_permission_allow_always (request);
}

static gboolean
take_anything (GmcpGateway *gateway, GmcpInputRequest *request, gpointer n)
{
  allow_anything (NULL, GMCP_CALL_PERMISSION (request), n);
  return TRUE;
}

static void
test_changed_allowing (Fixture *fixture, gconstpointer data)
{
  guint n_asked = 0;
  guint n_told = 0;

  g_test_summary ("a program that allows whatever is asked does not let a withheld tool be called");
  change_tool (fixture);
  g_signal_connect (fixture->manager.manager, "call-requested", G_CALLBACK (allow_anything),
                    &n_asked);
  g_signal_connect (fixture->gateway, "input-unasked", G_CALLBACK (take_anything), &n_asked);
  call_as (fixture, 0, "one__describe", "", "");
  expect_text (fixture, 0, "gmcp approve one.describe");
  g_assert_cmpuint (n_asked, ==, 0);
  g_assert_cmpuint (count_calls (fixture), ==, 1);

  g_test_message ("one that listens to just that does");
  g_signal_connect (fixture->gateway, "withheld-unasked", G_CALLBACK (take_anything), &n_told);
  call_as (fixture, 0, "one__describe", "", "");
  expect_text (fixture, 0, "\"isError\":false");
  g_assert_cmpuint (n_told, ==, 1);
  g_assert_cmpuint (n_asked, ==, 0);
  g_assert_cmpuint (count_calls (fixture), ==, 2);
}

/* With an argument of so many letters, and one behind it. */
static void
call_with_much (Fixture *fixture, const char *name, gsize n_letters)
{
  g_autofree char *meta = g_strdup_printf (META, CAN_ASK);
  g_autofree char *padding = g_strnfill (n_letters, 'x');

  server_fixture_send (&fixture->clients[0],
                       "{'jsonrpc':'2.0','id':%u,'method':'tools/call','params':{'name':'%s',"
                       "'arguments':{'a':'%s','command':'the end of it'},%s}}",
                       ++fixture->last_id, name, padding, meta);
}

static void
test_large_arguments (Fixture *fixture, gconstpointer data)
{
  static const char *const asked_first[] = { "*", NULL };
  g_autofree char *state = NULL;
  g_autofree char *question = NULL;
  guint n_asked = 0;

  g_test_summary ("no client allows what its form does not show: others are asked, or nobody");
  manager_fixture_write (&fixture->manager,
                         manager_fixture_entry (&fixture->manager, "one", "--tools echo"), NULL);
  gmcp_manager_set_ask_first (fixture->manager.manager, asked_first);
  open_clients (fixture);
  call_with_much (fixture, "one__echo", 60000);
  question = take_question (fixture, 0, &state);
  g_assert_nonnull (strstr (question, "the end of it"));

  call_with_much (fixture, "one__echo", 70000);
  expect_text (fixture, 0, "more than 64 KiB");
  g_assert_cmpuint (manager_fixture_count_log (&fixture->manager, "call echo"), ==, 0);

  g_signal_connect (fixture->gateway, "input-unasked", G_CALLBACK (take_anything), &n_asked);
  call_with_much (fixture, "one__echo", 70000);
  expect_text (fixture, 0, "the end of it");
  g_assert_cmpuint (n_asked, ==, 1);
}

static void
test_large_change (Fixture *fixture, gconstpointer data)
{
  g_autofree char *changed = g_strconcat (fixture->manager.log, ".changed", NULL);
  g_autofree char *all_new = g_strnfill (60000, 'y');
  g_autofree char *state = NULL;
  g_autofree char *question = NULL;
  guint n_asked = 0;

  g_test_summary ("all that is new about a tool is shown to the client that is to approve it");
  manager_fixture_write (
    &fixture->manager,
    manager_fixture_entry (&fixture->manager, "one", "--tools describe --flood 1"), NULL);
  gmcp_manager_set_pin_policy (fixture->manager.manager, GMCP_PIN_POLICY_WITHHOLD);
  open_clients (fixture);
  g_assert_true (g_file_set_contents (changed, "", 0, NULL));
  call_tool (fixture, 0, "one__describe");
  gmcp_json_doc_unref (take_answer (fixture, 0));
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->manager.tools) == 0);

  call_tool (fixture, 0, "one__flood-0");
  question = take_question (fixture, 0, &state);
  g_assert_nonnull (strstr (question, all_new));

  call_with_much (fixture, "one__flood-0", 10000);
  expect_text (fixture, 0, "more than 64 KiB");
  g_signal_connect (fixture->gateway, "withheld-unasked", G_CALLBACK (take_anything), &n_asked);
  call_with_much (fixture, "one__flood-0", 10000);
  /* The server, which has only listed that tool, was asked. */
  expect_text (fixture, 0, "one: Unknown tool: flood-0");
  g_assert_cmpuint (n_asked, ==, 1);
  g_unlink (changed);
}

static void
initialize_as (Fixture *fixture, guint client, const char *abilities)
{
  server_fixture_send (
    &fixture->clients[client],
    "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
    "'capabilities':{%s},'clientInfo':{'name':'c','version':'1'}}}",
    abilities);
  gmcp_json_doc_unref (take_answer (fixture, client));
  server_fixture_send (&fixture->clients[client],
                       "{'jsonrpc':'2.0','method':'notifications/initialized'}");
}

static void
initialize (Fixture *fixture, guint client)
{
  initialize_as (fixture, client, CAN_ASK);
}

static void
call_legacy (Fixture *fixture, guint client, const char *name)
{
  server_fixture_send (&fixture->clients[client],
                       "{'jsonrpc':'2.0','id':%u,'method':'tools/call','params':{'name':'%s',"
                       "'arguments':{'name':'name'}}}",
                       ++fixture->last_id, name);
}

/* The id of the next request of that method, as JSON. */
static char *
take_request (Fixture *fixture, guint client, const char *method, char **text)
{
  for (;;)
    {
      g_autoptr (GmcpJsonDoc) doc = server_fixture_take (&fixture->clients[client]);

      if (!gmcp_json_value_equals_string (get_path (doc, "method", NULL), method))
        continue;
      *text = gmcp_json_value_dup_raw (get_path (doc, "params", NULL));
      return gmcp_json_value_dup_raw (get_path (doc, "id", NULL));
    }
}

static void
reply (Fixture *fixture, guint client, const char *id, const char *result)
{
  server_fixture_send (&fixture->clients[client], "{'jsonrpc':'2.0','id':%s,'result':%s}", id,
                       result);
}

static void
test_changed_legacy (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = NULL;
  g_autofree char *text = NULL;
  g_autofree char *next_id = NULL;
  g_autofree char *next = NULL;
  g_autofree char *cancelled = NULL;

  g_test_summary ("a client of an earlier revision is asked by a request");
  change_tool (fixture);
  initialize (fixture, 1);
  call_legacy (fixture, 1, "one__describe");
  id = take_request (fixture, 1, "elicitation/create", &text);
  g_assert_nonnull (strstr (text, "+ description"));
  reply (fixture, 1, id, "{'action':'accept','content':{'answer':'once'}}");
  expect_text (fixture, 1, "\"isError\":false");

  g_test_message ("a call that is cancelled takes its question back");
  call_legacy (fixture, 1, "one__describe");
  next_id = take_request (fixture, 1, "elicitation/create", &next);
  server_fixture_send (&fixture->clients[1],
                       "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{"
                       "'requestId':%u}}",
                       fixture->last_id);
  g_free (take_request (fixture, 1, "notifications/cancelled", &cancelled));
  g_assert_nonnull (strstr (cancelled, next_id));
  g_assert_cmpuint (count_calls (fixture), ==, 2);
}

/* A server that needs a value, and has the tool env, which gives it. */
static void
configure_input (Fixture *fixture, const char *input)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
  g_autofree char *json = g_strdup_printf (
    "{\"mcpServers\":{\"one\":{\"command\":\"/usr/bin/python3\",\"args\":[\"-S\",\"%s\",\"--tools\","
    "\"env\",\"--log\",\"%s\"],\"env\":{\"name\":\"${input:place}\"}}},\"inputs\":[%s]}",
    path, fixture->manager.log, input);

  g_assert_true (g_file_set_contents (fixture->manager.config, json, -1, NULL));
  open_clients (fixture);
  manager_fixture_wait_until (manager_fixture_get_state (&fixture->manager, "one")
                              == GMCP_SERVER_STATE_FAILED);
}

#define PLACE  "{\"id\":\"place\",\"type\":\"promptString\",\"description\":\"Where it is\"}"
#define SECRET "{\"id\":\"place\",\"type\":\"promptString\",\"password\":true}"

static void
test_input (Fixture *fixture, gconstpointer data)
{
  g_autofree char *state = NULL;
  g_autofree char *question = NULL;

  g_test_summary ("a value that the server of a call needs is asked of the call's client");
  configure_input (fixture, PLACE);
  call_tool (fixture, 0, "one__env");
  question = take_question (fixture, 0, &state);
  g_assert_nonnull (strstr (question, "Where it is"));
  g_assert_nonnull (strstr (question, "place"));

  answer_question (fixture, 0, "one__env", state, "'accept','content':{'value':'Ulm'}");
  expect_text (fixture, 0, "Ulm");
  server_fixture_expect_nothing (&fixture->clients[1]);
  g_test_message ("it is asked once");
  call_tool (fixture, 1, "one__env");
  expect_text (fixture, 1, "Ulm");
}

static void
test_input_of_two (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first_state = NULL;
  g_autofree char *second_state = NULL;

  g_test_summary (
    "both clients whose calls need it are asked; one declines, and the other's value counts");
  configure_input (fixture, PLACE);
  ask_both (fixture, "one__env", &first_state, &second_state);

  answer_question (fixture, 0, "one__env", first_state, "'decline'");
  server_fixture_expect_nothing (&fixture->clients[1]);
  answer_question (fixture, 1, "one__env", second_state, "'accept','content':{'value':'Ulm'}");
  expect_text (fixture, 1, "Ulm");
  expect_text (fixture, 0, "Ulm");
}

static void
test_input_declined (Fixture *fixture, gconstpointer data)
{
  g_autofree char *state = NULL;
  g_autofree char *question = NULL;

  g_test_summary (
    "without the value the server does not start, and is not asked about at once again");
  configure_input (fixture, PLACE);
  call_tool (fixture, 0, "one__env");
  question = take_question (fixture, 0, &state);
  answer_question (fixture, 0, "one__env", state, "'decline'");
  expect_text (fixture, 0, "nobody gave one");
  call_tool (fixture, 1, "one__env");
  expect_text (fixture, 1, "nobody gave one");
  g_assert_cmpuint (manager_fixture_count_log (&fixture->manager, "start"), ==, 0);
}

static void
test_input_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = NULL;
  g_autofree char *text = NULL;
  g_autofree char *next_id = NULL;
  g_autofree char *next = NULL;

  g_test_summary ("a call that is cancelled leaves the question to who calls next");
  configure_input (fixture, PLACE);
  initialize (fixture, 0);
  initialize (fixture, 1);
  call_legacy (fixture, 0, "one__env");
  id = take_request (fixture, 0, "elicitation/create", &text);
  server_fixture_send (&fixture->clients[0],
                       "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{"
                       "'requestId':%u}}",
                       fixture->last_id);
  manager_fixture_wait_until (manager_fixture_get_state (&fixture->manager, "one")
                              == GMCP_SERVER_STATE_FAILED);
  call_legacy (fixture, 1, "one__env");
  next_id = take_request (fixture, 1, "elicitation/create", &next);
  reply (fixture, 1, next_id, "{'action':'accept','content':{'value':'Ulm'}}");
  expect_text (fixture, 1, "Ulm");
}

static void
test_secret (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a secret is asked in no form: the error says where it can be given");
  configure_input (fixture, SECRET);
  call_tool (fixture, 0, "one__env");
  expect_text (fixture, 0, "gmcp secret set");
}

static char *
give_page (GmcpGateway *gateway, GmcpInputRequest *request, gpointer kept)
{
  g_set_object ((GmcpInputRequest **) kept, request);
  return g_strdup ("http://127.0.0.1:1/");
}

static void
test_secret_page (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpInputRequest) kept = NULL;
  g_autofree char *id = NULL;
  g_autofree char *text = NULL;
  g_autofree char *done = NULL;
  const char *page_id;

  g_test_summary ("a secret is given at a page that the client has opened, and the client is told");
  configure_input (fixture, SECRET);
  g_signal_connect (fixture->gateway, "input-page", G_CALLBACK (give_page), &kept);
  initialize_as (fixture, 0, "'elicitation':{'form':{},'url':{}}");
  call_legacy (fixture, 0, "one__env");
  id = take_request (fixture, 0, "elicitation/create", &text);
  g_assert_nonnull (kept);
  g_assert_nonnull (strstr (text, "\"url\":\"http://127.0.0.1:1/\""));
  page_id = strstr (text, "\"elicitationId\":");
  g_assert_nonnull (page_id);

  reply (fixture, 0, id, "{'action':'accept'}");
  server_fixture_expect_nothing (&fixture->clients[0]);
  gmcp_config_input_accept (GMCP_CONFIG_INPUT (kept), "Ulm");
  g_free (take_request (fixture, 0, "notifications/elicitation/complete", &done));
  /* {"elicitationId":"…"} */
  g_assert_true (g_str_has_prefix (page_id, (done[strlen (done) - 1] = '\0', done + 1)));
  expect_text (fixture, 0, "Ulm");
}

static void
test_input_unasked (Fixture *fixture, gconstpointer data)
{
  g_autofree char *state = NULL;
  g_autofree char *question = NULL;

  g_test_summary ("a client that cannot be asked keeps nobody from being asked");
  configure_input (fixture, PLACE);
  call_as (fixture, 0, "one__env", "", "");
  expect_text (fixture, 0, "gmcp secret set");
  call_tool (fixture, 1, "one__env");
  question = take_question (fixture, 1, &state);
  answer_question (fixture, 1, "one__env", state, "'accept','content':{'value':'Ulm'}");
  expect_text (fixture, 1, "Ulm");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*run) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/gateway/asks/changed/once", test_changed_once },
    { "/gateway/asks/changed/always", test_changed_always },
    { "/gateway/asks/changed/apart", test_changed_apart },
    { "/gateway/asks/changed/unasked", test_changed_unasked },
    { "/gateway/asks/changed/allowing", test_changed_allowing },
    { "/gateway/asks/changed/legacy", test_changed_legacy },
    { "/gateway/asks/large/arguments", test_large_arguments },
    { "/gateway/asks/large/change", test_large_change },
    { "/gateway/asks/input/one", test_input },
    { "/gateway/asks/input/two", test_input_of_two },
    { "/gateway/asks/input/declined", test_input_declined },
    { "/gateway/asks/input/cancelled", test_input_cancelled },
    { "/gateway/asks/input/secret", test_secret },
    { "/gateway/asks/input/page", test_secret_page },
    { "/gateway/asks/input/unasked", test_input_unasked },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].run, tear_down);
  return g_test_run ();
}
