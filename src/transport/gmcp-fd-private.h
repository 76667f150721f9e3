/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>
#include <unistd.h>

G_BEGIN_DECLS

/* No retry after EINTR: Linux has closed the descriptor by then. */
static inline void
gmcp_clear_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

G_END_DECLS
