/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/supervisor/start/gmcp-server-step.h>

#include "gmcp-session-private.h"

G_BEGIN_DECLS

/* How one start of a server went: when each step began and ended, by the monotonic clock, and which failed. */
typedef struct _GmcpStartTrace GmcpStartTrace;

GmcpStartTrace *gmcp_start_trace_new (void);
GmcpStartTrace *gmcp_start_trace_ref (GmcpStartTrace *self);
void gmcp_start_trace_unref (GmcpStartTrace *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpStartTrace, gmcp_start_trace_unref)

/* Ends the step before, if that goes on. */
void gmcp_start_trace_enter (GmcpStartTrace *self, GmcpServerStepKind kind);
/* For steps that go on side by side, or are taken once more. */
void gmcp_start_trace_begin (GmcpStartTrace *self, GmcpServerStepKind kind);
void gmcp_start_trace_end (GmcpStartTrace *self, GmcpServerStepKind kind);
/* What the opening of the connection comes to. */
void gmcp_start_trace_note_opening (GmcpStartTrace *self, const GmcpOpeningTimes *times);
/* The step that failed; the first one counts. */
void gmcp_start_trace_fail_at (GmcpStartTrace *self, GmcpServerStepKind kind);
/* The start failed at the step that it was at, where nobody said which. output, which the trace takes, is the last
 * that the server printed, or NULL. */
void gmcp_start_trace_fail (GmcpStartTrace *self, const GError *error, char *output);

gboolean gmcp_start_trace_has_failed (GmcpStartTrace *self);
/* Of a start that has failed. */
GmcpServerStepKind gmcp_start_trace_get_failed (GmcpStartTrace *self);
const char *gmcp_start_trace_get_output (GmcpStartTrace *self);
GmcpStepOutcome gmcp_start_trace_get_outcome (GmcpStartTrace *self, GmcpServerStepKind kind);
/* 0 for a step that was not begun. */
gint64 gmcp_start_trace_get_duration_us (GmcpStartTrace *self, GmcpServerStepKind kind);

G_END_DECLS
