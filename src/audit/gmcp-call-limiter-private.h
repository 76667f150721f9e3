/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-server-config.h>

G_BEGIN_DECLS

/* The places for calls of one server: so many at once, in the order in which they came. The calls that are
 * under way keep the limiter, so it may outlive the server. */
typedef struct _GmcpCallLimiter GmcpCallLimiter;

/* id is that of the server. */
GmcpCallLimiter *gmcp_call_limiter_new (const char *id, GMainContext *context);
GmcpCallLimiter *gmcp_call_limiter_ref (GmcpCallLimiter *self);
void gmcp_call_limiter_unref (GmcpCallLimiter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpCallLimiter, gmcp_call_limiter_unref)

/* The limits of this configuration hold from now on; costs nothing where they do already. */
void gmcp_call_limiter_use_config (GmcpCallLimiter *self, GmcpServerConfig *config);
/* What holds where the configuration says nothing. */
void gmcp_call_limiter_set_defaults (GmcpCallLimiter *self, guint max_calls, guint max_waiting);
/* FALSE where there is no place, or somebody waits for one. */
gboolean gmcp_call_limiter_take_place (GmcpCallLimiter *self);
/* Gives the place to the first waiter. */
void gmcp_call_limiter_give_place (GmcpCallLimiter *self);
guint gmcp_call_limiter_get_n_running (GmcpCallLimiter *self);
guint gmcp_call_limiter_get_n_waiting (GmcpCallLimiter *self);

/* Called once: with NULL who waited has a place, with an error not. */
typedef void (*GmcpPlaceFunc) (GError *error, gpointer data);
/* FALSE, with GMCP_ERROR_LIMIT_EXCEEDED and without a call of func, where too many wait already. */
gboolean gmcp_call_limiter_await_place (GmcpCallLimiter *self,
                                        guint timeout_ms,
                                        GCancellable *cancellable,
                                        GmcpPlaceFunc func,
                                        gpointer data,
                                        GError **error);

G_END_DECLS
