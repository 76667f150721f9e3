/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-progress.h"

#include <glib/gi18n.h>
#include <math.h>
#include <unistd.h>

#include "cli-status-line.h"
#include "cli-text.h"

#define BAR_COLUMNS  16
#define EVERY_MS     120
#define SHOW_AFTER_S 0.4
#define TIME_AFTER_S 1.0

struct _CliProgress
{
  char *what;
  GmcpCallOptions *options; /* NULL where nothing is shown of it */
  GmcpTaskHandle *task;     /* that the call became, if it did */
  GTimer *time;
  GSource *tick; /* NULL where nothing is shown */
  guint n_ticks;
  double done;
  double total;  /* 0 where it is not known */
  char *message; /* NULL for none */
  gboolean has_progress;
};

static const char *
get_frame (guint i)
{
  static const char *const frames[] = { "⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏" };
  static const char *const plain[] = { "|", "/", "-", "\\" };
  const char *charset;

  /* The C locale is where no locale was chosen, not where there is no UTF-8. */
  if (g_get_charset (&charset) || g_str_has_prefix (charset, "ANSI_X3.4"))
    return frames[i % G_N_ELEMENTS (frames)];
  return plain[i % G_N_ELEMENTS (plain)];
}

static void
append_progress (GString *line, const CliProgress *self)
{
  double share;
  guint filled;

  if (!self->has_progress)
    return;
  if (self->total <= 0 || !isfinite (self->done))
    {
      g_string_append_printf (line, " %g", self->done);
      return;
    }

  share = CLAMP (self->done / self->total, 0, 1);
  filled = (guint) (share * BAR_COLUMNS + 0.5);
  g_string_append (line, " [");
  for (guint i = 0; i < BAR_COLUMNS; i++)
    g_string_append_c (line, i < filled ? '#' : '.');
  g_string_append_printf (line, "] %3.0f %%", share * 100);
}

static void
show_progress (CliProgress *self)
{
  double seconds = g_timer_elapsed (self->time, NULL);
  g_autoptr (GString) line = g_string_new (NULL);

  g_string_append_printf (line, "%s %s", get_frame (self->n_ticks), self->what);
  append_progress (line, self);
  if (seconds >= TIME_AFTER_S)
    /* Translators: seconds, behind what is waited for and how far it is */
    g_string_append_printf (line, _ (", %.0f s"), (double) (guint) seconds);
  if (self->message != NULL)
    g_string_append_printf (line, ": %s", self->message);
  cli_status_line_show (line->str);
}

static gboolean
on_tick (gpointer data)
{
  CliProgress *self = data;

  self->n_ticks++;
  if (self->has_progress || g_timer_elapsed (self->time, NULL) >= SHOW_AFTER_S)
    show_progress (self);
  return G_SOURCE_CONTINUE;
}

static void
set_message (CliProgress *self, const char *message)
{
  g_free (self->message);
  self->message = message != NULL && *message != '\0' ? g_strdup (message) : NULL;
}

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer user_data)
{
  CliProgress *self = user_data;

  self->has_progress = TRUE;
  self->done = progress;
  self->total = total;
  set_message (self, message);
  show_progress (self);
}

static void
on_task_changed (GmcpTaskHandle *task, GParamSpec *pspec, gpointer user_data)
{
  CliProgress *self = user_data;
  const char *message = gmcp_task_handle_get_status_message (task);

  if (message == NULL)
    message = gmcp_task_handle_get_status (task) == GMCP_TASK_STATUS_INPUT_REQUIRED
                ? _ ("waits for input")
                : _ ("goes on as a task");
  set_message (self, message);
  show_progress (self);
}

static void
on_task_created (GmcpCallOptions *options, GmcpTaskHandle *task, gpointer user_data)
{
  CliProgress *self = user_data;

  if (!g_set_object (&self->task, task))
    return;
  g_signal_connect (task, "notify", G_CALLBACK (on_task_changed), self);
  on_task_changed (task, NULL, self);
}

CliProgress *
cli_progress_new (const char *what, GmcpCallOptions *options, gboolean json)
{
  CliProgress *self = g_new0 (CliProgress, 1);

  self->what = g_strdup (what);
  self->time = g_timer_new ();
  if (!cli_status_line_is_possible () || (json && !isatty (STDOUT_FILENO)))
    return self;

  self->tick = g_timeout_source_new (EVERY_MS);
  g_source_set_callback (self->tick, on_tick, self, NULL);
  g_source_attach (self->tick, NULL);
  if (options != NULL)
    {
      self->options = g_object_ref (options);
      g_signal_connect (options, "progress", G_CALLBACK (on_progress), self);
      g_signal_connect (options, "task-created", G_CALLBACK (on_task_created), self);
    }
  return self;
}

void
cli_progress_free (CliProgress *self)
{
  if (self->tick != NULL)
    {
      g_source_destroy (self->tick);
      g_source_unref (self->tick);
      cli_status_line_clear ();
    }
  if (self->task != NULL)
    g_signal_handlers_disconnect_by_data (self->task, self);
  g_clear_object (&self->task);
  if (self->options != NULL)
    g_signal_handlers_disconnect_by_data (self->options, self);
  g_clear_object (&self->options);
  g_timer_destroy (self->time);
  g_free (self->message);
  g_free (self->what);
  g_free (self);
}
