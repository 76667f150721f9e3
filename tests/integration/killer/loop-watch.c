/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "loop-watch.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

#define LOOK_EVERY_US (10 * 1000)
#define MAX_FRAMES    48

static struct
{
  GPollFunc poll;
  pthread_t thread;
  pid_t tid;
  gint64 turn_limit_us;
  gint64 blocked_limit_us;
  gint64 turn_began_us; /* of the thread's processor time; -1 while it polls */
  timer_t timer;
  GThread *watcher;
  int stopping;
  LoopWatchReport report;
} watch;

/* Where the thread is: written by it, in a signal handler. */
static struct
{
  void *frames[MAX_FRAMES];
  volatile int n;
} seen;

static gint64
get_cpu_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * (gint64) G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static void
on_signal (int number)
{
  int code = errno;

  seen.n = backtrace (seen.frames, MAX_FRAMES);
  errno = code;
}

static void
tell_frames (void)
{
  char **names = backtrace_symbols (seen.frames, seen.n);

  for (int i = 0; names != NULL && i < seen.n; i++)
    g_printerr ("  %s\n", names[i]);
  free (names);
}

static void
arm (gint64 limit_us)
{
  const struct itimerspec in = {
    .it_value = { limit_us / G_USEC_PER_SEC, limit_us % G_USEC_PER_SEC * 1000 },
  };

  timer_settime (watch.timer, 0, &in, NULL);
}

static gint
watched_poll (GPollFD *fds, guint n_fds, gint timeout_ms)
{
  gint n;

  if (watch.turn_began_us >= 0)
    {
      gint64 took_us = get_cpu_us () - watch.turn_began_us;

      arm (0);
      watch.report.n_turns++;
      watch.report.worst_turn_us = MAX (watch.report.worst_turn_us, took_us);
      if (took_us > watch.turn_limit_us)
        {
          watch.report.n_long_turns++;
          g_printerr ("One turn of the main loop took %" G_GINT64_FORMAT
                      " us of processor time; at the limit it was here:\n",
                      took_us);
          tell_frames ();
        }
    }

  n = watch.poll (fds, n_fds, timeout_ms);
  arm (watch.turn_limit_us);
  watch.turn_began_us = get_cpu_us ();
  return n;
}

static gboolean
read_text (int fd, char *text, gsize size)
{
  gssize n = pread (fd, text, size - 1, 0);

  text[MAX (n, 0)] = '\0';
  return n > 0;
}

static gboolean
is_poll (const char *text)
{
  long number = strtol (text, NULL, 10);

#ifdef SYS_poll
  if (number == SYS_poll)
    return TRUE;
#endif
  return number == SYS_ppoll;
}

/* Who makes a process waits until that one has run, which is the machine's affair where it is loaded. */
static gint64
get_limit_us (const char *text)
{
  long number = strtol (text, NULL, 10);
  gboolean makes_process = number == SYS_clone3 || number == SYS_clone;

#ifdef SYS_vfork
  makes_process = makes_process || number == SYS_vfork;
#endif
  return makes_process ? 5 * watch.blocked_limit_us : watch.blocked_limit_us;
}

static void
tell_blocked (const char *call, gint64 us)
{
  seen.n = 0;
  pthread_kill (watch.thread, SIGUSR2);
  g_usleep (LOOK_EVERY_US);
  g_printerr ("The main thread has been in one system call for %" G_GINT64_FORMAT " us: %s", us,
              call);
  tell_frames ();
}

/* A thread that is ready to run waits for a processor, which is the machine's affair. */
static gboolean
is_ready (const char *stat)
{
  const char *name_end = strrchr (stat, ')');

  return name_end != NULL && g_str_has_prefix (name_end, ") R");
}

