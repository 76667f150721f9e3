/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-requests-private.h"

#include <gmcp/protocol/questions/gmcp-sampling.h>

#include "gmcp-call-options-private.h"
#include "gmcp-input-private.h"

#include "gmcp-served-tasks-private.h"
#include "gmcp-tasks-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-visits-private.h"

/* Questions that come as requests of the server. While one is open the time of the calls stands
 * still, since any of them may be what waits for the answer, or for a server that does one thing at a
 * time. */

#define CODE_REFUSED (-1)

typedef struct
{
  GmcpSession *session;      /* not owned */
  GmcpJsonDoc *id;           /* of the request that is to be answered */
  GmcpServedTask *task;      /* that is, in place of a request; not owned */
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

struct _GmcpServerRequests
{
  GQueue questions; /* of Question */
};

GmcpServerRequests *
gmcp_server_requests_new (void)
{
  GmcpServerRequests *requests = g_new0 (GmcpServerRequests, 1);

  g_queue_init (&requests->questions);
  return requests;
}

void
gmcp_server_requests_free (GmcpServerRequests *requests)
{
  g_free (requests);
}

static GQueue *
questions_of (GmcpSession *self)
{
  return &gmcp_session_get_features (self)->server_requests->questions;
}

/* Removes a question that is answered or taken back. Called before anything is sent, since sending
 * may end the connection. */
static void
remove_question (Question *question)
{
  GmcpSession *self = question->session;

  g_queue_remove (questions_of (self), question);
  if (questions_of (self)->length == 0)
    {
      gmcp_session_start_clocks (self);
      gmcp_tasks_start_clocks (self);
    }
}

/* task_id is that of the server's task that the question is about, or NULL. */
static char *
dup_related_answer (const char *answer, const char *task_id)
{
  return task_id != NULL ? gmcp_served_tasks_dup_related_answer (answer, task_id) : NULL;
}

static void
send_answer (GmcpSession *self, GmcpJsonValue id, const char *task_id, const char *answer)
{
  g_autofree char *related = dup_related_answer (answer, task_id);

  gmcp_session_send_result (self, id, related != NULL ? related : answer);
}

/* refusal is for where there is no answer. */
static void
give_answer (Question *question, const char *answer, const char *refusal)
{
  GmcpSession *self = question->session;
  GmcpJsonValue id = gmcp_json_doc_get_root (question->id);

  if (question->task != NULL)
    {
      gmcp_served_tasks_settle (self, question->task, answer, CODE_REFUSED,
                                answer != NULL ? NULL : refusal);
      return;
    }
  if (answer == NULL)
    gmcp_session_send_error (self, id, CODE_REFUSED, refusal);
  else if (question->is_sampling)
    {
      /* Images perhaps, that the host gave one by one: a server may be slow to read them. */
      g_autofree char *related = dup_related_answer (answer, question->related);

      gmcp_session_send_given_result (self, id, related != NULL ? related : answer);
    }
  else
    send_answer (self, id, question->related, answer);
}

static void
on_answer (GmcpInputRequest *request, const char *answer, gpointer data)
{
  Question *question = data;
  g_autoptr (GmcpSession) self G_GNUC_UNUSED = gmcp_session_ref (question->session);

  remove_question (question);
  if (GMCP_IS_ELICITATION (request) && gmcp_elicitation_was_accepted (GMCP_ELICITATION (request)))
    gmcp_visits_note (self, GMCP_ELICITATION (request));

  give_answer (question, answer, "The user refused the request");
  question_free (question);
}

static gboolean
on_timeout (gpointer data)
{
  Question *question = data;
  g_autoptr (GmcpSession) self = gmcp_session_ref (question->session);
  g_autoptr (GmcpInputRequest) request = g_object_ref (question->request);

  remove_question (question);
  /* A listener of the question may do anything. */
  gmcp_input_request_close (request);
  if (gmcp_session_is_open (self) && gmcp_session_get_serial (self) == question->serial)
    give_answer (question, GMCP_IS_ELICITATION (request) ? GMCP_ELICITATION_ANSWER_CANCEL : NULL,
                 "The request was not answered in time");
  question_free (question);
  return G_SOURCE_REMOVE;
}

/* Which call the question is of, as far as that is known. */
static void
find_call (GmcpSession *self, const char *task_id, GmcpInputRequest *request)
{
  GmcpCallOptions *options = NULL;
  guint64 origin;

  if (task_id != NULL)
    {
      options = gmcp_tasks_find_options (self, task_id);
      origin = gmcp_call_options_get_origin (options);
    }
  else
    {
      /* Tasks ask, too, once the request that made them has been answered. */
      if (!gmcp_tasks_has_any (self))
        options = gmcp_session_find_only_options (self);
      origin = gmcp_session_find_only_origin (self);
    }
  gmcp_input_request_set_options (request, options);
  gmcp_input_request_set_origin (request, origin);
}

static void
put_question (GmcpSession *self,
              const GmcpRpcMessage *message,
              GmcpServedTask *task,
              GmcpInputRequest *request)
{
  Question *question = g_new0 (Question, 1);

  question->session = self;
  question->id = gmcp_json_value_copy_to_doc (message->id);
  question->task = task;
  question->serial = gmcp_session_get_serial (self);
  question->related = gmcp_served_tasks_dup_related_task (message->params);
  question->request = request;
  question->is_sampling = GMCP_IS_SAMPLING (request);
  question->timer = g_timeout_source_new (gmcp_input_get_timeout_ms (self));
  g_source_set_static_name (question->timer, "[gmcp] question to the user");
  g_source_set_callback (question->timer, on_timeout, question, NULL);
  g_source_attach (question->timer, gmcp_session_get_context (self));

  find_call (self, question->related, request);
  gmcp_session_stop_clocks (self);
  gmcp_tasks_stop_clocks (self);
  g_queue_push_tail (questions_of (self), question);
  gmcp_input_request_listen (request, on_answer, question);
  gmcp_input_emit_requested (self, request);
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

static void
take_back_question (Question *question)
{
  GmcpInputRequest *request = question->request;

  remove_question (question);
  question_free (question);
  gmcp_input_request_close (request);
}

static void
withdraw_question (GmcpSession *self, GmcpServedTask *task)
{
  for (GList *link = questions_of (self)->head; link != NULL; link = link->next)
    {
      Question *question = link->data;

      if (question->task == task)
        {
          take_back_question (question);
          return;
        }
    }
}

gboolean
gmcp_server_requests_handle (GmcpSession *self, const GmcpRpcMessage *message)
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
  GmcpServedTask *task;

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    known = known || gmcp_json_value_equals_string (message->method, methods[i]);
  if (!known)
    return FALSE;

  if (questions_of (self)->length >= GMCP_LIMIT_INPUT_REQUESTS)
    {
      gmcp_session_send_error (self, message->id, CODE_REFUSED,
                               "Too many requests wait for the user");
      return TRUE;
    }

  request = gmcp_input_make_request (self, NULL, message->method, message->params, &answer, &error);
  if (request != NULL)
    {
      task = gmcp_served_tasks_make (self, message, withdraw_question, &done);
      if (!done)
        put_question (self, message, task, request);
    }
  else if (answer != NULL)
    {
      g_autofree char *related = gmcp_served_tasks_dup_related_task (message->params);

      send_answer (self, message->id, related, answer);
    }
  else
    {
      g_debug ("%s", error->message);
      gmcp_session_send_error (self, message->id, get_code (error), error->message);
    }
  return TRUE;
}

void
gmcp_server_requests_cancel (GmcpSession *self, GmcpJsonValue id)
{
  for (GList *link = questions_of (self)->head; link != NULL; link = link->next)
    {
      Question *question = link->data;

      /* The request of a task has been answered. */
      if (question->task == NULL
          && gmcp_json_value_equal (gmcp_json_doc_get_root (question->id), id))
        {
          take_back_question (question);
          return;
        }
    }
}

void
gmcp_server_requests_close_all (GmcpSession *self)
{
  Question *question;

  while ((question = g_queue_peek_head (questions_of (self))) != NULL)
    take_back_question (question);
}
