/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/supervisor/gmcp-managed-server.h>
#include <gmcp/protocol/gmcp-tool.h>
#include <gmcp/provider/gmcp-tool-call.h>

#include "gmcp-client-abilities-private.h"
#include "gmcp-server-outcomes-private.h"
#include "gmcp-server-host-private.h"
#include "gmcp-call-statistics-private.h"
#include "gmcp-server-log-private.h"
#include "gmcp-server-instance-private.h"

G_BEGIN_DECLS

GmcpManagedServer *
gmcp_managed_server_new (GmcpServerConfig *config, const GmcpServerLimits *limits);

/* Takes effect at once. A process that does not fit any more finishes the calls under way; what
 * comes later waits for the new one. */
void gmcp_managed_server_set_config (GmcpManagedServer *self, GmcpServerConfig *config);
void gmcp_managed_server_set_limits (GmcpManagedServer *self, const GmcpServerLimits *limits);
/* The host has to outlive the server, or be taken away by NULL. */
void gmcp_managed_server_set_host (GmcpManagedServer *self, const GmcpServerHost *host);
void gmcp_managed_server_set_client_name (GmcpManagedServer *self, const char *name);
/* Where the server's answers are kept. */
void gmcp_managed_server_set_cache (GmcpManagedServer *self, GmcpResponseCache *cache);
/* A kept answer of the server, which may be stale; NULL where nothing is kept. */
GmcpResourceResult *
gmcp_managed_server_find_kept_resource (GmcpManagedServer *self, const char *uri);
/* Drops the kept answers of the server. */
void gmcp_managed_server_forget_answers (GmcpManagedServer *self);
/* The server is not configured any more, or the manager closes: nothing starts it from now on. done
 * is called when the process is gone, perhaps at once. */
void gmcp_managed_server_retire (GmcpManagedServer *self,
                                 guint drain_ms,
                                 const GError *reason,
                                 GDestroyNotify done,
                                 gpointer data);

/* Says that the server is disabled, and what to do about that. */
GError *gmcp_managed_server_disabled_error (GmcpManagedServer *self);
guint gmcp_managed_server_get_shutdown_timeout_ms (GmcpManagedServer *self);
/* Does not wait for calls under way any longer. */
void gmcp_managed_server_hurry (GmcpManagedServer *self);

/* What became of the server the last time, in this run or an earlier one; NULL where nothing is known. */
const GmcpServerOutcome *gmcp_managed_server_peek_outcome (GmcpManagedServer *self);
/* What an earlier run left, where this one has not tried the server yet; NULL for nothing. */
void gmcp_managed_server_recall_outcome (GmcpManagedServer *self, const GmcpServerOutcome *outcome);

/* Whether a call can be sent now. */
gboolean gmcp_managed_server_is_ready (GmcpManagedServer *self);
/* Whether the server may have tools that nobody knows of yet: with its present configuration it was
 * never started, or starts for the first time. */
gboolean gmcp_managed_server_is_untried (GmcpManagedServer *self);
/* Whether nobody but the user may start the server. */
gboolean gmcp_managed_server_needs_user (GmcpManagedServer *self);
/* Whether the server is to be started by itself while the tools are wanted. */
gboolean gmcp_managed_server_is_due (GmcpManagedServer *self);
/* Whether a call had better wait for the health check that is under way. */
gboolean gmcp_managed_server_is_doubtful (GmcpManagedServer *self);
/* Whether the server's last answer is older than the time between two health checks: the check
 * that was to follow is late, as where the main loop was held up, and a call had better come
 * after it. */
gboolean gmcp_managed_server_is_check_overdue (GmcpManagedServer *self);
/* Whether the server was not started by itself for want of Node.js. */
gboolean gmcp_managed_server_lacks_node (GmcpManagedServer *self);
/* Node.js is there now, and the server may start. FALSE where it was not missing. */
gboolean gmcp_managed_server_forget_lack (GmcpManagedServer *self);
/* Starts the server on demand, where its state and its start policy allow that; else fails with why
 * it does not run. Succeeds at once for a server that is up. */
void gmcp_managed_server_demand_async (GmcpManagedServer *self,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean
gmcp_managed_server_demand_finish (GmcpManagedServer *self, GAsyncResult *result, GError **error);
/* Whether whoever passes that cancellable waits for the server to be up. */
gboolean gmcp_managed_server_is_awaited_by (GmcpManagedServer *self, GCancellable *cancellable);
/* Sends a call to a server that is ready. */
void gmcp_managed_server_call (GmcpManagedServer *self, const char *tool, GmcpToolCall *call);

/* Sets the log of the server's output, from the next start on; takes it. */
void gmcp_managed_server_take_log (GmcpManagedServer *self, GmcpServerLog *log);

/* How many calls run at once. */
GmcpCallLimiter *gmcp_managed_server_get_call_limiter (GmcpManagedServer *self);
/* What became of calls. */
GmcpCallStatistics *gmcp_managed_server_get_call_statistics (GmcpManagedServer *self);

/* Lists the kept tools, where nothing is known of the server yet; does not fail. */
void gmcp_managed_server_recall_tools_async (GmcpManagedServer *self,
                                             GCancellable *cancellable,
                                             GAsyncReadyCallback callback,
                                             gpointer user_data);
/* Recalls its tools and starts it if need be, or where it is ready and does not tell of changes, reads
 * its list of tools again. */
void gmcp_managed_server_refresh_async (GmcpManagedServer *self,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);
/* Refreshes a server whose tools were recalled just now. */
void gmcp_managed_server_refresh_recalled_async (GmcpManagedServer *self,
                                                 GCancellable *cancellable,
                                                 GAsyncReadyCallback callback,
                                                 gpointer user_data);
gboolean
gmcp_managed_server_refresh_finish (GmcpManagedServer *self, GAsyncResult *result, GError **error);

/* The tools to be listed, as the server has them; of GmcpTool. Borrowed until tools-changed. */
GPtrArray *gmcp_managed_server_peek_tools (GmcpManagedServer *self);
/* The configuration that the tools were listed with, which may differ from that of the server by
 * now. */
GmcpServerConfig *gmcp_managed_server_get_tools_config (GmcpManagedServer *self);
/* What the server was told that this host can do when it listed them. */
GmcpClientAbilities gmcp_managed_server_get_tools_abilities (GmcpManagedServer *self);

/* To GLib's structured log, at a level that ends no program. */
void gmcp_notice_log (const char *server_id, GmcpNoticeLevel level, const char *message);
/* To the server's own log. */
void
gmcp_managed_server_write_log (GmcpManagedServer *self, GmcpNoticeLevel level, const char *message);

G_END_DECLS
