/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-line-diff-private.h"

/* Pairs of lines that are compared with each other; more are shown as one change. */
#define PAIRS_MAX (1024u * 1024)

typedef struct
{
  GStrv old;
  GStrv new;
  guint old_start; /* of what differs */
  guint old_end;
  guint new_start;
  guint new_end;
  GString *out;
} Diff;

static void
append_range (GString *out, char mark, guint start, guint end)
{
  g_string_append_printf (out, "%c%u", mark, end > start ? start + 1 : start);
  if (end - start != 1)
    g_string_append_printf (out, ",%u", end - start);
}

static void
append_lines (GString *out, char mark, GStrv lines, guint start, guint end)
{
  for (guint i = start; i < end; i++)
    g_string_append_printf (out, "%c%s\n", mark, lines[i]);
}

static void
append_hunk (Diff *self, guint old_start, guint old_end, guint new_start, guint new_end)
{
  if (old_start == old_end && new_start == new_end)
    return;
  g_string_append (self->out, "@@ ");
  append_range (self->out, '-', old_start, old_end);
  g_string_append_c (self->out, ' ');
  append_range (self->out, '+', new_start, new_end);
  g_string_append (self->out, " @@\n");
  append_lines (self->out, '-', self->old, old_start, old_end);
  append_lines (self->out, '+', self->new, new_start, new_end);
}

/* How many lines the two have in common from each pair of lines on. */
static guint *
count_common (const Diff *self, guint n_old, guint n_new)
{
  guint *common = g_new0 (guint, (gsize) (n_old + 1) * (n_new + 1));

  for (guint i = n_old; i-- > 0;)
    {
      for (guint k = n_new; k-- > 0;)
        {
          guint *here = &common[(gsize) i * (n_new + 1) + k];
          guint below = here[n_new + 1];

          if (g_str_equal (self->old[self->old_start + i], self->new[self->new_start + k]))
            *here = here[n_new + 2] + 1;
          else
            *here = MAX (below, here[1]);
        }
    }
  return common;
}

static void
append_hunks (Diff *self)
{
  guint n_old = self->old_end - self->old_start;
  guint n_new = self->new_end - self->new_start;
  g_autofree guint *common = count_common (self, n_old, n_new);
  guint old_first = 0, new_first = 0; /* of the hunk */
  guint i = 0, k = 0;

  while (i < n_old && k < n_new)
    {
      const guint *here = &common[(gsize) i * (n_new + 1) + k];

      if (g_str_equal (self->old[self->old_start + i], self->new[self->new_start + k]))
        {
          append_hunk (self, self->old_start + old_first, self->old_start + i,
                       self->new_start + new_first, self->new_start + k);
          old_first = ++i;
          new_first = ++k;
        }
      else if (here[n_new + 1] >= here[1])
        i++;
      else
        k++;
    }
  append_hunk (self, self->old_start + old_first, self->old_end, self->new_start + new_first,
               self->new_end);
}

/* Behind the end of the last line there is none. */
static guint
count_lines (GStrv lines)
{
  guint n = g_strv_length (lines);

  return n > 0 && *lines[n - 1] == '\0' ? n - 1 : n;
}

char *
gmcp_line_diff (const char *before, const char *after)
{
  g_auto (GStrv) old = g_strsplit (before, "\n", -1);
  g_auto (GStrv) new = g_strsplit (after, "\n", -1);
  Diff diff = { .old = old, .new = new, .out = g_string_new (NULL) };

  diff.old_end = count_lines (old);
  diff.new_end = count_lines (new);
  while (diff.old_start < diff.old_end && diff.new_start < diff.new_end
         && g_str_equal (old[diff.old_start], new[diff.new_start]))
    {
      diff.old_start++;
      diff.new_start++;
    }
  while (diff.old_end > diff.old_start && diff.new_end > diff.new_start
         && g_str_equal (old[diff.old_end - 1], new[diff.new_end - 1]))
    {
      diff.old_end--;
      diff.new_end--;
    }

  if ((guint64) (diff.old_end - diff.old_start + 1) * (diff.new_end - diff.new_start + 1)
      <= PAIRS_MAX)
    append_hunks (&diff);
  else
    append_hunk (&diff, diff.old_start, diff.old_end, diff.new_start, diff.new_end);
  return g_string_free (diff.out, FALSE);
}
