/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-sse-parser-private.h"

#include <gmcp/core/gmcp-error.h>

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

/* A buffer larger than this is not kept for the next event. */
#define KEPT_BYTES (64 * 1024)

static const char byte_order_mark[] = "\xEF\xBB\xBF";

struct _GmcpSseParser
{
  gsize max_event_bytes;

  /* What was pushed and is not yet read. */
  const char *at;
  const char *end;
  const char *line_feed; /* the next one, or the end; looked for again once it is passed */

  GString *line; /* the start of a line whose end has not come */
  gsize n_mark;  /* how much of a byte order mark has come; 3 once that is decided */
  gboolean skip_line_feed;
  gboolean discard_line; /* a comment, or too long for anything */

  /* The event under way. */
  const char *single; /* its only data line so far, in what was pushed */
  gsize single_length;
  GString *data; /* else its data lines, each with a line feed after it */
  GString *type;
  GString *id;
  gboolean has_data;
  gboolean has_id;
  gboolean too_large;
  gboolean too_large_told;
  gboolean dispatched; /* data is still lent out */

  GString *last_id;
  gboolean has_last_id;
  gint64 retry_ms;
};

GmcpSseParser *
gmcp_sse_parser_new (gsize max_event_bytes)
{
  GmcpSseParser *self = g_new0 (GmcpSseParser, 1);

  self->max_event_bytes = max_event_bytes;
  self->line = g_string_new (NULL);
  self->data = g_string_new (NULL);
  self->type = g_string_new (NULL);
  self->id = g_string_new (NULL);
  self->last_id = g_string_new (NULL);
  self->retry_ms = -1;

  return self;
}

void
gmcp_sse_parser_free (GmcpSseParser *self)
{
  g_string_free (self->line, TRUE);
  g_string_free (self->data, TRUE);
  g_string_free (self->type, TRUE);
  g_string_free (self->id, TRUE);
  g_string_free (self->last_id, TRUE);
  g_free (self);
}

void
gmcp_sse_parser_set_max_event_bytes (GmcpSseParser *self, gsize max_event_bytes)
{
  self->max_event_bytes = max_event_bytes;
}

const char *
gmcp_sse_parser_get_last_id (GmcpSseParser *self)
{
  return self->has_last_id ? self->last_id->str : NULL;
}

gsize
gmcp_sse_parser_get_pending_bytes (GmcpSseParser *self)
{
  return self->data->len + self->line->len;
}

gint64
gmcp_sse_parser_get_retry_ms (GmcpSseParser *self)
{
  return self->retry_ms;
}

static void
empty_buffer (GString **buffer)
{
  if ((*buffer)->allocated_len > KEPT_BYTES)
    {
      g_string_free (*buffer, TRUE);
      *buffer = g_string_new (NULL);
    }
  else
    g_string_truncate (*buffer, 0);
}

static void
begin_event (GmcpSseParser *self)
{
  self->single = NULL;
  self->single_length = 0;
  self->has_data = FALSE;
  self->has_id = FALSE;
  self->too_large = FALSE;
  self->too_large_told = FALSE;
  empty_buffer (&self->data);
  g_string_truncate (self->type, 0);
}

static void
give_up_event (GmcpSseParser *self)
{
  self->too_large = TRUE;
  self->single = NULL;
  empty_buffer (&self->data);
}

static void
keep_single (GmcpSseParser *self)
{
  if (self->single == NULL)
    return;

  g_string_append_len (self->data, self->single, self->single_length);
  g_string_append_c (self->data, '\n');
  self->single = NULL;
}

/* in_push: the value stays where it is until the event has been read. */
static void
take_data (GmcpSseParser *self, const char *value, gsize length, gboolean in_push)
{
  gsize before = self->single != NULL ? self->single_length + 1 : self->data->len;

  if (self->too_large)
    return;
  if (length > self->max_event_bytes || before > self->max_event_bytes - length)
    {
      give_up_event (self);
      return;
    }

  if (!self->has_data && in_push)
    {
      self->single = value;
      self->single_length = length;
    }
  else
    {
      keep_single (self);
      g_string_append_len (self->data, value, length);
      g_string_append_c (self->data, '\n');
    }
  self->has_data = TRUE;
}

static void
take_retry (GmcpSseParser *self, const char *value, gsize length)
{
  gint64 retry_ms = 0;

  if (length == 0)
    return;
  for (gsize i = 0; i < length; i++)
    {
      if (!g_ascii_isdigit (value[i]))
        return;
      retry_ms = MIN (retry_ms * 10 + g_ascii_digit_value (value[i]), G_MAXINT32);
    }
  self->retry_ms = retry_ms;
}

static void
take_id (GmcpSseParser *self, const char *value, gsize length)
{
  /* An id that cannot be sent back is as good as none. */
  if (length > GMCP_LIMIT_SSE_FIELD_BYTES || memchr (value, '\0', length) != NULL)
    return;

  g_string_truncate (self->id, 0);
  g_string_append_len (self->id, value, length);
  self->has_id = TRUE;
}

static void
take_type (GmcpSseParser *self, const char *value, gsize length)
{
  g_string_truncate (self->type, 0);
  g_string_append_len (self->type, value, MIN (length, GMCP_LIMIT_SSE_FIELD_BYTES));
}

static gboolean
is_field (const char *line, gsize length, const char *name)
{
  return length == strlen (name) && memcmp (line, name, length) == 0;
}

