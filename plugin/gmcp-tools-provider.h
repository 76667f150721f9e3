/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/gmcp.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOLS_PROVIDER (gmcp_tools_provider_get_type ())

G_DECLARE_FINAL_TYPE (GmcpToolsProvider, gmcp_tools_provider, GMCP, TOOLS_PROVIDER, GmcpManager)

void gmcp_tools_provider_register (GTypeModule *module);

G_END_DECLS
