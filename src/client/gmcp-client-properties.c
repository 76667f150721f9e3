/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-era-private.h"
#include "gmcp-caching-private.h"
#include "gmcp-lists-private.h"
#include "gmcp-tasks-private.h"

/**
 * gmcp_client_get_transport:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:transport].
 *
 * Returns: (transfer none): the value of [property@Gmcp.Client:transport]
 *
 * Since: 0.1
 */
GmcpTransport *
gmcp_client_get_transport (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return gmcp_session_get_transport (gmcp_client_get_session (self));
}

/**
 * gmcp_client_get_name:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:name].
 *
 * Returns: (transfer none): the value of [property@Gmcp.Client:name]
 *
 * Since: 0.1
 */
const char *
gmcp_client_get_name (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return gmcp_session_describe (gmcp_client_get_session (self));
}

/**
 * gmcp_client_set_name:
 * @self: a client
 * @name: (nullable): the new value
 *
 * Sets [property@Gmcp.Client:name].
 *
 * Since: 0.1
 */
void
gmcp_client_set_name (GmcpClient *self, const char *name)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_session_set_name (gmcp_client_get_session (self), name))
    g_object_notify (G_OBJECT (self), "name");
}

/**
 * gmcp_client_get_client_info:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:client-info].
 *
 * Returns: (transfer none): the value of [property@Gmcp.Client:client-info]
 *
 * Since: 0.1
 */
GmcpImplementation *
gmcp_client_get_client_info (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return gmcp_session_get_client_info (gmcp_client_get_session (self));
}

/**
 * gmcp_client_set_client_info:
 * @self: a client
 * @client_info: the new value
 *
 * Sets [property@Gmcp.Client:client-info].
 *
 * Since: 0.1
 */
void
gmcp_client_set_client_info (GmcpClient *self, GmcpImplementation *client_info)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (client_info != NULL);
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_session_set_client_info (gmcp_client_get_session (self), client_info))
    g_object_notify (G_OBJECT (self), "client-info");
}

/**
 * gmcp_client_get_era:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:era].
 *
 * Returns: the value of [property@Gmcp.Client:era]
 *
 * Since: 0.1
 */
GmcpEra
gmcp_client_get_era (GmcpClient *self)
{
  GmcpSession *session;

  g_return_val_if_fail (GMCP_IS_CLIENT (self), GMCP_ERA_AUTO);

  session = gmcp_client_get_session (self);
  return gmcp_session_is_open (session) ? gmcp_session_get_era (session)->id
                                        : gmcp_session_get_wanted_era (session);
}

/**
 * gmcp_client_set_era:
 * @self: a client
 * @era: the new value
 *
 * Sets [property@Gmcp.Client:era].
 *
 * Since: 0.1
 */
void
gmcp_client_set_era (GmcpClient *self, GmcpEra era)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_session_set_wanted_era (gmcp_client_get_session (self), era)
      && !gmcp_session_is_open (gmcp_client_get_session (self)))
    g_object_notify (G_OBJECT (self), "era");
}

/**
 * gmcp_client_get_call_timeout_ms:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:call-timeout-ms].
 *
 * Returns: the value of [property@Gmcp.Client:call-timeout-ms]
 *
 * Since: 0.1
 */
guint
gmcp_client_get_call_timeout_ms (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), 0);

  return gmcp_session_get_timeout_ms (gmcp_client_get_session (self), GMCP_SESSION_CALL_TIMEOUT);
}

/**
 * gmcp_client_set_call_timeout_ms:
 * @self: a client
 * @call_timeout_ms: the new value
 *
 * Sets [property@Gmcp.Client:call-timeout-ms].
 *
 * Since: 0.1
 */
void
gmcp_client_set_call_timeout_ms (GmcpClient *self, guint call_timeout_ms)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (call_timeout_ms > 0);
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_session_set_timeout_ms (gmcp_client_get_session (self), GMCP_SESSION_CALL_TIMEOUT,
                                   call_timeout_ms))
    g_object_notify (G_OBJECT (self), "call-timeout-ms");
}

