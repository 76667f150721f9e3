/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <string.h>

#include <glib.h>

G_BEGIN_DECLS

/* Lines of a text that is changed in place. Offsets are in bytes. */

static inline gsize
gmcp_text_find_line_start (const GString *text, gsize offset)
{
  while (offset > 0 && text->str[offset - 1] != '\n')
    offset--;
  return offset;
}

/* Behind the end of the line; the last line gets one where it has none. */
static inline gsize
gmcp_text_find_line_end (GString *text, gsize offset)
{
  while (offset < text->len && text->str[offset] != '\n')
    offset++;
  if (offset == text->len && (offset == 0 || text->str[offset - 1] != '\n'))
    g_string_append_c (text, '\n');
  return MIN (offset + 1, text->len);
}

/* Whether the line of the offset has nothing but spaces before it. */
static inline gboolean
gmcp_text_is_alone_before (const GString *text, gsize offset)
{
  gsize start = gmcp_text_find_line_start (text, offset);

  return strspn (text->str + start, " ") >= offset - start;
}

/* Leaves out the blanks and line ends before end. */
static inline gsize
gmcp_text_trim_end (const GString *text, gsize start, gsize end)
{
  while (end > start && g_ascii_isspace (text->str[end - 1]))
    end--;
  return end;
}

static inline void
gmcp_text_replace (GString *text, gsize start, gsize end, const char *by)
{
  g_string_erase (text, (gssize) start, (gssize) (end - start));
  g_string_insert (text, (gssize) start, by);
}

/* Whether a comment begins with “#” there. One that stands in a text between quotes is taken for a comment, too. */
static inline gboolean
gmcp_text_has_comment (const GString *text, gsize start, gsize end)
{
  for (gsize i = start; i < end; i++)
    {
      if (text->str[i] == '#' && (i == start || g_ascii_isspace (text->str[i - 1])))
        return TRUE;
    }
  return FALSE;
}

G_END_DECLS
