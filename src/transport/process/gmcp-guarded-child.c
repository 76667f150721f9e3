/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-guarded-child-private.h"

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "gmcp-fd-private.h"
#include "gmcp-guard-spawn-private.h"
#include "gmcp-process-sweep-private.h"

/* More than a pipe holds: what is left of standard error is read in one go. */
#define DRAIN_READS 64

/* Each descriptor in a poll takes a twentieth of the time of a short call. So after so many messages
 * without a word on standard error, this and the guard are looked at by the clock while more come. */
#define BUSY_MESSAGES 64u
#define BUSY_LOOK_US  (20 * (gint64) 1000)

typedef struct
{
  GmcpChild parent;
  const GmcpChildFuncs *funcs;
  gpointer owner;       /* not owned; NULL once released */
  GmcpStderrTail *tail; /* the owner's */
  GMainContext *context;
  GSource *source;
  gpointer control_tag; /* NULL while it is looked at by the clock, as the next */
  gpointer stderr_tag;
  int control_fd;
  int stderr_fd;
  int service_fd;  /* until systemd is given it; -1 where the guard is a child of this process */
  int guard_pidfd; /* of one that systemd started; -1 else */
  pid_t guard_pid; /* 0 where systemd has not started it */
  int server_pid;
  char *mark;         /* of what it starts */
  guint n_messages;   /* since it last said something on standard error, or the clock last struck */
  guint is_child : 1; /* the guard, of this process */
  guint by_clock : 1;
  guint started : 1;
  guint ended : 1; /* failed or exited was told */
  guint swept : 1; /* since its guard was killed; so are the next two told of together */
  guint sweeping : 1;
  guint guard_gone : 1;
  guint reaped : 1;
} GmcpGuardedChild;

typedef struct
{
  GSource parent;
  GmcpGuardedChild *child;
} ChildSource;

static void
child_free (GmcpGuardedChild *self)
{
  g_main_context_unref (self->context);
  g_free (self->mark);
  g_free (self);
}

static void
stop_watching (GmcpGuardedChild *self)
{
  if (self->source != NULL)
    {
      g_source_destroy (self->source);
      g_clear_pointer (&self->source, g_source_unref);
    }

  gmcp_clear_fd (&self->control_fd);
  gmcp_clear_fd (&self->stderr_fd);
  gmcp_clear_fd (&self->service_fd);
}

static void
unwatch_fd (GmcpGuardedChild *self, gpointer *tag)
{
  if (*tag != NULL)
    g_source_remove_unix_fd (self->source, g_steal_pointer (tag));
}

static void
watch_by_poll (GmcpGuardedChild *self)
{
  self->by_clock = FALSE;
  self->n_messages = 0;
  g_source_set_ready_time (self->source, -1);
  self->control_tag = g_source_add_unix_fd (self->source, self->control_fd, G_IO_IN);
  if (self->stderr_fd >= 0)
    self->stderr_tag = g_source_add_unix_fd (self->source, self->stderr_fd, G_IO_IN);
}

static void
look_soon (GmcpGuardedChild *self)
{
  self->n_messages = 0;
  g_source_set_ready_time (self->source, g_get_monotonic_time () + BUSY_LOOK_US);
}

static void
watch_by_clock (GmcpGuardedChild *self)
{
  self->by_clock = TRUE;
  unwatch_fd (self, &self->control_tag);
  unwatch_fd (self, &self->stderr_tag);
  look_soon (self);
}

static gboolean
read_stderr (GmcpGuardedChild *self)
{
  gssize n;

  if (self->stderr_fd < 0)
    return FALSE;

  n = gmcp_stderr_tail_read (self->tail, self->stderr_fd);
  if (n > 0)
    {
      self->n_messages = 0;
      return TRUE;
    }

  if (n == 0 || errno != EAGAIN)
    {
      unwatch_fd (self, &self->stderr_tag);
      gmcp_clear_fd (&self->stderr_fd);
    }

  return FALSE;
}

