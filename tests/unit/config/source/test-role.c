/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-role-private.h"
#include "gmcp-tool-pattern-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

static void
test_glob (void)
{
  static const struct
  {
    const char *glob;
    const char *text;
    gboolean matches;
  } cases[] = {
    { "", "", TRUE },
    { "", "a", FALSE },
    { "*", "", TRUE },
    { "*", "anything", TRUE },
    { "a*", "a", TRUE },
    { "a*", "b", FALSE },
    { "*a", "banana", TRUE },
    { "*a", "banan", FALSE },
    { "b*n*a", "banana", TRUE },
    { "?", "ä", TRUE },
    { "??", "ä", FALSE },
    { "*ä?", "xxäö", TRUE },
    { "a?c", "abc", TRUE },
    { "a?c", "ac", FALSE },
    { "a**c", "abbc", TRUE },
    { "read_*", "read_file", TRUE },
    { "read_*", "xread_file", FALSE },
    { "READ", "read", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s %s", cases[i].glob, cases[i].text);
      g_assert_cmpint (gmcp_glob_matches (cases[i].glob, cases[i].text), ==, cases[i].matches);
    }
}

static void
test_glob_bounded (void)
{
  g_autoptr (GString) glob = g_string_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  g_test_summary ("many stars over a name that nearly matches take no time to speak of");
  for (guint i = 0; i < 200; i++)
    g_string_append (glob, "*a");
  g_string_append_c (glob, 'b');
  for (guint i = 0; i < 4000; i++)
    g_string_append_c (text, 'a');
  g_assert_false (gmcp_glob_matches (glob->str, text->str));
  g_string_append_c (text, 'b');
  g_assert_true (gmcp_glob_matches (glob->str, text->str));
}

static void
test_allows (void)
{
  static const char *const allowed[]
    = { "filesystem.write_*", "git.commit", "bash", "My Server.run", "web__fetch", "x.a.b", NULL };
  static const char *const denied[] = { "*.write_secret", "Filesystem.write_all", NULL };
  static const struct
  {
    const char *name;
    gboolean allowed;
  } cases[] = {
    { "filesystem.write_file", TRUE },
    { "filesystem.write_secret", FALSE },
    { "filesystem.write_all", FALSE },
    { "filesystem.read_file", FALSE },
    { "git.commit", TRUE },
    { "git.commit.x", FALSE },
    { "bash", TRUE },
    { "zsh", FALSE },
    { "commit", FALSE },
    { "git__commit", FALSE },
    { "x.bash", FALSE },
    { "my-server.run", TRUE },
    { "web.fetch", TRUE },
    { "web__fetch", TRUE },
    { "x.a.b", TRUE },
    { "x.a", FALSE },
    { "", FALSE },
    { ".", FALSE },
    { "git.", FALSE },
    { ".commit", FALSE },
    { "My Server.run", TRUE },
    { "FILESYSTEM.write_all", FALSE },
  };
  g_autoptr (GmcpRole) role = gmcp_role_new ("implementation", allowed, denied);

  g_assert_true (gmcp_role_validate (role, NULL));
  g_assert_cmpstr (gmcp_role_get_name (role), ==, "implementation");
  g_assert_null (gmcp_role_get_host (role));
  g_assert_cmpstrv (gmcp_role_get_allowed_tools (role), allowed);
  g_assert_cmpstrv (gmcp_role_get_denied_tools (role), denied);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].name);
      g_assert_cmpint (gmcp_role_allows (role, cases[i].name), ==, cases[i].allowed);
    }

  /* A tool of the host's own whose name looks like a server's is still its own. */
  g_assert_false (gmcp_role_allows_tool (role, NULL, "git.commit"));
  g_assert_true (gmcp_role_allows_tool (role, "git", "commit"));
  g_assert_false (gmcp_role_allows_tool (role, "git.commit", ""));
  g_assert_finalize_object (g_steal_pointer (&role));
}

static void
test_empty (void)
{
  static const char *const none[] = { NULL };
  static const char *const all[] = { "*", NULL };
  g_autoptr (GmcpRole) absent = gmcp_role_new ("absent", NULL, NULL);
  g_autoptr (GmcpRole) empty = gmcp_role_new ("empty", none, none);
  g_autoptr (GmcpRole) everything = gmcp_role_new ("everything", all, NULL);
  g_autoptr (GmcpRole) nothing = gmcp_role_new ("nothing", all, all);

  g_test_summary ("an empty list allows nothing, a star everything, and what is denied stays so");
  g_assert_false (gmcp_role_allows (absent, "a.b"));
  g_assert_false (gmcp_role_allows (empty, "bash"));
  g_assert_true (gmcp_role_allows (everything, "a.b"));
  g_assert_true (gmcp_role_allows (everything, "bash"));
  g_assert_false (gmcp_role_allows (nothing, "a.b"));
  g_assert_false (gmcp_role_allows (nothing, "bash"));
  g_assert_cmpuint (g_strv_length ((GStrv) gmcp_role_get_ask_first (absent)), ==, 0);
}

