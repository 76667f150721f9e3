/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-life-private.h"

#include "gmcp-pending-tasks-private.h"

struct _GmcpServerLife
{
  GmcpServerState state;
  gint64 started_at; /* in seconds of real time; 0 while it is not up */
  gint64 ready_us;   /* when it became ready, by the monotonic clock */
  GError *last_error;

  GmcpServerInstance *instance;
  GmcpServerInstance *leaving;
  GPtrArray *apart; /* of GmcpServerInstance: their calls end, and nobody waits for them */
  GmcpStartAttempt *attempt;
  GmcpStartTrace *trace; /* NULL before the first start */
  gboolean wants_start;
  char *shared_failure; /* why the daemon's process is avoided; NULL where it is not */

  GQueue starters;      /* of GTask */
  GQueue stoppers;      /* of GTask */
  GQueue failed;        /* of GTask */
  GError *failed_error; /* what those are told */

  GError *retired; /* NULL while it may be started */
  GDestroyNotify done;
  gpointer done_data;
};

GmcpServerLife *
gmcp_server_life_new (void)
{
  GmcpServerLife *self = g_new0 (GmcpServerLife, 1);

  self->apart = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_server_instance_unref);
  g_queue_init (&self->starters);
  g_queue_init (&self->stoppers);
  g_queue_init (&self->failed);
  return self;
}

void
gmcp_server_life_free (GmcpServerLife *self)
{
  g_ptr_array_unref (self->apart);
  g_free (self->shared_failure);
  g_clear_error (&self->last_error);
  g_clear_error (&self->failed_error);
  g_clear_error (&self->retired);
  g_clear_pointer (&self->trace, gmcp_start_trace_unref);
  g_free (self);
}

static gpointer
copy_instance (gconstpointer instance, gpointer data)
{
  return gmcp_server_instance_ref ((gpointer) instance);
}

GmcpServerState
gmcp_server_life_get_state (GmcpServerLife *self)
{
  return self->state;
}

gboolean
gmcp_server_life_take_event (GmcpServerLife *self, GmcpServerEvent event, gboolean *is_new)
{
  GmcpServerState next;

  if (!gmcp_server_state_next (self->state, event, &next))
    return FALSE;

  if (event == GMCP_SERVER_EVENT_READY)
    {
      self->started_at = g_get_real_time () / G_USEC_PER_SEC;
      self->ready_us = g_get_monotonic_time ();
    }
  else if (!gmcp_server_state_is_up (next))
    {
      self->started_at = 0;
    }

  *is_new = next != self->state;
  self->state = next;
  return TRUE;
}

gint64
gmcp_server_life_get_started_at (GmcpServerLife *self)
{
  return self->started_at;
}

gint64
gmcp_server_life_get_uptime_seconds (GmcpServerLife *self)
{
  if (!gmcp_server_state_is_up (self->state))
    return 0;

  return (g_get_monotonic_time () - self->ready_us) / G_USEC_PER_SEC;
}

const GError *
gmcp_server_life_get_last_error (GmcpServerLife *self)
{
  return self->last_error;
}

gboolean
gmcp_server_life_take_last_error (GmcpServerLife *self, GError *error)
{
  if (self->last_error == NULL && error == NULL)
    return FALSE;

  g_clear_error (&self->last_error);
  self->last_error = error;
  return TRUE;
}

GmcpServerInstance *
gmcp_server_life_get_instance (GmcpServerLife *self)
{
  return self->instance;
}

GmcpServerInstance *
gmcp_server_life_get_leaving (GmcpServerLife *self)
{
  return self->leaving;
}

GmcpServerInstance *
gmcp_server_life_get_last_instance (GmcpServerLife *self)
{
  return self->instance != NULL ? self->instance : self->leaving;
}

gboolean
gmcp_server_life_is_free (GmcpServerLife *self)
{
  return self->instance == NULL && self->leaving == NULL;
}

void
gmcp_server_life_take_instance (GmcpServerLife *self, GmcpServerInstance *instance)
{
  self->instance = instance;
}

GmcpServerInstance *
gmcp_server_life_begin_leaving (GmcpServerLife *self, GmcpStartAttempt **attempt)
{
  self->leaving = g_steal_pointer (&self->instance);
  *attempt = g_steal_pointer (&self->attempt);
  return self->leaving;
}

