/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOL_LOAD (gmcp_tool_load_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpToolLoad, gmcp_tool_load, GMCP, TOOL_LOAD, GObject)

GMCP_AVAILABLE_IN_0_1
GCancellable *gmcp_tool_load_get_cancellable (GmcpToolLoad *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_load_return_success (GmcpToolLoad *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_tool_load_return_error (GmcpToolLoad *self, const GError *error);

G_END_DECLS
