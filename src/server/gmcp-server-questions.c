/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gmcp/protocol/questions/gmcp-root.h>

#include "gmcp-elicitation-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-sampling-private.h"
#include "gmcp-server-connection-private.h"
#include "gmcp-server-questions-private.h"
#include "gmcp-transport-private.h"

struct _GmcpServerQuestions
{
  GHashTable *open; /* gint64 -> Question; NULL before the first */
  gint64 last_id;
};

typedef struct
{
  gint64 id;
  GmcpServerConnection *connection; /* owned */
  GmcpJsonDoc *doc;                 /* of the request in whose course it is asked */
  GmcpJsonValue request_id;
  gpointer asker; /* not owned */
  GmcpServerQuestionKind kind;
  GmcpInputRequest *question; /* nullable */
  char *task_id;              /* nullable: the task that needs the answer */
  GTask *task;
  GSource *cancelled; /* nullable */
  GSource *deadline;
} Question;

static const struct
{
  const char *method;
  const char *capability; /* of a client, that is about them */
  const char *mode;       /* the member of that which has to be there; NULL for none */
} kinds[] = {
  [GMCP_SERVER_QUESTION_FORM] = { GMCP_METHOD_ELICITATION_CREATE, "elicitation", NULL },
  [GMCP_SERVER_QUESTION_URL] = { GMCP_METHOD_ELICITATION_CREATE, "elicitation", "url" },
  [GMCP_SERVER_QUESTION_SAMPLING] = { GMCP_METHOD_SAMPLING_CREATE_MESSAGE, "sampling", NULL },
  [GMCP_SERVER_QUESTION_SAMPLING_WITH_TOOLS]
  = { GMCP_METHOD_SAMPLING_CREATE_MESSAGE, "sampling", "tools" },
  [GMCP_SERVER_QUESTION_ROOTS] = { GMCP_METHOD_ROOTS_LIST, "roots", NULL },
};

GmcpServerQuestions *
gmcp_server_questions_new (void)
{
  return g_new0 (GmcpServerQuestions, 1);
}

void
gmcp_server_questions_free (GmcpServerQuestions *self)
{
  g_clear_pointer (&self->open, g_hash_table_unref);
  g_free (self);
}

static gboolean
has_tools (GmcpInputRequest *question)
{
  GmcpJsonValue params = gmcp_input_request_get_params_value (question);

  return gmcp_json_value_is_present (gmcp_json_value_get_member (params, "tools"))
         || gmcp_json_value_is_present (gmcp_json_value_get_member (params, "toolChoice"));
}

GmcpServerQuestionKind
gmcp_server_question_get_kind (GmcpInputRequest *question)
{
  if (GMCP_IS_SAMPLING (question))
    return has_tools (question) ? GMCP_SERVER_QUESTION_SAMPLING_WITH_TOOLS
                                : GMCP_SERVER_QUESTION_SAMPLING;
  if (!GMCP_IS_ELICITATION (question))
    return GMCP_SERVER_QUESTION_NONE;
  return gmcp_elicitation_get_mode (GMCP_ELICITATION (question)) == GMCP_ELICITATION_MODE_URL
           ? GMCP_SERVER_QUESTION_URL
           : GMCP_SERVER_QUESTION_FORM;
}

const char *
gmcp_server_question_get_method (GmcpServerQuestionKind kind)
{
  return kinds[kind].method;
}

char *
gmcp_server_question_dup_required_json (GmcpServerQuestionKind kind)
{
  return kinds[kind].mode != NULL
           ? g_strdup_printf ("{\"%s\":{\"%s\":{}}}", kinds[kind].capability, kinds[kind].mode)
           : g_strdup_printf ("{\"%s\":{}}", kinds[kind].capability);
}

static void
write_params_but (GmcpJsonWriter *writer, GmcpInputRequest *question, const char *left_out)
{
  GmcpJsonIter iter;
  GmcpJsonValue key;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, gmcp_input_request_get_params_value (question));
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (!g_str_equal (name, left_out))
        gmcp_json_writer_member_value (writer, name, value);
    }
}

/* A visit has an id in 2025-11-25 alone, which tells of its end by it. */
void
gmcp_server_question_write (GmcpJsonWriter *writer, const char *method, GmcpInputRequest *question)
{
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "method", method);
  if (question != NULL)
    {
      gmcp_json_writer_key (writer, "params");
      gmcp_json_writer_begin_object (writer);
      write_params_but (writer, question, "elicitationId");
      gmcp_json_writer_end_object (writer);
    }
  gmcp_json_writer_end_object (writer);
}

