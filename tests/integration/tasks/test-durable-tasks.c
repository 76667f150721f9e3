/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tasks that outlive the processes at both ends. */

#include <glib/gstdio.h>
#include <string.h>

#include "../npm/npm-fixture.h"

typedef struct
{
  char *folder;
  char *file; /* of the server's tasks */
  GmcpTransport *transport;
  GmcpClient *client;
  GmcpTaskHandle *handle;
  guint n_asked;
} Fixture;

static void
on_input (GmcpClient *client, GmcpInputRequest *request, Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  fixture->n_asked++;
  gmcp_elicitation_accept_json (GMCP_ELICITATION (request), "{\"depth\":7}", &error);
  g_assert_no_error (error);
}

static void
start_server (Fixture *fixture)
{
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "servers", "task-server.py", NULL);
  const char *argv[] = { "python3", "-S", script, fixture->file, NULL };

  fixture->transport = GMCP_TRANSPORT (gmcp_stdio_transport_new (argv));
  fixture->client = gmcp_client_new (fixture->transport);
  gmcp_client_set_name (fixture->client, "digger");
  g_signal_connect (fixture->client, "input-requested", G_CALLBACK (on_input), fixture);
  open_client (fixture->client);
}

static void
end_server (Fixture *fixture)
{
  drop_client (g_steal_pointer (&fixture->client), g_steal_pointer (&fixture->transport));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("gmcp-test-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->file = g_build_filename (fixture->folder, "tasks.json", NULL);
  start_server (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  end_server (fixture);
  g_clear_object (&fixture->handle);
  g_unlink (fixture->file);
  g_rmdir (fixture->folder);
  g_free (fixture->file);
  g_free (fixture->folder);
}

static void
on_created (GmcpCallOptions *options, GmcpTaskHandle *handle, Fixture *fixture)
{
  fixture->handle = g_object_ref (handle);
}

static void
start (Fixture *fixture, const char *arguments, GCancellable *cancellable, GAsyncResult **result)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();

  g_signal_connect (options, "task-created", G_CALLBACK (on_created), fixture);
  gmcp_client_call_tool_json_async (fixture->client, "dig", arguments, options, cancellable,
                                    store_result, result);
  while (fixture->handle == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_call (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  start (fixture, "{\"steps\":4,\"ask\":true}", NULL, &pending);
  result = gmcp_client_call_tool_finish (fixture->client, wait_for (&pending), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "dug 4 steps, 7 deep");
  g_assert_cmpuint (fixture->n_asked, ==, 1);
  g_assert_cmpstr (gmcp_task_handle_get_status_message (fixture->handle), ==, "step 4 of 4");
  g_clear_object (&pending);
}

static void
test_restart (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GAsyncResult) resumed = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GmcpTaskHandle) again = NULL;
  g_autofree char *kept = NULL;
  g_autoptr (GError) error = NULL;

  start (fixture, "{\"steps\":12,\"ask\":true}", NULL, &pending);
  while (fixture->n_asked == 0)
    g_main_context_iteration (NULL, TRUE);
  kept = gmcp_task_handle_dup_json (fixture->handle);
  gmcp_client_close_async (fixture->client, NULL, NULL, NULL);
  result = gmcp_client_call_tool_finish (fixture->client, wait_for (&pending), &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_clear_error (&error);
  g_clear_object (&pending);
  end_server (fixture);

  /* All that is left is the text. */
  fixture->n_asked = 0;
  start_server (fixture);
  again = gmcp_task_handle_new_from_json (kept, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_task_handle_get_server_name (again), ==, "digger");
  g_assert_cmpstr (gmcp_task_handle_get_tool_name (again), ==, "dig");
  gmcp_client_resume_task_async (fixture->client, again, NULL, NULL, store_result, &resumed);
  result = gmcp_client_resume_task_finish (fixture->client, wait_for (&resumed), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "dug 12 steps, 7 deep");
  g_assert_cmpuint (fixture->n_asked, <=, 1);
  g_clear_object (&resumed);
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GAsyncResult) resumed = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  start (fixture, "{\"steps\":1000}", cancellable, &pending);
  g_cancellable_cancel (cancellable);
  result = gmcp_client_call_tool_finish (fixture->client, wait_for (&pending), &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  gmcp_client_resume_task_async (fixture->client, fixture->handle, NULL, NULL, store_result,
                                 &resumed);
  result = gmcp_client_resume_task_finish (fixture->client, wait_for (&resumed), &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TASK_ENDED);
  g_clear_object (&pending);
  g_clear_object (&resumed);
}

#define ADD(PATH, FUNC) g_test_add ("/durable-tasks/" PATH, Fixture, NULL, set_up, FUNC, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("call", test_call);
  ADD ("restart", test_restart);
  ADD ("cancel", test_cancel);

  return g_test_run ();
}
