/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-input-request.h>
#include <gmcp/protocol/questions/gmcp-sampling-message.h>
#include <gmcp/protocol/gmcp-tool.h>

G_BEGIN_DECLS

#define GMCP_TYPE_SAMPLING (gmcp_sampling_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpSampling, gmcp_sampling, GMCP, SAMPLING, GmcpInputRequest)

GMCP_AVAILABLE_IN_0_1
GmcpSampling *gmcp_sampling_new_from_json (const char *params_json, GError **error);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_sampling_get_messages (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_sampling_dup_messages_json (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_sampling_get_system_prompt (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
gint64 gmcp_sampling_get_max_tokens (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_sampling_get_temperature (GmcpSampling *self, double *temperature);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_sampling_get_stop_sequences (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_sampling_get_include_context (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
const char *const *gmcp_sampling_get_model_hints (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
double gmcp_sampling_get_cost_priority (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
double gmcp_sampling_get_speed_priority (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
double gmcp_sampling_get_intelligence_priority (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
GPtrArray *gmcp_sampling_get_tools (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
char *gmcp_sampling_dup_tools_json (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_sampling_get_tool_choice (GmcpSampling *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_sampling_accept (GmcpSampling *self, JsonNode *result, GError **error);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_sampling_accept_json (GmcpSampling *self, const char *result_json, GError **error);

GMCP_AVAILABLE_IN_0_1
void gmcp_sampling_accept_text (GmcpSampling *self,
                                const char *text,
                                const char *model,
                                const char *stop_reason);

G_END_DECLS
