/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/server/socket/gmcp-activated-sockets.h>
#include <gmcp/server/socket/gmcp-socket-endpoint.h>

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gmcp-limits.h"
#include "gmcp-socket-clients-private.h"
#include "remove-folder.h"
#include "unit-test.h"

/* A server that listens on sockets, and clients that are nothing but sockets. JSON is written with ' for ". */

typedef struct
{
  char *folder;
  char *path;
  GmcpServer *server;
  GmcpSocketEndpoint *endpoint;
  GPtrArray *held;  /* (element-type GmcpToolCall) */
  GPtrArray *users; /* (element-type utf8): who called */
} Fixture;

#define META                                                                                       \
  "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"                               \
  "'io.modelcontextprotocol/clientCapabilities':{}}"
#define CALL(id, tool)                                                                             \
  "{'jsonrpc':'2.0','id':" id ",'method':'tools/call','params':{'name':'" tool "'," META "}}\n"

static void
note_user (Fixture *fixture, GmcpToolCall *call)
{
  const char *user = gmcp_caller_get_user (gmcp_tool_call_get_caller (call));

  g_ptr_array_add (fixture->users, g_strdup (user != NULL ? user : "(nobody)"));
}

static void
on_who (GmcpToolCall *call, gpointer data)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("done");

  note_user (data, call);
  gmcp_tool_call_return_result (call, result);
}

static void
on_hold (GmcpToolCall *call, gpointer data)
{
  Fixture *fixture = data;

  g_ptr_array_add (fixture->held, g_object_ref (call));
}

static void
on_much (GmcpToolCall *call, gpointer data)
{
  g_autofree char *text = g_strnfill (1024 * 1024, 'x');
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text (text);

  note_user (data, call);
  gmcp_tool_call_return_result (call, result);
}

