/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "manager-fixture.h"
#include "unit-test.h"

/* What rules mean: servers by any of their names, tools by any of theirs. */

static void
add_role (ManagerFixture *fixture, const char *allowed, const char *denied, const char *ask)
{
  const char *const allowed_tools[] = { allowed, NULL };
  const char *const denied_tools[] = { denied, NULL };
  const char *const ask_first[] = { ask, NULL };
  g_autoptr (GmcpRole) role
    = g_object_new (GMCP_TYPE_ROLE, "name", "r", "allowed-tools", allowed_tools, "denied-tools",
                    denied_tools, "ask-first", ask_first, NULL);

  g_assert_true (gmcp_role_validate (role, NULL));
  gmcp_manager_add_role (fixture->manager, role);
}

static gboolean
is_listed (ManagerFixture *fixture, const char *name)
{
  g_autofree char *listed = manager_fixture_list (fixture);
  g_auto (GStrv) names = g_strsplit (listed, " ", -1);

  return g_strv_contains ((const char *const *) names, name);
}

static GError *
call_fails (ManagerFixture *fixture, const char *name)
{
  GError *error = NULL;

  g_test_message ("%s", name);
  g_assert_null (manager_fixture_call (fixture, name, "{}", NULL, &error));
  g_assert_nonnull (error);
  return error;
}

static void
write_odd_servers (ManagerFixture *fixture)
{
  manager_fixture_write (
    fixture, manager_fixture_entry (fixture, "my_db", "--tools read,drop,do.thing,x__y"),
    manager_fixture_entry (fixture, "My Files", "--tools read,write"),
    manager_fixture_entry (fixture, "io.github.me/Notes", "--tools read,drop"),
    manager_fixture_entry (fixture, "数字", "--tools drop"),
    manager_fixture_entry (fixture, "mcp", "--tools one__read"),
    manager_fixture_entry (fixture, "one", "--tools read"), NULL);
  gmcp_manager_set_role (fixture->manager, "r");
}

static char *
get_hashed (const char *name, const char *tool)
{
  g_autofree char *id = gmcp_server_config_make_id (name);

  return g_strconcat (id, "__", tool, NULL);
}

static void
test_take_away (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *digits = get_hashed ("数字", "drop");
  const struct
  {
    const char *rule;
    const char *hidden; /* NULL for no tool */
    const char *left;
  } cases[] = {
    { "my_*.drop", "my-db__drop", "my-db__read" },
    { "my_db*.drop", "my-db__drop", "my-db__read" },
    { "my?db.drop", "my-db__drop", "my-db__read" },
    { "MY_*.drop", "my-db__drop", "my-db__read" },
    { "*_db.drop", "my-db__drop", "my-db__read" },
    { "My F*.write", "my-files__write", "my-files__read" },
    { "my files.write", "my-files__write", "my-files__read" },
    { "io.github.me/Notes.drop", "io-github-me-notes__drop", "io-github-me-notes__read" },
    { "io.github.*.drop", "io-github-me-notes__drop", "my-db__drop" },
    { "数*.drop", digits, "my-db__drop" },
    { "数字.drop", digits, "my-db__drop" },
    /* Names of lists. */
    { "my-db__do_thing", "my-db__do_thing", "my-db__read" },
    { "my_db__do_thing", "my-db__do_thing", "my-db__read" },
    { "my_*__do_*", "my-db__do_thing", "my-db__drop" },
    { "mcp__my-db__do_thing", "my-db__do_thing", "my-db__read" },
    { "my-db_do_thing", "my-db__do_thing", "my-db__read" },
    { "my-db__do.thing", "my-db__do_thing", "my-db__read" },
    { "my-db__x__y", "my-db__x__y", "my-db__read" },
    { "My Files__wri*", "my-files__write", "my-files__read" },
    { "mcp__one__read", "mcp__one__read", "my-db__read" },
    { "mcp__one__read", "one__read", "my-db__read" },
    { "mcp__one__*", "mcp__one__read", "my-db__read" },
    /* The host's own tools. */
    { "drop", NULL, "my-db__drop" },
    { "*drop", NULL, "my-db__drop" },
    { "my*", NULL, "my-db__drop" },
    { "db.drop", NULL, "my-db__drop" },
  };

  g_test_summary ("what is denied is denied by whatever name of the server or of the tool");
  write_odd_servers (fixture);
  add_role (fixture, "*", NULL, NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_cmpuint (g_list_model_get_n_items (fixture->tools), ==, 11);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].rule);
      add_role (fixture, "*", cases[i].rule, NULL);
      g_assert_true (is_listed (fixture, cases[i].left));
      if (cases[i].hidden != NULL)
        {
          g_autoptr (GError) error = call_fails (fixture, cases[i].hidden);

          g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
          g_assert_false (is_listed (fixture, cases[i].hidden));
        }
      else
        {
          g_assert_cmpuint (g_list_model_get_n_items (fixture->tools), ==, 11);
        }

      /* Nobody is there to be asked. */
      add_role (fixture, "*", NULL, cases[i].rule);
      if (cases[i].hidden != NULL)
        {
          g_autoptr (GError) error = call_fails (fixture, cases[i].hidden);

          g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
          g_assert_nonnull (strstr (error->message, "ask-first"));
        }
    }
}