static void
tell_exited (GmcpGuardedChild *self, int wait_status)
{
  for (guint i = 0; i < DRAIN_READS && read_stderr (self); i++)
    ;

  self->ended = TRUE;
  self->funcs->exited (self->owner, wait_status);
}

static void
tell_failed (GmcpGuardedChild *self, GmcpGuardStep step, int error_number)
{
  const GmcpChildFailure failure = { .step = step, .error_number = error_number };

  self->ended = TRUE;
  self->funcs->failed (self->owner, &failure);
}

/* Nobody but systemd can wait for it, so it must be held before its number can be another's. */
static void
note_guard (GmcpGuardedChild *self, int pid)
{
  if (self->is_child || self->guard_pid != 0)
    return;

  self->guard_pid = pid;
  self->guard_pidfd = syscall (SYS_pidfd_open, pid, 0);
}

static void
take_status (GmcpGuardedChild *self, const GmcpGuardStatus *status)
{
  switch ((GmcpGuardStatusKind) status->kind)
    {
    case GMCP_GUARD_STATUS_STARTED:
      self->started = TRUE;
      self->server_pid = status->value;
      self->funcs->started (self->owner, status->value);
      break;

    case GMCP_GUARD_STATUS_FAILED:
      tell_failed (self, status->step, status->value);
      break;

    case GMCP_GUARD_STATUS_GUARD:
      note_guard (self, status->value);
      break;

    case GMCP_GUARD_STATUS_EXITED:
      tell_exited (self, status->value);
      break;

    case GMCP_GUARD_STATUS_INSTALL:
      self->funcs->install (self->owner, (GmcpGuardInstallPhase) status->value);
      break;

    default:
      break;
    }
}

static void
tell_gone (GmcpGuardedChild *self)
{
  if (self->sweeping || !self->guard_gone)
    return;

  self->reaped = TRUE;
  if (self->owner == NULL)
    child_free (self);
  else
    self->funcs->gone (self->owner);
}

static void
on_swept (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GmcpGuardedChild *self = user_data;

  self->sweeping = FALSE;
  tell_gone (self);
}

/* The guard was killed. The server was killed with it unless it saw to it that it is not; of the rest, the
 * group is reached at once, and what can be told by its session or its mark is looked for. */
static void
sweep_processes (GmcpGuardedChild *self)
{
  /* The number of a server that has ended may be another's. */
  pid_t session = self->ended ? 0 : self->server_pid;

  if (self->swept)
    return;

  if (session > 0)
    kill (-session, SIGKILL);
  self->swept = TRUE;
  self->sweeping = TRUE;
  gmcp_process_sweep_async (session, self->mark, self->context, on_swept, self);
}

static void
handle_guard_gone (GmcpGuardedChild *self, gboolean was_killed)
{
  if (was_killed)
    sweep_processes (self);
  self->guard_gone = TRUE;
  tell_gone (self);
}

/* The guard of another process is for that to reap. */
static gboolean
close_pidfd_cb (int fd, GIOCondition condition, gpointer user_data)
{
  close (fd);
  handle_guard_gone (user_data, FALSE);
  return G_SOURCE_REMOVE;
}

static gboolean
reap_pidfd_cb (int fd, GIOCondition condition, gpointer user_data)
{
  siginfo_t info = { 0 };

  /* A host that ignores SIGCHLD has no status to give. */
  (void) waitid (P_PIDFD, fd, &info, WEXITED | WNOHANG);
  close (fd);
  handle_guard_gone (user_data, info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED);
  return G_SOURCE_REMOVE;
}

static void
reap_watch_cb (GPid pid, int wait_status, gpointer user_data)
{
  handle_guard_gone (user_data, WIFSIGNALED (wait_status));
}

/* There is none, or nobody says how it ends; systemd ends what it leaves. */
static gboolean
no_guard_cb (gpointer user_data)
{
  handle_guard_gone (user_data, FALSE);
  return G_SOURCE_REMOVE;
}