static gboolean
has_object (GmcpJsonValue object, const char *member)
{
  return gmcp_json_value_is_object (gmcp_json_value_get_member (object, member));
}

/* A client that takes elicitation without saying how takes forms. */
gboolean
gmcp_server_question_is_taken (GmcpServerQuestionKind kind, GmcpJsonValue all)
{
  GmcpJsonValue capability = gmcp_json_value_get_member (all, kinds[kind].capability);

  if (kinds[kind].mode != NULL)
    return has_object (capability, kinds[kind].mode);
  if (kind == GMCP_SERVER_QUESTION_FORM && has_object (capability, "url"))
    return has_object (capability, "form");
  return gmcp_json_value_is_object (capability);
}

static void
clear_source (GSource **source)
{
  if (*source == NULL)
    return;

  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

/* Out of the table; the task is the caller's. */
static GTask *
take_task (Question *question)
{
  GTask *task = question->task;

  g_hash_table_remove (gmcp_server_connection_get_questions (question->connection)->open,
                       &question->id);
  clear_source (&question->cancelled);
  clear_source (&question->deadline);
  g_clear_object (&question->question);
  g_free (question->task_id);
  gmcp_server_connection_unref (question->connection);
  gmcp_json_doc_unref (question->doc);
  g_free (question);
  return task;
}

/* The client need not go on asking. */
static void
send_cancelled (Question *question)
{
  GmcpServerOutbox *outbox = gmcp_server_connection_get_outbox (question->connection);
  GmcpJsonWriter writer
    = gmcp_server_outbox_begin_notification (outbox, GMCP_NOTIFICATION_CANCELLED);

  gmcp_json_writer_member_int64 (&writer, "requestId", question->id);
  gmcp_server_outbox_send_notification (outbox, &writer, GMCP_NOTIFICATION_CANCELLED,
                                        question->request_id);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer data)
{
  g_autoptr (GTask) task = NULL;

  send_cancelled (data);
  task = take_task (data);
  g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

static gboolean
on_deadline (gpointer data)
{
  g_autoptr (GTask) task = NULL;

  send_cancelled (data);
  task = take_task (data);
  g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_TIMED_OUT, "%s",
                           _ ("The client did not answer the question in time"));
  return G_SOURCE_REMOVE;
}

static GSource *
attach_source (GSource *source, const char *name, GSourceFunc func, Question *question)
{
  g_source_set_static_name (source, name);
  g_source_set_callback (source, func, question, NULL);
  g_source_attach (source, gmcp_transport_get_context (
                             gmcp_server_connection_get_transport (question->connection)));
  return source;
}

/* The members of the question's own params, with the task that they are about. */
static void
write_related_params (Question *question, GmcpJsonWriter *writer)
{
  gmcp_json_writer_key (writer, GMCP_MEMBER_META);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_key (writer, GMCP_META_RELATED_TASK);
  gmcp_json_writer_begin_object (writer);
  gmcp_json_writer_member_string (writer, "taskId", question->task_id);
  gmcp_json_writer_end_object (writer);
  gmcp_json_writer_end_object (writer);
  if (question->question != NULL)
    write_params_but (writer, question->question, GMCP_MEMBER_META);
}

static gboolean
send_question (Question *question)
{
  GmcpServerOutbox *outbox = gmcp_server_connection_get_outbox (question->connection);
  GString *out = gmcp_server_outbox_begin (outbox);
  GmcpJsonWriter writer;

  gmcp_rpc_write_request_start (out, question->id, kinds[question->kind].method);
  writer = gmcp_json_writer_init (out);
  if (question->question != NULL && question->task_id == NULL)
    {
      gmcp_json_writer_value (&writer, gmcp_input_request_get_params_value (question->question));
    }
  else
    {
      gmcp_json_writer_begin_object (&writer);
      if (question->task_id != NULL)
        write_related_params (question, &writer);
      gmcp_json_writer_end_object (&writer);
    }
  g_string_append_c (out, '}');
  return gmcp_server_outbox_send (outbox, NULL, question->request_id);
}

void
gmcp_server_questions_ask (GmcpServerExchange *exchange,
                           gpointer asker,
                           GmcpServerQuestionKind kind,
                           GmcpInputRequest *input,
                           const char *task_id,
                           GTask *task)
{
  GmcpServerConnection *connection = gmcp_server_exchange_get_connection (exchange);
  GmcpServerQuestions *self = gmcp_server_connection_get_questions (connection);
  GCancellable *cancellable = g_task_get_cancellable (task);
  g_autoptr (GTask) refused = NULL;
  Question *question;

  if (self->open == NULL)
    self->open = g_hash_table_new (g_int64_hash, g_int64_equal);
  if (g_hash_table_size (self->open) >= GMCP_LIMIT_INPUT_REQUESTS)
    {
      refused = task;
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                               _ ("More than %u questions to one client wait for an answer"),
                               GMCP_LIMIT_INPUT_REQUESTS);
      return;
    }

  question = g_new0 (Question, 1);
  question->id = ++self->last_id;
  question->connection = gmcp_server_connection_ref (connection);
  question->doc = gmcp_json_doc_ref (gmcp_server_exchange_get_doc (exchange));
  question->request_id = gmcp_server_exchange_get_id (exchange);
  question->asker = asker;
  question->kind = kind;
  if (input != NULL)
    question->question = g_object_ref (input);
  question->task_id = g_strdup (task_id);
  question->task = task;
  g_hash_table_insert (self->open, &question->id, question);
  if (!send_question (question))
    {
      refused = take_task (question);
      g_task_return_new_error (refused, GMCP_ERROR, GMCP_ERROR_CLOSED, "%s",
                               _ ("The client could not be asked: the connection is closed"));
      return;
    }

  if (kind == GMCP_SERVER_QUESTION_URL)
    gmcp_server_exchange_get_era (exchange)->watch_visit (connection, GMCP_ELICITATION (input));
  question->deadline = attach_source (g_timeout_source_new (GMCP_DEFAULT_INPUT_TIMEOUT_MS),
                                      "[gmcp] question deadline", on_deadline, question);
  if (cancellable != NULL)
    question->cancelled
      = attach_source (g_cancellable_source_new (cancellable), "[gmcp] question cancelled",
                       G_SOURCE_FUNC (on_cancelled), question);
}

