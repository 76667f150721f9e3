/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-manager-enums.h>

G_BEGIN_DECLS

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_state_get_connection (GmcpServerState state);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_state_get_health (GmcpServerState state);

G_END_DECLS
