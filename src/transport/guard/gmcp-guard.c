/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The parent of one server. It starts the server in a session of its own, tells the host how it
 * went, and sees to it that nothing the server started is left when the server ends or the host
 * does, in whatever way. No byte of the traffic passes through it, and it links the C library
 * only.
 *
 * That holds as long as it lives itself. A server of the same user can kill it; then the kernel kills the
 * server's first process, unless that has seen to it that it does not, and the rest is up to the host
 * (gmcp-process-sweep.c), or to systemd where this is the main process of a service. A server in a sandbox
 * does not see it. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gmcp-guard-install.h"
#include "gmcp-guard-protocol.h"
#include "gmcp-guard-start.h"

/* How long processes have between SIGTERM and SIGKILL: when the host is gone, and when the server
 * has ended by itself and has left some behind. */
#define HOST_GONE_MS   1000
#define LEFT_BEHIND_MS 500
/* While killing, what is newly inherited is looked for this often. */
#define KILL_EVERY_MS 20

/* Descriptors that one message can bring. */
#define MAX_FDS 253
/* Standard input, output and error, and GMCP_GUARD_START_FD. */
#define N_FIXED_FDS 4

typedef struct
{
  pid_t server; /* and its group; 0 once it has been reaped */
  int64_t kill_at_ms;
  int killing;
  int spare_leader;
  Install *install; /* NULL for a command that fetches nothing */
} Guard;

