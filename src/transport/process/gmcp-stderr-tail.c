/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-stderr-tail-private.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "gmcp-limits.h"

#define SIZE GMCP_LIMIT_STDERR_TAIL_BYTES

void
gmcp_stderr_tail_clear (GmcpStderrTail *self)
{
  g_clear_pointer (&self->data, g_free);
  self->n_bytes = 0;
}

gssize
gmcp_stderr_tail_read (GmcpStderrTail *self, int fd)
{
  gsize at = self->n_bytes % SIZE;
  struct iovec room[2];
  gssize n;

  if (self->data == NULL)
    self->data = g_malloc (SIZE);

  /* Into its place at once: a flood costs one system call for each 64 KiB of it. */
  room[0].iov_base = self->data + at;
  room[0].iov_len = SIZE - at;
  room[1].iov_base = self->data;
  room[1].iov_len = at;

  do
    n = readv (fd, room, 2);
  while (n < 0 && errno == EINTR);

  if (n > 0)
    self->n_bytes += n;
  if (n > 0 && self->func != NULL)
    {
      gsize first = MIN ((gsize) n, SIZE - at);

      self->func (self->data + at, first, self->func_data);
      if ((gsize) n > first)
        self->func (self->data, (gsize) n - first, self->func_data);
    }
  return n;
}

static GString *
copy_bytes (const GmcpStderrTail *self, gsize max_bytes)
{
  gsize length = MIN (MIN (self->n_bytes, SIZE), max_bytes);
  GString *text = g_string_sized_new (length);
  gsize from = (self->n_bytes - length) % SIZE;
  gsize first = MIN (length, SIZE - from);

  if (length > 0)
    {
      g_string_append_len (text, self->data + from, first);
      g_string_append_len (text, self->data, length - first);
    }

  return text;
}

/* Of a character that was cut in two, the rest says nothing. */
static void
drop_half_character (GString *text)
{
  gsize n = 0;

  while (n < MIN (text->len, 3) && (text->str[n] & 0xc0) == 0x80)
    n++;
  g_string_erase (text, 0, n);
}

char *
gmcp_stderr_tail_dup (const GmcpStderrTail *self, gsize max_bytes)
{
  GString *text = copy_bytes (self, max_bytes);
  char *valid;

  if (text->len < self->n_bytes)
    drop_half_character (text);
  valid = g_utf8_make_valid (text->str, text->len);
  g_string_free (text, TRUE);
  return valid;
}

/* As much of the end as there may be, from the start of a character on. */
static const char *
find_end (const char *text, gsize max_bytes)
{
  gsize length = strlen (text);
  const char *end = length > max_bytes ? text + length - max_bytes : text;

  while ((*end & 0xc0) == 0x80)
    end++;
  return end;
}

char *
gmcp_stderr_tail_dup_last_lines (const GmcpStderrTail *self, gsize max_bytes)
{
  g_autofree char *text = gmcp_stderr_tail_dup (self, self->filter != NULL ? SIZE : max_bytes);
  g_autofree char *filtered = self->filter != NULL ? self->filter (text, self->func_data) : NULL;
  const char *whole = filtered != NULL ? filtered : text;
  const char *from = find_end (whole, max_bytes);
  char *lines;

  if (from > whole || self->n_bytes > (self->filter != NULL ? SIZE : max_bytes))
    {
      const char *newline = strchr (from, '\n');

      if (newline != NULL && newline[1] != '\0')
        from = newline + 1;
    }

  lines = g_strdup (from);
  return g_strchomp (lines);
}