static void
add_tool (Fixture *fixture, const char *name, GmcpToolFunc func)
{
  g_autoptr (GmcpTool) tool = gmcp_tool_new (name, "A tool", "{\"type\":\"object\"}", NULL);
  g_autoptr (GError) error = NULL;

  gmcp_server_add_tool (fixture->server, tool, func, fixture, NULL, &error);
  g_assert_no_error (error);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("gmcp-sockets-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->path = g_build_filename (fixture->folder, "s", NULL);
  fixture->held = g_ptr_array_new_with_free_func (g_object_unref);
  fixture->users = g_ptr_array_new_with_free_func (g_free);
  fixture->server = gmcp_server_new ("test", "1", NULL);
  add_tool (fixture, "who", on_who);
  add_tool (fixture, "hold", on_hold);
  add_tool (fixture, "much", on_much);
  fixture->endpoint = gmcp_socket_endpoint_new (fixture->server);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_ptr_array_unref (fixture->held);
  g_assert_finalize_object (fixture->endpoint);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (fixture->server);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_ptr_array_unref (fixture->users);
  remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
}

static void
listen_at_path (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  gmcp_socket_endpoint_listen (fixture->endpoint, fixture->path, &error);
  g_assert_no_error (error);
}

/* Clients */

typedef struct
{
  GSocket *socket;
  GSource *source;
  GString *received;
  gboolean ended;
} Client;

static gboolean
on_readable (GSocket *socket, GIOCondition condition, gpointer data)
{
  Client *client = data;
  char buffer[65536];
  gssize n = g_socket_receive (socket, buffer, sizeof buffer, NULL, NULL);

  if (n > 0)
    {
      g_string_append_len (client->received, buffer, n);
      return G_SOURCE_CONTINUE;
    }
  client->ended = TRUE;
  return G_SOURCE_REMOVE;
}

static void
client_read_on (Client *client)
{
  client->source = g_socket_create_source (client->socket, G_IO_IN | G_IO_HUP, NULL);
  g_source_set_callback (client->source, G_SOURCE_FUNC (on_readable), client, NULL);
  g_source_attach (client->source, NULL);
}

static Client *
client_new (GSocketAddress *address)
{
  g_autoptr (GError) error = NULL;
  Client *client = g_new0 (Client, 1);

  client->received = g_string_new (NULL);
  client->socket
    = g_socket_new (g_socket_address_get_family (address), G_SOCKET_TYPE_STREAM, 0, &error);
  g_assert_no_error (error);
  g_socket_connect (client->socket, address, NULL, &error);
  g_assert_no_error (error);
  g_socket_set_blocking (client->socket, FALSE);
  client_read_on (client);
  return client;
}

static void
client_free (Client *client)
{
  g_source_destroy (client->source);
  g_source_unref (client->source);
  g_object_unref (client->socket);
  g_string_free (client->received, TRUE);
  g_free (client);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Client, client_free)

static Client *
connect_client (Fixture *fixture)
{
  g_autoptr (GPtrArray) addresses = gmcp_socket_endpoint_list_addresses (fixture->endpoint);

  return client_new (addresses->pdata[0]);
}

static void
client_say (Client *client, const char *text)
{
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');

  g_assert_cmpint (g_socket_send (client->socket, json, strlen (json), NULL, NULL), ==,
                   (gssize) strlen (json));
}

/* More than the system keeps of it: the server has to read meanwhile. */
static void
client_say_much (Client *client, const char *text)
{
  gsize length = strlen (text);
  gsize sent = 0;

  while (sent < length)
    {
      gssize n = g_socket_send_with_blocking (client->socket, text + sent,
                                              MIN (length - sent, 16 * 1024), FALSE, NULL, NULL);

      if (n > 0)
        sent += (gsize) n;
      else
        g_main_context_iteration (NULL, FALSE);
    }
}

static char *
client_take (Client *client)
{
  char *end;
  char *line;

  while ((end = strchr (client->received->str, '\n')) == NULL)
    {
      g_assert_false (client->ended);
      g_main_context_iteration (NULL, TRUE);
    }
  line = g_strndup (client->received->str, (gsize) (end - client->received->str));
  g_string_erase (client->received, 0, end + 1 - client->received->str);
  return line;
}

static void
client_expect (Client *client, const char *text)
{
  g_autofree char *line = client_take (client);

  if (strstr (line, text) == NULL)
    g_error ("no “%s” in %s", text, line);
}

static void
client_wait_ended (Client *client)
{
  while (!client->ended)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_for_n_clients (Fixture *fixture, guint n_clients)
{
  while (gmcp_socket_endpoint_get_n_clients (fixture->endpoint) != n_clients)
    g_main_context_iteration (NULL, TRUE);
}

/* Listening */

static void
test_unix (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("the socket is the user's own, and who calls is known");
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (Client) client = NULL;
      GStatBuf status;

      listen_at_path (fixture);
      g_assert_cmpint (g_stat (fixture->path, &status), ==, 0);
      g_assert_cmpint (status.st_mode & 0777, ==, 0600);
      client = connect_client (fixture);
      client_say (client, CALL ("1", "who"));
      client_expect (client, "\"id\":1,\"result\"");
      g_assert_cmpuint (fixture->users->len, ==, i + 1);
      g_assert_cmpstr (fixture->users->pdata[i], ==, g_get_user_name ());

      gmcp_socket_endpoint_close (fixture->endpoint);
      g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
      client_wait_ended (client);
      g_assert_cmpuint (gmcp_socket_endpoint_get_n_clients (fixture->endpoint), ==, 0);
    }
}

static void
test_tcp (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) addresses = NULL;
  g_autoptr (Client) client = NULL;

  gmcp_socket_endpoint_listen_tcp (fixture->endpoint, 0, &error);
  g_assert_no_error (error);
  addresses = gmcp_socket_endpoint_list_addresses (fixture->endpoint);
  g_assert_cmpuint (addresses->len, ==, 1);
  g_assert_true (
    g_inet_address_get_is_loopback (g_inet_socket_address_get_address (addresses->pdata[0])));
  client = connect_client (fixture);
  client_say (client, CALL ("1", "who"));
  client_expect (client, "\"id\":1,\"result\"");
  g_assert_cmpstr (fixture->users->pdata[0], ==, "(nobody)");
}

static GSocket *
bind_at (const char *path)
{
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GError) error = NULL;
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, 0, &error);

  g_assert_no_error (error);
  g_socket_bind (socket, address, FALSE, &error);
  g_assert_no_error (error);
  return socket;
}

