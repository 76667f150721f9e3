/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-manager-private.h"
#include "manager-fixture.h"
#include "unit-test.h"

/* One server that hangs or fails holds up neither the list nor the calls of others, and is remembered. */

static gboolean
is_loaded (GmcpManager *manager)
{
  return gmcp_config_stack_is_loaded (gmcp_manager_get_config_stack (manager));
}

static void
next_run (ManagerFixture *fixture)
{
  manager_fixture_close (fixture);
  g_assert_finalize_object (fixture->manager);
  manager_fixture_begin (fixture);
}

static void
load_config (ManagerFixture *fixture)
{
  gmcp_manager_load_config_async (fixture->manager, NULL, NULL, NULL);
  manager_fixture_wait_until (is_loaded (fixture->manager));
}

static GmcpManagedServer *
get (ManagerFixture *fixture, const char *id)
{
  return gmcp_manager_get_server (fixture->manager, id);
}

static void
assert_awaited (ManagerFixture *fixture, const char *expected)
{
  g_auto (GStrv) awaited = gmcp_manager_dup_awaited_server_ids (fixture->manager);
  g_autofree char *text = g_strjoinv (" ", awaited);

  g_assert_cmpstr (text, ==, expected);
}

/* What is listed of earlier runs. */
static void
keep (ManagerFixture *fixture, char *entry)
{
  manager_fixture_write (fixture, entry, NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  next_run (fixture);
}

static void
test_hang (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("what is kept is listed although another server hangs, and the list says that it "
                  "is awaited");
  keep (fixture, manager_fixture_entry (fixture, "good", "--tools pid"));
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "good", "--tools pid"),
                         manager_fixture_entry (fixture, "dead", "--hang initialize"), NULL);
  g_object_set (fixture->manager, "load-wait-ms", 20, NULL);
  g_object_set (fixture->manager, "startup-timeout-ms", 600000, NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "good__pid");
  assert_awaited (fixture, "dead");
  g_assert_true (gmcp_managed_server_is_awaited (get (fixture, "dead")));
  g_assert_cmpint (manager_fixture_get_state (fixture, "dead"), ==, GMCP_SERVER_STATE_STARTING);
  g_assert_true (manager_fixture_has_notice (fixture, "info dead Server “dead” is not ready yet"));

  text = manager_fixture_call (fixture, "good__pid", NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (manager_fixture_get_state (fixture, "dead"), ==, GMCP_SERVER_STATE_STARTING);
}

static void
on_awaited (GmcpManager *manager, GParamSpec *pspec, gpointer data)
{
  ManagerFixture *fixture = data;
  g_auto (GStrv) awaited = gmcp_manager_dup_awaited_server_ids (manager);

  if (awaited[0] == NULL)
    manager_fixture_assert_tools (fixture, "late__pid");
}

static void
test_late (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *gate = g_build_filename (fixture->dir, "gate", NULL);
  g_autofree char *words = g_strconcat ("--tools pid --late ", gate, NULL);

  g_test_summary ("a server that is late is listed when it is there, and no longer awaited then");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "late", words), NULL);
  g_object_set (fixture->manager, "load-wait-ms", 0, NULL);
  g_object_set (fixture->manager, "startup-timeout-ms", 600000, NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "");
  assert_awaited (fixture, "late");
  g_signal_connect (fixture->manager, "notify::awaited-server-ids", G_CALLBACK (on_awaited),
                    fixture);
  g_assert_true (g_file_set_contents (gate, "", 0, NULL));
  manager_fixture_wait_until (!gmcp_managed_server_is_awaited (get (fixture, "late")));
  assert_awaited (fixture, "");
  manager_fixture_assert_tools (fixture, "late__pid");
  g_signal_handlers_disconnect_by_data (fixture->manager, fixture);
  g_unlink (gate);
}

