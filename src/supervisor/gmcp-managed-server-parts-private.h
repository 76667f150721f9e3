/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-answer-cache-private.h"
#include "gmcp-health-monitor-private.h"
#include "gmcp-idle-monitor-private.h"
#include "gmcp-managed-server-private.h"
#include "gmcp-restart-policy-private.h"
#include "gmcp-server-outcomes-private.h"
#include "gmcp-server-life-private.h"
#include "gmcp-tool-snapshot-private.h"

G_BEGIN_DECLS

/* What the objects of a managed server, and its files, share with each other. */

/* The fetching of its program: gmcp-managed-server-install.c */
typedef struct _GmcpServerFetch GmcpServerFetch;

GmcpServerFetch *gmcp_server_fetch_new (GmcpManagedServer *server, GMainContext *context);
void gmcp_server_fetch_free (GmcpServerFetch *fetch);

/* Parts of the server: gmcp-managed-server-parts.c */
GmcpServerLife *gmcp_managed_server_get_life (GmcpManagedServer *self);
GMainContext *gmcp_managed_server_get_context (GmcpManagedServer *self);
/* A critical warning that names the function, and FALSE, where another thread runs the context. */
gboolean gmcp_managed_server_check_thread (GmcpManagedServer *self, const char *function);
/* NULL for the name that the library has by itself. */
const char *gmcp_managed_server_get_client_name (GmcpManagedServer *self);
const GmcpServerLimits *gmcp_managed_server_get_limits (GmcpManagedServer *self);
const GmcpServerHost *gmcp_managed_server_get_host (GmcpManagedServer *self);
/* NULL where nothing is written down. */
GmcpServerLog *gmcp_managed_server_get_log (GmcpManagedServer *self);
/* The instance that starts or is up; NULL for none. */
GmcpServerInstance *gmcp_managed_server_get_instance (GmcpManagedServer *self);
GmcpRestartPolicy *gmcp_managed_server_get_restart_policy (GmcpManagedServer *self);
GmcpHealthMonitor *gmcp_managed_server_get_health_monitor (GmcpManagedServer *self);
GmcpIdleMonitor *gmcp_managed_server_get_idle_monitor (GmcpManagedServer *self);
GmcpToolSnapshot *gmcp_managed_server_get_snapshot (GmcpManagedServer *self);
GmcpAnswerCache *gmcp_managed_server_get_answers (GmcpManagedServer *self);
GmcpServerFetch *gmcp_managed_server_get_fetch (GmcpManagedServer *self);

/* The state machine: gmcp-managed-server-life.c */

/* FALSE where the event means nothing now. */
gboolean gmcp_managed_server_take_event (GmcpManagedServer *self, GmcpServerEvent event);
/* The tasks that wait for the start. */
GQueue *gmcp_managed_server_get_starters (GmcpManagedServer *self);
/* Moves the starters to the other queue; no start is wanted for them any more. */
void gmcp_managed_server_take_starters (GmcpManagedServer *self, GQueue *starters);
/* The time up to now is not that of the start under way. */
void gmcp_managed_server_begin_start_time (GmcpManagedServer *self);
/* Begins a start as soon as nothing is left of the process before. */
void gmcp_managed_server_want_start (GmcpManagedServer *self);
/* The run becomes the one that leaves. Callbacks may run in it. */
void gmcp_managed_server_let_go (GmcpManagedServer *self, guint drain_ms, GmcpServerEvent event);
/* Lets go of the run where there is one, and takes the event. */
void gmcp_managed_server_end (GmcpManagedServer *self, guint drain_ms, GmcpServerEvent event);
void gmcp_managed_server_say_farewell (GmcpManagedServer *self);

/* Configuration: gmcp-managed-server-config.c */
/* Says that the server does not run, and what to do about that; of a disabled server, that it is disabled. */
GError *gmcp_managed_server_not_running_error (GmcpManagedServer *self);

/* Starting: gmcp-managed-server-start.c */

/* Why the server cannot be started whatever is tried, where that is known; else NULL. */
GError *gmcp_managed_server_lacking_error (GmcpManagedServer *self);
/* The server is asked for by name: what was missing is looked for again. */
void gmcp_managed_server_look_again (GmcpManagedServer *self);
void gmcp_managed_server_begin_start (GmcpManagedServer *self);

/* Fetching its program: gmcp-managed-server-install.c */

