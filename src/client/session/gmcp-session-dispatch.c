/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-client-private.h"

#include <string.h>

#include "gmcp-change-stream-private.h"
#include "gmcp-client-changes-private.h"
#include "gmcp-era-private.h"
#include "gmcp-client-logging-private.h"
#include "gmcp-session-progress-private.h"
#include "gmcp-session-retry-private.h"
#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"

/* How much of a broken message is searched for the call that it was to answer. */
#define SALVAGE_BYTES 4096

typedef void (*NotificationFunc) (GmcpClient *self, GmcpJsonValue params);

static const struct
{
  const char *method;
  NotificationFunc func;
} notifications[] = {
  { GMCP_NOTIFICATION_PROGRESS, gmcp_client_note_progress },
  { GMCP_NOTIFICATION_MESSAGE, gmcp_client_note_log_message },
  { GMCP_NOTIFICATION_TOOLS_LIST_CHANGED, gmcp_client_note_tools_changed },
  { GMCP_NOTIFICATION_PROMPTS_LIST_CHANGED, gmcp_client_note_prompts_changed },
  { GMCP_NOTIFICATION_RESOURCES_LIST_CHANGED, gmcp_client_note_resources_changed },
  { GMCP_NOTIFICATION_RESOURCES_UPDATED, gmcp_client_note_resource_updated },
};

static void
drop (GmcpClient *self, const char *what)
{
  self->n_dropped++;
  g_debug ("%s: dropped %s", gmcp_client_describe (self), what);
}

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
take_opener (GmcpClient *self)
{
  GmcpExchange *exchange = self->probe != NULL ? self->probe : self->initialize;

  if (exchange == NULL || gmcp_pending_calls_get_length (self->pending) != 1)
    return NULL;
  return (GmcpExchange *) gmcp_pending_calls_take (self->pending, exchange->pending.id);
}

static void
handle_reply (GmcpClient *self, const GmcpRpcMessage *message)
{
  g_autoptr (GmcpClient) held = NULL;
  GmcpExchange *exchange = NULL;
  GError *error = NULL;
  gint64 id;

  if (gmcp_rpc_id_get_int64 (message->id, &id))
    exchange = gmcp_client_take_answered (self, id);
  else if (message->kind == GMCP_RPC_FAILURE && is_no_id (message->id))
    exchange = take_opener (self);

  if (exchange == NULL)
    {
      drop (self, "a reply that nobody waits for");
      return;
    }

  /* A caller's task holds the client until the exchange is freed; the client's own do not. */
  if (exchange->task == NULL)
    held = g_object_ref (self);
  if (message->kind == GMCP_RPC_RESULT)
    {
      gmcp_client_answer_exchange (self, exchange, message, NULL);
      return;
    }

  error = gmcp_rpc_error_new_from_value (message->error);
  if (error->message[0] == '\0')
    {
      g_free (error->message);
      error->message = g_strdup_printf (_ ("%s sent error %d without a message"),
                                        gmcp_client_describe (self), error->code);
    }
  gmcp_client_answer_exchange (self, exchange, NULL, error);
}

/* Some servers leave out a result that has nothing in it. Only what looks like a message counts, so
 * that a line of a log cannot end a call. */
static gboolean
handle_empty_answer (GmcpClient *self, const GmcpRpcMessage *message)
{
  g_autoptr (GmcpClient) held G_GNUC_UNUSED = NULL;
  g_autoptr (GmcpJsonDoc) doc = NULL;
  GmcpRpcMessage answer = { .kind = GMCP_RPC_RESULT, .id = message->id };
  GmcpExchange *exchange;
  gint64 id;

  if (!gmcp_json_value_is_object (message->value) || gmcp_json_value_is_present (message->method)
      || !gmcp_json_value_equals_string (gmcp_json_value_get_member (message->value, "jsonrpc"),
                                         "2.0")
      || !gmcp_rpc_id_get_int64 (message->id, &id))
    return FALSE;

  exchange = gmcp_client_take_answered (self, id);
  if (exchange == NULL)
    return FALSE;

  held = g_object_ref (self);
  if (self->era == NULL || !self->era->lacks_empty_results)
    {
      gmcp_client_finish_exchange (
        self, exchange, NULL,
        g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                     _ ("%s sent an answer with neither a result nor an error"),
                     gmcp_client_describe (self)));
      return TRUE;
    }

  doc = gmcp_json_doc_parse ("{}", 2, NULL, 0, NULL);
  answer.value = answer.result = gmcp_json_doc_get_root (doc);
  gmcp_client_answer_exchange (self, exchange, &answer, NULL);
  return TRUE;
}

