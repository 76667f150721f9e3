/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-output-fd-private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "gmcp-fd-private.h"

#ifndef RWF_NOSIGNAL
#define RWF_NOSIGNAL 0x00000100
#endif

/* Whether the kernel can write without SIGPIPE (since Linux 6.18), which saves two system calls. */
static gboolean kernel_has_nosignal = TRUE;

static GmcpOutputKind
find_kind (int fd)
{
  struct stat status;
  gboolean known = fstat (fd, &status) == 0;

  if (known && S_ISSOCK (status.st_mode))
    return GMCP_OUTPUT_KIND_SOCKET;
  if (known && S_ISREG (status.st_mode))
    return GMCP_OUTPUT_KIND_FILE;
  if ((fcntl (fd, F_GETFL) & O_NONBLOCK) != 0)
    return GMCP_OUTPUT_KIND_NON_BLOCKING;

  return GMCP_OUTPUT_KIND_POLLED;
}

void
gmcp_output_fd_init (GmcpOutputFd *self, int fd)
{
  self->fd = fd;
  self->kind = find_kind (fd);
  self->pipe_grown = FALSE;
}

void
gmcp_output_fd_clear (GmcpOutputFd *self)
{
  gmcp_clear_fd (&self->fd);
}

void
gmcp_output_fd_grow_pipe (GmcpOutputFd *self)
{
  if (self->pipe_grown)
    return;

  self->pipe_grown = TRUE;
  gmcp_grow_pipe (self->fd);
}

/* The signal's disposition is the host's, so a SIGPIPE of ours is kept from it by the thread's mask
 * and taken back before that is lifted. */
static gssize
write_with_sigpipe_blocked (int fd, const struct iovec *pieces, int n_pieces)
{
  const struct timespec no_time = { 0, 0 };
  sigset_t sigpipe;
  sigset_t before;
  sigset_t pending;
  gboolean was_pending = FALSE;
  gssize n;
  int saved_errno;

  sigemptyset (&sigpipe);
  sigaddset (&sigpipe, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &sigpipe, &before);

  /* Only a blocked signal can have been pending. */
  if (sigismember (&before, SIGPIPE) == 1 && sigpending (&pending) == 0)
    was_pending = sigismember (&pending, SIGPIPE) == 1;

  n = writev (fd, pieces, n_pieces);
  saved_errno = errno;

  if (n < 0 && saved_errno == EPIPE && !was_pending)
    while (sigtimedwait (&sigpipe, NULL, &no_time) < 0 && errno == EINTR)
      ;

  if (sigismember (&before, SIGPIPE) != 1)
    pthread_sigmask (SIG_SETMASK, &before, NULL);
  errno = saved_errno;
  return n;
}

void
gmcp_output_fd_set_kernel_has_nosignal (gboolean has_nosignal)
{
  g_atomic_int_set (&kernel_has_nosignal, has_nosignal);
}

static gssize
write_without_sigpipe (int fd, const struct iovec *pieces, int n_pieces)
{
  if (g_atomic_int_get (&kernel_has_nosignal))
    {
      gssize n = pwritev2 (fd, pieces, n_pieces, -1, RWF_NOSIGNAL);

      if (n >= 0 || (errno != EOPNOTSUPP && errno != EINVAL && errno != ENOSYS))
        return n;
      g_atomic_int_set (&kernel_has_nosignal, FALSE);
    }

  return write_with_sigpipe_blocked (fd, pieces, n_pieces);
}

static gssize
send_to_socket (int fd, const struct iovec *pieces, int n_pieces)
{
  const struct msghdr message = { .msg_iov = (struct iovec *) pieces, .msg_iovlen = n_pieces };

  if (n_pieces == 1)
    return send (fd, pieces->iov_base, pieces->iov_len, MSG_DONTWAIT | MSG_NOSIGNAL);
  return sendmsg (fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* What is ready takes that much at once. */
static gssize
write_when_ready (int fd, const struct iovec *pieces)
{
  struct pollfd ready = { .fd = fd, .events = POLLOUT };
  const struct iovec piece = { pieces->iov_base, MIN (pieces->iov_len, PIPE_BUF) };

  if (poll (&ready, 1, 0) == 0)
    {
      errno = EAGAIN;
      return -1;
    }
  return write_without_sigpipe (fd, &piece, 1);
}

gssize
gmcp_output_fd_write (GmcpOutputFd *self, const struct iovec *pieces, int n_pieces)
{
  switch (self->kind)
    {
    case GMCP_OUTPUT_KIND_SOCKET:
      return send_to_socket (self->fd, pieces, n_pieces);

    case GMCP_OUTPUT_KIND_POLLED:
      return write_when_ready (self->fd, pieces);

    case GMCP_OUTPUT_KIND_NON_BLOCKING:
    case GMCP_OUTPUT_KIND_FILE:
    default:
      return write_without_sigpipe (self->fd, pieces, n_pieces);
    }
}
