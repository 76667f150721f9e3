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
  post->replies = gmcp_byte_budget_ref (owner->parent.link->replies);
  post->reply_bytes = gmcp_http_link_charge_reply (owner->parent.link, message);
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
  gmcp_byte_budget_release (post->replies, post->reply_bytes);
  gmcp_byte_budget_unref (post->replies);
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

static void
drop_post (GmcpHttpSsePost *post)
{
  GmcpHttpSse *self = post->owner;

  if (self->barrier == post)
    self->barrier = NULL;
  g_hash_table_remove (self->posts, post);
}

/* The owner may be gone after this. */
static void
end_post (GmcpHttpSsePost *post, const GmcpTransportFailure *failure)
{
  g_autoptr (GmcpHttpSse) self = gmcp_http_sse_ref (post->owner);
  g_autoptr (GmcpTransport) held G_GNUC_UNUSED = g_object_ref (self->parent.link->transport);
  gint64 id = post->id;

  drop_post (post);
  if (failure != NULL)
    gmcp_http_sse_report (self, id, failure);
  if (!self->is_free)
    gmcp_http_sse_send_held (self);
}

static void
on_post_response (GmcpHttpRequest *request, gpointer data)
{
  GmcpHttpSsePost *post = data;

  if (post->owner->draining)
    end_post (post, NULL);
  else if (gmcp_http_request_get_status (request) / 100 != 2)
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
  post->started_us = g_get_monotonic_time ();
  gmcp_http_sse_start_clock (self, post->started_us + self->parent.link->times->connect_ms * 1000);
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
  if (self->draining && g_hash_table_size (self->posts) == 0)
    gmcp_http_transport_drained (self->parent.link->transport);
}

static void
drop_held (GmcpHttpSse *self, GList *link)
{
  GmcpHttpSsePost *post = link->data;

  g_queue_delete_link (&self->held, link);
  self->held_bytes -= g_bytes_get_size (post->text);
  gmcp_http_sse_post_free (post);
}

void
gmcp_http_sse_take_back (GmcpHttpSse *self, gint64 request_id)
{
  GHashTableIter iter;
  gpointer key;

  for (GList *link = self->held.head; link != NULL; link = link->next)
    {
      if (((GmcpHttpSsePost *) link->data)->id == request_id)
        {
          drop_held (self, link);
          return;
        }
    }

  g_hash_table_iter_init (&iter, self->posts);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      GmcpHttpSsePost *post = key;

      if (post->id != request_id)
        continue;
      if (!gmcp_http_request_was_written (post->request))
        {
          drop_post (post);
          gmcp_http_sse_send_held (self);
        }
      return;
    }
}

static gboolean
is_stale (GmcpHttpSsePost *post, gint64 now)
{
  GmcpHttpLink *link = post->owner->parent.link;

  /* A request that has its answer is over, and one that nobody waits for is not missed. */
  if (post->id != 0)
    return !gmcp_transport_is_waited_for (link->transport, post->id);
  return now - post->started_us >= link->times->connect_ms * 1000;
}

void
gmcp_http_sse_drop_stale_posts (GmcpHttpSse *self)
{
  g_autoptr (GPtrArray) stale = g_ptr_array_new ();
  gint64 now = g_get_monotonic_time ();
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->posts);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (is_stale (key, now))
      g_ptr_array_add (stale, key);

  for (guint i = 0; i < stale->len; i++)
    drop_post (g_ptr_array_index (stale, i));
  if (g_hash_table_size (self->posts) > 0)
    gmcp_http_sse_start_clock (self, now + self->parent.link->times->connect_ms * 1000);
  if (stale->len > 0)
    gmcp_http_sse_send_held (self);
}

void
gmcp_http_sse_drop_requests (GmcpHttpSse *self)
{
  g_autoptr (GPtrArray) requests = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;

  for (GList *link = self->held.head, *next; link != NULL; link = next)
    {
      next = link->next;
      if (((GmcpHttpSsePost *) link->data)->id != 0)
        drop_held (self, link);
    }

  g_hash_table_iter_init (&iter, self->posts);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      GmcpHttpSsePost *post = key;

      if (post->id != 0 || gmcp_http_request_get_status (post->request) != 0)
        g_ptr_array_add (requests, post);
    }
  for (guint i = 0; i < requests->len; i++)
    drop_post (g_ptr_array_index (requests, i));
}
