/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-era-modern-private.h"

#include "gmcp-input-private.h"

#include <string.h>

#include "gmcp-kept-private.h"
#include "gmcp-task-wait-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

/* What the server asks while a task is under way. Each description of the task has all that is still
 * open, so a question is known by its key, and put once. Answers go with a request of their own.
 * Spec: MCP extension io.modelcontextprotocol/tasks, "Task Update Requests". */

#define METHOD_UPDATE       "tasks/update"

#define MAX_UPDATE_FAILURES 5u

/* Questions that came together. */
typedef struct
{
  GmcpTaskWait *wait;    /* not owned */
  GmcpInputRound *round; /* while one is open */
  GSource *timer;        /* while a round is open */
  char *answers;
  GmcpExchange *update; /* under way */
  gboolean unheard;     /* the answers have to be sent again */
} Asking;

typedef struct
{
  GHashTable *keys; /* as the server wrote them */
  gsize n_kept;     /* bytes of theirs that are charged */
  GPtrArray *askings;
} TaskInput;

static void
stop_asking (Asking *asking)
{
  if (asking->round == NULL)
    return;

  g_source_destroy (asking->timer);
  g_clear_pointer (&asking->timer, g_source_unref);
  g_clear_pointer (&asking->round, gmcp_input_round_free);
}

static void
asking_free (gpointer data)
{
  Asking *asking = data;

  stop_asking (asking);
  gmcp_task_wait_drop_request (asking->wait, &asking->update);
  g_free (asking->answers);
  g_free (asking);
}

static void
drop_input (GmcpTaskWait *wait, gpointer data)
{
  TaskInput *input = data;

  g_ptr_array_unref (input->askings);
  g_hash_table_unref (input->keys);
  gmcp_kept_release (gmcp_task_wait_get_session (wait), input->n_kept);
  g_free (input);
}

static Asking *
find_by_update (TaskInput *input, const GmcpExchange *update)
{
  for (guint i = 0; i < input->askings->len; i++)
    {
      Asking *asking = g_ptr_array_index (input->askings, i);

      if (asking->update == update)
        return asking;
    }
  return NULL;
}

static void
on_updated (GmcpSession *self, GmcpExchange *exchange, const GmcpRpcMessage *reply, GError *error)
{
  GmcpTaskWait *wait = gmcp_task_wait_of (exchange);
  Asking *asking;

  if (wait == NULL)
    {
      g_clear_error (&error);
      return;
    }

  asking = find_by_update (gmcp_task_wait_get_input (wait), exchange);
  asking->update = NULL;
  if (error == NULL)
    {
      gmcp_task_wait_forget_side_failures (wait);
      return;
    }
  /* What ends the connection ends the call too, with an error that says so. */
  if (!gmcp_task_wait_is_connected (wait))
    {
      g_error_free (error);
      return;
    }
  if (gmcp_task_wait_count_side_failure (wait) >= MAX_UPDATE_FAILURES)
    {
      g_prefix_error (&error, _ ("%s does not take the answers to its questions: "),
                      gmcp_session_describe (self));
      gmcp_task_wait_fail (wait, error);
      return;
    }

  /* The task tells whether the answers are still wanted. */
  g_debug ("%s: answers were not taken: %s", gmcp_session_describe (self), error->message);
  g_error_free (error);
  asking->unheard = TRUE;
}

static void
send_answers (Asking *asking)
{
  GmcpTaskWait *wait = asking->wait;
  GmcpJsonWriter params;

  asking->unheard = FALSE;
  asking->update = gmcp_task_wait_begin_request (
    wait, METHOD_UPDATE, on_updated,
    gmcp_session_get_call_timeout_ms (gmcp_task_wait_get_session (wait)), &params);
  gmcp_json_writer_key (&params, "inputResponses");
  gmcp_json_writer_raw (&params, asking->answers, -1);
  gmcp_session_end_request (gmcp_task_wait_get_session (wait), asking->update, &params);
}

static void
on_answered (GmcpInputRound *round, GError *error, gpointer data)
{
  Asking *asking = data;
  GmcpTaskWait *wait = asking->wait;
  g_autoptr (GmcpSession) self G_GNUC_UNUSED = gmcp_session_ref (gmcp_task_wait_get_session (wait));
  GString *answers;
  GmcpJsonWriter writer;

  if (error != NULL)
    {
      gmcp_task_wait_fail (wait, error);
      return;
    }
  /* The call is about to end. */
  if (!gmcp_task_wait_is_pending (wait))
    return;

  answers = g_string_new (NULL);
  writer = gmcp_json_writer_init (answers);
  gmcp_input_round_write_answers (round, &writer);
  asking->answers = g_string_free (answers, FALSE);
  stop_asking (asking);
  gmcp_task_wait_start_clock (wait);
  send_answers (asking);
}

static gboolean
on_timeout (gpointer data)
{
  GmcpTaskWait *wait = ((Asking *) data)->wait;
  g_autoptr (GmcpSession) self = gmcp_session_ref (gmcp_task_wait_get_session (wait));

  gmcp_task_wait_fail (wait,
                       gmcp_input_new_timeout_error (self, gmcp_task_wait_get_subject (wait)));
  return G_SOURCE_REMOVE;
}

