/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A child process that behaves in the way its first argument names, for tests of what starts and
 * watches servers. Links the C library only, so that it starts fast. */

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static void
write_all (int fd, const char *text, size_t length)
{
  while (length > 0)
    {
      ssize_t n = write (fd, text, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        _exit (99);
      text += n;
      length -= n;
    }
}

static int
run_echo (void)
{
  static char buffer[65536];
  ssize_t n;

  while ((n = read (STDIN_FILENO, buffer, sizeof buffer)) > 0)
    write_all (STDOUT_FILENO, buffer, n);

  return 0;
}

static void
print_string (const char *text)
{
  printf ("[\"%s\"]\n", text);
  fflush (stdout);
}

static int
run_environment (void)
{
  for (char **variable = environ; *variable != NULL; variable++)
    print_string (*variable);
  return run_echo ();
}

static int
run_cwd (void)
{
  char path[4096];

  print_string (getcwd (path, sizeof path) != NULL ? path : "?");
  return run_echo ();
}

static int
count_fds (void)
{
  DIR *dir = opendir ("/proc/self/fd");
  int n = 0;

  while (readdir (dir) != NULL)
    n++;
  closedir (dir);
  /* Without ".", ".." and the folder itself. */
  return n - 3;
}

static int
run_process (void)
{
  struct rlimit core;
  sigset_t blocked;
  int n_blocked = 0;
  int n_ignored = 0;

  sigprocmask (SIG_SETMASK, NULL, &blocked);
  for (int number = 1; number < NSIG; number++)
    {
      struct sigaction action;

      n_blocked += sigismember (&blocked, number) == 1;
      n_ignored += sigaction (number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
    }
  getrlimit (RLIMIT_CORE, &core);
  printf ("[%d, %d, %d, %d, %d, %d, %d, %ld]\n", getpid (), getppid (), getpgrp (), getsid (0),
          n_blocked, n_ignored, count_fds (), (long) core.rlim_cur);
  fflush (stdout);
  return run_echo ();
}

static int
run_exit (const char *status)
{
  fprintf (stderr, "first line\nno such file: config.json\n");
  return atoi (status);
}

static int
run_exit_in_call (void)
{
  char byte;

  (void) !read (STDIN_FILENO, &byte, 1);
  printf ("{\"last\": 1}\n{\"cut\": ");
  fflush (stdout);
  fprintf (stderr, "out of luck\n");
  return 7;
}

static void *
flood_thread (void *data)
{
  static char block[65536];
  size_t left = strtoul (data, NULL, 10);

  memset (block, 'e', sizeof block);
  while (left > 0)
    {
      size_t n = left < sizeof block ? left : sizeof block;

      write_all (STDERR_FILENO, block, n);
      left -= n;
    }
  write_all (STDERR_FILENO, "\nflooded\n", 9);
  write_all (STDOUT_FILENO, "{\"flooded\": true}\n", 18);
  return NULL;
}

static int
run_flood (char *n_bytes)
{
  pthread_t thread;

  if (pthread_create (&thread, NULL, flood_thread, n_bytes) != 0)
    return 98;
  run_echo ();
  pthread_join (thread, NULL);
  return 0;
}

/* Echoes so many lines of input, then says more on standard error than a pipe holds, and exits. */
static int
run_busy (const char *n_lines)
{
  char line[256];

  for (int left = atoi (n_lines); left > 0; left--)
    {
      if (fgets (line, sizeof line, stdin) == NULL)
        return 0;
      write_all (STDOUT_FILENO, line, strlen (line));
    }
  for (int i = 0; i < 100000; i++)
    write_all (STDERR_FILENO, "enough is enough\n", 17);
  return 5;
}

static int
run_banner (void)
{
  printf ("Listening on stdio\n\n  \n42\n  {\"a\": 1}\n\"text\"\n");
  fflush (stdout);
  return run_echo ();
}

static void
wait_for_ever (void)
{
  for (;;)
    pause ();
}

/* Ignores all that can be ignored, and has a grandchild in a session of its own that does too. */
static int
run_stubborn (void)
{
  int fds[2];
  pid_t grandchild = 0;

  signal (SIGTERM, SIG_IGN);
  if (pipe (fds) != 0)
    return 97;

  if (fork () == 0)
    {
      grandchild = fork ();
      if (grandchild == 0)
        {
          setsid ();
          /* What the grandchild holds open must not hold up the host. */
          wait_for_ever ();
        }
      write_all (fds[1], (const char *) &grandchild, sizeof grandchild);
      _exit (0);
    }

  if (read (fds[0], &grandchild, sizeof grandchild) != sizeof grandchild)
    return 96;
  printf ("[%d, %d]\n", (int) getpid (), (int) grandchild);
  fflush (stdout);
  wait_for_ever ();
  return 0;
}

/* Ends when asked to, and leaves a child behind that does not. */
static int
run_leave_behind (void)
{
  pid_t child = fork ();

  if (child == 0)
    {
      signal (SIGTERM, SIG_IGN);
      setsid ();
      wait_for_ever ();
    }

  printf ("[%d]\n", (int) child);
  fflush (stdout);
  run_echo ();
  return 5;
}

static int
run_deaf (int fd)
{
  fprintf (stderr, "closing\n");
  close (fd);
  wait_for_ever ();
  return 0;
}

static int
run_die (void)
{
  prctl (PR_SET_DUMPABLE, 0);
  raise (SIGSEGV);
  return 0;
}

int
main (int argc, char *argv[])
{
  const char *mode = argc > 1 ? argv[1] : "echo";
  char *value = argc > 2 ? argv[2] : (char *) "0";

  if (strcmp (mode, "echo") == 0)
    return run_echo ();
  if (strcmp (mode, "environment") == 0)
    return run_environment ();
  if (strcmp (mode, "cwd") == 0)
    return run_cwd ();
  if (strcmp (mode, "process") == 0)
    return run_process ();
  if (strcmp (mode, "exit") == 0)
    return run_exit (value);
  if (strcmp (mode, "exit-in-call") == 0)
    return run_exit_in_call ();
  if (strcmp (mode, "flood") == 0)
    return run_flood (value);
  if (strcmp (mode, "busy") == 0)
    return run_busy (value);
  if (strcmp (mode, "banner") == 0)
    return run_banner ();
  if (strcmp (mode, "stubborn") == 0)
    return run_stubborn ();
  if (strcmp (mode, "leave-behind") == 0)
    return run_leave_behind ();
  if (strcmp (mode, "close-stdout") == 0)
    return run_deaf (STDOUT_FILENO);
  if (strcmp (mode, "close-stdin") == 0)
    return run_deaf (STDIN_FILENO);
  if (strcmp (mode, "die") == 0)
    return run_die ();

  return 100;
}
