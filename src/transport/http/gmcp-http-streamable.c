/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-streamable-private.h"

#include <gmcp/core/gmcp-error.h>

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

typedef struct
{
  GSource parent;
  GmcpHttpStreamable *streamable; /* not owned */
} Clock;

static void
start_clock (GmcpHttpStreamable *self, gint64 ring_us)
{
  if (ring_us >= self->clock_us)
    return;

  self->clock_us = ring_us;
  g_source_set_ready_time (self->clock, ring_us);
}

static gboolean
on_clock (GSource *source, GSourceFunc callback, gpointer user_data)
{
  GmcpHttpStreamable *self = ((Clock *) source)->streamable;
  g_autoptr (GmcpTransport) held G_GNUC_UNUSED = g_object_ref (self->parent.link->transport);
  g_autoptr (GSource) alive = g_source_ref (source);
  g_autoptr (GPtrArray) expired
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_http_exchange_unref);
  gint64 now = g_get_monotonic_time ();
  GHashTableIter iter;
  gpointer key;

  g_source_set_ready_time (source, -1);
  self->clock_us = G_MAXINT64;
  g_hash_table_iter_init (&iter, self->exchanges);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      GmcpHttpExchange *exchange = key;

      if (exchange->deadline_us <= now)
        g_ptr_array_add (expired, gmcp_http_exchange_ref (exchange));
      else
        start_clock (self, exchange->deadline_us);
    }

  for (guint i = 0; i < expired->len && !g_source_is_destroyed (alive); i++)
    {
      GmcpHttpExchange *exchange = g_ptr_array_index (expired, i);

      if (exchange->owner != NULL)
        gmcp_http_exchange_expire (exchange);
    }
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs clock_funcs = {
  .dispatch = on_clock,
};

void
gmcp_http_streamable_set_deadline (GmcpHttpStreamable *self,
                                   GmcpHttpExchange *exchange,
                                   gint64 deadline_us)
{
  exchange->deadline_us = deadline_us;
  start_clock (self, deadline_us);
}

static void
add_exchange (GmcpHttpStreamable *self, GmcpHttpExchange *exchange)
{
  g_hash_table_add (self->exchanges, exchange);
  if (exchange->id != 0)
    g_hash_table_insert (self->by_id, &exchange->id, exchange);
}

static gboolean
is_held_up (GmcpHttpStreamable *self)
{
  return self->barrier != NULL || self->n_started >= GMCP_LIMIT_HTTP_MESSAGES;
}

static void
start_exchange (GmcpHttpStreamable *self, GmcpHttpExchange *exchange)
{
  if (exchange->before_others)
    self->barrier = exchange;
  self->n_started++;
  gmcp_http_exchange_start (exchange);
}

static void
start_held (GmcpHttpStreamable *self)
{
  while (!self->ending && !is_held_up (self) && !g_queue_is_empty (&self->held))
    {
      GmcpHttpExchange *next = g_queue_pop_head (&self->held);

      self->held_bytes -= next->length;
      start_exchange (self, next);
    }
}

/* A request that was answered by another stream may have been left open for long: its place goes to
 * one that waits. */
void
gmcp_http_streamable_make_room (GmcpHttpStreamable *self)
{
  g_autoptr (GPtrArray) answered = NULL;
  GHashTableIter iter;
  gpointer key;

  if (self->n_started < GMCP_LIMIT_HTTP_MESSAGES || g_queue_is_empty (&self->held))
    return;

  answered = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_http_exchange_unref);
  g_hash_table_iter_init (&iter, self->exchanges);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      GmcpHttpExchange *exchange = key;

      if (exchange->id != 0 && exchange->state != GMCP_HTTP_EXCHANGE_HELD
          && !gmcp_http_exchange_is_waited_for (exchange))
        g_ptr_array_add (answered, gmcp_http_exchange_ref (exchange));
    }
  for (guint i = 0; i < answered->len; i++)
    gmcp_http_exchange_drop (g_ptr_array_index (answered, i));
}

