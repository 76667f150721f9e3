/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-managed-server-struct-private.h"
#include "gmcp-managed-server-health-private.h"
#include "gmcp-managed-server-idle-private.h"
#include "gmcp-managed-server-input-private.h"
#include "gmcp-managed-server-install-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-statistics-private.h"

#include <gmcp/core/gmcp-error.h>

/**
 * GmcpManagedServer:
 *
 * One configured server, whether or not it runs now.
 *
 * A [class@Gmcp.Manager] makes these, starts them when somebody needs them, and starts one again
 * that has ended. They belong to the main context that the manager was made in.
 *
 * Since: 0.1
 */

G_DEFINE_FINAL_TYPE (GmcpManagedServer, gmcp_managed_server, G_TYPE_OBJECT)

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
} GmcpManagedServerProperty;

enum
{
  SIGNAL_TOOLS_CHANGED,
  SIGNAL_NOTICE,
  SIGNAL_INPUT_REQUESTED,
  N_SIGNALS
};

static GParamSpec *properties[PROP_SERVER_INFO + 1];
static guint signals[N_SIGNALS];

static void
gmcp_managed_server_dispose (GObject *object)
{
  GmcpManagedServer *self = GMCP_MANAGED_SERVER (object);
  g_autoptr (GmcpServerInstance) leaving = NULL;

  gmcp_managed_server_end (self, 0, GMCP_SERVER_EVENT_STOP);
  leaving = gmcp_server_life_end_leaving (self->life);
  if (leaving != NULL)
    gmcp_server_instance_forget (leaving);

  G_OBJECT_CLASS (gmcp_managed_server_parent_class)->dispose (object);
}

static void
gmcp_managed_server_finalize (GObject *object)
{
  GmcpManagedServer *self = GMCP_MANAGED_SERVER (object);

  g_clear_object (&self->config);
  g_clear_pointer (&self->outcome, gmcp_server_outcome_free);
  if (self->statistics != NULL)
    gmcp_call_statistics_set_failed_func (self->statistics, NULL, NULL);
  g_clear_pointer (&self->statistics, gmcp_call_statistics_unref);
  g_clear_pointer (&self->limiter, gmcp_call_limiter_unref);
  g_clear_pointer (&self->log, gmcp_server_log_unref);
  gmcp_tool_snapshot_free (self->snapshot);
  gmcp_health_monitor_free (self->health);
  gmcp_idle_monitor_free (self->idle);
  gmcp_restart_policy_free (self->restarts);
  gmcp_answer_cache_free (self->answers);
  gmcp_server_fetch_free (self->fetch);
  gmcp_server_life_free (self->life);
  g_free (self->client_name);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_managed_server_parent_class)->finalize (object);
}

static void
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
      g_value_set_object (value, self->config);
      break;
    case PROP_STATE:
      g_value_set_enum (value, gmcp_server_life_get_state (self->life));
      break;
    case PROP_LAST_ERROR:
      g_value_set_boxed (value, gmcp_server_life_get_last_error (self->life));
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
      g_value_set_boolean (value, self->is_awaited);
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
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
install_properties (GObjectClass *object_class)
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

  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);
}

static void
gmcp_managed_server_class_init (GmcpManagedServerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gmcp_managed_server_dispose;
  object_class->finalize = gmcp_managed_server_finalize;
  object_class->get_property = gmcp_managed_server_get_property;

  install_properties (object_class);

  /**
   * GmcpManagedServer::tools-changed:
   * @self: a server
   *
   * Emitted when other tools of the server are listed than before.
   *
   * Since: 0.1
   */
  signals[SIGNAL_TOOLS_CHANGED]
    = g_signal_new ("tools-changed", GMCP_TYPE_MANAGED_SERVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 0);

  /**
   * GmcpManagedServer::notice:
   * @self: a server
   * @level: how much it matters
   * @message: a sentence for the user, without a secret
   *
   * Emitted for what a user may want to know of the server.
   *
   * Since: 0.1
   */
  signals[SIGNAL_NOTICE]
    = g_signal_new ("notice", GMCP_TYPE_MANAGED_SERVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 2, GMCP_TYPE_NOTICE_LEVEL, G_TYPE_STRING);

  /**
   * GmcpManagedServer::input-requested:
   * @self: a server
   * @request: the question: a [class@Gmcp.Elicitation] or a [class@Gmcp.Sampling]
   *
   * The server asks something. The same question comes with
   * [signal@Gmcp.ToolProvider::input-requested] of the manager; the first answer counts.
   *
   * Since: 0.1
   */
  signals[SIGNAL_INPUT_REQUESTED]
    = g_signal_new ("input-requested", GMCP_TYPE_MANAGED_SERVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, GMCP_TYPE_INPUT_REQUEST);
}

gboolean
gmcp_managed_server_has_input_handler (GmcpManagedServer *self)
{
  return g_signal_has_handler_pending (self, signals[SIGNAL_INPUT_REQUESTED], 0, FALSE);
}

