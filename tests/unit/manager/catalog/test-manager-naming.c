/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-given-names-private.h"
#include "gmcp-limits.h"
#include "manager-fixture.h"
#include "unit-test.h"

/* Names without their server, from one run to the next. */

static void
begin (ManagerFixture *fixture)
{
  manager_fixture_begin (fixture);
  gmcp_manager_set_tool_name_style (fixture->manager, GMCP_TOOL_NAME_STYLE_BARE);
}

static void
end (ManagerFixture *fixture)
{
  manager_fixture_close (fixture);
  g_signal_handlers_disconnect_by_data (fixture->tools, fixture);
  g_clear_object (&fixture->manager);
}

static void
set_up (ManagerFixture *fixture, gconstpointer data)
{
  manager_fixture_set_up (fixture, data);
  gmcp_manager_set_tool_name_style (fixture->manager, GMCP_TOOL_NAME_STYLE_BARE);
}

static void
load (ManagerFixture *fixture)
{
  g_autoptr (GError) error = manager_fixture_load (fixture, NULL);

  g_assert_no_error (error);
}

static void
assert_unknown (ManagerFixture *fixture, const char *name, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gmcp_tool_provider_find_tool (fixture->provider, name, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_nonnull (strstr (error->message, part));
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (object), result, NULL);
  *(gboolean *) data = TRUE;
}

/* Loads with one server that lists its tools only once the others are there. */
static void
load_with_late (ManagerFixture *fixture, const char *late, const char *first_names)
{
  gboolean loaded = FALSE;
  g_autofree char *list = NULL;

  gmcp_tool_provider_load_async (fixture->provider, NULL, on_loaded, &loaded);
  do
    {
      g_main_context_iteration (NULL, TRUE);
      g_free (list);
      list = manager_fixture_list (fixture);
    }
  while (!g_str_equal (list, first_names));

  g_assert_true (g_file_set_contents (late, "", 0, NULL));
  manager_fixture_wait_until (loaded);
  g_unlink (late);
}

static void
test_either_order (ManagerFixture *fixture, gconstpointer data)
{
  const char *first = data;
  const char *second = g_str_equal (first, "one") ? "two" : "one";
  g_autofree char *late = g_build_filename (fixture->dir, "late", NULL);
  g_autofree char *late_words = g_strdup_printf ("--tools echo --late %s", late);
  const char *other_words = "--tools echo --instructions other";
  g_autofree char *later_words = g_strdup_printf ("%s --late %s", other_words, late);
  g_autofree char *long_name = g_strdup_printf ("%s__echo", second);
  g_autofree char *names = g_str_equal (first, "one") ? g_strdup_printf ("echo %s", long_name)
                                                      : g_strdup_printf ("%s echo", long_name);
  gboolean one_is_late = g_str_equal (second, "one");

  g_test_summary ("whichever server is there first the next time, a name stays with its server");
  manager_fixture_write (
    fixture, manager_fixture_entry (fixture, "one", one_is_late ? late_words : "--tools echo"),
    manager_fixture_entry (fixture, "two", one_is_late ? "--tools echo" : late_words), NULL);
  load_with_late (fixture, late, "echo");
  manager_fixture_assert_tools (fixture, names);
  end (fixture);

  /* Started otherwise, so that nothing is kept of what was listed. */
  manager_fixture_write (
    fixture, manager_fixture_entry (fixture, "one", one_is_late ? other_words : later_words),
    manager_fixture_entry (fixture, "two", one_is_late ? later_words : other_words), NULL);
  begin (fixture);
  load_with_late (fixture, late, long_name);
  manager_fixture_assert_tools (fixture, names);
  end (fixture);

  begin (fixture);
  load (fixture);
  manager_fixture_assert_tools (fixture, names);
}

