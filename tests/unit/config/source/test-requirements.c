/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "manager-fixture.h"
#include "unit-test.h"

typedef struct
{
  gboolean done;
  GmcpRequirementsReport *report;
  GError *error;
} Outcome;

static void
on_checked (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  outcome->report
    = gmcp_manager_check_requirements_finish (GMCP_MANAGER (object), result, &outcome->error);
  outcome->done = TRUE;
}

static GmcpRequirementsReport *
check (ManagerFixture *fixture,
       const char *required,
       const char *recommended,
       const char *optional,
       GCancellable *cancellable,
       GError **error)
{
  g_auto (GStrv) first = g_strsplit (required, " ", -1);
  g_auto (GStrv) second = g_strsplit (recommended, " ", -1);
  g_auto (GStrv) third = g_strsplit (optional, " ", -1);
  g_autoptr (GmcpRequirements) requirements = gmcp_requirements_new (
    "x", (const char *const *) first, (const char *const *) second, (const char *const *) third);
  Outcome outcome = { FALSE, NULL, NULL };

  gmcp_manager_check_requirements_async (fixture->manager, requirements, cancellable, on_checked,
                                         &outcome);
  manager_fixture_wait_until (outcome.done);
  if (outcome.error != NULL)
    g_propagate_error (error, outcome.error);
  return outcome.report;
}

static GmcpRequirement *
get (GmcpRequirementsReport *report, guint position)
{
  g_autoptr (GPtrArray) list = gmcp_requirements_report_list_requirements (report);

  g_assert_cmpuint (position, <, list->len);
  return g_object_ref (g_ptr_array_index (list, position));
}

static char *
with_members (char *entry, const char *members)
{
  char *longer;

  entry[strlen (entry) - 1] = '\0';
  longer = g_strconcat (entry, ",", members, "}", NULL);
  g_free (entry);
  return longer;
}

static void
test_ready (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpRequirementsReport) report = NULL;
  g_autoptr (GmcpRequirement) first = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("what is needed is started; what is optional is not");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "One", "--tools a"),
                         manager_fixture_entry (fixture, "two", "--tools a"),
                         manager_fixture_entry (fixture, "three", "--tools a"), NULL);
  report = check (fixture, "One", "two one", "three nine", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gmcp_requirements_report_get_readiness (report), ==, GMCP_READINESS_READY);
  g_assert_true (gmcp_requirements_report_may_work (report, &error));
  g_assert_no_error (error);
  text = gmcp_requirements_report_dup_text (report);
  g_assert_cmpstr (text, ==, "");
  first = get (report, 0);
  g_assert_cmpstr (gmcp_requirement_get_server_id (first), ==, "one");
  g_assert_cmpint (gmcp_requirement_get_tier (first), ==, GMCP_TIER_REQUIRED);
  g_assert_true (gmcp_requirement_is_met (first));
  g_assert_null (gmcp_requirement_get_reason (first));
  g_assert_null (gmcp_requirement_get_hint (first));
  g_assert_cmpuint (manager_fixture_count_log (fixture, "start"), ==, 2);
  g_assert_false (manager_fixture_has_notice (fixture, "missing"));
  g_assert_finalize_object (g_steal_pointer (&report));
}