static void
expect_refusal (Fixture *fixture, const char *path, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (gmcp_socket_endpoint_listen (fixture->endpoint, path, &error));
  g_assert_error (error, G_IO_ERROR, code);
  g_test_message ("%s", error->message);
}

static void
test_places (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSocket) other = NULL;
  g_autofree char *open_folder = g_build_filename (fixture->folder, "open", NULL);
  g_autofree char *in_open = g_build_filename (open_folder, "s", NULL);
  g_autofree char *nowhere = g_build_filename (fixture->folder, "no", "s", NULL);
  g_autofree char *name = g_strnfill (120, 'n');
  g_autofree char *long_path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("what is in the way is left alone, unless a server of the user's has left it");
  g_assert_cmpint (g_mkdir (open_folder, 0700), ==, 0);
  g_assert_cmpint (g_chmod (open_folder, 0770), ==, 0);
  expect_refusal (fixture, in_open, G_IO_ERROR_PERMISSION_DENIED);
  expect_refusal (fixture, nowhere, G_IO_ERROR_NOT_FOUND);
  expect_refusal (fixture, long_path, G_IO_ERROR_FILENAME_TOO_LONG);
  expect_refusal (fixture, "/tmp/gmcp-of-everybody", G_IO_ERROR_PERMISSION_DENIED);
  expect_refusal (fixture, fixture->folder, G_IO_ERROR_EXISTS);

  g_file_set_contents (fixture->path, "mine", -1, &error);
  g_assert_no_error (error);
  expect_refusal (fixture, fixture->path, G_IO_ERROR_EXISTS);
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_IS_REGULAR));
  g_remove (fixture->path);

  other = bind_at (fixture->path);
  g_socket_listen (other, &error);
  g_assert_no_error (error);
  expect_refusal (fixture, fixture->path, G_IO_ERROR_ADDRESS_IN_USE);
  g_socket_close (other, NULL);
  listen_at_path (fixture);

  g_test_message ("the file of another, which has taken the place of ours, is not removed");
  g_remove (fixture->path);
  g_clear_object (&other);
  other = bind_at (fixture->path);
  gmcp_socket_endpoint_close (fixture->endpoint);
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
}

static void
test_handed_over (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSocket) socket = bind_at (fixture->path);
  g_autoptr (GError) error = NULL;
  g_autoptr (Client) client = NULL;
  g_autoptr (GInetAddress) any = g_inet_address_new_any (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) everywhere = g_inet_socket_address_new (any, 0);
  g_autoptr (GSocket) exposed
    = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, 0, &error);

  g_test_summary ("a socket of somebody else's is served, and its file stays");
  g_assert_false (gmcp_socket_endpoint_listen_socket (fixture->endpoint, socket, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);

  g_socket_bind (exposed, everywhere, FALSE, &error);
  g_assert_no_error (error);
  g_socket_listen (exposed, &error);
  g_assert_no_error (error);
  g_assert_false (gmcp_socket_endpoint_listen_socket (fixture->endpoint, exposed, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_clear_error (&error);

  g_socket_listen (socket, &error);
  g_assert_no_error (error);
  g_assert_true (gmcp_socket_endpoint_listen_socket (fixture->endpoint, socket, &error));
  g_assert_no_error (error);
  client = connect_client (fixture);
  client_say (client, CALL ("1", "who"));
  client_expect (client, "\"id\":1,\"result\"");
  g_assert_cmpstr (fixture->users->pdata[0], ==, g_get_user_name ());
  gmcp_socket_endpoint_close (fixture->endpoint);
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
}

/* Limits */

static void
test_max_clients (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Client) first = NULL;
  g_autoptr (Client) second = NULL;

  g_object_set (fixture->endpoint, "max-clients", 1, NULL);
  listen_at_path (fixture);
  first = connect_client (fixture);
  wait_for_n_clients (fixture, 1);
  second = connect_client (fixture);
  client_expect (second, "Too many clients");
  client_wait_ended (second);

  g_clear_pointer (&first, client_free);
  wait_for_n_clients (fixture, 0);
  g_clear_pointer (&second, client_free);
  second = connect_client (fixture);
  client_say (second, CALL ("1", "who"));
  client_expect (second, "\"id\":1,\"result\"");
}

static void
test_silence (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Client) silent = NULL;
  g_autoptr (Client) slow = NULL;
  g_autoptr (Client) talking = NULL;

  g_test_summary ("who says nothing whole at first is sent away, and who has spoken may be silent");
  listen_at_path (fixture);
  talking = connect_client (fixture);
  client_say (talking, CALL ("1", "who"));
  client_expect (talking, "\"id\":1,\"result\"");
  g_object_set (fixture->endpoint, "first-message-timeout-ms", 20, NULL);
  silent = connect_client (fixture);
  slow = connect_client (fixture);
  client_say (slow, "{'jsonrpc':");
  client_wait_ended (silent);
  client_wait_ended (slow);
  wait_for_n_clients (fixture, 1);
  client_say (talking, CALL ("2", "who"));
  client_expect (talking, "\"id\":2,\"result\"");
}

