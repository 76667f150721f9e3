/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-input-private.h"
#include "gmcp-managed-server-install-private.h"
#include "gmcp-managed-server-life-private.h"
#include "gmcp-managed-server-news-private.h"
#include "gmcp-managed-server-parts-private.h"
#include "gmcp-managed-server-start-private.h"
#include "gmcp-managed-server-tools-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

/* What a server is doing changes here only, as the table in gmcp-server-states.c says. */

gboolean
gmcp_managed_server_take_event (GmcpManagedServer *self, GmcpServerEvent event)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  gboolean is_new;

  if (!gmcp_server_life_take_event (life, event, &is_new))
    {
      g_debug ("%s: %s means nothing while it is %s", gmcp_managed_server_get_id (self),
               gmcp_server_event_get_nick (event),
               gmcp_server_state_get_nick (gmcp_server_life_get_state (life)));
      return FALSE;
    }

  if (is_new)
    gmcp_managed_server_state_changed (self);
  return TRUE;
}

guint
gmcp_managed_server_get_shutdown_timeout_ms (GmcpManagedServer *self)
{
  guint own_ms = gmcp_server_config_get_shutdown_timeout_ms (gmcp_managed_server_get_config (self));

  return own_ms > 0 ? own_ms : gmcp_managed_server_get_limits (self)->shutdown_timeout_ms;
}

void
gmcp_managed_server_say_farewell (GmcpManagedServer *self)
{
  GDestroyNotify done;
  gpointer data;

  if (gmcp_tool_snapshot_is_writing (gmcp_managed_server_get_snapshot (self)))
    return;

  done = gmcp_server_life_take_farewell (gmcp_managed_server_get_life (self), &data);
  if (done != NULL)
    done (data);
}

void
gmcp_managed_server_take_starters (GmcpManagedServer *self, GQueue *starters)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  gmcp_pending_tasks_move (gmcp_server_life_get_starters (life), starters);
  gmcp_server_life_set_wants_start (life, FALSE);
}

GQueue *
gmcp_managed_server_get_starters (GmcpManagedServer *self)
{
  return gmcp_server_life_get_starters (gmcp_managed_server_get_life (self));
}

void
gmcp_managed_server_begin_start_time (GmcpManagedServer *self)
{
  GmcpStartAttempt *attempt = gmcp_server_life_get_attempt (gmcp_managed_server_get_life (self));

  if (attempt != NULL)
    gmcp_start_attempt_begin_time (attempt);
}

void
gmcp_managed_server_want_start (GmcpManagedServer *self)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);

  gmcp_restart_policy_disarm (gmcp_managed_server_get_restart_policy (self));
  gmcp_server_life_set_wants_start (life, TRUE);
  if (gmcp_server_life_is_free (life))
    gmcp_managed_server_begin_start (self);
}

/* Warns of a stop that took too long; the time of calls that were left to finish does not count. */
static void
tell_of_kill (GmcpManagedServer *self, GmcpServerInstance *instance)
{
  guint limit_ms = gmcp_managed_server_get_shutdown_timeout_ms (self);

  if (!gmcp_server_instance_is_forced (instance)
      && gmcp_server_instance_get_stop_ms (instance) >= limit_ms)
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_WARNING,
                                _ ("Server “%s” did not stop within %u ms and was killed"),
                                gmcp_managed_server_get_title (self), limit_ms);
}

static void
on_left (GmcpServerInstance *instance, gpointer data)
{
  g_autoptr (GmcpManagedServer) self = g_object_ref (GMCP_MANAGED_SERVER (data));
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  g_autoptr (GmcpServerInstance) left = gmcp_server_life_end_leaving (life);
  g_autoptr (GError) failed_error = NULL;
  gboolean was_stopped = gmcp_server_life_get_state (life) == GMCP_SERVER_STATE_STOPPING;
  GQueue failed = { NULL, NULL, 0 };
  gboolean is_end_told;

  gmcp_server_life_take_failed (life, &failed, &failed_error);
  is_end_told = (gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_GONE) && was_stopped)
                || gmcp_server_instance_get_stop_told (left);
  gmcp_managed_server_process_changed (self);
  tell_of_kill (self, left);
  if (is_end_told)
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO, _ ("Server “%s” stopped"),
                                gmcp_managed_server_get_title (self));

  gmcp_pending_tasks_settle (&failed, failed_error);
  gmcp_pending_tasks_settle (gmcp_server_life_get_stoppers (life), NULL);
  /* A task that was just answered may have started the server. */
  if ((gmcp_server_life_wants_start (life)
       || (!g_queue_is_empty (gmcp_server_life_get_starters (life))
           && !gmcp_restart_policy_is_armed (gmcp_managed_server_get_restart_policy (self))))
      && gmcp_server_life_is_free (life))
    gmcp_managed_server_begin_start (self);
  if (gmcp_server_life_get_leaving (life) == NULL)
    gmcp_managed_server_say_farewell (self);
}

