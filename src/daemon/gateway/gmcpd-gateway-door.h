/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcpd-door.h"
#include "gmcpd-gateways.h"

G_BEGIN_DECLS

#define GMCPD_TYPE_GATEWAY_DOOR (gmcpd_gateway_door_get_type ())

G_DECLARE_FINAL_TYPE (GmcpdGatewayDoor, gmcpd_gateway_door, GMCPD, GATEWAY_DOOR, GObject)

/* The gateway on Unix sockets: “gateway” for all tools, “gateway-ROLE” for those of each role that is configured, and
 * each of them with “.search” at its end for the three tools that find the others. path is that of the first; socket is
 * one that somebody has opened for it, or NULL. */
GmcpdDoor *gmcpd_gateway_door_new (GmcpdGateways *gateways, const char *path, GSocket *socket);

G_END_DECLS
