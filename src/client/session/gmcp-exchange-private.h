/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/calls/gmcp-call-options.h>
#include <gmcp/protocol/gmcp-tool-result.h>

#include "gmcp-byte-budget-private.h"
#include "gmcp-session-private.h"

G_BEGIN_DECLS

/* One request and all that answers it: progress, interim results, the final result or error. */

typedef struct _GmcpProgressGate GmcpProgressGate;

/* Ends an exchange: with the reply, or with an error, which is the callee's to keep. */
typedef void (*GmcpExchangeFunc) (GmcpSession *self,
                                  GmcpExchange *exchange,
                                  const GmcpRpcMessage *reply,
                                  GError *error);

/* The end of a tool's call. Takes whichever of the two there is. */
typedef void (*GmcpClientCallFunc) (GmcpToolResult *result, GError *error, gpointer data);

/* What an exchange waits for between two of its requests. */
typedef struct
{
  /* The exchange waits no more: it is sent again, or has ended. */
  void (*end) (GmcpSession *self, gpointer data);
  /* The error of an exchange that took too long; NULL where the time is the call's own. */
  GError *(*timed_out) (GmcpSession *self, GmcpExchange *exchange, gpointer data);
  gboolean stops_clock; /* the time is not the call's */
} GmcpExchangeWait;

/* What sees the end of an exchange before its owner, whose done() it calls. */
typedef struct
{
  GmcpExchangeFunc finish;
  GDestroyNotify free;
} GmcpExchangeFilter;

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
  gboolean stale;               /* and from a time before; the peer has failed */
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
};

/* method is a static or interned string. */
GmcpExchange *gmcp_session_begin_request (GmcpSession *self,
                                          const char *method,
                                          GmcpExchangeFunc done,
                                          guint timeout_ms,
                                          GmcpJsonWriter *params);
/* Task and options are optional; with a task its cancellable is watched. */
void gmcp_exchange_bind (GmcpExchange *exchange,
                         GTask *task,
                         GmcpCallOptions *options,
                         const char *subject);
/* Binds a call without a task. */
void gmcp_exchange_bind_direct (GmcpExchange *exchange,
                                GmcpClientCallFunc func,
                                gpointer data,
                                GCancellable *cancellable,
                                GmcpCallOptions *options,
                                const char *subject);
void gmcp_session_end_request (GmcpSession *self, GmcpExchange *exchange, GmcpJsonWriter *params);
/* The members of params that are written so far, while the request is being written. */
const char *gmcp_exchange_peek_params (GmcpExchange *exchange);
/* Ends the exchange without telling anybody; one that is taken already is left alone. */
void gmcp_session_drop_exchange (GmcpSession *self, GmcpExchange *exchange);
/* Ends an exchange that was taken out of the table. Takes the error. */
void gmcp_session_finish_exchange (GmcpSession *self,
                                   GmcpExchange *exchange,
                                   const GmcpRpcMessage *reply,
                                   GError *error);
/* NULL where no such request is under way. */
GmcpExchange *gmcp_session_find_exchange (GmcpSession *self, gint64 id);
/* Takes the exchange out of the table, so that nothing else ends or finds it; FALSE where it was
 * taken. */
gboolean gmcp_exchange_take (GmcpExchange *exchange);
void gmcp_exchange_set_deadline (GmcpExchange *exchange, gint64 deadline_us);
/* Takes the data. NULL for none. */
void
gmcp_exchange_set_filter (GmcpExchange *exchange, const GmcpExchangeFilter *filter, gpointer data);

/* The time of all calls stands still, also of those to come, until it runs again. */
void gmcp_session_stop_clocks (GmcpSession *self);
void gmcp_session_start_clocks (GmcpSession *self);
gboolean gmcp_session_clocks_stand_still (GmcpSession *self);

/* More than one request: gmcp-exchange-resend.c. For an era's check_result and check_error, which get
 * the exchange out of the table; where it can be sent again, its params are not NULL. */

/* Holds it, in the table, where its caller's cancelling, the deadline and the end of the connection
 * find it. The peer knows nothing of it meanwhile. */
void gmcp_exchange_hold (GmcpSession *self,
                         GmcpExchange *exchange,
                         const GmcpExchangeWait *wait,
                         gpointer data,
                         gint64 deadline_us);
/* Sends the exchange again, under a new id and progress token, also one that is held or out of the
 * table. more is the text of members that come to its params this time, or NULL. An exchange that
 * cannot be sent has ended when this returns. One that was taken while it was held, with all
 * others, is about to end and left alone. */
void gmcp_exchange_resend (GmcpSession *self, GmcpExchange *exchange, const char *more);
/* Sends the exchange again after a delay, which counts against the call's time. */
void gmcp_exchange_resend_after (GmcpSession *self,
                                 GmcpExchange *exchange,
                                 const char *more,
                                 guint delay_ms);
/* Ends an exchange that is held, unless it was taken meanwhile. Takes the error. */
void gmcp_exchange_fail (GmcpSession *self, GmcpExchange *exchange, GError *error);

/* What is sent again when a request fails by itself, and what never: gmcp-session-retry.c. Each
 * reason counts once for a call. */
typedef enum
{
  GMCP_RESENT_UNWRITTEN = 1 << 0, /* the peer got nothing of it */
  GMCP_RESENT_BUSY = 1 << 1,      /* the peer asked to come back later */
  GMCP_RESENT_LOST = 1 << 2,      /* the answer was lost, and asking twice does no harm */
  GMCP_RESENT_SESSION = 1 << 3,   /* in a new session */
  GMCP_RESENT_HEADERS = 1 << 4,   /* with headers after the tool's new definition */
  GMCP_RESENT_VERSION = 1 << 5,   /* in a revision that the peer named */
} GmcpResent;

/* Whether the exchange may be sent again for that reason, which is then noted. */
gboolean gmcp_session_may_resend (GmcpSession *self, GmcpExchange *exchange, GmcpResent reason);

/* What requests with an answer of their own have in common. Ends the exchange's task with the
 * result, or where that is NULL with the error, which says which server it comes from. */
void gmcp_exchange_return_result (GmcpExchange *exchange,
                                  gpointer result,
                                  GDestroyNotify free_result,
                                  const char *capability,
                                  GError *error);

/* A table of strings by strings as an object, in the order of the keys: the same table gives the
 * same text. */
void gmcp_exchange_write_strings (GmcpJsonWriter *writer, GHashTable *strings);

G_END_DECLS
