/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-resource-result.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* GMCP_ERROR_PROTOCOL for what is no result of resources/read. Keeps the value's document. */
GmcpResourceResult *gmcp_resource_result_new_from_value (GmcpJsonValue value, GError **error);

GmcpJsonValue gmcp_resource_result_get_value (GmcpResourceResult *self);
/* Comes from a cache, and stays fresh for left_ms; 0 where it is stale. Changes the result, so only who
 * made it may call this, before handing it on. */
void gmcp_resource_result_set_cached (GmcpResourceResult *self, guint left_ms);
/* A copy that says something else about caching than the text of the result. */
GmcpResourceResult *gmcp_resource_result_copy_with_hints (GmcpResourceResult *self,
                                                          gint64 ttl_ms,
                                                          GmcpCacheScope scope);

G_END_DECLS