static void
test_invalid (void)
{
  static const char *const invalid[] = { "", ".tool", "server.", "." };
  static const char *const all[] = { "*", NULL };

  g_test_summary (
    "a rule that cannot be understood may have been meant to deny: nothing is allowed");
  for (gsize i = 0; i < G_N_ELEMENTS (invalid); i++)
    {
      const char *const denied[] = { invalid[i], NULL };
      g_autoptr (GmcpRole) role = gmcp_role_new ("broken", all, denied);
      g_autoptr (GError) error = NULL;

      g_assert_false (gmcp_role_validate (role, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
      g_assert_nonnull (strstr (error->message, "broken"));
      g_assert_false (gmcp_role_allows (role, "a.b"));
    }
}

static GmcpTool *
make_tool (const char *annotations)
{
  g_autofree char *json
    = g_strdup_printf ("{\"name\":\"t\",\"inputSchema\":{},\"annotations\":%s}", annotations);
  g_autoptr (GError) error = NULL;
  GmcpTool *tool = gmcp_tool_new_from_json (json, &error);

  g_assert_no_error (error);
  return tool;
}

static gboolean
judge (GmcpRole *role, GmcpTool *tool, gboolean trusted)
{
  const GmcpPolicySubject subject
    = { .server = "s", .tool = "t", .definition = tool, .trusted = trusted };
  g_auto (GmcpPolicyDecision) decision = { .allowed = TRUE };

  gmcp_role_judge (role, &subject, &decision);
  return decision.allowed;
}

static void
test_read_only (void)
{
  static const char *const by_glob[] = { "s.*", NULL };
  static const char *const by_name[] = { "s.t", NULL };
  g_autoptr (GmcpTool) reader = make_tool ("{\"readOnlyHint\":true}");
  g_autoptr (GmcpTool) writer = make_tool ("{\"readOnlyHint\":false}");
  g_autoptr (GmcpTool) silent = make_tool ("{}");
  g_autoptr (GmcpRole) glob
    = g_object_new (GMCP_TYPE_ROLE, "name", "r", "allowed-tools", by_glob, "read-only", TRUE, NULL);
  g_autoptr (GmcpRole) name
    = g_object_new (GMCP_TYPE_ROLE, "name", "r", "allowed-tools", by_name, "read-only", TRUE, NULL);

  g_test_summary ("what a server says of its tools tightens, and grants where it is trusted");
  g_assert_true (judge (glob, reader, TRUE));
  g_assert_false (judge (glob, reader, FALSE));
  g_assert_false (judge (glob, writer, TRUE));
  g_assert_false (judge (glob, silent, TRUE));
  g_assert_false (judge (glob, NULL, TRUE));
  g_assert_true (judge (name, reader, FALSE));
  g_assert_false (judge (name, writer, FALSE));
  g_assert_false (judge (name, silent, TRUE));
  g_assert_true (gmcp_role_allows (name, "s.t"));
  g_assert_false (gmcp_role_allows (glob, "s.t"));
}

static void
test_decision (void)
{
  g_auto (GmcpPolicyDecision) decision = { .allowed = TRUE };

  g_test_summary ("the first refusal stays, and a question is no way out of it");
  gmcp_policy_decision_ask (&decision, g_strdup ("one"));
  gmcp_policy_decision_ask (&decision, g_strdup ("two"));
  g_assert_true (decision.allowed);
  g_assert_true (decision.asks);
  g_assert_cmpstr (decision.rule, ==, "one");
  gmcp_policy_decision_refuse (&decision, g_strdup ("three"));
  gmcp_policy_decision_refuse (&decision, g_strdup ("four"));
  gmcp_policy_decision_ask (&decision, g_strdup ("five"));
  g_assert_false (decision.allowed);
  g_assert_false (decision.asks);
  g_assert_cmpstr (decision.rule, ==, "three");
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/manager/role/glob", test_glob);
  g_test_add_func ("/manager/role/glob/bounded", test_glob_bounded);
  g_test_add_func ("/manager/role/allows", test_allows);
  g_test_add_func ("/manager/role/empty", test_empty);
  g_test_add_func ("/manager/role/invalid", test_invalid);
  g_test_add_func ("/manager/role/read-only", test_read_only);
  g_test_add_func ("/manager/role/decision", test_decision);
  return g_test_run ();
}
