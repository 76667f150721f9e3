/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-caller-private.h"
#include "gmcp-server-exchange-private.h"
#include "gmcp-server-list-private.h"
#include "gmcp-server-round-private.h"

G_BEGIN_DECLS

/* One request that the provider answers, now or later, and the client that it came from: what the
 * client is told meanwhile goes through here. */

typedef struct _GmcpServerCaller GmcpServerCaller;
typedef struct _GmcpServerTaskCall GmcpServerTaskCall;

/* NULL where no more may run; the client has been told then. item may be NULL. */
GmcpServerCaller *gmcp_server_caller_new (const GmcpServerExchange *exchange, GmcpServerItem *item);
GmcpServerCaller *gmcp_server_caller_ref (GmcpServerCaller *self);
void gmcp_server_caller_unref (GmcpServerCaller *self);

/* Options for the provider, which carry the caller. */
GmcpCallOptions *gmcp_server_caller_make_options (GmcpServerCaller *self);
/* The time that the provider has for its answer; 0 for the default. */
guint gmcp_server_caller_get_timeout_ms (GmcpServerCaller *self);
/* The call that the provider has, which is told of the cancellable when that is made; NULL once it has ended. */
void gmcp_server_caller_set_call (GmcpServerCaller *self, GmcpToolCall *call);
/* Cancelled when the client gives up the request or is gone. */
GCancellable *gmcp_server_caller_get_cancellable (GmcpServerCaller *self);
GmcpServerExchange *gmcp_server_caller_get_exchange (GmcpServerCaller *self);
GmcpServerItem *gmcp_server_caller_get_item (GmcpServerCaller *self);
/* The provider has answered: what it asked and nobody answered yet is taken back. */
void gmcp_server_caller_end (GmcpServerCaller *self);
/* The call is to become a task: before the provider has it. */
void gmcp_server_caller_become_task (GmcpServerCaller *self);
/* NULL for a call that is not to be one. */
GmcpServerTaskCall *gmcp_server_caller_get_task_call (GmcpServerCaller *self);
/* The provider has the call. */
void gmcp_server_caller_start (GmcpServerCaller *self);
/* The task that what the provider answered is for; NULL where it is for the request. */
GmcpServerTask *gmcp_server_caller_take_outcome (GmcpServerCaller *self);
/* The questions of a request of the modern era. */
GmcpServerRound *gmcp_server_caller_get_round (GmcpServerCaller *self);
/* Where the provider failed since the client does not take a question of its: whether that was answered. */
gboolean gmcp_server_caller_reply_missing (GmcpServerCaller *self, const GError *error);
/* The code and the data of an error as a client of this server gets it. */
int gmcp_server_caller_read_error (const GError *error, char **data_json);
/* A failure with GMCP_CODE_URL_ELICITATION_REQUIRED is of this server, and reaches the client with that data. */
void gmcp_server_caller_require_visit (GmcpServerCaller *self, const char *data_json);
/* Answers with what the provider says went wrong, as an error of the protocol. */
void gmcp_server_caller_reply_error (GmcpServerCaller *self, const GError *error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerCaller, gmcp_server_caller_unref)

G_END_DECLS
