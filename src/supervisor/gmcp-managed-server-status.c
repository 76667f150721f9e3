/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-json-private.h"
#include "gmcp-managed-server-parts-private.h"

/* What can be said of a server. */

static GDateTime *
make_time (gint64 seconds)
{
  return seconds != 0 ? g_date_time_new_from_unix_utc (seconds) : NULL;
}

/**
 * gmcp_managed_server_get_start:
 * @self: a server
 *
 * Says when the server is started.
 *
 * Returns: the start policy
 *
 * Since: 0.1
 */
GmcpServerStart
gmcp_managed_server_get_start (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), GMCP_SERVER_START_ON_DEMAND);

  return gmcp_server_config_get_start (gmcp_managed_server_get_config (self));
}

/**
 * gmcp_managed_server_get_auto_start:
 * @self: a server
 *
 * Says whether anything but its user starts the server.
 *
 * Returns: whether its start policy is another than manual
 *
 * Since: 0.1
 */
gboolean
gmcp_managed_server_get_auto_start (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), FALSE);

  return gmcp_server_config_get_start (gmcp_managed_server_get_config (self))
         != GMCP_SERVER_START_MANUAL;
}

/**
 * gmcp_managed_server_dup_started_at:
 * @self: a server
 *
 * Says when the server became ready.
 *
 * Returns: (transfer full) (nullable): the time, in UTC; %NULL while it does not run
 *
 * Since: 0.1
 */
GDateTime *
gmcp_managed_server_dup_started_at (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  return make_time (gmcp_server_life_get_started_at (gmcp_managed_server_get_life (self)));
}

/**
 * gmcp_managed_server_get_uptime_seconds:
 * @self: a server
 *
 * Says how long the server has been ready.
 *
 * Returns: seconds; 0 while it does not run
 *
 * Since: 0.1
 */
gint64
gmcp_managed_server_get_uptime_seconds (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), 0);

  return gmcp_server_life_get_uptime_seconds (gmcp_managed_server_get_life (self));
}

/**
 * gmcp_managed_server_dup_last_health_check:
 * @self: a server
 *
 * Says when the last health check of the server ended.
 *
 * Returns: (transfer full) (nullable): the time, in UTC; %NULL where there was none
 *
 * Since: 0.1
 */
GDateTime *
gmcp_managed_server_dup_last_health_check (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  return make_time (
    gmcp_health_monitor_get_checked_at (gmcp_managed_server_get_health_monitor (self)));
}

/**
 * gmcp_managed_server_get_restarts:
 * @self: a server
 *
 * Says how often the server was restarted, because it failed or because somebody wanted that.
 *
 * Returns: the number of restarts
 *
 * Since: 0.1
 */
guint
gmcp_managed_server_get_restarts (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), 0);

  return gmcp_restart_policy_get_n_restarts (gmcp_managed_server_get_restart_policy (self));
}

/**
 * gmcp_managed_server_get_last_error:
 * @self: a server
 *
 * Says why the server failed to start, or ended, the last time.
 *
 * Returns: (nullable): the error; %NULL where there was none, and once the server is ready again
 *
 * Since: 0.1
 */
const GError *
gmcp_managed_server_get_last_error (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  return gmcp_server_life_get_last_error (gmcp_managed_server_get_life (self));
}

/**
 * gmcp_managed_server_get_last_failure:
 * @self: a server
 *
 * Says why the server failed to start, or ended, the last time, in this program or another one.
 *
 * Returns: (nullable): a text without secrets; %NULL where it did not, or was ready since
 *
 * Since: 0.1
 */
const char *
gmcp_managed_server_get_last_failure (GmcpManagedServer *self)
{
  const GmcpServerOutcome *outcome;

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  outcome = gmcp_managed_server_peek_outcome (self);
  return outcome != NULL ? outcome->failure : NULL;
}

/**
 * gmcp_managed_server_dup_last_failure_at:
 * @self: a server
 *
 * Says when the server failed the last time.
 *
 * Returns: (transfer full) (nullable): the time, in UTC; %NULL where it did not, or was ready since
 *
 * Since: 0.1
 */
