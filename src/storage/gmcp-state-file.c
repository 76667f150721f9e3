/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-cache-folder-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-state-file-private.h"

#include <gmcp/core/gmcp-error.h>

typedef struct
{
  char *path;
  GmcpStateFileFunc func;
  gpointer data;
  GDestroyNotify destroy;
  char *before; /* digests */
  char *after;
} Change;

static void
change_free (Change *change)
{
  if (change->destroy != NULL)
    change->destroy (change->data);
  g_free (change->before);
  g_free (change->after);
  g_free (change->path);
  g_free (change);
}

static gboolean
set_errno (const char *path, GError **error)
{
  int saved = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved), "%s: %s", path,
               g_strerror (saved));
  return FALSE;
}

/* Callers add the name of the file. */
static gboolean
set_read_errno (GError **error)
{
  int saved = errno;

  g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (saved), g_strerror (saved));
  return FALSE;
}

/* NULL for bytes is no file. */
static char *
compute_digest (GBytes *bytes)
{
  return bytes != NULL ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes) : g_strdup ("");
}

/* Opening a FIFO without O_NONBLOCK would wait for a writer. */
static gboolean
read_bytes (int fd, GBytes **bytes, mode_t *mode, GError **error)
{
  g_autoptr (GByteArray) array = NULL;
  struct stat info;
  gssize n_read = 1;

  if (fstat (fd, &info) != 0)
    return set_read_errno (error);
  if (!S_ISREG (info.st_mode))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, _ ("it is no file"));
      return FALSE;
    }
  if (info.st_size > GMCP_LIMIT_STATE_FILE_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED, _ ("it is larger than %u bytes"),
                   GMCP_LIMIT_STATE_FILE_BYTES);
      return FALSE;
    }

  *mode = info.st_mode & 0777;
  array = g_byte_array_sized_new (info.st_size);
  g_byte_array_set_size (array, info.st_size);
  for (gsize length = 0; n_read > 0 && length < array->len;)
    {
      n_read = read (fd, array->data + length, array->len - length);
      if (n_read < 0 && errno != EINTR)
        return set_read_errno (error);
      if (n_read == 0)
        g_byte_array_set_size (array, length);
      length += MAX (n_read, 0);
      n_read = n_read < 0 ? 1 : n_read;
    }

  *bytes = g_byte_array_free_to_bytes (g_steal_pointer (&array));
  return TRUE;
}

/* TRUE with NULL where there is none. */
static gboolean
read_file (const char *path, GBytes **bytes, mode_t *mode, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  gboolean done;

  *bytes = NULL;
  if (fd < 0)
    return errno == ENOENT || errno == ENOTDIR ? TRUE : set_read_errno (error);

  done = read_bytes (fd, bytes, mode, error);
  close (fd);
  return done;
}

/* To the end of what has no size, such as a pipe, or to what is more than any limit. */
static gboolean
read_stream (int fd, GBytes **bytes, GError **error)
{
  g_autoptr (GByteArray) array = g_byte_array_new ();
  guint8 block[16 * 1024];
  gssize n_read = 1;

  while (n_read != 0 && array->len <= GMCP_LIMIT_STATE_FILE_BYTES)
    {
      n_read = read (fd, block, sizeof block);
      if (n_read < 0 && errno != EINTR)
        return set_read_errno (error);
      if (n_read > 0)
        g_byte_array_append (array, block, n_read);
    }

  *bytes = g_byte_array_free_to_bytes (g_steal_pointer (&array));
  return TRUE;
}

GBytes *
gmcp_state_file_read_stream_here (const char *path, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  GBytes *bytes = NULL;

  if (fd < 0)
    {
      set_read_errno (error);
      return NULL;
    }

  read_stream (fd, &bytes, error);
  close (fd);
  return bytes;
}

GBytes *
gmcp_state_file_read_here (const char *path, GError **error)
{
  GBytes *bytes;
  mode_t mode;

  return read_file (path, &bytes, &mode, error) ? bytes : NULL;
}

static void
run_read (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  GBytes *bytes = gmcp_state_file_read_here (data, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, bytes, (GDestroyNotify) g_bytes_unref);
}

static void
read_in_thread (GTask *task, const char *path, GTaskThreadFunc func)
{
  g_task_set_source_tag (task, gmcp_state_file_read_async);
  /* A disk that does not answer holds up its thread only. */
  g_task_set_return_on_cancel (task, TRUE);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_task_run_in_thread (task, func);
}

void
gmcp_state_file_read_async (const char *path,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  read_in_thread (task, path, run_read);
}

static void
run_read_used (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  gmcp_cache_folder_mark_used (data);
  run_read (task, source, data, cancellable);
}

