/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-request-guard-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

/* The deadlines of each main context that ever waited for an answer, until the context is freed. */
static GMutex mutex;
static GHashTable *deadlines_by_context; /* (element-type GMainContext GmcpDeadlines) */

static void
give_up_request (GmcpRequestGuard *self, GError *error)
{
  GmcpRequestGuardFunc func = self->give_up;
  g_autoptr (GCancellable) ending = NULL;

  g_atomic_int_set (&self->gave_up, TRUE);
  if (g_atomic_pointer_get (&self->ending) != NULL)
    ending = g_object_ref (self->ending);
  gmcp_request_guard_stop (self);
  func (self, error);
  /* The request may be gone now. */
  if (ending != NULL)
    g_cancellable_cancel (ending);
}

static void
on_deadline (GmcpDeadline *deadline, gpointer user_data)
{
  GmcpRequestGuard *self
    = (gpointer) ((char *) deadline - G_STRUCT_OFFSET (GmcpRequestGuard, deadline));
  guint limit_ms = self->timeout_ms;

  /* A question has a limit of its own. */
  if (self->paused_us == 0 && self->is_asking != NULL && self->is_asking (self))
    {
      self->latest_us += limit_ms * (gint64) 1000;
      gmcp_request_guard_renew (self);
      return;
    }

  if (self->paused_us != 0)
    limit_ms = GMCP_DEFAULT_INPUT_TIMEOUT_MS;
  else if (deadline->at_us >= self->latest_us)
    {
      give_up_request (self,
                       g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                                    _ ("There was no answer within %u ms, which progress does not "
                                       "extend"),
                                    self->max_timeout_ms));
      return;
    }
  give_up_request (self, g_error_new (GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                                      _ ("There was no answer within %u ms"), limit_ms));
}

static void
on_context_freed (gpointer context)
{
  g_mutex_lock (&mutex);
  g_hash_table_remove (deadlines_by_context, context);
  g_mutex_unlock (&mutex);
}

