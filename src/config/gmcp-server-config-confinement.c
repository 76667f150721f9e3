/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-config-struct-private.h"

/* What the program of a server may do, and whose it is. */

/**
 * gmcp_server_config_get_sandbox: (get-property sandbox)
 * @self: a configuration
 *
 * Says what the program may do.
 *
 * Returns: what it may
 *
 * Since: 0.1
 */
GmcpSandbox
gmcp_server_config_get_sandbox (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), GMCP_SANDBOX_NONE);

  return self->sandbox;
}

/**
 * gmcp_server_config_get_writable_paths: (get-property writable-paths)
 * @self: a configuration
 *
 * Gives what the program may write to although it is in a sandbox.
 *
 * Returns: (transfer none) (array zero-terminated=1): full paths
 *
 * Since: 0.1
 */
const char *const *
gmcp_server_config_get_writable_paths (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return (const char *const *) self->writable_paths;
}

/**
 * gmcp_server_config_get_no_network: (get-property no-network)
 * @self: a configuration
 *
 * Says whether the program is kept from the network.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
gmcp_server_config_get_no_network (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), FALSE);

  return self->no_network;
}

/**
 * gmcp_server_config_get_unix_sockets: (get-property unix-sockets)
 * @self: a configuration
 *
 * Says whether the program may use Unix sockets although it is in a sandbox.
 *
 * Returns: whether it may
 *
 * Since: 0.1
 */
gboolean
gmcp_server_config_get_unix_sockets (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), FALSE);

  return self->unix_sockets;
}

/**
 * gmcp_server_config_get_max_cpu_ms: (get-property max-cpu-ms)
 * @self: a configuration
 *
 * Gives how much time of a processor each process of the program may use.
 *
 * Returns: milliseconds; 0 for no limit
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_max_cpu_ms (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->max_cpu_ms;
}

/**
 * gmcp_server_config_get_max_memory_mib: (get-property max-memory-mib)
 * @self: a configuration
 *
 * Gives how much memory the program may use.
 *
 * Returns: MiB; 0 for no limit
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_max_memory_mib (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->max_memory_mib;
}

/**
 * gmcp_server_config_get_max_processes: (get-property max-processes)
 * @self: a configuration
 *
 * Gives how many processes and threads the program may have.
 *
 * Returns: the number; 0 for no limit
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_max_processes (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->max_processes;
}

/**
 * gmcp_server_config_get_share: (get-property share)
 * @self: a configuration
 *
 * Says whether the hosts of a session share one process of the server.
 *
 * Returns: whether they do; %GMCP_SHARE_AUTO for what holds for all servers
 *
 * Since: 0.1
 */
GmcpShare
gmcp_server_config_get_share (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), GMCP_SHARE_AUTO);

  return self->share;
}
