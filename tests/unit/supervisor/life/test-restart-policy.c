/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-limits-private.h"
#include "gmcp-restart-policy-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* What failures of a server lead to, without a server. */

typedef struct
{
  GmcpRestartPolicy *policy;
  GmcpServerLimits limits;
  guint n_due;
} Fixture;

static void
on_due (gpointer data)
{
  ((Fixture *) data)->n_due++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();
  GmcpManagerLimits limits;

  gmcp_manager_limits_init (&limits);
  fixture->limits = limits.servers;
  fixture->limits.restart_delay_ms = 1;
  fixture->limits.restart_jitter_percent = 0;
  fixture->limits.max_restart_attempts = 2;
  fixture->policy = gmcp_restart_policy_new (context, on_due, fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gmcp_restart_policy_free (fixture->policy);
}

static GmcpServerConfig *
make_config (const char *more)
{
  g_autofree char *json = g_strdup_printf ("{\"command\":\"/bin/true\"%s}", more);
  g_autoptr (GError) error = NULL;
  GmcpServerConfig *config = gmcp_server_config_new_from_json ("one", json, &error);

  g_assert_no_error (error);
  return config;
}

static GmcpServerEvent
judge_start (Fixture *fixture, GmcpServerConfig *config, GQuark domain, int code)
{
  g_autoptr (GError) error = g_error_new_literal (domain, code, "no");
  guint delay_ms = 0;

  return gmcp_restart_policy_judge_start (fixture->policy, config, &fixture->limits, error,
                                          &delay_ms);
}

static GmcpServerEvent
judge_end (Fixture *fixture, GmcpServerConfig *config)
{
  guint delay_ms = 0;

  return gmcp_restart_policy_judge_end (fixture->policy, config, &fixture->limits, &delay_ms);
}

static void
test_first_start (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpServerConfig) config = make_config ("");

  g_test_summary ("a server that never was ready is not started again, and rests for a while");
  gmcp_restart_policy_begin (fixture->policy);
  g_assert_true (gmcp_restart_policy_was_tried (fixture->policy));
  g_assert_cmpint (gmcp_restart_policy_get_rest_us (fixture->policy, &fixture->limits), ==, 0);
  g_assert_cmpint (judge_start (fixture, config, GMCP_ERROR, GMCP_ERROR_START_FAILED), ==,
                   GMCP_SERVER_EVENT_FAIL);
  fixture->limits.failed_start_delay_ms = 600000;
  g_assert_cmpint (gmcp_restart_policy_get_rest_us (fixture->policy, &fixture->limits), >, 0);
  fixture->limits.failed_start_delay_ms = 0;
  g_assert_cmpint (gmcp_restart_policy_get_rest_us (fixture->policy, &fixture->limits), <=, 0);
  gmcp_restart_policy_renew (fixture->policy);
  g_assert_false (gmcp_restart_policy_was_tried (fixture->policy));
}

static void
test_kept_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpServerConfig) config = make_config ("");

  g_test_summary ("a server that was ready is started again as often as the limit says");
  g_assert_false (gmcp_restart_policy_succeed (fixture->policy));
  g_assert_true (gmcp_restart_policy_succeed (fixture->policy));
  g_assert_cmpint (judge_end (fixture, config), ==, GMCP_SERVER_EVENT_RETRY);
  g_assert_cmpint (judge_start (fixture, config, GMCP_ERROR, GMCP_ERROR_START_FAILED), ==,
                   GMCP_SERVER_EVENT_RETRY);
  g_assert_cmpint (judge_start (fixture, config, GMCP_ERROR, GMCP_ERROR_START_FAILED), ==,
                   GMCP_SERVER_EVENT_FAIL);

  g_test_message ("whoever wants the server begins the count anew");
  gmcp_restart_policy_reset (fixture->policy);
  g_assert_cmpint (judge_end (fixture, config), ==, GMCP_SERVER_EVENT_RETRY);

  g_test_message ("left down, it fails at once");
  g_assert_true (gmcp_restart_policy_leave_down (fixture->policy));
  g_assert_false (gmcp_restart_policy_leave_down (fixture->policy));
  gmcp_restart_policy_reset (fixture->policy);
  g_assert_cmpint (judge_start (fixture, config, GMCP_ERROR, GMCP_ERROR_START_FAILED), ==,
                   GMCP_SERVER_EVENT_FAIL);
}

