/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-provider-request.h>
#include <gmcp/provider/gmcp-tool-match.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOL_SEARCH (gmcp_tool_search_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpToolSearch, gmcp_tool_search, GMCP, TOOL_SEARCH, GmcpProviderRequest)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_search_get_query (GmcpToolSearch *self);

GMCP_AVAILABLE_IN_0_1
guint gmcp_tool_search_get_limit (GmcpToolSearch *self);

GMCP_AVAILABLE_IN_0_1
GmcpToolDetail gmcp_tool_search_get_detail (GmcpToolSearch *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_search_return_matches (GmcpToolSearch *self, GPtrArray *matches);

G_END_DECLS
