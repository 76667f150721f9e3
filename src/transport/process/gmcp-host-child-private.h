/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-child-private.h"

G_BEGIN_DECLS

/* A server's process on the host, where this program runs in a sandbox of Flatpak's: Flatpak's session
 * helper starts it, and a shell stays beside it that ends what is left. */

GmcpChild *gmcp_host_child_spawn (const GmcpSpawnOptions *options,
                                  const GmcpChildFuncs *funcs,
                                  gpointer owner,
                                  GmcpStderrTail *tail,
                                  GMainContext *context,
                                  int *stdin_fd,
                                  int *stdout_fd,
                                  GError **error);

G_END_DECLS
