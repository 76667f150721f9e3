/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-audit-log-private.h"
#include "gmcp-call-statistics-private.h"
#include "gmcp-tool-call-private.h"

G_BEGIN_DECLS

/* What a manager writes down of its calls, and what it needs for that. The calls that are under way
 * keep it. */
typedef struct
{
  grefcount ref_count;
  GmcpAuditLog *audit_log; /* NULL where calls are not written down */
  GmcpRedactor *redactor;
  char *host;
  guint max_result_bytes;
  guint max_log_bytes; /* of each file, and how many are kept */
  guint max_log_files;
  char *log_dir;  /* of what servers print; NULL for the standard place */
  char *role;     /* that all calls are made under, where they have none of their own */
  char *project;  /* that is worked on; NULL for none */
  gpointer spare; /* a record for the next call; NULL where it is in use */
} GmcpCallBook;

GmcpCallBook *gmcp_call_book_new (void);
GmcpCallBook *gmcp_call_book_ref (GmcpCallBook *self);
void gmcp_call_book_unref (GmcpCallBook *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpCallBook, gmcp_call_book_unref)

/* Goes along with a call from its beginning, however it ends: counts it, writes it down, and gives back
 * its place. What follows does nothing for a call without a record. Where names_are_plain, none in the
 * arguments is that of a secret. */
void gmcp_call_record_begin (GmcpCallBook *book, GmcpToolCall *call, gboolean names_are_plain);
/* The name of the call was found to be that tool of that server. */
void gmcp_call_record_resolve (GmcpToolCall *call,
                               GmcpCallStatistics *statistics,
                               GmcpToolStatistics *tool,
                               GmcpCallLimiter *limiter);
/* The call ends before it was resolved, and that is what its name speaks of; for the audit log. */
void gmcp_call_record_set_meant (GmcpToolCall *call, const char *server, const char *tool);
/* Why the call is refused, for the audit log. */
void gmcp_call_record_set_rule (GmcpToolCall *call, const char *rule);
/* The call repeats the one with that id in the audit log. */
void gmcp_call_record_set_replay_of (GmcpToolCall *call, const char *id);

/* Takes a place among the calls of its server, until the call ends; FALSE where none is free. */
gboolean gmcp_call_record_take_place (GmcpToolCall *call);
/* The call has waited for its place, and has it now. */
void gmcp_call_record_got_place (GmcpToolCall *call);

G_END_DECLS
