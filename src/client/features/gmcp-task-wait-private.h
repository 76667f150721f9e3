/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/tasks/gmcp-task-handle.h>

#include "gmcp-exchange-private.h"
#include "gmcp-features-private.h"

G_BEGIN_DECLS

/* A call that goes on as a task at the server. Its exchange is held until the task has ended, and
 * meanwhile the server is asked how far it is; what it says of its own accord counts as well. */

typedef struct _GmcpTaskWait GmcpTaskWait;

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
/* Polls the task soon. */
void gmcp_tasks_ask_anew (GmcpSession *self, const char *id);

struct _GmcpTaskWait
{
  grefcount ref_count;
  GmcpSession *session;
  GmcpExchange *exchange; /* that is held; NULL once it has ended */
  guint serial;           /* of the connection that it belongs to */
  GmcpTaskHandle *handle;
  gint64 progress_token; /* of the call */
  GSource *timer;        /* until the next question */
  GmcpExchange *poll;    /* under way */
  guint n_polls;
  guint n_failures;      /* of questions, one after the other */
  guint n_side_failures; /* of the era's requests, one after the other */
  gboolean followed;     /* nothing more is to be asked: the end is known, or on its way */
  gboolean abandoned;    /* the task is to go on though nobody waits any more */
  gboolean asked;        /* its clock stands still for the client's questions */

  /* The era's. */
  GmcpExchange *side; /* another request about the task, under way */
  gpointer input;     /* what it has asked; NULL for nothing */
  void (*drop_input) (GmcpTaskWait *wait);
  guint n_clock_stops; /* while people or models are asked */
  gint64 left_us;      /* until the deadline, while the clock is stopped */
};

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

/* What the server says of a task unasked. Whether anybody waits for that task. */
gboolean gmcp_tasks_note (GmcpSession *self, GmcpJsonValue state);
/* While people or models are asked, by whatever way. */
void gmcp_tasks_stop_clocks (GmcpSession *self);
void gmcp_tasks_start_clocks (GmcpSession *self);
/* The exchange that a progress token stands for when its call is a task; else NULL. */
GmcpExchange *gmcp_tasks_find_call (GmcpSession *self, gint64 progress_token);

/* For the eras. Each of the first two ends the call. */
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
