/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "http-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gmcp-rpc-message-private.h"

HttpServer *
http_server_start (void)
{
  HttpServer *self = g_new0 (HttpServer, 1);
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "servers", "http-server.py", NULL);
  g_autoptr (GDataInputStream) output = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *line = NULL;

  self->folder = g_dir_make_tmp ("gmcp-http-XXXXXX", &error);
  g_assert_no_error (error);
  self->socket = g_build_filename (self->folder, "socket", NULL);
  self->process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE,
                                    &error, "python3", script, "--socket", self->socket, NULL);
  g_assert_no_error (error);
  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->process));
  line = g_data_input_stream_read_line (output, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sscanf (line, "%u %u", &self->ports[0], &self->ports[1]), ==, 2);

  return self;
}

void
http_server_stop (HttpServer *self)
{
  g_output_stream_close (g_subprocess_get_stdin_pipe (self->process), NULL, NULL);
  g_subprocess_wait (self->process, NULL, NULL);
  g_object_unref (self->process);
  g_unlink (self->socket);
  g_rmdir (self->folder);
  g_free (self->socket);
  g_free (self->folder);
  g_free (self);
}

char *
http_server_dup_url (HttpServer *self, const char *path)
{
  return g_strdup_printf ("http://127.0.0.1:%u%s", self->ports[0], path);
}

static void
on_message (gpointer taker, const char *text, gsize length, GBytes *owner)
{
  HttpPeer *self = taker;
  g_autoptr (GmcpJsonDoc) doc = gmcp_json_doc_parse (text, length, NULL, 0, NULL);
  GmcpRpcMessage message;
  gint64 id;

  if (doc != NULL)
    {
      gmcp_rpc_message_read (&message, gmcp_json_doc_get_root (doc));
      if (gmcp_rpc_id_get_int64 (message.id, &id))
        g_hash_table_remove (self->waiting, GINT_TO_POINTER (id));
    }
  g_ptr_array_add (self->messages, g_strndup (text, length));
  if (self->on_message != NULL)
    self->on_message (self);
}

static void
on_violation (gpointer taker, const GError *error)
{
  HttpPeer *self = taker;

  self->n_violations++;
}

static void
on_closed (gpointer taker, const GError *error)
{
  HttpPeer *self = taker;

  self->n_closed++;
}

static void
on_request_failed (gpointer taker, gint64 request_id, const GmcpTransportFailure *failure)
{
  HttpPeer *self = taker;

  g_test_message ("%s", failure->error->message);
  g_assert_true (g_utf8_validate (failure->error->message, -1, NULL));
  g_assert_true (g_hash_table_remove (self->waiting, GINT_TO_POINTER (request_id)));
  g_clear_error (&self->failure.error);
  self->failure = *failure;
  self->failure.error = g_error_copy (failure->error);
  self->failed_id = request_id;
  self->n_failures++;
}

static gboolean
is_waiting (gpointer taker, gint64 request_id)
{
  HttpPeer *self = taker;

  return g_hash_table_contains (self->waiting, GINT_TO_POINTER (request_id));
}

static void
on_session_lost (gpointer taker, const GError *error)
{
  HttpPeer *self = taker;

  g_assert_nonnull (error);
  self->n_sessions_lost++;
}

static void
on_listening (gpointer taker, const GError *error)
{
  HttpPeer *self = taker;

  if (error != NULL)
    self->n_deaf++;
  else
    self->n_heard++;
  g_assert_cmpuint (self->n_deaf - self->n_heard, ==, error != NULL ? 1 : 0);
}

static const GmcpTransportTaker peer_taker = {
  .message = on_message,
  .violation = on_violation,
  .closed = on_closed,
  .request_failed = on_request_failed,
  .is_waiting = is_waiting,
  .session_lost = on_session_lost,
  .listening = on_listening,
};

HttpPeer *
http_peer_new (const char *url)
{
  HttpPeer *self = g_new0 (HttpPeer, 1);

  self->transport = GMCP_TRANSPORT (gmcp_http_transport_new (url));
  self->waiting = g_hash_table_new (NULL, NULL);
  self->messages = g_ptr_array_new_with_free_func (g_free);
  gmcp_transport_set_taker (self->transport, &peer_taker, self);
  return self;
}

HttpPeer *
http_peer_new_open (HttpServer *server, const char *path)
{
  g_autofree char *url = http_server_dup_url (server, path);
  HttpPeer *self = http_peer_new (url);

  http_peer_open (self);
  return self;
}

