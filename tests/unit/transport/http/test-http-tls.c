/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <libsoup/soup.h>
#include <string.h>

#include "http-fixture.h"
#include "set-file.h"

/* libsoup 3.2's server leaks the sockets of encrypted connections, so leaks are not looked for here;
 * test-http-transport.c sees to those of this side. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "detect_leaks=0";
}

/* A server of libsoup's in this process, with encryption and HTTP/2. */
typedef struct
{
  SoupServer *soup;
  guint port;
  GHashTable *peers; /* set of the ports that requests came from */
  guint n_requests;
  SoupHTTPVersion version; /* of the last request */
} TlsServer;

static void
on_request (SoupServer *soup,
            SoupServerMessage *message,
            const char *path,
            GHashTable *query,
            gpointer data)
{
  TlsServer *server = data;
  GSocketAddress *address = soup_server_message_get_remote_address (message);
  guint16 port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  SoupMessageBody *body = soup_server_message_get_request_body (message);
  g_autoptr (GBytes) bytes = soup_message_body_flatten (body);
  g_autofree char *request = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  gint64 id = g_ascii_strtoll (strstr (request, "\"id\":") + strlen ("\"id\":"), NULL, 10);
  gboolean events = strcmp (path, "/events") == 0;
  g_autofree char *answer
    = g_strdup_printf ("%s{\"jsonrpc\":\"2.0\",\"id\":%" G_GINT64_FORMAT ",\"result\":{}}%s",
                       events ? "data: " : "", id, events ? "\n\n" : "");

  server->n_requests++;
  server->version = soup_server_message_get_http_version (message);
  g_hash_table_add (server->peers, GUINT_TO_POINTER (port));

  /* The first is never answered. */
  if (strcmp (path, "/stall") == 0 && server->n_requests == 1)
    {
      soup_server_message_pause (message);
      return;
    }
  soup_server_message_set_status (message, 200, NULL);
  soup_server_message_set_response (message, events ? "text/event-stream" : "application/json",
                                    SOUP_MEMORY_COPY, answer, strlen (answer));
}

static TlsServer *
tls_server_start (void)
{
  TlsServer *self = g_new0 (TlsServer, 1);
  g_autofree char *file = g_test_build_filename (G_TEST_DIST, "unit", "tls", "server.pem", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GTlsCertificate) certificate = g_tls_certificate_new_from_file (file, &error);
  GSList *uris;

  g_assert_no_error (error);
  self->peers = g_hash_table_new (NULL, NULL);
  self->soup = soup_server_new ("tls-certificate", certificate, NULL);
  soup_server_add_handler (self->soup, NULL, on_request, self, NULL);
  soup_server_listen_local (self->soup, 0, SOUP_SERVER_LISTEN_HTTPS | SOUP_SERVER_LISTEN_IPV4_ONLY,
                            &error);
  g_assert_no_error (error);
  uris = soup_server_get_uris (self->soup);
  self->port = g_uri_get_port (uris->data);
  g_slist_free_full (uris, (GDestroyNotify) g_uri_unref);

  return self;
}

static void
tls_server_stop (TlsServer *self)
{
  soup_server_disconnect (self->soup);
  g_object_unref (self->soup);
  g_hash_table_unref (self->peers);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlsServer, tls_server_stop)

static HttpPeer *
peer_new (TlsServer *server, const char *path, gboolean trusted)
{
  g_autofree char *url = g_strdup_printf ("https://127.0.0.1:%u%s", server->port, path);
  g_autofree char *file = g_test_build_filename (G_TEST_DIST, "unit", "tls", "authority.pem", NULL);
  HttpPeer *peer = http_peer_new (url);

  if (trusted)
    set_file (peer->transport, "ca-file", file);
  http_peer_open (peer);
  return peer;
}

static void
test_untrusted (void)
{
  g_autoptr (TlsServer) server = tls_server_start ();
  g_autoptr (HttpPeer) peer = peer_new (server, "/", FALSE);

  http_peer_request (peer, "a");
  http_peer_wait_failures (peer, 1);
  g_assert_error (peer->failure.error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE);
  g_assert_true (peer->failure.unprocessed);
  g_assert_nonnull (strstr (peer->failure.error->message, "certificate authority of your own"));
  g_assert_cmpuint (server->n_requests, ==, 0);
}

static void
test_answers (gconstpointer path)
{
  g_autoptr (TlsServer) server = tls_server_start ();
  g_autoptr (HttpPeer) peer = peer_new (server, path, TRUE);

  g_test_summary ("HTTP/2 with an authority of one's own; all requests share one connection");
  http_peer_request (peer, "a");
  http_peer_wait_messages (peer, 1);
  for (guint i = 0; i < 20; i++)
    http_peer_request (peer, "b");
  http_peer_wait_messages (peer, 21);
  g_assert_cmpint (server->version, ==, SOUP_HTTP_2_0);
  g_assert_cmpuint (server->n_requests, ==, 21);
  g_assert_cmpuint (g_hash_table_size (server->peers), ==, 1);
  g_assert_cmpuint (peer->n_failures, ==, 0);
}

static void
test_cancel (void)
{
  g_autoptr (TlsServer) server = tls_server_start ();
  g_autoptr (HttpPeer) peer = peer_new (server, "/stall", TRUE);
  gint64 id = http_peer_request (peer, "a");

  g_test_summary ("One request of a shared connection is taken back");
  while (server->n_requests == 0)
    g_main_context_iteration (NULL, TRUE);
  gmcp_transport_cancel_request (peer->transport, id);
  http_peer_request (peer, "b");
  http_peer_wait_messages (peer, 1);
  http_peer_assert_last (peer, "\"id\":2,");
  g_assert_cmpuint (peer->n_failures, ==, 0);
  g_assert_cmpuint (g_hash_table_size (server->peers), ==, 1);
}

int
main (int argc, char *argv[])
{
  /* Read by libsoup's server, which else offers HTTP/1.1 only. */
  g_setenv ("SOUP_SERVER_HTTP2", "1", TRUE);
  g_test_init (&argc, &argv, NULL);

  if (!g_tls_backend_supports_tls (g_tls_backend_get_default ()))
    {
      g_print ("1..0 # SKIP glib-networking is not installed\n");
      return 0;
    }

  g_test_add_func ("/transport/http/tls/untrusted", test_untrusted);
  g_test_add_data_func ("/transport/http/tls/json", "/json", test_answers);
  g_test_add_data_func ("/transport/http/tls/events", "/events", test_answers);
  g_test_add_func ("/transport/http/tls/cancel", test_cancel);

  return g_test_run ();
}
