/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What servers hold up or do too much of, and what is left of the connection then. */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-limits.h"
#include "http-fixture.h"
#include "unit-test.h"

static const GmcpHttpTimes quick = {
  .connect_ms = 300,
  .barrier_ms = 300,
  .body_ms = 50,
  .linger_ms = 20,
  .goodbye_ms = 100,
  .retry_ms = 1,
  .min_retry_ms = 1,
  .max_retry_ms = 20,
  .short_life_ms = 5000,
};

/* For what has to reach the server before. */
static const GmcpHttpTimes steady = {
  .connect_ms = 8000,
  .barrier_ms = 3000,
  .body_ms = 50,
  .linger_ms = 20,
  .goodbye_ms = 1500,
  .retry_ms = 1,
  .min_retry_ms = 1,
  .max_retry_ms = 20,
  .short_life_ms = 5000,
};

/* For places that are free again when their time is over. */
static const GmcpHttpTimes brief = {
  .connect_ms = 8000,
  .barrier_ms = 3000,
  .body_ms = 50,
  .linger_ms = 20,
  .goodbye_ms = 100,
  .retry_ms = 1,
  .min_retry_ms = 1,
  .max_retry_ms = 20,
  .short_life_ms = 5000,
};

/* For what must not end by itself. */
static const GmcpHttpTimes patient = {
  .connect_ms = 60000,
  .barrier_ms = 60000,
  .body_ms = 60000,
  .linger_ms = 60000,
  .goodbye_ms = 60000,
  .retry_ms = 60000,
  .min_retry_ms = 60000,
  .max_retry_ms = 60000,
  .short_life_ms = 5000,
};

