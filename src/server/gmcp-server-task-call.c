/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-task-call-private.h"

#include "gmcp-i18n-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-questions-private.h"
#include "gmcp-transport-private.h"

typedef enum
{
  CALL_STARTED, /* a task with the next turn of the main loop */
  CALL_HELD,    /* a task when the handler says so */
  CALL_MAKING,  /* the task is there, and its client waits to be told of it */
  CALL_MADE,
  CALL_ENDED, /* without a task */
} CallState;

struct _GmcpServerTaskCall
{
  GmcpServerCaller *caller; /* not owned */
  CallState state;
  GmcpServerTask *task; /* nullable */
  GSource *start;       /* nullable */
  char *message;        /* nullable: what the handler has reported before there is a task */
};

GmcpServerTaskCall *
gmcp_server_task_call_new (GmcpServerCaller *caller)
{
  GmcpServerTaskCall *self = g_new0 (GmcpServerTaskCall, 1);

  self->caller = caller;
  return self;
}

static void
clear_start (GmcpServerTaskCall *self)
{
  if (self->start == NULL)
    return;

  g_source_destroy (self->start);
  g_clear_pointer (&self->start, g_source_unref);
}

void
gmcp_server_task_call_free (GmcpServerTaskCall *self)
{
  clear_start (self);
  g_clear_pointer (&self->task, gmcp_server_task_unref);
  g_free (self->message);
  g_free (self);
}

GmcpServerTask *
gmcp_server_task_call_get_task (GmcpServerTaskCall *self)
{
  return self->task;
}

static const GmcpServerEraTasks *
get_era_tasks (GmcpServerTaskCall *self)
{
  return gmcp_server_exchange_get_era (gmcp_server_caller_get_exchange (self->caller))->tasks;
}

/* Making the task */

/* The caller, which it holds, and the exchange live until here. */
static void
on_made (GmcpServerTask *task, const GError *error, gpointer data)
{
  g_autoptr (GmcpServerCaller) caller = data;
  GmcpServerTaskCall *self = gmcp_server_caller_get_task_call (caller);
  GmcpServerExchange *exchange = gmcp_server_caller_get_exchange (caller);
  GmcpServer *server = gmcp_server_exchange_get_server (exchange);
  gboolean is_wanted = server != NULL && !gmcp_server_exchange_is_closed (exchange);

  self->state = CALL_MADE;
  if (error == NULL && is_wanted)
    {
      get_era_tasks (self)->reply_created (exchange, task);
      return;
    }

  /* Nobody would know of the task. */
  if (server != NULL)
    gmcp_server_tasks_drop (gmcp_server_get_tasks (server), task);
  if (is_wanted)
    gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INTERNAL,
                                      "Internal error: the task could not be kept", NULL);
}

static void
make_task (GmcpServerTaskCall *self)
{
  GmcpServerExchange *exchange = gmcp_server_caller_get_exchange (self->caller);
  GmcpServer *server = gmcp_server_exchange_get_server (exchange);
  GmcpServerTasks *tasks;
  g_autoptr (GError) error = NULL;

  clear_start (self);
  self->state = CALL_ENDED;
  if (server == NULL || gmcp_server_exchange_is_closed (exchange))
    return;

  tasks = gmcp_server_get_tasks (server);
  self->task = gmcp_server_tasks_make (tasks, gmcp_server_exchange_get_owner (exchange),
                                       gmcp_server_caller_get_item (self->caller)->key,
                                       get_era_tasks (self)->get_ttl_ms (exchange),
                                       gmcp_server_exchange_get_message_bytes (exchange),
                                       gmcp_server_caller_get_cancellable (self->caller), &error);
  if (self->task == NULL)
    {
      g_autoptr (GCancellable) cancellable
        = g_object_ref (gmcp_server_caller_get_cancellable (self->caller));

      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INTERNAL, error->message, NULL);
      g_cancellable_cancel (cancellable);
      return;
    }

  gmcp_server_task_ref (self->task);
  gmcp_server_task_set_message (self->task, self->message);
  self->state = CALL_MAKING;
  gmcp_server_tasks_keep (tasks, self->task, on_made, gmcp_server_caller_ref (self->caller));
}

