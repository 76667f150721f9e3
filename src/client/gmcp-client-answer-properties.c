/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-caching-private.h"
#include "gmcp-outputs-private.h"

/**
 * gmcp_client_get_response_cache:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:response-cache].
 *
 * Returns: (transfer none) (nullable): the value of [property@Gmcp.Client:response-cache]
 *
 * Since: 0.1
 */
GmcpResponseCache *
gmcp_client_get_response_cache (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return gmcp_caching_get_cache (gmcp_client_get_session (self));
}

/**
 * gmcp_client_set_response_cache:
 * @self: a client
 * @response_cache: (nullable): a cache, which other clients may use too, or %NULL for none
 *
 * Sets [property@Gmcp.Client:response-cache]. Clients share answers where they have the same
 * [property@Gmcp.Client:cache-key].
 *
 * Spec: MCP 2026-07-28, server/utilities/caching.
 *
 * Since: 0.1
 */
void
gmcp_client_set_response_cache (GmcpClient *self, GmcpResponseCache *response_cache)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (response_cache == NULL || GMCP_IS_RESPONSE_CACHE (response_cache));
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_caching_set_cache (gmcp_client_get_session (self), response_cache))
    g_object_notify (G_OBJECT (self), "response-cache");
}

/**
 * gmcp_client_get_sign_in:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:sign-in].
 *
 * Returns: (transfer none) (nullable): the value of [property@Gmcp.Client:sign-in]
 *
 * Since: 0.1
 */
const char *
gmcp_client_get_sign_in (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return gmcp_caching_get_sign_in (gmcp_client_get_session (self));
}

/**
 * gmcp_client_set_sign_in:
 * @self: a client
 * @sign_in: (nullable): the new value
 *
 * Sets [property@Gmcp.Client:sign-in], for requests from then on.
 *
 * Spec: MCP 2026-07-28, server/utilities/caching, "Cache Scope Field".
 *
 * Since: 0.1
 */
void
gmcp_client_set_sign_in (GmcpClient *self, const char *sign_in)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_caching_set_sign_in (gmcp_client_get_session (self), sign_in))
    g_object_notify (G_OBJECT (self), "sign-in");
}

/**
 * gmcp_client_get_strict_output:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:strict-output].
 *
 * Returns: the value of [property@Gmcp.Client:strict-output]
 *
 * Since: 0.1
 */
gboolean
gmcp_client_get_strict_output (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), FALSE);

  return gmcp_outputs_is_strict (gmcp_client_get_session (self));
}

/**
 * gmcp_client_set_strict_output:
 * @self: a client
 * @strict_output: the new value
 *
 * Sets [property@Gmcp.Client:strict-output].
 *
 * Spec: MCP 2026-07-28, server/tools, "Output Schema".
 *
 * Since: 0.1
 */
void
gmcp_client_set_strict_output (GmcpClient *self, gboolean strict_output)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_outputs_set_strict (gmcp_client_get_session (self), strict_output))
    g_object_notify (G_OBJECT (self), "strict-output");
}

GmcpCacheView *
gmcp_client_new_cache_view (GmcpClient *self)
{
  return gmcp_cache_view_new (gmcp_client_get_session (self));
}
