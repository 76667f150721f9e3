/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-manager-private.h"
#include "manager-fixture.h"
#include "set-file.h"
#include "unit-test.h"

/* One change of the configuration, however much of it changes, judges each tool once and emits each signal
 * once. */
typedef struct
{
  ManagerFixture base;
  GSettingsBackend *backend;
  GSettings *settings;
  GmcpConfigSource *source; /* of the settings */
  guint n_rules;
  guint n_servers;
  guint n_policies; /* policy-changed of the source that a test looks at */
  guint n_judged;
} Fixture;

static void
count (guint *n)
{
  ++*n;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  manager_fixture_set_up (&fixture->base, data);
  set_file (fixture->base.manager, "config-file", NULL);
  fixture->backend = g_memory_settings_backend_new ();
  fixture->settings = g_settings_new_with_backend ("org.gmcp.Manager", fixture->backend);
  fixture->source = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", fixture->backend,
                                  "delay-ms", 1, NULL);
  g_signal_connect_swapped (fixture->base.manager, "rules-changed", G_CALLBACK (count),
                            &fixture->n_rules);
  g_signal_connect_swapped (fixture->base.manager, "items-changed", G_CALLBACK (count),
                            &fixture->n_servers);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_signal_handlers_disconnect_by_data (fixture->base.manager, &fixture->n_rules);
  g_signal_handlers_disconnect_by_data (fixture->base.manager, &fixture->n_servers);
  manager_fixture_tear_down (&fixture->base, data);
  g_object_unref (fixture->settings);
  g_assert_finalize_object (fixture->source);
  g_assert_finalize_object (fixture->backend);
}

static void
watch_policy (Fixture *fixture, GmcpConfigSource *source)
{
  g_signal_connect_swapped (source, "policy-changed", G_CALLBACK (count), &fixture->n_policies);
}

static GSettings *
open_child (Fixture *fixture, const char *schema, const char *path)
{
  return g_settings_new_with_backend_and_path (schema, fixture->backend, path);
}

static void
set_server (Fixture *fixture, const char *id, const char *tools)
{
  g_autofree char *path = g_strconcat ("/org/gmcp/servers/", id, "/", NULL);
  g_autoptr (GSettings) server = open_child (fixture, "org.gmcp.Server", path);
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
  const char *const argv[] = { "/usr/bin/python3", "-S", script, "--tools", tools, NULL };

  g_settings_set_strv (server, "command", argv);
  g_settings_set_boolean (server, "enabled", TRUE);
}

static void
set_role (Fixture *fixture, const char *name, const char *allowed)
{
  const char *const rules[] = { allowed, NULL };
  const char *const names[] = { name, NULL };
  g_autofree char *path = g_strconcat ("/org/gmcp/roles/", name, "/", NULL);
  g_autoptr (GSettings) role = open_child (fixture, "org.gmcp.Role", path);

  g_settings_set_strv (role, "allowed-tools", rules);
  g_settings_set_strv (fixture->settings, "roles", names);
}

/* From here on it is counted. */
static void
begin_counting (Fixture *fixture)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
  fixture->n_rules = 0;
  fixture->n_servers = 0;
  fixture->n_policies = 0;
  fixture->base.n_tool_changes = 0;
  fixture->n_judged
    = gmcp_tool_catalog_get_n_judged (gmcp_manager_get_catalog (fixture->base.manager));
}

static guint
count_judged (Fixture *fixture)
{
  return gmcp_tool_catalog_get_n_judged (gmcp_manager_get_catalog (fixture->base.manager))
         - fixture->n_judged;
}

static gboolean
lists (Fixture *fixture, const char *names)
{
  g_autofree char *listed = manager_fixture_list (&fixture->base);

  return g_str_equal (listed, names);
}

