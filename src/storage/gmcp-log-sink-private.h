/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A file of log lines, and those that were full before it: PATH, PATH.1 and so on. Every function may
 * wait for the disk: they are for a thread that nobody waits for. Several processes may write to the
 * same file. */
typedef struct
{
  char *path;
  guint64 max_bytes; /* of each file */
  guint n_files;     /* that are kept, with the one that is written */

  int fd;
  gboolean regular; /* only then it is rotated */
  guint64 n_bytes;  /* that are in it */
} GmcpLogSink;

void gmcp_log_sink_init (GmcpLogSink *self, const char *path, guint64 max_bytes, guint n_files);
void gmcp_log_sink_clear (GmcpLogSink *self);

/* Writes whole lines, as far as it gets; how far is in n_written, also where it fails. What nobody
 * reads, as a FIFO may be, is G_IO_ERROR_WOULD_BLOCK. */
gboolean gmcp_log_sink_write (GmcpLogSink *self,
                              const char *lines,
                              gsize length,
                              gsize *n_written,
                              GError **error);

/* The paths that may hold lines, the oldest first. */
GPtrArray *gmcp_log_sink_list_paths (const char *path, guint n_files);

G_END_DECLS
