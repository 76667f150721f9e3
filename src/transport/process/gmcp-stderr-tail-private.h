/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Told what is read, in one or two pieces. */
typedef void (*GmcpStderrFunc) (const char *text, gsize length, gpointer data);

/* Takes out what nobody may see; NULL where there is nothing of that. */
typedef char *(*GmcpStderrFilter) (const char *text, gpointer data);

/* The last bytes that a server printed to its standard error. */
typedef struct
{
  char *data; /* a ring, made when there is something to keep */
  guint64 n_bytes;
  GmcpStderrFunc func;     /* NULL where nobody else wants it */
  GmcpStderrFilter filter; /* of what goes into messages; NULL for none */
  gpointer func_data;      /* of both */
} GmcpStderrTail;

void gmcp_stderr_tail_clear (GmcpStderrTail *self);

/* One read; returns as read() does. */
gssize gmcp_stderr_tail_read (GmcpStderrTail *self, int fd);

/* Valid UTF-8, at most max_bytes of what was printed. */
char *gmcp_stderr_tail_dup (const GmcpStderrTail *self, gsize max_bytes);
/* The last lines of the output, filtered as a whole, so that no secret is cut in two; from the
 * start of a line on, without white space at the end. */
char *gmcp_stderr_tail_dup_last_lines (const GmcpStderrTail *self, gsize max_bytes);

G_END_DECLS
