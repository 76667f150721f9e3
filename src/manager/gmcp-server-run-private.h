/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>
#include <gmcp/manager/gmcp-server-config.h>
#include <gmcp/provider/gmcp-tool-call.h>
#include <gmcp/provider/gmcp-tool-provider.h>

#include "gmcp-server-install-private.h"

G_BEGIN_DECLS

/* What one configuration of a server is run with: the client, and the calls that are under way. It
 * lives until the last of them has ended, so that a server whose configuration changed can finish
 * what it has begun. */

typedef struct
{
  guint call_timeout_ms;
  guint max_call_timeout_ms;
  guint startup_timeout_ms;
  guint install_timeout_ms;
  guint shutdown_timeout_ms;
  guint health_interval_ms;
  guint health_timeout_ms;
  guint max_health_failures;
  guint max_restart_attempts;
  guint max_restarts_per_hour;
  guint restart_delay_ms;
  guint max_restart_delay_ms;
  guint restart_jitter_percent;
  guint restart_reset_ms;
  guint restart_wait_ms;
  guint failed_start_delay_ms;
  guint max_calls;
  guint max_queued_calls;
} GmcpServerLimits;

typedef struct _GmcpServerRun GmcpServerRun;
typedef void (*GmcpServerRunFunc) (GmcpServerRun *run, gpointer data);
typedef void (*GmcpServerRunCallFunc) (GmcpServerRun *run, const GError *error, gpointer data);

/* GMCP_ERROR_INVALID_CONFIG, or GMCP_ERROR_NOT_SUPPORTED for a transport that this build lacks. */
GmcpServerRun *
gmcp_server_run_new (GmcpServerConfig *config, GMainContext *context, GError **error);
GmcpServerRun *gmcp_server_run_ref (GmcpServerRun *run);
void gmcp_server_run_unref (GmcpServerRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerRun, gmcp_server_run_unref)

GmcpClient *gmcp_server_run_get_client (GmcpServerRun *run);
GmcpServerInstall *gmcp_server_run_get_install (GmcpServerRun *run);
/* The limits of the configuration where it has some, else those given. */
void gmcp_server_run_set_limits (GmcpServerRun *run,
                                 GmcpServerConfig *config,
                                 const GmcpServerLimits *limits);
/* With what the server is checked once the variables in config have been filled in. */
void gmcp_server_run_set_health (GmcpServerRun *run,
                                 GmcpServerConfig *config,
                                 GmcpServerConfig *expanded);
/* As config has them where that is not the one that was filled in. */
const char *gmcp_server_run_get_health_tool (GmcpServerRun *run, GmcpServerConfig *config);
const char *gmcp_server_run_get_health_arguments (GmcpServerRun *run, GmcpServerConfig *config);
/* Sends a call to a client that is open. */
void gmcp_server_run_call (GmcpServerRun *run, const char *tool, GmcpToolCall *call);
/* Closes the client once no call is under way, at most after drain_ms; then calls done. */
void
gmcp_server_run_retire (GmcpServerRun *run, guint drain_ms, GmcpServerRunFunc done, gpointer data);
/* How long the server has to exit after its input was closed, and after SIGTERM; also where it is
 * being stopped. Nothing where it is no process of ours. */
void gmcp_server_run_set_stop_times (GmcpServerRun *run, guint stdin_ms, guint term_ms);
/* How long it took from closing the client until it was closed. */
gint64 gmcp_server_run_get_stop_ms (GmcpServerRun *run);
/* Does not wait for calls any longer. */
void gmcp_server_run_hurry (GmcpServerRun *run);

/* Somebody was told what is missing for the start, and need not be told again. */
void gmcp_server_run_set_lack_told (GmcpServerRun *run);
gboolean gmcp_server_run_get_lack_told (GmcpServerRun *run);

/* Calls. */

/* 0 for none, as where it is reached at an address. */
int gmcp_server_run_get_pid (GmcpServerRun *run);
/* Whether its process is there now. */
gboolean gmcp_server_run_has_process (GmcpServerRun *run);
guint gmcp_server_run_get_n_calls (GmcpServerRun *run);
/* When the server last answered a call, and when the last call ended; by the monotonic clock, 0 for
 * never. */
gint64 gmcp_server_run_get_last_answer_us (GmcpServerRun *run);
gint64 gmcp_server_run_get_last_end_us (GmcpServerRun *run);
/* The calls that are under way now are told from later ones. */
void gmcp_server_run_mark_calls (GmcpServerRun *run);
guint gmcp_server_run_get_n_marked_calls (GmcpServerRun *run);
/* Who is told that one of those has ended, or that the server wants somebody to sign in; before whoever
 * called is. error is NULL for a call that was answered. */
void gmcp_server_run_watch_calls (GmcpServerRun *run, GmcpServerRunCallFunc func, gpointer data);
/* Grows with whatever comes from the server, also what it prints. */
guint64 gmcp_server_run_get_n_heard (GmcpServerRun *run);

/* Closes the client at once, for whoever is not there any more to be told. */
void gmcp_server_run_forget (GmcpServerRun *run);

/* Fills in the variables of the configuration, then opens the client, which is the source of the
 * result. provider is the one that the server is managed by (nullable). */
void gmcp_server_run_open_async (GmcpServerRun *run,
                                 GmcpServerConfig *config,
                                 GmcpToolProvider *provider,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
gboolean gmcp_server_run_open_finish (GmcpClient *client, GAsyncResult *result, GError **error);

G_END_DECLS