void
gmcp_http_streamable_remove (GmcpHttpStreamable *self, GmcpHttpExchange *exchange)
{
  if (exchange->listens)
    self->listener = NULL;
  else if (exchange->state != GMCP_HTTP_EXCHANGE_HELD)
    self->n_started--;
  else if (g_queue_remove (&self->held, exchange))
    self->held_bytes -= exchange->length;
  if (exchange->id != 0 && g_hash_table_lookup (self->by_id, &exchange->id) == exchange)
    g_hash_table_remove (self->by_id, &exchange->id);
  gmcp_http_streamable_taken_in (self, exchange);
  g_hash_table_remove (self->exchanges, exchange);
  start_held (self);
  if (self->draining && g_hash_table_size (self->exchanges) == 0)
    gmcp_http_transport_drained (self->parent.link->transport);
}

static void
listen_if_wanted (GmcpHttpStreamable *self)
{
  if (self->session_headers == NULL || self->barrier != NULL || self->listener != NULL
      || self->ending || self->draining)
    return;

  self->listener = gmcp_http_exchange_new_listener (self);
  add_exchange (self, self->listener);
  gmcp_http_exchange_reopen (self->listener);
}

void
gmcp_http_streamable_taken_in (GmcpHttpStreamable *self, GmcpHttpExchange *exchange)
{
  if (self->barrier != exchange)
    return;

  self->barrier = NULL;
  listen_if_wanted (self);
  start_held (self);
}

static gboolean
is_session_id (const char *text)
{
  gsize length = strlen (text);

  if (length == 0 || length > GMCP_LIMIT_SESSION_ID_BYTES)
    return FALSE;
  for (; *text != '\0'; text++)
    {
      if (!g_ascii_isgraph (*text))
        return FALSE;
    }
  return TRUE;
}

void
gmcp_http_streamable_take_session_id (GmcpHttpStreamable *self, const char *session_id)
{
  if (!is_session_id (session_id))
    {
      g_debug ("%s named a session in a way that cannot be sent back",
               self->parent.link->url->display);
      return;
    }

  g_clear_pointer (&self->session_id, g_ref_string_release);
  self->session_id = g_ref_string_new (session_id);
  self->session_lost = FALSE;
}

static void
end_session (GmcpHttpStreamable *self)
{
  self->deaf = FALSE;
  self->session_lost = FALSE;
  g_clear_pointer (&self->session_id, g_ref_string_release);
  g_clear_pointer (&self->session_headers, g_strfreev);
  if (self->listener != NULL)
    gmcp_http_exchange_drop (self->listener);
}

void
gmcp_http_streamable_lose_session (GmcpHttpStreamable *self, const char *session_id)
{
  if (g_strcmp0 (self->session_id, session_id) != 0)
    return;

  end_session (self);
  self->session_lost = TRUE;
}

void
gmcp_http_streamable_set_deaf (GmcpHttpStreamable *self, const GError *error)
{
  gboolean deaf = error != NULL;

  if (self->deaf == deaf)
    return;

  self->deaf = deaf;
  gmcp_transport_report_listening (self->parent.link->transport, error);
}

static gboolean
gmcp_http_streamable_send (GmcpHttpVariant *variant, const GmcpOutgoing *message, GError **error)
{
  GmcpHttpStreamable *self = (GmcpHttpStreamable *) variant;
  GmcpHttpExchange *exchange;

  if (!gmcp_http_link_may_send (variant->link, message, error))
    return FALSE;
  if (is_held_up (self) && message->length > GMCP_LIMIT_WRITE_QUEUE_BYTES - self->held_bytes)
    {
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                   _ ("More than %u bytes wait for “%s” to take them"),
                   GMCP_LIMIT_WRITE_QUEUE_BYTES, variant->link->url->display);
      return FALSE;
    }

  if (message->begins_session)
    end_session (self);
  exchange = gmcp_http_exchange_new (self, message);
  add_exchange (self, exchange);

  self->held_bytes += exchange->length;
  g_queue_push_tail (&self->held, exchange);
  start_held (self);
  gmcp_http_streamable_make_room (self);
  return TRUE;
}

static void
gmcp_http_streamable_cancel_request (GmcpHttpVariant *variant, gint64 request_id)
{
  GmcpHttpStreamable *self = (GmcpHttpStreamable *) variant;
  GmcpHttpExchange *exchange = g_hash_table_lookup (self->by_id, &request_id);

  if (exchange != NULL)
    gmcp_http_exchange_drop (exchange);
}