/* Nothing that comes from the instance concerns the server any more. */
static void
unwatch_instance (GmcpManagedServer *self, GmcpServerInstance *instance)
{
  GmcpClient *client = gmcp_server_instance_get_client (instance);

  gmcp_server_install_watch (gmcp_server_instance_get_install (instance), NULL, NULL);
  gmcp_server_instance_watch_process (instance, NULL, NULL);
  gmcp_health_monitor_stop (gmcp_managed_server_get_health_monitor (self));
  gmcp_idle_monitor_stop (gmcp_managed_server_get_idle_monitor (self));
  gmcp_managed_server_unwatch_input (self, client);
  gmcp_managed_server_unwatch_tools (self, client);
  g_signal_handlers_disconnect_by_data (client, self);
}

void
gmcp_managed_server_let_go (GmcpManagedServer *self, guint drain_ms, GmcpServerEvent event)
{
  GmcpStartAttempt *attempt;
  GmcpServerInstance *instance
    = gmcp_server_life_begin_leaving (gmcp_managed_server_get_life (self), &attempt);

  unwatch_instance (self, instance);
  /* All that others can see is so before anybody is told. */
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_take_event (self, event);
  if (attempt != NULL)
    gmcp_start_attempt_give_up (attempt);
  gmcp_managed_server_forget_install (self, event == GMCP_SERVER_EVENT_STOP
                                              || event == GMCP_SERVER_EVENT_CHANGE
                                              || event == GMCP_SERVER_EVENT_DISABLE);
  gmcp_server_instance_retire (instance, drain_ms, on_left, self);
  g_object_thaw_notify (G_OBJECT (self));
  gmcp_health_monitor_settle (gmcp_managed_server_get_health_monitor (self), FALSE);
}

static void
on_apart_closed (GmcpServerInstance *instance, gpointer data)
{
  gmcp_server_life_end_apart (gmcp_managed_server_get_life (data), instance);
}

void
gmcp_managed_server_set_apart (GmcpManagedServer *self, guint drain_ms)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);
  GmcpStartAttempt *attempt;
  GmcpServerInstance *instance = gmcp_server_life_begin_leaving (life, &attempt);

  g_assert (attempt == NULL);
  unwatch_instance (self, instance);
  gmcp_server_life_set_apart (life);
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_CHANGE);
  gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_GONE);
  gmcp_server_instance_retire (instance, drain_ms, on_apart_closed, self);
  g_object_thaw_notify (G_OBJECT (self));
  gmcp_health_monitor_settle (gmcp_managed_server_get_health_monitor (self), FALSE);
}

void
gmcp_managed_server_end (GmcpManagedServer *self, guint drain_ms, GmcpServerEvent event)
{
  GmcpServerLife *life = gmcp_managed_server_get_life (self);

  gmcp_server_life_limit_apart (life, drain_ms);
  gmcp_restart_policy_disarm (gmcp_managed_server_get_restart_policy (self));
  gmcp_server_life_set_wants_start (life, FALSE);
  if (gmcp_server_life_get_instance (life) != NULL)
    {
      int pid = gmcp_managed_server_get_pid (self);

      if (pid > 0)
        gmcp_server_instance_set_stop_told (gmcp_server_life_get_instance (life));
      gmcp_managed_server_let_go (self, drain_ms, event);
      if (pid > 0)
        gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                    _ ("Stopping server “%s” (PID %d)"),
                                    gmcp_managed_server_get_title (self), pid);
      return;
    }

  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_take_event (self, event);
  if (gmcp_server_life_get_leaving (life) == NULL
      && gmcp_server_life_get_state (life) == GMCP_SERVER_STATE_STOPPING)
    gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_GONE);
  g_object_thaw_notify (G_OBJECT (self));
}
