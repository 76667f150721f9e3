/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-text.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_COLUMNS 80

guint
cli_text_width (int fd)
{
  struct winsize size;

  if (ioctl (fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
    return size.ws_col;
  return DEFAULT_COLUMNS;
}

static guint
char_columns (gunichar c)
{
  if (g_unichar_iszerowidth (c))
    return 0;
  return g_unichar_iswide (c) ? 2 : 1;
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
cli_text_plain (const char *text, guint columns)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *out = g_string_new (NULL);
  gboolean space = FALSE;
  guint taken = 0;

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      guint wanted;

      if (g_unichar_isspace (c))
        {
          space = out->len > 0;
          continue;
        }
      if (g_unichar_iscntrl (c))
        continue;
      wanted = char_columns (c) + (space ? 1 : 0);
      /* One column is kept for the mark of the cut. */
      if (taken + wanted > columns || (taken + wanted == columns && *g_utf8_next_char (p) != '\0'))
        {
          g_string_append (out, "…");
          break;
        }
      if (space)
        g_string_append_c (out, ' ');
      g_string_append_unichar (out, c);
      taken += wanted;
      space = FALSE;
    }

  return g_string_free (out, FALSE);
}

char *
cli_text_without_controls (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *out = g_string_new (NULL);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '\n' || c == '\t' || !g_unichar_iscntrl (c))
        g_string_append_unichar (out, c);
    }
  return g_string_free (out, FALSE);
}

void
cli_text_print (const char *text)
{
  g_autofree char *plain = isatty (STDOUT_FILENO) ? cli_text_without_controls (text) : NULL;

  if (plain != NULL)
    text = plain;
  fputs (text, stdout);
  if (!g_str_has_suffix (text, "\n"))
    fputc ('\n', stdout);
}
