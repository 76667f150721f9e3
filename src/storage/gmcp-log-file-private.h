/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A log that never makes its owner wait. Lines are kept in memory, at most for GMCP_LOG_FLUSH_MS, and
 * written by a thread; where the disk is full, slow or gone, what does not fit into the memory set aside
 * for it is dropped and counted. What is left at the end of the program is written then.
 *
 * It belongs to the context that was the thread's default when it was made; only the lines may come from
 * any thread. */

typedef struct _GmcpLogFile GmcpLogFile;

typedef struct
{
  gsize max_queue_bytes;
  guint64 max_file_bytes;
  guint n_files;
} GmcpLogFileLimits;

/* Appends a line that says how many are missing. */
typedef void (*GmcpLogFileGapFunc) (GString *lines, guint64 n_dropped);
/* Writing began to fail, or, with NULL, works again. In the owner's context. */
typedef void (*GmcpLogFileStateFunc) (const GError *error, gpointer data);

GmcpLogFile *
gmcp_log_file_new (const char *path, const GmcpLogFileLimits *limits, GmcpLogFileGapFunc gap);
/* What is not written yet still will be, and nobody is told of anything any more. */
void gmcp_log_file_free (GmcpLogFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpLogFile, gmcp_log_file_free)

/* For who appends lines from a thread, also after it was freed; they are written then, too. */
GmcpLogFile *gmcp_log_file_ref (GmcpLogFile *self);
void gmcp_log_file_unref (GmcpLogFile *self);

/* From the next lines on. */
void gmcp_log_file_set_limits (GmcpLogFile *self, guint64 max_file_bytes, guint n_files);
void gmcp_log_file_set_state_func (GmcpLogFile *self, GmcpLogFileStateFunc func, gpointer data);
guint64 gmcp_log_file_get_n_dropped (GmcpLogFile *self);

/* Where the caller may append one whole line, which it ends with gmcp_log_file_end(); NULL where there
 * is no room, and the line counts as dropped. Nothing else may be done in between. */
GString *gmcp_log_file_begin (GmcpLogFile *self);
void gmcp_log_file_end (GmcpLogFile *self);
void gmcp_log_file_append (GmcpLogFile *self, const char *lines, gsize length);

/* Done when what was appended before is written; fails where that cannot be done within
 * GMCP_LIMIT_LOG_FLUSH_MS, and it is tried again later. */
void gmcp_log_file_flush_async (GmcpLogFile *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean gmcp_log_file_flush_finish (GmcpLogFile *self, GAsyncResult *result, GError **error);

/* What it belongs to, such as all logs of one owner; set before the first line. */
void gmcp_log_file_set_group (GmcpLogFile *self, gconstpointer group);
gconstpointer gmcp_log_file_get_group (GmcpLogFile *self);
gboolean gmcp_log_file_is_in_context (GmcpLogFile *self, GMainContext *context);

/* Has a thread write what there is now, for which nobody waits. In any thread. */
void gmcp_log_file_start_write (GmcpLogFile *self);
/* Writes all there is, and from now on each line at once. In any thread. */
void gmcp_log_file_drain (GmcpLogFile *self);
/* Writes all there is; where there is something, the write is joined and left. In any thread. */
typedef struct _GmcpLogWrite GmcpLogWrite;
void gmcp_log_file_write_for (GmcpLogFile *self, GmcpLogWrite *write);

G_END_DECLS
