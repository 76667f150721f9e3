/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How often each of many may do something: a bucket for each name that fills with time, so that a burst passes and a
 * flood does not. Of those that did nothing for a while nothing is kept. */
typedef struct _GmcpHttpRates GmcpHttpRates;

GmcpHttpRates *gmcp_http_rates_new (void);
void gmcp_http_rates_free (GmcpHttpRates *self);

/* Whether one more is allowed, which is counted then. Up to burst at once, as many again in period_ms. 0, or after how
 * many milliseconds there is room for one more. A burst of 0 allows any number. */
guint gmcp_http_rates_take (GmcpHttpRates *self, const char *name, guint burst, guint period_ms);
/* The same, without counting it. */
guint gmcp_http_rates_peek (GmcpHttpRates *self, const char *name, guint burst, guint period_ms);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpRates, gmcp_http_rates_free)

G_END_DECLS
