/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include <gmcp/transport/gmcp-stream-transport.h>

#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-era-legacy-private.h"
#include "gmcp-server-private.h"
#include "gmcp-task-state-private.h"
#include "gmcp-tool-result-private.h"
#include "gmcp-transport-private.h"

/* The tasks of 2025-11-25: the client decides which calls become tasks, and fetches their results with a request of
 * its own, which waits for the end of the task. It is in the course of that request that the client is asked. */

#define METHOD_RESULT            "tasks/result"
#define METHOD_LIST              "tasks/list"
#define NOTIFICATION_TASK_STATUS "notifications/tasks/status"

/* Whether a request is of the revision that has tasks, on a server that has some. */
static gboolean
has_tasks (GmcpServerExchange *exchange)
{
  return strcmp (gmcp_server_exchange_get_protocol_version (exchange),
                 GMCP_PROTOCOL_VERSION_2025_11_25)
           == 0
         && gmcp_server_catalog_has (
           gmcp_server_get_catalog (gmcp_server_exchange_get_server (exchange)),
           GMCP_SERVER_SUBJECT_TASKS);
}

/* Whoever has not said who he is would see the tasks of all others of that kind, unless there can be no others, as
 * there are over HTTP and sockets. */
static gboolean
may_list (GmcpServerExchange *exchange)
{
  GmcpTransport *transport
    = gmcp_server_connection_get_transport (gmcp_server_exchange_get_connection (exchange));

  if (!gmcp_server_get_lists_tasks (gmcp_server_exchange_get_server (exchange)))
    return FALSE;

  return *gmcp_server_exchange_get_owner (exchange) != '\0'
         || (!gmcp_transport_has_request_streams (transport)
             && !GMCP_IS_STREAM_TRANSPORT (transport));
}

void
gmcp_server_era_legacy_write_task_capability (GmcpServerExchange *exchange, GmcpJsonWriter *writer)
{
  gmcp_json_writer_key (writer, "tasks");
  gmcp_json_writer_begin_object (writer);
  if (may_list (exchange))
    gmcp_json_writer_member_empty (writer, "list");
  gmcp_json_writer_member_empty (writer, "cancel");
  gmcp_json_writer_key (writer, "requests");
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_key (writer, "tools");
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_empty (writer, "call");
  gmcp_json_writer_end_object (writer);
  gmcp_json_writer_end_object (writer);
  gmcp_json_writer_end_object (writer);
}

static GmcpJsonValue
get_wish (GmcpServerExchange *exchange)
{
  return gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "task");
}

static GmcpServerTaskWish
wish_task (gpointer state, GmcpServerExchange *exchange, GmcpTaskSupport support)
{
  gboolean wanted = gmcp_json_value_is_object (get_wish (exchange));

  if (!has_tasks (exchange))
    return GMCP_SERVER_TASK_NO;
  if (wanted == (support != GMCP_TASK_SUPPORT_FORBIDDEN))
    return wanted ? GMCP_SERVER_TASK_YES : GMCP_SERVER_TASK_NO;
  if (support == GMCP_TASK_SUPPORT_OPTIONAL)
    return GMCP_SERVER_TASK_NO;

  gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_METHOD_NOT_FOUND,
                                    wanted
                                      ? "Method not found: the tool cannot be called as a task"
                                      : "Method not found: the tool can only be called as a task",
                                    NULL);
  return GMCP_SERVER_TASK_REFUSED;
}

static gint64
get_ttl_ms (GmcpServerExchange *exchange)
{
  gint64 ttl_ms = 0;

  gmcp_json_value_get_int64 (gmcp_json_value_get_member (get_wish (exchange), "ttl"), &ttl_ms);
  return ttl_ms;
}

/* Writing */

/* A result that says that the tool failed is a task that failed. */
static GmcpTaskStatus
get_status (GmcpServerTask *task)
{
  GmcpTaskStatus status = gmcp_server_task_get_status (task);

  if (status == GMCP_TASK_STATUS_COMPLETED
      && gmcp_tool_result_is_error (gmcp_server_task_get_result (task)))
    return GMCP_TASK_STATUS_FAILED;
  return status;
}

