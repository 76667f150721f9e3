/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/tasks/gmcp-task-handle.h>

#include "gmcp-exchange-private.h"
#include "gmcp-features-private.h"

G_BEGIN_DECLS

/* A call that goes on as a task at the server. Its exchange is held until the task has ended, and
 * meanwhile the server is asked how far it is; what it says of its own accord counts as well. */

typedef struct _GmcpTaskWait GmcpTaskWait;

/* For the set of them, gmcp-tasks-private.h, which is to hold it. Holds the exchange. */
GmcpTaskWait *
gmcp_task_wait_new (GmcpSession *self, GmcpExchange *exchange, GmcpTaskHandle *handle);
GmcpTaskHandle *gmcp_task_wait_get_handle (GmcpTaskWait *wait);
/* That is held; NULL once it has ended. */
GmcpExchange *gmcp_task_wait_get_exchange (GmcpTaskWait *wait);
/* Of the call. */
gint64 gmcp_task_wait_get_progress_token (GmcpTaskWait *wait);
/* Nothing more is to be asked: the end is known, or on its way. */
gboolean gmcp_task_wait_is_settled (GmcpTaskWait *wait);
/* What the server says of the task. User code may run in the middle, and end the wait. */
void gmcp_task_wait_take_state (GmcpTaskWait *wait, GmcpJsonValue state);
/* Asks the server: for the first time, at once, or soon. */
void gmcp_task_wait_begin_polling (GmcpTaskWait *wait);
void gmcp_task_wait_poll (GmcpTaskWait *wait);
void gmcp_task_wait_poll_soon (GmcpTaskWait *wait);
/* The clock stands still while the client is asked something, however often this is said. */
void gmcp_task_wait_set_asked (GmcpTaskWait *wait, gboolean asked);

/* For the eras. */
GmcpSession *gmcp_task_wait_get_session (GmcpTaskWait *wait);
/* Whether the call is still to be answered. */
gboolean gmcp_task_wait_is_pending (GmcpTaskWait *wait);
/* What the server asks about the task; NULL for nothing. It is dropped with the wait. */
void gmcp_task_wait_set_input (GmcpTaskWait *wait,
                               gpointer input,
                               void (*drop) (GmcpTaskWait *wait, gpointer input));
gpointer gmcp_task_wait_get_input (GmcpTaskWait *wait);
/* Another request about the task, under way; NULL for none. */
void gmcp_task_wait_set_side (GmcpTaskWait *wait, GmcpExchange *side);
GmcpExchange *gmcp_task_wait_get_side (GmcpTaskWait *wait);
/* Of the era's own requests, one after the other: returns how many. */
guint gmcp_task_wait_count_side_failure (GmcpTaskWait *wait);
void gmcp_task_wait_forget_side_failures (GmcpTaskWait *wait);
/* The task is asked for again, though the end seemed known. */
void gmcp_task_wait_unsettle (GmcpTaskWait *wait);

/* Each of the first two ends the call. */
void gmcp_task_wait_complete (GmcpTaskWait *wait, GmcpJsonValue result);
void gmcp_task_wait_fail (GmcpTaskWait *wait, GError *error);
/* A request about the task has failed, which may pass. Takes the error. */
void gmcp_task_wait_try_again (GmcpTaskWait *wait, GError *error);
/* The task was cancelled, not by this side. */
void gmcp_task_wait_cancelled (GmcpTaskWait *wait);
/* A request about the task: its params so far are the task's id. gmcp_task_wait_of() gives the wait
 * back, or NULL where that has ended. */
GmcpExchange *gmcp_task_wait_begin_request (GmcpTaskWait *wait,
                                            const char *method,
                                            GmcpExchangeFunc done,
                                            guint timeout_ms,
                                            GmcpJsonWriter *params);
/* Nobody waits for its answer any more. The slot may hold NULL. */
void gmcp_task_wait_drop_request (GmcpTaskWait *wait, GmcpExchange **slot);
/* Whether the connection is there that the task belongs to. */
gboolean gmcp_task_wait_is_connected (GmcpTaskWait *wait);
/* The time is not the call's, until the other was called as often. */
void gmcp_task_wait_stop_clock (GmcpTaskWait *wait);
void gmcp_task_wait_start_clock (GmcpTaskWait *wait);
GmcpTaskWait *gmcp_task_wait_of (GmcpExchange *exchange);
const char *gmcp_task_wait_get_subject (GmcpTaskWait *wait);

GmcpTaskWait *gmcp_task_wait_ref (GmcpTaskWait *wait);
void gmcp_task_wait_unref (GmcpTaskWait *wait);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpTaskWait, gmcp_task_wait_unref)

G_END_DECLS
