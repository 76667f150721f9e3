/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Sees to it that a caller is still there: on a bus the one of a name, without one who is at the other end. */
typedef struct _GmcpdCallerWatch GmcpdCallerWatch;

/* gone is called when the caller leaves, and may free the watch. */
GmcpdCallerWatch *gmcpd_caller_watch_new (GDBusMethodInvocation *invocation,
                                          void (*gone) (gpointer data),
                                          gpointer data);
void gmcpd_caller_watch_free (GmcpdCallerWatch *self);

GDBusConnection *gmcpd_caller_watch_get_connection (GmcpdCallerWatch *self);
/* NULL without a bus. */
const char *gmcpd_caller_watch_get_name (GmcpdCallerWatch *self);
/* Whether a method is called by the same caller. */
gboolean gmcpd_caller_watch_is_of (GmcpdCallerWatch *self, GDBusMethodInvocation *invocation);

G_END_DECLS
