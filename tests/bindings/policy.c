/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A host in C with a role, with what it needs, a search and the context of a project:
 * policy PYTHON MANAGED_SERVER CONTEXT_SERVER [search] */

#include <gmcp/gmcp.h>

#include <glib/gstdio.h>
#include <string.h>

#include "../unit/fixtures/remove-folder.h"
#include "../unit/fixtures/set-file.h"

static void
store_result (GObject *source, GAsyncResult *result, gpointer slot)
{
  *(GAsyncResult **) slot = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **slot)
{
  while (*slot == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *slot;
}

static char *
call (GmcpManager *manager, const char *name, GError **error)
{
  GmcpToolProvider *provider = GMCP_TOOL_PROVIDER (manager);
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GmcpToolResult) result = NULL;

  gmcp_tool_provider_call_tool_async (provider, name, NULL, NULL, NULL, store_result, &pending);
  result = gmcp_tool_provider_call_tool_finish (provider, wait_for (&pending), error);
  return result != NULL ? gmcp_tool_result_dup_text (result) : NULL;
}

static void
use_role (GmcpManager *manager)
{
  const char *const allowed[] = { "one.*", "notes.*", "grep", NULL };
  const char *const denied[] = { "one.pid", NULL };
  g_autoptr (GmcpRole) role = gmcp_role_new ("careful", allowed, denied);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  gmcp_manager_add_role (manager, role);
  gmcp_manager_set_role (manager, "careful");
  g_assert_null (call (manager, "one.pid", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED);
  g_clear_error (&error);
  text = call (manager, "one.read", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "read");
  g_assert_true (gmcp_manager_permits_tool (manager, NULL, "grep", NULL, NULL));
}

static void
check_needs (GmcpManager *manager)
{
  const char *const required[] = { "one", NULL };
  const char *const recommended[] = { "elsewhere", NULL };
  g_autoptr (GmcpRequirements) needs = gmcp_requirements_new (NULL, required, recommended, NULL);
  g_autoptr (GmcpRequirementsReport) report = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_manager_check_requirements_async (manager, needs, NULL, store_result, &result);
  report = gmcp_manager_check_requirements_finish (manager, wait_for (&result), &error);
  g_assert_no_error (error);
  g_assert_cmpint (gmcp_requirements_report_get_readiness (report), ==, GMCP_READINESS_DEGRADED);
}

static void
search (GmcpManager *manager)
{
  GmcpToolProvider *provider = GMCP_TOOL_PROVIDER (manager);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) matches = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_tool_provider_search_async (provider, "who reads?", 5, GMCP_TOOL_DETAIL_BRIEF, NULL,
                                   store_result, &result);
  matches = gmcp_tool_provider_search_finish (provider, wait_for (&result), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (matches->len, ==, 1);
  g_assert_cmpstr (gmcp_definition_get_name (
                     GMCP_DEFINITION (gmcp_tool_match_get_tool (g_ptr_array_index (matches, 0)))),
                   ==, "one__read");
}

static void
gather_context (GmcpManager *manager)
{
  const char *const servers[] = { "notes", NULL };
  const char *const resources[] = { "notes://a", NULL };
  g_autoptr (GmcpProject) project = gmcp_project_new ("demo", servers, resources);
  g_autoptr (GmcpProjectContext) context = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL;

  gmcp_manager_add_project (manager, project);
  gmcp_manager_get_context_async (manager, "demo", NULL, store_result, &result);
  context = gmcp_manager_get_context_finish (manager, wait_for (&result), &error);
  g_assert_no_error (error);
  g_assert_true (gmcp_project_context_is_complete (context));
  json = gmcp_project_context_dup_json (context);
  g_assert_nonnull (strstr (json, "alpha 1"));
}

int
main (int argc, char *argv[])
{
  g_autofree char *folder = g_dir_make_tmp ("gmcp-policy-XXXXXX", NULL);
  g_autofree char *config = g_build_filename (folder, "mcp.json", NULL);
  g_autofree char *state = g_build_filename (folder, "state", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GmcpManager) manager = gmcp_manager_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (argc, >=, 4);
  text = g_strdup_printf ("{\"mcpServers\":{\"one\":{\"command\":\"%s\",\"args\":[\"-S\",\"%s\","
                          "\"--tools\",\"read,drop,pid\"]},\"notes\":{\"command\":\"%s\",\"args\":"
                          "[\"-S\",\"%s\",\"--resource\",\"notes://a=alpha\"]}}}",
                          argv[1], argv[2], argv[1], argv[3]);
  g_assert_true (g_file_set_contents (config, text, -1, NULL));
  set_file (manager, "config-file", config);
  set_file (manager, "state-directory", state);
  g_object_set (manager, "resource-timeout-ms", 60000, "load-wait-ms", G_MAXUINT, NULL);

  use_role (manager);
  check_needs (manager);
  if (argc > 4)
    search (manager);
  gather_context (manager);

  gmcp_tool_provider_close_async (GMCP_TOOL_PROVIDER (manager), NULL, store_result, &result);
  g_assert_true (
    gmcp_tool_provider_close_finish (GMCP_TOOL_PROVIDER (manager), wait_for (&result), &error));
  remove_folder (folder);
  return 0;
}
