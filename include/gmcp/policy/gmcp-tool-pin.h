/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-manager-enums.h>

G_BEGIN_DECLS

#define GMCP_TYPE_TOOL_PIN (gmcp_tool_pin_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpToolPin, gmcp_tool_pin, GMCP, TOOL_PIN, GObject)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_pin_get_server_id (GmcpToolPin *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_pin_get_tool (GmcpToolPin *self);

GMCP_AVAILABLE_IN_0_1
GmcpPinStatus gmcp_tool_pin_get_status (GmcpToolPin *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_pin_get_approved_json (GmcpToolPin *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_pin_get_present_json (GmcpToolPin *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_tool_pin_get_present_digest (GmcpToolPin *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_tool_pin_dup_diff (GmcpToolPin *self);

G_END_DECLS
