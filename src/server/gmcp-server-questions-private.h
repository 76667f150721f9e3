/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/questions/gmcp-input-request.h>

#include "gmcp-server-era-private.h"

G_BEGIN_DECLS

/* Requests of the server to one client, in the course of a request of that client. */

typedef struct _GmcpServerQuestions GmcpServerQuestions;

GmcpServerQuestions *gmcp_server_questions_new (void);
void gmcp_server_questions_free (GmcpServerQuestions *self);

/* NONE for what cannot be asked. */
GmcpServerQuestionKind gmcp_server_question_get_kind (GmcpInputRequest *question);
const char *gmcp_server_question_get_method (GmcpServerQuestionKind kind);
/* The capabilities that a client has to have for them, as JSON. */
char *gmcp_server_question_dup_required_json (GmcpServerQuestionKind kind);
/* As the present revision has it in an interim result; the question is NULL for roots. */
void
gmcp_server_question_write (GmcpJsonWriter *writer, const char *method, GmcpInputRequest *question);
/* Whether a client with those capabilities takes them. */
gboolean gmcp_server_question_is_taken (GmcpServerQuestionKind kind, GmcpJsonValue capabilities);
/* The text of an answer, less what was not asked for; NULL with GMCP_ERROR_PROTOCOL where it is none. */
char *gmcp_server_question_read_answer (GmcpServerQuestionKind kind,
                                        GmcpInputRequest *question,
                                        GmcpJsonValue answer,
                                        GError **error);
/* Completes the task, as GmcpCallerFuncs says, with an answer that was read, which it takes. */
void gmcp_server_question_return_answer (GmcpServerQuestionKind kind, char *answer, GTask *task);

/* Takes the task, which it completes as GmcpCallerFuncs says. The question is NULL for roots. asker
 * is the one to name where its questions are closed. task_id is nullable: the task that needs the answer. */
void gmcp_server_questions_ask (GmcpServerExchange *exchange,
                                gpointer asker,
                                GmcpServerQuestionKind kind,
                                GmcpInputRequest *question,
                                const char *task_id,
                                GTask *task);
/* A result or an error came in. */
void gmcp_server_questions_answer (GmcpServerConnection *connection, const GmcpRpcMessage *message);
/* Takes back what an asker, or with NULL anybody, has asked. */
void gmcp_server_questions_close (GmcpServerConnection *connection, gpointer asker);

G_END_DECLS
