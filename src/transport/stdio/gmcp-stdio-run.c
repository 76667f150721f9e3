/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-stdio-run-private.h"

#include "gmcp-fd-private.h"
#include "gmcp-limits.h"
#include "gmcp-line-channel-private.h"

/* How long a guard has to end what it was told to kill, before it is killed itself. */
#define STOP_KILL_MS 3000

typedef enum
{
  STOP_CLOSE_STDIN,
  STOP_TERMINATE,
  STOP_KILL,
  STOP_KILL_GUARD,
} StopStage;

struct _GmcpStdioRun
{
  GObject *owner; /* not owned */
  const GmcpStdioRunFuncs *funcs;
  GMainContext *context;
  GmcpChild *child; /* NULL once nothing is left of it */
  GmcpLineChannel *channel;
  int stdin_fd; /* until the channel has them */
  int stdout_fd;
  int pid;
  int wait_status;
  GmcpStdioStopTimes stop_times;
  GSource *stop_timer;
  StopStage stop_stage;
  guint installing : 1;
  guint exited : 1;
  guint input_ended : 1;
  guint end_told : 1;
  guint stop_wanted : 1;
};

static void start_stop_stage (GmcpStdioRun *self);

static void
clear_stop_timer (GmcpStdioRun *self)
{
  if (self->stop_timer != NULL)
    {
      g_source_destroy (self->stop_timer);
      g_clear_pointer (&self->stop_timer, g_source_unref);
    }
}

/* When the guard is reaped, and what the server said at the last was handed over. */
static void
check_stopped (GmcpStdioRun *self)
{
  if (self->stop_wanted && self->child == NULL && (self->channel == NULL || self->input_ended))
    self->funcs->stopped (self->owner);
}

/* When the last bytes were handed over and the exit status is known. */
static void
check_exited (GmcpStdioRun *self)
{
  /* Before the program is there nobody reads what comes. */
  if (self->stop_wanted || self->end_told || !self->exited
      || (!self->input_ended && !(self->installing && self->channel == NULL)))
    return;

  self->end_told = TRUE;
  clear_stop_timer (self);
  g_clear_pointer (&self->channel, gmcp_line_channel_close);
  self->funcs->exited (self->owner, self->wait_status);
}

static gboolean
stop_timer_cb (gpointer user_data)
{
  GmcpStdioRun *self = user_data;
  g_autoptr (GObject) keep_alive G_GNUC_UNUSED = g_object_ref (self->owner);

  clear_stop_timer (self);
  self->stop_stage++;
  start_stop_stage (self);

  /* A server that closed its streams and goes on running: nobody has to wait for its end. */
  if (!self->stop_wanted && !self->end_told)
    {
      self->end_told = TRUE;
      self->funcs->went_deaf (self->owner);
    }

  return G_SOURCE_REMOVE;
}

static void
start_stop_timer (GmcpStdioRun *self, guint timeout_ms)
{
  self->stop_timer = g_timeout_source_new (timeout_ms);
  g_source_set_static_name (self->stop_timer, "[gmcp] server stops");
  g_source_set_callback (self->stop_timer, stop_timer_cb, self, NULL);
  g_source_attach (self->stop_timer, self->context);
}

static void
start_stop_stage (GmcpStdioRun *self)
{
  switch (self->stop_stage)
    {
    case STOP_CLOSE_STDIN:
      if (self->channel != NULL)
        gmcp_line_channel_shut_output (self->channel);
      gmcp_clear_fd (&self->stdin_fd);
      start_stop_timer (self, self->stop_times.stdin_ms);
      break;

    case STOP_TERMINATE:
      gmcp_child_terminate (self->child);
      start_stop_timer (self, self->stop_times.term_ms);
      break;

    case STOP_KILL:
      gmcp_child_kill (self->child);
      start_stop_timer (self, STOP_KILL_MS);
      break;

    case STOP_KILL_GUARD:
    default:
      gmcp_child_kill_guard (self->child);
      break;
    }
}

