/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-elicitation.h>

G_BEGIN_DECLS

/* A server of a revision before 2026-07-28 may refuse a call until somebody has been at an address, and need not say when all
 * is done there. Once the client has agreed to go there, it or somebody in its place is asked so. */

/* A form that asks whether all is done at the visit's address, of the same call. Accepting it completes the visit, anything
 * else abandons it; it closes where nothing waits for that any more. */
GmcpInputRequest *gmcp_gateway_visit_new_confirmation (GmcpElicitation *visit);

G_END_DECLS
