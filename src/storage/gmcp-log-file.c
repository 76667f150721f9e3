/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-log-file-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-log-registry-private.h"
#include "gmcp-log-sink-private.h"

struct _GmcpLogFile
{
  gatomicrefcount ref_count; /* the owner's and the thread's */
  GMutex lock;
  GmcpLogFileGapFunc gap;
  GMainContext *context;
  char *path;
  gconstpointer group; /* that it is one of; NULL for none */

  /* Under the lock. */
  GmcpLogFileLimits limits;
  GString *lines;      /* whole ones, not given to the thread yet */
  gsize mark;          /* where the line begins that is being appended */
  guint64 n_bytes_in;  /* appended so far */
  guint64 n_bytes_out; /* written so far */
  guint64 n_missing;   /* lines dropped since it was last told */
  guint64 n_dropped;
  gboolean busy;     /* a thread is at it */
  gboolean finished; /* it has just ended */
  gboolean draining; /* nobody will start another one */
  gboolean failing;
  GError *error;  /* of the last attempt */
  GSList *writes; /* of GmcpLogWrite, which wait until nothing is left, or cannot be written */

  gboolean closed;
  GSource *wake; /* only while there is something to write or to tell of: each source there is makes
                  * a turn of the main loop longer */

  /* The owner's. */
  GQueue flushers; /* of Flush, the one that waits for the fewest bytes first */
  GmcpLogFileStateFunc state_func;
  gpointer state_data;
  guint retry_ms;

  /* The thread's. */
  GmcpLogSink sink;
  GString *batch;
  gsize n_batch_written;
};

typedef struct
{
  GmcpLogFile *file;
  guint64 due; /* in bytes appended */
  GSource *limit;
} Flush;

static gboolean on_wake (gpointer data);

GmcpLogFile *
gmcp_log_file_ref (GmcpLogFile *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
gmcp_log_file_unref (GmcpLogFile *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  gmcp_log_sink_clear (&self->sink);
  g_string_free (self->lines, TRUE);
  g_string_free (self->batch, TRUE);
  g_clear_error (&self->error);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->lock);
  g_free (self->path);
  g_free (self);
}

/* Under the lock. */
static gboolean
has_lines (GmcpLogFile *self)
{
  return self->n_bytes_in > self->n_bytes_out;
}

/* In a thread, the only one that is at this file. FALSE where it failed, or no batch is left. */
static gboolean
write_batch (GmcpLogFile *self)
{
  GSList *writes = NULL;
  GError *error = NULL;
  gsize n_written = 0;
  gboolean more;

  g_mutex_lock (&self->lock);
  self->sink.max_bytes = self->limits.max_file_bytes;
  self->sink.n_files = self->limits.n_files;
  if (self->n_batch_written == self->batch->len)
    {
      GString *written = self->batch;

      self->batch = self->lines;
      self->lines = written;
      g_string_truncate (self->lines, 0);
      self->n_batch_written = 0;
    }
  g_mutex_unlock (&self->lock);

  gmcp_log_sink_write (&self->sink, self->batch->str + self->n_batch_written,
                       self->batch->len - self->n_batch_written, &n_written, &error);

  g_mutex_lock (&self->lock);
  self->n_batch_written += n_written;
  self->n_bytes_out += n_written;
  g_clear_error (&self->error);
  self->error = error;
  /* The few that were appended meanwhile wait for more, or each line would be a batch of its own. */
  more
    = error == NULL
      && (self->draining || self->writes != NULL ? has_lines (self)
                                                 : self->lines->len >= GMCP_LIMIT_LOG_BATCH_BYTES);
  if (!more)
    {
      writes = g_steal_pointer (&self->writes);
      self->busy = FALSE;
      self->finished = TRUE;
      if (self->wake != NULL)
        g_source_set_ready_time (self->wake, 0);
    }
  g_mutex_unlock (&self->lock);
  g_slist_free_full (writes, (GDestroyNotify) gmcp_log_write_leave);
  return more;
}

