/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The questions of servers of other makers, as npm has them. */

#include <string.h>

#include "npm-fixture.h"

typedef struct
{
  GmcpTransport *transport;
  GmcpClient *client;
  GListStore *roots;
  guint n_asked;
  gboolean declines;
  gboolean server_completes;
  GAsyncResult *visited;
} Fixture;

static gboolean
complete (gpointer elicitation)
{
  gmcp_elicitation_complete (elicitation);
  return G_SOURCE_REMOVE;
}

static void
answer_elicitation (Fixture *fixture, GmcpElicitation *elicitation)
{
  GmcpElicitationField *name = gmcp_elicitation_get_field (elicitation, "name");
  g_autoptr (GError) error = NULL;

  if (fixture->declines)
    {
      gmcp_input_request_decline (GMCP_INPUT_REQUEST (elicitation));
      return;
    }

  if (fixture->server_completes)
    gmcp_client_call_tool_json_async (fixture->client, "visited", NULL, NULL, NULL, store_result,
                                      &fixture->visited);
  gmcp_elicitation_accept_json (elicitation, name != NULL ? "{\"name\":\"Ada\"}" : NULL, &error);
  g_assert_no_error (error);
  if (gmcp_elicitation_get_mode (elicitation) == GMCP_ELICITATION_MODE_URL
      && !fixture->server_completes)
    g_idle_add_full (G_PRIORITY_DEFAULT, complete, g_object_ref (elicitation), g_object_unref);
}

static void
on_input_requested (GmcpClient *client, GmcpInputRequest *request, gpointer data)
{
  Fixture *fixture = data;

  fixture->n_asked++;
  g_assert_nonnull (gmcp_input_request_get_server_name (request));
  if (GMCP_IS_ELICITATION (request))
    answer_elicitation (fixture, GMCP_ELICITATION (request));
  else
    gmcp_sampling_accept_text (GMCP_SAMPLING (request), "Paris", "model-7", "endTurn");
}

static void
open_server_in (Fixture *fixture, const char *script, const char *argument, guint probe_timeout_ms)
{
  g_autoptr (GmcpRoot) root = gmcp_root_new ("file:///srv/work", "Work");

  fixture->transport = new_script_transport (script, argument);
  fixture->client = gmcp_client_new (fixture->transport);
  fixture->roots = g_list_store_new (GMCP_TYPE_ROOT);
  g_list_store_append (fixture->roots, root);
  gmcp_client_set_roots (fixture->client, G_LIST_MODEL (fixture->roots));
  gmcp_client_set_allow_sampling (fixture->client, TRUE);
  g_signal_connect (fixture->client, "input-requested", G_CALLBACK (on_input_requested), fixture);
  gmcp_client_set_probe_timeout_ms (fixture->client, probe_timeout_ms);
  open_client (fixture->client);
}

static void
open_server (Fixture *fixture, const char *script, const char *argument)
{
  open_server_in (fixture, script, argument, 60000);
}

static void
close_server (Fixture *fixture)
{
  drop_client (fixture->client, fixture->transport);
  g_assert_finalize_object (fixture->roots);
}

/* The whole text of the result. */
static char *
call (Fixture *fixture, const char *tool, const char *arguments)
{
  g_autoptr (GmcpToolResult) result = call_tool (fixture->client, tool, arguments);

  return gmcp_tool_result_dup_text (result);
}

static void
assert_has (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("“%s” is not in: %s", part, text);
}

/* Its tools for this are there once the server knows what the client can do. */
static void
wait_for_tool (Fixture *fixture, const char *name)
{
  GListModel *tools = gmcp_client_get_tools (fixture->client);

  for (;;)
    {
      g_autoptr (GAsyncResult) pending = NULL;
      g_autoptr (GListModel) list = NULL;

      gmcp_client_list_tools_async (fixture->client, NULL, store_result, &pending);
      list = gmcp_client_list_tools_finish (fixture->client, wait_for (&pending), NULL);
      for (guint i = 0; i < g_list_model_get_n_items (tools); i++)
        {
          g_autoptr (GmcpTool) tool = g_list_model_get_item (tools, i);

          if (g_str_equal (gmcp_definition_get_name (GMCP_DEFINITION (tool)), name))
            return;
        }
    }
}

static void
test_everything (void)
{
  Fixture fixture = { NULL };
  g_autofree char *form = NULL, *sampling = NULL, *roots = NULL, *more_roots = NULL;
  g_autofree char *declined = NULL;
  g_autoptr (GmcpRoot) other = gmcp_root_new ("file:///srv/other", NULL);

  if (skip_without_npm ())
    return;

  open_server (&fixture, EVERYTHING, "stdio");
  wait_for_tool (&fixture, "trigger-sampling-request");

  form = call (&fixture, "trigger-elicitation-request", NULL);
  assert_has (form, "\"action\": \"accept\"");
  assert_has (form, "\"name\": \"Ada\"");
  assert_has (form, "\"integer\": 42");
  assert_has (form, "\"titledSingleSelectEnum\": \"hero-1\"");
  assert_has (form, "\"fish-1\"");

  sampling = call (&fixture, "trigger-sampling-request", "{\"prompt\":\"Capital?\"}");
  assert_has (sampling, "\"model\": \"model-7\"");
  assert_has (sampling, "\"text\": \"Paris\"");

  roots = call (&fixture, "get-roots-list", NULL);
  assert_has (roots, "file:///srv/work");
  g_list_store_append (fixture.roots, other);
  do
    {
      g_free (more_roots);
      more_roots = call (&fixture, "get-roots-list", NULL);
    }
  while (strstr (more_roots, "file:///srv/other") == NULL);

  fixture.declines = TRUE;
  declined = call (&fixture, "trigger-elicitation-request", NULL);
  assert_has (declined, "\"action\": \"decline\"");
  g_assert_cmpuint (fixture.n_asked, ==, 3);
  close_server (&fixture);
}

