/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcp-task-error.h"
#include "gmcp-task-worker.h"

/* A thread that talks to the database.
 *
 * A lock that another process holds is not waited for inside the database, where it would keep this
 * thread from everybody else: the job goes back to the head of the queue and is tried again a
 * little later. Jobs of its kind wait behind it; reads pass waiting writes, since a writer does not
 * stop them in either kind of database. */

#define RETRY_MIN_US 1000
#define RETRY_MAX_US 50000

typedef struct
{
  gint64 retry_at_us; /* 0: not held up by a lock */
  gint64 pause_us;
} Lane;

struct _GmcpTaskWorker
{
  GmcpTaskDatabase *database;
  GSource *done_source;
  GmcpTaskDoneFunc done_func;
  GThread *thread;

  GMutex lock;
  GCond wake;
  gboolean stopping;
  GQueue queue;         /* of GmcpTaskJob, in the order of their coming */
  GQueue done;          /* of GmcpTaskJob */
  GmcpTaskJob *current; /* what runs, also read by the thread without the lock */
  Lane lanes[2];        /* of reads and of writes */
};

GmcpTaskJob *
gmcp_task_job_new (GmcpTaskQuery *query, gpointer owner_data)
{
  GmcpTaskJob *self = g_new0 (GmcpTaskJob, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->query = query;
  self->owner_data = owner_data;
  return self;
}

GmcpTaskJob *
gmcp_task_job_ref (GmcpTaskJob *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
gmcp_task_job_unref (GmcpTaskJob *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  if (self->result != NULL)
    self->query->type->free_result (self->result);
  g_clear_error (&self->error);
  gmcp_task_query_free (self->query);
  g_free (self);
}

static gboolean
is_aborted (gpointer user_data)
{
  GmcpTaskWorker *self = user_data;

  return self->current != NULL && g_atomic_int_get (&self->current->abort) != GMCP_TASK_ABORT_NONE;
}

static gpointer
run_transaction (GmcpTaskWorker *self, GmcpTaskQuery *query, GError **error)
{
  gpointer result = NULL;

  query->did_change = FALSE;
  if (gmcp_task_database_begin (self->database, query->type->writes, error))
    result = query->type->func (query, self->database, error);

  if (result != NULL
      && ((query->did_change && !gmcp_task_query_tell_change (query, self->database, error))
          || !gmcp_task_database_commit (self->database, error)))
    g_clear_pointer (&result, query->type->free_result);

  if (result == NULL)
    gmcp_task_database_rollback (self->database);

  return result;
}

/* FALSE: another process holds the lock; nothing was done, try again. */
static gboolean
run_job (GmcpTaskWorker *self, GmcpTaskJob *job)
{
  g_autoptr (GError) error = NULL;
  gpointer result = run_transaction (self, job->query, &error);

  /* A connection that was lost before the commit has done nothing, and mostly was lost long ago. */
  if (g_error_matches (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_LOST))
    {
      g_clear_error (&error);
      result = run_transaction (self, job->query, &error);
    }

  if (g_error_matches (error, GMCP_TASK_ERROR, GMCP_TASK_ERROR_BUSY))
    return FALSE;

  job->result = result;
  job->error = g_steal_pointer (&error);
  return TRUE;
}

static Lane *
get_lane (GmcpTaskWorker *self, GmcpTaskJob *job)
{
  return &self->lanes[job->query->type->writes];
}

/* Takes out the first job that no lock holds up. Without one, *wake_at_us is when to look again,
 * or 0. */
static GmcpTaskJob *
take_job (GmcpTaskWorker *self, gint64 *wake_at_us)
{
  gint64 now_us = g_get_monotonic_time ();

  *wake_at_us = 0;
  for (GList *link = self->queue.head; link != NULL; link = link->next)
    {
      GmcpTaskJob *job = link->data;
      gint64 retry_at_us = get_lane (self, job)->retry_at_us;

      if (retry_at_us <= now_us)
        {
          g_queue_delete_link (&self->queue, link);
          return job;
        }

      *wake_at_us = *wake_at_us == 0 ? retry_at_us : MIN (*wake_at_us, retry_at_us);
    }

  return NULL;
}

static void
give_back (GmcpTaskWorker *self, GmcpTaskJob *job)
{
  g_queue_push_tail (&self->done, job);
  g_source_set_ready_time (self->done_source, 0);
}

static void
settle_job (GmcpTaskWorker *self, GmcpTaskJob *job, gboolean finished)
{
  Lane *lane = get_lane (self, job);

  if (finished)
    {
      lane->retry_at_us = lane->pause_us = 0;
      give_back (self, job);
      return;
    }

  g_atomic_int_set (&job->met_lock, TRUE);
  lane->pause_us = CLAMP (lane->pause_us * 2, RETRY_MIN_US, RETRY_MAX_US);
  lane->retry_at_us = g_get_monotonic_time () + lane->pause_us;

  if (g_atomic_int_get (&job->abort) != GMCP_TASK_ABORT_NONE)
    give_back (self, job);
  else
    g_queue_push_head (&self->queue, job);
}

static gpointer
worker_main (gpointer user_data)
{
  GmcpTaskWorker *self = user_data;

  g_mutex_lock (&self->lock);
  while (!self->stopping)
    {
      gint64 wake_at_us;
      GmcpTaskJob *job = take_job (self, &wake_at_us);
      gboolean finished;

      if (job == NULL && wake_at_us == 0)
        {
          g_cond_wait (&self->wake, &self->lock);
          continue;
        }

      if (job == NULL)
        {
          g_cond_wait_until (&self->wake, &self->lock, wake_at_us);
          continue;
        }

      self->current = job;
      job->running = TRUE;
      g_mutex_unlock (&self->lock);

      finished = run_job (self, job);

      g_mutex_lock (&self->lock);
      job->running = FALSE;
      self->current = NULL;
      settle_job (self, job, finished);
    }
  g_mutex_unlock (&self->lock);

  return NULL;
}

static gboolean
on_done (gpointer user_data)
{
  GmcpTaskWorker *self = user_data;
  GmcpTaskDoneFunc done_func = self->done_func;
  GQueue done;
  GmcpTaskJob *job;

  g_source_set_ready_time (self->done_source, -1);

  g_mutex_lock (&self->lock);
  done = self->done;
  g_queue_init (&self->done);
  g_mutex_unlock (&self->lock);

  /* A job may be what kept the worker's owner alive: nothing of self is safe from here on. */
  while ((job = g_queue_pop_head (&done)) != NULL)
    {
      done_func (job);
      gmcp_task_job_unref (job);
    }

  return G_SOURCE_CONTINUE;
}

static gboolean
dispatch_done (GSource *source, GSourceFunc callback, gpointer user_data)
{
  return callback (user_data);
}

static GSourceFuncs done_source_funcs = { .dispatch = dispatch_done };

GmcpTaskWorker *
gmcp_task_worker_new (const char *location,
                      guint timeout_ms,
                      GMainContext *context,
                      GmcpTaskDoneFunc done_func)
{
  GmcpTaskWorker *self = g_new0 (GmcpTaskWorker, 1);

  self->database = gmcp_task_database_new (location, timeout_ms, is_aborted, self);
  self->done_func = done_func;
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  g_queue_init (&self->queue);
  g_queue_init (&self->done);

  self->done_source = g_source_new (&done_source_funcs, sizeof (GSource));
  g_source_set_static_name (self->done_source, "[gmcp-tasks] database answers");
  g_source_set_callback (self->done_source, on_done, self, NULL);
  g_source_attach (self->done_source, context);
  return self;
}

/* Stops what runs and waits for the thread; jobs that are left are dropped unanswered, so their
 * owner has answered them before. */
void
gmcp_task_worker_free (GmcpTaskWorker *self)
{
  g_mutex_lock (&self->lock);
  self->stopping = TRUE;
  if (self->current != NULL)
    {
      g_atomic_int_set (&self->current->abort, GMCP_TASK_ABORT_CANCELLED);
      gmcp_task_database_interrupt (self->database);
    }
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);

  g_clear_pointer (&self->thread, g_thread_join);

  g_source_destroy (self->done_source);
  g_source_unref (self->done_source);
  g_queue_clear_full (&self->queue, (GDestroyNotify) gmcp_task_job_unref);
  g_queue_clear_full (&self->done, (GDestroyNotify) gmcp_task_job_unref);
  gmcp_task_database_free (self->database);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);
  g_free (self);
}

