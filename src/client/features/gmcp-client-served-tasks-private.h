/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-client-private.h"

G_BEGIN_DECLS

/* Questions that the server wants answered as tasks, which this side keeps: it asks for the answer
 * when it likes. Only in revision 2025-11-25. */

/* The members of the client's capabilities, which are declared by that. */
void gmcp_client_write_own_task_capabilities (GmcpClient *self,
                                              const char *version,
                                              GmcpJsonWriter *writer);

/* Answers a question's request with a new task; NULL where it is to be answered in the usual way, or
 * was refused, of which done tells. */
GmcpOwnTask *
gmcp_client_make_own_task (GmcpClient *self, const GmcpRpcMessage *request, gboolean *done);
/* The answer is the text of a result; NULL where there is none but an error. Where the task has ended
 * or is gone, nothing. */
void gmcp_client_settle_own_task (GmcpClient *self,
                                  GmcpOwnTask *task,
                                  const char *answer,
                                  int code,
                                  const char *message);
/* FALSE where it is no request about tasks. */
gboolean gmcp_client_handle_own_task (GmcpClient *self, const GmcpRpcMessage *request);
/* Nobody waits for the answer to that request any more. */
void gmcp_client_forget_own_task_waiter (GmcpClient *self, GmcpJsonValue request_id);
/* The connection has ended. Their questions must have been closed. */
void gmcp_client_drop_own_tasks (GmcpClient *self);

/* The task of the server's that a request is about; NULL for none. */
char *gmcp_client_dup_related_task (GmcpJsonValue params);
/* The same result, with what says which task it is about. */
char *gmcp_client_dup_related_answer (const char *answer, const char *task_id);

G_END_DECLS
