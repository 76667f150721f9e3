/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-stdio-link-private.h"

#include <signal.h>
#include <sys/wait.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-stdio-error-private.h"
#include "gmcp-stdio-transport-private.h"

/* Of what an error shows. */
#define FIRST_LINES_BYTES 1024

static void
clear_hold (GmcpStdioLink *self)
{
  if (self->install.hold != NULL)
    g_source_destroy (self->install.hold);
  g_clear_pointer (&self->install.hold, g_source_unref);
}

static GTask *
steal_open_task (GmcpStdioLink *self)
{
  clear_hold (self);
  if (self->open_cancelled != NULL)
    {
      g_source_destroy (self->open_cancelled);
      g_clear_pointer (&self->open_cancelled, g_source_unref);
    }

  return g_steal_pointer (&self->open_task);
}

static void
drop_run (GmcpStdioLink *self)
{
  g_clear_pointer (&self->opening, gmcp_stdio_opening_free);
  g_clear_pointer (&self->run, gmcp_stdio_run_free);
}

static void
tell_install (GmcpStdioLink *self, GmcpGuardInstallPhase phase)
{
  self->install.is_on = phase != GMCP_GUARD_INSTALL_DONE;
  self->install.is_late = phase == GMCP_GUARD_INSTALL_TIMED_OUT;
  if (self->install.func != NULL)
    self->install.func (phase, gmcp_stdio_opening_get_installer (self->opening),
                        self->install.data);
}

/* The program speaks, so it has been fetched. */
static void
end_install (GmcpStdioLink *self)
{
  gmcp_stdio_run_tell_installed (self->run);
  tell_install (self, GMCP_GUARD_INSTALL_DONE);
}

static void
on_message (gpointer owner, const char *text, gsize length, GBytes *bytes)
{
  GmcpStdioLink *self = gmcp_stdio_transport_get_link (owner);
  gsize i = 0;

  while (i < length && g_ascii_isspace (text[i]))
    i++;

  if (G_LIKELY (i < length && (text[i] == '{' || text[i] == '[')))
    {
      self->heard = TRUE;
      if (G_UNLIKELY (self->install.is_on))
        end_install (self);
      gmcp_transport_deliver (owner, text, length, bytes);
      return;
    }

  gmcp_stdout_text_take_line (&self->text, text, length);
  if (self->text.n_lines == 1)
    {
      g_autofree char *line = g_utf8_make_valid (text, MIN (length, 200));

      g_info ("“%s” prints to standard output what is no message, which is skipped: %s",
              self->order.argv[0], line);
    }
}

static void
on_violation (gpointer owner, const GError *error)
{
  GmcpStdioLink *self = gmcp_stdio_transport_get_link (owner);

  /* A message that was cut: how the server ended, which comes next, says more. */
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL))
    g_debug ("From “%s”: %s", self->order.argv[0], error->message);
  else
    gmcp_transport_report_violation (owner, error);
}

