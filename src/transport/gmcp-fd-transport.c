/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/transport/gmcp-fd-transport.h>

#include "gmcp-fd-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-line-link-private.h"
#include "gmcp-transport-private.h"

/* Out of the way of descriptors that a program expects to be the standard ones. */
#define LOWEST_FD 10

/**
 * GmcpFdTransport:
 *
 * Messages over two descriptors that are open already, one a line: pipes, a socket, or a server's
 * own standard input and output.
 *
 * The end of the input closes the transport, without an error, once all that was queued has been
 * written; a [class@Gmcp.Server] first answers what it can. It can be opened once.
 *
 * Spec: MCP 2026-07-28, basic/transports/stdio.
 *
 * Since: 0.1
 */
struct _GmcpFdTransport
{
  GmcpTransport parent_instance;

  int input_fd; /* until opened */
  int output_fd;
  gboolean is_stdio;
  GmcpLineLink link;
};

G_DEFINE_FINAL_TYPE (GmcpFdTransport, gmcp_fd_transport, GMCP_TYPE_TRANSPORT)

static void
close_descriptors (GmcpFdTransport *self)
{
  if (self->output_fd == self->input_fd)
    self->output_fd = -1;
  gmcp_clear_fd (&self->input_fd);
  gmcp_clear_fd (&self->output_fd);
}

static void
gmcp_fd_transport_open_async (GmcpTransport *transport,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GmcpFdTransport *self = GMCP_FD_TRANSPORT (transport);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_fd_transport_open_async);

  if (self->input_fd < 0 || self->output_fd < 0)
    g_task_return_new_error (
      task, GMCP_ERROR, GMCP_ERROR_CLOSED,
      _ ("The descriptors of this connection are closed; it opens only once"));
  else
    g_task_return_boolean (task, TRUE);
}

static gboolean
gmcp_fd_transport_open_finish (GmcpTransport *transport, GAsyncResult *result, GError **error)
{
  GmcpFdTransport *self = GMCP_FD_TRANSPORT (transport);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;

  /* Not before: nothing may come in while the opening is under way. */
  if (self->input_fd >= 0)
    gmcp_line_link_open_fds (&self->link, g_steal_fd (&self->input_fd),
                             g_steal_fd (&self->output_fd), NULL);

  return TRUE;
}

static gboolean
gmcp_fd_transport_send (GmcpTransport *transport, const GmcpOutgoing *message, GError **error)
{
  GmcpFdTransport *self = GMCP_FD_TRANSPORT (transport);

  return gmcp_line_link_send (&self->link, message, error);
}

static void
gmcp_fd_transport_close_async (GmcpTransport *transport,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GmcpFdTransport *self = GMCP_FD_TRANSPORT (transport);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_fd_transport_close_async);
  close_descriptors (self);
  gmcp_line_link_close (&self->link, task);
}

static gboolean
gmcp_fd_transport_close_finish (GmcpTransport *transport, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static char *
gmcp_fd_transport_dup_description (GmcpTransport *transport)
{
  GmcpFdTransport *self = GMCP_FD_TRANSPORT (transport);

  return g_strdup (self->is_stdio ? _ ("standard input and output") : _ ("the peer"));
}

static void
gmcp_fd_transport_finalize (GObject *object)
{
  GmcpFdTransport *self = GMCP_FD_TRANSPORT (object);

  gmcp_line_link_clear (&self->link);
  close_descriptors (self);

  G_OBJECT_CLASS (gmcp_fd_transport_parent_class)->finalize (object);
}

static const GmcpTransportFuncs transport_funcs = {
  .open_async = gmcp_fd_transport_open_async,
  .open_finish = gmcp_fd_transport_open_finish,
  .send = gmcp_fd_transport_send,
  .close_async = gmcp_fd_transport_close_async,
  .close_finish = gmcp_fd_transport_close_finish,
  .dup_description = gmcp_fd_transport_dup_description,
  .takes_parts = TRUE,
};

static void
gmcp_fd_transport_class_init (GmcpFdTransportClass *klass)
{
  GmcpTransportClass *transport_class = GMCP_TRANSPORT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gmcp_fd_transport_finalize;

  transport_class->funcs = &transport_funcs;
}

static void
gmcp_fd_transport_init (GmcpFdTransport *self)
{
  self->input_fd = -1;
  self->output_fd = -1;
  gmcp_line_link_init (&self->link, GMCP_TRANSPORT (self));
}

/* A pipe that was handed over whole may be made non-blocking; for other kinds the flag is shared
 * with other users of the file, and not needed. */
static void
make_pipe_non_blocking (int fd)
{
  struct stat status;

  if (fstat (fd, &status) == 0 && S_ISFIFO (status.st_mode))
    (void) fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) | O_NONBLOCK);
}

