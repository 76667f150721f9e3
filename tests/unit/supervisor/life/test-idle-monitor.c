/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-idle-monitor-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* When a server counts as idle: seen by a monitor of a client that was never opened, and by a second one
 * that serves as the clock. */

typedef struct
{
  GmcpServerInstance *instance;
  GmcpIdleMonitor *monitor;
  GmcpIdleMonitor *clock;
  guint n_idle;
  guint n_ticks;
} Fixture;

static void
on_idle (gpointer data)
{
  ((Fixture *) data)->n_idle++;
}

static void
on_tick (gpointer data)
{
  Fixture *fixture = data;

  fixture->n_ticks++;
  gmcp_idle_monitor_start (fixture->clock, fixture->instance, 2);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  const char *const argv[] = { "/bin/true", NULL };
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_new ("one", argv);
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();
  g_autoptr (GError) error = NULL;

  fixture->instance = gmcp_server_instance_new (config, context, &error);
  g_assert_no_error (error);
  fixture->monitor = gmcp_idle_monitor_new (context, on_idle, fixture);
  fixture->clock = gmcp_idle_monitor_new (context, on_tick, fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gmcp_idle_monitor_free (fixture->monitor);
  gmcp_idle_monitor_free (fixture->clock);
  gmcp_server_instance_unref (fixture->instance);
}

static void
wait_for_ticks (Fixture *fixture, guint n_ticks)
{
  guint until = fixture->n_ticks + n_ticks;

  while (fixture->n_ticks < until)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_idle (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("an unused server is idle once, and again only when it is watched again");
  on_tick (fixture);
  gmcp_idle_monitor_start (fixture->monitor, fixture->instance, 1);
  while (fixture->n_idle == 0)
    g_main_context_iteration (NULL, TRUE);
  wait_for_ticks (fixture, 3);
  g_assert_cmpuint (fixture->n_idle, ==, 1);
  gmcp_idle_monitor_start (fixture->monitor, fixture->instance, 1);
  while (fixture->n_idle == 1)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_held (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a server that is held twice is idle after the second release");
  on_tick (fixture);
  gmcp_idle_monitor_hold (fixture->monitor);
  gmcp_idle_monitor_hold (fixture->monitor);
  gmcp_idle_monitor_start (fixture->monitor, fixture->instance, 1);
  wait_for_ticks (fixture, 3);
  g_assert_true (gmcp_idle_monitor_release (fixture->monitor));
  wait_for_ticks (fixture, 3);
  g_assert_cmpuint (fixture->n_idle, ==, 0);
  g_assert_true (gmcp_idle_monitor_release (fixture->monitor));
  g_assert_false (gmcp_idle_monitor_release (fixture->monitor));
  while (fixture->n_idle == 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_never (Fixture *fixture, gconstpointer data)
{
  g_test_summary (
    "an idle time of nought ends never, and one that was stopped does not end either");
  on_tick (fixture);
  gmcp_idle_monitor_start (fixture->monitor, fixture->instance, 1);
  gmcp_idle_monitor_start (fixture->monitor, fixture->instance, 0);
  wait_for_ticks (fixture, 3);
  gmcp_idle_monitor_start (fixture->monitor, fixture->instance, 1);
  gmcp_idle_monitor_stop (fixture->monitor);
  gmcp_idle_monitor_stop (fixture->monitor);
  wait_for_ticks (fixture, 3);
  g_assert_cmpuint (fixture->n_idle, ==, 0);
}

static void
test_checks (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a health check is no use of the server");
  g_assert_cmpint (gmcp_server_instance_count_uses (fixture->instance), ==, 0);
  gmcp_server_instance_note_check (fixture->instance);
  g_assert_cmpint (gmcp_server_instance_count_uses (fixture->instance), ==, -1);
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/supervisor/idle/idle", test_idle);
  ADD ("/supervisor/idle/held", test_held);
  ADD ("/supervisor/idle/never", test_never);
  ADD ("/supervisor/idle/checks", test_checks);
  return g_test_run ();
}
