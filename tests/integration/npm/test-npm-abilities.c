/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a server of another maker offers depends on what a host can do, as npm has it. */

#include <glib/gstdio.h>
#include <string.h>

#include "npm-fixture.h"

#include "../../unit/fixtures/set-file.h"

typedef struct
{
  char *dir;
  char *file;
  char *state;
  guint n_told; /* notices of tools that are new or have changed */
} Fixture;

static void
on_notice (GmcpManager *manager,
           const char *server,
           GmcpNoticeLevel level,
           const char *message,
           gpointer data)
{
  Fixture *fixture = data;

  if (strstr (message, "approve") != NULL)
    fixture->n_told++;
}

static void
on_input_requested (GmcpToolProvider *provider, GmcpInputRequest *request, gpointer data)
{
}

static void
set_up (Fixture *fixture)
{
  g_autofree char *script = find_script (EVERYTHING);
  g_autofree char *text
    = g_strdup_printf ("{\"mcpServers\":{\"everything\":{\"command\":\"%s\",\"args\":[\"%s\"]}}}",
                       g_getenv ("GMCP_TEST_NODE"), script);

  *fixture = (Fixture){ .dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL) };
  fixture->file = g_build_filename (fixture->dir, "mcp.json", NULL);
  fixture->state = g_build_filename (fixture->dir, "state", NULL);
  g_assert_true (g_file_set_contents (fixture->file, text, -1, NULL));
}

static void
tear_down (Fixture *fixture)
{
  static const char *const names[] = { "tool-pins.json", "tool-pins.json.lock",
                                       "started-commands.json", "started-commands.json.lock" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (fixture->state, names[i], NULL);

      g_unlink (path);
    }
  g_rmdir (fixture->state);
  g_unlink (fixture->file);
  g_rmdir (fixture->dir);
  g_free (fixture->state);
  g_free (fixture->file);
  g_free (fixture->dir);
}

/* Lists the tools as one program does, from its start to its end; gives how many there are. */
static guint
list (Fixture *fixture, gboolean answers, gboolean *has_question)
{
  GmcpManager *manager = gmcp_manager_new ();
  g_autoptr (GAsyncResult) loaded = NULL;
  g_autoptr (GAsyncResult) closed = NULL;
  g_autoptr (GError) error = NULL;
  GListModel *tools = gmcp_tool_provider_get_tools (GMCP_TOOL_PROVIDER (manager));
  guint n_tools;

  set_file (manager, "config-file", fixture->file);
  set_file (manager, "state-directory", fixture->state);
  g_object_set (manager, "startup-timeout-ms", 60000, "load-wait-ms", G_MAXUINT, NULL);
  gmcp_manager_set_pin_policy (manager, GMCP_PIN_POLICY_WITHHOLD);
  g_signal_connect (manager, "notice", G_CALLBACK (on_notice), fixture);
  if (answers)
    g_signal_connect (manager, "input-requested", G_CALLBACK (on_input_requested), NULL);
  gmcp_tool_provider_load_async (GMCP_TOOL_PROVIDER (manager), NULL, store_result, &loaded);
  g_assert_true (
    gmcp_tool_provider_load_finish (GMCP_TOOL_PROVIDER (manager), wait_for (&loaded), &error));
  g_assert_no_error (error);
  n_tools = g_list_model_get_n_items (tools);
  *has_question = has_tool (tools, "everything__trigger-elicitation-request");

  gmcp_tool_provider_close_async (GMCP_TOOL_PROVIDER (manager), NULL, store_result, &closed);
  g_assert_true (
    gmcp_tool_provider_close_finish (GMCP_TOOL_PROVIDER (manager), wait_for (&closed), NULL));
  g_clear_object (&loaded);
  g_clear_object (&closed);
  g_assert_finalize_object (manager);
  return n_tools;
}

static void
test_hosts (gconstpointer first)
{
  Fixture fixture;
  guint n_tools[2] = { 0, 0 };

  g_test_summary ("two kinds of hosts, one after the other, see what they are offered");
  if (skip_without_npm ())
    return;

  set_up (&fixture);
  for (guint run = 0; run < 5; run++)
    {
      gboolean answers = (run + GPOINTER_TO_UINT (first)) % 2;
      gboolean has_question;
      guint n = list (&fixture, answers, &has_question);

      g_test_message ("run %u: %u tools", run, n);
      g_assert_cmpint (has_question, ==, answers);
      if (run >= 2)
        g_assert_cmpuint (n, ==, n_tools[answers]);
      n_tools[answers] = n;
      g_assert_cmpuint (fixture.n_told, ==, 0);
    }
  g_assert_cmpuint (n_tools[1], >, n_tools[0]);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  g_test_add_data_func ("/npm/abilities/without-first", GUINT_TO_POINTER (0), test_hosts);
  g_test_add_data_func ("/npm/abilities/with-first", GUINT_TO_POINTER (1), test_hosts);

  return g_test_run ();
}
