/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "client-fixture.h"

#include "gmcp-client-private.h"
#include "unit-test.h"

/* Questions and tasks: those that the server asks in the middle of a task, and those that it wants
 * answered as tasks. */

#define FORM                                                                                       \
  "{\"method\":\"elicitation/create\",\"params\":{\"message\":\"Who?\",\"requestedSchema\":{"      \
  "\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"default\":\"Ann\"}}}}}"
#define SAMPLING                                                                                   \
  "{\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":9}}"
#define STATE(STATUS, MORE)                                                                        \
  "\"taskId\":\"t-1\",\"pollIntervalMs\":20,\"status\":\"" STATUS "\"" MORE
#define ASKING(REQUESTS) STATE ("input_required", ",\"inputRequests\":{" REQUESTS "}")
#define DONE                                                                                       \
  STATE ("completed", ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}")

/* What the application got, and keeps. */
static GPtrArray *asked;
/* The task as the server describes it from now on; what it says to answers. */
static const char *state;
static int update_code;

static void
on_input_keep (GmcpClient *client, GmcpInputRequest *request, gpointer data)
{
  g_ptr_array_add (asked, g_object_ref (request));
}

static void
send_result (ScriptedServer *server, const char *members)
{
  g_autofree char *text
    = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{%s}}", members);

  scripted_server_send (server, text);
}

static void
answer_modern (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "tools/call"))
    send_result (server, "\"resultType\":\"task\"," STATE ("working", ""));
  else if (g_str_equal (method, "tasks/get"))
    send_result (server, state);
  else if (g_str_equal (method, "tasks/update") && update_code != 0)
    scripted_server_send (server, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32603,"
                                  "\"message\":\"Busy\"}}");
  else if (g_str_equal (method, "tasks/update") || g_str_equal (method, "tasks/cancel"))
    send_result (server, "\"resultType\":\"complete\"");
  else
    scripted_server_modern (server, method, message);
}

static void
answer_legacy (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  if (g_str_equal (method, "initialize"))
    send_result (server, "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}");
  else
    scripted_server_legacy (server, method, message);
}

static void
answer_older (ScriptedServer *server, const char *method, const GmcpRpcMessage *message)
{
  scripted_server_legacy (server, method, message);
}

typedef struct
{
  ScriptedServerFunc answer;
  gboolean listens;
  gboolean sampling;
} Setup;

static const Setup modern = { answer_modern, TRUE, TRUE };
static const Setup modern_deaf = { answer_modern, FALSE, FALSE };
static const Setup legacy = { answer_legacy, TRUE, TRUE };
static const Setup legacy_form_only = { answer_legacy, TRUE, FALSE };
static const Setup legacy_deaf = { answer_legacy, FALSE, FALSE };
static const Setup older = { answer_older, TRUE, TRUE };

static void
set_up (ClientFixture *fixture, gconstpointer data)
{
  const Setup *setup = data;

  asked = g_ptr_array_new_with_free_func (g_object_unref);
  state = STATE ("working", "");
  update_code = 0;
  client_fixture_make (fixture, setup->answer);
  if (setup->listens)
    g_signal_connect (fixture->client, "input-requested", G_CALLBACK (on_input_keep), fixture);
  gmcp_client_set_allow_sampling (fixture->client, setup->sampling);
  client_fixture_open (fixture);
  settle ();
}

static void
tear_down (ClientFixture *fixture, gconstpointer data)
{
  client_fixture_tear_down (fixture, data);
  g_ptr_array_unref (asked);
}

static void
wait_asked (guint n)
{
  while (asked->len < n)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_polled (ClientFixture *fixture, guint more)
{
  wait_for_messages (fixture, "tasks/get",
                     scripted_server_count (fixture->server, "tasks/get") + more);
}

static void
assert_done (ClientFixture *fixture, Waiter *waiter)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpToolResult) result = NULL;

  state = DONE;
  result = client_fixture_finish (fixture, waiter, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gmcp_tool_result_get_text (result), ==, "done");
}

static void
assert_fails (ClientFixture *fixture, Waiter *waiter, GQuark domain, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (client_fixture_finish (fixture, waiter, &error));
  g_assert_error (error, domain, code);
  wait_for_messages (fixture, "tasks/cancel", 1);
}

