/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include "gmcp-client-served-tasks-private.h"
#include "gmcp-client-task-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"

/* Questions that come as requests of the server. While one is open the time of the calls stands
 * still, since any of them may be what waits for the answer, or for a server that does one thing at a
 * time. */

#define CODE_REFUSED (-1)

typedef struct
{
  GmcpClient *client;        /* not owned */
  GmcpJsonDoc *id;           /* of the request that is to be answered */
  GmcpOwnTask *task;         /* that is, in place of a request; not owned */
  guint serial;              /* of the connection that it came by */
  char *related;             /* the task of the server's that it is about */
  GmcpInputRequest *request; /* not owned, while it is open */
  GSource *timer;
  gboolean is_sampling;
} Question;

static void
question_free (Question *question)
{
  g_source_destroy (question->timer);
  g_source_unref (question->timer);
  gmcp_json_doc_unref (question->id);
  g_free (question->related);
  g_free (question);
}

static void
write_result (GmcpClient *self, GmcpJsonValue id, const char *answer)
{
  g_string_truncate (self->out, 0);
  gmcp_rpc_write_result_start (self->out, id);
  g_string_append (self->out, answer);
  g_string_append_c (self->out, '}');
}

void
gmcp_client_send_request_result (GmcpClient *self, GmcpJsonValue id, const char *answer)
{
  write_result (self, id, answer);
  gmcp_client_reply (self);
}

static void
send_given_result (GmcpClient *self, GmcpJsonValue id, const char *answer)
{
  g_autoptr (GError) error = NULL;

  write_result (self, id, answer);
  if (!gmcp_client_send_out (self, 0, NULL, &error))
    g_debug ("%s: no answer was sent: %s", gmcp_client_describe (self), error->message);
}

void
gmcp_client_send_request_error (GmcpClient *self, GmcpJsonValue id, int code, const char *message)
{
  g_string_truncate (self->out, 0);
  gmcp_rpc_write_error (self->out, id, code, message, NULL);
  gmcp_client_reply (self);
}

void
gmcp_client_stop_clock (GmcpClient *self, GmcpExchange *exchange)
{
  GmcpPendingCall *call = &exchange->pending;

  /* Held, or without a clock, or it stands still already. */
  if (exchange->wait != NULL || call->deadline_us == G_MAXINT64)
    return;
  exchange->stopped_us = g_get_monotonic_time ();
  exchange->left_us = MAX (call->deadline_us - exchange->stopped_us, 1);
  gmcp_pending_calls_set_deadline (self->pending, call, G_MAXINT64);
}

gint64
gmcp_exchange_end_standstill (GmcpExchange *exchange)
{
  gint64 now = g_get_monotonic_time ();
  gint64 left_us = exchange->left_us;

  exchange->cap_us += now - exchange->stopped_us;
  exchange->left_us = 0;
  return MIN (now + left_us, exchange->cap_us);
}

static void
stop_clock (GmcpPendingCall *call, gpointer client)
{
  gmcp_client_stop_clock (client, (GmcpExchange *) call);
}

static void
start_clock (GmcpPendingCall *call, gpointer client)
{
  GmcpClient *self = client;
  GmcpExchange *exchange = (GmcpExchange *) call;

  if (exchange->left_us != 0)
    gmcp_pending_calls_set_deadline (self->pending, call, gmcp_exchange_end_standstill (exchange));
}

/* It is answered or taken back. To be called before anything is sent, which may end the
 * connection. */
static void
take_out (Question *question)
{
  GmcpClient *self = question->client;

  g_queue_remove (&self->input.questions, question);
  if (self->input.questions.length == 0)
    {
      gmcp_pending_calls_foreach (self->pending, start_clock, self);
      gmcp_client_start_task_clocks (self);
    }
}

/* task_id is that of the server's task that the question is about, or NULL. */
static char *
dup_related_answer (const char *answer, const char *task_id)
{
  return task_id != NULL ? gmcp_client_dup_related_answer (answer, task_id) : NULL;
}

static void
send_answer (GmcpClient *self, GmcpJsonValue id, const char *task_id, const char *answer)
{
  g_autofree char *related = dup_related_answer (answer, task_id);

  gmcp_client_send_request_result (self, id, related != NULL ? related : answer);
}

/* refusal is for where there is no answer. */
static void
give_answer (Question *question, const char *answer, const char *refusal)
{
  GmcpClient *self = question->client;
  GmcpJsonValue id = gmcp_json_doc_get_root (question->id);

  if (question->task != NULL)
    {
      gmcp_client_settle_own_task (self, question->task, answer, CODE_REFUSED,
                                   answer != NULL ? NULL : refusal);
      return;
    }
  if (answer == NULL)
    gmcp_client_send_request_error (self, id, CODE_REFUSED, refusal);
  else if (question->is_sampling)
    {
      /* Images perhaps, that the host gave one by one: a server may be slow to read them. */
      g_autofree char *related = dup_related_answer (answer, question->related);

      send_given_result (self, id, related != NULL ? related : answer);
    }
  else
    send_answer (self, id, question->related, answer);
}

static void
on_answer (GmcpInputRequest *request, const char *answer, gpointer data)
{
  Question *question = data;
  g_autoptr (GmcpClient) self G_GNUC_UNUSED = g_object_ref (question->client);

  take_out (question);
  if (GMCP_IS_ELICITATION (request) && gmcp_elicitation_was_accepted (GMCP_ELICITATION (request)))
    gmcp_client_note_visit (self, GMCP_ELICITATION (request));

  give_answer (question, answer, "The user refused the request");
  question_free (question);
}