static void
test_allow (ManagerFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *rule;
    const char *listed;
  } cases[] = {
    { "my_*.drop", "my-db__drop" },
    { "My F*.write", "my-files__write" },
    { "my-db__do_thing", "my-db__do_thing" },
    { "my-db.do.thing", "my-db__do_thing" },
    { "my-db.do_thing", "" },
    { "mcp__one__read", "one__read" },
    /* What a pattern leaves open is not guessed at. */
    { "数*.drop", "" },
    { "my-db_drop", "" },
    { "*__drop", "my-db__drop io-github-me-notes__drop" },
    { "*read", "" },
  };
  g_autofree char *digits = get_hashed ("数字", "drop");

  g_test_summary ("what is allowed has to be named by what it is");
  write_odd_servers (fixture);
  add_role (fixture, "*", NULL, NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *listed = NULL;

      g_test_message ("%s", cases[i].rule);
      add_role (fixture, cases[i].rule, NULL, NULL);
      if (g_str_equal (cases[i].rule, "*__drop"))
        listed = g_strdup_printf ("%s %s", cases[i].listed, digits);
      manager_fixture_assert_tools (fixture, listed != NULL ? listed : cases[i].listed);
    }
}

static void
test_style (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("a rule that is a listed name follows the names of the list");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools read,drop"),
                         NULL);
  gmcp_manager_set_role (fixture->manager, "r");
  add_role (fixture, "*", "drop", NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "one__read one__drop");
  gmcp_manager_set_tool_name_style (fixture->manager, GMCP_TOOL_NAME_STYLE_BARE);
  manager_fixture_assert_tools (fixture, "read");
  gmcp_manager_set_tool_name_style (fixture->manager, GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  manager_fixture_assert_tools (fixture, "one__read one__drop");
}

static char *
list_findings (ManagerFixture *fixture)
{
  g_autoptr (GPtrArray) findings = gmcp_manager_list_findings (fixture->manager);
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < findings->len; i++)
    {
      GmcpConfigFinding *finding = g_ptr_array_index (findings, i);

      g_string_append_printf (all, "%d %s %s\n", gmcp_config_finding_get_severity (finding),
                              gmcp_config_finding_get_key_path (finding),
                              gmcp_config_finding_get_message (finding));
    }
  return g_string_free (all, FALSE);
}

static void
test_no_effect (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const allowed[] = { "nobody*.x", "*", NULL };
  static const char *const denied[]
    = { "my_*.drop", "lost*.x", "*.y", "*.github.*.z", "gone__x", "My F*__x", "bash", NULL };
  static const char *const ask[] = { "mine_*.read", "one.read", "io.github.me/Notes.x", NULL };
  g_autoptr (GmcpRole) role = g_object_new (GMCP_TYPE_ROLE, "name", "own", "allowed-tools", allowed,
                                            "denied-tools", denied, "ask-first", ask, NULL);
  g_autofree char *found = NULL;

  g_test_summary ("a rule that takes something away from no server is told of");
  write_odd_servers (fixture);
  gmcp_manager_add_role (fixture->manager, role);
  g_assert_null (manager_fixture_load (fixture, NULL));
  found = list_findings (fixture);
  g_assert_cmpstr (found, ==,
                   "1 roles.own No configured MCP server is meant by the rule: lost*.x\n"
                   "1 roles.own No configured MCP server is meant by the rule: gone__x\n"
                   "1 roles.own No configured MCP server is meant by the rule: mine_*.read\n");
}

static guint
count_starts (ManagerFixture *fixture)
{
  return manager_fixture_count_log (fixture, "start");
}