static void
test_remembered (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *gate = g_build_filename (fixture->dir, "gate", NULL);
  g_autofree char *words = g_strconcat ("--tools pid --late ", gate, NULL);
  g_autoptr (GDateTime) at = NULL;
  g_autoptr (GDateTime) ready_at = NULL;
  g_autofree char *json = NULL;

  g_test_summary ("why a server failed is known in the next run, in which nobody waits for it");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", words), NULL);
  g_object_set (fixture->manager, "startup-timeout-ms", 300, NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_cmpint (manager_fixture_get_state (fixture, "one"), ==, GMCP_SERVER_STATE_FAILED);
  assert_awaited (fixture, "");

  next_run (fixture);
  g_object_set (fixture->manager, "startup-timeout-ms", 600000, NULL);
  load_config (fixture);
  g_assert_null (gmcp_managed_server_get_last_error (get (fixture, "one")));
  g_assert_nonnull (
    strstr (gmcp_managed_server_get_last_failure (get (fixture, "one")), "within 300 ms"));
  at = gmcp_managed_server_dup_last_failure_at (get (fixture, "one"));
  g_assert_nonnull (at);
  json = gmcp_manager_dup_status_json (fixture->manager);
  g_assert_nonnull (strstr (json, "\"last_failure\":\""));

  g_assert_cmpint (gmcp_managed_server_get_state (get (fixture, "one")), ==,
                   GMCP_SERVER_STATE_STOPPED);
  g_assert_cmpint (gmcp_managed_server_get_last_state (get (fixture, "one")), ==,
                   GMCP_SERVER_STATE_FAILED);
  g_assert_null (gmcp_managed_server_dup_last_ready_at (get (fixture, "one")));

  g_test_message ("loading does not wait, however long it might");
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_cmpint (manager_fixture_get_state (fixture, "one"), ==, GMCP_SERVER_STATE_STARTING);
  assert_awaited (fixture, "one");

  g_test_message ("once it was ready that is remembered, and how many tools it had");
  g_assert_true (g_file_set_contents (gate, "", 0, NULL));
  manager_fixture_wait_until (manager_fixture_get_state (fixture, "one")
                              == GMCP_SERVER_STATE_READY);
  g_assert_null (gmcp_managed_server_get_last_failure (get (fixture, "one")));
  next_run (fixture);
  load_config (fixture);
  g_assert_null (gmcp_managed_server_get_last_failure (get (fixture, "one")));
  ready_at = gmcp_managed_server_dup_last_ready_at (get (fixture, "one"));
  g_assert_nonnull (ready_at);
  g_assert_cmpint (gmcp_managed_server_get_last_state (get (fixture, "one")), ==,
                   GMCP_SERVER_STATE_STOPPED);
  g_assert_cmpuint (gmcp_managed_server_get_last_tools_count (get (fixture, "one")), ==, 1);
  g_assert_cmpuint (gmcp_managed_server_get_tools_count (get (fixture, "one")), ==, 0);
  g_unlink (gate);
}

static void
age_outcomes (ManagerFixture *fixture, gint64 days)
{
  g_autofree char *path = g_build_filename (fixture->state, "server-outcomes.json", NULL);
  g_autofree char *text = NULL;
  g_autofree char *aged = NULL;
  g_autofree char *replacement = g_strdup_printf (
    "\"failedAt\":%" G_GINT64_FORMAT, g_get_real_time () / G_USEC_PER_SEC - days * 86400);
  g_autoptr (GRegex) regex = g_regex_new ("\"failedAt\":[0-9]+", 0, 0, NULL);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  aged = g_regex_replace_literal (regex, text, -1, 0, replacement, 0, NULL);
  g_assert_cmpstr (aged, !=, text);
  g_assert_true (g_file_set_contents (path, aged, -1, NULL));
}

static void
test_old (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("what became of a server long ago is not told any more");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--fail start"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_nonnull (gmcp_managed_server_get_last_failure (get (fixture, "one")));
  next_run (fixture);
  age_outcomes (fixture, 80);
  load_config (fixture);
  g_assert_nonnull (gmcp_managed_server_get_last_failure (get (fixture, "one")));
  next_run (fixture);
  age_outcomes (fixture, 91);
  load_config (fixture);
  g_assert_null (gmcp_managed_server_get_last_failure (get (fixture, "one")));
}

static void
test_other_config (ManagerFixture *fixture, gconstpointer data)
{
  g_test_summary ("what is configured anew has not failed yet, and a broken file is no harm");
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--fail start"), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_nonnull (gmcp_managed_server_get_last_failure (get (fixture, "one")));

  next_run (fixture);
  manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--tools pid"), NULL);
  load_config (fixture);
  g_assert_null (gmcp_managed_server_get_last_failure (get (fixture, "one")));

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *path = g_build_filename (fixture->state, "server-outcomes.json", NULL);

      if (i == 0)
        g_assert_true (g_file_set_contents (path, "{\"outcomes\":[1,{\"failedAt\":2}]", -1, NULL));
      next_run (fixture);
      manager_fixture_write (fixture, manager_fixture_entry (fixture, "one", "--fail start"), NULL);
      load_config (fixture);
      g_assert_cmpint (gmcp_managed_server_get_last_failure (get (fixture, "one")) != NULL, ==, i);
      g_assert_null (manager_fixture_load (fixture, NULL));
      manager_fixture_wait_until (manager_fixture_get_state (fixture, "one")
                                  == GMCP_SERVER_STATE_FAILED);
    }
}