static GmcpDeadlines *
get_deadlines (GMainContext *context)
{
  GmcpDeadlines *deadlines;

  g_mutex_lock (&mutex);
  if (deadlines_by_context == NULL)
    deadlines_by_context = g_hash_table_new (NULL, NULL);
  deadlines = g_hash_table_lookup (deadlines_by_context, context);
  if (deadlines == NULL)
    {
      deadlines
        = gmcp_deadlines_new (context, "[gmcp] deadlines of providers", on_deadline, context);
      gmcp_deadlines_leave_to_context (deadlines, on_context_freed);
      g_hash_table_insert (deadlines_by_context, context, deadlines);
    }
  g_mutex_unlock (&mutex);
  return deadlines;
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  give_up_request (
    data, g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Operation was cancelled")));
  return G_SOURCE_REMOVE;
}

static void
watch_cancellable (GmcpRequestGuard *self, GMainContext *context, GCancellable *cancellable)
{
  if (self->cancelled != NULL)
    return;

  self->cancelled = g_cancellable_source_new (cancellable);
  g_source_set_static_name (self->cancelled, "[gmcp] request to a provider cancelled");
  g_source_set_callback (self->cancelled, (GSourceFunc) G_CALLBACK (on_cancelled), self, NULL);
  g_source_attach (self->cancelled, context);
}

void
gmcp_request_guard_start (GmcpRequestGuard *self,
                          GMainContext *context,
                          GCancellable *cancellable,
                          guint timeout_ms,
                          guint max_timeout_ms,
                          GmcpRequestGuardFunc func)
{
  gint64 now = g_get_monotonic_time ();

  if (self->deadlines != NULL)
    return;

  self->deadlines = get_deadlines (context);
  self->give_up = func;
  self->timeout_ms = timeout_ms;
  self->max_timeout_ms = max_timeout_ms;
  self->latest_us = now + max_timeout_ms * (gint64) 1000;
  self->paused_us = 0;
  self->n_pauses = 0;
  gmcp_deadlines_set (self->deadlines, &self->deadline,
                      MIN (now + timeout_ms * (gint64) 1000, self->latest_us));
  if (cancellable != NULL)
    watch_cancellable (self, context, cancellable);
}

void
gmcp_request_guard_stop (GmcpRequestGuard *self)
{
  if (self->deadlines == NULL)
    return;

  gmcp_deadlines_remove (self->deadlines, &self->deadline);
  self->deadlines = NULL;
  if (self->cancelled != NULL)
    g_source_destroy (self->cancelled);
  g_clear_pointer (&self->cancelled, g_source_unref);
}

void
gmcp_request_guard_renew (GmcpRequestGuard *self)
{
  gint64 now;

  if (self->deadlines == NULL || self->paused_us != 0)
    return;

  now = g_get_monotonic_time ();
  gmcp_deadlines_set (self->deadlines, &self->deadline,
                      MIN (now + self->timeout_ms * (gint64) 1000, self->latest_us));
}

void
gmcp_request_guard_pause (GmcpRequestGuard *self)
{
  if (self->deadlines == NULL || self->n_pauses++ > 0)
    return;

  self->paused_us = g_get_monotonic_time ();
  gmcp_deadlines_set (self->deadlines, &self->deadline,
                      self->paused_us + GMCP_DEFAULT_INPUT_TIMEOUT_MS * (gint64) 1000);
}

void
gmcp_request_guard_resume (GmcpRequestGuard *self)
{
  if (self->deadlines == NULL || self->n_pauses == 0 || --self->n_pauses > 0)
    return;

  self->latest_us += g_get_monotonic_time () - self->paused_us;
  self->paused_us = 0;
  gmcp_request_guard_renew (self);
}

static void
on_asker_cancelled (GCancellable *cancellable, gpointer ending)
{
  g_cancellable_cancel (ending);
}

static void
release_ending (gpointer ending, GClosure *closure)
{
  g_object_unref (ending);
}

/* The handler knows nothing of the request, which may be freed while another thread cancels. The thread that
 * asks for the one and the thread that says what the other is may both come here. */
static void
follow_asker (GmcpRequestGuard *self, GCancellable *cancellable, GCancellable *ending)
{
  g_mutex_lock (&mutex);
  if (self->ending_handler == 0)
    self->ending_handler
      = g_signal_connect_data (cancellable, "cancelled", G_CALLBACK (on_asker_cancelled),
                               g_object_ref (ending), release_ending, 0);
  g_mutex_unlock (&mutex);
  if (g_cancellable_is_cancelled (cancellable))
    g_cancellable_cancel (ending);
}

void
gmcp_request_guard_add_cancellable (GmcpRequestGuard *self,
                                    GMainContext *context,
                                    GCancellable *cancellable)
{
  GCancellable *ending = g_atomic_pointer_get (&self->ending);

  if (self->deadlines != NULL)
    watch_cancellable (self, context, cancellable);
  if (ending != NULL)
    follow_asker (self, cancellable, ending);
}

GCancellable *
gmcp_request_guard_get_cancellable (GmcpRequestGuard *self, GCancellable *cancellable)
{
  GCancellable *ending;

  if (self->give_up == NULL)
    return cancellable;
  if (g_atomic_pointer_get (&self->ending) != NULL)
    return self->ending;

  ending = g_cancellable_new ();
  if (!g_atomic_pointer_compare_and_exchange (&self->ending, NULL, ending))
    {
      g_object_unref (ending);
      return self->ending;
    }

  if (cancellable != NULL)
    follow_asker (self, cancellable, ending);
  if (g_atomic_int_get (&self->gave_up))
    g_cancellable_cancel (ending);
  return ending;
}

void
gmcp_request_guard_clear (GmcpRequestGuard *self, GCancellable *cancellable)
{
  gmcp_request_guard_stop (self);
  if (self->ending_handler != 0)
    g_signal_handler_disconnect (cancellable, self->ending_handler);
  self->ending_handler = 0;
  g_clear_object (&self->ending);
}
