/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-managed-server-news-private.h"
#include "gmcp-server-states-private.h"

/* The properties of a managed server, and who is told when they change. */

typedef enum
{
  PROP_ID = 1,
  PROP_TITLE,
  PROP_CONFIG,
  PROP_STATE,
  PROP_LAST_ERROR,
  PROP_START,
  PROP_AUTO_START,
  PROP_PID,
  PROP_STARTED_AT,
  PROP_UPTIME_SECONDS,
  PROP_LAST_HEALTH_CHECK,
  PROP_RESTARTS,
  PROP_TOOLS_COUNT,
  PROP_LAST_FAILURE,
  PROP_LAST_FAILURE_AT,
  PROP_LAST_READY_AT,
  PROP_LAST_STATE,
  PROP_LAST_TOOLS_COUNT,
  PROP_AWAITED,
  PROP_CLIENT,
  PROP_PROTOCOL_VERSION,
  PROP_SERVER_INFO,
  PROP_SHARED,
  PROP_UNSHARED_REASON,
} GmcpManagedServerProperty;

static GParamSpec *properties[PROP_UNSHARED_REASON + 1];

void
gmcp_managed_server_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  GmcpManagedServer *self = GMCP_MANAGED_SERVER (object);

  switch ((GmcpManagedServerProperty) prop_id)
    {
    case PROP_ID:
      g_value_set_string (value, gmcp_managed_server_get_id (self));
      break;
    case PROP_TITLE:
      g_value_set_string (value, gmcp_managed_server_get_title (self));
      break;
    case PROP_CONFIG:
      g_value_set_object (value, gmcp_managed_server_get_config (self));
      break;
    case PROP_STATE:
      g_value_set_enum (value, gmcp_managed_server_get_state (self));
      break;
    case PROP_LAST_ERROR:
      g_value_set_boxed (value, gmcp_managed_server_get_last_error (self));
      break;
    case PROP_START:
      g_value_set_enum (value, gmcp_managed_server_get_start (self));
      break;
    case PROP_AUTO_START:
      g_value_set_boolean (value, gmcp_managed_server_get_auto_start (self));
      break;
    case PROP_STARTED_AT:
      g_value_take_boxed (value, gmcp_managed_server_dup_started_at (self));
      break;
    case PROP_UPTIME_SECONDS:
      g_value_set_int64 (value, gmcp_managed_server_get_uptime_seconds (self));
      break;
    case PROP_LAST_HEALTH_CHECK:
      g_value_take_boxed (value, gmcp_managed_server_dup_last_health_check (self));
      break;
    case PROP_RESTARTS:
      g_value_set_uint (value, gmcp_managed_server_get_restarts (self));
      break;
    case PROP_PID:
      g_value_set_int (value, gmcp_managed_server_get_pid (self));
      break;
    case PROP_TOOLS_COUNT:
      g_value_set_uint (value, gmcp_managed_server_get_tools_count (self));
      break;
    case PROP_LAST_FAILURE:
      g_value_set_string (value, gmcp_managed_server_get_last_failure (self));
      break;
    case PROP_LAST_FAILURE_AT:
      g_value_take_boxed (value, gmcp_managed_server_dup_last_failure_at (self));
      break;
    case PROP_LAST_READY_AT:
      g_value_take_boxed (value, gmcp_managed_server_dup_last_ready_at (self));
      break;
    case PROP_LAST_STATE:
      g_value_set_enum (value, gmcp_managed_server_get_last_state (self));
      break;
    case PROP_LAST_TOOLS_COUNT:
      g_value_set_uint (value, gmcp_managed_server_get_last_tools_count (self));
      break;
    case PROP_AWAITED:
      g_value_set_boolean (value, gmcp_managed_server_is_awaited (self));
      break;
    case PROP_CLIENT:
      g_value_set_object (value, gmcp_managed_server_get_client (self));
      break;
    case PROP_PROTOCOL_VERSION:
      g_value_set_string (value, gmcp_managed_server_get_protocol_version (self));
      break;
    case PROP_SERVER_INFO:
      g_value_set_boxed (value, gmcp_managed_server_get_server_info (self));
      break;
    case PROP_SHARED:
      g_value_set_boolean (value, gmcp_managed_server_is_shared (self));
      break;
    case PROP_UNSHARED_REASON:
      g_value_set_string (value, gmcp_managed_server_get_unshared_reason (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

void
gmcp_managed_server_install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  /**
   * GmcpManagedServer:id: (getter get_id)
   *
   * What the server is called in settings, in tool names and on the command line.
   *
   * Since: 0.1
   */
  properties[PROP_ID] = g_param_spec_string ("id", NULL, NULL, NULL, flags);

  /**
   * GmcpManagedServer:title: (getter get_title)
   *
   * What people call the server.
   *
   * Since: 0.1
   */
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);

  /**
   * GmcpManagedServer:config: (getter get_config)
   *
   * The configuration that holds now.
   *
   * Since: 0.1
   */
  properties[PROP_CONFIG]
    = g_param_spec_object ("config", NULL, NULL, GMCP_TYPE_SERVER_CONFIG, flags);

  /**
   * GmcpManagedServer:state: (getter get_state)
   *
   * What the server is doing. [func@Gmcp.ServerState.get_connection] and
   * [func@Gmcp.ServerState.get_health] say it in short.
   *
   * Since: 0.1
   */
  properties[PROP_STATE] = g_param_spec_enum ("state", NULL, NULL, GMCP_TYPE_SERVER_STATE,
                                              GMCP_SERVER_STATE_STOPPED, flags);

  /**
   * GmcpManagedServer:last-error: (getter get_last_error)
   *
   * Why the server failed to start, or ended, the last time; %NULL once it is ready again.
   *
   * Since: 0.1
   */
  properties[PROP_LAST_ERROR] = g_param_spec_boxed ("last-error", NULL, NULL, G_TYPE_ERROR, flags);

  /**
   * GmcpManagedServer:start: (getter get_start)
   *
   * When the server is started. Notified with the configuration.
   *
   * Since: 0.1
   */
  properties[PROP_START] = g_param_spec_enum ("start", NULL, NULL, GMCP_TYPE_SERVER_START,
                                              GMCP_SERVER_START_ON_DEMAND, flags);

  /**
   * GmcpManagedServer:auto-start: (getter get_auto_start)
   *
   * Whether anything but its user starts the server. Notified with the configuration.
   *
   * Since: 0.1
   */
  properties[PROP_AUTO_START] = g_param_spec_boolean ("auto-start", NULL, NULL, TRUE, flags);

  /**
   * GmcpManagedServer:started-at:
   *
   * When the server became ready, in UTC; %NULL while it does not run. Notified with the state.
   *
   * Since: 0.1
   */
  properties[PROP_STARTED_AT]
    = g_param_spec_boxed ("started-at", NULL, NULL, G_TYPE_DATE_TIME, flags);

  /**
   * GmcpManagedServer:uptime-seconds: (getter get_uptime_seconds)
   *
   * How long the server has been ready, in seconds; 0 while it does not run. It is not notified.
   *
   * Since: 0.1
   */
  properties[PROP_UPTIME_SECONDS]
    = g_param_spec_int64 ("uptime-seconds", NULL, NULL, 0, G_MAXINT64, 0, flags);

  /**
   * GmcpManagedServer:last-health-check:
   *
   * When the last health check ended, in UTC; %NULL where there was none.
   *
   * Since: 0.1
   */
  properties[PROP_LAST_HEALTH_CHECK]
    = g_param_spec_boxed ("last-health-check", NULL, NULL, G_TYPE_DATE_TIME, flags);

  /**
   * GmcpManagedServer:restarts: (getter get_restarts)
   *
   * How often the server was restarted, because it failed or because somebody wanted that. Notified
   * with the state.
   *
   * Since: 0.1
   */
  properties[PROP_RESTARTS] = g_param_spec_uint ("restarts", NULL, NULL, 0, G_MAXUINT, 0, flags);

  /**
   * GmcpManagedServer:pid: (getter get_pid)
   *
   * The server's process; 0 where there is none, or none any more. Notified with the state, and when
   * nothing is left of the process.
   *
   * Since: 0.1
   */
  properties[PROP_PID] = g_param_spec_int ("pid", NULL, NULL, 0, G_MAXINT, 0, flags);

  /**
   * GmcpManagedServer:tools-count: (getter get_tools_count)
   *
   * How many tools of the server are listed.
   *
   * Since: 0.1
   */
  properties[PROP_TOOLS_COUNT]
    = g_param_spec_uint ("tools-count", NULL, NULL, 0, G_MAXUINT, 0, flags);

  /**
   * GmcpManagedServer:last-failure: (getter get_last_failure)
   *
   * Why the server failed to start, or ended, the last time, also in an earlier run or in another
   * program; %NULL where it was ready since. Unlike [property@Gmcp.ManagedServer:last-error] it is
   * there before the server was tried.
   *
   * Since: 0.1
   */
  properties[PROP_LAST_FAILURE] = g_param_spec_string ("last-failure", NULL, NULL, NULL, flags);

  /**
   * GmcpManagedServer:last-failure-at:
   *
   * When that was, in UTC; %NULL where there is none. Notified with it.
   *
   * Since: 0.1
   */
  properties[PROP_LAST_FAILURE_AT]
    = g_param_spec_boxed ("last-failure-at", NULL, NULL, G_TYPE_DATE_TIME, flags);

  /**
   * GmcpManagedServer:last-ready-at:
   *
   * When the server became ready the last time, also in an earlier run or in another program, in UTC, to
   * within ten minutes; %NULL where it never was with its present configuration.
   *
   * Since: 0.1
   */
  properties[PROP_LAST_READY_AT]
    = g_param_spec_boxed ("last-ready-at", NULL, NULL, G_TYPE_DATE_TIME, flags);

  /**
   * GmcpManagedServer:last-state: (getter get_last_state)
   *
   * What the server is doing, or where it does not run, what became of it the last time: stopped, failed, or
   * in need of a sign-in. Notified with the state and with the last failure.
   *
   * Since: 0.1
   */
  properties[PROP_LAST_STATE] = g_param_spec_enum ("last-state", NULL, NULL, GMCP_TYPE_SERVER_STATE,
                                                   GMCP_SERVER_STATE_STOPPED, flags);

  /**
   * GmcpManagedServer:last-tools-count: (getter get_last_tools_count)
   *
   * How many tools the server has, or had when it was ready the last time, also in an earlier run or in
   * another program. Notified with [property@Gmcp.ManagedServer:last-ready-at].
   *
   * Since: 0.1
   */
  properties[PROP_LAST_TOOLS_COUNT]
    = g_param_spec_uint ("last-tools-count", NULL, NULL, 0, G_MAXUINT, 0, flags);

  /**
   * GmcpManagedServer:awaited: (getter is_awaited)
   *
   * Whether the server's tools are not known yet and on their way: it starts, or is started again, and
   * was never listed with its present configuration.
   *
   * Since: 0.1
   */
  properties[PROP_AWAITED] = g_param_spec_boolean ("awaited", NULL, NULL, FALSE, flags);

  /**
   * GmcpManagedServer:client: (getter get_client)
   *
   * The connection to the server while it is ready, for what is not about tools.
   *
   * Since: 0.1
   */
  properties[PROP_CLIENT] = g_param_spec_object ("client", NULL, NULL, GMCP_TYPE_CLIENT, flags);

  /**
   * GmcpManagedServer:protocol-version: (getter get_protocol_version)
   *
   * The revision of the protocol that is spoken with the server while it is ready.
   *
   * Since: 0.1
   */
  properties[PROP_PROTOCOL_VERSION]
    = g_param_spec_string ("protocol-version", NULL, NULL, NULL, flags);

  /**
   * GmcpManagedServer:server-info: (getter get_server_info)
   *
   * What the server says it is, while it is ready.
   *
   * Since: 0.1
   */
  properties[PROP_SERVER_INFO]
    = g_param_spec_boxed ("server-info", NULL, NULL, GMCP_TYPE_IMPLEMENTATION, flags);

  /**
   * GmcpManagedServer:shared: (getter is_shared)
   *
   * Whether the server's process is that of gmcpd, which other programs use, too. There is no
   * [property@Gmcp.ManagedServer:pid] then. Notified with it.
   *
   * Since: 0.1
   */
  properties[PROP_SHARED] = g_param_spec_boolean ("shared", NULL, NULL, FALSE, flags);

  /**
   * GmcpManagedServer:unshared-reason: (getter get_unshared_reason)
   *
   * Why the server has a process of its own, where it should have shared that of gmcpd. Notified with
   * [property@Gmcp.ManagedServer:shared].
   *
   * Since: 0.1
   */
  properties[PROP_UNSHARED_REASON]
    = g_param_spec_string ("unshared-reason", NULL, NULL, NULL, flags);

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

/* What follows from the state, or changes with it. */
static const GmcpManagedServerProperty with_state[] = {
  PROP_SHARED,      PROP_UNSHARED_REASON, PROP_STATE,  PROP_LAST_STATE,       PROP_PID,
  PROP_STARTED_AT,  PROP_RESTARTS,        PROP_CLIENT, PROP_LAST_TOOLS_COUNT, PROP_PROTOCOL_VERSION,
  PROP_SERVER_INFO,
};

void
gmcp_managed_server_state_changed (GmcpManagedServer *self)
{
  g_object_freeze_notify (G_OBJECT (self));
  for (gsize i = 0; i < G_N_ELEMENTS (with_state); i++)
    g_object_notify_by_pspec (G_OBJECT (self), properties[with_state[i]]);
  /* The tools of one that is up are listed first. */
  if (!gmcp_server_state_is_up (gmcp_managed_server_get_state (self)))
    gmcp_managed_server_refresh_awaited (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/* What follows from the outcome. */
static const GmcpManagedServerProperty with_outcome[] = {
  PROP_LAST_FAILURE,  PROP_LAST_FAILURE_AT,  PROP_LAST_STATE,
  PROP_LAST_READY_AT, PROP_LAST_TOOLS_COUNT,
};

void
gmcp_managed_server_outcome_changed (GmcpManagedServer *self)
{
  g_object_freeze_notify (G_OBJECT (self));
  for (gsize i = 0; i < G_N_ELEMENTS (with_outcome); i++)
    g_object_notify_by_pspec (G_OBJECT (self), properties[with_outcome[i]]);
  g_object_thaw_notify (G_OBJECT (self));
}

void
gmcp_managed_server_awaited_changed (GmcpManagedServer *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AWAITED]);
}

void
gmcp_managed_server_last_error_changed (GmcpManagedServer *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LAST_ERROR]);
}

void
gmcp_managed_server_restarts_changed (GmcpManagedServer *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RESTARTS]);
}

void
gmcp_managed_server_tools_count_changed (GmcpManagedServer *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TOOLS_COUNT]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LAST_TOOLS_COUNT]);
}

void
gmcp_managed_server_process_changed (GmcpManagedServer *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PID]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHARED]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_UNSHARED_REASON]);
}

void
gmcp_managed_server_checked (GmcpManagedServer *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LAST_HEALTH_CHECK]);
}

void
gmcp_managed_server_peer_changed (GmcpManagedServer *self)
{
  g_object_freeze_notify (G_OBJECT (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROTOCOL_VERSION]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SERVER_INFO]);
  g_object_thaw_notify (G_OBJECT (self));
}
