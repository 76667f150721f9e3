/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-server-log-private.h"

#include <string.h>

#include "gmcp-limits.h"

struct _GmcpServerLog
{
  grefcount ref_count;
  GmcpCallBook *book;
  char *id;
  GmcpLogFile *file; /* made with the first line */
  char *file_dir;    /* that it is in */
  guint max_bytes;   /* of it, and how many there are of it */
  guint n_files;
  GString *line; /* printed without its end yet */
  gint64 second; /* that is in the text */
  char second_text[24];
};

GmcpServerLog *
gmcp_server_log_new (const char *id, GmcpCallBook *book)
{
  GmcpServerLog *self = g_new0 (GmcpServerLog, 1);

  g_ref_count_init (&self->ref_count);
  self->book = gmcp_call_book_ref (book);
  self->id = g_strdup (id);
  return self;
}

GmcpServerLog *
gmcp_server_log_ref (GmcpServerLog *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

char *
gmcp_server_log_dup_own_path (GmcpServerLog *self)
{
  g_autofree char *name = g_strconcat (self->id, ".log", NULL);

  if (self->book->log_dir != NULL)
    return g_build_filename (self->book->log_dir, name, NULL);

  return g_build_filename (g_get_user_state_dir (), "gmcp", "servers", name, NULL);
}

static void
write_gap (GString *lines, guint64 n_dropped)
{
  g_string_append_printf (lines, "[%" G_GUINT64_FORMAT " lines are missing]\n", n_dropped);
}

static void
limit_file (GmcpServerLog *self)
{
  GmcpCallBook *book = self->book;

  if (G_LIKELY (self->max_bytes == book->max_log_bytes && self->n_files == book->max_log_files))
    return;

  self->max_bytes = book->max_log_bytes;
  self->n_files = book->max_log_files;
  gmcp_log_file_set_limits (self->file, self->max_bytes, self->n_files);
}

static GmcpLogFile *
get_file (GmcpServerLog *self)
{
  const GmcpLogFileLimits limits
    = { GMCP_LIMIT_SERVER_LOG_QUEUE_BYTES, self->book->max_log_bytes, self->book->max_log_files };
  g_autofree char *path = NULL;
  const char *dir = self->book->log_dir;

  if (G_LIKELY (self->file != NULL && g_strcmp0 (dir, self->file_dir) == 0))
    {
      limit_file (self);
      return self->file;
    }

  g_clear_pointer (&self->file, gmcp_log_file_free);
  g_free (self->file_dir);
  self->file_dir = g_strdup (dir);
  path = gmcp_server_log_dup_own_path (self);
  self->file = gmcp_log_file_new (path, &limits, write_gap);
  gmcp_log_file_set_group (self->file, self->book);
  limit_file (self);
  return self->file;
}

static void
append_time (GmcpServerLog *self, GString *out)
{
  gint64 second = g_get_real_time () / G_USEC_PER_SEC;

  if (second != self->second)
    {
      g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (second);
      g_autofree char *text = g_date_time_format (time, "%Y-%m-%dT%H:%M:%SZ ");

      g_strlcpy (self->second_text, text, sizeof self->second_text);
      self->second = second;
    }
  g_string_append (out, self->second_text);
}

/* A terminal would do what a control character says; a tab does no harm. */
static void
append_printable (GString *out, const char *text, gsize length)
{
  gsize from = out->len;

  g_string_append_len (out, text, (gssize) length);
  for (gsize i = from; i < out->len; i++)
    {
      guchar c = (guchar) out->str[i];

      if (c == '\n' || c == '\r')
        out->str[i] = ' ';
      else if ((c < 0x20 && c != '\t') || c == 0x7f)
        out->str[i] = '?';
    }
}

char *
gmcp_server_log_redact (GmcpServerLog *self, const char *text)
{
  return gmcp_redactor_redact (self->book->redactor, text);
}

GmcpRedactor *
gmcp_server_log_get_certain_redactor (GmcpServerLog *self)
{
  return gmcp_redactor_get_certain (self->book->redactor);
}

static void
append_line (GmcpServerLog *self, const char *mark, const char *text, gsize length)
{
  GString *out = gmcp_log_file_begin (get_file (self));
  GmcpRedactor *redactor = self->book->redactor;

  if (out == NULL)
    return;

  append_time (self, out);
  g_string_append (out, mark);
  if (gmcp_redactor_finds_text (redactor, text, length))
    {
      g_autoptr (GString) redacted = g_string_new (NULL);

      gmcp_redactor_append_text (redactor, redacted, text, length);
      append_printable (out, redacted->str, redacted->len);
    }
  else
    append_printable (out, text, length);
  g_string_append_c (out, '\n');
  gmcp_log_file_end (self->file);
}

void
gmcp_server_log_end_line (GmcpServerLog *self)
{
  if (self->line == NULL)
    return;

  append_line (self, "| ", self->line->str, self->line->len);
  g_string_free (g_steal_pointer (&self->line), TRUE);
}

void
gmcp_server_log_unref (GmcpServerLog *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;

  gmcp_server_log_end_line (self);
  g_clear_pointer (&self->file, gmcp_log_file_free);
  gmcp_call_book_unref (self->book);
  g_free (self->file_dir);
  g_free (self->id);
  g_free (self);
}

/* A line that is too long is cut, but not within a secret: what may be the beginning of one waits for
 * the rest. */
static void
cut_line (GmcpServerLog *self)
{
  gsize whole
    = gmcp_redactor_measure_whole (self->book->redactor, self->line->str, self->line->len);

  if (whole == 0)
    return;

  append_line (self, "| ", self->line->str, whole);
  if (whole == self->line->len)
    g_string_free (g_steal_pointer (&self->line), TRUE);
  else
    g_string_erase (self->line, 0, (gssize) whole);
}

static void
keep_part (GmcpServerLog *self, const char *text, gsize length)
{
  if (length == 0)
    return;

  if (self->line == NULL)
    self->line = g_string_new (NULL);
  g_string_append_len (self->line, text, (gssize) length);
  if (self->line->len >= GMCP_LIMIT_SERVER_LOG_LINE_BYTES)
    cut_line (self);
}

void
gmcp_server_log_take_output (GmcpServerLog *self, const char *text, gsize length)
{
  const char *end = text + length;
  const char *newline;

  while ((newline = memchr (text, '\n', (gsize) (end - text))) != NULL)
    {
      gsize n = (gsize) (newline - text);

      if (n > 0 && text[n - 1] == '\r')
        n--;
      if (self->line == NULL)
        append_line (self, "| ", text, n);
      else
        {
          g_string_append_len (self->line, text, (gssize) n);
          gmcp_server_log_end_line (self);
        }
      text = newline + 1;
    }

  keep_part (self, text, (gsize) (end - text));
}

void
gmcp_server_log_take_text (GmcpServerLog *self, const char *text, gsize length)
{
  gmcp_server_log_end_line (self);
  if (length > GMCP_LIMIT_SERVER_LOG_LINE_BYTES)
    length
      = gmcp_redactor_measure_whole (self->book->redactor, text, GMCP_LIMIT_SERVER_LOG_LINE_BYTES);
  append_line (self, "stdout| ", text, length);
}

void
gmcp_server_log_note (GmcpServerLog *self, const char *level, const char *message)
{
  g_autofree char *mark = g_strdup_printf ("[%s] ", level);

  gmcp_server_log_end_line (self);
  append_line (self, mark, message, strlen (message));
}
