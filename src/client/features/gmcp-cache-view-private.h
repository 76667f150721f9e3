/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-resource-result.h>

#include "gmcp-session-private.h"

G_BEGIN_DECLS

/* What a cache holds for a client, also when the client is not there any more: who it was and what it
 * said of itself. */
typedef struct _GmcpCacheView GmcpCacheView;

/* NULL for a client that has no cache. One that connects again with other settings needs another. */
GmcpCacheView *gmcp_cache_view_new (GmcpSession *session);
void gmcp_cache_view_free (GmcpCacheView *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpCacheView, gmcp_cache_view_free)

/* What reading the resource gave before, which may be stale; NULL where nothing is kept. */
GmcpResourceResult *gmcp_cache_view_find_resource (GmcpCacheView *self, const char *uri);

G_END_DECLS
