/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tasks that outlive the processes at both ends. */

#include <gmcp/gmcp.h>

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  char *folder;
  char *file; /* of the server's tasks */
  GmcpClient *client;
  GmcpTaskHandle *handle;
  guint n_asked;
} Fixture;

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

static void
on_input (GmcpClient *client, GmcpInputRequest *request, Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  fixture->n_asked++;
  gmcp_elicitation_accept_json (GMCP_ELICITATION (request), "{\"depth\":7}", &error);
  g_assert_no_error (error);
}

static void
open_client (Fixture *fixture)
{
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "servers", "task-server.py", NULL);
  const char *argv[] = { "python3", "-S", script, fixture->file, NULL };
  g_autoptr (GmcpStdioTransport) transport = gmcp_stdio_transport_new (argv);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fixture->client = gmcp_client_new (GMCP_TRANSPORT (transport));
  gmcp_client_set_name (fixture->client, "digger");
  g_signal_connect (fixture->client, "input-requested", G_CALLBACK (on_input), fixture);
  gmcp_client_open_async (fixture->client, NULL, store_result, &result);
  gmcp_client_open_finish (fixture->client, wait_for (&result), &error);
  g_assert_no_error (error);
}

static void
close_client (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_client_close_async (fixture->client, NULL, store_result, &result);
  gmcp_client_close_finish (fixture->client, wait_for (&result), &error);
  g_assert_no_error (error);
  g_clear_object (&result);
  g_assert_finalize_object (g_steal_pointer (&fixture->client));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("gmcp-test-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->file = g_build_filename (fixture->folder, "tasks.json", NULL);
  open_client (fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close_client (fixture);
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
  close_client (fixture);

  /* All that is left is the text. */
  fixture->n_asked = 0;
  open_client (fixture);
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
