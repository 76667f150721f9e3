/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* When something that failed may be tried again. Knows no clock but what it is told. */

typedef struct
{
  guint first_delay_ms;
  guint max_delay_ms;
  guint jitter_percent;
  guint reset_ms; /* of being well, after which the count begins anew */
  guint max_attempts;
  guint max_per_hour;
} GmcpBackoffLimits;

typedef struct
{
  guint n_attempts;     /* since it was last well for long enough */
  gint64 well_since_us; /* 0 while it is not */
  GArray *tried_us;     /* of gint64: the attempts of the last hour; NULL before the first */
} GmcpBackoff;

void gmcp_backoff_clear (GmcpBackoff *self);

/* Whether there is another attempt, and after how long: the first delay doubled with each attempt, up
 * to the most, and by chance (from 0 to 1) less or more by the jitter. */
gboolean gmcp_backoff_next (GmcpBackoff *self,
                            const GmcpBackoffLimits *limits,
                            gint64 now_us,
                            double chance,
                            guint *delay_ms);
void gmcp_backoff_well (GmcpBackoff *self, gint64 now_us);
void gmcp_backoff_reset (GmcpBackoff *self);

G_END_DECLS
