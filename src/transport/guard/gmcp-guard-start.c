/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is to be started, as the host describes it, and the server's first steps, up to its own program. */

#include "gmcp-guard-start.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/* From <linux/landlock.h>, which is older on Debian 12 than what is used here. */
#define LANDLOCK_CREATE_RULESET   444
#define LANDLOCK_RESTRICT_SELF    446
#define LANDLOCK_ABSTRACT_SOCKETS (1u << 0)

static char **
take_strings (char **at, char *end, uint32_t n)
{
  char **strings = calloc ((size_t) n + 1, sizeof *strings);

  for (uint32_t i = 0; strings != NULL && i < n; i++)
    {
      char *nul = memchr (*at, '\0', end - *at);

      if (nul == NULL)
        return NULL;
      strings[i] = *at;
      *at = nul + 1;
    }

  return strings;
}

int
read_start (Start *start)
{
  struct stat status;
  GmcpGuardStart head;
  char *data;
  char *at;
  char *end;

  if (fstat (GMCP_GUARD_START_FD, &status) != 0 || (size_t) status.st_size < sizeof head)
    return -1;

  data = mmap (NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, GMCP_GUARD_START_FD, 0);
  if (data == MAP_FAILED)
    return -1;
  close (GMCP_GUARD_START_FD);
  start->data = data;
  start->size = status.st_size;

  memcpy (&head, data, sizeof head);
  at = data + sizeof head;
  end = data + status.st_size;
  if (head.magic != GMCP_GUARD_MAGIC || head.n_arguments == 0
      || head.n_limits > (size_t) (end - at) / sizeof (GmcpGuardLimit))
    return -1;

  start->flags = head.flags;
  start->n_fds = head.n_fds;
  memcpy (start->namespaces, head.namespaces, sizeof head.namespaces);
  start->n_limits = head.n_limits;
  start->limits = (const GmcpGuardLimit *) (const void *) at;
  at += head.n_limits * sizeof (GmcpGuardLimit);

  if (head.has_cwd)
    {
      char **cwd = take_strings (&at, end, 1);

      if (cwd == NULL)
        return -1;
      start->cwd = cwd[0];
    }

  start->install_ms = head.install_ms;
  if (head.install_ms > 0)
    {
      start->install = take_strings (&at, end, GMCP_GUARD_N_INSTALL);
      if (start->install == NULL)
        return -1;
    }

  start->arguments = take_strings (&at, end, head.n_arguments);
  start->environment = take_strings (&at, end, head.n_environment);
  return start->arguments != NULL && start->environment != NULL ? 0 : -1;
}

static const char *
find_path (char **environment)
{
  for (char **variable = environment; *variable != NULL; variable++)
    if (strncmp (*variable, "PATH=", 5) == 0)
      return *variable + 5;

  return DEFAULT_PATH;
}

/* A file that is executable but no program is a script for the shell, as execvp() has it. */
static void
exec_file (const char *file, const Start *start)
{
  execve (file, start->arguments, start->environment);

  if (errno == ENOEXEC)
    {
      size_t n = 0;

      while (start->arguments[n] != NULL)
        n++;

      char *arguments[n + 2];

      arguments[0] = (char *) "/bin/sh";
      arguments[1] = (char *) file;
      for (size_t i = 1; i <= n; i++)
        arguments[i + 1] = start->arguments[i];
      execve (arguments[0], arguments, start->environment);
      errno = ENOEXEC;
    }
}

/* Returns with errno set. The directories are those of the server's own PATH; one that would depend on the
 * folder that the server runs in is none. */
static void
exec_search (const Start *start)
{
  const char *command = start->arguments[0];
  size_t command_length = strlen (command);
  int found_error = ENOENT;

  if (strchr (command, '/') != NULL)
    {
      exec_file (command, start);
      return;
    }

  for (const char *path = find_path (start->environment);; path++)
    {
      size_t length = strcspn (path, ":");
      char file[length + command_length + 3];

      memcpy (file, path, length);
      file[length] = '/';
      memcpy (file + length + 1, command, command_length + 1);

      if (command_length > 0 && *path == '/')
        {
          exec_file (file, start);
          if (errno == EACCES || (errno != ENOENT && errno != ENOTDIR && found_error == ENOENT))
            found_error = errno;
        }

      path += strcspn (path, ":");
      if (*path == '\0')
        break;
    }

  errno = found_error;
}

/* A kernel that has no such thing is an older one, and nothing is restricted. */
static void
restrict_scope (void)
{
  const struct
  {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
  } rules = { .scoped = LANDLOCK_ABSTRACT_SOCKETS };
  int fd;

  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return;

  fd = syscall (LANDLOCK_CREATE_RULESET, &rules, sizeof rules, 0);
  if (fd < 0)
    return;

  (void) syscall (LANDLOCK_RESTRICT_SELF, fd, 0);
  close (fd);
}

/* In the child, which shares the guard's memory until it executes: system calls only. */
static int
become_server (const Start *start)
{
  sigset_t none;

  setsid ();
  /* Reaches only this one process, but also where the guard itself is killed. */
  prctl (PR_SET_PDEATHSIG, SIGKILL);

  for (uint32_t i = 0; i < start->n_limits; i++)
    {
      const struct rlimit limit = { start->limits[i].soft, start->limits[i].hard };

      if (setrlimit (start->limits[i].resource, &limit) != 0)
        return GMCP_GUARD_STEP_LIMIT;
    }

  if (start->cwd != NULL && chdir (start->cwd) != 0)
    return GMCP_GUARD_STEP_CWD;

  if ((start->flags & GMCP_GUARD_FLAG_SCOPED) != 0)
    restrict_scope ();

  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  exec_search (start);
  return GMCP_GUARD_STEP_EXEC;
}

pid_t
start_server (const Start *start, Failure *failure)
{
  volatile Failure seen = { 0, 0 };
  pid_t pid = vfork ();

  if (pid == 0)
    {
      int step = become_server (start);

      seen.error = errno;
      seen.step = step;
      _exit (127);
    }

  if (pid < 0)
    seen.error = errno;

  failure->step = seen.step;
  failure->error = seen.error;
  return pid;
}
