/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-start-trace-private.h"

#include <gmcp/core/gmcp-error.h>

typedef struct
{
  gint64 begun_us;
  gint64 ended_us;
} Span;

struct _GmcpStartTrace
{
  grefcount ref_count;
  Span spans[GMCP_SERVER_STEP_SIGN_IN + 1];
  int failed; /* a kind of step; -1 for none */
  gint64 failed_us;
  char *output;
};

GmcpStartTrace *
gmcp_start_trace_new (void)
{
  GmcpStartTrace *self = g_new0 (GmcpStartTrace, 1);

  g_ref_count_init (&self->ref_count);
  self->failed = -1;
  return self;
}

GmcpStartTrace *
gmcp_start_trace_ref (GmcpStartTrace *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

void
gmcp_start_trace_unref (GmcpStartTrace *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  g_free (self->output);
  g_free (self);
}

static gboolean
is_under_way (const Span *span)
{
  return span->begun_us != 0 && span->ended_us == 0;
}

/* The first step that goes on, or -1. */
static int
find_under_way (GmcpStartTrace *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->spans); i++)
    {
      if (is_under_way (&self->spans[i]))
        return (int) i;
    }
  return -1;
}

static void
enter_at (GmcpStartTrace *self, GmcpServerStepKind kind, gint64 now_us)
{
  int before = find_under_way (self);

  if (before >= 0)
    self->spans[before].ended_us = now_us;
  self->spans[kind] = (Span){ .begun_us = now_us };
}

void
gmcp_start_trace_enter (GmcpStartTrace *self, GmcpServerStepKind kind)
{
  enter_at (self, kind, g_get_monotonic_time ());
}

void
gmcp_start_trace_begin (GmcpStartTrace *self, GmcpServerStepKind kind)
{
  self->spans[kind] = (Span){ .begun_us = g_get_monotonic_time () };
  if (self->failed == (int) kind)
    self->failed = -1;
}

void
gmcp_start_trace_end (GmcpStartTrace *self, GmcpServerStepKind kind)
{
  if (is_under_way (&self->spans[kind]))
    self->spans[kind].ended_us = g_get_monotonic_time ();
}

void
gmcp_start_trace_note_opening (GmcpStartTrace *self, const GmcpOpeningTimes *times)
{
  if (times->talk_us == 0)
    return;

  enter_at (self, GMCP_SERVER_STEP_ERA, times->talk_us);
  if (times->initialize_us != 0)
    enter_at (self, GMCP_SERVER_STEP_HANDSHAKE, times->initialize_us);
  else if (times->open_us != 0)
    /* The answer that tells the era is all of the handshake. */
    enter_at (self, GMCP_SERVER_STEP_HANDSHAKE, times->open_us);
  if (times->open_us != 0)
    self->spans[GMCP_SERVER_STEP_HANDSHAKE].ended_us = times->open_us;
}

void
gmcp_start_trace_fail_at (GmcpStartTrace *self, GmcpServerStepKind kind)
{
  if (self->failed >= 0)
    return;

  self->failed = (int) kind;
  self->failed_us = g_get_monotonic_time ();
}

void
gmcp_start_trace_fail (GmcpStartTrace *self, const GError *error, char *output)
{
  int under_way = find_under_way (self);

  g_free (self->output);
  self->output = output;
  if (error->domain == GMCP_AUTH_ERROR)
    gmcp_start_trace_fail_at (self, GMCP_SERVER_STEP_SIGN_IN);
  else
    gmcp_start_trace_fail_at (self, under_way >= 0 ? (GmcpServerStepKind) under_way
                                                   : GMCP_SERVER_STEP_CONFIGURATION);
}

gboolean
gmcp_start_trace_has_failed (GmcpStartTrace *self)
{
  return self->failed >= 0;
}

GmcpServerStepKind
gmcp_start_trace_get_failed (GmcpStartTrace *self)
{
  g_return_val_if_fail (self->failed >= 0, GMCP_SERVER_STEP_CONFIGURATION);

  return (GmcpServerStepKind) self->failed;
}

const char *
gmcp_start_trace_get_output (GmcpStartTrace *self)
{
  return self->output;
}

GmcpStepOutcome
gmcp_start_trace_get_outcome (GmcpStartTrace *self, GmcpServerStepKind kind)
{
  if (self->failed == (int) kind)
    return GMCP_STEP_OUTCOME_FAILED;
  /* What followed from the wrong start of a program tells nothing. */
  if (self->failed >= 0 && (int) kind > self->failed)
    return GMCP_STEP_OUTCOME_SKIPPED;
  return self->spans[kind].ended_us != 0 ? GMCP_STEP_OUTCOME_PASSED : GMCP_STEP_OUTCOME_SKIPPED;
}

gint64
gmcp_start_trace_get_duration_us (GmcpStartTrace *self, GmcpServerStepKind kind)
{
  const Span *span = &self->spans[kind];

  if (self->failed == (int) kind && span->begun_us != 0)
    return self->failed_us - span->begun_us;
  return MAX (span->ended_us - span->begun_us, 0);
}
