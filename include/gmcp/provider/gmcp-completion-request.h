/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-enums.h>
#include <gmcp/protocol/gmcp-completion-result.h>
#include <gmcp/provider/gmcp-provider-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_COMPLETION_REQUEST (gmcp_completion_request_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpCompletionRequest,
                      gmcp_completion_request,
                      GMCP,
                      COMPLETION_REQUEST,
                      GmcpProviderRequest)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_completion_request_get_reference (GmcpCompletionRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_completion_request_get_argument (GmcpCompletionRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_completion_request_get_value (GmcpCompletionRequest *self);

GMCP_AVAILABLE_IN_0_1
GHashTable *gmcp_completion_request_get_context (GmcpCompletionRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_completion_request_return_values (GmcpCompletionRequest *self, const char *const *values);

GMCP_AVAILABLE_IN_0_1
void
gmcp_completion_request_return_result (GmcpCompletionRequest *self, GmcpCompletionResult *result);

G_END_DECLS
