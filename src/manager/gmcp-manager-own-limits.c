/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-policy-private.h"

/* The limits of calls, of what is kept and of what is written down, and what all limits have in common. */

guint
gmcp_manager_get_limit (GmcpManager *self, GmcpManagerLimit limit)
{
  g_return_val_if_fail (GMCP_IS_MANAGER (self), 0);

  return *gmcp_manager_limits_at (&gmcp_manager_get_private (self)->limits, limit);
}

void
gmcp_manager_spread_limits (GmcpManager *self)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);
  /* A call that waited may have its turn now. */
  g_autoptr (GPtrArray) servers = gmcp_manager_list_servers (self);

  for (guint i = 0; i < servers->len; i++)
    gmcp_managed_server_set_limits (g_ptr_array_index (servers, i), &priv->limits.servers);
}

static void
apply_limit (GmcpManager *self, GmcpManagerLimit limit)
{
  GmcpManagerPrivate *priv = gmcp_manager_get_private (self);

  if (gmcp_manager_limit_is_of_servers (limit))
    {
      gmcp_manager_spread_limits (self);
      return;
    }

  switch (limit)
    {
    case GMCP_MANAGER_LIMIT_LIST_TTL_MS:
      gmcp_response_cache_set_list_ttl_ms (priv->cache, priv->limits.list_ttl_ms);
      break;
    case GMCP_MANAGER_LIMIT_RESOURCE_TTL_MS:
      gmcp_response_cache_set_resource_ttl_ms (priv->cache, priv->limits.resource_ttl_ms);
      break;
    case GMCP_MANAGER_LIMIT_MAX_CACHE_BYTES:
      gmcp_response_cache_set_max_bytes (priv->cache, priv->limits.max_cache_bytes);
      break;
    case GMCP_MANAGER_LIMIT_MAX_RESULT_BYTES:
      priv->book->max_result_bytes = priv->limits.max_result_bytes;
      break;
    case GMCP_MANAGER_LIMIT_MAX_LOG_BYTES:
    case GMCP_MANAGER_LIMIT_MAX_LOG_FILES:
      gmcp_manager_limit_logs (self);
      break;
    default:
      /* It is looked up where it is needed. */
      break;
    }
}

void
gmcp_manager_set_limit (GmcpManager *self, GmcpManagerLimit limit, guint value)
{
  const GmcpManagerLimitInfo *info = gmcp_manager_limit_get_info (limit);
  guint *now;

  g_return_if_fail (GMCP_IS_MANAGER (self));
  g_return_if_fail (value >= info->minimum && value <= info->maximum);

  now = gmcp_manager_limits_at (&gmcp_manager_get_private (self)->limits, limit);
  if (*now == value)
    return;

  *now = value;
  apply_limit (self, limit);
  g_object_notify (G_OBJECT (self), info->name);
}
