/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-resource-result.h>

G_BEGIN_DECLS

#define GMCP_TYPE_CONTEXT_RESOURCE (gmcp_context_resource_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpContextResource, gmcp_context_resource, GMCP, CONTEXT_RESOURCE, GObject)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_context_resource_get_server_id (GmcpContextResource *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_context_resource_get_uri (GmcpContextResource *self);

GMCP_AVAILABLE_IN_0_1
const char *gmcp_context_resource_get_text (GmcpContextResource *self);

GMCP_AVAILABLE_IN_0_1
GmcpResourceResult *gmcp_context_resource_get_result (GmcpContextResource *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_context_resource_is_missing (GmcpContextResource *self);

GMCP_AVAILABLE_IN_0_1
gboolean gmcp_context_resource_is_stale (GmcpContextResource *self);

G_END_DECLS