/* The thread starts with the first job: a server that is only asked for its tools has none. */
gboolean
gmcp_task_worker_push (GmcpTaskWorker *self, GmcpTaskJob *job, GError **error)
{
  if (self->thread == NULL)
    {
      self->thread = g_thread_try_new ("gmcp-tasks-db", worker_main, self, error);
      if (self->thread == NULL)
        return FALSE;
    }

  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->queue, gmcp_task_job_ref (job));
  g_cond_signal (&self->wake);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

/* TRUE: the job was still waiting and is out of the queue, untouched. FALSE: it runs and was told
 * to stop, or is done; it comes back by itself, with a result where it was faster. */
gboolean
gmcp_task_worker_abort (GmcpTaskWorker *self, GmcpTaskJob *job, GmcpTaskAbort reason)
{
  gboolean taken_out;

  g_mutex_lock (&self->lock);
  g_atomic_int_compare_and_exchange (&job->abort, GMCP_TASK_ABORT_NONE, reason);

  taken_out = g_queue_remove (&self->queue, job);
  if (taken_out && get_lane (self, job)->retry_at_us != 0)
    g_atomic_int_set (&job->met_lock, TRUE);
  if (job->running)
    gmcp_task_database_interrupt (self->database);
  g_mutex_unlock (&self->lock);

  if (taken_out)
    gmcp_task_job_unref (job);

  return taken_out;
}
