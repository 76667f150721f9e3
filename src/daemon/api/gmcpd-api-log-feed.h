/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/audit/gmcp-log-entry.h>
#include <gmcp/supervisor/gmcp-managed-server.h>

G_BEGIN_DECLS

/* The lines of servers' logs as they are written. */
typedef struct _GmcpdApiLogFeed GmcpdApiLogFeed;

/* May free the feed. */
typedef void (*GmcpdApiLogFeedFunc) (GmcpManagedServer *server, GmcpLogEntry *entry, gpointer data);

GmcpdApiLogFeed *gmcpd_api_log_feed_new (GmcpdApiLogFeedFunc func, gpointer data);
void gmcpd_api_log_feed_free (GmcpdApiLogFeed *self);

/* Those of these (of GmcpManagedServer), from now on. */
void gmcpd_api_log_feed_follow (GmcpdApiLogFeed *self, GPtrArray *servers);

G_END_DECLS
