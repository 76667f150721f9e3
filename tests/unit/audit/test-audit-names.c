/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-json-private.h"
#include "gmcp-limits.h"
#include "manager-fixture.h"
#include "new-audit-log.h"
#include "unit-test.h"

/* Which server and tool a line of the audit log is about, where the call did not reach the server. */

typedef struct
{
  ManagerFixture base;
  char *path;
  GmcpAuditLog *log;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  manager_fixture_set_up (&fixture->base, data);
  fixture->path = g_build_filename (fixture->base.dir, "audit.jsonl", NULL);
  fixture->log = new_audit_log (fixture->path);
  gmcp_manager_set_audit_log (fixture->base.manager, fixture->log);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  manager_fixture_close (&fixture->base);
  g_assert_finalize_object (g_steal_pointer (&fixture->base.manager));
  /* The thread that read it last may hold it a moment longer. */
  g_object_add_weak_pointer (G_OBJECT (fixture->log), (gpointer *) &fixture->log);
  g_object_unref (fixture->log);
  while (g_atomic_pointer_get (&fixture->log) != NULL)
    g_thread_yield ();
  g_unlink (fixture->path);
  g_free (fixture->path);
  manager_fixture_tear_down (&fixture->base, data);
}

static void
on_ready (GObject *object, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static char *
dup_last_line (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;

  gmcp_audit_log_read_async (fixture->log, NULL, NULL, 1, NULL, on_ready, &result);
  manager_fixture_wait_until (result != NULL);
  lines = gmcp_audit_log_read_finish (fixture->log, result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (lines), ==, 1);
  return g_steal_pointer (&lines[0]);
}

static char *
dup_member (const char *line, const char *name)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (line, strlen (line), NULL, 0, NULL);

  g_assert_nonnull (doc);
  return gmcp_json_value_dup_string (
    gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), name));
}

static void
assert_last (Fixture *fixture, const char *server, const char *tool)
{
  g_autofree char *line = dup_last_line (fixture);
  g_autofree char *its_server = dup_member (line, "server");
  g_autofree char *its_tool = dup_member (line, "tool");

  g_assert_cmpstr (its_server, ==, server);
  g_assert_cmpstr (its_tool, ==, tool);
}