/* Answers */

static void
copy_answer (GmcpInputRequest *question, const char *answer, gpointer data)
{
}

/* The schema of a form allows members that nobody asked for; they are dropped. */
static GString *
read_content (GmcpInputRequest *question, GmcpJsonValue content)
{
  GmcpJsonValue schema = gmcp_json_value_get_member (gmcp_input_request_get_params_value (question),
                                                     "requestedSchema");
  GmcpJsonValue fields = gmcp_json_value_get_member (schema, "properties");
  GString *text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  if (gmcp_json_value_is_present (content) && !gmcp_json_value_is_object (content))
    {
      gmcp_json_writer_value (&writer, content);
      return text;
    }

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_iter_init (&iter, content);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      if (gmcp_json_value_is_present (gmcp_json_value_get_member (fields, name)))
        gmcp_json_writer_member_value (&writer, name, value);
    }
  gmcp_json_writer_end_object (&writer);
  return text;
}

static char *
replace_content (GmcpJsonValue answer, const char *content)
{
  GString *text = g_string_new (NULL);
  GmcpJsonWriter writer = gmcp_json_writer_init (text);
  GmcpJsonIter iter;
  GmcpJsonValue key, value;

  gmcp_json_writer_begin_object (&writer);
  gmcp_json_iter_init (&iter, answer);
  while (gmcp_json_iter_next (&iter, &key, &value))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);

      gmcp_json_writer_key (&writer, name);
      if (g_str_equal (name, "content"))
        gmcp_json_writer_raw (&writer, content, -1);
      else
        gmcp_json_writer_value (&writer, value);
    }
  gmcp_json_writer_end_object (&writer);
  return g_string_free (text, FALSE);
}

/* What is accepted has to be what was asked for. */
static char *
read_form (GmcpInputRequest *question, GmcpJsonValue answer, GError **error)
{
  g_autoptr (GmcpElicitation) form = NULL;
  g_autoptr (GString) content = NULL;
  gboolean fits;

  if (!gmcp_json_value_equals_string (gmcp_json_value_get_member (answer, "action"), "accept"))
    return gmcp_json_value_dup_raw (answer);

  form
    = gmcp_elicitation_new_from_value (gmcp_input_request_get_params_value (question), NULL, error);
  if (form == NULL)
    return NULL;

  content = read_content (question, gmcp_json_value_get_member (answer, "content"));
  gmcp_input_request_listen (GMCP_INPUT_REQUEST (form), copy_answer, NULL);
  fits = gmcp_elicitation_accept_json (form, content->str, error);
  gmcp_input_request_close (GMCP_INPUT_REQUEST (form));
  return fits ? replace_content (answer, content->str) : NULL;
}

