/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-input-request-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-caller-private.h"
#include "gmcp-server-era-modern-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-task-call-private.h"
#include "gmcp-task-state-private.h"
#include "gmcp-tool-result-private.h"

/* The extension io.modelcontextprotocol/tasks: the server decides which calls become tasks, and the description of
 * one carries all that there is to know, its result and its questions too. */

static gboolean
declares_tasks (GmcpServerExchange *exchange)
{
  GmcpJsonValue capabilities = gmcp_json_value_get_member (gmcp_server_exchange_get_meta (exchange),
                                                           GMCP_META_CLIENT_CAPABILITIES);

  return gmcp_json_value_is_object (gmcp_json_value_get_member (
    gmcp_json_value_get_member (capabilities, "extensions"), GMCP_EXTENSION_TASKS));
}

gboolean
gmcp_server_era_modern_check_tasks (GmcpServerExchange *exchange)
{
  if (declares_tasks (exchange))
    return TRUE;

  gmcp_server_exchange_reply_error (
    exchange, GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY,
    "The request needs a capability that the client does not have",
    "{\"requiredCapabilities\":{\"extensions\":{\"" GMCP_EXTENSION_TASKS "\":{}}}}");
  return FALSE;
}

static GmcpServerTaskWish
wish_task (gpointer state, GmcpServerExchange *exchange, GmcpTaskSupport support)
{
  if (support == GMCP_TASK_SUPPORT_REQUIRED)
    return gmcp_server_era_modern_check_tasks (exchange) ? GMCP_SERVER_TASK_YES
                                                         : GMCP_SERVER_TASK_REFUSED;
  return support == GMCP_TASK_SUPPORT_OPTIONAL && declares_tasks (exchange) ? GMCP_SERVER_TASK_YES
                                                                            : GMCP_SERVER_TASK_NO;
}

/* Clients of this era have no say in it. */
static gint64
get_ttl_ms (GmcpServerExchange *exchange)
{
  return 0;
}

/* Writing */

static void
write_state (GmcpJsonWriter *writer, GmcpServerTask *task, GmcpTaskStatus status)
{
  gmcp_json_writer_member_string (writer, "taskId", gmcp_server_task_get_id (task));
  gmcp_json_writer_member_string (writer, "status", gmcp_task_status_to_string (status));
  if (gmcp_server_task_get_message (task) != NULL)
    gmcp_json_writer_member_string (writer, "statusMessage", gmcp_server_task_get_message (task));
  gmcp_task_write_time (writer, "createdAt", gmcp_server_task_get_created_at (task));
  gmcp_task_write_time (writer, "lastUpdatedAt", gmcp_server_task_get_updated_at (task));
  gmcp_json_writer_member_int64 (writer, "ttlMs", gmcp_server_task_get_ttl_ms (task));
  gmcp_json_writer_member_int64 (writer, "pollIntervalMs",
                                 gmcp_server_task_get_poll_interval_ms (task));
}

static void
write_questions (GmcpJsonWriter *writer, GmcpServerTask *task)
{
  GPtrArray *questions = gmcp_server_task_get_questions (task);

  gmcp_json_writer_key (writer, "inputRequests");
  gmcp_json_writer_begin_object (writer);
  for (guint i = 0; i < questions->len; i++)
    {
      GmcpServerTaskQuestion *question = g_ptr_array_index (questions, i);

      gmcp_json_writer_key (writer, question->key);
      gmcp_server_question_write (writer, question->method, question->question);
    }
  gmcp_json_writer_end_object (writer);
}

static void
write_error (GmcpJsonWriter *writer, GmcpServerTask *task)
{
  const char *data = gmcp_server_task_get_error_data_json (task);

  gmcp_json_writer_key (writer, "error");
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_int64 (writer, "code", gmcp_server_task_get_error_code (task));
  gmcp_json_writer_member_string (writer, "message", gmcp_server_task_get_error_message (task));
  if (data != NULL)
    {
      gmcp_json_writer_key (writer, "data");
      gmcp_json_writer_raw (writer, data, -1);
    }
  gmcp_json_writer_end_object (writer);
}

/* As the call itself would have been answered. */
static void
write_result (GmcpJsonWriter *writer, GmcpServerTask *task)
{
  GmcpToolResult *result = gmcp_server_task_get_result (task);
  GmcpJsonValue meta = gmcp_tool_result_get_meta (result);

  gmcp_json_writer_key (writer, "result");
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, GMCP_MEMBER_RESULT_TYPE, GMCP_RESULT_TYPE_COMPLETE);
  if (gmcp_json_value_is_object (meta))
    gmcp_json_writer_member_value (writer, GMCP_MEMBER_META, meta);
  gmcp_tool_result_write_members (result, writer);
  gmcp_json_writer_end_object (writer);
}

