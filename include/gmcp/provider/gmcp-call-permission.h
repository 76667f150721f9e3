/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool.h>
#include <gmcp/protocol/questions/gmcp-input-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CALL_PERMISSION (gmcp_call_permission_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpCallPermission,
                      gmcp_call_permission,
                      GMCP,
                      CALL_PERMISSION,
                      GmcpInputRequest)

GMCP_AVAILABLE_IN_0_1
GmcpTool *gmcp_call_permission_get_tool (GmcpCallPermission *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_permission_get_arguments_json (GmcpCallPermission *self);

GMCP_AVAILABLE_IN_0_1
JsonNode *gmcp_call_permission_dup_arguments (GmcpCallPermission *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_permission_get_role (GmcpCallPermission *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_permission_get_rule (GmcpCallPermission *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_permission_get_change (GmcpCallPermission *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_permission_allow_once (GmcpCallPermission *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_permission_allow_always (GmcpCallPermission *self);

G_END_DECLS
