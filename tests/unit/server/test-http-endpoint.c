/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/server/gmcp-server.h>
#include <gmcp/server/http/gmcp-http-endpoint.h>
#include <gmcp/server/tokens/gmcp-token-request.h>

#include "unit-test.h"

/* An endpoint over HTTP that is closed while it does not know yet who asks. */

#define REQUEST                                                                                    \
  "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"                    \
  "Accept: application/json, text/event-stream\r\nAuthorization: Bearer token\r\n"                 \
  "Content-Length: 2\r\n\r\n{}"

typedef struct
{
  GmcpTokenRequest *request; /* that nobody answers */
  gboolean is_closed;
} Fixture;

static void
on_verify_token (GmcpHttpEndpoint *endpoint, GmcpTokenRequest *request, Fixture *fixture)
{
  g_set_object (&fixture->request, request);
}

static void
on_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Fixture *fixture = user_data;
  g_autoptr (GError) error = NULL;

  g_assert_true (gmcp_http_endpoint_close_finish (GMCP_HTTP_ENDPOINT (object), result, &error));
  g_assert_no_error (error);
  fixture->is_closed = TRUE;
}

static GSocketConnection *
send_request (GmcpHttpEndpoint *endpoint)
{
  g_autofree char *uri = gmcp_http_endpoint_dup_uri (endpoint);
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GError) error = NULL;
  GSocketConnection *connection = g_socket_client_connect_to_uri (client, uri, 80, NULL, &error);

  g_assert_no_error (error);
  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), REQUEST,
                             strlen (REQUEST), NULL, NULL, &error);
  g_assert_no_error (error);
  return connection;
}

static void
test_closed_while_asked (void)
{
  Fixture fixture = { NULL, FALSE };
  GmcpServer *server = gmcp_server_new ("test", "1", NULL);
  GmcpHttpEndpoint *endpoint = gmcp_http_endpoint_new (server);
  g_autoptr (GSocketConnection) connection = NULL;
  g_autoptr (GError) error = NULL;

  g_test_summary ("the time limit of closing ends what waits to know who asks");
  g_object_set (endpoint, "close-timeout-ms", 0, NULL);
  g_signal_connect (endpoint, "verify-token", G_CALLBACK (on_verify_token), &fixture);
  gmcp_http_endpoint_listen (endpoint, 0, &error);
  g_assert_no_error (error);
  connection = send_request (endpoint);
  while (fixture.request == NULL)
    g_main_context_iteration (NULL, TRUE);

  gmcp_http_endpoint_close_async (endpoint, NULL, on_closed, &fixture);
  while (!fixture.is_closed)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (gmcp_token_request_is_open (fixture.request));

  g_clear_object (&fixture.request);
  g_assert_finalize_object (endpoint);
  g_assert_finalize_object (server);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

  g_test_add_func ("/server/http/endpoint/closed-while-asked", test_closed_while_asked);

  return g_test_run ();
}
