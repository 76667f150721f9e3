/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"
#include "gmcp-log-file-private.h"

G_BEGIN_DECLS

/* Lines of an audit log that wait for the hash of large arguments, which a thread computes. They are
 * written as soon as it is there, and without it where it does not come in time: at the end of the
 * program. It belongs to the context that was the thread's default when it was made. */
typedef struct _GmcpAuditPending GmcpAuditPending;

/* In hexadecimal. */
#define GMCP_AUDIT_HASH_LENGTH 64u

GmcpAuditPending *gmcp_audit_pending_new (GmcpLogFile *file);
/* What waits is written when it is hashed, also where the file is freed before. Nobody may wait for it. */
void gmcp_audit_pending_free (GmcpAuditPending *self);

/* Takes a line in which so much room is left for the hash at that place, and the member that it is the
 * value of begins there. */
typedef struct
{
  GString *text;
  gsize member_at;
  gsize hash_at;
} GmcpAuditLine;

void gmcp_audit_pending_take (GmcpAuditPending *self, GmcpAuditLine *line, GmcpJsonValue arguments);

/* Until none waits; fails where that takes longer than GMCP_LIMIT_LOG_FLUSH_MS. */
void gmcp_audit_pending_wait_async (GmcpAuditPending *self,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean gmcp_audit_pending_wait_finish (GAsyncResult *result, GError **error);

/* For tests: what happens at the end of the program. */
void gmcp_audit_pending_write_all_at_exit (void);

G_END_DECLS
