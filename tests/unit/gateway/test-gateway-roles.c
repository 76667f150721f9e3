/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "manager-fixture.h"
#include "server-fixture.h"

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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/gateway/roles/instructions/all", Fixture, GINT_TO_POINTER (FALSE), set_up,
              test_instructions, tear_down);
  g_test_add ("/gateway/roles/instructions/search", Fixture, GINT_TO_POINTER (TRUE), set_up,
              test_instructions, tear_down);
  g_test_add ("/gateway/roles/instructions/manager", Fixture, NULL, set_up,
              test_manager_instructions, tear_down);
  return g_test_run ();
}
