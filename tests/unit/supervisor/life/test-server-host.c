/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-managed-server-private.h"
#include "gmcp-manager-limits-private.h"
#include "gmcp-tool-private.h"

#include <gmcp/gmcp.h>

#include "unit-test.h"

/* A managed server turns to a host that is no manager, and does without one. */

#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    while (!(condition))                                                                           \
      g_main_context_iteration (NULL, TRUE);                                                       \
  }                                                                                                \
  G_STMT_END

typedef struct
{
  GObject *object; /* of no class of this library */
  char *dir;
  char *searched; /* for Node.js, in vain */
  gboolean is_required;
  guint n_questions;
  guint n_started;
  guint n_found;
  guint n_forgotten;
} Host;

typedef struct
{
  gboolean is_done;
  GError *error;
} Outcome;

static Host *
get_host (GObject *object)
{
  return g_object_get_data (object, "test-host");
}

static gboolean
has_input_handler (GObject *object)
{
  return TRUE;
}

static void
request_input (GObject *object, GmcpInputRequest *request)
{
  get_host (object)->n_questions++;
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (request));
}

static gboolean
requires_server (GObject *object, const char *id)
{
  g_assert_cmpstr (id, ==, "one");
  return get_host (object)->is_required;
}

static GmcpTool *
dup_listed_tool (GObject *object, GmcpManagedServer *server, GmcpTool *tool)
{
  g_autofree char *name
    = g_strconcat ("mine-", gmcp_definition_get_name (GMCP_DEFINITION (tool)), NULL);

  return gmcp_tool_new_listed (tool, gmcp_managed_server_get_id (server), name);
}

static GStrv
fill_expand_context (GObject *object, GmcpConfigExpandContext *context)
{
  context->workspace = get_host (object)->dir;
  return NULL;
}

static char *
fill_folder_context (GObject *object, GmcpServerFolderContext *context)
{
  char *state_dir = g_strdup (get_host (object)->dir);

  context->state_dir = state_dir;
  return state_dir;
}

static const char *
get_node_searched (GObject *object)
{
  return get_host (object)->searched;
}

static void
find_node (GObject *object, GmcpServerConfig *config)
{
  get_host (object)->n_found++;
}

static void
forget_node (GObject *object)
{
  get_host (object)->n_forgotten++;
}

static void
program_started (GObject *object, GmcpServerConfig *config)
{
  get_host (object)->n_started++;
}

static const GmcpServerHostFuncs funcs = {
  .has_input_handler = has_input_handler,
  .request_input = request_input,
  .requires_server = requires_server,
  .dup_listed_tool = dup_listed_tool,
  .fill_expand_context = fill_expand_context,
  .fill_folder_context = fill_folder_context,
  .get_node_searched = get_node_searched,
  .find_node = find_node,
  .forget_node = forget_node,
  .program_started = program_started,
};

static void
host_set_up (Host *host, gconstpointer data)
{
  host->dir = g_dir_make_tmp ("gmcp-test-XXXXXX", NULL);
  host->object = g_object_new (G_TYPE_OBJECT, NULL);
  g_object_set_data (host->object, "test-host", host);
}

static void
host_tear_down (Host *host, gconstpointer data)
{
  g_autofree char *work = g_build_filename (host->dir, "work", NULL);
  g_autofree char *own = g_build_filename (work, "one", NULL);

  g_assert_finalize_object (host->object);
  g_rmdir (own);
  g_rmdir (work);
  g_assert_cmpint (g_rmdir (host->dir), ==, 0);
  g_free (host->dir);
  g_free (host->searched);
}

/* A server whose program is one of the scripts of the tests. */
static GmcpManagedServer *
make_server (const char *script, const char *words, const char *place)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "servers", script, NULL);
  g_autofree char *json
    = g_strdup_printf ("{\"command\":\"/usr/bin/python3\",\"args\":[\"-S\",\"%s\"%s],"
                       "\"env\":{\"PLACE\":\"%s\"},"
                       "\"restart_on_failure\":false}",
                       path, words, place);
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_new_from_json ("one", json, &error);
  GmcpManagerLimits limits;

  g_assert_no_error (error);
  gmcp_manager_limits_init (&limits);
  return gmcp_managed_server_new (config, &limits.servers);
}

static void
on_started (GObject *object, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  gmcp_managed_server_start_finish (GMCP_MANAGED_SERVER (object), result, &outcome->error);
  outcome->is_done = TRUE;
}

static GError *
start (GmcpManagedServer *server)
{
  Outcome outcome = { FALSE, NULL };

  gmcp_managed_server_start_async (server, NULL, on_started, &outcome);
  wait_until (outcome.is_done);
  return outcome.error;
}

static void
on_gone (gpointer data)
{
  *(gboolean *) data = TRUE;
}

static void
drop_server (GmcpManagedServer *server)
{
  g_autoptr (GError) reason = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_CLOSED, "closed");
  gboolean is_gone = FALSE;

  gmcp_managed_server_retire (server, 0, reason, on_gone, &is_gone);
  wait_until (is_gone);
  g_assert_finalize_object (server);
}

static void
on_listed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  *(GListModel **) data
    = gmcp_managed_server_discover_tools_finish (GMCP_MANAGED_SERVER (object), result, &error);
  g_assert_no_error (error);
}

static char *
dup_first_tool_name (GmcpManagedServer *server)
{
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GmcpTool) tool = NULL;

  gmcp_managed_server_discover_tools_async (server, NULL, on_listed, &tools);
  wait_until (tools != NULL);
  tool = g_list_model_get_item (tools, 0);
  return g_strdup (gmcp_definition_get_name (GMCP_DEFINITION (tool)));
}

static void
on_called (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  *(GmcpToolResult **) data = gmcp_client_call_tool_finish (GMCP_CLIENT (object), result, &error);
  g_assert_no_error (error);
}

