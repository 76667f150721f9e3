/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-protocol-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-era-legacy-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-questions-private.h"
#include "gmcp-server-tools-private.h"
#include "gmcp-tool-result-private.h"

/* The result of a task, and the clients that wait for it: they are asked meanwhile what the task needs to know. */

typedef struct
{
  GmcpServerExchange *exchange; /* owned, kept */
  GmcpServerTask *task;         /* owned */
} Waiter;

static void on_awaited_changed (GmcpServerTask *task, gpointer data);

static void
waiter_free (Waiter *waiter)
{
  gmcp_server_task_unwatch (waiter->task, on_awaited_changed, waiter);
  gmcp_server_questions_close (gmcp_server_exchange_get_connection (waiter->exchange), waiter);
  gmcp_server_task_unref (waiter->task);
  gmcp_server_exchange_free (waiter->exchange);
  g_free (waiter);
}

static void
write_related_meta (GmcpJsonWriter *writer, GmcpJsonValue meta, const char *id)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_writer_key (writer, GMCP_MEMBER_META);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_key (writer, GMCP_META_RELATED_TASK);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "taskId", id);
  gmcp_json_writer_end_object (writer);
  if (gmcp_json_value_is_object (meta))
    {
      gmcp_json_iter_init (&iter, meta);
      while (gmcp_json_iter_next (&iter, &key, &value))
        {
          g_autofree char *name = gmcp_json_value_dup_string (key);

          if (strcmp (name, GMCP_META_RELATED_TASK) != 0)
            gmcp_json_writer_member_value (writer, name, value);
        }
    }
  gmcp_json_writer_end_object (writer);
}

static void
reply_outcome (GmcpServerExchange *exchange, GmcpServerTask *task)
{
  GmcpToolResult *result = gmcp_server_task_get_result (task);
  GmcpJsonWriter writer;

  if (result == NULL)
    {
      gmcp_server_exchange_reply_error (exchange, gmcp_server_task_get_error_code (task),
                                        gmcp_server_task_get_error_message (task),
                                        gmcp_server_task_get_error_data_json (task));
      return;
    }

  writer = gmcp_server_exchange_begin_result (exchange, GMCP_JSON_NONE);
  write_related_meta (&writer, gmcp_tool_result_get_meta (result), gmcp_server_task_get_id (task));
  gmcp_server_tools_write_result (exchange, &writer, result);
  gmcp_server_exchange_end_result (exchange, &writer);
}

/* A question that was put to a client in the course of its request for the result. */
typedef struct
{
  GmcpServerTask *task; /* owned */
  char *key;
} Asking;

static void
asking_free (Asking *asking)
{
  gmcp_server_task_unref (asking->task);
  g_free (asking->key);
  g_free (asking);
}

/* Where the client that was asked has gone, the question waits for the next one. */
static void
on_question_answered (GObject *source, GAsyncResult *result, gpointer data)
{
  Asking *asking = data;
  GmcpServerTaskQuestion *question = gmcp_server_task_find_question (asking->task, asking->key);
  g_autoptr (GError) error = NULL;
  gpointer answer = g_task_propagate_pointer (G_TASK (result), &error);
  gboolean is_roots
    = g_task_get_task_data (G_TASK (result)) == GUINT_TO_POINTER (GMCP_SERVER_QUESTION_ROOTS);
  GDestroyNotify destroy = is_roots ? (GDestroyNotify) g_ptr_array_unref : g_free;

  if (question != NULL && error != NULL && error->domain == GMCP_ERROR
      && error->code != GMCP_ERROR_PROTOCOL)
    {
      question->is_sent = FALSE;
    }
  else if (question != NULL)
    {
      g_autoptr (GTask) end = gmcp_server_task_take_question (asking->task, question);

      if (error != NULL)
        g_task_return_error (end, g_steal_pointer (&error));
      else
        g_task_return_pointer (end, g_steal_pointer (&answer), destroy);
    }
  if (answer != NULL)
    destroy (answer);
  asking_free (asking);
}

static void
send_questions (Waiter *waiter)
{
  GPtrArray *questions = gmcp_server_task_get_questions (waiter->task);
  const char *id = gmcp_server_task_get_id (waiter->task);

  for (guint i = 0; i < questions->len; i++)
    {
      GmcpServerTaskQuestion *question = g_ptr_array_index (questions, i);
      Asking *asking;
      GTask *task;

      if (question->is_sent)
        continue;

      question->is_sent = TRUE;
      asking = g_new (Asking, 1);
      asking->task = gmcp_server_task_ref (waiter->task);
      asking->key = g_strdup (question->key);
      task = g_task_new (NULL, NULL, on_question_answered, asking);
      g_task_set_source_tag (task, send_questions);
      g_task_set_task_data (task, GUINT_TO_POINTER (question->kind), NULL);
      gmcp_server_questions_ask (waiter->exchange, waiter, question->kind, question->question, id,
                                 task);
    }
}

static void
on_awaited_changed (GmcpServerTask *task, gpointer data)
{
  Waiter *waiter = data;

  if (!gmcp_server_task_is_final (task))
    {
      send_questions (waiter);
      return;
    }
  reply_outcome (waiter->exchange, task);
  waiter_free (waiter);
}

static void
on_waiter_ended (GmcpServerExchange *exchange, gpointer data)
{
  waiter_free (data);
}

void
gmcp_server_era_legacy_await_result (GmcpServerExchange *exchange, GmcpServerTask *task)
{
  Waiter *waiter;

  if (gmcp_server_task_is_final (task))
    {
      reply_outcome (exchange, task);
      return;
    }

  waiter = g_new0 (Waiter, 1);
  if (!gmcp_server_task_watch (task, on_awaited_changed, waiter))
    {
      g_free (waiter);
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INTERNAL,
                                        "Internal error: too many wait for the task", NULL);
      return;
    }

  waiter->exchange = gmcp_server_exchange_keep (exchange, on_waiter_ended, waiter);
  if (waiter->exchange == NULL)
    {
      gmcp_server_task_unwatch (task, on_awaited_changed, waiter);
      g_free (waiter);
      return;
    }
  waiter->task = gmcp_server_task_ref (task);
  send_questions (waiter);
}
