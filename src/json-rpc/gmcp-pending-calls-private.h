/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-deadlines-private.h"

G_BEGIN_DECLS

/* The calls of one connection that wait for their reply: found by id, with one source for all
 * deadlines. A call's own struct starts with a GmcpPendingCall; who adds it owns it. */

typedef struct _GmcpPendingCalls GmcpPendingCalls;

typedef struct
{
  gint64 id;
  GmcpDeadline deadline; /* G_MAXINT64 for none */
  gboolean in_table;     /* not taken */
} GmcpPendingCall;

/* The call has been taken out when this runs. */
typedef void (*GmcpPendingCallFunc) (GmcpPendingCall *call, gpointer user_data);

GmcpPendingCalls *
gmcp_pending_calls_new (GMainContext *context, GmcpPendingCallFunc timed_out, gpointer user_data);
/* The calls must have been taken out. */
void gmcp_pending_calls_free (GmcpPendingCalls *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpPendingCalls, gmcp_pending_calls_free)

guint gmcp_pending_calls_get_length (GmcpPendingCalls *self);
/* The id of the newest, or 0: how many there ever were. */
gint64 gmcp_pending_calls_get_last_id (GmcpPendingCalls *self);
/* Gives the call the next id: 1, 2, 3… */
void gmcp_pending_calls_add (GmcpPendingCalls *self, GmcpPendingCall *call, gint64 deadline_us);
GmcpPendingCall *gmcp_pending_calls_find (GmcpPendingCalls *self, gint64 id);
GmcpPendingCall *gmcp_pending_calls_take (GmcpPendingCalls *self, gint64 id);
/* Takes a call out of the table. FALSE where it was taken before. */
gboolean gmcp_pending_calls_take_call (GmcpPendingCalls *self, GmcpPendingCall *call);
/* Does nothing to one that was taken. */
void
gmcp_pending_calls_set_deadline (GmcpPendingCalls *self, GmcpPendingCall *call, gint64 deadline_us);
/* For each, in no order; the function may set its deadline, but takes none out. */
void gmcp_pending_calls_foreach (GmcpPendingCalls *self, GmcpPendingCallFunc func, gpointer data);
/* Takes all, in the order of their ids, so that nothing that the owner does to one finds another.
 * stays, which may be NULL, tells of a call whether it is left in the table. */
GPtrArray *gmcp_pending_calls_take_all (GmcpPendingCalls *self,
                                        gboolean (*stays) (const GmcpPendingCall *call));

G_END_DECLS
