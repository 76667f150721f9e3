/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "catalog-fixture.h"
#include "gmcp-name-scope-private.h"
#include "unit-test.h"

/* Which servers a name may mean. */

static GmcpNameScope
make_scope (CatalogFixture *fixture)
{
  return (GmcpNameScope){ fixture->servers, fixture->access, catalog_fixture_includes_server,
                          fixture->owner };
}

static void
assert_found (CatalogFixture *fixture,
              const char *name,
              const char *server,
              gboolean is_sure,
              const char *tool)
{
  const GmcpNameScope scope = make_scope (fixture);
  GmcpManagedServer *found;
  const char *rest = NULL;
  gboolean found_sure = !is_sure;

  found = gmcp_name_scope_find_server (&scope, name, &found_sure, &rest);
  g_assert_cmpstr (found != NULL ? gmcp_managed_server_get_id (found) : NULL, ==, server);
  g_assert_cmpint (found_sure, ==, is_sure);
  g_assert_cmpstr (rest, ==, tool);
}

static void
test_find_server (CatalogFixture *fixture, gconstpointer data)
{
  g_test_summary ("a name begins with its server; a single underscore may be the tool's own");
  catalog_fixture_configure (fixture, "one=echo my-server=echo");
  assert_found (fixture, "one.echo", "one", TRUE, "echo");
  assert_found (fixture, "one__echo", "one", TRUE, "echo");
  assert_found (fixture, "one__read_all.x", "one", TRUE, "read_all.x");
  assert_found (fixture, "one_echo", "one", FALSE, "echo");
  assert_found (fixture, "my-server__echo", "my-server", TRUE, "echo");
  assert_found (fixture, "mcp__one__echo", "one", TRUE, "echo");
  assert_found (fixture, "one", "one", FALSE, "");
  assert_found (fixture, "one.", "one", TRUE, "");
  assert_found (fixture, "one_", "one", FALSE, "");
  assert_found (fixture, "echo", NULL, FALSE, "");
  assert_found (fixture, "two.echo", NULL, TRUE, "echo");
  assert_found (fixture, "onetwo__echo", NULL, TRUE, "echo");
  assert_found (fixture, "", NULL, FALSE, "");
  assert_found (fixture, ".", NULL, TRUE, "");
  assert_found (fixture, "mcp__", NULL, FALSE, "");
}

static void
test_find_prefix (CatalogFixture *fixture, gconstpointer data)
{
  g_test_summary ("the prefix may be the name of a server, and nothing is sure then");
  catalog_fixture_configure (fixture, "mcp=echo one=echo");
  assert_found (fixture, "mcp__one__echo", "one", FALSE, "echo");
  assert_found (fixture, "mcp.echo", "mcp", TRUE, "echo");
  assert_found (fixture, "mcp_echo", "mcp", FALSE, "echo");
}

static void
test_has_server (CatalogFixture *fixture, gconstpointer data)
{
  const GmcpNameScope scope = make_scope (fixture);
  GmcpManagedServer *one, *two;

  g_test_summary ("a server that is left out, or that the role does not reach, has no such tool");
  catalog_fixture_add_role (fixture, "reader", "one.*");
  catalog_fixture_configure (fixture, "one=echo two=pid");
  one = catalog_fixture_find_server (fixture, "one");
  two = catalog_fixture_find_server (fixture, "two");
  g_assert_true (gmcp_name_scope_has_server (&scope, NULL, one));
  g_assert_true (gmcp_name_scope_has_server (&scope, NULL, two));
  g_assert_true (gmcp_name_scope_has_server (&scope, "reader", one));
  g_assert_false (gmcp_name_scope_has_server (&scope, "reader", two));

  fixture->excluded = "one";
  g_assert_false (gmcp_name_scope_has_server (&scope, NULL, one));
  g_assert_false (gmcp_name_scope_has_untried (&scope, "reader", NULL));
  g_assert_true (gmcp_name_scope_has_untried (&scope, NULL, NULL));
}

