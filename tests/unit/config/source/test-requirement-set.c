/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-config-answers-private.h"
#include "gmcp-requirement-set-private.h"
#include "gmcp-requirements-private.h"
#include "unit-test.h"

static GmcpRequirements *
make_requirements (const char *name, const char *required, const char *optional)
{
  const char *const first[] = { required, NULL };
  const char *const last[] = { optional, NULL };

  return g_object_new (GMCP_TYPE_REQUIREMENTS, "name", name, "required", first, "optional", last,
                       NULL);
}

static void
test_merge (void)
{
  g_autoptr (GmcpRequirementSet) set = gmcp_requirement_set_new ();
  g_autoptr (GmcpRequirements) any = make_requirements (NULL, "a", "b");
  g_autoptr (GmcpRequirements) notes = make_requirements ("notes", "b", "c");
  g_autoptr (GmcpRequirements) other = make_requirements ("other", "d", NULL);
  g_autoptr (GPtrArray) configured = g_ptr_array_new ();
  g_autoptr (GmcpRequirements) merged = NULL;

  g_test_summary ("what is required of any holds for each, and the strictest tier counts");
  g_ptr_array_add (configured, notes);
  g_ptr_array_add (configured, other);
  gmcp_requirement_set_configure (set, configured);
  gmcp_requirement_set_add (set, any);
  g_assert_true (gmcp_requirement_set_has_server (set, NULL, "a"));
  g_assert_false (gmcp_requirement_set_has_server (set, NULL, "b"));
  g_assert_true (gmcp_requirement_set_has_server (set, "notes", "a"));
  g_assert_true (gmcp_requirement_set_has_server (set, "notes", "b"));
  g_assert_false (gmcp_requirement_set_has_server (set, "notes", "c"));
  g_assert_false (gmcp_requirement_set_has_server (set, "notes", "d"));

  merged = gmcp_requirement_set_merge (set, "notes");
  g_assert_cmpstr (gmcp_requirements_get_name (merged), ==, "notes");
  g_assert_cmpuint (
    g_strv_length ((char **) gmcp_requirements_get_tier (merged, GMCP_TIER_OPTIONAL)), ==, 1);
}

static void
test_list (void)
{
  g_autoptr (GmcpRequirementSet) set = gmcp_requirement_set_new ();
  g_autoptr (GmcpRequirements) any = make_requirements (NULL, "a", NULL);
  g_autoptr (GmcpRequirements) notes = make_requirements ("notes", "b", NULL);
  g_autoptr (GmcpRequirements) own = make_requirements ("notes", "c", NULL);
  g_autoptr (GPtrArray) configured = g_ptr_array_new ();
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GPtrArray) fewer = NULL;

  g_ptr_array_add (configured, any);
  g_ptr_array_add (configured, notes);
  gmcp_requirement_set_configure (set, configured);
  gmcp_requirement_set_add (set, own);
  list = gmcp_requirement_set_list (set);
  g_assert_cmpuint (list->len, ==, 1);
  g_assert_cmpuint (g_strv_length ((char **) gmcp_requirements_get_tier (
                      g_ptr_array_index (list, 0), GMCP_TIER_REQUIRED)),
                    ==, 3);

  g_test_message ("what the program did not add is let pass");
  gmcp_requirement_set_remove (set, notes);
  gmcp_requirement_set_remove (set, own);
  gmcp_requirement_set_remove (set, own);
  gmcp_requirement_set_configure (set, none);
  fewer = gmcp_requirement_set_list (set);
  g_assert_cmpuint (fewer->len, ==, 0);
  g_assert_false (gmcp_requirement_set_has_server (set, "notes", "a"));
}

static void
test_answers (void)
{
  g_autoptr (GmcpConfigAnswers) answers = gmcp_config_answers_new ();
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  g_assert_null (gmcp_config_answers_recall (answers, "file token"));
  gmcp_config_answers_remember (answers, "file token", "one");
  gmcp_config_answers_remember (answers, "other token", "");
  first = gmcp_config_answers_recall (answers, "file token");
  second = gmcp_config_answers_recall (answers, "other token");
  g_assert_cmpstr (first, ==, "one");
  g_assert_cmpstr (second, ==, "");

  gmcp_config_answers_remember (answers, "file token", NULL);
  g_assert_null (gmcp_config_answers_recall (answers, "file token"));
  gmcp_config_answers_forget (answers);
  g_assert_null (gmcp_config_answers_recall (answers, "other token"));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/config/requirement-set/merge", test_merge);
  g_test_add_func ("/config/requirement-set/list", test_list);
  g_test_add_func ("/config/answers", test_answers);
  return g_test_run ();
}
