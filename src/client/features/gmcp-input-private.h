/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-client-abilities-private.h"
#include "gmcp-elicitation-private.h"
#include "gmcp-features-private.h"
#include "gmcp-input-request-private.h"
#include "gmcp-rpc-message-private.h"

G_BEGIN_DECLS

typedef gboolean (*GmcpListensFunc) (gpointer data);

/* Questions of a server to the application, whatever way they came. */

GmcpInput *gmcp_input_new (GmcpSession *session);
void gmcp_input_free (GmcpInput *input);
/* What is still to be told on a connection that has ended. */
void gmcp_input_forget (GmcpSession *self);

/* Each setter gives whether it is something else now. */
guint gmcp_input_get_timeout_ms (GmcpSession *self);
gboolean gmcp_input_set_timeout_ms (GmcpSession *self, guint timeout_ms);
gboolean gmcp_input_get_allow_sampling (GmcpSession *self);
gboolean gmcp_input_set_allow_sampling (GmcpSession *self, gboolean allow_sampling);
/* NULL for none. */
GListModel *gmcp_input_get_roots (GmcpSession *self);
gboolean gmcp_input_set_roots (GmcpSession *self, GListModel *roots);
/* The server has been told that there are some. */
gboolean gmcp_input_declares_roots (GmcpSession *self);
/* All abilities that the server has been told of. */
GmcpClientAbilities gmcp_input_get_declared_abilities (GmcpSession *self);

/* Whether somebody would see a question, in place of whether the signal is connected to. */
void gmcp_input_set_listens_func (GmcpSession *self, GmcpListensFunc listens, gpointer data);
gboolean gmcp_input_listens (GmcpSession *self);
/* In an era whose questions do not name their call, nobody sees any, and there are no roots. */
void gmcp_input_set_asks_by_call (GmcpSession *self, gboolean asks_by_call);

/* The members of the client's capabilities that are about input, in that revision. */
void gmcp_input_write_capabilities (GmcpSession *self, const char *version, GmcpJsonWriter *writer);

/* One question. Either a request to be put to the application; or NULL with its answer, which is
 * the text of a result; or NULL with an error: GMCP_ERROR_INPUT_REFUSED where it is refused,
 * GMCP_ERROR_NOT_SUPPORTED where there is no such question, GMCP_ERROR_PROTOCOL where it makes no
 * sense. */
GmcpInputRequest *gmcp_input_make_request (GmcpSession *self,
                                           const char *subject,
                                           GmcpJsonValue method,
                                           GmcpJsonValue params,
                                           char **answer,
                                           GError **error);
/* A listener may answer at once. */
void gmcp_input_emit_requested (GmcpSession *self, GmcpInputRequest *request);

/* Several questions at once, by keys that the server gave: gmcp-input-round.c */

typedef struct _GmcpInputRound GmcpInputRound;
/* All are answered, or error is why not, which is the callee's to keep. Called once at most. */
typedef void (*GmcpInputRoundFunc) (GmcpInputRound *round, GError *error, gpointer data);

/* requests is an object of objects with method and params. options are those of the call that led to
 * them, or NULL. Same errors as for one question. */
GmcpInputRound *gmcp_input_round_new (GmcpSession *session,
                                      const char *subject,
                                      GmcpCallOptions *options,
                                      GmcpJsonValue requests,
                                      GError **error);
/* Of questions that are there already. The function is called where one was answered, and sees to
 * it that one of the next two is, then or later. */
typedef void (*GmcpInputAnsweredFunc) (GmcpInputRound *round,
                                       GmcpInputRequest *request,
                                       gpointer data);
GmcpInputRound *gmcp_input_round_new_from_requests (GmcpSession *session,
                                                    GPtrArray *requests,
                                                    GmcpInputAnsweredFunc answered);
/* One question of the round is settled. */
void gmcp_input_round_settle_one (GmcpInputRound *self);
/* All are of no use. Takes the error. */
void gmcp_input_round_refuse (GmcpInputRound *self, GError *error);
/* Puts them all. The function may be called before this returns. */
void gmcp_input_round_ask (GmcpInputRound *self, GmcpInputRoundFunc func, gpointer data);
/* The object of answers by the same keys. */
void gmcp_input_round_write_answers (GmcpInputRound *self, GmcpJsonWriter *writer);
/* Questions that are still open are closed. */
void gmcp_input_round_free (GmcpInputRound *self);

/* What a call fails with whose questions were not answered in time. */
GError *gmcp_input_new_timeout_error (GmcpSession *self, const char *subject);

G_END_DECLS
