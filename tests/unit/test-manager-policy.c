/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "manager-fixture.h"

static void
add_role (ManagerFixture *fixture, const char *name, const char *allowed, const char *denied)
{
  g_auto (GStrv) allowed_tools = g_strsplit (allowed, " ", -1);
  g_auto (GStrv) denied_tools = g_strsplit (denied, " ", -1);
  g_autoptr (GmcpRole) role
    = gmcp_role_new (name, (const char *const *) allowed_tools, (const char *const *) denied_tools);

  gmcp_manager_add_role (fixture->manager, role);
}

static void
assert_refused (ManagerFixture *fixture,
                const char *name,
                GmcpCallOptions *options,
                const char *rule)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  guint n_calls = manager_fixture_count_log (fixture, "call");

  g_test_message ("%s", name);
  text = manager_fixture_call (fixture, name, "{}", options, &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_nonnull (strstr (error->message, rule));
  g_assert_null (text);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call"), ==, n_calls);
}

static void
assert_called (ManagerFixture *fixture, const char *name, GmcpCallOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = manager_fixture_call (fixture, name, "{}", options, &error);

  g_assert_no_error (error);
  g_assert_nonnull (text);
}

static void
assert_not_found (ManagerFixture *fixture, const char *name)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gmcp_tool_provider_find_tool (fixture->provider, name, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
}

static void
test_every_name (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const names[]
    = { "one__drop", "one.drop", "mcp__one__drop", "one_drop", "drop" };

  g_test_summary ("a tool that is denied is neither listed, found nor called, by any of its names");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools read,drop"),
                         manager_fixture_entry (fixture, "two", "--tools read"), NULL);
  add_role (fixture, "review", "*", "one.drop");
  gmcp_manager_set_role (fixture->manager, "review");

  /* Before anything is known of the server, too. */
  assert_refused (fixture, "one.drop", NULL, "role review, denied-tools: one.drop");

  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__read two__read");
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      assert_refused (fixture, names[i], NULL, "role review, denied-tools: one.drop");
      assert_not_found (fixture, names[i]);
    }
  assert_called (fixture, "one__read", NULL);

  for (int style = GMCP_TOOL_NAME_STYLE_SERVER_TOOL; style <= GMCP_TOOL_NAME_STYLE_BARE; style++)
    {
      gmcp_manager_set_tool_name_style (fixture->manager, style);
      g_assert_cmpuint (g_list_model_get_n_items (fixture->tools), ==, 2);
      for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
        assert_refused (fixture, names[i], NULL, "role review");
    }
}

static void
test_hostile_names (ManagerFixture *fixture, gconstpointer data)
{
  static const char long_name[]
    = "a_tool_with_a_name_that_is_much_longer_than_what_a_model_can_be_told_of";
  g_autofree char *words
    = g_strdup_printf ("--tools two__drop,two.drop,b.c,%s,drop,%s2", long_name, long_name);
  g_autofree char *denied = g_strdup_printf ("two.drop one.%s one.b.c", long_name);
  g_autofree char *listed = NULL;
  g_autofree char *one = g_strdup_printf ("one.%s", long_name);
  g_autofree char *other = g_strdup_printf ("one.%s2", long_name);

  g_test_summary ("rules are about what a name was resolved to, not about how it reads");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", words),
                         manager_fixture_entry (fixture, "two", "--tools drop"), NULL);
  add_role (fixture, "careful", "*", denied);
  gmcp_manager_set_role (fixture->manager, "careful");
  g_assert_null (manager_fixture_load (fixture, NULL));

  /* The tools of one that are named like those of two are its own. */
  assert_called (fixture, "one.two__drop", NULL);
  assert_called (fixture, "one.two.drop", NULL);
  assert_called (fixture, "one__two__drop", NULL);
  assert_called (fixture, "one.drop", NULL);
  assert_refused (fixture, "two__drop", NULL, "two.drop");
  assert_refused (fixture, "two.drop", NULL, "two.drop");
  assert_refused (fixture, "mcp__two__drop", NULL, "two.drop");
  assert_refused (fixture, "one.b.c", NULL, "one.b.c");

  /* A name that was shortened for the list. */
  assert_refused (fixture, one, NULL, long_name);
  assert_called (fixture, other, NULL);
  listed = manager_fixture_list (fixture);
  g_assert_null (strstr (listed, "one__b_c"));
  g_assert_cmpuint (g_list_model_get_n_items (fixture->tools), ==, 4);
}

