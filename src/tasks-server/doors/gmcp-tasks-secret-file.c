/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-tasks-secret-file.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIN_KEY_BYTES 32
#define MAX_BYTES     4096

static void
set_error (GError **error, const char *filename, const char *reason)
{
  g_autofree char *shown = g_filename_display_name (filename);

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               /* Translators: a file, and what is wrong with it */
               _ ("The file “%s” cannot be used: %s"), shown, reason);
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
  else
    return TRUE;
  return FALSE;
}

/* At most MAX_BYTES, and none of a file that has more. */
static GBytes *
read_open_file (int fd, const char *filename, GError **error)
{
  guint8 buffer[MAX_BYTES + 1];
  GBytes *bytes = NULL;
  gsize length = 0;
  gssize n;

  while (
    length < sizeof buffer
    && ((n = read (fd, buffer + length, sizeof buffer - length)) > 0 || (n < 0 && errno == EINTR)))
    length += (gsize) MAX (n, 0);
  if (length <= MAX_BYTES)
    bytes = g_bytes_new (buffer, length);
  else
    set_error (error, filename, _ ("it is larger than 4096 bytes"));
  explicit_bzero (buffer, sizeof buffer);
  return bytes;
}

static GBytes *
read_file (const char *filename, GError **error)
{
  GBytes *bytes = NULL;
  int fd = open (filename, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

  if (check_file (fd, filename, error))
    bytes = read_open_file (fd, filename, error);
  if (fd >= 0)
    close (fd);
  return bytes;
}

GBytes *
gmcp_tasks_secret_file_read_key (const char *filename, GError **error)
{
  g_autoptr (GBytes) bytes = read_file (filename, error);

  if (bytes == NULL)
    return NULL;
  if (g_bytes_get_size (bytes) < MIN_KEY_BYTES)
    {
      set_error (error, filename,
                 _ ("a key has 32 bytes or more; make it with “head -c 32 /dev/urandom”"));
      return NULL;
    }
  return g_steal_pointer (&bytes);
}

char *
gmcp_tasks_secret_file_read_text (const char *filename, GError **error)
{
  g_autoptr (GBytes) bytes = read_file (filename, error);
  g_autofree char *text = NULL;
  gsize length;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

  if (bytes == NULL)
    return NULL;
  text = g_strchomp (g_strndup (data != NULL ? data : "", length));
  if (*text == '\0' || strpbrk (text, "\r\n") != NULL)
    {
      set_error (error, filename, _ ("it has to hold one line of text"));
      return NULL;
    }
  return g_steal_pointer (&text);
}
