/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Calls that go on as tasks, at a server of another maker. */

#include <string.h>

#include "npm-fixture.h"

typedef struct
{
  WebServer *server; /* over HTTP */
  GmcpTransport *transport;
  GmcpClient *client;
  GmcpTaskHandle *handle;
  GString *seen; /* what the task's status was in turn */
  guint n_asked;
} Fixture;

/* The application knows the answers. */
static void
on_input (GmcpClient *client, GmcpInputRequest *request, Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  fixture->n_asked++;
  if (GMCP_IS_SAMPLING (request))
    gmcp_sampling_accept_text (GMCP_SAMPLING (request), "Made by a model", "test-model", NULL);
  else if (strstr (gmcp_elicitation_get_message (GMCP_ELICITATION (request)), "async") != NULL)
    gmcp_elicitation_accept_json (GMCP_ELICITATION (request),
                                  "{\"name\":\"Bob\",\"favoriteColor\":\"Red\"}", &error);
  else
    gmcp_elicitation_accept_json (GMCP_ELICITATION (request), "{\"interpretation\":\"snake\"}",
                                  &error);
  g_assert_no_error (error);
}

static void
open_server (Fixture *fixture, gconstpointer over_http)
{
  static const char *const streamable[] = { "streamableHttp", NULL };

  if (over_http != NULL)
    fixture->server = web_server_start (EVERYTHING, streamable);
  fixture->transport
    = over_http != NULL
        ? GMCP_TRANSPORT (gmcp_http_transport_new (web_server_get_uri (fixture->server)))
        : new_script_transport (EVERYTHING, "stdio");
  fixture->client = gmcp_client_new (fixture->transport);
  gmcp_client_set_name (fixture->client, "everything");
  fixture->seen = g_string_new (NULL);
  gmcp_client_set_allow_sampling (fixture->client, TRUE);
  g_signal_connect (fixture->client, "input-requested", G_CALLBACK (on_input), fixture);
  open_client (fixture->client);
}

static void
close_server (Fixture *fixture)
{
  g_clear_object (&fixture->handle);
  drop_client (fixture->client, fixture->transport);
  g_clear_pointer (&fixture->server, web_server_stop);
  g_string_free (fixture->seen, TRUE);
}

static void
on_status (GmcpTaskHandle *handle, GParamSpec *pspec, Fixture *fixture)
{
  g_autoptr (GEnumClass) words = g_type_class_ref (GMCP_TYPE_TASK_STATUS);
  GEnumValue *word = g_enum_get_value (words, (int) gmcp_task_handle_get_status (handle));

  g_string_append_printf (fixture->seen, "%s ", word->value_nick);
}

static void
on_created (GmcpCallOptions *options, GmcpTaskHandle *handle, Fixture *fixture)
{
  g_assert_null (fixture->handle);
  fixture->handle = g_object_ref (handle);
  on_status (handle, NULL, fixture);
  g_signal_connect (handle, "notify::status", G_CALLBACK (on_status), fixture);
}

static void
start_research (Fixture *fixture,
                const char *arguments,
                GCancellable *cancellable,
                GAsyncResult **result)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();

  g_signal_connect (options, "task-created", G_CALLBACK (on_created), fixture);
  gmcp_client_call_tool_json_async (fixture->client, "simulate-research-query", arguments, options,
                                    cancellable, store_result, result);
}

