/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-json-patcher-private.h"

#define INDENT "  "

static const char byte_order_mark[] = "\xef\xbb\xbf";

/* One place of the text, and what stands there from now on. */
typedef struct
{
  gsize start;
  gsize end;
  char *text;
} Patch;

static void
patch_clear (gpointer data)
{
  g_free (((Patch *) data)->text);
}

void
gmcp_json_patcher_add (GmcpJsonPatcher *self, gsize start, gsize end, char *text)
{
  Patch patch = { start, end, text };
  guint i = self->patches->len;

  /* Two at one place stay in the order in which they came. */
  while (i > 0 && g_array_index (self->patches, Patch, i - 1).start > start)
    i--;
  g_array_insert_val (self->patches, i, patch);
}

gsize
gmcp_json_patcher_find_start (GmcpJsonPatcher *self, GmcpJsonValue value)
{
  return gmcp_json_value_peek_raw (value, &(gsize){ 0 }) - self->bare;
}

gsize
gmcp_json_patcher_find_end (GmcpJsonPatcher *self, GmcpJsonValue value)
{
  gsize length;
  const char *raw = gmcp_json_value_peek_raw (value, &length);

  return raw - self->bare + length;
}

gboolean
gmcp_json_patcher_has_comment (GmcpJsonPatcher *self, gsize start, gsize end)
{
  for (gsize i = start; i < end; i++)
    {
      if (self->text[i] == '/' && self->bare[i] == ' ')
        return TRUE;
    }
  return FALSE;
}

/* Past the comment that starts at position; position where none does. */
static gsize
skip_comment (GmcpJsonPatcher *self, gsize position, gsize end)
{
  if (self->text[position] != '/' || self->bare[position] != ' ')
    return position;

  if (self->text[position + 1] == '/')
    {
      while (position < end && self->text[position] != '\n')
        position++;
      return position;
    }

  position += 2;
  while (position + 1 < end && (self->text[position] != '*' || self->text[position + 1] != '/'))
    position++;
  return MIN (position + 2, end);
}

/* The comma between two places that have nothing but blanks and comments; end where there is none. */
static gsize
find_comma (GmcpJsonPatcher *self, gsize position, gsize end)
{
  while (position < end && self->text[position] != ',')
    {
      gsize next = skip_comment (self, position, end);

      position = next > position ? next : position + 1;
    }
  return position;
}

/* What is said behind a value in the same line is about that value. */
static gsize
skip_rest_of_line (GmcpJsonPatcher *self, gsize position, gsize end)
{
  gsize blank = position;
  gsize next;

  while (blank < end && (self->text[blank] == ' ' || self->text[blank] == '\t'))
    blank++;
  next = blank < end ? skip_comment (self, blank, end) : blank;
  return next > blank && memchr (self->text + blank, '\n', next - blank) == NULL ? next : position;
}

/* The blanks that the line of a position starts with. */
char *
gmcp_json_patcher_dup_indent (GmcpJsonPatcher *self, gsize position)
{
  gsize start = position;
  gsize end;

  while (start > 0 && self->text[start - 1] != '\n')
    start--;
  for (end = start; self->text[end] == ' ' || self->text[end] == '\t';)
    end++;
  return g_strndup (self->text + start, MIN (end, position) - start);
}

/* Adds what render writes, one member or several, at the end of an object. */
void
gmcp_json_patcher_append_members (GmcpJsonPatcher *self,
                                  GmcpJsonValue object,
                                  GmcpJsonPatcherRender render,
                                  gpointer data)
{
  gsize close = gmcp_json_patcher_find_end (self, object) - 1;
  gsize position = gmcp_json_patcher_find_start (self, object) + 1;
  g_autofree char *outer
    = gmcp_json_patcher_dup_indent (self, gmcp_json_patcher_find_start (self, object));
  g_autofree char *inner = g_strconcat (outer, self->unit, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean trailing = FALSE;
  GmcpJsonIter iter;
  GmcpJsonValue value;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, NULL, &value))
    position = gmcp_json_patcher_find_end (self, value);
  if (gmcp_json_value_get_length (object) > 0)
    {
      gsize comma = find_comma (self, position, close);

      trailing = comma < close;
      if (trailing)
        position = comma + 1;
      else
        gmcp_json_patcher_add (self, position, position, g_strdup (","));
    }

  position = skip_rest_of_line (self, position, close);
  render (text, inner, data);
  if (trailing)
    g_string_append_c (text, ',');
  if (memchr (self->text + position, '\n', close - position) == NULL)
    g_string_append_printf (text, "\n%s", outer);
  gmcp_json_patcher_add (self, position, position, g_string_free (g_steal_pointer (&text), FALSE));
}