/**
 * gmcp_client_get_max_call_timeout_ms:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:max-call-timeout-ms].
 *
 * Returns: the value of [property@Gmcp.Client:max-call-timeout-ms]
 *
 * Since: 0.1
 */
guint
gmcp_client_get_max_call_timeout_ms (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), 0);

  return gmcp_session_get_timeout_ms (gmcp_client_get_session (self),
                                      GMCP_SESSION_MAX_CALL_TIMEOUT);
}

/**
 * gmcp_client_set_max_call_timeout_ms:
 * @self: a client
 * @max_call_timeout_ms: the new value
 *
 * Sets [property@Gmcp.Client:max-call-timeout-ms].
 *
 * Since: 0.1
 */
void
gmcp_client_set_max_call_timeout_ms (GmcpClient *self, guint max_call_timeout_ms)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (max_call_timeout_ms > 0);
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_session_set_timeout_ms (gmcp_client_get_session (self), GMCP_SESSION_MAX_CALL_TIMEOUT,
                                   max_call_timeout_ms))
    g_object_notify (G_OBJECT (self), "max-call-timeout-ms");
}

/**
 * gmcp_client_get_max_task_timeout_ms:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:max-task-timeout-ms].
 *
 * Returns: the value of [property@Gmcp.Client:max-task-timeout-ms]
 *
 * Since: 0.1
 */
guint
gmcp_client_get_max_task_timeout_ms (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), 0);

  return gmcp_tasks_get_max_timeout_ms (gmcp_client_get_session (self));
}

/**
 * gmcp_client_set_max_task_timeout_ms:
 * @self: a client
 * @max_task_timeout_ms: the new value
 *
 * Sets [property@Gmcp.Client:max-task-timeout-ms].
 *
 * Since: 0.1
 */
void
gmcp_client_set_max_task_timeout_ms (GmcpClient *self, guint max_task_timeout_ms)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (max_task_timeout_ms > 0);
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_tasks_set_max_timeout_ms (gmcp_client_get_session (self), max_task_timeout_ms))
    g_object_notify (G_OBJECT (self), "max-task-timeout-ms");
}

/**
 * gmcp_client_get_startup_timeout_ms:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:startup-timeout-ms].
 *
 * Returns: the value of [property@Gmcp.Client:startup-timeout-ms]
 *
 * Since: 0.1
 */
guint
gmcp_client_get_startup_timeout_ms (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), 0);

  return gmcp_session_get_timeout_ms (gmcp_client_get_session (self), GMCP_SESSION_STARTUP_TIMEOUT);
}

/**
 * gmcp_client_set_startup_timeout_ms:
 * @self: a client
 * @startup_timeout_ms: the new value
 *
 * Sets [property@Gmcp.Client:startup-timeout-ms].
 *
 * Since: 0.1
 */
void
gmcp_client_set_startup_timeout_ms (GmcpClient *self, guint startup_timeout_ms)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (startup_timeout_ms > 0);
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_session_set_timeout_ms (gmcp_client_get_session (self), GMCP_SESSION_STARTUP_TIMEOUT,
                                   startup_timeout_ms))
    g_object_notify (G_OBJECT (self), "startup-timeout-ms");
}

/**
 * gmcp_client_get_probe_timeout_ms:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:probe-timeout-ms].
 *
 * Returns: the value of [property@Gmcp.Client:probe-timeout-ms]
 *
 * Since: 0.1
 */
guint
gmcp_client_get_probe_timeout_ms (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), 0);

  return gmcp_session_get_timeout_ms (gmcp_client_get_session (self), GMCP_SESSION_PROBE_TIMEOUT);
}

/**
 * gmcp_client_set_probe_timeout_ms:
 * @self: a client
 * @probe_timeout_ms: the new value
 *
 * Sets [property@Gmcp.Client:probe-timeout-ms].
 *
 * Since: 0.1
 */
