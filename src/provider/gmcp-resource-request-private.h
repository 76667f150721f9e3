/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/provider/gmcp-resource-request.h>

G_BEGIN_DECLS

GmcpResourceRequest *
gmcp_resource_request_new_take (GTask *task, const char *uri, GmcpCallOptions *options);

G_END_DECLS
