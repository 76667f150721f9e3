/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "manager-fixture.h"
#include "server-fixture.h"
#include "unit-test.h"

/* Clients of a gateway that want to hear of changes of resources. */

typedef struct
{
  ManagerFixture manager;
  GmcpGateway *gateway; /* whose client subscribes */
  ServerFixture client;
  guint n_updates;    /* that it has told */
  GmcpGateway *other; /* without a role */
  guint n_other;      /* updates there */
} Fixture;

static void
on_updated (GmcpResourceProvider *provider, const char *uri, guint *n_updates)
{
  ++*n_updates;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  manager_fixture_set_up (&fixture->manager, data);
  manager_fixture_write (&fixture->manager,
                         manager_fixture_entry_of (&fixture->manager, "notes", "context-server.py",
                                                   "--resource x:a=alpha --resource x:b=beta "
                                                   "--changes"),
                         NULL);
  gmcp_resource_provider_get_resources (GMCP_RESOURCE_PROVIDER (fixture->manager.manager));
  error = manager_fixture_load (&fixture->manager, NULL);
  g_assert_no_error (error);
  fixture->gateway = gmcp_gateway_new (fixture->manager.manager);
  fixture->other = gmcp_gateway_new (fixture->manager.manager);
  g_signal_connect (fixture->gateway, "resource-updated", G_CALLBACK (on_updated),
                    &fixture->n_updates);
  g_signal_connect (fixture->other, "resource-updated", G_CALLBACK (on_updated), &fixture->n_other);
  server_fixture_set_up_with (&fixture->client, GMCP_TOOL_PROVIDER (fixture->gateway));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  server_fixture_tear_down (&fixture->client, data);
  g_assert_finalize_object (fixture->other);
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

/* Whatever else comes before it. */
static void
wait_for_message (Fixture *fixture, const char *first_part, const char *second_part)
{
  gboolean found = FALSE;

  while (!found)
    {
      g_autoptr (GmcpJsonDoc) doc = server_fixture_take (&fixture->client);
      g_autofree char *text = gmcp_json_value_dup_raw (gmcp_json_doc_get_root (doc));

      found = strstr (text, first_part) != NULL && strstr (text, second_part) != NULL;
    }
}

static void
wait_for_update (Fixture *fixture)
{
  wait_for_message (fixture, "notifications/resources/updated", "\"x:a\"");
}

static void
begin_legacy (Fixture *fixture)
{
  server_fixture_send (
    &fixture->client,
    "{'jsonrpc':'2.0','id':0,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
    "'capabilities':{},'clientInfo':{'name':'hand','version':'2'}}}");
  server_fixture_send (&fixture->client, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
  for (guint i = 0; i < 2; i++)
    server_fixture_send (
      &fixture->client,
      "{'jsonrpc':'2.0','id':%u,'method':'resources/subscribe','params':{'uri':'x:%c'}}", i + 1,
      'a' + (int) i);
  wait_for_message (fixture, "\"id\":1,", "result");
  wait_for_message (fixture, "\"id\":2,", "result");
}

static void
begin_modern (Fixture *fixture)
{
  server_fixture_send (
    &fixture->client,
    "{'jsonrpc':'2.0','id':1,'method':'subscriptions/listen','params':{'notifications':"
    "{'resourceSubscriptions':['x:a','x:b']}," MODERN_META "}}");
  wait_for_message (fixture, "notifications/subscriptions/acknowledged", "\"x:a\"");
}

/* Changes x:a, and waits until the one who may hear it has. */
static void
change_resource (Fixture *fixture)
{
  guint n_before = fixture->n_other;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  text = manager_fixture_call (&fixture->manager, "notes__add", "{\"uri\":\"x:a\"}", NULL, &error);
  g_assert_no_error (error);
  manager_fixture_wait_until (fixture->n_other > n_before);
}

static void
test_role (Fixture *fixture, gconstpointer era)
{
  GmcpResourceProvider *other = GMCP_RESOURCE_PROVIDER (fixture->other);

  g_test_summary ("no server is listened to for a role that may not use it, and nothing is told");
  set_role (fixture, "reader", "others.*");
  gmcp_gateway_set_role (fixture->gateway, "reader");
  if (g_str_equal (era, "legacy"))
    begin_legacy (fixture);
  else
    begin_modern (fixture);

  gmcp_resource_provider_subscribe (other, "x:a");
  change_resource (fixture);
  g_assert_cmpuint (fixture->n_updates, ==, 0);
  g_assert_cmpuint (manager_fixture_count_log (&fixture->manager, "subscribe"), ==, 1);

  g_test_message ("the rules let it");
  set_role (fixture, "reader", "notes.*");
  manager_fixture_wait_until (manager_fixture_count_log (&fixture->manager, "subscribe") == 2);
  change_resource (fixture);
  wait_for_update (fixture);
  g_assert_cmpuint (fixture->n_updates, ==, 1);

  g_test_message ("they do not any more");
  set_role (fixture, "reader", "others.*");
  manager_fixture_wait_until (manager_fixture_count_log (&fixture->manager, "unsubscribe") == 1);
  change_resource (fixture);
  g_assert_cmpuint (fixture->n_updates, ==, 1);

  g_test_message ("what may have been missed is told where the role is another");
  gmcp_gateway_set_role (fixture->gateway, NULL);
  g_assert_cmpuint (fixture->n_updates, ==, 3);
  wait_for_update (fixture);
  gmcp_resource_provider_unsubscribe (other, "x:a");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/gateway/subscriptions/role/legacy", Fixture, "legacy", set_up, test_role,
              tear_down);
  g_test_add ("/gateway/subscriptions/role/modern", Fixture, "modern", set_up, test_role,
              tear_down);
  return g_test_run ();
}
