/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcpd-api-token.h"

#define FILE_NAME   "control-token"
#define TOKEN_BYTES 32
#define TOKEN_CHARS (2 * TOKEN_BYTES)

static void
set_error_for_path (GError **error, const char *path, int number)
{
  g_autofree char *shown = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s: %s", shown,
               g_strerror (number));
}

char *
gmcpd_api_token_make (GError **error)
{
  guchar bytes[TOKEN_BYTES];
  GString *token = g_string_sized_new (TOKEN_CHARS);

  if (getrandom (bytes, sizeof bytes, 0) != (gssize) sizeof bytes)
    {
      set_error_for_path (error, "getrandom", errno);
      g_string_free (token, TRUE);
      return NULL;
    }
  for (guint i = 0; i < sizeof bytes; i++)
    g_string_append_printf (token, "%02x", bytes[i]);
  return g_string_free (token, FALSE);
}

gboolean
gmcpd_api_token_equal (const char *token, const char *given)
{
  gsize length = strlen (token);
  guchar different = 0;

  if (strlen (given) != length)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    different |= (guchar) (token[i] ^ given[i]);
  return different == 0;
}

char *
gmcpd_api_token_dup_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "gmcp", FILE_NAME, NULL);
}

static gboolean
check_file (int fd, const char *path, GError **error)
{
  g_autofree char *shown = g_filename_display_name (path);
  struct stat status;

  if (fstat (fd, &status) != 0)
    {
      set_error_for_path (error, path, errno);
      return FALSE;
    }
  if (S_ISREG (status.st_mode) && status.st_uid == geteuid () && (status.st_mode & 077) == 0)
    return TRUE;

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
               _ ("The file “%s”, which holds the token of the control API, has to be yours, and "
                  "nobody else may be able to read it; remove it, and a new one is made"),
               shown);
  return FALSE;
}

static char *
read_token (int fd, const char *path, GError **error)
{
  char text[TOKEN_CHARS + 1] = "";
  gssize length;

  if (!check_file (fd, path, error))
    return NULL;
  length = pread (fd, text, TOKEN_CHARS, 0);
  if (length == TOKEN_CHARS && strspn (text, "0123456789abcdef") == TOKEN_CHARS)
    return g_strdup (text);

  {
    g_autofree char *shown = g_filename_display_name (path);

    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                 _ ("The file “%s” does not hold a token of the control API; remove it, and a new "
                    "one is made"),
                 shown);
  }
  return NULL;
}

static gboolean
write_token (const char *path, const char *token, GError **error)
{
  g_autofree char *part = g_strdup_printf ("%s.%d", path, (int) getpid ());
  int fd;
  gboolean is_written;

  unlink (part);
  fd = open (part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  is_written = fd >= 0 && write (fd, token, TOKEN_CHARS) == TOKEN_CHARS && fsync (fd) == 0
               && rename (part, path) == 0;
  if (!is_written)
    set_error_for_path (error, path, errno);
  if (fd >= 0)
    close (fd);
  if (!is_written)
    unlink (part);
  return is_written;
}

char *
gmcpd_api_token_dup (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *token = NULL;
  int fd;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      set_error_for_path (error, folder, errno);
      return NULL;
    }

  fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd >= 0)
    {
      token = read_token (fd, path, error);
      close (fd);
      return g_steal_pointer (&token);
    }
  if (errno != ENOENT)
    {
      set_error_for_path (error, path, errno);
      return NULL;
    }

  token = gmcpd_api_token_make (error);
  if (token == NULL || !write_token (path, token, error))
    return NULL;
  return g_steal_pointer (&token);
}