GDateTime *
gmcp_managed_server_dup_last_failure_at (GmcpManagedServer *self)
{
  const GmcpServerOutcome *outcome;

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  outcome = gmcp_managed_server_peek_outcome (self);
  return outcome != NULL ? make_time (outcome->failed_at) : NULL;
}

/**
 * gmcp_managed_server_dup_last_ready_at:
 * @self: a server
 *
 * Says when the server became ready the last time, in this program or another one, to within ten minutes.
 *
 * Returns: (transfer full) (nullable): the time, in UTC; %NULL where it never was with its present
 *   configuration
 *
 * Since: 0.1
 */
GDateTime *
gmcp_managed_server_dup_last_ready_at (GmcpManagedServer *self)
{
  const GmcpServerOutcome *outcome;

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  outcome = gmcp_managed_server_peek_outcome (self);
  return outcome != NULL ? make_time (outcome->ready_at) : NULL;
}

/**
 * gmcp_managed_server_get_last_state:
 * @self: a server
 *
 * Says what the server is doing, or where it is stopped, what became of it the last time, in this program
 * or another one.
 *
 * Returns: the state; of a server that is stopped, %GMCP_SERVER_STATE_FAILED or
 *   %GMCP_SERVER_STATE_NEEDS_SIGN_IN where it was not ready since it failed
 *
 * Since: 0.1
 */
GmcpServerState
gmcp_managed_server_get_last_state (GmcpManagedServer *self)
{
  GmcpServerState state;
  const GmcpServerOutcome *outcome;

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), GMCP_SERVER_STATE_STOPPED);

  state = gmcp_managed_server_get_state (self);
  outcome = gmcp_managed_server_peek_outcome (self);
  if (state != GMCP_SERVER_STATE_STOPPED || outcome == NULL || outcome->failure == NULL)
    return state;

  return outcome->needs_sign_in ? GMCP_SERVER_STATE_NEEDS_SIGN_IN : GMCP_SERVER_STATE_FAILED;
}

/**
 * gmcp_managed_server_get_last_tools_count:
 * @self: a server
 *
 * Says how many tools the server has. Of a server that does not run the number is from when it was ready
 * the last time, in this program or another one.
 *
 * Returns: the number of tools; 0 where it was never ready, too
 *   ([method@Gmcp.ManagedServer.dup_last_ready_at])
 *
 * Since: 0.1
 */
guint
gmcp_managed_server_get_last_tools_count (GmcpManagedServer *self)
{
  const GmcpServerOutcome *outcome;
  guint n_tools;

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), 0);

  n_tools = gmcp_managed_server_get_tools_count (self);
  outcome = gmcp_managed_server_peek_outcome (self);
  return n_tools > 0 || outcome == NULL || gmcp_managed_server_is_ready (self)
           ? n_tools
           : (guint) outcome->n_tools;
}

/**
 * gmcp_managed_server_get_pid:
 * @self: a server
 *
 * Gives the server's process.
 *
 * Returns: its id; 0 where there is none, or none any more
 *
 * Since: 0.1
 */
int
gmcp_managed_server_get_pid (GmcpManagedServer *self)
{
  GmcpServerInstance *instance;

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), 0);

  instance = gmcp_server_life_get_last_instance (gmcp_managed_server_get_life (self));
  return instance != NULL && gmcp_server_instance_has_process (instance)
           ? gmcp_server_instance_get_pid (instance)
           : 0;
}

/**
 * gmcp_managed_server_is_shared:
 * @self: a server
 *
 * Says whether the server's process is that of gmcpd, which other programs use, too.
 *
 * Returns: whether it is; %FALSE while the server does not run
 *
 * Since: 0.1
 */
gboolean
gmcp_managed_server_is_shared (GmcpManagedServer *self)
{
  GmcpServerInstance *instance;

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), FALSE);

  instance = gmcp_server_life_get_instance (gmcp_managed_server_get_life (self));
  return instance != NULL
         && gmcp_server_sharing_is_shared (gmcp_server_instance_get_sharing (instance));
}