/* In the middle of a task. */

static void
test_asked (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = { NULL };
  const char *update;

  client_fixture_call (fixture, options, NULL, &waiter);
  state = ASKING ("\"n\\u0061me\":" FORM);
  wait_asked (1);
  g_assert_cmpstr (gmcp_input_request_get_subject (asked->pdata[0]), ==, "echo");
  g_assert_true (gmcp_input_request_get_options (asked->pdata[0]) == options);
  /* It is asked once, however often the server shows the question. */
  wait_polled (fixture, 3);
  g_assert_cmpuint (asked->len, ==, 1);
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/update"), ==, 0);

  g_assert_true (gmcp_elicitation_accept_json (asked->pdata[0], "{\"name\":\"Bob\"}", &error));
  g_assert_no_error (error);
  wait_for_messages (fixture, "tasks/update", 1);
  update = scripted_server_find (fixture->server, "tasks/update");
  g_assert_nonnull (strstr (update, "\"taskId\":\"t-1\",\"inputResponses\":{\"n\\u0061me\":{"
                                    "\"action\":\"accept\",\"content\":{\"name\":\"Bob\"}}}"));
  /* The server may be slow to note the answer. */
  wait_polled (fixture, 3);
  g_assert_cmpuint (asked->len, ==, 1);
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/update"), ==, 1);
  assert_done (fixture, &waiter);
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/cancel"), ==, 0);
}

static void
test_more_questions (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };

  client_fixture_call (fixture, NULL, NULL, &waiter);
  state = ASKING ("\"a\":" FORM ",\"b\":" FORM);
  wait_asked (2);
  state = ASKING ("\"a\":" FORM ",\"b\":" FORM ",\"c\":" SAMPLING);
  wait_asked (3);

  /* Those that came together are answered together. */
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (asked->pdata[0]));
  gmcp_sampling_accept_text (asked->pdata[2], "Paris", "m", NULL);
  wait_for_messages (fixture, "tasks/update", 1);
  g_assert_nonnull (
    strstr (scripted_server_find (fixture->server, "tasks/update"), "\"inputResponses\":{\"c\":{"));
  gmcp_input_request_cancel (GMCP_INPUT_REQUEST (asked->pdata[1]));
  wait_for_messages (fixture, "tasks/update", 2);
  g_assert_nonnull (strstr (scripted_server_find (fixture->server, "tasks/update"),
                            "\"inputResponses\":{\"a\":{\"action\":\"decline\"},"
                            "\"b\":{\"action\":\"cancel\"}}"));
  assert_done (fixture, &waiter);
}

static void
test_nobody_listens (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };

  client_fixture_call (fixture, NULL, NULL, &waiter);
  state = ASKING ("\"a\":" FORM);
  wait_for_messages (fixture, "tasks/update", 1);
  g_assert_nonnull (strstr (scripted_server_find (fixture->server, "tasks/update"),
                            "{\"a\":{\"action\":\"decline\"}}"));
  assert_done (fixture, &waiter);

  client_fixture_call (fixture, NULL, NULL, &waiter);
  state = ASKING ("\"s\":" SAMPLING);
  assert_fails (fixture, &waiter, GMCP_ERROR, GMCP_ERROR_INPUT_REFUSED);
}

static void
test_refused (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };

  client_fixture_call (fixture, NULL, NULL, &waiter);
  state = ASKING ("\"s\":" SAMPLING ",\"a\":" FORM);
  wait_asked (2);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (asked->pdata[0]));
  assert_fails (fixture, &waiter, GMCP_ERROR, GMCP_ERROR_INPUT_REFUSED);
  g_assert_false (gmcp_input_request_is_open (asked->pdata[1]));
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/update"), ==, 0);
}

