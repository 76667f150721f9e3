/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  GMCPD_SANDBOX_NONE,
  GMCPD_SANDBOX_FLATPAK,
  GMCPD_SANDBOX_UNKNOWN, /* the process is gone, or lets nobody look at it, or what the sandbox says of it cannot be read */
} GmcpdSandbox;

/* In what kind of sandbox a process is. The descriptor is one of the process itself (pidfd), or -1: the number of a
 * process that has ended can be that of another one, and a descriptor cannot. Does not close it. application_id: nullable;
 * the application's whose sandbox it is, NULL where it is that of none. */
GmcpdSandbox gmcpd_sandbox_look_up (int pid, int pidfd, char **application_id);

G_END_DECLS
