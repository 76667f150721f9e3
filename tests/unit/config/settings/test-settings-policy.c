/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

#include <string.h>

#include "manager-fixture.h"
#include "set-file.h"
#include "gmcp-project-private.h"
#include "unit-test.h"

/* A manager whose roles and requirements are in settings. */
typedef struct
{
  ManagerFixture manager;
  GSettingsBackend *backend;
  GSettings *settings;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpConfigSource) source = NULL;

  manager_fixture_set_up (&fixture->manager, data);
  set_file (fixture->manager.manager, "config-file", NULL);
  fixture->backend = g_memory_settings_backend_new ();
  fixture->settings = g_settings_new_with_backend ("org.gmcp.Manager", fixture->backend);
  source = g_object_new (GMCP_TYPE_SETTINGS_CONFIG_SOURCE, "backend", fixture->backend, "delay-ms",
                         1, NULL);
  gmcp_manager_add_source (fixture->manager.manager, source);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  manager_fixture_tear_down (&fixture->manager, data);
  g_object_unref (fixture->settings);
  g_assert_finalize_object (fixture->backend);
}

static void
set_list (Fixture *fixture,
          const char *schema,
          const char *path,
          const char *key,
          const char *words)
{
  g_autoptr (GSettings) settings
    = g_settings_new_with_backend_and_path (schema, fixture->backend, path);
  g_auto (GStrv) list = g_strsplit (words, " ", -1);

  g_settings_set_strv (settings, key, (const char *const *) list);
}

static void
set_names (Fixture *fixture, const char *key, const char *words)
{
  g_auto (GStrv) names = g_strsplit (words, " ", -1);

  g_settings_set_strv (fixture->settings, key, (const char *const *) names);
}

static void
set_server (Fixture *fixture, const char *id, const char *tools)
{
  g_autofree char *path = g_strdup_printf ("/org/gmcp/servers/%s/", id);
  g_autoptr (GSettings) server
    = g_settings_new_with_backend_and_path ("org.gmcp.Server", fixture->backend, path);
  g_autofree char *script
    = g_test_build_filename (G_TEST_DIST, "servers", "managed-server.py", NULL);
  const char *const argv[] = {
    "/usr/bin/python3", "-S", script, "--log", fixture->manager.log, "--tools", tools, NULL,
  };

  g_settings_set_strv (server, "command", argv);
  g_settings_set_boolean (server, "enabled", TRUE);
}

static gboolean
lists (Fixture *fixture, const char *names)
{
  g_autofree char *listed = manager_fixture_list (&fixture->manager);

  return g_str_equal (listed, names);
}

#define REVIEW "/org/gmcp/roles/review/"

static void
test_roles (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) roles = NULL;

  g_test_summary ("roles in the settings hold at once, and what changes in them too");
  set_server (fixture, "one", "a,b,c");
  set_names (fixture, "servers", "one");
  set_list (fixture, "org.gmcp.Role", REVIEW, "allowed-tools", "one.a one.b bash");
  set_names (fixture, "roles", "review other");
  gmcp_manager_set_role (fixture->manager.manager, "review");
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  manager_fixture_assert_tools (&fixture->manager, "one__a one__b");
  g_assert_true (gmcp_manager_permits_tool (fixture->manager.manager, NULL, "bash", NULL, &error));
  g_assert_no_error (error);
  roles = gmcp_manager_list_roles (fixture->manager.manager);
  g_assert_cmpuint (roles->len, ==, 2);

  set_list (fixture, "org.gmcp.Role", REVIEW, "denied-tools", "one.b");
  manager_fixture_wait_until (lists (fixture, "one__a"));
  set_list (fixture, "org.gmcp.Role", REVIEW, "denied-tools", "");
  manager_fixture_wait_until (lists (fixture, "one__a one__b"));

  /* A role that nobody wrote settings for allows nothing. */
  gmcp_manager_set_role (fixture->manager.manager, "other");
  manager_fixture_assert_tools (&fixture->manager, "");
  gmcp_manager_set_role (fixture->manager.manager, "review");

  set_names (fixture, "roles", "other");
  manager_fixture_wait_until (lists (fixture, ""));
  set_names (fixture, "roles", "review");
  manager_fixture_wait_until (lists (fixture, "one__a one__b"));

  set_list (fixture, "org.gmcp.Role", REVIEW, "denied-tools", "one. one.c");
  manager_fixture_wait_until (lists (fixture, ""));
  g_assert_true (manager_fixture_has_notice (&fixture->manager, "“one.” is no rule"));
}

