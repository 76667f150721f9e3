/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-json-private.h"
#include "manager-fixture.h"
#include "new-audit-log.h"
#include "unit-test.h"

/* A call that is made again may do what it could then, and no more. */

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
  gmcp_manager_set_host (fixture->base.manager, "org.example.Host");
  manager_fixture_write (&fixture->base,
                         manager_fixture_entry (&fixture->base, "one", "--tools echo,pid"), NULL);
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
dup_last (Fixture *fixture, const char *member)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;

  gmcp_audit_log_read_async (fixture->log, NULL, NULL, 1, NULL, on_ready, &result);
  manager_fixture_wait_until (result != NULL);
  lines = gmcp_audit_log_read_finish (fixture->log, result, &error);
  g_assert_no_error (error);
  doc = gmcp_json_doc_parse (lines[0], strlen (lines[0]), NULL, 0, NULL);
  return gmcp_json_value_dup_string (
    gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), member));
}

/* The id of the line of a call under that role (nullable), which fails with that code where it is one. */
static char *
call (Fixture *fixture, const char *tool, const char *role, int code)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  gmcp_call_options_set_role (options, role);
  text = manager_fixture_call (&fixture->base, tool, "{}", options, &error);
  if (code >= 0)
    g_assert_error (error, GMCP_ERROR, code);
  else
    g_assert_no_error (error);
  return dup_last (fixture, "id");
}

static void
replay (Fixture *fixture, const char *id, GmcpCallOptions *options, int code, const char *part)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GmcpToolResult) tool_result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_manager_replay_call_async (fixture->base.manager, id, options, NULL, on_ready, &result);
  manager_fixture_wait_until (result != NULL);
  tool_result = gmcp_manager_replay_call_finish (fixture->base.manager, result, &error);
  if (code < 0)
    {
      g_assert_no_error (error);
      g_assert_nonnull (tool_result);
      return;
    }

  g_assert_error (error, GMCP_ERROR, code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, part));
}

static guint
count_calls (Fixture *fixture)
{
  return manager_fixture_count_log (&fixture->base, "call");
}

static GmcpRole *
add_role (Fixture *fixture, const char *name, const char *allowed)
{
  const char *const rules[] = { allowed, NULL };
  GmcpRole *role = gmcp_role_new (name, rules, NULL);

  gmcp_manager_add_role (fixture->base.manager, role);
  return role;
}

static void
test_role (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpRole) echoer = add_role (fixture, "echoer", "one.echo");
  g_autoptr (GmcpRole) nobody = NULL;
  g_autoptr (GmcpRole) changed = NULL;
  g_autoptr (GmcpCallOptions) other = gmcp_call_options_new ();
  g_autofree char *id = call (fixture, "one__echo", "echoer", -1);
  g_autofree char *role = NULL;
  guint n_calls;

  g_test_summary ("it is under the role that it was under");
  replay (fixture, id, NULL, -1, NULL);
  role = dup_last (fixture, "role");
  g_assert_cmpstr (role, ==, "echoer");
  n_calls = count_calls (fixture);

  g_test_message ("which may allow less by now, or be gone");
  changed = add_role (fixture, "echoer", "one.pid");
  replay (fixture, id, NULL, GMCP_ERROR_NOT_PERMITTED, "role echoer");
  gmcp_manager_remove_role (fixture->base.manager, changed);
  replay (fixture, id, NULL, GMCP_ERROR_NOT_PERMITTED, "role echoer: not configured");
  gmcp_call_options_set_role (other, "another");
  replay (fixture, id, other, GMCP_ERROR_INVALID_ARGUMENT, "another");

  g_test_message ("beside the one that all calls are under");
  gmcp_manager_add_role (fixture->base.manager, echoer);
  nobody = add_role (fixture, "nobody", "one.nothing");
  gmcp_manager_set_role (fixture->base.manager, "nobody");
  replay (fixture, id, NULL, GMCP_ERROR_NOT_PERMITTED, "role nobody");
  g_assert_cmpuint (count_calls (fixture), ==, n_calls);
}

