/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-instance-private.h"
#include "gmcp-server-states-private.h"
#include "gmcp-start-attempt-private.h"
#include "gmcp-start-trace-private.h"

G_BEGIN_DECLS

/* What a managed server is doing: its state, which changes as the table in gmcp-server-states.c says; the
 * instance that runs, and the one before it, which ends; and who waits for that. Nobody is told of anything
 * here: that is up to the server. */
typedef struct _GmcpServerLife GmcpServerLife;

GmcpServerLife *gmcp_server_life_new (void);
void gmcp_server_life_free (GmcpServerLife *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerLife, gmcp_server_life_free)

GmcpServerState gmcp_server_life_get_state (GmcpServerLife *self);
/* FALSE where the event means nothing now. is_new: whether the state is another one than before. */
gboolean
gmcp_server_life_take_event (GmcpServerLife *self, GmcpServerEvent event, gboolean *is_new);
/* When the server became ready, in seconds of real time; 0 while it is not up. */
gint64 gmcp_server_life_get_started_at (GmcpServerLife *self);
gint64 gmcp_server_life_get_uptime_seconds (GmcpServerLife *self);

/* Why the server failed the last time; NULL once it was ready. */
const GError *gmcp_server_life_get_last_error (GmcpServerLife *self);
/* FALSE where there was none and is none. */
gboolean gmcp_server_life_take_last_error (GmcpServerLife *self, GError *error);

/* At most one of these two is there: the instance that starts or is up, and the one that is being stopped, for
 * whose end what wants to start waits. */
GmcpServerInstance *gmcp_server_life_get_instance (GmcpServerLife *self);
GmcpServerInstance *gmcp_server_life_get_leaving (GmcpServerLife *self);
/* The instance, else the leaving one; NULL for none. */
GmcpServerInstance *gmcp_server_life_get_last_instance (GmcpServerLife *self);
/* Whether there is neither of the two. */
gboolean gmcp_server_life_is_free (GmcpServerLife *self);
void gmcp_server_life_take_instance (GmcpServerLife *self, GmcpServerInstance *instance);
/* The instance is the one that leaves from now on. Gives it, and the attempt to start it, if that is under
 * way, to the caller. */
GmcpServerInstance *
gmcp_server_life_begin_leaving (GmcpServerLife *self, GmcpStartAttempt **attempt);
/* Gives the instance that left to the caller. */
GmcpServerInstance *gmcp_server_life_end_leaving (GmcpServerLife *self);

/* What leaves is set apart: its calls go on to their end, and a start does not wait for that. */
void gmcp_server_life_set_apart (GmcpServerLife *self);
/* An instance that was set apart has closed. */
void gmcp_server_life_end_apart (GmcpServerLife *self, GmcpServerInstance *instance);
/* The calls of those that were set apart have that much time from now on. */
void gmcp_server_life_limit_apart (GmcpServerLife *self, guint drain_ms);
/* Closes what is leaving or set apart, and tells nobody. */
void gmcp_server_life_forget_instances (GmcpServerLife *self);

/* The attempt to start the instance; NULL for none. */
GmcpStartAttempt *gmcp_server_life_get_attempt (GmcpServerLife *self);
void gmcp_server_life_take_attempt (GmcpServerLife *self, GmcpStartAttempt *attempt);
/* The attempt has succeeded. */
void gmcp_server_life_end_attempt (GmcpServerLife *self);

/* How the last start went, or goes; NULL before the first. Takes the trace. */
void gmcp_server_life_take_trace (GmcpServerLife *self, GmcpStartTrace *trace);
GmcpStartTrace *gmcp_server_life_get_trace (GmcpServerLife *self);

/* Whether a start is wanted as soon as what is leaving is gone. */
gboolean gmcp_server_life_wants_start (GmcpServerLife *self);
void gmcp_server_life_set_wants_start (GmcpServerLife *self, gboolean wants_start);

/* Why the next start leaves alone the process that others share, which did not do the last time; or NULL. */
const char *gmcp_server_life_get_shared_failure (GmcpServerLife *self);
void gmcp_server_life_set_shared_failure (GmcpServerLife *self, const char *reason);

/* Queues of GTask for gmcp-pending-tasks.c that wait for the server to be ready, and for the end of
 * what is leaving. */
GQueue *gmcp_server_life_get_starters (GmcpServerLife *self);
GQueue *gmcp_server_life_get_stoppers (GmcpServerLife *self);
/* These starters are told of the error once what is leaving is gone. */
void gmcp_server_life_hold_failed (GmcpServerLife *self, GQueue *starters, const GError *error);
/* Gives the failed starters and the error to the caller. */
void gmcp_server_life_take_failed (GmcpServerLife *self, GQueue *failed, GError **error);

/* Retires the server: nothing starts it any more, for that reason; done is called with data when
 * nothing is left of it. */
void gmcp_server_life_retire (GmcpServerLife *self,
                              const GError *reason,
                              GDestroyNotify done,
                              gpointer data);
/* Why the server is retired; NULL while it may be started. */
const GError *gmcp_server_life_get_retired (GmcpServerLife *self);
/* What is to be called, once; NULL for nothing. */
GDestroyNotify gmcp_server_life_take_farewell (GmcpServerLife *self, gpointer *data);

G_END_DECLS
