/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-record-folder-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#define SUFFIX    ".json"
#define LOCK_NAME "lock"

typedef enum
{
  OPERATION_OPEN,
  OPERATION_PUT,
} OperationKind;

/* One thing that is to be done. Its thread has it alone until it is done. */
typedef struct
{
  OperationKind kind;
  char *folder;
  int lock;          /* of the folder, where it has been taken; -1 */
  char *name;        /* of a record */
  GBytes *bytes;     /* nullable */
  guint max_records; /* of a folder that is opened */
  gsize max_bytes;
  GPtrArray *records; /* nullable: what was read */
  GmcpRecordFolderOpenedFunc opened;
  GmcpRecordFolderDoneFunc done; /* nullable */
  gpointer data;
} Operation;

struct _GmcpRecordFolder
{
  char *path;
  GMainContext *context;
  int lock;       /* -1 while the folder is not open */
  GQueue queue;   /* of Operation; the first is under way */
  GSource *limit; /* of the first; nullable */
  GCancellable *cancellable;
};

static void
record_free (gpointer data)
{
  GmcpRecord *record = data;

  g_free (record->name);
  g_bytes_unref (record->bytes);
  g_free (record);
}

static void
operation_free (gpointer data)
{
  Operation *operation = data;

  if (operation->lock >= 0)
    close (operation->lock);
  g_free (operation->folder);
  g_free (operation->name);
  g_clear_pointer (&operation->bytes, g_bytes_unref);
  g_clear_pointer (&operation->records, g_ptr_array_unref);
  g_free (operation);
}

/* In the thread */

static gboolean
set_errno (const char *path, GError **error)
{
  int saved = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved), "%s: %s", path,
               g_strerror (saved));
  return FALSE;
}

static gboolean
take_lock (Operation *operation, GError **error)
{
  g_autofree char *path = g_build_filename (operation->folder, LOCK_NAME, NULL);

  operation->lock = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (operation->lock < 0)
    return set_errno (path, error);
  if (flock (operation->lock, LOCK_EX | LOCK_NB) == 0)
    return TRUE;

  if (errno != EWOULDBLOCK)
    return set_errno (path, error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY, _ ("%s: another process uses this folder"),
               operation->folder);
  return FALSE;
}

/* NULL for what is no file of a record. */
static GBytes *
read_record (const char *path, gsize max_bytes)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  g_autoptr (GMappedFile) mapped = NULL;
  struct stat info;

  if (fd < 0)
    return NULL;
  if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && info.st_size > 0
      && (guint64) info.st_size <= max_bytes)
    mapped = g_mapped_file_new_from_fd (fd, FALSE, NULL);
  close (fd);
  return mapped != NULL
           ? g_bytes_new (g_mapped_file_get_contents (mapped), g_mapped_file_get_length (mapped))
           : NULL;
}

static gboolean
open_folder (Operation *operation, GError **error)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (g_mkdir_with_parents (operation->folder, 0700) != 0)
    return set_errno (operation->folder, error);
  if (!take_lock (operation, error))
    return FALSE;
  dir = g_dir_open (operation->folder, 0, error);
  if (dir == NULL)
    return FALSE;

  operation->records = g_ptr_array_new_with_free_func (record_free);
  while ((name = g_dir_read_name (dir)) != NULL && operation->records->len < operation->max_records)
    {
      g_autofree char *path = g_build_filename (operation->folder, name, NULL);
      GmcpRecord *record;
      GBytes *bytes;

      if (!g_str_has_suffix (name, SUFFIX))
        continue;
      bytes = read_record (path, operation->max_bytes);
      if (bytes == NULL)
        continue;
      record = g_new0 (GmcpRecord, 1);
      record->name = g_strndup (name, strlen (name) - strlen (SUFFIX));
      record->bytes = bytes;
      g_ptr_array_add (operation->records, record);
    }
  return TRUE;
}