static void
test_standing_role (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpRole) echoer = add_role (fixture, "echoer", "one.echo");
  g_autoptr (GmcpRole) all G_GNUC_UNUSED = add_role (fixture, "all", "*");
  g_autofree char *id = NULL;
  g_autofree char *both = NULL;
  g_autofree char *standing = NULL;
  guint n_calls;

  g_test_summary ("a role that held for all calls holds for it too");
  gmcp_manager_set_role (fixture->base.manager, "echoer");
  id = call (fixture, "one__echo", NULL, -1);
  both = call (fixture, "one__echo", "all", -1);
  standing = dup_last (fixture, "standing_role");
  g_assert_cmpstr (standing, ==, "echoer");

  gmcp_manager_set_role (fixture->base.manager, NULL);
  gmcp_manager_remove_role (fixture->base.manager, echoer);
  n_calls = count_calls (fixture);
  replay (fixture, id, NULL, GMCP_ERROR_NOT_PERMITTED, "role echoer: not configured");
  replay (fixture, both, NULL, GMCP_ERROR_NOT_PERMITTED, "echoer");
  g_assert_cmpuint (count_calls (fixture), ==, n_calls);

  gmcp_manager_add_role (fixture->base.manager, echoer);
  gmcp_manager_set_role (fixture->base.manager, "echoer");
  replay (fixture, both, NULL, -1, NULL);
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpRole) nobody = add_role (fixture, "nobody", "one.nothing");
  g_autofree char *id = NULL;

  g_test_summary ("what was refused stays so, whatever the rules are now");
  id = call (fixture, "one__echo", "nobody", GMCP_ERROR_NOT_PERMITTED);
  gmcp_manager_remove_role (fixture->base.manager, nobody);
  g_clear_object (&nobody);
  nobody = add_role (fixture, "nobody", "*");
  replay (fixture, id, NULL, GMCP_ERROR_NOT_PERMITTED, "was refused (role nobody");
  g_assert_cmpuint (count_calls (fixture), ==, 0);
}

static void
test_place (Fixture *fixture, gconstpointer data)
{
  g_autofree char *id = call (fixture, "one__echo", NULL, -1);
  g_autofree char *in_project = NULL;
  g_autofree char *hostless = NULL;
  guint n_calls;

  g_test_summary ("another host, or project, does not make it");
  gmcp_manager_set_project (fixture->base.manager, "garden");
  in_project = call (fixture, "one__echo", NULL, -1);
  n_calls = count_calls (fixture);
  replay (fixture, id, NULL, GMCP_ERROR_NOT_PERMITTED, "the present one is garden");
  gmcp_manager_set_project (fixture->base.manager, NULL);
  replay (fixture, in_project, NULL, GMCP_ERROR_NOT_PERMITTED, "in the project garden");
  gmcp_manager_set_host (fixture->base.manager, "org.example.Other");
  replay (fixture, id, NULL, GMCP_ERROR_NOT_PERMITTED, "org.example.Host");
  g_assert_cmpuint (count_calls (fixture), ==, n_calls);

  g_test_message ("nor one of which it is not known who made it");
  gmcp_manager_set_host (fixture->base.manager, NULL);
  hostless = call (fixture, "one__echo", NULL, -1);
  replay (fixture, hostless, NULL, -1, NULL);
  gmcp_manager_set_host (fixture->base.manager, "org.example.Host");
  replay (fixture, hostless, NULL, GMCP_ERROR_NOT_PERMITTED, "does not say which host");
  replay (fixture, id, NULL, -1, NULL);
}

static void
test_cut (Fixture *fixture, gconstpointer data)
{
  g_autofree char *name = g_strnfill (300, 'n');
  g_autofree char *listed = g_strconcat ("nobody.", name, NULL);
  g_autofree char *id = NULL;

  g_test_summary ("what was not written down in full cannot be made again");
  id = call (fixture, listed, NULL, GMCP_ERROR_UNKNOWN_TOOL);
  replay (fixture, id, NULL, GMCP_ERROR_INVALID_ARGUMENT, "names were not written down in full");
}

#define ADD(path, test) g_test_add ("/audit/replay/" path, Fixture, NULL, set_up, test, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("role", test_role);
  ADD ("standing-role", test_standing_role);
  ADD ("refused", test_refused);
  ADD ("place", test_place);
  ADD ("cut", test_cut);

  return g_test_run ();
}