/* The first position of the line where nothing but blanks stands before position; else position. */
static gsize
find_line_start (GmcpJsonPatcher *self, gsize position)
{
  gsize start = position;

  while (start > 0 && (self->text[start - 1] == ' ' || self->text[start - 1] == '\t'))
    start--;
  return start == 0 || self->text[start - 1] == '\n' ? start : position;
}

void
gmcp_json_patcher_remove_member (GmcpJsonPatcher *self, GmcpJsonValue object, GmcpJsonValue key)
{
  gsize close = gmcp_json_patcher_find_end (self, object) - 1;
  gsize before = gmcp_json_patcher_find_start (self, object) + 1; /* where the member before ends */
  gsize start = gmcp_json_patcher_find_start (self, key);
  gsize end, comma, behind;
  GmcpJsonIter iter;
  GmcpJsonValue name, value;
  gboolean is_first = TRUE;

  gmcp_json_iter_init (&iter, object);
  while (gmcp_json_iter_next (&iter, &name, &value))
    {
      if (gmcp_json_patcher_find_start (self, name) == start)
        break;
      before = gmcp_json_patcher_find_end (self, value);
      is_first = FALSE;
    }

  end = gmcp_json_patcher_find_end (self, value);
  comma = find_comma (self, end, close);
  if (comma < close)
    end = comma + 1;
  else if (!is_first)
    {
      gsize own = find_comma (self, before, start);

      gmcp_json_patcher_add (self, own, own + 1, g_strdup (""));
    }

  behind = skip_rest_of_line (self, end, close);
  while (self->text[behind] == ' ' || self->text[behind] == '\t' || self->text[behind] == '\r')
    behind++;
  if (self->text[behind] == '\n' && find_line_start (self, start) < start)
    {
      start = find_line_start (self, start);
      end = behind + 1;
    }
  gmcp_json_patcher_add (self, start, end, g_strdup (""));
}

char *
gmcp_json_patcher_apply (GmcpJsonPatcher *self)
{
  g_autoptr (GString) out = g_string_sized_new (self->length + 256);
  gsize position = 0;

  if (self->is_marked)
    g_string_append (out, byte_order_mark);
  for (guint i = 0; i < self->patches->len; i++)
    {
      Patch *patch = &g_array_index (self->patches, Patch, i);

      g_string_append_len (out, self->text + position, patch->start - position);
      g_string_append (out, patch->text);
      position = patch->end;
    }
  g_string_append_len (out, self->text + position, self->length - position);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* As the first member has it where that stands in a line of its own, or else two blanks. */
static void
find_unit (GmcpJsonPatcher *self)
{
  GmcpJsonValue root = gmcp_json_doc_get_root (self->document->json);
  GmcpJsonIter iter;
  GmcpJsonValue key, value;
  g_autofree char *outer = NULL;
  gsize start, n_blanks, n_outer;

  g_strlcpy (self->unit, INDENT, sizeof self->unit);
  gmcp_json_iter_init (&iter, root);
  if (!gmcp_json_iter_next (&iter, &key, &value) || !gmcp_json_value_is_present (key))
    return;
  /* The whole of it may stand within the line, too. */
  outer = gmcp_json_patcher_dup_indent (self, gmcp_json_patcher_find_start (self, root));
  n_outer = strlen (outer);
  start = gmcp_json_patcher_find_start (self, key);
  n_blanks = start - find_line_start (self, start);
  n_blanks = n_blanks > n_outer ? n_blanks - n_outer : 0;
  if (n_blanks > 0 && n_blanks < sizeof self->unit && start > n_blanks)
    g_strlcpy (self->unit, self->text + start - n_blanks, n_blanks + 1);
}

gboolean
gmcp_json_patcher_open (GmcpJsonPatcher *self, const char *text, gsize length, GError **error)
{
  guint line = 0;

  memset (self, 0, sizeof *self);
  self->patches = g_array_new (FALSE, FALSE, sizeof (Patch));
  g_array_set_clear_func (self->patches, patch_clear);
  if (text == NULL)
    {
      text = "{\n}\n";
      length = strlen (text);
    }
  self->is_marked = length >= strlen (byte_order_mark)
                    && memcmp (text, byte_order_mark, strlen (byte_order_mark)) == 0;
  if (self->is_marked)
    {
      text += strlen (byte_order_mark);
      length -= strlen (byte_order_mark);
    }

  self->text = text;
  self->length = length;
  self->document = gmcp_config_document_parse (text, length, GMCP_CONFIG_FORMAT_JSON, &line, error);
  if (self->document == NULL)
    return FALSE;
  self->bare = g_bytes_get_data (self->document->text, NULL);
  find_unit (self);
  return TRUE;
}

void
gmcp_json_patcher_clear (GmcpJsonPatcher *self)
{
  g_clear_pointer (&self->patches, g_array_unref);
  g_clear_pointer (&self->document, gmcp_config_document_free);
}
