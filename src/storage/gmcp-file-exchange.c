/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-file-exchange-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-real-path-private.h"

#include <gmcp/core/gmcp-error.h>

#define NEW_FILE_MODE   0666 /* less what the process masks */
#define NEW_FOLDER_MODE 0755

typedef struct
{
  char *path;     /* as it was named; backups stand beside that */
  char *real;     /* where links lead to */
  char *within;   /* the folder that this has to be in; NULL for any */
  GBytes *before; /* NULL for no file */
  GBytes *after;
  char *backup;
} Exchange;

static void
exchange_free (gpointer data)
{
  Exchange *self = data;

  g_free (self->path);
  g_free (self->real);
  g_free (self->within);
  g_clear_pointer (&self->before, g_bytes_unref);
  g_bytes_unref (self->after);
  g_free (self->backup);
  g_free (self);
}

char *
gmcp_file_exchange_name_backup (const char *path, guint number)
{
  return number <= 1 ? g_strconcat (path, ".before-gmcp", NULL)
                     : g_strdup_printf ("%s.before-gmcp-%u", path, number);
}

static gboolean
set_errno (const char *path, GError **error)
{
  int saved = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved), "%s: %s", path,
               g_strerror (saved));
  return FALSE;
}

static gboolean
set_changed (const char *path, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_FAILED,
               _ ("%s: it has been changed meanwhile; nothing was written: look again at what "
                  "would change"),
               path);
  return FALSE;
}

static gboolean
write_all (int fd, GBytes *bytes)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  while (length > 0)
    {
      gssize n = write (fd, data, length);

      if (n < 0 && errno != EINTR)
        return FALSE;
      data += MAX (n, 0);
      length -= (gsize) MAX (n, 0);
    }
  return fsync (fd) == 0;
}

/* Whether a file has these bytes and no others. */
static gboolean
holds_bytes (int fd, GBytes *wanted)
{
  gsize length;
  const char *data = g_bytes_get_data (wanted, &length);
  char block[16 * 1024];
  gsize position = 0;
  struct stat info;

  if (fstat (fd, &info) != 0 || (guint64) info.st_size != length)
    return FALSE;
  while (position < length)
    {
      gssize n = pread (fd, block, sizeof block, (off_t) position);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0 || (gsize) n > length - position
          || memcmp (block, data + position, (gsize) n) != 0)
        return FALSE;
      position += (gsize) n;
    }
  return TRUE;
}

/* An owner and a group that are others stay where that is allowed; what was for that group is not for ours. */
static gboolean
give_permissions (int fd, const struct stat *info)
{
  mode_t mode = info->st_mode & 0777;

  if (info->st_uid != geteuid () && fchown (fd, info->st_uid, (gid_t) -1) != 0)
    errno = 0;
  if (info->st_gid != getegid () && fchown (fd, (uid_t) -1, info->st_gid) != 0)
    mode &= ~(mode_t) 0070;
  return fchmod (fd, mode) == 0;
}

/* FALSE with an error where there can be none; one of the same contents serves as well. */
static gboolean
keep_backup (Exchange *self, const struct stat *info, GError **error)
{
  for (guint i = 1; i <= GMCP_LIMIT_FILE_BACKUPS; i++)
    {
      g_autofree char *path = gmcp_file_exchange_name_backup (self->path, i);
      int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
      gboolean is_kept = fd >= 0;

      if (fd < 0 && errno != EEXIST)
        return set_errno (path, error);
      if (fd < 0)
        {
          fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
          is_kept = fd >= 0 && holds_bytes (fd, self->before);
        }
      else if (!write_all (fd, self->before) || !give_permissions (fd, info))
        {
          set_errno (path, error);
          close (fd);
          g_unlink (path);
          return FALSE;
        }
      if (fd >= 0)
        close (fd);
      if (is_kept)
        {
          self->backup = g_steal_pointer (&path);
          return TRUE;
        }
    }
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("%s: there are %u backups beside it already; remove those that nobody needs"),
               self->path, GMCP_LIMIT_FILE_BACKUPS);
  return FALSE;
}

/* Writes beside the file, and puts that in its place. */
static gboolean
replace_file (Exchange *self, const struct stat *info, GError **error)
{
  g_autofree char *temporary = g_strconcat (self->real, ".gmcp-XXXXXX", NULL);
  int fd = g_mkstemp_full (temporary, O_WRONLY | O_CLOEXEC, 0600);
  gboolean done;

  if (fd < 0)
    return set_errno (temporary, error);

  done = write_all (fd, self->after) && give_permissions (fd, info);
  done = close (fd) == 0 && done;
  if (done && g_rename (temporary, self->real) == 0)
    return TRUE;

  set_errno (self->real, error);
  g_unlink (temporary);
  return FALSE;
}