static gboolean
put_record (Operation *operation, GError **error)
{
  g_autofree char *file = g_strconcat (operation->name, SUFFIX, NULL);
  g_autofree char *path = g_build_filename (operation->folder, file, NULL);

  if (operation->bytes == NULL)
    return g_unlink (path) == 0 || errno == ENOENT || set_errno (path, error);
  return g_file_set_contents_full (path, g_bytes_get_data (operation->bytes, NULL),
                                   (gssize) g_bytes_get_size (operation->bytes),
                                   G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

static void
run_operation (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Operation *operation = data;
  GError *error = NULL;
  gboolean good = operation->kind == OPERATION_OPEN ? open_folder (operation, &error)
                                                    : put_record (operation, &error);

  if (good)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* The queue */

static void start_first (GmcpRecordFolder *self);

static void
clear_limit (GmcpRecordFolder *self)
{
  if (self->limit == NULL)
    return;

  g_source_destroy (self->limit);
  g_clear_pointer (&self->limit, g_source_unref);
}

static void
tell_outcome (Operation *operation, const GError *error)
{
  if (operation->opened != NULL)
    operation->opened (error == NULL ? operation->records : NULL, error, operation->data);
  else if (operation->done != NULL)
    operation->done (error, operation->data);
}

/* An operation that took too long still has its thread, which frees what it works on. */
static void
on_run (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpRecordFolder) self = data;
  Operation *operation = g_task_get_task_data (G_TASK (result));
  Operation told
    = { .opened = operation->opened, .done = operation->done, .data = operation->data };
  g_autoptr (GError) error = NULL;

  clear_limit (self);
  g_clear_object (&self->cancellable);
  g_queue_pop_head (&self->queue);
  if (g_task_propagate_boolean (G_TASK (result), &error))
    {
      told.records = operation->records;
      if (operation->kind == OPERATION_OPEN)
        {
          self->lock = operation->lock;
          operation->lock = -1;
        }
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_error (&error);
      g_set_error (&error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, _ ("%s: the disk does not answer"),
                   self->path);
    }
  if (!g_queue_is_empty (&self->queue))
    start_first (self);
  tell_outcome (&told, error);
}

static gboolean
on_limit (gpointer data)
{
  GmcpRecordFolder *self = data;

  clear_limit (self);
  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_REMOVE;
}

static void
start_first (GmcpRecordFolder *self)
{
  g_autoptr (GTask) task = NULL;

  self->cancellable = g_cancellable_new ();
  self->limit = g_timeout_source_new (GMCP_DEFAULT_STATE_READ_MS);
  g_source_set_static_name (self->limit, "[gmcp] folder of records");
  g_source_set_callback (self->limit, on_limit, self, NULL);
  g_source_attach (self->limit, self->context);

  g_main_context_push_thread_default (self->context);
  task = g_task_new (NULL, self->cancellable, on_run, gmcp_record_folder_ref (self));
  g_main_context_pop_thread_default (self->context);
  g_task_set_source_tag (task, start_first);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_set_task_data (task, g_queue_peek_head (&self->queue), operation_free);
  g_task_run_in_thread (task, run_operation);
}

static Operation *
add_operation (GmcpRecordFolder *self, OperationKind kind)
{
  Operation *operation = g_new0 (Operation, 1);

  operation->kind = kind;
  operation->folder = g_strdup (self->path);
  operation->lock = -1;
  g_queue_push_tail (&self->queue, operation);
  return operation;
}

void
gmcp_record_folder_open (GmcpRecordFolder *self,
                         guint max_records,
                         gsize max_bytes,
                         GmcpRecordFolderOpenedFunc opened,
                         gpointer data)
{
  Operation *operation = add_operation (self, OPERATION_OPEN);

  operation->max_records = max_records;
  operation->max_bytes = max_bytes;
  operation->opened = opened;
  operation->data = data;
  if (self->queue.length == 1)
    start_first (self);
}

void
gmcp_record_folder_put (GmcpRecordFolder *self,
                        const char *name,
                        GBytes *bytes,
                        GmcpRecordFolderDoneFunc done,
                        gpointer data)
{
  Operation *operation = add_operation (self, OPERATION_PUT);

  operation->name = g_strdup (name);
  if (bytes != NULL)
    operation->bytes = g_bytes_ref (bytes);
  operation->done = done;
  operation->data = data;
  if (self->queue.length == 1)
    start_first (self);
}

GmcpRecordFolder *
gmcp_record_folder_new (const char *path, GMainContext *context)
{
  GmcpRecordFolder *self = g_rc_box_new0 (GmcpRecordFolder);

  self->path = g_strdup (path);
  self->context = g_main_context_ref (context);
  self->lock = -1;
  return self;
}

GmcpRecordFolder *
gmcp_record_folder_ref (GmcpRecordFolder *self)
{
  return g_rc_box_acquire (self);
}

static void
folder_clear (gpointer data)
{
  GmcpRecordFolder *self = data;

  if (self->lock >= 0)
    close (self->lock);
  g_main_context_unref (self->context);
  g_free (self->path);
}

void
gmcp_record_folder_unref (GmcpRecordFolder *self)
{
  g_rc_box_release_full (self, folder_clear);
}
