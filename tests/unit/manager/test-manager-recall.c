/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "manager-fixture.h"
#include "unit-test.h"

/* What servers listed before is listed again, and none of them is started for it. */

static void
on_done (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
begin_again (ManagerFixture *fixture)
{
  manager_fixture_close (fixture);
  g_assert_finalize_object (g_steal_pointer (&fixture->manager));
  manager_fixture_begin (fixture);
}

static gboolean
recall_tools (ManagerFixture *fixture, GCancellable *cancellable, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_manager_recall_tools_async (fixture->manager, cancellable, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  return gmcp_manager_recall_tools_finish (fixture->manager, result, error);
}

static void
test_recall (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *names = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("the tools of the last run are listed; one that never ran has none");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", ""), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  names = manager_fixture_list (fixture);
  g_assert_cmpstr (names, !=, "");

  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", ""),
                         manager_fixture_entry (fixture, "two", "--tools pid"), NULL);
  begin_again (fixture);
  g_assert_true (recall_tools (fixture, NULL, &error));
  g_assert_no_error (error);
  manager_fixture_assert_tools (fixture, names);
  g_assert_cmpint (manager_fixture_get_state (fixture, "one"), ==, GMCP_SERVER_STATE_STOPPED);
  g_assert_cmpint (manager_fixture_get_state (fixture, "two"), ==, GMCP_SERVER_STATE_STOPPED);

  g_assert_true (recall_tools (fixture, NULL, &error));
  g_assert_no_error (error);
  manager_fixture_assert_tools (fixture, names);
}

static void
test_ends (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("it ends when it is cancelled, and in a manager that is closed");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", ""), NULL);
  gmcp_manager_recall_tools_async (fixture->manager, cancellable, on_done, &result);
  g_cancellable_cancel (cancellable);
  manager_fixture_wait_until (result != NULL);
  g_assert_false (gmcp_manager_recall_tools_finish (fixture->manager, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  g_clear_error (&error);
  manager_fixture_close (fixture);
  g_assert_false (recall_tools (fixture, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/recall/" path, ManagerFixture, NULL, manager_fixture_set_up, func,         \
              manager_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("recall", test_recall);
  ADD ("ends", test_ends);
  return g_test_run ();
}