static void
test_kept_lists (ManagerFixture *fixture, gconstpointer data)
{
  gboolean pinned = data != NULL;
  GmcpPinPolicy policy = pinned ? GMCP_PIN_POLICY_NOTICE : GMCP_PIN_POLICY_OFF;

  g_test_summary ("servers that do not run count by what was kept of them");
  gmcp_manager_set_pin_policy (fixture->manager, policy);
  gmcp_manager_set_tool_name_style (fixture->manager, GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo,only"),
                         manager_fixture_entry (fixture, "two", "--tools echo"), NULL);
  load (fixture);
  manager_fixture_assert_tools (fixture, "one__echo one__only two__echo");
  end (fixture);

  begin (fixture);
  gmcp_manager_set_pin_policy (fixture->manager, policy);
  load (fixture);
  manager_fixture_assert_tools (fixture, "one__echo only two__echo");
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 2);
}

static void
test_stopped_server (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_test_summary ("a server that was not even looked at yet counts too");
  gmcp_manager_set_tool_name_style (fixture->manager, GMCP_TOOL_NAME_STYLE_SERVER_TOOL);
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"),
                         manager_fixture_entry (fixture, "two", "--tools echo"), NULL);
  load (fixture);
  end (fixture);

  begin (fixture);
  text = manager_fixture_call (fixture, "two.echo", "{}", NULL, &error);
  g_assert_no_error (error);
  manager_fixture_assert_tools (fixture, "two__echo");
}

static void
test_added_and_removed (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("a name that was given stays, when servers come and go and come again");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"), NULL);
  load (fixture);
  manager_fixture_assert_tools (fixture, "echo");
  end (fixture);

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "two", "--tools echo"),
                         manager_fixture_entry (fixture, "one", "--tools echo"), NULL);
  begin (fixture);
  load (fixture);
  manager_fixture_assert_tools (fixture, "two__echo echo");
  end (fixture);

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "two", "--tools echo"), NULL);
  begin (fixture);
  load (fixture);
  manager_fixture_assert_tools (fixture, "two__echo");
  assert_unknown (fixture, "echo", "one");
  g_assert_null (manager_fixture_call (fixture, "echo", "{}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_cmpuint (manager_fixture_count_log (fixture, "call"), ==, 0);
  end (fixture);

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"),
                         manager_fixture_entry (fixture, "two", "--tools echo"), NULL);
  begin (fixture);
  load (fixture);
  manager_fixture_assert_tools (fixture, "echo two__echo");
}

static void
test_two_at_once (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *late = g_build_filename (fixture->dir, "late", NULL);
  g_autofree char *words = g_strdup_printf ("--tools echo --late %s", late);
  g_autofree char *list = NULL;
  ManagerFixture other = { .config = g_build_filename (fixture->dir, "other.json", NULL),
                           .dir = fixture->dir,
                           .log = fixture->log,
                           .state = fixture->state,
                           .notices = fixture->notices };
  gboolean loaded = FALSE;

  g_test_summary ("of two programs that give a name at once the first to write it down has it");
  begin (&other);
  manager_fixture_write (&other, manager_fixture_entry (&other, "two", words), NULL);
  gmcp_tool_provider_load_async (other.provider, NULL, on_loaded, &loaded);
  manager_fixture_wait_until (manager_fixture_count_log (fixture, "start") == 1);

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"), NULL);
  load (fixture);
  manager_fixture_assert_tools (fixture, "echo");
  end (fixture);

  g_assert_true (g_file_set_contents (late, "", 0, NULL));
  manager_fixture_wait_until (loaded);
  do
    {
      g_free (list);
      list = manager_fixture_list (&other);
    }
  while (!g_str_equal (list, "two__echo") && g_main_context_iteration (NULL, TRUE));
  end (&other);
  g_unlink (late);
  g_unlink (other.config);
  g_free (other.config);
  begin (fixture);
}

