/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcpd-runtime.h"

#define FOLDER_NAME "gmcp"
#define LOCK_NAME   "gmcpd.lock"

struct _GmcpdRuntime
{
  char *folder;
  int lock_fd;
};

static void
set_error_for_path (GError **error, const char *path, int number)
{
  g_autofree char *shown = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s: %s", shown,
               g_strerror (number));
}

/* Whoever can write to the folder could put a socket of their own in the place of ours. */
static gboolean
check_folder (const char *folder, GError **error)
{
  g_autofree char *shown = g_filename_display_name (folder);
  struct stat status;

  if (g_lstat (folder, &status) != 0)
    {
      set_error_for_path (error, folder, errno);
      return FALSE;
    }
  if (S_ISDIR (status.st_mode) && status.st_uid == geteuid () && (status.st_mode & 022) == 0)
    return TRUE;

  g_set_error (
    error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
    _ ("The folder “%s”, in which the sockets are to be, has to be yours, and nobody else "
       "may be able to write to it: chmod 700 “%s”"),
    shown, shown);
  return FALSE;
}

static void
set_error_for_other (int fd, GError **error)
{
  char pid[24] = "";
  gssize length = pread (fd, pid, sizeof pid - 1, 0);

  if (length > 0)
    pid[length] = '\0';
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
               /* Translators: the number of a process */
               _ ("Another gmcpd (process %s) looks after the servers of this session; “gmcp "
                  "status” shows them"),
               *pid != '\0' ? g_strchomp (pid) : "?");
}

static gboolean
take_lock (GmcpdRuntime *self, GError **error)
{
  g_autofree char *path = gmcpd_runtime_dup_path (self, LOCK_NAME);
  g_autofree char *pid = g_strdup_printf ("%d\n", (int) getpid ());

  self->lock_fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (self->lock_fd < 0)
    {
      set_error_for_path (error, path, errno);
      return FALSE;
    }
  if (flock (self->lock_fd, LOCK_EX | LOCK_NB) != 0)
    {
      set_error_for_other (self->lock_fd, error);
      return FALSE;
    }
  /* For the message of another daemon, which says which process it is that has the lock. */
  if (ftruncate (self->lock_fd, 0) != 0
      || pwrite (self->lock_fd, pid, strlen (pid), 0) != (gssize) strlen (pid))
    {
      set_error_for_path (error, path, errno);
      return FALSE;
    }
  return TRUE;
}

GmcpdRuntime *
gmcpd_runtime_new (GError **error)
{
  g_autoptr (GmcpdRuntime) self = g_new0 (GmcpdRuntime, 1);

  self->lock_fd = -1;
  self->folder = g_build_filename (g_get_user_runtime_dir (), FOLDER_NAME, NULL);
  if (g_mkdir_with_parents (self->folder, 0700) != 0)
    {
      set_error_for_path (error, self->folder, errno);
      return NULL;
    }
  if (!check_folder (self->folder, error) || !take_lock (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

char *
gmcpd_runtime_dup_path (GmcpdRuntime *self, const char *name)
{
  return g_build_filename (self->folder, name, NULL);
}

/* The file of the lock stays: one that is removed could be locked by two daemons, each its own. */
void
gmcpd_runtime_free (GmcpdRuntime *self)
{
  if (self->lock_fd >= 0)
    close (self->lock_fd);
  g_free (self->folder);
  g_free (self);
}
