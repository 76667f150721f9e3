/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-given-names-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-manager-limits-private.h"
#include "gmcp-tool-catalog-private.h"
#include "list-provider.h"

#include <gmcp/gmcp.h>

/* The catalog of tools, which no manager has. */

#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    while (!(condition))                                                                           \
      g_main_context_iteration (NULL, TRUE);                                                       \
  }                                                                                                \
  G_STMT_END

typedef struct
{
  ListProvider *owner; /* whose own tools are nobody's concern here */
  char *dir;
  GmcpStateStore *state;
  GmcpRedactor *redactor;
  GmcpPolicy *rules;
  GmcpPinStore *pins;
  GmcpApprovals *approvals;
  GmcpServerTable *servers;
  GmcpToolAccess *access;
  GmcpToolCatalog *catalog;
  const char *excluded; /* id of a server; NULL for none */
  char *warning;
  gboolean clears_at_warning;
  guint n_rules_changed;
  guint n_instructions_changed;
  guint n_list_changed;
  guint n_judged;
} Fixture;

static Fixture *
get_fixture (gpointer owner)
{
  return g_object_get_data (owner, "fixture");
}

static gboolean
take_pins (gpointer owner, GBytes *bytes, GError **error)
{
  return gmcp_tool_catalog_take_pins (get_fixture (owner)->catalog, bytes, error);
}

static gboolean
take_names (gpointer owner, GBytes *bytes, GError **error)
{
  return gmcp_tool_catalog_take_names (get_fixture (owner)->catalog, bytes, error);
}

static void
fail_with (gpointer owner, const char *message)
{
  g_error ("%s", message);
}

static void
ignore_end (gpointer owner)
{
}

static GmcpManagedServer *
make_server (GmcpServerConfig *config, gpointer data)
{
  Fixture *fixture = data;
  GmcpManagerLimits limits;
  GmcpManagedServer *server;

  gmcp_manager_limits_init (&limits);
  server = gmcp_managed_server_new (config, &limits.servers);
  gmcp_tool_catalog_add_server (fixture->catalog, server);
  return server;
}

static void
on_server_left (GmcpManagedServer *server, gpointer data)
{
  gmcp_tool_catalog_remove_server (((Fixture *) data)->catalog, server);
}

static void
on_items_changed (guint position, guint n_removed, guint n_added, gpointer data)
{
}

static void
on_notice (GmcpManagedServer *server, GmcpNoticeLevel level, const char *message, gpointer data)
{
}

static void
on_all_gone (gpointer data)
{
}

static GmcpServerConfig *
find_config (const char *id, gpointer data)
{
  GmcpManagedServer *server = gmcp_server_table_find (data, id);

  return server != NULL ? gmcp_managed_server_get_config (server) : NULL;
}

static gboolean
includes_server (GmcpManagedServer *server, gpointer owner)
{
  return g_strcmp0 (gmcp_managed_server_get_id (server), get_fixture (owner)->excluded) != 0;
}

static void
on_rules_changed (gpointer owner)
{
  get_fixture (owner)->n_rules_changed++;
}

static void
on_instructions_changed (gpointer owner)
{
  get_fixture (owner)->n_instructions_changed++;
}

/* SERVER=TOOL,TOOL SERVER=TOOL … */
static void
configure (Fixture *fixture, const char *servers)
{
  g_autoptr (GPtrArray) configs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
  g_auto (GStrv) words = g_strsplit (servers, " ", -1);

  for (gsize i = 0; words[i] != NULL && *words[i] != '\0'; i++)
    {
      char *tools = strchr (words[i], '=');
      g_autofree char *json = NULL;
      g_autoptr (GError) error = NULL;

      *tools++ = '\0';
      json
        = g_strdup_printf ("{\"command\":\"/usr/bin/python3\",\"args\":[\"-S\",\"%s\",\"--tools\","
                           "\"%s\",\"--instructions\",\"Ask %s\"]}",
                           script, tools, words[i]);
      g_ptr_array_add (configs, gmcp_server_config_new_from_json (words[i], json, &error));
      g_assert_no_error (error);
    }

  gmcp_tool_catalog_hold (fixture->catalog);
  gmcp_server_table_set_configs (fixture->servers, configs);
  gmcp_tool_catalog_refresh_instructions (fixture->catalog);
  gmcp_tool_catalog_release (fixture->catalog);
}

static void
warn (const char *server_id, const char *message, gpointer owner)
{
  Fixture *fixture = get_fixture (owner);

  g_free (fixture->warning);
  fixture->warning = g_strdup_printf ("%s: %s", server_id, message);
  if (fixture->clears_at_warning)
    configure (fixture, "");
}

