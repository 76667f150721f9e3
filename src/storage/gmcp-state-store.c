/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-state-store-private.h"

#include "gmcp-bounded-operation-private.h"
#include "gmcp-file-watch-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-local-file-private.h"

#include <gmcp/core/gmcp-error.h>

typedef struct
{
  const GmcpStateKind *kind;
  char *digest;         /* of what counts of the file; NULL for nothing */
  GmcpFileWatch *watch; /* NULL until the files were first read */
  gboolean is_changing;
  GQueue changes; /* of Keeping: in the order in which they are made, one after the other */
} StoredFile;

struct _GmcpStateStore
{
  GObject *owner; /* not owned */
  GMainContext *context;
  const GmcpStateStoreFuncs *funcs;
  GFile *folder; /* NULL for the user's */
  StoredFile *files;
  guint n_files;
  guint n_keeping;   /* changes of files that are under way */
  gboolean is_stale; /* a file has changed meanwhile */
  gboolean is_closed;
  GSource *watch_due; /* NULL until the files are first read */
  GmcpStateStoreCounts counts;
};

/* A change of a file that is under way, or waits for those before it. */
typedef struct
{
  GmcpBoundedOperation *operation;
  GmcpStateStore *store;
  StoredFile *file;
  char *path;
  GmcpStateFileFunc func;
  gpointer data;
  GDestroyNotify destroy; /* of the data */
  GTask *task;            /* of somebody who waits for the change; NULL for nobody */
} Keeping;

static void
keeping_free (Keeping *keeping)
{
  g_clear_object (&keeping->task);
  g_free (keeping->path);
  g_free (keeping);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Keeping, keeping_free)

static void on_kept (GObject *object, GAsyncResult *result, gpointer data);

static void
begin_keeping (GmcpStateStore *self, Keeping *keeping)
{
  keeping->file->is_changing = TRUE;
  g_main_context_push_thread_default (self->context);
  gmcp_state_file_change_async (keeping->path, keeping->func, keeping->data, keeping->destroy,
                                gmcp_bounded_operation_get_cancellable (keeping->operation),
                                on_kept, keeping);
  g_main_context_pop_thread_default (self->context);
}

GmcpStateStore *
gmcp_state_store_new (GObject *owner,
                      GMainContext *context,
                      const GmcpStateKind *kinds,
                      guint n_kinds,
                      const GmcpStateStoreFuncs *funcs)
{
  GmcpStateStore *self = g_new0 (GmcpStateStore, 1);

  self->owner = owner;
  self->context = g_main_context_ref (context);
  self->funcs = funcs;
  self->files = g_new0 (StoredFile, n_kinds);
  self->n_files = n_kinds;
  for (guint i = 0; i < n_kinds; i++)
    {
      self->files[i].kind = &kinds[i];
      g_queue_init (&self->files[i].changes);
    }
  return self;
}

void
gmcp_state_store_free (GmcpStateStore *self)
{
  if (self->watch_due != NULL)
    g_source_destroy (self->watch_due);
  g_clear_pointer (&self->watch_due, g_source_unref);
  for (guint i = 0; i < self->n_files; i++)
    {
      Keeping *keeping;

      /* Nobody is there to begin them one by one. */
      while ((keeping = g_queue_pop_head (&self->files[i].changes)) != NULL)
        begin_keeping (self, keeping);
      g_free (self->files[i].digest);
      g_clear_pointer (&self->files[i].watch, gmcp_file_watch_free);
    }
  g_free (self->files);
  g_clear_object (&self->folder);
  g_main_context_unref (self->context);
  g_free (self);
}

gboolean
gmcp_state_store_set_folder (GmcpStateStore *self, GFile *folder)
{
  if (gmcp_file_equal_or_null (self->folder, folder))
    return FALSE;

  g_set_object (&self->folder, folder);
  return TRUE;
}

GFile *
gmcp_state_store_get_folder (GmcpStateStore *self)
{
  return self->folder;
}

char *
gmcp_state_store_dup_path (GmcpStateStore *self, const char *name)
{
  if (self->folder != NULL)
    return g_build_filename (g_file_peek_path (self->folder), name, NULL);

  return g_build_filename (g_get_user_state_dir (), "gmcp", name, NULL);
}

static StoredFile *
find_file (GmcpStateStore *self, const char *name)
{
  for (guint i = 0; i < self->n_files; i++)
    if (g_str_equal (self->files[i].kind->name, name))
      return &self->files[i];

  g_assert_not_reached ();
}