static int64_t
now_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void
send_status (int kind, int value, int step)
{
  const GmcpGuardStatus status = { kind, value, step };

  /* Whether the host still listens is seen elsewhere. */
  (void) !send (GMCP_GUARD_CONTROL_FD, &status, sizeof status, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void
close_from (unsigned int first)
{
  if (close_range (first, ~0u, 0) == 0)
    return;

  /* An older kernel. */
  for (int fd = first; fd < 4096; fd++)
    close (fd);
}

/* Closes all descriptors that neither guard nor server is to have, before the guard has any of its
 * own. */
static int
prepare_process (const Start *start)
{
  sigset_t all;

  close_from (GMCP_GUARD_FIRST_FD + start->n_fds);

  fcntl (GMCP_GUARD_CONTROL_FD, F_SETFD, FD_CLOEXEC);
  fcntl (GMCP_GUARD_START_FD, F_SETFD, FD_CLOEXEC);

  /* Away from the host's terminal and its Ctrl-C. */
  setsid ();
  prctl (PR_SET_CHILD_SUBREAPER, 1);

  /* What the host ignores would be ignored in the server too. */
  for (int number = 1; number < NSIG; number++)
    signal (number, SIG_DFL);
  sigfillset (&all);
  sigprocmask (SIG_SETMASK, &all, NULL);

  sigemptyset (&all);
  sigaddset (&all, SIGCHLD);
  sigaddset (&all, SIGTERM);
  return signalfd (-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Puts the descriptors that the host sent where a guard that the host starts finds them. */
static int
take_over (void)
{
  union
  {
    char data[CMSG_SPACE (MAX_FDS * sizeof (int))];
    struct cmsghdr alignment;
  } ancillary;
  char byte;
  struct iovec text = { &byte, 1 };
  struct msghdr message = { .msg_iov = &text,
                            .msg_iovlen = 1,
                            .msg_control = ancillary.data,
                            .msg_controllen = sizeof ancillary.data };
  int fds[MAX_FDS + 1];
  struct cmsghdr *first;
  int n;

  if (recvmsg (STDIN_FILENO, &message, 0) != 1)
    return -1;
  first = CMSG_FIRSTHDR (&message);
  if (first == NULL || first->cmsg_level != SOL_SOCKET || first->cmsg_type != SCM_RIGHTS)
    return -1;

  n = (int) ((first->cmsg_len - CMSG_LEN (0)) / sizeof (int));
  if (n < N_FIXED_FDS)
    return -1;
  memcpy (fds, CMSG_DATA (first), n * sizeof (int));
  fds[n] = STDIN_FILENO;
  /* None has a number then that another one is to have. */
  for (int i = 0; i <= n; i++)
    fds[i] = fcntl (fds[i], F_DUPFD, GMCP_GUARD_FIRST_FD + n);

  for (int i = 0; i < n; i++)
    if (dup2 (fds[i], i < GMCP_GUARD_CONTROL_FD ? i : i + 1) < 0)
      return -1;
  return dup2 (fds[n], GMCP_GUARD_CONTROL_FD) < 0 ? -1 : 0;
}

/* Whether what the server would see and reach is what the host does. */
static int
is_beside_host (const Start *start)
{
  static const char *const names[] = GMCP_GUARD_NAMESPACES;

  for (int i = 0; i < GMCP_GUARD_N_NAMESPACES; i++)
    {
      char path[32];
      struct stat status;

      snprintf (path, sizeof path, "/proc/self/ns/%s", names[i]);
      if (stat (path, &status) != 0 || status.st_ino != start->namespaces[i])
        return 0;
    }
  return 1;
}

/* Returns 0 where there is no such process. */
static int
read_stat (pid_t pid, int *ppid, int *group)
{
  char path[64];
  char text[512];
  const char *name_end;
  ssize_t n;
  int fd;

  snprintf (path, sizeof path, "/proc/%d/stat", (int) pid);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  n = read (fd, text, sizeof text - 1);
  close (fd);
  text[n > 0 ? n : 0] = '\0';

  name_end = strrchr (text, ')');
  return name_end != NULL && sscanf (name_end + 1, " %*c %d %d", ppid, group) == 2;
}

/* Signals the processes of a parent and of a group; 0 for neither. */
static void
kill_from_stat (pid_t parent, pid_t group, int number)
{
  DIR *proc = opendir ("/proc");
  struct dirent *entry;

  if (proc == NULL)
    return;

  while ((entry = readdir (proc)) != NULL)
    {
      pid_t pid = atoi (entry->d_name);
      int its_parent = 0;
      int its_group = 0;

      if (pid <= 0 || pid == group || !read_stat (pid, &its_parent, &its_group))
        continue;
      if ((parent > 0 && its_parent == parent) || (group > 0 && its_group == group))
        kill (pid, number);
    }

  closedir (proc);
}

/* Each child, also those whose own parents have ended. A child is not reaped meanwhile, so no
 * number here can be another's. */
static void
kill_children (int number)
{
  int fd = open ("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  char text[4096];
  pid_t pid = 0;
  ssize_t n;

  if (fd < 0)
    {
      kill_from_stat (getpid (), 0, number);
      return;
    }

  while ((n = read (fd, text, sizeof text)) > 0)
    for (ssize_t i = 0; i < n; i++)
      {
        if (text[i] >= '0' && text[i] <= '9')
          pid = pid * 10 + (text[i] - '0');
        else if (pid > 0)
          {
            kill (pid, number);
            pid = 0;
          }
      }
  close (fd);
}

static void
kill_at (Guard *guard, int after_ms)
{
  int64_t at = now_ms () + after_ms;

  if (guard->kill_at_ms == 0 || at < guard->kill_at_ms)
    guard->kill_at_ms = at;
}

static void
terminate_group (const Guard *guard)
{
  if (guard->server <= 0)
    return;

  if (guard->spare_leader)
    kill_from_stat (0, guard->server, SIGTERM);
  else
    kill (-guard->server, SIGTERM);
}

static void
kill_all (const Guard *guard)
{
  if (guard->server > 0)
    kill (-guard->server, SIGKILL);
  kill_children (SIGKILL);
}

static void
end_for_lost_host (Guard *guard)
{
  terminate_group (guard);
  kill_at (guard, HOST_GONE_MS);
}

static void
end_for_ended_server (Guard *guard)
{
  int status = 0;

  /* Comes before the server is reaped, since its group's number is free for others after that. */
  terminate_group (guard);
  waitpid (guard->server, &status, 0);
  guard->server = 0;
  send_status (GMCP_GUARD_STATUS_EXITED, status, 0);
  kill_children (SIGTERM);
  kill_at (guard, LEFT_BEHIND_MS);
  if (guard->install != NULL)
    install_end (guard->install);
}

/* Returns 0 when there is nothing left to guard. */
static int
reap_children (Guard *guard)
{
  for (;;)
    {
      siginfo_t info = { 0 };

      if (waitid (P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
        return errno != ECHILD;
      if (info.si_pid == 0)
        return 1;

      if (info.si_pid == guard->server)
        end_for_ended_server (guard);
      else
        waitpid (info.si_pid, NULL, WNOHANG);
    }
}

/* Returns 0 when the host is gone. */
static int
take_command (Guard *guard)
{
  char command = 0;
  ssize_t n = recv (GMCP_GUARD_CONTROL_FD, &command, 1, MSG_DONTWAIT);

  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return 1;
  if (n <= 0)
    return 0;

  if (command == GMCP_GUARD_COMMAND_TERMINATE)
    terminate_group (guard);
  else if (command == GMCP_GUARD_COMMAND_KILL)
    kill_at (guard, 0);
  else if (command == GMCP_GUARD_COMMAND_INSTALLED && guard->install != NULL)
    install_done (guard->install);
  return 1;
}

static void
take_signals (Guard *guard, int signal_fd)
{
  struct signalfd_siginfo info;

  while (read (signal_fd, &info, sizeof info) == sizeof info)
    if (info.ssi_signo == SIGTERM)
      end_for_lost_host (guard);
}

/* Nobody waits for the server any more; what fetches a program is left to do so. */
static void
lose_host (Guard *guard)
{
  if (guard->install != NULL && install_is_on (guard->install))
    install_let_go (guard->install);
  else
    end_for_lost_host (guard);
}

static void
look_after_install (Guard *guard)
{
  switch (install_look (guard->install, guard->server, now_ms ()))
    {
    case INSTALL_BEGAN:
      send_status (GMCP_GUARD_STATUS_INSTALL, GMCP_GUARD_INSTALL_RUNS, 0);
      break;

    case INSTALL_TIMED_OUT:
      send_status (GMCP_GUARD_STATUS_INSTALL, GMCP_GUARD_INSTALL_TIMED_OUT, 0);
      end_for_lost_host (guard);
      break;

    case INSTALL_OVER:
      send_status (GMCP_GUARD_STATUS_INSTALL, GMCP_GUARD_INSTALL_DONE, 0);
      if (install_is_let_go (guard->install))
        end_for_lost_host (guard);
      break;

    case INSTALL_GOES_ON:
      break;
    }
}

static int
time_to_wait_ms (const Guard *guard)
{
  int64_t left;

  if (guard->kill_at_ms == 0 && guard->install != NULL && install_is_on (guard->install))
    return install_get_wait_ms (guard->install, now_ms ());
  if (guard->kill_at_ms == 0)
    return -1;
  if (guard->killing)
    return KILL_EVERY_MS;

  left = guard->kill_at_ms - now_ms ();
  return left > 0 ? left : 0;
}

static void
watch_server (pid_t server, int spare_leader, Install *install, int signal_fd)
{
  Guard guard = { .server = server, .spare_leader = spare_leader, .install = install };
  struct pollfd fds[] = {
    { .fd = GMCP_GUARD_CONTROL_FD, .events = POLLIN },
    { .fd = signal_fd, .events = POLLIN },
  };

  while (reap_children (&guard))
    {
      if (guard.kill_at_ms != 0 && now_ms () >= guard.kill_at_ms)
        {
          guard.killing = 1;
          kill_all (&guard);
        }

      if (poll (fds, 2, time_to_wait_ms (&guard)) < 0)
        continue;

      if (fds[0].revents != 0 && !take_command (&guard))
        {
          lose_host (&guard);
          fds[0].fd = -1;
        }
      if (fds[1].revents != 0)
        take_signals (&guard, signal_fd);
      if (install != NULL && install_is_on (install) && guard.server > 0)
        look_after_install (&guard);
    }
}

/* Returns 0 where the server is not wanted any more. */
static int
wait_for_command (int signal_fd)
{
  struct pollfd fds[] = {
    { .fd = GMCP_GUARD_CONTROL_FD, .events = POLLIN },
    { .fd = signal_fd, .events = POLLIN },
  };

  for (;;)
    {
      struct signalfd_siginfo info;
      char command = 0;

      if (poll (fds, 2, -1) < 0)
        continue;
      if (fds[1].revents != 0 && read (signal_fd, &info, sizeof info) == sizeof info
          && info.ssi_signo == SIGTERM)
        return 0;
      if (fds[0].revents == 0)
        continue;

      if (recv (GMCP_GUARD_CONTROL_FD, &command, 1, MSG_DONTWAIT) < 0
          && (errno == EAGAIN || errno == EINTR))
        continue;
      return command == GMCP_GUARD_COMMAND_START;
    }
}

/* Returns 0 where the server is not wanted any more. One that has waited for long enough goes on without
 * the lock. */
static int
wait_for_turn (Install *install, int signal_fd)
{
  const int64_t until = now_ms () + install_get_limit_ms (install);
  int is_told = 0;

  while (!install_take_lock (install) && now_ms () < until)
    {
      struct pollfd fds[] = {
        { .fd = GMCP_GUARD_CONTROL_FD, .events = POLLIN },
        { .fd = signal_fd, .events = POLLIN },
      };
      char command = 0;

      if (!is_told)
        send_status (GMCP_GUARD_STATUS_INSTALL, GMCP_GUARD_INSTALL_WAITS, 0);
      is_told = 1;
      /* Nothing has been started that could be broken: whatever is said ends it. */
      if (poll (fds, 2, INSTALL_LOOK_EVERY_MS) > 0
          && (fds[1].revents != 0
              || !(recv (GMCP_GUARD_CONTROL_FD, &command, 1, MSG_DONTWAIT) < 0
                   && (errno == EAGAIN || errno == EINTR))))
        return 0;
    }
  return 1;
}

int
main (int argc, char *argv[])
{
  static Install install;
  Start start = { 0 };
  Failure failure = { 0, 0 };
  int is_service = argc > 1 && strcmp (argv[1], GMCP_GUARD_SERVICE_OPTION) == 0;
  int signal_fd;
  pid_t server;

  if (is_service && take_over () != 0)
    return 2;

  if (read_start (&start) != 0)
    {
      static const char text[] = "gmcp-guard is started by libgmcp, not by hand.\n";

      (void) !write (STDERR_FILENO, text, sizeof text - 1);
      send_status (GMCP_GUARD_STATUS_FAILED, EINVAL, GMCP_GUARD_STEP_START);
      return 2;
    }

  signal_fd = prepare_process (&start);
  if (is_service)
    send_status (GMCP_GUARD_STATUS_GUARD, getpid (), 0);
  if (is_service && !is_beside_host (&start))
    {
      send_status (GMCP_GUARD_STATUS_FAILED, 0, GMCP_GUARD_STEP_PLACE);
      return 1;
    }

  if ((start.flags & GMCP_GUARD_FLAG_WAIT) != 0 && !wait_for_command (signal_fd))
    {
      send_status (GMCP_GUARD_STATUS_FAILED, ECANCELED, GMCP_GUARD_STEP_START);
      return 1;
    }

  if (start.install != NULL)
    {
      install_prepare (&install, start.install, start.install_ms, start.flags);
      if (!wait_for_turn (&install, signal_fd))
        {
          send_status (GMCP_GUARD_STATUS_FAILED, ECANCELED, GMCP_GUARD_STEP_START);
          return 1;
        }
    }

  server = start_server (&start, &failure);
  /* The server's streams end with the server, not with the guard. */
  close (STDIN_FILENO);
  close (STDOUT_FILENO);
  close (STDERR_FILENO);
  for (uint32_t i = 0; i < start.n_fds; i++)
    close (GMCP_GUARD_FIRST_FD + i);
  if (start.install != NULL)
    install_begin (&install, now_ms ());
  /* The server's environment and arguments are not needed any more. */
  munmap (start.data, start.size);

  if (server < 0 || failure.error != 0)
    {
      send_status (GMCP_GUARD_STATUS_FAILED, failure.error, failure.step);
      if (server > 0)
        waitpid (server, NULL, 0);
      return 1;
    }

  send_status (GMCP_GUARD_STATUS_STARTED, server, 0);
  watch_server (server, (start.flags & GMCP_GUARD_FLAG_SPARE_LEADER) != 0,
                start.install != NULL ? &install : NULL, signal_fd);
  return 0;
}
