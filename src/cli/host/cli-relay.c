/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gi18n.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli-failure.h"
#include "cli-relay.h"

#define FOLDER_NAME "gmcp"
#define BUFFER_SIZE (64 * 1024)

/* One direction. What has been read is written before more is read. */
typedef struct
{
  int from;
  int to;
  gboolean ended; /* nothing more comes, or nobody takes it */
  gsize begin;    /* of what is to be written */
  gsize end;
  char buffer[BUFFER_SIZE];
} Direction;

/* A peer of another user could read what is sent. */
static gboolean
is_own (GSocket *socket)
{
  g_autoptr (GCredentials) credentials = g_socket_get_credentials (socket, NULL);

  return credentials != NULL && g_credentials_get_unix_user (credentials, NULL) == geteuid ();
}

int
cli_relay_connect (const char *name)
{
  g_autofree char *path = g_build_filename (g_get_user_runtime_dir (), FOLDER_NAME, name, NULL);
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocket) socket
    = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, NULL);

  if (socket == NULL || !g_socket_connect (socket, address, NULL, NULL) || !is_own (socket))
    return -1;
  return fcntl (g_socket_get_fd (socket), F_DUPFD_CLOEXEC, 0);
}

/* A reader that is slow must not keep what is sent the other way from being read. A terminal's flags are those of
 * other programs, too, and so it is left alone. */
static void
make_unblocking (int fd)
{
  struct stat status;
  int flags = fcntl (fd, F_GETFL);

  if (flags >= 0 && fstat (fd, &status) == 0
      && (S_ISFIFO (status.st_mode) || S_ISSOCK (status.st_mode)))
    fcntl (fd, F_SETFL, flags | O_NONBLOCK);
}

static gboolean
has_to_wait (gssize done)
{
  return done < 0 && (errno == EAGAIN || errno == EINTR);
}

static void
write_some (Direction *self)
{
  gssize written = write (self->to, self->buffer + self->begin, self->end - self->begin);

  if (written > 0)
    self->begin += (gsize) written;
  else if (!has_to_wait (written))
    self->ended = TRUE;
}

static void
read_some (Direction *self)
{
  gssize length = read (self->from, self->buffer, BUFFER_SIZE);

  if (length <= 0)
    {
      self->ended = !has_to_wait (length);
      return;
    }
  self->begin = 0;
  self->end = (gsize) length;
  write_some (self);
}

static gboolean
is_full (const Direction *self)
{
  return self->begin < self->end;
}

static struct pollfd
make_wait (const Direction *self)
{
  struct pollfd wait = { .fd = -1 };

  if (!self->ended)
    {
      wait.fd = is_full (self) ? self->to : self->from;
      wait.events = is_full (self) ? POLLOUT : POLLIN;
    }
  return wait;
}

static void
move_some (Direction *self)
{
  if (is_full (self))
    write_some (self);
  else
    read_some (self);
}

/* Both at once. The daemon is told when standard input has ended, and may still have something to say. */
static gboolean
relay_all (Direction *up, Direction *down)
{
  gboolean told = FALSE;

  while (!down->ended)
    {
      struct pollfd waits[] = { make_wait (up), make_wait (down) };

      if (poll (waits, G_N_ELEMENTS (waits), -1) < 0 && errno != EINTR)
        return FALSE;
      if (waits[0].revents != 0)
        move_some (up);
      if (waits[1].revents != 0)
        move_some (down);
      if (up->ended && !told)
        {
          told = TRUE;
          shutdown (up->to, SHUT_WR);
        }
    }
  return up->ended && !is_full (up);
}

CliExit
cli_relay_run (int socket)
{
  g_autofree Direction *up = g_new (Direction, 1);
  g_autofree Direction *down = g_new (Direction, 1);
  gboolean lost_reader;
  gboolean was_ended;

  signal (SIGINT, SIG_DFL);
  signal (SIGTERM, SIG_DFL);
  make_unblocking (STDIN_FILENO);
  make_unblocking (STDOUT_FILENO);
  make_unblocking (socket);
  *up = (Direction){ .from = STDIN_FILENO, .to = socket };
  *down = (Direction){ .from = socket, .to = STDOUT_FILENO };

  was_ended = relay_all (up, down);
  lost_reader = is_full (down);
  close (socket);
  if (lost_reader)
    return CLI_EXIT_OUTPUT;
  if (was_ended)
    return CLI_EXIT_OK;

  cli_failure_tell (_ ("gmcpd, which looks after the servers, has ended the connection"));
  return CLI_EXIT_UNREACHABLE;
}
