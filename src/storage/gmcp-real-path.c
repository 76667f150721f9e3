/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "gmcp-real-path-private.h"

char *
gmcp_real_path_of_folder (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = real != NULL ? g_strdup (real) : g_canonicalize_filename (path, NULL);

  free (real);
  return copy;
}

char *
gmcp_real_path_of_file (const char *path)
{
  g_autofree char *dir = g_path_get_dirname (path);
  g_autofree char *folder = gmcp_real_path_of_folder (dir);
  g_autofree char *name = g_path_get_basename (path);

  return g_build_filename (folder, name, NULL);
}

gboolean
gmcp_real_path_is_within (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  if (strncmp (path, folder, length) != 0)
    return FALSE;

  /* Of all folders only the root ends with a slash. */
  return path[length] == '\0' || path[length] == '/' || (length > 0 && folder[length - 1] == '/');
}
