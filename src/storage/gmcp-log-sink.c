/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-log-sink-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

void
gmcp_log_sink_init (GmcpLogSink *self, const char *path, guint64 max_bytes, guint n_files)
{
  *self = (GmcpLogSink){
    .path = g_strdup (path),
    .max_bytes = max_bytes,
    .n_files = MAX (n_files, 1),
    .fd = -1,
  };
}

static void
close_file (GmcpLogSink *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

void
gmcp_log_sink_clear (GmcpLogSink *self)
{
  close_file (self);
  g_clear_pointer (&self->path, g_free);
}

static gboolean
fail_with_errno (GmcpLogSink *self, int code, const char *what, GError **error)
{
  g_autofree char *name = g_filename_display_name (self->path);

  /* Translators: a file, what cannot be done, and the reason. */
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Log file %s: %s: %s"), name,
               what, g_strerror (code));
  return FALSE;
}

/* Whether the file that is open is still the one of that path. */
static gboolean
is_current (GmcpLogSink *self, struct stat *opened)
{
  struct stat named;

  return fstat (self->fd, opened) == 0 && stat (self->path, &named) == 0
         && named.st_dev == opened->st_dev && named.st_ino == opened->st_ino;
}

static gboolean
ends_in_half_a_line (const char *path, off_t size)
{
  char last = '\n';
  int fd;

  if (size == 0)
    return FALSE;

  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return FALSE;
  if (pread (fd, &last, 1, size - 1) != 1)
    last = '\n';
  close (fd);
  return last != '\n';
}

static gboolean
open_file (GmcpLogSink *self, GError **error)
{
  const int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  struct stat info;

  self->fd = open (self->path, flags, 0600);
  if (self->fd < 0 && errno == ENOENT)
    {
      g_autofree char *dir = g_path_get_dirname (self->path);

      if (g_mkdir_with_parents (dir, 0700) == 0)
        self->fd = open (self->path, flags, 0600);
    }
  if (self->fd < 0)
    return fail_with_errno (self, errno, _ ("cannot be opened"), error);

  if (fstat (self->fd, &info) != 0)
    {
      fail_with_errno (self, errno, _ ("cannot be opened"), error);
      close_file (self);
      return FALSE;
    }

  self->regular = S_ISREG (info.st_mode);
  self->n_bytes = self->regular ? (guint64) info.st_size : 0;
  if (self->regular && info.st_uid == geteuid () && (info.st_mode & 077) != 0)
    fchmod (self->fd, 0600);
  /* The last writer was killed, or the disk was full. */
  if (self->regular && ends_in_half_a_line (self->path, info.st_size)
      && write (self->fd, "\n", 1) == 1)
    self->n_bytes++;
  return TRUE;
}

static gboolean
ensure_open (GmcpLogSink *self, GError **error)
{
  struct stat info;

  if (self->fd >= 0 && self->regular)
    {
      /* Another process may have rotated the file, or a person removed it. */
      if (is_current (self, &info))
        self->n_bytes = (guint64) info.st_size;
      else
        close_file (self);
    }

  return self->fd >= 0 || open_file (self, error);
}

static char *
make_numbered_path (GmcpLogSink *self, guint number)
{
  return number == 0 ? g_strdup (self->path) : g_strdup_printf ("%s.%u", self->path, number);
}

/* Fewer may be kept than before. */
static void
remove_surplus (GmcpLogSink *self)
{
  gboolean found = TRUE;

  for (guint i = self->n_files; found && i < GMCP_LIMIT_LOG_FILES; i++)
    {
      g_autofree char *name = make_numbered_path (self, i);

      found = unlink (name) == 0;
    }
}

static gboolean
shift_files (GmcpLogSink *self, GError **error)
{
  remove_surplus (self);
  if (self->n_files == 1)
    {
      if (unlink (self->path) == 0)
        return TRUE;
      return fail_with_errno (self, errno, _ ("is full and cannot be removed"), error);
    }

  for (guint i = self->n_files - 1; i > 0; i--)
    {
      g_autofree char *from = make_numbered_path (self, i - 1);
      g_autofree char *to = make_numbered_path (self, i);

      if (rename (from, to) != 0 && (errno != ENOENT || i == 1))
        return fail_with_errno (self, errno, _ ("is full and cannot be renamed"), error);
    }

  return TRUE;
}

