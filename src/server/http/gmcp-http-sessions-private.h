/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-http-served-session-private.h"
#include "gmcp-http-settings-private.h"
#include "gmcp-server-clients-private.h"

G_BEGIN_DECLS

/* The sessions of legacy clients at one endpoint, by their ids. One that nobody uses for a while is ended. */
typedef struct _GmcpHttpSessions GmcpHttpSessions;

GmcpHttpSessions *gmcp_http_sessions_new (GmcpServerClients *clients);
/* Ends all of them. */
void gmcp_http_sessions_free (GmcpHttpSessions *self);

/* NULL where there are as many as may be, and all are in use. */
GmcpHttpServedSession *gmcp_http_sessions_begin (GmcpHttpSessions *self,
                                                 const GmcpHttpSettings *settings,
                                                 const char *user,
                                                 const char *name);
/* Borrowed. NULL for one that has ended, never was, or is of another user; user is NULL where nobody asks. */
GmcpHttpServedSession *
gmcp_http_sessions_find (GmcpHttpSessions *self, const char *id, const char *user);
void gmcp_http_sessions_end (GmcpHttpSessions *self, GmcpHttpServedSession *session);

GmcpByteBudget *gmcp_http_sessions_get_kept (GmcpHttpSessions *self);
/* As gmcp_server_connection_drain() does with each; tells when all have ended, perhaps at once. */
void gmcp_http_sessions_drain (GmcpHttpSessions *self,
                               guint timeout_ms,
                               void (*emptied) (gpointer data),
                               gpointer data);
/* How many have not ended yet. */
guint gmcp_http_sessions_get_n_open (GmcpHttpSessions *self);

G_END_DECLS
