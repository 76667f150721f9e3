/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include <gmcp/core/gmcp-error.h>
#include <gmcp/json/gmcp-json.h>

#include "gmcpd-api-body.h"
#include "gmcpd-api-listener.h"
#include "gmcpd-api-problem.h"
#include "gmcpd-api-request.h"
#include "gmcpd-names.h"

/* Those under way at once; each may keep a body of 1 MiB. */
#define MAX_REQUESTS 64

/* Of these, streams; and what may wait for a client that reads slowly, behind the event that it is reading. */
#define MAX_STREAMS       16
#define MAX_WAITING_BYTES (4u * 1024 * 1024)

struct _GmcpdApiRequests
{
  const GmcpdSoup *soup;
  GmcpManager *manager;
  GmcpdOpenQuestions *questions;
  GmcpdApiGate gate;
  GPtrArray *requests; /* of GmcpdApiRequest, until their answers are written */
  GSourceOnceFunc drained;
  gpointer drained_data;
};

struct _GmcpdApiRequest
{
  GmcpdApiRequests *all; /* NULL once it is over */
  const GmcpdSoup *soup;
  GmcpManager *manager;
  GmcpdOpenQuestions *questions;
  SoupServerMessage *message;
  GStrv words;
  GHashTable *query; /* nullable */
  JsonObject *body;  /* NULL until it is read */
  GCancellable *cancellable;
  GSource *watch; /* nullable */
  gboolean is_stream;
  gsize n_waiting;      /* bytes of a stream that are not written yet */
  gsize n_first;        /* of these, those of an event that nothing waited before */
  gboolean is_answered; /* by us */
  gboolean is_over;     /* for libsoup */
};

static void on_finished (SoupServerMessage *message, GmcpdApiRequest *self);

/* All of them */

GmcpdApiRequests *
gmcpd_api_requests_new (const GmcpdSoup *soup,
                        GmcpManager *manager,
                        GmcpdOpenQuestions *questions,
                        const GmcpdApiGate *gate)
{
  GmcpdApiRequests *self = g_new0 (GmcpdApiRequests, 1);

  self->soup = soup;
  self->manager = g_object_ref (manager);
  self->questions = g_object_ref (questions);
  self->gate = *gate;
  self->requests = g_ptr_array_new ();
  return self;
}

/* Once the server of libsoup is gone, and with it all messages. */
void
gmcpd_api_requests_free (GmcpdApiRequests *self)
{
  for (guint i = 0; i < self->requests->len; i++)
    {
      GmcpdApiRequest *request = self->requests->pdata[i];

      g_signal_handlers_disconnect_by_func (request->message, on_finished, request);
      request->all = NULL;
      request->is_over = TRUE;
    }
  g_ptr_array_unref (self->requests);
  g_object_unref (self->questions);
  g_object_unref (self->manager);
  g_free (self);
}

static void
check_drained (GmcpdApiRequests *self)
{
  GSourceOnceFunc drained = self->drained;

  if (drained == NULL || self->requests->len > 0)
    return;
  self->drained = NULL;
  drained (self->drained_data);
}

static void
cancel_requests (GmcpdApiRequests *self, gboolean only_streams)
{
  g_autoptr (GPtrArray) cancellables = g_ptr_array_new_with_free_func (g_object_unref);

  /* The handlers answer requests, which takes them out of the list. */
  for (guint i = 0; i < self->requests->len; i++)
    {
      GmcpdApiRequest *request = self->requests->pdata[i];

      if (request->is_stream || !only_streams)
        g_ptr_array_add (cancellables, g_object_ref (request->cancellable));
    }
  for (guint i = 0; i < cancellables->len; i++)
    g_cancellable_cancel (cancellables->pdata[i]);
}

void
gmcpd_api_requests_drain (GmcpdApiRequests *self, GSourceOnceFunc func, gpointer data)
{
  cancel_requests (self, TRUE);
  self->drained = func;
  self->drained_data = data;
  check_drained (self);
}

void
gmcpd_api_requests_cancel (GmcpdApiRequests *self)
{
  cancel_requests (self, FALSE);
}

