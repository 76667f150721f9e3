/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A file in memory with the filter of system calls for programs in a sandbox, as bubblewrap reads it.
 *
 * A socket in the file system is no file to a read-only mount: whoever sees it may connect to it, and what
 * listens there is outside. So no Unix socket can be made, unless the program needs its own; pairs that
 * are connected to each other and stay so are left. Of other kinds there are those of the internet only.
 * What would do the same by another way (io_uring, the calls of another architecture) is closed with it,
 * and the kernel's keyrings, which are of the user and not of the sandbox.
 *
 * -1 with errno set; to ENOSYS where there is no filter for this architecture. */
int gmcp_sandbox_filter_open (gboolean allows_unix_sockets);

G_END_DECLS