static void
test_call (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *good = manager_fixture_entry (fixture, "good", "--tools echo");
  g_autofree char *other = manager_fixture_entry (fixture, "other", "--tools pid");
  g_autofree char *dead = manager_fixture_entry (fixture, "dead", "--hang initialize");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "a call by a tool's own name waits for no server that is known not to have it, nor "
    "for one that failed the last time");
  manager_fixture_write (fixture, g_strdup (dead), NULL);
  g_object_set (fixture->manager, "startup-timeout-ms", 300, NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  g_assert_cmpint (manager_fixture_get_state (fixture, "dead"), ==, GMCP_SERVER_STATE_FAILED);

  next_run (fixture);
  manager_fixture_write (fixture, g_strdup (good), g_strdup (other), NULL);
  g_assert_null (manager_fixture_load (fixture, NULL));
  manager_fixture_assert_tools (fixture, "good__echo other__pid");

  next_run (fixture);
  manager_fixture_write (fixture, g_strdup (good), g_strdup (other), g_strdup (dead), NULL);
  g_object_set (fixture->manager, "startup-timeout-ms", 600000, NULL);
  text = manager_fixture_call (fixture, "echo", "{}", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "{}");
  g_assert_cmpint (manager_fixture_get_state (fixture, "other"), ==, GMCP_SERVER_STATE_STOPPED);
  g_assert_cmpint (manager_fixture_get_state (fixture, "dead"), !=, GMCP_SERVER_STATE_FAILED);
}

static void
test_call_left_out (ManagerFixture *fixture, gconstpointer data)
{
  g_autofree char *good = manager_fixture_entry (fixture, "good", "--tools echo");
  g_autofree char *dead = manager_fixture_entry (fixture, "dead", "--hang initialize");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a call by a tool's own name waits for no server whose configuration leaves out "
                  "such a tool");
  keep (fixture, g_strdup (good));
  dead[strlen (dead) - 1] = '\0';
  manager_fixture_write (fixture, g_strdup (good),
                         g_strconcat (dead, ",\"allowedTools\":[\"pid\"]}", NULL), NULL);
  g_object_set (fixture->manager, "startup-timeout-ms", 600000, NULL);
  text = manager_fixture_call (fixture, "echo", "{}", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "{}");
  g_assert_cmpint (manager_fixture_get_state (fixture, "dead"), ==, GMCP_SERVER_STATE_STOPPED);

  g_test_message ("nor where nobody is known to have it");
  next_run (fixture);
  g_free (manager_fixture_call (fixture, "nobody", "{}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_UNKNOWN_TOOL);
  g_assert_cmpint (manager_fixture_get_state (fixture, "dead"), ==, GMCP_SERVER_STATE_STOPPED);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/managed-server/awaited/" name, ManagerFixture, NULL, manager_fixture_set_up, func, \
              manager_fixture_tear_down)

  ADD ("hang", test_hang);
  ADD ("late", test_late);
  ADD ("remembered", test_remembered);
  ADD ("old", test_old);
  ADD ("other-config", test_other_config);
  ADD ("call", test_call);
  ADD ("call-left-out", test_call_left_out);

  return g_test_run ();
}
