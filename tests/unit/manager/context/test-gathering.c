/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-context-gathering-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-manager-limits-private.h"
#include "gmcp-prompt-catalog-private.h"
#include "gmcp-prompt-command-private.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/manager/context/gmcp-project-context.h>

#include "unit-test.h"

/* What belongs to a project, and the prompts, of servers that no manager has. */

typedef struct
{
  GObject *owner; /* has the server and the count of notices */
  GmcpManagedServer *server;
  GAsyncResult *result;
} Fixture;

static GmcpManagedServer *
get_server (gpointer owner, const char *id)
{
  GmcpManagedServer *server = g_object_get_data (owner, "server");

  return server != NULL && g_str_equal (gmcp_managed_server_get_id (server), id) ? server : NULL;
}

static void
count_notice (gpointer owner, const char *server_id, GmcpNoticeLevel level, const char *message)
{
  guint n_notices = GPOINTER_TO_UINT (g_object_get_data (owner, "n-notices"));

  g_assert_cmpstr (server_id, ==, "broken");
  g_object_set_data (owner, "n-notices", GUINT_TO_POINTER (n_notices + 1));
}

static gboolean
may_reach (gpointer owner, const char *id, GError **error)
{
  return TRUE;
}

static const GmcpContextHostFuncs funcs = { get_server, may_reach, count_notice };

static void
take_result (GObject *object, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  g_assert_null (fixture->result);
  fixture->result = g_object_ref (result);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpServerConfig) config = NULL;
  g_autoptr (GError) error = NULL;
  GmcpManagerLimits limits;

  gmcp_manager_limits_init (&limits);
  config = gmcp_server_config_new_from_json (
    "broken", "{\"command\":\"/nonexistent/server\",\"instructions\":\"Ask nicely.\"}", &error);
  g_assert_no_error (error);
  fixture->server = gmcp_managed_server_new (config, &limits.servers);
  fixture->owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_object_set_data (fixture->owner, "server", fixture->server);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->result);
  g_assert_finalize_object (fixture->owner);
  g_assert_finalize_object (fixture->server);
}

static GmcpProjectContext *
gather (Fixture *fixture, GmcpProject *project, GCancellable *cancellable, GError **error)
{
  g_autoptr (GTask) task = g_task_new (fixture->owner, cancellable, take_result, fixture);

  gmcp_context_gather (task, project, g_main_context_default (), 60000, &funcs);
  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
  while (fixture->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return g_task_propagate_pointer (G_TASK (fixture->result), error);
}

static void
test_left_out (Fixture *fixture, gconstpointer data)
{
  const char *servers[] = { "broken", "absent", NULL };
  const char *resources[] = { "broken:file:///a", "absent:file:///b", "file:///c", NULL };
  g_autoptr (GmcpProject) project = gmcp_project_new ("one", servers, resources);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpProjectContext) context = gather (fixture, project, NULL, &error);
  g_autoptr (GPtrArray) list = NULL;
  const char *const *notes;

  g_test_summary ("what cannot be read is left out, with a note each");
  g_assert_no_error (error);
  list = gmcp_project_context_list_resources (context);
  notes = gmcp_project_context_get_notes (context);
  g_assert_cmpuint (list->len, ==, 0);
  g_assert_cmpuint (g_strv_length ((char **) notes), >=, 3);
  g_assert_nonnull (strstr (gmcp_project_context_get_instructions (context), "Ask nicely."));
}

static void
test_cancelled (Fixture *fixture, gconstpointer data)
{
  const char *servers[] = { "broken", NULL };
  g_autoptr (GmcpProject) project = gmcp_project_new ("one", servers, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (gather (fixture, project, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  /* What was under way ends by itself, and holds the owner until then. */
  while (G_OBJECT (fixture->owner)->ref_count > 1)
    {
      g_clear_object (&fixture->result);
      g_main_context_iteration (NULL, TRUE);
    }
}

static void
test_prompts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpPromptCatalog) catalog = gmcp_prompt_catalog_new ();
  g_autoptr (GPtrArray) servers = g_ptr_array_new ();
  g_autoptr (GTask) task = g_task_new (fixture->owner, NULL, take_result, fixture);
  g_autoptr (GPtrArray) commands = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) told = NULL;
  GmcpToolName found;

  g_test_summary ("a server that does not start has no prompts, and is told of by its start");
  g_ptr_array_add (servers, fixture->server);
  gmcp_prompt_catalog_list (catalog, task, servers, count_notice);
  g_clear_object (&task);
  while (fixture->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  commands = g_task_propagate_pointer (G_TASK (fixture->result), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (commands->len, ==, 0);
  g_assert_null (g_object_get_data (fixture->owner, "n-notices"));

  g_assert_false (gmcp_prompt_catalog_find (catalog, "broken.hello", &found, &error));
  g_assert_nonnull (error);
  told = gmcp_prompt_catalog_unknown_error ("broken.hello", error);
  g_assert_error (told, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add ("/manager/gathering/left-out", Fixture, NULL, set_up, test_left_out, tear_down);
  g_test_add ("/manager/gathering/cancelled", Fixture, NULL, set_up, test_cancelled, tear_down);
  g_test_add ("/manager/gathering/prompts", Fixture, NULL, set_up, test_prompts, tear_down);
  return g_test_run ();
}
