/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-limits.h"
#include "http-fixture.h"
#include "set-file.h"
#include "unit-test.h"

static void
test_json (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/json");
  g_autofree char *accept = NULL;
  g_autofree char *type = NULL;
  g_autofree char *era = NULL;

  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
  http_peer_assert_last (peer, "\"connection\": 1,");
  http_peer_notify (peer, "b", FALSE);
  http_peer_request (peer, "c");
  http_peer_wait_messages (peer, 2);
  http_peer_assert_last (peer, "\"id\": 2,");

  accept = http_server_dup_header (server, "/json", "accept");
  g_assert_cmpstr (accept, ==, "application/json, text/event-stream");
  type = http_server_dup_header (server, "/json", "content-type");
  g_assert_cmpstr (type, ==, "application/json");
  era = http_server_dup_header (server, "/json", "x-era");
  g_assert_cmpstr (era, ==, "newest");
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
test_connection_kept (void)
{
  static const char *const paths[] = { "/json", "/sse" };

  g_test_summary ("Messages that follow each other go over one connection");
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (HttpServer) server = http_server_start ();
      g_autoptr (HttpPeer) peer = http_peer_new_open (server, paths[i]);

      for (guint n = 1; n <= 5; n++)
        {
          http_peer_request (peer, "a");
          while (g_hash_table_size (peer->waiting) > 0)
            g_main_context_iteration (NULL, TRUE);
          /* The end of the stream comes after the answer; this lets it. */
          g_assert_cmpuint (http_server_count (server, "GET /nothing"), ==, 0);
          http_peer_assert_last (peer, "\"connection\": 1");
        }
    }
}

static void
test_sse (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/sse");

  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 2);
  g_assert_nonnull (strstr (g_ptr_array_index (peer->messages, 0), "progress"));
  http_peer_assert_last (peer, "\"id\": 1,");
}

