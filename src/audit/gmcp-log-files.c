/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-log-files-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-log-entry-private.h"

/* More than are ever kept. */
#define FILES_MAX 1000u
#define READ_MAX  ((gsize) 256 << 20)

GmcpLogReading *
gmcp_log_reading_new (const char *server_id, const char *path, const GmcpLogPosition *position)
{
  GmcpLogReading *reading = g_new0 (GmcpLogReading, 1);

  reading->server_id = g_strdup (server_id);
  reading->path = g_strdup (path);
  reading->since_unix = G_MININT64;
  reading->position = *position;
  reading->entries = g_ptr_array_new_with_free_func (g_object_unref);
  return reading;
}

void
gmcp_log_reading_free (gpointer data)
{
  GmcpLogReading *reading = data;

  g_free (reading->server_id);
  g_free (reading->path);
  g_ptr_array_unref (reading->entries);
  g_free (reading);
}

/* What is no regular file cannot be read back, and may never end. NULL where it is not there. */
static char *
read_file (const char *path, off_t from, gsize *length, struct stat *info)
{
  int fd = path != NULL ? open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
  g_autoptr (GString) content = NULL;
  char buffer[65536];
  gssize n;

  if (fd < 0)
    return NULL;
  if (fstat (fd, info) != 0 || !S_ISREG (info->st_mode))
    {
      close (fd);
      return NULL;
    }

  content = g_string_new (NULL);
  while (content->len < READ_MAX
         && ((n = pread (fd, buffer, sizeof buffer, from + (off_t) content->len)) > 0
             || (n < 0 && errno == EINTR)))
    {
      if (n > 0)
        g_string_append_len (content, buffer, n);
    }
  close (fd);
  *length = content->len;
  return g_string_free (g_steal_pointer (&content), FALSE);
}

/* A line is written as a whole, and may be half there while it is. */
static gsize
measure_whole_lines (const char *content, gsize length)
{
  const char *newline = memrchr (content, '\n', length);

  return newline != NULL ? (gsize) (newline - content) + 1 : 0;
}

static void
add_lines (GmcpLogReading *reading, const char *content, gsize length)
{
  GDateTime *before = NULL;

  while (length > 0)
    {
      const char *newline = memchr (content, '\n', length);
      gsize n = newline != NULL ? (gsize) (newline - content) : length;
      GmcpLogEntry *entry = gmcp_log_entry_parse (reading->server_id, content, n, before);

      before = gmcp_log_entry_get_time (entry);
      if (before == NULL || g_date_time_to_unix (before) >= reading->since_unix)
        g_ptr_array_add (reading->entries, entry);
      else
        g_object_unref (entry);
      n += newline != NULL;
      content += n;
      length -= n;
    }
}

static char *
make_path (const char *path, guint i)
{
  return i == 0 || path == NULL ? g_strdup (path) : g_strdup_printf ("%s.%u", path, i);
}

/* The part of a text that has so many lines at its end. */
static const char *
find_last_lines (const char *content, gsize length, guint n_lines)
{
  const char *end = content + length;

  if (end > content && end[-1] == '\n')
    end--;
  for (guint i = 0; i < n_lines; i++)
    {
      const char *newline = memrchr (content, '\n', (gsize) (end - content));

      if (newline == NULL)
        return content;
      end = newline;
    }
  return end + 1;
}

/* One more of the older files. FALSE where what follows is older than what is looked for. */
static gboolean
prepend_file (GmcpLogReading *reading, const char *content, gsize length)
{
  g_autoptr (GPtrArray) newer = reading->entries;
  guint n_newer = newer->len;
  guint n_wanted = reading->limit > n_newer ? reading->limit - n_newer : 0;
  const char *from = reading->limit > 0 ? find_last_lines (content, length, n_wanted) : content;
  gboolean more;

  reading->entries = g_ptr_array_new_with_free_func (g_object_unref);
  add_lines (reading, from, length - (gsize) (from - content));
  /* With nothing left out, the file before may have lines that are new enough. */
  more = reading->entries->len > 0 || length == 0;
  for (guint i = 0; i < n_newer; i++)
    g_ptr_array_add (reading->entries, g_object_ref (g_ptr_array_index (newer, i)));
  return more && (reading->limit == 0 || reading->entries->len < reading->limit);
}

gboolean
gmcp_log_reading_read_all (GmcpLogReading *reading, GCancellable *cancellable)
{
  gboolean more = TRUE;

  for (guint i = 0; i < FILES_MAX && more; i++)
    {
      g_autofree char *path = make_path (reading->path, i);
      struct stat info;
      gsize length = 0;
      g_autofree char *content = read_file (path, 0, &length, &info);

      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      if (content == NULL && i == 0)
        continue;
      if (content == NULL)
        break;
      length = measure_whole_lines (content, length);
      if (i == 0)
        reading->position = (GmcpLogPosition){ info.st_dev, info.st_ino, (off_t) length };
      more = prepend_file (reading, content, length);
    }
  return TRUE;
}

static gboolean
is_at (const GmcpLogPosition *position, const struct stat *info)
{
  return position->device == info->st_dev && position->inode == info->st_ino;
}

/* How many files became full since; G_MAXUINT where the file that was read is gone. */
static guint
count_full_files (const GmcpLogReading *reading)
{
  for (guint i = 0; i < FILES_MAX; i++)
    {
      g_autofree char *path = make_path (reading->path, i);
      struct stat info;

      if (path != NULL && stat (path, &info) == 0)
        {
          if (is_at (&reading->position, &info))
            return i;
        }
      else if (i > 0)
        break;
    }
  return G_MAXUINT;
}

/* Takes what one file has behind an offset. FALSE where another file has the name by now. */
static gboolean
read_on (GmcpLogReading *reading, const char *path, off_t from)
{
  struct stat info;
  gsize length = 0;
  g_autofree char *content = read_file (path, from, &length, &info);

  if (content == NULL)
    return TRUE;
  if (from > 0 && !is_at (&reading->position, &info))
    return FALSE;
  /* Somebody has emptied it. */
  if (info.st_size < from)
    return read_on (reading, path, 0);

  length = measure_whole_lines (content, length);
  add_lines (reading, content, length);
  reading->position = (GmcpLogPosition){ info.st_dev, info.st_ino, from + (off_t) length };
  return TRUE;
}

gboolean
gmcp_log_reading_read_new (GmcpLogReading *reading, GCancellable *cancellable)
{
  guint n_full = count_full_files (reading);
  gboolean is_gone = n_full == G_MAXUINT;

  for (guint i = is_gone ? 0 : n_full;; i--)
    {
      g_autofree char *path = make_path (reading->path, i);

      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      /* What becomes full meanwhile is read the next time. */
      if (!read_on (reading, path, !is_gone && i == n_full ? reading->position.offset : 0)
          || i == 0)
        break;
    }
  return TRUE;
}
