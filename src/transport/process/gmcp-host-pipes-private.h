/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The pipes to a server on the host and to the shell beside it. The numbers are those that they have
 * there. */
typedef enum
{
  GMCP_HOST_END_STDIN,
  GMCP_HOST_END_STDOUT,
  GMCP_HOST_END_STDERR,
  GMCP_HOST_END_STATUS,   /* what the shell says; its end is the shell's end */
  GMCP_HOST_END_LIFELINE, /* what the shell is told; its end is the end of all */
  GMCP_HOST_N_ENDS,
} GmcpHostEnd;

typedef struct
{
  int ours[GMCP_HOST_N_ENDS]; /* non-blocking */
  int theirs[GMCP_HOST_N_ENDS];
} GmcpHostPipes;

/* Where this fails errno is set. */
gboolean gmcp_host_pipes_make (GmcpHostPipes *self);

/* Does not raise SIGPIPE. */
void gmcp_host_pipes_write (int fd, const char *text);

G_END_DECLS
