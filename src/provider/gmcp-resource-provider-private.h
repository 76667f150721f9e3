/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-resource-provider.h>

G_BEGIN_DECLS

gboolean gmcp_resource_provider_can_complete (GmcpResourceProvider *self);

G_END_DECLS
