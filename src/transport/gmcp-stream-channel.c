/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-stream-channel-private.h"

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-line-batch-private.h"
#include "gmcp-output-queue-private.h"

struct _GmcpStreamChannel
{
  guint ref_count; /* the owner's, and one for each operation under way on the stream */
  GObject *owner;  /* not owned */
  const GmcpLineChannelFuncs *funcs;
  gpointer data;
  GMainContext *context;
  GIOStream *stream;
  GCancellable *cancellable;
  GSource *source; /* NULL once closed */
  GmcpLineFramer *framer;
  GmcpOutputQueue output;
  GBytes *writing; /* taken out of the queue while it is being written */
  guint has_lines : 1;
  guint is_reading : 1;
  guint is_closing_output : 1;
  guint at_eof : 1;
  guint input_ended : 1;
  guint shut_wanted : 1;
  guint output_shut : 1;
};

typedef struct
{
  GSource parent;
  GmcpStreamChannel *channel;
} ChannelSource;

static GmcpStreamChannel *
channel_ref (GmcpStreamChannel *self)
{
  self->ref_count++;
  return self;
}

static void
channel_unref (GmcpStreamChannel *self)
{
  if (--self->ref_count > 0)
    return;

  /* Not before: a stream with an operation under way cannot be closed. */
  g_main_context_push_thread_default (self->context);
  g_io_stream_close_async (self->stream, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  g_main_context_pop_thread_default (self->context);

  g_object_unref (self->stream);
  g_object_unref (self->cancellable);
  gmcp_line_framer_free (self->framer);
  gmcp_output_queue_clear (&self->output);
  g_main_context_unref (self->context);
  g_free (self);
}

static void
end_input (GmcpStreamChannel *self, const GError *error)
{
  if (self->input_ended)
    return;

  self->input_ended = TRUE;
  self->funcs->input_ended (self->data, error);
}

static void
take_lines (GmcpStreamChannel *self)
{
  GmcpLineBatch batch;

  self->has_lines = TRUE;
  /* A callback that runs the main loop gets the rest there. */
  g_source_set_ready_time (self->source, 0);
  batch = gmcp_line_batch_take (self->framer, self->funcs, self->data, &self->source);
  if (batch == GMCP_LINE_BATCH_CLOSED)
    return;

  self->has_lines = batch == GMCP_LINE_BATCH_YIELD;
  if (self->at_eof && !self->has_lines)
    end_input (self, NULL);
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GmcpStreamChannel *self = user_data;
  g_autoptr (GError) error = NULL;
  gssize n = g_input_stream_read_finish (G_INPUT_STREAM (object), result, &error);

  self->is_reading = FALSE;
  if (self->source != NULL)
    {
      g_autoptr (GObject) owner G_GNUC_UNUSED = g_object_ref (self->owner);

      if (n < 0)
        {
          g_prefix_error (&error, "%s: ", _ ("Reading failed"));
          end_input (self, error);
        }
      else
        {
          gmcp_line_framer_commit (self->framer, n);
          if (n == 0)
            {
              gmcp_line_framer_commit_eof (self->framer);
              self->at_eof = TRUE;
            }
          take_lines (self);
        }

      if (self->source != NULL)
        g_source_set_ready_time (self->source, 0);
    }

  channel_unref (self);
}

static void
start_reading (GmcpStreamChannel *self)
{
  gsize room = 0;
  char *to = gmcp_line_framer_reserve (self->framer, &room);

  self->is_reading = TRUE;
  g_input_stream_read_async (g_io_stream_get_input_stream (self->stream), to, room,
                             G_PRIORITY_DEFAULT, self->cancellable, on_read, channel_ref (self));
}

static void
end_output (GmcpStreamChannel *self, const GError *error)
{
  gmcp_output_queue_discard (&self->output);
  self->output_shut = TRUE;

  if (self->shut_wanted)
    self->funcs->output_shut (self->data);
  else
    end_input (self, error);
}

static void
on_written (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GmcpStreamChannel *self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean written
    = g_output_stream_write_all_finish (G_OUTPUT_STREAM (object), result, NULL, &error);

  g_clear_pointer (&self->writing, g_bytes_unref);
  if (self->source != NULL)
    {
      g_autoptr (GObject) owner G_GNUC_UNUSED = g_object_ref (self->owner);

      g_source_set_ready_time (self->source, 0);
      if (!written)
        {
          g_prefix_error (&error, "%s: ", _ ("Writing failed"));
          end_output (self, error);
        }
    }

  channel_unref (self);
}

static void
on_output_closed (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GmcpStreamChannel *self = user_data;
  g_autoptr (GError) error = NULL;

  self->is_closing_output = FALSE;
  if (!g_output_stream_close_finish (G_OUTPUT_STREAM (object), result, &error))
    g_debug ("Closing a stream's output: %s", error->message);

  if (self->source != NULL)
    {
      g_autoptr (GObject) owner G_GNUC_UNUSED = g_object_ref (self->owner);

      end_output (self, NULL);
    }

  channel_unref (self);
}

static void
continue_output (GmcpStreamChannel *self)
{
  GOutputStream *to = g_io_stream_get_output_stream (self->stream);

  if (self->output_shut || self->writing != NULL || self->is_closing_output)
    return;

  if (!gmcp_output_queue_is_empty (&self->output))
    {
      self->writing = gmcp_output_queue_steal (&self->output);
      g_output_stream_write_all_async (to, g_bytes_get_data (self->writing, NULL),
                                       g_bytes_get_size (self->writing), G_PRIORITY_DEFAULT,
                                       self->cancellable, on_written, channel_ref (self));
    }
  else if (self->shut_wanted)
    {
      self->is_closing_output = TRUE;
      g_output_stream_close_async (to, G_PRIORITY_DEFAULT, self->cancellable, on_output_closed,
                                   channel_ref (self));
    }
}

static gboolean
channel_source_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  GmcpStreamChannel *self = channel_ref (((ChannelSource *) source)->channel);
  g_autoptr (GObject) owner G_GNUC_UNUSED = g_object_ref (self->owner);

  g_source_set_ready_time (source, -1);
  if (self->has_lines)
    take_lines (self);

  if (self->source != NULL)
    {
      g_main_context_push_thread_default (self->context);
      if (!self->has_lines && !self->is_reading && !self->at_eof && !self->input_ended)
        start_reading (self);
      continue_output (self);
      g_main_context_pop_thread_default (self->context);
      if (self->has_lines)
        g_source_set_ready_time (source, 0);
    }

  channel_unref (self);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs channel_source_funcs = {
  .dispatch = channel_source_dispatch,
};

GmcpStreamChannel *
gmcp_stream_channel_new (GObject *owner,
                         const GmcpLineChannelFuncs *funcs,
                         gpointer data,
                         GMainContext *context,
                         GIOStream *stream)
{
  GmcpStreamChannel *self = g_new0 (GmcpStreamChannel, 1);

  self->ref_count = 1;
  self->owner = owner;
  self->funcs = funcs;
  self->data = data;
  self->context = g_main_context_ref (context);
  self->stream = g_object_ref (stream);
  self->cancellable = g_cancellable_new ();
  self->framer = gmcp_line_framer_new (GMCP_LIMIT_MESSAGE_BYTES);
  /* The queue only; the stream does the writing. */
  gmcp_output_queue_init (&self->output, -1);

  self->source = g_source_new (&channel_source_funcs, sizeof (ChannelSource));
  ((ChannelSource *) self->source)->channel = self;
  g_source_set_static_name (self->source, "[gmcp] stream channel");
  /* A taker may run the main loop until another message comes. */
  g_source_set_can_recurse (self->source, TRUE);
  g_source_set_ready_time (self->source, 0);
  g_source_attach (self->source, context);
  return self;
}

void
gmcp_stream_channel_close (GmcpStreamChannel *self)
{
  GSource *source = g_steal_pointer (&self->source);

  g_source_destroy (source);
  g_source_unref (source);
  g_cancellable_cancel (self->cancellable);
  channel_unref (self);
}

void
gmcp_stream_channel_set_max_queued_bytes (GmcpStreamChannel *self, gsize max_queued_bytes)
{
  self->output.limits.max_bytes = max_queued_bytes;
}

void
gmcp_stream_channel_set_max_message_bytes (GmcpStreamChannel *self, gsize max_message_bytes)
{
  gmcp_line_framer_set_max_message_bytes (self->framer, max_message_bytes);
}

gboolean
gmcp_stream_channel_send (GmcpStreamChannel *self, const GmcpOutgoing *message, GError **error)
{
  if (self->output_shut || self->shut_wanted)
    {
      g_set_error_literal (error, GMCP_ERROR, GMCP_ERROR_CLOSED,
                           self->shut_wanted ? _ ("The connection is being closed")
                                             : _ ("The peer no longer reads what it is sent"));
      return FALSE;
    }

  g_source_set_ready_time (self->source, 0);
  return gmcp_output_queue_append (&self->output, message, error);
}

void
gmcp_stream_channel_shut_output (GmcpStreamChannel *self)
{
  self->shut_wanted = TRUE;
  g_source_set_ready_time (self->source, 0);
}
