/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

G_BEGIN_DECLS

/* A call of a gateway's client that goes on behind the gateway, whatever becomes of the client's request: a
 * client of revision 2026-07-28 that is asked something ends its request and makes another with the answer,
 * and finds the call again. */
typedef struct _GmcpGatewayCall GmcpGatewayCall;

/* The calls of all gateways of one manager. Questions that come up in them are put to their clients. */
typedef struct _GmcpGatewayCalls GmcpGatewayCalls;

/* The manager's, made for the first of its gateways. */
GmcpGatewayCalls *gmcp_gateway_calls_ref_for (GmcpManager *manager);
/* What goes on is cancelled with the last reference. */
void gmcp_gateway_calls_unref (GmcpGatewayCalls *self);

/* Makes the client's call anew, under a role and a name, each of which may be NULL; or goes on with the one that
 * the client was asked about. */
void gmcp_gateway_calls_take (GmcpGatewayCalls *self,
                              const char *role,
                              const char *name,
                              GmcpToolCall *front);

/* Options for what is asked of the manager on behalf of a request with those options, which may be NULL. */
GmcpCallOptions *gmcp_gateway_make_options (GmcpCallOptions *given, const char *role);

G_END_DECLS
