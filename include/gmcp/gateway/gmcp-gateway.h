/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/manager/gmcp-manager.h>

G_BEGIN_DECLS

#define GMCP_TYPE_GATEWAY (gmcp_gateway_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpGateway, gmcp_gateway, GMCP, GATEWAY, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpGateway *gmcp_gateway_new (GmcpManager *manager);

GMCP_AVAILABLE_IN_0_1
GmcpManager *gmcp_gateway_get_manager (GmcpGateway *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_gateway_get_role (GmcpGateway *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_gateway_set_role (GmcpGateway *self, const char *role);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_gateway_get_search (GmcpGateway *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_gateway_get_server_id (GmcpGateway *self);

G_END_DECLS
