/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/features/gmcp-subscription-enums.h>

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

/* What there is to be told of. */
typedef struct
{
  GmcpSubscriptionFlags lists;
  GStrv resource_uris; /* never NULL */
  GStrv task_ids;      /* never NULL */
} GmcpChangeFilter;

void gmcp_change_filter_init (GmcpChangeFilter *filter,
                              GmcpSubscriptionFlags lists,
                              const char *const *resource_uris,
                              const char *const *task_ids);
void gmcp_change_filter_clear (GmcpChangeFilter *filter);
gboolean gmcp_change_filter_is_empty (const GmcpChangeFilter *filter);

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

/* The session must outlive it. Closed at first. */
GmcpChangeStream *gmcp_change_stream_new (GmcpSession *session,
                                          GmcpSubscriptionFlags lists,
                                          const char *const *resource_uris,
                                          const char *const *task_ids,
                                          const GmcpChangeStreamFuncs *funcs,
                                          gpointer data);
void gmcp_change_stream_free (GmcpChangeStream *stream);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpChangeStream, gmcp_change_stream_free)

/* The session has to be open. A callback may come before this returns. */
void gmcp_change_stream_open (GmcpChangeStream *stream);
/* Tells the server, and calls nothing back. */
void gmcp_change_stream_close (GmcpChangeStream *stream);

/* From the era. acknowledged is taken over, and cut to what is wanted. */
void gmcp_change_stream_acknowledge (GmcpChangeStream *stream, GmcpChangeFilter *acknowledged);
/* error is taken over; NULL where the server ended it in order. */
void gmcp_change_stream_end (GmcpChangeStream *stream, GError *error);

/* From the session: all streams at once. What is lost comes in two steps, so that all is in order
 * when the first callback runs. */
GPtrArray *gmcp_change_streams_lose (GmcpSession *session);
void gmcp_change_streams_report_loss (GPtrArray *lost, const GError *error);
void gmcp_change_streams_resume (GmcpSession *session);
/* The peer has forgotten all of them, while the connection goes on. */
void gmcp_change_streams_renew (GmcpSession *session);

/* What the peer says unasked does not come any more, for streams that need that; it comes again. */
void gmcp_change_streams_deafen (GmcpSession *session, const GError *error);
void gmcp_change_streams_hear (GmcpSession *session);

/* What is called where anything may have changed unseen. */
GmcpChangeStreams *
gmcp_change_streams_new (void (*announce_lists) (GmcpSession *session, GmcpSubscriptionFlags lists),
                         void (*announce_resource) (GmcpSession *session, const char *uri));
void gmcp_change_streams_free (GmcpChangeStreams *streams);
/* The streams there are, borrowed. */
GPtrArray *gmcp_change_streams_get_all (GmcpSession *session);

/* Calls a function for each stream, whatever the function does to them. */
void gmcp_change_streams_foreach (GmcpSession *session, GFunc func, gpointer data);

G_END_DECLS