static void
run_job (gpointer job, gpointer data)
{
  GmcpLogFile *self = job;

  gboolean is_over;

  while (write_batch (self))
    continue;

  g_mutex_lock (&self->lock);
  is_over = self->closed && !self->busy;
  g_mutex_unlock (&self->lock);
  gmcp_log_registry_end_job ();
  if (is_over)
    gmcp_log_registry_remove (self);
  gmcp_log_file_unref (self);
}

static GThreadPool *
get_pool (void)
{
  static GThreadPool *pool;

  /* Threads that are shared with others and end when there is nothing to do. A file system that hangs
   * takes no more than these. */
  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool,
                       g_thread_pool_new (run_job, NULL, GMCP_LIMIT_LOG_THREADS, FALSE, NULL));
  return pool;
}

/* Under the lock. */
static void
start_job (GmcpLogFile *self)
{
  self->busy = TRUE;
  g_atomic_ref_count_inc (&self->ref_count);
  gmcp_log_registry_begin_job ();
  g_thread_pool_push (get_pool (), self, NULL);
}

/* Under the lock: all there is, as nobody is told of the end of it. */
static void
drain_lines (GmcpLogFile *self)
{
  self->draining = TRUE;
  if (!self->busy && has_lines (self))
    start_job (self);
}

void
gmcp_log_file_start_write (GmcpLogFile *self)
{
  g_mutex_lock (&self->lock);
  if (!self->busy && has_lines (self))
    start_job (self);
  g_mutex_unlock (&self->lock);
}

void
gmcp_log_file_drain (GmcpLogFile *self)
{
  g_mutex_lock (&self->lock);
  drain_lines (self);
  g_mutex_unlock (&self->lock);
}

static gboolean
dispatch_wake (GSource *source, GSourceFunc callback, gpointer data)
{
  return callback (data);
}

static GSourceFuncs wake_funcs = { .dispatch = dispatch_wake };

/* Under the lock. */
static void
attach_wake (GmcpLogFile *self)
{
  self->wake = g_source_new (&wake_funcs, sizeof (GSource));
  g_source_set_static_name (self->wake, "[gmcp] log file");
  g_source_set_callback (self->wake, on_wake, self, NULL);
  g_source_attach (self->wake, self->context);
}

