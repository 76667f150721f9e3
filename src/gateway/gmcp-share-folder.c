/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-share-folder-private.h"

#include <errno.h>

#include "gmcp-fd-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-shared-process-private.h"
#include "gmcp-socket-path-private.h"

/* Sockets of daemons before this one. */
#define MAX_LEFT_BEHIND 10000u

struct _GmcpShareFolder
{
  char *path;
  int lock_fd; /* by which others know that servers are offered; or -1 */
};

static void
remove_left_behind (const char *folder)
{
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  guint n_left = MAX_LEFT_BEHIND;
  const char *name;

  while (files != NULL && n_left-- > 0 && (name = g_dir_read_name (files)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      gmcp_socket_path_remove_left_behind (path);
    }
}

static gboolean
make_folder (const char *folder, GError **error)
{
  g_autofree char *shown = g_filename_display_name (folder);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      int number = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s: %s", shown,
                   g_strerror (number));
      return FALSE;
    }
  if (gmcp_shared_process_check_folder (folder))
    return TRUE;

  g_set_error (
    error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
    _ ("The folder “%s” is not yours, or others can write to it: remove it, or chmod 700 "
       "“%s”"),
    shown, shown);
  return FALSE;
}

GmcpShareFolder *
gmcp_share_folder_open (GError **error)
{
  g_autofree char *path = gmcp_shared_process_dup_folder ();
  GmcpShareFolder *self;

  if (!make_folder (path, error))
    return NULL;

  remove_left_behind (path);
  self = g_new0 (GmcpShareFolder, 1);
  self->path = g_steal_pointer (&path);
  self->lock_fd = -1;
  return self;
}

void
gmcp_share_folder_free (GmcpShareFolder *self)
{
  gmcp_clear_fd (&self->lock_fd);
  g_free (self->path);
  g_free (self);
}

const char *
gmcp_share_folder_get_path (GmcpShareFolder *self)
{
  return self->path;
}

void
gmcp_share_folder_hold (GmcpShareFolder *self)
{
  self->lock_fd = gmcp_shared_process_hold_folder (self->path);
}