static void
test_browser (Fixture *fixture, gconstpointer data)
{
  static const char *const beginnings[] = {
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n\r\n",
    "\n",
    "PRI * HTTP/2.0\r\n",
    "\x16\x03\x01\n",
  };

  g_test_summary ("what a page has a browser send is not run");
  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    {
      g_autoptr (Client) client = NULL;
      g_autofree char *text = g_strconcat (beginnings[i], CALL ("1", "who"), NULL);
      g_autoptr (GError) error = NULL;

      if (i == 0)
        gmcp_socket_endpoint_listen_tcp (fixture->endpoint, 0, &error);
      g_assert_no_error (error);
      client = connect_client (fixture);
      client_say (client, text);
      if (beginnings[i][0] == '\n')
        {
          client_expect (client, "\"id\":1,\"result\"");
          g_ptr_array_set_size (fixture->users, 0);
          continue;
        }
      client_wait_ended (client);
      g_assert_cmpuint (fixture->users->len, ==, 0);
    }
}

#define QUEUE_BYTES (64u * 1024)

static void
test_not_reading (Fixture *fixture, gconstpointer data)
{
  g_autofree char *call = g_strdelimit (g_strdup (CALL ("1", "who")), "'", '"');
  g_autoptr (Client) greedy = NULL;
  g_autoptr (Client) other = NULL;

  g_test_summary ("a client that does not read is sent away, and the others are served");
  g_object_set (fixture->endpoint, "max-queued-bytes", (guint64) QUEUE_BYTES, NULL);
  listen_at_path (fixture);
  greedy = connect_client (fixture);
  g_source_destroy (greedy->source);
  other = connect_client (fixture);
  client_say (other, CALL ("1", "who"));
  client_expect (other, "\"id\":1,\"result\"");
  while (gmcp_socket_endpoint_get_n_clients (fixture->endpoint) == 2)
    {
      g_socket_send (greedy->socket, call, strlen (call), NULL, NULL);
      g_main_context_iteration (NULL, FALSE);
    }
  client_say (other, CALL ("2", "who"));
  client_expect (other, "\"id\":2,\"result\"");
}

static void
test_large_results (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Client) client = NULL;

  g_test_summary ("one result may be larger than what may wait, and the next is an error then");
  g_object_set (fixture->endpoint, "max-queued-bytes", (guint64) QUEUE_BYTES, NULL);
  listen_at_path (fixture);
  client = connect_client (fixture);
  g_source_destroy (client->source);
  g_source_unref (client->source);
  client_say (client, CALL ("1", "much") CALL ("2", "much"));
  while (fixture->users->len < 2)
    g_main_context_iteration (NULL, TRUE);
  client_read_on (client);
  client_expect (client, "\"id\":1,\"result\"");
  client_expect (client, "\"id\":2,\"error\"");
  client_say (client, CALL ("3", "much"));
  client_expect (client, "\"id\":3,\"result\"");
}

