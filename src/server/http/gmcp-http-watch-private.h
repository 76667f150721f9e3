/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-byte-budget-private.h"

G_BEGIN_DECLS

/* What all connections of an endpoint wait for besides their requests: that a client hangs up, and that time
 * passes. Each is one source of the main loop, however many thousands wait, and both come before what others
 * find on the same connections. */
typedef struct _GmcpHttpWatch GmcpHttpWatch;

typedef void (*GmcpHttpWatchFunc) (gpointer data);

/* Embedded in what has to be told; all nought while it is not set. */
typedef struct
{
  GList link;
  GQueue *queue; /* of those that have the same delay; NULL while it is not set */
  gint64 time_us;
  GmcpHttpWatchFunc func;
  gpointer data;
} GmcpHttpTimer;

/* Made and used in one main context. */
GmcpHttpWatch *gmcp_http_watch_new (GError **error);
GmcpHttpWatch *gmcp_http_watch_ref (GmcpHttpWatch *self);
void gmcp_http_watch_unref (GmcpHttpWatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpWatch, gmcp_http_watch_unref)

/* func is called once when the other end sends nothing more, be it that there is still something to read. A
 * descriptor has one func; it is taken out before it is closed. FALSE where there is no room for it. */
gboolean gmcp_http_watch_add (GmcpHttpWatch *self, int fd, GmcpHttpWatchFunc func, gpointer data);
/* Says, too, that more can be read: once for all that has come since it was said. */
gboolean gmcp_http_watch_add_reader (GmcpHttpWatch *self,
                                     int fd,
                                     GmcpHttpWatchFunc func,
                                     GmcpHttpWatchFunc readable,
                                     gpointer data);
void gmcp_http_watch_remove (GmcpHttpWatch *self, int fd);

/* func is called once, in so many milliseconds at the earliest. Costs the same however many are set, as long
 * as there are few different delays. Set anew, a timer begins anew. */
void gmcp_http_watch_set_timer (GmcpHttpWatch *self,
                                GmcpHttpTimer *timer,
                                guint delay_ms,
                                GmcpHttpWatchFunc func,
                                gpointer data);
void gmcp_http_watch_clear_timer (GmcpHttpWatch *self, GmcpHttpTimer *timer);

/* What clients together have not read yet of what they were sent. */
GmcpByteBudget *gmcp_http_watch_get_unread (GmcpHttpWatch *self);

G_END_DECLS
