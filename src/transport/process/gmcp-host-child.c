/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-host-child-private.h"

#include <errno.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-fd-private.h"
#include "gmcp-host-command-private.h"
#include "gmcp-host-pipes-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-session-bus-private.h"

/* More than a pipe holds: what is left of standard error is read in one go. */
#define DRAIN_READS 64

typedef struct
{
  GmcpChild parent;
  const GmcpChildFuncs *funcs;
  gpointer owner;
  GmcpStderrTail *tail; /* the owner's */
  GMainContext *context;
  GCancellable *cancellable;
  GDBusConnection *connection; /* of this child only: with it the helper ends what is left */
  GVariant *command;           /* until it is sent, as is the list */
  GUnixFDList *command_fds;
  guint exit_subscription;
  guint name_watch;
  gulong closed_handler;

  GSource *source;
  gpointer status_tag;
  gpointer stderr_tag;
  int status_fd;
  int stderr_fd;
  int lifeline_fd;

  guint32 pid;     /* 0 until the helper has said it */
  int wait_status; /* where has_status */
  guint has_status : 1;
  guint helper_seen : 1;
  guint helper_lost : 1; /* nobody will tell how it ended */
  guint ready : 1;       /* the shell is about to become the server */
  guint started : 1;
  guint ended : 1; /* failed or exited was told */
} GmcpHostChild;

typedef struct
{
  GSource parent;
  GmcpHostChild *child;
} ChildSource;

static void
write_word (GmcpHostChild *self, const char *word)
{
  /* A shell that cannot take it is gone. The pipe is empty but for one or two of these. */
  if (self->lifeline_fd >= 0)
    gmcp_host_pipes_write (self->lifeline_fd, word);
}

static void
clear_stderr (GmcpHostChild *self)
{
  if (self->stderr_tag != NULL)
    g_source_remove_unix_fd (self->source, g_steal_pointer (&self->stderr_tag));
  gmcp_clear_fd (&self->stderr_fd);
}

static gboolean
read_stderr (GmcpHostChild *self)
{
  gssize n;

  if (self->stderr_fd < 0)
    return FALSE;

  n = gmcp_stderr_tail_read (self->tail, self->stderr_fd);
  if (n > 0)
    return TRUE;
  if (n == 0 || errno != EAGAIN)
    clear_stderr (self);
  return FALSE;
}

static void
stop_watching (GmcpHostChild *self)
{
  if (self->source != NULL)
    g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
  self->status_tag = NULL;
  self->stderr_tag = NULL;
  gmcp_clear_fd (&self->status_fd);
  gmcp_clear_fd (&self->stderr_fd);
  gmcp_clear_fd (&self->lifeline_fd);
}

static void
leave_bus (GmcpHostChild *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->command, g_variant_unref);
  g_clear_object (&self->command_fds);
  if (self->connection == NULL)
    return;

  g_clear_signal_handler (&self->closed_handler, self->connection);
  g_dbus_connection_signal_unsubscribe (self->connection, self->exit_subscription);
  g_bus_unwatch_name (self->name_watch);
  g_dbus_connection_close (self->connection, NULL, NULL, NULL);
  g_clear_object (&self->connection);
}

/* Callers do nothing after these: a callback may release the child. */

static void
tell_failed (GmcpHostChild *self, GmcpGuardStep step, int error_number, const GError *reason)
{
  const GmcpChildFailure failure = { step, error_number, reason };

  /* With their other ends the pipes end, where nobody has them. */
  g_clear_pointer (&self->command, g_variant_unref);
  g_clear_object (&self->command_fds);
  self->ended = TRUE;
  self->funcs->failed (self->owner, &failure);
}

static void
tell_started (GmcpHostChild *self)
{
  if (self->started || self->ended || !self->ready || self->pid == 0)
    return;

  self->started = TRUE;
  self->funcs->started (self->owner, (int) self->pid);
}

static void
tell_exited (GmcpHostChild *self, int wait_status)
{
  for (guint i = 0; i < DRAIN_READS && read_stderr (self); i++)
    ;

  self->ended = TRUE;
  self->funcs->exited (self->owner, wait_status);
}

