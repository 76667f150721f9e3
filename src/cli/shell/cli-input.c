/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-input.h"

#include <errno.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

struct _CliInput
{
  GCancellable *cancellable;
  GSource *interrupt;
  GSource *readable; /* while a line is read: it wakes the main loop */
  gboolean is_interrupted;
  CliInputResumedFunc resumed;
  gpointer resumed_data;
  int n_resumed; /* that were told of */
};

/* GLib has no source for SIGCONT. */
static volatile sig_atomic_t n_resumed;

static void
on_resumed (int number)
{
  n_resumed++;
}

static gboolean
on_interrupt (gpointer user_data)
{
  CliInput *self = user_data;

  /* While a command runs, its host ends it. */
  self->is_interrupted = self->readable != NULL;
  return G_SOURCE_CONTINUE;
}

static gboolean
on_readable (int fd, GIOCondition condition, gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

CliInput *
cli_input_new (GCancellable *cancellable)
{
  CliInput *self = g_new0 (CliInput, 1);
  struct sigaction action = { .sa_handler = on_resumed };

  self->cancellable = g_object_ref (cancellable);
  self->interrupt = g_unix_signal_source_new (SIGINT);
  g_source_set_callback (self->interrupt, on_interrupt, self, NULL);
  g_source_attach (self->interrupt, NULL);
  /* Without SA_RESTART the poll of the main loop returns. */
  sigemptyset (&action.sa_mask);
  sigaction (SIGCONT, &action, NULL);
  return self;
}

void
cli_input_free (CliInput *self)
{
  cli_input_end (self);
  g_source_destroy (self->interrupt);
  g_source_unref (self->interrupt);
  signal (SIGCONT, SIG_DFL);
  g_object_unref (self->cancellable);
  g_free (self);
}

void
cli_input_set_resumed_func (CliInput *self, CliInputResumedFunc func, gpointer data)
{
  self->resumed = func;
  self->resumed_data = data;
}

void
cli_input_begin (CliInput *self)
{
  cli_input_end (self);
  self->is_interrupted = FALSE;
  self->n_resumed = n_resumed;
  self->readable = g_unix_fd_source_new (STDIN_FILENO, G_IO_IN | G_IO_HUP | G_IO_ERR);
  g_source_set_callback (self->readable, G_SOURCE_FUNC (on_readable), NULL, NULL);
  g_source_attach (self->readable, NULL);
}

void
cli_input_end (CliInput *self)
{
  if (self->readable != NULL)
    g_source_destroy (self->readable);
  g_clear_pointer (&self->readable, g_source_unref);
}

static gboolean
is_readable (void)
{
  struct pollfd poller = { .fd = STDIN_FILENO, .events = POLLIN };

  return poll (&poller, 1, 0) > 0;
}

static void
tell_of_resumed (CliInput *self)
{
  if (self->n_resumed == n_resumed)
    return;
  self->n_resumed = n_resumed;
  if (self->resumed != NULL)
    self->resumed (self->resumed_data);
}

int
cli_input_read_byte (CliInput *self)
{
  for (;;)
    {
      unsigned char byte;
      ssize_t n;

      if (self->is_interrupted)
        return CLI_INPUT_INTERRUPTED;
      if (g_cancellable_is_cancelled (self->cancellable))
        return CLI_INPUT_END;
      if (!is_readable ())
        {
          g_main_context_iteration (NULL, TRUE);
          tell_of_resumed (self);
          continue;
        }

      n = read (STDIN_FILENO, &byte, 1);
      if (n == 1)
        return byte;
      if (n == 0 || (errno != EINTR && errno != EAGAIN))
        return CLI_INPUT_END;
    }
}
