/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcpd-token-file.h"
#include "gmcpd-token.h"

static gboolean
fail_errno (const char *path, int number, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number),
               /* Translators: a file, and what the system says */
               _ ("The token “%s” cannot be read or made: %s"), shown, g_strerror (number));
  return FALSE;
}

static gboolean
fail_file (const char *path, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);

  g_set_error (
    error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
    _ ("The file “%s” has to be yours, to be readable by nobody else, and to hold a token "
       "of %d to %d characters; remove it, and gmcpd makes another one"),
    shown, GMCPD_TOKEN_MIN_LENGTH, GMCPD_TOKEN_MAX_LENGTH);
  return FALSE;
}

char *
gmcpd_token_file_read (const char *path, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  char text[GMCPD_TOKEN_MAX_LENGTH + 2] = "";
  struct stat status;
  gboolean is_safe;

  if (fd < 0)
    {
      if (errno != ENOENT)
        fail_errno (path, errno, error);
      return NULL;
    }

  is_safe = fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_uid == geteuid ()
            && (status.st_mode & 077) == 0 && read (fd, text, sizeof text - 1) > 0;
  close (fd);
  g_strchomp (text);
  if (is_safe && gmcpd_token_is_sound (text))
    return g_strdup (text);

  fail_file (path, error);
  return NULL;
}

/* As a whole: one that was cut off would be refused from then on. */
static gboolean
write_whole (const char *path, const char *token, GError **error)
{
  g_autofree char *part = g_strdup_printf ("%s.%d", path, (int) getpid ());
  gboolean is_written;
  int number;
  int fd;

  g_unlink (part);
  fd = open (part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  is_written = fd >= 0 && write (fd, token, strlen (token)) == (gssize) strlen (token)
               && fsync (fd) == 0 && rename (part, path) == 0;
  number = errno;
  if (fd >= 0)
    close (fd);
  if (is_written)
    return TRUE;

  g_unlink (part);
  return fail_errno (path, number, error);
}

gboolean
gmcpd_token_file_write (const char *path, const char *token, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return fail_errno (folder, errno, error);
  return write_whole (path, token, error);
}
