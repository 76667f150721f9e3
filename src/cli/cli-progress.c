/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-progress.h"

#include "cli-text.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define BAR_WIDTH 24

struct _CliProgress
{
  GmcpCallOptions *options;
  gulong handler;
  gboolean drawn;
};

static void
on_progress (GmcpCallOptions *options,
             double progress,
             double total,
             const char *message,
             gpointer user_data)
{
  CliProgress *self = user_data;
  g_autofree char *shown = cli_text_plain (message != NULL ? message : "", cli_text_width (2) / 2);
  g_autoptr (GString) line = g_string_new ("\r\033[K");

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

  fputs (line->str, stderr);
  fflush (stderr);
  self->drawn = TRUE;
}

CliProgress *
cli_progress_new (GmcpCallOptions *options)
{
  CliProgress *self = g_new0 (CliProgress, 1);

  if (isatty (STDERR_FILENO))
    {
      self->options = g_object_ref (options);
      self->handler = g_signal_connect (options, "progress", G_CALLBACK (on_progress), self);
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
  if (self->options != NULL)
    {
      g_signal_handler_disconnect (self->options, self->handler);
      g_object_unref (self->options);
    }
  g_free (self);
}