static void
test_later (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("a tool that appears later is judged like the others");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools add,echo"), NULL);
  add_role (fixture, "review", "one.add one.echo one.new_*", "*.*_drop");
  gmcp_manager_set_role (fixture->manager, "review");
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_free (manager_fixture_call (fixture, "one.add", "{\"name\":\"new_drop\"}", NULL, NULL));
  g_free (manager_fixture_call (fixture, "one.add", "{\"name\":\"other\"}", NULL, NULL));
  g_free (manager_fixture_call (fixture, "one.add", "{\"name\":\"new_read\"}", NULL, NULL));
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->tools) == 3);
  manager_fixture_assert_tools (fixture, "one__add one__echo one__new_read");
  assert_refused (fixture, "one__new_drop", NULL, "*.*_drop");
  assert_refused (fixture, "other", NULL, "not in allowed-tools");
  assert_called (fixture, "one__new_read", NULL);
}

static void
test_call_role (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpCallOptions) unknown = gmcp_call_options_new ();

  g_test_summary ("the role of a call holds beside that of the manager");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools a,b,c"), NULL);
  add_role (fixture, "ab", "one.a one.b", "");
  add_role (fixture, "bc", "one.b one.c", "");
  gmcp_manager_set_role (fixture->manager, "ab");
  gmcp_call_options_set_role (options, "bc");
  gmcp_call_options_set_role (unknown, "nobody");
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__a one__b");
  assert_called (fixture, "one__a", NULL);
  assert_refused (fixture, "one__a", options, "role bc");
  assert_called (fixture, "one__b", options);
  assert_refused (fixture, "one__c", options, "role ab");
  assert_refused (fixture, "one__b", unknown, "role nobody: not configured");

  gmcp_manager_set_role (fixture->manager, NULL);
  manager_fixture_assert_tools (fixture, "one__a one__b one__c");
  assert_called (fixture, "one__c", options);
  assert_refused (fixture, "one__a", options, "role bc");
}

static void
test_change (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpRole) role = NULL;
  g_autoptr (GmcpRole) hosted = NULL;
  g_autoptr (GPtrArray) roles = NULL;
  static const char *const b[] = { "one.b", NULL };

  g_test_summary ("the list follows the role, its rules, and the host");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools a,b"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__a one__b");

  fixture->n_tool_changes = 0;
  gmcp_manager_set_role (fixture->manager, "review");
  manager_fixture_assert_tools (fixture, "");
  g_assert_cmpuint (fixture->n_tool_changes, ==, 1);
  assert_refused (fixture, "one.a", NULL, "role review: not configured for this host");

  add_role (fixture, "review", "one.a", "");
  manager_fixture_assert_tools (fixture, "one__a");
  role = gmcp_role_new ("review", b, NULL);
  gmcp_manager_add_role (fixture->manager, role);
  manager_fixture_assert_tools (fixture, "one__b");

  hosted = g_object_new (GMCP_TYPE_ROLE, "name", "review", "host", "org.example.Host",
                         "allowed-tools", b, "denied-tools", b, NULL);
  gmcp_manager_add_role (fixture->manager, hosted);
  manager_fixture_assert_tools (fixture, "one__b");
  gmcp_manager_set_host (fixture->manager, "org.example.Host");
  manager_fixture_assert_tools (fixture, "");
  roles = gmcp_manager_list_roles (fixture->manager);
  g_assert_cmpuint (roles->len, ==, 2);
  gmcp_manager_set_host (fixture->manager, NULL);
  manager_fixture_assert_tools (fixture, "one__b");

  gmcp_manager_remove_role (fixture->manager, role);
  manager_fixture_assert_tools (fixture, "");
  gmcp_manager_set_role (fixture->manager, "");
  g_assert_null (gmcp_manager_get_role (fixture->manager));
  manager_fixture_assert_tools (fixture, "one__a one__b");
}