static void
test_everything_url (void)
{
  Fixture fixture = { NULL };
  g_autofree char *plain = NULL, *required = NULL;

  if (skip_without_npm ())
    return;

  open_server (&fixture, EVERYTHING, "stdio");
  wait_for_tool (&fixture, "trigger-url-elicitation");
  plain = call (&fixture, "trigger-url-elicitation",
                "{\"url\":\"https://example.org/\",\"message\":\"Go\",\"elicitationId\":\"e7\"}");
  assert_has (plain, "\"action\": \"accept\"");
  g_assert_cmpuint (fixture.n_asked, ==, 1);

  /* First an error that asks for a visit, then the call again. */
  required = call (&fixture, "trigger-url-elicitation",
                   "{\"url\":\"https://example.org/\",\"message\":\"Go\",\"elicitationId\":\"e8\","
                   "\"errorPath\":true}");
  assert_has (required, "\"action\": \"accept\"");
  g_assert_cmpuint (fixture.n_asked, ==, 3);
  close_server (&fixture);
}

static void
test_visits (void)
{
  Fixture fixture = { .declines = TRUE };
  g_autofree char *files = NULL, *again = NULL;
  g_autoptr (GmcpToolResult) refused = NULL, visited = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "a call that is refused until the user has been at an address is made again once the server says "
    "that this is done; a user who does not go there leaves its error");
  if (skip_without_npm ())
    return;

  open_server (&fixture, "visits-server.mjs", NULL);
  refused = try_call (fixture.client, "files", NULL, NULL, NULL, &error);
  g_assert_null (refused);
  g_assert_error (error, GMCP_RPC_ERROR, -32042);
  g_assert_cmpuint (fixture.n_asked, ==, 1);

  fixture.declines = FALSE;
  fixture.server_completes = TRUE;
  files = call (&fixture, "files", NULL);
  g_assert_cmpstr (files, ==, "notes.txt, after 3 calls");
  g_assert_cmpuint (fixture.n_asked, ==, 2);
  visited = gmcp_client_call_tool_json_finish (fixture.client, wait_for (&fixture.visited), NULL);
  g_assert_nonnull (visited);
  g_object_unref (fixture.visited);

  again = call (&fixture, "files", NULL);
  g_assert_cmpstr (again, ==, "notes.txt, after 4 calls");
  close_server (&fixture);
}

static void
test_modern (void)
{
  Fixture fixture = { NULL };
  g_autofree char *all = NULL, *later = NULL, *declined = NULL;

  if (skip_without_npm ())
    return;

  open_server (&fixture, "modern-server.mjs", "--legacy-refused");
  all = call (&fixture, "question", NULL);
  g_assert_cmpstr (all, ==, "Ada, 30; Paris; file:///srv/work; state one/\u00e4");
  g_assert_cmpuint (fixture.n_asked, ==, 2);

  later = call (&fixture, "third-round", NULL);
  g_assert_cmpstr (later, ==, "after 2 rounds");
  g_assert_cmpuint (fixture.n_asked, ==, 2);

  fixture.declines = TRUE;
  declined = call (&fixture, "question", NULL);
  g_assert_cmpstr (declined, ==, "decline; Paris; file:///srv/work; state one/\u00e4");
  close_server (&fixture);
}

static void
test_slow_start (gconstpointer argument)
{
  Fixture fixture = { NULL };
  g_autofree char *all = NULL;

  g_test_summary (
    "Node starts more slowly than the probe waits, so that the server finds initialize as well, and holds "
    "the connection to the legacy era where it speaks that");
  if (skip_without_npm ())
    return;

  open_server_in (&fixture, "modern-server.mjs", argument, 1);
  g_assert_cmpint (gmcp_client_get_era (fixture.client), ==, GMCP_ERA_MODERN);
  all = call (&fixture, "question", NULL);
  g_assert_cmpstr (all, ==, "Ada, 30; Paris; file:///srv/work; state one/\u00e4");
  close_server (&fixture);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/npm/input/everything", test_everything);
  g_test_add_func ("/npm/input/everything-url", test_everything_url);
  g_test_add_func ("/npm/input/visits", test_visits);
  g_test_add_func ("/npm/input/modern", test_modern);
  g_test_add_data_func ("/npm/input/modern/slow-start", NULL, test_slow_start);
  g_test_add_data_func ("/npm/input/modern/slow-start-no-legacy", "--legacy-refused",
                        test_slow_start);

  return g_test_run ();
}