static gboolean
on_start (gpointer data)
{
  GmcpServerTaskCall *self = data;
  g_autoptr (GmcpServerCaller) alive G_GNUC_UNUSED = gmcp_server_caller_ref (self->caller);

  make_task (self);
  return G_SOURCE_REMOVE;
}

void
gmcp_server_task_call_start (GmcpServerTaskCall *self)
{
  GmcpServerExchange *exchange = gmcp_server_caller_get_exchange (self->caller);
  GmcpTransport *transport;

  if (self->state != CALL_STARTED || self->start != NULL
      || gmcp_server_exchange_is_closed (exchange))
    return;

  transport = gmcp_server_connection_get_transport (gmcp_server_exchange_get_connection (exchange));
  self->start = g_idle_source_new ();
  g_source_set_priority (self->start, G_PRIORITY_DEFAULT);
  g_source_set_static_name (self->start, "[gmcp] call that becomes a task");
  g_source_set_callback (self->start, on_start, self, NULL);
  g_source_attach (self->start, gmcp_transport_get_context (transport));
}

gboolean
gmcp_server_task_call_hold (GmcpServerTaskCall *self)
{
  if (self->state != CALL_STARTED)
    return self->state == CALL_HELD;

  clear_start (self);
  self->state = CALL_HELD;
  return TRUE;
}

gboolean
gmcp_server_task_call_begin (GmcpServerTaskCall *self)
{
  if (self->state == CALL_HELD || self->state == CALL_STARTED)
    make_task (self);
  return self->task != NULL;
}

GmcpServerTask *
gmcp_server_task_call_take_outcome (GmcpServerTaskCall *self)
{
  /* In the legacy era a call that was made as a task is answered with one, however soon it has ended. */
  if ((self->state == CALL_STARTED || self->state == CALL_HELD)
      && get_era_tasks (self)->has_to_be_made)
    make_task (self);
  clear_start (self);
  if (self->task == NULL)
    self->state = CALL_ENDED;
  return self->task;
}

/* What the handler says */

void
gmcp_server_task_call_report (GmcpServerTaskCall *self,
                              double progress,
                              double total,
                              const char *message)
{
  char *words = g_strdup (message);

  if (words == NULL && total > 0 && progress >= 0 && progress <= total)
    words = g_strdup_printf ("%u %%", (guint) (progress / total * 100));
  g_free (self->message);
  self->message = words;
  if (self->task != NULL)
    gmcp_server_task_set_message (self->task, words);
}

gboolean
gmcp_server_task_call_ask (GmcpServerTaskCall *self,
                           GmcpServerQuestionKind kind,
                           GmcpInputRequest *question,
                           GTask *end)
{
  GmcpServerExchange *exchange = gmcp_server_caller_get_exchange (self->caller);
  const GmcpServerEra *era = gmcp_server_exchange_get_era (exchange);
  g_autoptr (GTask) owned = NULL;

  if (self->state == CALL_STARTED)
    make_task (self);
  if (self->task == NULL)
    return FALSE;

  owned = end;
  if (!era->takes_question (
        gmcp_server_connection_get_state (gmcp_server_exchange_get_connection (exchange), era),
        exchange, kind))
    g_task_return_new_error (end, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, "%s",
                             _ ("The client has said that it cannot be asked this"));
  else
    gmcp_server_task_ask (self->task, kind, gmcp_server_question_get_method (kind),
                          question != NULL ? gmcp_input_request_get_key (question) : NULL, question,
                          g_steal_pointer (&owned));
  return TRUE;
}

gboolean
gmcp_server_task_take_answer (GmcpServerTask *task,
                              GmcpServerTaskQuestion *question,
                              GmcpJsonValue answer,
                              GError **error)
{
  GmcpServerQuestionKind kind = question->kind;
  char *text = gmcp_server_question_read_answer (kind, question->question, answer, error);
  g_autoptr (GTask) end = NULL;

  if (text == NULL)
    return FALSE;

  end = gmcp_server_task_take_question (task, question);
  gmcp_server_question_return_answer (kind, text, end);
  return TRUE;
}
