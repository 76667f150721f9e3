/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-line-channel-private.h"
#include "gmcp-stream-channel-private.h"
#include "gmcp-transport-private.h"

G_BEGIN_DECLS

/* What the transports share that carry messages, one a line, over something that is open already:
 * a channel, and how it ends. Part of its transport, which it holds no reference on. */
typedef struct
{
  GmcpTransport *transport;
  GmcpLineChannel *channel;  /* over descriptors */
  GmcpStreamChannel *stream; /* or over a stream */
  GIOStream *closes;         /* nullable: is closed with the descriptors */
  GTask *close_task;
  GSource *close_timeout;
  GmcpOutputLimits
    output; /* from the next opening on; for a stream, which is none of descriptors, the bytes alone */
  GmcpByteBudget *unfinished; /* nullable, the transport's: for messages that are not complete */
  gboolean input_ended;
} GmcpLineLink;

void gmcp_line_link_init (GmcpLineLink *self, GmcpTransport *transport);
/* Closes at once what is open. */
void gmcp_line_link_clear (GmcpLineLink *self);

/* Takes the descriptors; holds closes, which they may be of, and closes it with them. */
void gmcp_line_link_open_fds (GmcpLineLink *self, int input_fd, int output_fd, GIOStream *closes);
void gmcp_line_link_open_stream (GmcpLineLink *self, GIOStream *stream);

gboolean gmcp_line_link_send (GmcpLineLink *self, const GmcpOutgoing *message, GError **error);
/* Returns TRUE from the task once what is queued has been written, or the peer had its time. */
void gmcp_line_link_close (GmcpLineLink *self, GTask *task);

G_END_DECLS