static void
test_role_of_host (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSettings) role
    = g_settings_new_with_backend_and_path ("org.gmcp.Role", fixture->backend, REVIEW);

  set_server (fixture, "one", "a,b");
  set_names (fixture, "servers", "one");
  set_list (fixture, "org.gmcp.Role", REVIEW, "allowed-tools", "*");
  g_settings_set_string (role, "host", "org.example.Host");
  set_names (fixture, "roles", "review");
  gmcp_manager_set_role (fixture->manager.manager, "review");
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  manager_fixture_assert_tools (&fixture->manager, "");
  gmcp_manager_set_host (fixture->manager.manager, "org.example.Host");
  manager_fixture_assert_tools (&fixture->manager, "one__a one__b");
}

static void
test_two_sources (Fixture *fixture, gconstpointer data)
{
  static const char *const b[] = { "one.b", NULL };
  g_autoptr (GmcpRole) own = gmcp_role_new ("review", b, NULL);

  g_test_summary (
    "where the program and the settings have a role, a tool has to be allowed by both");
  set_server (fixture, "one", "a,b");
  set_names (fixture, "servers", "one");
  set_list (fixture, "org.gmcp.Role", REVIEW, "allowed-tools", "one.*");
  set_names (fixture, "roles", "review");
  gmcp_manager_set_role (fixture->manager.manager, "review");
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  manager_fixture_assert_tools (&fixture->manager, "one__a one__b");
  gmcp_manager_add_role (fixture->manager.manager, own);
  manager_fixture_assert_tools (&fixture->manager, "one__b");
  set_list (fixture, "org.gmcp.Role", REVIEW, "allowed-tools", "one.a");
  manager_fixture_wait_until (lists (fixture, ""));
}

static void
test_bad_names (Fixture *fixture, gconstpointer data)
{
  g_autofree char *long_name = g_strnfill (300, 'x');
  g_autofree char *names = g_strconcat ("a/b  ", long_name, " review", NULL);
  g_autoptr (GPtrArray) roles = NULL;

  set_names (fixture, "roles", names);
  set_names (fixture, "requirements", "x/y");
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  roles = gmcp_manager_list_roles (fixture->manager.manager);
  g_assert_cmpuint (roles->len, ==, 1);
  g_assert_cmpstr (gmcp_role_get_name (g_ptr_array_index (roles, 0)), ==, "review");
  g_assert_true (manager_fixture_has_notice (&fixture->manager, "roles: “a/b” is left out"));
  g_assert_true (manager_fixture_has_notice (&fixture->manager, "requirements: “x/y”"));
}

static void
test_requirements (Fixture *fixture, gconstpointer data)
{
  static const char *const wanted[] = { "one", NULL };
  static const char *const more[] = { "two", "three", NULL };
  static const char *const expected[] = { "two", "three", "one", NULL };
  static const char *const said[] = { "models", "small", "homepage", "here", NULL };
  g_autoptr (GmcpRequirements) own
    = g_object_new (GMCP_TYPE_REQUIREMENTS, "required", more, "metadata", said, NULL);
  g_autoptr (GmcpRequirements) none = NULL;
  g_autoptr (GmcpRequirements) merged = NULL;
  g_autoptr (GmcpRequirements) other = NULL;

  set_list (fixture, "org.gmcp.Requirements", "/org/gmcp/requirements/coder/", "required", "one");
  set_list (fixture, "org.gmcp.Requirements", "/org/gmcp/requirements/coder/", "recommended",
            "two four");
  set_list (fixture, "org.gmcp.Requirements", "/org/gmcp/requirements/coder/", "models", "big");
  set_names (fixture, "requirements", "coder");
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  none = gmcp_manager_dup_requirements (fixture->manager.manager, NULL);
  g_assert_cmpuint (g_strv_length ((GStrv) gmcp_requirements_get_required (none)), ==, 0);

  gmcp_manager_set_host (fixture->manager.manager, "coder");
  other = gmcp_manager_dup_requirements (fixture->manager.manager, NULL);
  g_assert_cmpstr (gmcp_requirements_get_name (other), ==, "coder");
  g_assert_cmpstrv (gmcp_requirements_get_required (other), wanted);
  g_assert_cmpstr (gmcp_requirements_get_recommended (other)[1], ==, "four");
  g_assert_cmpstr (gmcp_requirements_lookup_metadata (other, "models"), ==, "big");
  g_assert_null (gmcp_requirements_lookup_metadata (other, "binary"));
  g_assert_cmpuint (g_strv_length ((GStrv) gmcp_requirements_get_metadata (other)), ==, 2);

  gmcp_manager_add_requirements (fixture->manager.manager, own);
  merged = gmcp_manager_dup_requirements (fixture->manager.manager, "coder");
  g_assert_cmpstr (gmcp_requirements_lookup_metadata (merged, "models"), ==, "small");
  g_assert_cmpstr (gmcp_requirements_lookup_metadata (merged, "homepage"), ==, "here");
  g_assert_cmpuint (g_strv_length ((GStrv) gmcp_requirements_get_metadata (merged)), ==, 4);
  g_assert_cmpstrv (gmcp_requirements_get_required (merged), expected);
  g_assert_cmpuint (g_strv_length ((GStrv) gmcp_requirements_get_recommended (merged)), ==, 1);
  gmcp_manager_remove_requirements (fixture->manager.manager, own);
}

