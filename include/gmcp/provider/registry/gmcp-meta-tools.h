/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-tool-provider.h>

G_BEGIN_DECLS

#define GMCP_TYPE_META_TOOLS (gmcp_meta_tools_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpMetaTools, gmcp_meta_tools, GMCP, META_TOOLS, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpMetaTools *gmcp_meta_tools_new (GmcpToolProvider *provider);

GMCP_AVAILABLE_IN_0_1
GmcpToolProvider *gmcp_meta_tools_get_provider (GmcpMetaTools *self);

G_END_DECLS