static void
finish_open (GmcpStdioLink *self)
{
  g_autoptr (GTask) task = steal_open_task (self);

  if (task == NULL)
    return;

  /* Before the task returns: its callback may open it again. */
  if (g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    {
      drop_run (self);
      g_task_return_error_if_cancelled (task);
    }
  else
    g_task_return_boolean (task, TRUE);
}

/* Where processes hide what they are, the first message has to tell. */
static gboolean
on_held_long (gpointer data)
{
  GmcpStdioLink *self = data;
  g_autoptr (GmcpTransport) alive G_GNUC_UNUSED = g_object_ref (self->transport);

  finish_open (self);
  return G_SOURCE_REMOVE;
}

static void
hold_open (GmcpStdioLink *self)
{
  clear_hold (self);
  self->install.hold = g_timeout_source_new (GMCP_DEFAULT_INSTALL_HOLD_MS);
  g_source_set_static_name (self->install.hold, "[gmcp] program is fetched");
  g_source_set_callback (self->install.hold, on_held_long, self, NULL);
  g_source_attach (self->install.hold, gmcp_transport_get_context (self->transport));
}

static void
on_started (gpointer owner)
{
  GmcpStdioLink *self = gmcp_stdio_transport_get_link (owner);
  const GmcpInstaller *installer = gmcp_stdio_opening_get_installer (self->opening);

  self->install.is_on = installer != NULL;
  /* There only its first message tells. */
  if (installer != NULL && gmcp_stdio_opening_is_on_host (self->opening))
    tell_install (self, GMCP_GUARD_INSTALL_RUNS);
  else if (installer != NULL && installer->is_seen)
    {
      hold_open (self);
      return;
    }

  finish_open (self);
}

static void
on_install (gpointer owner, GmcpGuardInstallPhase phase)
{
  GmcpStdioLink *self = gmcp_stdio_transport_get_link (owner);

  /* The first message has told that before. */
  if (phase == GMCP_GUARD_INSTALL_DONE && !self->install.is_on)
    return;

  tell_install (self, phase);
  if (phase == GMCP_GUARD_INSTALL_DONE && self->open_task != NULL)
    finish_open (self);
}

static void
on_opening_failed (gpointer owner, GError *error)
{
  GmcpStdioLink *self = gmcp_stdio_transport_get_link (owner);
  g_autoptr (GTask) task = steal_open_task (self);

  /* The run is being stopped; the task of the close waits for its end. */
  if (self->close_task != NULL)
    {
      g_error_free (error);
      return;
    }

  self->lacks_command = gmcp_stdio_opening_lacks_command (self->opening);
  drop_run (self);
  if (task != NULL)
    g_task_return_error (task, error);
  else
    g_error_free (error);
}

static void
on_failed (gpointer owner, const GmcpChildFailure *failure)
{
  GmcpStdioLink *self = gmcp_stdio_transport_get_link (owner);

  if (self->open_task != NULL)
    on_opening_failed (owner, gmcp_stdio_opening_describe_failure (self->opening, failure));
}

/* A program between the server and us, such as a shell, tells it by its own status. */
static gboolean
is_kill (int wait_status)
{
  int signal_number = WIFSIGNALED (wait_status) ? WTERMSIG (wait_status)
                      : WIFEXITED (wait_status) ? WEXITSTATUS (wait_status) - 128
                                                : 0;

  return wait_status != -1
         && (signal_number == SIGKILL || signal_number == SIGTERM || signal_number == SIGINT
             || signal_number == SIGHUP);
}

static void
on_exited (gpointer owner, int wait_status)
{
  GmcpStdioLink *self = gmcp_stdio_transport_get_link (owner);
  g_autoptr (GError) error
    = gmcp_stdio_opening_describe_exit (self->opening, wait_status, self->install.is_late);
  g_autofree char *text = gmcp_stdio_link_dup_text (self);

  self->was_killed = is_kill (wait_status);
  gmcp_stdio_error_add_text (error, text);
  /* What fetches the program has ended, and has not started it. */
  if (self->open_task != NULL)
    on_opening_failed (owner, g_steal_pointer (&error));
  else
    gmcp_transport_closed (self->transport, error);
}

static void
on_went_deaf (gpointer owner)
{
  GmcpStdioLink *self = gmcp_stdio_transport_get_link (owner);
  g_autoptr (GError) error = gmcp_stdio_error_new_deaf (self->order.argv[0], &self->tail);
  g_autofree char *text = gmcp_stdio_link_dup_text (self);

  gmcp_stdio_error_add_text (error, text);
  gmcp_transport_closed (self->transport, error);
}

static void
on_stopped (gpointer owner)
{
  GmcpStdioLink *self = gmcp_stdio_transport_get_link (owner);
  g_autoptr (GTask) task = g_steal_pointer (&self->close_task);

  drop_run (self);
  g_task_return_boolean (task, TRUE);
}

static const GmcpStdioRunFuncs run_funcs = {
  .started = on_started,
  .failed = on_failed,
  .message = on_message,
  .violation = on_violation,
  .exited = on_exited,
  .went_deaf = on_went_deaf,
  .install = on_install,
  .stopped = on_stopped,
};

static gboolean
open_cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  GmcpStdioLink *self = gmcp_stdio_transport_get_link (g_task_get_source_object (user_data));
  g_autoptr (GTask) task = steal_open_task (self);

  drop_run (self);
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Operation was cancelled"));
  return G_SOURCE_REMOVE;
}

