/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-table.h"

#include <stdio.h>
#include <unistd.h>

#include "cli-text.h"

/* What the last column gets at least, however long the others are, and what another is cut to at most. */
#define MIN_LAST_COLUMNS 20
#define MIN_CUT_COLUMNS  12
#define MIN_WORD_COLUMNS 4
#define MIN_TOLD_COLUMNS 6
#define GAP              2
#define MAX_COLUMNS      10

#define UNLIMITED        (G_MAXUINT / 2)

typedef struct
{
  char *cells[MAX_COLUMNS];
  CliStyle styles[MAX_COLUMNS];
} CliRow;

struct _CliTable
{
  guint n_columns;
  gboolean has_titles; /* the first row */
  gboolean cuts_last_first;
  guint indent;
  gboolean is_kept[MAX_COLUMNS]; /* the first always is */
  GPtrArray *rows;
};

static void
free_row (gpointer data)
{
  CliRow *row = data;

  for (guint i = 0; i < MAX_COLUMNS; i++)
    g_free (row->cells[i]);
  g_free (row);
}

CliTable *
cli_table_new (void)
{
  CliTable *self = g_new0 (CliTable, 1);

  self->n_columns = 2;
  self->is_kept[0] = TRUE;
  self->rows = g_ptr_array_new_with_free_func (free_row);
  return self;
}

CliTable *
cli_table_new_with_titles (const char *first, ...)
{
  CliTable *self = cli_table_new ();
  CliRow *row = g_new0 (CliRow, 1);
  va_list titles;

  self->has_titles = TRUE;
  self->n_columns = 0;
  va_start (titles, first);
  for (const char *title = first; title != NULL; title = va_arg (titles, const char *))
    {
      g_assert (self->n_columns < MAX_COLUMNS);
      row->styles[self->n_columns] = CLI_STYLE_BOLD;
      row->cells[self->n_columns++] = g_strdup (title);
    }
  va_end (titles);
  g_ptr_array_add (self->rows, row);
  return self;
}

void
cli_table_free (CliTable *self)
{
  g_ptr_array_unref (self->rows);
  g_free (self);
}

void
cli_table_add_cells (CliTable *self, const char *const *cells)
{
  CliRow *row = g_new0 (CliRow, 1);

  for (guint i = 0; i < self->n_columns; i++)
    row->cells[i] = cells[i] != NULL ? cli_text_plain (cells[i], UNLIMITED) : g_strdup ("");
  g_ptr_array_add (self->rows, row);
}

void
cli_table_add (CliTable *self, const char *name, const char *text)
{
  const char *cells[] = { name, text };

  cli_table_add_cells (self, cells);
}

void
cli_table_set_style (CliTable *self, guint column, CliStyle style)
{
  CliRow *row = g_ptr_array_index (self->rows, self->rows->len - 1);

  row->styles[column] = style;
}

void
cli_table_keep_column (CliTable *self, guint column)
{
  self->is_kept[column] = TRUE;
}

void
cli_table_cut_last_first (CliTable *self)
{
  self->cuts_last_first = TRUE;
}

void
cli_table_set_indent (CliTable *self, guint indent)
{
  self->indent = indent;
}

static void
measure_columns (CliTable *self, guint *widths)
{
  for (guint column = 0; column < self->n_columns; column++)
    {
      widths[column] = 0;
      for (guint i = 0; i < self->rows->len; i++)
        {
          CliRow *row = g_ptr_array_index (self->rows, i);

          widths[column] = MAX (widths[column], cli_text_columns (row->cells[column]));
        }
    }
}

/* The widest of those that may be cut; 0 for none. */
static guint
find_widest (CliTable *self, const guint *widths, guint n)
{
  guint widest = 0;

  for (guint i = 1; i < n; i++)
    {
      if (!self->is_kept[i] && (widest == 0 || widths[i] > widths[widest]))
        widest = i;
    }
  return widest;
}

/* Makes the columns fit: the last takes what the others leave, and these give way where it would get
 * too little. The first is never cut: names are there to be copied. Gives whether the screen is wide enough. */
static gboolean
fit_columns (CliTable *self, guint *widths)
{
  guint last = self->n_columns - 1;
  guint screen = cli_text_width (STDOUT_FILENO);
  guint wanted = MIN (widths[last], self->cuts_last_first ? MIN_TOLD_COLUMNS : MIN_LAST_COLUMNS);
  guint used = self->indent + last * GAP;

  for (guint i = 0; i < last; i++)
    used += widths[i];
  while (last > 1 && used + wanted > screen)
    {
      guint widest = find_widest (self, widths, last);

      if (widest == 0 || widths[widest] <= MIN_CUT_COLUMNS)
        break;
      widths[widest]--;
      used--;
    }
  /* Of several columns none is worth that lines are broken. */
  widths[last] = MAX (screen - MIN (screen, used), last > 1 ? MIN_WORD_COLUMNS : MIN_LAST_COLUMNS);
  return used + widths[last] <= screen;
}

static void
print_row (CliTable *self, CliRow *row, const guint *widths, gboolean cut)
{
  guint pending = self->indent;

  for (guint i = 0; i < self->n_columns; i++)
    {
      g_autofree char *text
        = cut && i > 0 ? cli_text_plain (row->cells[i], widths[i]) : g_strdup (row->cells[i]);

      if (*text != '\0')
        {
          printf ("%*s", (int) pending, "");
          cli_style_print (row->styles[i], text);
          pending = 0;
        }
      pending += GAP + widths[i] - MIN (widths[i], cli_text_columns (text));
    }
  fputc ('\n', stdout);
}

/* A row whose columns are lines. */
static void
print_stacked (CliTable *self, CliRow *row)
{
  CliRow *titles = g_ptr_array_index (self->rows, 0);

  for (guint i = 0; i < self->n_columns; i++)
    {
      if (*row->cells[i] == '\0')
        continue;
      printf ("%*s", (int) (self->indent + (i > 0 ? GAP : 0)), "");
      if (i > 0 && *titles->cells[i] != '\0')
        printf ("%s: ", titles->cells[i]);
      cli_style_print (i > 0 ? row->styles[i] : CLI_STYLE_BOLD, row->cells[i]);
      fputc ('\n', stdout);
    }
}

static void
print_rows (CliTable *self, gboolean cut)
{
  guint widths[MAX_COLUMNS];

  measure_columns (self, widths);
  if (cut && !fit_columns (self, widths) && self->has_titles)
    {
      for (guint i = 1; i < self->rows->len; i++)
        print_stacked (self, g_ptr_array_index (self->rows, i));
      return;
    }
  for (guint i = 0; i < self->rows->len; i++)
    print_row (self, g_ptr_array_index (self->rows, i), widths, cut);
}

void
cli_table_print (CliTable *self)
{
  print_rows (self, isatty (STDOUT_FILENO));
}

void
cli_table_print_whole (CliTable *self)
{
  print_rows (self, FALSE);
}
