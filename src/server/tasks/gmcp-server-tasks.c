/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/core/gmcp-error.h>
#include <gmcp/json-rpc/gmcp-rpc-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-random-private.h"
#include "gmcp-record-folder-private.h"
#include "gmcp-server-task-struct-private.h"

#define ID_BYTES       20u
#define LEFT_BEHIND    "Internal error: the server ended before the task did"
#define LEAST_SWEEP_MS 1000

/* What one owner has. */
typedef struct
{
  guint n_tasks;
  gsize n_bytes;
} Account;

/* Somebody who waits for the folder. It may outlive the table. */
typedef struct
{
  GmcpServerTasks *self; /* not owned; NULL once gone, of one that loads */
  GmcpServerTask *task;  /* nullable */
  GmcpTaskStatus status; /* that the task is to have */
  char *message;
  GmcpServerTaskMadeFunc made;
  GmcpServerTasksLoadedFunc loaded;
  gpointer data;
} Waiting;

struct _GmcpServerTasks
{
  GMainContext *context;
  GHashTable *by_id;    /* id -> GmcpServerTask (owned) */
  GHashTable *accounts; /* owner -> Account */
  GQueue in_order;      /* of GmcpServerTask, the oldest first */
  gsize n_bytes;
  GSource *sweep; /* nullable: when the next of them has to go */
  guint max_tasks;
  guint ttl_ms;
  guint poll_interval_ms;
  GmcpRecordFolder *folder; /* nullable */
  Waiting *loading;         /* nullable: who waits for the folder */
};

static void
waiting_free (Waiting *waiting)
{
  g_clear_pointer (&waiting->task, gmcp_server_task_unref);
  g_free (waiting->message);
  g_free (waiting);
}

GmcpServerTasks *
gmcp_server_tasks_new (void)
{
  GmcpServerTasks *self = g_new0 (GmcpServerTasks, 1);

  self->context = g_main_context_ref_thread_default ();
  self->by_id = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                       (GDestroyNotify) gmcp_server_task_unref);
  self->accounts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->max_tasks = GMCP_DEFAULT_SERVER_TASKS;
  self->ttl_ms = GMCP_DEFAULT_SERVER_TASK_TTL_MS;
  self->poll_interval_ms = GMCP_DEFAULT_SERVER_TASK_POLL_MS;
  return self;
}

/* Accounts */

static Account *
find_account (GmcpServerTasks *self, const char *owner)
{
  Account *account = g_hash_table_lookup (self->accounts, owner);

  if (account == NULL)
    {
      account = g_new0 (Account, 1);
      g_hash_table_insert (self->accounts, g_strdup (owner), account);
    }
  return account;
}

/* account is NULL for an owner who has nothing yet. */
static gboolean
has_room (GmcpServerTasks *self, const Account *account, gsize n_bytes)
{
  gsize n_owner_bytes = account != NULL ? account->n_bytes : 0;

  return n_bytes <= GMCP_LIMIT_SERVER_TASK_BYTES - MIN (self->n_bytes, GMCP_LIMIT_SERVER_TASK_BYTES)
         && n_bytes <= GMCP_LIMIT_SERVER_USER_TASK_BYTES
                         - MIN (n_owner_bytes, GMCP_LIMIT_SERVER_USER_TASK_BYTES);
}

gboolean
gmcp_server_tasks_charge (GmcpServerTasks *self, GmcpServerTask *task, gsize n_bytes)
{
  Account *account = find_account (self, task->owner);

  if (!has_room (self, account, n_bytes))
    return FALSE;

  task->n_bytes += n_bytes;
  account->n_bytes += n_bytes;
  self->n_bytes += n_bytes;
  return TRUE;
}

void
gmcp_server_tasks_release (GmcpServerTasks *self, GmcpServerTask *task, gsize n_bytes)
{
  task->n_bytes -= n_bytes;
  find_account (self, task->owner)->n_bytes -= n_bytes;
  self->n_bytes -= n_bytes;
}

/* Coming and going */

static void plan_sweep (GmcpServerTasks *self);

