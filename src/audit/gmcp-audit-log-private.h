/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/audit/gmcp-audit-log.h>

#include "gmcp-audit-pending-private.h"
#include "gmcp-log-file-private.h"
#include "gmcp-redactor-private.h"

G_BEGIN_DECLS

struct _GmcpAuditLog
{
  GObject parent_instance;

  char *path;
  GmcpLogFile *file; /* made with the first line */
  GmcpAuditPending *pending;
  guint n_files; /* that it is spread over */
  gboolean hash_arguments;
  GError *last_error;

  gint64 clock_offset_us; /* from the monotonic clock to that on the wall */
  gint64 offset_until_us; /* how long it holds, by the monotonic clock */
  gint64 second;          /* that is in the text: most calls fall into one second */
  /* Where the line that was written last has room for a hash, and the member that has it begins; 0 where
   * it has none. */
  gsize hash_at;
  gsize member_at;
  /* What a line begins with: the time and the id, which tells this log's lines from those of others. */
  char start[72];
  gsize start_length;
};

/* One call that has ended. What is NULL is left out. */
typedef struct
{
  const char *host;
  const char *client; /* the program that called, as the system has it */
  const char *role;
  const char
    *standing_role; /* the role of all calls; NULL for none, and where it is that of the call */
  const char *project;
  const char *names; /* of the server and its tool: members that follow others */
  gsize names_length;
  const char *server;      /* as in names; where the call reached none, what its name speaks of */
  const char *tool;        /* as in names; the name of the call for an unknown tool */
  const char *rule;        /* that refused it */
  const char *replay_of;   /* the id of another line */
  const char *traceparent; /* W3C Trace Context */
  GmcpJsonValue arguments;
  gboolean names_are_plain; /* none in the arguments is known to be that of a secret */
  gboolean tool_failed;
  const GError *error;
  gint64 start_us; /* by the monotonic clock */
  gint64 duration_us;
} GmcpAuditEntry;

/* Takes about as long as a call of malloc, and never waits. A line with large arguments is written when
 * they are hashed. */
void gmcp_audit_log_write (GmcpAuditLog *self, const GmcpAuditEntry *entry, GmcpRedactor *redactor);

/* The size of each file, and how many are kept. */
void gmcp_audit_log_set_limits (GmcpAuditLog *self, guint max_bytes, guint n_files);
void gmcp_audit_log_init_start (GmcpAuditLog *self);
/* The text of one line, from the object that it is to its end. Where the log says so, it has room for a
 * hash. */
void gmcp_audit_log_write_entry (GmcpAuditLog *self,
                                 GString *out,
                                 const GmcpAuditEntry *entry,
                                 GmcpRedactor *redactor);

G_END_DECLS
