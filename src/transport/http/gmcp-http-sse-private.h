/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-link-private.h"
#include "gmcp-sse-parser-private.h"

G_BEGIN_DECLS

typedef struct _GmcpHttpSse GmcpHttpSse;
typedef struct _GmcpHttpSsePost GmcpHttpSsePost;

/* HTTP+SSE, as in revision 2024-11-05: one stream of events brings all that the server says, first of
 * all the address that each message is posted to. The session is over when the stream is. */
struct _GmcpHttpSse
{
  GmcpHttpVariant parent;

  GmcpHttpRequest *stream; /* NULL once it has ended */
  GmcpSseParser *events;   /* once the stream is one */
  GByteArray *body;        /* of a response that is no stream of events */
  GUri *endpoint;          /* NULL before the server has named it */
  GHashTable *posts;       /* set of GmcpHttpSsePost, which are under way */
  GQueue held; /* of GmcpHttpSsePost: until the address is known, or the barrier was taken in */
  gsize held_bytes;
  GmcpHttpSsePost *barrier; /* the one that none overtakes */
  GSource *clock;
  gint64 clock_us;    /* when it rings; G_MAXINT64 for never */
  gint64 patience_us; /* when waiting for others ends; G_MAXINT64 for no wait */
  GError *end;        /* why there is no stream any more */
  gboolean draining;  /* only what the server has yet to take in goes on */
  gboolean is_free;
};

/* One message on its way. */
struct _GmcpHttpSsePost
{
  GmcpHttpSse *owner;
  gint64 id; /* of a request, else 0 */
  gboolean before_others;
  gint64 started_us;
  GBytes *text;
  GmcpByteBudget *replies; /* the link's */
  gsize reply_bytes;       /* charged there */
  GStrv headers;
  GmcpHttpRequest *request; /* NULL while it is held */
  GByteArray *body;         /* of a failure */
};

GmcpHttpSse *gmcp_http_sse_ref (GmcpHttpSse *self);
void gmcp_http_sse_unref (GmcpHttpSse *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpSse, gmcp_http_sse_unref)

/* Waits as long as somebody has to be waited for. */
void gmcp_http_sse_set_patience (GmcpHttpSse *self);
/* Looks after the posts then, or before. */
void gmcp_http_sse_start_clock (GmcpHttpSse *self, gint64 ring_us);

/* gmcp-http-sse-post.c */
GmcpHttpSsePost *gmcp_http_sse_post_new (GmcpHttpSse *owner, const GmcpOutgoing *message);
void gmcp_http_sse_post_free (GmcpHttpSsePost *post);
/* The address has to be known. */
void gmcp_http_sse_post_start (GmcpHttpSsePost *post);
/* Fails the request of a message that was not taken. */
void gmcp_http_sse_report (GmcpHttpSse *self, gint64 id, const GmcpTransportFailure *failure);
/* Drops posts under way that have nothing left to bring. A server may leave each of them open, and
 * there are only so many connections. */
void gmcp_http_sse_drop_stale_posts (GmcpHttpSse *self);
/* Takes a request back that the server has not begun to get. */
void gmcp_http_sse_take_back (GmcpHttpSse *self, gint64 request_id);
/* Drops all posts but those that want no answer, and that the server has not taken in. */
void gmcp_http_sse_drop_requests (GmcpHttpSse *self);
/* Starts what need not be held any longer. */
void gmcp_http_sse_send_held (GmcpHttpSse *self);

G_END_DECLS