static void
test_unread_of_all (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Client) greedy = NULL;
  g_autoptr (Client) other = NULL;

  g_test_summary (
    "what one client leaves unread is room that others do not have for large results");
  g_object_set (fixture->endpoint, "max-unread-bytes", (guint64) 1536 * 1024, NULL);
  listen_at_path (fixture);
  greedy = connect_client (fixture);
  g_source_destroy (greedy->source);
  g_source_unref (greedy->source);
  other = connect_client (fixture);
  client_say (greedy, CALL ("1", "much"));
  while (fixture->users->len < 1)
    g_main_context_iteration (NULL, TRUE);
  client_say (other, CALL ("2", "much"));
  client_expect (other, "\"id\":2,\"error\"");
  client_say (other, CALL ("3", "who"));
  client_expect (other, "\"id\":3,\"result\"");
  client_read_on (greedy);
  client_expect (greedy, "\"id\":1,\"result\"");
  client_say (other, CALL ("4", "much"));
  client_expect (other, "\"id\":4,\"result\"");

  /* Nor is it taken by one that has gone. */
  g_source_destroy (greedy->source);
  client_say (greedy, CALL ("5", "much"));
  while (fixture->users->len < 5)
    g_main_context_iteration (NULL, TRUE);
  g_clear_pointer (&greedy, client_free);
  while (gmcp_socket_endpoint_get_n_clients (fixture->endpoint) == 2)
    g_main_context_iteration (NULL, TRUE);
  client_say (other, CALL ("6", "much"));
  client_expect (other, "\"id\":6,\"result\"");
}

static void
test_unfinished_of_all (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Client) first = NULL;
  g_autoptr (Client) second = NULL;
  g_autofree char *half = g_strnfill (700 * 1024, ' ');

  g_test_summary (
    "messages that are not complete are kept as far as there is room for all clients");
  g_object_set (fixture->endpoint, "max-unread-bytes", (guint64) 1024 * 1024, NULL);
  listen_at_path (fixture);
  first = connect_client (fixture);
  second = connect_client (fixture);
  /* An answer says that what came before has been read. */
  client_say (first, CALL ("1", "who"));
  client_expect (first, "\"id\":1,\"result\"");
  client_say_much (first, half);
  client_say (second, CALL ("2", "who"));
  client_expect (second, "\"id\":2,\"result\"");
  client_say_much (second, half);
  client_expect (second, "-32600");
  client_say (second, "\n" CALL ("3", "who"));
  client_expect (second, "\"id\":3,\"result\"");
  client_say (first, CALL ("4", "who"));
  client_expect (first, "\"id\":4,\"result\"");
}

static void
test_unread_for_long (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Client) greedy = NULL;
  g_autoptr (Client) other = NULL;

  g_test_summary ("a client that reads nothing of what waits for it has so long, and no more");
  g_object_set (fixture->endpoint, "unread-timeout-ms", 20, NULL);
  listen_at_path (fixture);
  greedy = connect_client (fixture);
  g_source_destroy (greedy->source);
  other = connect_client (fixture);
  client_say (other, CALL ("1", "who"));
  client_expect (other, "\"id\":1,\"result\"");
  client_say (greedy, CALL ("1", "much"));
  wait_for_n_clients (fixture, 1);
  client_say (other, CALL ("2", "who"));
  client_expect (other, "\"id\":2,\"result\"");
}

