/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "manager-fixture.h"
#include "new-audit-log.h"
#include "unit-test.h"

/* A registry with the manager and with tools of the host's own. */
typedef struct
{
  ManagerFixture base;
  GmcpToolRegistry *registry;
  GmcpAuditLog *log;
  guint n_handled;
  guint n_asked;
  GmcpCallPermission *asked;
} Fixture;

static void
on_own_call (GmcpToolCall *call, gpointer data)
{
  Fixture *fixture = data;
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (gmcp_tool_call_get_name (call));

  fixture->n_handled++;
  gmcp_tool_call_return_result (call, result);
}

static void
on_call_requested (GmcpToolProvider *provider, GmcpCallPermission *request, Fixture *fixture)
{
  fixture->n_asked++;
  g_set_object (&fixture->asked, request);
}

static void
add_own (Fixture *fixture, const char *name)
{
  g_autoptr (GError) error = NULL;

  gmcp_tool_registry_add_function (fixture->registry, name, NULL, NULL, on_own_call, fixture, NULL,
                                   &error);
  g_assert_no_error (error);
}

static void
add_role (Fixture *fixture, const char *name, const char *allowed, const char *ask_first)
{
  g_autoptr (GmcpRole) role = NULL;
  g_auto (GStrv) patterns = g_strsplit (allowed, " ", -1);
  g_auto (GStrv) asking = g_strsplit (ask_first, " ", -1);

  role = g_object_new (GMCP_TYPE_ROLE, "name", name, "allowed-tools", patterns, "ask-first",
                       *ask_first != '\0' ? asking : NULL, NULL);
  gmcp_manager_add_role (fixture->base.manager, role);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  manager_fixture_set_up (&fixture->base, data);
  path = g_build_filename (fixture->base.dir, "audit.jsonl", NULL);
  fixture->log = new_audit_log (path);
  gmcp_manager_set_audit_log (fixture->base.manager, fixture->log);
  fixture->registry = gmcp_tool_registry_new ();
  gmcp_tool_registry_add_provider (fixture->registry, "servers", fixture->base.provider, &error);
  g_assert_no_error (error);
  g_signal_connect (fixture->registry, "call-requested", G_CALLBACK (on_call_requested), fixture);
  fixture->base.provider = GMCP_TOOL_PROVIDER (fixture->registry);
  fixture->base.tools = gmcp_tool_provider_get_tools (fixture->base.provider);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = gmcp_audit_log_dup_file (fixture->log);
  const char *path = g_file_peek_path (file);

  fixture->base.provider = GMCP_TOOL_PROVIDER (fixture->base.manager);
  fixture->base.tools = gmcp_tool_provider_get_tools (fixture->base.provider);
  g_assert_finalize_object (g_steal_pointer (&fixture->registry));
  manager_fixture_close (&fixture->base);
  g_assert_finalize_object (g_steal_pointer (&fixture->base.manager));
  g_clear_object (&fixture->asked);
  g_object_add_weak_pointer (G_OBJECT (fixture->log), (gpointer *) &fixture->log);
  g_object_unref (fixture->log);
  while (g_atomic_pointer_get (&fixture->log) != NULL)
    g_thread_yield ();
  g_unlink (path);
  manager_fixture_tear_down (&fixture->base, data);
}

static void
assert_called (Fixture *fixture, const char *tool)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = manager_fixture_call (&fixture->base, tool, "{}", NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, tool);
}