static void
assert_fails (Fixture *fixture, const char *name, int code, const char *server, const char *tool)
{
  g_autoptr (GError) error = NULL;

  g_test_message ("%s", name);
  g_assert_null (manager_fixture_call (&fixture->base, name, "{}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, code);
  assert_last (fixture, server, tool);
}

/* An entry with one more member. */
static char *
entry_with (Fixture *fixture, const char *id, const char *words, const char *member)
{
  g_autofree char *entry = manager_fixture_entry (&fixture->base, id, words);

  entry[strlen (entry) - 1] = '\0';
  return g_strconcat (entry, ",", member, "}", NULL);
}

static void
test_never_listed (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what is known of the server and the tool is what the name says");
  manager_fixture_write (&fixture->base,
                         entry_with (fixture, "manual", "--tools echo", "\"start\":\"manual\""),
                         entry_with (fixture, "off", "--tools echo", "\"disabled\":true"),
                         manager_fixture_entry (&fixture->base, "broken", "--fail start"),
                         manager_fixture_entry (&fixture->base, "good", "--tools echo,read"),
                         manager_fixture_entry (&fixture->base, "better", "--tools echo"), NULL);

  assert_fails (fixture, "manual__do_it", GMCP_ERROR_NOT_RUNNING, "manual", "do_it");
  assert_fails (fixture, "manual.do_it", GMCP_ERROR_NOT_RUNNING, "manual", "do_it");
  assert_fails (fixture, "mcp__manual__do_it", GMCP_ERROR_NOT_RUNNING, "manual", "do_it");
  /* No other server has such a tool, so that the error is about that one. */
  assert_fails (fixture, "manual_do_it", GMCP_ERROR_NOT_RUNNING, "manual", "do_it");
  assert_fails (fixture, "off__a.b", GMCP_ERROR_NOT_RUNNING, "off", "a.b");
  assert_fails (fixture, "broken__x", GMCP_ERROR_START_FAILED, "broken", "x");
  assert_fails (fixture, "good__nothing", GMCP_ERROR_UNKNOWN_TOOL, "good", "nothing");

  g_test_message ("nothing is made up");
  assert_fails (fixture, "echo", GMCP_ERROR_AMBIGUOUS_TOOL, NULL, "echo");
  assert_fails (fixture, "nobody__x", GMCP_ERROR_UNKNOWN_TOOL, NULL, "nobody__x");
  assert_fails (fixture, "good_nothing", GMCP_ERROR_UNKNOWN_TOOL, NULL, "good_nothing");
  assert_fails (fixture, "manual__", GMCP_ERROR_NOT_RUNNING, NULL, "manual__");
  assert_fails (fixture, "manual", GMCP_ERROR_NOT_RUNNING, NULL, "manual");
}

static void
on_stopped (GObject *object, GAsyncResult *result, gpointer slot)
{
  g_assert_true (gmcp_managed_server_stop_finish (GMCP_MANAGED_SERVER (object), result, NULL));
  *(gboolean *) slot = TRUE;
}

static void
stop (Fixture *fixture, const char *id)
{
  gboolean stopped = FALSE;

  gmcp_managed_server_stop_async (gmcp_manager_get_server (fixture->base.manager, id), NULL,
                                  on_stopped, &stopped);
  manager_fixture_wait_until (stopped);
}

static void
test_withdrawn (Fixture *fixture, gconstpointer data)
{
  g_autofree char *tool = g_strnfill (GMCP_LIMIT_TOOL_NAME_LENGTH + 6, 'x');
  g_autofree char *words = g_strdup_printf ("--once --tools %s", tool);
  g_autofree char *listed = NULL;

  g_test_summary ("a tool that was listed is known by its shortened name when it is gone");
  manager_fixture_write (&fixture->base, manager_fixture_entry (&fixture->base, "one", words),
                         NULL);
  g_assert_no_error (manager_fixture_load (&fixture->base, NULL));
  listed = manager_fixture_list (&fixture->base);
  g_assert_cmpuint (strlen (listed), <=, GMCP_LIMIT_TOOL_NAME_LENGTH);
  stop (fixture, "one");

  g_test_message ("it is started for the call, fails, and has no tools from then on");
  assert_fails (fixture, listed, GMCP_ERROR_START_FAILED, "one", tool);
  g_assert_cmpint (manager_fixture_get_state (&fixture->base, "one"), ==, GMCP_SERVER_STATE_FAILED);
  manager_fixture_assert_tools (&fixture->base, "");
  assert_fails (fixture, listed, GMCP_ERROR_START_FAILED, "one", tool);

  g_test_message ("its server is not configured any more");
  manager_fixture_write (&fixture->base,
                         manager_fixture_entry (&fixture->base, "two", "--tools echo"), NULL);
  manager_fixture_wait_until (gmcp_manager_get_server (fixture->base.manager, "one") == NULL);
  assert_fails (fixture, listed, GMCP_ERROR_UNKNOWN_TOOL, "one", tool);
}

static void
test_backing_off (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  ManagerCall call;

  g_test_summary ("while a server waits for its next start, its tools are known");
  manager_fixture_write (&fixture->base,
                         manager_fixture_entry (&fixture->base, "one", "--tools exit,pid"), NULL);
  text = manager_fixture_call (&fixture->base, "one__pid", "{}", NULL, NULL);
  g_assert_nonnull (text);
  manager_fixture_set_restart_delay (&fixture->base, 60 * 1000);
  assert_fails (fixture, "one__exit", GMCP_ERROR_SERVER_EXITED, "one", "exit");
  manager_fixture_wait_until (manager_fixture_get_state (&fixture->base, "one")
                              == GMCP_SERVER_STATE_BACKING_OFF);
  assert_fails (fixture, "one__pid", GMCP_ERROR_NOT_RUNNING, "one", "pid");
  assert_fails (fixture, "one__nothing", GMCP_ERROR_NOT_RUNNING, "one", "nothing");

  g_test_message ("a call that was given up before it was known what it is");
  manager_fixture_write (
    &fixture->base, manager_fixture_entry (&fixture->base, "one", "--tools pid --hang list"), NULL);
  manager_fixture_wait_until (g_list_model_get_n_items (fixture->base.tools) == 0
                              || manager_fixture_get_state (&fixture->base, "one")
                                   != GMCP_SERVER_STATE_BACKING_OFF);
  manager_call_begin (&call, &fixture->base, "one__other", "{}", NULL, cancellable);
  g_cancellable_cancel (cancellable);
  manager_call_wait (&call);
  g_assert_error (call.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  manager_call_clear (&call);
  assert_last (fixture, "one", "other");
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  const char *const nothing[] = { NULL };
  g_autoptr (GmcpRole) role = gmcp_role_new ("nobody", nothing, nothing);
  g_autofree char *text = NULL;

  g_test_summary ("a call that the rules refuse");
  manager_fixture_write (&fixture->base,
                         manager_fixture_entry (&fixture->base, "one", "--tools echo"), NULL);
  text = manager_fixture_call (&fixture->base, "one__echo", "{}", NULL, NULL);
  g_assert_nonnull (text);
  gmcp_manager_add_role (fixture->base.manager, role);
  gmcp_manager_set_role (fixture->base.manager, "nobody");
  assert_fails (fixture, "one.echo", GMCP_ERROR_NOT_PERMITTED, "one", "echo");
  assert_fails (fixture, "echo", GMCP_ERROR_NOT_PERMITTED, "one", "echo");

  g_test_message ("and one of a manager that is closed");
  manager_fixture_close (&fixture->base);
  assert_fails (fixture, "one__echo", GMCP_ERROR_CLOSED, "one", "echo");
}

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/audit/names/never-listed", test_never_listed);
  ADD ("/audit/names/withdrawn", test_withdrawn);
  ADD ("/audit/names/backing-off", test_backing_off);
  ADD ("/audit/names/refused", test_refused);

  return g_test_run ();
}
