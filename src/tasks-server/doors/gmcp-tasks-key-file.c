/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tasks-key-file.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIN_BYTES 32
#define MAX_BYTES 4096

static void
set_error (GError **error, const char *filename, const char *reason)
{
  g_autofree char *shown = g_filename_display_name (filename);

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               /* Translators: a file, and what is wrong with it */
               _ ("The key “%s” cannot be used: %s"), shown, reason);
}

static gboolean
check_file (int fd, const char *filename, GError **error)
{
  struct stat status;

  if (fd < 0 || fstat (fd, &status) < 0)
    set_error (error, filename, g_strerror (errno));
  else if (!S_ISREG (status.st_mode))
    set_error (error, filename, _ ("it is no file"));
  else if (status.st_uid != 0 && status.st_uid != geteuid ())
    set_error (error, filename, _ ("it belongs to another user"));
  else if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    set_error (error, filename,
               _ ("others can read or change it; take that from them with chmod 600"));
  else if (status.st_size < MIN_BYTES || status.st_size > MAX_BYTES)
    set_error (
      error, filename,
      _ ("it has to hold between 32 and 4096 bytes; make it with “head -c 32 /dev/urandom”"));
  else
    return TRUE;
  return FALSE;
}

GBytes *
gmcp_tasks_key_file_read (const char *filename, GError **error)
{
  guint8 buffer[MAX_BYTES];
  GBytes *key = NULL;
  gsize length = 0;
  gssize n;
  int fd = open (filename, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

  if (check_file (fd, filename, error))
    {
      while (length < sizeof buffer
             && ((n = read (fd, buffer + length, sizeof buffer - length)) > 0
                 || (n < 0 && errno == EINTR)))
        length += (gsize) MAX (n, 0);
      if (length >= MIN_BYTES)
        key = g_bytes_new (buffer, length);
      else
        set_error (error, filename, _ ("it could not be read to its end"));
    }

  if (fd >= 0)
    close (fd);
  return key;
}