static void
take_line (GmcpSseParser *self, const char *line, gsize length, gboolean in_push)
{
  const char *colon = memchr (line, ':', MIN (length, sizeof "event"));
  gsize name_length = colon != NULL ? (gsize) (colon - line) : length;
  const char *value = colon != NULL ? colon + 1 : line + length;
  gsize value_length = line + length - value;

  if (value_length > 0 && *value == ' ')
    {
      value++;
      value_length--;
    }

  if (is_field (line, name_length, "data"))
    take_data (self, value, value_length, in_push);
  else if (is_field (line, name_length, "event"))
    take_type (self, value, value_length);
  else if (is_field (line, name_length, "id"))
    take_id (self, value, value_length);
  else if (is_field (line, name_length, "retry"))
    take_retry (self, value, value_length);
}

/* At the empty line after an event. TRUE where there is one to give out. */
static gboolean
end_event (GmcpSseParser *self, GmcpSseEvent *event)
{
  if (self->has_id)
    {
      g_string_assign (self->last_id, self->id->str);
      self->has_last_id = TRUE;
    }
  if (!self->has_data || self->too_large)
    {
      begin_event (self);
      return FALSE;
    }

  event->data = self->single != NULL ? self->single : self->data->str;
  event->length = self->single != NULL ? self->single_length : self->data->len - 1;
  event->type = self->type->len > 0 ? self->type->str : "message";
  self->dispatched = TRUE;
  return TRUE;
}

void
gmcp_sse_parser_push (GmcpSseParser *self, const char *bytes, gsize length)
{
  g_return_if_fail (self->at == self->end);

  self->at = bytes;
  self->end = bytes + length;
  self->line_feed = NULL;
}

/* A mark at the start of the stream is no part of it. FALSE where that is not decided yet. */
static gboolean
pass_mark (GmcpSseParser *self)
{
  while (self->n_mark < 3 && self->at < self->end)
    {
      if (*self->at != byte_order_mark[self->n_mark])
        {
          g_string_append_len (self->line, byte_order_mark, self->n_mark);
          self->n_mark = 3;
          return TRUE;
        }
      self->n_mark++;
      self->at++;
    }
  return self->n_mark == 3;
}

/* NULL where there is none. Lines may all end in the one or the other, and neither is to be looked
 * for through all that follows more than once. */
static const char *
find_line_end (GmcpSseParser *self)
{
  const char *carriage;

  if (self->line_feed == NULL || self->line_feed < self->at)
    {
      self->line_feed = memchr (self->at, '\n', self->end - self->at);
      if (self->line_feed == NULL)
        self->line_feed = self->end;
    }

  carriage = memchr (self->at, '\r', self->line_feed - self->at);
  if (carriage != NULL)
    return carriage;
  return self->line_feed < self->end ? self->line_feed : NULL;
}

/* The rest of what was pushed is the start of a line. */
static void
keep_rest (GmcpSseParser *self)
{
  gsize length = self->end - self->at;
  char first = self->line->len > 0 ? self->line->str[0] : *self->at;

  if (first == ':')
    self->discard_line = TRUE;
  else if (!self->discard_line
           && self->line->len + length > self->max_event_bytes + GMCP_LIMIT_SSE_FIELD_BYTES)
    {
      self->discard_line = TRUE;
      give_up_event (self);
    }

  if (self->discard_line)
    empty_buffer (&self->line);
  else
    g_string_append_len (self->line, self->at, length);
  self->at = self->end;
}

/* FALSE when there is no whole line. */
static gboolean
next_line (GmcpSseParser *self, gboolean *empty)
{
  const char *start, *line_end;

  if (self->skip_line_feed && self->at < self->end)
    {
      self->skip_line_feed = FALSE;
      if (*self->at == '\n')
        self->at++;
    }
  if (self->at == self->end || !pass_mark (self) || self->at == self->end)
    return FALSE;

  line_end = find_line_end (self);
  if (line_end == NULL)
    {
      keep_rest (self);
      return FALSE;
    }

  start = self->at;
  self->at = line_end + 1;
  self->skip_line_feed = *line_end == '\r';
  *empty = FALSE;

  if (self->discard_line)
    self->discard_line = FALSE;
  else if (self->line->len > 0)
    {
      g_string_append_len (self->line, start, line_end - start);
      take_line (self, self->line->str, self->line->len, FALSE);
      empty_buffer (&self->line);
    }
  else if (line_end == start)
    *empty = TRUE;
  else
    take_line (self, start, line_end - start, TRUE);
  return TRUE;
}

static gboolean
tell_too_large (GmcpSseParser *self, GError **error)
{
  g_autofree char *limit = NULL;

  if (!self->too_large || self->too_large_told)
    return FALSE;

  self->too_large_told = TRUE;
  limit = g_strdup_printf ("%" G_GSIZE_FORMAT, self->max_event_bytes);
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("An event is larger than the limit of %s bytes; the limit can be raised in the "
                  "server's settings"),
               limit);
  return TRUE;
}

gboolean
gmcp_sse_parser_next (GmcpSseParser *self, GmcpSseEvent *event, GError **error)
{
  gboolean empty;

  if (self->dispatched)
    {
      self->dispatched = FALSE;
      begin_event (self);
    }

  while (next_line (self, &empty))
    {
      /* At once: its end may never come. */
      if (tell_too_large (self, error))
        return FALSE;
      if (empty && end_event (self, event))
        return TRUE;
    }

  keep_single (self);
  tell_too_large (self, error);
  return FALSE;
}
