/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-wrap.h"

#include <string.h>

#include "cli-text.h"

#define COMMAND_LINE "  gmcp "
/* What goes on below itself is at least so wide; otherwise it goes on below its name. */
#define MIN_HANGING_COLUMNS 20

/* In Chinese a line may end anywhere but before and behind these. */
static const char *const closing_marks = "，。；：、？！）”’》」』…,.;:?!)";
static const char *const opening_marks = "（“‘《「『(";

/* In English and Chinese, and in German. */
static const char *const quotes_begin = "“»";
static const char *const quotes_end = "”«";

static gboolean
is_wide (const char *p)
{
  return g_unichar_iswide (g_utf8_get_char (p));
}

static gboolean
is_one_of (const char *marks, const char *p)
{
  return g_utf8_strchr (marks, -1, g_utf8_get_char (p)) != NULL;
}

/* Whether a line may end here, where there is no space: p is not the first. */
static gboolean
may_break_before (const char *p)
{
  const char *before = g_utf8_prev_char (p);

  return *p != ' ' && *before != ' ' && (is_wide (before) || is_wide (p))
         && !is_one_of (closing_marks, p) && !is_one_of (opening_marks, before);
}

/* Where the line ends that begins here and has so many columns: at its last space that is not between quotation marks,
 * where a command may be, or between wide characters; where there is none, at any space; or behind the first word where
 * that is wider. */
static const char *
find_line_end (const char *text, guint columns)
{
  const char *end = NULL;
  const char *end_in_quotes = NULL;
  gboolean in_quotes = FALSE;
  guint taken = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      if (p > text && (*p == ' ' || may_break_before (p)))
        {
          if (taken > columns)
            return end != NULL ? end : end_in_quotes != NULL ? end_in_quotes : p;
          *(in_quotes ? &end_in_quotes : &end) = p;
        }
      in_quotes = in_quotes ? !is_one_of (quotes_end, p) : is_one_of (quotes_begin, p);
      taken += g_unichar_iszerowidth (g_utf8_get_char (p)) ? 0 : is_wide (p) ? 2 : 1;
    }
  if (taken > columns && (end != NULL || end_in_quotes != NULL))
    return end != NULL ? end : end_in_quotes;
  return text + strlen (text);
}

/* Appends words with so many columns for each line, and an indent before all but the first. */
static void
append_filled (GString *out, const char *words, guint columns, guint indent)
{
  while (*words != '\0')
    {
      const char *end = find_line_end (words, columns);

      g_string_append_len (out, words, end - words);
      words = end + strspn (end, " ");
      if (*words != '\0')
        g_string_append_printf (out, "\n%*s", (int) indent, "");
    }
}

/* The bytes before what is said of a name: “  --json   Print JSON”; the indent alone where there is no such thing. */
static gsize
find_hanging (const char *line, guint columns)
{
  gsize indent = strspn (line, " ");
  const char *gap = strstr (line + indent, "  ");
  gsize hanging = gap != NULL ? (gsize) (gap - line) + strspn (gap, " ") : indent;
  g_autofree char *before = g_strndup (line, hanging);

  return cli_text_columns (before) + MIN_HANGING_COLUMNS <= columns ? hanging : indent;
}

static void
append_line (GString *out, const char *line, guint columns)
{
  gsize hanging = find_hanging (line, columns);
  g_autofree char *before = g_strndup (line, hanging);
  guint indent = cli_text_columns (before);

  if (cli_text_columns (line) <= columns || indent >= columns
      || g_str_has_prefix (line, COMMAND_LINE))
    {
      g_string_append (out, line);
      return;
    }
  g_string_append (out, before);
  append_filled (out, line + hanging, columns - indent, indent);
}

/* The lines of a paragraph as one; a line of Chinese ends without a space. */
static char *
join_lines (char *const *lines, gsize n_lines)
{
  GString *joined = g_string_new (NULL);

  for (gsize i = 0; i < n_lines; i++)
    {
      const char *last
        = i > 0 ? g_utf8_find_prev_char (joined->str, joined->str + joined->len) : NULL;

      if (last != NULL && !is_wide (last) && !is_wide (lines[i]))
        g_string_append_c (joined, ' ');
      g_string_append (joined, lines[i]);
    }
  return g_string_free (joined, FALSE);
}

static gboolean
is_in_paragraph (const char *line)
{
  return line != NULL && *line != '\0' && *line != ' ';
}

/* Appends a paragraph; gives of how many lines it was. */
static gsize
append_paragraph (GString *out, char *const *lines, guint columns)
{
  gsize n_lines = 0;
  gboolean is_too_wide = FALSE;
  g_autofree char *joined = NULL;

  for (; is_in_paragraph (lines[n_lines]); n_lines++)
    is_too_wide = is_too_wide || cli_text_columns (lines[n_lines]) > columns;
  if (!is_too_wide)
    {
      g_string_append (out, lines[0]);
      return 1;
    }
  joined = join_lines (lines, n_lines);
  append_filled (out, joined, columns, 0);
  return n_lines;
}

char *
cli_wrap (const char *text, guint columns)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *out = g_string_new (NULL);

  for (gsize i = 0; lines[i] != NULL;)
    {
      if (is_in_paragraph (lines[i]))
        i += append_paragraph (out, lines + i, columns);
      else
        append_line (out, lines[i++], columns);
      if (lines[i] != NULL)
        g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}
