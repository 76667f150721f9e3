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
#include "gmcp-transport-private.h"

#define MEMBER_STATE     "requestState"
#define MEMBER_RESPONSES "inputResponses"
#define STATE_EXPIRES    "expires"
#define STATE_REQUEST    "request"
#define STATE_ANSWERS    "answers"
#define SIGNATURE_LENGTH 64u /* SHA-256, in hexadecimal digits */

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
  GPtrArray *asked;   /* of Asked: what was not */
  guint n_questions;
  GmcpServerQuestionKind missing; /* what the client does not take */
  GSource *flush;
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

/* The state */

/* Of what has to be the same each time that a request is sent, and of who sends it. */
static char *
digest_request (GmcpServerExchange *exchange)
{
  static const char *const members[] = { "name", "uri", "arguments" };
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  GmcpJsonValue params = gmcp_server_exchange_get_params (exchange);
  const char *user
    = gmcp_server_connection_get_user (gmcp_server_exchange_get_connection (exchange));
  gsize length;
  const char *text = gmcp_json_value_peek_raw (gmcp_server_exchange_get_method (exchange), &length);

  g_checksum_update (checksum, (const guchar *) text, (gssize) length);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      GmcpJsonValue member = gmcp_json_value_get_member (params, members[i]);

      g_checksum_update (checksum, (const guchar *) "\n", 1);
      if (!gmcp_json_value_is_present (member))
        continue;
      text = gmcp_json_value_peek_raw (member, &length);
      g_checksum_update (checksum, (const guchar *) text, (gssize) length);
    }
  if (user != NULL)
    {
      g_checksum_update (checksum, (const guchar *) "\n", 1);
      g_checksum_update (checksum, (const guchar *) user, -1);
    }
  return g_strdup (g_checksum_get_string (checksum));
}

static char *
sign_text (GmcpServerExchange *exchange, const char *text, gsize length)
{
  gsize key_length;
  const guchar *key = g_bytes_get_data (
    gmcp_server_get_state_key (gmcp_server_exchange_get_server (exchange)), &key_length);

  return g_compute_hmac_for_data (G_CHECKSUM_SHA256, key, key_length, (const guchar *) text,
                                  length);
}

/* In a time that tells nothing of where they differ. */
static gboolean
is_same_signature (const char *first, const char *second)
{
  guint different = 0;

  for (guint i = 0; i < SIGNATURE_LENGTH; i++)
    different |= (guint) first[i] ^ (guint) second[i];
  return different == 0;
}

/* NULL for a state that is none of ours, is not of this request, or too old. */
static GmcpJsonDoc *
open_state (GmcpServerExchange *exchange, const char *state)
{
  g_autoptr (GmcpJsonDoc) doc = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *signature = NULL;
  g_autofree char *digest = NULL;
  g_autofree guchar *text = NULL;
  gsize length = 0;
  gint64 expires;

  if (strlen (state) <= SIGNATURE_LENGTH)
    return NULL;
  text = g_base64_decode (state + SIGNATURE_LENGTH, &length);
  signature = sign_text (exchange, (const char *) text, length);
  if (!is_same_signature (signature, state))
    return NULL;

  bytes = g_bytes_new_take (g_steal_pointer (&text), length);
  doc = gmcp_json_doc_parse (g_bytes_get_data (bytes, NULL), length, bytes, 0, NULL);
  if (doc == NULL)
    return NULL;

  digest = digest_request (exchange);
  if (!gmcp_json_value_equals_string (
        gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), STATE_REQUEST), digest)
      || !gmcp_json_value_get_int64 (
        gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), STATE_EXPIRES), &expires)
      || expires < g_get_real_time () / G_USEC_PER_SEC)
    return NULL;
  return g_steal_pointer (&doc);
}

static char *
make_state (GmcpServerRound *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *digest = digest_request (self->exchange);
  g_autofree char *signature = NULL;
  g_autofree char *encoded = NULL;

  g_string_printf (text,
                   "{\"" STATE_EXPIRES "\":%" G_GINT64_FORMAT ",\"" STATE_REQUEST
                   "\":\"%s\",\"" STATE_ANSWERS "\":{%s}}",
                   g_get_real_time () / G_USEC_PER_SEC + GMCP_DEFAULT_REQUEST_STATE_S, digest,
                   self->answers->str);
  signature = sign_text (self->exchange, text->str, text->len);
  encoded = g_base64_encode ((const guchar *) text->str, text->len);
  return g_strconcat (signature, encoded, NULL);
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
    doc = open_state (exchange, state);
  *good = doc != NULL;
  return doc;
}

