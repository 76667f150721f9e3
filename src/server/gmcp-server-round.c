/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-round-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-input-request-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-private.h"
#include "gmcp-server-questions-private.h"
#include "gmcp-server-round-state-private.h"
#include "gmcp-transport-private.h"

#define MEMBER_STATE     "requestState"
#define MEMBER_RESPONSES "inputResponses"

typedef struct
{
  char *key;
  GmcpServerQuestionKind kind;
  GmcpInputRequest *question; /* nullable */
  GTask *task;
} Asked;

struct _GmcpServerRound
{
  GmcpServerExchange *exchange; /* not owned */
  GCancellable *cancellable;
  GmcpJsonDoc *state; /* nullable: what came back with the request */
  GString *answers;   /* members of an object: what was answered so far */
  char *kept_json;    /* nullable: what the handler wants to have again */
  GPtrArray *asked;   /* of Asked: what was not */
  guint n_questions;
  GmcpServerQuestionKind missing; /* what the client does not take */
  GSource *flush;
  gboolean has_asked; /* the request was answered with questions */
};

static void
asked_free (gpointer data)
{
  Asked *asked = data;

  g_free (asked->key);
  g_clear_object (&asked->question);
  g_clear_object (&asked->task);
  g_free (asked);
}

static GmcpJsonDoc *
read_state (GmcpServerExchange *exchange, gboolean *good)
{
  GmcpJsonValue member
    = gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), MEMBER_STATE);
  g_autofree char *state = gmcp_json_value_dup_string (member);
  GmcpJsonDoc *doc = NULL;

  *good = TRUE;
  if (!gmcp_json_value_is_present (member))
    return NULL;
  if (state != NULL)
    doc = gmcp_server_round_state_open (exchange, state);
  *good = doc != NULL;
  return doc;
}

gboolean
gmcp_server_round_check (GmcpServerExchange *exchange)
{
  GmcpJsonValue responses
    = gmcp_json_value_get_member (gmcp_server_exchange_get_params (exchange), MEMBER_RESPONSES);
  g_autoptr (GmcpJsonDoc) doc G_GNUC_UNUSED = NULL;
  gboolean good;

  if (gmcp_json_value_is_present (responses) && !gmcp_json_value_is_object (responses))
    {
      gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                        "Invalid params: " MEMBER_RESPONSES " has to be an object",
                                        NULL);
      return FALSE;
    }

  doc = read_state (exchange, &good);
  if (!good)
    gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                      "Invalid params: " MEMBER_STATE
                                      " is not one that was given for this request, or too old",
                                      NULL);
  return good;
}

/* The round */

GmcpServerRound *
gmcp_server_round_new (GmcpServerExchange *exchange, GCancellable *cancellable)
{
  GmcpServerRound *self = g_new0 (GmcpServerRound, 1);
  gboolean good;

  self->exchange = exchange;
  self->cancellable = g_object_ref (cancellable);
  self->state = read_state (exchange, &good);
  if (self->state != NULL)
    self->kept_json = gmcp_server_round_state_dup_kept (self->state);
  self->answers = g_string_new (NULL);
  self->asked = g_ptr_array_new_with_free_func (asked_free);
  return self;
}

void
gmcp_server_round_return_end (GmcpServerRound *self, GTask *task)
{
  if (self != NULL && self->has_asked)
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_CALLED_ANEW, "%s",
                             _ ("The client is asked, and the call is made again with its answer"));
  else
    g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_CLOSED, "%s",
                             _ ("The call has ended, so nobody waits for the question"));
}

void
gmcp_server_round_close (GmcpServerRound *self)
{
  g_autoptr (GPtrArray) closed = g_steal_pointer (&self->asked);

  self->asked = g_ptr_array_new_with_free_func (asked_free);
  if (self->flush != NULL)
    {
      g_source_destroy (self->flush);
      g_clear_pointer (&self->flush, g_source_unref);
    }

  /* Whoever asked may end the request, and the round with it. */
  for (guint i = 0; i < closed->len; i++)
    {
      Asked *asked = g_ptr_array_index (closed, i);

      gmcp_server_round_return_end (self, asked->task);
    }
}

void
gmcp_server_round_free (GmcpServerRound *self)
{
  gmcp_server_round_close (self);
  g_ptr_array_unref (self->asked);
  g_string_free (self->answers, TRUE);
  g_free (self->kept_json);
  g_clear_pointer (&self->state, gmcp_json_doc_unref);
  g_object_unref (self->cancellable);
  g_free (self);
}

const char *
gmcp_server_round_get_kept (GmcpServerRound *self)
{
  return self->kept_json;
}

void
gmcp_server_round_set_kept (GmcpServerRound *self, const char *json)
{
  char *kept = g_strdup (json);

  g_free (self->kept_json);
  self->kept_json = kept;
}

gboolean
gmcp_server_round_reply_missing (GmcpServerRound *self)
{
  g_autofree char *required = NULL;
  g_autofree char *data = NULL;

  if (self->missing == GMCP_SERVER_QUESTION_NONE)
    return FALSE;

  required = gmcp_server_question_dup_required_json (self->missing);
  data = g_strdup_printf ("{\"requiredCapabilities\":%s}", required);
  gmcp_server_exchange_reply_error (self->exchange, GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY,
                                    "The request needs a capability that the client does not have",
                                    data);
  return TRUE;
}

gboolean
gmcp_server_round_has_asked (GmcpServerRound *self)
{
  return self->has_asked;
}

