/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-exchange-private.h"
#include "gmcp-features-private.h"
#include "gmcp-response-cache-private.h"

G_BEGIN_DECLS

/* Which requests may be answered from a cache, and what is told of changes to it. */

GmcpCaching *gmcp_caching_new (void);
void gmcp_caching_free (GmcpCaching *caching);

/* Each setter gives whether it is something else now. */
GmcpResponseCache *gmcp_caching_get_cache (GmcpSession *self);
gboolean gmcp_caching_set_cache (GmcpSession *self, GmcpResponseCache *cache);
const char *gmcp_caching_get_sign_in (GmcpSession *self);
gboolean gmcp_caching_set_sign_in (GmcpSession *self, const char *sign_in);
/* Drops what nobody else can use, and the cache. */
void gmcp_caching_leave (GmcpSession *self);
/* The name of the server in the cache; forgotten when the cache key changes. */
void gmcp_caching_forget_server (GmcpSession *self);
const char *gmcp_caching_get_server (GmcpSession *self);

/* Once the params are written but for _meta. TRUE where the answer is there, and comes in a moment
 * without a message to the peer. */
gboolean gmcp_caching_ask (GmcpSession *self, GmcpExchange *exchange);
/* A session that is closed may still answer what it kept from the last connection: whether the request
 * may be begun all the same. */
gboolean gmcp_caching_may_answer_stale (GmcpSession *self, GmcpCallOptions *options);
/* What was kept for that request is of no use. */
void gmcp_caching_drop_answer (GmcpExchange *exchange);

/* What is kept may no longer be true. */
void gmcp_caching_expire (GmcpSession *self, const GmcpRpcMessage *notification);
/* Marks as stale what is kept of lists, or of one resource. */
void gmcp_caching_expire_lists (GmcpSession *self, GmcpSubscriptionFlags lists);
void gmcp_caching_expire_resource (GmcpSession *self, const char *uri);

G_END_DECLS
