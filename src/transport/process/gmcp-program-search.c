/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-program-search-private.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-near-names-private.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"
/* Of all directories, where a name is looked for that is near to one that is not there. */
#define NAMES_MAX 20000u

static gboolean
can_run (const char *file)
{
  struct stat info;

  return stat (file, &info) == 0 && S_ISREG (info.st_mode) && access (file, X_OK) == 0;
}

char *
gmcp_search_path_keep_absolute (const char *path)
{
  g_autoptr (GString) kept = g_string_new (NULL);

  while (path != NULL && *path != '\0')
    {
      gsize length = strcspn (path, ":");

      if (*path == '/')
        g_string_append_printf (kept, "%s%.*s", kept->len > 0 ? ":" : "", (int) length, path);
      path += length;
      path += *path == ':';
    }

  /* To a shell, and to execvp(), an empty PATH is the folder that it runs in. */
  return kept->len > 0 ? g_string_free (g_steal_pointer (&kept), FALSE) : g_strdup (DEFAULT_PATH);
}

char *
gmcp_program_search (const char *name, const char *path)
{
  g_autofree char *kept = NULL;
  g_auto (GStrv) dirs = NULL;

  if (strchr (name, '/') != NULL)
    return can_run (name) ? g_strdup (name) : NULL;

  kept = gmcp_search_path_keep_absolute (path);
  dirs = g_strsplit (kept, ":", -1);
  for (gsize i = 0; *name != '\0' && dirs[i] != NULL; i++)
    {
      g_autofree char *file = g_build_filename (dirs[i], name, NULL);

      if (can_run (file))
        return g_steal_pointer (&file);
    }
  return NULL;
}

/* What differs by more letters is another word: only names that long are worth being compared. */
static gboolean
may_be_meant (const char *name, const char *other)
{
  gsize length = strlen (name);
  gsize other_length = strlen (other);

  return MAX (length, other_length) - MIN (length, other_length) <= MAX (length / 3, 1);
}

static void
collect_programs (const char *name, const char *directory, GPtrArray *programs, guint *n_seen)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *entry;

  while (dir != NULL && *n_seen < NAMES_MAX && (entry = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = NULL;

      (*n_seen)++;
      if (!may_be_meant (name, entry) || !g_utf8_validate (entry, -1, NULL))
        continue;
      file = g_build_filename (directory, entry, NULL);
      if (can_run (file))
        g_ptr_array_add (programs, g_strdup (entry));
    }
}

char *
gmcp_program_suggest (const char *name, const char *path)
{
  g_autofree char *kept = gmcp_search_path_keep_absolute (path);
  g_auto (GStrv) dirs = g_strsplit (kept, ":", -1);
  g_autoptr (GPtrArray) programs = g_ptr_array_new_with_free_func (g_free);
  g_autofree GmcpNearName *candidates = NULL;
  guint n_seen = 0;

  for (gsize i = 0; dirs[i] != NULL; i++)
    collect_programs (name, dirs[i], programs, &n_seen);

  candidates = g_new (GmcpNearName, programs->len + 1);
  for (guint i = 0; i < programs->len; i++)
    candidates[i] = (GmcpNearName){ programs->pdata[i], programs->pdata[i] };
  return gmcp_near_names_suggest (name, candidates, programs->len);
}
