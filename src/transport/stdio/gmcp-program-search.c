/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-program-search-private.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

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
