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

/* What a file holds: at most MAX_BYTES, and a byte to see that there are more. */
typedef struct
{
  char bytes[MAX_BYTES + 1];
  gsize length;
} Content;

static gboolean
read_open_file (int fd, const char *filename, Content *content, GError **error)
{
  gssize n;

  do
    {
      n = read (fd, content->bytes + content->length, sizeof content->bytes - content->length);
      content->length += (gsize) MAX (n, 0);
    }
  while (n > 0 || (n < 0 && errno == EINTR));

  if (n < 0)
    set_error (error, filename, g_strerror (errno));
  else if (content->length > MAX_BYTES)
    set_error (error, filename, _ ("it is larger than 4096 bytes"));
  else
    return TRUE;
  return FALSE;
}

/* Whoever has read it wipes it. */
static gboolean
read_file (const char *filename, Content *content, GError **error)
{
  gboolean is_read;
  int fd = open (filename, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

  content->length = 0;
  is_read = check_file (fd, filename, error) && read_open_file (fd, filename, content, error);
  if (fd >= 0)
    close (fd);
  return is_read;
}

static void
wipe_bytes (gpointer data)
{
  Content *content = data;

  explicit_bzero (content, sizeof *content);
  g_free (content);
}

GBytes *
gmcp_tasks_secret_file_read_key (const char *filename, GError **error)
{
  Content *content = g_new (Content, 1);

  if (!read_file (filename, content, error))
    {
      wipe_bytes (content);
      return NULL;
    }
  if (content->length < MIN_KEY_BYTES)
    {
      wipe_bytes (content);
      set_error (error, filename,
                 _ ("a key has 32 bytes or more; make it with “head -c 32 /dev/urandom”"));
      return NULL;
    }
  return g_bytes_new_with_free_func (content->bytes, content->length, wipe_bytes, content);
}

/* One line; NULL where it is none. */
static char *
dup_line (const Content *content)
{
  gsize length = content->length;

  while (length > 0 && g_ascii_isspace (content->bytes[length - 1]))
    length--;
  if (length == 0 || memchr (content->bytes, '\0', length) != NULL
      || memchr (content->bytes, '\r', length) != NULL
      || memchr (content->bytes, '\n', length) != NULL)
    return NULL;
  return g_strndup (content->bytes, length);
}

char *
gmcp_tasks_secret_file_read_text (const char *filename, GError **error)
{
  Content content;
  char *text = NULL;

  if (read_file (filename, &content, error))
    {
      text = dup_line (&content);
      if (text == NULL)
        set_error (error, filename, _ ("it has to hold one line of text"));
    }
  explicit_bzero (&content, sizeof content);
  return text;
}