static void
test_unreadable (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->state, GMCP_GIVEN_NAMES_FILE, NULL);
  g_autofree char *after = NULL;

  g_test_summary ("where the names of earlier runs cannot be read no short one is given");
  g_assert_cmpint (g_mkdir_with_parents (fixture->state, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "{\"servers\": 7}", -1, NULL));
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools echo"), NULL);
  load (fixture);
  manager_fixture_assert_tools (fixture, "one__echo");
  g_assert_true (manager_fixture_has_notice (fixture, GMCP_GIVEN_NAMES_FILE));
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, "{\"servers\": 7}");
}

static void
test_like_another (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *list = NULL;

  g_test_summary (
    "a tool's own name that looks like the long one of another server's is not taken");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools two__echo"),
                         NULL);
  load (fixture);
  list = manager_fixture_list (fixture);
  g_assert_true (g_str_has_prefix (list, "one__two__echo"));
}

static void
test_limits (void)
{
  g_autoptr (GmcpGivenNames) names = gmcp_given_names_new ();
  g_autoptr (GmcpGivenNames) read = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GBytes) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *huge = g_strnfill (GMCP_LIMIT_GIVEN_NAME_BYTES + 1, 'x');
  gboolean is_new = FALSE;
  guint n_servers = GMCP_LIMIT_GIVEN_NAMES / GMCP_LIMIT_GIVEN_NAMES_PER_SERVER;

  g_test_summary ("a server gets so many names and no more, and the file can be read again");
  g_assert_false (gmcp_given_names_give (names, "x", "a", huge, &is_new));
  huge[GMCP_LIMIT_GIVEN_NAME_BYTES] = '\0';
  for (guint server = 0; server <= n_servers; server++)
    {
      g_autofree char *id = g_strdup_printf ("s%u", server);

      for (guint i = 0; i <= GMCP_LIMIT_GIVEN_NAMES_PER_SERVER; i++)
        {
          g_autofree char *name = g_strdup_printf ("%u-%u", server, i);
          gboolean given = gmcp_given_names_give (names, name, id, huge, &is_new);

          g_assert_cmpint (given, ==, server < n_servers && i < GMCP_LIMIT_GIVEN_NAMES_PER_SERVER);
        }
    }

  bytes = gmcp_given_names_write (names);
  g_assert_cmpuint (g_bytes_get_size (bytes), <, GMCP_LIMIT_STATE_FILE_BYTES);
  read = gmcp_given_names_parse (bytes, &error);
  g_assert_no_error (error);
  again = gmcp_given_names_write (read);
  g_assert_true (g_bytes_equal (bytes, again));
  g_assert_false (gmcp_given_names_merge (read, names));
  g_assert_false (gmcp_given_names_give (read, "0-0", "s1", huge, &is_new));
  g_assert_true (gmcp_given_names_give (read, "0-0", "s0", huge, &is_new));
}

static void
test_odd (void)
{
  static const char *const odd[] = {
    "{\"servers\":{\"a\":7}}",
    "{\"servers\":{\"a\":{\"echo\":\"echo\",\"add\":7}}}",
  };

  g_test_summary ("a name that cannot be read is not given to another tool");
  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (odd[i], strlen (odd[i]));
      g_autoptr (GError) error = NULL;

      g_assert_null (gmcp_given_names_parse (bytes, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
    }
}

#define ADD(name, data, func)                                                                      \
  g_test_add ("/manager/naming/" name, ManagerFixture, data, set_up, func,                         \
              manager_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("first-one", "one", test_either_order);
  ADD ("first-two", "two", test_either_order);
  ADD ("kept-lists", "", test_kept_lists);
  ADD ("kept-lists-without-pins", NULL, test_kept_lists);
  ADD ("stopped-server", NULL, test_stopped_server);
  ADD ("added-and-removed", NULL, test_added_and_removed);
  ADD ("two-at-once", NULL, test_two_at_once);
  ADD ("unreadable", NULL, test_unreadable);
  ADD ("like-another", NULL, test_like_another);
  g_test_add_func ("/manager/naming/limits", test_limits);
  g_test_add_func ("/manager/naming/odd", test_odd);
  return g_test_run ();
}
