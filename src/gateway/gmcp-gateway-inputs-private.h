/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/filling/gmcp-config-input.h>

#include "gmcp-gateway-call-private.h"

G_BEGIN_DECLS

/* Values of the configuration that servers need to start. The clients are asked whose calls wait for the server, and no
 * others; the first that gives a value does so for all of them. */
typedef struct _GmcpGatewayInputs GmcpGatewayInputs;

/* The calls live longer. */
GmcpGatewayInputs *gmcp_gateway_inputs_new (GmcpGatewayCalls *calls);
void gmcp_gateway_inputs_free (GmcpGatewayInputs *self);

/* A value is asked for. Where no call waits for the server it is left to others. */
void gmcp_gateway_inputs_add (GmcpGatewayInputs *self, GmcpConfigInput *input);
/* Asks the clients of calls that wait for the server by now, and were not asked yet. FALSE where there are none. */
gboolean gmcp_gateway_inputs_ask (GmcpGatewayInputs *self, GmcpInputRequest *request);
/* The same for all values that are open. */
void gmcp_gateway_inputs_ask_all (GmcpGatewayInputs *self);

G_END_DECLS
