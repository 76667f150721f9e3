/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-call-record-private.h"

G_BEGIN_DECLS

/* Records calls: the book that they go by, and the log that it writes. */
typedef struct _GmcpAuditor GmcpAuditor;

/* Something is to be told of the log. */
typedef void (*GmcpAuditorNoticeFunc) (gpointer data, GmcpNoticeLevel level, const char *message);

GmcpAuditor *gmcp_auditor_new (GMainContext *context, GmcpAuditorNoticeFunc notice, gpointer data);
void gmcp_auditor_free (GmcpAuditor *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpAuditor, gmcp_auditor_free)

/* Begins the record of a call. replay_of is the id of the call in the log that this one repeats, or NULL. */
void gmcp_auditor_begin_call (GmcpAuditor *self, GmcpToolCall *call, const char *replay_of);

/* Whether calls are written down; no log is used while they are not. */
void gmcp_auditor_set_enabled (GmcpAuditor *self, gboolean enabled);
gboolean gmcp_auditor_is_enabled (GmcpAuditor *self);
/* Whether a hash is written in place of arguments. */
void gmcp_auditor_set_hash_arguments (GmcpAuditor *self, gboolean hash_arguments);
gboolean gmcp_auditor_get_hash_arguments (GmcpAuditor *self);
/* FALSE where it is used already, or none is. */
gboolean gmcp_auditor_set_log (GmcpAuditor *self, GmcpAuditLog *log);
/* Made at the standard place where none was set; NULL where calls are not written down. Borrowed. */
GmcpAuditLog *gmcp_auditor_get_log (GmcpAuditor *self);
/* The size of each log file, also of servers' logs, and how many are kept. */
void gmcp_auditor_set_log_limits (GmcpAuditor *self, guint max_bytes, guint max_files);

/* Has the lines of calls that there are now written, for which nobody waits. */
void gmcp_auditor_start_writing (GmcpAuditor *self);

/* Done when the lines of calls and of servers that there are now are written, or cannot be for now. */
void
gmcp_auditor_write_logs_async (GmcpAuditor *self, GAsyncReadyCallback callback, gpointer user_data);
void gmcp_auditor_write_logs_finish (GAsyncResult *result);

/* What the records say of who calls. */
void gmcp_auditor_set_host (GmcpAuditor *self, const char *host);
void gmcp_auditor_set_role (GmcpAuditor *self, const char *role);
void gmcp_auditor_set_project (GmcpAuditor *self, const char *project);

void gmcp_auditor_set_max_result_bytes (GmcpAuditor *self, guint max_result_bytes);
/* The folder of what servers print; NULL for the standard place. */
void gmcp_auditor_set_log_directory (GmcpAuditor *self, GFile *directory);
GFile *gmcp_auditor_get_log_directory (GmcpAuditor *self);

/* Borrowed. */
GmcpRedactor *gmcp_auditor_get_redactor (GmcpAuditor *self);
/* For the logs of servers. Borrowed. */
GmcpCallBook *gmcp_auditor_get_book (GmcpAuditor *self);

G_END_DECLS
