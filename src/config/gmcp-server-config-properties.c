/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-config-struct-private.h"

/**
 * gmcp_server_config_get_id:
 * @self: a configuration
 *
 * Gives the server's id.
 *
 * Returns: the id
 *
 * Since: 0.1
 */
const char *
gmcp_server_config_get_id (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return self->id != NULL ? self->id : "";
}

/**
 * gmcp_server_config_get_title:
 * @self: a configuration
 *
 * Gives what people call the server; the id where nothing else is set.
 *
 * Returns: the title
 *
 * Since: 0.1
 */
const char *
gmcp_server_config_get_title (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return self->title != NULL ? self->title : gmcp_server_config_get_id (self);
}

/**
 * gmcp_server_config_is_enabled:
 * @self: a configuration
 *
 * Says whether the server may be started.
 *
 * Returns: whether it may
 *
 * Since: 0.1
 */
gboolean
gmcp_server_config_is_enabled (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), FALSE);

  return self->enabled;
}

/**
 * gmcp_server_config_get_transport:
 * @self: a configuration
 *
 * Says how the server is reached.
 *
 * Returns: the transport
 *
 * Since: 0.1
 */
GmcpServerTransport
gmcp_server_config_get_transport (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), GMCP_SERVER_TRANSPORT_STDIO);

  return self->transport;
}

/**
 * gmcp_server_config_get_argv:
 * @self: a configuration
 *
 * Gives the program and its arguments; empty where the server is no program.
 *
 * Returns: (transfer none) (array zero-terminated=1): the words
 *
 * Since: 0.1
 */
const char *const *
gmcp_server_config_get_argv (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return (const char *const *) self->argv;
}

/**
 * gmcp_server_config_get_environment:
 * @self: a configuration
 *
 * Gives the variables that the program gets besides those every program gets.
 *
 * Returns: (transfer none) (array zero-terminated=1): `NAME=VALUE` words, sorted by name
 *
 * Since: 0.1
 */
const char *const *
gmcp_server_config_get_environment (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return (const char *const *) self->environment;
}

/**
 * gmcp_server_config_get_inherit_environment:
 * @self: a configuration
 *
 * Says whether the program gets the host's whole environment.
 *
 * Returns: whether it does
 *
 * Since: 0.1
 */
gboolean
gmcp_server_config_get_inherit_environment (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), FALSE);

  return self->inherit_environment;
}

/**
 * gmcp_server_config_get_allow_sampling:
 * @self: a configuration
 *
 * Gets [property@Gmcp.ServerConfig:allow-sampling].
 *
 * Returns: whether the server may ask for the model of the program that uses it
 *
 * Since: 0.1
 */
gboolean
gmcp_server_config_get_allow_sampling (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), FALSE);

  return self->allow_sampling;
}

/**
 * gmcp_server_config_get_cwd:
 * @self: a configuration
 *
 * Gives the folder in which the program runs.
 *
 * Returns: (nullable): a full path, or %NULL where [property@Gmcp.ServerConfig:cwd] says nothing
 *
 * Since: 0.1
 */
const char *
gmcp_server_config_get_cwd (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return self->cwd;
}

/**
 * gmcp_server_config_get_url:
 * @self: a configuration
 *
 * Gives the address of a server that is no program.
 *
 * Returns: (nullable): a URL
 *
 * Since: 0.1
 */
const char *
gmcp_server_config_get_url (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return self->url;
}

/**
 * gmcp_server_config_get_headers:
 * @self: a configuration
 *
 * Gives the HTTP headers that each request to the server carries. They are secrets.
 *
 * Returns: (transfer none) (array zero-terminated=1): names and values in turn
 *
 * Since: 0.1
 */
const char *const *
gmcp_server_config_get_headers (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return (const char *const *) self->headers;
}

/**
 * gmcp_server_config_get_ca_file:
 * @self: a configuration
 *
 * Gives the file of certificates that are trusted in place of the system's.
 *
 * Returns: (nullable) (type filename): a path, or %NULL for the system's certificates
 *
 * Since: 0.1
 */
const char *
gmcp_server_config_get_ca_file (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return self->ca_file;
}

/**
 * gmcp_server_config_get_allowed_redirect_origins: (get-property allowed-redirect-origins)
 * @self: a configuration
 *
 * Gives the origins that a message may be redirected to beside the one of the server's address.
 *
 * Returns: (transfer none) (array zero-terminated=1): origins
 *
 * Since: 0.1
 */
const char *const *
gmcp_server_config_get_allowed_redirect_origins (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return (const char *const *) self->redirect_origins;
}

/**
 * gmcp_server_config_get_era:
 * @self: a configuration
 *
 * Says which protocol the server is configured to speak.
 *
 * Returns: an era, or %GMCP_ERA_AUTO to ask the server
 *
 * Since: 0.1
 */
GmcpEra
gmcp_server_config_get_era (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), GMCP_ERA_AUTO);

  return self->era;
}

/**
 * gmcp_server_config_get_call_timeout_ms:
 * @self: a configuration
 *
 * Gives the time limit of a call.
 *
 * Returns: milliseconds; 0 for the manager's limit
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_call_timeout_ms (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->call_timeout_ms;
}

/**
 * gmcp_server_config_get_startup_timeout_ms:
 * @self: a configuration
 *
 * Gives the time limit of the start.
 *
 * Returns: milliseconds; 0 for the manager's limit
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_startup_timeout_ms (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->startup_timeout_ms;
}

/**
 * gmcp_server_config_get_install_timeout_ms:
 * @self: a configuration
 *
 * Says how long a command such as `npx`, which fetches the server's program before it runs it, may take
 * for that.
 *
 * Returns: milliseconds; 0 for the manager's limit
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_install_timeout_ms (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->install_timeout_ms;
}