static void
write_state (GmcpJsonWriter *writer, GmcpServerTask *task, GmcpTaskStatus status)
{
  gmcp_json_writer_member_string (writer, "taskId", gmcp_server_task_get_id (task));
  gmcp_json_writer_member_string (writer, "status", gmcp_task_status_to_string (status));
  if (gmcp_server_task_get_message (task) != NULL)
    gmcp_json_writer_member_string (writer, "statusMessage", gmcp_server_task_get_message (task));
  gmcp_task_write_time (writer, "createdAt", gmcp_server_task_get_created_at (task));
  gmcp_task_write_time (writer, "lastUpdatedAt", gmcp_server_task_get_updated_at (task));
  gmcp_json_writer_member_int64 (writer, "ttl", gmcp_server_task_get_ttl_ms (task));
  gmcp_json_writer_member_int64 (writer, "pollInterval",
                                 gmcp_server_task_get_poll_interval_ms (task));
}

static void
reply_state (GmcpServerExchange *exchange, GmcpServerTask *task)
{
  GmcpJsonWriter writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);

  write_state (&writer, task, get_status (task));
  gmcp_server_exchange_end_result (exchange, &writer);
}

/* Telling of changes */

struct _GmcpServerToldTasks
{
  GmcpServerConnection *connection; /* not owned */
  GPtrArray *tasks;                 /* of GmcpServerTask */
};

static void
tell_status (GmcpServerTask *task, gpointer data)
{
  GmcpServerToldTasks *self = data;
  GmcpServerOutbox *outbox = gmcp_server_connection_get_outbox (self->connection);
  GmcpJsonWriter writer = gmcp_server_outbox_begin_notification (outbox, NOTIFICATION_TASK_STATUS);

  write_state (&writer, task, get_status (task));
  if (gmcp_server_task_is_final (task))
    {
      gmcp_server_task_unwatch (task, tell_status, self);
      g_ptr_array_remove_fast (self->tasks, task);
    }
  gmcp_server_outbox_send_notification (outbox, &writer, NOTIFICATION_TASK_STATUS, GMCP_JSON_NONE);
}

GmcpServerToldTasks *
gmcp_server_told_tasks_new (GmcpServerConnection *connection)
{
  GmcpServerToldTasks *self = g_new0 (GmcpServerToldTasks, 1);

  self->connection = connection;
  self->tasks = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_server_task_unref);
  return self;
}

void
gmcp_server_told_tasks_free (GmcpServerToldTasks *self)
{
  for (guint i = 0; i < self->tasks->len; i++)
    gmcp_server_task_unwatch (g_ptr_array_index (self->tasks, i), tell_status, self);
  g_ptr_array_unref (self->tasks);
  g_free (self);
}

static void
reply_created (GmcpServerExchange *exchange, GmcpServerTask *task)
{
  GmcpServerConnection *connection = gmcp_server_exchange_get_connection (exchange);
  GmcpServerToldTasks *told = gmcp_server_era_legacy_get_told_tasks (connection);
  GmcpJsonWriter writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);

  gmcp_json_writer_key (&writer, "task");
  gmcp_json_writer_begin_object (&writer);
  write_state (&writer, task, GMCP_TASK_STATUS_WORKING);
  gmcp_json_writer_end_object (&writer);
  gmcp_server_exchange_end_result (exchange, &writer);

  if (gmcp_server_connection_is_closed (connection) || gmcp_server_task_is_final (task)
      || !gmcp_server_task_watch (task, tell_status, told))
    return;
  g_ptr_array_add (told->tasks, gmcp_server_task_ref (task));
}

/* Methods */

/* NULL: the request has been answered. */
static GmcpServerTask *
find_task (GmcpServerExchange *exchange)
{
  g_autofree char *id = gmcp_json_value_dup_string (
    gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "taskId"));
  GmcpServerTask *task = NULL;

  if (id != NULL)
    task
      = gmcp_server_tasks_find (gmcp_server_get_tasks (gmcp_server_exchange_get_server (exchange)),
                                gmcp_server_exchange_get_owner (exchange), id);
  if (task == NULL)
    gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                      id != NULL ? "Invalid params: there is no such task; perhaps "
                                                   "it has expired"
                                                 : "Invalid params: taskId is missing or no string",
                                      NULL);
  return task;
}

