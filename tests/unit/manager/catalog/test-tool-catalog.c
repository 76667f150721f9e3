/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "catalog-fixture.h"
#include "gmcp-given-names-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* The catalog of tools, which no manager has. */

static char *
dup_list (CatalogFixture *fixture)
{
  GListModel *tools = gmcp_tool_catalog_get_tools (fixture->catalog);
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (tools); i++)
    {
      g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

      g_string_append_printf (names, "%s%s", i > 0 ? " " : "",
                              gmcp_definition_get_name (GMCP_DEFINITION (tool)));
    }
  return g_string_free (names, FALSE);
}

static void
assert_list (CatalogFixture *fixture, const char *names)
{
  g_autofree char *list = dup_list (fixture);

  g_assert_cmpstr (list, ==, names);
}

static GmcpCatalogEntry *
find (CatalogFixture *fixture, const char *name, const char *role)
{
  g_autoptr (GError) error = NULL;
  GmcpToolName found;

  if (!gmcp_tool_catalog_find (fixture->catalog, name, role, &found, &error))
    {
      g_assert_nonnull (error);
      return NULL;
    }

  g_assert_cmpstr (
    gmcp_definition_get_name (GMCP_DEFINITION (gmcp_catalog_entry_get_tool (found.data))), ==,
    found.listed);
  return found.data;
}

static void
begin_counting (CatalogFixture *fixture)
{
  fixture->n_rules_changed = 0;
  fixture->n_instructions_changed = 0;
  fixture->n_list_changed = 0;
  fixture->n_judged = gmcp_tool_catalog_get_n_judged (fixture->catalog);
}

static guint
count_judged (CatalogFixture *fixture)
{
  return gmcp_tool_catalog_get_n_judged (fixture->catalog) - fixture->n_judged;
}

static void
test_list (CatalogFixture *fixture, gconstpointer data)
{
  const char *server, *tool;
  GmcpCatalogEntry *entry;

  g_test_summary ("tools are listed and found in the order of their servers, until those leave");
  catalog_fixture_start (fixture, "two=pid one=pid,echo");
  assert_list (fixture, "two__pid one__pid one__echo");
  g_assert_cmpstr (gmcp_tool_catalog_get_instructions (fixture->catalog), ==,
                   "# two\n\nAsk two\n\n# one\n\nAsk one\n");

  entry = find (fixture, "echo", NULL);
  g_assert_true (gmcp_catalog_entry_get_server (entry)
                 == gmcp_server_table_find (fixture->servers, "one"));
  g_assert_true (find (fixture, "one.echo", NULL) == entry);
  g_assert_true (gmcp_tool_catalog_lookup (fixture->catalog, "one", "echo") == entry);
  g_assert_null (gmcp_tool_catalog_lookup (fixture->catalog, "two", "echo"));
  g_assert_null (find (fixture, "pid", NULL));

  begin_counting (fixture);
  catalog_fixture_configure (fixture, "two=pid");
  assert_list (fixture, "two__pid");
  g_assert_cmpuint (fixture->n_list_changed, ==, 1);
  g_assert_cmpuint (fixture->n_instructions_changed, ==, 1);
  g_assert_null (find (fixture, "one__echo", NULL));
  g_assert_true (gmcp_tool_catalog_recall (fixture->catalog, "one__echo", &server, &tool));
  g_assert_cmpstr (server, ==, "one");
  g_assert_cmpstr (tool, ==, "echo");
}