static void
test_may_have (CatalogFixture *fixture, gconstpointer data)
{
  const GmcpNameScope scope = make_scope (fixture);
  GmcpManagedServer *one;

  g_test_summary ("what the configuration leaves out a server does not have");
  fixture->keys = ",\"allowedTools\":[\"pid\"]";
  catalog_fixture_configure (fixture, "one=echo,pid");
  one = catalog_fixture_find_server (fixture, "one");
  g_assert_true (gmcp_name_scope_may_have_unknown (&scope, one, "pid"));
  g_assert_false (gmcp_name_scope_may_have_unknown (&scope, one, "echo"));
  /* A tool's name, or that of a server with a tool's, in another style. */
  g_assert_true (gmcp_name_scope_may_have_unknown (&scope, one, "read_all"));
  g_assert_true (gmcp_name_scope_may_have_unknown (&scope, one, "two.echo"));
  g_assert_true (gmcp_name_scope_may_have_unknown (&scope, one, "one"));

  g_assert_true (gmcp_name_scope_may_have_too (&scope, one, "pid"));
  g_assert_false (gmcp_name_scope_may_have_too (&scope, one, "echo"));
  g_assert_true (gmcp_name_scope_may_have_too (&scope, one, "one_echo"));
  g_assert_true (gmcp_name_scope_has_untried (&scope, NULL, "pid"));
  g_assert_false (gmcp_name_scope_has_untried (&scope, NULL, "echo"));
}

static void
test_unclear (CatalogFixture *fixture, gconstpointer data)
{
  const GmcpNameScope scope = make_scope (fixture);
  GmcpToolName found;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a bare name is unclear until the tools of all servers are known");
  catalog_fixture_configure (fixture, "one=echo two=pid");
  catalog_fixture_start_server (fixture, "one");
  g_assert_true (gmcp_tool_catalog_find (fixture->catalog, "echo", NULL, &found, &error));
  g_assert_no_error (error);
  g_assert_true (gmcp_name_scope_is_unclear (&scope, "echo", NULL, &found));
  g_assert_false (gmcp_name_scope_is_unclear (&scope, "one.echo", NULL, &found));
  g_assert_false (gmcp_name_scope_is_unclear (&scope, "one__echo", NULL, &found));

  catalog_fixture_start_server (fixture, "two");
  g_assert_true (gmcp_tool_catalog_find (fixture->catalog, "echo", NULL, &found, &error));
  g_assert_false (gmcp_name_scope_is_unclear (&scope, "echo", NULL, &found));
  g_assert_false (gmcp_name_scope_has_untried (&scope, NULL, NULL));
}

static void
test_failed (CatalogFixture *fixture, gconstpointer data)
{
  const GmcpNameScope scope = make_scope (fixture);
  GmcpManagedServer *two;

  g_test_summary ("servers that failed are counted for those that could have called them");
  catalog_fixture_add_role (fixture, "reader", "one.*");
  fixture->limits.servers.max_restart_attempts = 0;
  catalog_fixture_configure (fixture, "one=echo two=pid=--fail,start");
  g_assert_cmpuint (gmcp_name_scope_count_failed (&scope, NULL), ==, 0);
  two = catalog_fixture_find_server (fixture, "two");
  gmcp_managed_server_start_async (two, NULL, NULL, NULL);
  catalog_fixture_wait_until (gmcp_managed_server_get_state (two) == GMCP_SERVER_STATE_FAILED);
  g_assert_cmpuint (gmcp_name_scope_count_failed (&scope, NULL), ==, 1);
  g_assert_cmpuint (gmcp_name_scope_count_failed (&scope, "reader"), ==, 0);
  /* Where another server has the tool, this one holds nobody up. */
  g_assert_false (gmcp_name_scope_may_have_too (&scope, two, "pid"));
  g_assert_true (gmcp_name_scope_may_have_unknown (&scope, two, "pid"));

  fixture->excluded = "two";
  g_assert_cmpuint (gmcp_name_scope_count_failed (&scope, NULL), ==, 0);
}

static void
add_case (const char *path, void (*func) (CatalogFixture *, gconstpointer))
{
  g_test_add (path, CatalogFixture, NULL, catalog_fixture_set_up, func, catalog_fixture_tear_down);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  add_case ("/name-scope/find-server", test_find_server);
  add_case ("/name-scope/find-prefix", test_find_prefix);
  add_case ("/name-scope/has-server", test_has_server);
  add_case ("/name-scope/may-have", test_may_have);
  add_case ("/name-scope/unclear", test_unclear);
  add_case ("/name-scope/failed", test_failed);

  return g_test_run ();
}
