/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>
#include <gmcp/config/filling/gmcp-keyring-secret.h>
#include <gmcp/protocol/questions/gmcp-input-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CONFIG_INPUT (gmcp_config_input_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpConfigInput, gmcp_config_input, GMCP, CONFIG_INPUT, GmcpInputRequest)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_config_input_get_id (GmcpConfigInput *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_config_input_get_description (GmcpConfigInput *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_config_input_is_secret (GmcpConfigInput *self);

GMCP_AVAILABLE_IN_0_1
GmcpKeyringSecret *gmcp_config_input_dup_secret (GmcpConfigInput *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_config_input_accept (GmcpConfigInput *self, const char *value);

G_END_DECLS
