/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/gmcp-fd-transport.h>

#include "gmcp-output-queue-private.h"
#include "transport-log.h"
#include "unit-test.h"

/* The fixture's data where a read of the transport's never waits. */
#define NON_BLOCKING "non-blocking"

/* A transport and the two descriptors at its other end. */
typedef struct
{
  GmcpTransport *transport;
  TransportLog *log;
  int to;
  int from;
} Fixture;

static const char *test_program;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  int in[2];
  int out[2];

  g_unix_open_pipe (in, FD_CLOEXEC, &error);
  g_assert_no_error (error);
  g_unix_open_pipe (out, FD_CLOEXEC, &error);
  g_assert_no_error (error);

  if (g_strcmp0 (data, NON_BLOCKING) == 0)
    g_assert_no_errno (fcntl (in[0], F_SETFL, O_NONBLOCK));
  fixture->transport = GMCP_TRANSPORT (gmcp_fd_transport_new (in[0], out[1]));
  fixture->to = in[1];
  fixture->from = out[0];
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

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  close_fd (&fixture->to);
  close_fd (&fixture->from);
  transport_log_free (fixture->log);
  if (fixture->transport != NULL)
    g_assert_finalize_object (fixture->transport);
}

static void
write_all (int fd, const char *text, gsize length)
{
  while (length > 0)
    {
      gssize n = write (fd, text, length);

      g_assert_cmpint (n, >, 0);
      text += n;
      length -= n;
    }
}

static char *
read_to_eof (int fd)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char buffer[65536];
  gssize n;

  while ((n = read (fd, buffer, sizeof buffer)) > 0)
    g_string_append_len (text, buffer, n);
  g_assert_cmpint (n, ==, 0);

  return g_strdup (text->str);
}

