/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-output-queue-private.h"

#include <errno.h>
#include <string.h>

#include <gmcp/core/gmcp-error.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

#define KEEP_BYTES  (64u * 1024)
#define LARGE_BYTES (256u * 1024)
/* A message with one part has three. */
#define MAX_PIECES 16

void
gmcp_output_queue_init (GmcpOutputQueue *self, int fd)
{
  memset (self, 0, sizeof *self);
  gmcp_output_fd_init (&self->to, fd);
}

static gsize
get_data_bytes (const GmcpOutputQueue *self)
{
  return self->end - self->start;
}

gsize
gmcp_output_queue_get_bytes (const GmcpOutputQueue *self)
{
  return get_data_bytes (self) + self->parts_bytes - self->part_written;
}

/* A part is kept until all of it is written. */
static gsize
get_kept_bytes (const GmcpOutputQueue *self)
{
  return get_data_bytes (self) + self->parts_bytes;
}

/* Of what is charged so much is left. */
static void
keep_charge (GmcpOutputQueue *self, gsize n_bytes)
{
  if (self->charged_bytes <= n_bytes)
    return;

  gmcp_byte_budget_release (self->limits.budget, self->charged_bytes - n_bytes);
  self->charged_bytes = n_bytes;
}

/* What each queue keeps in any case is not counted. */
static gboolean
charge_bytes (GmcpOutputQueue *self, gsize n_bytes)
{
  if (self->limits.budget == NULL || n_bytes <= MAX (KEEP_BYTES, self->charged_bytes))
    return TRUE;
  if (!gmcp_byte_budget_charge (self->limits.budget, n_bytes - self->charged_bytes))
    return FALSE;

  self->charged_bytes = n_bytes;
  return TRUE;
}

static void
forget_parts (GmcpOutputQueue *self)
{
  if (self->parts != NULL)
    g_array_set_size (self->parts, 0);
  self->parts_bytes = self->part_written = 0;
}

static void
forget_data (GmcpOutputQueue *self)
{
  self->data_position += self->end;
  self->start = self->end = 0;
}

void
gmcp_output_queue_discard (GmcpOutputQueue *self)
{
  keep_charge (self, 0);
  forget_parts (self);
  forget_data (self);
  g_clear_pointer (&self->data, g_free);
  self->size = 0;
}

void
gmcp_output_queue_clear (GmcpOutputQueue *self)
{
  gmcp_output_queue_discard (self);
  g_clear_pointer (&self->parts, g_array_unref);
  gmcp_output_fd_clear (&self->to);
}

/* What is written already does not come along. */
static void
move_data (GmcpOutputQueue *self, char *data, gsize size)
{
  gsize waiting = get_data_bytes (self);

  if (waiting > 0)
    memmove (data, self->data + self->start, waiting);
  if (data != self->data)
    g_free (self->data);
  self->data = data;
  self->size = size;
  self->data_position += self->start;
  self->start = 0;
  self->end = waiting;
}

static void
make_room (GmcpOutputQueue *self, gsize length)
{
  gsize waiting = get_data_bytes (self);
  gsize size = MAX (self->size, KEEP_BYTES / 16);

  if (self->size - self->end >= length)
    return;

  if (self->start >= self->size / 2 && self->size - waiting >= length)
    {
      move_data (self, self->data, self->size);
      return;
    }

  /* A large message on its own gets what it needs. */
  if (waiting == 0 && length >= KEEP_BYTES)
    size = MAX (size, length);
  while (size < waiting + length)
    size *= 2;
  move_data (self, g_malloc (size), size);
}

static gboolean
refuse_bytes (gsize max_bytes, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("More than %u bytes wait to be written: the peer does not read what it is "
                  "sent"),
               (guint) MIN (max_bytes, G_MAXUINT));
  return FALSE;
}