static void
test_own_attempts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpServerConfig) config = make_config (",\"max_restart_attempts\":1");

  g_test_summary ("the configuration's own number of attempts goes before that of all servers");
  gmcp_restart_policy_succeed (fixture->policy);
  g_assert_cmpint (judge_end (fixture, config), ==, GMCP_SERVER_EVENT_RETRY);
  g_assert_cmpint (judge_end (fixture, config), ==, GMCP_SERVER_EVENT_FAIL);
}

static void
test_not_restarted (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpServerConfig) config = make_config (",\"restart_on_failure\":false");

  g_test_summary ("a server that is not to be restarted ends, and fails where it does not start");
  gmcp_restart_policy_succeed (fixture->policy);
  g_assert_cmpint (judge_end (fixture, config), ==, GMCP_SERVER_EVENT_END);
  g_assert_cmpint (judge_start (fixture, config, GMCP_ERROR, GMCP_ERROR_START_FAILED), ==,
                   GMCP_SERVER_EVENT_FAIL);
}

static void
test_hopeless (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpServerConfig) config = make_config ("");

  g_test_summary ("what only its user can mend is not tried again");
  gmcp_restart_policy_succeed (fixture->policy);
  g_assert_cmpint (judge_start (fixture, config, GMCP_AUTH_ERROR, 0), ==,
                   GMCP_SERVER_EVENT_SIGN_IN);
  g_assert_cmpint (judge_start (fixture, config, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG), ==,
                   GMCP_SERVER_EVENT_FAIL);
  g_assert_cmpint (judge_start (fixture, config, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED), ==,
                   GMCP_SERVER_EVENT_FAIL);
  g_assert_cmpint (judge_start (fixture, config, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING), ==,
                   GMCP_SERVER_EVENT_FAIL);
  g_assert_false (gmcp_restart_policy_leave_down (fixture->policy));
}

static void
test_lack (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpServerConfig) config = make_config ("");

  g_test_summary ("once what was missing is there, the server may be started at once");
  fixture->limits.failed_start_delay_ms = 600000;
  gmcp_restart_policy_begin (fixture->policy);
  judge_start (fixture, config, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING);
  gmcp_restart_policy_set_lacks_node (fixture->policy, TRUE);
  g_assert_true (gmcp_restart_policy_lacks_node (fixture->policy));
  gmcp_restart_policy_forget_lack (fixture->policy);
  g_assert_false (gmcp_restart_policy_lacks_node (fixture->policy));
  g_assert_false (gmcp_restart_policy_was_tried (fixture->policy));
  g_assert_cmpint (gmcp_restart_policy_get_rest_us (fixture->policy, &fixture->limits), ==, 0);
}

static void
test_timer (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("the next attempt comes once, counts as a restart, and can be taken back");
  gmcp_restart_policy_arm (fixture->policy, 600000);
  g_assert_cmpint (gmcp_restart_policy_get_left_us (fixture->policy), >, 0);
  gmcp_restart_policy_begin (fixture->policy);
  g_assert_false (gmcp_restart_policy_is_armed (fixture->policy));
  g_assert_cmpint (gmcp_restart_policy_get_left_us (fixture->policy), ==, 0);
  gmcp_restart_policy_arm (fixture->policy, 600000);
  gmcp_restart_policy_arm (fixture->policy, 1);
  while (fixture->n_due == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (gmcp_restart_policy_is_armed (fixture->policy));
  gmcp_restart_policy_count_restart (fixture->policy);
  g_assert_cmpuint (gmcp_restart_policy_get_n_restarts (fixture->policy), ==, 2);
  g_assert_cmpuint (fixture->n_due, ==, 1);
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/supervisor/restart-policy/first-start", test_first_start);
  ADD ("/supervisor/restart-policy/kept-up", test_kept_up);
  ADD ("/supervisor/restart-policy/own-attempts", test_own_attempts);
  ADD ("/supervisor/restart-policy/not-restarted", test_not_restarted);
  ADD ("/supervisor/restart-policy/hopeless", test_hopeless);
  ADD ("/supervisor/restart-policy/lack", test_lack);
  ADD ("/supervisor/restart-policy/timer", test_timer);
  return g_test_run ();
}
