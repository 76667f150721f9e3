/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CALL_REQUEST (gmcp_call_request_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpCallRequest, gmcp_call_request, GMCP, CALL_REQUEST, GObject)

GMCP_AVAILABLE_IN_0_1
GmcpTool *gmcp_call_request_get_tool (GmcpCallRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_request_get_server_name (GmcpCallRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_request_get_arguments_json (GmcpCallRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_request_get_role (GmcpCallRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_call_request_get_rule (GmcpCallRequest *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_call_request_is_open (GmcpCallRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_request_allow_once (GmcpCallRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_request_allow_always (GmcpCallRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_call_request_deny (GmcpCallRequest *self);

G_END_DECLS
