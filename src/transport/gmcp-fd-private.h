/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <fcntl.h>
#include <glib.h>
#include <unistd.h>

G_BEGIN_DECLS

/* What a pipe holds at most for a user without privileges, unless the administrator says otherwise. */
#define GMCP_LARGE_PIPE_BYTES (1024 * 1024)

/* No retry after EINTR: Linux has closed the descriptor by then. */
static inline void
gmcp_clear_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

/* Best effort: not every descriptor is a pipe, and the user's quota may be used up. */
static inline void
gmcp_grow_pipe (int fd)
{
  (void) fcntl (fd, F_SETPIPE_SZ, GMCP_LARGE_PIPE_BYTES);
}

G_END_DECLS