static void
on_message (gpointer data, const char *text, gsize length, GBytes *bytes)
{
  GmcpStdioRun *self = data;

  if (self->child != NULL)
    gmcp_child_note_message (self->child);
  self->funcs->message (self->owner, text, length, bytes);
}

static void
on_violation (gpointer data, const GError *error)
{
  GmcpStdioRun *self = data;

  self->funcs->violation (self->owner, error);
}

static void
on_input_ended (gpointer data, const GError *error)
{
  GmcpStdioRun *self = data;

  if (error != NULL)
    g_debug ("The connection to a server broke: %s", error->message);

  self->input_ended = TRUE;
  if (self->stop_wanted)
    check_stopped (self);
  else if (self->exited)
    check_exited (self);
  else if (self->stop_timer == NULL)
    start_stop_stage (self);
}

static void
on_output_shut (gpointer data)
{
  /* The server sees the end of its input now. */
}

static const GmcpLineChannelFuncs channel_funcs = {
  .message = on_message,
  .violation = on_violation,
  .input_ended = on_input_ended,
  .output_shut = on_output_shut,
};

static void
on_started (gpointer data, int pid)
{
  GmcpStdioRun *self = data;
  g_autoptr (GObject) keep_alive G_GNUC_UNUSED = g_object_ref (self->owner);

  self->pid = pid;
  self->funcs->started (self->owner);
}

static void
on_failed (gpointer data, const GmcpChildFailure *failure)
{
  GmcpStdioRun *self = data;
  g_autoptr (GObject) keep_alive G_GNUC_UNUSED = g_object_ref (self->owner);

  self->funcs->failed (self->owner, failure);
}

static void
on_exited (gpointer data, int wait_status)
{
  GmcpStdioRun *self = data;
  g_autoptr (GObject) keep_alive G_GNUC_UNUSED = g_object_ref (self->owner);

  self->exited = TRUE;
  self->wait_status = wait_status;
  self->pid = 0;

  if (self->channel != NULL && !self->input_ended)
    gmcp_line_channel_drain_input (self->channel);
  check_exited (self);
}

static void
on_gone (gpointer data)
{
  GmcpStdioRun *self = data;
  g_autoptr (GObject) keep_alive G_GNUC_UNUSED = g_object_ref (self->owner);

  clear_stop_timer (self);
  g_clear_pointer (&self->child, gmcp_child_release);
  check_stopped (self);
}

static void
on_install (gpointer data, GmcpGuardInstallPhase phase)
{
  GmcpStdioRun *self = data;
  g_autoptr (GObject) keep_alive G_GNUC_UNUSED = g_object_ref (self->owner);

  /* What has run out of time is ended like any other. */
  if (phase == GMCP_GUARD_INSTALL_DONE)
    self->installing = FALSE;
  if (!self->stop_wanted)
    self->funcs->install (self->owner, phase);
}

static const GmcpChildFuncs child_funcs = {
  .started = on_started,
  .failed = on_failed,
  .exited = on_exited,
  .install = on_install,
  .gone = on_gone,
};

GmcpStdioRun *
gmcp_stdio_run_new (GObject *owner,
                    const GmcpStdioRunFuncs *funcs,
                    GMainContext *context,
                    const GmcpSpawnOptions *options,
                    GmcpStderrTail *tail,
                    GError **error)
{
  GmcpStdioRun *self = g_new0 (GmcpStdioRun, 1);

  self->owner = owner;
  self->funcs = funcs;
  self->context = g_main_context_ref (context);
  self->stdin_fd = -1;
  self->stdout_fd = -1;
  self->stop_times.stdin_ms = GMCP_DEFAULT_STOP_STDIN_MS;
  self->stop_times.term_ms = GMCP_DEFAULT_STOP_TERM_MS;
  self->installing = options->install_ms > 0;
  self->child = gmcp_child_spawn (options, &child_funcs, self, tail, context, &self->stdin_fd,
                                  &self->stdout_fd, error);
  if (self->child == NULL)
    g_clear_pointer (&self, gmcp_stdio_run_free);

  return self;
}

