/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-link-private.h"
#include "gmcp-sse-parser-private.h"

G_BEGIN_DECLS

typedef struct _GmcpHttpExchange GmcpHttpExchange;

/* Streamable HTTP. */
typedef struct
{
  GmcpHttpVariant parent;

  GHashTable *exchanges; /* set of GmcpHttpExchange, all that have begun or wait to */
  GHashTable *by_id;     /* gint64 * in the exchange -> GmcpHttpExchange, of requests */
  GQueue held;           /* of GmcpHttpExchange, until they may be sent */
  gsize held_bytes;
  guint n_started;           /* exchanges that are not held, but for the listener */
  GmcpHttpExchange *barrier; /* until it has been taken in, the others are held */
  GmcpHttpExchange *listener;
  gboolean ending;       /* nothing that is held is started */
  gboolean draining;     /* nor anything else, and the transport waits for the last one's end */
  gboolean listened;     /* a stream of what the server says unasked has stood here */
  gboolean deaf;         /* it does not now, and the taker knows */
  gboolean session_lost; /* and there is no new one */
  guint n_short;         /* streams in a row that were listened to and ended soon */
  char *session_id;      /* a GRefString */
  GStrv session_headers; /* of requests of its own; NULL before the session has begun */
  GSource *clock;
  gint64 clock_us; /* when it rings; G_MAXINT64 for never */
} GmcpHttpStreamable;

typedef enum
{
  GMCP_HTTP_EXCHANGE_HELD,    /* until others have been taken in */
  GMCP_HTTP_EXCHANGE_SENDING, /* until the response's head is there */
  GMCP_HTTP_EXCHANGE_MESSAGE, /* the body is one message */
  GMCP_HTTP_EXCHANGE_EVENTS,  /* the body is a stream of events */
  GMCP_HTTP_EXCHANGE_FAILURE, /* the body says what went wrong */
  GMCP_HTTP_EXCHANGE_NOTHING, /* the body does not matter */
  GMCP_HTTP_EXCHANGE_BETWEEN, /* the stream broke, and will be opened again */
} GmcpHttpExchangeState;

/* One message that was sent, until its answer and what came with it are there; or the stream of what
 * the server says unasked. */
struct _GmcpHttpExchange
{
  grefcount ref_count;
  GmcpHttpStreamable *owner; /* NULL once it has ended */
  GmcpHttpExchangeState state;
  gint64 id; /* of a request, else 0 */
  gboolean begins_session;
  gboolean before_others;
  gboolean listens;
  gboolean reopened;      /* the request is a GET */
  gboolean stood;         /* the server gave the stream to listen to */
  gboolean lacks_session; /* it was sent without the one that is lost */
  gboolean lingers;       /* its stream has nothing left to bring */
  GmcpHttpRequest *request;
  gsize length;            /* of the message */
  GmcpByteBudget *replies; /* the link's */
  gsize reply_bytes;       /* charged there */
  char *session_id;        /* that it was sent with; a GRefString */
  gint64 deadline_us;      /* of the state it is in */

  GByteArray *body;
  GmcpSseParser *events;
  GmcpByteBudget *parts; /* the link's, where what has come is charged; NULL before anything has */
  gsize n_charged;
  char *last_event_id;
  gint64 retry_ms;
  guint n_reopenings; /* since something came */
  gint64 opened_us;
};

/* gmcp-http-exchange.c */
GmcpHttpExchange *gmcp_http_exchange_new (GmcpHttpStreamable *owner, const GmcpOutgoing *message);
GmcpHttpExchange *gmcp_http_exchange_new_listener (GmcpHttpStreamable *owner);
/* What GLib's buffers take for so many bytes. */
gsize gmcp_http_exchange_measure_part (gsize length);
void gmcp_http_exchange_start (GmcpHttpExchange *exchange);
/* Opens the stream of the exchange, again or for the first time. */
void gmcp_http_exchange_reopen (GmcpHttpExchange *exchange);
/* Opens the stream again in a while, where that may be of use; else the exchange fails with the
 * error, or with one for NULL. asked_ms: what the server wants beyond its retry field; -1 for
 * nothing. */
void
gmcp_http_exchange_reopen_later (GmcpHttpExchange *exchange, const GError *error, gint64 asked_ms);
/* Whether the exchange belongs to a session that is over. */
gboolean gmcp_http_exchange_is_of_other_session (GmcpHttpExchange *exchange);
void gmcp_http_exchange_fail_other_session (GmcpHttpExchange *exchange);
/* Sends the request of the exchange, which has to be answered within the limit. */
void gmcp_http_exchange_begin_sending (GmcpHttpExchange *exchange, gint64 limit_ms);
gboolean gmcp_http_exchange_is_waited_for (GmcpHttpExchange *exchange);
void gmcp_http_exchange_clear_stream (GmcpHttpExchange *exchange);
/* The deadline of the exchange has passed. */
void gmcp_http_exchange_expire (GmcpHttpExchange *exchange);
/* Ends an exchange that has not ended, without telling anybody. */
void gmcp_http_exchange_drop (GmcpHttpExchange *exchange);
/* Ends the exchange, and tells the taker. */
void gmcp_http_exchange_fail (GmcpHttpExchange *exchange, const GmcpTransportFailure *failure);
/* Ends the exchange with an error, which is taken over. */
void gmcp_http_exchange_fail_with (GmcpHttpExchange *exchange, GError *error);
GmcpHttpExchange *gmcp_http_exchange_ref (GmcpHttpExchange *exchange);
void gmcp_http_exchange_unref (GmcpHttpExchange *exchange);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpHttpExchange, gmcp_http_exchange_unref)

/* gmcp-http-streamable.c, for the exchanges */
void gmcp_http_streamable_remove (GmcpHttpStreamable *self, GmcpHttpExchange *exchange);
/* G_MAXINT64 for none. */
void gmcp_http_streamable_set_deadline (GmcpHttpStreamable *self,
                                        GmcpHttpExchange *exchange,
                                        gint64 deadline_us);
/* Ends what has been answered, where others wait for its place. */
void gmcp_http_streamable_make_room (GmcpHttpStreamable *self);
/* The head of its response is there, or will not come. */
void gmcp_http_streamable_taken_in (GmcpHttpStreamable *self, GmcpHttpExchange *exchange);
void gmcp_http_streamable_take_session_id (GmcpHttpStreamable *self, const char *session_id);
/* The server does not know this session any more. */
void gmcp_http_streamable_lose_session (GmcpHttpStreamable *self, const char *session_id);
/* What the server says unasked does not come any more; NULL: it comes. */
void gmcp_http_streamable_set_deaf (GmcpHttpStreamable *self, const GError *error);

G_END_DECLS
