/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-input-request.h>

#include "gmcp-server-era-private.h"

G_BEGIN_DECLS

/* The questions of one request of the modern era. A request that asks ends with its questions, and the client
 * sends it again with the answers: the handler runs anew, asks the same questions, and has their answers at once.
 * Answers of rounds before travel in the state, which is signed, expires, and is good for this request only.
 *
 * Spec: MCP 2026-07-28, basic/patterns/mrtr. */
typedef struct _GmcpServerRound GmcpServerRound;

/* Whether the state that came with a request is one of ours; else it has been refused. */
gboolean gmcp_server_round_check (GmcpServerExchange *exchange);

/* exchange is a kept one that outlives the round; cancellable is cancelled when it ends with questions. */
GmcpServerRound *gmcp_server_round_new (GmcpServerExchange *exchange, GCancellable *cancellable);
void gmcp_server_round_free (GmcpServerRound *self);

/* Takes the task, which it completes as GmcpCallerFuncs says. question is NULL for roots. */
void gmcp_server_round_ask (GmcpServerRound *self,
                            GmcpServerQuestionKind kind,
                            GmcpInputRequest *question,
                            GTask *task);
/* Whether the request was answered with questions. */
gboolean gmcp_server_round_has_asked (GmcpServerRound *self);
/* What the handler keeps for the next rounds, a JSON text; NULL for nothing. */
const char *gmcp_server_round_get_kept (GmcpServerRound *self);
void gmcp_server_round_set_kept (GmcpServerRound *self, const char *json);
/* Why a question is not answered in a round that has ended; self may be NULL. */
void gmcp_server_round_return_end (GmcpServerRound *self, GTask *task);
/* The handler has ended: nobody is asked any more. */
void gmcp_server_round_close (GmcpServerRound *self);
/* The request cannot be done without a question that its client does not take. Whether that was answered. */
gboolean gmcp_server_round_reply_missing (GmcpServerRound *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerRound, gmcp_server_round_free)

G_END_DECLS
