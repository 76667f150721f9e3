/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-managed-server-private.h"
#include "manager-fixture.h"
#include "server-fixture.h"
#include "unit-test.h"

/* A gateway's client asks for what a server has that has not listed it yet. */

typedef struct
{
  ManagerFixture manager;
  GmcpGateway *gateway;
  ServerFixture client;
  char *gate; /* without this file the server “late” lists nothing */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  manager_fixture_set_up (&fixture->manager, data);
  fixture->gate = g_build_filename (fixture->manager.dir, "gate", NULL);
  g_object_set (fixture->manager.manager, "load-wait-ms", 0, "startup-timeout-ms", 600000, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  server_fixture_tear_down (&fixture->client, data);
  g_assert_finalize_object (fixture->gateway);
  manager_fixture_tear_down (&fixture->manager, data);
  g_unlink (fixture->gate);
  g_free (fixture->gate);
}

static char *
late_entry (Fixture *fixture)
{
  g_autofree char *words = g_strdup_printf (
    "--prompt hello --resource x:a=alpha --template y:{name} --late %s", fixture->gate);

  return manager_fixture_entry_of (&fixture->manager, "late", "context-server.py", words);
}

static void
open_client (Fixture *fixture, const char *role)
{
  if (fixture->gateway == NULL)
    fixture->gateway = gmcp_gateway_new (fixture->manager.manager);
  gmcp_gateway_set_role (fixture->gateway, role);
  server_fixture_set_up_with (&fixture->client, GMCP_TOOL_PROVIDER (fixture->gateway));
}

static void
request (Fixture *fixture, guint id, const char *method, const char *params)
{
  server_fixture_send (&fixture->client,
                       "{'jsonrpc':'2.0','id':%u,'method':'%s','params':{%s," MODERN_META "}}", id,
                       method, params);
}

static void
open_gate (Fixture *fixture)
{
  g_assert_true (g_file_set_contents (fixture->gate, "", 0, NULL));
}

/* The server has been started for the client, and answers nothing yet. */
static void
wait_for_start (Fixture *fixture)
{
  manager_fixture_wait_until (manager_fixture_count_log (&fixture->manager, "start") > 0);
  g_assert_cmpint (manager_fixture_get_state (&fixture->manager, "late"), ==,
                   GMCP_SERVER_STATE_STARTING);
  server_fixture_expect_nothing (&fixture->client);
}

static void
assert_answer (Fixture *fixture, guint id, const char *part)
{
  g_autoptr (GmcpJsonDoc) doc = server_fixture_take (&fixture->client);
  GmcpJsonValue root = gmcp_json_doc_get_root (doc);
  g_autofree char *text = gmcp_json_value_dup_raw (root);
  gint64 got_id = -1;

  g_test_message ("%s", text);
  gmcp_json_value_get_int64 (gmcp_json_value_get_member (root, "id"), &got_id);
  g_assert_cmpint (got_id, ==, id);
  g_assert_nonnull (strstr (text, part));
}

typedef struct
{
  const char *name;
  const char *method;
  const char *params;
  const char *answer; /* a part of it */
} Case;

static const Case cases[] = {
  /* That tool ends its server. */
  { "tool", "tools/call", "'name':'late__exit','arguments':{}", "isError" },
  { "prompt", "prompts/get", "'name':'late__hello','arguments':{'topic':'tea'}",
    "hello about tea" },
  { "resource", "resources/read", "'uri':'x:a'", "alpha 1" },
  { "made-resource", "resources/read", "'uri':'y:b'", "y:b 1" },
  { "argument", "completion/complete",
    "'ref':{'type':'ref/prompt','name':'late__hello'},'argument':{'name':'topic','value':'t'}",
    "t of hello" },
  { "variable", "completion/complete",
    "'ref':{'type':'ref/resource','uri':'y:{name}'},'argument':{'name':'name','value':'n'}",
    "n of y:{name}" },
};

static void
test_late (Fixture *fixture, gconstpointer data)
{
  const Case *each = data;

  g_test_summary ("what a server has that is not ready yet is waited for");
  manager_fixture_write (&fixture->manager, late_entry (fixture), NULL);
  open_client (fixture, NULL);
  request (fixture, 1, each->method, each->params);
  wait_for_start (fixture);
  open_gate (fixture);
  assert_answer (fixture, 1, each->answer);
}

static void
test_others (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a name that says whose it is waits for no other server");
  manager_fixture_write (
    &fixture->manager, late_entry (fixture),
    manager_fixture_entry_of (&fixture->manager, "good", "context-server.py", "--prompt hello"),
    NULL);
  open_client (fixture, NULL);
  request (fixture, 1, "prompts/get", "'name':'good__hello'");
  assert_answer (fixture, 1, "hello about nothing");
  request (fixture, 2, "prompts/get", "'name':'good__other'");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->client, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
  request (fixture, 3, "tools/call", "'name':'good__other'");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->client, "3", GMCP_RPC_ERROR_INVALID_PARAMS));
}