static gboolean
on_timeout (gpointer data)
{
  Question *question = data;
  g_autoptr (GmcpClient) self = g_object_ref (question->client);
  g_autoptr (GmcpInputRequest) request = g_object_ref (question->request);

  take_out (question);
  /* Who looks at the question may do anything. */
  gmcp_input_request_close (request);
  if (self->state == GMCP_CLIENT_OPEN && self->open_serial == question->serial)
    give_answer (question, GMCP_IS_ELICITATION (request) ? GMCP_ELICITATION_ANSWER_CANCEL : NULL,
                 "The request was not answered in time");
  question_free (question);
  return G_SOURCE_REMOVE;
}

static void
ask (GmcpClient *self, const GmcpRpcMessage *message, GmcpOwnTask *task, GmcpInputRequest *request)
{
  Question *question = g_new0 (Question, 1);

  question->client = self;
  question->id = gmcp_json_value_copy_to_doc (message->id);
  question->task = task;
  question->serial = self->open_serial;
  question->related = gmcp_client_dup_related_task (message->params);
  question->request = request;
  question->is_sampling = GMCP_IS_SAMPLING (request);
  question->timer = g_timeout_source_new (self->input.timeout_ms);
  g_source_set_static_name (question->timer, "[gmcp] question to the user");
  g_source_set_callback (question->timer, on_timeout, question, NULL);
  g_source_attach (question->timer, self->context);

  gmcp_pending_calls_foreach (self->pending, stop_clock, self);
  gmcp_client_stop_task_clocks (self);
  g_queue_push_tail (&self->input.questions, question);
  gmcp_input_request_listen (request, on_answer, question);
  gmcp_client_emit_input_requested (self, request);
}

static int
get_code (const GError *error)
{
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_INPUT_REFUSED))
    return CODE_REFUSED;
  if (g_error_matches (error, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED))
    return GMCP_RPC_ERROR_METHOD_NOT_FOUND;
  return GMCP_RPC_ERROR_INVALID_PARAMS;
}

gboolean
gmcp_client_handle_question (GmcpClient *self, const GmcpRpcMessage *message)
{
  static const char *const methods[] = {
    GMCP_METHOD_ELICITATION_CREATE,
    GMCP_METHOD_SAMPLING_CREATE_MESSAGE,
    GMCP_METHOD_ROOTS_LIST,
  };
  g_autoptr (GmcpInputRequest) request = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = NULL;
  gboolean known = FALSE;
  gboolean done;
  GmcpOwnTask *task;

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    known = known || gmcp_json_value_equals_string (message->method, methods[i]);
  if (!known)
    return FALSE;

  if (self->input.questions.length >= GMCP_LIMIT_INPUT_REQUESTS)
    {
      gmcp_client_send_request_error (self, message->id, CODE_REFUSED,
                                      "Too many requests wait for the user");
      return TRUE;
    }

  request = gmcp_client_make_input_request (self, NULL, message->method, message->params, &answer,
                                            &error);
  if (request != NULL)
    {
      task = gmcp_client_make_own_task (self, message, &done);
      if (!done)
        ask (self, message, task, request);
    }
  else if (answer != NULL)
    {
      g_autofree char *related = gmcp_client_dup_related_task (message->params);

      send_answer (self, message->id, related, answer);
    }
  else
    {
      g_debug ("%s", error->message);
      gmcp_client_send_request_error (self, message->id, get_code (error), error->message);
    }
  return TRUE;
}

static void
take_back (Question *question)
{
  GmcpInputRequest *request = question->request;

  take_out (question);
  question_free (question);
  gmcp_input_request_close (request);
}

void
gmcp_client_cancel_question (GmcpClient *self, GmcpJsonValue id)
{
  for (GList *link = self->input.questions.head; link != NULL; link = link->next)
    {
      Question *question = link->data;

      /* The request of a task has been answered. */
      if (question->task == NULL
          && gmcp_json_value_equal (gmcp_json_doc_get_root (question->id), id))
        {
          take_back (question);
          return;
        }
    }
}

void
gmcp_client_withdraw_question (GmcpClient *self, GmcpOwnTask *task)
{
  for (GList *link = self->input.questions.head; link != NULL; link = link->next)
    {
      Question *question = link->data;

      if (question->task == task)
        {
          take_back (question);
          return;
        }
    }
}

void
gmcp_client_close_questions (GmcpClient *self)
{
  Question *question;

  while ((question = g_queue_peek_head (&self->input.questions)) != NULL)
    take_back (question);
  g_ptr_array_set_size (self->input.visits, 0);
}

void
gmcp_client_note_visit (GmcpClient *self, GmcpElicitation *elicitation)
{
  if (gmcp_elicitation_get_elicitation_id (elicitation) == NULL)
    return;

  if (self->input.visits->len >= GMCP_LIMIT_INPUT_REQUESTS)
    g_ptr_array_remove_index (self->input.visits, 0);
  g_ptr_array_add (self->input.visits, g_object_ref (elicitation));
}

void
gmcp_client_complete_visit (GmcpClient *self, GmcpJsonValue params)
{
  GmcpJsonValue id = gmcp_json_value_get_member (params, "elicitationId");

  for (guint i = 0; i < self->input.visits->len; i++)
    {
      GmcpElicitation *elicitation = g_ptr_array_index (self->input.visits, i);

      if (gmcp_json_value_equals_string (id, gmcp_elicitation_get_elicitation_id (elicitation)))
        {
          g_autoptr (GmcpElicitation) done = g_ptr_array_steal_index (self->input.visits, i);

          gmcp_elicitation_complete (done);
          return;
        }
    }
}
