/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-pending-tasks-private.h"

typedef struct
{
  GQueue *waiters;
  GSource *cancelled;
} Waiting;

static void
waiting_free (gpointer data)
{
  Waiting *waiting = data;

  g_source_destroy (waiting->cancelled);
  g_source_unref (waiting->cancelled);
  g_free (waiting);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  GTask *task = data;
  Waiting *waiting = g_task_get_task_data (task);

  if (g_queue_remove (waiting->waiters, task))
    {
      g_task_return_error_if_cancelled (task);
      g_object_unref (task);
    }

  return G_SOURCE_REMOVE;
}

void
gmcp_pending_tasks_add (GQueue *waiters, GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);

  if (cancellable != NULL)
    {
      Waiting *waiting = g_new (Waiting, 1);

      waiting->waiters = waiters;
      waiting->cancelled = g_cancellable_source_new (cancellable);
      g_source_set_static_name (waiting->cancelled, "[gmcp] waiting cancelled");
      g_task_set_task_data (task, waiting, waiting_free);
      g_task_attach_source (task, waiting->cancelled, (GSourceFunc) G_CALLBACK (on_cancelled));
    }

  g_queue_push_tail (waiters, g_object_ref (task));
}

void
gmcp_pending_tasks_move (GQueue *from, GQueue *to)
{
  GTask *task;

  while ((task = g_queue_pop_head (from)) != NULL)
    {
      Waiting *waiting = g_task_get_task_data (task);

      if (waiting != NULL)
        waiting->waiters = to;
      g_queue_push_tail (to, task);
    }
}

void
gmcp_pending_tasks_fail (GQueue *waiters, GTask *task, GError *error)
{
  Waiting *waiting = g_task_get_task_data (task);

  g_queue_remove (waiters, task);
  if (waiting != NULL)
    g_source_destroy (waiting->cancelled);
  g_task_return_error (task, error);
  g_object_unref (task);
}

static void
return_tasks (GQueue *waiters, gboolean value, const GError *error)
{
  GQueue settled = { NULL, NULL, 0 };
  GTask *task;

  gmcp_pending_tasks_move (waiters, &settled);
  while ((task = g_queue_pop_head (&settled)) != NULL)
    {
      Waiting *waiting = g_task_get_task_data (task);

      if (waiting != NULL)
        g_source_destroy (waiting->cancelled);
      if (error != NULL)
        g_task_return_error (task, g_error_copy (error));
      else
        g_task_return_boolean (task, value);
      g_object_unref (task);
    }
}

void
gmcp_pending_tasks_settle (GQueue *waiters, const GError *error)
{
  return_tasks (waiters, TRUE, error);
}

void
gmcp_pending_tasks_settle_value (GQueue *waiters, gboolean value)
{
  return_tasks (waiters, value, NULL);
}
