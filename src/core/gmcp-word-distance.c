/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "gmcp-word-distance-private.h"

guint
gmcp_word_distance (const char *a, gsize a_length, const char *b, gsize b_length, guint limit)
{
  guint rows[3][GMCP_WORD_DISTANCE_MAX_LENGTH + 2];
  guint *before = rows[0];
  guint *last = rows[1];
  guint *row = rows[2];

  if (MAX (a_length, b_length) > GMCP_WORD_DISTANCE_MAX_LENGTH
      || MAX (a_length, b_length) - MIN (a_length, b_length) > limit)
    return limit + 1;

  for (gsize j = 0; j <= b_length; j++)
    last[j] = j;

  for (gsize i = 1; i <= a_length; i++)
    {
      gsize from = i > limit ? i - limit : 1;
      gsize to = MIN (b_length, i + limit);
      guint least = limit + 1;
      guint *spare = before;

      row[from - 1] = from == 1 ? i : limit + 1;
      for (gsize j = from; j <= to; j++)
        {
          char old = g_ascii_tolower (a[i - 1]);
          char new = g_ascii_tolower (b[j - 1]);

          row[j] = MIN (MIN (last[j], row[j - 1]) + 1, last[j - 1] + (old != new));
          if (i > 1 && j > from && j > 1 && old == g_ascii_tolower (b[j - 2])
              && new == g_ascii_tolower (a[i - 2]))
            row[j] = MIN (row[j], before[j - 2] + 1);
          least = MIN (least, row[j]);
        }
      row[to + 1] = limit + 1;
      if (MIN (least, row[from - 1]) > limit)
        return limit + 1;

      before = last;
      last = row;
      row = spare;
    }

  return last[b_length];
}
