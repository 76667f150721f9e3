/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-output-queue-private.h"

G_BEGIN_DECLS

/* Messages, one a line, over two descriptors that it owns. One source serves a connection: it reads
 * once a dispatch, hands over the whole messages that came, and writes what was queued meanwhile in
 * one go. It holds no reference on its owner but while it calls it, and may be closed by any
 * callback. */

typedef struct _GmcpLineChannel GmcpLineChannel;

typedef struct
{
  void (*message) (gpointer data, const char *text, gsize length, GBytes *bytes);
  void (*violation) (gpointer data, const GError *error);
  /* Once: nothing more comes in. An error where it broke; none at the end of the stream. */
  void (*input_ended) (gpointer data, const GError *error);
  /* Once, after gmcp_line_channel_shut_output(), unless the channel is closed first. */
  void (*output_shut) (gpointer data);
} GmcpLineChannelFuncs;

GmcpLineChannel *gmcp_line_channel_new (GObject *owner,
                                        const GmcpLineChannelFuncs *funcs,
                                        gpointer data,
                                        GMainContext *context,
                                        int input_fd,
                                        int output_fd);
/* Closes the descriptors and frees it. */
void gmcp_line_channel_close (GmcpLineChannel *self);

/* Before anything is sent. The budget is kept by the owner as long as the channel is open. */
void gmcp_line_channel_set_output_limits (GmcpLineChannel *self, const GmcpOutputLimits *limits);
/* For what has come of messages that are not complete; nullable. */
void gmcp_line_channel_set_input_budget (GmcpLineChannel *self, GmcpByteBudget *budget);
void gmcp_line_channel_set_max_message_bytes (GmcpLineChannel *self, gsize max_message_bytes);
gboolean
gmcp_line_channel_send (GmcpLineChannel *self, const GmcpOutgoing *message, GError **error);

/* What came of a line that has no end yet; NULL for nothing. */
const char *gmcp_line_channel_peek_rest (GmcpLineChannel *self, gsize *length);

/* Ends the output once what is queued has been written. */
void gmcp_line_channel_shut_output (GmcpLineChannel *self);
/* Ends the input once what is there now has been read. */
void gmcp_line_channel_drain_input (GmcpLineChannel *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpLineChannel, gmcp_line_channel_close)

G_END_DECLS