void
gmcp_managed_server_emit_input_requested (GmcpManagedServer *self, GmcpInputRequest *request)
{
  g_signal_emit (self, signals[SIGNAL_INPUT_REQUESTED], 0, request);
}

static void
on_tools_written (GObject *object)
{
  GmcpManagedServer *self = GMCP_MANAGED_SERVER (object);

  if (gmcp_server_life_get_leaving (self->life) == NULL)
    gmcp_managed_server_say_farewell (self);
}

static void
on_retry_due (gpointer data)
{
  gmcp_managed_server_want_start (data);
  g_object_notify_by_pspec (G_OBJECT (data), properties[PROP_RESTARTS]);
}

static void
gmcp_managed_server_init (GmcpManagedServer *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->config = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);
  self->life = gmcp_server_life_new ();
  self->snapshot = gmcp_tool_snapshot_new (G_OBJECT (self), self->context, on_tools_written);
  self->health
    = gmcp_health_monitor_new (G_OBJECT (self), self->context, &gmcp_managed_server_health_funcs);
  self->restarts = gmcp_restart_policy_new (self->context, on_retry_due, self);
  self->idle = gmcp_idle_monitor_new (self->context, gmcp_managed_server_stop_idle, self);
  self->answers = gmcp_answer_cache_new ();
  self->fetch = gmcp_server_fetch_new (self, self->context);
}

GmcpManagedServer *
gmcp_managed_server_new (GmcpServerConfig *config, const GmcpServerLimits *limits)
{
  GmcpManagedServer *self = g_object_new (GMCP_TYPE_MANAGED_SERVER, NULL);
  gboolean is_new;

  g_set_object (&self->config, config);
  self->statistics = gmcp_call_statistics_new (gmcp_server_config_get_id (config));
  self->limiter = gmcp_call_limiter_new (gmcp_server_config_get_id (config), self->context);
  gmcp_call_limiter_set_defaults (self->limiter, limits->max_calls, limits->max_queued_calls);
  gmcp_call_statistics_set_failed_func (self->statistics, gmcp_managed_server_call_failed, self);
  self->limits = *limits;
  if (!gmcp_server_config_is_enabled (config))
    gmcp_server_life_take_event (self->life, GMCP_SERVER_EVENT_DISABLE, &is_new);
  return self;
}

/* What follows from the state, or changes with it. */
static const GmcpManagedServerProperty with_state[] = {
  PROP_STATE,
  PROP_LAST_STATE,
  PROP_PID,
  PROP_STARTED_AT,
  PROP_RESTARTS,
  PROP_CLIENT,
  PROP_LAST_TOOLS_COUNT,
  PROP_PROTOCOL_VERSION,
  PROP_SERVER_INFO,
};

void
gmcp_managed_server_state_changed (GmcpManagedServer *self)
{
  g_object_freeze_notify (G_OBJECT (self));
  for (gsize i = 0; i < G_N_ELEMENTS (with_state); i++)
    g_object_notify_by_pspec (G_OBJECT (self), properties[with_state[i]]);
  /* The tools of one that is up are listed first. */
  if (!gmcp_server_state_is_up (gmcp_server_life_get_state (self->life)))
    gmcp_managed_server_refresh_awaited (self);
  g_object_thaw_notify (G_OBJECT (self));
}

void
gmcp_managed_server_refresh_awaited (GmcpManagedServer *self)
{
  gboolean is_awaited
    = !gmcp_tool_snapshot_is_listed (self->snapshot) && gmcp_server_config_is_enabled (self->config)
      && gmcp_server_state_is_connecting (gmcp_server_life_get_state (self->life));

  if (self->is_awaited == is_awaited)
    return;

  self->is_awaited = is_awaited;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AWAITED]);
}

/* What follows from the outcome. */
static const GmcpManagedServerProperty with_outcome[] = {
  PROP_LAST_FAILURE,  PROP_LAST_FAILURE_AT,  PROP_LAST_STATE,
  PROP_LAST_READY_AT, PROP_LAST_TOOLS_COUNT,
};

static void
take_outcome (GmcpManagedServer *self, GmcpServerOutcome *outcome)
{
  if (self->outcome == NULL && outcome == NULL)
    return;

  g_clear_pointer (&self->outcome, gmcp_server_outcome_free);
  self->outcome = outcome;
  g_object_freeze_notify (G_OBJECT (self));
  for (gsize i = 0; i < G_N_ELEMENTS (with_outcome); i++)
    g_object_notify_by_pspec (G_OBJECT (self), properties[with_outcome[i]]);
  g_object_thaw_notify (G_OBJECT (self));
}

static GmcpServerOutcome *
dup_outcome (GmcpManagedServer *self)
{
  return self->outcome != NULL ? gmcp_server_outcome_copy (self->outcome)
                               : gmcp_server_outcome_new ();
}

