/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/gmcp-stream-transport.h>

#include "transport-log.h"
#include "unit-test.h"

/* A transport and the descriptor at its other end. */
typedef struct
{
  GmcpTransport *transport;
  TransportLog *log;
  int peer;
} Fixture;

typedef enum
{
  PLAIN,   /* a socket, served by its descriptor */
  WRAPPED, /* a stream that only happens to have sockets below */
} Kind;

static GIOStream *
make_wrapped (int fd)
{
  g_autoptr (GInputStream) input = g_unix_input_stream_new (fd, TRUE);
  g_autoptr (GOutputStream) output
    = g_unix_output_stream_new (fcntl (fd, F_DUPFD_CLOEXEC, 0), TRUE);

  g_assert_true (g_unix_set_fd_nonblocking (fd, TRUE, NULL));
  return g_simple_io_stream_new (input, output);
}

static GIOStream *
make_stream (Kind kind, int *peer)
{
  g_autoptr (GSocket) socket = NULL;
  g_autoptr (GError) error = NULL;
  int pair[2];

  g_assert_no_errno (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
  *peer = pair[1];
  if (kind == WRAPPED)
    return make_wrapped (pair[0]);

  socket = g_socket_new_from_fd (pair[0], &error);
  g_assert_no_error (error);
  return G_IO_STREAM (g_socket_connection_factory_create_connection (socket));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GIOStream) stream = make_stream (GPOINTER_TO_INT (data), &fixture->peer);

  fixture->transport = GMCP_TRANSPORT (gmcp_stream_transport_new (stream));
  fixture->log = transport_log_new (fixture->transport);
  transport_log_open (fixture->log);
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    g_assert_no_errno (close (*fd));
  *fd = -1;
}

/* Operations that were under way on a stream end in the loop. */
static void
settle (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  transport_log_free (fixture->log);
  if (fixture->transport != NULL)
    g_assert_finalize_object (fixture->transport);
  settle ();
  close_fd (&fixture->peer);
}

static void
write_all (int fd, const char *text, gsize length)
{
  while (length > 0)
    {
      gssize n = send (fd, text, length, MSG_NOSIGNAL);

      g_assert_cmpint (n, >, 0);
      text += n;
      length -= n;
    }
}

