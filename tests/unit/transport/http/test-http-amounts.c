/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What servers send too much of, and how large a message may be. */

#include "config.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-limits.h"
#include "memory-peak.h"
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
test_limit_raised (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autofree char *url = http_server_dup_url (server, "/grow");
  g_autoptr (HttpPeer) peer = http_peer_new (url);
  g_autoptr (HttpPeer) other = http_peer_new_open (server, "/go");

  g_test_summary ("A new limit holds for a stream that stands");
  gmcp_transport_set_max_message_bytes (peer->transport, 1000);
  http_peer_open (peer);
  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
  gmcp_transport_set_max_message_bytes (peer->transport, 10000);
  http_peer_request (other, "go");
  http_peer_wait_messages (peer, 2);
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
test_old_limit_lowered (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_old (server, "/old?grow", &patient);
  g_autoptr (HttpPeer) other = http_peer_new_open (server, "/go");

  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
  gmcp_transport_set_max_message_bytes (peer->transport, 1000);
  http_peer_request (other, "go");
  while (peer->n_violations == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (peer->messages->len, ==, 1);
}

static void
send_replies (HttpPeer *peer)
{
  g_autoptr (GError) error = NULL;
  guint64 before = memory_reset_peak ();
  guint n = 0;

  g_test_summary ("what a server asks for and does not take in has a limit, however small each is");
  while (error == NULL && n < 20000)
    {
      GmcpOutgoing message = { .text = "{}", .length = 2, .is_reply = TRUE };

      n += gmcp_transport_send (peer->transport, &message, &error);
    }
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_cmpuint (n, >, 500);
  memory_assert_peak (before, 60);
  g_clear_error (&error);

  /* What we ask of it has its own. */
  http_peer_request (peer, "a");
}

static void
test_replies (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_quick (server, "/stall", &quick);

  send_replies (peer);
}

static void
test_old_replies (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_old (server, "/old", &quick);

  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
  send_replies (peer);
}

static void
test_parts (gconstpointer path)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, path);
  guint64 before = memory_reset_peak ();

  g_test_summary (
    "many answers at once, none of which is complete, are kept up to a limit for all");
  for (guint i = 0; i < 12; i++)
    http_peer_request (peer, "a");
  http_peer_wait_failures (peer, 10);
  g_assert_error (peer->failure.error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  /* 360 MB came. What is kept of it is as much as one message may be, and the allocator has what the
   * buffers took while they grew. */
  memory_assert_peak (before, 250);
}

static void
take_long (gpointer peer)
{
  /* So long that no turn has time for more than one piece. */
  g_usleep (GMCP_LIMIT_DISPATCH_US / GMCP_LIMIT_DISPATCH_MESSAGES * 2);
}

static void
test_flood (void)
{
  g_autoptr (HttpServer) server = http_server_start ();
  g_autoptr (HttpPeer) peer = http_peer_new_open (server, "/flood");

  g_test_summary ("However small the messages are, one turn of the loop has only so many");
  peer->on_message = take_long;
  http_peer_request (peer, "a");
  while (g_hash_table_size (peer->waiting) > 0)
    {
      guint before = peer->messages->len;

      g_main_context_iteration (NULL, TRUE);
      /* A piece may begin with what little the one before left. */
      g_assert_cmpuint (peer->messages->len - before, <=, 2 * GMCP_LIMIT_DISPATCH_MESSAGES);
    }
  g_assert_cmpuint (peer->messages->len, ==, 5001);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/transport/http/old/limit-lowered", test_old_limit_lowered);
  g_test_add_func ("/transport/http/limit-raised", test_limit_raised);
  g_test_add_func ("/transport/http/flood", test_flood);
  g_test_add_data_func ("/transport/http/parts/message", "/part", test_parts);
  g_test_add_data_func ("/transport/http/parts/events", "/part?events", test_parts);
  g_test_add_func ("/transport/http/replies", test_replies);
  g_test_add_func ("/transport/http/old/replies", test_old_replies);

  return g_test_run ();
}
