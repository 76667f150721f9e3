/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "gmcp-guard-protocol.h"

/* What the host wants to have started, and how the guard starts it. */

typedef struct
{
  char *data; /* what the rest points into */
  size_t size;
  uint32_t flags;
  uint32_t n_fds;
  uint64_t namespaces[GMCP_GUARD_N_NAMESPACES];
  uint32_t n_limits;
  const GmcpGuardLimit *limits;
  const char *cwd;
  uint32_t install_ms;
  char **install; /* GMCP_GUARD_N_INSTALL of them; NULL where install_ms is 0 */
  char **arguments;
  char **environment;
} Start;

typedef struct
{
  int step;
  int error;
} Failure;

/* From GMCP_GUARD_START_FD, which is closed; 0, or -1 where it holds no description. */
int read_start (Start *start);
/* The server's process, or -1; a failure before its program runs has a step. */
pid_t start_server (const Start *start, Failure *failure);
