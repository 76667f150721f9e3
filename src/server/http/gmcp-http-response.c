/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-response-private.h"

#include <string.h>
#include <sys/socket.h>

#include "gmcp-http-connections-private.h"
#include "gmcp-http-headers-private.h"
#include "gmcp-limits.h"
#include "gmcp-protocol-private.h"
#include "gmcp-rpc-message-private.h"

#define SOUP_MINOR_CLOSES_IDLE 3

typedef enum
{
  ANSWER_NONE,
  ANSWER_EVENTS,
  ANSWER_COMPLETE,
} Answer;

#define NOT_READ "Clients do not read their answers; try again later"

struct _GmcpHttpResponse
{
  const GmcpSoupServer *soup;
  SoupServerMessage *message; /* NULL once it is complete, or the client gone */
  GmcpHttpHeaders headers;    /* of the request; not read before one is asked for */
  Answer answer;
  gboolean is_paused;  /* by pausing, whose end libsoup looks at in a turn of its own */
  gsize queued_bytes;  /* of events that the client has not taken yet */
  gsize charged_bytes; /* of them */

  const GmcpHttpResponseFuncs *funcs;
  gpointer data;
  GmcpHttpWatch *watch;
  GmcpHttpConnection *connection; /* nullable, not owned; while it is held */
  int fd; /* that is watched for the end, where there is no connection; or -1 */
  GmcpHttpTimer quiet;
  guint quiet_ms;
};

GmcpHttpResponse *
gmcp_http_response_new (const GmcpSoupServer *soup,
                        SoupServerMessage *message,
                        GmcpHttpWatch *watch)
{
  GmcpHttpResponse *self = g_rc_box_new0 (GmcpHttpResponse);

  self->soup = soup;
  self->message = g_object_ref (message);
  self->watch = gmcp_http_watch_ref (watch);
  self->fd = -1;
  /* Such a libsoup keeps each connection for good that a client leaves open and closes later. */
  if (soup->get_minor_version () < SOUP_MINOR_CLOSES_IDLE
      && gmcp_http_connection_find (soup, message) == NULL)
    gmcp_http_response_set_header (self, "Connection", "close");
  return self;
}

GmcpHttpResponse *
gmcp_http_response_ref (GmcpHttpResponse *self)
{
  return g_rc_box_acquire (self);
}

static void
release_bytes (GmcpHttpResponse *self, gsize n_bytes)
{
  self->charged_bytes -= n_bytes;
  gmcp_byte_budget_release (gmcp_http_watch_get_unread (self->watch), n_bytes);
}

static void
stop_watching (GmcpHttpResponse *self)
{
  gmcp_http_watch_clear_timer (self->watch, &self->quiet);
  if (self->fd >= 0)
    gmcp_http_watch_remove (self->watch, self->fd);
  self->fd = -1;
  if (self->message != NULL && self->connection != NULL
      && gmcp_http_connection_find (self->soup, self->message) == self->connection)
    gmcp_http_connection_set_hung_up_func (self->connection, NULL, NULL);
  self->connection = NULL;
}

/* Nothing is said about the message any more. */
static void
drop_message (GmcpHttpResponse *self)
{
  stop_watching (self);
  self->funcs = NULL;
  if (self->message != NULL)
    g_signal_handlers_disconnect_by_data (self->message, self);
  if (self->charged_bytes > 0)
    release_bytes (self, self->charged_bytes);
  g_clear_object (&self->message);
}

static void
response_clear (gpointer data)
{
  GmcpHttpResponse *self = data;

  gmcp_http_response_let_go (self);
  gmcp_http_watch_unref (self->watch);
}

void
gmcp_http_response_unref (GmcpHttpResponse *self)
{
  g_rc_box_release_full (self, response_clear);
}

static void
report_gone (GmcpHttpResponse *self)
{
  g_autoptr (GmcpHttpResponse) alive G_GNUC_UNUSED = gmcp_http_response_ref (self);
  const GmcpHttpResponseFuncs *funcs = self->funcs;
  gpointer data = self->data;

  drop_message (self);
  self->answer = ANSWER_COMPLETE;
  if (funcs != NULL)
    funcs->gone (self, data);
}

static void
on_finished (SoupServerMessage *message, gpointer data)
{
  report_gone (data);
}

static void
unpause_message (GmcpHttpResponse *self)
{
  if (!self->is_paused)
    return;

  self->is_paused = FALSE;
  self->soup->server_message_unpause (self->message);
}

/* What a large answer takes until it is written. */
typedef struct
{
  GmcpByteBudget *budget;
  gsize n_bytes;
} Charge;

static void
charge_free (gpointer data)
{
  Charge *charge = data;

  gmcp_byte_budget_release (charge->budget, charge->n_bytes);
  gmcp_byte_budget_unref (charge->budget);
  g_free (charge);
}

