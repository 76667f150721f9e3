/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-line-channel-private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-fd-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-line-batch-private.h"
#include "gmcp-output-queue-private.h"

/* How many reads without a poll are left out at most after vain ones. */
#define AHEAD_MAX_PAUSE 64u

/* A dispatch of one channel, and the others that were given something to write in it: at its end they write, where the
 * loop would go round once more for that. What came together is written together in either way. */
typedef struct _Turn Turn;

struct _Turn
{
  GMainContext *context;
  GmcpLineChannel *waiting; /* the first of them */
  Turn *outer;              /* of a dispatch that this one came up in */
};

static GPrivate current_turn;

struct _GmcpLineChannel
{
  GObject *owner; /* not owned */
  const GmcpLineChannelFuncs *funcs;
  gpointer data;
  GSource *source; /* NULL once closed */
  gpointer input_tag;
  gpointer output_tag; /* only while a write would block: a descriptor without a reader would wake
                        * the loop for ever */
  GmcpLineFramer *framer;
  GmcpOutputQueue output;
  int input_fd;
  int output_errno;
  int unread_bytes;      /* by the peer, of what was written, when it last had patience */
  gsize drain_bytes;     /* what may still be read when draining */
  guint ahead_pause;     /* writes after which not to read ahead */
  guint ahead_vain;      /* how long that was at the last */
  guint reads_ahead : 1; /* a read never waits */
  guint has_lines : 1;
  guint draining : 1;
  guint at_eof : 1;
  guint input_ended : 1;
  guint shut_wanted : 1;
  guint output_shut : 1;
  guint shut_told : 1;
  guint pipe_grown : 1;
  guint n_dispatching; /* a callback may run the main loop, and so come back */
  Turn *turn;          /* that this waits in, or NULL */
  GmcpLineChannel *next_waiting;
};

typedef struct
{
  GSource parent;
  GmcpLineChannel *channel;
} ChannelSource;

static void
channel_free (GmcpLineChannel *self)
{
  gmcp_line_framer_free (self->framer);
  g_free (self);
}

static gboolean
output_is_waiting (GmcpLineChannel *self)
{
  if (self->output_shut)
    return self->shut_wanted && !self->shut_told;
  if (self->output_tag != NULL)
    return FALSE;

  return self->shut_wanted || !gmcp_output_queue_is_empty (&self->output);
}

static gboolean
channel_source_prepare (GSource *source, int *timeout_ms)
{
  GmcpLineChannel *self = ((ChannelSource *) source)->channel;

  *timeout_ms = -1;
  return self->has_lines || (self->draining && !self->input_ended) || output_is_waiting (self);
}

static void
end_input (GmcpLineChannel *self)
{
  g_autoptr (GError) error = NULL;

  self->input_ended = TRUE;
  g_source_remove_unix_fd (self->source, self->input_tag);

  if (self->output_errno != 0)
    g_set_error (&error, G_IO_ERROR, g_io_error_from_errno (self->output_errno),
                 _ ("Writing failed: %s"), g_strerror (self->output_errno));
  self->funcs->input_ended (self->data, error);
}

static void
break_input (GmcpLineChannel *self, int read_errno)
{
  g_autoptr (GError) error = NULL;

  self->input_ended = TRUE;
  g_source_remove_unix_fd (self->source, self->input_tag);
  g_set_error (&error, G_IO_ERROR, g_io_error_from_errno (read_errno), _ ("Reading failed: %s"),
               g_strerror (read_errno));
  self->funcs->input_ended (self->data, error);
}

static void
grow_pipe (GmcpLineChannel *self)
{
  self->pipe_grown = TRUE;
  gmcp_grow_pipe (self->input_fd);
}

static void
take_lines (GmcpLineChannel *self)
{
  GmcpLineBatch batch = gmcp_line_batch_take (self->framer, self->funcs, self->data, &self->source);

  if (batch == GMCP_LINE_BATCH_CLOSED)
    return;

  self->has_lines = batch == GMCP_LINE_BATCH_YIELD;
  if (self->at_eof && !self->has_lines && !self->input_ended)
    end_input (self);
  else if (!self->pipe_grown && gmcp_line_framer_is_in_large_message (self->framer))
    grow_pipe (self);
}

