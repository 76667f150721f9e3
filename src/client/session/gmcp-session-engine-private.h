/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-era-private.h"
#include "gmcp-exchange-private.h"
#include "gmcp-given-up-calls-private.h"
#include "gmcp-session-private.h"

G_BEGIN_DECLS

/* Between the files of the engine. Each part of a session is known to its own file only. */

typedef struct _GmcpSessionOpening GmcpSessionOpening;
typedef struct _GmcpSessionOutbox GmcpSessionOutbox;
typedef struct _GmcpSessionPeer GmcpSessionPeer;
typedef struct _GmcpSessionRenewal GmcpSessionRenewal;
typedef struct _GmcpSessionTextFilter GmcpSessionTextFilter;

const GmcpSessionHooks *gmcp_session_get_hooks (GmcpSession *self);
const GmcpSessionEvents *gmcp_session_get_events (GmcpSession *self);

/* gmcp-session.c */
const GmcpEraFuncs *gmcp_session_get_modern_era (GmcpSession *self);
const GmcpEraFuncs *gmcp_session_get_legacy_era (GmcpSession *self);
/* Begins an opening; gives its serial. */
guint gmcp_session_begin_opening (GmcpSession *self);
/* The opening has come so far. */
void gmcp_session_note_talk (GmcpSession *self);
void gmcp_session_note_initialize (GmcpSession *self);
void gmcp_session_note_restart (GmcpSession *self);
void gmcp_session_note_open (GmcpSession *self);
void gmcp_session_set_state (GmcpSession *self, GmcpSessionState state);
/* Messages of the transport go to the session, or to nobody. */
void gmcp_session_listen (GmcpSession *self);
void gmcp_session_hang_up (GmcpSession *self);
/* What the peer last did wrong, for the error of a call that waits; NULL for nothing. */
const char *gmcp_session_get_last_problem (GmcpSession *self);
void gmcp_session_set_last_problem (GmcpSession *self, const char *problem);
void gmcp_session_count_heard (GmcpSession *self);
/* Requests may have to be sent again. */
gboolean gmcp_session_keeps_requests (GmcpSession *self);
void gmcp_session_set_keeps_requests (GmcpSession *self, gboolean keeps_requests);
void gmcp_session_set_clocks_stopped (GmcpSession *self, gboolean stopped);
GmcpGivenUpCalls *gmcp_session_get_given_up (GmcpSession *self);

/* gmcp-session-open.c and gmcp-session-negotiation.c */
/* NULL where none is under way. */
GmcpSessionOpening *gmcp_session_get_opening (GmcpSession *self);
void gmcp_session_set_opening (GmcpSession *self, GmcpSessionOpening *opening);
/* The request that finds out who the server is, while there is one. */
GmcpExchange *gmcp_session_get_opener (GmcpSession *self);
gboolean gmcp_session_is_initialize (GmcpSession *self, const GmcpExchange *exchange);
gboolean gmcp_session_open_transport_closed (GmcpSession *self, const GError *error);

/* gmcp-session-peer.c */
GmcpSessionPeer *gmcp_session_get_peer (GmcpSession *self);
GmcpSessionPeer *gmcp_session_peer_new (void);
void gmcp_session_peer_free (GmcpSessionPeer *peer);

/* gmcp-session-send.c */
GmcpSessionOutbox *gmcp_session_get_outbox (GmcpSession *self);
GmcpSessionOutbox *gmcp_session_outbox_new (void);
void gmcp_session_outbox_free (GmcpSessionOutbox *outbox);
/* For a new connection. */
void gmcp_session_outbox_begin (GmcpSession *self);
GString *gmcp_session_get_out (GmcpSession *self);

/* gmcp-session-dispatch.c */
extern const GmcpTransportTaker gmcp_session_taker;

/* gmcp-exchange.c */

/* The peer has answered. Ends the exchange, unless it has to go on. */
void gmcp_session_answer_exchange (GmcpSession *self,
                                   GmcpExchange *exchange,
                                   const GmcpRpcMessage *reply,
                                   GError *error);
/* Takes the exchange that the peer's answer is for; NULL where no such request is under way. */
GmcpExchange *gmcp_session_take_answered (GmcpSession *self, gint64 id);
/* Takes all, so that nothing else ends or finds them any more. */
GPtrArray *gmcp_session_take_exchanges (GmcpSession *self);
/* Ends the exchanges that were taken, and frees the array. Callers get their error in this call,
 * and may do anything in it: close, open again, run the main loop, drop their reference. */
void gmcp_session_fail_exchanges (GmcpSession *self, GPtrArray *exchanges, const GError *error);
/* Ends all that wait for the peer but those that tell of changes, and tells it. */
void gmcp_session_give_up_all (GmcpSession *self, const GError *error);
void gmcp_session_exchange_timed_out (GmcpPendingCall *call, gpointer session);
/* Writes the end of a request, and sends it; also of one that is sent again. */
void gmcp_session_send_request (GmcpSession *self, GmcpExchange *exchange, GmcpJsonWriter *params);

/* gmcp-exchange-progress.c */

/* From the notifications. */
void gmcp_session_note_progress (GmcpSession *self, GmcpJsonValue params);

/* gmcp-session-retry.c: for the taker of a transport. */
void gmcp_session_request_failed (gpointer session,
                                  gint64 request_id,
                                  const GmcpTransportFailure *failure);

/* A new session in place of one that the peer has forgotten: gmcp-session-renewal.c */

GmcpSessionRenewal *gmcp_session_get_renewal (GmcpSession *self);
GmcpSessionRenewal *gmcp_session_renewal_new (void);
void gmcp_session_renewal_free (GmcpSessionRenewal *renewal);
/* The connection has ended. */
void gmcp_session_renewal_forget (GmcpSession *self);
/* Holds the exchange, which must be out of the table, until there is one, and sees to it that there
 * will be. */
void gmcp_session_renew (GmcpSession *self, GmcpExchange *exchange);
/* Whether the request cannot be sent before that. */
gboolean gmcp_session_awaits_renewal (GmcpSession *self, const GmcpExchange *exchange);
/* Which session it is, counted from the first that the object had. */
guint gmcp_session_get_number (GmcpSession *self);
/* For the taker of a transport. */
void gmcp_session_lost (gpointer session, const GError *error);

/* gmcp-session-text-filter.c */
GmcpSessionTextFilter *gmcp_session_get_text_filter (GmcpSession *self);
GmcpSessionTextFilter *gmcp_session_text_filter_new (void);
void gmcp_session_text_filter_free (GmcpSessionTextFilter *filter);

/* What the era adds to each request's _meta, if anything, behind what stands there already. */
void gmcp_session_write_meta_members (GmcpSession *self, GmcpJsonWriter *meta);

G_END_DECLS