/* Takes over what is charged already. */
static void
leave_charge (GmcpHttpResponse *self, gsize n_bytes)
{
  Charge *charge = g_new (Charge, 1);

  charge->budget = gmcp_byte_budget_ref (gmcp_http_watch_get_unread (self->watch));
  charge->n_bytes = n_bytes;
  g_object_set_data_full (G_OBJECT (self->message), GMCP_HTTP_CHARGE_KEY, charge, charge_free);
}

/* The client is there still. */
static gboolean
makes_room (GmcpHttpResponse *self)
{
  return self->connection != NULL && !gmcp_http_connection_has_hung_up (self->connection);
}

/* libsoup closes the connection when it writes to it. */
static void
abandon_answer (GmcpHttpResponse *self)
{
  if (self->charged_bytes > 0)
    leave_charge (self, self->charged_bytes);
  self->charged_bytes = 0;
  if (self->answer == ANSWER_EVENTS)
    self->soup->message_body_complete (
      self->soup->server_message_get_response_body (self->message));
  else
    self->soup->server_message_set_status (
      self->message,
      makes_room (self) ? SOUP_STATUS_SERVICE_UNAVAILABLE : SOUP_STATUS_REQUEST_TIMEOUT, NULL);
  self->is_paused = FALSE;
  self->soup->server_message_unpause (self->message);
}

/* libsoup does not look at a connection while its answer waits. */
static void
on_hung_up (gpointer data)
{
  GmcpHttpResponse *self = data;

  abandon_answer (self);
  report_gone (self);
}

