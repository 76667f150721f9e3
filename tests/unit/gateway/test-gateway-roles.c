/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "manager-fixture.h"
#include "server-fixture.h"
#include "unit-test.h"

/* What a client of a gateway with a role gets to know of servers that the role allows nothing of. */

typedef struct
{
  ManagerFixture manager;
  GmcpGateway *gateway;
  guint n_instructions_changed;
} Fixture;

static void
on_instructions_changed (GmcpToolProvider *provider, guint *n)
{
  ++*n;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  manager_fixture_set_up (&fixture->manager, data);
  manager_fixture_write (&fixture->manager,
                         manager_fixture_entry_of (&fixture->manager, "notes", "context-server.py",
                                                   "--resource x:a=alpha --instructions N"),
                         manager_fixture_entry_of (&fixture->manager, "tasks", "context-server.py",
                                                   "--resource y:a=others --instructions T"),
                         NULL);
  gmcp_resource_provider_get_resources (GMCP_RESOURCE_PROVIDER (fixture->manager.manager));
  error = manager_fixture_load (&fixture->manager, NULL);
  g_assert_no_error (error);
}

static void
open_gateway (Fixture *fixture, gboolean search)
{
  fixture->gateway
    = g_object_new (GMCP_TYPE_GATEWAY, "manager", fixture->manager.manager, "search", search, NULL);
  g_signal_connect (fixture->gateway, "instructions-changed", G_CALLBACK (on_instructions_changed),
                    &fixture->n_instructions_changed);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_assert_finalize_object (fixture->gateway);
  manager_fixture_tear_down (&fixture->manager, data);
}

/* A role that may use the tools of one server. Another one of its name takes its place. */
static void
set_role (Fixture *fixture, const char *name, const char *tools)
{
  const char *const allowed[] = { tools, NULL };
  g_autoptr (GmcpRole) role
    = g_object_new (GMCP_TYPE_ROLE, "name", name, "allowed-tools", allowed, NULL);

  gmcp_manager_add_role (fixture->manager.manager, role);
}

/* What a client is told that begins now. */
static void
assert_told (Fixture *fixture, const char *instructions)
{
  ServerFixture client = { 0 };
  g_autoptr (GmcpJsonDoc) answer = NULL;
  g_autofree char *told = NULL;
  GmcpJsonValue result;

  server_fixture_set_up_with (&client, GMCP_TOOL_PROVIDER (fixture->gateway));
  server_fixture_send (
    &client,
    "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
    "'capabilities':{},'clientInfo':{'name':'hand','version':'2'}}}");
  answer = server_fixture_take (&client);
  result = gmcp_json_value_get_member (gmcp_json_doc_get_root (answer), "result");
  g_assert_true (gmcp_json_value_is_present (result));
  told = gmcp_json_value_dup_string (gmcp_json_value_get_member (result, "instructions"));
  g_assert_cmpstr (told, ==, instructions);
  server_fixture_tear_down (&client, NULL);
}

static void
test_instructions (Fixture *fixture, gconstpointer search)
{
  g_test_summary ("a client is told only what the servers say that its role may use");
  open_gateway (fixture, GPOINTER_TO_INT (search));
  assert_told (fixture, "# notes\n\nN\n\n# tasks\n\nT\n");

  set_role (fixture, "reader", "notes.*");
  gmcp_gateway_set_role (fixture->gateway, "reader");
  g_assert_cmpuint (fixture->n_instructions_changed, >, 0);
  assert_told (fixture, "# notes\n\nN\n");

  g_test_message ("the rules are others");
  fixture->n_instructions_changed = 0;
  set_role (fixture, "reader", "tasks.*");
  g_assert_cmpuint (fixture->n_instructions_changed, >, 0);
  assert_told (fixture, "# tasks\n\nT\n");

  g_test_message ("nobody has configured that role");
  gmcp_gateway_set_role (fixture->gateway, "writer");
  assert_told (fixture, NULL);
}

