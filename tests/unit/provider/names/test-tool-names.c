/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-limits.h"
#include "gmcp-tool-names-private.h"
#include "unit-test.h"

static const char *
add (GmcpToolNames *names, const char *server, const char *tool)
{
  GmcpToolName name = { server, tool, NULL, NULL };

  gmcp_tool_names_add (names, &name, 1);
  return name.listed;
}

static void
assert_found (GmcpToolNames *names, const char *name, const char *server, const char *tool)
{
  g_autoptr (GError) error = NULL;
  GmcpToolName found = { NULL };

  g_test_message ("%.80s", name);
  gmcp_tool_names_find (names, name, &found, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found.server, ==, server);
  g_assert_cmpstr (found.tool, ==, tool);
}

static void
assert_not_found (GmcpToolNames *names, const char *name, GmcpError code, const char *pattern)
{
  g_autoptr (GError) error = NULL;
  GmcpToolName found = { NULL };

  g_test_message ("%.80s", name);
  g_assert_false (gmcp_tool_names_find (names, name, &found, &error));
  g_assert_error (error, GMCP_ERROR, (int) code);
  g_assert_null (found.tool);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  if (!g_pattern_match_simple (pattern, error->message))
    g_error ("“%s” does not match “%s”", error->message, pattern);
}

