/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-door.h"
#include "gmcpd-gateways.h"

G_BEGIN_DECLS

#define GMCPD_TYPE_GATEWAY_HTTP (gmcpd_gateway_http_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdGatewayHttp, gmcpd_gateway_http, GMCPD, GATEWAY_HTTP, GObject)

/* The gateway over Streamable HTTP, to programs of this machine that show a token: at a port of the loopback, 0 for one
 * that is free, -1 for none. What may be called is what the role may, or all where it is NULL. As long as the door is
 * open, its address stands in the file at address_path. */
GmcpdDoor *gmcpd_gateway_http_new (GmcpdGateways *gateways,
                                   int port,
                                   const char *role,
                                   const char *address_path,
                                   gboolean has_keyring);

G_END_DECLS
