/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-provider-request.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROVIDER_CLOSE (gmcp_provider_close_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpProviderClose,
                      gmcp_provider_close,
                      GMCP,
                      PROVIDER_CLOSE,
                      GmcpProviderRequest)

GMCP_AVAILABLE_IN_0_1
void gmcp_provider_close_return_success (GmcpProviderClose *self);

G_END_DECLS
