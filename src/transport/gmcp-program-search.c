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
gmcp_program_search (const char *name, const char *path)
{
  g_auto (GStrv) dirs = NULL;

  if (strchr (name, '/') != NULL)
    return can_run (name) ? g_strdup (name) : NULL;

  dirs = g_strsplit (path != NULL ? path : DEFAULT_PATH, ":", -1);
  for (gsize i = 0; *name != '\0' && dirs[i] != NULL; i++)
    {
      g_autofree char *file = g_build_filename (*dirs[i] != '\0' ? dirs[i] : ".", name, NULL);

      if (can_run (file))
        return g_steal_pointer (&file);
    }
  return NULL;
}
