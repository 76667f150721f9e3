/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gmcp-guard-install.h"

/* Where the program is there, nothing is said of fetching it before it takes this long. */
#define QUIET_MS      2000
#define MAX_PROCESSES 65536

typedef struct
{
  pid_t pid;
  pid_t parent;
  int is_below;   /* the server's first process, or below it or the guard */
  int is_named;   /* it fetches */
  int is_fetched; /* below one that does */
} Process;

static void
copy_string (char *to, size_t size, const char *from)
{
  snprintf (to, size, "%s", strlen (from) < size ? from : "");
}

/* Reads what a descriptor's link names, such as a pipe; empty where that cannot be told. */
static void
read_stream (char *link, size_t size, const char *path)
{
  ssize_t n = readlink (path, link, size - 1);

  link[n > 0 ? n : 0] = '\0';
}

static int
open_other_end (const char *path)
{
  struct stat status;

  /* Whatever else it is, nothing of it is to be taken away. */
  if (stat (path, &status) != 0 || !S_ISFIFO (status.st_mode))
    return -1;
  return open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

void
install_prepare (Install *self, char *const *strings, uint32_t limit_ms, uint32_t flags)
{
  copy_string (self->names, sizeof self->names, strings[GMCP_GUARD_INSTALL_NAMES]);
  copy_string (self->lock, sizeof self->lock, strings[GMCP_GUARD_INSTALL_LOCK]);
  copy_string (self->present, sizeof self->present, strings[GMCP_GUARD_INSTALL_PRESENT]);
  read_stream (self->stdin_link, sizeof self->stdin_link, "/proc/self/fd/0");
  read_stream (self->stdout_link, sizeof self->stdout_link, "/proc/self/fd/1");
  self->drain_fds[0] = open_other_end ("/proc/self/fd/1");
  self->drain_fds[1] = open_other_end ("/proc/self/fd/2");
  self->was_seen = (flags & GMCP_GUARD_FLAG_INSTALL_DIRECT) != 0;
  self->flags = flags;
  self->limit_ms = limit_ms;
  self->lock_fd = -1;
}

uint32_t
install_get_limit_ms (const Install *self)
{
  return self->limit_ms;
}

static int
is_present (const Install *self)
{
  return self->present[0] != '\0' && access (self->present, F_OK) == 0;
}

static int
make_file (const char *path)
{
  char folder[4096];
  int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

  if (fd >= 0 || errno != ENOENT)
    return fd;

  copy_string (folder, sizeof folder, path);
  for (char *at = strchr (folder + 1, '/'); at != NULL; at = strchr (at + 1, '/'))
    {
      *at = '\0';
      mkdir (folder, 0700);
      *at = '/';
    }
  return open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

int
install_take_lock (Install *self)
{
  if (self->lock[0] == '\0' || is_present (self))
    return 1;

  if (self->lock_fd < 0)
    self->lock_fd = make_file (self->lock);
  /* Where there is no place for it, all go at once. */
  return self->lock_fd < 0 || flock (self->lock_fd, LOCK_EX | LOCK_NB) == 0
         || (errno != EWOULDBLOCK && errno != EINTR);
}

void
install_begin (Install *self, int64_t now_ms)
{
  self->is_on = 1;
  self->deadline_ms = now_ms + self->limit_ms;
  self->tell_at_ms = is_present (self) ? now_ms + QUIET_MS : now_ms;
  /* Nothing would tell a program that hangs from one that is fetched anew. */
  self->is_done = (self->flags & GMCP_GUARD_FLAG_INSTALL_UNSEEN) != 0 && is_present (self);
}

int
install_is_on (const Install *self)
{
  return self->is_on;
}

int
install_is_let_go (const Install *self)
{
  return self->is_let_go;
}

int
install_get_wait_ms (const Install *self, int64_t now_ms)
{
  const int64_t began_ms = self->deadline_ms - self->limit_ms;

  return now_ms - began_ms < INSTALL_LOOK_CLOSE_MS ? INSTALL_LOOK_EVERY_MS : INSTALL_LOOK_LATER_MS;
}

void
install_let_go (Install *self)
{
  self->is_let_go = 1;
}

void
install_done (Install *self)
{
  self->is_done = 1;
}

void
install_end (Install *self)
{
  self->is_on = 0;
  /* Closing the file drops the lock. */
  close_fd (&self->lock_fd);
  close_fd (&self->drain_fds[0]);
  close_fd (&self->drain_fds[1]);
}

static void
drain_output (const Install *self)
{
  static char bytes[65536];

  for (int i = 0; i < 2; i++)
    for (int reads = 0; reads < 64 && self->drain_fds[i] >= 0; reads++)
      if (read (self->drain_fds[i], bytes, sizeof bytes) <= 0)
        break;
}

/* Whether the word's last part, without what a script has after its name, is one of those names. */
static int
is_name (const char *names, const char *word)
{
  const char *slash;
  size_t length = strcspn (word, " ");
  char name[64];

  for (slash = word + length; slash > word && slash[-1] != '/'; slash--)
    ;
  length -= slash - word;
  if (length == 0 || length >= sizeof name)
    return 0;
  memcpy (name, slash, length);
  name[length] = '\0';
  for (const char *const *end = (const char *const[]){ ".js", ".cjs", ".mjs", "-cli", NULL };
       *end != NULL; end++)
    {
      length = strlen (name);
      if (length > strlen (*end) && strcmp (name + length - strlen (*end), *end) == 0)
        name[length - strlen (*end)] = '\0';
    }

  length = strlen (name);
  for (const char *at = strstr (names, name); at != NULL; at = strstr (at + 1, name))
    if ((at == names || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
      return 1;
  return 0;
}

/* A program, or a script that an interpreter runs, after its options. */
static int
is_one_of_them (const Install *self, pid_t pid)
{
  char path[64];
  char text[4096];
  const char *word;
  ssize_t n;
  int fd;

  snprintf (path, sizeof path, "/proc/%d/cmdline", (int) pid);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  n = read (fd, text, sizeof text - 2);
  close (fd);
  if (n <= 0)
    return 0;

  text[n] = text[n + 1] = '\0';
  for (word = text + strlen (text) + 1; word < text + n && *word == '-';)
    word += strlen (word) + 1;
  /* What looks for an interpreter becomes it at once. */
  return is_name (self->names, text) || is_name ("env", text)
         || (word < text + n && is_name (self->names, word));
}

/* A helper of the package manager has other streams. */
static int
has_streams (const Install *self, pid_t pid)
{
  char path[64];
  char link[64];

  snprintf (path, sizeof path, "/proc/%d/fd/0", (int) pid);
  read_stream (link, sizeof link, path);
  if (link[0] == '\0' || strcmp (link, self->stdin_link) != 0)
    return 0;

  snprintf (path, sizeof path, "/proc/%d/fd/1", (int) pid);
  read_stream (link, sizeof link, path);
  return strcmp (link, self->stdout_link) == 0;
}

static pid_t
read_parent (pid_t pid)
{
  char path[64];
  char text[512];
  const char *name_end;
  int parent = 0;
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
  return name_end != NULL && sscanf (name_end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

static size_t
list_processes (Process **processes)
{
  DIR *proc = opendir ("/proc");
  struct dirent *entry;
  size_t n = 0;
  size_t room = 0;

  *processes = NULL;
  while (proc != NULL && n < MAX_PROCESSES && (entry = readdir (proc)) != NULL)
    {
      pid_t pid = atoi (entry->d_name);

      if (pid <= 0)
        continue;
      if (n == room)
        {
          Process *more = realloc (*processes, (room + 256) * sizeof **processes);

          if (more == NULL)
            break;
          *processes = more;
          room += 256;
        }
      (*processes)[n] = (Process){ .pid = pid, .parent = read_parent (pid) };
      n++;
    }
  if (proc != NULL)
    closedir (proc);
  return n;
}

static int
compare_processes (const void *a, const void *b)
{
  const Process *first = a;
  const Process *second = b;

  return first->pid < second->pid ? -1 : first->pid > second->pid;
}

static Process *
find_process (Process *processes, size_t n, pid_t pid)
{
  const Process key = { .pid = pid };

  return bsearch (&key, processes, n, sizeof key, compare_processes);
}

/* One whose parent was seen to be below the server is as well, and so on. */
static void
mark_below (const Install *self, Process *processes, size_t n, pid_t server)
{
  int is_new = 1;

  for (size_t i = 0; i < n; i++)
    if (processes[i].pid == server || processes[i].parent == getpid ())
      {
        processes[i].is_below = 1;
        processes[i].is_named = is_one_of_them (self, processes[i].pid);
      }

  while (is_new)
    {
      is_new = 0;
      for (size_t i = 0; i < n; i++)
        {
          const Process *parent
            = processes[i].is_below ? NULL : find_process (processes, n, processes[i].parent);

          if (parent == NULL || !parent->is_below)
            continue;
          processes[i].is_below = 1;
          processes[i].is_named = is_one_of_them (self, processes[i].pid);
          processes[i].is_fetched = parent->is_fetched || parent->is_named;
          is_new = 1;
        }
    }
}

/* A process below one that fetches has the server's streams; or what fetched has become another program. */
static int
is_program_there (Install *self, pid_t server)
{
  Process *processes;
  size_t n = list_processes (&processes);
  int n_named = 0;
  int has_fetched = 0;
  int has_others = 0;

  if (n > 0)
    qsort (processes, n, sizeof *processes, compare_processes);
  mark_below (self, processes, n, server);
  for (size_t i = 0; i < n; i++)
    {
      if (!processes[i].is_below)
        continue;
      n_named += processes[i].is_named;
      if (processes[i].is_named || !has_streams (self, processes[i].pid))
        continue;
      has_others = 1;
      has_fetched = has_fetched || processes[i].is_fetched;
    }
  free (processes);

  if (n_named > 0)
    {
      self->was_seen = 1;
      return has_fetched;
    }
  return self->was_seen && has_others;
}

InstallNews
install_look (Install *self, pid_t server, int64_t now_ms)
{
  if (self->is_let_go)
    drain_output (self);

  if (!self->is_done && (self->flags & GMCP_GUARD_FLAG_INSTALL_UNSEEN) == 0)
    self->is_done = is_program_there (self, server);
  if (self->is_done)
    {
      if ((self->flags & GMCP_GUARD_FLAG_INSTALL_MARK) != 0 && self->present[0] != '\0')
        {
          int fd = make_file (self->present);

          close_fd (&fd);
        }
      install_end (self);
      return INSTALL_OVER;
    }

  if (now_ms >= self->deadline_ms)
    {
      install_end (self);
      return INSTALL_TIMED_OUT;
    }

  if (self->tell_at_ms != 0 && now_ms >= self->tell_at_ms)
    {
      self->tell_at_ms = 0;
      return INSTALL_BEGAN;
    }
  return INSTALL_GOES_ON;
}
