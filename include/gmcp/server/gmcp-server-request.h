/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-implementation.h>
#include <gmcp/protocol/gmcp-tool-result.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SERVER_REQUEST (gmcp_server_request_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpServerRequest, gmcp_server_request, GMCP, SERVER_REQUEST, GObject)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_request_get_tool_name (GmcpServerRequest *self);

GMCP_AVAILABLE_IN_0_1
JsonNode *gmcp_server_request_get_arguments (GmcpServerRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_request_get_arguments_json (GmcpServerRequest *self);

GMCP_AVAILABLE_IN_0_1
GCancellable *gmcp_server_request_get_cancellable (GmcpServerRequest *self);

GMCP_AVAILABLE_IN_0_1
GmcpImplementation *gmcp_server_request_get_client_info (GmcpServerRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_server_request_get_protocol_version (GmcpServerRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_server_request_report_progress (GmcpServerRequest *self,
                                          double progress,
                                          double total,
                                          const char *message);

GMCP_AVAILABLE_IN_0_1
void gmcp_server_request_return_result (GmcpServerRequest *self, GmcpToolResult *result);

GMCP_AVAILABLE_IN_0_1
void gmcp_server_request_return_error (GmcpServerRequest *self, const GError *error);

G_END_DECLS
