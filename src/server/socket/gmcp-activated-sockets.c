/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/server/socket/gmcp-activated-sockets.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

/* Spec: sd_listen_fds(3). */
#define FIRST_FD 3

static const char *const variables[]
  = { "LISTEN_FDS", "LISTEN_PID", "LISTEN_PIDFDID", "LISTEN_FDNAMES", NULL };

/* What the environment says, taken out of it: a child would take it to be its own. */
typedef struct
{
  char *fds;
  char *pid;
  char *names;
} Handed;

static void
handed_clear (Handed *self)
{
  g_free (self->fds);
  g_free (self->pid);
  g_free (self->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Handed, handed_clear)

static void
take_environment (Handed *handed)
{
  handed->fds = g_strdup (g_getenv ("LISTEN_FDS"));
  handed->pid = g_strdup (g_getenv ("LISTEN_PID"));
  handed->names = g_strdup (g_getenv ("LISTEN_FDNAMES"));
  for (guint i = 0; variables[i] != NULL; i++)
    g_unsetenv (variables[i]);
}

static gboolean
read_number (const char *variable, const char *text, guint64 max, guint64 *number, GError **error)
{
  if (g_ascii_string_to_unsigned (text, 10, 1, max, number, NULL))
    return TRUE;

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
               /* Translators: an environment variable */
               _ ("%s says nothing that can be understood, so that it is not known which sockets "
                  "were handed over"),
               variable);
  return FALSE;
}

static GSocket *
take_socket (int fd, GError **error)
{
  g_autoptr (GError) reason = NULL;
  GSocket *socket = NULL;
  int listens = 0;
  socklen_t length = sizeof listens;

  if (fcntl (fd, F_SETFD, FD_CLOEXEC) == 0
      && getsockopt (fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens != 0)
    socket = g_socket_new_from_fd (fd, &reason);
  if (socket == NULL || g_socket_get_socket_type (socket) != G_SOCKET_TYPE_STREAM)
    {
      g_clear_object (&socket);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                   /* Translators: a number */
                   _ ("The descriptor %d that was handed over is no stream socket that listens"),
                   fd);
    }
  return socket;
}

static char **
split_names (const char *names, guint n_fds, GError **error)
{
  char **split = NULL;

  if (names == NULL)
    {
      split = g_new0 (char *, n_fds + 1);
      for (guint i = 0; i < n_fds; i++)
        split[i] = g_strdup ("unknown");
      return split;
    }

  split = g_strsplit (names, ":", -1);
  if (g_strv_length (split) == n_fds)
    return split;

  g_strfreev (split);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                       _ ("LISTEN_FDNAMES does not name as many sockets as were handed over"));
  return NULL;
}

/**
 * gmcp_take_activated_sockets:
 * @names: (out) (optional) (transfer full) (array zero-terminated=1): what each is called
 *   (`FileDescriptorName=` of its unit; `unknown` where there are no names)
 * @error: return location for an error
 *
 * Takes the sockets that systemd, or another program that does it in the same way, has opened for this
 * process. There are none where the program was started in another way; asked a second time, there are none
 * either. [method@Gmcp.SocketEndpoint.listen_socket] and [method@Gmcp.HttpEndpoint.listen_socket] serve on
 * them.
 *
 * The variables `LISTEN_FDS`, `LISTEN_PID` and `LISTEN_FDNAMES` are removed from the environment, so that no
 * child takes them for its own. So this is called in the beginning, before there are other threads.
 *
 * Fails with %G_IO_ERROR_INVALID_DATA where what was handed over is not what the variables say, or no stream
 * socket that listens.
 *
 * Spec: sd_listen_fds(3).
 *
 * Returns: (transfer container) (element-type Gio.Socket): the sockets, in the order of their units
 *
 * Since: 0.1
 */
GPtrArray *
gmcp_take_activated_sockets (char ***names, GError **error)
{
  g_autoptr (GPtrArray) sockets = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (Handed) handed = { 0 };
  g_auto (GStrv) split = NULL;
  guint64 pid = 0;
  guint64 n_fds = 0;

  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  take_environment (&handed);
  if (handed.pid != NULL && handed.fds != NULL)
    {
      if (!read_number ("LISTEN_PID", handed.pid, G_MAXINT, &pid, error)
          || !read_number ("LISTEN_FDS", handed.fds, GMCP_LIMIT_ACTIVATED_SOCKETS, &n_fds, error))
        return NULL;
      /* They are a parent's, which did not take them out of the environment. */
      if (pid != (guint64) getpid ())
        n_fds = 0;
    }

  split = split_names (n_fds > 0 ? handed.names : NULL, (guint) n_fds, error);
  if (split == NULL)
    return NULL;
  for (guint i = 0; i < n_fds; i++)
    {
      GSocket *socket = take_socket (FIRST_FD + (int) i, error);

      if (socket == NULL)
        return NULL;
      g_ptr_array_add (sockets, socket);
    }

  if (names != NULL)
    *names = g_steal_pointer (&split);
  return g_steal_pointer (&sockets);
}
