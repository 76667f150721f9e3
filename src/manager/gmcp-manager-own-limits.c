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

/**
 * gmcp_manager_get_ask_timeout_ms:
 * @self: a manager
 *
 * Says how long somebody who is asked whether a call may be made has for the answer; without one
 * it is refused.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_ask_timeout_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_ASK_TIMEOUT_MS);
}

/**
 * gmcp_manager_set_ask_timeout_ms:
 * @self: a manager
 * @ask_timeout_ms: a time in milliseconds, at least 1
 *
 * Sets how long somebody who is asked whether a call may be made has for the answer; without one
 * it is refused.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_ask_timeout_ms (GmcpManager *self, guint ask_timeout_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_ASK_TIMEOUT_MS, ask_timeout_ms);
}

/**
 * gmcp_manager_get_resource_timeout_ms:
 * @self: a manager
 *
 * Says how long [method@Gmcp.Manager.get_context_async] waits for servers.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_resource_timeout_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_RESOURCE_TIMEOUT_MS);
}

/**
 * gmcp_manager_set_resource_timeout_ms:
 * @self: a manager
 * @resource_timeout_ms: a time in milliseconds, at least 1
 *
 * Sets how long [method@Gmcp.Manager.get_context_async] waits for servers.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_resource_timeout_ms (GmcpManager *self, guint resource_timeout_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_RESOURCE_TIMEOUT_MS, resource_timeout_ms);
}

/**
 * gmcp_manager_get_list_ttl_ms:
 * @self: a manager
 *
 * Says how long the lists of a server stay fresh in the cache where it does not say; 0 keeps none.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_list_ttl_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_LIST_TTL_MS);
}

/**
 * gmcp_manager_set_list_ttl_ms:
 * @self: a manager
 * @list_ttl_ms: a time in milliseconds, 0 or more
 *
 * Sets how long the lists of a server stay fresh in the cache where it does not say; 0 keeps none.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_list_ttl_ms (GmcpManager *self, guint list_ttl_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_LIST_TTL_MS, list_ttl_ms);
}

/**
 * gmcp_manager_get_resource_ttl_ms:
 * @self: a manager
 *
 * Says how long the resources of a server stay fresh in the cache where it does not say; 0 keeps
 * none.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_resource_ttl_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_RESOURCE_TTL_MS);
}

/**
 * gmcp_manager_set_resource_ttl_ms:
 * @self: a manager
 * @resource_ttl_ms: a time in milliseconds, 0 or more
 *
 * Sets how long the resources of a server stay fresh in the cache where it does not say; 0 keeps
 * none.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_resource_ttl_ms (GmcpManager *self, guint resource_ttl_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_RESOURCE_TTL_MS, resource_ttl_ms);
}

/**
 * gmcp_manager_get_max_cache_bytes:
 * @self: a manager
 *
 * Says how much the cache of all servers holds; 0 keeps nothing.
 *
 * Returns: bytes
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_max_cache_bytes (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_MAX_CACHE_BYTES);
}

/**
 * gmcp_manager_set_max_cache_bytes:
 * @self: a manager
 * @max_cache_bytes: bytes, 0 or more
 *
 * Sets how much the cache of all servers holds; 0 keeps nothing.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_max_cache_bytes (GmcpManager *self, guint max_cache_bytes)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_MAX_CACHE_BYTES, max_cache_bytes);
}

/**
 * gmcp_manager_get_max_result_bytes:
 * @self: a manager
 *
 * Says how large a tool's result may be as JSON text.
 *
 * Returns: bytes
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_max_result_bytes (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_MAX_RESULT_BYTES);
}

/**
 * gmcp_manager_set_max_result_bytes:
 * @self: a manager
 * @max_result_bytes: bytes, at least 1
 *
 * Sets how large a tool's result may be as JSON text. Of a larger one the host gets what fits, and
 * a text that says in which file the whole of it is.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_max_result_bytes (GmcpManager *self, guint max_result_bytes)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_MAX_RESULT_BYTES, max_result_bytes);
}

/**
 * gmcp_manager_get_max_log_bytes:
 * @self: a manager
 *
 * Says how large a file of the audit log, or of a server's log, gets before the next one is begun.
 *
 * Returns: bytes
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_max_log_bytes (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_MAX_LOG_BYTES);
}

/**
 * gmcp_manager_set_max_log_bytes:
 * @self: a manager
 * @max_log_bytes: bytes, at least 1
 *
 * Sets how large a file of the audit log, or of a server's log, gets before the next one is begun.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_max_log_bytes (GmcpManager *self, guint max_log_bytes)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_MAX_LOG_BYTES, max_log_bytes);
}

/**
 * gmcp_manager_get_max_log_files:
 * @self: a manager
 *
 * Says how many files are kept of the audit log, and of each server's log.
 *
 * Returns: the number
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_max_log_files (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_MAX_LOG_FILES);
}

/**
 * gmcp_manager_set_max_log_files:
 * @self: a manager
 * @max_log_files: the number, from 1 to 1000
 *
 * Sets how many files are kept of the audit log, and of each server's log.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_max_log_files (GmcpManager *self, guint max_log_files)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_MAX_LOG_FILES, max_log_files);
}

/**
 * gmcp_manager_get_load_wait_ms:
 * @self: a manager
 *
 * Says how long [method@Gmcp.ToolProvider.load_async] waits for servers whose tools were never listed.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_load_wait_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_LOAD_WAIT_MS);
}

/**
 * gmcp_manager_set_load_wait_ms:
 * @self: a manager
 * @load_wait_ms: a time in milliseconds, 0 or more
 *
 * Sets how long [method@Gmcp.ToolProvider.load_async] waits for servers whose tools were never listed.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_load_wait_ms (GmcpManager *self, guint load_wait_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_LOAD_WAIT_MS, load_wait_ms);
}