static void
handle_notification (GmcpClient *self, const GmcpRpcMessage *message)
{
  g_autoptr (GmcpClient) held G_GNUC_UNUSED = g_object_ref (self);

  /* Before anybody who hears of the change asks. */
  if (self->response_cache != NULL)
    gmcp_client_expire_cached (self, message);
  for (guint i = 0; i < G_N_ELEMENTS (notifications); i++)
    {
      if (gmcp_json_value_equals_string (message->method, notifications[i].method))
        {
          notifications[i].func (self, message->params);
          return;
        }
    }

  if ((self->era == NULL || !self->era->handle_notification (self, message))
      && !gmcp_client_note_unknown (self, message))
    drop (self, "a notification that is not known");
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
handle_message (GmcpClient *self, GmcpJsonValue value, gboolean in_batch)
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
        drop (self, "a request with an id that is too long");
      else if (self->era != NULL)
        {
          g_autoptr (GmcpClient) held G_GNUC_UNUSED = g_object_ref (self);

          self->era->handle_request (self, &message);
        }
      return;

    case GMCP_RPC_BATCH:
      if (!in_batch && self->era != NULL && self->era->takes_batches (self))
        {
          g_autoptr (GmcpClient) held G_GNUC_UNUSED = g_object_ref (self);
          GmcpJsonIter iter;
          GmcpJsonValue member;

          gmcp_json_iter_init (&iter, value);
          /* A callback may close the connection. */
          while (self->state == GMCP_CLIENT_OPEN && gmcp_json_iter_next (&iter, NULL, &member))
            handle_message (self, member, TRUE);
          return;
        }
      drop (self, "a batch, which this revision does not have");
      return;

    case GMCP_RPC_INVALID:
    default:
      if (!handle_empty_answer (self, &message))
        drop (self, "JSON that is no message");
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
salvage (GmcpClient *self, const char *text, gsize length)
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
  return gmcp_client_take_answered (self, number);
}

static void
on_message (gpointer taker, const char *text, gsize length, GBytes *owner)
{
  GmcpClient *self = taker;
  g_autoptr (GmcpClient) held = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, length, owner, 0, &error);
  GmcpExchange *exchange;

  self->n_heard++;
  if (doc != NULL)
    {
      if (self->last_problem->len > 0)
        g_string_truncate (self->last_problem, 0);
      handle_message (self, gmcp_json_doc_get_root (doc), FALSE);
      return;
    }

  held = g_object_ref (self);
  drop (self, error->message);
  g_string_assign (self->last_problem, error->message);
  exchange = salvage (self, text, length);
  if (exchange != NULL)
    gmcp_client_finish_exchange (self, exchange, NULL,
                                 g_error_new (GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                                              _ ("%s sent an answer that could not be read: %s"),
                                              gmcp_client_describe (self), error->message));
}

/* Which call the message was to answer is not known, so all that wait are told. */
static void
on_violation (gpointer taker, const GError *error)
{
  g_autoptr (GmcpClient) self = g_object_ref (taker);
  g_autoptr (GError) told = g_error_copy (error);

  g_prefix_error (&told, "%s: ", gmcp_client_describe (self));
  g_string_assign (self->last_problem, error->message);
  gmcp_client_give_up_all (self, told);
}

static void
on_closed (gpointer taker, const GError *error)
{
  g_autoptr (GmcpClient) self = g_object_ref (taker);

  if (!gmcp_client_open_transport_closed (self, error))
    gmcp_client_went_down (self, error);
}

static gboolean
is_waiting (gpointer taker, gint64 request_id)
{
  GmcpClient *self = taker;

  return gmcp_pending_calls_find (self->pending, request_id) != NULL;
}

static void
on_listening (gpointer taker, const GError *error)
{
  g_autoptr (GmcpClient) self = g_object_ref (taker);

  if (self->state != GMCP_CLIENT_OPEN)
    return;
  if (error != NULL)
    gmcp_change_streams_deafen (self, error);
  else
    gmcp_change_streams_hear (self);
}

const GmcpTransportTaker gmcp_client_taker = {
  .message = on_message,
  .violation = on_violation,
  .closed = on_closed,
  .is_waiting = is_waiting,
  .request_failed = gmcp_client_request_failed,
  .session_lost = gmcp_client_session_lost,
  .listening = on_listening,
};
