/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-backoff-private.h"

#define HOUR_US (G_TIME_SPAN_HOUR)

void
gmcp_backoff_clear (GmcpBackoff *self)
{
  g_clear_pointer (&self->tried_us, g_array_unref);
}

static void
forget_old (GmcpBackoff *self, gint64 now_us)
{
  guint n_old = 0;

  while (n_old < self->tried_us->len
         && g_array_index (self->tried_us, gint64, n_old) <= now_us - HOUR_US)
    n_old++;

  if (n_old > 0)
    g_array_remove_range (self->tried_us, 0, n_old);
}

static guint
delay_of (const GmcpBackoffLimits *limits, guint attempt, double chance)
{
  guint64 delay_ms = limits->first_delay_ms;
  double jitter = limits->jitter_percent / 100.;

  while (attempt-- > 0 && delay_ms < limits->max_delay_ms)
    delay_ms *= 2;

  delay_ms = MIN (delay_ms, limits->max_delay_ms);
  return (guint) ((double) delay_ms * (1 - jitter + 2 * jitter * chance));
}

gboolean
gmcp_backoff_next (GmcpBackoff *self,
                   const GmcpBackoffLimits *limits,
                   gint64 now_us,
                   double chance,
                   guint *delay_ms)
{
  if (self->well_since_us != 0 && now_us - self->well_since_us >= limits->reset_ms * (gint64) 1000)
    self->n_attempts = 0;
  self->well_since_us = 0;

  if (self->tried_us == NULL)
    self->tried_us = g_array_new (FALSE, FALSE, sizeof (gint64));
  forget_old (self, now_us);
  if (self->n_attempts >= limits->max_attempts || self->tried_us->len >= limits->max_per_hour)
    return FALSE;

  *delay_ms = delay_of (limits, self->n_attempts++, chance);
  g_array_append_val (self->tried_us, now_us);
  return TRUE;
}

void
gmcp_backoff_well (GmcpBackoff *self, gint64 now_us)
{
  if (self->well_since_us == 0)
    self->well_since_us = now_us;
}

void
gmcp_backoff_reset (GmcpBackoff *self)
{
  self->n_attempts = 0;
  self->well_since_us = 0;
}
