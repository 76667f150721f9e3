/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Deadlines of one main context, with one source for all of them: a source for each would make every
 * iteration of the loop slower. What has a deadline keeps a GmcpDeadline in its own struct. */

typedef struct _GmcpDeadlines GmcpDeadlines;

typedef struct
{
  gint64 at_us;   /* monotonic */
  guint position; /* in the heap, from 1; 0 while it is not there */
} GmcpDeadline;

/* The deadline has been taken out when this runs. */
typedef void (*GmcpDeadlineFunc) (GmcpDeadline *deadline, gpointer user_data);

/* The name is static. */
GmcpDeadlines *gmcp_deadlines_new (GMainContext *context,
                                   const char *name,
                                   GmcpDeadlineFunc passed,
                                   gpointer user_data);
/* Gives the deadlines to their context; destroy is called when the context is freed, which also frees
 * the deadlines. */
void gmcp_deadlines_leave_to_context (GmcpDeadlines *self, GDestroyNotify destroy);
/* The deadlines must have been taken out. */
void gmcp_deadlines_free (GmcpDeadlines *self);

/* Sets a deadline for the first time or anew; G_MAXINT64 takes it out. */
void gmcp_deadlines_set (GmcpDeadlines *self, GmcpDeadline *deadline, gint64 at_us);
/* Takes a deadline out, if it is there; its time stays as it is. */
void gmcp_deadlines_remove (GmcpDeadlines *self, GmcpDeadline *deadline);

G_END_DECLS