static void
on_made (gpointer owner, GmcpStdioRun *run)
{
  GmcpStdioLink *self = gmcp_stdio_transport_get_link (owner);

  self->run = run;
  gmcp_stdio_link_update_stop_times (self);
}

static const GmcpStdioOpeningFuncs opening_funcs = {
  .made = on_made,
  .failed = on_opening_failed,
  .run = &run_funcs,
};

static void
wait_for_start (GmcpStdioLink *self, GTask *task)
{
  GCancellable *cancellable = g_task_get_cancellable (task);

  if (cancellable != NULL)
    {
      self->open_cancelled = g_cancellable_source_new (cancellable);
      g_source_set_static_name (self->open_cancelled, "[gmcp] start cancelled");
      g_task_attach_source (task, self->open_cancelled, G_SOURCE_FUNC (open_cancelled_cb));
    }
  self->open_task = task;
}

void
gmcp_stdio_link_init (GmcpStdioLink *self, GmcpTransport *transport)
{
  self->transport = transport;
  self->stop_times.stdin_ms = GMCP_DEFAULT_STOP_STDIN_MS;
  self->stop_times.term_ms = GMCP_DEFAULT_STOP_TERM_MS;
}

void
gmcp_stdio_link_clear (GmcpStdioLink *self)
{
  clear_hold (self);
  drop_run (self);
  gmcp_stderr_tail_clear (&self->tail);
  gmcp_stdout_text_clear (&self->text);
  g_clear_pointer (&self->order.argv, g_strfreev);
  g_clear_pointer (&self->order.environment, g_strfreev);
  g_clear_pointer (&self->order.confinement, gmcp_confinement_free);
  g_clear_pointer (&self->order.cwd, g_free);
}

void
gmcp_stdio_link_open (GmcpStdioLink *self, GTask *task)
{
  GError *error = NULL;

  /* One before, which has ended. */
  drop_run (self);

  gmcp_stdout_text_clear (&self->text);
  self->heard = FALSE;
  self->lacks_command = FALSE;
  self->was_killed = FALSE;
  self->install.is_on = FALSE;
  self->install.is_late = FALSE;
  self->opening = gmcp_stdio_opening_new (G_OBJECT (self->transport), &opening_funcs,
                                          gmcp_transport_get_context (self->transport),
                                          &self->order, &self->tail);
  if (gmcp_stdio_opening_begin (self->opening, &error))
    {
      wait_for_start (self, g_object_ref (task));
      return;
    }

  self->lacks_command = gmcp_stdio_opening_lacks_command (self->opening);
  drop_run (self);
  g_task_return_error (task, error);
}

void
gmcp_stdio_link_read (GmcpStdioLink *self)
{
  if (self->run != NULL)
    gmcp_stdio_run_read (self->run, gmcp_transport_get_max_message_bytes (self->transport));
}

char *
gmcp_stdio_link_dup_text (GmcpStdioLink *self)
{
  const char *rest = NULL;
  gsize length = 0;

  if (self->heard)
    return NULL;

  if (self->run != NULL)
    rest = gmcp_stdio_run_peek_rest (self->run, &length);
  return gmcp_stdout_text_dup_first_lines (&self->text, rest, length, self->tail.filter,
                                           self->tail.func_data, FIRST_LINES_BYTES);
}

void
gmcp_stdio_link_close (GmcpStdioLink *self, GTask *task)
{
  g_autoptr (GTask) open_task = steal_open_task (self);

  if (open_task != NULL)
    g_task_return_new_error (open_task, GMCP_ERROR, GMCP_ERROR_CLOSED,
                             _ ("The connection was closed while it was being opened"));

  if (self->run == NULL)
    {
      drop_run (self);
      g_task_return_boolean (task, TRUE);
      return;
    }

  self->close_task = g_object_ref (task);
  gmcp_stdio_run_stop (self->run);
}

void
gmcp_stdio_link_update_stop_times (GmcpStdioLink *self)
{
  if (self->run != NULL)
    gmcp_stdio_run_set_stop_times (self->run, &self->stop_times);
}
