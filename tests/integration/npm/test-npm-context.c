/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The context of a project, and prompts as commands, with a server of another maker, as npm has it. */

#include <glib/gstdio.h>
#include <string.h>

#include "npm-fixture.h"

#include "../../unit/fixtures/set-file.h"

#define URI "demo://resource/static/document/features.md"

typedef struct
{
  char *dir;
  char *file;
  GmcpManager *manager;
} Fixture;

static gboolean
set_up (Fixture *fixture)
{
  static const char *const servers[] = { "everything", NULL };
  static const char *const resources[] = { "everything " URI, "everything demo://none", NULL };
  g_autoptr (GmcpProject) project = NULL;
  g_autofree char *script = NULL;
  g_autofree char *text = NULL;

  if (skip_without_npm ())
    return FALSE;

  fixture->dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  fixture->file = g_build_filename (fixture->dir, "mcp.json", NULL);
  script = find_script (EVERYTHING);
  text
    = g_strdup_printf ("{\"mcpServers\":{\"everything\":{\"command\":\"%s\",\"args\":[\"%s\"]}}}",
                       g_getenv ("GMCP_TEST_NODE"), script);
  g_assert_true (g_file_set_contents (fixture->file, text, -1, NULL));

  fixture->manager = gmcp_manager_new ();
  set_file (fixture->manager, "config-file", fixture->file);
  g_object_set (fixture->manager, "resource-timeout-ms", 60000, NULL);
  project = gmcp_project_new ("demo", servers, resources);
  gmcp_manager_add_project (fixture->manager, project);
  return TRUE;
}

static void
tear_down (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;

  gmcp_tool_provider_close_async (GMCP_TOOL_PROVIDER (fixture->manager), NULL, store_result,
                                  &result);
  g_assert_true (gmcp_tool_provider_close_finish (GMCP_TOOL_PROVIDER (fixture->manager),
                                                  wait_for (&result), NULL));
  /* It holds the manager. */
  g_clear_object (&result);
  g_assert_finalize_object (fixture->manager);
  g_unlink (fixture->file);
  g_rmdir (fixture->dir);
  g_free (fixture->file);
  g_free (fixture->dir);
}

static GmcpProjectContext *
get_context (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GmcpProjectContext *context;

  gmcp_manager_get_context_async (fixture->manager, "demo", NULL, store_result, &result);
  context = gmcp_manager_get_context_finish (fixture->manager, wait_for (&result), &error);
  g_assert_no_error (error);
  return context;
}

static void
test_context (void)
{
  Fixture fixture;

  if (!set_up (&fixture))
    return;

  for (guint round = 0; round < 2; round++)
    {
      g_autoptr (GmcpProjectContext) context = get_context (&fixture);
      g_autoptr (GPtrArray) resources = gmcp_project_context_list_resources (context);
      GmcpContextResource *resource;

      g_assert_cmpuint (resources->len, ==, 1);
      resource = g_ptr_array_index (resources, 0);
      g_assert_cmpstr (gmcp_context_resource_get_uri (resource), ==, URI);
      g_assert_cmpuint (strlen (gmcp_context_resource_get_text (resource)), >, 100);
      g_assert_cmpint (gmcp_resource_result_is_cached (gmcp_context_resource_get_result (resource)),
                       ==, round == 1);
      /* The other one is refused. */
      g_assert_cmpuint (g_strv_length ((char **) gmcp_project_context_get_notes (context)), ==, 1);
      g_assert_true (
        g_str_has_prefix (gmcp_project_context_get_instructions (context), "# everything\n"));
    }
  tear_down (&fixture);
}

static void
test_prompts (void)
{
  Fixture fixture;
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GAsyncResult) got = NULL;
  g_autoptr (GPtrArray) prompts = NULL;
  g_autoptr (GmcpPromptResult) result = NULL;
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;
  gboolean found = FALSE;

  if (!set_up (&fixture))
    return;

  gmcp_manager_list_prompts_async (fixture.manager, NULL, store_result, &listed);
  prompts = gmcp_manager_list_prompts_finish (fixture.manager, wait_for (&listed), &error);
  g_assert_no_error (error);
  for (guint i = 0; i < prompts->len; i++)
    found = found
            || g_str_equal (gmcp_prompt_command_get_name (g_ptr_array_index (prompts, i)),
                            "everything__simple-prompt");
  g_assert_true (found);

  gmcp_prompt_provider_get_prompt_async (GMCP_PROMPT_PROVIDER (fixture.manager),
                                         "everything__simple-prompt", NULL, NULL, NULL,
                                         store_result, &got);
  result = gmcp_prompt_provider_get_prompt_finish (GMCP_PROMPT_PROVIDER (fixture.manager),
                                                   wait_for (&got), &error);
  g_assert_no_error (error);
  json = gmcp_prompt_result_dup_json (result);
  g_assert_nonnull (strstr (json, "\"text\""));
  g_clear_object (&listed);
  g_clear_object (&got);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/npm/context/resources", test_context);
  g_test_add_func ("/npm/context/prompts", test_prompts);

  return g_test_run ();
}
