/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-progress.h"

#include "cli-text.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define BAR_WIDTH 24

struct _CliProgress
{
  GmcpCallOptions *options;
  GmcpTaskHandle *task; /* that the call became, if it did */
  gboolean drawn;
};

static void
draw_line (CliProgress *self, const char *line)
{
  fprintf (stderr, "\r\033[K%s", line);
  fflush (stderr);
  self->drawn = TRUE;
}

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer user_data)
{
  CliProgress *self = user_data;
  g_autofree char *shown = cli_text_plain (message != NULL ? message : "", cli_text_width (2) / 2);
  g_autoptr (GString) line = g_string_new (NULL);

  if (total > 0 && isfinite (progress))
    {
      double share = CLAMP (progress / total, 0, 1);
      guint filled = (guint) (share * BAR_WIDTH + 0.5);

      g_string_append_c (line, '[');
      for (guint i = 0; i < BAR_WIDTH; i++)
        g_string_append_c (line, i < filled ? '#' : ' ');
      g_string_append_printf (line, "] %3.0f %% %s", share * 100, shown);
    }
  else
    g_string_append_printf (line, "%g %s", progress, shown);

  draw_line (self, line->str);
}

static void
on_task_changed (GmcpTaskHandle *task, GParamSpec *pspec, gpointer user_data)
{
  const char *message = gmcp_task_handle_get_status_message (task);
  g_autofree char *shown = NULL;

  if (message == NULL)
    message = gmcp_task_handle_get_status (task) == GMCP_TASK_STATUS_INPUT_REQUIRED
                ? _ ("waits for input")
                : _ ("goes on as a task");
  shown = cli_text_plain (message, cli_text_width (2));
  draw_line (user_data, shown);
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
cli_progress_new (GmcpCallOptions *options)
{
  CliProgress *self = g_new0 (CliProgress, 1);

  if (isatty (STDERR_FILENO))
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
  if (self->drawn)
    {
      fputs ("\r\033[K", stderr);
      fflush (stderr);
    }
  if (self->task != NULL)
    g_signal_handlers_disconnect_by_data (self->task, self);
  g_clear_object (&self->task);
  if (self->options != NULL)
    g_signal_handlers_disconnect_by_data (self->options, self);
  g_clear_object (&self->options);
  g_free (self);
}
