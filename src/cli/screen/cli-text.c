/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-text.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli-wrap.h"

#include <gmcp/core/gmcp-visible-text.h>

#define DEFAULT_COLUMNS 80
#define DEFAULT_ROWS    24

/* Where there is room to say how much is left out. */
#define MIN_COUNT_COLUMNS 20
#define CUT_MARK          "… +%ld"

guint
cli_text_width (int fd)
{
  struct winsize size;

  if (ioctl (fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
    return size.ws_col;
  return DEFAULT_COLUMNS;
}

guint
cli_text_height (int fd)
{
  struct winsize size;

  if (ioctl (fd, TIOCGWINSZ, &size) == 0 && size.ws_row >= 5)
    return size.ws_row;
  return DEFAULT_ROWS;
}

static guint
char_columns (gunichar c)
{
  if (g_unichar_iszerowidth (c))
    return 0;
  return g_unichar_iswide (c) ? 2 : 1;
}

char *
cli_text_dup_first_paragraph (const char *text)
{
  const char *end = strstr (text, "\n\n");

  return end != NULL ? g_strndup (text, (gsize) (end - text)) : g_strdup (text);
}

guint
cli_text_columns (const char *text)
{
  guint columns = 0;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    columns += char_columns (g_utf8_get_char (p));
  return columns;
}

char *
cli_text_pad (const char *text, guint columns)
{
  return g_strdup_printf ("%s%*s", text, (int) (columns - MIN (columns, cli_text_columns (text))),
                          "");
}

/* Up to so many columns; gives where that ends. */
static const char *
find_column (const char *text, guint columns)
{
  guint taken = 0;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      taken += char_columns (g_utf8_get_char (text));
      if (taken > columns)
        break;
    }
  return text;
}

char *
cli_text_plain (const char *text, guint columns)
{
  g_autofree char *line = gmcp_dup_visible_line (text, 0);
  g_autofree char *widest = NULL;
  const char *end;

  if (cli_text_columns (line) <= columns)
    return g_steal_pointer (&line);
  if (columns < MIN_COUNT_COLUMNS)
    {
      *(char *) find_column (line, columns - 1) = '\0';
      return g_strconcat (line, "…", NULL);
    }

  /* The number is never longer than that of all. */
  widest = g_strdup_printf (CUT_MARK, g_utf8_strlen (line, -1));
  end = find_column (line, columns - cli_text_columns (widest));
  return g_strdup_printf ("%.*s" CUT_MARK, (int) (end - line), line, g_utf8_strlen (end, -1));
}

void
cli_text_show (const char *text)
{
  g_autofree char *visible = gmcp_dup_visible_text (text);

  cli_text_print (visible);
}

void
cli_text_print (const char *text)
{
  g_autofree char *visible = isatty (STDOUT_FILENO) ? gmcp_dup_visible_text (text) : NULL;

  if (visible != NULL)
    text = visible;
  fputs (text, stdout);
  if (!g_str_has_suffix (text, "\n"))
    fputc ('\n', stdout);
}

static char *
fill_lines (const char *text, int fd)
{
  return isatty (fd) ? cli_wrap (text, cli_text_width (fd)) : g_strdup (text);
}

void
cli_text_print_filled (const char *text)
{
  g_autofree char *filled = fill_lines (text, STDOUT_FILENO);

  g_print ("%s", filled);
}

void
cli_text_tell_filled (const char *text)
{
  g_autofree char *filled = fill_lines (text, STDERR_FILENO);

  g_printerr ("%s", filled);
}

/* A character that is hidden as it is, in the way of JSON. */
static void
append_escaped (GString *out, gunichar c)
{
  gunichar2 *units = g_ucs4_to_utf16 (&c, 1, NULL, NULL, NULL);

  for (gsize i = 0; units != NULL && units[i] != 0; i++)
    g_string_append_printf (out, "\\u%04x", units[i]);
  g_free (units);
}

static char *
dup_visible_json (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *out = g_string_new (NULL);
  const char *next;

  for (const char *p = valid; *p != '\0'; p = next)
    {
      g_autofree char *character = NULL;
      g_autofree char *visible = NULL;

      next = g_utf8_next_char (p);
      if ((guchar) *p < 0x80 && *p != 0x7f)
        {
          g_string_append_c (out, *p);
          continue;
        }
      character = g_strndup (p, next - p);
      visible = gmcp_dup_visible_text (character);
      if (g_str_equal (character, visible))
        g_string_append (out, character);
      else
        append_escaped (out, g_utf8_get_char (p));
    }
  return g_string_free (out, FALSE);
}

void
cli_text_print_json (const char *text)
{
  g_autofree char *visible = isatty (STDOUT_FILENO) ? dup_visible_json (text) : NULL;

  g_print ("%s\n", visible != NULL ? visible : text);
}
