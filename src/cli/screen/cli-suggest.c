/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-suggest.h"

#include <glib/gi18n.h>
#include <string.h>

#include "gmcp-word-distance-private.h"

#define BEGINNING_MIN 3

const char *
cli_suggest_find (const char *word, const char *const *known)
{
  gsize length = strlen (word);
  guint least = CLAMP (length / 3, 1, 3) + 1;
  const char *nearest = NULL;

  /* All words of one letter are one step from each other. */
  if (length < 2)
    return NULL;

  for (gsize i = 0; known[i] != NULL; i++)
    {
      guint distance = gmcp_word_distance (word, length, known[i], strlen (known[i]), least - 1);

      if (distance < least)
        {
          least = distance;
          nearest = known[i];
        }
      if (least == 0)
        break;
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
