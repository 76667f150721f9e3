/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "gmcp-deadlines-private.h"

G_BEGIN_DECLS

/* Looks after a request that somebody else's code is to answer: a provider's, or a handler's. Where the
 * answer does not come in time, or is not wanted any more, the guard gives the request up. It is a part
 * of the request's own struct, all zero at first. */

typedef struct _GmcpRequestGuard GmcpRequestGuard;

/* Answers the request with the error, which is the callee's. The guard has stopped. */
typedef void (*GmcpRequestGuardFunc) (GmcpRequestGuard *guard, GError *error);

struct _GmcpRequestGuard
{
  GmcpDeadline deadline;
  GmcpDeadlines *deadlines; /* NULL while the guard does not run */
  GSource *cancelled;       /* NULL where there is no cancellable */
  GmcpRequestGuardFunc give_up;
  gboolean (*is_asking) (GmcpRequestGuard *guard); /* whether no time passes now; may be NULL */
  guint timeout_ms;
  guint max_timeout_ms;
  gint64 latest_us; /* whatever progress is reported */
  gint64 paused_us; /* since when the time stands still; 0 while it does not */
  guint n_pauses;
  int gave_up;           /* atomic */
  GCancellable *ending;  /* made when asked for; atomic */
  gulong ending_handler; /* on the cancellable of who asked; 0 where there is none */
};

/* The context is that of the request's callback, and outlives the request. Does nothing to a guard
 * that runs. */
void gmcp_request_guard_start (GmcpRequestGuard *self,
                               GMainContext *context,
                               GCancellable *cancellable,
                               guint timeout_ms,
                               guint max_timeout_ms,
                               GmcpRequestGuardFunc give_up);
void gmcp_request_guard_stop (GmcpRequestGuard *self);
/* For a guard that was started without a cancellable, since there was none yet. */
void gmcp_request_guard_add_cancellable (GmcpRequestGuard *self,
                                         GMainContext *context,
                                         GCancellable *cancellable);

/* The time begins anew, as with progress. */
void gmcp_request_guard_renew (GmcpRequestGuard *self);

/* The time stands still while a person is asked, which has a limit of its own. */
void gmcp_request_guard_pause (GmcpRequestGuard *self);
void gmcp_request_guard_resume (GmcpRequestGuard *self);

/* What tells whoever is to answer that no answer is wanted any more: cancelled with the cancellable that the
 * guard was started with, which may be NULL, and when the guard gives up. That cancellable itself where no
 * guard was started. Any thread may ask. */
GCancellable *
gmcp_request_guard_get_cancellable (GmcpRequestGuard *self, GCancellable *cancellable);
/* Stops the guard, too. */
void gmcp_request_guard_clear (GmcpRequestGuard *self, GCancellable *cancellable);

G_END_DECLS
