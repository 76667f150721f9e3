/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-confinement-private.h"

G_BEGIN_DECLS

/* The command that runs a program in its sandbox, and the descriptors that go with it, which are given to
 * it from GMCP_GUARD_FIRST_FD on, in this order. */
typedef struct
{
  GStrv argv;
  GArray *fds; /* of int; closed with it */
  /* Whether the program may be kept from gaining rights by what it executes before the sandbox is made. */
  gboolean is_unprivileged;
} GmcpSandboxCommand;

/* The full path of bubblewrap. Fails with GMCP_ERROR_REQUIREMENT_MISSING where it is not in host_path;
 * command is the server's, for the message. */
char *
gmcp_sandbox_command_find_bubblewrap (const char *command, const char *host_path, GError **error);

/* program is the file that argv[0] is. Fails with GMCP_ERROR_REQUIREMENT_MISSING where there is no
 * bubblewrap in host_path or no filter of system calls, and with GMCP_ERROR_START_FAILED where a path that
 * is to be seen or written to is not there, or cannot be shown without showing what must not be seen. */
GmcpSandboxCommand *gmcp_sandbox_command_new (const GmcpConfinement *confinement,
                                              const char *program,
                                              const char *const *argv,
                                              const char *cwd,
                                              const char *host_path,
                                              GError **error);
void gmcp_sandbox_command_free (GmcpSandboxCommand *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpSandboxCommand, gmcp_sandbox_command_free)

G_END_DECLS
