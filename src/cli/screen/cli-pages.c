/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-pages.h"

#include <unistd.h>

#include "cli-text.h"

/* For what is asked beneath, and where the last page ended. */
#define KEPT_ROWS   3
#define TAB_COLUMNS 8

struct _CliPages
{
  char *text;
  const char *rest;
};

CliPages *
cli_pages_new (const char *text)
{
  CliPages *self = g_new0 (CliPages, 1);

  self->text = g_strdup (text);
  self->rest = self->text;
  return self;
}

void
cli_pages_free (CliPages *self)
{
  g_free (self->text);
  g_free (self);
}

/* Where the row that begins here ends on a screen of so many columns. */
static const char *
find_row_end (const char *text, guint width)
{
  guint column = 0;

  while (*text != '\0')
    {
      const char *next = g_utf8_next_char (text);

      if (*text == '\n')
        return next;
      if (*text == '\t')
        {
          column = MIN (column - column % TAB_COLUMNS + TAB_COLUMNS, width);
        }
      else
        {
          gunichar c = g_utf8_get_char (text);

          column += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
          if (column > width)
            return text;
        }
      text = next;
    }
  return text;
}

void
cli_pages_print (CliPages *self, gboolean all)
{
  guint width = cli_text_width (STDERR_FILENO);
  guint height = cli_text_height (STDERR_FILENO);
  const char *end = self->rest;
  g_autofree char *page = NULL;

  for (guint i = 0; *end != '\0' && (all || i + KEPT_ROWS < height); i++)
    end = find_row_end (end, width);

  page = g_strndup (self->rest, end - self->rest);
  self->rest = end;
  g_printerr ("%s%s", page, *page == '\0' || g_str_has_suffix (page, "\n") ? "" : "\n");
}

gulong
cli_pages_count_left (CliPages *self)
{
  return (gulong) g_utf8_strlen (self->rest, -1);
}
