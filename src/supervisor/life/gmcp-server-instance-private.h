/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>
#include <gmcp/config/gmcp-server-config.h>
#include <gmcp/provider/gmcp-tool-call.h>

#include "gmcp-server-host-private.h"
#include "gmcp-server-install-private.h"
#include "gmcp-server-limits-private.h"
#include "gmcp-server-sharing-private.h"
#include "gmcp-start-trace-private.h"

G_BEGIN_DECLS

/* What one configuration of a server is run with: the client, and the calls that are under way. It
 * lives until the last of them has ended, so that a server whose configuration changed can finish
 * what it has begun. */

typedef struct _GmcpServerInstance GmcpServerInstance;
typedef void (*GmcpServerInstanceFunc) (GmcpServerInstance *self, gpointer data);
typedef void (*GmcpServerInstanceCallFunc) (GmcpServerInstance *self,
                                            const GError *error,
                                            gpointer data);

/* GMCP_ERROR_INVALID_CONFIG, or GMCP_ERROR_NOT_SUPPORTED for a transport that this build lacks. */
GmcpServerInstance *
gmcp_server_instance_new (GmcpServerConfig *config, GMainContext *context, GError **error);
GmcpServerInstance *gmcp_server_instance_ref (GmcpServerInstance *self);
void gmcp_server_instance_unref (GmcpServerInstance *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerInstance, gmcp_server_instance_unref)

GmcpClient *gmcp_server_instance_get_client (GmcpServerInstance *self);
GmcpServerInstall *gmcp_server_instance_get_install (GmcpServerInstance *self);
/* Whose process it is. */
GmcpServerSharing *gmcp_server_instance_get_sharing (GmcpServerInstance *self);
/* Where the steps of its start are written down. */
GmcpStartTrace *gmcp_server_instance_get_trace (GmcpServerInstance *self);
/* Before it is opened; another one than its own. */
void gmcp_server_instance_set_trace (GmcpServerInstance *self, GmcpStartTrace *trace);
/* The limits of the configuration where it has some, else those given. */
void gmcp_server_instance_set_limits (GmcpServerInstance *self,
                                      GmcpServerConfig *config,
                                      const GmcpServerLimits *limits);
/* With what the server is checked once the variables in config have been filled in. */
void gmcp_server_instance_set_health (GmcpServerInstance *self,
                                      GmcpServerConfig *config,
                                      GmcpServerConfig *expanded);
/* The health check as filled in; as in config where that is another one. */
const char *
gmcp_server_instance_get_health_tool (GmcpServerInstance *self, GmcpServerConfig *config);
const char *
gmcp_server_instance_get_health_arguments (GmcpServerInstance *self, GmcpServerConfig *config);
/* Sends a call to a client that is open. */
void gmcp_server_instance_call (GmcpServerInstance *self, const char *tool, GmcpToolCall *call);
/* Closes the client once no call is under way, at most after drain_ms; then calls done. */
void gmcp_server_instance_retire (GmcpServerInstance *self,
                                  guint drain_ms,
                                  GmcpServerInstanceFunc done,
                                  gpointer data);
/* Of one that is retired: its calls have that much time from now on. */
void gmcp_server_instance_limit_drain (GmcpServerInstance *self, guint drain_ms);
/* How long the client took to close. */
gint64 gmcp_server_instance_get_stop_ms (GmcpServerInstance *self);
/* Does not wait for calls any longer. */
void gmcp_server_instance_hurry (GmcpServerInstance *self);
/* Stops at once, now or when it is retired: its process is killed without being asked. */
void gmcp_server_instance_force (GmcpServerInstance *self);
gboolean gmcp_server_instance_is_forced (GmcpServerInstance *self);

/* A notice has told that the server is being stopped, and another follows when it is. */
void gmcp_server_instance_set_stop_told (GmcpServerInstance *self);
gboolean gmcp_server_instance_get_stop_told (GmcpServerInstance *self);

/* A notice has told what is missing for the start; no second one is needed. */
void gmcp_server_instance_set_lack_told (GmcpServerInstance *self);
gboolean gmcp_server_instance_get_lack_told (GmcpServerInstance *self);
/* Nobody was there to ask for a value that is missing. */
void gmcp_server_instance_set_unasked (GmcpServerInstance *self);
gboolean gmcp_server_instance_was_unasked (GmcpServerInstance *self);

/* Calls. */

/* The process id; 0 for none, as where the server is reached at an address. */
int gmcp_server_instance_get_pid (GmcpServerInstance *self);
/* Called when there is a process. */
void gmcp_server_instance_watch_process (GmcpServerInstance *self,
                                         GmcpServerInstanceFunc func,
                                         gpointer data);
void gmcp_server_instance_tell_process (GmcpServerInstance *self);
/* Whether the server's process is there now. */
gboolean gmcp_server_instance_has_process (GmcpServerInstance *self);
guint gmcp_server_instance_get_n_calls (GmcpServerInstance *self);
/* Requests that were sent, also by who has the client, but for health checks. A check that sends nothing is
 * taken for one that does: a stop that comes a little early does no harm. */
gint64 gmcp_server_instance_count_uses (GmcpServerInstance *self);
/* A health check begins. */
void gmcp_server_instance_note_check (GmcpServerInstance *self);
/* When the server last answered a call, and when the last call ended; by the monotonic clock, 0 for
 * never. */
gint64 gmcp_server_instance_get_last_answer_us (GmcpServerInstance *self);
gint64 gmcp_server_instance_get_last_end_us (GmcpServerInstance *self);
/* The calls that are under way now are told from later ones. */
void gmcp_server_instance_mark_calls (GmcpServerInstance *self);
guint gmcp_server_instance_get_n_marked_calls (GmcpServerInstance *self);
/* Called when a marked call has ended, or the server wants a sign-in, before the caller is told.
 * error is NULL for a call that was answered. */
void gmcp_server_instance_watch_calls (GmcpServerInstance *self,
                                       GmcpServerInstanceCallFunc func,
                                       gpointer data);
/* Grows with whatever comes from the server, also what it prints. */
guint64 gmcp_server_instance_get_n_heard (GmcpServerInstance *self);

/* Closes the client at once, and tells nobody. */
void gmcp_server_instance_forget (GmcpServerInstance *self);

/* Fills in the variables of the configuration, then opens the client, which is the source of the
 * result. */
void gmcp_server_instance_open_async (GmcpServerInstance *self,
                                      GmcpServerConfig *config,
                                      const GmcpServerHost *host,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
gboolean
gmcp_server_instance_open_finish (GmcpClient *client, GAsyncResult *result, GError **error);

G_END_DECLS
