/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>

#include "gmcp-task-error.h"
#include "gmcp-task-worker.h"

/* A thread that talks to the database, for one user after the other: who asks for much waits for it alone.
 *
 * A lock that another process holds is not waited for inside the database, where it would keep this
 * thread from everybody else: the job goes back to the head of its user's queue and is tried again a
 * little later. The user's jobs of its kind wait behind it; reads pass waiting writes, since a writer does
 * not stop them in either kind of database. */

#define RETRY_MIN_US 1000
#define RETRY_MAX_US 50000

typedef struct
{
  gint64 retry_at_us; /* 0: not held up by a lock */
  gint64 pause_us;
} Lane;

typedef struct
{
  GQueue jobs;   /* of GmcpTaskJob, in the order of their coming */
  Lane lanes[2]; /* of reads and of writes */
  GList turn;    /* in the worker's turns, while there are jobs */
  gboolean runs; /* the current job is the user's */
} UserQueue;

struct _GmcpTaskWorker
{
  GmcpTaskDatabase *database;
  GSource *done_source;
  GmcpTaskDoneFunc done_func;
  GThread *thread;

  GMutex lock;
  GCond wake;
  gboolean stopping;
  GHashTable *users;    /* name → UserQueue, of those whose jobs wait or run */
  GQueue turns;         /* of UserQueue, whose turn it is first */
  GQueue done;          /* of GmcpTaskJob */
  GmcpTaskJob *current; /* what runs, also read by the thread without the lock */
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

static void
user_queue_free (gpointer data)
{
  UserQueue *user = data;

  g_queue_clear_full (&user->jobs, (GDestroyNotify) gmcp_task_job_unref);
  g_free (user);
}

static UserQueue *
get_user (GmcpTaskWorker *self, GmcpTaskJob *job)
{
  return g_hash_table_lookup (self->users, job->query->user);
}

static Lane *
get_lane (UserQueue *user, GmcpTaskJob *job)
{
  return &user->lanes[job->query->type->writes];
}

static void
wait_for_turn (GmcpTaskWorker *self, UserQueue *user)
{
  if (user->turn.data != NULL)
    return;

  user->turn.data = user;
  g_queue_push_tail_link (&self->turns, &user->turn);
}

static void
leave_turns (GmcpTaskWorker *self, UserQueue *user)
{
  if (user->turn.data == NULL)
    return;

  g_queue_unlink (&self->turns, &user->turn);
  user->turn.data = NULL;
}

/* Who has nothing to wait for is not known any more; that a lock was met is forgotten with it. */
static void
drop_idle_user (GmcpTaskWorker *self, const char *name)
{
  UserQueue *user = g_hash_table_lookup (self->users, name);

  if (user == NULL || user->runs || !g_queue_is_empty (&user->jobs))
    return;

  leave_turns (self, user);
  g_hash_table_remove (self->users, name);
}

static void
bring_forward (gint64 *wake_at_us, gint64 at_us)
{
  *wake_at_us = *wake_at_us == 0 ? at_us : MIN (*wake_at_us, at_us);
}

/* The first job of the user that no lock holds up. */
static GList *
find_job (UserQueue *user, gint64 now_us, gint64 *wake_at_us)
{
  for (GList *link = user->jobs.head; link != NULL; link = link->next)
    {
      gint64 retry_at_us = get_lane (user, link->data)->retry_at_us;

      if (retry_at_us <= now_us)
        return link;
      bring_forward (wake_at_us, retry_at_us);
    }
  return NULL;
}

/* Takes out a job of the first user who has one that can run, and whose turn comes last then. Without one,
 * *wake_at_us is when to look again, or 0. */
static GmcpTaskJob *
take_job (GmcpTaskWorker *self, gint64 *wake_at_us)
{
  gint64 now_us = g_get_monotonic_time ();

  *wake_at_us = 0;
  for (GList *turn = self->turns.head; turn != NULL; turn = turn->next)
    {
      UserQueue *user = turn->data;
      GList *link = find_job (user, now_us, wake_at_us);
      GmcpTaskJob *job;

      if (link == NULL)
        continue;

      job = link->data;
      g_queue_delete_link (&user->jobs, link);
      user->runs = TRUE;
      leave_turns (self, user);
      if (!g_queue_is_empty (&user->jobs))
        wait_for_turn (self, user);
      return job;
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
  UserQueue *user = get_user (self, job);
  Lane *lane = get_lane (user, job);

  user->runs = FALSE;
  if (finished)
    {
      lane->retry_at_us = lane->pause_us = 0;
      drop_idle_user (self, job->query->user);
      give_back (self, job);
      return;
    }

  g_atomic_int_set (&job->met_lock, TRUE);
  lane->pause_us = CLAMP (lane->pause_us * 2, RETRY_MIN_US, RETRY_MAX_US);
  lane->retry_at_us = g_get_monotonic_time () + lane->pause_us;

  if (g_atomic_int_get (&job->abort) != GMCP_TASK_ABORT_NONE)
    {
      drop_idle_user (self, job->query->user);
      give_back (self, job);
      return;
    }
  g_queue_push_head (&user->jobs, job);
  wait_for_turn (self, user);
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
  self->users = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, user_queue_free);
  g_queue_init (&self->turns);
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
  g_hash_table_unref (self->users);
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
  UserQueue *user;

  if (self->thread == NULL)
    {
      self->thread = g_thread_try_new ("gmcp-tasks-db", worker_main, self, error);
      if (self->thread == NULL)
        return FALSE;
    }

  g_mutex_lock (&self->lock);
  user = get_user (self, job);
  if (user == NULL)
    {
      user = g_new0 (UserQueue, 1);
      g_hash_table_insert (self->users, g_strdup (job->query->user), user);
    }
  g_queue_push_tail (&user->jobs, gmcp_task_job_ref (job));
  wait_for_turn (self, user);
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
  UserQueue *user;

  g_mutex_lock (&self->lock);
  g_atomic_int_compare_and_exchange (&job->abort, GMCP_TASK_ABORT_NONE, reason);

  user = get_user (self, job);
  taken_out = user != NULL && g_queue_remove (&user->jobs, job);
  if (taken_out)
    {
      if (get_lane (user, job)->retry_at_us != 0)
        g_atomic_int_set (&job->met_lock, TRUE);
      drop_idle_user (self, job->query->user);
    }
  if (job->running)
    gmcp_task_database_interrupt (self->database);
  g_mutex_unlock (&self->lock);

  if (taken_out)
    gmcp_task_job_unref (job);

  return taken_out;
}