void
gmcp_managed_server_note_failure (GmcpManagedServer *self, const GError *error)
{
  GmcpServerOutcome *outcome;
  g_autofree char *text = NULL;

  /* What was not even tried did not fail; each run looks for what is missing. */
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING))
    return;

  text = gmcp_managed_server_redact (self, g_strdup (error->message));
  outcome = dup_outcome (self);
  gmcp_server_outcome_fail (outcome, text, error->domain == GMCP_AUTH_ERROR);
  take_outcome (self, outcome);
}

void
gmcp_managed_server_note_ready (GmcpManagedServer *self)
{
  GmcpServerOutcome *outcome = dup_outcome (self);

  gmcp_server_outcome_succeed (outcome, gmcp_managed_server_get_tools_count (self));
  take_outcome (self, outcome);
}

void
gmcp_managed_server_forget_outcome (GmcpManagedServer *self)
{
  take_outcome (self, NULL);
}

void
gmcp_managed_server_recall_outcome (GmcpManagedServer *self, const GmcpServerOutcome *outcome)
{
  if (outcome != NULL && !gmcp_restart_policy_was_tried (self->restarts)
      && (self->outcome == NULL
          || gmcp_server_outcome_get_time (outcome) > gmcp_server_outcome_get_time (self->outcome)))
    take_outcome (self, gmcp_server_outcome_copy (outcome));
}

const GmcpServerOutcome *
gmcp_managed_server_peek_outcome (GmcpManagedServer *self)
{
  return self->outcome;
}

void
gmcp_managed_server_process_changed (GmcpManagedServer *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PID]);
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

void
gmcp_managed_server_set_last_error (GmcpManagedServer *self, const GError *error)
{
  GError *told = error != NULL ? g_error_copy (error) : NULL;

  if (told != NULL)
    told->message = gmcp_managed_server_redact (self, told->message);
  if (gmcp_server_life_take_last_error (self->life, told))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LAST_ERROR]);
}

void
gmcp_managed_server_tools_changed (GmcpManagedServer *self)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);

  g_signal_emit (self, signals[SIGNAL_TOOLS_CHANGED], 0);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TOOLS_COUNT]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LAST_TOOLS_COUNT]);
}

static const char *const level_nicks[] = { "info", "warning", "error" };

/* What a peer or a user does is never a warning of GLib's, which may end the program. */
void
gmcp_notice_log (const char *server_id, GmcpNoticeLevel level, const char *message)
{
  const GLogField fields[] = {
    { "MESSAGE", message, -1 },
    { "GLIB_DOMAIN", G_LOG_DOMAIN, -1 },
    { "GMCP_LEVEL", level_nicks[level], -1 },
    { "GMCP_SERVER", server_id, -1 },
  };

  g_log_structured_array (G_LOG_LEVEL_INFO, fields, G_N_ELEMENTS (fields) - (server_id == NULL));
}

void
gmcp_managed_server_write_log (GmcpManagedServer *self, GmcpNoticeLevel level, const char *message)
{
  if (self->log != NULL)
    gmcp_server_log_note (self->log, level_nicks[level], message);
}

void
gmcp_managed_server_notice (GmcpManagedServer *self, GmcpNoticeLevel level, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = gmcp_managed_server_redact (self, g_strdup_vprintf (format, arguments));
  va_end (arguments);

  gmcp_notice_log (gmcp_managed_server_get_id (self), level, message);
  gmcp_managed_server_write_log (self, level, message);
  g_signal_emit (self, signals[SIGNAL_NOTICE], 0, level, message);
}

/**
 * gmcp_managed_server_get_id:
 * @self: a server
 *
 * Gives the server's id.
 *
 * Returns: the id
 *
 * Since: 0.1
 */
const char *
gmcp_managed_server_get_id (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  return gmcp_server_config_get_id (self->config);
}

/**
 * gmcp_managed_server_get_title:
 * @self: a server
 *
 * Gives what people call the server.
 *
 * Returns: the title; the id where there is no other
 *
 * Since: 0.1
 */
const char *
gmcp_managed_server_get_title (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  return gmcp_server_config_get_title (self->config);
}

/**
 * gmcp_managed_server_get_config:
 * @self: a server
 *
 * Gives the configuration that holds now.
 *
 * Returns: (transfer none): the configuration
 *
 * Since: 0.1
 */
GmcpServerConfig *
gmcp_managed_server_get_config (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), NULL);

  return self->config;
}

/**
 * gmcp_managed_server_is_awaited:
 * @self: a server
 *
 * Says whether the server's tools are not known yet and on their way.
 *
 * Returns: whether it is [property@Gmcp.ManagedServer:awaited]
 *
 * Since: 0.1
 */
gboolean
gmcp_managed_server_is_awaited (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), FALSE);

  return self->is_awaited;
}

/**
 * gmcp_managed_server_get_state:
 * @self: a server
 *
 * Says what the server is doing.
 *
 * Returns: the state
 *
 * Since: 0.1
 */
GmcpServerState
gmcp_managed_server_get_state (GmcpManagedServer *self)
{
  g_return_val_if_fail (GMCP_IS_MANAGED_SERVER (self), GMCP_SERVER_STATE_STOPPED);

  return gmcp_server_life_get_state (self->life);
}