static void
take_in (GmcpServerTasks *self, GmcpServerTask *task)
{
  Account *account = find_account (self, task->owner);

  task->table = self;
  task->poll_interval_ms = self->poll_interval_ms;
  task->expires_us
    = g_date_time_to_unix (task->created) * G_USEC_PER_SEC + task->ttl_ms * (gint64) 1000;
  account->n_tasks++;
  account->n_bytes += task->n_bytes;
  self->n_bytes += task->n_bytes;
  g_queue_push_tail (&self->in_order, task);
  task->link = self->in_order.tail;
  g_hash_table_insert (self->by_id, task->id, task);
}

static void
take_out (GmcpServerTasks *self, GmcpServerTask *task)
{
  Account *account = find_account (self, task->owner);

  account->n_bytes -= task->n_bytes;
  self->n_bytes -= task->n_bytes;
  if (--account->n_tasks == 0)
    g_hash_table_remove (self->accounts, task->owner);
  g_queue_delete_link (&self->in_order, g_steal_pointer (&task->link));
  task->table = NULL;
  g_hash_table_remove (self->by_id, task->id);
}

/* The task is gone for everybody, and whatever still works for it need not. */
static void
expire_task (GmcpServerTasks *self, GmcpServerTask *task)
{
  g_autoptr (GmcpServerTask) alive G_GNUC_UNUSED = gmcp_server_task_ref (task);

  if (self->folder != NULL)
    gmcp_record_folder_put (self->folder, task->id, NULL, NULL, NULL);
  take_out (self, task);
  if (gmcp_server_task_is_final (task))
    return;

  if (task->error_message == NULL)
    {
      task->code = GMCP_RPC_ERROR_INTERNAL;
      task->error_message = g_strdup ("The time of the task is over");
    }
  gmcp_server_task_finish (task, GMCP_TASK_STATUS_CANCELLED, "The time of the task is over");
}

static gboolean
sweep_tasks (gpointer data)
{
  GmcpServerTasks *self = data;
  gint64 now_us = g_get_real_time ();
  g_autoptr (GPtrArray) expired
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_server_task_unref);

  g_clear_pointer (&self->sweep, g_source_unref);
  for (GList *link = self->in_order.head; link != NULL; link = link->next)
    if (((GmcpServerTask *) link->data)->expires_us <= now_us)
      g_ptr_array_add (expired, gmcp_server_task_ref (link->data));
  for (guint i = 0; i < expired->len; i++)
    {
      GmcpServerTask *task = g_ptr_array_index (expired, i);

      /* One that ended may have taken others with it. */
      if (task->table == self)
        expire_task (self, task);
    }
  plan_sweep (self);
  return G_SOURCE_REMOVE;
}

static void
plan_sweep (GmcpServerTasks *self)
{
  gint64 next_us = G_MAXINT64;
  gint64 wait_ms;

  if (self->sweep != NULL || g_queue_is_empty (&self->in_order))
    return;

  for (GList *link = self->in_order.head; link != NULL; link = link->next)
    next_us = MIN (next_us, ((GmcpServerTask *) link->data)->expires_us);
  wait_ms = (next_us - g_get_real_time ()) / 1000 + 1;
  self->sweep = g_timeout_source_new (
    (guint) CLAMP (wait_ms, LEAST_SWEEP_MS, GMCP_DEFAULT_SERVER_TASK_TTL_MS));
  g_source_set_static_name (self->sweep, "[gmcp] tasks that have to go");
  g_source_set_callback (self->sweep, sweep_tasks, self, NULL);
  g_source_attach (self->sweep, self->context);
}

static char *
make_id (void)
{
  g_autoptr (GBytes) bytes = gmcp_random_new_bytes (ID_BYTES);
  const guint8 *data = g_bytes_get_data (bytes, NULL);
  GString *id = g_string_new (NULL);

  for (guint i = 0; i < ID_BYTES; i++)
    g_string_append_printf (id, "%02x", data[i]);
  return g_string_free (id, FALSE);
}

