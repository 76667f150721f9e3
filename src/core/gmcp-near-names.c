/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "gmcp-i18n-private.h"
#include "gmcp-near-names-private.h"
#include "gmcp-word-distance-private.h"

#define N_SUGGESTIONS 3u

typedef struct
{
  const char *name;
  guint distance;
} Suggestion;

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
  if (length < 2 || length > GMCP_WORD_DISTANCE_MAX_LENGTH)
    return g_strdup ("");

  for (guint i = 0; i < n_candidates; i++)
    {
      const char *compared = candidates[i].compared;
      guint distance = gmcp_word_distance (name, length, compared, strlen (compared), limit);

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
