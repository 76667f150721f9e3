/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-process-sweep-private.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gmcp-fd-private.h"
#include "gmcp-limits.h"

typedef struct
{
  pid_t session;
  char *mark;
} Sweep;

static void
sweep_free (gpointer data)
{
  Sweep *sweep = data;

  g_free (sweep->mark);
  g_free (sweep);
}

static gssize
read_some (int fd, char *data, gsize size)
{
  gsize length = 0;
  gssize n;

  while (length < size && (n = read (fd, data + length, size - length)) > 0)
    length += n;
  return length;
}

/* Of a process that has ended there is nothing to kill. */
static gboolean
is_in_session (int proc_fd, pid_t session)
{
  char text[512];
  const char *name_end;
  char state;
  int its_session;
  int fd = openat (proc_fd, "stat", O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    return FALSE;

  text[read_some (fd, text, sizeof text - 1)] = '\0';
  close (fd);
  name_end = strrchr (text, ')');
  return name_end != NULL && sscanf (name_end + 1, " %c %*d %*d %d", &state, &its_session) == 2
         && its_session == session && state != 'Z' && state != 'X';
}

static gboolean
has_mark (int proc_fd, const char *mark, char *buffer)
{
  gsize mark_size = strlen (mark) + 1;
  const char *at = buffer;
  gssize length;
  int fd = openat (proc_fd, "environ", O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    return FALSE;

  length = read_some (fd, buffer, GMCP_LIMIT_SWEEP_ENV_BYTES);
  close (fd);
  /* The mark is searched with its NUL; since it is random, what stands before makes no
   * difference. */
  at = memmem (buffer, length, mark, mark_size);
  return at != NULL;
}

/* Returns how many were found. */
static guint
kill_once (const Sweep *sweep, char *buffer)
{
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;
  guint n_found = 0;

  while (proc != NULL && (name = g_dir_read_name (proc)) != NULL)
    {
      pid_t pid = atoi (name);
      g_autofree char *path = NULL;
      int proc_fd;

      if (pid <= 0 || pid == getpid ())
        continue;

      path = g_build_filename ("/proc", name, NULL);
      proc_fd = open (path, O_PATH | O_DIRECTORY | O_CLOEXEC);
      if (proc_fd >= 0
          && ((sweep->session > 0 && is_in_session (proc_fd, sweep->session))
              || has_mark (proc_fd, sweep->mark, buffer))
          && kill (pid, SIGKILL) == 0)
        n_found++;
      gmcp_clear_fd (&proc_fd);
    }
  return n_found;
}

/* What is killed may have started another one just before. */
static void
sweep_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autofree char *buffer = g_malloc (GMCP_LIMIT_SWEEP_ENV_BYTES);
  guint n_passes = 0;

  while (kill_once (data, buffer) > 0 && ++n_passes < GMCP_LIMIT_SWEEP_PASSES)
    ;
  g_task_return_boolean (task, TRUE);
}

void
gmcp_process_sweep_async (pid_t session,
                          const char *mark,
                          GMainContext *context,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Sweep *sweep = g_new0 (Sweep, 1);

  sweep->session = session;
  sweep->mark = g_strdup (mark);
  g_main_context_push_thread_default (context);
  task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, gmcp_process_sweep_async);
  g_task_set_task_data (task, sweep, sweep_free);
  g_task_run_in_thread (task, sweep_in_thread);
  g_main_context_pop_thread_default (context);
}
