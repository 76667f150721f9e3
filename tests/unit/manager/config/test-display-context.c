/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-display-context-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* What counts of configurations and rules with variables in them, from one time to the next. */

static GmcpServerConfig *
make_config (const char *extra)
{
  g_autofree char *json = g_strdup_printf ("{\"command\":\"one\"%s}", extra);
  g_autoptr (GError) error = NULL;
  GmcpServerConfig *config = gmcp_server_config_new_from_json ("one", json, &error);

  g_assert_no_error (error);
  return config;
}

static void
tell (const char *server_id, GmcpNoticeLevel level, const char *message, gpointer data)
{
  g_string_append_printf (data, "%s %d %s\n", server_id, (int) level, message);
}

/* Gives what is told of at the end. */
static char *
expand_once (GmcpDisplayContext *display,
             GmcpServerConfig *config,
             GmcpServerConfig *present,
             GmcpServerConfig **filled)
{
  GString *told = g_string_new (NULL);

  gmcp_display_context_begin (display);
  *filled = gmcp_display_context_expand_config (display, NULL, config, present, "/work");
  gmcp_display_context_end (display, tell, told);
  return g_string_free (told, FALSE);
}

static void
test_configs (void)
{
  g_autoptr (GmcpDisplayContext) display = gmcp_display_context_new ();
  g_autoptr (GmcpServerConfig) plain = make_config ("");
  g_autoptr (GmcpServerConfig) placed = make_config (",\"title\":\"In ${workspaceFolder}\"");
  g_autoptr (GmcpServerConfig) first = NULL;
  g_autoptr (GmcpServerConfig) second = NULL;
  g_autofree char *told = NULL;
  g_autofree char *told_second = NULL;

  g_test_summary ("a configuration without a variable is itself, another is a copy");
  told = expand_once (display, plain, NULL, &first);
  g_assert_true (first == plain);
  g_assert_cmpstr (told, ==, "");
  told_second = expand_once (display, placed, NULL, &second);
  g_assert_cmpstr (gmcp_server_config_get_title (second), ==, "In /work");
  g_assert_cmpstr (told_second, ==, "");
}

static void
test_problems (void)
{
  static const char missing[] = ",\"title\":\"${GMCP_TEST_IS_NOT_THERE}\"";
  g_autoptr (GmcpDisplayContext) display = gmcp_display_context_new ();
  g_autoptr (GmcpServerConfig) present = make_config ("");
  g_autoptr (GmcpServerConfig) wrong = make_config (missing);
  g_autoptr (GmcpServerConfig) off
    = make_config (",\"enabled\":false,\"title\":\"${GMCP_TEST_IS_NOT_THERE}\"");
  const struct
  {
    GmcpServerConfig *config;
    GmcpServerConfig *present;
    GmcpServerConfig *expected;
    const char *part; /* of what is told; NULL for nothing */
  } rounds[] = {
    { wrong, NULL, NULL, "this server is left out" },
    { wrong, NULL, NULL, NULL },
    { wrong, present, present, "what held before for this server holds" },
    { off, present, off, "GMCP_TEST_IS_NOT_THERE" },
    { present, present, present, NULL },
    { wrong, NULL, NULL, "this server is left out" },
  };

  g_test_summary ("what cannot be filled in is told of once, until it was well");
  for (gsize i = 0; i < G_N_ELEMENTS (rounds); i++)
    {
      g_autoptr (GPtrArray) findings = g_ptr_array_new_with_free_func (g_object_unref);
      g_autoptr (GmcpServerConfig) filled = NULL;
      g_autofree char *told = expand_once (display, rounds[i].config, rounds[i].present, &filled);

      g_test_message ("round %u: %s", (guint) i, told);
      g_assert_true (filled == rounds[i].expected);
      if (rounds[i].part != NULL)
        g_assert_nonnull (strstr (told, rounds[i].part));
      else
        g_assert_cmpstr (told, ==, "");
      gmcp_display_context_add_findings (display, findings);
      g_assert_cmpuint (findings->len, ==, rounds[i].config != present);
    }
}

static GObject *
expand_role (GmcpDisplayContext *display, GmcpRole *role, const char *workspace)
{
  GObject *filled;
  g_autoptr (GString) told = g_string_new (NULL);

  gmcp_display_context_begin (display);
  filled = gmcp_display_context_expand_object (display, G_OBJECT (role), workspace);
  g_object_ref (filled);
  gmcp_display_context_end (display, tell, told);
  g_assert_cmpstr (told->str, ==, "");
  return filled;
}

static void
test_objects (void)
{
  const char *const plain_rules[] = { "one.*", NULL };
  const char *const rules[] = { "${workspaceFolder}.*", NULL };
  g_autoptr (GmcpDisplayContext) display = gmcp_display_context_new ();
  g_autoptr (GmcpRole) plain = gmcp_role_new ("plain", plain_rules, NULL);
  g_autoptr (GmcpRole) role = gmcp_role_new ("placed", rules, NULL);
  g_autoptr (GObject) same = expand_role (display, plain, "/work");
  g_autoptr (GObject) first = NULL;
  g_autoptr (GObject) second = NULL;
  g_autoptr (GObject) third = NULL;

  g_test_summary ("a rule that is filled in is the same one as long as the workspace is");
  g_assert_true (same == G_OBJECT (plain));
  first = expand_role (display, role, "/work");
  g_assert_true (first != G_OBJECT (role));
  g_assert_cmpstr (gmcp_role_get_allowed_tools (GMCP_ROLE (first))[0], ==, "/work.*");
  second = expand_role (display, role, "/work");
  g_assert_true (second == first);
  gmcp_display_context_forget_objects (display);
  third = expand_role (display, role, "/other");
  g_assert_cmpstr (gmcp_role_get_allowed_tools (GMCP_ROLE (third))[0], ==, "/other.*");
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/display-context/configs", test_configs);
  g_test_add_func ("/display-context/problems", test_problems);
  g_test_add_func ("/display-context/objects", test_objects);
  return g_test_run ();
}
