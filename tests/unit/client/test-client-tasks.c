/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "scripted-server.h"

#include <gmcp/client/gmcp-subscription.h>
#include <gmcp/transport/gmcp-memory-transport.h>

#include "gmcp-client-private.h"
#include "gmcp-session-engine-private.h"
#include "unit-test.h"

/* What the server answers to each question about the task in turn: the members of a result, or an
 * error's code. The last is repeated. */
typedef struct
{
  const char *state;
  int code;
} Answer;

#define MAX_ANSWERS 6

typedef struct
{
  const char *name;
  const char *seed; /* of the task; NULL for the usual one */
  Answer answers[MAX_ANSWERS];
  const char *result; /* legacy: what tasks/result gives */
  int result_code;    /* the same, an error */
  const char *text;   /* what the caller gets */
  GQuark (*domain) (void);
  int code;
} TaskCase;

typedef struct
{
  GmcpTransport *client_end;
  GmcpTransport *server_end;
  GmcpClient *client;
  ScriptedServer *server;
  const TaskCase *task;
  guint n_answered;
  char *held_id; /* of a tasks/result that is not answered */
  GmcpTaskHandle *handle;
} Fixture;

typedef struct
{
  GAsyncResult *result;
} Waiter;

#define SEED_MEMBERS "\"taskId\":\"t-1\",\"createdAt\":\"2026-07-28T10:00:00Z\","
#define MODERN_SEED                                                                                \
  SEED_MEMBERS "\"status\":\"working\",\"ttlMs\":60000,\"pollIntervalMs\":20,"                     \
               "\"statusMessage\":\"begun\""
#define SLOW_SEED     SEED_MEMBERS "\"status\":\"working\",\"ttlMs\":null,\"pollIntervalMs\":500000"
#define LEGACY_SEED   SEED_MEMBERS "\"status\":\"working\",\"ttl\":60000,\"pollInterval\":20"
#define WORKING       SEED_MEMBERS "\"status\":\"working\",\"ttlMs\":null,\"pollIntervalMs\":20"
#define COMPLETED     SEED_MEMBERS "\"status\":\"completed\",\"ttlMs\":null"
#define RESULT(TEXT)  "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"" TEXT "\"}]}"
#define CONTENT(TEXT) "\"content\":[{\"type\":\"text\",\"text\":\"" TEXT "\"}]"

static void
on_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Waiter *waiter = user_data;

  g_assert_null (waiter->result);
  waiter->result = g_object_ref (result);
}