/* Somebody waits for the start, but not for ever. */
void gmcp_managed_server_note_waiter (GTask *task);
/* A GmcpInstallFunc, for the server. */
void gmcp_managed_server_on_install (GmcpGuardInstallPhase phase,
                                     const GmcpInstaller *installer,
                                     gpointer data);
/* The start has ended, or was given up since somebody stopped the server. */
void gmcp_managed_server_forget_install (GmcpManagedServer *self, gboolean is_stopped);

/* Starting again: gmcp-managed-server-restart.c */

/* The connection is lost, or good for nothing. */
void gmcp_managed_server_recover (GmcpManagedServer *self, const GError *error);
/* The server was up, and wants a sign-in before it goes on. */
void gmcp_managed_server_need_sign_in (GmcpManagedServer *self, const GError *error);
/* The server is not started again by itself: its tools go, and one notice tells why, an error where
 * it was kept up. */
void gmcp_managed_server_tell_of_failure (GmcpManagedServer *self,
                                          GmcpNoticeLevel level,
                                          const GError *error);
void gmcp_managed_server_arm_retry (GmcpManagedServer *self, guint delay_ms);
/* The notice of a retry, after that of the failure. */
void gmcp_managed_server_tell_of_retry (GmcpManagedServer *self, guint delay_ms);

/* Health: gmcp-managed-server-health.c */
void gmcp_managed_server_watch_health (GmcpManagedServer *self);
extern const GmcpHealthFuncs gmcp_managed_server_health_funcs;

/* Idle stop: gmcp-managed-server-idle.c */
void gmcp_managed_server_watch_idle (GmcpManagedServer *self);
/* The server was not used for its idle time; data is the server. */
void gmcp_managed_server_stop_idle (gpointer data);

/* Tools: gmcp-managed-server-tools.c */

/* Keeps what is listed for the next time. */
void gmcp_managed_server_keep_tools (GmcpManagedServer *self);
void gmcp_managed_server_withdraw_tools (GmcpManagedServer *self);
void gmcp_managed_server_watch_tools (GmcpManagedServer *self, GmcpClient *client);
void gmcp_managed_server_unwatch_tools (GmcpManagedServer *self, GmcpClient *client);

/* Properties and signals: gmcp-managed-server.c */
/* Notifies properties that follow from the state. */
void gmcp_managed_server_state_changed (GmcpManagedServer *self);
void gmcp_managed_server_set_last_error (GmcpManagedServer *self, const GError *error);
/* Sets the property awaited anew, after a change of whether the first list of tools is on its way. */
void gmcp_managed_server_refresh_awaited (GmcpManagedServer *self);
/* What became of the server is kept: it failed; it is ready; it is another one than before. */
void gmcp_managed_server_note_failure (GmcpManagedServer *self, const GError *error);
void gmcp_managed_server_note_ready (GmcpManagedServer *self);
void gmcp_managed_server_forget_outcome (GmcpManagedServer *self);
/* There is a process, or nothing is left of it, whatever the state is now. */
void gmcp_managed_server_process_changed (GmcpManagedServer *self);
/* The connection has been made anew: the server may be another revision, or another one. */
void gmcp_managed_server_peer_changed (GmcpManagedServer *self);
void gmcp_managed_server_checked (GmcpManagedServer *self);
void gmcp_managed_server_tools_changed (GmcpManagedServer *self);
void
gmcp_managed_server_notice (GmcpManagedServer *self, GmcpNoticeLevel level, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

/* The server's output goes into its log: gmcp-managed-server-statistics.c */
void gmcp_managed_server_log_output (GmcpManagedServer *self, GmcpClient *client);
/* Takes a text, and gives it without secrets. */
char *gmcp_managed_server_redact (GmcpManagedServer *self, char *text);

/* Questions of the server: gmcp-managed-server-input.c */
void gmcp_managed_server_watch_input (GmcpManagedServer *self, GmcpClient *client);
void gmcp_managed_server_unwatch_input (GmcpManagedServer *self, GmcpClient *client);
gboolean gmcp_managed_server_has_input_handler (GmcpManagedServer *self);
/* What a client would tell the server of if it were started now. */
GmcpClientAbilities gmcp_managed_server_get_abilities (GmcpManagedServer *self);
void gmcp_managed_server_emit_input_requested (GmcpManagedServer *self, GmcpInputRequest *request);

/* Tells of a call, or a read, that its server did not answer well: a GmcpCallFailedFunc, for the server. */
void gmcp_managed_server_call_failed (const GError *error, gpointer data);

G_END_DECLS