static void
test_interim (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/interim");

  g_test_summary ("An answer that is announced for ever");
  http_peer_request (peer, "a");
  http_peer_wait_failures (peer, 1);
  g_assert_error (peer->failure.error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_nonnull (strstr (peer->failure.error->message, "/interim"));
}

static void
test_interim_few (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/interim-few");

  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
test_stalled_refusal (gconstpointer path)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_quick (server, path, &patient);
  g_autofree char *scope = NULL;

  g_test_summary ("The head says enough, whatever becomes of the body");
  http_peer_request (peer, "a");
  http_peer_wait_failures (peer, 1);
  g_assert_error (peer->failure.error, GMCP_AUTH_ERROR, GMCP_AUTH_ERROR_SIGN_IN_REQUIRED);
  g_assert_cmpuint (peer->failure.http_status, ==, 401);
  scope = gmcp_auth_error_dup_challenge (peer->failure.error, "scope");
  g_assert_cmpstr (scope, ==, strstr (path, "stall") != NULL ? "a" : NULL);
}

static void
test_stalled_failure (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_quick (server, "/fail-stall", &quick);

  http_peer_request (peer, "a");
  http_peer_wait_failures (peer, 1);
  g_assert_cmpuint (peer->failure.http_status, ==, 500);
}

static void
test_stalled_redirection (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_quick (server, "/redirect-stall", &patient);

  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
}

static void
test_stalled_acceptance (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_quick (server, "/accept-stall", &quick);

  http_peer_request (peer, "a");
  http_peer_wait_failures (peer, 1);
  g_assert_error (peer->failure.error, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
}

static void
test_open_notes (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_quick (server, "/note-open", &brief);

  g_test_summary ("Streams that come for messages that want no answer do not fill all places");
  for (guint i = 0; i <= GMCP_LIMIT_HTTP_MESSAGES; i++)
    http_peer_notify (peer, "a", FALSE);
  http_peer_request (peer, "b");
  http_peer_wait_messages (peer, 1);
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
test_answered_elsewhere (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_quick (server, "/listen?elsewhere", &patient);
  guint n = GMCP_LIMIT_HTTP_MESSAGES + 10;

  g_test_summary ("Requests that another stream answers do not fill all places");
  http_peer_begin (peer, "begin");
  http_peer_wait_messages (peer, 1);
  gmcp_transport_begin_session (peer->transport, NULL);
  for (guint i = 0; i < n; i++)
    http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1 + n);
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
test_old_open_posts (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_old (server, "/old", &brief);

  g_test_summary ("What was posted may stay open, the connections last");
  for (guint i = 1; i <= GMCP_LIMIT_HTTP_CONNECTIONS + 10; i++)
    {
      http_peer_request (peer, "a");
      http_peer_wait_messages (peer, i);
    }
  for (guint i = 0; i <= GMCP_LIMIT_HTTP_CONNECTIONS; i++)
    http_peer_notify (peer, "b", FALSE);
  http_peer_request (peer, "c");
  http_peer_wait_messages (peer, GMCP_LIMIT_HTTP_CONNECTIONS + 11);
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
test_old_cancel_held (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_old (server, "/old?late", &patient);
  g_autoptr (HttpPeer) other = http_peer_new_open (server, "/go");

  g_test_summary ("What waits for the address to send it to can be taken back");
  gmcp_transport_cancel_request (peer->transport, http_peer_request (peer, "not sent"));
  gmcp_transport_cancel_request (peer->transport, 77);
  http_peer_request (peer, "a");
  http_server_wait (server, "GET /old?late");
  http_peer_request (other, "go");
  http_peer_wait_messages (peer, 1);
  g_assert_cmpuint (http_server_count (server, "POST /old?late"), ==, 1);
}

static void
test_old_cancel_unwritten (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_old (server, "/old", &patient);

  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
  gmcp_transport_cancel_request (peer->transport, http_peer_request (peer, "not sent"));
  http_peer_request (peer, "b");
  http_peer_wait_messages (peer, 2);
  g_assert_cmpuint (http_server_count (server, "POST /old"), ==, 2);
}

static void
test_close_sends (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_quick (server, "/listen?cut", &patient);

  g_test_summary ("Messages that want no answer are sent before the end, also those that are held");
  http_peer_begin (peer, "begin");
  http_peer_wait_messages (peer, 1);
  http_peer_notify (peer, "a", TRUE);
  http_peer_notify (peer, "b", FALSE);
  http_peer_request (peer, "not sent");
  http_peer_notify (peer, "c", FALSE);
  http_peer_close (peer);
  g_assert_cmpuint (http_server_count (server, "POST /listen?cut"), ==, 4);
  g_assert_cmpuint (http_server_count (server, "DELETE /listen?cut"), ==, 1);
  g_assert_cmpuint (peer->n_failures, ==, 0);
  g_assert_cmpuint (peer->messages->len, ==, 1);

  /* It can be used anew. */
  http_peer_open (peer);
  http_peer_begin (peer, "begin");
  http_peer_wait_messages (peer, 2);
}

static void
test_close_ends (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_quick (server, "/stall", &quick);
  g_autoptr (HttpPeer) stalled = http_peer_new_quick (server, "/accept-stall", &patient);

  g_test_summary (
    "A server that takes nothing in holds nothing up; one that does not end its answer"
    " has taken it in");
  http_peer_notify (peer, "a", FALSE);
  http_peer_notify (stalled, "a", FALSE);
  http_peer_close (peer);
  http_peer_close (stalled);
  g_assert_cmpuint (http_server_count (server, "POST /accept-stall"), ==, 1);
}

static void
test_old_close_sends (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_old (server, "/old", &steady);

  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
  http_peer_notify (peer, "b", FALSE);
  http_peer_request (peer, "not sent");
  http_peer_close (peer);
  g_assert_cmpuint (http_server_count (server, "POST /old"), ==, 2);
  g_assert_cmpuint (peer->messages->len, ==, 1);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/transport/http/interim/endless", test_interim);
  g_test_add_func ("/transport/http/interim/few", test_interim_few);
  g_test_add_data_func ("/transport/http/refusal/stalled", "/refuse-stall", test_stalled_refusal);
  g_test_add_data_func ("/transport/http/refusal/endless", "/refuse-endless", test_stalled_refusal);
  g_test_add_func ("/transport/http/stalled/failure", test_stalled_failure);
  g_test_add_func ("/transport/http/stalled/redirection", test_stalled_redirection);
  g_test_add_func ("/transport/http/stalled/acceptance", test_stalled_acceptance);
  g_test_add_func ("/transport/http/places/notes", test_open_notes);
  g_test_add_func ("/transport/http/places/answered-elsewhere", test_answered_elsewhere);
  g_test_add_func ("/transport/http/old/open-posts", test_old_open_posts);
  g_test_add_func ("/transport/http/old/cancel-held", test_old_cancel_held);
  g_test_add_func ("/transport/http/old/cancel-unwritten", test_old_cancel_unwritten);
  g_test_add_func ("/transport/http/old/close-sends", test_old_close_sends);
  g_test_add_func ("/transport/http/close/sends", test_close_sends);
  g_test_add_func ("/transport/http/close/ends", test_close_ends);

  return g_test_run ();
}
