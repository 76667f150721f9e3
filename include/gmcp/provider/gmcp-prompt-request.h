/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-prompt-result.h>
#include <gmcp/provider/gmcp-provider-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROMPT_REQUEST (gmcp_prompt_request_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpPromptRequest,
                      gmcp_prompt_request,
                      GMCP,
                      PROMPT_REQUEST,
                      GmcpProviderRequest)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_prompt_request_get_name (GmcpPromptRequest *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_prompt_request_get_argument (GmcpPromptRequest *self, const char *name);

GMCP_AVAILABLE_IN_0_1
GHashTable *gmcp_prompt_request_get_arguments (GmcpPromptRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_prompt_request_return_result (GmcpPromptRequest *self, GmcpPromptResult *result);

G_END_DECLS
