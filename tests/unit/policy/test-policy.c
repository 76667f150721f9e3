/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-policy-private.h"

#include <gmcp/core/gmcp-error.h>

#include "unit-test.h"

/* Rules make a decision stricter, never looser. */

static const GmcpPolicyCaller anybody = { NULL, NULL };

static GmcpRole *
make_role (const char *name, const char *allowed)
{
  const char *const tools[] = { allowed, NULL };

  return gmcp_role_new (name, tools, NULL);
}

static void
add_role (GmcpPolicy *policy, const char *name, const char *allowed)
{
  g_autoptr (GmcpRole) role = make_role (name, allowed);

  gmcp_policy_add_role (policy, role);
}

static gboolean
is_allowed (GmcpPolicy *policy, const char *role, const char *tool)
{
  const GmcpPolicyCaller caller = { NULL, role };
  const GmcpPolicySubject subject = { .server = "one", .tool = tool };
  g_auto (GmcpPolicyDecision) decision = { .allowed = TRUE };

  gmcp_policy_judge_roles (policy, &caller, &subject, &decision);
  g_assert_true (decision.allowed == (decision.rule == NULL));
  return decision.allowed;
}

static void
test_roles (void)
{
  g_autoptr (GmcpPolicy) policy = gmcp_policy_new ();
  g_autoptr (GmcpRole) read = make_role ("reader", "one.read");
  g_autoptr (GPtrArray) configured = g_ptr_array_new ();
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autoptr (GPtrArray) list = NULL;

  g_test_summary ("each role has to allow a tool; one that is not there allows nothing");
  g_assert_true (is_allowed (policy, NULL, "read"));
  g_assert_false (is_allowed (policy, "reader", "read"));

  g_ptr_array_add (configured, read);
  g_assert_true (gmcp_policy_set_roles (policy, configured));
  g_assert_false (gmcp_policy_set_roles (policy, configured));
  g_assert_true (is_allowed (policy, "reader", "read"));
  g_assert_false (is_allowed (policy, "reader", "write"));

  /* One of the program has to allow it too. */
  add_role (policy, "reader", "one.write");
  g_assert_false (is_allowed (policy, "reader", "read"));
  g_assert_false (is_allowed (policy, "reader", "write"));
  add_role (policy, "reader", "one.*");
  g_assert_cmpuint (gmcp_policy_get_own_roles (policy)->len, ==, 1);
  g_assert_true (is_allowed (policy, "reader", "read"));
  list = gmcp_policy_list_roles (policy, NULL);
  g_assert_cmpuint (list->len, ==, 2);

  /* The standing role holds beside that of a call. */
  add_role (policy, "other", "one.write");
  g_assert_true (gmcp_policy_set_role (policy, "other"));
  g_assert_false (gmcp_policy_set_role (policy, "other"));
  g_assert_cmpstr (gmcp_policy_get_role (policy), ==, "other");
  g_assert_false (is_allowed (policy, "reader", "read"));
  g_assert_true (is_allowed (policy, NULL, "write"));
  g_assert_true (gmcp_policy_set_role (policy, NULL));

  g_assert_true (gmcp_policy_set_roles (policy, none));
  g_assert_true (is_allowed (policy, "reader", "write"));
  g_assert_false (gmcp_policy_remove_role (policy, read));
}

static void
test_reach (void)
{
  g_autoptr (GmcpPolicy) policy = gmcp_policy_new ();
  const GmcpPolicyCaller reader = { NULL, "reader" };

  g_assert_true (gmcp_policy_may_reach (policy, &anybody, "one"));
  g_assert_false (gmcp_policy_may_reach (policy, &reader, "one"));
  add_role (policy, "reader", "one.read");
  g_assert_true (gmcp_policy_may_reach (policy, &reader, "one"));
  g_assert_false (gmcp_policy_may_reach (policy, &reader, "two"));
  gmcp_policy_set_role (policy, "reader");
  g_assert_false (gmcp_policy_may_reach (policy, &anybody, "two"));
}

static char *
dup_asking (GmcpPolicy *policy, const char *server, const char *tool)
{
  const GmcpPolicySubject subject = { .server = server, .tool = tool };
  g_auto (GmcpPolicyDecision) decision = { .allowed = TRUE };

  gmcp_policy_judge_asking (policy, &subject, &decision);
  g_assert_true (decision.allowed);
  g_assert_true (decision.asks == (decision.rule != NULL));
  return g_strdup (decision.rule);
}

static void
assert_asks (GmcpPolicy *policy, const char *server, const char *tool, const char *expected)
{
  g_autofree char *rule = dup_asking (policy, server, tool);

  if (expected == NULL)
    g_assert_null (rule);
  else
    g_assert_true (rule != NULL && strstr (rule, expected) != NULL);
}

static void
test_asking (void)
{
  g_autoptr (GmcpPolicy) policy = gmcp_policy_new ();

  g_test_summary ("what is asked about; a rule that cannot be understood is about everything");
  assert_asks (policy, "one", "drop", NULL);
  gmcp_policy_set_asking (policy, g_strsplit ("one.drop", ",", 0), FALSE);
  g_assert_cmpstr (gmcp_policy_get_ask_first (policy)[0], ==, "one.drop");
  assert_asks (policy, "one", "drop", "ask-first: one.drop");
  assert_asks (policy, "one", "read", NULL);

  gmcp_policy_set_asking (policy, g_strsplit ("broken.", ",", 0), FALSE);
  assert_asks (policy, "two", "read", "invalid rule");

  gmcp_policy_set_asking (policy, g_new0 (char *, 1), TRUE);
  g_assert_true (gmcp_policy_get_ask_destructive (policy));
  assert_asks (policy, "two", "read", "ask-destructive");
  assert_asks (policy, NULL, "read", NULL);
}

static void
test_server (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_new_from_json (
    "one", "{\"command\":\"x\",\"allowedTools\":[\"read\"]}", &error);
  GmcpPolicySubject subject = { .server = "one", .tool = "read" };
  g_auto (GmcpPolicyDecision) decision = { .allowed = TRUE };

  g_test_summary ("what a server's configuration leaves of its tools, and the error of a refusal");
  g_assert_no_error (error);
  gmcp_policy_judge_server (NULL, &subject, &decision);
  gmcp_policy_judge_server (config, &subject, &decision);
  g_assert_true (decision.allowed);
  subject.tool = "drop";
  gmcp_policy_judge_server (config, &subject, &decision);
  g_assert_false (decision.allowed);

  error = gmcp_policy_refused_error ("one", "drop", decision.rule);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_nonnull (strstr (error->message, "one.drop"));
  g_assert_nonnull (strstr (error->message, "allowed-tools, denied-tools: one"));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy/policy/roles", test_roles);
  g_test_add_func ("/policy/policy/reach", test_reach);
  g_test_add_func ("/policy/policy/asking", test_asking);
  g_test_add_func ("/policy/policy/server", test_server);
  return g_test_run ();
}