static void
test_update_fails (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };

  /* The same answer is sent again while it is still wanted, and nobody is asked again. */
  update_code = -32603;
  client_fixture_call (fixture, NULL, NULL, &waiter);
  state = ASKING ("\"a\":" FORM);
  wait_asked (1);
  g_assert_true (gmcp_elicitation_accept (asked->pdata[0], NULL, NULL));
  wait_for_messages (fixture, "tasks/update", 2);
  update_code = 0;
  wait_for_messages (fixture, "tasks/update", 3);
  wait_polled (fixture, 2);
  g_assert_cmpuint (scripted_server_count (fixture->server, "tasks/update"), ==, 3);
  g_assert_cmpuint (asked->len, ==, 1);
  assert_done (fixture, &waiter);

  update_code = -32603;
  client_fixture_call (fixture, NULL, NULL, &waiter);
  state = ASKING ("\"a\":" FORM);
  wait_asked (2);
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (asked->pdata[1]));
  assert_fails (fixture, &waiter, GMCP_RPC_ERROR, -32603);
}

/* Failures are counted one after the other, not for as long as the task lasts. */
static void
test_update_fails_now_and_then (ClientFixture *fixture, gconstpointer data)
{
  static const char *const states[]
    = { ASKING ("\"a\":" FORM), ASKING ("\"b\":" FORM), ASKING ("\"c\":" FORM) };
  Waiter waiter = { NULL };
  guint n_updates = 0;

  client_fixture_call (fixture, NULL, NULL, &waiter);
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    {
      update_code = -32603;
      state = states[i];
      wait_asked (i + 1);
      gmcp_input_request_decline (GMCP_INPUT_REQUEST (asked->pdata[i]));
      n_updates += 2;
      wait_for_messages (fixture, "tasks/update", n_updates);
      update_code = 0;
      wait_for_messages (fixture, "tasks/update", ++n_updates);
      settle ();
    }
  assert_done (fixture, &waiter);
}

