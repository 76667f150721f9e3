/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/calls/gmcp-call-options.h>
#include <gmcp/protocol/gmcp-tool-result.h>

#include "gmcp-byte-budget-private.h"
#include "gmcp-session-private.h"

G_BEGIN_DECLS

/* One request and all that answers it: progress, interim results, the final result or error. */

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

/* What others ask of an exchange, and tell it: gmcp-exchange-accessors.c */

GmcpSession *gmcp_exchange_get_session (GmcpExchange *exchange);
/* A static or interned string. */
const char *gmcp_exchange_get_method (const GmcpExchange *exchange);
/* What is called, for error messages; nullable. */
const char *gmcp_exchange_get_subject (const GmcpExchange *exchange);
void gmcp_exchange_set_subject (GmcpExchange *exchange, const char *subject);
gint64 gmcp_exchange_get_id (GmcpExchange *exchange);
/* Whether it waits for its answer. */
gboolean gmcp_exchange_is_pending (GmcpExchange *exchange);
/* By the monotonic clock. */
gint64 gmcp_exchange_get_deadline_us (GmcpExchange *exchange);
/* The deadline that no progress moves; 0 for none. */
gint64 gmcp_exchange_get_cap_us (GmcpExchange *exchange);
/* The deadline if its time began now; G_MAXINT64 for none. */
gint64 gmcp_exchange_make_deadline_us (GmcpExchange *exchange);
/* How long it may go on without progress, from its next deadline on; 0 for as long as it likes. */
void gmcp_exchange_set_timeout_ms (GmcpExchange *exchange, guint timeout_ms);
/* Whose exchange it is; NULL for the client's own, and for a call without a task. */
GTask *gmcp_exchange_get_task (GmcpExchange *exchange);
/* NULL for the defaults. */
GmcpCallOptions *gmcp_exchange_get_options (GmcpExchange *exchange);
/* The owner's data. */
gpointer gmcp_exchange_get_data (GmcpExchange *exchange);
void gmcp_exchange_set_data (GmcpExchange *exchange, gpointer data);
/* Whether that function ends it. */
gboolean gmcp_exchange_ends_by (const GmcpExchange *exchange, GmcpExchangeFunc func);
/* Whether it is a call without a task; its end, which takes whichever of the two there is. */
gboolean gmcp_exchange_is_direct_call (GmcpExchange *exchange);
void gmcp_exchange_end_call (GmcpExchange *exchange, GmcpToolResult *result, GError *error);
/* Members of _meta that came with a caller's own params, as text; nullable. Takes the text. */
const char *gmcp_exchange_get_own_meta (GmcpExchange *exchange);
void gmcp_exchange_take_own_meta (GmcpExchange *exchange, char *own_meta);

/* The peer is not told when this side gives up. */
void gmcp_exchange_set_silent (GmcpExchange *exchange);
/* It tells of changes; what cannot be read was not its answer. */
void gmcp_exchange_set_lasting (GmcpExchange *exchange);
/* The peer itself has to answer, no cache. */
void gmcp_exchange_set_asks_anew (GmcpExchange *exchange);
gboolean gmcp_exchange_asks_anew (GmcpExchange *exchange);
/* The answer came from the cache, and stays fresh for left_ms; 0 where it is from a time before. */
void gmcp_exchange_set_cached (GmcpExchange *exchange, guint left_ms);
gboolean gmcp_exchange_is_cached (GmcpExchange *exchange);
gboolean gmcp_exchange_is_stale (GmcpExchange *exchange);
guint gmcp_exchange_get_cached_left_ms (GmcpExchange *exchange);
/* Of the response that ended it without an answer, else 0. */
guint gmcp_exchange_get_http_status (GmcpExchange *exchange);
void gmcp_exchange_set_http_status (GmcpExchange *exchange, guint http_status);

/* How often the peer has asked for input. */
guint gmcp_exchange_get_n_rounds (GmcpExchange *exchange);
void gmcp_exchange_count_round (GmcpExchange *exchange);
/* Bytes that are kept for its rounds, which are charged to the budget until the exchange ends. */
gsize gmcp_exchange_get_n_kept (GmcpExchange *exchange);
void gmcp_exchange_set_n_kept (GmcpExchange *exchange, GmcpByteBudget *budget, gsize n_kept);

/* Whether its params are kept, so that it can be sent again. */
gboolean gmcp_exchange_can_resend (const GmcpExchange *exchange);
/* What came to its params when it was last sent again; nullable. */
const char *gmcp_exchange_get_more (GmcpExchange *exchange);
/* FALSE where it was sent again for that reason before. */
gboolean gmcp_exchange_note_resent (GmcpExchange *exchange, guint reason);
/* Of the session in which it was sent. */
guint gmcp_exchange_get_session_number (GmcpExchange *exchange);
/* Whether it is held between two requests, and for that. */
gboolean gmcp_exchange_is_held (GmcpExchange *exchange);
gboolean gmcp_exchange_is_held_for (GmcpExchange *exchange, const GmcpExchangeWait *wait);

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
/* The data of that filter; NULL where the exchange has another, or none. */
gpointer gmcp_exchange_get_filter_data (GmcpExchange *exchange, const GmcpExchangeFilter *filter);
/* For a filter: the owner is told of the end. Takes the error. */
void gmcp_exchange_tell_owner (GmcpSession *self,
                               GmcpExchange *exchange,
                               const GmcpRpcMessage *reply,
                               GError *error);

/* The call ends, or is sent once more, without the peer's answer: the peer may still be at it. */
void gmcp_exchange_note_given_up (GmcpExchange *exchange);
/* For a peer that does not say which call its question is of. The options of the only call that it can be at: no other is
 * under way, and none was given up in this connection. NULL where that is not sure, or the call has none. */
GmcpCallOptions *gmcp_session_find_only_options (GmcpSession *self);
/* The origin of all calls that the peer can be at, those included that were given up; 0 where they have several. */
guint64 gmcp_session_find_only_origin (GmcpSession *self);
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
