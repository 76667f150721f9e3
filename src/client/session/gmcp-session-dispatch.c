/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-session-engine-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"

/* How much of a broken message is searched for the call that it was to answer. */
#define SALVAGE_BYTES 4096

static gboolean
is_no_id (GmcpJsonValue id)
{
  GmcpJsonKind kind = gmcp_json_value_get_kind (id);

  return kind == GMCP_JSON_ABSENT || kind == GMCP_JSON_NULL
         || gmcp_json_value_equals_string (id, "");
}

/* Some servers answer what they do not know with an error that has no id. While a connection is
 * being opened there may be one request only that it can mean. */
static GmcpExchange *
take_opener (GmcpSession *self)
{
  GmcpExchange *exchange = gmcp_session_get_opener (self);

  if (exchange == NULL || gmcp_pending_calls_get_length (gmcp_session_get_calls (self)) != 1)
    return NULL;
  return (GmcpExchange *) gmcp_pending_calls_take (gmcp_session_get_calls (self),
                                                   gmcp_exchange_get_id (exchange));
}

static void
handle_reply (GmcpSession *self, const GmcpRpcMessage *message)
{
  g_autoptr (GmcpSession) held = NULL;
  GmcpExchange *exchange = NULL;
  GError *error = NULL;
  gint64 id;

  if (gmcp_rpc_id_get_int64 (message->id, &id))
    exchange = gmcp_session_take_answered (self, id);
  else if (message->kind == GMCP_RPC_FAILURE && is_no_id (message->id))
    exchange = take_opener (self);

  if (exchange == NULL)
    {
      if (gmcp_rpc_id_get_int64 (message->id, &id))
        gmcp_given_up_calls_remove (gmcp_session_get_given_up (self), id);
      gmcp_session_drop_message (self, "a reply that nobody waits for");
      return;
    }

  /* A caller's task holds the client until the exchange is freed; the client's own do not. */
  if (gmcp_exchange_get_task (exchange) == NULL)
    held = gmcp_session_ref (self);
  if (message->kind == GMCP_RPC_RESULT)
    {
      gmcp_session_answer_exchange (self, exchange, message, NULL);
      return;
    }

  error = gmcp_rpc_error_new_from_value (message->error);
  if (error->message[0] == '\0')
    {
      g_free (error->message);
      error->message = g_strdup_printf (_ ("%s sent error %d without a message"),
                                        gmcp_session_describe (self), error->code);
    }
  gmcp_session_answer_exchange (self, exchange, NULL, error);
}

/* Some servers leave out a result that has nothing in it. Only what looks like a message counts, so
 * that a line of a log cannot end a call. */
static gboolean
handle_empty_answer (GmcpSession *self, const GmcpRpcMessage *message)
{
  g_autoptr (GmcpSession) held G_GNUC_UNUSED = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpRpcMessage answer = { .kind = GMCP_RPC_RESULT, .id = message->id };
  GmcpExchange *exchange;
  gint64 id;

  if (!gmcp_json_value_is_object (message->value) || gmcp_json_value_is_present (message->method)
      || !gmcp_json_value_equals_string (gmcp_json_value_get_member (message->value, "jsonrpc"),
                                         "2.0")
      || !gmcp_rpc_id_get_int64 (message->id, &id))
    return FALSE;

  exchange = gmcp_session_take_answered (self, id);
  if (exchange == NULL)
    return FALSE;

  held = gmcp_session_ref (self);
  if (gmcp_session_get_era (self) == NULL || !gmcp_session_get_era (self)->lacks_empty_results)
    {
      gmcp_session_finish_exchange (
        self, exchange, NULL,
        g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                     _ ("%s sent an answer with neither a result nor an error"),
                     gmcp_session_describe (self)));
      return TRUE;
    }

  doc = gmcp_json_doc_parse ("{}", 2, NULL, 0, NULL);
  answer.value = answer.result = gmcp_json_doc_get_root (doc);
  gmcp_session_answer_exchange (self, exchange, &answer, NULL);
  return TRUE;
}

static void
handle_notification (GmcpSession *self, const GmcpRpcMessage *message)
{
  g_autoptr (GmcpSession) held G_GNUC_UNUSED = gmcp_session_ref (self);
  const GmcpSessionHooks *hooks = gmcp_session_get_hooks (self);
  const GmcpEraFuncs *era = gmcp_session_get_era (self);

  if (gmcp_json_value_equals_string (message->method, GMCP_NOTIFICATION_PROGRESS))
    gmcp_session_note_progress (self, message->params);
  else if (!hooks->notification (self, message)
           && (era == NULL || !era->handle_notification (self, message))
           && !hooks->unknown_notification (self, message))
    gmcp_session_drop_message (self, "a notification that is not known");
}

/* Ids of requests are kept until they are answered. */
static gboolean
is_usable_id (GmcpJsonValue id)
{
  gsize length;

  gmcp_json_value_peek_raw (id, &length);
  return length <= GMCP_LIMIT_REQUEST_ID_BYTES;
}

