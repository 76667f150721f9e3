/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-sandbox-paths-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gmcp-fd-private.h"

static const char *const hidden_dirs[] = { "/tmp", "/var/tmp", "/run" };

static void
add_hidden (GPtrArray *hidden, const char *dir)
{
  char *real = realpath (dir, NULL);

  /* A session whose runtime folder is “/” has none. */
  if (real != NULL && real[1] != '\0'
      && !g_ptr_array_find_with_equal_func (hidden, real, g_str_equal, NULL)
      && g_file_test (real, G_FILE_TEST_IS_DIR))
    g_ptr_array_add (hidden, g_strdup (real));
  free (real);
}

GPtrArray *
gmcp_sandbox_paths_list_hidden (void)
{
  GPtrArray *hidden = g_ptr_array_new_with_free_func (g_free);
  const char *runtime_dir = g_getenv ("XDG_RUNTIME_DIR");

  for (gsize i = 0; i < G_N_ELEMENTS (hidden_dirs); i++)
    add_hidden (hidden, hidden_dirs[i]);
  if (runtime_dir != NULL && *runtime_dir == '/')
    add_hidden (hidden, runtime_dir);
  return hidden;
}

char *
gmcp_sandbox_paths_dup_private (void)
{
  g_autofree char *dir = g_build_filename (g_get_user_state_dir (), "gmcp", NULL);
  char *real, *found;

  /* What is made later on would be seen. */
  if (g_mkdir_with_parents (dir, 0700) != 0)
    return NULL;
  real = realpath (dir, NULL);
  found = g_strdup (real);
  free (real);
  return found;
}

gboolean
gmcp_sandbox_paths_is_below (const char *path, const char *dir)
{
  gsize length = strlen (dir);

  /* Only “/” ends in a slash. */
  if (length == 1)
    return TRUE;
  return strncmp (path, dir, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

const char *
gmcp_sandbox_paths_find_hidden (GPtrArray *hidden, const char *path)
{
  const char *found = NULL;

  for (guint i = 0; i < hidden->len; i++)
    {
      const char *dir = hidden->pdata[i];

      /* The nearest: the session's folder in “/run” is one in another. */
      if (gmcp_sandbox_paths_is_below (path, dir)
          && (found == NULL || strlen (dir) > strlen (found)))
        found = dir;
    }
  return found;
}

gboolean
gmcp_sandbox_paths_covers_hidden (GPtrArray *hidden, const char *path)
{
  for (guint i = 0; i < hidden->len; i++)
    {
      if (gmcp_sandbox_paths_is_below (hidden->pdata[i], path))
        return TRUE;
    }
  return FALSE;
}

/* What path is where nothing but the home folder, and what is above it, is a link. */
static char *
replace_home (const char *path)
{
  g_autofree char *home = g_canonicalize_filename (g_get_home_dir (), "/");
  char *real_home, *replaced;

  if (!gmcp_sandbox_paths_is_below (path, home))
    return g_strdup (path);

  real_home = realpath (home, NULL);
  if (real_home == NULL || home[1] == '\0')
    replaced = g_strdup (path);
  else
    replaced = g_strconcat (real_home, path + strlen (home), NULL);
  free (real_home);
  return replaced;
}

char *
gmcp_sandbox_paths_resolve_writable (const char *path, char **target)
{
  g_autofree char *plain = g_canonicalize_filename (path, "/");
  g_autofree char *expected = replace_home (plain);
  /* Of what was written: “..” after a link is elsewhere than it seems. */
  char *real = realpath (path, NULL);

  if (real == NULL)
    return NULL;
  if (g_str_equal (real, expected))
    {
      free (real);
      return g_steal_pointer (&expected);
    }

  *target = g_strdup (real);
  free (real);
  errno = ELOOP;
  return NULL;
}

int
gmcp_sandbox_paths_open (const char *path)
{
  g_autofree char *link = NULL;
  g_autofree char *now = NULL;
  struct stat info;
  int fd = open (path, O_PATH | O_NOFOLLOW | O_CLOEXEC);

  if (fd < 0)
    return -1;

  /* Where any part of it has become a link meanwhile, this names another place. */
  link = g_strdup_printf ("/proc/self/fd/%d", fd);
  now = g_file_read_link (link, NULL);
  if (g_strcmp0 (now, path) == 0 && fstat (fd, &info) == 0 && !S_ISLNK (info.st_mode))
    return fd;

  gmcp_clear_fd (&fd);
  errno = ELOOP;
  return -1;
}