/* A peer that closes with data unread resets a connection. */
static char *
read_to_end (int fd)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char buffer[65536];
  gssize n;

  while ((n = read (fd, buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  g_assert_true (n == 0 || errno == ECONNRESET);

  return g_strdup (text->str);
}

static char *
read_to_eof (int fd)
{
  char *text;

  errno = 0;
  text = read_to_end (fd);
  g_assert_cmpint (errno, ==, 0);
  return text;
}

static gpointer
read_all_thread (gpointer data)
{
  return read_to_eof (GPOINTER_TO_INT (data));
}

static void
test_byte_by_byte (Fixture *fixture, gconstpointer data)
{
  const char *text = "{\"a\":1}\r\n\n[2]\n";

  for (const char *p = text; *p != '\0'; p++)
    {
      write_all (fixture->peer, p, 1);
      settle ();
    }

  transport_log_wait_messages (fixture->log, 2);
  g_assert_cmpstr (fixture->log->messages->pdata[0], ==, "{\"a\":1}");
  g_assert_cmpstr (fixture->log->messages->pdata[1], ==, "[2]");
}

static void
test_end_of_input (Fixture *fixture, gconstpointer data)
{
  g_autofree char *written = NULL;

  g_test_summary ("the end of the input closes without an error, once all output is written");

  write_all (fixture->peer, "{}\n", 3);
  g_assert_no_errno (shutdown (fixture->peer, SHUT_WR));
  transport_log_send (fixture->log, "[1]");
  transport_log_wait_closed (fixture->log);
  g_assert_cmpuint (fixture->log->n_messages, ==, 1);
  g_assert_no_error (fixture->log->closed_error);
  g_assert_false (gmcp_transport_is_open (fixture->transport));
  settle ();
  written = read_to_eof (fixture->peer);
  g_assert_cmpstr (written, ==, "[1]\n");
}

static void
test_cut_by_eof (Fixture *fixture, gconstpointer data)
{
  write_all (fixture->peer, "{}\n{\"a\":", 8);
  g_assert_no_errno (shutdown (fixture->peer, SHUT_WR));
  transport_log_wait_closed (fixture->log);
  g_assert_cmpuint (fixture->log->n_messages, ==, 1);
  g_assert_cmpuint (fixture->log->n_violations, ==, 1);
  g_assert_error (fixture->log->violation, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
}

static void
test_peer_gone (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GmcpOutgoing message = { .text = "{}", .length = 2 };

  g_test_summary (
    "a peer that goes with unread data is an end, with or without an error, and once");

  transport_log_send (fixture->log, "[1]");
  settle ();
  close_fd (&fixture->peer);
  transport_log_wait_closed (fixture->log);
  settle ();
  g_assert_cmpuint (fixture->log->n_closed, ==, 1);
  g_assert_false (gmcp_transport_send (fixture->transport, &message, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
}

static void
test_writing_to_gone_peer (Fixture *fixture, gconstpointer data)
{
  g_autofree char *large = g_strnfill (3 * 1024 * 1024, 'z');

  transport_log_send (fixture->log, large);
  settle ();
  close_fd (&fixture->peer);
  transport_log_send (fixture->log, "[1]");
  transport_log_wait_closed (fixture->log);
  g_assert_nonnull (fixture->log->closed_error);
  g_assert_true (fixture->log->closed_error->domain == G_IO_ERROR);
}

static gpointer
write_large_thread (gpointer data)
{
  int fd = GPOINTER_TO_INT (data);
  g_autofree char *block = g_malloc (1024 * 1024);

  memset (block, 'x', 1024 * 1024);
  for (guint i = 0; i < 100; i++)
    write_all (fd, block, 1024 * 1024);
  write_all (fd, "\n{}\n", 4);
  memset (block, 'y', 1024 * 1024);
  for (guint i = 0; i < 10; i++)
    write_all (fd, block, 1024 * 1024);
  write_all (fd, "\n", 1);
  return NULL;
}

static void
test_large_lines (Fixture *fixture, gconstpointer data)
{
  GThread *writer;

  g_test_summary ("a line of 100 MB is a violation and no more; one of 10 MB comes in its buffer");

  fixture->log->keep_messages = FALSE;
  writer = g_thread_new ("writer", write_large_thread, GINT_TO_POINTER (fixture->peer));
  transport_log_wait_messages (fixture->log, 2);
  g_thread_join (writer);
  g_assert_cmpuint (fixture->log->n_violations, ==, 1);
  g_assert_error (fixture->log->violation, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
  g_assert_cmpuint (fixture->log->n_bytes, ==, 2 + 10 * 1024 * 1024);
  g_assert_cmpuint (fixture->log->n_owned, ==, 1);
}

static void
test_max_message_bytes (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->transport, "max-message-bytes", G_GUINT64_CONSTANT (4), NULL);
  write_all (fixture->peer, "12345\n1234\n", 11);
  transport_log_wait_messages (fixture->log, 1);
  g_assert_cmpuint (fixture->log->n_violations, ==, 1);
  g_assert_cmpstr (fixture->log->messages->pdata[0], ==, "1234");
}

static void
test_slow_reader (Fixture *fixture, gconstpointer data)
{
  g_autofree char *large = g_strnfill (3 * 1024 * 1024, 'z');
  g_autofree char *written = NULL;
  GThread *reader;

  g_test_summary ("what the peer has not read waits, in order, also for the end of the connection");

  transport_log_send (fixture->log, "[1]");
  transport_log_send (fixture->log, large);
  settle ();
  transport_log_send (fixture->log, "[3]");
  settle ();

  reader = g_thread_new ("reader", read_all_thread, GINT_TO_POINTER (fixture->peer));
  transport_log_close (fixture->log);
  g_assert_cmpuint (fixture->log->n_closed, ==, 1);
  settle ();
  written = g_thread_join (reader);
  g_assert_cmpuint (strlen (written), ==, 4 + 3 * 1024 * 1024 + 1 + 4);
  g_assert_true (g_str_has_prefix (written, "[1]\nzz"));
  g_assert_true (g_str_has_suffix (written, "zz\n[3]\n"));
}

static void
test_close_without_reader (Fixture *fixture, gconstpointer data)
{
  g_autofree char *large = g_strnfill (3 * 1024 * 1024, 'z');

  g_test_summary ("a peer that does not read holds up the closing for a limited time only");

  transport_log_send (fixture->log, large);
  transport_log_close (fixture->log);
  g_assert_cmpuint (fixture->log->n_closed, ==, 1);
}

static void
test_queue_limit (Fixture *fixture, gconstpointer data)
{
  g_autofree char *large = g_malloc0 (100 * 1024 * 1024);
  g_autoptr (GError) error = NULL;
  GmcpOutgoing message = { .text = large, .length = 100 * 1024 * 1024 };

  g_assert_true (gmcp_transport_send (fixture->transport, &message, &error));
  g_assert_true (gmcp_transport_send (fixture->transport, &message, &error));
  g_assert_false (gmcp_transport_send (fixture->transport, &message, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED);
}

static void
unref_in_callback (TransportLog *log)
{
  Fixture *fixture = log->data;

  g_clear_object (&fixture->transport);
}

static void
test_unref_in_callback (Fixture *fixture, gconstpointer data)
{
  fixture->log->on_message = unref_in_callback;
  fixture->log->data = fixture;
  write_all (fixture->peer, "[1]\n[2]\n[3]\n", 12);
  while (fixture->transport != NULL)
    transport_log_iterate (fixture->log);

  g_assert_cmpuint (fixture->log->n_messages, >=, 1);
  settle ();
  g_assert_null (fixture->log->transport);
}

static void
close_in_callback (TransportLog *log)
{
  if (log->n_messages == 1)
    gmcp_transport_close_async (log->transport, NULL, NULL, NULL);
}

static void
test_close_in_callback (Fixture *fixture, gconstpointer data)
{
  fixture->log->on_message = close_in_callback;
  write_all (fixture->peer, "[1]\n[2]\n[3]\n", 12);
  transport_log_wait_closed (fixture->log);
  g_assert_no_error (fixture->log->closed_error);
}

static void
iterate_in_callback (TransportLog *log)
{
  /* Those after the first come in the middle of it. */
  if (log->n_messages == 1)
    transport_log_wait_messages (log, 3);
}

static void
test_loop_in_callback (Fixture *fixture, gconstpointer data)
{
  fixture->log->on_message = iterate_in_callback;
  write_all (fixture->peer, "[1]\n[2]\n[3]\n", 12);
  transport_log_wait_messages (fixture->log, 3);
  write_all (fixture->peer, "[4]\n", 4);
  transport_log_wait_messages (fixture->log, 4);
  g_assert_cmpstr (fixture->log->messages->pdata[3], ==, "[4]");
}

static gboolean
count_cb (gpointer data)
{
  guint *count = data;

  (*count)++;
  return G_SOURCE_CONTINUE;
}

static void
test_yields (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GSource) other = g_timeout_source_new (0);
  guint count = 0;

  for (guint i = 0; i < 5000; i++)
    g_string_append (text, "{}\n");
  write_all (fixture->peer, text->str, text->len);
  g_source_set_callback (other, count_cb, &count, NULL);
  g_source_attach (other, NULL);
  transport_log_wait_messages (fixture->log, 5000);
  g_source_destroy (other);
  g_assert_cmpuint (count, >=, 4);
}

static void
test_opens_once (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  transport_log_close (fixture->log);
  g_assert_false (transport_log_try_open (fixture->log, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
}

static void
test_close_at_any_moment (gconstpointer data)
{
  g_test_summary ("whatever is under way, a close ends it, and the peer sees the end");

  for (guint n = 0; n < 40; n++)
    {
      int peer = -1;
      g_autoptr (GIOStream) stream = make_stream (GPOINTER_TO_INT (data), &peer);
      g_autoptr (GmcpTransport) transport = GMCP_TRANSPORT (gmcp_stream_transport_new (stream));
      TransportLog *log = transport_log_new (transport);
      g_autofree char *rest = NULL;

      write_all (peer, "[1]\n[2]\n[3", 10);
      gmcp_transport_open_async (transport, NULL, NULL, NULL);
      for (guint i = 0; i < n / 4; i++)
        g_main_context_iteration (NULL, FALSE);
      if (gmcp_transport_is_open (transport))
        transport_log_send (log, "{}");
      for (guint i = 0; i < n % 4; i++)
        g_main_context_iteration (NULL, FALSE);

      if (n % 2 == 0)
        transport_log_close (log);
      transport_log_free (log);
      /* The callback that opens may still be on its way. */
      settle ();
      g_assert_finalize_object (g_steal_pointer (&transport));
      settle ();
      rest = read_to_end (peer);
      g_assert_true (g_str_equal (rest, "") || g_str_equal (rest, "{}\n"));
      close_fd (&peer);
    }
}

static void
test_other_context (gconstpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GmcpTransport) transport = NULL;
  g_autoptr (GIOStream) stream = NULL;
  TransportLog *log;
  int peer = -1;

  g_main_context_push_thread_default (context);
  stream = make_stream (GPOINTER_TO_INT (data), &peer);
  transport = GMCP_TRANSPORT (gmcp_stream_transport_new (stream));
  log = transport_log_new (transport);
  transport_log_open (log);
  g_main_context_pop_thread_default (context);

  write_all (peer, "{}\n", 3);
  settle ();
  g_assert_cmpuint (log->n_messages, ==, 0);
  transport_log_wait_messages (log, 1);
  transport_log_send (log, "[1]");
  settle ();

  g_main_context_push_thread_default (context);
  transport_log_close (log);
  transport_log_free (log);
  g_assert_finalize_object (g_steal_pointer (&transport));
  while (g_main_context_iteration (context, FALSE))
    ;
  g_main_context_pop_thread_default (context);
  close_fd (&peer);
}

/* A server that listens, and the transport that connects to it. */
typedef struct
{
  GSocketListener *listener;
  GSocketAddress *address;
  char *folder;
  char *path;
} Listener;

static void
listener_start (Listener *listener, gboolean is_unix)
{
  g_autoptr (GSocketAddress) wanted = NULL;
  g_autoptr (GError) error = NULL;

  memset (listener, 0, sizeof *listener);
  listener->listener = g_socket_listener_new ();
  if (is_unix)
    {
      listener->folder = g_dir_make_tmp ("gmcp-socket-XXXXXX", &error);
      g_assert_no_error (error);
      listener->path = g_build_filename (listener->folder, "s", NULL);
      wanted = g_unix_socket_address_new (listener->path);
    }
  else
    wanted = g_inet_socket_address_new_from_string ("127.0.0.1", 0);

  g_socket_listener_add_address (listener->listener, wanted, G_SOCKET_TYPE_STREAM,
                                 G_SOCKET_PROTOCOL_DEFAULT, NULL, &listener->address, &error);
  g_assert_no_error (error);
}

static void
listener_stop (Listener *listener)
{
  g_socket_listener_close (listener->listener);
  g_object_unref (listener->listener);
  g_object_unref (listener->address);
  if (listener->path != NULL)
    {
      g_unlink (listener->path);
      g_rmdir (listener->folder);
    }
  g_free (listener->path);
  g_free (listener->folder);
}

static void
test_address (gconstpointer data)
{
  g_autoptr (GmcpTransport) transport = NULL;
  g_autofree char *description = NULL;
  Listener listener;
  TransportLog *log;

  g_test_summary ("connects when it is opened, and again after it was closed");

  listener_start (&listener, data != NULL);
  transport = GMCP_TRANSPORT (
    gmcp_stream_transport_new_for_address (G_SOCKET_CONNECTABLE (listener.address)));
  log = transport_log_new (transport);
  description = gmcp_transport_dup_description (transport);
  g_assert_cmpstr (description, !=, "");

  for (guint i = 1; i <= 3; i++)
    {
      g_autoptr (GSocketConnection) accepted = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *written = NULL;
      int fd;

      transport_log_open (log);
      accepted = g_socket_listener_accept (listener.listener, NULL, NULL, &error);
      g_assert_no_error (error);
      g_socket_set_blocking (g_socket_connection_get_socket (accepted), TRUE);
      fd = g_socket_get_fd (g_socket_connection_get_socket (accepted));
      g_assert_cmpint (fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) & ~O_NONBLOCK), ==, 0);

      write_all (fd, "{}\n", 3);
      transport_log_wait_messages (log, i);
      transport_log_send (log, "[1]");
      if (i == 2)
        {
          g_assert_no_errno (shutdown (fd, SHUT_WR));
          while (log->n_closed < i)
            transport_log_iterate (log);
        }
      else
        transport_log_close (log);
      g_assert_cmpuint (log->n_closed, ==, i);
      g_assert_no_error (log->closed_error);
      written = read_to_eof (fd);
      g_assert_cmpstr (written, ==, "[1]\n");
    }

  transport_log_free (log);
  settle ();
  g_assert_finalize_object (g_steal_pointer (&transport));
  listener_stop (&listener);
}

static void
test_nobody_listens (gconstpointer data)
{
  g_autoptr (GmcpTransport) transport = NULL;
  g_autoptr (GSocketAddress) address = NULL;
  Listener listener;
  TransportLog *log;

  g_test_summary ("an address without a server, and a path without a socket, are servers that do "
                  "not run; the message names the address");

  listener_start (&listener, data != NULL);
  address = g_object_ref (listener.address);
  transport
    = GMCP_TRANSPORT (gmcp_stream_transport_new_for_address (G_SOCKET_CONNECTABLE (address)));
  log = transport_log_new (transport);
  g_socket_listener_close (listener.listener);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *name = g_socket_connectable_to_string (G_SOCKET_CONNECTABLE (address));

      g_assert_false (transport_log_try_open (log, NULL, &error));
      g_assert_error (error, GMCP_ERROR, GMCP_ERROR_NOT_RUNNING);
      g_assert_nonnull (strstr (error->message, name));
      if (listener.path != NULL)
        g_unlink (listener.path);
    }

  transport_log_free (log);
  settle ();
  g_assert_finalize_object (g_steal_pointer (&transport));
  listener_stop (&listener);
}

static void
store_result (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **out = user_data;

  *out = g_object_ref (result);
}

static void
test_stop_connecting (gconstpointer data)
{
  gboolean cancel = data != NULL;
  g_autoptr (GmcpTransport) transport = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) closed = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Listener listener;

  listener_start (&listener, FALSE);
  transport = GMCP_TRANSPORT (
    gmcp_stream_transport_new_for_address (G_SOCKET_CONNECTABLE (listener.address)));
  gmcp_transport_open_async (transport, cancellable, store_result, &result);
  if (cancel)
    g_cancellable_cancel (cancellable);
  else
    gmcp_transport_close_async (transport, NULL, store_result, &closed);
  while (result == NULL || (!cancel && closed == NULL))
    g_main_context_iteration (NULL, TRUE);

  g_assert_false (gmcp_transport_open_finish (transport, result, &error));
  if (cancel)
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  else
    g_assert_nonnull (error);
  g_assert_false (gmcp_transport_is_open (transport));

  g_clear_object (&result);
  g_clear_object (&closed);
  settle ();
  g_assert_finalize_object (g_steal_pointer (&transport));
  listener_stop (&listener);
}

static void
test_closed_stream (void)
{
  g_autoptr (GmcpTransport) transport = NULL;
  g_autoptr (GIOStream) stream = NULL;
  g_autoptr (GIOStream) got = NULL;
  g_autoptr (GError) error = NULL;
  TransportLog *log;
  int peer = -1;

  stream = make_stream (PLAIN, &peer);
  g_io_stream_close (stream, NULL, &error);
  g_assert_no_error (error);
  transport = GMCP_TRANSPORT (gmcp_stream_transport_new (stream));
  g_object_get (transport, "stream", &got, NULL);
  g_assert_true (got == stream);
  g_assert_null (gmcp_stream_transport_get_address (GMCP_STREAM_TRANSPORT (transport)));
  log = transport_log_new (transport);
  g_assert_false (transport_log_try_open (log, NULL, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  transport_log_free (log);
  g_assert_finalize_object (g_steal_pointer (&transport));
  close_fd (&peer);
}

static void
add_both (const char *name, void (*function) (Fixture *fixture, gconstpointer data))
{
  g_autofree char *plain = g_strdup_printf ("/transport/stream/socket/%s", name);
  g_autofree char *wrapped = g_strdup_printf ("/transport/stream/wrapped/%s", name);

  g_test_add (plain, Fixture, GINT_TO_POINTER (PLAIN), set_up, function, tear_down);
  g_test_add (wrapped, Fixture, GINT_TO_POINTER (WRAPPED), set_up, function, tear_down);
}

UNIT_TEST_MAIN (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  /* The streams that are wrapped here write as any file is written. */
  g_assert_true (signal (SIGPIPE, SIG_IGN) != SIG_ERR);

  add_both ("byte-by-byte", test_byte_by_byte);
  add_both ("end-of-input", test_end_of_input);
  add_both ("cut-by-eof", test_cut_by_eof);
  add_both ("peer-gone", test_peer_gone);
  add_both ("writing-to-gone-peer", test_writing_to_gone_peer);
  add_both ("large-lines", test_large_lines);
  add_both ("max-message-bytes", test_max_message_bytes);
  add_both ("slow-reader", test_slow_reader);
  add_both ("close-without-reader", test_close_without_reader);
  add_both ("queue-limit", test_queue_limit);
  add_both ("unref-in-callback", test_unref_in_callback);
  add_both ("close-in-callback", test_close_in_callback);
  add_both ("loop-in-callback", test_loop_in_callback);
  add_both ("yields", test_yields);
  add_both ("opens-once", test_opens_once);
  g_test_add_data_func ("/transport/stream/socket/close-at-any-moment", GINT_TO_POINTER (PLAIN),
                        test_close_at_any_moment);
  g_test_add_data_func ("/transport/stream/wrapped/close-at-any-moment", GINT_TO_POINTER (WRAPPED),
                        test_close_at_any_moment);
  g_test_add_data_func ("/transport/stream/socket/other-context", GINT_TO_POINTER (PLAIN),
                        test_other_context);
  g_test_add_data_func ("/transport/stream/wrapped/other-context", GINT_TO_POINTER (WRAPPED),
                        test_other_context);
  g_test_add_data_func ("/transport/stream/address/tcp", NULL, test_address);
  g_test_add_data_func ("/transport/stream/address/unix", "unix", test_address);
  g_test_add_data_func ("/transport/stream/address/tcp/nobody-listens", NULL, test_nobody_listens);
  g_test_add_data_func ("/transport/stream/address/unix/nobody-listens", "unix",
                        test_nobody_listens);
  g_test_add_data_func ("/transport/stream/address/close-while-connecting", NULL,
                        test_stop_connecting);
  g_test_add_data_func ("/transport/stream/address/cancel-while-connecting", "cancel",
                        test_stop_connecting);
  g_test_add_func ("/transport/stream/closed-stream", test_closed_stream);

  return g_test_run ();
}