static void
test_blocked (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpRequirementsReport) report = NULL;
  g_autoptr (GmcpRequirement) broken = NULL;
  g_autoptr (GmcpRequirement) away = NULL;
  g_autoptr (GmcpRequirement) disabled = NULL;
  g_autoptr (GmcpRequirement) manual = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("each that is missing has a reason, and a hint where there is one");
  manager_fixture_write (
    fixture, manager_fixture_entry (fixture, "one", "--tools a"),
    with_members (manager_fixture_entry (fixture, "broken", "--fail start"),
                  "\"package\":\"@example/broken\""),
    with_members (manager_fixture_entry (fixture, "off", "--tools a"), "\"disabled\":true"),
    with_members (manager_fixture_entry (fixture, "hand", "--tools a"), "\"start\":\"manual\""),
    NULL);
  report = check (fixture, "one broken away off hand", "", "", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gmcp_requirements_report_get_readiness (report), ==, GMCP_READINESS_BLOCKED);
  g_assert_false (gmcp_requirements_report_may_work (report, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING);
  g_assert_nonnull (strstr (error->message, "broken"));
  g_assert_nonnull (strstr (error->message, "install: npm install -g @example/broken"));
  g_assert_nonnull (strstr (error->message, "away"));

  broken = get (report, 1);
  g_assert_false (gmcp_requirement_is_met (broken));
  g_assert_cmpstr (gmcp_requirement_get_hint (broken), ==,
                   "install: npm install -g @example/broken");
  away = get (report, 2);
  g_assert_cmpstr (gmcp_requirement_get_reason (away), ==, "not configured");
  g_assert_cmpstr (gmcp_requirement_get_hint (away), ==, "add: gmcp add away -- COMMAND");
  disabled = get (report, 3);
  g_assert_cmpstr (gmcp_requirement_get_reason (disabled), ==, "configured, but not enabled");
  g_assert_nonnull (gmcp_requirement_get_hint (disabled));
  manual = get (report, 4);
  g_assert_cmpstr (gmcp_requirement_get_reason (manual), ==, "not running");
  g_assert_cmpstr (gmcp_requirement_get_hint (manual), ==,
                   "Set its “start” to “on-demand” (“auto_start: true” in YAML)");
  g_assert_cmpint (manager_fixture_get_state (fixture, "hand"), ==, GMCP_SERVER_STATE_STOPPED);
}

static void
test_hints (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpRequirementsReport) report = NULL;
  g_autoptr (GmcpRequirement) broken = NULL;
  g_autoptr (GError) error = NULL;
  const char *hint;

  g_test_summary ("what to install is said once, and one without a package has a hint too");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "broken", "--fail start"),
                         g_strdup ("\"away\":{\"command\":\"gmcp-no-such-command\","
                                   "\"package\":\"@example/away\"}"),
                         NULL);
  report = check (fixture, "broken away", "", "", NULL, NULL);
  g_assert_false (gmcp_requirements_report_may_work (report, &error));
  hint = strstr (error->message, "install: npm install -g @example/away");
  g_assert_nonnull (hint);
  g_assert_null (strstr (hint + 1, "install: npm"));
  broken = get (report, 0);
  g_assert_cmpstr (gmcp_requirement_get_hint (broken), ==, "See its log with: gmcp logs broken");
}

static void
test_degraded (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpRequirementsReport) report = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "of a recommended one that is missing there is one warning, of optional ones none");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools a"), NULL);
  report = check (fixture, "one", "search", "extra", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gmcp_requirements_report_get_readiness (report), ==, GMCP_READINESS_DEGRADED);
  g_assert_true (gmcp_requirements_report_may_work (report, NULL));
  text = gmcp_requirements_report_dup_text (report);
  g_assert_cmpstr (
    text, ==,
    "Recommended server missing: search: not configured (add: gmcp add search -- COMMAND)");
  g_assert_true (manager_fixture_has_notice (
    fixture, "warning search Recommended server missing: search: not configured"));
  g_assert_false (manager_fixture_has_notice (fixture, "extra"));
}

static void
test_fails (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) cancelled = NULL;
  g_autoptr (GError) broken = NULL;

  g_assert_true (g_file_set_contents (fixture->config, "{", 1, NULL));
  g_assert_null (check (fixture, "one", "", "", NULL, &broken));
  g_assert_error (broken, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_cancellable_cancel (cancellable);
  g_assert_null (check (fixture, "one", "", "", cancellable, &cancelled));
  g_assert_error (cancelled, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_empty (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpRequirementsReport) report = NULL;

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", ""), NULL);
  report = check (fixture, "", "", "", NULL, NULL);
  g_assert_cmpint (gmcp_requirements_report_get_readiness (report), ==, GMCP_READINESS_READY);
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/requirements/" path, ManagerFixture, NULL, manager_fixture_set_up, func,   \
              manager_fixture_tear_down)

  ADD ("ready", test_ready);
  ADD ("blocked", test_blocked);
  ADD ("hints", test_hints);
  ADD ("degraded", test_degraded);
  ADD ("fails", test_fails);
  ADD ("empty", test_empty);
  return g_test_run ();
}