static gboolean
refuse_all (GmcpOutputQueue *self, GError **error)
{
  g_set_error (error, GMCP_ERROR, GMCP_ERROR_LIMIT_EXCEEDED,
               _ ("More than %u bytes wait for all peers to be written: they do not read what they "
                  "are sent"),
               (guint) MIN (gmcp_byte_budget_get_max (self->limits.budget), G_MAXUINT));
  return FALSE;
}

static void
append_text (GmcpOutputQueue *self, const char *text, gsize length)
{
  if (length == 0)
    return;

  make_room (self, length);
  memcpy (self->data + self->end, text, length);
  self->end += length;
}

/* Takes the bytes. */
static void
append_part (GmcpOutputQueue *self, GBytes *bytes)
{
  if (g_bytes_get_size (bytes) == 0)
    {
      g_bytes_unref (bytes);
      return;
    }

  if (self->parts == NULL)
    self->parts = gmcp_json_parts_new ();
  self->parts_bytes += g_bytes_get_size (bytes);
  gmcp_json_parts_add (self->parts, self->data_position + self->end, bytes);
}

/* Takes the buffer. */
static void
append_buffer (GmcpOutputQueue *self, GString *buffer)
{
  g_string_append_c (buffer, '\n');
  append_part (self, gmcp_json_text_to_bytes (buffer));
}

static void
append_message (GmcpOutputQueue *self, const GmcpOutgoing *message)
{
  GmcpOutgoingWalk walk = { .message = message };
  const char *text;
  gsize length;
  GBytes *part;

  while (gmcp_outgoing_walk_next (&walk, &text, &length, &part))
    {
      if (part == NULL)
        make_room (self, length + 1);
      append_text (self, text, length);
      if (part != NULL)
        append_part (self, g_bytes_ref (part));
    }
  self->data[self->end++] = '\n';
}

gboolean
gmcp_output_queue_append (GmcpOutputQueue *self, const GmcpOutgoing *message, GError **error)
{
  gsize waiting = get_kept_bytes (self);
  gsize length = gmcp_outgoing_get_bytes (message);

  self->reply_bytes = MIN (self->reply_bytes, waiting);
  if (!gmcp_transport_may_wait (message, self->reply_bytes, error))
    return FALSE;
  if (length >= GMCP_LIMIT_WRITE_QUEUE_BYTES || waiting > GMCP_LIMIT_WRITE_QUEUE_BYTES - length - 1)
    return refuse_bytes (GMCP_LIMIT_WRITE_QUEUE_BYTES, error);
  if (waiting == 0)
    self->first_bytes = length;
  else if (self->limits.max_bytes != 0
           && waiting + length > self->limits.max_bytes + self->first_bytes)
    return refuse_bytes (self->limits.max_bytes, error);
  if (!charge_bytes (self, waiting + length + 1))
    return refuse_all (self, error);

  if (message->buffer != NULL && message->n_parts == 0 && length >= LARGE_BYTES)
    append_buffer (self, g_steal_pointer (message->buffer));
  else
    append_message (self, message);
  if (message->is_reply)
    self->reply_bytes += length + 1;
  return TRUE;
}

/* How much of the data stands before the first part. */
static gsize
get_data_run (const GmcpOutputQueue *self, guint first_part)
{
  const GmcpJsonPart *part;

  if (self->parts == NULL || first_part >= self->parts->len)
    return get_data_bytes (self);

  part = &g_array_index (self->parts, GmcpJsonPart, first_part);
  return part->position - self->data_position - self->start;
}

/* What is written next, from the front on; gives how much that is. */
static gsize
gather_pieces (GmcpOutputQueue *self, struct iovec *pieces, int max_pieces, int *n_pieces)
{
  guint n_parts = self->parts != NULL ? self->parts->len : 0;
  gsize data_taken = 0;
  gsize n_bytes = 0;
  int n = 0;

  for (guint i = 0; i <= n_parts && n < max_pieces; i++)
    {
      gsize run = get_data_run (self, i) - data_taken;

      if (run > 0)
        {
          pieces[n++] = (struct iovec){ self->data + self->start + data_taken, run };
          data_taken += run;
          n_bytes += run;
        }
      if (i < n_parts && n < max_pieces)
        {
          gsize written = i == 0 ? self->part_written : 0;
          gsize size;
          const char *text
            = g_bytes_get_data (g_array_index (self->parts, GmcpJsonPart, i).bytes, &size);

          pieces[n++] = (struct iovec){ (char *) text + written, size - written };
          n_bytes += size - written;
        }
    }

  *n_pieces = n;
  return n_bytes;
}