static gssize
read_input (GmcpLineChannel *self)
{
  struct pollfd ready = { .fd = self->input_fd, .events = POLLIN };
  gsize room = 0;
  char *to;
  gssize n;

  /* Whatever the descriptor is, this read must not wait. */
  if (self->draining && (self->drain_bytes == 0 || poll (&ready, 1, 0) == 0))
    return 0;

  to = gmcp_line_framer_reserve (self->framer, &room);
  do
    n = read (self->input_fd, to, room);
  while (n < 0 && errno == EINTR);

  if (n < 0 && self->draining && errno == EAGAIN)
    return 0;

  if (n > 0)
    {
      gmcp_line_framer_commit (self->framer, n);
      self->drain_bytes -= MIN ((gsize) n, self->drain_bytes);
    }

  return n;
}

/* Reads what there is, for take_lines(); FALSE where there was nothing. */
static gboolean
fetch_input (GmcpLineChannel *self)
{
  gssize n = read_input (self);

  if (n < 0)
    {
      if (errno != EAGAIN)
        break_input (self, errno);
      return FALSE;
    }

  if (n == 0)
    {
      gmcp_line_framer_commit_eof (self->framer);
      self->at_eof = TRUE;
    }
  self->has_lines = TRUE;
  return TRUE;
}

static void
watch_output (GmcpLineChannel *self, gboolean watch)
{
  if (watch && self->output_tag == NULL)
    self->output_tag = g_source_add_unix_fd (self->source, self->output.to.fd, G_IO_OUT);
  else if (!watch && self->output_tag != NULL)
    {
      g_source_remove_unix_fd (self->source, g_steal_pointer (&self->output_tag));
      g_source_set_ready_time (self->source, -1);
    }
}

/* Of what the system has taken for the peer; -1 where it does not say. */
static int
count_unread (GmcpLineChannel *self)
{
  int n_bytes;

  return ioctl (self->output.to.fd, SIOCOUTQ, &n_bytes) == 0 ? n_bytes : -1;
}

/* From the last time that the peer was seen to read something. */
static void
set_patience (GmcpLineChannel *self)
{
  if (self->output.limits.patience_ms == 0)
    return;

  self->unread_bytes = count_unread (self);
  g_source_set_ready_time (self->source,
                           g_get_monotonic_time ()
                             + self->output.limits.patience_ms * G_TIME_SPAN_MILLISECOND);
}

static gboolean
is_patience_over (GmcpLineChannel *self)
{
  gint64 end_us = g_source_get_ready_time (self->source);

  return end_us >= 0 && g_source_get_time (self->source) >= end_us;
}

/* A peer that reads a little does not yet make so much room that the system would say so. */
static gboolean
has_read_some (GmcpLineChannel *self)
{
  int n_unread = count_unread (self);

  return n_unread >= 0 && n_unread < self->unread_bytes;
}

static void
close_output (GmcpLineChannel *self)
{
  watch_output (self, FALSE);
  self->output_shut = TRUE;

  if (self->output.to.kind == GMCP_OUTPUT_KIND_SOCKET)
    shutdown (self->output.to.fd, SHUT_WR);
  if (self->output.to.fd == self->input_fd)
    self->output.to.fd = -1;
  gmcp_output_queue_clear (&self->output);
}

static void
tell_output_shut (GmcpLineChannel *self)
{
  self->shut_told = TRUE;
  self->funcs->output_shut (self->data);
}

/* What waits is dropped. What the peer said before it went is still taken. */
static void
fail_output (GmcpLineChannel *self, int output_errno)
{
  self->output_errno = output_errno;
  close_output (self);
  gmcp_line_channel_drain_input (self);
  if (self->shut_wanted)
    tell_output_shut (self);
}

