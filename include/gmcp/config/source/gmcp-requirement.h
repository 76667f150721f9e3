/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/config/gmcp-manager-enums.h>

G_BEGIN_DECLS

#define GMCP_TYPE_REQUIREMENT (gmcp_requirement_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpRequirement, gmcp_requirement, GMCP, REQUIREMENT, GObject)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_requirement_get_server_id (GmcpRequirement *self);

GMCP_AVAILABLE_IN_0_1
GmcpTier gmcp_requirement_get_tier (GmcpRequirement *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_requirement_is_met (GmcpRequirement *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_requirement_get_reason (GmcpRequirement *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_requirement_get_hint (GmcpRequirement *self);

G_END_DECLS