/* One */

static void
clear_watch (GmcpdApiRequest *self)
{
  if (self->watch != NULL)
    g_source_destroy (self->watch);
  g_clear_pointer (&self->watch, g_source_unref);
}

/* Once it is answered and libsoup has no more use for it. */
static void
free_when_done (GmcpdApiRequest *self)
{
  if (!self->is_answered || !self->is_over)
    return;

  g_object_unref (self->message);
  g_object_unref (self->questions);
  g_object_unref (self->manager);
  g_strfreev (self->words);
  g_clear_pointer (&self->query, g_hash_table_unref);
  g_clear_pointer (&self->body, json_object_unref);
  g_object_unref (self->cancellable);
  g_free (self);
}

static void
on_finished (SoupServerMessage *message, GmcpdApiRequest *self)
{
  g_signal_handlers_disconnect_by_func (message, on_finished, self);
  clear_watch (self);
  self->is_over = TRUE;
  if (self->all != NULL)
    {
      g_ptr_array_remove_fast (self->all->requests, self);
      check_drained (self->all);
      self->all = NULL;
    }
  if (!self->is_answered)
    g_cancellable_cancel (self->cancellable);
  else
    free_when_done (self);
}

static void
on_hung_up (gpointer data)
{
  g_cancellable_cancel (((GmcpdApiRequest *) data)->cancellable);
}

GmcpdApiRequest *
gmcpd_api_requests_begin (GmcpdApiRequests *all,
                          SoupServerMessage *message,
                          const char *const *words,
                          GHashTable *query)
{
  GmcpdApiRequest *self;

  if (all->requests->len >= MAX_REQUESTS)
    {
      gmcpd_api_problem_set (all->soup, message, SOUP_STATUS_SERVICE_UNAVAILABLE, "limit-exceeded",
                             _ ("Too many requests are under way; try again when one has ended"));
      return NULL;
    }

  self = g_new0 (GmcpdApiRequest, 1);
  self->all = all;
  self->soup = all->soup;
  self->manager = g_object_ref (all->manager);
  self->questions = g_object_ref (all->questions);
  self->message = g_object_ref (message);
  self->words = g_strdupv ((GStrv) words);
  self->query = query != NULL ? g_hash_table_ref (query) : NULL;
  self->cancellable = g_cancellable_new ();
  self->watch = gmcpd_api_listener_watch (all->soup, message, on_hung_up, self);
  g_ptr_array_add (all->requests, self);
  g_signal_connect (message, "finished", G_CALLBACK (on_finished), self);
  all->soup->server_message_pause (message);
  return self;
}

GmcpManager *
gmcpd_api_request_get_manager (GmcpdApiRequest *self)
{
  return self->manager;
}

GmcpdOpenQuestions *
gmcpd_api_request_get_questions (GmcpdApiRequest *self)
{
  return self->questions;
}

GmcpdApiSignIn *
gmcpd_api_request_get_sign_in (GmcpdApiRequest *self)
{
  return self->all->gate.sign_in;
}

char *
gmcpd_api_request_dup_client (GmcpdApiRequest *self)
{
  return gmcpd_api_gate_dup_client (&self->all->gate, self->soup, self->message);
}

const char *
gmcpd_api_request_get_word (GmcpdApiRequest *self, guint index)
{
  return index < g_strv_length (self->words) ? self->words[index] : NULL;
}

const char *
gmcpd_api_request_get_query (GmcpdApiRequest *self, const char *name)
{
  return self->query != NULL ? g_hash_table_lookup (self->query, name) : NULL;
}

gboolean
gmcpd_api_request_read_flag (GmcpdApiRequest *self, const char *name, gboolean *flag)
{
  const char *text = gmcpd_api_request_get_query (self, name);
  g_autofree char *detail = NULL;

  if (text == NULL)
    return TRUE;
  *flag = g_str_equal (text, "true");
  if (*flag || g_str_equal (text, "false"))
    return TRUE;

  /* Translators: a parameter of a request */
  detail = g_strdup_printf (_ ("“%s” has to be true or false"), name);
  gmcpd_api_request_refuse (self, SOUP_STATUS_BAD_REQUEST, "invalid-argument", detail);
  return FALSE;
}