static void
on_list_changed (Fixture *fixture)
{
  fixture->n_list_changed++;
}

static void
make_catalog (Fixture *fixture)
{
  static const GmcpToolCatalogHooks hooks = {
    .includes_server = includes_server,
    .rules_changed = on_rules_changed,
    .instructions_changed = on_instructions_changed,
    .warn = warn,
  };
  const GmcpToolCatalogParts parts = {
    .servers = fixture->servers,
    .access = fixture->access,
    .pins = fixture->pins,
    .state = fixture->state,
    .redactor = fixture->redactor,
  };

  fixture->catalog = gmcp_tool_catalog_new (&parts, &hooks, G_OBJECT (fixture->owner));
  g_signal_connect_swapped (gmcp_tool_catalog_get_tools (fixture->catalog), "items-changed",
                            G_CALLBACK (on_list_changed), fixture);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) folder = NULL;
  static const GmcpStateKind kinds[] = {
    { GMCP_TOOL_PINS_FILE, FALSE, take_pins, NULL },
    { GMCP_GIVEN_NAMES_FILE, FALSE, take_names, NULL },
  };
  static const GmcpStateStoreFuncs funcs = { fail_with, ignore_end };
  static const GmcpServerTableHooks hooks = {
    .make_server = make_server,
    .server_left = on_server_left,
    .items_changed = on_items_changed,
    .notice = on_notice,
    .all_gone = on_all_gone,
  };

  fixture->owner = list_provider_new ();
  g_object_set_data (G_OBJECT (fixture->owner), "fixture", fixture);
  fixture->dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  fixture->state = gmcp_state_store_new (G_OBJECT (fixture->owner), g_main_context_default (),
                                         kinds, G_N_ELEMENTS (kinds), &funcs);
  folder = g_file_new_for_path (fixture->dir);
  gmcp_state_store_set_folder (fixture->state, folder);
  fixture->redactor = gmcp_redactor_new ();
  fixture->rules = gmcp_policy_new ();
  fixture->pins = gmcp_pin_store_new (fixture->state);
  fixture->approvals = gmcp_approvals_new (GMCP_TOOL_PROVIDER (fixture->owner),
                                           g_main_context_default (), fixture->state, ignore_end);
  fixture->servers = gmcp_server_table_new (&hooks, fixture);
  fixture->access = gmcp_tool_access_new (fixture->rules, fixture->pins, fixture->approvals,
                                          find_config, fixture->servers);
  make_catalog (fixture);
}