static void
wait_for (Waiter *waiter)
{
  while (waiter->result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_for_sent (Fixture *fixture, const char *method, guint n)
{
  while (scripted_server_count (fixture->server, method) < n)
    g_main_context_iteration (NULL, TRUE);
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
send_result (ScriptedServer *server, const char *members)
{
  g_autofree char *text
    = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{%s}}", members);

  scripted_server_send (server, text);
}

static void
send_error (ScriptedServer *server, int code)
{
  g_autofree char *text = g_strdup_printf (
    "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":%d,\"message\":\"No\"}}", code);

  scripted_server_send (server, text);
}

static void
answer_get (Fixture *fixture)
{
  const Answer *answers = fixture->task->answers;
  const Answer *answer;

  for (guint i = 0; i < fixture->n_answered; i++)
    if (answers[1].state != NULL || answers[1].code != 0)
      answers++;
  fixture->n_answered++;
  answer = answers;
  if (answer->code != 0)
    send_error (fixture->server, answer->code);
  else
    send_result (fixture->server, answer->state);
}

static void
answer_modern (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  Fixture *fixture = server->data;

  if (g_str_equal (method, "tools/call"))
    {
      g_autofree char *members
        = g_strdup_printf ("\"resultType\":\"task\",%s",
                           fixture->task->seed != NULL ? fixture->task->seed : MODERN_SEED);

      send_result (server, members);
    }
  else if (g_str_equal (method, "tasks/get"))
    answer_get (fixture);
  else if (g_str_equal (method, "tasks/cancel"))
    send_result (server, "\"resultType\":\"complete\"");
  else
    scripted_server_modern (server, method, message);
}

static void
hold_result (Fixture *fixture)
{
  g_assert_null (fixture->held_id);
  fixture->held_id = g_strdup (fixture->server->last_id);
}

static void
answer_legacy (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  Fixture *fixture = server->data;

  if (g_str_equal (method, "initialize"))
    send_result (server, "\"protocolVersion\":\"2025-11-25\",\"serverInfo\":{\"name\":\"l\","
                         "\"version\":\"2\"},\"capabilities\":{\"tools\":{},\"tasks\":{\"list\":{},"
                         "\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}}");
  else if (g_str_equal (method, "tools/list"))
    send_result (server, "\"tools\":[{\"name\":\"plain\",\"inputSchema\":{\"type\":\"object\"}},"
                         "{\"name\":\"no\",\"inputSchema\":{\"type\":\"object\"},"
                         "\"execution\":{\"taskSupport\":\"forbidden\"}},"
                         "{\"name\":\"may\",\"inputSchema\":{\"type\":\"object\"},"
                         "\"execution\":{\"taskSupport\":\"optional\"}},"
                         "{\"name\":\"must\",\"inputSchema\":{\"type\":\"object\"},"
                         "\"execution\":{\"taskSupport\":\"required\"}}]");
  else if (g_str_equal (method, "tools/call"))
    {
      g_autofree char *members = g_strdup_printf (
        "\"task\":{%s}", fixture->task->seed != NULL ? fixture->task->seed : LEGACY_SEED);

      if (gmcp_json_value_is_present (gmcp_json_value_get_member (message->params, "task")))
        send_result (server, members);
      else
        send_result (server, CONTENT ("at once"));
    }
  else if (g_str_equal (method, "tasks/get"))
    answer_get (fixture);
  else if (g_str_equal (method, "tasks/cancel"))
    send_result (server, SEED_MEMBERS "\"status\":\"cancelled\",\"ttl\":1");
  else if (g_str_equal (method, "tasks/result"))
    {
      if (fixture->task->result_code != 0)
        send_error (server, fixture->task->result_code);
      else if (fixture->task->result != NULL)
        send_result (server, fixture->task->result);
      else
        hold_result (fixture);
    }
  else
    scripted_server_legacy (server, method, message);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };
  g_autoptr (GError) error = NULL;

  gmcp_memory_transport_new_pair (&fixture->client_end, &fixture->server_end);
  fixture->client = gmcp_client_new (fixture->client_end);
  gmcp_client_set_name (fixture->client, "srv");
  fixture->server = scripted_server_new (fixture->server_end, (ScriptedServerFunc) data);
  fixture->server->data = fixture;
  gmcp_client_open_async (fixture->client, NULL, on_result, &waiter);
  wait_for (&waiter);
  gmcp_client_open_finish (fixture->client, waiter.result, &error);
  g_assert_no_error (error);
  g_object_unref (waiter.result);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  settle ();
  g_clear_object (&fixture->handle);
  g_assert_finalize_object (fixture->client);
  scripted_server_free (fixture->server);
  g_object_unref (fixture->client_end);
  g_object_unref (fixture->server_end);
  g_free (fixture->held_id);
  settle ();
}

static GmcpToolResult *
finish (Fixture *fixture, Waiter *waiter, GError **error)
{
  GmcpToolResult *result;

  wait_for (waiter);
  if (g_async_result_is_tagged (waiter->result, gmcp_client_resume_task_async))
    result = gmcp_client_resume_task_finish (fixture->client, waiter->result, error);
  else
    result = gmcp_client_call_tool_finish (fixture->client, waiter->result, error);
  g_clear_object (&waiter->result);
  return result;
}

static void
start (Fixture *fixture,
       const TaskCase *task,
       const char *tool,
       GmcpCallOptions *options,
       GCancellable *cancellable,
       Waiter *waiter)
{
  fixture->task = task;
  fixture->n_answered = 0;
  gmcp_client_call_tool_json_async (fixture->client, tool, "{}", options, cancellable, on_result,
                                    waiter);
}

static void
run_case (Fixture *fixture, const TaskCase *task, const char *tool)
{
  Waiter waiter = { NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;

  g_test_message ("%s", task->name);
  start (fixture, task, tool, NULL, NULL, &waiter);
  result = finish (fixture, &waiter, &error);
  if (task->text != NULL)
    {
      g_assert_no_error (error);
      g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, task->text);
      return;
    }
  g_assert_null (result);
  g_assert_error (error, task->domain (), task->code);
  g_assert_nonnull (strstr (error->message, "srv"));
}

static const TaskCase modern_cases[] = {
  { "completed",
    NULL,
    { { WORKING, 0 },
      { WORKING, 0 },
      { "\"resultType\":\"complete\"," COMPLETED "," RESULT ("done"), 0 } },
    .text = "done" },
  { "called-a-task-again",
    NULL,
    { { "\"resultType\":\"task\"," WORKING, 0 },
      { "\"resultType\":\"task\"," COMPLETED "," RESULT ("done"), 0 } },
    .text = "done" },
  { "no-interval",
    SEED_MEMBERS "\"status\":\"working\"",
    { { COMPLETED "," RESULT ("x"), 0 } },
    .text = "x" },
  { "seed-completed", COMPLETED, { { COMPLETED "," RESULT ("early"), 0 } }, .text = "early" },
  { "failed",
    NULL,
    { { SEED_MEMBERS "\"status\":\"failed\",\"error\":{\"code\":-32050,\"message\":\"E\"}", 0 } },
    .domain = gmcp_rpc_error_quark,
    .code = -32050 },
  { "cancelled",
    NULL,
    { { SEED_MEMBERS "\"status\":\"cancelled\",\"statusMessage\":\"no more\"", 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_TASK_ENDED },
  { "gone",
    NULL,
    { { WORKING, 0 }, { NULL, -32602 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_TASK_ENDED },
  { "no-such-method", NULL, { { NULL, -32601 } }, .domain = gmcp_rpc_error_quark, .code = -32601 },
  { "trouble-that-passes",
    NULL,
    { { NULL, -32603 },
      { NULL, -32000 },
      { WORKING, 0 },
      { NULL, -32603 },
      { COMPLETED "," RESULT ("still"), 0 } },
    .text = "still" },
  { "trouble-that-stays",
    NULL,
    { { NULL, -32603 } },
    .domain = gmcp_rpc_error_quark,
    .code = -32603 },
  { "completed-without-result",
    NULL,
    { { COMPLETED, 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_PROTOCOL },
  { "completed-with-no-final-result",
    NULL,
    { { COMPLETED ",\"result\":{\"resultType\":\"input_required\"}", 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_PROTOCOL },
  { "completed-with-no-tool-result",
    NULL,
    { { COMPLETED ",\"result\":{\"content\":7}", 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_PROTOCOL },
  { "failed-without-error",
    NULL,
    { { SEED_MEMBERS "\"status\":\"failed\"", 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_PROTOCOL },
  { "unknown-status",
    NULL,
    { { SEED_MEMBERS "\"status\":\"dancing\"", 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_PROTOCOL },
  { "another-id",
    NULL,
    { { WORKING, 0 }, { "\"taskId\":\"t-2\",\"status\":\"completed\"," RESULT ("not yours"), 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_PROTOCOL },
  { "no-id",
    NULL,
    { { "\"status\":\"working\"", 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_PROTOCOL },
  { "left-the-end",
    COMPLETED,
    { { WORKING, 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_PROTOCOL },
  { "seed-without-id",
    "\"status\":\"working\"",
    { { WORKING, 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_PROTOCOL },
  { "seed-without-status",
    "\"taskId\":\"t-1\"",
    { { WORKING, 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_PROTOCOL },
};

static void
test_modern (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (modern_cases); i++)
    run_case (fixture, &modern_cases[i], "echo");

  /* What the server did is its own affair: none of these was cancelled. */
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/cancel"), ==, 0);
  g_assert_nonnull (strstr (scripted_server_find (fixture->server, "tools/call"),
                            "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}"));
  g_assert_nonnull (
    strstr (scripted_server_find (fixture->server, "tasks/get"), "\"taskId\":\"t-1\""));
}

static const TaskCase done
  = { "done", NULL, { { WORKING, 0 }, { COMPLETED "," RESULT ("done"), 0 } } };
static const TaskCase endless = { "endless", NULL, { { WORKING, 0 } } };
static const TaskCase slow = { "slow", SLOW_SEED, { { WORKING, 0 } } };

static void
on_created (GmcpCallOptions *options, GmcpTaskHandle *handle, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_null (fixture->handle);
  fixture->handle = g_object_ref (handle);
}

static void
on_notify_status (GmcpTaskHandle *handle, GParamSpec *pspec, guint *n)
{
  (*n)++;
}

static void
test_created (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  guint n_changes = 0;

  g_signal_connect (options, "task-created", G_CALLBACK (on_created), fixture);
  start (fixture, &done, "echo", options, NULL, &waiter);
  while (fixture->handle == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (waiter.result);
  g_assert_cmpstr (gmcp_task_handle_get_task_id (fixture->handle), ==, "t-1");
  g_assert_cmpstr (gmcp_task_handle_get_tool_name (fixture->handle), ==, "echo");
  g_assert_cmpstr (gmcp_task_handle_get_server_name (fixture->handle), ==, "srv");
  g_assert_cmpstr (gmcp_task_handle_get_status_message (fixture->handle), ==, "begun");
  g_signal_connect (fixture->handle, "notify::status", G_CALLBACK (on_notify_status), &n_changes);

  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "done");
  g_assert_cmpuint (n_changes, ==, 1);
  g_assert_true (gmcp_task_handle_is_finished (fixture->handle));
}

/* Nothing but a tool's call may become a task. */
static void
answer_list_with_task (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "tools/list"))
    send_result (server, "\"resultType\":\"task\"," MODERN_SEED);
  else
    scripted_server_modern (server, method, message);
}

static void
test_not_a_call (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  gmcp_client_list_tools_async (fixture->client, NULL, on_result, &waiter);
  wait_for (&waiter);
  tools = gmcp_client_list_tools_finish (fixture->client, waiter.result, &error);
  g_clear_object (&waiter.result);
  g_assert_null (tools);
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  start (fixture, &slow, data == answer_legacy ? "must" : "echo", NULL, cancellable, &waiter);
  wait_for_sent (fixture, "tools/call", 1);
  settle ();
  g_cancellable_cancel (cancellable);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  wait_for_sent (fixture, "tasks/cancel", 1);
  g_assert_nonnull (
    strstr (scripted_server_find (fixture->server, "tasks/cancel"), "\"taskId\":\"t-1\""));
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "notifications/cancelled"), ==, 0);
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/get"), ==, 0);
}

static void
test_never_ends (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  gmcp_call_options_set_max_timeout_ms (options, 150);
  start (fixture, &endless, data == answer_legacy ? "must" : "echo", options, NULL, &waiter);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "150"));
  wait_for_sent (fixture, "tasks/cancel", 1);

  /* The client's own limit, which is not that of other calls. */
  g_clear_error (&error);
  gmcp_client_set_max_call_timeout_ms (fixture->client, 1);
  gmcp_client_set_call_timeout_ms (fixture->client, 5000);
  gmcp_client_set_max_task_timeout_ms (fixture->client, 120);
  start (fixture, &endless, data == answer_legacy ? "must" : "echo", NULL, NULL, &waiter);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "120"));
  wait_for_sent (fixture, "tasks/cancel", 2);
}

/* A task outlives the connection, so closing does not cancel it. */
static void
test_close (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  Waiter closed = { NULL };
  Waiter opened = { NULL };

  start (fixture, &endless, "echo", NULL, NULL, &waiter);
  wait_for_sent (fixture, "tasks/get", 2);
  gmcp_client_close_async (fixture->client, NULL, on_result, &closed);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  wait_for (&closed);
  g_object_unref (closed.result);
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/cancel"), ==, 0);

  g_clear_error (&error);
  gmcp_client_open_async (fixture->client, NULL, on_result, &opened);
  wait_for (&opened);
  g_object_unref (opened.result);
}

static void
test_server_gone (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  start (fixture, &endless, "echo", NULL, NULL, &waiter);
  wait_for_sent (fixture, "tasks/get", 2);
  gmcp_transport_close_async (fixture->server_end, NULL, NULL, NULL);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
}

static void
test_notified (Fixture *fixture, gconstpointer data)
{
  static const char *const ignored[] = {
    "{}",
    "{\"taskId\":7}",
    "{\"taskId\":\"other\",\"status\":\"completed\"}",
    "[]",
  };
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  g_signal_connect (options, "task-created", G_CALLBACK (on_created), fixture);
  start (fixture, &slow, "echo", options, NULL, &waiter);
  while (fixture->handle == NULL)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (ignored); i++)
    {
      g_autofree char *text = g_strdup_printf (
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks\",\"params\":%s}", ignored[i]);

      scripted_server_send (fixture->server, text);
    }
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks\",\"params\":{"
                        "\"taskId\":\"t-1\",\"status\":\"working\",\"statusMessage\":\"half\","
                        "\"pollIntervalMs\":500000}}");
  while (g_strcmp0 (gmcp_task_handle_get_status_message (fixture->handle), "half") != 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (waiter.result);

  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks\",\"params\":{"
                        "\"taskId\":\"t-1\",\"status\":\"completed\"," RESULT ("told") "}}");
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks\",\"params\":{"
                        "\"taskId\":\"t-1\",\"status\":\"failed\"}}");
  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "told");
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/get"), ==, 0);
}

static void
on_notification (GmcpSubscription *subscription,
                 const char *method,
                 JsonNode *params,
                 const char *params_json,
                 guint *n)
{
  g_assert_cmpstr (method, ==, "notifications/tasks");
  (*n)++;
}

/* What comes by a subscription is for whoever made that, and for the call. */
static void
test_subscribed (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "t-1", NULL };
  g_autoptr (GmcpSubscription) subscription
    = gmcp_subscription_new (fixture->client, GMCP_SUBSCRIPTION_NONE, NULL, ids);
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  g_autofree char *listen_id = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  guint n_notifications = 0;

  g_signal_connect (subscription, "notification", G_CALLBACK (on_notification), &n_notifications);
  gmcp_subscription_open_async (subscription, NULL, on_result, &waiter);
  wait_for (&waiter);
  g_assert_true (gmcp_subscription_open_finish (subscription, waiter.result, &error));
  g_assert_no_error (error);
  g_clear_object (&waiter.result);
  listen_id = g_strdup (fixture->server->last_id);
  g_assert_nonnull (strstr (scripted_server_find (fixture->server, "subscriptions/listen"),
                            "\"taskIds\":[\"t-1\"]"));

  g_signal_connect (options, "task-created", G_CALLBACK (on_created), fixture);
  start (fixture, &slow, "echo", options, NULL, &waiter);
  while (fixture->handle == NULL)
    g_main_context_iteration (NULL, TRUE);
  text = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks\",\"params\":{"
                          "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s},"
                          "\"taskId\":\"t-1\",\"status\":\"completed\"," RESULT ("told") "}}",
                          listen_id);
  scripted_server_send (fixture->server, text);
  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "told");
  settle ();
  g_assert_cmpuint (n_notifications, ==, 1);
  gmcp_subscription_close (subscription);
}

/* The application does the worst in the middle of things. */
typedef struct
{
  Fixture *fixture;
  GCancellable *cancellable;
  gboolean close;
} Worst;

static void
do_worst (GObject *object, gpointer unused, Worst *worst)
{
  if (worst->close)
    gmcp_client_close_async (worst->fixture->client, NULL, NULL, NULL);
  else
    g_cancellable_cancel (worst->cancellable);
  settle ();
}

static void
on_created_do_worst (GmcpCallOptions *options, GmcpTaskHandle *handle, Worst *worst)
{
  do_worst (G_OBJECT (handle), NULL, worst);
}

static void
on_created_wait (GmcpCallOptions *options, GmcpTaskHandle *handle, Worst *worst)
{
  g_signal_connect (handle, "notify::status", G_CALLBACK (do_worst), worst);
}

static void
test_reentrant (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    GCallback callback;
    gboolean close;
  } cases[] = {
    { G_CALLBACK (on_created_do_worst), FALSE },
    { G_CALLBACK (on_created_wait), FALSE },
    { G_CALLBACK (on_created_wait), TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      Worst worst = { fixture, cancellable, cases[i].close };
      Waiter waiter = { NULL };

      g_signal_connect (options, "task-created", cases[i].callback, &worst);
      start (fixture, &done, "echo", options, cancellable, &waiter);
      g_assert_null (finish (fixture, &waiter, &error));
      if (cases[i].close)
        g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
      else
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

static void
test_resume (Fixture *fixture, gconstpointer data)
{
  static const char kept[] = "{\"taskId\":\"t-1\",\"tool\":\"dig\",\"status\":\"working\"}";
  g_autoptr (GmcpTaskHandle) handle = NULL;
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  Waiter second = { NULL };

  fixture->task = &done;
  handle = gmcp_task_handle_new_from_json (kept, &error);
  g_assert_no_error (error);
  gmcp_client_resume_task_async (fixture->client, handle, NULL, NULL, on_result, &waiter);
  gmcp_client_resume_task_async (fixture->client, handle, NULL, NULL, on_result, &second);
  g_assert_null (finish (fixture, &second, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PENDING);
  g_clear_error (&error);

  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "done");
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/call"), ==, 0);
  g_assert_cmpstr (gmcp_task_handle_get_server_name (handle), ==, "srv");
  g_assert_true (gmcp_task_handle_is_finished (handle));

  /* Once more: what is finished can still be read, as long as the server has it. */
  g_clear_pointer (&result, gmcp_tool_result_unref);
  gmcp_client_resume_task_async (fixture->client, handle, NULL, NULL, on_result, &waiter);
  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "done");
}

static void
test_resume_bad (Fixture *fixture, gconstpointer data)
{
  static const TaskCase gone = { "gone", NULL, { { NULL, -32602 } } };
  g_autoptr (GmcpTaskHandle) handle
    = gmcp_task_handle_new_from_json ("{\"taskId\":\"t-1\",\"status\":\"working\"}", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  fixture->task = &gone;
  gmcp_client_resume_task_async (fixture->client, handle, NULL, NULL, on_result, &waiter);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TASK_ENDED);
  g_clear_error (&error);

  fixture->task = &endless;
  gmcp_call_options_set_max_timeout_ms (options, 80);
  gmcp_client_resume_task_async (fixture->client, handle, options, NULL, on_result, &waiter);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_clear_error (&error);
  wait_for_sent (fixture, "tasks/cancel", 1);

  gmcp_client_resume_task_async (fixture->client, handle, NULL, cancellable, on_result, &waiter);
  g_cancellable_cancel (cancellable);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  wait_for_sent (fixture, "tasks/cancel", 2);

  gmcp_client_close_async (fixture->client, NULL, on_result, &waiter);
  wait_for (&waiter);
  g_clear_object (&waiter.result);
  gmcp_client_resume_task_async (fixture->client, handle, NULL, NULL, on_result, &waiter);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
}

static gboolean
finish_cancel (Fixture *fixture, Waiter *waiter, GError **error)
{
  gboolean taken;

  wait_for (waiter);
  taken = gmcp_client_cancel_task_finish (fixture->client, waiter->result, error);
  g_clear_object (&waiter->result);
  return taken;
}

static void
test_cancel_task (Fixture *fixture, gconstpointer data)
{
  static const TaskCase obeys
    = { "obeys", SLOW_SEED, { { SEED_MEMBERS "\"status\":\"cancelled\"", 0 } } };
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  Waiter cancelled = { NULL };

  g_signal_connect (options, "task-created", G_CALLBACK (on_created), fixture);
  start (fixture, &obeys, "echo", options, NULL, &waiter);
  while (fixture->handle == NULL)
    g_main_context_iteration (NULL, TRUE);
  gmcp_client_cancel_task_async (fixture->client, fixture->handle, NULL, on_result, &cancelled);
  g_assert_true (finish_cancel (fixture, &cancelled, &error));
  g_assert_no_error (error);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TASK_ENDED);
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/cancel"), ==, 1);
}

static const TaskCase legacy_cases[] = {
  { "completed",
    NULL,
    { { WORKING, 0 }, { WORKING, 0 }, { COMPLETED, 0 } },
    .result = CONTENT ("fetched"),
    .text = "fetched" },
  { "seed-completed",
    COMPLETED,
    { { COMPLETED, 0 } },
    .result = CONTENT ("early"),
    .text = "early" },
  { "failed-with-result",
    NULL,
    { { SEED_MEMBERS "\"status\":\"failed\"", 0 } },
    .result = CONTENT ("it failed") ",\"isError\":true",
    .text = "it failed" },
  { "failed",
    NULL,
    { { SEED_MEMBERS "\"status\":\"failed\"", 0 } },
    .result_code = -32050,
    .domain = gmcp_rpc_error_quark,
    .code = -32050 },
  { "cancelled",
    NULL,
    { { SEED_MEMBERS "\"status\":\"cancelled\"", 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_TASK_ENDED },
  { "gone", NULL, { { NULL, -32602 } }, .domain = gmcp_error_quark, .code = GMCP_ERROR_TASK_ENDED },
  { "result-gone",
    NULL,
    { { COMPLETED, 0 } },
    .result_code = -32602,
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_TASK_ENDED },
  { "result-in-trouble",
    NULL,
    { { COMPLETED ",\"pollInterval\":20", 0 } },
    .result_code = -32603,
    .domain = gmcp_rpc_error_quark,
    .code = -32603 },
  { "no-tool-result",
    NULL,
    { { COMPLETED, 0 } },
    .result = "\"content\":7",
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_PROTOCOL },
  { "input-needed",
    NULL,
    { { SEED_MEMBERS "\"status\":\"input_required\"", 0 } },
    .result = CONTENT ("with input"),
    .text = "with input" },
  { "seed-without-status",
    "\"taskId\":\"t-1\"",
    { { WORKING, 0 } },
    .domain = gmcp_error_quark,
    .code = GMCP_ERROR_PROTOCOL },
};

static void
test_legacy (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (legacy_cases); i++)
    run_case (fixture, &legacy_cases[i], "must");
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/cancel"), ==, 0);
  /* The list was read before the first call, since it says how to call. */
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/list"), ==, 1);
}

static void
test_support (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *tool;
    gboolean as_task;
    guint ttl_ms;
    const char *expected; /* NULL for no task */
  } cases[] = {
    { "plain", FALSE, 0, NULL },
    { "plain", TRUE, 5, NULL },
    { "no", TRUE, 0, NULL },
    { "may", FALSE, 5, NULL },
    { "may", TRUE, 0, "\"task\":{}" },
    { "may", TRUE, 7000, "\"task\":{\"ttl\":7000}" },
    { "must", FALSE, 0, "\"task\":{}" },
    { "must", TRUE, 9, "\"task\":{\"ttl\":9}" },
    { "unlisted", TRUE, 0, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
      g_autoptr (GmcpToolResult) result = NULL;
      g_autoptr (GError) error = NULL;
      Waiter waiter = { NULL };
      const char *sent;

      gmcp_call_options_set_as_task (options, cases[i].as_task);
      gmcp_call_options_set_task_ttl_ms (options, cases[i].ttl_ms);
      start (fixture, &legacy_cases[0], cases[i].tool, options, NULL, &waiter);
      result = finish (fixture, &waiter, &error);
      g_assert_no_error (error);
      sent = scripted_server_find (fixture->server, "tools/call");
      if (cases[i].expected != NULL)
        g_assert_nonnull (strstr (sent, cases[i].expected));
      else
        g_assert_null (strstr (sent, "\"task\""));
      g_assert_cmpstr (gmcp_tool_result_get_text (result), ==,
                       cases[i].expected != NULL ? "fetched" : "at once");
    }
}

typedef struct
{
  GmcpToolResult *result;
  GError *error;
  gboolean called;
} Direct;

static void
on_direct (GmcpToolResult *result, GError *error, gpointer data)
{
  Direct *direct = data;

  g_assert_false (direct->called);
  direct->called = TRUE;
  direct->result = result;
  direct->error = error;
}

static void
test_direct (Fixture *fixture, gconstpointer data)
{
  Direct direct = { NULL, NULL, FALSE };
  g_autoptr (GListModel) tools = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Waiter waiter = { NULL };

  gmcp_client_list_tools_async (fixture->client, NULL, on_result, &waiter);
  wait_for (&waiter);
  tools = gmcp_client_list_tools_finish (fixture->client, waiter.result, NULL);
  g_object_unref (waiter.result);

  fixture->task = &legacy_cases[0];
  gmcp_client_call_tool_direct (fixture->client, "must", NULL, NULL, cancellable, on_direct,
                                &direct);
  while (!direct.called)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (direct.error);
  g_assert_cmpstr (gmcp_tool_result_get_text (direct.result), ==, "fetched");
  gmcp_tool_result_unref (direct.result);

  direct = (Direct){ NULL, NULL, FALSE };
  fixture->task = &endless;
  gmcp_client_call_tool_direct (fixture->client, "must", NULL, NULL, cancellable, on_direct,
                                &direct);
  wait_for_sent (fixture, "tasks/get", 5);
  g_cancellable_cancel (cancellable);
  while (!direct.called)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (direct.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&direct.error);
  wait_for_sent (fixture, "tasks/cancel", 1);
}

static void
on_progress (GmcpCallOptions *options, double progress, double total, const char *message, guint *n)
{
  g_assert_cmpfloat (progress, ==, 3);
  (*n)++;
}

/* The call's progress token lives as long as the task. */
static void
test_progress (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  guint n_reports = 0;
  const char *token;

  g_signal_connect (options, "progress", G_CALLBACK (on_progress), &n_reports);
  start (fixture, &endless, "must", options, cancellable, &waiter);
  wait_for_sent (fixture, "tasks/get", 1);
  token = strstr (scripted_server_find (fixture->server, "tools/call"), "\"progressToken\":");
  g_assert_nonnull (token);
  text = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{"
                          "\"progressToken\":%" G_GINT64_FORMAT ",\"progress\":3}}",
                          g_ascii_strtoll (token + strlen ("\"progressToken\":"), NULL, 10));
  scripted_server_send (fixture->server, text);
  while (n_reports == 0)
    g_main_context_iteration (NULL, TRUE);

  g_cancellable_cancel (cancellable);
  g_assert_null (finish (fixture, &waiter, &error));
  scripted_server_send (fixture->server, text);
  settle ();
  g_assert_cmpuint (n_reports, ==, 1);
}

/* While the server waits for input, the request for the result is what it asks through; its status
 * is told meanwhile, and its answer may come after the task has ended. */
static void
test_blocking_result (Fixture *fixture, gconstpointer data)
{
  static const TaskCase asks = { "asks",
                                 NULL,
                                 { { SEED_MEMBERS "\"status\":\"input_required\","
                                                  "\"pollInterval\":20",
                                     0 },
                                   { WORKING, 0 },
                                   { WORKING, 0 },
                                   { COMPLETED, 0 } } };
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  start (fixture, &asks, "must", NULL, NULL, &waiter);
  wait_for_sent (fixture, "tasks/get", 4);
  settle ();
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/result"), ==, 1);
  g_assert_null (waiter.result);
  g_free (fixture->server->last_id);
  fixture->server->last_id = g_steal_pointer (&fixture->held_id);
  send_result (fixture->server, CONTENT ("at last"));
  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "at last");
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/get"), ==, 4);
}

/* The caller gives up while the server has been asked for the result. */
static void
test_blocking_cancelled (Fixture *fixture, gconstpointer data)
{
  static const TaskCase asks
    = { "asks", NULL, { { SEED_MEMBERS "\"status\":\"input_required\",\"pollInterval\":20", 0 } } };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  start (fixture, &asks, "must", NULL, cancellable, &waiter);
  wait_for_sent (fixture, "tasks/result", 1);
  g_cancellable_cancel (cancellable);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wait_for_sent (fixture, "tasks/cancel", 1);
  wait_for_sent (fixture, "notifications/cancelled", 1);
}

static void
on_input_keep (GmcpClient *client, GmcpInputRequest *request, GmcpInputRequest **kept)
{
  *kept = g_object_ref (request);
}

static void
ask (Fixture *fixture, GmcpInputRequest **asked)
{
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\","
                        "\"params\":{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\","
                        "\"properties\":{\"name\":{\"type\":\"string\"}}}}}");
  while (*asked == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
run_for (guint ms)
{
  gint64 until = g_get_monotonic_time () + ms * (gint64) 1000;

  while (g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, FALSE);
}

static void
test_question_overlap (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpInputRequest) first = NULL;
  g_autoptr (GmcpInputRequest) second = NULL;
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  g_test_summary ("a task that begins while a question is open is not timed until all are closed");
  g_signal_connect (fixture->client, "input-requested", G_CALLBACK (on_input_keep), &first);
  ask (fixture, &first);
  g_signal_handlers_disconnect_by_data (fixture->client, &first);
  g_signal_connect (fixture->client, "input-requested", G_CALLBACK (on_input_keep), &second);
  gmcp_call_options_set_max_timeout_ms (options, 200);
  start (fixture, &endless, "must", options, NULL, &waiter);
  wait_for_sent (fixture, "tasks/get", 1);
  ask (fixture, &second);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (first));
  run_for (400);
  g_assert_null (waiter.result);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (second));
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_signal_handlers_disconnect_by_data (fixture->client, &second);
}

/* A connection for the result does not last as long as people think. */
static void
test_cut_result (Fixture *fixture, gconstpointer data)
{
  static const TaskCase asks
    = { "asks", NULL, { { SEED_MEMBERS "\"status\":\"input_required\",\"pollInterval\":20", 0 } } };
  static const TaskCase over
    = { "over", NULL, { { SEED_MEMBERS "\"status\":\"completed\",\"pollInterval\":20", 0 } } };
  g_autoptr (GError) cut = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED, "Cut");
  const GmcpTransportFailure failure = { .error = cut, .retry_after_ms = -1 };
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  start (fixture, &asks, "must", NULL, NULL, &waiter);
  for (guint i = 1; i <= 10; i++)
    {
      wait_for_sent (fixture, "tasks/result", i);
      g_assert_null (waiter.result);
      gmcp_session_request_failed (gmcp_client_get_session (fixture->client),
                                   g_ascii_strtoll (fixture->held_id, NULL, 10), &failure);
      g_clear_pointer (&fixture->held_id, g_free);
    }
  fixture->task = &over;
  wait_for_sent (fixture, "tasks/result", 11);
  g_free (fixture->server->last_id);
  fixture->server->last_id = g_steal_pointer (&fixture->held_id);
  send_result (fixture->server, CONTENT ("at last"));
  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);

  /* Of a task that has ended the result has to come. */
  start (fixture, &over, "must", NULL, NULL, &waiter);
  for (guint i = 12; waiter.result == NULL; i++)
    {
      while (scripted_server_count (fixture->server, "tasks/result") < i && waiter.result == NULL)
        g_main_context_iteration (NULL, TRUE);
      if (waiter.result != NULL)
        break;
      gmcp_session_request_failed (gmcp_client_get_session (fixture->client),
                                   g_ascii_strtoll (fixture->held_id, NULL, 10), &failure);
      g_clear_pointer (&fixture->held_id, g_free);
    }
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED);
}

static void
test_question_server_gone (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GmcpInputRequest) asked = NULL;
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  g_test_summary ("the server goes away while a task waits for the user: its clock does not go on");
  g_signal_connect (fixture->client, "input-requested", G_CALLBACK (on_input_keep), &asked);
  gmcp_call_options_set_max_timeout_ms (options, 150);
  start (fixture, &endless, "must", options, NULL, &waiter);
  wait_for_sent (fixture, "tasks/get", 1);
  ask (fixture, &asked);
  gmcp_transport_close_async (fixture->server_end, NULL, NULL, NULL);
  g_assert_null (finish (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_assert_false (gmcp_input_request_is_open (asked));

  run_for (200);
  g_signal_handlers_disconnect_by_data (fixture->client, &asked);
}

static void
test_legacy_notified (Fixture *fixture, gconstpointer data)
{
  static const TaskCase told
    = { "told", SLOW_SEED, { { WORKING, 0 } }, .result = CONTENT ("told") };
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  start (fixture, &told, "must", NULL, NULL, &waiter);
  wait_for_sent (fixture, "tools/call", 1);
  settle ();
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tasks/status\","
                        "\"params\":{\"taskId\":\"t-1\",\"status\":\"completed\"}}");
  result = finish (fixture, &waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "told");
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/get"), ==, 0);
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/result"), ==, 1);
}

/* A server that takes the wish for a task lightly. */
static void
answer_ignoring (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "tools/call"))
    send_result (server, CONTENT ("no task"));
  else
    answer_legacy (server, method, message);
}

static void
test_ignored (Fixture *fixture, gconstpointer data)
{
  static const TaskCase none = { "none", .text = "no task" };

  run_case (fixture, &none, "must");
}

static void
answer_without_tasks (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "initialize"))
    send_result (server, "\"protocolVersion\":\"2025-11-25\",\"serverInfo\":{\"name\":\"l\","
                         "\"version\":\"2\"},\"capabilities\":{\"tools\":{}}");
  else
    answer_legacy (server, method, message);
}

