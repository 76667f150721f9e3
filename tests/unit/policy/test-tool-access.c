/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-approval-file-private.h"
#include "gmcp-tool-access-private.h"
#include "gmcp-tool-call-private.h"
#include "list-provider.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* All that has a say in a call has it, and the strictest holds. */

typedef struct
{
  ListProvider *provider;
  char *dir;
  GmcpStateStore *state;
  GmcpPolicy *rules;
  GmcpPinStore *pins;
  GmcpApprovals *approvals;
  GmcpServerConfig *config; /* of the server “one” */
  GmcpTool *tool;
  GmcpToolAccess *access;
  guint n_remembered;
  guint n_answers;
} Fixture;

static void
on_remembered (gpointer provider)
{
  Fixture *fixture = g_object_get_data (provider, "fixture");

  fixture->n_remembered++;
}

static gboolean
take_approvals (gpointer owner, GBytes *bytes, GError **error)
{
  Fixture *fixture = g_object_get_data (owner, "fixture");

  return gmcp_approvals_take (fixture->approvals, bytes, error);
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

static void
on_loaded (gpointer owner, gpointer data)
{
  *(gboolean *) data = TRUE;
}

static GmcpServerConfig *
find_config (const char *server, gpointer data)
{
  return g_str_equal (server, "one") ? ((Fixture *) data)->config : NULL;
}

static const GmcpApprovalsFuncs approvals_funcs = { .remembered = on_remembered };

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) folder = NULL;
  static const GmcpStateKind kinds[] = { { GMCP_CALL_ANSWERS_FILE, FALSE, take_approvals, NULL } };
  static const GmcpStateStoreFuncs funcs = { fail_with, ignore_end };
  gboolean is_loaded = FALSE;
  g_autoptr (GError) error = NULL;

  fixture->provider = list_provider_new ();
  g_object_set_data (G_OBJECT (fixture->provider), "fixture", fixture);
  fixture->dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  fixture->state = gmcp_state_store_new (G_OBJECT (fixture->provider), g_main_context_default (),
                                         kinds, 1, &funcs);
  folder = g_file_new_for_path (fixture->dir);
  gmcp_state_store_set_folder (fixture->state, folder);
  fixture->rules = gmcp_policy_new ();
  fixture->pins = gmcp_pin_store_new (fixture->state);
  fixture->approvals
    = gmcp_approvals_new (GMCP_TOOL_PROVIDER (fixture->provider), g_main_context_default (),
                          fixture->state, &approvals_funcs);
  fixture->config = gmcp_server_config_new_from_json (
    "one", "{\"command\":\"one\",\"denied_tools\":[\"format\"]}", &error);
  g_assert_no_error (error);
  fixture->tool = list_provider_make_tool ("drop", NULL, "drops", NULL);
  fixture->access = gmcp_tool_access_new (fixture->rules, fixture->pins, fixture->approvals,
                                          find_config, fixture);
  gmcp_state_store_load (fixture->state, on_loaded, &is_loaded);
  while (!is_loaded)
    g_main_context_iteration (NULL, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { GMCP_CALL_ANSWERS_FILE, GMCP_CALL_ANSWERS_FILE ".lock" };

  while (gmcp_state_store_is_keeping (fixture->state))
    g_main_context_iteration (NULL, TRUE);
  gmcp_tool_access_free (fixture->access);
  g_assert_finalize_object (fixture->provider);
  gmcp_approvals_free (fixture->approvals);
  gmcp_pin_store_free (fixture->pins);
  gmcp_policy_free (fixture->rules);
  gmcp_state_store_free (fixture->state);
  g_object_unref (fixture->config);
  g_object_unref (fixture->tool);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (fixture->dir, names[i], NULL);

      if (g_unlink (path) != 0)
        g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
  g_rmdir (fixture->dir);
  g_free (fixture->dir);
}

/* "yes", "ask RULE" or "no RULE". */
static char *
judge_pinned (Fixture *fixture,
              const char *server,
              const char *tool,
              const char *role,
              GmcpPinStatus pin_status)
{
  const GmcpPolicySubject subject = {
    .server = server,
    .tool = tool,
    .definition = g_strcmp0 (tool, "drop") == 0 ? fixture->tool : NULL,
    .pin_status = pin_status,
  };
  g_auto (GmcpPolicyDecision) decision = { 0 };

  gmcp_tool_access_judge (fixture->access, &subject, role, &decision);
  if (decision.allowed && !decision.asks)
    return g_strdup ("yes");
  return g_strdup_printf ("%s %s", decision.allowed ? "ask" : "no", decision.rule);
}

static void
assert_judged (Fixture *fixture,
               const char *server,
               const char *tool,
               const char *role,
               const char *expected)
{
  g_autofree char *judged = judge_pinned (fixture, server, tool, role, GMCP_PIN_STATUS_APPROVED);

  if (!g_str_has_prefix (judged, expected))
    g_error ("%s.%s: %s, not %s", server != NULL ? server : "", tool, judged, expected);
}

