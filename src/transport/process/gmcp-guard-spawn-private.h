/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-child-private.h"

G_BEGIN_DECLS

/* A guard that has just been started, and this side's ends of what leads to it and to the server. */
typedef struct
{
  pid_t pid;      /* 0 where systemd is to start it */
  int service_fd; /* then, and what systemd needs for that; else -1 */
  int control_fd;
  int stdin_fd;
  int stdout_fd;
  int stderr_fd;
  char *mark; /* a variable that nothing else has than what the server starts; the caller's */
} GmcpGuardSpawn;

/* The guard's file. */
char *gmcp_guard_find (void);

gboolean gmcp_guard_spawn (const GmcpSpawnOptions *options, GmcpGuardSpawn *spawn, GError **error);

G_END_DECLS
