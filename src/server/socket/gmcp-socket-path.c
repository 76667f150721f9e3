/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-socket-path-private.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixsocketaddress.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "gmcp-i18n-private.h"

#define MODE_OWN    0600
#define MODE_OTHERS 0666
#define MAX_LENGTH  (sizeof (((struct sockaddr_un *) NULL)->sun_path) - 1)

struct _GmcpSocketPath
{
  char *path;
  char *shown;  /* for messages */
  dev_t device; /* of the file that was made */
  ino_t inode;
};

static gboolean
fail_errno (GmcpSocketPath *self, int saved_errno, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno),
               /* Translators: a file, and what the system says */
               _ ("The socket “%s” cannot be made: %s"), self->shown, g_strerror (saved_errno));
  return FALSE;
}

/* Nobody else may be able to put a socket of theirs in the place of ours. The folder stays locked against
 * others that are about to make a socket in it for as long as the descriptor is open. */
static gboolean
lock_folder (GmcpSocketPath *self, int fd, GError **error)
{
  struct stat status;

  if (fd < 0 || fstat (fd, &status) < 0)
    return fail_errno (self, errno, error);
  if (status.st_uid != geteuid () || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                   _ ("The socket “%s” would be in a folder that is not this user's, or that "
                      "others can write to; use one of your own, such as $XDG_RUNTIME_DIR"),
                   self->shown);
      return FALSE;
    }
  if (flock (fd, LOCK_EX | LOCK_NB) < 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY,
                   _ ("Another program is making a socket beside “%s” at this moment; try again"),
                   self->shown);
      return FALSE;
    }
  return TRUE;
}

/* Whether nobody listens at an address any more. A Unix socket answers at once. */
static gboolean
is_left_behind (GSocketAddress *address)
{
  g_autoptr (GSocket) probe
    = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, NULL);
  g_autoptr (GError) error = NULL;

  if (probe == NULL)
    return FALSE;

  g_socket_set_blocking (probe, FALSE);
  return !g_socket_connect (probe, address, NULL, &error)
         && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED);
}

/* Removes what another server has left at the path; fails where it is anything else. */
static gboolean
clear_path (GmcpSocketPath *self, GSocketAddress *address, GError **error)
{
  struct stat status;

  if (lstat (self->path, &status) < 0)
    return errno == ENOENT || fail_errno (self, errno, error);
  if (!S_ISSOCK (status.st_mode) || status.st_uid != geteuid ())
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
                   _ ("“%s” is there already, and is no socket of this user's; remove it or choose "
                      "another name"),
                   self->shown);
      return FALSE;
    }
  if (!is_left_behind (address))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE,
                   _ ("Another server listens on “%s”; end it or choose another name"),
                   self->shown);
      return FALSE;
    }
  return unlink (self->path) == 0 || errno == ENOENT || fail_errno (self, errno, error);
}

/* The mode is set before anybody can connect, since nobody listens yet. */
static gboolean
listen_at (GmcpSocketPath *self,
           GSocket *socket,
           GSocketAddress *address,
           gboolean others,
           GError **error)
{
  struct stat status;

  if (!g_socket_bind (socket, address, FALSE, error))
    return FALSE;
  if (lstat (self->path, &status) < 0)
    return fail_errno (self, errno, error);

  self->device = status.st_dev;
  self->inode = status.st_ino;
  if (chmod (self->path, others ? MODE_OTHERS : MODE_OWN) < 0)
    return fail_errno (self, errno, error);
  return g_socket_listen (socket, error);
}

GmcpSocketPath *
gmcp_socket_path_new (const char *path, gboolean others, GSocket **socket, GError **error)
{
  g_autoptr (GmcpSocketPath) self = g_new0 (GmcpSocketPath, 1);
  g_autoptr (GSocketAddress) address = NULL;
  g_autoptr (GSocket) made = NULL;
  g_autofree char *folder = NULL;
  int fd;
  gboolean listens;

  self->path = g_canonicalize_filename (path, NULL);
  self->shown = g_filename_display_name (self->path);
  if (strlen (self->path) > MAX_LENGTH)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FILENAME_TOO_LONG,
                   _ ("The name of the socket “%s” is longer than the system takes; choose a "
                      "shorter one"),
                   self->shown);
      return NULL;
    }

  address = g_unix_socket_address_new (self->path);
  made
    = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, error);
  if (made == NULL)
    return NULL;

  folder = g_path_get_dirname (self->path);
  fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  listens = lock_folder (self, fd, error) && clear_path (self, address, error)
            && listen_at (self, made, address, others, error);
  if (fd >= 0)
    close (fd);
  if (!listens)
    return NULL;

  *socket = g_steal_pointer (&made);
  return g_steal_pointer (&self);
}

void
gmcp_socket_path_free (GmcpSocketPath *self)
{
  struct stat status;

  if (self->inode != 0 && lstat (self->path, &status) == 0 && status.st_ino == self->inode
      && status.st_dev == self->device)
    unlink (self->path);
  g_free (self->path);
  g_free (self->shown);
  g_free (self);
}

void
gmcp_socket_path_remove_left_behind (const char *path)
{
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  struct stat status;

  if (lstat (path, &status) == 0 && S_ISSOCK (status.st_mode) && is_left_behind (address))
    unlink (path);
}

/* Somebody who connects. */
typedef struct
{
  void (*func) (gpointer data);
  gpointer data;
} First;

static gboolean
on_first (GSocket *socket, GIOCondition condition, gpointer data)
{
  const First *first = data;

  first->func (first->data);
  return G_SOURCE_REMOVE;
}

GSource *
gmcp_socket_watch_first (GSocket *socket, void (*func) (gpointer data), gpointer data)
{
  GSource *source = g_socket_create_source (socket, G_IO_IN, NULL);
  First *first = g_new (First, 1);

  *first = (First){ func, data };
  g_source_set_static_name (source, "[gmcp] first client of a socket");
  g_source_set_callback (source, G_SOURCE_FUNC (on_first), first, g_free);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}
