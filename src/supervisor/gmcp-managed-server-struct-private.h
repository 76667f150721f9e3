/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-managed-server-life-private.h"

G_BEGIN_DECLS

/* Seen by gmcp-managed-server.c, which has the object and its signals, -status.c, which tells of it, and the
 * files of its life: -life.c, -start.c, -control.c and -config.c. */

/* Told when the process of a server that is not managed any more is gone. */
typedef struct
{
  GDestroyNotify done;
  gpointer data;
} GmcpServerFarewell;

struct _GmcpManagedServer
{
  GObject parent_instance;

  GMainContext *context;
  GmcpServerConfig *config;
  GmcpServerLimits limits;
  char *client_name;
  GmcpServerHost host;

  GmcpServerState state;
  GError *last_error;
  GmcpServerFailure *failure; /* the last one, also of an earlier run; NULL once it was ready */
  gboolean is_awaited;        /* its tools, which nobody knows yet */
  GError *gone;               /* why nothing starts it any more */

  /* At most one of these two is there. */
  GmcpServerInstance *instance; /* starts or is up */
  GmcpServerInstance *leaving;  /* is being stopped; what wants to start waits for it */

  GmcpServerFetch *fetch;

  GmcpStartAttempt *attempt; /* while it starts */
  gboolean start_wanted;     /* as soon as what is leaving is gone */

  GmcpRestartPolicy *restarts;
  gint64 started_at; /* when it became ready, in seconds of real time; 0 while it is not up */
  gint64 ready_us;   /* the same by the monotonic clock */

  GmcpHealthMonitor *health;
  GmcpIdleMonitor *idle;

  GQueue starters;      /* of GTask */
  GQueue stoppers;      /* of GTask */
  GQueue failed;        /* of GTask: starters that are told once the process is gone */
  GError *failed_error; /* what they are told */
  GmcpServerFarewell farewell;

  GmcpCallLimiter *limiter;
  GmcpCallStatistics *statistics;
  GmcpServerLog *log; /* NULL where nothing is written down */
  GmcpToolSnapshot *snapshot;
  GmcpAnswerCache *answers;
};

G_END_DECLS
