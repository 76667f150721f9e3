/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-server-caller-private.h"
#include "gmcp-server-task-private.h"

G_BEGIN_DECLS

/* A call that is to become a task, and what its client is told. It becomes one when its handler has not answered in
 * the turn of the main loop in which it was called; or when the handler says so that has held the task back. What the
 * handler asks, reports and answers from then on goes to the task. */

/* The caller owns it. */
GmcpServerTaskCall *gmcp_server_task_call_new (GmcpServerCaller *caller);
void gmcp_server_task_call_free (GmcpServerTaskCall *self);

/* The provider has the call. */
void gmcp_server_task_call_start (GmcpServerTaskCall *self);
/* Whether the call becomes a task with begin() only. */
gboolean gmcp_server_task_call_hold (GmcpServerTaskCall *self);
/* Whether the call is a task now. */
gboolean gmcp_server_task_call_begin (GmcpServerTaskCall *self);
/* NULL while the call is one like any other. */
GmcpServerTask *gmcp_server_task_call_get_task (GmcpServerTaskCall *self);
/* The task that takes what the provider has answered; NULL where the client gets it as the answer to its call. */
GmcpServerTask *gmcp_server_task_call_take_outcome (GmcpServerTaskCall *self);
/* Takes end, and asks through the task; FALSE where the call is not to be one, and end has not been taken. */
gboolean gmcp_server_task_call_ask (GmcpServerTaskCall *self,
                                    GmcpServerQuestionKind kind,
                                    GmcpInputRequest *question,
                                    GTask *end);
/* How far the work is, in words; NULL where the handler says only a number. */
void gmcp_server_task_call_report (GmcpServerTaskCall *self,
                                   double progress,
                                   double total,
                                   const char *message);

/* An answer to a question of a task. FALSE where it is none, and the question still waits. */
gboolean gmcp_server_task_take_answer (GmcpServerTask *task,
                                       GmcpServerTaskQuestion *question,
                                       GmcpJsonValue answer,
                                       GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerTaskCall, gmcp_server_task_call_free)

G_END_DECLS
