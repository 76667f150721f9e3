/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>

#include "gmcp-cache-view-private.h"
#include "gmcp-client-abilities-private.h"
#include "gmcp-exchange-private.h"
#include "gmcp-session-private.h"

G_BEGIN_DECLS

/* What the rest of the library asks of a client beside its public functions. */

GmcpSession *gmcp_client_get_session (GmcpClient *self);

/* FALSE, with a critical warning, where another thread runs the client's main context. */
gboolean gmcp_client_check_thread (GmcpClient *self, const char *function);

/* A call without a GAsyncResult of its own. The arguments are an object, or NULL for none. The
 * function may be called before this returns. The client is not kept alive. */
void gmcp_client_call_tool_direct (GmcpClient *self,
                                   const char *name,
                                   GmcpJsonDoc *arguments,
                                   GmcpCallOptions *options,
                                   GCancellable *cancellable,
                                   GmcpClientCallFunc func,
                                   gpointer data);

/* Another way to the server, for a client that is not open. */
void gmcp_client_replace_transport (GmcpClient *self, GmcpTransport *transport);

/* A server of a revision before 2026-07-28 is told that nobody can be asked anything: it would not say which call
 * its question belongs to. */
void gmcp_client_set_asks_by_call (GmcpClient *self, gboolean asks_by_call);

/* The opening that is under way, if any, has its start-up limit from now on, and that much more. */
void gmcp_client_extend_opening (GmcpClient *self, guint more_ms);

/* The filter removes secrets that the server knows from errors and log lines. */
void gmcp_client_set_text_filter (GmcpClient *self,
                                  GmcpTextFilter filter,
                                  gpointer data,
                                  GDestroyNotify destroy);

/* Whether somebody would see a question, in place of whether the signal is connected to. */
void
gmcp_client_set_listens_func (GmcpClient *self, gboolean (*listens) (gpointer data), gpointer data);
/* What the client was told to be able to do when it last told its server. */
GmcpClientAbilities gmcp_client_get_declared_abilities (GmcpClient *self);

/* What the client's cache holds for the client; NULL without a cache. */
GmcpCacheView *gmcp_client_new_cache_view (GmcpClient *self);

/* Whether a request is under way, or somebody wants to be told of changes; but for the client's own
 * wish to hear of its lists. */
gboolean gmcp_client_is_in_use (GmcpClient *self);
/* How many messages have come from the server, whatever they were; it tells a server that works from
 * one that hangs. */
guint64 gmcp_client_get_n_heard (GmcpClient *self);
/* When the last opening came how far. */
const GmcpOpeningTimes *gmcp_client_get_opening_times (GmcpClient *self);
/* How many requests were ever sent, for whatever reason. */
gint64 gmcp_client_get_n_requests (GmcpClient *self);

G_END_DECLS
