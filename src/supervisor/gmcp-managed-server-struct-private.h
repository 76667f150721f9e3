/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-parts-private.h"

G_BEGIN_DECLS

/* Seen by gmcp-managed-server.c, which has the object and its signals, gmcp-managed-server-parts.c, which gives
 * its parts to the other files, and gmcp-managed-server-config.c, which changes what holds for it. */
struct _GmcpManagedServer
{
  GObject parent_instance;

  GMainContext *context;
  GmcpServerConfig *config;
  GmcpServerLimits limits;
  char *client_name;
  GmcpServerHost host;

  GmcpServerLife *life;
  GmcpClientWishes *wishes;
  GmcpServerOutcome *outcome; /* what became of it the last time, also in an earlier run */
  gboolean is_awaited;        /* its tools, which nobody knows yet */

  GmcpServerFetch *fetch;
  GmcpRestartPolicy *restarts;
  GmcpHealthMonitor *health;
  GmcpIdleMonitor *idle;

  GmcpCallLimiter *limiter;
  GmcpCallStatistics *statistics;
  GmcpServerLog *log; /* NULL where nothing is written down */
  GmcpToolSnapshot *snapshot;
  GmcpAnswerCache *answers;
};

G_END_DECLS