gboolean
gmcp_server_round_check (GmcpServerExchange *exchange)
{
  g_autoptr (GmcpJsonDoc) doc G_GNUC_UNUSED = NULL;
  gboolean good;

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
  self->answers = g_string_new (NULL);
  self->asked = g_ptr_array_new_with_free_func (asked_free);
  return self;
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

      g_task_return_new_error (
        asked->task, GMCP_ERROR, GMCP_ERROR_CLOSED, "%s",
        _ ("The client is asked, and the call is made again with its answer"));
    }
}

void
gmcp_server_round_free (GmcpServerRound *self)
{
  gmcp_server_round_close (self);
  g_ptr_array_unref (self->asked);
  g_string_free (self->answers, TRUE);
  g_clear_pointer (&self->state, gmcp_json_doc_unref);
  g_object_unref (self->cancellable);
  g_free (self);
}

gboolean
gmcp_server_round_reply_missing (GmcpServerRound *self)
{
  g_autofree char *data = NULL;

  if (self->missing == GMCP_SERVER_QUESTION_NONE)
    return FALSE;

  data = g_strdup_printf (self->missing == GMCP_SERVER_QUESTION_URL
                            ? "{\"requiredCapabilities\":{\"%s\":{\"url\":{}}}}"
                            : "{\"requiredCapabilities\":{\"%s\":{}}}",
                          gmcp_server_question_get_capability (self->missing));
  gmcp_server_exchange_reply_error (self->exchange, GMCP_RPC_ERROR_MISSING_CLIENT_CAPABILITY,
                                    "The request needs a capability that the client does not have",
                                    data);
  return TRUE;
}

static GmcpJsonValue
find_answer (GmcpServerRound *self, const char *key)
{
  GmcpJsonValue params = gmcp_server_exchange_get_params (self->exchange);
  GmcpJsonValue answer
    = gmcp_json_value_get_member (gmcp_json_value_get_member (params, MEMBER_RESPONSES), key);

  if (gmcp_json_value_is_object (answer) || self->state == NULL)
    return answer;
  return gmcp_json_value_get_member (
    gmcp_json_value_get_member (gmcp_json_doc_get_root (self->state), STATE_ANSWERS), key);
}

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
write_questions (GmcpServerRound *self, GmcpJsonWriter *writer)
{
  gmcp_json_writer_key (writer, "inputRequests");
  gmcp_json_writer_begin_object (writer);
  for (guint i = 0; i < self->asked->len; i++)
    {
      Asked *asked = g_ptr_array_index (self->asked, i);

      gmcp_json_writer_key (writer, asked->key);
      gmcp_json_writer_begin_object (writer);
      gmcp_json_writer_member_string (writer, "method",
                                      gmcp_server_question_get_method (asked->kind));
      if (asked->question != NULL)
        gmcp_json_writer_member_value (writer, "params",
                                       gmcp_input_request_get_params_value (asked->question));
      gmcp_json_writer_end_object (writer);
    }
  gmcp_json_writer_end_object (writer);
}

/* All that was asked in one turn of the main loop is asked at once. */
static gboolean
end_with_questions (gpointer data)
{
  GmcpServerRound *self = data;
  GmcpServerExchange *exchange = self->exchange;
  g_autofree char *state = make_state (self);
  g_autoptr (GCancellable) cancellable = g_object_ref (self->cancellable);
  GString *out
    = gmcp_server_connection_begin_message (gmcp_server_exchange_get_connection (exchange));
  GmcpJsonWriter writer;

  gmcp_rpc_write_result_start (out, gmcp_server_exchange_get_id (exchange));
  writer = gmcp_json_writer_init (out);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_member_string (&writer, GMCP_MEMBER_RESULT_TYPE,
                                  GMCP_RESULT_TYPE_INPUT_REQUIRED);
  gmcp_json_writer_key (&writer, GMCP_MEMBER_META);
  gmcp_json_writer_begin_object (&writer);
  gmcp_json_writer_key (&writer, GMCP_META_SERVER_INFO);
  gmcp_json_writer_raw (&writer,
                        gmcp_server_get_info_json (gmcp_server_exchange_get_server (exchange)), -1);
  gmcp_json_writer_end_object (&writer);
  write_questions (self, &writer);
  gmcp_json_writer_member_string (&writer, MEMBER_STATE, state);
  gmcp_server_exchange_end_result (exchange, &writer);

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
  /* One that does not fit is asked for again. */
  if (gmcp_json_value_is_object (answer)
      && gmcp_server_question_check_answer (kind, question, answer, NULL))
    {
      keep_answer (self, key, answer);
      gmcp_server_question_return_answer (kind, answer, task);
      return;
    }
  ask_later (self, key, kind, question, g_steal_pointer (&owned));
}
