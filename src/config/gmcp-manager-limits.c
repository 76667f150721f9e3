/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-manager-limits-private.h"

#define OF_SERVERS(member) G_STRUCT_OFFSET (GmcpManagerLimits, servers.member)
#define OF_MANAGER(member) G_STRUCT_OFFSET (GmcpManagerLimits, member)

static const GmcpManagerLimitInfo infos[GMCP_N_MANAGER_LIMITS] = {
  /**
   * GmcpManager:call-timeout-ms:
   *
   * The time limit of a call where neither the call nor the server's configuration has one, in
   * milliseconds. Follows the key `call-timeout-ms` of `org.gmcp.Manager` where settings are in
   * use; settings and files take 1 to 86,400,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_CALL_TIMEOUT_MS]
  = { "call-timeout-ms", "call_timeout_seconds", OF_SERVERS (call_timeout_ms), 1, G_MAXUINT, 1,
      86400000, GMCP_DEFAULT_CALL_TIMEOUT_MS, TRUE, .summary = N_ ("Time limit of a call") },

  /**
   * GmcpManager:max-call-timeout-ms:
   *
   * The time limit of a call however much progress the server reports, in milliseconds. Files take
   * 1 to 86,400,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_MAX_CALL_TIMEOUT_MS]
  = { "max-call-timeout-ms", "max_call_timeout_seconds", OF_SERVERS (max_call_timeout_ms), 1,
      G_MAXUINT, 1, 86400000, GMCP_DEFAULT_MAX_CALL_TIMEOUT_MS,
      .summary = N_ ("Absolute time limit of a call") },

  /**
   * GmcpManager:startup-timeout-ms:
   *
   * The time limit of a server's start where its configuration has none, in milliseconds.
   * Follows the key `startup-timeout-ms` of `org.gmcp.Manager` where settings are in use;
   * settings and files take 1,000 to 60,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_STARTUP_TIMEOUT_MS]
  = { "startup-timeout-ms", "startup_timeout_seconds", OF_SERVERS (startup_timeout_ms), 1,
      G_MAXUINT, 1000, 60000, GMCP_DEFAULT_MANAGER_STARTUP_TIMEOUT_MS, TRUE,
      .summary = N_ ("Time limit of a server's start") },

  /**
   * GmcpManager:install-timeout-ms:
   *
   * How long a command that fetches a server's program before it runs it, such as `npx` or `uvx`,
   * may take for that, where the server's configuration does not say, in milliseconds;
   * [property@Gmcp.Manager:startup-timeout-ms] counts from then on. Files take 10,000 to
   * 3,600,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_INSTALL_TIMEOUT_MS]
  = { "install-timeout-ms", "install_timeout_seconds", OF_SERVERS (install_timeout_ms), 1,
      G_MAXUINT, 10000, 3600000, GMCP_DEFAULT_INSTALL_TIMEOUT_MS,
      .summary = N_ ("Time limit for fetching a server's program") },

  /**
   * GmcpManager:shutdown-timeout-ms:
   *
   * How long the calls under way may take once their server is to stop, where its configuration
   * does not say, in milliseconds. Follows the key `shutdown-timeout-ms` of `org.gmcp.Manager`
   * where settings are in use; settings and files take 1,000 to 30,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_SHUTDOWN_TIMEOUT_MS]
  = { "shutdown-timeout-ms", "shutdown_timeout_seconds", OF_SERVERS (shutdown_timeout_ms), 1,
      G_MAXUINT, 1000, 30000, GMCP_DEFAULT_DRAIN_TIMEOUT_MS, TRUE,
      .summary = N_ ("Time limit of calls when a server stops") },

  /**
   * GmcpManager:health-interval-ms:
   *
   * The time between two health checks where a server's configuration does not say, in
   * milliseconds. Follows the key `health-interval-ms` of `org.gmcp.Manager` where settings are
   * in use; settings and files take 10,000 to 300,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_HEALTH_INTERVAL_MS]
  = { "health-interval-ms", "health_check_interval_seconds", OF_SERVERS (health_interval_ms), 1,
      G_MAXUINT, 10000, 300000, GMCP_DEFAULT_HEALTH_INTERVAL_MS, TRUE,
      .summary = N_ ("Time between two health checks") },

  /**
   * GmcpManager:health-timeout-ms:
   *
   * The time limit of a health check where a server's configuration has none, in milliseconds.
   * Files take 1,000 to 30,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_HEALTH_TIMEOUT_MS]
  = { "health-timeout-ms", "health_check_timeout_seconds", OF_SERVERS (health_timeout_ms), 1,
      G_MAXUINT, 1000, 30000, GMCP_DEFAULT_HEALTH_TIMEOUT_MS,
      .summary = N_ ("Time limit of a health check") },

  /**
   * GmcpManager:max-health-failures:
   *
   * After how many failed health checks in a row a server is unhealthy, and restarted. Files take
   * 1 to 100.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_MAX_HEALTH_FAILURES]
  = { "max-health-failures", "max_health_failures", OF_SERVERS (max_health_failures), 1, G_MAXUINT,
      1, 100, GMCP_DEFAULT_MAX_HEALTH_FAILURES,
      .summary = N_ ("Failed health checks until a server is restarted") },

  /**
   * GmcpManager:max-restart-attempts:
   *
   * How many starts in a row may fail before a server is given up, where its configuration does
   * not say. Files take 1 to 10.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_MAX_RESTART_ATTEMPTS]
  = { "max-restart-attempts", "max_restart_attempts", OF_SERVERS (max_restart_attempts), 1,
      G_MAXUINT, 1, 10, GMCP_DEFAULT_MAX_RESTART_ATTEMPTS,
      .summary = N_ ("How many starts in a row may fail") },

  /**
   * GmcpManager:max-restarts-per-hour:
   *
   * How often a server is restarted within an hour before it is given up. Files take 1 to 1,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_MAX_RESTARTS_PER_HOUR]
  = { "max-restarts-per-hour", "max_restarts_per_hour", OF_SERVERS (max_restarts_per_hour), 1,
      G_MAXUINT, 1, 1000, GMCP_DEFAULT_MAX_RESTARTS_PER_HOUR,
      .summary = N_ ("Restarts of a server within an hour") },

  /**
   * GmcpManager:restart-delay-ms:
   *
   * How long after it failed a server is started again, in milliseconds; with each further failure
   * it is twice as long. Files take 100 to 60,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_RESTART_DELAY_MS]
  = { "restart-delay-ms", "restart_delay_seconds", OF_SERVERS (restart_delay_ms), 1, G_MAXUINT, 100,
      60000, GMCP_DEFAULT_RESTART_DELAY_MS,
      .summary = N_ ("Time until a server is started again") },

  /**
   * GmcpManager:max-restart-delay-ms:
   *
   * The longest time until a server that failed is started again, in milliseconds. Files take
   * 1,000 to 3,600,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_MAX_RESTART_DELAY_MS]
  = { "max-restart-delay-ms", "max_restart_delay_seconds", OF_SERVERS (max_restart_delay_ms), 1,
      G_MAXUINT, 1000, 3600000, GMCP_DEFAULT_MAX_RESTART_DELAY_MS,
      .summary = N_ ("Longest time until a server is started again") },

  /**
   * GmcpManager:restart-jitter-percent:
   *
   * By how much chance makes the time until a restart shorter or longer, so that not all servers
   * start at once, in percent. Files take 0 to 100.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_RESTART_JITTER_PERCENT]
  = { "restart-jitter-percent", "restart_jitter_percent", OF_SERVERS (restart_jitter_percent), 0,
      100, 0, 100, GMCP_DEFAULT_RESTART_JITTER_PERCENT,
      .summary = N_ ("Chance in the time until a restart, in percent") },

  /**
   * GmcpManager:restart-reset-ms:
   *
   * How long a server must have been ready until its failed starts count no more, in milliseconds.
   * Files take 1,000 to 86,400,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_RESTART_RESET_MS]
  = { "restart-reset-ms", "restart_reset_seconds", OF_SERVERS (restart_reset_ms), 1, G_MAXUINT,
      1000, 86400000, GMCP_DEFAULT_RESTART_RESET_MS,
      .summary = N_ ("Time after which failures are forgotten") },

  /**
   * GmcpManager:restart-wait-ms:
   *
   * How long a call waits at most for a server that is to be restarted, in milliseconds; where
   * that is further away the call fails at once. Files take 0 to 600,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_RESTART_WAIT_MS]
  = { "restart-wait-ms", "restart_wait_seconds", OF_SERVERS (restart_wait_ms), 0, G_MAXUINT, 0,
      600000, GMCP_DEFAULT_RESTART_WAIT_MS,
      .summary = N_ ("Time that a call waits for a restart") },

  /**
   * GmcpManager:failed-start-delay-ms:
   *
   * How long after a server was given up no call starts it, in milliseconds. Files take 0 to
   * 3,600,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_FAILED_START_DELAY_MS]
  = { "failed-start-delay-ms", "failed_start_delay_seconds", OF_SERVERS (failed_start_delay_ms), 0,
      G_MAXUINT, 0, 3600000, GMCP_DEFAULT_FAILED_START_DELAY_MS,
      .summary = N_ ("Time without starts by calls") },

  /**
   * GmcpManager:max-calls:
   *
   * How many calls a server gets at once where its configuration does not say; others wait. Files
   * take 1 to 65,535.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_MAX_CALLS]
  = { "max-calls", "max_calls", OF_SERVERS (max_calls), 1, G_MAXUINT, 1, 65535,
      GMCP_DEFAULT_SERVER_CALLS, .summary = N_ ("Calls at once") },

  /**
   * GmcpManager:max-queued-calls:
   *
   * How many calls may wait for their turn at a server where its configuration does not say; one
   * more fails. Files take 1 to 65,535.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_MAX_QUEUED_CALLS]
  = { "max-queued-calls", "max_queued_calls", OF_SERVERS (max_queued_calls), 1, G_MAXUINT, 1, 65535,
      GMCP_DEFAULT_SERVER_QUEUED_CALLS, .summary = N_ ("Calls that wait") },

  /**
   * GmcpManager:ask-timeout-ms:
   *
   * How long somebody who is asked whether a call may be made has for the answer, in milliseconds;
   * without one it is refused. Files take 1,000 to 86,400,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_ASK_TIMEOUT_MS]
  = { "ask-timeout-ms", "ask_timeout_seconds", OF_MANAGER (ask_timeout_ms), 1, G_MAXUINT, 1000,
      86400000, GMCP_DEFAULT_INPUT_TIMEOUT_MS, .summary = N_ ("Time for an answer about a call") },

  /**
   * GmcpManager:resource-timeout-ms:
   *
   * How long [method@Gmcp.Manager.get_context_async] waits for servers, in milliseconds. Files
   * take 1 to 60,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_RESOURCE_TIMEOUT_MS]
  = { "resource-timeout-ms", "resource_timeout_seconds", OF_MANAGER (resource_timeout_ms), 1,
      G_MAXUINT, 1, 60000, GMCP_DEFAULT_CONTEXT_RESOURCE_TIMEOUT_MS,
      .summary = N_ ("Time limit of a project's context") },

  /**
   * GmcpManager:list-ttl-ms:
   *
   * How long the lists of a server stay fresh in the cache where it does not say, in milliseconds;
   * 0 keeps none. Files take 0 to 86,400,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_LIST_TTL_MS]
  = { "list-ttl-ms", "list_ttl_seconds", OF_MANAGER (list_ttl_ms), 0, G_MAXUINT, 0, 86400000,
      GMCP_DEFAULT_MANAGER_LIST_TTL_MS, .summary = N_ ("Time that lists stay fresh") },

  /**
   * GmcpManager:resource-ttl-ms:
   *
   * How long the resources of a server stay fresh in the cache where it does not say, in
   * milliseconds; 0 keeps none. Files take 0 to 86,400,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_RESOURCE_TTL_MS]
  = { "resource-ttl-ms", "resource_ttl_seconds", OF_MANAGER (resource_ttl_ms), 0, G_MAXUINT, 0,
      86400000, GMCP_DEFAULT_MANAGER_RESOURCE_TTL_MS,
      .summary = N_ ("Time that resources stay fresh") },

  /**
   * GmcpManager:max-cache-bytes:
   *
   * How much the cache of all servers holds, in bytes; 0 keeps nothing. Files take 0 to
   * 1,073,741,824.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_MAX_CACHE_BYTES]
  = { "max-cache-bytes", "max_cache_bytes", OF_MANAGER (max_cache_bytes), 0, G_MAXUINT, 0,
      1073741824, GMCP_DEFAULT_MANAGER_CACHE_BYTES, .summary = N_ ("Size of the cache, in bytes") },

  /**
   * GmcpManager:max-result-bytes:
   *
   * How large a tool's result may be as JSON text. Of a larger one the host gets what fits, and a
   * text that says in which file the whole of it is; the file is gone when the program ends. In
   * bytes. Files take 1,024 to 1,073,741,824.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_MAX_RESULT_BYTES]
  = { "max-result-bytes", "max_result_bytes", OF_MANAGER (max_result_bytes), 1, G_MAXUINT, 1024,
      1073741824, GMCP_DEFAULT_RESULT_BYTES, .summary = N_ ("Size of a result, in bytes") },

  /**
   * GmcpManager:max-log-bytes:
   *
   * How large a file of the audit log, or of a server's log, gets before the next one is begun, in
   * bytes. Files take 4,096 to 268,435,456.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_MAX_LOG_BYTES]
  = { "max-log-bytes", "max_log_bytes", OF_MANAGER (max_log_bytes), 1, G_MAXUINT, 4096, 268435456,
      GMCP_DEFAULT_LOG_BYTES, .summary = N_ ("Size of a log file, in bytes") },

  /**
   * GmcpManager:max-log-files:
   *
   * How many files are kept of the audit log, and of each server's log. Files take 1 to 100.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_MAX_LOG_FILES]
  = { "max-log-files", "max_log_files", OF_MANAGER (max_log_files), 1, 1000, 1, 100,
      GMCP_DEFAULT_LOG_FILES, .summary = N_ ("Log files") },

  /**
   * GmcpManager:load-wait-ms:
   *
   * How long [method@Gmcp.ToolProvider.load_async] waits for servers whose tools were never listed
   * before, in milliseconds. Those that take longer are [property@Gmcp.Manager:awaited-server-ids];
   * for one that failed the last time it does not wait. Files take 0 to 600,000.
   *
   * Since: 0.1
   */
  [GMCP_MANAGER_LIMIT_LOAD_WAIT_MS]
  = { "load-wait-ms", "load_wait_seconds", OF_MANAGER (load_wait_ms), 0, G_MAXUINT, 0, 600000,
      GMCP_DEFAULT_LOAD_WAIT_MS, .summary = N_ ("Wait for new servers") },
};

const GmcpManagerLimitInfo *
gmcp_manager_limit_get_info (GmcpManagerLimit limit)
{
  return &infos[limit];
}

guint *
gmcp_manager_limits_at (GmcpManagerLimits *self, GmcpManagerLimit limit)
{
  return &G_STRUCT_MEMBER (guint, self, infos[limit].offset);
}

gboolean
gmcp_manager_limit_is_of_bytes (GmcpManagerLimit limit)
{
  return g_str_has_suffix (infos[limit].name, "-bytes");
}

gboolean
gmcp_manager_limit_is_of_servers (GmcpManagerLimit limit)
{
  return infos[limit].offset < sizeof (GmcpServerLimits);
}

void
gmcp_manager_limits_init (GmcpManagerLimits *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (infos); i++)
    *gmcp_manager_limits_at (self, (GmcpManagerLimit) i) = infos[i].value;
}
