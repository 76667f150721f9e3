/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <signal.h>

#include "gmcp-health-monitor-private.h"
#include "gmcp-manager-limits-private.h"
#include "gmcp-start-attempt-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* A start and the health checks after it, of a process that no managed server looks after. */

#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    while (!(condition))                                                                           \
      g_main_context_iteration (NULL, TRUE);                                                       \
  }                                                                                                \
  G_STMT_END

typedef struct
{
  GObject *owner;
  GMainContext *context;
  GmcpServerLimits limits;
  GmcpServerConfig *config;
  GmcpServerInstance *instance;
  GmcpHealthMonitor *monitor;
  GmcpStartAttempt *attempt;
  gboolean gives_up; /* the attempt, as soon as the client is open */
  gboolean is_opened;
  gboolean is_ended;
  gboolean is_gone;
  GError *error;
  guint n_checked;
  guint n_passed;
  guint n_failed;
} Fixture;

static Fixture *
get_fixture (GObject *owner)
{
  return g_object_get_data (owner, "test-fixture");
}

static void
on_checked (GObject *owner)
{
  get_fixture (owner)->n_checked++;
}

static void
on_passed (GObject *owner)
{
  get_fixture (owner)->n_passed++;
}

static void
on_failed (GObject *owner, guint n_failures, const GError *cause)
{
  Fixture *fixture = get_fixture (owner);

  g_assert_cmpuint (n_failures, ==, fixture->n_failed + 1);
  g_assert_error (cause, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  fixture->n_failed = n_failures;
  if (gmcp_health_monitor_is_limit (fixture->monitor, n_failures))
    gmcp_health_monitor_stop (fixture->monitor);
}

static void
on_refused (GObject *owner, const GError *error)
{
  g_assert_not_reached ();
}

static const GmcpHealthFuncs health_funcs = {
  .checked = on_checked,
  .passed = on_passed,
  .failed = on_failed,
  .refused = on_refused,
};

static void
on_opened (GObject *owner, GmcpClient *client)
{
  Fixture *fixture = get_fixture (owner);

  fixture->is_opened = TRUE;
  if (fixture->gives_up)
    gmcp_start_attempt_give_up (g_steal_pointer (&fixture->attempt));
}

static void
on_ended (GObject *owner, const GError *error)
{
  Fixture *fixture = get_fixture (owner);

  g_assert_false (fixture->is_ended);
  fixture->is_ended = TRUE;
  fixture->error = error != NULL ? g_error_copy (error) : NULL;
}

static const GmcpStartFuncs start_funcs = {
  .opened = on_opened,
  .ended = on_ended,
};

static void
set_up (Fixture *fixture, gconstpointer data)
{
  GmcpManagerLimits limits;

  gmcp_manager_limits_init (&limits);
  fixture->limits = limits.servers;
  fixture->limits.health_interval_ms = 600000;
  fixture->context = g_main_context_ref_thread_default ();
  fixture->owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_object_set_data (fixture->owner, "test-fixture", fixture);
  fixture->monitor = gmcp_health_monitor_new (fixture->owner, fixture->context, &health_funcs);
}

static void
on_gone (GmcpServerInstance *instance, gpointer data)
{
  ((Fixture *) data)->is_gone = TRUE;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gmcp_health_monitor_stop (fixture->monitor);
  g_clear_pointer (&fixture->attempt, gmcp_start_attempt_free);
  gmcp_server_instance_force (fixture->instance);
  gmcp_server_instance_retire (fixture->instance, 0, on_gone, fixture);
  wait_until (fixture->is_gone);
  g_assert_true (gmcp_server_instance_is_forced (fixture->instance));
  gmcp_server_instance_unref (fixture->instance);
  /* Steps that are under way keep the owner. */
  wait_until (fixture->owner->ref_count == 1);
  gmcp_health_monitor_free (fixture->monitor);
  g_object_unref (fixture->owner);
  g_object_unref (fixture->config);
  g_main_context_unref (fixture->context);
  g_clear_error (&fixture->error);
}

static void
begin (Fixture *fixture, const char *words)
{
  const GmcpServerHost nobody = { NULL, NULL };
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
  g_autofree char *line = g_strjoin (" ", "/usr/bin/python3 -S", path, words, NULL);
  g_auto (GStrv) argv = g_strsplit (line, " ", -1);
  g_autoptr (GError) error = NULL;

  fixture->config = gmcp_server_config_new ("one", (const char *const *) argv);
  fixture->instance = gmcp_server_instance_new (fixture->config, fixture->context, &error);
  g_assert_no_error (error);
  gmcp_server_instance_set_limits (fixture->instance, fixture->config, &fixture->limits);
  fixture->attempt = gmcp_start_attempt_begin (fixture->owner, fixture->context, fixture->instance,
                                               fixture->config, &nobody, &start_funcs);
}

static void
start (Fixture *fixture, const char *words)
{
  begin (fixture, words);
  wait_until (fixture->is_ended);
  g_assert_no_error (fixture->error);
  g_clear_pointer (&fixture->attempt, gmcp_start_attempt_free);
  gmcp_health_monitor_configure (fixture->monitor, fixture->config, &fixture->limits);
  gmcp_health_monitor_start (fixture->monitor, fixture->instance);
}

static void
test_start (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a start has ended when the tools are listed and a check has passed");
  start (fixture, "--tools pid");
  g_assert_true (fixture->is_opened);
  g_assert_cmpuint (g_list_model_get_n_items (
                      gmcp_client_get_tools (gmcp_server_instance_get_client (fixture->instance))),
                    ==, 1);
  g_assert_cmpuint (fixture->n_checked, ==, 1);
  g_assert_cmpint (gmcp_health_monitor_get_checked_at (fixture->monitor), >, 0);
}

static void
test_start_fails (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a start fails once, whichever step did");
  begin (fixture, "--fail list");
  wait_until (fixture->is_ended);
  g_assert_nonnull (fixture->error);
  g_assert_false (gmcp_start_attempt_has_timed_out (fixture->attempt));
  gmcp_start_attempt_give_up (g_steal_pointer (&fixture->attempt));
}

static void
test_start_too_late (Fixture *fixture, gconstpointer data)
{
  int code;

  g_test_summary ("a start whose list does not come has timed out, and says so");
  fixture->limits.startup_timeout_ms = 1000;
  begin (fixture, "--hang list");
  wait_until (fixture->is_ended);
  /* On a busy machine the client may not even be open by then. */
  code = fixture->is_opened ? GMCP_ERROR_START_FAILED : GMCP_ERROR_TIMED_OUT;
  g_assert_error (fixture->error, GMCP_ERROR, code);
  g_assert_true (gmcp_start_attempt_has_timed_out (fixture->attempt));
  gmcp_start_attempt_give_up (g_steal_pointer (&fixture->attempt));
}

static void
test_start_given_up (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("nothing is told of a start that was given up");
  fixture->gives_up = TRUE;
  begin (fixture, "--tools pid");
  wait_until (fixture->is_opened && fixture->owner->ref_count == 1);
  g_assert_false (fixture->is_ended);
}

static void
on_waited (GObject *object, GAsyncResult *result, gpointer data)
{
  *(int *) data = g_task_propagate_boolean (G_TASK (result), NULL);
}

static void
test_asked (Fixture *fixture, gconstpointer data)
{
  int first = -1;
  int second = -1;
  int call = -1;

  g_test_summary ("who asks while a check is under way waits for that one");
  start (fixture, "--tools pid");
  g_assert_false (gmcp_health_monitor_is_overdue (fixture->monitor));
  for (guint i = 0; i < 3; i++)
    {
      int *const values[] = { &first, &second, &call };
      g_autoptr (GTask) task = g_task_new (NULL, NULL, on_waited, values[i]);

      if (values[i] == &call)
        gmcp_health_monitor_check_for_call (fixture->monitor, task);
      else
        gmcp_health_monitor_check (fixture->monitor, task);
      g_assert_true (gmcp_health_monitor_is_checking (fixture->monitor));
    }
  wait_until (first != -1 && second != -1 && call != -1);
  g_assert_true (first == TRUE && second == TRUE && call == TRUE);
  g_assert_cmpuint (fixture->n_passed, ==, 1);
  g_assert_false (gmcp_health_monitor_is_checking (fixture->monitor));
}

static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  int value = -1;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_waited, &value);

  g_test_summary ("a check that is under way when the monitor stops is nobody's");
  start (fixture, "--tools pid");
  gmcp_health_monitor_check (fixture->monitor, task);
  gmcp_health_monitor_stop (fixture->monitor);
  gmcp_health_monitor_settle (fixture->monitor, FALSE);
  wait_until (value != -1 && fixture->owner->ref_count == 1);
  g_assert_cmpint (value, ==, FALSE);
  g_assert_cmpuint (fixture->n_passed + fixture->n_failed, ==, 0);
}