static void
test_rules (CatalogFixture *fixture, gconstpointer data)
{
  g_auto (GmcpPolicyDecision) decision = { 0 };
  GmcpCatalogEntry *entry;

  g_test_summary ("each tool is judged once after all rules that change, and it is told of once");
  catalog_fixture_add_role (fixture, "one", "*.pid");
  catalog_fixture_add_role (fixture, "other", "one.*");
  catalog_fixture_start (fixture, "one=pid,echo two=pid");
  entry = find (fixture, "one__echo", NULL);
  begin_counting (fixture);
  gmcp_tool_catalog_hold_rules (fixture->catalog);
  gmcp_policy_set_role (fixture->rules, "other");
  gmcp_tool_catalog_refresh_rules (fixture->catalog);
  gmcp_policy_set_role (fixture->rules, "one");
  gmcp_tool_catalog_refresh_rules (fixture->catalog);
  g_assert_cmpuint (count_judged (fixture), ==, 0);
  gmcp_tool_catalog_release_rules (fixture->catalog);
  assert_list (fixture, "one__pid two__pid");
  g_assert_cmpuint (count_judged (fixture), ==, 3);
  g_assert_cmpuint (fixture->n_rules_changed, ==, 1);
  g_assert_cmpuint (fixture->n_list_changed, ==, 1);

  g_assert_false (gmcp_tool_catalog_peek_decision (fixture->catalog, entry)->allowed);
  gmcp_tool_catalog_judge (fixture->catalog, find (fixture, "two__pid", NULL), "other", &decision);
  g_assert_false (decision.allowed);
  /* Of two tools that a name may mean, the one that the role allows is meant. */
  g_assert_null (find (fixture, "pid", NULL));
  g_assert_true (find (fixture, "pid", "other") == find (fixture, "one__pid", NULL));

  begin_counting (fixture);
  gmcp_tool_catalog_hold_rules (fixture->catalog);
  gmcp_policy_set_role (fixture->rules, NULL);
  gmcp_tool_catalog_refresh_rules (fixture->catalog);
  g_assert_true (gmcp_tool_catalog_peek_decision (fixture->catalog, entry)->allowed);
  assert_list (fixture, "one__pid two__pid");
  gmcp_tool_catalog_release_rules (fixture->catalog);
  assert_list (fixture, "one__pid one__echo two__pid");
  g_assert_cmpuint (count_judged (fixture), ==, 3);
}

static void
test_included (CatalogFixture *fixture, gconstpointer data)
{
  g_test_summary ("a tool of a server that is left out is found and not listed");
  fixture->excluded = "two";
  catalog_fixture_start (fixture, "one=pid two=echo");
  assert_list (fixture, "one__pid");
  g_assert_cmpstr (gmcp_tool_catalog_get_instructions (fixture->catalog), ==, "# one\n\nAsk one\n");
  g_assert_nonnull (find (fixture, "two__echo", NULL));

  fixture->excluded = NULL;
  gmcp_tool_catalog_refresh_list (fixture->catalog);
  gmcp_tool_catalog_refresh_instructions (fixture->catalog);
  assert_list (fixture, "one__pid two__echo");
  g_assert_cmpstr (gmcp_tool_catalog_get_instructions (fixture->catalog), ==,
                   "# one\n\nAsk one\n\n# two\n\nAsk two\n");
}

static void
test_hold (CatalogFixture *fixture, gconstpointer data)
{
  g_test_summary ("what two servers list is told of once");
  gmcp_tool_catalog_hold (fixture->catalog);
  catalog_fixture_start (fixture, "one=pid two=echo");
  assert_list (fixture, "");
  g_assert_nonnull (find (fixture, "one__pid", NULL));
  gmcp_tool_catalog_release (fixture->catalog);
  assert_list (fixture, "one__pid two__echo");
  g_assert_cmpuint (fixture->n_list_changed, ==, 1);
}