GmcpServerTask *
gmcp_server_tasks_make (GmcpServerTasks *self,
                        const char *owner,
                        const char *tool,
                        gint64 wished_ttl_ms,
                        gsize call_bytes,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autofree char *id = NULL;
  GmcpServerTask *task;
  Account *account = g_hash_table_lookup (self->accounts, owner);

  if (g_queue_get_length (&self->in_order) >= GMCP_LIMIT_SERVER_TASKS
      || (account != NULL && account->n_tasks >= self->max_tasks))
    {
      g_set_error_literal (
        error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
        "Internal error: too many tasks are kept; try again when some have expired");
      return NULL;
    }
  if (!has_room (self, account, call_bytes))
    {
      g_set_error_literal (
        error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
        "Internal error: there is no room to keep the call; try again when tasks have ended");
      return NULL;
    }

  id = make_id ();
  task = gmcp_server_task_new (id, owner, tool);
  task->ttl_ms = self->ttl_ms;
  if (wished_ttl_ms > 0)
    task->ttl_ms = MIN (wished_ttl_ms, task->ttl_ms);
  task->cancellable = g_object_ref (cancellable);
  task->call_bytes = call_bytes;
  task->n_bytes = call_bytes;
  take_in (self, task);
  /* A later one may have less time. */
  if (self->sweep != NULL && wished_ttl_ms > 0)
    {
      g_source_destroy (self->sweep);
      g_clear_pointer (&self->sweep, g_source_unref);
    }
  plan_sweep (self);
  return task;
}

GmcpServerTask *
gmcp_server_tasks_find (GmcpServerTasks *self, const char *owner, const char *id)
{
  GmcpServerTask *task = g_hash_table_lookup (self->by_id, id);

  if (task == NULL || !g_str_equal (task->owner, owner) || task->expires_us <= g_get_real_time ())
    return NULL;
  return task;
}

GPtrArray *
gmcp_server_tasks_list (GmcpServerTasks *self,
                        const char *owner,
                        GmcpServerTask *after,
                        guint max_tasks)
{
  GPtrArray *tasks = g_ptr_array_new ();
  gint64 now_us = g_get_real_time ();

  for (GList *link = after != NULL ? after->link->next : self->in_order.head;
       link != NULL && tasks->len < max_tasks; link = link->next)
    {
      GmcpServerTask *task = link->data;

      if (task->expires_us > now_us && g_str_equal (task->owner, owner))
        g_ptr_array_add (tasks, task);
    }
  return tasks;
}

void
gmcp_server_tasks_drop (GmcpServerTasks *self, GmcpServerTask *task)
{
  if (task->table == self)
    expire_task (self, task);
}

/* The folder */

static void
on_kept (const GError *error, gpointer data)
{
  Waiting *waiting = data;

  if (waiting->made != NULL)
    waiting->made (waiting->task, error, waiting->data);
  waiting_free (waiting);
}

void
gmcp_server_tasks_keep (GmcpServerTasks *self,
                        GmcpServerTask *task,
                        GmcpServerTaskMadeFunc made,
                        gpointer data)
{
  g_autoptr (GBytes) record = NULL;
  Waiting *waiting;

  if (self->folder == NULL)
    {
      made (task, NULL, data);
      return;
    }

  waiting = g_new0 (Waiting, 1);
  waiting->task = gmcp_server_task_ref (task);
  waiting->made = made;
  waiting->data = data;
  record = gmcp_server_task_write_record (task, task->status);
  gmcp_record_folder_put (self->folder, task->id, record, on_kept, waiting);
}

/* What could not be kept is told all the same, as long as the process lives. */
static void
on_end_kept (const GError *error, gpointer data)
{
  Waiting *waiting = data;

  if (error != NULL)
    g_message ("What came of a task could not be kept: %s", error->message);
  if (waiting->task->table != NULL && !gmcp_server_task_is_final (waiting->task))
    gmcp_server_task_finish (waiting->task, waiting->status, waiting->message);
  waiting_free (waiting);
}

void
gmcp_server_tasks_keep_end (GmcpServerTasks *self,
                            GmcpServerTask *task,
                            GmcpTaskStatus status,
                            const char *message)
{
  gboolean at_once = status == GMCP_TASK_STATUS_CANCELLED;

  if (self != NULL && self->folder != NULL)
    {
      g_autoptr (GBytes) record = gmcp_server_task_write_record (task, status);
      Waiting *waiting = NULL;

      if (!at_once)
        {
          waiting = g_new0 (Waiting, 1);
          waiting->task = gmcp_server_task_ref (task);
          waiting->status = status;
          waiting->message = g_strdup (message);
        }
      gmcp_record_folder_put (self->folder, task->id, record, at_once ? NULL : on_end_kept,
                              waiting);
      if (!at_once)
        return;
    }
  gmcp_server_task_finish (task, status, message);
}