void
gmcp_client_set_probe_timeout_ms (GmcpClient *self, guint probe_timeout_ms)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  g_return_if_fail (probe_timeout_ms > 0);
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_session_set_timeout_ms (gmcp_client_get_session (self), GMCP_SESSION_PROBE_TIMEOUT,
                                   probe_timeout_ms))
    g_object_notify (G_OBJECT (self), "probe-timeout-ms");
}

/**
 * gmcp_client_get_cache_key:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:cache-key].
 *
 * Returns: (transfer none) (nullable): the value of [property@Gmcp.Client:cache-key]
 *
 * Since: 0.1
 */
const char *
gmcp_client_get_cache_key (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return gmcp_session_get_cache_key (gmcp_client_get_session (self));
}

/**
 * gmcp_client_set_cache_key:
 * @self: a client
 * @cache_key: (nullable): the new value
 *
 * Sets [property@Gmcp.Client:cache-key].
 *
 * Since: 0.1
 */
void
gmcp_client_set_cache_key (GmcpClient *self, const char *cache_key)
{
  g_return_if_fail (GMCP_IS_CLIENT (self));
  if (!gmcp_client_check_thread (self, G_STRFUNC))
    return;

  if (gmcp_session_set_cache_key (gmcp_client_get_session (self), cache_key))
    {
      gmcp_caching_forget_server (gmcp_client_get_session (self));
      g_object_notify (G_OBJECT (self), "cache-key");
    }
}

/**
 * gmcp_client_is_open:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:open].
 *
 * Returns: whether the connection is open
 *
 * Since: 0.1
 */
gboolean
gmcp_client_is_open (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), FALSE);

  return gmcp_session_is_open (gmcp_client_get_session (self));
}

/**
 * gmcp_client_get_protocol_version:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:protocol-version].
 *
 * Returns: (transfer none) (nullable): the value of [property@Gmcp.Client:protocol-version]
 *
 * Since: 0.1
 */
const char *
gmcp_client_get_protocol_version (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return gmcp_session_get_protocol_version (gmcp_client_get_session (self));
}

/**
 * gmcp_client_get_server_info:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:server-info].
 *
 * Returns: (transfer none) (nullable): the value of [property@Gmcp.Client:server-info]
 *
 * Since: 0.1
 */
GmcpImplementation *
gmcp_client_get_server_info (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return gmcp_session_get_server_info (gmcp_client_get_session (self));
}

/**
 * gmcp_client_get_server_capabilities:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:server-capabilities].
 *
 * Returns: (transfer none) (nullable): the value of [property@Gmcp.Client:server-capabilities]
 *
 * Since: 0.1
 */
GmcpCapabilities *
gmcp_client_get_server_capabilities (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return gmcp_session_get_capabilities (gmcp_client_get_session (self));
}

/**
 * gmcp_client_get_instructions:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:instructions].
 *
 * Returns: (transfer none) (nullable): the value of [property@Gmcp.Client:instructions]
 *
 * Since: 0.1
 */
const char *
gmcp_client_get_instructions (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return gmcp_session_get_instructions (gmcp_client_get_session (self));
}

/**
 * gmcp_client_get_tools:
 * @self: a client
 *
 * Gets [property@Gmcp.Client:tools].
 *
 * Returns: (transfer none): the value of [property@Gmcp.Client:tools]
 *
 * Since: 0.1
 */
GListModel *
gmcp_client_get_tools (GmcpClient *self)
{
  g_return_val_if_fail (GMCP_IS_CLIENT (self), NULL);

  return G_LIST_MODEL (gmcp_lists_get_items (gmcp_client_get_session (self), GMCP_LIST_TOOLS));
}

void
gmcp_client_set_text_filter (GmcpClient *self,
                             GmcpTextFilter filter,
                             gpointer data,
                             GDestroyNotify destroy)
{
  gmcp_session_set_text_filter (gmcp_client_get_session (self), filter, data, destroy);
}

void
gmcp_client_extend_opening (GmcpClient *self, guint more_ms)
{
  gmcp_session_extend_opening (gmcp_client_get_session (self), more_ms);
}
