/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-audit-pending-private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

struct _GmcpAuditPending
{
  GmcpLogFile *file; /* with a reference */
  GMainContext *context;
  GQueue lines;   /* of Line, the oldest first */
  GQueue waiting; /* of GTask */
  gsize n_bytes;  /* of arguments that are kept for it */

  /* Under the lock: the log has gone, and the threads write their lines themselves. */
  gboolean is_left;
};

/* The owner's and the thread's. */
typedef struct
{
  gatomicrefcount ref_count;
  GmcpAuditPending *owner; /* NULL where it is written */
  GmcpAuditLine line;
  GmcpJsonDoc *doc; /* keeps the bytes */
  const char *raw;
  gsize length;
  char *hash; /* atomic; NULL before it is there */
} Line;

typedef struct
{
  GmcpAuditPending *owner;
  GSource *limit;
} Wait;

/* All there are, for the end of the program. */
static GMutex all_lock;
static GCond all_hashed;
static GPtrArray *all; /* of GmcpAuditPending, not owned */
static guint n_left;   /* of them that nobody owns any more */
static pid_t all_pid;

static void
line_unref (gpointer data)
{
  Line *line = data;

  if (!g_atomic_ref_count_dec (&line->ref_count))
    return;

  gmcp_json_doc_unref (line->doc);
  g_free (line->hash);
  g_free (line);
}

/* Appends the line with the hash, or without the member for NULL. */
static void
append_line (GmcpLogFile *file, GmcpAuditLine *line, const char *hash)
{
  /* The value, and the quote and the rest of the member after it. */
  gsize member_length = line->hash_at + GMCP_AUDIT_HASH_LENGTH + 1 - line->member_at;

  if (hash != NULL)
    memcpy (line->text->str + line->hash_at, hash, GMCP_AUDIT_HASH_LENGTH);
  else
    g_string_erase (line->text, (gssize) line->member_at, (gssize) member_length);
  gmcp_log_file_append (file, line->text->str, line->text->len);
  g_string_free (g_steal_pointer (&line->text), TRUE);
}

static void
write_line (Line *line)
{
  GmcpAuditPending *self = line->owner;

  line->owner = NULL;
  g_queue_remove (&self->lines, line);
  self->n_bytes -= line->length;
  append_line (self->file, &line->line, g_atomic_pointer_get (&line->hash));
  line_unref (line);
}

/* Takes the task out of those that wait. Takes the error, or NULL. */
static void
end_wait (GTask *task, GError *error)
{
  Wait *wait = g_task_get_task_data (task);

  g_queue_remove (&wait->owner->waiting, task);
  g_source_destroy (wait->limit);
  g_source_unref (wait->limit);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

static void
settle_waiting (GmcpAuditPending *self)
{
  GTask *task;

  while (g_queue_is_empty (&self->lines) && (task = g_queue_peek_head (&self->waiting)) != NULL)
    end_wait (task, NULL);
}

static void
on_hashed (GObject *object, GAsyncResult *result, gpointer data)
{
  Line *line = g_task_get_task_data (G_TASK (result));
  GmcpAuditPending *self = line->owner;

  if (self == NULL)
    return;

  write_line (line);
  settle_waiting (self);
}

static void
free_pending (GmcpAuditPending *self)
{
  gmcp_log_file_unref (self->file);
  g_main_context_unref (self->context);
  g_free (self);
}

/* Under the lock. */
static void
free_left (GmcpAuditPending *self)
{
  if (!self->is_left || !g_queue_is_empty (&self->lines))
    return;

  g_ptr_array_remove_fast (all, self);
  n_left--;
  free_pending (self);
}

static void
run_hash (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Line *line = data;
  char *hash
    = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) line->raw, line->length);

  GmcpAuditPending *left;

  g_mutex_lock (&all_lock);
  g_atomic_pointer_set (&line->hash, hash);
  left = line->owner != NULL && line->owner->is_left ? line->owner : NULL;
  if (left != NULL)
    {
      write_line (line);
      free_left (left);
    }
  g_cond_broadcast (&all_hashed);
  g_mutex_unlock (&all_lock);
  g_task_return_boolean (task, TRUE);
}

/* Under the lock. */
static GmcpAuditPending *
find_with_lines (gboolean is_left)
{
  for (guint i = 0; i < all->len; i++)
    {
      GmcpAuditPending *self = g_ptr_array_index (all, i);

      if (self->is_left == is_left && !g_queue_is_empty (&self->lines))
        return self;
    }
  return NULL;
}