static void
watch_guard_end (GmcpGuardedChild *self)
{
  g_autoptr (GSource) source = NULL;
  int pidfd = self->is_child ? (int) syscall (SYS_pidfd_open, self->guard_pid, 0)
                             : g_steal_fd (&self->guard_pidfd);

  if (pidfd < 0 && !self->is_child)
    {
      source = g_idle_source_new ();
      g_source_set_callback (source, no_guard_cb, self, NULL);
    }
  else if (pidfd >= 0)
    {
      source = g_unix_fd_source_new (pidfd, G_IO_IN);
      g_source_set_callback (
        source, G_SOURCE_FUNC (self->is_child ? reap_pidfd_cb : close_pidfd_cb), self, NULL);
    }
  else
    {
      source = g_child_watch_source_new (self->guard_pid);
      g_source_set_callback (source, G_SOURCE_FUNC (reap_watch_cb), self, NULL);
    }

  g_source_set_static_name (source, "[gmcp] guard ends");
  g_source_attach (source, self->context);
}

/* The guard is ending or has ended: the kernel closes its descriptors on the way. */
static void
handle_guard_end (GmcpGuardedChild *self)
{
  if (!self->ended)
    {
      if (self->started)
        {
          sweep_processes (self);
          tell_exited (self, -1);
        }
      else
        tell_failed (self, GMCP_GUARD_STEP_START, 0);
    }

  if (self->owner == NULL)
    return;

  stop_watching (self);
  watch_guard_end (self);
}

static void
handle_control (GmcpGuardedChild *self)
{
  while (self->owner != NULL)
    {
      GmcpGuardStatus status;
      gssize n = recv (self->control_fd, &status, sizeof status, MSG_DONTWAIT);

      /* A guard that has ended without reading a command leaves this error; what it said before comes
       * after it. */
      if (n < 0 && (errno == EINTR || errno == ECONNRESET))
        continue;
      if (n < 0 && errno == EAGAIN)
        return;
      if (n != sizeof status)
        {
          handle_guard_end (self);
          return;
        }

      take_status (self, &status);
    }
}

static gboolean
child_source_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  GmcpGuardedChild *self = ((ChildSource *) source)->child;
  gboolean control_ready;

  if (self->by_clock)
    {
      gboolean busy = self->n_messages > 0;

      control_ready = TRUE;
      if (!read_stderr (self) && busy)
        look_soon (self);
      else
        watch_by_poll (self);
    }
  else
    {
      control_ready = g_source_query_unix_fd (source, self->control_tag) != 0;
      if (self->stderr_tag != NULL && g_source_query_unix_fd (source, self->stderr_tag) != 0)
        read_stderr (self);
    }

  /* Last: a callback may release it, but only after the guard's end can it be freed. */
  if (control_ready)
    handle_control (self);

  return G_SOURCE_CONTINUE;
}

static GSourceFuncs child_source_funcs = {
  .dispatch = child_source_dispatch,
};

static void
gmcp_guarded_child_note_message (GmcpChild *child)
{
  GmcpGuardedChild *self = (GmcpGuardedChild *) child;

  if (++self->n_messages == BUSY_MESSAGES && !self->by_clock && self->source != NULL)
    watch_by_clock (self);
}