static void
write_three (ManagerFixture *fixture)
{
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools read,drop"),
                         manager_fixture_entry (fixture, "two", "--tools read,drop"),
                         manager_fixture_entry (fixture, "three", "--tools read,other"), NULL);
}

static void
set_project (ManagerFixture *fixture, const char *server)
{
  const char *const servers[] = { server, NULL };
  g_autoptr (GmcpProject) project = gmcp_project_new ("p", servers, NULL);

  gmcp_manager_add_project (fixture->manager, project);
  gmcp_manager_set_project (fixture->manager, "p");
}

static void
test_unknown_tool (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const names[]
    = { "one__nothing", "one.nothing", "mcp__one__nothing", "one__read2" };

  g_test_summary ("a name that says whose tool it is starts no other server");
  write_three (fixture);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = call_fails (fixture, names[i]);

      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
      g_assert_cmpuint (count_starts (fixture), ==, 1);
      g_assert_cmpint (manager_fixture_get_state (fixture, "one"), ==, GMCP_SERVER_STATE_READY);
    }
}

static void
test_unknown_role (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const refused[] = { "two__read", "two.read", "mcp__three__anything" };
  static const char *const unknown[] = { "read2", "two_read2", "nowhere__read", "nowhere.read" };

  g_test_summary ("no call starts a server that its role can allow nothing of");
  write_three (fixture);
  add_role (fixture, "one.*", NULL, NULL);
  gmcp_manager_set_role (fixture->manager, "r");
  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autoptr (GError) error = call_fails (fixture, refused[i]);

      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
      g_assert_nonnull (strstr (error->message, "role r: not in allowed-tools"));
      g_assert_cmpuint (count_starts (fixture), ==, 0);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (unknown); i++)
    {
      g_autoptr (GError) error = call_fails (fixture, unknown[i]);

      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
      g_assert_cmpuint (count_starts (fixture), ==, 1);
    }

  /* What is denied as a whole is the same; what is so in part may be there. */
  add_role (fixture, "*", "t*.*", NULL);
  g_error_free (call_fails (fixture, "two.read"));
  g_assert_cmpuint (count_starts (fixture), ==, 1);
  add_role (fixture, "*", "two.drop", NULL);
  g_free (manager_fixture_call (fixture, "two.read", "{}", NULL, NULL));
  g_assert_cmpuint (count_starts (fixture), ==, 2);
}

static void
test_unknown_call_role (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("the role of one call counts as that of all does");
  write_three (fixture);
  add_role (fixture, "one.*", NULL, NULL);
  gmcp_call_options_set_role (options, "r");
  text = manager_fixture_call (fixture, "read", "{}", options, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "read");
  g_assert_cmpuint (count_starts (fixture), ==, 1);
  g_assert_null (manager_fixture_call (fixture, "two.read", "{}", options, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_cmpuint (count_starts (fixture), ==, 1);
}

static void
test_unknown_project (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a name that says nothing of a server is looked for in the project only");
  write_three (fixture);
  set_project (fixture, "one");
  error = call_fails (fixture, "other");
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_cmpint (manager_fixture_get_state (fixture, "one"), ==, GMCP_SERVER_STATE_READY);
  g_assert_cmpuint (count_starts (fixture), ==, 1);

  text = manager_fixture_call (fixture, "three.other", "{}", NULL, NULL);
  g_assert_cmpstr (text, ==, "other");
  g_assert_cmpuint (count_starts (fixture), ==, 2);
}

static void
test_mcp_server (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a server that is called mcp has names that look like another's");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "mcp", "--tools one__read"),
                         manager_fixture_entry (fixture, "one", "--tools drop"), NULL);
  text = manager_fixture_call (fixture, "mcp__one__read", "{}", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "one__read");
}

static void
test_told (ManagerFixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "one__dro", "dropp", "two__drop2", "read", "two.reed" };

  g_test_summary ("no error tells of a tool that the role, or the project, leaves out");
  write_three (fixture);
  g_assert_null (manager_fixture_load (fixture, NULL));
  gmcp_manager_set_role (fixture->manager, "r");
  add_role (fixture, "three.other", NULL, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = call_fails (fixture, names[i]);
      g_autoptr (GError) unfound = NULL;

      g_assert_null (gmcp_tool_provider_find_tool (fixture->provider, names[i], &unfound));
      for (GError *told = error; told != NULL; told = told == error ? unfound : NULL)
        {
          g_test_message ("%s", told->message);
          g_assert_null (strstr (told->message, "Near to it"));
          g_assert_null (strstr (told->message, "one.read"));
        }
    }

  gmcp_manager_set_role (fixture->manager, NULL);
  set_project (fixture, "three");
  for (gsize i = 0; i < 3; i++)
    {
      g_autoptr (GError) error = call_fails (fixture, names[i]);

      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
      g_assert_null (strstr (error->message, "Near to it"));
    }
  {
    g_autoptr (GError) error = call_fails (fixture, "drop");

    g_assert_error (error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL);
    g_assert_null (strstr (error->message, ".drop"));
  }
}