GmcpLogFile *
gmcp_log_file_new (const char *path, const GmcpLogFileLimits *limits, GmcpLogFileGapFunc gap)
{
  GmcpLogFile *self = g_new0 (GmcpLogFile, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  self->limits = *limits;
  self->limits.n_files = MAX (limits->n_files, 1);
  self->gap = gap;
  self->context = g_main_context_ref_thread_default ();
  self->path = g_strdup (path);
  self->lines = g_string_new (NULL);
  self->batch = g_string_new (NULL);
  g_queue_init (&self->flushers);
  gmcp_log_sink_init (&self->sink, path, limits->max_file_bytes, limits->n_files);

  gmcp_log_registry_add (self);
  return self;
}

void
gmcp_log_file_set_group (GmcpLogFile *self, gconstpointer group)
{
  self->group = group;
}

gconstpointer
gmcp_log_file_get_group (GmcpLogFile *self)
{
  return self->group;
}

gboolean
gmcp_log_file_is_in_context (GmcpLogFile *self, GMainContext *context)
{
  return self->context == context;
}

void
gmcp_log_file_write_for (GmcpLogFile *self, GmcpLogWrite *write)
{
  g_mutex_lock (&self->lock);
  if (has_lines (self))
    {
      gmcp_log_write_join (write);
      self->writes = g_slist_prepend (self->writes, write);
      if (!self->busy)
        start_job (self);
    }
  g_mutex_unlock (&self->lock);
}

static void
settle_flush (Flush *flush, GTask *task, GError *error)
{
  if (flush->limit != NULL)
    g_source_destroy (flush->limit);
  g_clear_pointer (&flush->limit, g_source_unref);
  g_queue_remove (&flush->file->flushers, task);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

void
gmcp_log_file_free (GmcpLogFile *self)
{
  gboolean is_over;
  GTask *task;

  while ((task = g_queue_peek_head (&self->flushers)) != NULL)
    settle_flush (g_task_get_task_data (task), task,
                  g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CLOSED, _ ("The log was closed")));

  g_mutex_lock (&self->lock);
  self->closed = TRUE;
  if (self->wake != NULL)
    g_source_destroy (self->wake);
  g_clear_pointer (&self->wake, g_source_unref);
  drain_lines (self);
  is_over = !self->busy;
  g_mutex_unlock (&self->lock);

  if (is_over)
    gmcp_log_registry_remove (self);
  gmcp_log_file_unref (self);
}

void
gmcp_log_file_set_limits (GmcpLogFile *self, guint64 max_file_bytes, guint n_files)
{
  g_mutex_lock (&self->lock);
  self->limits.max_file_bytes = max_file_bytes;
  self->limits.n_files = MAX (n_files, 1);
  g_mutex_unlock (&self->lock);
}

void
gmcp_log_file_set_state_func (GmcpLogFile *self, GmcpLogFileStateFunc func, gpointer data)
{
  self->state_func = func;
  self->state_data = data;
}

guint64
gmcp_log_file_get_n_dropped (GmcpLogFile *self)
{
  guint64 n;

  g_mutex_lock (&self->lock);
  n = self->n_dropped;
  g_mutex_unlock (&self->lock);
  return n;
}

GString *
gmcp_log_file_begin (GmcpLogFile *self)
{
  g_mutex_lock (&self->lock);
  if (G_UNLIKELY (self->lines->len >= self->limits.max_queue_bytes))
    {
      self->n_missing++;
      self->n_dropped++;
      g_mutex_unlock (&self->lock);
      return NULL;
    }

  self->mark = self->lines->len;
  if (G_UNLIKELY (self->n_missing > 0))
    {
      self->gap (self->lines, self->n_missing);
      self->n_missing = 0;
    }
  return self->lines;
}

/* Under the lock. */
static void
wake_in (GmcpLogFile *self, guint delay_ms)
{
  if (self->closed)
    return;

  if (self->wake == NULL)
    attach_wake (self);
  g_source_set_ready_time (self->wake,
                           delay_ms == 0 ? 0 : g_get_monotonic_time () + delay_ms * (gint64) 1000);
}

void
gmcp_log_file_end (GmcpLogFile *self)
{
  gboolean first = !has_lines (self);

  self->n_bytes_in += self->lines->len - self->mark;
  /* While writing fails, only time brings the next attempt; the end of a write brings what it
   * left. */
  if (self->draining)
    drain_lines (self);
  else if (!self->busy && !self->finished && !self->failing)
    {
      if (self->lines->len >= GMCP_LIMIT_LOG_BATCH_BYTES)
        wake_in (self, 0);
      else if (first)
        wake_in (self, GMCP_DEFAULT_LOG_FLUSH_MS);
    }
  g_mutex_unlock (&self->lock);
}

void
gmcp_log_file_append (GmcpLogFile *self, const char *lines, gsize length)
{
  GString *out = gmcp_log_file_begin (self);

  if (out == NULL)
    return;

  g_string_append_len (out, lines, (gssize) length);
  gmcp_log_file_end (self);
}

/* Answers the flushers whose lines have been written; with an error, all of them. */
static void
settle_flushers (GmcpLogFile *self, guint64 n_bytes_out, const GError *error)
{
  GTask *task;

  while ((task = g_queue_peek_head (&self->flushers)) != NULL)
    {
      Flush *flush = g_task_get_task_data (task);

      if (error == NULL && flush->due > n_bytes_out)
        break;
      settle_flush (flush, task, error != NULL ? g_error_copy (error) : NULL);
    }
}

/* Under the lock: what is to be done after an attempt. */
static void
schedule_next_write (GmcpLogFile *self)
{
  if (self->error != NULL)
    {
      self->retry_ms
        = CLAMP (self->retry_ms * 2, GMCP_DEFAULT_LOG_RETRY_MS, GMCP_LIMIT_LOG_RETRY_MS);
      wake_in (self, self->retry_ms);
      return;
    }

  self->retry_ms = 0;
  if (self->n_missing > 0)
    {
      gsize before = self->lines->len;

      self->gap (self->lines, self->n_missing);
      self->n_missing = 0;
      self->n_bytes_in += self->lines->len - before;
    }
  if (has_lines (self))
    {
      gboolean now
        = !g_queue_is_empty (&self->flushers) || self->lines->len >= GMCP_LIMIT_LOG_BATCH_BYTES;

      wake_in (self, now ? 0 : GMCP_DEFAULT_LOG_FLUSH_MS);
    }
}

static void
tell_outcome (GmcpLogFile *self)
{
  g_autoptr (GError) error = NULL;
  guint64 n_bytes_out;
  gboolean was_failing;

  g_mutex_lock (&self->lock);
  self->finished = FALSE;
  schedule_next_write (self);
  if (self->error != NULL)
    error = g_error_copy (self->error);
  was_failing = self->failing;
  self->failing = error != NULL;
  n_bytes_out = self->n_bytes_out;
  g_mutex_unlock (&self->lock);

  settle_flushers (self, n_bytes_out, error);
  if (was_failing != (error != NULL) && self->state_func != NULL)
    self->state_func (error, self->state_data);
}

static gboolean
on_wake (gpointer data)
{
  GmcpLogFile *self = data;
  gboolean finished, is_idle;

  g_mutex_lock (&self->lock);
  g_source_set_ready_time (self->wake, -1);
  finished = self->finished;
  if (!finished && !self->busy && has_lines (self))
    start_job (self);
  g_mutex_unlock (&self->lock);

  /* A callback may drop the last other reference. */
  g_atomic_ref_count_inc (&self->ref_count);
  if (finished)
    tell_outcome (self);

  g_mutex_lock (&self->lock);
  is_idle = !self->busy && !self->finished && !has_lines (self);
  if (is_idle)
    g_clear_pointer (&self->wake, g_source_unref);
  g_mutex_unlock (&self->lock);
  gmcp_log_file_unref (self);
  return is_idle ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static gboolean
on_flush_limit (gpointer data)
{
  GTask *task = data;
  Flush *flush = g_task_get_task_data (task);
  g_autofree char *name = g_filename_display_name (flush->file->path);

  settle_flush (flush, task,
                g_error_new (G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
                             _ ("The log file %s could not be written within %u ms"), name,
                             GMCP_LIMIT_LOG_FLUSH_MS));
  return G_SOURCE_REMOVE;
}

void
gmcp_log_file_flush_async (GmcpLogFile *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  gboolean nothing;
  Flush *flush;

  g_task_set_source_tag (task, gmcp_log_file_flush_async);
  if (g_task_return_error_if_cancelled (task))
    return;

  g_mutex_lock (&self->lock);
  nothing = !has_lines (self);
  flush = g_new0 (Flush, 1);
  flush->file = self;
  flush->due = self->n_bytes_in;
  g_task_set_task_data (task, flush, g_free);
  if (!nothing)
    wake_in (self, 0);
  g_mutex_unlock (&self->lock);
  if (nothing)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  flush->limit = g_timeout_source_new (GMCP_LIMIT_LOG_FLUSH_MS);
  g_source_set_static_name (flush->limit, "[gmcp] log file's flush");
  g_source_set_callback (flush->limit, on_flush_limit, task, NULL);
  g_source_attach (flush->limit, self->context);
  g_queue_push_tail (&self->flushers, g_steal_pointer (&task));
}

gboolean
gmcp_log_file_flush_finish (GmcpLogFile *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
