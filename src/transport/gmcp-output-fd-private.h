/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>
#include <sys/uio.h>

G_BEGIN_DECLS

/* A descriptor that is written to, which it owns. No write blocks, whatever the descriptor is, and none raises SIGPIPE
 * in the host. */

typedef enum
{
  GMCP_OUTPUT_KIND_POLLED,       /* blocking, and not ours to change: asked before each write */
  GMCP_OUTPUT_KIND_NON_BLOCKING, /* O_NONBLOCK is set */
  GMCP_OUTPUT_KIND_FILE,         /* a regular file, which is always ready */
  GMCP_OUTPUT_KIND_SOCKET,
} GmcpOutputKind;

typedef struct
{
  int fd;
  GmcpOutputKind kind;
  gboolean pipe_grown;
} GmcpOutputFd;

void gmcp_output_fd_init (GmcpOutputFd *self, int fd);
void gmcp_output_fd_clear (GmcpOutputFd *self);

/* Much is about to be written. */
void gmcp_output_fd_grow_pipe (GmcpOutputFd *self);

/* As writev(): how much was written, or -1 and errno, EAGAIN where it would block. */
gssize gmcp_output_fd_write (GmcpOutputFd *self, const struct iovec *pieces, int n_pieces);

/* For tests: writes as on a kernel that has no write without SIGPIPE. */
void gmcp_output_fd_set_kernel_has_nosignal (gboolean has_nosignal);

G_END_DECLS
