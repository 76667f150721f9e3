/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-resource-result.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* GMCP_ERROR_PROTOCOL for what is no result of resources/read. Keeps the value's document. */
GmcpResourceResult *gmcp_resource_result_new_from_value (GmcpJsonValue value, GError **error);

GmcpJsonValue gmcp_resource_result_get_value (GmcpResourceResult *self);
/* Before anybody else has it. */
void
gmcp_resource_result_set_cached (GmcpResourceResult *self, gboolean is_cached, gboolean is_stale);

G_END_DECLS
