/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-change-stream-private.h"

G_BEGIN_DECLS

struct _GmcpChangeStream
{
  GmcpSession *session; /* borrowed; NULL once the stream is freed, while a callback runs */
  const GmcpChangeStreamFuncs *funcs;
  gpointer data;
  GmcpChangeFilter wanted;
  GmcpChangeFilter acknowledged;
  GmcpSubscriptionState state;
  guint ack_timeout_ms;
  gboolean stubborn; /* asked for again also when it was never acknowledged */

  guint n_asked;
  guint failures;
  gint64 since_us; /* when it was acknowledged; 0 until then */
  GSource *retry;
  gboolean lost; /* with the connection, and nobody has been told yet */
  gboolean deaf; /* the server goes on telling, but nothing arrives */

  /* The era's: the request that the stream is, or how many answers are awaited and the first bad. */
  GmcpExchange *exchange;
  guint n_awaited;
  GError *refusal;
};

typedef GmcpChangeStream GmcpHeldChangeStream;

/* Of a reference, which keeps the memory; the stream may be freed meanwhile. */
void gmcp_change_stream_release (gpointer stream);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHeldChangeStream, gmcp_change_stream_release)

/* Asks the server, at once. */
void gmcp_change_stream_request (GmcpChangeStream *stream);
void gmcp_change_stream_clear_retry (GmcpChangeStream *stream);
gboolean gmcp_change_stream_was_acknowledged (GmcpChangeStream *stream);
gboolean gmcp_change_stream_is_open (GmcpChangeStream *stream);
/* What changed while the stream was not open was not told; what is not acknowledged this time may have
 * been before. */
void gmcp_change_stream_count_all_as_changed (GmcpChangeStream *stream);

G_END_DECLS