static void
handle_output (GmcpLineChannel *self)
{
  switch (gmcp_output_queue_flush (&self->output))
    {
    case GMCP_FLUSH_BLOCKED:
      watch_output (self, TRUE);
      set_patience (self);
      return;

    case GMCP_FLUSH_FAILED:
      fail_output (self, errno);
      return;

    case GMCP_FLUSH_DONE:
      watch_output (self, FALSE);
      if (!self->shut_wanted)
        return;
      close_output (self);
      tell_output_shut (self);
      return;
    }
}

/* A peer that shares the processor, or that is quick, has answered by the time that the write is
 * over, and then a poll that waits can be saved. Where it has not, this is tried less. The answer
 * is handed over in the next turn of the main loop: a GTask that returns in the turn that it was
 * made in takes a turn and a source more. */
static void
read_ahead (GmcpLineChannel *self)
{
  if (!self->reads_ahead || self->has_lines || self->draining || self->input_ended)
    return;

  if (self->ahead_pause > 0)
    {
      self->ahead_pause--;
      return;
    }

  if (fetch_input (self))
    {
      self->ahead_vain = 0;
      return;
    }

  self->ahead_vain = CLAMP (self->ahead_vain * 2, 1, AHEAD_MAX_PAUSE);
  self->ahead_pause = self->ahead_vain;
}

static void
write_output (GmcpLineChannel *self)
{
  if (self->source == NULL || !output_is_waiting (self))
    return;

  if (self->output_shut)
    tell_output_shut (self);
  else
    handle_output (self);
  if (self->source != NULL)
    read_ahead (self);
}

/* Gives whether the channel was closed meanwhile; it is gone then. */
static gboolean
end_dispatch (GmcpLineChannel *self)
{
  gboolean closed = self->source == NULL;

  if (--self->n_dispatching == 0 && closed)
    channel_free (self);
  return closed;
}

static void
begin_turn (Turn *turn, GSource *source)
{
  turn->context = g_source_get_context (source);
  turn->outer = g_private_get (&current_turn);
  g_private_set (&current_turn, turn);
}

static void
end_turn (Turn *turn)
{
  g_private_set (&current_turn, turn->outer);
  while (turn->waiting != NULL)
    {
      GmcpLineChannel *channel = turn->waiting;
      g_autoptr (GObject) owner G_GNUC_UNUSED = g_object_ref (channel->owner);

      turn->waiting = channel->next_waiting;
      channel->turn = NULL;
      channel->n_dispatching++;
      write_output (channel);
      end_dispatch (channel);
    }
}

static void
wait_in_turn (GmcpLineChannel *self)
{
  Turn *turn
    = self->turn == NULL && self->n_dispatching == 0 ? g_private_get (&current_turn) : NULL;

  if (turn == NULL || turn->context != g_source_get_context (self->source))
    return;

  self->turn = turn;
  self->next_waiting = turn->waiting;
  turn->waiting = self;
}

static void
leave_turn (GmcpLineChannel *self)
{
  GmcpLineChannel **link = &self->turn->waiting;

  while (*link != self)
    link = &(*link)->next_waiting;
  *link = self->next_waiting;
  self->turn = NULL;
}

static gboolean
channel_source_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  GmcpLineChannel *self = ((ChannelSource *) source)->channel;
  g_autoptr (GObject) owner G_GNUC_UNUSED = g_object_ref (self->owner);
  Turn turn = { NULL };

  self->n_dispatching++;
  begin_turn (&turn, source);

  if (!self->has_lines && !self->input_ended
      && (self->draining || g_source_query_unix_fd (source, self->input_tag) != 0))
    fetch_input (self);
  if (self->source != NULL && self->has_lines)
    take_lines (self);

  if (self->source != NULL && self->output_tag != NULL)
    {
      if (g_source_query_unix_fd (source, self->output_tag) != 0)
        handle_output (self);
      else if (is_patience_over (self) && has_read_some (self))
        set_patience (self);
      else if (is_patience_over (self))
        fail_output (self, ETIMEDOUT);
    }

  write_output (self);
  end_turn (&turn);
  return end_dispatch (self) ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static GSourceFuncs channel_source_funcs = {
  .prepare = channel_source_prepare,
  .dispatch = channel_source_dispatch,
};