/**
 * gmcp_managed_server_get_tools_count:
 * @self: a server
 *
 * Says how many tools of the server are listed.
 *
 * Returns: the number of tools
 *
 * Since: 0.1
 */
guint
gmcp_managed_server_get_tools_count (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), 0);

  return gmcp_tool_snapshot_peek_tools (gmcp_managed_server_get_snapshot (self))->len;
}

/**
 * gmcp_managed_server_get_protocol_version:
 * @self: a server
 *
 * Gives the revision of the protocol that is spoken with the server.
 *
 * Returns: (nullable): a revision such as `2025-11-25`; %NULL while the server is not ready
 *
 * Since: 0.1
 */
const char *
gmcp_managed_server_get_protocol_version (GmcpManagedServer *self)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  if (!gmcp_server_state_is_up (gmcp_server_life_get_state (life)))
    return NULL;

  return gmcp_client_get_protocol_version (
    gmcp_server_instance_get_client (gmcp_server_life_get_instance (life)));
}

/**
 * gmcp_managed_server_get_server_info:
 * @self: a server
 *
 * Gives what the server says it is.
 *
 * Returns: (transfer none) (nullable): its name and version; %NULL while the server is not ready, and
 *   where it did not say
 *
 * Since: 0.1
 */
GmcpImplementation *
gmcp_managed_server_get_server_info (GmcpManagedServer *self)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  if (!gmcp_server_state_is_up (gmcp_server_life_get_state (life)))
    return NULL;

  return gmcp_client_get_server_info (
    gmcp_server_instance_get_client (gmcp_server_life_get_instance (life)));
}

/**
 * gmcp_managed_server_get_instructions:
 * @self: a server
 *
 * Gives what the server says about its use, for a model.
 *
 * Returns: (nullable): the text; %NULL where there is none
 *
 * Since: 0.1
 */
const char *
gmcp_managed_server_get_instructions (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  return gmcp_tool_snapshot_get_instructions (gmcp_managed_server_get_snapshot (self));
}

/**
 * gmcp_managed_server_get_unshared_reason:
 * @self: a server
 *
 * Says why the server has a process of its own where gmcpd has one that could be shared, or should have had:
 * a question for a program's settings, or for somebody who wonders about the memory.
 *
 * Returns: (nullable): the reason, as a sentence without a full stop; %NULL where the process is shared, where none is
 *   to be, and while the server does not run
 *
 * Since: 0.1
 */
const char *
gmcp_managed_server_get_unshared_reason (GmcpManagedServer *self)
{
  GmcpServerInstance *instance;

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  instance = gmcp_server_life_get_instance (gmcp_managed_server_get_life (self));
  return instance != NULL && !gmcp_managed_server_is_shared (self)
           ? gmcp_server_sharing_get_reason (gmcp_server_instance_get_sharing (instance))
           : NULL;
}

/**
 * gmcp_managed_server_get_client:
 * @self: a server
 *
 * Gives the connection to the server, for what is not about tools: its resources, prompts,
 * completion, subscriptions. [method@Gmcp.ManagedServer.start_async] starts the server first.
 *
 * The client belongs to the manager: do not open, close or configure it, but for its log level and its roots,
 * which hold for the clients that follow, too. It is another one after the server was started anew, so ask for it
 * each time it is used, and connect to its signals with each [signal@GObject.Object::notify] of
 * [property@Gmcp.ManagedServer:client]. What is asked of it directly does
 * not hold up a change of the configuration, which ends the connection.
 *
 * Returns: (transfer none) (nullable): the client; %NULL while the server is not ready
 *
 * Since: 0.1
 */
GmcpClient *
gmcp_managed_server_get_client (GmcpManagedServer *self)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);

  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  if (!gmcp_server_state_is_up (gmcp_server_life_get_state (life)))
    return NULL;

  return gmcp_server_instance_get_client (gmcp_server_life_get_instance (life));
}