static void
test_given_up (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Waiter waiter = { NULL };

  client_fixture_call (fixture, NULL, cancellable, &waiter);
  state = ASKING ("\"a\":" FORM);
  wait_asked (1);
  g_cancellable_cancel (cancellable);
  assert_fails (fixture, &waiter, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (gmcp_input_request_is_open (asked->pdata[0]));
}

static void
test_unanswered (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiter = { NULL };

  gmcp_client_set_input_timeout_ms (fixture->client, 50);
  client_fixture_call (fixture, NULL, NULL, &waiter);
  state = ASKING ("\"a\":" FORM);
  assert_fails (fixture, &waiter, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_false (gmcp_input_request_is_open (asked->pdata[0]));
}

static void
on_closed_decline (GmcpInputRequest *request, gpointer data)
{
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (data));
}

/* Whoever hears that one question is void may answer another, which is void as well: one of the same
 * task, and one of another task. */
static void
test_answered_at_the_end (ClientFixture *fixture, gconstpointer data)
{
  Waiter waiters[2] = { { NULL }, { NULL } };

  client_fixture_call (fixture, NULL, NULL, &waiters[0]);
  state = ASKING ("\"a\":" FORM);
  wait_asked (1);
  state = ASKING ("\"a\":" FORM ",\"b\":" FORM);
  wait_asked (2);
  client_fixture_call (fixture, NULL, NULL, &waiters[1]);
  wait_asked (4);
  g_signal_connect (asked->pdata[0], "closed", G_CALLBACK (on_closed_decline), asked->pdata[1]);
  g_signal_connect (asked->pdata[0], "closed", G_CALLBACK (on_closed_decline), asked->pdata[2]);
  g_signal_connect (asked->pdata[0], "closed", G_CALLBACK (on_closed_decline), asked->pdata[3]);
  gmcp_transport_close_async (fixture->server_end, NULL, NULL, NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (client_fixture_finish (fixture, &waiters[i], &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
    }
  settle ();
}

/* The time in which people think is not the call's. */
static void
test_clock (ClientFixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpCallOptions) options = gmcp_call_options_new ();
  Waiter waiter = { NULL };

  /* A slow machine may not ask in that time. */
  for (guint timeout_ms = 300; asked->len == 0; timeout_ms *= 2)
    {
      if (waiter.result != NULL)
        assert_fails (fixture, &waiter, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
      gmcp_call_options_set_max_timeout_ms (options, timeout_ms);
      state = ASKING ("\"a\":" FORM);
      client_fixture_call (fixture, options, NULL, &waiter);
      while (asked->len == 0 && waiter.result == NULL)
        g_main_context_iteration (NULL, TRUE);
    }
  wait_polled (fixture, 20);
  g_assert_null (waiter.result);
  state = STATE ("working", "");
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (asked->pdata[0]));
  assert_fails (fixture, &waiter, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
}

static void
test_strange (ClientFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *state;
    int code;
  } cases[] = {
    { ASKING ("\"a\":7"), GMCP_ERROR_PROTOCOL },
    { ASKING ("\"a\":{\"method\":\"dance\"}"), GMCP_ERROR_PROTOCOL },
    { ASKING ("\"a\":{\"method\":\"elicitation/create\",\"params\":{}}"), GMCP_ERROR_PROTOCOL },
  };
  Waiter waiter = { NULL };

  /* What is no list of questions asks nothing. */
  client_fixture_call (fixture, NULL, NULL, &waiter);
  state = STATE ("input_required", "");
  wait_polled (fixture, 2);
  state = STATE ("input_required", ",\"inputRequests\":[1]");
  wait_polled (fixture, 2);
  state = STATE ("input_required", ",\"inputRequests\":{}");
  wait_polled (fixture, 2);
  assert_done (fixture, &waiter);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      client_fixture_call (fixture, NULL, NULL, &waiter);
      state = cases[i].state;
      assert_fails (fixture, &waiter, GMCP_ERROR, cases[i].code);
    }
}

/* Questions as tasks. */

static void
request (ClientFixture *fixture, const char *id, const char *method, const char *params)
{
  g_autofree char *text = g_strdup_printf (
    "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"%s\",\"params\":{%s}}", id, method, params);

  scripted_server_send (fixture->server, text);
}

static const char *
find_reply (ClientFixture *fixture, const char *id)
{
  g_autofree char *member = g_strdup_printf ("\"id\":\"%s\"", id);

  for (guint i = 0; i < fixture->server->received->len; i++)
    {
      const char *text = g_ptr_array_index (fixture->server->received, i);

      if (strstr (text, member) != NULL)
        return text;
    }
  return NULL;
}

static const char *
wait_reply (ClientFixture *fixture, const char *id)
{
  while (find_reply (fixture, id) == NULL)
    g_main_context_iteration (NULL, TRUE);
  return find_reply (fixture, id);
}

static void
assert_reply (ClientFixture *fixture, const char *id, const char *part)
{
  const char *reply = wait_reply (fixture, id);

  if (strstr (reply, part) == NULL)
    g_error ("“%s” is not in %s", part, reply);
}

#define ELICIT                                                                                     \
  "\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"name\":{"       \
  "\"type\":\"string\",\"default\":\"Ann\"}}}"

/* Gives the params of requests about the new task. */
static char *
ask_as_task (ClientFixture *fixture, const char *id, const char *method, const char *params)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autofree char *task_id = NULL;
  GmcpJsonValue task;
  const char *reply;

  request (fixture, id, method, params);
  reply = wait_reply (fixture, id);
  doc = gmcp_json_doc_parse (reply, strlen (reply), NULL, 0, NULL);
  task = gmcp_json_value_get_pointer (gmcp_json_doc_get_root (doc), "/result/task");
  g_assert_true (
    gmcp_json_value_equals_string (gmcp_json_value_get_member (task, "status"), "working"));
  g_assert_true (gmcp_json_value_is_string (gmcp_json_value_get_member (task, "createdAt")));
  g_assert_true (gmcp_json_value_is_string (gmcp_json_value_get_member (task, "lastUpdatedAt")));
  g_assert_true (gmcp_json_value_is_number (gmcp_json_value_get_member (task, "ttl")));
  task_id = gmcp_json_value_dup_string (gmcp_json_value_get_member (task, "taskId"));
  g_assert_cmpuint (strlen (task_id), ==, 36);
  return g_strdup_printf ("\"taskId\":\"%s\"", task_id);
}