GmcpLineChannel *
gmcp_line_channel_new (GObject *owner,
                       const GmcpLineChannelFuncs *funcs,
                       gpointer data,
                       GMainContext *context,
                       int input_fd,
                       int output_fd)
{
  GmcpLineChannel *self = g_new0 (GmcpLineChannel, 1);

  self->owner = owner;
  self->funcs = funcs;
  self->data = data;
  self->input_fd = input_fd;
  self->framer = gmcp_line_framer_new (GMCP_LIMIT_MESSAGE_BYTES);
  self->reads_ahead = (fcntl (input_fd, F_GETFL) & O_NONBLOCK) != 0;
  gmcp_output_queue_init (&self->output, output_fd);

  self->source = g_source_new (&channel_source_funcs, sizeof (ChannelSource));
  ((ChannelSource *) self->source)->channel = self;
  g_source_set_static_name (self->source, "[gmcp] line channel");
  self->input_tag = g_source_add_unix_fd (self->source, input_fd, G_IO_IN);
  /* A source that cannot recurse has its descriptors taken out of the context and put back at each
   * dispatch, which costs three system calls. */
  g_source_set_can_recurse (self->source, TRUE);
  g_source_attach (self->source, context);
  return self;
}

void
gmcp_line_channel_close (GmcpLineChannel *self)
{
  GSource *source = g_steal_pointer (&self->source);

  if (self->turn != NULL)
    leave_turn (self);
  g_source_destroy (source);
  g_source_unref (source);

  if (self->output.to.fd == self->input_fd)
    self->output.to.fd = -1;
  gmcp_output_queue_clear (&self->output);
  gmcp_clear_fd (&self->input_fd);

  /* A dispatch under way frees it when it is done. */
  if (self->n_dispatching == 0)
    channel_free (self);
}

void
gmcp_line_channel_set_output_limits (GmcpLineChannel *self, const GmcpOutputLimits *limits)
{
  self->output.limits = *limits;
}

void
gmcp_line_channel_set_input_budget (GmcpLineChannel *self, GmcpByteBudget *budget)
{
  gmcp_line_framer_set_budget (self->framer, budget);
}

void
gmcp_line_channel_set_max_message_bytes (GmcpLineChannel *self, gsize max_message_bytes)
{
  gmcp_line_framer_set_max_message_bytes (self->framer, max_message_bytes);
}

/* What waits for the end of the turn only is no more than the peer reads. */
static gboolean
append_output (GmcpLineChannel *self, const GmcpOutgoing *message, GError **error)
{
  if (self->output_tag == NULL)
    {
      if (gmcp_output_queue_append (&self->output, message, NULL))
        return TRUE;
      gmcp_output_queue_flush (&self->output);
    }
  return gmcp_output_queue_append (&self->output, message, error);
}

gboolean
gmcp_line_channel_send (GmcpLineChannel *self, const GmcpOutgoing *message, GError **error)
{
  if (self->output_shut || self->shut_wanted)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_CLOSED,
                           self->output_errno != 0 ? _ ("The peer no longer reads what it is sent")
                                                   : _ ("The connection is being closed"));
      return FALSE;
    }

  if (!append_output (self, message, error))
    return FALSE;
  wait_in_turn (self);
  return TRUE;
}

const char *
gmcp_line_channel_peek_rest (GmcpLineChannel *self, gsize *length)
{
  return gmcp_line_framer_peek_rest (self->framer, length);
}

void
gmcp_line_channel_shut_output (GmcpLineChannel *self)
{
  self->shut_wanted = TRUE;
}

void
gmcp_line_channel_drain_input (GmcpLineChannel *self)
{
  if (self->draining)
    return;

  self->draining = TRUE;
  /* What a pipe holds at most; someone who goes on writing does not keep this up. */
  self->drain_bytes = 2 * GMCP_LARGE_PIPE_BYTES;
}
