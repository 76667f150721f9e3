/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-host-pipes-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>

#include "gmcp-fd-private.h"

/* A socket, since a pipe whose reader is gone raises a signal. */
static int
make_socket (int fds[2])
{
  int pair[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return -1;

  fds[0] = pair[0];
  fds[1] = pair[1];
  return 0;
}

static gboolean
make_end (GmcpHostPipes *self, GmcpHostEnd end)
{
  gboolean ours_writes = end == GMCP_HOST_END_STDIN || end == GMCP_HOST_END_LIFELINE;
  int fds[2];

  if ((end == GMCP_HOST_END_LIFELINE ? make_socket (fds) : pipe2 (fds, O_CLOEXEC)) != 0)
    return FALSE;

  self->ours[end] = fds[ours_writes ? 1 : 0];
  self->theirs[end] = fds[ours_writes ? 0 : 1];
  return fcntl (self->ours[end], F_SETFL, O_NONBLOCK) == 0;
}

gboolean
gmcp_host_pipes_make (GmcpHostPipes *self)
{
  gboolean made = TRUE;
  int error_number;

  for (int i = 0; i < GMCP_HOST_N_ENDS; i++)
    self->ours[i] = self->theirs[i] = -1;
  for (int i = 0; made && i < GMCP_HOST_N_ENDS; i++)
    made = make_end (self, i);
  if (made)
    return TRUE;

  error_number = errno;
  for (int i = 0; i < GMCP_HOST_N_ENDS; i++)
    {
      gmcp_clear_fd (&self->ours[i]);
      gmcp_clear_fd (&self->theirs[i]);
    }
  errno = error_number;
  return FALSE;
}

void
gmcp_host_pipes_write (int fd, const char *text)
{
  (void) !send (fd, text, strlen (text), MSG_DONTWAIT | MSG_NOSIGNAL);
}