static void
test_declared (ClientFixture *fixture, gconstpointer data)
{
  const char *initialize = scripted_server_find (fixture->server, "initialize");
  const char *declared = strstr (initialize, "\"tasks\":{");

  if (data == &legacy)
    g_assert_true (g_str_has_prefix (declared, "\"tasks\":{\"list\":{},\"cancel\":{},\"requests\":"
                                               "{\"elicitation\":{\"create\":{}},"
                                               "\"sampling\":{\"createMessage\":{}}}}"));
  else if (data == &legacy_form_only)
    g_assert_true (g_str_has_prefix (declared, "\"tasks\":{\"list\":{},\"cancel\":{},\"requests\":"
                                               "{\"elicitation\":{\"create\":{}}}}"));
  else
    g_assert_null (declared);
}

static void
test_not_served (ClientFixture *fixture, gconstpointer data)
{
  /* The wish for a task is as if it were not there. */
  request (fixture, "q", "elicitation/create", ELICIT ",\"task\":{}");
  if (data == &older)
    {
      wait_asked (1);
      gmcp_input_request_decline (GMCP_INPUT_REQUEST (asked->pdata[0]));
    }
  assert_reply (fixture, "q", "\"action\":\"decline\"");
  if (data != &older)
    {
      request (fixture, "g", "tasks/get", "\"taskId\":\"x\"");
      assert_reply (fixture, "g", "-32601");
    }
}

static void
test_own_task (ClientFixture *fixture, gconstpointer data)
{
  g_autofree char *params
    = ask_as_task (fixture, "q", "elicitation/create", ELICIT ",\"task\":{\"ttl\":5}");

  wait_asked (1);
  g_assert_true (gmcp_input_request_is_open (asked->pdata[0]));
  /* No shorter than the user may take. */
  assert_reply (fixture, "q", "\"ttl\":600000");
  request (fixture, "g1", "tasks/get", params);
  assert_reply (fixture, "g1", "\"status\":\"working\"");
  request (fixture, "l", "tasks/list", "");
  assert_reply (fixture, "l", params);

  /* One request for the result comes before, one is taken back, and one comes after. */
  request (fixture, "r1", "tasks/result", params);
  request (fixture, "r2", "tasks/result", params);
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                        "\"params\":{\"requestId\":\"r2\"}}");
  settle ();
  g_assert_null (find_reply (fixture, "r1"));
  g_assert_true (gmcp_elicitation_accept_json (asked->pdata[0], "{\"name\":\"Bob\"}", NULL));
  assert_reply (fixture, "r1",
                "\"action\":\"accept\",\"content\":{\"name\":\"Bob\"},\"_meta\":{"
                "\"io.modelcontextprotocol/related-task\":{");
  assert_reply (fixture, "r1", params);
  request (fixture, "r3", "tasks/result", params);
  assert_reply (fixture, "r3", "\"name\":\"Bob\"");
  g_assert_null (find_reply (fixture, "r2"));

  request (fixture, "g2", "tasks/get", params);
  assert_reply (fixture, "g2", "\"status\":\"completed\"");
  request (fixture, "c", "tasks/cancel", params);
  assert_reply (fixture, "c", "-32602");
}

static void
test_own_task_refused (ClientFixture *fixture, gconstpointer data)
{
  g_autofree char *params = ask_as_task (fixture, "q", "sampling/createMessage",
                                         "\"messages\":[],\"maxTokens\":9,\"task\":{}");

  wait_asked (1);
  assert_reply (fixture, "q", "\"ttl\":3600000");
  gmcp_input_request_decline (GMCP_INPUT_REQUEST (asked->pdata[0]));
  request (fixture, "g", "tasks/get", params);
  assert_reply (fixture, "g", "\"status\":\"failed\"");
  request (fixture, "r", "tasks/result", params);
  assert_reply (fixture, "r", "\"error\":{\"code\":-1");
}

static void
test_own_task_cancelled (ClientFixture *fixture, gconstpointer data)
{
  g_autofree char *params = ask_as_task (fixture, "q", "elicitation/create", ELICIT ",\"task\":{}");

  wait_asked (1);
  /* The request itself has been answered, so there is nothing to cancel in it. */
  scripted_server_send (fixture->server,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                        "\"params\":{\"requestId\":\"q\"}}");
  request (fixture, "r", "tasks/result", params);
  settle ();
  g_assert_true (gmcp_input_request_is_open (asked->pdata[0]));

  request (fixture, "c", "tasks/cancel", params);
  assert_reply (fixture, "c", "\"status\":\"cancelled\"");
  g_assert_false (gmcp_input_request_is_open (asked->pdata[0]));
  assert_reply (fixture, "r", "\"error\":");
  request (fixture, "g", "tasks/get", params);
  assert_reply (fixture, "g", "\"status\":\"cancelled\"");
}