char *
gmcp_server_question_read_answer (GmcpServerQuestionKind kind,
                                  GmcpInputRequest *question,
                                  GmcpJsonValue answer,
                                  GError **error)
{
  g_autoptr (GError) reason = NULL;
  gboolean has_action = gmcp_json_value_is_string (gmcp_json_value_get_member (answer, "action"));
  char *text = NULL;

  switch (kind)
    {
    case GMCP_SERVER_QUESTION_FORM:
      if (has_action)
        text = read_form (question, answer, &reason);
      break;

    case GMCP_SERVER_QUESTION_URL:
      if (has_action)
        text = gmcp_json_value_dup_raw (answer);
      break;

    case GMCP_SERVER_QUESTION_SAMPLING:
    case GMCP_SERVER_QUESTION_SAMPLING_WITH_TOOLS:
      if (gmcp_json_value_is_present (gmcp_json_value_get_member (answer, "content")))
        text = gmcp_json_value_dup_raw (answer);
      break;

    case GMCP_SERVER_QUESTION_ROOTS:
      if (gmcp_json_value_is_array (gmcp_json_value_get_member (answer, "roots")))
        text = gmcp_json_value_dup_raw (answer);
      break;

    case GMCP_SERVER_QUESTION_NONE:
    default:
      break;
    }

  if (text == NULL)
    g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                 _ ("The client's answer to the question is none: %s"),
                 reason != NULL ? reason->message : _ ("a part of it is missing"));
  return text;
}

static GPtrArray *
read_roots (const char *answer)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (answer, strlen (answer), NULL, 0, NULL);
  GPtrArray *roots = g_ptr_array_new_with_free_func (g_object_unref);
  GmcpJsonIter iter;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "roots"));
  while (gmcp_json_iter_next (&iter, NULL, &value) && roots->len < GMCP_LIMIT_INPUT_FIELDS)
    {
      g_autofree char *uri = gmcp_json_value_dup_string (gmcp_json_value_get_member (value, "uri"));
      g_autofree char *name
        = gmcp_json_value_dup_string (gmcp_json_value_get_member (value, "name"));

      if (uri != NULL && *uri != '\0')
        g_ptr_array_add (roots, gmcp_root_new (uri, name));
    }
  return roots;
}

void
gmcp_server_question_return_answer (GmcpServerQuestionKind kind, char *answer, GTask *task)
{
  g_autofree char *owned = answer;

  if (kind == GMCP_SERVER_QUESTION_ROOTS)
    g_task_return_pointer (task, read_roots (owned), (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_pointer (task, g_steal_pointer (&owned), g_free);
}

void
gmcp_server_questions_answer (GmcpServerConnection *connection, const GmcpRpcMessage *message)
{
  GmcpServerQuestions *self = gmcp_server_connection_get_questions (connection);
  g_autoptr (GmcpInputRequest) asked = NULL;
  g_autoptr (GTask) task = NULL;
  GmcpServerQuestionKind kind;
  Question *question = NULL;
  GError *error = NULL;
  char *answer = NULL;
  gint64 id;

  if (self->open != NULL && gmcp_rpc_id_get_int64 (message->id, &id))
    question = g_hash_table_lookup (self->open, &id);
  if (question == NULL)
    {
      g_debug ("An answer to a request that does not wait for one is dropped");
      return;
    }

  kind = question->kind;
  asked = g_steal_pointer (&question->question);
  task = take_task (question);
  if (message->kind == GMCP_RPC_FAILURE)
    error = gmcp_rpc_error_new_from_value (message->error);
  else
    answer = gmcp_server_question_read_answer (kind, asked, message->result, &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    gmcp_server_question_return_answer (kind, answer, task);
}

static Question *
find_of_asker (GmcpServerQuestions *self, gpointer asker)
{
  GHashTableIter iter;
  gpointer question;

  if (self->open == NULL)
    return NULL;

  g_hash_table_iter_init (&iter, self->open);
  while (g_hash_table_iter_next (&iter, NULL, &question))
    if (asker == NULL || ((Question *) question)->asker == asker)
      return question;
  return NULL;
}

void
gmcp_server_questions_close (GmcpServerConnection *connection, gpointer asker)
{
  Question *question;

  while ((question = find_of_asker (gmcp_server_connection_get_questions (connection), asker))
         != NULL)
    {
      g_autoptr (GTask) task = NULL;

      send_cancelled (question);
      task = take_task (question);
      g_task_return_new_error (task, GMCP_ERROR, GMCP_ERROR_CLOSED, "%s",
                               _ ("The call ended before the question was answered"));
    }
}
