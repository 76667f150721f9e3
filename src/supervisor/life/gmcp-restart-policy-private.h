/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-limits-private.h"
#include "gmcp-server-states-private.h"

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* Whether and when a server that failed is started again, and how often that was. */
typedef struct _GmcpRestartPolicy GmcpRestartPolicy;

/* func is called when the next attempt is due, which counts as a restart. */
GmcpRestartPolicy *
gmcp_restart_policy_new (GMainContext *context, void (*func) (gpointer data), gpointer data);
void gmcp_restart_policy_free (GmcpRestartPolicy *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpRestartPolicy, gmcp_restart_policy_free)

/* A start begins; the attempt that was waited for is this one. */
void gmcp_restart_policy_begin (GmcpRestartPolicy *self);
/* Whether a start was begun with the present configuration. */
gboolean gmcp_restart_policy_was_tried (GmcpRestartPolicy *self);
/* The server is ready, from now on it is kept up. Whether it was kept up before. */
gboolean gmcp_restart_policy_succeed (GmcpRestartPolicy *self);
/* What a start that failed leads to: RETRY, with the delay; SIGN_IN or FAIL. */
GmcpServerEvent gmcp_restart_policy_judge_start (GmcpRestartPolicy *self,
                                                 GmcpServerConfig *config,
                                                 const GmcpServerLimits *limits,
                                                 const GError *error,
                                                 guint *delay_ms);
/* What the end of a server that was ready leads to: RETRY, or END where it is not restarted by
 * itself; else FAIL. */
GmcpServerEvent gmcp_restart_policy_judge_end (GmcpRestartPolicy *self,
                                               GmcpServerConfig *config,
                                               const GmcpServerLimits *limits,
                                               guint *delay_ms);
/* The server is not started again by itself. Whether it was kept up before. */
gboolean gmcp_restart_policy_leave_down (GmcpRestartPolicy *self);
/* How long no call starts the server yet that was given up, in microseconds; not above 0 where it may. */
gint64 gmcp_restart_policy_get_rest_us (GmcpRestartPolicy *self, const GmcpServerLimits *limits);
/* Somebody wants the server: the attempts before count no longer. */
void gmcp_restart_policy_reset (GmcpRestartPolicy *self);
/* The server is configured anew, and was not tried yet. */
void gmcp_restart_policy_renew (GmcpRestartPolicy *self);

/* The next attempt, which is waited for. */
void gmcp_restart_policy_arm (GmcpRestartPolicy *self, guint delay_ms);
void gmcp_restart_policy_disarm (GmcpRestartPolicy *self);
gboolean gmcp_restart_policy_is_armed (GmcpRestartPolicy *self);
gint64 gmcp_restart_policy_get_left_us (GmcpRestartPolicy *self);

/* Whether the last start failed since Node.js was not there. */
void gmcp_restart_policy_set_lacks_node (GmcpRestartPolicy *self, gboolean lacks_node);
gboolean gmcp_restart_policy_lacks_node (GmcpRestartPolicy *self);
/* Node.js is there now: whatever needs the server may start it. */
void gmcp_restart_policy_forget_lack (GmcpRestartPolicy *self);

/* The last start did not come to anything that another one need be kept from. */
void gmcp_restart_policy_forget_failure (GmcpRestartPolicy *self);

/* Since the server was made. */
guint gmcp_restart_policy_get_n_restarts (GmcpRestartPolicy *self);
/* Somebody restarts the server. */
void gmcp_restart_policy_count_restart (GmcpRestartPolicy *self);

G_END_DECLS
