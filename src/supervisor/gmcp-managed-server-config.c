/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-struct-private.h"
#include "gmcp-managed-server-config-private.h"
#include "gmcp-managed-server-idle-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-tools-private.h"
#include "gmcp-server-config-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

/* What a server does when its configuration, or what holds for all servers, changes. */

void
gmcp_managed_server_set_limits (GmcpManagedServer *self, const GmcpServerLimits *limits)
{
  self->limits = *limits;
  gmcp_call_limiter_set_defaults (self->limiter, limits->max_calls, limits->max_queued_calls);
  if (gmcp_server_life_get_instance (self->life) != NULL)
    {
      gmcp_server_instance_set_limits (gmcp_server_life_get_instance (self->life), self->config,
                                       limits);
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
disable_server (GmcpManagedServer *self)
{
  g_autoptr (GError) error = gmcp_managed_server_disabled_error (self);
  GQueue starters = { NULL, NULL, 0 };

  gmcp_pending_tasks_move (gmcp_server_life_get_starters (self->life), &starters);
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, NULL);
  gmcp_managed_server_end (self, gmcp_managed_server_get_shutdown_timeout_ms (self),
                           GMCP_SERVER_EVENT_DISABLE);
  g_object_thaw_notify (G_OBJECT (self));

  gmcp_managed_server_withdraw_tools (self);
  gmcp_pending_tasks_settle (&starters, error);
}

/* Ends a process of the former configuration. One of the new takes its place, also for tasks that
 * wait for a start. */
static void
replace_instance (GmcpManagedServer *self)
{
  gboolean is_wanted = gmcp_server_life_get_instance (self->life) != NULL
                       || gmcp_restart_policy_is_armed (self->restarts)
                       || gmcp_server_life_wants_start (self->life)
                       || !g_queue_is_empty (gmcp_server_life_get_starters (self->life));

  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_set_last_error (self, NULL);
  gmcp_managed_server_end (self, gmcp_managed_server_get_shutdown_timeout_ms (self),
                           GMCP_SERVER_EVENT_CHANGE);
  g_object_thaw_notify (G_OBJECT (self));
  gmcp_restart_policy_reset (self->restarts);
  if (is_wanted && gmcp_server_life_get_retired (self->life) == NULL
      && gmcp_server_config_is_enabled (self->config))
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
      if (gmcp_server_life_get_instance (self->life) != NULL)
        {
          gmcp_server_instance_set_limits (gmcp_server_life_get_instance (self->life), config,
                                           &self->limits);
          gmcp_client_set_name (
            gmcp_server_instance_get_client (gmcp_server_life_get_instance (self->life)),
            gmcp_server_config_get_title (config));
          gmcp_health_monitor_configure (self->health, config, &self->limits);
          if (gmcp_server_life_get_attempt (self->life) != NULL)
            gmcp_start_attempt_set_config (gmcp_server_life_get_attempt (self->life), config);
          if (gmcp_server_state_is_up (gmcp_server_life_get_state (self->life)))
            gmcp_managed_server_watch_idle (self);
        }
      return;
    }

  gmcp_restart_policy_renew (self->restarts);
  gmcp_tool_snapshot_outdate (self->snapshot);
  gmcp_managed_server_forget_outcome (self);
  if (enabled)
    replace_instance (self);
  else
    disable_server (self);
}

void
gmcp_managed_server_hurry (GmcpManagedServer *self)
{
  if (gmcp_server_life_get_leaving (self->life) != NULL)
    gmcp_server_instance_hurry (gmcp_server_life_get_leaving (self->life));
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

  gmcp_pending_tasks_move (gmcp_server_life_get_starters (self->life), &starters);
  gmcp_managed_server_forget_answers (self);
  gmcp_server_life_retire (self->life, reason, done, data);
  if (gmcp_server_life_get_leaving (self->life) != NULL && drain_ms == 0)
    gmcp_managed_server_hurry (self);
  gmcp_managed_server_end (self, drain_ms, GMCP_SERVER_EVENT_STOP);

  gmcp_pending_tasks_settle (&starters, reason);
  if (gmcp_server_life_get_leaving (self->life) == NULL)
    gmcp_managed_server_say_farewell (self);
}