static void
assert_fit (const char *name)
{
  g_assert_cmpuint (strlen (name), >, 0);
  g_assert_cmpuint (strlen (name), <=, GMCP_LIMIT_TOOL_NAME_LENGTH);
  g_assert_cmpuint (strspn (name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_-"), ==, strlen (name));
}

static void
test_styles (void)
{
  static const struct
  {
    GmcpToolNameStyle style;
    const char *plain;
    const char *replaced;
  } cases[] = {
    { GMCP_TOOL_NAME_STYLE_SERVER_TOOL, "my-fs__read_file", "my-fs__a_b__c" },
    { GMCP_TOOL_NAME_STYLE_MCP_SERVER_TOOL, "mcp__my-fs__read_file", "mcp__my-fs__a_b__c" },
    { GMCP_TOOL_NAME_STYLE_SINGLE_UNDERSCORE, "my-fs_read_file", "my-fs_a_b__c" },
    { GMCP_TOOL_NAME_STYLE_BARE, "read_file", "a_b__c" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (cases[i].style);

      g_assert_cmpstr (add (names, "my-fs", "read_file"), ==, cases[i].plain);
      g_assert_cmpstr (add (names, "my-fs", "a.b\u00e9/c"), ==, cases[i].replaced);
      g_assert_cmpstr (add (names, "my-fs", "read_file"), ==, cases[i].plain);
      g_assert_cmpuint (gmcp_tool_names_get_length (names), ==, 2);
      g_assert_cmpstr (gmcp_tool_names_lookup_listed (names, "my-fs", "a.b\u00e9/c"), ==,
                       cases[i].replaced);
      g_assert_null (gmcp_tool_names_lookup_listed (names, "my-fs", "other"));
    }
}

static void
test_long (void)
{
  g_autofree char *fits = g_strnfill (58, 'x');
  g_autofree char *too_long = g_strnfill (59, 'x');
  g_autofree char *huge = g_strnfill (100000, 'y');
  g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  g_autoptr (GmcpToolNames) again = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  const char *listed;

  listed = add (names, "serv", fits);
  g_assert_cmpuint (strlen (listed), ==, 64);
  g_assert_true (g_str_has_suffix (listed, "xxx"));

  listed = add (names, "serv", too_long);
  assert_fit (listed);
  g_assert_cmpuint (strlen (listed), ==, 64);
  g_assert_true (g_str_has_prefix (listed, "serv__xxx"));
  /* SHA-256 of "serv", NUL and 59 times "x". */
  g_assert_true (g_str_has_suffix (listed, "x_60f04164"));
  g_assert_cmpstr (add (again, "serv", too_long), ==, listed);

  assert_fit (add (names, "serv", huge));
  assert_fit (add (names, huge, "t"));
  assert_found (names, listed, "serv", too_long);
}

/* Adds those of the table that the digits name, in that order. */
static char *
list_in_order (const GmcpToolName *table, guint n, GmcpToolNameStyle style, const guint *order)
{
  g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (style);
  g_autofree GmcpToolName *batch = g_new0 (GmcpToolName, n);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    batch[i] = table[order[i]];
  gmcp_tool_names_add (names, batch, n);
  for (guint i = 0; i < n; i++)
    {
      const char *listed = gmcp_tool_names_lookup_listed (names, table[i].server, table[i].tool);

      assert_fit (listed);
      assert_found (names, listed, table[i].server, table[i].tool);
      g_string_append_printf (text, "%s ", listed);
    }

  return g_string_free (text, FALSE);
}

static void
test_order (void)
{
  static const GmcpToolName table[] = {
    { "s", "a_b" }, { "s", "a.b" }, { "s", "a b" }, { "t", "a_b" }, { "t", "a/b" }, { "u", "c.d" },
  };
  static const guint orders[][6] = {
    { 0, 1, 2, 3, 4, 5 },
    { 5, 4, 3, 2, 1, 0 },
    { 2, 0, 4, 1, 5, 3 },
  };

  g_test_summary ("names do not depend on the order in which tools are added");
  for (guint style = 0; style <= GMCP_TOOL_NAME_STYLE_BARE; style++)
    {
      g_autofree char *first = list_in_order (table, 6, style, orders[0]);

      g_test_message ("%s", first);
      for (guint o = 1; o < G_N_ELEMENTS (orders); o++)
        {
          g_autofree char *other = list_in_order (table, 6, style, orders[o]);

          g_assert_cmpstr (first, ==, other);
        }
    }
}

static void
test_collisions (void)
{
  g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  GmcpToolName batch[]
    = { { "s", "a.b" }, { "s", "a_b" }, { "s", "a/b" }, { "s", "x.y" }, { "s", "x/y" } };

  gmcp_tool_names_add (names, batch, G_N_ELEMENTS (batch));
  g_assert_cmpstr (batch[1].listed, ==, "s__a_b");
  g_assert_true (g_str_has_prefix (batch[0].listed, "s__a_b_"));
  g_assert_cmpuint (strlen (batch[0].listed), ==, strlen ("s__a_b_") + 8);
  g_assert_cmpstr (batch[0].listed, !=, batch[2].listed);
  g_assert_true (g_str_has_prefix (batch[3].listed, "s__x_y_"));
  g_assert_true (g_str_has_prefix (batch[4].listed, "s__x_y_"));
  assert_found (names, "s.a.b", "s", "a.b");
  assert_found (names, "s.a/b", "s", "a/b");
  assert_found (names, "a.b", "s", "a.b");
}

static void
test_owner_stays (void)
{
  g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  g_autofree char *hashed = NULL;

  g_test_summary ("a name never leads to another tool than it did, also when its own is gone");
  g_assert_cmpstr (add (names, "s", "a.b"), ==, "s__a_b");
  hashed = g_strdup (add (names, "s", "a_b"));
  g_assert_true (g_str_has_prefix (hashed, "s__a_b_"));

  gmcp_tool_names_remove (names, "s", "a.b");
  gmcp_tool_names_remove (names, "s", "a.b");
  gmcp_tool_names_remove (names, "s", "never there");
  g_assert_cmpuint (gmcp_tool_names_get_length (names), ==, 1);
  assert_not_found (names, "s__a_b", GMCP_ERROR_UNKNOWN_TOOL,
                    "The tool s__a_b is not offered any more");
  assert_not_found (names, "s.a.b", GMCP_ERROR_UNKNOWN_TOOL, "*");
  g_assert_cmpstr (add (names, "s", "a_b"), ==, hashed);
  g_assert_true (g_str_has_prefix (add (names, "s", "a/b"), "s__a_b_"));
  g_assert_cmpstr (add (names, "s", "a.b"), ==, "s__a_b");

  add (names, "t", "z");
  gmcp_tool_names_remove_server (names, "s");
  g_assert_cmpuint (gmcp_tool_names_get_length (names), ==, 1);
  assert_not_found (names, hashed, GMCP_ERROR_UNKNOWN_TOOL, "*");
  assert_found (names, "z", "t", "z");
}

static void
test_data (void)
{
  g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  GmcpToolName name = { "s", "t", GINT_TO_POINTER (1), NULL };
  GmcpToolName found;

  gmcp_tool_names_add (names, &name, 1);
  g_assert_true (gmcp_tool_names_find (names, "s__t", &found, NULL));
  g_assert_true (found.data == GINT_TO_POINTER (1));
  g_assert_cmpstr (found.listed, ==, "s__t");
  name.data = GINT_TO_POINTER (2);
  gmcp_tool_names_add (names, &name, 1);
  g_assert_true (gmcp_tool_names_find (names, "t", &found, NULL));
  g_assert_true (found.data == GINT_TO_POINTER (2));
}

static void
test_bare (void)
{
  g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_BARE);
  GmcpToolName batch[] = { { "a", "read" }, { "b", "read" }, { "b", "write" } };

  gmcp_tool_names_add (names, batch, G_N_ELEMENTS (batch));
  g_assert_cmpstr (batch[0].listed, ==, "a__read");
  g_assert_cmpstr (batch[1].listed, ==, "b__read");
  g_assert_cmpstr (batch[2].listed, ==, "write");
  g_assert_cmpstr (add (names, "c", "write"), ==, "c__write");
  assert_found (names, "write", "b", "write");
  assert_not_found (names, "read", GMCP_ERROR_AMBIGUOUS_TOOL, "*read*a.read, b.read*");

  /* A tool's own name may look like another's listed one. */
  g_assert_true (g_str_has_prefix (add (names, "d", "a__read"), "d__a__read"));
}

static void
test_find (void)
{
  g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);

  add (names, "fs", "read_file");
  add (names, "fs", "a.b");
  add (names, "web", "fetch");
  add (names, "web", "read_file");
  add (names, "x", "fs__read_file");
  add (names, "x_y", "z");
  add (names, "x", "y_z");

  assert_found (names, "fs__read_file", "fs", "read_file");
  assert_found (names, "fs.read_file", "fs", "read_file");
  assert_found (names, "mcp__fs__read_file", "fs", "read_file");
  assert_found (names, "fs_read_file", "fs", "read_file");
  assert_found (names, "fetch", "web", "fetch");
  assert_found (names, "web_fetch", "web", "fetch");
  assert_found (names, "fs.a.b", "fs", "a.b");
  assert_found (names, "a.b", "fs", "a.b");
  assert_found (names, "x.fs__read_file", "x", "fs__read_file");

  assert_not_found (names, "read_file", GMCP_ERROR_AMBIGUOUS_TOOL,
                    "*read_file*fs.read_file, web.read_file*");
  assert_not_found (names, "x_y_z", GMCP_ERROR_AMBIGUOUS_TOOL, "*x.y_z, x_y.z*");

  /* What is indexed on demand follows the tools. */
  gmcp_tool_names_remove (names, "web", "read_file");
  assert_found (names, "read_file", "fs", "read_file");
  add (names, "new", "thing");
  assert_found (names, "thing", "new", "thing");
}

static void
test_unknown (void)
{
  g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  g_autofree char *huge = g_strnfill (1000000, 'x');

  assert_not_found (names, "read_file", GMCP_ERROR_UNKNOWN_TOOL, "*called read_file.");

  add (names, "fs", "read_file");
  add (names, "fs", "write_file");
  add (names, "fs", "list");
  assert_not_found (names, "fs__raed_file", GMCP_ERROR_UNKNOWN_TOOL, "*Near to it: fs__read_file*");
  assert_not_found (names, "raed_file", GMCP_ERROR_UNKNOWN_TOOL, "*Near to it: fs__read_file*");
  assert_not_found (names, "fs.readfile", GMCP_ERROR_UNKNOWN_TOOL, "*Near to it: fs.read_file*");
  assert_not_found (names, "FS__LIST", GMCP_ERROR_UNKNOWN_TOOL, "*Near to it: fs__list*");
  assert_not_found (names, "lost", GMCP_ERROR_UNKNOWN_TOOL, "*Near to it: fs__list*");
  assert_not_found (names, "weather", GMCP_ERROR_UNKNOWN_TOOL, "*called weather.");
  assert_not_found (names, "", GMCP_ERROR_UNKNOWN_TOOL, "*");
  assert_not_found (names, ".", GMCP_ERROR_UNKNOWN_TOOL, "*");
  assert_not_found (names, ".read_file", GMCP_ERROR_UNKNOWN_TOOL, "*");
  assert_not_found (names, "fs.", GMCP_ERROR_UNKNOWN_TOOL, "*");
  assert_not_found (names, huge, GMCP_ERROR_UNKNOWN_TOOL, "*xxx\u2026.");
}

static void
test_set_style (void)
{
  g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);

  add (names, "s", "a.b");
  add (names, "s", "gone");
  gmcp_tool_names_remove (names, "s", "gone");
  gmcp_tool_names_set_style (names, GMCP_TOOL_NAME_STYLE_SINGLE_UNDERSCORE);
  g_assert_cmpstr (gmcp_tool_names_lookup_listed (names, "s", "a.b"), ==, "s_a_b");
  g_assert_cmpstr (add (names, "s", "gone"), ==, "s_gone");
  assert_found (names, "s__a_b", "s", "a.b");

  /* The former name is still that tool's. */
  g_assert_true (g_str_has_prefix (add (names, "s", "_a_b"), "s__a_b_"));
  gmcp_tool_names_set_style (names, GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  g_assert_cmpstr (gmcp_tool_names_lookup_listed (names, "s", "a.b"), ==, "s__a_b");
  assert_found (names, "s_gone", "s", "gone");
}

static void
test_churn (void)
{
  g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  const guint n = GMCP_LIMIT_LIST_ITEMS + 100;

  g_test_summary ("a server that offers ever new tools does not make the table grow without end");
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *tool = g_strdup_printf ("tool%u", i);

      add (names, "s", tool);
      gmcp_tool_names_remove (names, "s", tool);
    }
  g_assert_cmpuint (gmcp_tool_names_get_length (names), ==, 0);
  assert_not_found (names, "s__tool0", GMCP_ERROR_UNKNOWN_TOOL, "*called s__tool0.");
  assert_not_found (names, "s__tool200", GMCP_ERROR_UNKNOWN_TOOL, "*not offered*");
}

