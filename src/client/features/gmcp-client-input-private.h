/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/client/gmcp-client.h>

#include "gmcp-client-abilities-private.h"
#include "gmcp-elicitation-private.h"
#include "gmcp-input-request-private.h"
#include "gmcp-rpc-message-private.h"

G_BEGIN_DECLS

typedef struct _GmcpOwnTask GmcpOwnTask;

typedef gboolean (*GmcpClientListensFunc) (gpointer data);

/* What a client has to do with the questions of its server. */
typedef struct
{
  guint timeout_ms;
  gboolean allow_sampling;
  GListModel *roots;            /* nullable */
  gboolean declares_roots;      /* the server has been told that there are some */
  GmcpClientAbilities declared; /* what it has been told of in all */
  GSource *roots_source;
  GmcpClientListensFunc listens; /* NULL: who is connected to the signal */
  gpointer listens_data;
  GQueue questions;  /* of Question, that came as requests of their own */
  GPtrArray *visits; /* of GmcpElicitation: accepted addresses whose end the server may tell */
} GmcpClientInput;

void gmcp_client_input_init (GmcpClientInput *input);
/* What is still to be told on a connection that has ended. */
void gmcp_client_input_forget (GmcpClientInput *input);
void gmcp_client_input_clear (GmcpClientInput *input);

/* Whether somebody would see a question, in place of whether the signal is connected to. */
void gmcp_client_set_listens_func (GmcpClient *self, GmcpClientListensFunc listens, gpointer data);
gboolean gmcp_client_listens (GmcpClient *self);

/* The members of the client's capabilities that are about input, in that revision. */
void gmcp_client_write_input_capabilities (GmcpClient *self,
                                           const char *version,
                                           GmcpJsonWriter *writer);

/* One question. Either a request to be put to the application; or NULL with its answer, which is
 * the text of a result; or NULL with an error: GMCP_ERROR_INPUT_REFUSED where it is refused,
 * GMCP_ERROR_NOT_SUPPORTED where there is no such question, GMCP_ERROR_PROTOCOL where it makes no
 * sense. */
GmcpInputRequest *gmcp_client_make_input_request (GmcpClient *self,
                                                  const char *subject,
                                                  GmcpJsonValue method,
                                                  GmcpJsonValue params,
                                                  char **answer,
                                                  GError **error);
/* Who listens may answer at once. */
void gmcp_client_emit_input_requested (GmcpClient *self, GmcpInputRequest *request);

/* Several questions at once, by keys that the server gave: gmcp-client-input-round.c */

typedef struct _GmcpInputRound GmcpInputRound;
/* All are answered, or error is why not, which is the callee's to keep. Called once at most. */
typedef void (*GmcpInputRoundFunc) (GmcpInputRound *round, GError *error, gpointer data);

/* requests is an object of objects with method and params. Same errors as for one question. */
GmcpInputRound *gmcp_input_round_new (GmcpClient *client,
                                      const char *subject,
                                      GmcpJsonValue requests,
                                      GError **error);
/* Of questions that are there already. The function is called where one was answered, and sees to
 * it that one of the next two is, then or later. */
typedef void (*GmcpInputAnsweredFunc) (GmcpInputRound *round,
                                       GmcpInputRequest *request,
                                       gpointer data);
GmcpInputRound *gmcp_input_round_new_from_requests (GmcpClient *client,
                                                    GPtrArray *requests,
                                                    GmcpInputAnsweredFunc answered);
/* One of them needs nothing more. */
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
GError *gmcp_client_new_input_timeout_error (GmcpClient *self, const char *subject);

/* Questions that come as requests of their own: gmcp-client-server-requests.c */

/* FALSE where it is no question. */
gboolean gmcp_client_handle_question (GmcpClient *self, const GmcpRpcMessage *request);
/* The server takes one back. */
void gmcp_client_cancel_question (GmcpClient *self, GmcpJsonValue id);
/* The same for one that was to be answered by a task. */
void gmcp_client_withdraw_question (GmcpClient *self, GmcpOwnTask *task);
/* Answers a request of the server's: the text of a result, or an error. */
void gmcp_client_send_request_result (GmcpClient *self, GmcpJsonValue id, const char *answer);
void
gmcp_client_send_request_error (GmcpClient *self, GmcpJsonValue id, int code, const char *message);
/* Nobody waits for the answers any more. */
void gmcp_client_close_questions (GmcpClient *self);

/* Addresses: the server says by their ids what is done. */
void gmcp_client_note_visit (GmcpClient *self, GmcpElicitation *elicitation);
void gmcp_client_complete_visit (GmcpClient *self, GmcpJsonValue params);

G_END_DECLS
