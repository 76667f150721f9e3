/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-line-channel-private.h"

G_BEGIN_DECLS

/* What GmcpLineChannel is for descriptors, for a stream that is more than one: TLS, a wrapper, a
 * stream of the application's own. It owns the stream, and closes it once what was under way on it
 * has ended. It holds no reference on its owner but while it calls it, and may be closed by any
 * callback. */

typedef struct _GmcpStreamChannel GmcpStreamChannel;

GmcpStreamChannel *gmcp_stream_channel_new (GObject *owner,
                                            const GmcpLineChannelFuncs *funcs,
                                            gpointer data,
                                            GMainContext *context,
                                            GIOStream *stream);
void gmcp_stream_channel_close (GmcpStreamChannel *self);

void gmcp_stream_channel_set_max_queued_bytes (GmcpStreamChannel *self, gsize max_queued_bytes);
void gmcp_stream_channel_set_max_message_bytes (GmcpStreamChannel *self, gsize max_message_bytes);
gboolean
gmcp_stream_channel_send (GmcpStreamChannel *self, const GmcpOutgoing *message, GError **error);

/* Ends the output once what is queued has been written. */
void gmcp_stream_channel_shut_output (GmcpStreamChannel *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpStreamChannel, gmcp_stream_channel_close)

G_END_DECLS
