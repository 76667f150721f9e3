/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-config-struct-private.h"
#include "gmcp-tool-pattern-private.h"

/* How the server is looked after. */

/**
 * gmcp_server_config_get_start:
 * @self: a configuration
 *
 * Says when the server is started.
 *
 * Returns: the policy
 *
 * Since: 0.1
 */
GmcpServerStart
gmcp_server_config_get_start (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), GMCP_SERVER_START_ON_DEMAND);

  return self->start;
}

/**
 * gmcp_server_config_get_package:
 * @self: a configuration
 *
 * Gives the package that the program comes in.
 *
 * Returns: (nullable): its name; %NULL where none is set
 *
 * Since: 0.1
 */
const char *
gmcp_server_config_get_package (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return self->package;
}

/**
 * gmcp_server_config_get_instructions:
 * @self: a configuration
 *
 * Gives what the user says about the server's use, for a model.
 *
 * Returns: (nullable): the text; %NULL where there is none
 *
 * Since: 0.1
 */
const char *
gmcp_server_config_get_instructions (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return self->instructions;
}

/**
 * gmcp_server_config_is_trusted:
 * @self: a configuration
 *
 * Says whether what the server says of its tools may allow something.
 *
 * Returns: whether it may
 *
 * Since: 0.1
 */
gboolean
gmcp_server_config_is_trusted (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), FALSE);

  return self->trusted;
}

/**
 * gmcp_server_config_get_health_method:
 * @self: a configuration
 *
 * Says how it is found out whether the server still works.
 *
 * Returns: the method
 *
 * Since: 0.1
 */
GmcpHealthMethod
gmcp_server_config_get_health_method (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), GMCP_HEALTH_METHOD_PING);

  return self->health_method;
}

/**
 * gmcp_server_config_get_health_tool:
 * @self: a configuration
 *
 * Gives the tool that is called as a health check.
 *
 * Returns: (nullable): its name; %NULL where none is set
 *
 * Since: 0.1
 */
const char *
gmcp_server_config_get_health_tool (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return self->health_tool;
}

/**
 * gmcp_server_config_get_health_arguments:
 * @self: a configuration
 *
 * Gives the arguments of the tool that is called as a health check.
 *
 * Returns: (nullable): the text of a JSON object; %NULL for none
 *
 * Since: 0.1
 */
const char *
gmcp_server_config_get_health_arguments (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return self->health_arguments;
}

/**
 * gmcp_server_config_get_health_interval_ms:
 * @self: a configuration
 *
 * Gives the time between two health checks.
 *
 * Returns: milliseconds; 0 for the manager's
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_health_interval_ms (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->health_interval_ms;
}

/**
 * gmcp_server_config_get_health_timeout_ms:
 * @self: a configuration
 *
 * Gives the time limit of a health check.
 *
 * Returns: milliseconds; 0 for the manager's
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_health_timeout_ms (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->health_timeout_ms;
}

/**
 * gmcp_server_config_get_restart_on_failure:
 * @self: a configuration
 *
 * Says whether the server is started again when it fails.
 *
 * Returns: whether it is
 *
 * Since: 0.1
 */
gboolean
gmcp_server_config_get_restart_on_failure (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), FALSE);

  return self->restart_on_failure;
}

/**
 * gmcp_server_config_get_max_restart_attempts:
 * @self: a configuration
 *
 * Gives the number of starts in a row that may fail.
 *
 * Returns: the number; 0 for the manager's
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_max_restart_attempts (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->max_restart_attempts;
}

/**
 * gmcp_server_config_get_idle_timeout_ms:
 * @self: a configuration
 *
 * Gives how long the server may be without work before it is stopped.
 *
 * Returns: milliseconds; 0 for ever
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_idle_timeout_ms (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->idle_timeout_ms;
}

/**
 * gmcp_server_config_get_shutdown_timeout_ms:
 * @self: a configuration
 *
 * Gives how long the calls under way may take once the server is to stop.
 *
 * Returns: milliseconds; 0 for the manager's limit
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_shutdown_timeout_ms (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->shutdown_timeout_ms;
}

/**
 * gmcp_server_config_get_max_calls:
 * @self: a configuration
 *
 * Gives how many calls the server gets at once.
 *
 * Returns: the number; 0 for the default
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_max_calls (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->max_calls;
}

/**
 * gmcp_server_config_get_max_queued_calls:
 * @self: a configuration
 *
 * Gives how many calls may wait for their turn.
 *
 * Returns: the number; 0 for the default
 *
 * Since: 0.1
 */
guint
gmcp_server_config_get_max_queued_calls (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), 0);

  return self->max_queued_calls;
}

/**
 * gmcp_server_config_get_allowed_tools:
 * @self: a configuration
 *
 * Gives the tools that are listed and can be called, by the names that the server gives them, with `*`
 * and `?` as in globs.
 *
 * Returns: (array zero-terminated=1) (transfer none): the names; empty for all
 *
 * Since: 0.1
 */
const char *const *
gmcp_server_config_get_allowed_tools (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return (const char *const *) self->allowed_tools;
}

/**
 * gmcp_server_config_get_denied_tools:
 * @self: a configuration
 *
 * Gives the tools that are neither listed nor can be called.
 *
 * Returns: (array zero-terminated=1) (transfer none): the names, with `*` and `?` as in globs
 *
 * Since: 0.1
 */
const char *const *
gmcp_server_config_get_denied_tools (GmcpServerConfig *self)
{
  g_return_val_if_fail (GMCP_IS_SERVER_CONFIG (self), NULL);

  return (const char *const *) self->denied_tools;
}

static gboolean
matches_any (const char *const *patterns, const char *tool)
{
  for (gsize i = 0; patterns[i] != NULL; i++)
    {
      if (gmcp_glob_matches (patterns[i], tool))
        return TRUE;
    }
  return FALSE;
}

gboolean
gmcp_server_config_allows_tool (GmcpServerConfig *self, const char *tool)
{
  const char *const *allowed = (const char *const *) self->allowed_tools;

  return (allowed[0] == NULL || matches_any (allowed, tool))
         && !matches_any ((const char *const *) self->denied_tools, tool);
}
