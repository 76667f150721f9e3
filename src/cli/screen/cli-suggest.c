/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-suggest.h"

#include <glib/gi18n.h>
#include <string.h>

#define LENGTH_MAX    32u
#define BEGINNING_MIN 3

/* How many bytes to put in, leave out, change, or exchange with the next, to make the one word of the other. */
static guint
measure_distance (const char *word, const char *other)
{
  guint rows[3]
            [LENGTH_MAX + 1]; /* of this byte, of the one before it, and of the one before that */
  guint length = (guint) strlen (other);
  guint *above = rows[1];
  guint *two_above = rows[0];

  for (guint k = 0; k <= length; k++)
    above[k] = k;

  for (guint i = 0; word[i] != '\0'; i++)
    {
      guint *row = rows[(i + 2) % 3];

      row[0] = i + 1;
      for (guint k = 0; k < length; k++)
        {
          row[k + 1]
            = MIN (above[k] + (word[i] == other[k] ? 0 : 1), MIN (above[k + 1], row[k]) + 1);
          if (i > 0 && k > 0 && word[i] == other[k - 1] && word[i - 1] == other[k])
            row[k + 1] = MIN (row[k + 1], two_above[k - 1] + 1);
        }
      two_above = above;
      above = row;
    }
  return above[length];
}

const char *
cli_suggest_find (const char *word, const char *const *known)
{
  guint length = (guint) strlen (word);
  guint least = CLAMP (length / 3, 1, 3) + 1;
  const char *nearest = NULL;

  /* All words of one letter are one step from each other. */
  if (length < 2)
    return NULL;

  for (gsize i = 0; known[i] != NULL && length <= LENGTH_MAX; i++)
    {
      guint distance
        = strlen (known[i]) <= LENGTH_MAX ? measure_distance (word, known[i]) : G_MAXUINT;

      if (distance < least)
        {
          least = distance;
          nearest = known[i];
        }
    }

  /* A word may be the beginning of a longer one. */
  for (gsize i = 0; known[i] != NULL && nearest == NULL && length >= BEGINNING_MIN; i++)
    {
      if (g_str_has_prefix (known[i], word))
        nearest = known[i];
    }
  return nearest;
}

char *
cli_suggest_near (const char *word, const char *const *known)
{
  const char *nearest = cli_suggest_find (word, known);

  if (nearest == NULL)
    return g_strdup ("");

  /* Translators: follows a sentence without its full stop, that a word is not known */
  return g_strdup_printf (_ (". Near to it: %s."), nearest);
}
