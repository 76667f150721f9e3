/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-i18n-private.h"
#include "gmcp-managed-server-struct-private.h"
#include "gmcp-pending-tasks-private.h"

#include <gmcp/core/gmcp-error.h>

/* What a server is doing changes here only, as the table in gmcp-server-states.c says. */

gboolean
gmcp_managed_server_take_event (GmcpManagedServer *self, GmcpServerEvent event)
{
  GmcpServerState next;

  if (!gmcp_server_state_next (self->state, event, &next))
    {
      g_debug ("%s: %s means nothing while it is %s", gmcp_managed_server_get_id (self),
               gmcp_server_event_get_nick (event), gmcp_server_state_get_nick (self->state));
      return FALSE;
    }

  if (event == GMCP_SERVER_EVENT_READY)
    {
      self->started_at = g_get_real_time () / G_USEC_PER_SEC;
      self->ready_us = g_get_monotonic_time ();
    }
  else if (!gmcp_server_state_is_up (next))
    {
      self->started_at = 0;
    }

  gmcp_managed_server_set_state (self, next);
  return TRUE;
}

guint
gmcp_managed_server_get_shutdown_timeout_ms (GmcpManagedServer *self)
{
  guint own_ms = gmcp_server_config_get_shutdown_timeout_ms (self->config);

  return own_ms > 0 ? own_ms : self->limits.shutdown_timeout_ms;
}

void
gmcp_managed_server_say_farewell (GmcpManagedServer *self)
{
  GmcpServerFarewell farewell = self->farewell;

  if (gmcp_tool_snapshot_is_writing (self->snapshot))
    return;

  self->farewell = (GmcpServerFarewell){ NULL, NULL };
  if (farewell.done != NULL)
    farewell.done (farewell.data);
}

static gboolean
is_free (GmcpManagedServer *self)
{
  return self->instance == NULL && self->leaving == NULL;
}

void
gmcp_managed_server_take_starters (GmcpManagedServer *self, GQueue *starters)
{
  gmcp_pending_tasks_move (&self->starters, starters);
  self->start_wanted = FALSE;
}

GQueue *
gmcp_managed_server_get_starters (GmcpManagedServer *self)
{
  return &self->starters;
}

void
gmcp_managed_server_begin_start_time (GmcpManagedServer *self)
{
  if (self->attempt != NULL)
    gmcp_start_attempt_begin_time (self->attempt);
}

void
gmcp_managed_server_want_start (GmcpManagedServer *self)
{
  gmcp_restart_policy_disarm (self->restarts);
  self->start_wanted = TRUE;
  if (is_free (self))
    gmcp_managed_server_begin_start (self);
}

/* How long it took, beside the calls that it was left to finish. */
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
  g_autoptr (GmcpServerInstance) left = g_steal_pointer (&self->leaving);
  g_autoptr (GError) failed_error = g_steal_pointer (&self->failed_error);
  gboolean was_stopped = self->state == GMCP_SERVER_STATE_STOPPING;
  GQueue failed = { NULL, NULL, 0 };
  gboolean is_end_told;

  gmcp_pending_tasks_move (&self->failed, &failed);
  is_end_told = (gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_GONE) && was_stopped)
                || gmcp_server_instance_get_stop_told (left);
  gmcp_managed_server_process_gone (self);
  tell_of_kill (self, left);
  if (is_end_told)
    gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO, _ ("Server “%s” stopped"),
                                gmcp_managed_server_get_title (self));

  gmcp_pending_tasks_settle (&failed, failed_error);
  gmcp_pending_tasks_settle (&self->stoppers, NULL);
  /* Whoever was just told may have started it. */
  if ((self->start_wanted
       || (!g_queue_is_empty (&self->starters) && !gmcp_restart_policy_is_armed (self->restarts)))
      && is_free (self))
    gmcp_managed_server_begin_start (self);
  if (self->leaving == NULL)
    gmcp_managed_server_say_farewell (self);
}

void
gmcp_managed_server_let_go (GmcpManagedServer *self, guint drain_ms, GmcpServerEvent event)
{
  GmcpServerInstance *instance = g_steal_pointer (&self->instance);
  GmcpClient *client = gmcp_server_instance_get_client (instance);
  GmcpStartAttempt *attempt = g_steal_pointer (&self->attempt);

  gmcp_server_install_watch (gmcp_server_instance_get_install (instance), NULL, NULL);
  gmcp_health_monitor_stop (self->health);
  gmcp_idle_monitor_stop (self->idle);
  gmcp_managed_server_unwatch_input (self, client);
  gmcp_managed_server_unwatch_tools (self, client);
  g_signal_handlers_disconnect_by_data (client, self);

  /* All that others can see is so before anybody is told. */
  self->leaving = instance;
  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_take_event (self, event);
  if (attempt != NULL)
    gmcp_start_attempt_give_up (attempt);
  gmcp_managed_server_forget_install (self, event == GMCP_SERVER_EVENT_STOP
                                              || event == GMCP_SERVER_EVENT_CHANGE
                                              || event == GMCP_SERVER_EVENT_DISABLE);
  gmcp_server_instance_retire (instance, drain_ms, on_left, self);
  g_object_thaw_notify (G_OBJECT (self));
  gmcp_health_monitor_settle (self->health, FALSE);
}

void
gmcp_managed_server_end (GmcpManagedServer *self, guint drain_ms, GmcpServerEvent event)
{
  gmcp_restart_policy_disarm (self->restarts);
  self->start_wanted = FALSE;
  if (self->instance != NULL)
    {
      int pid = gmcp_managed_server_get_pid (self);

      if (pid > 0)
        gmcp_server_instance_set_stop_told (self->instance);
      gmcp_managed_server_let_go (self, drain_ms, event);
      if (pid > 0)
        gmcp_managed_server_notice (self, GMCP_NOTICE_LEVEL_INFO,
                                    _ ("Stopping server “%s” (PID %d)"),
                                    gmcp_managed_server_get_title (self), pid);
      return;
    }

  g_object_freeze_notify (G_OBJECT (self));
  gmcp_managed_server_take_event (self, event);
  if (self->leaving == NULL && self->state == GMCP_SERVER_STATE_STOPPING)
    gmcp_managed_server_take_event (self, GMCP_SERVER_EVENT_GONE);
  g_object_thaw_notify (G_OBJECT (self));
}
