/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What stands between a host and a process that it shares, without doing anything: bytes of a Unix socket go to a
 * program, and what that says goes back.
 *
 * relay PATH SERVER [ARG…]; one connection after the other, a program for each */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char buffer[65536];

/* 0 at the end. */
static int
pass_on (int from, int to)
{
  ssize_t length = read (from, buffer, sizeof buffer);

  for (ssize_t done = 0; done < length;)
    {
      ssize_t n = write (to, buffer + done, (size_t) (length - done));

      if (n <= 0)
        return 0;
      done += n;
    }
  return length > 0 || (length < 0 && errno == EINTR);
}

static void
relay (int client, int server)
{
  struct pollfd fds[] = { { client, POLLIN, 0 }, { server, POLLIN, 0 } };

  while (poll (fds, 2, -1) > 0 || errno == EINTR)
    {
      if ((fds[0].revents != 0 && !pass_on (client, server))
          || (fds[1].revents != 0 && !pass_on (server, client)))
        return;
    }
}

static void
serve_client (int client, char *argv[])
{
  int ends[2];
  pid_t pid;

  if (socketpair (AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    exit (1);
  pid = fork ();
  if (pid == 0)
    {
      dup2 (ends[1], 0);
      dup2 (ends[1], 1);
      close (ends[0]);
      close (ends[1]);
      close (client);
      execv (argv[0], argv);
      _exit (1);
    }
  close (ends[1]);
  relay (client, ends[0]);
  close (ends[0]);
  waitpid (pid, NULL, 0);
}

int
main (int argc, char *argv[])
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int listener = socket (AF_UNIX, SOCK_STREAM, 0);

  if (argc < 3 || strlen (argv[1]) >= sizeof address.sun_path)
    return 2;
  signal (SIGPIPE, SIG_IGN);
  strcpy (address.sun_path, argv[1]);
  if (bind (listener, (struct sockaddr *) &address, sizeof address) != 0
      || listen (listener, 5) != 0)
    return 1;

  for (;;)
    {
      int client = accept (listener, NULL, NULL);

      if (client < 0)
        return 1;
      serve_client (client, argv + 2);
      close (client);
    }
}
