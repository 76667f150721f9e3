/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Has the session bus start gmcpd, where there is none and the bus knows how to: so that there is a process of a server
 * that programs can share. A bus that is not there, or does not know gmcpd, is no failure. */
typedef struct _GmcpDaemonActivation GmcpDaemonActivation;

/* failed is told why gmcpd does not start, at most once, until it is closed. */
GmcpDaemonActivation *
gmcp_daemon_activation_new (void (*failed) (const char *reason, gpointer data), gpointer data);
GmcpDaemonActivation *gmcp_daemon_activation_ref (GmcpDaemonActivation *self);
void gmcp_daemon_activation_unref (GmcpDaemonActivation *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpDaemonActivation, gmcp_daemon_activation_unref)

/* Nothing is started any more, and who waits is answered. */
void gmcp_daemon_activation_close (GmcpDaemonActivation *self);

/* Whether gmcpd may be started at all; at first it may. TRUE where that is another answer than before. */
gboolean gmcp_daemon_activation_allow (GmcpDaemonActivation *self, gboolean is_allowed);
gboolean gmcp_daemon_activation_is_allowed (GmcpDaemonActivation *self);
/* FALSE once it is known that nothing comes of it, and where it is not allowed. */
gboolean gmcp_daemon_activation_is_due (GmcpDaemonActivation *self);

/* Ends when gmcpd is there, or is not going to be, or has taken too long. */
void gmcp_daemon_activation_wait_async (GmcpDaemonActivation *self,
                                        GCancellable *cancellable,
                                        GAsyncReadyCallback callback,
                                        gpointer user_data);
/* An error only where it was cancelled. */
gboolean gmcp_daemon_activation_wait_finish (GAsyncResult *result, GError **error);

G_END_DECLS
