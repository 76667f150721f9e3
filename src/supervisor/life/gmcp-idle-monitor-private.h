/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-instance-private.h"

G_BEGIN_DECLS

/* Whether a server that is up is still used. */
typedef struct _GmcpIdleMonitor GmcpIdleMonitor;

/* func is called once the server was not used for its idle time; then the monitor has stopped. */
GmcpIdleMonitor *
gmcp_idle_monitor_new (GMainContext *context, void (*func) (gpointer data), gpointer data);
void gmcp_idle_monitor_free (GmcpIdleMonitor *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpIdleMonitor, gmcp_idle_monitor_free)

/* The idle time begins now; 0 for one that never ends. */
void gmcp_idle_monitor_start (GmcpIdleMonitor *self, GmcpServerInstance *instance, gint64 idle_ms);
void gmcp_idle_monitor_stop (GmcpIdleMonitor *self);

/* A server that is held is in use. */
void gmcp_idle_monitor_hold (GmcpIdleMonitor *self);
/* FALSE where nobody holds the server. */
gboolean gmcp_idle_monitor_release (GmcpIdleMonitor *self);

G_END_DECLS