#define DEMO "/org/gmcp/projects/demo/"

static void
test_projects (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) projects = NULL;
  GmcpProject *project;

  g_test_summary ("what a project lists follows the settings");
  set_server (fixture, "one", "a");
  set_server (fixture, "two", "b");
  set_names (fixture, "servers", "one two");
  set_list (fixture, "org.gmcp.Project", DEMO, "servers", "two");
  set_list (fixture, "org.gmcp.Project", DEMO, "resources", "two://x");
  set_names (fixture, "projects", "demo");
  gmcp_manager_set_project (fixture->manager.manager, "demo");
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));
  manager_fixture_assert_tools (&fixture->manager, "two__b");

  projects = gmcp_manager_list_projects (fixture->manager.manager);
  g_assert_cmpuint (projects->len, ==, 1);
  project = g_ptr_array_index (projects, 0);
  g_assert_cmpstr (gmcp_project_get_title (project), ==, "demo");
  g_assert_cmpstr (gmcp_project_get_resource_uri (project, 0), ==, "two://x");

  set_list (fixture, "org.gmcp.Project", DEMO, "servers", "one two");
  manager_fixture_wait_until (lists (fixture, "one__a two__b"));
  set_names (fixture, "projects", "other");
  manager_fixture_wait_until (lists (fixture, ""));
}

static void
test_findings (Fixture *fixture, gconstpointer data)
{
  static const char *const expected[] = {
    "/org/gmcp/roles: “review” stands there twice",
    "/org/gmcp/roles/review/allowed-tools: References unknown tool: one.nosuch",
    ("/org/gmcp/roles/review/denied-tools: “one.” is no rule; write SERVER.TOOL, or TOOL for a tool of "
     "the host's own. Until then the role allows nothing"),
    "/org/gmcp/roles/review/denied-tools: References unknown MCP server: nowhere",
    "/org/gmcp/requirements/demo/required: References unknown MCP server: missing",
    "/org/gmcp/projects/demo/servers: References unknown MCP server: nope",
    "/org/gmcp/projects/demo/resources: “gibberish” is no resource; write its URI, or SERVER URI",
  };
  g_autoptr (GPtrArray) findings = NULL;

  g_test_summary (
    "what the settings refer to is looked at as in files, tools where they are known");
  set_server (fixture, "one", "a,b");
  set_names (fixture, "servers", "one");
  set_names (fixture, "roles", "review review");
  set_list (fixture, "org.gmcp.Role", REVIEW, "allowed-tools", "one.a one.nosuch one.n* bash");
  set_list (fixture, "org.gmcp.Role", REVIEW, "denied-tools", "one. nowhere.x");
  set_names (fixture, "requirements", "demo");
  set_list (fixture, "org.gmcp.Requirements", "/org/gmcp/requirements/demo/", "required",
            "one missing");
  set_names (fixture, "projects", "demo");
  set_list (fixture, "org.gmcp.Project", DEMO, "servers", "one nope");
  set_list (fixture, "org.gmcp.Project", DEMO, "resources", "gibberish one://x");
  g_assert_null (manager_fixture_load (&fixture->manager, NULL));

  findings = gmcp_manager_list_findings (fixture->manager.manager);
  for (guint i = 0; i < findings->len; i++)
    {
      g_autofree char *text = gmcp_config_finding_dup_text (g_ptr_array_index (findings, i));

      g_assert_cmpuint (i, <, G_N_ELEMENTS (expected));
      g_assert_cmpstr (text, ==, expected[i]);
    }
  g_assert_cmpuint (findings->len, ==, G_N_ELEMENTS (expected));
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/manager/settings-policy/" path, Fixture, NULL, set_up, func, tear_down)

  ADD ("roles", test_roles);
  ADD ("roles/of-host", test_role_of_host);
  ADD ("roles/two-sources", test_two_sources);
  ADD ("bad-names", test_bad_names);
  ADD ("requirements", test_requirements);
  ADD ("projects", test_projects);
  ADD ("findings", test_findings);
  return g_test_run ();
}
