/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-http-event-stream-private.h"

#include "gmcp-limits.h"

/* That each event takes beside its text. */
#define EVENT_BYTES 128u

typedef struct
{
  gint64 number;
  GBytes *text;
} Event;

struct _GmcpHttpEventStream
{
  guint number;
  gboolean primes;
  GmcpHttpResponse *response; /* nullable */
  GmcpByteBudget *budget;     /* of all streams, for what is kept */
  GQueue kept;                /* of Event */
  gsize kept_bytes;
  gint64 last_number;
  gint64 last_sent; /* to anybody */
  gboolean ended;
  gboolean has_id; /* a client knows an id of it */
};

/* One that is in the queue no more. */
static void
drop_event (GmcpHttpEventStream *self, Event *event)
{
  gsize length = g_bytes_get_size (event->text);

  self->kept_bytes -= length;
  gmcp_byte_budget_release (self->budget, length + EVENT_BYTES);
  g_bytes_unref (event->text);
  g_free (event);
}

static void
drop_oldest (GmcpHttpEventStream *self)
{
  drop_event (self, g_queue_pop_head (&self->kept));
}

GmcpHttpEventStream *
gmcp_http_event_stream_new (GmcpByteBudget *budget, guint number, gboolean primes)
{
  GmcpHttpEventStream *self = g_new0 (GmcpHttpEventStream, 1);

  self->budget = gmcp_byte_budget_ref (budget);
  self->number = number;
  self->primes = primes;
  return self;
}

void
gmcp_http_event_stream_free (GmcpHttpEventStream *self)
{
  gmcp_http_event_stream_detach (self);
  while (!g_queue_is_empty (&self->kept))
    drop_oldest (self);
  gmcp_byte_budget_unref (self->budget);
  g_free (self);
}

guint
gmcp_http_event_stream_get_number (GmcpHttpEventStream *self)
{
  return self->number;
}

GmcpHttpResponse *
gmcp_http_event_stream_get_response (GmcpHttpEventStream *self)
{
  return self->response;
}

static gboolean
send_event (GmcpHttpEventStream *self, gint64 number, const char *text, gsize length)
{
  char id[48];

  g_snprintf (id, sizeof id, "%u-%" G_GINT64_FORMAT, self->number, number);
  self->last_sent = MAX (self->last_sent, number);
  self->has_id = TRUE;
  return gmcp_http_response_send_event (self->response, id, text, length);
}

void
gmcp_http_event_stream_begin (GmcpHttpEventStream *self)
{
  if (self->response == NULL || gmcp_http_response_has_events (self->response))
    return;

  gmcp_http_response_begin_events (self->response);
  if (self->primes && self->last_sent == 0)
    send_event (self, 0, "", 0);
}

void
gmcp_http_event_stream_attach (GmcpHttpEventStream *self, GmcpHttpResponse *response, gint64 last)
{
  gint64 after = last >= 0 ? last : self->last_sent;

  gmcp_http_event_stream_detach (self);
  self->response = gmcp_http_response_ref (response);
  if (last < 0 && g_queue_is_empty (&self->kept))
    return;

  gmcp_http_event_stream_begin (self);
  for (GList *link = self->kept.head; link != NULL; link = link->next)
    {
      Event *event = link->data;
      gsize length;
      const char *text = g_bytes_get_data (event->text, &length);

      if (event->number > after)
        send_event (self, event->number, text, length);
    }
  if (self->ended)
    gmcp_http_response_end (self->response);
}

void
gmcp_http_event_stream_detach (GmcpHttpEventStream *self)
{
  if (self->response == NULL)
    return;

  gmcp_http_response_let_go (self->response);
  g_clear_pointer (&self->response, gmcp_http_response_unref);
}

gboolean
gmcp_http_event_stream_suspend (GmcpHttpEventStream *self, guint retry_ms)
{
  if (!self->primes || self->ended || self->response == NULL
      || !gmcp_http_response_is_open (self->response))
    return FALSE;

  gmcp_http_event_stream_begin (self);
  gmcp_http_response_send_retry (self->response, retry_ms);
  gmcp_http_event_stream_detach (self);
  return TRUE;
}

/* The oldest go first, and where others have all the room nothing is kept. Whether this one is. */
static gboolean
keep_event (GmcpHttpEventStream *self, const char *text, gsize length)
{
  Event *event;

  while (!gmcp_byte_budget_charge (self->budget, length + EVENT_BYTES))
    {
      if (g_queue_is_empty (&self->kept))
        return FALSE;
      drop_oldest (self);
    }

  event = g_new (Event, 1);
  event->number = self->last_number;
  event->text = g_bytes_new (text, length);
  g_queue_push_tail (&self->kept, event);
  self->kept_bytes += length;
  while (self->kept_bytes > GMCP_LIMIT_SERVER_STREAM_BYTES
         || self->kept.length > GMCP_LIMIT_SERVER_STREAM_EVENTS)
    drop_oldest (self);
  return !g_queue_is_empty (&self->kept);
}

gboolean
gmcp_http_event_stream_send (GmcpHttpEventStream *self, const char *text, gsize length)
{
  gboolean is_kept;

  self->last_number++;
  is_kept = keep_event (self, text, length);
  if (self->response == NULL || !gmcp_http_response_is_open (self->response))
    return TRUE;

  gmcp_http_event_stream_begin (self);
  return send_event (self, self->last_number, text, length) || is_kept;
}

gboolean
gmcp_http_event_stream_has_id (GmcpHttpEventStream *self)
{
  return self->has_id;
}

static Event *
find_unsent (GmcpHttpEventStream *self)
{
  for (GList *link = self->kept.head; link != NULL; link = link->next)
    if (((Event *) link->data)->number > self->last_sent)
      return link->data;
  return NULL;
}

void
gmcp_http_event_stream_take_unsent (GmcpHttpEventStream *self, GmcpHttpEventStream *other)
{
  Event *event;

  while ((event = find_unsent (other)) != NULL)
    {
      g_autoptr (GBytes) text = g_bytes_ref (event->text);
      gsize length;
      const char *data = g_bytes_get_data (text, &length);

      g_queue_remove (&other->kept, event);
      drop_event (other, event);
      gmcp_http_event_stream_send (self, data, length);
    }
}

void
gmcp_http_event_stream_end (GmcpHttpEventStream *self)
{
  self->ended = TRUE;
  if (self->response != NULL)
    gmcp_http_response_end (self->response);
}

gboolean
gmcp_http_event_stream_has_ended (GmcpHttpEventStream *self)
{
  return self->ended;
}

gboolean
gmcp_http_event_stream_is_wanted (GmcpHttpEventStream *self)
{
  return !self->ended || (self->has_id && !g_queue_is_empty (&self->kept));
}

gsize
gmcp_http_event_stream_get_bytes (GmcpHttpEventStream *self)
{
  return self->kept_bytes;
}

gboolean
gmcp_http_event_stream_parse_id (const char *id, guint *number, gint64 *event)
{
  char *end;
  guint64 first = g_ascii_strtoull (id, &end, 10);

  if (end == id || *end != '-' || first > G_MAXUINT || !g_ascii_isdigit (end[1]))
    return FALSE;
  *number = (guint) first;
  *event = g_ascii_strtoll (end + 1, &end, 10);
  return *end == '\0' && g_ascii_isdigit (*id);
}