static void
test_not_declared (Fixture *fixture, gconstpointer data)
{
  static const TaskCase plain = { "plain", .text = "at once" };
  g_autoptr (GmcpTaskHandle) handle
    = gmcp_task_handle_new_from_json ("{\"taskId\":\"t-1\",\"status\":\"working\"}", NULL);
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };

  run_case (fixture, &plain, "must");
  g_assert_cmpuint (scripted_server_count (fixture->server, "tools/list"), ==, 0);

  gmcp_client_cancel_task_async (fixture->client, handle, NULL, on_result, &waiter);
  g_assert_false (finish_cancel (fixture, &waiter, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
}

/* Three pages, each with its own trouble. */
static void
answer_pages (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  GmcpJsonValue cursor = gmcp_json_value_get_member (message->params, "cursor");
  const char *mode = server->data;

  if (!g_str_equal (method, "tasks/list"))
    answer_legacy (server, method, message);
  else if (g_strcmp0 (mode, "circle") == 0)
    send_result (server, "\"tasks\":[],\"nextCursor\":\"again\"");
  else if (g_strcmp0 (mode, "odd") == 0)
    send_result (server, gmcp_json_value_is_present (cursor)
                           ? "\"tasks\":[]"
                           : "\"tasks\":[],\"nextCursor\":\"a\\u0000\\ud800\"");
  else if (g_strcmp0 (mode, "none") == 0)
    send_result (server, "\"taks\":[]");
  else if (g_strcmp0 (mode, "error") == 0)
    send_error (server, -32050);
  else if (!gmcp_json_value_is_present (cursor))
    send_result (server, "\"tasks\":[{" LEGACY_SEED "},7,{}],\"nextCursor\":\"b\"");
  else if (gmcp_json_value_equals_string (cursor, "b"))
    send_result (server, "\"tasks\":[],\"nextCursor\":\"c\"");
  else
    send_result (server, "\"tasks\":[{\"taskId\":\"t-9\",\"status\":\"failed\"}],"
                         "\"nextCursor\":\"\"");
}

static GPtrArray *
list_tasks (Fixture *fixture, GError **error)
{
  Waiter waiter = { NULL };
  GPtrArray *tasks;

  gmcp_client_list_tasks_async (fixture->client, NULL, on_result, &waiter);
  wait_for (&waiter);
  tasks = gmcp_client_list_tasks_finish (fixture->client, waiter.result, error);
  g_object_unref (waiter.result);
  return tasks;
}

static void
test_list (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *mode;
    GQuark (*domain) (void);
    int code;
  } bad[] = {
    { "none", gmcp_error_quark, GMCP_ERROR_PROTOCOL },
    { "error", gmcp_rpc_error_quark, -32050 },
  };
  g_autoptr (GPtrArray) tasks = NULL;
  g_autoptr (GError) error = NULL;

  fixture->server->data = NULL;
  tasks = list_tasks (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tasks->len, ==, 2);
  g_assert_cmpstr (gmcp_task_handle_get_task_id (tasks->pdata[0]), ==, "t-1");
  g_assert_cmpstr (gmcp_task_handle_get_server_name (tasks->pdata[0]), ==, "srv");
  g_assert_null (gmcp_task_handle_get_tool_name (tasks->pdata[0]));
  g_assert_cmpint (gmcp_task_handle_get_status (tasks->pdata[1]), ==, GMCP_TASK_STATUS_FAILED);

  /* A cursor goes back as it came. */
  fixture->server->data = (gpointer) "odd";
  g_clear_pointer (&tasks, g_ptr_array_unref);
  tasks = list_tasks (fixture, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (scripted_server_find (fixture->server, "tasks/list"),
                            "\"cursor\":\"a\\u0000\\ud800\""));

  /* One that comes twice ends the list. */
  fixture->server->data = (gpointer) "circle";
  g_clear_pointer (&tasks, g_ptr_array_unref);
  tasks = list_tasks (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tasks->len, ==, 0);

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      fixture->server->data = (gpointer) bad[i].mode;
      g_assert_null (list_tasks (fixture, &error));
      g_assert_error (error, bad[i].domain (), bad[i].code);
      g_clear_error (&error);
    }
}

