/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-near-names-private.h"

#define N_SUGGESTIONS 3u
/* Names are compared up to this length, which bounds what one look-up costs. */
#define LENGTH_COMPARED 96u

typedef struct
{
  const char *name;
  guint distance;
} Suggestion;

/* The number of characters to insert, remove, change or swap with the next, in either case; more
 * than limit where it is more. Only the band of cells that can still be within the limit is looked
 * at. */
static guint
measure_distance (const char *a, gsize a_length, const char *b, gsize b_length, guint limit)
{
  guint rows[3][LENGTH_COMPARED + 2];
  guint *before = rows[0];
  guint *last = rows[1];
  guint *row = rows[2];

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

/* Keeps the nearest few, the nearest first; those equally near in the order of the alphabet. */
static void
offer_suggestion (Suggestion *suggestions, guint *n_suggestions, const char *name, guint distance)
{
  guint at = *n_suggestions;

  for (guint i = 0; i < *n_suggestions; i++)
    if (strcmp (suggestions[i].name, name) == 0)
      return;

  while (at > 0
         && (suggestions[at - 1].distance > distance
             || (suggestions[at - 1].distance == distance
                 && strcmp (suggestions[at - 1].name, name) > 0)))
    at--;
  if (at == N_SUGGESTIONS)
    return;

  if (*n_suggestions < N_SUGGESTIONS)
    (*n_suggestions)++;
  memmove (&suggestions[at + 1], &suggestions[at], (*n_suggestions - at - 1) * sizeof *suggestions);
  suggestions[at] = (Suggestion){ name, distance };
}

char *
gmcp_near_names_suggest (const char *name, const GmcpNearName *candidates, guint n_candidates)
{
  Suggestion suggestions[N_SUGGESTIONS];
  guint n_suggestions = 0;
  gsize length = strlen (name);
  guint limit = CLAMP (length / 3, 1, 4);
  g_autoptr (GString) list = NULL;

  /* All names of one letter are one step from each other. */
  if (length < 2 || length > LENGTH_COMPARED)
    return g_strdup ("");

  for (guint i = 0; i < n_candidates; i++)
    {
      const char *compared = candidates[i].compared;
      gsize compared_length = strlen (compared);
      guint distance;

      if (compared_length > LENGTH_COMPARED
          || MAX (length, compared_length) - MIN (length, compared_length) > limit)
        continue;

      distance = measure_distance (name, length, compared, compared_length, limit);
      if (distance <= limit)
        offer_suggestion (suggestions, &n_suggestions, candidates[i].shown, distance);
    }

  if (n_suggestions == 0)
    return g_strdup ("");

  list = g_string_new (NULL);
  for (guint i = 0; i < n_suggestions; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", suggestions[i].name);

  /* TRANSLATORS: follows the sentence that a name is unknown; %s is a list of names */
  return g_strdup_printf (_ (" Near to it: %s."), list->str);
}
