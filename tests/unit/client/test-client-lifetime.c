/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What callbacks may do to a client, and what becomes of it when connections end, fail and are
 * opened again. */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include <gmcp/client/gmcp-client.h>
#include <gmcp/core/gmcp-error.h>

#include "steered-transport.h"

#include <gmcp/transport/gmcp-memory-transport.h>

#include "unit-test.h"

#define ANSWER_DISCOVER                                                                            \
  "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"supportedVersions\":[\"2026-07-28\"],"            \
  "\"capabilities\":{\"tools\":{\"listChanged\":true}}}}"
#define ANSWER_INITIALIZE                                                                          \
  "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"protocolVersion\":\"2025-06-18\","                \
  "\"capabilities\":{\"tools\":{\"listChanged\":true}}}}"
#define ANSWER_TOOLS "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"tools\":[{\"name\":\"echo\"}]}}"
#define ANSWER_NO_METHOD                                                                           \
  "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":-32601,\"message\":\"Not found\"}}"
#define ACKNOWLEDGE                                                                                \
  "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":"       \
  "{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":$ID}}}"

typedef struct
{
  SteeredTransport *transport;
  GmcpClient *client;
  GCancellable *cancellable; /* of the calls under way; a test's own */
  GAsyncResult *results[4];
  guint n_results;
  guint n_closed;
  guint n_notified;
} Fixture;

static gboolean
is_of (const char *text, const char *method)
{
  g_autofree char *member = g_strdup_printf ("\"method\":\"%s\"", method);

  return strstr (text, member) != NULL;
}

static void
answer_modern (SteeredTransport *transport, const char *text)
{
  if (is_of (text, "server/discover"))
    steered_transport_say (transport, ANSWER_DISCOVER);
  else if (is_of (text, "subscriptions/listen"))
    steered_transport_say (transport, ACKNOWLEDGE);
  else if (is_of (text, "tools/list"))
    steered_transport_say (transport, ANSWER_TOOLS);
}

static void
answer_legacy (SteeredTransport *transport, const char *text)
{
  if (is_of (text, "server/discover"))
    steered_transport_say (transport, ANSWER_NO_METHOD);
  else if (is_of (text, "initialize"))
    steered_transport_say (transport, ANSWER_INITIALIZE);
  else if (is_of (text, "tools/list"))
    steered_transport_say (transport, ANSWER_TOOLS);
}

static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
on_closed (GmcpClient *client, const GError *error, gpointer user_data)
{
  ((Fixture *) user_data)->n_closed++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->transport = steered_transport_new ();
  fixture->client = gmcp_client_new (GMCP_TRANSPORT (fixture->transport));
  gmcp_client_set_name (fixture->client, "srv");
  g_signal_connect (fixture->client, "closed", G_CALLBACK (on_closed), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < fixture->n_results; i++)
    g_object_unref (fixture->results[i]);
  settle ();
  if (fixture->client != NULL)
    g_assert_finalize_object (fixture->client);
  steered_transport_let_close (fixture->transport);
  settle ();
  g_assert_finalize_object (fixture->transport);
}

static void
store (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_cmpuint (fixture->n_results, <, G_N_ELEMENTS (fixture->results));
  fixture->results[fixture->n_results++] = g_object_ref (result);
}

static void
wait_results (Fixture *fixture, guint n)
{
  while (fixture->n_results < n)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_sent (Fixture *fixture, const char *method, guint n)
{
  while (steered_transport_count (fixture->transport, method) < n)
    g_main_context_iteration (NULL, TRUE);
}

static void
clear_results (Fixture *fixture)
{
  while (fixture->n_results > 0)
    g_object_unref (fixture->results[--fixture->n_results]);
}

static void
assert_open_result (Fixture *fixture, guint index)
{
  g_autoptr (GError) error = NULL;

  gmcp_client_open_finish (fixture->client, fixture->results[index], &error);
  g_assert_no_error (error);
  g_assert_true (gmcp_client_is_open (fixture->client));
}

static void
open_client (Fixture *fixture)
{
  g_assert_cmpuint (fixture->n_results, ==, 0);
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  wait_results (fixture, 1);
  assert_open_result (fixture, 0);
  clear_results (fixture);
}

static void
call (Fixture *fixture, GCancellable *cancellable, GAsyncReadyCallback callback)
{
  gmcp_client_call_tool_async (fixture->client, "echo", NULL, NULL, cancellable, callback, fixture);
}

static void
test_reopen_while_closing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("an opening waits until the connection before it is down");
  fixture->transport->answer = answer_modern;
  open_client (fixture);

  fixture->transport->hold_closing = TRUE;
  gmcp_client_close_async (fixture->client, NULL, store, fixture);
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  settle ();
  g_assert_cmpuint (fixture->n_results, ==, 0);
  g_assert_cmpuint (fixture->transport->n_opened, ==, 1);

  steered_transport_let_close (fixture->transport);
  wait_results (fixture, 2);
  gmcp_client_close_finish (fixture->client, fixture->results[0], &error);
  g_assert_no_error (error);
  assert_open_result (fixture, 1);
  g_assert_cmpuint (fixture->transport->n_opened, ==, 2);
  g_assert_cmpuint (fixture->n_closed, ==, 0);
}

static void
test_close_while_opening (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary (
    "what the transport says of an opening that was given up does not touch the next");
  fixture->transport->answer = answer_modern;
  fixture->transport->hold_opening = TRUE;
  fixture->transport->hold_closing = TRUE;
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  gmcp_client_close_async (fixture->client, NULL, NULL, NULL);
  fixture->transport->hold_opening = FALSE;
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  settle ();
  g_assert_cmpuint (fixture->n_results, ==, 1);
  g_assert_false (gmcp_client_open_finish (fixture->client, fixture->results[0], &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);

  steered_transport_let_close (fixture->transport);
  wait_results (fixture, 2);
  assert_open_result (fixture, 1);
}

static void
reopen_on_failure (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;
  g_autoptr (GError) error = NULL;

  g_assert_false (gmcp_client_open_finish (fixture->client, result, &error));
  fixture->transport->answer = answer_modern;
  gmcp_client_set_startup_timeout_ms (fixture->client, 30000);
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
}

static void
test_reopen_in_callback (Fixture *fixture, gconstpointer data)
{
  gmcp_client_set_startup_timeout_ms (fixture->client, 10);
  gmcp_client_open_async (fixture->client, NULL, reopen_on_failure, fixture);
  wait_results (fixture, 1);
  assert_open_result (fixture, 0);
}

static gboolean
close_cb (gpointer user_data)
{
  Fixture *fixture = user_data;

  gmcp_client_close_async (fixture->client, NULL, store, fixture);
  return G_SOURCE_REMOVE;
}

static void
test_reopen_in_callback_of_close (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_test_summary (
    "closing a client while it opens runs the callback of the opening, which opens it "
    "again");
  gmcp_client_open_async (fixture->client, NULL, reopen_on_failure, fixture);
  wait_sent (fixture, "server/discover", 1);
  g_source_set_callback (source, close_cb, fixture, NULL);
  g_source_attach (source, NULL);
  wait_results (fixture, 2);
  g_assert_true (gmcp_client_is_open (fixture->client));
}

static void
reopen_on_closed (GmcpClient *client, const GError *error, gpointer user_data)
{
  g_assert_false (gmcp_client_is_open (client));
  gmcp_client_open_async (client, NULL, store, user_data);
}

static void
on_notify (GmcpClient *client, GParamSpec *pspec, gpointer user_data)
{
  ((Fixture *) user_data)->n_notified++;
}

static void
test_reopen_on_closed (Fixture *fixture, gconstpointer data)
{
  fixture->transport->answer = answer_modern;
  g_signal_connect (fixture->client, "closed", G_CALLBACK (reopen_on_closed), fixture);
  open_client (fixture);
  g_signal_connect (fixture->client, "notify::era", G_CALLBACK (on_notify), fixture);

  gmcp_client_list_tools_async (fixture->client, NULL, store, fixture);
  wait_results (fixture, 1);
  clear_results (fixture);
  g_assert_cmpuint (steered_transport_count (fixture->transport, "subscriptions/listen"), ==, 1);

  gmcp_transport_closed (GMCP_TRANSPORT (fixture->transport), NULL);
  g_assert_cmpuint (fixture->n_closed, ==, 1);
  g_assert_cmpuint (fixture->n_notified, ==, 1);
  wait_results (fixture, 1);
  assert_open_result (fixture, 0);
  clear_results (fixture);

  /* The stream of changes is of a connection, so the next has its own. */
  gmcp_client_list_tools_async (fixture->client, NULL, store, fixture);
  wait_results (fixture, 1);
  g_assert_cmpuint (steered_transport_count (fixture->transport, "subscriptions/listen"), ==, 2);
}

static void
test_close_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_test_summary ("a cancellable that is cancelled ends the waiting, not the closing");
  fixture->transport->answer = answer_modern;
  open_client (fixture);
  fixture->transport->hold_closing = TRUE;
  g_cancellable_cancel (cancellable);
  gmcp_client_close_async (fixture->client, cancellable, store, fixture);
  wait_results (fixture, 1);
  g_assert_false (gmcp_client_close_finish (fixture->client, fixture->results[0], &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (fixture->transport->n_closed, ==, 1);
  g_assert_false (gmcp_client_is_open (fixture->client));
}

static void
test_cancelled_too_late (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_test_summary ("an opening that has succeeded says so, also where it is cancelled then");
  gmcp_client_open_async (fixture->client, cancellable, store, fixture);
  wait_sent (fixture, "server/discover", 1);
  steered_transport_say (fixture->transport, ANSWER_DISCOVER);
  g_cancellable_cancel (cancellable);
  wait_results (fixture, 1);
  assert_open_result (fixture, 0);
}

static void
test_cancel_with_answer (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_test_summary ("a call that is answered and cancelled in one turn ends once, and the server is "
                  "not told of a cancellation");
  fixture->transport->answer = answer_modern;
  open_client (fixture);
  call (fixture, cancellable, store);
  g_cancellable_cancel (cancellable);
  steered_transport_say (fixture->transport,
                         "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[]}}");
  wait_results (fixture, 1);
  settle ();
  g_assert_cmpuint (fixture->n_results, ==, 1);
  g_assert_null (gmcp_client_call_tool_finish (fixture->client, fixture->results[0], &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (steered_transport_count (fixture->transport, "notifications/cancelled"), ==, 0);
}

static gboolean
cut_cb (gpointer user_data)
{
  Fixture *fixture = user_data;

  gmcp_transport_closed (GMCP_TRANSPORT (fixture->transport), NULL);
  return G_SOURCE_REMOVE;
}

static void
cut_in_a_source (Fixture *fixture)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_callback (source, cut_cb, fixture, NULL);
  g_source_attach (source, NULL);
}

static void
cancel_and_iterate (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  store (source, result, user_data);
  g_cancellable_cancel (fixture->cancellable);
  /* Opened again before the other calls of the connection that broke were told. */
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  while (!gmcp_client_is_open (fixture->client))
    g_main_context_iteration (NULL, TRUE);
  settle ();
}

static void
test_nested_loop_at_the_end (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GmcpToolResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("a connection breaks; the callback of the first call cancels the others, opens "
                  "the client again and runs the main loop");
  fixture->transport->answer = answer_modern;
  open_client (fixture);
  fixture->cancellable = cancellable;
  call (fixture, cancellable, cancel_and_iterate);
  call (fixture, cancellable, store);
  call (fixture, NULL, store);
  cut_in_a_source (fixture);
  wait_results (fixture, 4);

  g_assert_true (gmcp_client_is_open (fixture->client));
  clear_results (fixture);
  call (fixture, NULL, store);
  steered_transport_say (fixture->transport,
                         "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[]}}");
  wait_results (fixture, 1);
  result = gmcp_client_call_tool_finish (fixture->client, fixture->results[0], &error);
  g_assert_no_error (error);
}

static void
drop_client (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->n_notified++;
  g_object_unref (fixture->client);
}

static void
test_drop_at_the_end (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("the callback of a call drops the last reference while the connection breaks");
  fixture->transport->answer = answer_modern;
  open_client (fixture);
  g_object_add_weak_pointer (G_OBJECT (fixture->client), (gpointer *) &fixture->client);
  call (fixture, NULL, drop_client);
  gmcp_client_list_tools_async (fixture->client, NULL, NULL, NULL);
  cut_in_a_source (fixture);
  while (fixture->n_notified == 0)
    g_main_context_iteration (NULL, TRUE);
  settle ();
  g_assert_null (fixture->client);
}

static void
call_and_wait (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;
  guint before = fixture->n_results;

  call (fixture, NULL, store);
  wait_results (fixture, before + 1);
  store (source, result, user_data);
}

static void
test_nested_timeout (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("a time limit passes in a main loop that the callback of another one runs");
  fixture->transport->answer = answer_modern;
  open_client (fixture);
  gmcp_client_set_call_timeout_ms (fixture->client, 10);
  call (fixture, NULL, call_and_wait);
  wait_results (fixture, 2);
  g_assert_null (gmcp_client_call_tool_finish (fixture->client, fixture->results[0], &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
}

static void
list_on_change (GListModel *tools, guint at, guint removed, guint added, gpointer user_data)
{
  Fixture *fixture = user_data;

  if (fixture->n_notified++ == 0)
    gmcp_client_list_tools_async (fixture->client, NULL, store, fixture);
}

static void
test_list_in_change (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("who asks for the list when it changes gets an answer to that question");
  fixture->transport->answer = answer_modern;
  open_client (fixture);
  g_signal_connect (gmcp_client_get_tools (fixture->client), "items-changed",
                    G_CALLBACK (list_on_change), fixture);
  gmcp_client_list_tools_async (fixture->client, NULL, store, fixture);
  wait_results (fixture, 1);
  g_assert_cmpuint (fixture->n_results, ==, 1);
  wait_results (fixture, 2);
  g_assert_cmpuint (steered_transport_count (fixture->transport, "tools/list"), ==, 2);
}

static void
violate (Fixture *fixture)
{
  g_autoptr (GError) error
    = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED, "Too large");

  gmcp_transport_report_violation (GMCP_TRANSPORT (fixture->transport), error);
}

static void
test_violation_while_opening (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("a line that is too large ends the probe and initialize alike");
  gmcp_client_set_probe_timeout_ms (fixture->client, 5);
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  wait_sent (fixture, "initialize", 1);
  violate (fixture);
  wait_results (fixture, 1);
  g_assert_false (gmcp_client_open_finish (fixture->client, fixture->results[0], &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
}

static void
test_violation_of_the_probe (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("an answer to the probe that cannot be read is that of a legacy server");
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  wait_sent (fixture, "server/discover", 1);
  violate (fixture);
  wait_sent (fixture, "initialize", 1);
  steered_transport_say (fixture->transport, ANSWER_INITIALIZE);
  wait_results (fixture, 1);
  assert_open_result (fixture, 0);
}

static void
test_violation (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  gint64 watch;

  g_test_summary ("a line that is too large ends all calls, which the server is told, but not the "
                  "stream of changes");
  fixture->transport->answer = answer_modern;
  open_client (fixture);
  gmcp_client_list_tools_async (fixture->client, NULL, store, fixture);
  wait_results (fixture, 1);
  clear_results (fixture);
  watch = steered_transport_get_id (fixture->transport, "subscriptions/listen");
  g_assert_cmpint (watch, >, 0);

  call (fixture, NULL, store);
  call (fixture, NULL, store);
  violate (fixture);
  wait_results (fixture, 2);
  g_assert_null (gmcp_client_call_tool_finish (fixture->client, fixture->results[1], &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_true (g_str_has_prefix (error->message, "srv: "));
  g_assert_cmpuint (steered_transport_count (fixture->transport, "notifications/cancelled"), ==, 2);
  clear_results (fixture);

  steered_transport_say (fixture->transport,
                         "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
  wait_sent (fixture, "tools/list", 2);
  g_assert_cmpuint (steered_transport_count (fixture->transport, "subscriptions/listen"), ==, 1);
}

static void
test_diagnostics (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("the error of an opening that takes too long has the server's last words");
  fixture->transport->diagnostics = "Starting up\nwaiting for the database\n\n";
  gmcp_client_set_startup_timeout_ms (fixture->client, 10);
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  wait_results (fixture, 1);
  g_assert_false (gmcp_client_open_finish (fixture->client, fixture->results[0], &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "waiting for the database"));
  g_assert_null (strstr (error->message, "Starting up"));
  g_assert_null (gmcp_client_get_protocol_version (fixture->client));
}

static void
test_send_fails (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->transport->answer = answer_modern;
  open_client (fixture);
  fixture->transport->refuse = TRUE;
  call (fixture, NULL, store);
  gmcp_client_list_tools_async (fixture->client, NULL, store, fixture);
  gmcp_client_ping_async (fixture->client, NULL, NULL, store, fixture);
  wait_results (fixture, 3);
  g_assert_null (gmcp_client_call_tool_finish (fixture->client, fixture->results[0], &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
  g_assert_true (g_str_has_prefix (error->message, "srv: "));
  g_clear_error (&error);
  g_assert_null (gmcp_client_list_tools_finish (fixture->client, fixture->results[1], &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
  g_clear_error (&error);
  g_assert_false (gmcp_client_ping_finish (fixture->client, fixture->results[2], &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
  g_clear_error (&error);
  clear_results (fixture);

  gmcp_client_close_async (fixture->client, NULL, store, fixture);
  wait_results (fixture, 1);
  clear_results (fixture);
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  wait_results (fixture, 1);
  g_assert_false (gmcp_client_open_finish (fixture->client, fixture->results[0], &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
}

static void
test_run_dispose (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("a client that is disposed of while it opens, and used after");
  gmcp_client_set_name (fixture->client, NULL);
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  wait_sent (fixture, "server/discover", 1);
  g_object_run_dispose (G_OBJECT (fixture->client));
  wait_results (fixture, 1);
  g_assert_false (gmcp_client_open_finish (fixture->client, fixture->results[0], &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);

  call (fixture, NULL, store);
  wait_results (fixture, 2);
  g_assert_cmpstr (gmcp_client_get_name (fixture->client), ==, "SteeredTransport");
}

static void
test_error_without_id (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("an error without an id ends the probe, also when the client is opened again");
  for (guint i = 1; i <= 2; i++)
    {
      gmcp_client_open_async (fixture->client, NULL, store, fixture);
      wait_sent (fixture, "server/discover", i);
      steered_transport_say (fixture->transport, "{\"jsonrpc\":\"2.0\",\"id\":77,\"error\":{}}");
      g_assert_cmpuint (steered_transport_count (fixture->transport, "initialize"), ==, i - 1);
      steered_transport_say (fixture->transport,
                             "{\"jsonrpc\":\"2.0\",\"id\":\"\",\"error\":{\"code\":-32600}}");
      g_assert_cmpuint (steered_transport_count (fixture->transport, "initialize"), ==, i);
      steered_transport_say (fixture->transport, ANSWER_INITIALIZE);
      wait_results (fixture, 1);
      assert_open_result (fixture, 0);
      clear_results (fixture);
      gmcp_client_close_async (fixture->client, NULL, store, fixture);
      wait_results (fixture, 1);
      clear_results (fixture);
    }
}

static void
test_request_while_probing (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a server that asks for a sign of life before it answers the probe gets one");
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  wait_sent (fixture, "server/discover", 1);
  steered_transport_say (fixture->transport, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}");
  g_assert_cmpstr (g_ptr_array_index (fixture->transport->sent, fixture->transport->sent->len - 1),
                   ==, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
  steered_transport_say (fixture->transport, ANSWER_NO_METHOD);
  steered_transport_say (fixture->transport, ANSWER_INITIALIZE);
  wait_results (fixture, 1);
  assert_open_result (fixture, 0);
}

static void
test_slow_modern (Fixture *fixture, gconstpointer data)
{
  g_autofree char *answer = NULL;

  g_test_summary ("a modern server that was slow to start refuses initialize, then answers the "
                  "probe");
  gmcp_client_set_probe_timeout_ms (fixture->client, 200);
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  wait_sent (fixture, "initialize", 1);
  steered_transport_say (fixture->transport, ANSWER_NO_METHOD);
  answer
    = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%" G_GINT64_FORMAT
                       ",\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}}}",
                       steered_transport_get_id (fixture->transport, "server/discover"));
  steered_transport_say (fixture->transport, answer);
  wait_results (fixture, 1);
  assert_open_result (fixture, 0);
  g_assert_cmpint (gmcp_client_get_era (fixture->client), ==, GMCP_ERA_MODERN);
}

static void
test_refused_and_silent (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_test_summary ("a server that refuses initialize and never answers the probe is not waited for");
  gmcp_client_set_probe_timeout_ms (fixture->client, 10);
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  wait_sent (fixture, "initialize", 1);
  steered_transport_say (fixture->transport, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":"
                                             "{\"code\":-32000,\"message\":\"No licence\"}}");
  wait_results (fixture, 1);
  g_assert_false (gmcp_client_open_finish (fixture->client, fixture->results[0], &error));
  g_assert_error (error, GMCP_RPC_ERROR, -32000);
  g_assert_nonnull (strstr (error->message, "No licence"));
}

static void
exit_at_probe (SteeredTransport *transport, const char *text)
{
  g_autoptr (GError) error
    = g_error_new_literal (GMCP_ERROR, GMCP_ERROR_SERVER_EXITED, "It exited with status 3");

  if (is_of (text, "server/discover"))
    gmcp_transport_closed (GMCP_TRANSPORT (transport), error);
  else
    answer_legacy (transport, text);
}

static void
exit_always (SteeredTransport *transport, const char *text)
{
  exit_at_probe (transport, "\"method\":\"server/discover\"");
}

static char *
get_cache_path (const char *key)
{
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);

  return g_build_filename (g_get_user_cache_dir (), "gmcp", "eras", digest, NULL);
}

/* A file is there before anything is in it. */
static void
wait_for_text (const char *path, const char *text)
{
  for (;;)
    {
      g_autofree char *present = NULL;

      if (g_file_get_contents (path, &present, NULL, NULL) && g_str_equal (present, text))
        return;
      g_main_context_iteration (NULL, FALSE);
      g_thread_yield ();
    }
}

static void
test_exit_at_probe (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_cache_path ("exits");

  g_test_summary ("a server that ends at the probe is started again, and the next time it is not "
                  "probed");
  fixture->transport->answer = exit_at_probe;
  gmcp_client_set_cache_key (fixture->client, "exits");
  open_client (fixture);
  g_assert_cmpint (gmcp_client_get_era (fixture->client), ==, GMCP_ERA_LEGACY);
  g_assert_cmpuint (fixture->transport->n_opened, ==, 2);
  g_assert_cmpuint (fixture->n_closed, ==, 0);
  wait_for_text (path, "legacy\n");

  gmcp_client_close_async (fixture->client, NULL, store, fixture);
  wait_results (fixture, 1);
  clear_results (fixture);
  open_client (fixture);
  g_assert_cmpuint (steered_transport_count (fixture->transport, "server/discover"), ==, 1);
  g_assert_cmpuint (fixture->transport->n_opened, ==, 3);
  g_unlink (path);
}

static void
test_exit_always (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->transport->answer = exit_always;
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  wait_results (fixture, 1);
  g_assert_false (gmcp_client_open_finish (fixture->client, fixture->results[0], &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_SERVER_EXITED);
  g_assert_nonnull (strstr (error->message, "status 3"));
  g_assert_cmpuint (fixture->transport->n_opened, ==, 2);
}

static void
test_modern_no_more (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_cache_path ("was modern");
  g_autofree char *folder = g_path_get_dirname (path);

  g_test_summary (
    "a server that is remembered as modern and does not answer the probe is opened the "
    "legacy way");
  g_mkdir_with_parents (folder, 0700);
  g_assert_true (g_file_set_contents (path, "modern\n", -1, NULL));
  gmcp_client_set_cache_key (fixture->client, "was modern");
  gmcp_client_set_probe_timeout_ms (fixture->client, 5);
  gmcp_client_set_startup_timeout_ms (fixture->client, 2000);
  gmcp_client_open_async (fixture->client, NULL, store, fixture);
  wait_sent (fixture, "initialize", 1);
  steered_transport_say (fixture->transport, ANSWER_INITIALIZE);
  wait_results (fixture, 1);
  assert_open_result (fixture, 0);
  g_unlink (path);
}

static void
answer_no_listen (SteeredTransport *transport, const char *text)
{
  if (is_of (text, "subscriptions/listen"))
    steered_transport_say (transport, ANSWER_NO_METHOD);
  else
    answer_modern (transport, text);
}

static void
test_no_listen (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a server that does not know the stream of changes is asked for it once");
  fixture->transport->answer = answer_no_listen;
  open_client (fixture);
  for (guint i = 0; i < 2; i++)
    {
      gmcp_client_list_tools_async (fixture->client, NULL, store, fixture);
      wait_results (fixture, 1);
      clear_results (fixture);
    }
  g_assert_cmpuint (steered_transport_count (fixture->transport, "subscriptions/listen"), ==, 1);
}

static gpointer
ping_in_thread (gpointer client)
{
  gmcp_client_ping_async (client, NULL, NULL, NULL, NULL);
  return NULL;
}

static void
test_other_thread (void)
{
  g_autoptr (GmcpTransport) one = NULL;
  g_autoptr (GmcpTransport) other = NULL;
  g_autoptr (GmcpClient) client = NULL;

  gmcp_memory_transport_new_pair (&one, &other);
  client = gmcp_client_new (one);

  g_assert_true (g_main_context_acquire (NULL));
  g_test_expect_message ("Gmcp", G_LOG_LEVEL_CRITICAL,
                         "gmcp_client_ping_async: this GmcpClient belongs to the main context of "
                         "another thread");
  g_thread_join (g_thread_new ("other", ping_in_thread, client));
  g_test_assert_expected_messages ();
  g_main_context_release (NULL);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(path, func)                                                                            \
  g_test_add ("/client/lifetime/" path, Fixture, NULL, set_up, func, tear_down)
  ADD ("reopen/while-closing", test_reopen_while_closing);
  ADD ("reopen/close-while-opening", test_close_while_opening);
  ADD ("reopen/in-callback", test_reopen_in_callback);
  ADD ("reopen/in-callback-of-close", test_reopen_in_callback_of_close);
  ADD ("reopen/on-closed", test_reopen_on_closed);
  ADD ("close-cancelled", test_close_cancelled);
  ADD ("cancelled-too-late", test_cancelled_too_late);
  ADD ("cancel-with-answer", test_cancel_with_answer);
  ADD ("nested-loop", test_nested_loop_at_the_end);
  ADD ("nested-timeout", test_nested_timeout);
  ADD ("drop", test_drop_at_the_end);
  ADD ("list-in-change", test_list_in_change);
  ADD ("violation/while-opening", test_violation_while_opening);
  ADD ("violation/of-the-probe", test_violation_of_the_probe);
  ADD ("violation/of-a-call", test_violation);
  ADD ("diagnostics", test_diagnostics);
  ADD ("send-fails", test_send_fails);
  ADD ("run-dispose", test_run_dispose);
  ADD ("probe/error-without-id", test_error_without_id);
  ADD ("probe/request", test_request_while_probing);
  ADD ("probe/slow-modern", test_slow_modern);
  ADD ("probe/refused-and-silent", test_refused_and_silent);
  ADD ("probe/exit", test_exit_at_probe);
  ADD ("probe/exit-always", test_exit_always);
  ADD ("probe/modern-no-more", test_modern_no_more);
  ADD ("no-listen", test_no_listen);
#undef ADD

  g_test_add_func ("/client/lifetime/other-thread", test_other_thread);
  return g_test_run ();
}
