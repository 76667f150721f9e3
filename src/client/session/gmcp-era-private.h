/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-exchange-private.h"
#include "gmcp-session-private.h"

G_BEGIN_DECLS

/* What the features need of an era: features/gmcp-era-features-private.h */
typedef struct _GmcpEraFeatures GmcpEraFeatures;

/* What differs between the eras for the engine. Nothing else asks which era it is, and no other file
 * names a method of one era. */
struct _GmcpEraFuncs
{
  GmcpEra id;
  /* An answer with neither a result nor an error is an empty result. */
  gboolean lacks_empty_results;

  /* Finds out who the server is, in that revision; NULL is the newest. Ends in one of the
   * gmcp_session_open_…() functions. */
  void (*start) (GmcpSession *self, const char *version);
  /* TRUE for the final result. Else FALSE: with an error where it is not one this client
   * understands, without one where the era has taken over the exchange, to hold it, send it again or
   * end it. */
  gboolean (*check_result) (GmcpSession *self,
                            GmcpExchange *exchange,
                            GmcpJsonValue result,
                            GError **error);
  /* FALSE where the peer's error is not the end, and the era has taken over the exchange. */
  gboolean (*check_error) (GmcpSession *self, GmcpExchange *exchange, const GError *error);
  /* Whether a request may have to be sent again. */
  gboolean (*keeps_requests) (GmcpSession *self);
  /* Tells the peer that nobody waits any more. */
  void (*cancel) (GmcpSession *self, gint64 id, const char *reason);
  /* Sends what shows that the peer is alive. */
  GmcpExchange *(*begin_ping) (GmcpSession *self,
                               GmcpExchangeFunc done,
                               guint timeout_ms,
                               GmcpJsonWriter *params);
  /* A request or notification of the peer's that is not common to both eras. */
  void (*handle_request) (GmcpSession *self, const GmcpRpcMessage *request);
  gboolean (*handle_notification) (GmcpSession *self, const GmcpRpcMessage *notification);
  /* Further requests that only read, beside those of both eras; NULL-terminated. */
  const char *const *reads;
  /* For transports that have headers: adds names and values in turn, and notes what the message
   * means for the session. Also called with a message without text, for the headers alone. */
  void (*dress) (GmcpSession *self, GmcpOutgoing *outgoing, GPtrArray *headers);
  /* Makes a new session where the peer has forgotten the old one, then calls
   * gmcp_session_renewed(). NULL where there are no sessions. */
  void (*renew) (GmcpSession *self);
  /* Whether several messages may come as one array. */
  gboolean (*takes_batches) (GmcpSession *self);

  const GmcpEraFeatures *features;
};

/* Opening: gmcp-session-negotiation.c. The eras call these when they know more. */

/* Whose requests are made from now on, while it is not known which era the server speaks. */
void gmcp_session_set_tried_era (GmcpSession *self, const GmcpEraFuncs *era);
/* The request that finds out, before it is sent. */
void gmcp_session_set_probe (GmcpSession *self, GmcpExchange *exchange);
void gmcp_session_set_initialize (GmcpSession *self, GmcpExchange *exchange);
/* The request has ended; FALSE where it is of an opening before. */
gboolean gmcp_session_end_probe (GmcpSession *self, const GmcpExchange *exchange);
gboolean gmcp_session_end_initialize (GmcpSession *self, const GmcpExchange *exchange);
/* TRUE once an opening: the probe may be sent again, in a revision that the peer named. */
gboolean gmcp_session_may_probe_again (GmcpSession *self);

void gmcp_session_open_modern (GmcpSession *self);
/* An answer to the probe that only a modern server gives; the probe goes on. */
void gmcp_session_open_is_modern (GmcpSession *self);
void gmcp_session_open_not_modern (GmcpSession *self, const char *newest_shared, GError *why);
/* The peer could not be asked, so nothing is known of its era. */
gboolean gmcp_session_is_no_verdict (const GError *error, guint http_status);
void gmcp_session_open_initialized (GmcpSession *self);
/* http_status is that of a response without an answer, else 0. */
void gmcp_session_open_not_initialized (GmcpSession *self, GError *why, guint http_status);
void gmcp_session_open_failed (GmcpSession *self, GError *error);

/* What the server said of itself: gmcp-session-peer.c */
void gmcp_session_set_server (GmcpSession *self,
                              const GmcpEraFuncs *era,
                              const char *version,
                              GmcpJsonValue info,
                              GmcpJsonValue capabilities,
                              GmcpJsonValue instructions);
/* The server speaks another revision than it did. */
void gmcp_session_change_protocol_version (GmcpSession *self, const char *version);

/* The revision in which requests are made from now on, which lives for ever, and what each of them has
 * in its _meta because of it. Takes the members; both are NULL where requests do not say it. */
void gmcp_session_set_request_version (GmcpSession *self, const char *version, char *meta_members);
const char *gmcp_session_get_request_version (GmcpSession *self);
/* The handshake is over. */
void gmcp_session_begin_in_transport (GmcpSession *self);

/* FALSE where the request that was to make a new session is of a connection before. */
gboolean gmcp_session_end_renewal (GmcpSession *self, const GmcpExchange *exchange);
void gmcp_session_set_renewal (GmcpSession *self, GmcpExchange *exchange);
/* Takes the error, if there is one. */
void gmcp_session_renewed (GmcpSession *self, GError *error);

G_END_DECLS
