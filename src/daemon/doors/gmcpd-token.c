/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcpd-token.h"

#define TOKEN_BYTES 32
#define MIN_LENGTH  32
#define MAX_LENGTH  256

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
    /* Translators: a file, three times */
    _ ("The file “%s” has to be yours, to be readable by nobody else, and to hold a token "
       "of %d to %d characters; remove it, and gmcpd makes another one"),
    shown, MIN_LENGTH, MAX_LENGTH);
  return FALSE;
}

static gboolean
is_token (const char *text)
{
  gsize length = strspn (text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-._~+/=");

  return text[length] == '\0' && length >= MIN_LENGTH && length <= MAX_LENGTH;
}

/* NULL without an error where there is no file. */
static char *
read_token (const char *path, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  char text[MAX_LENGTH + 2] = "";
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
  if (is_safe && is_token (text))
    return g_strdup (text);

  fail_file (path, error);
  return NULL;
}

/* As a whole: one that was cut off would be refused from then on. */
static gboolean
write_token (const char *path, const char *token, GError **error)
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

char *
gmcpd_token_make (void)
{
  guint8 bytes[TOKEN_BYTES];
  GString *token;

  if (getrandom (bytes, sizeof bytes, 0) != (gssize) sizeof bytes)
    return NULL;

  token = g_string_new (NULL);
  for (gsize i = 0; i < sizeof bytes; i++)
    g_string_append_printf (token, "%02x", bytes[i]);
  return g_string_free (token, FALSE);
}

static char *
make_token_file (const char *path, GError **error)
{
  g_autofree char *token = gmcpd_token_make ();

  if (token == NULL)
    {
      fail_errno (path, errno, error);
      return NULL;
    }
  return write_token (path, token, error) ? g_steal_pointer (&token) : NULL;
}

char *
gmcpd_token_ensure (const char *name, GError **error)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "gmcp", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) reason = NULL;
  char *token = read_token (path, &reason);

  if (token != NULL)
    return token;
  if (reason != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return NULL;
    }
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      fail_errno (folder, errno, error);
      return NULL;
    }
  return make_token_file (path, error);
}

gboolean
gmcpd_token_equals (const char *token, const char *other)
{
  gsize length = strlen (token);
  guint difference = 0;

  if (length != strlen (other))
    return FALSE;

  for (gsize i = 0; i < length; i++)
    difference |= (guint) (token[i] ^ other[i]);
  return difference == 0;
}