static void
test_list_lacking (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (list_tasks (fixture, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED);
}

#define ADD(PATH, SERVER, FUNC)                                                                    \
  g_test_add ("/client/tasks/" PATH, Fixture, SERVER, set_up, FUNC, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("modern/answers", answer_modern, test_modern);
  ADD ("modern/created", answer_modern, test_created);
  ADD ("modern/not-a-call", answer_list_with_task, test_not_a_call);
  ADD ("modern/cancel", answer_modern, test_cancel);
  ADD ("modern/never-ends", answer_modern, test_never_ends);
  ADD ("modern/close", answer_modern, test_close);
  ADD ("modern/server-gone", answer_modern, test_server_gone);
  ADD ("modern/notified", answer_modern, test_notified);
  ADD ("modern/subscribed", answer_modern, test_subscribed);
  ADD ("modern/reentrant", answer_modern, test_reentrant);
  ADD ("modern/resume", answer_modern, test_resume);
  ADD ("modern/resume-bad", answer_modern, test_resume_bad);
  ADD ("modern/cancel-task", answer_modern, test_cancel_task);
  ADD ("legacy/answers", answer_legacy, test_legacy);
  ADD ("legacy/support", answer_legacy, test_support);
  ADD ("legacy/direct", answer_legacy, test_direct);
  ADD ("legacy/progress", answer_legacy, test_progress);
  ADD ("legacy/cancel", answer_legacy, test_cancel);
  ADD ("legacy/never-ends", answer_legacy, test_never_ends);
  ADD ("legacy/blocking-result", answer_legacy, test_blocking_result);
  ADD ("legacy/blocking-cancelled", answer_legacy, test_blocking_cancelled);
  ADD ("legacy/question-overlap", answer_legacy, test_question_overlap);
  ADD ("legacy/cut-result", answer_legacy, test_cut_result);
  ADD ("legacy/question-server-gone", answer_legacy, test_question_server_gone);
  ADD ("legacy/notified", answer_legacy, test_legacy_notified);
  ADD ("legacy/ignored", answer_ignoring, test_ignored);
  ADD ("legacy/not-declared", answer_without_tasks, test_not_declared);

  ADD ("modern/list", answer_modern, test_list_lacking);
  ADD ("legacy/list", answer_pages, test_list);
  ADD ("legacy/list-lacking", answer_without_tasks, test_list_lacking);

  return g_test_run ();
}
