/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Tasks that return a boolean and wait for the same thing, in a GQueue that lives as long as their
 * source object does. */

/* The task waits until it is settled or cancelled, whichever comes first. */
void gmcp_pending_tasks_add (GQueue *waiters, GTask *task);
/* Fails one task; takes the error. */
void gmcp_pending_tasks_fail (GQueue *waiters, GTask *task, GError *error);
void gmcp_pending_tasks_settle (GQueue *waiters, const GError *error);
void gmcp_pending_tasks_settle_value (GQueue *waiters, gboolean value);
/* Moves all tasks to the other queue. */
void gmcp_pending_tasks_move (GQueue *from, GQueue *to);

G_END_DECLS
