/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>
#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOL_CHANGES (gmcp_tool_changes_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpToolChanges, gmcp_tool_changes, GMCP, TOOL_CHANGES, GObject)

GMCP_AVAILABLE_IN_0_1
guint gmcp_tool_changes_get_n_tools (GmcpToolChanges *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_tool_changes_get_added (GmcpToolChanges *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_tool_changes_get_removed (GmcpToolChanges *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_tool_changes_get_changed (GmcpToolChanges *self);

G_END_DECLS