static void
remove_files (Fixture *fixture)
{
  static const char *const names[] = { GMCP_TOOL_PINS_FILE, GMCP_TOOL_PINS_FILE ".lock",
                                       GMCP_GIVEN_NAMES_FILE, GMCP_GIVEN_NAMES_FILE ".lock" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (fixture->dir, names[i], NULL);

      if (g_unlink (path) != 0)
        g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
  g_rmdir (fixture->dir);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  fixture->clears_at_warning = FALSE;
  configure (fixture, "");
  wait_until (!gmcp_server_table_has_leaving (fixture->servers)
              && !gmcp_state_store_is_keeping (fixture->state));
  g_assert_finalize_object (fixture->owner);
  gmcp_tool_catalog_free (fixture->catalog);
  gmcp_tool_access_free (fixture->access);
  gmcp_server_table_free (fixture->servers);
  gmcp_approvals_free (fixture->approvals);
  gmcp_pin_store_free (fixture->pins);
  gmcp_policy_free (fixture->rules);
  gmcp_redactor_free (fixture->redactor);
  gmcp_state_store_free (fixture->state);
  remove_files (fixture);
  g_free (fixture->dir);
  g_free (fixture->warning);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_managed_server_refresh_finish (GMCP_MANAGED_SERVER (object), result, &error);
  g_assert_no_error (error);
  ++*(guint *) data;
}

/* Configures the servers and waits until all have listed their tools. */
static void
start (Fixture *fixture, const char *servers)
{
  g_autoptr (GPtrArray) made = NULL;
  guint n_started = 0;

  configure (fixture, servers);
  made = gmcp_server_table_list (fixture->servers);
  for (guint i = 0; i < made->len; i++)
    gmcp_managed_server_refresh_async (g_ptr_array_index (made, i), NULL, on_started, &n_started);
  wait_until (n_started == made->len);
}

static char *
dup_list (Fixture *fixture)
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
assert_list (Fixture *fixture, const char *names)
{
  g_autofree char *list = dup_list (fixture);

  g_assert_cmpstr (list, ==, names);
}

static GmcpCatalogEntry *
find (Fixture *fixture, const char *name, const char *role)
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
begin_counting (Fixture *fixture)
{
  fixture->n_rules_changed = 0;
  fixture->n_instructions_changed = 0;
  fixture->n_list_changed = 0;
  fixture->n_judged = gmcp_tool_catalog_get_n_judged (fixture->catalog);
}

static guint
count_judged (Fixture *fixture)
{
  return gmcp_tool_catalog_get_n_judged (fixture->catalog) - fixture->n_judged;
}

static void
test_list (Fixture *fixture, gconstpointer data)
{
  const char *server, *tool;
  GmcpCatalogEntry *entry;

  g_test_summary ("tools are listed and found in the order of their servers, until those leave");
  start (fixture, "two=pid one=pid,echo");
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
  configure (fixture, "two=pid");
  assert_list (fixture, "two__pid");
  g_assert_cmpuint (fixture->n_list_changed, ==, 1);
  g_assert_cmpuint (fixture->n_instructions_changed, ==, 1);
  g_assert_null (find (fixture, "one__echo", NULL));
  g_assert_true (gmcp_tool_catalog_recall (fixture->catalog, "one__echo", &server, &tool));
  g_assert_cmpstr (server, ==, "one");
  g_assert_cmpstr (tool, ==, "echo");
}

static GmcpRole *
add_role (Fixture *fixture, const char *name, const char *rule)
{
  const char *const rules[] = { rule, NULL };
  GmcpRole *role = gmcp_role_new (name, rules, NULL);

  gmcp_policy_add_role (fixture->rules, role);
  return role;
}

static void
test_rules (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpRole) one G_GNUC_UNUSED = add_role (fixture, "one", "*.pid");
  g_autoptr (GmcpRole) other G_GNUC_UNUSED = add_role (fixture, "other", "one.*");
  g_auto (GmcpPolicyDecision) decision = { 0 };
  GmcpCatalogEntry *entry;

  g_test_summary ("each tool is judged once after all rules that change, and it is told of once");
  start (fixture, "one=pid,echo two=pid");
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
test_included (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a tool of a server that is left out is found and not listed");
  fixture->excluded = "two";
  start (fixture, "one=pid two=echo");
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
test_hold (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what two servers list is told of once");
  gmcp_tool_catalog_hold (fixture->catalog);
  start (fixture, "one=pid two=echo");
  assert_list (fixture, "");
  g_assert_nonnull (find (fixture, "one__pid", NULL));
  gmcp_tool_catalog_release (fixture->catalog);
  assert_list (fixture, "one__pid two__echo");
  g_assert_cmpuint (fixture->n_list_changed, ==, 1);
}

static void
test_style (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpTool) listed = NULL;
  GmcpManagedServer *server;
  GmcpTool *tool;

  g_test_summary ("a style holds for all tools, and former names are still found");
  start (fixture, "one=pid two=echo");
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
test_bad_files (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("{", 1);
  g_autoptr (GError) error = NULL;

  g_test_summary ("files that are none change nothing");
  start (fixture, "one=pid");
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
change_tool (Fixture *fixture)
{
  GmcpManagedServer *server = gmcp_server_table_find (fixture->servers, "one");
  gboolean is_called = FALSE;

  gmcp_client_call_tool_json_async (gmcp_managed_server_get_client (server), "describe", NULL, NULL,
                                    NULL, on_called, &is_called);
  wait_until (is_called && fixture->warning != NULL);
}

static void
test_pins (Fixture *fixture, gconstpointer data)
{
  gboolean clears = GPOINTER_TO_INT (data);

  g_test_summary ("a tool that changes is told of; whoever is told may take the server away");
  gmcp_pin_store_set_policy (fixture->pins, GMCP_PIN_POLICY_WITHHOLD);
  g_assert_true (gmcp_tool_catalog_take_pins (fixture->catalog, NULL, NULL));
  start (fixture, "one=describe,pid two=pid");
  assert_list (fixture, "one__describe one__pid two__pid");
  fixture->clears_at_warning = clears;
  change_tool (fixture);
  g_assert_true (g_str_has_prefix (fixture->warning, "one: "));
  g_assert_nonnull (strstr (fixture->warning, "one.describe"));
  assert_list (fixture, clears ? "" : "one__pid two__pid");
  g_assert_cmpint (find (fixture, "one.pid", NULL) == NULL, ==, clears);
}

static void
add_case (const char *path, gconstpointer data, void (*func) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, data, set_up, func, tear_down);
}

int
main (int argc, char *argv[])
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
