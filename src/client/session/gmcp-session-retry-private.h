/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-client-private.h"

G_BEGIN_DECLS

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

/* For the taker of a transport. */
void gmcp_client_request_failed (gpointer client,
                                 gint64 request_id,
                                 const GmcpTransportFailure *failure);

/* Whether it may be sent again for that reason, which is written down then. */
gboolean gmcp_client_may_resend (GmcpClient *self, GmcpExchange *exchange, GmcpResent reason);

/* The peer found that the headers of a call do not go with it: the tools are listed anew and the
 * call is sent once more. FALSE where that is of no use; else the exchange, which must be out of the
 * table, is held. */
gboolean
gmcp_client_refresh_headers (GmcpClient *self, GmcpExchange *exchange, const GError *error);

/* A new session in place of one that the peer has forgotten: gmcp-session-renewal.c */

/* Holds the exchange, which must be out of the table, until there is one, and sees to it that there
 * will be. */
void gmcp_client_renew_session (GmcpClient *self, GmcpExchange *exchange);
/* For the taker of a transport. */
void gmcp_client_session_lost (gpointer client, const GError *error);
/* From the era. Takes the error, if there is one. */
void gmcp_client_session_renewed (GmcpClient *self, GError *error);

G_END_DECLS