/* What a process that ended was at will not be done. */
static void
take_record (GmcpServerTasks *self, GmcpRecord *record)
{
  GmcpServerTask *task = gmcp_server_task_read_record (record->name, record->bytes);
  gboolean left_behind;

  if (task == NULL)
    {
      g_message ("%s is no record of a task, and is left as it is", record->name);
      return;
    }

  left_behind = !gmcp_server_task_is_final (task);
  if (left_behind)
    {
      task->status = GMCP_TASK_STATUS_FAILED;
      task->code = GMCP_RPC_ERROR_INTERNAL;
      task->error_message = g_strdup (LEFT_BEHIND);
    }
  take_in (self, task);
  if (task->expires_us <= g_get_real_time ())
    expire_task (self, task);
  else if (left_behind)
    {
      g_autoptr (GBytes) written = gmcp_server_task_write_record (task, task->status);

      gmcp_record_folder_put (self->folder, task->id, written, NULL, NULL);
    }
}

static int
compare_tasks (gconstpointer a, gconstpointer b, gpointer data)
{
  const GmcpServerTask *first = a;
  const GmcpServerTask *second = b;

  return g_date_time_compare (first->created, second->created);
}

static void
on_folder_opened (GPtrArray *records, const GError *error, gpointer data)
{
  Waiting *waiting = data;
  GmcpServerTasks *self = waiting->self;

  if (self != NULL)
    {
      self->loading = NULL;
      if (error != NULL)
        {
          g_message ("Tasks are not kept over the end of this process: %s", error->message);
          g_clear_pointer (&self->folder, gmcp_record_folder_unref);
        }
      for (guint i = 0; records != NULL && i < records->len; i++)
        take_record (self, g_ptr_array_index (records, i));
      g_queue_sort (&self->in_order, compare_tasks, NULL);
      plan_sweep (self);
      waiting->loaded (waiting->data);
    }
  waiting_free (waiting);
}

void
gmcp_server_tasks_load (GmcpServerTasks *self,
                        const char *path,
                        GmcpServerTasksLoadedFunc loaded,
                        gpointer data)
{
  if (path == NULL)
    {
      loaded (data);
      return;
    }

  self->folder = gmcp_record_folder_new (path, self->context);
  self->loading = g_new0 (Waiting, 1);
  self->loading->self = self;
  self->loading->loaded = loaded;
  self->loading->data = data;
  gmcp_record_folder_open (self->folder, GMCP_LIMIT_SERVER_TASKS, GMCP_LIMIT_SERVER_USER_TASK_BYTES,
                           on_folder_opened, self->loading);
}

void
gmcp_server_tasks_set_max_tasks (GmcpServerTasks *self, guint max_tasks)
{
  self->max_tasks = max_tasks;
}

void
gmcp_server_tasks_set_ttl_ms (GmcpServerTasks *self, guint ttl_ms)
{
  self->ttl_ms = ttl_ms;
}

guint
gmcp_server_tasks_get_ttl_ms (GmcpServerTasks *self)
{
  return self->ttl_ms;
}

void
gmcp_server_tasks_set_poll_interval_ms (GmcpServerTasks *self, guint poll_interval_ms)
{
  self->poll_interval_ms = poll_interval_ms;
}

/* What is at work is in the folder as such, and has failed for the next process that opens it. */
void
gmcp_server_tasks_free (GmcpServerTasks *self)
{
  GmcpServerTask *task;

  if (self->loading != NULL)
    self->loading->self = NULL;
  while ((task = g_queue_peek_head (&self->in_order)) != NULL)
    {
      g_autoptr (GmcpServerTask) alive G_GNUC_UNUSED = gmcp_server_task_ref (task);

      take_out (self, task);
      if (!gmcp_server_task_is_final (task))
        gmcp_server_task_finish (task, GMCP_TASK_STATUS_CANCELLED, "The server has ended");
    }
  if (self->sweep != NULL)
    {
      g_source_destroy (self->sweep);
      g_source_unref (self->sweep);
    }
  g_clear_pointer (&self->folder, gmcp_record_folder_unref);
  g_hash_table_unref (self->by_id);
  g_hash_table_unref (self->accounts);
  g_main_context_unref (self->context);
  g_free (self);
}