static void
wait_for_handle (Fixture *fixture, GAsyncResult **result)
{
  while (fixture->handle == NULL && *result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (fixture->handle);
}

static void
test_research (gconstpointer over_http)
{
  Fixture fixture = { NULL };
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  open_server (&fixture, over_http);
  start_research (&fixture, "{\"topic\":\"otters\"}", NULL, &pending);
  wait_for_handle (&fixture, &pending);
  g_assert_cmpstr (gmcp_task_handle_get_tool_name (fixture.handle), ==, "simulate-research-query");
  g_assert_cmpuint (gmcp_task_handle_get_poll_interval_ms (fixture.handle), ==, 1000);
  g_assert_cmpint (gmcp_task_handle_get_ttl_ms (fixture.handle), ==, 300000);
  g_assert_nonnull (gmcp_task_handle_get_created_at (fixture.handle));

  result = gmcp_client_call_tool_finish (fixture.client, wait_for (&pending), &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (gmcp_tool_result_get_text (result), "Research Report: otters"));
  g_assert_cmpstr (fixture.seen->str, ==, "working completed ");
  g_clear_object (&pending);
  close_server (&fixture);
}

static void
test_cancel (gconstpointer over_http)
{
  Fixture fixture = { NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GAsyncResult) listed = NULL;
  g_autoptr (GAsyncResult) resumed = NULL;
  g_autoptr (GPtrArray) tasks = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  open_server (&fixture, over_http);
  start_research (&fixture, "{\"topic\":\"eels\"}", cancellable, &pending);
  wait_for_handle (&fixture, &pending);
  gmcp_client_list_tasks_async (fixture.client, NULL, store_result, &listed);
  tasks = gmcp_client_list_tasks_finish (fixture.client, wait_for (&listed), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tasks->len, ==, 1);
  g_assert_cmpstr (gmcp_task_handle_get_task_id (tasks->pdata[0]), ==,
                   gmcp_task_handle_get_task_id (fixture.handle));
  g_clear_object (&listed);

  g_cancellable_cancel (cancellable);
  result = gmcp_client_call_tool_finish (fixture.client, wait_for (&pending), &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  /* The server has cancelled it, and says so. */
  gmcp_client_resume_task_async (fixture.client, fixture.handle, NULL, NULL, store_result,
                                 &resumed);
  result = gmcp_client_resume_task_finish (fixture.client, wait_for (&resumed), &error);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TASK_ENDED);
  g_assert_cmpint (gmcp_task_handle_get_status (fixture.handle), ==, GMCP_TASK_STATUS_CANCELLED);
  g_clear_object (&pending);
  g_clear_object (&resumed);
  close_server (&fixture);
}

/* Somebody else waits for the result than who called. */
static void
test_taken_up (gconstpointer over_http)
{
  Fixture fixture = { NULL };
  g_autofree char *kept = NULL;
  g_autoptr (GmcpTaskHandle) again = NULL;
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GAsyncResult) resumed = NULL;
  g_autoptr (GmcpToolResult) first = NULL;
  g_autoptr (GmcpToolResult) second = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  open_server (&fixture, over_http);
  start_research (&fixture, "{\"topic\":\"newts\"}", NULL, &pending);
  wait_for_handle (&fixture, &pending);
  kept = gmcp_task_handle_dup_json (fixture.handle);
  again = gmcp_task_handle_new_from_json (kept, &error);
  g_assert_no_error (error);
  gmcp_client_resume_task_async (fixture.client, again, NULL, NULL, store_result, &resumed);

  first = gmcp_client_call_tool_finish (fixture.client, wait_for (&pending), &error);
  g_assert_no_error (error);
  second = gmcp_client_resume_task_finish (fixture.client, wait_for (&resumed), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (first), ==, gmcp_tool_result_get_text (second));
  g_assert_true (gmcp_task_handle_is_finished (again));
  g_clear_object (&pending);
  g_clear_object (&resumed);
  close_server (&fixture);
}

/* The server asks in the middle of its task. */
static void
test_ambiguous (gconstpointer over_http)
{
  Fixture fixture = { NULL };
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  open_server (&fixture, over_http);
  start_research (&fixture, "{\"topic\":\"python\",\"ambiguous\":true}", NULL, &pending);
  wait_for_handle (&fixture, &pending);
  result = gmcp_client_call_tool_finish (fixture.client, wait_for (&pending), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture.n_asked, ==, 1);
  g_assert_nonnull (strstr (gmcp_tool_result_get_text (result), "python (snake)"));
  g_assert_nonnull (strstr (fixture.seen->str, "input-required "));
  g_assert_true (g_str_has_suffix (fixture.seen->str, "completed "));
  g_clear_object (&pending);
  close_server (&fixture);
}

/* The server asks, and wants this side to make a task of it. */
static void
call_asking (gconstpointer over_http, const char *tool, const char *arguments, const char *expected)
{
  Fixture fixture = { NULL };
  g_autoptr (GAsyncResult) pending = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (skip_without_npm ())
    return;

  open_server (&fixture, over_http);
  gmcp_client_call_tool_json_async (fixture.client, tool, arguments, NULL, NULL, store_result,
                                    &pending);
  result = gmcp_client_call_tool_finish (fixture.client, wait_for (&pending), &error);
  g_assert_no_error (error);
  text = gmcp_tool_result_dup_text (result);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "[COMPLETED]"));
  g_assert_nonnull (strstr (text, expected));
  g_assert_nonnull (strstr (text, "Task created: "));
  g_assert_cmpuint (fixture.n_asked, ==, 1);
  g_clear_object (&pending);
  close_server (&fixture);
}

static void
test_elicitation_as_task (gconstpointer over_http)
{
  call_asking (over_http, "trigger-elicitation-request-async", "{}", "Favorite Color: Red");
}

static void
test_sampling_as_task (gconstpointer over_http)
{
  call_asking (over_http, "trigger-sampling-request-async", "{\"prompt\":\"Hi\"}",
               "Made by a model");
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *name;
    GTestDataFunc function;
  } tests[] = {
    { "research", test_research },
    { "cancel", test_cancel },
    { "taken-up", test_taken_up },
    { "ambiguous", test_ambiguous },
    { "elicitation-as-task", test_elicitation_as_task },
    { "sampling-as-task", test_sampling_as_task },
  };

  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *stdio = g_strconcat ("/npm/client-tasks/stdio/", tests[i].name, NULL);
      g_autofree char *http = g_strconcat ("/npm/client-tasks/http/", tests[i].name, NULL);

      g_test_add_data_func (stdio, NULL, tests[i].function);
      g_test_add_data_func (http, "over HTTP", tests[i].function);
    }

  return g_test_run ();
}
