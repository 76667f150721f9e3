/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-sse-private.h"

#include "gmcp-limits.h"

GmcpHttpSsePost *
gmcp_http_sse_post_new (GmcpHttpSse *owner, const GmcpOutgoing *message)
{
  GmcpHttpSsePost *post = g_new0 (GmcpHttpSsePost, 1);

  post->owner = owner;
  post->id = message->request_id;
  post->before_others = message->before_others;
  post->text = g_bytes_new (message->text, message->length);
  post->headers = g_strdupv ((char **) message->headers);
  return post;
}

void
gmcp_http_sse_post_free (GmcpHttpSsePost *post)
{
  g_clear_pointer (&post->request, gmcp_http_request_free);
  g_clear_pointer (&post->body, g_byte_array_unref);
  g_strfreev (post->headers);
  g_bytes_unref (post->text);
  g_free (post);
}

void
gmcp_http_sse_report (GmcpHttpSse *self, gint64 id, const GmcpTransportFailure *failure)
{
  if (id != 0)
    gmcp_transport_report_request_failed (self->parent.link->transport, id, failure);
  else
    g_debug ("A message was not taken: %s", failure->error->message);
}

/* The owner may be gone after this. */
static void
end_post (GmcpHttpSsePost *post, const GmcpTransportFailure *failure)
{
  g_autoptr (GmcpHttpSse) self = gmcp_http_sse_ref (post->owner);
  g_autoptr (GmcpTransport) held G_GNUC_UNUSED = g_object_ref (self->parent.link->transport);
  gint64 id = post->id;

  if (self->barrier == post)
    self->barrier = NULL;
  g_hash_table_remove (self->posts, post);

  if (failure != NULL)
    gmcp_http_sse_report (self, id, failure);
  if (!self->is_free)
    gmcp_http_sse_send_held (self);
}

static void
on_post_response (GmcpHttpRequest *request, gpointer data)
{
  GmcpHttpSsePost *post = data;

  if (gmcp_http_request_get_status (request) / 100 != 2)
    post->body = g_byte_array_new ();
  else if (post->owner->barrier == post)
    {
      post->owner->barrier = NULL;
      gmcp_http_sse_send_held (post->owner);
    }
}

static void
on_post_body (GmcpHttpRequest *request, const char *bytes, gsize length, gpointer data)
{
  GmcpHttpSsePost *post = data;

  /* The answer comes by the stream, whatever else the server may say here. */
  if (post->body == NULL)
    return;

  g_byte_array_append (post->body, (const guint8 *) bytes,
                       MIN (length, GMCP_LIMIT_HTTP_HEADER_BYTES - post->body->len));
}

static void
on_post_ended (GmcpHttpRequest *request, const GError *error, gpointer data)
{
  GmcpHttpSsePost *post = data;
  GmcpHttpLink *link = post->owner->parent.link;
  GmcpTransportFailure failure;
  g_autoptr (GError) owned = NULL;

  if (post->body != NULL)
    gmcp_http_failure_of_status (&failure, link, request, (const char *) post->body->data,
                                 post->body->len);
  else if (error != NULL && gmcp_http_request_get_status (request) == 0)
    gmcp_http_failure_of_connection (&failure, link, request, error);
  else
    {
      end_post (post, NULL);
      return;
    }
  owned = failure.error;
  end_post (post, &failure);
}

static const GmcpHttpRequestFuncs post_funcs = {
  .response = on_post_response,
  .body = on_post_body,
  .ended = on_post_ended,
};

void
gmcp_http_sse_post_start (GmcpHttpSsePost *post)
{
  GmcpHttpSse *self = post->owner;

  post->request = gmcp_http_link_new_request (self->parent.link, "POST", self->endpoint,
                                              (const char *const *) post->headers);
  gmcp_http_request_set_header (post->request, "Accept", "application/json, text/event-stream",
                                GMCP_HTTP_HEADER_PUBLIC);
  gmcp_http_request_set_body (post->request, post->text, "application/json");
  g_hash_table_add (self->posts, post);
  if (post->before_others)
    self->barrier = post;
  gmcp_http_request_start (post->request, &post_funcs, post);
}

void
gmcp_http_sse_send_held (GmcpHttpSse *self)
{
  while (self->endpoint != NULL && self->barrier == NULL && !g_queue_is_empty (&self->held))
    {
      GmcpHttpSsePost *post = g_queue_pop_head (&self->held);

      self->held_bytes -= g_bytes_get_size (post->text);
      gmcp_http_sse_post_start (post);
    }
  gmcp_http_sse_set_patience (self);
}