static void
test_hostile (void)
{
  g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  g_autofree GmcpToolName *batch = g_new0 (GmcpToolName, GMCP_LIMIT_LIST_ITEMS);
  g_autoptr (GPtrArray) tools = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  g_test_summary ("names that all become the same stay apart, and fast");
  for (guint i = 0; i < GMCP_LIMIT_LIST_ITEMS; i++)
    {
      char *tool = g_strnfill (16, '.');

      for (guint bit = 0; bit < 16; bit++)
        if ((i & (1u << bit)) != 0)
          tool[bit] = ',';
      g_ptr_array_add (tools, tool);
      batch[i] = (GmcpToolName){ "s", tool, NULL, NULL };
    }
  gmcp_tool_names_add (names, batch, GMCP_LIMIT_LIST_ITEMS);
  for (guint i = 0; i < GMCP_LIMIT_LIST_ITEMS; i++)
    g_assert_true (g_hash_table_add (seen, (gpointer) batch[i].listed));
  assert_not_found (names, "s_________________", GMCP_ERROR_AMBIGUOUS_TOOL, "*\u2026*");
  assert_not_found (names, "s__________________x", GMCP_ERROR_UNKNOWN_TOOL, "*");
}

static void
test_speed (void)
{
  const guint n = g_test_perf () ? 10000 : 100;
  g_autoptr (GmcpToolNames) names = gmcp_tool_names_new (GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  g_autoptr (GPtrArray) tools = g_ptr_array_new_with_free_func (g_free);
  g_autofree GmcpToolName *batch = g_new0 (GmcpToolName, n);
  GmcpToolName found;
  double elapsed;

  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (tools, g_strdup_printf ("tool_%u", i));
      batch[i] = (GmcpToolName){ "server", g_ptr_array_index (tools, i), NULL, NULL };
    }
  g_test_timer_start ();
  gmcp_tool_names_add (names, batch, n);
  elapsed = g_test_timer_elapsed ();
  g_test_minimized_result (elapsed, "%u names: %.2f ms", n, elapsed * 1000);

  g_test_timer_start ();
  for (guint i = 0; i < n; i++)
    g_assert_true (gmcp_tool_names_find (names, batch[i].listed, &found, NULL));
  elapsed = g_test_timer_elapsed ();
  g_test_minimized_result (elapsed, "look-up: %.0f ns", elapsed * 1e9 / n);

  g_test_timer_start ();
  g_assert_false (gmcp_tool_names_find (names, "server__tool_xyz", &found, NULL));
  elapsed = g_test_timer_elapsed ();
  g_test_minimized_result (elapsed, "unknown name: %.2f ms", elapsed * 1000);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/provider/tool-names/styles", test_styles);
  g_test_add_func ("/provider/tool-names/long", test_long);
  g_test_add_func ("/provider/tool-names/order", test_order);
  g_test_add_func ("/provider/tool-names/collisions", test_collisions);
  g_test_add_func ("/provider/tool-names/owner-stays", test_owner_stays);
  g_test_add_func ("/provider/tool-names/data", test_data);
  g_test_add_func ("/provider/tool-names/bare", test_bare);
  g_test_add_func ("/provider/tool-names/find", test_find);
  g_test_add_func ("/provider/tool-names/unknown", test_unknown);
  g_test_add_func ("/provider/tool-names/set-style", test_set_style);
  g_test_add_func ("/provider/tool-names/churn", test_churn);
  g_test_add_func ("/provider/tool-names/hostile", test_hostile);
  g_test_add_func ("/provider/tool-names/speed", test_speed);
  return g_test_run ();
}
