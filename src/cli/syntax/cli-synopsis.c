/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cli-synopsis.h"

#include <string.h>

typedef struct
{
  char *word;
  gboolean is_optional;
  gboolean is_repeated;
} Place;

static void
clear_place (gpointer data)
{
  g_free (((Place *) data)->word);
}

static guint
count_characters (const char *text, char character)
{
  guint n = 0;

  for (const char *p = strchr (text, character); p != NULL; p = strchr (p + 1, character))
    n++;
  return n;
}

/* “[NAME…]” says that it may be left out, and repeated. The brackets of “SERVER[.TOOL]” are the word's own. */
static void
read_place (GArray *places, const char *text)
{
  Place place = { g_strdup (text), *text == '[', FALSE };
  char *dots;

  if (place.is_optional)
    {
      gsize length = strlen (place.word);

      memmove (place.word, place.word + 1, length);
      while (length > 1 && place.word[length - 2] == ']'
             && count_characters (place.word, ']') > count_characters (place.word, '['))
        place.word[--length - 1] = '\0';
    }
  dots = strstr (place.word, "…");
  place.is_repeated = dots != NULL;
  if (dots != NULL)
    *dots = '\0';
  g_array_append_val (places, place);
}

static void
add_unique (GPtrArray *words, const char *word)
{
  if (!g_ptr_array_find_with_equal_func (words, word, g_str_equal, NULL))
    g_ptr_array_add (words, g_strdup (word));
}

/* A place can be taken by the argument at a position where those before it that may not be left out are fewer. */
static void
add_words (GPtrArray *words, const char *way, guint position)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_auto (GStrv) texts = g_strsplit (way, " ", -1);
  guint n_required = 0;

  g_array_set_clear_func (places, clear_place);
  for (gsize i = 0; texts[i] != NULL; i++)
    {
      if (*texts[i] != '\0' && *texts[i] != '-')
        read_place (places, texts[i]);
    }
  for (guint i = 0; i < places->len; i++)
    {
      const Place *place = &g_array_index (places, Place, i);

      if (n_required <= position && (position <= i || place->is_repeated))
        add_unique (words, place->word);
      n_required += !place->is_optional;
    }
}

GPtrArray *
cli_synopsis_list_words (const char *synopsis, guint position)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) ways = g_strsplit (synopsis, " | ", -1);

  for (gsize i = 0; ways[i] != NULL; i++)
    add_words (words, ways[i], position);
  return words;
}