void
gmcp_server_era_modern_write_task (GmcpJsonWriter *writer, GmcpServerTask *task)
{
  GmcpTaskStatus status = gmcp_server_task_get_status (task);

  write_state (writer, task, status);
  switch (status)
    {
    case GMCP_TASK_STATUS_INPUT_REQUIRED:
      write_questions (writer, task);
      break;
    case GMCP_TASK_STATUS_COMPLETED:
      write_result (writer, task);
      break;
    case GMCP_TASK_STATUS_FAILED:
      write_error (writer, task);
      break;
    case GMCP_TASK_STATUS_WORKING:
    case GMCP_TASK_STATUS_CANCELLED:
    default:
      break;
    }
}

static void
reply_created (GmcpServerExchange *exchange, GmcpServerTask *task)
{
  GmcpJsonWriter writer = gmcp_server_era_modern_begin_result (exchange, GMCP_RESULT_TYPE_TASK);

  write_state (&writer, task, GMCP_TASK_STATUS_WORKING);
  gmcp_server_exchange_end_result (exchange, &writer);
}

/* Methods */

/* NULL: the request has been answered. */
static GmcpServerTask *
find_task (GmcpServerExchange *exchange)
{
  GmcpJsonValue value
    = gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "taskId");
  g_autofree char *id = gmcp_json_value_dup_string (value);
  GmcpServerTask *task = NULL;

  if (!gmcp_server_era_modern_check_tasks (exchange))
    return NULL;

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
reply_empty (GmcpServerExchange *exchange)
{
  GmcpJsonWriter writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);

  gmcp_server_exchange_end_result (exchange, &writer);
}

static void
handle_get (GmcpServerExchange *exchange)
{
  GmcpServerTask *task = find_task (exchange);
  GmcpJsonWriter writer;

  if (task == NULL)
    return;

  writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);
  gmcp_server_era_modern_write_task (&writer, task);
  gmcp_server_exchange_end_result (exchange, &writer);
}

static void
handle_cancel (GmcpServerExchange *exchange)
{
  GmcpServerTask *task = find_task (exchange);
  g_autoptr (GmcpServerTask) alive = NULL;

  if (task == NULL)
    return;

  /* What the end of the task brings about may end the connection, too. */
  alive = gmcp_server_task_ref (task);
  reply_empty (exchange);
  gmcp_server_task_cancel (task);
}

/* An answer to nothing that was asked is ignored, as the specification has it; one that is none is told of, since the
 * question would wait for ever. */
static void
take_answers (GmcpServerTask *task, GmcpJsonValue answers, char **wrong)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue answer;

  gmcp_json_iter_init (&iter, answers);
  while (gmcp_json_iter_next (&iter, &key, &answer))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      GmcpServerTaskQuestion *question = gmcp_server_task_find_question (task, name);
      g_autoptr (GError) error = NULL;

      if (question != NULL && !gmcp_server_task_take_answer (task, question, answer, &error))
        {
          g_autofree char *quoted = gmcp_server_quote (key);

          g_free (*wrong);
          *wrong = g_strdup_printf ("Invalid params: the answer to %s: %s", quoted, error->message);
        }
    }
}

static void
handle_update (GmcpServerExchange *exchange)
{
  GmcpServerTask *task = find_task (exchange);
  GmcpJsonValue answers
    = gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), "inputResponses");
  g_autoptr (GmcpServerTask) alive = NULL;
  g_autofree char *wrong = NULL;

  if (task == NULL)
    return;

  alive = gmcp_server_task_ref (task);
  if (!gmcp_json_value_is_object (answers))
    wrong = g_strdup ("Invalid params: inputResponses has to be an object");
  else
    take_answers (task, answers, &wrong);

  /* Whoever was told of the change may have ended the server. */
  if (gmcp_server_exchange_get_server (exchange) == NULL)
    return;
  if (wrong == NULL)
    reply_empty (exchange);
  else
    gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS, wrong, NULL);
}

const GmcpServerMethod gmcp_server_era_modern_task_methods[] = {
  { GMCP_METHOD_TASKS_GET, handle_get, GMCP_SERVER_SUBJECT_TASKS },
  { GMCP_METHOD_TASKS_UPDATE, handle_update, GMCP_SERVER_SUBJECT_TASKS },
  { GMCP_METHOD_TASKS_CANCEL, handle_cancel, GMCP_SERVER_SUBJECT_TASKS },
  { NULL },
};

const GmcpServerEraTasks gmcp_server_era_modern_tasks = {
  .wish = wish_task,
  .get_ttl_ms = get_ttl_ms,
  .reply_created = reply_created,
};
