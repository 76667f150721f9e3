/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-stdout-text-private.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-limits.h"

void
gmcp_stdout_text_clear (GmcpStdoutText *self)
{
  if (self->head != NULL)
    g_string_free (g_steal_pointer (&self->head), TRUE);
  self->n_lines = 0;
  self->cut = FALSE;
  self->told_cut = FALSE;
}

static void
tell_cut (GmcpStdoutText *self)
{
  const char *words = _ ("[what else is printed to standard output is not kept]");

  if (self->told_cut || self->func == NULL)
    return;

  self->told_cut = TRUE;
  self->func (words, strlen (words), self->func_data);
}

void
gmcp_stdout_text_take_line (GmcpStdoutText *self, const char *text, gsize length)
{
  gsize room;

  self->n_lines++;
  if (self->head == NULL)
    self->head = g_string_new (NULL);

  room = GMCP_LIMIT_STDOUT_TEXT_BYTES - MIN (self->head->len, GMCP_LIMIT_STDOUT_TEXT_BYTES);
  if (self->cut || room == 0)
    {
      self->cut = TRUE;
      tell_cut (self);
      return;
    }

  self->cut = length > room;
  g_string_append_len (self->head, text, (gssize) MIN (length, room));
  g_string_append_c (self->head, '\n');
  /* Whole, so that no secret in it is cut in two. */
  if (self->func != NULL)
    self->func (text, length, self->func_data);
  if (self->cut)
    tell_cut (self);
}

/* As many whole lines as there is room for; of a first line that is longer, its beginning. */
static void
cut_lines (char *text, gsize max_bytes)
{
  char *end;

  if (strlen (text) <= max_bytes)
    return;

  end = text + max_bytes;
  while (end > text && (*end & 0xc0) == 0x80)
    end--;
  *end = '\0';
  end = strrchr (text, '\n');
  if (end != NULL)
    *end = '\0';
}

char *
gmcp_stdout_text_dup_first_lines (const GmcpStdoutText *self,
                                  const char *rest,
                                  gsize rest_length,
                                  GmcpStderrFilter filter,
                                  gpointer filter_data,
                                  gsize max_bytes)
{
  g_autoptr (GString) whole = g_string_new (NULL);
  g_autofree char *valid = NULL;
  g_autofree char *filtered = NULL;
  char *lines;

  if (self->head != NULL)
    g_string_append_len (whole, self->head->str, (gssize) self->head->len);
  if (rest != NULL && !self->cut)
    g_string_append_len (whole, rest, (gssize) MIN (rest_length, GMCP_LIMIT_STDOUT_TEXT_BYTES));

  valid = g_utf8_make_valid (whole->str, (gssize) whole->len);
  filtered = filter != NULL ? filter (valid, filter_data) : NULL;
  lines = g_strdup (filtered != NULL ? filtered : valid);
  cut_lines (lines, max_bytes);
  if (*g_strstrip (lines) == '\0')
    g_clear_pointer (&lines, g_free);
  return lines;
}