static void
test_silent (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a server that does not answer fails check after check, until it is too many");
  fixture->limits.health_interval_ms = 1;
  fixture->limits.health_timeout_ms = 20;
  fixture->limits.max_health_failures = 3;
  begin (fixture, "--tools pid");
  wait_until (fixture->is_ended);
  g_assert_no_error (fixture->error);
  g_clear_pointer (&fixture->attempt, gmcp_start_attempt_free);
  kill (gmcp_server_instance_get_pid (fixture->instance), SIGSTOP);
  gmcp_health_monitor_configure (fixture->monitor, fixture->config, &fixture->limits);
  gmcp_health_monitor_start (fixture->monitor, fixture->instance);
  wait_until (fixture->n_failed == 3);
  g_assert_cmpuint (fixture->n_passed, ==, 0);
  g_assert_false (gmcp_health_monitor_spares (fixture->monitor));
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/supervisor/start-attempt/start", test_start);
  ADD ("/supervisor/start-attempt/fails", test_start_fails);
  ADD ("/supervisor/start-attempt/too-late", test_start_too_late);
  ADD ("/supervisor/start-attempt/given-up", test_start_given_up);
  ADD ("/supervisor/health-monitor/asked", test_asked);
  ADD ("/supervisor/health-monitor/stopped", test_stopped);
  ADD ("/supervisor/health-monitor/silent", test_silent);
  return g_test_run ();
}
