/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-managed-server-struct-private.h"
#include "gmcp-managed-server-health-private.h"
#include "gmcp-managed-server-idle-private.h"
#include "gmcp-managed-server-input-private.h"
#include "gmcp-managed-server-install-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-statistics-private.h"

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

enum
{
  SIGNAL_TOOLS_CHANGED,
  SIGNAL_NOTICE,
  SIGNAL_INPUT_REQUESTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
gmcp_managed_server_dispose (GObject *object)
{
  GmcpManagedServer *self = GMCP_MANAGED_SERVER (object);

  gmcp_managed_server_end (self, 0, GMCP_SERVER_EVENT_STOP);
  gmcp_server_life_forget_instances (self->life);

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
  gmcp_client_wishes_free (self->wishes);
  g_free (self->client_name);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (gmcp_managed_server_parent_class)->finalize (object);
}

static void
gmcp_managed_server_class_init (GmcpManagedServerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = gmcp_managed_server_dispose;
  object_class->finalize = gmcp_managed_server_finalize;
  object_class->get_property = gmcp_managed_server_get_property;

  gmcp_managed_server_install_properties (object_class);

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

void
gmcp_managed_server_emit_notice (GmcpManagedServer *self,
                                 GmcpNoticeLevel level,
                                 const char *message)
{
  g_signal_emit (self, signals[SIGNAL_NOTICE], 0, level, message);
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
  gmcp_managed_server_restarts_changed (data);
}

static void
gmcp_managed_server_init (GmcpManagedServer *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->config = g_object_new (GMCP_TYPE_SERVER_CONFIG, NULL);
  self->life = gmcp_server_life_new ();
  self->wishes = gmcp_client_wishes_new ();
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

void
gmcp_managed_server_refresh_awaited (GmcpManagedServer *self)
{
  gboolean is_awaited
    = !gmcp_tool_snapshot_is_listed (self->snapshot) && gmcp_server_config_is_enabled (self->config)
      && gmcp_server_state_is_connecting (gmcp_server_life_get_state (self->life));

  if (self->is_awaited == is_awaited)
    return;

  self->is_awaited = is_awaited;
  gmcp_managed_server_awaited_changed (self);
}

void
gmcp_managed_server_take_outcome (GmcpManagedServer *self, GmcpServerOutcome *outcome)
{
  if (self->outcome == NULL && outcome == NULL)
    return;

  g_clear_pointer (&self->outcome, gmcp_server_outcome_free);
  self->outcome = outcome;
  gmcp_managed_server_outcome_changed (self);
}

const GmcpServerOutcome *
gmcp_managed_server_peek_outcome (GmcpManagedServer *self)
{
  return self->outcome;
}

void
gmcp_managed_server_set_last_error (GmcpManagedServer *self, const GError *error)
{
  GError *told = error != NULL ? g_error_copy (error) : NULL;

  if (told != NULL)
    told->message = gmcp_managed_server_redact (self, told->message);
  if (gmcp_server_life_take_last_error (self->life, told))
    gmcp_managed_server_last_error_changed (self);
}

void
gmcp_managed_server_tools_changed (GmcpManagedServer *self)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);

  g_signal_emit (self, signals[SIGNAL_TOOLS_CHANGED], 0);
  gmcp_managed_server_tools_count_changed (self);
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
