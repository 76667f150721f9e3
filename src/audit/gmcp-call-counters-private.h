/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* How long calls took, in microseconds: four buckets to each power of two, so that a quantile is off by
 * an eighth at most. */
#define GMCP_LATENCY_BUCKETS 144

typedef struct
{
  guint64 n_calls;          /* that have ended */
  guint64 n_errors;         /* without a result */
  guint64 n_tool_errors;    /* with a result that says so */
  guint64 n_bytes_sent;     /* of arguments */
  guint64 n_bytes_received; /* of results */
  guint64 max_us;
  guint32 latencies[GMCP_LATENCY_BUCKETS];
} GmcpCallCounters;

typedef struct
{
  guint64 n_bytes_sent;
  guint64 n_bytes_received;
  gint64 duration_us;
  gboolean failed;
  gboolean tool_failed;
} GmcpCallOutcome;

void gmcp_call_counters_add (GmcpCallCounters *self, const GmcpCallOutcome *outcome);

/* The time within which that share of the calls ended; 0 where there was none. */
guint64 gmcp_call_counters_get_quantile (const GmcpCallCounters *self, double share);

/* Members of an object that was begun. */
void gmcp_call_counters_write (const GmcpCallCounters *self, GmcpJsonWriter *writer);

G_END_DECLS
