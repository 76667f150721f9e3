/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-instance-private.h"

G_BEGIN_DECLS

/* While a server is up it is asked at intervals whether it works, unless it has just answered something
 * else. */
typedef struct _GmcpHealthMonitor GmcpHealthMonitor;

/* What comes of checks. The owner is kept meanwhile, and may stop the monitor. */
typedef struct
{
  /* A check ended, or the server became ready, which counts as one. */
  void (*checked) (GObject *owner);
  void (*passed) (GObject *owner);
  /* A check failed, the n_failures-th in a row. */
  void (*failed) (GObject *owner, guint n_failures, const GError *cause);
  /* The server refuses to talk before somebody has signed in. */
  void (*refused) (GObject *owner, const GError *error);
} GmcpHealthFuncs;

/* The monitor is freed with its owner. */
GmcpHealthMonitor *
gmcp_health_monitor_new (GObject *owner, GMainContext *context, const GmcpHealthFuncs *funcs);
void gmcp_health_monitor_free (GmcpHealthMonitor *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHealthMonitor, gmcp_health_monitor_free)

/* How the server is checked from now on, with the limits where the configuration has none. */
void gmcp_health_monitor_configure (GmcpHealthMonitor *self,
                                    GmcpServerConfig *config,
                                    const GmcpServerLimits *limits);
/* The server has just passed the check of its start. */
void gmcp_health_monitor_start (GmcpHealthMonitor *self, GmcpServerInstance *instance);
/* What a check that is under way finds is nobody's any more; who waits for it still does. */
void gmcp_health_monitor_stop (GmcpHealthMonitor *self);

/* Whether the last answer of the server is older than the interval: the check that was to follow is late,
 * as where the main loop was held up. */
gboolean gmcp_health_monitor_is_overdue (GmcpHealthMonitor *self);
gboolean gmcp_health_monitor_is_checking (GmcpHealthMonitor *self);
/* A server that is silent since it got the calls that it works on may be busy with those, or hang: it is
 * given as much time again as made it unhealthy. */
gboolean gmcp_health_monitor_spares (GmcpHealthMonitor *self);
/* Whether so many failures in a row are one too many. */
gboolean gmcp_health_monitor_is_limit (GmcpHealthMonitor *self, guint n_failures);
/* When the last check ended, in seconds of real time; 0 for never. */
gint64 gmcp_health_monitor_get_checked_at (GmcpHealthMonitor *self);

/* The task returns whether the next check passes, which begins now unless one is under way. */
void gmcp_health_monitor_check (GmcpHealthMonitor *self, GTask *task);
/* The task, which wants to call, returns when the next check has ended, or fails where nothing is to be sent
 * after the calls under way. */
void gmcp_health_monitor_check_for_call (GmcpHealthMonitor *self, GTask *task);
/* Who waits for a check need not wait any longer. */
void gmcp_health_monitor_settle (GmcpHealthMonitor *self, gboolean is_well);

G_END_DECLS