static gboolean
check_writable (Exchange *self, const struct stat *info, GError **error)
{
  if ((info->st_mode & 0222) != 0 && access (self->real, W_OK) == 0)
    return TRUE;
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
               _ ("%s: it is read-only, perhaps since another program makes it; change it there"),
               self->path);
  return FALSE;
}

static gboolean
exchange_open_file (Exchange *self, int fd, GError **error)
{
  struct stat info, named;

  if (fstat (fd, &info) != 0)
    return set_errno (self->path, error);
  if (!S_ISREG (info.st_mode))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, _ ("%s: it is no file"),
                   self->path);
      return FALSE;
    }
  if (flock (fd, LOCK_EX | LOCK_NB) != 0)
    {
      if (errno != EWOULDBLOCK)
        return set_errno (self->path, error);
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_FAILED,
                   _ ("%s: another program has locked it; nothing was written: try it again"),
                   self->path);
      return FALSE;
    }
  /* What was opened may have been replaced before it was locked. */
  if (self->before == NULL || stat (self->real, &named) != 0 || named.st_ino != info.st_ino
      || named.st_dev != info.st_dev || !holds_bytes (fd, self->before))
    return set_changed (self->path, error);
  return check_writable (self, &info, error) && keep_backup (self, &info, error)
         && replace_file (self, &info, error);
}

/* A file that is not there; whoever makes it first has it. */
static gboolean
make_file (Exchange *self, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  struct stat info;
  gboolean done;
  int fd;

  if (self->before != NULL)
    return set_changed (self->path, error);
  if (lstat (self->path, &info) == 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                   _ ("%s: it is a symbolic link that leads nowhere; mend or remove it"),
                   self->path);
      return FALSE;
    }
  if (g_mkdir_with_parents (folder, NEW_FOLDER_MODE) != 0)
    return set_errno (folder, error);
  fd = open (self->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, NEW_FILE_MODE);
  if (fd < 0)
    return errno == EEXIST ? set_changed (self->path, error) : set_errno (self->path, error);

  done = write_all (fd, self->after);
  if (!done)
    {
      set_errno (self->path, error);
      g_unlink (self->path);
    }
  close (fd);
  return done;
}

/* Whoever made a folder with links in it does not choose what is written outside. */
static gboolean
check_place (Exchange *self, GError **error)
{
  g_autofree char *folder = self->within != NULL ? gmcp_real_path_of_folder (self->within) : NULL;
  g_autofree char *place
    = self->real != NULL ? g_strdup (self->real) : gmcp_real_path_of_file (self->path);

  if (folder == NULL || gmcp_real_path_is_within (place, folder))
    return TRUE;
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_NOT_PERMITTED,
               /* Translators: a file, and where it leads to */
               _ ("%s: it leads out of the folder of the project, to %s; nothing was written"),
               self->path, place);
  return FALSE;
}

static void
run_exchange (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Exchange *self = data;
  char *real = realpath (self->path, NULL);
  GError *error = NULL;
  gboolean done;
  int fd = -1;

  if (real != NULL)
    {
      self->real = g_strdup (real);
      free (real);
    }
  if (!check_place (self, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  fd = open (self->real != NULL ? self->real : self->path,
             O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd >= 0)
    {
      done = exchange_open_file (self, fd, &error);
      close (fd);
    }
  else if (errno == ENOENT || errno == ENOTDIR)
    {
      done = make_file (self, &error);
    }
  else
    {
      done = set_errno (self->path, &error);
    }

  if (done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
gmcp_file_exchange_async (const char *path,
                          const char *within,
                          GBytes *before,
                          GBytes *after,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Exchange *self = g_new0 (Exchange, 1);

  self->path = g_strdup (path);
  self->within = g_strdup (within);
  self->before = before != NULL ? g_bytes_ref (before) : NULL;
  self->after = g_bytes_ref (after);
  g_task_set_source_tag (task, gmcp_file_exchange_async);
  /* A disk that does not answer holds up its thread only. */
  g_task_set_return_on_cancel (task, TRUE);
  g_task_set_task_data (task, self, exchange_free);
  g_task_run_in_thread (task, run_exchange);
}

gboolean
gmcp_file_exchange_finish (GAsyncResult *result, char **backup, GError **error)
{
  Exchange *self;

  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, gmcp_file_exchange_async), FALSE);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  self = g_task_get_task_data (G_TASK (result));
  *backup = g_steal_pointer (&self->backup);
  return TRUE;
}
