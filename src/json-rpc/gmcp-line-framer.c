/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-line-framer-private.h"

#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-line-buffer-private.h"

#define READ_BYTES (64u * 1024)
/* From here on a message is handed over in its buffer. */
#define STEAL_BYTES (128u * 1024)

struct _GmcpLineFramer
{
  GmcpLineBuffer buffer;
  gsize start;   /* of the line under way */
  gsize scanned; /* no newline between start and here */
  gsize end;     /* of what was read */
  gsize max_message_bytes;
  GmcpByteBudget *budget; /* nullable */
  gsize charged;          /* to the budget: the line under way, where it is large */
  gboolean dropping;
  gboolean eof;
};

GmcpLineFramer *
gmcp_line_framer_new (gsize max_message_bytes)
{
  GmcpLineFramer *self = g_new0 (GmcpLineFramer, 1);

  self->max_message_bytes = max_message_bytes;
  return self;
}

/* FALSE, and nothing is another, where there is no room. */
static gboolean
set_charge (GmcpLineFramer *self, gsize n_bytes)
{
  if (self->budget == NULL || n_bytes == self->charged)
    return TRUE;
  if (n_bytes < self->charged)
    gmcp_byte_budget_release (self->budget, self->charged - n_bytes);
  else if (!gmcp_byte_budget_charge (self->budget, n_bytes - self->charged))
    return FALSE;

  self->charged = n_bytes;
  return TRUE;
}

void
gmcp_line_framer_free (GmcpLineFramer *self)
{
  set_charge (self, 0);
  g_clear_pointer (&self->budget, gmcp_byte_budget_unref);
  gmcp_line_buffer_clear (&self->buffer);
  g_free (self);
}

void
gmcp_line_framer_set_max_message_bytes (GmcpLineFramer *self, gsize max_message_bytes)
{
  self->max_message_bytes = max_message_bytes;
}

void
gmcp_line_framer_set_budget (GmcpLineFramer *self, GmcpByteBudget *budget)
{
  set_charge (self, 0);
  g_clear_pointer (&self->budget, gmcp_byte_budget_unref);
  if (budget != NULL)
    self->budget = gmcp_byte_budget_ref (budget);
}

GError *
gmcp_line_framer_limit_error (guint64 max_message_bytes)
{
  g_autofree char *limit = g_format_size_full (max_message_bytes, G_FORMAT_SIZE_IEC_UNITS);

  return g_error_new (GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                      _ ("A message is larger than the limit of %s (max-message-bytes)"), limit);
}

/* Where nothing is under way: starts at the front, in a buffer of the usual size. */
static void
rewind_buffer (GmcpLineFramer *self)
{
  set_charge (self, 0);
  self->start = self->scanned = self->end = 0;
  if (self->buffer.size > READ_BYTES)
    gmcp_line_buffer_clear (&self->buffer);
}

char *
gmcp_line_framer_reserve (GmcpLineFramer *self, gsize *room)
{
  gsize pending = self->end - self->start;

  if (pending == 0)
    rewind_buffer (self);
  else if (self->start > 0)
    {
      /* Once for each batch of lines: after this, start is 0 until a line is complete. */
      memmove (self->buffer.data, self->buffer.data + self->start, pending);
      self->scanned -= self->start;
      self->start = 0;
      self->end = pending;
    }

  if (self->buffer.data == NULL)
    gmcp_line_buffer_resize (&self->buffer, READ_BYTES, 0, self->max_message_bytes);
  else if (self->buffer.size - self->end < READ_BYTES / 4)
    gmcp_line_buffer_resize (&self->buffer, self->buffer.size * 2, self->end,
                             self->max_message_bytes);

  *room = self->buffer.size - self->end;
  return self->buffer.data + self->end;
}

void
gmcp_line_framer_commit (GmcpLineFramer *self, gsize length)
{
  self->end += length;
}

void
gmcp_line_framer_commit_eof (GmcpLineFramer *self)
{
  self->eof = TRUE;
}

gboolean
gmcp_line_framer_is_in_large_message (GmcpLineFramer *self)
{
  return self->end - self->start >= READ_BYTES;
}

/* Hands over the buffer with a line that fills most of it; what comes after that line, at most
 * the rest of one read, moves to a new one. */