static void
test_sse_left_open (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/sse-open");

  g_test_summary ("A stream that stays open after the answer is closed");
  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
  while (http_server_count (server, "closed /sse-open") == 0)
    ;
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
test_cancel (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/stall");
  gint64 first = http_peer_request (peer, "a");
  gint64 second = http_peer_request (peer, "b");

  g_test_summary ("Closing one request's stream leaves the others alone");
  while (http_server_count (server, "POST /stall") < 2)
    ;
  gmcp_transport_cancel_request (peer->transport, first);
  gmcp_transport_cancel_request (peer->transport, 77);
  while (http_server_count (server, "closed /stall") == 0)
    ;
  g_assert_cmpuint (http_server_count (server, "closed /stall"), ==, 1);
  g_assert_cmpuint (peer->n_failures, ==, 0);
  gmcp_transport_cancel_request (peer->transport, second);
  while (http_server_count (server, "closed /stall") < 2)
    ;
}

static void
test_sent_once (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/once");

  g_test_summary ("A kept connection that is closed after the request was read");
  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
  http_peer_request (peer, "b");
  http_peer_wait_failures (peer, 1);
  g_assert_error (peer->failure.error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_assert_false (peer->failure.unprocessed);
  g_assert_cmpuint (http_server_count (server, "POST /once"), ==, 2);

  /* The next one gets a connection of its own. */
  http_peer_request (peer, "c");
  http_peer_wait_messages (peer, 2);
  http_peer_assert_last (peer, "\"id\": 3,");
}

typedef struct
{
  const char *path;
  GQuark (*domain) (void);
  int code;
  guint status;
  gboolean unprocessed;
  const char *part; /* of the message */
} Failure;

static const Failure failures[] = {
  { "/sse-cut", gmcp_error_quark, GMCP_ERROR_CLOSED, 200, FALSE, "may have been done" },
  { "/refuse", gmcp_auth_error_quark, GMCP_AUTH_ERROR_SIGN_IN_REQUIRED, 401, TRUE, "sign in" },
  { "/forbid", gmcp_auth_error_quark, GMCP_AUTH_ERROR_SIGN_IN_REQUIRED, 403, TRUE, "403" },
  { "/busy", gmcp_error_quark, GMCP_ERROR_FAILED, 429, TRUE,
    "(“Slowly”); it asks to be left alone for 7 s" },
  { "/busy-rpc", gmcp_rpc_error_quark, -32603, 503, TRUE,
    "(“Not yet”); it asks to be left alone for 7 s" },
  { "/down", gmcp_error_quark, GMCP_ERROR_FAILED, 503, FALSE,
    "503; it asks to be left alone for a while" },
  { "/html", gmcp_error_quark, GMCP_ERROR_PROTOCOL, 200, FALSE, "web page" },
  { "/nonsense", gmcp_error_quark, GMCP_ERROR_PROTOCOL, 200, FALSE, "not what it was asked" },
  { "/empty", gmcp_error_quark, GMCP_ERROR_PROTOCOL, 200, FALSE, "not what it was asked" },
  { "/accepted", gmcp_error_quark, GMCP_ERROR_PROTOCOL, 202, FALSE, "does not answer" },
  { "/error-null", gmcp_rpc_error_quark, -32020, 400, TRUE, "bad" },
  { "/error-200", gmcp_rpc_error_quark, -32601, 200, FALSE, "bad" },
  { "/short", gmcp_error_quark, GMCP_ERROR_CLOSED, 200, FALSE, "broke" },
  { "/garbage", gmcp_error_quark, GMCP_ERROR_CLOSED, 0, FALSE, "broke" },
  { "/header", gmcp_error_quark, GMCP_ERROR_CLOSED, 0, FALSE, "broke" },
  { "/big", gmcp_error_quark, GMCP_ERROR_LIMIT_EXCEEDED, 200, FALSE, "limit" },
  { "/big-chunked", gmcp_error_quark, GMCP_ERROR_LIMIT_EXCEEDED, 200, FALSE, "limit" },
  { "/big-event", gmcp_error_quark, GMCP_ERROR_LIMIT_EXCEEDED, 200, FALSE, "limit" },
  { "/bomb", gmcp_error_quark, GMCP_ERROR_LIMIT_EXCEEDED, 200, FALSE, "limit" },
  { "/to?302=/json", gmcp_error_quark, GMCP_ERROR_PROTOCOL, 302, FALSE, "/json" },
  { "/to?307=file:///etc/passwd", gmcp_error_quark, GMCP_ERROR_PROTOCOL, 307, FALSE, "not http" },
  { "/to?308", gmcp_error_quark, GMCP_ERROR_PROTOCOL, 308, FALSE, "not http" },
};

static void
test_failure (gconstpointer data)
{
  const Failure *expected = data;
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, expected->path);

  gmcp_transport_set_max_message_bytes (peer->transport, 50000);
  http_peer_request (peer, "a");
  http_peer_wait_failures (peer, 1);
  g_assert_error (peer->failure.error, expected->domain (), expected->code);
  g_assert_cmpint (peer->failed_id, ==, 1);
  g_assert_cmpuint (peer->failure.http_status, ==, expected->status);
  g_assert_cmpint (peer->failure.unprocessed, ==, expected->unprocessed);
  g_assert_false (peer->failure.session_lost);
  g_assert_nonnull (strstr (peer->failure.error->message, expected->part));
  g_assert_cmpint (peer->failure.retry_after_ms, ==,
                   g_str_has_prefix (expected->path, "/busy") ? 7000 : -1);
  /* It is one request that failed; the transport goes on. */
  g_assert_true (gmcp_transport_is_open (peer->transport));
  g_assert_cmpuint (peer->n_closed, ==, 0);
}

static void
test_challenge (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/refuse");
  g_autofree char *metadata = NULL;
  g_autofree char *scope = NULL;
  g_autofree char *scheme = NULL;

  http_peer_request (peer, "a");
  http_peer_wait_failures (peer, 1);
  metadata = gmcp_auth_error_dup_challenge (peer->failure.error, "resource_metadata");
  g_assert_cmpstr (metadata, ==, "https://example.org/.well-known/x");
  scope = gmcp_auth_error_dup_challenge (peer->failure.error, "scope");
  g_assert_cmpstr (scope, ==, "a b");
  scheme = gmcp_auth_error_dup_challenge (peer->failure.error, "scheme");
  g_assert_cmpstr (scheme, ==, "Bearer");
  g_assert_null (gmcp_auth_error_dup_challenge (peer->failure.error, "realm"));
}

static void
test_answer (gconstpointer path)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, path);

  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
  http_peer_assert_last (peer, "\"id\": 1,");
  g_assert_cmpuint (g_hash_table_size (peer->waiting), ==, 0);
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
test_redirect_endless (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/loop");

  http_peer_request (peer, "a");
  http_peer_wait_failures (peer, 1);
  g_assert_error (peer->failure.error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_cmpuint (http_server_count (server, "POST /loop"), ==, GMCP_LIMIT_HTTP_REDIRECTS + 1);
}

static void
test_unreachable (void)
{
  static const char *const urls[] = {
    "http://127.0.0.1:1/x?key=secret",
    "https://127.0.0.1:1/x",
    "http://does-not-exist.invalid/x",
    "unix:///does/not/exist#/x",
  };

  for (guint i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autoptr (HttpPeer) peer = http_peer_new (urls[i]);

      http_peer_open (peer);
      http_peer_request (peer, "a");
      http_peer_wait_failures (peer, 1);
      g_assert_true (peer->failure.unprocessed);
      g_assert_cmpuint (peer->failure.http_status, ==, 0);
      g_assert_null (strstr (peer->failure.error->message, "secret"));
      g_assert_nonnull (strstr (peer->failure.error->message, "cannot be reached"));
    }
}

static void
store_result (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **out = user_data;

  *out = g_object_ref (result);
}

static void
test_bad_url (void)
{
  static const char *const urls[]
    = { "",          "x",         "ftp://a/b", "http://",         "file:///etc/passwd",
        "http:///x", "unix:///a", "unix:#/b",  "http://a:99999/x" };

  for (guint i = 0; i < G_N_ELEMENTS (urls); i++)
    {
      g_autoptr (GmcpTransport) transport = GMCP_TRANSPORT (gmcp_http_transport_new (urls[i]));
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *description = gmcp_transport_dup_description (transport);

      g_assert_nonnull (description);
      gmcp_transport_open_async (transport, NULL, store_result, &result);
      while (result == NULL)
        g_main_context_iteration (NULL, TRUE);
      g_assert_false (gmcp_transport_open_finish (transport, result, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
    }
}

static void
test_bad_settings (void)
{
  g_autoptr (GmcpHttpTransport) transport = gmcp_http_transport_new ("https://localhost/");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (gmcp_http_transport_set_header (transport, "A B", "x", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (gmcp_http_transport_set_header (transport, "A", "x\r\nB: y", &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_assert_true (gmcp_http_transport_set_header (transport, "A", NULL, &error));
  g_assert_no_error (error);

  set_file (transport, "ca-file", "/does/not/exist.pem");
  g_assert_cmpstr (g_file_peek_path (gmcp_http_transport_get_ca_file (transport)), ==,
                   "/does/not/exist.pem");
  gmcp_transport_open_async (GMCP_TRANSPORT (transport), NULL, store_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (gmcp_transport_open_finish (GMCP_TRANSPORT (transport), result, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG);
  g_assert_nonnull (strstr (error->message, "/does/not/exist.pem"));
}

static void
test_socket (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autofree char *url = g_strdup_printf ("unix://%s#/json", server->socket);
  g_autoptr (HttpPeer) peer = http_peer_new (url);
  g_autofree char *host = NULL;

  http_peer_open (peer);
  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
  http_peer_assert_last (peer, "\"id\": 1,");
  host = http_server_dup_header (server, "/json", "host");
  g_assert_cmpstr (host, ==, "localhost");
}

static void
test_session (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/session");
  static const char *const headers[] = { "X-Own", "yes", NULL };
  g_autofree char *own = NULL;
  guint n_gets;

  http_peer_begin (peer, "begin");
  http_peer_wait_messages (peer, 1);
  http_peer_assert_last (peer, "\"had\": null");

  /* What is sent next waits until the server has taken this in. */
  http_peer_notify (peer, "begun", TRUE);
  gmcp_transport_begin_session (peer->transport, headers);
  http_peer_request (peer, "a");
  while (g_hash_table_size (peer->waiting) > 0)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < peer->messages->len; i++)
    g_assert_null (strstr (g_ptr_array_index (peer->messages, i), "\"taken_in\": 0"));

  /* The stream is opened again where it ended. */
  while (strstr (g_ptr_array_index (peer->messages, peer->messages->len - 1), "\"after\": \"e")
         == NULL)
    g_main_context_iteration (NULL, TRUE);
  n_gets = http_server_count (server, "GET /session");
  g_assert_cmpuint (n_gets, >=, 2);
  g_assert_cmpuint (n_gets, <, 5);
  own = http_server_dup_header (server, "/session", "x-own");
  g_assert_cmpstr (own, ==, "yes");
  g_assert_cmpuint (peer->n_failures, ==, 0);

  http_peer_close (peer);
  g_assert_cmpuint (http_server_count (server, "DELETE /session"), ==, 1);
  n_gets = http_server_count (server, "GET /session");
  g_assert_cmpuint (peer->n_closed, ==, 1);
}

static void
test_session_lost (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/session");
  gint64 broken;

  http_peer_begin (peer, "begin");
  http_peer_wait_messages (peer, 1);
  gmcp_transport_begin_session (peer->transport, NULL);
  broken = http_peer_request (peer, "break");
  http_peer_request (peer, "lose");
  /* Which of the two learns first is a matter of luck: the one that is answered so, or the one whose
   * stream cannot be had again. */
  for (guint i = 1; i <= 2; i++)
    {
      http_peer_wait_failures (peer, i);
      g_assert_true (peer->failure.session_lost);
      g_assert_true (peer->failure.unprocessed == (peer->failed_id != broken));
      if (peer->failed_id != broken)
        g_assert_error (peer->failure.error, GMCP_RPC_ERROR, -32001);
    }

  /* A new session, on the same transport. */
  http_peer_begin (peer, "begin");
  while (g_hash_table_size (peer->waiting) > 0)
    g_main_context_iteration (NULL, TRUE);
  http_peer_request (peer, "a");
  while (g_hash_table_size (peer->waiting) > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (peer->n_failures, ==, 2);
}

static void
test_session_deaf (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/deaf");

  g_test_summary ("No stream to listen to is no error; a goodbye that is not answered ends too");
  http_peer_begin (peer, "begin");
  http_peer_wait_messages (peer, 1);
  gmcp_transport_begin_session (peer->transport, NULL);
  while (http_server_count (server, "GET /deaf") == 0)
    ;
  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 2);
  http_peer_close (peer);
  g_assert_cmpuint (peer->n_failures, ==, 0);
  g_assert_cmpuint (http_server_count (server, "GET /deaf"), ==, 1);
  g_assert_cmpuint (http_server_count (server, "DELETE /deaf"), ==, 1);
}

static void
test_resume (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/poll");

  gmcp_transport_begin_session (peer->transport, NULL);
  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 2);
  http_peer_assert_last (peer, "\"after\": \"2\"");
  g_assert_cmpuint (http_server_count (server, "POST /poll"), ==, 1);
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
test_no_resume (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/poll");

  g_test_summary ("Without a session streams are not opened again");
  http_peer_request (peer, "a");
  http_peer_wait_failures (peer, 1);
  g_assert_error (peer->failure.error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  g_assert_cmpuint (http_server_count (server, "GET /poll"), ==, 0);
}

static void
test_many (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/json");

  g_test_summary ("More requests at once than connections");
  for (guint i = 0; i < 300; i++)
    http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 300);
  g_assert_cmpuint (peer->n_failures, ==, 0);
  g_assert_cmpuint (http_server_count (server, "POST /json"), ==, 300);
}

static void
test_too_many (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/stall");
  gint64 first = http_peer_request (peer, "a");

  g_test_summary ("What waits for others is sent when they have ended, and can be taken back");
  for (guint i = 1; i < GMCP_LIMIT_HTTP_MESSAGES; i++)
    http_peer_request (peer, "a");
  gmcp_transport_cancel_request (peer->transport, http_peer_request (peer, "not sent"));
  http_peer_request (peer, "late");
  while (http_server_count (server, "POST /stall") < GMCP_LIMIT_HTTP_MESSAGES)
    ;
  g_assert_cmpuint (http_server_count (server, "POST /stall"), ==, GMCP_LIMIT_HTTP_MESSAGES);

  gmcp_transport_cancel_request (peer->transport, first);
  while (http_server_count (server, "POST /stall") == GMCP_LIMIT_HTTP_MESSAGES)
    ;
  g_assert_cmpuint (http_server_count (server, "POST /stall"), ==, GMCP_LIMIT_HTTP_MESSAGES + 1);
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
close_in_callback (gpointer data)
{
  HttpPeer *peer = data;

  gmcp_transport_close_async (peer->transport, NULL, NULL, NULL);
}

static void
test_close_in_callback (void)
{
  static const char *const paths[] = { "/json", "/sse", "/sse-open", "/error-id" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (HttpServer) server = http_server_start ();
      g_autoptr (HttpPeer) peer = http_peer_new_open (server, paths[i]);

      peer->on_message = close_in_callback;
      http_peer_request (peer, "a");
      http_peer_request (peer, "b");
      http_peer_wait_messages (peer, 1);
      while (peer->n_closed == 0)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpuint (peer->messages->len, ==, 1);
    }
}

static void
test_dispose_at_any_time (void)
{
  static const char *const paths[]
    = { "/json", "/sse", "/stall", "/sse-open", "/session", "/bomb" };
  g_autoptr (HttpServer) server = http_server_start ();

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      for (guint n = 0; n < 12; n++)
        {
          g_autofree char *url = http_server_dup_url (server, paths[i]);
          GmcpTransport *transport = GMCP_TRANSPORT (gmcp_http_transport_new (url));
          GmcpOutgoing message = { .text = "{\"id\":1}", .length = 8, .request_id = 1 };
          g_autoptr (GAsyncResult) result = NULL;
          g_autoptr (GError) error = NULL;

          gmcp_transport_open_async (transport, NULL, store_result, &result);
          while (result == NULL)
            g_main_context_iteration (NULL, TRUE);
          g_clear_object (&result);
          gmcp_transport_send (transport, &message, &error);
          g_assert_no_error (error);
          gmcp_transport_begin_session (transport, NULL);
          for (guint turn = 0; turn < n; turn++)
            g_main_context_iteration (NULL, FALSE);
          g_assert_finalize_object (transport);
          while (g_main_context_iteration (NULL, FALSE))
            ;
        }
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/transport/http/json", test_json);
  g_test_add_func ("/transport/http/sse", test_sse);
  g_test_add_func ("/transport/http/sse-left-open", test_sse_left_open);
  g_test_add_func ("/transport/http/connection-kept", test_connection_kept);
  g_test_add_func ("/transport/http/cancel", test_cancel);
  g_test_add_func ("/transport/http/sent-once", test_sent_once);
  for (guint i = 0; i < G_N_ELEMENTS (failures); i++)
    {
      g_autofree char *name = g_strdelimit (g_strdup (failures[i].path + 1), "?=/:", '-');
      g_autofree char *path = g_strconcat ("/transport/http/failure/", name, NULL);

      g_test_add_data_func (path, &failures[i], test_failure);
    }
  g_test_add_func ("/transport/http/challenge", test_challenge);
  g_test_add_data_func ("/transport/http/answer/no-type", "/plain", test_answer);
  g_test_add_data_func ("/transport/http/answer/error", "/error-id", test_answer);
  g_test_add_data_func ("/transport/http/answer/gzip", "/gzip", test_answer);
  g_test_add_data_func ("/transport/http/answer/redirect", "/to?308=/json", test_answer);
  g_test_add_func ("/transport/http/redirect/endless", test_redirect_endless);
  g_test_add_func ("/transport/http/unreachable", test_unreachable);
  g_test_add_func ("/transport/http/bad-url", test_bad_url);
  g_test_add_func ("/transport/http/bad-settings", test_bad_settings);
  g_test_add_func ("/transport/http/socket", test_socket);
  g_test_add_func ("/transport/http/session/whole", test_session);
  g_test_add_func ("/transport/http/session/lost", test_session_lost);
  g_test_add_func ("/transport/http/session/deaf", test_session_deaf);
  g_test_add_func ("/transport/http/resume", test_resume);
  g_test_add_func ("/transport/http/no-resume", test_no_resume);
  g_test_add_func ("/transport/http/many", test_many);
  g_test_add_func ("/transport/http/too-many", test_too_many);
  g_test_add_func ("/transport/http/close-in-callback", test_close_in_callback);
  g_test_add_func ("/transport/http/dispose-at-any-time", test_dispose_at_any_time);

  return g_test_run ();
}
