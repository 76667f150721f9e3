/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* The files of a server's log: the newest has its name, older ones have a number behind it. They are read in a
 * thread, which has the reading to itself meanwhile. */

/* How far a log was read: a file by what it is, since a full one gets another name. */
typedef struct
{
  dev_t device;
  ino_t inode;
  off_t offset; /* behind the end of a line */
} GmcpLogPosition;

typedef struct
{
  char *server_id;
  char *path; /* NULL where there is nothing to read */
  gint64 since_unix;
  guint limit; /* 0 for none */
  GmcpLogPosition position;
  GPtrArray *entries; /* of GmcpLogEntry, the oldest first at the end */
} GmcpLogReading;

GmcpLogReading *
gmcp_log_reading_new (const char *server_id, const char *path, const GmcpLogPosition *position);
void gmcp_log_reading_free (gpointer reading);

/* All that is kept, or the newest lines of that; what is new since the position. FALSE where it is cancelled. */
gboolean gmcp_log_reading_read_all (GmcpLogReading *reading, GCancellable *cancellable);
gboolean gmcp_log_reading_read_new (GmcpLogReading *reading, GCancellable *cancellable);

G_END_DECLS