static TaskInput *
ensure_input (GmcpTaskWait *wait)
{
  TaskInput *input = gmcp_task_wait_get_input (wait);

  if (input != NULL)
    return input;

  input = g_new0 (TaskInput, 1);
  input->keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  input->askings = g_ptr_array_new_with_free_func (asking_free);
  gmcp_task_wait_set_input (wait, input, drop_input);
  return input;
}

/* A key is kept as long as the task, since each description of it may have it. */
static gboolean
keep_key (GmcpTaskWait *wait, GmcpJsonValue key, GError **error)
{
  TaskInput *input = gmcp_task_wait_get_input (wait);
  gsize length;

  gmcp_json_value_peek_raw (key, &length);
  if (length > GMCP_LIMIT_INPUT_KEY_BYTES)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("%s asked a question by a key that is longer than %u bytes"),
                   gmcp_session_describe (gmcp_task_wait_get_session (wait)),
                   GMCP_LIMIT_INPUT_KEY_BYTES);
      return FALSE;
    }
  if (g_hash_table_size (input->keys) >= GMCP_LIMIT_TASK_QUESTIONS)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("%s asked more than %u questions about one task"),
                   gmcp_session_describe (gmcp_task_wait_get_session (wait)),
                   GMCP_LIMIT_TASK_QUESTIONS);
      return FALSE;
    }
  if (!gmcp_kept_charge (gmcp_task_wait_get_session (wait), length, error))
    return FALSE;
  input->n_kept += length;
  return TRUE;
}

/* The questions that were not put before, as an object of its own; NULL where there is none. */
static GmcpJsonDoc *
take_new (GmcpTaskWait *wait, GmcpJsonValue requests, GError **error)
{
  TaskInput *input = gmcp_task_wait_get_input (wait);
  g_autoptr (GString) text = NULL;
  GmcpJsonWriter writer = { NULL };
  GmcpJsonIter iter;
  GmcpJsonValue key, request;

  gmcp_json_iter_init (&iter, requests);
  while (gmcp_json_iter_next (&iter, &key, &request))
    {
      g_autofree char *name = gmcp_json_value_dup_string (key);
      g_autofree char *raw_key = NULL;
      g_autofree char *written_key = NULL;

      if (g_hash_table_contains (input->keys, name))
        continue;
      if (!keep_key (wait, key, error))
        return NULL;
      if (text == NULL)
        {
          text = g_string_new (NULL);
          writer = gmcp_json_writer_init (text);
          gmcp_json_writer_begin_object (&writer);
        }
      /* The key stays as it came: the answer goes by it. */
      raw_key = gmcp_json_value_dup_raw (key);
      written_key = g_strconcat (raw_key, ":", NULL);
      gmcp_json_writer_raw_key (&writer, written_key, strlen (written_key));
      gmcp_json_writer_value (&writer, request);
      g_hash_table_add (input->keys, g_steal_pointer (&name));
    }
  if (text == NULL)
    return NULL;

  gmcp_json_writer_end_object (&writer);
  return gmcp_json_doc_parse (text->str, text->len, NULL, 0, NULL);
}

static void
ask_questions (GmcpTaskWait *wait, GmcpJsonValue requests)
{
  GmcpSession *self = gmcp_task_wait_get_session (wait);
  TaskInput *input = gmcp_task_wait_get_input (wait);
  GmcpExchange *exchange = gmcp_task_wait_get_exchange (wait);
  GError *error = NULL;
  GmcpInputRound *round = gmcp_input_round_new (
    self, gmcp_task_wait_get_subject (wait),
    exchange != NULL ? gmcp_exchange_get_options (exchange) : NULL, requests, &error);
  Asking *asking;

  if (round == NULL)
    {
      gmcp_task_wait_fail (wait, error);
      return;
    }

  asking = g_new0 (Asking, 1);
  asking->wait = wait;
  asking->round = round;
  asking->timer = g_timeout_source_new (gmcp_input_get_timeout_ms (self));
  g_source_set_static_name (asking->timer, "[gmcp] questions of a task");
  g_source_set_callback (asking->timer, on_timeout, asking, NULL);
  g_source_attach (asking->timer, gmcp_session_get_context (self));
  g_ptr_array_add (input->askings, asking);
  gmcp_task_wait_stop_clock (wait);
  gmcp_input_round_ask (round, on_answered, asking);
}

void
gmcp_era_modern_task_needs_input (GmcpTaskWait *held, GmcpJsonValue state)
{
  g_autoptr (GmcpTaskWait) wait = gmcp_task_wait_ref (held);
  GmcpJsonValue requests = gmcp_json_value_get_member (state, "inputRequests");
  TaskInput *input = ensure_input (wait);
  g_autoptr (GmcpJsonDoc) fresh = NULL;
  GError *error = NULL;

  for (guint i = 0; gmcp_task_wait_get_exchange (wait) != NULL && i < input->askings->len; i++)
    {
      Asking *asking = g_ptr_array_index (input->askings, i);

      if (asking->unheard)
        send_answers (asking);
    }
  if (gmcp_task_wait_get_exchange (wait) == NULL)
    return;

  if (gmcp_json_value_is_object (requests))
    fresh = take_new (wait, requests, &error);
  if (error != NULL)
    gmcp_task_wait_fail (wait, error);
  else if (fresh != NULL)
    ask_questions (wait, gmcp_json_doc_get_root (fresh));
}
