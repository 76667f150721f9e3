/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gmcp/protocol/gmcp-tool-result.h>
#include <gmcp/protocol/questions/gmcp-input-request.h>
#include <gmcp/protocol/tasks/gmcp-task-handle.h>

#include "gmcp-json-private.h"

G_BEGIN_DECLS

/* One call that became a task. It outlives the connection that it was called on. */
typedef struct _GmcpServerTask GmcpServerTask;

GmcpServerTask *gmcp_server_task_ref (GmcpServerTask *self);
void gmcp_server_task_unref (GmcpServerTask *self);

const char *gmcp_server_task_get_id (GmcpServerTask *self);
GmcpTaskStatus gmcp_server_task_get_status (GmcpServerTask *self);
gboolean gmcp_server_task_is_final (GmcpServerTask *self);
/* NULL for none. */
const char *gmcp_server_task_get_message (GmcpServerTask *self);
gint64 gmcp_server_task_get_ttl_ms (GmcpServerTask *self);
guint gmcp_server_task_get_poll_interval_ms (GmcpServerTask *self);
GDateTime *gmcp_server_task_get_created_at (GmcpServerTask *self);
GDateTime *gmcp_server_task_get_updated_at (GmcpServerTask *self);
/* What came of a task that ended: NULL for an error, which has a code, a message and perhaps data. */
GmcpToolResult *gmcp_server_task_get_result (GmcpServerTask *self);
int gmcp_server_task_get_error_code (GmcpServerTask *self);
const char *gmcp_server_task_get_error_message (GmcpServerTask *self);
const char *gmcp_server_task_get_error_data_json (GmcpServerTask *self);

/* Each does nothing to a task that has ended, or whose end is being kept. */
void gmcp_server_task_set_message (GmcpServerTask *self, const char *message);
void gmcp_server_task_complete (GmcpServerTask *self, GmcpToolResult *result);
void gmcp_server_task_fail (GmcpServerTask *self, int code, const char *message, const char *data);
/* Ends the task, and then cancels the call behind it. FALSE where it has ended already. */
gboolean gmcp_server_task_cancel (GmcpServerTask *self);

/* Told of each change of what the getters say. */
typedef void (*GmcpServerTaskFunc) (GmcpServerTask *task, gpointer data);

/* FALSE where too many watch it. */
gboolean gmcp_server_task_watch (GmcpServerTask *self, GmcpServerTaskFunc func, gpointer data);
void gmcp_server_task_unwatch (GmcpServerTask *self, GmcpServerTaskFunc func, gpointer data);

/* Questions */

typedef struct
{
  char *key;                  /* never used again in the life of the task */
  const char *method;         /* static */
  guint kind;                 /* the asker's own word for what is asked */
  GmcpInputRequest *question; /* nullable */
  GTask *task;                /* completed with the answer */
  GSource *cancelled;         /* nullable */
  gboolean is_sent;           /* a client has been asked, which has not answered yet */
} GmcpServerTaskQuestion;

/* Takes end. key is nullable. The task needs input from then on. */
void gmcp_server_task_ask (GmcpServerTask *self,
                           guint kind,
                           const char *method,
                           const char *key,
                           GmcpInputRequest *question,
                           GTask *end);
/* (element-type GmcpServerTaskQuestion): those without an answer; of a task that ended none. */
GPtrArray *gmcp_server_task_get_questions (GmcpServerTask *self);
/* Borrowed; NULL where nothing of that key waits for an answer. */
GmcpServerTaskQuestion *gmcp_server_task_find_question (GmcpServerTask *self, const char *key);
/* Takes the question off the task, and gives what is to be completed with the answer. The task works again where it
 * was the last. */
GTask *gmcp_server_task_take_question (GmcpServerTask *self, GmcpServerTaskQuestion *question);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GmcpServerTask, gmcp_server_task_unref)

G_END_DECLS