void
gmcp_state_file_read_used_async (const char *path,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  read_in_thread (task, path, run_read_used);
}

static void
content_free (gpointer data)
{
  GmcpStateFileContent *content = data;

  g_clear_pointer (&content->bytes, g_bytes_unref);
  g_clear_error (&content->error);
  g_free (content->digest);
  g_free (content);
}

static void
run_read_all (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GStrv paths = data;
  GPtrArray *contents = g_ptr_array_new_with_free_func (content_free);

  for (gsize i = 0; paths[i] != NULL; i++)
    {
      GmcpStateFileContent *content = g_new0 (GmcpStateFileContent, 1);
      mode_t mode;

      if (read_file (paths[i], &content->bytes, &mode, &content->error))
        content->digest = compute_digest (content->bytes);
      g_ptr_array_add (contents, content);
    }
  g_task_return_pointer (task, contents, (GDestroyNotify) g_ptr_array_unref);
}

void
gmcp_state_file_read_all_async (const char *const *paths,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_state_file_read_all_async);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_set_task_data (task, g_strdupv ((GStrv) paths), (GDestroyNotify) g_strfreev);
  g_task_run_in_thread (task, run_read_all);
}

GPtrArray *
gmcp_state_file_read_all_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_state_file_read_all_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

GBytes *
gmcp_state_file_read_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_state_file_read_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static gboolean
change_file (Change *change, GError **error)
{
  g_autoptr (GBytes) present = NULL;
  g_autoptr (GBytes) wanted = NULL;
  g_autoptr (GError) reason = NULL;
  mode_t mode = 0600;

  if (!read_file (change->path, &present, &mode, error))
    {
      g_prefix_error (error, "%s: ", change->path);
      return FALSE;
    }

  change->before = compute_digest (present);
  wanted = change->func (present, change->data, &reason);
  /* What could not be read again would be lost for good, and all that stands beside it. */
  if (wanted != NULL && g_bytes_get_size (wanted) > GMCP_LIMIT_STATE_FILE_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("%s: it would be larger than %u bytes, and could not be read again"),
                   change->path, GMCP_LIMIT_STATE_FILE_BYTES);
      return FALSE;
    }
  change->after = wanted != NULL ? compute_digest (wanted) : g_strdup (change->before);
  if (wanted == NULL)
    {
      if (reason == NULL)
        return TRUE;
      if (g_error_matches (reason, GMCP_ERROR, GMCP_ERROR_INVALID_JSON))
        {
          g_set_error (error, reason->domain, reason->code,
                       _ ("%s: %s; mend the file or remove it"), change->path, reason->message);
          return FALSE;
        }
      g_propagate_prefixed_error (error, g_steal_pointer (&reason), "%s: ", change->path);
      return FALSE;
    }

  return g_file_set_contents_full (change->path, g_bytes_get_data (wanted, NULL),
                                   g_bytes_get_size (wanted), G_FILE_SET_CONTENTS_CONSISTENT,
                                   (int) mode, error);
}

/* A link stays one: what it leads to is replaced. */
static void
follow_link (Change *change)
{
  char *real = realpath (change->path, NULL);

  if (real == NULL)
    return;
  g_free (change->path);
  change->path = g_strdup (real);
  free (real);
}

static gboolean
change_locked (Change *change, GError **error)
{
  g_autofree char *dir = g_path_get_dirname (change->path);
  g_autofree char *lock = g_strconcat (change->path, ".lock", NULL);
  gboolean done;
  int fd;

  if (g_mkdir_with_parents (dir, 0700) != 0)
    return set_errno (dir, error);
  fd = open (lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (fd < 0)
    return set_errno (lock, error);

  while (flock (fd, LOCK_EX) != 0)
    {
      if (errno == EINTR)
        continue;
      set_errno (lock, error);
      close (fd);
      return FALSE;
    }
  done = change_file (change, error);
  close (fd);
  return done;
}

static void
run_change (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  follow_link (data);
  if (change_locked (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
gmcp_state_file_change_async (const char *path,
                              GmcpStateFileFunc func,
                              gpointer data,
                              GDestroyNotify destroy,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Change *change = g_new0 (Change, 1);

  change->path = g_strdup (path);
  change->func = func;
  change->data = data;
  change->destroy = destroy;
  g_task_set_source_tag (task, gmcp_state_file_change_async);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_set_task_data (task, change, (GDestroyNotify) change_free);
  g_task_run_in_thread (task, run_change);
}

gboolean
gmcp_state_file_change_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_state_file_change_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
gmcp_state_file_change_get_digests (GAsyncResult *result, const char **before, const char **after)
{
  Change *change = g_task_get_task_data (G_TASK (result));

  *before = change->before;
  *after = change->after;
}