static void
test_only_one (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) tool = NULL;
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  char *text;

  g_test_summary ("of the tools that share a name the only one that is listed is meant");
  write_three (fixture);
  g_assert_null (manager_fixture_load (fixture, NULL));
  add_role (fixture, "two.*", NULL, NULL);
  gmcp_manager_set_role (fixture->manager, "r");
  text = manager_fixture_call (fixture, "read", "{}", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "read");
  g_free (text);
  tool = gmcp_tool_provider_find_tool (fixture->provider, "drop", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_definition_get_name (GMCP_DEFINITION (tool)), ==, "two__drop");

  gmcp_manager_set_role (fixture->manager, NULL);
  g_assert_null (manager_fixture_call (fixture, "read", "{}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_AMBIGUOUS_TOOL);
  g_assert_nonnull (strstr (error->message, "one.read, three.read, two.read"));
  g_clear_error (&error);

  gmcp_call_options_set_role (options, "r");
  text = manager_fixture_call (fixture, "read", "{}", options, &error);
  g_assert_no_error (error);
  g_free (text);

  set_project (fixture, "three");
  text = manager_fixture_call (fixture, "read", "{}", NULL, &error);
  g_assert_no_error (error);
  g_free (text);
}

static void
test_file (ManagerFixture *fixture, gconstpointer data)
{
  static const char text[]
    = "{\"mcpServers\":{%s},\"roles\":{\"r\":{\"allowed-tools\":[\"*\"],"
      "\"denied_tools\":[\"my_*.drop\"],\"askFirst\":[\"my_db.x\"],\"host\":\"h\"},"
      "\"s\":{\"allowed_tools\":[\"*\",\"my_db.read\"],\"read_only\":true}},"
      "\"projects\":{\"p\":{\"servers\":[\"my_db\"],\"title\":\"P\",\"instructions\":\"Be brief\"}}}";
  g_autofree char *entry
    = manager_fixture_entry (fixture, "my_db", "--tools read,drop,x --read-only read,drop");
  g_autofree char *contents = g_strdup_printf (text, entry);
  g_autoptr (GPtrArray) projects = NULL;
  g_autoptr (GError) asked = NULL;

  g_test_summary ("roles and projects of a file have all that those of the settings have");
  g_assert_true (g_file_set_contents (fixture->config, contents, -1, NULL));
  gmcp_manager_set_host (fixture->manager, "h");
  gmcp_manager_set_role (fixture->manager, "r");
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "my-db__read my-db__x");
  asked = call_fails (fixture, "my-db__x");
  g_assert_error (asked, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  gmcp_manager_set_role (fixture->manager, "s");
  manager_fixture_assert_tools (fixture, "my-db__read");
  gmcp_manager_set_host (fixture->manager, "other");
  manager_fixture_assert_tools (fixture, "my-db__read");
  gmcp_manager_set_role (fixture->manager, "r");
  manager_fixture_assert_tools (fixture, "");

  projects = gmcp_manager_list_projects (fixture->manager);
  g_assert_cmpuint (projects->len, ==, 1);
  g_assert_cmpstr (gmcp_project_get_title (g_ptr_array_index (projects, 0)), ==, "P");
  g_assert_cmpstr (gmcp_project_get_instructions (g_ptr_array_index (projects, 0)), ==, "Be brief");
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/rules/" path, ManagerFixture, NULL, manager_fixture_set_up, func,          \
              manager_fixture_tear_down)

  ADD ("take-away", test_take_away);
  ADD ("allow", test_allow);
  ADD ("style", test_style);
  ADD ("no-effect", test_no_effect);
  ADD ("file", test_file);
  ADD ("unknown/named", test_unknown_tool);
  ADD ("unknown/role", test_unknown_role);
  ADD ("unknown/role-of-call", test_unknown_call_role);
  ADD ("unknown/project", test_unknown_project);
  ADD ("unknown/mcp", test_mcp_server);
  ADD ("hidden/told", test_told);
  ADD ("hidden/only-one", test_only_one);
  return g_test_run ();
}