/* What does not hold meanwhile, and what helps: the sentence says both. */
static void
report_loss (GmcpStateStore *self, const GmcpStateKind *kind, const GError *error)
{
  g_autofree char *path = gmcp_state_store_dup_path (self, kind->name);
  const char *outcome = kind->describe_loss (self->owner);
  g_autofree char *message = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    message = g_strdup_printf (_ ("%s could not be read within %u ms: %s"), path,
                               GMCP_DEFAULT_STATE_READ_MS, outcome);
  else
    message = g_strdup_printf (_ ("%s could not be read: %s; %s"), path, error->message, outcome);
  self->funcs->warn (self->owner, message);
}

/* What holds the same as before, such as what was kept here, changes nothing. */
static void
take_file (GmcpStateStore *self,
           StoredFile *file,
           const GmcpStateFileContent *content,
           gboolean again)
{
  const GmcpStateKind *kind = file->kind;
  g_autoptr (GError) error = content->error != NULL ? g_error_copy (content->error) : NULL;

  if (again && error == NULL && g_strcmp0 (file->digest, content->digest) == 0)
    return;

  self->counts.n_taken += again;
  g_free (file->digest);
  file->digest = g_strdup (content->digest);
  if (kind->describe_loss == NULL)
    g_clear_error (&error);
  if (error == NULL)
    kind->take (self->owner, content->bytes, &error);
  if (error != NULL && kind->describe_loss != NULL)
    report_loss (self, kind, error);
}

typedef struct
{
  GmcpBoundedOperation *operation;
  GmcpStateStore *store;
  GmcpStateLoadedFunc func; /* NULL where a file was changed by somebody else */
  gpointer data;
} Reading;

/* What is being kept here just now is not in what was read. */
static gboolean
is_outdated (Reading *reading)
{
  if (reading->func != NULL || reading->store->n_keeping == 0)
    return FALSE;

  reading->store->is_stale = TRUE;
  return TRUE;
}

static void
on_files_read (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autofree Reading *reading = data;
  g_autoptr (GObject) owner = gmcp_bounded_operation_end (reading->operation);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) contents = gmcp_state_file_read_all_finish (result, &error);
  gboolean again = reading->func == NULL;
  GmcpStateStore *self;

  if (owner == NULL)
    return;

  self = reading->store;
  for (guint i = 0; i < self->n_files && !is_outdated (reading); i++)
    {
      GmcpStateFileContent none = { NULL, error, NULL };

      take_file (self, &self->files[i], contents != NULL ? g_ptr_array_index (contents, i) : &none,
                 again);
    }

  if (again)
    self->counts.n_looks++;
  else
    reading->func (owner, reading->data);
}

static void
read_files (GmcpStateStore *self, GmcpStateLoadedFunc func, gpointer data)
{
  Reading *reading = g_new0 (Reading, 1);
  g_auto (GStrv) paths = g_new0 (char *, self->n_files + 1);

  reading->operation = gmcp_bounded_operation_new (self->owner, self->context);
  reading->store = self;
  reading->func = func;
  reading->data = data;
  for (guint i = 0; i < self->n_files; i++)
    paths[i] = gmcp_state_store_dup_path (self, self->files[i].kind->name);
  gmcp_state_file_read_all_async ((const char *const *) paths,
                                  gmcp_bounded_operation_get_cancellable (reading->operation),
                                  on_files_read, reading);
}

static void
on_files_changed (gpointer data)
{
  GmcpStateStore *self = data;

  self->is_stale = self->n_keeping > 0;
  if (self->is_stale || self->is_closed)
    return;

  g_main_context_push_thread_default (self->context);
  read_files (self, NULL, NULL);
  g_main_context_pop_thread_default (self->context);
}

static void
watch_file (GmcpStateStore *self, StoredFile *stored)
{
  g_autofree char *path = gmcp_state_store_dup_path (self, stored->kind->name);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  stored->watch = gmcp_file_watch_new (file, GMCP_DEFAULT_STATE_DELAY_MS, on_files_changed, self);
  gmcp_file_watch_begin (stored->watch);
}

static gboolean
on_watch_due (gpointer data)
{
  GmcpStateStore *self = data;

  if (self->is_closed)
    return G_SOURCE_REMOVE;

  g_main_context_push_thread_default (self->context);
  for (guint i = 0; i < self->n_files; i++)
    if (self->files[i].kind->is_watched)
      watch_file (self, &self->files[i]);
  g_main_context_pop_thread_default (self->context);
  self->counts.is_watching = TRUE;
  /* The files may have changed before they were watched. */
  on_files_changed (self);
  return G_SOURCE_REMOVE;
}