static void
add_role (Fixture *fixture, const char *name, const char *host, const char *rule)
{
  const char *const tools[] = { rule, NULL };
  g_autoptr (GmcpRole) role
    = g_object_new (GMCP_TYPE_ROLE, "name", name, "host", host, "allowed-tools", tools, NULL);

  gmcp_policy_add_role (fixture->rules, role);
}

static void
test_strictest (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) ask_first = g_strsplit ("one.drop one.format", " ", -1);
  g_autofree char *pinned = NULL;

  g_test_summary ("configuration, roles, pins and questions each make a call stricter");
  assert_judged (fixture, "one", "read", NULL, "yes");
  assert_judged (fixture, "one", "format", NULL, "no ");
  assert_judged (fixture, "two", "format", NULL, "yes");
  assert_judged (fixture, NULL, "format", NULL, "yes");

  gmcp_policy_set_asking (fixture->rules, g_steal_pointer (&ask_first), FALSE);
  assert_judged (fixture, "one", "drop", NULL, "ask ");
  assert_judged (fixture, "one", "format", NULL, "no ");
  assert_judged (fixture, "one", "read", NULL, "yes");

  add_role (fixture, "reader", NULL, "one.read");
  assert_judged (fixture, "one", "drop", "reader", "no ");
  assert_judged (fixture, "one", "read", "reader", "yes");
  assert_judged (fixture, "one", "read", "nobody", "no ");

  gmcp_pin_store_set_policy (fixture->pins, GMCP_PIN_POLICY_WITHHOLD);
  pinned = judge_pinned (fixture, "one", "read", "reader", GMCP_PIN_STATUS_CHANGED);
  g_assert_true (g_str_has_prefix (pinned, "no "));
  assert_judged (fixture, "one", "read", "reader", "yes");
}

static void
test_host (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("roles of another program say nothing here");
  add_role (fixture, "reader", "mine", "one.read");
  assert_judged (fixture, "one", "read", "reader", "no ");
  g_assert_false (gmcp_tool_access_may_reach (fixture->access, "one", "reader"));
  gmcp_tool_access_set_host (fixture->access, "mine");
  assert_judged (fixture, "one", "read", "reader", "yes");
  g_assert_true (gmcp_tool_access_may_reach (fixture->access, "one", "reader"));
  g_assert_false (gmcp_tool_access_may_reach (fixture->access, "two", "reader"));
  g_assert_true (gmcp_tool_access_may_reach (fixture->access, "two", NULL));
  gmcp_tool_access_set_host (fixture->access, NULL);
  assert_judged (fixture, "one", "read", "reader", "no ");
}

static void
on_call_requested (GmcpToolProvider *provider, GmcpCallPermission *request, gpointer data)
{
  g_assert_cmpstr (gmcp_call_permission_get_arguments_json (request), ==, "{\"all\":true}");
  gmcp_call_permission_allow_always (request);
  /* A second answer is dropped. */
  gmcp_call_permission_allow_once (request);
  gmcp_call_permission_allow_always (request);
}

static void
on_answer (GmcpApprovalOutcome outcome, const GError *error, gpointer data)
{
  g_assert_no_error (error);
  ((Fixture *) data)->n_answers++;
}

static void
test_remembered (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) ask_first = g_strsplit ("drop", " ", -1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
  g_autoptr (GmcpToolCall) call = NULL;
  g_autoptr (GmcpToolResult) answer = gmcp_tool_result_new_text ("done");
  GmcpJsonDoc *arguments = NULL;

  g_test_summary ("what somebody has allowed for good is not asked about again");
  gmcp_policy_set_asking (fixture->rules, g_steal_pointer (&ask_first), FALSE);
  assert_judged (fixture, NULL, "drop", NULL, "ask ask-first: drop");
  g_signal_connect (fixture->provider, "call-requested", G_CALLBACK (on_call_requested), NULL);
  g_assert_true (gmcp_tool_call_read_arguments_json ("{\"all\":true}", &arguments, NULL));
  call = gmcp_tool_call_new_take (g_object_ref (task), "drop", arguments, NULL);
  gmcp_tool_access_ask (fixture->access, call, fixture->tool, NULL, "drop", FALSE, 60000, on_answer,
                        fixture);
  while (fixture->n_answers == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (fixture->n_answers, ==, 1);
  g_assert_cmpuint (fixture->n_remembered, ==, 1);
  assert_judged (fixture, NULL, "drop", NULL, "yes");
  /* Another role, or another program, was never allowed it. */
  add_role (fixture, "other", NULL, "*");
  assert_judged (fixture, NULL, "drop", "other", "ask ask-first: drop");
  gmcp_tool_access_set_host (fixture->access, "mine");
  assert_judged (fixture, NULL, "drop", NULL, "ask ask-first: drop");
  gmcp_tool_call_return_result (call, answer);
}

#define ADD(path, func) g_test_add ("/policy/access/" path, Fixture, NULL, set_up, func, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  ADD ("strictest", test_strictest);
  ADD ("host", test_host);
  ADD ("remembered", test_remembered);
  return g_test_run ();
}
