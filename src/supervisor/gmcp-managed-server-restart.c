/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

/* Starting a server again that failed, ever more slowly, until it is given up. */

static gboolean
next_attempt (GmcpManagedServer *self, guint *delay_ms)
{
  guint own_attempts = gmcp_server_config_get_max_restart_attempts (self->config);
  const GmcpBackoffLimits limits = {
    .first_delay_ms = self->limits.restart_delay_ms,
    .max_delay_ms = self->limits.max_restart_delay_ms,
    .jitter_percent = self->limits.restart_jitter_percent,
    .reset_ms = self->limits.restart_reset_ms,
    .max_attempts = own_attempts > 0 ? own_attempts : self->limits.max_restart_attempts,
    .max_per_hour = self->limits.max_restarts_per_hour,
  };

  return gmcp_backoff_next (&self->backoff, &limits, g_get_monotonic_time (), g_random_double (),
                            delay_ms);
}

GmcpServerEvent
gmcp_managed_server_judge_failure (GmcpManagedServer *self, const GError *error, guint *delay_ms)
{
  if (gmcp_server_config_get_start (self->config) == GMCP_SERVER_START_AT_LOAD)
    self->is_kept_up = TRUE;

  /* Not kept up: without what it needs it does not even start. */
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_REQUIREMENT_MISSING))
    self->is_kept_up = FALSE;
  if (error->domain == GMCP_AUTH_ERROR)
    return GMCP_SERVER_EVENT_SIGN_IN;

  if (self->is_kept_up && gmcp_server_config_get_restart_on_failure (self->config)
      && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INVALID_CONFIG)
      && !g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED)
      && next_attempt (self, delay_ms))
    return GMCP_SERVER_EVENT_RETRY;

  self->failed_us = g_get_monotonic_time ();
  return GMCP_SERVER_EVENT_FAIL;
}

void
gmcp_managed_server_forget_retry (GmcpManagedServer *self)
{
  if (self->retry != NULL)
    g_source_destroy (self->retry);
  g_clear_pointer (&self->retry, g_source_unref);
}

static gboolean
on_retry (gpointer data)
{
  GmcpManagedServer *self = data;

  self->n_restarts++;
  gmcp_managed_server_want_start (self);
  return G_SOURCE_REMOVE;
}

void
gmcp_managed_server_arm_retry (GmcpManagedServer *self, guint delay_ms)
{
  /* Whoever was told that it failed may have stopped it. */
  if (self->state != GMCP_SERVER_STATE_BACKING_OFF)
    return;

  gmcp_managed_server_forget_retry (self);
  self->retry = g_timeout_source_new (delay_ms);
  g_source_set_static_name (self->retry, "[gmcp] server's next start");
  g_source_set_callback (self->retry, on_retry, self, NULL);
  g_source_attach (self->retry, self->context);
}

void
gmcp_managed_server_tell_of_retry (GmcpManagedServer *self, guint delay_ms)
{
  /* Whoever was told that it failed may have stopped it, or started it at once. */
  if (self->retry == NULL)
    return;

  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                              _ ("Server “%s” is restarted in %.1f seconds"),
                              gmcp_managed_server_get_title (self), delay_ms / 1000.);
}

void
gmcp_managed_server_tell_of_failure (GmcpManagedServer *self,
                                     GmcpNoticeLevel level,
                                     const GError *error)
{
  gboolean was_kept_up = self->is_kept_up;
  /* Whether to go on without one that is required is for the host to say. */
  gboolean is_required
    = gmcp_server_host_requires_server (&self->host, gmcp_managed_server_get_id (self));

  self->is_kept_up = FALSE;
  if (self->state == GMCP_SERVER_STATE_FAILED)
    gmcp_managed_server_withdraw_tools (self);
  if (was_kept_up)
    gmcp_managed_server_notice (
      self, GMCP_NOTICE_LEVEL_ERROR,
      _ (
        "Server “%s” keeps failing and is not restarted any more; going on without its tools. To see "
        "what it says: gmcp start --foreground %s (%s)"),
      gmcp_managed_server_get_title (self), gmcp_managed_server_get_id (self), error->message);
  else
    {
      gmcp_managed_server_notice (self, level, "%s", error->message);
      if (!is_required)
        gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                    _ ("Going on without the tools of server “%s”"),
                                    gmcp_managed_server_get_title (self));
    }
}

static void
give_up (GmcpManagedServer *self, const GError *error)
{
  GQueue starters = { NULL, NULL, 0 };

  gmcp_pending_tasks_move (&self->starters, &starters);
  self->start_wanted = FALSE;
  self->failed_us = g_get_monotonic_time ();
  gmcp_managed_server_let_go (self, 0, GMCP_SERVER_EVENT_FAIL);
  gmcp_managed_server_tell_of_failure (self, GMCP_NOTICE_LEVEL_WARNING, error);
  gmcp_pending_tasks_settle (&starters, error);
}

void
gmcp_managed_server_recover (GmcpManagedServer *self, const GError *error)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  guint delay_ms;

  if (self->run == NULL)
    return;

  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, error);
  gmcp_managed_server_note_failure (self, error);
  /* A start for the next call is an attempt like any other. */
  if (!next_attempt (self, &delay_ms))
    {
      give_up (self, error);
      g_object_thaw_notify (G_OBJECT (self));
    }
  else if (gmcp_server_config_get_restart_on_failure (self->config))
    {
      gmcp_managed_server_let_go (self, 0, GMCP_SERVER_EVENT_RETRY);
      g_object_thaw_notify (G_OBJECT (self));
      gmcp_managed_server_arm_retry (self, delay_ms);
      gmcp_managed_server_tell_of_retry (self, delay_ms);
    }
  else
    {
      gmcp_managed_server_let_go (self, 0, GMCP_SERVER_EVENT_END);
      g_object_thaw_notify (G_OBJECT (self));
    }
}

void
gmcp_managed_server_need_sign_in (GmcpManagedServer *self, const GError *error)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GError) told = g_error_copy (error);
  GQueue starters = { NULL, NULL, 0 };

  if (self->run == NULL)
    return;

  told->message = gmcp_managed_server_redact (self, told->message);
  gmcp_pending_tasks_move (&self->starters, &starters);
  self->start_wanted = FALSE;
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, told);
  gmcp_managed_server_note_failure (self, told);
  gmcp_managed_server_let_go (self, gmcp_managed_server_get_shutdown_timeout_ms (self),
                              GMCP_SERVER_EVENT_SIGN_IN);
  g_object_thaw_notify (G_OBJECT (self));
  gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_WARNING, "%s", told->message);
  gmcp_pending_tasks_settle (&starters, told);
}
