/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-result-spool-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#include <gmcp/core/gmcp-error.h>

#define FOLDER_PREFIX "results-"
#define LOCK_NAME     "lock"

/* All of this is used in threads. */
static GMutex lock;
static char *own_dir; /* NULL before the first file */
static int own_lock_fd = -1;
static pid_t own_pid;
static gsize n_bytes;
static guint n_files;

static char *
dup_base (void)
{
  return g_build_filename (g_get_user_runtime_dir (), "gmcp", NULL);
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      g_unlink (child);
    }
  g_rmdir (path);
}

/* The process that made the folder holds its lock while it lives. */
static void
remove_if_left (const char *path)
{
  g_autofree char *lock_path = g_build_filename (path, LOCK_NAME, NULL);
  int fd = open (lock_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

  if (fd < 0)
    return;
  if (flock (fd, LOCK_EX | LOCK_NB) == 0)
    remove_folder (path);
  close (fd);
}

static void
sweep_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autofree char *base = dup_base ();
  g_autoptr (GDir) dir = g_dir_open (base, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, FOLDER_PREFIX))
      {
        g_autofree char *path = g_build_filename (base, name, NULL);

        remove_if_left (path);
      }
  g_task_return_boolean (task, TRUE);
}

static gboolean
on_sweep_due (gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  g_task_set_source_tag (task, gmcp_result_spool_sweep);
  g_task_run_in_thread (task, sweep_in_thread);
  return G_SOURCE_REMOVE;
}

void
gmcp_result_spool_sweep (void)
{
  static gsize done;

  if (g_once_init_enter (&done))
    {
      /* A program that makes one call and ends is quicker without. */
      g_autoptr (GSource) due = g_timeout_source_new (GMCP_DEFAULT_STATE_DELAY_MS);
      g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();

      g_source_set_static_name (due, "[gmcp] sweep of results");
      g_source_set_callback (due, on_sweep_due, NULL, NULL);
      g_source_attach (due, context);
      g_once_init_leave (&done, 1);
    }
}

static void
set_error (const char *path, int code, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("%s cannot be written: %s"),
               name, g_strerror (code));
}

/* Under the lock. */
static void
forget_own_dir (void)
{
  if (own_lock_fd >= 0)
    close (own_lock_fd);
  own_lock_fd = -1;
  g_clear_pointer (&own_dir, g_free);
  n_bytes = 0;
}

void
gmcp_result_spool_remove_own (void)
{
  if (getpid () != own_pid || !g_mutex_trylock (&lock))
    return;

  if (own_dir != NULL)
    remove_folder (own_dir);
  forget_own_dir ();
  g_mutex_unlock (&lock);
}

/* Under the lock. The folder is not to be found before its lock is held. Something else may have cleaned up
 * since it was made. */
static gboolean
make_own_dir (GError **error)
{
  g_autofree char *base = dup_base ();
  g_autofree char *dir = g_build_filename (base, "new-XXXXXX", NULL);
  g_autofree char *lock_path = NULL;
  g_autofree char *name = NULL;

  if (own_dir != NULL && g_access (own_dir, F_OK) == 0)
    return TRUE;

  forget_own_dir ();
  if (g_mkdir_with_parents (base, 0700) != 0 || g_mkdtemp_full (dir, 0700) == NULL)
    {
      set_error (base, errno, error);
      return FALSE;
    }

  lock_path = g_build_filename (dir, LOCK_NAME, NULL);
  own_lock_fd = open (lock_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  name = g_strdup_printf (FOLDER_PREFIX "%d-%s", (int) getpid (), dir + strlen (dir) - 6);
  own_dir = g_build_filename (base, name, NULL);
  if (own_lock_fd < 0 || flock (own_lock_fd, LOCK_EX | LOCK_NB) != 0 || rename (dir, own_dir) != 0)
    {
      set_error (dir, errno, error);
      remove_folder (dir);
      forget_own_dir ();
      return FALSE;
    }

  if (own_pid != getpid ())
    {
      own_pid = getpid ();
      atexit (gmcp_result_spool_remove_own);
    }
  return TRUE;
}

static gboolean
write_all (int fd, const char *data, gsize length)
{
  while (length > 0)
    {
      gssize n = write (fd, data, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      data += n;
      length -= (gsize) n;
    }

  return TRUE;
}

static char *
write_file (GBytes *bytes, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  int fd;

  if (!make_own_dir (error))
    return NULL;

  if (length > GMCP_LIMIT_RESULT_SPOOL_BYTES - MIN (n_bytes, GMCP_LIMIT_RESULT_SPOOL_BYTES))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("more than %u MiB would be kept in %s"),
                   GMCP_LIMIT_RESULT_SPOOL_BYTES / (1024 * 1024), own_dir);
      return NULL;
    }

  name = g_strdup_printf ("%u.json", ++n_files);
  path = g_build_filename (own_dir, name, NULL);
  fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0 || !write_all (fd, data, length))
    {
      set_error (path, errno, error);
      if (fd >= 0)
        close (fd);
      g_unlink (path);
      return NULL;
    }

  close (fd);
  n_bytes += length;
  return g_steal_pointer (&path);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  char *path;

  g_mutex_lock (&lock);
  path = write_file (data, &error);
  g_mutex_unlock (&lock);

  if (path != NULL)
    g_task_return_pointer (task, path, g_free);
  else
    g_task_return_error (task, error);
}

void
gmcp_result_spool_write_async (GBytes *bytes,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, gmcp_result_spool_write_async);
  g_task_set_task_data (task, g_bytes_ref (bytes), (GDestroyNotify) g_bytes_unref);
  g_task_run_in_thread (task, write_in_thread);
}

char *
gmcp_result_spool_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
