/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-exchange-private.h"

G_BEGIN_DECLS

typedef struct _GmcpProgressGate GmcpProgressGate;

/* Seen by gmcp-exchange.c and the files beside it that send an exchange again and count its progress;
 * gmcp-exchange-accessors.c tells others what they may know. */
struct _GmcpExchange
{
  GmcpPendingCall pending;
  GmcpExchangeFunc done;
  GmcpSession *session;
  const char *method;
  GTask *task;                  /* whose call this is; NULL for the client's own */
  GmcpClientCallFunc call_done; /* whose call this is, in place of a task */
  gpointer call_data;
  GSource *cancel_source;
  GmcpCallOptions *options;
  char *subject;    /* what is called, for error messages */
  guint timeout_ms; /* 0 for none */
  guint max_timeout_ms;
  gint64 cap_us;    /* the deadline that no progress moves */
  gboolean silent;  /* the peer is not told when this side gives up */
  gboolean lasting; /* it tells of changes; what cannot be read was not its answer */

  gsize params_at;   /* where they begin in the message being written */
  char *params;      /* the members of params but _meta, kept where it may be sent again */
  char *more;        /* what was added to them when it was last sent again */
  char *own_meta;    /* members of _meta that came with a caller's own params */
  guint resent;      /* why it was sent again: GmcpResent */
  guint http_status; /* of the response that ended it without an answer, else 0 */
  const GmcpExchangeFilter *filter; /* NULL for none */
  gpointer filter_data;
  gboolean cached;              /* the answer came from the cache */
  guint cached_left_ms;         /* 0: from a time before; the peer has failed */
  gboolean asks_anew;           /* the peer itself has to answer */
  GmcpProgressGate *progress;   /* NULL until the peer reports any */
  guint n_rounds;               /* how often the peer asked for input */
  GmcpByteBudget *budget;       /* where what is kept of its rounds is charged; NULL for nothing */
  gsize n_kept;                 /* bytes of that */
  gint64 left_us;               /* of its time, while that stands still; else 0 */
  gint64 stopped_us;            /* since when it does */
  guint session_number;         /* of the session in which it was sent */
  const GmcpExchangeWait *wait; /* while it is held between two requests */
  gpointer wait_data;
  gint64 wait_since_us;

  /* Short texts are kept here, which saves a call most of its allocations. */
  guint room_used;
  char room[];
};

/* The bytes that are kept behind an exchange. */
#define GMCP_EXCHANGE_ROOM 256u

/* Keeps a text of that length, and a NUL, until it is dropped or the exchange is freed. */
char *gmcp_exchange_keep_text (GmcpExchange *exchange, const char *text, gsize length);
/* NULL for none. */
void gmcp_exchange_drop_text (GmcpExchange *exchange, char *text);

/* The exchange is not held any more: gmcp-exchange-resend.c */
void gmcp_exchange_end_wait (GmcpSession *self, GmcpExchange *exchange);

/* The exchange ends well, and is out of the table: what was held back is told before.
 * gmcp-exchange-progress.c */
void gmcp_exchange_flush_progress (GmcpExchange *exchange);
void gmcp_progress_gate_free (GmcpProgressGate *gate);

G_END_DECLS
