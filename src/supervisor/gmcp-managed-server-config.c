/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-struct-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

/* What a server does when its configuration, or what holds for all servers, changes. */

void
gmcp_managed_server_set_limits (GmcpManagedServer *self, const GmcpServerLimits *limits)
{
  self->limits = *limits;
  gmcp_call_limiter_set_defaults (self->limiter, limits->max_calls, limits->max_queued_calls);
  if (self->instance != NULL)
    {
      gmcp_server_instance_set_limits (self->instance, self->config, limits);
      gmcp_health_monitor_configure (self->health, self->config, limits);
    }
}

void
gmcp_managed_server_set_client_name (GmcpManagedServer *self, const char *name)
{
  g_free (self->client_name);
  self->client_name = g_strdup (name);
}

GError *
gmcp_managed_server_disabled_error (GmcpManagedServer *self)
{
  return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                      _ ("Server “%s” is disabled: enable it to use its tools"),
                      gmcp_managed_server_get_title (self));
}

GError *
gmcp_managed_server_not_running_error (GmcpManagedServer *self)
{
  if (!gmcp_server_config_is_enabled (self->config))
    return gmcp_managed_server_disabled_error (self);

  if (gmcp_managed_server_needs_user (self))
    return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                        _ ("Server “%s” does not run, and is started by hand only: by the program "
                           "that it belongs to. So that calls start it, set its “start” to "
                           "“on-demand” (“auto_start: true” in YAML)"),
                        gmcp_managed_server_get_title (self));

  return g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_RUNNING,
                      _ ("Server “%s” does not run; a call of one of its tools starts it"),
                      gmcp_managed_server_get_title (self));
}

static void
disable (GmcpManagedServer *self)
{
  g_autoptr (GError) error = gmcp_managed_server_disabled_error (self);
  GQueue starters = { NULL, NULL, 0 };

  gmcp_pending_tasks_move (&self->starters, &starters);
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, NULL);
  gmcp_managed_server_end (self, gmcp_managed_server_get_shutdown_timeout_ms (self),
                           GMCP_SERVER_EVENT_DISABLE);
  g_object_thaw_notify (G_OBJECT (self));

  gmcp_managed_server_withdraw_tools (self);
  gmcp_pending_tasks_settle (&starters, error);
}

/* The process that runs, if one does, is no longer what is configured. One of the new kind takes its
 * place, and whoever waits for a start gets that. */
static void
replace (GmcpManagedServer *self)
{
  gboolean is_wanted = self->instance != NULL || gmcp_restart_policy_is_armed (self->restarts)
                       || self->start_wanted || !g_queue_is_empty (&self->starters);

  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, NULL);
  gmcp_managed_server_end (self, gmcp_managed_server_get_shutdown_timeout_ms (self),
                           GMCP_SERVER_EVENT_CHANGE);
  g_object_thaw_notify (G_OBJECT (self));
  gmcp_restart_policy_reset (self->restarts);
  if (is_wanted && self->gone == NULL && gmcp_server_config_is_enabled (self->config))
    gmcp_managed_server_want_start (self);
}

void
gmcp_managed_server_set_config (GmcpManagedServer *self, GmcpServerConfig *config)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (GmcpServerConfig) former = self->config;
  gboolean enabled = gmcp_server_config_is_enabled (config);

  gmcp_managed_server_forget_answers (self);
  self->config = g_object_ref (config);
  g_object_notify (G_OBJECT (self), "config");
  if (g_strcmp0 (gmcp_server_config_get_title (former), gmcp_server_config_get_title (config)) != 0)
    g_object_notify (G_OBJECT (self), "title");
  if (gmcp_server_config_get_start (former) != gmcp_server_config_get_start (config))
    {
      g_object_notify (G_OBJECT (self), "start");
      g_object_notify (G_OBJECT (self), "auto-start");
    }

  if (enabled == gmcp_server_config_is_enabled (former)
      && gmcp_server_config_same_process (former, config))
    {
      if (self->instance != NULL)
        {
          gmcp_server_instance_set_limits (self->instance, config, &self->limits);
          gmcp_client_set_name (gmcp_server_instance_get_client (self->instance),
                                gmcp_server_config_get_title (config));
          gmcp_health_monitor_configure (self->health, config, &self->limits);
          if (self->attempt != NULL)
            gmcp_start_attempt_set_config (self->attempt, config);
          if (gmcp_server_state_is_up (self->state))
            gmcp_managed_server_watch_idle (self);
        }
      return;
    }

  gmcp_restart_policy_renew (self->restarts);
  gmcp_tool_snapshot_outdate (self->snapshot);
  gmcp_managed_server_note_failure (self, NULL);
  if (enabled)
    replace (self);
  else
    disable (self);
}

void
gmcp_managed_server_hurry (GmcpManagedServer *self)
{
  if (self->leaving != NULL)
    gmcp_server_instance_hurry (self->leaving);
}

void
gmcp_managed_server_retire (GmcpManagedServer *self,
                            guint drain_ms,
                            const GError *reason,
                            GDestroyNotify done,
                            gpointer data)
{
  g_autoptr (GmcpManagedServer) alive G_GNUC_UNUSED = g_object_ref (self);
  GQueue starters = { NULL, NULL, 0 };

  gmcp_pending_tasks_move (&self->starters, &starters);
  g_clear_error (&self->gone);
  self->gone = g_error_copy (reason);
  gmcp_managed_server_forget_answers (self);
  self->farewell = (GmcpServerFarewell){ done, data };
  if (self->leaving != NULL && drain_ms == 0)
    gmcp_managed_server_hurry (self);
  gmcp_managed_server_end (self, drain_ms, GMCP_SERVER_EVENT_STOP);

  gmcp_pending_tasks_settle (&starters, reason);
  if (self->leaving == NULL)
    gmcp_managed_server_say_farewell (self);
}