static void
test_own_tools (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) denied = NULL;

  g_test_summary ("a server's tool that is called as one of the host's own says nothing about it");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools bash"), NULL);
  add_role (fixture, "review", "one.* grep", "");
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_true (gmcp_manager_permits_tool (fixture->manager, NULL, "bash", NULL, NULL));
  gmcp_manager_set_role (fixture->manager, "review");
  g_assert_true (gmcp_manager_permits_tool (fixture->manager, "one", "bash", NULL, &error));
  g_assert_no_error (error);
  g_assert_true (gmcp_manager_permits_tool (fixture->manager, NULL, "grep", NULL, NULL));
  g_assert_false (gmcp_manager_permits_tool (fixture->manager, NULL, "bash", NULL, &denied));
  g_assert_error (denied, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_false (gmcp_manager_permits_tool (fixture->manager, NULL, "one.bash", NULL, NULL));
  g_assert_false (gmcp_manager_permits_tool (fixture->manager, NULL, "grep", "nobody", NULL));
}

static void
test_while_waiting (ManagerFixture *fixture, gconstpointer data)
{
  ManagerCall call;

  g_test_summary ("a role that is set while a call waits for its server holds for it");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools a"), NULL);
  manager_call_begin (&call, fixture, "one__a", NULL, NULL, NULL);
  gmcp_manager_set_role (fixture->manager, "review");
  manager_call_wait (&call);
  g_assert_error (call.error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call"), ==, 0);
  manager_call_clear (&call);
}

static char *
trusted_entry (ManagerFixture *fixture, const char *id, const char *words)
{
  g_autofree char *entry = manager_fixture_entry (fixture, id, words);
  gsize length = strlen (entry);

  entry[length - 1] = '\0';
  return g_strconcat (entry, ",\"trusted\":true}", NULL);
}

static void
test_read_only (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const all[] = { "*", "two.read", NULL };
  static const char words[] = "--tools read,look,drop --read-only read,look";
  g_autoptr (GmcpRole) role = g_object_new (GMCP_TYPE_ROLE, "name", "read-only", "allowed-tools",
                                            all, "read-only", TRUE, NULL);

  g_test_summary ("a server's word that a tool is read-only counts where the user trusts it");
  manager_fixture_write (fixture, trusted_entry (fixture, "one", words),
                         manager_fixture_entry (fixture, "two", words), NULL);
  gmcp_manager_add_role (fixture->manager, role);
  gmcp_manager_set_role (fixture->manager, "read-only");
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__read one__look two__read");
  assert_called (fixture, "one__look", NULL);
  assert_called (fixture, "two__read", NULL);
  assert_refused (fixture, "one__drop", NULL, "role read-only: read-only");
  assert_refused (fixture, "two__look", NULL, "role read-only: read-only");

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", words),
                         trusted_entry (fixture, "two", words), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "two__read two__look");
  assert_refused (fixture, "one__look", NULL, "role read-only: read-only");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/policy/" path, ManagerFixture, NULL, manager_fixture_set_up, func,         \
              manager_fixture_tear_down)

  ADD ("role/every-name", test_every_name);
  ADD ("role/hostile-names", test_hostile_names);
  ADD ("role/later", test_later);
  ADD ("role/of-call", test_call_role);
  ADD ("role/change", test_change);
  ADD ("role/own-tools", test_own_tools);
  ADD ("role/read-only", test_read_only);
  ADD ("role/while-waiting", test_while_waiting);
  return g_test_run ();
}