GmcpServerInstance *
gmcp_server_life_end_leaving (GmcpServerLife *self)
{
  return g_steal_pointer (&self->leaving);
}

void
gmcp_server_life_set_apart (GmcpServerLife *self)
{
  g_ptr_array_add (self->apart, g_steal_pointer (&self->leaving));
}

void
gmcp_server_life_end_apart (GmcpServerLife *self, GmcpServerInstance *instance)
{
  g_ptr_array_remove_fast (self->apart, instance);
}

void
gmcp_server_life_limit_apart (GmcpServerLife *self, guint drain_ms)
{
  g_autoptr (GPtrArray) apart = g_ptr_array_copy (self->apart, copy_instance, NULL);

  g_ptr_array_set_free_func (apart, (GDestroyNotify) gmcp_server_instance_unref);
  for (guint i = 0; i < apart->len; i++)
    gmcp_server_instance_limit_drain (apart->pdata[i], drain_ms);
}

void
gmcp_server_life_forget_instances (GmcpServerLife *self)
{
  g_autoptr (GmcpServerInstance) leaving = g_steal_pointer (&self->leaving);

  if (leaving != NULL)
    gmcp_server_instance_forget (leaving);
  for (guint i = 0; i < self->apart->len; i++)
    gmcp_server_instance_forget (self->apart->pdata[i]);
  g_ptr_array_set_size (self->apart, 0);
}

GmcpStartAttempt *
gmcp_server_life_get_attempt (GmcpServerLife *self)
{
  return self->attempt;
}

void
gmcp_server_life_take_attempt (GmcpServerLife *self, GmcpStartAttempt *attempt)
{
  self->attempt = attempt;
}

void
gmcp_server_life_end_attempt (GmcpServerLife *self)
{
  g_clear_pointer (&self->attempt, gmcp_start_attempt_free);
}

void
gmcp_server_life_take_trace (GmcpServerLife *self, GmcpStartTrace *trace)
{
  g_clear_pointer (&self->trace, gmcp_start_trace_unref);
  self->trace = trace;
}

GmcpStartTrace *
gmcp_server_life_get_trace (GmcpServerLife *self)
{
  return self->trace;
}

const char *
gmcp_server_life_get_shared_failure (GmcpServerLife *self)
{
  return self->shared_failure;
}

void
gmcp_server_life_set_shared_failure (GmcpServerLife *self, const char *reason)
{
  g_free (self->shared_failure);
  self->shared_failure = g_strdup (reason);
}

gboolean
gmcp_server_life_wants_start (GmcpServerLife *self)
{
  return self->wants_start;
}

void
gmcp_server_life_set_wants_start (GmcpServerLife *self, gboolean wants_start)
{
  self->wants_start = wants_start;
}

GQueue *
gmcp_server_life_get_starters (GmcpServerLife *self)
{
  return &self->starters;
}

GQueue *
gmcp_server_life_get_stoppers (GmcpServerLife *self)
{
  return &self->stoppers;
}

void
gmcp_server_life_hold_failed (GmcpServerLife *self, GQueue *starters, const GError *error)
{
  gmcp_pending_tasks_move (starters, &self->failed);
  g_clear_error (&self->failed_error);
  self->failed_error = g_error_copy (error);
}

void
gmcp_server_life_take_failed (GmcpServerLife *self, GQueue *failed, GError **error)
{
  gmcp_pending_tasks_move (&self->failed, failed);
  *error = g_steal_pointer (&self->failed_error);
}

void
gmcp_server_life_retire (GmcpServerLife *self,
                         const GError *reason,
                         GDestroyNotify done,
                         gpointer data)
{
  g_clear_error (&self->retired);
  self->retired = g_error_copy (reason);
  self->done = done;
  self->done_data = data;
}

const GError *
gmcp_server_life_get_retired (GmcpServerLife *self)
{
  return self->retired;
}

GDestroyNotify
gmcp_server_life_take_farewell (GmcpServerLife *self, gpointer *data)
{
  *data = g_steal_pointer (&self->done_data);
  return g_steal_pointer (&self->done);
}