static void
handle_message (GmcpSession *self, GmcpJsonValue value, gboolean in_batch)
{
  GmcpRpcMessage message;

  gmcp_rpc_message_read (&message, value);
  switch (message.kind)
    {
    case GMCP_RPC_RESULT:
    case GMCP_RPC_FAILURE:
      handle_reply (self, &message);
      return;

    case GMCP_RPC_NOTIFICATION:
      handle_notification (self, &message);
      return;

    case GMCP_RPC_REQUEST:
      if (!is_usable_id (message.id))
        gmcp_session_drop_message (self, "a request with an id that is too long");
      else if (gmcp_session_get_era (self) != NULL)
        {
          g_autoptr (GmcpSession) held G_GNUC_UNUSED = gmcp_session_ref (self);

          gmcp_session_get_era (self)->handle_request (self, &message);
        }
      return;

    case GMCP_RPC_BATCH:
      if (!in_batch && gmcp_session_get_era (self) != NULL
          && gmcp_session_get_era (self)->takes_batches (self))
        {
          g_autoptr (GmcpSession) held G_GNUC_UNUSED = gmcp_session_ref (self);
          GmcpJsonIter iter;
          GmcpJsonValue member;

          gmcp_json_iter_init (&iter, value);
          /* A callback may close the connection. */
          while (gmcp_session_is_open (self) && gmcp_json_iter_next (&iter, NULL, &member))
            handle_message (self, member, TRUE);
          return;
        }
      gmcp_session_drop_message (self, "a batch, which this revision does not have");
      return;

    case GMCP_RPC_INVALID:
    default:
      if (!handle_empty_answer (self, &message))
        gmcp_session_drop_message (self, "JSON that is no message");
      return;
    }
}

/* Past a string in JSON text, to after its closing quote; the end where it has none. */
static const char *
skip_string (const char *at, const char *end)
{
  for (at++; at < end && *at != '"'; at++)
    if (*at == '\\')
      at++;
  return at < end ? at + 1 : end;
}

static const char *
skip_space (const char *at, const char *end)
{
  while (at < end && g_ascii_isspace (*at))
    at++;
  return at;
}

/* The value of a member of the object that a text starts with, the text being broken somewhere;
 * NULL where it is not found before. */
static const char *
find_member (const char *text, const char *end, const char *name)
{
  gsize length = strlen (name);
  guint depth = 0;

  for (const char *at = text; at < end;)
    {
      const char *start = at;

      if (*at != '"')
        {
          depth += *at == '{' || *at == '[';
          depth -= depth > 0 && (*at == '}' || *at == ']');
          at++;
          continue;
        }

      at = skip_string (at, end);
      if (depth == 1 && (gsize) (at - start) == length + 2 && memcmp (start + 1, name, length) == 0)
        {
          at = skip_space (at, end);
          if (at < end && *at == ':')
            return skip_space (at + 1, end);
        }
    }
  return NULL;
}

/* A message that cannot be read may still show whose answer it was. Only what looks like a message
 * is searched, so that a line of a log cannot end a call. */
static GmcpExchange *
salvage_exchange (GmcpSession *self, const char *text, gsize length)
{
  const char *end = text + MIN (length, SALVAGE_BYTES);
  const char *start = skip_space (text, end);
  const char *id;
  gint64 number = 0;

  if (start == end || *start != '{' || find_member (start, end, "jsonrpc") == NULL
      || find_member (start, end, "method") != NULL)
    return NULL;

  id = find_member (start, end, "id");
  for (guint digits = 0; id != NULL && id < end && g_ascii_isdigit (*id) && digits < 16; digits++)
    number = number * 10 + (*id++ - '0');
  if (id == NULL || id == end || !(*id == ',' || *id == '}' || g_ascii_isspace (*id)))
    return NULL;
  return gmcp_session_take_answered (self, number);
}

static void
on_message (gpointer taker, const char *text, gsize length, GBytes *owner)
{
  GmcpSession *self = taker;
  g_autoptr (GmcpSession) held = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, length, owner, 0, &error);
  GmcpExchange *exchange;

  gmcp_session_count_heard (self);
  if (doc != NULL)
    {
      if (gmcp_session_get_last_problem (self) != NULL)
        gmcp_session_set_last_problem (self, "");
      handle_message (self, gmcp_json_doc_get_root (doc), FALSE);
      return;
    }

  held = gmcp_session_ref (self);
  gmcp_session_drop_message (self, error->message);
  gmcp_session_set_last_problem (self, error->message);
  exchange = salvage_exchange (self, text, length);
  if (exchange != NULL)
    gmcp_session_finish_exchange (self, exchange, NULL,
                                  g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                                               _ ("%s sent an answer that could not be read: %s"),
                                               gmcp_session_describe (self), error->message));
}

/* Which call the message was to answer is not known, so all that wait are told. */
static void
on_violation (gpointer taker, const GError *error)
{
  g_autoptr (GmcpSession) self = gmcp_session_ref (taker);
  g_autoptr (GError) told = g_error_copy (error);

  g_prefix_error (&told, "%s: ", gmcp_session_describe (self));
  gmcp_session_set_last_problem (self, error->message);
  gmcp_session_give_up_all (self, told);
}

static void
on_closed (gpointer taker, const GError *error)
{
  g_autoptr (GmcpSession) self = gmcp_session_ref (taker);

  if (!gmcp_session_open_transport_closed (self, error))
    gmcp_session_went_down (self, error);
}

static gboolean
is_waiting (gpointer taker, gint64 request_id)
{
  GmcpSession *self = taker;

  return gmcp_pending_calls_find (gmcp_session_get_calls (self), request_id) != NULL;
}

static void
on_listening (gpointer taker, const GError *error)
{
  g_autoptr (GmcpSession) self = gmcp_session_ref (taker);

  if (!gmcp_session_is_open (self))
    return;
  gmcp_session_get_hooks (self)->listening (self, error);
}

const GmcpTransportTaker gmcp_session_taker = {
  .message = on_message,
  .violation = on_violation,
  .closed = on_closed,
  .is_waiting = is_waiting,
  .request_failed = gmcp_session_request_failed,
  .session_lost = gmcp_session_lost,
  .listening = on_listening,
};