/* Whoever has a lock that the thread wants waits for a processor itself, as one that sleeps with it does not. */
static gboolean
waits_for_ready_thread (const char *call, pid_t watcher)
{
  g_autoptr (GDir) dir = NULL;
  gboolean found = FALSE;
  const char *name;

  if (strtol (call, NULL, 10) != SYS_futex)
    return FALSE;

  dir = g_dir_open ("/proc/self/task", 0, NULL);
  while (!found && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", name, "stat", NULL);
      g_autofree char *stat = NULL;
      pid_t tid = (pid_t) strtol (name, NULL, 10);

      found = tid != watch.tid && tid != watcher && g_file_get_contents (path, &stat, NULL, NULL)
              && is_ready (stat);
    }
  return found;
}

/* It stands still where it sleeps in the same call with the same arguments, and did not run meanwhile. */
static gpointer
run_watcher (gpointer data)
{
  g_autofree char *call_path = g_strdup_printf ("/proc/self/task/%d/syscall", watch.tid);
  g_autofree char *ran_path = g_strdup_printf ("/proc/self/task/%d/schedstat", watch.tid);
  g_autofree char *stat_path = g_strdup_printf ("/proc/self/task/%d/stat", watch.tid);
  int call_fd = open (call_path, O_RDONLY | O_CLOEXEC);
  int ran_fd = open (ran_path, O_RDONLY | O_CLOEXEC);
  int stat_fd = open (stat_path, O_RDONLY | O_CLOEXEC);
  pid_t watcher = (pid_t) syscall (SYS_gettid);
  char call[256], ran[256], stat[512], last_call[256] = "", last_ran[256] = "";
  gint64 since_us = 0;
  gboolean told = FALSE;

  if (call_fd < 0 || ran_fd < 0 || stat_fd < 0)
    g_error ("%s cannot be read", call_path);

  while (!g_atomic_int_get (&watch.stopping))
    {
      gint64 now_us = g_get_monotonic_time ();

      if (!read_text (call_fd, call, sizeof call) || !read_text (ran_fd, ran, sizeof ran)
          || !read_text (stat_fd, stat, sizeof stat))
        g_error ("%s cannot be read", call_path);
      if (!g_ascii_isdigit (call[0]) || is_poll (call) || strcmp (call, last_call) != 0
          || strcmp (ran, last_ran) != 0 || is_ready (stat)
          || waits_for_ready_thread (call, watcher))
        {
          since_us = now_us;
          told = FALSE;
        }

      watch.report.worst_blocked_us = MAX (watch.report.worst_blocked_us, now_us - since_us);
      if (now_us - since_us > get_limit_us (call) && !told)
        {
          watch.report.n_blocked++;
          told = TRUE;
          tell_blocked (call, now_us - since_us);
        }
      memcpy (last_call, call, sizeof call);
      memcpy (last_ran, ran, sizeof ran);
      g_usleep (LOOK_EVERY_US);
    }

  close (call_fd);
  close (ran_fd);
  close (stat_fd);
  return NULL;
}

void
loop_watch_start (gint64 turn_limit_us, gint64 blocked_limit_us)
{
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR2 };

  memset (&watch, 0, sizeof watch);
  watch.thread = pthread_self ();
  watch.tid = (pid_t) syscall (SYS_gettid);
  watch.turn_limit_us = turn_limit_us;
  watch.blocked_limit_us = blocked_limit_us;
  watch.turn_began_us = -1;

  /* The first one loads what the others use. */
  seen.n = backtrace (seen.frames, MAX_FRAMES);
  sigaction (SIGUSR2, &action, NULL);
  event.sigev_notify_thread_id = watch.tid;
  if (timer_create (CLOCK_THREAD_CPUTIME_ID, &event, &watch.timer) != 0)
    g_error ("timer_create: %s", g_strerror (errno));

  watch.poll = g_main_context_get_poll_func (NULL);
  g_main_context_set_poll_func (NULL, watched_poll);
  watch.watcher = g_thread_new ("loop-watch", run_watcher, NULL);
}

void
loop_watch_stop (LoopWatchReport *report)
{
  g_atomic_int_set (&watch.stopping, 1);
  g_thread_join (watch.watcher);
  g_main_context_set_poll_func (NULL, watch.poll);
  timer_delete (watch.timer);
  *report = watch.report;
}
