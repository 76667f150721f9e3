/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-provider-request-private.h"
#include "gmcp-resource-request-private.h"
#include "gmcp-resource-result-private.h"

/**
 * GmcpResourceRequest:
 *
 * A wish to read a resource, as the [iface@Gmcp.ResourceProvider] that has it gets it.
 *
 * Since: 0.1
 */
struct _GmcpResourceRequest
{
  GmcpProviderRequest parent_instance;

  char *uri;
  gint64 ttl_ms;   /* -1 for what the result says */
  int cache_scope; /* a GmcpCacheScope; -1 for what the result says */
};

G_DEFINE_FINAL_TYPE (GmcpResourceRequest, gmcp_resource_request, GMCP_TYPE_PROVIDER_REQUEST)

static void
gmcp_resource_request_finalize (GObject *object)
{
  g_free (GMCP_RESOURCE_REQUEST (object)->uri);

  G_OBJECT_CLASS (gmcp_resource_request_parent_class)->finalize (object);
}

static void
gmcp_resource_request_class_init (GmcpResourceRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gmcp_resource_request_finalize;
}

static void
gmcp_resource_request_init (GmcpResourceRequest *self)
{
  self->ttl_ms = -1;
  self->cache_scope = -1;
}

GmcpResourceRequest *
gmcp_resource_request_new (const char *uri)
{
  GmcpResourceRequest *self = g_object_new (GMCP_TYPE_RESOURCE_REQUEST, NULL);

  self->uri = g_strdup (uri);
  return self;
}

/**
 * gmcp_resource_request_get_uri:
 * @self: a request
 *
 * Gives the address that is to be read. It comes from the one who asks and need not be any that the
 * provider lists: what it may lead to is for the provider to check.
 *
 * Returns: (transfer none): the address
 *
 * Since: 0.1
 */
const char *
gmcp_resource_request_get_uri (GmcpResourceRequest *self)
{
  g_return_val_if_fail (GMCP_IS_RESOURCE_REQUEST (self), NULL);

  return self->uri;
}

/**
 * gmcp_resource_request_set_ttl_ms:
 * @self: a request
 * @ttl_ms: how long, in milliseconds; 0 for what has to be read anew each time
 *
 * Says how long the result may be taken as fresh, whatever the result itself says. Where neither does, a
 * server takes its [property@Gmcp.Server:list-ttl-ms]. To be called before the request is completed.
 *
 * Spec: MCP 2026-07-28, server/utilities/caching, "Time-to-Live (TTL) Field".
 *
 * Since: 0.1
 */
void
gmcp_resource_request_set_ttl_ms (GmcpResourceRequest *self, guint ttl_ms)
{
  g_return_if_fail (GMCP_IS_RESOURCE_REQUEST (self));

  self->ttl_ms = ttl_ms;
}

/**
 * gmcp_resource_request_set_cache_scope:
 * @self: a request
 * @scope: whom else the result may be shown to
 *
 * Says whether the result is the same for every user, so that a cache between the server and its clients
 * may give it to all of them. Without this, and where the result itself does not say so, it is private.
 * To be called before the request is completed.
 *
 * Spec: MCP 2026-07-28, server/utilities/caching, "Cache Scope Field".
 *
 * Since: 0.1
 */
void
gmcp_resource_request_set_cache_scope (GmcpResourceRequest *self, GmcpCacheScope scope)
{
  g_return_if_fail (GMCP_IS_RESOURCE_REQUEST (self));

  self->cache_scope = scope;
}

/* The result as it is, unless the request says something else about caching. */
static GmcpResourceResult *
apply_hints (GmcpResourceRequest *self, GmcpResourceResult *result)
{
  if (self->ttl_ms < 0 && self->cache_scope < 0)
    return gmcp_resource_result_ref (result);

  return gmcp_resource_result_copy_with_hints (
    result, self->ttl_ms >= 0 ? self->ttl_ms : gmcp_resource_result_get_ttl_ms (result),
    self->cache_scope >= 0 ? (GmcpCacheScope) self->cache_scope
                           : gmcp_resource_result_get_cache_scope (result));
}

/**
 * gmcp_resource_request_return_result:
 * @self: a request
 * @result: what is there
 *
 * Completes the request. A result that was made of JSON with `ttlMs` and `cacheScope` says with them how
 * long it may be kept, and for whom; [method@Gmcp.ResourceRequest.set_ttl_ms] and
 * [method@Gmcp.ResourceRequest.set_cache_scope] say it for any.
 *
 * Since: 0.1
 */
void
gmcp_resource_request_return_result (GmcpResourceRequest *self, GmcpResourceResult *result)
{
  g_return_if_fail (GMCP_IS_RESOURCE_REQUEST (self));
  g_return_if_fail (result != NULL);

  gmcp_provider_request_return_pointer (self, apply_hints (self, result),
                                        (GDestroyNotify) gmcp_resource_result_unref);
}