/* Behind the next request, which waits for this answer, an end is seen when that is written. */
static void
on_end_of_input (gpointer data)
{
  GmcpHttpResponse *self = data;
  char byte;

  if (recv (self->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0)
    on_hung_up (self);
}

static void
on_quiet (gpointer data)
{
  g_autoptr (GmcpHttpResponse) self = gmcp_http_response_ref (data);

  gmcp_http_watch_set_timer (self->watch, &self->quiet, self->quiet_ms, on_quiet, self);
  self->funcs->quiet (self, self->data);
}

static void
watch_client (GmcpHttpResponse *self)
{
  GSocket *socket = gmcp_http_connection_get_socket (self->soup, self->message);

  self->connection = gmcp_http_connection_find (self->soup, self->message);
  if (self->connection != NULL)
    gmcp_http_connection_set_hung_up_func (self->connection, on_hung_up, self);
  else if (socket != NULL
           && gmcp_http_watch_add (self->watch, g_socket_get_fd (socket), on_end_of_input, self))
    self->fd = g_socket_get_fd (socket);
}

void
gmcp_http_response_hold (GmcpHttpResponse *self,
                         const GmcpHttpResponseFuncs *funcs,
                         gpointer data,
                         guint quiet_ms)
{
  if (self->answer == ANSWER_COMPLETE)
    return;

  self->funcs = funcs;
  self->data = data;
  self->quiet_ms = quiet_ms;
  watch_client (self);
  if (quiet_ms != 0)
    gmcp_http_watch_set_timer (self->watch, &self->quiet, quiet_ms, on_quiet, self);
  g_signal_connect (self->message, "finished", G_CALLBACK (on_finished), self);
  if (self->answer == ANSWER_NONE)
    {
      self->is_paused = TRUE;
      self->soup->server_message_pause (self->message);
    }
}

void
gmcp_http_response_resume (GmcpHttpResponse *self)
{
  stop_watching (self);
  self->funcs = NULL;
  if (self->message != NULL)
    g_signal_handlers_disconnect_by_func (self->message, on_finished, self);
}

void
gmcp_http_response_let_go (GmcpHttpResponse *self)
{
  self->funcs = NULL;
  gmcp_http_watch_clear_timer (self->watch, &self->quiet);
  if (self->answer == ANSWER_EVENTS)
    gmcp_http_response_end (self);
  else if (self->answer == ANSWER_NONE && self->message != NULL)
    gmcp_http_response_send_status (self, SOUP_STATUS_SERVICE_UNAVAILABLE);
}

const char *
gmcp_http_response_get_request_header (GmcpHttpResponse *self, const char *name)
{
  if (self->message == NULL)
    return NULL;
  if (self->headers.all == NULL)
    gmcp_http_headers_read (&self->headers, self->soup, self->message);
  return gmcp_http_headers_get (&self->headers, name);
}

void
gmcp_http_response_set_header (GmcpHttpResponse *self, const char *name, const char *value)
{
  if (self->message != NULL)
    self->soup->message_headers_replace (
      self->soup->server_message_get_response_headers (self->message), name, value);
}

static void
complete_answer (GmcpHttpResponse *self)
{
  GmcpHttpConnection *connection = gmcp_http_connection_find (self->soup, self->message);

  if (connection != NULL)
    gmcp_http_connection_end_answer (connection);
  /* Events are written as they come, for which libsoup pauses by itself. */
  self->is_paused |= self->answer == ANSWER_EVENTS;
  if (self->charged_bytes > 0)
    leave_charge (self, self->charged_bytes);
  self->charged_bytes = 0;
  self->answer = ANSWER_COMPLETE;
  unpause_message (self);
  drop_message (self);
}

void
gmcp_http_response_send_status (GmcpHttpResponse *self, guint status)
{
  if (self->answer != ANSWER_NONE)
    return;

  self->soup->server_message_set_status (self->message, status, NULL);
  complete_answer (self);
}

static gboolean
charge_answer (GmcpHttpResponse *self, gsize n_bytes)
{
  if (n_bytes <= GMCP_LIMIT_HTTP_SMALL_BYTES)
    return TRUE;
  if (!gmcp_byte_budget_charge (gmcp_http_watch_get_unread (self->watch), n_bytes))
    return FALSE;

  leave_charge (self, n_bytes);
  return TRUE;
}

/* To HEAD libsoup writes none. */
static void
expect_body (GmcpHttpResponse *self, gsize length)
{
  GmcpHttpConnection *connection = gmcp_http_connection_find (self->soup, self->message);

  if (connection != NULL && length > 0
      && strcmp (self->soup->server_message_get_method (self->message), "POST") == 0)
    gmcp_http_connection_expect_body (connection);
}

static void
send_body (GmcpHttpResponse *self, guint status, const char *text, gsize length, GString **buffer)
{
  if (self->answer != ANSWER_NONE)
    return;

  if (!charge_answer (self, length))
    {
      gmcp_http_response_refuse (self, SOUP_STATUS_SERVICE_UNAVAILABLE, GMCP_RPC_ERROR_INTERNAL,
                                 NOT_READ);
      return;
    }
  self->soup->server_message_set_status (self->message, status, NULL);
  /* A large one is written from where it was made. */
  if (buffer != NULL && length > GMCP_LIMIT_HTTP_SMALL_BYTES)
    self->soup->server_message_set_response (self->message, "application/json", SOUP_MEMORY_TAKE,
                                             g_string_free (g_steal_pointer (buffer), FALSE),
                                             length);
  else
    self->soup->server_message_set_response (self->message, "application/json", SOUP_MEMORY_COPY,
                                             text, length);
  expect_body (self, length);
  complete_answer (self);
}

void
gmcp_http_response_send_json (GmcpHttpResponse *self, guint status, const char *text, gsize length)
{
  send_body (self, status, text, length, NULL);
}

void
gmcp_http_response_send_message (GmcpHttpResponse *self, guint status, const GmcpOutgoing *message)
{
  send_body (self, status, message->text, message->length, message->buffer);
}

void
gmcp_http_response_refuse (GmcpHttpResponse *self, guint status, int code, const char *message)
{
  g_autoptr (GString) text = g_string_new (NULL);

  gmcp_rpc_write_error (text, GMCP_JSON_NONE, code, message, NULL);
  gmcp_http_response_send_json (self, status, text->str, text->len);
}

const char *
gmcp_http_response_get_version (GmcpHttpResponse *self)
{
  const char *header = gmcp_http_response_get_request_header (self, "MCP-Protocol-Version");

  /* A client of the revisions that knew no such header says nothing. */
  return header != NULL ? gmcp_protocol_lookup_version (header) : GMCP_PROTOCOL_VERSION_2025_03_26;
}

void
gmcp_http_response_refuse_version (GmcpHttpResponse *self)
{
  gmcp_http_response_refuse (self, SOUP_STATUS_BAD_REQUEST, GMCP_RPC_ERROR_INVALID_REQUEST,
                             "Invalid request: MCP-Protocol-Version is none that is known here");
}

/* Events */

/* A client that reads is sent what there is, whatever others leave unread; but for what is large, since nobody knows
 * whether that will be read. */
static gboolean
charge_bytes (GmcpHttpResponse *self, gsize n_bytes)
{
  if (!gmcp_byte_budget_charge (gmcp_http_watch_get_unread (self->watch), n_bytes))
    return self->queued_bytes == 0 && n_bytes <= GMCP_LIMIT_HTTP_SMALL_BYTES;

  self->charged_bytes += n_bytes;
  return TRUE;
}

static void
on_wrote_body_data (SoupServerMessage *message, guint n_bytes, gpointer data)
{
  GmcpHttpResponse *self = data;

  self->queued_bytes -= MIN (self->queued_bytes, n_bytes);
  if (self->charged_bytes > self->queued_bytes)
    release_bytes (self, self->charged_bytes - self->queued_bytes);
}

void
gmcp_http_response_begin_events (GmcpHttpResponse *self)
{
  SoupMessageHeaders *headers;

  if (self->answer != ANSWER_NONE)
    return;

  self->answer = ANSWER_EVENTS;
  self->soup->server_message_set_status (self->message, SOUP_STATUS_OK, NULL);
  headers = self->soup->server_message_get_response_headers (self->message);
  self->soup->message_headers_replace (headers, "Content-Type", "text/event-stream");
  self->soup->message_headers_replace (headers, "Cache-Control", "no-cache, no-transform");
  self->soup->message_headers_replace (headers, "X-Accel-Buffering", "no");
  self->soup->message_headers_set_encoding (
    headers, self->soup->server_message_get_http_version (self->message) == SOUP_HTTP_1_0
               ? SOUP_ENCODING_EOF
               : SOUP_ENCODING_CHUNKED);
  self->soup->message_body_set_accumulate (
    self->soup->server_message_get_response_body (self->message), FALSE);
  g_signal_connect (self->message, "wrote-body-data", G_CALLBACK (on_wrote_body_data), self);
}

gboolean
gmcp_http_response_has_events (GmcpHttpResponse *self)
{
  return self->answer == ANSWER_EVENTS;
}

gboolean
gmcp_http_response_is_open (GmcpHttpResponse *self)
{
  return self->answer != ANSWER_COMPLETE;
}

/* Takes the text. */
static void
append_text (GmcpHttpResponse *self, GString *text)
{
  gsize length = text->len;

  self->queued_bytes += length;
  self->soup->message_body_append_take (
    self->soup->server_message_get_response_body (self->message),
    (guchar *) g_string_free (text, FALSE), length);
  self->soup->server_message_unpause (self->message);
  if (self->quiet.queue != NULL)
    gmcp_http_watch_set_timer (self->watch, &self->quiet, self->quiet_ms, on_quiet, self);
}

static void
append_event (GmcpHttpResponse *self, const char *id, const char *text, gsize length)
{
  GString *event = g_string_sized_new (length + 64);

  if (id != NULL)
    g_string_append_printf (event, "id: %s\n", id);
  /* An event without data is there for its id only, and has no name that somebody listens to. */
  if (length > 0)
    g_string_append (event, "event: message\n");
  g_string_append (event, "data: ");
  g_string_append_len (event, text, (gssize) length);
  g_string_append (event, "\n\n");
  append_text (self, event);
}

gboolean
gmcp_http_response_send_event (GmcpHttpResponse *self,
                               const char *id,
                               const char *text,
                               gsize length)
{
  if (self->answer != ANSWER_EVENTS)
    return TRUE;
  if (length > GMCP_LIMIT_WRITE_QUEUE_BYTES
      || self->queued_bytes > GMCP_LIMIT_WRITE_QUEUE_BYTES - length || !charge_bytes (self, length))
    return FALSE;

  append_event (self, id, text, length);
  return TRUE;
}

char *
gmcp_http_response_dup_refusal (const char *id, gsize id_length)
{
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (id, id_length, NULL, 0, NULL);
  GString *text = g_string_new (NULL);

  gmcp_rpc_write_error (text, doc != NULL ? gmcp_json_doc_get_root (doc) : GMCP_JSON_NONE,
                        GMCP_RPC_ERROR_INTERNAL, NOT_READ, NULL);
  return g_string_free (text, FALSE);
}

void
gmcp_http_response_send_last_event (GmcpHttpResponse *self, const char *text, gsize length)
{
  if (self->answer != ANSWER_EVENTS)
    return;

  append_event (self, NULL, text, length);
  gmcp_http_response_end (self);
}

void
gmcp_http_response_send_comment (GmcpHttpResponse *self)
{
  /* Who does not read is not kept alive by more. */
  if (self->answer == ANSWER_EVENTS && self->queued_bytes == 0)
    append_text (self, g_string_new (":\n\n"));
}

void
gmcp_http_response_send_retry (GmcpHttpResponse *self, guint retry_ms)
{
  GString *field;

  if (self->answer != ANSWER_EVENTS)
    return;

  field = g_string_new (NULL);
  g_string_printf (field, "retry: %u\n\n", retry_ms);
  append_text (self, field);
}

void
gmcp_http_response_end_unanswered (GmcpHttpResponse *self)
{
  gmcp_http_response_begin_events (self);
  gmcp_http_response_end (self);
}

void
gmcp_http_response_end (GmcpHttpResponse *self)
{
  if (self->answer != ANSWER_EVENTS)
    return;

  self->soup->message_body_complete (self->soup->server_message_get_response_body (self->message));
  complete_answer (self);
}