HttpPeer *
http_peer_new_quick (HttpServer *server, const char *path, const GmcpHttpTimes *times)
{
  g_autofree char *url = http_server_dup_url (server, path);
  HttpPeer *self = http_peer_new (url);

  gmcp_http_transport_set_times (GMCP_HTTP_TRANSPORT (self->transport), times);
  http_peer_open (self);
  return self;
}

void
http_peer_free (HttpPeer *self)
{
  http_peer_close (self);
  gmcp_transport_set_taker (self->transport, NULL, NULL);
  g_assert_finalize_object (self->transport);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_hash_table_unref (self->waiting);
  g_ptr_array_unref (self->messages);
  g_clear_error (&self->failure.error);
  g_free (self);
}

static void
store_result (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **out = user_data;

  *out = g_object_ref (result);
}

void
http_peer_open (HttpPeer *self)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_transport_open_async (self->transport, NULL, store_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  gmcp_transport_open_finish (self->transport, result, &error);
  g_assert_no_error (error);
}

void
http_peer_close (HttpPeer *self)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  gmcp_transport_close_async (self->transport, NULL, store_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  gmcp_transport_close_finish (self->transport, result, &error);
  g_assert_no_error (error);
}

static void
send (HttpPeer *self, gint64 id, const char *method, gboolean begins, gboolean before_others)
{
  static const char *const headers[] = { "X-Era", "newest", NULL };
  g_autoptr (GString) text = g_string_new ("{\"jsonrpc\":\"2.0\"");
  g_autoptr (GError) error = NULL;
  GmcpOutgoing message = { .request_id = id, .method = method, .headers = headers };

  if (id != 0)
    g_string_append_printf (text, ",\"id\":%" G_GINT64_FORMAT, id);
  g_string_append_printf (text, ",\"method\":\"%s\",\"params\":{}}", method);
  message.text = text->str;
  message.length = text->len;
  message.begins_session = begins;
  message.before_others = before_others;
  if (id != 0)
    g_hash_table_add (self->waiting, GINT_TO_POINTER (id));
  gmcp_transport_send (self->transport, &message, &error);
  g_assert_no_error (error);
}

gint64
http_peer_request (HttpPeer *self, const char *method)
{
  send (self, ++self->last_id, method, FALSE, FALSE);
  return self->last_id;
}

gint64
http_peer_begin (HttpPeer *self, const char *method)
{
  send (self, ++self->last_id, method, TRUE, FALSE);
  return self->last_id;
}

void
http_peer_notify (HttpPeer *self, const char *method, gboolean before_others)
{
  send (self, 0, method, FALSE, before_others);
}

void
http_peer_wait_messages (HttpPeer *self, guint n_messages)
{
  while (self->messages->len < n_messages)
    g_main_context_iteration (NULL, TRUE);
}

void
http_peer_wait_failures (HttpPeer *self, guint n_failures)
{
  while (self->n_failures < n_failures)
    g_main_context_iteration (NULL, TRUE);
}

void
http_peer_assert_last (HttpPeer *self, const char *part)
{
  const char *last = g_ptr_array_index (self->messages, self->messages->len - 1);

  g_test_message ("%s", last);
  g_assert_nonnull (strstr (last, part));
}

static GmcpJsonDoc *
read_stats (HttpServer *self)
{
  g_autoptr (HttpPeer) peer = http_peer_new_open (self, "/stats");

  /* A request that gets a notification for an answer. */
  http_peer_request (peer, "stats");
  http_peer_wait_messages (peer, 1);
  return gmcp_json_doc_parse (g_ptr_array_index (peer->messages, 0),
                              strlen (g_ptr_array_index (peer->messages, 0)), NULL, 0, NULL);
}

static GmcpJsonValue
get_path (GmcpJsonDoc *doc, const char *first, const char *second)
{
  GmcpJsonValue params = gmcp_json_value_get_member (gmcp_json_doc_get_root (doc), "params");

  return gmcp_json_value_get_member (gmcp_json_value_get_member (params, first), second);
}

guint
http_server_count (HttpServer *self, const char *what)
{
  g_autoptr (GmcpJsonDoc) doc = read_stats (self);
  gint64 n = 0;

  gmcp_json_value_get_int64 (get_path (doc, "stats", what), &n);
  return n;
}

void
http_server_wait (HttpServer *self, const char *what)
{
  while (http_server_count (self, what) == 0)
    ;
}

char *
http_server_dup_header (HttpServer *self, const char *path, const char *name)
{
  g_autoptr (GmcpJsonDoc) doc = read_stats (self);

  return gmcp_json_value_dup_string (
    gmcp_json_value_get_member (get_path (doc, "headers", path), name));
}