static void
test_manager_instructions (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("the role of all calls holds for what the manager and its gateways tell");
  open_gateway (fixture, FALSE);
  set_role (fixture, "reader", "notes.*");
  gmcp_manager_set_role (fixture->manager.manager, "reader");
  g_assert_cmpstr (gmcp_manager_get_instructions (fixture->manager.manager), ==, "# notes\n\nN\n");
  assert_told (fixture, "# notes\n\nN\n");
  gmcp_manager_set_role (fixture->manager.manager, NULL);
  g_assert_cmpstr (gmcp_manager_get_instructions (fixture->manager.manager), ==,
                   "# notes\n\nN\n\n# tasks\n\nT\n");
}

/* The error of a request, or the text of a result that is one, without the name that was asked for. */
static char *
refuse (Fixture *fixture, const char *method, const char *params, const char *name)
{
  ServerFixture client = { 0 };
  g_autoptr (GmcpJsonDoc) answer = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) parts = NULL;

  server_fixture_set_up_with (&client, GMCP_TOOL_PROVIDER (fixture->gateway));
  server_fixture_send (&client,
                       "{'jsonrpc':'2.0','id':1,'method':'%s','params':{%s," MODERN_META "}}",
                       method, params);
  answer = server_fixture_take (&client);
  text = gmcp_json_value_dup_raw (gmcp_json_doc_get_root (answer));
  server_fixture_tear_down (&client, NULL);
  g_test_message ("%s", text);
  parts = g_strsplit (text, name, -1);
  return g_strjoinv ("NAME", parts);
}

static char *
read_resource (Fixture *fixture, const char *uri)
{
  g_autofree char *params = g_strdup_printf ("'uri':'%s'", uri);

  return refuse (fixture, "resources/read", params, uri);
}

static char *
call_found (Fixture *fixture, const char *name)
{
  g_autofree char *params
    = g_strdup_printf ("'name':'call_tool','arguments':{'name':'%s','arguments':{}}", name);

  return refuse (fixture, "tools/call", params, name);
}

static void
test_refusals (Fixture *fixture, gconstpointer data)
{
  g_autofree char *hidden_resource = NULL;
  g_autofree char *no_resource = NULL;
  g_autofree char *hidden_tool = NULL;
  g_autofree char *no_tool = NULL;
  g_autofree char *own_tool = NULL;

  g_test_summary ("what a role hides is refused as what is not there");
  open_gateway (fixture, TRUE);
  set_role (fixture, "reader", "notes.add");
  gmcp_gateway_set_role (fixture->gateway, "reader");
  hidden_resource = read_resource (fixture, "y:a");
  no_resource = read_resource (fixture, "z:a");
  g_assert_cmpstr (hidden_resource, ==, no_resource);
  g_assert_nonnull (strstr (no_resource, "NAME"));

  hidden_tool = call_found (fixture, "tasks.exit");
  no_tool = call_found (fixture, "never.gone");
  g_assert_cmpstr (hidden_tool, ==, no_tool);
  g_assert_nonnull (strstr (no_tool, "NAME"));

  g_test_message ("a tool of a server that the role may use otherwise");
  own_tool = call_found (fixture, "notes.exit");
  g_assert_cmpstr (own_tool, ==, no_tool);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/gateway/roles/instructions/all", Fixture, GINT_TO_POINTER (FALSE), set_up,
              test_instructions, tear_down);
  g_test_add ("/gateway/roles/instructions/search", Fixture, GINT_TO_POINTER (TRUE), set_up,
              test_instructions, tear_down);
  g_test_add ("/gateway/roles/instructions/manager", Fixture, NULL, set_up,
              test_manager_instructions, tear_down);
  g_test_add ("/gateway/roles/refusals", Fixture, NULL, set_up, test_refusals, tear_down);
  return g_test_run ();
}