static void
gmcp_http_streamable_begin_session (GmcpHttpVariant *variant, const char *const *headers)
{
  static const char *const no_headers[] = { NULL };
  GmcpHttpStreamable *self = (GmcpHttpStreamable *) variant;

  g_strfreev (self->session_headers);
  self->session_headers = g_strdupv ((char **) (headers != NULL ? headers : no_headers));
  listen_if_wanted (self);
}

/* Whether the server has yet to take it in, and nobody waits for more than that. */
static gboolean
is_worth_draining (GmcpHttpExchange *exchange)
{
  return exchange->id == 0 && !exchange->listens
         && (exchange->state == GMCP_HTTP_EXCHANGE_HELD
             || exchange->state == GMCP_HTTP_EXCHANGE_SENDING);
}

static void
drop_all (GmcpHttpStreamable *self, gboolean but_drain)
{
  g_autoptr (GPtrArray) all
    = g_ptr_array_new_with_free_func ((GDestroyNotify) gmcp_http_exchange_unref);
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->exchanges);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!but_drain || !is_worth_draining (key))
      g_ptr_array_add (all, gmcp_http_exchange_ref (key));
  self->ending = TRUE;
  self->draining = FALSE;
  for (guint i = 0; i < all->len; i++)
    gmcp_http_exchange_drop (g_ptr_array_index (all, i));
}

static gboolean
gmcp_http_streamable_drain (GmcpHttpVariant *variant)
{
  GmcpHttpStreamable *self = (GmcpHttpStreamable *) variant;

  drop_all (self, TRUE);
  if (g_hash_table_size (self->exchanges) == 0)
    return FALSE;

  self->ending = FALSE;
  self->draining = TRUE;
  start_held (self);
  return TRUE;
}

static GmcpHttpRequest *
gmcp_http_streamable_say_goodbye (GmcpHttpVariant *variant)
{
  GmcpHttpStreamable *self = (GmcpHttpStreamable *) variant;
  g_auto (GStrv) headers = g_steal_pointer (&self->session_headers);
  GmcpHttpRequest *request;

  drop_all (self, FALSE);
  if (self->session_id == NULL)
    return NULL;

  request = gmcp_http_link_new_request (variant->link, "DELETE", variant->link->url->uri,
                                        (const char *const *) headers);
  gmcp_http_request_set_header (request, "Mcp-Session-Id", self->session_id,
                                GMCP_HTTP_HEADER_PRIVATE);
  g_clear_pointer (&self->session_id, g_ref_string_release);
  return request;
}

static void
gmcp_http_streamable_free (GmcpHttpVariant *variant)
{
  GmcpHttpStreamable *self = (GmcpHttpStreamable *) variant;

  drop_all (self, FALSE);
  g_clear_pointer (&self->session_headers, g_strfreev);
  g_source_destroy (self->clock);
  g_source_unref (self->clock);
  g_clear_pointer (&self->session_id, g_ref_string_release);
  g_hash_table_unref (self->by_id);
  g_hash_table_unref (self->exchanges);
  g_free (self);
}

static const GmcpHttpVariantClass streamable_class = {
  .free = gmcp_http_streamable_free,
  .has_request_streams = TRUE,
  .send = gmcp_http_streamable_send,
  .cancel_request = gmcp_http_streamable_cancel_request,
  .begin_session = gmcp_http_streamable_begin_session,
  .drain = gmcp_http_streamable_drain,
  .say_goodbye = gmcp_http_streamable_say_goodbye,
  .fall_back = gmcp_http_sse_new,
};

GmcpHttpVariant *
gmcp_http_streamable_new (GmcpHttpLink *link)
{
  GmcpHttpStreamable *self = g_new0 (GmcpHttpStreamable, 1);

  self->parent.klass = &streamable_class;
  self->parent.link = link;
  self->exchanges = g_hash_table_new_full (g_direct_hash, g_direct_equal,
                                           (GDestroyNotify) gmcp_http_exchange_unref, NULL);
  self->by_id = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->clock_us = G_MAXINT64;
  self->clock = g_source_new (&clock_funcs, sizeof (Clock));
  ((Clock *) self->clock)->streamable = self;
  g_source_set_static_name (self->clock, "[gmcp] http clock");
  g_source_attach (self->clock, gmcp_transport_get_context (link->transport));

  return &self->parent;
}