static void
send_command (GmcpGuardedChild *self, GmcpGuardCommand command)
{
  const char byte = command;

  if (self->by_clock && self->source != NULL)
    watch_by_poll (self);

  /* A guard that cannot take it is ending by itself. */
  if (self->control_fd >= 0)
    (void) !send (self->control_fd, &byte, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static int
gmcp_guarded_child_get_guard_pid (GmcpChild *child)
{
  return ((GmcpGuardedChild *) child)->guard_pid;
}

static int
gmcp_guarded_child_take_service_fd (GmcpChild *child)
{
  GmcpGuardedChild *self = (GmcpGuardedChild *) child;

  return g_steal_fd (&self->service_fd);
}

static void
gmcp_guarded_child_start (GmcpChild *child)
{
  GmcpGuardedChild *self = (GmcpGuardedChild *) child;

  send_command (self, GMCP_GUARD_COMMAND_START);
}

static void
gmcp_guarded_child_tell_installed (GmcpChild *child)
{
  GmcpGuardedChild *self = (GmcpGuardedChild *) child;

  send_command (self, GMCP_GUARD_COMMAND_INSTALLED);
}

static void
gmcp_guarded_child_terminate (GmcpChild *child)
{
  GmcpGuardedChild *self = (GmcpGuardedChild *) child;

  /* One that systemd has not started finds that nobody wants it, if it comes. */
  if (!self->is_child && self->guard_pid == 0 && self->control_fd >= 0)
    handle_guard_end (self);
  else
    send_command (self, GMCP_GUARD_COMMAND_TERMINATE);
}

static void
gmcp_guarded_child_kill (GmcpChild *child)
{
  GmcpGuardedChild *self = (GmcpGuardedChild *) child;

  send_command (self, GMCP_GUARD_COMMAND_KILL);
}

static void
gmcp_guarded_child_kill_guard (GmcpChild *child)
{
  GmcpGuardedChild *self = (GmcpGuardedChild *) child;

  /* A guard that holds its end of the control socket is alive, so the number is its own. */
  if (self->control_fd >= 0 && self->guard_pid > 0)
    kill (self->guard_pid, SIGKILL);
}

static void
gmcp_guarded_child_release (GmcpChild *child)
{
  GmcpGuardedChild *self = (GmcpGuardedChild *) child;
  gboolean is_watched = self->source != NULL;

  self->owner = NULL;
  if (self->reaped)
    {
      child_free (self);
      return;
    }

  if (is_watched)
    {
      /* The end of file on the control socket tells the guard to end all. */
      stop_watching (self);
      watch_guard_end (self);
    }
}

static const GmcpChildKind guarded_kind = {
  .note_message = gmcp_guarded_child_note_message,
  .get_guard_pid = gmcp_guarded_child_get_guard_pid,
  .take_service_fd = gmcp_guarded_child_take_service_fd,
  .start = gmcp_guarded_child_start,
  .tell_installed = gmcp_guarded_child_tell_installed,
  .terminate = gmcp_guarded_child_terminate,
  .kill = gmcp_guarded_child_kill,
  .kill_guard = gmcp_guarded_child_kill_guard,
  .release = gmcp_guarded_child_release,
};

GmcpChild *
gmcp_guarded_child_spawn (const GmcpSpawnOptions *options,
                          const GmcpChildFuncs *funcs,
                          gpointer owner,
                          GmcpStderrTail *tail,
                          GMainContext *context,
                          int *stdin_fd,
                          int *stdout_fd,
                          GError **error)
{
  GmcpGuardedChild *self;
  GmcpGuardSpawn spawn;

  if (!gmcp_guard_spawn (options, &spawn, error))
    return NULL;

  self = g_new0 (GmcpGuardedChild, 1);
  self->parent.kind = &guarded_kind;
  self->funcs = funcs;
  self->owner = owner;
  self->tail = tail;
  self->context = g_main_context_ref (context);
  self->is_child = spawn.pid > 0;
  self->guard_pid = spawn.pid;
  self->guard_pidfd = -1;
  self->service_fd = spawn.service_fd;
  self->mark = spawn.mark;
  self->control_fd = spawn.control_fd;
  self->stderr_fd = spawn.stderr_fd;

  self->source = g_source_new (&child_source_funcs, sizeof (ChildSource));
  ((ChildSource *) self->source)->child = self;
  g_source_set_static_name (self->source, "[gmcp] server process");
  watch_by_poll (self);
  g_source_attach (self->source, context);

  *stdin_fd = spawn.stdin_fd;
  *stdout_fd = spawn.stdout_fd;
  return &self->parent;
}