static void
test_settings (Fixture *fixture, gconstpointer data)
{
  const char *const ids[] = { "one", "two", NULL };
  const char *const left[] = { "two", NULL };
  const char *const rules[] = { "two.wait", NULL };

  g_test_summary ("a role, a rule, a number and the list of servers, in one turn");
  set_server (fixture, "one", "echo");
  set_server (fixture, "two", "pid,wait");
  g_settings_set_strv (fixture->settings, "servers", ids);
  set_role (fixture, "careful", "*");
  gmcp_manager_set_role (fixture->base.manager, "careful");
  gmcp_manager_add_source (fixture->base.manager, fixture->source);
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  manager_fixture_assert_tools (&fixture->base, "one__echo two__pid two__wait");
  watch_policy (fixture, fixture->source);

  begin_counting (fixture);
  g_settings_set_strv (fixture->settings, "servers", left);
  manager_fixture_wait_until (lists (fixture, "two__pid two__wait"));
  g_assert_cmpuint (fixture->n_rules, ==, 1);
  g_assert_cmpuint (fixture->n_servers, ==, 1);
  g_assert_cmpuint (fixture->base.n_tool_changes, ==, 1);
  g_assert_cmpuint (fixture->n_policies, ==, 0);
  g_assert_cmpuint (count_judged (fixture), ==, 2);

  begin_counting (fixture);
  set_role (fixture, "careful", "two.pid");
  manager_fixture_wait_until (lists (fixture, "two__pid"));
  g_assert_cmpuint (fixture->n_rules, ==, 1);
  g_assert_cmpuint (fixture->n_servers, ==, 0);
  g_assert_cmpuint (fixture->base.n_tool_changes, ==, 1);
  g_assert_cmpuint (fixture->n_policies, ==, 1);
  g_assert_cmpuint (count_judged (fixture), ==, 2);

  begin_counting (fixture);
  g_settings_set_strv (fixture->settings, "ask-first", rules);
  manager_fixture_wait_until (fixture->n_rules > 0);
  g_assert_cmpuint (fixture->n_rules, ==, 1);
  g_assert_cmpuint (fixture->base.n_tool_changes, ==, 0);
  g_assert_cmpuint (count_judged (fixture), ==, 2);
  g_signal_handlers_disconnect_by_data (fixture->source, &fixture->n_policies);
}

static void
write_file (Fixture *fixture, const char *path, const char *extra)
{
  g_autofree char *one = manager_fixture_entry (&fixture->base, "one", "--tools pid,wait");
  g_autofree char *text = g_strdup_printf ("{\"mcp_servers\": {%s}%s}", one, extra);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
on_trusted (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  gmcp_file_config_source_set_trusted_finish (GMCP_FILE_CONFIG_SOURCE (object), result, &error);
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static const char all_at_once[]
  = ", \"mcp_settings\": {\"health_check_interval_seconds\": 20, \"max_calls\": 3}, \"roles\": "
    "{\"careful\": {\"allowed_tools\": [\"one.pid\"]}}, \"projects\": {\"p\": {\"servers\": "
    "[\"one\"]}}";

static void
test_file (Fixture *fixture, gconstpointer data)
{
  gboolean is_project = GPOINTER_TO_INT (data);
  g_autofree char *path = g_build_filename (fixture->base.dir, "plugin.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GmcpConfigSource) source = g_object_new (GMCP_TYPE_FILE_CONFIG_SOURCE, "file", file,
                                                      "delay-ms", 1, "project", is_project, NULL);
  guint interval_ms = 0;
  gboolean done = FALSE;

  g_test_summary ("settings, roles, projects and servers of a file that is read again");
  write_file (fixture, path, is_project ? all_at_once : "");
  gmcp_manager_set_auto_start_default (fixture->base.manager, TRUE);
  gmcp_manager_add_source (fixture->base.manager, source);
  g_assert_null (manager_fixture_load (&fixture->base, NULL));
  watch_policy (fixture, source);
  if (is_project)
    {
      manager_fixture_assert_tools (&fixture->base, "");
      begin_counting (fixture);
      gmcp_file_config_source_set_trusted_async (GMCP_FILE_CONFIG_SOURCE (source), TRUE, NULL,
                                                 on_trusted, &done);
      manager_fixture_wait_until (done && fixture->n_servers > 0);
    }
  else
    {
      manager_fixture_assert_tools (&fixture->base, "one__pid one__wait");
      gmcp_manager_set_role (fixture->base.manager, "careful");
      manager_fixture_assert_tools (&fixture->base, "");
      begin_counting (fixture);
      write_file (fixture, path, all_at_once);
      manager_fixture_wait_until (lists (fixture, "one__pid"));
      g_assert_cmpuint (fixture->base.n_tool_changes, ==, 1);
      g_assert_cmpuint (count_judged (fixture), ==, 2);
    }
  g_assert_cmpuint (fixture->n_rules, ==, 1);
  g_assert_cmpuint (fixture->n_servers, ==, is_project);
  g_assert_cmpuint (fixture->n_policies, ==, 1);
  g_object_get (fixture->base.manager, "health-interval-ms", &interval_ms, NULL);
  g_assert_cmpuint (interval_ms, ==, 20000);
  g_signal_handlers_disconnect_by_data (source, &fixture->n_policies);
  gmcp_manager_remove_source (fixture->base.manager, source);
  g_unlink (path);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
#define ADD(path, func, data)                                                                      \
  g_test_add ("/manager/changes/" path, Fixture, data, set_up, func, tear_down)
  ADD ("settings", test_settings, NULL);
  ADD ("file", test_file, GINT_TO_POINTER (FALSE));
  ADD ("project", test_file, GINT_TO_POINTER (TRUE));
  return g_test_run ();
}
