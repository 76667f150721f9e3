/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-project-set-private.h"

#include <gmcp/core/gmcp-error.h>

#include "unit-test.h"

static GmcpProject *
make_project (const char *id, const char *server)
{
  const char *servers[] = { server, NULL };

  return gmcp_project_new (id, servers, NULL);
}

static char *
join_ids (GmcpProjectSet *set)
{
  g_autoptr (GPtrArray) projects = gmcp_project_set_list (set);
  GString *ids = g_string_new (NULL);

  for (guint i = 0; i < projects->len; i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? " " : "",
                            gmcp_project_get_id (g_ptr_array_index (projects, i)));
  return g_string_free (ids, FALSE);
}

static void
configure (GmcpProjectSet *set, GmcpProject *first, GmcpProject *second)
{
  g_autoptr (GPtrArray) projects = g_ptr_array_new ();

  if (first != NULL)
    g_ptr_array_add (projects, first);
  if (second != NULL)
    g_ptr_array_add (projects, second);
  g_assert_true (gmcp_project_set_configure (set, projects));
}

static void
test_order (void)
{
  g_autoptr (GmcpProjectSet) set = gmcp_project_set_new ();
  g_autoptr (GmcpProject) one = make_project ("one", "a");
  g_autoptr (GmcpProject) other = make_project ("one", "b");
  g_autoptr (GmcpProject) two = make_project ("two", "c");
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autofree char *all = NULL;
  g_autofree char *rest = NULL;

  g_test_summary ("a project of the program comes before one of the configuration");
  g_assert_false (gmcp_project_set_configure (set, none));
  g_assert_null (gmcp_project_set_find (set, "one"));

  /* The first one of an id counts. */
  configure (set, one, other);
  g_assert_true (gmcp_project_set_find (set, "one") == one);
  gmcp_project_set_add (set, two);
  gmcp_project_set_add (set, other);
  g_assert_true (gmcp_project_set_find (set, "one") == other);
  all = join_ids (set);
  g_assert_cmpstr (all, ==, "two one");

  /* A project that is added again takes the place of the former one. */
  gmcp_project_set_add (set, one);
  g_assert_true (gmcp_project_set_find (set, "one") == one);
  g_assert_false (gmcp_project_set_remove (set, other));
  g_assert_true (gmcp_project_set_remove (set, one));
  g_assert_false (gmcp_project_set_remove (set, one));
  g_assert_true (gmcp_project_set_find (set, "one") == one);

  g_assert_true (gmcp_project_set_configure (set, none));
  g_assert_null (gmcp_project_set_find (set, "one"));
  rest = join_ids (set);
  g_assert_cmpstr (rest, ==, "two");
}

static void
test_chosen (void)
{
  g_autoptr (GmcpProjectSet) set = gmcp_project_set_new ();
  g_autoptr (GmcpProject) one = make_project ("one", "a");

  g_assert_null (gmcp_project_set_get_chosen (set));
  g_assert_true (gmcp_project_set_includes (set, "a"));
  g_assert_true (gmcp_project_set_includes (set, "b"));

  g_assert_false (gmcp_project_set_choose (set, NULL));
  g_assert_true (gmcp_project_set_choose (set, "one"));
  g_assert_false (gmcp_project_set_choose (set, "one"));
  g_assert_cmpstr (gmcp_project_set_get_chosen (set), ==, "one");

  g_test_message ("a project that is not there has no server");
  g_assert_false (gmcp_project_set_includes (set, "a"));
  gmcp_project_set_add (set, one);
  g_assert_true (gmcp_project_set_includes (set, "a"));
  g_assert_false (gmcp_project_set_includes (set, "b"));

  g_assert_true (gmcp_project_set_choose (set, NULL));
  g_assert_true (gmcp_project_set_includes (set, "b"));
}

static void
test_missing (void)
{
  g_autoptr (GmcpProjectSet) set = gmcp_project_set_new ();
  g_autoptr (GmcpProject) one = make_project ("one", "a");
  g_autoptr (GmcpProject) two = make_project ("two", "b");
  g_autofree char *endless = g_strnfill (100000, 'x');
  g_autoptr (GError) unnamed = gmcp_project_set_missing_error (set, NULL);
  g_autoptr (GError) empty = gmcp_project_set_missing_error (set, "three");
  g_autoptr (GError) missing = NULL;
  g_autoptr (GError) shortened = NULL;

  configure (set, one, NULL);
  gmcp_project_set_add (set, two);
  missing = gmcp_project_set_missing_error (set, "three");
  shortened = gmcp_project_set_missing_error (set, endless);

  g_assert_error (unnamed, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_assert_error (empty, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED);
  g_assert_error (missing, GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED);
  g_assert_nonnull (strstr (missing->message, "three"));
  g_assert_nonnull (strstr (missing->message, "two, one"));
  g_assert_cmpuint (strlen (shortened->message), <, 1000);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/manager/project-set/order", test_order);
  g_test_add_func ("/manager/project-set/chosen", test_chosen);
  g_test_add_func ("/manager/project-set/missing", test_missing);
  return g_test_run ();
}
