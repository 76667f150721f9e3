/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The stream of what a server says unasked, where it breaks or is refused, and the sessions that are
 * lost without a request that says so. */

#include "config.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "http-fixture.h"
#include "unit-test.h"

static const GmcpHttpTimes quick = {
  .connect_ms = 30000,
  .barrier_ms = 3000,
  .body_ms = 3000,
  .linger_ms = 1000,
  .goodbye_ms = 2000,
  .retry_ms = 1,
  .min_retry_ms = 1,
  .max_retry_ms = 20,
  .short_life_ms = 5000,
};

static HttpPeer *
open_session (HttpServer *server, const char *path)
{
  HttpPeer *peer = http_peer_new_quick (server, path, &quick);

  http_peer_begin (peer, "begin");
  http_peer_wait_messages (peer, 1);
  return peer;
}

static void
wait_unasked (HttpPeer *peer)
{
  http_peer_wait_messages (peer, 2);
  http_peer_assert_last (peer, "unasked");
  g_assert_cmpuint (peer->n_failures, ==, 0);
  g_assert_cmpuint (peer->n_sessions_lost, ==, 0);
}

static void
test_cut (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = open_session (server, "/listen?cut");

  g_test_summary ("A stream that breaks again and again is opened again, and each break is told");
  gmcp_transport_begin_session (peer->transport, NULL);
  wait_unasked (peer);
  g_assert_cmpuint (peer->n_heard, ==, 9);
}

static void
test_resumed (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = open_session (server, "/listen?ids");

  g_test_summary ("What goes on where it broke has lost nothing");
  gmcp_transport_begin_session (peer->transport, NULL);
  wait_unasked (peer);
  g_assert_cmpuint (peer->n_deaf, ==, 0);
}

static void
test_refused_for_a_while (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = open_session (server, "/listen?back");

  g_test_summary ("A stream that has stood is asked for however often it is refused");
  gmcp_transport_begin_session (peer->transport, NULL);
  wait_unasked (peer);
  g_assert_cmpuint (peer->n_heard, ==, 1);
}

static void
test_forgotten (gconstpointer path)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = open_session (server, path);

  g_test_summary ("A stream that has stood and is refused: the session is over");
  gmcp_transport_begin_session (peer->transport, NULL);
  while (peer->n_sessions_lost == 0)
    g_main_context_iteration (NULL, TRUE);

  http_peer_begin (peer, "begin");
  http_peer_wait_messages (peer, 2);
  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 3);
  g_assert_cmpuint (peer->n_sessions_lost, ==, 1);
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
test_refused_at_first (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = open_session (server, "/listen?first");

  g_test_summary ("A server without such a stream may say so in any way");
  gmcp_transport_begin_session (peer->transport, NULL);
  http_server_wait (server, "GET /listen?first");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  http_peer_request (peer, "a");
  http_peer_wait_failures (peer, 1);
  g_assert_true (peer->failure.session_lost);
  g_assert_cmpuint (peer->n_sessions_lost, ==, 0);
  g_assert_cmpuint (peer->n_deaf, ==, 0);
  g_assert_cmpuint (http_server_count (server, "GET /listen?first"), ==, 1);
}

static void
test_note_refused (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = open_session (server, "/listen?404");

  g_test_summary ("A message that wants no answer learns that the session is over");
  http_peer_notify (peer, "forget", FALSE);
  while (peer->n_sessions_lost == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
test_sent_without (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = open_session (server, "/listen?404");

  g_test_summary ("Until there is a new session, each request says that there is none");
  http_peer_request (peer, "forget");
  http_peer_wait_failures (peer, 1);
  g_assert_true (peer->failure.session_lost);
  http_peer_request (peer, "a");
  http_peer_wait_failures (peer, 2);
  g_assert_cmpuint (peer->failure.http_status, ==, 400);
  g_assert_true (peer->failure.session_lost);

  http_peer_begin (peer, "begin");
  http_peer_wait_messages (peer, 2);
  http_peer_request (peer, "odd");
  http_peer_wait_failures (peer, 3);
  g_assert_false (peer->failure.session_lost);
}

static void
test_status_400 (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = open_session (server, "/listen?400");

  g_test_summary ("400 may mean anything, but not where its text is of sessions");
  http_peer_request (peer, "odd");
  http_peer_wait_failures (peer, 1);
  g_assert_false (peer->failure.session_lost);
  http_peer_request (peer, "told");
  http_peer_wait_messages (peer, 2);
  http_peer_assert_last (peer, "Give a session");
  http_peer_request (peer, "forget");
  http_peer_wait_failures (peer, 2);
  g_assert_true (peer->failure.session_lost);
  g_assert_true (peer->failure.unprocessed);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/transport/http/listening/cut", test_cut);
  g_test_add_func ("/transport/http/listening/resumed", test_resumed);
  g_test_add_func ("/transport/http/listening/refused-for-a-while", test_refused_for_a_while);
  g_test_add_data_func ("/transport/http/listening/forgotten/404", "/listen?404", test_forgotten);
  g_test_add_data_func ("/transport/http/listening/forgotten/400", "/listen?400", test_forgotten);
  g_test_add_func ("/transport/http/listening/refused-at-first", test_refused_at_first);
  g_test_add_func ("/transport/http/session/note-refused", test_note_refused);
  g_test_add_func ("/transport/http/session/sent-without", test_sent_without);
  g_test_add_func ("/transport/http/session/status-400", test_status_400);

  return g_test_run ();
}
