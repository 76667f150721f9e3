/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-cache-folder-private.h"
#include "gmcp-limits.h"

#define DAY_SECONDS   (24 * 60 * 60)
#define DIGEST_LENGTH 64

typedef struct
{
  char *name;
  gint64 used; /* in seconds of real time */
} File;

static void
file_clear (gpointer data)
{
  g_free (((File *) data)->name);
}

static gint64
get_seconds (void)
{
  return g_get_real_time () / G_USEC_PER_SEC;
}

void
gmcp_cache_folder_write (const char *path,
                         const char *text,
                         gsize length,
                         GFileSetContentsFlags flags)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    g_debug ("%s could not be made: %s", folder, g_strerror (errno));
  else if (!g_file_set_contents_full (path, text, (gssize) length, flags, 0600, &error))
    g_debug ("%s was not kept: %s", path, error->message);
  else
    gmcp_cache_folder_tidy (folder, GMCP_LIMIT_CACHE_FILES);
}

void
gmcp_cache_folder_mark_used (const char *path)
{
  struct stat info;

  /* A day is near enough, and saves most writing. */
  if (stat (path, &info) == 0 && info.st_mtime < get_seconds () - DAY_SECONDS
      && utimensat (AT_FDCWD, path, NULL, 0) != 0)
    g_debug ("%s could not be marked as used: %s", path, g_strerror (errno));
}

static gboolean
is_digest (const char *name)
{
  return strspn (name, "0123456789abcdef") == DIGEST_LENGTH;
}

static void
remove_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (unlink (path) != 0 && errno != ENOENT)
    g_debug ("%s could not be removed: %s", path, g_strerror (errno));
}

/* Files that stay are added to files. */
static void
inspect_file (const char *folder, const char *name, GArray *files)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  gboolean is_whole = name[DIGEST_LENGTH] == '\0';
  gint64 age;
  struct stat info;

  if (lstat (path, &info) != 0 || !S_ISREG (info.st_mode))
    return;

  age = get_seconds () - info.st_mtime;
  if (age > (is_whole ? (gint64) GMCP_LIMIT_CACHE_FILE_DAYS : 1) * DAY_SECONDS)
    {
      remove_file (folder, name);
    }
  else if (is_whole)
    {
      const File file = { g_strdup (name), info.st_mtime };

      g_array_append_val (files, file);
    }
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
  const File *one = a;
  const File *other = b;

  return one->used < other->used ? -1 : one->used > other->used;
}

void
gmcp_cache_folder_tidy (const char *folder, guint max_files)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (File));
  const char *name;

  g_array_set_clear_func (files, file_clear);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_digest (name) && (name[DIGEST_LENGTH] == '\0' || name[DIGEST_LENGTH] == '.'))
      inspect_file (folder, name, files);

  if (files->len <= max_files)
    return;
  g_array_sort (files, compare_files);
  for (guint i = 0; i < files->len - max_files; i++)
    remove_file (folder, g_array_index (files, File, i).name);
}
