/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-child-private.h"

G_BEGIN_DECLS

/* A server's process with the guard that is its parent. */

GmcpChild *gmcp_guarded_child_spawn (const GmcpSpawnOptions *options,
                                     const GmcpChildFuncs *funcs,
                                     gpointer owner,
                                     GmcpStderrTail *tail,
                                     GMainContext *context,
                                     int *stdin_fd,
                                     int *stdout_fd,
                                     GError **error);

G_END_DECLS