void
gmcp_stdio_run_free (GmcpStdioRun *self)
{
  clear_stop_timer (self);
  g_clear_pointer (&self->channel, gmcp_line_channel_close);
  gmcp_clear_fd (&self->stdin_fd);
  gmcp_clear_fd (&self->stdout_fd);
  g_clear_pointer (&self->child, gmcp_child_release);
  g_main_context_unref (self->context);
  g_free (self);
}

void
gmcp_stdio_run_read (GmcpStdioRun *self, gsize max_message_bytes)
{
  if (self->channel != NULL || self->stop_wanted || self->stdin_fd < 0)
    return;

  self->channel
    = gmcp_line_channel_new (self->owner, &channel_funcs, self, self->context,
                             g_steal_fd (&self->stdout_fd), g_steal_fd (&self->stdin_fd));
  gmcp_line_channel_set_max_message_bytes (self->channel, max_message_bytes);
  if (self->exited)
    gmcp_line_channel_drain_input (self->channel);
}

void
gmcp_stdio_run_set_max_message_bytes (GmcpStdioRun *self, gsize max_message_bytes)
{
  if (self->channel != NULL)
    gmcp_line_channel_set_max_message_bytes (self->channel, max_message_bytes);
}

gboolean
gmcp_stdio_run_is_ending (GmcpStdioRun *self)
{
  return self->input_ended && !self->stop_wanted;
}

gboolean
gmcp_stdio_run_send (GmcpStdioRun *self, const GmcpOutgoing *message, GError **error)
{
  return gmcp_line_channel_send (self->channel, message, error);
}

const char *
gmcp_stdio_run_peek_rest (GmcpStdioRun *self, gsize *length)
{
  *length = 0;
  return self->channel != NULL ? gmcp_line_channel_peek_rest (self->channel, length) : NULL;
}

void
gmcp_stdio_run_set_stop_times (GmcpStdioRun *self, const GmcpStdioStopTimes *times)
{
  self->stop_times = *times;
  /* The new times also hold for a stop that is under way. */
  if (self->stop_wanted && self->stop_timer != NULL && self->stop_stage <= STOP_TERMINATE)
    {
      clear_stop_timer (self);
      start_stop_timer (self,
                        self->stop_stage == STOP_TERMINATE ? times->term_ms : times->stdin_ms);
    }
}

/* What fetches the program still does so: a stop lets it go on, and waits for nothing. */
static gboolean
is_installing (GmcpStdioRun *self)
{
  return self->installing && !self->exited;
}

void
gmcp_stdio_run_tell_installed (GmcpStdioRun *self)
{
  self->installing = FALSE;
  if (self->child != NULL)
    gmcp_child_tell_installed (self->child);
}

/* Leaves the process to its guard. */
static void
let_go (GmcpStdioRun *self)
{
  clear_stop_timer (self);
  g_clear_pointer (&self->channel, gmcp_line_channel_close);
  gmcp_clear_fd (&self->stdin_fd);
  gmcp_clear_fd (&self->stdout_fd);
  g_clear_pointer (&self->child, gmcp_child_release);
  self->pid = 0;
}

void
gmcp_stdio_run_stop (GmcpStdioRun *self)
{
  self->stop_wanted = TRUE;
  if (is_installing (self))
    let_go (self);
  if (self->child == NULL)
    {
      check_stopped (self);
      return;
    }

  /* After the exit only what it left behind is waited for, and that not for ever. */
  if (self->exited)
    self->stop_stage = MAX (self->stop_stage, STOP_TERMINATE);
  /* A stop may be under way for another reason. */
  if (self->stop_timer == NULL)
    start_stop_stage (self);
}

int
gmcp_stdio_run_get_pid (GmcpStdioRun *self)
{
  return self->pid;
}

int
gmcp_stdio_run_take_service_fd (GmcpStdioRun *self)
{
  return self->child != NULL ? gmcp_child_take_service_fd (self->child) : -1;
}

void
gmcp_stdio_run_start (GmcpStdioRun *self)
{
  if (self->child != NULL)
    gmcp_child_start (self->child);
}