/* Before the log file's own, as that was registered earlier. */
void
gmcp_audit_pending_write_all_at_exit (void)
{
  gint64 end_us = g_get_monotonic_time () + GMCP_LIMIT_LOG_EXIT_MS * 1000;
  GmcpAuditPending *self;

  /* The child of a fork has none of the threads, and the lines are its parent's. */
  if (getpid () != all_pid || !g_mutex_trylock (&all_lock))
    return;

  while ((self = find_with_lines (FALSE)) != NULL)
    {
      Line *line = g_queue_peek_head (&self->lines);

      while (g_atomic_pointer_get (&line->hash) == NULL
             && g_cond_wait_until (&all_hashed, &all_lock, end_us))
        continue;
      write_line (line);
    }

  while (n_left > 0 && g_cond_wait_until (&all_hashed, &all_lock, end_us))
    continue;
  while ((self = find_with_lines (TRUE)) != NULL)
    {
      write_line (g_queue_peek_head (&self->lines));
      free_left (self);
    }
  g_mutex_unlock (&all_lock);
}

GmcpAuditPending *
gmcp_audit_pending_new (GmcpLogFile *file)
{
  GmcpAuditPending *self = g_new0 (GmcpAuditPending, 1);

  self->file = gmcp_log_file_ref (file);
  self->context = g_main_context_ref_thread_default ();
  g_queue_init (&self->lines);
  g_queue_init (&self->waiting);

  g_mutex_lock (&all_lock);
  if (all == NULL)
    {
      all = g_ptr_array_new ();
      all_pid = getpid ();
      atexit (gmcp_audit_pending_write_all_at_exit);
    }
  g_ptr_array_add (all, self);
  g_mutex_unlock (&all_lock);
  return self;
}

/* Under the lock. */
static void
write_hashed (GmcpAuditPending *self)
{
  GList *next;

  for (GList *l = self->lines.head; l != NULL; l = next)
    {
      Line *line = l->data;

      next = l->next;
      if (g_atomic_pointer_get (&line->hash) != NULL)
        write_line (line);
    }
}

void
gmcp_audit_pending_free (GmcpAuditPending *self)
{
  g_mutex_lock (&all_lock);
  write_hashed (self);
  self->is_left = TRUE;
  n_left++;
  free_left (self);
  g_mutex_unlock (&all_lock);
}

void
gmcp_audit_pending_take (GmcpAuditPending *self, GmcpAuditLine *line, GmcpJsonValue arguments)
{
  g_autoptr (GTask) task = NULL;
  gsize length;
  const char *raw = gmcp_json_value_peek_raw (arguments, &length);
  Line *kept;

  /* Above the limit a call is written without its hash, so that large calls do not take all
   * memory. */
  if (self->n_bytes + length > GMCP_LIMIT_AUDIT_PENDING_BYTES)
    {
      append_line (self->file, line, NULL);
      return;
    }

  kept = g_new0 (Line, 1);
  g_atomic_ref_count_init (&kept->ref_count);
  g_atomic_ref_count_inc (&kept->ref_count);
  kept->owner = self;
  kept->line = *line;
  kept->doc = gmcp_json_doc_ref (arguments.doc);
  kept->raw = raw;
  kept->length = length;
  line->text = NULL;
  g_queue_push_tail (&self->lines, kept);
  self->n_bytes += length;

  g_main_context_push_thread_default (self->context);
  task = g_task_new (NULL, NULL, on_hashed, NULL);
  g_main_context_pop_thread_default (self->context);
  g_task_set_source_tag (task, gmcp_audit_pending_take);
  g_task_set_task_data (task, kept, line_unref);
  g_task_run_in_thread (task, run_hash);
}

static gboolean
on_limit (gpointer data)
{
  end_wait (data, g_error_new (G_IO_ERROR, G_IO_ERROR_TIMED_OUT,
                               _ ("Large arguments could not be hashed within %u ms"),
                               GMCP_LIMIT_LOG_FLUSH_MS));
  return G_SOURCE_REMOVE;
}

void
gmcp_audit_pending_wait_async (GmcpAuditPending *self,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Wait *wait;

  g_task_set_source_tag (task, gmcp_audit_pending_wait_async);
  if (g_queue_is_empty (&self->lines))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  wait = g_new (Wait, 1);
  wait->owner = self;
  wait->limit = g_timeout_source_new (GMCP_LIMIT_LOG_FLUSH_MS);
  g_source_set_static_name (wait->limit, "[gmcp] hash for the audit log");
  g_source_set_callback (wait->limit, on_limit, task, NULL);
  g_source_attach (wait->limit, self->context);
  g_task_set_task_data (task, wait, g_free);
  g_queue_push_tail (&self->waiting, g_steal_pointer (&task));
}

gboolean
gmcp_audit_pending_wait_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
