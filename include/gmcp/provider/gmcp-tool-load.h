/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-provider-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOL_LOAD (gmcp_tool_load_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpToolLoad, gmcp_tool_load, GMCP, TOOL_LOAD, GmcpProviderRequest)

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_load_return_success (GmcpToolLoad *self);

G_END_DECLS
