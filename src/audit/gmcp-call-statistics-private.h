/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-call-counters-private.h"
#include "gmcp-call-limiter-private.h"

G_BEGIN_DECLS

/* What became of the calls of one server. The calls that are under way keep the statistics, so they may
 * outlive the server. */
typedef struct _GmcpCallStatistics GmcpCallStatistics;

/* Of so many calls that ended last the times are kept. */
#define GMCP_RECENT_CALLS 32

/* One tool of the server; lives as long as the statistics do. */
typedef struct
{
  char *name; /* as the server has it */
  /* Members “server” and “tool” after others, for the audit log; NULL where they are too long. */
  char *names_json;
  gsize names_length;
  GmcpCallCounters counters;
} GmcpToolStatistics;

/* id is that of the server. */
GmcpCallStatistics *gmcp_call_statistics_new (const char *id);
GmcpCallStatistics *gmcp_call_statistics_ref (GmcpCallStatistics *self);
void gmcp_call_statistics_unref (GmcpCallStatistics *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpCallStatistics, gmcp_call_statistics_unref)

const char *gmcp_call_statistics_get_id (GmcpCallStatistics *self);
GmcpToolStatistics *gmcp_call_statistics_get_tool (GmcpCallStatistics *self, const char *name);
void gmcp_call_statistics_count (GmcpCallStatistics *self,
                                 GmcpToolStatistics *tool,
                                 const GmcpCallOutcome *outcome);
/* Called with the error that a call of the server ended with. */
typedef void (*GmcpCallFailedFunc) (const GError *error, gpointer data);
/* NULL to be told no more. */
void gmcp_call_statistics_set_failed_func (GmcpCallStatistics *self,
                                           GmcpCallFailedFunc func,
                                           gpointer data);
void gmcp_call_statistics_call_failed (GmcpCallStatistics *self, const GError *error);
/* Members of an object that was begun: the sums, the last times, how many calls run and wait, and “tools”. */
void gmcp_call_statistics_write (GmcpCallStatistics *self,
                                 GmcpCallLimiter *limiter,
                                 GmcpJsonWriter *writer);

G_END_DECLS
