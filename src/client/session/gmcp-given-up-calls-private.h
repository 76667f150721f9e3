/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-call-options-private.h"

G_BEGIN_DECLS

/* Calls of a connection that ended without the peer's answer. The peer may still be at them: until it answers, late, or
 * for as long as a question to the user may take. */
typedef struct _GmcpGivenUpCalls GmcpGivenUpCalls;

GmcpGivenUpCalls *gmcp_given_up_calls_new (void);
void gmcp_given_up_calls_free (GmcpGivenUpCalls *self);
/* For another connection. */
void gmcp_given_up_calls_clear (GmcpGivenUpCalls *self);

/* The id is that of the request. The options may be NULL. */
void gmcp_given_up_calls_add (GmcpGivenUpCalls *self, gint64 id, GmcpCallOptions *options);
/* The peer has answered a request that nobody waits for. */
void gmcp_given_up_calls_remove (GmcpGivenUpCalls *self, gint64 id);
/* Where those come from that are left. */
GmcpCallOrigins gmcp_given_up_calls_get_origins (GmcpGivenUpCalls *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpGivenUpCalls, gmcp_given_up_calls_free)

G_END_DECLS
