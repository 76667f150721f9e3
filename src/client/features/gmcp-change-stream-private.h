/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-change-filter-private.h"
#include "gmcp-rpc-message-private.h"
#include "gmcp-features-private.h"
#include "gmcp-session-private.h"

G_BEGIN_DECLS

/* A wish to be told of changes, for as long as it is open: asked of the server in the way of its era,
 * and asked again when it ends. */

typedef struct _GmcpChangeStream GmcpChangeStream;

/* Each may be NULL, and may close or free the stream. */
typedef struct
{
  /* The server said what it will tell of. */
  void (*acknowledged) (GmcpChangeStream *stream, gpointer data);
  void (*lists_changed) (GmcpChangeStream *stream, GmcpSubscriptionFlags lists, gpointer data);
  void (*resource_updated) (GmcpChangeStream *stream, const char *uri, gpointer data);
  /* Anything else that came with it. */
  void (*notified) (GmcpChangeStream *stream, const GmcpRpcMessage *notification, gpointer data);
  /* Over for now, and asked for again later; error is NULL where the server ended it in order. */
  void (*interrupted) (GmcpChangeStream *stream, const GError *error, gpointer data);
  /* Over for good. */
  void (*ended) (GmcpChangeStream *stream, const GError *error, gpointer data);
} GmcpChangeStreamFuncs;

/* The session must outlive it. Closed at first. */
GmcpChangeStream *gmcp_change_stream_new (GmcpSession *session,
                                          GmcpSubscriptionFlags lists,
                                          const char *const *resource_uris,
                                          const char *const *task_ids,
                                          const GmcpChangeStreamFuncs *funcs,
                                          gpointer data);
void gmcp_change_stream_free (GmcpChangeStream *stream);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpChangeStream, gmcp_change_stream_free)

/* Is asked for again also when it was never acknowledged, and waits so long for that. Before it is opened. */
void gmcp_change_stream_insist (GmcpChangeStream *stream, guint ack_timeout_ms);
/* FALSE once it is freed, while a callback runs. */
gboolean gmcp_change_stream_is_alive (const GmcpChangeStream *stream);
GmcpSubscriptionState gmcp_change_stream_get_state (const GmcpChangeStream *stream);
const GmcpChangeFilter *gmcp_change_stream_get_wanted (const GmcpChangeStream *stream);
const GmcpChangeFilter *gmcp_change_stream_get_acknowledged (const GmcpChangeStream *stream);
/* How often it was asked for since it was opened. */
guint gmcp_change_stream_get_n_asked (const GmcpChangeStream *stream);

/* The session has to be open. A callback may come before this returns. */
void gmcp_change_stream_open (GmcpChangeStream *stream);
/* Tells the server, and calls nothing back. */
void gmcp_change_stream_close (GmcpChangeStream *stream);

/* What came for it, for its callbacks. */
void gmcp_change_stream_tell_lists (GmcpChangeStream *stream, GmcpSubscriptionFlags lists);
void gmcp_change_stream_tell_resource (GmcpChangeStream *stream, const char *uri);
/* Returns whether anybody takes such. */
gboolean
gmcp_change_stream_tell_notification (GmcpChangeStream *stream, const GmcpRpcMessage *notification);

/* For an era in which a stream is one request: that request, borrowed; NULL for none. */
void gmcp_change_stream_set_exchange (GmcpChangeStream *stream, GmcpExchange *exchange);
GmcpExchange *gmcp_change_stream_get_exchange (const GmcpChangeStream *stream);
guint gmcp_change_stream_get_ack_timeout_ms (const GmcpChangeStream *stream);

/* For an era in which a stream is several requests: how many answers are awaited, and the first refusal. */
void gmcp_change_stream_begin_awaiting (GmcpChangeStream *stream);
void gmcp_change_stream_end_awaiting (GmcpChangeStream *stream);
gboolean gmcp_change_stream_is_awaiting (const GmcpChangeStream *stream);
gboolean gmcp_change_stream_is_refused (const GmcpChangeStream *stream);
/* error is taken over. */
void gmcp_change_stream_refuse (GmcpChangeStream *stream, GError *error);
GError *gmcp_change_stream_steal_refusal (GmcpChangeStream *stream);

/* From the era. acknowledged is taken over, and cut to what is wanted. */
void gmcp_change_stream_acknowledge (GmcpChangeStream *stream, GmcpChangeFilter *acknowledged);
/* error is taken over; NULL where the server ended it in order. */
void gmcp_change_stream_end (GmcpChangeStream *stream, GError *error);

G_END_DECLS