const char *
gmcpd_api_request_get_header (GmcpdApiRequest *self, const char *name)
{
  return gmcpd_soup_get_header (self->soup, self->message, name);
}

GCancellable *
gmcpd_api_request_get_cancellable (GmcpdApiRequest *self)
{
  return self->cancellable;
}

/* Other pages can send forms and plain text without being asked whether they may, but not this. */
static gboolean
is_json_type (GmcpdApiRequest *self)
{
  const char *type = self->soup->message_headers_get_content_type (
    self->soup->server_message_get_request_headers (self->message), NULL);

  return type != NULL
         && (g_ascii_strcasecmp (type, "application/json") == 0
             || (g_ascii_strcasecmp (type, "application/merge-patch+json") == 0
                 && g_str_equal (self->soup->server_message_get_method (self->message), "PATCH")));
}

gboolean
gmcpd_api_request_read_body (GmcpdApiRequest *self, JsonObject **body)
{
  const GmcpdSoup *soup = self->soup;
  g_autoptr (GBytes) bytes
    = soup->message_body_flatten (soup->server_message_get_request_body (self->message));
  GError *error = NULL;

  *body = NULL;
  if (g_bytes_get_size (bytes) == 0)
    return TRUE;
  if (!is_json_type (self))
    {
      gmcpd_api_request_refuse (self, SOUP_STATUS_UNSUPPORTED_MEDIA_TYPE, NULL,
                                _ ("The Content-Type of a body has to be application/json"));
      return FALSE;
    }

  self->body
    = gmcpd_api_body_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), &error);
  if (self->body == NULL)
    {
      gmcpd_api_request_fail (self, error);
      return FALSE;
    }
  *body = self->body;
  return TRUE;
}

const char *
gmcpd_api_request_read_text (GmcpdApiRequest *self, JsonObject *body, const char *name)
{
  JsonNode *node = body != NULL ? json_object_get_member (body, name) : NULL;

  if (node != NULL && json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_get_string (node);
  gmcpd_api_request_fail (self, g_error_new (GMCP_ERROR, GMCP_ERROR_INVALID_ARGUMENT,
                                             _ ("The text “%s” is missing"), name));
  return NULL;
}

GmcpManagedServer *
gmcpd_api_request_find_server (GmcpdApiRequest *self)
{
  const char *name = gmcpd_api_request_get_word (self, 0);
  GmcpManagedServer *server = gmcp_manager_get_server (self->manager, name);
  g_autofree char *shown = NULL;

  if (server != NULL)
    return server;
  shown = gmcpd_names_dup_text (name);
  gmcpd_api_request_fail (self, g_error_new (GMCP_ERROR, GMCP_ERROR_NOT_CONFIGURED,
                                             _ ("Server %s not configured"), shown));
  return NULL;
}

/* Answers */

static void
end_request (GmcpdApiRequest *self)
{
  self->is_answered = TRUE;
  clear_watch (self);
  if (self->is_over)
    free_when_done (self);
  else
    self->soup->server_message_unpause (self->message);
}

void
gmcpd_api_request_set_header (GmcpdApiRequest *self, const char *name, const char *value)
{
  if (!self->is_over)
    self->soup->message_headers_replace (
      self->soup->server_message_get_response_headers (self->message), name, value);
}

void
gmcpd_api_request_return_text (GmcpdApiRequest *self, guint status, char *json)
{
  g_autofree char *text = json;

  if (!self->is_over)
    {
      const GmcpdSoup *soup = self->soup;
      gsize length = strlen (text);

      soup->server_message_set_status (self->message, status, NULL);
      soup->server_message_set_response (self->message, "application/json", SOUP_MEMORY_TAKE,
                                         g_steal_pointer (&text), length);
      gmcpd_api_request_set_header (self, "Cache-Control", "no-store");
      gmcpd_api_request_set_header (self, "X-Content-Type-Options", "nosniff");
    }
  end_request (self);
}

void
gmcpd_api_request_return_object (GmcpdApiRequest *self, guint status, JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);

  gmcpd_api_request_return_text (self, status, gmcp_json_print (node, NULL));
}

