/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "manager-fixture.h"
#include "unit-test.h"

/* A tool is found with as few starts as that needs. */

static void
on_done (GObject *object, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static GmcpTool *
find_tool (ManagerFixture *fixture, const char *name, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_manager_find_tool_async (fixture->manager, name, NULL, on_done, &result);
  manager_fixture_wait_until (result != NULL);
  return gmcp_manager_find_tool_finish (fixture->manager, result, error);
}

static void
assert_finds (ManagerFixture *fixture, const char *name, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTool) tool = find_tool (fixture, name, &error);
  g_autofree char *found = NULL;

  g_assert_no_error (error);
  found = gmcp_tool_dup_qualified_name (tool);
  g_assert_cmpstr (found, ==, expected);
}

static void
assert_fails (ManagerFixture *fixture, const char *name, GmcpError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (find_tool (fixture, name, &error));
  g_assert_error (error, GMCP_ERROR, (int) code);
}

static void
begin_again (ManagerFixture *fixture)
{
  manager_fixture_close (fixture);
  g_assert_finalize_object (g_steal_pointer (&fixture->manager));
  manager_fixture_begin (fixture);
}

static void
assert_stopped (ManagerFixture *fixture, const char *id)
{
  g_assert_cmpint (manager_fixture_get_state (fixture, id), ==, GMCP_SERVER_STATE_STOPPED);
}

static void
test_kept (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("what an earlier run listed is found without a start");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));

  begin_again (fixture);
  assert_finds (fixture, "one.pid", "one.pid");
  assert_finds (fixture, "one__pid", "one.pid");
  assert_finds (fixture, "pid", "one.pid");
  assert_stopped (fixture, "one");
}

static void
test_named (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("a name with a server starts that one, and no other");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"),
                         manager_fixture_entry (fixture, "two", "--tools env"), NULL);
  assert_finds (fixture, "two.env", "two.env");
  assert_stopped (fixture, "one");
  assert_fails (fixture, "two.nothing", GMCP_ERROR_UNKNOWN_TOOL);
  assert_stopped (fixture, "one");
  assert_finds (fixture, "pid", "one.pid");
}

static void
test_fails (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("what nobody has is unknown; a server that does not start says why");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"),
                         manager_fixture_entry (fixture, "bad", "--fail start"), NULL);
  assert_fails (fixture, "nothing", GMCP_ERROR_UNKNOWN_TOOL);
  assert_fails (fixture, "other.pid", GMCP_ERROR_UNKNOWN_TOOL);

  begin_again (fixture);
  assert_fails (fixture, "bad.pid", GMCP_ERROR_START_FAILED);
}

static void
test_ends (ManagerFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("it ends when it is cancelled, and in a manager that is closed");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--hang list"), NULL);
  gmcp_manager_find_tool_async (fixture->manager, "one.pid", cancellable, on_done, &result);
  g_cancellable_cancel (cancellable);
  manager_fixture_wait_until (result != NULL);
  g_assert_null (gmcp_manager_find_tool_finish (fixture->manager, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  manager_fixture_close (fixture);
  assert_fails (fixture, "one.pid", GMCP_ERROR_CLOSED);
}

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/find/" path, ManagerFixture, NULL, manager_fixture_set_up, func,           \
              manager_fixture_tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("kept", test_kept);
  ADD ("named", test_named);
  ADD ("fails", test_fails);
  ADD ("ends", test_ends);
  return g_test_run ();
}
