/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Looks at the thread that runs the default main context: how much processor time it takes from one
 * poll to the next, and how long it stays in a system call other than poll. There is one at a time. */

typedef struct
{
  guint64 n_turns;
  gint64 worst_turn_us;    /* processor time */
  gint64 worst_blocked_us; /* in one system call */
  guint n_long_turns;
  guint n_blocked;
} LoopWatchReport;

/* What is over a limit is told on standard error, with where the thread was then. */
void loop_watch_start (gint64 turn_limit_us, gint64 blocked_limit_us);
void loop_watch_stop (LoopWatchReport *report);

G_END_DECLS