/**
 * gmcp_fd_transport_new:
 * @input_fd: a descriptor to read from, which the transport closes
 * @output_fd: a descriptor to write to, which the transport closes; may be the same as @input_fd
 *
 * Makes a transport over descriptors that are open. Pipes are made non-blocking, so the other
 * holders of the same end, if there are any, must be ready for that.
 *
 * Returns: (transfer full): a transport
 *
 * Since: 0.1
 */
GmcpFdTransport *
gmcp_fd_transport_new (int input_fd, int output_fd)
{
  GmcpFdTransport *self;

  g_return_val_if_fail (input_fd >= 0, NULL);
  g_return_val_if_fail (output_fd >= 0, NULL);

  self = g_object_new (GMCP_TYPE_FD_TRANSPORT, NULL);
  self->input_fd = input_fd;
  self->output_fd = output_fd;
  make_pipe_non_blocking (output_fd);
  return self;
}

static gboolean
set_error_from_errno (GError **error, const char *what, int saved_errno)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno), "%s: %s", what,
               g_strerror (saved_errno));
  return FALSE;
}

/* The flag O_NONBLOCK sits on the open file, which the shell that started us shares. Opened anew
 * through /proc, a pipe or a terminal has one of its own; a regular file would lose its position,
 * and does not need it. */
static int
dup_output (int fd)
{
  struct stat status;

  if (fstat (fd, &status) == 0 && (S_ISFIFO (status.st_mode) || S_ISCHR (status.st_mode)))
    {
      g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
      int opened = open (path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

      if (opened >= 0)
        {
          int high = fcntl (opened, F_DUPFD_CLOEXEC, LOWEST_FD);

          close (opened);
          return high;
        }
    }

  return fcntl (fd, F_DUPFD_CLOEXEC, LOWEST_FD);
}

/* Where a standard descriptor is closed, the first file that the process opens gets its number, and
 * with GLib that is an event counter: a file of no type. */
static gboolean
is_stream (int fd)
{
  struct stat status;

  if (fstat (fd, &status) < 0)
    return FALSE;

  errno = EBADF;
  return (status.st_mode & S_IFMT) != 0;
}

/* What is printed by mistake goes to where errors go, and what is read by mistake is nothing. */
static gboolean
replace_stdio (GError **error)
{
  int null_fd = open ("/dev/null", O_RDWR | O_CLOEXEC);
  gboolean ok;

  if (null_fd < 0)
    return set_error_from_errno (error, "/dev/null", errno);

  ok = dup2 (null_fd, STDIN_FILENO) >= 0
       && (dup2 (STDERR_FILENO, STDOUT_FILENO) >= 0 || dup2 (null_fd, STDOUT_FILENO) >= 0);
  if (!ok)
    set_error_from_errno (error, _ ("Setting standard input and output aside failed"), errno);

  if (null_fd > STDERR_FILENO)
    close (null_fd);
  return ok;
}

/**
 * gmcp_fd_transport_new_stdio:
 * @error: return location for an error
 *
 * Makes a transport over this process's own standard input and output, for a server.
 *
 * The two are set aside, so that what other code prints cannot get between the messages: after this
 * standard output is a copy of standard error, and standard input is empty. It works once in a
 * process.
 *
 * Returns: (transfer full): a transport, or %NULL with @error set where one of the two is not open
 *
 * Since: 0.1
 */
GmcpFdTransport *
gmcp_fd_transport_new_stdio (GError **error)
{
  g_autoptr (GmcpFdTransport) self = g_object_new (GMCP_TYPE_FD_TRANSPORT, NULL);

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  self->is_stdio = TRUE;
  if (is_stream (STDIN_FILENO))
    self->input_fd = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, LOWEST_FD);
  if (self->input_fd < 0)
    {
      set_error_from_errno (error, _ ("Standard input is not open"), errno);
      return NULL;
    }

  if (is_stream (STDOUT_FILENO))
    self->output_fd = dup_output (STDOUT_FILENO);
  if (self->output_fd < 0)
    {
      set_error_from_errno (error, _ ("Standard output is not open"), errno);
      return NULL;
    }

  if (!replace_stdio (error))
    return NULL;

  return g_steal_pointer (&self);
}