static void
handle_get (GmcpServerExchange *exchange)
{
  GmcpServerTask *task = find_task (exchange);

  if (task != NULL)
    reply_state (exchange, task);
}

static void
handle_result (GmcpServerExchange *exchange)
{
  GmcpServerTask *task = find_task (exchange);

  if (task != NULL)
    gmcp_server_era_legacy_await_result (exchange, task);
}

static void
handle_cancel (GmcpServerExchange *exchange)
{
  GmcpServerTask *task = find_task (exchange);
  g_autoptr (GmcpServerTask) alive = NULL;
  gboolean cancelled;

  if (task == NULL)
    return;

  alive = gmcp_server_task_ref (task);
  cancelled = gmcp_server_task_cancel (task);
  /* What the end has brought about may have ended the server. */
  if (gmcp_server_exchange_get_server (exchange) == NULL)
    return;
  if (cancelled)
    reply_state (exchange, task);
  else
    gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                      "Invalid params: the task has ended already", NULL);
}

static void
handle_list (GmcpServerExchange *exchange)
{
  GmcpServerTasks *tasks = gmcp_server_get_tasks (gmcp_server_exchange_get_server (exchange));
  const char *owner = gmcp_server_exchange_get_owner (exchange);
  GmcpJsonValue cursor
    = gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "cursor");
  g_autofree char *text = gmcp_json_value_dup_string (cursor);
  GmcpServerTask *after = text != NULL ? gmcp_server_tasks_find (tasks, owner, text) : NULL;
  g_autoptr (GPtrArray) page = NULL;
  GmcpJsonWriter writer;

  if (!may_list (exchange))
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_METHOD_NOT_FOUND,
                                        "Method not found: " METHOD_LIST, NULL);
      return;
    }
  if (gmcp_json_value_is_present (cursor) && after == NULL)
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                        "Invalid params: the cursor is none that this server gave; "
                                        "begin again without one",
                                        NULL);
      return;
    }

  page = gmcp_server_tasks_list (tasks, owner, after, GMCP_LIMIT_SERVER_TASKS_PAGE + 1);
  writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);
  gmcp_json_writer_key (&writer, "tasks");
  gmcp_json_writer_begin_array (&writer);
  for (guint i = 0; i < MIN (page->len, GMCP_LIMIT_SERVER_TASKS_PAGE); i++)
    {
      gmcp_json_writer_begin_object (&writer);
      write_state (&writer, g_ptr_array_index (page, i), get_status (g_ptr_array_index (page, i)));
      gmcp_json_writer_end_object (&writer);
    }
  gmcp_json_writer_end_array (&writer);
  if (page->len > GMCP_LIMIT_SERVER_TASKS_PAGE)
    gmcp_json_writer_member_string (
      &writer, GMCP_MEMBER_NEXT_CURSOR,
      gmcp_server_task_get_id (g_ptr_array_index (page, GMCP_LIMIT_SERVER_TASKS_PAGE - 1)));
  gmcp_server_exchange_end_result (exchange, &writer);
}

const GmcpServerMethod gmcp_server_era_legacy_task_methods[] = {
  { GMCP_METHOD_TASKS_GET, handle_get, GMCP_SERVER_SUBJECT_TASKS },
  { METHOD_RESULT, handle_result, GMCP_SERVER_SUBJECT_TASKS },
  { METHOD_LIST, handle_list, GMCP_SERVER_SUBJECT_TASKS },
  { GMCP_METHOD_TASKS_CANCEL, handle_cancel, GMCP_SERVER_SUBJECT_TASKS },
  { NULL },
};

const GmcpServerEraTasks gmcp_server_era_legacy_tasks = {
  .wish = wish_task,
  .get_ttl_ms = get_ttl_ms,
  .reply_created = reply_created,
  .has_to_be_made = TRUE,
  .tells_progress = TRUE,
};