static void
test_own_task_unanswered (ClientFixture *fixture, gconstpointer data)
{
  g_autofree char *params = NULL;

  gmcp_client_set_input_timeout_ms (fixture->client, 30);
  params = ask_as_task (fixture, "q", "elicitation/create", ELICIT ",\"task\":{\"ttl\":60000}");
  request (fixture, "r", "tasks/result", params);
  assert_reply (fixture, "r", "\"action\":\"cancel\"");
}

/* A task whose question will not be answered in time, and is open still. Gives its params. */
static char *
ask_for_a_moment (ClientFixture *fixture)
{
  /* A slow machine may not get here in time. */
  for (guint timeout_ms = 30;; timeout_ms *= 2)
    {
      g_autofree char *id = g_strdup_printf ("q%u", timeout_ms);
      g_autofree char *params = NULL;
      guint n = asked->len;

      gmcp_client_set_input_timeout_ms (fixture->client, timeout_ms);
      params = ask_as_task (fixture, id, "elicitation/create", ELICIT ",\"task\":{\"ttl\":60000}");
      wait_asked (n + 1);
      if (gmcp_input_request_is_open (asked->pdata[n]))
        return g_steal_pointer (&params);
    }
}

static GmcpInputRequest *
get_last_asked (void)
{
  return asked->pdata[asked->len - 1];
}

static void
on_closed_close_client (GmcpInputRequest *request, gpointer client)
{
  gmcp_client_close_async (client, NULL, NULL, NULL);
}

static void
test_own_task_unanswered_close (ClientFixture *fixture, gconstpointer data)
{
  g_autofree char *params = NULL;
  guint n;

  g_test_summary ("whoever hears that it took too long closes the client, and the task with it");
  params = ask_for_a_moment (fixture);
  g_signal_connect (get_last_asked (), "closed", G_CALLBACK (on_closed_close_client),
                    fixture->client);
  request (fixture, "r", "tasks/result", params);
  n = fixture->server->received->len;
  while (gmcp_input_request_is_open (get_last_asked ()))
    g_main_context_iteration (NULL, TRUE);
  settle ();
  g_assert_cmpuint (fixture->server->received->len, ==, n);
}

static void
on_closed_cancel_task (GmcpInputRequest *request, gpointer data)
{
  ClientFixture *fixture = data;

  scripted_server_send (fixture->server, g_object_get_data (G_OBJECT (request), "cancel"));
  settle ();
}

static void
test_own_task_unanswered_cancelled (ClientFixture *fixture, gconstpointer data)
{
  g_autofree char *params = NULL;
  g_autofree char *cancel = NULL;

  g_test_summary ("the task is cancelled while somebody hears that it took too long: it stays so");
  params = ask_for_a_moment (fixture);
  cancel = g_strdup_printf (
    "{\"jsonrpc\":\"2.0\",\"id\":\"c\",\"method\":\"tasks/cancel\",\"params\":{%s}}", params);
  g_object_set_data (G_OBJECT (get_last_asked ()), "cancel", cancel);
  g_signal_connect (get_last_asked (), "closed", G_CALLBACK (on_closed_cancel_task), fixture);
  assert_reply (fixture, "c", "\"status\":\"cancelled\"");
  request (fixture, "g", "tasks/get", params);
  assert_reply (fixture, "g", "\"status\":\"cancelled\"");
}

static void
test_own_task_bad (ClientFixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *method;
    const char *params;
  } cases[] = {
    { "tasks/get", "\"taskId\":\"none\"" }, { "tasks/result", "" },
    { "tasks/cancel", "\"taskId\":7" },     { "tasks/list", "\"cursor\":\"x\"" },
    { "tasks/list", "\"cursor\":\"-1\"" },  { "tasks/list", "\"cursor\":5" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *id = g_strdup_printf ("b%u", i);

      request (fixture, id, cases[i].method, cases[i].params);
      assert_reply (fixture, id, "-32602");
    }
  request (fixture, "q", "elicitation/create", "\"task\":{}");
  assert_reply (fixture, "q", "\"error\":");
  request (fixture, "l", "tasks/list", "");
  assert_reply (fixture, "l", "\"tasks\":[]");
}