static void
drop_first_part (GmcpOutputQueue *self)
{
  self->parts_bytes -= g_bytes_get_size (g_array_index (self->parts, GmcpJsonPart, 0).bytes);
  self->part_written = 0;
  g_array_remove_index (self->parts, 0);
}

static void
drop_written (GmcpOutputQueue *self, gsize n_bytes)
{
  while (n_bytes > 0)
    {
      gsize run = MIN (get_data_run (self, 0), n_bytes);
      gsize left;

      self->start += run;
      n_bytes -= run;
      if (n_bytes == 0)
        break;

      left = g_bytes_get_size (g_array_index (self->parts, GmcpJsonPart, 0).bytes)
             - self->part_written;
      if (n_bytes < left)
        {
          self->part_written += n_bytes;
          break;
        }
      n_bytes -= left;
      drop_first_part (self);
    }
  keep_charge (self, get_kept_bytes (self));
}

static GBytes *
join_pieces (GmcpOutputQueue *self)
{
  gsize length = gmcp_output_queue_get_bytes (self);
  char *all = g_malloc (length);
  struct iovec piece;
  int n_pieces;
  gsize done = 0;

  while (gather_pieces (self, &piece, 1, &n_pieces) > 0)
    {
      memcpy (all + done, piece.iov_base, piece.iov_len);
      done += piece.iov_len;
      drop_written (self, piece.iov_len);
    }
  return g_bytes_new_take (all, length);
}

GBytes *
gmcp_output_queue_steal (GmcpOutputQueue *self)
{
  GBytes *all;

  if (self->parts_bytes == 0 && self->start == 0)
    all = g_bytes_new_take (g_steal_pointer (&self->data), self->end);
  else if (get_data_bytes (self) == 0 && self->parts->len == 1 && self->part_written == 0)
    all = g_bytes_ref (g_array_index (self->parts, GmcpJsonPart, 0).bytes);
  else
    all = join_pieces (self);
  gmcp_output_queue_discard (self);
  return all;
}

/* What a peer reads nearly all of and then leaves takes no more than what is left. */
static void
shrink_data (GmcpOutputQueue *self)
{
  gsize size = MAX (get_data_bytes (self), 1);

  if (self->size > KEEP_BYTES && size < self->size / 2)
    move_data (self, g_malloc (size), size);
}

static GmcpFlushResult
end_blocked (GmcpOutputQueue *self)
{
  shrink_data (self);
  return GMCP_FLUSH_BLOCKED;
}

GmcpFlushResult
gmcp_output_queue_flush (GmcpOutputQueue *self)
{
  struct iovec pieces[MAX_PIECES];

  if (gmcp_output_queue_get_bytes (self) >= LARGE_BYTES)
    gmcp_output_fd_grow_pipe (&self->to);

  while (!gmcp_output_queue_is_empty (self))
    {
      int n_pieces;
      gsize length = gather_pieces (self, pieces, MAX_PIECES, &n_pieces);
      gssize n = gmcp_output_fd_write (&self->to, pieces, n_pieces);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK ? end_blocked (self) : GMCP_FLUSH_FAILED;

      drop_written (self, n);
      /* A short write says that there is no room for more. */
      if ((gsize) n < length && self->to.kind == GMCP_OUTPUT_KIND_NON_BLOCKING)
        return end_blocked (self);
    }

  forget_data (self);
  if (self->size > KEEP_BYTES)
    gmcp_output_queue_discard (self);
  return GMCP_FLUSH_DONE;
}