static void
assert_refused (Fixture *fixture, const char *tool, GmcpCallOptions *options, const char *part)
{
  g_autoptr (GError) error = NULL;
  guint n_handled = fixture->n_handled;

  g_assert_null (manager_fixture_call (&fixture->base, tool, "{}", options, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_cmpuint (fixture->n_handled, ==, n_handled);
}

static void
test_roles (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;

  g_test_summary ("the manager's roles hold for the host's own tools too");
  manager_fixture_write (&fixture->base,
                         manager_fixture_entry (&fixture->base, "one", "--tools bash"), NULL);
  add_own (fixture, "bash");
  add_role (fixture, "review", "one.* grep", "");
  add_own (fixture, "grep");
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  manager_fixture_assert_tools (&fixture->base, "bash grep one__bash");
  assert_called (fixture, "bash");

  gmcp_call_options_set_role (options, "review");
  assert_refused (fixture, "bash", options, "bash may not be called (role review");
  gmcp_manager_set_role (fixture->base.manager, "review");
  manager_fixture_assert_tools (&fixture->base, "grep one__bash");
  assert_called (fixture, "grep");
  assert_refused (fixture, "bash", NULL, "role review");
  g_assert_null (gmcp_tool_provider_find_tool (fixture->base.provider, "bash", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);

  add_own (fixture, "late");
  manager_fixture_assert_tools (&fixture->base, "grep one__bash");
  gmcp_manager_set_role (fixture->base.manager, NULL);
  manager_fixture_assert_tools (&fixture->base, "bash grep late one__bash");
  assert_called (fixture, "bash");

  gmcp_manager_set_role (fixture->base.manager, "review");
  g_assert_true (gmcp_tool_registry_remove_provider (fixture->registry, "servers"));
  manager_fixture_assert_tools (&fixture->base, "bash grep late");
  assert_called (fixture, "bash");
}

static void
test_before_config (Fixture *fixture, gconstpointer data)
{
  static const char text[]
    = "{\"mcpServers\":{},\"roles\":{\"review\":{\"allowed_tools\":[\"grep\"]}}}";
  g_autoptr (GError) error = NULL;

  g_test_summary ("a call waits for the rules; without them nothing is called");
  add_own (fixture, "bash");
  add_own (fixture, "grep");
  gmcp_manager_set_role (fixture->base.manager, "review");
  g_file_set_contents (fixture->base.config, "{", -1, &error);
  g_assert_no_error (error);
  g_assert_null (manager_fixture_call (&fixture->base, "grep", "{}", NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_clear_error (&error);
  g_file_set_contents (fixture->base.config, text, -1, &error);
  g_assert_no_error (error);
  assert_called (fixture, "grep");
  assert_refused (fixture, "bash", NULL, "role review");
}

static void
test_asking (Fixture *fixture, gconstpointer data)
{
  ManagerCall call;

  g_test_summary ("who is to be asked before is asked, once or for good");
  manager_fixture_write (&fixture->base, manager_fixture_entry (&fixture->base, "one", "--tools a"),
                         NULL);
  add_own (fixture, "rm");
  add_role (fixture, "careful", "*", "rm");
  gmcp_manager_set_role (fixture->base.manager, "careful");
  g_assert_null (manager_fixture_load (&fixture->base, NULL));

  manager_call_begin (&call, &fixture->base, "rm", "{\"path\":\"/\"}", NULL, NULL);
  manager_fixture_wait_until (fixture->asked != NULL);
  g_assert_cmpstr (gmcp_call_permission_get_arguments_json (fixture->asked), ==,
                   "{\"path\":\"/\"}");
  g_assert_null (gmcp_input_request_get_server_name (GMCP_INPUT_REQUEST (fixture->asked)));
  g_assert_cmpuint (fixture->n_handled, ==, 0);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (fixture->asked));
  manager_call_wait (&call);
  g_assert_error (call.error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  manager_call_clear (&call);

  manager_call_begin (&call, &fixture->base, "rm", "{}", NULL, NULL);
  manager_fixture_wait_until (fixture->n_asked == 2);
  gmcp_call_permission_allow_always (fixture->asked);
  manager_call_wait (&call);
  g_assert_no_error (call.error);
  manager_call_clear (&call);
  assert_called (fixture, "rm");
  g_assert_cmpuint (fixture->n_asked, ==, 2);
  g_assert_cmpuint (fixture->n_handled, ==, 2);
}

static void
on_ready (GObject *object, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static void
test_audit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) lines = NULL;

  g_test_summary ("each call is written down, also one that is refused");
  manager_fixture_write (&fixture->base, manager_fixture_entry (&fixture->base, "one", "--tools a"),
                         NULL);
  add_own (fixture, "grep");
  add_own (fixture, "bash");
  add_role (fixture, "review", "grep", "");
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  gmcp_manager_set_role (fixture->base.manager, "review");
  assert_called (fixture, "grep");
  assert_refused (fixture, "bash", NULL, "role review");

  gmcp_audit_log_read_async (fixture->log, NULL, NULL, 0, NULL, on_ready, &result);
  manager_fixture_wait_until (result != NULL);
  lines = gmcp_audit_log_read_finish (fixture->log, result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (lines), ==, 2);
  g_assert_nonnull (strstr (lines[0], "\"tool\":\"grep\""));
  g_assert_nonnull (strstr (lines[0], "\"outcome\":\"ok\""));
  g_assert_null (strstr (lines[0], "\"server\""));
  g_assert_nonnull (strstr (lines[1], "\"tool\":\"bash\""));
  g_assert_nonnull (strstr (lines[1], "\"rule\":\"role review"));
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/own-tools/" path, Fixture, NULL, set_up, func, tear_down)

  ADD ("roles", test_roles);
  ADD ("before-config", test_before_config);
  ADD ("asking", test_asking);
  ADD ("audit", test_audit);
  return g_test_run ();
}