static void
test_byte_by_byte (Fixture *fixture, gconstpointer data)
{
  const char *text = "{\"a\":1}\r\n\n[2]\n";

  for (const char *p = text; *p != '\0'; p++)
    {
      write_all (fixture->to, p, 1);
      transport_log_iterate (fixture->log);
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

  write_all (fixture->to, "{}\n", 3);
  close_fd (&fixture->to);
  transport_log_send (fixture->log, "[1]");
  transport_log_wait_closed (fixture->log);
  g_assert_cmpuint (fixture->log->n_messages, ==, 1);
  g_assert_no_error (fixture->log->closed_error);
  g_assert_false (gmcp_transport_is_open (fixture->transport));
  written = read_to_eof (fixture->from);
  g_assert_cmpstr (written, ==, "[1]\n");
}

static void
test_cut_by_eof (Fixture *fixture, gconstpointer data)
{
  write_all (fixture->to, "{}\n{\"a\":", 8);
  close_fd (&fixture->to);
  transport_log_wait_closed (fixture->log);
  g_assert_cmpuint (fixture->log->n_messages, ==, 1);
  g_assert_cmpuint (fixture->log->n_violations, ==, 1);
  g_assert_error (fixture->log->violation, GMCP_ERROR, GMCP_ERROR_PROTOCOL);
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
  writer = g_thread_new ("writer", write_large_thread, GINT_TO_POINTER (fixture->to));
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
  write_all (fixture->to, "12345\n1234\n", 11);
  transport_log_wait_messages (fixture->log, 1);
  g_assert_cmpuint (fixture->log->n_violations, ==, 1);
  g_assert_cmpstr (fixture->log->messages->pdata[0], ==, "1234");
}

static gpointer
read_all_thread (gpointer data)
{
  return read_to_eof (GPOINTER_TO_INT (data));
}

static void
test_slow_reader (Fixture *fixture, gconstpointer data)
{
  g_autofree char *large = g_strnfill (3 * 1024 * 1024, 'z');
  g_autofree char *written = NULL;
  GThread *reader;

  g_test_summary ("what does not fit the pipe waits, in order, also for the end of the connection");

  transport_log_send (fixture->log, "[1]");
  transport_log_send (fixture->log, large);
  transport_log_send (fixture->log, "[3]");
  while (g_main_context_iteration (NULL, FALSE))
    ;

  reader = g_thread_new ("reader", read_all_thread, GINT_TO_POINTER (fixture->from));
  transport_log_close (fixture->log);
  g_assert_cmpuint (fixture->log->n_closed, ==, 1);
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
test_reader_gone (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GmcpOutgoing message = { .text = "{}", .length = 2 };

  g_test_summary ("a peer that is gone raises no signal; what it said before still comes");

  gmcp_output_fd_set_kernel_has_nosignal (data == NULL);
  g_assert_true (signal (SIGPIPE, SIG_DFL) != SIG_ERR);
  write_all (fixture->to, "{}\n", 3);
  close_fd (&fixture->from);
  transport_log_send (fixture->log, "[1]");
  transport_log_wait_closed (fixture->log);
  g_assert_error (fixture->log->closed_error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE);
  g_assert_cmpuint (fixture->log->n_messages, ==, 1);
  g_assert_false (gmcp_transport_send (fixture->transport, &message, &error));
  g_assert_error (error, GMCP_ERROR, GMCP_ERROR_CLOSED);
  gmcp_output_fd_set_kernel_has_nosignal (TRUE);
}

static void
test_sigpipe_of_the_host (Fixture *fixture, gconstpointer data)
{
  sigset_t sigpipe;
  sigset_t before;
  sigset_t pending;

  g_test_summary ("a SIGPIPE that was pending before is still pending after");

  gmcp_output_fd_set_kernel_has_nosignal (data == NULL);
  sigemptyset (&sigpipe);
  sigaddset (&sigpipe, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &sigpipe, &before);
  g_assert_cmpint (raise (SIGPIPE), ==, 0);

  close_fd (&fixture->from);
  transport_log_send (fixture->log, "[1]");
  transport_log_wait_closed (fixture->log);

  g_assert_cmpint (sigpending (&pending), ==, 0);
  g_assert_cmpint (sigismember (&pending, SIGPIPE), ==, 1);
  g_assert_cmpint (sigwaitinfo (&sigpipe, NULL), ==, SIGPIPE);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  gmcp_output_fd_set_kernel_has_nosignal (TRUE);
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
  write_all (fixture->to, "[1]\n[2]\n[3]\n", 12);
  while (fixture->transport != NULL)
    transport_log_iterate (fixture->log);

  g_assert_cmpuint (fixture->log->n_messages, >=, 1);
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
  write_all (fixture->to, "[1]\n[2]\n[3]\n", 12);
  transport_log_wait_closed (fixture->log);
  g_assert_no_error (fixture->log->closed_error);
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

  g_test_summary ("many messages of one read leave room for other sources, and none waits for "
                  "more bytes");

  for (guint i = 0; i < 5000; i++)
    g_string_append (text, "{}\n");
  write_all (fixture->to, text->str, text->len);
  g_source_set_callback (other, count_cb, &count, NULL);
  g_source_attach (other, NULL);
  transport_log_wait_messages (fixture->log, 5000);
  g_source_destroy (other);
  g_assert_cmpuint (count, >=, 4);
}

static void
answer_at_once (TransportLog *log)
{
  Fixture *fixture = log->data;

  transport_log_send (log, "[1]");
  if (log->n_messages < 200)
    write_all (fixture->to, "{}\n", 3);
}

static int
count_unread_bytes (int pipe)
{
  int n = -1;

  g_assert_no_errno (ioctl (pipe, FIONREAD, &n));
  return n;
}

static void
test_read_ahead (Fixture *fixture, gconstpointer data)
{
  gboolean non_blocking = g_strcmp0 (data, NON_BLOCKING) == 0;

  g_test_summary (
    "an answer that is there once the request is written is read at once, and handed "
    "over in the next turn of the loop, where a task of the turn before can return; a "
    "descriptor on which a read could wait is never read without a poll");

  fixture->log->on_message = answer_at_once;
  fixture->log->data = fixture;
  write_all (fixture->to, "{}\n", 3);
  while (fixture->log->n_messages < 199)
    {
      guint64 before = fixture->log->n_messages;

      transport_log_iterate (fixture->log);
      g_assert_cmpuint (fixture->log->n_messages, ==, before + 1);
      g_assert_cmpint (count_unread_bytes (fixture->to), ==, non_blocking ? 0 : 3);
    }
  transport_log_wait_messages (fixture->log, 200);
}

static void
test_read_ahead_in_vain (Fixture *fixture, gconstpointer data)
{
  g_test_summary ("a peer that takes its time is waited for with a poll");

  for (guint i = 1; i <= 300; i++)
    {
      char buffer[16];

      transport_log_send (fixture->log, "[1]");
      for (gssize n = 0; n < 4;)
        {
          struct pollfd ready = { .fd = fixture->from, .events = POLLIN };

          transport_log_iterate (fixture->log);
          if (poll (&ready, 1, 0) > 0)
            n += read (fixture->from, buffer, sizeof buffer);
        }
      write_all (fixture->to, "{}\n", 3);
      transport_log_wait_messages (fixture->log, i);
    }
}

static void
test_socket (void)
{
  g_autoptr (GmcpTransport) transport = NULL;
  TransportLog *log;
  char buffer[16];
  int pair[2];

  g_test_summary ("one socket for both directions");

  g_assert_no_errno (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
  transport = GMCP_TRANSPORT (gmcp_fd_transport_new (pair[0], pair[0]));
  log = transport_log_new (transport);
  transport_log_open (log);
  transport_log_send (log, "[1]");
  write_all (pair[1], "{}\n", 3);
  transport_log_wait_messages (log, 1);
  g_assert_cmpint (read (pair[1], buffer, sizeof buffer), ==, 4);
  g_assert_cmpmem (buffer, 4, "[1]\n", 4);
  transport_log_close (log);
  g_assert_cmpint (read (pair[1], buffer, sizeof buffer), ==, 0);
  g_assert_no_errno (close (pair[1]));
  g_assert_cmpint (fcntl (pair[0], F_GETFD), ==, -1);
  transport_log_free (log);
  g_assert_finalize_object (g_steal_pointer (&transport));
}

static void
test_other_context (void)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GmcpTransport) transport = NULL;
  TransportLog *log;
  int pair[2];

  g_assert_no_errno (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
  g_main_context_push_thread_default (context);
  transport = GMCP_TRANSPORT (gmcp_fd_transport_new (pair[0], pair[0]));
  log = transport_log_new (transport);
  transport_log_open (log);
  write_all (pair[1], "{}\n", 3);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (log->n_messages, ==, 0);
  transport_log_wait_messages (log, 1);
  transport_log_close (log);
  transport_log_free (log);
  g_assert_finalize_object (g_steal_pointer (&transport));
  g_main_context_pop_thread_default (context);
  g_assert_no_errno (close (pair[1]));
}

static void
echo_back (TransportLog *log)
{
  transport_log_send (log, g_ptr_array_index (log->messages, log->messages->len - 1));
  printf ("printed by mistake\n");
  fflush (stdout);
}

/* This program as a server. */
static int
run_echo_server (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpTransport) transport = GMCP_TRANSPORT (gmcp_fd_transport_new_stdio (&error));
  TransportLog *log;

  g_assert_no_error (error);
  log = transport_log_new (transport);
  log->on_message = echo_back;
  transport_log_open (log);
  transport_log_wait_closed (log);
  g_assert_no_error (log->closed_error);
  g_assert_cmpint (getchar (), ==, EOF);
  transport_log_free (log);
  return 0;
}

static void
test_stdio (void)
{
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;

  g_test_summary ("a server's own standard streams: stray prints do not get between messages");

  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE
                              | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                            &error, test_program, "--echo-server", NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (child, "{\"a\":1}\n[2]\n", NULL, &out, &err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (child));
  g_assert_cmpstr (out, ==, "{\"a\":1}\n[2]\n");
  g_assert_cmpstr (err, ==, "printed by mistake\nprinted by mistake\n");
}

static void
test_stdio_files (void)
{
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *in_path = g_build_filename (g_get_tmp_dir (), "gmcp-in-XXXXXX", NULL);
  g_autofree char *out_path = g_build_filename (g_get_tmp_dir (), "gmcp-out-XXXXXX", NULL);
  g_autofree char *out = NULL;
  int in_fd = g_mkstemp (in_path);
  int out_fd = g_mkstemp (out_path);

  g_test_summary ("regular files as standard input and output");

  write_all (in_fd, "{}\n[2]\n", 7);
  g_assert_cmpint (lseek (in_fd, 0, SEEK_SET), ==, 0);
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_subprocess_launcher_take_stdout_fd (launcher, out_fd);
  g_subprocess_launcher_take_fd (launcher, in_fd, STDIN_FILENO);
  g_subprocess_launcher_set_flags (launcher, G_SUBPROCESS_FLAGS_STDERR_SILENCE
                                               | G_SUBPROCESS_FLAGS_STDIN_INHERIT);
  child = g_subprocess_launcher_spawn (launcher, &error, test_program, "--echo-server", NULL);
  g_assert_no_error (error);
  g_subprocess_wait_check (child, NULL, &error);
  g_assert_no_error (error);
  g_file_get_contents (out_path, &out, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (out, ==, "{}\n[2]\n");
  g_assert_no_errno (unlink (in_path));
  g_assert_no_errno (unlink (out_path));
}

static void
test_stdio_shared_flags (void)
{
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GError) error = NULL;
  int fds[2];
  int keep;

  g_test_summary ("the open file that a server's standard output shares stays blocking");

  g_unix_open_pipe (fds, FD_CLOEXEC, &error);
  g_assert_no_error (error);
  keep = dup (fds[1]);
  launcher
    = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_subprocess_launcher_take_stdout_fd (launcher, fds[1]);
  child = g_subprocess_launcher_spawn (launcher, &error, test_program, "--echo-server", NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (child, "{}\n", NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (child));
  g_assert_cmpint (fcntl (keep, F_GETFL) & O_NONBLOCK, ==, 0);
  close_fd (&fds[0]);
  close_fd (&keep);
}

#define ADD_DATA(path, data, function) g_test_add (path, Fixture, data, set_up, function, tear_down)
#define ADD(path, function)            ADD_DATA (path, NULL, function)

UNIT_TEST_MAIN (int argc, char *argv[])
{
  if (argc == 2 && g_str_equal (argv[1], "--echo-server"))
    return run_echo_server ();

  test_program = argv[0];
  g_test_init (&argc, &argv, NULL);

  ADD ("/transport/fd/byte-by-byte", test_byte_by_byte);
  ADD ("/transport/fd/end-of-input", test_end_of_input);
  ADD ("/transport/fd/cut-by-eof", test_cut_by_eof);
  ADD ("/transport/fd/large-lines", test_large_lines);
  ADD ("/transport/fd/max-message-bytes", test_max_message_bytes);
  ADD ("/transport/fd/slow-reader", test_slow_reader);
  ADD ("/transport/fd/close-without-reader", test_close_without_reader);
  ADD ("/transport/fd/reader-gone", test_reader_gone);
  ADD_DATA ("/transport/fd/reader-gone/older-kernel", "", test_reader_gone);
  ADD ("/transport/fd/sigpipe-of-the-host", test_sigpipe_of_the_host);
  ADD_DATA ("/transport/fd/sigpipe-of-the-host/older-kernel", "", test_sigpipe_of_the_host);
  ADD ("/transport/fd/queue-limit", test_queue_limit);
  ADD ("/transport/fd/unref-in-callback", test_unref_in_callback);
  ADD ("/transport/fd/close-in-callback", test_close_in_callback);
  ADD ("/transport/fd/yields", test_yields);
  ADD ("/transport/fd/read-ahead/blocking", test_read_ahead);
  ADD_DATA ("/transport/fd/read-ahead/non-blocking", NON_BLOCKING, test_read_ahead);
  ADD_DATA ("/transport/fd/read-ahead/in-vain", NON_BLOCKING, test_read_ahead_in_vain);
  g_test_add_func ("/transport/fd/socket", test_socket);
  g_test_add_func ("/transport/fd/other-context", test_other_context);
  g_test_add_func ("/transport/fd/stdio/echo", test_stdio);
  g_test_add_func ("/transport/fd/stdio/files", test_stdio_files);
  g_test_add_func ("/transport/fd/stdio/shared-flags", test_stdio_shared_flags);

  return g_test_run ();
}