static void
test_style (CatalogFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTool) listed = NULL;
  GmcpManagedServer *server;
  GmcpTool *tool;

  g_test_summary ("a style holds for all tools, and former names are still found");
  catalog_fixture_start (fixture, "one=pid two=echo");
  server = gmcp_server_table_find (fixture->servers, "one");
  tool = g_ptr_array_index (gmcp_managed_server_peek_tools (server), 0);
  g_assert_true (gmcp_tool_catalog_take_names (fixture->catalog, NULL, NULL));
  assert_list (fixture, "one__pid two__echo");
  gmcp_tool_catalog_set_style (fixture->catalog, GMCP_TOOL_NAME_STYLE_BARE);
  assert_list (fixture, "pid echo");
  g_assert_true (find (fixture, "two__echo", NULL) == find (fixture, "echo", NULL));
  listed = gmcp_tool_catalog_dup_listed (fixture->catalog, server, tool);
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (listed)), ==, "pid");

  /* Another program has given the name to another tool. */
  begin_counting (fixture);
  {
    g_autoptr (GmcpGivenNames) given = gmcp_given_names_new ();
    g_autoptr (GBytes) bytes = NULL;
    gboolean is_new;

    gmcp_given_names_give (given, "echo", "one", "echo", &is_new);
    bytes = gmcp_given_names_write (given);
    g_assert_true (gmcp_tool_catalog_take_names (fixture->catalog, bytes, NULL));
  }
  assert_list (fixture, "pid two__echo");
  g_assert_cmpuint (fixture->n_list_changed, ==, 1);
}

static void
test_bad_files (CatalogFixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("{", 1);
  g_autoptr (GError) error = NULL;

  g_test_summary ("files that are none change nothing");
  catalog_fixture_start (fixture, "one=pid");
  begin_counting (fixture);
  g_assert_false (gmcp_tool_catalog_take_names (fixture->catalog, bytes, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (gmcp_tool_catalog_take_pins (fixture->catalog, bytes, &error));
  g_assert_nonnull (error);
  g_assert_cmpuint (fixture->n_list_changed, ==, 0);
  assert_list (fixture, "one__pid");
}

static void
on_called (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpToolResult) answer = NULL;
  g_autoptr (GError) error = NULL;

  /* The server may be stopped before it has answered. */
  answer = gmcp_client_call_tool_finish (GMCP_CLIENT (object), result, &error);
  *(gboolean *) data = TRUE;
}

/* The server changes what it says of its tool. */
static void
change_tool (CatalogFixture *fixture)
{
  GmcpManagedServer *server = gmcp_server_table_find (fixture->servers, "one");
  gboolean is_called = FALSE;

  gmcp_client_call_tool_json_async (gmcp_managed_server_get_client (server), "describe", NULL, NULL,
                                    NULL, on_called, &is_called);
  catalog_fixture_wait_until (is_called && fixture->warning != NULL);
}

static void
test_pins (CatalogFixture *fixture, gconstpointer data)
{
  gboolean clears = GPOINTER_TO_INT (data);

  g_test_summary ("a tool that changes is told of; whoever is told may take the server away");
  gmcp_pin_store_set_policy (fixture->pins, GMCP_PIN_POLICY_WITHHOLD);
  g_assert_true (gmcp_tool_catalog_take_pins (fixture->catalog, NULL, NULL));
  catalog_fixture_start (fixture, "one=describe,pid two=pid");
  assert_list (fixture, "one__describe one__pid two__pid");
  fixture->clears_at_warning = clears;
  change_tool (fixture);
  g_assert_true (g_str_has_prefix (fixture->warning, "one: "));
  g_assert_nonnull (strstr (fixture->warning, "one.describe"));
  assert_list (fixture, clears ? "" : "one__pid two__pid");
  g_assert_cmpint (find (fixture, "one.pid", NULL) == NULL, ==, clears);
}

static void
add_case (const char *path, gconstpointer data, void (*func) (CatalogFixture *, gconstpointer))
{
  g_test_add (path, CatalogFixture, data, catalog_fixture_set_up, func, catalog_fixture_tear_down);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  add_case ("/tool-catalog/list", NULL, test_list);
  add_case ("/tool-catalog/rules", NULL, test_rules);
  add_case ("/tool-catalog/included", NULL, test_included);
  add_case ("/tool-catalog/hold", NULL, test_hold);
  add_case ("/tool-catalog/style", NULL, test_style);
  add_case ("/tool-catalog/bad-files", NULL, test_bad_files);
  add_case ("/tool-catalog/pins", GINT_TO_POINTER (FALSE), test_pins);
  add_case ("/tool-catalog/pins-cleared", GINT_TO_POINTER (TRUE), test_pins);

  return g_test_run ();
}
