/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "gmcp-task-wait-private.h"

G_BEGIN_DECLS

/* The calls of a session that go on as tasks at the server. */

GmcpTasks *gmcp_tasks_new (void);
void gmcp_tasks_free (GmcpTasks *tasks);
/* The server has said who it is. */
void gmcp_tasks_begin (GmcpSession *self);
/* Whether this side decides which calls are tasks. */
gboolean gmcp_tasks_are_offered (GmcpSession *self);
guint gmcp_tasks_get_max_timeout_ms (GmcpSession *self);
/* Returns whether the value has changed. */
gboolean gmcp_tasks_set_max_timeout_ms (GmcpSession *self, guint timeout_ms);
/* Whether somebody waits for the task by that handle. */
gboolean gmcp_tasks_is_followed (GmcpSession *self, GmcpTaskHandle *handle);
/* Whether somebody waits for any. */
gboolean gmcp_tasks_has_any (GmcpSession *self);
/* The options of the call that waits for the task; NULL where none does, or it has none. */
GmcpCallOptions *gmcp_tasks_find_options (GmcpSession *self, const char *id);
/* Polls the task soon. */
void gmcp_tasks_ask_anew (GmcpSession *self, const char *id);

/* The call has become a task; the exchange is out of the table. Where the description is of no use,
 * FALSE and an error, and the exchange is the caller's still. */
gboolean
gmcp_tasks_take (GmcpSession *self, GmcpExchange *exchange, GmcpJsonValue state, GError **error);
/* The call waits for a task that is known already. */
void gmcp_tasks_follow (GmcpSession *self, GmcpExchange *exchange, GmcpTaskHandle *handle);

/* gmcp-task-request.c */

/* Writes what makes a task of a call, where the tool or the caller wants one. */
void gmcp_tasks_write_request (GmcpSession *self,
                               GmcpJsonWriter *params,
                               const char *name,
                               GmcpCallOptions *options);

/* The wait has ended. */
void gmcp_tasks_forget (GmcpSession *self, GmcpTaskWait *wait);

/* What the server says of a task unasked. Whether anybody waits for that task. */
gboolean gmcp_tasks_note (GmcpSession *self, GmcpJsonValue state);
/* While people or models are asked, by whatever way. */
void gmcp_tasks_stop_clocks (GmcpSession *self);
void gmcp_tasks_start_clocks (GmcpSession *self);
/* The exchange that a progress token stands for when its call is a task; else NULL. */
GmcpExchange *gmcp_tasks_find_call (GmcpSession *self, gint64 progress_token);

G_END_DECLS