static char *
call (GmcpManagedServer *server, const char *tool, const char *arguments)
{
  g_autoptr (GmcpToolResult) result = NULL;

  gmcp_client_call_tool_json_async (gmcp_managed_server_get_client (server), tool, arguments, NULL,
                                    NULL, on_called, &result);
  wait_until (result != NULL);
  return gmcp_tool_result_dup_text (result);
}

static void
test_start (Host *host, gconstpointer data)
{
  const GmcpServerHost vtable = { host->object, &funcs };
  GmcpManagedServer *server
    = make_server ("managed-server.py", ",\"--tools\",\"env\"", "${workspaceFolder}");
  g_autofree char *name = NULL;
  g_autofree char *place = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "a host that is no manager fills in variables, names tools and is told of the start");
  gmcp_managed_server_set_host (server, &vtable);
  error = start (server);
  g_assert_no_error (error);
  g_assert_cmpuint (host->n_started, ==, 1);
  g_assert_cmpuint (host->n_found, ==, 1);
  g_assert_cmpuint (host->n_forgotten, ==, 1);
  name = dup_first_tool_name (server);
  g_assert_cmpstr (name, ==, "mine-env");
  place = call (server, "env", "{\"name\":\"PLACE\"}");
  g_assert_cmpstr (place, ==, host->dir);
  drop_server (server);
}

static void
test_question (Host *host, gconstpointer data)
{
  const GmcpServerHost vtable = { host->object, &funcs };
  GmcpManagedServer *server = make_server ("asking-server.py", "", "nowhere");
  g_autofree char *answer = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a host that is no manager takes the questions of a server");
  gmcp_managed_server_set_host (server, &vtable);
  error = start (server);
  g_assert_no_error (error);
  answer = call (server, "form", NULL);
  g_assert_nonnull (strstr (answer, "decline"));
  g_assert_cmpuint (host->n_questions, ==, 1);
  drop_server (server);
}

static void
on_notice (GmcpManagedServer *server, GmcpNoticeLevel level, const char *message, gpointer data)
{
  if (strstr (message, "Going on without") != NULL)
    ++*(guint *) data;
}

static void
test_required (Host *host, gconstpointer data)
{
  const GmcpServerHost vtable = { host->object, &funcs };

  g_test_summary (
    "whether to go on without a server that the host requires is for the host to say");
  for (host->is_required = FALSE; host->is_required <= TRUE; host->is_required++)
    {
      GmcpManagedServer *server
        = make_server ("managed-server.py", ",\"--fail\",\"start\"", "nowhere");
      guint n_without = 0;
      g_autoptr (GError) error = NULL;

      gmcp_managed_server_set_host (server, &vtable);
      g_signal_connect (server, "notice", G_CALLBACK (on_notice), &n_without);
      error = start (server);
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED);
      g_assert_cmpuint (n_without, ==, !host->is_required);
      drop_server (server);
    }
}

static void
test_node (Host *host, gconstpointer data)
{
  const char *const argv[] = { "npx", "-y", "one", NULL };
  const GmcpServerHost vtable = { host->object, &funcs };
  g_autoptr (GmcpServerConfig) config = gmcp_server_config_new ("one", argv);
  GmcpManagedServer *server;
  GmcpManagerLimits limits;
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "where the host says that Node.js is not there, nothing is started that needs it");
  gmcp_manager_limits_init (&limits);
  server = gmcp_managed_server_new (config, &limits.servers);
  host->searched = g_strdup ("/nowhere");
  gmcp_managed_server_set_host (server, &vtable);
  error = start (server);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING);
  g_assert_cmpuint (host->n_forgotten, ==, 1);
  g_assert_cmpuint (host->n_started, ==, 0);
  g_assert_true (gmcp_managed_server_lacks_node (server));
  drop_server (server);
}

static void
test_nobody (void)
{
  GmcpManagedServer *server = make_server ("managed-server.py", ",\"--tools\",\"env\"", "nowhere");
  g_autofree char *name = NULL;
  g_autofree char *place = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a server without a host runs, under its own names");
  error = start (server);
  g_assert_no_error (error);
  name = dup_first_tool_name (server);
  g_assert_cmpstr (name, ==, "env");
  place = call (server, "env", "{\"name\":\"PLACE\"}");
  g_assert_cmpstr (place, ==, "nowhere");
  drop_server (server);
}

static void
stop_once (GmcpManagedServer *server, GParamSpec *pspec, gpointer data)
{
  gboolean *is_stopped = data;

  if (!*is_stopped)
    gmcp_managed_server_stop_async (server, NULL, NULL, NULL);
  *is_stopped = TRUE;
}

static void
test_stopped_at_once (void)
{
  GmcpManagedServer *server = make_server ("managed-server.py", "", "nowhere");
  gboolean is_stopped = FALSE;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a server that is stopped as it becomes ready is stopped, and its start says so");
  g_signal_connect (server, "notify::last-health-check", G_CALLBACK (stop_once), &is_stopped);
  error = start (server);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
  g_assert_true (is_stopped);
  wait_until (gmcp_managed_server_get_state (server) == GMCP_SERVER_STATE_STOPPED);
  drop_server (server);
}

UNIT_TEST_MAIN (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func) g_test_add (path, Host, NULL, host_set_up, func, host_tear_down)
  ADD ("/supervisor/host/start", test_start);
  ADD ("/supervisor/host/question", test_question);
  ADD ("/supervisor/host/required", test_required);
  ADD ("/supervisor/host/node", test_node);
  g_test_add_func ("/supervisor/host/nobody", test_nobody);
  g_test_add_func ("/supervisor/host/stopped-at-once", test_stopped_at_once);
  return g_test_run ();
}