static void
tell_gone (GmcpHostChild *self)
{
  stop_watching (self);
  leave_bus (self);
  self->funcs->gone (self->owner);
}

/* The callbacks above may have released it; what keeps it until then is one of these. */
static gboolean
is_held (GmcpHostChild *self)
{
  return self->owner != NULL;
}

static void
host_child_clear (gpointer data)
{
  GmcpHostChild *self = data;

  stop_watching (self);
  leave_bus (self);
  g_main_context_unref (self->context);
}

static void
host_child_unref (GmcpHostChild *self)
{
  g_atomic_rc_box_release_full (self, host_child_clear);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHostChild, host_child_unref)

/* The server has ended, or nobody will know when it does. What is left of it is ended by the shell,
 * at once where nothing is left that would write to standard error. */
static void
handle_exit (GmcpHostChild *self)
{
  if (!self->started && !self->ended)
    tell_failed (self, GMCP_GUARD_STEP_START, 0, NULL);
  else if (!self->ended)
    tell_exited (self, self->has_status ? self->wait_status : -1);

  if (is_held (self))
    write_word (self, self->stderr_fd < 0 ? GMCP_HOST_SAY_KILL : GMCP_HOST_SAY_ENDED);
}

static void
take_word (GmcpHostChild *self, char word)
{
  const GmcpHostFailure *failure;

  if (self->started || self->ended)
    return;

  if (word == GMCP_HOST_WORD_READY)
    {
      self->ready = TRUE;
      tell_started (self);
      return;
    }

  failure = gmcp_host_command_find_failure (word);
  if (failure != NULL)
    tell_failed (self, failure->step, failure->error_number, NULL);
}

/* FALSE once the shell has ended, and all with it. */
static gboolean
read_status (GmcpHostChild *self)
{
  char words[16];

  while (is_held (self) && self->status_fd >= 0)
    {
      gssize n = read (self->status_fd, words, sizeof words);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && errno == EAGAIN)
        return TRUE;
      if (n <= 0)
        return FALSE;

      for (gssize i = 0; i < n && is_held (self); i++)
        take_word (self, words[i]);
    }
  return TRUE;
}

static void
handle_status (GmcpHostChild *self)
{
  if (read_status (self))
    return;

  g_source_remove_unix_fd (self->source, g_steal_pointer (&self->status_tag));
  gmcp_clear_fd (&self->status_fd);
  /* The helper says soon how it ended, where it can. */
  if (!self->ended && (self->helper_lost || self->has_status))
    handle_exit (self);
  if (is_held (self) && self->ended)
    tell_gone (self);
}

static gboolean
child_source_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  g_autoptr (GmcpHostChild) self = g_atomic_rc_box_acquire (((ChildSource *) source)->child);
  gboolean stderr_ready
    = self->stderr_tag != NULL && g_source_query_unix_fd (source, self->stderr_tag) != 0;
  gboolean status_ready
    = self->status_tag != NULL && g_source_query_unix_fd (source, self->status_tag) != 0;

  if (stderr_ready)
    {
      read_stderr (self);
      if (self->stderr_fd < 0 && self->helper_lost && self->started)
        handle_exit (self);
    }
  if (status_ready && is_held (self) && self->status_fd >= 0)
    handle_status (self);

  return G_SOURCE_CONTINUE;
}

static GSourceFuncs child_source_funcs = {
  .dispatch = child_source_dispatch,
};

static void
on_exited (GDBusConnection *connection,
           const char *sender,
           const char *path,
           const char *interface,
           const char *signal,
           GVariant *parameters,
           gpointer data)
{
  g_autoptr (GmcpHostChild) self = g_atomic_rc_box_acquire ((GmcpHostChild *) data);
  guint32 pid, status;

  if (!is_held (self) || !g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uu)")))
    return;

  g_variant_get (parameters, "(uu)", &pid, &status);
  if (self->has_status || (self->pid != 0 && pid != self->pid))
    return;

  self->has_status = TRUE;
  self->wait_status = (int) status;
  if (self->pid == 0)
    self->pid = pid;
  /* What the shell said before comes first. */
  if (self->status_fd >= 0)
    handle_status (self);
  if (is_held (self))
    handle_exit (self);
  if (is_held (self) && self->status_fd < 0)
    tell_gone (self);
}