static gboolean
rotate_files (GmcpLogSink *self, GError **error)
{
  struct stat info;

  if (flock (self->fd, LOCK_EX | LOCK_NB) != 0)
    {
      /* Another process rotates the file right now: a few lines more in the old one do no harm. */
      if (errno == EWOULDBLOCK)
        return TRUE;
      return fail_with_errno (self, errno, _ ("is full and cannot be locked"), error);
    }

  if (is_current (self, &info) && !shift_files (self, error))
    {
      flock (self->fd, LOCK_UN);
      return FALSE;
    }

  close_file (self);
  return open_file (self, error);
}

/* As many whole lines as the file has room for, but at least one. */
static gsize
measure_chunk (GmcpLogSink *self, const char *lines, gsize length)
{
  guint64 room = self->max_bytes > self->n_bytes ? self->max_bytes - self->n_bytes : 0;
  const char *end;

  if (!self->regular || length <= room || lines == NULL)
    return length;

  end = room > 0 ? memrchr (lines, '\n', (gsize) room) : NULL;
  if (end == NULL)
    end = memchr (lines, '\n', length);
  return end != NULL ? (gsize) (end - lines) + 1 : length;
}

/* A pipe whose reader went away must not end the host: the signal is kept from this thread, and taken
 * back where it was not there before. */
static gssize
write_quietly (GmcpLogSink *self, const char *data, gsize length)
{
  const struct timespec at_once = { 0, 0 };
  sigset_t sigpipe, before, pending;
  gboolean was_pending;
  gssize n;
  int code;

  if (self->regular)
    return write (self->fd, data, length);

  sigemptyset (&sigpipe);
  sigaddset (&sigpipe, SIGPIPE);
  was_pending = sigpending (&pending) == 0 && sigismember (&pending, SIGPIPE) == 1;
  pthread_sigmask (SIG_BLOCK, &sigpipe, &before);
  n = write (self->fd, data, length);
  code = errno;
  if (n < 0 && code == EPIPE && !was_pending)
    sigtimedwait (&sigpipe, NULL, &at_once);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  errno = code;
  return n;
}

static gboolean
write_chunk (GmcpLogSink *self, const char *data, gsize length, gsize *n_written, GError **error)
{
  while (length > 0)
    {
      gssize n = write_quietly (self, data, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          int code = errno;

          /* A pipe whose reader went away is opened anew, if somebody reads it again. */
          if (code == EPIPE)
            close_file (self);
          return fail_with_errno (self, code, _ ("cannot be written"), error);
        }

      data += n;
      length -= (gsize) n;
      *n_written += (gsize) n;
      self->n_bytes += (guint64) n;
    }

  return TRUE;
}

gboolean
gmcp_log_sink_write (GmcpLogSink *self,
                     const char *lines,
                     gsize length,
                     gsize *n_written,
                     GError **error)
{
  *n_written = 0;
  if (!ensure_open (self, error))
    return FALSE;

  while (*n_written < length)
    {
      const char *rest = lines + *n_written;
      gsize left = length - *n_written;
      gsize chunk = measure_chunk (self, rest, left);

      if (self->regular && self->n_bytes > 0 && self->n_bytes + chunk > self->max_bytes)
        {
          if (!rotate_files (self, error))
            return FALSE;
          chunk = measure_chunk (self, rest, left);
        }
      if (!write_chunk (self, rest, chunk, n_written, error))
        return FALSE;
    }

  return TRUE;
}

GPtrArray *
gmcp_log_sink_list_paths (const char *path, guint n_files)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = n_files; i > 1; i--)
    g_ptr_array_add (paths, g_strdup_printf ("%s.%u", path, i - 1));
  g_ptr_array_add (paths, g_strdup (path));
  return paths;
}
