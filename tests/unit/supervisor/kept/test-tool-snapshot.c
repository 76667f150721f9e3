/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tool-snapshot-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* What is listed for a server, without a server. */

typedef struct
{
  GObject *owner;
  GmcpServerConfig *config;
  GmcpToolSnapshot *snapshot;
  guint n_written;
} Fixture;

static void
on_written (GObject *owner)
{
  ((Fixture *) g_object_get_data (owner, "test-fixture"))->n_written++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  const char *const argv[] = { "/bin/true", "tool-snapshot", NULL };
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

  fixture->owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_object_set_data (fixture->owner, "test-fixture", fixture);
  fixture->config = gmcp_server_config_new ("one", argv);
  fixture->snapshot = gmcp_tool_snapshot_new (fixture->owner, context, on_written);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gmcp_tool_snapshot_free (fixture->snapshot);
  g_assert_finalize_object (fixture->owner);
  g_assert_finalize_object (fixture->config);
}

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  *(GmcpToolListCache **) data = gmcp_tool_list_cache_load_finish (result, &error);
  g_assert_no_error (error);
}

/* Lists one tool, as a file of an earlier run would have it. */
static void
recall (Fixture *fixture, const char *name)
{
  g_autoptr (GmcpToolListCache) kept = g_new0 (GmcpToolListCache, 1);
  g_autofree char *json
    = g_strdup_printf ("{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}", name);
  g_autoptr (GError) error = NULL;
  GmcpTool *tool = gmcp_tool_new_from_json (json, &error);

  g_assert_no_error (error);
  kept->tools = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (kept->tools, tool);
  kept->instructions = g_strdup ("Be kind");
  gmcp_tool_snapshot_recall (fixture->snapshot, fixture->config, GMCP_CLIENT_ABILITY_ELICITATION,
                             kept);
}

static void
test_recall (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("what was kept is listed until it is withdrawn");
  g_assert_false (gmcp_tool_snapshot_is_listed (fixture->snapshot));
  g_assert_null (gmcp_tool_snapshot_get_config (fixture->snapshot));
  recall (fixture, "one");
  g_assert_true (gmcp_tool_snapshot_is_listed (fixture->snapshot));
  g_assert_true (gmcp_tool_snapshot_get_config (fixture->snapshot) == fixture->config);
  g_assert_cmpint (gmcp_tool_snapshot_get_abilities (fixture->snapshot), ==,
                   GMCP_CLIENT_ABILITY_ELICITATION);
  g_assert_cmpstr (gmcp_tool_snapshot_get_instructions (fixture->snapshot), ==, "Be kind");
  g_assert_cmpuint (gmcp_tool_snapshot_peek_tools (fixture->snapshot)->len, ==, 1);

  gmcp_tool_snapshot_outdate (fixture->snapshot);
  g_assert_false (gmcp_tool_snapshot_is_listed (fixture->snapshot));
  g_assert_cmpuint (gmcp_tool_snapshot_peek_tools (fixture->snapshot)->len, ==, 1);

  g_assert_true (gmcp_tool_snapshot_withdraw (fixture->snapshot));
  g_assert_false (gmcp_tool_snapshot_withdraw (fixture->snapshot));
  g_assert_null (gmcp_tool_snapshot_get_instructions (fixture->snapshot));
}

static void
test_keep (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpToolListCache) kept = NULL;

  g_test_summary ("the file is written once for what is listed, and found again");
  recall (fixture, "one");
  gmcp_tool_snapshot_keep (fixture->snapshot, fixture->config, NULL);
  g_assert_false (gmcp_tool_snapshot_is_writing (fixture->snapshot));
  gmcp_tool_snapshot_outdate (fixture->snapshot);
  gmcp_tool_snapshot_keep (fixture->snapshot, fixture->config, NULL);
  gmcp_tool_snapshot_keep (fixture->snapshot, fixture->config, NULL);
  g_assert_true (gmcp_tool_snapshot_is_writing (fixture->snapshot));
  while (gmcp_tool_snapshot_is_writing (fixture->snapshot))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (fixture->n_written, ==, 1);

  gmcp_tool_list_cache_load_async (fixture->config, GMCP_CLIENT_ABILITY_ELICITATION, on_loaded,
                                   &kept);
  while (kept == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (kept->tools->len, ==, 1);
  g_assert_cmpstr (kept->instructions, ==, "Be kind");
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/supervisor/tool-snapshot/recall", test_recall);
  ADD ("/supervisor/tool-snapshot/keep", test_keep);
  return g_test_run ();
}