/* The server runs on: its pipes and the shell beside it need nobody in between. */
static void
handle_lost_helper (GmcpHostChild *self, const char *reason)
{
  if (self->helper_lost || self->has_status)
    return;

  g_info ("Flatpak's session helper, which a server was started by, has gone: %s", reason);
  self->helper_lost = TRUE;
  if (self->started ? self->stderr_fd < 0 || self->status_fd < 0 : self->pid != 0)
    handle_exit (self);
  if (is_held (self) && self->ended && self->status_fd < 0)
    tell_gone (self);
}

static void
on_name_appeared (GDBusConnection *connection, const char *name, const char *owner, gpointer data)
{
  ((GmcpHostChild *) data)->helper_seen = TRUE;
}

static void
on_name_vanished (GDBusConnection *connection, const char *name, gpointer data)
{
  g_autoptr (GmcpHostChild) self = g_atomic_rc_box_acquire ((GmcpHostChild *) data);

  /* A helper that was not seen yet may still have to be started. */
  if (is_held (self) && self->helper_seen)
    handle_lost_helper (self, "its name has no owner any more");
}

static void
on_closed (GDBusConnection *connection, gboolean vanished, GError *error, gpointer data)
{
  g_autoptr (GmcpHostChild) self = g_atomic_rc_box_acquire ((GmcpHostChild *) data);

  if (is_held (self))
    handle_lost_helper (self, error != NULL ? error->message : "the bus is closed");
}

static void
on_command_started (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpHostChild) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_finish (
    G_DBUS_CONNECTION (object), NULL, result, &error);

  if (!is_held (self) || self->ended)
    return;

  if (reply == NULL)
    {
      g_autoptr (GError) reason = gmcp_host_command_explain (error);

      tell_failed (self, GMCP_GUARD_STEP_START, 0, reason);
      return;
    }

  g_variant_get (reply, "(u)", &self->pid);
  tell_started (self);
}

static void
on_connected (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpHostChild) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection = gmcp_session_bus_connect_finish (result, &error);

  if (!is_held (self))
    {
      if (connection != NULL)
        g_dbus_connection_close (connection, NULL, NULL, NULL);
      return;
    }
  if (connection == NULL)
    {
      tell_failed (self, GMCP_GUARD_STEP_START, 0, error);
      return;
    }

  g_main_context_push_thread_default (self->context);
  self->connection = g_steal_pointer (&connection);
  self->closed_handler
    = g_signal_connect (self->connection, "closed", G_CALLBACK (on_closed), self);
  self->exit_subscription = gmcp_host_command_subscribe (
    self->connection, on_exited, g_atomic_rc_box_acquire (self), (GDestroyNotify) host_child_unref);
  self->name_watch = g_bus_watch_name_on_connection (
    self->connection, GMCP_HOST_BUS_NAME, G_BUS_NAME_WATCHER_FLAGS_NONE, on_name_appeared,
    on_name_vanished, g_atomic_rc_box_acquire (self), (GDestroyNotify) host_child_unref);
  gmcp_host_command_call_async (self->connection, self->command, self->command_fds,
                                self->cancellable, on_command_started,
                                g_atomic_rc_box_acquire (self));
  g_main_context_pop_thread_default (self->context);
  g_clear_pointer (&self->command, g_variant_unref);
  g_clear_object (&self->command_fds);
}

static void
on_signal_sent (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GmcpHostChild) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply
    = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, &error);

  /* The server has ended, or the helper does not answer; the shell can still be told. */
  if (reply == NULL && is_held (self))
    write_word (self, GMCP_HOST_SAY_TERMINATE);
}

