/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"
#include "gmcp-idle-monitor-private.h"

struct _GmcpIdleMonitor
{
  GMainContext *context;
  void (*func) (gpointer data);
  gpointer data;

  GmcpServerInstance *instance; /* that is watched; NULL for none */
  GSource *timer;
  gint64 idle_us;
  gint64 since_us;
  gint64 n_uses; /* of the instance, when the timer was set */
  guint n_holds;
};

static void arm_timer (GmcpIdleMonitor *self, gint64 due_us);

GmcpIdleMonitor *
gmcp_idle_monitor_new (GMainContext *context, void (*func) (gpointer data), gpointer data)
{
  GmcpIdleMonitor *self = g_new0 (GmcpIdleMonitor, 1);

  self->context = g_main_context_ref (context);
  self->func = func;
  self->data = data;
  return self;
}

void
gmcp_idle_monitor_free (GmcpIdleMonitor *self)
{
  gmcp_idle_monitor_stop (self);
  g_main_context_unref (self->context);
  g_free (self);
}

static gboolean
is_in_use (GmcpIdleMonitor *self)
{
  return self->n_holds > 0 || gmcp_server_instance_get_n_calls (self->instance) > 0
         || gmcp_client_is_in_use (gmcp_server_instance_get_client (self->instance));
}

static gboolean
on_idle_time (gpointer data)
{
  GmcpIdleMonitor *self = data;
  gint64 now_us = g_get_monotonic_time ();
  gint64 due_us
    = MAX (self->since_us, gmcp_server_instance_get_last_end_us (self->instance)) + self->idle_us;

  g_clear_pointer (&self->timer, g_source_unref);
  if (is_in_use (self))
    arm_timer (self, now_us + self->idle_us);
  else if (due_us > now_us)
    arm_timer (self, due_us);
  else if (gmcp_server_instance_count_uses (self->instance) > self->n_uses)
    arm_timer (self, now_us + self->idle_us);
  else
    {
      gmcp_idle_monitor_stop (self);
      self->func (self->data);
    }
  return G_SOURCE_REMOVE;
}

static void
arm_timer (GmcpIdleMonitor *self, gint64 due_us)
{
  self->n_uses = gmcp_server_instance_count_uses (self->instance);
  self->timer = g_timeout_source_new (0);
  g_source_set_ready_time (self->timer, due_us);
  g_source_set_static_name (self->timer, "[gmcp] server's idle time");
  g_source_set_callback (self->timer, on_idle_time, self, NULL);
  g_source_attach (self->timer, self->context);
}

void
gmcp_idle_monitor_start (GmcpIdleMonitor *self, GmcpServerInstance *instance, gint64 idle_ms)
{
  gmcp_idle_monitor_stop (self);
  if (idle_ms <= 0)
    return;

  self->instance = gmcp_server_instance_ref (instance);
  self->idle_us = idle_ms * 1000;
  self->since_us = g_get_monotonic_time ();
  arm_timer (self, self->since_us + self->idle_us);
}

void
gmcp_idle_monitor_stop (GmcpIdleMonitor *self)
{
  if (self->timer != NULL)
    g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
  g_clear_pointer (&self->instance, gmcp_server_instance_unref);
}

void
gmcp_idle_monitor_hold (GmcpIdleMonitor *self)
{
  self->n_holds++;
}

gboolean
gmcp_idle_monitor_release (GmcpIdleMonitor *self)
{
  if (self->n_holds == 0)
    return FALSE;

  self->n_holds--;
  return TRUE;
}
