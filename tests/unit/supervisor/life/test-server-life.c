/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-pending-tasks-private.h"
#include "gmcp-server-life-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* The life of a server without the server. */

static GmcpServerInstance *
make_instance (void)
{
  const char *const argv[] = { "true", NULL };
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_new ("one", argv);
  GmcpServerInstance *instance;
  g_autoptr (GError) error = NULL;

  instance = gmcp_server_instance_new (config, g_main_context_default (), &error);
  g_assert_no_error (error);
  return instance;
}

static void
take_event (GmcpServerLife *life, GmcpServerEvent event, GmcpServerState state, gboolean is_new)
{
  gboolean found = !is_new;

  g_assert_true (gmcp_server_life_take_event (life, event, &found));
  g_assert_true (found == is_new);
  g_assert_cmpint (gmcp_server_life_get_state (life), ==, state);
}

static void
test_states (void)
{
  g_autoptr (GmcpServerLife) life = gmcp_server_life_new ();
  gboolean is_new = FALSE;

  g_assert_cmpint (gmcp_server_life_get_state (life), ==, GMCP_SERVER_STATE_STOPPED);
  g_assert_false (gmcp_server_life_take_event (life, GMCP_SERVER_EVENT_READY, &is_new));
  g_assert_cmpint (gmcp_server_life_get_state (life), ==, GMCP_SERVER_STATE_STOPPED);

  take_event (life, GMCP_SERVER_EVENT_START, GMCP_SERVER_STATE_STARTING, TRUE);
  g_assert_cmpint (gmcp_server_life_get_started_at (life), ==, 0);
  take_event (life, GMCP_SERVER_EVENT_READY, GMCP_SERVER_STATE_READY, TRUE);
  g_assert_cmpint (gmcp_server_life_get_started_at (life), >, 0);
  take_event (life, GMCP_SERVER_EVENT_CHECK_PASSED, GMCP_SERVER_STATE_READY, FALSE);
  take_event (life, GMCP_SERVER_EVENT_CHECK_FAILED, GMCP_SERVER_STATE_DEGRADED, TRUE);
  g_assert_cmpint (gmcp_server_life_get_started_at (life), >, 0);
  take_event (life, GMCP_SERVER_EVENT_STOP, GMCP_SERVER_STATE_STOPPING, TRUE);
  g_assert_cmpint (gmcp_server_life_get_started_at (life), ==, 0);
  g_assert_cmpint (gmcp_server_life_get_uptime_seconds (life), ==, 0);
}

static void
test_last_error (void)
{
  g_autoptr (GmcpServerLife) life = gmcp_server_life_new ();
  GError *error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_START_FAILED, "why");

  g_assert_false (gmcp_server_life_take_last_error (life, NULL));
  g_assert_true (gmcp_server_life_take_last_error (life, error));
  g_assert_true (gmcp_server_life_get_last_error (life) == error);
  g_assert_true (gmcp_server_life_take_last_error (life, NULL));
  g_assert_null (gmcp_server_life_get_last_error (life));
}

static void
test_leaving (void)
{
  g_autoptr (GmcpServerLife) life = gmcp_server_life_new ();
  GmcpServerInstance *instance = make_instance ();
  g_autoptr (GmcpServerInstance) left = NULL;
  GmcpStartAttempt *attempt = (gpointer) 1;

  g_assert_true (gmcp_server_life_is_free (life));
  g_assert_null (gmcp_server_life_get_last_instance (life));

  gmcp_server_life_take_instance (life, instance);
  g_assert_true (gmcp_server_life_get_instance (life) == instance);
  g_assert_true (gmcp_server_life_get_last_instance (life) == instance);
  g_assert_false (gmcp_server_life_is_free (life));

  g_assert_true (gmcp_server_life_begin_leaving (life, &attempt) == instance);
  g_assert_null (attempt);
  g_assert_null (gmcp_server_life_get_instance (life));
  g_assert_true (gmcp_server_life_get_leaving (life) == instance);
  g_assert_true (gmcp_server_life_get_last_instance (life) == instance);
  g_assert_false (gmcp_server_life_is_free (life));

  left = gmcp_server_life_end_leaving (life);
  g_assert_true (left == instance);
  g_assert_true (gmcp_server_life_is_free (life));
  gmcp_server_instance_forget (left);
}

static void
store_result (GObject *object, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static void
test_failed_starters (void)
{
  g_autoptr (GmcpServerLife) life = gmcp_server_life_new ();
  g_autoptr (GObject) object = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GTask) task = g_task_new (object, NULL, store_result, &result);
  g_autoptr (GError) error = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_START_FAILED, "why");
  g_autoptr (GError) told = NULL;
  g_autoptr (GError) found = NULL;
  GQueue failed = { NULL, NULL, 0 };

  g_test_summary ("whoever waited for a start that failed is told at the end of the process");
  gmcp_pending_tasks_add (gmcp_server_life_get_starters (life), task);
  gmcp_server_life_hold_failed (life, gmcp_server_life_get_starters (life), error);
  g_assert_true (g_queue_is_empty (gmcp_server_life_get_starters (life)));

  gmcp_server_life_take_failed (life, &failed, &told);
  g_assert_cmpuint (failed.length, ==, 1);
  g_assert_error (told, GMCP_ERROR, GMCP_ERROR_START_FAILED);
  gmcp_pending_tasks_settle (&failed, told);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (g_task_propagate_boolean (G_TASK (result), &found));
  g_assert_error (found, GMCP_ERROR, GMCP_ERROR_START_FAILED);
}

static void
test_retired (void)
{
  g_autoptr (GmcpServerLife) life = gmcp_server_life_new ();
  g_autoptr (GError) reason = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, "closed");
  gpointer data = NULL;

  g_test_summary ("the end is told once");
  g_assert_null (gmcp_server_life_get_retired (life));
  g_assert_null (gmcp_server_life_take_farewell (life, &data));

  gmcp_server_life_retire (life, reason, g_free, life);
  g_assert_error (gmcp_server_life_get_retired (life), GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_assert_true (gmcp_server_life_take_farewell (life, &data) == g_free);
  g_assert_true (data == life);
  g_assert_null (gmcp_server_life_take_farewell (life, &data));
  g_assert_nonnull (gmcp_server_life_get_retired (life));
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/supervisor/server-life/states", test_states);
  g_test_add_func ("/supervisor/server-life/last-error", test_last_error);
  g_test_add_func ("/supervisor/server-life/leaving", test_leaving);
  g_test_add_func ("/supervisor/server-life/failed-starters", test_failed_starters);
  g_test_add_func ("/supervisor/server-life/retired", test_retired);

  return g_test_run ();
}