static void
host_child_terminate (GmcpChild *child)
{
  GmcpHostChild *self = (GmcpHostChild *) child;

  if (self->started && !self->ended && !self->helper_lost)
    gmcp_host_command_signal_async (self->connection, self->pid, SIGTERM, self->cancellable,
                                    on_signal_sent, g_atomic_rc_box_acquire (self));
  else
    write_word (self, GMCP_HOST_SAY_TERMINATE);
}

static void
host_child_kill (GmcpChild *child)
{
  GmcpHostChild *self = (GmcpHostChild *) child;

  if (self->started && !self->ended && !self->helper_lost)
    gmcp_host_command_signal_async (self->connection, self->pid, SIGKILL, NULL, NULL, NULL);
  /* This one has the processes that the helper no longer knows. */
  write_word (self, GMCP_HOST_SAY_KILL);
}

static void
host_child_kill_guard (GmcpChild *child)
{
  g_autoptr (GmcpHostChild) self = g_atomic_rc_box_acquire ((GmcpHostChild *) child);

  if (!self->ended && self->started)
    tell_exited (self, -1);
  if (is_held (self))
    tell_gone (self);
}

static void
host_child_release (GmcpChild *child)
{
  GmcpHostChild *self = (GmcpHostChild *) child;

  /* The end of file on its lifeline tells the shell to end all. */
  self->owner = NULL;
  stop_watching (self);
  leave_bus (self);
  host_child_unref (self);
}

static const GmcpChildKind host_kind = {
  .terminate = host_child_terminate,
  .kill = host_child_kill,
  .kill_guard = host_child_kill_guard,
  .release = host_child_release,
};

static void
watch_pipes (GmcpHostChild *self)
{
  self->source = g_source_new (&child_source_funcs, sizeof (ChildSource));
  ((ChildSource *) self->source)->child = self;
  g_source_set_static_name (self->source, "[gmcp] server process on the host");
  self->status_tag = g_source_add_unix_fd (self->source, self->status_fd, G_IO_IN);
  self->stderr_tag = g_source_add_unix_fd (self->source, self->stderr_fd, G_IO_IN);
  g_source_attach (self->source, self->context);
}

GmcpChild *
gmcp_host_child_spawn (const GmcpSpawnOptions *options,
                       const GmcpChildFuncs *funcs,
                       gpointer owner,
                       GmcpStderrTail *tail,
                       GMainContext *context,
                       int *stdin_fd,
                       int *stdout_fd,
                       GError **error)
{
  g_autofree char *address = gmcp_session_bus_dup_address ();
  GmcpHostChild *self;
  GmcpHostPipes pipes;

  if (address == NULL)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED,
                   _ ("“%s” could not be started on the host: there is no session bus"),
                   options->argv[0]);
      return NULL;
    }
  if (!gmcp_host_pipes_make (&pipes))
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_START_FAILED,
                   _ ("“%s” could not be started: there are no pipes for it: %s"), options->argv[0],
                   g_strerror (errno));
      return NULL;
    }

  self = g_atomic_rc_box_new0 (GmcpHostChild);
  self->parent.kind = &host_kind;
  self->funcs = funcs;
  self->owner = owner;
  self->tail = tail;
  self->context = g_main_context_ref (context);
  self->cancellable = g_cancellable_new ();
  self->status_fd = pipes.ours[GMCP_HOST_END_STATUS];
  self->lifeline_fd = pipes.ours[GMCP_HOST_END_LIFELINE];
  self->stderr_fd = pipes.ours[GMCP_HOST_END_STDERR];
  self->command = gmcp_host_command_describe (options);
  self->command_fds = g_unix_fd_list_new_from_array (pipes.theirs, GMCP_HOST_N_ENDS);
  watch_pipes (self);

  g_main_context_push_thread_default (context);
  gmcp_session_bus_connect_async (address, self->cancellable, on_connected,
                                  g_atomic_rc_box_acquire (self));
  g_main_context_pop_thread_default (context);

  *stdin_fd = pipes.ours[GMCP_HOST_END_STDIN];
  *stdout_fd = pipes.ours[GMCP_HOST_END_STDOUT];
  return &self->parent;
}