void
gmcpd_api_request_return_nothing (GmcpdApiRequest *self)
{
  if (!self->is_over)
    self->soup->server_message_set_status (self->message, SOUP_STATUS_NO_CONTENT, NULL);
  end_request (self);
}

void
gmcpd_api_request_refuse (GmcpdApiRequest *self, guint status, const char *code, const char *detail)
{
  if (!self->is_over)
    gmcpd_api_problem_set (self->soup, self->message, status, code, detail);
  end_request (self);
}

void
gmcpd_api_request_fail (GmcpdApiRequest *self, GError *error)
{
  g_autoptr (GError) owned = error;
  g_autofree char *code = gmcpd_api_problem_dup_code (owned);

  gmcpd_api_request_refuse (self, gmcpd_api_problem_get_status (owned), code, owned->message);
}

/* Streams */

static gboolean
has_too_many_streams (GmcpdApiRequests *all)
{
  guint n = 0;

  for (guint i = 0; i < all->requests->len; i++)
    n += ((GmcpdApiRequest *) all->requests->pdata[i])->is_stream ? 1 : 0;
  return n >= MAX_STREAMS;
}

static void
on_wrote_data (SoupServerMessage *message, guint n_bytes, GmcpdApiRequest *self)
{
  self->n_waiting -= MIN (self->n_waiting, n_bytes);
  self->n_first -= MIN (self->n_first, n_bytes);
}

gboolean
gmcpd_api_request_begin_stream (GmcpdApiRequest *self)
{
  SoupMessageHeaders *headers;

  if (has_too_many_streams (self->all))
    {
      gmcpd_api_request_refuse (self, SOUP_STATUS_SERVICE_UNAVAILABLE, "limit-exceeded",
                                _ ("Too many streams of events are open"));
      return FALSE;
    }

  self->is_stream = TRUE;
  headers = self->soup->server_message_get_response_headers (self->message);
  self->soup->server_message_set_status (self->message, SOUP_STATUS_OK, NULL);
  self->soup->message_headers_replace (headers, "Content-Type", "text/event-stream");
  self->soup->message_headers_replace (headers, "Cache-Control", "no-store");
  self->soup->message_headers_replace (headers, "X-Content-Type-Options", "nosniff");
  self->soup->message_headers_set_encoding (headers, SOUP_ENCODING_CHUNKED);
  self->soup->message_body_set_accumulate (
    self->soup->server_message_get_response_body (self->message), FALSE);
  g_signal_connect (self->message, "wrote-body-data", G_CALLBACK (on_wrote_data), self);
  return TRUE;
}

gboolean
gmcpd_api_request_is_writing (GmcpdApiRequest *self)
{
  return self->n_waiting > 0;
}

gboolean
gmcpd_api_request_has_room (GmcpdApiRequest *self, gsize length)
{
  return self->n_waiting == 0 || self->n_waiting - self->n_first + length <= MAX_WAITING_BYTES;
}

gboolean
gmcpd_api_request_write (GmcpdApiRequest *self, const char *text)
{
  gsize length = strlen (text);

  if (self->is_over || !gmcpd_api_request_has_room (self, length))
    return FALSE;
  if (self->n_waiting == 0)
    self->n_first = length;
  self->n_waiting += length;
  self->soup->message_body_append_take (
    self->soup->server_message_get_response_body (self->message),
    (guchar *) g_memdup2 (text, length), length);
  self->soup->server_message_unpause (self->message);
  return TRUE;
}

void
gmcpd_api_request_end_stream (GmcpdApiRequest *self)
{
  g_signal_handlers_disconnect_by_func (self->message, on_wrote_data, self);
  if (!self->is_over && self->n_waiting > 0)
    gmcpd_api_listener_cut_off (self->soup, self->message);
  if (!self->is_over)
    self->soup->message_body_complete (
      self->soup->server_message_get_response_body (self->message));
  end_request (self);
}