static GmcpJsonValue
find_answer (GmcpServerRound *self, const char *key)
{
  GmcpJsonValue params = gmcp_server_exchange_get_params (self->exchange);
  GmcpJsonValue answer
    = gmcp_json_value_get_member (gmcp_json_value_get_member (params, MEMBER_RESPONSES), key);

  if (gmcp_json_value_is_object (answer) || self->state == NULL)
    return answer;
  return gmcp_json_value_get_member (gmcp_server_round_state_get_answers (self->state), key);
}

/* As it came, whether it fits or not: in the next round the handler has to take the same way. */
static void
keep_answer (GmcpServerRound *self, const char *key, GmcpJsonValue answer)
{
  GmcpJsonWriter writer = gmcp_json_writer_init (self->answers);
  gsize length;
  const char *text = gmcp_json_value_peek_raw (answer, &length);

  if (self->answers->len > 0)
    g_string_append_c (self->answers, ',');
  gmcp_json_writer_string (&writer, key);
  g_string_append_c (self->answers, ':');
  g_string_append_len (self->answers, text, (gssize) length);
}

static void
return_answer (GmcpServerRound *self,
               const char *key,
               GmcpServerQuestionKind kind,
               GmcpInputRequest *question,
               GmcpJsonValue answer,
               GTask *task)
{
  GError *error = NULL;
  char *text = gmcp_server_question_read_answer (kind, question, answer, &error);

  keep_answer (self, key, answer);
  if (text != NULL)
    gmcp_server_question_return_answer (kind, text, task);
  else
    g_task_return_error (task, error);
}

static void
write_questions (GmcpServerRound *self, GmcpJsonWriter *writer)
{
  gmcp_json_writer_key (writer, "inputRequests");
  gmcp_json_writer_begin_object (writer);
  for (guint i = 0; i < self->asked->len; i++)
    {
      Asked *asked = g_ptr_array_index (self->asked, i);

      gmcp_json_writer_key (writer, asked->key);
      gmcp_server_question_write (writer, gmcp_server_question_get_method (asked->kind),
                                  asked->question);
    }
  gmcp_json_writer_end_object (writer);
}

static void
reply_questions (GmcpServerRound *self, const char *state)
{
  GmcpJsonWriter writer
    = gmcp_server_exchange_get_era (self->exchange)
        ->begin_result_of_type (self->exchange, GMCP_RESULT_TYPE_INPUT_REQUIRED);

  write_questions (self, &writer);
  gmcp_json_writer_member_string (&writer, MEMBER_STATE, state);
  gmcp_server_exchange_end_result (self->exchange, &writer);
}

/* All that was asked in one turn of the main loop is asked at once. */
static gboolean
end_with_questions (gpointer data)
{
  GmcpServerRound *self = data;
  GmcpServerExchange *exchange = self->exchange;
  g_autofree char *state
    = gmcp_server_round_state_make (exchange, self->answers->str, self->kept_json);
  g_autoptr (GCancellable) cancellable = g_object_ref (self->cancellable);

  if (strlen (state) > GMCP_LIMIT_REQUEST_STATE_BYTES)
    gmcp_server_exchange_reply_error (exchange, GMCP_RPC_ERROR_INVALID_PARAMS,
                                      "Invalid params: the answers to what was asked before are "
                                      "larger than a request can bring back",
                                      NULL);
  else
    {
      reply_questions (self, state);
      self->has_asked = TRUE;
    }

  gmcp_server_round_close (self);
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static void
ask_later (GmcpServerRound *self,
           const char *key,
           GmcpServerQuestionKind kind,
           GmcpInputRequest *question,
           GTask *task)
{
  GmcpTransport *transport
    = gmcp_server_connection_get_transport (gmcp_server_exchange_get_connection (self->exchange));
  Asked *asked = g_new0 (Asked, 1);

  asked->key = g_strdup (key);
  asked->kind = kind;
  if (question != NULL)
    asked->question = g_object_ref (question);
  asked->task = task;
  g_ptr_array_add (self->asked, asked);
  if (self->flush != NULL)
    return;

  self->flush = g_idle_source_new ();
  g_source_set_priority (self->flush, G_PRIORITY_DEFAULT);
  g_source_set_static_name (self->flush, "[gmcp] questions of a round");
  g_source_set_callback (self->flush, end_with_questions, self, NULL);
  g_source_attach (self->flush, gmcp_transport_get_context (transport));
}

void
gmcp_server_round_ask (GmcpServerRound *self,
                       GmcpServerQuestionKind kind,
                       GmcpInputRequest *question,
                       GTask *task)
{
  g_autoptr (GTask) owned = task;
  const char *given = question != NULL ? gmcp_input_request_get_key (question) : NULL;
  g_autofree char *key
    = given != NULL ? g_strdup (given) : g_strdup_printf ("question-%u", self->n_questions + 1);
  GmcpJsonValue answer;

  if (!gmcp_server_question_is_taken (
        kind, gmcp_json_value_get_member (gmcp_server_exchange_get_meta (self->exchange),
                                          GMCP_META_CLIENT_CAPABILITIES)))
    {
      self->missing = kind;
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_NOT_SUPPORTED, "%s",
                               _ ("The client has said that it cannot be asked this"));
      return;
    }
  if (++self->n_questions > GMCP_LIMIT_INPUT_REQUESTS)
    {
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                               _ ("More than %u questions to one client wait for an answer"),
                               GMCP_LIMIT_INPUT_REQUESTS);
      return;
    }

  answer = find_answer (self, key);
  /* What cannot be an answer is asked for again; of one that does not fit the handler hears. */
  if (gmcp_json_value_is_object (answer))
    return_answer (self, key, kind, question, answer, task);
  else
    ask_later (self, key, kind, question, g_steal_pointer (&owned));
}
