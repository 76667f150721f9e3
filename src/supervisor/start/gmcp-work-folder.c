/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-i18n-private.h"
#include "gmcp-work-folder-private.h"

#include <gio/gio.h>

#define WORK "work"
#define MODE 0700

static void
set_errno (const char *path, GError **error)
{
  int saved = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved), "%s: %s", path,
               g_strerror (saved));
}

static gboolean
check_folder (int fd, const char *path, GError **error)
{
  struct stat info;

  if (fstat (fd, &info) != 0)
    {
      set_errno (path, error);
      return FALSE;
    }
  if (info.st_uid != geteuid ())
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                   _ ("%s belongs to another user"), path);
      return FALSE;
    }
  if ((info.st_mode & 0777) != MODE && fchmod (fd, MODE) != 0)
    {
      set_errno (path, error);
      return FALSE;
    }
  return TRUE;
}

/* Gives -1 with an error. No link is followed. */
static int
enter_folder (int parent, const char *name, const char *path, GError **error)
{
  int fd;

  if (mkdirat (parent, name, MODE) != 0 && errno != EEXIST)
    {
      set_errno (path, error);
      return -1;
    }

  fd = openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY,
                 _ ("%s is a link or a file; remove it"), path);
  else if (fd < 0)
    set_errno (path, error);
  else if (check_folder (fd, path, error))
    return fd;

  if (fd >= 0)
    close (fd);
  return -1;
}

char *
gmcp_work_folder_dup_path (const char *state_dir, const char *id)
{
  return g_build_filename (state_dir, WORK, id, NULL);
}

char *
gmcp_work_folder_make (const char *state_dir, const char *id, GError **error)
{
  g_autofree char *all = g_build_filename (state_dir, WORK, NULL);
  g_autofree char *path = gmcp_work_folder_dup_path (state_dir, id);
  int state_fd;
  int all_fd;
  int fd;

  if (g_mkdir_with_parents (state_dir, MODE) != 0)
    {
      set_errno (state_dir, error);
      return NULL;
    }
  state_fd = open (state_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (state_fd < 0)
    {
      set_errno (state_dir, error);
      return NULL;
    }

  all_fd = enter_folder (state_fd, WORK, all, error);
  fd = all_fd >= 0 ? enter_folder (all_fd, id, path, error) : -1;
  if (fd >= 0)
    close (fd);
  if (all_fd >= 0)
    close (all_fd);
  close (state_fd);
  return fd >= 0 ? g_steal_pointer (&path) : NULL;
}