/* A client of that user, as an endpoint lets it in. */
static Client *
add_client (GmcpSocketClients *clients, const char *user)
{
  Client *client = g_new0 (Client, 1);
  g_autoptr (GSocket) served = NULL;
  int fds[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  client->received = g_string_new (NULL);
  client->socket = g_socket_new_from_fd (fds[0], NULL);
  g_socket_set_blocking (client->socket, FALSE);
  client_read_on (client);
  served = g_socket_new_from_fd (fds[1], NULL);
  gmcp_socket_clients_add (clients, served, user);
  return client;
}

#define UNREAD_MIB 32u

static void
test_unread_of_user (Fixture *fixture, gconstpointer data)
{
  const GmcpSocketLimits limits = { .max_clients = 2 * UNREAD_MIB,
                                    .silence_ms = G_MAXINT,
                                    .max_message_bytes = 1024 * 1024,
                                    .max_queued_bytes = 1024 * 1024,
                                    .max_unread_bytes = UNREAD_MIB * 1024 * 1024,
                                    .unread_ms = G_MAXINT };
  g_autoptr (GmcpSocketClients) clients = gmcp_socket_clients_new (fixture->server, &limits);
  g_autoptr (GPtrArray) greedy = g_ptr_array_new_with_free_func ((GDestroyNotify) client_free);
  g_autoptr (Client) other = NULL;

  g_test_summary ("one user does not leave so much unread that nothing is left for another");
  while (greedy->len < UNREAD_MIB + UNREAD_MIB / 2)
    {
      Client *client = add_client (clients, "ann");

      g_source_destroy (client->source);
      client_say (client, CALL ("1", "much"));
      g_ptr_array_add (greedy, client);
    }
  while (fixture->users->len < greedy->len)
    g_main_context_iteration (NULL, TRUE);
  g_ptr_array_add (greedy, add_client (clients, "ann"));
  client_say (greedy->pdata[greedy->len - 1], CALL ("2", "much"));
  client_expect (greedy->pdata[greedy->len - 1], "\"id\":2,\"error\"");

  other = add_client (clients, "ben");
  client_say (other, CALL ("3", "much"));
  client_expect (other, "\"id\":3,\"result\"");
}

static void
test_large_message (Fixture *fixture, gconstpointer data)
{
  g_autoptr (Client) client = NULL;
  g_autofree char *padding = g_strnfill (2000, ' ');
  g_autofree char *large = g_strconcat (padding, CALL ("2", "who"), NULL);

  g_object_set (fixture->endpoint, "max-message-bytes", (guint64) 1000, NULL);
  listen_at_path (fixture);
  client = connect_client (fixture);
  client_say (client, CALL ("1", "who"));
  client_expect (client, "\"id\":1,\"result\"");
  client_say (client, large);
  client_expect (client, "-32600");
  client_say (client, CALL ("3", "who"));
  client_expect (client, "\"id\":3,\"result\"");
}

/* The end */

static void
on_closed (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (gmcp_socket_endpoint_close_finish (GMCP_SOCKET_ENDPOINT (object), result, &error));
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
on_pending (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (
    gmcp_socket_endpoint_close_finish (GMCP_SOCKET_ENDPOINT (object), result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PENDING);
  *(gboolean *) data = TRUE;
}

static void
test_drain (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("in time");
  g_autoptr (Client) idle = NULL;
  g_autoptr (Client) answered = NULL;
  g_autoptr (Client) unanswered = NULL;
  gboolean closed = FALSE;
  gboolean pending = FALSE;

  g_test_summary ("what runs may be answered, what is not is cancelled, and nothing new is taken");
  listen_at_path (fixture);
  idle = connect_client (fixture);
  answered = connect_client (fixture);
  client_say (answered, CALL ("1", "hold"));
  while (fixture->held->len < 1)
    g_main_context_iteration (NULL, TRUE);
  unanswered = connect_client (fixture);
  client_say (unanswered, CALL ("2", "hold"));
  while (fixture->held->len < 2)
    g_main_context_iteration (NULL, TRUE);
  wait_for_n_clients (fixture, 3);

  g_object_set (fixture->endpoint, "close-timeout-ms", 1000, NULL);
  gmcp_socket_endpoint_close_async (fixture->endpoint, NULL, on_closed, &closed);
  gmcp_socket_endpoint_close_async (fixture->endpoint, NULL, on_pending, &pending);
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
  client_say (answered, CALL ("3", "who"));
  client_wait_ended (idle);
  while (!pending)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (closed);
  gmcp_tool_call_return_result (fixture->held->pdata[0], result);
  client_expect (answered, "in time");
  client_wait_ended (answered);
  client_wait_ended (unanswered);
  while (!closed)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (
    g_cancellable_is_cancelled (gmcp_tool_call_get_cancellable (fixture->held->pdata[1])));
  g_assert_cmpuint (fixture->users->len, ==, 0);
  g_assert_cmpuint (unanswered->received->len, ==, 0);

  closed = FALSE;
  gmcp_socket_endpoint_close_async (fixture->endpoint, NULL, on_closed, &closed);
  while (!closed)
    g_main_context_iteration (NULL, TRUE);
}

static gboolean
set_true (gpointer value)
{
  *(gboolean *) value = TRUE;
  return G_SOURCE_REMOVE;
}

static void
test_drain_long (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GmcpToolResult) result = gmcp_tool_result_new_text ("in time");
  g_autoptr (Client) client = NULL;
  gboolean closed = FALSE;
  gboolean waited = FALSE;

  g_test_summary ("what runs has as long as the property says, and more than a server at its end");
  g_object_set (fixture->endpoint, "close-timeout-ms", 600000, NULL);
  listen_at_path (fixture);
  client = connect_client (fixture);
  client_say (client, CALL ("1", "hold"));
  while (fixture->held->len < 1)
    g_main_context_iteration (NULL, TRUE);
  gmcp_socket_endpoint_close_async (fixture->endpoint, NULL, on_closed, &closed);
  g_timeout_add (GMCP_DEFAULT_SERVER_DRAIN_MS + 100, set_true, &waited);
  while (!waited && !closed)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (closed);
  gmcp_tool_call_return_result (fixture->held->pdata[0], result);
  client_expect (client, "in time");
  client_wait_ended (client);
  while (!closed)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_drain_cancelled (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (Client) client = NULL;
  gboolean closed = FALSE;

  listen_at_path (fixture);
  client = connect_client (fixture);
  client_say (client, CALL ("1", "hold"));
  while (fixture->held->len < 1)
    g_main_context_iteration (NULL, TRUE);
  gmcp_socket_endpoint_close_async (fixture->endpoint, cancellable, on_closed, &closed);
  g_cancellable_cancel (cancellable);
  while (!closed)
    g_main_context_iteration (NULL, TRUE);
  client_wait_ended (client);
}

/* Other users */

#define OTHER_UID 65534u

/* A child that is another user's says one thing and gives what it hears; only what is safe after a fork is used
 * in it. */
static int
ask_as_other (Fixture *fixture, const char *request)
{
  /* Others may not get through the folders above. */
  struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "s" };
  int pipe_fds[2];
  gsize length = strlen (request);

  g_assert_cmpint (pipe (pipe_fds), ==, 0);
  if (fork () == 0)
    {
      char buffer[4096];
      gssize n = -1;
      int fd = socket (AF_UNIX, SOCK_STREAM, 0);

      if (chdir (fixture->folder) == 0 && setgroups (0, NULL) == 0 && setgid (OTHER_UID) == 0
          && setuid (OTHER_UID) == 0
          && connect (fd, (const struct sockaddr *) &address, sizeof address) == 0
          && send (fd, request, length, MSG_NOSIGNAL) == (gssize) length)
        n = recv (fd, buffer, sizeof buffer, 0);
      if (n > 0 && write (pipe_fds[1], buffer, (gsize) n) < 0)
        n = -1;
      _exit (0);
    }
  close (pipe_fds[1]);
  return pipe_fds[0];
}

static char *
wait_for_other (int fd)
{
  GString *heard = g_string_new (NULL);
  char buffer[4096];
  gssize n;

  fcntl (fd, F_SETFL, O_NONBLOCK);
  while ((n = read (fd, buffer, sizeof buffer)) != 0)
    {
      if (n > 0)
        g_string_append_len (heard, buffer, n);
      else
        g_assert_cmpint (errno, ==, EAGAIN);
      g_main_context_iteration (NULL, FALSE);
    }
  close (fd);
  while (waitpid (-1, NULL, WNOHANG) > 0)
    ;
  return g_string_free (heard, FALSE);
}

static void
test_other_users (Fixture *fixture, gconstpointer data)
{
  static const char *const allowed[] = { "65534", NULL };
  static const char *const unknown[] = { "no-such-user-of-this-machine", NULL };
  g_autofree char *request = g_strdelimit (g_strdup (CALL ("1", "who")), "'", '"');
  g_autofree char *refused = NULL;
  g_autofree char *heard = NULL;
  GStatBuf status;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can be another user");
      return;
    }

  g_object_set (fixture->endpoint, "allowed-users", unknown, NULL);
  expect_refusal (fixture, fixture->path, G_IO_ERROR_NOT_FOUND);

  g_assert_cmpint (g_chmod (fixture->folder, 0711), ==, 0);
  g_object_set (fixture->endpoint, "allowed-users", NULL, NULL);
  listen_at_path (fixture);
  /* As if its mode had been changed: the user is asked for all the same. */
  g_assert_cmpint (g_chmod (fixture->path, 0666), ==, 0);
  refused = wait_for_other (ask_as_other (fixture, request));
  g_assert_nonnull (strstr (refused, "for other users"));
  g_assert_cmpuint (fixture->users->len, ==, 0);
  gmcp_socket_endpoint_close (fixture->endpoint);

  g_object_set (fixture->endpoint, "allowed-users", allowed, NULL);
  listen_at_path (fixture);
  g_assert_cmpint (g_stat (fixture->path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0666);
  heard = wait_for_other (ask_as_other (fixture, request));
  g_assert_nonnull (strstr (heard, "\"id\":1,\"result\""));
  g_assert_cmpstr (fixture->users->pdata[0], ==, "nobody");
}

/* What was handed over */

static void
test_activation (void)
{
  static const struct
  {
    const char *pid; /* "own" for that of this process */
    const char *fds;
    const char *names;
    gboolean fails;
  } cases[] = {
    { NULL, NULL, NULL, FALSE },  { "1", "1", NULL, FALSE },
    { NULL, "1", NULL, FALSE },   { "own", NULL, NULL, FALSE },
    { "own", "0", NULL, TRUE },   { "own", "-1", NULL, TRUE },
    { "own", "x", NULL, TRUE },   { "own", "", NULL, TRUE },
    { "own", "1 ", NULL, TRUE },  { "own", "99999999999999999999", NULL, TRUE },
    { "own", "1", "a:b", TRUE },  { "own", "2", "a", TRUE },
    { "own", "100", NULL, TRUE }, { "x", "1", NULL, TRUE },
    { "-5", "1", NULL, TRUE },    { "own", "1", "a", TRUE },
  };
  g_autofree char *own = g_strdup_printf ("%d", (int) getpid ());

  g_test_summary ("what is no socket is not taken, and nothing is left for children");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) sockets = NULL;
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) names = NULL;

      if (cases[i].pid != NULL)
        g_setenv ("LISTEN_PID", g_str_equal (cases[i].pid, "own") ? own : cases[i].pid, TRUE);
      if (cases[i].fds != NULL)
        g_setenv ("LISTEN_FDS", cases[i].fds, TRUE);
      if (cases[i].names != NULL)
        g_setenv ("LISTEN_FDNAMES", cases[i].names, TRUE);
      sockets = gmcp_take_activated_sockets (&names, &error);
      if (cases[i].fails)
        {
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
          g_assert_null (sockets);
        }
      else
        {
          g_assert_no_error (error);
          g_assert_cmpuint (sockets->len, ==, 0);
          g_assert_cmpuint (g_strv_length (names), ==, 0);
        }
      g_assert_null (g_getenv ("LISTEN_PID"));
      g_assert_null (g_getenv ("LISTEN_FDS"));
      g_assert_null (g_getenv ("LISTEN_FDNAMES"));
    }
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);

#define ADD(name, func) g_test_add ("/server/socket/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("unix", test_unix);
  ADD ("tcp", test_tcp);
  ADD ("places", test_places);
  ADD ("handed-over", test_handed_over);
  ADD ("max-clients", test_max_clients);
  ADD ("silence", test_silence);
  ADD ("browser", test_browser);
  ADD ("not-reading", test_not_reading);
  ADD ("large-results", test_large_results);
  ADD ("unread-of-all", test_unread_of_all);
  ADD ("unfinished-of-all", test_unfinished_of_all);
  ADD ("unread-for-long", test_unread_for_long);
  ADD ("unread-of-user", test_unread_of_user);
  ADD ("large-message", test_large_message);
  ADD ("drain", test_drain);
  ADD ("drain-long", test_drain_long);
  ADD ("drain-cancelled", test_drain_cancelled);
  ADD ("other-users", test_other_users);
  g_test_add_func ("/server/socket/activation", test_activation);
  return g_test_run ();
}