static void
test_own_task_pages (ClientFixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 101; i++)
    {
      g_autofree char *id = g_strdup_printf ("q%u", i);
      g_free (ask_as_task (fixture, id, "elicitation/create", ELICIT ",\"task\":{}"));
      gmcp_input_request_decline (GMCP_INPUT_REQUEST (asked->pdata[i]));
    }
  request (fixture, "l1", "tasks/list", "");
  assert_reply (fixture, "l1", "\"nextCursor\":\"100\"");
  request (fixture, "l2", "tasks/list", "\"cursor\":\"100\"");
  assert_reply (fixture, "l2", "\"status\":\"completed\"");
  g_assert_null (strstr (find_reply (fixture, "l2"), "nextCursor"));
}

/* What belongs to a task of the server's says so. */
static void
test_related (ClientFixture *fixture, gconstpointer data)
{
  request (fixture, "q", "elicitation/create",
           ELICIT ",\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":\"t-7\"}}");
  if (data == &legacy)
    {
      wait_asked (1);
      gmcp_input_request_decline (GMCP_INPUT_REQUEST (asked->pdata[0]));
    }
  assert_reply (fixture, "q",
                "\"result\":{\"action\":\"decline\",\"_meta\":{"
                "\"io.modelcontextprotocol/related-task\":{\"taskId\":\"t-7\"}}}");
}

static void
test_own_task_close (ClientFixture *fixture, gconstpointer data)
{
  g_autofree char *params = ask_as_task (fixture, "q", "elicitation/create", ELICIT ",\"task\":{}");
  Waiter waiter = { NULL };

  request (fixture, "r", "tasks/result", params);
  wait_asked (1);
  settle ();
  gmcp_client_close_async (fixture->client, NULL, waiter_done, &waiter);
  waiter_wait (&waiter);
  g_object_unref (waiter.result);
  g_assert_false (gmcp_input_request_is_open (asked->pdata[0]));
}

#define ADD(PATH, SETUP, FUNC)                                                                     \
  g_test_add ("/client/task-questions/" PATH, ClientFixture, &(SETUP), set_up, FUNC, tear_down)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("modern/asked", modern, test_asked);
  ADD ("modern/more", modern, test_more_questions);
  ADD ("modern/nobody-listens", modern_deaf, test_nobody_listens);
  ADD ("modern/refused", modern, test_refused);
  ADD ("modern/update-fails", modern, test_update_fails);
  ADD ("modern/update-fails-now-and-then", modern, test_update_fails_now_and_then);
  ADD ("modern/given-up", modern, test_given_up);
  ADD ("modern/unanswered", modern, test_unanswered);
  ADD ("modern/answered-at-the-end", modern, test_answered_at_the_end);
  ADD ("modern/clock", modern, test_clock);
  ADD ("modern/strange", modern, test_strange);
  ADD ("legacy/declared", legacy, test_declared);
  ADD ("legacy/declared-form", legacy_form_only, test_declared);
  ADD ("legacy/declared-none", legacy_deaf, test_declared);
  ADD ("legacy/not-served", legacy_deaf, test_not_served);
  ADD ("legacy/older", older, test_not_served);
  ADD ("legacy/own-task", legacy, test_own_task);
  ADD ("legacy/refused", legacy, test_own_task_refused);
  ADD ("legacy/cancelled", legacy, test_own_task_cancelled);
  ADD ("legacy/unanswered", legacy, test_own_task_unanswered);
  ADD ("legacy/unanswered-close", legacy, test_own_task_unanswered_close);
  ADD ("legacy/unanswered-cancelled", legacy, test_own_task_unanswered_cancelled);
  ADD ("legacy/bad", legacy, test_own_task_bad);
  ADD ("legacy/pages", legacy, test_own_task_pages);
  ADD ("legacy/related", legacy, test_related);
  ADD ("legacy/related-unasked", legacy_deaf, test_related);
  ADD ("legacy/close", legacy, test_own_task_close);

  return g_test_run ();
}
