/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-log-file-private.h"

G_BEGIN_DECLS

/* All log files of the process that have an owner, or something that is being written. All functions may be
 * called in any thread. */
void gmcp_log_registry_add (GmcpLogFile *file);
/* Does nothing where it was removed before. */
void gmcp_log_registry_remove (GmcpLogFile *file);

/* A thread writes to a file, which the end of the program waits for. */
void gmcp_log_registry_begin_job (void);
void gmcp_log_registry_end_job (void);

/* For tests: what happens at the end of the program. */
void gmcp_log_registry_write_at_exit (void);

/* Done when what was appended to the files of a group before is written, also to those that have been freed
 * meanwhile, or cannot be written; FALSE where that takes longer than GMCP_LIMIT_LOG_FLUSH_MS. */
void gmcp_log_registry_write_group_async (gconstpointer group,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);
gboolean gmcp_log_registry_write_group_finish (GAsyncResult *result);

/* One such write, as the files have it: each that has something to write joins it, and leaves it then. */
void gmcp_log_write_join (GmcpLogWrite *self);
void gmcp_log_write_leave (GmcpLogWrite *self);

G_END_DECLS
