/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-backoff-private.h"
#include "gmcp-restart-policy-private.h"

#include <gmcp/core/gmcp-error.h>

struct _GmcpRestartPolicy
{
  GMainContext *context;
  void (*func) (gpointer data);
  gpointer data;

  GmcpBackoff backoff;
  GSource *timer;      /* while the next attempt is waited for */
  gboolean was_tried;  /* with the present configuration */
  gboolean is_kept_up; /* the server is started again where it fails */
  gboolean lacks_node;
  gint64 given_up_us; /* 0 where the server may be started again at once */
  guint n_restarts;
};

GmcpRestartPolicy *
gmcp_restart_policy_new (GMainContext *context, void (*func) (gpointer data), gpointer data)
{
  GmcpRestartPolicy *self = g_new0 (GmcpRestartPolicy, 1);

  self->context = g_main_context_ref (context);
  self->func = func;
  self->data = data;
  return self;
}

void
gmcp_restart_policy_free (GmcpRestartPolicy *self)
{
  gmcp_restart_policy_disarm (self);
  gmcp_backoff_clear (&self->backoff);
  g_main_context_unref (self->context);
  g_free (self);
}

void
gmcp_restart_policy_begin (GmcpRestartPolicy *self)
{
  gmcp_restart_policy_disarm (self);
  self->was_tried = TRUE;
}

gboolean
gmcp_restart_policy_was_tried (GmcpRestartPolicy *self)
{
  return self->was_tried;
}

gboolean
gmcp_restart_policy_succeed (GmcpRestartPolicy *self)
{
  gboolean was_kept_up = self->is_kept_up;

  self->is_kept_up = TRUE;
  gmcp_backoff_well (&self->backoff, g_get_monotonic_time ());
  return was_kept_up;
}

static gboolean
next_attempt (GmcpRestartPolicy *self,
              GmcpServerConfig *config,
              const GmcpServerLimits *limits,
              guint *delay_ms)
{
  guint own_attempts = gmcp_server_config_get_max_restart_attempts (config);
  const GmcpBackoffLimits backoff_limits = {
    .first_delay_ms = limits->restart_delay_ms,
    .max_delay_ms = limits->max_restart_delay_ms,
    .jitter_percent = limits->restart_jitter_percent,
    .reset_ms = limits->restart_reset_ms,
    .max_attempts = own_attempts > 0 ? own_attempts : limits->max_restart_attempts,
    .max_per_hour = limits->max_restarts_per_hour,
  };

  return gmcp_backoff_next (&self->backoff, &backoff_limits, g_get_monotonic_time (),
                            g_random_double (), delay_ms);
}

static GmcpServerEvent
give_up_restarts (GmcpRestartPolicy *self)
{
  self->given_up_us = g_get_monotonic_time ();
  return GMCP_SERVER_EVENT_FAIL;
}

GmcpServerEvent
gmcp_restart_policy_judge_start (GmcpRestartPolicy *self,
                                 GmcpServerConfig *config,
                                 const GmcpServerLimits *limits,
                                 const GError *error,
                                 guint *delay_ms)
{
  if (gmcp_server_config_get_start (config) == GMCP_SERVER_START_AT_LOAD)
    self->is_kept_up = TRUE;

  /* Without what it needs a server does not even start. */
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING))
    self->is_kept_up = FALSE;
  if (error->domain == GMCP_AUTH_ERROR)
    return GMCP_SERVER_EVENT_SIGN_IN;

  if (self->is_kept_up && gmcp_server_config_get_restart_on_failure (config)
      && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG)
      && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED)
      && next_attempt (self, config, limits, delay_ms))
    return GMCP_SERVER_EVENT_RETRY;

  return give_up_restarts (self);
}

GmcpServerEvent
gmcp_restart_policy_judge_end (GmcpRestartPolicy *self,
                               GmcpServerConfig *config,
                               const GmcpServerLimits *limits,
                               guint *delay_ms)
{
  /* A start for the next call is an attempt like any other. */
  if (!next_attempt (self, config, limits, delay_ms))
    return give_up_restarts (self);

  return gmcp_server_config_get_restart_on_failure (config) ? GMCP_SERVER_EVENT_RETRY
                                                            : GMCP_SERVER_EVENT_END;
}

gboolean
gmcp_restart_policy_leave_down (GmcpRestartPolicy *self)
{
  gboolean was_kept_up = self->is_kept_up;

  self->is_kept_up = FALSE;
  return was_kept_up;
}

gint64
gmcp_restart_policy_get_rest_us (GmcpRestartPolicy *self, const GmcpServerLimits *limits)
{
  if (self->given_up_us == 0)
    return 0;

  return self->given_up_us + limits->failed_start_delay_ms * (gint64) 1000
         - g_get_monotonic_time ();
}

void
gmcp_restart_policy_reset (GmcpRestartPolicy *self)
{
  gmcp_backoff_reset (&self->backoff);
}

void
gmcp_restart_policy_renew (GmcpRestartPolicy *self)
{
  self->was_tried = FALSE;
  self->is_kept_up = FALSE;
}

static gboolean
on_due (gpointer data)
{
  GmcpRestartPolicy *self = data;

  gmcp_restart_policy_disarm (self);
  self->n_restarts++;
  self->func (self->data);
  return G_SOURCE_REMOVE;
}

void
gmcp_restart_policy_arm (GmcpRestartPolicy *self, guint delay_ms)
{
  gmcp_restart_policy_disarm (self);
  self->timer = g_timeout_source_new (delay_ms);
  g_source_set_static_name (self->timer, "[gmcp] server's next start");
  g_source_set_callback (self->timer, on_due, self, NULL);
  g_source_attach (self->timer, self->context);
}

void
gmcp_restart_policy_disarm (GmcpRestartPolicy *self)
{
  if (self->timer != NULL)
    g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
}

gboolean
gmcp_restart_policy_is_armed (GmcpRestartPolicy *self)
{
  return self->timer != NULL;
}

gint64
gmcp_restart_policy_get_left_us (GmcpRestartPolicy *self)
{
  return self->timer != NULL ? g_source_get_ready_time (self->timer) - g_get_monotonic_time () : 0;
}

void
gmcp_restart_policy_set_lacks_node (GmcpRestartPolicy *self, gboolean lacks_node)
{
  self->lacks_node = lacks_node;
}

gboolean
gmcp_restart_policy_lacks_node (GmcpRestartPolicy *self)
{
  return self->lacks_node;
}

void
gmcp_restart_policy_forget_lack (GmcpRestartPolicy *self)
{
  self->lacks_node = FALSE;
  self->was_tried = FALSE;
  self->given_up_us = 0;
}

void
gmcp_restart_policy_forget_failure (GmcpRestartPolicy *self)
{
  self->given_up_us = 0;
}

guint
gmcp_restart_policy_get_n_restarts (GmcpRestartPolicy *self)
{
  return self->n_restarts;
}

void
gmcp_restart_policy_count_restart (GmcpRestartPolicy *self)
{
  self->n_restarts++;
}
