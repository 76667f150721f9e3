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
#define ENDING      " ending\n"
/* Longer than a daemon takes to end, and what a bus gives to one that it starts. */
#define MAX_WAIT_MS 22000
#define POLL_MS     20

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

/* What stands in the lock: the number of the process that has it, and whether that ends. */
static void
read_lock (int fd, char **pid, gboolean *is_ending)
{
  char text[64] = "";
  gssize length = pread (fd, text, sizeof text - 1, 0);
  gsize n_digits;

  text[MAX (length, 0)] = '\0';
  n_digits = strspn (text, "0123456789");
  *pid = n_digits > 0 ? g_strndup (text, n_digits) : g_strdup ("?");
  *is_ending = g_str_equal (text + n_digits, ENDING);
}

static gboolean
write_lock (int fd, const char *end)
{
  g_autofree char *text = g_strdup_printf ("%d%s", (int) getpid (), end);

  return ftruncate (fd, 0) == 0 && pwrite (fd, text, strlen (text), 0) == (gssize) strlen (text);
}

/* The bus starts a daemon as soon as the name of the one before is free, which still stops its servers then. */
static gboolean
wait_for_lock (int fd, GError **error)
{
  gint64 due_us = g_get_monotonic_time () + MAX_WAIT_MS * (gint64) G_TIME_SPAN_MILLISECOND;

  while (flock (fd, LOCK_EX | LOCK_NB) != 0)
    {
      g_autofree char *pid = NULL;
      gboolean is_ending;

      read_lock (fd, &pid, &is_ending);
      if (!is_ending || g_get_monotonic_time () >= due_us)
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
                       /* Translators: the number of a process */
                       _ ("Another gmcpd (process %s) looks after the servers of this session; "
                          "“gmcp status” shows them"),
                       pid);
          return FALSE;
        }
      /* There is no main loop yet. */
      g_poll (NULL, 0, POLL_MS);
    }
  return TRUE;
}

static gboolean
take_lock (GmcpdRuntime *self, GError **error)
{
  g_autofree char *path = gmcpd_runtime_dup_path (self, LOCK_NAME);

  self->lock_fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (self->lock_fd < 0)
    {
      set_error_for_path (error, path, errno);
      return FALSE;
    }
  if (!wait_for_lock (self->lock_fd, error))
    return FALSE;
  if (!write_lock (self->lock_fd, "\n"))
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

void
gmcpd_runtime_set_ending (GmcpdRuntime *self)
{
  if (!write_lock (self->lock_fd, ENDING))
    g_debug ("The lock does not say that this daemon ends: %s", g_strerror (errno));
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
