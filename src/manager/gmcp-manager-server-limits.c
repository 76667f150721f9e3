/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-manager-policy-private.h"

/**
 * gmcp_manager_get_call_timeout_ms:
 * @self: a manager
 *
 * Gives the time limit of a call where neither the call nor the server's configuration has one.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_call_timeout_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_CALL_TIMEOUT_MS);
}

/**
 * gmcp_manager_set_call_timeout_ms:
 * @self: a manager
 * @call_timeout_ms: a time in milliseconds, at least 1
 *
 * Sets the time limit of a call where neither the call nor the server's configuration has one.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_call_timeout_ms (GmcpManager *self, guint call_timeout_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_CALL_TIMEOUT_MS, call_timeout_ms);
}

/**
 * gmcp_manager_get_max_call_timeout_ms:
 * @self: a manager
 *
 * Gives the time limit of a call however much progress the server reports.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_max_call_timeout_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_MAX_CALL_TIMEOUT_MS);
}

/**
 * gmcp_manager_set_max_call_timeout_ms:
 * @self: a manager
 * @max_call_timeout_ms: a time in milliseconds, at least 1
 *
 * Sets the time limit of a call however much progress the server reports.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_max_call_timeout_ms (GmcpManager *self, guint max_call_timeout_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_MAX_CALL_TIMEOUT_MS, max_call_timeout_ms);
}

/**
 * gmcp_manager_get_startup_timeout_ms:
 * @self: a manager
 *
 * Gives the time limit of a server's start where its configuration has none.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_startup_timeout_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_STARTUP_TIMEOUT_MS);
}

/**
 * gmcp_manager_set_startup_timeout_ms:
 * @self: a manager
 * @startup_timeout_ms: a time in milliseconds, at least 1
 *
 * Sets the time limit of a server's start where its configuration has none.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_startup_timeout_ms (GmcpManager *self, guint startup_timeout_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_STARTUP_TIMEOUT_MS, startup_timeout_ms);
}

/**
 * gmcp_manager_get_install_timeout_ms:
 * @self: a manager
 *
 * Says how long a command such as `npx`, which fetches a server's program before it runs it, may take
 * for that, where the server's configuration does not say.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_install_timeout_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_INSTALL_TIMEOUT_MS);
}

/**
 * gmcp_manager_set_install_timeout_ms:
 * @self: a manager
 * @install_timeout_ms: a time in milliseconds, at least 1
 *
 * Sets how long a command such as `npx`, which fetches a server's program before it runs it, may take
 * for that, where the server's configuration does not say. It counts for the next start.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_install_timeout_ms (GmcpManager *self, guint install_timeout_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_INSTALL_TIMEOUT_MS, install_timeout_ms);
}

/**
 * gmcp_manager_get_shutdown_timeout_ms:
 * @self: a manager
 *
 * Says how long the calls under way may take once their server is to stop, where its configuration
 * does not say.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_shutdown_timeout_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_SHUTDOWN_TIMEOUT_MS);
}

/**
 * gmcp_manager_set_shutdown_timeout_ms:
 * @self: a manager
 * @shutdown_timeout_ms: a time in milliseconds, at least 1
 *
 * Sets how long the calls under way may take once their server is to stop, where its configuration
 * does not say.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_shutdown_timeout_ms (GmcpManager *self, guint shutdown_timeout_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_SHUTDOWN_TIMEOUT_MS, shutdown_timeout_ms);
}

/**
 * gmcp_manager_get_health_interval_ms:
 * @self: a manager
 *
 * Gives the time between two health checks where a server's configuration does not say.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_health_interval_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_HEALTH_INTERVAL_MS);
}

/**
 * gmcp_manager_set_health_interval_ms:
 * @self: a manager
 * @health_interval_ms: a time in milliseconds, at least 1
 *
 * Sets the time between two health checks where a server's configuration does not say.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_health_interval_ms (GmcpManager *self, guint health_interval_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_HEALTH_INTERVAL_MS, health_interval_ms);
}

/**
 * gmcp_manager_get_health_timeout_ms:
 * @self: a manager
 *
 * Gives the time limit of a health check where a server's configuration has none.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_health_timeout_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_HEALTH_TIMEOUT_MS);
}

/**
 * gmcp_manager_set_health_timeout_ms:
 * @self: a manager
 * @health_timeout_ms: a time in milliseconds, at least 1
 *
 * Sets the time limit of a health check where a server's configuration has none.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_health_timeout_ms (GmcpManager *self, guint health_timeout_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_HEALTH_TIMEOUT_MS, health_timeout_ms);
}

/**
 * gmcp_manager_get_max_health_failures:
 * @self: a manager
 *
 * Says after how many failed health checks in a row a server is unhealthy, and restarted.
 *
 * Returns: the number
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_max_health_failures (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_MAX_HEALTH_FAILURES);
}

/**
 * gmcp_manager_set_max_health_failures:
 * @self: a manager
 * @max_health_failures: the number, at least 1
 *
 * Sets after how many failed health checks in a row a server is unhealthy, and restarted.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_max_health_failures (GmcpManager *self, guint max_health_failures)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_MAX_HEALTH_FAILURES, max_health_failures);
}

/**
 * gmcp_manager_get_max_restart_attempts:
 * @self: a manager
 *
 * Says how many starts in a row may fail before a server is given up, where its configuration does
 * not say.
 *
 * Returns: the number
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_max_restart_attempts (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_MAX_RESTART_ATTEMPTS);
}

/**
 * gmcp_manager_set_max_restart_attempts:
 * @self: a manager
 * @max_restart_attempts: the number, at least 1
 *
 * Sets how many starts in a row may fail before a server is given up, where its configuration does
 * not say.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_max_restart_attempts (GmcpManager *self, guint max_restart_attempts)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_MAX_RESTART_ATTEMPTS, max_restart_attempts);
}

/**
 * gmcp_manager_get_max_restarts_per_hour:
 * @self: a manager
 *
 * Says how often a server is restarted within an hour before it is given up.
 *
 * Returns: the number
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_max_restarts_per_hour (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_MAX_RESTARTS_PER_HOUR);
}

/**
 * gmcp_manager_set_max_restarts_per_hour:
 * @self: a manager
 * @max_restarts_per_hour: the number, at least 1
 *
 * Sets how often a server is restarted within an hour before it is given up.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_max_restarts_per_hour (GmcpManager *self, guint max_restarts_per_hour)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_MAX_RESTARTS_PER_HOUR, max_restarts_per_hour);
}

/**
 * gmcp_manager_get_restart_delay_ms:
 * @self: a manager
 *
 * Says how long after it failed a server is started again; with each further failure it is twice
 * as long.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_restart_delay_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_RESTART_DELAY_MS);
}

/**
 * gmcp_manager_set_restart_delay_ms:
 * @self: a manager
 * @restart_delay_ms: a time in milliseconds, at least 1
 *
 * Sets how long after it failed a server is started again; with each further failure it is twice
 * as long.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_restart_delay_ms (GmcpManager *self, guint restart_delay_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_RESTART_DELAY_MS, restart_delay_ms);
}

/**
 * gmcp_manager_get_max_restart_delay_ms:
 * @self: a manager
 *
 * Gives the longest time until a server that failed is started again.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_max_restart_delay_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_MAX_RESTART_DELAY_MS);
}

/**
 * gmcp_manager_set_max_restart_delay_ms:
 * @self: a manager
 * @max_restart_delay_ms: a time in milliseconds, at least 1
 *
 * Sets the longest time until a server that failed is started again.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_max_restart_delay_ms (GmcpManager *self, guint max_restart_delay_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_MAX_RESTART_DELAY_MS, max_restart_delay_ms);
}

/**
 * gmcp_manager_get_restart_jitter_percent:
 * @self: a manager
 *
 * Says by how much chance makes the time until a restart shorter or longer, so that not all
 * servers start at once.
 *
 * Returns: a part of it in percent
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_restart_jitter_percent (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_RESTART_JITTER_PERCENT);
}

/**
 * gmcp_manager_set_restart_jitter_percent:
 * @self: a manager
 * @restart_jitter_percent: a part of it in percent, from 0 to 100
 *
 * Sets by how much chance makes the time until a restart shorter or longer, so that not all
 * servers start at once.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_restart_jitter_percent (GmcpManager *self, guint restart_jitter_percent)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_RESTART_JITTER_PERCENT, restart_jitter_percent);
}

/**
 * gmcp_manager_get_restart_reset_ms:
 * @self: a manager
 *
 * Says how long a server must have been ready until its failed starts count no more.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_restart_reset_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_RESTART_RESET_MS);
}

/**
 * gmcp_manager_set_restart_reset_ms:
 * @self: a manager
 * @restart_reset_ms: a time in milliseconds, at least 1
 *
 * Sets how long a server must have been ready until its failed starts count no more.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_restart_reset_ms (GmcpManager *self, guint restart_reset_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_RESTART_RESET_MS, restart_reset_ms);
}

/**
 * gmcp_manager_get_restart_wait_ms:
 * @self: a manager
 *
 * Says how long a call waits at most for a server that is to be restarted; where that is further
 * away the call fails at once.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_restart_wait_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_RESTART_WAIT_MS);
}

/**
 * gmcp_manager_set_restart_wait_ms:
 * @self: a manager
 * @restart_wait_ms: a time in milliseconds, 0 or more
 *
 * Sets how long a call waits at most for a server that is to be restarted; where that is further
 * away the call fails at once.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_restart_wait_ms (GmcpManager *self, guint restart_wait_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_RESTART_WAIT_MS, restart_wait_ms);
}

/**
 * gmcp_manager_get_failed_start_delay_ms:
 * @self: a manager
 *
 * Says how long after a server was given up no call starts it.
 *
 * Returns: a time in milliseconds
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_failed_start_delay_ms (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_FAILED_START_DELAY_MS);
}

/**
 * gmcp_manager_set_failed_start_delay_ms:
 * @self: a manager
 * @failed_start_delay_ms: a time in milliseconds, 0 or more
 *
 * Sets how long after a server was given up no call starts it.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_failed_start_delay_ms (GmcpManager *self, guint failed_start_delay_ms)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_FAILED_START_DELAY_MS, failed_start_delay_ms);
}

/**
 * gmcp_manager_get_max_calls:
 * @self: a manager
 *
 * Says how many calls a server gets at once where its configuration does not say; others wait.
 *
 * Returns: the number
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_max_calls (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_MAX_CALLS);
}

/**
 * gmcp_manager_set_max_calls:
 * @self: a manager
 * @max_calls: the number, at least 1
 *
 * Sets how many calls a server gets at once where its configuration does not say; others wait.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_max_calls (GmcpManager *self, guint max_calls)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_MAX_CALLS, max_calls);
}

/**
 * gmcp_manager_get_max_queued_calls:
 * @self: a manager
 *
 * Says how many calls may wait for their turn at a server where its configuration does not say;
 * one more fails.
 *
 * Returns: the number
 *
 * Since: 0.1
 */
guint
gmcp_manager_get_max_queued_calls (GmcpManager *self)
{
  return gmcp_manager_get_limit (self, GMCP_MANAGER_LIMIT_MAX_QUEUED_CALLS);
}

/**
 * gmcp_manager_set_max_queued_calls:
 * @self: a manager
 * @max_queued_calls: the number, at least 1
 *
 * Sets how many calls may wait for their turn at a server where its configuration does not say;
 * one more fails.
 *
 * Since: 0.1
 */
void
gmcp_manager_set_max_queued_calls (GmcpManager *self, guint max_queued_calls)
{
  gmcp_manager_set_limit (self, GMCP_MANAGER_LIMIT_MAX_QUEUED_CALLS, max_queued_calls);
}