static GBytes *
steal_line (GmcpLineFramer *self, gsize start, gsize length)
{
  gsize rest = self->end - self->start;
  GmcpLineBuffer fresh = { NULL, 0 };
  GBytes *stolen;

  if (length < STEAL_BYTES || start > length / 4 || rest > length)
    return NULL;

  if (rest > 0)
    {
      gmcp_line_buffer_resize (&fresh, MAX (READ_BYTES, rest), 0, self->max_message_bytes);
      memcpy (fresh.data, self->buffer.data + self->start, rest);
    }

  stolen = gmcp_line_buffer_steal (&self->buffer, start, length);
  self->buffer = fresh;
  self->start = self->scanned = 0;
  self->end = rest;
  return stolen;
}

static gboolean
take_line (GmcpLineFramer *self, gsize newline, GmcpLine *line)
{
  gsize start = self->start;
  gsize length = newline - start;

  self->start = self->scanned = newline + 1;

  if (length > 0 && self->buffer.data[newline - 1] == '\r')
    length--;

  if (self->dropping || length == 0)
    {
      self->dropping = FALSE;
      return FALSE;
    }

  line->length = length;
  if (length > self->max_message_bytes)
    return TRUE;

  line->text = self->buffer.data + start;
  line->owner = steal_line (self, start, length);
  return TRUE;
}

static GError *
new_budget_error (GmcpLineFramer *self)
{
  g_autofree char *limit
    = g_format_size_full (gmcp_byte_budget_get_max (self->budget), G_FORMAT_SIZE_IEC_UNITS);

  return g_error_new (GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
                      _ ("A message is dropped: more than %s would be kept of messages that are "
                         "not complete"),
                      limit);
}

/* FALSE where there is no room for what has come of the line under way. */
static gboolean
charge_rest (GmcpLineFramer *self)
{
  gsize pending = self->end - self->start;

  return set_charge (self, pending > READ_BYTES ? pending : 0);
}

static void
drop_line (GmcpLineFramer *self)
{
  self->dropping = TRUE;
  rewind_buffer (self);
}

/* The line under way, which has no newline yet. */
static void
check_rest (GmcpLineFramer *self, GError **error)
{
  gsize pending = self->end - self->start;
  gboolean over;

  if (self->dropping)
    {
      self->start = self->scanned = self->end;
      if (self->eof)
        self->dropping = FALSE;
      return;
    }

  /* One byte more is allowed where it may be the carriage return of the line's end. */
  over = pending > self->max_message_bytes
         && (pending > self->max_message_bytes + 1 || self->buffer.data[self->end - 1] != '\r');

  if (over)
    {
      drop_line (self);
      g_propagate_error (error, gmcp_line_framer_limit_error (self->max_message_bytes));
    }
  else if (self->eof && pending > 0)
    {
      g_autofree char *size = g_format_size_full (pending, G_FORMAT_SIZE_IEC_UNITS);

      rewind_buffer (self);
      g_set_error (error, GMCP_ERROR, GMCP_ERROR_PROTOCOL,
                   _ ("The stream ended in the middle of a message, after %s of it"), size);
    }
  else if (!charge_rest (self))
    {
      drop_line (self);
      g_propagate_error (error, new_budget_error (self));
    }
}

const char *
gmcp_line_framer_peek_rest (GmcpLineFramer *self, gsize *length)
{
  *length = self->dropping ? 0 : self->end - self->start;
  return *length > 0 ? self->buffer.data + self->start : NULL;
}

/* The last line of the stream, which has no newline and is no beginning of a message. */
static gboolean
take_last_text (GmcpLineFramer *self, GmcpLine *line)
{
  gsize length;
  const char *text = gmcp_line_framer_peek_rest (self, &length);
  gsize i = 0;

  if (!self->eof || length == 0)
    return FALSE;
  if (text[length - 1] == '\r')
    length--;
  if (length > self->max_message_bytes)
    return FALSE;
  while (i < length && g_ascii_isspace (text[i]))
    i++;
  if (i == length || text[i] == '{' || text[i] == '[')
    return FALSE;

  self->start = self->scanned = self->end;
  line->text = text;
  line->length = length;
  return TRUE;
}

gboolean
gmcp_line_framer_next (GmcpLineFramer *self, GmcpLine *line, GError **error)
{
  line->text = NULL;
  line->length = 0;
  line->owner = NULL;

  while (self->scanned < self->end)
    {
      const char *from = self->buffer.data + self->scanned;
      const char *newline = memchr (from, '\n', self->end - self->scanned);

      if (newline == NULL)
        {
          self->scanned = self->end;
          break;
        }

      if (!take_line (self, newline - self->buffer.data, line))
        continue;

      if (line->text != NULL)
        return TRUE;

      g_propagate_error (error, gmcp_line_framer_limit_error (self->max_message_bytes));
      return FALSE;
    }

  if (take_last_text (self, line))
    return TRUE;

  check_rest (self, error);
  return FALSE;
}
