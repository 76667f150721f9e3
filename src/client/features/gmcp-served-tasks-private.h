/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-features-private.h"

G_BEGIN_DECLS

/* Questions that the server wants answered as tasks, which this side keeps: it asks for the answer
 * when it likes. Only in revision 2025-11-25. */

typedef struct _GmcpServedTask GmcpServedTask;

/* The question that the task was to answer is taken back. */
typedef void (*GmcpServedTaskFunc) (GmcpSession *self, GmcpServedTask *task);

GmcpServedTasks *gmcp_served_tasks_new (void);
void gmcp_served_tasks_free (GmcpServedTasks *served);

/* The members of the client's capabilities, which are declared by that. */
void gmcp_served_tasks_write_capabilities (GmcpSession *self,
                                           const char *version,
                                           GmcpJsonWriter *writer);

/* Answers a question's request with a new task; NULL where it is to be answered in the usual way, or
 * was refused, of which done tells. */
GmcpServedTask *gmcp_served_tasks_make (GmcpSession *self,
                                        const GmcpRpcMessage *request,
                                        GmcpServedTaskFunc withdraw,
                                        gboolean *done);
/* The answer is the text of a result; NULL where there is none but an error. Where the task has ended
 * or is gone, nothing. */
void gmcp_served_tasks_settle (GmcpSession *self,
                               GmcpServedTask *task,
                               const char *answer,
                               int code,
                               const char *message);
/* FALSE where it is no request about tasks. */
gboolean gmcp_served_tasks_handle (GmcpSession *self, const GmcpRpcMessage *request);
/* Nobody waits for the answer to that request any more. */
void gmcp_served_tasks_forget_waiter (GmcpSession *self, GmcpJsonValue request_id);
/* The connection has ended. Their questions must have been closed. */
void gmcp_served_tasks_drop (GmcpSession *self);

/* The task of the server's that a request is about; NULL for none. */
char *gmcp_served_tasks_dup_related_task (GmcpJsonValue params);
/* The answer with the id of the task that it is about in _meta. */
char *gmcp_served_tasks_dup_related_answer (const char *answer, const char *task_id);

G_END_DECLS
