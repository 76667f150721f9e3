/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-resource-result.h>
#include <gmcp/provider/gmcp-provider-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_RESOURCE_REQUEST (gmcp_resource_request_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpResourceRequest,
                      gmcp_resource_request,
                      GMCP,
                      RESOURCE_REQUEST,
                      GmcpProviderRequest)

GMCP_AVAILABLE_IN_0_1
const char *gmcp_resource_request_get_uri (GmcpResourceRequest *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_resource_request_set_ttl_ms (GmcpResourceRequest *self, guint ttl_ms);

GMCP_AVAILABLE_IN_0_1
void gmcp_resource_request_set_cache_scope (GmcpResourceRequest *self, GmcpCacheScope scope);

GMCP_AVAILABLE_IN_0_1
void gmcp_resource_request_return_result (GmcpResourceRequest *self, GmcpResourceResult *result);

G_END_DECLS