void
gmcp_state_store_load (GmcpStateStore *self, GmcpStateLoadedFunc func, gpointer data)
{
  /* A program that makes one call and ends is quicker without. */
  if (self->watch_due == NULL)
    {
      self->watch_due = g_timeout_source_new (GMCP_DEFAULT_STATE_DELAY_MS);
      g_source_set_static_name (self->watch_due, "[gmcp] state watch");
      g_source_set_callback (self->watch_due, on_watch_due, self, NULL);
      g_source_attach (self->watch_due, self->context);
    }
  read_files (self, func, data);
}

/* What stands there now is what is known here, unless somebody else had changed it before. */
static void
learn_kept (StoredFile *file, GAsyncResult *result)
{
  const char *before;
  const char *after;

  gmcp_state_file_change_get_digests (result, &before, &after);
  if (g_strcmp0 (file->digest, before) == 0)
    {
      g_free (file->digest);
      file->digest = g_strdup (after);
    }
}

static void
report_unkept (Keeping *keeping, const GError *error)
{
  GmcpStateStore *self = keeping->store;
  g_autofree char *message = NULL;

  if (keeping->file->kind->describe_loss == NULL)
    {
      g_debug ("%s: %s", keeping->path, error->message);
      return;
    }

  /* Nobody waits longer for a slow disk, or for another program that holds the lock; a close does not
   * either. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    message = g_strdup_printf (_ ("What was decided could not be kept in %s within %u ms"),
                               keeping->path, GMCP_DEFAULT_STATE_READ_MS);
  else
    message = g_strdup_printf (_ ("What was decided could not be kept in %s: %s"), keeping->path,
                               error->message);
  self->funcs->warn (self->owner, message);
}

static void
begin_next (GmcpStateStore *self, StoredFile *file)
{
  Keeping *next = g_queue_pop_head (&file->changes);

  file->is_changing = FALSE;
  if (next != NULL)
    begin_keeping (self, next);
}

/* An end by the cancellable is the end of the time that a change may take. */
static void
return_change (Keeping *keeping, GError *error)
{
  if (error == NULL)
    g_task_return_boolean (keeping->task, TRUE);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_task_return_new_error (keeping->task, GMCP_ERROR, GMCP_ERROR_TIMED_OUT,
                             _ ("%s could not be changed within %u ms"), keeping->path,
                             GMCP_DEFAULT_STATE_READ_MS);
  else
    g_task_return_error (keeping->task, g_error_copy (error));
}

static void
on_kept (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (Keeping) keeping = data;
  g_autoptr (GObject) owner = gmcp_bounded_operation_end (keeping->operation);
  g_autoptr (GError) error = NULL;
  GmcpStateStore *self;

  if (gmcp_state_file_change_finish (result, &error) && owner != NULL)
    learn_kept (keeping->file, result);
  if (keeping->task != NULL)
    return_change (keeping, error);
  if (owner == NULL)
    return;

  self = keeping->store;
  if (error != NULL && keeping->task == NULL)
    report_unkept (keeping, error);

  begin_next (self, keeping->file);
  if (--self->n_keeping > 0)
    return;
  if (self->is_stale)
    on_files_changed (self);
  self->funcs->settled (owner);
}

/* Takes data. */
static void
queue_keeping (GmcpStateStore *self,
               const char *name,
               GmcpStateFileFunc func,
               gpointer data,
               GDestroyNotify destroy,
               GTask *task)
{
  Keeping *keeping = g_new0 (Keeping, 1);

  keeping->operation = gmcp_bounded_operation_new (self->owner, self->context);
  keeping->store = self;
  keeping->file = find_file (self, name);
  keeping->path = gmcp_state_store_dup_path (self, name);
  keeping->func = func;
  keeping->data = data;
  keeping->destroy = destroy;
  keeping->task = task != NULL ? g_object_ref (task) : NULL;
  self->n_keeping++;
  if (keeping->file->is_changing)
    g_queue_push_tail (&keeping->file->changes, keeping);
  else
    begin_keeping (self, keeping);
}

void
gmcp_state_store_keep (GmcpStateStore *self,
                       const char *name,
                       GmcpStateFileFunc func,
                       gpointer data,
                       GDestroyNotify destroy)
{
  queue_keeping (self, name, func, data, destroy, NULL);
}

void
gmcp_state_store_change_async (GmcpStateStore *self,
                               const char *name,
                               GmcpStateFileFunc func,
                               gpointer data,
                               GDestroyNotify destroy,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, gmcp_state_store_change_async);
  queue_keeping (self, name, func, data, destroy, task);
}

gboolean
gmcp_state_store_change_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_state_store_change_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
gmcp_state_store_is_keeping (GmcpStateStore *self)
{
  return self->n_keeping > 0;
}

void
gmcp_state_store_close (GmcpStateStore *self)
{
  self->is_closed = TRUE;
}

GmcpStateStoreCounts
gmcp_state_store_count (GmcpStateStore *self)
{
  return self->counts;
}
