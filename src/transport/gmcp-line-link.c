/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-line-link-private.h"

#include "gmcp-limits.h"

static void
close_stream (GmcpLineLink *self)
{
  GMainContext *context = gmcp_transport_get_context (self->transport);

  g_main_context_push_thread_default (context);
  g_io_stream_close_async (self->closes, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  g_main_context_pop_thread_default (context);
  g_clear_object (&self->closes);
}

void
gmcp_line_link_clear (GmcpLineLink *self)
{
  g_clear_pointer (&self->channel, gmcp_line_channel_close);
  g_clear_pointer (&self->stream, gmcp_stream_channel_close);
  if (self->closes != NULL)
    close_stream (self);

  if (self->close_timeout != NULL)
    {
      g_source_destroy (self->close_timeout);
      g_clear_pointer (&self->close_timeout, g_source_unref);
    }
}

static void
finish_close (GmcpLineLink *self)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->close_task);

  gmcp_line_link_clear (self);
  g_task_return_boolean (task, TRUE);
}

static void
shut_output (GmcpLineLink *self)
{
  if (self->channel != NULL)
    gmcp_line_channel_shut_output (self->channel);
  else if (self->stream != NULL)
    gmcp_stream_channel_shut_output (self->stream);
}

static void
on_message (gpointer link, const char *text, gsize length, GBytes *bytes)
{
  gmcp_transport_deliver (((GmcpLineLink *) link)->transport, text, length, bytes);
}

static void
on_violation (gpointer link, const GError *error)
{
  gmcp_transport_report_violation (((GmcpLineLink *) link)->transport, error);
}

static void
on_input_ended (gpointer link, const GError *error)
{
  GmcpLineLink *self = link;

  if (self->close_task != NULL)
    return;

  self->input_ended = TRUE;
  if (error != NULL)
    {
      gmcp_line_link_clear (self);
      gmcp_transport_closed (self->transport, error);
      return;
    }

  /* A server may have answers left. */
  if (!gmcp_transport_report_input_ended (self->transport))
    shut_output (self);
}

static void
on_output_shut (gpointer link)
{
  GmcpLineLink *self = link;

  if (self->close_task != NULL)
    finish_close (self);
  else if (self->input_ended)
    {
      gmcp_line_link_clear (self);
      gmcp_transport_closed (self->transport, NULL);
    }
}

static const GmcpLineChannelFuncs channel_funcs = {
  .message = on_message,
  .violation = on_violation,
  .input_ended = on_input_ended,
  .output_shut = on_output_shut,
};

static void
max_message_bytes_changed (GmcpTransport *transport, GParamSpec *pspec, gpointer user_data)
{
  GmcpLineLink *self = user_data;
  gsize max_message_bytes = gmcp_transport_get_max_message_bytes (transport);

  if (self->channel != NULL)
    gmcp_line_channel_set_max_message_bytes (self->channel, max_message_bytes);
  else if (self->stream != NULL)
    gmcp_stream_channel_set_max_message_bytes (self->stream, max_message_bytes);
}

void
gmcp_line_link_init (GmcpLineLink *self, GmcpTransport *transport)
{
  self->transport = transport;
  g_signal_connect (transport, "notify::max-message-bytes", G_CALLBACK (max_message_bytes_changed),
                    self);
}

void
gmcp_line_link_open_fds (GmcpLineLink *self, int input_fd, int output_fd, GIOStream *closes)
{
  self->input_ended = FALSE;
  self->closes = closes != NULL ? g_object_ref (closes) : NULL;
  self->channel
    = gmcp_line_channel_new (G_OBJECT (self->transport), &channel_funcs, self,
                             gmcp_transport_get_context (self->transport), input_fd, output_fd);
  gmcp_line_channel_set_output_limits (self->channel, &self->output);
  gmcp_line_channel_set_input_budget (self->channel, self->unfinished);
  max_message_bytes_changed (self->transport, NULL, self);
}

void
gmcp_line_link_open_stream (GmcpLineLink *self, GIOStream *stream)
{
  self->input_ended = FALSE;
  self->stream = gmcp_stream_channel_new (G_OBJECT (self->transport), &channel_funcs, self,
                                          gmcp_transport_get_context (self->transport), stream);
  gmcp_stream_channel_set_max_queued_bytes (self->stream, self->output.max_bytes);
  max_message_bytes_changed (self->transport, NULL, self);
}

gboolean
gmcp_line_link_send (GmcpLineLink *self, const GmcpOutgoing *message, GError **error)
{
  if (self->channel != NULL)
    return gmcp_line_channel_send (self->channel, message, error);

  return gmcp_stream_channel_send (self->stream, message, error);
}

static gboolean
close_timeout_cb (gpointer user_data)
{
  finish_close (user_data);
  return G_SOURCE_REMOVE;
}

void
gmcp_line_link_close (GmcpLineLink *self, GTask *task)
{
  self->close_task = g_object_ref (task);
  if (self->channel == NULL && self->stream == NULL)
    {
      finish_close (self);
      return;
    }

  shut_output (self);

  /* For a peer that no longer reads. */
  self->close_timeout = g_timeout_source_new (GMCP_DEFAULT_STOP_STDIN_MS);
  g_source_set_static_name (self->close_timeout, "[gmcp] close of a connection");
  g_source_set_callback (self->close_timeout, close_timeout_cb, self, NULL);
  g_source_attach (self->close_timeout, gmcp_transport_get_context (self->transport));
}
