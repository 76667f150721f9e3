/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/core/gmcp-macros.h>

G_BEGIN_DECLS

#define GMCP_TYPE_PROVIDER_CLOSE (gmcp_provider_close_get_type ())

GMCP_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (GmcpProviderClose, gmcp_provider_close, GMCP, PROVIDER_CLOSE, GObject)

GMCP_AVAILABLE_IN_0_1
GCancellable *gmcp_provider_close_get_cancellable (GmcpProviderClose *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_provider_close_return_success (GmcpProviderClose *self);

GMCP_AVAILABLE_IN_0_1
void gmcp_provider_close_return_error (GmcpProviderClose *self, const GError *error);

G_END_DECLS
