/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-resource-request.h>

G_BEGIN_DECLS

GmcpResourceRequest *gmcp_resource_request_new (const char *uri);

G_END_DECLS