static void
test_unknown (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("once all have answered a name may still be nobody's");
  manager_fixture_write (&fixture->manager, late_entry (fixture), NULL);
  open_client (fixture, NULL);
  request (fixture, 1, "tools/call", "'name':'late__other'");
  request (fixture, 1, "prompts/get", "'name':'other'");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->client, "1", GMCP_RPC_ERROR_INVALID_REQUEST));
  request (fixture, 2, "prompts/get", "'name':'other'");
  request (fixture, 3, "resources/read", "'uri':'z:other'");
  wait_for_start (fixture);
  open_gate (fixture);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GmcpJsonDoc) doc = server_fixture_take (&fixture->client);
      g_autofree char *text = gmcp_json_value_dup_raw (gmcp_json_doc_get_root (doc));

      g_test_message ("%s", text);
      g_assert_nonnull (strstr (text, "\"code\":-32602,"));
      g_assert_nonnull (strstr (text, "other"));
    }
}

static void
test_failed (Fixture *fixture, gconstpointer data)
{
  g_test_summary (
    "what a server has that cannot be started is not called unknown without a reason");
  manager_fixture_write (&fixture->manager,
                         manager_fixture_entry (&fixture->manager, "bad", "--fail start"), NULL);
  g_object_set (fixture->manager.manager, "load-wait-ms", G_MAXUINT, NULL);
  open_client (fixture, NULL);
  request (fixture, 1, "tools/call", "'name':'bad__echo','arguments':{}");
  assert_answer (fixture, 1, "-32603,\"message\":\"The tool bad__echo cannot be reached");
  request (fixture, 2, "prompts/get", "'name':'bad__hello'");
  assert_answer (fixture, 2, "cannot start");
  request (
    fixture, 3, "completion/complete",
    "'ref':{'type':'ref/prompt','name':'bad__hello'},'argument':{'name':'topic','value':'t'}");
  assert_answer (fixture, 3, "-32603,\"message\":\"The prompt bad__hello cannot be reached");
}

static void
test_single (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("the same where one server is all that is served");
  manager_fixture_write (&fixture->manager,
                         manager_fixture_entry (&fixture->manager, "bad", "--fail start"), NULL);
  g_object_set (fixture->manager.manager, "load-wait-ms", G_MAXUINT, NULL);
  fixture->gateway = g_object_new (GMCP_TYPE_GATEWAY, "manager", fixture->manager.manager,
                                   "server-id", "bad", NULL);
  open_client (fixture, NULL);
  request (fixture, 1, "tools/call", "'name':'echo','arguments':{}");
  assert_answer (fixture, 1, "-32603,\"message\":\"The tool echo cannot be reached");
}

static void
test_closed (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("when the manager is closed what waits is answered so");
  manager_fixture_write (&fixture->manager, late_entry (fixture), NULL);
  open_client (fixture, NULL);
  request (fixture, 1, "prompts/get", "'name':'late__hello'");
  wait_for_start (fixture);
  manager_fixture_close (&fixture->manager);
  assert_answer (fixture, 1, "-32603,\"message\":\"The prompt late__hello cannot be reached");
}

static void
test_role (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("nobody waits for a server that is not for the gateway's role");
  manager_fixture_write (&fixture->manager, late_entry (fixture), NULL);
  open_client (fixture, "not-configured");
  request (fixture, 1, "tools/call", "'name':'late__exit'");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->client, "1", GMCP_RPC_ERROR_INVALID_PARAMS));
  request (fixture, 2, "prompts/get", "'name':'late__hello'");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->client, "2", GMCP_RPC_ERROR_INVALID_PARAMS));
  request (fixture, 3, "resources/read", "'uri':'x:a'");
  gmcp_json_doc_unref (
    server_fixture_expect_error (&fixture->client, "3", GMCP_RPC_ERROR_INVALID_PARAMS));
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a request that waits can be cancelled, and is never answered then");
  manager_fixture_write (&fixture->manager, late_entry (fixture), NULL);
  open_client (fixture, NULL);
  request (fixture, 1, "prompts/get", "'name':'late__hello'");
  request (fixture, 2, "tools/call", "'name':'late__exit'");
  request (fixture, 3, "resources/read", "'uri':'x:a'");
  wait_for_start (fixture);
  for (guint i = 1; i <= 3; i++)
    server_fixture_send (&fixture->client,
                         "{'jsonrpc':'2.0','method':'notifications/cancelled',"
                         "'params':{'requestId':%u," MODERN_META "}}",
                         i);
  open_gate (fixture);
  manager_fixture_wait_until (manager_fixture_get_state (&fixture->manager, "late")
                              == GMCP_SERVER_STATE_READY);
  request (fixture, 4, "prompts/get", "'name':'late__hello'");
  assert_answer (fixture, 4, "hello about nothing");
}

static void
test_gone (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a client may go, and the server with it, while requests wait");
  manager_fixture_write (&fixture->manager, late_entry (fixture), NULL);
  open_client (fixture, NULL);
  request (fixture, 1, "prompts/get", "'name':'late__hello'");
  request (fixture, 2, "tools/call", "'name':'late__exit'");
  request (fixture, 3, "resources/read", "'uri':'x:a'");
  wait_for_start (fixture);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/gateway/late-names/" name, Fixture, NULL, set_up, func, tear_down)

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/gateway/late-names/", cases[i].name, NULL);

      g_test_add (path, Fixture, &cases[i], set_up, test_late, tear_down);
    }
  ADD ("others", test_others);
  ADD ("unknown", test_unknown);
  ADD ("failed", test_failed);
  ADD ("single", test_single);
  ADD ("closed", test_closed);
  ADD ("role", test_role);
  ADD ("cancelled", test_cancelled);
  ADD ("gone", test_gone);
  return g_test_run ();
}
