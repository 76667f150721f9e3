/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-log-registry-private.h"

#include <stdlib.h>
#include <unistd.h>

#include "gmcp-limits.h"

struct _GmcpLogWrite
{
  gatomicrefcount ref_count;
  /* Under the lock. */
  guint n_left; /* files, and the one who counts them */
  GTask *task;  /* NULL once it has been answered */
  GSource *limit;
};

static GMutex lock;
static GCond idle;
static GPtrArray *files; /* of GmcpLogFile, not owned */
static guint n_busy;
static pid_t owner;

void
gmcp_log_registry_add (GmcpLogFile *file)
{
  g_mutex_lock (&lock);
  if (files == NULL)
    {
      files = g_ptr_array_new ();
      owner = getpid ();
      atexit (gmcp_log_registry_write_at_exit);
    }
  g_ptr_array_add (files, file);
  g_mutex_unlock (&lock);
}

void
gmcp_log_registry_remove (GmcpLogFile *file)
{
  g_mutex_lock (&lock);
  g_ptr_array_remove_fast (files, file);
  g_mutex_unlock (&lock);
}

void
gmcp_log_registry_begin_job (void)
{
  g_mutex_lock (&lock);
  n_busy++;
  g_mutex_unlock (&lock);
}

void
gmcp_log_registry_end_job (void)
{
  g_mutex_lock (&lock);
  n_busy--;
  g_cond_broadcast (&idle);
  g_mutex_unlock (&lock);
}

/* Under the lock, which must not be held while a file's own is taken. */
static GPtrArray *
list_files (gconstpointer group)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_log_file_unref);

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      GmcpLogFile *file = g_ptr_array_index (files, i);

      if (group == NULL || gmcp_log_file_get_group (file) == group)
        g_ptr_array_add (found, gmcp_log_file_ref (file));
    }
  return found;
}

void
gmcp_log_registry_write_at_exit (void)
{
  gint64 end_us = g_get_monotonic_time () + GMCP_LIMIT_LOG_EXIT_MS * 1000;
  g_autoptr (GPtrArray) all = NULL;

  /* The child of a fork has none of the threads, and the lines are its parent's. */
  if (getpid () != owner || !g_mutex_trylock (&lock))
    return;
  all = list_files (NULL);
  g_mutex_unlock (&lock);

  for (guint i = 0; i < all->len; i++)
    gmcp_log_file_drain (g_ptr_array_index (all, i));

  g_mutex_lock (&lock);
  while (n_busy > 0 && g_cond_wait_until (&idle, &lock, end_us))
    continue;
  g_mutex_unlock (&lock);
}

static void
unref_write (gpointer data)
{
  GmcpLogWrite *self = data;

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_source_unref (self->limit);
  g_free (self);
}

static gboolean
on_limit (gpointer data)
{
  GmcpLogWrite *self = data;
  g_autoptr (GTask) task = NULL;

  g_mutex_lock (&lock);
  task = g_steal_pointer (&self->task);
  g_mutex_unlock (&lock);

  if (task != NULL)
    g_task_return_boolean (task, FALSE);
  return G_SOURCE_REMOVE;
}

void
gmcp_log_write_join (GmcpLogWrite *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  g_mutex_lock (&lock);
  self->n_left++;
  g_mutex_unlock (&lock);
}

void
gmcp_log_write_leave (GmcpLogWrite *self)
{
  g_autoptr (GTask) task = NULL;

  g_mutex_lock (&lock);
  if (--self->n_left == 0)
    task = g_steal_pointer (&self->task);
  g_mutex_unlock (&lock);

  if (task != NULL)
    {
      g_source_destroy (self->limit);
      g_task_return_boolean (task, TRUE);
    }
  unref_write (self);
}

void
gmcp_log_registry_write_group_async (gconstpointer group,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  GmcpLogWrite *self = g_new0 (GmcpLogWrite, 1);
  g_autoptr (GPtrArray) found = NULL;

  g_atomic_ref_count_init (&self->ref_count);
  self->n_left = 1;
  self->task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (self->task, gmcp_log_registry_write_group_async);
  self->limit = g_timeout_source_new (GMCP_LIMIT_LOG_FLUSH_MS);
  g_source_set_static_name (self->limit, "[gmcp] log files");
  g_atomic_ref_count_inc (&self->ref_count);
  g_source_set_callback (self->limit, on_limit, self, unref_write);
  g_source_attach (self->limit, g_task_get_context (self->task));

  g_mutex_lock (&lock);
  found = list_files (group);
  g_mutex_unlock (&lock);
  for (guint i = 0; i < found->len; i++)
    gmcp_log_file_write_for (g_ptr_array_index (found, i), self);
  gmcp_log_write_leave (self);
}

gboolean
gmcp_log_registry_write_group_finish (GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_log_registry_write_group_async),
                        FALSE);

  return g_task_propagate_boolean (G_TASK (result), NULL);
}
